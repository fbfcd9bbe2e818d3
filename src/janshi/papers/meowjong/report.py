"""The report of the `meowjong` papers: tables of results, each number beside the papers'.

Curves are drawn here, heat maps and box plots come from the stages.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from janshi.arena.figures import bar_plot, line_plot
from janshi.arena.style import WINDS
from janshi.papers.meowjong import figures as paper
from janshi.papers.meowjong.networks import KERNELS
from janshi.papers.meowjong.orphans import ENDS
from janshi.papers.page import Report, Results, Rows
from janshi.papers.sheets import (
    Cell,
    Sheet,
    agreement_plot,
    along,
    chance_text,
    count_cell,
    counted_cell,
    duration_text,
    mean_cell,
    percent_text,
    rate_cell,
    share_text,
    signed_text,
    speed_text,
    verdict_row,
    verdicts,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

REPORT: Final = Report("meowjong", paper.PUBLISHED, __package__)

#: The papers' networks: the stage, their names in tables, and in curves.
_PAPERS: Final = {"five": ("papers'", "zeros and ones"), "scaled": ("papers', standardised", "standardised")}
#: Parts of the matches, and their players.
_WITH: Final = {
    "papers": "SL, RL, Random",
    "scaled": "Random",
    "shipped": "efficient, Random",
}


def _title(block: Mapping[str, Any]) -> str:
    return f"{block['player']} vs 2 {block['against']}"


def _parts(results: Results) -> Iterator[tuple[str, dict[str, Any]]]:
    return ((name, results["matches"][name]) for name in _WITH)


# ---------------------------------------------------------------------------------------------------------
# In short, and the records


@REPORT.sheet
def summary(results: Results) -> Sheet:
    """Return the headline figures of the papers beside ours."""
    rows: list[list[Any]] = []
    for decision, printed in paper.ACCURACY.items():
        for (stage, (_, inputs)), published in zip(_PAPERS.items(), printed, strict=True):
            network = results[stage]["networks"][decision]
            test, seen = network["test"], network["samples"]
            ours, same = test["unmasked"] or test["top"][0], network["parameters"] == paper.PARAMETERS[decision]
            rows.append(verdict_row(f"{decision}, {inputs}", ours, published, seen, test["majority"], same=same))
    return verdicts(rows, "The papers' test sets hold out single examples.")


@REPORT.sheet
def firsts(results: Results) -> Rows:
    """Return the first places of the papers' players, and those in print."""
    rows = {_title(block): block["rows"][-1] for _, part in _parts(results) for block in part["blocks"]}
    for title in ("SL vs 2 Random", "SL-scaled vs 2 Random", "RL vs 2 Random", "RL vs 2 SL"):
        yield [title, counted_cell(rows[title]["places"][0], paper.RATES[title]["Total"][0])]


@REPORT.sheet
def sizes(results: Results) -> Rows:
    """Return table 3.3."""
    for decision, sets in results["records"]["sizes"].items():
        for name, size in sets.items():
            examples, positive = paper.SIZES[decision][name]
            cells = [count_cell(size["examples"], examples)]
            if size["positive"] is not None and positive is not None:
                cells.append(count_cell(size["positive"], positive))
                cells.append(count_cell(size["examples"] - size["positive"], examples - positive))
            yield [decision if name == "training" else "", name, *cells]


@REPORT.sheet
def means(results: Results) -> Rows:
    """Return table 3.4."""
    for decision, ours in results["records"]["means"].items():
        check, printed = ours["check"], paper.MEANS[decision]
        figures = ours["mean"], ours["deviation"], check["direct"], check["relative error"]
        cells = [
            Cell(text(number), paper="–" if theirs is None else text(theirs))
            for text, number, theirs in zip((*["{:.6f}".format] * 3, _error), figures, printed, strict=True)
        ]
        examples = count_cell(ours["examples"], paper.SIZES[decision]["training"][0])
        yield [decision, examples, *cells[:2], check["examples"], *cells[2:]]


def _error(value: float) -> str:
    return f"{value:.1e}".replace("-", "−")


