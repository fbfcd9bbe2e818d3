"""What a table of Riichi says to a seat, as compiled rules over its view: the facet ``"say"``."""

from __future__ import annotations

from typing import Final

from janshi.riichi.hands.yaku import YAKU
from janshi.riichi.rules.yaku import DORA, RED_FIVES
from janshi.riichi.say import events
from janshi.riichi.say.advice import advice_numbers
from janshi.riichi.say.ends import ends
from janshi.riichi.say.events import new_events
from janshi.riichi.say.own import own_hands
from janshi.riichi.say.question import questions
from janshi.riichi.say.stakes import stakes
from janshi.say import Say
from janshi.say.names import TABLES

SAY: Final = Say(
    own=own_hands,
    question=questions,
    advice=advice_numbers,
    new_events=new_events,
    ends=ends,
    progress=events.RiichiProgress,
    stakes=stakes,
    dora=range(DORA, RED_FIVES + 1),
    names={
        **TABLES,
        "wind": events.WINDS,
        "reason": tuple(events.REASONS.values()),
        "fu": events.FU_NAMES,
        "fan": [yaku.name for yaku in YAKU],
    },
)
