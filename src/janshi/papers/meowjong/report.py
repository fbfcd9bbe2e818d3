"""The report: one page that needs nothing else, and every number as JSON.

What the stages kept is put into tables, each number with what it was counted over and with the papers' beside it.
Curves are drawn here, heat maps and box plots come from the stages.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from janshi.arena.figures import bar_plot, line_plot, svg
from janshi.arena.results import WINDS
from janshi.papers.meowjong import figures as paper
from janshi.papers.meowjong.networks import KERNELS
from janshi.papers.meowjong.orphans import ENDS
from janshi.papers.page import report_json, save_report, stored_figures
from janshi.papers.runner import Options
from janshi.papers.sheets import (
    Cell,
    Sheet,
    chance_text,
    counted_cell,
    duration_text,
    mean_cell,
    number_text,
    percent_text,
    rate_cell,
    share_text,
    signed_text,
    word_cells,
)

_SEATS: Final = (*WINDS[:3], "Total")
#: Which of the papers' rows stands beside ours.
_BESIDE: Final = {
    "Random vs 2 Random": "Random vs 2 Random",
    "SL vs 2 Random": "SL vs 2 Random",
    "RL vs 2 Random": "RL vs 2 Random",
    "SL-scaled vs 2 Random": "SL-scaled vs 2 Random",
    "our SL vs 2 Random": "SL vs 2 Random",
    "our RL vs 2 Random": "RL vs 2 Random",
    "our SL vs 2 our SL": "SL vs 2 SL",
    "our RL vs 2 our SL": "RL vs 2 SL",
    "our SL vs 2 our RL": "SL vs 2 RL",
    "SL vs 2 SL": "SL vs 2 SL",
    "RL vs 2 SL": "RL vs 2 SL",
    "SL vs 2 RL": "SL vs 2 RL",
}


def write_report(results: dict[str, Any], options: Options, folder: Path, titles: Mapping[str, str]) -> Path:
    """Write ``report.json`` and ``report.html`` into a folder that holds the stages' own; return the page's path."""
    report = report_json("meowjong", results, options, paper.as_json())
    return save_report(report, "meowjong/report.html.j2", _contents(results, options, folder, titles), folder)


def _contents(
    results: dict[str, Any], options: Options, folder: Path, titles: Mapping[str, str]
) -> dict[str, Any]:
    matches = results["matches"]
    return {
        "records": results["records"],
        "paper": paper,
        "five": results["five"]["networks"],
        "summary": summary(results),
        "sizes": sizes_sheet(results["records"]),
        "means": means_sheet(results["records"]),
        "starts": starts_sheet(results["records"]),
        "kernels": kernels_sheet(results["search"]),
        "heat_maps": stored_figures(_stage_folder(folder, "search")),
        "accuracy": accuracy_sheet(results),
        "trained": trained_sheet(results),
        "curves": learning_curves(results),
        "tied": tied_sheet(results),
        "splits": splits_sheet(results["splits"]),
        "ranks": ranks_sheet(results["ours"]),
        "confusion": confusion_sheet(results["ours"]),
        "our_curves": our_curves(results["ours"]),
        "ours": results["ours"],
        "papers_rl": results["papers-rl"],
        "steady": results["steady"],
        "rl_sheet": rl_sheet(results),
        "rl_search": rl_search_sheet(results["rl-search"]),
        "rl_curves": {name: rl_curves(results[name], title) for name, title in _RL.items()},
        "places": [
            places_sheet(matches["papers"], "Table VIII, as the papers count: the papers' networks", PAPERS, "Random"),
            places_sheet(matches["scaled"], "Table VIII: standardised", PAPERS, "Random", player="SL-scaled"),
            places_sheet(matches["papers"], "Table X, as the papers count: SL and RL", PAPERS, "SL", "RL"),
            places_sheet(matches["ours"], "Table VIII, as the papers count: our players", PAPERS, "Random"),
            places_sheet(matches["ours"], "Table X, as the papers count: our SL and RL", PAPERS, "our SL", "our RL"),
        ],
        "shared": [
            places_sheet(matches["papers"], "Table VIII: the papers' networks", SHARED, "Random"),
            places_sheet(matches["papers"], "Table X: SL and RL", SHARED, "SL", "RL"),
            places_sheet(matches["ours"], "Table VIII: our players", SHARED, "Random"),
            places_sheet(matches["ours"], "Table X: our SL and RL", SHARED, "our SL", "our RL"),
            places_sheet(matches["efficient"], "Our SL and the rule-based player", SHARED, "efficient", "our SL"),
        ],
        "dropped": dropped_sheet(matches),
        "tests": [
            place_tests_sheet(matches["papers"], "Table IX: the papers' networks against Random", "Random"),
            place_tests_sheet(matches["scaled"], "Table IX: standardised", "Random", player="SL-scaled"),
            place_tests_sheet(matches["papers"], "Table XI: SL and RL", "SL", "RL"),
            place_tests_sheet(matches["ours"], "Table IX: our players against Random", "Random"),
            place_tests_sheet(matches["ours"], "Table XI: our SL and RL", "our SL", "our RL"),
            place_tests_sheet(matches["efficient"], "Our SL and efficient", "efficient", "our SL"),
        ],
        "signs": signs_sheet(matches),
        "differences": differences_sheet(matches),
        "illegal": illegal_sheet(matches),
        "boxes": stored_figures(_stage_folder(folder, "matches")),
        "matches": matches,
        "times": times_sheet(results, titles),
    }


def _stage_folder(folder: Path, name: str) -> Path:
    return next(iter(sorted(folder.glob(f"[0-9][0-9]-{name}"))), folder / name)


# ---------------------------------------------------------------------------------------------------------
# Tables


def summary(results: dict[str, Any]) -> Sheet:
    """Return the figures that the papers are known by, beside ours."""
    rows = []
    for decision, (plain, scaled) in paper.ACCURACY.items():
        tests = [
            results["ours"]["test"][decision],
            *(results[stage]["networks"][decision]["test"] for stage in ("five", "scaled")),
        ]
        cells = [
            counted_cell(test["unmasked"] or test["top"][0], published)
            for test, published in zip(tests, (plain, plain, scaled), strict=True)
        ]
        majority = percent_text(tests[0]["majority"]["value"])
        rows.append([Cell(f"agreement on {decision}, % (always the most frequent: {majority})"), *cells])
    blocks = {
        _title(block): block["rows"][-1]
        for part in results["matches"].values()
        if isinstance(part, dict)
        for block in part["blocks"]
    }
    for title in ("SL vs 2 Random", "RL vs 2 Random", "RL vs 2 SL"):
        published = paper.RATES[title]["Total"][0]
        ours = blocks[title.replace("SL", "our SL").replace("RL", "our RL")]
        cells = [counted_cell(row["places"][0], published) for row in (ours, blocks[title])]
        if title == "SL vs 2 Random":
            name = "SL-scaled vs 2 Random"
            cells.append(counted_cell(blocks[name]["places"][0], paper.RATES[name]["Total"][0]))
        rows.append([Cell(f"first places, {title.replace('2', 'two')}, %"), *cells, *word_cells("–", "–")][:4])
    columns = ("", "our network", "the papers' networks, trained here", "the same, standardised")
    return Sheet(
        "Agreement with the players of the test set, and first places",
        columns,
        rows,
        "Under each rate its 95 % interval and what it was counted over.",
    )


def sizes_sheet(records: dict[str, Any]) -> Sheet:
    """Return table 3.3."""
    rows = []
    for decision, sets in records["sizes"].items():
        for name, size in sets.items():
            examples, positive = paper.SIZES[decision][name]
            cells = [Cell(number_text(size["examples"]), paper=number_text(examples))]
            if size["positive"] is None or positive is None:
                cells += word_cells("–", "–")
            else:
                cells.append(Cell(number_text(size["positive"]), paper=number_text(positive)))
                negative = size["examples"] - size["positive"]
                cells.append(Cell(number_text(negative), paper=number_text(examples - positive)))
            rows.append([*word_cells(decision if name == "training" else "", name), *cells])
    columns = ("decision", "set", "examples", "positive", "negative")
    return Sheet("Table 3.3: sizes of the datasets", columns, rows, words=2)


def means_sheet(records: dict[str, Any]) -> Sheet:
    """Return table 3.4."""
    rows = []
    for decision, statistics in records["means"].items():
        mean, deviation, computed, error = paper.MEANS[decision]
        check = statistics["check"]
        rows.append(
            [
                Cell(decision),
                Cell(number_text(statistics["examples"]), paper=number_text(paper.SIZES[decision]["training"][0])),
                Cell(f"{statistics['mean']:.6f}", paper=f"{mean:.6f}"),
                Cell(f"{statistics['deviation']:.6f}", paper=f"{deviation:.6f}"),
                Cell(number_text(check["examples"])),
                Cell(f"{check['direct']:.6f}", paper="–" if computed is None else f"{computed:.6f}"),
                Cell(_error(check["relative error"]), paper="–" if error is None else _error(error)),
            ]
        )
    columns = ("decision", "examples", "μ", "σ = √(μ − μ²)", "checked on", "σ computed directly", "relative error")
    return Sheet("Table 3.4: means and standard deviations of the training sets", columns, rows)


def _error(value: float) -> str:
    return f"{value:.1e}".replace("-", "−")


def starts_sheet(records: dict[str, Any]) -> Sheet:
    """Return table 3.7."""
    rows = []
    for start in records["starts"]:
        published = paper.STARTS[start["tiles"], start["kinds"]]
        count = start["hands"]
        shown = []
        for name, theirs in zip(ENDS, published, strict=True):
            ours = f"{percent_text(start[name] / count, 1)} ({start[name]:,})" if count else "–"
            shown.append(Cell(ours, paper=percent_text(theirs, 3)))
        rows.append([Cell(f"{start['tiles']} of {start['kinds']} kinds"), Cell(number_text(count)), *shown])
    columns = ("terminals and honours", "seats", "drawn, %", "won, %", "dealt in, %", "another's tsumo, %")
    note = (
        "The paper's are of four-player games that went on for thirteen orphans; ours are of sanma, of every seat that "
        "began so, whatever it went for. Hands aborted by kyuushu kyuuhai do not count."
    )
    return Sheet("Table 3.7: how hands end that begin with many terminals and honours", columns, rows, note)


def kernels_sheet(search: dict[str, Any]) -> Sheet:
    """Return table V, and how the papers' choice did in our search."""
    rows = []
    for decision, best in search["best"].items():
        tried = {
            tuple(result[name] for name in ("rows", "columns")): result
            for result in search["kernels"]
            if result["decision"] == decision
        }
        published = KERNELS[decision]
        text = "{} × {}".format
        cells = [Cell(text(*best), paper=text(*published)), counted_cell(tried[tuple(best)]["accuracy"])]
        theirs = counted_cell(tried[published]["accuracy"]) if published in tried else Cell("–")
        tied = ", ".join(text(*kernel) for kernel in search["tied"][decision])
        rows.append([Cell(decision), *cells, theirs, Cell(number_text(tried[tuple(best)]["samples"])), Cell(tied)])
    columns = (
        "decision",
        "best kernel (rows × columns)",
        "its agreement, %",
        "that of the papers' kernel, %",
        "trained on",
        "trained at full length",
    )
    note = "The networks below have the kernel found here; where the last column has two within 0.1 %, the better one."
    return Sheet("Table V: kernel sizes", columns, rows, note)


