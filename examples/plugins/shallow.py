"""A custom kind of network: two dense layers over the output of its encoder.

    janshi --plugin examples/plugins/dora.py --plugin examples/plugins/shallow.py \\
        train RECORDS --network shallow --encoder dora --out shallow
"""

import math
from dataclasses import dataclass

from torch import nn

from janshi.agents.outputs import Outputs
from janshi.encoders import encoder
from janshi.games import GAMES
from janshi.learn.configs import option
from janshi.learn.networks import ActionNetwork, NetworkKind, register


@dataclass(frozen=True, slots=True)
class ShallowConfig:
    """Shape of a `ShallowNetwork`."""

    encoder: str = option("dora", "Name of the encoder.")
    hidden: int = option(64, "Units of the layer between.", min=1)


class ShallowNetwork(ActionNetwork):
    """A network from observations to the logits of all actions and a value."""

    def __init__(self, config):
        super().__init__()
        self.config = config
        shown = encoder(config.encoder)
        self.outputs = Outputs({"actions": GAMES[shown.game].actions, "value": 1})
        self.layers = nn.Sequential(
            nn.Flatten(),
            nn.Linear(math.prod(shown.shape), config.hidden),
            nn.ReLU(),
            nn.Linear(config.hidden, self.outputs.width),
        )

    def forward(self, x):
        """Return the logits followed by the value (n, actions + 1)."""
        return self.layers(x)


SHALLOW = register(NetworkKind("shallow", ShallowConfig, ShallowNetwork))
