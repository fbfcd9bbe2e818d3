"""The rules at constructed tables: one claim, one test."""

import dataclasses

import pytest

from janshi.riichi.actions import Action
from janshi.riichi.rules import EMA, M_LEAGUE, MAHJONG_SOUL, TENHOU, TENHOU_SANMA, KanDora, Kuikae, Length
from janshi.riichi.state import MeldForm, Phase
from janshi.tiles import NORTH, ORPHANS, parse_tiles, tile_text
from tests.rules.tables import (
    FOUR_WINDS,
    HAND,
    JUNK,
    SANMA_HAND,
    TENPAI,
    call,
    closed_kans,
    do,
    drift,
    make_table,
    may,
    offer,
    pass_all,
    riichi,
    texts,
    three_dragons,
    throw,
    throws,
    tile,
    win_four_winds,
)

# ---------------------------------------------------------------------------------------------------------
# The wall


@pytest.mark.parametrize(("rules", "draws"), [(HAND, 70), (SANMA_HAND, 55)])
def test_the_number_of_draws_of_a_hand(rules, draws):
    table = make_table(rules, [""] * rules.players)
    assert int(table.state.left) == draws - 1, "the dealer has drawn"
    drift(table)
    while not table.hand_over:
        drift(table, until=-1)
    assert table.result.reason == "exhaustive draw"


def test_the_dealer_begins_and_turns_follow_the_order_of_seats():
    table = make_table(HAND, [JUNK], "5556z")
    for seat, drawn in enumerate(("5z", "5z", "5z", "6z")):
        assert table.actor == seat
        offer(table, seat, drawn)
        pass_all(table)
    assert table.actor == 0


def test_every_decision_is_counted_once():
    table = make_table(HAND, [JUNK])
    for decisions in range(1, 9):
        table.act(table.legal[-1])
        assert int(table.state.clock) == decisions


def test_the_drawn_tile_and_an_equal_one_are_two_actions():
    table = make_table(HAND, ["1234567m123p456s"], "1m")
    assert may(table, tile("1m"), Action.TSUMOGIRI)
    table = make_table(HAND, ["1234567m123p456s"], "9m")
    assert may(table, Action.TSUMOGIRI)
    assert not may(table, tile("9m"))


def test_a_red_five_is_a_different_tile():
    table = make_table(HAND, ["05m1234567p123s1z"], "9s")
    assert may(table, tile("0m"), tile("5m"))


# ---------------------------------------------------------------------------------------------------------
# Calls


def test_chii_is_for_the_next_seat_only_and_pon_for_all():
    table = make_table(HAND, [JUNK, "23m159p159s33456z", "33m159p159s12266z"], "4m")
    offer(table, 0, "4m")
    assert texts(table) == ["chii (called tile high)", "pass"]
    table = make_table(HAND, [JUNK, "159m159p159s1234z", "44m159p159s12334z"], "4m")
    offer(table, 0, "4m")
    assert (table.actor, texts(table)) == (2, ["pon", "pass"])


def test_calls_with_and_without_the_red_five():
    table = make_table(HAND, ["", "055m159p159s1234z"], "5m")
    offer(table, 0, "5m")
    assert texts(table) == ["pon", "pon with 1 red five", "open kan", "pass"]
    table = make_table(HAND, ["", "0567m159p159s123z"], "4m")
    offer(table, 0, "4m")
    assert texts(table) == ["chii (called tile low)", "chii (called tile low, red five)", "pass"]


def test_ron_has_priority_over_pon_and_pon_over_chii():
    deals = ["", "23m159p159s33457z", "44m147p147s23677z", "23m234p456s111z99s"]
    for answer, caller in ((Action.RON, -1), (Action.PASS, 2)):
        table = make_table(HAND, deals, "4m")
        offer(table, 0, "4m")
        do(table, 1, tile_action("chii (called tile high)", table))
        do(table, 2, Action.PON)
        do(table, 3, answer)
        assert table.actor == caller
        if answer == Action.RON:
            assert table.result.winners == (3,)
        else:
            assert int(table.state.seats[2].calls) == 1


def test_an_open_kan_has_priority_over_chii():
    table = make_table(HAND, ["", "23m159p159s33457z", "444m147p147s2367z"], "4m", replacements="7z")
    offer(table, 0, "4m")
    do(table, 1, tile_action("chii (called tile high)", table))
    do(table, 2, Action.DAIMINKAN)
    assert (table.actor, [int(seat.calls) for seat in table.state.seats]) == (2, [0, 0, 1, 0])


def tile_action(text: str, table) -> int:
    return table.legal[texts(table).index(text)]


