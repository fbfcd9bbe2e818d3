"""Progress bars of the commands, all on standard error."""

from __future__ import annotations

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)


def _bar(*columns: ProgressColumn, transient: bool, quiet: bool) -> Progress:
    first = (TextColumn("{task.description}"), BarColumn())
    console = Console(stderr=True)
    # Where a bar cannot be taken away again, all that would be left of it is an empty line.
    is_seen = not quiet and (console.is_terminal or not transient)
    return Progress(*first, *columns, console=console, transient=transient, disable=not is_seen)


def timed_bar(quiet: bool = False, *, transient: bool = False) -> Progress:
    """Return a bar with time gone and left."""
    return _bar(TimeElapsedColumn(), TimeRemainingColumn(), transient=transient, quiet=quiet)


def counting_bar(quiet: bool = False) -> Progress:
    """Return a bar that counts, with the time left, and goes away when it is done."""
    return _bar(MofNCompleteColumn(), TimeRemainingColumn(), transient=True, quiet=quiet)
