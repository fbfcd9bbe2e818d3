"""What a seat may do: on its turn, after a call, after declaring riichi, and about another's tile.

Legal actions are the three words of `janshi.engine.actions`: actions 0–53, kinds of closed kans, kinds of added kans.
"""

from __future__ import annotations

from typing import Final

from janshi.compiling import leaf, rule
from janshi.engine import actions
from janshi.engine.hand import FIVES, kan_keeps_waits, orphan_kinds, ready_discards, shanten_of
from janshi.engine.score import evaluate
from janshi.engine.shanten import ORPHANS_MASK, bit_count
from janshi.engine.state import (
    CALLED_DISCARD,
    ON_ANKAN,
    ON_DISCARD,
    ON_KAKAN,
    PON,
    Hand,
    Seat,
    State,
)
from janshi.engine.tables import Lookup
from janshi.engine.wall import dora_place
from janshi.rules import Kuikae
from janshi.tiles import NORTH

_SAME_TILE: Final = int(Kuikae.SAME_TILE)
_SAME_RUN: Final = int(Kuikae.SAME_RUN)
_PASS: Final = 1 << actions.PASS
_ORPHANS_LEAST: Final = 9
_KANS: Final = 4


@leaf
def tile_bits(hand: Hand, kinds: int, drawn: int) -> int:
    """Discard actions (tedashi) of the given kinds: tiles held beside the one just drawn (−1: none was drawn)."""
    bits = kinds & int(hand.held[1])
    if drawn >= 0:
        kind = drawn if drawn < 34 else 4 + 9 * (drawn - 34)
        if int(hand.counts[kind]) == 1:
            bits &= ~(1 << kind)
    fives = bits & FIVES
    if fives:
        for suit in range(3):
            kind = 4 + 9 * suit
            reds = int(hand.reds[suit])
            if reds and fives >> kind & 1:
                plain = int(hand.counts[kind]) - reds - (1 if drawn == kind else 0)
                if plain == 0:
                    bits &= ~(1 << kind)
                if reds - (1 if drawn == 34 + suit else 0) > 0:
                    bits |= 1 << 34 + suit
    return bits


@leaf
def sets_left(seat: Seat) -> int:
    """Sets that the concealed tiles must still make."""
    return 4 - int(seat.calls)


@leaf
def seat_wind(state: State, seat: int) -> int:
    """Kind of a seat's own wind."""
    return 27 + (seat - int(state.dealer)) % int(state.rules.players)


@rule
def value_of_win(state: State, lookup: Lookup, who: int, tile: int, tsumo: bool) -> bool:
    """Write into ``state.value`` what a complete hand is worth; False where it has no yaku.

    The winning tile is in the hand already on a self-draw and is added here on a ron.
    """
    winning = state.winning
    seat = state.seats[who]
    hand = state.hands[who]
    kind = tile if tile < 34 else 4 + 9 * (tile - 34)
    reds = int(hand.reds[0]) + int(hand.reds[1]) + int(hand.reds[2])
    for one in range(34):
        winning.counts[one] = int(hand.counts[one])
    if not tsumo:
        winning.counts[kind] += 1
        reds += 1 if tile >= 34 else 0
    calls = int(seat.calls)
    for one in range(4):
        meld = seat.melds[one]
        made = one < calls
        winning.forms[one] = int(meld.form) if made else 0
        winning.kinds[one] = int(meld.kind) if made else 0
        reds += int(meld.reds) if made else 0
    shown = int(state.shown)
    players = int(state.rules.players)
    ura = int(seat.accepted) and int(state.rules.ura_dora)
    for one in range(5):
        dora = int(state.indicators[one]) if one < shown else -1
        winning.dora[one] = dora if dora < 34 else 4 + 9 * (dora - 34)
        under = -1
        if ura and one < shown and (one == 0 or int(state.rules.kan_ura)):
            under = int(state.wall[dora_place(players, one) - 1])
        winning.ura[one] = under if under < 34 else 4 + 9 * (under - 34)
    winning.calls = calls
    winning.kind = kind
    winning.seat_wind = seat_wind(state, who)
    winning.round_wind = 27 + int(state.kyoku) // 4
    winning.reds = reds
    winning.kitas = int(seat.kitas)
    winning.tsumo = 1 if tsumo else 0
    winning.riichi = int(seat.riichi) if int(seat.accepted) else 0
    winning.ippatsu = int(seat.ippatsu)
    winning.rinshan = 1 if tsumo and int(state.rinshan) else 0
    claimed = int(state.claimed)
    winning.chankan = 1 if not tsumo and (claimed in (ON_KAKAN, ON_ANKAN)) else 0
    last = int(state.left) == 0 and (not int(state.rinshan) if tsumo else claimed == ON_DISCARD)
    winning.last = 1 if last else 0
    winning.first = 1 if tsumo and not int(state.interrupted) and int(seat.discards) == 0 else 0
    return evaluate(state.rules, lookup, winning, state.value)


