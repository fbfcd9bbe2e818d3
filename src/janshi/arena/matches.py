"""Matches: agents at many tables, on shared walls, in every seat.

One *wall* is one seed: a hand (single-hand rules) or a whole game. It is played once in each rotation of the agents
round the table, so that every agent meets the same tiles in every seat, and luck cancels out of the comparison.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import Agent, AgentError, Faults, Listener, check_seats
from janshi.engine.play import write_keys
from janshi.engine.state import DECLARES_RIICHI, GAME_OVER, HAND_OVER, RON, TSUMO
from janshi.records.live import Story, seen_by
from janshi.records.model import Game, Hand
from janshi.records.recording import record_hand
from janshi.rules import Length, Rules, final_points
from janshi.table import Tables

#: Tables that play side by side; the results do not depend on it.
TABLES = 1536


@dataclass(slots=True)
class Hands:
    """Every hand of a match, one row each; arrays by seat have shape (n, players)."""

    wall: NDArray[np.int64]
    rotation: NDArray[np.int8]
    """At seat s sat agent (s − rotation) mod players."""
    number: NDArray[np.int16]
    """Of the hand in its game, from 0."""
    dealer: NDArray[np.int8]
    ended: NDArray[np.int8]
    """`janshi.engine.state.TSUMO`, ``RON`` or the number of the draw."""
    change: NDArray[np.int32]
    """Change of the points from the deal to the end of the hand, riichi sticks included."""
    won: NDArray[np.bool_]
    dealt_in: NDArray[np.bool_]
    riichi: NDArray[np.bool_]
    called: NDArray[np.bool_]
    value: NDArray[np.int32]
    """What the winner's hand was worth, without honba and deposits."""


@dataclass(slots=True)
class Match:
    """What was played: hands, and how the games ended."""

    names: tuple[str, ...]
    rules: Rules
    seed: int
    hands: Hands
    game_wall: NDArray[np.int64]
    game_rotation: NDArray[np.int8]
    final: NDArray[np.int32]
    """Points at the end of each game (games, players) by seat."""
    walls: int = 0
    """Walls whose every rotation is over."""
    interrupted: bool = False
    faults: dict[str, Faults] = field(default_factory=dict)
    """What agents that are not ours did wrong, by name."""


