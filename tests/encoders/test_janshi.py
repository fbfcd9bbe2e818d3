"""Our observation: the papers' columns unchanged, and what the added ones hold."""

import numpy as np
import pytest

from janshi.encoders import encoder
from janshi.riichi.actions import Action
from janshi.riichi.hands import shanten
from janshi.riichi.rules import TENHOU, TENHOU_SANMA
from janshi.table import Tables
from janshi.tiles import format_tiles
from tests.rules.tables import make_table, offer, pass_all

#: The columns behind those of the papers.
MORE = encoder("janshi").columns[366:]

ALL = (1 << 34) - 1
ENCODER = encoder("janshi")


def more(table, seat: int) -> dict[str, int]:
    columns = ENCODER.encode_views(np.asarray(table.view(seat)).reshape(1))[0]
    return dict(zip(MORE, columns[366:].tolist(), strict=True))


def kinds(mask: int) -> str:
    return format_tiles([kind for kind in range(34) if mask >> kind & 1])


def test_the_papers_columns_come_first():
    views = Tables(TENHOU_SANMA, 20, 3).views()
    packed = ENCODER.encode_views(views)
    assert packed.shape == (20, 401)
    assert (packed[:, :366] == encoder("meowjong").encode_views(views)).all()


def test_discards_shanten_and_what_is_accepted():
    hand = "123456p789s55z79p"
    table = make_table(TENHOU_SANMA, [hand], "1z", dora="9s")
    written = more(table, 0)
    assert written["shanten 0"] == ALL
    assert kinds(written["discards that keep the shanten"]) == "1z"
    assert kinds(written["accepted kinds"]) == "8p"
    # 8p: four of them, none in sight.
    assert kinds(written["discards that accept 4 or more"]) == "1z"
    assert written["discards that accept 8 or more"] == 0
    assert "9s" in kinds(written["2 or more unseen"])
    assert not written["3 or more unseen"] >> 26 & 1, "one in the hand, one indicator"
    assert written["1 or more tiles to draw"] == ALL


@pytest.mark.parametrize("rules", [TENHOU_SANMA, TENHOU], ids=lambda rules: rules.name)
def test_shanten_and_ukeire_are_those_of_the_hand_tools(rules):
    tables = Tables(rules, 60, 4)
    tables.play_random(9)
    views = np.asarray(tables.views())
    packed = ENCODER.encode_views(tables.views())
    names = MORE
    seen = 0
    for view, columns in zip(views, packed[:, 366:].tolist(), strict=True):
        if view["phase"] != 0 or view["seats"][view["seat"]]["calls"]:
            continue
        counts = view["hand"]["counts"]
        away = int(shanten(counts, players=rules.players))
        written = dict(zip(names, columns, strict=True))
        level = [name for name in names if name.startswith("shanten") and written[name]]
        assert level == [names[2 + min(max(away, 0), 5)]]
        seen += 1
    assert seen > 10


def test_a_pon_that_helps():
    table = make_table(TENHOU_SANMA, ["", "55z123456p79s19m1z"], "5z")
    offer(table, 0, "5z")
    assert Action.PON in table.legal
    assert more(table, 1)["a pon lowers the shanten"] == ALL


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


def test_a_kan_that_costs_what_is_accepted():
    # Without the kan the fourth 1p makes a run with 2p and 3p as well; either way the hand is two tiles away.
    table = make_table(TENHOU_SANMA, ["111p345678s99s12z"], "1p")
    assert more(table, 0)["kans that keep what is accepted"] == 0


def test_a_kan_that_was_possible_before():
    table = make_table(TENHOU_SANMA, ["1111p345678s99s1z"], "2z")
    written = more(table, 0)
    assert kinds(written["closed kans"]) == "1p"
    assert written["kan of the tile drawn"] == 0


def test_own_riichi_and_rivers():
    table = make_table(TENHOU_SANMA, ["123456p789s55z79p"], "1z2z")
    table.act(Action.RIICHI)
    pass_all(table)
    assert more(table, 0)["own riichi"] == ALL
    assert more(table, 1)["own riichi"] == 0
    assert kinds(more(table, 2)["player 1 ahead, discarded kinds"]) == "1z"
