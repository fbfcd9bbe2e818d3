"""Figures of a training in progress, for TensorBoard.

>>> seen = []
>>> log_point({"epoch": 0.5, "development": {"turn": 0.25}}, 10, lambda *figure: seen.append(figure))
>>> seen
[('epoch', 0.5, 10), ('development/turn', 0.25, 10)]
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

#: Takes a point of a training's curve and its step.
ScalarLog = Callable[[dict[str, Any], int], None]


def no_log(point: dict[str, Any], step: int) -> None:
    """Discard the point."""


def log_point(point: dict[str, Any], step: int, write: Callable[[str, float, int], object], prefix: str = "") -> None:
    """Write each number of a point under its name; elements of a list under their indices."""
    for name, value in point.items():
        if isinstance(value, dict):
            log_point(value, step, write, f"{prefix}{name}/")
        elif isinstance(value, list):
            log_point({str(number): inner for number, inner in enumerate(value)}, step, write, f"{prefix}{name}/")
        elif isinstance(value, int | float) and not isinstance(value, bool):
            write(prefix + name, float(value), step)


def tensorboard_log(folder: str | Path) -> ScalarLog:
    """Return a log that writes for ``tensorboard --logdir FOLDER``.

    Raises `ModuleNotFoundError` if tensorboard is not installed.
    """
    from torch.utils.tensorboard import SummaryWriter

    writer: Any = SummaryWriter(str(folder))

    def log(point: dict[str, Any], step: int) -> None:
        log_point(point, step, writer.add_scalar)
        writer.flush()

    return log
