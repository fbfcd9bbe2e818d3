"""Measure an outcome model on held-out games, against base rates and the table of dangerous tiles.

    python research/measure_outcomes.py MODEL.onnx --test RECORDS --base RECORDS --players 4 --figure FIGURE.svg

Base rates are those of decisions with the same turn, shanten, own riichi and calls, and number of other seats in
riichi, counted in the hands of ``--base``. Differences of log-loss are tested by game (normal approximation,
one-sided). The table of dangerous tiles is compared as it is and fitted: its logits scaled and shifted, and the rate of
what it calls safe replaced by that in the hands of ``--base``, by logistic regression.

The calibration error by chance is that of outcomes drawn from the probabilities, with the same random number for all
decisions of a hand.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
import typer
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit, log_ndtr, logit

from janshi.agents.onnx import OnnxNetwork
from janshi.cli.options import argument, command, option
from janshi.cli.printing import make_table
from janshi.cli.progress import counting_bar
from janshi.encoders import Encoder
from janshi.learn.metrics import calibration_error
from janshi.riichi.actions import Action
from janshi.riichi.dataset import HandSet, decisions, legal_mask, read_hands
from janshi.riichi.dataset.outcomes import of_taken
from janshi.riichi.endings import SeatEnding
from janshi.riichi.networks import DangerTable
from janshi.riichi.outcomes import Predictions, outcomes_of
from janshi.riichi.state import Phase
from janshi.tiles import KINDS, kinds_of

#: Number of hands in a batch.
_TOGETHER: Final = 256
#: Decisions at the overall rate that are added to each cell of the base rates.
_PRIOR: Final = 20.0
#: Draws of outcomes for the calibration error by chance.
_DRAWS: Final = 20
#: Kinds and actions of the red fives.
_RED_FIVES: Final = ((4, 34), (13, 35), (22, 36))
#: Groups of decisions: names of the values of the turn, shanten and seats in riichi in a cell.
_GROUPS: Final = {
    "turn": ("1 to 3", "4 to 6", "7 to 9", "10 to 12", "13 to 15", "16 and later"),
    "shanten": ("tenpai", "1", "2", "3", "4", "5 and more", "complete"),
    "others in riichi": ("none", "1", "2", "3"),
}


@dataclass(frozen=True)
class MeasureOptions:
    """Options of this script."""

    model: Path = argument("An ONNX file of janshi train --network outcomes.")
    test: list[Path] = option("Records or stores that the model has not seen. Repeatable.", default=[])
    base: list[Path] = option("Records or stores of the base rates. Repeatable.", default=[])
    players: int = option("Three or four.", default=3, min=3, max=4)
    hands: int = option("Hands of each at most, in whole games.", default=8000, min=1)
    decisions: float = option("Share of the decisions that count.", default=0.25, max=1)
    figure: Path | None = option("File for reliability plots (SVG or PNG).", default=None)
    as_json: bool = option("Print JSON instead.", "--json", default=False)


@dataclass(slots=True)
class Decided:
    """Decisions with their results, and the model's predictions for the actions taken."""

    game: NDArray[np.int32]
    hand: NDArray[np.int64]
    seat: NDArray[np.int64]
    cell: NDArray[np.int64]
    result: NDArray[np.int64]
    value: NDArray[np.int64]
    deals_in: NDArray[np.bool_]
    gives: NDArray[np.bool_]
    risk: NDArray[np.float64]
    """Chance to deal in by the table of dangerous tiles (NaN: no other seat in riichi, or no discard)."""
    possible: NDArray[np.int64]
    """Rows of the decisions (k) whose kinds could be discarded against a riichi, one row a kind; the same below."""
    could: NDArray[np.bool_]
    """Whether another seat could win by the kind (k)."""
    possible_risk: NDArray[np.float64]
    """Chance to deal in by the kind (k), by the table."""
    said: dict[str, NDArray[Any]]


