"""The arrays of the `long` paper, by field and against a second encoder that follows the record's events."""

from __future__ import annotations

import dataclasses
from collections import Counter

import numpy as np
import pytest

from janshi.compiling import dtype_of
from janshi.encoders import encoder
from janshi.papers.long import encoder as at
from janshi.papers.long.encoder import FED_BACK, with_yaku, yaku_names
from janshi.riichi.actions import Action
from janshi.riichi.game import RIICHI
from janshi.riichi.records import Event, Game, Hand
from janshi.riichi.records.mjlog import decode_meld
from janshi.riichi.records.model import Holding, Meld
from janshi.riichi.rules import TENHOU, Rules
from janshi.riichi.state import Events
from janshi.table import Table
from janshi.tiles import parse_tiles
from tests.encoders.following import assert_equal, assert_met, followed, own_games, peoples_games
from tests.rules.tables import do, make_table, offer, pass_all, throw

LONG, LONG_CALL = encoder("long"), encoder("long-call")


def seen(table: Table, seat: int) -> list[int]:
    """Return the 473 numbers of a seat."""
    events = np.zeros(1, dtype_of(Events))
    RIICHI.event_logs(np.asarray(table.record).reshape(1), np.array([seat], np.int8), events)
    return LONG_CALL.encode_views(np.asarray(table.view(seat)).reshape(1), events)[0].tolist()


def kinds(numbers: list[int], first: int) -> dict[int, int]:
    """Return the kinds with positive numbers in a group of 34, with their counts."""
    return {kind: count for kind, count in enumerate(numbers[first : first + 34]) if count}


def counted(text: str) -> dict[int, int]:
    return dict(Counter(tile if tile < 34 else 4 + 9 * (tile - 34) for tile in parse_tiles(text)))


def code_of(numbers: list[int], step: int, call: int) -> int:
    first = at.CALLS + 64 * step + 16 * call
    return int("".join(map(str, numbers[first : first + 16])), 2)


# ---------------------------------------------------------------------------------------------------------
# Field by field


def test_the_groups_have_the_papers_positions():
    """Table 1; the last number of each group is included."""
    groups = {(0, 0): at.SEAT, (1, 34): at.HAND, (35, 170): at.DISCARDS, (171, 426): at.CALLS}
    groups |= {(427, 461): at.INDICATORS, (462, 462): at.ROUND_WIND, (463, 463): at.OWN_WIND}
    groups |= {(464, 467): at.LATE_RIICHI, (468, 471): at.RIICHI, (472, 472): at.CALLED_TILE}
    assert all(first == mine for (first, _), mine in groups.items())
    assert len(LONG.columns) == 472
    assert len(LONG_CALL.columns) == 473
    assert LONG_CALL.columns[:472] == LONG.columns
    assert LONG.columns[461] == "spare"
    assert len(yaku_names()) == 9
    assert FED_BACK == (1, 8, 14, 15, 18, 19, 20, 34, 52)


def test_own_seat_and_hand():
    table = make_table(TENHOU, ["", "1999m05p12345s55z"], "1z")
    numbers = seen(table, 1)
    assert numbers[at.SEAT] == 1
    assert kinds(numbers, at.HAND) == counted("1999m55p12345s55z"), "a red five is a five"
    assert seen(table, 3)[at.SEAT] == 3


def test_the_tile_just_drawn_is_in_the_hand():
    table = make_table(TENHOU, ["1999m05p12345s55z"], "1z")
    assert kinds(seen(table, 0), at.HAND) == counted("1999m55p12345s551z")


def test_discards_are_counted_also_those_that_were_called():
    table = make_table(TENHOU, ["55z19m159p159s123z", "", "7z7z123m456p789s12z"], "7z6z")
    throw(table, 0, "5z")
    throw(table, 1, "6z")
    assert kinds(seen(table, 0), at.DISCARDS) == counted("5z")
    assert kinds(seen(table, 0), at.DISCARDS + 34) == counted("6z"), "the next player's come second"
    assert kinds(seen(table, 1), at.DISCARDS) == counted("6z")
    assert kinds(seen(table, 1), at.DISCARDS + 3 * 34) == counted("5z"), "the player before comes last"


def test_a_called_tile_stays_among_its_discarders_discards():
    table = make_table(TENHOU, ["", "55z23m159p159s147s"], "5z")
    offer(table, 0, "5z")
    do(table, 1, Action.PON)
    assert kinds(seen(table, 1), at.DISCARDS + 3 * 34) == counted("5z")


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


def test_dora_indicators_winds_and_the_spare_number():
    table = make_table(TENHOU, [], dora="3s")
    numbers = seen(table, 2)
    assert kinds(numbers, at.INDICATORS) == counted("3s")
    assert numbers[461] == 0
    assert numbers[at.ROUND_WIND] == 0
    assert numbers[at.OWN_WIND] == 2
    table.state.kyoku, table.state.dealer = 5, 1
    numbers = seen(table, 0)
    assert numbers[at.ROUND_WIND] == 1
    assert numbers[at.OWN_WIND] == 3


def test_equal_indicators_add_up():
    table = make_table(TENHOU, ["1111z23m159p159s4s"], "7z", dora="33s", replacements="6z")
    do(table, 0, Action.ANKAN + 27)
    pass_all(table)
    assert kinds(seen(table, 0), at.INDICATORS) == counted("33s")


