"""Reinforcement learning from whole games, in which other actions are played out beside those taken.

An update plays whole games with the average of the last versions (`janshi.learn.generation`) and compares its actions
with others by the same hidden tiles and the same wall. The network learns the differences: the logit of the better
action rises in proportion to what it gains. The result of a hand is the expected points of the final place by the
placement model, after the last hand the place itself; in games without such a model it is the hand's points. At regular
updates the average plays a match against its start, and the best version so far is kept.

Sources: Tesauro and Galperin, 1996 (rollouts of all options with the same luck); Li et al., 2020 (Suphx: hands rewarded
by predicted places).
"""

from __future__ import annotations

import copy
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.arena.parts import LineUp
from janshi.cluster import Workers, in_order
from janshi.encoders import ENCODERS
from janshi.games import GAMES, game_of, rules_of
from janshi.installing import naming_extra
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
    save_metadata,
    save_tensors,
    save_training,
)
from janshi.learn.configs import LearnConfig
from janshi.learn.fronts import write_front
from janshi.learn.gates import play_gate
from janshi.learn.generation import (
    Comparisons,
    GamesJob,
    NetworkParts,
    PlayConfig,
    play_games,
    tail_input,
    weights_of,
)
from janshi.learn.inference import best_device
from janshi.learn.networks import ActionNetwork, encoder_of, kind_of
from janshi.learn.scalars import ScalarLog, no_log
from janshi.worth.placement import PlacementError, PlacementModel
from janshi.worth.scales import scale

with naming_extra(__name__):
    import torch
    from torch import Tensor, nn

