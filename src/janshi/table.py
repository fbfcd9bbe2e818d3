"""Tables of any game: a single one to explore by hand, or a batch.

>>> table = Table("tenhou-sanma-hand", seed=7)
>>> table.actor, len(table.legal) > 1
(0, True)
>>> while not table.over:
...     table.act(table.legal[0])
>>> sum(table.scores)
105000

`Tables` plays many at once: `Tables.legal` is a mask of shape (n, actions), `Tables.step` takes one action for each
table, `Tables.decisions` returns the input of agents. Actions are integers, in Riichi those of `janshi.riichi.actions`;
`Table.action_text` describes one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from janshi.compiling import Batch, row, zeros
from janshi.core.game import Game, RuleSet, StepResult
from janshi.core.random import following_seeds
from janshi.core.rows import join_rows, take_rows
from janshi.core.rules import write_rules
from janshi.games import game_of, rules_of

#: Maximum number of threads.
MOST_THREADS: Final = 256


class ActionError(ValueError):
    """Raised for an illegal action; no table has changed."""


# ---------------------------------------------------------------------------------------------------------
# Checks of arguments


def _array_of(what: str, values: ArrayLike) -> NDArray[Any]:
    """Return an argument as an array; raise `ValueError` for an irregular shape."""
    try:
        return np.asarray(values)
    except (ValueError, OverflowError, TypeError):
        raise ValueError(f"{what}: must be integers, in rows of equal length") from None


def check_wall(rules: RuleSet, wall: ArrayLike) -> NDArray[np.int8]:
    """Return a wall (tiles in the game's order) as int8. Raises `ValueError` if it is not a wall of these rules."""
    tiles = _array_of("wall", wall)
    wanted = game_of(rules).wall(rules)
    if tiles.dtype.kind not in "iu" or tiles.shape != wanted.shape or not np.array_equal(np.sort(tiles), wanted):
        raise ValueError(f"a wall of {rules.name!r} holds its {len(wanted)} tiles once each; this one does not")
    return tiles.astype(np.int8)


def _whole_numbers(what: str, numbers: ArrayLike) -> NDArray[np.int64]:
    """Return integers as int64; raise `ValueError` for anything else."""
    array = _array_of(what, numbers)
    if array.size == 0 and array.dtype.kind == "f":
        return np.zeros(array.shape, np.int64)
    if array.dtype.kind not in "iu" or (array.dtype == np.uint64 and (array > np.iinfo(np.int64).max).any()):
        raise ValueError(f"{what}: must be 64-bit integers, not {array.dtype}")
    return array.astype(np.int64)


def _numbers_of(what: str, which: ArrayLike, count: int) -> NDArray[np.int64]:
    """Return indices below ``count``, given as such or as a mask of all.

    Raises `ValueError` for another type or shape, `IndexError` for a number out of range.
    """
    array = _array_of(what, which)
    if array.dtype == np.bool_:
        if array.shape != (count,):
            raise ValueError(f"a mask of {count} {what} has shape ({count},), not {array.shape}")
        return np.flatnonzero(array)
    numbers = _whole_numbers(what, array)
    if numbers.ndim != 1:
        raise ValueError(f"{what}: must have one dimension, not shape {numbers.shape}")
    # As unsigned integers, negative ones are the largest.
    if numbers.size and int(numbers.view(np.uint64).max()) >= count:
        wrong = int(numbers[(numbers < 0) | (numbers >= count)][0])
        raise IndexError(f"{what}: {wrong} is none of {count}, which have the numbers from 0")
    return numbers


def check_seeds(seeds: ArrayLike, count: int) -> NDArray[np.int64]:
    """Return the seeds of ``count`` tables: seed + i for a single number, else the given ones.

    Raises `ValueError` for values that are not integers of 64 bits, and for a wrong number of seeds.

    >>> check_seeds(5, 2).tolist(), check_seeds([7, 3], 2).tolist()
    ([5, 6], [7, 3])
    """
    most = np.iinfo(np.int64).max
    if isinstance(seeds, int) and not isinstance(seeds, bool) and not -most - 1 <= seeds <= most:
        raise ValueError(f"seed {seeds} does not fit into 64 bits")
    numbers = _whole_numbers("seeds", seeds)
    if numbers.ndim == 0:
        if int(numbers) > most - max(count - 1, 0):
            raise ValueError(f"seed {int(numbers)} and those of {count} tables do not fit into 64 bits")
        return np.arange(count) + numbers
    if numbers.shape != (count,):
        raise ValueError(f"{count} tables need as many seeds, these have shape {numbers.shape}")
    return numbers


def new_states(rules: RuleSet, count: int) -> Batch[Any]:
    """Return tables of one rule set before their first game."""
    # Only the rules are copied: NumPy would fill the gaps between a record's fields with arbitrary bytes.
    game = game_of(rules)
    states: Batch[Any] = zeros(game.state, count)
    write_rules(rules, cast("NDArray[Any]", states)["rules"])
    return states


# ---------------------------------------------------------------------------------------------------------
# Decisions


class DecisionBatch:
    """Pending decisions, the input of agents, one row each.

    ``rules``: the rule set; ``tables`` (n, int64): indices of the tables; ``seats`` (n, int8): the deciding seats;
    ``views`` (n): the seats' views of the tables; ``legal`` (n, actions; bool): their legal actions, in Riichi at least
    two; ``random`` (n, int64): a 63-bit random word for each decision, which depends only on the table's seed and its
    number of decisions so far. Agents that play at random use it, so that the same seed gives the same game in any
    batch and on any number of threads.
    """

    __slots__ = ("_events", "_source", "legal", "random", "rules", "seats", "tables", "views")

    def __init__(
        self,
        rules: Any,
        views: Batch[Any],
        legal: NDArray[np.bool_],
        *,
        tables: NDArray[np.int64] | None = None,
        seats: NDArray[np.int8] | None = None,
        random: NDArray[np.int64] | None = None,
        events: Batch[Any] | None = None,
    ) -> None:
        count = len(legal)
        self.rules: Any = rules
        self.views = views
        self.legal = legal
        self.tables = np.arange(count) if tables is None else tables
        self.seats = np.asarray(views)["seat"].astype(np.int8) if seats is None else seats
        self.random = np.zeros(count, np.int64) if random is None else random
        self._events = events
        self._source: tuple[Tables, NDArray[np.int64]] | None = None

    def __len__(self) -> int:
        return len(self.legal)

    @property
    def game(self) -> Game:
        """The game."""
        return game_of(self.rules)

    @property
    def events(self) -> Batch[Any]:
        """The logs of the hands as visible to each seat (n); tiles drawn by others are −1.

        Raises `ValueError` if the tables were stepped since (read the logs before the next step), or if the game keeps
        no log.
        """
        if self._events is None:
            if self._source is None:
                raise ValueError("these decisions were made without the logs of their hands")
            tables, moments = self._source
            if not np.array_equal(tables._moments(self.tables), moments):
                raise ValueError("the tables have gone on: the logs of these decisions are not there any more")
            self._events = tables.events(self.tables, self.seats)
        return self._events

    def part(self, rows: ArrayLike) -> DecisionBatch:
        """Return some of the decisions (indices or a mask of all rows), in that order.

        Raises `ValueError` for a mask of another length and for values that are not integers, `IndexError` for an index
        out of range.
        """
        numbers = _numbers_of("rows", rows, len(self))
        batch = DecisionBatch(
            self.rules,
            cast("Batch[Any]", take_rows(self.views, numbers)),
            self.legal[numbers],
            tables=self.tables[numbers],
            seats=self.seats[numbers],
            random=self.random[numbers],
            events=None if self._events is None else cast("Batch[Any]", take_rows(self._events, numbers)),
        )
        if self._source is not None:
            batch._source = self._source[0], self._source[1][numbers]
        return batch

    @staticmethod
    def joined(batches: Sequence[DecisionBatch]) -> DecisionBatch:
        """Return the joined decisions of one or more batches of one rule set.

        Table indices are unchanged. The logs of the hands are kept if at least one batch has read its own; all are then
        read, so that no table may have been stepped. Call `with_events` on each batch to keep them in any case. Raises
        `ValueError` without batches, and for batches of different games or numbers of players.
        """
        kinds = sorted({f"{batch.game.name} with {batch.rules.players} players" for batch in batches})
        if len(kinds) != 1:
            raise ValueError(f"only decisions of one game and number of players are joined: {', '.join(kinds)}")

        def together(name: str) -> Any:
            parts = [np.asarray(getattr(batch, name)) for batch in batches]
            return join_rows(parts) if parts[0].dtype.names else np.concatenate(parts)

        events = None
        if all(batch._events is not None or batch._source is not None for batch in batches):
            kept = any(batch._events is not None for batch in batches)
            events = together("events") if kept else None
        return DecisionBatch(
            batches[0].rules,
            together("views"),
            together("legal"),
            tables=together("tables"),
            seats=together("seats"),
            random=together("random"),
            events=events,
        )

    def with_events(self) -> DecisionBatch:
        """Return the same decisions with the logs of their hands, which remain valid after further steps."""
        self._events = self.events
        return self


# ---------------------------------------------------------------------------------------------------------
# Many tables


class Tables:
    """Many tables of one rule set.

    ``seeds`` is a single number (table i plays the games of seed + i) or one for each table. The same seed plays the
    same game for any number of tables and threads. With ``auto_reset`` a table continues automatically after a hand and
    after a game; otherwise it waits for `next_hand` or `reset`.

    Tables are selected by indices or a mask of all tables. Arguments of another type or shape raise `ValueError`, an
    index out of range `IndexError`; no table has changed then.

    >>> tables = Tables("tenhou-sanma", 2, seeds=7)
    >>> tables.actors.tolist(), tables.legal().shape
    ([0, 0], (2, 122))
    >>> tables.step(tables.legal().argmax(axis=1))
    >>> tables.hand_ended.tolist()
    [False, False]
    """

    def __init__(
        self,
        rules: RuleSet | str,
        count: int,
        seeds: ArrayLike = 0,
        *,
        auto_reset: bool = True,
        threads: int = 1,
    ) -> None:
        for what, number in (("tables", count), ("threads", threads)):
            if isinstance(number, bool) or not isinstance(number, int | np.integer) or number < 1:
                raise ValueError(f"{number!r} {what}: must be an integer of at least 1")
        self.rules: Any = rules_of(rules)
        self.game = game_of(self.rules)
        self.game.legal.is_expected = True  # compiled with the game's first call
        self.auto_reset = auto_reset
        self.threads = min(int(threads), MOST_THREADS)
        first = check_seeds(seeds, int(count))
        self.states: Batch[Any] = new_states(self.rules, int(count))
        self._array = cast("NDArray[Any]", self.states)
        self._every = np.arange(int(count))
        self._results = cast("NDArray[Any]", zeros(StepResult, int(count)))
        self._starts = np.zeros(int(count), np.int64)
        self._start(self._every, first)

    def __len__(self) -> int:
        return len(self._array)

    def __getstate__(self) -> dict[str, Any]:
        """Return rules and states; the game follows from the rules."""
        return {name: value for name, value in self.__dict__.items() if name != "game"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, game=game_of(state["rules"]))

    # -----------------------------------------------------------------------------------------------------
    # Selected tables

    def _which(self, which: ArrayLike | None) -> NDArray[np.int64]:
        """Return checked indices of tables."""
        return self._every if which is None else _numbers_of("tables", which, len(self))

    def _which_once(self, which: ArrayLike) -> NDArray[np.int64]:
        """Return checked, distinct indices of tables to change: threads would change a duplicate concurrently."""
        numbers = self._which(which)
        if len(np.unique(numbers)) != len(numbers):
            raise ValueError("a table is named twice")
        return numbers

    def _seats(self, seats: ArrayLike | None, which: NDArray[np.int64]) -> NDArray[np.int8]:
        """Return checked seats; default: those of the actors, 0 for tables without a pending decision."""
        if seats is None:
            return np.asarray(np.maximum(self._array["actor"][which], 0))
        numbers = _whole_numbers("seats", seats)
        if numbers.shape != which.shape:
            raise ValueError(f"{len(which)} tables need as many seats, these have shape {numbers.shape}")
        outside = (numbers < 0) | (numbers >= self.rules.players)
        if outside.any():
            raise ValueError(f"there is no seat {int(numbers[outside][0])} at a table of {self.rules.players}")
        return numbers.astype(np.int8)

    def _moments(self, which: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return numbers (n, 3), at least one of which changes with every decision and every new game at a table."""
        moments = np.empty((len(which), 3), np.int64)
        for column, numbers in enumerate((self._starts, self._array["games"], self._array["clock"])):
            moments[:, column] = numbers[which]
        return moments

    # -----------------------------------------------------------------------------------------------------
    # Beginning

    def reset(self, which: ArrayLike, seeds: ArrayLike, walls: ArrayLike | None = None) -> None:
        """Start new games at some tables, with one seed each (or a single number: seed + i).

        ``walls`` (one row for each table, tiles in the game's order) replace the seeds' walls in the first hand. Raises
        `ValueError` if a row is not a wall of these rules or a table is given twice.
        """
        chosen = self._which_once(which)
        numbers = check_seeds(seeds, len(chosen))
        laid = self._walls(len(chosen), walls)
        self._start(chosen, numbers, laid)

    def _start(self, which: NDArray[np.int64], seeds: NDArray[np.int64], walls: NDArray[np.int8] | None = None) -> None:
        self._array["seed"][which] = seeds
        for name in ("clock", "games"):
            self._array[name][which] = 0
        self._lay(which, walls)
        self.game.begin_games(self.states, which=which, threads=self.threads)
        self._array["walls_given"] = 0
        self._starts[which] += 1
        self._forget_results(which)

    def _forget_results(self, which: NDArray[np.int64]) -> None:
        for name in ("ended", "change"):
            self._results[name][which] = 0

    def next_hand(self, which: ArrayLike, walls: ArrayLike | None = None) -> None:
        """Begin the next hand at some tables; those that are not at the end of a hand do not change.

        ``walls`` as in `reset`; with them each table must be at the end of a hand (`ActionError`).
        """
        chosen = self._which_once(which)
        laid = self._walls(len(chosen), walls)
        if laid is not None and (self._array["phase"][chosen] != self.game.hand_over).any():
            raise ActionError("walls are given for hands to come, and a hand is not over at each of these tables")
        self._lay(chosen, laid)
        self.game.next_hands(self.states, which=chosen, threads=self.threads)
        self._array["walls_given"] = 0

    def next_game(self, which: ArrayLike) -> None:
        """Begin the next game at some tables in any state; its seed follows from that of the last one.

        It is the game that follows with ``auto_reset``.
        """
        chosen = self._which_once(which)
        self._array["games"][chosen] += 1
        self._array["seed"][chosen] = following_seeds(self._array["seed"][chosen], self._array["games"][chosen])
        self.game.begin_games(self.states, which=chosen, threads=self.threads)
        self._forget_results(chosen)

    def _walls(self, count: int, walls: ArrayLike | None) -> NDArray[np.int8] | None:
        if walls is None:
            return None
        rows = _array_of("walls", walls)
        if rows.ndim != 2 or len(rows) != count:
            raise ValueError(f"{count} tables need as many walls, these have shape {rows.shape}")
        return np.stack([check_wall(self.rules, row) for row in rows]) if count else None

    def _lay(self, which: NDArray[np.int64], walls: NDArray[np.int8] | None) -> None:
        if walls is not None:
            self._array["wall"][which, : walls.shape[1]] = walls
            self._array["walls_given"][which] = 1

    # -----------------------------------------------------------------------------------------------------
    # Looking

    @property
    def actors(self) -> NDArray[np.int8]:
        """Deciding seat of each table (n, int8); −1 for none."""
        return self._array["actor"].copy()

    @property
    def scores(self) -> NDArray[np.int32]:
        """Points (n, players; int32)."""
        return self._array["seats"]["points"][:, : self.rules.players].copy()

    @property
    def hand_over(self) -> NDArray[np.bool_]:
        """Tables whose hand is over (n, bool); never with ``auto_reset``."""
        return np.asarray(self._array["phase"] >= self.game.hand_over)

    @property
    def over(self) -> NDArray[np.bool_]:
        """Tables whose game is over (n, bool); never with ``auto_reset``."""
        return np.asarray(self._array["phase"] >= self.game.game_over)

    @property
    def hand_ended(self) -> NDArray[np.bool_]:
        """Tables whose last step ended a hand (n, bool)."""
        return np.asarray(self._results["ended"] > 0)

    @property
    def game_ended(self) -> NDArray[np.bool_]:
        """Tables whose last step ended a game (n, bool)."""
        return np.asarray(self._results["ended"] > 1)

    @property
    def changes(self) -> NDArray[np.int32]:
        """Change of every seat's points from the deal to the end of a hand that the last step ended.

        Shape (n, players; int32); includes the seat's own riichi sticks; 0 at tables where no hand ended. Sticks on the
        table at the end of a game go to the first place, but not through the hand: only `scores` contains them.
        """
        return self._results["change"][:, : self.rules.players].copy()

    @property
    def last_scores(self) -> NDArray[np.int32]:
        """Points at the end of the last hand, before its table continued (n, players; int32)."""
        return self._results["points"][:, : self.rules.players].copy()

    def legal(self, which: ArrayLike | None = None) -> NDArray[np.bool_]:
        """Return the legal actions of each table's actor (n, actions; bool); default: all tables."""
        chosen = self._which(which)
        mask = np.zeros((len(chosen), self.game.actions), np.bool_)
        self.game.legal(self.states, mask, which=chosen, threads=self.threads)
        return mask

    def views(self, which: ArrayLike | None = None, seats: ArrayLike | None = None) -> Batch[Any]:
        """Return the views of the actors (n,), or of the given seats at the given tables.

        At a table without a pending decision it is the view of seat 0, unless seats are given.
        """
        chosen = self._which(which)
        views: Batch[Any] = zeros(self.game.view, len(chosen))
        self.game.views(self.states, self._seats(seats, chosen), views, which=chosen, threads=self.threads)
        return views

    def events(self, which: ArrayLike | None = None, seats: ArrayLike | None = None) -> Batch[Any]:
        """Return the logs of the hands as visible to the actors (n,), or to the given seats.

        Raises `ValueError` for a game that keeps no log.
        """
        if self.game.events is None or self.game.event_logs is None:
            raise ValueError(f"game {self.game.name!r} keeps no log of its hands")
        chosen = self._which(which)
        logs: Batch[Any] = zeros(self.game.events, len(chosen))
        self.game.event_logs(self.states, self._seats(seats, chosen), logs, which=chosen, threads=self.threads)
        return logs

    def decisions(self, which: ArrayLike | None = None) -> DecisionBatch:
        """Return the pending decisions of all tables that have one, or of the given tables.

        Raises `ActionError` if a given table has no pending decision.
        """
        chosen = np.flatnonzero(self._array["actor"] >= 0) if which is None else self._which(which)
        seats = self._array["actor"][chosen]
        if which is not None and len(seats) and int(seats.min()) < 0:
            raise ActionError(f"table {int(chosen[seats.argmin()])} waits for no decision")
        count = len(chosen)
        views: Batch[Any] = zeros(self.game.view, count)
        legal = np.zeros((count, self.game.actions), np.bool_)
        random = np.zeros((count, 1), np.int64)
        self.game.decisions(self.states, views, legal, random, which=chosen, threads=self.threads)
        batch = DecisionBatch(self.rules, views, legal, tables=chosen, seats=seats, random=random[:, 0])
        batch._source = self, self._moments(chosen)
        return batch

    # -----------------------------------------------------------------------------------------------------
    # Playing

    def step(self, chosen: ArrayLike) -> None:
        """Perform the action of each table's actor (n). Values for tables without a pending decision are ignored.

        Raises `ActionError`, with the first table whose action is illegal; no table has changed then.
        """
        self._step(self._every, self._actions(chosen, len(self)))

    def step_some(self, which: ArrayLike, chosen: ArrayLike) -> None:
        """Perform one action each of the actors of some tables; other tables do not change. Raises like `step`."""
        tables = self._which_once(which)
        self._step(tables, self._actions(chosen, len(tables)))

    def _actions(self, chosen: ArrayLike, count: int) -> NDArray[np.int64]:
        """Return actions for ``count`` tables, checked except for legality."""
        try:
            actions = _whole_numbers("actions", chosen)
        except ValueError as error:
            raise ActionError(str(error)) from None
        if actions.shape != (count,):
            raise ActionError(f"{count} tables need as many actions, these have shape {actions.shape}")
        return actions

    def _step(self, which: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        outside = actions.view(np.uint64) >= self.game.actions  # includes negative ones
        taken = (np.where(outside, -1, actions) if outside.any() else actions).astype(np.int16)
        if self.game.refused(self.states, taken, which=which, threads=self.threads):
            for row, number in enumerate(which.tolist()):
                if self.game.refused(self.states, taken[row : row + 1], which=which[row : row + 1]):
                    seat = int(self._array["actor"][number])
                    raise ActionError(f"table {number}: seat {seat} may not do action {int(actions[row])}")
        results = self._results if which is self._every else self._results[which]
        self.game.step(self.states, taken, bool(self.auto_reset), results, which=which, threads=self.threads)
        if which is not self._every:
            self._forget_results(self._every)
            self._results[which] = results

    def play_random(self, decisions: int) -> int:
        """Take ``decisions`` random decisions at each table, across hands and games; return the ended hands."""
        if isinstance(decisions, bool) or not isinstance(decisions, int | np.integer) or not 0 <= decisions < 1 << 62:
            raise ValueError(f"{decisions!r} decisions: must be an integer of at least 0")
        if not (self._array["actor"] >= 0).all():
            raise ActionError("random play begins where every table waits for a decision")
        self._forget_results(self._every)
        return int(self.game.play_randomly(self.states, int(decisions), threads=self.threads))

    def copy(self) -> Tables:
        """Return a copy of the tables."""
        other = object.__new__(type(self))
        copies = {name: getattr(self, name).copy() for name in ("_array", "_results", "_starts")}
        other.__dict__.update(self.__dict__, **copies, states=copies["_array"])
        return other

    __copy__ = copy


# ---------------------------------------------------------------------------------------------------------
# One table


@dataclass(frozen=True, slots=True)
class HandOutcome:
    """The result of a hand."""

    reason: str
    """``"tsumo"``, ``"ron"``, or the name of the draw."""
    winners: tuple[int, ...]
    """Winning seats in order."""
    discarder: int | None
    """Seat that dealt in, or None."""
    change: tuple[int, ...]
    """Change of every seat's points since the deal: see `Tables.changes`."""


class Table:
    """A single table with its view, legal actions and decisions.

    ``rules`` is a rule set or a preset's name, ``seed`` determines all walls; ``wall`` replaces that of the first hand
    (tiles in the game's order, in Riichi see `janshi.riichi.play.wall`). The same seed plays the same games as in
    `Tables`. Raises `ValueError` for an unknown name and an invalid seed or wall.
    """

    def __init__(self, rules: RuleSet | str = "tenhou-sanma", seed: int = 0, wall: ArrayLike | None = None) -> None:
        checked = rules_of(rules)
        first = None if wall is None else check_wall(checked, wall)[None]
        seeds = check_seeds([seed] if isinstance(seed, int) else seed, 1)
        self._tables = Tables(checked, 1, seeds, auto_reset=False)
        if first is not None:
            self._tables.reset([0], seeds, first)

    @property
    def rules(self) -> Any:
        """Rules of the game."""
        return self._tables.rules

    @property
    def game(self) -> Game:
        """The game."""
        return self._tables.game

    @property
    def state(self) -> Any:
        """The table's record with attributes, including hidden information; it changes with every action."""
        return row(self._tables.states)

    @property
    def record(self) -> NDArray[Any]:
        """The table's record (in Riichi `janshi.riichi.state.State`), including hidden information."""
        return cast("NDArray[Any]", cast("NDArray[Any]", self._tables.states)[0])

    @property
    def actor(self) -> int:
        """The deciding seat; −1 when the hand is over."""
        return int(self.record["actor"])

    @property
    def legal(self) -> list[int]:
        """Legal actions of the actor in ascending order; empty when the hand is over."""
        return [int(action) for action in np.flatnonzero(self._tables.legal()[0])]

    @property
    def hand_over(self) -> bool:
        """True if the hand is over."""
        return bool(self._tables.hand_over[0])

    @property
    def over(self) -> bool:
        """True if the game is over."""
        return bool(self._tables.over[0])

    @property
    def scores(self) -> list[int]:
        """Points of every seat."""
        return [int(points) for points in self._tables.scores[0]]

    @property
    def result(self) -> HandOutcome | None:
        """Result of the hand, or None during the hand."""
        if not self.hand_over:
            return None
        outcome = self.game.outcomes(cast("NDArray[Any]", self._tables.states))
        dealt_in = np.flatnonzero(outcome.dealt_in[0]).tolist()
        return HandOutcome(
            self.game.ending_text(int(outcome.ended[0])),
            tuple(np.flatnonzero(outcome.won[0]).tolist()),
            dealt_in[0] if dealt_in else None,
            tuple(self._tables.changes[0].tolist()),
        )

    def action_text(self, action: int) -> str:
        """Return the description of an action. Raises `ValueError` for a number that is not an action of the game."""
        return self.game.action_text(action)

    def act(self, action: int) -> None:
        """Perform an action of the actor; the table continues to the next decision.

        Raises `ActionError` for an illegal action; the table has not changed then.
        """
        if isinstance(action, bool) or not isinstance(action, int | np.integer):
            raise ActionError(f"{action!r} is no action: they are whole numbers from 0 to {self.game.actions - 1}")
        if not 0 <= action < self.game.actions:
            raise ActionError(f"{action} is no action: they run from 0 to {self.game.actions - 1}")
        if self.hand_over:
            raise ActionError(f"{self.action_text(int(action))}: the hand is over; go on with next_hand()")
        try:
            self._tables.step([int(action)])
        except ActionError:
            options = ", ".join(self.action_text(legal) for legal in self.legal)
            refusal = f"seat {self.actor} may not {self.action_text(int(action))}; it may: {options}"
            raise ActionError(refusal) from None

    def next_hand(self, wall: ArrayLike | None = None) -> None:
        """Begin the game's next hand. Raises `ActionError` during a hand or when the game is over."""
        if not self.hand_over or self.over:
            raise ActionError("the game is over" if self.over else "the hand is not over")
        laid = None if wall is None else check_wall(self.rules, wall)[None]
        self._tables.next_hand([0], laid)

    def view(self, seat: int) -> Any:
        """Return a copy of a seat's view (in Riichi `janshi.riichi.state.View`), without hidden information.

        While another seat decides about a tile, ``actor`` is −1: the phase shows the decision, but not the seat. Raises
        `ValueError` for an invalid seat.
        """
        return row(self._tables.views([0], [seat]))

    def events(self, seat: int) -> NDArray[np.int8]:
        """Return the log of the hand as visible to a seat: rows (n, 4) of event, seat, tile, detail.

        Tiles drawn by others are −1. In Riichi see `janshi.riichi.state.Event`.
        """
        log = cast("NDArray[Any]", self._tables.events([0], [seat]))[0]
        rows: NDArray[np.int8] = log["rows"].reshape(-1, 4)[: int(log["count"])].copy()
        return rows

    def decision(self) -> DecisionBatch:
        """Return the pending decision for agents. Raises `ActionError` if there is none."""
        return self._tables.decisions([0])

    def copy(self) -> Table:
        """Return a copy of the table."""
        other = object.__new__(type(self))
        other._tables = self._tables.copy()
        return other

    __copy__ = copy
