"""The player of the `gao` thesis: its networks decide discards, pon, chii and riichi, rules all else.

A win is always taken. No open and no added kan; a closed kan where its tile can be part of no run with the hand.
Riichi, pon and chii are what their networks answer; of a pon and a chii the more probable one. A discard is the most
probable one that is possible; first choices that were not are counted. Source: thesis, chapter 7. What it leaves open
is settled so: after riichi is declared the best discard that keeps tenpai goes; a kind of chii that is not possible is
a pass; kyuushu kyuuhai are aborted unless there are eleven kinds or more, which go on for thirteen orphans; calls lay
down the red five where they can; of a five the plain one is discarded before the red one.
"""

from __future__ import annotations

from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from janshi.agents.policy import best_first, softmax
from janshi.agents.protocol import check_agent
from janshi.analysis.discards import discard_actions
from janshi.papers.gao.decisions import OUTPUTS, Decision
from janshi.riichi.actions import Action
from janshi.table import DecisionBatch
from janshi.tiles import ORPHANS

_ORPHANS_LEAST: Final = 11
_FOUR: Final = frozenset({4})
#: Forms of a call that lay down as many red fives as they can come first.
_PON_FORMS: Final = (Action.PON + 2, Action.PON + 1, Action.PON)


#: Actions of the decisions of yes and no, each with the answer that it does; red fives are laid down first.
_WAYS: Final[dict[Decision, list[tuple[int, int]]]] = {
    Decision.RIICHI: [(Action.RIICHI, 1)],
    Decision.PON: [(form, 1) for form in _PON_FORMS],
    Decision.CHII: [
        (first + position, 1 + position) for position in range(3) for first in (Action.CHII_RED, Action.CHII)
    ],
}


class GaoNetworks(Protocol):
    """The four networks of a player."""

    def logits(self, decision: Decision, batch: DecisionBatch) -> NDArray[np.float32]:
        """Return what the network of a decision answers (n, outputs) to situations, one at least."""
        ...


