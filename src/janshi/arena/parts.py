"""Matches in parts: runs of walls as jobs, for processes and clusters (`janshi.cluster`).

A part depends on names of agents, rules, seed and the numbers of its walls alone; parts together are the match that one
process plays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil
from typing import Any, Final

from janshi.agents import agent
from janshi.agents.protocol import Agent
from janshi.arena.matches import Match, MatchConfig, is_single_hand, play_match
from janshi.cluster import Workers, in_order

#: Walls of a part, at most: so many that networks are asked about many tables at once, and so few that a part of whole
#: games takes a minute or so, which is lost with a worker.
_GAMES: Final = 128
_HANDS: Final = 512
#: Parts for each process, at least, so that all of them end at about the same time.
_PARTS: Final = 3


@dataclass(frozen=True, slots=True)
class MatchPart:
    """Walls ``first`` … ``first + walls`` of a match between agents of these names, in every rotation."""

    agents: tuple[str, ...]
    rules: Any
    seed: int
    first: int
    walls: int
    recorded: bool = False
    """Whether the records of its games are wanted."""


def play_part(part: MatchPart) -> tuple[Match, list[Any]]:
    """Play a part of a match; return it, and the records of its games. Agents are kept for the next part."""
    records: list[Any] = []
    match = play_match(
        [_agent(name) for name in part.agents],
        part.rules,
        part.walls,
        part.seed,
        config=MatchConfig(first=part.first),
        on_game=records.append if part.recorded else None,
    )
    if match.interrupted:
        raise KeyboardInterrupt
    return match, records


@cache
def _agent(name: str) -> Agent:
    return agent(name)


def play_parts(
    team: Workers,
    agents: Sequence[str],
    rules: Any,
    walls: int,
    seed: int = 0,
    *,
    progress: Callable[[int], None] | None = None,
    on_game: Callable[[Any], None] | None = None,
) -> Match:
    """Let agents of these names play a match on ``team``: see `janshi.arena.play_match`, whose result it is.

    An interruption ends the match after the parts that are complete so far; it is raised where there is none.

    >>> from janshi.cluster import workers
    >>> from janshi.riichi.rules import preset
    >>> with workers() as team:
    ...     match = play_parts(team, ["efficient", "random", "random"], preset("tenhou-sanma-hand"), walls=5)
    >>> match.walls, match.hands.change.shape
    (5, (15, 3))
    """
    most = _HANDS if is_single_hand(rules) else _GAMES
    size = max(1, min(most, ceil(walls / (_PARTS * max(1, team.processes)))))
    parts = (
        MatchPart(tuple(agents), rules, seed, first, min(size, walls - first), on_game is not None)
        for first in range(0, walls, size)
    )
    matches: list[Match] = []
    over = 0

    def counted(number: int, played: tuple[Match, list[Any]]) -> tuple[int, tuple[Match, list[Any]]]:
        nonlocal over
        over += len(played[0].final)
        if progress is not None:
            progress(over)
        return number, played

    try:
        for match, records in in_order(counted(*each) for each in team.each(play_part, parts)):
            matches.append(match)
            if on_game is not None:
                for record in records:
                    on_game(record)
    except KeyboardInterrupt:
        if not matches:
            raise
        return Match.joined(matches, interrupted=True)
    return Match.joined(matches)
