"""The training task of the outcome model (`janshi.learn.trainer`), learned from the results of hands and games.

Of each decision only the action taken is learned: its result, points and final place, one sample of such
an action's consequences.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from janshi.learn.configs import option
from janshi.learn.metrics import Measured, measured_choice, measured_yes_no
from janshi.learn.tasks import Examples, StepLoss, Task, answered, masked_logits
from janshi.riichi.actions import ACTIONS, Action
from janshi.riichi.dataset.augmentation import turned_actions, turned_legal
from janshi.riichi.dataset.hands import Decisions, HandSet, legal_mask
from janshi.riichi.dataset.measuring import calibrated
from janshi.riichi.encoders.symmetry import turned
from janshi.riichi.endings import SeatEnding
from janshi.riichi.networks import OutcomeConfig
from janshi.riichi.outcomes import PARTS, UNIT, Predictions, outcomes_of
from janshi.riichi.state import Phase
from janshi.tiles import kinds_of

#: Odd multiplier that spreads the numbers of decisions over 32 bits.
_SPREAD: Final = 2654435761
#: Number of the deal-in by the action among the `PARTS`.
_DEALS_IN: Final = PARTS["actions"] + PARTS["results"]
#: Weight of each possible discard's deal-in.
_DISCARDS_WEIGHT: Final = 0.5


@dataclass(frozen=True, slots=True)
class OutcomeTask(Task):
    """Result of the hand, its points and the final place by action, and the policy of the games learned from.

    Dealing in is learned from every discard that was possible, as the other hands are known. All decisions against a
    riichi are learned from, of the others a share.
    """

    network: Any = field(default_factory=OutcomeConfig)
    decisions: float = option(
        0.25, "Share of each hand's decisions that are learned from: they all have the same results.", min=0.01, max=1
    )
    points_weight: float = option(0.25, "Weight of the squared errors of points, in mangans.", min=0)
    place_weight: float = option(0.5, "Weight of the cross-entropy of the final place.", min=0)
    kind: ClassVar[str] = "outcomes"

    def prepared(self, hands: HandSet) -> HandSet:
        """See `Task`: the hands with the places in which their games ended."""
        return hands.with_places()

    def examples(self, batch: Decisions) -> Examples:
        """See `Task`: decisions against a riichi, and a share of the others."""
        numbers = (batch.hand.astype(np.int64) * 1021 + batch.number) * _SPREAD & 0xFFFFFFFF
        chosen = (numbers < self.decisions * 2**32) | against_riichi(batch)
        return _examples(batch.part(np.flatnonzero(batch.observed & chosen)))

    def turned(self, examples: Examples, turns: NDArray[np.uint8]) -> Examples:
        """See `Task`."""
        targets = examples.targets | {
            "action": turned_actions(examples.targets["action"], turns),
            "legal": turned_legal(examples.targets["legal"], turns),
            "discards": turned_legal(examples.targets["discards"], turns),
            "dangerous": turned_legal(examples.targets["dangerous"], turns),
        }
        return Examples(turned(examples.packed, turns), targets)

    def loss(self, network: nn.Module, outputs: Tensor, targets: dict[str, Tensor]) -> StepLoss:
        """See `Task`: cross-entropies of results, deal-in, place and policy, squared errors of points."""
        action = targets["action"].long()
        legal = torch.from_numpy(legal_mask(targets["legal"].cpu().numpy())).to(outputs.device)
        policy = nn.functional.cross_entropy(masked_logits(outputs[:, :ACTIONS], legal), action)
        blocks = outputs.reshape(len(outputs), -1, ACTIONS)
        taken = blocks.gather(2, action[:, None, None].expand(-1, sum(PARTS.values()), 1))
        results, gives, win, price, change, places = torch.split(
            taken[:, 1:, 0], list(PARTS.values())[1:], dim=1
        )
        result = targets["result"].long()
        loss = nn.functional.cross_entropy(results, result) + policy
        loss = loss + (_taken_loss(gives[:, 0], targets) + _discards_loss(blocks[:, _DEALS_IN], targets)) / len(action)
        value, points = targets["value"].float() / UNIT, targets["change"].float() / UNIT
        won = (result <= SeatEnding.RON).float()
        dealt_in = (result == SeatEnding.DEAL_IN).float()
        squared = won * (win[:, 0] - value) ** 2 + dealt_in * (price[:, 0] - value) ** 2 + (change[:, 0] - points) ** 2
        loss = loss + self.points_weight * squared.mean()
        place = nn.functional.cross_entropy(places, targets["place"].long(), ignore_index=-1, reduction="sum")
        loss = loss + self.place_weight * place / len(action)
        return StepLoss(loss, int((results.argmax(dim=1) == result).sum()), len(action))

    def measure(
        self, network: nn.Module, hands: HandSet, device: torch.device, most: int | None = None
    ) -> dict[str, Measured]:
        """See `Task`: results of the hand, win, deal-in, deal-in by this action, final place; all calibrated."""
        parts: list[tuple[Predictions, dict[str, NDArray[Any]]]] = []
        count = 0
        for examples, outputs in answered(network, hands.with_places(), device, _seen, most):
            legal = legal_mask(examples.targets["legal"])
            parts.append((outcomes_of(outputs, legal, hands.players), examples.targets))
            count += len(examples)
            if most is not None and count >= most:
                break
        return measured_outcomes(parts) if parts else {}


def against_riichi(batch: Decisions) -> NDArray[np.bool_]:
    """Return whether each decision follows the riichi of another seat in its hand (n)."""
    never = np.iinfo(np.int16).max
    against = np.zeros(len(batch), np.bool_)
    declared = batch.action == Action.RIICHI
    for seat in range(4):
        first = np.full(int(batch.hand.max(initial=0)) + 1, never)
        rows = np.flatnonzero(declared & (batch.seat == seat))
        np.minimum.at(first, batch.hand[rows], batch.number[rows])
        against |= (batch.seat != seat) & (batch.number > first[batch.hand])
    return against


def _taken_loss(logits: Tensor, targets: dict[str, Tensor]) -> Tensor:
    """Return the summed loss of dealing in by actions taken (logits, n) that give a tile without discarding it."""
    gives = targets["gives"] & (targets["action"] > Action.TSUMOGIRI)
    lost = nn.functional.binary_cross_entropy_with_logits
    return lost(logits, targets["deals in"].float(), gives.float(), reduction="sum")


def _discards_loss(logits: Tensor, targets: dict[str, Tensor]) -> Tensor:
    """Return the summed loss of dealing in by every discard that was possible (logits of all actions)."""
    numbers = torch.arange(Action.TSUMOGIRI + 1, device=logits.device)
    possible, dangerous = (targets[name][:, :1] >> numbers & 1 for name in ("discards", "dangerous"))
    lost = nn.functional.binary_cross_entropy_with_logits
    summed = lost(logits[:, : len(numbers)], dangerous.float(), possible.float(), reduction="sum")
    return _DISCARDS_WEIGHT * summed


def _seen(batch: Decisions) -> Examples:
    return _examples(batch.part(np.flatnonzero(batch.observed)))


def _examples(seen: Decisions) -> Examples:
    assert seen.packed is not None, "decisions of a training are encoded"
    gives = (seen.action <= Action.TSUMOGIRI) | (seen.action == Action.KITA) | (seen.action >= Action.KAKAN)
    own_turn = seen.phase != Phase.CLAIM
    discards = np.where(own_turn[:, None] & (np.arange(3) == 0), seen.legal & (1 << Action.TSUMOGIRI + 1) - 1, 0)
    targets = {"action": seen.action, "legal": seen.legal, "result": seen.result, "value": seen.value}
    targets |= {"deals in": seen.deals_in, "gives": gives, "change": seen.change, "place": seen.place}
    targets |= {"discards": discards, "dangerous": _dangerous_discards(seen)}
    return Examples(seen.packed, {name: np.ascontiguousarray(target) for name, target in targets.items()})


def _dangerous_discards(seen: Decisions) -> NDArray[np.int64]:
    """Return the discards by which another seat could win, as words of actions (n, 3): see `legal_mask`."""
    tiles = np.arange(Action.TSUMOGIRI)
    word = ((seen.dangerous[:, None] >> kinds_of(tiles) & 1) << tiles).sum(axis=1)
    drawn = kinds_of(np.maximum(seen.drawn, 0))
    word |= np.where(seen.drawn >= 0, seen.dangerous >> drawn & 1, 0) << int(Action.TSUMOGIRI)
    words: NDArray[np.int64] = np.stack([word, np.zeros_like(word), np.zeros_like(word)], axis=1)
    return words


def of_taken(outcomes: Predictions, action: NDArray[Any]) -> dict[str, NDArray[np.float32]]:
    """Return the outcomes of the actions that were taken (n), by part: ``results`` (n, 8), ``places``, ``win``, …."""
    rows = np.arange(len(action))
    taken = {"results": outcomes.results[rows, :, action], "places": outcomes.places[rows, :, action]}
    taken |= {"deals in": outcomes.deals_in[rows, action], "change": outcomes.change[rows, action]}
    return taken | {"win": outcomes.win[rows, action], "price": outcomes.price[rows, action]}


def measured_outcomes(parts: list[tuple[Predictions, dict[str, NDArray[Any]]]]) -> dict[str, Measured]:
    """Return the agreement of outcomes with the consequences of the actions taken, by question."""
    taken = [of_taken(outcomes, targets["action"].astype(np.int64)) for outcomes, targets in parts]
    said = {name: np.concatenate([each[name] for each in taken]) for name in taken[0]}
    targets = {name: np.concatenate([each[name] for _, each in parts]) for name in parts[0][1]}
    result = targets["result"].astype(np.int64)
    questions = {
        "win": (said["results"][:, : SeatEnding.DEAL_IN].sum(axis=1), result < SeatEnding.DEAL_IN, slice(None)),
        "deal-in": (said["results"][:, SeatEnding.DEAL_IN], result == SeatEnding.DEAL_IN, slice(None)),
        "draw": (said["results"][:, SeatEnding.TENPAI :].sum(axis=1), result >= SeatEnding.TENPAI, slice(None)),
        "deal-in now": (said["deals in"], targets["deals in"], targets["gives"]),
    }
    measured = {"result": _choice(said["results"], result)}
    known = targets["place"] >= 0
    if known.any():
        measured["place"] = _choice(said["places"][known], targets["place"][known].astype(np.int64))
    for name, (share, came, rows) in questions.items():
        measured[name] = _yes_no(share[rows].astype(np.float64), came[rows].astype(bool))
    return measured


def _yes_no(share: NDArray[np.float64], came: NDArray[np.bool_]) -> Measured:
    """Return the agreement of probabilities (n) with events that came true or not (n), with their calibration."""
    clipped = np.clip(share, 1e-7, 1 - 1e-7)
    both = np.stack([np.log1p(-clipped), np.log(clipped)], axis=1).astype(np.float32)
    return calibrated(measured_yes_no(both, came.astype(np.int64)), share, came)


def _choice(shares: NDArray[np.float32], labels: NDArray[np.int64]) -> Measured:
    """Return the agreement of answers' probabilities (n, k) with labels (n), with the first answer's calibration."""
    measured = measured_choice(np.log(np.maximum(shares, 1e-9)), labels, np.ones(shares.shape, np.bool_))
    plain = replace(measured, illegal=None, unmasked=None)
    return calibrated(plain, shares.max(axis=1), shares.argmax(axis=1) == labels)
