"""The rules as a record that compiled code reads: the fields of `janshi.sichuan.rules.Rules`, by the same names."""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated, Any, Final

import numpy as np

from janshi.compiling import Record
from janshi.sichuan.rules import SICHUAN, Rules

#: Stands for None in `RulesRecord.cap` and `RulesRecord.pig_fan`.
NO_CAP: Final = -1


class RulesRecord(Record):
    """`janshi.sichuan.rules.Rules` without its name, documented there; truths are 0 or 1, None is `NO_CAP`."""

    players: Annotated[int, np.int32]
    start: Annotated[int, np.int32]
    hands: Annotated[int, np.int32]
    base_points: Annotated[int, np.int32]
    exchange: Annotated[int, np.int32]
    void_face_down: Annotated[int, np.int32]
    cap: Annotated[int, np.int32]
    all_pungs: Annotated[int, np.int32]
    full_flush: Annotated[int, np.int32]
    seven_pairs: Annotated[int, np.int32]
    golden_wait: Annotated[int, np.int32]
    kong: Annotated[int, np.int32]
    root: Annotated[int, np.int32]
    after_kong: Annotated[int, np.int32]
    kong_discard: Annotated[int, np.int32]
    robbing: Annotated[int, np.int32]
    last_tile: Annotated[int, np.int32]
    heaven: Annotated[int, np.int32]
    earth: Annotated[int, np.int32]
    heaven_is_cap: Annotated[int, np.int32]
    golden_wait_form: Annotated[int, np.int32]
    kong_discard_and_last: Annotated[int, np.int32]
    more_roots_in_pairs: Annotated[int, np.int32]
    self_draw_bonus: Annotated[int, np.int32]
    exposed_kong: Annotated[int, np.int32]
    concealed_kong: Annotated[int, np.int32]
    added_kong: Annotated[int, np.int32]
    postponed_kong_pays: Annotated[int, np.int32]
    kong_discard_refund: Annotated[int, np.int32]
    passed_win: Annotated[int, np.int32]
    after_wins: Annotated[int, np.int32]
    rob_kong: Annotated[int, np.int32]
    pung_on_last: Annotated[int, np.int32]
    kong_after_pung: Annotated[int, np.int32]
    void_kong: Annotated[int, np.int32]
    ready_check: Annotated[int, np.int32]
    ready_with_kongs: Annotated[int, np.int32]
    own_fourth_waits: Annotated[int, np.int32]
    kong_refund: Annotated[int, np.int32]
    kong_refund_after_wins: Annotated[int, np.int32]
    flower_pig: Annotated[int, np.int32]
    pig_fan: Annotated[int, np.int32]
    pig_by_suits: Annotated[int, np.int32]
    pig_pays_winners: Annotated[int, np.int32]
    pig_pays_ready: Annotated[int, np.int32]
    pig_after_wins: Annotated[int, np.int32]


def write_rules(rules: Rules, record: Any) -> None:
    """Copy a rule set into a `RulesRecord` record (or into that field of an array of records)."""
    for name in RulesRecord.__annotations__:
        value = getattr(rules, name)
        record[name] = NO_CAP if value is None else value


def rules_from_record(record: Any, name: str = "of a table") -> Rules:
    """Return the rule set that a `RulesRecord` record holds, under a name.

    >>> from janshi.table import Table
    >>> rules_from_record(Table("sichuan").state.rules, "sichuan") == SICHUAN
    True
    """
    values: dict[str, Any] = {}
    for field in fields(Rules):
        if field.name != "name":
            number = int(record[field.name])
            can_be_none = str(field.type).endswith("None")
            kind = int if can_be_none else type(getattr(SICHUAN, field.name))
            values[field.name] = None if can_be_none and number == NO_CAP else kind(number)
    return Rules(name=name, **values)
