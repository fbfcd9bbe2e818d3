"""Differences of the presets from Tenhou's rules, at constructed tables: one claim, one test."""

import dataclasses

import pytest

from janshi.riichi.actions import Action
from janshi.riichi.hands import HandError, score
from janshi.riichi.records import read_bytes, write_games
from janshi.riichi.records.recording import GameRecording
from janshi.riichi.records.replay import Replayer
from janshi.riichi.rules import (
    EMA,
    JPML_A,
    KYOKAI,
    M_LEAGUE,
    MAHJONG_SOUL,
    MAHJONG_SOUL_SANMA,
    MU,
    SAIKYOSEN,
    TENHOU,
    TENHOU_SANMA,
    WRC,
    Length,
    RuleError,
    final_points,
)
from tests.rules.tables import (
    HAND,
    JUNK,
    TENPAI,
    call,
    do,
    drift,
    make_table,
    may,
    offer,
    texts,
    throw,
    throws,
    tile,
)

EMA_HAND, M_LEAGUE_HAND, SOUL_HAND = (
    dataclasses.replace(rules, length=Length.SINGLE_HAND) for rules in (EMA, M_LEAGUE, MAHJONG_SOUL)
)


# ---------------------------------------------------------------------------------------------------------
# Mahjong Soul


@pytest.mark.parametrize(
    ("tiles", "win", "plain", "double"),
    [
        ("19m19p19s12345677z", "1m", "kokushi musou", "kokushi musou 13-sided"),
        ("222m444p666s888p99s", "2m", "suuankou", "suuankou tanki"),
        ("11123456789995m", "1m", "chuuren poutou", "junsei chuuren poutou"),
    ],
)
@pytest.mark.parametrize(("seat", "first"), [("E", "tenhou"), ("S", "chiihou")])
def test_in_the_first_turn_the_double_form_counts_at_mahjong_soul(tiles, win, plain, double, seat, first):
    for rules, name, yakuman in ((TENHOU, plain, 2), (MAHJONG_SOUL, double, 3)):
        value = score(tiles, win, first=True, tsumo=True, seat=seat, rules=rules)
        assert ({yaku.name for yaku, _ in value.yaku}, value.yakuman) == ({first, name}, yakuman)
    later = score(tiles, win, tsumo=True, seat=seat, rules=MAHJONG_SOUL)
    assert ([yaku.name for yaku, _ in later.yaku], later.yakuman) == ([plain], 1)


def test_the_double_form_counts_with_three_players_too():
    how = {"first": True, "tsumo": True}
    tiles, win = "222p444p666s888p99s", "2p"
    assert score(tiles, win, rules=TENHOU_SANMA, **how).yakuman == 2
    assert score(tiles, win, rules=MAHJONG_SOUL_SANMA, **how).yakuman == 3


# ---------------------------------------------------------------------------------------------------------
# M.League


@pytest.mark.parametrize(("points", "tenhou"), [(1_000, True), (900, False), (-100, False)])
def test_riichi_needs_no_points_in_the_m_league(points, tenhou):
    for rules, allowed in ((HAND, tenhou), (M_LEAGUE_HAND, True)):
        table = make_table(rules, ["", TENPAI], "5z5z")
        table.state.seats[1].points = points
        throw(table, 0, "5z")
        assert (table.actor, may(table, Action.RIICHI)) == (1, allowed)


def test_riichi_needs_no_further_draw_in_the_m_league():
    for rules, allowed in ((HAND, False), (M_LEAGUE_HAND, True)):
        table = make_table(rules, [JUNK, TENPAI, JUNK], last="5z")
        drift(table)
        assert (table.actor, int(table.state.left)) == (1, 0)
        assert may(table, Action.RIICHI) == allowed


def test_the_discarder_of_the_fourth_kan_has_pao_in_the_m_league():
    for rules, liable, change in (
        (TENHOU, -1, (-16_000, 32_000, -8_000, -8_000)),
        (M_LEAGUE, 2, (0, 32_000, -32_000, 0)),
    ):
        table = make_table(rules, ["", "111m222m333m444p5z"], "1m2m3m4p", replacements="6z6z6z5z")
        for seat, called in ((0, "1m"), (2, "2m"), (2, "3m"), (2, "4p")):
            call(table, seat, called, 1, Action.DAIMINKAN)
            assert int(table.state.seats[1].pao_kans) == (liable if called == "4p" else -1)
            if called != "4p":
                throw(table, 1, "6z")
        do(table, 1, Action.TSUMO)
        assert table.result.change == change


