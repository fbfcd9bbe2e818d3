"""The built page in the package matches the sources and the schema, and is small."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from pathlib import Path

import pytest

WEB = Path(__file__).parents[2] / "web"
STATIC = Path(__file__).parents[2] / "src" / "janshi" / "web" / "static"

pytestmark = pytest.mark.skipif(not STATIC.is_dir(), reason="the page is not built (npm run build in web/)")


def is_source(path: Path) -> bool:
    return path.is_file() and not re.search(r"\.test\.tsx?$", path.name) and "fixtures" not in path.parts


def test_the_built_page_matches_the_sources() -> None:
    names = ["index.html", "package-lock.json", "vite.config.ts"]
    names += [path.relative_to(WEB).as_posix() for path in (WEB / "src").rglob("*") if is_source(path)]
    digest = hashlib.sha256()
    for name in sorted(names):
        digest.update(f"{name}\n".encode() + (WEB / name).read_bytes())
    told = re.search(r'name="sources" content="(\w+)"', (STATIC / "index.html").read_text())
    assert told is not None
    assert told[1] == digest.hexdigest()[:16], "run `npm run build` in web/ and commit src/janshi/web/static"


def test_the_page_is_one_script_and_one_style_sheet_of_less_than_300_kilobytes() -> None:
    files = [path for path in STATIC.rglob("*") if path.is_file()]
    assert sorted(path.relative_to(STATIC).as_posix() for path in files) == [
        "assets/app.css",
        "assets/app.js",
        "index.html",
    ]
    assert sum(len(gzip.compress(path.read_bytes())) for path in files) < 300_000


def test_the_browsers_types_match_the_schema() -> None:
    pytest.importorskip("pydantic")
    from janshi.web.messages import schema

    told = re.search(r"Schema: (\w+)", (WEB / "src" / "messages.ts").read_text())
    digest = hashlib.sha256(json.dumps(schema(), sort_keys=True).encode()).hexdigest()[:16]
    assert told is not None
    assert told[1] == digest, "run `npm run messages` in web/ and commit web/src/messages.ts"
