"""Networks over the 34 kinds of tiles: our trunk, the network of a whole action space, and the table of all kinds.

A network takes what its encoder lays out (`Encoder.shape`; (n, columns, 34) of zeros and ones) and carries that
encoder's *name* in its configuration. Each kind of network is one line in `NETWORKS`; checkpoints name it.

>>> network = make_network(PolicyConfig(encoder="meowjong", channels=8, blocks=1))
>>> network(torch.zeros(2, 366, 34)).shape
torch.Size([2, 123])
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import torch
from torch import Tensor, nn

from janshi.agents.onnx import ACTIONS_ANSWERS
from janshi.encoders import Encoder, Layout, encoder
from janshi.games import GAMES
from janshi.learn.configs import DenseConfig, PolicyConfig, SuitConfig

_KINDS: Final = 34


class NetworkError(ValueError):
    """A network that there is not, or that does not fit its encoder."""


# ---------------------------------------------------------------------------------------------------------
# The trunk


class ResidualBlock(nn.Module):
    """Two convolutions over the kinds, and what the whole hand looks like added to every kind."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(channels, channels, (1, 3), padding=(0, 1), bias=False)
        self.first_norm = nn.BatchNorm2d(channels)
        self.second = nn.Conv2d(channels, channels, (1, 3), padding=(0, 1), bias=False)
        self.second_norm = nn.BatchNorm2d(channels)
        self.whole = nn.Conv2d(channels, channels, 1)

    def forward(self, x: Tensor) -> Tensor:
        """Return (n, channels, 1, kinds) for the same."""
        inner = torch.relu(self.first_norm(self.first(x)))
        pooled = self.whole(inner.mean(dim=3, keepdim=True))
        return torch.relu(x + self.second_norm(self.second(inner)) + pooled)


class KindTrunk(nn.Module):
    """A residual network over the kinds: the base of our networks.

    The columns are channels, the 34 kinds the length of a one-dimensional network, written with 1 × 3 convolutions
    of two dimensions in channels-last order because these run several times faster on a processor than
    one-dimensional ones. The kinds of different suits lie side by side; a learned vector for each kind tells the
    network where it is.
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


# ---------------------------------------------------------------------------------------------------------
# The whole action space

#: Actions of Riichi that name a kind (discards, closed and added kans), each a row of logits over the kinds, and the
#: first action of each row; all other actions are the position's.
_KIND_ACTIONS: Final = (0, 54, 88)


#: The suits and the honours as rows of nine.
_ROWS: Final = (4, 9)
#: Places in which a game is ended.
PLACES: Final = 4


class ActionNetwork(nn.Module):
    """A network that answers a game's whole action space: logits of all actions, and behind them a value."""

    config: Any
    actions: int
    """Size of the action space."""


class PolicyNetwork(KindTrunk, ActionNetwork):
    """One trunk, logits of a game's whole action space and a value: (n, columns, 34) in, (n, actions + 1) out.

    Discards of plain tiles and own kans, which name a kind, are read off that kind; all other actions and the value off
    the position. What the logits mean, and which actions are legal, is `janshi.agents.policy.Policy`'s business.
    """

    def __init__(self, config: PolicyConfig) -> None:
        observation = encoder(config.encoder)
        super().__init__(columns_of(observation), config.channels, config.blocks)
        self.config = config
        self.actions = GAMES[observation.game].actions
        self.by_kind = nn.Conv2d(config.channels, len(_KIND_ACTIONS), 1)
        self.hidden = nn.Linear(3 * config.channels, config.hidden)
        self.rest = nn.Linear(config.hidden, self.actions + 1 - len(_KIND_ACTIONS) * _KINDS)

    def forward(self, x: Tensor) -> Tensor:
        """Return logits of the actions, and behind them the value (n, actions + 1)."""
        kinds, position = self.trunk(x)
        rest = self.rest(torch.relu(self.hidden(position)))
        discards, closed, added = self.by_kind(kinds).squeeze(2).unbind(dim=1)
        return torch.cat((discards, rest[:, :-1], closed, added, rest[:, -1:]), dim=1)


def mean_of_kinds(x: Tensor) -> Tensor:
    """Return the mean over suits and ranks (n, channels) of (n, channels, 4, 9).

    Pooling is quicker to train; a plain mean is one node of an exported network.
    """
    if torch.compiler.is_exporting():
        return x.mean(dim=(2, 3), keepdim=True).flatten(1)
    return nn.functional.adaptive_avg_pool2d(x, 1).flatten(1)


def as_numbers(x: Tensor) -> Tensor:
    """Return observations as numbers that layers take: bytes become floats."""
    return x if x.is_floating_point() else x.float()


