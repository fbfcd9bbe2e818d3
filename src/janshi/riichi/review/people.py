"""What strong people lose in a game, beside the losses of a review."""

from __future__ import annotations

from typing import Any, Final

from janshi.riichi.rules import Length
from janshi.say.names import MistakeKind

#: Places lost in a game by kind, by the number of players: ``python research/measure_people.py FILE --reviews 56`` of
#: four-2024.zip and sanma-2026.zip (Tenhou's phoenix room); errors in ``results/review.md``.
_LOST: Final[dict[int, dict[MistakeKind, float]]] = {
    3: {"declaration": 0.001, "pushed": 0.008, "shape": 0.002},
    4: {"declaration": 0.004, "call": 0.001, "pushed": 0.001, "folded": 0.008, "shape": 0.002},
}


def people_of(rules: Any) -> dict[MistakeKind, float] | None:
    """Return the mean losses of strong people by kind, in places; None except for games of East and South."""
    return _LOST[rules.players] if rules.length == Length.EAST_SOUTH else None
