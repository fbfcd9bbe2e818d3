"""The report of the `gao` thesis: tables of results, each number beside the thesis's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from janshi.arena.figures import line_plot
from janshi.papers.gao import figures as paper
from janshi.papers.gao.labels import DECISIONS
from janshi.papers.measures import accuracy_at, balanced
from janshi.papers.page import Report, Results, Rows
from janshi.papers.sheets import (
    Cell,
    Sheet,
    agreement_plot,
    along,
    count_cell,
    counted_cell,
    mean_cell,
    measured,
    number_text,
    percent_cell,
    percent_text,
    rate_cell,
    sheet,
    speed_text,
    verdict_row,
    verdicts,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

REPORT: Final = Report("gao", paper.PUBLISHED, __package__)

#: Titles of the discard networks.
_TITLES: Final = {
    "tile": "tile model, 56 planes",
    "off-table-68": "off-table model, 68 planes",
    "off-table-86": "off-table model, 86 planes",
    "tile-all": "tile model, 56 planes, all players of a hand (ours)",
    "off-table-68-all": "off-table model, 68 planes, all players of a hand (ours)",
    "off-table-86-all": "off-table model, 86 planes, all players of a hand (ours)",
    "sequential": "sequential model, trained on padding",
    "sequential-masked": "sequential model, masked (ours)",
    "pon-all": "pon, all players of a hand (ours)",
    "chii-all": "chii, all players of a hand (ours)",
    "pon-trunk-all": "pon, all players, trunk of a discard network (ours)",
    "chii-trunk-all": "chii, all players, trunk of a discard network (ours)",
    "riichi-all": "riichi, all players of a hand (ours)",
    "riichi-trunk-all": "riichi, all players, trunk of a discard network (ours)",
    "riichi-trunk-unfiltered": "riichi, the same without the filter of 1,500 points (ours)",
}
#: Variants that are not the thesis's.
_OURS: Final = frozenset(name for name, title in _TITLES.items() if title.endswith("(ours)"))
_CALLS: Final = DECISIONS[1:]
_CLASSES: Final = {
    "pon": ("no", "pon"),
    "chii": ("no", "low", "middle", "high"),
    "riichi": ("no", "riichi"),
}
#: The thesis's statement on each ablation.
_SAID: Final = {
    "as-it-is": "",
    "without-riichi-planes": "more than 1 point less",
    "dora-tiles": "about 1 point less",
    "with-pooling": "worse",
}


def decision_of(name: str) -> str:
    """Return the decision of a network.

    >>> decision_of("riichi-trunk-all"), decision_of("off-table-86")
    ('riichi', 'discard')
    """
    first = name.partition("-")[0]
    return first if first in _CALLS else "discard"


def printed_of(name: str) -> float | None:
    """Return the thesis's figure for a network and its variants.

    >>> printed_of("off-table-86-all"), printed_of("as-it-is")
    (0.7044, None)
    """
    decision = decision_of(name)
    if decision != "discard":
        return paper.accuracy(decision)
    return paper.AGREEMENT.get(name.removesuffix("-all").removesuffix("-masked"), (None,))[0]


def _networks(results: Results) -> Iterable[tuple[str, Any]]:
    """Return names and results of the networks of table 6.2 and of calls."""
    return {**results["discards"]["networks"], **results["calls"]["networks"]}.items()


@REPORT.sheet
def summary(results: Results) -> Sheet:
    """Return the headline figures of the thesis beside ours."""
    rows = []
    for name, network in _networks(results):
        classes, printed = network["test"]["classes"], printed_of(name)
        assert printed is not None, "every network of these stages has its figure in print"
        same = network["parameters"] == paper.PARAMETERS.get(name.removesuffix("-masked"), network["parameters"])
        seen, majority = network["situations"], classes["majority"]
        rows.append(verdict_row(_TITLES.get(name, name), classes["accuracy"], printed, seen, majority, same=same))
    return verdicts(rows, "The thesis prints 75.85 % for riichi; its table gives 76.85 %.")


@REPORT.sheet
def sizes(results: Results) -> Rows:
    """Return the numbers of situations."""
    for decision, sets in results["records"]["sizes"].items():
        for name, size in sets.items():
            published = {"training": paper.TRAINED, "test": paper.TESTED}.get(name, {}).get(decision)
            shares = None
            if decision != "discard":
                parts = zip(_CLASSES[decision], size["labels"], strict=True)
                shares = ", ".join(f"{what} {percent_text(count / size['situations'], 1)}" for what, count in parts)
            counts = [count_cell(size["situations"], published), size["hands"]]
            yield [decision if name == "training" else "", name, *counts, shares]


@REPORT.sheet
def agreement(results: Results) -> Rows:
    """Return table 6.2."""
    for name, network in results["discards"]["networks"].items():
        test = network["test"]
        tops = test["all"]["top"]
        published = (*paper.AGREEMENT.get(name, ()), None, None, None)
        beside = [test["masked"]["top"][0], test["all"]["illegal"], test["classes"]["majority"]]
        yield [_TITLES[name], tops[0]["count"], *map(rate_cell, tops, published), *beside]
    for name, rates in paper.OTHERS.items():
        yield [f"{name} (from the thesis)", None, *(Cell("–", paper=percent_text(rate)) for rate in rates)]


@REPORT.sheet
def machines(results: Results) -> Sheet | None:
    """Return the networks' agreement with programs, apart from people; None without games of programs."""
    known = results["records"]["machines"]
    if known is None:
        return None
    rows = []
    for stage in ("discards", "calls"):
        for name, network in results[stage]["networks"].items():
            apart = network["machines"]
            programs = [counted_cell(apart["all"]["top"][0]), apart["classes"]["majority"]]
            rows.append([_TITLES.get(name, name), *programs, network["test"]["all"]["top"][0]])
    columns = "network | programs: first choice, % | always the most frequent, % | people (test set), %"
    note = (
        f"{known['games']:,} games of archives named ai, which are not in the training set; one player of each hand is "
        "followed, program or not. This measures how similar programs and people play, not how good a network is."
    )
    return sheet("Games of programs", columns, rows, note)


