"""The papers' networks: each answers one of the five decisions.

They take observations of the encoder ``meowjong`` (n, 366, 34).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, cast

from janshi.installing import naming_extra
from janshi.learn.configs import option
from janshi.learn.networks import NetworkError, NetworkKind
from janshi.papers.layers import KERAS_EPSILON, KERAS_MOMENTUM, ByteDropout, begin_as_keras
from janshi.papers.meowjong.decisions import DECISIONS
from janshi.riichi.encoders.meowjong import COLUMNS
from janshi.tiles import KINDS

with naming_extra(__name__):
    import torch
    from torch import Tensor, nn

#: The papers' kernels (rows, columns) for each decision. Source: conference paper, table V.
KERNELS: Final = {"discard": (4, 5), "pon": (5, 4), "kan": (2, 3), "kita": (3, 2), "riichi": (3, 4)}


@dataclass(frozen=True, slots=True)
class MeowjongConfig:
    """Shape of a `MeowjongNetwork`."""

    decision: str = option("discard", "Decision that the network answers.")
    kernel: tuple[int, int] | None = option(
        None, "Rows and columns of the kernels (default: the papers' best).", min=1
    )
    filters: tuple[int, int, int, int] = option((64, 64, 64, 32), "Filters of the four convolutions.", min=1)
    dense: int = option(256, "Units of the dense layer.", min=1)
    dropout: float = option(0.5, "Dropout rate.", min=0, max=1)
    scale: tuple[float, float] | None = option(
        None, "Mean and standard deviation of the standardised input (default: not standardised)."
    )
    encoder: ClassVar[str] = "meowjong"

    def __post_init__(self) -> None:
        """Raise `NetworkError` for a kernel that is too large."""
        for extent, size in zip(self.kernel or (1, 1), (KINDS, COLUMNS), strict=True):
            if extent > (size + 3) // 4:
                raise NetworkError(f"kernel {self.kernel}: four of them do not fit into {KINDS} × {COLUMNS}")


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


KIND: Final = NetworkKind("meowjong", MeowjongConfig, MeowjongNetwork, answers="meowjong")
