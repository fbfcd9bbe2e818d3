"""The agent protocol: decisions for many tables at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from janshi.core.game import RuleSet
from janshi.games import GAMES, game_of, relative_of
from janshi.table import DecisionBatch

#: Numbers of players of agents for Riichi with three and four players.
THREE_OR_FOUR: Final = frozenset({3, 4})
#: Numbers of players of agents for any table.
ANY_NUMBER: Final = frozenset({2, 3, 4})
#: Rounding of probabilities that is accepted.
_SLACK: Final = 1e-3


class AgentError(ValueError):
    """Raised for an unknown agent, or one that cannot play a game."""


class Agent(Protocol):
    """Decides for one seat at each of many tables.

    ``name`` is shown in results; ``players`` are the supported numbers of players. An agent keeps no state between
    calls, so that one object may play several seats. An agent for other games than Riichi names them in a further
    attribute ``games`` (a frozenset of names; None: every game). One that takes also the decisions that other agents
    take by rule (`janshi.core.game.Game.by_rule`) has the attribute ``declares = True``.
    """

    name: str
    players: frozenset[int]

    def act(self, batch: DecisionBatch) -> NDArray[np.int16]:
        """Return one legal action for each decision (n): see `janshi.table.DecisionBatch`."""
        ...


@runtime_checkable
class Reviewer(Agent, Protocol):
    """An agent that returns a probability of each action, and can therefore review games."""

    def preferences(self, batch: DecisionBatch) -> NDArray[np.float32]:
        """Return the probability of each action (n, actions; float32): 0 for illegal ones, each row's sum is 1.

        The greatest probability of a row is that of the action of `Agent.act`, for any random word.
        """
        ...


def decide(agent: Agent, batch: DecisionBatch) -> NDArray[np.int16]:
    """Return an agent's action for each decision (n); it is not asked for those that agents take by rule."""
    actions = None if getattr(agent, "declares", False) else batch.game.by_rule(batch.rules, batch.views)
    if actions is None:
        return agent.act(batch)
    asked = np.flatnonzero(actions < 0)
    if len(asked):
        answers = np.asarray(agent.act(batch.part(asked)))
        actions = actions.astype(np.result_type(actions, answers))  # greater numbers are not cut to 16 bits
        actions[asked] = answers
    return actions


def preferences_of(reviewer: Reviewer, batch: DecisionBatch) -> NDArray[np.float32]:
    """Return a reviewer's probabilities (n, actions; float32), checked.

    Raises `AgentError` for another shape or type, numbers that are not finite, negative ones, probabilities of illegal
    actions, and rows whose sum is not 1.
    """
    shares = np.asarray(reviewer.preferences(batch))
    who, wanted = f"player {reviewer.name!r}", batch.legal.shape
    if shares.shape != wanted or shares.dtype.kind != "f":
        raise AgentError(f"{who} gives preferences {shares.dtype} {shares.shape}: {wanted} floats are wanted")
    for wrong, words in (
        (~np.isfinite(shares).all(axis=1), "that are not finite"),
        ((shares < 0).any(axis=1), "below 0"),
        ((shares * ~batch.legal > _SLACK).any(axis=1), "for illegal actions"),
        (np.abs(shares.sum(axis=1) - 1) > _SLACK, "whose sum is not 1"),
    ):
        if wrong.any():
            raise AgentError(f"{who} gives preferences {words} (decision {int(wrong.argmax())} of {len(batch)})")
    return shares.astype(np.float32, copy=False)


def games_of(agent: Agent) -> frozenset[str]:
    """Return the games of an agent; without its attribute ``games`` the first built-in one."""
    games: frozenset[str] | None = getattr(agent, "games", frozenset({GAMES.first}))
    return frozenset(GAMES) if games is None else games


