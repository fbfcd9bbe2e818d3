"""The report of the `gao` thesis: what the stages kept as tables, each number beside the thesis's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from janshi.arena.figures import line_plot, svg
from janshi.papers.gao import figures as paper
from janshi.papers.gao.decisions import DECISIONS
from janshi.papers.page import report_json, save_report
from janshi.papers.runner import Options
from janshi.papers.sheets import (
    Cell,
    Sheet,
    counted_cell,
    duration_text,
    mean_cell,
    number_text,
    percent_text,
    rate_cell,
    share_text,
    word_cells,
)

#: What the discard networks are called.
_TITLES: Final = {
    "tile": "tile model, 56 planes",
    "off-table-68": "off-table model, 68 planes",
    "off-table-86": "off-table model, 86 planes",
    "sequential": "sequential model, learns from padding",
    "sequential-masked": "sequential model, padding left out (ours)",
}
_CALLS: Final = DECISIONS[1:]
_CLASSES: Final = {
    "pon": ("no", "pon"),
    "chii": ("no", "low", "middle", "high"),
    "riichi": ("no", "riichi"),
}


def write_report(results: dict[str, Any], options: Options, folder: Path, titles: Mapping[str, str]) -> Path:
    """Write ``report.json`` and ``report.html`` into a folder that holds the stages' own; return the page's path."""
    report = report_json("gao", results, options, paper.as_json())
    discards, calls = results["discards"]["networks"], results["calls"]["networks"]
    contents = {
        "records": results["records"],
        "paper": paper,
        "summary": summary(results),
        "sizes": sizes_sheet(results["records"]),
        "agreement": agreement_sheet(discards),
        "trained": trained_sheet({**discards, **calls}),
        "curves": curves(discards, ("discard",)),
        "call_curves": curves(calls, _CALLS),
        "calls": calls_sheet(calls),
        "confusions": [confusion_sheet(decision, calls[decision]) for decision in _CALLS],
        "classes": classes_sheet(calls),
        "ablations": ablations_sheet(results["ablations"]["networks"]),
        "machines": machines_sheet(results),
        "matches": matches_sheet(results["matches"]),
        "illegal": results["matches"]["illegal"],
        "times": times_sheet(results, titles),
    }
    return save_report(report, "gao/report.html.j2", contents, folder)


# ---------------------------------------------------------------------------------------------------------
# Tables


def summary(results: dict[str, Any]) -> Sheet:
    """Return the figures that the thesis is known by, beside ours."""
    rows = []
    for name, network in results["discards"]["networks"].items():
        published = paper.AGREEMENT.get(name, (None,))[0]
        ours = counted_cell(network["test"]["all"]["top"][0], published)
        rows.append([Cell(f"discard, {_TITLES[name]}"), ours, rate_cell(network["test"]["classes"]["majority"])])
    for decision, network in results["calls"]["networks"].items():
        classes = network["test"]["classes"]
        ours = counted_cell(classes["accuracy"], paper.accuracy(decision))
        rows.append([Cell(decision), ours, rate_cell(classes["majority"], paper.majority(decision))])
    return Sheet(
        "Agreement with the players of the test set, %",
        ("", "first choice", "always the most frequent answer"),
        rows,
        "Under each rate its 95 % interval and what it was counted over; of riichi the thesis's by its table (75.85 "
        "printed).",
    )


def _dash(count: int) -> list[Cell]:
    return word_cells(*["–"] * count)


def sizes_sheet(records: dict[str, Any]) -> Sheet:
    """Return how many situations there are."""
    rows = []
    for decision, sets in records["sizes"].items():
        for name, size in sets.items():
            published = {"training": paper.TRAINED, "test": paper.TESTED}.get(name, {}).get(decision)
            shares = "–"
            if decision != "discard":
                parts = zip(_CLASSES[decision], size["labels"], strict=True)
                shares = ", ".join(f"{what} {percent_text(count / size['situations'], 1)}" for what, count in parts)
            counts = Cell(number_text(size["situations"]), paper="" if published is None else number_text(published))
            rows.append(
                [
                    *word_cells(decision if name == "training" else "", name),
                    counts,
                    Cell(number_text(size["hands"])),
                    Cell(shares),
                ]
            )
    columns = ("decision", "set", "situations", "in hands", "what was done, %")
    note = "The thesis's training counts its validation too."
    return Sheet("Situations that count", columns, rows, note, words=2)


def agreement_sheet(networks: dict[str, Any]) -> Sheet:
    """Return table 6.2."""
    rows = []
    for name, network in networks.items():
        test = network["test"]
        published = (*paper.AGREEMENT.get(name, ()), None, None, None)[:3]
        tops = [rate_cell(rate, theirs) for rate, theirs in zip(test["all"]["top"], published, strict=True)]
        rows.append(
            [
                Cell(_TITLES[name]),
                Cell(number_text(test["all"]["top"][0]["count"])),
                *tops,
                counted_cell(test["one a hand"]["top"][0]),
                rate_cell(test["masked"]["top"][0]),
                rate_cell(test["all"]["illegal"]),
                rate_cell(test["classes"]["majority"]),
            ]
        )
    for name, rates in paper.OTHERS.items():
        cells = [Cell("–", paper=percent_text(rate)) for rate in rates]
        rows.append([Cell(f"{name} (from the thesis)"), *_dash(1), *cells, *_dash(3 - len(cells)), *_dash(4)])
    columns = (
        "model",
        "tested on",
        "first choice, %",
        "first two, %",
        "first three, %",
        "first choice, one situation a hand, %",
        "first possible choice, %",
        "first choice impossible, %",
        "always the most frequent kind, %",
    )
    note = (
        "First, two, three choices of all 34 kinds, possible or not, as in the thesis. Wilson's 95 % intervals take "
        "the situations of one hand for independent: they are a little narrow; the column of one situation a hand has "
        "none of that. The thesis tested on 50,000 situations “without relevance between”, and found every first "
        "choice possible."
    )
    return Sheet("Table 6.2: agreement on discards", columns, rows, note)


def machines_sheet(results: dict[str, Any]) -> Sheet | None:
    """Return how the networks agree with programs, apart from people; None where no games of programs were given."""
    known = results["records"]["machines"]
    if known is None:
        return None
    rows = []
    for stage in ("discards", "calls"):
        for name, network in results[stage]["networks"].items():
            apart = network["machines"]
            people = network["test"]["all"]["top"][0]
            cells = [counted_cell(apart["all"]["top"][0]), rate_cell(apart["classes"]["majority"]), rate_cell(people)]
            rows.append([Cell(_TITLES.get(name, name)), *cells])
    columns = ("network", "programs: first choice, %", "always the most frequent, %", "people (test set), %")
    note = (
        f"From {known['games']:,} games of archives named ai, of which nothing is learned; one player a hand is "
        "followed, program or not. It says how like people programs play, not how good a network is."
    )
    return Sheet("Apart: games of programs", columns, rows, note)


def trained_sheet(networks: dict[str, Any]) -> Sheet:
    """Return what each network learned from."""
    rows = []
    for name, network in networks.items():
        decision = name if name in _CALLS else "discard"
        printed = paper.PARAMETERS.get(name.removesuffix("-masked"))
        last = [point for point in network["curve"] if point.get("development")][-1]["development"]
        validation = last["discard with padding"] if name == "sequential" else None
        rows.append(
            [
                Cell(_TITLES.get(name, name)),
                Cell(number_text(network["parameters"]), paper="" if printed is None else number_text(printed)),
                Cell(number_text(network["situations"]), paper=number_text(paper.TRAINED[decision])),
                Cell(share_text(network["situations"] / paper.TRAINED[decision])),
                Cell(f"{network['epochs']:.2f}"),
                Cell(number_text(network["batch"]) + (" sequences" if network["sequences"] else "")),
                Cell(
                    percent_text(last[decision]),
                    "" if validation is None else f"with padding {percent_text(validation)}",
                    percent_text(paper.VALIDATION[name]) if name in paper.VALIDATION else "",
                ),
                Cell(_speed(network)),
            ]
        )
    columns = (
        "network",
        "parameters",
        "situations learned from",
        "of one epoch of the thesis",
        "epochs",
        "a step",
        "agreement on games held out, %",
        "time",
    )
    return Sheet("Training", columns, rows, "The thesis prints no number of epochs.")


def _speed(network: dict[str, Any]) -> str:
    each = 1000 * network["seconds"] / max(1, network["situations"])
    return f"{duration_text(network['seconds'])}, {each:.2f} ms a situation"


def calls_sheet(networks: dict[str, Any]) -> Sheet:
    """Return the accuracies of section 7.7 with majority baselines."""
    rows = []
    for decision, network in networks.items():
        classes = network["test"]["classes"]
        alone = network["test"]["one a hand"]["top"][0]
        rows.append(
            [
                Cell(decision),
                counted_cell(classes["accuracy"], paper.accuracy(decision)),
                counted_cell(alone),
                rate_cell(classes["majority"], paper.majority(decision)),
            ]
        )
    columns = ("decision", "agreement, %", "one situation a hand, %", "always the most frequent answer, %")
    return Sheet("Pon, chii and riichi", columns, rows)


def confusion_sheet(decision: str, network: dict[str, Any]) -> Sheet:
    """Return table 7.1, 7.2 or 7.3: rows are the answers, columns what was done."""
    names = _CLASSES[decision]
    rows = [
        [
            Cell(f"answers {names[row]}"),
            *(
                Cell(number_text(count), paper=number_text(paper.CONFUSION[decision][row][column]))
                for column, count in enumerate(counts)
            ),
        ]
        for row, counts in enumerate(network["test"]["classes"]["confusion"])
    ]
    number = 1 + _CALLS.index(decision)
    return Sheet(f"Table 7.{number}: {decision}", ("", *(f"did {name}" for name in names)), rows)


def classes_sheet(networks: dict[str, Any]) -> Sheet:
    """Return precision, recall and F1 of every call, beside those that follow from the thesis's tables."""
    rows = []
    for decision, network in networks.items():
        classes = network["test"]["classes"]
        for place, name in enumerate(_CLASSES[decision]):
            if place == 0:
                continue
            cells = [
                Cell(_rate_text(classes[measure][place]), paper=_rate_text(theirs))
                for measure, theirs in zip(("precision", "recall", "f1"), _published(decision, place), strict=True)
            ]
            rows.append([*word_cells(decision if place == 1 else "", name), *cells])
    columns = ("decision", "answer", "precision, %", "recall, %", "F1, %")
    note = "The thesis's are worked out from its tables; of pon it prints 81.46, 78.21 and 0.798."
    return Sheet("Precision, recall, F1", columns, rows, note, words=2)