@pytest.mark.parametrize(
    ("kuikae", "same", "other_end"),
    [(Kuikae.ALLOWED, True, True), (Kuikae.SAME_TILE, False, True), (Kuikae.SAME_RUN, False, False)],
)
def test_kuikae(kuikae, same, other_end):
    rules = dataclasses.replace(HAND, kuikae=kuikae)
    table = make_table(rules, ["", "123455m159p159s1z"], "1m")
    # 1m called with 2m3m: not 1m again, nor 4m, the other end.
    call(table, 0, "1m", 1, Action.CHII)
    pass_all(table)
    assert table.actor == 1
    assert may(table, tile("1m")) == same
    assert may(table, tile("4m")) == other_end
    assert may(table, tile("5m"))
    throw(table, 1, "5m")
    assert int(table.view(2).forbidden) == 0, "the next seat may discard all"


@pytest.mark.parametrize(
    ("kuikae", "held", "offered"),
    [(Kuikae.ALLOWED, "1234m", True), (Kuikae.SAME_RUN, "1234m", False), (Kuikae.SAME_RUN, "2349m", True)],
)
def test_no_call_that_leaves_no_legal_discard(kuikae, held, offered):
    # After three pons four tiles are left. Chii of 1m with 2m3m would leave 1m4m, which may not be discarded, or 4m9m.
    rules = dataclasses.replace(HAND, kuikae=kuikae)
    table = make_table(rules, ["", f"112233p{held}9s56z"], "1p2p3p7z7z1m")
    for seat, called, thrown in ((0, "1p", "9s"), (2, "2p", "5z"), (2, "3p", "6z")):
        call(table, seat, called, 1, Action.PON)
        pass_all(table)
        throw(table, 1, thrown)
    throws(table, 2, "7z7z")
    offer(table, 0, "1m")
    assert (table.actor == 1 and "chii (called tile low)" in texts(table)) == offered
    assert (int(table.state.phase) == Phase.CLAIM) == offered


# ---------------------------------------------------------------------------------------------------------
# Riichi


def test_riichi_costs_a_stick_if_its_discard_is_not_won():
    table = make_table(HAND, [TENPAI], "5z")
    do(table, 0, Action.RIICHI)
    # Only one discard keeps it tenpai, so it is done at once.
    pass_all(table)
    assert table.scores[0] == 24_000
    assert int(table.state.deposits) == 1


def test_a_riichi_discard_that_deals_in_costs_no_stick():
    table = make_table(HAND, [TENPAI, "555z234p678p99m23s"], "1s")
    do(table, 0, Action.RIICHI)
    if table.actor == 0:
        table.act(Action.TSUMOGIRI)
    do(table, 1, Action.RON)
    assert int(table.state.wins[0].deposits) == 0
    assert sum(table.scores) == 100_000


def test_after_riichi_the_drawn_tile_is_discarded_automatically():
    table = make_table(HAND, [TENPAI], "5z")
    riichi(table, 0)
    drift(table, until=60)
    assert all(mark & 1 for mark in table.state.seats[0].marks[1 : int(table.state.seats[0].discards)])


def test_double_riichi_in_the_first_turn_only_without_calls():
    table = make_table(HAND, [TENPAI], "5z")
    do(table, 0, Action.RIICHI)
    assert int(table.state.seats[0].riichi) == 2
    table = make_table(HAND, [TENPAI], "5z666z5z")
    throws(table, 0, "5z6z6z6z")
    do(table, 0, Action.RIICHI)
    assert int(table.state.seats[0].riichi) == 1


def test_ippatsu_ends_with_any_call():
    hand = TENPAI
    for called in (False, True):
        table = make_table(HAND, [hand, "159m159p159s2345z", "66z147m147p147s2z", JUNK], "7z6z6p")
        riichi(table, 0)
        offer(table, 1, "6z")
        if called:
            do(table, 2, Action.PON)
        else:
            pass_all(table)
        assert int(table.state.seats[0].ippatsu) == (0 if called else 1)


NO_KAN = dataclasses.replace(HAND, riichi_kan=False)
M_LEAGUE_HAND = dataclasses.replace(M_LEAGUE, length=Length.SINGLE_HAND)


@pytest.mark.parametrize(
    ("hand", "fourth", "tenhou", "m_league"),
    [
        ("999p234567m23s55z", "9p", True, True),  # a suit of its own
        ("333z234567m23s55z", "3z", True, True),
        ("055m678m234p99p46s", "5m", True, True),  # 55m and 5678m would leave a tile over
        ("2223m456p456s999s", "2m", False, False),  # waits for 1m, 3m and 4m, without the triplet for 3m alone
        # Three runs just as well: the waits are the same, but not the sets.
        ("111222333m33p22s", "2m", True, False),
        ("11122233m99p567s", "1m", True, False),  # … once 3m completes it; 9p leaves only triplets
        ("111222333m444p9s", "1m", True, False),  # … with a pair behind another triplet
    ],
)
def test_a_closed_kan_after_riichi_must_keep_the_waits_and_in_the_m_league_the_sets(hand, fourth, tenhou, m_league):
    for rules, allowed in ((HAND, tenhou), (M_LEAGUE_HAND, m_league), (NO_KAN, False)):
        table = make_table(rules, [hand], "7z666z" + fourth)
        riichi(table, 0, "7z")
        throws(table, 1, "6z6z6z")
        assert closed_kans(table, 0) == ([tile(fourth)] if allowed else [])


