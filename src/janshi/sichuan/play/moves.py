"""Moves: exchange, void suits, draws, discards, calls, kongs, and claims.

Each function performs one step and returns the next `Step` to the loop in `janshi.core.turns`.
"""

from __future__ import annotations

from typing import Any, Final

from janshi.compiling import leaf, rule, specialised
from janshi.core import turns
from janshi.core.shanten_tables import ShantenTables
from janshi.core.turns import Step
from janshi.sichuan.actions import Action
from janshi.sichuan.hands.concealed import give, take, update_waits
from janshi.sichuan.play.legal import claim_options
from janshi.sichuan.play.settlement import (
    forget_kong,
    pay_kong,
    pay_own_kong,
    refund_kong_discard,
    settle_win,
    transfer_kong,
)
from janshi.sichuan.play.wall import draw_replacement, draw_tile, throw_dice
from janshi.sichuan.rules import AfterWins, Exchange
from janshi.sichuan.state import RIVER, DiscardFlag, Event, MeldForm, Offer, Phase, State, log_event

# ---------------------------------------------------------------------------------------------------------
# Before play


@leaf
def begin_phase(state: State, phase: int) -> int:
    """Start a phase in which the seats decide in turn from the dealer on."""
    state.phase = phase
    state.actor = int(state.dealer)
    return Step.OFFER


@rule
def give_away(state: State, tables: ShantenTables, kind: int) -> int:
    """Select one more tile for the exchange."""
    who = int(state.actor)
    hand = state.hands[who]
    slot = 0
    while int(hand.given[slot]) >= 0:
        slot += 1
    give(hand, kind)
    hand.given[slot] = kind
    if slot == 2:
        state.actor = (who + 1) % 4
        if int(state.actor) == int(state.dealer):
            pass_tiles(state)
            return begin_phase(state, Phase.VOID)
    return Step.OFFER


@rule
def pass_tiles(state: State) -> None:
    """Pass the tiles of the exchange to their receivers."""
    rule_of_exchange = int(state.rules.exchange)
    state.direction = throw_dice(state) if rule_of_exchange == Exchange.DICE else rule_of_exchange
    for who in range(4):
        receiver = (who + int(state.direction)) % 4
        for slot in range(3):
            kind = int(state.hands[who].given[slot])
            take(state.hands[receiver], kind)
            state.hands[receiver].received[slot] = kind
            log_event(state, Event.GIVE, who, kind, receiver)
    dealer = state.hands[int(state.dealer)]
    if int(dealer.counts[int(state.drawn)]) == 0:
        state.drawn = int(dealer.received[2])


@rule
def void_suit(state: State, tables: ShantenTables, action: int) -> int:
    """Void a suit by name, or by laying a tile of it face down."""
    who = int(state.actor)
    hand = state.hands[who]
    if action < Action.VOID:
        hand.void = action // 9
        hand.laid = action
        give(hand, action)
    else:
        hand.void = action - Action.VOID
    log_event(state, Event.VOID, who, int(hand.void), int(hand.laid))
    state.actor = (who + 1) % 4
    return first_turn_of_dealer(state, tables) if int(state.actor) == int(state.dealer) else Step.OFFER


@rule
def refresh_waits(state: State, tables: ShantenTables, who: int) -> None:
    """Update a seat's waits."""
    update_waits(state.hands[who], tables, int(state.seats[who].pungs), int(state.seats[who].kongs))


@rule
def first_turn_of_dealer(state: State, tables: ShantenTables) -> int:
    """Start the dealer's first turn after all have voided a suit."""
    dealer = int(state.dealer)
    hand = state.hands[dealer]
    if int(hand.counts[int(state.drawn)]) == 0:  # it lies face down
        for kind in range(27):
            if int(hand.counts[kind]):
                state.drawn = kind
    give(hand, int(state.drawn))
    for who in range(4):
        state.hands[who].shanten = 1
        refresh_waits(state, tables, who)
        if not int(state.rules.void_face_down):
            state.seats[who].void = int(state.hands[who].void)
    take(hand, int(state.drawn))
    state.turn = dealer
    return begin_phase(state, Phase.TURN)


# ---------------------------------------------------------------------------------------------------------
# Draws


@rule
def next_draw(state: State) -> int:
    """Let the next seat still in draw a tile; without tiles end the hand."""
    if int(state.left) == 0:
        return Step.SETTLE
    turn = (int(state.turn) + 1) % 4
    while int(state.seats[turn].won):
        turn = (turn + 1) % 4
    tile = draw_tile(state)
    state.replaced = 0
    log_event(state, Event.DRAW, turn, tile, int(state.left))
    return take_drawn(state, turn, tile)


