"""Reconstruction of a hand from one seat's events, with the engine's own compiled steps.

The state contains no hidden tile. The others' hands are empty except at the moment in which they lay tiles down, and
the wall contains a tile from the moment in which it is drawn or turned over.
"""

from __future__ import annotations

from typing import Annotated, Final

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Int8, Record, batched, rule
from janshi.core.shanten_tables import ShantenTables
from janshi.core.turns import Step
from janshi.riichi.actions import Action
from janshi.riichi.hands.concealed import give, take, update_waits
from janshi.riichi.play.legal import discard_options, turn_options
from janshi.riichi.play.moves import (
    added_kan,
    ask_next,
    closed_kan,
    declare_riichi,
    discard,
    first_draw,
    kita,
    next_draw,
    replacement,
    resolve,
)
from janshi.riichi.play.steps import HandStart, clear_table
from janshi.riichi.play.wall import dora_slot, open_wall, turn_indicator
from janshi.riichi.state import Event, Phase, State
from janshi.tiles import NORTH

#: The step before the dealer's first draw, in `SeatKnowledge.step`; the others are `janshi.core.turns.Step`.
_FIRST_DRAW: Final = 8
#: Shanten of a hidden hand, so high that its waits are never computed.
_FAR: Final = 100
_MOST_INDICATORS: Final = 5


class SeatKnowledge(Record):
    """Knowledge of one seat about a hand, besides the state that its events give."""

    tiles: Annotated[NDArray[np.int8], 13]
    """Tiles dealt to it."""
    indicator: Annotated[int, np.int8]
    """The first dora indicator."""
    seat: Annotated[int, np.int8]
    """Seat of the view."""
    step: Annotated[int, np.int8]
    """The next step, kept between events."""


class TableEvent(Record):
    """An event of the hand, as a row of `State.log`, and the tiles that leave the seat's hand."""

    event: Annotated[int, np.int8]
    seat: Annotated[int, np.int8]
    tile: Annotated[int, np.int8]
    """−1 for none, and for a hidden draw."""
    detail: Annotated[int, np.int16]
    laid: Annotated[NDArray[np.int8], 4]
    laid_count: Annotated[int, np.int8]


@rule
def begin_known_hand(state: State, tables: ShantenTables, start: HandStart, known: SeatKnowledge) -> None:
    """Begin a hand with one seat's tiles and the first indicator known; the wall of ``start`` is not read."""
    state.kyoku = int(start.kyoku)
    state.honba = int(start.honba)
    state.deposits = int(start.deposits)
    state.dealer = int(start.dealer)
    for seat in range(4):
        state.seats[seat].points = int(start.points[seat])
    clear_table(state)
    players = int(state.rules.players)
    for seat in range(players):
        state.hands[seat].shanten = _FAR
    own = state.hands[int(known.seat)]
    for number in range(13):
        take(own, int(known.tiles[number]))
    state.wall[dora_slot(players, 0)] = int(known.indicator)
    open_wall(state)
    own.shanten = 1
    update_waits(own, tables, 4, players == 3)
    state.turn = int(state.dealer)
    state.actor = -1
    state.phase = Phase.TURN
    for word in range(3):
        state.legal[word] = 0
    known.step = _FIRST_DRAW


@rule
def follow_indicator(state: State, tile: int) -> bool:
    """Turn over another dora indicator."""
    number = int(state.shown)
    if number >= _MOST_INDICATORS:
        return False
    state.wall[dora_slot(int(state.rules.players), number)] = tile
    turn_indicator(state)
    return True


