"""Events of a game in progress, as one form for all games.

A story reads a table's record (`janshi.core.game`) after every step. The game's compiled rule
(`janshi.say.Say.new_events`) writes the events since the last one. Events with the same meaning in two games have the
same name.
"""

from __future__ import annotations

from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import zeros
from janshi.games import game_of
from janshi.say import say_of
from janshi.say.events import EVENTS, HIDDEN_FIELDS, EventFields, NewEvents
from janshi.say.records import OwnHand
from janshi.say.words import in_words

#: Placeholder of a tile or suit hidden from a seat.
HIDDEN: Final = "?"
#: Field of an event with what mjai does not have.
OWN: Final = "janshi"


class Recording(Protocol):
    """A game at one table, recorded hand by hand."""

    source: str
    """Source named in the record."""
    lobby: str
    hands: list[Any]
    """Hands of the current or last game."""

    def begin_hand(self, scores: list[int], deposits: int) -> None:
        """Note points and deposits before a hand."""

    def add_hand(self, state: Any) -> None:
        """Record the finished hand at the table with the record ``state`` (`janshi.table.Tables.states`)."""

    def game(self) -> Any:
        """Return the record of the hands so far, with the result if the game is over.

        The next recorded hand begins another game.
        """
        ...


def seen_by(event: dict[str, Any], seat: int) -> dict[str, Any]:
    """Return an event as one seat may know it: others' tiles are ``"?"``.

    `start_game` carries the seat's number (``id``). Raises `ValueError` for an event that is not known here: what it
    would show is not known either.
    """
    kind = event["type"]
    if kind == "start_game":
        own = {name: value for name, value in event.get(OWN, {}).items() if name == "rules"}
        return {**_without_own(event), **({OWN: own} if own else {}), "id": seat}
    if kind == "start_kyoku":
        hands = [hand if owner == seat else [HIDDEN] * len(hand) for owner, hand in enumerate(event["tehais"])]
        return {**_without_own(event), "tehais": hands}
    if kind not in EVENTS and kind != "kita":
        raise ValueError(f"an event {kind!r} is not known, so neither is what a seat may see of it")
    if kind not in HIDDEN_FIELDS or seat in (event["actor"], event.get("target")):
        return event
    return {**event, **{name: _hidden(event[name]) for name in HIDDEN_FIELDS[kind]}}


def _without_own(event: dict[str, Any]) -> dict[str, Any]:
    """Return an event without the field that holds the ids of all tiles, or the seed of the walls."""
    return {name: value for name, value in event.items() if name != OWN}


def _hidden(value: Any) -> Any:
    return [HIDDEN] * len(value) if isinstance(value, list) else HIDDEN


class GameStory:
    """Events of one table from its beginning.

    Args:
        state: the table's record (`janshi.table.Table.record`, or one of `janshi.table.Tables.states`), without
            ``auto_reset``.
        rules: rules of the game.
        start: the event that begins the game.
        recording: records the game in addition to its events.
        seat: the seat whose knowledge of its hand is followed (`own`); None: nobody's.

    Call `update` after every change, in each hand at least once before and once after its end.
    """

    def __init__(
        self, state: Any, rules: Any, start: dict[str, Any], recording: Recording, seat: int | None = None
    ) -> None:
        self.events: list[dict[str, Any]] = []
        """All events so far."""
        self.own: list[dict[str, Any] | None] = []
        """After each event the seat's knowledge: ``shanten``, ``waits``, ``furiten``, ``worth``; None: nothing new.

        It follows from the events that the seat sees alone.
        """
        self._start = start
        self._state = state
        self._tables = tables_of(state)
        self._say = say_of(game_of(rules))
        self._progress, self._added = zeros(self._say.progress, 1), zeros(NewEvents, 1)
        np.asarray(self._progress)["own"] = 0 if seat is None else seat + 1
        self._recording = recording

    def update(self) -> list[dict[str, Any]]:
        """Return the events since the last call, and add them to `events`."""
        before = len(self.events)
        if not self.events:
            self.events.append(self._start)
            self.own.append(None)
        (added,) = np.asarray(self._added)
        while True:
            self._say.new_events(self._tables, self._progress, self._added)
            if not added["events_count"]:
                return self.events[before:]
            for event, own in zip(added["events"][: added["events_count"]], added["own"], strict=False):
                self._add(in_words(event, EventFields, self._say.names, {}))
                known = in_words(own, OwnHand, self._say.names, {}) if own["known"] else {"known": False}
                self.own.append(known if known.pop("known") else None)

    def _add(self, event: dict[str, Any]) -> None:
        if event["type"] == "start_kyoku":
            self._recording.begin_hand(event["scores"], event.get("kyotaku", 0))
        elif event["type"] == "end_kyoku":
            self._recording.add_hand(self._state)
        self.events.append(event)

    @property
    def hands(self) -> list[Any]:
        """Records of the finished hands."""
        return self._recording.hands

    def game(self, source: str, lobby: str = "") -> Any:
        """Return the game's record of the finished hands."""
        self._recording.source, self._recording.lobby = source, lobby
        return self._recording.game()


def tables_of(state: Any) -> NDArray[Any]:
    """Return the array (1,) of one record of an array of tables, with the same memory: compiled code takes arrays."""
    tables = state.base
    first, own = (each.__array_interface__["data"][0] for each in (tables, state))
    row = (own - first) // state.dtype.itemsize
    found: NDArray[Any] = tables[row : row + 1]
    return found
