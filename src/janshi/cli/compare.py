"""``janshi compare``: two players beside each other, with the papers' tests."""

from __future__ import annotations

import json
from math import isinf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from janshi.cli.arena import match_bar, seat_players
from janshi.rules import RuleError, preset

if TYPE_CHECKING:
    from janshi.arena import Comparison, Estimate


def compare_players(
    a: Annotated[str, typer.Argument(help="random, efficient, planner, sl, rl, or the folder of a trained player.")],
    b: Annotated[str, typer.Argument(help="Likewise; its rates among itself are the baseline of the tests.")],
    others: Annotated[str | None, typer.Option(help="Opponents that both meet too, for instance random.")] = None,
    hands: Annotated[int, typer.Option(min=1, help="Hands in each seat.")] = 1000,
    rules: Annotated[str, typer.Option(help="Rules to play single hands by.")] = "tenhou-sanma",
    seed: Annotated[int, typer.Option(help="Decides all walls.")] = 0,
    threads: Annotated[int, typer.Option(min=1, max=256, help="Threads for the tables.")] = 1,
    out: Annotated[Path | None, typer.Option(help="Folder for compare.json and box plots (SVG, PNG).")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead.")] = False,
) -> None:
    """Compare two players on the same walls in every seat: places, points, tests of significance, paired intervals."""
    from janshi.agents import AgentError
    from janshi.agents.protocol import Listener
    from janshi.arena import compare, single_hand
    from janshi.arena.figures import FigureError, check_matplotlib
    from janshi.bridges.mjai_agent import Limits
    from janshi.files import check_folder

    bar = match_bar(as_json)
    try:
        if out is not None:
            # Fails before playing, not after.
            check_matplotlib()
            check_folder(out)
            out.mkdir(parents=True, exist_ok=True)
        by = single_hand(preset(rules))
        names = [a, b] if others is None else [a, b, others]
        with seat_players(names, Limits()) as made, bar:
            task = bar.add_task("compiling, then playing", total=None)
            found = compare(
                made[0],
                made[1],
                by,
                hands,
                seed,
                None if others is None else made[2],
                threads=threads,
                progress=lambda over, total: bar.update(task, completed=over, total=total, description="playing"),
            )
        for one in made:
            if isinstance(one, Listener) and one.faults().counts:
                typer.echo(f"janshi compare: {one.name}: {one.faults()}", err=True)
        if out is not None:
            _write(found, out)
    except KeyboardInterrupt:
        typer.echo("janshi compare: interrupted before there was anything to compare", err=True)
        raise typer.Exit(130) from None
    except (AgentError, FigureError, RuleError, OSError) as error:
        typer.echo(f"janshi compare: {error}", err=True)
        raise typer.Exit(2) from None
    if as_json:
        typer.echo(json.dumps(found.as_json(), indent=1))
    else:
        print_comparison(found)
    if found.interrupted:
        typer.echo(f"janshi compare: interrupted; {found.walls:,} of {hands:,} hands in each seat count", err=True)
        raise typer.Exit(130)


def _write(found: Comparison, out: Path) -> None:
    from janshi.arena.compare import score_figures
    from janshi.arena.figures import save
    from janshi.files import save_text

    save_text(json.dumps(found.as_json(), indent=1), out / "compare.json")
    for name, figure in score_figures(found).items():
        for ending in ("svg", "png"):
            save(figure, out / f"{name}.{ending}")


def print_comparison(found: Comparison) -> None:
    """Print a comparison as tables."""
    console = Console()
    for table in (_blocks(found), _place_tests(found), _sign_tests(found), _differences(found)):
        if table.row_count:
            console.print(table)


def _table(title: str, caption: str, *columns: str) -> Table:
    table = Table(title=title, caption=caption, caption_justify="left")
    for number, name in enumerate(columns):
        table.add_column(name, justify="left" if number < 2 else "right")
    return table


def _blocks(found: Comparison) -> Table:
    title = f"{found.rules}, seed {found.seed}: {found.walls:,} hands in each seat"
    names = ("1st %", "2nd %", "3rd %", "4th %")[: len(found.blocks[0].rows) - 1]
    table = _table(title, "± half the 95 % interval", "players", "seat", "hands", *names, "draw %", "points")
    for block in found.blocks:
        for number, row in enumerate(block.rows):
            total = number == len(names)
            places = [_percent(one, total) for one in (*row.places, row.draw)]
            player = "" if number else f"{block.player} vs {len(names) - 1} {block.against}"
            table.add_row(player, row.seat, f"{row.hands:,}", *places, _points(row.points, total))
        table.add_section()
    return table


def _place_tests(found: Comparison) -> Table:
    four = len(found.blocks[0].rows) == 5
    caption = (
        "P: chance of a result at least as good with the baseline's rates, taken as known. Where the baseline never "
        "came first or last, play more hands."
    )
    names = ("1st", "between" if four else "2nd", "last" if four else "3rd", "draw")
    table = _table("Multinomial test", caption, "players", "seat", *names, "P")
    opponents = len(found.blocks[0].rows) - 2
    shown = ""
    for test in found.tests:
        player = f"{test.player} vs {opponents} {test.against}\nif it were {test.baseline}"
        if player != shown:
            table.add_section()
        counts = [f"{count:,}" for count in test.counts]
        table.add_row("" if player == shown else player, test.seat, *counts, _chance(test.tail.p, test.tail.log10))
        shown = player
    return table


def _sign_tests(found: Comparison) -> Table:
    one, other = found.players
    caption = (
        f"plus: {one} ended better than {other}; null: both alike, split evenly. One-tailed: below 0.025 they differ."
    )
    table = _table("Sign test", caption, "both against", "seat", "plus", "minus", "null", "n", "k", "P")
    for row in found.signs:
        test = row.test
        counts = [f"{count:,}" for count in (test.plus, test.minus, test.null, test.n, test.k)]
        first = row.seat == "East"
        if first:
            table.add_section()
        table.add_row(row.against if first else "", row.seat, *counts, _chance(test.p, test.log10))
    return table


def _differences(found: Comparison) -> Table:
    one, other = found.players
    caption = "Same walls, same seat, same opponents; 95 % intervals by wall."
    title = f"{one} minus {other}"
    table = _table(title, caption, "both against", "seat", "points a hand", "1st places, % of hands")
    for row in found.differences:
        first = row.seat == "East"
        if first:
            table.add_section()
        points = f"{row.points.value:+,.0f}"
        value, low, high = (100 * one for one in (row.first.value, row.first.low, row.first.high))
        firsts = f"{value:+.2f}"
        if row.points.count > 1:  # one wall has no interval
            points += f" ({row.points.low:+,.0f} to {row.points.high:+,.0f})"
            firsts += f" ({low:+.2f} to {high:+.2f})"
        table.add_row(row.against if first else "", row.seat, points, firsts)
    return table


def _percent(one: Estimate, with_interval: bool) -> str:
    text = f"{100 * one.value:.2f}"
    return f"{text}\n±{50 * (one.high - one.low):.2f}" if with_interval else text


def _points(one: Estimate, with_interval: bool) -> str:
    text = f"{one.value:+,.0f}"
    return f"{text}\n±{one.high - one.value:,.0f}" if with_interval and one.count > 1 else text


def _chance(p: float, log10: float) -> str:
    if isinf(log10):
        return "0"
    if p >= 0.0001:
        return f"{p:.4f}"
    return f"{p:.1e}" if log10 > -100 else f"10^{log10:.0f}"
