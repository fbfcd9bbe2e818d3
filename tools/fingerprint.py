"""Hash the behaviour of the engine and of players, to compare two versions.

    python tools/fingerprint.py games [--count 20000]
    python tools/fingerprint.py records FILE…
    python tools/fingerprint.py players [--decisions 10000] NAME:PRESET[:PRESET…]…
    python tools/fingerprint.py reviews FILE… [--count 200]
    python tools/fingerprint.py scores [--count 10000] [--write FOLDER]
    python tools/fingerprint.py inputs [--decisions 10000] [--write FOLDER]
    python tools/fingerprint.py samples [--decisions 10000] [--write FOLDER]

Each line ends in a hash. Two versions with the same behaviour print the same lines. ``npm/test/fingerprint.mjs`` prints
those of games, scores, inputs and samples from the npm package; it reads hands, views and tables from the files in
FOLDER.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from janshi.agents import agent, best_reviewer
from janshi.encoders import encoder
from janshi.games import GAMES, game_of, rules_of
from janshi.riichi.hands.score import evaluated, new_winnings
from janshi.riichi.sampling.hidden import HiddenTiles
from janshi.riichi.state import MeldForm
from janshi.table import Tables

#: Common fields of all games' states.
FIELDS = ("actor", "phase", "clock", "games", "hand_number", "wall")

#: Samples of each decision.
SAMPLES = 4


def digest(arrays: Iterable[Any]) -> str:
    """Return 16 hexadecimal digits over the bytes of some arrays."""
    total = hashlib.sha256()
    for array in arrays:
        total.update(np.ascontiguousarray(array).tobytes())
    return total.hexdigest()[:16]


def hash_games(count: int) -> None:
    """Play random games of every preset."""
    for game in GAMES.values():
        for preset in game.presets:
            tables = Tables(preset, count, seeds=11, auto_reset=False)
            for _ in range(6):
                game.play_randomly(tables.states, 150)
            states = np.asarray(tables.states)
            print("games", preset, digest([*(states[name] for name in FIELDS), states["seats"]["points"]]), flush=True)


def random_winnings(count: int) -> NDArray[Any]:
    """Return hands (``count``) of four sets and a pair in random circumstances, some of them impossible."""
    draw = np.random.default_rng(5)
    hands = np.asarray(new_winnings(count))
    for hand in hands:
        hand["calls"] = calls = draw.integers(0, 5)
        for index in range(4):
            form = draw.choice([MeldForm.CHII, MeldForm.PON])
            kind = 9 * draw.integers(0, 3) + draw.integers(0, 7) if form == MeldForm.CHII else draw.integers(0, 34)
            if index < calls:
                hand["forms"][index] = draw.integers(MeldForm.PON, MeldForm.KAKAN + 1) if form == MeldForm.PON else form
                hand["kinds"][index] = kind
            else:
                hand["counts"][[kind, kind + 1, kind + 2] if form == MeldForm.CHII else kind] += 1 + 2 * (form != 1)
        hand["counts"][draw.integers(0, 34)] += 2
        hand["kind"] = draw.choice(np.flatnonzero(hand["counts"]))
        hand["seat_wind"], hand["round_wind"] = draw.integers(27, 31, 2)
        hand["dora"][: draw.integers(1, 3)] = draw.integers(0, 34)
        for name in ("tsumo", "riichi", "reds"):
            hand[name] = draw.integers(0, 2)
        for name in ("ippatsu", "rinshan", "chankan", "last", "first"):
            hand[name] = draw.random() < 0.05
    return hands[(hands["counts"] <= 4).all(axis=1)]


def hash_scores(count: int, folder: Path | None) -> None:
    """Value random hands."""
    hands = random_winnings(count)
    if folder:
        (folder / "winnings.bin").write_bytes(hands.tobytes())
    values, wins, faults = evaluated(hands, rules_of("tenhou"))
    valued = [values[name][wins] for name in values.dtype.names]
    print("scores", len(hands), int(wins.sum()), digest([wins, faults, *valued]), flush=True)


def hash_inputs(decisions: int, folder: Path | None) -> None:
    """Encode the decisions of random games as the shipped networks read them."""
    for name, presets in (("table", ("tenhou", "tenhou-sanma")), ("sichuan", ("sichuan", "sichuan-exchange"))):
        for rules in presets:
            tables = Tables(rules, decisions // 10, seeds=9)
            views, inputs = [], []
            for _ in range(10):
                tables.play_random(37)
                batch = tables.decisions()
                views.append(np.asarray(batch.views).tobytes())
                inputs.append(encoder(name).inputs(encoder(name).encode(batch)))
            if folder:
                (folder / f"{rules}.bin").write_bytes(b"".join(views))
            print("inputs", rules, sum(map(len, inputs)), digest(inputs), flush=True)


def hash_records(paths: list[Path]) -> None:
    """Replay records with every check."""
    from janshi.riichi.dataset import read_hands

    for path in paths:
        for players in (3, 4):
            try:
                hands = read_hands([path], players)
            except ValueError as error:
                print("records", path.name, players, "none:", type(error).__name__, flush=True)
                continue
            parts = [hands.walls, hands.starts, hands.taken, hands.bounds, hands.games]
            print("records", path.name, players, len(hands), digest(parts), flush=True)


def hash_players(names: list[str], decisions: int) -> None:
    """Hash players' answers in games among themselves."""
    for name in names:
        player, *presets = name.split(":")
        for preset in presets:
            tables = Tables(preset, 50, seeds=5)
            acting = agent(player)
            answers, asked = [], 0
            while asked < decisions:
                batch = tables.decisions()
                actions = np.asarray(acting.act(batch), np.int16)
                answers.append(actions)
                asked += len(batch)
                tables.step(actions)
            print("players", player, preset, asked, digest(answers), flush=True)


