"""The registry of kinds of networks, and the base class of networks over an action space.

A network takes observations of its encoder (`Encoder.shape`), whose *name* is in its configuration. Checkpoints store
the network's kind (`NETWORKS`) and the description of its outputs (`janshi.agents.outputs.Outputs`).

>>> network = make_network(NETWORKS["suits"].config(channels=8, blocks=1))
>>> network.outputs.parts
{'actions': 122, 'places': 4, 'value': 1}
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from typing import Any, Final

from janshi import built_in
from janshi.agents.outputs import ACTIONS_PART, Outputs
from janshi.encoders import ENCODERS, Encoder, Layout
from janshi.games import GAMES
from janshi.installing import naming_extra
from janshi.registries import Registry

with naming_extra(__name__):
    import torch
    from torch import Tensor, nn


class NetworkError(ValueError):
    """Raised for an unknown network, or one that does not fit its encoder."""


class ActionNetwork(nn.Module):
    """Base class of networks with outputs for a game's whole action space."""

    config: Any
    """Configuration, with the name of its encoder."""
    outputs: Outputs
    """Description of its outputs."""

    @property
    def actions(self) -> int:
        """Size of the action space."""
        return self.outputs.parts[ACTIONS_PART]

    def parts(self, blocks: int) -> tuple[nn.Module, nn.Module]:
        """Return the layers before the last ``blocks`` blocks, and the others, which partial training changes.

        The first part returns features (n, k), from which the second computes the network's outputs. Both share its
        weights. Raises `NetworkError` for a network without parts.
        """
        raise NetworkError(f"{type(self).__name__} is trained as a whole: --train-blocks -1")

    def widened(self, config: Any) -> ActionNetwork:
        """Return a larger network that computes what this one does, to continue its training.

        Raises `NetworkError` for a shape that this network cannot grow to.
        """
        raise NetworkError(f"the start is a network of another shape: {self.config}")


@torch.no_grad()
def renormalise(network: nn.Module, batches: Iterable[Tensor]) -> None:
    """Recompute the statistics of batch normalisation, mean and variance, from some inputs.

    The moving statistics of training belong to earlier weights. After few steps, or for averaged weights, they differ
    much from those of the final weights. Networks without batch normalisation do not change.

    Args:
        network: the network, left in evaluation mode.
        batches: inputs of the network, at least one batch, each of at least two situations.
    """
    layers = [layer for layer in network.modules() if isinstance(layer, nn.modules.batchnorm._BatchNorm)]
    if not layers:
        return
    momenta = [layer.momentum for layer in layers]
    network.eval()
    for layer in layers:
        layer.reset_running_stats()
        layer.momentum = None  # in torch: the mean of all batches
        layer.train()
    for batch in batches:
        network(batch)
    for layer, momentum in zip(layers, momenta, strict=True):
        layer.momentum = momentum
    network.eval()


# ---------------------------------------------------------------------------------------------------------
# Kinds of networks


@dataclass(frozen=True, slots=True)
class NetworkKind:
    """A kind of network: its name in checkpoints, its configuration's class, and its constructor."""

    name: str
    config: type[Any]
    """A frozen dataclass with a field (or class attribute) ``encoder``, an encoder's name."""
    build: Callable[[Any], nn.Module]
    task: str = ""
    """Its `janshi.learn.tasks.Task` as ``module:attribute``; by default that of its game's dataset."""
    answers: str = ""
    """What it answers, alone or with networks of other decisions: a name of `janshi.agents.registry.ANSWERS`; empty
    for a whole action space, and for a network that is part of no player."""


#: Every kind of network by its name. Other packages add theirs by the entry points ``janshi.networks`` or `register`.
NETWORKS: Final[Registry[NetworkKind]] = Registry("janshi.networks", "network", built_in.NETWORKS, NetworkError)


def register(kind: NetworkKind) -> NetworkKind:
    """Register a kind of network and return it. Raises `NetworkError` if another one has its name."""
    return NETWORKS.register(kind.name, kind)


def kind_of(config: Any) -> NetworkKind:
    """Return the kind of network that a configuration (or a network with its ``config``) belongs to.

    >>> kind_of(NETWORKS["suits"].config()).name
    'suits'
    """
    shape = config.config if isinstance(config, nn.Module) else config
    for kind in (*NETWORKS.loaded(), *NETWORKS.values()):
        if type(shape) is kind.config:
            return kind
    raise NetworkError(f"{type(shape).__name__} is no configuration of a network: there are {', '.join(NETWORKS)}")


def answers_of(network: nn.Module) -> str:
    """Return what a network answers, a name of `janshi.agents.registry.ANSWERS`; empty if it is part of no player."""
    return kind_of(network).answers or (ACTIONS_PART if isinstance(network, ActionNetwork) else "")


def check_bounds(config: Any) -> None:
    """Raise `NetworkError` for a number of a configuration outside the bounds of its field.

    >>> check_bounds(NETWORKS["suits"].config(channels=0))
    Traceback (most recent call last):
    ...
    janshi.learn.networks.NetworkError: channels 0: a number is 1 or more
    """
    for part in fields(config):
        bounds, value = part.metadata.get("typer", {}), getattr(config, part.name)
        low, high = bounds.get("min"), bounds.get("max")
        for number in value if isinstance(value, tuple) else (value,):
            if number is None or ((low is None or number >= low) and (high is None or number <= high)):
                continue
            ends = [f"{end} or {word}" for end, word in ((low, "more"), (high, "less")) if end is not None]
            raise NetworkError(f"{part.name} {value}: a number is {', and '.join(ends)}")


def make_network(config: Any) -> nn.Module:
    """Return a network of a configuration with new weights, in the fastest memory layout of convolutions.

    Raises `NetworkError` for an impossible size, and if an `ActionNetwork` does not describe its outputs or has other
    actions than its game.
    """
    check_bounds(config)
    network = kind_of(config).build(config)
    if isinstance(network, ActionNetwork):
        shown = encoder_of(network)
        if not isinstance(getattr(network, "outputs", None), Outputs):
            raise NetworkError(f"{type(network).__name__} does not say what its outputs are (`outputs`)")
        if network.actions != GAMES[shown.game].actions:
            raise NetworkError(
                f"{type(network).__name__} answers {network.actions} actions: {shown.game} has "
                f"{GAMES[shown.game].actions}"
            )
    return network.to(memory_format=torch.channels_last)  # type: ignore[call-overload, no-any-return]


def encoder_of(network: nn.Module) -> Encoder:
    """Return the encoder of a network."""
    config: Any = network.config
    return ENCODERS[config.encoder]


def columns_of(observation: Encoder) -> int:
    """Return the number of columns by kind that an encoder writes. Raises `NetworkError` if it writes none."""
    if observation.layout is not Layout.MASKS:
        raise NetworkError(f"encoder {observation.name!r} writes no columns over the kinds, as this network takes")
    return len(observation.columns)