class _Columns:
    """Columns of the encoder ``table`` by name, of packed observations."""

    def __init__(self, encoder: Encoder, packed: NDArray[np.int64]) -> None:
        self.numbers = {name: number for number, name in enumerate(encoder.columns)}
        self.packed = packed

    def mask(self, name: str) -> NDArray[np.int64]:
        """Return a column (n) as bits of kinds."""
        column: NDArray[np.int64] = self.packed[:, self.numbers[name]]
        return column

    def holds(self, name: str) -> NDArray[np.int64]:
        """Return 1 where a column of the position holds (n)."""
        return (self.mask(name) != 0).astype(np.int64)

    def count(self, names: list[str]) -> NDArray[np.int64]:
        """Return the number of set columns among some (n)."""
        total: NDArray[np.int64] = np.sum([self.holds(name) for name in names], axis=0)
        return total


def cells(columns: _Columns) -> NDArray[np.int64]:
    """Return the cell of the base rates of each decision (n)."""
    turn = columns.count([f"turn {count} or later" for count in (4, 7, 10, 13, 16)])
    shanten = columns.count([f"shanten {n}" for n in range(5)])
    number = np.zeros(len(turn), np.int64)
    for step in range(5):
        number += step * columns.holds(f"shanten {step}")
    number = np.where(shanten == 0, np.where(columns.holds("complete"), 6, 5), number)
    calls = columns.count([f"own {count} or more calls" for count in (1, 2, 3)])
    riichi = columns.count([f"{whose} riichi" for whose in ("next", "opposite", "previous")])
    cell: NDArray[np.int64] = (((turn * 7 + number) * 2 + columns.holds("own riichi")) * 4 + calls) * 4 + riichi
    return cell