def test_tied_players_share_uma_and_oka():
    scores = [40_000, 20_000, 20_000, 20_000]
    assert final_points(M_LEAGUE, scores) == [60.0, -20.0, -20.0, -20.0]
    assert final_points(TENHOU, scores) == [50.0, 0.0, -20.0, -30.0]
    # 50,000 among three: remaining hundreds go to the first dealer.
    assert final_points(M_LEAGUE, [10_000, 30_000, 30_000, 30_000]) == [-50.0, 16.7, 16.7, 16.6]
    assert final_points(M_LEAGUE, [25_000] * 4) == [0.0] * 4
    assert final_points(M_LEAGUE, [35_000, 15_000, 35_000, 15_000]) == [35.0, -35.0, 35.0, -35.0]
    assert final_points(EMA, [30_000, 30_000, 35_000, 25_000]) == [0.0, 0.0, 20.0, -20.0]


# ---------------------------------------------------------------------------------------------------------
# EMA


NO_YAKU = "234m567p99m123s68s"  # waits only for 7s


def test_a_ron_before_the_first_draw_is_a_mangan_by_itself():
    table = make_table(EMA_HAND, ["", NO_YAKU], "7s", dora="8m")
    call(table, 0, "7s", 1, Action.RON)
    win = table.state.wins[0]
    assert (int(win.points), int(win.value.yaku), int(win.value.han)) == (8_000, 1 << 36, 5)
    assert int(win.value.dora) == 0, "dora add nothing"
    tenhou = make_table(HAND, ["", NO_YAKU], "7s")
    offer(tenhou, 0, "7s")
    assert tenhou.actor != 1 or not may(tenhou, Action.RON)


def test_no_renhou_after_the_own_discard_or_a_call():
    table = make_table(EMA_HAND, ["", NO_YAKU], "5z6z7s")
    throws(table, 0, "5z6z")
    offer(table, 2, "7s")
    assert table.actor != 1 or not may(table, Action.RON)
    table = make_table(EMA_HAND, ["", JUNK, NO_YAKU, "66z258m258p25s123z"], "6z7s")
    call(table, 0, "6z", 3, Action.PON)
    throw(table, 3, "1z")
    offer(table, 0, "7s")
    assert table.actor != 2 or not may(table, Action.RON)


def test_renhou_does_not_make_a_hand_worth_less():
    haneman = score("11222345678999m", "8m", first=True, seat="S", rules=EMA)
    assert ([yaku.name for yaku, _ in haneman.yaku], haneman.limit) == (["chinitsu"], "haneman")
    small = score("234m567p99m123s786s", first=True, seat="S", rules=EMA)
    assert ([(yaku.name, han) for yaku, han in small.yaku], small.limit) == ([("renhou", 5)], "mangan")
    assert (small.han, small.points, small.yakuman) == (5, 8_000, 0)
    with_reds = dataclasses.replace(EMA, red_fives=(1, 1, 1))
    red = score("234m067p99m123s786s", first=True, seat="S", rules=with_reds)
    assert (red.yaku, red.han) == (small.yaku, 5), "red fives add nothing to it"
    pairs = score("1133m4466p7799s1z1z", first=True, seat="W", rules=EMA)
    assert [yaku.name for yaku, _ in pairs.yaku] == ["renhou"]
    yakuman = score("19m19p19s12345677z", "1m", first=True, seat="S", rules=EMA)
    assert [yaku.name for yaku, _ in yakuman.yaku] == ["kokushi musou"]


def test_renhou_is_for_non_dealers_and_by_its_rule():
    for how in ({"rules": EMA, "seat": "E"}, {"rules": TENHOU, "seat": "S"}):
        with pytest.raises(HandError, match="first turn"):
            score("234m567p99m123s786s", first=True, **how)


