"""Encoders: views as arrays for networks, by name.

>>> from janshi.table import Tables
>>> encoder("janshi").encode(Tables("tenhou-sanma", 2).decisions()).shape
(2, 401)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from janshi import built_in
from janshi.encoders.base import Encoder, EncoderError, Layout, expand
from janshi.games import GAMES
from janshi.registries import Registry, origins

__all__ = [
    "ENCODERS",
    "Encoder",
    "EncoderError",
    "Layout",
    "by_columns",
    "encoder",
    "expand",
    "origins_with",
    "register",
    "require",
]

#: Every encoder by its name. Those of other packages are added by entry points ``janshi.encoders`` or by `register`.
ENCODERS: Final[Registry[Encoder]] = Registry("janshi.encoders", "encoder", built_in.ENCODERS, EncoderError)

#: Encoders that files of earlier versions name by their number of columns.
_BY_COLUMNS: Final = {366: "meowjong", 401: "janshi"}


def register(encoder: Encoder) -> Encoder:
    """Make an encoder known under its name; returns it. Raises `EncoderError` if another one has it."""
    return ENCODERS.register(encoder.name, encoder)


def encoder(name: str) -> Encoder:
    """Return an encoder by its name. Raises `EncoderError` if there is none.

    >>> encoder("meowjong").shape
    (366, 34)
    """
    return ENCODERS[name]


def origins_with(name: str, **more: str) -> dict[str, str]:
    """Return what brought an encoder, its game, and ``more`` names by what they are, but those that ship.

    Checkpoints and ONNX files keep it: see `require`.
    """
    return origins(encoder=name, game=ENCODERS[name].game, **more)


def require(name: str, brought: Mapping[str, str]) -> Encoder:
    """Return the encoder that a file needs. Raises `ValueError`, which says what to install, where it is not there.

    ``brought``: what the file says of where the encoder and its game are from (`origins_with`).
    """
    found = ENCODERS.require(name, brought.get("encoder", ""))
    GAMES.require(found.game, brought.get("game", ""))
    return found


def by_columns(columns: int) -> Encoder:
    """Return the encoder of so many columns, for files of versions that did not name it yet.

    Raises `EncoderError` for a number that none of these had.

    >>> by_columns(401).name
    'janshi'
    """
    if columns not in _BY_COLUMNS:
        counts = ", ".join(str(count) for count in _BY_COLUMNS)
        raise EncoderError(f"no encoder of {columns} columns: earlier versions had {counts}")
    return ENCODERS[_BY_COLUMNS[columns]]
