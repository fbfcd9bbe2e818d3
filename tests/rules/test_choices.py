"""Legal discards, calls and wins in detail: one claim, one test."""

import dataclasses

import pytest

from janshi.riichi.actions import Action
from janshi.riichi.rules import TENHOU, Kuikae
from janshi.riichi.state import DiscardFlag, Event, MeldForm
from janshi.riichi.yaku import YakuId
from janshi.tiles import parse_tiles
from tests.rules.tables import (
    HAND,
    JUNK,
    SANMA_HAND,
    call,
    closed_kans,
    do,
    drift,
    hand_of,
    make_table,
    may,
    offer,
    pass_all,
    riichi,
    texts,
    throw,
    throws,
    tile,
)


def yaku_of(table) -> set[YakuId]:
    return {yaku for yaku in YakuId if int(table.state.wins[0].value.yaku) >> yaku & 1}


# ---------------------------------------------------------------------------------------------------------
# Discards and calls


@pytest.mark.parametrize(
    ("fives", "drawn", "discards"),
    [
        ("0m", "5m", ["0m"]),
        ("5m", "0m", ["5m"]),
        ("5m", "5m", ["5m"]),
        ("05m", "9s", ["5m", "0m"]),
        ("0m", "9s", ["0m"]),
        ("55m", "0m", ["5m"]),
        ("05m", "5m", ["5m", "0m"]),
    ],
)
def test_which_fives_can_be_discarded_from_the_hand(fives, drawn, discards):
    honours = "12345z" if len(fives) == 3 else "123456z"
    table = make_table(HAND, [f"{fives}147p147s{honours}"], drawn)
    offered = [text.removeprefix("discard ") for text in texts(table)]
    assert [text for text in offered if text in ("5m", "0m")] == discards
    assert may(table, Action.TSUMOGIRI)


@pytest.mark.parametrize(
    ("held", "called", "calls"),
    [
        ("46m", "5m", ["chii (called tile middle)"]),
        ("06m", "4m", ["chii (called tile low, red five)"]),
        ("40m", "6m", ["chii (called tile high, red five)"]),
        ("30m", "4m", ["chii (called tile middle, red five)"]),
        ("07m", "6m", ["chii (called tile middle, red five)"]),
        ("89m", "7m", ["chii (called tile low)"]),
        ("23m", "1m", ["chii (called tile low)"]),
        ("12m", "3m", ["chii (called tile high)"]),
        ("78m", "9m", ["chii (called tile high)"]),
        ("13m", "2m", ["chii (called tile middle)"]),
        ("79m", "8m", ["chii (called tile middle)"]),
        ("3467m", "5m", [f"chii (called tile {place})" for place in ("low", "middle", "high")]),
        ("89m", "1p", []),
        ("12p", "9m", []),
        ("67z", "5z", []),
        ("12z", "3z", []),
    ],
)
def test_which_runs_can_be_called(held, called, calls):
    # No other tile of the hand fits the tile.
    hand = held + "147258369"[: 12 - len(held)] + "s44z"
    table = make_table(HAND, ["147p", hand], called)
    offer(table, 0, called)
    assert ([text for text in texts(table) if "chii" in text] if table.actor == 1 else []) == calls


@pytest.mark.parametrize(
    ("called", "own", "beside", "discards"),
    [
        ("1m", "23m", "14m", []),
        ("1p", "23p", "14p", []),
        ("6s", "78s", "69s", []),
        ("9m", "78m", "69m", []),
        ("9p", "78p", "69p", []),
        ("4s", "23s", "14s", []),
        ("7m", "89m", "7m1p", ["1p"]),  # 789m has no other end: the next kind belongs to another suit
        ("7p", "89p", "7p1s", ["1s"]),
        ("3p", "12p", "3p9m", ["9m"]),
        ("3s", "12s", "3s9p", ["9p"]),
        ("5m", "46m", "05m", []),  # includes the red five
        ("4m", "35m", "147m", ["1m", "7m"]),  # called in the middle, a run has no other end
    ],
)
def test_kuikae_forbids_the_called_tile_and_the_other_end_of_its_run(called, own, beside, discards):
    honours = "11223344567"[: 13 - len(parse_tiles(own + beside))] + "z"
    table = make_table(HAND, ["", own + beside + honours], called)
    offer(table, 0, called)
    do(table, 1, table.legal[0])
    pass_all(table)
    assert (table.actor, int(table.state.seats[1].calls)) == (1, 1)
    offered = [text.removeprefix("discard ") for text in texts(table)]
    assert [text for text in offered if "z" not in text] == discards


