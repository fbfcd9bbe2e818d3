"""Networks over the 34 kinds of tiles for Riichi's whole action space.

Their inputs are binary (n, columns, 34).

>>> from janshi.learn.networks import make_network
>>> network = make_network(KindConfig(encoder="meowjong", channels=8, blocks=1))
>>> network(torch.zeros(2, 366, 34)).shape
torch.Size([2, 123])
"""

from __future__ import annotations

import dataclasses
import itertools
from dataclasses import dataclass
from typing import Any, Final

from janshi.agents.outputs import Outputs
from janshi.built_in import TASKS
from janshi.encoders import Encoder, encoder
from janshi.installing import naming_extra
from janshi.learn.configs import option
from janshi.learn.networks import ActionNetwork, NetworkKind, columns_of
from janshi.riichi.actions import ACTIONS
from janshi.riichi.analysis.danger import ENDS, HONOURS, ROWS, rates
from janshi.riichi.outcomes import PARTS

with naming_extra(__name__):
    import torch
    from torch import Tensor, nn

_KINDS: Final = 34
#: First actions of the rows of 34 that name a kind: discards, closed and added kans. The others depend on the position.
_KIND_ACTIONS: Final = (0, 54, 88)
#: The suits and the honours as rows of nine.
_ROWS: Final = (4, 9)
#: Kinds of the red fives, in the order of their actions.
_FIVES: Final = (4, 13, 22)
#: Final places of a game.
PLACES: Final = 4
#: Number of the deal-in by the action among the `PARTS`.
_DEALS_IN: Final = list(itertools.accumulate(PARTS.values(), initial=0))[list(PARTS).index("deals in")]


@dataclass(frozen=True, slots=True)
class KindConfig:
    """Shape of a `KindNetwork`."""

    encoder: str = option("janshi", "Name of the encoder.")
    channels: int = option(96, "Width of the network.", min=1)
    blocks: int = option(6, "Its depth: residual blocks.", min=0)
    hidden: int = option(64, "Units of the layer before the actions that name no tile.", min=1)


@dataclass(frozen=True, slots=True)
class SuitConfig:
    """Shape of a `SuitNetwork`."""

    encoder: str = option("table", "Name of the encoder.")
    channels: int = option(96, "Width of the network.", min=1)
    blocks: int = option(5, "Its depth: residual blocks.", min=0)
    hidden: int = option(128, "Units of the layer before the actions that name no tile.", min=1)


@dataclass(frozen=True, slots=True)
class OutcomeConfig:
    """Shape of an `OutcomeNetwork`."""

    encoder: str = option("table", "Name of the encoder.")
    channels: int = option(64, "Width of the network.", min=1)
    blocks: int = option(5, "Its depth: residual blocks.", min=0)
    hidden: int = option(192, "Units of the layer before the actions that name no tile.", min=1)


# ---------------------------------------------------------------------------------------------------------
# The trunk


class ResidualBlock(nn.Module):
    """Two convolutions over the kinds, with the pooled hand added to every kind."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(channels, channels, (1, 3), padding=(0, 1), bias=False)
        self.first_norm = nn.BatchNorm2d(channels)
        self.second = nn.Conv2d(channels, channels, (1, 3), padding=(0, 1), bias=False)
        self.second_norm = nn.BatchNorm2d(channels)
        self.whole = nn.Conv2d(channels, channels, 1)

    def forward(self, x: Tensor) -> Tensor:
        """Return (n, channels, 1, kinds) for an input of the same shape."""
        inner = torch.relu(self.first_norm(self.first(x)))
        pooled = self.whole(inner.mean(dim=3, keepdim=True))
        return torch.relu(x + self.second_norm(self.second(inner)) + pooled)


class KindTrunk(nn.Module):
    """A residual network over the kinds: the base of our networks.

    The columns are channels, the 34 kinds the length of a one-dimensional network. It uses 1 × 3 convolutions in
    channels-last order, several times faster on a processor than one-dimensional ones. Kinds of different suits are
    adjacent; a learned vector for each kind marks its position.
    """

    def __init__(self, columns: int, channels: int, blocks: int) -> None:
        super().__init__()
        self.stem = nn.Conv2d(columns, channels, (1, 3), padding=(0, 1), bias=False)
        self.places = nn.Parameter(torch.zeros(1, channels, 1, _KINDS))
        self.stem_norm = nn.BatchNorm2d(channels)
        self.blocks = nn.Sequential(*(ResidualBlock(channels) for _ in range(blocks)))

    def trunk(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return values of every kind (n, channels, 1, 34), and of the position (n, 3 · channels).

        The latter are the mean over the kinds, the largest values, and those of the target tile (column 0).
        """
        wide = x.unsqueeze(2).contiguous(memory_format=torch.channels_last)
        kinds = self.blocks(torch.relu(self.stem_norm(self.stem(wide) + self.places)))
        target = (kinds * wide[:, :1]).sum(dim=(2, 3))
        return kinds, torch.cat((kinds.mean(dim=(2, 3)), kinds.amax(dim=(2, 3)), target), dim=1)


