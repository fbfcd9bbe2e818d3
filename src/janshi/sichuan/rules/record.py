"""The record of the fields of `janshi.sichuan.rules.Rules` that compiled code reads."""

from typing import TYPE_CHECKING

from janshi.core.rules import rules_record
from janshi.sichuan.rules import Rules

if TYPE_CHECKING:

    class RulesRecord(Rules):
        """`Rules`, with `janshi.core.rules.NONE` for None."""

        cap: int
        pig_fan: int

else:
    RulesRecord = rules_record(Rules)