@rule
def replacement(state: State) -> int:
    """Let the seat that made a kong draw a replacement tile."""
    tile = draw_replacement(state)
    state.replaced = 1
    log_event(state, Event.REPLACE, int(state.turn), tile, int(state.left))
    return take_drawn(state, int(state.turn), tile)


@leaf
def take_drawn(state: State, seat: int, tile: int) -> int:
    """Give a drawn tile to a seat and start its turn."""
    take(state.hands[seat], tile)
    state.hands[seat].passed = 0
    state.turn = seat
    state.actor = seat
    state.drawn = tile
    state.tile = -1
    state.phase = Phase.TURN
    return Step.OFFER


# ---------------------------------------------------------------------------------------------------------
# Own turn


@leaf
def put_in_river(state: State, who: int, kind: int, flag: int) -> None:
    """Add a tile to a seat's river."""
    seat = state.seats[who]
    slot = min(int(seat.discards), RIVER - 1)
    seat.river[slot] = kind
    seat.marks[slot] = flag
    seat.discards = slot + 1
    seat.discarded[kind] += 1


@rule
def discard(state: State, tables: ShantenTables, kind: int) -> int:
    """Discard a tile from the hand, or the one that lies face down."""
    who = int(state.turn)
    hand = state.hands[who]
    laid = int(hand.laid) >= 0
    if laid:
        hand.laid = -1
    else:
        give(hand, kind)
    state.seats[who].void = int(hand.void)
    if laid or kind != int(state.drawn) or int(state.phase) != Phase.TURN:
        refresh_waits(state, tables, who)
    put_in_river(state, who, kind, 0)
    log_event(state, Event.DISCARD, who, kind, 1 if laid else 0)
    state.drawn = -1
    return offer_tile(state, kind, Offer.DISCARD)


@leaf
def seats_of(state: State) -> int:
    """Return the number of players."""
    return 4


_TURNS: Final[dict[str, Any]] = {"State": State, "seats_of": seats_of, "CLAIM": Phase.CLAIM}
offer_tile = leaf(specialised(turns.offer_tile, __name__, **_TURNS))


@leaf
def lay_meld(state: State, who: int, form: int, kind: int, discarder: int) -> None:
    """Add a meld to a seat."""
    seat = state.seats[who]
    meld = seat.melds[int(seat.calls)]
    meld.form = form
    meld.kind = kind
    meld.discarder = discarder
    seat.calls += 1
    if form == MeldForm.PUNG:
        seat.pungs = int(seat.pungs) | 1 << kind
    else:
        seat.kongs = int(seat.kongs) | 1 << kind


@rule
def own_kong(state: State, tables: ShantenTables, kind: int) -> int:
    """Make a kong on the own turn: concealed, or added to a pung, which the others may rob."""
    who = int(state.turn)
    hand = state.hands[who]
    forget_kong(state)
    if int(state.seats[who].pungs) >> kind & 1:
        return add_to_pung(state, tables, kind)
    for _ in range(4):
        give(hand, kind)
    log_event(state, Event.CONCEALED_KONG, who, kind, -1)
    lay_meld(state, who, MeldForm.CONCEALED_KONG, kind, who)
    pay_own_kong(state, who, int(state.rules.concealed_kong))
    refresh_waits(state, tables, who)
    return Step.REPLACE


@rule
def change_meld(state: State, who: int, kind: int, before: int, after: int) -> None:
    """Change a pung into a kong, or a robbed kong into a pung."""
    seat = state.seats[who]
    for slot in range(int(seat.calls)):
        meld = seat.melds[slot]
        if int(meld.form) == before and int(meld.kind) == kind:
            meld.form = after
    seat.pungs = int(seat.pungs) ^ 1 << kind
    seat.kongs = int(seat.kongs) ^ 1 << kind


@rule
def add_to_pung(state: State, tables: ShantenTables, kind: int) -> int:
    """Add the fourth tile to a pung."""
    who = int(state.turn)
    drawn = kind == int(state.drawn) and int(state.phase) == Phase.TURN
    give(state.hands[who], kind)
    change_meld(state, who, kind, MeldForm.PUNG, MeldForm.ADDED_KONG)
    log_event(state, Event.ADDED_KONG, who, kind, 1 if drawn else 0)
    refresh_waits(state, tables, who)
    if int(state.rules.rob_kong):
        state.drawn = kind if drawn else -1
        return offer_tile(state, kind, Offer.ADDED_KONG)
    return complete_added_kong(state, drawn)


