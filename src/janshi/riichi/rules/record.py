"""The record of the fields of `janshi.riichi.rules.Rules` that compiled code reads."""

from typing import TYPE_CHECKING

from janshi.core.rules import rules_record
from janshi.riichi.rules import Rules

if TYPE_CHECKING:

    class RulesRecord(Rules):
        """`Rules`, with a mask of local yaku."""

        local_yaku: int  # type: ignore[assignment]

else:
    RulesRecord = rules_record(Rules)
