"""``janshi compare``: two players over whole games on shared walls."""

from __future__ import annotations

import json
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.console import Console

from janshi.cli.arena import PLACES, rate_text, seat_players
from janshi.cli.failing import INTERRUPTED, fail, failing
from janshi.cli.options import argument, option, rules_named
from janshi.cli.printing import make_table
from janshi.cli.progress import counting_bar
from janshi.core.errors import RuleError

if TYPE_CHECKING:
    from rich.table import Table

    from janshi.arena import CompareProgress, Comparison, Difference, Estimate


@dataclass(frozen=True)
class CompareOptions:
    """Options of ``janshi compare``."""

    a: str = argument("First player: a name of janshi agents, a trained player's folder, path/to/file.py:ClassName.")
    b: str = argument("Second player, in the other seats.")
    others: str | None = option("Also play both against this opponent, for example random.", default=None)
    walls: int = option("Games per seat; with --until at most.", default=1000, min=1)
    until: float | None = option(
        "Stop when decided, with at most this probability of error, for example 0.01.",
        default=None,
        min=1e-9,
        max=0.49,
    )
    margin: float = option("With --until: treat smaller differences of mean place as none.", default=0.02, min=1e-6)
    rules: str = option("Rule set: a preset, or path/to/file.py:NAME.", default="tenhou-sanma")
    seed: int = option("Random seed of the walls.", default=0)
    threads: int = option("Number of threads.", default=1, min=1, max=256)
    out: Path | None = option("Write compare.json to this folder.", default=None)
    hands: int | None = option("Renamed to --walls.", default=None, hidden=True)
    as_json: bool = option("Print JSON.", "--json", default=False)


def compare_players(options: CompareOptions) -> None:
    """Compare two players over whole games on shared walls in every seat: mean places and paired differences."""
    from janshi.agents import AgentError
    from janshi.files import save_text, working_in

    if options.hands is not None:
        fail(
            "compare",
            "--hands is now --walls, and whole games are played; single hands: --rules tenhou-sanma-hand, "
            "tables of the papers: janshi paper meowjong compare",
        )
    with failing("compare", AgentError, RuleError, interrupted="interrupted before there was anything to compare"):
        if options.out is None:
            comparison = _play(options)
        else:
            with working_in(options.out):
                comparison = _play(options)
                save_text(json.dumps(comparison.as_json(), indent=1), options.out / "compare.json")
    if options.as_json:
        typer.echo(json.dumps(comparison.as_json(), indent=1))
    else:
        print_comparison(comparison)
    if comparison.interrupted:
        fail("compare", f"interrupted; {comparison.walls:,} of {options.walls:,} walls count", INTERRUPTED)


def _play(options: CompareOptions) -> Comparison:
    """Play the games that are compared."""
    from janshi.agents.protocol import Listener
    from janshi.arena import CompareConfig, compare
    from janshi.mjai.agent import Limits

    rules = rules_named(options.rules)
    config = CompareConfig(until=options.until, margin=options.margin, threads=options.threads)
    names = [name for name in (options.a, options.b, options.others) if name is not None]
    with seat_players(names, Limits()) as players, counting_bar(options.as_json) as bar:
        task = bar.add_task("playing", total=options.walls)

        def show(progress: CompareProgress) -> None:
            bar.update(task, completed=progress.walls, description=_gain_so_far(progress))

        first, second, *others = players
        found = compare(first, second, rules, options.walls, options.seed, *others, config=config, progress=show)
    for player in players:
        if isinstance(player, Listener) and player.faults().counts:
            typer.echo(f"janshi compare: {player.name}: {player.faults()}", err=True)
    return found


def _gain_so_far(progress: CompareProgress) -> str:
    gain = progress.gains[0]
    if not isfinite(gain.low):
        return f"{gain.value:+.3f}"
    return f"{gain.value:+.3f} ({gain.low:+.3f} to {gain.high:+.3f})"


def print_comparison(comparison: Comparison) -> None:
    """Print a comparison: the verdict, and tables."""
    console = Console()
    console.print(verdict(comparison), markup=False, highlight=False, soft_wrap=True)
    console.print(_standings(comparison))
    console.print(_differences(comparison))


def verdict(comparison: Comparison) -> str:
    """Return in a line which player is better, beyond chance, or that neither is shown to be."""
    first, second = comparison.players
    reasons = "; ".join(_reason(difference) for difference in comparison.differences)
    walls = f"{comparison.walls:,} walls"
    said = {
        "better": f"{first} is better than {second}",
        "worse": f"{first} is worse than {second}",
        "equal": f"{first} and {second} differ by less than {comparison.margin:g}",
        "open": f"No difference between {first} and {second} is shown",
    }[comparison.answer]
    if any(difference.gain.count == 0 or not isfinite(difference.gain.low) for difference in comparison.differences):
        return f"No verdict on {first} and {second}: too few walls for an interval ({walls})."
    sure = "95 % intervals" if comparison.until is None else f"wrong with a probability of {comparison.until:g} at most"
    return f"{said}: {reasons}; {walls}, {sure}."


def _reason(difference: Difference) -> str:
    """The difference that was decided by, in words; of places the sign is turned, as those of mean places are."""
    gain = difference.gain
    value, low, high = gain.value, gain.low, gain.high
    if difference.worth is None:
        value, low, high = -value, -high, -low
    unit = "mean place" if difference.worth is None else "points"
    return f"{unit} {value:+.3f} ({low:+.3f} to {high:+.3f}) against {difference.against}"


def _standings(comparison: Comparison) -> Table:
    title = f"{comparison.rules}, seed {comparison.seed}: {comparison.walls:,} games in each seat"
    caption = f"Places in %, ± half the 95 % interval. A mean place of {(comparison.seats + 1) / 2:g} is level."
    names = PLACES[: comparison.seats]
    table = make_table("players", "games", *names, "mean place", "mean points", title=title, caption=caption)
    opponents = comparison.seats - 1
    decimals = _decimals(comparison)
    for row in comparison.standings:
        cells = [rate_text(rate, True) for rate in row.rates]
        player = f"{row.player} vs {opponents} {row.against}"
        table.add_row(player, f"{row.games:,}", *cells, _figure(row.place, ".3f"), _figure(row.points, decimals))
    return table


def _differences(comparison: Comparison) -> Table:
    first, second = comparison.players
    caption = "Same walls, every seat, same opponents; 95 % intervals by wall. Below 0 in mean place is better."
    title = f"{first} minus {second}"
    table = make_table("against", "mean place", "mean points", title=title, caption=caption)
    for row in comparison.differences:
        table.add_row(row.against, _range(row.place, "+.3f"), _range(row.points, f"+{_decimals(comparison)}"))
    return table


def _decimals(comparison: Comparison) -> str:
    """How points are written: two decimals in games of small numbers."""
    return ",.0f" if any(abs(row.points.value) >= 1000 for row in comparison.standings) else ",.2f"


def _figure(mean: Estimate, form: str) -> str:
    text = f"{mean.value:{form}}"
    return f"{text}\n±{(mean.high - mean.low) / 2:{form}}" if isfinite(mean.high) else text


def _range(mean: Estimate, form: str) -> str:
    text = f"{mean.value:{form}}"
    return f"{text} ({mean.low:{form}} to {mean.high:{form}})" if isfinite(mean.low) else text
