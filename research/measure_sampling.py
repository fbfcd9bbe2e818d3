"""Compare sampled hands with people's at positions of records: tenpai, waits, and deal-in rates.

    python research/measure_sampling.py RECORDS --positions 400 --how people

Decisions on a seat's own turn are drawn at random. What is compared: whether each other seat not in riichi is
tenpai; which kinds each seat in riichi, or tenpai without it, can win by (among the kinds that the deciding seat holds
or has not seen); and whether each kind of the deciding seat's hand would deal in. Base rates are the shares in the
same positions, so that they flatter themselves. Differences are tested by hand (one-sided normal test).
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
import typer
from numpy.typing import NDArray
from scipy.special import log_ndtr

from janshi.agents import agent
from janshi.agents.protocol import Reviewer
from janshi.cli.options import argument, command, option
from janshi.cli.printing import make_table
from janshi.cli.progress import counting_bar
from janshi.compiling import batched
from janshi.core.rows import take_rows
from janshi.learn.metrics import calibration_by_chance, calibration_error
from janshi.records.sources import read_games
from janshi.riichi.play.legal import winning_kinds
from janshi.riichi.records import RiichiGame
from janshi.riichi.records.replay import Replayer, Script
from janshi.riichi.sampling.hidden import HiddenTiles
from janshi.riichi.state import Phase
from janshi.rollout.sampling import Belief
from janshi.statistics import rate
from janshi.table import DecisionBatch, Tables
from janshi.tiles import KINDS, kinds_of

#: Ways to sample: evenly, with people's shares of shanten, and with weights by a player's probabilities on top.
WAYS: Final = ("evenly", "people", "weighted")
#: Discards made at which turns of the tenpai table begin.
_TURNS: Final = (0, 4, 7, 10, 13)
#: Share of sampled decisions.
_SHARE: Final = 1 / 16
#: Samples at the base rate that are added to those of each probability, so that none is 0 or 1.
_PRIOR: Final = 1.0


@dataclass(frozen=True)
class SamplingOptions:
    """Options of this script."""

    paths: list[Path] = argument("Records that were not counted: see research/count_progress.py.")
    positions: int = option("Positions.", default=200, min=1)
    samples: int = option("Samples of each position.", default=256, min=1)
    how: list[str] = option(f"How to sample: {', '.join(WAYS)} (default: all). Repeatable.", default=[])
    player: str = option("Player whose probabilities are the weights.", default="sl-int8")
    seed: int = option("Decides positions and samples.", default=0, min=0)
    as_json: bool = option("Print JSON instead.", "--json", default=False)


@dataclass(frozen=True, slots=True, eq=False)
class Looked:
    """A position from the view of its deciding seat, and the table with hidden information."""

    hand: int
    batch: DecisionBatch
    state: NDArray[Any]


_winning_kinds = batched(winning_kinds)


def positions_of(options: SamplingOptions) -> Iterator[Looked]:
    """Return positions of records, decisions sampled uniformly, the games in random order."""
    read = read_games(options.paths, game="riichi")
    games = [game for game in read if isinstance(game, RiichiGame) and not game.custom]
    random = np.random.default_rng(options.seed)
    scripts = (
        (games[number], script)
        for number in random.permutation(len(games)).tolist()
        for script in Replayer().replay(games[number], scripts=True).scripts
    )
    drawn = (looked for hand, (game, script) in enumerate(scripts) for looked in _drawn(game, script, hand, random))
    yield from islice(drawn, options.positions)


def _drawn(game: RiichiGame, script: Script, hand: int, random: np.random.Generator) -> Iterator[Looked]:
    """Return some of the decisions of a hand on the own turn of a seat that is not in riichi."""
    tables = Tables(game.rules, 1, auto_reset=False)
    np.asarray(tables.states)[:] = np.asarray(script.begin(game.rules))
    for action in script.actions:
        state = np.asarray(tables.states)
        own_turn = state["phase"][0] == Phase.TURN and not state["seats"]["riichi"][0, state["actor"][0]]
        if own_turn and random.random() < _SHARE:
            yield Looked(hand, tables.decisions([0]).with_events(), state.copy())
        tables.step([int(action)])


def bits(masks: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return masks of kinds (n) as booleans (n, 34)."""
    return (masks[:, None] >> np.arange(KINDS) & 1) > 0


class Comparison:
    """Probabilities and results by question."""

    def __init__(self) -> None:
        self.shares: dict[str, list[NDArray[np.float64]]] = defaultdict(list)
        self.truths: dict[str, list[NDArray[np.bool_]]] = defaultdict(list)
        self.hands: dict[str, list[int]] = defaultdict(list)
        self.samples: dict[str, list[int]] = defaultdict(list)

    def add(self, question: str, hand: int, share: Any, truth: Any, samples: int) -> None:
        """Add probabilities (n) of one hand, shares of so many samples."""
        shares, truths = np.atleast_1d(share).astype(np.float64), np.atleast_1d(truth).astype(bool)
        self.shares[question].append(shares)
        self.truths[question].append(truths)
        self.hands[question] += [hand] * len(shares)
        self.samples[question] += [samples] * len(shares)

    def report(self) -> dict[str, dict[str, Any]]:
        """Return the figures of every question."""
        found = {}
        for question in sorted(self.shares):
            share, truth = np.concatenate(self.shares[question]), np.concatenate(self.truths[question])
            group = np.unique(self.hands[question], return_inverse=True)[1]
            found[question] = _figures(share, truth, group, np.array(self.samples[question]))
        return found


