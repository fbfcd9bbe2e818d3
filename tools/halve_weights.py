"""Store the weights of an ONNX file as 16-bit floats; the network still computes in 32 bits.

    python tools/halve_weights.py src/janshi/players/sl-2026-11.onnx

onnxruntime widens the weights once, when it loads the file, so that speed stays the same. The answers change by the
rounding of the weights alone: ``tools/fingerprint.py players`` says whether actions do.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from janshi.files import replacing

#: Tensors of fewer numbers stay as they are: they save nothing.
LEAST_SIZE = 1000


def halve(model: onnx.ModelProto) -> None:
    """Replace each large tensor of 32-bit floats by one of 16 bits and a cast, in place."""
    casts = []
    for tensor in model.graph.initializer:
        if tensor.data_type != TensorProto.FLOAT or np.prod(tensor.dims) < LEAST_SIZE:
            continue
        name = tensor.name
        half = numpy_helper.from_array(numpy_helper.to_array(tensor).astype(np.float16), f"{name}_half")
        tensor.CopyFrom(half)
        casts.append(helper.make_node("Cast", [half.name], [name], to=TensorProto.FLOAT))
    nodes = [*casts, *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    onnx.checker.check_model(model)


def main() -> None:
    """Rewrite the files named on the command line."""
    parser = argparse.ArgumentParser(description="Store the weights of ONNX files as 16-bit floats.")
    parser.add_argument("files", nargs="+", type=Path)
    for path in parser.parse_args().files:
        before = path.stat().st_size
        model = onnx.load(path)
        halve(model)
        with replacing(path) as part:
            onnx.save(model, part)
        print(f"{path.name}: {before:,} → {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
