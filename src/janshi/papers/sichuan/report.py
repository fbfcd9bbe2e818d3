"""The report of the Sichuan paper: tables of results, each number beside the paper's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from janshi.arena.figures import line_plot
from janshi.papers.page import Report, Results, Rows
from janshi.papers.sheets import Cell, Sheet, along, mean_cell, number_text, rate_cell, sheet
from janshi.papers.sichuan import figures as paper

if TYPE_CHECKING:
    from matplotlib.figure import Figure

REPORT: Final = Report("sichuan", paper.PUBLISHED, __package__)
#: Titles of the variants of the training.
_VARIANTS: Final = {"slow": "learning rate 3·10⁻⁵", "imitation": "imitates the heuristic, then learns with 3·10⁻⁵"}


def _points(points: Mapping[str, Any], published: float | None = None) -> Cell:
    return mean_cell(points, published, digits=2, printed=1)


def direction(points: Mapping[str, Any]) -> int:
    """Return the sign of a mean if its interval excludes 0, else 0.

    >>> direction({"value": 1.0, "low": 0.5, "high": 1.5}), direction({"value": 1.0, "low": -0.5, "high": 2.5})
    (1, 0)
    """
    if points["low"] is None or points["low"] <= 0 <= points["high"]:
        return 0
    return 1 if points["value"] > 0 else -1


def agreement_text(points: Mapping[str, Any], published: float) -> str:
    """Return whether a mean has the paper's sign, as far as its interval says."""
    ours, theirs = direction(points), (published > 0) - (published < 0)
    if ours == 0:
        return "open" if theirs else "the same: no difference"
    return "the same" if ours == theirs else "the opposite" if theirs else f"{'P1' if ours > 0 else 'P2'} is ahead"


@REPORT.sheet
def summary(results: Results) -> Sheet:
    """Return the headline figures of the paper beside ours."""
    rows = []
    for number, published in paper.SCORES.items():
        agents = results["matches"]["tables"][f"table {number}"]["agents"]
        for row, (name, score) in enumerate(published.items()):
            points = agents[name]["points"]
            verdict = agreement_text(points, score)
            rows.append([f"table {number}" if row == 0 else "", name, _points(points, score), verdict])
    note = (
        "Means a game and seat with 95 % intervals. The paper does not print its scoring: signs and orders can be "
        "compared, magnitudes cannot."
    )
    return sheet("Points a game", " | agent | points | sign", rows, note, words=2)


def _name(parameters: list[float]) -> str:
    return ", ".join(f"{number:g}" for number in parameters)


def _of_first(pair: dict[str, Any]) -> dict[str, Any]:
    points: dict[str, Any] = next(iter(pair["agents"].values()))["points"]
    return points


@REPORT.sheet
def tournament(results: Results) -> Rows:
    """Return table 2."""
    for pair, (_, _, published) in zip(results["parameters"]["printed"], paper.TOURNAMENT, strict=True):
        points = _of_first(pair)
        verdict = agreement_text(points, published)
        yield [_name(pair["first"]), _name(pair["second"]), _points(points, published), verdict, pair["games"]]


@REPORT.sheet
def chosen(results: Results) -> Rows:
    """Return the results of each of the parameters against those that the paper chose."""
    for pair in sorted(results["parameters"]["against chosen"], key=lambda pair: -_of_first(pair)["value"]):
        verdict = {1: "better than the chosen", -1: "worse", 0: "open"}[direction(_of_first(pair))]
        yield [_name(pair["first"]), _points(_of_first(pair)), verdict, pair["games"]]


@REPORT.sheet
def learning_curve(results: Results) -> Rows:
    """Return the points of the learning curve."""
    for point in results["training"]["curve"]:
        if "points" in point:
            loss = f"{point['loss']:.2f}" if "loss" in point else None
            yield [point["games"], _points(point["points"]), f"{point.get('epsilon', 1):.3f}", loss]


@REPORT.sheet
def tables(results: Results, number: str = "5") -> Sheet:
    """Return table 5, 6 or 7."""
    match, published = results["matches"]["tables"][f"table {number}"], paper.SCORES[number]
    agents = match["agents"]
    rows = [[name, _points(agents[name]["points"], score), agents[name]["win"]] for name, score in published.items()]
    seats = " vs ".join(f"{paper.SEATS[number].count(name)} {name}" for name in published)
    games, walls = number_text(match["games"]), number_text(match["walls"])
    note = f"{games} games on {walls} shared walls; the paper {paper.GAMES:,}."
    return sheet(f"Table {number}: {seats}", "agent | points a game | wins, %", rows, note)


@REPORT.sheet
def variants(results: Results) -> Rows:
    """Return tables 5 and 6 with other trainings than the paper's, and the curve's highest point."""
    tables = results["matches"]["tables"]
    for name, title in _VARIANTS.items():
        variant = results["variants"][name]
        points = [_points(tables[f"table {number}, {name}"]["agents"][name]["points"]) for number in ("5", "6")]
        best = max((point["points"] for point in variant["curve"] if "points" in point), key=lambda mean: mean["value"])
        yield [title, *points, _points(best), variant["games"]]


@REPORT.sheet
def alone(results: Results) -> Rows:
    """Return the results of one player against three heuristic agents."""
    for name, match in results["matches"]["tables"].items():
        if not name.startswith("table"):
            player, other = match["agents"].values()
            points = [_points(player["points"]), _points(other["points"])]
            yield [name.removesuffix(" and three heuristic"), *points, rate_cell(player["win"]), match["games"]]


@REPORT.plot
def curves(results: Results) -> list[Figure]:
    """Return the learning curves: points against three heuristic agents, points while training, loss."""
    curve = results["training"]["curve"]
    trained = [point for point in curve if "loss" in point]
    measured = [point for point in curve if "points" in point]
    points = {
        "greedy, same walls": along(measured, "games", "points", "value"),
        "while training": along(trained, "games", "training points"),
    }
    return [
        line_plot(points, "Against three heuristic agents", "games", "points a game"),
        line_plot({"loss": along(trained, "games", "loss")}, "Loss", "games", "squared error"),
    ]
