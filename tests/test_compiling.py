"""Compiling: what is kept stays in its folder, whoever comes first."""

import os
import subprocess
import sys

import pytest

from janshi.compiling import PLAIN

_PROGRAM = """
import time
from concurrent.futures import ThreadPoolExecutor
from janshi import compiling
from janshi.compiling import Int64s, entry
import numpy as np

made = compiling._dispatcher

def slowly(function, **options):
    # The second is still at it when the first is done.
    time.sleep(0.2 if function.__name__ == "first" else 0.6)
    return made(function, **options)

compiling._dispatcher = slowly

@entry
def first(values: Int64s) -> None:
    values[0] = 1

@entry
def second(values: Int64s) -> None:
    values[0] = 2

def call(one):
    values = np.zeros(1, np.int64)
    one(values)
    return int(values[0])

with ThreadPoolExecutor(2) as pool:
    print(list(pool.map(call, (first, second))))
"""


@pytest.mark.skipif(PLAIN, reason="nothing is compiled")
def test_threads_that_load_at_once_write_into_the_cache_alone(tmp_path):
    (tmp_path / "here").mkdir()
    (tmp_path / "program.py").write_text(_PROGRAM)
    done = subprocess.run(
        [sys.executable, str(tmp_path / "program.py")],
        cwd=tmp_path / "here",
        env={**os.environ, "JANSHI_CACHE": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[1, 2]"
    assert list((tmp_path / "here").iterdir()) == []
    written = list(tmp_path.rglob("*.nbi"))
    assert len(written) == 2
    assert all(path.is_relative_to(tmp_path / "cache") for path in written)
