"""Critics that see everything, and the advantages of decisions over what they expect.

A critic reads the whole state of a table (a game's facet ``"full state"``), which no player may see. What it expects
does not depend on the action, so that policy gradients stay unbiased, and much of the luck of a hand is taken out of
them.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

#: States that are valued together.
_TOGETHER: Final = 4096
_DROPOUT: Final = 0.3
#: Numbers that hardly ever differ are not made larger than that many times.
_LEAST_SPREAD: Final = 0.1


class Critic(nn.Module):
    """Dense layers over whole states: (n, numbers; int8) in, what the rest of the hand is expected to bring (n) out."""

    mean: Tensor
    spread: Tensor

    def __init__(self, numbers: int, units: int) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(numbers))
        self.register_buffer("spread", torch.zeros(numbers))
        self.layers = nn.Sequential(
            nn.Linear(numbers, units),
            nn.ReLU(),
            nn.Dropout(_DROPOUT),
            nn.Linear(units, units // 2),
            nn.ReLU(),
            nn.Linear(units // 2, 1),
        )

    def forward(self, states: Tensor) -> Tensor:
        """Return the values (n)."""
        values: Tensor = self.layers((states.float() - self.mean) / self.spread)[:, 0]
        return values

    @torch.no_grad()
    def fit_scale(self, states: Tensor) -> None:
        """Take mean and spread of each number from the first states that there are (n, numbers)."""
        if not bool(self.spread.any()):
            self.mean.copy_(states.float().mean(dim=0))
            self.spread.copy_(states.float().std(dim=0).clamp(min=_LEAST_SPREAD))

    @torch.inference_mode()
    def values(self, states: Tensor) -> NDArray[np.float32]:
        """Return the values (n) of any number of states."""
        self.eval()
        values: NDArray[np.float32] = torch.cat([self(part) for part in torch.split(states, _TOGETHER)]).numpy()
        return values


def advantages(
    reward: NDArray[np.float32], hand: NDArray[np.int64], value: NDArray[np.float32], gae_lambda: float
) -> NDArray[np.float32]:
    """Return by how much each decision did better than expected (n): generalised advantage estimation.

    ``reward`` (hands) comes with the last decision of a hand, ``hand`` (n) says to which of them each decision belongs,
    ``value`` (n) is what was expected at each; the decisions of a hand stand in order. There is no discount. Source:
    Schulman et al., 2016, equation 16.

    >>> advantages(np.array([1.0]), np.array([0, 0]), np.array([0.5, 0.25]), 0.5).tolist()
    [0.125, 0.75]
    """
    order = np.argsort(hand, kind="stable")
    found = _in_hands(reward, hand[order], value[order].astype(np.float64), gae_lambda)
    result = np.empty(len(order), np.float32)
    result[order] = found
    return result


def _in_hands(
    reward: NDArray[np.float32], hand: NDArray[np.int64], value: NDArray[np.float64], gae_lambda: float
) -> NDArray[np.float64]:
    """The same for decisions whose hands follow each other."""
    last = np.append(hand[1:] != hand[:-1], np.ones(min(1, len(hand)), np.bool_))
    result: NDArray[np.float64] = np.where(last, reward[hand], np.append(value[1:], 0)[: len(hand)]) - value
    after = np.flatnonzero(last)[np.cumsum(last) - last] - np.arange(len(hand))
    # Backwards through the longest hand: the decisions with so many behind them, all hands at once.
    by_after = np.argsort(after, kind="stable")
    bounds = np.searchsorted(after[by_after], np.arange(1, int(after.max(initial=0)) + 2))
    for first, end in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        rows = by_after[first:end]
        result[rows] += gae_lambda * result[rows + 1]
    return result
