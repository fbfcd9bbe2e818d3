"""Networks that answer the papers' five decisions: the papers' own, and ours, which answers all five at once.

A paper's network takes observations of the encoder ``meowjong`` (n, 366, 34) and answers one decision. Ours takes those
of ``janshi`` (of sanma also ``janshi-plans``) and answers all five, as people do them and as those do who win.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, cast

import torch
from torch import Tensor, nn

from janshi.encoders import by_columns, encoder
from janshi.encoders.meowjong import COLUMNS, MEOWJONG
from janshi.encoders.plans import BEHIND, BEST, CALLS, DECLARES, PLANS, PON_BETTER, RIICHI_BETTER
from janshi.learn.configs import option
from janshi.learn.layers import KERAS_EPSILON, KERAS_MOMENTUM, ByteDropout, begin_as_keras
from janshi.learn.networks import KindTrunk, NetworkError, NetworkKind, columns_of, make_network, register
from janshi.papers.meowjong.configs import MeowjongConfig, ResidualConfig
from janshi.papers.meowjong.decisions import DECISIONS, Decision

#: Outputs of our network: what people do (a logit for each kind to discard, one for yes of each of pon, kan, kita and
#: riichi), what those do who go on to win the hand (the same again), and the value of the position.
OUTPUTS: Final = 77
PEOPLE: Final = 0
WINNERS: Final = 38
VALUE: Final = 76

#: How far a trained player goes from what people do towards what winners do, decision by decision: see `sharpened`.
#: Chosen by matches against random players.
SHARPEN: Final = {"discard": 2.0, "pon": 1.0, "kan": 3.0, "kita": 3.0, "riichi": 10.0}

#: Points of a hundred for one logit of `advice`, and how far beyond its bounds a difference is taken to reach.
_POINTS: Final = 2.0
_BEYOND: Final = 4.0

#: The papers' kernels (rows, columns) for each decision. Source: conference paper, table V.
KERNELS: Final = {"discard": (4, 5), "pon": (5, 4), "kan": (2, 3), "kita": (3, 2), "riichi": (3, 4)}


# ---------------------------------------------------------------------------------------------------------
# Ours


class ResidualNetwork(KindTrunk):
    """Our network of the five decisions: observations (n, columns, 34) in, `OUTPUTS` numbers (n, 77) out.

    One trunk serves all decisions; the ones that say yes or no look at its mean and its largest values over the kinds,
    and at the target tile.
    """

    def __init__(self, config: ResidualConfig) -> None:
        super().__init__(columns_of(encoder(config.encoder)), config.channels, config.blocks)
        self.config = config
        self.discard = nn.Conv2d(config.channels, 2, 1)
        self.hidden = nn.Linear(3 * config.channels, config.hidden)
        self.rest = nn.Linear(config.hidden, 9)

    def forward(self, x: Tensor) -> Tensor:
        """Return logits and value (n, 77) for observations (n, columns, 34)."""
        kinds, position = self.trunk(x)
        rest = self.rest(torch.relu(self.hidden(position)))
        people, winners = self.discard(kinds).squeeze(2).unbind(dim=1)
        return torch.cat((people, rest[:, :4], winners, rest[:, 4:]), dim=1)


@dataclass(frozen=True, slots=True)
class MixedConfig:
    """Two networks of one shape and their shares: see `MixedNetwork`."""

    network: ResidualConfig = field(default_factory=ResidualConfig)
    prior_weight: float = option(0.4, "Share that the network of the beginning has in the answers.", min=0, max=1)
    plan_weight: float = option(0.0, "Share that what plans say has in discards, pons and riichi.", min=0, max=1)

    @property
    def encoder(self) -> str:
        """Name of the encoder."""
        return self.network.encoder


class MixedNetwork(nn.Module):
    """Two of our networks of one shape: what was ``learned`` by playing, and the ``prior`` of before.

    Answers are their mean, the prior's with ``prior_weight``: what both hold to be good is, more often than what either
    does alone. Of discards, pons and riichi the share ``plan_weight`` is what plans say (`advice`), for which they must
    be shown it (encoder ``janshi-plans``).
    """

    def __init__(self, config: MixedConfig) -> None:
        super().__init__()
        if config.plan_weight and config.encoder != PLANS.name:
            raise NetworkError(f"a network over {config.encoder!r} is not shown what plans say ({PLANS.name!r} is)")
        self.config = config
        self.learned = ResidualNetwork(config.network)
        self.kept = ResidualNetwork(config.network)  # the prior, under its name in checkpoints

    @property
    def prior(self) -> ResidualNetwork:
        """The network of before."""
        return self.kept

    def forward(self, x: Tensor) -> Tensor:
        """Return logits and value (n, 77) for observations (n, columns, 34)."""
        share, plans = self.config.prior_weight, self.config.plan_weight
        mean = (1 - share) * cast("Tensor", self.learned(x)) + share * cast("Tensor", self.prior(x))
        if not plans:
            return mean
        discards, pon, riichi = advice(x)
        people, winners, value = mean[:, :WINNERS], mean[:, WINNERS:VALUE], mean[:, VALUE:]
        kan_kita = winners[:, 33 + Decision.KAN : 34 + Decision.KITA]  # of which plans say nothing
        planned = torch.cat((discards, pon, kan_kita, riichi), dim=1)
        return torch.cat((people, torch.lerp(winners, planned, plans), value), dim=1)


def advice(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return what plans say, as logits: discards (n, 34), yes of a pon (n, 1) and of riichi (n, 1).

    ``x``: observations of ``janshi-plans`` (n, 427, 34). Two points of a hundred in the chance to win are one logit, as
    where what is learned from playouts has its temperature of 0.02; between two bounds of the columns their middle
    counts.
    """
    behind = torch.diff(torch.tensor([0.0, *BEHIND])) / _POINTS
    # The best one has half of the first point: there must be a difference to those that are nearly as good.
    steps = torch.cat((behind[:1] / 2, behind[:1] / 2, behind[1:])).to(x)
    discards = (x[:, BEST : BEST + len(steps)] * steps[:, None]).sum(dim=1)
    answers = []
    for first, bounds in ((CALLS, PON_BETTER), (DECLARES, RIICHI_BETTER)):
        ends = (bounds[0] - _BEYOND, *bounds, bounds[-1] + _BEYOND)
        middles = [(low + high) / 2 / _POINTS for low, high in itertools.pairwise(ends)]
        columns = x[:, first : first + len(bounds), :1].squeeze(2)
        answers.append(middles[0] + (columns * torch.diff(torch.tensor(middles)).to(x)).sum(dim=1, keepdim=True))
    return discards, answers[0], answers[1]


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


