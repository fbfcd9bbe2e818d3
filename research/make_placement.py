"""Train and measure a placement model: ``placement-3.safetensors`` and ``placement-4.safetensors`` of the players.

    python research/make_placement.py --players 4 --learn STORE_OR_RECORDS --test STORE_OR_RECORDS --out FILE

Every hand is one example: the situation at its beginning, and the final order of its game. The baseline is a table of
the same examples: the place of each seat by round, rank, and the gaps to the ranks above and below. The test of the
difference counts a game as one observation.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
import typer
from numpy.typing import NDArray
from scipy.special import log_ndtr
from torch import nn

from janshi.cli.options import command, option
from janshi.compiling import batched, zeros
from janshi.learn.metrics import calibration_by_chance, calibration_error
from janshi.riichi.dataset import HandSet, read_hands
from janshi.riichi.placement import write_features
from janshi.table import Tables
from janshi.tensors import write_tensors
from janshi.worth.placement import HIDDEN, PlacementWorkspace

#: Gaps in points that the baseline distinguishes.
_GAPS: Final = (0, 1_000, 2_000, 4_000, 8_000, 12_000, 20_000, 32_000)
_PRIOR: Final = 20.0
_write_all: Final = batched(write_features)


@dataclass(frozen=True)
class PlacementOptions:
    """Options of this script."""

    out: Path = option("File of the weights (.safetensors).")
    learn: list[Path] = option("Records or stores to learn from. Repeatable.", default=[])
    test: list[Path] = option("Records or stores to measure on. Repeatable.", default=[])
    players: int = option("Three or four.", default=3, min=3, max=4)
    epochs: int = option("Times through the hands.", default=30, min=1)
    seed: int = option("Decides the split and the first weights.", default=0, min=0)
    figure: Path | None = option("File for a reliability plot (SVG or PNG).", default=None)
    as_json: bool = option("Print JSON instead.", "--json", default=False)


@dataclass(slots=True)
class Starts:
    """Beginnings of hands (n) with the final order of their games; seats count from the dealer."""

    features: NDArray[np.float32]
    places: NDArray[np.int64]
    """Final place of each seat (n, players; 0 first)."""
    points: NDArray[np.int64]
    """Points of each seat (n, players)."""
    kyoku: NDArray[np.int64]
    game: NDArray[np.int64]

    def part(self, rows: NDArray[Any]) -> Starts:
        """Return some of them."""
        return Starts(*(getattr(self, name)[rows] for name in self.__slots__))


@lru_cache(maxsize=4)
def orders(players: int) -> NDArray[np.int64]:
    """Return every final order (players!, players): the place (0 first) of each seat, counted from the dealer."""
    return np.array(list(permutations(range(players))), np.int64)


def place_shares(shares: NDArray[Any], players: int) -> NDArray[np.float64]:
    """Return the probabilities of places (n, seats, places) from those of orders (n, players!)."""
    by_order = np.eye(players)[orders(players)].reshape(-1, players * players)
    places: NDArray[np.float64] = (shares @ by_order).reshape(-1, players, players)
    return places


def features_of(rules: Any, starts: NDArray[Any]) -> NDArray[np.float32]:
    """Return the network's inputs (n, features) at the beginnings of hands by the same rules: see `HandSet.starts`."""
    states = np.repeat(np.asarray(Tables(rules, 1).states), len(starts))
    for column, name in enumerate(("kyoku", "honba", "deposits", "dealer")):
        states[name] = starts[:, column]
    states["seats"]["points"] = starts[:, 4:]
    work = zeros(PlacementWorkspace, len(starts))
    inputs = _write_all(states, work) // len(starts)  # a sum over the rows
    return np.asarray(work)["given"][:, :inputs]


