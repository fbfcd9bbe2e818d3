"""The flat action space of Riichi: 122 numbers, the same for three and four players.

=========== ==========================================================================================
action      effect
=========== ==========================================================================================
0–36        discard that tile from the hand (tedashi; the tile just drawn is another action)
37          discard the tile just drawn (tsumogiri)
38          declare riichi; the discard is decided next
39, 40, 41  chii with the called tile lowest, in the middle, highest
42, 43, 44  the same with the red five of the hand
45, 46, 47  pon with no, one, two red fives of the hand
48          open kan (daiminkan)
49          set a North aside (kita)
50          win by self-draw (tsumo)
51          win by discard (ron)
52          abort the hand: kyuushu kyuuhai; at an exhaustive draw, show the tenpai hand
53          pass; at an exhaustive draw, keep the hand hidden
54–87       closed kan (ankan) of kind 0–33
88–121      added kan (kakan) of kind 0–33
=========== ==========================================================================================

Inside the engine the legal actions are three 64-bit words: actions 0–53, kinds of closed kans, kinds of added kans.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from janshi.tiles import tile_text

#: Size of the action space.
ACTIONS: Final = 122
#: Actions in the first word of legal actions; the closed and the added kans follow.
SIMPLE_ACTIONS: Final = 54


class Action(IntEnum):
    """Actions by name; for those with several forms (discards, chii, pon, kans) the first number."""

    DISCARD = 0
    TSUMOGIRI = 37
    RIICHI = 38
    CHII = 39
    CHII_RED = 42
    PON = 45
    DAIMINKAN = 48
    KITA = 49
    TSUMO = 50
    RON = 51
    KYUUSHU_KYUUHAI = 52
    PASS = 53
    ANKAN = 54
    KAKAN = 88


_CHII: Final = ("low", "middle", "high")
_TEXTS: Final = {
    Action.TSUMOGIRI: "discard the drawn tile",
    Action.RIICHI: "riichi",
    Action.DAIMINKAN: "open kan",
    Action.KITA: "kita",
    Action.TSUMO: "tsumo",
    Action.RON: "ron",
    Action.KYUUSHU_KYUUHAI: "kyuushu kyuuhai",
    Action.PASS: "pass",
}


def action_text(action: int) -> str:
    """Return an action in words.

    >>> action_text(35), action_text(41), action_text(46), action_text(88)
    ('discard 0p', 'chii (called tile high)', 'pon with 1 red five', 'added kan 1m')
    """
    if not 0 <= action < ACTIONS:
        raise ValueError(f"{action} is not an action: actions are 0 to {ACTIONS - 1}")
    if action < Action.TSUMOGIRI:
        return f"discard {tile_text(action)}"
    if Action.CHII <= action < Action.PON:
        red = ", red five" if action >= Action.CHII_RED else ""
        return f"chii (called tile {_CHII[(action - Action.CHII) % 3]}{red})"
    if Action.PON <= action < Action.DAIMINKAN:
        reds = action - Action.PON
        return "pon" if not reds else f"pon with {reds} red five{'s' if reds > 1 else ''}"
    if Action.ANKAN <= action < Action.KAKAN:
        return f"closed kan {tile_text(action - Action.ANKAN)}"
    if action >= Action.KAKAN:
        return f"added kan {tile_text(action - Action.KAKAN)}"
    return _TEXTS[Action(action)]