def tied_sheet(results: dict[str, Any]) -> Sheet | None:
    """Return how tied kernels did at full length; None where there were none."""
    rows = []
    for decision, network in results["five"]["networks"].items():
        for tried in network.get("tied", ()):
            chosen = "kept" if tried["kernel"] == network["kernel"] else ""
            kernel = "{} × {}".format(*tried["kernel"])
            rows.append(word_cells(decision, kernel, percent_text(tried["development"]), chosen))
    columns = ("decision", "kernel", "best on the development set, %", "")
    return Sheet("Tied kernels at full length", columns, rows, words=2) if rows else None


def splits_sheet(splits: dict[str, Any]) -> Sheet:
    """Return what holding out examples instead of games makes of accuracies."""
    rows = []
    for decision, both in splits["decisions"].items():
        for number, (how, measured) in enumerate(both.items()):
            top = measured["test"]["top"][0]
            cells = word_cells(number_text(measured["samples"]), percent_text(measured["development"]))
            cells.append(rate_cell(top))
            rows.append([*word_cells("" if number else decision, how), *cells])
    columns = ("decision", "held out", "situations trained on", "best on those held out, %", "test set, %")
    note = (
        "The papers hold out a tenth of the examples, of whatever hand, stratified by class; elsewhere on this page "
        "whole games are held out. Situations of one hand resemble each other: held out by example, they are easier."
    )
    return Sheet("Held out by example, and by game", columns, rows, note, words=2)


