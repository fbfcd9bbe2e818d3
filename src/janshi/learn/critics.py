"""Critics that see all tiles, and the advantages of decisions over their predictions.

A critic reads the whole state of a table (a game's facet ``"full state"``), including hidden tiles. Its prediction does
not depend on the action. Policy gradients therefore stay unbiased, and their variance by luck is much smaller.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

#: States evaluated together.
_TOGETHER: Final = 4096
_DROPOUT: Final = 0.3
#: Lower bound of the spread by which inputs are divided.
_LEAST_SPREAD: Final = 0.1


class Critic(nn.Module):
    """Dense layers from whole states (n, numbers; int8) to the expected result of the rest of the hand (n)."""

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
        """Set mean and spread of each input from the first states (n, numbers)."""
        if not bool(self.spread.any()):
            self.mean.copy_(states.float().mean(dim=0))
            self.spread.copy_(states.float().std(dim=0).clamp(min=_LEAST_SPREAD))

    @torch.inference_mode()
    def values(self, states: Tensor) -> NDArray[np.float32]:
        """Return the values (n) of states, in batches."""
        self.eval()
        values: NDArray[np.float32] = torch.cat([self(part) for part in torch.split(states, _TOGETHER)]).numpy()
        return values


def advantages(
    reward: NDArray[np.float32], hand: NDArray[np.int64], value: NDArray[np.float32], gae_lambda: float
) -> NDArray[np.float32]:
    """Return the advantage of each decision (n) by generalised advantage estimation.

    ``reward`` (hands) comes with the last decision of a hand, ``hand`` (n) is the hand of each decision, ``value`` (n)
    its expected reward. The decisions of a hand are in order. There is no discount. Source: Schulman et al., 2016,
    equation 16.

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
    """Return advantages of decisions sorted by hand."""
    last = np.append(hand[1:] != hand[:-1], np.ones(min(1, len(hand)), np.bool_))
    result: NDArray[np.float64] = np.where(last, reward[hand], np.append(value[1:], 0)[: len(hand)]) - value
    after = np.flatnonzero(last)[np.cumsum(last) - last] - np.arange(len(hand))
    # Backwards from the last decision, all hands at once.
    by_after = np.argsort(after, kind="stable")
    bounds = np.searchsorted(after[by_after], np.arange(1, int(after.max(initial=0)) + 2))
    for first, end in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        rows = by_after[first:end]
        result[rows] += gae_lambda * result[rows + 1]
    return result
