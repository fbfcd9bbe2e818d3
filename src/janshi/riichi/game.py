"""Riichi as a `Game`: what tables, arena and environments need to know of it."""

from __future__ import annotations

import dataclasses
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.core.game import Game, Outcomes, StepResult
from janshi.riichi import play
from janshi.riichi.actions import ACTIONS, Action, action_text
from janshi.riichi.rules import PRESETS, Length, Rules, final_points, preset
from janshi.riichi.rules_record import write_rules
from janshi.riichi.state import DiscardFlag, Ending, Events, OtherHands, Phase, State, View


def wall_of(rules: Rules) -> NDArray[np.int8]:
    """Return the tiles of a wall, ascending: 136, or 108 for three players.

    >>> from janshi.riichi.rules import TENHOU_SANMA
    >>> wall_of(TENHOU_SANMA).shape
    (108,)
    """
    tiles: list[int] = []
    for kind in range(34):
        if rules.players == 3 and 1 <= kind <= 7:
            continue
        reds = rules.red_fives[kind // 9] if kind < 27 and kind % 9 == 4 else 0
        tiles += [34 + kind // 9] * reds + [kind] * (4 - reds)
    return np.sort(np.array(tiles, np.int8))


def single_hand(rules: Rules) -> Rules:
    """Return the same rules for one hand instead of a game.

    >>> single_hand(preset("tenhou-sanma")).name
    'tenhou-sanma-hand'
    """
    name = rules.name if rules.name.endswith("-hand") else f"{rules.name}-hand"
    return dataclasses.replace(rules, name=name, length=Length.SINGLE_HAND)


def ending_text(ended: int) -> str:
    """Say how a hand ended.

    >>> ending_text(Ending.RON), ending_text(Ending.EXHAUSTIVE)
    ('ron', 'exhaustive draw')
    """
    if ended == Ending.EXHAUSTIVE:
        return "exhaustive draw"
    return Ending(ended).name.lower().replace("_", " ")


def outcomes(states: NDArray[Any]) -> Outcomes:
    """Return how the hands ended that are over at some tables; habits: ``riichi`` and ``called``."""
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
        habits={"riichi": riichi, "called": seats["opened"] > 0},
    )


def passive_action(legal: NDArray[np.bool_]) -> int:
    """Return a pass where there is one, else the drawn tile's discard, else the first legal action."""
    for action in (Action.PASS, Action.TSUMOGIRI):
        if legal[action]:
            return int(action)
    return int(legal.argmax())


RIICHI: Final = Game(
    name="riichi",
    rules=Rules,
    preset=preset,
    presets=tuple(PRESETS),
    state=State,
    view=View,
    result=StepResult,
    events=Events,
    hidden=OtherHands,
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