def accuracy_sheet(results: dict[str, Any]) -> Sheet:
    """Return table 4.1 with intervals."""
    rows = []
    for decision, published in paper.ACCURACY.items():
        for number, (stage, name) in enumerate((("five", "papers'"), ("scaled", "papers', standardised"))):
            network = results[stage]["networks"][decision]
            shown = decision if number == 0 else ""
            rows.append(_accuracy(shown, name, network["test"], published[number]))
        rows.append(_accuracy("", "ours, one for all", results["ours"]["test"][decision], published[0]))
    columns = (
        "decision",
        "network",
        "agreement, %",
        "always the most frequent, %",
        "p of being no better",
        "among the possible, %",
        "tested on",
        "loss",
    )
    note = (
        "Discards: the first choice of all 34, as in the papers, and the first of those possible beside it. Wilson's "
        "95 % intervals, which take situations of one hand for independent: they are a little narrow. p: McNemar's "
        "exact test against always giving the most frequent answer, which in the papers' test sets is right in 71.65 % "
        "(pon), 83.37 (kan), 82.44 (kita) and 68.68 % (riichi): above their networks for pon and riichi."
    )
    return Sheet("Table 4.1: agreement with the players of the test set", columns, rows, note, words=2)


def _accuracy(shown: str, name: str, test: dict[str, Any], published: float) -> list[Cell]:
    top, unmasked = test["top"][0], test["unmasked"]
    chance = 10 ** test["above_majority"]
    return [
        *word_cells(shown, name),
        rate_cell(unmasked or top, published),
        rate_cell(test["majority"]),
        Cell(chance_text(chance, test["above_majority"])),
        Cell("–") if unmasked is None else rate_cell(top),
        Cell(number_text(top["count"])),
        Cell("–" if test["loss"] is None else f"{test['loss']:.3f}"),
    ]


