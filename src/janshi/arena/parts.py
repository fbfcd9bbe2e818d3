"""Matches in parts: runs of walls as jobs, for processes and clusters (`janshi.cluster`).

A part depends only on names of agents, rules, seed and its walls. All parts together equal the match of a single
process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from math import ceil
from socket import gethostname
from typing import Any, Final

from janshi import __version__
from janshi.agents import agent
from janshi.agents.protocol import Agent, AgentError, Listener, check_seats
from janshi.agents.versions import digest_of
from janshi.arena.luck import luck_of
from janshi.arena.matches import Match, MatchConfig, game_source, is_single_hand, names_of, play_match
from janshi.arena.saved import Parts, SavedParts
from janshi.cluster import ClusterError, Workers, in_order
from janshi.worth.scales import PlacementScale

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
    seated: tuple[Agent, ...] | None = None
    """The agents of these names, if this process alone plays, which bots need; None: they are made by name."""

    @classmethod
    def of(cls, agents: Sequence[str], rules: Any, seated: Sequence[Agent] | None = None) -> LineUp:
        """Return the line-up of agents by name, with the digests of this machine's files.

        Raises `AgentError` if they do not support the rules, or, without ``seated``, if one is a bot.
        """
        made = [_agent(name) for name in agents] if seated is None else seated
        check_seats(made, rules)
        if seated is None:
            refuse_bots(made)
        versions = tuple(digest_of(name, each, rules) for name, each in zip(agents, made, strict=True))
        return cls(tuple(agents), versions, rules, None if seated is None else tuple(seated))

    def make(self) -> list[Agent]:
        """Return the agents. Raises `ClusterError` if the files of one differ on this machine."""
        if self.seated is not None:
            return list(self.seated)
        return [_checked(*each, self.rules) for each in zip(self.agents, self.versions, strict=True)]


def refuse_bots(agents: Iterable[Agent]) -> None:
    """Raise `AgentError` if one of the agents is a bot, which may depend on more than its name and files."""
    for each in agents:
        if isinstance(each, Listener):
            raise AgentError(f"{each.name} is a bot: bots play neither on a cluster nor in training")


@dataclass(frozen=True, slots=True)
class MatchPart:
    """A worker's part of a match: walls ``first`` … ``first + walls`` in every rotation."""

    line_up: LineUp
    seed: int = 0
    first: int = 0
    walls: int = 1
    recorded: bool = False
    """True to return the records of its games."""
    luck: PlacementScale | None = None
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
    is_recorded: Callable[[str], bool] | None = None,
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
        is_recorded: tells whether there is a record of a source; saved parts without records are played again.
        progress: called with the number of finished tables.
        on_game: called with the record of each played game.
        on_walls: called with each played part.

    An interruption ends the match with the complete parts so far; it is raised if there is none. The match also ends
    with a part in which a bot is given up; it is void (`Match.void`), and the part is not saved.

    >>> from janshi.cluster import workers
    >>> from janshi.riichi.rules import preset
    >>> with workers() as team:
    ...     line_up = LineUp.of(["efficient", "random", "random"], preset("tenhou-sanma-hand"))
    ...     match = play_parts(team, 5, MatchPart(line_up))
    >>> match.walls, match.hands.change.shape
    (5, (15, 3))
    """
    kept = Parts() if saved is None else saved
    parts = _missing(part, kept, walls, _size(part.line_up, walls, team, saved is not None), is_recorded)
    over = part.line_up.rules.players * (walls - sum(each.walls for each in parts))
    void: list[Match] = []

    def keep(number: int, match: Match, records: list[Any]) -> tuple[int, list[Any]]:
        nonlocal over
        over += len(match.final)
        _store(match, parts[number], kept, void)
        if progress is not None:
            progress(over)
        if on_walls is not None:
            on_walls(match)
        return number, records

    interrupted = False
    try:
        for records in in_order(keep(number, *played) for number, played in team.each(play_part, parts)):
            if on_game is not None:
                for record in records:
                    on_game(record)
            if void:
                break
    except KeyboardInterrupt:
        interrupted = True
    return _joined(part, kept, void, interrupted)


def _size(line_up: LineUp, walls: int, team: Workers, is_saved: bool) -> int:
    """Return the maximum number of walls of a part: with bots as many as keep all their tables busy."""
    tables = [each.most_tables for each in line_up.seated or () if isinstance(each, Listener)]
    if tables:
        return min(tables)
    most = _HANDS if is_single_hand(line_up.rules) else _SAVED_GAMES if is_saved else _GAMES
    return max(1, min(most, ceil(walls / (_PARTS * max(1, team.processes)))))


def _missing(
    part: MatchPart, kept: Parts, walls: int, size: int, is_recorded: Callable[[str], bool] | None
) -> list[MatchPart]:
    """Return the parts to be played, of at most ``size`` walls: those not kept, and those without their records."""
    spans = kept.missing(walls, size)
    if is_recorded is not None:
        spans += [span for span in kept.spans() if not _has_records(part, span, is_recorded)]
    return [replace(part, first=first, walls=count) for first, count in sorted(spans)]


def _store(match: Match, part: MatchPart, kept: Parts, void: list[Match]) -> None:
    """Keep a played part, or add it to the void ones."""
    if match.void:
        void.append(match)
    else:
        kept.write(part.first, part.walls, match.arrays())


def _has_records(part: MatchPart, span: tuple[int, int], is_recorded: Callable[[str], bool]) -> bool:
    """Return whether there are records of all games on a run of walls."""
    rules, (first, count) = part.line_up.rules, span
    games = product(range(first, first + count), range(rules.players))
    return all(is_recorded(game_source(rules, part.seed, wall, rotation)) for wall, rotation in games)


def _joined(part: MatchPart, kept: Parts, void: Sequence[Match], interrupted: bool) -> Match:
    """Return the match of all parts and void ones. Raises `KeyboardInterrupt` if there is none."""
    names, rules = names_of(part.line_up.make()), part.line_up.rules
    matches = [Match.of_arrays(names, rules, part.seed, count, arrays) for count, arrays in kept.read()]
    matches += void
    if not matches:
        raise KeyboardInterrupt
    return Match.joined(sorted(matches, key=lambda match: int(match.game_wall[0])), interrupted=interrupted)
