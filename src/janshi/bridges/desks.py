"""Learners at tables, as other people's interfaces want them: what is common to Gymnasium's and PettingZoo's.

A *learner* sits in one seat of each table, or in every seat; the other seats are agents'. A step is one decision of
the learner; hands follow each other by themselves until the game is over. Rewards are given for hands that are over,
so one step may bring several hands' reward where the learner had nothing to decide in a hand.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from janshi.agents import Agent, agent
from janshi.agents.protocol import AgentError, check_players
from janshi.agents.random import RandomAgent
from janshi.bridges.stepping import (
    ANY_SEAT,
    EVERY_SEAT,
    GO_ON,
    LEARNER,
    NEXT_GAME,
    NEXT_HAND,
    NO_ACTION,
    OTHER,
    Desk,
    advance,
    begin_at_desks,
)
from janshi.compiling import Batch, zeros
from janshi.engine.actions import ACTIONS
from janshi.engine.play import write_keys, write_views
from janshi.engine.shanten import Ukeire
from janshi.engine.state import GAME_OVER, View
from janshi.observe import COLUMNS, WIDE
from janshi.observe.janshi import encode_wide
from janshi.observe.meowjong import encode_views, expand_masks
from janshi.rules import Length, Rules
from janshi.table import SHARED, ActionError, Tables, action_text, bytes_of, rules_of, views_of

#: Names of the lengths of a game.
LENGTHS: Final = {"hand": Length.SINGLE_HAND, "east": Length.EAST, "south": Length.EAST_SOUTH}

#: The learner sits in every seat.
SELF: Final = "self"

#: Observations: columns, and whether each is expanded to its 34 kinds.
OBSERVATIONS: Final = {
    "none": (0, False),
    "masks": (COLUMNS, False),
    "dense": (COLUMNS, True),
    "wide-masks": (WIDE, False),
    "wide": (WIDE, True),
}

#: Largest value of a column that is kept as a mask of kinds.
MASK_MOST: Final = (1 << 34) - 1


@dataclass(frozen=True, slots=True)
class Results:
    """Hands that are over, one row each."""

    rules: Rules
    change: NDArray[np.int32]
    """What every seat has won or lost in the hand (n, players), riichi sticks included."""
    scores: NDArray[np.int32]
    """Points of every seat after it (n, players)."""
    game_over: NDArray[np.bool_]
    """Whether the game is over with it (n)."""
    ended: NDArray[np.int8]
    """`janshi.engine.state.TSUMO`, ``RON`` or the number of the draw (n)."""


class Reward(Protocol):
    """Says what every seat gets for hands that are over."""

    def __call__(self, results: Results, /) -> NDArray[np.floating[Any]]:
        """Return the rewards of every seat (n, players)."""
        ...


def points_reward(results: Results) -> NDArray[np.float64]:
    """What the hand has changed, in thousands of points; a game's sum over all seats is 0."""
    return results.change / 1000


def rank_reward(results: Results) -> NDArray[np.float64]:
    """The result of the game in thousands (points over the target, uma, oka) at its end, 0 before.

    The same as `janshi.rules.final_points`.
    """
    rules, scores = results.rules, results.scores
    order = np.argsort(-scores, axis=1, kind="stable")
    bonus = np.array(rules.uma, np.float64)
    bonus[0] += rules.oka
    result = np.zeros(scores.shape)
    np.put_along_axis(result, order, np.broadcast_to(bonus, scores.shape), axis=1)
    return np.where(results.game_over[:, None], (scores - rules.target + result) / 1000, 0.0)


