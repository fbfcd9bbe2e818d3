"""Shanten and its tables against independent searches."""

from __future__ import annotations

import os
from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from janshi.compiling import Int8, Int64, batched, rule
from janshi.core import shanten_tables as tables
from janshi.core.bits import bit_count
from janshi.core.hands import counts_of_text
from janshi.core.shanten import AS_IT_IS, NOT_HELD
from janshi.core.shanten_tables import WEIGHTS, ShantenTables, shanten_tables
from janshi.riichi.hands import shanten, ukeire_arrays, waits
from tests.claims import cases_of


def state_of(text: str, calls: int, players: int) -> str:
    if shanten(text, calls, players) < 0:
        return "complete"
    return "waiting" if counts_of_text(text).sum() % 3 == 1 and waits(text, calls, players) else "neither"


@cache
def complete_hands(sets: int, players: int) -> NDArray[np.int8]:
    """Return every complete standard hand of a number of sets, by trying all choices of sets and pair."""
    kinds = [kind for kind in range(34) if players == 4 or not 1 <= kind <= 7]
    shapes = [(kind, kind, kind) for kind in kinds]
    shapes += [
        (kind, kind + 1, kind + 2)
        for kind in kinds
        if kind < 27 and kind % 9 < 7 and all(kind + more in kinds for more in (1, 2))
    ]
    blocks = np.array([np.bincount(shape, minlength=34) for shape in shapes], np.int8)
    chosen = np.array(list(combinations_with_replacement(range(len(blocks)), sets)), np.int64)
    held = blocks[chosen].sum(axis=1, dtype=np.int8)
    hands = np.concatenate([held + 2 * np.eye(34, dtype=np.int8)[kind] for kind in kinds])
    return hands[(hands <= 4).all(axis=1)]


def random_hands(number: int, tiles: int, players: int, seed: int, spread: float = 0.5) -> NDArray[np.int8]:
    """Return hands from walls without some kinds, so that full and one-suited hands occur."""
    rng = np.random.default_rng(seed)
    hands = np.zeros((number, 34), np.int8)
    for hand in hands:
        kinds = [kind for kind in range(34) if players == 4 or not 1 <= kind <= 7]
        present = rng.choice(kinds, size=int(rng.integers(6, max(7, int(len(kinds) * spread)))), replace=False)
        np.add.at(hand, rng.choice(np.repeat(present, 4), size=tiles, replace=False), 1)
    return hands


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("sets", [0, 1, 2])
@pytest.mark.parametrize("more", [1, 2])
def test_small_hands_have_the_shanten_of_a_search_of_all_complete_hands(players: int, sets: int, more: int) -> None:
    hands = random_hands(250, 3 * sets + more, players, seed=sets)
    targets = complete_hands(sets, players)
    expected = [int(np.maximum(targets - hand, 0).sum(axis=1).min()) - 1 for hand in hands]
    assert shanten(hands, calls=4 - sets, players=players).tolist() == expected


@pytest.mark.parametrize("players", [3, 4])
def test_larger_hands_have_the_shanten_of_a_search_of_all_complete_hands(players: int) -> None:
    hands = random_hands(12, 10, players, seed=5, spread=0.3)
    targets = complete_hands(3, players)
    expected = [int(np.maximum(targets - hand, 0).sum(axis=1).min()) - 1 for hand in hands]
    assert shanten(hands, calls=1, players=players).tolist() == expected


def test_a_suit_s_distances_equal_a_search_of_its_sets() -> None:
    rng = np.random.default_rng(3)
    packed = tables._distances(9, runs=True)
    runs = [np.bincount(range(k, k + 3), minlength=9) for k in range(7)]
    blocks = np.array([*3 * np.eye(9, dtype=np.int64), *runs])
    for sets in range(4):
        chosen = list(combinations_with_replacement(range(16), sets))
        held = np.array([blocks[list(choice)].sum(axis=0) if choice else np.zeros(9, np.int64) for choice in chosen])
        paired = np.concatenate([held + 2 * np.eye(9, dtype=np.int64)[kind] for kind in range(9)])
        for form, targets in ((sets, held), (5 + sets, paired)):
            possible = targets[(targets <= 4).all(axis=1)]
            for counts in rng.integers(0, 5, (40, 9)):
                expected = np.maximum(possible - counts, 0).sum(axis=1).min()
                assert packed[counts @ np.array(WEIGHTS[:9])] >> (4 * form) & 15 == expected


