"""Tables followed from draw to draw, each draw described before its tile is known.

A followed table stops before every draw (`deal_again`, `act_until_draw`, `draw_until_draw`). `describe` then
writes all hands and the tiles left, but neither their order nor the ura-dora: given this description and all
previous events, each tile left is equally likely to be drawn.

Seats are counted from the one that draws.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Int8, Int8s, Int16, Workspace, batched, leaf, rule, specialised
from janshi.core import turns
from janshi.core.kinds import DRAGONS, HONOURS, ORPHANS_MASK, kind_of_tile
from janshi.core.shanten import NOT_HELD, Ukeire, accepts, hand_shanten, ukeire_of_discards
from janshi.core.shanten_tables import ShantenTables
from janshi.core.turns import Step
from janshi.riichi.hands.concealed import give, take
from janshi.riichi.hands.scoring import dora_of, evaluate
from janshi.riichi.melds import copies_in_meld, kinds_of_meld
from janshi.riichi.play.legal import furiten, seat_wind, sets_left, write_tiles
from janshi.riichi.play.moves import first_draw, next_draw, replacement
from janshi.riichi.play.steps import STEPS, deal_hand
from janshi.riichi.play.wall import dora_slot
from janshi.riichi.state import State
from janshi.tiles import EAST, NORTH

#: `State.drawn` of a table that has stopped before a draw.
BEFORE_DRAW: Final = -2
BEFORE_REPLACEMENT: Final = -3
BEFORE_FIRST: Final = -4

# ---------------------------------------------------------------------------------------------------------
# From draw to draw


@rule
def stop_before_draw(state: State) -> int:
    """Stop where the next seat draws; without tiles the hand is over."""
    if int(state.left) == 0:
        return next_draw(state)
    state.drawn = BEFORE_DRAW
    return Step.WAIT


@leaf
def stop_before_replacement(state: State) -> int:
    """Stop where the seat draws a replacement tile."""
    state.drawn = BEFORE_REPLACEMENT
    return Step.WAIT


_STEPS: Final[dict[str, Any]] = STEPS | {"next_draw": stop_before_draw, "replacement": stop_before_replacement}
run_until_draw = _STEPS["run"] = rule(specialised(turns.run_steps, __name__, **_STEPS))
act = rule(specialised(turns.act, __name__, **_STEPS))


@rule
def deal_again(state: State, tables: ShantenTables) -> None:
    """Deal the hand that has just begun again, and stop before the dealer's first draw."""
    deal_hand(state, tables)
    state.drawn = BEFORE_FIRST


@rule
def act_until_draw(state: State, tables: ShantenTables, action: Int16) -> None:
    """Let the actor do an action; stop before the next draw or at the next decision."""
    act(state, tables, int(action))


@rule
def draw_until_draw(state: State, tables: ShantenTables) -> None:
    """Draw the tile before which the table has stopped; stop before the next draw or at the next decision."""
    before = int(state.drawn)
    if before == BEFORE_DRAW:
        run_until_draw(state, tables, next_draw(state))
    elif before == BEFORE_REPLACEMENT:
        run_until_draw(state, tables, replacement(state))
    else:
        run_until_draw(state, tables, first_draw(state))


# ---------------------------------------------------------------------------------------------------------
# Descriptions

#: Thresholds of the numbers written as one bit a threshold.
ACCEPTED: Final = (1, 2, 4, 6, 8, 12, 16, 24)
BASIC: Final = (1, 500, 1000, 1900, 2000, 3000, 4000, 8000)
SHANTEN: Final = 5
DORA: Final = 5
AFTER: Final = (1, 2, 4, 6, 8, 12)
LEFT: Final = (4, 8, 12, 16, 24, 32, 48)

_TABLE: Final = 34 + 34 + 12 + len(LEFT) + 5
_PLAIN: Final = SHANTEN + len(ACCEPTED) + len(BASIC) + DORA + 16
_SEAT: Final = 34 + 34 + _PLAIN
_OWN_KIND: Final = 13 + len(AFTER)
_OTHER_KIND: Final = 5


def widths(players: int) -> tuple[int, int]:
    """Return the number of features of a draw as a whole, and of each kind that may be drawn."""
    return _TABLE + players * _SEAT, _OWN_KIND + (players - 1) * _OTHER_KIND


def columns_of_kinds(players: int) -> list[int]:
    """Return the first of every 34 numbers of a draw as a whole that belong to the kinds."""
    seats = [_TABLE + seat * _SEAT for seat in range(players)]
    return [0, 34, *seats, *(first + 34 for first in seats)]


