"""Files of networks and trainings: weights, metadata, and the state of an unfinished training.

The folder of a trained network contains ``player.json`` (metadata), ``best.safetensors`` and ``network.safetensors``
(best and last weights) and ``training.json`` (its training). An unfinished training resumes from the single file
``checkpoint.safetensors``, so that a kill cannot leave parts of different checkpoints.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Final, get_origin, get_type_hints

from janshi.agents.outputs import Outputs
from janshi.encoders import origins_with, require
from janshi.files import replacing, save_text
from janshi.installing import naming_extra
from janshi.learn.networks import NETWORKS, ActionNetwork, NetworkError, NetworkKind, kind_of, make_network

with naming_extra(__name__):
    import torch
    from safetensors import SafetensorError, safe_open
    from safetensors.torch import load_file, save
    from torch import Tensor, nn

#: Version of the layout of ``player.json``, and the readable ones.
FORMAT: Final = 4
LAST: Final = "network.safetensors"
BEST: Final = "best.safetensors"
CHECKPOINT: Final = "checkpoint.safetensors"
PLAYER_FILE: Final = "player.json"
TRAINING_FILE: Final = "training.json"
#: Seconds between the checkpoints of a run.
SAVE_EVERY: Final = 60.0
_STATE: Final = "training_state"


class CheckpointError(ValueError):
    """Raised for a folder without a checkpoint, or with one of another training."""


# ---------------------------------------------------------------------------------------------------------
# Configurations


def config_json(config: Any) -> Any:
    """Return a configuration (a dataclass) as it is read back from JSON, to be stored and compared.

    >>> from janshi.riichi.networks import KindConfig
    >>> config_json(KindConfig("meowjong"))["encoder"]
    'meowjong'
    """
    return json.loads(json.dumps(dataclasses.asdict(config)))


def config_from_json(kind: type[Any], values: dict[str, Any]) -> Any:
    """Return a configuration of a class from JSON.

    Removed options that were off (null or false) are ignored. Raises `TypeError` for other unknown fields.

    >>> from janshi.riichi.networks import KindConfig
    >>> config_from_json(KindConfig, {"encoder": "meowjong", "channels": 8}).channels
    8
    """
    hints = {name: hint for name, hint in get_type_hints(kind).items() if get_origin(hint) is not ClassVar}
    fields: dict[str, Any] = {}
    for name, value in values.items():
        if name not in hints and not value:
            continue
        if isinstance(value, dict) and dataclasses.is_dataclass(hints.get(name)):
            fields[name] = config_from_json(hints[name], value)
        else:
            fields[name] = tuple(value) if isinstance(value, list) else value
    return kind(**fields)


# ---------------------------------------------------------------------------------------------------------
# Networks


def save_tensors(tensors: dict[str, Tensor], path: str | Path) -> None:
    """Write tensors as safetensors, in one step."""
    # `save_file` is not used: a kill would leave its temporary file behind.
    data = save({name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()})
    with replacing(Path(path)) as part:
        part.write_bytes(data)


def describe_network(network: nn.Module, players: int, rules: list[str], **more: Any) -> dict[str, Any]:
    """Return the metadata of a network: format, kind, shape, encoder, players, names of rules, and ``more``."""
    config: Any = network.config
    brought = origins_with(config.encoder, network=kind_of(config).name)
    return {
        "format": FORMAT,
        "network": kind_of(config).name,
        "shape": config_json(config),
        "encoder": config.encoder,
        "outputs": dict(network.outputs.parts) if isinstance(network, ActionNetwork) else None,
        "decision": getattr(config, "decision", None),
        "rules": rules,
        "players": players,
        **({"origins": brought} if brought else {}),
        **more,
    }


def save_metadata(metadata: dict[str, Any], folder: str | Path) -> None:
    """Write ``player.json``."""
    save_text(json.dumps(metadata, indent=1), Path(folder) / PLAYER_FILE)


def load_network(folder: str | Path) -> tuple[nn.Module, dict[str, Any]]:
    """Return the best network of a checkpoint's folder in evaluation mode, and its metadata.

    Raises `CheckpointError` if this version cannot load it.
    """
    folder = Path(folder)
    metadata = read_metadata(folder)
    try:
        network = make_network(config_from_json(_kind_in(metadata).config, metadata["shape"]))
        _check_outputs(network, metadata)
        path = folder / BEST
        network.load_state_dict(load_file(path if path.exists() else folder / LAST))
        if metadata["players"] not in (3, 4):
            raise CheckpointError(f"{folder}: {PLAYER_FILE} does not say of how many players")
        return network.eval(), metadata
    except (OSError, ValueError, TypeError, KeyError, RuntimeError, SafetensorError) as error:
        if isinstance(error, CheckpointError):
            raise
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise CheckpointError(f"{folder} holds no network that can be loaded: {reason}") from None


def _check_outputs(network: nn.Module, metadata: dict[str, Any]) -> None:
    """Raise `NetworkError` if a network's outputs differ from those in ``player.json``; older files name none."""
    known = metadata.get("outputs")
    if known is None or not isinstance(network, ActionNetwork):
        return
    if list(known.items()) != list(network.outputs.parts.items()):
        raise NetworkError(f"outputs {Outputs(known)}, of which network {metadata['network']!r} has {network.outputs}")