def test_classes_fit_the_tables() -> None:
    record: Any = shanten_tables()[0]
    classes = {int(record[name].max()) for name in ("suit", "honours", "ends")}
    assert max(classes) == 139
    assert int(record["joined"].max()) == 214


@rule
def count_of_bits(mask: Int64) -> Int8:
    return bit_count(int(mask))


count_bits = batched(count_of_bits)


def test_bits_are_counted() -> None:
    rng = np.random.default_rng(1)
    masks = np.array([0, (1 << 34) - 1, 1 << 33, *rng.integers(0, 1 << 34, 200).tolist()])
    assert count_bits(masks).tolist() == [mask.bit_count() for mask in masks.tolist()]


@pytest.mark.parametrize(*cases_of("riichi-shapes", "complete and waiting hands"))
def test_complete_and_waiting(text: str, calls: int, players: int, state: str) -> None:
    assert state_of(text, calls, players) == state


def test_special_forms_need_a_closed_hand() -> None:
    assert shanten("1133m5577p1122s3z") == 0
    assert shanten("11m33p55s1122z3z", calls=1) == 2, "five pairs do not count"


def test_kinds_not_held_are_marked() -> None:
    table = ukeire_arrays(np.stack([counts_of_text("123m456p789s11155z"), counts_of_text("123m456p789s1115z")]))
    held = counts_of_text("123m456p789s11155z") > 0
    assert ((table.shanten[0, :AS_IT_IS] != NOT_HELD) == held).all()
    assert table.shanten[0, AS_IT_IS] == -1
    assert (table.shanten[1, :AS_IT_IS] == NOT_HELD).all()
    assert not table.accepted[0, :AS_IT_IS][~held].any()


# ---------------------------------------------------------------------------------------------------------
# The file of tables


def test_tables_are_saved_loaded_and_rebuilt(tmp_path: Path) -> None:
    path = tmp_path / "tables.npz"
    assert tables._load(path) is None
    built = tables.build()
    tables._save(path, built)
    assert [file.name for file in tmp_path.iterdir()] == ["tables.npz"]
    loaded = tables._load(path)
    assert loaded is not None
    assert np.asarray(loaded).tobytes() == np.asarray(built).tobytes()
    assert path.stat().st_size < 500_000


@pytest.mark.parametrize("damage", ["empty", "short", "flipped", "other", "shape"])
def test_damaged_tables_are_not_loaded(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "tables.npz"
    tables._save(path, shanten_tables())
    saved = path.read_bytes()
    middle = len(saved) // 2
    if damage == "shape":
        np.savez_compressed(path, **{name: np.zeros(3, np.uint8) for name in ShantenTables.__annotations__})
    else:
        damaged = {
            "empty": b"",
            "short": saved[:middle],
            "flipped": saved[:middle] + bytes([saved[middle] ^ 255]) + saved[middle + 1 :],
            "other": b"no archive at all",
        }
        path.write_bytes(damaged[damage])
    assert tables._load(path) is None


def test_a_first_use_builds_and_saves_the_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JANSHI_CACHE", str(tmp_path))
    monkeypatch.setattr(tables, "_tables", None)
    first = tables.shanten_tables()
    assert (tmp_path / f"hand-tables-{tables.VERSION}.npz").exists()
    assert tables.shanten_tables() is first


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables._save(tmp_path / "absent" / "tables.npz", shanten_tables())

    def full(*_: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(os, "replace", full)
    tables._save(tmp_path / "tables.npz", shanten_tables())
    assert list(tmp_path.iterdir()) == []
