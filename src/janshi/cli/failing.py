"""Failure of commands: one line on standard error that begins with the command's name, and the right exit code."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from janshi.installing import lacking

#: Exit codes: bad input, and an interruption.
BAD_INPUT = 2
INTERRUPTED = 130


def fail(command: str, words: object, code: int = BAD_INPUT) -> NoReturn:
    """End a command with one line on standard error."""
    print(f"janshi {command}: {words}", file=sys.stderr)
    raise SystemExit(code) from None


@contextmanager
def failing(
    command: str, *errors: type[Exception], interrupted: str | Callable[[], str] = "interrupted"
) -> Iterator[None]:
    """End a command in one line for errors of some classes, for files that cannot be used, and for Ctrl-C.

    ``interrupted``: the message after Ctrl-C, or a function that returns it.
    """
    bad_input: tuple[type[Exception], ...] = (*errors, OSError)
    try:
        yield
    except KeyboardInterrupt:
        fail(command, interrupted if isinstance(interrupted, str) else interrupted(), INTERRUPTED)
    except bad_input as error:
        fail(command, error)


def training_interrupted(folder: Path) -> str:
    """Return the message after Ctrl-C in a training: the same command continues if the folder holds a checkpoint."""
    from janshi.learn.checkpoints import has_training

    if has_training(folder):
        return "interrupted; the same command goes on from the last checkpoint"
    return "interrupted before the first checkpoint; the same command begins again"


@contextmanager
def needing(command: str, extra: str) -> Iterator[None]:
    """Say what to install where a module is missing that an extra of the package brings."""
    try:
        yield
    except ModuleNotFoundError as error:
        fail(command, lacking(error.name or extra, extra))
