"""Reviews as plain data, ready to become JSON: advice on a decision, and a whole game.

Tiles are named as in mjai (``5p``, ``5pr``, ``E S W N P F C``), like the events that stand beside them; actions are
numbers of the game's action space.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

#: Kinds of actions, as buttons name them.
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
    "win",
    "give",
    "lay",
    "void_m",
    "void_p",
    "void_s",
]
Phase = Literal["opening", "middle", "end"]
#: How a discard stands against a seat: see `Candidate.safety`.
Safety = Literal["safe", "suji", "scarce", "open"]


@dataclass(frozen=True, slots=True)
class Option:
    """One possible action, with what it would show."""

    action: int
    name: ActionName
    tile: str | None = None
    """The tile discarded, called, set aside or won with; of a kan its tile."""
    tiles: list[str] = field(default_factory=list)
    """What would be laid down from the hand beside it."""
    tsumogiri: bool = False


@dataclass(frozen=True, slots=True)
class Accepted:
    """A kind that brings the hand on (ukeire), or completes it."""

    tile: str
    left: int
    """Of it, as far as the seat can see."""


@dataclass(frozen=True, slots=True)
class FanCount:
    """What brings a hand fan."""

    name: str
    fan: int


@dataclass(frozen=True, slots=True)
class Worth:
    """What a hand is worth when a tile completes it, in games whose hints tell."""

    tile: str
    fan: int
    """Of all, before the cap."""
    points: int
    """What a discarder pays."""
    each: int
    """What each player still in pays for a self-draw."""
    fans: list[FanCount]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A kind that may be discarded, and what is left then."""

    tile: str
    """Its plain form: a red five is named as a plain one."""
    actions: list[int]
    """The actions that discard it."""
    shanten: int
    accepts: list[Accepted]
    """Kinds that lower the shanten, or the waits where it is 0."""
    left: int
    """Tiles of those kinds that the seat cannot see."""
    furiten: bool
    """Tenpai, but it cannot win on a discard."""
    safety: dict[str, Safety]
    """Against each seat in riichi (its number as text): ``safe``, it cannot win by it (own discard, or it has passed
    since); ``suji``, no two-sided wait for it is left; ``scarce``, no run can wait for it and no pair of it is hidden;
    ``open``, none of these. In games without riichi: who cannot win by it is ``safe``."""
    worth: list[Worth] = field(default_factory=list)
    """What the hand would be worth with each wait, in games whose hints tell."""


@dataclass(frozen=True, slots=True)
class VoidSuit:
    """What it would leave to void a suit."""

    suit: str
    tiles: int
    """Of that suit in the hand: all of them have to go."""
    shanten: int
    """Of the hand without them."""


@dataclass(frozen=True, slots=True)
class After:
    """What a call, a kan or a kita would leave."""

    action: int
    discard: str | None
    """The discard after a chii or pon that leaves most; None where a tile is drawn instead."""
    shanten: int
    accepts: list[Accepted]
    left: int


@dataclass(frozen=True, slots=True)
class Preference:
    """The reviewer's probability of an action: all of a decision sum to 1."""

    action: int
    share: float


@dataclass(frozen=True, slots=True)
class Advice:
    """A reviewer's advice on one decision."""

    by: str
    best: int
    """The action it would take."""
    preferences: list[Preference]
    """The likeliest first; those below 0.05 % are left out."""
    shanten: int
    """Of the hand as it is."""
    candidates: list[Candidate]
    """The best first: by shanten, then by tiles left. Empty where nothing is discarded."""
    after: list[After]
    """Of each call, kan and kita that is possible."""
    risk: dict[int, float] | None = None
    """Of each discard (by action) where another seat is in riichi: how often such a tile was waited for, counted in
    records of games. None where nobody is, or nothing is discarded."""
    voids: list[VoidSuit] = field(default_factory=list)
    """Before play, where a suit is given up: what each would leave."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of the reviewed seat."""

    number: int
    """In the game, from 0."""
    hand: int
    """From 0."""
    event: int
    """So many events of the game have happened before it."""
    options: list[Option]
    done: int
    advice: Advice
    agrees: bool
    cost: float
    """Share of the reviewer's first choice less that of what was done: 0 where they agree, at most 1."""
    phase: Phase

    def option(self, action: int) -> Option:
        """Return one of the options by its action."""
        return next(option for option in self.options if option.action == action)


@dataclass(frozen=True, slots=True)
class Agreement:
    """How often player and reviewer agree."""

    decisions: int
    agreed: int
    cost: float
    """Mean cost of a decision."""


@dataclass(frozen=True, slots=True)
class Report:
    """The summary of a whole game."""

    total: Agreement
    phases: dict[Phase, Agreement]
    names: dict[ActionName, Agreement]
    """By what the reviewer would have done."""
    moments: list[int]
    """Numbers of the decisions that are worth a look, the costliest first; ten at most."""
    rating: float
    """0 to 100: 100 for a game of nothing but first choices."""


@dataclass(frozen=True, slots=True)
class Review:
    """A game with a reviewer's advice on one seat's decisions."""

    source: str
    rules: str
    players: int
    names: list[str]
    seat: int
    by: str
    events: list[dict[str, Any]]
    """mjai events of the whole game, nothing hidden."""
    decisions: list[Decision]
    report: Report
    notes: list[str]
    """What could not be reviewed (hands that cannot be replayed), in words."""
