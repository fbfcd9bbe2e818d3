"""Matches of agents at many tables, on shared walls, in every seat.

A *wall* is a seed of a hand (single-hand rules) or a whole game. It is played once in each rotation of the agents round
the table. Every agent therefore has the same tiles in every seat, and much of the luck cancels out of comparisons.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import Agent, AgentError, Faults, Listener, check_seats, void_reasons
from janshi.arena.luck import luck_of
from janshi.arena.observers import Announcer, GamesRecorder, Hands, HandsRecorder, Progress, WallsWatcher
from janshi.arena.walls import WallResults
from janshi.core.game import RuleSet
from janshi.core.places import ranks
from janshi.games import game_of
from janshi.rollout.driver import Driver, Observer, Seating
from janshi.table import Tables
from janshi.worth.scales import PlacementScale

#: Number of parallel tables; the results do not depend on it.
TABLES: Final = 1536
#: Name of the array with the faults of bots.
_FAULTS: Final = "faults"


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchConfig:
    """Settings of a match except its walls and their seed. Raises `ValueError` for invalid numbers."""

    first: int = 0
    """Index of the first wall, for a match in parts."""
    rotations: int | None = None
    """Rotations of each wall; None: as many as players. With equal agents fewer are enough: one if all are equal."""
    tables: int = TABLES
    """Number of parallel tables; the result does not depend on it."""
    threads: int = 1
    """Number of threads; the result does not depend on it."""
    luck: PlacementScale | None = None
    """Points of the places, the unit of every seat's estimated luck; None: no estimate."""
    walls_seconds: float = 0.0
    """Minimum seconds between two calls of ``on_walls``; 0: after every step in which a wall ends."""

    def __post_init__(self) -> None:
        """Raise `ValueError` for invalid numbers."""
        for name, least in (("first", 0), ("tables", 1), ("threads", 1)):
            if getattr(self, name) < least:
                raise ValueError(f"{name}={getattr(self, name)}: at least {least}")
        if self.rotations is not None and self.rotations < 1:
            raise ValueError(f"rotations={self.rotations}: at least 1")


