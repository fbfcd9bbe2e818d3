"""Games that a learner plays to learn from: its decisions with their probabilities, and what its hands brought.

A job (`GamesJob`) plays whole games from seeds. Its result depends on the job alone, so that jobs may run in any number
of processes or on other machines: actions are drawn by the tables' own random words.

Where only the last layers of a network are trained (its *tail*), the frozen layers before them (its *front*) are an
ONNX file of eight-bit integers. Their answers are noted with each decision, so that learning never computes them again,
and the learner, its start and earlier versions share them in play.
"""

from __future__ import annotations

import dataclasses
import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, TypeAlias, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from janshi.agents.onnx import OnnxNetwork
from janshi.arena.places import final_ranks
from janshi.encoders import ENCODERS, Encoder
from janshi.encoders.base import FullState
from janshi.games import game_of, rules_of
from janshi.learn.checkpoints import config_from_json
from janshi.learn.networks import NETWORKS, ActionNetwork, make_network
from janshi.learn.policy import TorchPolicy
from janshi.rollout.driver import NOBODY, Driver, Observer, Seating
from janshi.table import DecisionBatch, Tables
from janshi.worth.placement import PlacementModel

Weights: TypeAlias = Mapping[str, NDArray[Any]]
#: Decisions that go through a network together.
TOGETHER: Final = 256
#: Least logarithm of a probability that is noted of the start: 16 bits hold it.
_LEAST: Final = -60.0
_WORDS: Final = float(1 << 63)


# ---------------------------------------------------------------------------------------------------------
# Networks in two parts


@dataclass(frozen=True, slots=True)
class NetworkParts:
    """A network in two parts, for jobs: what its parts are, without the weights of the tail."""

    kind: str
    """Name of its kind."""
    shape: str
    """Its configuration (JSON)."""
    blocks: int
    """Blocks in the tail; −1: the whole network is the tail, and there is no front."""
    front: bytes
    """The file of the front, nothing where there is none."""

    def network(self) -> ActionNetwork:
        """Return a network of that shape with fresh weights."""
        kind = NETWORKS[self.kind]
        return cast("ActionNetwork", make_network(config_from_json(kind.config, json.loads(self.shape))))


class Front:
    """The frozen layers: what tails read of decisions."""

    def __init__(self, parts: NetworkParts) -> None:
        self.encoder: Encoder = ENCODERS[parts.network().config.encoder]
        self._network = _onnx_of(parts.front) if parts.front else None

    def features(self, packed: NDArray[Any]) -> NDArray[Any]:
        """Return what a tail reads of observations: the front's answers as 16-bit floats, or the observations."""
        return packed if self._network is None else self._network.run(packed).astype(np.float16)


def _onnx_of(file: bytes) -> OnnxNetwork:
    """The network of a file's bytes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "front.onnx"
        path.write_bytes(file)
        return OnnxNetwork(path, threads=1)


@lru_cache(maxsize=2)
def load_front(parts: NetworkParts) -> Front:
    """Return the front of a network, which this process keeps."""
    return Front(parts)


def tail_input(encoder: Encoder, features: NDArray[Any], whole: bool) -> Tensor:
    """Return features as tails take them; ``whole``: the tail is a whole network, the features are observations."""
    return torch.from_numpy(encoder.inputs(features) if whole else features).float()


class Tail:
    """The layers that are trained, with some weights."""

    def __init__(self, parts: NetworkParts, weights: Weights) -> None:
        network = parts.network()
        self.whole = parts.blocks < 0
        self.actions = network.actions
        self.encoder: Encoder = ENCODERS[network.config.encoder]
        self.module = (network if self.whole else network.parts(parts.blocks)[1]).eval()
        self.module.load_state_dict({name: torch.from_numpy(np.array(array)) for name, array in weights.items()})

    @torch.inference_mode()
    def logits(self, features: NDArray[Any]) -> NDArray[np.float32]:
        """Return the logits of all actions (n, actions)."""
        parts = [
            self.module(tail_input(self.encoder, features[first : first + TOGETHER], self.whole))
            for first in range(0, len(features), TOGETHER)
        ]
        answers: NDArray[np.float32] = torch.cat(parts)[:, : self.actions].numpy()
        return answers


def weights_of(module: nn.Module) -> dict[str, NDArray[Any]]:
    """Return a copy of the weights of a module."""
    return {name: tensor.detach().cpu().numpy().copy() for name, tensor in module.state_dict().items()}


class PartsNetwork:
    """A network in two parts as a `janshi.agents.policy.PolicyNetwork`."""

    def __init__(self, parts: NetworkParts, weights: Weights) -> None:
        self._front = load_front(parts)
        self._tail = Tail(parts, weights)
        self.encoder = self._front.encoder

    def logits(self, packed: NDArray[Any]) -> NDArray[np.float32]:
        """Return the logits of all actions (n, actions)."""
        return self._tail.logits(self._front.features(packed))


# ---------------------------------------------------------------------------------------------------------
# Games


@dataclass(frozen=True, slots=True)
class PlayConfig:
    """Settings of a learner's games."""

    rules: str
    temperature: float
    """Of the probabilities by which the learner draws its actions."""
    max_probability: float
    """Positions in which an action is likelier than that are not noted."""
    points: tuple[float, ...]
    """Values of the places; empty: the value of a hand is its points, in units of ``unit``."""
    unit: float


