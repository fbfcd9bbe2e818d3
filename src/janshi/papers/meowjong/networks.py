"""The papers' networks: each answers one of the five decisions.

They take observations of the encoder ``meowjong`` (n, 366, 34).
"""

from __future__ import annotations

from typing import Final, cast

import torch
from torch import Tensor, nn

from janshi.learn.networks import NetworkKind
from janshi.papers.layers import KERAS_EPSILON, KERAS_MOMENTUM, ByteDropout, begin_as_keras
from janshi.papers.meowjong.configs import MeowjongConfig
from janshi.papers.meowjong.decisions import DECISIONS
from janshi.riichi.encoders.meowjong import COLUMNS

#: The papers' kernels (rows, columns) for each decision. Source: conference paper, table V.
KERNELS: Final = {"discard": (4, 5), "pon": (5, 4), "kan": (2, 3), "kita": (3, 2), "riichi": (3, 4)}


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
    """Return the number of outputs of a paper's network: 34 kinds, or no and yes.

    >>> outputs_of("discard"), outputs_of("pon")
    (34, 2)
    """
    if decision not in DECISIONS:
        raise ValueError(f"no decision {decision!r}: there are {', '.join(DECISIONS)}")
    return 34 if decision == "discard" else 2


KIND: Final = NetworkKind("meowjong", MeowjongConfig, MeowjongNetwork)
