"""Declarations and payments at the end of a hand, and its sequel: repeats, the next deal, the end of the game."""

from __future__ import annotations

from typing import Final

from janshi.compiling import copy_record, leaf, rule
from janshi.riichi.actions import Action
from janshi.riichi.hands.payments import ron_payment, tsumo_payment
from janshi.riichi.play.legal import kinds_held_whole, value_of_win
from janshi.riichi.rules import Length
from janshi.riichi.rules.yaku import YakuId
from janshi.riichi.state import Ending, Offer, Phase, State, Win

# Basic points
_YAKUMAN: Final = 8000
_MANGAN: Final = 2000


@rule
def settle(state: State) -> None:
    """Pay for a finished hand and determine whether the game is over, or ask the next seat to show its hand."""
    for seat in range(4):
        state.change[seat] = 0
    ended = int(state.ended)
    state.winners = 0
    if not int(state.rules.karaten_is_tenpai):
        drop_empty_waits(state)
    counts_tenpai = ended in (Ending.EXHAUSTIVE, Ending.NAGASHI_MANGAN)
    if counts_tenpai and int(state.rules.tenpai_by_choice) and asks_to_show(state):
        return
    if ended == Ending.TSUMO:
        settle_win(state, int(state.turn), True)
    elif ended == Ending.RON:
        players = int(state.rules.players)
        for step in range(1, players):
            who = (int(state.turn) + step) % players
            if int(state.answers[who]) == Action.RON and int(state.winners) < int(state.rules.multiple_ron):
                settle_win(state, who, False)
    elif ended == Ending.NAGASHI_MANGAN:
        settle_nagashi(state)
    elif ended == Ending.EXHAUSTIVE:
        settle_exhausted(state)
    state.over = 1 if game_ends(state) else 0
    if int(state.over):
        give_left_deposits(state)
    state.phase = Phase.GAME_OVER if int(state.over) else Phase.HAND_OVER
    state.actor = -1
    for word in range(3):
        state.legal[word] = 0


# ---------------------------------------------------------------------------------------------------------
# Wins


@rule
def settle_win(state: State, who: int, tsumo: bool) -> None:
    """Record and pay one win. The first winner in turn takes honba and deposits."""
    first = int(state.winners) == 0
    tile = int(state.drawn) if tsumo else int(state.tile)
    value_of_win(state, who, tile, tsumo)
    win = state.wins[int(state.winners)]
    copy_record(state.value, win.value)
    win.seat = who
    win.discarder = int(state.turn)
    win.tile = tile
    win.points = 0
    win.honba = int(state.honba) if first or int(state.rules.honba_for_each) else 0
    win.deposits = int(state.deposits) if first else 0
    for seat in range(4):
        win.change[seat] = 0
    pao, yakuman = pao_of(state, who)
    kan_discarder = -1
    if tsumo and int(state.rules.pao_rinshan) and int(state.rinshan):
        kan_discarder = int(state.kan_discarder)
    if pao < 0:
        win.pao = kan_discarder
    else:
        win.pao = pao if tsumo or pao != int(state.turn) else -1
    # A liable seat pays for its yakuman only, or for all of several; the discarder of an open kan's tile for the rest.
    basic = int(state.value.basic)
    pao_basic = 0
    if pao >= 0:
        pao_basic = yakuman * _YAKUMAN if int(state.rules.pao_part_only) else basic
    if tsumo:
        pay_tsumo(state, win, basic - pao_basic, kan_discarder)
        pay_tsumo(state, win, pao_basic, pao)
        pay_honba(state, win, pao if pao >= 0 else kan_discarder)
    else:
        pay_ron(state, win, basic - pao_basic, pao_basic, pao)
    win.change[who] += 1000 * int(win.deposits)
    if first:
        state.deposits = 0
    for seat in range(4):
        pay(state, seat, int(win.change[seat]))
    state.winners += 1


