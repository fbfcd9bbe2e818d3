"""``janshi reproduce``: a paper from records to its tables, in one command."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer
from rich.console import Console
from rich.progress import BarColumn, TaskID, TextColumn

from janshi import built_in
from janshi.cli.failing import interrupted
from janshi.cli.options import argument, option
from janshi.cli.printing import make_table
from janshi.cli.progress import Bars
from janshi.registries import suggestion

if TYPE_CHECKING:
    from janshi.papers.runner import Paper, StageEvent

_MARKS: Final = {"left": " ", "running": "…", "done": "✓", "skipped": "✓"}


@dataclass(frozen=True)
class ReproduceOptions:
    """Options of ``janshi reproduce``."""

    name: str | None = argument(
        f"Paper to reproduce: {', '.join(built_in.PAPERS)} (default: list all papers and their scales).", default=None
    )
    out: Path = option("Output folder; an unfinished run in it is resumed.", default=Path("reproduced"))
    records: list[Path] = option(
        "Records: files, folders or .zip. Repeatable. The newest year is the test set (gao: a fifth of its games; "
        "meowjong: at least a tenth of the hands), other games are the training set; archives named odd (gao: also "
        "rare, ai) are skipped.",
        default=[],
    )
    train: list[Path] = option("Training records, instead of --records. Repeatable.", default=[])
    test: list[Path] = option("Test records, with --train. Repeatable.", default=[])
    scale: str = option(
        "Scale: tiny, small, medium or full; janshi reproduce describes them. All but tiny need 5 GB of memory. The "
        "papers' networks are deleted after the matches.",
        default="small",
    )
    seed: int = option("Random seed.", default=0, min=0)
    keep: bool = option("Keep the papers' networks (3 GB).", "--keep-networks", default=False)
    cluster: str | None = option(
        "Ray cluster for networks that train on one core each: local, or HOST:PORT of its head. The folder and the "
        "records are at the same paths on all of its machines.",
        default=None,
    )
    as_json: bool = option("Print report.json.", "--json", default=False)


def reproduce_paper(options: ReproduceOptions) -> None:
    """Reproduce a paper: train its networks, play its matches, and write a report beside its figures; resumable.

    Each stage stores its result in the folder. After an interruption the same command resumes the run and ends with the
    same figures.
    """
    import jinja2  # noqa: F401
    import matplotlib  # noqa: F401

    from janshi.files import working_in
    from janshi.papers.registry import PAPERS
    from janshi.papers.runner import Options, ReproduceError, reproduce
    if options.name is None:
        for name, paper in PAPERS.items():
            typer.echo(f"{name}:")
            for scale in paper.scales.values():
                typer.echo(f"  --scale {scale.name}: {scale.description}; {scale.disk} of disk meanwhile")
        return
    start = time.perf_counter()
    with interrupted("interrupted; run the same command to resume"):
        chosen = PAPERS[options.name]
        if options.scale not in chosen.scales:
            there = ", ".join(chosen.scales) + suggestion(options.scale, chosen.scales)
            raise ReproduceError(f"no scale {options.scale!r}: there are {there}")
        train, test, records = tuple(options.train), tuple(options.test), tuple(options.records)
        if not chosen.needs_records and (train or test or records):
            raise ReproduceError(f"{chosen.name} needs no records: omit --records, --train and --test")
        if chosen.needs_records and (bool(train) != bool(test) or bool(train) == bool(records)):
            raise ReproduceError("name records by --records, or by --train and --test, not both")
        asked = Options(chosen.scales[options.scale], records, train, test, options.seed, options.keep, options.cluster)
        view = _View([*(stage.title for stage in chosen.load_stages()), "Report"], options.as_json)
        with working_in(options.out), view.bars:
            page = reproduce(chosen, asked, options.out, view.listen)
    text = (options.out / "report.json").read_text(encoding="utf-8")
    if options.as_json:
        typer.echo(text)
        return
    _print(chosen, json.loads(text))
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
        self.bars = Bars(*columns, quiet=quiet)
        self.tasks: list[TaskID] = []
        self.begun: dict[int, float] = {}
        for number, title in enumerate(titles, start=1):
            self.tasks.append(self.bars.add_task(f"{number} {title}", total=1, mark=_MARKS["left"], took="", text=""))

    def listen(self, event: StageEvent) -> None:
        """Show what a run reports."""
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


def _print(reproduced: Paper, report: dict[str, Any]) -> None:
    """Print what the paper is known by beside ours."""
    sheet = reproduced.load_report().summary(report["stages"])
    table = make_table(*sheet.columns, title=f"{reproduced.title}, scale {report['scale']['name']}", caption=sheet.note)
    for row in sheet.rows:
        table.add_row(*("\n".join(filter(None, (cell.text, cell.interval, _paper(cell.paper)))) for cell in row))
    Console().print(table)


def _paper(text: str) -> str:
    return f"paper {text}" if text else ""
