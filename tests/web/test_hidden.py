"""Neither the messages of a seat nor their times reveal hidden information.

A hand is played, and then again on a wall in which tiles that the seat never saw lie elsewhere: in other hands, in the
wall, in the dead wall. What the others were seen to do is done again, whatever they hold now. Every message, and the
second at which it comes, must be the same until the hand ends and hands are laid open; so must be what hints are given
from.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

pytest.importorskip("fastapi")

from janshi.agents import agent
from janshi.records.story import HIDDEN
from janshi.riichi.records import recorder as riichi_recorder
from janshi.sichuan.records import live as sichuan_recorder
from janshi.tiles import from_mjai
from janshi.web.game_table import ServedTable
from tests.cases import mostly_long
from tests.web.tables import Played, Scenario, play

_ENDS = ("hora", "ryukyoku")
_REPLACED = ("daiminkan", "ankan", "kakan", "nukidora")


def answering(seed: int) -> Any:
    """Return random answers that prefer wins, calls and declarations."""
    dice = random.Random(seed)

    def answer(ask: dict[str, Any]) -> int:
        options = ask["options"]
        others = [one for one in options if one["name"] not in ("discard", "pass")]
        return int(dice.choice(others if others and dice.random() < 0.4 else options)["action"])

    return answer


def unseen(played: Played, seat: int) -> list[int]:
    """Return the places in the wall of tiles that a seat never sees in a hand and that may be swapped.

    Hands of players who declare riichi or win do not change, because these actions depend on them.
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


