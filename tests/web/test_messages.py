"""The browser's types are made from the schema."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest

pytest.importorskip("pydantic")

from janshi.web.messages import schema

MADE = Path(__file__).parents[2] / "web" / "src" / "messages.ts"


def test_the_browsers_types_are_those_of_the_schema() -> None:
    told = re.search(r"Schema: (\w+)", MADE.read_text())
    digest = hashlib.sha256(json.dumps(schema(), sort_keys=True).encode()).hexdigest()[:16]
    assert told is not None
    assert told[1] == digest, "run `npm run messages` in web/ and commit web/src/messages.ts"
