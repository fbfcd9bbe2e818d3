"""Brush strokes as filled SVG paths: characters are drawn from them, so that no font is needed.

A stroke is a line through a few points with a width at each. Its outline is a closed quadratic B-spline round the
widened line: SVG's ``t`` command mirrors the last control point, and the mirror image of one control point of such a
spline in a point of the curve is the next one, so that each further point costs one pair of numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

#: Widths along a stroke, as parts of the brush's: level, down, falling to the left and to the right, dot, hook, bend.
WIDTHS: Final = {
    "h": (0.80, 0.62, 0.60, 0.92),
    "s": (1.05, 0.86, 0.84, 0.96),
    "p": (1.05, 0.95, 0.70, 0.16),
    "n": (0.34, 0.70, 1.24, 0.22),
    "d": (0.30, 0.86, 1.18),
    "g": (0.80, 0.14),
    "b": (1.00, 0.84, 0.80, 0.86),
}

_NIB: Final = np.array([0.7071, 0.7071])
_SLANT: Final = 0.45  # how far the ends are cut along the nib rather than across the stroke


def outline(strokes: Iterable[str], box: tuple[float, float, float, float], width: float) -> str:
    """Return the path data of a character's strokes.

    A stroke is a letter of `WIDTHS` and points in a square of 100 (``"h 6,50 94,46"``); ``box`` is where the square
    lies on the tile (x, y, width, height), ``width`` the brush's on the tile.
    """
    x, y, wide, high = box
    paths = []
    for stroke in strokes:
        form, *texts = stroke.split()
        points = np.array([[float(value) for value in text.split(",")] for text in texts])
        placed = points * (wide / 100, high / 100) + (x, y)
        paths.append(_closed(_around(placed, WIDTHS[form], width)))
    return "".join(paths)


def _around(points: NDArray[np.float64], widths: Sequence[float], width: float) -> NDArray[np.float64]:
    """Return the corners of a stroke's outline, (n, 2)."""
    line, at = _along(points)
    half = np.interp(at, np.linspace(0, 1, len(widths)), widths)[:, None] * width / 2
    ahead = np.gradient(line, axis=0)
    ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
    across = np.stack([-ahead[:, 1], ahead[:, 0]], axis=1)
    for end in (0, -1):
        nib = _NIB if across[end] @ _NIB >= 0 else -_NIB
        cut = (1 - _SLANT) * across[end] + _SLANT * nib
        across[end] = cut / np.linalg.norm(cut)
    right, left = line + half * across, line - half * across
    # A corner that stands twice keeps the cut of the end crisp.
    corners = np.concatenate([right[:1], right, right[-1:], left[::-1][:1], left[::-1], left[:1]])
    return np.asarray(corners)


def _along(points: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return points on the smooth line through some points (Catmull and Rom's), and how far along each is (0–1)."""
    spans = len(points) - 1
    padded = np.concatenate([2 * points[:1] - points[1:2], points, 2 * points[-1:] - points[-2:-1]])
    smooth = []
    for span in range(spans):
        before, first, second, after = padded[span : span + 4]
        for t in (0.0, 0.5):
            smooth.append(
                first
                + (second - before) * t / 2
                + (2 * before - 5 * first + 4 * second - after) * t**2 / 2
                + (3 * first - before - 3 * second + after) * t**3 / 2
            )
    line = np.array([*smooth, points[-1]])
    lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    return line, lengths / lengths[-1]


def _closed(corners: NDArray[np.float64]) -> str:
    """Return the closed quadratic B-spline with these control points as path data, in tenths."""
    start = np.round((corners[-1] + corners[0]) / 2, 1)
    control = np.round(corners[0], 1)
    at = start
    text = f"M{number(start[0])}{_pair(start[1])}"
    for index, following in enumerate([*corners[1:], corners[0]]):
        # The rounded point is chosen from where the control point has really come to lie: errors do not add up.
        point = np.round((control + following) / 2, 1)
        if index == 0:
            text += "q" + _pairs(control - at, point - at)
        else:
            text += ("t" if index == 1 else "") + _pairs(point - at, first=index == 1)
        control, at = 2 * point - control, point
    return text


def _pairs(*points: NDArray[np.float64], first: bool = True) -> str:
    text = "".join(_pair(value) for point in points for value in point)
    return text.removeprefix(" ") if first else text


def _pair(value: float) -> str:
    """Return a number with what must stand before it in path data."""
    text = number(value)
    return text if text.startswith("-") else " " + text


def number(value: float) -> str:
    """Return a number in tenths as short as it can be written.

    >>> number(0.5), number(-0.25), number(12.0), number(-0.01)
    ('.5', '-.2', '12', '0')
    """
    text = f"{value:.1f}".removesuffix(".0")
    if text in ("-0", "0"):
        return "0"
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text
