"""Files of arrays."""

from pathlib import Path

import numpy as np
import pytest

from janshi.players import PLAYERS
from janshi.riichi.rules import preset
from janshi.table import Tables
from janshi.tensors import read_tensors, write_tensors
from janshi.worth.placement import PlacementModel

ARRAYS = {"halves": np.arange(6, dtype=np.float16).reshape(2, 3), "counts": np.array([1, -2], np.int32)}


def test_arrays_and_metadata_are_read_as_written(tmp_path):
    write_tensors(ARRAYS, tmp_path / "file", {"version": "1"})
    arrays, metadata = read_tensors(tmp_path / "file")
    assert metadata == {"version": "1"}
    assert arrays.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert (arrays[name] == array).all()
        assert (arrays[name].dtype, arrays[name].shape) == (array.dtype, array.shape)


def test_the_package_safetensors_reads_the_file(tmp_path):
    numpy = pytest.importorskip("safetensors.numpy")
    write_tensors(ARRAYS, tmp_path / "file")
    assert (numpy.load_file(tmp_path / "file")["halves"] == ARRAYS["halves"]).all()


@pytest.mark.parametrize("content", [b"", b"nothing", b"\x02" + bytes(7) + b"[]", b"\x0a" + bytes(7) + b'{"a": {}} '])
def test_other_files_are_refused(tmp_path, content):
    (tmp_path / "file").write_bytes(content)
    with pytest.raises((ValueError, OSError)):
        read_tensors(tmp_path / "file")


def test_a_model_of_an_earlier_version_is_read(tmp_path):
    """It is an archive of NumPy."""
    tables = Tables(preset("tenhou"), 2)
    shipped = PlacementModel(tables.rules)
    arrays, _ = read_tensors(Path(PLAYERS["sl4"]).with_name("placement-4.safetensors"))
    np.savez(tmp_path / "old.npz", **arrays)
    places = PlacementModel(tables.rules, tmp_path / "old.npz").places(tables.states)
    assert (places == shipped.places(tables.states)).all()