@pytest.mark.parametrize(
    ("held", "called", "action", "thrown", "red"),
    [
        ("451m", "6m", "chii (called tile high)", "1m", 0),
        ("401m", "6m", "chii (called tile high, red five)", "1m", 1),
        ("461m", "0m", "chii (called tile middle)", "1m", 1),
        ("461m", "5m", "chii (called tile middle)", "1m", 0),
        ("461p", "0p", "chii (called tile middle)", "1p", 1),
        ("601m", "7m", "chii (called tile high, red five)", "1m", 1),
        ("051m", "5m", "pon with 1 red five", "1m", 1),
        ("551p", "0p", "pon", "1p", 1),
        ("551p", "5p", "pon", "1p", 0),
        ("055p", "5p", "open kan", "1z", 1),
        ("555m", "0m", "open kan", "1z", 1),
    ],
)
def test_red_fives_of_calls_are_dora(held, called, action, thrown, red):
    # The rest of the hand, all simples, waits for 2s and 8s.
    table = make_table(HAND, ["", held + "234p678m2288s"], called + "5z6z7z8s", replacements="1z")
    offer(table, 0, called)
    do(table, 1, table.legal[texts(table).index(action)])
    pass_all(table)
    throw(table, 1, thrown)
    throws(table, 2, "5z6z7z")
    do(table, 1, Action.TSUMO)
    assert int(table.state.wins[0].value.red) == red


def test_pon_with_two_red_fives():
    rules = dataclasses.replace(HAND, red_fives=(1, 2, 1))
    table = make_table(rules, ["", "005p147m147s1234z"], "5p")
    offer(table, 0, "5p")
    assert texts(table) == ["pon with 1 red five", "pon with 2 red fives", "open kan", "pass"]


def test_a_player_in_riichi_makes_no_calls():
    table = make_table(HAND, ["", "234m567p345s66z99s"], "5z7z8p1z6z")
    throw(table, 0, "5z")
    riichi(table, 1, "7z")
    throws(table, 2, "8p1z")
    offer(table, 0, "6z")
    assert table.actor == 1
    assert texts(table) == ["ron", "pass"], "6z could be ponned too"


def test_no_kan_with_the_last_tile():
    table = make_table(HAND, [JUNK, "6666z147m147p147s", JUNK], last="5z")
    drift(table, until=1)
    while table.actor != 1:
        drift(table, until=0)
    assert int(table.state.left) == 0
    assert not any("kan" in text for text in texts(table))


def test_a_pon_and_a_closed_kan_need_tiles_of_the_hand():
    table = make_table(HAND, ["1112m147p147s1234z"], "2m")
    assert not any("kan" in text for text in texts(table)), "three of a kind are no kan"
    table = make_table(HAND, ["", "5z147m147p147s123z"], "5z")
    offer(table, 0, "5z")
    assert "pon" not in texts(table), "one tile is no pon"


def test_kita_in_riichi_is_for_the_tile_just_drawn():
    for drawn, allowed in (("4z", True), ("6z", False)):
        table = make_table(SANMA_HAND, ["123p456p789s44z99s"], f"5z6z6z{drawn}")
        riichi(table, 0, "5z")
        throws(table, 1, "6z6z")
        assert (table.actor == 0 and may(table, Action.KITA)) == allowed


