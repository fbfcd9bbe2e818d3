"""The encoder of Sichuan mahjong: what its numbers say of tables made by hand, and agreement with the hand tools."""

from __future__ import annotations

import numpy as np
import pytest

from janshi.sichuan.actions import Action
from janshi.sichuan.agents.heuristic import HeuristicAgent
from janshi.sichuan.encoder import COMMON, FEATURES, SICHUAN
from janshi.sichuan.hands import score as hands
from janshi.table import Table, Tables
from janshi.tiles import format_tiles
from tests.sichuan.tables import PASS, PUNG, discard, table, tile, until, wall


def number(name: str) -> int:
    """Return the index of a number."""
    return SICHUAN.columns.index(name)


def test_every_number_is_nonzero_in_some_game() -> None:
    seen = np.zeros(len(SICHUAN.columns), np.bool_)
    assert len(seen) == 27 * FEATURES + COMMON
    player = HeuristicAgent()
    tables = Tables("sichuan-exchange", 600, 5)
    for step in range(160):
        batch = tables.decisions()
        packed = SICHUAN.encode(batch)
        assert packed.max() <= 16
        seen |= (packed > 0).any(axis=0)
        if step % 2:
            tables.step(player.act(batch))
        else:
            tables.play_random(1)
    assert [name for name, there in zip(SICHUAN.columns, seen, strict=True) if not there] == []


def of_kinds(made: Table, what: str) -> dict[int, str]:
    """Return a number of each kind for the actor: the kinds by value, without 0."""
    first = number(f"1m {what}")
    row = SICHUAN.encode(made.decision())[0]
    kinds: dict[int, list[int]] = {}
    for kind in range(27):
        kinds.setdefault(int(row[first + FEATURES * kind]), []).append(kind)
    return {value: format_tiles(found) for value, found in sorted(kinds.items()) if value}


def of_position(made: Table, what: str) -> list[int]:
    """Return numbers of the position for the actor."""
    row = SICHUAN.encode(made.decision())[0]
    names = {what, *(f"{what} {place}" for place in range(1, 10))}
    return [int(value) for name, value in zip(SICHUAN.columns, row, strict=True) if name in names]


def after_a_kong() -> Table:
    """The dealer has made a kong of 2s, drawn 4s and discarded 9m; seat 1 discards 5p, of which the dealer holds two.

    Seat 2 voids dots and holds three of 9s.
    """
    made = table(["9m2222s55678p1139s", "5p444s", "999s333m", "7p"], "mpps", last="4s")
    made.act(Action.OWN_KONG + tile("2s"))
    discard(made, "5p")
    return made


def before_a_kong() -> Table:
    """The dealer has made a pung of 5p as well and discarded 9s; seat 2 is asked."""
    made = after_a_kong()
    made.act(PUNG)
    discard(made, "9s")
    return made


def test_tiles_held_are_counted() -> None:
    made = table(["9m2222s55567p1139s", "", "", ""], "mpps")
    assert of_kinds(made, "held") == {1: "9m67p39s", 2: "1s", 3: "5p", 4: "2s"}
    assert of_kinds(made, "held twice") == {1: "5p12s"}
    assert of_kinds(made, "held three times") == {1: "5p2s"}
    assert of_kinds(made, "held four times") == {1: "2s"}
    assert of_kinds(made, "held beside") == {1: "8m578p48s", 3: "4p2s", 4: "6p13s"}
    assert of_kinds(made, "held one further") == {1: "7m4589p157s", 2: "3s", 3: "37p", 4: "4s"}
    assert of_position(made, "kongs and roots") == [1]
    assert of_kinds(made, "unseen") == {1: "5p", 2: "1s", 3: "9m67p39s", 4: "12345678m123489p45678s"}


def test_a_tile_that_lies_face_down_is_held_and_seen() -> None:
    made = table(["9m2222s55567p1139s", "", "", ""], "mpps")
    made.record["hands"]["laid"][0] = tile("8m")
    assert of_kinds(made, "held")[1] == "89m67p39s"
    assert of_kinds(made, "unseen")[3] == "89m67p39s"


def test_void_suits_and_tiles_of_the_own_one() -> None:
    made = table(["129m2222s5567p113s", "", "", ""], "mpss")
    assert of_kinds(made, "own void suit") == {1: "123456789m"}
    assert of_kinds(made, "void suit of next") == {1: "123456789p"}
    assert of_kinds(made, "void suit of second") == of_kinds(made, "void suit of third") == {1: "123456789s"}
    assert of_position(made, "void tiles") == [3]


