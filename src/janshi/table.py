"""Tables to play at: one to explore by hand, or a batch of them.

>>> table = Table("tenhou-sanma-hand", seed=7)
>>> table.actor, len(table.legal) > 1
(0, True)
>>> while not table.over:
...     table.act(table.legal[0])
>>> sum(table.scores)
105000

`Tables` plays many at once: `Tables.legal` is a mask of shape (n, 122), `Tables.step` takes one action a table.
The actions are those of `janshi.engine.actions`; `action_text` says in words what one does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from janshi.compiling import Batch, dtype_of, row, zeros
from janshi.engine import actions
from janshi.engine.play import begin_games, next_hands, play_random, step_tables, write_legal, write_views
from janshi.engine.rulebook import write_rules
from janshi.engine.state import CLAIM, GAME_OVER, HAND_OVER, RON, TSUMO, Public, State, View
from janshi.engine.tables import lookup
from janshi.rules import Rules, preset
from janshi.tiles import tile_text

T = TypeVar("T")

_CHII: Final = ("low", "middle", "high")
_PUBLIC: Final = dtype_of(Public).fields
#: Bytes at the beginning of a `State` and of a `View` that everybody may see.
SHARED: Final = int(dtype_of(State).fields["hands"][1])  # type: ignore[index]


class ActionError(ValueError):
    """An action that the rules do not allow there; the table is unchanged."""


def action_text(action: int) -> str:
    """Say what an action does.

    >>> action_text(35), action_text(41), action_text(46), action_text(88)
    ('discard 0p', 'chii (called tile high)', 'pon with 1 red five', 'added kan 1m')
    """
    if not 0 <= action < actions.ACTIONS:
        raise ActionError(f"{action} is no action: they run from 0 to {actions.ACTIONS - 1}")
    if action < actions.TSUMOGIRI:
        return f"discard {tile_text(action)}"
    if actions.CHII <= action < actions.PON:
        red = ", red five" if action >= actions.CHII_RED else ""
        return f"chii (called tile {_CHII[(action - actions.CHII) % 3]}{red})"
    if actions.PON <= action < actions.DAIMINKAN:
        reds = action - actions.PON
        return "pon" if not reds else f"pon with {reds} red five{'s' if reds > 1 else ''}"
    if actions.ANKAN <= action < actions.KAKAN:
        return f"closed kan {tile_text(action - actions.ANKAN)}"
    if action >= actions.KAKAN:
        return f"added kan {tile_text(action - actions.KAKAN)}"
    return {
        actions.TSUMOGIRI: "discard the drawn tile",
        actions.RIICHI: "riichi",
        actions.DAIMINKAN: "open kan",
        actions.KITA: "kita",
        actions.TSUMO: "tsumo",
        actions.RON: "ron",
        actions.NINE_TERMINALS: "nine terminals",
        actions.PASS: "pass",
    }[action]


def rules_of(rules: Rules | str) -> Rules:
    """Return a rule set given as such or by a preset's name. Raises `janshi.rules.RuleError` for an unknown name."""
    return preset(rules) if isinstance(rules, str) else rules


def check_wall(rules: Rules, wall: Sequence[int] | NDArray[Any]) -> NDArray[np.int8]:
    """Return a wall (tiles 0–36 in Tenhou's order, 136 or 108) as int8; raises `ValueError` where it is none."""
    tiles = np.asarray(wall)
    reference = new_states(rules, 1)
    begin_games(reference, lookup(), np.zeros(1, np.int64))
    wanted = np.sort(cast("NDArray[Any]", reference)["wall"][0][: 136 if rules.players == 4 else 108])
    if tiles.shape != wanted.shape or not np.array_equal(np.sort(tiles), wanted):
        raise ValueError(f"a wall of {rules.name!r} holds its {len(wanted)} tiles once each; this one does not")
    return tiles.astype(np.int8)


def new_states(rules: Rules, count: int) -> Batch[State]:
    """Return tables of one rule set on which no game has begun."""
    # The rules alone are copied: NumPy would fill the gaps between a record's fields with anything.
    states = zeros(State, count)
    write_rules(rules, cast("NDArray[Any]", states)["rules"])
    return states


