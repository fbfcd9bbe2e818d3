"""The encoder `table`: one test for each group of columns."""

from __future__ import annotations

import numpy as np
import pytest

from janshi.encoders import encoder
from janshi.riichi.encoders.table import KIND_COLUMNS, POSITION_COLUMNS
from janshi.riichi.hands import shanten
from janshi.riichi.rules import TENHOU, TENHOU_SANMA
from janshi.table import Tables

ALL = (1 << 34) - 1
ENCODER = encoder("table")


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
