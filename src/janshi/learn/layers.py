"""Layers that networks of several papers are made of."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from janshi.learn.networks import NetworkError


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
        """Return the same without the numbers that are dropped, in training."""
        if not self.training or not self.dropped:
            return x
        words = torch.empty((x.numel() + 7) // 8, dtype=torch.int64, device=x.device)
        words.random_(-(1 << 63), None)
        kept = words.view(torch.uint8)[: x.numel()].view(x.shape) >= self.dropped
        return x * (kept.to(x.dtype) * (256 / (256 - self.dropped)))
