"""The base of agents with one network for each decision; their answers become actions of Riichi here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final, Protocol, Self, cast

import numpy as np
from numpy.typing import NDArray

from janshi.agents.policy import best_first, softmax
from janshi.agents.protocol import check_agent
from janshi.learn.inference import TorchNetwork, many_answers
from janshi.learn.players import check_decisions
from janshi.riichi.actions import Action
from janshi.riichi.analysis.discards import discard_actions
from janshi.table import DecisionBatch
from janshi.tiles import ORPHANS

#: Kinds of terminals and honours that go on for thirteen orphans.
_ORPHANS_LEAST: Final = 11
#: Ways to answer another's tile: pass, pon, chii with the tile low, in the middle, high.
WAYS: Final = 5


class DecisionNetworks(Protocol):
    """Evaluates decisions by name."""

    def logits(self, decision: str, batch: DecisionBatch) -> NDArray[np.float32]:
        """Return logits over a decision's classes (n, k), for one situation at least."""
        ...


class TorchNetworks:
    """Networks run by torch; each has a method ``play_logits(packed, outputs)``, which returns its classes."""

    def __init__(self, networks: Mapping[str, TorchNetwork]) -> None:
        self.networks = networks

    def logits(self, decision: str, batch: DecisionBatch) -> NDArray[np.float32]:
        """See `DecisionNetworks`."""
        torch_network = self.networks[decision]
        network: Any = torch_network.network
        packed = torch_network.encoder.encode(batch)
        outputs = many_answers(network, packed, torch_network.device)
        return cast("NDArray[np.float32]", network.play_logits(packed, outputs))


class NetworksAgent:
    """An agent of four players by one network a decision; a paper's own subclass decides in `decide`.

    ``discards`` counts the discards that the network decided, ``illegal`` the impossible first choices among them.
    """

    players: frozenset[int] = frozenset({4})
    classes: ClassVar[Mapping[str, int]]
    """Number of classes by decision."""

    def __init__(self, networks: DecisionNetworks, name: str = "networks") -> None:
        self.name = name
        self.networks = networks
        self.discards = 0
        self.illegal = 0

    @classmethod
    def of(cls, networks: Mapping[str, TorchNetwork], name: str) -> Self:
        """Return the player of networks by decision. Raises `AgentError` if there is not one for every decision."""
        check_decisions(networks, cls.classes)
        return cls(TorchNetworks(networks), name)

    def act(self, batch: DecisionBatch) -> NDArray[np.int16]:
        """Return one action for each decision: see `janshi.agents.protocol.Agent`."""
        check_agent(self, batch.rules)
        return self.decide(batch, every=False)[0]

    def preferences(self, batch: DecisionBatch) -> NDArray[np.float32]:
        """Return the share of each action (n, 122): see `janshi.agents.protocol.Reviewer`."""
        check_agent(self, batch.rules)
        actions, shares = self.decide(batch, every=True)
        return best_first(shares, actions)

    def decide(self, batch: DecisionBatch, *, every: bool) -> tuple[NDArray[np.int16], NDArray[np.float32]]:
        """Return actions (n) and shares of all actions (n, 122); the shares are exact only with ``every``."""
        raise NotImplementedError

    def ask(self, decision: str, batch: DecisionBatch, where: NDArray[np.bool_]) -> NDArray[np.float32]:
        """Return the logits of a decision (n, k; float32) for the rows of a mask (n), zeros elsewhere."""
        logits = np.zeros((len(batch), self.classes[decision]), np.float32)
        rows = np.flatnonzero(where)
        if len(rows):
            logits[rows] = self.networks.logits(decision, batch.part(rows))
        return logits

    def best_discards(
        self, batch: DecisionBatch, logits: NDArray[np.float32], where: NDArray[np.bool_]
    ) -> tuple[NDArray[np.int16], NDArray[np.float32]]:
        """Return the actions of the best possible discards (n), and logits of all actions (n, 122; −∞ for none).

        First choices that are not possible are counted ``where`` a discard is made.
        """
        table = discard_actions(np.asarray(batch.views), batch.legal)
        masked = np.where(table >= 0, logits, -np.inf)
        kinds = masked.argmax(axis=1)
        self.discards += int(np.count_nonzero(where))
        self.illegal += int(np.count_nonzero(where & (logits.argmax(axis=1) != kinds)))
        scores = np.full(batch.legal.shape, -np.inf, np.float32)
        row, kind = np.nonzero(table >= 0)
        scores[row, table[row, kind]] = masked[row, kind]
        return table[np.arange(len(kinds)), kinds], scores