def starts_of(hands: HandSet) -> Starts:
    """Return the beginnings of all hands of games with known final places."""
    players = hands.players
    placed = hands.with_places()
    assert placed.places is not None
    known = placed.places[:, :players].min(axis=1) >= 0
    kyoku = hands.starts[:, 0].astype(np.int64)
    features = np.zeros((len(hands), 0), np.float32)
    for number, rules in enumerate(hands.rules):
        rows = np.flatnonzero(hands.rule == number)
        parts = np.array_split(rows, len(rows) // 10_000 + 1)
        found = np.concatenate([features_of(rules, hands.starts[part]) for part in parts])
        if not features.shape[1]:
            features = np.zeros((len(hands), found.shape[1]), np.float32)
        features[rows] = found
    seats = (np.arange(players) + kyoku[:, None] % 4) % players
    places = np.take_along_axis(placed.places.astype(np.int64), seats, axis=1)
    points = np.take_along_axis(hands.starts[:, 4:].astype(np.int64), seats, axis=1)
    return Starts(features, places, points, kyoku, hands.games.astype(np.int64)).part(known)


def order_numbers(places: NDArray[np.int64], players: int) -> NDArray[np.int64]:
    """Return the index in `orders` of final places (n, players)."""
    power = players ** np.arange(players)
    numbers = orders(players) @ power
    ranked = np.argsort(numbers)
    found: NDArray[np.int64] = ranked[np.searchsorted(numbers[ranked], places @ power)]
    return found


def make_layers(inputs: int, players: int) -> nn.Sequential:
    """Return the network."""
    last = nn.Linear(HIDDEN, len(orders(players)))
    return nn.Sequential(nn.Linear(inputs, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, HIDDEN), nn.ReLU(), last)


def train(learned: Starts, held: Starts, options: PlacementOptions) -> nn.Sequential:
    """Return the network with the smallest loss on held-out hands."""
    torch.manual_seed(options.seed)
    network = make_layers(learned.features.shape[1], options.players)
    optimizer = torch.optim.AdamW(network.parameters(), lr=2e-3, weight_decay=1e-3)
    x, y = torch.from_numpy(learned.features), torch.from_numpy(order_numbers(learned.places, options.players))
    held_x, held_y = torch.from_numpy(held.features), torch.from_numpy(order_numbers(held.places, options.players))
    random = np.random.default_rng(options.seed)
    steps = options.epochs * (len(x) // 512)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 4e-3, total_steps=steps + options.epochs)
    best, kept = float("inf"), network.state_dict()
    for _ in range(options.epochs):
        network.train()
        for rows in np.array_split(random.permutation(len(x)), max(1, len(x) // 512)):
            loss = nn.functional.cross_entropy(network(x[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
        with torch.no_grad():
            now = float(nn.functional.cross_entropy(network(held_x), held_y))
        if now < best:
            best, kept = now, {name: tensor.clone() for name, tensor in network.state_dict().items()}
    network.load_state_dict(kept)
    return network


def save(network: nn.Sequential, path: Path) -> None:
    """Write the weights as 16-bit floats for `janshi.worth.placement.PlacementModel`."""
    layers = [layer for layer in network if isinstance(layer, nn.Linear)]
    arrays = {}
    for number, layer in enumerate(layers):
        arrays[f"weight {number}"] = layer.weight.detach().numpy().T.astype(np.float16)
        arrays[f"bias {number}"] = layer.bias.detach().numpy().astype(np.float16)
    write_tensors(arrays, path)


# ---------------------------------------------------------------------------------------------------------
# The baseline


def baseline_cells(starts: Starts, players: int) -> NDArray[np.int64]:
    """Return the cell of each seat (n, players): round, rank, gap to the rank above, gap to the rank below."""
    order = np.argsort(-starts.points, axis=1, kind="stable")
    ranked = np.take_along_axis(starts.points, order, axis=1)
    gaps = np.digitize(ranked[:, :-1] - ranked[:, 1:], _GAPS)
    above = np.concatenate([np.zeros((len(order), 1), np.int64), gaps], axis=1)
    below = np.concatenate([gaps, np.zeros((len(order), 1), np.int64)], axis=1)
    rank = np.arange(players)[None, :]
    kyoku = np.minimum(starts.kyoku, 11)[:, None]
    by_rank = ((kyoku * players + rank) * 9 + above) * 9 + below
    cells = np.empty_like(by_rank)
    np.put_along_axis(cells, order, by_rank, axis=1)
    return cells


def baseline(learned: Starts, test: Starts, players: int) -> NDArray[np.float64]:
    """Return the share of each place of each seat (n, players, places) in the table of the training hands."""
    cells, places = baseline_cells(learned, players), learned.places
    size = 12 * players * 81
    counts = np.zeros((size, players))
    np.add.at(counts, (cells.ravel(), places.ravel()), 1)
    rough = counts.reshape(12 * players, 81, players).sum(axis=1, keepdims=True)
    rough = (rough + 1) / (rough + 1).sum(axis=2, keepdims=True)
    smooth = counts.reshape(12 * players, 81, players) + _PRIOR * rough
    shares = (smooth / smooth.sum(axis=2, keepdims=True)).reshape(size, players)
    found: NDArray[np.float64] = shares[baseline_cells(test, players)]
    return found


def orders_of(shares: NDArray[np.float64], players: int) -> NDArray[np.float64]:
    """Return probabilities of orders (n, players!) from shares of places by seat: proportional to their products."""
    product = np.ones((len(shares), len(orders(players))))
    for seat in range(players):
        product *= shares[:, seat, orders(players)[:, seat]]
    return product / product.sum(axis=1, keepdims=True)


def measured(shares: NDArray[Any], base: NDArray[np.float64], test: Starts, players: int) -> dict[str, Any]:
    """Return log-losses of the final order by the model and the baseline, their test, and calibration of places."""
    right = order_numbers(test.places, players)
    rows = np.arange(len(right))
    mine, other = -np.log(shares[rows, right] + 1e-9), -np.log(base[rows, right] + 1e-9)
    _, group = np.unique(test.game, return_inverse=True)
    by_game = np.bincount(group, other - mine)
    z = by_game.mean() / (by_game.std(ddof=1) / len(by_game) ** 0.5)
    places = place_shares(shares, players).ravel()
    came = (test.places[:, :, None] == np.arange(players)).ravel()
    return {
        "hands": len(right),
        "games": len(by_game),
        "log-loss": float(mine.mean()),
        "log-loss of the table": float(other.mean()),
        "log10 p": float(log_ndtr(-z) / np.log(10)),
        "calibration error": calibration_error(places, came),
        "by chance": calibration_by_chance(places),
    }


def draw(shares: NDArray[Any], test: Starts, players: int, path: Path) -> None:
    """Draw a reliability plot of every place."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(3 * players, 3.2), layout="constrained")
    places = place_shares(shares, players)
    for place, axes in enumerate(figure.subplots(1, players)):
        share, came = places[:, :, place].ravel(), (test.places == place).ravel()
        bins = [part for part in np.array_split(np.argsort(share), 20) if len(part)]
        x, y = [share[part].mean() for part in bins], [came[part].mean() for part in bins]
        axes.plot([0, 1], [0, 1], color="grey", lw=0.8)
        axes.plot(x, y, "o", ms=3)
        axes.set(title=f"place {place + 1}", xlabel="predicted", ylabel="came true")
    figure.savefig(path)


def make(options: PlacementOptions) -> None:
    """Train a placement model on hands of whole games, write its weights, and measure it on other games."""
    torch.set_num_threads(1)
    hands = read_hands(options.learn, options.players)
    learned, held = (starts_of(part) for part in hands.split(0.1, options.seed))
    network = train(learned, held, options)
    save(network, options.out)
    test = starts_of(read_hands(options.test, options.players)) if options.test else held
    with torch.no_grad():
        shares = torch.softmax(network.half().float()(torch.from_numpy(test.features)), dim=1).numpy()
    table = orders_of(baseline(learned, test, options.players), options.players)
    report = measured(shares, table, test, options.players) | {"hands learned from": len(learned.kyoku)}
    if options.figure is not None:
        draw(shares, test, options.players, options.figure)
    if options.as_json:
        typer.echo(json.dumps(report, indent=1))
    else:
        for name, value in report.items():
            typer.echo(f"{name}: {value:.4f}" if isinstance(value, float) else f"{name}: {value:,}")


if __name__ == "__main__":
    single = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    single.command()(command(make))
    single()
