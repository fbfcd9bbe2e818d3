"""The agent of the `long` paper: three networks and a few rules.

It wins whenever it can, declares riichi whenever it can, and never makes a kan. Pon and chii are what their networks
answer first: a kind of chii that is not possible is a pass, and where both say yes the likelier one is done. Discards
are the first choice of their network, after riichi and calls as well; one that is not possible is counted, and the best
possible one goes. Source: sections 3 and 4.2; what the paper leaves open is settled so: of several ways to call the one
that lays down a red five, and kyuushu kyuuhai is declared with fewer than eleven kinds.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final, Protocol, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from janshi.agents.policy import best_first, softmax
from janshi.agents.protocol import Agent, AgentError, check_agent
from janshi.analysis.discards import discard_actions
from janshi.encoders import encoder
from janshi.files import save_text
from janshi.learn.checkpoints import CheckpointError, load_network
from janshi.learn.inference import best_device, many_answers
from janshi.papers.long.networks import DECISIONS, LongNetwork, class_logits
from janshi.riichi.actions import Action
from janshi.table import DecisionBatch
from janshi.tiles import ORPHANS

#: File of a folder that makes one player of three networks: decision -> folder of its checkpoint.
PLAYER_FILE: Final = "long.json"

_ORPHANS_LEAST: Final = 11
#: No probability is taken to be smaller: a pass is always possible.
_LEAST: Final = 1e-12


class LongNetworks(Protocol):
    """What answers the three decisions."""

    def logits(self, decision: str, batch: DecisionBatch) -> NDArray[np.float32]:
        """Return logits over a decision's classes (n, 34; of pon n, 2; of chii n, 4), for one position at least."""
        ...


class TorchNetworks:
    """Three networks answered by torch."""

    def __init__(self, networks: dict[str, nn.Module]) -> None:
        self.device = best_device()
        self.networks = {name: network.to(self.device).eval() for name, network in networks.items()}

    def logits(self, decision: str, batch: DecisionBatch) -> NDArray[np.float32]:
        """See `LongNetworks`."""
        network = self.networks[decision]
        packed = encoder(cast("Any", network).config.encoder).encode(batch)
        outputs = torch.from_numpy(many_answers(network, packed, self.device))
        answers: NDArray[np.float32] = class_logits(decision, outputs).numpy()
        return answers


class LongAgent:
    """See the module.

    ``discards`` counts the discards that the network was asked for, ``illegal`` those of its first choices that were
    not possible.
    """

    players: frozenset[int] = frozenset({4})

    def __init__(self, networks: LongNetworks, name: str) -> None:
        self.name = name
        self.networks = networks
        self.discards = 0
        self.illegal = 0

    def act(self, batch: DecisionBatch) -> NDArray[np.int16]:
        """Return one action for each decision: see `janshi.agents.protocol.Agent`."""
        return self._decide(batch)[0]

    def preferences(self, batch: DecisionBatch) -> NDArray[np.float32]:
        """Return the share of each action (n, 122): see `janshi.agents.protocol.Reviewer`.

        What is done by a rule has the whole share. Discards share by the network's probabilities; pon, chii and a pass
        by the products of what both networks say of them.
        """
        actions, shares = self._decide(batch)
        return best_first(shares, actions)

    def _decide(self, batch: DecisionBatch) -> tuple[NDArray[np.int16], NDArray[np.float32]]:
        """What is done (n), and the shares of all actions (n, 122)."""
        check_agent(self, batch.rules)
        actions = ruled(np.asarray(batch.views), batch.legal)
        shares = np.zeros(batch.legal.shape, np.float32)
        shares[actions >= 0, actions[actions >= 0]] = 1
        discards = batch.legal[:, : Action.TSUMOGIRI + 1].any(axis=1)
        for which, decide in ((discards, self._discard), (~discards, self._claim)):
            rows = np.flatnonzero((actions < 0) & which)
            if len(rows):
                actions[rows], shares[rows] = decide(batch.part(rows))
        return actions, shares

    def _discard(self, batch: DecisionBatch) -> tuple[NDArray[np.int16], NDArray[np.float32]]:
        logits = self.networks.logits("discard", batch)
        table = discard_actions(np.asarray(batch.views), batch.legal)
        masked = np.where(table >= 0, logits, -np.inf)
        kinds = masked.argmax(axis=1)
        self.discards += len(kinds)
        self.illegal += int((logits.argmax(axis=1) != kinds).sum())
        shares = np.zeros(batch.legal.shape, np.float32)
        row, kind = np.nonzero(table >= 0)
        shares[row, table[row, kind]] = softmax(masked.astype(np.float64))[row, kind]
        return table[np.arange(len(kinds)), kinds], shares

    def _claim(self, batch: DecisionBatch) -> tuple[NDArray[np.int16], NDArray[np.float32]]:
        count = len(batch)
        pon, chii = np.zeros((count, 2)), np.zeros((count, 4))
        pon[:, 0] = chii[:, 0] = 1
        for decision, probabilities, first, last in (
            ("pon", pon, Action.PON, Action.DAIMINKAN),
            ("chii", chii, Action.CHII, Action.PON),
        ):
            rows = np.flatnonzero(batch.legal[:, first:last].any(axis=1))
            if len(rows):
                probabilities[rows] = softmax(self.networks.logits(decision, batch.part(rows)).astype(np.float64))
        return claims(pon, chii, batch.legal)


