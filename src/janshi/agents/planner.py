"""The planner: does what makes a win of the hand most likely, by the plans there are for it (sanma alone).

* It discards, calls and declares riichi by the chances of `janshi.observe.plans`, the most promising discards looked at
  one round of the table further.
* Wins, Norths, kans and nine terminals are as the efficient agent has them, and so is its defence: against riichi a
  hand far from ready gives up.

The chances were measured against random players: against those who are not, it is in too great a hurry.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.agents.efficient import Thoughts, at_once, discard_action, safest, threatened
from janshi.agents.protocol import check_players
from janshi.compiling import Batch, Int16s, Record, entry, rule, zeros
from janshi.engine import actions
from janshi.engine.hand import kind_of_tile
from janshi.engine.state import CALLED_DISCARD, CLAIM, View
from janshi.engine.tables import Lookup, lookup
from janshi.observe.decisions import discard_kinds
from janshi.observe.plans import Plans, begin, chance_called, chance_declared, chance_waiting, weigh_discards

#: A chance smaller by so much is liked e times less: see `PlannerAgent.preferences`.
_TEMPERATURE: Final = 0.03


class Intent(Record):
    """Room to decide in, and what was thought of each action."""

    plans: Plans
    mind: Thoughts
    liked: Annotated[NDArray[np.float64], actions.ACTIONS]
    """The chance to win after each action, −1 where it was not thought of."""


@rule
def only(intent: Intent, action: int) -> int:
    """Think of one action alone."""
    intent.liked[action] = 1.0
    return action


@rule
def own_turn(view: View, intent: Intent, lookup: Lookup, looks: bool) -> int:
    """What to do with tiles to discard."""
    plans = intent.plans
    simple = int(view.legal[0])
    kinds = discard_kinds(simple, int(view.drawn))
    begin(view, plans)
    best = weigh_discards(plans, lookup, kinds, looks)
    if threatened(view) and not int(view.seats[int(view.seat)].riichi) and int(plans.nearest) >= 2:
        for kind in range(34):
            intent.mind.ukeire.visible[kind] = int(plans.ukeire.visible[kind])
        return only(intent, discard_action(view, safest(view, intent.mind, kinds)))
    for kind in range(34):
        if plans.chances[kind] >= 0.0:
            # Of those that are not looked at further none is liked as much as the best of those that are.
            intent.liked[discard_action(view, kind)] = min(plans.chances[kind], plans.chances[best])
    action = discard_action(view, best)
    if simple >> actions.RIICHI & 1:
        intent.liked[actions.RIICHI] = chance_declared(plans, lookup)
        if intent.liked[actions.RIICHI] >= plans.chances[best]:
            action = actions.RIICHI
    return action


@rule
def claim(view: View, intent: Intent, lookup: Lookup, looks: bool) -> int:
    """What to do about another's tile."""
    plans = intent.plans
    simple = int(view.legal[0])
    if simple >> actions.RON & 1:
        return only(intent, actions.RON)
    pon = actions.PON
    while pon < actions.DAIMINKAN and not simple >> pon & 1:
        pon += 1
    if pon == actions.DAIMINKAN:
        return only(intent, actions.PASS)
    begin(view, plans)
    passed = chance_waiting(plans, lookup, looks)
    if threatened(view) and int(plans.nearest) >= 2:
        return only(intent, actions.PASS)
    called = chance_called(plans, lookup, kind_of_tile(int(view.tile)), int(view.rules.kuikae) > 0, looks)
    intent.liked[actions.PASS] = passed
    intent.liked[pon] = called
    return pon if called > passed else actions.PASS


@rule
def planner_action(view: View, intent: Intent, lookup: Lookup, looks: bool) -> int:
    """What the planner does; ``looks``: it looks one round further."""
    for action in range(actions.ACTIONS):
        intent.liked[action] = -1.0
    phase = int(view.phase)
    if phase == CLAIM:
        return claim(view, intent, lookup, looks)
    if phase != CALLED_DISCARD:
        first = at_once(view, intent.mind, lookup)
        if first >= 0:
            return only(intent, first)
    return own_turn(view, intent, lookup, looks)


@entry
def planner_actions(
    views: Batch[View], lookups: Batch[Lookup], intents: Batch[Intent], looks: bool, chosen: Int16s
) -> None:
    """Write what the planner does in each view; one room to think in does for all, or each has its own."""
    for number in range(len(views)):
        chosen[number] = planner_action(views[number], intents[number % len(intents)], lookups[0], looks)


class PlannerAgent:
    """See the module; ``looks``: discards are looked at one round further."""

    players: frozenset[int] | None = frozenset({3})

    def __init__(self, name: str = "planner", *, looks: bool = True) -> None:
        self.name = name
        self.looks = looks

    def act(self, views: Batch[View], legal: NDArray[np.bool_], keys: NDArray[np.int64]) -> NDArray[np.int16]:
        """Return one action for each view: see `janshi.agents.protocol.Agent`."""
        return self._think(views, zeros(Intent, 1))

    def preferences(self, views: Batch[View], legal: NDArray[np.bool_]) -> NDArray[np.float32]:
        """Return how much it would like each action (n, 122): see `janshi.agents.protocol.Reviewer`.

        What a rule decides (wins, kans, kitas, defence) has the whole share; elsewhere a chance to win that is smaller
        by three in a hundred makes an action e times less liked.
        """
        intents = zeros(Intent, max(len(legal), 1))
        chosen = self._think(views, intents)
        liked = cast("NDArray[Any]", intents)["liked"][: len(legal)]
        weights = np.where(liked >= 0, np.exp((liked - liked.max(axis=1, keepdims=True)) / _TEMPERATURE), 0)
        shares: NDArray[np.float32] = (weights / weights.sum(axis=1, keepdims=True)).astype(np.float32)
        # Where two are equal, what would be done comes first.
        rows = np.flatnonzero(shares.argmax(axis=1) != chosen)
        shares[rows, chosen[rows]] = np.nextafter(shares[rows].max(axis=1), np.float32(2))
        return shares

    def _think(self, views: Batch[View], intents: Batch[Intent]) -> NDArray[np.int16]:
        records = np.asarray(views)
        for players in np.unique(records["rules"]["players"]).tolist():
            check_players(self, players)
        chosen = np.zeros(len(records), np.int16)
        planner_actions(views, lookup(), intents, self.looks, chosen)
        return chosen
