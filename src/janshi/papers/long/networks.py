"""The paper's dense networks: discard, pon, chii, and a predictor for each of forty yaku.

A network takes the numbers of its encoder as they are: ``long`` (472) for discards and yaku, ``long-call`` (473) for
pon and chii. One with yaku holds the predictors that it is fed by and asks them itself: its dense layers take 481 and
482 numbers, and nothing else about it differs. Source: Long and Kaneko, section 4.2, tables 2 to 5.

Our readings where the paper is open: every layer but the last has a ReLU; weights are initialised as by Keras, whose
names the tables have (Glorot's uniform distribution, biases 0); the regulariser of the widest layer is the sum of
its squared weights times 10⁻⁵. The parameters of table 4 are shifted by a row: its layer sizes count.

>>> from janshi.learn.networks import make_network
>>> parameters(make_network(LongConfig("pon"))), parameters(make_network(LongConfig("chii")))
(4809, 322116)
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.encoders import encoder
from janshi.installing import naming_extra
from janshi.learn.configs import option
from janshi.learn.networks import NetworkError, NetworkKind
from janshi.papers.layers import begin_as_keras
from janshi.papers.long.encoder import CALLED_TILE, EMPHASIS, FED_BACK, LONG, LONG_CALL, NUMBERS
from janshi.papers.long.labels import CLASSES, DECISIONS
from janshi.riichi.hands.yaku import YAKUMAN
from janshi.riichi.rules.yaku import RED_FIVES, YakuId
from janshi.tiles import KINDS

with naming_extra(__name__):
    import torch
    from torch import Tensor, nn

#: Units of the layers before the last. Source: tables 2 to 5.
WIDTHS: Final[dict[str, tuple[int, ...]]] = {
    "discard": (300, 1000, 30_000, 300),
    "pon": (8,) * 15,
    "chii": (512, 128, *(32,) * 10),
}
YAKU_WIDTHS: Final = (512, 512, 256, 256, 256, 64)
#: Outputs of each network: logits of the classes; of pon that of yes alone.
OUTPUTS: Final = CLASSES | {"pon": 1}
#: Tenhou's numbers of the forty predicted yaku: all but the yakuman. Source: section 4.2.3; dora, ura-dora
#: and red fives must be among them for the paper's 55 less 15 to be forty.
PREDICTED: Final = tuple(int(number) for number in YakuId if number <= RED_FIVES and number not in YAKUMAN)
#: Weight of the squares of the widest layer's weights.
REGULARISER: Final = 1e-5


@dataclass(frozen=True, slots=True)
class YakuConfig:
    """Shape of a `YakuNetwork`."""

    yaku: tuple[int, ...] = option(PREDICTED, "Tenhou's numbers of the yaku that are predicted.")
    widths: tuple[int, ...] = option(YAKU_WIDTHS, "Units of the layers of each predictor.", min=1)

    @property
    def encoder(self) -> str:
        """Name of the encoder."""
        return LONG.name


@dataclass(frozen=True, slots=True)
class LongConfig:
    """Shape of a `LongNetwork`."""

    decision: str = option("discard", "The decision that it answers.")
    widths: tuple[int, ...] | None = option(None, "Units of its layers; by default the paper's.", min=1)
    predictors: tuple[int, ...] | None = option(
        None, "Units of the layers of the nine predictors of yaku that it is fed by; by default none feed it.", min=1
    )
    one_hot: bool = option(False, "Take the called tile as 34 numbers, one for each kind; the paper's is one number.")

    @property
    def encoder(self) -> str:
        """Name of the encoder."""
        return (LONG if self.decision == "discard" else LONG_CALL).name


def widths_of(config: LongConfig | YakuConfig) -> tuple[int, ...]:
    """Return the units of a network's layers but the last.

    >>> widths_of(LongConfig("discard"))
    (300, 1000, 30000, 300)
    """
    return config.widths if config.widths is not None else WIDTHS[config.decision]


def parameters(network: nn.Module) -> int:
    """Return the number of a network's learned parameters, without those of its predictors."""
    return sum(weights.numel() for weights in network.parameters() if weights.requires_grad)


# ---------------------------------------------------------------------------------------------------------
# Predictors of yaku


class SideBySide(nn.Module):
    """Dense layers of several networks of one shape, each with weights and inputs of its own."""

    def __init__(self, networks: int, inputs: int, outputs: int) -> None:
        super().__init__()
        reach = math.sqrt(6 / (inputs + outputs))
        self.weight = nn.Parameter(torch.empty(networks, inputs, outputs).uniform_(-reach, reach))
        self.bias = nn.Parameter(torch.zeros(networks, 1, outputs))

    def forward(self, x: Tensor) -> Tensor:
        """Return (networks, n, outputs) for (networks, n, inputs)."""
        return torch.baddbmm(self.bias, x, self.weight)

    def of_one_input(self, x: Tensor) -> Tensor:
        """Return the same (networks, n, outputs) for an input that all networks share (n, inputs): in one product."""
        networks, _, outputs = self.weight.shape
        weight = self.weight.transpose(1, 2).flatten(0, 1)
        together = nn.functional.linear(x, weight, self.bias.flatten())
        return together.view(len(x), networks, outputs).transpose(0, 1)