def trained_sheet(results: dict[str, Any]) -> Sheet:
    """Return how large each network is and how much it was trained."""
    rows = []
    for decision in paper.ACCURACY:
        for stage, name in (("five", "papers'"), ("scaled", "papers', standardised")):
            network = results[stage]["networks"][decision]
            samples = Cell(number_text(network["samples"]), paper=number_text(paper.SAMPLES[decision]))
            share = Cell(share_text(network["samples"] / paper.SAMPLES[decision]))
            words = word_cells(decision if stage == "five" else "", name)
            rows.append([*words, Cell(number_text(network["parameters"])), samples, share])
    ours = results["ours"]
    counts = word_cells(number_text(ours["parameters"]), number_text(ours["samples"]))
    rows.append([*word_cells("all five", "ours"), *counts, Cell("–")])
    columns = ("decision", "network", "parameters", "situations trained on", "share of the papers' training")
    return Sheet("Training", columns, rows, words=2)


def ranks_sheet(network: dict[str, Any]) -> Sheet:
    """Return our network's agreement among its first, first two and first three choices."""
    rows = []
    for decision, test in network["test"].items():
        tops = [rate_cell(rate) for rate in test["top"]]
        illegal = rate_cell(test["illegal"]) if test["illegal"] else Cell("–")
        count = Cell(number_text(test["top"][0]["count"]))
        unmasked = rate_cell(test["unmasked"]) if test["unmasked"] else Cell("–")
        beside = [illegal, unmasked, rate_cell(test["majority"])]
        rows.append([Cell(decision), count, *tops, *word_cells("–", "–")[: 3 - len(tops)], *beside])
    columns = (
        "decision",
        "tested on",
        "first choice, %",
        "first two, %",
        "first three, %",
        "first choice impossible, %",
        "first of all 34, %",
        "always the most frequent, %",
    )
    return Sheet("Our network on the test set", columns, rows, "First choices are those of what is possible.")


