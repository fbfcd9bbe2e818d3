"""What environments of Riichi add: games of several lengths, and a learner's step as one compiled call.

A compiled step is the learner's action, the moves of random opponents, and the learner's next mask.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.bridges.stepping import (
    ANY_SEAT,
    EVERY_SEAT,
    GO_ON,
    LEARNER,
    NEXT_GAME,
    NEXT_HAND,
    OTHER,
    Environment,
    Stepping,
)
from janshi.compiling import Batch, TableRecord, batched, leaf, rule, zeros
from janshi.core.bits import lowest_bit
from janshi.core.random import Stream, below, philox
from janshi.core.shanten_tables import ShantenTables
from janshi.riichi.actions import ACTIONS, SIMPLE_ACTIONS, Action
from janshi.riichi.agents.random import random_choice
from janshi.riichi.game import decision_word, go_on
from janshi.riichi.play import act, count_legal, is_legal, nth_legal
from janshi.riichi.rules import Length, Rules
from janshi.riichi.state import Phase, State
from janshi.table import Tables


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

    The same as `janshi.core.game.Game.passive`.
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
def choose_slot(state: State, slot: Slot) -> None:
    """Write a legal action into a slot, each as likely as the other, drawn from the table's seed and clock."""
    count = count_legal(state)
    if count:
        word, _a, _b, _c = philox(int(state.seed), Stream.PLAY, int(state.clock), 0)
        slot.chosen = nth_legal(state, below(word, count))


advance_slots = batched(advance_slot)
seat_learners = batched(take_seat)
choose_legal = batched(choose_slot)


class RiichiStepping(Stepping):
    """Steps learners in compiled code; random opponents play inside of it."""

    def __init__(self, tables: Tables, home: int, against_random: bool) -> None:
        super().__init__(tables, home, against_random)
        self._slots: Batch[Slot] = zeros(Slot, len(tables))
        fields = cast("NDArray[Any]", self._slots)
        fields["home"] = home
        self.chosen, self.seat, self.asked = fields["chosen"], fields["seat"], fields["asked"]
        self.waits, self.illegal, self.masks = fields["waits"], fields["illegal"], fields["mask"]
        self._against_random = against_random
        self._go_single = advance_slots.bind(tables.states, self._slots, against_random)

    @property
    def go_single(self) -> Callable[[], int]:
        """What does what is ``chosen`` at the only table, in one call."""
        return self._go_single

    def take_seats(self, which: NDArray[np.int64]) -> None:
        """Seat the learners at tables where games have just been dealt."""
        seat_learners(self.tables.states, self._slots, which=which)

    def go(self, which: NDArray[np.int64]) -> int:
        """Do what is ``chosen`` at some tables: see `Stepping.go`."""
        tables = self.tables
        return int(
            advance_slots(tables.states, self._slots, self._against_random, which=which, threads=tables.threads)
        )

    def random_actions(self) -> NDArray[np.int16]:
        """Return a legal action for every table (n): see `Stepping.random_actions`."""
        choose_legal(self.tables.states, self._slots)
        return self.chosen.copy()


def _of_length(length: Length, rules: Rules) -> Rules:
    return replace(rules, length=length)


#: Riichi's facet ``"environment"``.
ENVIRONMENT: Final = Environment(
    stepping=RiichiStepping,
    lengths={
        "hand": partial(_of_length, Length.SINGLE_HAND),
        "east": partial(_of_length, Length.EAST),
        "south": partial(_of_length, Length.EAST_SOUTH),
    },
    observation="janshi",
    names={3: "sanma"},
)
