"""Nobody learns at a Sichuan table what his seat may not know: the test of `test_hidden` for this game.

A hand is played, and then again on a wall in which tiles that the seat never saw lie elsewhere. What the others were
seen to do is done again. Every message, and the second at which it comes, must be the same until hands are laid open.
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
from tests.web.test_hidden import answering

RULES = ("sichuan", "sichuan-exchange", "sichuan-novikov")


def game(number: int, length: str = "hand", **more: Any) -> tuple[Played, int]:
    """Play a game at a table that depends on its number; return it and the seat of the player."""
    dice = random.Random(number)
    seat = dice.randrange(4)
    names = ["efficient", "random", "heuristic"]
    agents = {who: agent(dice.choice(names)) for who in range(4) if who != seat}
    return play(Scenario(RULES[number % 3], length, seat, number, agents, answering(number), **more)), seat


class Holdings:
    """Who holds which place of the wall, followed through a hand."""

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
        """Return a wall in which unseen tiles lie elsewhere; no one gets or loses a tile of his void suit by it."""
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


def until_the_end(played: Played) -> list[tuple[float, str]]:
    """The messages before hands are laid open."""
    for count, message in enumerate(played.parsed):
        if message["type"] == "happened" and message["events"][0]["type"] == "settlement":
            return played.messages[:count]
    raise AssertionError("no settlement")


def check_twins(number: int) -> tuple[int, bool]:
    """Play a hand and its twin; return how many tiles lay elsewhere, and whether agents were asked more or less."""
    first, seat = game(number)
    wall = Holdings(first, seat).moved(random.Random(number))
    second, _ = game(number, wall=wall, script=first.events)
    assert until_the_end(second) == until_the_end(first), number
    assert second.views == first.views, number
    return int((wall != first.wall).sum()), first.asked != second.asked


def test_what_a_seat_is_sent_and_when_depends_on_what_it_may_know_alone() -> None:
    twins = [check_twins(number) for number in range(18)]
    assert sum(moved for moved, _ in twins) > 18 * 10
    # In most of them other agents were asked about tiles than before, and nobody could see it.
    assert sum(asked for _, asked in twins) > 9


def check_open(table: GameTable) -> None:
    """What is shown names no tile of others but those that lie open; a reload tells nothing more."""
    seat = table.setup.seat
    for event in table.screen.events[-1:]:
        if event["type"] in ("tsumo", "lay_aside"):
            assert (event["pai"] == HIDDEN) == (event["actor"] != seat)
        if event["type"] == "void":
            assert (event["suit"] == HIDDEN) == (event["actor"] != seat)
        if event["type"] == "start_kyoku":
            others = [hand for who, hand in enumerate(event["tehais"]) if who != seat]
            assert all(set(hand) == {HIDDEN} for hand in others)
    assert str(table.setup.seed) not in table.screen.messages[-1]
    welcome = table.welcome(0)
    assert welcome.events == table.screen.events
    assert str(table.setup.seed) not in welcome.model_dump_json()


@pytest.mark.parametrize("number", range(1))
def test_whole_games_show_no_tile_that_does_not_lie_open(number: int) -> None:
    played, _ = game(10_000_019 + number, "four", watch=check_open)
    assert played.parsed[-1]["events"] == [played.events[-1]]
    assert sum(event["type"] == "end_kyoku" for event in played.events) == 4


def test_the_test_would_see_a_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    leaky = dataclasses.replace(WEB_GAMES["sichuan"], seen_by=lambda event, seat: event)
    monkeypatch.setitem(WEB_GAMES, "sichuan", leaky)
    with pytest.raises(AssertionError):
        check_twins(0)
