"""The encoder `table`: one test for each group of columns."""

from __future__ import annotations

import numpy as np
import pytest

from janshi.encoders import encoder
from janshi.riichi.actions import Action
from janshi.riichi.encoders.table import KIND_COLUMNS, POSITION_COLUMNS
from janshi.riichi.hands import shanten
from janshi.riichi.rules import TENHOU, TENHOU_SANMA
from janshi.table import Table, Tables
from janshi.tiles import format_tiles
from tests.rules.tables import do, make_table, offer, pass_all, throw

ALL = (1 << 34) - 1
ENCODER = encoder("table")


def shown(table: Table, seat: int) -> dict[str, int]:
    columns = ENCODER.encode_views(np.asarray(table.view(seat)).reshape(1))[0]
    return dict(zip(ENCODER.columns, columns.tolist(), strict=True))


def kinds(mask: int) -> str:
    return format_tiles([kind for kind in range(34) if mask >> kind & 1])


def played(rules=TENHOU, tables: int = 60, moves: int = 60, seed: int = 5):
    batch = Tables(rules, tables, seed)
    batch.play_random(moves)
    return np.asarray(batch.views()), ENCODER.encode_views(batch.views())


def column(packed, name: str):
    return packed[:, ENCODER.columns.index(name)]


@pytest.mark.parametrize("rules", [TENHOU, TENHOU_SANMA], ids=lambda rules: rules.name)
def test_columns_of_the_position_are_the_same_for_all_kinds(rules):
    _, packed = played(rules)
    assert ENCODER.columns == (*KIND_COLUMNS, *POSITION_COLUMNS)
    assert ENCODER.position_columns == len(POSITION_COLUMNS)
    assert set(np.unique(packed[:, -ENCODER.position_columns :])) <= {0, ALL}
    absent = [number for number, name in enumerate(ENCODER.columns) if name.startswith("previous ")]
    assert (packed[:, absent] != 0).any() == (rules.players == 4)
    assert (column(packed, "three players") == (ALL if rules.players == 3 else 0)).all()


def test_the_own_tiles_the_target_and_what_may_be_discarded():
    table = make_table(TENHOU, ["123m40p678p345s11z"], "0s", dora="9s")
    written = shown(table, 0)
    assert kinds(written["target"]) == "5s"
    assert written["target is a red five"] == written["target"]
    assert kinds(written["own tiles, 1 or more"]) == "123m45678p345s1z"
    assert kinds(written["own tiles, 2 or more"]) == "5s1z"
    assert kinds(written["own red fives"]) == "5p5s"
    assert written["legal discards"] == written["own tiles, 1 or more"]
    assert kinds(written["red fives unseen"]) == "5m"
    assert written["tile drawn"] == ALL == written["turn"]


def test_dora_and_unseen_tiles():
    written = shown(make_table(TENHOU, ["123m40p678p345s11z"], "9s", dora="9s"), 0)
    assert (kinds(written["dora"]), kinds(written["dora indicators"])) == ("1s", "9s")
    assert not written["3 or more unseen"] >> 26 & 1, "one in the hand, one indicator"
    assert written["2 or more unseen"] >> 26 & 1
    assert written["1 or more dora held or melded"] == ALL, "the red five"
    assert written["2 or more dora held or melded"] == 0
    sanma = shown(make_table(TENHOU_SANMA, [""], dora="1m"), 0)
    assert kinds(sanma["dora"]) == "9m"
    north = shown(make_table(TENHOU, [""], dora="4z"), 0)
    assert kinds(north["dora"]) == "1z"
    red = shown(make_table(TENHOU, [""], dora="7z"), 0)
    assert kinds(red["dora"]) == "5z"


def test_discards_and_what_they_accept():
    table = make_table(TENHOU, ["123456p789s55z79p"], "1z", dora="9s")
    written = shown(table, 0)
    assert written["shanten 0"] == ALL
    assert kinds(written["discards that keep the shanten"]) == "1z"
    assert kinds(written["discards that accept most"]) == "1z"
    assert kinds(written["discards that accept 4 or more"]) == "1z"
    assert written["discards that accept 6 or more"] == 0
    assert kinds(written["accepted after the best discards, or as it is"]) == "8p"
    assert kinds(written["tenpai by it"]) == "1z"
    assert written["tenpai by it, and furiten"] == 0
    assert written["best discard or hand accepts 4 or more"] == ALL
    assert written["best discard or hand accepts 6 or more"] == 0


@pytest.mark.parametrize("rules", [TENHOU_SANMA, TENHOU], ids=lambda rules: rules.name)
def test_shanten_is_that_of_the_hand_tools(rules):
    views, packed = played(rules, moves=9)
    names = ["complete", *(f"shanten {number}" for number in range(5)), "shanten 5 or more"]
    seen = 0
    for view, row in zip(views, packed, strict=True):
        if view["phase"] != 0 or view["seats"][view["seat"]]["calls"]:
            continue
        away = int(shanten(view["hand"]["counts"], players=rules.players))
        marked = [name for name in names if row[ENCODER.columns.index(name)]]
        assert marked == [names[min(away, 5) + 1]]
        seen += 1
    assert seen > 10


