"""Inference: devices, inputs and outputs of networks."""

from __future__ import annotations

import functools
import platform
from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.encoders import Encoder
from janshi.games import GAMES
from janshi.installing import naming_extra
from janshi.learn.networks import encoder_of

with naming_extra(__name__):
    import torch
    from torch import Tensor, nn

#: Maximum number of decisions in a batch of a network.
TOGETHER: Final = 512


def best_device() -> torch.device:
    """Return the GPU if there is one, else the CPU."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


@functools.cache
def product_dtype(kind: str) -> torch.dtype:
    """Return the dtype of products on a kind of device ("cpu", "cuda"): bfloat16 if its hardware has it, else float32.

    Processors without instructions for bfloat16 emulate it, which is some ten times slower than float32.
    """
    if kind == "cuda":
        supported = torch.cuda.is_bf16_supported(including_emulation=False)
    elif platform.machine().lower() in ("x86_64", "amd64"):
        # PyTorch's own test of bfloat16 also accepts processors that emulate it.
        supported = torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported()
    else:
        supported = torch.backends.mkldnn.is_available()  # type: ignore[no-untyped-call]
        supported = supported and torch.ops.mkldnn._is_mkldnn_bf16_supported()
    return torch.bfloat16 if supported else torch.float32


def mixed_precision(device: torch.device) -> AbstractContextManager[None]:
    """Return a context in which a network's products have the dtype of `product_dtype`."""
    dtype = product_dtype(device.type)
    return torch.autocast(device.type, torch.bfloat16, enabled=dtype == torch.bfloat16)


def to_input(
    encoder: Encoder, packed: NDArray[Any], device: torch.device, dtype: torch.dtype | None = None
) -> Tensor:
    """Return observations as network input: (n, `Encoder.shape`; ``dtype``) on the device.

    ``dtype``: by default that of the device's products (`product_dtype`).
    """
    return torch.from_numpy(encoder.inputs(packed)).to(device).to(dtype or product_dtype(device.type))


def answers(network: nn.Module, packed: NDArray[Any], device: torch.device) -> NDArray[np.float32]:
    """Return a network's outputs for packed observations: (n, outputs; float32)."""
    with torch.inference_mode(), mixed_precision(device):
        outputs: NDArray[np.float32] = network(to_input(encoder_of(network), packed, device)).float().cpu().numpy()
    return outputs


def many_answers(
    network: nn.Module, packed: NDArray[Any], device: torch.device, together: int = TOGETHER
) -> NDArray[np.float32]:
    """Return a network's outputs for one or more packed observations, in batches of ``together``."""
    parts = [answers(network, packed[first : first + together], device) for first in range(0, len(packed), together)]
    return np.concatenate(parts)


class TorchNetwork:
    """A network evaluated by torch; an `ActionNetwork` is a `janshi.agents.policy.PolicyNetwork`.

    ``metadata``: those of its checkpoint (`janshi.learn.checkpoints.load_network`); a player needs ``players``.
    """

    def __init__(self, network: nn.Module, metadata: Mapping[str, Any]) -> None:
        self.device = best_device()
        self.network = network.to(self.device).eval()
        self.metadata = metadata
        self.encoder = encoder_of(network)

    @property
    def players(self) -> frozenset[int]:
        """Number of players of its training."""
        return frozenset({int(self.metadata["players"])})

    def logits(self, packed: NDArray[Any]) -> NDArray[np.float32]:
        """Return the logits of all actions (n, actions): see `janshi.agents.policy.PolicyNetwork`."""
        self.network.eval()
        return many_answers(self.network, packed, self.device)[:, : GAMES[self.encoder.game].actions]
