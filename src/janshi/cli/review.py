"""``janshi review``: a game beside the choices of a reviewer."""

from __future__ import annotations

import dataclasses
import json
import sys
import tempfile
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer
from rich.console import Console
from rich.text import Text

from janshi.cli.options import RECORD_RULES, argument, option, rules_named
from janshi.cli.printing import make_table
from janshi.cli.progress import Bars, counting_bar
from janshi.text import printable

if TYPE_CHECKING:
    from janshi.review.model import Agreement, Decision, Losses, Review, Unit
    from janshi.say.names import MistakeKind


@dataclass(frozen=True)
class ReviewOptions:
    """Options of ``janshi review``."""

    record: str = argument("Record, folder or archive of records, link to a record, or - for stdin.")
    rules: str | None = option(RECORD_RULES, default=None)
    game: int = option("Number of the game among the readable ones.", default=1, min=1)
    seat: int | None = option(
        "Seat to review (0: first dealer; default: the link's, or 0).", default=None, min=0, max=3
    )
    player: str | None = option("Name of the player whose seat is reviewed, or a part of it.", default=None)
    fetch: bool = option("Fetch the record of a link to Tenhou.", "--fetch/--no-fetch", default=True)
    by: str | None = option(
        "Reviewer: sl, sl4, efficient, a trained player, or file.py:Class (default: the strongest).", default=None
    )
    hands: int | None = option(
        "Hands played on to measure what different choices cost (default: 2,048); 0: the reviewer's probabilities.",
        default=None,
        min=0,
    )
    processes: int = option("Processes for the playouts.", default=2, min=1)
    out: Path | None = option("Write the review page to this .html file.", default=None)
    as_json: bool = option("Print JSON.", "--json", default=False)
    browser: bool | None = option(
        "Open the page in a browser (default: on a terminal without --out).", "--open/--no-browser", default=None
    )


def review_record(options: ReviewOptions) -> None:
    """Review every decision of one seat: costs, the reviewer's choices, shanten, ukeire and safety."""
    from janshi.agents import agent, best_reviewer
    from janshi.games import game_of
    from janshi.review import ReviewError, review_game, review_of
    from janshi.web.report import report_html

    out = options.out
    if out is not None and not out.parent.is_dir():
        raise ReviewError(f"{out}: there is no folder {out.parent}")
    with counting_bar(options.as_json) as bar:
        task = bar.add_task("reading", total=None)
        game, seat = _game(options)
        reviewer = agent(options.by or best_reviewer(game.rules.players, game_of(game.rules).name))
        review = review_game(
            game,
            seat,
            reviewer,
            progress=lambda done, total: bar.update(task, completed=done, total=total, description="reviewing"),
        )
        if options.hands != 0:
            review = _measured(review, game, options, bar)
    if options.as_json:
        typer.echo(json.dumps(dataclasses.asdict(review), ensure_ascii=False))
    else:
        print_review(review, review_of(game.rules).moment)
    opens = options.browser
    if opens is None:
        opens = out is None and not options.as_json and sys.stdout.isatty()
    if out is not None or opens:
        page = _written(report_html(review), out)
        if not options.as_json:
            typer.echo(f"the whole review: {page}")
        if opens:
            webbrowser.open(page.resolve().as_uri())


def _is_path(record: str) -> bool:
    """Return whether a record is standard input, or a file or folder, which may have any name."""
    try:
        return record == "-" or Path(record).exists()
    except (OSError, ValueError):  # a link can be longer than a path
        return False


def _game(options: ReviewOptions) -> tuple[Any, int]:
    """Return the game and the seat of a review."""
    from janshi.records.links import find_link
    from janshi.review import ReviewError, read_game, read_link, seat_of

    if options.seat is not None and options.player is not None:
        raise ReviewError("name the seat (--seat) or the player (--player), not both")
    rules = None if options.rules is None else rules_named(options.rules)
    link = None if _is_path(options.record) else find_link(options.record)
    if link is None:
        game = read_game(options.record, options.game, rules=rules)
    else:
        game = read_link(link, options.game, fetch=options.fetch, rules=rules)
    if options.player is not None:
        return game, seat_of(game, options.player)
    if options.seat is not None:
        return game, options.seat
    shown = 0 if link is None or link.seat is None else link.seat
    return game, shown if shown < game.rules.players else 0


