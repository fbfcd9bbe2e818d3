"""Games of a learner as training data: what another action would have changed at its decisions.

A job (`GamesJob`) plays whole games from seeds. At a decision between several plausible actions, the hand is also
played on from the same table with another action: the same hidden tiles, the same wall, the same players. The
difference of both results is an unbiased estimate of what the other action is worth to the player, nearly without the
luck that both share. The result depends only on the job, which may run in any process or on another machine.

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
from numpy.typing import NDArray

from janshi.agents.onnx import OnnxNetwork
from janshi.agents.policy import Policy
from janshi.agents.protocol import decide
from janshi.arena.parts import LineUp
from janshi.core.places import final_ranks
from janshi.core.rows import join_rows, take_rows
from janshi.encoders import ENCODERS, Encoder
from janshi.games import rules_of
from janshi.installing import naming_extra
from janshi.learn.checkpoints import config_from_json
from janshi.learn.networks import NETWORKS, ActionNetwork, make_network
from janshi.rollout.driver import NOBODY, Driver, Observer, Seating
from janshi.table import DecisionBatch, Tables
from janshi.worth.placement import PlacementModel

with naming_extra(__name__):
    import torch
    from torch import Tensor, nn

Weights: TypeAlias = Mapping[str, NDArray[Any]]
#: Decisions in a batch of a network.
TOGETHER: Final = 64
#: Decisions whose other actions are played out side by side.
_COMPARED_TOGETHER: Final = 3072
#: Parts of a share of decisions.
_PARTS: Final = 1 << 20
#: Logit of illegal actions.
_NEVER: Final = np.float32(-1e9)


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
        self.stored = self.encoder.packed_dtype if self._network is None else np.dtype(np.float16)
        """Type of features in comparisons."""

    def features(self, packed: NDArray[Any]) -> NDArray[Any]:
        """Return the inputs of a tail: the front's outputs, or the observations."""
        return packed if self._network is None else self._network.run(packed)


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


class TrainedLayers:
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
        self._tail = TrainedLayers(parts, weights)
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
    """Temperature of the distribution from which the other action is drawn."""
    least: float
    """Other actions are at least so probable at this temperature."""
    discards: float
    """Share of the decisions between two discards that are compared."""
    points: tuple[float, ...]
    """Values of the places; empty to value a hand by its points, in units of ``unit``."""
    unit: float


@dataclass(frozen=True, slots=True)
class GamesJob:
    """Games to play, one at each table.

    ``seeds`` (n): seeds of the walls; ``lineups`` (n, players): index of each seat's player in ``weights``, where 0 is
    the learner and 1 its start, and then in ``opponents``, each a line-up of one agent. All play their best actions.
    """

    parts: NetworkParts
    weights: tuple[Weights, ...]
    config: PlayConfig
    seeds: NDArray[np.int64]
    lineups: NDArray[np.int64]
    opponents: tuple[LineUp, ...] = ()


@dataclass(slots=True)
class Comparisons:
    """Decisions of the learner, one row each: the action that it took and another one that was played out."""

    features: NDArray[Any]
    """Inputs of the tail (n, …)."""
    taken: NDArray[np.int16]
    """Actions taken (n)."""
    other: NDArray[np.int16]
    """The other actions (n)."""
    lead: NDArray[np.float32]
    """Logits of the other actions less those of the taken ones, by the network that played (n)."""
    gain: NDArray[np.float32]
    """Results of the other actions less those of the taken ones (n)."""
    figures: dict[str, float]
    """Sums: ``games``, ``hands``, ``decisions``; ``met start``, ``place against start`` of the learner's games with
    its start in the other seats."""

    def __len__(self) -> int:
        return len(self.gain)

    @staticmethod
    def joined(parts: Sequence[Comparisons]) -> Comparisons:
        """Return the joined comparisons of one or more jobs."""
        columns = [column.name for column in dataclasses.fields(Comparisons) if column.name != "figures"]
        figures = {name: sum(part.figures[name] for part in parts) for name in parts[0].figures}
        some = [part for part in parts if len(part)] or parts[:1]
        return Comparisons(
            **{name: np.concatenate([getattr(part, name) for part in some]) for name in columns}, figures=figures
        )