@dataclass(frozen=True, slots=True)
class Draws:
    """Draws (n) before their tiles are known, and the kinds drawn."""

    common: NDArray[np.int8]
    """Features of the table, seats from the one that draws (n, numbers)."""
    kinds: NDArray[np.int8]
    """Features of each kind (n, 34, numbers); the first is the number of tiles left."""
    drawn: NDArray[np.int64]
    """Kind drawn (n)."""
    drawer: NDArray[np.int64]
    """Seat that drew (n)."""


class Described(Workspace):
    """Workspace of `describe`."""

    ukeire: Ukeire
    left: Annotated[NDArray[np.int8], 34]
    """Tiles of each kind that may be drawn."""
    dora: Annotated[NDArray[np.int8], 34]
    """Number of dora of a tile of each kind."""
    accepted: Annotated[NDArray[np.int64], 4]
    """Kinds that lower each seat's shanten."""
    shanten: Annotated[NDArray[np.int8], 4]


@leaf
def next_drawer(state: State) -> int:
    """Seat that draws at a table that has stopped before a draw."""
    before = int(state.drawn)
    if before == BEFORE_DRAW:
        return (int(state.turn) + 1) % int(state.rules.players)
    return int(state.turn) if before == BEFORE_REPLACEMENT else int(state.dealer)


@leaf
def next_tile(state: State) -> int:
    """Tile that will be drawn; no description reads it."""
    if int(state.drawn) == BEFORE_REPLACEMENT:
        return int(state.wall[int(state.replaced) ^ 1])
    return int(state.wall[int(state.next)])


@rule
def count_left(state: State, work: Described) -> None:
    """Count the tiles that may be drawn, and the dora of every kind."""
    players = int(state.rules.players)
    for kind in range(34):
        work.left[kind] = 0
        work.dora[kind] = 0
    for slot in range(int(state.next) + 1):
        if slot ^ 1 >= int(state.replaced):
            work.left[kind_of_tile(int(state.wall[slot]))] += 1
    for number in range(int(state.shown)):
        indicator = kind_of_tile(int(state.wall[dora_slot(players, number)]))
        work.left[indicator] -= 1
        work.dora[dora_of(indicator, players == 3)] += 1


@rule
def basic_of_wait(state: State, who: int, kind: int) -> int:
    """Basic points of a ron by a kind without ura-dora and chance yaku; 0 without a yaku."""
    seat = state.seats[who]
    accepted = int(seat.accepted)
    seat.accepted = 0
    write_tiles(state, who, kind, False)
    seat.accepted = accepted
    winning = state.winning
    winning.seat_wind = seat_wind(state, who)
    winning.round_wind = EAST + int(state.kyoku) // 4
    winning.riichi = int(seat.riichi)
    winning.tsumo = 0
    winning.ippatsu = 0
    winning.rinshan = 0
    winning.chankan = 0
    winning.last = 0
    winning.first = 0
    if not evaluate(state.rules, winning, state.reading, state.value):
        return 0
    return int(state.value.basic)


