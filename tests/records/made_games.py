"""Generated games for tests of records."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from janshi.agents import RandomAgent
from janshi.riichi.agents import EfficientAgent
from janshi.riichi.records import RiichiGame
from janshi.riichi.records.live import Story
from janshi.riichi.records.model import EAST_SOUTH, HUMAN, SANMA
from janshi.table import DecisionBatch, Tables

#: The archives of real records.
ARCHIVES = (
    "sanma-2009",
    "sanma-2018",
    "sanma-2020",
    "sanma-2022",
    "sanma-2026",
    "sanma-odd",
    "four-2009-2022",
    "four-2018",
    "four-2020",
    "four-2021",
    "four-2024",
    "four-ai",
    "four-rare",
    "four-odd",
)


RANDOM, EFFICIENT = RandomAgent(), EfficientAgent()
AGENTS: dict[str, Callable[[DecisionBatch, int], Any]] = {
    "random": lambda batch, step: RANDOM.act(batch),
    "efficient": lambda batch, step: EFFICIENT.act(batch),
    "mixed": lambda batch, step: (RANDOM if step % 4 == 0 else EFFICIENT).act(batch),
}


def play(rules: str, seed: int, player: str = "efficient", every: int = 1, hands: int = 99) -> Story:
    """Play a game, or its first hands; update the story at intervals of decisions, and at each hand's end.

    The result contains the walls (tiles) of its hands as ``walls``.
    """
    tables = Tables(rules, 1, seed, auto_reset=False)
    story = Story(tables.states[0], tables.rules, ["a", "b", "c", "d"][: tables.rules.players])
    story.walls = []
    step = 0
    while True:
        story.update()
        story.walls.append(tables.states["wall"][0].tolist())
        while tables.actors[0] >= 0:
            tables.step(AGENTS[player](tables.decisions(), step))
            step += 1
            if step % every == 0:
                story.update()
        story.update()
        if tables.over[0] or len(story.walls) == hands:
            return story
        tables.next_hand([0])


@lru_cache(maxsize=64)
def _played(players: int, seed: int, hands: int) -> Story:
    return play("tenhou-sanma" if players == 3 else "tenhou", seed, "mixed", hands=hands)


def make_game(players: int, seed: int, hands: int = 4) -> RiichiGame:
    """Return the first hands of a game by Tenhou's rules, with random calls, as a complete record."""
    game = copy.deepcopy(_played(players, seed, hands).game("made"))
    game.format, game.names = "mjai", [f"P{seat}" for seat in range(players)]
    game.flags = HUMAN | EAST_SOUTH | (SANMA if players == 3 else 0)
    outcome = game.hands[-1].outcome
    last = outcome[-1] if isinstance(outcome, list) else outcome
    game.final_scores = [before + change for before, change in zip(last.scores, last.deltas, strict=True)]
    game.final_points = [float(rank) for rank in range(players)]
    return game
