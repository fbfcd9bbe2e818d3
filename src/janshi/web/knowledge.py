"""What a seat can work out from the events that it has been told, and from nothing else.

The table itself is often further than what its players have been shown: everything said about a hand between its
decisions comes from here, so that it cannot tell more than the events did.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.hands import shanten, ukeire_arrays, waits
from janshi.review.model import Accepted
from janshi.rules import Rules
from janshi.tiles import KINDS, from_mjai, kind_of, to_mjai
from janshi.web.messages import Discard, Own

_CALLS: Final = {"chi", "pon", "daiminkan", "ankan"}


def _kind(name: str) -> int:
    return kind_of(from_mjai(name))


class Knowledge:
    """One seat's hand and what it sees, told event by event.

    >>> from janshi.records.live import Story, seen_by
    >>> from janshi.table import Table
    >>> table = Table("tenhou-sanma-hand", seed=7)
    >>> mine = Knowledge(table.rules, 0)
    >>> for event in Story(table.record, table.rules, ["a", "b", "c"]).update():
    ...     mine.follow(seen_by(event, 0))
    >>> mine.own().shanten
    3
    """

    def __init__(self, rules: Rules, seat: int) -> None:
        self.rules = rules
        self.seat = seat
        self._begin([], [])

    def _begin(self, hand: Sequence[str], indicators: Sequence[str]) -> None:
        self.hand: NDArray[np.int8] = np.zeros(KINDS, np.int8)
        """Concealed tiles of each kind."""
        self.visible: NDArray[np.int8] = np.zeros(KINDS, np.int8)
        """Tiles of each kind that lie open: rivers, calls, norths set aside, indicators."""
        self._calls = 0
        self._river: set[int] = set()
        self._riichi = False
        self._offered = False
        self._missed = False
        self._shanten, self._waits = 0, list[int]()
        self._move(self.hand, hand, 1)
        self._move(self.visible, indicators, 1)
        if hand:
            self._look()

    @staticmethod
    def _move(where: NDArray[np.int8], names: Sequence[str], many: int) -> None:
        for name in names:
            where[_kind(name)] += many

    def warm(self) -> None:
        """Have what looks at hands compiled."""
        self.hand[9:22] = 1
        self._look()
        self.hand[22] = 1
        self.discards([to_mjai(22)])

    def follow(self, event: dict[str, Any]) -> None:
        """Take in one event as the seat sees it (`janshi.records.live.seen_by`)."""
        kind = event["type"]
        if self._offered and kind != "hora":
            self._missed = True
        self._offered = False
        if kind == "start_kyoku":
            self._begin(event["tehais"][self.seat], [event["dora_marker"]])
        elif kind == "dora":
            self._move(self.visible, [event["dora_marker"]], 1)
        elif "actor" in event and kind != "hora":
            self._follow(event, event["actor"] == self.seat)

    def _follow(self, event: dict[str, Any], own: bool) -> None:
        """Take in what somebody has done with tiles."""
        kind = event["type"]
        if kind == "reach" and own:
            self._riichi = True
        elif kind == "tsumo" and own:
            self._move(self.hand, [event["pai"]], 1)
        elif kind in _CALLS or kind in ("dahai", "kakan", "nukidora"):
            laid = event["consumed"] if kind in _CALLS else [event["pai"]]
            self._move(self.visible, laid, 1)
            if own:
                self._lay_down(kind, laid)
            elif kind not in _CALLS:
                self._offered = _kind(event["pai"]) in self._waits
            elif kind == "ankan" and self.rules.orphans_rob_closed_kan:
                self._offered = _kind(laid[0]) in self._waits and self._waits_for_orphans()

    def _waits_for_orphans(self) -> bool:
        return self._calls == 0 and shanten(self.hand.tolist(), 0, self.rules.players, "orphans") == 0

    def _lay_down(self, kind: str, tiles: Sequence[str]) -> None:
        """Own tiles leave the hand."""
        self._move(self.hand, tiles, -1)
        self._calls += kind in _CALLS
        if kind == "dahai":
            self._river.add(_kind(tiles[0]))
            self._missed = self._missed and self._riichi
        if int(self.hand.sum()) % 3 == 1:
            self._look()

    def _look(self) -> None:
        """Find shanten and waits of the hand, which waits for a draw."""
        players = self.rules.players
        self._shanten = shanten(self.hand.tolist(), self._calls, players)
        self._waits = waits(self.hand.tolist(), self._calls, players) if self._shanten == 0 else []

    def own(self) -> Own:
        """Return what the seat knows of its hand as it was after its last discard, or as it was dealt."""
        accepted = self._accepted(self._waits, self.hand)
        return Own(type="own", shanten=self._shanten, waits=accepted, furiten=self._furiten(self._waits, self._river))

    def discards(self, tiles: Sequence[str]) -> list[Discard]:
        """Return those of the tiles (mjai names) after whose discard the hand is ready, with what it waits for."""
        if not tiles:
            return []
        after = ukeire_arrays(self.hand[None], self.visible, calls=self._calls, players=self.rules.players)
        found = []
        for name in tiles:
            kind = _kind(name)
            if int(after.shanten[0, kind]) == 0:
                mask = int(after.accepted[0, kind])
                kinds = [one for one in range(KINDS) if mask >> one & 1]
                river = self._river | {kind}
                furiten = bool(river & set(kinds)) or (self._missed and self._riichi)
                found.append(Discard(tile=name, waits=self._accepted(kinds, self.hand), furiten=furiten))
        return found

    def _furiten(self, kinds: Sequence[int], river: set[int]) -> bool:
        return bool(river & set(kinds)) or (bool(kinds) and self._missed)

    def _accepted(self, kinds: Sequence[int], hand: NDArray[np.int8]) -> list[Accepted]:
        return [Accepted(to_mjai(kind), 4 - int(hand[kind]) - int(self.visible[kind])) for kind in kinds]
