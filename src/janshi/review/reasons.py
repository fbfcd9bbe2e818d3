"""The reasons of losses, and the ends of hands after an option, as plain data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from janshi.compiling import Record
from janshi.review.advising import MODELS
from janshi.review.model import Cause, DealtInTo, Ends, Reason, WonOn, WonWith
from janshi.rollout.playouts import OptionResult
from janshi.say.reasons import CauseRow, ReasonRow

#: Reasons and causes whose figures are whole numbers.
_WHOLE: Final = {"value", "price", "draw", "points", "shanten", "wait", "ukeire", "fixes"}
_ROWS: Final[dict[str, Callable[..., Any]]] = {"yaku": WonWith, "tiles": WonOn, "to": DealtInTo}


def _reason(**fields: Any) -> Reason:
    return Reason(**_whole(fields))


def _cause(**fields: Any) -> Cause:
    return Cause(**_whole(fields))


def _whole(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a reason or cause with figures that are whole numbers as such."""
    whole = {name: int(fields[name]) for name in ("done", "best") if fields[name] is not None}
    return {**fields, **whole} if fields["kind"] in _WHOLE else fields


#: Constructors of the rows of a `janshi.say.losses.LossNumbers`.
REASON_MODELS: Final[dict[type[Record], Callable[..., Any]]] = {**MODELS, CauseRow: _cause, ReasonRow: _reason}


def ends_of(option: OptionResult) -> Ends:
    """Return how the hand ends after an option as plain data."""
    words = option.ends.words
    rows = {name: [model(**row) for row in words[name]] for name, model in _ROWS.items()}
    return Ends(**{**words, **rows})
