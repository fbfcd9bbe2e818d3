"""The papers' REINFORCE: on discards alone, from the papers' five networks.

An episode plays hands with discards sampled from the network, and then updates the network: discards before a good
result become more probable. Runs are resumable and evaluated at regular intervals. Sources: Williams, 1992;
dissertation, section 3.4; conference paper, section VI.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from janshi.agents.protocol import Agent, check_agent
from janshi.arena import single_hand
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
from janshi.learn.inference import mixed_precision, to_input
from janshi.learn.networks import encoder_of
from janshi.learn.scalars import ScalarLog, no_log
from janshi.papers.meowjong.configs import PaperReinforceConfig
from janshi.papers.meowjong.evaluate import evaluate
from janshi.papers.meowjong.player import FIVE
from janshi.papers.meowjong.policy import DiscardPolicy
from janshi.papers.meowjong.selfplay import EpisodeSummary, SelfPlay, Trajectories, collect
from janshi.riichi.rules import TENHOU_OF

#: Bits by which a run's seed is shifted in the seeds of its hands.
_SEEDS: Final = 40
#: Decisions in a batch of the network; larger steps accumulate gradients.
TOGETHER: Final = 1024


class Reinforce:
    """REINFORCE as printed: the hand's points as the reward, discounted; ``folder`` receives checkpoints and curve.

    It plays Tenhou's single hands. An unfinished run of the same configuration and start in ``folder`` is resumed, with
    the result of an uninterrupted one. ``opponents``: agents by their names in the configuration; ``log`` is called
    with every point of the curve (`janshi.learn.scalars`).

    Raises `CheckpointError` if ``folder`` contains another run, `janshi.agents.AgentError` for opponents that do not
    support the rules.
    """

    def __init__(
        self,
        config: PaperReinforceConfig,
        policy: DiscardPolicy,
        folder: str | Path,
        opponents: Mapping[str, Agent],
        *,
        log: ScalarLog = no_log,
    ) -> None:
        self.config = config
        self.policy = policy
        self.folder = Path(folder)
        self.log = log
        self.rules: Any = single_hand(TENHOU_OF[policy.players])
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

    def learn(self, found: Trajectories) -> None:
        """Make one pass over the decisions of an episode."""
        if not len(found):
            return
        order = np.random.default_rng([self.config.seed, 3, self.done]).permutation(len(found))
        gains = torch.from_numpy(found.reward * self.config.discount ** found.after.astype(np.float32)).to(self.device)
        # Normalisation keeps its statistics: sampling and learning must use the same network.
        self.policy.network.eval()
        for first in range(0, len(order), self.config.batch):
            step = order[first : first + self.config.batch]
            self.optimizer.zero_grad(set_to_none=True)
            for row in range(0, len(step), TOGETHER):
                rows = step[row : row + TOGETHER]
                loss = self._loss(found, rows, gains[torch.from_numpy(rows).to(self.device)])
                torch.autograd.backward(loss * (len(rows) / len(step)))
            self.optimizer.step()

    def _loss(self, found: Trajectories, rows: NDArray[np.int64], gains: Tensor) -> Tensor:
        """Return the loss of some decisions with their gains (n)."""
        network = self.policy.network
        with mixed_precision(self.device):
            outputs: Tensor = network(to_input(encoder_of(network), found.packed[rows], self.device))
        choices = {name: column[rows] for name, column in found.choices.items()}
        log, _ = self.policy.log_probability(outputs.float(), choices)
        return -(log * gains).mean()

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
            found, played = collect(self.policy, self.setting, seeds)
            self.learn(found)
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

    def save_player(self) -> None:
        """Make a player of the run's folder, with the other four networks where they lie."""
        self.policy.save_player(self.folder)

    def _evaluate(self) -> None:
        player = self.player()
        results = evaluate(player, self.rules, self.config.evaluate_hands, self.config.seed)
        point = {"episode": self.done, **results, **self.policy.figures(player)}
        self.curve.append(point)
        self.log(point, self.done)

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
        return {"kind": "reinforce", **config_json(self.config)}

    def _resume(self) -> None:
        state = read_state(self.folder)
        if state.config != self._config_json() or state.origin != {"start": self.start}:
            raise CheckpointError(
                f"{self.folder} holds a run with other options or another start: name another folder, or delete it"
            )
        self.done, self.seconds, self.curve = state.done, state.seconds, state.curve
        network = self.player_network if self.over else self.policy.network
        load_weights(network, self.optimizer, self.folder, self.over)


def reinforce(
    config: PaperReinforceConfig, start: Path, folder: Path, opponents: Mapping[str, Agent], *, log: ScalarLog = no_log
) -> Reinforce:
    """Return a run over Tenhou's single hands that starts from the papers' five networks in ``start``.

    ``opponents``: an agent for each name in ``config.opponents`` but ``self``. Raises `CheckpointError` if ``start``
    does not name five networks.
    """
    if not (start / FIVE).exists():
        raise CheckpointError(f"{start} holds no {FIVE}: REINFORCE starts from the papers' five networks")
    return Reinforce(config, DiscardPolicy(start), folder, opponents, log=log)
