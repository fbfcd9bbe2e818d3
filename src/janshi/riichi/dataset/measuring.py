"""Agreement of a policy over the whole action space with people, by decision.

The decisions are the papers': the kind discarded (before the own riichi, its discard included), and for pon, chii,
riichi, kans, kita and wins whether a possible action is taken. A policy's answer to the latter is the total probability
of all forms of the action.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.agents.policy import softmax
from janshi.learn.metrics import Measured, calibration_by_chance, calibration_error, measured_choice, measured_yes_no
from janshi.riichi.actions import ACTIONS, Action
from janshi.riichi.dataset.answers import chii_answers, discard_masks, discarded_kinds, pon_answers, riichi_answers
from janshi.riichi.dataset.hands import Decisions, legal_mask
from janshi.tiles import KINDS, kinds_of

#: Lower bound of shares.
_LEAST: Final = 1e-9


@dataclass(frozen=True, slots=True)
class YesNo:
    """A yes-or-no decision: its labels, and the actions that mean yes."""

    labels: Callable[[Decisions], NDArray[np.int8]]
    """Maps decisions to 1 if the action was taken, 0 if it was possible, else −1 (n)."""
    actions: tuple[int, ...]


def _done(first: int, last: int) -> YesNo:
    """Return the decision about the actions from ``first`` to before ``last``."""

    def labels(batch: Decisions) -> NDArray[np.int8]:
        possible = legal_mask(batch.legal)[:, first:last].any(axis=1)
        done = (batch.action >= first) & (batch.action < last)
        return np.where(possible, done, -1).astype(np.int8)

    return YesNo(labels, tuple(range(first, last)))


#: Yes-or-no decisions by name.
ANSWERS: Final = {
    "pon": YesNo(pon_answers, tuple(range(Action.PON, Action.DAIMINKAN))),
    "chii": YesNo(lambda batch: np.minimum(chii_answers(batch), 1), tuple(range(Action.CHII, Action.PON))),
    "riichi": YesNo(riichi_answers, (Action.RIICHI,)),
    "open kan": _done(Action.DAIMINKAN, Action.DAIMINKAN + 1),
    "own kan": _done(Action.ANKAN, ACTIONS),
    "kita": _done(Action.KITA, Action.KITA + 1),
    "win": _done(Action.TSUMO, Action.KYUUSHU_KYUUHAI),
}
#: Those that also count if somebody wins or aborts the hand.
WINS: Final = frozenset({"win"})


def policy_targets(batch: Decisions) -> dict[str, NDArray[Any]]:
    """Return the targets of `measured_policy` for observed decisions (`Decisions.observed`).

    A seat that wins or aborts the hand has made no other decision.
    """
    counted = ~np.isin(batch.action, (Action.TSUMO, Action.RON, Action.KYUUSHU_KYUUHAI))
    discards = np.where(counted & ~batch.riichi, discarded_kinds(batch), -1).astype(np.int8)
    targets: dict[str, NDArray[Any]] = {"legal": batch.legal, "drawn": batch.drawn, "discard": discards}
    for name, answer in ANSWERS.items():
        label = answer.labels(batch)
        targets[name] = label if name in WINS else np.where(counted, label, -1).astype(np.int8)
    return targets


def shares_of_kinds(shares: NDArray[np.float32], drawn: NDArray[np.int8]) -> NDArray[np.float32]:
    """Return the share of each kind among the discards (n, 34) from the shares of all actions (n, 122).

    ``drawn`` (n): the tile just drawn, −1 for none.
    """
    kinds = shares[:, :KINDS].astype(np.float32)
    for suit in range(3):
        kinds[:, 4 + 9 * suit] += shares[:, KINDS + suit]
    rows = np.flatnonzero(drawn >= 0)
    kinds[rows, kinds_of(drawn[rows].astype(np.int64))] += shares[rows, Action.TSUMOGIRI]
    normed: NDArray[np.float32] = kinds / np.maximum(kinds.sum(axis=1, keepdims=True), np.float32(_LEAST))
    return normed


def measured_policy(logits: NDArray[np.float32], targets: dict[str, NDArray[Any]]) -> dict[str, Measured]:
    """Return the agreement of logits of all actions (n, 122) with people, by decision.

    ``targets``: ``legal`` (n, 3; words), ``drawn`` (n), ``discard`` (n: the kind, −1 for other decisions) and the
    labels (n) of each of `ANSWERS`.
    """
    legal = legal_mask(targets["legal"])
    shares = softmax(np.where(legal, logits, -np.inf))
    measured: dict[str, Measured] = {}
    rows = np.flatnonzero(targets["discard"] >= 0)
    if len(rows):
        measured["discard"] = _measured_discards(shares[rows], {name: each[rows] for name, each in targets.items()})
    for name, answer in ANSWERS.items():
        rows = np.flatnonzero(targets[name] >= 0)
        if len(rows):
            share = shares[rows][:, list(answer.actions)].sum(axis=1).astype(np.float64)
            share = np.clip(share, _LEAST, 1 - _LEAST)
            labels = targets[name][rows].astype(np.int64)
            both = np.stack([np.log1p(-share), np.log(share)], axis=1).astype(np.float32)
            measured[name] = calibrated(measured_yes_no(both, labels), share, labels > 0)
    return measured


def _measured_discards(shares: NDArray[np.float32], targets: dict[str, NDArray[Any]]) -> Measured:
    kinds = shares_of_kinds(shares, targets["drawn"])
    labels = targets["discard"].astype(np.int64)
    possible = discard_masks(targets["legal"], targets["drawn"])[:, None] >> np.arange(KINDS) & 1 > 0
    logs = np.where(possible, np.log(np.maximum(kinds, _LEAST)), -np.inf).astype(np.float32)
    right = kinds.argmax(axis=1) == labels
    measured = replace(measured_choice(logs, labels, possible), illegal=None, unmasked=None)
    return calibrated(measured, kinds.max(axis=1), right)


def calibrated(measured: Measured, shares: NDArray[np.floating[Any]], right: NDArray[np.bool_]) -> Measured:
    """Return figures with the calibration of probabilities (n) of outcomes (n)."""
    error, by_chance = calibration_error(shares, right), calibration_by_chance(shares)
    return replace(measured, calibration=error, calibration_by_chance=by_chance)