@rule
def turn_options(state: State, lookup: Lookup) -> None:
    """Write what the seat whose turn it is may do with its fourteen tiles."""
    who = int(state.turn)
    seat = state.seats[who]
    hand = state.hands[who]
    rules = state.rules
    drawn = int(state.drawn)
    kind = drawn if drawn < 34 else 4 + 9 * (drawn - 34)
    sanma = int(rules.players) == 3
    riichi = int(seat.accepted) == 1
    left = int(state.left)
    closed_kans = 0
    added_kans = 0
    simple = 1 << actions.TSUMOGIRI
    if not riichi:
        simple |= tile_bits(hand, int(hand.held[1]), drawn)
    if int(hand.waits) >> kind & 1 and (int(seat.opened) == 0 or value_of_win(state, lookup, who, drawn, True)):
        simple |= 1 << actions.TSUMO
    if not riichi and int(seat.opened) == 0 and int(hand.shanten) <= 1:
        simple |= riichi_option(state, lookup, who)
    if left > 0:
        if int(rules.kita) and int(hand.held[1]) >> NORTH & 1 and (not riichi or kind == NORTH):
            simple |= 1 << actions.KITA
        if int(state.kans) < _KANS:
            closed_kans = int(hand.held[4])
            if riichi and closed_kans:
                closed_kans &= 1 << kind
                keeps = int(rules.riichi_kan) and closed_kans
                if (keeps and not kan_keeps_waits(hand, lookup, kind, sets_left(seat), sanma)) or not keeps:
                    closed_kans = 0
            if int(seat.opened) and not riichi:
                for one in range(int(seat.calls)):
                    meld = seat.melds[one]
                    if int(meld.form) == PON:
                        added_kans |= int(hand.held[1]) & 1 << int(meld.kind)
    first = int(rules.nine_terminals) and not int(state.interrupted) and int(seat.discards) == 0
    if first and bit_count(orphan_kinds(hand)) >= _ORPHANS_LEAST:
        simple |= 1 << actions.NINE_TERMINALS
    state.legal[0] = simple
    state.legal[1] = closed_kans
    state.legal[2] = added_kans


@rule
def riichi_option(state: State, lookup: Lookup, who: int) -> int:
    """Bit of the riichi action where a closed hand of fourteen tiles may declare it, else 0."""
    seat = state.seats[who]
    hand = state.hands[who]
    rules = state.rules
    if int(state.left) < int(rules.riichi_least_tiles) or int(seat.points) < int(rules.riichi_least_points):
        return 0
    shanten = shanten_of(hand, lookup, sets_left(seat), int(rules.players) == 3)
    return 1 << actions.RIICHI if shanten <= 0 else 0


@rule
def discard_options(state: State, lookup: Lookup) -> None:
    """Write what may be discarded after a call or after declaring riichi."""
    who = int(state.turn)
    hand = state.hands[who]
    drawn = int(state.drawn)
    if int(state.phase) == CALLED_DISCARD:
        simple = tile_bits(hand, int(hand.held[1]) & ~int(state.forbidden), -1)
    else:
        ready = ready_discards(hand, lookup, sets_left(state.seats[who]), int(state.rules.players) == 3)
        simple = tile_bits(hand, ready, drawn)
        if ready >> (drawn if drawn < 34 else 4 + 9 * (drawn - 34)) & 1:
            simple |= 1 << actions.TSUMOGIRI
    state.legal[0] = simple
    state.legal[1] = 0
    state.legal[2] = 0


# ---------------------------------------------------------------------------------------------------------
# Another's tile


@leaf
def furiten(seat: Seat, hand: Hand) -> bool:
    """Whether the seat may not win by ron: a wait in its own river, or a winning tile let pass."""
    return int(hand.missed) != 0 or int(hand.waits) & int(seat.river_mask) != 0


