"""The decision rules of the papers' agent, with brains that say what the test wants."""

import numpy as np
import pytest

from janshi.agents.meowjong import MeowjongAgent, leaves_last, surest
from janshi.engine import actions
from janshi.observe.decisions import KAN, KITA, PON, RIICHI
from janshi.rules import TENHOU_SANMA, preset
from janshi.table import Table
from tests.rules.tables import make_table, offer


class Says:
    """A brain that always answers the same."""

    columns = 366

    def __init__(self, likes: int = 0, **yes: float) -> None:
        self.logits = np.full(38, -5.0, np.float32)
        self.logits[likes] = 5.0
        for name, value in yes.items():
            self.logits[33 + {"pon": PON, "kan": KAN, "kita": KITA, "riichi": RIICHI}[name]] = value

    def answers(self, columns, asked):
        return np.tile(self.logits, (len(columns), 1))


def choice(table: Table, brain: Says) -> int:
    legal = np.zeros((1, actions.ACTIONS), np.bool_)
    legal[0, table.legal] = True
    player = MeowjongAgent(brain, "test")
    view = np.asarray(table.view(table.actor)).reshape(1)
    return int(player.act(view, legal, np.zeros(1, np.int64))[0])


def test_the_surest_decision_is_done_and_kita_first_where_two_are_equal():
    logits = np.full((3, 38), -1.0, np.float32)
    logits[:, 33 + KITA], logits[:, 33 + RIICHI] = 1.0, (1.0, 2.0, 0.5)
    asked = np.ones((3, 5), np.bool_)
    asked[:, PON] = False
    assert surest(logits, asked).tolist() == [KITA, RIICHI, KITA]
    logits[:] = -1.0
    assert surest(logits, asked).tolist() == [0, 0, 0]


def test_a_win_is_always_taken():
    table = make_table(TENHOU_SANMA, ["123456p789s55z99s"[:15] + "9s9s"[:2]], "9s")
    table = make_table(TENHOU_SANMA, ["123456p78s555z99s"], "9s")
    assert actions.TSUMO in table.legal
    assert choice(table, Says(riichi=9, kita=9)) == actions.TSUMO


def test_kita_riichi_kan_and_pon_when_the_network_says_so():
    table = make_table(TENHOU_SANMA, ["4z1111p234567p99s"], "9s")
    assert choice(table, Says(kita=2, kan=1)) == actions.KITA
    assert choice(table, Says(kita=1, kan=2)) == actions.ANKAN + 9
    assert choice(table, Says(likes=26)) == actions.TSUMOGIRI
    riichi = make_table(TENHOU_SANMA, ["123456p789s55z79p"], "1z")
    assert choice(riichi, Says(riichi=1)) == actions.RIICHI
    pon = make_table(TENHOU_SANMA, ["", "55p19m123s789s11z7z"], "0p")
    offer(pon, 0, "0p")
    assert choice(pon, Says(pon=1)) in (actions.PON, actions.PON + 1)
    assert choice(pon, Says()) == actions.PASS


def test_of_several_kans_the_one_of_the_tile_just_drawn_is_made():
    table = make_table(TENHOU_SANMA, ["1111p222s345677z"], "2s")
    assert {actions.ANKAN + 9, actions.ANKAN + 19} <= set(table.legal)
    assert choice(table, Says(kan=1)) == actions.ANKAN + 19


def test_impossible_first_choices_are_counted_and_the_next_best_goes():
    table = make_table(TENHOU_SANMA, ["4z1111p234567p99s"], "9s")
    brain = Says(likes=0)
    brain.logits[17] = 1.0  # 9p: not there either
    brain.logits[26] = 0.5
    player = MeowjongAgent(brain, "test")
    legal = np.zeros((1, actions.ACTIONS), np.bool_)
    legal[0, table.legal] = True
    done = player.act(np.asarray(table.view(0)).reshape(1), legal, np.zeros(1, np.int64))
    assert done[0] == actions.TSUMOGIRI
    assert (player.discards, player.illegal) == (1, 1)


def test_the_plain_five_goes_before_the_red_one():
    table = make_table(TENHOU_SANMA, ["05p119m12345s555z"[:17]], "7z")
    assert choice(table, Says(likes=13)) == 13


@pytest.mark.parametrize(("tiles", "aborts"), [("199m19p19s12355z", True), ("19m19p19s12345z1z", False)])
def test_nine_terminals_are_aborted_with_fewer_than_eleven_kinds(tiles, aborts):
    tiles = tiles.replace("5555", "55")
    hand = {True: "199m19p199s12355z", False: "19m19p19s1235677z"[:17]}[aborts]
    table = make_table(TENHOU_SANMA, [hand], "5p")
    assert actions.NINE_TERMINALS in table.legal
    assert (choice(table, Says(likes=13)) == actions.NINE_TERMINALS) is aborts


def last_hand(points: tuple[int, int, int]) -> Table:
    """South 3 of an East–South game; seat 0, who does not deal, can win by self-draw a hand of 1,000 points or so."""
    table = make_table(preset("tenhou-sanma"), ["", "", ""], "")
    table = make_table(preset("tenhou-sanma"), ["123406p789s55z79p"[:17]], "8p")
    table.state.kyoku, table.state.dealer = 6, 2
    for seat, value in enumerate(points):
        table.state.seats[seat].points = value
    return table


def test_a_win_that_leaves_its_player_last_is_let_pass_in_the_last_hand():
    table = last_hand((5_000, 50_000, 50_000))
    assert actions.TSUMO in table.legal
    assert leaves_last(np.asarray(table.view(0)), True)
    assert choice(table, Says(likes=16)) != actions.TSUMO
    assert choice(last_hand((30_000, 31_000, 44_000)), Says()) == actions.TSUMO, "it makes him second"
    early = last_hand((5_000, 50_000, 50_000))
    early.state.kyoku = 0
    assert choice(early, Says()) == actions.TSUMO, "not the last hand"
    open_end = last_hand((5_000, 36_000, 36_000))
    assert choice(open_end, Says()) == actions.TSUMO, "nobody has the target: another round follows"


