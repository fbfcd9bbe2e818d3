"""Tables of games without a recorder: events that any game has, made of its actions, views and results.

The page shows them in a plain layout: seats with their points, the own view as text (`janshi.drawing`), the legal
actions as buttons by `Game.action_text`, and a log. All seats see every action: a game with hidden ones needs a
recorder.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from janshi.drawing import drawing_of
from janshi.records.story import HIDDEN
from janshi.rollout.driver import Observer
from janshi.table import DecisionBatch, Tables


def seen_by(event: dict[str, Any], seat: int) -> dict[str, Any]:
    """Return an event as one seat may know it, without the views of the others."""
    if "views" not in event:
        return event
    views = [view if owner == seat else HIDDEN for owner, view in enumerate(event["views"])]
    return {**event, "views": views}


class PlainStory(Observer):
    """Events of one table, as an observer of its driver: see `janshi.records.GameStory` for the methods.

    ``start_game``, ``start_kyoku``, ``action`` for each action, ``end_kyoku``, ``end_game``. Those of a hand have the
    ``scores``, the seat to decide (``turn``) and each seat's view as text (``views``).
    """

    def __init__(self, tables: Tables, names: Sequence[str]) -> None:
        self.events: list[dict[str, Any]] = []
        """All events so far."""
        self.own: list[None] = []
        """What a seat knows of its hand besides its view, after each event: nothing."""
        self._tables, self._names = tables, names
        self._acted: tuple[int, int] | None = None
        self._hand = -1
        self._ended = False

    def decided(self, batch: DecisionBatch, actions: NDArray[np.int16]) -> None:
        """Note the seat and its action for the next `update`."""
        self._acted = int(batch.seats[0]), int(actions[0])

    def update(self) -> list[dict[str, Any]]:
        """Return the events since the last call, and add them to `events`."""
        tables, added = self._tables, list[dict[str, Any]]()
        game, rules = tables.game, tables.rules
        hand = int(np.asarray(tables.states)["hand_number"][0])
        if not self.events:
            added.append({"type": "start_game", "names": [*self._names], "game": game.name, "rules": rules.name})
        if self._acted is not None:
            seat, action = self._acted
            added.append({"type": "action", "actor": seat, "text": game.action_text(action), **self._position()})
        elif hand != self._hand:
            self._hand, self._ended, self._before = hand, False, tables.scores[0]
            added.append({"type": "start_kyoku", "number": hand + 1, **self._position()})
        self._acted = None
        if tables.hand_over[0] and not self._ended:
            self._ended = True
            added.extend(self._endings())
        self.events += added
        self.own += [None] * len(added)
        return added

    def _position(self) -> dict[str, Any]:
        tables = self._tables
        seats = np.arange(tables.rules.players)
        views = np.asarray(tables.views(np.zeros_like(seats), seats))
        text = drawing_of(tables.game).text
        return {
            "scores": tables.scores[0].tolist(),
            "turn": int(tables.actors[0]) if tables.actors[0] >= 0 else None,
            "views": [text(view) for view in views],
        }

    def _endings(self) -> list[dict[str, Any]]:
        tables, game = self._tables, self._tables.game
        (ended,) = game.outcomes(np.asarray(tables.states)).ended.tolist()
        scores = tables.scores[0]
        deltas = (scores - self._before).tolist()
        endings: list[dict[str, Any]] = [{"type": "end_kyoku", "text": game.ending_text(ended), "deltas": deltas}]
        if tables.over[0]:
            points = game.final_points(tables.rules, scores.tolist())
            endings.append({"type": "end_game", "scores": scores.tolist(), "points": points})
        return endings
