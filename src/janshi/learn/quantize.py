"""Players in eight-bit integers: ONNX files that answer two to three times as fast as those of floats.

The residual blocks, where nearly all the work is, compute with integers of eight bits (static quantization: signed
weights with a scale a channel, unsigned activations whose ranges positions tell); what answers the actions stays in
floats. How much agreement that costs: ``docs/experiments.md``.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import onnx
import onnxruntime
from numpy.typing import NDArray

from janshi.agents.onnx import OnnxNetwork
from janshi.files import replacing
from janshi.learn.networks import NetworkError

#: Kinds of nodes that compute with integers, where a convolution follows them.
_ROUNDED: Final = ("Conv", "Add", "Relu", "GlobalAveragePool")
#: Positions that go through the network together while ranges are taken.
_TOGETHER: Final = 128
#: What onnxruntime asks for in a file so that it does not advise to do what has been done.
_PREPARED: Final = ("onnx.quant.pre_process", "onnxruntime.quant")


def quantize_onnx(source: str | Path, packed: NDArray[Any], path: str | Path, *, last: bool = False) -> None:
    """Write an ONNX file of ours once more, with its residual blocks in eight-bit integers.

    ``packed``: observations as `janshi.encoders.Encoder.encode` makes them, some hundreds from games; they tell how
    large the numbers become. ``last``: the convolutions that no other one follows are rounded too. Raises
    `NetworkError` where the network has no convolution that another one follows,
    `janshi.agents.AgentError` where ``source`` is no network, and `OSError` where the file cannot be written.
    """
    from onnxruntime.quantization import CalibrationMethod, QuantFormat, QuantType, quantize_static

    source = Path(source)
    network = OnnxNetwork(source, threads=1)
    with tempfile.TemporaryDirectory() as folder, replacing(Path(path)) as part:
        model = _folded(source, Path(folder) / "folded.onnx")
        metadata = {entry.key: entry.value for entry in model.metadata_props}
        nodes = nodes_before_convolutions(model)
        if last:
            nodes += [node.name for node in model.graph.node if node.op_type == "Conv" and node.name not in nodes]
        if not nodes:
            raise NetworkError(f"{source}: a network without blocks of convolutions is not made faster by integers")
        model.metadata_props.add(key=_PREPARED[0], value=_PREPARED[1])
        ranges = Path(folder) / "ranges.onnx"
        onnx.save(model, ranges)
        quantize_static(
            str(ranges),
            str(part),
            _Positions(network, packed),
            quant_format=QuantFormat.QDQ,
            per_channel=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            calibrate_method=CalibrationMethod.MinMax,
            nodes_to_quantize=nodes,
        )
        written = onnx.load(part)
        onnx.helper.set_model_props(written, metadata)
        # onnxruntime names all the kinds of nodes that it knows.
        used = {node.domain for node in written.graph.node}
        for versions in [each for each in written.opset_import if each.domain not in used]:
            written.opset_import.remove(versions)
        onnx.save(written, part)


def nodes_before_convolutions(model: onnx.ModelProto) -> list[str]:
    """Return the names of the nodes of the kinds that are rounded from which the way leads into a convolution."""
    leading: set[str] = set()
    names: list[str] = []
    for node in reversed(model.graph.node):
        leads = not leading.isdisjoint(node.output)
        if leads and node.op_type in _ROUNDED:
            names.append(node.name)
        if leads or node.op_type == "Conv":
            leading.update(node.input)
    return names[::-1]


def _folded(source: Path, path: Path) -> onnx.ModelProto:
    """The same network with what is constant worked out, and a name for every node."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.optimized_model_filepath = str(path)
    options.log_severity_level = 3
    onnxruntime.InferenceSession(str(source), options, providers=["CPUExecutionProvider"])
    model = onnx.load(path)
    for number, node in enumerate(model.graph.node):
        node.name = f"{number} {node.op_type}"
    return model


class _Positions:
    """Observations for onnxruntime, some at a time: a `CalibrationDataReader`."""

    def __init__(self, network: OnnxNetwork, packed: NDArray[Any]) -> None:
        name = network.session.get_inputs()[0].name
        self._parts: Iterator[dict[str, NDArray[Any]]] = (
            {name: network.encoder.inputs(packed[first : first + _TOGETHER])}
            for first in range(0, len(packed), _TOGETHER)
        )

    def get_next(self) -> dict[str, NDArray[Any]] | None:
        """Return the next ones; None: there are no more."""
        return next(self._parts, None)
