"""``janshi export``: a trained network as a file that plays."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer

from janshi.cli.failing import interrupted
from janshi.cli.options import argument, option
from janshi.cli.progress import timed_bar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from janshi.agents.onnx import OnnxNetwork
    from janshi.learn.datasets import RecordedHands

#: Decisions by which ranges are taken, and as many others by which the choices are compared.
_DECISIONS: Final = 2048


@dataclass(frozen=True)
class ExportOptions:
    """Options of ``janshi export``."""

    folder: Path = argument("Folder of a trained player.")
    out: Path = option("Output file (ONNX).")
    int8: list[Path] = option(
        "Quantise to eight-bit integers, calibrated on positions of these records; two to three times as fast. "
        "Repeatable.",
        default=[],
    )
    seed: int = option("Random seed of the sampled positions.", default=0, min=0)


def export_player(options: ExportOptions) -> None:
    """Write a trained network as an ONNX file, optionally quantised; it plays without PyTorch."""
    from janshi.agents.onnx import OnnxNetwork
    from janshi.cli.reading import reading
    from janshi.learn.checkpoints import load_network
    from janshi.learn.export import export_onnx
    from janshi.learn.networks import ActionNetwork, NetworkError
    from janshi.learn.quantize import quantize_onnx
    with interrupted("interrupted; nothing was written"):
        network, metadata = load_network(options.folder)
        players = int(metadata["players"])
        if not options.int8:
            export_onnx(network, options.out, players)
            typer.echo(f"{options.out}: {options.out.stat().st_size:,} bytes")
            return
        if not isinstance(network, ActionNetwork):
            raise NetworkError(f"{options.folder}: --int8 is for networks of every action")
        with timed_bar(False) as bar, tempfile.TemporaryDirectory() as folder:
            hands = reading(bar, options.int8, players)
            floats = Path(folder) / "floats.onnx"
            export_onnx(network, floats, players)
            before = OnnxNetwork(floats, threads=1)
            positions = some_decisions(hands, before, options.seed)
            packed: Any = positions.packed
            quantize_onnx(floats, packed[::2], options.out)
            after = OnnxNetwork(options.out, threads=1)
        legal = positions.legal_mask()[1::2]
        same = 100 * (choices(before, packed[1::2], legal) == choices(after, packed[1::2], legal)).mean()
    size = f"{options.out}: {options.out.stat().st_size:,} bytes"
    typer.echo(f"{size}; chooses as the network of floats does in {same:.1f} % of {len(legal):,} other decisions")


def some_decisions(hands: RecordedHands, network: OnnxNetwork, seed: int) -> Any:
    """Return decisions between several actions from all over some hands, in chance order, encoded for a network."""
    import numpy as np

    from janshi.learn.configs import CHUNK

    random = np.random.default_rng(seed)
    batch = hands.decisions(random.permutation(len(hands))[:CHUNK], network.encoder)
    rows = np.flatnonzero(batch.legal_mask().sum(axis=1) > 1)
    return batch.part(random.permutation(rows)[: 2 * _DECISIONS])


def choices(network: OnnxNetwork, packed: NDArray[Any], legal: NDArray[np.bool_]) -> NDArray[np.int16]:
    """Return the likeliest legal action of each decision."""
    from janshi.agents.policy import Policy

    return Policy(network.logits(packed), legal).best()
