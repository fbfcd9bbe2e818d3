"""Tiles visible to a seat, and the kinds of its game."""

from __future__ import annotations

from janshi.compiling import batched, leaf, rule
from janshi.core.kinds import ALL_KINDS, SANMA_KINDS, kind_of_tile
from janshi.core.shanten import Ukeire
from janshi.riichi.melds import copies_in_meld
from janshi.riichi.state import DiscardFlag, MeldForm, View
from janshi.tiles import NORTH


@leaf
def kinds_in_play(view: View) -> int:
    """Return the kinds of the game as a mask."""
    return SANMA_KINDS if int(view.rules.players) == 3 else ALL_KINDS


@rule
def count_visible(view: View, out: Ukeire) -> None:
    """Count the tiles of each kind visible to the view's seat, its own included, into ``out.visible``."""
    for kind in range(34):
        out.visible[kind] = int(view.hand.counts[kind])
    for number in range(int(view.rules.players)):
        seat = view.seats[number]
        out.visible[NORTH] += int(seat.kitas)
        for index in range(int(seat.discards)):
            if not int(seat.marks[index]) & DiscardFlag.CALLED:
                out.visible[kind_of_tile(int(seat.river[index]))] += 1
        for index in range(int(seat.calls)):
            form, low = int(seat.melds[index].form), int(seat.melds[index].kind)
            for kind in range(low, low + (3 if form == MeldForm.CHII else 1)):
                out.visible[kind] += copies_in_meld(form)
    for index in range(int(view.shown)):
        out.visible[kind_of_tile(int(view.indicators[index]))] += 1


visible_tiles = batched(count_visible, brief=True)
