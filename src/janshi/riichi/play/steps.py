"""Play from one decision to the next. A single legal action is taken without a decision.

Nothing here raises; an illegal action leaves the table unchanged.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Bools, Int8, Int32, Record, batched, copy_record, leaf, part, rule, specialised
from janshi.core import turns
from janshi.core.bits import bits_set, nth_bit
from janshi.core.shanten_tables import ShantenTables
from janshi.core.shape import clear_shape
from janshi.core.turns import Step
from janshi.riichi.actions import ACTIONS, SIMPLE_ACTIONS, Action
from janshi.riichi.hands.concealed import update_waits
from janshi.riichi.play.ending import follow, settle
from janshi.riichi.play.legal import discard_options, turn_options
from janshi.riichi.play.moves import (
    added_kan,
    answer,
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
from janshi.riichi.play.wall import deal
from janshi.riichi.state import (
    EVENTS,
    RIVER,
    Ending,
    Event,
    Events,
    Hand,
    Phase,
    Seat,
    State,
    View,
)

# ---------------------------------------------------------------------------------------------------------
# Legal actions


@leaf
def is_legal(state: State, action: int) -> bool:
    """Return whether an action is legal for the table's actor."""
    if action < 0 or action >= ACTIONS:
        return False
    if action < Action.ANKAN:
        return int(state.legal[0]) >> action & 1 == 1
    if action < Action.KAKAN:
        return int(state.legal[1]) >> action - Action.ANKAN & 1 == 1
    return int(state.legal[2]) >> action - Action.KAKAN & 1 == 1


@leaf
def count_legal(state: State) -> int:
    """Return the number of legal actions."""
    count = bits_set(int(state.legal[0]))
    if int(state.legal[1]) | int(state.legal[2]):
        count += bits_set(int(state.legal[1])) + bits_set(int(state.legal[2]))
    return count


@rule
def nth_legal(state: State, number: int) -> int:
    """Return the legal action with the given number of others before it."""
    count = bits_set(int(state.legal[0]))
    if number < count:
        return nth_bit(int(state.legal[0]), number)
    number -= count
    count = bits_set(int(state.legal[1]))
    if number < count:
        return Action.ANKAN + nth_bit(int(state.legal[1]), number)
    return Action.KAKAN + nth_bit(int(state.legal[2]), number - count)


# ---------------------------------------------------------------------------------------------------------
# One table


@rule
def perform(state: State, tables: ShantenTables, action: int) -> int:
    """Execute a legal action on the own turn; return the next step."""
    if action <= Action.TSUMOGIRI:
        return discard(state, tables, action)
    if action == Action.RIICHI:
        return declare_riichi(state)
    if action == Action.KITA:
        return kita(state, tables)
    if action == Action.TSUMO:
        state.ended = Ending.TSUMO
        return Step.SETTLE
    if action == Action.KYUUSHU_KYUUHAI:
        state.ended = Ending.KYUUSHU_KYUUHAI
        return Step.SETTLE
    if action < Action.KAKAN:
        return closed_kan(state, tables, action - Action.ANKAN)
    return added_kan(state, tables, action - Action.KAKAN)


@part
def offer(state: State, tables: ShantenTables, step: int) -> int:
    """Let the seat to move decide, or execute its only legal action; return the next step."""
    if step == Step.OFFER:
        turn_options(state, tables)
    else:
        discard_options(state, tables)
    word = int(state.legal[0])
    if word & word - 1 == 0 and int(state.legal[1]) | int(state.legal[2]) == 0:
        return perform(state, tables, bits_set(word - 1))
    return Step.WAIT


#: The rules that the templates of `janshi.core.turns` are compiled with.
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
    for kind in range(34):
        hand.counts[kind] = 0
    for suit in range(3):
        hand.reds[suit] = 0
    clear_shape(hand.concealed)
    hand.waits = 0
    hand.shanten = 0
    hand.missed = 0


@rule
def clear_seat(seat: Seat) -> None:
    """Clear a seat for a new hand."""
    for slot in range(RIVER):
        seat.river[slot] = -1
        seat.marks[slot] = 0
    for slot in range(4):
        seat.melds[slot].form = 0
    seat.river_mask = 0
    seat.passed = 0
    seat.calls = 0
    seat.opened = 0
    seat.discards = 0
    seat.kitas = 0
    seat.riichi = 0
    seat.riichi_turn = 0
    seat.accepted = 0
    seat.ippatsu = 0
    seat.nagashi = 1
    seat.pao_dragons = -1
    seat.pao_winds = -1
    seat.pao_kans = -1


