"""Networks over the 34 kinds of tiles: the five of the `meowjong` papers, and a small one of our own.

A paper's network takes observations (n, 366, 34) of zeros and ones and answers one decision; ours takes our wider
observation (n, 401, 34; of sanma also with chances, 427 columns) and answers all five.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, cast

import torch
from torch import Tensor, nn

from janshi.observe.decisions import DECISIONS, KAN, KITA
from janshi.observe.janshi import WIDE
from janshi.observe.meowjong import COLUMNS
from janshi.observe.planned import BEHIND, BEST, CALLS, DECLARES, PLANNED, PON_BETTER, RIICHI_BETTER

#: Outputs of our network: what people do (a logit for each kind to discard, one for yes of each of pon, kan, kita and
#: riichi), what those do who go on to win the hand (the same again), and the value of the position.
OUTPUTS: Final = 77
PEOPLE: Final = 0
WINNERS: Final = 38
VALUE: Final = 76

#: Points of a hundred for one logit of `advice`, and how far beyond its bounds a difference is taken to reach.
_POINTS: Final = 2.0
_BEYOND: Final = 4.0

#: The papers' kernels (rows, columns) for each decision. Source: conference paper, table V.
KERNELS: Final = {"discard": (4, 5), "pon": (5, 4), "kan": (2, 3), "kita": (3, 2), "riichi": (3, 4)}


# ---------------------------------------------------------------------------------------------------------
# Ours


@dataclass(frozen=True, slots=True)
class ResidualConfig:
    """Shape of a `ResidualNetwork`."""

    columns: int = WIDE
    channels: int = 96
    blocks: int = 6
    hidden: int = 64
    kinds: int = 34


class _Block(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(channels, channels, (1, 3), padding=(0, 1), bias=False)
        self.first_norm = nn.BatchNorm2d(channels)
        self.second = nn.Conv2d(channels, channels, (1, 3), padding=(0, 1), bias=False)
        self.second_norm = nn.BatchNorm2d(channels)
        self.whole = nn.Conv2d(channels, channels, 1)

    def forward(self, x: Tensor) -> Tensor:
        inner = torch.relu(self.first_norm(self.first(x)))
        # What the whole hand looks like, told to every kind.
        whole = self.whole(inner.mean(dim=3, keepdim=True))
        return torch.relu(x + self.second_norm(self.second(inner)) + whole)


class ResidualNetwork(nn.Module):
    """A residual network over the kinds: observations (n, 401, 34) in, `OUTPUTS` numbers (n, 77) out.

    The columns are channels, the 34 kinds the length of a one-dimensional network, written with 1 × 3 convolutions
    of two dimensions in channels-last order because these run several times faster on a processor than
    one-dimensional ones. The kinds of different suits lie side by side; a learned vector for each kind tells the
    network where it is. One trunk serves all decisions; the ones that say yes or no look at its mean and its largest
    values over the kinds, and at the target tile.
    """

    def __init__(self, config: ResidualConfig) -> None:
        super().__init__()
        self.config = config
        self.stem = nn.Conv2d(config.columns, config.channels, (1, 3), padding=(0, 1), bias=False)
        self.places = nn.Parameter(torch.zeros(1, config.channels, 1, config.kinds))
        self.stem_norm = nn.BatchNorm2d(config.channels)
        self.blocks = nn.Sequential(*(_Block(config.channels) for _ in range(config.blocks)))
        self.discard = nn.Conv2d(config.channels, 2, 1)
        self.hidden = nn.Linear(3 * config.channels, config.hidden)
        self.rest = nn.Linear(config.hidden, 9)

    def forward(self, x: Tensor) -> Tensor:
        """Return logits and value (n, 77) for observations (n, 401, 34)."""
        wide = x.unsqueeze(2).contiguous(memory_format=torch.channels_last)
        trunk = self.blocks(torch.relu(self.stem_norm(self.stem(wide) + self.places)))
        target = (trunk * wide[:, :1]).sum(dim=(2, 3))
        pooled = torch.cat((trunk.mean(dim=(2, 3)), trunk.amax(dim=(2, 3)), target), dim=1)
        rest = self.rest(torch.relu(self.hidden(pooled)))
        people, winners = self.discard(trunk).squeeze(2).unbind(dim=1)
        return torch.cat((people, rest[:, :4], winners, rest[:, 4:]), dim=1)


class MixedNetwork(nn.Module):
    """Two of our networks of one shape: what was ``learned`` by playing, and what is ``kept`` of before.

    Answers are their mean, the kept one's with ``share``: what both hold to be good is, more often than what either
    does alone. Of discards, pons and riichi the share ``advised`` is what plans say (`advice`), for which they must be
    shown it (`janshi.observe.PLANNED` columns).
    """

    def __init__(self, learned: ResidualNetwork, kept: ResidualNetwork, share: float, advised: float = 0.0) -> None:
        super().__init__()
        self.config = learned.config
        self.learned = learned
        self.kept = kept
        self.share = share
        self.advised = advised

    def forward(self, x: Tensor) -> Tensor:
        """Return logits and value (n, 77) for observations (n, 401 or 427, 34)."""
        mean = (1 - self.share) * cast("Tensor", self.learned(x)) + self.share * cast("Tensor", self.kept(x))
        if not self.advised:
            return mean
        discards, pon, riichi = advice(x)
        people, winners, value = mean[:, :WINNERS], mean[:, WINNERS:VALUE], mean[:, VALUE:]
        kan_kita = winners[:, 33 + KAN : 34 + KITA]  # of which plans say nothing
        said = torch.cat((discards, pon, kan_kita, riichi), dim=1)
        return torch.cat((people, torch.lerp(winners, said, self.advised), value), dim=1)


def advice(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return what plans say, as logits: discards (n, 34), yes of a pon (n, 1) and of riichi (n, 1).

    ``x``: observations (n, 427, 34). Two points of a hundred in the chance to win are one logit, as where what is
    learned from playouts has its temperature of 0.02; between two bounds of the columns their middle counts.
    """
    behind = torch.diff(torch.tensor([0.0, *BEHIND])) / _POINTS
    # The best one has half of the first point: there must be a difference to those that are nearly as good.
    steps = torch.cat((behind[:1] / 2, behind[:1] / 2, behind[1:])).to(x)
    discards = (x[:, BEST : BEST + len(steps)] * steps[:, None]).sum(dim=1)
    said = []
    for first, bounds in ((CALLS, PON_BETTER), (DECLARES, RIICHI_BETTER)):
        ends = (bounds[0] - _BEYOND, *bounds, bounds[-1] + _BEYOND)
        middles = [(low + high) / 2 / _POINTS for low, high in itertools.pairwise(ends)]
        columns = x[:, first : first + len(bounds), :1].squeeze(2)
        said.append(middles[0] + (columns * torch.diff(torch.tensor(middles)).to(x)).sum(dim=1, keepdim=True))
    return discards, said[0], said[1]


