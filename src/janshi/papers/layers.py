"""Layers shared by the networks of several papers."""

from __future__ import annotations

from typing import Final, cast

from janshi.installing import naming_extra
from janshi.learn.networks import NetworkError

with naming_extra(__name__):
    import torch
    from torch import Tensor, nn

#: Keras's constants of batch normalisation; its momentum 0.99 is torch's 0.01. With torch's ε of 10⁻⁵ a unit that is
#: hardly ever active is amplified three hundred times: in play, with the running means, it dominates all others.
KERAS_EPSILON: Final = 1e-3
KERAS_MOMENTUM: Final = 0.01


def begin_as_keras(network: nn.Module) -> None:
    """Initialise convolutions and dense layers as Keras does: Glorot's uniform weights, biases of zero."""
    for module in network.modules():
        if isinstance(module, nn.Linear | nn.Conv2d):
            nn.init.xavier_uniform_(module.weight)
            nn.init.zeros_(cast("Tensor", module.bias))


class ByteDropout(nn.Module):
    """Dropout that draws eight numbers at once: shares are rounded to 256th parts, and one half is exact.

    Raises `NetworkError` for a share that is not below 1.
    """

    def __init__(self, share: float) -> None:
        super().__init__()
        self.dropped = round(256 * share)
        if not 0 <= self.dropped < 256:
            raise NetworkError(f"a share of {share} cannot be dropped: it is 0 or more, and below 1")

    def forward(self, x: Tensor) -> Tensor:
        """Return the input, in training with the dropped numbers as zeros."""
        if not self.training or not self.dropped:
            return x
        words = torch.empty((x.numel() + 7) // 8, dtype=torch.int64, device=x.device)
        words.random_(-(1 << 63), None)
        kept = words.view(torch.uint8)[: x.numel()].view(x.shape) >= self.dropped
        return x * (kept.to(x.dtype) * (256 / (256 - self.dropped)))
