"""The messages between browser and server: the schema from which the browser's types are generated.

`schema` returns it as JSON Schema, from which ``web/src/messages.ts`` is generated; a test fails if that file is stale.
Events are those of mjai as visible to one seat, with additions by game.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from janshi.installing import naming_extra
from janshi.review.model import Accepted, Advice, Loss, Option, PlayedOn, Review, Worth

with naming_extra(__name__):
    from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

#: Causes of the end of a connection: the seat was opened in another window, the table does not exist, the key is wrong,
#: the table has stopped, the server's token is missing.
Cause = Literal["taken_over", "no_table", "wrong_key", "failed", "token"]


#: A whole number in a request, which fits into 64 bits.
Number = Annotated[int, Field(ge=0, lt=1 << 63)]


class Message(BaseModel):
    """Base of messages; unknown fields are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)


# ---------------------------------------------------------------------------------------------------------
# Browser to server, over the WebSocket


class Join(Message):
    """The first message of a connection: the table, and the player's key (empty to watch an open table)."""

    type: Literal["join"]
    table: Annotated[str, Field(max_length=64)]
    key: Annotated[str, Field(max_length=128)]
    received: Number = 0
    """Number of events that the browser already has; they are not sent again."""


class Act(Message):
    """An answer to `Ask` or `Choose`."""

    type: Literal["act"]
    number: Number
    action: Number
    """Action in the game's action space."""


class Next(Message):
    """Begin the next hand."""

    type: Literal["next"]


class Hint(Message):
    """Request advice on the open decision."""

    type: Literal["hint"]
    number: Number


class SetPace(Message):
    """Set the pace of a watched table, pause it, or show a single event while paused."""

    type: Literal["set_pace"]
    paused: bool | None = None
    seconds: Annotated[float, Field(ge=0.0, le=10.0)] | None = None
    """Seconds between two events."""
    step: bool = False


FromBrowser = Annotated[Join | Act | Next | Hint | SetPace, Field(discriminator="type")]


# ---------------------------------------------------------------------------------------------------------
# Server to browser


class Discard(Message):
    """The waits after a discard that leaves the hand tenpai."""

    tile: str
    waits: list[Accepted]
    furiten: bool
    worth: list[Worth] = []
    """Value of the hand with each wait."""


class Call(Message):
    """The waits after a call or kan that leaves the hand tenpai."""

    action: int
    discard: str | None
    """The discard after a call with the most tiles to win on; None if a tile is drawn instead."""
    waits: list[Accepted]
    furiten: bool
    worth: list[Worth]
    """Value of the hand with each wait."""


class Ask(Message):
    """A decision for this seat."""

    type: Literal["ask"]
    number: int
    """Number of the decision, which the answer repeats."""
    options: list[Option]
    discards: list[Discard]
    """Discards that leave the hand tenpai."""
    win: Worth | None = None
    """Value of the possible win."""
    calls: list[Call] = []
    """Calls and kans that leave the hand tenpai, in games with wins that need a yaku."""


class PlainOption(Message):
    """A possible action, described by its game."""

    action: int
    text: str


class Choose(Message):
    """A decision for this seat, in a game without names of its actions (the facet ``"say"``)."""

    type: Literal["choose"]
    number: int
    """Number of the decision, which the answer repeats."""
    options: list[PlainOption]


class Own(Message):
    """The seat's knowledge of its own hand between decisions."""

    type: Literal["own"]
    shanten: int
    waits: list[Accepted]
    furiten: bool
    worth: list[Worth] = []
    """Value of the hand with each wait."""


class Pace(Message):
    """The pace of a watched table."""

    type: Literal["pace"]
    paused: bool
    seconds: float