def confusion_sheet(network: dict[str, Any]) -> Sheet:
    """Return what our network says where players network yes and no."""
    rows = []
    for decision, test in network["test"].items():
        if test["confusion"] is None:
            continue
        (no_no, no_yes), (yes_no, yes_yes) = test["confusion"]
        precision = "–" if no_yes + yes_yes == 0 else f"{100 * yes_yes / (no_yes + yes_yes):.1f}"
        recall = "–" if yes_no + yes_yes == 0 else f"{100 * yes_yes / (yes_no + yes_yes):.1f}"
        counts = map(number_text, (yes_yes, yes_no, no_yes, no_no))
        rows.append([Cell(decision), *word_cells(*counts, precision, recall)])
    columns = ("decision", "yes, says yes", "yes, says no", "no, says yes", "no, says no", "precision, %", "recall, %")
    return Sheet("Confusion: what the players did, what our network says", columns, rows)


#: The two readings of places: as the papers count them, and shared.
PAPERS: Final = "papers"
SHARED: Final = "shared"


def _reading(part: dict[str, Any], reading: str) -> dict[str, Any]:
    return part["as in the papers"] if reading == PAPERS else part


def places_sheet(part: dict[str, Any], title: str, reading: str, *against: str, player: str | None = None) -> Sheet:
    """Return table VIII or X by one of the readings: places by seat and in total of the blocks against somebody."""
    rows = []
    for block in _reading(part, reading)["blocks"]:
        if block["against"] not in against or player not in (None, block["player"]):
            continue
        name = _title(block)
        published = paper.RATES.get(_BESIDE.get(name, ""), {})
        left = [row for row in block["rows"] if row["hands"]]
        for number, row in enumerate(left):
            shown = [_shown(row, rank, published) for rank in range(4)]
            points = mean_cell(row["points"])
            hands = Cell(number_text(row["hands"]))
            rows.append([*word_cells("" if number else name, row["seat"]), hands, *shown, points])
        if not left:
            rows.append(word_cells(name, "all dropped", "0", *["–"] * 5))
    columns = ("players", "seat", "hands", "1st, %", "2nd, %", "3rd, %", "draw, %", "points a hand")
    note = "Intervals of rates are Wilson's over hands; of points by wall, the seats of one wall being one observation."
    text = f"{title}, {part['walls']:,} hands in each seat"
    return Sheet(text if reading == PAPERS else f"{text}, places shared", columns, rows, note, words=2)


def dropped_sheet(matches: dict[str, Any]) -> Sheet:
    """Return how many hands the papers' way of counting leaves out for impossible discards, and what that changes."""
    rows = []
    for name, part in _parts(matches):
        for every, kept in zip(part["blocks"], part["as in the papers"]["blocks"], strict=True):
            if name == "efficient" or every["player"] == "Random":
                continue
            before, after = every["rows"][-1], kept["rows"][-1]
            firsts = [row["places"][0]["value"] for row in (before, after)]
            lasts = [row["places"][2]["value"] for row in (before, after)]
            counts = word_cells(number_text(before["hands"]), number_text(before["hands"] - after["hands"]))
            shown = word_cells(*(percent_text(value) for value in (*firsts, *lasts)))
            rows.append([Cell(_title(every)), *counts, *shown])
    columns = ("players", "hands", "dropped", "1st of all, %", "of the rest, %", "3rd of all, %", "of the rest, %")
    note = (
        "The papers drop every seed on which a network discards what is not in the hand (51 of 5,000 for RL against "
        "Random, 7 for RL against two SL, 4 for SL against two RL); here the best possible tile goes instead, and the "
        "hand counts wherever places are shared. Thirds of all: places shared; of the rest: as the papers count."
    )
    return Sheet("Hands dropped for impossible discards", columns, rows, note)


