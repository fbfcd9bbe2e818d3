"""Playout distillation: a player that learns from no results at all.

The options of its decisions are played out (`janshi.papers.meowjong.options`), and the network moves towards the better
ones. The player that comes out keeps a share of the network of the beginning, and of what plans say.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from janshi.agents import EfficientAgent, PlannerAgent
from janshi.agents.protocol import Agent
from janshi.encoders.plans import PLANS
from janshi.learn.inference import to_input
from janshi.learn.losses import misfit
from janshi.learn.runs import Run
from janshi.learn.scalars import ScalarLog, no_log
from janshi.learn.selfplay import Played, collect
from janshi.papers.meowjong.configs import DistillationConfig
from janshi.papers.meowjong.options import Labeller, Options, joined, turned
from janshi.papers.meowjong.policy import FiveDecisionPolicy


class PlayoutDistillation(Run):
    """Moves the network towards the options that end in more first places: see `janshi.learn.runs.Run`."""

    kind: ClassVar[str] = "playout distillation"
    policy: FiveDecisionPolicy
    config: DistillationConfig

    def __init__(
        self,
        config: DistillationConfig,
        policy: FiveDecisionPolicy,
        folder: Path,
        opponents: Mapping[str, Agent],
        rules: str | None = None,
        *,
        log: ScalarLog = no_log,
    ) -> None:
        shown = config.plans and policy.players == 3
        if shown:
            policy.widen(PLANS.name)
        policy.mix(config.prior_weight, config.plan_weight if shown else 0.0)
        super().__init__(config, policy, folder, opponents, rules, log=log)

    def episode(self, seeds: NDArray[np.int64]) -> Played:
        """See `janshi.learn.runs.Run`: one pass over the decisions that were labelled."""
        config = self.config
        if config.learning_rate_decay:
            for group in self.optimizer.param_groups:
                group["lr"] = config.learning_rate * (1 - self.done / config.episodes)
        random = np.random.default_rng([config.seed, 4, self.done])
        sanma = self.rules.players == 3
        teacher: Agent = PlannerAgent(looks_ahead=False) if sanma else EfficientAgent()
        labeller = Labeller(teacher, config.labelled_share, config.playouts, random)
        _, played = collect(self.policy, self.setting, seeds, labeller.watch)
        if labeller.found:
            options = joined(labeller.found)
            if sanma:
                options = turned(options, random.integers(0, 4, len(options)).astype(np.uint8))
            self.learn(options, random.permutation(len(options)))
        return played

    def learn(self, options: Options, order: NDArray[np.int64]) -> None:
        """One pass over decisions in an order."""
        worth = torch.from_numpy(options.worth).to(self.device)
        there = torch.from_numpy(options.actions >= 0).to(self.device)
        self.policy.network.eval()
        for first in range(0, len(order), self.config.batch):
            step = order[first : first + self.config.batch]
            rows = torch.from_numpy(step).to(self.device)
            log = self.log_options(options.part(step))
            self.step(misfit(log, worth[rows], there[rows], self.config.temperature))

    def log_options(self, options: Options) -> Tensor:
        """Return logarithms of the shares (n, k) that the network gives to options; very small where there is none."""
        with torch.autocast(self.device.type, torch.bfloat16):
            outputs = self.policy.network(to_input(self.policy.encoder, options.packed, self.device))
        row, column = np.nonzero(options.actions >= 0)
        rows = torch.from_numpy(row).to(self.device)
        choices: dict[str, NDArray[Any]] = {"taken": options.taken[row, column], "legal": options.legal[row]}
        log, _ = self.policy.log_probability(outputs.float()[rows], choices)
        every = log.new_full(options.actions.shape, -1e9)
        return every.index_put((rows, torch.from_numpy(column).to(self.device)), log)