@REPORT.sheet
def trained(results: Results) -> Rows:
    """Return the training of each network."""
    for name, network in _networks(results):
        decision = decision_of(name)
        last = measured(network["curve"])[-1]["development"]
        validation = f"with padding {percent_text(last['discard with padding'])}" if name == "sequential" else ""
        theirs = percent_text(paper.VALIDATION[name]) if name in paper.VALIDATION else ""
        yield [
            _TITLES.get(name, name),
            count_cell(network["parameters"], paper.PARAMETERS.get(name.removesuffix("-masked"))),
            count_cell(network["situations"], paper.TRAINED[decision]),
            f"{network['epochs']:.2f}",
            number_text(network["batch"]) + (" sequences" if network["sequences"] else ""),
            Cell(percent_text(last[decision]), validation, theirs),
            speed_text(network["seconds"], network["situations"], digits=".2f"),
        ]


@REPORT.sheet
def calls(results: Results) -> Rows:
    """Return the accuracies of section 7.7 with majority baselines."""
    for name, network in results["calls"]["networks"].items():
        decision, classes = decision_of(name), network["test"]["classes"]
        table, printed = paper.CONFUSION[decision], None if name in _OURS else paper.accuracy(decision)
        ours = counted_cell(classes["accuracy"], printed)
        shares = [sum(column) / classes["accuracy"]["count"] for column in zip(*classes["confusion"], strict=True)]
        evenly = percent_cell(balanced(classes["confusion"]), None if name in _OURS else balanced(table))
        alone = counted_cell(network["test"]["one a hand"]["top"][0])
        majority = rate_cell(classes["majority"], paper.majority(decision))
        yield [_TITLES.get(name, name), ours, percent_text(accuracy_at(table, shares)), evenly, alone, majority]


@REPORT.sheet
def confusion(results: Results, decision: str = "pon") -> Sheet:
    """Return table 7.1, 7.2 or 7.3: rows are the answers, columns the labels."""
    names = _CLASSES[decision]
    ours = results["calls"]["networks"][decision]["test"]["classes"]["confusion"]
    rows = [
        [f"network: {name}", *map(count_cell, counts, theirs)]
        for name, counts, theirs in zip(names, ours, paper.CONFUSION[decision], strict=True)
    ]
    columns = "".join(f" | people: {name}" for name in names)
    return sheet(f"Table 7.{1 + _CALLS.index(decision)}: {decision}", columns, rows)


@REPORT.sheet
def classes(results: Results) -> Rows:
    """Return precision, recall and F1 of every call, beside those that follow from the thesis's tables."""
    for decision in _CALLS:
        ours, table = results["calls"]["networks"][decision]["test"]["classes"], paper.CONFUSION[decision]
        for place, name in list(enumerate(_CLASSES[decision]))[1:]:
            right, answered = table[place][place], sum(table[place])
            done = sum(row[place] for row in table)
            theirs = (right / answered, right / done, 2 * right / (answered + done))
            figures = (ours[measure][place] for measure in ("precision", "recall", "f1"))
            yield [decision if place == 1 else "", name, *map(percent_cell, figures, theirs)]


@REPORT.sheet
def ablations(results: Results) -> Rows:
    """Return the tile model with parts of its input changed."""
    for name, network in results["ablations"]["networks"].items():
        first = counted_cell(network["test"]["all"]["top"][0])
        yield [name.replace("-", " "), network["situations"], first, Cell("", paper=_SAID[name])]


@REPORT.sheet
def matches(results: Results) -> Sheet:
    """Return the results of one player against three of another kind."""
    played = results["matches"]
    rows = []
    for block in played["blocks"]:
        if block["player"] != block["against"]:
            row = block["rows"][-1]
            rates = [*row["places"][:4], row["draw"]]
            rows.append([f"{block['player']} vs 3 {block['against']}", row["hands"], *rates, mean_cell(row["points"])])
    columns = "players | hands | 1st, % | 2nd, % | 3rd, % | 4th, % | draw, % | points a hand"
    note = "Single hands by Tenhou's rules, every player in every seat on the same walls; intervals of points by wall."
    return sheet(f"Matches, {played['walls']:,} walls", columns, rows, note)


@REPORT.plot
def curves(results: Results, stage: str = "discards", decision: str = "discard") -> list[Figure]:
    """Return figures 4.3, 6.2, 7.1 …: agreement on games held out, and the loss, by situations learned from."""
    accuracy: dict[str, Any] = {}
    loss: dict[str, Any] = {}
    printed: dict[float, str] = {}
    for name, network in results[stage]["networks"].items():
        points = measured(network["curve"])
        if decision_of(name) != decision or not points:
            continue
        # Samples of some networks are sequences: along the axis are situations.
        each = network["situations"] / max(1, network["samples"])
        points = [{**point, "samples": each * point["samples"]} for point in points]
        accuracy[name] = along(points, "samples", "development", decision, factor=100)
        loss[name] = along(points, "samples", "development loss")
        if name in paper.AGREEMENT or name in _CALLS:
            printed[100 * (printed_of(name) or 0)] = name
    if not accuracy:
        return []
    levels = {f"printed, {printed[value]}": value for value in (min(printed), max(printed))}
    title = f"Development games, {decision}"
    return [
        agreement_plot(accuracy, f"{title}: agreement", levels),
        line_plot(loss, f"{title}: loss", "situations learned from", "cross-entropy"),
    ]