def play_match(
    agents: Sequence[Agent],
    rules: Rules,
    walls: int,
    seed: int = 0,
    *,
    first: int = 0,
    rotations: int | None = None,
    tables: int = TABLES,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
    on_game: Callable[[Game], None] | None = None,
) -> Match:
    """Let agents play ``walls`` hands or games in every rotation.

    The walls are those from number ``first`` on, so that a match can be played in parts. Fewer ``rotations`` are enough
    where agents are the same: one if all are. ``progress`` is called with the number of tables that are over;
    ``on_game`` with the record of each game. An interruption (Ctrl-C) ends the match after the walls that are whole so
    far. The result depends on agents, rules, walls and seed alone. Agents that listen
    (`janshi.agents.protocol.Listener`) say how many tables play side by side. Raises `AgentError` where the agents are
    too few or too many, or one was trained for another number of players.

    >>> from janshi.agents import agent
    >>> from janshi.rules import preset
    >>> match = play_match([agent("efficient"), *[agent("random")] * 2], preset("tenhou-sanma-hand"), walls=2)
    >>> match.hands.change.shape
    (6, 3)
    """
    check_match(agents, rules, walls)
    turns = rules.players if rotations is None else rotations
    listeners = [one for one in agents if isinstance(one, Listener)]
    most = max(1, tables // turns) * turns
    for one in listeners:
        most = max(1, min(most, one.tables))
    numbers = np.repeat(np.arange(first, first + walls), turns)
    turned = np.tile(np.arange(turns, dtype=np.int8), walls)
    played: list[_Chunk] = []
    done = 0
    interrupted = False
    for start in range(0, len(numbers), most):
        some = slice(start, start + most)
        part = _Chunk(agents, rules, seed, numbers[some], turned[some], threads, on_game)
        try:
            part.play(None if progress is None else _from(progress, done))
        except KeyboardInterrupt:
            interrupted = True
            break
        played.append(part)
        done += len(part.walls)
    whole = done // turns
    names = _names(agents)
    game_wall = np.concatenate([part.walls for part in played] or [np.zeros(0, np.int64)])
    counts = game_wall < first + whole
    rotation = np.concatenate([part.rotations for part in played] or [np.zeros(0, np.int8)])
    final = np.concatenate([part.tables.scores for part in played] or [np.zeros((0, rules.players), np.int32)])
    return Match(
        names,
        rules,
        seed,
        _hands([row for part in played for row in part.rows], rules.players, first + whole),
        game_wall[counts],
        rotation[counts],
        final[counts],
        whole,
        interrupted,
        {name: one.faults() for name, one in zip(names, agents, strict=True) if isinstance(one, Listener)},
    )


def check_match(agents: Sequence[Agent], rules: Rules, walls: int) -> None:
    """Raise `AgentError` where agents, rules and the number of walls make no match."""
    check_seats(agents, rules)
    if walls < 1:
        raise AgentError(f"{walls} hands or games: it takes one at least")


def single_hand(rules: Rules) -> Rules:
    """Return the same rules for one hand instead of a game.

    >>> from janshi.rules import preset
    >>> single_hand(preset("tenhou-sanma")).name
    'tenhou-sanma-hand'
    """
    name = rules.name if rules.name.endswith("-hand") else f"{rules.name}-hand"
    return replace(rules, name=name, length=Length.SINGLE_HAND)


def _from(progress: Callable[[int], None], before: int) -> Callable[[int], None]:
    return lambda over: progress(before + over)


def _names(agents: Sequence[Agent]) -> tuple[str, ...]:
    """The agents' names, those of equal name numbered."""
    plain = [one.name for one in agents]
    return tuple(
        name if plain.count(name) == 1 else f"{name} {plain[:place].count(name) + 1}"
        for place, name in enumerate(plain)
    )


def _hands(rows: list[Hands], players: int, below: int) -> Hands:
    """Hands of the walls below a number, in order."""
    columns = {}
    for column in fields(Hands):
        parts = [getattr(row, column.name) for row in rows]
        wide = column.name in ("change", "won", "dealt_in", "riichi", "called", "value")
        empty: NDArray[Any] = np.zeros((0, players) if wide else 0, np.int64)
        columns[column.name] = np.concatenate(parts) if parts else empty
    hands = Hands(**columns)
    order = np.lexsort((hands.number, hands.rotation, hands.wall))
    order = order[hands.wall[order] < below]
    for name, values in columns.items():
        setattr(hands, name, values[order])
    return hands


class _Chunk:
    """Some tables, each with a wall and a rotation, played side by side."""

    def __init__(
        self,
        agents: Sequence[Agent],
        rules: Rules,
        seed: int,
        walls: NDArray[np.int64],
        rotations: NDArray[np.int8],
        threads: int,
        on_game: Callable[[Game], None] | None,
    ) -> None:
        players = rules.players
        self.agents = agents
        self.rules = rules
        self.seed = seed
        self.on_game = on_game
        self.walls = walls
        self.rotations = rotations
        self.tables = Tables(rules, len(self.walls), _seeds(seed, self.walls), auto_reset=False, threads=threads)
        self.states = cast("NDArray[Any]", self.tables.states)
        self.rows: list[Hands] = []
        count = len(self.walls)
        self.number = np.zeros(count, np.int16)
        self.start = np.full((count, players), rules.start, np.int32)
        self.deposits = np.zeros(count, np.int32)
        self.games: list[list[Hand]] = [[] for _ in range(count)]
        # Equal agents decide together; who sits where does not change during a game.
        self.distinct = list(dict.fromkeys(map(id, agents)))
        self.which = np.array([self.distinct.index(id(one)) for one in agents])
        self.listeners = [(player, one) for player, one in enumerate(agents) if isinstance(one, Listener)]
        self.by_hearing = {id(one): one for _, one in self.listeners}
        self.stories = [self._story(place) for place in range(count)] if self.listeners else []

    def play(self, progress: Callable[[int], None] | None) -> None:
        players = self.rules.players
        every = np.arange(len(self.walls))
        chosen = np.zeros(len(self.walls), np.int16)
        self._tell(every)
        self._hands_over(every[self.states["phase"] >= HAND_OVER])
        while True:
            actor = self.states["actor"]
            waiting = every[actor >= 0]
            if progress is not None:
                progress(int((self.states["phase"] == GAME_OVER).sum()))
            if not len(waiting):
                return
            seated = self.which[(actor[waiting] - self.rotations[waiting]) % players]
            for number, one in enumerate(self.distinct):
                mine = waiting[seated == number]
                if len(mine):
                    chosen[mine] = self._decide(next(a for a in self.agents if id(a) == one), mine)
            self.tables.step(chosen)
            self._tell(waiting)
            self._hands_over(waiting[self.states["phase"][waiting] >= HAND_OVER])

    def _decide(self, agent: Agent, which: NDArray[np.int64]) -> NDArray[np.int16]:
        views = self.tables.views(which)
        keys = np.zeros(len(which), np.int64)
        write_keys(self.tables.states, which, keys)
        listener = self.by_hearing.get(id(agent))
        if listener is not None:
            return listener.act_at(which, views, self.tables.legal(which), keys)
        return agent.act(views, self.tables.legal(which), keys)

    def _story(self, place: int) -> Story:
        return Story(self.states[place], self.rules, self._seated(int(self.rotations[place])))

    def _seated(self, rotation: int) -> list[str]:
        """Names by seat."""
        names, players = _names(self.agents), self.rules.players
        return [names[(seat - rotation) % players] for seat in range(players)]

    def _tell(self, which: NDArray[np.int64]) -> None:
        """Tell those who listen what has happened at some tables."""
        if not self.listeners:
            return
        for place in which.tolist():
            events = self.stories[place].update()
            for player, one in self.listeners:
                seat = (player + int(self.rotations[place])) % self.rules.players
                one.hear(place, seat, [seen_by(event, seat) for event in events])

    def _hands_over(self, which: NDArray[np.int64]) -> None:
        """Note the hands that are over and begin the next ones."""
        if not len(which):
            return
        players = self.rules.players
        states = self.states[which]
        seats = states["seats"][:, :players]
        points = seats["points"]
        marks = seats["marks"] & DECLARES_RIICHI
        won = np.zeros((len(which), players), np.bool_)
        value = np.zeros((len(which), players), np.int32)
        dealt_in = np.zeros((len(which), players), np.bool_)
        for number in range(3):
            some = np.flatnonzero(states["winners"] > number)
            wins = states["wins"][some, number]
            won[some, wins["seat"]] = True
            value[some, wins["seat"]] = wins["points"]
            dealt_in[some, wins["feeder"]] = True
        dealt_in &= (states["ended"] == RON)[:, None]
        self.rows.append(
            Hands(
                self.walls[which],
                self.rotations[which],
                self.number[which],
                states["dealer"].copy(),
                states["ended"].copy(),
                points - self.start[which],
                won,
                dealt_in,
                (marks != 0).any(axis=2),
                seats["opened"] > 0,
                value,
            )
        )
        if self.on_game is not None:
            for place in which.tolist():
                self._record(place)
        self.number[which] += 1
        self.start[which] = points
        self.deposits[which] = states["deposits"]
        self.tables.next_hand(which[states["phase"] == HAND_OVER])
        self._tell(which[states["phase"] == HAND_OVER])

    def _record(self, place: int) -> None:
        state = self.states[place]
        scores = self.start[place].tolist()
        self.games[place].append(record_hand(state, self.rules, scores, int(self.deposits[place])))
        if int(state["phase"]) == GAME_OVER and self.on_game is not None:
            rotation = int(self.rotations[place])
            last = state["seats"]["points"][: self.rules.players].tolist()
            self.on_game(
                Game(
                    source=f"{self.rules.name}-{self.seed}-{int(self.walls[place])}-{rotation}",
                    format="janshi",
                    players=self.rules.players,
                    rules=self.rules,
                    names=self._seated(rotation),
                    hands=self.games[place],
                    lobby="arena",
                    final_scores=last,
                    final_points=final_points(self.rules, last),
                )
            )
            self.games[place] = []


def _seeds(seed: int, walls: NDArray[np.int64]) -> NDArray[np.int64]:
    """Seeds of the walls of a match: far apart for different matches."""
    return walls + np.int64((seed & 0x7FFFFFFF) << 32)


def places(hands: Hands) -> NDArray[np.int8]:
    """Place of every seat in each hand (n, players): 1, 2, 3 … by the change of points, 0 for a hand without a winner.

    Equal changes share the better place. (Papers of `meowjong`: first, second, third, or draw.)
    """
    better = (hands.change[:, None, :] > hands.change[:, :, None]).sum(axis=2) + 1
    drawn = ~np.isin(hands.ended, (TSUMO, RON))
    return np.where(drawn[:, None], 0, better).astype(np.int8)