REWARDS: Final[dict[str, Reward]] = {"points": points_reward, "rank": rank_reward}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What is played and how it is shown; the options of every environment.

    Raises `ValueError` in words for what there is not.
    """

    rules: Rules | str = "tenhou-sanma"
    """A rule set or the name of a preset."""
    players: int | None = None
    """Rules for another number of players are refused; None: for any."""
    length: str | None = "hand"
    """``"hand"``, ``"east"``, ``"south"`` (East and South), or None for what the rules say."""
    seat: int | None = None
    """The learner's seat (0 deals first), or None for another one in each game, as the game's seed says."""
    opponents: str | Agent | Sequence[str | Agent] = "random"
    """Who plays the other seats: an agent or its name, or one for each seat in the order of play after the learner's;
    ``"self"``: the learner plays every seat."""
    observation: str = "wide"
    """``"none"``; the `meowjong` papers' as ``"masks"`` (366, int64) or ``"dense"`` (366, 34; uint8); with our columns
    as ``"wide-masks"`` (401) or ``"wide"`` (401, 34)."""
    mask_in_observation: bool = False
    """Whether an observation is a dictionary of ``"observation"`` and ``"action_mask"``."""
    reward: str | Reward = "points"
    """``"points"``: thousands of points won or lost in each hand; ``"rank"``: the game's result in thousands, uma
    included, at its end; or a function of the hands that are over."""
    illegal: str = "passive"
    """What becomes of an action that is not legal: ``"passive"``: the seat passes or discards the tile just drawn
    instead, and ``info["illegal"]`` says so; ``"raise"``: `janshi.table.ActionError`."""
    illegal_penalty: float = 0.0
    """What an action that is not legal takes from the reward."""
    threads: int = 1
    """Threads that the tables are split among."""

    def __post_init__(self) -> None:
        """Refuse what there is not."""
        _one_of("observation", self.observation, OBSERVATIONS)
        _one_of("illegal", self.illegal, ("passive", "raise"))
        if isinstance(self.reward, str):
            _one_of("reward", self.reward, REWARDS, " or a function")
        if self.length is not None:
            _one_of("length", self.length, LENGTHS)
        players = self.played.players
        if self.seat is not None and not 0 <= self.seat < players:
            raise ValueError(f"seat {self.seat}: {players} players sit at 0 to {players - 1}, None is any")
        if self.players not in (None, players):
            raise ValueError(
                f"rules {self.played.name!r} are for {players} players, this is the game of {self.players}"
            )
        if self.threads < 1:
            raise ValueError(f"{self.threads} threads: 1 at least")

    @property
    def played(self) -> Rules:
        """The rules with the length."""
        rules = rules_of(self.rules)
        return rules if self.length is None else dataclasses.replace(rules, length=LENGTHS[self.length])

    def others(self) -> list[Agent]:
        """The other seats' agents in the order of play after the learner's; none where it plays every seat."""
        if isinstance(self.opponents, str) and self.opponents == SELF:
            return []
        players = self.played.players
        seats = players - 1
        if isinstance(self.opponents, str) or not isinstance(self.opponents, Sequence):
            chosen: Sequence[str | Agent] = [self.opponents] * seats
        else:
            chosen = self.opponents
        if len(chosen) != seats:
            raise AgentError(f"{len(chosen)} opponents for {seats} other seats")
        named = {name: agent(name) for name in chosen if isinstance(name, str)}
        found = [named[one] if isinstance(one, str) else one for one in chosen]
        for one in found:
            check_players(one, players)
        return found


def settings_of(options: dict[str, Any]) -> Settings:
    """Return the settings of options by name. Raises `ValueError` in words for an option that there is not."""
    there = [one.name for one in dataclasses.fields(Settings)]
    for name in options:
        _one_of("option", name, there)
    return Settings(**options)


def _one_of(what: str, said: object, there: Any, more: str = "") -> None:
    if said not in there:
        raise ValueError(f"{what}={said!r}: there are {', '.join(map(str, there))}{more}")


class Desks:
    """Learners at many tables of one kind.

    `begin` and `begin_next` start games, `step` takes the learners' decisions. What hands that were over have brought
    adds up until `take` reads it.
    """

    def __init__(self, settings: Settings, count: int) -> None:
        self.settings = settings
        self.rules = settings.played
        self.players = self.rules.players
        self.count = count
        self.columns, self.dense = OBSERVATIONS[settings.observation]
        self.others = settings.others()
        self.tables = Tables(self.rules, count, 0, auto_reset=False, threads=settings.threads)
        self.states = self.tables.states
        self.lookup = self.tables.lookup
        self.desks: Batch[Desk] = zeros(Desk, count)
        self.records = cast("NDArray[Any]", self.states)
        self.fields = cast("NDArray[Any]", self.desks)
        self.every = np.arange(count)
        #: Nobody but the learner and random agents sits at the tables: they never wait for another.
        self.against_random = all(type(one) is RandomAgent for one in self.others)
        self.reward: Reward = REWARDS[settings.reward] if isinstance(settings.reward, str) else settings.reward
        self._rewards = np.zeros((count, self.players))
        self._changes = np.zeros((count, self.players), np.int32)
        self._hands_over = np.zeros(count, np.bool_)
        self._before = np.full((count, self.players), self.rules.start, np.int32)
        #: Whether hands have ended since `take`.
        self.any_over = False
        self._views: Batch[View] = zeros(View, count)
        self._room: Batch[Ukeire] = zeros(Ukeire, 1)
        self._shown = bytes_of(self._views)[:, :SHARED]
        self._shared = bytes_of(self.states)[:, :SHARED]
        place = EVERY_SEAT if not self.others else ANY_SEAT if settings.seat is None else settings.seat
        self.fields["place"] = place

    # -----------------------------------------------------------------------------------------------------
    # Playing

    def begin(self, which: NDArray[np.int64], seeds: NDArray[np.int64]) -> None:
        """Begin games at some tables from their seeds, up to the learner's first decision."""
        self.tables.reset(which, seeds)
        begin_at_desks(self.states, self.desks, which)
        self._until_first(which)

    def begin_next(self, which: NDArray[np.int64]) -> None:
        """Begin the next games at some tables, wherever the last one is, up to the learner's first decision."""
        self.records["phase"][which] = GAME_OVER
        self._until_first(which)

    def _until_first(self, which: NDArray[np.int64]) -> None:
        """Play on to the first decision. A game in which the learner is never asked counts for nothing: another one."""
        while len(which):
            self._rewards[which] = 0
            self._changes[which] = 0
            self._hands_over[which] = False
            self._before[which] = self.rules.start
            self.fields["chosen"][which] = GO_ON
            advance(self.states, self.lookup, self.desks, which, 0, len(which), self.against_random)
            self.until_asked(which)
            which = which[self.fields["waits"][which] == NEXT_GAME]

    def step(self, chosen: ArrayLike) -> NDArray[np.bool_]:
        """Do one action at every table (n, whole numbers); return where it was not legal (n).

        Tables whose game is over stay as they are. With ``illegal="raise"`` an action that is not legal raises
        `ActionError`, before anything is done at any table.
        """
        actions = np.asarray(chosen)
        if actions.shape != (self.count,) or actions.dtype.kind not in "iu":
            raise ActionError(f"{self.count} tables need as many whole numbers, not {actions.dtype} {actions.shape}")
        over = self.over
        which = np.flatnonzero(~over) if over.any() else self.every
        fields = self.fields
        fields["chosen"] = np.where((actions < 0) | (actions >= ACTIONS), NO_ACTION, actions)
        if self.settings.illegal == "raise":
            self._refuse(which)
        if which is self.every:
            special = sum(self.tables.spread(self._advance, None))
        else:
            special = advance(self.states, self.lookup, self.desks, which, 0, len(which), self.against_random)
        if not special:
            return np.zeros(self.count, np.bool_)
        illegal: NDArray[np.bool_] = (fields["illegal"] != 0) & ~over
        self.until_asked(which)
        return illegal

    def _advance(self, first: int, last: int, _: None) -> int:
        return advance(self.states, self.lookup, self.desks, self.every, first, last, self.against_random)

    def _refuse(self, which: NDArray[np.int64]) -> None:
        """Raise `ActionError` for the first of the tables whose action is not legal."""
        chosen = self.fields["chosen"][which]
        legal = (chosen >= 0) & (self.fields["mask"][which, chosen] != 0)
        if not legal.all():
            place = int(which[legal.argmin()])
            raise ActionError(self.what_is_wrong(place, int(self.fields["chosen"][place])))

    def what_is_wrong(self, table: int, action: int) -> str:
        """Say in words that the learner may not do an action, and what it may."""
        desk = self.fields[table]
        said = action_text(action) if 0 <= action < ACTIONS else f"an action that is none (0 to {ACTIONS - 1})"
        may = ", ".join(f"{one} {action_text(one)}" for one in np.flatnonzero(desk["mask"]).tolist())
        return f"table {table}: seat {int(desk['asked'])} may not do {said}; it may do: {may}"

    def until_asked(self, which: NDArray[np.int64]) -> None:
        """Play on at some tables until the learner is asked or the game is over."""
        waits = self.fields["waits"]
        chosen = self.fields["chosen"]
        which = which[waits[which] != LEARNER]
        while len(which):
            waiting = waits[which]
            self._settle(which[waiting >= NEXT_HAND])
            chosen[which[waiting == NEXT_HAND]] = GO_ON
            asked = which[waiting == OTHER]
            if len(asked):
                self._others_choose(asked)
            which = which[waiting != NEXT_GAME]
            advance(self.states, self.lookup, self.desks, which, 0, len(which), self.against_random)
            if len(asked) and self.fields["illegal"][asked].any():
                raise AgentError("an opponent did what it may not: its `act` must return one of the actions in `legal`")
            which = which[waits[which] != LEARNER]

    def _settle(self, which: NDArray[np.int64]) -> None:
        """Note what the hands have brought that are over at some tables."""
        if not len(which):
            return
        points = self.records["seats"]["points"][which, : self.players]
        change = points - self._before[which]
        self._before[which] = points
        over = self.fields["waits"][which] == NEXT_GAME
        found = np.asarray(self.reward(Results(self.rules, change, points, over, self.records["ended"][which])))
        if found.shape != change.shape:
            raise ValueError(f"the reward function returned {found.shape}; each seat of each hand: {change.shape}")
        self._rewards[which] += found
        self._changes[which] += change
        self._hands_over[which] = True
        self.any_over = True

    def _others_choose(self, which: NDArray[np.int64]) -> None:
        """Let the agents choose at some tables that wait for them; equal agents decide together."""
        turn = (self.records["actor"][which] - self.fields["seat"][which] - 1) % self.players
        for one in {id(other): other for other in self.others}.values():
            mine = which[[self.others[step] is one for step in turn.tolist()]]
            if len(mine):
                keys = np.zeros(len(mine), np.int64)
                write_keys(self.states, mine, keys)
                self.fields["chosen"][mine] = one.act(self.tables.views(mine), self.tables.legal(mine), keys)

    # -----------------------------------------------------------------------------------------------------
    # What a step brings

    @property
    def over(self) -> NDArray[np.bool_]:
        """Tables whose game is over (n)."""
        ended: NDArray[np.bool_] = self.fields["waits"] == NEXT_GAME
        return ended

    @property
    def asked(self) -> NDArray[np.int8]:
        """Seat of the learner that is asked, or that was asked last where the game is over (n)."""
        return self.fields["asked"].copy()

    @property
    def mask(self) -> NDArray[np.int8]:
        """What each learner may do (n, 122)."""
        return self.fields["mask"].copy()

    def take(self) -> tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.bool_]] | None:
        """Return what has come since the last time, or None where no hand has ended.

        Rewards (n, players), changes of the points (n, players), tables at which hands were over (n).
        """
        if not self.any_over:
            return None
        found = self._rewards.copy(), self._changes.copy(), self._hands_over.copy()
        self._rewards[:], self._changes[:], self._hands_over[:] = 0, 0, False
        self.any_over = False
        return found

    def views(self, which: NDArray[np.int64] | None = None, seats: NDArray[np.int8] | None = None) -> Batch[View]:
        """Return what the learners that are asked may see, or given seats at given tables.

        Of all tables: records that the next call writes to again.
        """
        if which is not None:
            return views_of(self.states, which, self.fields["asked"][which] if seats is None else seats)
        self._shown[:] = self._shared
        write_views(self.states, self.every, self.asked, self._views)
        return self._views

    def observe(self, views: Batch[View]) -> NDArray[Any]:
        """Return the observations of views: zeros (n; int64) where none is wanted, else as `Settings.observation`."""
        count, columns = len(cast("NDArray[Any]", views)), self.columns
        if not columns:
            return np.zeros(count, np.int64)
        masks = np.empty((count, columns), np.int64)
        if columns == WIDE:
            encode_wide(views, self.lookup, self._room, masks)
        else:
            encode_views(views, masks)
        if not self.dense:
            return masks
        dense = np.empty((count, columns, 34), np.uint8)
        expand_masks(masks, dense)
        return dense
