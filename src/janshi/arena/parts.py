"""Matches in parts: runs of walls as jobs, for processes and clusters (`janshi.cluster`).

A part depends only on names of agents, rules, seed and its walls. All parts together equal the match of a single
process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import ceil
from socket import gethostname
from typing import Any, Final

from janshi import __version__
from janshi.agents import agent
from janshi.agents.protocol import Agent, AgentError, Listener, check_seats
from janshi.agents.versions import digest_of
from janshi.arena.luck import luck_of
from janshi.arena.matches import Match, MatchConfig, is_single_hand, names_of, play_match
from janshi.arena.saved import Parts, SavedParts
from janshi.cluster import ClusterError, Workers, in_order
from janshi.worth.scales import Scale

#: Maximum number of walls of a part: enough for large batches of networks, and few enough that the loss of a worker
#: costs about a minute of whole games.
_GAMES: Final = 128
_HANDS: Final = 512
#: Walls of whole games in a saved part without a cluster: about half a minute.
_SAVED_GAMES: Final = 32
#: Minimum number of parts for each process, so that all end at about the same time.
_PARTS: Final = 3


@dataclass(frozen=True, slots=True)
class LineUp:
    """Agents and rules of a match."""

    agents: tuple[str, ...]
    """Names of the agents."""
    versions: tuple[str, ...]
    """Digests of their files, checked by workers: see `janshi.agents.versions.digest_of`."""
    rules: Any

    @classmethod
    def of(cls, agents: Sequence[str], rules: Any) -> LineUp:
        """Return the line-up of agents by name, with the digests of this machine's files.

        Raises `AgentError` if they do not support the rules, or one is a bot, which plays on one machine only.
        """
        made = [_agent(name) for name in agents]
        check_seats(made, rules)
        refuse_bots(made)
        return cls(
            tuple(agents), tuple(digest_of(name, each, rules) for name, each in zip(agents, made, strict=True)), rules
        )

    def make(self) -> list[Agent]:
        """Return the agents. Raises `ClusterError` if the files of one differ on this machine."""
        return [_checked(*each, self.rules) for each in zip(self.agents, self.versions, strict=True)]


def refuse_bots(agents: Iterable[Agent]) -> None:
    """Raise `AgentError` if one of the agents is a bot, which may depend on more than its name and files."""
    for each in agents:
        if isinstance(each, Listener):
            raise AgentError(f"{each.name} is a bot: bots play neither on a cluster nor with --out")


@dataclass(frozen=True, slots=True)
class MatchPart:
    """A worker's part of a match: walls ``first`` … ``first + walls`` in every rotation."""

    line_up: LineUp
    seed: int = 0
    first: int = 0
    walls: int = 1
    recorded: bool = False
    """True to return the records of its games."""
    luck: Scale | None = None
    """See `janshi.arena.MatchConfig`."""
    threads: int = 1

    def described(self) -> dict[str, Any]:
        """Return the settings that determine the results, as plain data for `janshi.arena.saved.SavedParts`."""
        rules = self.line_up.rules
        return {
            "version": __version__,
            "players": list(self.line_up.agents),
            "files": list(self.line_up.versions),
            "rules": rules.name,
            "seed": self.seed,
            "luck": None if self.luck is None else [self.luck.name, luck_of(rules).model(rules)],
        }


def play_part(part: MatchPart) -> tuple[Match, list[Any]]:
    """Play a part of a match; return it and the records of its games. Agents are kept for the next part."""
    records: list[Any] = []
    match = play_match(
        part.line_up.make(),
        part.line_up.rules,
        part.walls,
        part.seed,
        config=MatchConfig(first=part.first, luck=part.luck, threads=part.threads),
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
    walls: int,
    part: MatchPart,
    *,
    saved: SavedParts | None = None,
    progress: Callable[[int], None] | None = None,
    on_game: Callable[[Any], None] | None = None,
    on_walls: Callable[[Match], None] | None = None,
) -> Match:
    """Play a match on ``team``, with the result of `janshi.arena.play_match`.

    Args:
        team: workers that play the parts.
        walls: hands or games in each rotation.
        part: common settings of the parts; its walls are ignored.
        saved: storage of finished parts, which are not played again.
        progress: called with the number of finished tables.
        on_game: called with the record of each played game.
        on_walls: called with each finished part except those already saved.

    An interruption ends the match with the complete parts so far; it is raised if there is none.

    >>> from janshi.cluster import workers
    >>> from janshi.riichi.rules import preset
    >>> with workers() as team:
    ...     line_up = LineUp.of(["efficient", "random", "random"], preset("tenhou-sanma-hand"))
    ...     match = play_parts(team, 5, MatchPart(line_up))
    >>> match.walls, match.hands.change.shape
    (5, (15, 3))
    """
    most = _HANDS if is_single_hand(part.line_up.rules) else _GAMES if saved is None else _SAVED_GAMES
    size = max(1, min(most, ceil(walls / (_PARTS * max(1, team.processes)))))
    kept = Parts() if saved is None else saved
    parts = [replace(part, first=first, walls=count) for first, count in kept.missing(walls, size)]
    players = part.line_up.rules.players
    over = players * (walls - sum(each.walls for each in parts))

    def keep(number: int, played: tuple[Match, list[Any]]) -> tuple[int, list[Any]]:
        nonlocal over
        match, records = played
        kept.write(parts[number].first, parts[number].walls, match.arrays())
        over += len(match.final)
        if progress is not None:
            progress(over)
        if on_walls is not None:
            on_walls(match)
        return number, records

    interrupted = False
    try:
        for records in in_order(keep(*each) for each in team.each(play_part, parts)):
            if on_game is not None:
                for record in records:
                    on_game(record)
    except KeyboardInterrupt:
        interrupted = True
    return _joined(part, kept, interrupted)


def _joined(part: MatchPart, kept: Parts, interrupted: bool) -> Match:
    """Return the match of all parts. Raises `KeyboardInterrupt` if there is none."""
    names, rules = names_of(part.line_up.make()), part.line_up.rules
    matches = [Match.of_arrays(names, rules, part.seed, count, arrays) for count, arrays in kept.read()]
    if not matches:
        raise KeyboardInterrupt
    return Match.joined(matches, interrupted=interrupted)
