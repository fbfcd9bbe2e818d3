"""The description of an encoder: views as arrays for networks, under a name.

Datasets, training, checkpoints, ONNX files, agents and environments carry the encoder's *name* (see
`janshi.encoders.encoder`); nobody counts columns. An encoder is a compiled rule that writes one view, and a description
of what it writes.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from itertools import accumulate
from typing import Any, Final, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Batched, ByteRows, Int64s, batched, dtype_of, rule
from janshi.core.bits import lowest_bit
from janshi.core.game import Game, RuleSet
from janshi.games import GAMES, game_of
from janshi.table import DecisionBatch

_KINDS: Final = 34
_ALL: Final = (1 << _KINDS) - 1


class EncoderError(ValueError):
    """An unknown encoder, or one that does not support its input."""


class Layout(Enum):
    """Layout of an encoder's output in memory and for a network."""

    MASKS = "masks"
    """Columns of zeros and ones over the 34 kinds: kept as one 34-bit mask each, expanded where the network runs."""
    NUMBERS = "numbers"
    """Plain numbers: kept as they are."""


def first_columns(groups: Mapping[str, Sequence[str]], first: int = 0) -> list[int]:
    """Return the first column of each group of names, which follow each other from ``first`` on.

    >>> first_columns({"hand": ("own tiles", "own red fives"), "dora": ("dora",)})
    [0, 2]
    """
    return [*accumulate((len(names) for names in groups.values()), initial=first)][:-1]


