"""Events of a table as messages for one receiver, with seats counted from it and others' draws hidden."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from janshi.riichi.records.holding import Holding
from janshi.riichi.records.mjlog import REASON_NAMES, encode_meld
from janshi.riichi.records.model import Drawn, RecordedHand, RecordedMeld, RecordedWin
from janshi.riichi.rules.yaku import LOCAL
from janshi.riichi.state import Ending, Event
from janshi.tenhou.protocol import DISCARDS, DRAWN_DISCARDS, DRAWS, ActionFlag, Element, message

RING: Final = 4
_RIICHI_MARK: Final = 255
_RIICHI: Final = (1, 21)
_URA: Final = 53
#: Tenhou's order of yaku; triplets of honours (10 to 20) are in the order of the hand.
_YAKU_ORDER: Final = (1, 21, 2, 3, 4, 5, 6, 0, 7, 9, 32, 22, 24, 25, 29, 27, 28, 26, 30, 8)
_YAKU_LAST: Final = (23, 33, 31, 34, 35, 52, 54, 53)
_HONOURS: Final = range(10, 21)


def listed(numbers: Iterable[object]) -> str:
    """Return numbers separated by commas."""
    return ",".join(map(str, numbers))


class Viewer:
    """Writer of messages for one seat (numbered as in records) at a table of three or four."""

    def __init__(self, seat: int, players: int) -> None:
        self.own = seat
        self.players = players

    def relative(self, seat: int) -> int:
        """Return a seat's number counted from the receiver."""
        return (seat - self.own) % RING

    def ring(self, values: Sequence[object], absent: object = 0) -> list[object]:
        """Return one value a seat from the receiver on, always for four seats."""
        return [
            values[seat] if seat < self.players else absent
            for seat in ((self.own + step) % RING for step in range(RING))
        ]

    def hundreds(self, points: Sequence[int]) -> str:
        """Return all points in hundreds, from the receiver on."""
        return listed(self.ring([amount // 100 for amount in points]))

    # -------------------------------------------------------------------------------------------------------
    # Around a hand

    def init(self, hand: RecordedHand, deal: Sequence[int]) -> Element:
        """Return the deal, with the own tiles in dealt order."""
        return message(
            "INIT",
            seed=listed((hand.round, hand.honba, hand.deposits, *(hand.dice or (0, 0)), hand.dora)),
            ten=self.hundreds(hand.scores),
            oya=self.relative(hand.dealer),
            hai=listed(deal),
        )

    def reinit(self, hand: RecordedHand, holding: Holding, scores: Sequence[int]) -> Element:
        """Return the table after the events of a hand so far, for a reconnected player."""
        rivers: list[list[int]] = [[] for _ in range(self.players)]
        declared = -1
        for event, seat, tile, discarder, *_ in holding.rows.tolist():
            if event == Event.RIICHI:
                declared = seat
            elif event == Event.DISCARD:
                rivers[seat] += [_RIICHI_MARK, tile] if declared == seat else [tile]
                declared = -1
            elif event in (Event.CHII, Event.PON, Event.DAIMINKAN):
                rivers[discarder].pop()
        values: dict[str, object] = {
            "seed": listed((hand.round, hand.honba, hand.deposits, *(hand.dice or (0, 0)), *holding.shown)),
            "ten": self.hundreds(scores),
            "oya": self.relative(hand.dealer),
            "hai": listed(holding.ids(self.own)),
        }
        for step in range(RING):
            seat = (self.own + step) % RING
            if seat < self.players and (melds := holding.melds(seat)):
                values[f"m{step}"] = listed(map(encode_meld, reversed(melds)))
        for step in range(RING):
            seat = (self.own + step) % RING
            values[f"kawa{step}"] = listed(rivers[seat]) if seat < self.players else ""
        return message("REINIT", **values)

    def saikai(self, hand: RecordedHand, scores: Sequence[int]) -> Element:
        """Return the state of the game, for a reconnected player."""
        pairs = [number for points in self.ring([amount // 100 for amount in scores]) for number in (points, 0)]
        ba = listed((hand.honba, hand.deposits))
        return message("SAIKAI", ba=ba, oya=self.relative(hand.dealer), sc=listed(pairs))

    # -------------------------------------------------------------------------------------------------------
    # In a hand

    def event(self, row: Sequence[int], meld: RecordedMeld | None, points: Sequence[int], hint: ActionFlag) -> Element:
        """Return one event, a row of `janshi.riichi.records.model.RecordedHand.events` with its set."""
        event, seat, tile, _, drawn = row[:5]
        who = self.relative(seat)
        t = int(hint) or None
        if event == Event.DRAW:
            return message(f"T{tile}" if seat == self.own else DRAWS[who], t=t)
        if event == Event.DISCARD:
            return message(f"{(DRAWN_DISCARDS if drawn else DISCARDS)[who]}{tile}", t=t)
        if event == Event.RIICHI:
            return message("REACH", who=who, step=1)
        if event == Event.ACCEPTED:
            return message("REACH", who=who, ten=self.hundreds(points), step=2)
        if event == Event.DORA:
            return message("DORA", hai=tile)
        return message("N", who=who, m=None if meld is None else encode_meld(meld), t=t)

    # -------------------------------------------------------------------------------------------------------
    # The end of a hand

    def win(self, win: RecordedWin) -> Element:
        """Return a win."""
        values: dict[str, object] = {"ba": listed((win.honba, win.deposits)), "hai": listed(win.hand)}
        if win.melds:
            values["m"] = listed(map(encode_meld, win.melds))
        values |= {"machi": win.tile, "ten": listed((win.fu, win.points, int(win.limit)))}
        if win.yakuman:
            values["yakuman"] = listed(win.yakuman)
        else:
            values["yaku"] = listed(number for pair in yaku_of(win) for number in pair)
        values["doraHai"] = listed(win.dora)
        if win.ura:
            values["doraHaiUra"] = listed(win.ura)
        values |= {"who": self.relative(win.who), "fromWho": self.relative(win.from_who)}
        if win.pao is not None:
            values["paoWho"] = self.relative(win.pao)
        return message("AGARI", **values, sc=self._changes(win.scores, win.deltas))

    def drawn(self, drawn: Drawn, holding: Holding) -> Element:
        """Return a draw."""
        values: dict[str, object] = {}
        if drawn.reason != Ending.EXHAUSTIVE:
            values["type"] = REASON_NAMES[drawn.reason]
        values |= {"ba": listed((drawn.honba, drawn.deposits)), "sc": self._changes(drawn.scores, drawn.deltas)}
        for step in range(RING):
            seat = (self.own + step) % RING
            # After an exhaustive draw Tenhou repeats the own hand only for seat 0, in every recorded session.
            again = step or not self.own or drawn.reason not in (Ending.EXHAUSTIVE, Ending.NAGASHI_MANGAN)
            if seat in (drawn.shown or ()) and again:
                values[f"hai{step}"] = listed(holding.ids(seat))
        return message("RYUUKYOKU", **values)

    def _changes(self, scores: Sequence[int], deltas: Sequence[int]) -> str:
        pairs = zip(self.ring(scores), self.ring(deltas), strict=True)
        return listed(int(str(amount)) // 100 for pair in pairs for amount in pair)

    def last(self, end: Element, scores: Sequence[int], points: Sequence[float]) -> Element:
        """Return the end of the last hand with the result of the game."""
        pairs = zip(self.ring([amount // 100 for amount in scores]), self.ring(points, 0.0), strict=True)
        owari = ",".join(f"{amount},{result:.1f}" for amount, result in pairs)
        return replace(end, values={**end.values, "owari": owari})


def yaku_of(win: RecordedWin) -> list[tuple[int, int]]:
    """Return the yaku of a win with their han, in Tenhou's order; after riichi ura-dora are included even with 0 han.

    Triplets of honours are in the order of the hand: concealed ones, then sets, the oldest first.
    """
    pairs = dict(win.yaku)
    if any(number in pairs for number in _RIICHI):
        pairs.setdefault(_URA, 0)
    kinds = [tile // 4 for tile in win.hand] + [meld.tiles[0] // 4 for meld in reversed(win.melds)]
    honours = [number for number in _HONOURS if number in pairs]
    # 18 to 20 are dragons, 10 to 13 the seat wind, 14 to 17 the round wind, which comes first.
    position = {
        number: kinds.index(31 + number - 18 if number >= 18 else 27 + (number - 10) % 4) for number in honours
    }
    honours.sort(key=lambda number: (position[number], -number))
    order = (*_YAKU_ORDER, *honours, *map(int, LOCAL.values()), *_YAKU_LAST)
    return [(number, pairs[number]) for number in order if number in pairs]
