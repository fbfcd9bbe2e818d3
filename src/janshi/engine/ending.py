"""How a hand is paid and what comes after it: repeats, the next deal, the end of the game."""

from __future__ import annotations

from typing import Final

from janshi.compiling import leaf, rule
from janshi.engine import actions
from janshi.engine.legal import value_of_win
from janshi.engine.payments import ron_payment, tsumo_payment
from janshi.engine.state import (
    EXHAUSTIVE,
    GAME_OVER,
    HAND_OVER,
    NAGASHI_MANGAN,
    RON,
    TSUMO,
    State,
    Value,
    Win,
)
from janshi.engine.tables import Lookup
from janshi.rules import Length

_YAKUMAN: Final = 8000
_MANGAN: Final = 2000
_BIG_THREE_DRAGONS: Final = 1 << 39
_BIG_FOUR_WINDS: Final = 1 << 49
_FOUR_KANS: Final = 1 << 51
_SINGLE_HAND: Final = int(Length.SINGLE_HAND)
_EAST: Final = int(Length.EAST)


@rule
def settle(state: State, lookup: Lookup) -> None:
    """Pay for a hand that is over and find out whether the game is."""
    for seat in range(4):
        state.change[seat] = 0
    ended = int(state.ended)
    state.winners = 0
    if ended == TSUMO:
        settle_win(state, lookup, int(state.turn), True)
    elif ended == RON:
        players = int(state.rules.players)
        for step in range(1, players):
            who = (int(state.turn) + step) % players
            if int(state.answers[who]) == actions.RON and int(state.winners) < int(state.rules.multiple_ron):
                settle_win(state, lookup, who, False)
    elif ended == NAGASHI_MANGAN:
        settle_nagashi(state)
    elif ended == EXHAUSTIVE:
        settle_exhausted(state)
    state.over = 1 if game_ends(state) else 0
    if int(state.over):
        give_left_deposits(state)
    state.phase = GAME_OVER if int(state.over) else HAND_OVER
    state.actor = -1
    for word in range(3):
        state.legal[word] = 0


# ---------------------------------------------------------------------------------------------------------
# Wins


@rule
def settle_win(state: State, lookup: Lookup, who: int, tsumo: bool) -> None:
    """Write one win and pay for it. The first winner in turn takes honba and deposits."""
    first = int(state.winners) == 0
    tile = int(state.drawn) if tsumo else int(state.tile)
    value_of_win(state, lookup, who, tile, tsumo)
    win = state.wins[int(state.winners)]
    value = state.value
    copy_value(value, win.value)
    win.seat = who
    win.feeder = int(state.turn)
    win.tile = tile
    win.honba = int(state.honba) if first else 0
    win.deposits = int(state.deposits) if first else 0
    for seat in range(4):
        win.change[seat] = 0
    liable, part = liability(state, who)
    win.liable = liable if liable != int(state.turn) or tsumo else -1
    # The part that is not fed is paid as usual, the part that is by who is liable for it.
    base = int(value.basic)
    fed = 0
    if liable >= 0:
        fed = part * _YAKUMAN if int(state.rules.liable_part_only) else base
    win.points = 0
    if tsumo:
        pay_tsumo(state, win, base - fed, -1)
        pay_tsumo(state, win, fed, liable)
        each = int(state.rules.honba_each) * int(win.honba)
        for seat in range(int(state.rules.players)):
            if seat != who:
                payer = liable if liable >= 0 else seat
                win.change[payer] -= each
                win.change[who] += each
    else:
        feeder = int(state.turn)
        dealer = who == int(state.dealer)
        usual = ron_payment(base - fed, dealer)
        shared = ron_payment(fed, dealer)
        half = shared // 2 if liable >= 0 and liable != feeder else 0
        honba = int(state.rules.honba_ron) * int(win.honba)
        win.change[feeder] -= usual + shared - half
        win.change[liable if liable >= 0 else feeder] -= half + honba
        win.change[who] += usual + shared + honba
        win.points = usual + shared
    win.change[who] += 1000 * int(win.deposits)
    if first:
        state.deposits = 0
    for seat in range(4):
        state.change[seat] += int(win.change[seat])
        state.seats[seat].points += int(win.change[seat])
    state.winners += 1


@leaf
def copy_value(value: Value, to: Value) -> None:
    """Copy what a hand is worth."""
    to.yaku = int(value.yaku)
    to.han = int(value.han)
    to.fu = int(value.fu)
    to.yakuman = int(value.yakuman)
    to.dora = int(value.dora)
    to.ura = int(value.ura)
    to.red = int(value.red)
    to.basic = int(value.basic)


@leaf
def liability(state: State, who: int) -> tuple[int, int]:
    """Who is liable for a win just valued (−1: nobody), and for how many of its yakuman."""
    seat = state.seats[who]
    yaku = int(state.value.yaku)
    liable = -1
    part = 0
    if yaku & _FOUR_KANS and int(seat.liable_quads) >= 0:
        liable = int(seat.liable_quads)
        part += 1
    if yaku & _BIG_FOUR_WINDS and int(seat.liable_winds) >= 0:
        liable = int(seat.liable_winds)
        part += 2 if int(state.rules.double_yakuman) else 1
    if yaku & _BIG_THREE_DRAGONS and int(seat.liable_dragons) >= 0:
        liable = int(seat.liable_dragons)
        part += 1
    return liable, part


