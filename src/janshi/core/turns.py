"""What games share in which seats draw, discard and claim tiles in turn.

The table always waits for one seat. A tile that others may claim is offered to them one after the other in turn order
(`ask_in_turn`), their answers are kept, and when all have answered the best claim gets it (`best_claim`). Each step of
a game returns the next `Step` to one loop (`run_steps`). The functions are templates: a game compiles them for its own
records with `janshi.compiling.specialised`, and gives the rules that they call, named like the stand-ins below.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Final, TypeAlias


class Step(IntEnum):
    """Steps of the loop `run_steps`."""

    WAIT = 0  # for a decision
    DRAW = 1  # the next seat draws
    REPLACE = 2  # the seat draws a replacement tile
    OFFER = 3  # the actor decides, about no tile of another's
    OFFER_DISCARD = 4  # the actor must discard
    ASK = 5  # the next seat is asked about a tile
    RESOLVE = 6  # all have answered
    SETTLE = 7  # the hand is over


# ---------------------------------------------------------------------------------------------------------
# Stand-ins for what a game gives

State: TypeAlias = Any
Lookup: TypeAlias = Any
#: Phase in which a seat is asked about another's tile.
CLAIM: Final = 0
#: Rows of the log.
EVENTS: Final = 0
#: Actions that claim a tile: to win; the first and the last one that call it; the first that goes before others.
WIN: Final = 0
FIRST_CALL: Final = 0
LAST_CALL: Final = 0
FIRST_BEFORE: Final = 0


def _given(*arguments: Any) -> Any:
    """Stand for a rule of the game."""
    raise NotImplementedError


#: ``(state) -> int``: how many play.
seats_of = _given
#: ``(state) -> bool``: whether a tile may be claimed to win alone.
only_wins = _given
#: ``(state, seat, only_wins) -> int``: what a seat may do about a tile; 0 where it has nothing to decide.
claim_options = _given
#: ``(state, options)``: write what the actor may do.
write_options = _given
#: ``(state, lookup, step) -> int``: let the actor decide, or do the one thing that it can do.
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
    """Let the other seats be asked about a tile."""
    state.tile = tile
    state.claimed = source
    state.phase = CLAIM
    for seat in range(4):
        state.answers[seat] = -1
    state.to_ask = (1 << seats_of(state)) - 1 & ~(1 << int(state.turn))
    return Step.ASK


def ask_in_turn(state: State) -> int:
    """Ask the next seat in turn that has something to decide about the tile; when all have answered, go on."""
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
    """Return the number of seats that claim the tile to win, and the seat with the best claim to call it (−1: none)."""
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
    """Play on, step by step, until somebody has something to decide or the hand is over."""
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
    """Let the table's actor do one action and play on to the next decision; what is not legal changes nothing."""
    if is_legal(state, action):
        state.clock += 1
        step = answer(state, action) if int(state.phase) == CLAIM else perform(state, lookup, action)
        run(state, lookup, step)
