"""What a view contains, as arrays: visible tiles, and hands and offered wins for `janshi.riichi.hands.score_hands`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Batch, zeros
from janshi.core.shanten import Ukeire
from janshi.riichi.analysis.visible import visible_tiles
from janshi.riichi.hands.score import new_winnings
from janshi.riichi.state import Offer, View
from janshi.tiles import EAST, is_red, kind_of, kinds_of


def seen_tiles(views: Batch[View]) -> NDArray[np.int8]:
    """Return the tiles of each kind visible to the seats of views (n, 34), their own included."""
    found = zeros(Ukeire, len(views))
    visible_tiles(views, found)
    seen: NDArray[np.int8] = np.asarray(found)["visible"]
    return seen


def winning_of_view(view: Any) -> NDArray[Any]:
    """Return the concealed tiles, melds, winds and indicators of a seat as `Winning` records (1,).

    ``view``: one record `janshi.riichi.state.View`; a tile just drawn is among the concealed ones.
    """
    hands = np.asarray(new_winnings(1))
    hand, me = hands[0], int(view["seat"])
    seat, shown = view["seats"][me], int(view["shown"])
    calls = int(seat["calls"])
    melds = seat["melds"][:calls]
    hand["counts"] = view["hand"]["counts"]
    hand["calls"], hand["kitas"], hand["riichi"] = calls, seat["kitas"], seat["riichi"]
    hand["forms"][:calls], hand["kinds"][:calls] = melds["form"], melds["kind"]
    hand["reds"] = int(view["hand"]["reds"].sum()) + int(melds["reds"].sum())
    hand["dora"][:shown] = kinds_of(view["indicators"][:shown])
    hand["seat_wind"] = EAST + (me - int(view["dealer"])) % int(view["rules"]["players"])
    hand["round_wind"] = EAST + int(view["kyoku"]) // 4
    return hands


def win_of_view(view: Any, tsumo: bool, *, rinshan: bool = False) -> NDArray[Any]:
    """Return the hand of a win that a view offers as `Winning` records (1,), with its circumstances, without ura-dora.

    ``rinshan``: whether the tile drawn is a replacement tile, which a view does not contain.
    """
    hands = winning_of_view(view)
    hand, seat = hands[0], view["seats"][int(view["seat"])]
    tile, claimed = int(view["drawn"] if tsumo else view["tile"]), int(view["claimed"])
    kind = kind_of(tile)
    if not tsumo:
        hand["counts"][kind] += 1
        hand["reds"] += is_red(tile)
    hand["kind"], hand["tsumo"], hand["ippatsu"], hand["rinshan"] = kind, tsumo, seat["ippatsu"], rinshan
    hand["chankan"] = not tsumo and claimed in (Offer.KAKAN, Offer.ANKAN)
    hand["last"] = int(view["left"]) == 0 and not rinshan and (tsumo or claimed == Offer.DISCARD)
    first = int(seat["discards"]) == 0 and not int(view["interrupted"])
    hand["first"] = first and (tsumo or bool(view["rules"]["renhou"]))
    return hands
