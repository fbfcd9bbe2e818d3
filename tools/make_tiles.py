"""Write the generated sources of the page: drawings of all tiles, and names of the yaku.

    python tools/make_tiles.py

Run it after a change of ``janshi/drawing/tiles.svg`` or `janshi.riichi.yaku`; tests fail otherwise.
"""

from __future__ import annotations

import json
from pathlib import Path

from janshi.drawing.tiles import sprite
from janshi.files import replacing
from janshi.riichi.yaku import YAKU

_WEB = Path(__file__).parents[1] / "web" / "src"
TILES = _WEB / "tiles.svg"
NAMES = _WEB / "riichi" / "yaku.ts"


def yaku_names() -> str:
    """Return the page's module with the names of the yaku."""
    lines = [
        "/** Names of the yaku by their numbers: romaji, English, Japanese. Written by tools/make_tiles.py. */",
        "export const YAKU: readonly (readonly [string, string, string])[] = [",
    ]
    for yaku in YAKU:
        japanese = yaku.japanese.replace(" ", "").replace("１３", "十三")
        lines.append(f"  {json.dumps([yaku.name, yaku.english, japanese], ensure_ascii=False)},")
    return "\n".join([*lines, "];", ""])


def main() -> None:
    """Write the files."""
    for path, text in ((TILES, sprite(numerals=True)), (NAMES, yaku_names())):
        with replacing(path) as part:
            part.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
