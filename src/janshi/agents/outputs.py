"""The layout of a network's outputs.

>>> outputs = Outputs({"actions": 122, "places": 4, "value": 1})
>>> outputs.width, outputs.columns("value")
(127, slice(126, 127, None))
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

#: The parts used by players and self-play: logits of a game's whole action space, and a value. Others are auxiliary.
ACTIONS_PART: Final = "actions"
VALUE_PART: Final = "value"


class OutputsError(ValueError):
    """Raised for outputs that contradict a file or a game."""


@dataclass(frozen=True)
class Outputs:
    """The widths of the parts of a network's outputs, by name and in order.

    Args:
        parts: ``actions`` (logits) first, then auxiliary heads under other names, and optionally ``value`` (one number)
            last.
    """

    parts: Mapping[str, int]

    def __post_init__(self) -> None:
        """Raise `OutputsError` for parts in another order."""
        first, *rest = self.parts or ("",)
        if first != ACTIONS_PART or VALUE_PART in rest[:-1] or self.parts.get(VALUE_PART, 1) != 1:
            raise OutputsError(f"outputs are {ACTIONS_PART}, auxiliary ones, and one {VALUE_PART}; not {self}")

    def __str__(self) -> str:
        return ", ".join(f"{count} {name}" for name, count in self.parts.items())

    @property
    def width(self) -> int:
        """Number of outputs."""
        return sum(self.parts.values())

    def __contains__(self, name: str) -> bool:
        return name in self.parts

    def columns(self, name: str) -> slice:
        """Return the columns of a part. Raises `OutputsError` for an unknown one."""
        if name not in self.parts:
            raise OutputsError(f"no output {name!r}: there are {self}")
        names = list(self.parts)
        first = sum(self.parts[before] for before in names[: names.index(name)])
        return slice(first, first + self.parts[name])

    def check(self, actions: int, width: int) -> None:
        """Raise `OutputsError` if a game has another number of actions, or a network another number of outputs."""
        if self.parts[ACTIONS_PART] != actions:
            raise OutputsError(f"outputs for {self.parts[ACTIONS_PART]} actions, of which the game has {actions}")
        if self.width != width:
            raise OutputsError(f"{width} outputs, where the file says {self}")

    def text(self) -> str:
        """Return the layout as JSON for a file's metadata, in the order of the parts.

        >>> Outputs.of_text(Outputs({"actions": 4, "value": 1}).text()).width
        5
        """
        return json.dumps(dict(self.parts))

    @classmethod
    def of_text(cls, text: str) -> Outputs:
        """Return the layout from the result of `text`. Raises `OutputsError` for another text."""
        try:
            return cls({str(name): int(count) for name, count in json.loads(text).items()})
        except (ValueError, TypeError, AttributeError):
            raise OutputsError(f"no layout of outputs: {text!r}") from None