# ---------------------------------------------------------------------------------------------------------
# The papers'


@dataclass(frozen=True, slots=True)
class MeowjongConfig:
    """Shape of a `MeowjongNetwork`."""

    decision: str = "discard"
    kernel: tuple[int, int] | None = None
    """Rows and columns of every kernel; None: what the papers found best for the decision."""
    filters: tuple[int, int, int, int] = (64, 64, 64, 32)
    dense: int = 256
    dropout: float = 0.5
    scale: tuple[float, float] | None = None
    """Mean and standard deviation by which the input is standardised ("scaled"); None: zeros and ones."""


class MeowjongNetwork(nn.Module):
    """The papers' network for one decision: observations (n, 366, 34) in, logits (n, 34) or (n, 2) out.

    Four convolutions without padding and a dense layer, each followed by ReLU, batch normalisation and dropout.
    Source: conference paper, section V; dissertation, section 3.3.1.

    >>> sum(one.numel() for one in MeowjongNetwork(MeowjongConfig("kan")).parameters())
    88045858
    """

    def __init__(self, config: MeowjongConfig) -> None:
        super().__init__()
        self.config = config
        rows, columns = config.kernel or KERNELS[config.decision]
        layers: list[nn.Module] = []
        before = 1
        for filters in config.filters:
            layers += [nn.Conv2d(before, filters, (rows, columns)), nn.ReLU(), nn.BatchNorm2d(filters)]
            layers.append(nn.Dropout(config.dropout))
            before = filters
        wide = before * (34 - 4 * (rows - 1)) * (COLUMNS - 4 * (columns - 1))
        layers += [nn.Flatten(), nn.Linear(wide, config.dense), nn.ReLU(), nn.BatchNorm1d(config.dense)]
        layers += [nn.Dropout(config.dropout), nn.Linear(config.dense, outputs_of(config.decision))]
        self.layers = nn.Sequential(*layers)

    def forward(self, x: Tensor) -> Tensor:
        """Return logits (n, 34 or 2) for observations (n, 366, 34)."""
        image = x.transpose(1, 2).unsqueeze(1)
        if self.config.scale is not None:
            mean, deviation = self.config.scale
            image = (image - mean) / deviation
        return cast("Tensor", self.layers(image.contiguous(memory_format=torch.channels_last)))


