"""A custom agent: wins whenever possible, else discards the tile just drawn and calls nothing.

    janshi --plugin examples/plugins/tsumogiri.py arena tsumogiri random random
"""

import numpy as np

from janshi.agents import register
from janshi.riichi.actions import Action


class Tsumogiri:
    """See the module."""

    name = "tsumogiri"
    players = frozenset({3, 4})

    def act(self, batch):
        """Return one action for each decision."""
        actions = batch.legal.argmax(axis=1).astype(np.int16)
        for action in (Action.TSUMOGIRI, Action.PASS, Action.TSUMO, Action.RON):
            actions[batch.legal[:, action]] = action
        return actions


register("tsumogiri", Tsumogiri)
