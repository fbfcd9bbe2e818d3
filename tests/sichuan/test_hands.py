"""Hand tools of Sichuan mahjong: shanten and ukeire under a void suit, errors, and the command."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest
from typer.testing import CliRunner

from janshi.agents import agent
from janshi.cli import app
from janshi.compiling import row as record_of
from janshi.compiling import zeros
from janshi.review.advising import question_of
from janshi.riichi.hands import HandError
from janshi.sichuan.actions import Action
from janshi.sichuan.hands import score as sichuan_hands
from janshi.sichuan.hands.circumstances import check_circumstances
from janshi.sichuan.hands.score import (
    fan,
    hand_record,
    is_complete,
    new_hands,
    own_tiles,
    ukeire,
    ukeire_arrays,
    value_hands,
    value_waits,
    waits,
)
from janshi.sichuan.hands.ukeire import AS_IT_IS, NOT_HELD, Ukeire
from janshi.sichuan.rules import SICHUAN
from janshi.sichuan.say.values import read_win
from janshi.sichuan.state import Phase
from janshi.table import Tables
from janshi.tiles import format_tiles, parse_tiles, tile_text
from tests.claims import cases_of


def random_hands(count: int, tiles: int, seed: int) -> np.ndarray:
    """Return random hands, some of one or two suits, with pungs and a void suit."""
    chooser = random.Random(seed)
    hands = new_hands(count)
    for number in range(count):
        suits = chooser.choice(([0], [0, 1], [1, 2], [0, 1, 2]))
        pool = [kind for suit in suits for kind in range(9 * suit, 9 * suit + 9) for _ in range(4)]
        melds = chooser.randrange(3)
        for kind in chooser.sample(sorted(set(pool)), melds):
            hands["pungs"][number] |= 1 << kind
            for _ in range(3):
                pool.remove(kind)
        hand = chooser.sample(pool, tiles - 3 * melds)
        hands["counts"][number] = np.bincount(hand, minlength=27)
        hands["void"][number] = chooser.choice((-1, 0, 1, 2))
    return hands


def complete_within(hands: np.ndarray, depth: int) -> np.ndarray:
    """Return whether a number of draws and discards can complete hands of 14 tiles, by trying all of them."""
    if depth == 0:
        return np.asarray(value_hands(with_winning_tile(hands))["points"] > 0)
    done = np.zeros(len(hands), np.bool_)
    for number, hand in enumerate(hands):
        following = []
        for out in np.flatnonzero(hand["counts"]):
            for into in range(27):
                if int(own_tiles(hands[number : number + 1])[0, into]) < 4 and into != out:
                    changed = hand.copy()
                    changed["counts"][out] -= 1
                    changed["counts"][into] += 1
                    following.append(changed)
        done[number] = bool(complete_within(np.array(following), depth - 1).any())
    return done


def with_winning_tile(hands: np.ndarray) -> np.ndarray:
    named = hands.copy()
    named["kind"] = (named["counts"] > 0).argmax(axis=1)
    return named


def test_shanten_is_the_least_number_of_draws_by_brute_force() -> None:
    hands = random_hands(400, 14, 1)
    hands = hands[hands["void"] >= 0]
    shanten = ukeire_arrays(hands)["shanten"][:, AS_IT_IS]
    assert np.array_equal(shanten < 0, complete_within(hands, 0))
    near = hands[shanten <= 1][:60]
    assert len(near) >= 20
    by_trying = complete_within(near, 1) | complete_within(near, 0)
    assert np.array_equal(ukeire_arrays(near)["shanten"][:, AS_IT_IS] <= 0, by_trying)


def test_waits_are_the_kinds_that_complete_the_hand() -> None:
    hands = random_hands(600, 13, 2)
    points = value_waits(hands)
    accepted = ukeire_arrays(hands)
    count = 0
    for number in range(len(hands)):
        held = own_tiles(hands[number : number + 1])[0]
        for kind in range(27):
            added = hands[number : number + 1].copy()
            added["counts"][0, kind] += 1
            added["kind"] = kind
            complete = held[kind] < 4 and bool(value_hands(added)["points"][0])
            assert complete == bool(points[number, kind])
            count += complete
        if hands["void"][number] >= 0 and points[number].any():
            assert int(accepted["shanten"][number, AS_IT_IS]) == 0
            mask = int(accepted["accepted"][number, AS_IT_IS])
            assert [kind for kind in range(27) if mask >> kind & 1] == np.flatnonzero(points[number]).tolist()
    assert count > 20


def test_accepted_kinds_are_those_whose_draw_lowers_the_shanten() -> None:
    hands = random_hands(120, 13, 3)
    hands = hands[hands["void"] >= 0]
    table = ukeire_arrays(hands)
    for number in range(len(hands)):
        held = own_tiles(hands[number : number + 1])[0]
        now = int(table["shanten"][number, AS_IT_IS])
        lowering = 0
        left = 0
        for kind in range(27):
            if held[kind] < 4:
                added = hands[number : number + 1].copy()
                added["counts"][0, kind] += 1
                if int(ukeire_arrays(added)["shanten"][0, AS_IT_IS]) < now:
                    lowering |= 1 << kind
                    left += 4 - int(held[kind])
        assert int(table["accepted"][number, AS_IT_IS]) == lowering
        assert int(table["left"][number, AS_IT_IS]) == left


def test_with_tiles_of_the_void_suit_these_alone_are_discards() -> None:
    rows = ukeire("123456m1155p789s3s", void="s")
    assert {tile_text(row.discard) for row in rows if row.discard is not None} == {"3s", "7s", "8s", "9s"}
    table = ukeire_arrays(hand_record("123456m1155p789s3s", void="s"))[0]
    assert sorted(np.flatnonzero(table["shanten"][:27] != NOT_HELD).tolist()) == [20, 24, 25, 26]
    assert not table["accepted"][:20].any()
    assert not table["left"][:20].any()


def test_slots_of_other_kinds_are_cleared() -> None:
    out = zeros(Ukeire, 1)
    for name in ("shanten", "left", "accepted"):
        out[name] = 9
    sichuan_hands._ukeire_all(hand_record("123456m1155p789s3s", void="s"), out)
    assert [int(out[name][0, 0]) for name in ("shanten", "left", "accepted")] == [NOT_HELD, 0, 0]


@pytest.mark.parametrize("hand", ["1111222334p5689s", "11335577p12399s4p"])
def test_each_discard_leaves_the_hand_without_its_tile(hand: str) -> None:
    rows = ukeire(hand, void="m")
    assert sorted(row.discard for row in rows if row.discard is not None) == sorted(set(parse_tiles(hand)))
    for row in rows:
        assert row.discard is not None
        rest = parse_tiles(hand)
        rest.remove(row.discard)
        (alone,) = ukeire(format_tiles(rest), visible=tile_text(row.discard), void="m")
        assert (row.shanten, row.accepted, row.left) == (alone.shanten, alone.accepted, alone.left)


@pytest.mark.parametrize(*cases_of("sichuan-shapes", "waits"))
def test_waits(tiles: str, pungs: list[str], void: str | None, expected: str) -> None:
    assert format_tiles(waits(tiles, pungs=pungs, void=void)) == expected


@pytest.mark.parametrize(*cases_of("sichuan-shapes", "shanten and accepted kinds"))
def test_ukeire(tiles: str, pungs: list[str], void: str, shanten: int, accepted: str) -> None:
    (hand,) = ukeire(tiles, pungs=pungs, void=void)
    assert (hand.shanten, format_tiles(hand.accepted)) == (shanten, accepted)


def test_a_hand_of_three_suits_waits_for_nothing_of_value() -> None:
    assert not value_waits(hand_record("123456m789p1199s")).any()
    assert value_waits(hand_record("123456789m1199s")).any()


def test_visible_tiles_are_not_left() -> None:
    assert ukeire("123456m1155578p", visible="6669p")[0].left == ukeire("123456m1155578p")[0].left - 4


def test_a_triplet_is_not_two_pairs() -> None:
    assert not is_complete("111233557799m11p")


def test_melds_count_with_the_concealed_tiles() -> None:
    held = own_tiles(hand_record("123456m9s", pungs=["777m"], kongs=["9999m"]))[0]
    assert held[:9].tolist() == [1, 1, 1, 1, 1, 1, 3, 0, 4]


@pytest.mark.parametrize(*cases_of("messages", "waits have the value of the complete hand"))
def test_waits_have_the_value_of_the_complete_hand(
    tiles: str, pungs: tuple[str, ...], kongs: tuple[str, ...]
) -> None:
    found = waits(tiles, pungs=pungs, kongs=kongs)
    assert len(found) >= 2
    for kind, value in found.items():
        assert value == fan(tiles + tile_text(kind), pungs=pungs, kongs=kongs)
    points = value_waits(hand_record(tiles, pungs=pungs, kongs=kongs))[0]
    assert {kind: int(points[kind]) for kind in np.flatnonzero(points)} == {
        kind: value.points for kind, value in found.items()
    }


def seen(visible: np.ndarray) -> np.ndarray:
    return ukeire_arrays(hand_record("1122334455667m"), visible)


def changed(**fields: object) -> np.ndarray:
    """Return a complete hand with other values in some fields."""
    hand = hand_record("11122233344455m")
    hand["kind"] = 0
    for name, value in fields.items():
        hand[name] = value
    return hand


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: waits("123456789m12399s"), "a tile to discard"),
        (lambda: ukeire("123456m1155578p9s"), "say which is void"),
        (lambda: ukeire("123456789m1239s", void="x"), "void is 'm', 'p' or 's'"),
        (lambda: ukeire("1111456789m123s", visible="1m"), "more than four"),
        (lambda: value_hands(np.zeros(2)), "SichuanHand records"),
        (lambda: value_hands(new_hands(1)), "hand 0 of the array is no hand"),
        (lambda: value_waits(new_hands(2)), "hand 0 of the array is no hand"),
        (lambda: ukeire_arrays(new_hands(1)), "hand 0 of the array is no hand: 13 or 14"),
        (lambda: seen(np.full((1, 27), -1)), "visible tiles: counts are 0 to 4"),
        (lambda: seen(np.full((1, 27), 5)), "visible tiles: counts are 0 to 4"),
        (lambda: seen(np.full((1, 27), 99)), "visible tiles: counts are 0 to 4"),
        (lambda: seen(np.zeros((1, 27))), "whole numbers .1, 27.: .* float64"),
        (lambda: seen(np.zeros((2, 27), int)), r"int64 \(2, 27\)"),
        (lambda: seen(np.zeros((1, 34), int)), r"int64 \(1, 34\)"),
        (lambda: value_hands(changed(kind=27)), "the winning one among the concealed"),
        (lambda: value_hands(changed(void=3)), "void is 0"),
        (lambda: value_hands(changed(void=-2)), "void is 0"),
        (lambda: value_hands(changed(pungs=1 << 27)), "hand 0 of the array: pungs is a mask within 0x7ffffff"),
        (lambda: value_waits(changed(kongs=-1)), "kongs is a mask within 0x7ffffff, not -1"),
        (lambda: value_hands(changed(circumstances=1)), "circumstances is a mask within 0x18fc0, not 1"),
        (lambda: value_hands(changed(circumstances=1 << 12)), "circumstances is a mask"),
        (lambda: value_hands(changed(counts=np.array([5, *[3] * 3, *[0] * 23]))), "at most four of a kind"),
    ],
)
def test_invalid_hands_are_refused(call: object, words: str) -> None:
    with pytest.raises(HandError, match=words):
        call()  # type: ignore[operator]


def test_circumstances_of_every_win_of_a_game_may_come_together() -> None:
    tables, player = Tables("sichuan", 100, seeds=3), agent("efficient")
    sources = set()
    for _ in range(200):
        batch = tables.decisions()
        for number in np.flatnonzero(batch.legal[:, Action.WIN]):
            hand, view = record_of(new_hands(1)), record_of(batch.views, number)
            read_win(view, hand)
            check_circumstances(hand, SICHUAN, view.phase == Phase.TURN)
            sources |= {fan.name for fan in question_of(batch.part([number]))["win"].fans}
        tables.step(np.asarray(player.act(batch), np.int16))
    assert {"after_kong", "kong_discard", "robbing", "last_tile"} <= sources


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["hand", *arguments, "--rules", "sichuan"])
    return result.exit_code, result.output


def test_the_command_shows_ukeire_waits_and_value() -> None:
    code, text = run("123456m1155578p9s", "--void", "s", "--json")
    assert (code, json.loads(text)["discards"][0]["left"]) == (0, 8)
    code, text = run("1122334455667m", "--json")
    assert (code, json.loads(text)["waits"]["7m"]["points"]) == (0, 16)
    code, text = run("11m", "--meld", "555p", "--meld", "7777p", "--meld", "333m", "--kan", "1111p")
    assert code == 0
    assert "4 fan: 16 points" in text
    code, text = run("123456m12399s", "--kan", "8888m", "--tsumo", "--rinshan", "--last", "--json")
    assert (code, json.loads(text)["fan"]) == (0, 3)
    for tiles, shanten in (("123456m1155578p9s", "tenpai"), ("1122334455667m", "tenpai"), ("147m258p369s1247m", "3-")):
        code, text = run(tiles, "--void", "s")
        assert (code, text.lstrip().startswith(shanten)) == (0, True), text


@pytest.mark.parametrize(
    "arguments",
    [["12m"], ["123456m1155578p9s"], ["123456789m12399s", "--riichi"], ["123456789m12399s", "--rinshan"], ["1z"]],
)
def test_the_command_refuses_in_one_line(arguments: list[str]) -> None:
    code, text = run(*arguments)
    assert code == 2
    assert text.startswith("janshi hand: ")
    assert text.count("\n") == 1


def test_riichi_hands_have_no_void_suit() -> None:
    result = CliRunner().invoke(app, ["hand", "123m406p789s1122z", "--void", "m"])
    assert result.exit_code == 2
    assert "--void is not for riichi" in result.output
