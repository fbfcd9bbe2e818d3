"""Measure an outcome model on games that it has not seen, beside base rates and the table of dangerous tiles.

    python tools/measure_outcomes.py MODEL.onnx --test RECORDS --base RECORDS --players 4 --figure FIGURE.svg

Base rates are those of decisions with the same turn, shanten, own riichi and calls, and number of other seats in
riichi, counted in the hands of ``--base``. Differences of log-loss are tested by game (normal approximation,
one-sided).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import typer
from numpy.typing import NDArray
from scipy.special import log_ndtr

from janshi.agents.onnx import OnnxNetwork
from janshi.cli.options import argument, command, option
from janshi.cli.printing import make_table
from janshi.cli.progress import counting_bar
from janshi.encoders import Encoder
from janshi.learn.metrics import calibration_by_chance, calibration_error
from janshi.riichi.actions import Action
from janshi.riichi.analysis.danger import ENDS, HONOURS, rates
from janshi.riichi.dataset import HandSet, decisions, legal_mask, read_hands
from janshi.riichi.dataset.outcomes import of_taken
from janshi.riichi.outcomes import outcomes_of
from janshi.riichi.results import HandResult
from janshi.tiles import kinds_of

#: Hands that are answered together.
_TOGETHER: Final = 256
#: What is added to each cell of the base rates, in decisions at the rate of all.
_PRIOR: Final = 20.0


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
    """Decisions with what came of them, and what the model says of the actions taken."""

    game: NDArray[np.int32]
    cell: NDArray[np.int64]
    result: NDArray[np.int64]
    value: NDArray[np.int64]
    deals_in: NDArray[np.bool_]
    gives: NDArray[np.bool_]
    risk: NDArray[np.float64]
    """Chance to deal in by the table of dangerous tiles (NaN: no other seat in riichi, or no discard)."""
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
        """Return how many of some columns hold (n)."""
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


def danger_of(columns: _Columns, kind: NDArray[np.int64], players: int) -> NDArray[np.float64]:
    """Return the chance to deal in by a discard (n kinds) against seats in riichi, by our table; NaN without any."""
    def bit(mask: NDArray[np.int64]) -> NDArray[np.bool_]:
        return (mask >> np.maximum(kind, 0) & 1) > 0

    unseen = np.sum([bit(columns.mask(f"{count} or more unseen")) for count in range(1, 4)], axis=0)
    rank = kind % 9
    row = np.minimum(columns.count([f"turn {count} or later" for count in (7, 13)]), 2)
    passes = np.ones(len(kind))
    threat = np.zeros(len(kind), np.bool_)
    for whose in ("next", "opposite", "previous"):
        riichi = columns.holds(f"{whose} riichi") > 0
        cannot = bit(columns.mask(f"{whose} cannot win by"))
        sides = np.where(bit(columns.mask(f"{whose} no two-sided wait")), 0, 1)
        sides = np.where(bit(columns.mask(f"{whose} two two-sided waits, or safe")), 2, sides)
        number = 3 * np.minimum(rank, 8 - rank) + sides
        number = np.where(kind >= 27, HONOURS + unseen, number)
        number = np.where((players == 3) & (kind < 9), ENDS + unseen, number)
        rate = np.where(cannot, 0.0, rates()[players - 3, number, row])
        passes *= np.where(riichi, 1 - rate, 1)
        threat |= riichi
    return np.where(threat & (kind >= 0), 1 - passes, np.nan)


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
        bar.update(task, completed=first + len(which))
    joined = {name: np.concatenate([getattr(part, name) for part in parts]) for name in Decided.__slots__[:-1]}
    said = {name: np.concatenate([part.said[name] for part in parts]) for name in parts[0].said}
    return Decided(**joined, said=said)


def _part(batch: Any, hands: HandSet, which: NDArray[np.int64], network: OnnxNetwork, answers: bool) -> Decided:
    columns = _Columns(network.encoder, batch.packed)
    action = batch.action.astype(np.int64)
    discards = (batch.phase != 3) & (action <= Action.TSUMOGIRI)
    tile = np.where(action == Action.TSUMOGIRI, batch.drawn, action)
    kind = np.where(discards, kinds_of(np.where(discards, tile, 0)), -1).astype(np.int64)
    said = {}
    if answers:
        outcomes = outcomes_of(network.run(batch.packed), legal_mask(batch.legal), hands.players)
        said = of_taken(outcomes, action)
    gives = (action <= Action.TSUMOGIRI) | (action == Action.KITA) | (action >= Action.KAKAN)
    return Decided(
        game=hands.games[which[batch.hand]],
        cell=cells(columns),
        result=batch.result.astype(np.int64),
        value=batch.value.astype(np.int64),
        deals_in=batch.deals_in,
        gives=gives,
        risk=danger_of(columns, kind, hands.players),
        said=said,
    )


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


def compared(model: NDArray[Any], base: NDArray[Any], came: NDArray[np.bool_], game: NDArray[Any]) -> dict[str, Any]:
    """Return log-losses of two probabilities (n each) of the same events, and the test of their difference by game."""
    mine, other = log_loss(model, came), log_loss(base, came)
    _, group = np.unique(game, return_inverse=True)
    by_game = np.bincount(group, other - mine)
    z = by_game.mean() / (by_game.std(ddof=1) / len(by_game) ** 0.5)
    return {
        "n": len(came),
        "share": float(came.mean()),
        "log-loss": float(mine.mean()),
        "base": float(other.mean()),
        "log10 p": float(log_ndtr(-z) / np.log(10)),
        "calibration": calibration_error(model.astype(np.float64), came),
        "by chance": calibration_by_chance(model.astype(np.float64)),
    }


def questions(test: Decided, base: Decided) -> dict[str, dict[str, Any]]:
    """Return the figures of every question."""
    shares = test.said["results"]
    every = np.ones(len(test.result), np.bool_)
    base_every = np.ones(len(base.result), np.bool_)
    asked: dict[str, tuple[NDArray[Any], Any, NDArray[np.bool_], NDArray[np.bool_]]] = {
        "win": (shares[:, :2].sum(axis=1), lambda of: of.result < HandResult.DEAL_IN, every, base_every),
        "deal-in, this hand": (
            shares[:, HandResult.DEAL_IN], lambda of: of.result == HandResult.DEAL_IN, every, base_every
        ),
        "draw": (
            shares[:, HandResult.TENPAI :].sum(axis=1), lambda of: of.result >= HandResult.TENPAI, every, base_every
        ),
        "deal-in, this discard": (test.said["deals in"], lambda of: of.deals_in, test.gives, base.gives),
    }
    report = {}
    for name, (share, came_of, rows, base_rows) in asked.items():
        came = came_of(test)[rows]
        rate = base_rates(base, came_of(base), base_rows, test.cell[rows])
        report[name] = compared(share[rows], rate, came, test.game[rows])
    rows = ~np.isnan(test.risk)
    report["deal-in, this discard, beside suji and genbutsu"] = compared(
        test.said["deals in"][rows], test.risk[rows], test.deals_in[rows], test.game[rows]
    )
    return report


def values(test: Decided, base: Decided) -> dict[str, dict[str, float]]:
    """Return mean absolute errors of points, beside those of the means by cell."""
    report = {}
    for name, part, results in (
        ("value of a win", "win", (HandResult.TSUMO, HandResult.RON)),
        ("price of a deal-in", "price", (HandResult.DEAL_IN,)),
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

    shares = test.said["results"]
    shown = {
        "win": (shares[:, :2].sum(axis=1), test.result < HandResult.DEAL_IN),
        "deal-in, this hand": (shares[:, HandResult.DEAL_IN], test.result == HandResult.DEAL_IN),
        "draw": (shares[:, HandResult.TENPAI :].sum(axis=1), test.result >= HandResult.TENPAI),
        "deal-in, this discard": (test.said["deals in"][test.gives], test.deals_in[test.gives]),
    }
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
    report, points = questions(test, base), values(test, base)
    if options.figure is not None:
        draw(test, options.figure)
    if options.as_json:
        typer.echo(json.dumps({"questions": report, "points": points, "hands": len(test_hands)}, indent=1))
        return
    from rich.console import Console

    table = make_table("question", "n", "came true", "log-loss", "base", "p", "calibration error (by chance)")
    for name, each in report.items():
        table.add_row(
            name,
            f"{each['n']:,}",
            f"{100 * each['share']:.2f} %",
            f"{each['log-loss']:.4f}",
            f"{each['base']:.4f}",
            f"10^{each['log10 p']:.0f}",
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
