"""Training a network on records: resumable to the bit, measured on games it has not seen.

One trainer serves our network, which learns all five decisions at once, and the papers', which learn one each.
Mixed precision and several GPUs are Lightning Fabric's business.
"""

from __future__ import annotations

import dataclasses
import json
import logging
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from lightning_fabric import Fabric
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from janshi.arena.results import Estimate, rate
from janshi.files import replacing, save_text
from janshi.learn.dataset import Decisions, HandSet, encode
from janshi.learn.networks import (
    PEOPLE,
    WINNERS,
    MeowjongConfig,
    ResidualConfig,
    columns_of,
    logits_of,
    make_network,
    mixed,
    sharpened,
)
from janshi.observe.decisions import DECISIONS
from janshi.observe.meowjong import expand, symmetric

#: Version of the checkpoint's layout.
FORMAT: Final = 3
LAST: Final = "network.safetensors"
BEST: Final = "best.safetensors"
#: How far a trained player goes from what people do towards what winners do, decision by decision: see
#: `janshi.learn.networks.sharpened`. Chosen by matches against random players.
SHARPEN: Final = {"discard": 2.0, "pon": 1.0, "kan": 3.0, "kita": 3.0, "riichi": 10.0}
#: All that an unfinished training goes on from, in one file, so that no kill can leave parts that do not fit.
CHECKPOINT: Final = "checkpoint.safetensors"
_STAND: Final = "stand"
#: Seconds after which a run that goes on writes a checkpoint.
SAVE_EVERY: Final = 60.0


@dataclass(frozen=True, slots=True)
class TrainConfig:
    """How a network is trained; the fields are the options of ``janshi train``."""

    network: ResidualConfig | MeowjongConfig = field(default_factory=ResidualConfig)
    epochs: float = 4.0
    """Times through the hands."""
    batch: int = 256
    """Situations a step, over all devices."""
    learning_rate: float = 2e-3
    weight_decay: float = 1e-2
    cosine: bool = True
    """Learning rate up in the first 2 % and down to nothing along a cosine; otherwise it stays."""
    seed: int = 0
    development: float = 0.05
    """Share of the games held out."""
    kan_weight: float = 1.0
    """How much a kan that was possible counts beside the other decisions: it is one in a hundred."""
    augment: bool = False
    """Swap pin and sou, 1m and 9m at random (sanma)."""
    chunk: int = 384
    """Hands that are encoded and shuffled together."""
    measure_every: float = 0.5
    """Epochs between two looks at the games held out."""
    measure_most: int = 8000
    """Situations of them looked at each time."""
    patience: int = 0
    """Looks without a smaller loss after which the training stops; 0: never."""
    precision: str = "bf16-mixed"
    devices: int = 1
    """GPUs, where there are any."""

    @property
    def decision(self) -> str | None:
        """The one decision that is learned; None for all five."""
        return self.network.decision if isinstance(self.network, MeowjongConfig) else None


def paper_config(decision: str, **changes: Any) -> TrainConfig:
    """Return the papers' setting for a decision: Adam 10⁻³, 200 epochs of batches of 64 for discards, else 500 of 32.

    >>> paper_config("kan").batch, paper_config("discard").epochs
    (32, 200.0)
    """
    epochs, batch = (200.0, 64) if decision == "discard" else (500.0, 32)
    setting: dict[str, Any] = {
        "network": MeowjongConfig(decision),
        "epochs": epochs,
        "batch": batch,
        "learning_rate": 1e-3,
        "weight_decay": 0.0,
        "cosine": False,
        "development": 0.1,
        "measure_every": 1.0,
    }
    return TrainConfig(**(setting | changes))


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
    """Of discards (or of the one decision) in it."""
    seconds: float


class CheckpointError(ValueError):
    """A folder that holds no checkpoint, or one of another training."""