def test_nine_terminals_only_before_any_call_and_discard():
    hand = "19m19p19s1234z258p"
    table = make_table(HAND, [hand], "5z6z6z7z5z")
    throws(table, 0, "5z6z6z7z")
    assert not may(table, Action.KYUUSHU_KYUUHAI), "the second turn"
    table = make_table(HAND, ["", hand, "66z147m147p14s258s"], "6z1p5z1p")
    call(table, 0, "6z", 2, Action.PON)
    table.act(table.legal[0])
    pass_all(table)
    drift_to(table, 1)
    assert not may(table, Action.KYUUSHU_KYUUHAI), "something was called"


def drift_to(table, seat: int) -> None:
    """Discard all drawn tiles and pass until a seat has its turn."""
    while int(table.state.turn) != seat or table.actor != seat:
        table.act(Action.TSUMOGIRI if may(table, Action.TSUMOGIRI) else Action.PASS)


# ---------------------------------------------------------------------------------------------------------
# Wins


def test_an_open_hand_needs_a_yaku():
    # Seat 1 calls 5z or 4z; then 9s wins with the dragon alone.
    for called, allowed in (("5z", True), ("4z", False)):
        hand = f"{called[0] * 2}z234m567p678s9s1z"
        table = make_table(HAND, ["", hand], f"{called}6z6z7z9s")
        call(table, 0, called, 1, Action.PON)
        throw(table, 1, "1z")
        throws(table, 2, "6z6z7z")
        assert may(table, Action.TSUMO) == allowed


def test_the_last_draw_and_the_last_discard_are_yaku():
    table = make_table(HAND, [JUNK, "234m567p345s68s66z", JUNK, JUNK.replace("369s", "36s9p")], last="7s")
    drift(table)
    do(table, 1, Action.TSUMO)
    assert yaku_of(table) == {YakuId.MENZEN_TSUMO, YakuId.HAITEI}
    table = make_table(HAND, [JUNK, JUNK, "234m567p345s68s66z", JUNK.replace("369s", "36s9p")], last="7s")
    drift(table)
    call(table, 1, "7s", 2, Action.RON)
    assert yaku_of(table) == {YakuId.HOUTEI}


def test_the_own_wind_follows_the_deal():
    for dealer, wind in ((0, YakuId.SEAT_WIND_SOUTH), (3, YakuId.SEAT_WIND_WEST), (2, YakuId.SEAT_WIND_NORTH)):
        hand = {0: "222z", 3: "333z", 2: "444z"}[dealer] + "234m567p99m23s"
        table = make_table(HAND, ["", hand], "1s")
        table.state.dealer = dealer
        call(table, 0, "1s", 1, Action.RON)
        assert yaku_of(table) == {wind}


def test_the_round_wind_follows_the_round():
    for kyoku, wind, tiles in ((0, YakuId.ROUND_WIND_EAST, "111z"), (4, YakuId.ROUND_WIND_SOUTH, "222z")):
        table = make_table(TENHOU, ["", "", tiles + "234m567p99m23s"], "1s")
        table.state.kyoku = kyoku
        call(table, 0, "1s", 2, Action.RON)
        assert yaku_of(table) == {wind}


# ---------------------------------------------------------------------------------------------------------
# State


def test_the_turn_number_grows_when_the_turn_comes_round_to_the_dealer():
    table = make_table(HAND, [JUNK], "5z6z6z7z5z")
    assert int(table.state.turns) == 1
    throws(table, 0, "5z6z6z7z")
    assert int(table.state.turns) == 2


@pytest.mark.parametrize(
    ("discarder", "caller", "turns"), [(0, 2, 1), (1, 3, 1), (1, 0, 2), (3, 1, 2), (3, 0, 2), (2, 1, 2)]
)
def test_a_call_that_passes_the_dealer_over_is_a_turn(discarder, caller, turns):
    deals = ["", "", "", ""]
    deals[caller] = "55z14m14p147s369m7p"
    table = make_table(HAND, deals, ("6z7z6z"[: 2 * discarder]) + "5z")
    for seat in range(discarder):
        throw(table, seat, ("6z", "7z", "6z")[seat])
    call(table, discarder, "5z", caller, Action.PON)
    assert int(table.state.turns) == turns


