"""Tiles of called sets and kans, from their `MeldForm` and lowest kind, for compiled code."""

from __future__ import annotations

from janshi.compiling import leaf
from janshi.riichi.state import MeldForm, Seat


@leaf
def kinds_of_meld(form: int, low: int) -> int:
    """Return the mask of the kinds of a meld."""
    return (0b111 if form == MeldForm.CHII else 1) << low


@leaf
def copies_in_meld(form: int) -> int:
    """Return the number of tiles of each kind of a meld: one in a run, three in a triplet, four in a kan."""
    return 1 if form == MeldForm.CHII else 3 if form == MeldForm.PON else 4


@leaf
def tiles_in_meld(form: int, low: int, kind: int) -> int:
    """Return the number of tiles of a kind in a meld."""
    return copies_in_meld(form) if kinds_of_meld(form, low) >> kind & 1 else 0


@leaf
def called_triplets(seat: Seat) -> int:
    """Return the mask of the kinds of a seat's triplets and kans."""
    mask = 0
    for slot in range(int(seat.calls)):
        meld = seat.melds[slot]
        if int(meld.form) != MeldForm.CHII:
            mask |= 1 << int(meld.kind)
    return mask
