"""Fit the frequencies of an outcome model's results of a hand to those of some records, and store them in its file.

    python research/calibrate_outcomes.py MODEL.onnx sanma-2022.zip

One number for each result (`janshi.riichi.endings.SeatEnding`) is added to its logits after every action: the numbers
under which the results after the actions taken are most likely. People's play changes over the years, so that a model
of all years predicts the frequencies of none. Use records of the newest year that the model may know.

Source: Guo et al., "On Calibration of Modern Neural Networks" (2017), section 4.2, vector scaling without its scales.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper
from scipy.optimize import minimize
from scipy.special import log_softmax

from janshi.agents.onnx import OnnxNetwork
from janshi.cli.progress import counting_bar
from janshi.files import replacing
from janshi.riichi.actions import ACTIONS
from janshi.riichi.dataset import HandSet, decisions, read_hands
from janshi.riichi.endings import SeatEnding
from janshi.riichi.outcomes import PARTS

#: Number of hands in a batch.
_TOGETHER: Final = 256


def results(network: OnnxNetwork, hands: HandSet) -> Iterator[tuple[NDArray[np.float32], NDArray[np.int64]]]:
    """Yield logits of the results after the actions taken (n, results), and the results (n)."""
    with counting_bar() as bar:
        task = bar.add_task("reading", total=len(hands))
        for first in range(0, len(hands), _TOGETHER):
            which = np.arange(first, min(first + _TOGETHER, len(hands)))
            batch = decisions(hands, which, encoder=network.encoder, lazy=True)
            batch = batch.part(np.flatnonzero(batch.observed))
            assert batch.packed is not None, "decisions are encoded"
            blocks = network.run(batch.packed).reshape(len(batch), sum(PARTS.values()), ACTIONS)
            logits = blocks[:, PARTS["actions"] :][:, : len(SeatEnding)]
            yield logits[np.arange(len(batch)), :, batch.action], batch.result.astype(np.int64)
            bar.update(task, completed=first + len(which))


def fitted(logits: NDArray[np.float32], result: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the numbers (results; mean 0) to add to logits (n, results), so that results (n) are most likely."""
    wide = logits.astype(np.float64)
    came = np.bincount(result, minlength=len(SeatEnding)) / len(result)

    def loss(added: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        logs = log_softmax(wide + added, axis=1)
        return -float(logs[np.arange(len(result)), result].mean()), np.exp(logs).mean(axis=0) - came

    added = minimize(loss, np.zeros(len(SeatEnding)), jac=True).x
    centred: NDArray[np.float64] = added - added.mean()
    return centred


def add_to_results(model: onnx.ModelProto, added: NDArray[np.float64]) -> None:
    """Add numbers (results) to the logits of results after every action, in place."""
    blocks = np.zeros((sum(PARTS.values()), ACTIONS), np.float32)
    blocks[PARTS["actions"] :][: len(added)] = added[:, None]
    (output,) = model.graph.output
    (last,) = (node for node in model.graph.node if output.name in node.output)
    before, name = f"{output.name}_before", f"{output.name}_results"
    last.output[list(last.output).index(output.name)] = before
    model.graph.initializer.append(numpy_helper.from_array(blocks.reshape(1, -1), name))
    model.graph.node.append(helper.make_node("Add", [before, name], [output.name]))
    onnx.checker.check_model(model)


def main() -> None:
    """Fit the results' frequencies and rewrite the file."""
    parser = argparse.ArgumentParser(description="Fit an outcome model's results of a hand to those of records.")
    parser.add_argument("model", type=Path, help="ONNX file of janshi train --network outcomes; it is changed")
    parser.add_argument("records", nargs="+", type=Path)
    options = parser.parse_args()
    network = OnnxNetwork(options.model)
    if network.outputs != ACTIONS * sum(PARTS.values()):
        parser.error(f"{options.model} is no outcome model")
    (players,) = network.players
    parts = list(results(network, read_hands(options.records, players)))
    logits, result = (np.concatenate(column) for column in zip(*parts, strict=True))
    added = fitted(logits, result)
    model = onnx.load(options.model)
    add_to_results(model, added)
    with replacing(options.model) as part:
        onnx.save(model, part)
    print(f"{len(result):,} decisions; added to the logits of")
    for number, of in zip(added, SeatEnding, strict=True):
        print(f"  {of.name.lower().replace('_', ' '):12} {number:+.3f}")


if __name__ == "__main__":
    main()
