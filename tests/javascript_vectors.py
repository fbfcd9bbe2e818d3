"""A game of any rules with all messages to its players, for comparison with the page that has no server."""

from __future__ import annotations

from typing import Any

import numpy as np
from pydantic import TypeAdapter

from janshi.agents import agent
from janshi.agents.protocol import decide
from janshi.records import recorder_of
from janshi.review.advising import advise, question_of
from janshi.table import DecisionBatch, Table
from janshi.web.pages import rules_at

_JSON = TypeAdapter[Any](Any)
NAMES = ("Ann", "Ben", "Cho", "Dev")


class Even:
    """A player that considers all legal actions equally good."""

    name = "even"
    players = frozenset({3, 4})

    def act(self, batch: DecisionBatch) -> Any:
        return batch.legal.argmax(axis=1)

    def preferences(self, batch: DecisionBatch) -> Any:
        return (batch.legal / batch.legal.sum(axis=1, keepdims=True)).astype(np.float32)


class PlayedGame:
    """A game that is played to its end: its actions, and what the server sends and knows."""

    def __init__(self, name: str, length: str, seed: int) -> None:
        self.rules = rules_at(name, length)
        self.table = Table(self.rules, seed=seed)
        players = range(self.rules.players)
        self.names = [*NAMES[: self.rules.players]]
        self.actions: list[int] = []
        self.sent: dict[str, Any] = {"events": [], "asks": [], "advice": [], "efficient": []}
        self.sent |= {"seen": [[] for _ in players], "own": [[] for _ in players]}
        self._recorder = recorder_of(self.rules)
        self._story = self._recorder.story(self.table.record, self.rules, self.names)
        self._knowing = [
            self._recorder.story(self.table.record, self.rules, self.names, seat) for seat in range(self.rules.players)
        ]
        self._efficient = agent("efficient")
        self._draw = np.random.default_rng(seed)
        self._play()

    def record(self) -> Any:
        """Return the record of the game."""
        return self._story.game("game")

    def _play(self) -> None:
        self._update()
        while not self.table.over:
            self.actions.append(self._decide())
            self.table.act(self.actions[-1])
            self._update()
            if self.table.hand_over and not self.table.over:
                self.table.next_hand()
                self._update()

    def _update(self) -> None:
        for event in self._story.update():
            self.sent["events"].append(event)
            for seat, seen in enumerate(self.sent["seen"]):
                seen.append(self._recorder.seen_by(event, seat))
        for seat, story in enumerate(self._knowing):
            count = len(story.update())
            self.sent["own"][seat] += [own and {"type": "own", **own} for own in story.own[len(story.own) - count :]]

    def _decide(self) -> int:
        """Note question and advice; return an action: mostly wins, riichi and the best discard."""
        batch = self.table.decision()
        asked, advice = question_of(batch), _JSON.dump_python(advise(batch, Even()), mode="json")
        self.sent["asks"].append(_JSON.dump_python(asked, mode="json"))
        self.sent["advice"].append({name: advice[name] for name in advice if name not in ("by", "best")})
        self.sent["efficient"].append(int(decide(self._efficient, batch)[0]))
        action = int(self._draw.choice(self.table.legal))
        if advice["candidates"] and self._draw.random() < 0.85:
            action = int(advice["candidates"][0]["actions"][0])
        for option in asked["options"]:
            if option.name in ("tsumo", "ron", "win", "riichi") and self._draw.random() < 0.9:
                action = option.action
        return action
