"""A reference of the encoders of the `gao` thesis, from a record's events alone.

It goes forwards and keeps what a player saw at each of his discards; the encoders start from the present and undo the
log.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from janshi.encoders import encoder
from janshi.papers.gao.encoder import STEPS
from janshi.riichi.records import Event, RecordedHand, RiichiGame
from janshi.riichi.rules import Rules
from tests.encoders.following import assert_equal, followed


@dataclass
class Seen:
    """A seat's visible tiles and its hand (ids)."""

    held: list[int]
    discards: list[int] = field(default_factory=list)
    calls: list[int] = field(default_factory=list)
    riichi: bool = False


def cells(kinds: list[int]) -> list[int]:
    counts = Counter(kinds)
    return [sum(1 << kind for kind, count in counts.items() if count >= cell) for cell in (1, 2, 3, 4)]


def whole(kinds: list[int]) -> list[int]:
    return [sum(1 << kind for kind in set(kinds))] * 4


def all_cells(yes: bool) -> list[int]:
    return [(1 << 34) - 1 if yes else 0] * 4


class Reference:
    """Follows a record and stores each seat's view at each of its discards."""

    def __init__(self, hand: RecordedHand, rules: Rules) -> None:
        self.hand, self.rules = hand, rules
        self.seats = [Seen(ids) for ids in hand.deal.tolist()]
        self.indicators = [hand.dora // 4]
        self.past: list[list[list[list[int]]]] = [[], [], [], []]
        self.last = 0
        self.fresh = 0
        """Indicators turned since the last draw or call: with a discard, after it was decided."""

    def take(self, row: list[int]) -> None:
        event, seat, tile, _, *own = row
        if event == Event.DORA:
            self.indicators.append(tile // 4)
            self.fresh += 1
            return
        player = self.seats[seat]
        if event not in (Event.RIICHI, Event.DISCARD):
            self.fresh = 0
        if event == Event.RIICHI:
            player.riichi = True
        elif event == Event.DRAW:
            player.held.append(tile)
        elif event == Event.DISCARD:
            self.past[seat].append(self.situation(seat, self.fresh))
            self.fresh = 0
            player.held.remove(tile)
            player.discards.append(tile // 4)
            self.last = seat
        elif event != Event.ACCEPTED:
            for one in own:
                if one >= 0:
                    player.held.remove(one)
                    player.calls.append(one // 4)
            if event in (Event.CHII, Event.PON, Event.DAIMINKAN):
                player.calls.append(self.seats[self.last].discards.pop())

    def situation(self, seat: int, hidden: int = 0) -> list[list[int]]:
        """Return own hand, discards, calls, indicators, riichi and red fives: a list of four masks for each plane."""
        around = [self.seats[(seat + step) % 4] for step in range(4)]
        held = self.seats[seat].held
        reds = [one // 4 for one in held if one in (16, 52, 88) and self.rules.red_fives[one // 36]]
        return [
            cells([one // 4 for one in held]),
            *(cells(player.discards) for player in around),
            *(cells(player.calls) for player in around),
            cells(self.indicators[: len(self.indicators) - hidden]),
            *(all_cells(player.riichi) for player in around[1:]),
            whole(reds),
        ]

    def winds(self, seat: int) -> list[list[int]]:
        return [whole([27 + self.hand.round // 4]), whole([27 + (seat - self.hand.dealer) % 4])]

    def planes(self, seat: int, off_table: bool, past: int) -> list[int]:
        now = self.situation(seat)
        shown = [now[0], now[13], *now[1:13]]
        if off_table:
            better = [
                (-points, other) < (-self.hand.scores[seat], seat) for other, points in enumerate(self.hand.scores)
            ]
            shown += [all_cells(rank == sum(better)) for rank in range(4)]
            shown += [all_cells(number == min(self.hand.round, 7)) for number in range(8)]
        shown += self.winds(seat)
        before = self.past[seat][::-1][:past]
        for number in range(past):
            length = 13 if number == 0 else 9
            shown += before[number][:length] if number < len(before) else [[0] * 4] * length
        return [mask for plane in shown for mask in plane]

    def sequence(self, seat: int) -> list[int]:
        steps = [*self.past[seat], self.situation(seat)][-STEPS:]
        shown = [plane for step in steps for plane in (*step, *self.winds(seat))]
        shown += [[0] * 4] * (16 * (STEPS - len(steps)))
        return [mask for plane in shown for mask in plane]


def check(game: RiichiGame, met: Counter[str]) -> None:
    """Compare all encoders at every decision of a game; count the events."""
    for reference, _, position in followed(game, Reference, met):
        seat = position.seat
        expected = {
            "gao-56": reference.planes(seat, False, 4),
            "gao-68": reference.planes(seat, True, 4),
            "gao-86": reference.planes(seat, True, 6),
            "gao-sequence": reference.sequence(seat),
        }
        for name, columns in expected.items():
            shown = encoder(name).encode(position.batch)[0].tolist()
            assert_equal(game, position, encoder(name).columns, shown, columns)
        met["own calls in the past"] += any(situation[5][0] for situation in reference.past[seat])
        for situation in reference.past[seat][-1:]:
            met["riichi in the past"] += any(plane[0] for plane in situation[10:13])
            met["red fives in the past"] += bool(situation[13][0])
