"""Compare an outcome model with playouts on the difference of two options in points.

    python research/measure_worth.py sanma-2026.zip --positions 500 --out FOLDER

One decision is drawn from each hand of the records, on an own turn before riichi. Playouts compare the options that the
player prefers. A difference from the best option is sure where its mean is three standard errors from 0. Playouts of a
position end when every difference is sure, or when none can be expected to become so. The same command goes on where
it was interrupted; it prints what has been found. The folder holds the results of playouts alone, so that a further
model (``--model``) is compared without playing again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
import typer
from numpy.typing import NDArray

from janshi.agents import agent
from janshi.agents.protocol import Reviewer
from janshi.cli.options import argument, command, option
from janshi.cli.progress import counting_bar
from janshi.files import save_text
from janshi.records.positions import Position
from janshi.records.sources import read_games
from janshi.riichi.positions import hands_of_game
from janshi.riichi.records import RiichiGame
from janshi.riichi.state import Phase
from janshi.rollout.playouts import PlayoutPlan, Playouts, each_playouts
from janshi.statistics import Estimate, rate
from janshi.worth.outcomes import OutcomeModel

#: Standard errors from 0 at which a difference is sure.
_SURE: Final = 3.0
#: Samples before which playouts go on in any case.
_LEAST: Final = 512
#: Probability that rarer actions count as in preferences.
_LEAST_PROBABILITY: Final = 1e-6
#: Half a 95 % interval in standard errors.
_HALF: Final = 1.96


@dataclass(frozen=True)
class WorthOptions:
    """Options of this script."""

    paths: list[Path] = argument("Records that the model has not seen.")
    out: Path = option("Folder for the results of positions; those that are there are not repeated.")
    positions: int = option("Positions.", default=500, min=1)
    options: int = option("Options of each position, the player's favourites first.", default=3, min=2)
    samples: int = option("Samples of each option at most.", default=2048, min=128)
    player: str = option("Player in every seat of playouts.", default="sl-int8")
    model: Path | None = option("ONNX file of the outcome model (default: the one that ships).", default=None)
    seed: int = option("Decides positions and samples.", default=0, min=0)


@dataclass(frozen=True, slots=True)
class Pair:
    """The best option of a position by playouts minus another one, in points."""

    position: int
    samples: int
    playouts: float
    z: float
    best: int
    other: int


@dataclass(frozen=True, slots=True)
class Compared:
    """A pair with the outcome model's difference, in points, and the player's, in logarithms of its probabilities."""

    pair: Pair
    model: float
    player: float


def drawn_positions(options: WorthOptions) -> Iterator[Position]:
    """Return one decision of each hand on an own turn before riichi, the games in random order."""
    read = read_games(options.paths, game="riichi")
    games = [game for game in read if isinstance(game, RiichiGame) and not game.custom]
    random = np.random.default_rng(options.seed)
    for number in random.permutation(len(games)).tolist():
        for hand in hands_of_game(games[number])[0]:
            there = [position for position in hand.positions if _is_drawn_from(position)]
            if there:
                yield there[int(random.integers(len(there)))]


def _is_drawn_from(position: Position) -> bool:
    """Return whether a position is an own turn before riichi with a choice."""
    view: Any = np.asarray(position.view)[0]
    own_turn = view["phase"] in (Phase.TURN, Phase.CALLED_DISCARD)
    return bool(own_turn and not view["seats"]["riichi"][position.seat] and len(position.possible) > 1)


def _standard_errors(difference: Estimate) -> float:
    """Return a difference in units of its standard error."""
    half = (difference.high - difference.low) / 2
    return difference.value / (half / _HALF) if half else 0.0


def played(position: Position, options: WorthOptions, number: int) -> Playouts:
    """Return the playouts of a position."""
    for result in each_playouts(
        position.batch,
        options.options,
        players=options.player,
        samples=options.samples,
        seed=options.seed * 1_000_003 + number,
        plan=PlayoutPlan(level=0),
    ):
        z = [abs(_standard_errors(each.difference)) for each in result.options if each is not result.best]
        open_ones = [each for each in z if each < _SURE]
        growth = (options.samples / result.samples) ** 0.5
        if not open_ones or (result.samples >= _LEAST and max(open_ones) * growth < _SURE):
            break
    return result


def pairs(position: Position, options: WorthOptions, number: int) -> list[Pair]:
    """Return the best option of a position beside each other one."""
    result = played(position, options, number)
    best = result.best
    return [
        Pair(
            position=number,
            samples=result.samples,
            playouts=-each.difference.value,
            z=-_standard_errors(each.difference),
            best=best.action,
            other=each.action,
        )
        for each in result.options
        if each is not best
    ]


def _correlation(found: list[Compared]) -> float | None:
    """Return the correlation of the playouts' differences with the model's."""
    if len(found) < 3:
        return None
    matrix: NDArray[np.float64] = np.corrcoef([each.pair.playouts for each in found], [each.model for each in found])
    return float(matrix[0, 1])


def report(found: list[Compared]) -> dict[str, Any]:
    """Return the figures."""
    sure = [each for each in found if each.pair.z >= _SURE]
    right = rate(np.array([each.model > 0 for each in sure], np.bool_))
    preferred = rate(np.array([each.player > 0 for each in sure], np.bool_))
    return {
        "positions": len({each.pair.position for each in found}),
        "differences": len(found),
        "sure": len(sure),
        "positions with sure differences": len({each.pair.position for each in sure}),
        "right sign": asdict(right),
        "right sign of the player's preference": asdict(preferred),
        "correlation": _correlation(found),
        "correlation of sure differences": _correlation(sure),
        "samples": sum(each.pair.samples for each in found) / max(1, len(found)),
    }


def measure(options: WorthOptions) -> None:
    """Compare an outcome model with playouts."""
    options.out.mkdir(parents=True, exist_ok=True)
    path = options.out / "positions.jsonl"
    lines = path.read_text().splitlines() if path.exists() else []
    described = {
        name: str(value) for name, value in asdict(options).items() if name not in {"out", "positions", "model"}
    }
    known = options.out / "options.json"
    if known.exists() and json.loads(known.read_text()) != described:
        raise SystemExit(f"{options.out} holds results with other options: name another folder")
    save_text(json.dumps(described, indent=1), known)
    done = {int(line["position"]): line["pairs"] for line in map(json.loads, lines)}
    models: dict[int, OutcomeModel] = {}
    player = cast("Reviewer", agent(options.player))
    found: list[Compared] = []
    with counting_bar() as bar, path.open("a") as file:
        task = bar.add_task("positions", total=options.positions)
        for number, position in zip(range(options.positions), drawn_positions(options), strict=False):
            if number not in done:
                done[number] = [asdict(each) for each in pairs(position, options, number)]
                file.write(json.dumps({"position": number, "pairs": done[number]}) + "\n")
                file.flush()
            rules = position.batch.rules
            if rules.players not in models:
                models[rules.players] = OutcomeModel(rules, options.model)
            change = models[rules.players].outcomes(position.batch).change[0]
            liked = np.log(np.maximum(player.preferences(position.batch)[0], _LEAST_PROBABILITY))
            for pair in (Pair(**each) for each in done[number]):
                of_model, of_player = (float(each[pair.best] - each[pair.other]) for each in (change, liked))
                found.append(Compared(pair, of_model, of_player))
            bar.update(task, completed=number + 1)
    if not found:
        raise SystemExit("no position on an own turn before riichi in these records")
    typer.echo(json.dumps(report(found), indent=1))


if __name__ == "__main__":
    single = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    single.command()(command(measure))
    single()