@rule
def write_seat(state: State, work: Described, who: int, drawer: int, first: int, common: Int8s) -> None:
    """Write what a seat holds and shows."""
    hand = state.hands[who]
    seat = state.seats[who]
    orphans = honours = suited = dora = 0
    for kind in range(34):
        count = int(hand.counts[kind])
        common[first + kind] = count
        orphans += count if ORPHANS_MASK >> kind & 1 else 0
        honours += count if HONOURS >> kind & 1 else 0
        dora += count * int(work.dora[kind])
    for slot in range(int(seat.calls)):
        meld = seat.melds[slot]
        copies = copies_in_meld(int(meld.form))
        dora += int(meld.reds)
        for kind in range(34):
            if kinds_of_meld(int(meld.form), int(meld.kind)) >> kind & 1:
                common[first + 34 + kind] += copies
                dora += copies * int(work.dora[kind])
                orphans += copies if ORPHANS_MASK >> kind & 1 else 0
    for suit in range(3):
        dora += int(hand.reds[suit])
        held = 0
        for kind in range(9 * suit, 9 * suit + 9):
            held += int(common[first + kind]) + int(common[first + 34 + kind])
        suited = max(suited, held)
    dora += int(seat.kitas) * (1 + int(work.dora[NORTH]))
    write_reached(state, work, who, first + 68, common, dora)
    plain = first + 68 + SHANTEN + len(ACCEPTED) + len(BASIC) + DORA
    common[plain] = int(seat.riichi)
    common[plain + 1] = int(seat.ippatsu)
    common[plain + 2] = 1 if int(seat.opened) >= 1 else 0
    common[plain + 3] = 1 if int(seat.opened) >= 2 else 0
    common[plain + 4] = 1 if int(seat.opened) >= 3 else 0
    common[plain + 5] = int(seat.kitas)
    common[plain + 6] = min(int(seat.discards), 24)
    common[plain + 7] = 1 if who == int(state.dealer) else 0
    common[plain + 8] = 1 if int(work.shanten[who]) == 0 and furiten(seat, hand) else 0
    common[plain + 9] = orphans
    common[plain + 10] = honours
    common[plain + 11] = suited
    points = int(seat.points)
    common[plain + 12] = max(min(points // 1000, 120), -20)
    ahead = behind = 127
    for other in range(int(state.rules.players)):
        gap = (points - int(state.seats[other].points)) // 400
        if other != who and gap >= 0:
            ahead = min(ahead, gap)
        elif other != who:
            behind = min(behind, -gap)
    common[plain + 13] = ahead
    common[plain + 14] = behind
    common[plain + 15] = 1 if who == drawer else 0


@rule
def write_reached(state: State, work: Described, who: int, first: int, common: Int8s, dora: int) -> None:
    """Write a seat's shanten, tiles accepted, value of its cheapest wait's ron, and dora as thresholds reached."""
    shanten = int(work.shanten[who])
    for number in range(SHANTEN):
        common[first + number] = 1 if shanten <= number else 0
    first += SHANTEN
    accepted = basic = 0
    for kind in range(34):
        if int(work.accepted[who]) >> kind & 1:
            accepted += int(work.left[kind])
            if shanten == 0 and int(work.left[kind]):
                basic = max(basic, basic_of_wait(state, who, kind))
    for number in range(len(ACCEPTED)):
        common[first + number] = 1 if accepted >= ACCEPTED[number] else 0
    first += len(ACCEPTED)
    for number in range(len(BASIC)):
        common[first + number] = 1 if basic >= BASIC[number] else 0
    first += len(BASIC)
    for number in range(DORA):
        common[first + number] = 1 if dora > number else 0


@rule
def write_table(state: State, work: Described, common: Int8s) -> None:
    """Write what belongs to no seat."""
    for kind in range(34):
        common[kind] = int(work.left[kind])
        common[34 + kind] = int(work.dora[kind])
    common[68 + min(int(state.kyoku), 11)] = 1
    for number in range(len(LEFT)):
        common[80 + number] = 1 if int(state.left) >= LEFT[number] else 0
    plain = 80 + len(LEFT)
    common[plain] = min(int(state.honba), 10)
    common[plain + 1] = min(int(state.deposits), 10)
    common[plain + 2] = int(state.left)
    common[plain + 3] = 1 if int(state.drawn) == BEFORE_REPLACEMENT else 0
    common[plain + 4] = 1 if int(state.drawn) == BEFORE_FIRST else 0


@rule
def write_kinds(state: State, work: Described, drawer: int, width: int, kinds: Int8s) -> None:
    """Write what each kind would be to every seat if it came."""
    players = int(state.rules.players)
    hand = state.hands[drawer]
    wind = seat_wind(state, drawer)
    for kind in range(34):
        first = kind * width
        held = int(hand.counts[kind])
        kinds[first] = int(work.left[kind])
        kinds[first + 1] = 1 if held == 1 else 0
        kinds[first + 2] = 1 if held == 2 else 0
        kinds[first + 3] = 1 if held == 3 else 0
        accepted = int(work.accepted[drawer]) >> kind & 1
        kinds[first + 4] = accepted if int(work.shanten[drawer]) == 0 else 0
        kinds[first + 5] = accepted
        kinds[first + 6] = int(work.dora[kind])
        kinds[first + 7] = ORPHANS_MASK >> kind & 1
        kinds[first + 8] = HONOURS >> kind & 1
        valued = DRAGONS >> kind & 1 or kind == wind or kind == EAST + int(state.kyoku) // 4
        kinds[first + 9] = 1 if valued else 0
        kinds[first + 10] = 1 if players == 3 and kind == NORTH else 0
        kinds[first + 11] = int(state.seats[drawer].river_mask) >> kind & 1
        near = 0
        if kind < 27:
            for other in range(max(kind - 2, kind // 9 * 9), min(kind + 3, kind // 9 * 9 + 9)):
                near += int(hand.counts[other])
        kinds[first + 12] = near
        for step in range(1, players):
            who = (drawer + step) % players
            seat = state.seats[who]
            other_hand = state.hands[who]
            column = first + _OWN_KIND + (step - 1) * _OTHER_KIND
            waits = int(work.accepted[who]) >> kind & 1 if int(work.shanten[who]) == 0 else 0
            safe = furiten(seat, other_hand)
            kinds[column] = 0 if safe else waits
            kinds[column + 1] = waits if safe else 0
            kinds[column + 2] = (int(seat.river_mask) | int(seat.passed)) >> kind & 1
            kinds[column + 3] = int(work.accepted[who]) >> kind & 1
            kinds[column + 4] = 1 if int(other_hand.counts[kind]) >= 2 else 0


@rule
def write_after(state: State, tables: ShantenTables, work: Described, drawer: int, width: int, kinds: Int8s) -> None:
    """Write how many tiles the best discard accepts after each kind that the drawer's hand accepts."""
    seat = state.seats[drawer]
    hand = state.hands[drawer]
    sanma = int(state.rules.players) == 3
    for kind in range(34):
        work.ukeire.visible[kind] = 4 - int(work.left[kind])
    for kind in range(34):
        if not int(work.accepted[drawer]) >> kind & 1 or not int(work.left[kind]):
            continue
        take(hand, kind)
        ukeire_of_discards(tables, hand.concealed, sets_left(seat), sanma, work.ukeire)
        give(hand, kind)
        best = 0
        for other in range(34):
            lower = int(work.ukeire.shanten[other]) == int(work.shanten[drawer]) - 1
            if int(work.ukeire.shanten[other]) != NOT_HELD and lower:
                best = max(best, int(work.ukeire.left[other]))
        for number in range(len(AFTER)):
            kinds[kind * width + 13 + number] = 1 if best >= AFTER[number] else 0


@rule
def describe(state: State, tables: ShantenTables, work: Described, common: Int8s, kinds: Int8s) -> Int8:
    """Write the draw before which a table has stopped, into zeros; return the kind that will come."""
    players = int(state.rules.players)
    drawer = next_drawer(state)
    count_left(state, work)
    for who in range(players):
        sets = sets_left(state.seats[who])
        shape = state.hands[who].concealed
        work.shanten[who] = hand_shanten(tables, shape, sets, players == 3)
        work.accepted[who] = accepts(tables, shape, sets, players == 3, int(work.shanten[who]))
    write_table(state, work, common)
    for step in range(players):
        write_seat(state, work, (drawer + step) % players, drawer, _TABLE + step * _SEAT, common)
    width = _OWN_KIND + (players - 1) * _OTHER_KIND
    write_kinds(state, work, drawer, width, kinds)
    if 1 <= int(work.shanten[drawer]) <= 2 and not int(state.seats[drawer].riichi):
        write_after(state, tables, work, drawer, width, kinds)
    return kind_of_tile(next_tile(state))


_deal_again: Final = batched(deal_again)
_act_until_draw: Final = batched(act_until_draw)
_draw_until_draw: Final = batched(draw_until_draw)
_describe: Final = batched(describe)


class FollowedTables:
    """Copies of tables that are played on from draw to draw.

    Args:
        rules: of the tables.
        states: the tables (n).
    """

    def __init__(self, rules: Any, states: Any) -> None:
        self.players: int = rules.players
        self.states: Any = states.copy()

    def deal(self, which: NDArray[np.int64], states: Any) -> None:
        """Begin the hands that have begun at some of the tables (``states``: all tables)."""
        self.states[which] = states[which]
        _deal_again(self.states, which=which)

    def act(self, which: NDArray[np.int64], actions: NDArray[np.int16]) -> None:
        """Do actions at some tables, as far as the next draw."""
        _act_until_draw(self.states, actions, which=which)

    def draw(self, which: NDArray[np.int64]) -> None:
        """Draw at some tables that have stopped before a draw."""
        _draw_until_draw(self.states, which=which)

    def before_draw(self, which: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return those of some tables that have stopped before a draw."""
        stopped: NDArray[np.int64] = which[self.states["drawn"][which] <= BEFORE_DRAW]
        return stopped


def drawers(states: Any, players: int, which: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the seats that draw at some tables that have stopped before a draw (n)."""
    before, turn, dealer = (states[name][which].astype(np.int64) for name in ("drawn", "turn", "dealer"))
    usual = np.where(before == BEFORE_DRAW, (turn + 1) % players, turn)
    seats: NDArray[np.int64] = np.where(before == BEFORE_FIRST, dealer, usual)
    return seats


def describe_draws(states: Any, players: int, which: NDArray[np.int64]) -> Draws:
    """Describe the draws before which some tables have stopped."""
    common, kinds = widths(players)
    found = np.zeros((len(which), common), np.int8), np.zeros((len(which), 34 * kinds), np.int8)
    drawn = _describe(states, *found, which=which)
    return Draws(found[0], found[1].reshape(-1, 34, kinds), drawn.astype(np.int64), drawers(states, players, which))