@rule
def pay_tsumo(state: State, win: Win, base: int, liable: int) -> None:
    """Pay the shares of a self-draw; who is liable (−1: nobody) pays those of all."""
    rules = state.rules
    who = int(win.seat)
    for seat in range(int(rules.players)):
        if seat != who:
            dealer = int(state.dealer)
            share = tsumo_payment(base, who == dealer, seat == dealer, int(rules.players), int(rules.tsumo_loss) == 1)
            payer = liable if liable >= 0 else seat
            win.change[payer] -= share
            win.change[who] += share
            win.points += share


# ---------------------------------------------------------------------------------------------------------
# Draws


@rule
def settle_exhausted(state: State) -> None:
    """Those who are not ready pay those who are."""
    players = int(state.rules.players)
    ready = 0
    for seat in range(players):
        ready += 1 if int(state.hands[seat].waits) else 0
    if 0 < ready < players:
        for seat in range(players):
            if int(state.hands[seat].waits):
                pay(state, seat, int(state.rules.not_ready_payment) // ready)
            else:
                pay(state, seat, -(int(state.rules.not_ready_payment) // (players - ready)))


@rule
def settle_nagashi(state: State) -> None:
    """Nagashi mangan: paid like a mangan by self-draw, without honba and deposits."""
    players = int(state.rules.players)
    for who in range(players):
        if int(state.seats[who].nagashi):
            for seat in range(players):
                if seat != who:
                    dealer = int(state.dealer)
                    loss = int(state.rules.tsumo_loss) == 1
                    share = tsumo_payment(_MANGAN, who == dealer, seat == dealer, players, loss)
                    pay(state, seat, -share)
                    pay(state, who, share)


@leaf
def pay(state: State, seat: int, points: int) -> None:
    """Change a seat's points."""
    state.change[seat] += points
    state.seats[seat].points += points


# ---------------------------------------------------------------------------------------------------------
# What comes next


@leaf
def is_win(ended: int) -> bool:
    """Whether a hand has ended with a winner."""
    return ended in (TSUMO, RON)


@rule
def dealer_repeats(state: State) -> bool:
    """Whether the dealer keeps the deal: after a win of his own, when ready at the end, after an abortive draw."""
    dealer = int(state.dealer)
    ended = int(state.ended)
    if is_win(ended):
        won = False
        for one in range(int(state.winners)):
            won = won or int(state.wins[one].seat) == dealer
        return won
    if ended in (EXHAUSTIVE, NAGASHI_MANGAN):
        return int(state.rules.dealer_repeats_ready) == 1 and int(state.hands[dealer].waits) != 0
    return True


@leaf
def leader(state: State) -> int:
    """Seat with the most points; of several, the one that dealt first."""
    best = 0
    for seat in range(1, int(state.rules.players)):
        if int(state.seats[seat].points) > int(state.seats[best].points):
            best = seat
    return best


@rule
def game_ends(state: State) -> bool:
    """Whether the game is over with this hand."""
    rules = state.rules
    players = int(rules.players)
    if int(rules.length) == _SINGLE_HAND:
        return True
    if int(rules.busting):
        for seat in range(players):
            if int(state.seats[seat].points) < 0:
                return True
    winds = 1 if int(rules.length) == _EAST else 2
    last_deal = players - 1
    wind, deal = int(state.kyoku) // 4, int(state.kyoku) % 4
    regular = wind < winds
    if regular and not (wind == winds - 1 and deal == last_deal):
        return False
    best = leader(state)
    reached = int(state.seats[best].points) >= int(rules.target)
    repeats = dealer_repeats(state)
    ended = int(state.ended)
    if repeats:
        # A dealer who keeps the deal plays on, in the extension too, unless the game stops because he leads.
        stops = int(rules.dealer_stops_leading) == 1 and best == int(state.dealer)
        ready = int(rules.dealer_stops_ready) == 1 and ended in (EXHAUSTIVE, NAGASHI_MANGAN)
        return stops and reached and (is_win(ended) or ready)
    if reached or not int(rules.extension):
        return True
    if int(rules.extension_ends):
        return wind == winds and deal == last_deal
    return wind == 3 and deal == last_deal


@leaf
def give_left_deposits(state: State) -> None:
    """At the end of the game the first takes the riichi sticks left on the table."""
    if int(state.rules.first_takes_deposits):
        state.seats[leader(state)].points += 1000 * int(state.deposits)
        state.deposits = 0


@rule
def follow(state: State) -> None:
    """Set round, dealer and honba of the next hand."""
    win = is_win(int(state.ended))
    if dealer_repeats(state):
        state.honba += 1
        return
    state.honba = 0 if win else int(state.honba) + 1
    players = int(state.rules.players)
    number = int(state.kyoku) + 1
    if number % 4 >= players:
        number += 4 - number % 4
    state.kyoku = number
    state.dealer = (int(state.dealer) + 1) % players
