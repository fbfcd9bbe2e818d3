"""The players of a comparison, and their line-ups of one player against equal others on the same walls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, TypeVar

from janshi.agents.protocol import Agent
from janshi.arena.matches import Match, MatchConfig, play_match

T = TypeVar("T")

#: A line-up by indices of players: the one, and the others.
Pairing: TypeAlias = tuple[int, int]
#: Letters of the players, where different ones have the same name.
_LETTERS: Final = "ABX"


@dataclass(frozen=True, slots=True)
class Contest:
    """Two players and optionally others, with the rules and the seed of their walls.

    ``names`` tells the players apart.
    """

    agents: Sequence[Agent]
    names: Sequence[str]
    rules: Any
    seed: int

    @classmethod
    def of(cls, agents: Sequence[Agent], numbers: Sequence[int], rules: Any, seed: int) -> Contest:
        """Return a contest of agents; ``numbers``: their indices, the first one's if two are the same player."""
        named = {number: agent.name for number, agent in zip(numbers, agents, strict=True)}
        alike = {number for number, name in named.items() if list(named.values()).count(name) > 1}
        names = [f"{named[number]} ({_LETTERS[number]})" if number in alike else named[number] for number in numbers]
        return cls(agents, names, rules, seed)

    def seated(self, players: Sequence[T], pairing: Pairing) -> list[T]:
        """Return the players of a line-up, of these or of the same ones in another form, by seat in rotation 0."""
        player, against = pairing
        return [players[player]] + [players[against]] * (self.rules.players - 1)

    def play(
        self,
        pairing: Pairing,
        walls: int,
        config: MatchConfig,
        progress: Callable[[int], None] | None = None,
    ) -> Match:
        """Return the match of a line-up. Raises `KeyboardInterrupt` if interrupted."""
        seated = self.seated(self.agents, pairing)
        match = play_match(seated, self.rules, walls, self.seed, config=config, progress=progress)
        if match.interrupted:
            raise KeyboardInterrupt
        return match