class Holdings:
    """The holders of the places of the wall during a hand."""

    def __init__(self, played: Played, seat: int) -> None:
        self.wall, self.seat = played.wall, seat
        self.held: list[list[int]] = [list(range(13 * who, 13 * who + 13)) for who in range(4)]
        self.held[0].append(52)
        self.next, self.last = 53, 107
        self.seen: set[int] = set()
        self.voids: list[int] = [-1] * 4
        self.bound = {seat}
        replaces = False
        for event in played.events[1:]:
            if event["type"] == "settlement":
                break
            self.follow(event, replaces)
            replaces = event["type"] in ("daiminkan", "ankan", "kakan") or (replaces and event["type"] != "tsumo")
            if event["type"] in ("win", "dahai"):
                replaces = False

    def lay(self, who: int, name: str) -> int:
        place = next(place for place in self.held[who] if self.wall[place] == from_mjai(name))
        self.held[who].remove(place)
        self.seen.add(place)
        return place

    def follow(self, event: dict[str, Any], replaces: bool) -> None:
        kind, who = event["type"], event.get("actor", -1)
        if kind == "tsumo":
            self.held[who].append(self.last if replaces else self.next)
            self.last, self.next = self.last - replaces, self.next + (not replaces)
        elif kind == "exchange":
            for name in event["tiles"]:
                self.held[event["target"]].append(self.lay(who, name))
        elif kind == "void":
            self.voids[who] = "mps".index(event["suit"])
        elif kind == "win":
            self.bound.add(who)
        elif kind in ("dahai", "kakan"):
            self.lay(who, event["pai"])
        elif kind in ("pon", "daiminkan", "ankan"):
            for name in event["consumed"]:
                self.lay(who, name)

    def moved(self, dice: random.Random) -> np.ndarray[Any, Any]:
        """Return a wall with moved hidden tiles; no seat's number of tiles of its void suit changes."""
        owner = {place: who for who in range(4) for place in self.held[who]}
        known = self.seen | {place for who in self.bound for place in self.held[who]}
        free = [place for place in range(len(self.wall)) if place not in known]
        wall = self.wall.copy()

        def fits(place: int, tile: int) -> bool:
            void = self.voids[owner[place]] if place in owner else -1
            return void < 0 or (tile // 9 == void) == (int(self.wall[place]) // 9 == void)

        for _ in range(400):
            one, other = dice.choice(free), dice.choice(free)
            if fits(one, int(wall[other])) and fits(other, int(wall[one])):
                wall[one], wall[other] = wall[other], wall[one]
        return wall


@dataclass(frozen=True)
class Kind:
    """A game and the changes of its walls."""

    records: Any
    """The module of its recorder."""
    rules: tuple[str, ...]
    agents: tuple[str, ...]
    length: str
    """Of a game of several hands."""
    ends: tuple[str, ...]
    """Events with which hands are laid open."""
    moved: Callable[[Played, int, int], np.ndarray[Any, Any]]
    """A wall (of a game, seen by a seat, drawn by a number) in which unseen tiles lie elsewhere."""


def moved_in_riichi(played: Played, seat: int, number: int) -> np.ndarray[Any, Any]:
    places, wall = unseen(played, seat), played.wall.copy()
    wall[places] = played.wall[np.random.default_rng(number).permutation(places)]
    return wall


def moved_in_sichuan(played: Played, seat: int, number: int) -> np.ndarray[Any, Any]:
    return Holdings(played, seat).moved(random.Random(number))


RIICHI = Kind(
    riichi_recorder,
    ("tenhou-sanma", "tenhou", "mahjong-soul-sanma", "m-league"),
    ("efficient", "random", "sl"),
    "east",
    _ENDS,
    moved_in_riichi,
)
SICHUAN = Kind(
    sichuan_recorder,
    ("sichuan", "sichuan-exchange", "sichuan-novikov"),
    ("efficient", "random", "heuristic"),
    "four",
    ("settlement",),
    moved_in_sichuan,
)


def game(kind: Kind, number: int, length: str = "hand", **more: Any) -> tuple[Played, int]:
    """Play a game at a table determined by a number; return it and the seat of the player."""
    rules = kind.rules[number % len(kind.rules)]
    players = 3 if "sanma" in rules else 4
    dice = random.Random(number)
    seat = dice.randrange(players)
    names = [name for name in kind.agents if name != "sl" or players == 3]
    agents = {who: agent(dice.choice(names)) for who in range(players) if who != seat}
    return play(Scenario(rules, length, seat, number, agents, answering(number), **more)), seat


def until_the_end(kind: Kind, played: Played) -> list[tuple[float, str]]:
    """Return the messages before hands are revealed."""
    for count, message in enumerate(played.parsed):
        if message["type"] == "happened" and message["events"][0]["type"] in kind.ends:
            return played.messages[:count]
    raise AssertionError("no hand was laid open")


def check_twins(kind: Kind, number: int) -> tuple[int, bool]:
    """Play a hand and its twin; return the number of moved tiles, and whether agents had other decisions."""
    first, seat = game(kind, number)
    wall = kind.moved(first, seat, number)
    second, _ = game(kind, number, wall=wall, script=first.events)
    assert until_the_end(kind, second) == until_the_end(kind, first), number
    assert second.views == first.views, number
    return int((wall != first.wall).sum()), first.asked != second.asked


@pytest.mark.parametrize(
    ("kind", "count", "least"),
    [
        pytest.param(RIICHI, 16, 20, id="riichi"),
        pytest.param(SICHUAN, 6, 10, id="sichuan"),
        pytest.param(RIICHI, 200, 20, id="riichi-200", marks=pytest.mark.long),
        pytest.param(SICHUAN, 18, 10, id="sichuan-18", marks=pytest.mark.long),
    ],
)
def test_messages_and_their_times_depend_only_on_visible_information(kind: Kind, count: int, least: int) -> None:
    twins = [check_twins(kind, number) for number in range(count)]
    assert sum(moved for moved, _ in twins) > count * least
    # In most of them other agents decide about tiles than before, which must not be visible.
    assert sum(asked for _, asked in twins) > count / 2


def check_open(table: ServedTable) -> None:
    """Check that the messages contain only open tiles of others, also after a reload."""
    seat = table.setup.seat
    assert seat is not None
    for event in table.screen.events[-1:]:
        if event["type"] in ("tsumo", "lay_aside"):
            assert (event["pai"] == HIDDEN) == (event["actor"] != seat)
            assert set(event) <= {"type", "actor", "pai", "left"}
        if event["type"] == "void":
            assert (event["suit"] == HIDDEN) == (event["actor"] != seat)
        if event["type"] == "start_kyoku":
            others = [hand for who, hand in enumerate(event["tehais"]) if who != seat]
            assert all(set(hand) == {HIDDEN} for hand in others)
    assert str(table.setup.seed) not in table.screen.messages[-1]
    welcome = table.welcome(0)
    assert welcome.events == table.screen.events
    assert str(table.setup.seed) not in welcome.model_dump_json()


@pytest.mark.parametrize(
    ("kind", "number"),
    mostly_long([*((RIICHI, number) for number in range(4)), (SICHUAN, 0)], lambda kind, number: number < 2),
)
def test_whole_games_show_only_open_tiles(kind: Kind, number: int) -> None:
    played, _ = game(kind, 10_000_019 + number, kind.length, watch=check_open)
    assert played.parsed[-1]["events"] == [played.events[-1]]
    assert sum(event["type"] == "end_kyoku" for event in played.events) >= 3
