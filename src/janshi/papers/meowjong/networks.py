"""Networks that answer the papers' five decisions: the papers' own, and ours, which answers all five at once.

A paper's network takes observations of the encoder ``meowjong`` (n, 366, 34) and answers one decision. Ours takes those
of ``janshi`` and answers all five, as people do them and as those do who win.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

import torch
from torch import Tensor, nn

from janshi.encoders import by_columns, encoder
from janshi.learn.networks import NetworkKind, columns_of, make_network
from janshi.papers.layers import KERAS_EPSILON, KERAS_MOMENTUM, ByteDropout, begin_as_keras
from janshi.papers.meowjong.configs import MeowjongConfig, ResidualConfig
from janshi.papers.meowjong.decisions import DECISIONS
from janshi.riichi.encoders.meowjong import COLUMNS, MEOWJONG
from janshi.riichi.networks import KindTrunk

#: Outputs of our network: what people do (a logit for each kind to discard, one for yes of each of pon, kan, kita and
#: riichi), what those do who go on to win the hand (the same again), and the value of the position.
OUTPUTS: Final = 77
PEOPLE: Final = 0
WINNERS: Final = 38
VALUE: Final = 76

#: How far a trained player goes from what people do towards what winners do, decision by decision: see `sharpened`.
#: Chosen by matches against random players.
SHARPEN: Final = {"discard": 2.0, "pon": 1.0, "kan": 3.0, "kita": 3.0, "riichi": 10.0}

#: The papers' kernels (rows, columns) for each decision. Source: conference paper, table V.
KERNELS: Final = {"discard": (4, 5), "pon": (5, 4), "kan": (2, 3), "kita": (3, 2), "riichi": (3, 4)}


# ---------------------------------------------------------------------------------------------------------
# Ours


class ResidualNetwork(KindTrunk):
    """Our network of the five decisions: observations (n, columns, 34) in, `OUTPUTS` numbers (n, 77) out.

    One trunk serves all decisions; the ones that say yes or no look at its mean and its largest values over the kinds,
    and at the target tile.
    """

    def __init__(self, config: ResidualConfig) -> None:
        super().__init__(columns_of(encoder(config.encoder)), config.channels, config.blocks)
        self.config = config
        self.discard = nn.Conv2d(config.channels, 2, 1)
        self.hidden = nn.Linear(3 * config.channels, config.hidden)
        self.rest = nn.Linear(config.hidden, 9)

    def forward(self, x: Tensor) -> Tensor:
        """Return logits and value (n, 77) for observations (n, columns, 34)."""
        kinds, position = self.trunk(x)
        rest = self.rest(torch.relu(self.hidden(position)))
        people, winners = self.discard(kinds).squeeze(2).unbind(dim=1)
        return torch.cat((people, rest[:, :4], winners, rest[:, 4:]), dim=1)


def sharpened(network: nn.Module, factors: Mapping[str, float]) -> nn.Module:
    """Return our network with its winners' heads moved away from people's by factors; any other as it is.

    Where those who win do something more often than people in general, it helps winning: the logits of a decision
    become people's plus its factor times the difference (1, as where none is named, leaves them). The heads are
    linear, so that the weights can carry it.
    """
    if not isinstance(network, ResidualNetwork):
        return network
    moved = torch.tensor([factors.get(name, 1.0) for name in DECISIONS])
    with torch.no_grad():
        for layer, people, winners, factor in (
            (network.discard, slice(0, 1), slice(1, 2), moved[:1]),
            (network.rest, slice(0, 4), slice(4, 8), moved[1:]),
        ):
            for tensor in (layer.weight, cast("Tensor", layer.bias)):
                by = factor.view(-1, *[1] * (tensor.dim() - 1))
                tensor[winners] = tensor[people] + by * (tensor[winners] - tensor[people])
    return network


# ---------------------------------------------------------------------------------------------------------
# The papers'


class MeowjongNetwork(nn.Module):
    """The papers' network for one decision: observations (n, 366, 34) in, logits (n, 34) or (n, 2) out.

    Four convolutions without padding and a dense layer, each followed by ReLU, batch normalisation and dropout.
    The papers use TensorFlow and name neither first weights nor constants of normalisation: here they are Keras's.
    Source: conference paper, section V; dissertation, section 3.3.1.

    >>> sum(tensor.numel() for tensor in MeowjongNetwork(MeowjongConfig("kan")).parameters())
    88045858
    """

    def __init__(self, config: MeowjongConfig) -> None:
        super().__init__()
        self.config = config
        rows, columns = config.kernel or KERNELS[config.decision]
        layers: list[nn.Module] = []
        before = 1
        for filters in config.filters:
            layers += [nn.Conv2d(before, filters, (rows, columns)), nn.ReLU()]
            layers += [nn.BatchNorm2d(filters, KERAS_EPSILON, KERAS_MOMENTUM), ByteDropout(config.dropout)]
            before = filters
        wide = before * (34 - 4 * (rows - 1)) * (COLUMNS - 4 * (columns - 1))
        layers += [nn.Flatten(), nn.Linear(wide, config.dense), nn.ReLU()]
        layers += [nn.BatchNorm1d(config.dense, KERAS_EPSILON, KERAS_MOMENTUM), ByteDropout(config.dropout)]
        self.layers = nn.Sequential(*layers, nn.Linear(config.dense, outputs_of(config.decision)))
        begin_as_keras(self)

    def forward(self, x: Tensor) -> Tensor:
        """Return logits (n, 34 or 2) for observations (n, 366, 34)."""
        image = x.transpose(1, 2).unsqueeze(1)
        if self.config.scale is not None:
            mean, deviation = self.config.scale
            image = (image - mean) / deviation
        return cast("Tensor", self.layers(image.contiguous(memory_format=torch.channels_last)))


def outputs_of(decision: str) -> int:
    """Return how many outputs a paper's network has: 34 kinds, or no and yes.

    >>> outputs_of("discard"), outputs_of("pon")
    (34, 2)
    """
    if decision not in DECISIONS:
        raise ValueError(f"no decision {decision!r}: there are {', '.join(DECISIONS)}")
    return 34 if decision == "discard" else 2


def logits_of(network: nn.Module, outputs: Tensor, decision: str, whose: int = PEOPLE) -> Tensor:
    """Return the logits of one decision (n, 34) or (n, 2: no, yes) from what either kind of network answers.

    ``whose``: `PEOPLE` or `WINNERS`, of our network.
    """
    if isinstance(network, MeowjongNetwork):
        return outputs
    if decision == "discard":
        return outputs[:, whose : whose + 34]
    yes = outputs[:, whose + 33 + DECISIONS.index(decision)]
    return torch.stack((torch.zeros_like(yes), yes), dim=1)


# ---------------------------------------------------------------------------------------------------------
# In checkpoints


def _sharpen(network: nn.Module, metadata: dict[str, Any]) -> nn.Module:
    return sharpened(network, metadata.get("sharpen", {}))


def _upgrade_residual(metadata: dict[str, Any]) -> dict[str, Any]:
    """Metadata of a network of ours from those of format 3, which count columns and name no encoder."""
    old = dict(metadata)
    shape = {**old.pop("shape")}
    old.pop("columns", None)
    shape.pop("kinds", None)
    shape["encoder"] = by_columns(shape.pop("columns")).name
    return {**old, "shape": shape, "encoder": shape["encoder"]}


def _upgrade_meowjong(metadata: dict[str, Any]) -> dict[str, Any]:
    new = {name: value for name, value in metadata.items() if name != "columns"}
    return {**new, "encoder": MEOWJONG.name}


#: What the outputs of networks of all five decisions are called in ONNX files.
_ANSWERS: Final = "meowjong"

RESIDUAL_KIND: Final = NetworkKind(
    "residual",
    ResidualConfig,
    ResidualNetwork,
    _sharpen,
    _upgrade_residual,
    _ANSWERS,
    "janshi.papers.meowjong.player:decision_player",
)
KIND: Final = NetworkKind("meowjong", MeowjongConfig, MeowjongNetwork, upgrade=_upgrade_meowjong)

__all__ = [
    "KERNELS",
    "OUTPUTS",
    "PEOPLE",
    "SHARPEN",
    "VALUE",
    "WINNERS",
    "MeowjongConfig",
    "MeowjongNetwork",
    "ResidualConfig",
    "ResidualNetwork",
    "logits_of",
    "make_network",
    "outputs_of",
    "sharpened",
]
