"""Presets and invalid rule sets."""

import dataclasses
from typing import Any

import numpy as np
import pytest

from janshi.core.rules import rules_from_record
from janshi.riichi.rules import (
    MAHJONG_SOUL,
    MAHJONG_SOUL_SANMA,
    PRESETS,
    TENHOU,
    TENHOU_SANMA,
    Length,
    RuleError,
    Rules,
    final_points,
    preset,
)
from janshi.table import Table, Tables
from tests.claims import cases_of


@pytest.mark.parametrize("name", PRESETS)
def test_money_of_every_preset_adds_up(name: str) -> None:
    rules = PRESETS[name]
    assert sum(rules.uma) == 0
    assert rules.oka in (0, (rules.target - rules.start) * rules.players)


def test_results_count_from_the_value_of_the_rules() -> None:
    scores = [40_500, 39_500, 23_600, -3_600]
    assert final_points(MAHJONG_SOUL, scores) == [30.5, 19.5, -6.4, -43.6]
    assert sum(final_points(MAHJONG_SOUL_SANMA, [50_000, 40_000, 15_000])) == 0
    over_target = dataclasses.replace(MAHJONG_SOUL, name="mine", results_from=0)
    assert final_points(over_target, scores) == [25.5, 14.5, -11.4, -48.6]


def test_suffixes_change_one_field_each() -> None:
    assert preset("tenhou-sanma-hand") == dataclasses.replace(
        TENHOU_SANMA, name="tenhou-sanma-hand", length=Length.SINGLE_HAND
    )
    assert preset("tenhou-east-nored-noopen") == dataclasses.replace(
        TENHOU, name="tenhou-east-nored-noopen", length=Length.EAST, red_fives=(0, 0, 0), open_tanyao=False
    )


def test_unknown_preset_names_the_known_ones() -> None:
    with pytest.raises(RuleError, match="tenhou-sanma"):
        preset("tenho")


def changed(rules: str, change: dict[str, Any]) -> Rules:
    """Return rules by name with changes; lists of JSON are tuples."""
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in change.items()}
    return dataclasses.replace(preset(rules), **values)


@pytest.mark.parametrize(*cases_of("messages", "rules of riichi that cannot be played"))
def test_unplayable_rules_are_refused(rules: str, change: dict[str, Any], says: str) -> None:
    with pytest.raises(RuleError, match=says):
        changed(rules, change)


@pytest.mark.parametrize("field", [field.name for field in dataclasses.fields(Rules)])
@pytest.mark.parametrize("value", [None, object(), [], [1, 0, 0, -1], {}, float("nan"), b"1"])
def test_fields_refuse_values_of_other_types(field: str, value: Any) -> None:
    with pytest.raises(RuleError, match=field):
        dataclasses.replace(TENHOU, **{field: value})


@pytest.mark.parametrize(*cases_of("messages", "unusual rules"))
def test_unusual_rules_can_be_played(rules: str, change: dict[str, Any]) -> None:
    tables = Tables(changed(rules, change), 2, auto_reset=False)
    random = np.random.default_rng(1)
    for _ in range(40):
        legal = tables.legal()
        tables.step((legal * random.random(legal.shape)).argmax(axis=1))
    money = tables.scores.sum(axis=1) + 1000 * np.asarray(tables.states)["deposits"]
    assert (money == tables.rules.players * tables.rules.start).all()


def test_rules_are_unchanged_in_a_table() -> None:
    for rules in PRESETS.values():
        assert rules_from_record(Rules, Table(rules).state.rules, rules.name) == rules


def test_points_of_a_game() -> None:
    assert final_points(TENHOU, [25_000] * 4) == [35.0, 5.0, -15.0, -25.0]
    assert final_points(TENHOU_SANMA, [0, 65_000, 40_000]) == [-60.0, 60.0, 0.0]
