"""What agents say of every option agrees with what they do."""

import numpy as np
import pytest

from janshi.agents import Reviewer, agent
from janshi.agents.meowjong import KITA, RIICHI, MeowjongAgent
from janshi.engine import actions
from janshi.rules import MAHJONG_SOUL_SANMA, TENHOU, TENHOU_SANMA
from janshi.table import Tables
from tests.agents.test_meowjong import Says
from tests.rules.tables import make_table, offer


def play(name, rules, steps):
    """Yield views and legal actions of random play, in which now and then the agent itself decides."""
    tables, player, other = Tables(rules, 100, 1), agent(name), agent("random")
    keys = np.random.default_rng(1)
    for step in range(steps):
        views, legal = tables.views(), tables.legal()
        some = keys.integers(1 << 62, size=len(tables))
        done = player.act(views, legal, some)
        yield player, views, legal, done
        tables.step(done if step % 2 else other.act(views, legal, some))


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("efficient", TENHOU_SANMA),
        ("efficient", TENHOU),
        ("planner", TENHOU_SANMA),
        ("sl", TENHOU_SANMA),
        ("rl", MAHJONG_SOUL_SANMA),
    ],
    ids=lambda one: getattr(one, "name", one),
)
def test_the_greatest_share_is_what_the_agent_does_and_shares_are_shares_of_legal_actions(name, rules):
    if name in ("sl", "rl"):
        pytest.importorskip("onnxruntime")
    for player, views, legal, done in play(name, rules, 60):
        shares = player.preferences(views, legal)
        assert shares.dtype == np.float32
        assert shares.shape == legal.shape
        assert (shares.argmax(axis=1) == done).all()
        assert np.abs(shares.sum(axis=1) - 1).max() < 1e-5
        assert (shares >= 0).all()
        assert (shares[~legal] == 0).all()


def preferences(table, brain, temperature=1.0):
    legal = np.zeros((1, actions.ACTIONS), np.bool_)
    legal[0, table.legal] = True
    view = np.asarray(table.view(table.actor)).reshape(1)
    player = MeowjongAgent(brain, "test", None, temperature)
    return player.preferences(view, legal)[0], int(player.act(view, legal, np.zeros(1, np.int64))[0])


def test_what_is_equally_liked_goes_in_the_order_in_which_it_is_done():
    table = make_table(TENHOU_SANMA, ["123456p789s4z79p5z"], "5z")
    assert {actions.KITA, actions.RIICHI} <= set(table.legal)
    shares, done = preferences(table, Says(kita=2, riichi=2))
    assert done == actions.KITA == shares.argmax()
    assert shares[actions.RIICHI] == pytest.approx(shares[actions.KITA])


def test_a_yes_of_one_half_is_a_no():
    pon = make_table(TENHOU_SANMA, ["", "55p19m123s789s11z7z"], "0p")
    offer(pon, 0, "0p")
    shares, done = preferences(pon, Says(pon=0))
    assert done == actions.PASS == shares.argmax()


def test_two_options_stand_to_each_other_as_the_network_says():
    brain = Says(likes=14)
    brain.logits[33 + RIICHI], brain.logits[33 + KITA] = 1.0, -20.0
    brain.logits[14], brain.logits[17] = 3.0, 2.0
    table = make_table(TENHOU_SANMA, ["123456p789s55z79p"], "1z")
    shares, _ = preferences(table, brain)
    assert shares[14] / shares[17] == pytest.approx(np.e), "6p and 9p: logits 3 and 2"
    assert shares[actions.RIICHI] / shares[14] == pytest.approx(np.e), "a yes of 1 and the best discard"


@pytest.mark.parametrize("temperature", [0.5, 2.0, 3.5])
def test_a_temperature_changes_shares_and_no_order(temperature):
    brain = Says(likes=16, riichi=0.4)
    brain.logits[:34] = np.random.default_rng(3).normal(size=34)
    table = make_table(TENHOU_SANMA, ["123456p789s55z79p"], "1z")
    one, done = preferences(table, brain)
    other, still = preferences(table, brain, temperature)
    assert done == still
    assert (np.argsort(-one, kind="stable") == np.argsort(-other, kind="stable")).all()
    assert (other.max() > one.max()) == (temperature < 1)


def test_a_win_is_all_that_is_liked():
    table = make_table(TENHOU_SANMA, ["123456p78s555z99s"], "9s")
    shares, _ = preferences(table, Says(likes=9))
    assert shares[actions.TSUMO] == 1


def test_efficient_halves_its_liking_with_the_danger():
    table = make_table(TENHOU, ["234m567p345s11z99s", "159m159p159s2346z"], "5z7z")
    table.act(actions.RIICHI)
    while table.actor != 1:
        table.act(actions.PASS if actions.PASS in table.legal else actions.TSUMOGIRI)
    table.state.seats[0].river_mask = int(table.state.seats[0].river_mask) | 1 << 4
    legal = np.zeros((1, actions.ACTIONS), np.bool_)
    legal[0, table.legal] = True
    shares = agent("efficient").preferences(np.asarray(table.view(1)).reshape(1), legal)[0]
    assert shares.argmax() == 4, "5m lies in the declarer's river"
    assert shares[13] < shares[4] / 4, "5p does not"


def test_random_does_not_review():
    assert not isinstance(agent("random"), Reviewer)
    assert isinstance(agent("efficient"), Reviewer)
    assert isinstance(agent("planner"), Reviewer)
