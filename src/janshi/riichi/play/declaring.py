"""What agents do by rule: whether a seat shows its tenpai hand at an exhaustive draw (`Rules.tenpai_by_choice`)."""

from __future__ import annotations

from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Batch, Int16, batched, rule
from janshi.riichi.actions import Action
from janshi.riichi.rules import Length, Rules
from janshi.riichi.state import Offer, Phase, View

#: In an array of actions: no decision by rule.
ASKED: Final = -1


@rule
def ends_the_game_as_first(view: View) -> bool:
    """Return whether a dealer in the last hand who is noten remains the first, whoever else is tenpai."""
    rules = view.rules
    players = int(rules.players)
    winds = 1 if int(rules.length) == Length.EAST else 2
    last = int(view.kyoku) == 4 * (winds - 1) + players - 1
    goes_on = int(rules.extension) == 1 or int(rules.dealer_repeats_tenpai) == 0
    if int(view.seat) != int(view.dealer) or not last or goes_on or int(rules.length) == Length.SINGLE_HAND:
        return False
    # A single seat that is tenpai gets the whole payment, to which the dealer contributes a share.
    least = int(rules.noten_payment) * players // (players - 1)
    for seat in range(players):
        behind = int(view.seats[int(view.seat)].points) - int(view.seats[seat].points)
        if seat != int(view.seat) and behind <= least:
            return False
    return True


@rule
def declared_action(view: View) -> Int16:
    """Return what a seat does by rule at an exhaustive draw, or `ASKED` for any other decision.

    It shows its hand, unless it ends the game as the first by keeping it hidden.
    """
    if int(view.phase) != Phase.CLAIM or int(view.claimed) != Offer.DRAW:
        return ASKED
    return Action.PASS if ends_the_game_as_first(view) else Action.KYUUSHU_KYUUHAI


declared_actions = batched(declared_action, brief=True)


def by_rule(rules: Rules, views: Batch[Any]) -> NDArray[np.int16] | None:
    """Return the actions that agents are not asked for (n; `ASKED`: they are): see `janshi.core.game.Game.by_rule`."""
    if not rules.tenpai_by_choice:
        return None
    array = cast("NDArray[Any]", views)
    if not ((array["phase"] == Phase.CLAIM) & (array["claimed"] == Offer.DRAW)).any():
        return None
    return cast("NDArray[np.int16]", declared_actions(views))
