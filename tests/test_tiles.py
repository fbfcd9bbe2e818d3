"""Tiles: every conversion in both directions, and errors."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from janshi import tiles


@pytest.mark.parametrize("tile", range(tiles.TILES))
def test_every_tile_survives_each_notation(tile: int) -> None:
    assert tiles.parse_tiles(tiles.tile_text(tile)) == [tile]
    assert tiles.from_tenhou(tiles.to_tenhou(tile)) == tile
    assert tiles.from_mjai(tiles.to_mjai(tile)) == tile


@given(st.lists(st.integers(0, tiles.TILES - 1), max_size=20))
def test_text_of_a_hand_reads_back_sorted(hand: list[int]) -> None:
    assert tiles.parse_tiles(tiles.format_tiles(hand)) == sorted(hand, key=tiles.sort_key)


@pytest.mark.parametrize("text", ["8z", "0z", "12", "m", "1x", "12 3m"])
def test_invalid_tile_text_is_refused(text: str) -> None:
    with pytest.raises(tiles.TileError):
        tiles.parse_tiles(text)


@pytest.mark.parametrize("number", [0, 10, 20, 48, 50, 54, 60])
def test_invalid_numbers_are_refused(number: int) -> None:
    with pytest.raises(tiles.TileError):
        tiles.from_tenhou(number)


@pytest.mark.parametrize("name", ["", "0m", "5zr", "EE", "10p", "Q"])
def test_invalid_names_are_refused(name: str) -> None:
    with pytest.raises(tiles.TileError):
        tiles.from_mjai(name)


def test_ids_know_the_red_fives() -> None:
    assert [tiles.tile_of_id(identity) for identity in (16, 17, 52, 88)] == [34, 4, 35, 36]
    assert tiles.tile_of_id(16, reds=False) == 4
    with pytest.raises(tiles.TileError):
        tiles.tile_of_id(136)
