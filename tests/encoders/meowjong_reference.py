"""A reference of the encoder `meowjong`, from its specification's table and a record's events alone.

It knows neither the engine's state nor the encoder's columns: it follows the events, keeps what a player at the table
could have written down, and lays the columns one after the other as the table lists them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from janshi.riichi.drawing.observation import masks_of
from janshi.riichi.encoders.meowjong import column_names
from janshi.riichi.records import Event, RecordedHand, RiichiGame
from janshi.riichi.rules import Rules
from tests.encoders.following import assert_equal, followed

EVERY = (1 << 34) - 1
NOTHING = [0]


def bits(number: int, count: int) -> list[int]:
    """Return a number in columns, most significant bit first, equal in all rows; all ones if it is too large."""
    number = max(0, min(number, 2**count - 1))
    return [EVERY if digit == "1" else 0 for digit in f"{number:0{count}b}"]


def marks(kinds: list[int]) -> int:
    return sum(1 << kind for kind in set(kinds))


@dataclass
class Player:
    """A seat's visible tiles and its hand (ids)."""

    held: list[int]
    points: int
    sets: list[tuple[list[int], int]] = field(default_factory=list)  # kinds, turn
    kitas: int = 0
    river: list[int] = field(default_factory=list)  # kinds
    riichi: int | None = None  # turn

    def laid(self) -> list[int]:
        columns = []
        for kinds, turn in [*self.sets, *[([], 0)] * 4][:4]:
            run = len(set(kinds)) == 3
            copies = [marks(kinds), 0, 0, 0] if run else [marks(kinds) * (len(kinds) >= n) for n in (1, 2, 3, 4)]
            columns += [*copies, *bits(turn, 5)]
        return columns

    def set_aside(self) -> list[int]:
        return [(1 << 30) * (self.kitas >= n) for n in (1, 2, 3, 4)]

    def thrown(self) -> list[int]:
        return [1 << kind for kind in self.river] + NOTHING * (30 - len(self.river))


class Reference:
    """Follows a record and writes a seat's observation."""

    def __init__(self, hand: RecordedHand, rules: Rules) -> None:
        self.hand, self.rules = hand, rules
        self.players = [Player(ids, points) for ids, points in zip(hand.deal.tolist(), hand.scores, strict=True)]
        self.indicators = [hand.dora // 4]
        self.deposits = hand.deposits
        self.turn_number = 0
        self.turn = (hand.dealer - 1) % len(self.players)
        self.drawn: int | None = None
        self.offered: tuple[int, int] | None = None  # seat, id

    def _turn_goes_to(self, seat: int) -> None:
        while self.turn != seat:
            self.turn = (self.turn + 1) % len(self.players)
            self.turn_number += self.turn == self.hand.dealer

    def take(self, row: list[int]) -> None:
        event, seat, tile, _, *own = row
        if event == Event.DORA:
            self.indicators.append(tile // 4)
            return
        player = self.players[seat]
        if event == Event.RIICHI:
            player.riichi = self.turn_number
        elif event == Event.ACCEPTED:
            player.points -= 1000
            self.deposits += 1
        elif event == Event.DRAW:
            self._turn_goes_to(seat)
            player.held.append(tile)
            self.drawn, self.offered = tile, None
        elif event == Event.DISCARD:
            player.held.remove(tile)
            player.river.append(tile // 4)
            self.drawn, self.offered = None, (seat, tile)
        else:
            self._lay(Event(event), seat, tile, [one for one in own if one >= 0])

    def _lay(self, event: Event, seat: int, tile: int, own: list[int]) -> None:
        player = self.players[seat]
        for one in own:
            player.held.remove(one)
        if event in (Event.CHII, Event.PON, Event.DAIMINKAN):
            self._turn_goes_to(seat)
            player.sets.append(([one // 4 for one in (*own, tile)], self.turn_number))
            self.drawn, self.offered = None, None
            return
        self.offered = (seat, tile)
        if event == Event.KITA:
            player.kitas += 1
        elif event == Event.ANKAN:
            player.sets.append(([tile // 4] * 4, self.turn_number))
        else:
            pon = next(kinds for kinds, _ in player.sets if kinds == [tile // 4] * 3)
            pon.append(tile // 4)

    def columns(self, seat: int) -> list[int]:
        """Return the 366 columns of the deciding seat."""
        me = self.players[seat]
        target = self.offered[1] if self.offered and self.offered[0] != seat else self.drawn
        kinds = [one // 4 for one in me.held if one != target]
        reds = [one // 4 for one in me.held if one in (16, 52, 88) and self.rules.red_fives[one // 36]]
        columns = NOTHING if target is None else [1 << target // 4]
        columns = columns + [marks([kind for kind in kinds if kinds.count(kind) >= n]) for n in (1, 2, 3, 4)]
        columns += [marks(reds), *me.laid(), *me.set_aside(), *me.thrown()]
        columns += [1 << kind for kind in self.indicators] + NOTHING * (5 - len(self.indicators))
        many = len(self.players)
        others = [self.players[(seat + step) % many] for step in range(1, many)]
        absent: list[int] = NOTHING * (4 - many)
        for one in others:
            columns += [0] * 6 if one.riichi is None else [EVERY, *bits(one.riichi, 5)]
        columns += absent * 6
        for one in (me, *others):
            columns += bits(one.points // 100, 11)
        columns += absent * 11
        columns += bits(self.hand.round, 4) + bits(self.hand.honba, 4) + bits(self.deposits, 4)
        columns += [1 << 27 + (seat - self.hand.dealer) % many]
        for one in others:
            columns += one.laid() + one.set_aside() + one.thrown()
        return columns + absent * 70


def check(game: RiichiGame, met: Counter[str]) -> None:
    """Compare at every decision of a game; count the events."""
    for reference, hand, position in followed(game, Reference, met):
        columns = masks_of(position).tolist()
        assert_equal(game, position, column_names(), columns, reference.columns(position.seat))
        met["red fives"] += columns[5] != 0
        met["riichi seen"] += any(columns[81 + 6 * ahead] for ahead in range(3))
        met["late calls"] += any(turn > 7 for player in reference.players for _, turn in player.sets)
        met["second indicators"] += len(reference.indicators) > 1
        met["honba"] += hand.honba > 0
        met["deposits"] += hand.deposits > 0
        met["later rounds"] += hand.round > 3
