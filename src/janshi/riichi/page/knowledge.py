"""Information that a seat of Riichi can derive from the events sent to it (`janshi.web.pages.SeatKnowledge`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.core.shanten import AS_IT_IS
from janshi.review.model import Option, Worth
from janshi.review.reviewing import accepted_of
from janshi.riichi.actions import Action
from janshi.riichi.hands import new_winnings, shanten, ukeire_arrays, waits
from janshi.riichi.hands.score import evaluated
from janshi.riichi.legal import forbidden_after_chii
from janshi.riichi.page.worth import each_of, winning_row, worth_of, worth_of_waits
from janshi.riichi.rules import Rules
from janshi.riichi.state import MeldForm, Offer
from janshi.table import DecisionBatch
from janshi.tiles import EAST, KINDS, from_mjai, is_red, kind_of, red_of, to_mjai
from janshi.web.messages import Call, Discard, Own

_CALLS: Final = {
    "chi": MeldForm.CHII,
    "pon": MeldForm.PON,
    "daiminkan": MeldForm.DAIMINKAN,
    "ankan": MeldForm.ANKAN,
}
#: Options that lay down tiles of a meld.
_MELDS: Final = {*_CALLS, "kakan"}
#: Calls of another seat's tile.
_CLAIMS: Final = {"chi", "pon", "daiminkan"}
#: Own events after which the next draw is a replacement tile.
_REPLACED: Final = {"daiminkan", "ankan", "kakan", "nukidora"}


def _kind(name: str) -> int:
    return kind_of(from_mjai(name))


def _is_red(name: str) -> bool:
    return is_red(from_mjai(name))


def _kinds_in(mask: int) -> list[int]:
    return [kind for kind in range(KINDS) if mask >> kind & 1]


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
        self._reds: NDArray[np.int8] = np.zeros(KINDS, np.int8)  # red fives among them
        self.visible: NDArray[np.int8] = np.zeros(KINDS, np.int8)
        """Visible tiles of each kind: rivers, calls, norths set aside, indicators."""
        self._held: NDArray[Any] = np.asarray(new_winnings(1))
        self._mine: Any = winning_row(self._held)
        """Melds, winds and indicators; the concealed tiles are in `hand`."""
        self._river = 0
        self._interrupted = self._replaced = False
        self._offered = False
        self._missed = False
        self._drawn = "?"
        self._shanten, self._waits = 0, 0
        self._worth: list[Worth] = []
        self._hold(hand, 1)
        self._mine.reds = sum(map(_is_red, hand))
        for name in indicators:
            self._show_indicator(name)
        if hand:
            self._count_shanten()

    @staticmethod
    def _move(counts: NDArray[np.int8], names: Sequence[str], count: int) -> None:
        for name in names:
            counts[_kind(name)] += count

    def _hold(self, names: Sequence[str], count: int) -> None:
        self._move(self.hand, names, count)
        self._move(self._reds, [name for name in names if _is_red(name)], count)

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
            self._mine.seat_wind = EAST + (self.seat - event["oya"]) % self.rules.players
            self._mine.round_wind = EAST + "ESWN".index(event["bakaze"])
        elif kind == "dora":
            self._show_indicator(event["dora_marker"])
            self._count_without_draw()
        elif "actor" in event and kind != "hora":
            self._follow(event, event["actor"] == self.seat)

    def _show_indicator(self, name: str) -> None:
        self._move(self.visible, [name], 1)
        self._mine.dora[int((self._mine.dora >= 0).sum())] = _kind(name)

    def _draw(self, count: int) -> None:
        """Add the drawn tile to the hand, or remove it if ``count`` is −1."""
        self._hold([self._drawn], count)
        self._mine.reds += count * _is_red(self._drawn)

    def _count_without_draw(self) -> None:
        """Compute the values of waits anew, of the hand before the replacement tile if there is one."""
        replaced = int(self.hand.sum()) % 3 == 2
        if replaced:
            self._draw(-1)
        self._count_shanten()
        if replaced:
            self._draw(1)

    def _follow(self, event: dict[str, Any], own: bool) -> None:
        """Take in a move of a seat."""
        kind = event["type"]
        if kind == "reach" and own:
            self._mine.riichi = 1 if self._river or self._interrupted else 2
        elif kind == "tsumo" and own:
            self._drawn = event["pai"]
            self._draw(1)
        elif kind in _CALLS or kind in ("dahai", "kakan", "nukidora"):
            laid = event["consumed"] if kind in _CALLS else [event["pai"]]
            self._move(self.visible, laid, 1)
            self._interrupted = self._interrupted or kind != "dahai"
            if own:
                self._lay_down(event, laid)
            elif kind not in _CALLS:
                self._offered = bool(self._waits >> _kind(event["pai"]) & 1)
            elif kind == "ankan" and self.rules.orphans_rob_closed_kan:
                self._offered = bool(self._waits >> _kind(laid[0]) & 1) and self._waits_for_orphans()

    def _waits_for_orphans(self) -> bool:
        return int(self._mine.calls) == 0 and shanten(self.hand.tolist(), 0, self.rules.players, "orphans") == 0

    def _lay_down(self, event: dict[str, Any], tiles: Sequence[str]) -> None:
        """Remove tiles from the own hand."""
        kind, mine = event["type"], self._mine
        self._hold(tiles, -1)
        self._replaced = kind in _REPLACED
        if kind in _CALLS or kind == "kakan":
            self._add_meld(mine, kind, tiles, event["pai"] if kind in _CLAIMS else None)
        elif kind == "nukidora":
            mine.kitas += 1
        elif kind == "dahai":
            mine.reds -= _is_red(tiles[0])
            self._river |= 1 << _kind(tiles[0])
            self._missed = self._missed and mine.riichi > 0
        if int(self.hand.sum()) % 3 == 1:
            self._count_shanten()

    @staticmethod
    def _add_meld(mine: Any, kind: str, tiles: Sequence[str], called: str | None) -> None:
        """Add a call or kan of concealed tiles and perhaps a called one to a `Winning`."""
        if kind == "kakan":
            mine.forms[(mine.forms == MeldForm.PON) & (mine.kinds == _kind(tiles[0]))] = MeldForm.KAKAN
            return
        meld = [*tiles, called] if called is not None else tiles
        mine.forms[mine.calls] = _CALLS[kind]
        mine.kinds[mine.calls] = min(map(_kind, meld))
        mine.calls += 1
        mine.reds += called is not None and _is_red(called)

    def _count_shanten(self) -> None:
        """Compute shanten, waits and their values for a hand that waits for a draw."""
        calls, players = int(self._mine.calls), self.rules.players
        self._shanten = shanten(self.hand.tolist(), calls, players)
        kinds = waits(self.hand.tolist(), calls, players) if self._shanten == 0 else []
        self._waits = sum(1 << kind for kind in kinds)
        self._worth = self._worth_of_waits(self._held, self.hand, kinds)

    def _worth_of_waits(
        self, held: NDArray[Any], hand: NDArray[np.int8], kinds: Sequence[int], discard: str | None = None
    ) -> list[Worth]:
        """Return the values of waits, of a hand and its melds after a discard if one is given."""
        if not kinds:
            return []
        held = held.copy()
        held["counts"] = hand
        if discard is not None:
            held["counts"][0, _kind(discard)] -= 1
            held["reds"] -= _is_red(discard)
        return worth_of_waits(held, kinds, self.rules)

    def win(self, batch: DecisionBatch) -> Worth | None:
        """Return the value of the win that a decision offers, without honba and ura-dora; None without one."""
        view, legal = np.asarray(batch.views)[0], batch.legal[0]
        if not (legal[Action.TSUMO] or legal[Action.RON]):
            return None
        tsumo, seat, held = bool(legal[Action.TSUMO]), view["seats"][self.seat], self._held.copy()
        tile = int(view["drawn"] if tsumo else view["tile"])
        hand: Any = winning_row(held)
        hand.counts = self.hand
        hand.kind = kind_of(tile)
        if not tsumo:
            hand.counts[hand.kind] += 1
            hand.reds += is_red(tile)
        first = int(seat["discards"]) == 0 and not int(view["interrupted"])
        hand.tsumo, hand.ippatsu = tsumo, seat["ippatsu"]
        hand.rinshan = tsumo and self._replaced
        hand.chankan = not tsumo and int(view["claimed"]) in (Offer.KAKAN, Offer.ANKAN)
        hand.last = int(view["left"]) == 0 and not hand.rinshan and (tsumo or int(view["claimed"]) == Offer.DISCARD)
        hand.first = first and (tsumo or bool(self.rules.renhou))
        values, _, _ = evaluated(held, self.rules)
        return worth_of(values[0], hand, self.rules, each_of(values[0], held[0], self.rules))

    def own(self) -> Own:
        """Return shanten and waits of the hand after its last discard, or as dealt."""
        furiten = self._waits & self._river != 0 or (self._waits != 0 and self._missed)
        waits = accepted_of(self._waits, self.hand + self.visible)
        return Own(type="own", shanten=self._shanten, waits=waits, furiten=furiten, worth=self._worth)

    def discards(self, tiles: Sequence[str]) -> list[Discard]:
        """Return the tiles (mjai names) whose discard leaves the hand tenpai, with its waits."""
        if not tiles:
            return []
        after = ukeire_arrays(self.hand[None], self.visible, calls=int(self._mine.calls), players=self.rules.players)
        discards = []
        for name in tiles:
            discard = _kind(name)
            if int(after.shanten[0, discard]) == 0:
                waiting = self._waiting(self._held, self.hand, int(after.accepted[0, discard]), name)
                discards.append(Discard(tile=name, **waiting))
        return discards

    def _waiting(
        self, held: NDArray[Any], hand: NDArray[np.int8], mask: int, discard: str | None
    ) -> dict[str, Any]:
        """Return the fields of `Discard` and `Call` about the waits of a hand and its melds, after a discard if any."""
        river = self._river | (0 if discard is None else 1 << _kind(discard))
        return {
            "waits": accepted_of(mask, self.hand + self.visible),
            "furiten": mask & river != 0 or (self._missed and int(self._mine.riichi) > 0),
            "worth": self._worth_of_waits(held, hand, _kinds_in(mask), discard),
        }

    def calls(self, options: Sequence[Option]) -> list[Call]:
        """Return the calls and kans among the options that leave the hand tenpai, with the waits."""
        return [call for option in options if option.name in _MELDS and (call := self._call(option)) is not None]

    def _call(self, option: Option) -> Call | None:
        """Return the waits after a call or kan, and after the best discard if one follows; None if not tenpai."""
        assert option.tile is not None
        called = option.tile if option.name in _CLAIMS else None
        laid = [option.tile] if option.name == "kakan" else option.tiles
        held, hand, reds = self._held.copy(), self.hand.copy(), self._reds.copy()
        self._move(hand, laid, -1)
        self._move(reds, [name for name in laid if _is_red(name)], -1)
        mine: Any = winning_row(held)
        self._add_meld(mine, option.name, laid, called)
        visible, calls = self.visible + self.hand - hand, int(mine.calls)
        after = ukeire_arrays(hand[None], visible, calls=calls, players=self.rules.players)
        possible = []
        for slot in self._discards_after(hand, called, laid):
            if int(after.shanten[0, slot]) == 0:
                tile = None
                if slot != AS_IT_IS:
                    tile = to_mjai(red_of(slot) if reds[slot] == hand[slot] else slot)
                waiting = self._waiting(held, hand, int(after.accepted[0, slot]), tile)
                possible.append(Call(action=option.action, discard=tile, **waiting))
        return max(possible, key=_chances, default=None)

    def _discards_after(self, hand: NDArray[np.int8], called: str | None, laid: Sequence[str]) -> list[int]:
        """Return the kinds that may be discarded after a call; `AS_IT_IS` after a kan, which is followed by a draw."""
        if int(hand.sum()) % 3 == 1 or called is None:
            return [AS_IT_IS]
        kind, own = _kind(called), [_kind(name) for name in laid]
        # Nothing but the called tile is barred after a pon, as after a chii in the middle.
        position = 1 if kind in own else kind - min(kind, *own)
        barred = forbidden_after_chii(self.rules.kuikae, kind, position)
        return [kind for kind in range(KINDS) if hand[kind] and not barred >> kind & 1]


def _chances(call: Call) -> tuple[int, bool, int]:
    """Return the key by which a discard after a call is the best: tiles that win by a yaku, no furiten, all tiles."""
    winning = {worth.tile for worth in call.worth if worth.points}
    left = [(each.left, each.tile in winning) for each in call.waits]
    return sum(count for count, wins in left if wins), not call.furiten, sum(count for count, _ in left)