@REPORT.sheet
def starts(results: Results) -> Rows:
    """Return table 3.7."""
    for start in results["records"]["starts"]:
        count, printed = start["hands"], paper.STARTS[start["tiles"], start["kinds"]]
        ours = [f"{percent_text(start[end] / count, 1)} ({start[end]:,})" if count else "–" for end in ENDS]
        cells = [Cell(text, paper=percent_text(theirs, 3)) for text, theirs in zip(ours, printed, strict=True)]
        yield [f"{start['tiles']} of {start['kinds']} kinds", count, *cells]


# ---------------------------------------------------------------------------------------------------------
# Networks


@REPORT.sheet
def kernels(results: Results) -> Rows:
    """Return table V, and the papers' choice in our search."""
    search = results["search"]
    text = "{} × {}".format
    tried = {(found["decision"], found["rows"], found["columns"]): found for found in search["kernels"]}
    for decision, best in search["best"].items():
        found, theirs = tried[decision, *best], tried.get((decision, *KERNELS[decision]))
        kernel = Cell(text(*best), paper=text(*KERNELS[decision]))
        of_theirs = theirs and counted_cell(theirs["accuracy"])
        tied = ", ".join(text(*kernel) for kernel in search["tied"][decision])
        yield [decision, kernel, counted_cell(found["accuracy"]), of_theirs, found["samples"], tied]


@REPORT.sheet
def tied(results: Results) -> Rows:
    """Return tied kernels after full training."""
    for decision, network in results["five"]["networks"].items():
        for tried in network.get("tied", ()):
            kept = "kept" if tried["kernel"] == network["kernel"] else ""
            yield [decision, "{} × {}".format(*tried["kernel"]), percent_text(tried["development"]), kept]


@REPORT.sheet
def splits(results: Results) -> Rows:
    """Return accuracies with examples held out instead of games."""
    for decision, both in results["splits"]["decisions"].items():
        for how, found in both.items():
            cells = [found["samples"], percent_text(found["development"]), found["test"]["top"][0]]
            yield [decision if how == "by example" else "", how, *cells]


@REPORT.sheet
def accuracy(results: Results) -> Rows:
    """Return table 4.1 with intervals."""
    for decision, (plain, scaled) in paper.ACCURACY.items():
        five, standardised = (results[stage]["networks"][decision]["test"] for stage in _PAPERS)
        yield [decision, _PAPERS["five"][0], *_accuracy(five, plain)]
        yield ["", _PAPERS["scaled"][0], *_accuracy(standardised, scaled)]


def _accuracy(test: Mapping[str, Any], published: float) -> list[Any]:
    top, unmasked = test["top"][0], test["unmasked"]
    return [
        rate_cell(unmasked or top, published),
        test["majority"],
        chance_text(10 ** test["above_majority"], test["above_majority"]),
        unmasked and rate_cell(top),
        top["count"],
        None if test["loss"] is None else f"{test['loss']:.3f}",
    ]


@REPORT.sheet
def trained(results: Results) -> Rows:
    """Return the size and the training of each network."""
    for decision, samples in paper.SAMPLES.items():
        for stage, (name, _) in _PAPERS.items():
            network = results[stage]["networks"][decision]
            size = count_cell(network["parameters"], paper.PARAMETERS[decision])
            seen = [count_cell(network["samples"], samples), share_text(network["samples"] / samples)]
            yield [decision if stage == "five" else "", name, size, *seen]


# ---------------------------------------------------------------------------------------------------------
# Matches


@REPORT.sheet
def places(results: Results, part: str, against: Sequence[str], shared: bool, player: str | None) -> Rows:
    """Return table VIII or X: places by seat and in total of the blocks of a part against somebody.

    ``shared``: whether equal points share a place, else places are counted as in the papers; ``player``: whose blocks
    (None: all players').
    """
    played = results["matches"][part]
    for block in (played if shared else played["as in the papers"])["blocks"]:
        if block["against"] not in against or player not in (None, block["player"]):
            continue
        name = _title(block)
        published = paper.RATES.get(name, {})
        left = [row for row in block["rows"] if row["hands"]]
        for number, row in enumerate(left):
            rates = map(rate_cell, (*row["places"][:3], row["draw"]), published.get(row["seat"], [None] * 4))
            counted = zip(rates, row["counts"], strict=True)
            cells = [dataclasses.replace(rate, text=f"{rate.text} ({count:,})") for rate, count in counted]
            yield ["" if number else name, row["seat"], row["hands"], *cells, mean_cell(row["points"])]
        if not left:
            yield [name, "all dropped", "0"]


