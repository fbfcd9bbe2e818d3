"""The rules as a record that compiled code reads: the fields of `janshi.sichuan.rules.Rules`, by the same names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from janshi.core.rules import rules_from_record as _rules_from_record
from janshi.core.rules import rules_record, write_rules
from janshi.sichuan.rules import Rules

__all__ = ["RulesRecord", "rules_from_record", "write_rules"]

if TYPE_CHECKING:

    class RulesRecord(Rules):
        """`Rules`, with `janshi.core.rules.NONE` for None."""

        cap: int
        pig_fan: int

else:
    RulesRecord = rules_record(Rules)


def rules_from_record(record: Any, name: str = "of a table") -> Rules:
    """Return the rule set that a `RulesRecord` record holds, under a name.

    >>> from janshi.sichuan.rules import SICHUAN
    >>> from janshi.table import Table
    >>> rules_from_record(Table("sichuan").state.rules, "sichuan") == SICHUAN
    True
    """
    found: Rules = _rules_from_record(Rules, record, name)
    return found
