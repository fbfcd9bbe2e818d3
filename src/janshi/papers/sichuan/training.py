"""Double deep Q-learning as the paper does it, on many tables side by side. Source: section 3.2.2.

The learner sits at tables with three heuristic agents. Each of its decisions makes one transition: the state, the
action, the points gained until its next decision or the end of the hand, and the state there. After each decision a
batch drawn from the last 2,000 transitions is learned from; after each game the second network becomes a copy of the
first.

Our readings of the paper: the printed target takes the action that is best in the state *before*; a double DQN, as
here, takes the one that is best after it, among legal ones. ε falls at each decision. A transition that ends the hand
has no value behind it. The paper does not say which weights play the matches: here those of the learning curve's
highest point. ``tables`` games are played side by side, in the paper one: with more of them the transitions of a game
lie further apart in the memory, and numbers of decisions, steps and copies stay the same.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import Agent
from janshi.arena import play_match
from janshi.files import finite
from janshi.installing import naming_extra
from janshi.learn.checkpoints import (
    BEST,
    LAST,
    CheckpointError,
    TrainingState,
    config_json,
    describe_network,
    has_training,
    load_weights,
    read_state,
    save_training,
)
from janshi.learn.networks import make_network
from janshi.papers.sichuan.actions import actions_of
from janshi.papers.sichuan.agent import DQNAgent, legal_of, values_of
from janshi.papers.sichuan.encoder import LEGAL, SICHUAN_DQN, STATE
from janshi.papers.sichuan.imitation import imitate
from janshi.papers.sichuan.networks import DQNConfig
from janshi.rollout.driver import NOBODY, Driver, Seating
from janshi.sichuan.agents.heuristic import HeuristicAgent
from janshi.sichuan.rules import preset
from janshi.statistics import mean
from janshi.table import DecisionBatch, Tables

with naming_extra(__name__):
    import torch
    from torch import Tensor, nn

#: Seeds of a training's games begin here, times its own seed and one; those of evaluations elsewhere.
_SEEDS: Final = 40
_EVALUATION_SEED: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class DQNTraining:
    """Settings of the training; defaults are the paper's, if stated there."""

    games: int = 100_000
    """Games; sections 3 and 4.2 print 100,000, the loop 10,000."""
    tables: int = 16
    """Games side by side (paper: 1)."""
    segment: int = 1000
    """Games after which a checkpoint is written; all tables end theirs then."""
    updates: float = 1.0
    """Steps of the optimiser for each decision."""
    discount: float = 0.95
    epsilon: float = 1.0
    """ε at the beginning."""
    epsilon_fall: float = 0.999
    epsilon_least: float = 0.01
    learning_rate: float = 1e-3
    """Of Adam. The paper prints the rate, α = 0.001, and not the optimiser."""
    imitated: int = 0
    """Games of the heuristic agent that the network imitates first (paper: 0)."""
    batch: int = 32
    memory: int = 2000
    evaluate_every: int = 10_000
    """Games between two evaluations; a multiple of ``segment``."""
    evaluate_walls: int = 500
    """Walls of an evaluation, each played in four seats against three heuristic agents."""
    rules: str = "sichuan"
    seed: int = 0


class Learner(nn.Module):
    """Both networks and the replay memory, whose arrays NumPy and torch share."""

    def __init__(self, config: DQNTraining) -> None:
        super().__init__()
        torch.manual_seed(config.seed)
        self.online = make_network(DQNConfig())
        self.target = make_network(DQNConfig())
        self.best = make_network(DQNConfig())
        """``online`` as it was at the highest point of the learning curve."""
        self.copy_online()
        size = config.memory
        self.states = np.zeros((size, STATE), np.uint8)
        self.following = np.zeros((size, STATE), np.uint8)
        self.actions = np.zeros(size, np.int64)
        self.rewards = np.zeros(size, np.float32)
        self.ended = np.zeros(size, np.float32)
        for name in ("states", "following", "actions", "rewards", "ended"):
            self.register_buffer(f"memory_{name}", torch.from_numpy(getattr(self, name)))
        self.added = 0

    def copy_online(self) -> None:
        """Make the second network a copy of the first."""
        self.target.load_state_dict(self.online.state_dict())

    def remember(
        self,
        states: NDArray[np.uint8],
        actions: NDArray[np.int64],
        rewards: NDArray[np.int32],
        following: NDArray[np.uint8] | None,
    ) -> None:
        """Keep transitions (n) instead of the oldest; ``following``: None where the hand is over."""
        rows = (self.added + np.arange(len(actions))) % len(self.actions)
        self.states[rows] = states
        self.actions[rows] = actions
        self.rewards[rows] = rewards
        self.following[rows] = 0 if following is None else following
        self.ended[rows] = following is None
        self.added += len(actions)

    def loss(self, rows: NDArray[np.int64], discount: float) -> Tensor:
        """Return the mean squared error of transitions (n) against the double network's targets."""
        with torch.no_grad():
            following = torch.from_numpy(self.following[rows]).float()
            values = self.online(following).masked_fill(following[:, LEGAL:] == 0, -torch.inf)
            best = values.argmax(dim=1, keepdim=True)
            later = self.target(following).gather(1, best)[:, 0] * (1 - torch.from_numpy(self.ended[rows]))
            wanted = torch.from_numpy(self.rewards[rows]) + discount * later
        answers: Tensor = self.online(torch.from_numpy(self.states[rows]).float())
        answered = answers.gather(1, torch.from_numpy(self.actions[rows])[:, None])[:, 0]
        return nn.functional.mse_loss(answered, wanted)