def views_of(states: Batch[State], which: NDArray[np.int64], seats: NDArray[np.int8]) -> Batch[View]:
    """Return what ``seats[i]`` may see at table ``which[i]``: `View` records (n,)."""
    views = zeros(View, len(which))
    bytes_of(views)[:, :SHARED] = bytes_of(states)[which, :SHARED]
    write_views(states, which, seats, views)
    return views


def bytes_of(records: Any) -> NDArray[np.uint8]:
    """Return the bytes of an array of records, one row each; writing to them writes to the records."""
    array = cast("NDArray[Any]", records)
    return array.view(np.uint8).reshape(len(array), array.dtype.itemsize)


@dataclass(frozen=True, slots=True)
class HandResult:
    """How a hand ended."""

    reason: str
    """``"tsumo"``, ``"ron"``, or the name of the draw."""
    winners: tuple[int, ...]
    feeder: int | None
    change: tuple[int, ...]
    """Change of every seat's points in the hand, riichi sticks laid down not included."""


_REASONS: Final = (
    "exhaustive draw",
    "nine terminals",
    "four winds",
    "four riichi",
    "four kans",
    "triple ron",
    "nagashi mangan",
    "tsumo",
    "ron",
)


class Table:
    """One table: look, ask what is legal, act.

    ``rules`` is a rule set or a preset's name, ``seed`` decides all walls; ``wall`` gives the first hand's wall
    instead (tiles 0–36 in Tenhou's order, see `janshi.engine.wall`).
    """

    def __init__(
        self, rules: Rules | str = "tenhou-sanma", seed: int = 0, wall: Sequence[int] | NDArray[Any] | None = None
    ) -> None:
        self.rules = rules_of(rules)
        self._states = new_states(self.rules, 1)
        self._only = np.zeros(1, np.int64)
        self._ended = np.zeros(1, np.int8)
        self._change, self._points = np.zeros((1, 4), np.int32), np.zeros((1, 4), np.int32)
        self.state: State = row(self._states)
        self.state.seed = _seed(seed)
        if wall is not None:
            self._lay(wall)
        begin_games(self._states, lookup(), self._only)
        self.state.walls_given = 0

    def _lay(self, wall: Sequence[int] | NDArray[Any]) -> None:
        tiles = check_wall(self.rules, wall)
        self.state.wall[: len(tiles)] = tiles
        self.state.walls_given = 1

    @property
    def record(self) -> NDArray[Any]:
        """The table's record (`janshi.engine.state.State`) with everything hidden in it; it changes as one plays."""
        return cast("NDArray[Any]", cast("NDArray[Any]", self._states)[0])

    @property
    def actor(self) -> int:
        """Seat that the table waits for; −1 when the hand is over."""
        return int(self.state.actor)

    @property
    def legal(self) -> list[int]:
        """Legal actions of the actor, ascending; empty when the hand is over."""
        mask = np.zeros((1, actions.ACTIONS), np.bool_)
        write_legal(self._states, self._only, mask)
        return [int(one) for one in np.flatnonzero(mask[0])]

    @property
    def hand_over(self) -> bool:
        """Whether the hand is over."""
        return int(self.state.phase) >= HAND_OVER

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return int(self.state.phase) == GAME_OVER

    @property
    def scores(self) -> list[int]:
        """Points of every seat."""
        return [int(self.state.seats[seat].points) for seat in range(self.rules.players)]

    @property
    def result(self) -> HandResult | None:
        """How the hand ended, or None while it is played."""
        state = self.state
        if not self.hand_over:
            return None
        won = int(state.ended) in (TSUMO, RON)
        return HandResult(
            _REASONS[int(state.ended)],
            tuple(int(state.wins[one].seat) for one in range(int(state.winners))),
            int(state.turn) if won and int(state.ended) == RON else None,
            tuple(int(one) for one in state.change[: self.rules.players]),
        )

    def act(self, action: int) -> None:
        """Let the actor do an action; the table plays on to the next decision.

        Raises `ActionError` where it is not legal; nothing has changed then.
        """
        if self.hand_over:
            raise ActionError(f"{action_text(action)}: the hand is over; go on with next_hand()")
        action_text(action)
        chosen = np.array([action], np.int16)
        wrong = step_tables(self._states, lookup(), chosen, 0, 1, False, self._ended, self._change, self._points)
        if wrong >= 0:
            asked = "about a tile" if int(self.state.phase) == CLAIM else "on its turn"
            options = ", ".join(action_text(one) for one in self.legal)
            raise ActionError(f"seat {self.actor}, asked {asked}, may not {action_text(action)}; it may: {options}")

    def next_hand(self, wall: Sequence[int] | NDArray[Any] | None = None) -> None:
        """Begin the game's next hand. Raises `ActionError` while one is played or when the game is over."""
        if int(self.state.phase) != HAND_OVER:
            raise ActionError("the game is over" if self.over else "the hand is not over")
        if wall is not None:
            self._lay(wall)
        next_hands(self._states, lookup(), self._only)
        self.state.walls_given = 0

    def view(self, seat: int) -> View:
        """Return what a seat may know: a copy, from which nothing hidden can be reached."""
        if not 0 <= seat < self.rules.players:
            raise ActionError(f"there is no seat {seat} at a table of {self.rules.players}")
        return row(views_of(self._states, self._only, np.array([seat], np.int8)))

    def _repr_svg_(self) -> str:
        """Show the table in a notebook, all hands open."""
        # What draws stands above this room; a notebook asks for its own way of showing nowhere but here.
        from janshi.drawing.table import open_table_svg

        return open_table_svg(self)

    def copy(self) -> Table:
        """Return another table in the same state."""
        other = object.__new__(Table)
        other.rules = self.rules
        other._states = cast("Batch[State]", cast("NDArray[Any]", self._states).copy())
        other._only = np.zeros(1, np.int64)
        other._ended = np.zeros(1, np.int8)
        other._change, other._points = self._change.copy(), self._points.copy()
        other.state = row(other._states)
        return other


