"""A seat's view reconstructed from events equals the engine's, byte for byte."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from janshi.agents import RandomAgent
from janshi.agents.protocol import decide
from janshi.mjai.events import MjaiError, tile_named
from janshi.mjai.table import KnownTable
from janshi.riichi.agents import EfficientAgent
from janshi.riichi.records.live import Story, seen_by
from janshi.riichi.rules import preset
from janshi.table import Tables
from tests.cases import few_or_many
from tests.claims import cases_of
from tests.records.made_games import play

HAND = ["1m", "1m", "1m", "2p", "3p", "4p", "6p", "7p", "8p", "2s", "3s", "E", "S"]
DEAL = {
    **{"type": "start_kyoku", "bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 3, "scores": [25000] * 4},
    **{"dora_marker": "9s", "tehais": [HAND, ["?"] * 13, ["?"] * 13, ["?"] * 13]},
}
AGENTS = {"random": RandomAgent(), "efficient": EfficientAgent()}
NAMES = ["a", "b", "c", "d"]
RULES = ["tenhou-sanma", "tenhou", "tenhou-nored-east", "mahjong-soul-sanma", "mahjong-soul", "ema", "m-league"]


def compare_game(rules: str, seed: int, player: str) -> int:
    """Play a game and compare the reconstruction with the engine at every decision. Return their number."""
    tables = Tables(rules, 1, seed, auto_reset=False)
    decides = AGENTS[player]
    players = tables.rules.players
    story = Story(tables.states[0], tables.rules, NAMES[:players])
    known = [KnownTable() for _ in range(players)]
    decisions = 0

    def pass_on() -> None:
        for event in story.update():
            for seat, table in enumerate(known):
                table.hear(seen_by(event, seat))

    pass_on()
    while True:
        while (actor := int(tables.actors[0])) >= 0:
            batch = tables.decisions()
            if batch.game.by_rule(batch.rules, batch.views) is None:  # mjai asks nobody to show a hand
                assert known[actor].asked
                ours = known[actor].decision()
                assert np.array_equal(ours.legal, batch.legal)
                assert ours.seats.tolist() == batch.seats.tolist()
                assert np.asarray(ours.views).tobytes() == np.asarray(batch.views).tobytes()
                assert np.asarray(ours.events).tobytes() == np.asarray(batch.events).tobytes()
            tables.step(decide(decides, batch))
            decisions += 1
            pass_on()
        if story.events[-1]["type"] == "end_game":
            return decisions
        tables.next_hand([0])
        pass_on()


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("player", ["random", "efficient"])
@few_or_many("seeds", range(1), range(1000, 1060))
def test_views_and_legal_actions_are_the_engines(rules: str, player: str, seeds: range) -> None:
    assert sum(compare_game(rules, seed, player) for seed in seeds) > 100 * len(seeds)


# ---------------------------------------------------------------------------------------------------------
# Variations between servers


def heard(rules: str = "tenhou", seed: int = 3, seat: int = 0) -> list[dict[str, Any]]:
    """Return a game of efficient players as events of one seat."""
    return [seen_by(event, seat) for event in play(rules, seed).events]


def decisions(events: list[dict[str, Any]], rules: str | None = None) -> list[bytes]:
    """Return the views of a table at its seat's decisions."""
    table = KnownTable(None if rules is None else preset(rules))
    shown = []
    for event in events:
        table.hear(event)
        if event["type"] not in ("dora", "reach_accepted", "chat") and table.asked:
            shown.append(np.asarray(table.view()).tobytes())
    return shown


def changed(events: list[dict[str, Any]], change: Any) -> list[dict[str, Any]]:
    after: list[dict[str, Any]] = []
    for event in events:
        after += change(dict(event)) or []
    return after


@pytest.mark.parametrize(
    "change",
    [
        lambda event: [{**event, "meta": {"q": 1}}, {"type": "chat", "text": "hi"}],
        lambda event: [{**event, "type": event["type"].replace("nukidora", "kita")}],
        lambda event: [] if event["type"] == "reach_accepted" else [event],
        lambda event: [{name: value for name, value in event.items() if name != "rules"}],
        lambda event: [{name: value for name, value in event.items() if name != "oya"}],
        lambda event: [
            {name: value for name, value in event.items() if name != "scores" or event["type"] == "end_game"}
        ],
    ],
    ids=["unknown fields and events", "kita", "no reach_accepted", "no rules", "no oya", "no scores"],
)
@pytest.mark.parametrize("rules", ["tenhou", "tenhou-sanma"])
def test_missing_and_additional_fields_change_nothing(rules: str, change: Any) -> None:
    events = heard(rules)
    assert decisions(changed(events, change)) == decisions(events)


def test_an_absent_fourth_seat_is_ignored() -> None:
    events = heard("tenhou-sanma")

    def fourth(event: dict[str, Any]) -> list[dict[str, Any]]:
        if event["type"] == "start_kyoku":
            event["tehais"] = [*event["tehais"], ["?"] * 13]
            event["scores"] = [*event["scores"], 0]
        elif event["type"] == "start_game":
            event.pop("janshi")
        elif "deltas" in event:
            event["deltas"] = [*event["deltas"], 0]
        return [event]

    assert decisions(changed(events, fourth)) == decisions(events)