# ---------------------------------------------------------------------------------------------------------
# Furiten


def test_a_wait_in_the_own_river_forbids_ron_on_all_waits():
    table = make_table(HAND, ["", "234m567p23s77z666z"], "5z1s4s")
    throw(table, 0, "5z")
    assert may(table, Action.TSUMO), "1s wins by self-draw"
    throw(table, 1, "1s")
    offer(table, 2, "4s")
    assert table.actor != 1 or not may(table, Action.RON)


def test_passing_a_winning_tile_forbids_ron_until_the_own_discard():
    hand = "234m567p23s77z666z"
    table = make_table(HAND, [JUNK, hand, "258m147p369s1233z", ""], "4s5z4s1z1z")
    offer(table, 0, "4s")
    assert (table.actor, may(table, Action.RON)) == (1, True)
    do(table, 1, Action.PASS)
    assert int(table.state.hands[1].missed) == 1
    pass_all(table)
    throw(table, 1, "5z")
    assert int(table.state.hands[1].missed) == 0, "the own discard ends it"
    offer(table, 2, "4s")
    assert (table.actor, may(table, Action.RON)) == (1, True)


def test_passing_after_riichi_forbids_ron_for_good():
    hand = "234m567p23s77z66z6z"
    table = make_table(HAND, [hand, JUNK, "", ""], "5z4s3z3z5z1s")
    do(table, 0, Action.RIICHI)
    if table.actor == 0:
        table.act(Action.TSUMOGIRI)
    pass_all(table)
    call(table, 1, "4s", 0, Action.PASS)
    assert int(table.state.hands[0].missed) == 2
    for seat in (2, 3):
        throw(table, seat, tile_text(int(table.state.drawn)))
    assert int(table.state.seats[0].discards) == 2, "the tile drawn has gone by itself"
    assert int(table.state.hands[0].missed) == 2, "the own discard does not end it"
    offer(table, 1, "1s")
    assert table.actor != 0


# ---------------------------------------------------------------------------------------------------------
# Kans and indicators


def test_a_closed_kans_indicator_is_turned_at_once():
    table = make_table(HAND, ["1111m234p567s567z"], "2z", dora="1s2s", replacements="3z")
    do(table, 0, Action.ANKAN)
    assert int(table.state.shown) == 2
    assert int(table.state.drawn) == tile("3z")
    assert int(table.state.left) == 68


@pytest.mark.parametrize(("when", "shown"), [(KanDora.BEFORE_DISCARD, 1), (KanDora.AT_ONCE, 2), (KanDora.NONE, 1)])
def test_an_open_kans_indicator_is_turned_before_the_discard(when, shown):
    rules = dataclasses.replace(HAND, kan_dora=when)
    table = make_table(rules, [JUNK, "222p159m159s1234z"], "2p", replacements="7z")
    call(table, 0, "2p", 1, Action.DAIMINKAN)
    assert int(table.state.shown) == shown
    offer(table, 1, "7z")
    assert int(table.state.shown) == (1 if when == KanDora.NONE else 2)
    pass_all(table)
    table.act(Action.TSUMOGIRI)
    assert int(table.state.shown) == (1 if when == KanDora.NONE else 2), "once"


def test_a_further_kan_turns_the_pending_indicator():
    table = make_table(HAND, ["", "222p555m159s1234z"], "2p", replacements="0m7z")
    call(table, 0, "2p", 1, Action.DAIMINKAN)
    assert int(table.state.shown) == 1
    do(table, 1, Action.ANKAN + tile("5m"))
    assert int(table.state.shown) == 3, "that of the open kan, and that of the closed one"


def kakan_table():
    """Return a table at which seat 1 adds 2p to its pon, and seat 2 waits for it without another yaku."""
    table = make_table(HAND, ["", "22p159m159s12345z", "13p234m567m678s99p"], "2p6z7z7z2p", replacements="6z")
    call(table, 0, "2p", 1, Action.PON)
    throw(table, 1, "1z")
    throws(table, 2, "6z7z7z")
    do(table, 1, Action.KAKAN + tile("2p"))
    return table


def test_robbing_an_added_kan_is_a_yaku():
    table = kakan_table()
    do(table, 2, Action.RON)
    assert int(table.state.wins[0].value.yaku) == 1 << 3
    assert int(table.state.wins[0].discarder) == 1
    assert int(table.state.shown) == 1, "the kan did not come about"


def test_an_added_kan_that_is_not_robbed_stands():
    table = kakan_table()
    do(table, 2, Action.PASS)
    assert (table.actor, int(table.state.drawn)) == (1, tile("6z"))
    assert int(table.state.hands[2].missed) == 1


