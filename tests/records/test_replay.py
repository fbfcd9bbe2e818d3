"""Replays of real records and of games of our own: everything equal, and what is wrong is found and named."""

import copy
from pathlib import Path

import numpy as np
import pytest

from janshi.agents import EfficientAgent, RandomAgent
from janshi.arena import play_match
from janshi.records import read_games
from janshi.records.model import Ending, Event, Game
from janshi.records.replay import Replayer
from janshi.records.sources import Source, sources
from janshi.records.verify import replay_sources, verify
from janshi.riichi import state
from janshi.riichi.rules import preset

#: Archives, and how many of their records the usual run replays; all of them with ``-m long``.
ARCHIVES = {
    "sanma-2009": 15,
    "sanma-2018": 10,
    "sanma-2020": 15,
    "sanma-2022": 15,
    "sanma-2026": 10,
    "sanma-odd": 12,
    "four-2009-2022": 15,
    "four-2018": 10,
    "four-2020": 10,
    "four-2021": 10,
    "four-2024": 10,
    "four-ai": 15,
    "four-rare": 107,
    "four-odd": 42,
}
#: Says East-only, and is played through the South round although somebody has enough: its type is not what was played.
STRANGE = "97bda0e8d741.mjlog"


def check(folder: Path, archive: str, most: int | None) -> int:
    listed = [source for source in sources([folder / f"{archive}.zip"]) if isinstance(source, Source)]
    # Spread over the archive, so that the sample is not one day's.
    chosen = listed if most is None else listed[:: max(1, len(listed) // most)]
    tally = replay_sources(chosen)
    assert not tally.damaged
    wrong = [str(mismatch) for mismatch in tally.mismatches if STRANGE not in mismatch.source]
    assert not wrong
    return tally.hands


@pytest.mark.parametrize("archive", ARCHIVES)
def test_a_sample_of_every_archive(archive, records):
    assert check(records, archive, ARCHIVES[archive]) > 0


@pytest.mark.long
@pytest.mark.parametrize("archive", ARCHIVES)
def test_every_record(archive, records):
    assert check(records, archive, None) > 0


def test_events_and_endings_of_records_are_those_of_the_engine():
    assert Event is state.Event
    assert Ending is state.Ending
    draws = [ending for ending in Ending if Ending.EXHAUSTIVE <= ending < Ending.TSUMO]
    assert [int(ending) for ending in draws] == list(range(7))


# ---------------------------------------------------------------------------------------------------------
# Games of our own


@pytest.fixture(scope="module")
def games() -> list[Game]:
    played: list[Game] = []
    for rules, others in (("tenhou-sanma-east", 2), ("tenhou-east", 3)):
        play_match(
            [EfficientAgent(), *[RandomAgent()] * others], preset(rules), 3, seed=3, on_game=played.append
        )
    return played


def test_games_of_the_engine_replay(games):
    replayer = Replayer()
    for game in games:
        done = replayer.replay(game, scripts=True)
        assert not done.mismatches
        assert len(done.scripts) == len(game.hands)
        assert done.decisions == sum(len(script.actions) for script in done.scripts)


def spoilt(game: Game, change) -> list[str]:
    other = copy.deepcopy(game)
    change(other)
    return [str(mismatch) for mismatch in Replayer().replay(other).mismatches]


def win_of(game: Game):
    return next(hand for hand in game.hands if isinstance(hand.outcome, list))


def test_what_does_not_match_is_found(games):
    game = games[0]

    def points(other):
        win_of(other).outcome[0].points += 100

    assert any("points: engine" in line for line in spoilt(game, points))

    def payment(other):
        win = win_of(other).outcome[0]
        win.deltas = (win.deltas[0] + 100, *win.deltas[1:])

    assert any("payments: engine" in line for line in spoilt(game, payment))

    def yaku(other):
        win = win_of(other).outcome[0]
        win.yaku = ((8, 1), *win.yaku)
        win.yakuman = ()

    assert any("yaku: engine" in line for line in spoilt(game, yaku))

    def scores(other):
        other.hands[1].scores[0] += 100
        other.hands[1].scores[1] -= 100

    assert any("points before the next hand" in line for line in spoilt(game, scores))

    def end(other):
        other.hands = other.hands[:-1]

    assert any("game: engine goes on, record over" in line for line in spoilt(game, end))

    def discard(other):
        events = other.hands[0].events
        row = int(np.flatnonzero(events[:, 0] == Event.DISCARD)[3])
        events[row, 4] = 1 - events[row, 4]

    assert spoilt(game, discard)


def test_damage_of_events_deal_and_wall_is_found(games):
    game = games[0]

    def cut(other):
        other.hands[0].events = other.hands[0].events[:-3]

    assert any("hand 1" in line for line in spoilt(game, cut))

    def twice(other):
        other.hands[0].deal[0, 0] = other.hands[0].deal[0, 1]

    assert any("in two places" in line for line in spoilt(game, twice))

    def longer(other):
        hand = win_of(other)
        hand.events = np.concatenate([hand.events, hand.events[-1:]])

    assert spoilt(game, longer)

    def wall(other):
        hand = other.hands[0]
        hand.wall = np.arange(136, dtype=np.uint8)
        if other.players == 3:
            hand.wall = np.array([identity for identity in range(136) if not 4 <= identity < 32], np.uint8)

    assert any("deal: engine" in line for line in spoilt(game, wall))


def test_random_damage_never_breaks_the_replay(games):
    random = np.random.default_rng(5)
    replayer = Replayer()
    for number in range(300):
        game = copy.deepcopy(games[number % len(games)])
        hand = game.hands[number % len(game.hands)]
        for _ in range(random.integers(1, 4)):
            row = random.integers(len(hand.events))
            hand.events[row, random.integers(8)] = random.integers(-2, 140)
        replayer.replay(game)


def test_the_number_of_processes_does_not_matter(games, tmp_path):
    from janshi.records.convert import GameWriter

    with GameWriter(tmp_path / "games", "mjai") as writer:
        for game in games:
            writer.write(game)
    (tmp_path / "games" / "broken.mjlog").write_bytes(b"\x00\xff\x00")
    alone, together = verify([tmp_path], jobs=1), verify([tmp_path], jobs=2)
    assert alone == together
    tally = alone[str(tmp_path / "games")]
    assert (tally.games, len(tally.damaged), len(tally.mismatches)) == (len(games), 1, 0)


@pytest.mark.parametrize("form", ["mjlog", "tenhou6", "mjai"])
def test_written_games_are_read_and_replay(games, form, tmp_path):
    from janshi.records.convert import GameWriter

    with GameWriter(tmp_path, form) as writer:
        for game in games:
            writer.write(game)
    replayer = Replayer()
    count = 0
    for game in read_games([tmp_path]):
        assert isinstance(game, Game)
        assert not replayer.replay(game).mismatches
        count += 1
    assert count == len(games)
