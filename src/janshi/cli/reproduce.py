"""``janshi reproduce``: a paper from records to its tables, in one command."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn
from rich.table import Table

from janshi.reproduce.scales import SCALES

if TYPE_CHECKING:
    from janshi.reproduce.run import Event

_MARKS = {"left": " ", "running": "…", "done": "✓", "skipped": "✓"}


def reproduce_paper(
    system: Annotated[str, typer.Argument(help="What to reproduce: meowjong.")],
    out: Annotated[Path, typer.Option(help="Folder for everything; an unfinished run there goes on.")],
    records: Annotated[
        list[Path] | None,
        typer.Option(
            help="Records of sanma: files, folders, .zip. Repeatable. The newest year is tested on, the others are "
            "learned from; archives named odd are left out."
        ),
    ] = None,
    train: Annotated[list[Path] | None, typer.Option(help="Instead: records to learn from. Repeatable.")] = None,
    test: Annotated[list[Path] | None, typer.Option(help="And records to test on. Repeatable.")] = None,
    scale: Annotated[
        str,
        typer.Option(
            help="; ".join(f"{one.name}: {one.about} ({one.disk} of disk meanwhile)" for one in SCALES.values())
            + ". Of memory all but tiny take 5 GB. What stays on disk is far smaller: the papers' networks are deleted "
            "when they have played."
        ),
    ] = "small",
    seed: Annotated[int, typer.Option(help="Decides everything that is drawn.", min=0)] = 0,
    keep: Annotated[bool, typer.Option("--keep-networks", help="Keep the papers' networks (3 GB).")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print report.json instead of a table.")] = False,
) -> None:
    """Reproduce a paper from records: networks, REINFORCE, matches, tests, and a report beside the paper's figures.

    Every stage keeps its result in the folder: after Ctrl-C, or whatever else ended it, the same command goes on, and
    ends with the same figures.
    """
    try:
        import jinja2  # noqa: F401
        import matplotlib  # noqa: F401

        from janshi.agents import AgentError
        from janshi.files import check_folder
        from janshi.learn.dataset import DatasetError
        from janshi.learn.trainer import CheckpointError
        from janshi.reproduce.run import Options, ReproduceError
        from janshi.reproduce.stages import STAGES, reproduce
    except ModuleNotFoundError as error:
        typer.echo(f"janshi reproduce: needs {error.name}: pip install 'janshi[learn]'", err=True)
        raise typer.Exit(2) from None
    start = time.perf_counter()
    view = _View([one.title for one in STAGES] + ["Report"], as_json)
    try:
        if system != "meowjong":
            raise ReproduceError(f"no system {system!r}: there is meowjong")
        if scale not in SCALES:
            raise ReproduceError(f"no scale {scale!r}: there are {', '.join(SCALES)}")
        if bool(train) != bool(test) or bool(train) == bool(records):
            raise ReproduceError("name records by --records, or by --train and --test, not both")
        check_folder(out)
        options = Options(SCALES[scale], tuple(records or ()), tuple(train or ()), tuple(test or ()), seed, keep)
        with view.bars:
            page = reproduce(options, out, view.hear)
    except KeyboardInterrupt:
        typer.echo("janshi reproduce: interrupted; the same command goes on where it was", err=True)
        raise typer.Exit(130) from None
    except (ReproduceError, AgentError, CheckpointError, DatasetError, OSError) as error:
        typer.echo(f"janshi reproduce: {error}", err=True)
        raise typer.Exit(2) from None
    text = (out / "report.json").read_text(encoding="utf-8")
    if as_json:
        typer.echo(text)
        return
    _print(json.loads(text))
    typer.echo(f"{time.perf_counter() - start:,.0f} s; report: {page}")


class _View:
    """A line for each stage: done, running, left; what the running one does."""

    def __init__(self, titles: list[str], quiet: bool) -> None:
        columns = (
            TextColumn("{task.fields[mark]} {task.description}"),
            BarColumn(bar_width=20),
            TextColumn("{task.fields[took]}"),
            TextColumn("{task.fields[text]}"),
        )
        self.bars = Progress(*columns, console=Console(stderr=True), disable=quiet)
        self.tasks: list[TaskID] = []
        self.begun: dict[int, float] = {}
        for number, title in enumerate(titles, start=1):
            self.tasks.append(self.bars.add_task(f"{number} {title}", total=1, mark=_MARKS["left"], took="", text=""))

    def hear(self, event: Event) -> None:
        """Show what a run tells."""
        task = self.tasks[event.number - 1]
        mark = _MARKS[event.state]
        if event.state == "running":
            begun = self.begun.setdefault(event.number, time.monotonic())
            took = _clock(time.monotonic() - begun)
            self.bars.update(task, mark=mark, text=event.text, took=took, completed=event.done, total=event.total)
            return
        text = "done earlier" if event.state == "skipped" else ""
        self.bars.update(task, mark=mark, text=text, took=_clock(event.seconds), completed=1, total=1)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def _print(said: dict[str, Any]) -> None:
    """Print what the papers are known by beside ours."""
    from janshi.reproduce.report import summary

    sheet = summary(said["stages"])
    table = Table(*sheet.columns, title=f"Meowjong, scale {said['scale']['name']}", caption=sheet.note)
    for column in table.columns[1:]:
        column.justify = "right"
    for row in sheet.rows:
        table.add_row(*("\n".join(filter(None, (cell.text, cell.interval, _paper(cell.paper)))) for cell in row))
    Console().print(table)


def _paper(text: str) -> str:
    return f"paper {text}" if text else ""