def to_input(columns: NDArray[np.int64], device: torch.device) -> Tensor:
    """Return observations as the networks take them: (n, columns, 34; bfloat16) on the device."""
    return torch.from_numpy(expand(columns)).to(device).to(torch.bfloat16)


def best_device() -> torch.device:
    """Return the GPU where there is one."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Trainer:
    """Trains a network on some hands; ``folder`` receives its checkpoints.

    Where ``folder`` holds an unfinished training of the same configuration and hands, it goes on from there, and ends
    with the same weights as one that was not interrupted. Raises `CheckpointError` where it is another one's.
    ``development``: hands to look at meanwhile; by default a share of the games is held out.
    """

    def __init__(
        self, config: TrainConfig, hands: HandSet, folder: Path, *, development: HandSet | None = None
    ) -> None:
        self.config = config
        self.folder = folder
        self.all_hands = len(hands)
        self.hands, self.held = (
            (hands, development) if development is not None else hands.split(config.development, config.seed)
        )
        # Fabric names its precision once a network.
        logging.getLogger("lightning_fabric").setLevel(logging.WARNING)
        self.fabric = Fabric(
            accelerator="cuda" if torch.cuda.is_available() else "cpu",
            devices=config.devices if torch.cuda.is_available() else 1,
            precision=config.precision,  # type: ignore[arg-type]
        )
        self.fabric.launch()
        torch.manual_seed(config.seed)
        network = make_network(config.network)
        kind = torch.optim.AdamW if config.weight_decay else torch.optim.Adam
        optimizer = kind(network.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay)
        self.network, self.optimizer = self.fabric.setup(network, optimizer)
        self.device = self.fabric.device
        self.total = max(1, round(config.epochs * len(self.hands)))
        self.done = 0
        self.samples = 0
        self.seconds = 0.0
        self.curve: list[dict[str, Any]] = []
        """Loss and accuracy of each chunk, and of the games held out where they were looked at."""
        self.best = float("inf")
        self.stale = 0
        if (folder / CHECKPOINT).exists() or (folder / "training.json").exists():
            self._resume()

    @property
    def plain(self) -> nn.Module:
        """The network without what surrounds it in training."""
        inner: nn.Module = self.network.module
        return inner

    @property
    def stopped(self) -> bool:
        """Whether the training is over."""
        return self.done >= self.total or (0 < self.config.patience <= self.stale)

    # -------------------------------------------------------------------------------------------------------

    def train(self, progress: Callable[[Progress], None] | None = None) -> None:
        """Train to the end; a checkpoint is written every minute or so, so that an interruption loses no more."""
        saved = time.monotonic()
        with ThreadPoolExecutor(1) as pool:
            ready: Future[Decisions] | None = None
            while not self.stopped:
                start = time.perf_counter()
                which = self._order(self.done)
                decisions = ready.result() if ready is not None else self._encode(which, self.done)
                # The next hands are encoded while the network learns from these.
                after = self.done + len(which)
                ready = pool.submit(self._encode, self._order(after), after) if after < self.total else None
                stand = self._chunk(which, decisions)
                self._look(len(which), stand)
                self.seconds += time.perf_counter() - start
                if progress is not None:
                    where = (self.done, self.total, self.samples)
                    progress(Progress(*where, stand["loss"], stand["accuracy"], self.seconds))
                if time.monotonic() - saved > SAVE_EVERY and not self.stopped:
                    self.save()
                    saved = time.monotonic()
        self.save()

    def _order(self, done: int) -> NDArray[np.int64]:
        """The hands of the next chunk: every epoch has its own order, which the seed decides."""
        count = len(self.hands)
        epoch, place = divmod(done, count)
        order = np.random.default_rng([self.config.seed, epoch]).permutation(count)
        return order[place : min(place + self.config.chunk, place + self.total - done)]

    def _encode(self, which: NDArray[np.int64], done: int) -> Decisions:
        """Encode hands, keep what is learned from, and shuffle it."""
        found = encode(self.hands, which, columns=columns_of(self.plain))
        random = np.random.default_rng([self.config.seed, 1, done])
        wanted = np.arange(len(found))
        if self.config.decision is not None:
            wanted = np.flatnonzero(found.labels[:, DECISIONS.index(self.config.decision)] >= 0)
        found = found.part(random.permutation(wanted))
        if self.config.augment and self.hands.players == 3:
            turns = random.integers(0, 4, len(found)).astype(np.uint8)
            found.columns = symmetric(found.columns, turns)
            discards = np.flatnonzero(found.labels[:, 0] >= 0)
            kinds = np.int64(1) << found.labels[discards, :1].astype(np.int64)
            turned = symmetric(kinds, turns[discards])[:, 0]
            found.labels[discards, 0] = np.log2(turned.astype(np.float64)).astype(np.int8)
        return found

    def _chunk(self, which: NDArray[np.int64], decisions: Decisions) -> dict[str, Any]:
        """Train on some decisions; return mean loss and accuracy."""
        # Dropout's numbers depend on the place in the training, so that a resumed one draws the same.
        torch.manual_seed(int(np.random.SeedSequence([self.config.seed, 2, self.done]).generate_state(1)[0]))
        self.network.train()
        losses = hits = seen = 0.0
        share = len(which) / max(1, len(decisions))
        rank, world = self.fabric.global_rank, self.fabric.world_size
        for first in range(0, len(decisions), self.config.batch):
            batch = np.arange(first, min(first + self.config.batch, len(decisions)))[rank::world]
            if len(batch) < 2:
                continue  # nothing to normalise over
            self._set_rate((self.done + first * share) / self.total)
            outputs = self.network(to_input(decisions.columns[batch], self.device)).float()
            labels = torch.from_numpy(decisions.labels[batch].astype(np.int64)).to(self.device)
            won = torch.from_numpy(decisions.places[batch, 3] > 0).to(self.device)
            loss, right, counted = self._loss(outputs, labels, won)
            self.optimizer.zero_grad(set_to_none=True)
            self.fabric.backward(loss)
            self.optimizer.step()
            losses += float(loss.detach()) * len(batch)
            hits += right
            seen += counted
        self.done += len(which)
        self.samples += len(decisions)
        return {"loss": losses * world / max(1, len(decisions)), "accuracy": hits / max(1, seen)}

    def _loss(self, outputs: Tensor, labels: Tensor, won: Tensor) -> tuple[Tensor, int, int]:
        """Cross-entropy of the decisions there were; of discards (or the one decision) how many were right, seen."""
        plain, only = self.plain, self.config.decision
        total = outputs.new_zeros(())
        right = seen = 0
        for place, name in enumerate(DECISIONS):
            there = labels[:, place] >= 0
            if only not in (None, name):
                continue
            for whose, which in ((PEOPLE, there), (WINNERS, there & won)):
                if not bool(which.any()) or (whose == WINNERS and only is not None):
                    continue
                logits = logits_of(plain, outputs[which], name, whose)
                loss = nn.functional.cross_entropy(logits, labels[which, place], reduction="sum")
                total = total + loss * (self.config.kan_weight if name == "kan" else 1.0)
                if name == (only or "discard") and whose == PEOPLE:
                    right = int((logits.argmax(1) == labels[which, place]).sum())
                    seen = len(logits)
        return total / len(labels), right, seen

    def _set_rate(self, done: float) -> None:
        """Linear warm-up over the first 2 %, then a cosine down to nothing; or always the same."""
        factor = 1.0
        if self.config.cosine:
            factor = min(1.0, done / 0.02) * 0.5 * (1 + float(np.cos(np.pi * min(1.0, done))))
        for group in self.optimizer.param_groups:
            group["lr"] = self.config.learning_rate * factor

    def _look(self, hands: int, stand: dict[str, Any]) -> None:
        """Note the chunk, and now and then measure on the games held out; keep the best weights."""
        point: dict[str, Any] = {"epoch": self.done / len(self.hands), "samples": self.samples, **stand}
        every = self.config.measure_every * len(self.hands)
        if self.done >= self.total or self.done // every != (self.done - hands) // every:
            found = measure(self.plain, self.held, self.device, self.config.decision, self.config.measure_most)
            point["development"] = {name: one.top[0].value for name, one in found.items()}
            loss = sum(one.loss * one.top[0].count for one in found.values())
            point["development loss"] = loss / max(1, sum(one.top[0].count for one in found.values()))
            self.stale += 1
            if point["development loss"] < self.best:
                self.best, self.stale = point["development loss"], 0
                if self.fabric.is_global_zero:
                    self.folder.mkdir(parents=True, exist_ok=True)
                    save_tensors(self.plain.state_dict(), self.folder / BEST)
        self.curve.append(point)

    # -------------------------------------------------------------------------------------------------------

    def measure(self, hands: HandSet | None = None, most: int | None = None) -> dict[str, Measured]:
        """Return how the best weights so far do on held-out (or other) hands: see `measure`."""
        network = make_network(self.config.network).to(self.device)
        path = self.folder / BEST
        network.load_state_dict(load_file(path) if path.exists() else self.plain.state_dict())
        return measure(network, self.held if hands is None else hands, self.device, self.config.decision, most)

    def save(self) -> None:
        """Write a checkpoint, each file in one step: one to go on from, and for players weights and description."""
        if not self.fabric.is_global_zero:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        stand = {
            "config": config_json(self.config),
            "hands": self.all_hands,
            "done": self.done,
            "samples": self.samples,
            "seconds": self.seconds,
            "best": self.best if self.best < float("inf") else None,
            "stale": self.stale,
            "curve": self.curve,
        }
        if not self.stopped:
            save_checkpoint(self.plain, self.optimizer, stand, self.folder / CHECKPOINT)
        save_tensors(self.plain.state_dict(), self.folder / LAST)
        save_text(json.dumps(self._description(), indent=1), self.folder / "player.json")
        save_text(json.dumps(stand, indent=1), self.folder / "training.json")
        if self.stopped:
            # Only now: killed before this, a training does its last part again.
            (self.folder / CHECKPOINT).unlink(missing_ok=True)

    def _description(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "network": "residual" if self.config.decision is None else "meowjong",
            "shape": config_json(self.config.network),
            "decision": self.config.decision,
            "columns": columns_of(self.plain),
            "sharpen": SHARPEN if self.config.decision is None else {},
            "rules": [one.name for one in self.hands.rules],
            "players": self.hands.players,
            "samples": self.samples,
        }

    def _resume(self) -> None:
        stand = read_stand(self.folder)
        if stand["config"] != config_json(self.config) or stand["hands"] != self.all_hands:
            raise CheckpointError(
                f"{self.folder} holds a training with other options or records: name another folder, or delete it"
            )
        self.done, self.samples, self.seconds = stand["done"], stand["samples"], stand["seconds"]
        self.curve, self.stale = stand["curve"], stand["stale"]
        self.best = float("inf") if stand["best"] is None else stand["best"]
        load_weights(self.plain, self.optimizer, self.folder, self.stopped)


# ---------------------------------------------------------------------------------------------------------
# Measuring


@dataclass(frozen=True, slots=True)
class Measured:
    """How often a network agrees with one decision of the players."""

    top: tuple[Estimate, ...]
    """The decision is its first choice; of discards also: among its first two, first three. Legal choices alone."""
    illegal: Estimate | None
    """Of discards: how often its first choice cannot be discarded."""
    loss: float
    """Mean cross-entropy."""
    confusion: tuple[tuple[int, int], tuple[int, int]] | None
    """Of yes and no: rows what was done (no, yes), columns what the network says."""


def measure(
    network: nn.Module, hands: HandSet, device: torch.device, decision: str | None = None, most: int | None = None
) -> dict[str, Measured]:
    """Return how a network agrees with hands, for all decisions or one; ``most`` situations of each at most.

    With ``most`` hands are taken from all over the set until there are enough.
    """
    wanted = [name for name in DECISIONS if decision in (None, name)]
    found: dict[str, list[tuple[NDArray[np.float32], NDArray[np.int8], NDArray[np.int64]]]] = {n: [] for n in wanted}
    order = np.arange(len(hands)) if most is None else np.random.default_rng(0).permutation(len(hands))
    was_training = network.training
    network.eval()
    for first in range(0, len(order), 64):
        decisions = encode(hands, order[first : first + 64], columns=columns_of(network))
        places = [DECISIONS.index(name) for name in wanted]
        some = np.flatnonzero((decisions.labels[:, places] >= 0).any(axis=1))
        for part in _batches(some, 512):
            outputs = answers(network, decisions.columns[part], device)
            for name in wanted:
                labels = decisions.labels[part, DECISIONS.index(name)]
                which = np.flatnonzero(labels >= 0)
                logits = logits_of(network, torch.from_numpy(outputs[which]), name).numpy()
                found[name].append((logits, labels[which], decisions.legal[part[which]]))
        if most is not None and max(sum(len(one[1]) for one in rows) for rows in found.values()) >= most:
            break
    network.train(was_training)
    return {name: _measured(name, rows) for name, rows in found.items() if rows}


def _measured(name: str, rows: list[tuple[NDArray[np.float32], NDArray[np.int8], NDArray[np.int64]]]) -> Measured:
    logits = np.concatenate([one[0] for one in rows])
    labels = np.concatenate([one[1] for one in rows]).astype(np.int64)
    every = np.arange(len(labels))
    largest = logits.max(axis=1, initial=-1e30)
    norm = largest + np.log(np.exp(logits - largest[:, None]).sum(axis=1))
    loss = float((norm - logits[every, labels]).mean()) if len(labels) else float("nan")
    if name != "discard":
        says = logits.argmax(axis=1)
        table = np.bincount(2 * labels + says, minlength=4).reshape(2, 2)
        confusion = ((int(table[0, 0]), int(table[0, 1])), (int(table[1, 0]), int(table[1, 1])))
        return Measured((rate(says == labels),), None, loss, confusion)
    legal = (np.concatenate([one[2] for one in rows])[:, None] >> np.arange(34) & 1) > 0
    illegal = rate(~legal[every, logits.argmax(axis=1)])
    ranked = np.argsort(-np.where(legal, logits, -np.inf), axis=1, kind="stable")
    top = tuple(rate((ranked[:, :many] == labels[:, None]).any(axis=1)) for many in (1, 2, 3))
    return Measured(top, illegal, loss, None)


def answers(network: nn.Module, columns: NDArray[np.int64], device: torch.device) -> NDArray[np.float32]:
    """Return what a network says to observations: (n, outputs; float32)."""
    with torch.inference_mode(), torch.autocast(device.type, torch.bfloat16):
        outputs: NDArray[np.float32] = network(to_input(columns, device)).float().cpu().numpy()
    return outputs


def _batches(which: NDArray[np.int64], size: int) -> Iterator[NDArray[np.int64]]:
    for first in range(0, len(which), size):
        yield which[first : first + size]


# ---------------------------------------------------------------------------------------------------------
# Files


def config_json(config: Any) -> Any:
    """Return a configuration (a dataclass) as JSON gives it back, to be kept and compared with what was kept.

    >>> config_json(MeowjongConfig("kan", kernel=(2, 3)))["kernel"]
    [2, 3]
    """
    return json.loads(json.dumps(dataclasses.asdict(config)))


def save_tensors(tensors: dict[str, Tensor], path: Path) -> None:
    """Write tensors as safetensors, in one step."""
    with replacing(path) as part:
        save_file({name: one.detach().cpu().contiguous() for name, one in tensors.items()}, part)


def save_checkpoint(network: nn.Module, optimizer: Any, stand: dict[str, Any], path: Path) -> None:
    """Write weights, the optimiser's state and where a run stands, in one step."""
    tensors = {f"network.{name}": one for name, one in network.state_dict().items()}
    for place, one in optimizer.state_dict()["state"].items():
        tensors |= {f"optimizer.{place}.{name}": torch.as_tensor(value) for name, value in one.items()}
    tensors[_STAND] = torch.frombuffer(bytearray(json.dumps(stand).encode()), dtype=torch.uint8)
    save_tensors(tensors, path)


