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


#: A rule set, its changes, and the error message.
REFUSED = [
    (TENHOU, {"players": 5}, "5 players"),
    (TENHOU, {"players": 2}, "2 players"),
    (TENHOU, {"players": 3}, "uma has 4 numbers for 3 players"),
    (TENHOU, {"uma": (10_000, -10_000)}, "uma has 2 numbers"),
    # Types
    (TENHOU, {"name": None}, "name must be a str"),
    (TENHOU, {"name": ""}, "has a name"),
    (TENHOU, {"length": 7}, "length must be a member of Length .SINGLE_HAND, EAST, EAST_SOUTH., not 7"),
    (TENHOU, {"length": 1}, "length must be a member of Length"),
    (TENHOU, {"kan_dora": 9}, "kan_dora must be a member of KanDora"),
    (TENHOU, {"kuikae": 5}, "kuikae must be a member of Kuikae"),
    (TENHOU, {"kuikae": None}, "kuikae must be a member of Kuikae"),
    (TENHOU, {"open_tanyao": 1}, "open_tanyao must be True or False"),
    (TENHOU, {"ippatsu": "yes"}, "ippatsu must be True or False"),
    (TENHOU_SANMA, {"tsumo_loss": None}, "tsumo_loss must be True or False"),
    (TENHOU, {"players": True}, "players must be an integer"),
    (TENHOU, {"players": 4.0}, "players must be an integer"),
    (TENHOU, {"start": 25_000.0}, "start must be an integer"),
    (TENHOU, {"multiple_ron": "3"}, "multiple_ron must be an integer"),
    (TENHOU, {"uma": [20_000, 10_000, -10_000, -20_000]}, "uma must be a tuple"),
    (TENHOU, {"uma": (2.5, 1, -1, -2.5)}, "uma must be a tuple of integers"),
    (TENHOU, {"red_fives": 1}, "red_fives must be a tuple"),
    (TENHOU, {"red_fives": (True, 1, 1)}, "red_fives must be a tuple of integers"),
    # Ranges
    (TENHOU, {"red_fives": (1, 1)}, "red_fives has a number for each"),
    (TENHOU, {"red_fives": (5, 0, 0)}, "0 to 4 red fives"),
    (TENHOU, {"red_fives": (0, -1, 0)}, "0 to 4 red fives"),
    (TENHOU, {"multiple_ron": 0}, "multiple_ron is 1, 2 or 3"),
    (TENHOU, {"multiple_ron": 4}, "multiple_ron is 1, 2 or 3"),
    (TENHOU, {"double_wind_fu": 3}, "double_wind_fu is 2 or 4"),
    (TENHOU, {"riichi_least_tiles": -1}, "riichi_least_tiles is 0 to 70"),
    (TENHOU, {"riichi_least_tiles": 71}, "riichi_least_tiles is 0 to 70"),
    (TENHOU, {"riichi_least_points": -1000}, "riichi_least_points must be a multiple of 100"),
    (TENHOU, {"start": 25_050}, "start must be a multiple of 100"),
    (TENHOU, {"start": -100}, "start must be a multiple of 100"),
    (TENHOU, {"target": 2_000_000}, "target must be a multiple of 100"),
    (TENHOU, {"oka": -20_000}, "oka must be a multiple of 100"),
    (TENHOU, {"honba_each": -100}, "honba_each must be a multiple of 100"),
    (TENHOU, {"honba_ron": 250}, "honba_ron must be a multiple of 100"),
    (TENHOU, {"uma": (20_050, 10_000, -10_000, -20_050)}, "uma are whole hundreds"),
    (TENHOU, {"uma": (9_000_000, 0, 0, -9_000_000)}, "uma are whole hundreds"),
    (TENHOU, {"uma": (50_000, 10_000, -10_000, -30_000)}, "do not sum to 0"),
    # Shares of a noten payment
    (TENHOU, {"noten_payment": -3000}, "noten_payment must be a multiple of 100"),
    (TENHOU, {"noten_payment": 2000}, "cannot be shared evenly: it is a multiple of 600"),
    (TENHOU, {"noten_payment": 1000}, "a multiple of 600"),
    (TENHOU_SANMA, {"noten_payment": 1100}, "a multiple of 200"),
    # What only three or four players have
    (TENHOU, {"kita": True}, "kita is for three players"),
    (TENHOU, {"tsumo_loss": False}, "tsumo_loss=False is for three players"),
    (TENHOU_SANMA, {"chii": True}, "three players do not call chii"),
    (TENHOU_SANMA, {"red_fives": (1, 1, 1)}, "three players have no 5m"),
]


@pytest.mark.parametrize(("rules", "change", "words"), REFUSED, ids=lambda value: str(value)[:40])
def test_unplayable_rules_are_refused(rules: Rules, change: dict[str, Any], words: str) -> None:
    with pytest.raises(RuleError, match=words):
        dataclasses.replace(rules, **change)


@pytest.mark.parametrize("field", [field.name for field in dataclasses.fields(Rules)])
@pytest.mark.parametrize("value", [None, object(), [], {}, float("nan"), b"1"])
def test_fields_refuse_values_of_other_types(field: str, value: Any) -> None:
    with pytest.raises(RuleError, match=field):
        dataclasses.replace(TENHOU, **{field: value})


@pytest.mark.parametrize(
    ("rules", "change"),
    [
        (TENHOU, {"noten_payment": 0}),
        (TENHOU, {"noten_payment": 600}),
        (TENHOU_SANMA, {"noten_payment": 200}),
        (TENHOU_SANMA, {"kita": False, "tsumo_loss": False}),
        (TENHOU, {"riichi_least_tiles": 0, "riichi_least_points": 0}),
        (TENHOU, {"red_fives": (0, 4, 2), "uma": (0, 0, 0, 0), "oka": 0}),
    ],
)
def test_unusual_rules_can_be_played(rules: Rules, change: dict[str, Any]) -> None:
    changed = dataclasses.replace(rules, **change)
    tables = Tables(changed, 2, auto_reset=False)
    random = np.random.default_rng(1)
    for _ in range(40):
        legal = tables.legal()
        tables.step((legal * random.random(legal.shape)).argmax(axis=1))
    assert (
        tables.scores.sum(axis=1) + 1000 * np.asarray(tables.states)["deposits"] == rules.players * rules.start
    ).all()


def test_rules_are_unchanged_in_a_table() -> None:
    for rules in PRESETS.values():
        assert rules_from_record(Rules, Table(rules).state.rules, rules.name) == rules


def test_points_of_a_game() -> None:
    assert final_points(TENHOU, [25_000] * 4) == [35.0, 5.0, -15.0, -25.0]
    assert final_points(TENHOU_SANMA, [0, 65_000, 40_000]) == [-60.0, 60.0, 0.0]
