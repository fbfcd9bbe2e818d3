"""The first lesson: its answers are the engine's, and all of it works by clicks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from janshi.riichi.hands import HandError, Score, score, shanten, ukeire, waits
from janshi.tiles import format_tiles, from_mjai, kind_of
from tests.web.conftest import Opened

STEPS_FILE = Path(__file__).parents[2] / "web" / "src" / "lesson" / "steps.json"
STEPS: dict[str, dict[str, Any]] = {step["name"]: step for step in json.loads(STEPS_FILE.read_text())}
SMALL_PHONE = (390, 844)


def kinds(text: str) -> list[int]:
    """Return the kinds of tiles written as in the lesson."""
    return [kind_of(from_mjai(name.strip("~+"))) for name in text.split() if name != "|"]


def text_of(text: str) -> str:
    """Return these tiles in the notation of the hand tools."""
    return format_tiles(kinds(text))


def parts(hand: str) -> tuple[str, list[str]]:
    """Return the closed tiles of a hand and its called sets."""
    groups = hand.split(" | ")
    return text_of(" ".join(each for each in groups if "~" not in each)), [
        text_of(each) for each in groups if "~" in each
    ]


def ron(hand: str, **more: Any) -> Score:
    """Return the value of an open hand for a ron by a player whose wind is South, on the tile set apart."""
    closed, melds = parts(hand)
    won = next(tile for tile in hand.split() if tile.startswith("+"))
    return score(closed, text_of(won), melds=melds, **{"seat": "S", **more})


@pytest.mark.parametrize(
    ("name", "answer"), [("hand", STEPS["hand"]["right"]), ("waits", STEPS["waits"]["right"]), ("win", None)]
)
def test_the_tiles_that_complete_the_hand_are_its_waits(name: str, answer: str | None) -> None:
    found = waits(text_of(STEPS[name]["shown"][0]))
    assert from_mjai("8p") in found if answer is None else sorted(kinds(answer)) == found


def test_the_first_hand_is_complete() -> None:
    assert shanten(text_of(STEPS["goal"]["shown"][0])) == -1


def test_only_the_useless_discard_leaves_the_hand_tenpai() -> None:
    best = [row for row in ukeire(text_of(STEPS["turn"]["pick"])) if row.shanten == 0]
    assert [row.discard for row in best] == kinds(STEPS["turn"]["right"])
    assert format_tiles(best[0].accepted) == "69m"  # as the answer says


def test_the_tile_to_call_is_the_only_pair() -> None:
    hand = kinds(STEPS["calls"]["shown"][0])
    assert [kind for kind in kinds(STEPS["calls"]["pick"]) if hand.count(kind) >= 2] == kinds(STEPS["calls"]["right"])


def test_only_the_right_hand_has_a_yaku() -> None:
    wrong, right = STEPS["yaku"]["hands"]
    assert STEPS["yaku"]["right"] == 1
    with pytest.raises(HandError, match="no yaku"):
        ron(wrong)
    assert [yaku.name for yaku, _ in ron(right).yaku] == ["haku"]


def test_tanyao_has_no_terminals_and_honours() -> None:
    outside = [kind for kind in kinds(STEPS["tanyao"]["pick"]) if kind >= 27 or kind % 9 in (0, 8)]
    assert sorted(outside) == sorted(kinds(STEPS["tanyao"]["right"]))


def test_only_the_right_hand_may_declare_riichi() -> None:
    may = []
    for number, hand in enumerate(STEPS["riichi"]["hands"]):
        closed, melds = parts(hand)
        tenpai = shanten(closed, calls=len(melds)) == 0
        assert tenpai == (number != 2)
        may += [number] * (tenpai and not melds)
    assert may == [STEPS["riichi"]["right"]]
    assert format_tiles(waits(parts(STEPS["riichi"]["hands"][1])[0])) == "58p"


def test_the_furiten_hand_has_discarded_the_other_wait() -> None:
    hand, river = STEPS["furiten"]["shown"]
    wins = waits(text_of(hand))
    assert from_mjai("5p") in wins
    assert set(wins) & set(kinds(river)) == {from_mjai("8p")}


def test_the_table_of_points_is_that_of_30_fu() -> None:
    hand, indicator = STEPS["points"]["shown"]
    for han, points, dealer in STEPS["points"]["points"]:
        dora = "1m" * (han - 1)
        for seat, told in (("S", points), ("E", dealer)):
            value = ron(hand, dora=dora, seat=seat)
            assert (value.han, value.fu, value.points) == (han, 30, told)
    value = ron(hand, dora=text_of(indicator))
    assert [(yaku.name, han) for yaku, han in value.yaku] == [("tanyao", 1), ("dora", 2)]
    assert value.points == 3900
    assert STEPS["points"]["right"] == value.han - 1  # the buttons are one to three han


@pytest.mark.later
def test_the_whole_lesson_by_clicks_on_a_phone(open_page: Opened) -> None:
    page = open_page(SMALL_PHONE)
    page.click("a[href='#/lesson']")
    for number, step in enumerate(STEPS.values(), 1):
        page.wait_for_selector(f"text={number} of {len(STEPS)}")
        assert page.evaluate("document.documentElement.scrollWidth") <= SMALL_PHONE[0]
        if number > 1:
            page.wait_for_selector("h1:focus")
        answer(page, step)
        if number < len(STEPS):
            page.click(".lesson-nav .primary")
    page.go_back()
    page.wait_for_selector(".lesson-nav .primary")  # the exercise is still answered
    page.go_forward()
    page.click(".lesson button.primary")
    page.wait_for_selector(".board")
    page.wait_for_selector(".advice")  # a hint without a key
    assert page.evaluate("JSON.parse(localStorage['janshi.settings']).coach") == "always"


def answer(page: Any, step: dict[str, Any]) -> None:
    """Give a wrong answer, then the right ones; no answer moves the buttons below."""
    if "right" not in step:
        return
    buttons = page.locator(".lesson-tiles button, .lesson-options button")
    if "pick" in step:
        tiles = step["pick"].split()
        right = [at for at, tile in enumerate(tiles) if tile in step["right"].split()]
    else:
        right = [step["right"]]
    wrong = next(at for at in range(buttons.count()) if at not in right)
    before = page.locator(".lesson-nav").bounding_box()
    for at in [wrong, *right]:
        assert page.query_selector(".lesson-nav .primary") is None
        buttons.nth(at).focus()
        page.keyboard.press("Enter")
        said = page.locator(".lesson [role=status]")
        assert said.locator("strong").inner_text() == ("No." if at == wrong else "Right.")
        assert len(said.inner_text()) > len("Right. ")
    assert page.locator(".lesson-nav").bounding_box() == before
