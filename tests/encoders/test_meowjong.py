"""The 34 × 366 observation, group by group."""

import numpy as np

from janshi.encoders import expand
from janshi.riichi.actions import Action
from janshi.riichi.encoders import meowjong as at
from janshi.riichi.encoders.meowjong import MEOWJONG
from janshi.riichi.rules import TENHOU, TENHOU_SANMA
from janshi.table import Tables
from janshi.tiles import NORTH, kind_of, parse_tiles
from tests.rules.tables import do, make_table, offer, pass_all, throw

ALL = (1 << 34) - 1


def seen(table, seat: int) -> list[int]:
    return MEOWJONG.encode_views(np.asarray(table.view(seat)).reshape(1))[0].tolist()


def mask(text: str) -> int:
    return sum(1 << kind for kind in set(map(kind_of, parse_tiles(text))))


def number(columns: list[int], first: int, bits: int) -> int:
    assert all(column in (0, ALL) for column in columns[first : first + bits])
    return sum((columns[first + index] == ALL) << bits - 1 - index for index in range(bits))


def test_the_groups_lie_where_the_specification_says():
    assert at.COLUMNS == len(MEOWJONG.columns) == 366
    sizes = {at.TARGET: 1, at.HAND: 4, at.REDS: 1, at.OWN_SETS: 36, at.OWN_KITAS: 4, at.OWN_RIVER: 30, at.DORA: 5}
    sizes |= {at.RIICHI: 18, at.SCORES: 44, at.ROUND: 4, at.HONBA: 4, at.DEPOSITS: 4, at.WIND: 1, at.OTHERS: 210}
    column = 0
    for first, size in sizes.items():
        assert first == column
        column += size
    assert column == 366


def test_target_hand_and_red_fives_on_the_own_turn():
    table = make_table(TENHOU_SANMA, ["1999m05p12345s55z"], "5p")
    columns = seen(table, 0)
    assert columns[at.TARGET] == mask("5p")
    # Without the tile just drawn: the red and one plain 5p.
    assert columns[at.HAND] == mask("19m5p12345s5z")
    assert columns[at.HAND + 1] == mask("9m5p5z")
    assert columns[at.HAND + 2] == mask("9m")
    assert columns[at.HAND + 3] == 0
    assert columns[at.REDS] == mask("5p")


def test_target_of_a_claim_and_none_after_a_call():
    table = make_table(TENHOU_SANMA, ["", "55z19m123456p789s"], "5z")
    offer(table, 0, "5z")
    assert seen(table, 1)[at.TARGET] == mask("5z")
    do(table, 1, Action.PON)
    assert seen(table, 1)[at.TARGET] == 0


def test_own_sets_and_those_of_the_others_with_their_turns():
    table = make_table(TENHOU, ["", "55z23m159p159s147s"], "5z6z6z6z1m")
    offer(table, 0, "5z")
    do(table, 1, Action.PON)
    pass_all(table)
    columns = seen(table, 1)
    assert columns[at.OWN_SETS : at.OWN_SETS + 4] == [mask("5z")] * 3 + [0]
    assert number(columns, at.OWN_SETS + 4, 5) == 1
    other = seen(table, 0)
    assert other[at.OTHERS : at.OTHERS + 4] == [mask("5z")] * 3 + [0], "seat 1 is the next of seat 0"
    throw(table, 1, "1p")
    for seat in (2, 3):
        throw(table, seat, "6z")
    throw(table, 0, "6z") if int(table.state.drawn) == 32 else None


def test_chii_fills_the_first_of_a_sets_columns():
    table = make_table(TENHOU, ["", "23m159p159s12345z"], "1m")
    offer(table, 0, "1m")
    do(table, 1, Action.CHII)
    pass_all(table)
    columns = seen(table, 1)
    assert columns[at.OWN_SETS : at.OWN_SETS + 4] == [mask("123m"), 0, 0, 0]


def test_kitas_rivers_and_dora():
    table = make_table(TENHOU_SANMA, ["4z19m123456p147s7z"], "5z", dora="3s", replacements="6z")
    do(table, 0, Action.KITA)
    pass_all(table)
    throw(table, 0, "6z")
    own = seen(table, 0)
    assert own[at.OWN_KITAS : at.OWN_KITAS + 4] == [1 << NORTH, 0, 0, 0]
    assert own[at.OWN_RIVER : at.OWN_RIVER + 2] == [mask("6z"), 0]
    assert own[at.DORA : at.DORA + 5] == [mask("3s"), 0, 0, 0, 0]
    third = seen(table, 2)
    assert third[at.OTHERS + 36] == 1 << NORTH, "seat 0 is the next of seat 2"
    assert third[at.OTHERS + 40] == mask("6z")
    assert third[at.OTHERS + 140 :] == [0] * 70, "sanma has no fourth player"


def test_riichi_of_the_others():
    table = make_table(TENHOU, ["234m567p345s11z99s"], "5z")
    table.act(Action.RIICHI)
    pass_all(table)
    columns = seen(table, 3)
    assert columns[at.RIICHI] == ALL
    assert number(columns, at.RIICHI + 1, 5) == 1
    assert seen(table, 2)[at.RIICHI : at.RIICHI + 6] == [0] * 6
    assert seen(table, 2)[at.RIICHI + 6] == ALL


def test_numbers():
    table = make_table(TENHOU_SANMA, [])
    for seat, points in enumerate((12_300, 45_600, 47_100)):
        table.state.seats[seat].points = points
    table.state.kyoku, table.state.honba, table.state.deposits = 5, 3, 2
    columns = seen(table, 1)
    scores = [number(columns, at.SCORES + 11 * step, 11) for step in range(4)]
    assert scores == [456, 471, 123, 0]
    assert number(columns, at.ROUND, 4) == 5
    assert number(columns, at.HONBA, 4) == 3
    assert number(columns, at.DEPOSITS, 4) == 2
    assert columns[at.WIND] == mask("2z")
    table.state.seats[1].points = -500
    table.state.honba = 99
    columns = seen(table, 1)
    assert number(columns, at.SCORES, 11) == 0
    assert number(columns, at.HONBA, 4) == 15


def test_expanding():
    columns = MEOWJONG.encode(Tables(TENHOU, 5, 1).decisions())
    dense = expand(columns)
    assert dense.shape == (5, 366, 34)
    assert dense.max() == 1
    assert ((dense.astype(np.int64) << np.arange(34)).sum(axis=2) == columns).all()
