"""Imitation of a player by the paper's network, before it learns by Q-learning: the paper names it as future work.

The values of the legal actions are taken as logits, with the cross-entropy of the player's own games as the loss.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import Agent
from janshi.installing import naming_extra
from janshi.papers.sichuan.encoder import LEGAL, SICHUAN_DQN, PaperAction
from janshi.rollout.driver import Driver, Observer, Seating
from janshi.sichuan.actions import Action
from janshi.sichuan.rules import Rules
from janshi.table import DecisionBatch, Tables

with naming_extra(__name__):
    import torch
    from torch import nn

#: Games of a round, which are played before they are learned from; decisions of a step; step size at the beginning.
_GAMES: Final = 1000
_BATCH: Final = 1024
_RATE: Final = 1e-3
#: The games of imitation begin at this seed, times the training's own and one.
_SEEDS: Final = 42


def paper_actions(actions: NDArray[np.int16]) -> NDArray[np.int64]:
    """Return the paper's actions (n) for the game's (n).

    >>> paper_actions(np.array([5, Action.WIN, Action.PASS, Action.OWN_KONG + 3], np.int16)).tolist()
    [5, 33, 34, 32]
    """
    choices = actions.astype(np.int64)
    choices[actions == Action.WIN] = PaperAction.WIN
    choices[actions == Action.PASS] = PaperAction.PASS
    choices[actions >= Action.OWN_KONG] = PaperAction.OWN_KONG
    return choices


class _Decisions(Observer):
    """Keeps the states of decisions and the paper's actions taken."""

    def __init__(self) -> None:
        self.states: list[NDArray[np.uint8]] = []
        self.actions: list[NDArray[np.int64]] = []

    def decided(self, batch: DecisionBatch, actions: NDArray[np.int16]) -> None:
        """Keep decisions between several actions."""
        states = SICHUAN_DQN.encode(batch)
        rows = np.flatnonzero((states[:, LEGAL:] > 0).sum(axis=1) > 1)
        self.states.append(states[rows])
        self.actions.append(paper_actions(actions)[rows])


def imitate(network: nn.Module, player: Agent, rules: Rules, games: int, seed: int) -> None:
    """Train a network to act as a player does in all seats of the player's own games.

    The same seed gives the same weights.
    """
    optimizer = torch.optim.Adam(network.parameters(), lr=_RATE, fused=True)
    for first in range(0, games, _GAMES):
        for group in optimizer.param_groups:
            group["lr"] = _RATE * (1 - 0.9 * first / games)
        count = min(_GAMES, games - first)
        tables = Tables(rules, count, np.int64(seed + 1 << _SEEDS) + first + np.arange(count), auto_reset=False)
        kept = _Decisions()
        Driver(tables, Seating.same([player] * rules.players, count), [kept]).run()
        states, actions = np.concatenate(kept.states), np.concatenate(kept.actions)
        order = np.random.default_rng([seed, 8, first]).permutation(len(actions))
        for start in range(0, len(order), _BATCH):
            rows = order[start : start + _BATCH]
            inputs = torch.from_numpy(states[rows]).float()
            logits = network(inputs).masked_fill(inputs[:, LEGAL:] == 0, -torch.inf)
            loss = nn.functional.cross_entropy(logits, torch.from_numpy(actions[rows]))
            optimizer.zero_grad(set_to_none=True)
            torch.autograd.backward(loss)
            optimizer.step()
