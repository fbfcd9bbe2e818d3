"""Reinforcement learning from whole games: proximal policy optimisation with a critic that sees all tiles.

An update plays whole games with sampled actions (`janshi.learn.generation`), estimates the advantage of each decision
over the critic's prediction, and updates the network within a bound. The reward of a hand is the change of the expected
points of the final place by the placement model; the last hand uses the place itself. In games without such a model it
is the hand's points. At regular updates the learner plays a match against its start without sampling, and the best
version so far is kept.

Sources: Schulman et al., 2016 and 2017 (generalised advantage estimation, PPO); Li et al., 2020 (Suphx: hands rewarded
by predicted places); Li et al., 2022 (critics that see all hands).
"""

from __future__ import annotations

import copy
import json
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from janshi.cluster import Workers, in_order
from janshi.encoders import ENCODERS
from janshi.games import GAMES, game_of, rules_of
from janshi.learn.checkpoints import (
    BEST,
    LAST,
    CheckpointError,
    TrainingState,
    config_json,
    describe_network,
    digest_of,
    has_training,
    load_network,
    load_weights,
    read_state,
    read_weights,
    save_tensors,
    save_training,
    with_new_options,
)
from janshi.learn.configs import LearnConfig
from janshi.learn.critics import Critic, advantages
from janshi.learn.fronts import write_front
from janshi.learn.gates import play_gate
from janshi.learn.generation import (
    Experience,
    GamesJob,
    NetworkParts,
    PlayConfig,
    play_games,
    tail_input,
    weights_of,
)
from janshi.learn.networks import ActionNetwork, NetworkError, encoder_of, kind_of
from janshi.learn.onnx_weights import network_of_onnx
from janshi.learn.policy import TorchPolicy
from janshi.learn.reinforce import clipped_policy_gradient
from janshi.learn.scalars import ScalarLog, no_log
from janshi.players import PLAYERS
from janshi.worth.placement import PlacementError, PlacementModel
from janshi.worth.scales import scale

#: Decisions in a batch of the network; larger steps accumulate gradients.
TOGETHER: Final = 512
_FRONT: Final = "front.onnx"
#: Bits by which a run's seed is shifted in the seeds of its games, and its factor in those of its matches.
_SEEDS: Final = 40
_GATE_SEEDS: Final = 1_000_000
#: Maximum norm of a step's gradient.
_MOST_GRADIENT: Final = 1.0
_CRITIC_DECAY: Final = 0.1


def load_start(name: str) -> tuple[ActionNetwork, dict[str, Any]]:
    """Return the network of a player to start from, and its metadata.

    ``name`` is a shipped player, an ONNX file of floats, or the folder of a training. Raises `CheckpointError` for
    anything but a network over a whole action space.
    """
    path = Path(PLAYERS.get(name, name))
    if not path.exists():
        raise CheckpointError(f"no player {name!r} to start from: {', '.join(_starts())}, an ONNX file, or a folder")
    network, metadata = load_network(path) if path.is_dir() else network_of_onnx(path)
    if not isinstance(network, ActionNetwork):
        raise CheckpointError(f"{name} does not answer a whole action space")
    return network, metadata


def _starts() -> list[str]:
    """Return the names of shipped players that are float networks over a whole action space."""
    names = []
    for name, path in PLAYERS.items():
        with suppress(NetworkError):
            network_of_onnx(path)
            names.append(name)
    return names


def rules_for(network: ActionNetwork, players: int) -> str:
    """Return the name of the first rules of a network's game for a number of players."""
    presets = GAMES[ENCODERS[network.config.encoder].game].presets
    return next(name for name, rules in presets.items() if rules.players == players)


