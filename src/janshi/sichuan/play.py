"""Playing Sichuan mahjong: one decision at a time, for one table and for many.

The rules change a table from one decision to the next; where a seat has just one thing it can do, it is done without
asking.
"""

from __future__ import annotations

from janshi.compiling import Bools, Int8, Int16, Int64s, batched, copy_record, leaf, part, rule
from janshi.core.bits import bits_set, nth_bit
from janshi.core.game import StepResult
from janshi.core.random import Stream, below, following_seed, philox, random_word
from janshi.core.shanten_tables import ShantenTables
from janshi.core.shape import clear_shape
from janshi.sichuan.actions import ACTIONS, Action
from janshi.sichuan.legal import own_options
from janshi.sichuan.moves import (
    Step,
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
from janshi.sichuan.rules import Exchange
from janshi.sichuan.settlement import next_dealer, settle
from janshi.sichuan.state import EVENTS, KINDS, RIVER, Ending, Event, Events, Hand, Phase, Seat, State, View
from janshi.sichuan.wall import deal, shuffle_wall

# ---------------------------------------------------------------------------------------------------------
# One table


@leaf
def is_legal(state: State, action: int) -> bool:
    """Whether the table's actor may do that."""
    return 0 <= action < ACTIONS and int(state.legal) >> action & 1 == 1


@rule
def perform(state: State, tables: ShantenTables, action: int) -> int:
    """Do a legal action that is no answer about another's tile; return the next step."""
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


@rule
def run(state: State, tables: ShantenTables, step: int) -> None:
    """Play on, step by step, until somebody has something to decide or the hand is over."""
    while step != Step.WAIT:
        if step == Step.ASK:
            step = ask_next(state)
        elif step == Step.RESOLVE:
            step = resolve(state, tables)
        elif step == Step.DRAW:
            step = next_draw(state)
        elif step == Step.REPLACE:
            step = replacement(state)
        elif step == Step.SETTLE:
            settle(state)
            step = Step.WAIT
        else:
            options = own_options(state)
            state.legal = options
            step = Step.WAIT
            if options & options - 1 == 0:
                step = perform(state, tables, bits_set(options - 1))


@part
def act(state: State, tables: ShantenTables, action: int) -> None:
    """Let the table's actor do a legal action and play on to the next decision."""
    state.clock += 1
    step = answer(state, action) if int(state.phase) == Phase.CLAIM else perform(state, tables, action)
    run(state, tables, step)


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
        seat.melds[slot].kind = -1
        seat.melds[slot].discarder = -1
    seat.calls = 0
    seat.void = -1
    seat.won = 0
    seat.discards = 0
    seat.pungs = 0
    seat.kongs = 0
    seat.ready = 0
    seat.pig = 0


@rule
def clear_wins(state: State) -> None:
    """Clear the wins of a hand."""
    for number in range(3):
        win = state.wins[number]
        for fan in range(12):
            win.value.times[fan] = 0
        win.value.fan = 0
        win.value.points = 0
        win.seat = 0
        win.discarder = 0
        win.tile = 0
        win.robbed = 0
    state.winners = 0


@rule
def begin_hand(state: State, tables: ShantenTables) -> None:
    """Deal a hand from the wall that lies there, or from the seed's, and play on to the first decision."""
    if not int(state.walls_given):
        shuffle_wall(state)
    clear_wins(state)
    for who in range(4):
        clear_seat(state.seats[who])
        clear_hand(state.hands[who])
        state.before[who] = int(state.seats[who].points)
        state.last_kong[who] = 0
        state.answers[who] = -1
        state.passable[who] = 0
    for pair in range(16):
        state.kong_money[pair] = 0
    state.logged = 0
    state.tile = -1
    state.claimed = 0
    state.direction = 0
    state.replaced = 0
    state.called = 0
    state.to_ask = 0
    state.ended = Ending.NOT_ENDED
    state.turn = int(state.dealer)
    deal(state)
    exchange = int(state.rules.exchange) != Exchange.OFF
    run(state, tables, begin_phase(state, Phase.EXCHANGE if exchange else Phase.VOID))


@leaf
def clear_game(state: State) -> None:
    """Lay a table for a new game: equal points, seat 0 deals."""
    state.dealer = 0
    state.hand_number = 0
    for seat in range(4):
        state.seats[seat].points = int(state.rules.start)


@rule
def begin_game(state: State, tables: ShantenTables) -> None:
    """Start a game from the table's seed, or from the wall that lies there."""
    clear_game(state)
    begin_hand(state, tables)


@leaf
def follow(state: State) -> None:
    """Go on to the next hand of a game."""
    state.dealer = next_dealer(state)
    state.hand_number += 1


@rule
def next_hand(state: State, tables: ShantenTables) -> None:
    """Go on to the next hand of the game; where the game is over, nothing happens."""
    if int(state.phase) == Phase.HAND_OVER:
        follow(state)
        begin_hand(state, tables)


@rule
def go_on(state: State, tables: ShantenTables) -> None:
    """Go on after a hand or a game that is over."""
    if int(state.phase) == Phase.GAME_OVER:
        state.games += 1
        state.seed = following_seed(int(state.seed), int(state.games))
        clear_game(state)
    else:
        follow(state)
    begin_hand(state, tables)


# ---------------------------------------------------------------------------------------------------------
# What Python calls


@rule
def step_table(state: State, tables: ShantenTables, action: Int16, goes_on: bool, result: StepResult) -> None:
    """Let the actor of a table do a legal action; ``goes_on``: begin the next hand or game where one has ended.

    A table that waits for nobody is left alone.
    """
    result.ended = 0
    for seat in range(4):
        result.change[seat] = 0
    if int(state.phase) < Phase.HAND_OVER:
        act(state, tables, int(action))
        if int(state.phase) >= Phase.HAND_OVER:
            result.ended = int(state.phase) - Phase.HAND_OVER + 1
            for seat in range(4):
                result.points[seat] = int(state.seats[seat].points)
                result.change[seat] = int(state.seats[seat].points) - int(state.before[seat])
            if goes_on:
                go_on(state, tables)


@rule
def refuses(state: State, action: Int16) -> int:
    """1 where a table waits for an action and this one is not legal, else 0."""
    return 1 if not is_legal(state, int(action)) and int(state.phase) < Phase.HAND_OVER else 0


@rule
def write_legal(state: State, mask: Bools) -> None:
    """Write the legal actions of the table's actor (61)."""
    legal = int(state.legal)
    for action in range(ACTIONS):
        mask[action] = legal >> action & 1 == 1


@rule
def write_view(state: State, seat: Int8, view: View) -> None:
    """Write what a seat may know.

    While a seat is asked about another's tile, only its own view says so: in the others ``actor`` is −1.
    """
    copy_record(state, view)
    copy_record(state.hands[seat], view.hand)
    asked = int(state.actor) == seat
    if not asked and int(state.phase) == Phase.CLAIM:
        view.actor = -1
    own_turn = int(state.turn) == seat and int(state.phase) == Phase.TURN
    view.drawn = int(state.drawn) if own_turn else -1
    view.seat = seat
    view.legal = int(state.legal) if asked else 0


@leaf
def may_know(state: State, event: int, first: int, seat: int) -> bool:
    """Whether a seat may know the tile, or the suit, of an event, which begins at that slot of the log."""
    if event == Event.DRAW or event == Event.REPLACE:
        return int(state.log[first + 1]) == seat
    if event == Event.GIVE:
        return int(state.log[first + 1]) == seat or int(state.log[first + 3]) == seat
    if event == Event.VOID:
        return int(state.log[first + 1]) == seat or int(state.seats[int(state.log[first + 1])].void) >= 0
    return True


@rule
def write_events(state: State, seat: Int8, events: Events) -> None:
    """Write what has happened in the hand as a seat may know it: tiles and suits that it does not know are −1."""
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


@rule
def write_decision(state: State, view: View, legal: Bools, random: Int64s) -> None:
    """Write all that an agent is given for the decision that a table waits for."""
    write_view(state, int(state.actor), view)
    write_legal(state, legal)
    random[0] = random_word(int(state.seed), Stream.DECISIONS, int(state.clock), int(state.actor))


@rule
def play_random(state: State, tables: ShantenTables, decisions: int) -> int:
    """Take so many decisions, each legal action as likely as the other; return the hands ended."""
    hands = 0
    for _ in range(decisions):
        word, _b, _c, _d = philox(int(state.seed), Stream.PLAY, int(state.clock), 0)
        legal = int(state.legal)
        act(state, tables, nth_bit(legal, below(word, bits_set(legal))))
        if int(state.phase) >= Phase.HAND_OVER:
            hands += 1
            go_on(state, tables)
    return hands


begin_games = batched(begin_game, brief=True)
next_hands = batched(next_hand, brief=True)
step_tables = batched(step_table, brief=True)
count_refused = batched(refuses, brief=True)
write_legal_masks = batched(write_legal, brief=True)
write_views = batched(write_view, brief=True)
write_event_logs = batched(write_events, brief=True)
write_decisions = batched(write_decision, brief=True)
play_randomly = batched(play_random)
