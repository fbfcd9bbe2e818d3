"""Reviews as plain data for JSON: advice on one decision, and the review of a game.

Tiles have mjai's names (``5p``, ``5pr``, ``E S W N P F C``), as in the events. Actions are those of the game's action
space.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from janshi.say.names import ActionName, CauseKind, MistakeKind, ReasonKind, Safety
from janshi.statistics import Estimate

Phase = Literal["opening", "middle", "end"]
#: Units of losses.
Unit = Literal["places", "points"]


@dataclass(frozen=True, slots=True)
class Option:
    """A possible action, with its tiles."""

    action: int
    name: ActionName
    tile: str | None = None
    """The tile discarded, called, set aside or won with, or that of a kan."""
    tiles: list[str] = field(default_factory=list)
    """Other tiles from the hand that the action uses."""
    tsumogiri: bool = False


@dataclass(frozen=True, slots=True)
class Accepted:
    """A kind that lowers the shanten (ukeire), or completes the hand."""

    tile: str
    left: int
    """Number of its tiles that the seat cannot see."""


@dataclass(frozen=True, slots=True)
class FanCount:
    """A source of fan."""

    name: str
    fan: int


@dataclass(frozen=True, slots=True)
class Worth:
    """The value of a hand completed by a tile, in games whose hints provide it."""

    tile: str
    fan: int
    """Sum of fan or han, before the limit."""
    points: int
    """Payment by a discarder, 0 without a yaku; of the win on an own draw in Riichi, the payments of all."""
    each: int
    """Payment for a self-draw by each remaining player, in Riichi by each that does not deal; 0 without a yaku."""
    fans: list[FanCount]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible discard by kind, and the hand afterwards."""

    tile: str
    """The kind, by the name of its plain tile."""
    actions: list[int]
    """The actions that discard it."""
    shanten: int
    accepts: list[Accepted]
    """Kinds that lower the shanten, or the waits of a tenpai hand."""
    left: int
    """Number of tiles of those kinds that the seat cannot see."""
    furiten: bool
    """True for a tenpai hand that cannot win on a discard."""
    safety: dict[str, Safety]
    """Safety against each seat in riichi, by its number as text: ``safe``, the seat cannot win on it (own discard, or
    passed since riichi); ``suji``, no two-sided wait on it is left; ``no_chance`` and ``one_chance``, each
    such wait needs a kind of which none, or at most one tile is hidden; ``scarce``, no run can wait for it and no pair
    of it is hidden; ``open``, none of these. In games without riichi, ``safe`` for seats that cannot win on it."""
    worth: list[Worth] = field(default_factory=list)
    """Value of the hand with each wait, in games whose hints provide it."""


@dataclass(frozen=True, slots=True)
class VoidSuit:
    """The hand after the choice of a void suit."""

    suit: str
    tiles: int
    """Number of its tiles in the hand."""
    shanten: int
    """Shanten of the hand without them."""


@dataclass(frozen=True, slots=True)
class After:
    """The hand after a call, a kan or a kita."""

    action: int
    discard: str | None
    """The best discard after a chii or pon; None if a tile is drawn instead."""
    shanten: int
    accepts: list[Accepted]
    left: int


@dataclass(frozen=True, slots=True)
class Preference:
    """The reviewer's probability of an action; those of a decision sum to 1."""

    action: int
    share: float


@dataclass(frozen=True, slots=True)
class Advice:
    """A reviewer's advice on one decision."""

    by: str
    best: int
    """The reviewer's choice."""
    preferences: list[Preference]
    """In descending order; those below 0.05 % are omitted."""
    shanten: int
    """Shanten of the hand before the decision."""
    candidates: list[Candidate]
    """Discards by shanten, then by tiles left, the best first; empty if no discard is possible."""
    after: list[After]
    """The hand after each possible call, kan and kita."""
    risk: dict[int, float] | None = None
    """Deal-in rate of each discard (by action) against riichi, counted in records. None without a riichi of another
    seat or without a discard."""
    voids: list[VoidSuit] = field(default_factory=list)
    """The hand after each choice of a void suit, if that is the decision."""


@dataclass(frozen=True, slots=True)
class WonWith:
    """A yaku, or another source of han or fan, of the hands won after an option."""

    name: str
    share: float
    """Share of the won hands that have it."""
    han: float
    """Mean han or fan that it adds to a won hand."""


