"""What a table of Sichuan mahjong says to a seat, as compiled rules over its view: the facet ``"say"``."""

from __future__ import annotations

from typing import Final

from janshi.say import Say
from janshi.say.names import TABLES
from janshi.sichuan.say import events
from janshi.sichuan.say.advice import advice_numbers
from janshi.sichuan.say.ends import ends
from janshi.sichuan.say.events import new_events
from janshi.sichuan.say.question import own_hands, questions
from janshi.sichuan.state import Fan

SAY: Final = Say(
    own=own_hands,
    question=questions,
    advice=advice_numbers,
    new_events=new_events,
    ends=ends,
    progress=events.SichuanProgress,
    names={
        **TABLES,
        "reason": events.REASON_NAMES,
        "fan": [fan.name.lower() for fan in Fan],
    },
)
