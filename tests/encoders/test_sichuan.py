"""The encoder of Sichuan mahjong: ``tests/vectors/sichuan-encoder.json``, and agreement with the hand tools."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from janshi.sichuan.agents.heuristic import HeuristicAgent
from janshi.sichuan.encoder import COMMON, FEATURES, SICHUAN
from janshi.sichuan.hands import score as hands
from janshi.table import Table, Tables
from janshi.tiles import format_tiles
from tests.claims import Row, claims
from tests.sichuan.tables import SICHUAN_WORDS, table


def of_kinds(made: Table, what: str) -> str:
    """Return a number of each kind for the actor: the kinds by value, without 0."""
    first = SICHUAN.columns.index(f"1m {what}")
    row = SICHUAN.encode(made.decision())[0]
    kinds: dict[int, list[int]] = {}
    for kind in range(27):
        kinds.setdefault(int(row[first + FEATURES * kind]), []).append(kind)
    return ", ".join(f"{value}: {format_tiles(found)}" for value, found in sorted(kinds.items()) if value)


def of_position(made: Table, what: str) -> list[int]:
    """Return numbers of the position for the actor."""
    row = SICHUAN.encode(made.decision())[0]
    names = {what, *(f"{what} {place}" for place in range(1, 10))}
    return [int(value) for name, value in zip(SICHUAN.columns, row, strict=True) if name in names]


WORDS = dataclasses.replace(
    SICHUAN_WORDS,
    facts={
        "kinds": of_kinds,
        "numbers": of_position,
        "sum": lambda made: int(SICHUAN.encode(made.decision())[0, 27 * FEATURES :].sum()),
    },
)


@pytest.mark.parametrize("row", claims("sichuan-encoder"))
def test_numbers(row: Row) -> None:
    WORDS.check(row)


def test_every_number_is_nonzero_in_some_game() -> None:
    seen = np.zeros(len(SICHUAN.columns), np.bool_)
    assert len(seen) == 27 * FEATURES + COMMON
    player = HeuristicAgent()
    tables = Tables("sichuan-exchange", 600, 5)
    for step in range(160):
        batch = tables.decisions()
        packed = SICHUAN.encode(batch)
        assert packed.max() <= 16
        seen |= (packed > 0).any(axis=0)
        if step % 2:
            tables.step(player.act(batch))
        else:
            tables.play_random(1)
    assert [name for name, there in zip(SICHUAN.columns, seen, strict=True) if not there] == []


def test_the_discards_that_accept_most_are_those_of_least_shanten_with_the_most_tiles() -> None:
    random = np.random.default_rng(6)
    for _ in range(30):
        tiles = np.sort(random.permutation(72)[:14] // 4 + 9)
        made = table(["".join(f"{kind % 9 + 1}{'mps'[kind // 9]}" for kind in tiles.tolist()), "", "", ""], "mmmp")
        one = hands.new_hands(1)
        one["counts"][0] = np.bincount(tiles, minlength=27)
        (found,) = hands.ukeire_arrays(one)
        shanten, left = found["shanten"][:27], found["left"][:27]
        nearest = shanten == shanten.min()
        most = np.flatnonzero(nearest & (left == left[nearest].max()))
        assert of_kinds(made, "discard accepts most") == f"1: {format_tiles(most.tolist())}"
