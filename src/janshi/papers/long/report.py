"""The report: one page that needs nothing else, and every number as JSON.

Each number stands with what it was counted over, its interval, and the paper's beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from janshi.arena.figures import line_plot, svg
from janshi.papers.long import figures as paper
from janshi.papers.page import report_json, save_report
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
from janshi.yaku import YAKU

_DECISIONS: Final = ("discard", "pon", "chii")
_NETWORKS: Final = {"without": "without yaku", "with": "with yaku", "fewer": "without, fewer games"}
_WORDS: Final = {"discard": "discards", "pon": "pon", "chii": "chii"}


def write_report(results: dict[str, Any], options: Options, folder: Path, titles: Mapping[str, str]) -> Path:
    """Write ``report.json`` and ``report.html`` into a folder that holds the stages' own; return the page's path."""
    report = report_json("long", results, options, paper.as_json())
    contents = {
        "records": results["records"],
        "yaku": results["yaku"],
        "networks": {decision: results[decision]["networks"] for decision in _DECISIONS},
        "printed": paper,
        "summary": summary(results),
        "sizes": sizes_sheet(results["records"]),
        "accuracy": accuracy_sheet(results),
        "gains": gains_sheet(results),
        "shapes": shapes_sheet(results),
        "in_hand": in_hand_sheet(results["discard"]),
        "calls": [calls_sheet(results[decision], decision) for decision in ("pon", "chii")],
        "four": four_sheet(results["chii"]),
        "nine": nine_sheet(results["yaku"]),
        "forty": forty_sheet(results["yaku"]),
        "curves": {decision: curves(results[decision], decision) for decision in _DECISIONS},
        "yaku_curve": yaku_curve(results["yaku"]),
        "matches": results["matches"],
        "played": played_sheet(results["matches"]),
        "times": times_sheet(results, titles),
    }
    return save_report(report, "long/report.html.j2", contents, folder)


# ---------------------------------------------------------------------------------------------------------
# Tables


def summary(results: dict[str, Any]) -> Sheet:
    """Return the figures that the paper is known by, beside ours."""
    rows = []
    for decision, (without, fed) in paper.ACCURACY.items():
        networks, gain = results[decision]["networks"], results[decision]["gain"]
        cells = [
            counted_cell(networks["without"]["test"]["accuracy"], without),
            counted_cell(networks["with"]["test"]["accuracy"], fed),
            _points(gain["difference"], fed - without),
            Cell(chance_text(gain["p"], gain["log10"])),
            rate_cell(networks["with"]["test"]["majority"]),
        ]
        rows.append([Cell(f"agreement on {_WORDS[decision]}, %"), *cells])
    columns = ("", "without yaku", "with yaku", "gain, points", "p of the gain", "always the commonest answer")
    note = (
        "Under each rate its 95 % interval and the situations of held-out games that it was counted over; p by "
        "McNemar's exact test, two-sided. The paper's rates are of its validation set."
    )
    return Sheet("First choices that agree with what people did", columns, rows, note)


def _points(difference: Mapping[str, Any], published: float | None = None) -> Cell:
    """A difference of rates in points of a hundred."""
    low, high = difference["low"], difference["high"]
    interval = "" if low is None else f"{signed_text(100 * low, 2)} to {signed_text(100 * high, 2)}"
    printed = "" if published is None else signed_text(100 * published, 2)
    return Cell(signed_text(100 * difference["value"], 2), interval, printed)


def sizes_sheet(records: dict[str, Any]) -> Sheet:
    """Return how many situations there are, and what thinning leaves of them."""
    rows = []
    for decision in (*_DECISIONS, "yaku"):
        kept = records["kept"].get(decision, 1.0)
        for name in ("training", "development", "test"):
            size = records["sizes"][name][decision]
            count, positive = size["situations"], size["positive"]
            cells = word_cells(number_text(count), "–", "–", "–")
            if decision in records["kept"]:
                left = positive + kept * (count - positive)
                cells = word_cells(*(number_text(count), percent_text(positive / count, 1), number_text(left)))
                cells.append(Cell(percent_text(positive / left, 1)))
            first = decision if name == "training" else ""
            rows.append([*word_cells(first, name), *cells])
    columns = ("decision", "set", "situations", "called, %", "after thinning, about", "called, %")
    note = (
        "The paper's sets have 1,400,000 discards, 160,000 pon and 140,000 chii, a tenth of them for validation. "
        "“yaku” counts the positions of players who go on to win."
    )
    return Sheet("Situations", columns, rows, note, words=2)


def accuracy_sheet(results: dict[str, Any]) -> Sheet:
    """Return all accuracies, with what each network learned from."""
    rows = []
    for decision in _DECISIONS:
        printed = {"without": paper.ACCURACY[decision][0], "with": paper.ACCURACY[decision][1]}
        printed |= {"fewer": paper.FEWER[1]} if decision == "discard" else {}
        for name, network in results[decision]["networks"].items():
            test = network["test"]
            points = [point["development"][decision] for point in network["curve"] if point.get("development")]
            rows.append(
                [
                    *word_cells(decision if name == "without" else "", _NETWORKS[name]),
                    counted_cell(test["accuracy"], printed[name]),
                    rate_cell(test["majority"]),
                    Cell(percent_text(max(points))) if points else Cell("–"),
                    Cell(number_text(network["samples"])),
                    Cell(f"{network['epochs']:.2f}"),
                ]
            )
    columns = (
        "decision",
        "network",
        "test games, %",
        "commonest answer, %",
        "best on the development games, %",
        "situations learned from",
        "times through them",
    )
    note = "Wilson's 95 % intervals, which take situations of one hand for independent: they are a little narrow."
    return Sheet("Agreement of first choices, impossible ones included", columns, rows, note, words=2)


def gains_sheet(results: dict[str, Any]) -> Sheet:
    """Return what yaku bring, on the same situations."""
    rows = []
    for decision, (without, fed) in paper.ACCURACY.items():
        gain = results[decision]["gain"]
        rows.append(
            [
                Cell(decision),
                Cell(number_text(gain["situations"])),
                Cell(number_text(gain["better"])),
                Cell(number_text(gain["worse"])),
                _points(gain["difference"], fed - without),
                Cell(chance_text(gain["p"], gain["log10"])),
            ]
        )
    columns = ("decision", "situations", "right with yaku alone", "right without alone", "gain, points", "p")
    note = (
        "Paired: both networks answer the same situations. The interval takes the hands of games for independent, the "
        "p of McNemar's exact test (two-sided) the situations. Neither says what another training would give."
    )
    return Sheet("What yaku bring", columns, rows, note)


def shapes_sheet(results: dict[str, Any]) -> Sheet:
    """Return the networks' layers and parameters."""
    rows = []
    for decision in _DECISIONS:
        for name, network in results[decision]["networks"].items():
            parameters = number_text(network["parameters"])
            printed = number_text(_PARAMETERS[decision][0 if name != "with" else 1])
            widths = ", ".join(map(str, network["widths"]))
            batch = Cell(str(network["batch"]), paper="16,384" if decision == "discard" else "")
            cells = [Cell(widths), Cell(parameters, paper=printed), batch]
            rows.append([*word_cells(decision if name == "without" else "", _NETWORKS[name]), *cells])
    network = results["yaku"]["network"]
    each = Cell(number_text(network["parameters"] / 40), paper=number_text(_YAKU_PARAMETERS))
    widths = ", ".join(map(str, network["widths"]))
    rows.append([*word_cells("yaku", "each of forty"), Cell(widths), each, Cell(str(network["batch"]))])
    columns = ("decision", "network", "units of the layers before the last", "parameters", "batch")
    return Sheet("Tables 2 to 5: the networks", columns, rows, words=2)