def check_seats(agents: Sequence[Agent], rules: RuleSet) -> None:
    """Raise `AgentError` if these agents cannot play a game by these rules.

    Their number must be that of the rules' players, and each agent must support the game and this number.

    >>> from janshi.agents import RandomAgent
    >>> from janshi.riichi.rules import TENHOU
    >>> check_seats([RandomAgent()] * 3, TENHOU)
    Traceback (most recent call last):
    janshi.agents.protocol.AgentError: rules 'tenhou' seat 4 players, 3 are named: --rules tenhou-sanma seat 3
    """
    if len(agents) != rules.players:
        relative = relative_of(rules, len(agents))
        other = "choose others with --rules" if relative is None else f"--rules {relative.name} seat {len(agents)}"
        raise AgentError(f"rules {rules.name!r} seat {rules.players} players, {len(agents)} are named: {other}")
    for agent in agents:
        check_agent(agent, rules)


def supports(agent: Agent, rules: RuleSet) -> bool:
    """Return whether an agent supports the rules' game and number of players."""
    try:
        check_agent(agent, rules)
    except AgentError:
        return False
    return True


def check_agent(agent: Agent, rules: RuleSet) -> None:
    """Raise `AgentError` if an agent does not support the rules' game or number of players."""
    game, games = game_of(rules).name, getattr(agent, "games", (GAMES.first,))
    if games is not None and game not in games:
        able = " or ".join(sorted(games))
        raise AgentError(
            f"player {agent.name!r} plays {able}, not {game}: choose rules of {able} with --rules, "
            f"or name {game} in the `games` of its class"
        )
    check_players(agent, rules.players)


def check_players(agent: Agent, players: int) -> None:
    """Raise `AgentError` if an agent does not support a number of players, itself included."""
    if players not in agent.players:
        able = " or ".join(_words(number) for number in sorted(agent.players))
        raise AgentError(
            f"player {agent.name!r} is for {able} players and does not play with {_words(players)}: choose rules for "
            f"{able} with --rules"
        )


def _words(number: int) -> str:
    return {2: "two", 3: "three", 4: "four"}.get(number, str(number))


@dataclass(frozen=True, slots=True)
class FaultExample:
    """One fault of an external agent, with what is needed to find it in the game's record."""

    kind: str
    text: str
    """What was wrong, in one line."""
    game: str = ""
    """Name of the game in records: rules, seed, wall and rotation; empty if it has none."""
    hand: str = ""
    """Round wind, number in the round and honba, as ``E1-0``; empty before the first deal."""
    turn: int = 0
    """Number of tiles that the seat has drawn in the hand."""
    seat: int = -1
    event: str = ""
    """The event that it was to answer, in one line."""
    answer: str = ""
    """Its answer, in one line."""
    stderr: str = ""
    """The end of its error output, in one line."""

    def __str__(self) -> str:
        where = [self.game, f"hand {self.hand}" if self.hand else "", f"turn {self.turn}" if self.turn else ""]
        where.append(f"seat {self.seat}")
        parts = {"event": self.event, "answer": self.answer, "stderr": self.stderr}
        shown = [f"\n  {name}: {part}" for name, part in parts.items() if part]
        return f"{self.kind}: {self.text}\n  {', '.join(part for part in where if part)}{''.join(shown)}"


