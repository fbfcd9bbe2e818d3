"""Write the generated sources of the page: drawings of all tiles, and names and examples of the yaku.

    python tools/make_tiles.py

Run it after a change of ``janshi/drawing/tiles.svg`` or `janshi.riichi.hands.yaku`; tests fail otherwise.
"""

from __future__ import annotations

import json
from pathlib import Path

from janshi.drawing.tiles import sprite
from janshi.files import replacing
from janshi.riichi.hands.yaku import YAKU
from janshi.riichi.page.examples import EXAMPLES
from janshi.riichi.rules.yaku import YakuId
from janshi.tiles import parse_tiles, to_mjai

_WEB = Path(__file__).parents[1] / "web" / "src"
TILES = _WEB / "tiles.svg"
NAMES = _WEB / "riichi" / "yaku.ts"


def yaku_names() -> str:
    """Return the page's module with the names, han and examples of the yaku."""
    lines = [
        "/**",
        " * The yaku by their numbers: romaji, English, Japanese, han of closed and open hands (13: yakuman, 0: none),",
        " * the tiles of an example, if there is one, and Chinese. Written by tools/make_tiles.py.",
        " */",
        "export const YAKU: readonly (readonly [string, string, string, number, number, string, string])[] = [",
    ]
    for number in YakuId:
        yaku = YAKU[number]
        japanese = yaku.japanese.replace(" ", "").replace("１３", "十三")
        example = " ".join(map(to_mjai, parse_tiles(EXAMPLES[number]))) if number in EXAMPLES else ""
        row = [yaku.name, yaku.english, japanese, yaku.closed, yaku.open, example, yaku.chinese.replace(" ", "")]
        lines.append(f"  {json.dumps(row, ensure_ascii=False)},")
    return "\n".join([*lines, "];", ""])


def main() -> None:
    """Write the files."""
    for path, text in ((TILES, sprite(numerals=True)), (NAMES, yaku_names())):
        with replacing(path) as part:
            part.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
