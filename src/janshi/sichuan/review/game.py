"""Review of a whole game of Sichuan mahjong: every decision of one seat compared with an agent's choice.

Costs and the rating are defined in `janshi.review.reviewing`. A discard of the tile just drawn and one of the same tile
from the hand are one action. **Phases** are the rows of the river: the first six discards, the next six, the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from janshi.agents.protocol import Agent
from janshi.review import words
from janshi.review.advising import advise, options_of
from janshi.review.model import Decision, Phase, Review
from janshi.review.reviewing import GameReview, ReviewError, cost_of
from janshi.sichuan.records.jsonl import FORMAT, SichuanGame, replay_watched
from janshi.sichuan.records.live import SichuanStory
from janshi.table import DecisionBatch, Table


@dataclass(slots=True)
class _Watched:
    """The events of a game that is replayed, and the decisions of one seat."""

    game: SichuanGame
    seat: int
    story: SichuanStory | None = None
    hand: int = 0
    batches: list[DecisionBatch] = field(default_factory=list)
    places: list[tuple[int, int, int]] = field(default_factory=list)  # hand, events before, action taken

    def __call__(self, table: Table, action: int) -> None:
        """Follow a table before an action, and after a hand (−1)."""
        if self.story is None:
            self.story = SichuanStory(table.record, table.rules, self.game.names)
        self.story.update()
        if action < 0:
            self.hand += 1
        elif table.actor == self.seat:
            self.batches.append(table.decision().with_events())
            self.places.append((self.hand, len(self.story.events), action))


def _watched(game: SichuanGame, seat: int) -> tuple[_Watched, list[str]]:
    """Return what a seat decided in a game, and a note on the rest if it cannot be replayed."""
    watched = _Watched(game, seat)
    wrong = replay_watched(game, watched).mismatches
    notes = [
        f"the game is not reviewed from hand {each.hand} on, it cannot be replayed: "
        f"{each.what}: by the rules {each.engine}, in the record {each.record}"
        for each in wrong
    ]
    if watched.story is None:
        raise ReviewError(notes[0])
    return watched, notes


def decisions_of(
    game: SichuanGame, seat: int, agent: Agent, progress: Callable[[int, int], None] | None = None
) -> tuple[list[dict[str, Any]], list[Decision], list[str]]:
    """Return the events of a game, a seat's decisions with an agent's advice, and notes on what is left out.

    ``progress`` is called with the number of decisions done and of all. Raises `ReviewError` for a record of which
    nothing can be replayed.
    """
    watched, notes = _watched(game, seat)
    phases: tuple[Phase, ...] = ("opening", "middle", "end")
    decisions = []
    for number, (batch, (hand, events, done)) in enumerate(zip(watched.batches, watched.places, strict=True)):
        view = np.asarray(batch.views)[0]
        advice = advise(batch, agent)
        decisions.append(
            Decision(
                number=number,
                hand=hand,
                event=events,
                options=options_of(batch),
                done=done,
                advice=advice,
                agrees=done == advice.best,
                cost=0.0 if done == advice.best else cost_of(advice, (done,)),
                phase=phases[min(int(view["seats"][seat]["discards"]) // 6, 2)],
            )
        )
        if progress is not None:
            progress(number + 1, len(watched.batches))
    assert watched.story is not None, "a decision has been watched"
    return watched.story.events, decisions, notes


def positions_of(game: SichuanGame, seat: int) -> list[DecisionBatch]:
    """Return the decisions of a seat, in the order of `decisions_of`."""
    return _watched(game, seat)[0].batches


def moment_words(review: Review, decision: Decision) -> list[str]:
    """Return a decision in words: see `janshi.review.words.moment_words`."""
    return words.moment_words(review, decision, lambda review, hand: f"hand {hand + 1}")


#: Sichuan's facet ``"review"``.
REVIEW: Final = GameReview(
    format=FORMAT,
    decisions=decisions_of,
    positions=positions_of,
    playout_agents={4: "sichuan"},
    scale=None,
    moment=moment_words,
)
