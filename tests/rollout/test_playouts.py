"""Playouts: paired options, independence of the number of processes, early stopping."""

from __future__ import annotations

import pytest

from janshi.agents import AgentError, RandomAgent
from janshi.cluster import Threads
from janshi.riichi.actions import Action
from janshi.riichi.positions import dealt_hand
from janshi.rollout.playouts import PlayoutPlan, each_playouts, playouts
from janshi.table import DecisionBatch, Table

NEVER = PlayoutPlan(level=0)


def tenpai_hand() -> DecisionBatch:
    """Return a decision in which seat 0 can win."""
    return dealt_hand("tenhou-sanma", "111999m123p789p55z")


def test_a_win_is_better_than_a_discard():
    hand = tenpai_hand()
    assert hand.legal[0, Action.TSUMO]
    result = playouts(hand, [Action.TSUMOGIRI, Action.TSUMO], players="efficient", samples=512)
    assert result.decided
    assert result.samples < 512
    assert result.best.action == Action.TSUMO
    assert result.best.win.value == result.best.tsumo.value == 1
    assert result.best.difference.value == 0
    assert result.options[0].difference.high < 0


def test_results_add_up_and_are_paired():
    result = playouts(Table("tenhou-sanma", seed=3), [37, 10], players="efficient", samples=128, plan=NEVER)
    assert result.samples == 128
    assert result.hands == 256
    for option in result.options:
        assert option.win.value == pytest.approx(option.tsumo.value + option.ron.value)
        assert option.ends.draw.value + option.win.value <= 1
        gap = option.points.value - result.best.points.value
        assert option.difference.value == pytest.approx(gap)


def test_equal_options_have_no_difference():
    """Discards of the drawn tile and of an equal one lead to the same hands."""
    table = Table("tenhou-sanma", seed=3)
    while not (table.actor == 0 and 37 in table.legal and int(table.record["drawn"]) in table.legal):
        table.act(53 if 53 in table.legal else 37)
    drawn = int(table.record["drawn"])
    result = playouts(table, [37, drawn], players="efficient", samples=128, plan=NEVER)
    assert result.options[1].difference.value == 0


def test_options_are_compared_by_the_points_of_a_scale():
    plan = PlayoutPlan(level=0, scale="tenhou-phoenix-8dan")
    result = playouts(tenpai_hand(), [Action.TSUMOGIRI, Action.TSUMO], players="efficient", samples=128, plan=plan)
    assert result.best.action == Action.TSUMO
    placements = [option.placement.value for option in result.options if option.placement is not None]
    assert -150 < placements[0] < placements[1] < 105
    assert result.options[0].difference.value == pytest.approx(placements[0] - placements[1])


def test_playouts_so_far_end_with_the_result():
    table = tenpai_hand()
    options = [Action.TSUMOGIRI, 0]
    *before, last = each_playouts(table, options, players="efficient", samples=384, plan=NEVER)
    assert [each.samples for each in before] == [32, 96, 224, 352]
    result = playouts(table, options, players="efficient", samples=384, plan=NEVER)
    assert repr(last.options) == repr(result.options)  # figures of few hands are NaN


@pytest.mark.parametrize("samples", [1, 32, 130])
def test_no_more_samples_are_played_than_asked_for(samples: int):
    result = playouts(Table("tenhou-sanma", seed=3), [37, 10], players="efficient", samples=samples, plan=NEVER)
    assert result.samples == result.proposals == samples
    assert result.hands == 2 * samples


def test_options_of_a_claim_after_decisions_of_others():
    table = Table("tenhou", seed=1)
    for _ in range(200):
        if 53 in table.legal and table.actor != (int(table.record["turn"]) + 1) % 4:
            break
        if table.hand_over:
            table.next_hand()
        else:
            table.act(53 if 53 in table.legal else 37 if 37 in table.legal else table.legal[0])
    result = playouts(table, players=RandomAgent(), samples=128, plan=NEVER)
    assert [option.action for option in result.options] == table.legal


def test_the_first_options_by_a_player_are_its_preferences():
    result = playouts(Table("tenhou-sanma", seed=3), 2, players="efficient", samples=128, plan=NEVER)
    assert len(result.options) == 2


def test_several_threads_give_the_same_result():
    table = Table("tenhou-sanma", seed=3)
    one, two = (
        playouts(table, [37, 10], players="efficient", samples=130, processes=team, plan=NEVER)
        for team in (1, Threads(2))
    )
    assert repr(one.options) == repr(two.options)  # figures of few hands are NaN


def test_invalid_arguments_are_refused():
    table = Table("tenhou-sanma", seed=3)
    with pytest.raises(ValueError, match="legal actions"):
        playouts(table, [Action.RON], players="efficient")
    with pytest.raises(ValueError, match="no order of options"):
        playouts(table, 2, players="random")
    with pytest.raises(ValueError, match="by name"):
        playouts(table, players=RandomAgent(), processes=2)
    with pytest.raises(AgentError, match="probabilities"):
        playouts(table, players="efficient", plan=PlayoutPlan(believed="random"))
    with pytest.raises(ValueError, match="samples"):
        playouts(table, players="efficient", samples=0)
