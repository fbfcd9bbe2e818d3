"""Information that a seat of Riichi can derive from the events sent to it (`janshi.web.pages.SeatKnowledge`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.core.shanten import AS_IT_IS
from janshi.mjai.events import tiles_of
from janshi.mjai.table import KnownTable
from janshi.records.story import HIDDEN
from janshi.review.model import Option, Worth
from janshi.review.reviewing import accepted_of
from janshi.riichi.actions import Action
from janshi.riichi.analysis.views import seen_tiles, win_of_view, winning_of_view
from janshi.riichi.analysis.worth import each_of, winning_row, worth_of, worth_of_waits
from janshi.riichi.hands import shanten, ukeire_arrays
from janshi.riichi.hands.score import evaluated
from janshi.riichi.play.legal import forbidden_after_chii
from janshi.riichi.rules import Rules
from janshi.riichi.state import MeldForm
from janshi.table import DecisionBatch
from janshi.tiles import KINDS, from_mjai, is_red, kind_of, to_mjai
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
#: Events after whose own ones the hand may wait for a draw.
_LAID: Final = {*_MELDS, "dahai", "nukidora"}
#: Furiten to the end of the hand (`janshi.riichi.state.Hand.missed`), which a discard does not end.
_TO_THE_END: Final = 2


def _kind(name: str) -> int:
    return kind_of(from_mjai(name))


class Knowledge:
    """One seat's knowledge, updated event by event: its hand after the last discard, and the rest of a `KnownTable`.

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
        self._table = KnownTable(rules)
        self._table.seat = seat
        self._shanten, self._waits = 0, 0
        self._worth: list[Worth] = []

    def warm_up(self) -> None:
        """Compile what this class calls."""
        other, own = Knowledge(self.rules, self.seat), [to_mjai(kind) for kind in range(9, 22)]
        hands = [own if seat == self.seat else [HIDDEN] * 13 for seat in range(self.rules.players)]
        start = {"type": "start_kyoku", "bakaze": "E", "kyoku": 1, "oya": self.seat, "dora_marker": "E"}
        other.follow({**start, "tehais": hands})
        other.follow({"type": "tsumo", "actor": self.seat, "pai": "N"})
        other.discards(["N"])

    def follow(self, event: dict[str, Any]) -> None:
        """Take in one event visible to the seat (`janshi.riichi.records.live.seen_by`)."""
        self._table.hear(event)
        kind = event["type"]
        if kind in ("start_kyoku", "dora") or (kind in _LAID and event["actor"] == self.seat):
            self._count()

    def _view(self) -> Any:
        return np.asarray(self._table.view())[0]

    def _seen(self) -> NDArray[np.int8]:
        seen: NDArray[np.int8] = seen_tiles(self._table.view())[0]
        return seen

    def _count(self) -> None:
        """Compute shanten, waits and their values of the hand without a tile just drawn, if it waits for a draw."""
        view = self._view()
        held, drawn = winning_of_view(view), int(view["drawn"])
        counts = held["counts"][0]
        if int(counts.sum()) % 3 == 2 and drawn >= 0:
            counts[kind_of(drawn)] -= 1
            held["reds"] -= is_red(drawn)
        if int(counts.sum()) % 3 == 1:
            self._shanten = shanten(counts, int(held["calls"][0]), self.rules.players)
            self._waits = int(view["hand"]["waits"])
            self._worth = self._worth_of(held, self._waits)

    def _worth_of(self, held: NDArray[Any], mask: int) -> list[Worth]:
        """Return the values of waits (a mask) of a hand and its melds."""
        kinds = [kind for kind in range(KINDS) if mask >> kind & 1]
        return worth_of_waits(held, kinds, self.rules) if kinds else []

    def win(self, batch: DecisionBatch) -> Worth | None:
        """Return the value of the win that a decision offers, without honba and ura-dora; None without one."""
        tsumo, ron = (bool(batch.legal[0, action]) for action in (Action.TSUMO, Action.RON))
        if not (tsumo or ron):
            return None
        hands = win_of_view(np.asarray(batch.views)[0], tsumo, rinshan=tsumo and self._table.rinshan)
        values, _, _ = evaluated(hands, self.rules)
        return worth_of(values[0], winning_row(hands), self.rules, each_of(values[0], hands[0], self.rules))

    def own(self) -> Own:
        """Return shanten and waits of the hand after its last discard, or as dealt."""
        if not self._waits:
            return Own(type="own", shanten=self._shanten, waits=[], furiten=False)
        waits, furiten = accepted_of(self._waits, self._seen()), self._furiten(self._waits, 1)
        return Own(type="own", shanten=self._shanten, waits=waits, furiten=furiten, worth=self._worth)

    def _furiten(self, mask: int, least: int, discard: str | None = None) -> bool:
        """Return whether a wait is furiten, also after a discard; ``least``: least `missed` of the hand that counts."""
        view = self._view()
        river = int(view["seats"][self.seat]["river_mask"]) | (0 if discard is None else 1 << _kind(discard))
        return mask & river != 0 or int(view["hand"]["missed"]) >= least

    def discards(self, tiles: Sequence[str]) -> list[Discard]:
        """Return the tiles (mjai names) whose discard leaves the hand tenpai, with its waits."""
        if not tiles:
            return []
        held, seen = winning_of_view(self._view()), self._seen()
        counts, calls = held["counts"], int(held["calls"][0])
        after = ukeire_arrays(counts, seen - counts[0], calls=calls, players=self.rules.players)
        return [
            Discard(tile=name, **self._waiting(held, seen, int(after.accepted[0, _kind(name)]), name))
            for name in tiles
            if int(after.shanten[0, _kind(name)]) == 0
        ]

    def _waiting(self, held: NDArray[Any], seen: NDArray[np.int8], mask: int, discard: str | None) -> dict[str, Any]:
        """Return the fields of `Discard` and `Call` about the waits of a hand and its melds, after a discard if any."""
        held = held.copy()
        if discard is not None:
            held["counts"][0, _kind(discard)] -= 1
            held["reds"] -= is_red(from_mjai(discard))
        return {
            "waits": accepted_of(mask, seen),
            "furiten": self._furiten(mask, _TO_THE_END, discard),
            "worth": self._worth_of(held, mask),
        }

    def calls(self, options: Sequence[Option]) -> list[Call]:
        """Return the calls and kans among the options that leave the hand tenpai, with the waits."""
        return [call for option in options if option.name in _MELDS and (call := self._call(option)) is not None]

    def _call(self, option: Option) -> Call | None:
        """Return the waits after a call or kan, and after the best discard if one follows; None if not tenpai."""
        assert option.tile is not None
        called = option.tile if option.name in _CLAIMS else None
        laid = [option.tile] if option.name == "kakan" else option.tiles
        view, seen = self._view(), self._seen()
        held, tiles = winning_of_view(view), tiles_of(view["hand"])
        hand = held["counts"][0]
        for name in laid:
            tiles.remove(from_mjai(name))
            hand[_kind(name)] -= 1
        _add_meld(winning_row(held), option.name, laid, called)
        calls = int(held["calls"][0])
        after = ukeire_arrays(hand[None], seen - hand, calls=calls, players=self.rules.players)
        possible = []
        for slot in self._discards_after(hand, called, laid):
            if int(after.shanten[0, slot]) == 0:
                # A plain five goes before a red one.
                tile = None if slot == AS_IT_IS else to_mjai(min(tile for tile in tiles if kind_of(tile) == slot))
                waiting = self._waiting(held, seen, int(after.accepted[0, slot]), tile)
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


def _add_meld(mine: Any, kind: str, tiles: Sequence[str], called: str | None) -> None:
    """Add a call or kan of concealed tiles and perhaps a called one to a `Winning`."""
    if kind == "kakan":
        mine.forms[(mine.forms == MeldForm.PON) & (mine.kinds == _kind(tiles[0]))] = MeldForm.KAKAN
        return
    meld = [*tiles, called] if called is not None else tiles
    mine.forms[mine.calls] = _CALLS[kind]
    mine.kinds[mine.calls] = min(map(_kind, meld))
    mine.calls += 1
    mine.reds += called is not None and is_red(from_mjai(called))


def _chances(call: Call) -> tuple[int, bool, int]:
    """Return the key by which a discard after a call is the best: tiles that win by a yaku, no furiten, all tiles."""
    winning = {worth.tile for worth in call.worth if worth.points}
    left = [(each.left, each.tile in winning) for each in call.waits]
    return sum(count for count, wins in left if wins), not call.furiten, sum(count for count, _ in left)