@REPORT.sheet
def dropped(results: Results) -> Rows:
    """Return the number of hands that the papers' counting leaves out for impossible discards, and its effect."""
    for name, part in _parts(results):
        for every, kept in zip(part["blocks"], part["as in the papers"]["blocks"], strict=True):
            if name != "shipped" and every["player"] != "Random":
                both = every["rows"][-1], kept["rows"][-1]
                rates = [percent_text(row["places"][rank]["value"]) for rank in (0, 2) for row in both]
                yield [_title(every), both[0]["hands"], both[0]["hands"] - both[1]["hands"], *rates]


@REPORT.sheet
def place_tests(results: Results, part: str, against: Sequence[str], player: str | None) -> Rows:
    """Return table IX or XI: the multinomial test, by seat and in total, of the places as the papers count them."""
    played = results["matches"][part]
    shared = {(test["player"], test["against"], test["seat"]): test["tail"] for test in played["tests"]}
    every = [test for test in played["as in the papers"]["tests"] if test["against"] in against]
    if not every:  # as with a few hands of networks that have hardly learned
        yield ["no hand without an impossible discard", *[""] * 9]
    for test in every:
        if player not in (None, test["player"]):
            continue
        name, tail = _title(test), test["tail"]
        counts = paper.COUNTS.get(name, {}).get(test["seat"])
        total = count_cell(sum(test["counts"]), None if counts is None else sum(counts))
        cells = map(count_cell, test["counts"], [None] * 4 if counts is None else counts)
        chance = Cell(chance_text(tail["p"], tail["log10"]), paper=paper.CHANCES.get(name, ""))
        other = shared[test["player"], test["against"], test["seat"]]
        tails = [chance, _verdict(tail["p"], paper.ALPHA), chance_text(other["p"], other["log10"])]
        yield [name if test["seat"] == "East" else "", test["seat"], total, *cells, *tails]


def _verdict(p: float, level: float) -> str:
    """Return the outcome of a test of its null hypothesis."""
    return "rejected" if p < level else "accepted"


@REPORT.sheet
def signs(results: Results) -> Rows:
    """Return table 4.6: the sign tests."""
    for name, part in _parts(results):
        first, second = part["players"]
        for row in part["as in the papers"]["signs"]:
            test = row["test"]
            *counts, p = paper.SIGNS[row["seat"]] if name == "scaled" else [None] * 6
            cells = map(count_cell, (test[what] for what in ("plus", "minus", "null", "n", "k")), counts)
            chance = Cell(chance_text(test["p"], test["log10"]), paper="" if p is None else f"{p:.4f}")
            players = f"{first} and {second}, against 2 {row['against']}" if row["seat"] == "East" else ""
            yield [players, row["seat"], *cells, chance, _verdict(test["p"], paper.ALPHA / 2)]


@REPORT.sheet
def differences(results: Results) -> Rows:
    """Return paired differences, which the papers do not have."""
    for _, part in _parts(results):
        player, other = part["players"]
        for row in part["differences"]:
            players = f"{player} minus {other}, against 2 {row['against']}" if row["seat"] == "East" else ""
            firsts = mean_cell(row["first"], digits=2, factor=100)
            yield [players, row["seat"], row["first"]["count"], firsts, mean_cell(row["points"])]


@REPORT.sheet
def illegal(results: Results) -> Rows:
    """Return the share of a network's first choices to discard that were not in the hand."""
    for name, part in _parts(results):
        for player, counts in part["illegal"].items():
            share = share_text(counts["illegal"] / counts["discards"]) if counts["discards"] else None
            yield [player, f"with {_WITH[name]}", counts["discards"], counts["illegal"], share]


