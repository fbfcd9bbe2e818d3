"""Data files of a paper: its scales (``scales.toml``) and its printed figures (``figures.toml``)."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, TypeVar


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """Size of a reproduction. ``None`` means all data, or the value of the paper."""

    name: str
    """Name on the command line."""
    description: str
    """Duration and machine."""
    disk: str
    """Peak size of the folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordScale(Scale):
    """Size of a reproduction from records."""

    hands: int | None = None
    """Hands to train on at most."""
    test_hands: int | None = None
    """Hands to test on at most."""
    average: float = 0.0
    """Decay of the moving average of the weights, which is then tested; 0: no average, as in the papers."""
    augment: bool = False
    """True to exchange equivalent suits at random; never in the papers."""
    cosine: bool = True
    """True for cosine decay of the learning rate to 0; False for a constant rate, as in the papers."""
    measurements: int
    """Points of a learning curve on games held out."""
    measured: int
    """Situations of them at each."""
    tested: int | None = None
    """Situations of the test set on which each network is measured, at most."""
    walls: int
    """Walls of the matches, each played in every seat."""


ScaleT = TypeVar("ScaleT", bound=Scale)


def load_data(package: str | None, name: str) -> dict[str, Any]:
    """Return the content of a TOML file of a package, with arrays as tuples.

    >>> load_data("janshi.papers.gao", "figures.toml")["rating"]
    (1850, 1600)
    """
    return {key: _fixed(value) for key, value in _read(package, name).items()}


def load_scales(package: str | None, kind: type[ScaleT]) -> dict[str, ScaleT]:
    """Return the scales in ``scales.toml`` of a package by name; fields that it does not name have their defaults."""
    return {name: kind(name=name, **values) for name, values in load_data(package, "scales.toml").items()}


def _read(package: str | None, name: str) -> dict[str, Any]:
    assert package is not None, "a paper is a package"
    return tomllib.loads((files(package) / name).read_text(encoding="utf-8"))


def _fixed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _fixed(part) for key, part in value.items()}
    return tuple(map(_fixed, value)) if isinstance(value, list) else value