def _shown(row: dict[str, Any], rank: int, published: Mapping[str, Sequence[float]]) -> Cell:
    rate = row["draw"] if rank == 3 else row["places"][rank]
    theirs = published[row["seat"]][rank] if row["seat"] in published else None
    cell = rate_cell(rate, theirs)
    number = row["counts"][rank]
    return dataclasses.replace(cell, text=f"{cell.text} ({number:,})")


def _title(block: dict[str, Any]) -> str:
    return f"{block['player']} vs 2 {block['against']}"


def place_tests_sheet(part: dict[str, Any], title: str, *against: str, player: str | None = None) -> Sheet:
    """Return table IX or XI: the multinomial test, by seat and in total, of the places as the papers count them."""
    rows = []
    every = [test for test in part["as in the papers"]["tests"] if test["against"] in against]
    shared = {(test["player"], test["against"], test["seat"]): test["tail"] for test in part["tests"]}
    for test in every:
        if player not in (None, test["player"]):
            continue
        name = _title(test)
        beside = _BESIDE.get(name, "")
        counts = paper.COUNTS.get(beside, {}).get(test["seat"])
        shown = [
            Cell(number_text(count), paper="" if counts is None else number_text(counts[outcome]))
            for outcome, count in enumerate(test["counts"])
        ]
        total = Cell(number_text(sum(test["counts"])), paper="" if counts is None else number_text(sum(counts)))
        other = shared[test["player"], test["against"], test["seat"]]
        tails = [Cell(chance_text(test["tail"]["p"], test["tail"]["log10"]), paper=paper.CHANCES.get(beside, ""))]
        tails += [Cell(_verdict(test["tail"]["p"], paper.ALPHA)), Cell(chance_text(other["p"], other["log10"]))]
        rows.append([*word_cells(name if test["seat"] == "East" else "", test["seat"]), total, *shown, *tails])
    outcomes = ("1st", "2nd", "3rd", "draw")
    columns = ("players", "seat", "n", *outcomes, "P(at least as good)", "at α = 0.05", "P, places shared")
    names = ", ".join(dict.fromkeys(test["baseline"] for test in every))
    note = (
        f"Baseline: {names} among itself on the same walls, its rates taken as known. With few hands, in which the "
        "baseline never came first or last, the test is far too sure: the paired differences below are to be trusted."
    )
    return Sheet(title, columns, rows, note, words=2)


def _verdict(p: float, level: float) -> str:
    """What a test says of its null hypothesis."""
    return "rejected" if p < level else "accepted"


def signs_sheet(matches: dict[str, Any]) -> Sheet:
    """Return table 4.6: the sign tests."""
    rows = []
    for name, part in _parts(matches):
        first, second = part["players"]
        for row in part["as in the papers"]["signs"]:
            test = row["test"]
            theirs = paper.SIGNS[row["seat"]] if name == "scaled" else None
            counts = [
                Cell(number_text(test[what]), paper="" if theirs is None else number_text(theirs[number]))
                for number, what in enumerate(("plus", "minus", "null", "n", "k"))
            ]
            chance = Cell(chance_text(test["p"], test["log10"]), paper="" if theirs is None else f"{theirs[5]:.4f}")
            shown = f"{first} and {second}, against 2 {row['against']}" if row["seat"] == "East" else ""
            verdict = Cell(_verdict(test["p"], paper.ALPHA / 2))
            rows.append([*word_cells(shown, row["seat"]), *counts, chance, verdict])
    columns = ("players", "seat", "plus", "minus", "null", "n", "k", "P", "at α/2 = 0.025")
    note = "plus: hands that the first of the two ended better; two-tailed: rejected below α/2; ties split evenly."
    return Sheet("Table 4.6: sign tests on the same walls", columns, rows, note, words=2)


