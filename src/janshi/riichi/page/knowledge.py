"""Information that a seat of Riichi can derive from the events sent to it (`janshi.web.pages.SeatKnowledge`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.review.reviewing import accepted_of
from janshi.riichi.hands import shanten, ukeire_arrays, waits
from janshi.riichi.rules import Rules
from janshi.tiles import KINDS, from_mjai, kind_of, to_mjai
from janshi.web.messages import Discard, Own

_CALLS: Final = {"chi", "pon", "daiminkan", "ankan"}


def _kind(name: str) -> int:
    return kind_of(from_mjai(name))


class Knowledge:
    """One seat's hand and visible tiles, updated event by event.

    >>> from janshi.riichi.records.live import Story, seen_by
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
        self.hand: NDArray[np.int8] = np.zeros(KINDS, np.int8)  # concealed tiles of each kind
        self.visible: NDArray[np.int8] = np.zeros(KINDS, np.int8)
        """Visible tiles of each kind: rivers, calls, norths set aside, indicators."""
        self._calls = 0
        self._river = 0
        self._riichi = False
        self._offered = False
        self._missed = False
        self._shanten, self._waits = 0, 0
        self._move(self.hand, hand, 1)
        self._move(self.visible, indicators, 1)
        if hand:
            self._count_shanten()

    @staticmethod
    def _move(counts: NDArray[np.int8], names: Sequence[str], count: int) -> None:
        for name in names:
            counts[_kind(name)] += count

    def warm_up(self) -> None:
        """Compile what this class calls."""
        self.hand[9:22] = 1
        self._count_shanten()
        self.hand[22] = 1
        self.discards([to_mjai(22)])
        self._begin([], [])

    def follow(self, event: dict[str, Any]) -> None:
        """Take in one event visible to the seat (`janshi.riichi.records.live.seen_by`)."""
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
        """Take in a move of a seat."""
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
                self._offered = bool(self._waits >> _kind(event["pai"]) & 1)
            elif kind == "ankan" and self.rules.orphans_rob_closed_kan:
                self._offered = bool(self._waits >> _kind(laid[0]) & 1) and self._waits_for_orphans()

    def _waits_for_orphans(self) -> bool:
        return self._calls == 0 and shanten(self.hand.tolist(), 0, self.rules.players, "orphans") == 0

    def _lay_down(self, kind: str, tiles: Sequence[str]) -> None:
        """Remove tiles from the own hand."""
        self._move(self.hand, tiles, -1)
        self._calls += kind in _CALLS
        if kind == "dahai":
            self._river |= 1 << _kind(tiles[0])
            self._missed = self._missed and self._riichi
        if int(self.hand.sum()) % 3 == 1:
            self._count_shanten()

    def _count_shanten(self) -> None:
        """Compute shanten and waits of a hand that waits for a draw."""
        players = self.rules.players
        self._shanten = shanten(self.hand.tolist(), self._calls, players)
        kinds = waits(self.hand.tolist(), self._calls, players) if self._shanten == 0 else []
        self._waits = sum(1 << kind for kind in kinds)

    def own(self) -> Own:
        """Return shanten and waits of the hand after its last discard, or as dealt."""
        furiten = self._waits & self._river != 0 or (self._waits != 0 and self._missed)
        waits = accepted_of(self._waits, self.hand + self.visible)
        return Own(type="own", shanten=self._shanten, waits=waits, furiten=furiten)

    def discards(self, tiles: Sequence[str]) -> list[Discard]:
        """Return the tiles (mjai names) whose discard leaves the hand tenpai, with its waits."""
        if not tiles:
            return []
        after = ukeire_arrays(self.hand[None], self.visible, calls=self._calls, players=self.rules.players)
        discards = []
        for name in tiles:
            discard = _kind(name)
            if int(after.shanten[0, discard]) == 0:
                mask = int(after.accepted[0, discard])
                missed = self._missed and self._riichi
                furiten = mask & (self._river | 1 << discard) != 0 or missed
                discards.append(Discard(tile=name, waits=accepted_of(mask, self.hand + self.visible), furiten=furiten))
        return discards