def read_metadata(folder: str | Path) -> dict[str, Any]:
    """Return the content of ``player.json``. Raises `CheckpointError` if this version cannot read it."""
    folder = Path(folder)
    if not (folder / PLAYER_FILE).is_file():
        raise CheckpointError(f"{folder} holds no network that can be loaded: there is no {PLAYER_FILE} in it")
    try:
        metadata: dict[str, Any] = json.loads((folder / PLAYER_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CheckpointError(f"{folder} holds no network that can be loaded: {str(error).splitlines()[0]}") from None
    if not isinstance(metadata, dict):
        raise CheckpointError(f"{folder / PLAYER_FILE} holds no JSON object")
    if metadata.get("format") != FORMAT:
        raise CheckpointError(f"{folder}: format {metadata.get('format')}, which this version cannot load")
    return metadata


def _kind_in(metadata: dict[str, Any]) -> NetworkKind:
    """Return the kind of the network that ``player.json`` describes, which may need a plug-in."""
    if "network" not in metadata:
        raise CheckpointError(f"{PLAYER_FILE} names the networks of a player, none of its own")
    origins = metadata.get("origins", {})
    kind = NETWORKS.require(metadata["network"], origins.get("network", ""))
    if origins:
        require(metadata["encoder"], origins)
    return kind


def digest_of(network: nn.Module) -> str:
    """Return a digest of a network's weights."""
    digest = hashlib.blake2b(digest_size=16)
    for name, tensor in network.state_dict().items():
        digest.update(name.encode())
        digest.update(tensor.detach().cpu().contiguous().numpy().tobytes())
    return digest.hexdigest()


# ---------------------------------------------------------------------------------------------------------
# Trainings


@dataclass(slots=True)
class TrainingState:
    """State of a training without its weights."""

    config: Any
    """Configuration as JSON."""
    origin: Any
    """Records or starting network; a training resumes only with the same."""
    done: int = 0
    seconds: float = 0.0
    curve: list[dict[str, Any]] = field(default_factory=list)
    counts: dict[str, Any] = field(default_factory=dict)
    """Further counters of the trainer."""


def _save_checkpoint(network: nn.Module, optimizer: Any, state: TrainingState, path: Path) -> None:
    """Write weights, the optimiser's state and the state of a training, in one step."""
    tensors = {f"network.{name}": tensor for name, tensor in network.state_dict().items()}
    for number, slots in optimizer.state_dict()["state"].items():
        tensors |= {f"optimizer.{number}.{name}": torch.as_tensor(value) for name, value in slots.items()}
    text = json.dumps(dataclasses.asdict(state))
    tensors[_STATE] = torch.frombuffer(bytearray(text.encode()), dtype=torch.uint8)
    save_tensors(tensors, path)


def save_training(
    folder: str | Path,
    state: TrainingState,
    metadata: dict[str, Any],
    weights: Mapping[str, nn.Module],
    unfinished: tuple[nn.Module, Any] | None,
) -> None:
    """Write the files of a training in an order that survives a kill at any moment.

    ``weights``: networks by file name; ``unfinished``: the network (or a module of several) and the optimiser of a
    training in progress, None if it is over. Raises `OSError` if the files cannot be written.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    if unfinished is not None:
        _save_checkpoint(*unfinished, state, folder / CHECKPOINT)
    for name, network in weights.items():
        save_tensors(network.state_dict(), folder / name)
    save_metadata(metadata, folder)
    save_text(json.dumps(dataclasses.asdict(state), indent=1), folder / TRAINING_FILE)
    if unfinished is None:
        # Last: a training killed before this repeats its last part.
        (folder / CHECKPOINT).unlink(missing_ok=True)


def has_training(folder: str | Path) -> bool:
    """Return whether a folder contains a training, finished or not."""
    return any((Path(folder) / name).exists() for name in (CHECKPOINT, TRAINING_FILE))


def read_state(folder: str | Path) -> TrainingState:
    """Return the state of the training in a folder: from its checkpoint, or from ``training.json`` if it is over.

    Raises `CheckpointError` if neither can be read.
    """
    folder = Path(folder)
    try:
        path = folder / CHECKPOINT
        if path.exists():
            with safe_open(path, "pt") as file:
                text = file.get_tensor(_STATE).numpy().tobytes()
        else:
            text = (folder / TRAINING_FILE).read_bytes()
        state = json.loads(text)
        if not isinstance(state, dict):
            raise CheckpointError(f"{folder} holds no training that can be read: its state is no JSON object")
        return TrainingState(**state)
    except (OSError, ValueError, TypeError, SafetensorError) as error:
        if isinstance(error, CheckpointError):
            raise
        raise CheckpointError(f"{folder} holds no training that can be read: {str(error).splitlines()[0]}") from None


def read_weights(folder: str | Path) -> dict[str, Tensor]:
    """Return the last weights of an unfinished training by name. Raises `CheckpointError` if there are none."""
    path = Path(folder) / CHECKPOINT
    if not path.exists():
        raise CheckpointError(f"{folder} lacks {path.name}")
    first = "network."
    return {name.removeprefix(first): value for name, value in _load_tensors(path).items() if name.startswith(first)}


def _load_tensors(path: Path) -> dict[str, Tensor]:
    """Return the tensors of a file. Raises `CheckpointError` if it cannot be read."""
    try:
        return load_file(path)
    except (OSError, ValueError, SafetensorError) as error:
        raise CheckpointError(f"{path} cannot be read: {str(error).splitlines()[0]}") from None


def load_weights(network: nn.Module, optimizer: Any, folder: str | Path, over: bool) -> None:
    """Load the last weights into a network; for an unfinished run also the state of the optimiser.

    Raises `CheckpointError` if there are none.
    """
    path = Path(folder) / (LAST if over else CHECKPOINT)
    if not path.exists():
        raise CheckpointError(f"{folder} lacks {path.name}: name another folder, or delete it")
    saved = _load_tensors(path)
    if over:
        network.load_state_dict(saved)
        return
    weights: dict[str, Tensor] = {}
    slots: dict[int, dict[str, Tensor]] = {}
    for name, value in saved.items():
        part, _, rest = name.partition(".")
        if part == "network":
            weights[rest] = value
        elif part == "optimizer":
            number, slot = rest.split(".", 1)
            slots.setdefault(int(number), {})[slot] = value
    network.load_state_dict(weights)
    parameters = [parameter for group in optimizer.param_groups for parameter in group["params"]]
    for index, parameter in enumerate(parameters):
        for name, value in slots.get(index, {}).items():
            if value.shape == parameter.shape:
                # In the weights' memory layout: a fused optimiser iterates over both in storage order.
                slots[index][name] = torch.empty_like(parameter).copy_(value)
    groups = optimizer.state_dict()["param_groups"]
    optimizer.load_state_dict({"state": slots, "param_groups": groups})
