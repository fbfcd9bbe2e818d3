"""Payments for wins and kongs, refunds, and the settlement of a finished hand."""

from __future__ import annotations

from janshi.compiling import copy_record, leaf, rule
from janshi.sichuan.hands.concealed import fifth_waits, holds_void
from janshi.sichuan.hands.scoring import evaluate, hold_with, points_of_fan
from janshi.sichuan.play.legal import concealed_bit, suits_held, value_of_win
from janshi.sichuan.state import KINDS, Ending, Event, Fan, Offer, Phase, Ready, State, log_event


@leaf
def pay(state: State, event: int, payer: int, receiver: int, points: int) -> None:
    """Move points from one seat to another."""
    if points:
        state.seats[payer].points -= points
        state.seats[receiver].points += points
        log_event(state, event, payer, receiver, points)


# ---------------------------------------------------------------------------------------------------------
# Wins


@rule
def settle_win(state: State, who: int, self_drawn: bool) -> None:
    """Record and pay a win: by the discarder, or on a self-draw by each player still in, with a bonus."""
    points = value_of_win(state, who, self_drawn)
    discarder = -1 if self_drawn else int(state.turn)
    tile = int(state.drawn) if self_drawn else int(state.tile)
    win = state.wins[int(state.winners)]
    copy_record(state.value, win.value)
    win.seat = who
    win.discarder = discarder
    win.tile = tile
    win.slot = -1 if self_drawn else int(state.seats[discarder].discards) - 1
    win.robbed = 1 if not self_drawn and int(state.claimed) == Offer.ADDED_KONG else 0
    state.winners += 1
    state.seats[who].won = int(state.winners)
    log_event(state, Event.WIN, who, tile, discarder)
    if not self_drawn:
        pay(state, Event.WIN_PAY, discarder, who, points)
        return
    points += int(state.rules.self_draw_bonus) * int(state.rules.base_points)
    for step in range(1, 4):
        payer = (who + step) % 4
        if not int(state.seats[payer].won):
            pay(state, Event.WIN_PAY, payer, who, points)


# ---------------------------------------------------------------------------------------------------------
# Kongs


@leaf
def forget_kong(state: State) -> None:
    """Clear the payments of the last kong: a discard no longer refunds them."""
    for seat in range(4):
        state.last_kong[seat] = 0


@leaf
def pay_kong(state: State, payer: int, receiver: int, amount: int) -> None:
    """Pay a kong."""
    points = amount * int(state.rules.base_points)
    pay(state, Event.KONG_PAY, payer, receiver, points)
    state.kong_money[4 * receiver + payer] += points
    state.last_kong[payer] = points


@rule
def pay_own_kong(state: State, who: int, amount: int) -> None:
    """Let each player still in pay for a concealed or added kong."""
    for step in range(1, 4):
        payer = (who + step) % 4
        if not int(state.seats[payer].won):
            pay_kong(state, payer, who, amount)


@leaf
def give_kong_back(state: State, event: int, who: int, payer: int, points: int) -> None:
    """Refund the payment of a kong."""
    pay(state, event, who, payer, points)
    state.kong_money[4 * who + payer] -= points


@rule
def transfer_kong(state: State, winners: int) -> None:
    """Pass the money of the last kong to each winner (a mask) on the discard that follows it, if the rules say so.

    The discarder keeps none of it, and refunds none of it later.
    """
    if not int(state.rules.kong_transfer) or not int(state.replaced) or int(state.claimed) != Offer.DISCARD:
        return
    turn = int(state.turn)
    total = 0
    for payer in range(4):
        total += int(state.last_kong[payer])
        state.kong_money[4 * turn + payer] -= int(state.last_kong[payer])
    for step in range(1, 4):
        who = (turn + step) % 4
        if winners >> who & 1:
            pay(state, Event.KONG_TRANSFER, turn, who, total)


@rule
def refund_kong_discard(state: State) -> None:
    """Refund a kong to its payers after a deal-in with the discard that follows it, if the rules say so."""
    if int(state.rules.kong_discard_refund) and int(state.value.times[Fan.KONG_DISCARD]):
        for payer in range(4):
            give_kong_back(state, Event.KONG_DISCARD_REFUND, int(state.turn), payer, int(state.last_kong[payer]))


# ---------------------------------------------------------------------------------------------------------
# The end of a hand


