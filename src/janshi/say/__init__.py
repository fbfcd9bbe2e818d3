"""What a table says to a seat: records that games fill by compiled rules, and the names of their numbers.

`records` defines a seat's knowledge of its hand, the question of a decision and the numbers of advice; `events` the
events of a table. The facet ``"say"`` of a game (`Say`) fills these records, and `words` turns a filled record into
plain data. The page without a server calls the same compiled rules and uses the same tables of names.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from janshi.compiling import Batched
from janshi.core.game import Game
from janshi.say.ends import HAN_SOURCES
from janshi.say.events import StoryProgress
from janshi.say.words import Tables


@dataclass(frozen=True, kw_only=True)
class Say:
    """A game's facet ``"say"``: compiled rules ``(views, out)`` that fill the records of `janshi.say.records`."""

    own: Batched
    """Fills `OwnHand` records."""
    question: Batched
    """Fills `DecisionOptions` records of the seats to decide."""
    advice: Batched
    """Fills `AdviceNumbers` records of the seats to decide."""
    new_events: Batched
    """``(tables, progress, added)``: fills `janshi.say.events.NewEvents` with the events since the last call."""
    ends: Batched
    """``(tables, seat, points before, out)``: fills `janshi.say.ends.HandEnd` records at tables whose hand is over."""
    progress: type[StoryProgress]
    """Record of how far the events of a table have been written."""
    stakes: Batched | None = None
    """``(views, questions, out)``: fills `DecisionStakes`; None in games without what they hold."""
    dora: range = range(0)
    """Sources of han that are counted by tiles."""
    names: Tables
    """Names of tiles, actions, sources of fan …, by the table that records name."""

    def __post_init__(self) -> None:
        """Raise `ValueError` for more sources of han than a `HandEnd` has room for."""
        if len(self.names["fan"]) > HAN_SOURCES:
            raise ValueError(f"{len(self.names['fan'])} sources of han or fan: at most {HAN_SOURCES}")

    @property
    def entries(self) -> tuple[Batched, ...]:
        """The compiled functions."""
        stakes = () if self.stakes is None else (self.stakes,)
        return self.own, self.question, self.advice, self.new_events, self.ends, *stakes


def say_of(game: Game) -> Say:
    """Return a game's facet ``"say"``. Raises `janshi.core.game.GameError` if it has none."""
    return cast("Say", game.facet("say"))
