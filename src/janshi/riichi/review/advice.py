"""Advice about a decision: an agent's preferences, with shanten, ukeire and safety.

Advice is derived from a `janshi.riichi.state.View`, which holds only information of its seat.

* Shanten, ukeire and visible tiles left after each discard; at tenpai also waits and furiten. For calls, kans and kitas
  the same, after the best discard if one follows.
* Safety of each discard against every seat in riichi: tiles that cannot deal in (its river, and tiles passed since),
  suji, no chance and one chance, honours without a possible pair; and the share of such tiles that were waited for in
  records (`janshi.riichi.analysis.danger`).

>>> from janshi.riichi.agents import EfficientAgent
>>> from janshi.table import Table
>>> advice = advise(Table("tenhou-sanma", seed=7).decision(), EfficientAgent())
>>> advice.shanten, advice.candidates[0].tile, advice.candidates[0].left, advice.best == advice.preferences[0].action
(3, 'C', 21, True)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import Agent, preferences_of
from janshi.compiling import batched, rule, zeros
from janshi.core.shanten import AS_IT_IS, Ukeire, ukeire_as_it_is, ukeire_of_discards
from janshi.core.shanten_tables import ShantenTables
from janshi.review.model import Advice, After, Candidate, Safety
from janshi.review.reviewing import accepted_of, preferred, reviewer_of
from janshi.riichi.actions import Action
from janshi.riichi.analysis.danger import HONOURS, NO_RIICHI, dangers, risk_of, row_of, safety_of
from janshi.riichi.analysis.discards import discards_by_kind
from janshi.riichi.analysis.visible import count_visible
from janshi.riichi.hands import ukeire_arrays
from janshi.riichi.play.legal import forbidden_after_chii
from janshi.riichi.state import Phase, View
from janshi.table import DecisionBatch
from janshi.tiles import KINDS, NORTH, kind_of, to_mjai

#: Furiten to the end of the hand, after missing a tile in riichi (`janshi.riichi.state.Hand.missed`).
_PERMANENTLY: Final = 2


@rule
def ukeire_of_view(view: View, tables: ShantenTables, out: Ukeire) -> None:
    """Write the ukeire of a view's hand: after each discard on its turn, without a discard in `Phase.CLAIM`."""
    count_visible(view, out)
    sets = 4 - int(view.seats[int(view.seat)].calls)
    sanma = int(view.rules.players) == 3
    if int(view.phase) == Phase.CLAIM:
        ukeire_as_it_is(tables, view.hand.concealed, sets, sanma, out)
    else:
        ukeire_of_discards(tables, view.hand.concealed, sets, sanma, out)


write_ukeire = batched(ukeire_of_view, brief=True)


#: Compiled functions of advice, for `janshi.compiling.prepare`.
ENTRIES: Final = (write_ukeire,)


def advise(batch: DecisionBatch, agent: Agent) -> Advice:
    """Return an agent's advice on one decision, the first of a batch. See `advise_all`."""
    return advise_all(batch.part([0]), agent)[0]


def advise_all(batch: DecisionBatch, agent: Agent) -> list[Advice]:
    """Return an agent's advice on each decision of a batch, with at least two legal actions each.

    Raises `AgentError` for an agent that cannot review.
    """
    reviewer = reviewer_of(agent)
    if len(batch) == 0:
        return []
    shares = preferences_of(reviewer, batch)
    declared = batch.game.by_rule(batch.rules, batch.views)
    if declared is not None:
        rows = np.flatnonzero(declared >= 0)
        shares[rows] = 0
        shares[rows, declared[rows]] = 1
    ukeire = zeros(Ukeire, len(batch))
    write_ukeire(batch.views, ukeire)
    classes = dangers(batch.views, ukeire)
    views, accepted = np.asarray(batch.views), cast("NDArray[Any]", ukeire)
    decisions = (_Decision(views[row], batch.legal[row], accepted[row], classes[row]) for row in range(len(batch)))
    return [_advice(agent.name, decision, shares[row]) for row, decision in enumerate(decisions)]


@dataclass(frozen=True, slots=True)
class _Decision:
    """Data of one decision."""

    view: Any  # `janshi.riichi.state.View`
    legal: NDArray[np.bool_]
    ukeire: Any  # `janshi.core.shanten.Ukeire`
    classes: NDArray[np.int8]  # danger of each kind against each seat (4, 34)

    @property
    def players(self) -> int:
        return int(self.view["rules"]["players"])

    @property
    def seat(self) -> Any:
        """Public record of the seat to decide."""
        return self.view["seats"][int(self.view["seat"])]

    def discards(self) -> dict[int, list[int]]:
        """Return the actions that discard each kind."""
        return discards_by_kind(self.legal, int(self.view["drawn"]))


def _advice(by: str, decision: _Decision, shares: NDArray[np.float32]) -> Advice:
    return Advice(
        by=by,
        best=int(shares.argmax()),
        preferences=preferred(shares),
        shanten=int(decision.ukeire["shanten"][AS_IT_IS]),
        candidates=_candidates(decision),
        after=_after_calls(decision),
        risk=_risk(decision),
    )


# ---------------------------------------------------------------------------------------------------------
# Discards


