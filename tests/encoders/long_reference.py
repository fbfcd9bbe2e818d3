"""A reference of the encoder of the `long` paper, from a record's events alone, with Tenhou's tile ids."""

from __future__ import annotations

from collections import Counter

import numpy as np

from janshi.encoders import encoder
from janshi.papers.long import encoder as at
from janshi.riichi.records import Event, RecordedHand, RiichiGame
from janshi.riichi.records.holding import Holding
from janshi.riichi.records.mjlog import decode_meld
from janshi.riichi.records.model import RecordedMeld
from janshi.riichi.rules import Rules
from tests.encoders.following import assert_equal, followed

LONG, LONG_CALL = encoder("long"), encoder("long-call")


def code_of(numbers: list[int], step: int, call: int) -> int:
    """Return Tenhou's code of a call of the player ``step`` seats ahead."""
    first = at.CALLS + 64 * step + 16 * call
    return int("".join(map(str, numbers[first : first + 16])), 2)



class Reference:
    """Follows a record with Tenhou's tile ids, and stores the content of table 1."""

    def __init__(self, hand: RecordedHand, rules: Rules) -> None:
        self.hand, self.reds = hand, rules.red_fives
        self.holding = Holding(hand.deal, hand.dora)
        self.rivers: list[list[int]] = [[] for _ in range(4)]
        self.riichi: set[int] = set()
        self.late: list[set[int]] = [set() for _ in range(4)]
        self.offered = -1

    def take(self, row: list[int]) -> None:
        event, seat, tile = row[:3]
        self.holding.take([row])
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

        row = [seat, *counts([identity // 4 for identity in self.holding.ids(seat)])]
        for player in order:
            row += counts(self.rivers[player])
        row += [*counts([identity // 4 for identity in self.holding.shown]), 0]
        row += [self.hand.round // 4, (seat - self.hand.dealer) % 4]
        row += [int(player in self.late[seat]) for player in order]
        row += [int(player in self.riichi) for player in order]
        calls = [[says(meld, self.reds) for meld in self.holding.melds(player)] for player in order]
        return [*row, self.offered], calls


def says(meld: RecordedMeld, reds: tuple[int, int, int]) -> tuple[object, ...]:
    """Return the visible part of a call, without the copies of equal tiles and the hidden one of four."""

    def look(identity: int) -> tuple[int, bool]:
        kind = identity // 4
        return kind, kind < 27 and kind % 9 == 4 and identity % 4 < reds[kind // 9]

    called = look(meld.called) if meld.event != Event.ANKAN else None
    return meld.event, sorted(map(look, meld.tiles)), called, meld.discarder


def check(game: RiichiGame, met: Counter[str]) -> None:
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
