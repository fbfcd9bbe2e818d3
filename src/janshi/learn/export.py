"""Export of networks to ONNX files, which play without torch: see `janshi.agents.onnx`."""

from __future__ import annotations

import contextlib
import io
import json
import logging
import warnings
from pathlib import Path
from typing import Any, cast

import numpy as np

from janshi.agents.onnx import ACTIONS_ANSWERS, ANSWERS_KEY, ENCODER_KEY, ORIGINS_KEY, OUTPUTS_KEY, PLAYERS_KEY
from janshi.encoders import origins_with
from janshi.files import replacing
from janshi.installing import naming_extra
from janshi.learn.networks import ActionNetwork, NetworkError, encoder_of, kind_of

with naming_extra(__name__):
    import torch
    from torch import Tensor, nn


class _FromBytes(nn.Module):
    """A network whose inputs are packed observations."""

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, observations: Tensor) -> Tensor:
        bytes_taken = getattr(self.network, "takes_bytes", False)
        return cast("Tensor", self.network(observations if bytes_taken else observations.float()))


def export_onnx(network: nn.Module, path: str | Path, players: int) -> None:
    """Write a network as an ONNX file that takes observations (n, *encoder's shape and dtype) for any n.

    ``players``: number of players of its training. The file's metadata contains it, the encoder's name and the layout
    of the outputs (`janshi.agents.onnx`). Raises `NetworkError` for a network that is not a player by itself, and
    `OSError` if the file cannot be written.
    """
    if not isinstance(network, ActionNetwork):
        config = cast("Any", network).config
        alone = f", here for {config.decision} alone," if getattr(config, "decision", None) else ""
        raise NetworkError(
            f"a network of kind {kind_of(config).name!r}{alone} is not exported: an ONNX player is one network for all "
            "decisions"
        )
    _write(network, path, _metadata(network, players, ACTIONS_ANSWERS))


def export_front(front: nn.Module, path: str | Path, players: int) -> None:
    """Write the first layers of a network (`ActionNetwork.parts`) as an ONNX file, which is not a player."""
    _write(front, path, _metadata(front, players, "front"))


def _write(network: nn.Module, path: str | Path, metadata: dict[str, str]) -> None:
    """Write a module as an ONNX file with metadata."""
    shown = encoder_of(network)
    example = torch.from_numpy(np.zeros((2, *shown.shape), shown.dtype))
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    with replacing(Path(path)) as part, warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        program = torch.onnx.export(
            _FromBytes(network).eval().cpu(),
            (example,),
            input_names=["observations"],
            output_names=["answers"],
            dynamic_shapes={"observations": {0: torch.export.Dim("n")}},
            dynamo=True,
            verbose=False,
        )
        assert program is not None  # guaranteed by the dynamo exporter
        _remove_notes(program.model)
        _pool_means(program.model)
        program.model.metadata_props.update(metadata)
        program.save(str(part), external_data=False)


def _metadata(network: nn.Module, players: int, answers: str) -> dict[str, str]:
    shown = encoder_of(network)
    brought = origins_with(shown.name)
    metadata = {PLAYERS_KEY: str(players), ENCODER_KEY: shown.name, ANSWERS_KEY: answers}
    metadata |= {ORIGINS_KEY: json.dumps(brought)} if brought else {}
    return metadata | ({OUTPUTS_KEY: network.outputs.text()} if isinstance(network, ActionNetwork) else {})


def _pool_means(model: Any) -> None:
    """Replace means over the last two axes by pooling, which onnxruntime computes in its convolutions' layout."""
    for node in model.graph:
        if node.op_type != "ReduceMean" or len(node.inputs) != 2:
            continue
        axes = node.inputs[1].const_value
        keeps = node.attributes.get("keepdims")
        if axes is not None and axes.numpy().tolist() == [2, 3] and (keeps is None or keeps.value == 1):
            node.op_type = "GlobalAveragePool"
            node.attributes.clear()
            node.resize_inputs(1)


def _remove_notes(model: Any) -> None:
    """Remove the exporter's metadata from a model: stack traces with paths of the exporting machine."""
    model.graph.metadata_props.clear()
    values = [*model.graph.inputs, *model.graph.initializers.values()]
    for node in model.graph:
        node.metadata_props.clear()
        values += node.outputs
    for value in values:
        value.metadata_props.clear()