class YakuNetwork(nn.Module):
    """Predictors of yaku: arrays (n, 472) in, a logit for each yaku (n, yaku) out.

    Each is a network by itself; they stand in one module because they are shaped and trained alike. No weight is
    shared, and with the sum of their losses each gets the gradient, and Adam gives it the step, that it would have
    alone. Source: table 5.

    >>> parameters(YakuNetwork(YakuConfig(yaku=(1,))))
    784257
    """

    def __init__(self, config: YakuConfig) -> None:
        super().__init__()
        self.config = config
        sizes = (NUMBERS, *config.widths, 1)
        networks = len(config.yaku)
        self.layers = nn.ModuleList(SideBySide(networks, before, after) for before, after in itertools.pairwise(sizes))

    def forward(self, x: Tensor) -> Tensor:
        """Return logits (n, yaku) for arrays (n, 472)."""
        first, *rest = (cast("SideBySide", layer) for layer in self.layers)
        inner = first.of_one_input(x)
        for layer in rest:
            inner = layer(torch.relu(inner))
        return inner.squeeze(2).transpose(0, 1)


def predictors_of(network: YakuNetwork) -> YakuNetwork:
    """Return the predictors of the yaku of `FED_BACK`. Raises `NetworkError` if one is not there."""
    missing = [number for number in FED_BACK if number not in network.config.yaku]
    if missing:
        raise NetworkError(f"the network does not predict yaku {', '.join(map(str, missing))}")
    rows = torch.tensor([network.config.yaku.index(number) for number in FED_BACK])
    part = YakuNetwork(YakuConfig(FED_BACK, network.config.widths))
    part.load_state_dict({name: weights[rows] for name, weights in network.state_dict().items()})
    return part


# ---------------------------------------------------------------------------------------------------------
# Discard, pon, chii


class LongNetwork(nn.Module):
    """The network of one decision: arrays (n, 472 or 473) in, `OUTPUTS` logits out.

    With predictors it asks them for the yaku of `FED_BACK`, and puts ten times their probabilities behind the array, as
    `janshi.papers.long.encoder.with_yaku` does. They do not learn with it.

    >>> parameters(LongNetwork(LongConfig("pon", predictors=YAKU_WIDTHS)))
    4881
    >>> parameters(LongNetwork(LongConfig("pon", one_hot=True))) - 4809 == 8 * 33
    True
    """

    def __init__(self, config: LongConfig) -> None:
        super().__init__()
        if config.decision not in DECISIONS:
            raise NetworkError(f"no decision {config.decision!r}: there are {', '.join(DECISIONS)}")
        if config.one_hot and config.decision == "discard":
            raise NetworkError("no tile is called where one is discarded")
        self.config = config
        widths = widths_of(config)
        inputs = encoder(config.encoder).shape[0] + (0 if config.predictors is None else len(FED_BACK))
        if config.one_hot:
            inputs += KINDS - 1
        sizes = (inputs, *widths, OUTPUTS[config.decision])
        self.layers = nn.ModuleList(dense(before, after) for before, after in itertools.pairwise(sizes))
        if config.decision == "discard":
            regularise(cast("nn.Parameter", self.layers[widths.index(max(widths))].weight))
        shape = config.predictors
        self.predictors = None if shape is None else YakuNetwork(YakuConfig(FED_BACK, shape)).requires_grad_(False)

    def forward(self, x: Tensor) -> Tensor:
        """Return logits (n, outputs) for arrays (n, 472 or 473)."""
        if self.predictors is not None:
            with torch.no_grad():
                predicted = torch.sigmoid(self.predictors(x[:, :NUMBERS]).float())
            x = torch.cat((x, (EMPHASIS * predicted).to(x.dtype)), dim=1)
        if self.config.one_hot:
            called = nn.functional.one_hot(x[:, CALLED_TILE].long().clamp(min=0), KINDS).to(x.dtype)
            x = torch.cat((x[:, :CALLED_TILE], called, x[:, CALLED_TILE + 1 :]), dim=1)
        for layer in self.layers[:-1]:
            x = torch.relu(layer(x))
        return cast("Tensor", self.layers[-1](x))

    def play_logits(self, packed: NDArray[Any], outputs: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the logits of the decision's classes in play."""
        return cast("NDArray[np.float32]", class_logits(self.config.decision, torch.from_numpy(outputs)).numpy())


def regularise(weight: nn.Parameter) -> None:
    """Make a weight's gradients those of a loss with `REGULARISER` times the sum of its squares. Source: section 4.2.1.

    A term of the loss would need several more arrays of the weight's size in each step. Kind and factor are ours.
    """
    weight.register_hook(lambda gradient: torch.add(gradient, weight.detach(), alpha=2 * REGULARISER))  # type: ignore[no-untyped-call]


def dense(inputs: int, outputs: int) -> nn.Linear:
    """Return a dense layer initialised as by Keras."""
    layer = nn.Linear(inputs, outputs)
    begin_as_keras(layer)
    return layer


def feed(network: LongNetwork, predictors: nn.Module) -> None:
    """Give a network the weights of the predictors that it is fed by. Raises `NetworkError` if they do not fit."""
    if network.predictors is None or not isinstance(predictors, YakuNetwork):
        raise NetworkError("yaku are fed from predictors of yaku to a network that takes them")
    network.predictors.load_state_dict(predictors_of(predictors).state_dict())


def class_logits(decision: str, outputs: Tensor) -> Tensor:
    """Return logits over a decision's classes (n, k) from its network's outputs: of pon no and yes.

    >>> class_logits("pon", torch.tensor([[2.0]])).tolist()
    [[0.0, 2.0]]
    """
    return torch.cat((torch.zeros_like(outputs), outputs), dim=1) if decision == "pon" else outputs


KIND: Final = NetworkKind("long", LongConfig, LongNetwork, answers="long")
YAKU_KIND: Final = NetworkKind("long-yaku", YakuConfig, YakuNetwork)
