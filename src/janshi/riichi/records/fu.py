"""Sources of the fu of recorded wins, for events: records contain only the sum."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from janshi.riichi.hands.score import FuPart, fu_parts, new_winnings
from janshi.riichi.records.model import RecordedHand, RecordedWin
from janshi.riichi.rules import Rules
from janshi.riichi.rules.yaku import YakuId
from janshi.riichi.state import Event, MeldForm
from janshi.tiles import EAST, KINDS, is_red, kind_of, tile_of_id

_FORMS: Final = {
    Event.CHII: MeldForm.CHII,
    Event.PON: MeldForm.PON,
    Event.DAIMINKAN: MeldForm.DAIMINKAN,
    Event.ANKAN: MeldForm.ANKAN,
    Event.KAKAN: MeldForm.KAKAN,
}


def fu_parts_of(rules: Rules, hand: RecordedHand, win: RecordedWin) -> tuple[FuPart, ...]:
    """Return the sources of a win's fu; none for a yakuman, or if the rules give other fu than the record."""
    if win.yakuman:
        return ()
    fu, parts = fu_parts(_winning(rules, hand, win), rules)
    return parts if fu == win.fu else ()


def _winning(rules: Rules, hand: RecordedHand, win: RecordedWin) -> Any:
    """Return a recorded win as `Winning` records of length 1."""

    def kinds(tiles: Sequence[int]) -> list[int]:
        return [kind_of(tile_of_id(tile, rules.red_fives)) for tile in tiles]

    winnings: Any = np.asarray(new_winnings(1))
    winning, yaku = winnings[0], dict(win.yaku)
    melds = [meld for meld in reversed(win.melds) if meld.event != Event.KITA]
    tiles = [*win.hand, *(tile for meld in melds for tile in meld.tiles)]
    winning["counts"] = np.bincount(kinds(win.hand), minlength=KINDS)
    winning["forms"][: len(melds)] = [_FORMS[meld.event] for meld in melds]
    winning["kinds"][: len(melds)] = [min(kinds(meld.tiles)) for meld in melds]
    winning["dora"][: len(win.dora)] = kinds(win.dora)
    winning["ura"][: len(win.ura)] = kinds(win.ura)
    winning["calls"], winning["kitas"] = len(melds), len(win.melds) - len(melds)
    (winning["kind"],) = kinds([win.tile])
    winning["seat_wind"] = EAST + (win.who - hand.dealer) % rules.players
    winning["round_wind"] = EAST + hand.round // 4
    winning["reds"] = sum(is_red(tile_of_id(tile, rules.red_fives)) for tile in tiles)
    winning["tsumo"] = win.who == win.from_who
    winning["riichi"] = 2 if YakuId.DOUBLE_RIICHI in yaku else YakuId.RIICHI in yaku
    for name, number in (("ippatsu", YakuId.IPPATSU), ("rinshan", YakuId.RINSHAN_KAIHOU), ("chankan", YakuId.CHANKAN)):
        winning[name] = number in yaku
    winning["last"] = YakuId.HAITEI in yaku or YakuId.HOUTEI in yaku
    return winnings
