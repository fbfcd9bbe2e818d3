"""Events of Sichuan tables in progress, and what each seat is told of them."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from janshi.sichuan.actions import Action
from janshi.sichuan.records.live import SichuanStory, sichuan_seen_by
from janshi.sichuan.rules import SICHUAN, Exchange
from janshi.table import Table
from tests.sichuan.tables import KONG, PASS, PUNG, WIN, discard, kong_to_rob, play_out, table, tile, wall

ALL_SUITS = "1469m258p1368s147p"


def story_of(made: Table) -> SichuanStory:
    return SichuanStory(made.record, made.rules, ["a", "b", "c", "d"])


def follow(made: Table) -> SichuanStory:
    """A story whose events so far are read."""
    story = story_of(made)
    story.update()
    return story


def only(events: list[dict[str, Any]], *kinds: str) -> list[dict[str, Any]]:
    return [event for event in events if event["type"] in kinds]


def test_a_game_begins_with_names_rules_and_the_hands_dealt() -> None:
    first, second, *rest = story_of(Table("sichuan", wall=wall([ALL_SUITS, "", "", ""], "mpsp"))).update()
    assert first == {"type": "start_game", "names": ["a", "b", "c", "d"], "rules": "sichuan", "game": "sichuan"}
    assert {name: second[name] for name in ("type", "number", "oya", "left")} == {
        **{"type": "start_kyoku", "number": 0, "oya": 0, "left": 55}
    }
    assert second["scores"] == [0] * 4
    assert second["tehais"][0] == ["1m", "4m", "6m", "9m", "1p", "2p", "4p", "5p", "7p", "8p", "1s", "3s", "6s", "8s"]
    assert [len(hand) for hand in second["tehais"]] == [14, 13, 13, 13]
    assert rest == []


def test_hands_are_dealt_from_the_dealer_on() -> None:
    made = play_out(table(["3s", "123456789m1299s", "", ""], "spmm", hands=2))
    made.record["wins"][0]["seat"], made.record["winners"] = 1, 1  # who has won first deals next
    made.record["wins"][0]["slot"] = -1
    made.next_hand()
    begun = only(story_of(made).update(), "start_kyoku")[0]
    assert (begun["number"], begun["oya"]) == (1, 1)
    assert [len(hand) for hand in begun["tehais"]] == [13, 14, 13, 13]
    held = [int(hand["counts"].sum()) for hand in made.record["hands"]]
    assert held == [13, 14, 13, 13]


def test_voids_are_shown_when_all_are_named() -> None:
    made = Table("sichuan", wall=wall([ALL_SUITS, "", "", ""], "mpsp"))
    story = follow(made)
    for suit in (0, 1, 2):
        made.act(Action.VOID + suit)
        assert story.update() == [{"type": "void", "actor": suit, "suit": "mps"[suit], "pai": None}]
    made.act(Action.VOID + 1)
    shown = [{"type": "void_shown", "actor": seat, "suit": suit} for seat, suit in enumerate("mpsp")]
    assert story.update()[:5] == [{"type": "void", "actor": 3, "suit": "p", "pai": None}, *shown]


def test_a_suit_laid_face_down_is_shown_with_its_discard() -> None:
    made = Table("sichuan-novikov", wall=wall([ALL_SUITS, "", "", ""], "mpsp"))
    story = follow(made)
    for suit in (0, 1, 2, 1):
        made.act(next(action for action in made.legal if action // 9 == suit))
    events = story.update()
    assert events[0] == {"type": "void", "actor": 0, "suit": "m", "pai": "1m"}
    assert only(events, "dahai", "void_shown")[:2] == [
        {"type": "dahai", "actor": 0, "pai": "1m", "tsumogiri": False, "laid": True},
        {"type": "void_shown", "actor": 0, "suit": "m"},
    ]
    play_out(made)
    assert [event["actor"] for event in only(story.update(), "void_shown")] == [1, 2, 3]


def test_tiles_are_laid_aside_and_exchanged() -> None:
    hands = [ALL_SUITS, "147m2p", "258m3p", "369m8p"]
    made = Table(dataclasses.replace(SICHUAN, exchange=Exchange.NEXT), wall=wall(hands, "mpsp"))
    story = follow(made)
    made.act(tile("1m"))
    assert story.update() == [{"type": "lay_aside", "actor": 0, "pai": "1m"}]
    while int(made.state.phase) == 0:
        made.act(min(made.legal))
    events = story.update()
    aside = [(event["actor"], event["pai"]) for event in only(events, "lay_aside")]
    assert aside[:3] == [(0, "4m"), (0, "6m"), (1, "1m")]
    assert len(aside) == 11
    assert only(events, "exchange") == [
        {"type": "exchange", "actor": 0, "target": 1, "tiles": ["1m", "4m", "6m"]},
        {"type": "exchange", "actor": 1, "target": 2, "tiles": ["1m", "4m", "7m"]},
        {"type": "exchange", "actor": 2, "target": 3, "tiles": ["2m", "5m", "8m"]},
        {"type": "exchange", "actor": 3, "target": 0, "tiles": ["3m", "6m", "9m"]},
    ]


def test_kongs_pungs_and_their_payments() -> None:
    made = table(["9m2222s55678p1139s", "5p444s", "999s333m", "7p"], "mpps", last="9p4s")
    story = follow(made)
    made.act(Action.OWN_KONG + tile("2s"))
    assert story.update()[:4] == [
        {"type": "ankan", "actor": 0, "consumed": ["2s"] * 4},
        {"type": "pay", "reason": "kong", "payments": [[1, 0, 2], [2, 0, 2], [3, 0, 2]]},
        {"type": "tsumo", "actor": 0, "pai": "4s", "left": 54},
        {"type": "dahai", "actor": 0, "pai": "9m", "tsumogiri": False, "laid": False},
    ]
    discard(made, "5p")
    made.act(PUNG)
    assert story.update()[1] == {"type": "pon", "actor": 0, "pai": "5p", "target": 1, "consumed": ["5p"] * 2}
    discard(made, "9s")
    made.act(KONG)
    assert story.update()[1:] == [
        {"type": "daiminkan", "actor": 2, "pai": "9s", "target": 0, "consumed": ["9s"] * 3},
        {"type": "pay", "reason": "kong", "payments": [[0, 2, 2]]},
        {"type": "tsumo", "actor": 2, "pai": "9p", "left": 52},
    ]


def robbed() -> tuple[Table, SichuanStory]:
    """Seat 1 has robbed the kong that seat 2 has added."""
    made = kong_to_rob()
    story = follow(made)
    made.act(Action.OWN_KONG + tile("3s"))
    made.act(WIN)
    return made, story


def test_a_robbed_kong() -> None:
    _, story = robbed()
    assert story.update()[:3] == [
        {"type": "kakan", "actor": 2, "pai": "3s", "consumed": ["3s"] * 3},
        {
            **{"type": "win", "actor": 1, "target": 2, "pai": "3s", "place": 1},
            **{"fans": [["robbing", 1]], "fan": 1, "points": 2, "robbed": True},
        },
        {"type": "pay", "reason": "win", "payments": [[2, 1, 2]]},
    ]


def test_the_second_winner_has_the_second_place() -> None:
    made = table(["3s", "123456789m1299s", "123456789p1299s", ""], "spmm")
    story = follow(made)
    discard(made, "3s")
    made.act(WIN)
    made.act(WIN)
    won = only(story.update(), "win")
    assert [(event["actor"], event["target"], event["place"], event["fans"]) for event in won] == [
        (1, 0, 1, []),
        (2, 0, 2, []),
    ]


def test_a_self_drawn_win_has_its_winner_as_target_and_its_fans_by_value() -> None:
    made = table(["", "123456789m1299s", "", ""], "spmm", draws="3s")
    made.act(made.legal[-1])
    story = follow(made)
    made.act(WIN)
    won, paid = story.update()[:2]
    assert (won["actor"], won["target"], won["fans"], won["robbed"]) == (1, 1, [["earth", 5]], False)
    assert paid["payments"] == [[2, 1, 17], [3, 1, 17], [0, 1, 17]]


def test_a_hand_ends_with_one_settlement() -> None:
    made = table(["8s", "123456789m1299s", "123456789p1299s", ""], "spms")
    story = follow(made)
    made.record["left"], made.record["called"] = 0, 1
    made.act(made.legal[0])
    while not made.hand_over:
        made.act(PASS)
    events = story.update()
    end = [event["type"] for event in events[1:]]
    assert end == ["settlement", "pay", "pay", "end_kyoku", "end_game"]
    settled = events[1]
    assert (settled["reason"], settled["ready"]) == ("wall_empty", [False, True, True, False])
    assert settled["pigs"] == [True, False, False, True]
    assert settled["hands"][1] == ["1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m", "1s", "2s", "9s", "9s"]
    assert [event["reason"] for event in events[2:4]] == ["pig", "ready"]
    assert events[3]["payments"] == [[3, 1, 1], [0, 1, 1], [3, 2, 1], [0, 2, 1]]
    scores = made.scores
    assert events[-1] == {"type": "end_game", "scores": scores, "points": [float(points) for points in scores]}


def test_a_hand_without_payments_has_a_settlement_too() -> None:
    made = table(["8s", "", "", ""], "spms", flower_pig=False, ready_check=False, kong_refund=False)
    story = follow(made)
    made.record["left"] = 0
    made.act(made.legal[0])
    while not made.hand_over:
        made.act(PASS)
    assert [event["type"] for event in story.update()[1:]] == ["settlement", "end_kyoku", "end_game"]


def test_tiles_face_down_are_part_of_the_hands_of_the_settlement() -> None:
    made = table(["8s", "123456789m1299s", "", ""], "spms")
    made.record["hands"]["laid"][1] = tile("1m")
    story = follow(made)
    made.record["left"] = 0
    made.act(made.legal[0])
    while not made.hand_over:
        made.act(PASS)
    assert only(story.update(), "settlement")[0]["hands"][1][:3] == ["1m", "1m", "2m"]


def test_a_game_of_two_hands_ends_once() -> None:
    made = play_out(table(["", "", "", ""], "smpm", hands=2))
    story = story_of(made)
    assert only(story.update(), "end_game") == []
    made.next_hand()
    play_out(made)
    types = [event["type"] for event in story.update()]
    assert types.count("end_game") == 1
    assert types[-2:] == ["end_kyoku", "end_game"]


HIDDEN = [
    ({"type": "tsumo", "actor": 1, "pai": "3m", "left": 9}, 1, {"pai": "?"}),
    ({"type": "lay_aside", "actor": 1, "pai": "3m"}, 1, {"pai": "?"}),
    ({"type": "void", "actor": 1, "suit": "m", "pai": "3m"}, 1, {"suit": "?", "pai": "?"}),
]


@pytest.mark.parametrize(("event", "actor", "hidden"), HIDDEN, ids=[event["type"] for event, _, _ in HIDDEN])
def test_only_the_actor_is_told_of_its_tile(event: dict[str, Any], actor: int, hidden: dict[str, str]) -> None:
    for seat in range(4):
        assert sichuan_seen_by(event, seat) == (event if seat == actor else {**event, **hidden})


def test_giver_and_receiver_are_told_of_the_tiles_exchanged() -> None:
    event = {"type": "exchange", "actor": 1, "target": 3, "tiles": ["1m", "2m", "3m"]}
    for seat, known in enumerate((False, True, False, True)):
        assert sichuan_seen_by(event, seat) == (event if known else {**event, "tiles": ["?"] * 3})


def test_a_seat_is_told_of_its_own_hand_and_number() -> None:
    event = {"type": "start_kyoku", "tehais": [["1m"], ["2m"], ["3m"], ["4m", "5m"]]}
    assert sichuan_seen_by(event, 1)["tehais"] == [["?"], ["2m"], ["?"], ["?", "?"]]
    assert sichuan_seen_by({"type": "start_game"}, 2) == {"type": "start_game", "id": 2}


def test_open_events_are_told_to_all_and_unknown_ones_refused() -> None:
    for kind in ("dahai", "pon", "daiminkan", "ankan", "kakan", "win", "pay", "settlement", "end_kyoku", "end_game"):
        event = {"type": kind, "actor": 0, "pai": "1m"}
        assert sichuan_seen_by(event, 3) == event
    with pytest.raises(ValueError, match="unknown event 'dora'"):
        sichuan_seen_by({"type": "dora"}, 0)
