"""Records for the tests of reviews: real ones where they are."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def records() -> Path:
    """The folder of real records."""
    folder = Path(os.environ.get("JANSHI_RECORDS", Path(__file__).parents[3] / "shared" / "records"))
    if not folder.is_dir():
        pytest.skip("no records")
    return folder