@dataclass(slots=True)
class Match:
    """The results of a match: hands and games."""

    names: tuple[str, ...]
    rules: Any
    seed: int
    hands: Hands
    game_wall: NDArray[np.int64]
    """Wall of each game (games)."""
    game_rotation: NDArray[np.int8]
    """Rotation of each game, as `Hands.rotation` (games)."""
    final: NDArray[np.int32]
    """Points at the end of each game (games, players) by seat."""
    walls: int = 0
    """Number of walls whose every rotation is over."""
    interrupted: bool = False
    faults: dict[str, Faults] = field(default_factory=dict)
    """Faults of external agents, by name."""
    luck: NDArray[np.float64] | None = None
    """Estimated luck in each game (games, players) by seat, in points of `MatchConfig.luck`; None: not estimated."""
    luck_model: str | None = None
    """Name of the model that estimated the luck."""

    @staticmethod
    def joined(parts: Sequence[Match], *, interrupted: bool = False) -> Match:
        """Return the joined match of one or more parts, which are in the order of their walls."""
        lucks = [part.luck for part in parts if part.luck is not None]
        names = dict.fromkeys(name for part in parts for name in part.faults)
        faults = {name: Faults.joined([part.faults[name] for part in parts if name in part.faults]) for name in names}
        return dataclasses.replace(
            parts[0],
            faults=faults,
            hands=Hands.joined([part.hands for part in parts]),
            game_wall=np.concatenate([part.game_wall for part in parts]),
            game_rotation=np.concatenate([part.game_rotation for part in parts]),
            final=np.concatenate([part.final for part in parts]),
            luck=np.concatenate(lucks) if lucks else None,
            walls=sum(part.walls for part in parts),
            interrupted=interrupted,
        )

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return hands, games and luck as arrays by name, for `of_arrays`."""
        games: dict[str, NDArray[Any]] = {"game wall": self.game_wall, "game rotation": self.game_rotation}
        games |= {"final": self.final} | self.hands.arrays()
        games |= arrays_of_faults(self.faults)
        return games if self.luck is None else games | {"luck": self.luck}

    @classmethod
    def of_arrays(
        cls, names: tuple[str, ...], rules: Any, seed: int, walls: int, arrays: Mapping[str, NDArray[Any]]
    ) -> Match:
        """Return the match on ``walls`` walls from the result of `arrays`."""
        return cls(
            names=names,
            rules=rules,
            seed=seed,
            hands=Hands.of_arrays(arrays),
            game_wall=arrays["game wall"],
            game_rotation=arrays["game rotation"],
            final=arrays["final"],
            luck=arrays.get("luck"),
            luck_model=luck_of(rules).model(rules) if "luck" in arrays else None,
            walls=walls,
            faults=faults_of_arrays(arrays),
        )

    @property
    def void(self) -> list[str]:
        """Reasons for which the match is void: see `janshi.agents.protocol.void_reasons`."""
        return void_reasons(self.faults)

    @property
    def results(self) -> WallResults:
        """Return the results of the games for every player, one row a game."""
        return WallResults.of_seats(self.names, self.game_wall, self.game_rotation, self.final, self.luck)


def arrays_of_faults(faults: Mapping[str, Faults]) -> dict[str, NDArray[Any]]:
    """Return the faults of bots by name as arrays, for `faults_of_arrays`; none without bots."""
    content = {name: each.as_json() for name, each in faults.items()}
    return {_FAULTS: np.array(json.dumps(content))} if content else {}


def faults_of_arrays(arrays: Mapping[str, NDArray[Any]]) -> dict[str, Faults]:
    """Return the faults of bots by name; none if the arrays contain no faults."""
    content = json.loads(str(arrays[_FAULTS])) if _FAULTS in arrays else {}
    return {name: Faults.of_json(each) for name, each in content.items()}


def game_source(rules: Any, seed: int, wall: int, rotation: int) -> str:
    """Return the name of a game of a match, that of its record."""
    return f"{rules.name}-{seed}-{wall}-{rotation}"


def play_match(
    agents: Sequence[Agent],
    rules: Any,
    walls: int,
    seed: int = 0,
    *,
    config: MatchConfig | None = None,
    progress: Callable[[int], None] | None = None,
    on_game: Callable[[Any], None] | None = None,
    on_walls: Callable[[Match], None] | None = None,
) -> Match:
    """Let agents play ``walls`` hands or games in every rotation.

    The result depends only on agents, rules, walls and seed. An interruption (Ctrl-C) ends the match with the complete
    walls so far. A `janshi.agents.protocol.Listener` limits the number of parallel tables.

    Args:
        agents: one for each seat; agent i has seat i in rotation 0.
        rules: a rule set of any game.
        walls: hands (single-hand rules) or games in each rotation.
        seed: seed of the walls.
        config: settings; default: every wall from the first in every rotation.
        progress: called with the number of finished tables.
        on_game: called with the record of each game, if the game supports records.
        on_walls: called with the match on finished walls that were not in an earlier call.

    Raises `AgentError` for a wrong number of agents or one that does not support the rules, and
    `janshi.arena.luck.LuckError` if luck is requested and the rules have no model of it.

    >>> from janshi.riichi.agents import EfficientAgent
    >>> from janshi.agents import RandomAgent
    >>> from janshi.riichi.rules import preset
    >>> match = play_match([EfficientAgent(), *[RandomAgent()] * 2], preset("tenhou-sanma-hand"), walls=2)
    >>> match.hands.change.shape
    (6, 3)
    """
    check_match(agents, rules, walls)
    plan = MatchConfig() if config is None else config
    turns = rules.players if plan.rotations is None else plan.rotations
    numbers = np.repeat(np.arange(plan.first, plan.first + walls), turns)
    rotations = np.tile(np.arange(turns, dtype=np.int8), walls)
    most = _side_by_side(agents, plan.tables, turns)
    parts: list[_Part] = []
    over, interrupted = 0, False
    match_on = partial(_match, parts, agents, rules, seed, _faults(agents))
    watcher = on_walls and WallsWatcher(turns, lambda done: on_walls(match_on(done)), plan.walls_seconds)
    for start in range(0, len(numbers), most):
        part = _Part(agents, rules, seed, numbers[start:][:most], rotations[start:][:most], plan)
        parts.append(part)
        watching: list[Observer] = [] if progress is None else [Progress(part.tables, progress, over)]
        watching += [] if watcher is None else [watcher.at(part.tables, part.walls)]
        try:
            part.play(watching, on_game)
        except KeyboardInterrupt:
            interrupted = True
            break
        over += len(part.tables)
    if watcher is not None:
        watcher.report()
    return match_on(numbers[:over:turns], interrupted=interrupted)


def check_match(agents: Sequence[Agent], rules: RuleSet, walls: int) -> None:
    """Raise `AgentError` if no match with these agents, rules and number of walls is possible."""
    check_seats(agents, rules)
    if walls < 1:
        raise AgentError(f"{walls} hands or games: it takes one at least")


def single_hand(rules: Any) -> Any:
    """Return the rules reduced to one hand instead of a game.

    >>> from janshi.riichi.rules import preset
    >>> single_hand(preset("tenhou-sanma")).name
    'tenhou-sanma-hand'
    """
    return game_of(rules).single_hand(rules)


def is_single_hand(rules: Any) -> bool:
    """Return whether rules are those of a single hand.

    >>> from janshi.riichi.rules import preset
    >>> is_single_hand(preset("tenhou-sanma-hand")), is_single_hand(preset("tenhou-sanma"))
    (True, False)
    """
    same: bool = dataclasses.replace(single_hand(rules), name=rules.name) == rules
    return same


def places(hands: Hands) -> NDArray[np.int8]:
    """Return the place of every seat in each hand (n, players): 1, 2, 3 … by the change of points, 0 for a draw.

    Equal changes share the better place. (Papers of `meowjong`: first, second, third, or draw.)
    """
    return np.where(hands.drawn[:, None], np.int8(0), ranks(hands.change))


def names_of(agents: Sequence[Agent]) -> tuple[str, ...]:
    """Return the agents' names, with numbers for equal ones."""
    plain = [agent.name for agent in agents]
    return tuple(
        name if plain.count(name) == 1 else f"{name} {plain[:number].count(name) + 1}"
        for number, name in enumerate(plain)
    )