def test_the_river_says_how_a_tile_was_discarded():
    table = make_table(HAND, ["234m567p345s11z99s", "55z14m14p147s369m7p"], "5z")
    do(table, 0, Action.RIICHI)
    assert table.actor == 1
    do(table, 1, Action.PON)
    mark = int(table.state.seats[0].marks[0])
    assert mark == DiscardFlag.TSUMOGIRI | DiscardFlag.DECLARES_RIICHI | DiscardFlag.CALLED
    table.act(table.legal[0])
    assert int(table.state.seats[1].marks[0]) == 0


def test_a_called_discard_and_a_simple_end_nagashi_mangan():
    table = make_table(HAND, [JUNK, "55z14m14p147s369m7p"], "5z2p")
    assert [int(seat.nagashi) for seat in table.state.seats] == [1, 1, 1, 1]
    call(table, 0, "5z", 1, Action.PON)
    assert int(table.state.seats[0].nagashi) == 0
    throw(table, 1, "4m")
    assert [int(seat.nagashi) for seat in table.state.seats] == [0, 0, 1, 1]


def test_ippatsu_ends_with_the_next_own_discard():
    table = make_table(HAND, ["234m567p345s11z99s"], "5z6z6z7z7z")
    riichi(table, 0)
    assert int(table.state.seats[0].ippatsu) == 1
    throws(table, 1, "6z6z7z")
    assert int(table.state.seats[0].ippatsu) == 0, "the tile drawn has gone by itself"


@pytest.mark.parametrize("counts", [True, False])
def test_ippatsu_counts_by_its_rule(counts):
    table = make_table(dataclasses.replace(HAND, ippatsu=counts), ["234m567p345s11z99s"], "5z6z6z7z9s")
    riichi(table, 0)
    assert int(table.state.seats[0].ippatsu) == counts
    throws(table, 1, "6z6z7z")
    do(table, 0, Action.TSUMO)
    assert yaku_of(table) == {YakuId.DOUBLE_RIICHI, YakuId.MENZEN_TSUMO} | ({YakuId.IPPATSU} if counts else set())


@pytest.mark.parametrize(("hand", "allowed"), [("19m19p19s123z2558p", True), ("19m19p19s12z22558p", False)])
def test_kyuushu_kyuuhai_needs_nine_kinds(hand, allowed):
    assert may(make_table(HAND, [hand], "5p"), Action.KYUUSHU_KYUUHAI) == allowed


def test_an_open_hand_declares_no_riichi():
    table = make_table(HAND, ["", "55z1z234m567p34s99s"], "5z1p7z6z7z")
    call(table, 0, "5z", 1, Action.PON)
    throw(table, 1, "1z")
    throws(table, 2, "1p7z6z")
    assert (table.actor, may(table, Action.RIICHI)) == (1, False)


def test_a_closed_kan_does_not_open_a_hand():
    table = make_table(HAND, ["5555z234m567p349s"], "9s", replacements="1z")
    do(table, 0, Action.ANKAN + tile("5z"))
    assert may(table, Action.RIICHI)


def test_a_win_in_the_first_turn_is_a_yaku_unless_something_was_called():
    for seat, yaku in ((0, YakuId.TENHOU), (1, YakuId.CHIIHOU)):
        deals = ["", ""]
        deals[seat] = "222z234m567p345s1p"
        table = make_table(HAND, deals, "1p" if seat == 0 else "6z1p")
        if seat:
            throw(table, 0, "6z")
        do(table, seat, Action.TSUMO)
        assert yaku_of(table) == {yaku}
    table = make_table(HAND, ["", JUNK, "66z147m147p14s258s", "222z234m567p345s1p"], "6z1p")
    call(table, 0, "6z", 2, Action.PON)
    throw(table, 2, "4m")
    do(table, 3, Action.TSUMO)
    assert YakuId.CHIIHOU not in yaku_of(table)


def test_a_replacement_tile_is_not_the_last_of_the_wall():
    table = make_table(HAND, ["9999p234m567m238s"], "8s", replacements="4s")
    table.state.left = 1
    do(table, 0, Action.ANKAN + tile("9p"))
    assert int(table.state.left) == 0
    do(table, 0, Action.TSUMO)
    assert yaku_of(table) == {YakuId.MENZEN_TSUMO, YakuId.RINSHAN_KAIHOU}


