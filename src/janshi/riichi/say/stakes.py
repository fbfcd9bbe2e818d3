"""What a decision is about beside the tiles: tenpai hands without a yaku, and wins that the last hand needs."""

from __future__ import annotations

from typing import Final

from janshi.compiling import batched, leaf, rule
from janshi.core.kinds import kind_of_tile
from janshi.riichi.actions import Action
from janshi.riichi.hands.payments import ron_payment, tsumo_payment
from janshi.riichi.rules import Length
from janshi.riichi.say.options import is_legal
from janshi.riichi.state import View
from janshi.say.records import DISCARDS, DecisionOptions, DecisionStakes, NeedRow
from janshi.say.words import ABSENT

#: Basic points of mangan, haneman, baiman, sanbaiman and yakuman.
_LIMITS: Final = (2_000, 3_000, 4_000, 6_000, 8_000)
#: Fu of hands won by ron; chiitoitsu has 25, and pinfu by tsumo 20.
_FU: Final = range(30, 120, 10)
#: In place of the seat that pays: all pay, as for a tsumo.
ALL_PAY: Final = -1


def basics(tsumo: bool) -> tuple[int, ...]:
    """Return the basic points of all hands up to a yakuman, ascending.

    >>> [ron_payment(basic, False) for basic in basics(tsumo=False)][:6]
    [1000, 1300, 1600, 2000, 2300, 2600]
    """
    fu = [(han, fu) for fu in _FU for han in (1, 2, 3, 4)] + [(han, 25) for han in (2, 3, 4)]
    if tsumo:
        fu += [(han, 20) for han in (2, 3, 4)]
    found = {each * 2 ** (han + 2) for han, each in fu}
    return tuple(sorted({basic for basic in found if basic < _LIMITS[0]} | set(_LIMITS)))


_BY_RON: Final = basics(tsumo=False)
_BY_TSUMO: Final = basics(tsumo=True)


# ---------------------------------------------------------------------------------------------------------
# The last hand


@leaf
def pays(view: View, payer: int, basic: int, seat: int) -> int:
    """Return what a seat pays for a win of the view's seat, without honba."""
    winner, dealer = int(view.seat), int(view.dealer)
    if payer != ALL_PAY:
        return ron_payment(basic, winner == dealer) if seat == payer else 0
    if seat == winner:
        return 0
    loss = int(view.rules.tsumo_loss) == 1
    return tsumo_payment(basic, winner == dealer, seat == dealer, int(view.rules.players), loss)


@leaf
def value_of(view: View, payer: int, basic: int) -> int:
    """Return what all pay for a win of the view's seat, without honba."""
    total = 0
    for seat in range(int(view.rules.players)):
        total += pays(view, payer, basic, seat)
    return total


@leaf
def after_win(view: View, payer: int, basic: int, seat: int) -> int:
    """Return a seat's points after a win of the view's seat."""
    honba = int(view.rules.honba_each) if payer == ALL_PAY else int(view.rules.honba_ron)
    honba *= int(view.honba)
    points = int(view.seats[seat].points)
    if seat != int(view.seat):
        paid = pays(view, payer, basic, seat)
        return points - paid - honba if paid else points
    payers = int(view.rules.players) - 1 if payer == ALL_PAY else 1
    return points + value_of(view, payer, basic) + payers * honba + 1000 * int(view.deposits)


@leaf
def place_now(view: View, seat: int) -> int:
    """Return the place (from 1) of a seat by its present points; equal points rank in the order of the seats."""
    place = 1
    for other in range(int(view.rules.players)):
        ahead = int(view.seats[other].points) - int(view.seats[seat].points)
        if ahead > 0 or (ahead == 0 and other < seat):
            place += 1
    return place


