"""Hands as arguments: conversion to counts of the 34 kinds, and checks that raise `HandError`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from janshi.core.hands import HandError, counts_of_text
from janshi.tiles import KINDS, tile_text

#: One hand: text such as ``"123m0p7z"``, or its counts of the 34 kinds. An array of hands is (N, 34).
Hand = str | Sequence[int] | NDArray[Any]


def counts_of(hand: Hand) -> NDArray[np.int8]:
    """Return counts (N, 34; int8, contiguous) of one hand (N = 1) or of an array of hands.

    Counts of int8 are not checked: see `check_hand`. Raises `HandError` for anything but text, 34 counts or an array of
    shape (N, 34), and for counts of another type outside 0 to 4.

    >>> counts_of("19m").shape, counts_of([0] * 34).shape
    ((1, 34), (1, 34))
    """
    if isinstance(hand, str):
        return counts_of_text(hand)[None]
    try:
        counts = np.asarray(hand)
    except ValueError as error:
        raise HandError(f"a hand is text such as '123m0p7z' or 34 counts, this is neither: {error}") from error
    if counts.ndim not in (1, 2) or counts.shape[-1] != KINDS:
        raise HandError(f"a hand is 34 counts, hands are an array of shape (N, 34): this one has shape {counts.shape}")
    if counts.dtype.kind not in "iu":
        raise HandError(f"counts are whole numbers, these are {counts.dtype}: convert them with .astype(np.int8)")
    counts = counts.reshape(-1, KINDS)
    if counts.dtype != np.int8:
        impossible = ((counts < 0) | (counts > 4)).any(axis=1)
        if impossible.any():
            number = int(impossible.argmax())
            check_counts(counts[number], name_of(hand, number))
        counts = counts.astype(np.int8)
    return np.ascontiguousarray(counts)


def name_of(hand: Hand, number: int) -> str:
    """Return the name of one of the given hands for an error message.

    >>> name_of("123m", 0), name_of(np.zeros((5, 34), np.int8), 3)
    ("hand '123m'", 'hand 3 of the array')
    """
    if isinstance(hand, str):
        return f"hand {hand!r}"
    return f"hand {number} of the array" if np.ndim(hand) == 2 else "the hand"


def check_counts(counts: NDArray[Any], name: str) -> None:
    """Raise `HandError` if a count (34) is below 0 or above 4."""
    for kind, count in enumerate(counts.tolist()):
        if count > 4:
            raise HandError(f"{name} holds {tile_text(kind)} {count} times: there are four of each tile")
        if count < 0:
            raise HandError(f"{name} holds {tile_text(kind)} {count} times: counts run from 0 to 4")


def check_table(calls: Any, players: Any) -> tuple[int, int]:
    """Return the numbers of calls and of players as Python's.

    Raises `HandError` unless they are whole numbers, 0 to 4 calls and 3 or 4 players.
    """
    for name, number in (("calls", calls), ("players", players)):
        if not isinstance(number, int | np.integer):
            raise HandError(f"{name} must be an integer, not {number!r}")
    if players not in (3, 4):
        raise HandError(f"players is {players}: it is 3 or 4")
    if not 0 <= calls <= 4:
        raise HandError(f"calls is {calls}: a hand has 0 to 4 called or set-aside sets")
    return int(calls), int(players)


def check_hand(counts: NDArray[np.int8], calls: int, players: int, name: str) -> None:
    """Raise `HandError` for an impossible hand (34); the message names the fault and a remedy."""
    check_counts(counts, name)
    if players == 3:
        for kind in range(1, 8):
            if counts[kind]:
                raise HandError(
                    f"{name} holds {tile_text(kind)}, which three players do not use (of man only 1m and 9m): "
                    f"remove it, or use players=4"
                )
    tiles, full = int(counts.sum()), 14 - 3 * calls
    if tiles not in (full - 1, full):
        wanted = f"{full - 1} or {full}"
        others = [other for other in range(5) if tiles in (13 - 3 * other, 14 - 3 * other)]
        hint = f"use calls={others[0]} for a hand with that many calls" if others else "add or remove tiles"
        raise HandError(f"{name} has {tiles} tiles, with calls={calls} it must have {wanted} (concealed): {hint}")
