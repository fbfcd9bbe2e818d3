"""``janshi learn``: a player that learns by playing whole games."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import typer

from janshi.cli.failing import interrupted, training_interrupted
from janshi.cli.options import CLUSTER, argument, option
from janshi.cli.progress import timed_bar
from janshi.learn.configs import LearnConfig


@dataclass(frozen=True)
class LearnOptions:
    """Options of ``janshi learn``."""

    start: str = argument("Player to start from: a shipped player's name, an ONNX file of floats, or a folder.")
    out: Path = option("Output folder; an unfinished run in it is resumed.")
    config: LearnConfig = field(default_factory=LearnConfig)
    processes: int = option("Processes that play; the result does not depend on it.", default=1, min=1)
    cluster: str | None = option(CLUSTER, default=None)
    tensorboard: Path | None = option("Folder for TensorBoard logs.", default=None)
    figure: Path | None = option("File for the curve of places (SVG or PNG; extra report).", default=None)
    as_json: bool = option("Print the learning curve as JSON.", "--json", default=False)


def learn_player(options: LearnOptions) -> None:
    """Improve a player by playing whole games against itself; resumable."""
    from janshi.arena.figures import check_matplotlib
    from janshi.cluster import workers
    from janshi.files import working_in
    from janshi.learn.export import export_onnx
    from janshi.learn.improvement import Improvement
    from janshi.learn.scalars import no_log, tensorboard_log
    from janshi.learn.starts import load_start

    with interrupted(lambda: training_interrupted(options.out)):
        if options.figure is not None:
            check_matplotlib()
        config = options.config
        start = load_start(options.start)
        with working_in(options.out), workers(options.cluster, options.processes) as team:
            log = no_log if options.tensorboard is None else tensorboard_log(options.tensorboard)
            run = Improvement(config, start, options.out, team, log=log)
            with timed_bar(options.as_json) as bar:
                task = bar.add_task("playing", total=config.updates, completed=run.done)

                def show(point: dict[str, Any]) -> None:
                    bar.update(task, completed=point["update"], description=_line(run.curve))

                run.train(show)
        export_onnx(run.best_network(), options.out / "player.onnx", run.rules.players)
        if options.figure is not None:
            draw_curve(run.curve, run.rules.players, options.figure)
    if options.as_json:
        typer.echo(json.dumps(run.curve, indent=1))
        return
    for point in run.curve:
        if "gate" in point:
            typer.echo(_gate_text(point))
    typer.echo(f"saved in {options.out}")


def draw_curve(curve: list[dict[str, Any]], players: int, path: Path) -> None:
    """Draw the mean places of a run's matches against its start, by hours of training."""
    from janshi.arena.figures import line_plot, save

    level = (players + 1) / 2
    points = [point for point in curve if "gate" in point]
    hours = [0.0, *(point["seconds"] / 3600 for point in points)]
    places = [level, *(point["gate"]["place"] for point in points)]
    reach = [0.0, *(1.96 * point["gate"]["place_error"] for point in points)]
    both = list(zip(places, reach, strict=True))
    band = [place - by for place, by in both], [place + by for place, by in both]
    title = f"Mean place against the start, {curve[-1]['decisions'] / 1e6:,.1f} million decisions"
    name = "learner, 95 %"
    lines, bands, levels = {name: (hours, places)}, {name: band}, {"start": level}
    save(line_plot(lines, title, "hours", "mean place", bands=bands, levels=levels), path)


def _line(curve: list[dict[str, Any]]) -> str:
    """The state of a run in one line."""
    rate = curve[-1]["decisions"] / curve[-1]["seconds"]
    gates = [point for point in curve if "gate" in point]
    last = f"; {_gate_text(gates[-1])}" if gates else ""
    return f"{curve[-1]['decisions']:,} decisions, {rate:,.0f} a second{last}"


def _gate_text(point: dict[str, Any]) -> str:
    """The result of a match against the start, with its 95 % interval."""
    gate = point["gate"]
    place = f"mean place {gate['place']:.3f} ± {1.96 * gate['place_error']:.3f}"
    points = f"{gate['points']:+,.1f} ± {1.96 * gate['points_error']:,.1f} points"
    return f"update {point['update']}: {place}, {points} in {gate['games']:,} games against the start"