def table_chances(encoder: Encoder, packed: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the chances to deal in by every kind (n, 34) to seats in riichi by our table; NaN without any."""
    chances = np.full((len(packed), KINDS), np.nan)
    columns = _Columns(encoder, packed)
    rows = np.flatnonzero(columns.count([f"{whose} riichi" for whose in ("next", "opposite", "previous")]))
    if len(rows):
        bits = (packed[rows, :, None] >> np.arange(KINDS) & 1).astype(np.uint8)
        chances[rows] = DangerTable(encoder)(torch.from_numpy(bits))[0].numpy()
    return chances


def by_discarded_kind(
    values: NDArray[Any], legal: NDArray[np.bool_], drawn: NDArray[np.int64]
) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Return values of actions (n, actions) by the kind that is discarded (n, 34), and which kinds may be."""
    found, may = values[:, :KINDS].copy(), legal[:, :KINDS].copy()
    rows = np.arange(len(values))
    plain = [(np.full(len(values), kind), np.full(len(values), action)) for kind, action in _RED_FIVES]
    tsumogiri = (np.where(drawn >= 0, kinds_of(np.maximum(drawn, 0)), 0), np.full(len(values), int(Action.TSUMOGIRI)))
    for kind, action in (*plain, tsumogiri):
        only = np.flatnonzero(legal[rows, action] & ~may[rows, kind])
        found[only, kind[only]] = values[only, action[only]]
        may[only, kind[only]] = True
    return found, may


def decided(hands: HandSet, network: OnnxNetwork, share: float, *, answers: bool, bar: Any) -> Decided:
    """Return a share of the decisions of hands, with what a model says where ``answers``."""
    parts = []
    random = np.random.default_rng(0)
    task = bar.add_task("test" if answers else "base", total=len(hands))
    for first in range(0, len(hands), _TOGETHER):
        which = np.arange(first, min(first + _TOGETHER, len(hands)))
        batch = decisions(hands, which, encoder=network.encoder, lazy=True)
        batch = batch.part(np.flatnonzero(batch.observed & (random.random(len(batch)) < share)))
        if len(batch):
            parts.append(_part(batch, hands, which, network, answers))
            parts[-1].possible += sum(len(part.game) for part in parts[:-1])
        bar.update(task, completed=first + len(which))
    joined = {name: np.concatenate([getattr(part, name) for part in parts]) for name in Decided.__slots__[:-1]}
    said = {name: np.concatenate([part.said[name] for part in parts]) for name in parts[0].said}
    return Decided(**joined, said=said)


def _part(batch: Any, hands: HandSet, which: NDArray[np.int64], network: OnnxNetwork, answers: bool) -> Decided:
    columns = _Columns(network.encoder, batch.packed)
    action = batch.action.astype(np.int64)
    own_turn = batch.phase != Phase.CLAIM
    discards = own_turn & (action <= Action.TSUMOGIRI)
    kind = kinds_of(np.where(discards, np.where(action == Action.TSUMOGIRI, batch.drawn, action), 0))
    chances = table_chances(network.encoder, batch.packed)
    legal = legal_mask(batch.legal)
    outcomes = outcomes_of(network.run(batch.packed), legal, hands.players) if answers else None
    deals_in = np.zeros(legal.shape) if outcomes is None else outcomes.deals_in
    by_kind, may = by_discarded_kind(deals_in, legal, batch.drawn.astype(np.int64))
    rows, kinds = np.nonzero(may & (own_turn & ~np.isnan(chances[:, 0]))[:, None])
    gives = (action <= Action.TSUMOGIRI) | (action == Action.KITA) | (action >= Action.KAKAN)
    return Decided(
        game=hands.games[which[batch.hand]],
        hand=which[batch.hand],
        seat=batch.seat.astype(np.int64),
        cell=cells(columns),
        result=batch.result.astype(np.int64),
        value=batch.value.astype(np.int64),
        deals_in=batch.deals_in,
        gives=gives,
        risk=np.where(discards, chances[np.arange(len(batch)), kind], np.nan),
        possible=rows,
        could=batch.dangerous[rows] >> kinds & 1 > 0,
        possible_risk=chances[rows, kinds],
        said={} if outcomes is None else _said(outcomes, action) | {"possible": by_kind[rows, kinds]},
    )


def _said(outcomes: Predictions, action: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
    """Return the chances of the answers to the questions after the actions taken, and the points."""
    taken = of_taken(outcomes, action)
    shares = taken["results"]
    return {
        "win": shares[:, : SeatEnding.DEAL_IN].sum(axis=1),
        "deal-in, this hand": shares[:, SeatEnding.DEAL_IN],
        "draw": shares[:, SeatEnding.TENPAI :].sum(axis=1),
        "deal-in, this discard": taken["deals in"],
        "value": taken["win"],
        "price": taken["price"],
    }


def base_rates(base: Decided, came: NDArray[np.bool_], rows: NDArray[np.bool_], cell: NDArray[np.int64]) -> Any:
    """Return how often something came true (base decisions ``rows``) in the cells of other decisions (n)."""
    size = int(max(base.cell.max(), cell.max())) + 1
    there = np.bincount(base.cell[rows], minlength=size)
    hits = np.bincount(base.cell[rows], came[rows], minlength=size)
    overall = hits.sum() / max(1, there.sum())
    return ((hits + _PRIOR * overall) / (there + _PRIOR))[cell]


def log_loss(share: NDArray[Any], came: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the log-loss of each probability (n)."""
    clipped = np.clip(share.astype(np.float64), 1e-7, 1 - 1e-7)
    loss: NDArray[np.float64] = -np.where(came, np.log(clipped), np.log1p(-clipped))
    return loss


def by_chance(share: NDArray[np.float64], unit: NDArray[np.int64]) -> float:
    """Return the calibration error by chance of probabilities (n); those of a unit share a random number."""
    random = np.random.default_rng(0)
    _, number = np.unique(unit, return_inverse=True)
    drawn = [random.random(int(number.max()) + 1)[number] < share for _ in range(_DRAWS)]
    return float(np.mean([calibration_error(share, came) for came in drawn]))


def compared(
    model: NDArray[Any], base: NDArray[Any], came: NDArray[np.bool_], game: NDArray[Any], unit: NDArray[Any]
) -> dict[str, Any]:
    """Return log-losses of two probabilities (n each) of the same events, and the test of their difference by game."""
    mine, other = log_loss(model, came), log_loss(base, came)
    _, group = np.unique(game, return_inverse=True)
    by_game = np.bincount(group, other - mine)
    z = by_game.mean() / max(by_game.std(ddof=1) / len(by_game) ** 0.5, 1e-12)
    return {
        "n": len(came),
        "share": float(came.mean()),
        "log-loss": float(mine.mean()),
        "base": float(other.mean()),
        "log10 p": float(log_ndtr(-z) / np.log(10)),
        "calibration": calibration_error(model.astype(np.float64), came),
        "by chance": by_chance(model.astype(np.float64), unit),
    }


def came_true(of: Decided) -> dict[str, tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.int64]]]:
    """Return by question what came true of decisions, which of them it concerns, and what has one outcome."""
    every = np.ones(len(of.result), np.bool_)
    by_seat = of.hand * 4 + of.seat
    return {
        "win": (of.result < SeatEnding.DEAL_IN, every, by_seat),
        "deal-in, this hand": (of.result == SeatEnding.DEAL_IN, every, by_seat),
        "draw": (of.result >= SeatEnding.TENPAI, every, of.hand),
        "deal-in, this discard": (of.deals_in, of.gives, np.arange(len(of.result))),
    }


def questions(test: Decided, base: Decided, among: NDArray[np.bool_] | None = None) -> dict[str, dict[str, Any]]:
    """Return the figures of every question, of the decisions ``among`` (n) alone where it is given."""
    report = {}
    of_base = came_true(base)
    for name, (came, concerned, unit) in came_true(test).items():
        rows = np.flatnonzero(concerned if among is None else concerned & among)
        base_came, base_rows, _ = of_base[name]
        if len(rows):
            rate = base_rates(base, base_came, base_rows, test.cell[rows])
            report[name] = compared(test.said[name][rows], rate, came[rows], test.game[rows], unit[rows])
    return report


def groups(test: Decided, base: Decided) -> dict[str, dict[str, Any]]:
    """Return the figures of every question by turn, shanten and number of other seats in riichi."""
    rest = test.cell // 32
    number = {"turn": rest // 7, "shanten": rest % 7, "others in riichi": test.cell % 4}
    return {
        f"{group} {name}": questions(test, base, number[group] == value)
        for group, names in _GROUPS.items()
        for value, name in enumerate(names)
        if (number[group] == value).any()
    }


def fitted(risk: NDArray[np.float64], came: NDArray[np.bool_], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the table's chances ``other`` fitted to what came true at the chances ``risk``."""
    def inputs(chance: NDArray[np.float64]) -> NDArray[np.float64]:
        safe = chance <= 0
        return np.stack([~safe, safe, np.where(safe, 0, logit(np.clip(chance, 1e-4, 0.999)))], axis=1)

    x = inputs(risk)

    def lost(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        logits = x @ weights
        return float((np.logaddexp(0, logits) - came * logits).mean()), x.T @ (expit(logits) - came) / len(x)

    chances: NDArray[np.float64] = expit(inputs(other) @ minimize(lost, np.zeros(3), jac=True).x)
    return chances


def beside_table(test: Decided, base: Decided) -> dict[str, dict[str, Any]]:
    """Return the figures of deal-ins by a discard against a riichi beside the table of dangerous tiles."""
    rows, of_base = np.flatnonzero(~np.isnan(test.risk)), ~np.isnan(base.risk)
    asked = {
        "discard": (test.said["deal-in, this discard"][rows], test.deals_in[rows], test.game[rows], rows),
        "every possible discard": (test.said["possible"], test.could, test.game[test.possible], test.possible),
    }
    tables = {
        "discard": (test.risk[rows], fitted(base.risk[of_base], base.deals_in[of_base], test.risk[rows])),
        "every possible discard": (test.possible_risk, fitted(base.possible_risk, base.could, test.possible_risk)),
    }
    report = {}
    for name, (share, came, game, unit) in asked.items():
        for which, table in zip(("table", "fitted table"), tables[name], strict=True):
            report[f"against a riichi, {name}, {which}"] = compared(share, table, came, game, unit)
    return report


def values(test: Decided, base: Decided) -> dict[str, dict[str, float]]:
    """Return mean absolute errors of points, beside those of the means by cell."""
    report = {}
    for name, part, results in (
        ("value of a win", "value", (SeatEnding.TSUMO, SeatEnding.RON)),
        ("price of a deal-in", "price", (SeatEnding.DEAL_IN,)),
    ):
        rows, base_rows = np.isin(test.result, results), np.isin(base.result, results)
        size = int(max(base.cell.max(), test.cell.max())) + 1
        there = np.bincount(base.cell[base_rows], minlength=size)
        total = np.bincount(base.cell[base_rows], base.value[base_rows], minlength=size)
        mean = base.value[base_rows].mean()
        guess = ((total + _PRIOR * mean) / (there + _PRIOR))[test.cell[rows]]
        value = test.value[rows]
        said = test.said[part][rows]
        report[name] = {
            "n": int(rows.sum()),
            "mean": float(value.mean()),
            "mean error": float(np.abs(said - value).mean()),
            "base": float(np.abs(guess - value).mean()),
            "bias": float((said - value).mean()),
        }
    return report


def draw(test: Decided, path: Path) -> None:
    """Draw reliability plots of the questions."""
    from matplotlib.figure import Figure

    shown = {name: (test.said[name][rows], came[rows]) for name, (came, rows, _) in came_true(test).items()}
    figure = Figure(figsize=(12, 3.2), layout="constrained")
    for axes, (name, (share, came)) in zip(figure.subplots(1, len(shown)), shown.items(), strict=True):
        order = np.argsort(share)
        bins = [part for part in np.array_split(order, 20) if len(part)]
        x = np.array([share[part].mean() for part in bins])
        y = np.array([came[part].mean() for part in bins])
        error = 1.96 * np.sqrt(np.maximum(y * (1 - y), 1e-9) / [len(part) for part in bins])
        axes.errorbar(x, y, error, fmt="o", ms=3)
        top = max(x.max(), y.max()) * 1.05
        axes.plot([0, top], [0, top], color="grey", lw=0.8)
        axes.set(title=name, xlabel="predicted", ylabel="came true")
    figure.savefig(path)


def some_games(paths: list[Path], players: int, most: int) -> HandSet:
    """Return the hands of some games, drawn at random, as many as asked for at most."""
    hands = read_hands(paths, players)
    games = np.random.default_rng(0).permutation(np.unique(hands.games))
    count = np.bincount(hands.games, minlength=int(hands.games.max()) + 1)[games].cumsum()
    chosen = games[: max(1, int(np.searchsorted(count, most, "right")))]
    return hands.part(np.flatnonzero(np.isin(hands.games, chosen)))


def measure(options: MeasureOptions) -> None:
    """Measure an outcome model on games that it has not seen."""
    network = OnnxNetwork(options.model, threads=1)
    with counting_bar(options.as_json) as bar:
        test_hands = some_games(options.test, options.players, options.hands)
        base_hands = some_games(options.base, options.players, options.hands)
        test = decided(test_hands, network, options.decisions, answers=True, bar=bar)
        base = decided(base_hands, network, options.decisions, answers=False, bar=bar)
    report = questions(test, base) | beside_table(test, base)
    points, parts = values(test, base), groups(test, base)
    if options.figure is not None:
        draw(test, options.figure)
    if options.as_json:
        figures = {"questions": report, "points": points, "groups": parts, "hands": len(test_hands)}
        typer.echo(json.dumps(figures, indent=1))
        return
    show(report | {f"{name}; {group}": each for group, found in parts.items() for name, each in found.items()}, points)


def show(report: dict[str, dict[str, Any]], points: dict[str, dict[str, float]]) -> None:
    """Print the figures."""
    from rich.console import Console

    table = make_table("question", "n", "came true", "log-loss", "base", "p", "calibration error (by chance)")
    for name, each in report.items():
        table.add_row(
            name,
            f"{each['n']:,}",
            f"{100 * each['share']:.2f} %",
            f"{each['log-loss']:.4f}",
            f"{each['base']:.4f}",
            f"10^{each['log10 p']:.1f}",
            f"{100 * each['calibration']:.2f} % ({100 * each['by chance']:.2f})",
        )
    Console().print(table)
    table = make_table("points", "n", "mean", "mean error", "error of base", "bias")
    for name, points_row in points.items():
        table.add_row(name, *(f"{number:,.0f}" for number in points_row.values()))
    Console().print(table)


if __name__ == "__main__":
    single = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    single.command()(command(measure))
    single()
