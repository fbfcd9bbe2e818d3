"""Failure of commands: one line on standard error that begins with the command's name, and the right exit code."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from janshi.cli import SHIPPED
from janshi.installing import extra_of, lacking
from janshi.text import printable

#: Exit codes: a result that is void because a bot was given up, bad input, and an interruption.
GIVEN_UP = 1
BAD_INPUT = 2
INTERRUPTED = 130


def say(command: str, words: object) -> None:
    """Print a line of a command on standard error; it may contain a stranger's text, whose escapes are replaced."""
    lines = map(printable, f"janshi {command}: {words}".splitlines())
    print("\n".join(lines), file=sys.stderr, flush=True)


def fail(command: str, words: object, code: int = BAD_INPUT) -> NoReturn:
    """End a command with one line on standard error; control characters in it are replaced."""
    say(command, words)
    raise SystemExit(code) from None


@contextmanager
def failing(command: str) -> Iterator[None]:
    """End a command in one line for wrong input, files that cannot be used, modules of an extra, and Ctrl-C."""
    try:
        yield
    except KeyboardInterrupt as error:
        fail(command, error if error.args else "interrupted", INTERRUPTED)
    except ModuleNotFoundError as error:
        shipped = SHIPPED.get(command)
        extra = extra_of(error.name or "", shipped.extra if shipped else "")
        if extra is None:
            raise
        fail(command, lacking(error.name or extra, extra))
    except BrokenPipeError:
        raise  # the reader of our output has gone: click ends without a word
    except (OSError, ValueError, OverflowError, MemoryError, sqlite3.Error) as error:
        fail(command, error if str(error) else "a number is too large for this machine's memory")


@contextmanager
def interrupted(words: str | Callable[[], str]) -> Iterator[None]:
    """Give Ctrl-C a message for `failing`: some words, or a function that returns them."""
    try:
        yield
    except KeyboardInterrupt:
        raise KeyboardInterrupt(words if isinstance(words, str) else words()) from None


def training_interrupted(folder: Path) -> str:
    """Return the message after Ctrl-C in a training: the same command continues if the folder holds a checkpoint."""
    from janshi.learn.checkpoints import has_training

    if has_training(folder):
        return "interrupted; run the same command to resume from the last checkpoint"
    return "interrupted before the first checkpoint; the same command starts over"
