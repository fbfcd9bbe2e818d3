"""``janshi playouts``: what the options of a decision are worth when players play on from it."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer
from rich.console import Console

from janshi.cli.failing import interrupted
from janshi.cli.options import CLUSTER, argument, option, rules_named
from janshi.cli.printing import make_table
from janshi.cli.progress import counting_bar
from janshi.files import finite

if TYPE_CHECKING:
    from janshi.rollout.playouts import OptionResult, Playouts
    from janshi.statistics import Estimate
    from janshi.table import DecisionBatch


#: Width of an interval of points up to which points have a decimal.
_FEW_POINTS: Final = 50


@dataclass(frozen=True)
class PlayoutsOptions:
    """Options of ``janshi playouts``."""

    position: str = argument("Record, folder or archive of records; or the 14 tiles of the first dealer.")
    game: int = option("Number of the game among the readable ones.", default=1, min=1)
    hand: int = option("Number of the hand in the game.", default=1, min=1)
    decision: int | None = option("Number of the decision in the hand (default: the first).", default=None, min=1)
    seat: int | None = option("Count decisions of this seat only (0: first dealer).", default=None, min=0, max=3)
    rules: str = option("Rules of a hand given by its tiles.", default="tenhou-sanma")
    options: int = option("Options to compare, the player's favourites first; 0: all legal ones.", default=3, min=0)
    players: str | None = option("Player in every seat (default: sl-int8, sl4-int8 or sichuan).", default=None)
    believed: str | None = option(
        "Weight samples by this player's probabilities of what the others did.", default=None
    )
    scale: str | None = option(
        "Compare by the points of the final place: place, tenhou-phoenix-8dan, m-league … (default: points).",
        default=None,
    )
    model: bool = option("Show the outcome model's figures beside the playouts'.", default=False)
    samples: int = option("Samples at most.", default=1024, min=1)
    seconds: float | None = option("Seconds at most.", default=None, min=0, max=1e6)
    level: float = option(
        "Chance of stopping early with a wrong best option; 0: never stop early.", default=0.05, min=0, max=0.5
    )
    processes: int = option("Processes.", default=1, min=1)
    cluster: str | None = option(CLUSTER, default=None)
    seed: int = option("Random seed.", default=0, min=0)
    as_json: bool = option("Print JSON.", "--json", default=False)


def show_playouts(options: PlayoutsOptions) -> None:
    """Play on from a decision with sampled hidden tiles; print win, deal-in, draw, points and placement by option."""
    from janshi.cluster import workers
    from janshi.review import review_of
    from janshi.rollout.playouts import PlayoutPlan, each_playouts
    from janshi.worth.outcomes import OutcomeModel

    found: list[Playouts] = []
    outcomes: Any = None

    def said() -> str:
        if found:
            print_playouts(found[-1], options, outcomes)
        return f"interrupted after {found[-1].samples if found else 0} samples"

    with interrupted(said):
        batch = position_of(options)
        if options.model:
            outcomes = OutcomeModel(batch.rules).outcomes(batch)
        default = review_of(batch.rules).playout_agents.get(batch.rules.players, "efficient")
        with workers(options.cluster, options.processes) as team, counting_bar(options.as_json) as bar:
            task = bar.add_task("samples", total=options.samples)
            for result in each_playouts(
                batch,
                options.options or None,
                players=options.players or default,
                samples=options.samples,
                seconds=options.seconds,
                seed=options.seed,
                processes=team,
                plan=PlayoutPlan(believed=options.believed, scale=options.scale, level=options.level),
            ):
                found[:] = [result]
                bar.update(task, completed=result.samples)
    print_playouts(found[-1], options, outcomes)


def position_of(options: PlayoutsOptions) -> DecisionBatch:
    """Return the decision of a record, or the first one of a hand. Raises `ValueError` if there is none."""
    from janshi.games import game_of
    from janshi.records.sources import numbered_game
    from janshi.rollout.sampling import Sampling

    path = Path(options.position)
    if not path.exists() and path.suffix == "":
        rules = rules_named(options.rules)
        sampling: Sampling = game_of(rules).facet("sampling")
        return sampling.dealt(rules, options.position, options.seed)
    game = numbered_game(path, options.game)
    played = game_of(game.rules).facet("positions")(game, options.hand)
    batch: DecisionBatch = played.position(options.decision, options.seat).batch
    return batch


def print_playouts(result: Playouts, options: PlayoutsOptions, outcomes: Any) -> None:
    """Print the results of every option, and the outcome model's figures if there are any."""
    figures = [] if outcomes is None else [model_figures(outcomes, each.action, options) for each in result.options]
    if options.as_json:
        report = finite(dataclasses.asdict(result))
        del report["figures"]  # the numbers of the options once more
        for each, figure in zip(report["options"], figures, strict=False):
            each["model"] = figure
        typer.echo(json.dumps(report))
        return
    placed = result.best.placement is not None
    # Hands of Sichuan mahjong are worth a few points.
    digits = 0 if max(each.points.high - each.points.low for each in result.options) > _FEW_POINTS else 1
    heads = ["option", "win %", "deal-in %", "draw %", "points", *(["placement"] if placed else []), "to the best"]
    decided = "decided" if result.decided else "not decided"
    model = "; in brackets the outcome model's figures" if figures else ""
    table = make_table(
        *heads,
        box=None,
        title=f"seat {result.seat}: {result.samples:,} samples of each option, {decided}",
        caption=f"± half a 95 % interval; differences to the best option are paired sample by sample{model}",
    )
    for number, each in enumerate(result.options):
        cells = _cells(each, placed, digits, best=each is result.best)
        if figures:
            texts = _texts(figures[number])
            cells[1:-1] = [f"{cell} ({text})" for cell, text in zip(cells[1:-1], texts, strict=True)]
        table.add_row(*cells)
    Console().print(table)


def model_figures(outcomes: Any, action: int, options: PlayoutsOptions) -> dict[str, float]:
    """Return the outcome model's figures of an option, by name."""
    from janshi.worth.scales import scale

    figures = {
        "win": outcomes.wins[0, action],
        "deal_in": outcomes.deal_ins[0, action],
        "draw": outcomes.draws[0, action],
        "points": outcomes.change[0, action],
    }
    if options.scale is not None:
        points = scale(options.scale).points(outcomes.places.shape[1])
        figures["placement"] = outcomes.placement(points)[0, action]
    return {name: float(figure) for name, figure in figures.items()}


def _texts(figures: dict[str, float]) -> list[str]:
    digits = {"points": 0, "placement": 2}
    return [
        f"{figure:,.{digits[name]}f}" if name in digits else f"{100 * figure:.1f}" for name, figure in figures.items()
    ]


def _cells(each: OptionResult, placed: bool, digits: int, *, best: bool) -> list[str]:
    cells = [each.text, _number(each.win, 1, 100), _number(each.deal_in, 1, 100)]
    cells.append(f"{100 * (each.ends.draw.value):.1f}")
    cells.append(_number(each.points, digits))
    if placed and each.placement is not None:
        cells.append(_number(each.placement, 2))
    cells.append("best" if best else _number(each.difference, 2 if placed else digits))
    return cells


def _number(estimate: Estimate, digits: int, factor: int = 1) -> str:
    half = (estimate.high - estimate.low) / 2
    return f"{factor * estimate.value:,.{digits}f} ± {factor * half:,.{digits}f}"
