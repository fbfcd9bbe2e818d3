"""Sichuan mahjong as a `Game`."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.built_in import FACETS
from janshi.core.game import Game, Outcomes
from janshi.sichuan.actions import ACTIONS, Action, action_text
from janshi.sichuan.play import steps
from janshi.sichuan.play.wall import lay_wall
from janshi.sichuan.rules import ENDINGS, PRESETS, Rules
from janshi.sichuan.state import Ending, Events, Phase, View


def ending_text(ended: int) -> str:
    """Return an ending in words.

    >>> ending_text(Ending.THREE_WINS)
    'three wins'
    """
    return Ending(ended).name.lower().replace("_", " ")


def outcomes(states: NDArray[Any]) -> Outcomes:
    """Return the outcomes of the finished hands at tables; habits: ``ready`` at the end, ``flower pig``."""
    seats = states["seats"]
    won = seats["won"] > 0
    value = np.zeros(won.shape, np.int32)
    dealt_in = np.zeros(won.shape, np.bool_)
    self_drawn = np.zeros(won.shape, np.bool_)
    for number in range(3):
        rows = np.flatnonzero(states["winners"] > number)
        wins = states["wins"][rows, number]
        value[rows, wins["seat"]] = wins["value"]["points"]
        self_drawn[rows, wins["seat"]] = wins["discarder"] < 0
        from_others = wins["discarder"] >= 0
        dealt_in[rows[from_others], wins["discarder"][from_others]] = True
    return Outcomes(
        dealer=states["dealer"].copy(),
        ended=states["ended"].copy(),
        drawn=np.asarray(~won.any(axis=1)),
        won=won,
        dealt_in=dealt_in,
        value=value,
        self_drawn=self_drawn,
        habits={"ready": ~won & (seats["ready"] == 2), "flower pig": seats["pig"] > 0},
    )


SICHUAN_GAME: Final = Game(
    name="sichuan",
    module=__name__,
    rules=Rules,
    presets=PRESETS,
    endings=ENDINGS,
    actions=ACTIONS,
    action_text=action_text,
    passive_actions=(Action.PASS,),
    discards=Action.VOID,
    hand_over=int(Phase.HAND_OVER),
    ending_text=ending_text,
    view=View,
    events=Events,
    outcomes=outcomes,
    lay_wall=lay_wall,
    begin_hand=steps.begin_next_hand,
    act=steps.act,
    is_legal=steps.is_legal,
    write_view=steps.write_view,
    write_events=steps.write_events,
    count_legal=steps.count_legal,
    nth_legal=steps.nth_legal,
    write_legal=steps.write_legal,
    facets=FACETS["sichuan"],
)