def _times(results: Results, titles: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for stage in _PAPERS:
        for decision, network in results[stage]["networks"].items():
            text = speed_text(network["seconds"], network["samples"], digits=".1f")
            answer = f"{text}; one prediction {1000 * network['prediction']['seconds']:.2f} ms"
            yield f"of that, {titles[stage][0].lower()}{titles[stage][1:]}: {decision}", answer
    for _, match in _parts(results):
        each = f"{1000 * match['seconds'] / match['hands']:.3g} ms a hand of {match['hands']:,}"
        yield f"of that, matches: {' and '.join(match['players'])}", f"{duration_text(match['seconds'])}, {each}"


REPORT.times.append(_times)


# ---------------------------------------------------------------------------------------------------------
# REINFORCE


@REPORT.sheet
def improved(results: Results) -> Rows:
    """Return beginning and end of the run."""
    curve = results["papers-rl"]["curve"]
    for point in (curve[0], curve[-1]):
        *rates, points = (sum(point[what]) / 3 for what in ("win", "loss", "draw", "points"))
        cells = [*map(percent_text, rates), signed_text(points), f"{point['illegal']:,} of {point['discards']:,}"]
        yield [f"episode {point['episode']:,}", 3 * point["hands"], *cells]


@REPORT.sheet
def settings(results: Results) -> Rows:
    """Return results by discount and learning rate."""
    for run in results["rl-search"]["runs"]:
        begin, end = run["curve"][0], run["curve"][-1]
        tried = [f"{run[what]:g}" for what in ("discount", "learning rate")]
        wins = [percent_text(sum(point["win"]) / 3) for point in (begin, end)]
        yield [*tried, end["episode"], 3 * end["hands"], *wins, signed_text(sum(end["points"]) / 3)]


@REPORT.plot
def improving(results: Results) -> list[Figure]:
    """Return figures 4.2 to 4.5: first places, last places, points, impossible discards."""
    curve = results["papers-rl"]["curve"]
    hands = curve[0]["hands"]
    episodes = [point["episode"] for point in curve]
    figures = []
    for what, title, factor, dealer in (
        ("win", "first places, %", 100, 1),
        ("loss", "last places, %", 100, 1),
        ("points", "points a hand", 1, 1),
        # The dealer wins half as much again; without this share the seats are comparable.
        ("points", "points a hand, without East's extra 50 %", 1, 1.5),
    ):
        series = {
            wind: (episodes, [factor * point[what][seat] / (1 if seat else dealer) for point in curve])
            for seat, wind in enumerate(WINDS[:3])
        }
        heading = f"{title} ({hands:,} hands in each seat)"
        figures.append(line_plot(series, heading, "episode", title.removesuffix(", without East's extra 50 %")))
    # Bars of dozens of evaluations have no room for their labels: every few get one.
    every = math.ceil(len(curve) / 12)
    labels = [str(episode) if number % every == 0 else "" for number, episode in enumerate(episodes)]
    counts = np.array([point["illegal"] for point in curve], np.float64)
    title = f"impossible first choices in {3 * hands:,} hands (paper: 6 in 1,500 at most)"
    return [*figures, bar_plot({"": counts}, labels, title, "discards", x_label="episode")]


# ---------------------------------------------------------------------------------------------------------
# Learning curves


@REPORT.plot
def curves(results: Results) -> list[Figure]:
    """Return figure 4.1: development accuracy of the papers' networks, one figure a decision."""
    figures = []
    for decision, printed in paper.ACCURACY.items():
        series, levels = {}, {}
        for (stage, (_, name)), published in zip(_PAPERS.items(), printed, strict=True):
            levels[f"printed, {name}"] = 100 * published
            curve = results[stage]["networks"][decision]["curve"]
            points = [point for point in curve if decision in point.get("development", ())]
            if points:
                series[name] = along(points, "samples", "development", decision, factor=100)
        if series:
            figures.append(agreement_plot(series, f"{decision}: development set", levels))
    return figures