def _rate_text(value: float | None) -> str:
    return percent_text(value)


def _published(decision: str, place: int) -> tuple[float, float, float]:
    """Precision, recall and F1 of a class by the thesis's table."""
    table = paper.CONFUSION[decision]
    right, answered = table[place][place], sum(table[place])
    done = sum(row[place] for row in table)
    return right / answered, right / done, 2 * right / (answered + done)


def ablations_sheet(networks: dict[str, Any]) -> Sheet | None:
    """Return the tile model with parts of its input changed; None where the scale has none."""
    if not networks:
        return None
    said = {
        "as-it-is": "",
        "without-riichi-planes": "more than 1 point less",
        "dora-tiles": "about 1 point less",
        "with-pooling": "worse",
    }
    rows = [
        [
            Cell(name.replace("-", " ")),
            Cell(number_text(network["situations"])),
            counted_cell(network["test"]["all"]["top"][0]),
            Cell("", paper=said[name]),
        ]
        for name, network in networks.items()
    ]
    columns = ("tile model", "situations learned from", "first choice, %", "the thesis says")
    note = (
        "Planes that are left out are zeros here, so that the number of parameters stays. Pooling keeps the larger of "
        "every two rows after the first convolution; where it stood in the thesis is not said."
    )
    return Sheet("Ablations (sections 4.1 and 4.5)", columns, rows, note)