class DQNTrainer:
    """Trains the paper's network; ``folder`` receives checkpoints, curve and player.

    If ``folder`` holds an unfinished training of the same configuration, it resumes and ends as an
    uninterrupted one would. Raises `CheckpointError` if it holds another one's.
    """

    def __init__(self, config: DQNTraining, folder: Path) -> None:
        self.config = config
        self.folder = folder
        self.rules = preset(config.rules)
        self.teacher = HeuristicAgent()
        self.learner = Learner(config)
        self.optimizer = torch.optim.Adam(self.learner.online.parameters(), lr=config.learning_rate, fused=True)
        self.epsilon = config.epsilon
        self.owed = 0.0
        """Steps that decisions have called for and that are not done yet."""
        self.counts = {"decisions": 0, "steps": 0}
        self.done = 0
        self.seconds = 0.0
        self.curve: list[dict[str, Any]] = []
        if has_training(folder):
            self._resume()
        elif config.imitated:
            imitate(self.learner.online, self.teacher, self.rules, config.imitated, config.seed)
            self.learner.copy_online()
            self.learner.best.load_state_dict(self.learner.online.state_dict())

    @property
    def over(self) -> bool:
        """True if all games have been played."""
        return self.done >= self.config.games

    def train(self, progress: Callable[[DQNTrainer], None] | None = None) -> None:
        """Play and learn to the last game; a checkpoint follows each segment."""
        while not self.over:
            start = time.perf_counter()
            if not self.curve:
                self.curve.append({"games": 0, **self._evaluate()})
            last = min(self.done + self.config.segment, self.config.games)
            played = _Segment(self, self.done, last)
            played.play()
            self.done = last
            point: dict[str, Any] = {"games": last, "epsilon": self.epsilon, **played.figures()}
            if last % self.config.evaluate_every == 0 or self.over:
                point |= self._evaluate()
                self._keep_best(point["points"]["value"])
            self.curve.append(point)
            self.seconds += time.perf_counter() - start
            self.save()
            if progress is not None:
                progress(self)

    def choose(self, packed: NDArray[np.uint8], random: np.random.Generator) -> NDArray[np.int64]:
        """Return the paper's actions (n) for states (n): drawn at random in a share ε of them; ε falls with each."""
        legal = legal_of(packed)
        chosen: NDArray[np.int64] = np.where(legal, values_of(self.learner.online, packed), -np.inf).argmax(axis=1)
        for row in range(len(chosen)):
            explores = random.random() < self.epsilon
            drawn = random.random()
            if explores:
                options = np.flatnonzero(legal[row])
                chosen[row] = options[int(drawn * len(options))]
            if self.epsilon >= self.config.epsilon_least:
                self.epsilon *= self.config.epsilon_fall
        return chosen

    def update(self, decisions: int, random: np.random.Generator) -> float:
        """Take the steps due after some decisions; return the sum of their losses."""
        self.counts["decisions"] += decisions
        self.owed += decisions * self.config.updates
        losses = 0.0
        while self.owed >= 1:
            self.owed -= 1
            filled = min(self.learner.added, self.config.memory)
            if filled < self.config.batch:
                continue
            loss = self.learner.loss(random.integers(0, filled, self.config.batch), self.config.discount)
            self.optimizer.zero_grad(set_to_none=True)
            torch.autograd.backward(loss)
            self.optimizer.step()
            self.counts["steps"] += 1
            losses += float(loss.detach())
        return losses

    def player(self, name: str = "DDQN") -> DQNAgent:
        """Return the player as it is now."""
        return DQNAgent(self.learner.online, name)

    def _keep_best(self, value: float) -> None:
        """Keep the weights where ``value`` (points a game) is above the curve so far, but for the untrained network."""
        counted = self.curve if self.config.imitated else self.curve[1:]
        before = [point["points"]["value"] for point in counted if "points" in point]
        if not before or value > max(before):
            self.learner.best.load_state_dict(self.learner.online.state_dict())

    def _evaluate(self) -> dict[str, Any]:
        """Points a game against three heuristic agents, always on the same walls."""
        agents: list[Agent] = [self.player(), *[self.teacher] * 3]
        match = play_match(agents, self.rules, self.config.evaluate_walls, _EVALUATION_SEED)
        if match.interrupted:
            raise KeyboardInterrupt
        own = match.final[np.arange(len(match.final)), match.game_rotation]
        return {"points": finite(dataclasses.asdict(mean(own, match.game_wall)))}

    # -------------------------------------------------------------------------------------------------------

    def save(self) -> None:
        """Write a checkpoint; after the last game the player instead."""
        counts = {**self.counts, "epsilon": self.epsilon, "owed": self.owed, "added": self.learner.added}
        state = TrainingState(config_json(self.config), {}, self.done, self.seconds, self.curve, counts)
        network = self.learner.online
        described = describe_network(network, 4, [self.rules.name], samples=self.counts["decisions"])
        self.folder.mkdir(parents=True, exist_ok=True)
        unfinished = None if self.over else (self.learner, self.optimizer)
        save_training(self.folder, state, described, {LAST: network, BEST: self.learner.best}, unfinished)

    def _resume(self) -> None:
        state = read_state(self.folder)
        if state.config != config_json(self.config):
            raise CheckpointError(f"{self.folder} holds a training with other options: name another, or delete it")
        self.done, self.seconds, self.curve = state.done, state.seconds, state.curve
        self.counts = {name: state.counts[name] for name in self.counts}
        self.epsilon, self.owed = state.counts["epsilon"], state.counts["owed"]
        self.learner.added = state.counts["added"]
        load_weights(self.learner.online if self.over else self.learner, self.optimizer, self.folder, self.over)


