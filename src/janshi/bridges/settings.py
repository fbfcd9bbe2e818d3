"""Options of Gymnasium's and PettingZoo's environments."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from janshi.agents import Agent, AgentError, agent, check_agent
from janshi.bridges.stepping import environment_of
from janshi.core.game import Game
from janshi.encoders import ENCODERS, Encoder, encoder
from janshi.games import game_of, rules_of

#: The learner sits in every seat.
SELF: Final = "self"

#: No observation.
NONE: Final = "none"


@dataclass(frozen=True, slots=True)
class Results:
    """Hands that are over, one row each."""

    rules: Any
    change: NDArray[np.int32]
    """Points won or lost in the hand by seat (n, players), in Riichi with riichi sticks."""
    scores: NDArray[np.int32]
    """Points of every seat after the hand (n, players)."""
    game_over: NDArray[np.bool_]
    """True if the hand ended the game (n)."""
    ended: NDArray[np.int8]
    """The game's code of the ending (n); in Riichi a `janshi.riichi.state.Ending`."""


class Reward(Protocol):
    """A reward function for hands that are over."""

    def __call__(self, results: Results, /) -> NDArray[np.floating[Any]]:
        """Return the rewards of every seat (n, players)."""
        ...


def points_reward(results: Results) -> NDArray[np.float64]:
    """Return the change of points in the hand, in thousands; the sum over all seats is 0."""
    return results.change / 1000


def rank_reward(results: Results) -> NDArray[np.float64]:
    """Return the result of the game (`janshi.core.game.Game.final_points`) at its end, 0 before.

    In Riichi in thousands: points over the target, uma, oka.
    """
    reward = np.zeros(results.scores.shape)
    final_points = game_of(results.rules).final_points
    for row in np.flatnonzero(results.game_over).tolist():
        reward[row] = final_points(results.rules, results.scores[row].tolist())
    return reward


REWARDS: Final[dict[str, Reward]] = {"points": points_reward, "rank": rank_reward}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Options of every environment.

    Raises `ValueError` for unknown or impossible options.
    """

    rules: Any = "tenhou-sanma"
    """A rule set of any game, or the name of a preset."""
    players: int | None = None
    """Required number of players; None accepts any."""
    length: str | None = "hand"
    """``"hand"``, in Riichi also ``"east"`` and ``"south"`` (East and South); None for the length of the rules."""
    seat: int | None = None
    """The learner's seat (0 deals first), or None for a seat drawn for each game by its seed."""
    opponents: str | Agent | Sequence[str | Agent] = "random"
    """Players of the other seats: an agent or its name, or one for each seat in turn order after the learner's;
    ``"self"``: the learner plays every seat."""
    observation: str | None = None
    """Name of an encoder (`janshi.encoders.ENCODERS`), or ``"none"``; None for the game's default."""
    packed: bool = False
    """Return packed observations (masks of the kinds, int64) instead of the inputs of networks."""
    mask_in_observation: bool = False
    """Return observations as dictionaries of ``"observation"`` and ``"action_mask"``."""
    reward: str | Reward = "points"
    """``"points"``: thousands of points won or lost in each hand; ``"rank"``: the game's result in thousands,
    including uma, at its end; or a function of the hands that are over."""
    illegal: str = "passive"
    """Effect of an illegal action: ``"passive"`` passes or discards the drawn tile instead and sets
    ``info["illegal"]``; ``"raise"`` raises `janshi.table.ActionError`."""
    illegal_penalty: float = 0.0
    """Penalty of an illegal action."""
    threads: int = 1
    """Number of threads."""

    def __post_init__(self) -> None:
        """Raise `ValueError` for unknown or impossible options."""
        if self.observation is None:
            object.__setattr__(self, "observation", environment_of(self.game).observation)
        check_choice("observation", self.observation, (NONE, *ENCODERS))
        check_choice("illegal", self.illegal, ("passive", "raise"))
        if isinstance(self.reward, str):
            check_choice("reward", self.reward, REWARDS, " or a function")
        if self.length is not None:
            check_choice("length", self.length, environment_of(self.game).lengths)
        players = self.played.players
        if self.seat is not None and not 0 <= self.seat < players:
            raise ValueError(f"seat {self.seat}: {players} players have seats 0 to {players - 1}; None is any")
        if self.players not in (None, players):
            name = self.played.name
            raise ValueError(f"rules {name!r} are for {players} players, not {self.players}")
        if self.threads < 1:
            raise ValueError(f"{self.threads} threads: must be at least 1")
        if self.encoder is not None:
            self.encoder.check(self.played)

    @property
    def game(self) -> Game:
        """The game of the rules."""
        return game_of(rules_of(self.rules))

    @property
    def played(self) -> Any:
        """The rules at the given length."""
        rules = rules_of(self.rules)
        return rules if self.length is None else environment_of(game_of(rules)).lengths[self.length](rules)

    @property
    def encoder(self) -> Encoder | None:
        """The encoder of observations, None for none."""
        return None if self.observation in (None, NONE) else encoder(self.observation)

    def others(self) -> list[Agent]:
        """Return the other seats' agents in turn order after the learner's; none if the learner plays every seat.

        Raises `AgentError` for a wrong number of agents, or an agent that does not support the rules.
        """
        if isinstance(self.opponents, str) and self.opponents == SELF:
            return []
        rules = self.played
        seats = rules.players - 1
        if isinstance(self.opponents, str) or not isinstance(self.opponents, Sequence):
            chosen: Sequence[str | Agent] = [self.opponents] * seats
        else:
            chosen = self.opponents
        if len(chosen) != seats:
            raise AgentError(f"{len(chosen)} opponents for {seats} other seats")
        named = {name: agent(name) for name in chosen if isinstance(name, str)}
        agents = [named[choice] if isinstance(choice, str) else choice for choice in chosen]
        for opponent in agents:
            check_agent(opponent, rules)
        return agents


def settings_of(options: dict[str, Any]) -> Settings:
    """Return the settings of options by name. Raises `ValueError` for an unknown option."""
    names = [option.name for option in dataclasses.fields(Settings)]
    for name in options:
        check_choice("option", name, names)
    return Settings(**options)


def check_choice(what: str, choice: object, choices: Collection[object], more: str = "") -> None:
    """Raise `ValueError` for an unknown choice."""
    if choice not in choices:
        raise ValueError(f"{what}={choice!r}: there are {', '.join(map(str, choices))}{more}")