@dataclass(frozen=True, slots=True)
class WonOn:
    """A tile that completed hands after an option."""

    tile: str
    """The kind, by the name of its plain tile."""
    share: float
    """Share of the won hands."""
    points: float
    """Mean value of these hands."""


@dataclass(frozen=True, slots=True)
class DealtInTo:
    """Deal-ins to a seat after an option."""

    seat: int
    rate: float
    points: float
    """Mean cost."""


@dataclass(frozen=True, slots=True)
class Ends:
    """How the hand ends for the deciding seat after an option, in playouts.

    Either it wins, deals in, or pays or receives points at a draw or at a win of another seat without a deal-in.
    """

    samples: int
    win: float
    """Probability of a win."""
    value: float | None
    """Mean points of a won hand, without honba and deposits; None without a win."""
    han: float | None
    """Mean han or fan of a won hand; None without a win."""
    yaku: list[WonWith]
    """Sources of han or fan by their share of the won hands, those of one in twenty or more."""
    tiles: list[WonOn]
    """Winning tiles by their share of the won hands, those of one in twenty or more."""
    deal_in: float
    """Probability of a deal-in."""
    price: float | None
    """Mean cost of a deal-in in points; None without one."""
    to: list[DealtInTo]
    """Deal-ins by seat, the most frequent first."""
    draw: float
    """Probability of a draw."""
    tenpai: float | None
    """Share of the draws at which the seat is tenpai; None without a draw."""
    draw_points: float | None
    """Mean change of points at a draw; None without a draw."""
    others: float
    """Probability of a win of other seats alone without a deal-in."""
    others_points: float | None
    """Mean change of points at such a win; None without one."""
    points: float
    """Mean change of points to the end of the hand."""
    place: float | None
    """Expected final place, from 1; None in games that are compared by points."""


@dataclass(frozen=True, slots=True)
class Need:
    """What a win in the last hand has to be worth for a better final place.

    Values of the hand without honba and deposits, None if no hand of the rules is enough.
    """

    place: int
    """From 1."""
    ron: int | None
    """By ron on any other seat."""
    direct: int | None
    """By ron on the seat that holds the place."""
    tsumo: int | None
    """By tsumo, the payments of all."""


@dataclass(frozen=True, slots=True)
class Cause:
    """What a reason comes from, by figures of both options.

    ==========  =========================================================================================
    kind        meaning of ``done`` and ``best``
    ==========  =========================================================================================
    yakuless    the tenpai hand of the choice taken cannot win by ron on any of its waits for want of a yaku
    furiten     the choice taken leaves a tenpai hand in furiten
    shanten     shanten after the option
    wait        tiles of the wait that the seat cannot see, of tenpai hands
    ukeire      tiles that lower the shanten and that the seat cannot see, at equal shanten
    yaku        share of the won hands that have the yaku ``name`` (dora: mean number)
    han         mean han or fan of a won hand
    seat        rate of deal-ins to ``seat``
    safety      the discards' safety against ``seat``, by ``names``
    tenpai      share of the draws at which the seat is tenpai
    fixes       final place after the win that the reviewer's choice (``best``) or the choice taken (``done``) is
    needs       see `Need`, for the place better than that one or than the present one
    ==========  =========================================================================================
    """

    kind: CauseKind
    done: float | None = None
    best: float | None = None
    name: str | None = None
    """Of the yaku."""
    seat: int | None = None
    safety: list[Safety] | None = None
    """Of the discard taken and of the reviewer's."""
    need: Need | None = None


@dataclass(frozen=True, slots=True)
class Reason:
    """A figure in which the better choice is better."""

    kind: ReasonKind
    done: float
    """Figure of the choice taken."""
    best: float
    """Figure of the reviewer's choice."""
    causes: list[Cause] = field(default_factory=list)
    """What it comes from, the most important first."""


