"""Store the weights of an ONNX file as 16-bit floats or 8-bit integers; the network still computes in 32 bits.

    python research/halve_weights.py src/janshi/players/sl-2026-11.onnx
    python research/halve_weights.py --bits 8 src/janshi/players/worth/outcomes-3.onnx

onnxruntime widens the weights when it loads the file, so that the speed does not change. The outputs change only by the
rounding of the weights; ``tools/fingerprint.py players`` shows whether actions change. Integers have a scale for each
first index of a tensor.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from janshi.files import replacing

#: Smaller tensors do not change.
LEAST_SIZE = 1000


def halve(model: onnx.ModelProto, bits: int = 16) -> None:
    """Replace each large tensor of 32-bit floats by one of 16 or 8 bits and a cast, in place."""
    widening, scales = [], []
    for tensor in model.graph.initializer:
        if tensor.data_type != TensorProto.FLOAT or np.prod(tensor.dims) < LEAST_SIZE:
            continue
        name, weights = tensor.name, numpy_helper.to_array(tensor)
        if bits == 16:
            tensor.CopyFrom(numpy_helper.from_array(weights.astype(np.float16), f"{name}_half"))
            widening.append(helper.make_node("Cast", [f"{name}_half"], [name], to=TensorProto.FLOAT))
            continue
        scale = np.abs(weights).max(axis=tuple(range(1, weights.ndim)), keepdims=True) / 127 + 1e-12
        rounded = np.rint(weights / scale).astype(np.int8)
        tensor.CopyFrom(numpy_helper.from_array(rounded, f"{name}_byte"))
        scales.append(numpy_helper.from_array(scale.astype(np.float32), f"{name}_scale"))
        widening.append(helper.make_node("Cast", [f"{name}_byte"], [f"{name}_wide"], to=TensorProto.FLOAT))
        widening.append(helper.make_node("Mul", [f"{name}_wide", f"{name}_scale"], [name]))
    model.graph.initializer.extend(scales)
    nodes = [*widening, *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    onnx.checker.check_model(model)


def main() -> None:
    """Rewrite the files named on the command line."""
    parser = argparse.ArgumentParser(description="Store the weights of ONNX files in fewer bits.")
    parser.add_argument("--bits", type=int, choices=(8, 16), default=16)
    parser.add_argument("files", nargs="+", type=Path)
    options = parser.parse_args()
    for path in options.files:
        before = path.stat().st_size
        model = onnx.load(path)
        halve(model, options.bits)
        with replacing(path) as part:
            onnx.save(model, part)
        print(f"{path.name}: {before:,} → {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
