"""Nobody learns what their seat may not know: not from the messages, and not from when they come.

A hand is played, and then again on a wall in which all tiles that the seat never saw lie elsewhere: in other hands, in
the wall, in the dead wall. What the others were seen to do is done again, whatever they hold now. Every message, and
the second at which it comes, must be the same until the hand ends and hands are laid open; so must be what hints are
given from.
"""

from __future__ import annotations

import dataclasses
import random
from typing import Any

import numpy as np
import pytest

pytest.importorskip("fastapi")

from janshi.records.story import HIDDEN
from janshi.registry import agent
from janshi.tiles import from_mjai
from janshi.web.game_table import GameTable
from janshi.web.games import WEB_GAMES
from tests.web.tables import Played, Scenario, play

RULES = ("tenhou-sanma", "tenhou", "mahjong-soul-sanma", "m-league")
_ENDS = ("hora", "ryukyoku")
_REPLACED = ("daiminkan", "ankan", "kakan", "nukidora")


def answering(seed: int) -> Any:
    """A player who does anything; wins, calls and declarations more often than their number says."""
    dice = random.Random(seed)

    def answer(ask: dict[str, Any]) -> int:
        options = ask["options"]
        others = [one for one in options if one["name"] not in ("discard", "pass")]
        return int(dice.choice(others if others and dice.random() < 0.4 else options)["action"])

    return answer


def game(number: int, length: str = "hand", **more: Any) -> tuple[Played, int]:
    """Play a game at a table that depends on its number; return it and the seat of the player."""
    rules = RULES[number % len(RULES)]
    players = 3 if "sanma" in rules else 4
    dice = random.Random(number)
    seat = dice.randrange(players)
    names = ["efficient", "random", "sl"][: 3 if players == 3 else 2]
    agents = {who: agent(dice.choice(names)) for who in range(players) if who != seat}
    return play(Scenario(rules, length, seat, number, agents, answering(number), **more)), seat


def unseen(played: Played, seat: int) -> list[int]:
    """Places in the wall of tiles that a seat never sees in a hand, and that others may hold as they are.

    Hands of those who declare riichi or win are left as they are: with other tiles they could not have.
    """
    players = len(played.events[0]["names"])
    wall, place = played.wall, len(played.wall) - 1
    held: list[list[int]] = [[] for _ in range(players)]
    drawn = [-1] * players
    replaced, replaces, shown = 0, False, 0
    open_, bound = set[int](), {seat}
    for many in (4, 4, 4, 1):
        for who in range(players):
            held[who] += range(place, place - many, -1)
            place -= many

    def lay(who: int, name: str, which: int = -1) -> None:
        same = sorted((one for one in held[who] if wall[one] == from_mjai(name)), key=lambda one: one == drawn[who])
        one = same[0] if which < 0 else which
        held[who].remove(one)
        open_.add(one)

    for event in played.events[1:]:
        kind, who = event["type"], event.get("actor", -1)
        if kind in _ENDS:
            bound |= {who} if who >= 0 else {one for one, hand in enumerate(event.get("tehais", [])) if "?" not in hand}
        elif kind in ("start_kyoku", "dora"):
            open_.add((5 if players == 4 else 9) + 2 * shown)
            shown += 1
        elif kind == "tsumo":
            drawn[who] = replaced ^ 1 if replaces else place
            held[who].append(drawn[who])
            replaced, place = replaced + replaces, place - (not replaces)
            replaces = False
        elif kind == "dahai":
            lay(who, event["pai"], drawn[who] if event["tsumogiri"] else -1)
            drawn[who] = -1
        elif kind == "reach":
            bound.add(who)
        elif kind in (*_REPLACED, "chi", "pon"):
            for name in [event["pai"]] if kind in ("kakan", "nukidora") else event["consumed"]:
                lay(who, name)
            replaces = kind in _REPLACED
    open_ |= {one for who in bound for one in held[who]}
    return [one for one in range(len(wall)) if one not in open_]


def until_the_end(played: Played) -> list[tuple[float, str]]:
    """The messages before the hand's end."""
    count = 0
    for (_, text), message in zip(played.messages, played.parsed, strict=True):
        if message["type"] == "happened" and message["events"][0]["type"] in _ENDS:
            break
        count += bool(text)
    return played.messages[:count]


def check_twins(number: int) -> tuple[int, bool]:
    """Play a hand and its twin; return how many tiles lay elsewhere, and whether agents were asked more or less."""
    first, seat = game(number)
    places = unseen(first, seat)
    wall = first.wall.copy()
    wall[places] = first.wall[np.random.default_rng(number).permutation(places)]
    second, _ = game(number, wall=wall, script=first.events)
    assert until_the_end(second) == until_the_end(first), number
    assert second.views == first.views, number
    return int((wall != first.wall).sum()), first.asked != second.asked


def test_what_a_seat_is_sent_and_when_depends_on_what_it_may_know_alone() -> None:
    twins = [check_twins(number) for number in range(200)]
    assert sum(moved for moved, _ in twins) > 200 * 20
    # In most of them other agents were asked about discards than before, and nobody could see it.
    assert sum(asked for _, asked in twins) > 100


def check_open(table: GameTable) -> None:
    """What is shown names no tile of others but those that lie open; a reload tells nothing more."""
    seat = table.setup.seat
    assert seat is not None
    for event in table.screen.events[-1:]:
        if event["type"] == "tsumo":
            assert (event["pai"] == HIDDEN) == (event["actor"] != seat)
            assert set(event) == {"type", "actor", "pai"}
        if event["type"] == "start_kyoku":
            others = [hand for who, hand in enumerate(event["tehais"]) if who != seat]
            assert all(set(hand) == {HIDDEN} for hand in others)
    assert str(table.setup.seed) not in table.screen.messages[-1]
    welcome = table.welcome(0)
    assert welcome.events == table.screen.events
    assert str(table.setup.seed) not in welcome.model_dump_json()


@pytest.mark.parametrize("number", range(4))
def test_whole_games_show_no_tile_that_does_not_lie_open(number: int) -> None:
    played, _ = game(10_000_019 + number, "east", watch=check_open)
    assert played.parsed[-1]["events"] == [played.events[-1]]


def test_the_test_would_see_a_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    leaky = dataclasses.replace(WEB_GAMES["riichi"], seen_by=lambda event, seat: event)
    monkeypatch.setitem(WEB_GAMES, "riichi", leaky)
    with pytest.raises(AssertionError):
        check_twins(0)


def test_the_test_would_see_a_pause_that_gives_something_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without pauses, agents that are asked about a discard would be seen to think."""
    monkeypatch.setattr("janshi.web.screen.PAUSES", {})
    with pytest.raises(AssertionError):
        _ = [check_twins(number) for number in range(12)]
