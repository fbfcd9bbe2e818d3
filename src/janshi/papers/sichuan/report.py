"""The report of the Sichuan paper: what the stages kept as tables, each number beside the paper's."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from janshi.arena.figures import line_plot, svg
from janshi.papers.page import report_json, save_report
from janshi.papers.runner import Options
from janshi.papers.sheets import Cell, Sheet, duration_text, number_text, rate_cell, signed_text, word_cells
from janshi.papers.sichuan import figures as paper


def write_report(results: dict[str, Any], options: Options, folder: Path, titles: Mapping[str, str]) -> Path:
    """Write ``report.json`` and ``report.html`` into a folder that holds the stages' own; return the page's path."""
    report = report_json("sichuan", results, options, paper.as_json())
    training = results["training"]
    contents = {
        "paper": paper,
        "summary": summary(results),
        "tournament": tournament_sheet(results["parameters"]["printed"]),
        "chosen": chosen_sheet(results["parameters"]["against chosen"]),
        "training": training,
        "curves": curves(training["curve"]),
        "points": curve_sheet(training["curve"]),
        "tables": [table_sheet(number, results["matches"]["tables"][f"table {number}"]) for number in paper.SCORES],
        "alone": alone_sheet(results["matches"]["tables"]),
        "times": times_sheet(results, titles),
    }
    return save_report(report, "sichuan/report.html.j2", contents, folder)


def points_cell(points: Mapping[str, Any], published: float | None = None) -> Cell:
    """Return points a game with their interval, and the paper's beside them.

    >>> points_cell({"value": -0.5, "low": -1.0, "high": 0.0, "count": 9}, 5.0)
    Cell(text='−0.50', interval='−1.00 to +0.00', paper='+5.0')
    """
    low, high = points["low"], points["high"]
    interval = "" if low is None else f"{signed_text(low, 2)} to {signed_text(high, 2)}"
    return Cell(signed_text(points["value"], 2), interval, "" if published is None else signed_text(published, 1))


def direction(points: Mapping[str, Any]) -> int:
    """Return the sign of a mean where its interval leaves 0 out, else 0.

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
        return "open" if theirs else "the same: neither is ahead"
    return "the same" if ours == theirs else "the other way" if theirs else f"{'P1' if ours > 0 else 'P2'} is ahead"


def summary(results: dict[str, Any]) -> Sheet:
    """Return the figures that the paper is known by, beside ours."""
    rows = []
    for number, published in paper.SCORES.items():
        agents = results["matches"]["tables"][f"table {number}"]["agents"]
        for row, (name, score) in enumerate(published.items()):
            table = Cell(f"table {number}" if row == 0 else "")
            rows.append([table, Cell(name), points_cell(agents[name]["points"], score)])
    note = (
        "Means a game and seat with 95 % intervals. The paper prints no scoring: signs and orders can be compared, "
        "magnitudes cannot."
    )
    return Sheet("Points a game", ("", "agent", "points"), rows, note, words=2)


def _name(parameters: list[float]) -> str:
    return ", ".join(f"{number:g}" for number in parameters)


def tournament_sheet(found: list[dict[str, Any]]) -> Sheet:
    """Return table 2."""
    rows = []
    for pair, (_, _, published) in zip(found, paper.TOURNAMENT, strict=True):
        points = next(iter(pair["agents"].values()))["points"]
        cells = [Cell(_name(pair["first"])), Cell(_name(pair["second"])), points_cell(points, published)]
        rows.append([*cells, Cell(agreement_text(points, published)), Cell(number_text(pair["games"]))])
    columns = ("P1", "P2", "P1's points a game", "direction", "games")
    note = "Two seats each; parameters of pungs, runs and the future. “Open”: our interval holds 0."
    return Sheet("Table 2: parameters of the heuristic", columns, rows, note, words=2)


def chosen_sheet(found: list[dict[str, Any]]) -> Sheet:
    """Return how each of the parameters does against those that the paper chose."""
    rows = []
    for pair in sorted(found, key=lambda pair: -next(iter(pair["agents"].values()))["points"]["value"]):
        points = next(iter(pair["agents"].values()))["points"]
        verdict = {1: "better than the chosen", -1: "worse", 0: "open"}[direction(points)]
        rows.append([Cell(_name(pair["first"])), points_cell(points), Cell(verdict), Cell(number_text(pair["games"]))])
    columns = ("parameters", "points a game against 7.5, 2.5, 1", "", "games")
    note = "Not in the paper: which parameters win here. The best stand first; two seats each."
    return Sheet("The paper's parameters against those that it chose", columns, rows, note)


def curve_sheet(curve: list[dict[str, Any]]) -> Sheet:
    """Return the points of the learning curve."""
    rows = [
        [
            Cell(number_text(point["games"])),
            points_cell(point["points"]),
            Cell(f"{point['epsilon']:.3f}" if "epsilon" in point else "1.000"),
            Cell(f"{point['loss']:.2f}" if "loss" in point else "–"),
        ]
        for point in curve
        if "points" in point
    ]
    columns = ("games", "points a game", "ε", "loss")
    note = "Against three heuristic agents, always on the same walls, in every seat. The paper has no learning curve."
    return Sheet("Learning curve", columns, rows, note)


def table_sheet(number: str, match: dict[str, Any]) -> Sheet:
    """Return table 5, 6 or 7."""
    published = paper.SCORES[number]
    rows = [
        [Cell(name), points_cell(match["agents"][name]["points"], score), rate_cell(match["agents"][name]["win"])]
        for name, score in published.items()
    ]
    seats = " vs ".join(f"{paper.SEATS[number].count(name)} {name}" for name in published)
    games, walls = number_text(match["games"]), number_text(match["walls"])
    note = f"{games} games on {walls} shared walls; the paper {paper.GAMES:,}."
    return Sheet(f"Table {number}: {seats}", ("agent", "points a game", "wins, %"), rows, note)


def alone_sheet(tables: dict[str, Any]) -> Sheet:
    """Return how one player does against three heuristic agents."""
    rows = []
    for name, match in tables.items():
        if name.startswith("table"):
            continue
        player, other = match["agents"].values()
        cells = [points_cell(player["points"]), points_cell(other["points"]), rate_cell(player["win"])]
        rows.append([Cell(name.removesuffix(" and three heuristic")), *cells, Cell(number_text(match["games"]))])
    columns = ("player", "points a game", "of each heuristic agent", "wins, %", "games")
    return Sheet("One player against three heuristic agents", columns, rows, "Not in the paper; all on the same walls.")


def times_sheet(results: dict[str, Any], titles: Mapping[str, str]) -> Sheet:
    """Return how long each stage took."""
    rows = [word_cells(titles[name], duration_text(result["seconds"])) for name, result in results.items()]
    return Sheet("Time", ("stage", "time"), rows, "A stage that was interrupted counts from where it went on.")


def curves(curve: list[dict[str, Any]]) -> list[str]:
    """Return the learning curves as SVG: points against three heuristic agents, points while training, loss."""
    measured = [point for point in curve if "points" in point]
    trained = [point for point in curve if "loss" in point]
    games = [point["games"] for point in trained]
    drawn = []
    for series, title, label in (
        (
            {
                "greedy, same walls": (
                    [point["games"] for point in measured],
                    [point["points"]["value"] for point in measured],
                ),
                "while training": (games, [point["training points"] for point in trained]),
            },
            "Against three heuristic agents",
            "points a game",
        ),
        ({"loss": (games, [point["loss"] for point in trained])}, "Loss", "squared error"),
    ):
        drawn.append(svg(line_plot(series, title, "games", label)))
    return drawn
