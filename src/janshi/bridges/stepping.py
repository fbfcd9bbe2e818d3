"""One step of a learner at many tables of Riichi in one compiled call: its action, the others' moves, its next mask.

Nothing here knows Gymnasium or PettingZoo: see `janshi.bridges.slots` for what both are made of.
"""

from __future__ import annotations

from typing import Annotated, Final

import numpy as np
from numpy.typing import NDArray

from janshi.agents.random import random_choice
from janshi.compiling import TableRecord, batched, leaf, rule
from janshi.core.bits import lowest_bit
from janshi.core.random import Stream, below, philox
from janshi.core.shanten_tables import ShantenTables
from janshi.riichi.actions import ACTIONS, SIMPLE_ACTIONS, Action
from janshi.riichi.play import act, count_legal, decision_word, go_on, is_legal, nth_legal
from janshi.riichi.state import Phase, State

#: In place of an action: go on after a hand or a game, or up to the first decision of a game just dealt.
GO_ON: Final = -1
#: In place of an action: a number that is none.
NO_ACTION: Final = -2

# What a table waits for (`Slot.waits`)
LEARNER: Final = 0
OTHER: Final = 1
NEXT_HAND: Final = 2
NEXT_GAME: Final = 3

#: `Slot.home` of a learner in every seat.
EVERY_SEAT: Final = -1
#: `Slot.home` of a learner whose seat changes from game to game.
ANY_SEAT: Final = -2


class Slot(TableRecord):
    """One environment: what passes between a table and its learner."""

    chosen: Annotated[int, np.int16]
    """The learner's action, `GO_ON` or `NO_ACTION`."""
    home: Annotated[int, np.int8]
    """Where the learner is to sit: a seat, `EVERY_SEAT` or `ANY_SEAT`."""
    seat: Annotated[int, np.int8]
    """Where it sits in this game; `EVERY_SEAT` for every seat."""
    asked: Annotated[int, np.int8]
    """Seat of the learner that is asked, or was asked last."""
    waits: Annotated[int, np.int8]
    """What the table waits for."""
    illegal: Annotated[int, np.int8]
    """Whether the action was not legal."""
    mask: Annotated[NDArray[np.int8], ACTIONS]
    """What the learner may do."""


@leaf
def passive_action(state: State) -> int:
    """What the actor does who does nothing: it passes, discards the tile just drawn, or else its lowest tile.

    The same as `janshi.riichi.game.passive_action`.
    """
    simple = int(state.legal[0])
    if simple >> Action.PASS & 1:
        return Action.PASS
    if simple >> Action.TSUMOGIRI & 1:
        return Action.TSUMOGIRI
    return lowest_bit(simple)


@leaf
def write_mask(state: State, slot: Slot) -> None:
    """Write the actor's legal actions."""
    simple, closed, added = int(state.legal[0]), int(state.legal[1]), int(state.legal[2])
    for action in range(SIMPLE_ACTIONS):
        slot.mask[action] = simple >> action & 1
    for kind in range(34):
        slot.mask[Action.ANKAN + kind] = closed >> kind & 1
    for kind in range(34):
        slot.mask[Action.KAKAN + kind] = added >> kind & 1


@leaf
def take_seat(state: State, slot: Slot) -> None:
    """Seat the learner for a game: the game's seed says where, if it may be any seat."""
    slot.seat = int(slot.home)
    if int(slot.home) == ANY_SEAT:
        slot.seat = int(state.seed) % int(state.rules.players)
    slot.asked = max(0, int(slot.seat))


@leaf
def random_move(state: State) -> int:
    """What the random agent does where a table waits."""
    actor = int(state.actor)
    drawn = int(state.drawn) if int(state.turn) == actor else -1
    simple, closed, added = int(state.legal[0]), int(state.legal[1]), int(state.legal[2])
    return random_choice(state.hands[actor], drawn, simple, closed, added, decision_word(state))


@rule
def advance_slot(state: State, slot: Slot, tables: ShantenTables, against_random: bool) -> int:
    """Do what a slot says, and play on until the learner is asked or a hand is over.

    In place of an action that is not legal the passive one is done. ``against_random``: the random agent plays for the
    others; without it a table also stops where another is asked. Returns 1 where the table waits for something else
    than the learner or the action was not legal, else 0.
    """
    action = int(slot.chosen)
    slot.illegal = 0
    if action == GO_ON:
        if int(state.phase) >= Phase.HAND_OVER:
            ends = int(state.phase) == Phase.GAME_OVER
            go_on(state, tables)
            if ends:
                take_seat(state, slot)
    elif not is_legal(state, action):
        slot.illegal = 1
        action = passive_action(state)
    seat = int(slot.seat)
    while True:
        if action >= 0:
            act(state, tables, action)
        actor = int(state.actor)
        if int(state.phase) >= Phase.HAND_OVER or not against_random or actor == seat or seat == EVERY_SEAT:
            break
        action = random_move(state)
    if int(state.phase) >= Phase.HAND_OVER:
        slot.waits = NEXT_GAME if int(state.phase) == Phase.GAME_OVER else NEXT_HAND
    elif seat == EVERY_SEAT or int(state.actor) == seat:
        slot.waits = LEARNER
        slot.asked = int(state.actor)
    else:
        slot.waits = OTHER
    write_mask(state, slot)
    return 1 if int(slot.waits) != LEARNER or int(slot.illegal) else 0


@rule
def seat_learner(state: State, slot: Slot) -> None:
    """Seat the learner at a table where a game has just been dealt; `advance_slot` then plays to its first decision."""
    take_seat(state, slot)


@rule
def choose_slot(state: State, slot: Slot) -> None:
    """Write a legal action into a slot, each as likely as the other, drawn from the table's seed and clock."""
    count = count_legal(state)
    if count:
        word, _a, _b, _c = philox(int(state.seed), Stream.PLAY, int(state.clock), 0)
        slot.chosen = nth_legal(state, below(word, count))


advance_slots = batched(advance_slot)
seat_learners = batched(seat_learner)
choose_legal = batched(choose_slot)
