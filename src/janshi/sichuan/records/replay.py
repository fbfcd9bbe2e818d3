"""Replaying one recorded hand of Sichuan mahjong through the engine, compiled.

The hand has been dealt from its wall. At each decision the action that its events tell is taken while it is legal.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Int32, Int32Rows, Record, batched, rule
from janshi.core.shanten_tables import ShantenTables
from janshi.sichuan.actions import Action
from janshi.sichuan.play.steps import act, is_legal
from janshi.sichuan.rules import Exchange
from janshi.sichuan.state import EVENTS, Event, Phase, State

#: Most decisions of a hand that are kept.
MOST_DECISIONS: Final = 512


class HandReplay(Record):
    """How far a hand has been replayed."""

    actions: Annotated[NDArray[np.uint8], MOST_DECISIONS]  # decisions taken, in the order in which the table asked
    decisions: Int32  # number of decisions
    alike: Int32  # events from the first on that the engine and the record have alike


@rule
def recorded_throw(events: Int32Rows) -> int:
    """Return the throw of the dice of the exchange (an `Exchange`), inferred from the first tile given."""
    for row in range(len(events)):
        if int(events[row, 0]) == Event.GIVE:
            seats_on = (int(events[row, 3]) - int(events[row, 1])) % 4
            return seats_on if seats_on else Exchange.NEXT
    return Exchange.NEXT


@rule
def recorded_answer(state: State, events: Int32Rows, first: int) -> int:
    """Return the actor's answer about another's tile by the events from one on: a win, a call or a pass."""
    actor = int(state.actor)
    won = False
    for row in range(first, len(events)):
        event = int(events[row, 0])
        if event == Event.WIN and int(events[row, 3]) == int(state.turn):
            won = True
            if int(events[row, 1]) == actor:
                return Action.WIN
        elif event != Event.WIN_PAY:
            break
    if not won and first < len(events) and int(events[first, 1]) == actor:
        if int(events[first, 0]) == Event.PUNG:
            return Action.PUNG
        if int(events[first, 0]) == Event.EXPOSED_KONG:
            return Action.EXPOSED_KONG
    return Action.PASS


@rule
def recorded_action(state: State, events: Int32Rows) -> int:
    """Return the actor's action by the events (n, 4) of its hand, −1 for none."""
    actor = int(state.actor)
    first = int(state.logged)
    phase = int(state.phase)
    if phase == Phase.EXCHANGE:
        given = 0
        while given < 3 and int(state.hands[actor].given[given]) >= 0:
            given += 1
        for row in range(first, len(events)):
            if int(events[row, 0]) == Event.GIVE and int(events[row, 1]) == actor:
                if given == 0:
                    return int(events[row, 2])
                given -= 1
        return -1
    if phase == Phase.CLAIM:
        return recorded_answer(state, events, first)
    if first >= len(events) or int(events[first, 1]) != actor:
        return -1
    event = int(events[first, 0])
    tile = int(events[first, 2])
    if phase == Phase.VOID:
        if event != Event.VOID:
            return -1
        laid = int(events[first, 3])
        return laid if laid >= 0 else Action.VOID + tile
    if event == Event.WIN:
        return Action.WIN
    if event == Event.DISCARD:
        return tile
    return Action.OWN_KONG + tile if event in (Event.CONCEALED_KONG, Event.ADDED_KONG) else -1


@rule
def replay_hand(state: State, tables: ShantenTables, events: Int32Rows, replay: HandReplay) -> None:
    """Play a hand from its first decision on by its events (n, 4), up to the first action that is not legal.

    Where the direction of the exchange is thrown, it becomes the one of the record for this hand.
    """
    if int(state.rules.exchange) == Exchange.DICE:
        rules: Any = state.rules
        rules.exchange = recorded_throw(events)
    decisions = 0
    while int(state.phase) < Phase.HAND_OVER and decisions < MOST_DECISIONS:
        action = recorded_action(state, events)
        if not is_legal(state, action):
            break
        replay.actions[decisions] = action
        decisions += 1
        act(state, tables, action)
    replay.decisions = decisions
    alike = 0
    while alike < min(len(events), int(state.logged), EVENTS):
        same = 0
        for column in range(4):
            same += int(events[alike, column]) == int(state.log[4 * alike + column])
        if same < 4:
            break
        alike += 1
    replay.alike = alike


replay_hands = batched(replay_hand)