@dataclass(frozen=True, slots=True)
class FullState:
    """What a game brings to critics that see everything: the facet ``"full state"``."""

    summary: NDArray[np.int64]
    """Columns of no kind of tile (shanten, points, waits left …), from which a critic learns in fewer games."""
    write: Callable[..., NDArray[np.int8]]
    """``(states, seats, which)``: the states (n, numbers) as seen from one seat each of the tables ``which`` (n)."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Encoder:
    """An encoder: see the module.

    ``write`` is a `janshi.compiling.rule` over one view: its parameters are a view, where wanted the log of the hand
    and what the seat may not see (in Riichi `janshi.riichi.state.Events` and ``OtherHands``), shared records,
    workspaces, and last the array to write to (masks: ``Int64s``; numbers: any one-dimensional array), which is all
    zeros when the rule gets it.

    Raises `ValueError` where a column's name comes twice, or ``number_shape`` does not hold as many numbers as there
    are.
    """

    name: str
    write: Callable[..., Any]
    columns: tuple[str, ...]
    """Meaning of each column (or number)."""
    layout: Layout = Layout.MASKS
    game: str = field(default_factory=lambda: GAMES.first)
    players: frozenset[int] = frozenset({3, 4})
    symmetric: bool = True
    """Whether suits of equal standing may change places in what it writes."""
    extends: str | None = None
    """Name of an encoder whose columns are the first of this one's."""
    number_shape: tuple[int, ...] | None = None
    """Of `Layout.NUMBERS`: how the numbers are laid out for a network; one row by default."""
    position_columns: int = 0
    """Of `Layout.MASKS`: so many last columns are the same for all kinds: of the position, not of a kind."""
    kind_features: int = 0
    """Of `Layout.NUMBERS`: so many numbers of each kind of tile in turn come first; 0: they are in another order."""

    def __post_init__(self) -> None:
        """Refuse a description that contradicts itself."""
        if len(set(self.columns)) != len(self.columns):
            twice = next(name for name in self.columns if self.columns.count(name) > 1)
            raise ValueError(f"encoder {self.name!r} has two columns {twice!r}")
        if self.number_shape is not None:
            if self.layout is not Layout.NUMBERS:
                raise ValueError(f"encoder {self.name!r}: number_shape belongs to Layout.NUMBERS")
            if math.prod(self.number_shape) != len(self.columns):
                raise ValueError(f"encoder {self.name!r} has {len(self.columns)} numbers, not {self.number_shape}")

    @property
    def packed_shape(self) -> tuple[int, ...]:
        """Shape of one encoded view as it is kept."""
        return (len(self.columns),)

    @cached_property
    def packed_dtype(self) -> np.dtype[Any]:
        """Type of the numbers as they are kept."""
        array = list(self._parameters.values())[-1]
        dtype: np.dtype[Any] = np.dtype(get_args(get_args(get_args(array)[0])[-1])[0])
        return dtype

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of one network input."""
        if self.layout is Layout.MASKS:
            return (len(self.columns), _KINDS)
        return self.packed_shape if self.number_shape is None else self.number_shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of a network's input."""
        return np.dtype(np.uint8) if self.layout is Layout.MASKS else self.packed_dtype

    @cached_property
    def wants_events(self) -> bool:
        """Whether it reads the log of the hand."""
        return self._game.events is not None and self._game.events in self._parameters.values()

    @cached_property
    def wants_hidden(self) -> bool:
        """Whether it reads what the seat may not see: it serves records, not tables, for networks that teach others."""
        return self._game.hidden is not None and self._game.hidden in self._parameters.values()

    @property
    def _game(self) -> Game:
        if self.game not in GAMES:
            raise EncoderError(f"encoder {self.name!r} is for the game {self.game!r}, which is not known")
        return GAMES[self.game]

    @cached_property
    def _parameters(self) -> dict[str, Any]:
        """Types of the parameters of `write`, in their order."""
        function = getattr(self.write, "py_func", self.write)
        hints = get_type_hints(function, include_extras=True)
        return {name: hints[name] for name in inspect.signature(function).parameters}

    @cached_property
    def _writer(self) -> Batched:
        return batched(self.write, clears=next(reversed(self._parameters)), brief=True)

    @property
    def entries(self) -> tuple[Batched, ...]:
        """The compiled functions that encoding calls, for `janshi.compiling.prepare`."""
        return (self._writer, _expand_masks) if self.layout is Layout.MASKS else (self._writer,)

    def check(self, rules: RuleSet) -> None:
        """Raise `EncoderError` where it does not serve games by these rules."""
        game = game_of(rules).name
        if game != self.game:
            raise EncoderError(f"encoder {self.name!r} is for {self.game}, not for {game}")
        self._check_players(rules.players)

    def _check_players(self, players: int) -> None:
        if players not in self.players:
            able = " or ".join(str(number) for number in sorted(self.players))
            raise EncoderError(f"encoder {self.name!r} is for games of {able} players, not of {players}")

    def _check_views(self, views: NDArray[Any]) -> None:
        if views.dtype != dtype_of(self._game.view) or views.ndim != 1:
            raise EncoderError(f"encoder {self.name!r} takes an array (n,) of views of {self.game}")
        if "rules" in (views.dtype.names or ()) and "players" in (views.dtype["rules"].names or ()):
            for players in np.unique(views["rules"]["players"]).tolist():
                self._check_players(players)

    def encode(self, batch: DecisionBatch, *, threads: int = 1) -> NDArray[Any]:
        """Return decisions as they are kept (n, `packed_shape`; `packed_dtype`).

        Raises `EncoderError` for rules that it does not serve, and where it `wants_hidden`.
        """
        self.check(batch.rules)
        return self.encode_views(batch.views, batch.events if self.wants_events else None, threads=threads)

    def encode_views(
        self, views: Any, events: Any = None, *, out: NDArray[Any] | None = None, threads: int = 1
    ) -> NDArray[Any]:
        """Return views (n) as they are kept (n, `packed_shape`; `packed_dtype`).

        ``events``: the logs of their hands where it `wants_events`; ``out``: an array to write to and return instead of
        a new one. Raises `EncoderError` for views of another game or number of players, where the logs are wanted and
        not given, where it `wants_hidden`, and where ``out`` is not such an array.
        """
        self._check_seen()
        records = np.asarray(views)
        self._check_views(records)
        if self.wants_events and (events is None or len(events) != len(records)):
            raise EncoderError(f"encoder {self.name!r} reads the logs of hands, one for each view")
        shape = (len(records), *self.packed_shape)
        packed = np.empty(shape, self.packed_dtype) if out is None else out
        if packed.shape != shape or packed.dtype != self.packed_dtype or not packed.flags.c_contiguous:
            wanted = f"{shape} {self.packed_dtype}"
            raise EncoderError(f"encoder {self.name!r} writes {wanted}, not {packed.shape} {packed.dtype}")
        self.write_unchecked(views, events, packed, threads=threads)
        return packed

    def _check_seen(self) -> None:
        if self.wants_hidden:
            raise EncoderError(f"encoder {self.name!r} reads others' concealed tiles: it serves records, no tables")

    def write_unchecked(
        self, views: Any, events: Any, packed: NDArray[Any], *, hidden: Any = None, threads: int = 1
    ) -> None:
        """Write views as `encode_views` does, and check nothing: for loops that have done so once.

        ``hidden``: what other seats hold, one record each, where it `wants_hidden`.
        """
        logs = (events,) if self.wants_events else ()
        others = (hidden,) if self.wants_hidden else ()
        self._writer(views, *logs, *others, packed, threads=threads)

    def bind(self, rules: RuleSet, views: Any, *, packed: bool) -> Callable[[], NDArray[Any]]:
        """Return a function that encodes these views as they stand when it is called, sooner than `encode_views`.

        It returns a new array each time: what is kept if ``packed``, else what a network takes. It is for one thread at
        a time. Raises `EncoderError` for rules that it does not serve, and where it `wants_events` or `wants_hidden`.
        """
        self.check(rules)
        self._check_seen()
        if self.wants_events:
            raise EncoderError(f"encoder {self.name!r} reads the logs of hands")
        kept = np.empty((len(views), *self.packed_shape), self.packed_dtype)
        write = self._writer.bind(views, kept)
        if packed or self.layout is not Layout.MASKS:
            shape = kept.shape if packed else (len(views), *self.shape)

            def encode() -> NDArray[Any]:
                write()
                return kept.copy().reshape(shape)

            return encode
        dense = np.empty((len(views), *self.shape), np.uint8)
        expand_kept = _expand_masks.bind(kept, dense)

        def encode_dense() -> NDArray[Any]:
            write()
            expand_kept()
            return dense.copy()

        return encode_dense

    def inputs(self, packed: NDArray[Any]) -> NDArray[Any]:
        """Return what a network takes (n, `shape`; `dtype`) from what is kept.

        Raises `EncoderError` for another shape.
        """
        if packed.ndim != 2 or packed.shape[1:] != self.packed_shape:
            raise EncoderError(f"encoder {self.name!r} keeps (n, {len(self.columns)}), this is {packed.shape}")
        if self.layout is Layout.MASKS:
            return expand(packed)
        return packed.reshape(len(packed), *self.shape)


# ---------------------------------------------------------------------------------------------------------
# Masks


@rule
def expand_row(columns: Int64s, dense: ByteRows) -> None:
    """Write masks (c) as zeros and ones (c, 34): most columns are empty or full, most others hold one bit."""
    for column in range(len(columns)):
        mask = int(columns[column])
        if mask == _ALL:
            for kind in range(34):
                dense[column, kind] = 1
        else:
            for kind in range(34):
                dense[column, kind] = 0
            while mask:
                dense[column, lowest_bit(mask)] = 1
                mask &= mask - 1


_expand_masks = batched(expand_row, brief=True)


def expand(columns: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return masks (n, columns) as zeros and ones: (n, columns, 34), uint8.

    >>> int(expand(np.full((1, 366), 3))[0, 0].sum())
    2
    """
    dense = np.empty((*columns.shape, _KINDS), np.uint8)
    _expand_masks(np.ascontiguousarray(columns, np.int64), dense)
    return dense