def test_an_added_kan_is_one_of_four_that_abort():
    table = kakan_table()
    table.state.kans += 3  # by the other seats
    do(table, 2, Action.PASS)
    throw(table, 1, "6z")
    assert table.result.reason == "four kans"


def test_an_added_tile_that_is_no_red_five_adds_none():
    table = kakan_table()
    meld = table.state.seats[1].melds[0]
    assert (int(meld.form), int(meld.reds)) == (MeldForm.KAKAN, 0)


def test_four_kans_by_several_seats_abort_after_the_discard():
    deals = ["1111m2222m345p55z", "1111p2222p345s66z", "478m589p369s1244z"]
    table = make_table(HAND, deals, "7z7z", replacements="3z3z3z4z")
    do(table, 0, Action.ANKAN + tile("1m"))
    do(table, 0, Action.ANKAN + tile("2m"))
    throw(table, 0, "3z")
    do(table, 1, Action.ANKAN + tile("1p"))
    do(table, 1, Action.ANKAN + tile("2p"))
    offer(table, 1, "4z")
    assert table.hand_over, "nobody is asked about a pon of 4z"
    assert table.result.reason == "four kans"


def test_one_seat_can_make_four_kans_and_no_seat_a_fifth():
    table = make_table(HAND, ["1111m2222m3333m4m", "1111p159s234567z"], "4m", replacements="4m4m4z")
    for kind in ("1m", "2m", "3m", "4m"):
        do(table, 0, Action.ANKAN + tile(kind))
    throw(table, 0, "4z")
    assert not table.hand_over
    assert not any("kan" in text for text in texts(table))


# ---------------------------------------------------------------------------------------------------------
# Kita


def test_kita_sets_a_north_aside_and_draws_a_replacement():
    table = make_table(SANMA_HAND, ["4z19m123456789p1s"], "5z", replacements="6z")
    do(table, 0, Action.KITA)
    pass_all(table)
    assert int(table.state.seats[0].kitas) == 1
    assert int(table.state.drawn) == tile("6z")
    assert int(table.state.seats[0].opened) == 0, "the hand stays closed"
    assert int(table.state.interrupted) == 1, "no first-turn yaku any more"
    assert int(table.state.left) == 53
    throw(table, 0, "6z")
    assert int(table.state.shown) == 1, "no kan: no further indicator"


def test_kita_may_be_ronned_without_the_chankan_yaku():
    table = make_table(SANMA_HAND, ["4z19m123456789p1s", "123p456p789s11s44z"], "5z")
    do(table, 0, Action.KITA)
    # North is nobody's wind: the hand has no yaku, and chankan does not count.
    assert table.actor == 0
    riichi = make_table(SANMA_HAND, ["159p159s12356z4z", "222z456p789s11s44z"], "5z")
    do(riichi, 0, Action.KITA)
    do(riichi, 1, Action.RON)
    assert int(riichi.state.wins[0].value.yaku) >> 3 & 1 == 0
    assert int(riichi.state.wins[0].discarder) == 0


@pytest.mark.parametrize(
    ("rules", "hand"), [(HAND, "4z159m159p159s123z"), (SANMA_HAND, "159p159s12356z19m")], ids=["four", "no north"]
)
def test_kita_needs_three_players_and_a_north(rules, hand):
    assert not may(make_table(rules, [hand], "7z"), Action.KITA)


# ---------------------------------------------------------------------------------------------------------
# Draws


def test_nine_terminals_in_the_first_turn():
    table = make_table(HAND, ["19m19p19s1234z258p"], "5z")
    do(table, 0, Action.KYUUSHU_KYUUHAI)
    assert table.result.reason == "kyuushu kyuuhai"
    assert not may(make_table(dataclasses.replace(EMA), ["19m19p19s1234z258p"], "5z"), Action.KYUUSHU_KYUUHAI)


@pytest.mark.parametrize(
    ("four_winds", "kan", "ends"), [(True, False, True), (False, False, False), (True, True, False)]
)
def test_four_winds(four_winds, kan, ends):
    rules = dataclasses.replace(HAND, four_winds=four_winds)
    table = make_table(rules, ["", "9999p147m147s234z", "", ""], "1111z", replacements="5z")
    for seat in range(4):
        if kan and seat == 1:
            do(table, seat, Action.ANKAN + tile("9p"))
        throw(table, seat, "1z")
    assert table.hand_over == ends
    assert not ends or table.result.reason == "four winds"


def test_four_riichi():
    deals = ["123456789m11p23s", "123456789p22m23s", "123456789s33m23p", "567m567p567s99m68s"]
    for aborts in (True, False):
        table = make_table(dataclasses.replace(HAND, four_riichi=aborts), deals, "5675z")
        for seat, drawn in enumerate(("5z", "6z", "7z", "5z")):
            riichi(table, seat, drawn)
        assert table.hand_over == aborts
        if aborts:
            assert table.result.reason == "four riichi"
            assert int(table.state.deposits) == 4 or table.over


