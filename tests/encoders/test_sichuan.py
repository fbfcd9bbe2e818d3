"""The encoders of Sichuan mahjong: nothing hidden, the same in every batch, and numbers that the hand tools confirm."""

from __future__ import annotations

import numpy as np
import pytest

from janshi.encoders import Encoder
from janshi.papers.sichuan.encoder import SICHUAN_DQN
from janshi.sichuan.agents.heuristic import HeuristicAgent
from janshi.sichuan.encoder import COMMON, FEATURES, SICHUAN
from janshi.sichuan.state import Event, Phase
from janshi.table import Tables
from tests.sichuan.tables import table, tile

BOTH = pytest.mark.parametrize("shown", [SICHUAN, SICHUAN_DQN], ids=lambda shown: shown.name)
RULES = ("sichuan", "sichuan-exchange", "sichuan-novikov")


def number(name: str) -> int:
    """Where a number stands."""
    return SICHUAN.columns.index(name)


def hide_otherwise(tables: Tables, random: np.random.Generator) -> None:
    """Change all that the actors cannot know."""
    for state in np.asarray(tables.states):
        actor = int(state["actor"])
        for seat in range(4):
            if seat != actor:
                hand = state["hands"][seat]
                hand["counts"] = random.integers(0, 5, 27)
                hand["concealed"]["suits"] = random.integers(0, 9, 4)
                hand["concealed"]["held"] = random.integers(0, 1 << 27, 5)
                hand["waits"] = random.integers(0, 1 << 27)
                hand["shanten"] = random.integers(0, 7)
                hand["passed"] = random.integers(0, 3)
                state["answers"][seat] = random.integers(-1, 61)
                if int(state["seats"][seat]["void"]) < 0:
                    hand["void"] = random.integers(0, 3)
        state["wall"] = random.permutation(state["wall"])
        state["seed"] = random.integers(1 << 40)
        log = state["log"].reshape(-1, 4)
        others = (log[:, 0] == Event.DRAW) & (log[:, 1] != actor)
        log[others, 2] = random.integers(0, 27, int(others.sum()))


@BOTH
@pytest.mark.parametrize("rules", RULES)
def test_hidden_tiles_change_nothing(shown: Encoder, rules: str) -> None:
    random = np.random.default_rng(2)
    tables = Tables(rules, 50, 1)
    for _ in range(8):
        tables.play_random(11)
        before = shown.encode(tables.decisions())
        assert before.max() <= 16
        kept = tables.states.copy()
        hide_otherwise(tables, random)
        assert (shown.encode(tables.decisions()) == before).all()
        tables.states[:] = kept


def test_every_number_says_something_in_some_game() -> None:
    seen = np.zeros(len(SICHUAN.columns), np.bool_)
    assert len(seen) == 27 * FEATURES + COMMON
    player = HeuristicAgent()
    tables = Tables("sichuan-exchange", 600, 5)
    for step in range(160):
        batch = tables.decisions()
        seen |= (SICHUAN.encode(batch) > 0).any(axis=0)
        if step % 2:
            tables.step(player.act(batch))
        else:
            tables.play_random(1)
    assert [name for name, there in zip(SICHUAN.columns, seen, strict=True) if not there] == []


def test_what_discards_lead_to() -> None:
    made = table(["9p123456p1155578s", "", "", ""], "mmpp")
    row = SICHUAN.encode(made.decision())[0]
    # Without 9p the hand is ready: seven pairs of other tiles are far away, 6s and 9s complete it.
    keeps = [kind for kind in range(27) if row[number("1m discard keeps shanten") + FEATURES * kind]]
    assert keeps == [tile("9p")]
    waits = [kind for kind in range(27) if row[number("1m accepted") + FEATURES * kind]]
    assert waits == [tile("6s"), tile("9s")]
    assert row[number("shanten at most 1")] == 1
    # Eight tiles at a point each, and one more for a self-draw: 16 points, four powers of two and one.
    assert row[number("9p points of waits after discard (powers of two)")] == 5
    assert row[number("phase 3")] == 1


def test_how_near_a_full_flush_is() -> None:
    made = table(["1p2223334445566s", "", "", ""], "mmpp")
    row = SICHUAN.encode(made.decision())[0]
    suits = [int(row[number("1m nearness of a full flush") + FEATURES * kind]) for kind in (0, 9, 18)]
    assert suits[0] == 0, "the void suit"
    assert suits[2] > suits[1]
    assert row[number("1p discard keeps nearness of a full flush")] == 1
    assert row[number("full flush lacks at most 2")] == 1


def test_what_a_win_and_melds_are_worth() -> None:
    made = table(["3s", "123456789m1299s", "", ""], "spmm")
    made.act(tile("3s"))
    row = SICHUAN.encode(made.decision())[0]
    assert made.state.phase == Phase.CLAIM
    assert row[number("win possible")] == 1
    assert row[number("win worth at least 1")] == 1
    assert row[number("win worth at least 2")] == 0
    assert row[number("3s target tile")] == 1
