"""Circumstances of a win that exclude each other, as a table of signs with a message for each group of rows."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.core.hands import HandError
from janshi.sichuan.rules import Rules
from janshi.sichuan.state import KINDS, Fan


class Sign(IntEnum):
    """Circumstance of a win, or what the hand or the rules show about it; the first ones are those of `Fan`."""

    AFTER_KONG = Fan.AFTER_KONG
    KONG_DISCARD = Fan.KONG_DISCARD
    ROBBING = Fan.ROBBING
    LAST_TILE = Fan.LAST_TILE
    HEAVEN = Fan.HEAVEN
    EARTH = Fan.EARTH
    SELF_DRAWN = 20
    CLAIMED = 21
    NO_KONG = 22
    MELDED = 23
    COPIES = 24  # the hand or its melds hold more of the winning tile
    NO_ROBBING = 25  # by the rules


#: Messages, each with the rows of signs that never occur together.
_EXCLUDED: Final[tuple[tuple[str, *tuple[tuple[Sign, ...], ...]], ...]] = (
    (
        "after_kong is a self-draw after an own kong, not a win on another’s tile",
        (Sign.AFTER_KONG, Sign.CLAIMED),
        (Sign.AFTER_KONG, Sign.KONG_DISCARD),
        (Sign.AFTER_KONG, Sign.ROBBING),
        (Sign.AFTER_KONG, Sign.NO_KONG),
    ),
    (
        "kong_discard and robbing are wins on another’s tile, not by self-draw",
        (Sign.KONG_DISCARD, Sign.SELF_DRAWN),
        (Sign.ROBBING, Sign.SELF_DRAWN),
    ),
    (
        "heaven and earth are self-draws in the first turn, not wins on another’s tile",
        (Sign.HEAVEN, Sign.CLAIMED),
        (Sign.EARTH, Sign.CLAIMED),
        (Sign.HEAVEN, Sign.KONG_DISCARD),
        (Sign.EARTH, Sign.KONG_DISCARD),
        (Sign.HEAVEN, Sign.ROBBING),
        (Sign.EARTH, Sign.ROBBING),
    ),
    ("heaven is for the dealer, earth for the others: not both", (Sign.HEAVEN, Sign.EARTH)),
    ("heaven and earth come before any meld", (Sign.HEAVEN, Sign.MELDED), (Sign.EARTH, Sign.MELDED)),
    (
        "heaven and earth are in the first turn, and never with the last tile",
        (Sign.HEAVEN, Sign.LAST_TILE),
        (Sign.EARTH, Sign.LAST_TILE),
    ),
    ("robbing takes a tile added to a pung, not a discard", (Sign.ROBBING, Sign.KONG_DISCARD)),
    (
        "robbing is never with the last tile: a kong needs a replacement tile in the wall",
        (Sign.ROBBING, Sign.LAST_TILE),
    ),
    (
        "robbing takes the fourth tile of a kind: the hand and its melds have no other",
        (Sign.ROBBING, Sign.COPIES),
    ),
    ("the rules let nobody rob a kong", (Sign.ROBBING, Sign.NO_ROBBING)),
)


def check_circumstances(hands: NDArray[Any], rules: Rules, which: str, self_drawn: bool | None = None) -> None:
    """Raise `HandError` for hands (n,; `janshi.sichuan.hands.SichuanHand`) with circumstances that exclude each other.

    ``which`` begins the message, and takes the number of the hand. ``self_drawn``: None if that is not known.
    """
    numbers = np.flatnonzero(hands["circumstances"])
    if len(numbers) == 0:
        return
    signs = _signs(hands[numbers], rules, self_drawn)
    for words, *rows in _EXCLUDED:
        for row in rows:
            mask = sum(1 << sign for sign in row)
            for number in numbers[(signs & mask) == mask]:
                raise HandError(which.format(number) + words)


def _signs(hands: NDArray[Any], rules: Rules, self_drawn: bool | None) -> NDArray[np.int64]:
    """Return the signs of hands as masks."""
    kinds = np.clip(hands["kind"], 0, KINDS - 1).astype(np.int64)
    melds = hands["pungs"] | hands["kongs"]
    held = hands["counts"][np.arange(len(hands)), kinds]
    signs = hands["circumstances"].astype(np.int64)
    for sign, present in (
        (Sign.SELF_DRAWN, self_drawn is True),
        (Sign.CLAIMED, self_drawn is False),
        (Sign.NO_KONG, hands["kongs"] == 0),
        (Sign.MELDED, melds != 0),
        (Sign.COPIES, (held > 1) | (melds >> kinds & 1 == 1)),
        (Sign.NO_ROBBING, not rules.rob_kong),
    ):
        signs |= np.where(present, 1 << sign, 0)
    return signs