def _measured(review: Review, game: Any, options: ReviewOptions, bar: Bars) -> Review:
    """Return a review with measured losses."""
    from janshi.cluster import workers
    from janshi.review.losses import HANDS, measure_losses

    task = bar.add_task("hands of different choices", total=None)
    with workers(processes=options.processes) as team:
        return measure_losses(
            review,
            game,
            team,
            hands=options.hands or HANDS,
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )


def _written(page: str, out: Path | None) -> Path:
    """Write a page to a file, by default in a new temporary folder."""
    from janshi.files import save_text

    file = out or Path(tempfile.mkdtemp(prefix="janshi-")) / "review.html"
    save_text(page, file)
    return file


def print_review(review: Review, moment: Callable[[Review, Decision], list[str]]) -> None:
    """Print a review: agreement in all and by parts, and the moments that are worth a look, in the game's words."""
    console = Console()
    report = review.report
    names = [printable(name) for name in review.names]
    seats = ", ".join(f"{seat} {name}" for seat, name in enumerate(names))
    console.print(f"{review.source}: {review.rules}, seats {seats}", markup=False, highlight=False, soft_wrap=True)
    table = make_table(
        "",
        "decisions",
        "as the reviewer",
        "cost",
        title=Text(f"seat {review.seat} ({names[review.seat]}) by {review.by}: rating {report.rating:.1f} of 100"),
        caption="agreement in % with 95 % intervals; cost: share of the first choice less that of what was done, mean",
    )
    table.add_row("all", *_cells(report.total))
    table.add_section()
    for phase, agreement in report.phases.items():
        table.add_row({"opening": "turns 1–6", "middle": "turns 7–12", "end": "later"}[phase], *_cells(agreement))
    table.add_section()
    for name, agreement in report.names.items():
        table.add_row(f"where it would: {name.replace('_', ' ')}", *_cells(agreement))
    console.print(table)
    lines = []
    for rank, number in enumerate(report.moments, start=1):
        first, *why = moment(review, review.decisions[number])
        lines += [f"{rank:>2}. {first}", *(f"    {line}" for line in why)]
    words = [*_luck_words(review), *_losses_words(report.losses, review.unit)]
    for line in [*words, *(["worth a look:", *lines] if lines else [])]:
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    for note in review.notes:
        console.print(note, markup=False, highlight=False, soft_wrap=True)


#: Kinds of mistakes in words.
_KINDS: Final[dict[MistakeKind, str]] = {
    "win": "a win passed or taken",
    "declaration": "riichi or dama",
    "call": "calls, kans and kita",
    "before_play": "exchange and void suit",
    "pushed": "pushed too far",
    "folded": "folded too early",
    "shape": "shape",
    "value": "value of the hand",
    "placement": "places and points",
}


def _luck_words(review: Review) -> list[str]:
    """Return the places that luck and all else have gained the seat of a whole game, in words."""
    if not review.luck or len(review.places) <= len(review.luck):
        return []
    luck = sum(row[review.seat] for row in review.luck)
    change = review.places[0][review.seat] - review.places[-1][review.seat]
    return [f"places gained by the luck of deals, draws and ura-dora: {luck:+.2f}; by all else: {change - luck:+.2f}"]


def _losses_words(losses: Losses | None, unit: Unit) -> list[str]:
    """Return the summary of measured losses in words."""
    if losses is None:
        return []
    from janshi.review.words import amount

    undecided = losses.measured - losses.worse - losses.better
    return [
        f"{losses.measured} different choices played out: {losses.worse} certainly worse "
        f"({amount(losses.lost, unit)} {unit} in total), {losses.better} certainly better, {undecided} undecided",
        *(
            f"  {_KINDS[each.kind]}: {each.number}, {amount(each.lost, unit)} {unit}{_people_words(losses, each.kind)}"
            for each in losses.kinds
        ),
    ]


def _people_words(losses: Losses, kind: MistakeKind) -> str:
    """Return what strong people lose by mistakes of a kind, in words."""
    return f" (strong people: {losses.people.get(kind, 0):.2f} a game)" if losses.people else ""


def _cells(agreement: Agreement) -> tuple[str, str, str]:
    import numpy as np

    from janshi.statistics import rate

    if not agreement.decisions:
        return "0", "–", "–"
    agreed = rate(np.arange(agreement.decisions) < agreement.agreed)
    interval = f"({100 * agreed.low:.0f} to {100 * agreed.high:.0f})"
    return str(agreement.decisions), f"{100 * agreed.value:.0f} {interval}", f"{100 * agreement.cost:.1f} %"
