"""The networks of the `gao` thesis.

They take masks as the encoders write them (n, 4 · planes, 34) and lay them out as images of 34 rows and 4 cells. The
printed numbers of parameters imply batch normalisation over the last axis of (filters, rows, cells), the 3, 2
and 1 cells and not the filters, and a GRU with one bias a gate whose reset gate comes before the matrix. Source:
thesis, figures 4.2, 5.5, 6.1; weights are initialised as by Keras (Glorot), with its constants of batch normalisation.

Inside, images are (n, cells, rows, filters): turned on their long side, with the filters last, narrow images are
convolved and trained several times as fast on a processor.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.encoders import encoder
from janshi.installing import naming_extra
from janshi.learn.configs import option
from janshi.learn.networks import NetworkError, NetworkKind
from janshi.papers.gao.encoder import CELLS, GAO, STEP, STEPS, plane_names, step_names
from janshi.papers.gao.labels import CLASSES, DECISIONS
from janshi.papers.layers import KERAS_EPSILON, KERAS_MOMENTUM, ByteDropout, begin_as_keras
from janshi.tiles import KINDS

with naming_extra(__name__):
    import torch
    from torch import Tensor, nn

#: Rows and columns of every kernel.
_KERNEL: Final = (5, 2)
_BLOCKS: Final = 3
#: Steps of sequences that go through the convolutions together in play.
_TOGETHER: Final = 512

#: Names of planes by encoder.
_PLANES: Final = {
    "gao-56": plane_names(False, 4),
    "gao-68": plane_names(True, 4),
    "gao-86": plane_names(True, 6),
    "gao-sequence": step_names(),
}
#: Of each kind the kind that indicates it as dora: 9m of 1m, North of East.
_INDICATOR_OF: Final = np.concatenate([np.roll(ring, 1) for ring in np.split(np.arange(KINDS), (9, 18, 27, 31))])
#: Changes of the input whose effect the thesis states.
NO_RIICHI: Final = "no riichi"
DORA: Final = "dora tiles"
CHANGES: Final = ("", NO_RIICHI, DORA)


# ---------------------------------------------------------------------------------------------------------
# Layers


class NarrowConvolution(nn.Module):
    """A convolution of 5 × 2 without padding: (n, cells, rows, inputs) in, (n, cells − 1, rows − 4, filters) out.

    >>> sum(tensor.numel() for tensor in NarrowConvolution(56, 100).parameters())
    56100
    """

    def __init__(self, inputs: int, filters: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(filters, inputs, *_KERNEL))
        self.bias = nn.Parameter(torch.zeros(filters))
        nn.init.xavier_uniform_(self.weight)

    def forward(self, x: Tensor) -> Tensor:
        """Return the outputs of the filters."""
        lying = self.weight.transpose(2, 3)
        return nn.functional.conv2d(x.permute(0, 3, 1, 2), lying, self.bias).permute(0, 2, 3, 1)


class CellNorm(nn.BatchNorm2d):
    """Batch normalisation over the cells: one mean and deviation for each, over all images, rows and filters.

    On a GPU, torch's own normalisation of one to three cells takes three quarters of a training step. The means and
    deviations of this one are ordinary reductions, which use the whole GPU.

    >>> sum(tensor.numel() for tensor in CellNorm(3).state_dict().values()) - 1  # and a count of batches
    12
    """

    def __init__(self, cells: int) -> None:
        super().__init__(cells, eps=KERAS_EPSILON, momentum=KERAS_MOMENTUM)

    def forward(self, x: Tensor) -> Tensor:
        """Return normalised images (n, cells, rows, filters)."""
        return self.reduced(x) if self.training and x.is_cuda else super().forward(x)

    def reduced(self, x: Tensor) -> Tensor:
        """Return images normalised by their own means and deviations, and move the running ones towards these."""
        variance, mean = torch.var_mean(x.float(), dim=(0, 2, 3), correction=0)
        numbers = x.numel() // len(mean)
        with torch.no_grad():
            for running, found in ((self.running_mean, mean), (self.running_var, variance * numbers / (numbers - 1))):
                cast("Tensor", running).lerp_(found, KERAS_MOMENTUM)
            cast("Tensor", self.num_batches_tracked).add_(1)
        factor = self.weight * torch.rsqrt(variance + self.eps)
        offset = self.bias - mean * factor
        return x * factor[:, None, None].to(x.dtype) + offset[:, None, None].to(x.dtype)


class OneBiasGRU(nn.Module):
    """A GRU with one bias a gate, its reset gate before the matrix: (n, steps, inputs) in, (n, steps, units) out.

    h' = z·h + (1 − z)·tanh(x·W + (r·h)·U + b) with gates z and r: sigmoids of their own x·W + h·U + b. torch's own has
    two biases and the reset gate behind the matrix.

    >>> sum(tensor.numel() for tensor in OneBiasGRU(2816, 256).parameters())
    2360064
    """

    def __init__(self, inputs: int, units: int) -> None:
        super().__init__()
        self.units = units
        self.gates = nn.Linear(inputs, 3 * units)
        self.again = nn.Parameter(torch.empty(units, 3 * units))
        nn.init.xavier_uniform_(self.gates.weight)
        nn.init.zeros_(self.gates.bias)
        nn.init.orthogonal_(self.again)

    def forward(self, x: Tensor) -> Tensor:
        """Return the state after every step."""
        units = self.units
        steps = self.gates(x)
        again = self.again.to(steps.dtype)
        of_gates, of_new = again[:, : 2 * units], again[:, 2 * units :]
        state = steps.new_zeros(len(x), units)
        states = []
        for given in steps.unbind(dim=1):
            both = torch.sigmoid(given[:, : 2 * units] + state @ of_gates)
            update, reset = both[:, :units], both[:, units:]
            new = torch.tanh(given[:, 2 * units :] + (reset * state) @ of_new)
            state = update * state + (1 - update) * new
            states.append(state)
        return torch.stack(states, dim=1)


class RowPooling(nn.Module):
    """The larger of every two rows: (n, cells, rows, filters) in, (n, cells, rows / 2, filters) out."""

    def forward(self, x: Tensor) -> Tensor:
        """Return the larger ones."""
        return torch.maximum(x[:, :, ::2], x[:, :, 1::2])


def _convolutions(planes: int, filters: int, dropout: float, *, pooling: bool = False) -> nn.Sequential:
    """Three blocks of convolution, ReLU, normalisation and dropout: (n, 4, 34, planes) in, flat out.

    ``pooling``: after the first block.
    """
    layers: list[nn.Module] = []
    before, cells = planes, CELLS
    for block in range(_BLOCKS):
        cells -= _KERNEL[1] - 1
        layers += [NarrowConvolution(before, filters), nn.ReLU(), CellNorm(cells), ByteDropout(dropout)]
        layers += [RowPooling()] if pooling and block == 0 else []
        before = filters
    return nn.Sequential(*layers, nn.Flatten())


def _flat(filters: int, *, pooling: bool = False) -> int:
    """Numbers behind the convolutions."""
    lost = _KERNEL[0] - 1
    rows = (KINDS - lost) // 2 - (_BLOCKS - 1) * lost if pooling else KINDS - _BLOCKS * lost
    return filters * rows * (CELLS - _BLOCKS * (_KERNEL[1] - 1))


class _Input(nn.Module):
    """Lays masks out as planes, and changes them for an ablation."""

    def __init__(self, name: str, change: str) -> None:
        super().__init__()
        if name not in _PLANES:
            raise NetworkError(f"encoder {name!r} writes no planes of the thesis: {', '.join(_PLANES)} do")
        if change not in CHANGES:
            raise NetworkError(f"no change {change!r} of the input: there are {', '.join(CHANGES[1:])}")
        self.change = change
        names = _PLANES[name]
        self.planes = len(names)
        self.riichi = [number for number, plane in enumerate(names) if plane.endswith("riichi")]
        self.indicators = [number for number, plane in enumerate(names) if plane.endswith("dora indicators")]

    def forward(self, x: Tensor) -> Tensor:
        """Return images (n, 4, 34, planes) for masks (n, 4 · planes, 34)."""
        planes = x.reshape(-1, self.planes, CELLS, KINDS).permute(0, 2, 3, 1).contiguous()
        if self.change == NO_RIICHI:
            planes[..., self.riichi] = 0
        elif self.change == DORA:
            planes[..., self.indicators] = planes[:, :, _INDICATOR_OF][..., self.indicators]
        return planes if torch.is_autocast_enabled(planes.device.type) else planes.float()


# ---------------------------------------------------------------------------------------------------------
# The tile model, the off-table models, and the networks of calls and riichi


@dataclass(frozen=True, slots=True)
class GaoConfig:
    """Shape of a `GaoNetwork`."""

    decision: str = option("discard", "The decision that it answers: discard, pon, chii, riichi.")
    encoder: str = option("gao-86", "Name of the encoder: gao-56, gao-68 or gao-86.")
    filters: int = option(100, "Filters of each convolution.", min=1)
    dense: int = option(0, "Units of the dense layer, 300 in the tile model; 0: none.", min=0)
    dropout: float = option(0.5, "Share of the values that are dropped in training.", min=0, max=1)
    change: str = option("", "Change of the input: 'no riichi', 'dora tiles', or none.")
    pooling: bool = option(False, "Keep the larger of every two rows after the first convolution (the thesis: worse).")


class GaoNetwork(nn.Module):
    """Three convolutions, in the tile model a dense layer, and logits: (n, 4 · planes, 34) in, (n, outputs) out.

    >>> sum(tensor.numel() for tensor in GaoNetwork(GaoConfig(encoder="gao-56", dense=300)).parameters())
    927446
    """

    def __init__(self, config: GaoConfig) -> None:
        super().__init__()
        if config.decision not in DECISIONS:
            raise NetworkError(f"no decision {config.decision!r}: there are {', '.join(DECISIONS)}")
        self.config = config
        self.input = _Input(config.encoder, config.change)
        self.convolutions = _convolutions(self.input.planes, config.filters, config.dropout, pooling=config.pooling)
        flat = _flat(config.filters, pooling=config.pooling)
        layers: list[nn.Module] = []
        if config.dense:
            norm = nn.BatchNorm1d(config.dense, eps=KERAS_EPSILON, momentum=KERAS_MOMENTUM)
            layers = [nn.Linear(flat, config.dense), nn.ReLU(), norm, ByteDropout(config.dropout)]
            flat = config.dense
        self.dense = nn.Sequential(*layers, nn.Linear(flat, CLASSES[config.decision]))
        begin_as_keras(self)

    def forward(self, x: Tensor) -> Tensor:
        """Return logits (n, outputs)."""
        return cast("Tensor", self.dense(self.convolutions(self.input(x))))

    def play_logits(self, packed: NDArray[Any], outputs: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the logits of the decision in play: the outputs."""
        return outputs


