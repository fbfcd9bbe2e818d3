"""Shanten, waits and ukeire of single hands and arrays."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from janshi.core.hands import counts_of_text
from janshi.riichi.hands import DiscardUkeire, HandError, shanten, ukeire, ukeire_arrays, waits
from janshi.tiles import format_tiles
from tests.claims import cases_of

RECORDS = Path(os.environ.get("JANSHI_RECORDS", Path(__file__).parents[3] / "shared" / "records")) / "shanten"


@st.composite
def hands(draw: st.DrawFn, more: int = 1) -> tuple[NDArray[np.int8], int, int]:
    """Draw counts, calls and players of a hand of 3n + more tiles, from few kinds for low shanten."""
    players = draw(st.sampled_from([3, 4]))
    calls = draw(st.integers(0, 4))
    kinds = [kind for kind in range(34) if players == 4 or not 1 <= kind <= 7]
    first = draw(st.integers(0, len(kinds) - 4))
    width = draw(st.integers(4, len(kinds) - first))
    size = 12 - 3 * calls + more
    pool = [kind for kind in kinds[first : first + width] for _ in range(4)]
    chosen = draw(st.permutations(pool))[:size]
    return np.bincount(chosen, minlength=34).astype(np.int8), calls, players


def drawn(counts: NDArray[np.int8], players: int) -> list[tuple[int, NDArray[np.int8]]]:
    """Yield every kind that can be drawn, with the resulting hand."""
    unit = np.eye(34, dtype=np.int8)
    kinds = [kind for kind in range(34) if counts[kind] < 4 and (players == 4 or not 1 <= kind <= 7)]
    return [(kind, counts + unit[kind]) for kind in kinds]


@settings(max_examples=300, deadline=None)
@given(hands())
def test_waits_are_the_kinds_that_complete(case: tuple[NDArray[np.int8], int, int]) -> None:
    counts, calls, players = case
    completing = [kind for kind, after in drawn(counts, players) if shanten(after, calls, players) == -1]
    assert waits(counts, calls, players) == completing
    assert (shanten(counts, calls, players) == 0) == bool(completing)


@settings(max_examples=150, deadline=None)
@given(hands(more=2), st.randoms(use_true_random=False))
def test_accepted_kinds_are_those_that_lower_shanten(case: tuple[NDArray[np.int8], int, int], chance: Any) -> None:
    counts, calls, players = case
    visible = np.array([chance.randint(0, 4 - int(held)) for held in counts], np.int8)
    found = ukeire(counts, visible, calls=calls, players=players)
    assert sorted(one.discard for one in found) == np.flatnonzero(counts).tolist()
    assert found == sorted(found, key=lambda one: (one.shanten, -one.left, one.discard))
    for one in found:
        rest = counts.copy()
        rest[one.discard] -= 1
        assert one.shanten == shanten(rest, calls, players)
        lowering = [kind for kind, after in drawn(rest, players) if shanten(after, calls, players) < one.shanten]
        assert list(one.accepted) == lowering
        assert one.left == sum(4 - int(counts[kind]) - int(visible[kind]) for kind in lowering)
        [same] = ukeire(rest, visible + (counts - rest), calls=calls, players=players)
        assert same == DiscardUkeire(None, one.shanten, one.accepted, one.left)


@settings(max_examples=100, deadline=None)
@given(hands(more=2))
def test_a_hand_with_a_draw_has_the_shanten_of_its_best_discard(case: tuple[NDArray[np.int8], int, int]) -> None:
    counts, calls, players = case
    best = ukeire(counts, calls=calls, players=players)[0].shanten
    assert shanten(counts, calls, players) in (best, best - 1)
    assert (shanten(counts, calls, players) == -1) == (best == 0 and shanten(counts, calls, players) < best)


def test_forms_are_distinguished() -> None:
    hand = "11m22p33s44s1155z9m9p"
    assert [shanten(hand, form=form) for form in ("standard", "pairs", "orphans")] == [3, 0, 7]
    assert shanten(hand) == 0


@pytest.mark.parametrize(*cases_of("riichi-shapes", "waits"))
def test_waits_of_known_hands(text: str, calls: int, players: int, expected: str) -> None:
    assert format_tiles(waits(text, calls, players)) == expected


def test_three_players_have_no_runs_in_man() -> None:
    assert shanten("19m", calls=4, players=3) == 0
    [best, *_] = ukeire("1119m1z", calls=3, players=3)
    assert (format_tiles([best.discard]), format_tiles(best.accepted)) == ("9m", "1z")
    [four] = ukeire("1111m", calls=3)
    [three] = ukeire("1111m", calls=3, players=3)
    assert four.shanten == three.shanten == 1
    assert set(four.accepted) - set(three.accepted) == set(range(1, 8))


def test_red_fives_are_fives() -> None:
    assert shanten("340m340p340s11122z") == shanten("345m345p345s11122z") == -1


def test_arrays_answer_as_single_hands_do() -> None:
    texts = ["123m456p789s1155z", "19m19p19s1234567z", "1112345678999m"]
    table = np.array([counts_of_text(text) for text in texts])
    assert shanten(table).tolist() == [shanten(text) for text in texts]
    assert shanten(table).dtype == np.int8
    assert [np.flatnonzero(one).tolist() for one in waits(table)] == [waits(text) for text in texts]
    found = ukeire_arrays(table)
    for text, shape, mask, left in zip(
        texts, found.shanten[:, 34], found.accepted[:, 34], found.left[:, 34], strict=True
    ):
        [one] = ukeire(text)
        assert (one.shanten, one.left) == (shape, left)
        assert sum(1 << kind for kind in one.accepted) == mask
    wider = np.zeros((6, 34), np.int64)
    wider[::2] = table
    assert shanten(wider[::2]).tolist() == shanten(table).tolist()
    assert shanten(table[0]) == shanten(table[0].tolist()) == shanten(texts[0])


@pytest.mark.parametrize("number", [np.int8, np.uint8, np.int64])
def test_numbers_of_numpy_are_numbers(number: Any) -> None:
    hand, calls = "123m456p11567z", number(1)
    assert shanten(hand, calls) == shanten(hand, 1)
    assert waits("1m", number(4), number(3)) == [0]
    assert ukeire(hand, calls=calls, players=number(4)) == ukeire(hand, calls=1)
    assert ukeire_arrays(counts_of_text(hand)[None], calls=calls).left.tolist()


def test_no_hands_are_no_error() -> None:
    none = np.zeros((0, 34), np.int8)
    assert shanten(none).shape == (0,)
    assert waits(none).shape == (0, 34)
    assert ukeire_arrays(none).left.shape == (0, 35)


def test_visible_tiles_for_all_hands_or_one_each() -> None:
    table = np.array([counts_of_text("123m456p78s11155z")] * 2)
    seen = np.stack([counts_of_text("6s"), counts_of_text("6699s")])
    assert ukeire_arrays(table, seen).left[:, 34].tolist() == [7, 4]
    assert ukeire_arrays(table, seen[0]).left[:, 34].tolist() == [7, 7]
    with pytest.raises(HandError, match="2 hands but 3 rows of visible tiles"):
        ukeire_arrays(table, np.zeros((3, 34), np.int8))


# ---------------------------------------------------------------------------------------------------------
# Impossible hands


@pytest.mark.parametrize(
    ("hand", "options", "words"),
    [
        *cases_of("messages", "impossible hands")[1],
        ([0] * 37, {}, r"shape \(37,\)"),
        (np.zeros(34), {}, "float64"),
        ([[1, 2], [3]], {}, "this is neither"),
        (np.full(34, 9), {}, "the hand holds 1m 9 times"),
        (np.full((2, 34), -1, np.int8), {}, "hand 0 of the array holds 1m -1 times"),
        (
            np.array([[4, 4, 4, 2] + [0] * 30, [4, 4, 6] + [0] * 31], np.int8),
            {},
            "hand 1 of the array holds 3m 6 times",
        ),
        (np.array([[4, 4, 4, 2] + [0] * 30, [300, 4, 6] + [0] * 31]), {}, "hand 1 of the array holds 1m 300 times"),
        (np.array([[4, 4, 4, 2] + [0] * 30, [4, 4] + [0] * 32]), {}, "hand 1 of the array has 8 tiles"),
    ],
)
def test_impossible_hands_are_named(hand: Any, options: dict[str, Any], words: str) -> None:
    with pytest.raises(HandError, match=words):
        shanten(hand, **options)


def test_waits_need_a_hand_without_a_draw() -> None:
    with pytest.raises(HandError, match="has 14 tiles: a hand waits with 13"):
        waits("123m456p789s11155z")
    with pytest.raises(HandError, match="has 12 tiles"):
        waits("123m456p789s111z")


def test_invalid_arguments_of_ukeire_are_named() -> None:
    with pytest.raises(HandError, match="more than four 1z: visible are discards"):
        ukeire("123m456p789s1155z", "111z")
    with pytest.raises(HandError, match="1z -1 times"):
        ukeire("123m456p789s1155z", np.array([0] * 27 + [-1] + [0] * 6, np.int8))
    with pytest.raises(HandError, match="use ukeire_arrays"):
        ukeire(np.zeros((2, 34), np.int8))
    with pytest.raises(HandError, match="'123m' has 3 tiles"):
        ukeire("123m")
    with pytest.raises(HandError, match="hand 0 of the array holds 1m 5 times"):
        ukeire_arrays(np.array([[5] + [0] * 33], np.int8), np.zeros(34, np.int8))


# ---------------------------------------------------------------------------------------------------------
# Oracles


@pytest.mark.skipif(not RECORDS.is_dir(), reason="no records")
@pytest.mark.parametrize("name", ["p_normal_10000", "p_koku_10000"])
def test_all_forms_equal_the_published_ones(name: str) -> None:
    rows = np.loadtxt(RECORDS / f"{name}.txt", dtype=np.int64)
    assert len(rows) == 10_000
    counts = np.stack([np.bincount(tiles, minlength=34) for tiles in rows[:, :14]])
    for column, form in ((14, "standard"), (15, "orphans"), (16, "pairs")):
        assert (shanten(counts, form=form) == rows[:, column]).all(), form
    assert (shanten(counts) == rows[:, 14:].min(axis=1)).all()


def random_hand(rng: np.random.Generator, kinds: int, players: int) -> tuple[NDArray[np.int64], int]:
    """Return tiles (kinds) and calls of a hand from a few kinds of the wall; from five kinds, with many quads."""
    there = [kind for kind in range(34) if players == 4 or not 1 <= kind <= 7]
    some = np.repeat(rng.choice(there, size=min(kinds, len(there)), replace=False), 4)
    calls = int(rng.integers(0, 5))
    return rng.choice(some, size=int(rng.integers(13, 15)) - 3 * calls, replace=False), calls


def of_mahjong() -> Callable[..., int]:
    calculator = pytest.importorskip("mahjong.shanten").Shanten()
    return lambda counts, calls, players: calculator.calculate_shanten(counts, not calls, not calls, players == 3)


def of_riichienv() -> Callable[..., int]:
    other = pytest.importorskip("riichienv")
    calculate = {3: other.calculate_shanten_3p, 4: other.calculate_shanten}
    return lambda counts, calls, players: calculate[players](
        [4 * kind + copy for kind in range(34) for copy in range(counts[kind])]
    )


@pytest.mark.parametrize("theirs", [of_mahjong, of_riichienv])
@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("kinds", [34, 12, 5])
def test_random_hands_equal_other_packages(kinds: int, players: int, theirs: Callable[[], Callable[..., int]]) -> None:
    calculate = theirs()
    rng = np.random.default_rng(kinds)
    for _ in range(500):
        tiles, calls = random_hand(rng, kinds, players)
        counts = np.bincount(tiles, minlength=34)
        expected = calculate(counts.tolist(), calls, players)
        assert shanten(counts, calls, players) == expected, format_tiles(tiles.tolist())