def read_stand(folder: Path) -> dict[str, Any]:
    """Return where the run in a folder stands: by its checkpoint, or by ``training.json`` where it is over.

    Raises `CheckpointError` where neither can be read.
    """
    try:
        path = folder / CHECKPOINT
        if path.exists():
            with safe_open(path, "pt") as file:
                text = file.get_tensor(_STAND).numpy().tobytes()
        else:
            text = (folder / "training.json").read_bytes()
        stand: dict[str, Any] = json.loads(text)
    except (OSError, ValueError, SafetensorError) as error:
        raise CheckpointError(f"{folder} holds no training that can be read: {str(error).splitlines()[0]}") from None
    return stand


def load_weights(network: nn.Module, optimizer: Any, folder: Path, over: bool) -> None:
    """Give a network its last weights; where the run is not over, those of the checkpoint, and the optimiser its state.

    Raises `CheckpointError` where there are none.
    """
    path = folder / (LAST if over else CHECKPOINT)
    if not path.exists():
        raise CheckpointError(f"{folder} lacks {path.name}: name another folder, or delete it")
    saved = load_file(path)
    if over:
        network.load_state_dict(saved)
        return
    weights: dict[str, Tensor] = {}
    state: dict[int, dict[str, Tensor]] = {}
    for name, value in saved.items():
        part, _, rest = name.partition(".")
        if part == "network":
            weights[rest] = value
        elif part == "optimizer":
            place, what = rest.split(".", 1)
            state.setdefault(int(place), {})[what] = value
    network.load_state_dict(weights)
    whole = optimizer.state_dict()
    optimizer.load_state_dict({"state": state, "param_groups": whole["param_groups"]})


