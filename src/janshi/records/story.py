"""A game while it is played, as events: what the stories of all games share.

A story reads a table's record (`janshi.core.game`) after every step and turns what is new there into events; which
ones, the game says. Where two games know the same thing, its event has the same name.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Final, Protocol

#: Placeholder of a tile or suit that a seat may not know.
HIDDEN: Final = "?"


class Recording(Protocol):
    """A game at one table, recorded hand by hand."""

    source: str
    """Source named in the record."""
    lobby: str
    hands: list[Any]
    """Of the game that is played, or was the last."""

    def add_hand(self, state: Any) -> None:
        """Record the hand that is over at the table, whose record (`janshi.table.Tables.states`) is ``state``."""

    def game(self) -> Any:
        """Return the record of the hands so far, with the result where the game is over.

        The next hand recorded begins another game.
        """
        ...


class GameStory(ABC):
    """Events of one table, from its beginning.

    Args:
        state: the table's record (`janshi.table.Table.record`, or one of `janshi.table.Tables.states`), which does
            not go on to the next hand by itself.
        rules: what is played.
        names: who sits at seats 0, 1, 2 …
        hand_over: the least ``phase`` after a hand (`janshi.core.game.Game.hand_over`).
        recording: records the game beside its events.

    `update` is called after anything has happened, at least once in each hand before and once after its end.
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
        self._logged = 0  # rows of the hand's log that stand in `events`
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
        """Records of the hands that are over."""
        return self._recording.hands

    def game(self, source: str, lobby: str = "") -> Any:
        """Return the record of the hands that are over, as the game keeps records."""
        self._recording.source, self._recording.lobby = source, lobby
        return self._recording.game()

    @abstractmethod
    def _start_game(self) -> dict[str, Any]:
        """Return the event that begins a game."""

    @abstractmethod
    def _begin_hand(self) -> None:
        """Add what begins a hand."""

    @abstractmethod
    def _add_logged(self) -> None:
        """Add what the engine has logged from row `_logged` on."""

    @abstractmethod
    def _end_hand(self) -> None:
        """Add what ends a hand, and the game where it is over."""

    def _points(self) -> list[int]:
        points: list[int] = self._state["seats"]["points"].tolist()[: self.rules.players]
        return points
