"""Training of networks on records, exactly resumable, with measurements on held-out games.

One trainer serves every `janshi.learn.tasks.Task`. Lightning Fabric handles mixed precision and several GPUs.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from janshi.installing import naming_extra
from janshi.learn.checkpoints import (
    BEST,
    LAST,
    SAVE_EVERY,
    CheckpointError,
    TrainingState,
    config_json,
    describe_network,
    has_training,
    load_weights,
    read_state,
    save_tensors,
    save_training,
)
from janshi.learn.configs import CHUNK, PRECISIONS, TrainSettings
from janshi.learn.datasets import DatasetError, RecordedHands
from janshi.learn.inference import best_device, product_dtype, to_input
from janshi.learn.memory import keep_freed_memory
from janshi.learn.metrics import Measured
from janshi.learn.networks import encoder_of, make_network, renormalise
from janshi.learn.scalars import ScalarLog, no_log
from janshi.learn.tasks import Examples, Task, joined
from janshi.registries import UnknownNameError, suggestion

with naming_extra(__name__):
    import torch
    from safetensors.torch import load_file
    from torch import nn

if TYPE_CHECKING:
    from lightning_fabric import Fabric


@dataclass(frozen=True, slots=True)
class TrainConfig(TrainSettings):
    """Task and options of a training; the options are those of ``janshi train``."""

    task: Task = field(kw_only=True)
    """Task, with the network that learns it."""

    def as_json(self) -> Any:
        """Return the configuration as it is read back from JSON."""
        values = config_json(self)
        return {**values, "task": {"kind": self.task.kind, **values["task"]}}


@dataclass(frozen=True, slots=True)
class TrainingProgress:
    """Progress of a training."""

    hands: int
    """Number of hands trained on, of `total`."""
    total: int
    samples: int
    loss: float
    """Mean loss of the last chunk."""
    accuracy: float
    """Accuracy of the task's main decision in the last chunk."""
    seconds: float


def _precision(config: TrainConfig) -> Literal["bf16-mixed", "32-true"]:
    """Return Fabric's name of the precision on the available devices."""
    if config.precision == "auto":
        mixed = product_dtype(best_device().type) == torch.bfloat16
    else:
        mixed = config.precision == "bf16-mixed"
    return "bf16-mixed" if mixed else "32-true"


def _fabric(config: TrainConfig) -> Fabric:
    """Return the Fabric of the available devices; raise `UnknownNameError` for an unknown precision."""
    if config.precision not in PRECISIONS:
        *first, last = PRECISIONS
        there = f"{', '.join(first)} and {last}{suggestion(config.precision, PRECISIONS)}"
        raise UnknownNameError(f"no precision {config.precision!r}: there are {there}")
    # Its import takes as long as that of torch and is only needed for training.
    from lightning_fabric import Fabric
    from lightning_fabric.plugins.environments.lightning import LightningEnvironment

    # Fabric logs its precision for every network.
    logging.getLogger("lightning_fabric").setLevel(logging.WARNING)
    device = best_device().type
    if device == "cpu":
        keep_freed_memory()
    devices = config.devices if device == "cuda" else 1
    # For a single device Fabric must not look for a cluster: where mpi4py is installed, that starts MPI.
    environment = LightningEnvironment() if devices == 1 else None
    fabric = Fabric(accelerator=device, devices=devices, precision=_precision(config), plugins=environment)
    fabric.launch()
    return fabric


class TrainingError(ValueError):
    """Raised for a training that cannot continue."""


