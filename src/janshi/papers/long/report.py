"""The report of the `long` paper: tables of results, each number beside the paper's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from janshi.arena.figures import line_plot
from janshi.papers.long import figures as paper
from janshi.papers.page import Report, Results, Rows
from janshi.papers.sheets import (
    Cell,
    Sheet,
    agreement_plot,
    along,
    chance_text,
    count_cell,
    counted_cell,
    mean_cell,
    measured,
    number_text,
    percent_cell,
    percent_text,
    rate_cell,
    share_text,
    sheet,
    speed_text,
    verdict_row,
    verdicts,
)
from janshi.riichi.hands.yaku import YAKU

if TYPE_CHECKING:
    from matplotlib.figure import Figure

REPORT: Final = Report("long", paper.PUBLISHED, __package__)

_NETWORKS: Final = {
    "without": "without yaku",
    "with": "with yaku",
    "fewer": "without, fewer games",
    "one-hot": "called tile as 34 numbers (ours)",
}
_TWO: Final = ("without", "with")
_WORDS: Final = {"discard": "discards", "pon": "pon", "chii": "chii"}
#: Parameters without and with yaku by the layers of tables 2 to 4, and of table 5.
_PARAMETERS: Final = {"discard": (39_483_434, 39_486_134), "pon": (4_809, 4_881), "chii": (322_116, 326_724)}
_YAKU_PARAMETERS: Final = 784_257
#: Numbers of the paper's figures of loss and accuracy.
_FIGURES: Final = {"discard": (1, 2), "pon": (3, 4), "chii": (5, 6)}


def _points(gain: Mapping[str, Any], published: float) -> Cell:
    """A gain in points of a hundred."""
    return mean_cell(gain["difference"], 100 * published, digits=2, factor=100)


def _printed(decision: str, name: str) -> float:
    """The paper's accuracy of a network; of a variant that of the network without yaku."""
    return paper.FEWER[1] if name == "fewer" else paper.ACCURACY[decision][name == "with"]


def _trained(results: Results) -> Iterable[tuple[str, str, dict[str, Any]]]:
    """Decision, name and result of each network; the decision's name once."""
    for decision in _WORDS:
        for name, network in results[decision]["networks"].items():
            yield decision, name, network


@REPORT.sheet
def summary(results: Results) -> Sheet:
    """Return the headline figures of the paper beside ours."""
    rows = []
    for decision, name, network in _trained(results):
        test, title = network["test"], f"{_WORDS[decision]}, {_NETWORKS[name]}"
        same = name == "one-hot" or network["parameters"] == _PARAMETERS[decision][name == "with"]
        printed = _printed(decision, name)
        row = verdict_row(title, test["accuracy"], printed, network["samples"], test["majority"], same=same)
        rows.append(row)
    return verdicts(rows, "The paper's figures are of its validation set.")


@REPORT.sheet
def sizes(results: Results) -> Rows:
    """Return the numbers of situations before and after thinning."""
    records = results["records"]
    for decision in (*_WORDS, "yaku"):
        for name in ("training", "development", "test"):
            size = records["sizes"][name][decision]
            count, positive = size["situations"], size["positive"]
            row = [decision if name == "training" else "", name, count]
            if decision in records["kept"]:
                left = positive + records["kept"][decision] * (count - positive)
                row += [percent_text(positive / count, 1), left, percent_text(positive / left, 1)]
            yield row


@REPORT.sheet
def gains(results: Results) -> Rows:
    """Return the gain from predicted yaku, on the same situations."""
    for decision, (without, fed) in paper.ACCURACY.items():
        gain = results[decision]["gain"]
        counts = [gain["situations"], gain["better"], gain["worse"]]
        yield [decision, *counts, _points(gain, fed - without), chance_text(gain["p"], gain["log10"])]


