"""What a table says to a seat: plain records that games fill by compiled rules, and the words for their numbers.

`records` defines the records: a seat's knowledge of its hand, the question of a decision, advice. A game's facet
``"say"`` (`Say`) fills them from a view; `words` turns a filled record into plain data. The page without a server
calls the same compiled rules, and words the same records by the same tables of names.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from janshi.compiling import Batched
from janshi.core.game import Game
from janshi.say.events import StoryProgress
from janshi.say.words import Tables


@dataclass(frozen=True, kw_only=True)
class Say:
    """A game's facet ``"say"``: compiled rules ``(views, out)`` that fill the records of `janshi.say.records`."""

    own: Batched
    """Fills `OwnHand` records."""
    asked: Batched
    """Fills `Asked` records of the seats to decide."""
    advised: Batched
    """Fills `AdviceNumbers` records of the seats to decide."""
    told: Batched
    """``(tables, telling, news)``: fills `janshi.say.events.News` with the events since the last call."""
    telling: type[StoryProgress]
    """Record of how far they have been told."""
    names: Tables
    """Names of tiles, actions, sources of fan …, by the table that records name."""

    @property
    def entries(self) -> tuple[Batched, ...]:
        """The compiled functions."""
        return self.own, self.asked, self.advised, self.told


def say_of(game: Game) -> Say:
    """Return a game's facet ``"say"``. Raises `janshi.core.game.GameError` if it has none."""
    return cast("Say", game.facet("say"))
