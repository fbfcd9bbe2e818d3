"""Names of what is said, for any game: as types of messages, and as tables in which numbers of records are places."""

from __future__ import annotations

from typing import Final, Literal, get_args

from janshi.say.events import EVENTS, SUIT_NAMES, TILE_NAMES
from janshi.say.words import Tables

#: Kinds of actions, one for each button.
ActionName = Literal[
    "discard",
    "riichi",
    "chi",
    "pon",
    "daiminkan",
    "ankan",
    "kakan",
    "kita",
    "tsumo",
    "ron",
    "kyuushu_kyuuhai",
    "pass",
    "tenpai",
    "noten",
    "win",
    "give",
    "lay",
    "void_m",
    "void_p",
    "void_s",
]
#: Safety of a discard against a seat, from the safest on (a pair of honours can wait for ``scarce`` ones): see
#: `janshi.review.model.Candidate.safety`.
Safety = Literal["safe", "no_chance", "suji", "scarce", "one_chance", "open"]
#: What makes one choice better than another: chance and value of a win, chance and cost of a deal-in, payments at a
#: draw and at wins of others, points of the hand, the final place.
ReasonKind = Literal["win", "value", "deal_in", "price", "draw", "others", "points", "place"]
#: What a reason comes from: see `janshi.review.model.Cause`.
CauseKind = Literal[
    "yakuless",
    "furiten",
    "shanten",
    "wait",
    "ukeire",
    "yaku",
    "han",
    "seat",
    "safety",
    "tenpai",
    "fixes",
    "needs",
]
#: Kinds of mistakes: about a win, riichi or dama, a call, kan or kita, exchange or void suit; a discard with too much
#: or too little risk, with a worse chance to win, for less value, or against the score.
MistakeKind = Literal["win", "declaration", "call", "before_play", "pushed", "folded", "shape", "value", "placement"]

ACTION_NAMES: Final = get_args(ActionName)
SAFETY: Final = get_args(Safety)
REASONS: Final = get_args(ReasonKind)
CAUSES: Final = get_args(CauseKind)
MISTAKES: Final = get_args(MistakeKind)
#: Tables of all games.
TABLES: Final[Tables] = {
    "tile": TILE_NAMES,
    "suit": SUIT_NAMES,
    "event": EVENTS,
    "action": ACTION_NAMES,
    "safety": SAFETY,
    "reason_kind": REASONS,
    "cause": CAUSES,
    "mistake": MISTAKES,
}
