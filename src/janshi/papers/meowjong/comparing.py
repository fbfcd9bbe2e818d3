"""``janshi paper meowjong compare``: two players over single hands, with the papers' tests."""

from __future__ import annotations

import json
from contextlib import ExitStack
from dataclasses import dataclass
from math import isfinite, isinf
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer
from rich.console import Console

from janshi.cli.arena import rate_text, seat_players
from janshi.cli.failing import INTERRUPTED, fail, failing
from janshi.cli.options import argument, option, rules_named
from janshi.cli.printing import make_table
from janshi.cli.progress import counting_bar
from janshi.core.errors import RuleError

if TYPE_CHECKING:
    from rich.table import Table

    from janshi.arena import Estimate
    from janshi.papers.single_hands import HandComparison


_COMMAND: Final = "paper meowjong compare"


@dataclass(frozen=True)
class HandCompareOptions:
    """Options of ``janshi paper meowjong compare``."""

    a: str = argument("First player: a name of janshi agents, a trained player's folder, path/to/file.py:ClassName.")
    b: str = argument("Second player; its results against itself are the baseline of the tests.")
    others: str | None = option("Also play both against this opponent, for example random.", default=None)
    hands: int = option("Hands per seat.", default=1000, min=1)
    rules: str = option("Rule set of single hands.", default="tenhou-sanma")
    seed: int = option("Random seed of the walls.", default=0)
    threads: int = option("Number of threads.", default=1, min=1, max=256)
    out: Path | None = option("Write compare.json and box plots (SVG, PNG) to this folder.", default=None)
    as_json: bool = option("Print JSON.", "--json", default=False)


def compare_hands_of(options: HandCompareOptions) -> None:
    """Compare two players on the same walls in every seat: places, points, paired differences and tests."""
    from janshi.agents import AgentError
    from janshi.arena.figures import FigureError, check_matplotlib
    from janshi.files import working_in

    out = options.out
    with (
        failing(
            _COMMAND,
            AgentError,
            FigureError,
            RuleError,
            interrupted="interrupted before there was anything to compare",
        ),
        ExitStack() as stack,
    ):
        if out is not None:
            # Fails before playing, not after.
            check_matplotlib()
            stack.enter_context(working_in(out))
        comparison = _play(options)
        if out is not None:
            _write(comparison, out)
    if options.as_json:
        typer.echo(json.dumps(comparison.as_json(), indent=1))
    else:
        print_comparison(comparison)
    if comparison.interrupted:
        counted = f"{comparison.walls:,} of {options.hands:,} hands in each seat count"
        fail(_COMMAND, f"interrupted; {counted}", INTERRUPTED)


def _play(options: HandCompareOptions) -> HandComparison:
    """Play the blocks of hands that are compared."""
    from janshi.agents.protocol import Listener
    from janshi.arena import single_hand
    from janshi.mjai.agent import Limits
    from janshi.papers.single_hands import HandCompareConfig, compare_hands

    rules = single_hand(rules_named(options.rules))
    names = [name for name in (options.a, options.b, options.others) if name is not None]
    with seat_players(names, Limits()) as players, counting_bar(options.as_json) as bar:
        task = bar.add_task("playing", total=None)
        comparison = compare_hands(
            players[0],
            players[1],
            rules,
            options.hands,
            options.seed,
            players[2] if options.others is not None else None,
            config=HandCompareConfig(threads=options.threads),
            progress=lambda over, total: bar.update(task, completed=over, total=total, description="playing"),
        )
    for player in players:
        if isinstance(player, Listener) and player.faults().counts:
            typer.echo(f"janshi {_COMMAND}: {player.name}: {player.faults()}", err=True)
    return comparison


def _write(comparison: HandComparison, out: Path) -> None:
    from janshi.arena.figures import save
    from janshi.files import save_text
    from janshi.papers.single_hands import score_figures

    save_text(json.dumps(comparison.as_json(), indent=1), out / "compare.json")
    for name, figure in score_figures(comparison).items():
        for ending in ("svg", "png"):
            save(figure, out / f"{name}.{ending}")


def print_comparison(comparison: HandComparison) -> None:
    """Print a comparison: the verdict, and tables."""
    console = Console()
    console.print(verdict(comparison), markup=False, highlight=False, soft_wrap=True)
    for table in (_blocks(comparison), _place_tests(comparison), _sign_tests(comparison), _differences(comparison)):
        if table.row_count:
            console.print(table)