class SuitBlock(nn.Module):
    """Two convolutions within each suit, and what the whole hand looks like added to every kind."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(channels, channels, (1, 3), padding=(0, 1), bias=False)
        self.first_norm = nn.BatchNorm2d(channels)
        self.second = nn.Conv2d(channels, channels, (1, 3), padding=(0, 1), bias=False)
        self.second_norm = nn.BatchNorm2d(channels)
        self.pooled = nn.Linear(channels, channels)

    def forward(self, x: Tensor) -> Tensor:
        """Return (n, channels, 4, 9) for the same."""
        inner = torch.relu(self.first_norm(self.first(x)))
        pooled = self.pooled(mean_of_kinds(inner))[:, :, None, None]
        return torch.relu(x + self.second_norm(self.second(inner)) + pooled)


class SuitNetwork(ActionNetwork):
    """A residual network over the suits: logits of Riichi's whole action space, final places, and a value.

    (n, columns, 34) in, (n, actions + 4 + 1) out, with ``danger`` 34 more before the value. The kinds stand as four
    rows of nine, a suit or the honours each, so that no convolution reaches from one suit into another. Columns of the
    encoder that are the same for all kinds (`Encoder.position_columns`) go through a dense layer and are added to every
    kind, which saves two thirds of the first layer. Discards of plain tiles and own kans are read off their kind; all
    else off the position: the mean over the kinds, the largest values, those of the target tile (column 0), and the
    position's own columns.

    The four logits after the actions are of the place in which the seat ends the game, those of ``danger`` of the kinds
    that complete another seat's hand: auxiliary targets. Observations may be bytes as well as floats.
    """

    takes_bytes = True

    def __init__(self, config: SuitConfig) -> None:
        observation = encoder(config.encoder)
        columns = columns_of(observation)
        super().__init__()
        self.config = config
        self.actions = GAMES[observation.game].actions
        self.of_kinds = columns - observation.position_columns
        channels = config.channels
        self.stem = nn.Conv2d(self.of_kinds, channels, (1, 3), padding=(0, 1), bias=False)
        self.position = nn.Linear(max(1, observation.position_columns), channels)
        self.kind = nn.Parameter(torch.zeros(1, channels, *_ROWS))
        self.stem_norm = nn.BatchNorm2d(channels)
        self.blocks = nn.Sequential(*(SuitBlock(channels) for _ in range(config.blocks)))
        self.by_kind = nn.Conv2d(channels, len(_KIND_ACTIONS) + config.danger, 1)
        self.hidden = nn.Linear(4 * channels, config.hidden)
        self.rest = nn.Linear(config.hidden, self.actions + PLACES + 1 - len(_KIND_ACTIONS) * _KINDS)

    def forward(self, x: Tensor) -> Tensor:
        """Return logits of the actions, of the final places, of dangerous kinds, and the value: see the class."""
        rows = nn.functional.pad(x[:, : self.of_kinds], (0, 2)).reshape(-1, self.of_kinds, *_ROWS)
        rows = as_numbers(rows).contiguous(memory_format=torch.channels_last)
        position = self.position(as_numbers(self._position(x)))
        kinds = self.blocks(torch.relu(self._first(rows, position[:, :, None, None])))
        mean = mean_of_kinds(kinds)
        target = mean_of_kinds(kinds * rows[:, :1]) * (_ROWS[0] * _ROWS[1])
        pooled = torch.cat((mean, kinds.amax(dim=(2, 3)), target, position), dim=1)
        rest = self.rest(torch.relu(self.hidden(pooled)))
        discards, closed, added, *danger = self.by_kind(kinds).flatten(2)[:, :, :_KINDS].unbind(dim=1)
        simple = self.actions - len(_KIND_ACTIONS) * _KINDS
        auxiliary = rest[:, simple:-1], *danger
        return torch.cat((discards, rest[:, :simple], closed, added, *auxiliary, rest[:, -1:]), dim=1)

    def _first(self, rows: Tensor, position: Tensor) -> Tensor:
        """The first layer (n, channels, 4, 9), normalised."""
        norm = self.stem_norm
        if not torch.compiler.is_exporting():
            stem = self.stem(rows)
            # Of the same type as the convolution's, so that what follows stays in half precision where that does.
            normalised: Tensor = norm(stem + self.kind.to(stem.dtype) + position)
            return normalised
        # What plays has its normalisation in the weights, so that no pass over all numbers is left of it.
        assert norm.running_var is not None
        assert norm.running_mean is not None
        scale = (norm.weight / torch.sqrt(norm.running_var + norm.eps))[:, None, None]
        added = (self.kind - norm.running_mean[:, None, None]) * scale + norm.bias[:, None, None]
        stem = nn.functional.conv2d(rows, self.stem.weight * scale[..., None], padding=self.stem.padding)
        return stem + (position * scale + added)

    def _position(self, x: Tensor) -> Tensor:
        """The columns that are the same for all kinds (n, columns); a zero where the encoder has none."""
        columns = x[:, self.of_kinds :, 0]
        return columns if columns.shape[1] else x.new_zeros((len(x), 1))


#: By game: how many kinds there are, and the first action of each row of actions that name a kind.
_DENSE_KINDS: Final = {"sichuan": (27, (0, 34))}


class DenseNetwork(ActionNetwork):
    """Dense layers over the numbers of an encoder: (n, numbers) in, logits and a value (n, actions + 1) out.

    To the logits of actions that name a kind is added what the position makes of that kind's own numbers
    (`Encoder.kind_features`): the last layer answers how much each of them counts. So what holds of every kind is
    learned once. Raises `NetworkError` for an encoder without such numbers, or of a game that it does not know.
    """

    def __init__(self, config: DenseConfig) -> None:
        observation = encoder(config.encoder)
        if not observation.kind_features or observation.game not in _DENSE_KINDS:
            raise NetworkError(f"encoder {observation.name!r} writes no numbers of each kind, as this network takes")
        super().__init__()
        self.config = config
        self.actions = GAMES[observation.game].actions
        self.features = observation.kind_features
        self.kinds, self.rows = _DENSE_KINDS[observation.game]
        self.first = nn.Linear(len(observation.columns), config.hidden)
        self.second = nn.Linear(config.hidden, config.units)
        self.answers = nn.Linear(config.units, self.actions + 1 + len(self.rows) * self.features)

    def forward(self, x: Tensor) -> Tensor:
        """Return logits of the actions, and behind them the value (n, actions + 1)."""
        answers = self.answers(torch.relu(self.second(torch.relu(self.first(x)))))
        plain, counts = answers[:, : self.actions + 1], answers[:, self.actions + 1 :]
        of_kinds = x[:, : self.kinds * self.features].reshape(-1, self.kinds, self.features)
        added = torch.bmm(of_kinds, counts.reshape(-1, len(self.rows), self.features).transpose(1, 2)).unbind(dim=2)
        parts: list[Tensor] = []
        width = 0
        for first, row in zip(self.rows, added, strict=True):
            parts += [plain[:, width:first], plain[:, first : first + self.kinds] + row]
            width = first + self.kinds
        return torch.cat((*parts, plain[:, width:]), dim=1)


def columns_of(observation: Encoder) -> int:
    """Return how many columns over the kinds an encoder writes. Raises `NetworkError` for one that writes none."""
    if observation.layout is not Layout.MASKS:
        raise NetworkError(f"encoder {observation.name!r} writes no columns over the kinds, as this network takes")
    return len(observation.columns)


# ---------------------------------------------------------------------------------------------------------
# Kinds of networks


@dataclass(frozen=True, slots=True)
class NetworkKind:
    """A kind of network: its name in checkpoints, its configuration's class, and what makes it of one."""

    name: str
    config: type[Any]
    build: Callable[[Any], nn.Module]
    finish: Callable[[nn.Module, dict[str, Any]], nn.Module] = lambda network, metadata: network
    """``(network, metadata)``: what is done with a network whose weights have been loaded."""
    upgrade: Callable[[dict[str, Any]], dict[str, Any]] | None = None
    """``(metadata)``: the same as the present version writes it, from that of format 3; None: there was none."""
    answers: str | None = None
    """What its outputs are, for whoever plays it as an ONNX file; None: it makes no player by itself."""