@dataclass(slots=True)
class Faults:
    """Faults of an external agent in a match."""

    counts: dict[str, int] = field(default_factory=dict)
    """Counts by kind."""
    examples: list[FaultExample] = field(default_factory=list)
    """The first fault of each kind."""
    decisions: int = 0
    """Number of its decisions."""
    defaults: int = 0
    """Decisions made for it: a pass, or a discard of the drawn tile."""
    replaced: bool = False
    """True if it was given up; all later decisions were made for it."""
    unasked: int = 0
    """Number of its answers that belonged to no decision; they were dropped."""
    answers: int = 0
    """Number of its answers with a measured time, those that came too late included."""
    seconds: float = 0.0
    """Sum of the times of its answers."""
    longest_seconds: float = 0.0
    """Longest time of an answer in seconds."""

    def __str__(self) -> str:
        counts = ", ".join(f"{count} {kind}" for kind, count in self.counts.items()) or "no faults"
        return f"{counts}; given up" if self.replaced else counts

    @property
    def mean_seconds(self) -> float:
        """Mean time of its answers; 0 without any."""
        return self.seconds / self.answers if self.answers else 0.0

    def since(self, before: Faults) -> Faults:
        """Return the faults after a former state; the longest time may be an earlier one."""
        counts = {kind: count - before.counts.get(kind, 0) for kind, count in self.counts.items()}
        return replace(
            self,
            counts={kind: count for kind, count in counts.items() if count},
            examples=[example for example in self.examples if example not in before.examples],
            **{name: getattr(self, name) - getattr(before, name) for name in _SUMMED},
        )

    @classmethod
    def joined(cls, parts: Sequence[Faults]) -> Faults:
        """Return the faults of several parts of a match together, with the first example of each kind."""
        counts: Counter[str] = Counter()
        examples: dict[str, FaultExample] = {}
        for part in parts:
            counts.update(part.counts)
            for example in part.examples:
                examples.setdefault(example.kind, example)
        return cls(
            counts=dict(sorted(counts.items())),
            examples=list(examples.values()),
            replaced=any(part.replaced for part in parts),
            longest_seconds=max((part.longest_seconds for part in parts), default=0.0),
            **{name: sum(getattr(part, name) for part in parts) for name in _SUMMED},
        )

    def as_json(self) -> dict[str, Any]:
        """Return all fields and the mean time as plain data, for `of_json`."""
        return asdict(self) | {"mean_seconds": self.mean_seconds}

    @classmethod
    def of_json(cls, content: Mapping[str, Any]) -> Faults:
        """Return the faults from the result of `as_json`."""
        values = {each.name: content[each.name] for each in fields(cls)}
        return cls(**values | {"examples": [FaultExample(**example) for example in content["examples"]]})


#: Fields of `Faults` that are sums over a match.
_SUMMED: Final = ("decisions", "defaults", "unasked", "answers", "seconds")


def void_reasons(faults: Mapping[str, Faults]) -> list[str]:
    """Return for each bot that was given up why a result with it is void, one line each.

    >>> void_reasons({"mine": Faults({"silent": 11}, replaced=True, answers=11, seconds=55.0, longest_seconds=5.0)})
    ['mine was given up after 11 silent; its answers took 5.00 s, at most 5.00 s']
    """
    reasons = []
    for name, each in faults.items():
        if each.replaced:
            counts = ", ".join(f"{count} {kind}" for kind, count in each.counts.items())
            times = f"its answers took {each.mean_seconds:.2f} s, at most {each.longest_seconds:.2f} s"
            reasons.append(f"{name} was given up after {counts}" + (f"; {times}" if each.answers else ""))
    return reasons


@runtime_checkable
class Listener(Agent, Protocol):
    """An agent that follows the events of its tables.

    The driver calls `hear` with all events visible to the agent's seats, in order, before it calls `act`, whose batch
    contains the indices of the tables. Indices are reused for later games; every game begins with a ``start_game``.
    """

    @property
    def most_tables(self) -> int:
        """Maximum number of tables at once."""
        ...

    def hear(self, table: int, seat: int, events: Sequence[dict[str, Any]]) -> None:
        """Receive the mjai events of a seat, in the form of `janshi.riichi.records.live.seen_by`."""
        ...

    def faults(self) -> Faults:
        """Return its faults so far."""
        ...


@runtime_checkable
class Reporter(Listener, Protocol):
    """A listener that names games in its reports."""

    def begin(self, table: int, seat: int, game: str) -> None:
        """Receive the name of a game before its first event.

        The name tells the wall: it is for reports and files, never for whoever decides.
        """
        ...