def test_melds_and_rivers_stand_by_seat() -> None:
    made = after_a_kong()
    assert of_kinds(made, "own kong") == {1: "2s"}
    assert (of_kinds(made, "own river"), of_kinds(made, "river of next")) == ({1: "9m"}, {1: "5p"})
    assert of_position(made, "melds") == [1, 0, 0, 0]
    made.act(PUNG)
    assert (of_kinds(made, "own pung"), of_kinds(made, "own kong")) == ({1: "5p"}, {1: "2s"})
    assert (of_kinds(made, "other's pung"), of_kinds(made, "other's kong")) == ({}, {})
    assert of_kinds(made, "river of next") == {}
    assert of_kinds(made, "unseen")[1] == "5p"
    assert of_position(made, "melds") == [2, 0, 0, 0]
    discard(made, "9s")
    assert (of_kinds(made, "other's pung"), of_kinds(made, "other's kong")) == ({1: "5p"}, {1: "2s"})
    assert (of_kinds(made, "river of second"), of_kinds(made, "river of third")) == ({1: "9m9s"}, {})
    assert of_position(made, "melds") == [0, 0, 2, 0]
    assert of_kinds(made, "target tile") == {1: "9s"}


def test_kong_money_stands_by_payer_up_to_sixteen_base_points() -> None:
    made = before_a_kong()
    made.record["kong_money"][:] = 0
    assert of_position(made, "kong money from others") == [0, 0, 0]
    made.record["kong_money"][4 * 2 + 3] = 2
    made.record["kong_money"][4 * 2 + 0] = 40
    made.record["kong_money"][4 * 2 + 1] = -2  # paid, not received
    assert of_position(made, "kong money from others") == [2, 16, 0]
    made.record["rules"]["base_points"] = 2
    assert of_position(made, "kong money from others") == [1, 16, 0]


def test_effects_of_a_pung_and_a_kong() -> None:
    made = after_a_kong()
    # 1134s5567p8p9s with a kong of 2s: a pung of 5p leaves a hand that is ready for 5s after 9s.
    assert of_position(made, "pung possible") == [1]
    assert of_position(made, "exposed kong possible") == [0]
    assert of_position(made, "pung helps") == [1]
    assert of_position(made, "shanten at most") == [0, 1, 1, 1, 1, 1]
    made.act(PUNG)
    assert of_position(made, "shanten at most") == [1] * 6
    assert of_kinds(made, "discard keeps shanten") == {1: "9s"}
    assert of_kinds(made, "discard adds one to shanten") == {1: "678p134s"}
    assert of_kinds(made, "tiles accepted after discard (four in one)") == {1: "9s"}
    assert of_kinds(made, "discard accepts most") == {1: "9s"}
    # Four of 5s, each 2 points and one for the self-draw: 12 points, at least 8.
    assert of_kinds(made, "points of waits after discard (powers of two)") == {4: "9s"}
    assert of_kinds(made, "possible discard") == {1: "678p1349s"}
    # Two sets are left, and a pair of 1s: a tile for it, and three for the other set.
    assert of_position(made, "all pungs lack at most") == [0, 0, 0, 0, 1]


def test_discards_of_a_hand_whose_waits_are_all_seen_accept_equally() -> None:
    made = after_a_kong()
    made.act(PUNG)
    made.record["seats"]["discarded"][3, tile("5s")] = 4
    assert of_kinds(made, "discard accepts most") == {1: "9s"}
    assert of_kinds(made, "tiles accepted after discard (four in one)") == {}
    assert of_kinds(made, "points of waits after discard (powers of two)") == {}