def test_riichi_and_riichi_since_the_own_last_discard():
    table = make_table(TENHOU, ["234m567p34578s99s"], "9s6z6z7z1p")
    table.act(Action.RIICHI)
    declaring = seen(table, 0)
    assert declaring[at.RIICHI] == declaring[at.LATE_RIICHI] == 1
    throw(table, 0, "9s")
    assert seen(table, 0)[at.LATE_RIICHI] == 0, "it has discarded since"
    for seat in (1, 2, 3):
        numbers = seen(table, seat)
        ahead = 4 - seat
        assert numbers[at.RIICHI : at.RIICHI + 4] == [int(step == ahead) for step in range(4)]
        assert numbers[at.LATE_RIICHI : at.LATE_RIICHI + 4] == [int(step == ahead) for step in range(4)]
    throw(table, 1, "6z")
    numbers = seen(table, 1)
    assert numbers[at.RIICHI + 3] == 1
    assert numbers[at.LATE_RIICHI + 3] == 0, "it has discarded since"
    assert seen(table, 2)[at.LATE_RIICHI + 2] == 1, "it has not"


def test_the_tile_that_may_be_called():
    table = make_table(TENHOU, ["", "46p19m159s123456z"], "0p")
    assert seen(table, 0)[at.CALLED_TILE] == -1
    offer(table, 0, "0p")
    numbers = seen(table, 1)
    assert numbers[at.CALLED_TILE] == 13, "a red five is a five"
    assert sum(kinds(numbers, at.HAND).values()) == 13


def test_predictions_follow_the_numbers_ten_times():
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


# ---------------------------------------------------------------------------------------------------------
# A second encoder, from the record's events alone


class Reference:
    """Follows a record with Tenhou's tile ids, and stores the content of table 1."""

    def __init__(self, hand: Hand, rules: Rules) -> None:
        self.hand, self.reds = hand, rules.red_fives
        self.holding = Holding(hand)
        self.rivers: list[list[int]] = [[] for _ in range(4)]
        self.riichi: set[int] = set()
        self.late: list[set[int]] = [set() for _ in range(4)]
        self.offered = -1

    def take(self, row: list[int]) -> None:
        event, seat, tile = row[:3]
        self.holding.take(row)
        if event == Event.RIICHI:
            self.riichi.add(seat)
            for seats in self.late:
                seats.add(seat)
        elif event == Event.DISCARD:
            self.rivers[seat].append(tile // 4)
            self.late[seat].clear()
        if event in (Event.DISCARD, Event.KAKAN, Event.ANKAN):
            self.offered = tile // 4
        elif event in (Event.DRAW, Event.CHII, Event.PON, Event.DAIMINKAN):
            self.offered = -1

    def numbers(self, seat: int) -> tuple[list[int], list[list[tuple[object, ...]]]]:
        """Return the numbers except those of calls (473 − 256), and the expected codes of calls, by player."""
        order = [(seat + step) % 4 for step in range(4)]

        def counts(kinds: list[int]) -> list[int]:
            return [kinds.count(kind) for kind in range(34)]

        row = [seat, *counts([identity // 4 for identity in self.holding.tiles[seat]])]
        for player in order:
            row += counts(self.rivers[player])
        row += [*counts([identity // 4 for identity in self.holding.indicators]), 0]
        row += [self.hand.round // 4, (seat - self.hand.dealer) % 4]
        row += [int(player in self.late[seat]) for player in order]
        row += [int(player in self.riichi) for player in order]
        calls = [[says(meld, self.reds) for meld in self.holding.melds[player]] for player in order]
        return [*row, self.offered], calls


def says(meld: Meld, reds: tuple[int, int, int]) -> tuple[object, ...]:
    """Return the visible part of a call, without the copies of equal tiles and the hidden one of four."""

    def look(identity: int) -> tuple[int, bool]:
        kind = identity // 4
        return kind, kind < 27 and kind % 9 == 4 and identity % 4 < reds[kind // 9]

    called = look(meld.called) if meld.event != Event.ANKAN else None
    return meld.event, sorted(map(look, meld.tiles)), called, meld.discarder


def check(game: Game, met: Counter[str]) -> None:
    """Compare at every decision of a game; count the events."""
    reds = game.rules.red_fives
    names = np.delete(np.array(LONG_CALL.columns), np.s_[at.CALLS : at.INDICATORS])
    for reference, hand, position in followed(game, Reference, met):
        numbers = LONG_CALL.encode(position.batch)[0]
        assert (LONG.encode(position.batch)[0] == numbers[:472]).all()
        expected, calls = reference.numbers(position.seat)
        shown = np.delete(numbers, np.s_[at.CALLS : at.INDICATORS]).tolist()
        assert_equal(game, position, names, shown, expected)
        for step, melds in enumerate(calls):
            codes = [code_of(numbers.tolist(), step, call) for call in range(4)]
            where = f"{game.source}, decision {position.decision}"
            assert codes[len(melds) :] == [0] * (4 - len(melds)), where
            assert [says(decode_meld(code), reds) for code in codes[: len(melds)]] == melds, where
            met["red fives called"] += any(red for meld in melds for _, red in meld[1])
        met["late riichi"] += bool(numbers[at.LATE_RIICHI : at.LATE_RIICHI + 4].any())
        met["called tiles"] += numbers[at.CALLED_TILE] >= 0
        met["later rounds"] += hand.round > 3


def test_every_decision_equals_the_reference() -> None:
    met: Counter[str] = Counter()
    for game in own_games("tenhou", 2, 13):
        check(game, met)
    wanted = {event.name for event in Event} - {"KITA"}
    assert_met(met, wanted | {"red fives called", "late riichi", "called tiles", "later rounds"}, 1000)


def test_real_games_equal_the_reference() -> None:
    met: Counter[str] = Counter()
    for game in peoples_games("four-*.zip", 2400):
        check(game, met)
    assert_met(met, set(), 1000)
