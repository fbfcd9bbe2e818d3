"""Networks of players (ONNX files): decisions a second in batches, milliseconds for one position, agreement.

    python benchmarks/network.py [PLAYER | FILE.onnx …] [--batch 256] [--walls 0] [--cpu] [--json]
    python benchmarks/network.py sl4 sl4-int8.onnx --records four-2024.zip --figure speed.svg

The networks use one thread; the default is the shipped players. Positions come from random play, and the time includes
encoding, expansion of masks, and the network. ``--walls`` plays this number of hands with the player in every seat.
``--records`` measures agreement on a fifth of the games of the newest year (the test set of `janshi train --hold-out`;
``--all``: on all games), for networks of every action; ``--figure`` draws agreement against speed.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from janshi.agents.onnx import ACTIONS_ANSWERS, OnnxNetwork
from janshi.agents.policy import PolicyAgent, policy_player
from janshi.arena import play_match, single_hand
from janshi.players import PLAYERS
from janshi.table import DecisionBatch, Tables

ROUNDS = 7


def seconds_of(work: Callable[[], object], clock: Callable[[], float], rounds: int = ROUNDS) -> float:
    """Return the seconds of the fastest of some rounds after a warm-up."""
    work()
    taken = []
    for _ in range(rounds):
        start = clock()
        work()
        taken.append(clock() - start)
    return min(taken)


def rules_of(network: OnnxNetwork) -> str:
    if network.encoder.game != "riichi":
        return network.encoder.game
    return "tenhou" if network.players == {4} else "tenhou-sanma"


def measure_speed(network: OnnxNetwork, batch: int, clock: Callable[[], float]) -> dict[str, float]:
    """Return decisions a second in batches, and milliseconds for one position."""
    tables = Tables(rules_of(network), batch, 1)
    tables.play_random(40)
    many = tables.decisions()
    single = Tables(rules_of(network), 1, 1).decisions()
    together = seconds_of(lambda: network.run(network.encoder.encode(many)), clock)
    alone = seconds_of(lambda: network.run(network.encoder.encode(single)), clock, 20 * ROUNDS)
    return {"decisions a second": len(many) / together, "milliseconds for one": 1000 * alone}


class Counted:
    """A player that counts its decisions."""

    def __init__(self, player: PolicyAgent) -> None:
        self.player = player
        self.name, self.players, self.games = player.name, player.players, player.games
        self.asked = 0

    def act(self, batch: DecisionBatch) -> Any:
        self.asked += len(batch)
        return self.player.act(batch)


def measure_play(network: OnnxNetwork, walls: int, clock: Callable[[], float]) -> float:
    """Return decisions a second of whole hands with the player in every seat."""
    player = Counted(policy_player({"": network}, "player"))
    rules = Tables(rules_of(network), 1).rules
    seats = [player] * rules.players
    play_match(seats, single_hand(rules), 1)
    player.asked = 0
    start = clock()
    play_match(seats, single_hand(rules), walls)
    return player.asked / (clock() - start)


def agreement(networks: dict[str, OnnxNetwork], hands: Any, most: int) -> dict[str, Any]:
    """Return the agreement of networks with people on the same decisions, by network and kind of decision."""
    from janshi.riichi.dataset import decisions
    from janshi.riichi.dataset.measuring import measured_policy, policy_targets

    order = np.random.default_rng(0).permutation(len(hands))
    targets: list[dict[str, Any]] = []
    logits: dict[str, list[Any]] = {name: [] for name in networks}
    for first in range(0, len(order), 64):
        batch = decisions(hands, order[first : first + 64], encoder=next(iter(networks.values())).encoder)
        batch = batch.part(np.flatnonzero(batch.observed))
        targets.append(policy_targets(batch))
        for name, network in networks.items():
            logits[name].append(network.logits(batch.packed))
        if sum(len(part["drawn"]) for part in targets) >= most:
            break
    joined = {key: np.concatenate([part[key] for part in targets]) for key in targets[0]}
    return {name: measured_policy(np.concatenate(parts), joined) for name, parts in logits.items()}


def hands_to_test(paths: list[Path], players: int, everything: bool) -> Any:
    """Return all hands of records, or the held-out ones."""
    from janshi.papers.records import hold_out
    from janshi.riichi.dataset import read_hands

    hands = read_hands(paths, players)
    return hands if everything else hold_out(hands)[1]


def draw(figures: dict[str, dict[str, Any]], path: Path) -> None:
    """Draw agreement in discards against speed, with the 95 % interval of each network."""
    from janshi.arena.figures import line_plot, save

    series = {
        f"{name}, {row['bytes'] / 1e6:.1f} MB": (
            [row["decisions a second"]] * 3,
            [row["discard"][key] for key in ("low", "value", "high")],
        )
        for name, row in figures.items()
        if "discard" in row
    }
    save(line_plot(series, "Agreement against speed", "decisions a second, one core", "discards that agree, %"), path)


def measure(options: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """Return all figures by network."""
    clock = time.process_time if options.cpu else time.perf_counter
    paths = {Path(name).stem: PLAYERS.get(name, Path(name)) for name in options.networks or PLAYERS}
    networks = {name: OnnxNetwork(path, threads=1) for name, path in paths.items()}
    figures: dict[str, dict[str, Any]] = {}
    for name, network in networks.items():
        figures[name] = {"bytes": paths[name].stat().st_size, **measure_speed(network, options.batch, clock)}
        if options.walls:
            figures[name]["decisions a second of self-play"] = measure_play(network, options.walls, clock)
    if options.records:
        asked = {name: network for name, network in networks.items() if network.answers_kind == ACTIONS_ANSWERS}
        players = min(next(iter(asked.values())).players)
        hands = hands_to_test(options.records, players, options.all)
        for name, measured in agreement(asked, hands, options.decisions).items():
            for decision, figure in measured.items():
                top = figure.top[0]
                shares = {key: 100 * getattr(top, key) for key in ("value", "low", "high")}
                figures[name][decision] = {**shares, "count": top.count, "loss": figure.loss}
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("networks", nargs="*", metavar="PLAYER|FILE", help="players that ship, or ONNX files")
    parser.add_argument("--batch", type=int, default=256, help="positions answered together (default 256)")
    parser.add_argument("--walls", type=int, default=0, help="walls that are played in every seat (default 0)")
    parser.add_argument("--records", type=Path, action="append", help="records to measure agreement on; repeatable")
    parser.add_argument("--all", action="store_true", help="all games of the records, not a fifth of the newest year")
    parser.add_argument("--decisions", type=int, default=20_000, help="decisions of them (default 20000)")
    parser.add_argument("--figure", type=Path, help="an SVG or PNG of agreement against speed")
    parser.add_argument("--cpu", action="store_true", help="count processor time, for a busy machine")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    if min(options.batch, options.decisions) < 1:
        parser.error("--batch and --decisions are 1 or more")
    for name in options.networks:
        if name not in PLAYERS and not Path(name).is_file():
            parser.error(f"{name}: no such file, and no player that ships ({', '.join(PLAYERS)})")
    for path in options.records or ():
        if not path.exists():
            parser.error(f"{path}: no such file or folder")
    figures = measure(options)
    if options.figure is not None:
        draw(figures, options.figure)
    if options.json:
        json.dump(figures, sys.stdout, indent=1)
        print()
        return
    for name, row in figures.items():
        print(f"{name}: {row['bytes']:,} bytes")
        for what, figure in row.items():
            if isinstance(figure, dict):
                reach = f"{figure['low']:.2f} to {figure['high']:.2f}"
                print(f"  {what}: {figure['value']:.2f} % ({reach}) of {figure['count']:,}, loss {figure['loss']:.4f}")
            elif what != "bytes":
                print(f"  {figure:12,.2f} {what}" if figure < 100 else f"  {figure:12,.0f} {what}")


if __name__ == "__main__":
    main()
