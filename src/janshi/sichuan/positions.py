"""Decisions of one hand of a Sichuan record: see `janshi.records.positions`.

>>> from janshi.sichuan.records.jsonl import play_random_game
>>> hand = hand_of_game(play_random_game("sichuan-exchange", seed=3), 1)
>>> first = hand.position(1)
>>> first.seat, first.done in first.possible
(0, True)
"""

from __future__ import annotations

from dataclasses import dataclass, field

from janshi.records.positions import PlayedHand, Position, PositionError, check_hand
from janshi.sichuan.records.jsonl import SichuanGame, replay_watched
from janshi.table import Table


@dataclass(slots=True)
class _Watched:
    """The decisions of one hand of a game that is replayed."""

    number: int
    hand: int = 1
    positions: list[Position] = field(default_factory=list)

    def __call__(self, table: Table, action: int) -> None:
        """Follow a table before an action, and after a hand (−1)."""
        if action < 0:
            self.hand += 1
        elif self.hand == self.number:
            batch = table.decision().with_events()
            self.positions.append(Position(len(self.positions) + 1, action, int(table.record["logged"]), batch))


def hand_of_game(game: SichuanGame, number: int) -> PlayedHand:
    """Replay a hand (from 1) of a game.

    Raises `PositionError` for a missing hand, and if it or one before it contradicts the rules.
    """
    check_hand(game, number)
    watched = _Watched(number)
    for wrong in replay_watched(game, watched).mismatches:
        if wrong.hand <= number and not wrong.sequel:
            raise PositionError(f"the hand cannot be replayed: {wrong}")
    return PlayedHand(game.source, game.rules, number, tuple(watched.positions))
