"""Hands, waits and whole games of an independent program: equal under the preset of its rule book."""

from __future__ import annotations

import dataclasses
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

from janshi.sichuan.hands.score import hand_record, value_hands, value_waits
from janshi.sichuan.rules import SICHUAN_NOVIKOV, GoldenWait, Rules
from janshi.sichuan.state import Fan, Ready
from tests.sichuan import oracle
from tests.sichuan.oracle import Player, kind, kinds

pytestmark = pytest.mark.skipif(not oracle.has_data(), reason=oracle.MISSING)

CAP3 = dataclasses.replace(SICHUAN_NOVIKOV, name="cap3", cap=3)
CAP4 = SICHUAN_NOVIKOV
# Without a cap heaven and earth have no value there: the fan of the hand alone is compared, as the data give it.
UNCAPPED = dataclasses.replace(
    SICHUAN_NOVIKOV, name="uncapped", cap=None, heaven_is_cap=False, heaven=0, earth=0, flower_pig=False
)
CAPS = {"cap3": CAP3, "cap4": CAP4, "uncapped": UNCAPPED}
FANS = {
    "Kong": Fan.KONG,
    "Root": Fan.ROOT,
    "AllPungs": Fan.ALL_PUNGS,
    "GoldenWait": Fan.GOLDEN_WAIT,
    "FullFlush": Fan.FULL_FLUSH,
    "SevenPairs": Fan.SEVEN_PAIRS,
    "WinAfterKong": Fan.AFTER_KONG,
    "ShootAfterKong": Fan.KONG_DISCARD,
    "RobbingTheKong": Fan.ROBBING,
    "UnderTheSea": Fan.LAST_TILE,
}
CIRCUMSTANCES = {
    "after_kong": Fan.AFTER_KONG,
    "on_kong_discard": Fan.KONG_DISCARD,
    "robbing": Fan.ROBBING,
    "last_tile": Fan.LAST_TILE,
    "heaven": Fan.HEAVEN,
    "earth": Fan.EARTH,
}


@lru_cache(maxsize=1)
def hands() -> dict[str, Any]:
    return oracle.hands()


@lru_cache(maxsize=1)
def games() -> list[dict[str, Any]]:
    return oracle.games()


def melds(hand: dict[str, Any]) -> dict[str, list[str]]:
    """Return the pungs and kongs in the form of our hand tools."""
    names: dict[str, list[str]] = {"pungs": [], "kongs": []}
    for text in hand["melds"]:
        form, tile, *_ = text.split()
        names[f"{form}s"].append(tile[0] * (3 if form == "pung" else 4) + tile[1])
    return names


def records(many: list[dict[str, Any]]) -> np.ndarray:
    """Return all hands as records."""
    rows = []
    for hand in many:
        record = hand_record(hand["hand"], void=hand["void"], **melds(hand))
        if "win" in hand:
            record["kind"] = kind(hand["win"])
            record["circumstances"] = sum(1 << CIRCUMSTANCES[name] for name in hand["circ"])
        rows.append(record)
    return np.concatenate(rows)


def fans_of(value: Any) -> dict[str, int]:
    """Return our fans by their names in the other program, where heaven and earth are circumstances."""
    return {name: int(value["times"][fan]) for name, fan in FANS.items() if value["times"][fan]}


def test_every_hand_has_the_same_fans() -> None:
    many = hands()["hands"]
    values = value_hands(records(many), UNCAPPED)
    for hand, value in zip(many, values, strict=True):
        assert fans_of(value) == hand["fans"], hand
        total = hand["structural_total"] if hand["total"] is None else hand["total"]
        assert int(value["fan"]) == total, hand


@pytest.mark.parametrize("name", list(CAPS))
def test_every_hand_has_the_same_value(name: str) -> None:
    many = [hand for hand in hands()["hands"] if hand["value"][name] is not None]
    assert len(many) >= 3000
    values = value_hands(records(many), CAPS[name])
    assert values["points"].tolist() == [hand["value"][name] for hand in many]


def test_impossible_hands_include_the_fan_that_the_other_program_drops() -> None:
    # Its table of fans that exclude each other drops one; no deal can show these hands.
    many = hands()["unreachable"]
    values = value_hands(records(many), UNCAPPED)
    assert values["fan"].tolist() == [hand["total_if_added"] for hand in many]
    for name, rules in CAPS.items():
        points = value_hands(records(many), rules)["points"].tolist()
        assert points == [hand["value_if_added"][name] for hand in many]


def test_every_wait_is_the_same_and_worth_the_same() -> None:
    many = hands()["waits"]
    for name, rules in CAPS.items():
        points = value_waits(records(many), rules)
        for hand, row in zip(many, points, strict=True):
            assert {int(tile) for tile in np.flatnonzero(row)} == {kind(tile) for tile in hand["waits"]}, hand
            assert int(row.max()) == hand["best"][name], hand
            for tile, wait in hand["waits"].items():
                limit = rules.cap if rules.cap is not None else 99
                assert int(row[kind(tile)]) == 2 ** min(wait["total"], limit), hand


def spec_rules(rules: Rules) -> Rules:
    """Return rules with the fan of the preset `sichuan`, for the data of a literal reading of the usual rules."""
    return dataclasses.replace(
        rules, golden_wait_form=GoldenWait.FOUR_MELDS, kong_discard_and_last=True, heaven=5, earth=5
    )


def test_a_literal_reading_of_the_usual_rules_gives_its_totals_too() -> None:
    many = hands()["hands"]
    values = value_hands(records(many), spec_rules(UNCAPPED))
    assert values["fan"].tolist() == [hand["spec_total"] for hand in many]


def compare(game: dict[str, Any]) -> None:
    """Play a game and compare everything."""
    player = Player(game)
    player.play()
    assert player.our_payments() == player.their_payments(), game["id"]
    assert player.table.scores == game["scores"], game["id"]
    state = player.table.state
    wins = [event for event in game["events"] if event["e"] == "win"]
    assert len(wins) == int(state.winners)
    for number, event in enumerate(wins):
        value = state.wins[number].value
        circumstances = {name for name, fan in CIRCUMSTANCES.items() if value.times[fan]}
        # On a kong's discard that is the last tile only the last tile counts.
        left_out = {"on_kong_discard"} if {"on_kong_discard", "last_tile"} <= set(event["circ"]) else set()
        assert circumstances == set(event["circ"]) - left_out, event
        if event["total"] is not None:
            assert fans_of(value) == event["fans"], event
            assert int(value.fan) == event["total"], event
        assert int(value.points) == event["value"], event
    for seat in game["events"][-1]["players"]:
        if not seat["won"]:
            ready = int(state.seats[seat["seat"]].ready) == Ready.READY
            waits = int(state.hands[seat["seat"]].waits)
            assert ready == seat["ready"], (game["id"], seat)
            assert [tile for tile in range(27) if waits >> tile & 1] == [kind(tile) for tile in seat["waits"]]
            held = np.repeat(np.arange(27), state.hands[seat["seat"]].counts)
            laid = int(state.hands[seat["seat"]].laid)
            assert sorted([*held.tolist(), laid] if laid >= 0 else held.tolist()) == kinds(seat["hand"])


def test_every_game_is_the_same_in_every_legal_action_and_payment() -> None:
    assert len(games()) >= 300
    for game in games():
        compare(game)