PON = ["147m258p369s1234z", "333m567p345s678s9p", "147m258p369s1234z", JUNK]


def wait_for_a_fifth(rules):
    """Return an exhaustive draw in which seat 1 has called 3m and waits for 3m with the last one in its hand."""
    table = make_table(rules, PON, "3m")
    call(table, 0, "3m", 1, Action.PON)
    throw(table, 1, "9p")
    drift(table, until=-1)
    assert table.result.reason == "exhaustive draw"
    return table


def test_a_hand_with_only_karaten_waits_is_noten():
    assert wait_for_a_fifth(HAND).result.change == (-1_000, 3_000, -1_000, -1_000)
    assert wait_for_a_fifth(EMA_HAND).result.change == (0, 0, 0, 0)


def test_tiles_of_called_runs_are_held_too():
    # Seat 1 waits for 3m alone: two lie in its runs, two are in the hand.
    for rules, change in ((HAND, (-1_000, 3_000, -1_000, -1_000)), (EMA_HAND, (0, 0, 0, 0))):
        others = "589m147p369s1234z"
        table = make_table(rules, [others, "12223333m567p9s1z", others, others], "1m6z6z1m")
        for thrown in ("9s", "1z"):
            call(table, 0, "1m", 1, Action.CHII)
            throw(table, 1, thrown)
            if thrown == "9s":
                throws(table, 2, "6z6z")
        drift(table, until=-1)
        assert table.result.change == change


def test_a_dealer_with_only_karaten_waits_does_not_keep_the_deal():
    for rules, dealer in ((TENHOU, 1), (EMA, 2)):
        table = make_table(rules, PON, "3m")
        table.state.dealer = 1  # of the hand that is played
        call(table, 0, "3m", 1, Action.PON)
        throw(table, 1, "9p")
        drift(table, until=-1)
        table.next_hand()
        assert int(table.state.dealer) == dealer


def test_a_kind_held_four_times_in_the_concealed_hand_is_never_a_wait():
    for rules in (HAND, EMA_HAND):
        table = make_table(rules, ["", "1111m234p567p345s", JUNK, JUNK])
        drift(table, until=-1)
        assert table.result.change == (0, 0, 0, 0)


def test_riichi_needs_a_wait_for_a_tile_not_held_four_times():
    # A closed kan of 3m beside 112m: without a 1m the hand waits for 3m, without 2m for 1m and 9p.
    for rules, discards in ((HAND, ["discard 1m", "discard 2m", "discard the drawn tile"]), (EMA_HAND, [])):
        table = make_table(rules, ["3333m12m567p99p67s"], "8s", replacements="1m")
        do(table, 0, Action.ANKAN + tile("3m"))
        do(table, 0, Action.RIICHI)
        assert (texts(table) if table.actor == 0 else []) == discards
        if not discards:
            assert int(table.state.seats[0].river[0]) == tile("2m")


def test_no_riichi_with_only_karaten_waits():
    # A closed kan of 3m, and 12m that wait for 3m.
    for rules, allowed in ((HAND, True), (EMA_HAND, False)):
        table = make_table(rules, ["3333m12m567p99p67s"], "8s", replacements="5z")
        do(table, 0, Action.ANKAN + tile("3m"))
        assert may(table, Action.RIICHI) == allowed


def test_thirteen_orphans_rob_a_closed_kan_under_ema_rules():
    for rules, asked in ((HAND, False), (EMA_HAND, True), (SOUL_HAND, True), (M_LEAGUE_HAND, False)):
        table = make_table(rules, ["234m567p345s999s1m", "19m19p1s11234567z"], "9s")
        do(table, 0, Action.ANKAN + tile("9s"))
        assert (table.actor == 1 and may(table, Action.RON)) == asked


# ---------------------------------------------------------------------------------------------------------
# Pao for a win on the replacement tile of an open kan


KAN_PAO = dataclasses.replace(TENHOU, name="club", pao_rinshan=True)
#: An open kan of 1m, and 8s completes the hand: 50 fu, 1 han.
OPEN_KAN = ["", "111m222p345s99p67s"]