def test_a_north_from_the_hand_changes_the_waits_and_is_a_dora():
    table = make_table(SANMA_HAND, ["4z123p456p789s112s"], "3s", dora="5z", replacements="4s")
    do(table, 0, Action.KITA)
    do(table, 0, Action.TSUMO)
    assert int(table.state.wins[0].value.dora) == 1


@pytest.mark.parametrize(
    ("change", "hand"),
    [
        ({}, "234p567p345s11z9s7z"),  # one tile from tenpai
        ({"riichi_least_points": 30_000}, "234p567p345s11z99s"),
        ({"riichi_least_tiles": 70}, "234p567p345s11z99s"),
    ],
)
def test_without_riichi_legal_actions_are_discards_of_held_tiles(change, hand):
    table = make_table(dataclasses.replace(HAND, **change), [hand], "5z")
    kinds = sorted(set(parse_tiles(hand)))
    assert table.legal == [*kinds, Action.TSUMOGIRI]


def test_dora_follow_from_the_indicators_on_the_table():
    table = make_table(HAND, ["555z234m567p345s1p"], "1p", dora="1m4p", ura="3m")
    do(table, 0, Action.TSUMO)
    value = table.state.wins[0].value
    assert int(value.dora) == 1, "2m; 5p would be by the next indicator"
    assert int(value.ura) == 0, "4m would be, in riichi"
    table = make_table(HAND, ["9999p234m567m238s"], "8s", dora="1m4m7m", replacements="4s")
    do(table, 0, Action.ANKAN + tile("9p"))
    do(table, 0, Action.TSUMO)
    assert int(table.state.wins[0].value.dora) == 2, "2m, and 5m by the kan's indicator"


@pytest.mark.parametrize(("drawn", "kinds"), [("0p", ["5p"]), ("1m", [])])
def test_an_added_kan_takes_the_fourth_tile_of_a_pon(drawn, kinds):
    table = make_table(HAND, ["", "55p234m678s99m23s1z"], "5p6z6z7z" + drawn)
    call(table, 0, "5p", 1, Action.PON)
    throw(table, 1, "1z")
    throws(table, 2, "6z6z7z")
    assert [action - Action.KAKAN for action in table.legal if action >= Action.KAKAN] == [tile(kind) for kind in kinds]


@pytest.mark.parametrize(("kuikae", "may_discard"), [(Kuikae.ALLOWED, True), (Kuikae.SAME_TILE, False)])
def test_kuikae_forbids_the_tile_of_a_pon(kuikae, may_discard):
    table = make_table(dataclasses.replace(HAND, kuikae=kuikae), ["", "666p147m147s1234z"], "6p")
    call(table, 0, "6p", 1, Action.PON)
    assert may(table, tile("6p")) == may_discard
    assert may(table, tile("1m"))


@pytest.mark.parametrize(("left", "options"), [(1, ["pon", "pass"]), (0, [])])
def test_the_last_discard_is_not_called_and_the_one_before_is(left, options):
    table = make_table(HAND, ["", "55z147m258p369s12z"], "5z")
    table.state.left = left
    offer(table, 0, "5z")
    assert (texts(table) if table.actor == 1 else []) == options


def test_in_riichi_four_tiles_held_before_make_no_kan():
    # 1m stands for a triplet and a run; 9p is drawn.
    table = make_table(HAND, ["111123m999p34s55z"], "1z6z6z7z9p")
    riichi(table, 0)
    throws(table, 1, "6z6z7z")
    assert closed_kans(table, 0) == [tile("9p")]


def test_a_cheap_win_is_found_after_an_expensive_one():
    # Seat 1 passes a haneman; seat 2 wins with its wind only.
    table = make_table(HAND, ["", "555666z77z123p23m", "333z234p567s88s68m"], "1m7m")
    offer(table, 0, "1m")
    assert may(table, Action.RON)
    do(table, 1, Action.PASS)
    offer(table, 1, "7m")
    assert table.actor == 2
    do(table, 2, Action.RON)
    win = table.state.wins[0]
    assert (int(win.tile), yaku_of(table)) == (tile("7m"), {YakuId.SEAT_WIND_WEST})


