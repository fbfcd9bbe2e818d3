"""The 34 × 366 observation: positions of its groups, and numbers out of range.

What the columns hold is compared with a reference in `tests.encoders.test_reference` and `test_laid_hands`.
"""

import numpy as np

from janshi.riichi.encoders import meowjong as at
from janshi.riichi.encoders.meowjong import MEOWJONG
from janshi.riichi.rules import TENHOU_SANMA
from tests.rules.tables import make_table

ALL = (1 << 34) - 1


def seen(table, seat: int) -> list[int]:
    return MEOWJONG.encode_views(np.asarray(table.view(seat)).reshape(1))[0].tolist()


def number(columns: list[int], first: int, bits: int) -> int:
    assert all(column in (0, ALL) for column in columns[first : first + bits])
    return sum((columns[first + index] == ALL) << bits - 1 - index for index in range(bits))


def test_the_groups_have_the_specified_positions():
    assert at.COLUMNS == len(MEOWJONG.columns) == 366
    sizes = {at.TARGET: 1, at.HAND: 4, at.REDS: 1, at.OWN_SETS: 36, at.OWN_KITAS: 4, at.OWN_RIVER: 30, at.DORA: 5}
    sizes |= {at.RIICHI: 18, at.SCORES: 44, at.ROUND: 4, at.HONBA: 4, at.DEPOSITS: 4, at.WIND: 1, at.OTHERS: 210}
    column = 0
    for first, size in sizes.items():
        assert first == column
        column += size
    assert column == 366


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
    assert columns[at.WIND] == 1 << 28, "South"
    table.state.seats[1].points = -500
    table.state.honba = 99
    columns = seen(table, 1)
    assert number(columns, at.SCORES, 11) == 0
    assert number(columns, at.HONBA, 4) == 15