@rule
def ron_option(state: State, lookup: Lookup, who: int) -> int:
    """Bit of ron on the tile that may be claimed, else 0."""
    tile = int(state.tile)
    kind = tile if tile < 34 else 4 + 9 * (tile - 34)
    seat = state.seats[who]
    hand = state.hands[who]
    if not int(hand.waits) >> kind & 1 or furiten(seat, hand):
        return 0
    if int(state.claimed) == ON_ANKAN and not robs_closed_kan(state, hand):
        return 0
    if int(seat.accepted) or value_of_win(state, lookup, who, tile, False):
        return 1 << actions.RON
    return 0


@leaf
def robs_closed_kan(state: State, hand: Hand) -> bool:
    """Whether a ready hand may rob a closed kan: thirteen orphans only, where the rules let it."""
    orphans = bit_count(orphan_kinds(hand)) >= 12 and int(hand.held[1]) & ~ORPHANS_MASK == 0
    return int(state.rules.orphans_rob_closed_kan) == 1 and orphans


@leaf
def pon_options(state: State, seat: Seat, hand: Hand, kind: int) -> int:
    """Pon, without and with red fives, and open kan."""
    held = int(hand.counts[kind])
    bits = 0
    # After the pon some tile other than the one just called must be left to discard.
    if int(state.rules.kuikae) == 0 or held - 2 < 11 - 3 * int(seat.calls):
        reds = int(hand.reds[kind // 9]) if FIVES >> kind & 1 else 0
        if held - reds >= 2:
            bits |= 1 << actions.PON
        if reds >= 1 and held - reds >= 1:
            bits |= 1 << actions.PON + 1
        if reds >= 2:
            bits |= 1 << actions.PON + 2
    if held >= 3 and int(state.kans) < _KANS:
        bits |= 1 << actions.DAIMINKAN
    return bits


@leaf
def run_option(state: State, seat: Seat, hand: Hand, kind: int, place: int) -> int:
    """Chii with the called tile lowest (0), in the middle (1) or highest (2), without and with the red five."""
    low = kind - place
    one = low + 1 if place == 0 else low
    two = low + 1 if place == 2 else low + 2
    held = int(hand.held[1])
    if not (held >> one & 1 and held >> two & 1):
        return 0
    forbidden = forbidden_after_chii(int(state.rules.kuikae), kind, place)
    barred = 0
    for other in range(max(kind - 3, 0), kind + 4):
        if forbidden >> other & 1:
            barred += int(hand.counts[other])
    if barred >= 11 - 3 * int(seat.calls):
        return 0
    bits = 0
    five = one if FIVES >> one & 1 else two
    if FIVES >> five & 1:
        reds = int(hand.reds[five // 9])
        if reds:
            bits |= 1 << actions.CHII_RED + place
        if int(hand.counts[five]) > reds:
            bits |= 1 << actions.CHII + place
    else:
        bits |= 1 << actions.CHII + place
    return bits


@leaf
def forbidden_after_chii(kuikae: int, kind: int, place: int) -> int:
    """Kinds that may not be discarded after a chii (kuikae): the called one, and the other end of its run."""
    mask = 0
    if kuikae >= _SAME_TILE:
        mask |= 1 << kind
    if kuikae >= _SAME_RUN:
        if place == 0 and kind % 9 <= 5:
            mask |= 1 << kind + 3
        if place == 2 and kind % 9 >= 3:
            mask |= 1 << kind - 3
    return mask


@leaf
def chii_options(state: State, seat: Seat, hand: Hand, kind: int) -> int:
    """All chii of a tile that the seat before has discarded."""
    bits = 0
    place = kind % 9
    if kind < 27:
        if place <= 6:
            bits |= run_option(state, seat, hand, kind, 0)
        if 1 <= place <= 7:
            bits |= run_option(state, seat, hand, kind, 1)
        if place >= 2:
            bits |= run_option(state, seat, hand, kind, 2)
    return bits


@rule
def claim_options(state: State, lookup: Lookup, who: int, only_ron: bool) -> int:
    """What a seat may do about the tile just discarded, set aside or laid down; 0 where it has nothing to decide."""
    tile = int(state.tile)
    kind = tile if tile < 34 else 4 + 9 * (tile - 34)
    seat = state.seats[who]
    hand = state.hands[who]
    bits = ron_option(state, lookup, who) if int(hand.waits) else 0
    if int(state.claimed) == ON_DISCARD and not only_ron and not int(seat.riichi) and int(state.left) > 0:
        if int(hand.held[2]) >> kind & 1:
            bits |= pon_options(state, seat, hand, kind)
        if int(state.rules.chii) and (int(state.turn) + 1) % int(state.rules.players) == who:
            bits |= chii_options(state, seat, hand, kind)
    return bits | _PASS if bits else 0