@pytest.mark.parametrize(
    ("runs", "red"), [("340m345p345s", 1), ("345m340p345s", 1), ("345m345p340s", 1), ("340m340p340s", 3)]
)
def test_red_fives_of_every_suit_count(runs, red):
    table = make_table(HAND, [f"555z{runs}1p"], "1p")
    do(table, 0, Action.TSUMO)
    assert int(table.state.wins[0].value.red) == red


def test_a_red_five_of_the_hand_can_be_discarded_besides_the_drawn_one():
    rules = dataclasses.replace(HAND, red_fives=(1, 2, 1))
    table = make_table(rules, ["0p258m147s369p123z"], "0p")
    assert may(table, tile("0p"))
    assert may(table, Action.TSUMOGIRI)


@pytest.mark.parametrize(("before", "wins"), [("9m", True), ("1m", False)])
def test_a_passed_tile_without_a_yaku_causes_furiten(before, wins):
    # Seat 1 has an open hand with only all simples and waits for 1m and 4m.
    table = make_table(HAND, [JUNK, "22p23m456p678s55s1z", JUNK, JUNK], f"2p{before}4m")
    call(table, 0, "2p", 1, Action.PON)
    throw(table, 1, "1z")
    throw(table, 2, before)
    offer(table, 3, "4m")
    assert (table.actor == 1 and may(table, Action.RON)) == wins


def test_a_closed_kan_of_a_wait_causes_no_furiten():
    table = make_table(HAND, ["555z234m567p78s11p", "9999s147m258p123z"], "7z6z", replacements="6s")
    throw(table, 0, "7z")
    do(table, 1, Action.ANKAN + tile("9s"))
    offer(table, 1, "6s")
    assert table.actor == 0
    assert may(table, Action.RON)


@pytest.mark.parametrize(
    ("held", "discarded"),
    [
        *(("23z", "1z"), ("34z", "2z"), ("67z", "5z")),
        *(("9m1p", "8m"), ("8m1p", "9m"), ("9m2p", "1p"), ("9m1p", "2p"), ("9p1s", "8p"), ("9p2s", "1s")),
    ],
)
def test_honours_form_no_runs_and_runs_do_not_cross_suits(held, discarded):
    table = make_table(HAND, ["", f"{held}222444666s55z"], discarded)
    offer(table, 0, discarded)
    assert not any(Action.CHII <= action < Action.PON for action in table.legal)


def test_a_red_five_needed_for_tenpai_is_no_riichi_discard():
    table = make_table(HAND, ["340m567789p2256s"], "5s")
    do(table, 0, Action.RIICHI)
    assert table.legal == [tile("5s"), tile("6s"), Action.TSUMOGIRI]


def test_ura_dora_of_one_winner_do_not_count_for_the_other():
    deals = [JUNK, "46s234m567p11m555z", "46s234p567m22m666z"]
    table = make_table(HAND, deals, "7z7z7z1z5s", dora="9s", ura="1m")
    throw(table, 0, "7z")
    riichi(table, 1)
    throws(table, 2, "7z1z")
    call(table, 0, "5s", 1, Action.RON)
    do(table, 2, Action.RON)
    assert [int(table.state.wins[number].value.ura) for number in range(2)] == [1, 0]


# ---------------------------------------------------------------------------------------------------------
# Visible tiles


def log_of(table) -> list[tuple[int, ...]]:
    """Return event, seat, tile and detail of the log, without the deal's indicator."""
    rows = table.state.log.reshape(-1, 4)[: int(table.state.logged)].tolist()
    return [tuple(row) for row in rows if row[0] != Event.DORA]