@dataclass(frozen=True, slots=True)
class Loss:
    """The cost of a choice, measured by playouts of it and of the reviewer's choice."""

    lost: float
    """Expected final place of the choice minus that of the reviewer's (`Review.unit` points: points of the hand of the
    reviewer's choice minus those of the choice): positive if the choice is worse."""
    low: float
    """Lower bound of its 95 % interval."""
    high: float
    certain: bool
    """True if one of the two is better, by a test that is valid after every sample."""
    samples: int
    """Number of playouts of each choice."""
    reasons: list[Reason]
    """Figures that differ by more than chance and make the better choice better, the most important first."""
    kind: MistakeKind | None
    """Kind of mistake; None unless the choice is certainly worse."""
    ends: list[Ends] = field(default_factory=list)
    """How the hand ends after the choice taken and after the reviewer's."""


@dataclass(frozen=True, slots=True)
class PlayedOption:
    """Results of an option that was played on, for the deciding seat."""

    action: int
    place: Estimate | None
    """Expected final place, from 1; None in games that are compared by points."""
    win: Estimate
    """Probability of winning the hand."""
    value: Estimate | None
    """Points of a won hand, without honba and deposits; None without a win."""
    deal_in: Estimate
    """Probability of a deal-in."""
    points: Estimate
    """Change of points to the end of the hand."""
    behind: Estimate
    """Loss against the best option in the unit of the review, by the same hidden tiles and luck; 0 for the best one."""
    ends: Ends


@dataclass(frozen=True, slots=True)
class PlayedOn:
    """Results of the playouts of a decision so far."""

    samples: int
    """Number of playouts of each option."""
    finished: bool
    """True if no further playouts follow."""
    options: list[PlayedOption]
    """In the given order."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of the reviewed seat."""

    number: int
    """Index in the game, from 0."""
    hand: int
    """Index of the hand, from 0."""
    event: int
    """Number of events of the game before the decision."""
    options: list[Option]
    done: int
    advice: Advice
    agrees: bool
    cost: float
    """Probability of the reviewer's first choice minus that of the player's, 0 to 1."""
    phase: Phase
    loss: Loss | None = None
    """Measured cost; None where the choices agree or playouts were not made."""

    def option(self, action: int) -> Option:
        """Return one of the options by its action."""
        return next(option for option in self.options if option.action == action)


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of player and reviewer."""

    decisions: int
    agreed: int
    cost: float
    """Mean cost of a decision."""


@dataclass(frozen=True, slots=True)
class Mistakes:
    """Certainly worse choices of a kind."""

    kind: MistakeKind
    number: int
    lost: float
    """Sum of their losses, in the unit of the review."""


@dataclass(frozen=True, slots=True)
class Losses:
    """The measured decisions of a game."""

    measured: int
    """Number of decisions that were played out."""
    worse: int
    """Number whose choice is certainly worse than the reviewer's."""
    better: int
    """Number whose choice is certainly better than the reviewer's."""
    lost: float
    """Sum of the losses of the certainly worse choices, in the unit of the review."""
    kinds: list[Mistakes]
    """The certainly worse choices by kind, the most expensive first."""
    people: dict[MistakeKind, float] | None = None
    """Mean losses of strong people in a game by kind; None without figures for these rules."""


@dataclass(frozen=True, slots=True)
class GameSummary:
    """The summary of a whole game."""

    total: Agreement
    phases: dict[Phase, Agreement]
    names: dict[ActionName, Agreement]
    """Agreement by the reviewer's choice."""
    moments: list[int]
    """Numbers of the costliest decisions, at most ten: with measured losses those that are certainly worse."""
    rating: float
    """0 to 100; 100 if every choice was the reviewer's first."""
    losses: Losses | None = None
    """Summary of the measured losses; None if nothing was played out."""


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
    """mjai events of the whole game, including hidden information."""
    decisions: list[Decision]
    report: GameSummary
    notes: list[str]
    """Descriptions of hands that could not be replayed."""
    places: list[list[float]] = field(default_factory=list)
    """Expected final place of each seat, from 1: at the beginning of each hand, then at the end of the game. Empty if
    the game has no placement model for these rules."""
    luck: list[list[float]] = field(default_factory=list)
    """Final places that the luck of deals and draws gained each seat in each hand: positive is good luck. Empty if the
    game has no model of it for these rules."""
    plays_on: bool = False
    """True if decisions can be played on: for losses and `janshi.review.what_if`."""
    unit: Unit = "places"
    """Unit of losses: expected final places, or points of the hand."""