#: Parameters without and with yaku by the layers of tables 2 to 4, and of table 5.
_PARAMETERS: Final = {"discard": (39_483_434, 39_486_134), "pon": (4_809, 4_881), "chii": (322_116, 326_724)}
_YAKU_PARAMETERS: Final = 784_257


def in_hand_sheet(discard: dict[str, Any]) -> Sheet:
    """Return how often first choices of discards are in the hand."""
    rows = []
    for name, network in discard["networks"].items():
        test = network["test"]
        printed = Cell("").paper if name == "fewer" else f"above {percent_text(paper.IN_HAND)}"
        held = rate_cell(test["in hand"])
        rows.append([Cell(_NETWORKS[name]), Cell(held.text, held.interval, printed), counted_cell(test["masked"])])
    columns = ("network", "first choice in the hand, %", "best choice in the hand agrees, %")
    return Sheet("Discards: choices that are in the hand", columns, rows)


def calls_sheet(decision: dict[str, Any], name: str) -> Sheet:
    """Return tables 6 and 7 (pon) or 8 and 9 (chii): call or not."""
    rows = []
    for number, network in enumerate(("without", "with")):
        call = decision["networks"][network]["test"]["call"]
        (no_no, no_yes), (yes_no, yes_yes) = call["confusion"]
        printed = paper.CONFUSION[name][number]
        counts = [
            Cell(number_text(count), paper=number_text(theirs))
            for count, theirs in zip((yes_yes, yes_no, no_yes, no_no), printed, strict=True)
        ]
        hit, false, missed, _ = printed
        beside = (hit / (hit + false), hit / (hit + missed), 2 * hit / (2 * hit + false + missed))
        figures = [
            Cell(percent_text(call[what][1]), paper=percent_text(theirs))
            for what, theirs in zip(("precision", "recall", "f1"), beside, strict=True)
        ]
        rows.append([Cell(_NETWORKS[network]), *counts, *figures])
    columns = (
        "network",
        "says call, called",
        "says call, did not",
        "says no, called",
        "says no, did not",
        "precision, %",
        "recall, %",
        "F1, %",
    )
    tables = {"pon": "Tables 6 and 7: pon", "chii": "Tables 8 and 9: chii, call or not"}
    note = (
        "The paper's second number is lost in the text at hand: it is what the printed accuracy makes of the others"
        + (", and only about right, as that is of four classes." if name == "chii" else ".")
    )
    return Sheet(tables[name], columns, rows, note)