@pytest.mark.parametrize(
    ("held", "called", "action", "form", "lowest", "detail"),
    [
        ("46m", "5m", "chii (called tile middle)", MeldForm.CHII, "4m", Action.CHII + 1),
        ("40m", "3m", "chii (called tile low, red five)", MeldForm.CHII, "3m", Action.CHII_RED),
        ("40p", "3p", "chii (called tile low, red five)", MeldForm.CHII, "3p", Action.CHII_RED),
        ("40s", "3s", "chii (called tile low, red five)", MeldForm.CHII, "3s", Action.CHII_RED),
        ("66m", "6m", "pon", MeldForm.PON, "6m", Action.PON),
        ("05m", "5m", "pon with 1 red five", MeldForm.PON, "5m", Action.PON + 1),
        ("666m", "6m", "open kan", MeldForm.DAIMINKAN, "6m", Action.DAIMINKAN),
    ],
)
def test_a_called_set_contains_the_tile_and_its_discarder(held, called, action, form, lowest, detail):
    others = "147p147s12345z"[: 16 - len(held)] + "z"
    table = make_table(HAND, ["", held + others], called, replacements="7z")
    offer(table, 0, called)
    assert (int(table.state.tile), int(table.state.drawn)) == (tile(called), -1), "discarded, and not in hand any more"
    do(table, 1, table.legal[texts(table).index(action)])
    pass_all(table)
    seat = table.state.seats[1]
    meld = seat.melds[0]
    assert (int(seat.calls), int(seat.opened)) == (1, 1)
    assert [int(meld[name]) for name in ("form", "kind", "tile", "discarder", "turn", "after")] == [
        form, tile(lowest), tile(called), 0, 1, 0,
    ]
    kan = form == MeldForm.DAIMINKAN
    assert hand_of(table, 1) == (others.replace("z", "7z") if kan else others), "all that was held of the set has left"
    event = {MeldForm.CHII: Event.CHII, MeldForm.PON: Event.PON, MeldForm.DAIMINKAN: Event.DAIMINKAN}[form]
    assert log_of(table)[:3] == [
        (Event.DRAW, 0, tile(called), 0), (Event.DISCARD, 0, tile(called), 1), (event, 1, tile(called), detail),
    ]
    assert log_of(table)[3:] == ([(Event.DRAW, 1, tile("7z"), 0)] if kan else [])
    assert int(table.state.tile) == -1, "nobody may claim it any more"
    assert int(table.state.drawn) == (tile("7z") if kan else -1), "what was called is not a tile just drawn"
    assert int(table.state.rinshan) == int(kan)


def test_an_open_kan_changes_the_waits():
    table = make_table(HAND, ["", "6667m456p234999s"], "6m", replacements="7z")
    assert int(table.state.hands[1].waits) == sum(1 << tile(text) for text in ("5m", "7m", "8m"))
    call(table, 0, "6m", 1, Action.DAIMINKAN)
    assert int(table.state.hands[1].waits) == 1 << tile("7m")


def test_a_closed_kan_opens_nothing_and_the_log_names_it():
    table = make_table(HAND, ["0555p147m147s123z"], "5z", replacements="7z")
    do(table, 0, Action.ANKAN + tile("5p"))
    seat = table.state.seats[0]
    meld = seat.melds[0]
    assert (int(seat.calls), int(seat.opened)) == (1, 0)
    assert [int(meld[name]) for name in ("form", "kind", "tile", "discarder", "reds")] == [
        MeldForm.ANKAN, tile("5p"), -1, 0, 1,
    ]
    assert log_of(table) == [
        (Event.DRAW, 0, tile("5z"), 0),
        (Event.ANKAN, 0, tile("5p"), Action.ANKAN + tile("5p")),
        (Event.DRAW, 0, tile("7z"), 0),
    ]


