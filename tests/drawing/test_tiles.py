"""Tile faces: complete, distinct, drawn without fonts."""

import gzip
from io import BytesIO
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from janshi.drawing.tiles import HEIGHT, NAMES, WIDTH, sprite, symbols, tile_svg
from janshi.tiles import TileError, parse_tiles

ROOT = Path(__file__).parents[2]
SVG = "{http://www.w3.org/2000/svg}"
REDS = ("0m", "0p", "0s")


def pixels(tile, width=60, numerals=False):
    resvg = pytest.importorskip("resvg_py", reason="looks at pixels, which needs resvg-py")
    image = pytest.importorskip("PIL.Image", reason="looks at pixels, which needs Pillow")
    png = resvg.svg_to_bytes(svg_string=tile_svg(tile, numerals=numerals), width=width)
    return np.asarray(image.open(BytesIO(bytes(png))).convert("RGB")).astype(int)


def reddish(picture):
    red, green, blue = (picture[..., channel] for channel in range(3))
    return (red > 180) & (green < 90) & (blue < 90)


def test_every_tile_and_the_back_have_a_name():
    assert len(NAMES) == len(set(NAMES)) == 38
    assert sorted(tile for name in NAMES[:-1] for tile in parse_tiles(name)) == list(range(37))


@pytest.mark.parametrize("numerals", [False, True])
@pytest.mark.parametrize("tile", NAMES)
def test_a_tile_is_well_formed(tile, numerals):
    root = ElementTree.fromstring(tile_svg(tile, numerals=numerals))
    assert root.get("viewBox") == f"0 0 {WIDTH} {HEIGHT}"
    assert bool(root.findall(f"{SVG}g[@class='tile-index']")) == (numerals and tile != "back")


def test_an_unknown_tile_is_refused():
    with pytest.raises(TileError, match="'8z' is no tile: there are 1m, 2m"):
        tile_svg("8z")


def test_the_sprite_has_a_symbol_for_every_tile():
    found = [one.get("id") for one in ElementTree.fromstring(sprite()).iter(f"{SVG}symbol")]
    assert found == [f"tile-{name}" for name in NAMES]


def test_all_references_of_a_drawing_exist():
    for text in (sprite(), *(f'<svg xmlns="{SVG[1:-1]}">{symbols([name])}</svg>' for name in NAMES)):
        root = ElementTree.fromstring(text)
        ids = [one.get("id") for one in root.iter() if one.get("id")]
        assert len(ids) == len(set(ids))
        assert {one.get("href") for one in root.iter(f"{SVG}use")} <= {f"#{one}" for one in ids}


def test_the_sprite_needs_no_fonts_and_no_gradients():
    tags = {one.tag.removeprefix(SVG) for one in ElementTree.fromstring(sprite()).iter()}
    assert tags <= {"svg", "defs", "symbol", "g", "path", "circle", "rect", "use"}


def test_the_sprite_is_small():
    assert len(sprite().encode()) < 40_000
    assert len(gzip.compress(sprite().encode())) < 12_000


def test_the_page_has_the_current_drawings():
    file = ROOT / "web" / "src" / "tiles.svg"
    assert file.read_text(encoding="utf-8") == sprite(), f"{file} is stale: run python tools/make_tiles.py"


@pytest.mark.parametrize("width", [30, 60])
def test_all_tiles_look_different(width):
    drawn = {name: pixels(name, width) for name in NAMES}
    least = 0.01 * width * width * HEIGHT / WIDTH
    for one, other in combinations(NAMES, 2):
        differing = (np.abs(drawn[one] - drawn[other]).max(axis=-1) > 60).sum()
        assert differing > least, f"{one} and {other} differ in {differing} pixels at width {width}"


@pytest.mark.parametrize("tile", REDS)
def test_a_red_five_is_red(tile):
    red, plain = pixels(tile), pixels(f"5{tile[1]}")
    assert reddish(red).mean() > 1.5 * reddish(plain).mean() > -1
    dark = (red.max(axis=-1) < 150).mean()
    assert dark < 0.02, "a red five has nothing but red on it"


@pytest.mark.parametrize("tile", NAMES[:-1])
def test_a_numeral_changes_the_picture(tile):
    assert (np.abs(pixels(tile) - pixels(tile, numerals=True)).max(axis=-1) > 60).mean() > 0.02
