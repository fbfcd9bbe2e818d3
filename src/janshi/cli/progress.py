"""Progress bars of the commands, all on standard error."""

from __future__ import annotations

import time
from typing import Any, Final

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

#: Seconds between lines of a log.
_LOG_EVERY: Final = 60
#: Columns of a line of a log.
_LOG_WIDTH: Final = 160


class Bars(Progress):
    """Bars in a terminal; elsewhere, as in the log of a long run, a line of what is running each minute.

    ``transient``: bars go away when they are done.
    """

    def __init__(self, *columns: ProgressColumn, quiet: bool = False, transient: bool = False) -> None:
        console = Console(stderr=True)
        if not console.is_terminal:
            console.width = _LOG_WIDTH
        # Where a bar cannot be taken away again, all that would be left of it is an empty line.
        is_seen = not quiet and (console.is_terminal or not transient)
        super().__init__(*columns, console=console, transient=transient, disable=not is_seen)
        self._logs = not quiet and not console.is_terminal
        self._logged = time.monotonic()

    def update(self, task_id: TaskID, **fields: Any) -> None:
        """Change a task, as `rich.progress.Progress.update` does."""
        super().update(task_id, **fields)
        if self._logs and time.monotonic() - self._logged > _LOG_EVERY:
            self._logged = time.monotonic()
            running = [task for task in self.tasks if task.id == task_id]
            self.console.print(self.make_tasks_table(running))


def timed_bar(quiet: bool = False, *, transient: bool = False) -> Bars:
    """Return a bar with time gone and left."""
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    return Bars(*columns, quiet=quiet, transient=transient)


def counting_bar(quiet: bool = False) -> Bars:
    """Return a bar that counts, with the time left, and goes away when it is done."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Bars(*columns, quiet=quiet, transient=True)
