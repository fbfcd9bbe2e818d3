"""Networks that a training begins with: shipped players, ONNX files, and folders of trainings."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import numpy as np

from janshi.agents import file_of
from janshi.installing import naming_extra
from janshi.learn.checkpoints import CheckpointError, load_network
from janshi.learn.datasets import RecordedHands
from janshi.learn.inference import to_input
from janshi.learn.networks import ActionNetwork, NetworkError, encoder_of
from janshi.learn.onnx_weights import network_of_onnx
from janshi.learn.tasks import Task
from janshi.learn.trainer import TrainConfig
from janshi.players import PLAYERS
from janshi.registries import suggestion

with naming_extra(__name__):
    import torch
    from torch import Tensor, nn

#: Hands whose decisions give the statistics of an exported network.
_HANDS: Final = 48


def load_start(name: str) -> tuple[ActionNetwork, dict[str, Any]]:
    """Return the network of a player to start from, and its metadata.

    ``name`` is a shipped player, an ONNX file of floats, or the folder of a training. Raises `CheckpointError` for
    anything but a network over a whole action space.
    """
    path = file_of(name)
    if not path.exists():
        there = f"{', '.join(_starts())}, an ONNX file, or a folder{suggestion(name, _starts())}"
        raise CheckpointError(f"no player {name!r} to start from: {there}")
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


def fitting(network: ActionNetwork, config: TrainConfig) -> ActionNetwork:
    """Return a start in the shape of a training's network, widened if it is smaller.

    Raises `NetworkError` for another shape.
    """
    if network.config == config.task.network:
        return network
    torch.manual_seed(config.seed)
    return network.widened(config.task.network)


def weights_from(
    start: tuple[ActionNetwork, dict[str, Any]], hands: RecordedHands, task: Task
) -> Callable[[nn.Module], None]:
    """Return a function that copies the weights of a start (`load_start`) to a new network of the same shape.

    It is the argument ``prepare`` of a `janshi.learn.trainer.Trainer` with these hands and this task.
    """
    known, metadata = start

    def prepare(network: nn.Module) -> None:
        network.load_state_dict(known.state_dict())
        if metadata.get("exported"):
            examples = task.examples(hands.decisions(np.arange(min(_HANDS, len(hands))), encoder_of(network)))
            set_statistics(network, to_input(encoder_of(network), examples.packed, torch.device("cpu"), torch.float32))

    return prepare


@torch.no_grad()
def set_statistics(network: nn.Module, inputs: Tensor) -> None:
    """Give batch normalisation the mean and variance of some inputs; the network's outputs do not change.

    The weights of an exported network contain its normalisation, and its layers of normalisation change nothing. In
    training, where each batch is normalised by its own statistics, it would be another network. Afterwards it is the
    same one.
    """

    def observed(layer: Any, taken: tuple[Tensor], _: Tensor) -> None:
        values = taken[0]
        dimensions = [0, *range(2, values.dim())]
        mean, variance = values.mean(dimensions), values.var(dimensions, correction=0)
        before, after = (torch.sqrt(each + layer.eps) for each in (layer.running_var, variance))
        layer.bias += layer.weight * (mean - layer.running_mean) / before
        layer.weight *= after / before
        layer.running_mean.copy_(mean)
        layer.running_var.copy_(variance)

    layers = [layer for layer in network.modules() if isinstance(layer, nn.modules.batchnorm._BatchNorm)]
    hooks = [layer.register_forward_hook(observed) for layer in layers]
    network.eval()(inputs)
    for hook in hooks:
        hook.remove()
