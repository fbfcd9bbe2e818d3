"""Rows of records: the sets of Tenhou's codes, what cannot be, and the order of events that stand seat by seat."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest
from tests.claims import cases_of

from janshi.compiling import zeros
from janshi.records.formats import RecordError
from janshi.riichi.records.builder import HandBuilder, Start
from janshi.riichi.records.building import SET, Building, DrawnTile, RowFault, Turned, add_rows, begin_building
from janshi.riichi.records.mjlog import decode_meld
from janshi.riichi.records.model import COLUMNS, meld_row, row_of
from janshi.riichi.records.ordering import NO_ORDER, PATIENCE, Ordering, order_rows
from janshi.riichi.state import Ending, Event
from janshi.tiles import parse_tiles

#: Hands of four seats: seat 0 deals.
DEAL: Final = ("123456789m1234p", "111222333s1155p", "44455566677s12z", "66677788p34455z")


def hand_of_four() -> HandBuilder:
    deal = [parse_tiles(tiles)[:13] for tiles in DEAL]
    return HandBuilder((1, 1, 1), deal, parse_tiles("9p")[0], Start(0, 0, 0, 0, [25_000] * 4))


def tile(text: str) -> int:
    return parse_tiles(text)[0]


def test_a_code_of_a_set_is_read_as_python_reads_it() -> None:
    for code in range(1 << 16):
        built: Any = zeros(Building, 1)
        built["players"], built["exact"] = 4, 1
        deal = np.arange(52, dtype=np.int16).reshape(4, 13)
        if code == 0:
            assert begin_building(built, deal, 135) == 0
        row = np.array([row_of(SET, 1, code & 255, code >> 8)], np.int16)
        add_rows(built, row)
        try:
            expected = meld_row(decode_meld(code), 1)
        except RecordError:
            assert built["fault"].item() == RowFault.NO_CODE
            continue
        assert row[0, :4].tolist() == list(expected[:4])
        assert sorted(row[0, 4:].tolist()) == sorted(expected[4:])


@pytest.mark.parametrize(*cases_of("messages", "impossible rows of records"))
def test_an_impossible_row_is_refused_in_words(message: str, rows: list[list[Any]]) -> None:
    """The first value is an event, other texts are tiles."""
    hand = hand_of_four()
    numbers = [[Event.__members__.get(event, event), *(tile(one) if isinstance(one, str) else one for one in values)]
               for event, *values in rows]
    with pytest.raises(RecordError) as caught:
        hand.add_rows([row_of(*row) for row in numbers])
    assert caught.value.reason == message


def test_a_row_behind_the_end_is_refused() -> None:
    hand = hand_of_four()
    hand.end_drawn(Ending.EXHAUSTIVE, (0,) * 4)
    with pytest.raises(RecordError, match="events follow the end of the hand"):
        hand.draw(0, 0)


@pytest.mark.parametrize(
    ("turned", "place"),
    [(Turned.HERE, 3), (Turned.BEFORE_DISCARD, 1), (Turned.AFTER_KAN, 1)],
)
def test_an_indicator_stands_where_it_was_turned_over(turned: Turned, place: int) -> None:
    hand = hand_of_four()
    hand.draw(0, tile("2z"))
    hand.riichi(0)
    hand.discard(0, tile("2z"), DrawnTile.YES)
    hand.indicator(tile("8p"), turned)
    assert hand.rows[:, 0].tolist().index(Event.DORA) == place


def test_riichi_is_accepted_by_the_next_draw() -> None:
    hand = hand_of_four()
    hand.draw(0, tile("2z"))
    hand.riichi(0)
    hand.discard(0, tile("2z"), DrawnTile.YES)
    assert (hand.declared, hand.riichis) == (0, [])
    hand.draw(1, tile("8p"))
    assert (hand.declared, hand.riichis) == (-1, [0])


def test_a_call_that_nothing_fits_has_no_order() -> None:
    rows = [row_of(Event.DRAW, 0, 0), row_of(Event.DISCARD, 0, 0, -1, 0, 0), row_of(Event.PON, 2, 5, 0, 5, 5)]
    ordering: Any = zeros(Ordering, 1)
    ordering["players"], ordering["ending"] = 4, int(Ending.EXHAUSTIVE)
    ordered = np.zeros((20, COLUMNS), np.int16)
    assert order_rows(ordering, np.array(rows, np.int16), np.zeros(1, np.int16), PATIENCE, ordered) == NO_ORDER