def ruled(views: NDArray[np.void], legal: NDArray[np.bool_]) -> NDArray[np.int16]:
    """Return what is done without asking a network (n): wins, kyuushu kyuuhai, riichi; else −1."""
    actions = np.full(len(legal), -1, np.int16)
    actions[legal[:, Action.RIICHI]] = Action.RIICHI
    few = (views["hand"]["counts"][:, ORPHANS] > 0).sum(axis=1) < _ORPHANS_LEAST
    actions[legal[:, Action.KYUUSHU_KYUUHAI] & few] = Action.KYUUSHU_KYUUHAI
    for win in (Action.TSUMO, Action.RON):
        actions[legal[:, win]] = win
    return actions


def claims(
    pon: NDArray[np.float64], chii: NDArray[np.float64], legal: NDArray[np.bool_]
) -> tuple[NDArray[np.int16], NDArray[np.float32]]:
    """Return what is done with another's tile (n) and shares of all actions (n, 122), by the networks' probabilities.

    ``pon`` (n, 2) and ``chii`` (n, 4), whose first column is a no; 1 where it is not possible.
    """
    every = np.arange(len(legal))
    ways = np.full((len(legal), 5), -1, np.int16)
    ways[:, 0] = Action.PASS
    # What lays down more red fives comes later, and stays.
    for action in range(Action.PON, Action.DAIMINKAN):
        ways[legal[:, action], 1] = action
    for position in range(3):
        for first in (Action.CHII, Action.CHII_RED):
            ways[legal[:, first + position], 2 + position] = first + position
    weights = np.column_stack((pon[:, 0] * chii[:, 0], pon[:, 1] * chii[:, 0], pon[:, :1] * chii[:, 1:]))
    weights[ways < 0] = 0
    weights[:, 0] = np.maximum(weights[:, 0], _LEAST)
    answer = chii.argmax(axis=1)
    says_pon = (pon[:, 1] > pon[:, 0]) & (ways[:, 1] >= 0)
    says_chii = (answer > 0) & (ways[every, 1 + answer] >= 0)
    prefers_pon = says_pon & (~says_chii | (pon[:, 1] >= chii[every, answer]))
    chosen = np.where(prefers_pon, 1, np.where(says_chii, 1 + answer, 0))
    # Where the likeliest answer is not what is done (its kind of chii is not possible), both change places.
    largest = weights.argmax(axis=1)
    weights[every, chosen], weights[every, largest] = weights[every, largest], weights[every, chosen]
    shares = np.zeros(legal.shape, np.float32)
    weights /= weights.sum(axis=1, keepdims=True)
    row, way = np.nonzero(ways >= 0)
    shares[row, ways[row, way]] = weights[row, way]
    return ways[every, chosen], shares


def save_player(folders: dict[str, str], folder: Path) -> None:
    """Write the file that makes one player of three networks: ``folders`` of their checkpoints below ``folder``."""
    save_text(json.dumps(folders), folder / PLAYER_FILE)


def load_player(folder: Path) -> Agent:
    """Return the player of a folder with a `PLAYER_FILE`. Raises `AgentError` where it holds none."""
    try:
        folders = json.loads((folder / PLAYER_FILE).read_text(encoding="utf-8"))
        networks = {decision: load_network(folder / folders[decision])[0] for decision in DECISIONS}
    except (OSError, ValueError, KeyError, TypeError) as error:
        if isinstance(error, CheckpointError):
            raise AgentError(str(error)) from None
        raise AgentError(f"{folder / PLAYER_FILE} does not name three networks ({', '.join(DECISIONS)})") from None
    for decision, network in networks.items():
        if not isinstance(network, LongNetwork) or network.config.decision != decision:
            raise AgentError(f"{folder / folders[decision]} holds no network for {decision}, as {PLAYER_FILE} says")
    return LongAgent(TorchNetworks(networks), folder.name)
