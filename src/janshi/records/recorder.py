"""A game's support of records: the facet ``recorder`` (`janshi.core.game.Game.facet`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from janshi.games import game_of
from janshi.records.formats import Remarks
from janshi.records.story import GameStory, Recording


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Mismatch of the engine and a record. Hands and events are counted from 1."""

    source: str
    hand: int
    event: int | None
    what: str
    engine: str
    record: str
    sequel: bool = False
    """True if the difference concerns the transition after a matching hand: to the next one, or to the game's end."""

    def __str__(self) -> str:
        at = f", event {self.event}" if self.event is not None else ""
        return f"{self.source}, hand {self.hand}{at}: {self.what}: engine {self.engine}, record {self.record}"


@dataclass(slots=True)
class Replayed:
    """One game after its replay."""

    source: str
    hands: int = 0
    decisions: int = 0
    walls: int = 0
    """Number of hands replayed with their real wall."""
    mismatches: list[Mismatch] = field(default_factory=list)
    remarks: Remarks = field(default_factory=Remarks)


class RecordedGame(Protocol):
    """Metadata of every game's record."""

    source: str
    """Its source or file name."""
    rules: Any
    names: list[str]
    hands: list[Any]

    @property
    def remarks(self) -> Remarks:
        """What is said of the game beside its play."""
        ...


@dataclass(frozen=True, kw_only=True)
class Recorder:
    """A game's support of records."""

    format: str
    """Name of the default format of its records."""
    recording: Callable[..., Recording]
    """``(rules, names, source="", lobby="")``: the recording of a new game; names are by seat."""
    story: Callable[..., GameStory]
    """``(state, rules, names, seat=None)``: the events of a table, and what a seat knows after each."""
    seen_by: Callable[[dict[str, Any], int], dict[str, Any]]
    """``(event, seat)``: an event as visible to one seat."""
    replayer: Callable[[], Callable[[Any], Replayed]]
    """Returns a function that replays a recorded game and returns the mismatches of engine and record."""
    fingerprint: Callable[[Any], bytes]
    """Returns bytes that are equal for records of one game in any format."""
    with_rules: Callable[[Any, Any], Any]
    """``(game, rules)``: the game by other rules. Raises `RecordError` if it cannot be played by them."""
    alternatives: Callable[[Any], list[Any]] = lambda game: []
    """Returns other rules by which a game may be played whose record does not name its rules."""


def recorder_of(rules: Any) -> Recorder:
    """Return the recorder of a rule set's game.

    Raises `janshi.core.game.GameError` for a game without one.
    """
    recorder: Recorder = game_of(rules).facet("recorder")
    return recorder