def verdict(comparison: HandComparison) -> str:
    """Return in a line which player wins more points a hand, beyond chance on these walls, or that neither does."""
    totals = [row for row in comparison.differences if row.seat == "Total" and isfinite(row.points.low)]
    first, second = comparison.players
    better = all(row.points.low > 0 for row in totals)
    worse = all(row.points.high < 0 for row in totals)
    reasons = "; ".join(
        f"{row.points.value:+,.0f} points a hand ({row.points.low:+,.0f} to {row.points.high:+,.0f}) "
        f"against {row.against}"
        for row in totals
    )
    if not totals:
        return f"No verdict on {first} and {second}: too few walls for an interval."
    if better or worse:
        return f"{first} is {'better' if better else 'worse'} than {second}: {reasons}."
    return f"No difference between {first} and {second} is shown: {reasons}."


def _table(title: str, caption: str, *columns: str) -> Table:
    return make_table(*columns, left=2, title=title, caption=caption, caption_justify="left")


def _blocks(comparison: HandComparison) -> Table:
    title = f"{comparison.rules}, seed {comparison.seed}: {comparison.walls:,} hands in each seat"
    names = ("1st %", "2nd %", "3rd %", "4th %")[: len(comparison.blocks[0].rows) - 1]
    table = _table(title, "± half the 95 % interval", "players", "seat", "hands", *names, "draw %", "points")
    for block in comparison.blocks:
        for number, row in enumerate(block.rows):
            total = number == len(names)
            places = [rate_text(rate, total) for rate in (*row.places, row.draw)]
            player = "" if number else f"{block.player} vs {len(names) - 1} {block.against}"
            table.add_row(player, row.seat, f"{row.hands:,}", *places, _points(row.points, total))
        table.add_section()
    return table


def _place_tests(comparison: HandComparison) -> Table:
    four = len(comparison.blocks[0].rows) == 5
    caption = (
        "P: chance of a result at least as good with the baseline's rates, taken as known. Where the baseline never "
        "came first or last, play more hands."
    )
    names = ("1st", "between" if four else "2nd", "last" if four else "3rd", "draw")
    table = _table("Multinomial test", caption, "players", "seat", *names, "P")
    opponents = len(comparison.blocks[0].rows) - 2
    shown = ""
    for test in comparison.tests:
        player = f"{test.player} vs {opponents} {test.against}\nif it were {test.baseline}"
        if player != shown:
            table.add_section()
        counts = [f"{count:,}" for count in test.counts]
        table.add_row("" if player == shown else player, test.seat, *counts, _chance(test.tail.p, test.tail.log10))
        shown = player
    return table


def _sign_tests(comparison: HandComparison) -> Table:
    first_player, second_player = comparison.players
    caption = (
        f"plus: {first_player} ended better than {second_player}; null: both alike, split evenly. "
        "One-tailed: below 0.025 they differ."
    )
    table = _table("Sign test", caption, "both against", "seat", "plus", "minus", "null", "n", "k", "P")
    for row in comparison.signs:
        test = row.test
        counts = [f"{count:,}" for count in (test.plus, test.minus, test.null, test.n, test.k)]
        first = row.seat == "East"
        if first:
            table.add_section()
        table.add_row(row.against if first else "", row.seat, *counts, _chance(test.p, test.log10))
    return table


def _differences(comparison: HandComparison) -> Table:
    first_player, second_player = comparison.players
    caption = "Same walls, same seat, same opponents; 95 % intervals by wall."
    title = f"{first_player} minus {second_player}"
    table = _table(title, caption, "both against", "seat", "points a hand", "1st places, % of hands")
    for row in comparison.differences:
        first = row.seat == "East"
        if first:
            table.add_section()
        points = f"{row.points.value:+,.0f}"
        value, low, high = (100 * share for share in (row.first.value, row.first.low, row.first.high))
        firsts = f"{value:+.2f}"
        if isfinite(row.points.low):  # few walls have no interval
            points += f" ({row.points.low:+,.0f} to {row.points.high:+,.0f})"
            firsts += f" ({low:+.2f} to {high:+.2f})"
        table.add_row(row.against if first else "", row.seat, points, firsts)
    return table


def _points(mean: Estimate, with_interval: bool) -> str:
    text = f"{mean.value:+,.0f}"
    return f"{text}\n±{mean.high - mean.value:,.0f}" if with_interval and isfinite(mean.high) else text


def _chance(p: float, log10: float) -> str:
    if isinf(log10):
        return "0"
    if p >= 0.0001:
        return f"{p:.4f}"
    return f"{p:.1e}" if log10 > -100 else f"10^{log10:.0f}"
