"""Details of the rules at constructed tables: one claim, one test."""

import dataclasses

import pytest

from janshi.riichi.actions import Action
from janshi.riichi.legal import winning_kinds
from janshi.riichi.rules import TENHOU
from janshi.riichi.state import EVENTS, Offer
from tests.rules.tables import (
    FOUR_WINDS,
    HAND,
    JUNK,
    SANMA_HAND,
    TENPAI,
    call,
    call_four_winds,
    call_two_dragons,
    do,
    make_table,
    may,
    offer,
    texts,
    throw,
    throws,
    tile,
    win_four_winds,
)

# ---------------------------------------------------------------------------------------------------------
# Riichi, furiten, kans


def test_passing_a_kita_is_furiten():
    table = make_table(SANMA_HAND, ["159p159s12356z4z", "222z456p789s11s44z"], "5z", replacements="1s")
    do(table, 0, Action.KITA)
    do(table, 1, Action.PASS)
    assert int(table.state.hands[1].missed) == 1
    offer(table, 0, "1s")
    assert table.actor == 1, "1s can be ponned"
    assert not may(table, Action.RON)


def test_kinds_on_which_a_seat_could_win_have_a_yaku_and_no_furiten():
    state = make_table(HAND, [JUNK, TENPAI]).state
    assert winning_kinds(state, 0) == 0
    assert winning_kinds(state, 1) == 1 << tile("1z")
    state.claimed = Offer.KAKAN  # of another tile: the yaku of robbing it does not count
    assert winning_kinds(state, 1) == 1 << tile("1z")
    assert int(state.claimed) == Offer.KAKAN
    state.seats[1].accepted = 1
    assert winning_kinds(state, 1) == 1 << tile("1z") | 1 << tile("9s")
    state.hands[1].missed = 2
    assert winning_kinds(state, 1) == 0


def test_riichi_needs_no_more_tiles_than_the_rules_say():
    # 69 tiles are left once the dealer has drawn.
    for least, allowed in ((69, True), (70, False)):
        table = make_table(dataclasses.replace(HAND, riichi_least_tiles=least), [TENPAI], "5z")
        assert may(table, Action.RIICHI) == allowed


def test_riichi_needs_no_more_points_than_the_rules_say():
    for least, start, allowed in ((1_000, 1_000, True), (1_000, 900, False), (0, 0, True)):
        table = make_table(dataclasses.replace(HAND, riichi_least_points=least, start=start), [TENPAI], "5z")
        assert may(table, Action.RIICHI) == allowed


def test_a_closed_kans_indicator_can_wait_for_the_discard():
    rules = dataclasses.replace(HAND, closed_kan_dora_at_once=False)
    table = make_table(rules, ["1111m234p567s567z"], "2z", dora="1s2s", replacements="3z")
    do(table, 0, Action.ANKAN)
    assert int(table.state.shown) == 1
    throw(table, 0, "3z")
    assert int(table.state.shown) == 2


def test_no_fifth_kan_by_a_call():
    table = make_table(HAND, ["1111m2222m3333m4m", "444z159p159s1235z"], "4m", replacements="4m4m4z")
    for kind in ("1m", "2m", "3m", "4m"):
        do(table, 0, Action.ANKAN + tile(kind))
    offer(table, 0, "4z")
    assert (table.actor, texts(table)) == (1, ["pon", "pass"])


def test_the_red_five_of_an_added_kan_counts():
    table = make_table(HAND, ["", "55p234m678s99m23s1z"], "5p6z7z7z0p", replacements="4s")
    call(table, 0, "5p", 1, Action.PON)
    throw(table, 1, "1z")
    throws(table, 2, "6z7z7z")
    do(table, 1, Action.KAKAN + tile("5p"))
    assert int(table.state.seats[1].melds[0].reds) == 1
    do(table, 1, Action.TSUMO)
    assert int(table.state.wins[0].value.red) == 1


# ---------------------------------------------------------------------------------------------------------
# Payments and the end of the game


def win_with_four_kans(table, kinds, liable):
    """Let seat 1 make closed kans of these kinds and win by self-draw; ``liable`` has pao for four kans."""
    throw(table, 0, "5z")
    table.state.seats[1].pao_kans = liable
    for kind in kinds:
        do(table, 1, Action.ANKAN + tile(kind))
    do(table, 1, Action.TSUMO)
    return table.result.change