@rule
def clear_table(state: State) -> None:
    """Clear a table for a new hand; round, dealer, points and sticks stay."""
    for who in range(4):
        clear_seat(state.seats[who])
        clear_hand(state.hands[who])
        state.change[who] = 0
        state.answers[who] = -1
    for slot in range(5):
        state.indicators[slot] = -1
    state.logged = 0
    state.turns = 1
    state.kans = 0
    state.interrupted = 0
    state.claimed = 0
    state.forbidden = 0
    state.pending = 0
    state.declared = -1
    state.to_ask = 0
    state.ended = Ending.NOT_ENDED
    state.winners = 0
    state.over = 0


@rule
def deal_hand(state: State, tables: ShantenTables) -> None:
    """Deal a hand from the current wall. Round, dealer, points and sticks must be set."""
    clear_table(state)
    deal(state)
    sanma = int(state.rules.players) == 3
    for who in range(int(state.rules.players)):
        hand = state.hands[who]
        hand.shanten = 1
        update_waits(hand, tables, 4, sanma)


@rule
def begin_hand(state: State, tables: ShantenTables) -> None:
    """Deal a hand, see `deal_hand`, and play on to the first decision."""
    deal_hand(state, tables)
    run(state, tables, first_draw(state))


class HandStart(Record):
    """Given start of a hand, independent of a seed: wall, round and points."""

    wall: Annotated[NDArray[np.int8], 136]  # tiles in the order of `State.wall`; three players use the first 108
    points: Annotated[NDArray[np.int32], 4]
    kyoku: Int32
    honba: Int32
    deposits: Int32
    dealer: Int8


@rule
def begin_given_hand(state: State, tables: ShantenTables, start: HandStart) -> None:
    """Deal a hand from a given start and continue to the first decision; seed, clock and hand number stay."""
    for slot in range(136):
        state.wall[slot] = int(start.wall[slot])
    state.walls_given = 1
    state.kyoku = int(start.kyoku)
    state.honba = int(start.honba)
    state.deposits = int(start.deposits)
    state.dealer = int(start.dealer)
    for seat in range(4):
        state.seats[seat].points = int(start.points[seat])
    begin_hand(state, tables)


@rule
def begin_next_hand(state: State, tables: ShantenTables) -> None:
    """Deal the first hand of a game, or the hand after the previous one."""
    if int(state.hand_number) == 0:
        state.kyoku = 0
        state.dealer = 0
        state.honba = 0
        state.deposits = 0
    else:
        follow(state)
    begin_hand(state, tables)


# ---------------------------------------------------------------------------------------------------------
# Views


@leaf
def change_of(state: State, seat: int) -> int:
    """Return the change of a seat's points since the deal of a finished hand, its riichi stick included."""
    return int(state.change[seat]) - (1000 if int(state.seats[seat].accepted) else 0)


@rule
def write_legal(state: State, mask: Bools) -> None:
    """Write the legal actions of the table's actor (122)."""
    simple, closed, added = int(state.legal[0]), int(state.legal[1]), int(state.legal[2])
    for action in range(SIMPLE_ACTIONS):
        mask[action] = simple >> action & 1 == 1
    for kind in range(34):
        mask[Action.ANKAN + kind] = closed >> kind & 1 == 1
        mask[Action.KAKAN + kind] = added >> kind & 1 == 1


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
    view.drawn = int(state.drawn) if int(state.turn) == seat else -1
    view.seat = seat
    view.forbidden = int(state.forbidden) if int(state.turn) == seat else 0
    for word in range(3):
        view.legal[word] = int(state.legal[word]) if asked else 0


@rule
def write_events(state: State, seat: Int8, events: Events) -> None:
    """Write the events of the hand visible to a seat; tiles drawn by others are −1."""
    count = min(int(state.logged), EVENTS)
    events.count = count
    for number in range(4 * count):
        events.rows[number] = int(state.log[number])
    for number in range(4 * count, 4 * EVENTS):
        events.rows[number] = 0
    for number in range(0, 4 * count, 4):
        if int(state.log[number]) == Event.DRAW and int(state.log[number + 1]) != seat:
            events.rows[number + 2] = -1


begin_given_hands = batched(begin_given_hand, brief=True)
