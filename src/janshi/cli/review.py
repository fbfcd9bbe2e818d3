"""``janshi review``: a game of one's own beside what a player would have done."""

from __future__ import annotations

import dataclasses
import json
import sys
import tempfile
import webbrowser
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from janshi.review.model import Agreement, Review


def review_record(
    record: Annotated[
        Path,
        typer.Argument(help="A record, a folder or archive of them, a file with a viewer's link, or - for stdin."),
    ],
    game: Annotated[int, typer.Option(min=1, help="Which of its games, those that can be read.")] = 1,
    seat: Annotated[int, typer.Option(min=0, max=3, help="Whose decisions (0: first dealer).")] = 0,
    by: Annotated[
        str | None, typer.Option(help="The reviewer: sl, rl, planner, efficient, a trained player (default: the best).")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Write the page of the review into this file, .html.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the review as JSON instead.")] = False,
    browser: Annotated[
        bool | None, typer.Option("--open/--no-browser", help="Open the page (default: on a terminal without --out).")
    ] = None,
) -> None:
    """Review a game: every decision of a seat, how much the dearest cost, and why, in numbers that people know."""
    from janshi.agents import AgentError, agent
    from janshi.observe.positions import PositionError, nth_game
    from janshi.records import RecordError
    from janshi.review import ReviewError, best_reviewer, review_game
    from janshi.web.report import ReportError, report_html

    try:
        if out is not None and not out.parent.is_dir():
            raise ReviewError(f"{out}: there is no folder {out.parent}")
        with _progress(as_json) as bar:
            task = bar.add_task("reading (the engine is compiled once after an install)", total=None)
            found = nth_game(record, game)
            reviewer = agent(by or best_reviewer(found.players))
            review = review_game(
                found,
                seat,
                reviewer,
                progress=lambda done, total: bar.update(task, completed=done, total=total, description="reviewing"),
            )
        if as_json:
            typer.echo(json.dumps(dataclasses.asdict(review), ensure_ascii=False))
        else:
            print_review(review)
        wanted = browser if browser is not None else out is None and not as_json and sys.stdout.isatty()
        if out is not None or wanted:
            page = _written(report_html(review), out)
            if not as_json:
                typer.echo(f"the whole review: {page}")
            if wanted:
                webbrowser.open(page.resolve().as_uri())
    except (PositionError, RecordError, ReviewError, ReportError, AgentError, OSError) as error:
        typer.echo(f"janshi review: {error}", err=True)
        raise typer.Exit(2) from None
    except KeyboardInterrupt:
        typer.echo("janshi review: interrupted", err=True)
        raise typer.Exit(130) from None


def _progress(quiet: bool) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    errors = Console(stderr=True)
    return Progress(*columns, console=errors, transient=True, disable=quiet or not errors.is_terminal)


def _written(page: str, out: Path | None) -> Path:
    """Write a page, without a name into a folder of its own that the system clears away in its time."""
    from janshi.files import save_text

    file = out or Path(tempfile.mkdtemp(prefix="janshi-")) / "review.html"
    save_text(page, file)
    return file


def print_review(review: Review) -> None:
    """Print a review: agreement in all and by parts, and the moments that are worth a look."""
    console = Console()
    report = review.report
    names = [_printable(name) for name in review.names]
    seats = ", ".join(f"{seat} {name}" for seat, name in enumerate(names))
    console.print(f"{review.source}: {review.rules}, seats {seats}", markup=False, highlight=False, soft_wrap=True)
    table = Table(
        "",
        "decisions",
        "as the reviewer",
        "cost",
        title=Text(f"seat {review.seat} ({names[review.seat]}) by {review.by}: rating {report.rating:.1f} of 100"),
        caption="agreement in % with 95 % intervals; cost: share of the first choice less that of what was done, mean",
    )
    for column in table.columns[1:]:
        column.justify = "right"
    table.add_row("all", *_cells(report.total))
    table.add_section()
    for phase, some in report.phases.items():
        table.add_row({"opening": "turns 1–6", "middle": "turns 7–12", "end": "later"}[phase], *_cells(some))
    table.add_section()
    for name, some in report.names.items():
        table.add_row(f"where it would: {name.replace('_', ' ')}", *_cells(some))
    console.print(table)
    lines = [line for place, number in enumerate(report.moments, start=1) for line in _moment(review, place, number)]
    for line in ["worth a look:", *lines] if lines else []:
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    for note in review.notes:
        console.print(note, markup=False, highlight=False, soft_wrap=True)


def _printable(name: str) -> str:
    """Return a player's name without what would steer a terminal."""
    return "".join(one if one.isprintable() else "\ufffd" for one in name)


def _moment(review: Review, place: int, number: int) -> Iterator[str]:
    """One of the dearest decisions: where, what was done and what would have been, and what either leads to."""
    from janshi.review.words import hand_words, option_of, option_words, turn_of, why_words

    one = review.decisions[number]
    best = one.advice.preferences[0]
    done, would = (option_words(option_of(one, action)) for action in (one.done, best.action))
    yield (
        f"{place:>2}. {hand_words(review, one.hand)}, turn {turn_of(review, one)}: {done}; {review.by} would do "
        f"{would} ({100 * best.share:.0f} %); cost {100 * one.cost:.0f} %"
    )
    for name, action in ((done, one.done), (would, best.action)):
        why = why_words(one, action)
        if why:
            yield f"    {name}: {why}"


def _cells(some: Agreement) -> tuple[str, str, str]:
    import numpy as np

    from janshi.arena.results import rate

    if not some.decisions:
        return "0", "–", "–"
    found = rate(np.arange(some.decisions) < some.agreed)
    interval = f"({100 * found.low:.0f} to {100 * found.high:.0f})"
    return str(some.decisions), f"{100 * found.value:.0f} {interval}", f"{100 * some.cost:.1f} %"
