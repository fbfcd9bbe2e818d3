"""The rules as a record that compiled code reads: the fields of `janshi.riichi.rules.Rules`, by the same names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from janshi.core.rules import rules_from_record as _rules_from_record
from janshi.core.rules import rules_record, write_rules
from janshi.riichi.rules import Rules

__all__ = ["RulesRecord", "rules_from_record", "write_rules"]

if TYPE_CHECKING:

    class RulesRecord(Rules):
        """`Rules`, with a mask of local yaku."""

        local_yaku: int  # type: ignore[assignment]

else:
    RulesRecord = rules_record(Rules)


def rules_from_record(record: Any, name: str = "of a table") -> Rules:
    """Return the rule set that a `RulesRecord` record holds, under a name.

    >>> from janshi.riichi.rules import TENHOU
    >>> from janshi.table import Table
    >>> rules_from_record(Table(TENHOU).state.rules, "tenhou") == TENHOU
    True
    """
    found: Rules = _rules_from_record(Rules, record, name)
    return found
