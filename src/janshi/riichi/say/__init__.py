"""What a table of Riichi says to a seat, as compiled rules over its view: the facet ``"say"``."""

from __future__ import annotations

from typing import Final

from janshi.riichi.hands.yaku import YAKU
from janshi.riichi.say import advising, options, telling
from janshi.riichi.say.advising import advised
from janshi.riichi.say.asking import asked
from janshi.riichi.say.own import own_hands
from janshi.riichi.say.telling import told
from janshi.say import Say
from janshi.say.events import EVENTS, SUIT_NAMES, TILE_NAMES

SAY: Final = Say(
    own=own_hands,
    asked=asked,
    advised=advised,
    told=told,
    telling=telling.TellRiichi,
    names={
        "tile": TILE_NAMES,
        "event": EVENTS,
        "wind": telling.WINDS,
        "reason": tuple(telling.REASONS.values()),
        "fu": telling.FU_NAMES,
        "action": options.NAMES,
        "fan": [yaku.name for yaku in YAKU],
        "safety": advising.NAMES,
        "suit": SUIT_NAMES,
    },
)