@dataclass(frozen=True, slots=True)
class GamesJob:
    """Games to be played, one at each table.

    ``seeds`` (n): of their walls; ``lineups`` (n, players): which of ``weights`` decides in each seat. Number 0 is the
    learner, number 1 its start, whose probabilities are noted too; all but the learner play their best action.
    """

    parts: NetworkParts
    weights: tuple[Weights, ...]
    config: PlayConfig
    seeds: NDArray[np.int64]
    lineups: NDArray[np.int64]


@dataclass(slots=True)
class Experience:
    """Decisions of the learner, one row each in the order in which they were taken, and what its hands brought."""

    features: NDArray[Any]
    """Inputs of the tail (n, …)."""
    legal: NDArray[np.uint8]
    """Legal actions (n, ⌈actions / 8⌉; bits)."""
    action: NDArray[np.int16]
    """Sampled actions (n)."""
    log: NDArray[np.float32]
    """Logarithm of its probability (n)."""
    start: NDArray[np.float16]
    """Logarithms of the start's probabilities (n, actions)."""
    state: NDArray[np.int8]
    """The whole state (n, numbers), for the critic."""
    hand: NDArray[np.int64]
    """The hand of a seat that it belongs to: a row of ``reward`` (n)."""
    reward: NDArray[np.float32]
    """Reward of each hand (hands)."""
    figures: dict[str, float]
    """Sums: ``games``, ``hands``, ``decisions``; ``met start``, ``place against start`` of the learner's games with
    its start in the other seats."""

    def __len__(self) -> int:
        return len(self.log)

    @staticmethod
    def joined(parts: Sequence[Experience]) -> Experience:
        """Return the experience of several jobs, at least one, as one."""
        first = np.cumsum([0, *(len(part.reward) for part in parts[:-1])])
        both = zip(parts, first, strict=True)
        shifted = [dataclasses.replace(part, hand=part.hand + before) for part, before in both]
        columns = [column.name for column in dataclasses.fields(Experience) if column.name != "figures"]
        figures = {name: sum(part.figures[name] for part in parts) for name in parts[0].figures}
        return Experience(
            **{name: np.concatenate([getattr(part, name) for part in shifted]) for name in columns}, figures=figures
        )


class HandRewards(Observer):
    """Values every hand: by how much it changed the expected points of each seat's final place.

    ``points``: of the places; without any a hand is worth its change of points, in units of ``unit``.
    """

    def __init__(self, tables: Tables, points: Sequence[float], unit: float) -> None:
        self._tables = tables
        self._unit = unit
        self._points = np.array(points, np.float32)
        self._model = PlacementModel(tables.rules) if len(points) else None
        self.number = np.full(len(tables), -1, np.int64)
        """Number of each table's hand, −1 before the first and after the last (n)."""
        self._before = np.zeros((len(tables), tables.rules.players), np.float32)
        self._found: list[NDArray[np.float32]] = []

    def started(self, tables: NDArray[np.int64]) -> None:
        """Value the hands that are over, as the next ones begin."""
        value = self._value(tables)
        self._close(tables, value)
        self._before[tables] = value
        self.number[tables] = len(self._found) + np.arange(len(tables))
        self._found += [np.zeros(value.shape[1], np.float32)] * len(tables)

    def hands_over(self, tables: NDArray[np.int64]) -> None:
        """Value the last hands of games."""
        over = tables[self._tables.over[tables]]
        self._close(over, self._value(over))
        self.number[over] = -1

    def rewards(self) -> NDArray[np.float32]:
        """Return what each hand brought each seat (hands, players)."""
        return np.array(self._found, np.float32)

    def _value(self, tables: NDArray[np.int64]) -> NDArray[np.float32]:
        if self._model is None:
            return (self._tables.scores[tables] / self._unit).astype(np.float32)
        return self._model.expected(np.asarray(self._tables.states)[tables], self._points)

    def _close(self, tables: NDArray[np.int64], value: NDArray[np.float32]) -> None:
        for number, change in zip(self.number[tables].tolist(), value - self._before[tables], strict=True):
            if number >= 0:
                self._found[number] = change


