"""Riichi as a `Game`, dealing given walls, and copies of tables."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from janshi.compiling import zeros
from janshi.core.play import NothingShared
from janshi.games import GAMES, GameError, game_of, register, rules_of
from janshi.riichi.actions import ACTIONS, Action
from janshi.riichi.game import RIICHI
from janshi.riichi.play.steps import HandStart, begin_given_hands
from janshi.riichi.rules import TENHOU, TENHOU_SANMA, Length, RuleError
from janshi.riichi.state import Ending, Event, Phase
from janshi.table import Table, Tables, new_states


def start_of(table: Table) -> Any:
    """Return the start of a hand with the table's wall, in East 3 with sticks on the table."""
    start: Any = zeros(HandStart, 1)
    start[0]["wall"] = table.record["wall"]
    start[0]["points"][:3] = (30_000, 40_000, 33_000)
    for name, number in (("kyoku", 2), ("dealer", 2), ("honba", 4), ("deposits", 2)):
        start[0][name] = number
    return start


def test_a_given_hand_is_dealt_from_its_wall_in_its_round() -> None:
    table = Table("tenhou-sanma", 5)
    states: Any = new_states(TENHOU_SANMA, 1)
    begin_given_hands(states, start_of(table))
    state = states[0]
    assert [int(state[name]) for name in ("kyoku", "dealer", "honba", "deposits", "actor")] == [2, 2, 4, 2, 2]
    assert state["seats"]["points"].tolist() == [30_000, 40_000, 33_000, 0]
    assert (int(state["seed"]), int(state["clock"]), int(state["hand_number"])) == (0, 0, 0)
    assert state["wall"].tolist() == table.record["wall"].tolist()
    # The deal begins at the dealer: seat 2 has what seat 0 has where it deals.
    counts = state["hands"]["counts"]
    assert counts[[2, 0, 1]].tolist() == table.record["hands"]["counts"][:3].tolist()
    assert int(state["phase"]) == Phase.TURN
    assert state["log"][:4].tolist()[:2] == [Event.DRAW, 2]


def test_a_given_hand_resets_the_previous_one() -> None:
    start = start_of(Table("tenhou-sanma", 5))
    fresh: Any = new_states(TENHOU_SANMA, 1)
    begin_given_hands(fresh, start)
    tables = Tables("tenhou-sanma", 1, 9)
    tables.play_random(30)
    used: Any = tables.states
    views = [tables.views([0], [seat]) for seat in range(3)]
    begin_given_hands(used, start)
    assert any(np.asarray(tables.views([0], [seat])).tobytes() != views[seat].tobytes() for seat in range(3))
    for seat in range(3):
        after, before = np.asarray(tables.views([0], [seat])), zeros(RIICHI.view, 1)
        RIICHI.views(fresh, np.array([seat], np.int8), before)
        for name in after.dtype.names or ():
            if name != "seats":  # the slots of melds that are not made keep what stood there
                assert after[name].tobytes() == np.asarray(before)[name].tobytes(), name


# ---------------------------------------------------------------------------------------------------------
# The game


def test_rules_for_one_hand_differ_in_name_and_length() -> None:
    changed = RIICHI.single_hand(TENHOU)
    assert changed == dataclasses.replace(TENHOU, name="tenhou-hand", length=Length.SINGLE_HAND)
    assert RIICHI.single_hand(changed) == changed
    assert RIICHI.preset("tenhou-hand") == changed


@pytest.mark.parametrize(
    ("ended", "text"), [(Ending.TSUMO, "tsumo"), (Ending.EXHAUSTIVE, "exhaustive draw"), (2, "four winds")]
)
def test_endings_have_names(ended: int, text: str) -> None:
    assert RIICHI.ending_text(ended) == text


@pytest.mark.parametrize(
    ("actions", "chosen"),
    [
        ([3, Action.TSUMOGIRI, Action.RIICHI], Action.TSUMOGIRI),
        ([Action.PON, Action.PASS, Action.RON], Action.PASS),
        ([5, 9], 5),
    ],
)
def test_the_passive_action(actions: list[int], chosen: int) -> None:
    legal = np.zeros(ACTIONS, np.bool_)
    legal[actions] = True
    assert RIICHI.passive(legal) == chosen


@pytest.mark.parametrize("rules", ["tenhou-sanma-hand", "tenhou-hand"])
def test_outcomes_agree_with_the_wins(rules: str) -> None:
    tables = Tables(rules, 60, 3, auto_reset=False)
    random = np.random.default_rng(1)
    while not tables.over.all():
        legal = tables.legal()
        likes = random.random(legal.shape)
        likes[:, [Action.TSUMO, Action.RON]] += 1
        tables.step(np.where(legal, likes, -1).argmax(axis=1))
    states: Any = np.asarray(tables.states)
    outcomes = RIICHI.outcomes(states)
    for number, state in enumerate(states):
        wins = state["wins"][: int(state["winners"])]
        assert np.flatnonzero(outcomes.won[number]).tolist() == sorted(wins["seat"].tolist())
        assert outcomes.drawn[number] == (len(wins) == 0)
        self_drawn = outcomes.won[number] & (int(state["ended"]) == Ending.TSUMO)
        assert (outcomes.self_drawn[number] == self_drawn).all()
        assert int(outcomes.dealer[number]) == int(state["dealer"])
        assert outcomes.value[number].sum() == wins["points"].sum()
        discarders = set(wins["discarder"].tolist()) if int(state["ended"]) == Ending.RON else set()
        assert set(np.flatnonzero(outcomes.dealt_in[number]).tolist()) == discarders
        declared = [seat for seat in range(tables.rules.players) if state["seats"][seat]["riichi"]]
        assert set(np.flatnonzero(outcomes.habits["riichi"][number]).tolist()) <= set(declared)
        called = [bool(state["seats"][seat]["opened"]) for seat in range(tables.rules.players)]
        assert outcomes.habits["called"][number].tolist() == called
    assert len(RIICHI.outcomes(states[:0]).ended) == 0


# ---------------------------------------------------------------------------------------------------------
# The games that there are


def test_rule_sets_are_found_by_name_and_belong_to_a_game() -> None:
    assert rules_of("tenhou") is TENHOU
    assert rules_of(TENHOU) is TENHOU
    assert game_of(TENHOU) is RIICHI is GAMES["riichi"]
    with pytest.raises(RuleError, match="no rules named 'chess'"):
        rules_of("chess")
    for other in (None, 4, object()):
        with pytest.raises(GameError, match="no rule set"):
            rules_of(other)


def test_a_game_is_registered_once() -> None:
    assert register(RIICHI) is RIICHI
    assert GAMES.origin("riichi") == "", "what ships needs no plug-in, also when it is registered again"
    with pytest.raises(GameError, match="there is a game 'riichi' already"):
        register(dataclasses.replace(RIICHI))


def act_without_a_table(state: HandStart, lookup: NothingShared, action: int) -> None:
    """A rule for a record that is not a table."""


def test_a_game_with_an_incomplete_state_is_refused() -> None:
    with pytest.raises(TypeError, match="lacks rules, actor, phase"):
        dataclasses.replace(RIICHI, name="other", act=act_without_a_table)
    with pytest.raises(TypeError, match="must be given together"):
        dataclasses.replace(RIICHI, name="other", events=None)
