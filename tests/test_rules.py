"""Presets, and rule sets that are refused."""

import dataclasses

import pytest

from janshi.rules import PRESETS, TENHOU, TENHOU_SANMA, Length, RuleError, preset


@pytest.mark.parametrize("name", PRESETS)
def test_money_of_every_preset_adds_up(name: str) -> None:
    rules = PRESETS[name]
    assert sum(rules.uma) == 0
    assert rules.oka in (0, (rules.target - rules.start) * rules.players)


def test_endings_change_one_field_each() -> None:
    assert preset("tenhou-sanma-hand") == dataclasses.replace(
        TENHOU_SANMA, name="tenhou-sanma-hand", length=Length.SINGLE_HAND
    )
    assert preset("tenhou-east-nored-noopen") == dataclasses.replace(
        TENHOU, name="tenhou-east-nored-noopen", length=Length.EAST, red_fives=(0, 0, 0), open_tanyao=False
    )


def test_unknown_preset_names_the_known_ones() -> None:
    with pytest.raises(RuleError, match="tenhou-sanma"):
        preset("tenho")


@pytest.mark.parametrize(
    "change",
    [
        {"players": 5},
        {"players": 3},
        {"red_fives": (5, 0, 0)},
        {"multiple_ron": 0},
        {"double_wind_fu": 3},
        {"start": 25_050},
        {"uma": (1, 2)},
    ],
)
def test_rules_that_cannot_be_played_are_refused(change: dict[str, object]) -> None:
    with pytest.raises(RuleError):
        dataclasses.replace(TENHOU, **change)