def tile_model(filters: int = 100, dense: int = 300, dropout: float = 0.5) -> GaoConfig:
    """Return the tile model: 56 planes and a dense layer (figure 4.2)."""
    return GaoConfig(encoder="gao-56", filters=filters, dense=dense, dropout=dropout)


# ---------------------------------------------------------------------------------------------------------
# The sequential model


@dataclass(frozen=True, slots=True)
class GaoSequenceConfig:
    """Shape of a `GaoSequenceNetwork`."""

    filters: int = option(128, "Filters of each convolution.", min=1)
    units: int = option(256, "Units of the GRU.", min=1)
    dropout: float = option(0.5, "Share of the values that are dropped in training.", min=0, max=1)
    padding: bool = option(True, "Learn from padded steps, as in the thesis.")
    encoder: str = option("gao-sequence", "Name of the encoder.")
    decision: str = option("discard", "The decision that it answers: discard.")


class GaoSequenceNetwork(nn.Module):
    """Convolutions at every step of a hand, a GRU over the steps: (n, 22 · 64, 34) in, logits (n, 22, 34) out.

    Without ``padding`` the convolutions see only existing steps; the logits of the others are meaningless.

    >>> sum(tensor.numel() for tensor in GaoSequenceNetwork(GaoSequenceConfig()).parameters())
    2717358
    """

    def __init__(self, config: GaoSequenceConfig) -> None:
        super().__init__()
        if config.decision != "discard":
            raise NetworkError(f"the sequential model answers discards, not {config.decision}")
        if encoder(config.encoder) is not GAO[-1]:
            raise NetworkError(f"the sequential model is shown {GAO[-1].name!r}, not {config.encoder!r}")
        self.config = config
        self.input = _Input(config.encoder, "")
        self.convolutions = _convolutions(STEP, config.filters, config.dropout)
        self.answer = nn.Sequential(ByteDropout(config.dropout), nn.Linear(config.units, KINDS))
        begin_as_keras(self)
        self.gru = OneBiasGRU(_flat(config.filters), config.units)

    def forward(self, x: Tensor) -> Tensor:
        """Return logits of every step (n, 22, 34)."""
        planes = self.input(x)
        if self.config.padding:
            features = self._features(planes)
        else:
            there = valid_steps(x).flatten()
            seen = self._features(planes[there])
            features = seen.new_zeros(len(planes), seen.shape[1])
            features[there] = seen
        states = self.gru(features.view(len(x), STEPS, -1))
        return cast("Tensor", self.answer(states))

    def play_logits(self, packed: NDArray[Any], outputs: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the logits of the decision in play (n, 34): those of the last unpadded step of outputs (n, 22, 34)."""
        last = held_steps(packed).sum(axis=1) - 1
        return cast("NDArray[np.float32]", outputs[np.arange(len(outputs)), last])

    def _features(self, planes: Tensor) -> Tensor:
        """Return features of steps; outside training in parts, to save memory."""
        if self.training:
            return cast("Tensor", self.convolutions(planes))
        return torch.cat([self.convolutions(part) for part in torch.split(planes, _TOGETHER)])


def held_steps(packed: NDArray[Any]) -> NDArray[np.bool_]:
    """Return the mask of existing steps (n, 22) of packed sequences (n, 22 · 64)."""
    there: NDArray[np.bool_] = packed[:, :: CELLS * STEP] != 0
    return there


def valid_steps(x: Tensor) -> Tensor:
    """Return the mask of existing steps (n, 22) of sequences (n, 22 · 64, 34): the hand is never empty."""
    steps = x.reshape(len(x), STEPS, STEP * CELLS, KINDS)
    return steps[:, :, 0].any(dim=2)


def counted_parameters(network: nn.Module) -> tuple[int, int]:
    """Return the parameters as the thesis counts them, running means and variances included, and those trained.

    >>> counted_parameters(GaoNetwork(GaoConfig(encoder="gao-56", dense=300)))
    (928058, 927446)
    """
    trained = sum(tensor.numel() for tensor in network.parameters())
    fixed = sum(math.prod(tensor.shape) for name, tensor in network.named_buffers() if "running" in name)
    return trained + fixed, trained


KIND: Final = NetworkKind("gao", GaoConfig, GaoNetwork, answers="gao")
SEQUENCE_KIND: Final = NetworkKind("gao-sequence", GaoSequenceConfig, GaoSequenceNetwork, answers="gao")
