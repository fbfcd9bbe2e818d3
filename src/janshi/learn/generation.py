"""Games of a learner as training data: its decisions with their probabilities, and the rewards of its hands.

A job (`GamesJob`) plays whole games from seeds. Actions are drawn with the tables' random words, so that the result
depends only on the job, which may run in any process or on another machine.

If only the last layers of a network are trained (its *tail*), the frozen layers before them (its *front*) are an ONNX
file in eight-bit integers. The front's outputs are stored with each decision and never recomputed in learning. The
learner, its start and earlier versions share them in play.
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
#: Decisions in a batch of a network.
TOGETHER: Final = 256
#: Lower bound of the start's stored logarithms of probabilities; it fits in 16 bits.
_LEAST: Final = -60.0
_WORDS: Final = float(1 << 63)


# ---------------------------------------------------------------------------------------------------------
# Networks in two parts


@dataclass(frozen=True, slots=True)
class NetworkParts:
    """Description of a network in two parts, for jobs; without the weights of the tail."""

    kind: str
    """Name of its kind."""
    shape: str
    """Configuration (JSON)."""
    blocks: int
    """Number of blocks in the tail; −1: the whole network is the tail, without a front."""
    front: bytes
    """Content of the front's file; empty without a front."""

    def network(self) -> ActionNetwork:
        """Return a network of this shape with new weights."""
        kind = NETWORKS[self.kind]
        return cast("ActionNetwork", make_network(config_from_json(kind.config, json.loads(self.shape))))


class Front:
    """The frozen layers, which produce the inputs of tails."""

    def __init__(self, parts: NetworkParts) -> None:
        self.encoder: Encoder = ENCODERS[parts.network().config.encoder]
        self._network = _onnx_of(parts.front) if parts.front else None

    def features(self, packed: NDArray[Any]) -> NDArray[Any]:
        """Return the inputs of a tail: the front's outputs as 16-bit floats, or the observations."""
        return packed if self._network is None else self._network.run(packed).astype(np.float16)


def _onnx_of(file: bytes) -> OnnxNetwork:
    """Return the network of a file's content."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "front.onnx"
        path.write_bytes(file)
        return OnnxNetwork(path, threads=1)


@lru_cache(maxsize=2)
def load_front(parts: NetworkParts) -> Front:
    """Return the front of a network, cached in this process."""
    return Front(parts)


def tail_input(encoder: Encoder, features: NDArray[Any], whole: bool) -> Tensor:
    """Return features as a tail's input; ``whole``: the tail is a whole network and the features are observations."""
    return torch.from_numpy(encoder.inputs(features) if whole else features).float()


class Tail:
    """The trained layers with some weights."""

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
    """Temperature of the learner's sampling."""
    max_probability: float
    """Positions with a more probable action are not stored."""
    points: tuple[float, ...]
    """Values of the places; empty to value a hand by its points, in units of ``unit``."""
    unit: float


@dataclass(frozen=True, slots=True)
class GamesJob:
    """Games to play, one at each table.

    ``seeds`` (n): seeds of the walls; ``lineups`` (n, players): index in ``weights`` of each seat's player. Index 0 is
    the learner, index 1 its start, whose probabilities are stored too. All but the learner play greedily.
    """

    parts: NetworkParts
    weights: tuple[Weights, ...]
    config: PlayConfig
    seeds: NDArray[np.int64]
    lineups: NDArray[np.int64]


@dataclass(slots=True)
class Experience:
    """Decisions of the learner in order, one row each, and the rewards of its hands."""

    features: NDArray[Any]
    """Inputs of the tail (n, …)."""
    legal: NDArray[np.uint8]
    """Legal actions (n, ⌈actions / 8⌉; bits)."""
    action: NDArray[np.int16]
    """Sampled actions (n)."""
    log: NDArray[np.float32]
    """Logarithms of their probabilities (n)."""
    start: NDArray[np.float16]
    """Logarithms of the start's probabilities (n, actions)."""
    state: NDArray[np.int8]
    """Whole states (n, numbers), for the critic."""
    hand: NDArray[np.int64]
    """Index in ``reward`` of each decision's hand (n)."""
    reward: NDArray[np.float32]
    """Reward of each hand (hands)."""
    figures: dict[str, float]
    """Sums: ``games``, ``hands``, ``decisions``; ``met start``, ``place against start`` of the learner's games with
    its start in the other seats."""

    def __len__(self) -> int:
        return len(self.log)

    @staticmethod
    def joined(parts: Sequence[Experience]) -> Experience:
        """Return the joined experience of one or more jobs."""
        first = np.cumsum([0, *(len(part.reward) for part in parts[:-1])])
        both = zip(parts, first, strict=True)
        shifted = [dataclasses.replace(part, hand=part.hand + before) for part, before in both]
        columns = [column.name for column in dataclasses.fields(Experience) if column.name != "figures"]
        figures = {name: sum(part.figures[name] for part in parts) for name in parts[0].figures}
        return Experience(
            **{name: np.concatenate([getattr(part, name) for part in shifted]) for name in columns}, figures=figures
        )


class HandRewards(Observer):
    """Computes the reward of every hand: the change of the expected points of each seat's final place.

    ``points``: points of the places; if empty, the reward is the change of points in units of ``unit``.
    """

    def __init__(self, tables: Tables, points: Sequence[float], unit: float) -> None:
        self._tables = tables
        self._unit = unit
        self._points = np.array(points, np.float32)
        self._model = PlacementModel(tables.rules) if len(points) else None
        self.number = np.full(len(tables), -1, np.int64)
        """Index of each table's hand, −1 before the first and after the last (n)."""
        self._before = np.zeros((len(tables), tables.rules.players), np.float32)
        self._found: list[NDArray[np.float32]] = []

    def started(self, tables: NDArray[np.int64]) -> None:
        """Compute the rewards of finished hands when the next ones begin."""
        value = self._value(tables)
        self._close(tables, value)
        self._before[tables] = value
        self.number[tables] = len(self._found) + np.arange(len(tables))
        self._found += [np.zeros(value.shape[1], np.float32)] * len(tables)

    def hands_over(self, tables: NDArray[np.int64]) -> None:
        """Compute the rewards of the last hands of games."""
        over = tables[self._tables.over[tables]]
        self._close(over, self._value(over))
        self.number[over] = -1

    def rewards(self) -> NDArray[np.float32]:
        """Return the reward of each hand for each seat (hands, players)."""
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
    """The games of a job in progress."""

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
        """Play all games to the end."""
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
        """Store decisions of the learner."""
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
        """Return the stored decisions."""
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
    """Return an action for each row, from logarithms of probabilities (n, actions) and 63-bit random words (n).

    >>> draw(np.log(np.array([[0.25, 0.75]], np.float32)), np.array([1 << 62])).tolist()
    [1]
    """
    below = np.exp(log.astype(np.float64)).cumsum(axis=1)
    drawn = (below <= (random / _WORDS * below[:, -1])[:, None]).sum(axis=1)
    # A word that is rounded up to the maximum would select an action beyond the last.
    actions: NDArray[np.int16] = np.where(drawn < log.shape[1], drawn, log.argmax(axis=1)).astype(np.int16)
    return actions