@REPORT.sheet
def shapes(results: Results) -> Rows:
    """Return the networks' layers and parameters."""
    for decision, name, network in _trained(results):
        printed = None if name == "one-hot" else _PARAMETERS[decision][name == "with"]
        parameters = count_cell(network["parameters"], printed)
        batch = Cell(str(network["batch"]), paper="16,384" if decision == "discard" else "")
        widths = ", ".join(map(str, network["widths"]))
        points = [point["development"][decision] for point in measured(network["curve"])]
        trained = [batch, f"{network['epochs']:.2f}", percent_text(max(points, default=None))]
        yield [decision if name == "without" else "", _NETWORKS[name], widths, parameters, *trained]
    network = results["yaku"]["network"]
    parameters = count_cell(network["parameters"] / 40, _YAKU_PARAMETERS)
    yield ["yaku", "each of forty", ", ".join(map(str, network["widths"])), parameters, str(network["batch"])]


@REPORT.sheet
def in_hand(results: Results) -> Rows:
    """Return the share of the first choices of discards that are in the hand."""
    for name, network in results["discard"]["networks"].items():
        held = rate_cell(network["test"]["in hand"])
        printed = "" if name == "fewer" else f"above {percent_text(paper.IN_HAND)}"
        yield [_NETWORKS[name], Cell(held.text, held.interval, printed), counted_cell(network["test"]["masked"])]


@REPORT.sheet
def calls(results: Results, decision: str = "pon") -> Sheet:
    """Return tables 6 and 7 (pon) or 8 and 9 (chii): call or not, of chii the right kind of call."""
    rows = []
    for name, network in results[decision]["networks"].items():
        counted = right_or_not(network["test"]["confusion"])
        if name in _TWO:
            printed = paper.CONFUSION[decision][_TWO.index(name)]
            cells = [*map(count_cell, counted, printed), *map(percent_cell, _of_true(counted), _of_true(printed))]
        else:
            cells = [*map(count_cell, counted), *map(percent_cell, _of_true(counted))]
        rows.append([_NETWORKS[name], *cells])
    columns = (
        "network | true positive | false positive | false negative | true negative | precision, % | recall, % | F1, %"
    )
    titles = {"pon": "Tables 6 and 7: pon", "chii": "Tables 8 and 9: chii of the right kind"}
    note = "The paper's false positives are illegible in our copy; they follow from its accuracy and the other counts."
    if decision == "chii":
        note += (
            " Both tables then have the same situations and different positives. A true positive is therefore a call of"
            " the right kind; a call of another kind counts only as a false positive."
        )
    return sheet(titles[decision], columns, rows, note)


def right_or_not(confusion: Sequence[Sequence[int]]) -> tuple[int, int, int, int]:
    """Return right calls, wrong ones (not called, or another kind), calls missed, and right noes.

    ``confusion``: rows are the answers, columns the labels, the first of each is none.

    >>> right_or_not([[50, 1, 2], [3, 20, 4], [5, 6, 30]])
    (50, 18, 3, 50)
    """
    right = sum(confusion[kind][kind] for kind in range(1, len(confusion)))
    said = sum(map(sum, confusion[1:]))
    return right, said - right, sum(confusion[0][1:]), confusion[0][0]


def _of_true(counts: Sequence[int]) -> tuple[float | None, ...]:
    """Precision, recall and F1 of true and false positives, and false negatives."""
    hit, false, missed, _ = counts
    pairs = ((hit, hit + false), (hit, hit + missed), (2 * hit, 2 * hit + false + missed))
    return tuple(part / whole if whole else None for part, whole in pairs)


def _of_yes(classified: Mapping[str, Any]) -> list[float | None]:
    """Precision, recall and F1 of the second of two classes."""
    return [classified[what][1] for what in ("precision", "recall", "f1")]


@REPORT.sheet
def four(results: Results) -> Sheet:
    """Return the four classes of chii, with yaku: rows are the answers."""
    names = ("none", "called tile low", "called tile middle", "called tile high")
    counted = results["chii"]["networks"]["with"]["test"]["confusion"]
    rows = [[name, *counts] for name, counts in zip(names, counted, strict=True)]
    columns = "answer" + "".join(f" | people: {name}" for name in names)
    return sheet("Chii with yaku: all four answers", columns, rows)


