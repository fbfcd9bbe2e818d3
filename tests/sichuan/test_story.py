"""Events of Sichuan tables in progress (``tests/vectors/sichuan-story.json``), and what each seat is told of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from janshi.records.story import seen_by
from janshi.sichuan.records.live import SichuanStory
from tests.claims import Row, claims
from tests.sichuan.tables import SICHUAN_WORDS, laid, play_out, table

Events = list[dict[str, Any]]


class EventFields:
    """A table's story, and the events since it was last asked for them."""

    def __init__(self, row: Row) -> None:
        self.table = laid(row)
        self.story = SichuanStory(self.table.record, self.table.rules, ["a", "b", "c", "d"])
        self.events: Events = []

    def tell(self) -> Events:
        self.events = self.story.update()
        return self.events

    def part(self, of: str) -> Events:
        """Return the events of a slice ``1:3``, a number, or of some types ``pay,win``."""
        if ":" in of:
            return self.events[slice(*(int(end) if end else None for end in of.split(":")))]
        return [event for at, event in enumerate(self.events) if of == str(at) or event["type"] in of.split(",")]

    def fields(self, of: str) -> Any:
        """Return some fields of events: the first word selects them."""
        part, *names = of.split()
        rows = [[event[name] for name in names] for event in self.part(part)]
        return rows[0] if part.isdigit() else rows


@pytest.mark.parametrize("row", claims("sichuan-story"))
def test_events(row: Row) -> None:
    told = EventFields(row)
    if "play" not in row:
        told.tell()
    facts: dict[str, Callable[[str], Any]] = {
        "told": told.part,
        "told_fields": told.fields,
        "only": told.part,
        "actors": lambda of: [event.get("actor") for event in told.part(of)],
        "types": lambda of: " ".join(event["type"] for event in told.part(of)),
        "hands": lambda of: " ".join(told.events[int(of[0])]["tehais"][int(of[2])]),
        "sizes": lambda of: [len(hand) for hand in told.events[int(of)]["tehais"]],
        "settled": lambda of: " ".join(told.part("settlement")[0]["hands"][int(of)]),
    }
    words = dataclasses.replace(
        SICHUAN_WORDS,
        table=lambda row: told.table,
        moves={**SICHUAN_WORDS.moves, **dict.fromkeys(("follow", "tell"), lambda made, _: told.tell())},
        facts={name: lambda made, of, fact=fact: fact(of) for name, fact in facts.items()},
    )
    words.check(row)


def test_hands_are_dealt_from_the_dealer_on() -> None:
    made = play_out(table(["3s", "123456789m1299s", "", ""], "spmm", hands=2))
    made.record["wins"][0]["seat"], made.record["winners"] = 1, 1  # who has won first deals next
    made.record["wins"][0]["slot"] = -1
    made.next_hand()
    events = SichuanStory(made.record, made.rules, ["a", "b", "c", "d"]).update()
    begun = next(event for event in events if event["type"] == "start_kyoku")
    assert (begun["number"], begun["oya"]) == (1, 1)
    assert [len(hand) for hand in begun["tehais"]] == [13, 14, 13, 13]
    held = [int(hand["counts"].sum()) for hand in made.record["hands"]]
    assert held == [13, 14, 13, 13]


HIDDEN = [
    ({"type": "tsumo", "actor": 1, "pai": "3m", "left": 9}, 1, {"pai": "?"}),
    ({"type": "lay_aside", "actor": 1, "pai": "3m"}, 1, {"pai": "?"}),
    ({"type": "void", "actor": 1, "suit": "m", "pai": "3m"}, 1, {"suit": "?", "pai": "?"}),
]


@pytest.mark.parametrize(("event", "actor", "hidden"), HIDDEN, ids=[event["type"] for event, _, _ in HIDDEN])
def test_only_the_actor_is_told_of_its_tile(event: dict[str, Any], actor: int, hidden: dict[str, str]) -> None:
    for seat in range(4):
        assert seen_by(event, seat) == (event if seat == actor else {**event, **hidden})


def test_giver_and_receiver_are_told_of_the_tiles_exchanged() -> None:
    event = {"type": "exchange", "actor": 1, "target": 3, "tiles": ["1m", "2m", "3m"]}
    for seat, known in enumerate((False, True, False, True)):
        assert seen_by(event, seat) == (event if known else {**event, "tiles": ["?"] * 3})


def test_a_seat_is_told_of_its_own_hand_and_number() -> None:
    event = {"type": "start_kyoku", "tehais": [["1m"], ["2m"], ["3m"], ["4m", "5m"]]}
    assert seen_by(event, 1)["tehais"] == [["?"], ["2m"], ["?"], ["?", "?"]]
    assert seen_by({"type": "start_game"}, 2) == {"type": "start_game", "id": 2}


def test_open_events_are_told_to_all_and_unknown_ones_refused() -> None:
    for kind in ("dahai", "pon", "daiminkan", "ankan", "kakan", "win", "pay", "settlement", "end_kyoku", "end_game"):
        event = {"type": kind, "actor": 0, "pai": "1m"}
        assert seen_by(event, 3) == event
    with pytest.raises(ValueError, match="an event 'unheard' is not known"):
        seen_by({"type": "unheard"}, 0)