@rule
def follow_draw(state: State, tables: ShantenTables, known: SeatKnowledge, seat: int, tile: int) -> bool:
    """Let a seat draw; the tile of another seat stays hidden."""
    step = int(known.step)
    if step == Step.RESOLVE:
        step = resolve(state, tables)
        if step == Step.SETTLE:  # these rules would end the hand here, the server's do not
            step = Step.DRAW
    turn = int(state.turn)
    drawer = (turn + 1) % int(state.rules.players) if step == Step.DRAW else turn
    draws = step == Step.DRAW or step == Step.REPLACE or step == _FIRST_DRAW
    if not draws or drawer != seat or int(state.left) == 0:
        return False
    own = seat == int(known.seat)
    drawn = tile if own else NORTH
    state.wall[int(state.replaced) ^ 1 if step == Step.REPLACE else int(state.next)] = drawn
    if step == Step.REPLACE:
        replacement(state)
    elif step == Step.DRAW:
        next_draw(state)
    else:
        first_draw(state)
    if own:
        turn_options(state, tables)
    else:
        give(state.hands[seat], drawn)
        state.drawn = -1
    known.step = Step.WAIT
    return True


@rule
def follow_call(state: State, tables: ShantenTables, known: SeatKnowledge, seat: int, event: TableEvent) -> bool:
    """Let a seat call a discard."""
    if int(known.step) != Step.RESOLVE or seat == int(state.turn) or int(state.tile) != int(event.tile):
        return False
    state.answers[seat] = int(event.detail)
    step = resolve(state, tables)
    if step == Step.SETTLE:
        return False
    known.step = Step.REPLACE if step == Step.REPLACE else Step.WAIT
    state.actor = seat
    if seat == int(known.seat) and step != Step.REPLACE:
        discard_options(state, tables)
    return True


@rule
def follow_turn(state: State, tables: ShantenTables, known: SeatKnowledge, seat: int, event: TableEvent) -> bool:
    """Let the seat to move declare riichi, discard, make a kan or a kita."""
    if int(known.step) != Step.WAIT or seat != int(state.turn):
        return False
    own = seat == int(known.seat)
    form = int(event.event)
    tile = int(event.tile)
    if form == Event.RIICHI:
        declare_riichi(state)
        state.actor = seat
        if own:
            discard_options(state, tables)
        return True
    if form == Event.DISCARD:
        if int(event.detail) == 0:
            discard(state, tables, tile)
        else:
            if not own:
                state.drawn = tile
            discard(state, tables, Action.TSUMOGIRI)
    elif form == Event.KITA:
        kita(state, tables)
    elif form == Event.ANKAN:
        closed_kan(state, tables, tile)
    else:
        added_kan(state, tables, int(event.detail) - Action.KAKAN)
    if ask_next(state) != Step.WAIT:
        state.actor = -1
    known.step = Step.RESOLVE
    return True


@rule
def follow(state: State, tables: ShantenTables, known: SeatKnowledge, event: TableEvent) -> bool:
    """Follow one event; return whether it is possible after the earlier ones."""
    form = int(event.event)
    seat = int(event.seat)
    own = int(known.seat)
    if form == Event.DORA:
        return follow_indicator(state, int(event.tile))
    if form == Event.ACCEPTED:
        return True  # the next event shows whether it was accepted
    if int(known.step) == Step.RESOLVE and int(state.actor) == own:
        state.answers[own] = Action.PASS
    for word in range(3):
        state.legal[word] = 0
    state.actor = -1
    if form == Event.DRAW:
        return follow_draw(state, tables, known, seat, int(event.tile))
    if seat != own:
        for number in range(int(event.laid_count)):
            take(state.hands[seat], int(event.laid[number]))
    if Event.CHII <= form <= Event.DAIMINKAN:
        return follow_call(state, tables, known, seat, event)
    return follow_turn(state, tables, known, seat, event)


@rule
def follow_event(state: State, tables: ShantenTables, known: SeatKnowledge, event: TableEvent) -> Int8:
    """Follow one event; return 1 if it is possible after the earlier ones, else 0."""
    return 1 if follow(state, tables, known, event) else 0


begin_known_hands = batched(begin_known_hand, brief=True)
follow_events = batched(follow_event, brief=True)
