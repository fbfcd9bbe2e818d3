"""``janshi compare``: two players over whole games on shared walls."""

from __future__ import annotations

import json
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass, field, replace
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console

from janshi import __version__
from janshi.cli.arena import print_style, rate_text
from janshi.cli.bots import BotOptions, end_if_given_up, print_faults, seat_players
from janshi.cli.failing import INTERRUPTED, fail, interrupted
from janshi.cli.options import CLUSTER, MATCH_RULES, argument, option, rules_for
from janshi.cli.printing import make_table
from janshi.cli.progress import counting_bar
from janshi.worth.scales import PLACE

if TYPE_CHECKING:
    from rich.table import Table

    from janshi.agents import Agent
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
    margin: float = option(
        "With --until: treat smaller differences as none, in mean place or points of --scale.", default=0.02, min=1e-6
    )
    scale: str = option("Points of the places that decide: place, tenhou-phoenix, m-league, ….", default="place")
    luck: bool | None = option(
        "Take the estimated luck out (default: if there is a model for the rules).", "--luck/--no-luck", default=None
    )
    rules: str | None = option(MATCH_RULES, default=None)
    seed: int = option("Random seed of the walls.", default=0, min=0)
    threads: int = option("Number of threads.", default=1, min=1, max=256)
    cluster: str | None = option(CLUSTER, default=None)
    out: Path | None = option(
        "Keep the results of walls in this folder and write compare.json; the same command resumes.", default=None
    )
    bots: BotOptions = field(default_factory=BotOptions)
    as_json: bool = option("Print JSON.", "--json", default=False)


def compare_players(options: CompareOptions) -> None:
    """Compare two players over whole games on shared walls in every seat: mean places and paired differences."""
    from janshi.files import save_text, working_in

    with (
        interrupted("interrupted before there was anything to compare"),
        nullcontext() if options.out is None else working_in(options.out),
    ):
        comparison = _play(options)
        if options.out is not None:
            save_text(json.dumps(comparison.as_json(), indent=1), options.out / "compare.json")
    if options.as_json:
        typer.echo(json.dumps(comparison.as_json(), indent=1))
    else:
        print_comparison(comparison)
    if comparison.interrupted:
        fail("compare", f"interrupted; {comparison.walls:,} of {options.walls:,} walls count", INTERRUPTED)
    end_if_given_up("compare", comparison.faults)


def _play(options: CompareOptions) -> Comparison:
    """Play the games that are compared."""
    from janshi.arena import CompareConfig, compare
    from janshi.arena.luck import luck_model
    from janshi.arena.saved import Parts, SavedParts
    from janshi.cluster import workers
    from janshi.worth.scales import scale

    names = [name for name in (options.a, options.b, options.others) if name is not None]
    with ExitStack() as stack:
        players = stack.enter_context(seat_players(names, options.bots))
        rules = rules_for(options.rules, players)
        luck = luck_model(rules) if options.luck is None or options.luck else None
        team = None if options.cluster is None else stack.enter_context(workers(options.cluster))
        bar = stack.enter_context(counting_bar(options.as_json))
        described = _described(options, rules, players, luck)
        config = CompareConfig(
            until=options.until,
            margin=options.margin,
            scale=scale(options.scale),
            luck=bool(luck or options.luck),
            threads=options.threads,
            saved=Parts() if options.out is None else SavedParts(options.out, described),
            team=team,
            names=tuple(names),
        )
        task = bar.add_task("playing", total=options.walls)

        def show(progress: CompareProgress) -> None:
            bar.update(task, completed=progress.walls, description=_gain_so_far(progress))

        first, second, *others = players
        return compare(first, second, rules, options.walls, options.seed, *others, config=config, progress=show)


def _described(options: CompareOptions, rules: Any, players: list[Agent], luck: str | None) -> dict[str, Any]:
    """Return the settings on which the results of walls depend, as plain data."""
    from janshi.agents.versions import digest_of

    names = [name for name in (options.a, options.b, options.others) if name is not None]
    return {
        "version": __version__,
        "players": names,
        "files": [digest_of(name, player, rules) for name, player in zip(names, players, strict=True)],
        "rules": options.rules or rules.name,
        "seed": options.seed,
        "luck": None if luck is None else [options.scale, luck],
    }


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
    print_style(comparison.style, console, 0 if _decimals(comparison) == ",.0f" else 2)
    print_faults(console, comparison.faults)


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
    if comparison.void:
        return f"Void, no verdict on {first} and {second}: {'; '.join(comparison.void)} ({walls})."
    if any(difference.gain.count == 0 or not isfinite(difference.gain.low) for difference in comparison.differences):
        return f"No verdict on {first} and {second}: too few walls for an interval ({walls})."
    sure = "95 % intervals" if comparison.until is None else f"wrong with a probability of {comparison.until:g} at most"
    luck = "" if comparison.luck is None else f", luck taken out by {comparison.luck}"
    return f"{said}: {reasons}; {walls}, {sure}{luck}."


def turned(gain: Estimate) -> Estimate:
    """Return a gain in places as a difference of mean places, of which less is better."""
    return replace(gain, value=-gain.value, low=-gain.high, high=-gain.low)


def _reason(difference: Difference) -> str:
    """The difference that was decided by, in words; of places the sign is turned, as those of mean places are."""
    gain = difference.gain if difference.worth is not None else turned(difference.gain)
    value, low, high = gain.value, gain.low, gain.high
    unit = "mean place" if difference.worth is None else "points"
    return f"{unit} {value:+.3f} ({low:+.3f} to {high:+.3f}) against {difference.against}"


def _standings(comparison: Comparison) -> Table:
    from janshi.arena.style import PLACES

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
    scaled = [] if comparison.scale == PLACE else [f"points ({comparison.scale})"]
    luck = [] if comparison.luck is None else ["without luck", "narrower"]
    table = make_table("against", "mean place", "mean points", *scaled, *luck, title=title, caption=caption)
    for row in comparison.differences:
        cells = [_range(row.place, "+.3f"), _range(row.points, f"+{_decimals(comparison)}")]
        cells += [] if row.worth is None else [_range(row.worth, "+.2f")]
        if row.narrower is not None:
            net = row.gain if row.worth is not None else turned(row.gain)
            cells += [_range(net, "+.3f"), f"{row.narrower:.2f} ×"]
        table.add_row(row.against, *cells)
    return table


def _decimals(comparison: Comparison) -> str:
    """Return points as text, with two decimals in games of small numbers."""
    return ",.0f" if any(abs(row.points.value) >= 1000 for row in comparison.standings) else ",.2f"


def _figure(mean: Estimate, form: str) -> str:
    text = f"{mean.value:{form}}"
    return f"{text}\n±{(mean.high - mean.low) / 2:{form}}" if isfinite(mean.high) else text


def _range(mean: Estimate, form: str) -> str:
    text = f"{mean.value:{form}}"
    return f"{text} ({mean.low:{form}} to {mean.high:{form}})" if isfinite(mean.low) else text
