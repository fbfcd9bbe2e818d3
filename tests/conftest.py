"""Real records for the tests, where they are."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

# A run in the background of a script ignores SIGINT, and so would the commands that tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
# One thread of torch for each of the processes that share the cores: waiting threads make training ten times slower.
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OMP_NUM_THREADS", "1")


@pytest.fixture(scope="session")
def records() -> Path:
    """The folder of real records."""
    folder = Path(os.environ.get("JANSHI_RECORDS", Path(__file__).parents[2] / "shared" / "records"))
    if not folder.is_dir():
        pytest.skip("no records")
    return folder
