"""Hands and offered wins of a view, for `janshi.riichi.hands.score_hands`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from janshi.riichi.hands.score import new_winnings
from janshi.riichi.state import Offer
from janshi.tiles import EAST, is_red, kind_of, kinds_of


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


def win_of_view(view: Any, tsumo: bool) -> NDArray[Any]:
    """Return the hand of a win that a view offers as `Winning` records (1,), without ura-dora and rinshan."""
    hands = winning_of_view(view)
    hand, seat = hands[0], view["seats"][int(view["seat"])]
    tile, claimed = int(view["drawn"] if tsumo else view["tile"]), int(view["claimed"])
    kind = kind_of(tile)
    if not tsumo:
        hand["counts"][kind] += 1
        hand["reds"] += is_red(tile)
    hand["kind"], hand["tsumo"], hand["ippatsu"] = kind, tsumo, seat["ippatsu"]
    hand["chankan"] = not tsumo and claimed in (Offer.KAKAN, Offer.ANKAN)
    hand["last"] = int(view["left"]) == 0 and (tsumo or claimed == Offer.DISCARD)
    first = int(seat["discards"]) == 0 and not int(view["interrupted"])
    hand["first"] = first and (tsumo or bool(view["rules"]["renhou"]))
    return hands
