"""Playing: one decision at a time, for one table and for many.

The rules change a table from one decision to the next; where a seat has just one thing it can do, it is done
without asking. Nothing here raises: what is not legal leaves the table as it is and is told in `State.status`.
"""

from __future__ import annotations

from janshi.compiling import Batch, BoolRows, Int8s, Int16s, Int32Rows, Int64s, entry, leaf, part, rule
from janshi.engine import actions
from janshi.engine.ending import follow, settle
from janshi.engine.hand import update_waits
from janshi.engine.legal import discard_options, turn_options
from janshi.engine.moves import (
    ASK,
    DRAW,
    OFFER,
    REPLACE,
    RESOLVE,
    SETTLE,
    WAIT,
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
from janshi.engine.state import (
    CLAIM,
    FINE,
    GAME_OVER,
    HAND_OVER,
    ILLEGAL_ACTION,
    NINE_TERMINALS,
    NOT_ENDED,
    RIVER,
    TSUMO,
    Hand,
    Seat,
    State,
    View,
)
from janshi.engine.tables import Lookup
from janshi.engine.wall import KEYS, PLAY, SEEDS, below, deal, philox, shuffle_wall

# ---------------------------------------------------------------------------------------------------------
# Legal actions


@leaf
def is_legal(state: State, action: int) -> bool:
    """Whether the table's actor may do that."""
    if action < 0 or action >= actions.ACTIONS:
        return False
    if action < actions.ANKAN:
        return int(state.legal[0]) >> action & 1 == 1
    if action < actions.KAKAN:
        return int(state.legal[1]) >> action - actions.ANKAN & 1 == 1
    return int(state.legal[2]) >> action - actions.KAKAN & 1 == 1


@leaf
def bits_set(word: int) -> int:
    """Number of bits set in a word of up to 63 bits."""
    pairs = word - (word >> 1 & 0x5555555555555555)
    fours = (pairs & 0x3333333333333333) + (pairs >> 2 & 0x3333333333333333)
    eights = (fours + (fours >> 4)) & 0x0F0F0F0F0F0F0F0F
    sixteens = eights + (eights >> 8)
    halves = sixteens + (sixteens >> 16)
    return (halves + (halves >> 32)) & 0x7F


@leaf
def nth_bit(word: int, number: int) -> int:
    """Place of the bit set that has so many others set below it."""
    for _ in range(number):
        word &= word - 1
    return bits_set((word & -word) - 1)


@leaf
def count_legal(state: State) -> int:
    """Number of legal actions."""
    count = bits_set(int(state.legal[0]))
    if int(state.legal[1]) | int(state.legal[2]):
        count += bits_set(int(state.legal[1])) + bits_set(int(state.legal[2]))
    return count


@rule
def nth_legal(state: State, number: int) -> int:
    """The legal action that has so many others before it."""
    count = bits_set(int(state.legal[0]))
    if number < count:
        return nth_bit(int(state.legal[0]), number)
    number -= count
    count = bits_set(int(state.legal[1]))
    if number < count:
        return actions.ANKAN + nth_bit(int(state.legal[1]), number)
    return actions.KAKAN + nth_bit(int(state.legal[2]), number - count)


# ---------------------------------------------------------------------------------------------------------
# One table


@rule
def perform(state: State, lookup: Lookup, action: int) -> int:
    """Do a legal action on one's own turn; return the next step."""
    if action <= actions.TSUMOGIRI:
        return discard(state, lookup, action)
    if action == actions.RIICHI:
        return declare_riichi(state)
    if action == actions.KITA:
        return kita(state, lookup)
    if action == actions.TSUMO:
        state.ended = TSUMO
        return SETTLE
    if action == actions.NINE_TERMINALS:
        state.ended = NINE_TERMINALS
        return SETTLE
    if action < actions.KAKAN:
        return closed_kan(state, lookup, action - actions.ANKAN)
    return added_kan(state, lookup, action - actions.KAKAN)


@rule
def run(state: State, lookup: Lookup, step: int) -> None:
    """Play on, step by step, until somebody has something to decide or the hand is over."""
    while step != WAIT:
        if step == ASK:
            step = ask_next(state, lookup)
        elif step == RESOLVE:
            step = resolve(state, lookup)
        elif step == DRAW:
            step = next_draw(state)
        elif step == REPLACE:
            step = replacement(state)
        elif step == SETTLE:
            settle(state, lookup)
            step = WAIT
        else:
            if step == OFFER:
                turn_options(state, lookup)
            else:
                discard_options(state, lookup)
            word = int(state.legal[0])
            step = WAIT
            if word & word - 1 == 0 and int(state.legal[1]) | int(state.legal[2]) == 0:
                step = perform(state, lookup, bits_set(word - 1))


@part
def act(state: State, lookup: Lookup, action: int) -> None:
    """Let the table's actor do one action and play on to the next decision.

    An action that is not legal changes nothing but ``state.status``.
    """
    if not is_legal(state, action):
        state.status = ILLEGAL_ACTION
        return
    state.status = FINE
    state.clock += 1
    step = answer(state, action) if int(state.phase) == CLAIM else perform(state, lookup, action)
    run(state, lookup, step)


@rule
def clear_hand(hand: Hand) -> None:
    """Empty a hand."""
    for kind in range(34):
        hand.counts[kind] = 0
    for suit in range(3):
        hand.reds[suit] = 0
    for suit in range(4):
        hand.suits[suit] = 0
    for count in range(5):
        hand.held[count] = 0
    hand.waits = 0
    hand.shanten = 0
    hand.missed = 0


@rule
def clear_seat(seat: Seat) -> None:
    """Clear a seat for a new hand."""
    for place in range(RIVER):
        seat.river[place] = -1
        seat.marks[place] = 0
    for one in range(4):
        seat.melds[one].form = 0
    seat.river_mask = 0
    seat.calls = 0
    seat.opened = 0
    seat.discards = 0
    seat.kitas = 0
    seat.riichi = 0
    seat.riichi_turn = 0
    seat.accepted = 0
    seat.ippatsu = 0
    seat.nagashi = 1
    seat.liable_dragons = -1
    seat.liable_winds = -1
    seat.liable_quads = -1


@part
def begin_hand(state: State, lookup: Lookup) -> None:
    """Deal a hand from the wall that lies there, or from the seed's, and play on to the first decision."""
    if not int(state.walls_given):
        shuffle_wall(state)
    for who in range(4):
        clear_seat(state.seats[who])
        clear_hand(state.hands[who])
        state.change[who] = 0
        state.answers[who] = -1
    for place in range(5):
        state.indicators[place] = -1
    state.logged = 0
    state.turns = 1
    state.kans = 0
    state.interrupted = 0
    state.claimed = 0
    state.forbidden = 0
    state.pending = 0
    state.declared = -1
    state.to_ask = 0
    state.ended = NOT_ENDED
    state.winners = 0
    state.over = 0
    deal(state)
    sanma = int(state.rules.players) == 3
    for who in range(int(state.rules.players)):
        hand = state.hands[who]
        hand.shanten = 1
        update_waits(hand, lookup, 4, sanma)
    run(state, lookup, first_draw(state))


@leaf
def clear_game(state: State) -> None:
    """Lay a table for a new game: equal points, East 1."""
    state.kyoku = 0
    state.dealer = 0
    state.honba = 0
    state.deposits = 0
    state.hand_number = 0
    for seat in range(4):
        state.seats[seat].points = int(state.rules.start)


@part
def begin_game(state: State, lookup: Lookup) -> None:
    """Start a game."""
    clear_game(state)
    begin_hand(state, lookup)


@part
def next_hand(state: State, lookup: Lookup) -> None:
    """Go on to the next hand of the game; where the game is over, nothing happens."""
    if int(state.phase) == HAND_OVER:
        follow(state)
        state.hand_number += 1
        begin_hand(state, lookup)


# ---------------------------------------------------------------------------------------------------------
# Many tables


@leaf
def next_seed(state: State) -> None:
    """Derive the seed of a table's next game from that of the last one."""
    state.games += 1
    high, low, _, _ = philox(int(state.seed), SEEDS, int(state.games), 0)
    state.seed = (high & 0x7FFFFFFF) << 32 | low


@part
def go_on(state: State, lookup: Lookup) -> None:
    """Go on after a hand or a game that is over."""
    if int(state.phase) == GAME_OVER:
        next_seed(state)
        clear_game(state)
    else:
        follow(state)
        state.hand_number += 1
    begin_hand(state, lookup)


@entry
def begin_games(states: Batch[State], lookups: Batch[Lookup], which: Int64s) -> None:
    """Start a game at each of the tables."""
    for place in range(len(which)):
        begin_game(states[which[place]], lookups[0])


@entry
def next_hands(states: Batch[State], lookups: Batch[Lookup], which: Int64s) -> None:
    """Begin the next hand at each of the tables whose hand is over and whose game is not."""
    for place in range(len(which)):
        next_hand(states[which[place]], lookups[0])


@entry
def begin_hands(states: Batch[State], lookups: Batch[Lookup], which: Int64s) -> None:
    """Deal a hand at each of the tables, whose round, dealer, points and sticks are set."""
    for place in range(len(which)):
        begin_hand(states[which[place]], lookups[0])


@entry
def step_tables(
    states: Batch[State],
    lookups: Batch[Lookup],
    chosen: Int16s,
    first: int,
    last: int,
    goes_on: bool,
    ended: Int8s,
    change: Int32Rows,
    points: Int32Rows,
) -> int:
    """Let each table's actor act; return the first table whose action is not legal, or −1.

    ``ended`` is 1 for a hand over, 2 for a game; ``change`` is then what the hand has changed of every seat's points,
    and ``points`` what they are, before a table goes on. A table that waits for nobody is left alone.
    """
    wrong = -1
    for place in range(first, last):
        state = states[place]
        ended[place] = 0
        for seat in range(4):
            change[place, seat] = 0
        if int(state.phase) < HAND_OVER:
            act(state, lookups[0], int(chosen[place]))
            if int(state.status) != FINE and wrong < 0:
                wrong = place
            if int(state.phase) >= HAND_OVER:
                ended[place] = int(state.phase) - HAND_OVER + 1
                for seat in range(4):
                    stick = 1000 if int(state.seats[seat].accepted) else 0
                    change[place, seat] = int(state.change[seat]) - stick
                    points[place, seat] = int(state.seats[seat].points)
                if goes_on:
                    go_on(state, lookups[0])
    return wrong


@entry
def write_legal(states: Batch[State], which: Int64s, mask: BoolRows) -> None:
    """Write the legal actions of the tables' actors, one row of 122 each."""
    for place in range(len(which)):
        state = states[which[place]]
        simple, closed, added = int(state.legal[0]), int(state.legal[1]), int(state.legal[2])
        for action in range(actions.ANKAN):
            mask[place, action] = simple >> action & 1 == 1
        for kind in range(34):
            mask[place, actions.ANKAN + kind] = closed >> kind & 1 == 1
            mask[place, actions.KAKAN + kind] = added >> kind & 1 == 1


@rule
def write_view(state: State, seat: int, view: View) -> None:
    """Write the hidden part of a seat's view; the public part is copied by the caller, byte by byte."""
    asked = int(state.actor) == seat
    own = state.hands[seat]
    hand = view.hand
    for kind in range(34):
        hand.counts[kind] = int(own.counts[kind])
    for suit in range(3):
        hand.reds[suit] = int(own.reds[suit])
    for suit in range(4):
        hand.suits[suit] = int(own.suits[suit])
    for count in range(5):
        hand.held[count] = int(own.held[count])
    hand.waits = int(own.waits)
    hand.shanten = int(own.shanten)
    hand.missed = int(own.missed)
    view.drawn = int(state.drawn) if int(state.turn) == seat else -1
    view.seat = seat
    view.forbidden = int(state.forbidden) if int(state.turn) == seat else 0
    for word in range(3):
        view.legal[word] = int(state.legal[word]) if asked else 0


@entry
def write_views(states: Batch[State], which: Int64s, seats: Int8s, views: Batch[View]) -> None:
    """Write the hidden part of the views of the seats at the tables: see `write_view`."""
    for place in range(len(which)):
        write_view(states[which[place]], int(seats[place]), views[place])


@entry
def play_random(states: Batch[State], lookups: Batch[Lookup], decisions: int, first: int, last: int) -> int:
    """Let every table take so many decisions, each legal action as likely as the other; return the hands ended."""
    hands = 0
    for place in range(first, last):
        state = states[place]
        for _ in range(decisions):
            word, _b, _c, _d = philox(int(state.seed), PLAY, int(state.clock), 0)
            act(state, lookups[0], nth_legal(state, below(word, count_legal(state))))
            if int(state.phase) >= HAND_OVER:
                hands += 1
                go_on(state, lookups[0])
    return hands


@entry
def write_keys(states: Batch[State], which: Int64s, keys: Int64s) -> None:
    """Write a random number (63 bits) for the decision that each of the tables waits for."""
    for place in range(len(which)):
        state = states[which[place]]
        high, low, _, _ = philox(int(state.seed), KEYS, int(state.clock), int(state.actor))
        keys[place] = (high & 0x7FFFFFFF) << 32 | low
