"""Our observation: the papers' columns unchanged, and what the added ones say."""

import numpy as np
import pytest

from janshi.engine import actions
from janshi.hands import shanten
from janshi.observe import COLUMNS, WIDE, observe, observe_planned, observe_wide
from janshi.observe.janshi import more_column_names
from janshi.rules import TENHOU, TENHOU_SANMA
from janshi.table import Tables, views_of
from janshi.tiles import format_tiles
from tests.rules.tables import make_table, offer, pass_all

ALL = (1 << 34) - 1


def more(table, seat: int) -> dict[str, int]:
    columns = observe_wide(views_of(table._states, np.zeros(1, np.int64), np.array([seat], np.int8)))[0]
    return dict(zip(more_column_names(), columns[COLUMNS:].tolist(), strict=True))


def kinds(mask: int) -> str:
    return format_tiles([kind for kind in range(34) if mask >> kind & 1])


def test_the_papers_columns_come_first():
    views = Tables(TENHOU_SANMA, 20, 3).views()
    wide = observe_wide(views)
    assert wide.shape == (20, WIDE)
    assert (wide[:, :COLUMNS] == observe(views)).all()


def test_discards_shanten_and_what_is_accepted():
    hand = "123456p789s55z79p"
    table = make_table(TENHOU_SANMA, [hand], "1z", dora="9s")
    said = more(table, 0)
    assert said["shanten 0"] == ALL
    assert kinds(said["discards that keep the shanten"]) == "1z"
    assert kinds(said["accepted kinds"]) == "8p"
    # 8p: four of them, none in sight.
    assert kinds(said["discards that accept 4 or more"]) == "1z"
    assert said["discards that accept 8 or more"] == 0
    assert "9s" in kinds(said["2 or more unseen"])
    assert not said["3 or more unseen"] >> 26 & 1, "one in the hand, one indicator"
    assert said["1 or more tiles to draw"] == ALL


@pytest.mark.parametrize("rules", [TENHOU_SANMA, TENHOU], ids=lambda rules: rules.name)
def test_shanten_and_ukeire_are_those_of_the_hand_tools(rules):
    tables = Tables(rules, 60, 4)
    tables.play_random(9)
    views = np.asarray(tables.views())
    wide = observe_wide(tables.views())
    names = more_column_names()
    seen = 0
    for view, columns in zip(views, wide[:, COLUMNS:].tolist(), strict=True):
        if view["phase"] != 0 or view["seats"][view["seat"]]["calls"]:
            continue
        counts = view["hand"]["counts"]
        far = int(shanten(counts, players=rules.players))
        said = dict(zip(names, columns, strict=True))
        level = [name for name in names if name.startswith("shanten") and said[name]]
        assert level == [names[2 + min(max(far, 0), 5)]]
        seen += 1
    assert seen > 10


def test_a_pon_that_helps():
    table = make_table(TENHOU_SANMA, ["", "55z123456p79s19m1z"], "5z")
    offer(table, 0, "5z")
    assert actions.PON in table.legal
    assert more(table, 1)["a pon lowers the shanten"] == ALL


def test_a_kan_that_keeps_the_shanten():
    table = make_table(TENHOU_SANMA, ["111p345678s99s12z"], "1p")
    said = more(table, 0)
    assert kinds(said["closed kans"]) == "1p"
    assert kinds(said["kans that keep the shanten"]) == "1p"
    assert kinds(said["kan of the tile drawn"]) == "1p"


def test_a_kan_that_breaks_a_run():
    table = make_table(TENHOU_SANMA, ["2223478p345s999s"], "2p")
    said = more(table, 0)
    assert said["shanten 0"] == ALL
    assert kinds(said["closed kans"]) == "2p"
    assert said["kans that keep the shanten"] == said["kans that keep what is accepted"] == 0


def test_a_kan_that_costs_what_is_accepted():
    # Without the kan the fourth 1p makes a run with 2p and 3p as well; either way the hand is two tiles away.
    table = make_table(TENHOU_SANMA, ["111p345678s99s12z"], "1p")
    assert more(table, 0)["kans that keep what is accepted"] == 0


def test_a_kan_that_was_possible_before():
    table = make_table(TENHOU_SANMA, ["1111p345678s99s1z"], "2z")
    said = more(table, 0)
    assert kinds(said["closed kans"]) == "1p"
    assert said["kan of the tile drawn"] == 0


def test_own_riichi_and_rivers():
    table = make_table(TENHOU_SANMA, ["123456p789s55z79p"], "1z2z")
    table.act(actions.RIICHI)
    pass_all(table)
    assert more(table, 0)["own riichi"] == ALL
    assert more(table, 1)["own riichi"] == 0
    assert kinds(more(table, 2)["player 1 ahead, discarded kinds"]) == "1z"


@pytest.mark.parametrize(
    ("seen", "rules"),
    [
        (observe, TENHOU_SANMA),
        (observe, TENHOU),
        (observe_wide, TENHOU_SANMA),
        (observe_wide, TENHOU),
        (observe_planned, TENHOU_SANMA),
    ],
    ids=lambda one: getattr(one, "name", None) or one.__name__,
)
def test_hidden_tiles_change_nothing(seen, rules):
    random = np.random.default_rng(2)
    tables = Tables(rules, 50, 1)
    for _ in range(8):
        tables.play_random(11)
        before = seen(tables.views())
        kept = tables.states.copy()
        for state, actor in zip(tables.states, tables.actors, strict=True):
            for seat in range(rules.players):
                if seat != actor:
                    state["hands"][seat]["counts"] = random.integers(0, 5, 34)
                    state["hands"][seat]["suits"] = random.integers(0, 9, 4)
            state["wall"] = random.permutation(state["wall"])
        assert (seen(tables.views()) == before).all()
        tables.states[:] = kept
