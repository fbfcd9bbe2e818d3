"""Sichuan mahjong as a `Game`: what tables, arena and environments need to know of it."""

from __future__ import annotations

import dataclasses
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.core.game import Game, Outcomes, StepResult
from janshi.sichuan import play
from janshi.sichuan.actions import ACTIONS, Action, action_text
from janshi.sichuan.rules import PRESETS, Rules, final_points, preset
from janshi.sichuan.rules_record import write_rules
from janshi.sichuan.state import KINDS, Ending, Events, Phase, State, View


def wall_of(rules: Rules) -> NDArray[np.int8]:
    """Return the tiles of a wall, ascending: 108.

    >>> wall_of(preset("sichuan")).shape
    (108,)
    """
    return np.repeat(np.arange(KINDS, dtype=np.int8), 4)


def single_hand(rules: Rules) -> Rules:
    """Return the same rules for one hand instead of a game.

    >>> single_hand(preset("sichuan")).name
    'sichuan-hand'
    """
    name = rules.name if rules.name.endswith("-hand") else f"{rules.name}-hand"
    return dataclasses.replace(rules, name=name, hands=1)


def ending_text(ended: int) -> str:
    """Say how a hand ended.

    >>> ending_text(Ending.THREE_WINS)
    'three wins'
    """
    return Ending(ended).name.lower().replace("_", " ")


def outcomes(states: NDArray[Any]) -> Outcomes:
    """Return how the hands ended that are over at some tables; habits: ``ready`` at the end, ``flower pig``."""
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


def passive_action(legal: NDArray[np.bool_]) -> int:
    """Return a pass where there is one, else the first legal action."""
    return int(Action.PASS) if legal[Action.PASS] else int(legal.argmax())


SICHUAN_GAME: Final = Game(
    name="sichuan",
    rules=Rules,
    preset=preset,
    presets=tuple(PRESETS),
    state=State,
    view=View,
    result=StepResult,
    events=Events,
    actions=ACTIONS,
    action_text=action_text,
    hand_over=int(Phase.HAND_OVER),
    game_over=int(Phase.GAME_OVER),
    ending_text=ending_text,
    passive=passive_action,
    write_rules=write_rules,
    wall=wall_of,
    outcomes=outcomes,
    final_points=final_points,
    single_hand=single_hand,
    begin_games=play.begin_games,
    next_hands=play.next_hands,
    step=play.step_tables,
    refused=play.count_refused,
    legal=play.write_legal_masks,
    views=play.write_views,
    decisions=play.write_decisions,
    event_logs=play.write_event_logs,
    play_randomly=play.play_randomly,
)
