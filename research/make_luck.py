"""Train a luck model: ``src/janshi/players/luck-3.safetensors`` and ``luck-4.safetensors``.

    python research/make_luck.py --players 3 --learn STORE_OR_RECORDS --out luck-3.safetensors

Hands of records and of ``janshi selfplay`` are replayed up to each draw. A share of the draws is stored with the ending
of the hand, and a network of the ending is trained on them. A share of the games is held out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
import typer
from numpy.typing import NDArray
from torch import Tensor, nn

from janshi.cli.options import command, option
from janshi.cli.progress import counting_bar
from janshi.riichi.dataset import HandSet, read_hands
from janshi.riichi.luck.draws import FollowedTables, columns_of_kinds, describe_draws, widths
from janshi.riichi.luck.endings import endings_of, number_of_endings, payments, turned
from janshi.table import new_states
from janshi.tensors import write_tensors

#: Number of parallel hands.
_HANDS = 1024
#: Maximum divisor of a column.
_LARGEST = 64.0


@dataclass(frozen=True)
class LuckOptions:
    """Options of this script."""

    out: Path = option("File of the weights (.safetensors).")
    learn: list[Path] = option("Records or stores to learn from. Repeatable.", default=[])
    players: int = option("Three or four.", default=3, min=3, max=4)
    share: float = option("Share of the draws that are kept.", default=0.15, max=1)
    epochs: int = option("Times through the draws.", default=12, min=1)
    common: int = option("Units that read what all kinds have in common.", default=96, min=1)
    hidden: int = option("Units that read each kind.", default=48, min=1)
    seed: int = option("Decides shares, order and first weights.", default=0, min=0)


# ---------------------------------------------------------------------------------------------------------
# Draws of hands


@dataclass(slots=True)
class Samples:
    """Draws (n) with the endings of their hands, seats relative to the drawing one."""

    common: NDArray[np.int8]
    kinds: NDArray[np.int8]
    """Features of the drawn kind (n, numbers)."""
    ending: NDArray[np.int8]
    hand: NDArray[np.int64]

    @staticmethod
    def joined(parts: list[Samples]) -> Samples:
        """Return the draws of several parts."""
        return Samples(*(np.concatenate([getattr(part, name) for part in parts]) for name in Samples.__slots__))

    def part(self, rows: NDArray[Any]) -> Samples:
        """Return some of them."""
        return Samples(*(getattr(self, name)[rows] for name in Samples.__slots__))


class Replay:
    """Hands replayed up to each draw.

    Attributes:
        changes: sums of the changes of points in each ending without honba and deposits (endings, players), from the
            dealer on.
        counts: number of hands of each ending.
    """

    def __init__(self, hands: HandSet, share: float, seed: int) -> None:
        self.hands = hands
        self.share = share
        self.random = np.random.default_rng(seed)
        self.changes = np.zeros((number_of_endings(hands.players), hands.players))
        self.counts = np.zeros(len(self.changes))

    def parts(self) -> Iterator[Samples]:
        """Yield a share of the draws in batches of hands."""
        for number, rules in enumerate(self.hands.rules):
            rows = np.flatnonzero(self.hands.rule == number)
            for first in range(0, len(rows), _HANDS):
                yield self._play(rules, rows[first : first + _HANDS])

    def _play(self, rules: Any, hands: NDArray[np.int64]) -> Samples:
        players, every = rules.players, np.arange(len(hands))
        begun = cast("Any", new_states(rules, len(hands)))
        begun["wall"] = self.hands.walls[hands]
        for column, name in enumerate(("kyoku", "honba", "deposits", "dealer")):
            begun[name] = self.hands.starts[hands, column]
        begun["seats"]["points"] = self.hands.starts[hands, 4:]
        followed = FollowedTables(rules, begun)
        followed.deal(every, begun)
        next_action, last = self.hands.bounds[hands].copy(), self.hands.bounds[hands + 1]
        kept = []
        while True:
            while len(stopped := followed.before_draw(every)):
                draws = describe_draws(followed.states, players, stopped)
                rows = np.flatnonzero(self.random.random(len(stopped)) < self.share)
                came = draws.kinds[rows, draws.drawn[rows]]
                kept.append((draws.common[rows], came, draws.drawer[rows], stopped[rows]))
                followed.draw(stopped)
            going = np.flatnonzero((followed.states["actor"] >= 0) & (next_action < last))
            if not len(going):
                break
            followed.act(going, self.hands.taken[next_action[going]].astype(np.int16))
            next_action[going] += 1
        common, kinds, drawer, table = (np.concatenate(column) for column in zip(*kept, strict=True))
        ending = endings_of(followed.states, players)
        self._count(begun, followed.states, ending, players)
        return Samples(common, kinds, turned(players)[drawer, ending[table]].astype(np.int8), hands[table])

    def _count(self, begun: Any, ended: Any, ending: NDArray[np.int64], players: int) -> None:
        change = ended["seats"]["points"][:, :players] - begun["seats"]["points"][:, :players]
        change = change - payments(begun, players)[np.arange(len(begun)), ending]
        dealer = begun["dealer"].astype(np.int64)
        seats = (np.arange(players) + dealer[:, None]) % players
        numbers = turned(players)[dealer, ending]
        np.add.at(self.changes, numbers, np.take_along_axis(change, seats, axis=1))
        np.add.at(self.counts, numbers, 1)


def draws_of(hands: HandSet, options: LuckOptions) -> tuple[Samples, NDArray[np.float64]]:
    """Return draws of hands, and the mean change of points in each ending."""
    replay = Replay(hands, options.share, options.seed)
    parts = []
    with counting_bar() as bar:
        task = bar.add_task("hands", total=len(hands))
        for part in replay.parts():
            parts.append(part)
            bar.update(task, completed=replay.counts.sum())
    return Samples.joined(parts), replay.changes / np.maximum(replay.counts, 1)[:, None]


# ---------------------------------------------------------------------------------------------------------
# The network


class LuckNetwork(nn.Module):
    """The network of `janshi.riichi.luck.model.LuckModel`, for the drawn kind only."""

    def __init__(self, players: int, common: int, hidden: int) -> None:
        super().__init__()
        inputs, of_kind = widths(players)
        endings = number_of_endings(players)
        self.common = nn.Linear(inputs, common)
        self.shared = nn.Linear(common, hidden)
        self.kind = nn.Linear(of_kind, hidden, bias=False)
        self.ending = nn.Linear(hidden, endings, bias=False)
        self.direct = nn.Linear(common, endings)

    def forward(self, common: Tensor, kind: Tensor) -> Tensor:
        """Return the logits of the endings (n, endings)."""
        x = torch.relu(self.common(common))
        hidden = torch.relu(self.shared(x) + self.kind(kind))
        logits: Tensor = self.ending(hidden) + self.direct(x)
        return logits


def exchanged(players: int, random: np.random.Generator) -> NDArray[np.int64]:
    """Return the order of the numbers that describe a draw when suits are exchanged or counted from 9 to 1 at random.

    With three players 1m and 9m stay in their suit. What a hand ends in hardly depends on it.
    """
    suits = random.permutation(3) if players == 4 else np.concatenate([[0], 1 + random.permutation(2)])
    ranks = [np.arange(9)[:: random.choice((1, -1))] for _ in range(3)]
    kinds = np.concatenate([*(9 * suit + rank for suit, rank in zip(suits, ranks, strict=True)), np.arange(27, 34)])
    order = np.arange(widths(players)[0])
    for first in columns_of_kinds(players):
        order[first : first + len(kinds)] = first + kinds
    return order


def scale_of(samples: NDArray[np.int8]) -> NDArray[np.float32]:
    """Return the divisor of each number."""
    deviation = samples[:200_000].astype(np.float32).std(axis=0)
    scale: NDArray[np.float32] = np.clip(deviation, 0.2, _LARGEST).astype(np.float32)
    return scale


def train(samples: Samples, held: Samples, players: int, options: LuckOptions) -> tuple[LuckNetwork, Any]:
    """Return the network with the smallest loss on held-out hands, and the scales of its inputs."""
    torch.manual_seed(options.seed)
    network = LuckNetwork(players, options.common, options.hidden)
    scales = tuple(torch.from_numpy(1 / scale_of(column)) for column in (samples.common, samples.kinds))
    batch, steps = 1024, options.epochs * (len(samples.ending) // 1024)
    optimizer = torch.optim.AdamW(network.parameters(), lr=1e-3, weight_decay=0.3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 4e-3, total_steps=steps + 1, pct_start=0.1)
    random = np.random.default_rng(options.seed)

    def loss_of(part: Samples, rows: Any, order: Any = slice(None)) -> Tensor:
        inputs = (torch.from_numpy(column).float() for column in (part.common[rows][:, order], part.kinds[rows]))
        logits = network(*(x * scale for x, scale in zip(inputs, scales, strict=True)))
        return nn.functional.cross_entropy(logits, torch.from_numpy(part.ending[rows]).long())

    for epoch in range(options.epochs):
        order = random.permutation(len(samples.ending))
        losses = []
        for step in range(len(order) // batch):
            rows = np.sort(order[step * batch : (step + 1) * batch])
            loss = loss_of(samples, rows, exchanged(players, random))
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            schedule.step()
            losses.append(loss.item())
        with torch.no_grad():
            chunks = [slice(first, first + 8192) for first in range(0, len(held.ending), 8192)]
            tested = np.mean([loss_of(held, chunk).item() for chunk in chunks])
        typer.echo(f"epoch {epoch + 1}: loss {np.mean(losses):.4f}, held out {tested:.4f}")
    return network, scales


def save(network: LuckNetwork, scales: Any, changes: NDArray[np.float64], path: Path) -> None:
    """Write the weights as 16-bit floats for `janshi.riichi.luck.model.LuckModel`."""
    arrays = {
        "common": network.common.weight * scales[0],
        "common bias": network.common.bias,
        "shared": network.shared.weight,
        "kind": network.kind.weight * scales[1],
        "bias": network.shared.bias,
        "ending": network.ending.weight,
        "direct": network.direct.weight,
        "ending bias": network.direct.bias,
    }
    stored = {name: array.detach().numpy().T.astype(np.float16) for name, array in arrays.items()}
    stored["changes"] = changes.round(-1).astype(np.int32)
    write_tensors(stored, path)


def make(options: LuckOptions) -> None:
    """Train a luck model on draws of hands, and write its weights."""
    torch.set_num_threads(1)
    hands = read_hands(options.learn, options.players)
    samples, changes = draws_of(hands, options)
    held = hands.games[samples.hand] % 20 == 0
    typer.echo(f"{len(hands):,} hands, {int((~held).sum()):,} draws, {int(held.sum()):,} held out")
    network, scales = train(samples.part(~held), samples.part(held), options.players, options)
    save(network, scales, changes, options.out)


if __name__ == "__main__":
    single = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    single.command()(command(make))
    single()