def _side_by_side(agents: Sequence[Agent], tables: int, turns: int) -> int:
    """Return the number of parallel tables: whole walls, and at most as many as every listener can play at."""
    most = max(1, tables // turns) * turns
    for agent in agents:
        if isinstance(agent, Listener):
            most = max(1, min(most, agent.most_tables))
    return most


class _Part:
    """Parallel tables of a match, each with a wall and a rotation."""

    def __init__(
        self,
        agents: Sequence[Agent],
        rules: Any,
        seed: int,
        walls: NDArray[np.int64],
        rotations: NDArray[np.int8],
        plan: MatchConfig,
    ) -> None:
        self.agents = agents
        self.seed = seed
        self.walls = walls
        self.rotations = rotations
        self.tables = Tables(rules, len(walls), wall_seeds(seed, walls), auto_reset=False, threads=plan.threads)
        self.results = HandsRecorder(self.tables, walls, rotations)
        self.meter = None
        if plan.luck is not None:
            self.meter = luck_of(rules).meter(self.tables, plan.luck.points(rules.players))

    def play(self, watching: Sequence[Observer], on_game: Callable[[Any], None] | None) -> None:
        """Play all games to the end; ``watching``: observers called after the results' own."""
        names = names_of(self.agents)
        sources = [
            game_source(self.tables.rules, self.seed, wall, rotation)
            for wall, rotation in zip(self.walls.tolist(), self.rotations.tolist(), strict=True)
        ]
        observers: list[Observer] = [self.results]
        if self.meter is not None:
            observers.append(cast("Observer", self.meter))
        if any(isinstance(agent, Listener) for agent in self.agents):
            observers.append(Announcer(self.tables, self.agents, names, self.rotations, sources))
        if on_game is not None:
            observers.append(GamesRecorder(self.tables, names, self.rotations, sources, on_game))
        observers += watching
        Driver(self.tables, Seating.rotated(self.agents, self.rotations), observers).run()


def _faults(agents: Sequence[Agent]) -> dict[int, Faults]:
    """Return the faults of the bots so far, by the identity of the agent."""
    return {id(agent): agent.faults() for agent in agents if isinstance(agent, Listener)}


def _match(
    parts: Sequence[_Part],
    agents: Sequence[Agent],
    rules: Any,
    seed: int,
    before: Mapping[int, Faults],
    walls: NDArray[np.int64],
    *,
    interrupted: bool = False,
) -> Match:
    """Return the match on some walls whose every rotation is over; ``before``: faults of the bots at its beginning."""
    names = names_of(agents)
    hands = Hands.joined([part.results.hands() for part in parts])
    order = np.lexsort((hands.number, hands.rotation, hands.wall))
    game_wall = np.concatenate([part.walls for part in parts])
    counts = np.isin(game_wall, walls)
    lucks = [part.meter.luck for part in parts if part.meter is not None]
    return Match(
        names=names,
        rules=rules,
        seed=seed,
        hands=hands.part(order[np.isin(hands.wall[order], walls)]),
        game_wall=game_wall[counts],
        game_rotation=np.concatenate([part.rotations for part in parts])[counts],
        final=np.concatenate([part.tables.scores for part in parts])[counts],
        walls=len(walls),
        interrupted=interrupted,
        faults={
            name: agent.faults().since(before[id(agent)])
            for name, agent in zip(names, agents, strict=True)
            if isinstance(agent, Listener)
        },
        luck=np.concatenate(lucks)[counts] if lucks else None,
        luck_model=luck_of(rules).model(rules) if lucks else None,
    )


def wall_seeds(seed: int, walls: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the seeds of the walls of a match, far apart for different matches."""
    return walls + np.int64((seed & 0x7FFFFFFF) << 32)
