"""Players in eight-bit integers: ONNX files two to three times as fast as those in floats.

The residual blocks, which take nearly all the time, use static quantization to eight bits: signed weights with a scale
for each channel, and unsigned activations with ranges calibrated on positions. The output layers stay in floats.
``results/networks.md`` lists the loss of agreement.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from numpy.typing import NDArray

from janshi.agents.onnx import OnnxNetwork
from janshi.files import replacing
from janshi.installing import naming_extra
from janshi.learn.networks import NetworkError

with naming_extra(__name__):
    import onnx
    import onnxruntime

#: Kinds of nodes that compute in integers if a convolution follows them.
_ROUNDED: Final = ("Conv", "Add", "Relu", "GlobalAveragePool")
#: Positions in a batch of the calibration.
_TOGETHER: Final = 128
#: Metadata that tells onnxruntime that a file was prepared, which suppresses its advice.
_PREPARED: Final = ("onnx.quant.pre_process", "onnxruntime.quant")


def quantize_onnx(source: str | Path, packed: NDArray[Any], path: str | Path, *, last: bool = False) -> None:
    """Write a copy of an exported ONNX file with its residual blocks in eight-bit integers.

    ``packed``: some hundred observations of games (`janshi.encoders.Encoder.encode`), which calibrate the ranges.
    ``last``: convolutions that no other one follows are quantized too. Raises `NetworkError` if no convolution follows
    another one in the network, `janshi.agents.AgentError` if ``source`` is not a network, and `OSError` if the file
    cannot be written.
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
        # onnxruntime lists all kinds of nodes that it supports.
        used = {node.domain for node in written.graph.node}
        for versions in [each for each in written.opset_import if each.domain not in used]:
            written.opset_import.remove(versions)
        onnx.save(written, part)


def nodes_before_convolutions(model: onnx.ModelProto) -> list[str]:
    """Return the names of the nodes of quantized kinds whose output reaches a convolution."""
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
    """Return the network with constants folded and every node named."""
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
    """Observations for onnxruntime in batches: a `CalibrationDataReader`."""

    def __init__(self, network: OnnxNetwork, packed: NDArray[Any]) -> None:
        name = network.session.get_inputs()[0].name
        self._parts: Iterator[dict[str, NDArray[Any]]] = (
            {name: network.encoder.inputs(packed[first : first + _TOGETHER])}
            for first in range(0, len(packed), _TOGETHER)
        )

    def get_next(self) -> dict[str, NDArray[Any]] | None:
        """Return the next batch, None at the end."""
        return next(self._parts, None)
