"""Real records for the tests, where they are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def records() -> Path:
    """The folder of real records."""
    folder = Path(os.environ.get("JANSHI_RECORDS", Path(__file__).parents[2] / "shared" / "records"))
    if not folder.is_dir():
        pytest.skip("no records")
    return folder
