"""Self-play: hands with sampled discards of the learner, and their results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import Agent
from janshi.arena.places import ranks
from janshi.games import game_of
from janshi.papers.meowjong.policy import DiscardPolicy
from janshi.rollout.driver import NOBODY, Driver, Seating
from janshi.table import Tables

#: Opponent name of the learner itself, which then takes every seat.
SELF: Final = "self"
#: Kinds of rewards of a hand.
REWARDS: Final = ("points", "place")
#: Stored columns of every decision, besides its choices.
_COLUMNS: Final = {
    "table": np.int64,
    "seat": np.int64,
    "packed": np.int64,
    "log": np.float32,
}


@dataclass(frozen=True, slots=True)
class SelfPlay:
    """Settings of self-play: tables have the ``opponents`` in turn.

    Against `SELF` the learner takes every seat. Against another opponent, an agent of ``agents``, it takes one seat,
    which changes from table to table. ``reward``: see `rewards`. Raises `ValueError` for an unknown opponent or reward.
    """

    rules: Any
    opponents: tuple[str, ...]
    agents: Mapping[str, Agent]
    reward: str = "points"

    def __post_init__(self) -> None:
        """Raise `ValueError` for an unknown opponent or reward."""
        missing = [name for name in self.opponents if name != SELF and name not in self.agents]
        if missing or not self.opponents:
            raise ValueError(f"no agent for the opponents {', '.join(missing) or '(none are named)'}")
        if self.reward not in REWARDS:
            raise ValueError(f"no reward {self.reward!r}: there are {', '.join(REWARDS)}")

    def names(self, count: int) -> NDArray[np.str_]:
        """Return the opponents of ``count`` tables."""
        return np.array([self.opponents[table % len(self.opponents)] for table in range(count)])

    def seating(self, count: int) -> Seating:
        """Return the seating of ``count`` tables; the learner's seats are open."""
        names = list(dict.fromkeys(name for name in self.opponents if name != SELF))
        numbers = {name: number for number, name in enumerate(names)} | {SELF: NOBODY}
        players = self.rules.players
        opponent = np.array([numbers[name] for name in self.names(count).tolist()])
        own = np.arange(count) // len(self.opponents) % players
        seats = np.where(np.arange(players) == own[:, None], NOBODY, opponent[:, None])
        return Seating(tuple(self.agents[name] for name in names), seats)


@dataclass(slots=True)
class Trajectories:
    """The learner's decisions in the hands of an episode, one row each.

    ``packed``: observations (n, …); ``choices``: sampled choices, arguments of `DiscardPolicy.log_probability`; ``log``
    (n): their log-probabilities; ``after`` (n): number of the learner's later decisions in the hand; ``reward`` (n):
    reward of the hand.
    """

    packed: NDArray[Any]
    choices: dict[str, NDArray[Any]]
    log: NDArray[np.float32]
    after: NDArray[np.int16]
    reward: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.log)


@dataclass(frozen=True, slots=True)
class EpisodeSummary:
    """Results of the learner in the hands of an episode."""

    hands: int
    skipped: int
    """Number of hands excluded from learning because of an impossible sample."""
    reward: float
    entropy: float
    decisions: int


def rewards(kind: str, states: NDArray[Any], change: NDArray[np.int32], rules: Any) -> NDArray[np.float32]:
    """Return the reward of every seat for its hand (n, players), from the change of its points (n, players).

    ``points``: the change in hundreds; ``place``: 1 for the first, −1 for the last, 0 for others and for draws.
    """
    if kind == "points":
        return (change / 100).astype(np.float32)
    place = ranks(change)
    last = (ranks(-change) == 1) & (place > 1)
    won = ~game_of(rules).outcomes(states).drawn[:, None]
    return np.where(won, (place == 1).astype(np.float32) - last, 0).astype(np.float32)


def collect(
    policy: DiscardPolicy, setting: SelfPlay, seeds: NDArray[np.int64]
) -> tuple[Trajectories, EpisodeSummary]:
    """Play one hand from each seed and return the learner's decisions with their rewards."""
    count = len(seeds)
    tables = Tables(setting.rules, count, seeds, auto_reset=False)
    seating = setting.seating(count)
    driver = Driver(tables, seating, next_hands=False)
    random = np.random.default_rng([int(seeds[0]), 2])
    noted: list[dict[str, NDArray[Any]]] = []
    wrong = np.zeros(count, np.bool_)
    while True:
        for question in driver.questions():
            driver.answer(question.batch, question.agent.act(question.batch))
        own = driver.open
        if len(own):
            batch = tables.decisions(own)
            situations = policy.ask(batch)
            if len(situations):
                drawn = policy.draw(situations, random)
                situations.actions[situations.actions < 0] = drawn.actions
                wrong[situations.batch.tables[drawn.impossible]] = True
                columns = {
                    "table": situations.batch.tables[drawn.rows],
                    "seat": situations.batch.seats[drawn.rows].astype(np.int64),
                    "packed": situations.packed[drawn.rows],
                    "log": drawn.log,
                }
                noted.append(columns | {f"choice {name}": rows for name, rows in drawn.choices.items()})
            driver.answer(batch, situations.actions)
        if not driver.step():
            break
    states = cast("NDArray[Any]", tables.states)
    gained = rewards(setting.reward, states, tables.scores - setting.rules.start, setting.rules)
    return _with_rewards(noted, gained, wrong, seating.seats == NOBODY)


def _with_rewards(
    noted: list[dict[str, NDArray[Any]]],
    gained: NDArray[np.float32],
    wrong: NDArray[np.bool_],
    mine: NDArray[np.bool_],
) -> tuple[Trajectories, EpisodeSummary]:
    if not noted:  # the hands ended before the learner's first decision
        noted = [{name: np.zeros(0, kind) for name, kind in _COLUMNS.items()}]
    columns = {name: np.concatenate([rows[name] for rows in noted]) for name in noted[0]}
    keep = ~wrong[columns["table"]]
    columns = {name: column[keep] for name, column in columns.items()}
    hand = columns["table"] * gained.shape[1] + columns["seat"]
    # Decisions are in order: count the later ones of the same hand.
    order = np.argsort(hand, kind="stable")
    _, first, many = np.unique(hand[order], return_index=True, return_counts=True)
    after = np.zeros(len(hand), np.int16)
    after[order] = (np.repeat(first + many, many) - 1 - np.arange(len(hand))).astype(np.int16)
    choices = {name.removeprefix("choice "): column for name, column in columns.items() if name.startswith("choice ")}
    found = Trajectories(
        packed=columns["packed"],
        choices=choices,
        log=columns["log"],
        after=after,
        reward=gained[columns["table"], columns["seat"]],
    )
    right = ~wrong
    mean = float(gained[right][mine[right]].mean()) if right.any() else 0.0
    entropy = float(-found.log.mean()) if len(found) else 0.0
    return found, EpisodeSummary(len(wrong), int(wrong.sum()), mean, entropy, len(found))