def mixed(learned: nn.Module, prior: nn.Module, prior_weight: float, plan_weight: float = 0.0) -> MixedNetwork:
    """Return a `MixedNetwork` of two of ours; ``learned`` goes on learning in it.

    Raises `NetworkError` for a paper's network, for two shapes, or where plans are wanted by networks that are not
    shown them.
    """
    if not isinstance(learned, ResidualNetwork) or not isinstance(prior, ResidualNetwork):
        raise NetworkError("only networks of our own are mixed, not the papers'")
    if learned.config != prior.config:
        raise NetworkError("networks of different shapes are not mixed")
    network = MixedNetwork(MixedConfig(learned.config, prior_weight, plan_weight))
    network.learned, network.kept = learned, prior
    return network


def widened(network: ResidualNetwork, name: str) -> ResidualNetwork:
    """Return a network of ours over an encoder that extends its own, answering as before until it learns the rest.

    Raises `NetworkError` where the encoder does not begin with the columns of the network's.
    """
    before = network.config.encoder
    if not _extends(name, before):
        raise NetworkError(f"encoder {name!r} does not begin with the columns of {before!r}")
    wide = ResidualNetwork(dataclasses.replace(network.config, encoder=name))
    weights = network.state_dict()
    stem = torch.zeros_like(wide.stem.weight)
    stem[:, : network.stem.weight.shape[1]] = network.stem.weight
    wide.load_state_dict({**weights, "stem.weight": stem.detach()})
    return wide.to(memory_format=torch.channels_last)  # type: ignore[call-overload, no-any-return]


def _extends(name: str, first: str) -> bool:
    above: str | None = name
    while above is not None and above != first:
        above = encoder(above).extends
    return above == first


