"""Encoders: views as arrays for networks, by name.

>>> from janshi.table import Tables
>>> encoder("janshi").encode(Tables("tenhou-sanma", 2).decisions()).shape
(2, 401)
"""

from __future__ import annotations

from typing import Final

from janshi.encoders.base import Encoder, EncoderError, Layout, expand
from janshi.encoders.gao import GAO
from janshi.encoders.janshi import JANSHI
from janshi.encoders.long import LONG, LONG_CALL
from janshi.encoders.meowjong import MEOWJONG
from janshi.encoders.plans import PLANS
from janshi.encoders.sichuan import SICHUAN
from janshi.encoders.sichuan_dqn import SICHUAN_DQN
from janshi.encoders.table import TABLE

__all__ = ["ENCODERS", "Encoder", "EncoderError", "Layout", "by_columns", "encoder", "expand", "register"]

#: Every encoder by its name. Those of other packages are added by `register`.
ENCODERS: Final[dict[str, Encoder]] = {
    encoder.name: encoder for encoder in (MEOWJONG, JANSHI, PLANS, TABLE, *GAO, LONG, LONG_CALL, SICHUAN, SICHUAN_DQN)
}

#: Encoders that files of earlier versions name by their number of columns.
_BY_COLUMNS: Final = {366: MEOWJONG, 401: JANSHI, 427: PLANS}


def register(encoder: Encoder) -> Encoder:
    """Make an encoder known under its name; returns it. Raises `EncoderError` where another one has it."""
    if ENCODERS.setdefault(encoder.name, encoder) is not encoder:
        raise EncoderError(f"there is an encoder {encoder.name!r} already")
    return encoder


def encoder(name: str) -> Encoder:
    """Return an encoder by its name. Raises `EncoderError` where there is none.

    >>> encoder("meowjong").shape
    (366, 34)
    """
    if name not in ENCODERS:
        raise EncoderError(f"no encoder {name!r}: there are {', '.join(ENCODERS)}")
    return ENCODERS[name]


def by_columns(columns: int) -> Encoder:
    """Return the encoder of so many columns, for files of versions that did not name it yet.

    Raises `EncoderError` for a number that none of these had.

    >>> by_columns(401).name
    'janshi'
    """
    if columns not in _BY_COLUMNS:
        counts = ", ".join(str(count) for count in _BY_COLUMNS)
        raise EncoderError(f"no encoder of {columns} columns: earlier versions had {counts}")
    return _BY_COLUMNS[columns]