@rule
def complete_added_kong(state: State, drawn: bool) -> int:
    """Pay for an added kong that nobody has robbed."""
    if drawn or int(state.rules.postponed_kong_pays):
        pay_own_kong(state, int(state.turn), int(state.rules.added_kong))
    return Step.REPLACE


# ---------------------------------------------------------------------------------------------------------
# Another seat's tile


@leaf
def only_wins(state: State) -> bool:
    """Return whether a tile may be claimed only to win: never."""
    return False


@leaf
def write_options(state: State, options: int) -> None:
    """Write the options of the seat asked about a tile."""
    state.legal = options


_ASKING: Final[dict[str, Any]] = {
    **_TURNS,
    "only_wins": only_wins,
    "claim_options": claim_options,
    "write_options": write_options,
    "WIN": Action.WIN,
    "FIRST_CALL": Action.PUNG,
    "LAST_CALL": Action.EXPOSED_KONG,
    "FIRST_BEFORE": Action.PUNG,
}
ask_next = rule(specialised(turns.ask_in_turn, __name__, **_ASKING))
best_claim = leaf(specialised(turns.best_claim, __name__, **_ASKING))


@leaf
def answer(state: State, action: int) -> int:
    """Store a seat's answer about the tile; a passed win can restrict its wins until its next draw."""
    who = int(state.actor)
    state.answers[who] = action
    if action != Action.WIN:
        hand = state.hands[who]
        hand.passed = max(int(hand.passed), int(state.passable[who]))
    return Step.ASK


@rule
def resolve(state: State, tables: ShantenTables) -> int:
    """Resolve the claims: all wins, otherwise kong before pung, otherwise continue."""
    wins, caller = best_claim(state)
    if wins:
        return win_on_tile(state)
    if int(state.claimed) == Offer.ADDED_KONG:
        return complete_added_kong(state, int(state.drawn) >= 0)
    if caller >= 0:
        return call(state, tables, caller, int(state.answers[caller]))
    return Step.DRAW


@rule
def win_on_tile(state: State) -> int:
    """Settle the wins of all who claim the tile, in turn order; play continues after the last winner."""
    turn = int(state.turn)
    kind = int(state.tile)
    last = turn
    winners = 0
    if int(state.claimed) == Offer.ADDED_KONG:
        change_meld(state, turn, kind, MeldForm.ADDED_KONG, MeldForm.PUNG)
        put_in_river(state, turn, kind, DiscardFlag.ROBBED)
    for step in range(1, 4):
        who = (turn + step) % 4
        if int(state.answers[who]) == Action.WIN:
            settle_win(state, who, False)
            last = who
            winners |= 1 << who
    seat = state.seats[turn]
    seat.marks[int(seat.discards) - 1] = int(seat.marks[int(seat.discards) - 1]) | DiscardFlag.WON_ON
    refund_kong_discard(state)
    transfer_kong(state, winners)
    state.tile = -1
    if int(state.rules.after_wins) == AfterWins.LAST_WINNER:
        state.turn = last
    return Step.SETTLE if int(state.winners) == 3 else Step.DRAW


@rule
def win_self_drawn(state: State) -> int:
    """Win with the tile just drawn."""
    settle_win(state, int(state.turn), True)
    state.drawn = -1
    return Step.SETTLE if int(state.winners) == 3 else Step.DRAW


@rule
def call(state: State, tables: ShantenTables, who: int, action: int) -> int:
    """Call the discard: pung or exposed kong."""
    discarder = int(state.turn)
    kind = int(state.tile)
    river = state.seats[discarder]
    river.marks[int(river.discards) - 1] = DiscardFlag.CALLED
    river.discarded[kind] -= 1
    state.called = 1
    state.turn = who
    state.actor = who
    state.tile = -1
    hand = state.hands[who]
    give(hand, kind)
    give(hand, kind)
    if action == Action.PUNG:
        log_event(state, Event.PUNG, who, kind, discarder)
        lay_meld(state, who, MeldForm.PUNG, kind, discarder)
        state.replaced = 0
        state.phase = Phase.CALLED_DISCARD
        return Step.OFFER
    give(hand, kind)
    log_event(state, Event.EXPOSED_KONG, who, kind, discarder)
    lay_meld(state, who, MeldForm.EXPOSED_KONG, kind, discarder)
    forget_kong(state)
    pay_kong(state, discarder, who, int(state.rules.exposed_kong))
    refresh_waits(state, tables, who)
    return Step.REPLACE
