"""Matches in parts: runs of walls as jobs, for processes and clusters (`janshi.cluster`).

A part depends on names of agents, rules, seed and the numbers of its walls alone; parts together are the match that one
process plays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil
from socket import gethostname
from typing import Any, Final

from janshi.agents import agent
from janshi.agents.protocol import Agent, AgentError, Listener, check_seats
from janshi.agents.versions import digest_of
from janshi.arena.matches import Match, MatchConfig, is_single_hand, play_match
from janshi.cluster import ClusterError, Workers, in_order

#: Walls of a part, at most: so many that networks are asked about many tables at once, and so few that a part of whole
#: games takes a minute or so, which is lost with a worker.
_GAMES: Final = 128
_HANDS: Final = 512
#: Parts for each process, at least, so that all of them end at about the same time.
_PARTS: Final = 3


@dataclass(frozen=True, slots=True)
class LineUp:
    """Who plays by which rules."""

    agents: tuple[str, ...]
    """Names of the agents."""
    versions: tuple[str, ...]
    """Digests of their files, which workers compare: see `janshi.agents.versions.digest_of`."""
    rules: Any

    @classmethod
    def of(cls, agents: Sequence[str], rules: Any) -> LineUp:
        """Return the line-up of agents of these names, as they are on this machine.

        Raises `AgentError` where they do not play by the rules, or one is a bot, which plays on one machine alone.
        """
        made = [_agent(name) for name in agents]
        check_seats(made, rules)
        refuse_bots(made)
        return cls(
            tuple(agents), tuple(digest_of(name, each, rules) for name, each in zip(agents, made, strict=True)), rules
        )

    def make(self) -> list[Agent]:
        """Return the agents. Raises `ClusterError` where the files of one are others on this machine."""
        return [_checked(*each, self.rules) for each in zip(self.agents, self.versions, strict=True)]


def refuse_bots(agents: Iterable[Agent]) -> None:
    """Raise `AgentError` where one of the agents is a bot: it may depend on more than its name and its files."""
    for each in agents:
        if isinstance(each, Listener):
            raise AgentError(f"{each.name} is a bot: bots play on this machine alone, not on a cluster")


@dataclass(frozen=True, slots=True)
class MatchPart:
    """Walls ``first`` … ``first + walls`` of a match, in every rotation."""

    line_up: LineUp
    seed: int
    first: int
    walls: int
    recorded: bool = False
    """Whether the records of its games are wanted."""


def play_part(part: MatchPart) -> tuple[Match, list[Any]]:
    """Play a part of a match; return it, and the records of its games. Agents are kept for the next part."""
    records: list[Any] = []
    match = play_match(
        part.line_up.make(),
        part.line_up.rules,
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


@cache
def _checked(name: str, version: str, rules: Any) -> Agent:
    made = _agent(name)
    if digest_of(name, made, rules) != version:
        raise ClusterError(f"worker {gethostname()} has other files of player {name}: copy the command's there")
    return made


def play_parts(
    team: Workers,
    line_up: LineUp,
    walls: int,
    seed: int = 0,
    *,
    progress: Callable[[int], None] | None = None,
    on_game: Callable[[Any], None] | None = None,
) -> Match:
    """Let agents play a match on ``team``: see `janshi.arena.play_match`, whose result it is.

    An interruption ends the match after the parts that are complete so far; it is raised where there is none.

    >>> from janshi.cluster import workers
    >>> from janshi.riichi.rules import preset
    >>> with workers() as team:
    ...     line_up = LineUp.of(["efficient", "random", "random"], preset("tenhou-sanma-hand"))
    ...     match = play_parts(team, line_up, walls=5)
    >>> match.walls, match.hands.change.shape
    (5, (15, 3))
    """
    most = _HANDS if is_single_hand(line_up.rules) else _GAMES
    size = max(1, min(most, ceil(walls / (_PARTS * max(1, team.processes)))))
    parts = (
        MatchPart(line_up, seed, first, min(size, walls - first), on_game is not None)
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
