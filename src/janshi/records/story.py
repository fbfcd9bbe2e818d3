"""Events of a game in progress: the common part of all games' stories.

A story reads a table's record (`janshi.core.game`) after every step and converts new entries to the game's events.
Events with the same meaning in two games have the same name.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Final, Protocol

#: Placeholder of a tile or suit hidden from a seat.
HIDDEN: Final = "?"


class Recording(Protocol):
    """A game at one table, recorded hand by hand."""

    source: str
    """Source named in the record."""
    lobby: str
    hands: list[Any]
    """Hands of the current or last game."""

    def add_hand(self, state: Any) -> None:
        """Record the finished hand at the table with the record ``state`` (`janshi.table.Tables.states`)."""

    def game(self) -> Any:
        """Return the record of the hands so far, with the result if the game is over.

        The next recorded hand begins another game.
        """
        ...


class GameStory(ABC):
    """Events of one table from its beginning.

    Args:
        state: the table's record (`janshi.table.Table.record`, or one of `janshi.table.Tables.states`), without
            ``auto_reset``.
        rules: rules of the game.
        names: names of the players of seats 0, 1, 2 …
        hand_over: the lowest ``phase`` after a hand (`janshi.core.game.Game.hand_over`).
        recording: records the game in addition to its events.

    Call `update` after every change, in each hand at least once before and once after its end.
    """

    def __init__(self, state: Any, rules: Any, names: Sequence[str], hand_over: int, recording: Recording) -> None:
        self.rules = rules
        self.names = list(names)
        self.events: list[dict[str, Any]] = []
        """All events so far."""
        self._state = state
        self._hand_over = hand_over
        self._recording = recording
        self._hand_number = -1
        self._logged = 0  # rows of the hand's log that are in `events`
        self._ended = False

    def update(self) -> list[dict[str, Any]]:
        """Return the events since the last call, and add them to `events`."""
        state = self._state
        before = len(self.events)
        if not self.events:
            self.events.append(self._start_game())
        if int(state["hand_number"]) != self._hand_number:
            self._hand_number = int(state["hand_number"])
            self._logged, self._ended = 0, False
            self._begin_hand()
        self._add_logged()
        self._logged = int(state["logged"])
        if int(state["phase"]) >= self._hand_over and not self._ended:
            self._end_hand()
            self._ended = True
        return self.events[before:]

    @property
    def hands(self) -> list[Any]:
        """Records of the finished hands."""
        return self._recording.hands

    def game(self, source: str, lobby: str = "") -> Any:
        """Return the game's record of the finished hands."""
        self._recording.source, self._recording.lobby = source, lobby
        return self._recording.game()

    @abstractmethod
    def _start_game(self) -> dict[str, Any]:
        """Return the event that begins a game."""

    @abstractmethod
    def _begin_hand(self) -> None:
        """Add the events at the beginning of a hand."""

    @abstractmethod
    def _add_logged(self) -> None:
        """Add the events of the engine's log from row `_logged` on."""

    @abstractmethod
    def _end_hand(self) -> None:
        """Add the events at the end of a hand, and at the end of the game."""

    def _points(self) -> list[int]:
        points: list[int] = self._state["seats"]["points"].tolist()[: self.rules.players]
        return points