_YAKU_COLUMNS: Final = "yaku | scored | accuracy, % | most frequent answer, % | precision, % | recall, % | F1, %"


def _yaku_row(result: dict[str, Any], number: int, printed: tuple[float | None, ...]) -> list[Any]:
    figures = map(percent_cell, _of_yes(result), printed[1:])
    accuracy = rate_cell(result["accuracy"], printed[0])
    return [YAKU[number].name, result["positive"], accuracy, percent_text(result["majority"]["value"]), *figures]


@REPORT.sheet
def nine(results: Results) -> Sheet:
    """Return table 10."""
    yaku = results["yaku"]
    rows = [_yaku_row(yaku["table"][str(number)], number, printed) for number, printed in paper.YAKU.items()]
    note = f"{number_text(yaku['positions'])} positions of test games, of players who win the hand later."
    return sheet("Table 10: the nine yaku used as inputs", _YAKU_COLUMNS, rows, note)


@REPORT.sheet
def forty(results: Results) -> Rows:
    """Return the same for all forty."""
    return [_yaku_row(result, int(number), (None,) * 4) for number, result in results["yaku"]["table"].items()]


@REPORT.sheet
def played(results: Results) -> Rows:
    """Return the players' results at one table."""
    matches = results["matches"]
    for row in matches["hands"]:
        if row["seat"] == "all":
            illegal = matches["illegal"].get(row["player"])
            share = None if illegal is None else share_text(illegal["illegal"] / max(1, illegal["discards"]))
            rates = [row[what] for what in ("win", "tsumo", "deal_in", "riichi", "call")]
            yield [row["player"], row["hands"], *rates, mean_cell(row["points"]), share]


def _times(results: Results, titles: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    for decision, name, network in _trained(results):
        text = speed_text(network["seconds"], network["samples"])
        yield f"of that, training: {_WORDS[decision]}, {_NETWORKS[name]}", text
    network = results["yaku"]["network"]
    yield "of that, training: forty predictors of yaku", speed_text(network["seconds"], network["samples"])


REPORT.times.append(_times)


@REPORT.plot
def curves(results: Results, decision: str = "discard") -> list[Figure]:
    """Return figures 1 and 2 (discards), 3 and 4 (pon) or 5 and 6 (chii): loss and accuracy while learning."""
    loss: dict[str, Any] = {}
    accuracy: dict[str, Any] = {}
    for name, network in results[decision]["networks"].items():
        curve = network["curve"]
        held_out = measured(curve)
        curve = [point for point in curve if held_out and point["samples"] >= held_out[0]["samples"]]
        if name in _TWO and curve:
            loss[name] = along(curve, "samples", "loss")
            accuracy[name] = along(curve, "samples", "accuracy", factor=100)
        loss[f"{name}, held out"] = along(held_out, "samples", "development loss")
        accuracy[f"{name}, held out"] = along(held_out, "samples", "development", decision, factor=100)
    (first, second), words = _FIGURES[decision], _WORDS[decision]
    levels = {f"printed, {name}": 100 * paper.ACCURACY[decision][_TWO.index(name)] for name in _TWO}
    return [
        line_plot(loss, f"Figure {first}: {words} without and with yaku, loss", "situations learned from", "loss"),
        agreement_plot(accuracy, f"Figure {second}: {words}, accuracy", levels),
    ]


@REPORT.plot
def yaku_curve(results: Results) -> list[Figure]:
    """Return the mean loss of the forty predictors while learning."""
    curve = results["yaku"]["network"]["curve"]
    series = {
        "training": along(curve, "samples", "loss", factor=1 / 40),
        "development": along(measured(curve), "samples", "development loss"),
    }
    return [line_plot(series, "Forty predictors of yaku", "positions learned from", "mean cross-entropy")]
