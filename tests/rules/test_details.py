"""Details of the rules at constructed tables: one claim, one test."""

import dataclasses

import pytest

from janshi.riichi.actions import Action
from janshi.riichi.legal import winning_kinds
from janshi.riichi.rules import M_LEAGUE, TENHOU
from janshi.riichi.state import EVENTS, Offer, Phase
from janshi.tiles import ORPHANS, parse_tiles, tile_text
from tests.rules.tables import (
    FOUR_WINDS,
    HAND,
    JUNK,
    SANMA_HAND,
    TENPAI,
    THREE_DRAGONS,
    call,
    call_four_winds,
    call_two_dragons,
    do,
    drift,
    make_table,
    may,
    offer,
    texts,
    throw,
    throws,
    tile,
    win_four_winds,
    win_three_dragons,
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


def test_without_a_north_there_is_no_kita():
    table = make_table(SANMA_HAND, ["159p159s12356z19m"], "7z")
    assert not may(table, Action.KITA)


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


def test_the_pao_seat_pays_the_honba_of_a_ron():
    table = make_table(HAND, *THREE_DRAGONS)
    table.state.honba = 2
    win_three_dragons(table)
    assert table.result.change == (-16_000, 32_600, 0, -16_600)


def last_hand_drawn(rules, points: list[int], deposits: int):
    """Return the last hand of a game after an exhaustive draw without tenpai seats."""
    table = make_table(rules, ["147m258p369s1234z", JUNK, JUNK, JUNK])
    table.state.kyoku, table.state.deposits = 7, deposits
    for seat, amount in enumerate(points):
        table.state.seats[seat].points = amount
    drift(table, until=-1)
    assert int(table.state.phase) == Phase.GAME_OVER
    return table


def test_remaining_sticks_go_to_the_first_place_or_are_lost():
    points = [24_000, 33_000, 21_000, 20_000]
    table = last_hand_drawn(TENHOU, points, deposits=2)
    assert table.scores == [24_000, 35_000, 21_000, 20_000]
    assert int(table.state.deposits) == 0
    table = last_hand_drawn(dataclasses.replace(TENHOU, first_takes_deposits=False), points, deposits=2)
    assert table.scores == points
    assert int(table.state.deposits) == 2


def test_a_leading_dealer_who_is_tenpai_stops_the_game_at_a_nagashi_mangan_too():
    dealer = "234m567p345s88m68s"
    orphans = [kind for kind in ORPHANS for _ in range(4)]
    simples = [kind for kind in range(27) if kind not in ORPHANS for _ in range(3 if kind % 9 == 4 else 4)]
    for kind in parse_tiles(dealer):
        simples.remove(kind)
    draws = [orphans.pop() if turn % 4 == 1 else simples.pop() for turn in range(70)]
    for stops in (True, False):
        rules = dataclasses.replace(TENHOU, dealer_stops_tenpai=stops)
        table = make_table(rules, [dealer], "".join(map(tile_text, draws)))
        table.state.kyoku = 7
        table.state.seats[0].points = 60_000
        drift(table, until=-1)
        assert table.result.reason == "nagashi mangan"
        assert int(table.state.hands[0].waits) != 0
        assert (int(table.state.phase) == Phase.GAME_OVER) == stops


def paid_by_noten(tenpai: int) -> tuple[int, ...]:
    """Return the payments of an exhaustive draw with a number of tenpai seats, from seat 0 on."""
    ready = ["234m567p345s7766z", "111333m22p888p99p", "444666m22s777s88s", "444p111s999s1122z"]
    rules = dataclasses.replace(HAND, red_fives=(0, 0, 0))
    table = make_table(rules, [*ready[:tenpai], *[JUNK] * (4 - tenpai)])
    drift(table, until=-1)
    assert table.result.reason == "exhaustive draw"
    return table.result.change


def test_noten_payments_are_shared():
    assert paid_by_noten(0) == (0, 0, 0, 0)
    assert paid_by_noten(2) == (1_500, 1_500, -1_500, -1_500)
    assert paid_by_noten(3) == (1_000, 1_000, 1_000, -3_000)
    assert paid_by_noten(4) == (0, 0, 0, 0)


def test_a_pao_seat_that_deals_in_pays_all():
    table = make_table(HAND, ["", "556677z123m9m18p9s"], "5z6z1z7z3z9m")
    win_three_dragons(table, discarder=3)
    assert table.result.change == (0, 32_000, 0, -32_000)
    assert int(table.state.wins[0].pao) == -1, "he pays as the discarder"


def third_dragon_from_the_dealer(draws: str):
    """Return a table: seat 1 has called three dragons, the last from seat 0, and waits for 9m; two honba."""
    table = make_table(HAND, ["", "556677z123m9m18p9s"], "5z6z1z1z7z" + draws)
    table.state.honba = 2
    call_two_dragons(table)
    throws(table, 2, "1z1z")
    call(table, 0, "7z", 1, Action.PON)
    throw(table, 1, "8p")
    return table


def test_the_pao_seat_pays_for_all_and_all_honba_of_a_self_draw():
    table = third_dragon_from_the_dealer("3z3z3z9m")
    throws(table, 2, "3z3z3z")
    do(table, 1, Action.TSUMO)
    assert table.result.change == (-32_600, 32_600, 0, 0)


def test_the_pao_seat_shares_a_ron_with_the_discarder_whatever_their_seats():
    table = third_dragon_from_the_dealer("9m")
    call(table, 2, "9m", 1, Action.RON)
    assert table.result.change == (-16_600, 32_600, -16_000, 0)
    assert int(table.state.wins[0].points) == 32_000


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


def test_the_pao_seat_of_three_dragons_pays_a_yakuman_where_it_pays_for_no_other():
    table = make_table(dataclasses.replace(HAND, pao_part_only=True), *THREE_DRAGONS)
    win_three_dragons(table)
    assert table.result.change == (-16_000, 32_000, 0, -16_000)


def test_sticks_that_three_firsts_share_are_dealt_out_by_hundreds():
    # 2,000 points among three are 600 each; the first two in the order of dealing get 100 each of the remaining 200.
    table = last_hand_drawn(M_LEAGUE, [31_000, 31_000, 5_000, 31_000], deposits=2)
    assert table.scores == [31_700, 31_700, 5_000, 31_600]


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
    table = make_table(HAND, *THREE_DRAGONS)
    table.state.logged = EVENTS
    call_two_dragons(table)
    assert int(table.state.logged) == EVENTS
