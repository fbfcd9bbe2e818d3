"""Losses that networks learn by."""

from __future__ import annotations

from typing import Final

import torch
from torch import Tensor

#: In `misfit` an option counts as the power `_EVENED` of its share, and `_FLOOR` is given to all alike.
_EVENED: Final = 0.3
_FLOOR: Final = 0.05


def policy_gradient(log: Tensor, gain: Tensor) -> Tensor:
    """Return REINFORCE's loss: what was drawn (logarithms of its probability, n) by what it gained (n)."""
    return -(log * gain).mean()


def clipped_policy_gradient(log: Tensor, before: Tensor, gain: Tensor, clip: float) -> Tensor:
    """Return PPO's loss: probabilities that have moved by more than a ratio of 1 ± ``clip`` gain nothing more.

    ``before`` (n): the logarithms with which actions were drawn.

    >>> log, gain = torch.log(torch.tensor([0.9, 0.5])), torch.tensor([1.0, -1.0])
    >>> round(float(clipped_policy_gradient(log, torch.log(torch.tensor([0.5, 0.5])), gain, 0.2)), 3)
    -0.1
    """
    ratio = torch.exp(log - before)
    bounded = ratio.clamp(1 - clip, 1 + clip)
    return -torch.minimum(ratio * gain, bounded * gain).mean()


def misfit(log: Tensor, worth: Tensor, there: Tensor, temperature: float) -> Tensor:
    """Return how far shares are from what options are worth: the mean squared error, in first places.

    Rows of options (n, k), those that are ``there``. The difference of two logarithms of shares ``log``, times the
    ``temperature``, is by how much one is worth more than the other; means of a row are left out. What the shares
    hold to be good counts most: that something is bad has to be known, how bad need not be.

    >>> log, worth = torch.tensor([[0.0, 2.0, 9.0]]), torch.tensor([[0.5, 0.6, 0.0]])
    >>> there = torch.tensor([[True, True, False]])
    >>> float(misfit(log, worth, there, 0.05)), round(float(misfit(log, worth, there, 0.1)), 4)
    (0.0, 0.0023)
    """
    number = there.sum(dim=1, keepdim=True)
    liked = torch.softmax(torch.where(there, _EVENED * log.detach(), -torch.inf), dim=1)
    weight = torch.where(there, (liked + _FLOOR / number) / (1 + _FLOOR), 0.0)
    off = torch.where(there, temperature * log - worth, 0.0)
    off = torch.where(there, off - (weight * off).sum(dim=1, keepdim=True), 0.0)
    return (weight * off * off).sum(dim=1).mean()
