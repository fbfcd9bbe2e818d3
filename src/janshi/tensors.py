"""Files of arrays in the format of safetensors, read and written by NumPy alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.files import replacing

_TYPES: Final = {"F16": "<f2", "F32": "<f4", "F64": "<f8", "I32": "<i4", "I64": "<i8", "U8": "|u1"}
_METADATA: Final = "__metadata__"
#: Beginning of an ``.npz`` file, in which earlier versions stored models.
_ARCHIVE: Final = b"PK"


def write_tensors(
    arrays: Mapping[str, NDArray[Any]], path: str | Path, metadata: Mapping[str, str] | None = None
) -> None:
    """Write arrays by name, and texts by name as ``metadata``. Raises `OSError` if the file cannot be written."""
    names = {np.dtype(dtype): name for name, dtype in _TYPES.items()}
    header: dict[str, Any] = {_METADATA: dict(metadata)} if metadata else {}
    end = 0
    for name, array in arrays.items():
        begin, end = end, end + array.nbytes
        header[name] = {"dtype": names[array.dtype], "shape": array.shape, "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)  # the format aligns the arrays
    with replacing(path) as part:
        data = b"".join(array.tobytes() for array in arrays.values())
        part.write_bytes(len(text).to_bytes(8, "little") + text + data)


def read_tensors(path: str | Path) -> tuple[dict[str, NDArray[Any]], dict[str, str]]:
    """Return the arrays and the metadata of a file, of earlier versions also an ``.npz`` file, which has none.

    Raises `OSError` or `ValueError` if it cannot be read.
    """
    content = Path(path).read_bytes()
    if content.startswith(_ARCHIVE):
        with np.load(path) as file:
            return dict(file), {}
    try:
        start = 8 + int.from_bytes(content[:8], "little")
        header = json.loads(content[8:start])
        metadata = header.pop(_METADATA, {})
        return {name: _array(content[start:], entry) for name, entry in header.items()}, metadata
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"no file of safetensors: {error}") from None


def _array(data: bytes, entry: dict[str, Any]) -> NDArray[Any]:
    begin, end = entry["data_offsets"]
    array: NDArray[Any] = np.frombuffer(data[begin:end], _TYPES[entry["dtype"]]).reshape(entry["shape"])
    return array
