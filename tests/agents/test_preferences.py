"""How much agents prefer every option agrees with what they do."""

import numpy as np
import pytest

from janshi.agents import Reviewer
from janshi.papers.meowjong.agent import MeowjongAgent
from janshi.papers.meowjong.decisions import Decision
from janshi.registry import agent
from janshi.riichi.actions import Action
from janshi.riichi.rules import MAHJONG_SOUL_SANMA, TENHOU, TENHOU_SANMA
from janshi.table import Tables
from tests.agents.test_meowjong import Constant
from tests.rules.tables import make_table, offer


def play(name, rules, steps):
    """Yield decisions of random play, in which now and then the agent itself decides, and what it does."""
    tables, player, other = Tables(rules, 25, 1), agent(name), agent("random")
    for step in range(steps):
        batch = tables.decisions()
        actions = player.act(batch)
        yield player, batch, actions
        tables.step(actions if step % 2 else other.act(batch))


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("efficient", TENHOU_SANMA),
        ("efficient", TENHOU),
        ("planner", TENHOU_SANMA),
        ("sl-2026-11", TENHOU_SANMA),
        ("rl", MAHJONG_SOUL_SANMA),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_the_greatest_share_is_what_the_agent_does_and_shares_are_shares_of_legal_actions(name, rules):
    if name in ("sl-2026-11", "rl"):
        pytest.importorskip("onnxruntime")
    for player, batch, actions in play(name, rules, 60):
        shares = player.preferences(batch)
        assert shares.dtype == np.float32
        assert shares.shape == batch.legal.shape
        assert (shares.argmax(axis=1) == actions).all()
        assert np.abs(shares.sum(axis=1) - 1).max() < 1e-5
        assert (shares >= 0).all()
        assert (shares[~batch.legal] == 0).all()


def preferences(table, network, temperature=1.0):
    player = MeowjongAgent(network, "test", temperature=temperature)
    batch = table.decision()
    return player.preferences(batch)[0], int(player.act(batch)[0])


def test_equal_preferences_go_in_the_order_in_which_they_are_done():
    table = make_table(TENHOU_SANMA, ["123456p789s4z79p5z"], "5z")
    assert {Action.KITA, Action.RIICHI} <= set(table.legal)
    shares, action = preferences(table, Constant(kita=2, riichi=2))
    assert action == Action.KITA == shares.argmax()
    assert shares[Action.RIICHI] == pytest.approx(shares[Action.KITA])


def test_a_yes_of_one_half_is_a_no():
    pon = make_table(TENHOU_SANMA, ["", "55p19m123s789s11z7z"], "0p")
    offer(pon, 0, "0p")
    shares, action = preferences(pon, Constant(pon=0))
    assert action == Action.PASS == shares.argmax()


def test_two_options_stand_to_each_other_as_the_network_answers():
    network = Constant(likes=14)
    network.logits[33 + Decision.RIICHI], network.logits[33 + Decision.KITA] = 1.0, -20.0
    network.logits[14], network.logits[17] = 3.0, 2.0
    table = make_table(TENHOU_SANMA, ["123456p789s55z79p"], "1z")
    shares, _ = preferences(table, network)
    assert shares[14] / shares[17] == pytest.approx(np.e), "6p and 9p: logits 3 and 2"
    assert shares[Action.RIICHI] / shares[14] == pytest.approx(np.e), "a yes of 1 and the best discard"


@pytest.mark.parametrize("temperature", [0.5, 2.0, 3.5])
def test_a_temperature_changes_shares_and_no_order(temperature):
    network = Constant(likes=16, riichi=0.4)
    network.logits[:34] = np.random.default_rng(3).normal(size=34)
    table = make_table(TENHOU_SANMA, ["123456p789s55z79p"], "1z")
    plain, action = preferences(table, network)
    divided, same_action = preferences(table, network, temperature)
    assert action == same_action
    assert (np.argsort(-plain, kind="stable") == np.argsort(-divided, kind="stable")).all()
    assert (divided.max() > plain.max()) == (temperature < 1)


def test_a_win_has_the_whole_share():
    table = make_table(TENHOU_SANMA, ["123456p78s555z99s"], "9s")
    shares, _ = preferences(table, Constant(likes=9))
    assert shares[Action.TSUMO] == 1


def test_efficient_halves_its_shares_with_the_danger():
    table = make_table(TENHOU, ["234m567p345s11z99s", "159m159p159s2346z"], "5z7z")
    table.act(Action.RIICHI)
    while table.actor != 1:
        table.act(Action.PASS if Action.PASS in table.legal else Action.TSUMOGIRI)
    table.state.seats[0].river_mask = int(table.state.seats[0].river_mask) | 1 << 4
    shares = agent("efficient").preferences(table.decision())[0]
    assert shares.argmax() == 4, "5m lies in the declarer's river"
    assert shares[13] < shares[4] / 4, "5p does not"


def test_random_does_not_review():
    assert not isinstance(agent("random"), Reviewer)
    assert isinstance(agent("efficient"), Reviewer)
    assert isinstance(agent("planner"), Reviewer)