def outputs_of(decision: str) -> int:
    """Return how many outputs a paper's network has: 34 kinds, or no and yes.

    >>> outputs_of("discard"), outputs_of("pon")
    (34, 2)
    """
    if decision not in DECISIONS:
        raise ValueError(f"no decision {decision!r}: there are {', '.join(DECISIONS)}")
    return 34 if decision == "discard" else 2


def logits_of(network: nn.Module, outputs: Tensor, decision: str, whose: int = PEOPLE) -> Tensor:
    """Return the logits of one decision (n, 34) or (n, 2: no, yes) from what either kind of network says.

    ``whose``: `PEOPLE` or `WINNERS`, of our network.
    """
    if isinstance(network, MeowjongNetwork):
        return outputs
    if decision == "discard":
        return outputs[:, whose : whose + 34]
    yes = outputs[:, whose + 33 + DECISIONS.index(decision)]
    return torch.stack((torch.zeros_like(yes), yes), dim=1)


def sharpened(network: nn.Module, factors: Mapping[str, float]) -> nn.Module:
    """Return our network with its winners' heads moved away from people's by factors; any other as it is.

    Where those who win do something more often than people in general, it helps winning: the logits of a decision
    become people's plus its factor times the difference (1, as where none is named, leaves them). The heads are
    linear, so that the weights can carry it.
    """
    if not isinstance(network, ResidualNetwork):
        return network
    moved = torch.tensor([factors.get(name, 1.0) for name in DECISIONS])
    with torch.no_grad():
        for layer, people, winners, factor in (
            (network.discard, slice(0, 1), slice(1, 2), moved[:1]),
            (network.rest, slice(0, 4), slice(4, 8), moved[1:]),
        ):
            for tensor in (layer.weight, cast("Tensor", layer.bias)):
                by = factor.view(-1, *[1] * (tensor.dim() - 1))
                tensor[winners] = tensor[people] + by * (tensor[winners] - tensor[people])
    return network


def mixed(learned: nn.Module, kept: nn.Module, share: float, advised: float = 0.0) -> MixedNetwork:
    """Return a `MixedNetwork` of two of ours.

    Raises `ValueError` for a paper's network, or where advice is wanted by networks that are not shown it.
    """
    if not isinstance(learned, ResidualNetwork) or not isinstance(kept, ResidualNetwork):
        raise ValueError("only networks of our own are mixed, not the papers'")
    if advised and learned.config.columns != PLANNED:
        raise ValueError(f"a network over {learned.config.columns} columns is not shown what plans say ({PLANNED})")
    return MixedNetwork(learned, kept, share, advised)


def widened(network: ResidualNetwork, columns: int) -> ResidualNetwork:
    """Return a network of ours that takes more columns, and answers as before until it learns what they are for."""
    wide = ResidualNetwork(dataclasses.replace(network.config, columns=columns))
    weights = network.state_dict()
    stem = torch.zeros_like(wide.stem.weight)
    stem[:, : network.config.columns] = network.stem.weight
    wide.load_state_dict({**weights, "stem.weight": stem.detach()})
    return wide.to(memory_format=torch.channels_last)  # type: ignore[call-overload, no-any-return]


def columns_of(network: nn.Module) -> int:
    """Return how many columns of the observation a network takes."""
    return network.config.columns if isinstance(network, ResidualNetwork | MixedNetwork) else COLUMNS


def make_network(config: ResidualConfig | MeowjongConfig) -> nn.Module:
    """Return a network of that shape with fresh weights, laid out in the order that convolutions like best."""
    made = ResidualNetwork(config) if isinstance(config, ResidualConfig) else MeowjongNetwork(config)
    return made.to(memory_format=torch.channels_last)  # type: ignore[call-overload, no-any-return]
