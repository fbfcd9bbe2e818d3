"""The network of Sichuan mahjong: dense layers over the numbers of an encoder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from janshi.agents.outputs import Outputs
from janshi.encoders import encoder
from janshi.installing import naming_extra
from janshi.learn.configs import option
from janshi.learn.networks import ActionNetwork, NetworkError, NetworkKind
from janshi.sichuan.actions import ACTIONS

with naming_extra(__name__):
    import torch
    from torch import Tensor, nn


@dataclass(frozen=True, slots=True)
class DenseConfig:
    """Shape of a `DenseNetwork`."""

    encoder: str = option("sichuan", "Name of the encoder.")
    hidden: int = option(256, "Units of the first layer.", min=1)
    units: int = option(128, "Units of the second.", min=1)


_KINDS: Final = 27
#: First action of each row of actions that name a kind.
_ROWS: Final = (0, 34)


class DenseNetwork(ActionNetwork):
    """Dense layers over the numbers of an encoder: (n, numbers) in, logits and a value (n, actions + 1) out.

    The logit of an action that names a kind also gets a weighted sum of that kind's own numbers
    (`Encoder.kind_features`), with weights from the last layer, so that the kinds share what they learn. Raises
    `NetworkError` for an encoder without such numbers, or of another game.
    """

    def __init__(self, config: DenseConfig) -> None:
        observation = encoder(config.encoder)
        if not observation.kind_features or observation.game != "sichuan":
            raise NetworkError(f"encoder {observation.name!r} has no numbers of each kind, which this network needs")
        super().__init__()
        self.config = config
        self.outputs = Outputs({"actions": ACTIONS, "value": 1})
        self.features = observation.kind_features
        self.first = nn.Linear(len(observation.columns), config.hidden)
        self.second = nn.Linear(config.hidden, config.units)
        self.answers = nn.Linear(config.units, ACTIONS + 1 + len(_ROWS) * self.features)

    def forward(self, x: Tensor) -> Tensor:
        """Return logits of the actions, followed by the value (n, actions + 1)."""
        answers = self.answers(torch.relu(self.second(torch.relu(self.first(x)))))
        plain, counts = answers[:, : ACTIONS + 1], answers[:, ACTIONS + 1 :]
        of_kinds = x[:, : _KINDS * self.features].reshape(-1, _KINDS, self.features)
        added = torch.bmm(of_kinds, counts.reshape(-1, len(_ROWS), self.features).transpose(1, 2)).unbind(dim=2)
        parts: list[Tensor] = []
        width = 0
        for first, row in zip(_ROWS, added, strict=True):
            parts += [plain[:, width:first], plain[:, first : first + _KINDS] + row]
            width = first + _KINDS
        return torch.cat((*parts, plain[:, width:]), dim=1)


#: The kind of network: see `janshi.learn.networks.NETWORKS`.
DENSE_NETWORK: Final = NetworkKind("dense", DenseConfig, DenseNetwork)
