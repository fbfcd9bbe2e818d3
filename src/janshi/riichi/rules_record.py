"""The rules as a record that compiled code reads: the fields of `janshi.riichi.rules.Rules`, by the same names."""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Record
from janshi.riichi.rules import TENHOU, Rules


class RulesRecord(Record):
    """`janshi.riichi.rules.Rules` without its name, documented there; truths are 0 or 1."""

    players: Annotated[int, np.int32]
    length: Annotated[int, np.int32]
    red_fives: Annotated[NDArray[np.int32], 3]
    open_tanyao: Annotated[int, np.int32]
    ippatsu: Annotated[int, np.int32]
    ura_dora: Annotated[int, np.int32]
    kan_ura: Annotated[int, np.int32]
    counted_yakuman: Annotated[int, np.int32]
    multiple_yakuman: Annotated[int, np.int32]
    double_yakuman: Annotated[int, np.int32]
    first_turn_doubles: Annotated[int, np.int32]
    renhou: Annotated[int, np.int32]
    rounded_mangan: Annotated[int, np.int32]
    double_wind_fu: Annotated[int, np.int32]
    replacement_fu: Annotated[int, np.int32]
    multiple_ron: Annotated[int, np.int32]
    triple_ron_aborts: Annotated[int, np.int32]
    orphans_rob_closed_kan: Annotated[int, np.int32]
    pao_dragons: Annotated[int, np.int32]
    pao_winds: Annotated[int, np.int32]
    pao_kans: Annotated[int, np.int32]
    pao_part_only: Annotated[int, np.int32]
    pao_pays_ron_honba: Annotated[int, np.int32]
    chii: Annotated[int, np.int32]
    kita: Annotated[int, np.int32]
    kuikae: Annotated[int, np.int32]
    kan_dora: Annotated[int, np.int32]
    closed_kan_dora_at_once: Annotated[int, np.int32]
    riichi_kan: Annotated[int, np.int32]
    riichi_kan_keeps_sets: Annotated[int, np.int32]
    riichi_least_tiles: Annotated[int, np.int32]
    riichi_least_points: Annotated[int, np.int32]
    kyuushu_kyuuhai: Annotated[int, np.int32]
    four_winds: Annotated[int, np.int32]
    four_riichi: Annotated[int, np.int32]
    four_kans: Annotated[int, np.int32]
    nagashi_mangan: Annotated[int, np.int32]
    noten_payment: Annotated[int, np.int32]
    karaten_is_tenpai: Annotated[int, np.int32]
    start: Annotated[int, np.int32]
    target: Annotated[int, np.int32]
    results_from: Annotated[int, np.int32]
    oka: Annotated[int, np.int32]
    uma: Annotated[NDArray[np.int32], 4]
    honba_each: Annotated[int, np.int32]
    honba_ron: Annotated[int, np.int32]
    honba_for_each: Annotated[int, np.int32]
    tsumo_loss: Annotated[int, np.int32]
    first_takes_deposits: Annotated[int, np.int32]
    ties_share_deposits: Annotated[int, np.int32]
    ties_share_uma: Annotated[int, np.int32]
    chip_value: Annotated[int, np.int32]
    extension: Annotated[int, np.int32]
    extension_ends: Annotated[int, np.int32]
    tobi: Annotated[int, np.int32]
    dealer_stops_leading: Annotated[int, np.int32]
    dealer_stops_tenpai: Annotated[int, np.int32]
    dealer_repeats_tenpai: Annotated[int, np.int32]


def write_rules(rules: Rules, record: Any) -> None:
    """Copy a rule set into a `RulesRecord` record (or into that field of an array of records)."""
    for name in RulesRecord.__annotations__:
        value = getattr(rules, name)
        if name == "uma":
            value = (*value, 0)[:4]
        record[name] = value


def rules_from_record(record: Any, name: str = "of a table") -> Rules:
    """Return the rule set that a `RulesRecord` record holds, under a name.

    >>> from janshi.riichi.rules import TENHOU
    >>> from janshi.table import Table
    >>> rules_from_record(Table(TENHOU).state.rules, "tenhou") == TENHOU
    True
    """
    values: dict[str, Any] = {}
    for field in fields(Rules):
        if field.name != "name":
            value = record[field.name]
            kind = type(getattr(TENHOU, field.name))
            values[field.name] = tuple(int(number) for number in value) if kind is tuple else kind(int(value))
    values["uma"] = values["uma"][: values["players"]]
    return Rules(name=name, **values)
