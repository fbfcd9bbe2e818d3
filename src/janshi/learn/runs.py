"""Runs of self-play episodes, resumable and evaluated at regular intervals.

Each trainer defines its episode (`SelfPlayRun.episode`).
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np
import torch
from numpy.typing import NDArray

from janshi.agents.protocol import Agent, check_agent
from janshi.games import rules_of
from janshi.learn.checkpoints import (
    BEST,
    LAST,
    SAVE_EVERY,
    CheckpointError,
    TrainingState,
    config_json,
    describe_network,
    digest_of,
    has_training,
    load_weights,
    read_state,
    save_training,
)
from janshi.learn.evaluate import evaluate
from janshi.learn.learners import LearnedPolicy
from janshi.learn.scalars import ScalarLog, no_log
from janshi.learn.selfplay import EpisodeSummary, SelfPlay

#: Bits by which a run's seed is shifted in the seeds of its hands.
_SEEDS: Final = 40


class SelfPlayRun(ABC):
    """Base class of runs that improve a policy by self-play; ``folder`` receives checkpoints and curve.

    An unfinished run of the same configuration and start in ``folder`` is resumed, with the result of an uninterrupted
    one. ``opponents``: agents by their names in the configuration; ``rules``: a rule set or a preset's name; ``log`` is
    called with every point of the curve (`janshi.learn.scalars`).

    Raises `CheckpointError` if ``folder`` contains another run, and for rules of another number of players than that of
    the policy's training; `janshi.agents.AgentError` for opponents that do not support the rules.
    """

    kind: ClassVar[str]
    """Name of the kind of run in checkpoints."""

    def __init__(
        self,
        config: Any,
        policy: LearnedPolicy,
        folder: str | Path,
        opponents: Mapping[str, Agent],
        rules: Any,
        *,
        log: ScalarLog = no_log,
    ) -> None:
        self.config = config
        self.policy = policy
        self.folder = Path(folder)
        self.log = log
        self.rules: Any = rules_of(rules)
        if self.rules.players != policy.players:
            raise CheckpointError(
                f"the start was trained for {policy.players} players, rules {self.rules.name!r} seat "
                f"{self.rules.players}"
            )
        self.setting = SelfPlay(self.rules, config.opponents, opponents, config.reward)
        for name in config.opponents:
            if name in opponents:
                check_agent(opponents[name], self.rules)
        self.device = next(policy.network.parameters()).device
        self.optimizer = torch.optim.Adam(policy.network.parameters(), lr=config.learning_rate)
        self.done = 0
        self.seconds = 0.0
        self.curve: list[dict[str, Any]] = []
        """Results of the player at each evaluation."""
        self.start = digest_of(policy.player_network)
        if has_training(self.folder):
            self._resume()

    @property
    def player_network(self) -> torch.nn.Module:
        """The network that plays after the run."""
        return self.policy.player_network

    @property
    def over(self) -> bool:
        """True if the run is over."""
        return bool(self.done >= self.config.episodes)

    @abstractmethod
    def episode(self, seeds: NDArray[np.int64]) -> EpisodeSummary:
        """Play hands from seeds and learn from them; ``done`` is the number of earlier episodes."""

    # -------------------------------------------------------------------------------------------------------

    def train(self, progress: Callable[[int, EpisodeSummary, dict[str, Any]], None] | None = None) -> None:
        """Play and learn to the last episode; evaluate at the beginning and every ``evaluate_every`` episodes."""
        saved = time.monotonic()
        start = time.perf_counter()
        if not self.curve:
            self._evaluate()
        while not self.over:
            seeds = (
                np.int64(self.config.seed + 1 << _SEEDS)
                + np.int64(self.done) * self.config.hands
                + np.arange(self.config.hands)
            )
            played = self.episode(seeds)
            self.done += 1
            if self.done % self.config.evaluate_every == 0 or self.over:
                self._evaluate()
            if progress is not None:
                progress(self.done, played, self.curve[-1])
            if time.monotonic() - saved > SAVE_EVERY and not self.over:
                self.seconds += time.perf_counter() - start
                start = time.perf_counter()
                self.save()
                saved = time.monotonic()
        self.seconds += time.perf_counter() - start
        self.save()

    def player(self, name: str = "learner") -> Agent:
        """Return the current player."""
        return self.policy.player(name)

    def _evaluate(self) -> None:
        player = self.player()
        against = self.setting.agents.get(getattr(self.config, "evaluate_against", ""))
        results = evaluate(player, self.rules, self.config.evaluate_hands, self.config.seed, against)
        point = {"episode": self.done, **results, **self.policy.figures(player)}
        self.curve.append(point)
        self.log(point, self.done)

    def step(self, loss: torch.Tensor) -> None:
        """Take a step of the optimiser with the gradient of a loss."""
        self.optimizer.zero_grad(set_to_none=True)
        torch.autograd.backward(loss)
        self.optimizer.step()

    # -------------------------------------------------------------------------------------------------------

    def save(self) -> None:
        """Write a checkpoint, each file in one step."""
        state = TrainingState(self._config_json(), {"start": self.start}, self.done, self.seconds, self.curve)
        weights = dict.fromkeys((LAST, BEST) if self.over else (LAST,), self.player_network)
        metadata = self.policy.metadata
        more = {"samples": metadata.get("samples", 0), "reinforced": self._config_json()}
        names = metadata.get("rules", [])
        described = describe_network(self.player_network, self.policy.players, names, **more)
        unfinished = None if self.over else (self.policy.network, self.optimizer)
        save_training(self.folder, state, described, weights, unfinished)

    def _config_json(self) -> Any:
        return {"kind": self.kind, **config_json(self.config)}

    def _resume(self) -> None:
        state = read_state(self.folder)
        if state.config != self._config_json() or state.origin != {"start": self.start}:
            raise CheckpointError(
                f"{self.folder} holds a run with other options or another start: name another folder, or delete it"
            )
        self.done, self.seconds, self.curve = state.done, state.seconds, state.curve
        network = self.player_network if self.over else self.policy.network
        load_weights(network, self.optimizer, self.folder, self.over)
