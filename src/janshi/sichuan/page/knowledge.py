"""Information that a seat of Sichuan mahjong can derive from its events (`janshi.web.pages.SeatKnowledge`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.records.story import HIDDEN
from janshi.review.model import Option, Worth
from janshi.review.reviewing import accepted_of
from janshi.sichuan.hands.score import new_hands, own_tiles, ukeire_arrays
from janshi.sichuan.hands.ukeire import AS_IT_IS
from janshi.sichuan.review.advice import worth_of, worth_of_win
from janshi.sichuan.rules import Rules
from janshi.sichuan.state import KINDS
from janshi.table import DecisionBatch
from janshi.tiles import from_mjai, kind_of
from janshi.web.messages import Call, Discard, Own

_CALLS: Final = ("pon", "daiminkan", "ankan")
_SUITS: Final = "mps"


def _kind(name: str) -> int:
    return kind_of(from_mjai(name))


class SichuanKnowledge:
    """One seat's hand and visible tiles, updated event by event.

    >>> from janshi.sichuan.records.live import SichuanStory, sichuan_seen_by
    >>> from janshi.table import Table
    >>> table = Table("sichuan", seed=7)
    >>> mine = SichuanKnowledge(table.rules, 1)
    >>> for event in SichuanStory(table.record, table.rules, list("abcd")).update():
    ...     mine.follow(sichuan_seen_by(event, 1))
    >>> int(mine.hand["counts"].sum()), mine.own().waits
    (13, [])
    """

    def __init__(self, rules: Rules, seat: int) -> None:
        self.rules = rules
        self.seat = seat
        self._begin([])

    def _begin(self, tiles: Sequence[str]) -> None:
        self.hand: NDArray[Any] = new_hands(1)
        """The seat's hand: an array of one `janshi.sichuan.hands.score.SichuanHand`; what lies face down is in it."""
        self.visible: NDArray[np.int8] = np.zeros(KINDS, np.int8)  # tiles of each kind in rivers and the others' melds
        self._own = Own(type="own", shanten=0, waits=[], furiten=False)
        self._won = False
        self._take(tiles, 1)

    def _take(self, names: Sequence[str], count: int) -> None:
        for name in names:
            self.hand["counts"][0, _kind(name)] += count

    def warm_up(self) -> None:
        """Compile what this class calls."""
        self._begin(["1m", "1m", "1m", "2m", "2m", "2m", "3m", "3m", "3m", "4m", "4m", "5m", "5m"])
        self._count()
        self._begin([])

    def follow(self, event: dict[str, Any]) -> None:
        """Take in one event visible to the seat (`janshi.sichuan.records.live.sichuan_seen_by`)."""
        kind = event["type"]
        if kind == "start_kyoku":
            self._begin(event["tehais"][self.seat])
        elif kind == "exchange" and HIDDEN not in event["tiles"]:
            self._take(event["tiles"], -1 if event["actor"] == self.seat else 1)
        elif kind in ("tsumo", "dahai", "kakan", *_CALLS):
            self._lie(event)
            if event["actor"] == self.seat:
                self._follow_own(event)
        elif kind == "win":
            self._follow_win(event)
        elif kind == "void" and event["actor"] == self.seat:
            self.hand["void"] = _SUITS.index(event["suit"])
        waiting = int(self.hand["void"][0]) >= 0 and int(own_tiles(self.hand).sum()) == 13 + self._kongs()
        if waiting or self._won:
            self._count()

    def _kongs(self) -> int:
        """Return the number of kongs of the hand, each one tile more than a set."""
        return int(self.hand["kongs"][0]).bit_count()

    def _lie(self, event: dict[str, Any]) -> None:
        """Update the visible tiles of the others and of the own river."""
        kind = event["type"]
        if kind == "dahai":
            self.visible[_kind(event["pai"])] += 1
        elif kind in _CALLS or kind == "kakan":
            laid = event["consumed"] if kind in _CALLS else [event["pai"]]
            if event["actor"] != self.seat:
                for name in laid:
                    self.visible[_kind(name)] += 1
            elif kind in ("pon", "daiminkan"):  # the called tile is part of the own melds
                self.visible[_kind(event["pai"])] -= 1

    def _follow_own(self, event: dict[str, Any]) -> None:
        kind = event["type"]
        if kind == "tsumo":
            return self._take([event["pai"]], 1)
        self._take([event["pai"]] if kind in ("dahai", "kakan") else event["consumed"], -1)
        if kind == "dahai":
            return None
        bit = 1 << _kind(event["consumed"][0])
        if kind == "pon":
            self.hand["pungs"] |= bit
        else:
            self.hand["pungs"] &= ~bit
            self.hand["kongs"] |= bit
        return None

    def _follow_win(self, event: dict[str, Any]) -> None:
        """Take in a win: the winner is out of play; a robbed kong becomes a pung, and its tile is visible."""
        self._won = self._won or event["actor"] == self.seat
        bit = 1 << _kind(event["pai"])
        if event["robbed"] and event["target"] == self.seat and int(self.hand["kongs"][0]) & bit:
            self.hand["kongs"] &= ~bit
            self.hand["pungs"] |= bit
            self.visible[_kind(event["pai"])] += 1

    def _count(self) -> None:
        """Compute shanten and waits of a hand that waits for a draw."""
        if self._won:
            self._own = Own(type="own", shanten=-1, waits=[], furiten=False)
            return
        ukeire = self._ukeire(self.hand)
        shanten, mask = int(ukeire["shanten"][AS_IT_IS]), int(ukeire["accepted"][AS_IT_IS])
        waits = shanten == 0
        self._own = Own(
            type="own",
            shanten=shanten,
            waits=accepted_of(mask, ukeire["visible"]) if waits else [],
            furiten=False,
            worth=worth_of(self.hand, self.rules) if waits else [],
        )

    def _ukeire(self, hand: NDArray[Any]) -> Any:
        return ukeire_arrays(hand, self.visible[None])[0]

    def own(self) -> Own:
        """Return shanten and waits of the hand after its last discard, or as dealt."""
        return self._own

    def win(self, batch: DecisionBatch) -> Worth | None:
        """Return the value of the win that a decision offers; None without one."""
        return worth_of_win(np.asarray(batch.views)[0], self.rules)

    def calls(self, options: Sequence[Option]) -> list[Call]:
        """Return nothing: every complete hand wins."""
        return []

    def discards(self, tiles: Sequence[str]) -> list[Discard]:
        """Return the tiles (mjai names) whose discard leaves the hand tenpai, with its waits."""
        if not tiles:
            return []
        ukeire = self._ukeire(self.hand)
        discards = []
        for name in tiles:
            kind = _kind(name)
            if int(ukeire["shanten"][kind]) == 0:
                after = self.hand.copy()
                after["counts"][0, kind] -= 1
                waits = accepted_of(int(ukeire["accepted"][kind]), ukeire["visible"])
                worth = worth_of(after, self.rules)
                discards.append(Discard(tile=name, waits=waits, furiten=False, worth=worth))
        return discards