@pytest.mark.parametrize(
    ("part_only", "change"), [(False, (-64_000, 64_000, 0, 0)), (True, (-48_000, 64_000, -8_000, -8_000))]
)
def test_the_pao_seat_of_four_kans_pays_all_yakuman_or_this_one_by_its_rule(part_only, change):
    # Four kans, and four concealed triplets.
    rules = dataclasses.replace(HAND, pao_part_only=part_only)
    table = make_table(rules, ["", "1111m2222m3333m4m"], "5z4m", replacements="4m4m4z4z")
    assert win_with_four_kans(table, ("1m", "2m", "3m", "4m"), 0) == change


def test_pao_for_four_kans_alone_is_not_lost_by_four_winds():
    table = make_table(HAND, ["", "1111z2222z3333z4z"], "5z4z", replacements="4z4z5m5m")
    # Four kans, four winds and four concealed triplets.
    assert win_with_four_kans(table, ("1z", "2z", "3z", "4z"), 2) == (0, 96_000, -96_000, 0)


@pytest.mark.parametrize("liable", [0, 2])
def test_any_seat_can_have_pao_for_four_winds(liable):
    table = make_table(HAND, *FOUR_WINDS)
    call_four_winds(table)
    table.state.seats[1].pao_winds = liable
    do(table, 1, Action.TSUMO)
    assert int(table.state.wins[0].pao) == liable


def test_what_a_win_is_paid_does_not_depend_on_the_win_of_an_earlier_hand():
    table = make_table(HAND, *FOUR_WINDS)
    win_four_winds(table)
    change = table.result.change
    table = make_table(HAND, *FOUR_WINDS)
    before = table.state.wins[0]
    before.points = 8000
    for seat, points in enumerate((-8000, 8000, 0, 0)):
        before.change[seat] = points
    win_four_winds(table)
    assert table.result.change == change
    assert int(table.state.wins[0].points) == change[1]


def test_after_a_hand_no_seat_has_an_action():
    table = make_table(HAND, ["555z234m567p345s1p"], "1p")
    do(table, 0, Action.TSUMO)
    assert table.hand_over
    assert (table.legal, int(table.state.actor)) == ([], -1)
    assert [int(word) for word in table.state.legal] == [0, 0, 0]


@pytest.mark.parametrize(("points", "over"), [(2_600, False), (2_500, True)])
def test_zero_points_are_not_below_zero(points, over):
    # A closed hand with a dragon and a dora, 40 fu: the dealer takes 2,600 from each.
    table = make_table(TENHOU, ["555z234m567p345s1p"], "6z6z7z7z1p", dora="1m")
    table.state.seats[3].points = points
    throws(table, 0, "6z6z7z7z")
    do(table, 0, Action.TSUMO)
    assert table.scores[3] == points - 2_600
    assert int(table.state.over) == over


def test_a_dealer_among_several_winners_keeps_the_deal():
    deals = ["46s234m567p11m555z", JUNK, "46s234p567m99p666z", JUNK]
    table = make_table(TENHOU, deals, "7z5s")
    throw(table, 0, "7z")
    call(table, 1, "5s", 2, Action.RON)
    do(table, 0, Action.RON)
    assert [int(table.state.wins[number].seat) for number in range(2)] == [2, 0], "in the order of their turns"
    table.next_hand()
    assert (int(table.state.dealer), int(table.state.honba)) == (0, 1)


def test_honba_of_a_self_draw_are_paid_by_each():
    table = make_table(TENHOU, ["", "555z234m567p345s1p"], "6z1p")
    table.state.honba = 2
    throw(table, 0, "6z")
    do(table, 1, Action.TSUMO)
    points = int(table.state.wins[0].points)
    assert int(table.state.wins[0].change[1]) == points + 600
    assert int(table.state.wins[0].change[2]) == int(table.state.wins[0].change[3])
    assert table.state.wins[0].change.sum() == 0


def test_a_full_log_takes_no_more_events():
    table = make_table(HAND, ["", "556677z123m9m18p9s"], "5z6z")
    table.state.logged = EVENTS
    call_two_dragons(table)
    assert int(table.state.logged) == EVENTS