#: Seats 1, 2 and 3 wait for 5s with a triplet of dragons each.
WAITING = [JUNK, "46s234m567p11m555z", "46s234p567m22m666z", "46s345m678p33m777z"]


@pytest.mark.parametrize(
    ("change", "passing", "winners"),
    [
        ({}, 0, ()),  # aborts the hand
        *(({}, seat, tuple({1, 2, 3} - {seat})) for seat in (1, 2, 3)),
        *(({"multiple_ron": most, "triple_ron_aborts": False}, 0, (1, 2, 3)[:most]) for most in (1, 2, 3)),
    ],
)
def test_three_rons_abort_or_are_paid_as_far_as_the_rules_allow(change, passing, winners):
    table = make_table(dataclasses.replace(HAND, **change), WAITING, "5s")
    offer(table, 0, "5s")
    while not table.hand_over:
        table.act(Action.PASS if table.actor == passing else Action.RON)
    assert (table.result.reason, table.result.winners) == ("ron" if winners else "triple ron", winners)
    assert winners or table.result.change == (0, 0, 0, 0)


@pytest.mark.parametrize(("rules", "second_honba"), [(TENHOU, 0), (EMA, 2)], ids=["first", "each"])
def test_the_first_of_two_winners_takes_the_sticks_and_the_honba_unless_each_does(rules, second_honba):
    table = make_table(rules, WAITING[:3], "5s")
    table.state.honba, table.state.deposits = 2, 3
    call(table, 0, "5s", 1, Action.RON)
    do(table, 2, Action.RON)
    first, second = table.state.wins[0], table.state.wins[1]
    assert (int(first.honba), int(first.deposits)) == (2, 3)
    assert (int(second.honba), int(second.deposits)) == (second_honba, 0)
    assert int(first.change[1]) == int(first.points) + 600 + 3000
    assert int(second.change[2]) == int(second.points) + 300 * second_honba


SANMA_JUNK = "19m258p147s12345z"


READY = ["234m567p345s7766z", "111333m22p888p99p", "444666m22s777s88s", "444p111s999s1122z"]


@pytest.mark.parametrize(
    ("rules", "deals", "change"),
    [
        (HAND, [JUNK] * 4, (0, 0, 0, 0)),
        (HAND, [READY[0], JUNK, JUNK, JUNK], (3000, -1000, -1000, -1000)),
        (HAND, [JUNK, READY[0], JUNK, JUNK], (-1000, 3000, -1000, -1000)),
        (HAND, [*READY[:2], JUNK, JUNK], (1500, 1500, -1500, -1500)),
        (HAND, [*READY[:3], JUNK], (1000, 1000, 1000, -3000)),
        (HAND, READY, (0, 0, 0, 0)),
        (SANMA_HAND, ["234p567p345s7766z", SANMA_JUNK, SANMA_JUNK], (2000, -1000, -1000)),
    ],
)
def test_noten_players_pay_tenpai_players(rules, deals, change):
    table = make_table(dataclasses.replace(rules, red_fives=(0, 0, 0)), deals)
    drift(table, until=-1)
    assert (table.result.reason, table.result.change) == ("exhaustive draw", change)


def nagashi_table(rules, dealer: str = ""):
    """Return a table at which seat 1 draws only terminals and honours, the others simples; all discard drawn tiles."""
    lowest = 0 if rules.players == 4 else 9
    orphans = [kind for kind in ORPHANS if kind != NORTH for _ in range(4)]
    simples = [kind for kind in range(lowest, 27) if kind not in ORPHANS for _ in range(3 if kind % 9 == 4 else 4)]
    for kind in parse_tiles(dealer):
        simples.remove(kind)
    count = 70 if rules.players == 4 else 55
    draws = [orphans.pop() if turn % rules.players == 1 else simples.pop() for turn in range(count)]
    return make_table(rules, [dealer], "".join(map(tile_text, draws)))


@pytest.mark.parametrize(
    ("rules", "change"),
    [
        (HAND, (-4_000, 8_000, -2_000, -2_000)),  # like a self-draw
        (dataclasses.replace(HAND, nagashi_mangan=False), None),
        (dataclasses.replace(SANMA_HAND, nagashi_mangan=True), (-4_000, 6_000, -2_000)),
        (dataclasses.replace(SANMA_HAND, nagashi_mangan=True, tsumo_loss=False), (-5_000, 8_000, -3_000)),
    ],
)
def test_nagashi_mangan_is_paid_like_a_self_draw(rules, change):
    table = nagashi_table(rules)
    drift(table, until=-1)
    assert table.result.reason == ("nagashi mangan" if change else "exhaustive draw")
    assert change in (None, table.result.change)