@leaf
def pao_of(state: State, who: int) -> tuple[int, int]:
    """Return the seat liable for the win just valued (pao; −1: none), and for how many of its yakuman."""
    seat = state.seats[who]
    yaku = int(state.value.yaku)
    pao = -1
    yakuman = 0
    if yaku >> YakuId.SUUKANTSU & 1 and int(seat.pao_kans) >= 0:
        pao = int(seat.pao_kans)
        yakuman += 1
    if yaku >> YakuId.DAISUUSHII & 1 and int(seat.pao_winds) >= 0:
        pao = int(seat.pao_winds)
        yakuman += 2 if int(state.rules.double_yakuman) else 1
    if yaku >> YakuId.DAISANGEN & 1 and int(seat.pao_dragons) >= 0:
        pao = int(seat.pao_dragons)
        yakuman += 1
    return pao, yakuman


@rule
def pay_tsumo(state: State, win: Win, basic: int, pao: int) -> None:
    """Pay the shares of a self-draw; a liable seat (−1: none) pays all of them."""
    rules = state.rules
    who = int(win.seat)
    for seat in range(int(rules.players)):
        if seat != who:
            dealer = int(state.dealer)
            share = tsumo_payment(basic, who == dealer, seat == dealer, int(rules.players), int(rules.tsumo_loss) == 1)
            payer = pao if pao >= 0 else seat
            win.change[payer] -= share
            win.change[who] += share
            win.points += share


@leaf
def pay_honba(state: State, win: Win, pao: int) -> None:
    """Pay the honba of a self-draw: each payer, or a liable seat for all."""
    who = int(win.seat)
    each = int(state.rules.honba_each) * int(win.honba)
    for seat in range(int(state.rules.players)):
        if seat != who:
            win.change[pao if pao >= 0 else seat] -= each
            win.change[who] += each


@leaf
def pay_ron(state: State, win: Win, basic: int, pao_basic: int, pao: int) -> None:
    """Pay a ron and its honba: the discarder alone, ``pao_basic`` shared with the liable seat (pao).

    Each of the two pays half; `Rules.pao_pays_ron_honba` determines who pays the honba.
    """
    who, discarder = int(win.seat), int(win.discarder)
    dealer = who == int(state.dealer)
    usual = ron_payment(basic, dealer)
    shared = ron_payment(pao_basic, dealer)
    half = shared // 2 if pao >= 0 and pao != discarder else 0
    honba = int(state.rules.honba_ron) * int(win.honba)
    win.change[discarder] -= usual + shared - half
    win.change[pao if pao >= 0 else discarder] -= half
    win.change[pao if pao >= 0 and int(state.rules.pao_pays_ron_honba) else discarder] -= honba
    win.change[who] += usual + shared + honba
    win.points = usual + shared


# ---------------------------------------------------------------------------------------------------------
# Draws


@rule
def drop_empty_waits(state: State) -> None:
    """Remove from every hand's waits the kinds of which it holds all four tiles (karaten)."""
    for who in range(int(state.rules.players)):
        hand = state.hands[who]
        hand.waits = int(hand.waits) & ~kinds_held_whole(state.seats[who], hand)


@rule
def asks_to_show(state: State) -> bool:
    """Ask the next tenpai seat, the dealer first, whether it shows its hand; False if all have answered.

    A seat in riichi shows its hand unasked. One that keeps its hand hidden loses its waits, and so is noten.
    """
    players = int(state.rules.players)
    if int(state.claimed) != Offer.DRAW:
        state.claimed = Offer.DRAW
        state.phase = Phase.CLAIM
        state.to_ask = 0
        for who in range(players):
            state.answers[who] = -1
            if int(state.hands[who].waits) and not int(state.seats[who].accepted):
                state.to_ask = int(state.to_ask) | 1 << who
    for step in range(players):
        who = (int(state.dealer) + step) % players
        if int(state.to_ask) >> who & 1:
            state.to_ask = int(state.to_ask) & ~(1 << who)
            state.actor = who
            state.legal[0] = 1 << Action.KYUUSHU_KYUUHAI | 1 << Action.PASS
            state.legal[1] = 0
            state.legal[2] = 0
            return True
    for who in range(players):
        if int(state.answers[who]) == Action.PASS:
            state.hands[who].waits = 0
    return False