# ---------------------------------------------------------------------------------------------------------
# The papers'


class MeowjongNetwork(nn.Module):
    """The papers' network for one decision: observations (n, 366, 34) in, logits (n, 34) or (n, 2) out.

    Four convolutions without padding and a dense layer, each followed by ReLU, batch normalisation and dropout.
    The papers use TensorFlow and name neither first weights nor constants of normalisation: here they are Keras's.
    Source: conference paper, section V; dissertation, section 3.3.1.

    >>> sum(tensor.numel() for tensor in MeowjongNetwork(MeowjongConfig("kan")).parameters())
    88045858
    """

    def __init__(self, config: MeowjongConfig) -> None:
        super().__init__()
        self.config = config
        rows, columns = config.kernel or KERNELS[config.decision]
        layers: list[nn.Module] = []
        before = 1
        for filters in config.filters:
            layers += [nn.Conv2d(before, filters, (rows, columns)), nn.ReLU()]
            layers += [nn.BatchNorm2d(filters, KERAS_EPSILON, KERAS_MOMENTUM), ByteDropout(config.dropout)]
            before = filters
        wide = before * (34 - 4 * (rows - 1)) * (COLUMNS - 4 * (columns - 1))
        layers += [nn.Flatten(), nn.Linear(wide, config.dense), nn.ReLU()]
        layers += [nn.BatchNorm1d(config.dense, KERAS_EPSILON, KERAS_MOMENTUM), ByteDropout(config.dropout)]
        self.layers = nn.Sequential(*layers, nn.Linear(config.dense, outputs_of(config.decision)))
        begin_as_keras(self)

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
    """Return the logits of one decision (n, 34) or (n, 2: no, yes) from what either kind of network answers.

    ``whose``: `PEOPLE` or `WINNERS`, of our network.
    """
    if isinstance(network, MeowjongNetwork):
        return outputs
    if decision == "discard":
        return outputs[:, whose : whose + 34]
    yes = outputs[:, whose + 33 + DECISIONS.index(decision)]
    return torch.stack((torch.zeros_like(yes), yes), dim=1)


# ---------------------------------------------------------------------------------------------------------
# In checkpoints


def _sharpen(network: nn.Module, metadata: dict[str, Any]) -> nn.Module:
    return sharpened(network, metadata.get("sharpen", {}))


def _upgrade_residual(metadata: dict[str, Any]) -> dict[str, Any]:
    """Metadata of a network of ours from those of format 3, which count columns and name no encoder."""
    old = dict(metadata)
    shape = {**old.pop("shape")}
    old.pop("columns", None)
    shape.pop("kinds", None)
    shape["encoder"] = by_columns(shape.pop("columns")).name
    prior_weight, plan_weight = float(old.pop("kept", 0)), float(old.pop("advised", 0))
    if prior_weight or plan_weight:
        mixture = {"network": shape, "prior_weight": prior_weight, "plan_weight": plan_weight}
        return {**old, "network": "mixed", "shape": mixture, "encoder": shape["encoder"]}
    return {**old, "shape": shape, "encoder": shape["encoder"]}


def _upgrade_meowjong(metadata: dict[str, Any]) -> dict[str, Any]:
    new = {name: value for name, value in metadata.items() if name != "columns"}
    return {**new, "encoder": MEOWJONG.name}


#: What the outputs of networks of all five decisions are called in ONNX files.
_ANSWERS: Final = "meowjong"

register(NetworkKind("residual", ResidualConfig, ResidualNetwork, _sharpen, _upgrade_residual, _ANSWERS))
register(NetworkKind("mixed", MixedConfig, MixedNetwork, answers=_ANSWERS))
register(NetworkKind("meowjong", MeowjongConfig, MeowjongNetwork, upgrade=_upgrade_meowjong))

__all__ = [
    "KERNELS",
    "OUTPUTS",
    "PEOPLE",
    "SHARPEN",
    "VALUE",
    "WINNERS",
    "MeowjongConfig",
    "MeowjongNetwork",
    "MixedConfig",
    "MixedNetwork",
    "ResidualConfig",
    "ResidualNetwork",
    "advice",
    "logits_of",
    "make_network",
    "mixed",
    "outputs_of",
    "sharpened",
    "widened",
]
