"""Encoders of papers against references that follow a record's events: constructed, generated and real games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

import pytest

from janshi.riichi.records import Event, RiichiGame
from tests.encoders import gao_reference, long_reference, meowjong_reference
from tests.encoders.following import assert_met, own_games, peoples_games
from tests.laid_games import laid_game, sanma_game

CALLS = {"CHII", "PON", "DAIMINKAN", "ANKAN", "KAKAN"}


class Case(NamedTuple):
    """A comparison with a reference, and what the games must contain."""

    check: Callable[[RiichiGame, Counter[str]], None]
    laid: set[str]
    generated: dict[tuple[str, int, int], set[str]]  # by preset, walls and seed
    real: tuple[str, int]  # archives, and every how many-th game


MEOWJONG = {"red fives", "riichi seen", "second indicators", "honba", "deposits", "later rounds"}
LONG = {"red fives called", "late riichi", "called tiles", "later rounds"}
GAO = {"own calls in the past", "riichi in the past", "red fives in the past"}
CASES = {
    "meowjong": Case(
        meowjong_reference.check,
        MEOWJONG | CALLS | {"KITA", "ACCEPTED"},
        {("tenhou-sanma", 3, 4): {*MEOWJONG, "late calls", "KITA"}, ("tenhou", 2, 13): {*MEOWJONG, "late calls"}},
        ("*.zip", 1200),
    ),
    "gao": Case(gao_reference.check, GAO | CALLS, {("tenhou", 2, 13): GAO}, ("four-20*.zip", 2400)),
    "long": Case(long_reference.check, LONG | CALLS, {("tenhou", 2, 13): LONG}, ("four-*.zip", 2400)),
}
OF_ALL = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


@OF_ALL
def test_constructed_games_equal_the_reference(case: Case) -> None:
    met: Counter[str] = Counter()
    for name in ("calls", "fives", "riichi", "late riichi"):
        case.check(laid_game(name), met)
    if "KITA" in case.laid:
        case.check(sanma_game(), met)
    assert_met(met, case.laid, 0)


@OF_ALL
def test_generated_games_equal_the_reference(case: Case) -> None:
    for (name, walls, seed), wanted in case.generated.items():
        met: Counter[str] = Counter()
        for game in own_games(name, walls, seed):
            case.check(game, met)
        events = {event.name for event in Event} - {"CHII" if name == "tenhou-sanma" else "KITA"}
        assert_met(met, wanted | events, 1000)


@OF_ALL
def test_real_games_equal_the_reference(case: Case) -> None:
    met: Counter[str] = Counter()
    for game in peoples_games(*case.real):
        case.check(game, met)
    assert_met(met, set(), 1000)
