"""Comparison of encoders with references that follow only a record's events: games and their traversal."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from janshi.agents import agent
from janshi.arena import play_match
from janshi.records.positions import Position
from janshi.riichi.positions import hand_of_game
from janshi.riichi.records import Damaged, Event, RecordedHand, RiichiGame, read_source, sources
from janshi.riichi.records.replay import Replayer
from janshi.riichi.rules import preset


def followed(
    game: RiichiGame, make: Callable[[RecordedHand, Any], Any], met: Counter[str]
) -> Iterator[tuple[Any, RecordedHand, Position]]:
    """Yield every decision of a game with a reference that has followed all earlier events; count the events."""
    for number, hand in enumerate(game.hands, start=1):
        reference = make(hand, game.rules)
        events = hand.events.tolist()
        taken = 0
        for position in hand_of_game(game, number).positions:
            for row in events[taken : position.events]:
                reference.take(row)
                met[Event(row[0]).name] += 1
            taken = position.events
            met["decisions"] += 1
            yield reference, hand, position


def assert_equal(game: RiichiGame, position: Position, names: Any, shown: Any, expected: Any) -> None:
    """Assert equality; report the first differing columns."""
    wrong = [
        f"{name}: {have:x}, not {should:x}"
        for name, have, should in zip(names, shown, expected, strict=True)
        if have != should
    ]
    assert not wrong, f"{game.source}, decision {position.decision}: {wrong[:5]}"


def own_games(name: str, walls: int, seed: int) -> list[RiichiGame]:
    """Return games of agents that call and that declare riichi."""
    rules = preset(name)
    games: list[RiichiGame] = []
    seated = [agent(one) for one in ("efficient", "random", "random", "efficient")[: rules.players]]
    play_match(seated, rules, walls, seed=seed, on_game=games.append)
    return games


def peoples_games(pattern: str, every: int) -> Iterator[RiichiGame]:
    """Return some games of the folder of records; skip the test without one."""
    folder = Path(os.environ.get("JANSHI_RECORDS", Path(__file__).parents[3] / "shared" / "records"))
    archives = sorted(folder.glob(pattern))
    if not archives:
        pytest.skip("no records")
    replayer = Replayer()
    for archive in archives:
        for source in list(sources([archive]))[::every]:
            for game in [] if isinstance(source, Damaged) else read_source(source):
                if isinstance(game, RiichiGame) and not replayer.replay(game).mismatches:
                    yield game


def assert_met(met: Counter[str], wanted: set[str], least: int) -> None:
    """Assert that the games contain all events that the comparison needs."""
    assert not {what for what in wanted if not met[what]}
    assert met["decisions"] > least