def four_sheet(chii: dict[str, Any]) -> Sheet:
    """Return the four classes of chii, with yaku: rows are the answers."""
    names = ("none", "called tile low", "called tile middle", "called tile high")
    rows = [
        [Cell(name), *word_cells(*map(number_text, counts))]
        for name, counts in zip(names, chii["networks"]["with"]["test"]["confusion"], strict=True)
    ]
    columns = ("answer", *(f"people: {name}" for name in names))
    return Sheet("Chii with yaku, all four answers", columns, rows)


def nine_sheet(yaku: dict[str, Any]) -> Sheet:
    """Return table 10."""
    rows = [_yaku_row(yaku["table"][str(number)], number, printed) for number, printed in paper.YAKU.items()]
    note = f"Counted over {number_text(yaku['positions'])} positions of test games, of players who go on to win."
    return Sheet("Table 10: the nine yaku that are fed back", _YAKU_COLUMNS, rows, note)


def forty_sheet(yaku: dict[str, Any]) -> Sheet:
    """Return the same for all forty."""
    rows = [_yaku_row(result, int(number), None) for number, result in yaku["table"].items()]
    return Sheet("All forty predictors", _YAKU_COLUMNS, rows)


_YAKU_COLUMNS: Final = (
    "yaku",
    "scored",
    "accuracy, %",
    "commonest answer, %",
    "precision, %",
    "recall, %",
    "F1, %",
)


def _yaku_row(result: dict[str, Any], number: int, printed: tuple[float, float, float, float] | None) -> list[Cell]:
    beside = ("", "", "") if printed is None else tuple(percent_text(figure) for figure in printed[1:])
    figures = [
        Cell(percent_text(result[what][1]), paper=theirs)
        for what, theirs in zip(("precision", "recall", "f1"), beside, strict=True)
    ]
    accuracy = rate_cell(result["accuracy"], None if printed is None else printed[0])
    count = Cell(number_text(result["positive"]))
    return [Cell(YAKU[number].name), count, accuracy, Cell(percent_text(result["majority"]["value"])), *figures]