class KindNetwork(KindTrunk, ActionNetwork):
    """Logits of the whole action space and a value: (n, columns, 34) in, (n, actions + 1) out.

    Discards of plain tiles and own kans are read off their kind, all other actions and the value off the position.
    """

    def __init__(self, config: KindConfig) -> None:
        observation = encoder(config.encoder)
        super().__init__(columns_of(observation), config.channels, config.blocks)
        self.config = config
        self.outputs = Outputs({"actions": ACTIONS, "value": 1})
        self.by_kind = nn.Conv2d(config.channels, len(_KIND_ACTIONS), 1)
        self.hidden = nn.Linear(3 * config.channels, config.hidden)
        self.rest = nn.Linear(config.hidden, ACTIONS + 1 - len(_KIND_ACTIONS) * _KINDS)

    def forward(self, x: Tensor) -> Tensor:
        """Return logits of the actions, followed by the value (n, actions + 1)."""
        kinds, position = self.trunk(x)
        rest = self.rest(torch.relu(self.hidden(position)))
        discards, closed, added = self.by_kind(kinds).squeeze(2).unbind(dim=1)
        return torch.cat((discards, rest[:, :-1], closed, added, rest[:, -1:]), dim=1)


def mean_of_kinds(x: Tensor) -> Tensor:
    """Return the mean over suits and ranks (n, channels) of (n, channels, 4, 9).

    Pooling trains faster; a plain mean is one node of an exported network.
    """
    if torch.compiler.is_exporting():
        return x.mean(dim=(2, 3), keepdim=True).flatten(1)
    return nn.functional.adaptive_avg_pool2d(x, 1).flatten(1)


def as_numbers(x: Tensor) -> Tensor:
    """Return observations as floats."""
    return x if x.is_floating_point() else x.float()


