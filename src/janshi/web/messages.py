"""The messages between browser and server: one schema, from which the browser's types are made.

`schema` gives it as JSON Schema; ``web/src/messages.ts`` is made from that, and a test says when it is stale. Events
are those of mjai as one seat may see them, and what a game has beside them.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from janshi.review.model import Accepted, Advice, Option, Review, Worth

#: Why a connection ends: its seat is played in another window, there is no such table, this is not its key, the table
#: cannot go on, the server's token is missing.
Cause = Literal["taken_over", "no_table", "wrong_key", "failed", "token"]


class Message(BaseModel):
    """A message: unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


# ---------------------------------------------------------------------------------------------------------
# Browser to server, over the WebSocket


class Join(Message):
    """The first message: which table, and the key that makes one its player (none to watch an open table)."""

    type: Literal["join"]
    table: Annotated[str, Field(max_length=64)]
    key: Annotated[str, Field(max_length=128)]
    received: Annotated[int, Field(ge=0)] = 0
    """Events that the browser already has: those are not sent again."""


class Act(Message):
    """An answer to `Ask`."""

    type: Literal["act"]
    number: Annotated[int, Field(ge=0)]
    action: Annotated[int, Field(ge=0)]
    """A number of the game's action space."""


class Next(Message):
    """On to the next hand."""

    type: Literal["next"]


class Hint(Message):
    """Ask for advice about the decision that is waited for."""

    type: Literal["hint"]
    number: Annotated[int, Field(ge=0)]


class SetPace(Message):
    """While watching: how fast, whether at all, and one step where paused."""

    type: Literal["set_pace"]
    paused: bool | None = None
    seconds: Annotated[float, Field(ge=0.0, le=10.0)] | None = None
    """Between two events."""
    step: bool = False


FromBrowser = Annotated[Join | Act | Next | Hint | SetPace, Field(discriminator="type")]


# ---------------------------------------------------------------------------------------------------------
# Server to browser


class Discard(Message):
    """What a discard would leave: waits where the hand is tenpai then."""

    tile: str
    waits: list[Accepted]
    furiten: bool
    worth: list[Worth] = []
    """Of the hand with each wait, where the game's hints tell."""


class Ask(Message):
    """The table waits for this seat."""

    type: Literal["ask"]
    number: int
    """Of the decision: the answer names it."""
    options: list[Option]
    discards: list[Discard]
    """Those that leave the hand tenpai."""
    win: Worth | None = None
    """What the win that is offered is worth, where the game's hints tell."""


class Own(Message):
    """What the seat may know of its own hand between decisions."""

    type: Literal["own"]
    shanten: int
    waits: list[Accepted]
    furiten: bool
    worth: list[Worth] = []
    """Of the hand with each wait, where the game's hints tell."""


class Pace(Message):
    """How fast a watched table goes."""

    type: Literal["pace"]
    paused: bool
    seconds: float


class Welcome(Message):
    """The answer to `Join`: all that has happened (from `Join.received` on), and what is waited for."""

    type: Literal["welcome"]
    table: str
    seat: int | None
    """None: watching, all hands open."""
    game: str
    formats: list[str]
    """In which its record can be saved."""
    reviews: bool
    """Whether its games can be reviewed."""
    rules: str
    length: str
    players: int
    names: list[str]
    first: int
    """Number of the first of these events."""
    events: list[dict[str, Any]]
    ask: Ask | None
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
    """The answer to a message that is refused, with the reason; the table is as it was."""

    type: Literal["refused"]
    reason: str
    fatal: bool
    """The connection ends with this …"""
    cause: Cause | None = None
    """… for one of these causes, or another."""


FromServer = Annotated[Welcome | Happened | Ask | Own | Pace | Advised | Refused, Field(discriminator="type")]


# ---------------------------------------------------------------------------------------------------------
# HTTP


class Player(Message):
    """An agent that can be seated."""

    name: str
    label: str
    """What it is called at a table."""
    players: list[int]
    """Numbers of players that it plays with."""
    games: list[str]
    description: str
    reviews: bool
    """Whether it gives a probability to every option."""


class RulesOffered(Message):
    """A rule set that can be played."""

    name: str
    game: str
    players: int
    lengths: list[str]
    """Of its games; the first is the usual one."""


class Site(Message):
    """``GET /api/site``: what the server offers."""

    version: str
    rules: list[RulesOffered]
    players: list[Player]
    begin: NewTable | None
    """The table that the command line asked for: it is opened at once."""
    review: str | None
    """The review that the command line asked for: its id."""


class NewTable(Message):
    """``POST /api/tables``: a table to play at, or to watch."""

    rules: Annotated[str, Field(max_length=64)]
    length: Annotated[str, Field(max_length=16)] = "hand"
    seat: Annotated[int, Field(ge=0, le=3)] | None = None
    """None: drawn at random."""
    watch: bool = False
    """Agents at every seat."""
    agents: Annotated[list[Annotated[str, Field(max_length=256)]], Field(max_length=4)] = []
    """From the seat after one's own on; when watching from seat 0. Fewer are repeated; none: the best there is."""
    name: Annotated[str, Field(max_length=32)] = ""
    """Of the player."""
    seed: Annotated[int, Field(ge=0, lt=1 << 63)] | None = None
    """Decides the walls; None: a secret one."""


class TableMade(Message):
    """The answer: where to join, and with which key."""

    table: str
    key: str
    seat: int | None


class OwnTable(Message):
    """A table that a browser has the key of."""

    table: Annotated[str, Field(max_length=64)]
    key: Annotated[str, Field(max_length=128)]


class OwnTables(Message):
    """``POST /api/games``: what has become of them."""

    tables: Annotated[list[OwnTable], Field(max_length=64)]


class FoundGame(Message):
    """A game that is there."""

    table: str
    rules: str
    length: str
    names: list[str]
    seat: int | None
    over: bool
    moved: float
    """Seconds since the last move."""


class FoundGames(Message):
    """The answer: those that can be gone on with, or looked at."""

    games: list[FoundGame]


class NewReview(Message):
    """``POST /api/reviews``: a record to review, as text or as a viewer's link."""

    record: str
    """mjlog, tenhou.net/6 JSON, mjai, or a link of a viewer with the record in it; other bytes as base64."""
    base64: bool = False
    game: Annotated[int, Field(ge=1)] = 1
    """Which game of the record, from 1."""
    seat: Annotated[int, Field(ge=0, le=3)] = 0
    by: Annotated[str, Field(max_length=256)] | None = None
    """The reviewer; None: the best there is for this game."""


class ReviewMade(Message):
    """The answer: its id; ``GET /api/reviews/{id}`` gives a `Review`, ``…/report.html`` the page."""

    review: str
    seats: list[str]
    """Names by seat."""


Site.model_rebuild()


def schema() -> dict[str, Any]:
    """Return JSON Schema of everything above; each message stands under ``$defs``."""
    everything = Annotated[
        FromBrowser
        | FromServer
        | (Site | NewTable | TableMade | OwnTables | FoundGames)
        | (NewReview | ReviewMade | Review),
        "everything",
    ]
    return TypeAdapter(everything).json_schema()