def played_sheet(matches: dict[str, Any]) -> Sheet:
    """Return how the players did at one table."""
    rows = []
    for row in matches["hands"]:
        if row["seat"] != "all":
            continue
        rates = [rate_cell(row[what]) for what in ("win", "tsumo", "deal_in", "riichi", "call")]
        points = mean_cell(row["points"])
        illegal = matches["illegal"].get(row["player"])
        share = "–" if illegal is None else share_text(illegal["illegal"] / max(1, illegal["discards"]))
        rows.append([Cell(row["player"]), Cell(number_text(row["hands"])), *rates, points, Cell(share)])
    columns = (
        "player",
        "hands",
        "wins, %",
        "by self-draw, %",
        "deals in, %",
        "riichi, %",
        "calls, %",
        "points a hand",
        "impossible first choices",
    )
    note = "Single hands of Tenhou's four-player game, one of each player at the table, all on the same walls."
    return Sheet("Among themselves, with efficient and random", columns, rows, note)


def times_sheet(results: dict[str, Any], titles: Mapping[str, str]) -> Sheet:
    """Return how long each stage took."""
    rows = [word_cells(titles[name], duration_text(result["seconds"])) for name, result in results.items()]
    trained = {
        f"{_WORDS[what]}, {_NETWORKS[name]}": network
        for what in _DECISIONS
        for name, network in results[what]["networks"].items()
    }
    for name, network in {**trained, "forty predictors of yaku": results["yaku"]["network"]}.items():
        each = 1000 * network["seconds"] / max(1, network["samples"])
        text = f"{duration_text(network['seconds'])}, {each:.3g} ms a situation"
        rows.append(word_cells(f"of that, training: {name}", text))
    note = "A stage that was interrupted counts from where it went on."
    return Sheet("Time", ("stage", "time"), rows, note)


_TWO: Final = ("without", "with")


# ---------------------------------------------------------------------------------------------------------
# Curves

_FIGURES: Final = {"discard": (1, 2), "pon": (3, 4), "chii": (5, 6)}


def curves(decision: dict[str, Any], name: str) -> list[str]:
    """Return figures 1 and 2 (discards), 3 and 4 (pon) or 5 and 6 (chii): loss and accuracy while learning."""
    loss: dict[str, Any] = {}
    accuracy: dict[str, Any] = {}
    for network in _TWO:
        curve = decision["networks"][network]["curve"]
        every = [point["samples"] for point in curve]
        measured = [point for point in curve if point.get("development")]
        at = [point["samples"] for point in measured]
        loss[network] = (every, [point["loss"] for point in curve])
        loss[f"{network}, held out"] = (at, [point["development loss"] for point in measured])
        accuracy[network] = (every, [100 * point["accuracy"] for point in curve])
        accuracy[f"{network}, held out"] = (at, [100 * point["development"][name] for point in measured])
    first, second = _FIGURES[name]
    words = _WORDS[name]
    figures = (
        line_plot(loss, f"Figure {first}: {words} without and with yaku, loss", "situations learned from", "loss"),
        line_plot(accuracy, f"Figure {second}: {words}, accuracy", "situations learned from", "agreement, %"),
    )
    return [svg(figure) for figure in figures]


def yaku_curve(yaku: dict[str, Any]) -> list[str]:
    """Return the mean loss of the forty predictors while learning."""
    curve = yaku["network"]["curve"]
    measured = [point for point in curve if point.get("development")]
    series = {
        "training": ([point["samples"] for point in curve], [point["loss"] / 40 for point in curve]),
        "development": (
            [point["samples"] for point in measured],
            [point["development loss"] for point in measured],
        ),
    }
    return [svg(line_plot(series, "Forty predictors of yaku", "positions learned from", "mean cross-entropy"))]