def hash_reviews(paths: list[Path], count: int) -> None:
    """Review a seat of each of the first games by the strongest reviewer, without playouts."""
    from janshi.review import read_game, review_game

    for path in paths:
        texts = []
        for number in range(count):
            game = read_game(path, number + 1)
            reviewer = agent(best_reviewer(game.rules.players, game_of(game.rules).name))
            review = review_game(game, number % game.rules.players, reviewer)
            texts.append(json.dumps(dataclasses.asdict(review), sort_keys=True).encode())
        print("reviews", path.name, count, digest(np.frombuffer(text, np.uint8) for text in texts), flush=True)


def hash_samples(count: int, folder: Path | None) -> None:
    """Sample what is hidden at decisions of hands of Riichi that `efficient` plays, every seventh."""
    for preset in ("tenhou", "tenhou-sanma"):
        tables, player = Tables(preset, 1, seeds=3), agent("efficient")
        found: list[Any] = []
        while len(found) < 7 * count:
            found.append(np.asarray(tables.states).copy())
            tables.step(player.act(tables.decisions()))
        asked = np.concatenate(found[::7])
        seeds = np.random.default_rng(5).integers(1 << 62, size=(count, SAMPLES))
        if folder is not None:
            (folder / f"{preset}-tables.bin").write_bytes(asked.tobytes())
            (folder / f"{preset}-seeds.bin").write_bytes(seeds.tobytes())
        walls = []
        for state, row in zip(asked, seeds, strict=True):
            np.asarray(tables.states)[0] = state
            walls.append(np.asarray(HiddenTiles(tables.decisions().with_events()).sample_by(row)[0])["wall"])
        print("samples", preset, count, digest(walls), flush=True)


def main() -> None:
    """Run the part named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("games", "records", "players", "scores", "inputs", "samples", "reviews"))
    parser.add_argument("names", nargs="*", help="Files, or players as NAME:PRESET[:PRESET…].")
    parser.add_argument("--count", type=int, default=20_000, help="Random games of each preset, hands, or reviews.")
    parser.add_argument("--decisions", type=int, default=10_000, help="Answers of each player, or inputs of a preset.")
    parser.add_argument("--write", type=Path, help="Folder for the hands or views.")
    options = parser.parse_args()
    if options.what == "games":
        hash_games(options.count)
    elif options.what == "records":
        hash_records([Path(name) for name in options.names])
    elif options.what == "scores":
        hash_scores(options.count, options.write)
    elif options.what == "inputs":
        hash_inputs(options.decisions, options.write)
    elif options.what == "samples":
        hash_samples(options.decisions, options.write)
    elif options.what == "reviews":
        hash_reviews([Path(name) for name in options.names], options.count)
    else:
        hash_players(options.names, options.decisions)


if __name__ == "__main__":
    main()
