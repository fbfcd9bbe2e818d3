"""One step of a learner at many tables, in one compiled call: its action, the others' moves, what it may do next.

Nothing here knows Gymnasium or PettingZoo: see `janshi.bridges.desks` for what both are made of.
"""

from __future__ import annotations

from typing import Annotated, Final

import numpy as np
from numpy.typing import NDArray

from janshi.agents.random import random_choice
from janshi.compiling import Batch, Int64s, Record, entry, leaf
from janshi.engine import actions
from janshi.engine.play import act, bits_set, count_legal, go_on, is_legal, nth_legal
from janshi.engine.state import GAME_OVER, HAND_OVER, State
from janshi.engine.tables import Lookup
from janshi.engine.wall import KEYS, PLAY, below, philox

#: In place of an action: go on after a hand or a game, or up to the first decision of a game just dealt.
GO_ON: Final = -1
#: In place of an action: a number that is none.
NO_ACTION: Final = -2

# What a table waits for (`Desk.waits`)
LEARNER: Final = 0
OTHER: Final = 1
NEXT_HAND: Final = 2
NEXT_GAME: Final = 3

#: `Desk.place` of a learner in every seat.
EVERY_SEAT: Final = -1
#: `Desk.place` of a learner whose seat changes from game to game.
ANY_SEAT: Final = -2


class Desk(Record):
    """What a table and its learner say to each other."""

    chosen: Annotated[int, np.int16]
    """The learner's action, `GO_ON` or `NO_ACTION`."""
    place: Annotated[int, np.int8]
    """Where the learner sits: a seat, `EVERY_SEAT` or `ANY_SEAT`."""
    seat: Annotated[int, np.int8]
    """Where it sits in this game; `EVERY_SEAT` for every seat."""
    asked: Annotated[int, np.int8]
    """Seat of the learner that is asked, or was asked last."""
    waits: Annotated[int, np.int8]
    """What the table waits for."""
    illegal: Annotated[int, np.int8]
    """Whether the action was not legal."""
    mask: Annotated[NDArray[np.int8], actions.ACTIONS]
    """What the learner may do."""


@leaf
def passive_action(state: State) -> int:
    """What the actor does who does nothing: it passes, discards the tile just drawn, or else its lowest tile."""
    simple = int(state.legal[0])
    if simple >> actions.PASS & 1:
        return actions.PASS
    if simple >> actions.TSUMOGIRI & 1:
        return actions.TSUMOGIRI
    return bits_set((simple & -simple) - 1)


@leaf
def write_mask(state: State, desk: Desk) -> None:
    """Write the actor's legal actions."""
    simple, closed, added = int(state.legal[0]), int(state.legal[1]), int(state.legal[2])
    for action in range(actions.ANKAN):
        desk.mask[action] = simple >> action & 1
    for kind in range(34):
        desk.mask[actions.ANKAN + kind] = closed >> kind & 1
    for kind in range(34):
        desk.mask[actions.KAKAN + kind] = added >> kind & 1


@leaf
def take_seat(state: State, desk: Desk) -> None:
    """Seat the learner for a game: the game's seed says where, if it may be any seat."""
    desk.seat = int(desk.place)
    if int(desk.place) == ANY_SEAT:
        desk.seat = int(state.seed) % int(state.rules.players)
    desk.asked = max(0, int(desk.seat))


@entry
def advance(
    states: Batch[State],
    lookups: Batch[Lookup],
    desks: Batch[Desk],
    which: Int64s,
    first: int,
    last: int,
    against_random: bool,
) -> int:
    """Do what the desks of some tables say, and play on until the learner is asked or a hand is over.

    In place of an action that is not legal the passive one is done. ``against_random``: the random agent plays for the
    others; without it a table also stops where another is asked. Returns how many of the tables wait for something else
    than the learner, or were told something illegal.
    """
    special = 0
    for number in range(first, last):
        state = states[which[number]]
        desk = desks[which[number]]
        action = int(desk.chosen)
        desk.illegal = 0
        if action == GO_ON:
            if int(state.phase) >= HAND_OVER:
                ends = int(state.phase) == GAME_OVER
                go_on(state, lookups[0])
                if ends:
                    take_seat(state, desk)
        elif not is_legal(state, action):
            desk.illegal = 1
            action = passive_action(state)
        seat = int(desk.seat)
        while True:
            if action >= 0:
                act(state, lookups[0], action)
            actor = int(state.actor)
            if int(state.phase) >= HAND_OVER or not against_random or actor == seat or seat == EVERY_SEAT:
                break
            high, low, _a, _b = philox(int(state.seed), KEYS, int(state.clock), actor)
            key = (high & 0x7FFFFFFF) << 32 | low
            drawn = int(state.drawn) if int(state.turn) == actor else -1
            simple, closed, added = int(state.legal[0]), int(state.legal[1]), int(state.legal[2])
            action = random_choice(state.hands[actor], drawn, simple, closed, added, key)
        if int(state.phase) >= HAND_OVER:
            desk.waits = NEXT_GAME if int(state.phase) == GAME_OVER else NEXT_HAND
        elif seat == EVERY_SEAT or int(state.actor) == seat:
            desk.waits = LEARNER
            desk.asked = int(state.actor)
        else:
            desk.waits = OTHER
        write_mask(state, desk)
        special += 1 if int(desk.waits) != LEARNER or int(desk.illegal) else 0
    return special


@entry
def begin_at_desks(states: Batch[State], desks: Batch[Desk], which: Int64s) -> None:
    """Seat the learners at tables where a game has just been dealt; `advance` then plays to their first decision."""
    for number in range(len(which)):
        take_seat(states[which[number]], desks[which[number]])


@entry
def choose_legal(states: Batch[State], desks: Batch[Desk]) -> None:
    """Write into each desk a legal action, each as likely as the other, drawn from the table's seed and clock."""
    for table in range(len(states)):
        state = states[table]
        count = count_legal(state)
        if count:
            word, _a, _b, _c = philox(int(state.seed), PLAY, int(state.clock), 0)
            desks[table].chosen = nth_legal(state, below(word, count))
