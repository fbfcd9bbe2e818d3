"""The paper's network: four dense layers over 294 numbers, one value for each of 35 actions (table 4)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from janshi.installing import naming_extra
from janshi.learn.configs import option
from janshi.learn.networks import NetworkKind
from janshi.papers.sichuan.encoder import ACTIONS, SICHUAN_DQN, STATE

with naming_extra(__name__):
    from torch import Tensor, nn

#: Units of the layers between. Source: table 4.
LAYERS: Final = (192, 128, 64)


@dataclass(frozen=True, slots=True)
class DQNConfig:
    """Shape of a `DQN`."""

    encoder: str = option(SICHUAN_DQN.name, "Name of the encoder.")
    layers: tuple[int, ...] = option(LAYERS, "Units of the layers between input and output.", min=1)


class DQN(nn.Module):
    """Values of the paper's actions: (n, 294; in quarters) in, (n, 35) out.

    Rectified linear units between the layers, which the paper does not name, and a linear output.

    >>> sum(weights.numel() for weights in DQN(DQNConfig()).parameters())
    91875
    """

    def __init__(self, config: DQNConfig) -> None:
        super().__init__()
        self.config = config
        widths = (STATE, *config.layers)
        parts: list[nn.Module] = []
        for before, after in pairwise(widths):
            parts += [nn.Linear(before, after), nn.ReLU()]
        self.layers = nn.Sequential(*parts, nn.Linear(widths[-1], ACTIONS))

    def forward(self, x: Tensor) -> Tensor:
        """Return the values of all actions, legal or not (n, 35)."""
        values: Tensor = self.layers(x * 0.25)
        return values


KIND: Final = NetworkKind("sichuan-dqn", DQNConfig, DQN, answers="sichuan")
