"""The description of an encoder: views as arrays for networks, under a name.

Datasets, training, checkpoints, ONNX files, agents and environments refer to an encoder by its *name* (see
`janshi.encoders.encoder`). An encoder is a compiled rule that writes one view, with a description of the output.
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

from janshi.compiling import Batched, ByteRows, Int64s, batched, dtype_of, element_dtype, rule
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
    """Columns of zeros and ones over the 34 kinds, packed as one 34-bit mask each and expanded for the network."""
    NUMBERS = "numbers"
    """Plain numbers."""


def first_columns(groups: Mapping[str, Sequence[str]], first: int = 0) -> list[int]:
    """Return the first column of each group of names; the groups are consecutive from ``first`` on.

    >>> first_columns({"hand": ("own tiles", "own red fives"), "dora": ("dora",)})
    [0, 2]
    """
    return [*accumulate((len(names) for names in groups.values()), initial=first)][:-1]


@dataclass(frozen=True, kw_only=True, eq=False)
class Encoder:
    """An encoder: see the module.

    ``write`` is a `janshi.compiling.rule` over one view. Its parameters are a view, optionally the log of the hand (in
    Riichi `janshi.riichi.state.Events`), shared records, workspaces, and last the output (masks: ``Int64s``; numbers:
    any one-dimensional array), which contains zeros before the call.

    Raises `ValueError` for duplicate names of columns, or a ``number_shape`` of another size.
    """

    name: str
    write: Callable[..., Any]
    columns: tuple[str, ...]
    """Meaning of each column (or number)."""
    layout: Layout = Layout.MASKS
    game: str = field(default_factory=lambda: GAMES.first)
    players: frozenset[int] = frozenset({3, 4})
    symmetric: bool = True
    """True if equivalent suits may be permuted in its arrays."""
    extends: str | None = None
    """Name of an encoder whose columns are the first of this one's."""
    number_shape: tuple[int, ...] | None = None
    """Shape of a network's input for `Layout.NUMBERS`; one row by default."""
    position_columns: int = 0
    """Number of last columns that describe the position and are equal for all kinds, for `Layout.MASKS`."""
    kind_features: int = 0
    """Number of leading features of each kind of tile, kind by kind, for `Layout.NUMBERS`; 0: none."""

    def __post_init__(self) -> None:
        """Raise `ValueError` for inconsistent fields."""
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
        """Shape of one packed view."""
        return (len(self.columns),)

    @cached_property
    def packed_dtype(self) -> np.dtype[Any]:
        """Type of packed views."""
        array = list(self._parameters.values())[-1]
        return element_dtype(get_args(array)[0])

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
        """True if the encoder reads the log of the hand."""
        return self._game.events is not None and self._game.events in self._parameters.values()

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
        """The compiled functions of the encoder, for `janshi.compiling.prepare`."""
        return (self._writer, _expand_masks) if self.layout is Layout.MASKS else (self._writer,)

    def check(self, rules: RuleSet) -> None:
        """Raise `EncoderError` if the encoder does not support the rules."""
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
        """Return packed decisions (n, `packed_shape`; `packed_dtype`).

        Raises `EncoderError` for rules that the encoder does not support.
        """
        self.check(batch.rules)
        return self.encode_views(batch.views, batch.events if self.wants_events else None, threads=threads)

    def encode_views(
        self, views: Any, events: Any = None, *, out: NDArray[Any] | None = None, threads: int = 1
    ) -> NDArray[Any]:
        """Return packed views (n, `packed_shape`; `packed_dtype`).

        ``events`` contains the logs of the hands if the encoder `wants_events`; ``out`` is an array to write to and
        return. Raises `EncoderError` for views of another game or number of players, for missing logs, and for an
        ``out`` of another shape or type.
        """
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

    def write_unchecked(self, views: Any, events: Any, packed: NDArray[Any], *, threads: int = 1) -> None:
        """Write packed views without checks, for loops that have checked once: see `encode_views`."""
        logs = (events,) if self.wants_events else ()
        self._writer(views, *logs, packed, threads=threads)

    def bind(self, rules: RuleSet, views: Any, *, packed: bool) -> Callable[[], NDArray[Any]]:
        """Return a function that encodes the current contents of ``views``, with less overhead than `encode_views`.

        Each call returns a new array, packed or for a network. Only one thread at a time may call it. Raises
        `EncoderError` for rules that the encoder does not support, and if it `wants_events`.
        """
        self.check(rules)
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
        """Return a network's inputs (n, `shape`; `dtype`) from packed views.

        Raises `EncoderError` for another shape.
        """
        if packed.ndim != 2 or packed.shape[1:] != self.packed_shape:
            raise EncoderError(f"encoder {self.name!r} packs (n, {len(self.columns)}), not {packed.shape}")
        if self.layout is Layout.MASKS:
            return expand(packed)
        return packed.reshape(len(packed), *self.shape)


# ---------------------------------------------------------------------------------------------------------
# Masks


@rule
def expand_row(columns: Int64s, dense: ByteRows) -> None:
    """Expand masks (c) to zeros and ones (c, 34): most columns are empty, full, or have one bit."""
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
    """Expand masks (n, columns) to zeros and ones: (n, columns, 34), uint8.

    >>> int(expand(np.full((1, 366), 3))[0, 0].sum())
    2
    """
    dense = np.empty((*columns.shape, _KINDS), np.uint8)
    _expand_masks(np.ascontiguousarray(columns, np.int64), dense)
    return dense