@pytest.mark.parametrize("stops", [True, False])
def test_a_leading_dealer_who_is_tenpai_stops_the_game_at_a_nagashi_mangan_too(stops):
    table = nagashi_table(dataclasses.replace(TENHOU, dealer_stops_tenpai=stops), "234m567p345s88m68s")
    table.state.kyoku, table.state.seats[0].points = 7, 60_000
    drift(table, until=-1)
    assert table.result.reason == "nagashi mangan"
    assert int(table.state.hands[0].waits) != 0
    assert (int(table.state.phase) == Phase.GAME_OVER) == stops


# ---------------------------------------------------------------------------------------------------------
# Liability


PART_ONLY = dataclasses.replace(HAND, pao_part_only=True)
NO_PAO = dataclasses.replace(HAND, pao_dragons=False)
EMA_HAND = dataclasses.replace(EMA, length=Length.SINGLE_HAND)


@pytest.mark.parametrize(
    ("rules", "third", "winner_from", "honba", "change"),
    [
        # The discarder of the third dragon pays all of a self-draw, with the honba,
        (HAND, 3, 1, 0, (0, 32_000, 0, -32_000)),
        (NO_PAO, 3, 1, 0, (-16_000, 32_000, -8_000, -8_000)),
        (SANMA_HAND, 2, 1, 0, (0, 24_000, -24_000)),
        (HAND, 0, 1, 2, (-32_600, 32_600, 0, 0)),
        # half of another player's deal-in, with the honba unless the rules say otherwise,
        (HAND, 3, 0, 0, (-16_000, 32_000, 0, -16_000)),
        (PART_ONLY, 3, 0, 0, (-16_000, 32_000, 0, -16_000)),
        (HAND, 3, 0, 2, (-16_000, 32_600, 0, -16_600)),
        (EMA_HAND, 3, 0, 2, (-16_600, 32_600, 0, -16_000)),
        (HAND, 0, 2, 2, (-16_600, 32_600, -16_000, 0)),
        # and all of its own.
        (HAND, 3, 3, 0, (0, 32_000, 0, -32_000)),
    ],
)
def test_who_pays_for_three_dragons(rules, third, winner_from, honba, change):
    table = three_dragons(rules, third, winner_from, honba)
    assert table.result.change == change
    assert int(table.state.wins[0].points) == change[1] - 300 * honba
    assert int(table.state.wins[0].pao) == (-1 if third == winner_from or rules is NO_PAO else third)


# ---------------------------------------------------------------------------------------------------------
# The end of a game


def finished(rules, kyoku: int, points: list[int], deals, draws, *, honba: int = 0):
    """Return a newly dealt table with given round and points."""
    table = make_table(rules, deals, draws)
    table.state.kyoku = kyoku
    for seat, amount in enumerate(points):
        table.state.seats[seat].points = amount
    table.state.honba = honba
    return table


WINNING = ["555z234m567p345s1p"]


@pytest.mark.parametrize(
    ("rules", "kyoku", "points", "over"),
    [
        (TENHOU, 0, [25_000] * 4, False),
        (TENHOU, 6, [25_000] * 4, False),
        (TENHOU, 7, [30_000, 25_000, 25_000, 20_000], True),  # the dealer leads with enough
        (TENHOU, 7, [10_000, 35_000, 30_000, 25_000], False),  # the dealer repeats and does not lead
        (TENHOU, 0, [25_000, 25_000, 49_900, 100], True),  # seat 3 is below 0
        (dataclasses.replace(TENHOU, length=Length.EAST), 3, [30_000, 25_000, 25_000, 20_000], True),
        (dataclasses.replace(TENHOU, length=Length.SINGLE_HAND), 0, [25_000] * 4, True),
        (dataclasses.replace(TENHOU, tobi=False), 0, [25_000, 25_000, 49_900, 100], False),
        (dataclasses.replace(TENHOU, dealer_stops_leading=False), 7, [30_000, 25_000, 25_000, 20_000], False),
    ],
)
def test_the_end_of_a_game_after_a_dealers_win(rules, kyoku, points, over):
    table = finished(rules, kyoku, points, WINNING, "6z6z7z7z1p")
    throws(table, 0, "6z6z7z7z")
    do(table, 0, Action.TSUMO)
    assert (int(table.state.phase) == Phase.GAME_OVER) == over


def test_an_abortive_draw_of_the_last_hand_is_played_again():
    table = finished(TENHOU, 7, [30_000, 25_000, 25_000, 19_000], ["19m19p19s1234z258p"], "5z")
    table.state.deposits = 1
    do(table, 0, Action.KYUUSHU_KYUUHAI)
    assert not table.over
    table.next_hand()
    assert (int(table.state.dealer), int(table.state.honba)) == (0, 1)


NO_STICKS = dataclasses.replace(TENHOU, first_takes_deposits=False)