def matches_sheet(matches: dict[str, Any]) -> Sheet:
    """Return how the player did, one player against three of another kind."""
    rows = []
    for block in matches["blocks"]:
        if block["player"] == block["against"]:
            continue
        row = block["rows"][-1]
        places = [rate_cell(place) for place in row["places"][:4]]
        names = word_cells(f"{block['player']} vs 3 {block['against']}")
        hands, draw = Cell(number_text(row["hands"])), rate_cell(row["draw"])
        rows.append([*names, hands, *places, draw, mean_cell(row["points"])])
    columns = ("players", "hands", "1st, %", "2nd, %", "3rd, %", "4th, %", "draw, %", "points a hand")
    note = "Single hands by Tenhou's rules, every player in every seat on the same walls; intervals of points by wall."
    return Sheet(f"Matches, {matches['walls']:,} walls", columns, rows, note)


def times_sheet(results: dict[str, Any], titles: Mapping[str, str]) -> Sheet:
    """Return how long each stage took."""
    rows = [word_cells(titles[name], duration_text(result["seconds"])) for name, result in results.items()]
    return Sheet("Time", ("stage", "time"), rows, "A stage that was interrupted counts from where it went on.")


# ---------------------------------------------------------------------------------------------------------
# Curves


def curves(networks: dict[str, Any], decisions: Iterable[str]) -> list[str]:
    """Return figures 4.3, 6.2, 7.1 …: agreement on games held out, and the loss, by situations learned from."""
    accuracy: dict[str, Any] = {}
    loss: dict[str, Any] = {}
    for name, network in networks.items():
        points = [point for point in network["curve"] if point.get("development")]
        of = [decision for decision in decisions if decision in points[-1]["development"]] if points else []
        if not of:
            continue
        size = network["situations"] / max(1, network["samples"])
        along = [size * point["samples"] for point in points]
        accuracy[name] = (along, [100 * point["development"][of[0]] for point in points])
        loss[name] = (along, [point["development loss"] for point in points])
    drawn = []
    for series, title, label in ((accuracy, "agreement", "agreement, %"), (loss, "loss", "cross-entropy")):
        if series:
            drawn.append(svg(line_plot(series, f"Games held out: {title}", "situations learned from", label)))
    return drawn