@pytest.mark.parametrize(
    ("rules", "liable", "change"), [(KAN_PAO, 0, (-1_900, 1_900, 0, 0)), (TENHOU, -1, (-900, 1_900, -500, -500))]
)
def test_the_discarder_of_an_open_kan_pays_a_win_on_its_replacement_tile(rules, liable, change):
    table = make_table(rules, OPEN_KAN, "1m", replacements="8s", dora="3z")
    table.state.honba = 1
    call(table, 0, "1m", 1, Action.DAIMINKAN)
    do(table, 1, Action.TSUMO)
    assert (int(table.state.wins[0].pao), table.result.change) == (liable, change)


def test_a_further_kan_ends_the_pao_of_an_open_kan():
    table = make_table(KAN_PAO, OPEN_KAN, "1m", replacements="2p8s")
    call(table, 0, "1m", 1, Action.DAIMINKAN)
    do(table, 1, Action.ANKAN + tile("2p"))
    do(table, 1, Action.TSUMO)
    assert int(table.state.wins[0].pao) == -1
    assert len(set(table.result.change)) == 3


@pytest.mark.parametrize("form", ["mjai", "tenhou6", "mjlog"])
def test_a_record_of_that_pao_replays(form):
    table = make_table(dataclasses.replace(KAN_PAO, length=Length.SINGLE_HAND), OPEN_KAN, "1m", replacements="8s")
    call(table, 0, "1m", 1, Action.DAIMINKAN)
    do(table, 1, Action.TSUMO)
    recording = GameRecording(TENHOU, ["a", "b", "c", "d"])
    recording.add_hand(table.record)
    (read,) = read_bytes(write_games([recording.game()], form)[0].encode(), "made")
    for rules, differs in ((KAN_PAO, False), (TENHOU, True)):
        read.rules = dataclasses.replace(rules, length=Length.SINGLE_HAND)
        assert bool(Replayer().replay(read).mismatches) == differs


# ---------------------------------------------------------------------------------------------------------
# The associations


@pytest.mark.parametrize(
    ("scores", "results"),
    [
        ([45_000, 29_000, 26_000, 20_000], [27.0, -2.0, -7.0, -18.0]),
        ([45_000, 30_000, 25_000, 20_000], [23.0, 4.0, -9.0, -18.0]),
        ([40_000, 31_000, 30_000, 19_000], [18.0, 4.0, 1.0, -23.0]),
        ([30_000, 30_000, 30_000, 30_000], [0.0, 0.0, 0.0, 0.0]),
    ],
)
def test_the_uma_depends_on_the_players_above_30000(scores, results):
    assert final_points(JPML_A, scores) == results


def test_tied_players_above_30000_share_the_floating_uma():
    assert final_points(JPML_A, [31_000, 31_000, 31_000, 27_000]) == [5.0, 5.0, 5.0, -15.0]


def test_three_players_have_no_floating_uma():
    with pytest.raises(RuleError, match="are for four players"):
        dataclasses.replace(TENHOU_SANMA, uma_one_above=(12_000, -1_000, -3_000, -8_000))


def test_equal_players_of_the_saikyosen_rank_by_the_first_deal():
    assert final_points(SAIKYOSEN, [25_000] * 4) == [45.0, 5.0, -15.0, -35.0]
    assert final_points(KYOKAI, [25_000] * 4) == [0.0] * 4


@pytest.mark.parametrize(("rules", "declared"), [(WRC, False), (KYOKAI, True)])
def test_riichi_needs_a_further_draw_in_the_wrc_alone(rules, declared):
    table = make_table(dataclasses.replace(rules, length=Length.SINGLE_HAND), [JUNK, TENPAI, JUNK], last="5z")
    drift(table)
    assert (table.actor, int(table.state.left)) == (1, 0)
    assert may(table, Action.RIICHI) == declared


@pytest.mark.parametrize(("rules", "paid"), [(MU, 1_300), (KYOKAI, 1_600)])
def test_honba_are_worth_nothing_in_the_mu_league(rules, paid):
    table = make_table(rules, ["", "234m567p345s33p55s"], "5s")
    table.state.honba = 1
    offer(table, 0, "5s")
    do(table, 1, Action.RON)
    assert table.result.change == (-paid, paid, 0, 0)