class _Segment:
    """Some games, a few side by side: the learner in one seat of each, which changes from game to game."""

    def __init__(self, trainer: DQNTrainer, first: int, last: int) -> None:
        config = trainer.config
        self.trainer = trainer
        self.next, self.last = first, last
        self.random = np.random.default_rng([config.seed, 7, first])
        count = min(config.tables, last - first)
        self.tables = Tables(trainer.rules, count, auto_reset=False)
        self.games = np.full(count, -1, np.int64)
        self.seating = Seating((trainer.teacher,), np.zeros((count, 4), np.int64))
        self.driver = Driver(self.tables, self.seating, next_hands=False)
        self.states = np.zeros((count, STATE), np.uint8)
        self.actions = np.full(count, -1, np.int64)
        """Last action of the learner in the current game, −1 for none."""
        self.points = np.zeros(count, np.int32)
        self.won: list[int] = []
        self.losses = 0.0
        self.steps = trainer.counts["steps"]

    def play(self) -> None:
        """Play all games."""
        self._begin(np.arange(len(self.tables)))
        while True:
            for question in self.driver.questions():
                self.driver.answer(question.batch, question.agent.act(question.batch))
            own = self.driver.open
            if len(own):
                self._decide(self.tables.decisions(own))
            if not self.driver.step():
                return
            over = np.flatnonzero(self.tables.over & (self.games >= 0))
            if len(over):
                self._end(over)

    def figures(self) -> dict[str, float]:
        """Return the learner's mean points and the mean loss of the steps."""
        steps = max(1, self.trainer.counts["steps"] - self.steps)
        return {"training points": float(np.mean(self.won)), "loss": self.losses / steps}

    def _begin(self, free: NDArray[np.int64]) -> None:
        """Begin the next games at some tables; those for which there are none stay empty."""
        tables = free[: self.last - self.next]
        self.games[free] = -1
        if not len(tables):
            return
        games = self.next + np.arange(len(tables))
        self.next += len(tables)
        self.games[tables] = games
        self.actions[tables] = -1
        self.seating.seats[tables] = 0
        self.seating.seats[tables, games % 4] = NOBODY
        self.tables.reset(tables, np.int64(self.trainer.config.seed + 1 << _SEEDS) + games)
        self.driver.begin(tables)

    def _decide(self, batch: DecisionBatch) -> None:
        """Decide for the learner, store the transitions of its previous decisions, and learn."""
        tables = batch.tables
        packed = SICHUAN_DQN.encode(batch)
        points = self.tables.scores[tables, batch.seats]
        known = np.flatnonzero(self.actions[tables] >= 0)
        before = tables[known]
        self.trainer.learner.remember(
            self.states[before], self.actions[before], points[known] - self.points[before], packed[known]
        )
        chosen = self.trainer.choose(packed, self.random)
        self.states[tables], self.actions[tables], self.points[tables] = packed, chosen, points
        self.driver.answer(batch, actions_of(chosen, batch))
        self.losses += self.trainer.update(len(batch), self.random)

    def _end(self, over: NDArray[np.int64]) -> None:
        """Store the last transitions of finished games, and begin the next games."""
        scores = self.tables.scores[over, self.games[over] % 4]
        self.won += (scores - self.trainer.rules.start).tolist()
        decided = np.flatnonzero(self.actions[over] >= 0)
        last = over[decided]
        self.trainer.learner.remember(self.states[last], self.actions[last], scores[decided] - self.points[last], None)
        self.trainer.learner.copy_online()
        self._begin(over)