@pytest.mark.parametrize(
    ("rules", "points", "deposits", "after"),
    [
        (TENHOU, [24_000, 33_000, 21_000, 20_000], 2, [24_000, 35_000, 21_000, 20_000]),
        (NO_STICKS, [24_000, 33_000, 21_000, 20_000], 2, [24_000, 33_000, 21_000, 20_000]),
        (TENHOU, [33_000, 21_000, 33_000, 12_000], 1, [34_000, 21_000, 33_000, 12_000]),  # the first dealer's
        (M_LEAGUE, [33_000, 21_000, 33_000, 12_000], 1, [33_500, 21_000, 33_500, 12_000]),
        (M_LEAGUE, [33_000, 34_000, 20_000, 12_000], 1, [33_000, 35_000, 20_000, 12_000]),
        (M_LEAGUE, [31_000, 6_000, 31_000, 31_000], 1, [31_400, 6_000, 31_300, 31_300]),  # dealt out by hundreds
        (M_LEAGUE, [31_000, 31_000, 5_000, 31_000], 2, [31_700, 31_700, 5_000, 31_600]),
    ],
)
def test_remaining_sticks_go_to_the_first_place_are_shared_or_lost(rules, points, deposits, after):
    table = finished(rules, 7, points, ["147m258p369s1234z", JUNK, JUNK, JUNK], "")
    table.state.deposits = deposits
    drift(table, until=-1)
    assert int(table.state.phase) == Phase.GAME_OVER
    assert table.scores == after
    assert int(table.state.deposits) == (deposits if rules is NO_STICKS else 0)


def test_a_dealers_win_repeats_with_one_more_honba():
    table = make_table(TENHOU, WINNING, "1p")
    do(table, 0, Action.TSUMO)
    table.next_hand()
    assert (int(table.state.dealer), int(table.state.honba), int(table.state.kyoku)) == (0, 1, 0)


def test_another_players_win_passes_the_deal():
    table = make_table(TENHOU, [JUNK, "555z234m567p345s1p"], "6z1p")
    throw(table, 0, "6z")
    do(table, 1, Action.TSUMO)
    table.next_hand()
    assert (int(table.state.dealer), int(table.state.honba), int(table.state.kyoku)) == (1, 0, 1)


def after_a_draw(rules, kyoku: int, points: list[int], tenpai: bool):
    """Return the phase after an exhaustive draw with the dealer, seat 0, tenpai or not."""
    deals = ["234m567p345s7766z" if tenpai else "147m258p369s1234z", JUNK, JUNK, JUNK]
    table = finished(rules, kyoku, points, deals, "")
    drift(table, until=-1)
    assert table.result.reason == "exhaustive draw"
    return table


LEADING = [32_000, 24_000, 23_000, 21_000]
EVEN = [25_000] * 4


@pytest.mark.parametrize(
    ("change", "kyoku", "points", "tenpai", "over"),
    [
        ({}, 7, LEADING, True, True),  # the last dealer is tenpai and leads with enough
        ({"dealer_stops_tenpai": False}, 7, LEADING, True, False),
        ({}, 7, EVEN, True, False),  # leads with 28,000: not enough
        ({}, 7, [27_000, 26_000, 24_000, 23_000], True, True),  # 30,000 are enough
        ({}, 7, [26_900, 26_100, 24_000, 23_000], True, False),  # … and 29,900 are not
        ({}, 7, LEADING, False, True),  # a player has enough
        ({}, 7, EVEN, False, False),  # nobody has: the West round follows
        ({"extension": False}, 7, EVEN, False, True),
        ({}, 8, LEADING, False, True),  # the extension ends as soon as a player has enough
        ({}, 8, [24_000, 33_000, 22_000, 21_000], True, False),  # … unless the dealer keeps the deal
        ({}, 11, EVEN, False, True),  # the extension's last hand
        ({"length": Length.EAST}, 3, EVEN, False, False),
        ({"length": Length.EAST}, 7, EVEN, False, True),
        ({"length": Length.EAST, "extension_ends": False}, 7, EVEN, False, False),
        ({"length": Length.EAST, "extension_ends": False}, 15, EVEN, False, True),
        ({"dealer_repeats_tenpai": False}, 7, EVEN, True, False),
    ],
)
def test_the_end_of_a_game_after_a_draw(change, kyoku, points, tenpai, over):
    table = after_a_draw(dataclasses.replace(TENHOU, **change), kyoku, points, tenpai)
    assert (int(table.state.phase) == Phase.GAME_OVER) == over


def test_a_tenpai_dealer_keeps_the_deal_by_its_rule():
    for keeps in (True, False):
        table = after_a_draw(dataclasses.replace(TENHOU, dealer_repeats_tenpai=keeps), 0, EVEN, True)
        table.next_hand()
        assert int(table.state.dealer) == (0 if keeps else 1)
        assert int(table.state.honba) == 1