class Improvement:
    """A run of updates; ``folder`` receives its checkpoints and its curve.

    The same start, configuration and seed give the same weights on any number of workers, even if the run was killed
    and resumed. A larger number of ``updates`` continues a finished run.

    Args:
        config: options of the run.
        start: the initial network and its metadata (`load_start`).
        folder: folder of this run only.
        workers: executor of the games: `janshi.cluster.workers`.
        log: called with every point of the curve (`janshi.learn.scalars`).

    Raises `CheckpointError` if the folder holds another run, or for rules of another game or number of players than
    the start was trained for.
    """

    def __init__(
        self,
        config: LearnConfig,
        start: tuple[ActionNetwork, dict[str, Any]],
        folder: str | Path,
        workers: Workers,
        *,
        log: ScalarLog = no_log,
    ) -> None:
        self.config = config
        self.network, self.metadata = start
        self.network.eval()
        self.folder = Path(folder)
        self.workers = workers
        self.log = log
        self.rules: Any = self._rules()
        self._origin = {"start": digest_of(self.network)}
        self._front, self.tail = self._parts()
        self._start = weights_of(self.tail)
        torch.manual_seed(config.seed)
        self.critic = Critic(len(game_of(self.rules).facet("full state").summary), config.critic_units)
        self.optimizer = self._optimizer()
        self.average = copy.deepcopy(self.tail).requires_grad_(False)
        """The mean of the last versions, with less noise of single updates."""
        self.done = 0
        self.seconds = 0.0
        self.curve: list[dict[str, Any]] = []
        """Figures of every update."""
        self.counts: dict[str, Any] = {"decisions": 0, "lost": 0, "best": 0.0}
        """Decisions played, matches lost in a row, and the gain of the best version over the start."""
        if has_training(self.folder):
            self._resume()
        elif config.begin:
            self._check_origin(config.begin)
            self._learning().load_state_dict(read_weights(config.begin))

    def _rules(self) -> Any:
        players = int(self.metadata["players"])
        rules = rules_of(self.config.rules or rules_for(self.network, players))
        game = ENCODERS[self.network.config.encoder].game
        if rules.players != players or game_of(rules).name != game:
            raise CheckpointError(f"the start plays {game} with {players} players, rules {rules.name!r} are of another")
        return rules

    def _parts(self) -> tuple[nn.Module | None, nn.Module]:
        if self.config.train_blocks < 0:
            return None, self.network
        return self.network.parts(self.config.train_blocks)

    def _optimizer(self) -> torch.optim.Optimizer:
        """Return one optimiser of tail and critic; a step leaves parameters without a gradient unchanged."""
        for parameter in self.network.parameters():
            parameter.requires_grad_(False)
        for parameter in self.tail.parameters():
            parameter.requires_grad_(True)
        tail = {"params": list(self.tail.parameters()), "lr": self.config.learning_rate, "weight_decay": 0.0}
        critic = {"params": list(self.critic.parameters()), "lr": self.config.critic_rate}
        return torch.optim.AdamW([tail, critic | {"weight_decay": _CRITIC_DECAY}])

    @property
    def over(self) -> bool:
        """True if the run is over."""
        lost = self.config.patience > 0 and self.counts["lost"] >= self.config.patience
        return bool(lost) or self.done >= self.config.updates

    def averaged_network(self) -> ActionNetwork:
        """Return the network with the mean weights of the last versions."""
        network = copy.deepcopy(self.network)
        tail = network if self._front is None else network.parts(self.config.train_blocks)[1]
        tail.load_state_dict(self.average.state_dict())
        return network

    def best_network(self) -> ActionNetwork:
        """Return the version with the best match, or the start if none was better."""
        network, _ = load_network(self.folder)
        return cast("ActionNetwork", network)

    # -------------------------------------------------------------------------------------------------------
    # Playing

    def train(self, progress: Callable[[dict[str, Any]], None] | None = None) -> None:
        """Play and learn until the run is over; write a checkpoint after every update."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if self._front is not None and not (self.folder / _FRONT).exists():
            write_front(self.network, self._front, self.rules, self.folder / _FRONT)
        if not (self.folder / BEST).exists():
            save_tensors(self.network.state_dict(), self.folder / BEST)
        while not self.over:
            began = time.perf_counter()
            found = Experience.joined(list(in_order(self.workers.each(play_games, self._jobs()))))
            point = self._played(found, time.perf_counter() - began) | self.learn(found)
            self._move_average()
            self.done += 1
            if self.done % self.config.gate_every == 0 or self.done == self.config.updates:
                point["gate"] = self._gate()
            self.seconds += time.perf_counter() - began
            self.curve.append({"update": self.done, **point, "seconds": self.seconds})
            self.log(self.curve[-1], self.done)
            self.save()
            if progress is not None:
                progress(self.curve[-1])

    def _described(self) -> NetworkParts:
        shape = json.dumps(config_json(self.network.config))
        front = b"" if self._front is None else (self.folder / _FRONT).read_bytes()
        return NetworkParts(kind_of(self.network).name, shape, self.config.train_blocks, front)

    def _jobs(self) -> Iterator[GamesJob]:
        """Yield the games of the next update."""
        config = self.config
        first = np.int64(config.seed + 1 << _SEEDS) + np.int64(self.done) * config.games
        play = PlayConfig(
            self.rules.name, config.temperature, config.max_probability, self._place_points(), config.unit
        )
        weights = (weights_of(self.tail), self._start)
        for begin in range(0, config.games, config.games_together):
            games = np.arange(begin, min(begin + config.games_together, config.games))
            yield GamesJob(self._described(), weights, play, first + games, self._lineups(games))

    def _lineups(self, games: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the players of all seats: the learner in all, or the start in all but one."""
        share = self.config.against_start
        mixed = np.floor((games + 1) * share) > np.floor(games * share)
        seats = np.arange(self.rules.players)
        own = np.cumsum(mixed)[:, None] % self.rules.players == seats
        return np.where(mixed[:, None] & ~own, 1, 0)

    def _place_points(self) -> tuple[float, ...]:
        """Return values of the places with mean 0 and standard deviation 1; empty without a placement model."""
        try:
            PlacementModel(self.rules)
        except PlacementError:
            return ()
        points = scale(self.config.scale).points(self.rules.players)
        return tuple(((points - points.mean()) / points.std()).tolist())

    def _played(self, found: Experience, seconds: float) -> dict[str, Any]:
        """Return figures of an update's games."""
        self.counts["decisions"] += int(found.figures["decisions"])
        met = found.figures["met start"]
        place = {"place against start": found.figures["place against start"] / met} if met else {}
        return {"decisions": self.counts["decisions"], "playing seconds": seconds, "learned": len(found), **place}

    def _gate(self) -> dict[str, Any]:
        """Play a match against the start and keep the version if it is the best so far."""
        weights = weights_of(self.average), self._start
        seed = _GATE_SEEDS * (self.config.seed + 1) + self.done
        gate = play_gate(self.workers, self._described(), weights, self.rules, self.config.gate_walls, seed)
        gain = (self.rules.players + 1) / 2 - gate.place if self._place_points() else gate.points
        self.counts["lost"] = self.counts["lost"] + 1 if gain < 0 else 0
        if gain > self.counts["best"]:
            self.counts["best"] = gain
            save_tensors(self.averaged_network().state_dict(), self.folder / BEST)
        return gate.as_json()

    # -------------------------------------------------------------------------------------------------------
    # Learning

    def learn(self, found: Experience) -> dict[str, Any]:
        """Update policy and critic from the decisions of an update; return figures."""
        config = self.config
        states = torch.from_numpy(found.state)
        self.critic.fit_scale(states)
        value = self.critic.values(states)
        advantage = advantages(found.reward, found.hand, value, config.gae_lambda)
        reward = found.reward[found.hand]
        scaled = (advantage - advantage.mean()) / max(float(advantage.std()), 1e-8)
        sums = np.zeros(4)
        for number in range(config.passes):
            order = np.random.default_rng([config.seed, 3, self.done, number]).permutation(len(found))
            for first in range(0, len(order), config.batch):
                sums += self._step(found, order[first : first + config.batch], scaled)
        loss, divergence, entropy, clipped = (sums / (config.passes * len(found))).tolist()
        return {
            "explained": 1 - float((reward - value).var() / max(float(reward.var()), 1e-8)),
            "policy loss": loss,
            "critic loss": self._fit_critic(states, torch.from_numpy(advantage + value)),
            "divergence": divergence,
            "entropy": entropy,
            "clipped": clipped,
        }

    @torch.no_grad()
    def _move_average(self) -> None:
        """Move the average towards the current version."""
        present = self.tail.state_dict()
        for name, tensor in self.average.state_dict().items():
            if tensor.is_floating_point():
                tensor.lerp_(present[name], 1 - self.config.average)

    def _fit_critic(self, states: Tensor, target: Tensor) -> float:
        """Train the critic on the targets (n); return the mean squared error."""
        torch.manual_seed(self.config.seed + self.done)  # of its dropout
        self.critic.train()
        total = 0.0
        for number in range(self.config.passes):
            order = np.random.default_rng([self.config.seed, 4, self.done, number]).permutation(len(states))
            for first in range(0, len(order), TOGETHER):
                rows = torch.from_numpy(order[first : first + TOGETHER])
                loss = nn.functional.mse_loss(self.critic(states[rows]), target[rows])
                self.optimizer.zero_grad(set_to_none=True)
                torch.autograd.backward(loss)
                self.optimizer.step()
                total += float(loss.detach()) * len(rows)
        return total / (self.config.passes * len(states))

    def _step(
        self, found: Experience, rows: NDArray[np.int64], advantage: NDArray[np.float32]
    ) -> NDArray[np.float64]:
        """Take an optimisation step of the policy; return sums of figures."""
        self.optimizer.zero_grad(set_to_none=True)
        sums = np.zeros(4)
        for first in range(0, len(rows), TOGETHER):
            part = rows[first : first + TOGETHER]
            loss, figures = self._loss(found, part, torch.from_numpy(advantage[part]))
            torch.autograd.backward(loss * (len(part) / len(rows)))
            sums += np.array([float(loss.detach()), *figures]) * len(part)
        nn.utils.clip_grad_norm_(self.tail.parameters(), _MOST_GRADIENT)
        self.optimizer.step()
        return sums

    def _loss(self, found: Experience, rows: NDArray[np.int64], advantage: Tensor) -> tuple[Tensor, list[float]]:
        """Return the loss of some decisions, with divergence from the start, entropy, and the clipped share."""
        config = self.config
        actions = self.network.actions
        legal = torch.from_numpy(np.unpackbits(found.legal[rows], axis=1, count=actions).view(np.bool_))
        outputs = self.tail(tail_input(encoder_of(self.network), found.features[rows], self._front is None))
        policy = TorchPolicy(outputs[:, :actions] / config.temperature, legal)
        log = policy.log_probability(torch.from_numpy(found.action[rows].astype(np.int64)))
        before = torch.from_numpy(found.log[rows])
        start = torch.from_numpy(found.start[rows]).float()
        ratios = torch.where(legal, policy.log_probabilities() - start, 0.0)
        divergence = (policy.probabilities() * ratios).sum(dim=1).mean()
        entropy = policy.entropy().mean()
        loss = clipped_policy_gradient(log, before, advantage, config.clip)
        loss = loss + config.kl * divergence - config.entropy * entropy
        clipped = (torch.exp(log - before) - 1).abs().gt(config.clip).float().mean()
        return loss, [float(divergence.detach()), float(entropy.detach()), float(clipped)]

    # -------------------------------------------------------------------------------------------------------
    # Checkpoints

    def _learning(self) -> nn.Module:
        return nn.ModuleDict({"tail": self.tail, "critic": self.critic, "average": self.average})

    def save(self) -> None:
        """Write a checkpoint, each file in one step."""
        config = self._config_json()
        state = TrainingState(config, self._origin, self.done, self.seconds, self.curve, self.counts)
        samples = self.metadata.get("samples", 0)
        described = describe_network(
            self.network, self.rules.players, [self.rules.name], samples=samples, learned=config
        )
        weights = {LAST: self.averaged_network()}
        save_training(self.folder, state, described, weights, (self._learning(), self.optimizer))

    def _check_origin(self, folder: str | Path) -> None:
        if read_state(folder).origin != self._origin:
            raise CheckpointError(f"{folder} holds a run of another start")

    def _config_json(self) -> Any:
        return {"kind": "learn", **config_json(self.config)}

    def _resume(self) -> None:
        state = read_state(self.folder)
        known = with_new_options(state.config, self.config) | {"updates": self.config.updates}
        if known != self._config_json():
            raise CheckpointError(
                f"{self.folder} holds a run with other options: name another folder, or delete it"
            )
        self._check_origin(self.folder)
        self.done, self.seconds, self.curve, self.counts = state.done, state.seconds, state.curve, state.counts
        load_weights(self._learning(), self.optimizer, self.folder, False)