def load_network(folder: Path) -> tuple[nn.Module, dict[str, Any]]:
    """Return the best network of a checkpoint's folder, sharpened as its ``player.json`` says, and what that says.

    Raises `CheckpointError` where there is none that this version can load.
    """
    if not (folder / "player.json").is_file():
        raise CheckpointError(f"{folder} holds no network that can be loaded: there is no player.json in it")
    try:
        said = json.loads((folder / "player.json").read_text())
        if said.get("format") != FORMAT:
            raise CheckpointError(f"{folder}: format {said.get('format')}, which this version cannot load")
        shape = {name: tuple(one) if isinstance(one, list) else one for name, one in said["shape"].items()}
        kind: Any = ResidualConfig if said["network"] == "residual" else MeowjongConfig
        network = make_network(kind(**shape))
        kept, advised = float(said.get("kept", 0)), float(said.get("advised", 0))
        if kept or advised:
            network = mixed(network, make_network(kind(**shape)), kept, advised)
        path = folder / BEST
        network.load_state_dict(load_file(path if path.exists() else folder / LAST))
        if said["players"] not in (3, 4):
            raise CheckpointError(f"{folder}: player.json does not say of how many players")
    except (OSError, ValueError, TypeError, KeyError, RuntimeError) as error:
        if isinstance(error, CheckpointError):
            raise
        raise CheckpointError(f"{folder} holds no network that can be loaded: {str(error).splitlines()[0]}") from None
    return sharpened(network, said["sharpen"]).eval(), said
