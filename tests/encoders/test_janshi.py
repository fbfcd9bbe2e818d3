"""Kans in the encoder `janshi`, by hand.

The other columns are compared with the hand tools in `tests.encoders.test_laid_hands`.
"""

import numpy as np
import pytest

from janshi.encoders import encoder
from janshi.riichi.rules import TENHOU_SANMA
from janshi.tiles import format_tiles
from tests.rules.tables import make_table

#: Columns after those of the papers.
MORE = encoder("janshi").columns[366:]

ALL = (1 << 34) - 1
ENCODER = encoder("janshi")


def more(table, seat: int) -> dict[str, int]:
    columns = ENCODER.encode_views(np.asarray(table.view(seat)).reshape(1))[0]
    return dict(zip(MORE, columns[366:].tolist(), strict=True))


def kinds(mask: int) -> str:
    return format_tiles([kind for kind in range(34) if mask >> kind & 1])


@pytest.mark.parametrize("kan", ["1m", "1p", "7z"])
def test_a_kan_that_keeps_the_shanten(kan):
    table = make_table(TENHOU_SANMA, [f"{kan * 3}345678s99s12z"], kan)
    written = more(table, 0)
    assert kinds(written["closed kans"]) == kan
    assert kinds(written["kans that keep the shanten"]) == kan
    assert kinds(written["kan of the tile drawn"]) == kan


def test_a_kan_that_breaks_a_run():
    table = make_table(TENHOU_SANMA, ["2223478p345s999s"], "2p")
    written = more(table, 0)
    assert written["shanten 0"] == ALL
    assert kinds(written["closed kans"]) == "2p"
    assert written["kans that keep the shanten"] == written["kans that keep what is accepted"] == 0


def test_a_kan_that_costs_accepted_tiles():
    # Without the kan, the fourth 1p also forms a run with 2p and 3p; in both cases the hand has two shanten.
    table = make_table(TENHOU_SANMA, ["111p345678s99s12z"], "1p")
    assert more(table, 0)["kans that keep what is accepted"] == 0


def test_a_kan_that_was_possible_before():
    table = make_table(TENHOU_SANMA, ["1111p345678s99s1z"], "2z")
    written = more(table, 0)
    assert kinds(written["closed kans"]) == "1p"
    assert written["kan of the tile drawn"] == 0
