"""Calls in the arrays of the `long` paper, and predicted yaku. The rest equals `tests.encoders.long_reference`."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from janshi.compiling import dtype_of
from janshi.papers.long.encoder import FED_BACK, with_yaku, yaku_names
from janshi.riichi.actions import Action
from janshi.riichi.game import RIICHI
from janshi.riichi.records import Event
from janshi.riichi.records.mjlog import decode_meld
from janshi.riichi.records.model import Meld
from janshi.riichi.rules import TENHOU
from janshi.riichi.state import Events
from janshi.table import Table
from tests.encoders.long_reference import LONG_CALL, code_of
from tests.rules.tables import do, make_table, offer, pass_all, throw


def seen(table: Table, seat: int) -> list[int]:
    """Return the 473 numbers of a seat."""
    events = np.zeros(1, dtype_of(Events))
    RIICHI.event_logs(np.asarray(table.record).reshape(1), np.array([seat], np.int8), events)
    return LONG_CALL.encode_views(np.asarray(table.view(seat)).reshape(1), events)[0].tolist()


#: Seat, its hand, the tile discarded by seat 0, the action, and the meld of the code: its event, tiles, the
#: called one, and the discarder relative to the caller. Red fives are the first copy.
CODES = [
    (2, "55z23m159p159s147s", "5z", Action.PON, Meld(Event.PON, (124, 125, 126), 124, 2)),
    (1, "23m159p159s12345z", "1m", Action.CHII, Meld(Event.CHII, (0, 4, 8), 0, 3)),
    (1, "34m159p159s12345z", "0m", Action.CHII, Meld(Event.CHII, (8, 12, 16), 16, 3)),
    (1, "34m159p159s12345z", "5m", Action.CHII, Meld(Event.CHII, (8, 12, 17), 17, 3)),
    (1, "05p19m159s123456z", "5p", Action.PON, Meld(Event.PON, (52, 53, 54), 53, 3)),
    (1, "55p19m159s123456z", "0p", Action.PON, Meld(Event.PON, (52, 53, 54), 52, 3)),
    (1, "55p19m159s123456z", "5p", Action.PON, Meld(Event.PON, (53, 54, 55), 53, 3)),
    (1, "55m19m159s123456z", "0m", Action.PON, Meld(Event.PON, (16, 17, 18), 16, 3)),
    (1, "55s19m159s123456z", "0s", Action.PON, Meld(Event.PON, (88, 89, 90), 88, 3)),
    (3, "555s23m159p1234z", "0s", Action.DAIMINKAN, Meld(Event.DAIMINKAN, (88, 89, 90, 91), 88, 1)),
    (3, "550s23m159p1234z", "5s", Action.DAIMINKAN, Meld(Event.DAIMINKAN, (88, 89, 90, 91), 89, 1)),
]


@pytest.mark.parametrize(("seat", "hand", "tile", "call", "meld"), CODES)
def test_calls_are_written_as_tenhou_codes_them(seat: int, hand: str, tile: str, call: int, meld: Meld):
    ends = {Action.CHII: Action.PON, Action.PON: Action.DAIMINKAN, Action.DAIMINKAN: Action.DAIMINKAN + 1}
    table = make_table(TENHOU, [""] * seat + [hand], tile)
    offer(table, 0, tile)
    while table.actor != seat:
        table.act(Action.PASS)
    do(table, seat, next(action for action in table.legal if call <= action < ends[call]))
    code = code_of(seen(table, seat), 0, 0)
    assert decode_meld(code) == meld
    assert code_of(seen(table, 0), seat, 0) == code, "the same for all"
    assert code_of(seen(table, seat), 0, 1) == 0
    if tile == "5z":
        # Kind 31 three times, the first of its tiles called, the fourth copy left over, from the opposite seat.
        assert code == 31 * 3 << 9 | 3 << 5 | 0x8 | 2


def test_a_closed_kan_is_written_as_tenhou_codes_it():
    table = make_table(TENHOU, ["1111z23m159p159s4s"], "7z", replacements="6z")
    do(table, 0, Action.ANKAN + 27)
    pass_all(table)
    assert decode_meld(code_of(seen(table, 0), 0, 0)) == Meld(Event.ANKAN, (108, 109, 110, 111), 108, 0)


def test_an_added_kan_is_written_as_tenhou_codes_it():
    table = make_table(TENHOU, ["", "55z23m159p159s147s"], "5z6z6z6z5z", replacements="7z")
    offer(table, 0, "5z")
    do(table, 1, Action.PON)
    throw(table, 1, "9p")
    for seat in (2, 3, 0):
        throw(table, seat, "6z")
    do(table, 1, Action.KAKAN + 31)
    pass_all(table)
    numbers = seen(table, 1)
    assert decode_meld(code_of(numbers, 0, 0)) == Meld(Event.KAKAN, (124, 125, 126, 127), 124, 3, 127)


def test_several_red_fives_are_the_first_copies_in_codes():
    """With three red fives of a suit, as in some rules: two in the hand, a plain one called, the third added."""
    rules = dataclasses.replace(TENHOU, red_fives=(1, 3, 1))
    table = make_table(rules, ["", "00p23m19m159s147s1z"], "5p6z6z6z0p", replacements="7z")
    offer(table, 0, "5p")
    do(table, 1, Action.PON + 2)
    throw(table, 1, "1s")
    assert decode_meld(code_of(seen(table, 1), 0, 0)) == Meld(Event.PON, (53, 54, 55), 55, 3)
    for seat in (2, 3, 0):
        throw(table, seat, "6z")
    do(table, 1, Action.KAKAN + 13)
    pass_all(table)
    # All red ones are assumed to be in the pon.
    assert decode_meld(code_of(seen(table, 1), 0, 0)) == Meld(Event.KAKAN, (52, 53, 54, 55), 54, 3, 55)


def test_predictions_follow_the_numbers_ten_times():
    assert FED_BACK == (1, 8, 14, 15, 18, 19, 20, 34, 52)
    assert len(yaku_names()) == 9
    numbers = np.arange(2 * 472).reshape(2, 472) % 5
    probabilities = np.linspace(0, 1, 18).reshape(2, 9)
    array = with_yaku(numbers, probabilities)
    assert array.shape == (2, 481)
    assert (array[:, :472] == numbers).all()
    assert np.allclose(array[:, 472:], 10 * probabilities)
    assert with_yaku(np.zeros((1, 473)), probabilities[:1]).shape == (1, 482)
    for wrong in (np.zeros((2, 471)), np.zeros((1, 472)), np.zeros(472)):
        with pytest.raises(ValueError, match="wanted"):
            with_yaku(wrong, probabilities)
