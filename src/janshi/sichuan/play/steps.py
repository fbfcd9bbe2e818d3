"""Play of Sichuan mahjong from one decision to the next. A single legal action is taken without a decision."""

from __future__ import annotations

from typing import Any, Final

from janshi.compiling import Bools, Int8, copy_record, leaf, part, rule, specialised
from janshi.core import turns
from janshi.core.bits import bits_set, nth_bit
from janshi.core.shanten_tables import ShantenTables
from janshi.core.shape import clear_shape
from janshi.core.turns import Step
from janshi.sichuan.actions import ACTIONS, Action
from janshi.sichuan.play.legal import own_options
from janshi.sichuan.play.moves import (
    answer,
    ask_next,
    begin_phase,
    discard,
    give_away,
    next_draw,
    own_kong,
    replacement,
    resolve,
    void_suit,
    win_self_drawn,
)
from janshi.sichuan.play.settlement import next_dealer, settle
from janshi.sichuan.play.wall import deal
from janshi.sichuan.rules import Exchange
from janshi.sichuan.state import EVENTS, KINDS, RIVER, Ending, Event, Events, Hand, Phase, Seat, State, View

# ---------------------------------------------------------------------------------------------------------
# One table


@leaf
def is_legal(state: State, action: int) -> bool:
    """Return whether an action is legal for the table's actor."""
    return 0 <= action < ACTIONS and int(state.legal) >> action & 1 == 1


@leaf
def count_legal(state: State) -> int:
    """Return the number of legal actions."""
    return bits_set(int(state.legal))


@leaf
def nth_legal(state: State, number: int) -> int:
    """Return the legal action with the given number of others before it."""
    return nth_bit(int(state.legal), number)


@rule
def perform(state: State, tables: ShantenTables, action: int) -> int:
    """Execute a legal action, except an answer about another's tile; return the next step."""
    phase = int(state.phase)
    if phase == Phase.EXCHANGE:
        return give_away(state, tables, action)
    if phase == Phase.VOID:
        return void_suit(state, tables, action)
    if action < Action.VOID:
        return discard(state, tables, action)
    if action == Action.WIN:
        return win_self_drawn(state)
    return own_kong(state, tables, action - Action.OWN_KONG)


@part
def offer(state: State, tables: ShantenTables, step: int) -> int:
    """Let the actor decide, or execute its only legal action; return the next step."""
    options = own_options(state)
    state.legal = options
    return perform(state, tables, bits_set(options - 1)) if options & options - 1 == 0 else Step.WAIT


STEPS: Final[dict[str, Any]] = {
    "State": State,
    "Lookup": ShantenTables,
    "CLAIM": Phase.CLAIM,
    "is_legal": is_legal,
    "answer": answer,
    "perform": perform,
    "offer": offer,
    "ask_next": ask_next,
    "resolve": resolve,
    "next_draw": next_draw,
    "replacement": replacement,
    "settle": settle,
}
run = STEPS["run"] = rule(specialised(turns.run_steps, __name__, **STEPS))
act = part(specialised(turns.act, __name__, **STEPS))


@rule
def clear_hand(hand: Hand) -> None:
    """Empty a hand."""
    for kind in range(KINDS):
        hand.counts[kind] = 0
    clear_shape(hand.concealed)
    hand.waits = 0
    hand.shanten = 0
    hand.passed = 0
    hand.void = -1
    hand.laid = -1
    for slot in range(3):
        hand.given[slot] = -1
        hand.received[slot] = -1


@rule
def clear_seat(seat: Seat) -> None:
    """Clear a seat for a new hand."""
    for slot in range(RIVER):
        seat.river[slot] = -1
        seat.marks[slot] = 0
    for kind in range(KINDS):
        seat.discarded[kind] = 0
    for slot in range(4):
        seat.melds[slot].form = 0
    seat.calls = 0
    seat.void = -1
    seat.won = 0
    seat.discards = 0
    seat.pungs = 0
    seat.kongs = 0
    seat.ready = 0
    seat.pig = 0


@rule
def begin_hand(state: State, tables: ShantenTables) -> None:
    """Deal a hand from the current wall and continue to the first decision."""
    for who in range(4):
        clear_seat(state.seats[who])
        clear_hand(state.hands[who])
        state.before[who] = int(state.seats[who].points)
        state.answers[who] = -1
        state.passable[who] = 0
    for pair in range(16):
        state.kong_money[pair] = 0
    state.winners = 0
    state.logged = 0
    state.tile = -1
    state.claimed = 0
    state.direction = 0
    state.replaced = 0
    state.called = 0
    state.ended = Ending.NOT_ENDED
    state.turn = int(state.dealer)
    deal(state)
    exchange = int(state.rules.exchange) != Exchange.OFF
    run(state, tables, begin_phase(state, Phase.EXCHANGE if exchange else Phase.VOID))


@rule
def begin_next_hand(state: State, tables: ShantenTables) -> None:
    """Deal the first hand of a game, with seat 0 as dealer, or the hand after the previous one."""
    state.dealer = next_dealer(state) if int(state.hand_number) else 0
    begin_hand(state, tables)


# ---------------------------------------------------------------------------------------------------------
# Views


@rule
def write_legal(state: State, mask: Bools) -> None:
    """Write the legal actions of the table's actor (61)."""
    legal = int(state.legal)
    for action in range(ACTIONS):
        mask[action] = legal >> action & 1 == 1


@rule
def write_view(state: State, seat: Int8, view: View) -> None:
    """Write the information of a seat.

    In `Phase.CLAIM` the other seats do not learn who is asked: ``actor`` is −1 in their views.
    """
    copy_record(state, view)
    copy_record(state.hands[seat], view.hand)
    asked = int(state.actor) == seat
    if not asked and int(state.phase) == Phase.CLAIM:
        view.actor = -1
    own_turn = int(state.turn) == seat and int(state.phase) == Phase.TURN
    view.drawn = int(state.drawn) if own_turn else -1
    view.seat = seat
    view.hand_number = int(state.hand_number)
    view.legal = int(state.legal) if asked else 0


@leaf
def may_know(state: State, event: int, first: int, seat: int) -> bool:
    """Return whether a seat may know the tile or suit of the event at a slot of the log."""
    if event == Event.DRAW or event == Event.REPLACE:
        return int(state.log[first + 1]) == seat
    if event == Event.GIVE:
        return int(state.log[first + 1]) == seat or int(state.log[first + 3]) == seat
    if event == Event.VOID:
        return int(state.log[first + 1]) == seat or int(state.seats[int(state.log[first + 1])].void) >= 0
    return True


@rule
def write_events(state: State, seat: Int8, events: Events) -> None:
    """Write the events of the hand visible to a seat; hidden tiles and suits are −1."""
    count = min(int(state.logged), EVENTS)
    events.count = count
    for number in range(4 * count):
        events.rows[number] = int(state.log[number])
    for number in range(4 * count, 4 * EVENTS):
        events.rows[number] = 0
    for number in range(0, 4 * count, 4):
        event = int(state.log[number])
        if not may_know(state, event, number, seat):
            events.rows[number + 2] = -1
            if event == Event.VOID:
                events.rows[number + 3] = -1