#: Decisions in a batch of the network; larger steps accumulate gradients.
TOGETHER: Final = 512
#: Subfolder of a run with the versions that played matches, each a player's folder.
VERSIONS: Final = "versions"
_FRONT: Final = "front.onnx"
#: Bits by which a run's seed is shifted in the seeds of its games, and its factor in those of its matches.
_SEEDS: Final = 40
_GATE_SEEDS: Final = 1_000_000
#: Maximum norm of a step's gradient.
_MOST_GRADIENT: Final = 1.0


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
        start: the initial network and its metadata (`janshi.learn.starts.load_start`).
        folder: folder of this run only.
        workers: executor of the games: `janshi.cluster.workers`.
        log: called with every point of the curve (`janshi.learn.scalars`).

    Raises `CheckpointError` if the folder holds another run, or for rules of another game or number of players than
    the start was trained for; `AgentError` for an unknown opponent, one of other rules, or a bot.
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
        network, self.metadata = start
        self.device = best_device()
        """Device of learning; games are played on the processor."""
        self.network = network.to(self.device).eval()
        self.folder = Path(folder)
        self.workers = workers
        self.log = log
        self.rule_sets = self._rule_sets()
        self.rules: Any = self.rule_sets[0]
        """Rules of the matches; updates use every rule set in turn."""
        names = filter(None, config.opponents.split(","))
        self._opponents = tuple(LineUp.of([name] * self.rules.players, self.rules) for name in names)
        self._origin = {"start": digest_of(self.network)}
        self._front, self.tail = self._parts()
        self._start = weights_of(self.tail)
        torch.manual_seed(config.seed)
        self.optimizer = self._optimizer()
        self.average = copy.deepcopy(self.tail).requires_grad_(False)
        """The mean of the last versions, with less noise of single updates; it plays."""
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

    def _rule_sets(self) -> list[Any]:
        players = int(self.metadata["players"])
        names = self.config.rules or rules_for(self.network, players)
        game = ENCODERS[self.network.config.encoder].game
        rule_sets = [rules_of(name) for name in names.split(",")]
        for rules in rule_sets:
            if rules.players != players or game_of(rules).name != game:
                text = f"the start plays {game} with {players} players, rules {rules.name!r} are of another (--rules)"
                raise CheckpointError(text)
        return rule_sets

    def _parts(self) -> tuple[nn.Module | None, nn.Module]:
        if self.config.train_blocks < 0:
            return None, self.network
        return self.network.parts(self.config.train_blocks)

    def _optimizer(self) -> torch.optim.Optimizer:
        for parameter in self.network.parameters():
            parameter.requires_grad_(False)
        for parameter in self.tail.parameters():
            parameter.requires_grad_(True)
        return torch.optim.Adam(self.tail.parameters(), lr=self.config.learning_rate)

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

    def prepare(self) -> None:
        """Create the folder, with the frozen layers that `jobs` contain."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if self._front is not None and not (self.folder / _FRONT).exists():
            write_front(self.network, self._front, self.rules, self.folder / _FRONT)

    def train(self, progress: Callable[[dict[str, Any]], None] | None = None) -> None:
        """Play and learn until the run is over; write a checkpoint after every update."""
        self.prepare()
        if not (self.folder / BEST).exists():
            save_tensors(self.network.state_dict(), self.folder / BEST)
        if self.done:
            # The last process may have been killed between the files of its last update.
            self.save()
        while not self.over:
            began = time.perf_counter()
            found = Comparisons.joined(list(in_order(self.workers.each(play_games, self.jobs()))))
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

    def jobs(self) -> Iterator[GamesJob]:
        """Yield the games of the next update."""
        config = self.config
        first = np.int64(config.seed + 1 << _SEEDS) + np.int64(self.done) * config.games
        rules = self.rule_sets[self.done % len(self.rule_sets)]
        points = self._place_points()
        play = PlayConfig(
            rules.name, config.temperature, config.least, config.discards, points, config.unit
        )
        weights = (weights_of(self.average), self._start)
        for begin in range(0, config.games, config.games_together):
            games = np.arange(begin, min(begin + config.games_together, config.games))
            lineups = self._lineups(games)
            yield GamesJob(self._described(), weights, play, first + games, lineups, self._opponents)

    def _lineups(self, games: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the players of all seats: the learner in all, or the start or an opponent in all but one."""
        share, players = self.config.against_start, self.rules.players
        number = np.floor((games + 1) * share).astype(np.int64)
        mixed = number > np.floor(games * share)
        own = number[:, None] % players == np.arange(players)
        other = 1 + number // players % (1 + len(self._opponents))
        return np.where(mixed[:, None] & ~own, other[:, None], 0)

    def _place_points(self) -> tuple[float, ...]:
        """Return values of the places with mean 0 and standard deviation 1; empty without a placement model."""
        try:
            PlacementModel(self.rules)
        except PlacementError:
            return ()
        points = scale(self.config.scale).points(self.rules.players)
        return tuple(((points - points.mean()) / points.std()).tolist())

    def _played(self, found: Comparisons, seconds: float) -> dict[str, Any]:
        """Return figures of an update's games."""
        self.counts["decisions"] += int(found.figures["decisions"])
        met = found.figures["met start"]
        place = {"place against start": found.figures["place against start"] / met} if met else {}
        return {"decisions": self.counts["decisions"], "playing seconds": seconds, "compared": len(found), **place}

    def _gate(self) -> dict[str, Any]:
        """Save this version, play its match against the start, and keep it if it is the best so far."""
        version = self.folder / VERSIONS / str(self.done)
        version.mkdir(parents=True, exist_ok=True)
        save_tensors(self.averaged_network().state_dict(), version / LAST)
        save_metadata(self._player_metadata(), version)
        weights = weights_of(self.average), self._start
        seed = _GATE_SEEDS * (self.config.seed + 1) + self.done
        gate = play_gate(self.workers, self._described(), weights, self.rules, self.config.gate_walls, seed)
        gain = (self.rules.players + 1) / 2 - gate.place if self._place_points() else gate.points
        self.counts["lost"] = self.counts["lost"] + 1 if gain < 0 else 0
        if gain > self.counts["best"]:
            self.counts["best"] = gain
            save_tensors(self.averaged_network().state_dict(), self.folder / BEST)
        return asdict(gate)

    # -------------------------------------------------------------------------------------------------------
    # Learning

    def learn(self, found: Comparisons) -> dict[str, Any]:
        """Learn the differences of an update; return figures, none if nothing was compared.

        ``correlation`` is that of the differences with the network's predictions before it has learned them.
        """
        config = self.config
        if not len(found):
            return {}
        predicted = self._predictions(found)
        square = 0.0
        for number in range(config.passes):
            order = np.random.default_rng([config.seed, 3, self.done, number]).permutation(len(found))
            for first in range(0, len(order), config.batch):
                rows = order[first : first + config.batch]
                square += self._step(found, rows) * len(rows)
        if not np.isfinite(square):
            rate = f"--learning-rate {config.learning_rate:g}"
            raise ValueError(f"the loss of update {self.done} is no number: lower {rate}, or begin from another start")
        spread = float(predicted.std() * found.gain.std())
        together = float(np.cov(predicted, found.gain, bias=True)[0, 1])
        return {
            "gain": float(found.gain.mean()),
            "spread": float(found.gain.std()),
            "correlation": together / spread if spread else 0.0,
            "loss": square / (config.passes * len(found)),
        }

    @torch.inference_mode()
    def _predictions(self, found: Comparisons) -> NDArray[np.float32]:
        """Return the predicted differences of an update, in logits (n): see `_preference`."""
        every = np.arange(len(found))
        parts = [self._preference(found, rows) for rows in np.array_split(every, 1 + len(every) // TOGETHER)]
        return torch.cat(parts).cpu().numpy()

    @torch.no_grad()
    def _move_average(self) -> None:
        """Move the average towards the current version."""
        present = self.tail.state_dict()
        for name, tensor in self.average.state_dict().items():
            if tensor.is_floating_point():
                tensor.lerp_(present[name], 1 - self.config.average)

    def _step(self, found: Comparisons, rows: NDArray[np.int64]) -> float:
        """Take an optimisation step; return the mean squared error of the learned differences."""
        self.optimizer.zero_grad(set_to_none=True)
        total = 0.0
        for first in range(0, len(rows), TOGETHER):
            part = rows[first : first + TOGETHER]
            known = self._preference(found, part) * self.config.kl
            loss = nn.functional.mse_loss(known, self._tensor(found.gain[part])) * (len(part) / len(rows))
            torch.autograd.backward(loss)
            total += float(loss.detach())
        nn.utils.clip_grad_norm_(self.tail.parameters(), _MOST_GRADIENT)
        self.optimizer.step()
        return total

    def _preference(self, found: Comparisons, rows: NDArray[np.int64]) -> Tensor:
        """Return by how much the logits' differences of some decisions exceed those of the version that played (n)."""
        inputs = tail_input(encoder_of(self.network), found.features[rows], self._front is None)
        logits = self.tail(inputs.to(self.device))
        of_taken, of_other = (
            logits.gather(1, self._tensor(actions[rows].astype(np.int64))[:, None])[:, 0]
            for actions in (found.taken, found.other)
        )
        difference: Tensor = of_other - of_taken - self._tensor(found.lead[rows])
        return difference

    def _tensor(self, array: NDArray[Any]) -> Tensor:
        return torch.from_numpy(array).to(self.device)

    # -------------------------------------------------------------------------------------------------------
    # Checkpoints

    def _learning(self) -> nn.Module:
        return nn.ModuleDict({"tail": self.tail, "average": self.average})

    def save(self) -> None:
        """Write a checkpoint, each file in one step."""
        config = self._config_json()
        state = TrainingState(config, self._origin, self.done, self.seconds, self.curve, self.counts)
        weights = {LAST: self.averaged_network()}
        save_training(self.folder, state, self._player_metadata(), weights, (self._learning(), self.optimizer))

    def _player_metadata(self) -> dict[str, Any]:
        names = [rules.name for rules in self.rule_sets]
        more = {"samples": self.metadata.get("samples", 0), "learned": self._config_json()}
        return describe_network(self.network, self.rules.players, names, **more)

    def _check_origin(self, folder: str | Path) -> None:
        if read_state(folder).origin != self._origin:
            raise CheckpointError(f"{folder} holds a run of another start")

    def _config_json(self) -> Any:
        return {"kind": "learn", **config_json(self.config)}

    def _resume(self) -> None:
        state = read_state(self.folder)
        if state.config | {"updates": self.config.updates} != self._config_json():
            raise CheckpointError(
                f"{self.folder} holds a run with other options: name another folder, or delete it"
            )
        self._check_origin(self.folder)
        self.done, self.seconds, self.curve, self.counts = state.done, state.seconds, state.curve, state.counts
        load_weights(self._learning(), self.optimizer, self.folder, False)
