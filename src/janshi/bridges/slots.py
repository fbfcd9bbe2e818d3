"""The common part of Gymnasium's and PettingZoo's environments.

A *slot* is one environment: a table with a *learner* in one seat or in every seat, and agents in the others. A step is
one decision of the learner. The next hand begins automatically until the game is over. Rewards are given for hands that
are over; one step may include the rewards of several hands if the learner had no decision in them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from janshi.agents.protocol import Agent, AgentError, decide
from janshi.agents.random import RandomAgent
from janshi.bridges.settings import REWARDS, Results, Reward, Settings
from janshi.bridges.stepping import (
    ANY_SEAT,
    EVERY_SEAT,
    GO_ON,
    LEARNER,
    NEXT_GAME,
    NEXT_HAND,
    NO_ACTION,
    OTHER,
    environment_of,
)
from janshi.compiling import Batch, zeros
from janshi.core.rows import take_rows
from janshi.encoders import Encoder
from janshi.table import ActionError, Tables

Gains = tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.bool_]]

_WRONG_OPPONENT: Final = "an opponent chose an illegal action: its `act` must return one of the actions in `legal`"


class Slots:
    """Learners at many tables of one kind.

    `begin` and `begin_next` start games, `step` executes the learners' actions. Rewards accumulate until `take` returns
    them.

    ``masks`` (n, actions; int8) marks the legal actions of each learner, none after its game. ``every``
    contains the indices of all tables. ``any_over`` is True if hands have ended since `take`, ``single_illegal`` if the
    last action of `step_single` was illegal.
    """

    def __init__(self, settings: Settings, count: int) -> None:
        self.settings = settings
        self.rules: Any = settings.played
        self.game = settings.game
        self.players: int = self.rules.players
        self.actions = self.game.actions
        self.encoder = settings.encoder
        self.tables = Tables(self.rules, count, 0, auto_reset=False, threads=settings.threads)
        self.every = np.arange(count)
        others = settings.others()
        self.every_seat = not others
        distinct: dict[int, Agent] = {id(agent): agent for agent in others}
        #: The distinct opponents, and the index of the one in each seat after the learner's.
        self._distinct = tuple(distinct.values())
        self._numbers = np.array([list(distinct).index(id(agent)) for agent in others], np.int64)
        self._reward: Reward = REWARDS[settings.reward] if isinstance(settings.reward, str) else settings.reward
        home = EVERY_SEAT if self.every_seat else ANY_SEAT if settings.seat is None else settings.seat
        stepping = environment_of(self.game).stepping
        self._stepping = stepping(self.tables, home, all(type(agent) is RandomAgent for agent in others))
        self.masks = self._stepping.masks
        self.random_actions = self._stepping.random_actions
        self._chosen, self._waits, self._asked = self._stepping.chosen, self._stepping.waits, self._stepping.asked
        self._illegal = self._stepping.illegal
        self._go, self._go_single = self._stepping.go, self._stepping.go_single
        self._records = cast("NDArray[Any]", self.tables.states)
        self._rewards = np.zeros((count, self.players))
        self._changes = np.zeros((count, self.players), np.int32)
        self._hands_over = np.zeros(count, np.bool_)
        self._before = np.full((count, self.players), self.rules.start, np.int32)
        self.any_over = False
        self.single_illegal = False
        self._views: Batch[Any] = zeros(self.game.view, count)
        self._single: Callable[[], NDArray[Any]] | None = None
        if count == 1 and self.encoder is not None and not self.encoder.wants_events:
            self._single = self._single_observer(self.encoder)

    def __len__(self) -> int:
        return len(self.every)

    # -----------------------------------------------------------------------------------------------------
    # Playing

    def begin(self, which: NDArray[np.int64], seeds: NDArray[np.int64]) -> None:
        """Begin games from seeds at the given tables, up to the learner's first decision."""
        self.tables.reset(which, seeds)
        self._stepping.take_seats(which)
        self._until_first(which)

    def begin_next(self, which: NDArray[np.int64]) -> None:
        """Begin the next games at the given tables, finished or not, up to the learner's first decision."""
        self._records["phase"][which] = self.game.game_over
        self._until_first(which)

    def _until_first(self, which: NDArray[np.int64]) -> None:
        """Continue to the learner's first decision; games without any are replaced by the next ones."""
        while len(which):
            self._rewards[which], self._changes[which], self._hands_over[which] = 0, 0, False
            self._before[which] = self.rules.start
            self._chosen[which] = GO_ON
            self._go(which)
            self._until_asked(which)
            which = which[self._waits[which] == NEXT_GAME]

    def step(self, chosen: ArrayLike) -> NDArray[np.bool_]:
        """Execute one action at every table (n, integers); return the mask of illegal ones (n).

        Tables whose game is over are unchanged. With ``illegal="raise"`` an illegal action raises `ActionError` before
        any table changes.
        """
        actions = np.asarray(chosen)
        count = len(self)
        if actions.shape != (count,) or actions.dtype.kind not in "iu":
            raise ActionError(f"{count} tables need as many integers, not {actions.dtype} {actions.shape}")
        over = self.over
        checked = self._known(actions)
        if self.settings.illegal == "raise":
            legal = (checked >= 0) & (self.masks[self.every, checked] != 0) | over
            if not legal.all():
                table = int(legal.argmin())
                raise ActionError(self.what_is_wrong(table, int(checked[table])))
        self._chosen[:] = checked
        which = np.flatnonzero(~over) if over.any() else self.every
        if not self._go(which):
            return np.zeros(count, np.bool_)
        illegal: NDArray[np.bool_] = (self._illegal != 0) & ~over
        self._until_asked(which)
        return illegal

    def step_single(self, action: int) -> bool:
        """Execute one action at the only table, ignoring ``settings.illegal``.

        Returns True if the action was legal, no hand ended and no agent acted. Otherwise `single_illegal` and `take`
        give the result.
        """
        self._chosen[0] = action
        if not self._go_single():
            self.single_illegal = False
            return not self.any_over
        self.single_illegal = bool(self._illegal[0])
        self._until_asked(self.every)
        return False

    def _until_asked(self, which: NDArray[np.int64]) -> None:
        """Continue at the given tables until the learner must decide or the game is over."""
        waits, chosen = self._waits, self._chosen
        which = which[waits[which] != LEARNER]
        while len(which):
            waiting = waits[which]
            self._settle(which[waiting >= NEXT_HAND])
            chosen[which[waiting == NEXT_HAND]] = GO_ON
            asked = which[waiting == OTHER]
            if len(asked):
                self._others_choose(asked)
            which = which[waiting != NEXT_GAME]
            self._go(which)
            if len(asked) and self._illegal[asked].any():
                raise AgentError(_WRONG_OPPONENT)
            which = which[waits[which] != LEARNER]

    def _others_choose(self, which: NDArray[np.int64]) -> None:
        """Choose the agents' actions at the given tables, in one batch for each distinct agent."""
        turn = (self._records["actor"][which] - self._stepping.seat[which] - 1) % self.players
        for number, agent in enumerate(self._distinct):
            mine = which[self._numbers[turn] == number]
            if len(mine):
                numbers = np.asarray(decide(agent, self.tables.decisions(mine)))
                if numbers.shape != mine.shape or numbers.dtype.kind not in "iu":
                    wanted = f"{len(mine)} whole numbers are wanted"
                    raise AgentError(f"opponent {agent.name!r} answers {numbers.dtype} {numbers.shape}: {wanted}")
                self._chosen[mine] = self._known(numbers)

    def _known(self, actions: NDArray[Any]) -> NDArray[np.int16]:
        """Return numbers of actions, with `NO_ACTION` in place of those that do not exist and could wrap."""
        return np.where((actions < 0) | (actions >= self.actions), NO_ACTION, actions).astype(np.int16)

    @property
    def over(self) -> NDArray[np.bool_]:
        """Mask of tables whose game is over (n)."""
        ended: NDArray[np.bool_] = self._waits == NEXT_GAME
        return ended

    @property
    def asked(self) -> NDArray[np.int8]:
        """Seat of the learner's current decision, or of its last one after the end of the game (n)."""
        return self._asked.copy()

    def single_asked(self) -> int:
        """Return `asked` at the only table."""
        return int(self._asked[0])

    def what_is_wrong(self, table: int, action: int) -> str:
        """Describe an illegal action of the learner, and the legal ones."""
        text = self.game.action_text
        wrong = text(action) if 0 <= action < self.actions else f"an unknown action (0 to {self.actions - 1} exist)"
        options = ", ".join(f"{legal} {text(legal)}" for legal in np.flatnonzero(self.masks[table]).tolist())
        return f"table {table}: seat {int(self.asked[table])} may not do {wrong}; it may do: {options}"

    # -----------------------------------------------------------------------------------------------------
    # Rewards

    def _settle(self, which: NDArray[np.int64]) -> None:
        """Add the rewards of hands that are over at the given tables."""
        if not len(which):
            return
        states = take_rows(self.tables.states, which)
        points = states["seats"]["points"][:, : self.players]
        change = points - self._before[which]
        self._before[which] = points
        over = states["phase"] >= self.game.game_over
        ended = states["ended"] if "ended" in (states.dtype.names or ()) else self.game.outcomes(states).ended
        rewards = np.asarray(self._reward(Results(self.rules, change, points, over, ended)))
        if rewards.shape != change.shape:
            raise ValueError(f"the reward function returned shape {rewards.shape}, not {change.shape} (hands, players)")
        self._rewards[which] += rewards
        self._changes[which] += change
        self._hands_over[which] = True
        self.any_over = True

    def take(self) -> Gains | None:
        """Return the gains since the last call, or None if no hand has ended.

        Gains are rewards (n, players), changes of points (n, players), and the mask of tables where hands ended (n).
        """
        if not self.any_over:
            return None
        gains = self._rewards.copy(), self._changes.copy(), self._hands_over.copy()
        self._rewards[:], self._changes[:], self._hands_over[:] = 0, 0, False
        self.any_over = False
        return gains

    # -----------------------------------------------------------------------------------------------------
    # Observations

    def views(self, which: NDArray[np.int64] | None = None, seats: NDArray[np.int8] | None = None) -> Batch[Any]:
        """Return the views of the current decisions, or of the given seats at the given tables.

        The records for all tables are reused by the next call.
        """
        if which is not None:
            return self.tables.views(which, self.asked[which] if seats is None else seats)
        self.game.views(self.tables.states, self.asked, self._views, threads=self.settings.threads)
        return self._views

    def observe(self, which: NDArray[np.int64] | None = None, seats: NDArray[np.int8] | None = None) -> NDArray[Any]:
        """Return the observations of the current decisions (n, …), or of the given seats at the given tables.

        They are inputs of networks, packed arrays with ``settings.packed``, or zeros (n; int64) without an encoder.
        """
        if self.encoder is None:
            return np.zeros(len(self) if which is None else len(which), np.int64)
        if self._single is not None and which is None:
            return self._single()
        views = self.views(which, seats)
        packed = np.empty((len(views), *self.encoder.packed_shape), self.encoder.packed_dtype)
        events = self._events(which, seats) if self.encoder.wants_events else None
        # The settings have checked that the encoder supports these rules.
        self.encoder.write_unchecked(views, events, packed, threads=self.settings.threads)
        return packed if self.settings.packed else self.encoder.inputs(packed)

    def _single_observer(self, encoder: Encoder) -> Callable[[], NDArray[Any]]:
        """Return a fast observation function for a single table, whose steps take a few microseconds."""
        seats = np.zeros(1, np.int8)
        write_view = self.game.views.bind(self.tables.states, seats, self._views)
        encode = encoder.bind(self.rules, self._views, packed=self.settings.packed)

        def observe() -> NDArray[Any]:
            seats[0] = self.single_asked()
            write_view()
            return encode()

        return observe

    def _events(self, which: NDArray[np.int64] | None, seats: NDArray[np.int8] | None) -> Batch[Any]:
        """Return the logs that belong to the views."""
        asked = self.asked if which is None else self.asked[which]
        return self.tables.events(which, asked if seats is None else seats)
