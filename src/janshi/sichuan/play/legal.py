"""Legal actions as one word, a bit for each of `janshi.sichuan.actions`."""

from __future__ import annotations

from janshi.compiling import leaf, rule
from janshi.core.bits import bit_count
from janshi.sichuan.actions import Action
from janshi.sichuan.hands.concealed import SUIT, holds_void, suit_mask
from janshi.sichuan.hands.scoring import evaluate, hold, hold_with
from janshi.sichuan.rules import PassedWin
from janshi.sichuan.state import Fan, Hand, MeldForm, Offer, Phase, Seat, State

# ---------------------------------------------------------------------------------------------------------
# Before play


@rule
def exchange_options(hand: Hand) -> int:
    """Return the tiles to give away: first of a suit with three tiles, then of the same suit."""
    held = int(hand.concealed.held[1])
    if int(hand.given[0]) >= 0:
        return held & suit_mask(int(hand.given[0]) // 9)
    options = 0
    for suit in range(3):
        tiles = 0
        for count in range(1, 5):
            tiles += bit_count(int(hand.concealed.held[count]) & suit_mask(suit))
        if tiles >= 3:
            options |= held & suit_mask(suit)
    return options


@leaf
def void_options(state: State, hand: Hand) -> int:
    """Return the suits to void; if a tile is laid face down, the tiles, and the suits of which none is held."""
    if not int(state.rules.void_face_down):
        return 0b111 << Action.VOID
    held = int(hand.concealed.held[1])
    options = held
    for suit in range(3):
        if held & suit_mask(suit) == 0:
            options |= 1 << Action.VOID + suit
    return options


# ---------------------------------------------------------------------------------------------------------
# The value of a win


@leaf
def first_turn(state: State, seat: Seat) -> bool:
    """Return whether the seat has not discarded and nobody has made a pung or an exposed kong."""
    return int(seat.discards) == 0 and int(seat.calls) == 0 and not int(state.called)


@leaf
def concealed_bit(seat: Seat) -> int:
    """Return the bit of `Fan.CONCEALED` for a seat without melds but concealed kongs, else 0."""
    for slot in range(int(seat.calls)):
        if int(seat.melds[slot].form) != MeldForm.CONCEALED_KONG:
            return 0
    return 1 << Fan.CONCEALED


@leaf
def self_draw_circumstances(state: State, who: int) -> int:
    """Return the circumstances of a self-drawn win, as bits of `Fan`."""
    bits = 1 << Fan.SELF_DRAW | (1 << Fan.AFTER_KONG if int(state.replaced) else 0)
    if int(state.left) == 0:
        bits |= 1 << Fan.LAST_TILE
    if first_turn(state, state.seats[who]):
        bits |= 1 << Fan.HEAVEN if who == int(state.dealer) else 1 << Fan.EARTH
    return bits


@leaf
def claim_circumstances(state: State) -> int:
    """Return the circumstances of a win on another's tile, as bits of `Fan`."""
    if int(state.claimed) == Offer.ADDED_KONG:
        return 1 << Fan.ROBBING
    bits = 1 << Fan.KONG_DISCARD if int(state.replaced) else 0
    return bits | 1 << Fan.LAST_TILE if int(state.left) == 0 else bits


@rule
def value_of_win(state: State, who: int, self_drawn: bool) -> int:
    """Write the value of a complete hand into ``state.value``; return its points.

    On a self-draw the hand contains the winning tile; otherwise it is added here.
    """
    winning = state.winning
    winning.pungs = int(state.seats[who].pungs)
    winning.kongs = int(state.seats[who].kongs)
    if self_drawn:
        winning.kind = int(state.drawn)
        winning.circumstances = self_draw_circumstances(state, who)
        hold(state.hands[who].concealed, winning)
    else:
        winning.kind = int(state.tile)
        winning.circumstances = claim_circumstances(state)
        hold_with(state.hands[who].concealed, int(state.tile), winning)
    winning.circumstances = int(winning.circumstances) | concealed_bit(state.seats[who])
    return evaluate(state.rules, winning, state.value)


# ---------------------------------------------------------------------------------------------------------
# The own turn


@leaf
def discard_options(hand: Hand) -> int:
    """Return the tiles to discard: the one face down, else those of the void suit, else any."""
    held = int(hand.concealed.held[1])
    if int(hand.laid) >= 0:
        return 1 << int(hand.laid)
    return held & suit_mask(int(hand.void)) if holds_void(hand) else held


@leaf
def kong_kinds(state: State, seat: Seat, hand: Hand) -> int:
    """Return the kinds of own kongs; a replacement tile must be left."""
    if int(state.left) == 0:
        return 0
    concealed = int(hand.concealed.held[4])
    if not int(state.rules.void_kong):
        concealed &= ~suit_mask(int(hand.void))
    return concealed | int(seat.pungs) & int(hand.concealed.held[1])


@leaf
def turn_options(state: State) -> int:
    """Return the legal actions of the seat to move, with the tile just drawn."""
    who = int(state.turn)
    hand = state.hands[who]
    options = discard_options(hand) | kong_kinds(state, state.seats[who], hand) << Action.OWN_KONG
    if int(hand.waits) >> int(state.drawn) & 1:
        options |= 1 << Action.WIN
    return options


@leaf
def called_options(state: State) -> int:
    """Return the legal actions after a pung."""
    who = int(state.turn)
    options = discard_options(state.hands[who])
    if int(state.rules.kong_after_pung):
        options |= kong_kinds(state, state.seats[who], state.hands[who]) << Action.OWN_KONG
    return options


@rule
def own_options(state: State) -> int:
    """Return the legal actions of the actor, except about another's tile."""
    phase = int(state.phase)
    if phase == Phase.TURN:
        return turn_options(state)
    if phase == Phase.CALLED_DISCARD:
        return called_options(state)
    hand = state.hands[int(state.actor)]
    return exchange_options(hand) if phase == Phase.EXCHANGE else void_options(state, hand)


# ---------------------------------------------------------------------------------------------------------
# Another seat's tile


@rule
def win_option(state: State, who: int) -> int:
    """Return the bit of a win on the offered tile, else 0; note the value of the win."""
    hand = state.hands[who]
    points = value_of_win(state, who, False)
    rule_of_passing = int(state.rules.passed_win)
    if rule_of_passing == PassedWin.BARRED and int(hand.passed):
        return 0
    if rule_of_passing == PassedWin.MORE_ONLY and points <= int(hand.passed):
        return 0
    state.passable[who] = points
    return 1 << Action.WIN


@leaf
def claim_options(state: State, who: int, _only_wins: bool) -> int:
    """Return the actions of a seat on a discard or added kong; 0 if it has nothing to decide."""
    state.passable[who] = 0
    if int(state.seats[who].won):
        return 0
    kind = int(state.tile)
    hand = state.hands[who]
    options = win_option(state, who) if int(hand.waits) >> kind & 1 else 0
    pair = int(hand.concealed.held[2]) >> kind & 1 == 1 and kind // 9 != int(hand.void)
    if pair and int(state.claimed) == Offer.DISCARD:
        left = int(state.left) > 0
        if left or int(state.rules.pung_on_last):
            options |= 1 << Action.PUNG
        if left and int(hand.concealed.held[3]) >> kind & 1:
            options |= 1 << Action.EXPOSED_KONG
    return options | 1 << Action.PASS if options else 0


@leaf
def suits_held(seat: Seat, hand: Hand) -> int:
    """Return the number of suits in a seat's hand and melds."""
    kinds = int(hand.concealed.held[1]) | int(seat.pungs) | int(seat.kongs)
    if int(hand.laid) >= 0:
        kinds |= 1 << int(hand.laid)
    suits = 0
    for suit in range(3):
        suits += 1 if kinds >> 9 * suit & SUIT else 0
    return suits