def test_the_discards_that_accept_most_are_those_of_least_shanten_with_the_most_tiles() -> None:
    random = np.random.default_rng(6)
    for _ in range(30):
        tiles = np.sort(random.permutation(72)[:14] // 4 + 9)
        made = table(["".join(f"{kind % 9 + 1}{'mps'[kind // 9]}" for kind in tiles.tolist()), "", "", ""], "mmmp")
        one = hands.new_hands(1)
        one["counts"][0] = np.bincount(tiles, minlength=27)
        (found,) = hands.ukeire_arrays(one)
        shanten, left = found["shanten"][:27], found["left"][:27]
        nearest = shanten == shanten.min()
        most = np.flatnonzero(nearest & (left == left[nearest].max()))
        assert of_kinds(made, "discard accepts most") == {1: format_tiles(most.tolist())}


def test_a_pung_beside_a_meld_of_the_next_kind_helps_as_any_other() -> None:
    made = table(["9m2222s55678p1139s", "1s444p", "", ""], "msps", last="4s")
    made.act(Action.OWN_KONG + tile("2s"))
    discard(made, "1s")
    # A pung of 1s leaves 55678p34s, ready after 9s.
    assert of_position(made, "pung helps") == [1]


@pytest.mark.parametrize(("rest", "keeps"), [("789s", {1: "3s"}), ("145s", {})])
def test_an_added_kong_of_a_tile_that_a_run_needs_sets_the_hand_back(rest: str, keeps: dict[int, str]) -> None:
    made = table(["3s", "", f"33s{rest}12457899p", ""], "spms", draws="8s7s4m3s")
    discard(made, "3s")
    made.act(PUNG)
    discard(made, "1p")
    assert of_kinds(until(made, 2), "own kong keeps shanten") == keeps


def test_accepted_tiles_are_counted_by_four() -> None:
    made = table(["9m2222s55678p1139s", "", "", ""], "mpps")
    # Of 5p and 1s two tiles are left, of 3s and 9s three, of 4s, 7s and 8s four: 22.
    assert of_kinds(made, "accepted") == {1: "5p134789s"}
    assert of_kinds(made, "tiles accepted after discard (four in one)") == {6: "9m"}
    assert of_position(made, "tiles accepted (four in one)") == [6]


def test_a_pung_of_a_tile_that_completes_the_hand_brings_it_no_nearer() -> None:
    made = table(["3s", "", "33s123456789m99s", ""], "spps")
    discard(made, "3s")
    assert of_position(made, "win possible") == of_position(made, "pung possible") == [1]
    assert of_position(made, "pung helps") == [0]


@pytest.mark.parametrize(("rest", "keeps"), [("147m258m19s", 1), ("345m678m11m", 1), ("1245s456789m", 0)])
def test_an_exposed_kong_is_measured_by_its_shanten(rest: str, keeps: int) -> None:
    made = table(["3s", "", f"333s{rest}", ""], "spps")
    discard(made, "3s")
    assert of_position(made, "exposed kong possible") == [1]
    assert of_position(made, "exposed kong keeps shanten") == [keeps]


@pytest.mark.parametrize(
    ("left", "reached"), [(0, 0), (1, 1), (3, 1), (4, 2), (8, 3), (15, 3), (16, 4), (24, 5), (32, 6), (40, 7), (48, 8)]
)
def test_tiles_left_are_compared_with_1_4_8_and_every_eighth(left: int, reached: int) -> None:
    made = table(["9m2222s55678p1139s", "", "", ""], "mpps")
    made.record["left"] = left
    assert of_position(made, "tiles left at least") == [1] * reached + [0] * (8 - reached)


def test_winners_and_a_passed_win() -> None:
    made = table(["9m2222s55678p1139s", "", "", ""], "mpps")
    made.record["seats"]["won"][2] = 1
    assert of_position(made, "other has won") == [0, 1, 0]
    assert of_position(made, "win passed") == [0]
    made.record["hands"]["passed"][0] = 1
    assert of_position(made, "win passed") == [1]


def test_an_added_kong_that_may_be_robbed() -> None:
    made = table(["3s", "123456789m1299s", "33s1469p25789p14p", ""], "spms", draws="8s7s4m3s")
    discard(made, "3s")
    assert of_position(made, "robbing") == [0]
    made.act(PASS)
    made.act(PUNG)
    discard(made, "1p")
    until(made, 2)
    assert (of_kinds(made, "own kong possible"), of_kinds(made, "own kong keeps shanten")) == ({1: "3s"}, {1: "3s"})
    assert of_position(made, "kongs and roots") == [1]  # the pung and the fourth tile are a root
    made.record["hands"]["passed"][1] = 0
    made.act(Action.OWN_KONG + tile("3s"))
    assert of_position(made, "robbing") == [1]
    assert of_position(made, "phase") == [0, 0, 0, 0, 1]


@pytest.mark.parametrize(
    ("hand", "pungs", "pairs"),
    [
        ("111333s55577p22p9s", 1, 2),
        ("111333s5577p22p49s", 2, 2),
        ("1133669s557722p4s", 4, 1),
        ("1111s557722p6649s", 3, 1),  # four of a kind are a pung, and two pairs
        ("111s2233445577p9s", 3, 1),  # of five pairs three become pungs, and one the pair
        ("147258369s14725p", 9, 7),
    ],
)
def test_tiles_missing_from_all_pungs_and_seven_pairs(hand: str, pungs: int, pairs: int) -> None:
    made = table([hand, "", "", ""], "mmpp")
    assert of_position(made, "all pungs lack at most") == [0] * min(pungs, 5) + [1] * max(5 - pungs, 0)
    assert of_position(made, "seven pairs lack at most") == [0] * min(pairs, 5) + [1] * max(5 - pairs, 0)


def test_seven_pairs_have_no_melds() -> None:
    made = after_a_kong()
    assert of_position(made, "seven pairs lack at most") == [0] * 5


def test_the_exchange_is_the_first_phase() -> None:
    assert of_position(Table("sichuan-exchange", seed=1), "phase") == [1, 0, 0, 0, 0]


def test_nearness_without_each_suit_before_play() -> None:
    made = Table("sichuan", wall=wall(["1234567m88p1199s2p", "", "", ""], "pmsp"))
    assert of_position(made, "phase") == [0, 1, 0, 0, 0]
    # 123m456m7m1199s lack three tiles, 123m456m7m2p88p four, 2p88p1199s seven.
    assert of_kinds(made, "nearness without suit") == {3: "123456789m", 6: "123456789s", 7: "123456789p"}
    assert of_kinds(made, "nearness of a full flush") == {}
    # Besides: the phase, and more than 48 tiles left.
    assert int(SICHUAN.encode(made.decision())[0, 27 * FEATURES :].sum()) == 1 + 8


def test_a_full_flush_counts_one_suit_and_no_void_suit() -> None:
    made = table(["1245p2233445569s", "", "", ""], "mmpp")
    # 234s234s55s, and two tiles more with each of 6s and 9s: four tiles. 1245p would lack ten.
    assert of_kinds(made, "nearness of a full flush") == {5: "123456789s"}
    assert of_position(made, "full flush lacks at most") == [0, 0, 0, 1, 1, 1]
    assert of_kinds(made, "discard keeps nearness of a full flush") == {1: "123456789m123456789p178s"}
    made = table(["1245p2233445569m", "", "", ""], "sspp")
    assert of_kinds(made, "nearness of a full flush") == {5: "123456789m"}
    assert of_position(made, "win worth at least") == [0] * 5
    assert of_position(made, "full flush lacks at most") == [0, 0, 0, 1, 1, 1]


def test_discards_that_leave_a_full_flush_ready_keep_it_near() -> None:
    made = table(["12312345678959s", "", "", ""], "mmpp")
    ready = [row.discard for row in hands.ukeire("12312345678959s", void="m") if row.shanten == 0]
    assert format_tiles(ready) == "14589s"
    assert of_kinds(made, "discard keeps nearness of a full flush") == {1: "123456789m123456789p14589s"}


def test_melds_of_a_suit_are_part_of_its_flush_and_rule_out_others() -> None:
    made = after_a_kong()
    # Besides the kong of 2s: 11s34s9s lack six tiles.
    assert of_kinds(made, "nearness of a full flush") == {3: "123456789s"}
    assert of_position(made, "target tile is of the flush") == [0]
    made.act(PUNG)
    assert of_kinds(made, "nearness of a full flush") == {}
    assert of_kinds(made, "discard keeps nearness of a full flush") == {}
    assert of_position(made, "full flush lacks at most") == [0] * 6


def test_a_tile_that_may_be_claimed_can_be_of_the_flush() -> None:
    made = table(["3s", "", "33s1124678s5789p", ""], "smms")
    discard(made, "3s")
    assert made.actor == 2
    assert of_position(made, "target tile is of the flush") == [1]
    made = table(["1m", "", "11m2234678m5789p", ""], "mmss")
    discard(made, "1m")
    assert made.actor == 2
    assert of_position(made, "target tile is of the flush") == [1], "of the lowest kind too"


@pytest.mark.parametrize(
    ("hand", "won", "worth"),
    [
        ("123456789m1299s", "3s", 1),
        ("111333555m7799s", "7s", 2),
        ("1234445566778m", "9m", 3),
        ("1133557799m115s", "5s", 3),
        ("113355m1111222s", "2s", 5),
    ],
)
def test_a_win_is_worth_powers_of_two_of_the_base(hand: str, won: str, worth: int) -> None:
    suit = won[-1]
    made = table([won, hand, "", ""], f"{suit}p{'pp' if suit != 'p' else 'mm'}")
    discard(made, won)
    assert of_position(made, "win possible") == [1]
    assert of_position(made, "win worth at least") == [1] * worth + [0] * (5 - worth)
    made.record["rules"]["base_points"] = 4
    assert of_position(made, "win worth at least") == [1] * worth + [0] * (5 - worth)


def test_a_win_on_the_own_draw_is_valued_with_the_tile_in_hand() -> None:
    made = table(["12344455667789m", "", "", ""], "ppss")
    assert of_position(made, "win worth at least") == [1, 1, 1, 0, 0]


def test_a_kong_counts_in_the_worth_of_a_win() -> None:
    made = table(["2222s456789p1199s", "", "", ""], "mpps", last="1s")
    made.act(Action.OWN_KONG + tile("2s"))
    assert of_position(made, "win possible") == [1]
    assert of_position(made, "win worth at least") == [1, 1, 0, 0, 0]


def test_waits_of_a_seat_that_is_asked() -> None:
    made = table(["3s", "123456789m1299s", "", ""], "spmm")
    discard(made, "3s")
    # Three tiles of 3s are left, each a point and one for the self-draw: six points, at least four.
    assert of_position(made, "points of waits (powers of two)") == [3]
    assert of_position(made, "tiles accepted (four in one)") == [1]
    assert of_kinds(made, "accepted") == {1: "3s"}
    assert of_kinds(made, "discard keeps shanten") == {}
