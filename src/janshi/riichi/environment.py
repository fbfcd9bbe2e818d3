"""Environments of Riichi: game lengths, and compiled steps.

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
from janshi.compiling import Batch, Int8, Int16, TableRecord, batched, leaf, rule, zeros
from janshi.core.bits import lowest_bit
from janshi.core.random import Stream, below, philox
from janshi.core.shanten_tables import ShantenTables
from janshi.riichi.actions import ACTIONS, SIMPLE_ACTIONS, Action
from janshi.riichi.agents.random import random_choice
from janshi.riichi.game import decision_word, go_on
from janshi.riichi.play.steps import act, count_legal, is_legal, nth_legal
from janshi.riichi.rules import Length, Rules
from janshi.riichi.state import Phase, State
from janshi.table import Tables


class Slot(TableRecord):
    """One environment: the exchange between a table and its learner."""

    chosen: Int16  # the learner's action, `GO_ON` or `NO_ACTION`
    home: Int8  # requested seat of the learner: a seat, `EVERY_SEAT` or `ANY_SEAT`
    seat: Int8  # its seat in this game, or `EVERY_SEAT`
    asked: Int8  # the learner's current or last seat to decide
    waits: Int8  # reason for which the table waits
    illegal: Int8  # whether the action was not legal
    mask: Annotated[NDArray[np.int8], ACTIONS]  # legal actions of the learner


@leaf
def passive_action(state: State) -> int:
    """Return the action of an idle actor: pass, discard the tile just drawn, or else the lowest tile.

    Equal to `janshi.core.game.Game.passive`.
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
    """Seat the learner for a game; `ANY_SEAT` is drawn from the game's seed."""
    slot.seat = int(slot.home)
    if int(slot.home) == ANY_SEAT:
        slot.seat = int(state.seed) % int(state.rules.players)
    slot.asked = max(0, int(slot.seat))


@leaf
def random_move(state: State) -> int:
    """Return the random agent's action at a table."""
    actor = int(state.actor)
    drawn = int(state.drawn) if int(state.turn) == actor else -1
    simple, closed, added = int(state.legal[0]), int(state.legal[1]), int(state.legal[2])
    return random_choice(state.hands[actor], drawn, simple, closed, added, decision_word(state))


@rule
def advance_slot(state: State, slot: Slot, tables: ShantenTables, against_random: bool) -> int:
    """Execute the action of a slot, and continue until the learner decides or a hand is over.

    An illegal action is replaced by the passive one. ``against_random``: the random agent plays for the others; without
    it the table also stops at their decisions. Returns 1 if the table does not wait for the learner or the action was
    illegal, else 0.
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
    """Write a uniformly random legal action into a slot, drawn from the table's seed and clock."""
    count = count_legal(state)
    if count:
        word, _a, _b, _c = philox(int(state.seed), Stream.PLAY, int(state.clock), 0)
        slot.chosen = nth_legal(state, below(word, count))


advance_slots = batched(advance_slot)
seat_learners = batched(take_seat)
choose_legal = batched(choose_slot)


class RiichiStepping(Stepping):
    """Steps learners in compiled code, including random opponents."""

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
        """Function that executes ``chosen`` at the only table."""
        return self._go_single

    def take_seats(self, which: NDArray[np.int64]) -> None:
        """Seat the learners at tables with newly dealt games."""
        seat_learners(self.tables.states, self._slots, which=which)

    def go(self, which: NDArray[np.int64]) -> int:
        """Execute ``chosen`` at some tables: see `Stepping.go`."""
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
