"""The flat action space of Riichi: 122 numbers, the same for three and four players.

=========== ==========================================================================================
action      what
=========== ==========================================================================================
0–36        discard that tile from the hand (tedashi; the tile just drawn is another action)
37          discard the tile just drawn (tsumogiri)
38          declare riichi; the discard is decided next
39, 40, 41  chii with the called tile lowest, in the middle, highest
42, 43, 44  the same, laying down the red five
45, 46, 47  pon, laying down no, one, two red fives
48          open kan (daiminkan)
49          set a North aside (kita)
50          win by self-draw (tsumo)
51          win by discard (ron)
52          abort the hand: nine terminals
53          pass
54–87       closed kan (ankan) of kind 0–33
88–121      added kan (kakan) of kind 0–33
=========== ==========================================================================================

Inside the engine the legal actions are three 64-bit words: actions 0–53, kinds of closed kans, kinds of added kans.
"""

from __future__ import annotations

from typing import Final

ACTIONS: Final = 122

DISCARD: Final = 0
TSUMOGIRI: Final = 37
RIICHI: Final = 38
CHII: Final = 39
CHII_RED: Final = 42
PON: Final = 45
DAIMINKAN: Final = 48
KITA: Final = 49
TSUMO: Final = 50
RON: Final = 51
NINE_TERMINALS: Final = 52
PASS: Final = 53
ANKAN: Final = 54
KAKAN: Final = 88