@pytest.mark.parametrize(("last", "first"), [(2, 4), (6, 8)], ids=["South 1 follows East 3", "West 1 follows South 3"])
def test_with_three_players_a_wind_has_three_deals(last, first):
    table = make_table(TENHOU_SANMA, [SANMA_JUNK] * 3)
    table.state.kyoku, table.state.dealer = last, 2
    drift(table, until=-1)
    assert table.result.reason == "exhaustive draw"
    table.next_hand()
    assert (int(table.state.kyoku), int(table.state.dealer)) == (first, 0)


def test_the_discarder_of_the_fourth_wind_has_pao():
    table = make_table(TENHOU, ["", "11223344z55m1p9s9m"], "1z2z3z4z")
    for seat, called, thrown in ((0, "1z", "1p"), (2, "2z", "9s"), (2, "3z", "9m"), (2, "4z", "5m")):
        assert table.actor == seat
        call(table, seat, called, 1, Action.PON)
        assert int(table.state.seats[1].pao_winds) == (2 if called == "4z" else -1)
        if called != "4z":  # then only 5m are left, and one is discarded automatically
            throw(table, 1, thrown)


@pytest.mark.parametrize(
    ("change", "called", "liable"),
    [
        ({}, "567z", (2, -1, -1)),
        ({"pao_dragons": False}, "567z", (-1, -1, -1)),
        ({}, "561z", (-1, -1, -1)),
        ({}, "1234z", (-1, 2, -1)),
        ({"pao_winds": False}, "1234z", (-1, -1, -1)),
        ({}, "1235z", (-1, -1, -1)),
        ({"pao_kans": True}, "561z", (-1, -1, -1)),
    ],
)
def test_pao_begins_with_the_last_set_of_the_yakuman(change, called, liable):
    tiles = [tile_text(kind) for kind in parse_tiles(called)]
    pairs = "".join(sorted(2 * called[:-1])) + "z"
    hand = pairs + ("159m19s" if len(tiles) == 4 else "159m1599s")
    table = make_table(dataclasses.replace(HAND, **change), ["", hand], "".join(tiles))
    for number, name in enumerate(tiles):
        call(table, 2 if number else 0, name, 1, Action.PON)
        seat = table.state.seats[1]
        marks = tuple(int(seat[field]) for field in ("pao_dragons", "pao_winds", "pao_kans"))
        assert marks == (liable if name == tiles[-1] else (-1, -1, -1))
        if name != tiles[-1]:
            throw(table, 1, ("1m", "5m", "9m")[number])


@pytest.mark.parametrize(("by_rule", "liable"), [(False, -1), (True, 2)])
def test_the_discarder_of_the_fourth_kan_has_pao_by_its_rule(by_rule, liable):
    rules = dataclasses.replace(HAND, pao_kans=by_rule)
    table = make_table(rules, ["", "1111m2222m3333m4s", "4s"], "7z6z", replacements="4s4s5z7z")
    throw(table, 0, "7z")
    for kind in ("1m", "2m", "3m"):
        do(table, 1, Action.ANKAN + tile(kind))
    throw(table, 1, "5z")
    call(table, 2, "4s", 1, Action.DAIMINKAN)
    seat = table.state.seats[1]
    assert tuple(int(seat[field]) for field in ("pao_dragons", "pao_winds", "pao_kans")) == (-1, -1, liable)


def test_the_pao_seat_pays_only_its_yakuman():
    # All honours and big four winds: Mahjong Soul makes the discarder pay for the winds (two yakuman there) alone,
    # the M.League too (one yakuman).
    for rules, change in (
        (HAND, (0, 64_000, -64_000, 0)),
        (dataclasses.replace(MAHJONG_SOUL, length=Length.SINGLE_HAND), (-16_000, 96_000, -64_000 - 8_000, -8_000)),
        (dataclasses.replace(M_LEAGUE, length=Length.SINGLE_HAND), (-16_000, 64_000, -32_000 - 8_000, -8_000)),
    ):
        table = make_table(rules, *FOUR_WINDS)
        win_four_winds(table)
        assert table.result.change == change


@pytest.mark.parametrize(
    ("change", "dora", "ura"), [({}, 0, 2), ({"kan_ura": False}, 0, 1), ({"ura_dora": False}, 0, 0)]
)
def test_ura_indicators_count_for_riichi(change, dora, ura):
    rules = dataclasses.replace(HAND, **change)
    # The kan turns a second indicator; under the first lies 1m (2m is dora), under the second 5s (6s).
    table = make_table(rules, ["9999p234m567s66z2m"], "5z111z6z", dora="3z3z", ura="1m5s", replacements="5z")
    assert table.actor == 0
    do(table, 0, Action.ANKAN + tile("9p"))
    riichi(table, 0, "5z")
    for _ in range(8):
        if table.actor == 0 and may(table, Action.TSUMO):
            break
        table.act(Action.TSUMOGIRI if may(table, Action.TSUMOGIRI) else Action.PASS)
    do(table, 0, Action.TSUMO)
    assert int(table.state.wins[0].value.ura) == ura