class Trainer:
    """Trains a network on hands; ``folder`` receives its checkpoints.

    An unfinished training of the same configuration and hands in ``folder`` is resumed, with the same weights as an
    uninterrupted one. ``development``: hands for measurements during the training; by default a share of the games is
    held out. ``log`` is called with every point of the curve (`janshi.learn.scalars`). ``prepare`` is called with the
    new network, for instance to load some of its weights.

    Raises `CheckpointError` if ``folder`` contains another training or one that cannot be read, `DatasetError` if all
    hands are held out, and `ValueError` for an unknown precision.
    """

    def __init__(
        self,
        config: TrainConfig,
        hands: RecordedHands,
        folder: str | Path,
        *,
        development: RecordedHands | None = None,
        log: ScalarLog = no_log,
        prepare: Callable[[nn.Module], None] | None = None,
    ) -> None:
        self.config = config
        self.folder = Path(folder)
        self.log = log
        self.all_hands = len(hands)
        # The seed does not move games between the parts: a training that starts from the weights of one with another
        # seed is measured on games that neither has learned from.
        self.hands, self.held = (hands, development) if development is not None else hands.split(config.development, 0)
        if config.share < 1:
            self.hands = self.hands.sample(config.share, config.seed)
        if not len(self.hands):
            raise DatasetError(f"all {len(hands)} hands are held out: training takes two games at least")
        self.hands = config.task.prepared(self.hands)
        self.fabric = _fabric(config)
        torch.manual_seed(config.seed)
        network = make_network(config.task.network)
        if prepare is not None:
            prepare(network)
        self.encoder = encoder_of(network)
        kind = torch.optim.AdamW if config.weight_decay else torch.optim.Adam
        # Fused: one pass over the weights, six times as fast for wide dense layers on a CPU.
        optimizer = kind(network.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay, fused=True)
        self.network, self.optimizer = self.fabric.setup(network, optimizer)
        self.device = self.fabric.device
        self.average: nn.Module | None = None
        """Moving average of the weights; None without one."""
        if config.average:
            self.average = make_network(config.task.network).to(self.device)
            self.average.load_state_dict(self.plain.state_dict())
        self.compiled = torch.compile(self.plain, dynamic=False) if config.compile else None
        self.total = max(1, round(config.epochs * len(self.hands)))
        self.done = 0
        self.last = 0
        """Number of hands trained on before the last chunk."""
        self.left: Examples | None = None
        """Examples of the last chunk that did not fill a batch; the next chunk begins with them."""
        self.samples = 0
        self.seconds = 0.0
        self.curve: list[dict[str, Any]] = []
        """Loss and accuracy of each chunk, and measurements on held-out games."""
        self.best = float("inf")
        self.stale = 0
        if has_training(self.folder):
            self._resume()

    @property
    def plain(self) -> nn.Module:
        """The network without Fabric's wrappers."""
        inner: nn.Module = self.network.module
        return inner

    @property
    def dtype(self) -> torch.dtype:
        """Dtype of inputs: with mixed precision, which casts them in each layer, 16 bits; else that of the weights."""
        mixed = _precision(self.config) == "bf16-mixed"
        return torch.bfloat16 if mixed else next(self.plain.parameters()).dtype

    @property
    def player(self) -> nn.Module:
        """The network that plays: the averaged weights, or without an average the last ones."""
        return self.plain if self.average is None else self.average

    @property
    def stopped(self) -> bool:
        """True if the training is over."""
        return self.done >= self.total or (0 < self.config.patience <= self.stale)

    # -------------------------------------------------------------------------------------------------------

    def train(self, progress: Callable[[TrainingProgress], None] | None = None) -> None:
        """Train to the end; write a checkpoint about every minute."""
        saved = time.monotonic()
        with ThreadPoolExecutor(1) as pool:
            waiting: Future[Examples] | None = None
            while not self.stopped:
                start = time.perf_counter()
                which = self._order(self.done)
                examples = waiting.result() if waiting is not None else self._encode(which, self.done)
                # The next hands are encoded in parallel with the training on these.
                after = self.done + len(which)
                waiting = pool.submit(self._encode, self._order(after), after) if after < self.total else None
                figures = self._chunk(which, examples)
                self._require_finite(figures["loss"])
                self._note(len(which), figures, examples)
                self.seconds += time.perf_counter() - start
                if progress is not None:
                    counts = (self.done, self.total, self.samples)
                    progress(TrainingProgress(*counts, figures["loss"], figures["accuracy"], self.seconds))
                if time.monotonic() - saved > SAVE_EVERY and not self.stopped:
                    self.save()
                    saved = time.monotonic()
        self.save()

    def _require_finite(self, loss: float) -> None:
        """Raise `TrainingError` for a loss that is no number: no further step can mend the weights."""
        if not np.isfinite(loss):
            epoch = self.done / len(self.hands)
            raise TrainingError(
                f"the loss is {loss} after {epoch:.2g} epochs: lower --learning-rate {self.config.learning_rate:g}, "
                f"or use --precision 32-true. {self.folder} keeps its files from before"
            )

    def _order(self, done: int) -> NDArray[np.int64]:
        """Return the hands of the next chunk; the seed determines the order in each epoch."""
        count = len(self.hands)
        epoch, first = divmod(done, count)
        order = np.random.default_rng([self.config.seed, epoch]).permutation(count)
        return order[first : min(first + self.config.chunk, first + self.total - done)]

    def _encode(self, which: NDArray[np.int64], done: int) -> Examples:
        """Encode hands in batches and return their shuffled examples."""
        task = self.config.task
        parts = [which[first : first + CHUNK] for first in range(0, len(which), CHUNK)]
        examples = joined([task.examples(self.hands.decisions(part, self.encoder)) for part in parts])
        random = np.random.default_rng([self.config.seed, 1, done])
        examples = examples.part(random.permutation(np.arange(len(examples))))
        turns = task.turns(self.hands) if self.config.augment else 1
        if turns > 1:
            examples = task.turned(examples, random.integers(0, turns, len(examples)).astype(np.uint8))
        return examples

    def _chunk(self, which: NDArray[np.int64], examples: Examples) -> dict[str, Any]:
        """Train on some examples; return mean loss and accuracy."""
        # Dropout is seeded by the progress of the training, so that a resumed one draws the same numbers.
        torch.manual_seed(int(np.random.SeedSequence([self.config.seed, 2, self.done]).generate_state(1)[0]))
        self.network.train()
        losses = hits = seen = 0.0
        share = len(which) / max(1, len(examples))
        rank, world = self.fabric.global_rank, self.fabric.world_size
        batch, before = self.config.batch, 0 if self.left is None else len(self.left)
        together = examples if self.left is None else joined([self.left, examples])
        # The rest waits for the next chunk; a smaller batch is a step only at the end, or if examples are lacking.
        over = self.done + len(which) >= self.total or len(together) < batch
        count = len(together) if over else len(together) // batch * batch
        for first in range(0, count, batch):
            rows = np.arange(first, min(first + batch, count))[rank::world]
            if len(rows) < 2:
                continue  # batch normalisation needs two examples
            self._set_rate((self.done + max(0, first - before) * share) / self.total)
            some = together.part(rows)
            inputs = to_input(self.encoder, some.packed, self.device, self.dtype)
            outputs = self._outputs(inputs).float()
            loss, right, counted = self.config.task.loss(self.plain, outputs, some.tensors(self.device))
            self.optimizer.zero_grad(set_to_none=True)
            self.fabric.backward(loss)
            self.optimizer.step()
            self._follow()
            losses += float(loss.detach()) * len(rows)
            hits += right
            seen += counted
        self.left = together.part(np.arange(count, len(together)))
        self.last, self.done = self.done, self.done + len(which)
        self.samples += len(examples)
        return {"loss": losses * world / max(1, count), "accuracy": hits / max(1, seen)}

    def _outputs(self, inputs: torch.Tensor) -> torch.Tensor:
        """Return the network's outputs, by compiled code for batches of full size."""
        if self.compiled is None or len(inputs) != self.config.batch:
            outputs: torch.Tensor = self.network(inputs)
            return outputs
        with self.fabric.autocast():
            compiled: torch.Tensor = self.compiled(inputs)
        return compiled

    @torch.no_grad()
    def _follow(self) -> None:
        """Update the moving average of the weights after a step."""
        if self.average is None:
            return
        for mean, tensor in zip(self.average.state_dict().values(), self.plain.state_dict().values(), strict=True):
            if mean.dtype.is_floating_point:
                mean.lerp_(tensor, 1 - self.config.average)
            else:
                mean.copy_(tensor)

    def _set_rate(self, done: float) -> None:
        """Set the learning rate: a linear warm-up over the first 2 %, then a cosine to zero; or constant."""
        factor = 1.0
        if self.config.cosine:
            factor = min(1.0, done / 0.02) * 0.5 * (1 + float(np.cos(np.pi * min(1.0, done))))
        for group in self.optimizer.param_groups:
            group["lr"] = self.config.learning_rate * factor

    def _renormalise(self, examples: Examples) -> None:
        """Recompute the normalisation of the playing network from the last examples, as many as the option says."""
        first = max(0, len(examples) - self.config.renormalise)
        bounds = range(first, len(examples) - 1, self.config.batch)  # a single example has no variance
        if not bounds:
            return
        packed = (examples.packed[start : start + self.config.batch] for start in bounds)
        with self.fabric.autocast():
            renormalise(self.player, (to_input(self.encoder, some, self.device, self.dtype) for some in packed))

    def _note(self, hands: int, figures: dict[str, Any], examples: Examples) -> None:
        """Add the chunk to the curve, at intervals measure on held-out games, and keep the best weights."""
        point: dict[str, Any] = {"epoch": self.done / len(self.hands), "samples": self.samples, **figures}
        every = self.config.measure_every * len(self.hands)
        if self.done >= self.total or self.done // every != (self.done - hands) // every:
            self._renormalise(examples)
            measured = self.config.task.measure(self.player, self.held, self.device, self.config.measure_most)
            point["development"] = {name: figure.top[0].value for name, figure in measured.items()}
            loss = sum(figure.loss * figure.top[0].count for figure in measured.values())
            point["development loss"] = loss / max(1, sum(figure.top[0].count for figure in measured.values()))
            self.stale += 1
            if point["development loss"] < self.best:
                self.best, self.stale = point["development loss"], 0
                if self.fabric.is_global_zero:
                    self.folder.mkdir(parents=True, exist_ok=True)
                    save_tensors(self.player.state_dict(), self.folder / BEST)
        self.curve.append(point)
        self.log(point, self.samples)

    # -------------------------------------------------------------------------------------------------------

    def measure(self, hands: RecordedHands | None = None, most: int | None = None) -> dict[str, Measured]:
        """Measure the best weights so far on held-out (or other) hands: see `janshi.learn.tasks.Task.measure`."""
        network = make_network(self.config.task.network).to(self.device)
        path = self.folder / BEST
        network.load_state_dict(load_file(path) if path.exists() else self.player.state_dict())
        return self.config.task.measure(network, self.held if hands is None else hands, self.device, most)

    def save(self) -> None:
        """Write the checkpoint to resume from and the player's weights and metadata, each file in one step."""
        if not self.fabric.is_global_zero:
            return
        best = self.best if self.best < float("inf") else None
        left = 0 if self.left is None else len(self.left)
        counts = {"samples": self.samples, "best": best, "stale": self.stale, "last": self.last, "left": left}
        state = TrainingState(
            self.config.as_json(), {"hands": self.all_hands}, self.done, self.seconds, self.curve, counts
        )
        unfinished = None if self.stopped else (self._learning(), self.optimizer)
        save_training(self.folder, state, self._metadata(), {LAST: self.player}, unfinished)

    def _learning(self) -> nn.Module:
        """Return the weights in a checkpoint."""
        return self.plain if self.average is None else nn.ModuleDict({"last": self.plain, "mean": self.average})

    def _metadata(self) -> dict[str, Any]:
        names = [rules.name for rules in self.hands.rules]
        more = {"task": self.config.task.kind, "samples": self.samples, **self.config.task.metadata()}
        return describe_network(self.plain, self.hands.players, names, **more)

    def _resume(self) -> None:
        state = read_state(self.folder)
        if state.config != self.config.as_json() or state.origin != {"hands": self.all_hands}:
            raise CheckpointError(
                f"{self.folder} holds a training with other options or records: name another folder, or delete it"
            )
        self.done, self.seconds, self.curve = state.done, state.seconds, state.curve
        self.samples, self.stale = state.counts["samples"], state.counts["stale"]
        self.best = float("inf") if state.counts["best"] is None else state.counts["best"]
        self.last = state.counts["last"]
        left = state.counts["left"]
        if left and not self.stopped:
            # They are the last of their chunk, which filled the previous batch.
            examples = self._encode(self._order(self.last), self.last)
            self.left = examples.part(np.arange(len(examples) - left, len(examples)))
        load_weights(self.player if self.stopped else self._learning(), self.optimizer, self.folder, self.stopped)