class Welcome(Message):
    """The answer to `Join`: the events so far (from `Join.received` on), and the open decision."""

    type: Literal["welcome"]
    table: str
    seat: int | None
    """None: a spectator, who sees all hands."""
    game: str
    formats: list[str]
    """Formats in which the record can be saved."""
    reviews: bool
    """True if games of this table can be reviewed."""
    rules: str
    length: str
    players: int
    names: list[str]
    first: int
    """Number of the first event in ``events``."""
    events: list[dict[str, Any]]
    ask: Annotated[Ask | Choose, Field(discriminator="type")] | None
    own: Own | None
    pace: Pace | None


class Happened(Message):
    """Events, in order."""

    type: Literal["happened"]
    first: int
    events: list[dict[str, Any]]


class Advised(Message):
    """The answer to `Hint`."""

    type: Literal["advised"]
    number: int
    advice: Advice


class Refused(Message):
    """The answer to a refused message; the table is unchanged."""

    type: Literal["refused"]
    reason: str
    fatal: bool
    """True if the connection ends."""
    cause: Cause | None = None
    """Cause of the end of the connection, if it is a known one."""


FromServer = Annotated[Welcome | Happened | Ask | Choose | Own | Pace | Advised | Refused, Field(discriminator="type")]


# ---------------------------------------------------------------------------------------------------------
# HTTP


class Player(Message):
    """An agent that can be seated."""

    name: str
    label: str
    """Name shown at a table."""
    players: list[int]
    """Supported numbers of players."""
    games: list[str]
    description: str
    reviews: bool
    """True if it gives probabilities, so that it can review."""
    ratings: dict[str, int] = {}
    """Rating in the pool of shipped players, by game and number of players: ``"riichi 3"``."""


class RulesOffered(Message):
    """An available rule set."""

    name: str
    game: str
    players: int
    lengths: list[str]
    """Lengths of games, the default first."""


class Site(Message):
    """``GET /api/site``: rules, players, and what to open first."""

    version: str
    rules: list[RulesOffered]
    players: list[Player]
    begin: NewTable | None
    """The table requested on the command line, opened at once."""
    review: str | None
    """Id of the review requested on the command line."""
    history: bool
    """True if finished games are kept for the player."""


class NewTable(Message):
    """``POST /api/tables``: open a table to play at or to watch."""

    rules: Annotated[str, Field(max_length=64)]
    length: Annotated[str, Field(max_length=16)] = "hand"
    seat: Annotated[int, Field(ge=0, le=3)] | None = None
    """The player's seat; None: random."""
    watch: bool = False
    """True for agents in every seat."""
    agents: Annotated[list[Annotated[str, Field(max_length=256)]], Field(max_length=4)] = []
    """Agents from the seat after the player's on, or from seat 0 when watching. Fewer are repeated; none: the best."""
    name: Annotated[str, Field(max_length=32)] = ""
    """The player's name."""
    seed: Number | None = None
    """Seed of the walls; None: a secret one."""


class TableMade(Message):
    """The answer: the table and its key."""

    table: str
    key: str
    seat: int | None


class OwnTable(Message):
    """A table whose key the browser has."""

    table: Annotated[str, Field(max_length=64)]
    key: Annotated[str, Field(max_length=128)]


class OwnTables(Message):
    """``POST /api/games``: request the status of the browser's tables."""

    tables: Annotated[list[OwnTable], Field(max_length=64)]


class FoundGame(Message):
    """An existing game."""

    table: str
    rules: str
    length: str
    names: list[str]
    seat: int | None
    over: bool
    moved: float
    """Seconds since the last move."""


class FoundGames(Message):
    """The answer: the games that still exist."""

    games: list[FoundGame]


class NewReview(Message):
    """``POST /api/reviews``: request a review of a record."""

    record: str
    """Record as text in any format, a link to it, or bytes as base64."""
    base64: bool = False
    game: Annotated[Number, Field(ge=1)] = 1
    """Number of the game in the record, from 1."""
    seat: Annotated[int, Field(ge=0, le=3)] = 0
    by: Annotated[str, Field(max_length=256)] | None = None
    """The reviewer; None: the best one for this game."""