# ---------------------------------------------------------------------------------------------------------
# Rules and calls


def can_discard(legal: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the rows (n) of legal actions (n, 122) with a discard."""
    return anywhere(legal[:, : Action.TSUMOGIRI + 1])


def anywhere(possible: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the rows (n) of a mask (n, k) with any True."""
    return cast("NDArray[np.bool_]", possible.any(axis=1))


def take_wins(actions: NDArray[np.int16], views: NDArray[np.void], legal: NDArray[np.bool_]) -> None:
    """Put into actions (n) every win, and kyuushu kyuuhai with fewer than eleven kinds."""
    few = (views["hand"]["counts"][:, ORPHANS] > 0).sum(axis=1) < _ORPHANS_LEAST
    actions[legal[:, Action.KYUUSHU_KYUUHAI] & few] = Action.KYUUSHU_KYUUHAI
    for win in (Action.TSUMO, Action.RON):
        actions[legal[:, win]] = win


def call_ways(legal: NDArray[np.bool_]) -> NDArray[np.int16]:
    """Return the actions of each way to answer another's tile (n, `WAYS`), −1 where it is not possible.

    Of several actions the one that lays down the most red fives.
    """
    ways = np.full((len(legal), WAYS), -1, np.int16)
    ways[:, 0] = Action.PASS
    # What lays down more red fives comes later, and stays.
    for action in range(Action.PON, Action.DAIMINKAN):
        ways[legal[:, action], 1] = action
    for position in range(3):
        for first in (Action.CHII, Action.CHII_RED):
            ways[legal[:, first + position], 2 + position] = first + position
    return ways


def best_way(pon: NDArray[Any], chii: NDArray[Any], ways: NDArray[np.int16]) -> NDArray[np.int64]:
    """Return the way that the networks choose (n): the likelier of two calls; an impossible chii is a no.

    ``pon`` (n, 2) and ``chii`` (n, 4): probabilities, a no first.
    """
    every = np.arange(len(ways))
    answer = chii.argmax(axis=1)
    says_pon = (pon[:, 1] > pon[:, 0]) & (ways[:, 1] >= 0)
    says_chii = (answer > 0) & (ways[every, 1 + answer] >= 0)
    prefers_pon = says_pon & (~says_chii | (pon[:, 1] >= chii[every, answer]))
    chosen: NDArray[np.int64] = np.where(prefers_pon, 1, np.where(says_chii, 1 + answer, 0))
    return chosen


def exchanged(weights: NDArray[Any], chosen: NDArray[Any]) -> NDArray[Any]:
    """Return weights (n, k) in which the largest and the chosen one (n) have changed places."""
    every, largest = np.arange(len(weights)), weights.argmax(axis=1)
    result = weights.copy()
    result[every, chosen], result[every, largest] = weights[every, largest], weights[every, chosen]
    return result


def shares_of(scores: NDArray[np.float32], ruled: NDArray[np.int16]) -> NDArray[np.float32]:
    """Return shares of actions (n, 122): 1 for the action of a rule (n; −1: none), else a softmax of scores."""
    shares = np.zeros(scores.shape, np.float32)
    shares[ruled >= 0, ruled[ruled >= 0]] = 1
    rows = np.flatnonzero(ruled < 0)
    shares[rows] = softmax(scores[rows].astype(np.float64))
    return shares