@rule
def is_pig(state: State, who: int) -> bool:
    """Return whether a seat still in is a flower pig: it holds tiles of its void suit, or three suits."""
    seat = state.seats[who]
    hand = state.hands[who]
    if int(seat.won):
        return False
    if int(state.rules.pig_by_suits):
        return suits_held(seat, hand) == 3
    return holds_void(hand) or int(hand.laid) >= 0


@rule
def check_seats(state: State) -> None:
    """Determine the ready players and the flower pigs."""
    for who in range(4):
        seat = state.seats[who]
        hand = state.hands[who]
        waits = int(hand.waits)
        if waits == 0 and int(state.rules.own_fourth_waits):
            waits = fifth_waits(seat, hand)
        ready = int(seat.won) > 0 or waits != 0
        seat.ready = Ready.READY if ready else Ready.NOT_READY
        seat.pig = 1 if is_pig(state, who) else 0


@rule
def settle_pigs(state: State) -> None:
    """Let flower pigs pay the others, but not each other."""
    rules = state.rules
    fan = int(rules.pig_fan) if int(rules.pig_fan) >= 0 else int(rules.cap)
    for who in range(4):
        if int(state.seats[who].pig):
            for step in range(1, 4):
                other = state.seats[(who + step) % 4]
                if not int(other.pig) and (not int(other.won) or int(rules.pig_pays_winners)):
                    pay(state, Event.PIG_PAY, who, (who + step) % 4, points_of_fan(rules, fan))


@rule
def best_ready_points(state: State, who: int) -> int:
    """Return the value of a ready player's best win in the ready check."""
    seat = state.seats[who]
    hand = state.hands[who]
    winning = state.winning
    winning.pungs = int(seat.pungs)
    winning.kongs = int(seat.kongs)
    winning.circumstances = concealed_bit(seat)
    waits = int(hand.waits)
    if waits == 0:
        waits = fifth_waits(seat, hand)
    best = 0
    for kind in range(KINDS):
        if waits >> kind & 1:
            winning.kind = kind
            hold_with(hand.concealed, kind, winning)
            evaluate(state.rules, winning, state.value)
            fan = int(state.value.fan)
            if not int(state.rules.ready_with_kongs):
                fan -= int(state.value.times[Fan.KONG]) * int(state.rules.kong)
            best = max(best, points_of_fan(state.rules, fan))
    return best


@rule
def settle_ready(state: State) -> None:
    """Let the players who are not ready pay each ready player that player's best win."""
    for receiver in range(4):
        seat = state.seats[receiver]
        if int(seat.ready) == Ready.READY and not int(seat.won):
            points = best_ready_points(state, receiver)
            for step in range(1, 4):
                payer = (receiver + step) % 4
                other = state.seats[payer]
                pays = int(other.ready) == Ready.NOT_READY and (not int(other.pig) or int(state.rules.pig_pays_ready))
                if pays:
                    pay(state, Event.READY_PAY, payer, receiver, points)


@rule
def settle_kongs(state: State) -> None:
    """Let the players who are not ready refund their kongs."""
    for who in range(4):
        if int(state.seats[who].ready) == Ready.NOT_READY:
            for step in range(1, 4):
                payer = (who + step) % 4
                give_kong_back(state, Event.KONG_REFUND, who, payer, int(state.kong_money[4 * who + payer]))


@rule
def settle(state: State) -> None:
    """Settle a finished hand: flower pigs, ready check, refunds of kongs."""
    rules = state.rules
    after_wins = int(state.winners) == 3
    state.ended = Ending.THREE_WINS if after_wins else Ending.WALL_EMPTY
    check_seats(state)
    if int(rules.flower_pig) and (not after_wins or int(rules.pig_after_wins)):
        settle_pigs(state)
    if int(rules.ready_check) and not after_wins:
        settle_ready(state)
    if int(rules.kong_refund) and (not after_wins or int(rules.kong_refund_after_wins)):
        settle_kongs(state)
    state.phase = Phase.HAND_OVER if int(state.hand_number) + 1 < int(rules.hands) else Phase.GAME_OVER
    state.actor = -1
    state.legal = 0


@rule
def next_dealer(state: State) -> int:
    """Return the next dealer: the first winner; the discarder of several wins on a tile; without a win the same."""
    if int(state.winners) == 0:
        return int(state.dealer)
    first, second = state.wins[0], state.wins[1]
    together = int(first.slot) >= 0 and int(first.discarder) == int(second.discarder)
    if int(state.winners) > 1 and together and int(first.slot) == int(second.slot):
        return int(first.discarder)
    return int(first.seat)
