"""Training a discard network on records: resumable, reproducible, measured on games it has not seen."""

from __future__ import annotations

import dataclasses
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from janshi.arena.results import Estimate, rate
from janshi.files import replacing
from janshi.learn.dataset import Decisions, HandSet, discards_of
from janshi.learn.networks import ResidualConfig, ResidualNetwork
from janshi.observe.meowjong import expand

#: Version of the checkpoint's layout.
FORMAT: Final = 1
_CHUNK: Final = 384  # hands that are encoded and shuffled together


@dataclass(frozen=True, slots=True)
class TrainConfig:
    """How a network is trained; the fields are the options of ``janshi train``."""

    epochs: float = 2.0
    batch: int = 256
    learning_rate: float = 2e-3
    weight_decay: float = 1e-2
    seed: int = 0
    development: float = 0.05
    """Share of the games held out to measure on."""
    network: ResidualConfig = field(default_factory=ResidualConfig)


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a training stands."""

    hands: int
    """Hands trained on, of `total`."""
    total: int
    samples: int
    loss: float
    """Mean over the last chunk."""
    accuracy: float
    seconds: float


class CheckpointError(ValueError):
    """A folder that holds no checkpoint, or one of another training."""


def to_input(columns: NDArray[np.int64], device: torch.device) -> Tensor:
    """Return observations as the network takes them: (n, 366, 34) on the device."""
    return torch.from_numpy(expand(columns)).to(device)


def best_device() -> torch.device:
    """Return the GPU where there is one."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def on_device(network: ResidualNetwork, device: torch.device) -> ResidualNetwork:
    """Return a network on a device, its weights in the order that convolutions like best."""
    return network.to(device).to(memory_format=torch.channels_last)  # type: ignore[call-overload, no-any-return]


class Trainer:
    """Trains a discard network on some hands; ``folder`` receives its checkpoints.

    Where ``folder`` holds an unfinished training of the same configuration and hands, it goes on from there, and ends
    with the same weights as one that was not interrupted. Raises `CheckpointError` where it is another one's.
    """

    def __init__(self, config: TrainConfig, hands: HandSet, folder: Path) -> None:
        self.config = config
        self.folder = folder
        self.hands, self.held = hands.split(config.development, config.seed)
        self.device = best_device()
        torch.manual_seed(config.seed)
        self.network = on_device(ResidualNetwork(config.network), self.device)
        self.total = max(1, round(config.epochs * len(self.hands)))
        self.optimizer = torch.optim.AdamW(
            self.network.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay
        )
        self.done = 0
        self.samples = 0
        self.seconds = 0.0
        self.curve: list[dict[str, float]] = []
        if (folder / "training.json").exists():
            self._resume()

    # -------------------------------------------------------------------------------------------------------

    def train(self, progress: Callable[[Progress], None] | None = None, every: int = 4) -> None:
        """Train to the end, saving a checkpoint after every ``every`` chunks; an interruption loses no more."""
        chunks = 0
        while self.done < self.total:
            start = time.perf_counter()
            loss, accuracy, number = self._chunk()
            self.seconds += time.perf_counter() - start
            self.samples += number
            chunks += 1
            self.curve.append({"samples": self.samples, "loss": loss, "accuracy": accuracy})
            if progress is not None:
                progress(Progress(self.done, self.total, self.samples, loss, accuracy, self.seconds))
            if chunks % every == 0:
                self.save()
        self.save()

    def _order(self) -> NDArray[np.int64]:
        """The hands of the next chunk: every epoch has its own order, which the seed decides."""
        count = len(self.hands)
        epoch, place = divmod(self.done, count)
        order = np.random.default_rng([self.config.seed, epoch]).permutation(count)
        return order[place : min(place + _CHUNK, place + self.total - self.done)]

    def _chunk(self) -> tuple[float, float, int]:
        """Train on the next hands; return mean loss, accuracy and how many decisions there were."""
        which = self._order()
        decisions = discards_of(self.hands.part(which))
        shuffled = np.random.default_rng([self.config.seed, 1, self.done]).permutation(len(decisions.labels))
        self.network.train()
        losses, hits = 0.0, 0
        share = len(which) / max(1, len(shuffled))
        for first in range(0, len(shuffled), self.config.batch):
            batch = shuffled[first : first + self.config.batch]
            if len(batch) < 2:
                continue  # nothing to normalise over
            self._set_rate((self.done + first * share) / self.total)
            labels = torch.from_numpy(decisions.labels[batch].astype(np.int64)).to(self.device)
            inputs = to_input(decisions.columns[batch], self.device)
            with torch.autocast(self.device.type, torch.bfloat16):
                logits = self.network(inputs.to(torch.bfloat16))
                loss = nn.functional.cross_entropy(logits.float(), labels)
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()  # type: ignore[no-untyped-call]
            self.optimizer.step()
            losses += float(loss.detach()) * len(batch)
            hits += int((logits.argmax(1) == labels).sum())
        self.done += len(which)
        number = max(1, len(shuffled))
        return losses / number, hits / number, len(shuffled)

    def _set_rate(self, done: float) -> None:
        """A short rise, then half a cosine down to nothing."""
        warm = min(1.0, done / 0.02)
        rate_now = self.config.learning_rate * warm * 0.5 * (1 + float(np.cos(np.pi * min(1.0, done))))
        for group in self.optimizer.param_groups:
            group["lr"] = rate_now

    # -------------------------------------------------------------------------------------------------------

    def measure(self, hands: HandSet | None = None) -> dict[str, Estimate]:
        """Return how often the network's first choices, its first three, agree on held-out (or other) hands.

        ``illegal`` is how often its first choice cannot be discarded; the others count legal choices alone.
        """
        return measure(self.network, self.held if hands is None else hands, self.device)

    def save(self) -> None:
        """Write a checkpoint: weights as safetensors, configuration and state beside them; each in one step."""
        self.folder.mkdir(parents=True, exist_ok=True)
        _save_tensors(self.network.state_dict(), self.folder / "network.safetensors")
        state: dict[str, Tensor] = {}
        for place, one in self.optimizer.state_dict()["state"].items():
            state |= {f"{place}.{name}": torch.as_tensor(value) for name, value in one.items()}
        _save_tensors(state, self.folder / "optimizer.safetensors")
        _save_text(json.dumps(self._description(), indent=1), self.folder / "player.json")
        # Last, so that a training is only ever resumed from files that belong together.
        stand = {
            "config": dataclasses.asdict(self.config),
            "hands": len(self.hands),
            "done": self.done,
            "samples": self.samples,
            "seconds": self.seconds,
            "curve": self.curve,
        }
        _save_text(json.dumps(stand, indent=1), self.folder / "training.json")

    def _description(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "kind": "discard",
            "observation": "meowjong",
            "network": dataclasses.asdict(self.config.network),
            "rules": self.hands.rules.name,
            "players": self.hands.rules.players,
            "samples": self.samples,
        }

    def _resume(self) -> None:
        stand = json.loads((self.folder / "training.json").read_text())
        if stand["config"] != dataclasses.asdict(self.config) or stand["hands"] != len(self.hands):
            raise CheckpointError(
                f"{self.folder} holds a training with other options or records: name another folder, or delete it"
            )
        self.network.load_state_dict(load_file(self.folder / "network.safetensors"))
        saved = load_file(self.folder / "optimizer.safetensors")
        state: dict[int, dict[str, Tensor]] = {}
        for name, value in saved.items():
            place, what = name.split(".", 1)
            state.setdefault(int(place), {})[what] = value
        whole = self.optimizer.state_dict()
        self.optimizer.load_state_dict({"state": state, "param_groups": whole["param_groups"]})
        self.done, self.samples, self.seconds = stand["done"], stand["samples"], stand["seconds"]
        self.curve = stand["curve"]


