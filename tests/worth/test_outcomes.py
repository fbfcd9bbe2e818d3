"""The outcome model: probabilities for every legal action, and errors without a model."""

from __future__ import annotations

import time

import pytest

from janshi.riichi.positions import dealt_hand
from janshi.riichi.rules import preset
from janshi.table import Table, Tables
from janshi.worth.outcomes import OutcomeError, OutcomeModel

RULES = ["tenhou-sanma", "tenhou"]


@pytest.mark.parametrize("rules", RULES)
def test_outcomes_are_probabilities(rules: str):
    tables = Tables(rules, 8)
    outcomes = OutcomeModel(tables.rules).outcomes(tables.decisions())
    assert outcomes.results.sum(axis=1) == pytest.approx(1, abs=1e-4)
    assert outcomes.places.sum(axis=1) == pytest.approx(1, abs=1e-4)
    assert outcomes.policy.sum(axis=1) == pytest.approx(1, abs=1e-4)
    assert ((outcomes.deals_in >= 0) & (outcomes.deals_in <= 1)).all()


@pytest.mark.parametrize("rules", RULES)
def test_a_better_hand_wins_more_often(rules: str):
    good, bad = (dealt_hand(rules, tiles) for tiles in ("234567p345678s19m", "19m1479p258s12356z"))
    model = OutcomeModel(preset(rules))
    wins = [outcomes.mean(outcomes.wins)[0] for outcomes in map(model.outcomes, (good, bad))]
    assert wins[0] > wins[1] + 0.2


@pytest.mark.parametrize("rules", RULES)
def test_an_answer_takes_a_few_milliseconds(rules: str):
    decision = Table(rules, seed=1).decision()
    model = OutcomeModel(decision.rules)
    model.outcomes(Tables(rules, 256).decisions())  # compiles; few rows are interpreted
    start = time.process_time()
    for _ in range(20):
        model.outcomes(decision)
    assert time.process_time() - start < 20 * 0.005


def test_missing_models_are_named(tmp_path):
    with pytest.raises(OutcomeError, match="no outcome model for 4 players"):
        OutcomeModel(preset("tenhou"), tmp_path / "missing.onnx")
