"""What a table of Sichuan mahjong says to a seat, as compiled rules over its view: the facet ``"say"``."""

from __future__ import annotations

from typing import Final

from janshi.say import Say
from janshi.say.events import EVENTS, SUIT_NAMES, TILE_NAMES
from janshi.sichuan.say import advising, asking, telling
from janshi.sichuan.say.advising import advised
from janshi.sichuan.say.asking import asked, own_hands
from janshi.sichuan.say.telling import told
from janshi.sichuan.state import Fan

SAY: Final = Say(
    own=own_hands,
    asked=asked,
    advised=advised,
    told=told,
    telling=telling.TellSichuan,
    names={
        "tile": TILE_NAMES,
        "event": EVENTS,
        "reason": telling.REASON_NAMES,
        "action": asking.NAMES,
        "fan": [fan.name.lower() for fan in Fan],
        "safety": advising.NAMES,
        "suit": SUIT_NAMES,
    },
)
