"""Networks from exported ONNX files, to continue the training of shipped players."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.agents.onnx import ENCODER_KEY, PLAYERS_KEY
from janshi.installing import naming_extra
from janshi.learn.networks import NETWORKS, NetworkError, make_network

with naming_extra(__name__):
    import onnx
    import torch
    from onnx import numpy_helper
    from torch import Tensor, nn

#: Suffix of the names of weights stored as 16-bit floats (``research/halve_weights.py``).
_HALF: Final = "_half"


def network_of_onnx(path: str | Path) -> tuple[nn.Module, dict[str, Any]]:
    """Return the network of an ONNX file of floats and its metadata, as `janshi.learn.checkpoints.load_network` does.

    Exported convolutions contain their normalisation, so that the network's own is the identity. Raises `NetworkError`
    for a network of another kind than ``suits`` and ``dense``, and for one in integers.
    """
    model = onnx.load(path)
    metadata = {entry.key: entry.value for entry in model.metadata_props}
    tensors = {
        tensor.name.removesuffix(_HALF).removeprefix("network."): numpy_helper.to_array(tensor).astype(np.float32)
        for tensor in model.graph.initializer
    }
    encoder = metadata.get(ENCODER_KEY, "")
    if "position.bias" in tensors and "rest.weight" in tensors:
        blocks = len({name.split(".")[1] for name in tensors if name.startswith("blocks.")})
        channels, hidden = len(tensors["position.bias"]), len(tensors["hidden.weight"])
        kind, shape = "suits", {"channels": channels, "blocks": blocks, "hidden": hidden}
    elif "answers.weight" in tensors:
        kind, shape = "dense", {"hidden": len(tensors["first.weight"]), "units": len(tensors["second.weight"])}
    else:
        raise NetworkError(f"{path} holds no network of the kinds suits or dense, the only ones to start from")
    network = make_network(NETWORKS[kind].config(encoder=encoder, **shape))
    state = {name: torch.from_numpy(array.copy()) for name, array in _state(network, tensors, path).items()}
    network.load_state_dict(state)
    return network.eval(), {"players": int(metadata[PLAYERS_KEY]), "rules": [], "samples": 0, "exported": True}


def _state(
    network: nn.Module, tensors: dict[str, NDArray[np.float32]], path: str | Path
) -> dict[str, NDArray[np.float32]]:
    """Return the weights of a network from those of its file."""
    scale = _stem_scale(tensors)
    state: dict[str, NDArray[np.float32]] = {}
    for name, value in network.state_dict().items():
        layer, _, what = name.rpartition(".")
        if name in tensors:
            state[name] = tensors[name]
        elif name in ("kind", "stem.weight"):
            # The exporter does not name weights that it has multiplied by the factors.
            multiplied = next(array for array in tensors.values() if array.shape == tuple(value.shape))
            state[name] = multiplied / (scale if name == "kind" else scale[..., None])
        elif layer.endswith("_norm"):
            state[name] = _norm(value, what, tensors.get(f"{layer.removesuffix('_norm')}.weight_bias"))
            if layer == "stem_norm" and what == "weight":
                state[name] = scale.reshape(-1)
        else:
            raise NetworkError(f"{path} lacks the weights {name!r}: start from the file of floats")
    return state


def _stem_scale(tensors: dict[str, NDArray[np.float32]]) -> NDArray[np.float32]:
    """Return the factors (channels, 1, 1) of the first layer's normalisation."""
    width = len(tensors.get("position.bias", ()))
    shapes = [array for array in tensors.values() if array.shape == (width, 1, 1)]
    return shapes[0] if shapes else np.ones((1, 1, 1), np.float32)


def _norm(value: Tensor, what: str, bias: NDArray[np.float32] | None) -> NDArray[np.float32]:
    """Return a normalisation that only adds the bias of the convolution before it."""
    if what == "running_var":  # the divisor is the root of this plus a small number
        return np.full(tuple(value.shape), 1 - nn.BatchNorm2d(1).eps, np.float32)
    if what == "weight":
        return np.ones(tuple(value.shape), np.float32)
    if what == "bias" and bias is not None:
        return bias
    return np.zeros(tuple(value.shape), np.int64 if what == "num_batches_tracked" else np.float32)