class HandValues(Observer):
    """Stores what every hand led to: the expected points of each seat's final place after it.

    ``points``: points of the places; if empty, a hand leads to the seats' scores, in units of ``unit``.
    """

    def __init__(self, tables: Tables, points: Sequence[float], unit: float) -> None:
        self._tables = tables
        self._unit = unit
        self._points = np.array(points, np.float32)
        self._model = PlacementModel(tables.rules) if len(points) else None
        self.number = np.full(len(tables), -1, np.int64)
        """Index of each table's hand, −1 before the first and after the last (n)."""
        self._found: list[NDArray[np.float32]] = []

    def started(self, tables: NDArray[np.int64]) -> None:
        """Value finished hands when the next ones begin."""
        self._close(tables)
        self.number[tables] = len(self._found) + np.arange(len(tables))
        self._found += [np.zeros(self._tables.rules.players, np.float32)] * len(tables)

    def hands_over(self, tables: NDArray[np.int64]) -> None:
        """Value the last hands of games."""
        over = tables[self._tables.over[tables]]
        self._close(over)
        self.number[over] = -1

    def values(self) -> NDArray[np.float32]:
        """Return what each hand led to for each seat (hands, players)."""
        return np.array(self._found, np.float32)

    def present(self, tables: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return what the points of some tables are worth to each seat between two hands (n, players)."""
        if self._model is None:
            return (self._tables.scores[tables] / self._unit).astype(np.float32)
        return self._model.expected(np.asarray(self._tables.states)[tables], self._points)

    def _close(self, tables: NDArray[np.int64]) -> None:
        for number, value in zip(self.number[tables].tolist(), self.present(tables), strict=True):
            if number >= 0:
                self._found[number] = value


class _Games:
    """The games of a job in progress."""

    def __init__(self, job: GamesJob) -> None:
        self.job = job
        self.rules: Any = rules_of(job.config.rules)
        self.front = load_front(job.parts)
        self.tails = [TrainedLayers(job.parts, weights) for weights in job.weights]
        self.opponents = tuple(each.make()[0] for each in job.opponents)
        self.tables = Tables(self.rules, len(job.seeds), job.seeds, auto_reset=False)
        self.values = self._values(self.tables)
        self.pending: list[dict[str, NDArray[Any]]] = []
        self.compared: list[dict[str, NDArray[Any]]] = []
        self.decisions = 0

    def play(self) -> None:
        """Play all games to the end."""
        self._play(self.tables, self.job.lineups, self.values)
        self._compare()

    def _values(self, tables: Tables) -> HandValues:
        return HandValues(tables, self.job.config.points, self.job.config.unit)

    def _play(self, tables: Tables, lineups: NDArray[np.int64], values: HandValues | None) -> None:
        """Play hands to the end, and with ``values`` whole games, whose decisions are compared."""
        seating = Seating(self.opponents, np.maximum(lineups - len(self.tails), NOBODY))
        observers = [] if values is None else [values]
        driver = Driver(tables, seating, observers, next_hands=values is not None)
        driver.begin()
        while len(driver.waiting):
            for question in driver.questions():
                driver.answer(question.batch, decide(question.agent, question.batch))
            if len(driver.open):
                batch = tables.decisions(driver.open)
                driver.answer(batch, self._actions(batch, lineups, noting=values is not None))
                self.decisions += len(batch)
            driver.step()

    def _actions(self, batch: DecisionBatch, lineups: NDArray[np.int64], *, noting: bool) -> NDArray[np.int16]:
        """Decide for every seat."""
        actions: NDArray[np.int16] = batch.legal.argmax(axis=1).astype(np.int16)
        free = np.flatnonzero(batch.legal.sum(axis=1) > 1)
        if not len(free):
            return actions
        asked = batch.part(free)
        features = self.front.features(self.front.encoder.encode(asked))
        who = lineups[asked.tables, asked.seats.astype(np.int64)]
        for number in np.unique(who).tolist():
            rows = np.flatnonzero(who == number)
            logits = np.where(asked.legal[rows], self.tails[number].logits(features[rows]), _NEVER)
            actions[free[rows]] = logits.argmax(axis=1)
            if noting and not number:
                self._note(asked.part(rows), features[rows], logits)
        return actions

    def _note(self, batch: DecisionBatch, features: NDArray[Any], logits: NDArray[np.float32]) -> None:
        """Store decisions of the learner with another plausible action."""
        config = self.job.config
        taken = logits.argmax(axis=1)
        others = Policy(logits, batch.legal, config.temperature).probabilities() >= config.least
        others[np.arange(len(batch)), taken] = False
        rows = np.flatnonzero(others.any(axis=1))
        if not len(rows):
            return
        other = Policy(logits[rows], others[rows], config.temperature).sample(batch.random[rows])
        # Most decisions are between two discards, and the choice between them changes little.
        chosen = batch.random[rows] % _PARTS < config.discards * _PARTS
        kept = chosen | (np.maximum(taken[rows], other) >= batch.game.discards)
        rows, other = rows[kept], other[kept]
        tables, seats = batch.tables[rows], batch.seats[rows].astype(np.int64)
        self.pending.append(
            {
                "features": features[rows].astype(self.front.stored, copy=False),
                "taken": taken[rows].astype(np.int16),
                "other": other,
                "lead": logits[rows, other] - logits[rows, taken[rows]],
                "state": take_rows(self.tables.states, tables),
                "lineup": self.job.lineups[tables],
                "seat": seats,
                "hand": self.values.number[tables],
            }
        )
        if sum(len(part["seat"]) for part in self.pending) >= _COMPARED_TOGETHER:
            self._compare()

    def _compare(self) -> None:
        """Play the other actions of the pending decisions out, to the ends of their hands."""
        if not self.pending:
            return
        states = join_rows([part.pop("state") for part in self.pending])
        rows = {name: np.concatenate([part[name] for part in self.pending]) for name in self.pending[0]}
        self.pending = []
        tables = Tables(self.rules, len(states), auto_reset=False)
        np.asarray(tables.states)[:] = states
        tables.step(rows["other"])
        self._play(tables, rows.pop("lineup"), None)
        tables.next_hand(np.flatnonzero(~tables.over))
        every = np.arange(len(states))
        rows["result"] = self._values(tables).present(every)[every, rows["seat"]]
        self.compared.append(rows)

    def comparisons(self) -> Comparisons:
        """Return the comparisons of the games."""
        mixed: NDArray[np.bool_] = np.asarray((self.job.lineups == 1).any(axis=1))
        own = (self.job.lineups == 0) & mixed[:, None]
        figures = {
            "games": float(len(self.tables)),
            "hands": float(len(self.values.values())),
            "decisions": float(self.decisions),
            "met start": float(own.sum()),
            "place against start": float(final_ranks(self.tables.scores)[own].sum()),
        }
        if not self.compared:
            none = np.zeros(0, np.int16)
            numbers = np.zeros(0, np.float32)
            return Comparisons(np.zeros((0, 0), self.front.stored), none, none, numbers, numbers, figures)
        rows = {name: np.concatenate([part[name] for part in self.compared]) for name in self.compared[0]}
        taken = self.values.values()[rows.pop("hand"), rows.pop("seat")]
        return Comparisons(gain=rows.pop("result") - taken, figures=figures, **rows)


def play_games(job: GamesJob) -> Comparisons:
    """Play the games of a job and return the comparisons of the learner's decisions."""
    torch.set_num_threads(1)
    games = _Games(job)
    games.play()
    return games.comparisons()