@leaf
def ends_at(view: View, place: int, payer: int, basic: int) -> bool:
    """Return whether a win of the view's seat in the last hand ends the game, with the seat at a place or better."""
    seat, players = int(view.seat), int(view.rules.players)
    own = after_win(view, payer, basic, seat)
    found, most, least = 1, own, own
    for other in range(players):
        if other != seat:
            points = after_win(view, payer, basic, other)
            most = max(most, points)
            least = min(least, points)
            if points > own or (points == own and other < seat):
                found += 1
    if found > place:
        return False
    if int(view.rules.tobi) and least < 0:
        return True
    reached = most >= int(view.rules.target)
    if seat == int(view.dealer):
        return reached and found == 1  # the dealer ends the game only in the lead
    return reached or int(view.rules.extension) == 0


@rule
def least_value(view: View, place: int, payer: int) -> int:
    """Return the value of the cheapest hand that holds a place; `ABSENT` for none."""
    values = _BY_TSUMO if payer == ALL_PAY else _BY_RON
    for number in range(len(values)):
        if ends_at(view, place, payer, values[number]):
            return value_of(view, payer, values[number])
    return ABSENT


@rule
def least_by_ron(view: View, place: int) -> int:
    """Return the value of the cheapest hand that holds a place by ron on any other seat; `ABSENT` for none."""
    for number in range(len(_BY_RON)):
        enough = True
        for payer in range(int(view.rules.players)):
            enough = enough and (payer == int(view.seat) or ends_at(view, place, payer, _BY_RON[number]))
        if enough:
            return ron_payment(_BY_RON[number], int(view.seat) == int(view.dealer))
    return ABSENT


@rule
def write_need(view: View, place: int, out: NeedRow) -> None:
    """Write what a win needs for a place."""
    out.place = place
    out.ron = least_by_ron(view, place)
    out.tsumo = least_value(view, place, ALL_PAY)
    for seat in range(int(view.rules.players)):
        if place_now(view, seat) == place:
            out.direct = least_value(view, place, seat)


@rule
def write_needs(view: View, out: DecisionStakes) -> None:
    """Write what a win needs for each better place than the present one, the nearest first.

    There are none before the last hand of the last wind, and for a dealer who goes on after a win.
    """
    out.needs_count = 0
    length, players = int(view.rules.length), int(view.rules.players)
    winds = 1 if length == Length.EAST else 2
    if length not in (Length.EAST, Length.EAST_SOUTH) or int(view.kyoku) < 4 * (winds - 1) + players - 1:
        return
    if int(view.seat) == int(view.dealer) and not int(view.rules.dealer_stops_leading):
        return
    for place in range(place_now(view, int(view.seat)) - 1, 0, -1):
        write_need(view, place, out.needs[int(out.needs_count)])
        out.needs_count += 1


# ---------------------------------------------------------------------------------------------------------
# Yaku


@rule
def write_yakuless(view: View, question: DecisionOptions, out: DecisionStakes) -> None:
    """Write the discards that leave a tenpai hand which cannot win by ron on any wait for want of a yaku."""
    kinds = 0
    for number in range(int(question.discards_count)):
        waiting = question.discards[number].waiting
        wins = False
        for place in range(int(waiting.worth_count)):
            wins = wins or int(waiting.worth[place].points) > 0
        if not wins:
            kinds |= 1 << kind_of_tile(int(question.discards[number].tile))
    out.yakuless_count = 0
    for action in range(Action.TSUMOGIRI + 1):
        tile = int(view.drawn) if action == Action.TSUMOGIRI else action
        if is_legal(view, action) and kinds >> kind_of_tile(tile) & 1 and int(out.yakuless_count) < 3 * DISCARDS:
            out.yakuless[int(out.yakuless_count)] = action
            out.yakuless_count += 1


@rule
def write_stakes(view: View, question: DecisionOptions, out: DecisionStakes) -> None:
    """Write what a decision is about beside the tiles, by its options."""
    write_needs(view, out)
    write_yakuless(view, question, out)


stakes = batched(write_stakes, brief=True)