class SuitBlock(nn.Module):
    """Two convolutions within each suit, with the pooled hand added to every kind."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(channels, channels, (1, 3), padding=(0, 1), bias=False)
        self.first_norm = nn.BatchNorm2d(channels)
        self.second = nn.Conv2d(channels, channels, (1, 3), padding=(0, 1), bias=False)
        self.second_norm = nn.BatchNorm2d(channels)
        self.pooled = nn.Linear(channels, channels)

    def forward(self, x: Tensor) -> Tensor:
        """Return (n, channels, 4, 9) for an input of the same shape."""
        inner = torch.relu(self.first_norm(self.first(x)))
        pooled = self.pooled(mean_of_kinds(inner))[:, :, None, None]
        return torch.relu(x + self.second_norm(self.second(inner)) + pooled)


def pooled_values(kinds: Tensor, position: Tensor, target: Tensor) -> Tensor:
    """Return values of the position (n, 4 · channels): see `SuitTrunk.trunk`."""
    of_target = mean_of_kinds(kinds * target) * (_ROWS[0] * _ROWS[1])
    return torch.cat((mean_of_kinds(kinds), kinds.amax(dim=(2, 3)), of_target, position), dim=1)


class SuitTrunk(nn.Module):
    """A residual network over the suits.

    The kinds are four rows of nine, a suit or the honours each, so that no convolution mixes suits. Columns that are
    the same for all kinds (`Encoder.position_columns`) pass through a dense layer and are added to every kind, which
    saves two thirds of the first layer. Observations may be bytes or floats.
    """

    takes_bytes = True

    def __init__(self, observation: Encoder, channels: int, blocks: int) -> None:
        super().__init__()
        columns = columns_of(observation)
        self.of_kinds = columns - observation.position_columns
        self.stem = nn.Conv2d(self.of_kinds, channels, (1, 3), padding=(0, 1), bias=False)
        self.position = nn.Linear(max(1, observation.position_columns), channels)
        self.kind = nn.Parameter(torch.zeros(1, channels, *_ROWS))
        self.stem_norm = nn.BatchNorm2d(channels)
        self.blocks = nn.Sequential(*(SuitBlock(channels) for _ in range(blocks)))

    def trunk(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return values of every kind (n, channels, 4, 9), and of the position (n, 4 · channels).

        The latter are the mean over the kinds, the largest values, those of the target tile (column 0), and the
        position's own columns.
        """
        kinds, position, target = self.before_blocks(x)
        kinds = self.blocks(kinds)
        return kinds, pooled_values(kinds, position, target)

    def before_blocks(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return the first block's input (n, channels, 4, 9), the position (n, channels), the target's kind."""
        rows = nn.functional.pad(x[:, : self.of_kinds], (0, 2)).reshape(-1, self.of_kinds, *_ROWS)
        rows = as_numbers(rows).contiguous(memory_format=torch.channels_last)
        position = self.position(as_numbers(self._position(x)))
        return torch.relu(self._first(rows, position[:, :, None, None])), position, rows[:, :1]

    def _first(self, rows: Tensor, position: Tensor) -> Tensor:
        """Return the normalised first layer (n, channels, 4, 9)."""
        norm = self.stem_norm
        if not torch.compiler.is_exporting():
            stem = self.stem(rows)
            # In the type of the convolution, so that half precision is kept.
            normalised: Tensor = norm(stem + self.kind.to(stem.dtype) + position)
            return normalised
        # Exported networks fold the normalisation into the weights, which saves a pass over all numbers.
        assert norm.running_var is not None
        assert norm.running_mean is not None
        scale = (norm.weight / torch.sqrt(norm.running_var + norm.eps))[:, None, None]
        added = (self.kind - norm.running_mean[:, None, None]) * scale + norm.bias[:, None, None]
        stem = nn.functional.conv2d(rows, self.stem.weight * scale[..., None], padding=self.stem.padding)
        return stem + (position * scale + added)

    def _position(self, x: Tensor) -> Tensor:
        """Return the columns that are the same for all kinds (n, columns); a zero if the encoder has none."""
        columns = x[:, self.of_kinds :, 0]
        return columns if columns.shape[1] else x.new_zeros((len(x), 1))


class SuitNetwork(SuitTrunk, ActionNetwork):
    """Logits of Riichi's whole action space, final places, and a value, over a `SuitTrunk`.

    (n, columns, 34) in, (n, actions + 4 + 1) out. Discards of plain tiles and own kans are read off their kind,
    everything else off the position. The four logits after the actions, an auxiliary target, are of the final place.
    """

    def __init__(self, config: SuitConfig) -> None:
        super().__init__(encoder(config.encoder), config.channels, config.blocks)
        self.config = config
        self.outputs = Outputs({"actions": ACTIONS, "places": PLACES, "value": 1})
        self.by_kind = nn.Conv2d(config.channels, len(_KIND_ACTIONS), 1)
        self.hidden = nn.Linear(4 * config.channels, config.hidden)
        self.rest = nn.Linear(config.hidden, ACTIONS + PLACES + 1 - len(_KIND_ACTIONS) * _KINDS)

    def forward(self, x: Tensor) -> Tensor:
        """Return logits of the actions, of the final places, and the value: see the class."""
        kinds, position, target = self.before_blocks(x)
        return answers_from(self, self.blocks(kinds), position, target)

    def parts(self, blocks: int) -> tuple[nn.Module, nn.Module]:
        """See `ActionNetwork`."""
        return SuitFront(self, blocks), SuitTail(self, blocks)

    @torch.no_grad()
    def widened(self, config: Any) -> ActionNetwork:
        """See `ActionNetwork`.

        New channels begin with random weights, but nothing that was there before reads them: its weights for them are
        zero. New blocks add nothing. Both learn from the first step (Chen, Goodfellow and Shlens, 2016: Net2Net).
        """
        least = dataclasses.replace(self.config, channels=config.channels, blocks=config.blocks)
        if config != least or config.channels < self.config.channels or config.blocks < self.config.blocks:
            return super().widened(config)
        wide = SuitNetwork(config)
        weights = wide.state_dict()
        for name, old in self.state_dict().items():
            new = weights[name]
            if name == "hidden.weight":  # its inputs are four parts of as many numbers as there are channels
                new, old = new.unflatten(1, (4, -1)), old.unflatten(1, (4, -1))
            if name != "kind" and old.dim() > 1:
                new[: len(old)] = 0
            new[tuple(slice(size) for size in old.shape)] = old
        for block in list(wide.blocks)[self.config.blocks :]:
            assert isinstance(block, SuitBlock)
            for layer in (block.second_norm, block.pooled):
                nn.init.zeros_(layer.weight)
                nn.init.zeros_(layer.bias)
        return wide


def answers_from(layers: SuitNetwork | SuitTail, kinds: Tensor, position: Tensor, target: Tensor) -> Tensor:
    """Return the answers of a `SuitNetwork` from the outputs of its last block: see the class."""
    rest = layers.rest(torch.relu(layers.hidden(pooled_values(kinds, position, target))))
    discards, closed, added = layers.by_kind(kinds).flatten(2)[:, :, :_KINDS].unbind(dim=1)
    simple = ACTIONS - len(_KIND_ACTIONS) * _KINDS
    return torch.cat((discards, rest[:, :simple], closed, added, rest[:, simple:]), dim=1)


class SuitFront(nn.Module):
    """The first layers of a `SuitNetwork`, up to its last ``blocks`` blocks: observations in, numbers (n, k) out."""

    takes_bytes = True

    def __init__(self, network: SuitNetwork, blocks: int) -> None:
        super().__init__()
        self.config = network.config
        self.network = network
        self.blocks = network.blocks[: len(network.blocks) - blocks]

    def forward(self, x: Tensor) -> Tensor:
        """Return the values of every kind, those of the position, and the target's kinds (n, k)."""
        kinds, position, target = self.network.before_blocks(x)
        return torch.cat((self.blocks(kinds).flatten(1), position, target.flatten(1)), dim=1)


class SuitTail(nn.Module):
    """The last ``blocks`` blocks of a `SuitNetwork` and its output layers; reads the numbers of a `SuitFront`."""

    def __init__(self, network: SuitNetwork, blocks: int) -> None:
        super().__init__()
        self.channels = network.config.channels
        self.blocks = network.blocks[len(network.blocks) - blocks :]
        self.by_kind, self.hidden, self.rest = network.by_kind, network.hidden, network.rest

    def forward(self, x: Tensor) -> Tensor:
        """Return the network's answers."""
        size = _ROWS[0] * _ROWS[1]
        kinds, position, target = torch.split(x, [self.channels * size, self.channels, size], dim=1)
        rows = kinds.reshape(-1, self.channels, *_ROWS).contiguous(memory_format=torch.channels_last)
        return answers_from(self, self.blocks(rows), position, target.reshape(-1, 1, *_ROWS))


def _rates_by_kind() -> Tensor:
    """Return the rates of `janshi.riichi.analysis.danger` by players, kind, sides or unseen tiles, row (2, 34, 4, 3).

    Kinds of runs use the number of possible two-sided waits (0 to 2), the others the number of unseen tiles (0 to 3).
    """
    by_kind = torch.zeros(2, _KINDS, 4, ROWS)
    by_class = torch.from_numpy(rates()).float()
    for sanma in (0, 1):
        for kind in range(_KINDS):
            first, size = 3 * min(kind % 9, 8 - kind % 9), 3
            if kind >= 27 or (sanma and kind < 9):
                first, size = HONOURS if kind >= 27 else ENDS, 4
            by_kind[1 - sanma, kind, :size] = by_class[1 - sanma, first : first + size]
    return by_kind


class DangerTable(nn.Module):
    """The chance to deal in by every kind to seats in riichi by our table of suji, genbutsu and unseen tiles.

    See `janshi.riichi.analysis.danger`. Observations are those of the encoder `table`.
    """

    kinds: Tensor
    rates: Tensor

    def __init__(self, observation: Encoder) -> None:
        super().__init__()
        number = {name: column for column, name in enumerate(observation.columns)}
        self._sanma = number["three players"]
        self._unseen = [number[f"{count} or more unseen"] for count in (1, 2, 3)]
        self._later = [number[f"turn {turn} or later"] for turn in (7, 13)]
        names = ("riichi", "cannot win by", "no two-sided wait", "two two-sided waits, or safe")
        self._seats = [[number[f"{seat} {name}"] for name in names] for seat in ("next", "opposite", "previous")]
        self.register_buffer("rates", _rates_by_kind(), persistent=False)
        self.register_buffer("kinds", torch.arange(_KINDS), persistent=False)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return chances (n, 34), 0 for safe kinds, and 1 where another seat is in riichi (n, 1), else 0."""
        sanma = x[:, self._sanma].long()
        unseen = x[:, self._unseen].long().sum(dim=1)
        row = x[:, self._later].long().sum(dim=1)
        runs = (self.kinds < 27) & ((self.kinds >= 9) | (sanma == 0))
        safe = torch.ones(x.shape[0], _KINDS, device=x.device)
        threat = torch.zeros(x.shape[0], _KINDS, device=x.device)
        for riichi, cannot, no_sides, two_sides in self._seats:
            sides = 1 + x[:, two_sides].long() - x[:, no_sides].long()
            rate = self.rates[1 - sanma, self.kinds, torch.where(runs, sides, unseen), row]
            safe = safe * (1 - x[:, riichi].float() * (1 - x[:, cannot].float()) * rate)
            threat = torch.maximum(threat, x[:, riichi].float())
        return 1 - safe, threat[:, :1]


class OutcomeNetwork(SuitTrunk, ActionNetwork):
    """Outcomes of every action of Riichi, over a `SuitTrunk`: (n, columns, 34) in, (n, 17 · actions) out.

    The outputs are the parts of `janshi.riichi.outcomes.PARTS`, with a block of all actions for each of their numbers:
    logits of the policy, of the result of the hand and of dealing in by the action; points of a win and of a deal-in,
    change of points; logits of the final place. Against a riichi the logits of dealing in by a discard are a weighted
    sum of the network's own and those of a `DangerTable`, with learned weights.
    """

    def __init__(self, config: OutcomeConfig) -> None:
        super().__init__(encoder(config.encoder), config.channels, config.blocks)
        self.config = config
        self.outputs = Outputs({name: width * ACTIONS for name, width in PARTS.items()})
        self.numbers = sum(PARTS.values())
        self.by_kind = nn.Conv2d(config.channels, self.numbers * len(_KIND_ACTIONS), 1)
        self.hidden = nn.Linear(4 * config.channels, config.hidden)
        self.rest = nn.Linear(config.hidden, self.numbers * (ACTIONS - len(_KIND_ACTIONS) * _KINDS))
        self.table = DangerTable(encoder(config.encoder))
        #: Against a riichi: weights of the own logits and of the table's, logit of a tile safe by the table, and bias.
        self.against_riichi = nn.Parameter(torch.tensor([1.0, 1.0, -5.0, 0.0]))

    def forward(self, x: Tensor) -> Tensor:
        """Return the parts of the outcomes of all actions: see the class."""
        kinds, pooled = self.trunk(x)
        rest = self.rest(torch.relu(self.hidden(pooled))).unflatten(1, (self.numbers, -1))
        by_kind = self.by_kind(kinds).flatten(2)[:, :, :_KINDS].unflatten(1, (self.numbers, len(_KIND_ACTIONS)))
        discards, closed, added = by_kind.unbind(dim=2)
        outcomes = torch.cat((discards, rest, closed, added), dim=2)
        dealing_in = self._with_table(outcomes[:, _DEALS_IN], x)
        parts = (outcomes[:, :_DEALS_IN], dealing_in[:, None], outcomes[:, _DEALS_IN + 1 :])
        return torch.cat(parts, dim=1).flatten(1)

    def _with_table(self, logits: Tensor, x: Tensor) -> Tensor:
        """Return the logits of dealing in (n, actions), against a riichi with those of the table."""
        chance, threat = self.table(x)
        own, table, safe, bias = self.against_riichi
        logit = torch.where(chance > 0, table * torch.logit(chance, eps=1e-4), safe) + bias
        drawn = (logit * x[:, 0]).sum(dim=1, keepdim=True)
        by_discard = torch.cat((logit, logit[:, _FIVES], drawn), dim=1)
        discards, others = logits[:, : by_discard.shape[1]], logits[:, by_discard.shape[1] :]
        against = own * discards + by_discard
        return torch.cat((torch.where(threat > 0, against, discards), others), dim=1)


#: Kinds of networks: see `janshi.learn.networks.NETWORKS`.
KIND_NETWORK: Final = NetworkKind("policy", KindConfig, KindNetwork)
SUIT_NETWORK: Final = NetworkKind("suits", SuitConfig, SuitNetwork)
OUTCOME_NETWORK: Final = NetworkKind("outcomes", OutcomeConfig, OutcomeNetwork, task=TASKS["outcomes"])
