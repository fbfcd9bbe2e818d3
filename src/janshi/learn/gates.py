"""Matches of a learner against its start, on walls not used in training."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.agents.policy import PolicyAgent
from janshi.arena import MatchConfig, play_match
from janshi.cluster import Workers, in_order
from janshi.core.places import final_ranks
from janshi.games import rules_of
from janshi.installing import naming_extra
from janshi.learn.generation import NetworkParts, PartsNetwork, Weights

with naming_extra(__name__):
    import torch

#: Walls in a job.
_WALLS: Final = 100


@dataclass(frozen=True, slots=True)
class GateJob:
    """Job that plays some walls of a match."""

    parts: NetworkParts
    learner: Weights
    start: Weights
    rules: str
    seed: int
    first: int
    walls: int


@dataclass(frozen=True, slots=True)
class Gate:
    """Results of the learner against its start in every other seat: means over walls, and their standard errors."""

    games: int
    place: float
    place_error: float
    points: float
    """Mean gain over the starting points of a game."""
    points_error: float


def play_gate(
    workers: Workers, parts: NetworkParts, weights: tuple[Weights, Weights], rules: Any, walls: int, seed: int
) -> Gate:
    """Play a match of a learner against its start (``weights``), each wall in every seat; both play greedily."""

    def jobs() -> Iterator[GateJob]:
        for first in range(0, walls, _WALLS):
            yield GateJob(parts, *weights, rules.name, seed, first, min(_WALLS, walls - first))

    found = np.concatenate(list(in_order(workers.each(play_walls, jobs()))))
    errors = found.std(axis=0, ddof=1) / np.sqrt(len(found)) if len(found) > 1 else np.zeros(2)
    means = found.mean(axis=0)
    return Gate(
        len(found) * rules.players, float(means[0]), float(errors[0]), float(means[1]), float(errors[1])
    )


def play_walls(job: GateJob) -> NDArray[np.float64]:
    """Return the learner's mean place and points over each wall's games (walls, 2)."""
    torch.set_num_threads(1)
    rules = rules_of(job.rules)
    players = frozenset({rules.players})
    learner, start = (
        PolicyAgent(PartsNetwork(job.parts, weights), name, players)
        for name, weights in (("learner", job.learner), ("start", job.start))
    )
    line_up = [learner, *[start] * (rules.players - 1)]
    match = play_match(line_up, rules, job.walls, job.seed, config=MatchConfig(first=job.first))
    own = np.arange(len(match.final)), match.game_rotation.astype(np.int64) % rules.players
    results = np.stack([final_ranks(match.final)[own], match.final[own] - rules.start], axis=1)
    walls: NDArray[np.float64] = results.reshape(job.walls, rules.players, 2).mean(axis=1)
    return walls
