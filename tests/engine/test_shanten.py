"""The tables and rules of the hand's arithmetic against searches that know nothing of them."""

from __future__ import annotations

import os
from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pytest
from numpy.typing import NDArray

from janshi.compiling import Batch, Int8s, entry
from janshi.engine import tables
from janshi.engine.shanten import AS_IT_IS, NOT_HELD, bit_count, is_complete, waits_mask
from janshi.engine.tables import WEIGHTS, Lookup, lookup
from janshi.hands.counts import counts_of_text
from janshi.hands.shanten import shanten, ukeire_arrays

Int64Rows = Annotated[NDArray[np.int64], "int64[:,:]"]


@entry
def completes(lookups: Batch[Lookup], hands: Int64Rows, sets: int, sanma: bool, out: Int8s) -> None:
    for number in range(len(hands)):
        man, pin, sou = int(hands[number, 0]), int(hands[number, 1]), int(hands[number, 2])
        honours, ge1, ge2 = int(hands[number, 3]), int(hands[number, 4]), int(hands[number, 5])
        complete = is_complete(lookups[0], man, pin, sou, honours, ge1, ge2, sets, sanma)
        waiting = waits_mask(lookups[0], man, pin, sou, honours, ge1, ge2, sets, sanma) != 0
        out[number] = (1 if complete else 0) + (2 if waiting else 0)


def numbers_of(counts: NDArray[Any]) -> NDArray[np.int64]:
    """The six numbers that the rules take, of each hand."""
    weighted = counts.astype(np.int64) * np.array(WEIGHTS)
    bits = 1 << np.arange(34)
    suits = [weighted[:, first : first + 9].sum(axis=1) for first in (0, 9, 18, 27)]
    return np.stack([*suits, (counts > 0) @ bits, (counts > 1) @ bits], axis=1)


def state_of(text: str, calls: int = 0, players: int = 4) -> str:
    out = np.zeros(1, np.int8)
    completes(lookup(), numbers_of(counts_of_text(text)[None]), 4 - calls, players == 3, out)
    return ("neither", "complete", "waiting")[int(out[0])]


@cache
def complete_hands(sets: int, players: int) -> NDArray[np.int8]:
    """Every complete standard hand of so many sets, by trying all choices of sets and pair."""
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
    """Hands from walls in which some kinds are left out, so that full and one-suited hands occur."""
    rng = np.random.default_rng(seed)
    hands = np.zeros((number, 34), np.int8)
    for hand in hands:
        kinds = [kind for kind in range(34) if players == 4 or not 1 <= kind <= 7]
        some = rng.choice(kinds, size=int(rng.integers(6, max(7, int(len(kinds) * spread)))), replace=False)
        np.add.at(hand, rng.choice(np.repeat(some, 4), size=tiles, replace=False), 1)
    return hands


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("sets", [0, 1, 2])
@pytest.mark.parametrize("more", [1, 2])
def test_small_hands_lack_what_a_search_of_all_complete_hands_says(players: int, sets: int, more: int) -> None:
    hands = random_hands(250, 3 * sets + more, players, seed=sets)
    targets = complete_hands(sets, players)
    expected = [int(np.maximum(targets - hand, 0).sum(axis=1).min()) - 1 for hand in hands]
    assert shanten(hands, calls=4 - sets, players=players).tolist() == expected


@pytest.mark.parametrize("players", [3, 4])
def test_larger_hands_lack_what_a_search_of_all_complete_hands_says(players: int) -> None:
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
        held = np.array([blocks[list(one)].sum(axis=0) if one else np.zeros(9, np.int64) for one in chosen])
        paired = np.concatenate([held + 2 * np.eye(9, dtype=np.int64)[kind] for kind in range(9)])
        for form, targets in ((sets, held), (5 + sets, paired)):
            possible = targets[(targets <= 4).all(axis=1)]
            for counts in rng.integers(0, 5, (40, 9)):
                expected = np.maximum(possible - counts, 0).sum(axis=1).min()
                assert packed[counts @ np.array(WEIGHTS[:9])] >> (4 * form) & 15 == expected


def test_classes_fit_the_tables() -> None:
    record: Any = lookup()[0]
    classes = {int(record[name].max()) for name in ("suit", "honours", "ends")}
    assert max(classes) == 139
    assert int(record["joined"].max()) == 214


def test_bits_are_counted() -> None:
    rng = np.random.default_rng(1)
    for mask in [0, (1 << 34) - 1, 1 << 33, *rng.integers(0, 1 << 34, 200).tolist()]:
        out = np.zeros(1, np.int8)
        count_bits(mask, out)
        assert int(out[0]) == mask.bit_count()


@entry
def count_bits(mask: int, out: Int8s) -> None:
    out[0] = bit_count(mask)


@pytest.mark.parametrize(
    ("text", "calls", "players", "state"),
    [
        ("123m456p789s11155z", 0, 4, "complete"),
        ("11m22p33s1122334z", 0, 4, "waiting"),
        ("11m22p33s11223344z", 0, 4, "complete"),
        ("1111m22p33s112233z", 0, 4, "neither"),
        ("19m19p19s12345677z", 0, 3, "complete"),
        ("19m19p19s1234567z", 0, 3, "waiting"),
        ("111999m11p", 2, 3, "complete"),
        ("1199m", 3, 3, "waiting"),
        ("55p", 4, 4, "complete"),
        ("5p", 4, 4, "waiting"),
        ("1111m", 3, 4, "neither"),
        ("22m", 4, 4, "complete"),
    ],
)
def test_complete_and_waiting(text: str, calls: int, players: int, state: str) -> None:
    assert state_of(text, calls, players) == state


def test_special_forms_need_a_closed_hand() -> None:
    seven_pairs = numbers_of(counts_of_text("11m22p33s11223344z")[None])
    out = np.zeros(1, np.int8)
    completes(lookup(), seven_pairs, 3, False, out)
    assert int(out[0]) == 0


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
    assert [one.name for one in tmp_path.iterdir()] == ["tables.npz"]
    loaded = tables._load(path)
    assert loaded is not None
    assert np.asarray(loaded).tobytes() == np.asarray(built).tobytes()
    assert path.stat().st_size < 500_000


@pytest.mark.parametrize("damage", ["empty", "short", "flipped", "other", "shape"])
def test_damaged_tables_are_not_taken(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "tables.npz"
    tables._save(path, lookup())
    whole = path.read_bytes()
    middle = len(whole) // 2
    if damage == "shape":
        np.savez_compressed(path, **{name: np.zeros(3, np.uint8) for name in Lookup.__annotations__})
    else:
        damaged = {
            "empty": b"",
            "short": whole[:middle],
            "flipped": whole[:middle] + bytes([whole[middle] ^ 255]) + whole[middle + 1 :],
            "other": b"no archive at all",
        }
        path.write_bytes(damaged[damage])
    assert tables._load(path) is None


def test_a_first_use_builds_and_saves_the_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JANSHI_CACHE", str(tmp_path))
    monkeypatch.setattr(tables, "_tables", None)
    first = tables.lookup()
    assert (tmp_path / f"hand-tables-{tables.VERSION}.npz").exists()
    assert tables.lookup() is first


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables._save(tmp_path / "absent" / "tables.npz", lookup())

    def full(*_: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(os, "replace", full)
    tables._save(tmp_path / "tables.npz", lookup())
    assert list(tmp_path.iterdir()) == []
