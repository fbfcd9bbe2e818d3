"""Turns common to games in which seats draw, discard and claim tiles.

The functions are templates. `janshi.compiling.specialised` copies one for a game, with the game's records and rules in
place of the placeholders below, where an editor's jump to a definition ends. Their values are in modules of the games
(`janshi.riichi`, `janshi.sichuan`): `EVENTS` in ``state.py``, those of claims in ``play/moves.py`` (``_TURNS``,
``_ASKING``), those of steps in ``play/steps.py`` (``STEPS``).

The table always waits for exactly one seat. A tile that others may claim is offered to them in turn order
(`ask_in_turn`). Their answers are stored, and after the last one the best claim is executed (`best_claim`). Each step
of a game returns the next `Step` to one loop (`run_steps`).
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Final, TypeAlias


class Step(IntEnum):
    """Steps of the loop `run_steps`."""

    WAIT = 0  # a seat must decide
    DRAW = 1  # the next seat draws
    REPLACE = 2  # the seat draws a replacement tile
    OFFER = 3  # the actor decides on its own turn
    OFFER_DISCARD = 4  # the actor must discard
    ASK = 5  # the next seat may claim the tile
    RESOLVE = 6  # all seats have answered
    SETTLE = 7  # the hand is over


# ---------------------------------------------------------------------------------------------------------
# Placeholders of a game's own values and rules

State: TypeAlias = Any
Lookup: TypeAlias = Any
#: Phase in which a seat may claim another's tile.
CLAIM: Final = 0
#: Rows of the log.
EVENTS: Final = 0
#: Claims: win; the first and the last call; the first call that takes precedence over others.
WIN: Final = 0
FIRST_CALL: Final = 0
LAST_CALL: Final = 0
FIRST_BEFORE: Final = 0


def _given(*arguments: Any) -> Any:
    """Placeholder of a rule of the game."""
    raise NotImplementedError


#: ``(state) -> int``: number of players.
seats_of = _given
#: ``(state) -> bool``: whether a tile may be claimed only to win.
only_wins = _given
#: ``(state, seat, only_wins) -> int``: claims open to a seat; 0 if it has none.
claim_options = _given
#: ``(state, options)``: write the actor's options.
write_options = _given
#: ``(state, lookup, step) -> int``: let the actor decide, or execute its only action.
offer = _given
is_legal = answer = perform = next_draw = replacement = resolve = settle = ask_next = run = _given


# ---------------------------------------------------------------------------------------------------------
# Templates


def log_event(state: State, event: int, seat: int, tile: int, detail: int) -> None:
    """Write an event into the log."""
    first = 4 * int(state.logged)
    if first < 4 * EVENTS:
        state.log[first] = event
        state.log[first + 1] = seat
        state.log[first + 2] = tile
        state.log[first + 3] = detail
        state.logged += 1


def offer_tile(state: State, tile: int, source: int) -> int:
    """Offer a tile to the other seats."""
    state.tile = tile
    state.claimed = source
    state.phase = CLAIM
    for seat in range(4):
        state.answers[seat] = -1
    state.to_ask = (1 << seats_of(state)) - 1 & ~(1 << int(state.turn))
    return Step.ASK


def ask_in_turn(state: State) -> int:
    """Ask the next seat in turn that can claim the tile; resolve the claims after the last one."""
    players = seats_of(state)
    turn = int(state.turn)
    to_ask = int(state.to_ask)
    wins_alone = only_wins(state)
    for step in range(1, players):
        who = (turn + step) % players
        if to_ask >> who & 1:
            to_ask &= ~(1 << who)
            options = claim_options(state, who, wins_alone)
            if options:
                state.to_ask = to_ask
                state.actor = who
                write_options(state, options)
                return Step.WAIT
    state.to_ask = 0
    return Step.RESOLVE


def best_claim(state: State) -> tuple[int, int]:
    """Return the number of seats that claim a win, and the seat with the best other claim (−1: none)."""
    players = seats_of(state)
    turn = int(state.turn)
    wins = 0
    caller = -1
    for step in range(1, players):
        who = (turn + step) % players
        claim = int(state.answers[who])
        if claim == WIN:
            wins += 1
        elif claim >= FIRST_CALL and claim <= LAST_CALL and (caller < 0 or claim >= FIRST_BEFORE):
            caller = who
    return wins, caller


def run_steps(state: State, lookup: Lookup, step: int) -> None:
    """Execute steps until a seat must decide or the hand is over."""
    while step != Step.WAIT:
        if step == Step.ASK:
            step = ask_next(state)
        elif step == Step.RESOLVE:
            step = resolve(state, lookup)
        elif step == Step.DRAW:
            step = next_draw(state)
        elif step == Step.REPLACE:
            step = replacement(state)
        elif step == Step.SETTLE:
            settle(state)
            step = Step.WAIT
        else:
            step = offer(state, lookup, step)


def act(state: State, lookup: Lookup, action: int) -> None:
    """Execute an action of the actor, and continue to the next decision; an illegal action changes nothing."""
    if is_legal(state, action):
        state.clock += 1
        step = answer(state, action) if int(state.phase) == CLAIM else perform(state, lookup, action)
        run(state, lookup, step)
