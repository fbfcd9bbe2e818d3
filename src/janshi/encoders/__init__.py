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
    "encoder",
    "expand",
    "origins_with",
    "register",
    "require",
]

#: Every encoder by its name. Other packages add theirs by the entry points ``janshi.encoders`` or `register`.
ENCODERS: Final[Registry[Encoder]] = Registry("janshi.encoders", "encoder", built_in.ENCODERS, EncoderError)


def register(encoder: Encoder) -> Encoder:
    """Register an encoder under its name and return it. Raises `EncoderError` if another one has the name."""
    return ENCODERS.register(encoder.name, encoder)


def encoder(name: str) -> Encoder:
    """Return an encoder by its name. Raises `EncoderError` if there is none.

    >>> encoder("meowjong").shape
    (366, 34)
    """
    return ENCODERS[name]


def origins_with(name: str, **more: str) -> dict[str, str]:
    """Return the origins of an encoder, its game, and ``more`` names by kind, without built-in ones.

    Checkpoints and ONNX files store them: see `require`.
    """
    return origins(encoder=name, game=ENCODERS[name].game, **more)


def require(name: str, brought: Mapping[str, str]) -> Encoder:
    """Return the encoder of a file. Raises `ValueError` if it is missing; the message names what to install.

    ``brought``: origins of the encoder and its game in the file (`origins_with`).
    """
    found = ENCODERS.require(name, brought.get("encoder", ""))
    GAMES.require(found.game, brought.get("game", ""))
    return found