def test_an_added_kan_is_in_the_log_and_changes_its_pon_alone():
    table = make_table(HAND, ["", "05p99s147m123457z"], "5p9s6z6z7z5p", replacements="1s")
    for called, discarded, detail in (("5p", "1z", 1), ("9s", "2z", 0)):
        call(table, 0 if called == "5p" else 2, called, 1, Action.PON + detail)
        throw(table, 1, discarded)
    throws(table, 2, "6z6z7z")
    do(table, 1, Action.KAKAN + tile("5p"))
    melds = table.state.seats[1].melds
    assert [(int(meld.form), int(meld.kind), int(meld.reds), int(meld.after)) for meld in melds[:2]] == [
        (MeldForm.KAKAN, tile("5p"), 1, 0), (MeldForm.PON, tile("9s"), 0, 1),
    ]
    assert log_of(table)[-2:] == [
        (Event.KAKAN, 1, tile("5p"), Action.KAKAN + tile("5p")), (Event.DRAW, 1, tile("1s"), 0),
    ]


def test_a_riichi_is_in_the_log_before_its_discard_and_its_stick_after():
    table = make_table(HAND, ["234m567p345s11z99s"], "5z6z")
    riichi(table, 0)
    assert log_of(table) == [
        (Event.DRAW, 0, tile("5z"), 0),
        (Event.RIICHI, 0, -1, 0),
        (Event.DISCARD, 0, tile("5z"), 1),
        (Event.ACCEPTED, 0, -1, 0),
        (Event.DRAW, 1, tile("6z"), 0),
    ]
    assert int(table.state.seats[0].riichi_turn) == 1


def test_the_log_tells_the_drawn_tile_from_one_of_the_hand():
    table = make_table(HAND, [JUNK, JUNK], "5z6z")
    throws(table, 0, "5z1z")
    assert [row for row in log_of(table) if row[0] == Event.DISCARD] == [
        (Event.DISCARD, 0, tile("5z"), 1), (Event.DISCARD, 1, tile("1z"), 0),
    ]


def test_a_kita_leaves_the_hand_and_is_in_the_log():
    table = make_table(SANMA_HAND, ["19m258p147s12345z"], "6z", replacements="7z")
    do(table, 0, Action.KITA)
    assert hand_of(table, 0) == "19m258p147s123567z"
    assert log_of(table) == [
        (Event.DRAW, 0, tile("6z"), 0), (Event.KITA, 0, tile("4z"), 0), (Event.DRAW, 0, tile("7z"), 0),
    ]


def test_the_winning_tile_after_a_kan_is_a_yaku_and_that_after_the_next_discard_is_not():
    hand = "9999p234m567m238s"
    table = make_table(HAND, [hand], "8s", replacements="4s")
    do(table, 0, Action.ANKAN + tile("9p"))
    do(table, 0, Action.TSUMO)
    assert yaku_of(table) == {YakuId.MENZEN_TSUMO, YakuId.RINSHAN_KAIHOU}
    table = make_table(HAND, [hand], "8s6z6z7z4s", replacements="1z")
    do(table, 0, Action.ANKAN + tile("9p"))
    throw(table, 0, "1z")
    throws(table, 1, "6z6z7z")
    do(table, 0, Action.TSUMO)
    assert yaku_of(table) == {YakuId.MENZEN_TSUMO}


def test_a_tile_added_from_the_hand_changes_the_waits():
    # Seat 1 has called 222p and keeps the fourth; without it 34s wait for 2s and 5s.
    table = make_table(HAND, ["", "222p234m678m99s31s"], "2p5z6z7z4s", replacements="5s")
    call(table, 0, "2p", 1, Action.PON)
    throw(table, 1, "1s")
    throws(table, 2, "5z6z7z")
    do(table, 1, Action.KAKAN + tile("2p"))
    do(table, 1, Action.TSUMO)
    assert YakuId.RINSHAN_KAIHOU in yaku_of(table)


def test_the_tiles_of_a_closed_kan_do_not_count_as_passed():
    # Seat 0 is in riichi for East and 9s; seat 1 lays down four 8s, then discards 5z.
    table = make_table(HAND, ["234m567p345s11z99s", "8888s147m147p12z3z"], "5z6z", replacements="5z")
    riichi(table, 0)
    assert int(table.state.seats[0].passed) == 0
    do(table, 1, Action.ANKAN + tile("8s"))
    assert int(table.state.seats[0].passed) == 0
    throw(table, 1, "5z")
    assert int(table.state.seats[0].passed) == 1 << tile("5z")