def measure(network: nn.Module, hands: HandSet, device: torch.device) -> dict[str, Estimate]:
    """See `Trainer.measure`."""
    network.eval()
    hits: dict[str, list[NDArray[np.bool_]]] = {"top 1": [], "top 3": [], "illegal": []}
    for decisions in _parts(hands):
        for first in range(0, len(decisions.labels), 1024):
            some = slice(first, first + 1024)
            logits = choose(network, decisions.columns[some], device)
            legal = (decisions.legal[some, None] >> np.arange(34) & 1) > 0
            best = logits.argmax(axis=1)
            hits["illegal"].append(~legal[np.arange(len(best)), best])
            ranked = np.argsort(-np.where(legal, logits, -np.inf), axis=1, kind="stable")
            labels = decisions.labels[some, None]
            hits["top 1"].append((ranked[:, :1] == labels).any(axis=1))
            hits["top 3"].append((ranked[:, :3] == labels).any(axis=1))
    return {name: rate(np.concatenate(found or [np.zeros(0, np.bool_)])) for name, found in hits.items()}


def choose(network: nn.Module, columns: NDArray[np.int64], device: torch.device) -> NDArray[np.float32]:
    """Return the network's logits (n, 34; float32) for observations; in single precision for a single position."""
    inputs = to_input(columns, device)
    with torch.inference_mode(), torch.autocast(device.type, torch.bfloat16, enabled=len(columns) > 1):
        logits = network(inputs.to(torch.bfloat16 if len(columns) > 1 else torch.float32))
    result: NDArray[np.float32] = logits.float().cpu().numpy()
    return result


def _parts(hands: HandSet) -> Iterator[Decisions]:
    for first in range(0, len(hands), _CHUNK):
        yield discards_of(hands.part(np.arange(first, min(first + _CHUNK, len(hands)))))


def _save_tensors(tensors: dict[str, Tensor], path: Path) -> None:
    with replacing(path) as part:
        save_file({name: one.detach().cpu().contiguous() for name, one in tensors.items()}, part)


def _save_text(text: str, path: Path) -> None:
    with replacing(path) as part:
        part.write_text(text, encoding="utf-8")