def _seed(seed: int) -> int:
    if not -(1 << 63) <= seed < 1 << 63:
        raise ValueError(f"seed {seed} does not fit into 64 bits")
    return seed


class Tables:
    """Many tables of one rule set.

    ``seeds`` is one number (table i plays the games of seed + i) or one for each table. The same seed plays
    the same game whatever the number of tables and threads. With ``auto_reset`` a table goes on by itself after
    a hand and after a game; otherwise it stays as it is until `next_hand` or `reset`.
    """

    def __init__(
        self,
        rules: Rules | str,
        count: int,
        seeds: ArrayLike = 0,
        *,
        auto_reset: bool = True,
        threads: int = 1,
    ) -> None:
        if count < 1 or threads < 1:
            raise ValueError(f"{count} tables on {threads} threads: both are at least 1")
        self.rules = rules_of(rules)
        self.auto_reset = auto_reset
        self.states = new_states(self.rules, count)
        self._array = cast("NDArray[Any]", self.states)
        self.lookup = lookup()
        self._ended = np.zeros(count, np.int8)
        self._change, self._points = np.zeros((count, 4), np.int32), np.zeros((count, 4), np.int32)
        self._bounds = np.linspace(0, count, min(threads, count) + 1).astype(int).tolist()
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        numbers = np.asarray(seeds, np.int64)
        self.reset(np.arange(count), np.arange(count) + numbers if numbers.ndim == 0 else numbers)

    def __len__(self) -> int:
        return len(self._array)

    def reset(self, which: ArrayLike, seeds: ArrayLike, walls: ArrayLike | None = None) -> None:
        """Start new games at some tables (their numbers), with one seed each.

        ``walls`` (one row for each of them, tiles 0–36 in Tenhou's order) are dealt from in the first hand instead of
        the seeds'. Raises `ValueError` where a row is no wall of these rules.
        """
        places = np.asarray(which, np.int64)
        self._lay(places, walls)
        self._array["seed"][places] = np.asarray(seeds, np.int64)
        for name in ("clock", "games"):
            self._array[name][places] = 0
        begin_games(self.states, self.lookup, places)
        self._array["walls_given"] = 0

    def next_hand(self, which: ArrayLike, walls: ArrayLike | None = None) -> None:
        """Begin the next hand at some tables (their numbers); those that are not at the end of a hand stay.

        ``walls`` as in `reset`.
        """
        places = np.asarray(which, np.int64)
        if walls is not None and (self._array["phase"][places] != HAND_OVER).any():
            raise ActionError("walls are given for hands to come, and a hand is not over at each of these tables")
        self._lay(places, walls)
        next_hands(self.states, self.lookup, places)
        self._array["walls_given"] = 0

    def _lay(self, places: NDArray[np.int64], walls: ArrayLike | None) -> None:
        if walls is None:
            return
        rows = np.asarray(walls)
        if rows.ndim != 2 or len(rows) != len(places):
            raise ValueError(f"{len(places)} tables need as many walls, these have shape {rows.shape}")
        checked = np.stack([check_wall(self.rules, row) for row in rows])
        self._array["wall"][places, : checked.shape[1]] = checked
        self._array["walls_given"][places] = 1

    @property
    def actors(self) -> NDArray[np.int8]:
        """Seat that each table waits for (n, int8); −1 for none."""
        return self._array["actor"].copy()

    @property
    def scores(self) -> NDArray[np.int32]:
        """Points (n, players; int32)."""
        return self._array["seats"]["points"][:, : self.rules.players].copy()

    @property
    def hand_over(self) -> NDArray[np.bool_]:
        """Tables whose last step ended a hand (n, bool)."""
        return self._ended > 0

    @property
    def game_over(self) -> NDArray[np.bool_]:
        """Tables whose last step ended a game (n, bool)."""
        return self._ended > 1

    @property
    def changes(self) -> NDArray[np.int32]:
        """What the hand that the last step ended has changed of every seat's points, riichi sticks included.

        (n, players; int32), 0 at tables where no hand has ended.
        """
        return self._change[:, : self.rules.players].copy()

    @property
    def last_scores(self) -> NDArray[np.int32]:
        """Points at the end of the last hand that a step ended, before its table went on (n, players; int32)."""
        return self._points[:, : self.rules.players].copy()

    def legal(self, which: ArrayLike | None = None) -> NDArray[np.bool_]:
        """Legal actions of each table's actor (n, 122; bool), or of those of some tables."""
        places = np.arange(len(self)) if which is None else np.asarray(which, np.int64)
        mask = np.zeros((len(places), actions.ACTIONS), np.bool_)
        write_legal(self.states, places, mask)
        return mask

    def views(self, which: ArrayLike | None = None, seats: ArrayLike | None = None) -> Batch[View]:
        """Return what the actors may see (n,), or the given seats at the given tables."""
        places = np.arange(len(self)) if which is None else np.asarray(which, np.int64)
        who = np.maximum(self._array["actor"][places], 0) if seats is None else np.asarray(seats)
        return views_of(self.states, places.astype(np.int64), who.astype(np.int8))

    def step(self, chosen: ArrayLike) -> None:
        """Let each table's actor do its action (n). Tables that wait for nobody are left alone.

        Raises `ActionError` naming the first table whose action is not legal; that table has not changed.
        """
        wanted = np.asarray(chosen)
        if wanted.shape != (len(self),) or wanted.dtype.kind not in "iu":
            raise ActionError(f"{len(self)} tables need as many whole numbers, not {wanted.dtype} {wanted.shape}")
        taken = np.where((wanted < 0) | (wanted >= actions.ACTIONS), -1, wanted).astype(np.int16)
        wrong = -1
        for one in self.spread(self._step, taken):
            wrong = one if wrong < 0 else wrong
        if wrong >= 0:
            seat = int(self._array["actor"][wrong])
            raise ActionError(f"table {wrong}: seat {seat} may not do action {int(wanted[wrong])}")

    def _step(self, first: int, last: int, taken: NDArray[np.int16]) -> int:
        out = (self._ended, self._change, self._points)
        return step_tables(self.states, self.lookup, taken, first, last, self.auto_reset, *out)

    def play_random(self, decisions: int) -> int:
        """Let each table take so many random decisions, going on after hands and games; return the hands ended."""
        return sum(self.spread(self._random, decisions))

    def _random(self, first: int, last: int, decisions: int) -> int:
        return play_random(self.states, self.lookup, decisions, first, last)

    def spread(self, work: Callable[[int, int, T], int], argument: T) -> list[int]:
        """Do some work on every table, split among the threads; return each one's result in order."""
        spans = list(zip(self._bounds, self._bounds[1:], strict=False))
        if self._pool is None:
            return [work(first, last, argument) for first, last in spans]
        return [one.result() for one in [self._pool.submit(work, first, last, argument) for first, last in spans]]
