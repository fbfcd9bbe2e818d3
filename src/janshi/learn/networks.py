"""Networks that learn: the kinds that there are, and what a kind says of its outputs.

A network takes what its encoder lays out (`Encoder.shape`) and carries that encoder's *name* in its configuration.
Checkpoints name its kind (`NETWORKS`) and write down what its outputs are (`janshi.agents.outputs.Outputs`).

>>> network = make_network(NETWORKS["suits"].config(channels=8, blocks=1))
>>> network.outputs.parts
{'actions': 122, 'places': 4, 'value': 1}
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

import torch
from torch import Tensor, nn

from janshi import built_in
from janshi.agents.outputs import ACTIONS_PART, Outputs
from janshi.encoders import ENCODERS, Encoder, Layout
from janshi.games import GAMES
from janshi.registries import Registry


class NetworkError(ValueError):
    """An unknown network, or one that does not fit its encoder."""


class ActionNetwork(nn.Module):
    """A network that answers a game's whole action space: the base of all that play by one masked policy."""

    config: Any
    """Its shape, with the name of its encoder."""
    outputs: Outputs
    """Description of its outputs."""

    @property
    def actions(self) -> int:
        """Size of the action space."""
        return self.outputs.parts[ACTIONS_PART]

    def parts(self, blocks: int) -> tuple[nn.Module, nn.Module]:
        """Return the layers up to the last ``blocks`` blocks, and the others: partial training changes these alone.

        The first answers numbers (n, k), of which the second makes the network's outputs; both share its weights.
        Raises `NetworkError` for a network that is trained as a whole only.
        """
        raise NetworkError(f"{type(self).__name__} is trained as a whole: --train-blocks -1")


@torch.no_grad()
def renormalise(network: nn.Module, batches: Iterable[Tensor]) -> None:
    """Work out anew what batch normalisation uses in play: mean and variance over inputs that the network is shown.

    The moving ones that it keeps in training are of weights of some steps ago; where few steps were made, or a mean of
    weights plays, they are far from those of the weights that play. Without batch normalisation nothing happens.

    Args:
        network: left ready to play (``eval``).
        batches: inputs as the network takes them, one batch at least, of two situations or more each.
    """
    layers = [layer for layer in network.modules() if isinstance(layer, nn.modules.batchnorm._BatchNorm)]
    if not layers:
        return
    momenta = [layer.momentum for layer in layers]
    network.eval()
    for layer in layers:
        layer.reset_running_stats()
        layer.momentum = None  # torch's sign for the mean of all batches
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
    """The `janshi.learn.tasks.Task` that it learns, ``module:attribute``; by default that of its game's dataset."""


#: Every kind of network by its name. Other packages add theirs by entry points ``janshi.networks`` or `register`.
NETWORKS: Final[Registry[NetworkKind]] = Registry("janshi.networks", "network", built_in.NETWORKS, NetworkError)


def register(kind: NetworkKind) -> NetworkKind:
    """Make a kind of network known; returns it. Raises `NetworkError` where another one has its name."""
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


def make_network(config: Any) -> nn.Module:
    """Return a network of that shape with fresh weights, laid out in the order that convolutions like best.

    Raises `NetworkError` where an `ActionNetwork` does not say what its outputs are, or is not for its game's actions.
    """
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
    """Return the encoder that a network is shown."""
    config: Any = network.config
    return ENCODERS[config.encoder]


def columns_of(observation: Encoder) -> int:
    """Return how many columns over the kinds an encoder writes. Raises `NetworkError` for one that writes none."""
    if observation.layout is not Layout.MASKS:
        raise NetworkError(f"encoder {observation.name!r} writes no columns over the kinds, as this network takes")
    return len(observation.columns)
