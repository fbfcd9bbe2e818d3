"""The planner: does what makes a win of the hand most likely, by the plans that there are for it (sanma alone).

* It discards, calls and declares riichi by the chances of `janshi.analysis.plans`, with a look one round of the table
  further at the most promising discards.
* Wins, Norths, kans and kyuushu kyuuhai are as the efficient agent has them, and so is its defence: against riichi a
  hand far from tenpai folds.

The chances were measured against random players: against those who are not, it is in too great a hurry.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.agents.efficient import EfficientWorkspace, action_before_discard, faces_riichi, safest_discard
from janshi.agents.policy import best_first, smoothed
from janshi.agents.protocol import check_agent
from janshi.analysis.discards import discard_action, discard_kinds
from janshi.analysis.plans import (
    PlanWeights,
    PlanWorkspace,
    chance_after_pon,
    chance_after_riichi,
    chance_waiting,
    read_view,
    weigh_discards,
)
from janshi.compiling import Int16, Record, Workspace, batched, copy_record, leaf, rule, zeros
from janshi.core.bits import lowest_bit
from janshi.core.kinds import kind_of_tile
from janshi.core.shanten_tables import ShantenTables
from janshi.riichi.actions import ACTIONS, Action
from janshi.riichi.state import Phase, View
from janshi.table import DecisionBatch

#: A chance smaller by so much makes an action e times less likely: see `PlannerAgent.preferences`.
_TEMPERATURE: Final = 0.03


class Chances(Record):
    """What the planner expects of each action."""

    of_action: Annotated[NDArray[np.float64], ACTIONS]
    """The chance to win after each action, −1 where it was not weighed."""


class PlannerWorkspace(Workspace):
    """The planner's workspaces, and its chances in the last view."""

    chances: Chances
    plans: PlanWorkspace
    efficient: EfficientWorkspace


@leaf
def weigh_only(workspace: PlannerWorkspace, action: int) -> int:
    """Give one action all the weight."""
    workspace.chances.of_action[action] = 1.0
    return action


@rule
def choose_turn(
    view: View, tables: ShantenTables, weights: PlanWeights, workspace: PlannerWorkspace, looks_ahead: bool
) -> int:
    """What to do with tiles to discard."""
    plans, evaluation, chances = workspace.plans, workspace.plans.evaluation, workspace.chances
    simple, drawn = int(view.legal[0]), int(view.drawn)
    kinds = discard_kinds(simple, drawn)
    read_view(view, plans)
    best = weigh_discards(plans, tables, weights, kinds, looks_ahead)
    if faces_riichi(view) and not int(view.seats[int(view.seat)].riichi) and int(evaluation.least_shanten) >= 2:
        for kind in range(34):
            workspace.efficient.ukeire.visible[kind] = int(plans.ukeire.visible[kind])
        return weigh_only(workspace, discard_action(simple, drawn, safest_discard(view, workspace.efficient, kinds)))
    most = evaluation.chances[best]
    for kind in range(34):
        if evaluation.chances[kind] >= 0.0:
            # Of those that are not looked at further none counts as more than the best of those that are.
            chances.of_action[discard_action(simple, drawn, kind)] = min(evaluation.chances[kind], most)
    action = discard_action(simple, drawn, best)
    if simple >> Action.RIICHI & 1:
        chances.of_action[Action.RIICHI] = chance_after_riichi(plans, tables, weights)
        if chances.of_action[Action.RIICHI] >= most:
            action = Action.RIICHI
    return action


@rule
def choose_claim(
    view: View, tables: ShantenTables, weights: PlanWeights, workspace: PlannerWorkspace, looks_ahead: bool
) -> int:
    """What to do about another's tile."""
    plans = workspace.plans
    simple = int(view.legal[0])
    if simple >> Action.RON & 1:
        return weigh_only(workspace, Action.RON)
    pons = simple >> Action.PON & 0b111
    if pons == 0:
        return weigh_only(workspace, Action.PASS)
    pon = Action.PON + lowest_bit(pons)
    read_view(view, plans)
    chance_passed = chance_waiting(plans, tables, weights, looks_ahead)
    if faces_riichi(view) and int(plans.evaluation.least_shanten) >= 2:
        return weigh_only(workspace, Action.PASS)
    kuikae = int(view.rules.kuikae) > 0
    chance = chance_after_pon(plans, tables, weights, kind_of_tile(int(view.tile)), kuikae, looks_ahead)
    workspace.chances.of_action[Action.PASS] = chance_passed
    workspace.chances.of_action[pon] = chance
    return pon if chance > chance_passed else Action.PASS


@rule
def planner_action(
    view: View, tables: ShantenTables, weights: PlanWeights, workspace: PlannerWorkspace, looks_ahead: bool
) -> int:
    """What the planner does; ``looks_ahead``: one round further. The workspace's chances say why."""
    for action in range(ACTIONS):
        workspace.chances.of_action[action] = -1.0
    phase = int(view.phase)
    if phase == Phase.CLAIM:
        return choose_claim(view, tables, weights, workspace, looks_ahead)
    if phase != Phase.CALLED_DISCARD:
        first = action_before_discard(view, tables, workspace.efficient)
        if first >= 0:
            return weigh_only(workspace, first)
    return choose_turn(view, tables, weights, workspace, looks_ahead)


@rule
def weigh_view(
    view: View,
    tables: ShantenTables,
    weights: PlanWeights,
    workspace: PlannerWorkspace,
    looks_ahead: bool,
    chances: Chances,
) -> Int16:
    """What the planner does, and its chances."""
    action = planner_action(view, tables, weights, workspace, looks_ahead)
    copy_record(workspace.chances, chances)
    return action


_weigh_views = batched(weigh_view)

#: What the agent calls, for `janshi.compiling.prepare`.
ENTRIES: Final = (_weigh_views,)


class PlannerAgent:
    """See the module; ``looks_ahead``: discards are looked at one round further."""

    players = frozenset({3})

    def __init__(self, name: str = "planner", *, looks_ahead: bool = True) -> None:
        self.name = name
        self.looks_ahead = looks_ahead

    def act(self, batch: DecisionBatch) -> NDArray[np.int16]:
        """Return one action for each decision: see `janshi.agents.protocol.Agent`."""
        return self._weigh(batch)[0]

    def preferences(self, batch: DecisionBatch) -> NDArray[np.float32]:
        """Return the share of each action (n, 122): see `janshi.agents.protocol.Reviewer`.

        What a rule decides (wins, kans, kitas, defence) has the whole share; elsewhere a chance to win that is smaller
        by three in a hundred divides an action's share by e. A fifth of that goes to all legal actions alike
        (`janshi.agents.policy.smoothed`).
        """
        actions, chances = self._weigh(batch)
        weights = np.where(chances >= 0, np.exp((chances - chances.max(axis=1, keepdims=True)) / _TEMPERATURE), 0)
        shares: NDArray[np.float32] = (weights / weights.sum(axis=1, keepdims=True)).astype(np.float32)
        return smoothed(best_first(shares, actions), batch.legal)

    def _weigh(self, batch: DecisionBatch) -> tuple[NDArray[np.int16], NDArray[np.float64]]:
        """Return the actions (n) and the chances to win after each (n, 122)."""
        check_agent(self, batch.rules)
        chances = zeros(Chances, len(batch))
        actions = _weigh_views(batch.views, self.looks_ahead, chances)
        return cast("NDArray[np.int16]", actions), cast("NDArray[Any]", chances)["of_action"]
