"""The frozen first layers of a partially trained network, as an ONNX file in eight-bit integers."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.agents.policy import policy_player
from janshi.files import replacing
from janshi.installing import naming_extra
from janshi.learn.export import export_front
from janshi.learn.inference import TorchNetwork
from janshi.learn.networks import ActionNetwork, encoder_of
from janshi.learn.quantize import quantize_onnx
from janshi.rollout.driver import Driver, Observer, Seating
from janshi.table import DecisionBatch, Tables

with naming_extra(__name__):
    from torch import nn

#: Games of the network that calibrate the ranges of integers, and observations of them.
_GAMES: Final = 64
_OBSERVATIONS: Final = 2048
#: One in this many decisions of these games is observed.
_EVERY: Final = 8


def write_front(network: ActionNetwork, front: nn.Module, rules: Any, path: Path) -> None:
    """Write the front of a network in integers, with ranges calibrated on games of the network by ``rules``."""
    with tempfile.TemporaryDirectory() as folder:
        floats = Path(folder) / "front.onnx"
        export_front(front, floats, rules.players)
        with replacing(path) as part:
            quantize_onnx(floats, some_observations(network, rules), part, last=True)


def some_observations(network: ActionNetwork, rules: Any) -> NDArray[Any]:
    """Return packed observations (n, …) from games of a network against itself."""
    agent = policy_player({"": TorchNetwork(network, {"players": rules.players})}, "start")
    tables = Tables(rules, _GAMES, np.arange(_GAMES), auto_reset=False)
    seen = _Seen(network)
    Driver(tables, Seating.same([agent] * rules.players, _GAMES), [seen]).run()
    packed = np.concatenate(seen.packed)
    return packed[np.random.default_rng(0).permutation(len(packed))[:_OBSERVATIONS]]


class _Seen(Observer):
    """Collects observations of decisions between several actions."""

    def __init__(self, network: ActionNetwork) -> None:
        self._encoder = encoder_of(network)
        self.packed: list[NDArray[Any]] = []

    def decided(self, batch: DecisionBatch, actions: NDArray[np.int16]) -> None:
        """See `Observer.decided`."""
        rows = np.flatnonzero(batch.legal.sum(axis=1) > 1)[::_EVERY]
        if len(rows):
            self.packed.append(self._encoder.encode(batch.part(rows)))
