"""Networks over the 34 kinds of tiles.

`ResidualNetwork` is our own small network. The 366 columns of the observation are channels, the 34 kinds
the length of a one-dimensional residual network; it is written with 1 × 3 two-dimensional convolutions in channels-last
order because these run several times faster on a processor without a GPU than one-dimensional ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor, nn

from janshi.observe.meowjong import COLUMNS


@dataclass(frozen=True, slots=True)
class ResidualConfig:
    """Shape of a `ResidualNetwork`."""

    columns: int = COLUMNS
    channels: int = 128
    blocks: int = 8
    kinds: int = 34


class _Block(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(channels, channels, (1, 3), padding=(0, 1), bias=False)
        self.first_norm = nn.BatchNorm2d(channels)
        self.second = nn.Conv2d(channels, channels, (1, 3), padding=(0, 1), bias=False)
        self.second_norm = nn.BatchNorm2d(channels)

    def forward(self, x: Tensor) -> Tensor:
        inner = torch.relu(self.first_norm(self.first(x)))
        return torch.relu(x + self.second_norm(self.second(inner)))


class ResidualNetwork(nn.Module):
    """A residual network over the kinds: observation (n, 366, 34) in, one logit for each kind (n, 34) out.

    The kinds of different suits lie side by side; a learned vector for each kind tells the network where it is, so
    that it can tell a neighbour from the end of a suit.
    """

    def __init__(self, config: ResidualConfig) -> None:
        super().__init__()
        self.config = config
        self.stem = nn.Conv2d(config.columns, config.channels, (1, 3), padding=(0, 1), bias=False)
        self.places = nn.Parameter(torch.zeros(1, config.channels, 1, config.kinds))
        self.stem_norm = nn.BatchNorm2d(config.channels)
        self.blocks = nn.Sequential(*(_Block(config.channels) for _ in range(config.blocks)))
        self.head = nn.Conv2d(config.channels, 1, (1, 1))

    def forward(self, x: Tensor) -> Tensor:
        """Return logits (n, 34) for observations (n, 366, 34)."""
        wide = x.unsqueeze(2).contiguous(memory_format=torch.channels_last)
        inner = torch.relu(self.stem_norm(self.stem(wide) + self.places))
        logits = self.head(self.blocks(inner))
        return cast("Tensor", logits.flatten(1))