@rule
def settle_exhausted(state: State) -> None:
    """Let the players who are noten pay those who are tenpai."""
    players = int(state.rules.players)
    tenpai = 0
    for seat in range(players):
        tenpai += 1 if int(state.hands[seat].waits) else 0
    if 0 < tenpai < players:
        for seat in range(players):
            if int(state.hands[seat].waits):
                pay(state, seat, int(state.rules.noten_payment) // tenpai)
            else:
                pay(state, seat, -(int(state.rules.noten_payment) // (players - tenpai)))


@rule
def settle_nagashi(state: State) -> None:
    """Pay nagashi mangan like a mangan by self-draw, without honba and deposits."""
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
# The next hand


@leaf
def is_win(ended: int) -> bool:
    """Return whether a hand has ended with a winner."""
    return ended in (Ending.TSUMO, Ending.RON)


@rule
def dealer_repeats(state: State) -> bool:
    """Return whether the dealer keeps the deal: after an own win, when tenpai at the end, after an abortive draw."""
    dealer = int(state.dealer)
    ended = int(state.ended)
    if is_win(ended):
        won = False
        for number in range(int(state.winners)):
            won = won or int(state.wins[number].seat) == dealer
        return won
    if ended in (Ending.EXHAUSTIVE, Ending.NAGASHI_MANGAN):
        return int(state.rules.dealer_repeats_tenpai) == 1 and int(state.hands[dealer].waits) != 0
    return True


@leaf
def leader(state: State) -> int:
    """Return the seat with the most points; of several, the one that dealt first."""
    best = 0
    for seat in range(1, int(state.rules.players)):
        if int(state.seats[seat].points) > int(state.seats[best].points):
            best = seat
    return best


@rule
def game_ends(state: State) -> bool:
    """Return whether the game is over with this hand."""
    rules = state.rules
    players = int(rules.players)
    if int(rules.length) == Length.SINGLE_HAND:
        return True
    if int(rules.tobi):
        for seat in range(players):
            if int(state.seats[seat].points) < 0:
                return True
    winds = 1 if int(rules.length) == Length.EAST else 2
    last_deal = players - 1
    wind, deal = int(state.kyoku) // 4, int(state.kyoku) % 4
    regular = wind < winds
    if regular and not (wind == winds - 1 and deal == last_deal):
        return False
    best = leader(state)
    reached = int(state.seats[best].points) >= int(rules.target)
    repeats = dealer_repeats(state)
    if repeats:
        # A dealer who keeps the deal continues, also in the extension, unless the game stops because he leads.
        stops = int(rules.dealer_stops_leading) == 1 and best == int(state.dealer)
        ended = int(state.ended)
        tenpai = int(rules.dealer_stops_tenpai) == 1 and ended in (Ending.EXHAUSTIVE, Ending.NAGASHI_MANGAN)
        return stops and reached and (is_win(ended) or tenpai)
    if reached or not int(rules.extension):
        return True
    if int(rules.extension_ends):
        return wind == winds and deal == last_deal
    return wind == 3 and deal == last_deal


@leaf
def give_left_deposits(state: State) -> None:
    """Give the riichi sticks left at the end of the game to the first, or share them among equal firsts.

    Shares are whole hundreds; remaining hundreds go to those who dealt first.
    """
    if not int(state.rules.first_takes_deposits):
        return
    best = leader(state)
    points = int(state.seats[best].points)
    hundreds = 10 * int(state.deposits)
    state.deposits = 0
    if not int(state.rules.ties_share_deposits):
        state.seats[best].points += 100 * hundreds
        return
    equal = 0
    for seat in range(int(state.rules.players)):
        equal += 1 if int(state.seats[seat].points) == points else 0
    left = hundreds % equal
    for seat in range(int(state.rules.players)):
        if int(state.seats[seat].points) == points:
            state.seats[seat].points += 100 * (hundreds // equal + (1 if left > 0 else 0))
            left -= 1


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
