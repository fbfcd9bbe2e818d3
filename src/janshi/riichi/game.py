"""Riichi as a `Game`."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.built_in import FACETS
from janshi.core.game import Game, Outcomes
from janshi.riichi.actions import ACTIONS, Action, action_text
from janshi.riichi.play import steps
from janshi.riichi.play.declaring import by_rule
from janshi.riichi.play.folding import folded
from janshi.riichi.play.wall import lay_wall
from janshi.riichi.rules import ENDINGS, PRESETS, Rules, final_points
from janshi.riichi.state import DiscardFlag, Ending, Events, Phase, View


def ending_text(ended: int) -> str:
    """Return an ending in words.

    >>> ending_text(Ending.RON), ending_text(Ending.EXHAUSTIVE)
    ('ron', 'exhaustive draw')
    """
    if ended == Ending.EXHAUSTIVE:
        return "exhaustive draw"
    return Ending(ended).name.lower().replace("_", " ")


def outcomes(states: NDArray[Any]) -> Outcomes:
    """Return the outcomes of the finished hands at tables; habits: ``riichi``, ``called`` and ``fold``."""
    players = int(states["rules"]["players"][0]) if len(states) else 0
    seats = states["seats"][:, :players]
    won = np.zeros((len(states), players), np.bool_)
    value = np.zeros((len(states), players), np.int32)
    dealt_in = np.zeros((len(states), players), np.bool_)
    for number in range(int(states["winners"].max(initial=0))):
        rows = np.flatnonzero(states["winners"] > number)
        wins = states["wins"][:, number]
        winner = wins["seat"][rows]
        won[rows, winner] = True
        value[rows, winner] = wins["points"][rows]
        dealt_in[rows, wins["discarder"][rows]] = True
    ended = states["ended"].copy()
    dealt_in &= (ended == Ending.RON)[:, None]
    riichi = ((seats["marks"] & DiscardFlag.DECLARES_RIICHI) != 0).any(axis=2)
    return Outcomes(
        dealer=states["dealer"].copy(),
        ended=ended,
        drawn=np.asarray(~won.any(axis=1)),
        won=won,
        dealt_in=dealt_in,
        value=value,
        self_drawn=won & (ended == Ending.TSUMO)[:, None],
        habits={"riichi": riichi, "called": seats["opened"] > 0, "fold": folded(states, riichi) & ~won},
    )


RIICHI: Final = Game(
    name="riichi",
    module=__name__,
    rules=Rules,
    presets=PRESETS,
    endings=ENDINGS,
    actions=ACTIONS,
    action_text=action_text,
    passive_actions=(Action.PASS, Action.TSUMOGIRI),
    discards=Action.RIICHI,
    hand_over=int(Phase.HAND_OVER),
    ending_text=ending_text,
    view=View,
    events=Events,
    outcomes=outcomes,
    final_points=final_points,
    by_rule=by_rule,
    lay_wall=lay_wall,
    begin_hand=steps.begin_next_hand,
    act=steps.act,
    is_legal=steps.is_legal,
    write_view=steps.write_view,
    write_events=steps.write_events,
    count_legal=steps.count_legal,
    nth_legal=steps.nth_legal,
    write_legal=steps.write_legal,
    change_of=steps.change_of,
    facets=FACETS["riichi"],
)

#: Derived rules, for other compiled functions.
go_on, decision_word = RIICHI.names["go_on"], RIICHI.names["decision_word"]