class _Games:
    """The games of a job while they are played."""

    def __init__(self, job: GamesJob) -> None:
        self.job = job
        config = job.config
        rules = rules_of(config.rules)
        self.front = load_front(job.parts)
        self.tails = [Tail(job.parts, weights) for weights in job.weights]
        self.full_state: FullState = game_of(rules).facet("full state")
        self.tables = Tables(rules, len(job.seeds), job.seeds, auto_reset=False)
        self.rewards = HandRewards(self.tables, config.points, config.unit)
        self.driver = Driver(self.tables, Seating((), np.full(job.lineups.shape, NOBODY)), [self.rewards])
        self.noted: list[dict[str, NDArray[Any]]] = []
        self.decisions = 0

    def play(self) -> None:
        """Play all games to their ends."""
        self.driver.begin()
        while len(self.driver.open):
            batch = self.tables.decisions(self.driver.open)
            self.driver.answer(batch, self._actions(batch))
            self.driver.step()
            self.decisions += len(batch)

    def _actions(self, batch: DecisionBatch) -> NDArray[np.int16]:
        """Decide for every seat."""
        actions: NDArray[np.int16] = batch.legal.argmax(axis=1).astype(np.int16)
        free = np.flatnonzero(batch.legal.sum(axis=1) > 1)
        if not len(free):
            return actions
        asked = batch.part(free)
        features = self.front.features(self.front.encoder.encode(asked))
        who = self.job.lineups[asked.tables, asked.seats.astype(np.int64)]
        for number in np.unique(who).tolist():
            rows = np.flatnonzero(who == number)
            log = self._log_probabilities(number, features[rows], asked.legal[rows])
            if number:
                actions[free[rows]] = log.argmax(axis=1)
                continue
            drawn = draw(log, asked.random[rows])
            actions[free[rows]] = drawn
            kept = np.flatnonzero(log.max(axis=1) <= np.log(self.job.config.max_probability))
            if len(kept):
                self._note(asked.part(rows[kept]), features[rows[kept]], drawn[kept], log[kept, drawn[kept]])
        return actions

    def _log_probabilities(
        self, number: int, features: NDArray[Any], legal: NDArray[np.bool_]
    ) -> NDArray[np.float32]:
        logits = torch.from_numpy(self.tails[number].logits(features))
        policy = TorchPolicy(logits / self.job.config.temperature, torch.from_numpy(legal))
        found: NDArray[np.float32] = policy.log_probabilities().numpy()
        return found

    def _note(
        self, batch: DecisionBatch, features: NDArray[Any], actions: NDArray[np.int16], log: NDArray[np.float32]
    ) -> None:
        """Note decisions of the learner."""
        start = self._log_probabilities(1, features, batch.legal)
        state = self.full_state.write(self.tables.states, batch.seats, batch.tables)
        self.noted.append(
            {
                "features": features,
                "legal": np.packbits(batch.legal, axis=1),
                "action": actions,
                "log": log,
                "start": np.maximum(start, _LEAST).astype(np.float16),
                "state": state[:, self.full_state.summary],
                "hand": self.rewards.number[batch.tables] * self.tables.rules.players + batch.seats,
            }
        )

    def experience(self) -> Experience:
        """Return what was noted."""
        columns = {name: np.concatenate([part[name] for part in self.noted]) for name in self.noted[0]}
        rewards = self.rewards.rewards()
        mixed: NDArray[np.bool_] = np.asarray((self.job.lineups > 0).any(axis=1))
        own = (self.job.lineups == 0) & mixed[:, None]
        figures = {
            "games": float(len(self.tables)),
            "hands": float(len(rewards)),
            "decisions": float(self.decisions),
            "met start": float(own.sum()),
            "place against start": float(final_ranks(self.tables.scores)[own].sum()),
        }
        return Experience(**columns, reward=rewards.reshape(-1), figures=figures)


def play_games(job: GamesJob) -> Experience:
    """Play the games of a job and return the learner's decisions."""
    torch.set_num_threads(1)
    games = _Games(job)
    games.play()
    return games.experience()


def draw(log: NDArray[np.float32], random: NDArray[np.int64]) -> NDArray[np.int16]:
    """Return an action of each row, by logarithms of probabilities (n, actions) and random words of 63 bits (n).

    >>> draw(np.log(np.array([[0.25, 0.75]], np.float32)), np.array([1 << 62])).tolist()
    [1]
    """
    below = np.exp(log.astype(np.float64)).cumsum(axis=1)
    drawn = (below <= (random / _WORDS * below[:, -1])[:, None]).sum(axis=1)
    # A word so near to the most that it is rounded to it reaches beyond the last action.
    actions: NDArray[np.int16] = np.where(drawn < log.shape[1], drawn, log.argmax(axis=1)).astype(np.int16)
    return actions