def _figures(
    share: NDArray[np.float64], truth: NDArray[np.bool_], group: NDArray[Any], samples: NDArray[np.int64]
) -> dict[str, Any]:
    base = truth.mean()
    smooth = (samples * share + _PRIOR * base) / (samples + _PRIOR)
    mine, other = (
        -np.where(truth, np.log(np.maximum(chance, 1e-9)), np.log(np.maximum(1 - chance, 1e-9)))
        for chance in (smooth, np.full(len(share), base))
    )
    by_hand = np.bincount(group, other - mine)
    spread = by_hand.std(ddof=1) * len(by_hand) ** 0.5
    low, high = rate(truth).low, rate(truth).high
    return {
        "n": len(truth),
        "hands": len(by_hand),
        "sampled": float(share.mean()),
        "true": float(base),
        "low": float(low),
        "high": float(high),
        "log-loss": float(mine.mean()),
        "base": float(other.mean()),
        "log10 p": float(log_ndtr(-by_hand.sum() / spread) / np.log(10)) if spread > 0 else 0.0,
        "calibration": calibration_error(share, truth),
        "by chance": calibration_by_chance(share),
    }


def compare(looked: Looked, number: int, way: str, options: SamplingOptions, found: Comparison) -> None:
    """Add one position."""
    hidden = HiddenTiles(looked.batch, evenly=way == "evenly")
    player = agent(options.player) if way == "weighted" else None
    belief = None if player is None else Belief(cast("Reviewer", player))
    random = np.random.default_rng([options.seed, number])
    states = np.asarray(hidden.sample(options.samples, random, belief).states)
    own, count = int(looked.batch.seats[0]), len(states)
    others = hidden.others
    held = looked.state["hands"]["counts"][0, own] > 0
    unseen = np.bincount(kinds_of(hidden.unseen), minlength=KINDS) > 0
    deals_in, dealt_in = np.zeros((count, KINDS), bool), np.zeros(KINDS, bool)
    for seat in others:
        seats = np.full(count, seat, np.int64)
        kinds = bits(np.asarray(_winning_kinds(states, seats)))
        true_kinds = bits(np.asarray(_winning_kinds(take_rows(looked.state, np.zeros(1, np.int64)), seats[:1])))[0]
        riichi = bool(looked.state["seats"]["riichi"][0, seat])
        tenpai, truly = states["hands"]["waits"][:, seat] != 0, bool(looked.state["hands"]["waits"][0, seat] != 0)
        possible = held | unseen
        if riichi:
            found.add("wait of a riichi", looked.hand, kinds.mean(axis=0)[possible], true_kinds[possible], count)
        else:
            turn = _TURNS[int(np.searchsorted(_TURNS, looked.state["seats"]["discards"][0, seat], "right")) - 1]
            found.add("tenpai", looked.hand, tenpai.mean(), truly, count)
            found.add(f"tenpai, discards {turn} or more", looked.hand, tenpai.mean(), truly, count)
            if truly and tenpai.any():
                shares, right = kinds[tenpai].mean(axis=0)[possible], true_kinds[possible]
                found.add("wait of a tenpai hand not in riichi", looked.hand, shares, right, int(tenpai.sum()))
            found.add("deal-in to a seat not in riichi", looked.hand, kinds.mean(axis=0)[held], true_kinds[held], count)
        deals_in |= kinds
        dealt_in |= true_kinds
    found.add("deal-in", looked.hand, deals_in.mean(axis=0)[held], dealt_in[held], count)


def measure(options: SamplingOptions) -> None:
    """Measure sampled hands against people's."""
    ways = options.how or list(WAYS)
    found = {way: Comparison() for way in ways}
    with counting_bar(options.as_json) as bar:
        task = bar.add_task("positions", total=options.positions)
        for number, looked in enumerate(positions_of(options)):
            for way in ways:
                compare(looked, number, way, options, found[way])
            bar.update(task, completed=number + 1)
    report = {way: comparison.report() for way, comparison in found.items()}
    if options.as_json:
        typer.echo(json.dumps(report, indent=1))
        return
    from rich.console import Console

    heads = "question", "way", "n", "sampled", "true (95 %)", "log-loss", "base", "p", "calibration (by chance)"
    table = make_table(*heads)
    for question in next(iter(report.values())):
        for way in ways:
            each = report[way][question]
            table.add_row(
                question,
                way,
                f"{each['n']:,}",
                f"{100 * each['sampled']:.2f} %",
                f"{100 * each['true']:.2f} % ({100 * each['low']:.2f} to {100 * each['high']:.2f})",
                f"{each['log-loss']:.4f}",
                f"{each['base']:.4f}",
                f"10^{each['log10 p']:.0f}",
                f"{100 * each['calibration']:.2f} % ({100 * each['by chance']:.2f})",
            )
    Console(width=170).print(table)


if __name__ == "__main__":
    single = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    single.command()(command(measure))
    single()
