"""Write the drawings of all tiles, which the table in the browser holds: web/src/tiles.svg.

    python tools/make_tiles.py

Run it after a change of `janshi.drawing.tiles`; a test says when it was forgotten.
"""

from __future__ import annotations

from pathlib import Path

from janshi.drawing.tiles import sprite
from janshi.files import replacing

TILES = Path(__file__).parents[1] / "web" / "src" / "tiles.svg"


def main() -> None:
    """Write the file."""
    with replacing(TILES) as part:
        part.write_text(sprite(numerals=True), encoding="utf-8")


if __name__ == "__main__":
    main()
