"""The papers' REINFORCE: on discards alone, from the papers' five networks.

An episode plays a hand with discards sampled from the network, and then updates the network: discards before a good
result become more probable. Runs are resumable and evaluated at regular intervals. Sources: Williams, 1992;
dissertation, section 3.4; conference paper, section VI.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.agents import RandomAgent
from janshi.arena import places, play_match
from janshi.installing import naming_extra
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
from janshi.papers.meowjong.policy import DiscardPolicy
from janshi.papers.meowjong.selfplay import Trajectories, collect
from janshi.riichi.rules import preset

with naming_extra(__name__):
    import torch
    from torch import Tensor, nn

#: Single hands, as in the papers.
RULES: Final = preset("tenhou-sanma-hand")
#: Bits by which a run's seed is shifted in the seeds of its hands.
_SEEDS: Final = 40


@dataclass(frozen=True, slots=True)
class ReinforceConfig:
    """REINFORCE in the papers' setting."""

    episodes: int = 400
    """Hands, with an update after each."""
    learning_rate: float = 1e-3
    discount: float = 0.99
    """Discount factor per decision."""
    batch: int = 32
    """Decisions of a step; by default Keras's, in which the papers' update is written."""
    evaluate_every: int = 10
    """Episodes between evaluations."""
    evaluate_hands: int = 500
    """Hands per seat against random players in an evaluation."""
    seed: int = 0


class Reinforce:
    """REINFORCE as printed: the hand's points as the reward, discounted; ``folder`` receives checkpoints and curve.

    It starts from the papers' five networks in ``start``. An unfinished run of the same configuration and start in
    ``folder`` is resumed, with the result of an uninterrupted one. Raises `CheckpointError` if ``folder`` contains
    another run.
    """

    def __init__(self, config: ReinforceConfig, start: Path, folder: Path) -> None:
        self.config = config
        self.policy = DiscardPolicy(start)
        self.folder = folder
        self.optimizer = torch.optim.Adam(self.policy.network.parameters(), lr=config.learning_rate)
        self.done = 0
        self.seconds = 0.0
        self.curve: list[dict[str, Any]] = []
        """Results of the player at each evaluation."""
        self.start = digest_of(self.policy.network)
        if has_training(self.folder):
            self._resume()

    @property
    def over(self) -> bool:
        """True if the run is over."""
        return bool(self.done >= self.config.episodes)

    def learn(self, found: Trajectories) -> None:
        """Make one pass over the decisions of an episode."""
        order = np.random.default_rng([self.config.seed, 3, self.done]).permutation(len(found))
        # Normalisation keeps its statistics: sampling and learning must use the same network.
        self.policy.network.eval()
        for first in range(0, len(order), self.config.batch):
            self.optimizer.zero_grad(set_to_none=True)
            torch.autograd.backward(self._loss(found, order[first : first + self.config.batch]))
            self.optimizer.step()

    def _loss(self, found: Trajectories, rows: NDArray[np.int64]) -> Tensor:
        """Return the loss of some decisions (n)."""
        policy = self.policy
        with mixed_precision(policy.device):
            outputs: Tensor = policy.network(to_input(policy.five.encoder, found.packed[rows], policy.device))
        kinds = torch.from_numpy(found.kinds[rows]).to(policy.device)
        gains = found.reward[rows] * self.config.discount ** found.after[rows].astype(np.float32)
        surprise = nn.functional.cross_entropy(outputs.float(), kinds, reduction="none")
        return (surprise * torch.from_numpy(gains).to(policy.device)).mean()

    # -------------------------------------------------------------------------------------------------------

    def train(self, progress: Callable[[Reinforce], None] | None = None) -> None:
        """Play and learn to the last episode; evaluate at the beginning and every ``evaluate_every`` episodes."""
        saved = time.monotonic()
        start = time.perf_counter()
        if not self.curve:
            self._evaluate()
        while not self.over:
            seed = np.int64(self.config.seed + 1 << _SEEDS) + self.done
            self.learn(collect(self.policy, RULES, np.array([seed])))
            self.done += 1
            if self.done % self.config.evaluate_every == 0 or self.over:
                self._evaluate()
            if progress is not None:
                progress(self)
            if time.monotonic() - saved > SAVE_EVERY and not self.over:
                self.seconds += time.perf_counter() - start
                start = time.perf_counter()
                self.save()
                saved = time.monotonic()
        self.seconds += time.perf_counter() - start
        self.save()

    def _evaluate(self) -> None:
        """Add a point to the curve: results by wind, and how many first choices were impossible."""
        player = self.policy.player()
        match = play_match([player, RandomAgent(), RandomAgent()], RULES, self.config.evaluate_hands, self.config.seed)
        if match.interrupted:
            raise KeyboardInterrupt
        seats = match.hands.rotation.astype(np.int64) % RULES.players
        winds = (seats - match.hands.dealer) % RULES.players
        every = np.arange(len(seats))
        placed, points = places(match.hands)[every, seats], match.hands.change[every, seats]
        columns = {"win": placed == 1, "loss": placed == RULES.players, "draw": placed == 0, "points": points}
        results = {
            name: [float(column[winds == wind].mean()) for wind in range(RULES.players)]
            for name, column in columns.items()
        }
        counts = {"hands": self.config.evaluate_hands, "illegal": player.illegal, "discards": player.discards}
        self.curve.append({"episode": self.done, **results, **counts})

    # -------------------------------------------------------------------------------------------------------

    def save(self) -> None:
        """Write a checkpoint, each file in one step."""
        network, metadata = self.policy.network, self.policy.metadata
        state = TrainingState(self._config_json(), {"start": self.start}, self.done, self.seconds, self.curve)
        weights = dict.fromkeys((LAST, BEST) if self.over else (LAST,), network)
        more = {"samples": metadata.get("samples", 0), "reinforced": self._config_json()}
        more |= {"answers": "meowjong", "networks": self.policy.folders_from(self.folder)}
        described = describe_network(network, RULES.players, metadata.get("rules", []), **more)
        save_training(self.folder, state, described, weights, None if self.over else (network, self.optimizer))

    def _config_json(self) -> Any:
        return {"kind": "reinforce", **config_json(self.config)}

    def _resume(self) -> None:
        state = read_state(self.folder)
        if state.config != self._config_json() or state.origin != {"start": self.start}:
            raise CheckpointError(
                f"{self.folder} holds a run with other options or another start: name another folder, or delete it"
            )
        self.done, self.seconds, self.curve = state.done, state.seconds, state.curve
        load_weights(self.policy.network, self.optimizer, self.folder, self.over)
