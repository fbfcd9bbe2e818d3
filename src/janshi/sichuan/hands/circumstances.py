"""Circumstances of a win that exclude each other, as a table of signs with a message for each group of rows."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Final

from janshi.core.hands import HandError
from janshi.sichuan.rules import Rules
from janshi.sichuan.state import Fan


class Sign(IntEnum):
    """Circumstance of a win, or what the hand or the rules show about it; the first ones are those of `Fan`."""

    AFTER_KONG = Fan.AFTER_KONG
    KONG_DISCARD = Fan.KONG_DISCARD
    ROBBING = Fan.ROBBING
    LAST_TILE = Fan.LAST_TILE
    HEAVEN = Fan.HEAVEN
    EARTH = Fan.EARTH
    SELF_DRAW = Fan.SELF_DRAW
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
        (Sign.AFTER_KONG, Sign.NO_KONG),
    ),
    (
        "kong_discard and robbing are wins on another’s tile, not by self-draw",
        (Sign.KONG_DISCARD, Sign.SELF_DRAW),
        (Sign.ROBBING, Sign.SELF_DRAW),
    ),
    (
        "heaven and earth are self-draws in the first turn, not wins on another’s tile",
        (Sign.HEAVEN, Sign.CLAIMED),
        (Sign.EARTH, Sign.CLAIMED),
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


def check_circumstances(hand: Any, rules: Rules, self_drawn: bool) -> None:
    """Raise `HandError` if circumstances of a hand (`janshi.sichuan.hands.score.SichuanHand`) exclude each other."""
    kind, melds = int(hand["kind"]), int(hand["pungs"]) | int(hand["kongs"])
    signs = {sign for sign in Sign if sign <= Fan.SELF_DRAW and int(hand["circumstances"]) >> sign & 1}
    for sign, present in (
        (Sign.CLAIMED, not self_drawn),
        (Sign.NO_KONG, not int(hand["kongs"])),
        (Sign.MELDED, melds != 0),
        (Sign.COPIES, int(hand["counts"][kind]) > 1 or melds >> kind & 1 == 1),
        (Sign.NO_ROBBING, not rules.rob_kong),
    ):
        if present:
            signs.add(sign)
    for words, *rows in _EXCLUDED:
        if any(signs.issuperset(row) for row in rows):
            raise HandError(words)