def test_rivers_hold_order_tedashi_and_riichi():
    hand = "123456p789s55z79p"
    table = make_table(TENHOU, [hand], "1z2z3z4z1z6z6z7z2m", dora="9s")
    throw(table, 0, "1z")
    throw(table, 1, "2z")
    throw(table, 2, "3z")
    throw(table, 3, "4z")
    offer(table, 0, "9p")
    pass_all(table)
    written = shown(table, 1)
    assert kinds(written["previous discards"]) == "9p1z"
    assert kinds(written["previous discards from the hand"]) == "9p"
    assert kinds(written["previous last discard from the hand"]) == "9p"
    assert (kinds(written["previous last discard"]), kinds(written["previous last discard but one"])) == ("9p", "1z")
    assert written["previous discards 1 to 6"] == written["previous discards"]
    assert written["previous riichi discard"] == 0
    assert kinds(written["own discards"]) == "2z"


def test_a_riichi_what_is_safe_against_it_and_what_is_suji():
    table = make_table(TENHOU, ["123406p789s55z79p"], "4p1z1z4m", dora="9s")
    do(table, 0, Action.RIICHI)
    offer(table, 0, "4p")
    pass_all(table)
    offer(table, 1, "1z")
    pass_all(table)
    written = shown(table, 2)
    assert written["opposite riichi"] == ALL == written["opposite ippatsu"] == written["opposite riichi by turn 6"]
    assert kinds(written["opposite riichi discard"]) == "4p"
    assert kinds(written["opposite cannot win by"]) == "4p1z"
    assert kinds(written["opposite no two-sided wait"]) == "17p"
    assert kinds(written["opposite two two-sided waits, or safe"]) == "456m456p456s"
    assert kinds(written["opposite seat wind"]) == "1z"
    assert written["1 deposits or more"] == ALL


def test_melds_and_their_dora():
    table = make_table(TENHOU, ["", "55z123456p79s19m1z"], "5z", dora="4z7z")
    offer(table, 0, "5z")
    asked = shown(table, 1)
    assert asked["claim"] == ALL == asked["previous tile to claim"] == asked["action 45 possible"]
    assert asked["pon lowers the shanten"] == ALL
    assert asked["pon keeps the shanten"] == 0
    do(table, 1, Action.PON)
    written = shown(table, 1)
    assert written["discard after a call"] == ALL
    assert kinds(written["own melded tiles"]) == "5z" == kinds(written["own melded triplets"])
    assert written["own melded kans"] == 0
    assert (written["own 1 or more calls"], written["own 2 or more calls"], written["own closed"]) == (ALL, 0, 0)
    assert kinds(shown(table, 0)["next melded tiles"]) == "5z"


def test_a_chii_that_helps_with_the_red_five():
    table = make_table(TENHOU, ["", "40m19m19p19s1234z1m"], "3m", dora="9s")
    offer(table, 0, "3m")
    written = shown(table, 1)
    assert written["action 42 possible"] == ALL
    assert written["chii, low keeps the shanten"] | written["chii, low lowers the shanten"] in (0, ALL)
    do(table, 1, Action.CHII_RED)
    melded = shown(table, 1)
    assert kinds(melded["own melded tiles"]) == "345m"
    assert (kinds(melded["own red fives in melds"]), melded["own melded triplets"]) == ("5m", 0)
    assert melded["own 1 or more dora in sight"] == ALL
    assert not shown(table, 2)["red fives unseen"] >> 4 & 1


def test_kans_that_are_possible():
    written = shown(make_table(TENHOU_SANMA, ["111p345678s99s12z"], "1p"), 0)
    assert kinds(written["closed kans"]) == "1p" == kinds(written["kan of the tile drawn"])
    assert written["closed kan possible"] == ALL
    assert written["added kan possible"] == 0


def test_scores_rank_and_round():
    views, packed = played(moves=4000, seed=8)
    points = views["seats"]["points"].astype(int)
    rows, own = np.arange(len(views)), views["seat"].astype(int)
    mine, following = points[rows, own], points[rows, (own + 1) % 4]
    assert ((column(packed, "own points 20000 or more") > 0) == (mine >= 20000)).all()
    assert ((column(packed, "ahead of next by 3901 or more") > 0) == (mine - following >= 3901)).all()
    assert ((column(packed, "ahead of next by -2000 or more") > 0) == (mine - following >= -2000)).all()
    better = [(points[row, seat], -seat) > (mine[row], -own[row]) for row in rows for seat in range(4)]
    ranks = np.array(better).reshape(-1, 4).sum(axis=1)
    for rank in range(4):
        assert ((column(packed, f"rank {rank + 1}") > 0) == (ranks == rank)).all()
    assert len(np.unique(ranks)) > 1
    for number in range(8):
        assert ((column(packed, f"hand {number + 1} of the game") > 0) == (views["kyoku"] == number)).all()
    assert ((column(packed, "last hand") > 0) == (views["kyoku"] >= 7)).all()
    assert ((column(packed, "own dealer") > 0) == (own == views["dealer"])).all()
    assert (column(packed, "own wind") == 1 << 27 + (own - views["dealer"]) % 4).all()
    assert ((column(packed, "12 or more tiles to draw") > 0) == (views["left"] >= 12)).all()
    assert len(np.unique(views["kyoku"])) > 2