def differences_sheet(matches: dict[str, Any]) -> Sheet:
    """Return paired differences: what the papers do not have."""
    rows = []
    for _, part in _parts(matches):
        player, other = part["players"]
        for row in part["differences"]:
            first = row["first"]
            low, high = first["low"], first["high"]
            interval = "" if low is None else f"{signed_text(100 * low, 2)} to {signed_text(100 * high, 2)}"
            shown = f"{player} minus {other}, against 2 {row['against']}" if row["seat"] == "East" else ""
            places = Cell(signed_text(100 * first["value"], 2), interval)
            walls = Cell(number_text(first["count"]))
            rows.append([*word_cells(shown, row["seat"]), walls, places, mean_cell(row["points"])])
    columns = ("players", "seat", "walls", "first places, % of hands", "points a hand")
    note = "Same wall, same seat, same opponents: luck cancels. 95 % intervals by wall."
    return Sheet("Paired differences", columns, rows, note, words=2)


def illegal_sheet(matches: dict[str, Any]) -> Sheet:
    """Return how often a network's first choice to discard was not in the hand."""
    rows = []
    for name, part in _parts(matches):
        for player, counts in part["illegal"].items():
            share = share_text(counts["illegal"] / counts["discards"]) if counts["discards"] else "–"
            numbers = (number_text(counts["discards"]), number_text(counts["illegal"]))
            rows.append(word_cells(player, f"with {_WITH[name]}", *numbers, share))
    columns = ("player", "matches", "discards", "first choice impossible", "share")
    return Sheet("Impossible first choices in matches", columns, rows, words=2)


_WITH: Final = {
    "papers": "SL, RL, Random",
    "scaled": "Random",
    "ours": "our SL, our RL, Random",
    "efficient": "efficient",
}


def _parts(matches: dict[str, Any]) -> Iterable[tuple[str, dict[str, Any]]]:
    return ((name, matches[name]) for name in _WITH)


def times_sheet(results: dict[str, Any], titles: Mapping[str, str]) -> Sheet:
    """Return how long each stage took."""
    rows = [word_cells(titles[name], duration_text(result["seconds"])) for name, result in results.items()]
    for stage in ("five", "scaled"):
        for decision, network in results[stage]["networks"].items():
            each = 1000 * network["seconds"] / max(1, network["samples"])
            answer = 1000 * network["prediction"]["seconds"]
            text = f"{duration_text(network['seconds'])}, {each:.1f} ms a situation; one prediction {answer:.2f} ms"
            rows.append(word_cells(f"of that, {titles[stage][0].lower()}{titles[stage][1:]}: {decision}", text))
    for _, match in _parts(results["matches"]):
        each = 1000 * match["seconds"] / match["hands"]
        text = f"{duration_text(match['seconds'])}, {each:.3g} ms a hand of {match['hands']:,}"
        rows.append(word_cells(f"of that, matches: {' and '.join(match['players'])}", text))
    note = "A stage that was interrupted counts from where it went on."
    return Sheet("Time", ("stage", "time"), rows, note)


# ---------------------------------------------------------------------------------------------------------
# Curves


def learning_curves(results: dict[str, Any]) -> list[str]:
    """Return figure 4.1: development accuracy of the papers' networks, one figure a decision."""
    curves = []
    for decision in paper.ACCURACY:
        series = {}
        for stage, name in (("five", "zeros and ones"), ("scaled", "standardised")):
            curve = results[stage]["networks"][decision]["curve"]
            points = [point for point in curve if decision in point.get("development", ())]
            if points:
                up = [100 * point["development"][decision] for point in points]
                series[name] = ([point["samples"] for point in points], up)
        if series:
            curves.append(
                svg(line_plot(series, f"{decision}: development set", "situations trained on", "agreement, %"))
            )
    return curves