def test_indicators_may_come_after_the_discard() -> None:
    """Some servers send the indicator of an open kan after the discard; it is visible from then on."""
    table = KnownTable()
    for event in (
        {"type": "start_game", "id": 0},
        DEAL,
        {"type": "tsumo", "actor": 3, "pai": "?"},
        {"type": "dahai", "actor": 3, "pai": "1m", "tsumogiri": True},
        {"type": "daiminkan", "actor": 0, "target": 3, "pai": "1m", "consumed": ["1m"] * 3},
        {"type": "tsumo", "actor": 0, "pai": "C"},
        {"type": "dahai", "actor": 0, "pai": "C", "tsumogiri": True},
        {"type": "dora", "dora_marker": "5pr"},
        {"type": "tsumo", "actor": 1, "pai": "?"},
        {"type": "dahai", "actor": 1, "pai": "4s", "tsumogiri": False},
    ):
        table.hear(event)
    view: Any = np.asarray(table.view())[0]
    assert (int(view["shown"]), view["indicators"].tolist()) == (2, [26, 35, -1, -1, -1])
    assert int(view["left"]) == 70 - 3


@pytest.mark.parametrize(*cases_of("messages", "contradictions"))
def test_contradictions_are_reported_and_the_next_hand_followed(number: int, event: dict[str, Any], says: str) -> None:
    events = heard()
    table = KnownTable()
    for other in events[:number]:
        table.hear(other)
    with pytest.raises(MjaiError, match=says):
        table.hear(event)
    assert not table.asked
    for other in events[number + 1 :]:
        table.hear(other)
        if other["type"] == "start_kyoku" and table.seat >= 0:
            assert table.playing


def test_a_tile_that_is_not_held_is_noticed() -> None:
    events = heard()
    own = next(event for event in events if event["type"] == "start_kyoku")["tehais"][0]
    missing = next(name for name in ("1m", "9m", "1p", "9p", "E", "S", "W") if name not in own)
    number = next(at for at, event in enumerate(events) if event["type"] == "dahai" and event["actor"] == 0)
    table = KnownTable()
    for event in events[:number]:
        table.hear(event)
    if events[number - 1]["pai"] == missing:
        pytest.skip("it was drawn")
    with pytest.raises(MjaiError, match="which is not in the own hand"):
        table.hear({"type": "dahai", "actor": 0, "pai": missing, "tsumogiri": False})


@pytest.mark.parametrize(("name", "tile"), [("5mr", 34), ("0p", 35), ("E", 27), ("7z", 33), ("9s", 26)])
def test_tiles_are_read_in_both_notations(name: str, tile: int) -> None:
    assert tile_named(name) == tile


def test_a_player_who_joins_late_plays_from_the_next_deal_on() -> None:
    events = heard()
    starts = [at for at, event in enumerate(events) if event["type"] == "start_kyoku"]
    table = KnownTable()
    for event in [events[0], *events[5 : starts[1]]]:
        table.hear(event)
        assert not table.asked
    for event in events[starts[1] :]:
        table.hear(event)
        if event["type"] == "tsumo" and event["actor"] == 0:
            assert table.asked
            return
    pytest.fail("no draw of ours")


@cache
def beginning(rules: str) -> list[dict[str, Any]]:
    """Return the first events of a game."""
    return heard(rules)[:300]


@st.composite
def spoilt(draw: st.DrawFn) -> tuple[int, str, Any]:
    """Return a game with a changed field of one event."""
    names = ["type", "actor", "target", "pai", "consumed", "tehais", "scores", "dora_marker", "kyoku", "oya", "honba"]
    tiles = st.sampled_from(["1m", "5mr", "E", "?", "2m", "9s", "", "10m"])
    value = st.one_of(
        *(tiles, st.none(), st.booleans(), st.integers(-3, 5), st.integers(), st.floats(), st.text(max_size=3)),
        *(st.lists(tiles, max_size=5), st.lists(st.lists(tiles, min_size=13, max_size=13), max_size=5)),
        st.sampled_from(["tsumo", "dahai", "pon", "chi", "kakan", "ankan", "reach", "hora", "kita", "start_kyoku"]),
    )
    return draw(st.integers(0, 300)), draw(st.sampled_from(names)), draw(value)


@settings(max_examples=30, deadline=None)
@given(st.lists(spoilt(), min_size=1, max_size=4), st.sampled_from(["tenhou", "tenhou-sanma"]))
def test_damaged_events_are_refused_without_other_effects(spoils: list[tuple[int, str, Any]], rules: str) -> None:
    events = [dict(event) for event in beginning(rules)]
    for number, name, value in spoils:
        events[number % len(events)][name] = value
    table = KnownTable()
    for event in events:
        try:
            table.hear(event)
        except MjaiError:
            assert not table.asked
        if table.asked:
            assert table.legal().any()
            assert int(np.asarray(table.view())[0]["hand"]["counts"].sum()) <= 14