def _candidates(decision: _Decision) -> list[Candidate]:
    ukeire, classes = decision.ukeire, decision.classes
    river = int(decision.seat["river_mask"])
    missed = int(decision.view["hand"]["missed"]) == _PERMANENTLY
    threats = np.flatnonzero(classes[:, 0] != NO_RIICHI).tolist()
    candidates = []
    for kind, actions in decision.discards().items():
        shanten, mask = int(ukeire["shanten"][kind]), int(ukeire["accepted"][kind])
        accepts = accepted_of(mask, ukeire["visible"])
        candidate = Candidate(
            tile=to_mjai(kind),
            actions=actions,
            shanten=shanten,
            accepts=accepts,
            left=sum(accepted.left for accepted in accepts),
            furiten=shanten == 0 and (missed or mask & (river | 1 << kind) != 0),
            safety={str(seat): _safety(decision, seat, kind) for seat in threats},
        )
        candidates.append(candidate)
    return sorted(candidates, key=lambda candidate: (candidate.shanten, -candidate.left))


def _safety(decision: _Decision, seat: int, kind: int) -> Safety:
    """Return the safety of a discard against a seat, see `janshi.review.model.Candidate.safety`."""
    number = int(decision.classes[seat, kind])
    safety = safety_of(number)
    if safety != "open" or number >= HONOURS:
        return safety
    chances: tuple[Safety, ...] = ("no_chance", "one_chance", "open")
    return chances[min(_two_sided_waits(decision, seat, kind), 2)]


def _two_sided_waits(decision: _Decision, seat: int, kind: int) -> int:
    """Return the number of two-sided waits of a seat on a kind, of one side, that the hidden tiles allow at most.

    Each needs both kinds next to it on that side; a side whose other end the seat cannot win on (suji) does not count.
    """
    public = decision.view["seats"][seat]
    cannot = int(public["river_mask"]) | int(public["passed"])
    left = 4 - decision.ukeire["visible"].astype(np.int64)
    rank, most = kind % 9, 0
    for side in (-1, 1):
        if 0 <= rank + 3 * side < 9 and not cannot >> kind + 3 * side & 1:
            most = max(most, min(left[kind + side], left[kind + 2 * side]))
    return int(most)


def _risk(decision: _Decision) -> dict[int, float] | None:
    """Return the risk of each discard by its action; None if nobody is in riichi or nothing is discarded."""
    discards = decision.discards()
    if not discards or (decision.classes == NO_RIICHI).all():
        return None
    row = row_of(decision.view)
    return {
        action: round(risk_of(decision.classes[:, kind], decision.players, row), 4)
        for kind, actions in discards.items()
        for action in actions
    }


# ---------------------------------------------------------------------------------------------------------
# Calls, kans, kitas


def _after_calls(decision: _Decision) -> list[After]:
    """Return the hand after each call, kan or kita."""
    return [
        _after_call(decision, action, laid)
        for action in np.flatnonzero(decision.legal).tolist()
        if (laid := _laid_kinds(decision.view, action))
    ]


def _after_call(decision: _Decision, action: int, laid: list[int]) -> After:
    """Return the hand after an action that lays down tiles of the given kinds."""
    view, visible = decision.view, decision.ukeire["visible"]
    counts = view["hand"]["counts"].copy()
    np.subtract.at(counts, laid, 1)
    added = 0 if action == Action.KITA or action >= Action.KAKAN else 1
    calls = int(decision.seat["calls"]) + added
    seen = visible.astype(np.int64) - counts
    table = ukeire_arrays(counts[None], seen[None], calls=calls, players=decision.players)
    slot = AS_IT_IS
    if int(counts.sum()) % 3 == 2:
        barred = _barred(view, action)
        slots = [kind for kind in range(KINDS) if counts[kind] and not barred >> kind & 1]
        slot = min(slots, key=lambda kind: (int(table.shanten[0, kind]), -int(table.left[0, kind])))
    accepts = accepted_of(int(table.accepted[0, slot]), visible)
    return After(
        action=action,
        discard=None if slot == AS_IT_IS else to_mjai(slot),
        shanten=int(table.shanten[0, slot]),
        accepts=accepts,
        left=sum(accepted.left for accepted in accepts),
    )


def _laid_kinds(view: Any, action: int) -> list[int]:
    """Return the kinds that leave the hand with a call, kan or kita; none for other actions."""
    called = kind_of(int(view["tile"]))
    if Action.CHII <= action < Action.PON:
        low = called - (action - Action.CHII) % 3
        return [kind for kind in range(low, low + 3) if kind != called]
    if Action.PON <= action <= Action.DAIMINKAN:
        return [called] * (3 if action == Action.DAIMINKAN else 2)
    if action == Action.KITA:
        return [NORTH]
    if Action.ANKAN <= action < Action.KAKAN:
        return [action - Action.ANKAN] * 4
    return [action - Action.KAKAN] if action >= Action.KAKAN else []


def _barred(view: Any, action: int) -> int:
    """Return the kinds that may not be discarded after a call (kuikae), as a mask."""
    kuikae, called = int(view["rules"]["kuikae"]), kind_of(int(view["tile"]))
    if action >= Action.PON:
        return 1 << called if kuikae else 0
    return forbidden_after_chii(kuikae, called, (action - Action.CHII) % 3)
