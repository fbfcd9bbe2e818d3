"""Figures of the Sichuan paper, for comparison with ours; the numbers are in ``figures.toml``.

Source: X. Wang, Double DQN-based AI for Sichuan Mahjong, term report. It prints whole numbers and no intervals.
"""

from __future__ import annotations

from typing import Any, Final

from janshi.papers.data import load_data

#: Parameters of the heuristic: of pungs, runs and the future.
Parameters = tuple[float, float, float]

#: All figures, as in ``report.json``.
PUBLISHED: Final[dict[str, Any]] = load_data(__package__, "figures.toml")

TOURNAMENT: Final[tuple[tuple[Parameters, Parameters, float], ...]] = PUBLISHED["tournament"]
GAMES: Final[int] = PUBLISHED["games"]
SCORES: Final[dict[str, dict[str, float]]] = PUBLISHED["scores"]
SEATS: Final[dict[str, tuple[str, ...]]] = PUBLISHED["seats"]
DOUBTS: Final[tuple[str, ...]] = PUBLISHED["doubts"]