def our_curves(network: dict[str, Any]) -> list[str]:
    """Return our network's learning curves: development accuracy of all decisions, and loss."""
    points = [point for point in network["curve"] if point.get("development")]
    names = [name for name in paper.ACCURACY if all(name in point["development"] for point in points)]
    epochs = [point["epoch"] for point in points]
    accuracy = {name: (epochs, [100 * point["development"][name] for point in points]) for name in names}
    every = [point["epoch"] for point in network["curve"]]
    loss = {
        "training": (every, [point["loss"] for point in network["curve"]]),
        "development": (epochs, [point["development loss"] for point in points]),
    }
    curves = [line_plot(accuracy, "Our network: development set", "epoch", "agreement, %")] if names else []
    curves.append(line_plot(loss, "Our network: loss", "epoch", "cross-entropy (training: all five together)"))
    return [svg(curve) for curve in curves]


_RL: Final = {"papers-rl": "papers' network and setting", "steady": "our network, steadied"}


def rl_curves(run: dict[str, Any], name: str) -> list[str]:
    """Return figures 4.2 to 4.5 of one run: first places, last places, points, impossible discards."""
    curve = run["curve"]
    episodes = [point["episode"] for point in curve]
    hands = curve[0]["hands"]
    counted = f"{hands:,} hands in each seat"
    figures = []
    for what, label, factor in (
        ("win", "first places, %", 100),
        ("loss", "last places, %", 100),
        ("points", "points a hand", 1),
    ):
        series = {
            wind: (episodes, [factor * point[what][seat] for point in curve]) for seat, wind in enumerate(WINDS[:3])
        }
        figures.append(line_plot(series, f"{name}: {label} ({counted})", "episode", label))
    # The dealer wins half as much again: without that the seats can be compared.
    level = {
        wind: (episodes, [point["points"][seat] / (1.5 if seat == 0 else 1) for point in curve])
        for seat, wind in enumerate(WINDS[:3])
    }
    title = f"{name}: points a hand, East's 50 % taken out ({counted})"
    figures.append(line_plot(level, title, "episode", "points a hand"))
    # Bars of dozens of evaluations have no room for their labels: every few get one.
    every = math.ceil(len(curve) / 12)
    labels = [str(episode) if number % every == 0 else "" for number, episode in enumerate(episodes)]
    counts = np.array([point["illegal"] for point in curve], np.float64)
    title = f"{name}: impossible first choices in {3 * hands:,} hands (paper: 6 in 1,500 at most)"
    figures.append(bar_plot({"": counts}, labels, title, "discards", x_label="episode"))
    return [svg(figure) for figure in figures]


def rl_sheet(results: dict[str, Any]) -> Sheet:
    """Return beginning and end of both runs."""
    rows = []
    for stage, name in _RL.items():
        curve = results[stage]["curve"]
        for point in (curve[0], curve[-1]):
            means = [sum(point[what]) / 3 for what in ("win", "loss", "draw", "points")]
            shown = [percent_text(mean) for mean in means[:3]]
            rows.append(
                word_cells(
                    name if point is curve[0] else "",
                    f"episode {point['episode']:,}",
                    number_text(3 * point["hands"]),
                    *shown,
                    signed_text(means[3]),
                    f"{point['illegal']:,} of {point['discards']:,}",
                )
            )
    columns = ("run", "", "hands", "1st, %", "3rd, %", "draw, %", "points a hand", "impossible first choices")
    return Sheet("Against two Random players, before and after", columns, rows, words=2)


def rl_search_sheet(search: dict[str, Any]) -> Sheet | None:
    """Return what each discount and learning rate came to; None where none was tried."""
    rows = []
    for run in search["runs"]:
        begin, end = run["curve"][0], run["curve"][-1]
        means = [100 * sum(point["win"]) / 3 for point in (begin, end)] + [sum(end["points"]) / 3]
        shown = (f"{means[0]:.2f}", f"{means[1]:.2f}", signed_text(means[2]))
        setting = word_cells(f"{run['discount']:g}", f"{run['learning rate']:g}", number_text(end["episode"]))
        rows.append([*setting, Cell(number_text(3 * end["hands"])), *word_cells(*shown)])
    columns = ("discount", "learning rate", "episodes", "hands", "1st before, %", "1st after, %", "points a hand after")
    return Sheet("Discount and learning rate of the papers' setting", columns, rows) if rows else None