class ReviewMade(Message):
    """The answer: the id for ``GET /api/reviews/{id}`` (a `Review`) and ``…/report.html`` (a page)."""

    review: str
    game: str
    """Name of the game (`janshi.games.Game.name`), which the reviewers play."""
    seats: list[str]
    """Names by seat."""
    seat: Number
    """The seat to review unless another is chosen: the one that was asked for, or that the link shows."""


class PastGame(Message):
    """A finished game of the player."""

    id: str
    ended: float
    """Time of the end, in seconds since 1970."""
    game: str
    rules: str
    length: str
    seat: int
    names: list[str]
    place: int
    points: int
    reviews: bool
    """True if the game can be reviewed."""


class OwnRating(Message):
    """The player's rating on the scale of `Player.ratings`, with its 95 % interval.

    It is estimated from the places in whole games against opponents with a rating.
    """

    rating: int
    low: int
    high: int
    games: int


class Figures(Message):
    """Figures of the player over all games of one number of players; rates are per hand, None without one."""

    game: str
    players: int
    games: int
    hands: int
    places: list[int]
    """Number of games by place."""
    mean_place: float
    win: float | None
    deal_in: float | None
    value: float | None
    """Mean value of a won hand."""
    price: float | None
    """Mean cost of a hand with a deal-in."""
    habits: dict[str, float]
    """Rates of other events, in Riichi ``riichi`` and ``called``."""
    rating: OwnRating | None = None
    """None without a whole game against rated opponents."""


class OwnHistory(Message):
    """``GET /api/history``: the player's games, the last one first, with figures beside those of strong players."""

    games: list[PastGame]
    figures: list[Figures]
    people: list[Figures]
    """Figures of strong people in the same games."""


class NewDrills(Message):
    """``POST /api/reviews/{id}/drills``: practise the moments of a review with measured losses."""

    seat: Annotated[int, Field(ge=0, le=3)]
    by: Annotated[str, Field(max_length=256)] | None = None
    """The reviewer, as for the review."""


class DrillAnswer(Message):
    """``POST /api/drills/{id}``: the answer to a drill."""

    correct: bool


class DrillShown(Message):
    """A decision to practise."""

    id: int
    review: str
    """Id of a review that contains the decision."""
    seat: int
    decision: int
    """`Decision.number`."""
    best: int
    """The better action."""
    loss: Loss
    """Measured cost of the choice taken."""


class Drills(Message):
    """``GET /api/drills``: the next decision to practise."""

    due: int
    total: int
    next: DrillShown | None


class NewPlayouts(Message):
    """``POST /api/reviews/{id}/playouts``: play a decision on with each of some options, one batch a request.

    The answer is a `PlayedOn` with all batches so far.
    """

    seat: Annotated[int, Field(ge=0, le=3)]
    decision: Number
    """`Decision.number`."""
    options: Annotated[list[Number], Field(min_length=1, max_length=4)]
    """Actions."""


class NewTableFrom(Message):
    """``POST /api/reviews/{id}/tables``: open a table at a decision of a game, with sampled hidden tiles.

    The answer is a `TableMade`. The default agent plays the other seats.
    """

    seat: Annotated[int, Field(ge=0, le=3)]
    decision: Number
    """`Decision.number`."""
    name: Annotated[str, Field(max_length=32)] = ""
    """The player's name."""


Site.model_rebuild()


def schema() -> dict[str, Any]:
    """Return the JSON Schema of all messages; each one is under ``$defs``."""
    everything = Annotated[
        FromBrowser
        | FromServer
        | (Site | NewTable | TableMade | OwnTables | FoundGames)
        | (NewReview | ReviewMade | Review | NewPlayouts | PlayedOn | NewTableFrom | OwnHistory)
        | (NewDrills | DrillAnswer | Drills),
        "everything",
    ]
    return TypeAdapter(everything).json_schema()
