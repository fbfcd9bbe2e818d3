"""Figures of the `meowjong` papers, for comparison with ours; the numbers are in ``figures.toml``.

They are those printed in the dissertation (X. Zhao, Deep Reinforcement Learning for Mahjong, 2021; its tables 3.3, 3.4,
4.1 to 4.6) and in the conference paper (X. Zhao, S. B. Holden, Building a 3-Player Mahjong AI using Deep Reinforcement
Learning, 2022; tables V to XI). Rates are fractions of one.
"""

from __future__ import annotations

from typing import Any, Final

from janshi.papers.data import load_data

#: All figures, as in ``report.json``.
PUBLISHED: Final[dict[str, Any]] = load_data(__package__, "figures.toml")

LINKS: Final[dict[str, str]] = PUBLISHED["links"]
#: Examples and positive ones (of discards None) of each decision, by set.
SIZES: Final[dict[str, dict[str, tuple[int, int | None]]]] = {
    decision: {name: (size[0], size[1] if len(size) > 1 else None) for name, size in sets.items()}
    for decision, sets in PUBLISHED["sizes"].items()
}
#: Of discards the last two are None.
MEANS: Final[dict[str, tuple[float, float, float | None, float | None]]] = {
    decision: (*numbers, None, None)[:4] for decision, numbers in PUBLISHED["means"].items()
}
#: By terminals and honours at the start, and kinds of them.
STARTS: Final[dict[tuple[int, int], tuple[float, float, float, float]]] = {
    (tiles, kinds): rates for tiles, kinds, *rates in PUBLISHED["starts"]
}
ACCURACY: Final[dict[str, tuple[float, float]]] = PUBLISHED["accuracy"]
PARAMETERS: Final[dict[str, int]] = PUBLISHED["parameters"]
RATES: Final[dict[str, dict[str, tuple[float, float, float, float]]]] = PUBLISHED["rates"]
COUNTS: Final[dict[str, dict[str, tuple[int, int, int, int]]]] = PUBLISHED["counts"]
CHANCES: Final[dict[str, str]] = PUBLISHED["chances"]
ALPHA: Final[float] = PUBLISHED["alpha"]
SIGNS: Final[dict[str, tuple[int, int, int, int, int, float]]] = PUBLISHED["signs"]
#: Samples that each network of the papers was trained on: examples of its training set × epochs.
SAMPLES: Final = {name: sets["training"][0] * (200 if name == "discard" else 500) for name, sets in SIZES.items()}
PUBLISHED.update(sizes=SIZES, means=MEANS, samples=SAMPLES)