#: Every kind of network by its name. Those of papers are added where they are defined.
NETWORKS: Final[dict[str, NetworkKind]] = {
    "policy": NetworkKind("policy", PolicyConfig, PolicyNetwork, answers=ACTIONS_ANSWERS),
    "suits": NetworkKind("suits", SuitConfig, SuitNetwork, answers=ACTIONS_ANSWERS),
    "dense": NetworkKind("dense", DenseConfig, DenseNetwork, answers=ACTIONS_ANSWERS),
}


def register(kind: NetworkKind) -> NetworkKind:
    """Make a kind of network known; returns it. Raises `NetworkError` where another one has its name."""
    if NETWORKS.setdefault(kind.name, kind) is not kind:
        raise NetworkError(f"there is a network {kind.name!r} already")
    return kind


def kind_of(config: Any) -> NetworkKind:
    """Return the kind of network that a configuration (or a network with its ``config``) belongs to.

    >>> kind_of(PolicyConfig()).name
    'policy'
    """
    shape = config.config if isinstance(config, nn.Module) else config
    for kind in NETWORKS.values():
        if type(shape) is kind.config:
            return kind
    raise NetworkError(f"{type(shape).__name__} is no configuration of a network: there are {', '.join(NETWORKS)}")


def make_network(config: Any) -> nn.Module:
    """Return a network of that shape with fresh weights, laid out in the order that convolutions like best."""
    network = kind_of(config).build(config)
    return network.to(memory_format=torch.channels_last)  # type: ignore[call-overload, no-any-return]


def encoder_of(network: nn.Module) -> Encoder:
    """Return the encoder that a network is shown."""
    config: Any = network.config
    return encoder(config.encoder)