class _Answers:
    """What the networks answer to some situations: each is asked once about each of them."""

    def __init__(self, networks: GaoNetworks, batch: DecisionBatch) -> None:
        self._networks = networks
        self._batch = batch
        count = len(batch)
        self._asked = {decision: np.zeros(count, np.bool_) for decision in Decision}
        self._logits = {decision: np.zeros((count, OUTPUTS[decision]), np.float32) for decision in Decision}

    def of(self, decision: Decision, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the logits of a decision in some rows (n, outputs)."""
        new = rows[~self._asked[decision][rows]]
        if len(new):
            self._logits[decision][new] = self._networks.logits(decision, self._batch.part(new))
            self._asked[decision][new] = True
        return self._logits[decision][rows]


def is_isolated(counts: NDArray[Any], kind: int) -> bool:
    """Return whether a hand (34 counts) holds no tile that could stand in a run with one of a kind.

    >>> counts = np.zeros(34, int)
    >>> counts[[2, 30, 31]] = 1
    >>> is_isolated(counts, 4), is_isolated(counts, 5), is_isolated(counts, 32)
    (False, True, True)
    """
    if kind >= 27:
        return True
    first = 9 * (kind // 9)
    near = range(max(first, kind - 2), min(first + 8, kind + 2) + 1)
    return not any(counts[other] > 0 for other in near if other != kind)


def closed_kans(views: NDArray[np.void], legal: NDArray[np.bool_]) -> NDArray[np.int16]:
    """Return the closed kan to make (n), −1 for none: one whose tile stands alone (section 7.3.3)."""
    actions = np.full(len(legal), -1, np.int16)
    rows, kinds = np.nonzero(legal[:, Action.ANKAN : Action.KAKAN])
    for row, kind in zip(rows.tolist(), kinds.tolist(), strict=True):
        if actions[row] < 0 and is_isolated(views["hand"]["counts"][row], kind):
            actions[row] = Action.ANKAN + kind
    return actions


def by_rules(views: NDArray[np.void], legal: NDArray[np.bool_]) -> NDArray[np.int16]:
    """Return what is done without asking a network (n), −1 where one is asked: wins, kyuushu kyuuhai, closed kans."""
    actions = closed_kans(views, legal)
    few = (views["hand"]["counts"][:, ORPHANS] > 0).sum(axis=1) < _ORPHANS_LEAST
    actions[legal[:, Action.KYUUSHU_KYUUHAI] & few] = Action.KYUUSHU_KYUUHAI
    for winning in (Action.TSUMO, Action.RON):
        actions[legal[:, winning]] = winning
    return actions


class GaoAgent:
    """See the module.

    ``discards`` counts the discards that the network was asked for, ``illegal`` those of its first choices that were
    not possible.
    """

    def __init__(self, networks: GaoNetworks, name: str = "gao") -> None:
        self.name = name
        self.players = _FOUR
        self.networks = networks
        self.discards = 0
        self.illegal = 0

    def act(self, batch: DecisionBatch) -> NDArray[np.int16]:
        """Return one action for each decision: see `janshi.agents.protocol.Agent`."""
        check_agent(self, batch.rules)
        return self._act(batch, _Answers(self.networks, batch))

    def _act(self, batch: DecisionBatch, answers: _Answers) -> NDArray[np.int16]:
        actions = by_rules(np.asarray(batch.views), batch.legal)
        self._riichi(batch, answers, actions)
        self._discard(batch, answers, actions)
        self._claim(batch, answers, actions)
        return np.where(actions < 0, np.int16(Action.PASS), actions)

    def preferences(self, batch: DecisionBatch) -> NDArray[np.float32]:
        """Return the share of each action (n, 122): see `janshi.agents.protocol.Reviewer`.

        What is done by a rule has the whole share. Otherwise shares are one softmax: two discards stand to each other
        as the network's probabilities, riichi to the best discard, pon and each chii to a pass as their yes to no.
        """
        check_agent(self, batch.rules)
        ruled = by_rules(np.asarray(batch.views), batch.legal)
        shares = np.zeros(batch.legal.shape, np.float32)
        shares[ruled >= 0, ruled[ruled >= 0]] = 1
        rows = np.flatnonzero(ruled < 0)
        if len(rows):
            part = batch.part(rows)
            answers = _Answers(self.networks, part)
            weights, actions = softmax(self._scores(part, answers)), self._act(part, answers)
            # Of a pon and a chii the more probable is done, not the one that is surer of itself: they change places.
            every, largest = np.arange(len(rows)), weights.argmax(axis=1)
            weights[every, actions], weights[every, largest] = weights[every, largest], weights[every, actions]
            shares[rows] = best_first(weights, actions)
        return shares

    def _scores(self, batch: DecisionBatch, answers: _Answers) -> NDArray[np.float32]:
        """A score of each action (n, 122), −∞ where it is out of the question; the best discard and a pass have 0."""
        legal = batch.legal
        scores = np.full(legal.shape, -np.inf, np.float32)
        discards = legal[:, : Action.TSUMOGIRI + 1].any(axis=1)
        scores[~discards, Action.PASS] = 0
        rows = np.flatnonzero(discards)
        if len(rows):
            part = batch.part(rows)
            possible = discard_actions(np.asarray(part.views), part.legal)
            logits = np.where(possible >= 0, answers.of(Decision.DISCARD, rows), -np.inf)
            row, kind = np.nonzero(possible >= 0)
            scores[rows[row], possible[row, kind]] = (logits - logits.max(axis=1, keepdims=True))[row, kind]
        for decision, ways in _WAYS.items():
            rows = np.flatnonzero(legal[:, [action for action, _ in ways]].any(axis=1))
            if not len(rows):
                continue
            logits = answers.of(decision, rows)
            for action, answer in ways:  # of two ways to do the same the first that is possible
                other = [way for way, same in ways if same == answer and way != action]
                free = legal[rows, action] & ~np.isfinite(scores[rows][:, other]).any(axis=1)
                scores[rows[free], action] = (logits[:, answer] - logits[:, 0])[free]
        return scores

    def _riichi(self, batch: DecisionBatch, answers: _Answers, actions: NDArray[np.int16]) -> None:
        rows = np.flatnonzero((actions < 0) & batch.legal[:, Action.RIICHI])
        if len(rows):
            yes = answers.of(Decision.RIICHI, rows).argmax(axis=1) == 1
            actions[rows[yes]] = Action.RIICHI

    def _discard(self, batch: DecisionBatch, answers: _Answers, actions: NDArray[np.int16]) -> None:
        rows = np.flatnonzero((actions < 0) & batch.legal[:, : Action.TSUMOGIRI + 1].any(axis=1))
        if not len(rows):
            return
        part = batch.part(rows)
        logits = answers.of(Decision.DISCARD, rows)
        possible = discard_actions(np.asarray(part.views), part.legal)
        kinds = np.where(possible >= 0, logits, -np.inf).argmax(axis=1)
        actions[rows] = possible[np.arange(len(rows)), kinds]
        self.discards += len(rows)
        self.illegal += int((logits.argmax(axis=1) != kinds).sum())

    def _claim(self, batch: DecisionBatch, answers: _Answers, actions: NDArray[np.int16]) -> None:
        """Pon and chii: the more probable one where both networks say yes."""
        best = np.zeros(len(actions), np.float32)
        rows = np.flatnonzero((actions < 0) & batch.legal[:, Action.PON : Action.DAIMINKAN].any(axis=1))
        if len(rows):
            shares = softmax(answers.of(Decision.PON, rows))
            taken = rows[shares.argmax(axis=1) == 1]
            best[rows] = shares[:, 1]
            for form in _PON_FORMS:
                actions[taken[(actions[taken] < 0) & batch.legal[taken, form]]] = form
        open_chii = batch.legal[:, Action.CHII : Action.PON].any(axis=1)
        rows = np.flatnonzero(((actions < 0) | (actions >= Action.PON) & (actions < Action.DAIMINKAN)) & open_chii)
        if len(rows):
            shares = softmax(answers.of(Decision.CHII, rows))
            forms = shares.argmax(axis=1)
            surer = (forms > 0) & ((actions[rows] < 0) | (shares.max(axis=1) > best[rows]))
            for row, answer in zip(rows[surer].tolist(), forms[surer].tolist(), strict=True):
                for form in (Action.CHII_RED + answer - 1, Action.CHII + answer - 1):
                    if batch.legal[row, form]:
                        actions[row] = form
                        break
