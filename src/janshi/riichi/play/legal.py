"""Legal actions as the three words of `janshi.riichi.actions`."""

from __future__ import annotations

from typing import Final

from janshi.compiling import Int64, leaf, rule
from janshi.core.bits import bit_count
from janshi.core.kinds import FIVES, kind_of_tile
from janshi.core.shanten import hand_shanten, waits_mask
from janshi.core.shanten_tables import ShantenTables
from janshi.riichi.actions import Action
from janshi.riichi.hands.concealed import give, kan_keeps_waits, orphan_kinds, take, tenpai_discards
from janshi.riichi.hands.scoring import evaluate, read_runs
from janshi.riichi.melds import tiles_in_meld
from janshi.riichi.play.wall import dora_slot
from janshi.riichi.rules import Kuikae
from janshi.riichi.state import Hand, MeldForm, Offer, Phase, Seat, State
from janshi.tiles import EAST, KINDS, NORTH

#: Most kans of all seats in a hand.
_MOST_KANS: Final = 4
#: Kinds of terminals and honours required for kyuushu kyuuhai.
_NINE_KINDS: Final = 9


@leaf
def tile_bits(hand: Hand, kinds: int, drawn: int) -> int:
    """Return the discard actions (tedashi) of kinds held in addition to the tile just drawn (−1: none)."""
    bits = kinds & int(hand.concealed.held[1])
    if drawn >= 0:
        kind = kind_of_tile(drawn)
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
def reds_of(hand: Hand, kind: int) -> int:
    """Return the number of concealed red fives of a kind."""
    return int(hand.reds[kind // 9]) if FIVES >> kind & 1 else 0


@leaf
def sets_left(seat: Seat) -> int:
    """Return the sets that the concealed tiles must still make."""
    return 4 - int(seat.calls)


@leaf
def seat_wind(state: State, seat: int) -> int:
    """Return the kind of a seat's wind."""
    return EAST + (seat - int(state.dealer)) % int(state.rules.players)


# ---------------------------------------------------------------------------------------------------------
# The value of a win


@leaf
def write_tiles(state: State, who: int, tile: int, tsumo: bool) -> None:
    """Write tiles, melds and indicators of a winning hand into ``state.winning``."""
    winning = state.winning
    seat = state.seats[who]
    hand = state.hands[who]
    reds = int(hand.reds[0]) + int(hand.reds[1]) + int(hand.reds[2])
    for kind in range(34):
        winning.counts[kind] = int(hand.counts[kind])
    winning.kind = kind_of_tile(tile)
    if not tsumo:
        winning.counts[int(winning.kind)] += 1
        reds += 1 if tile >= 34 else 0
    calls = int(seat.calls)
    for slot in range(calls):
        meld = seat.melds[slot]
        winning.forms[slot] = int(meld.form)
        winning.kinds[slot] = int(meld.kind)
        reds += int(meld.reds)
    winning.calls = calls
    winning.reds = reds
    winning.kitas = int(seat.kitas)
    shown = int(state.shown)
    ura = int(seat.accepted) and int(state.rules.ura_dora)
    for slot in range(5):
        under = -1
        if ura and slot < shown and (slot == 0 or int(state.rules.kan_ura)):
            under = int(state.wall[dora_slot(int(state.rules.players), slot) - 1])
        winning.dora[slot] = kind_of_tile(int(state.indicators[slot]))
        winning.ura[slot] = kind_of_tile(under)


@rule
def value_of_win(state: State, who: int, tile: int, tsumo: bool) -> bool:
    """Write the value of a complete hand into ``state.value``; return False if it has no yaku.

    On a self-draw the hand contains the winning tile; on a ron it is added here.
    """
    write_tiles(state, who, tile, tsumo)
    winning = state.winning
    seat = state.seats[who]
    claimed = int(state.claimed)
    rinshan = int(state.rinshan) == 1
    last = int(state.left) == 0 and (not rinshan if tsumo else claimed == Offer.DISCARD)
    winning.seat_wind = seat_wind(state, who)
    winning.round_wind = EAST + int(state.kyoku) // 4
    winning.tsumo = 1 if tsumo else 0
    winning.riichi = int(seat.riichi) if int(seat.accepted) else 0
    winning.ippatsu = int(seat.ippatsu)
    winning.rinshan = 1 if tsumo and rinshan else 0
    winning.chankan = 1 if not tsumo and claimed in (Offer.KAKAN, Offer.ANKAN) else 0
    winning.last = 1 if last else 0
    winning.first = 1 if (tsumo or int(state.rules.renhou)) and is_first_turn(state, seat) else 0
    return evaluate(state.rules, winning, state.reading, state.value)


@leaf
def is_first_turn(state: State, seat: Seat) -> bool:
    """Return whether the seat has not discarded and nobody has called or set aside a tile."""
    return int(seat.discards) == 0 and not int(state.interrupted)


# ---------------------------------------------------------------------------------------------------------
# The own turn


@rule
def turn_options(state: State, tables: ShantenTables) -> None:
    """Write the legal actions of the seat to move with fourteen tiles."""
    who = int(state.turn)
    seat = state.seats[who]
    hand = state.hands[who]
    rules = state.rules
    drawn = int(state.drawn)
    kind = kind_of_tile(drawn)
    riichi = int(seat.accepted) == 1
    closed_kans = 0
    added_kans = 0
    simple = 1 << Action.TSUMOGIRI
    if not riichi:
        simple |= tile_bits(hand, int(hand.concealed.held[1]), drawn)
    if int(hand.waits) >> kind & 1 and (int(seat.opened) == 0 or value_of_win(state, who, drawn, True)):
        simple |= 1 << Action.TSUMO
    if not riichi and int(seat.opened) == 0 and int(hand.shanten) <= 1:
        simple |= riichi_option(state, tables, who)
    if int(state.left) > 0:
        if int(rules.kita) and int(hand.concealed.held[1]) >> NORTH & 1 and (not riichi or kind == NORTH):
            simple |= 1 << Action.KITA
        if int(state.kans) < _MOST_KANS:
            closed_kans = closed_kan_kinds(state, tables, who, kind)
            if int(seat.opened) and not riichi:
                for slot in range(int(seat.calls)):
                    meld = seat.melds[slot]
                    if int(meld.form) == MeldForm.PON:
                        added_kans |= int(hand.concealed.held[1]) & 1 << int(meld.kind)
    if int(rules.kyuushu_kyuuhai) and is_first_turn(state, seat) and bit_count(orphan_kinds(hand)) >= _NINE_KINDS:
        simple |= 1 << Action.KYUUSHU_KYUUHAI
    state.legal[0] = simple
    state.legal[1] = closed_kans
    state.legal[2] = added_kans


@leaf
def closed_kan_kinds(state: State, tables: ShantenTables, who: int, drawn: int) -> int:
    """Return the kinds of legal closed kans; after riichi only of the kind just drawn, if it keeps the waits."""
    seat = state.seats[who]
    hand = state.hands[who]
    kinds = int(hand.concealed.held[4])
    if kinds and int(seat.accepted):
        kinds &= 1 << drawn
        if not kinds or not int(state.rules.riichi_kan):
            return 0
        if not kan_keeps_waits(hand, tables, drawn, sets_left(seat), int(state.rules.players) == 3):
            return 0
        if int(state.rules.riichi_kan_keeps_sets) and not is_always_triplet(state, hand, drawn):
            return 0
    return kinds


@rule
def is_always_triplet(state: State, hand: Hand, kind: int) -> bool:
    """Return whether a tenpai hand, with the fourth tile of ``kind`` drawn, reads the others only as a triplet."""
    always = True
    for wait in range(34):
        if int(hand.waits) >> wait & 1:
            always = always and not has_other_reading(state, hand, kind, wait)
    return always


@rule
def has_other_reading(state: State, hand: Hand, kind: int, wait: int) -> bool:
    """Return whether the hand, completed by ``wait``, divides into sets and a pair without a triplet of ``kind``."""
    counts = state.winning.counts
    for tile in range(34):
        counts[tile] = int(hand.counts[tile])
    counts[kind] -= 1  # the one just drawn
    counts[wait] += 1
    for pair in range(34):
        if int(counts[pair]) < 2:
            continue
        counts[pair] -= 2
        triples = 0
        for tile in range(34):
            if int(counts[tile]) >= 3 and tile != kind:
                triples |= 1 << tile
        chosen = triples
        while True:
            state.reading.triplets = chosen
            if read_runs(state.winning, state.reading):
                return True
            if chosen == 0:
                break
            chosen = (chosen - 1) & triples
        counts[pair] += 2
    return False


@rule
def riichi_option(state: State, tables: ShantenTables, who: int) -> int:
    """Return the bit of the riichi action if a closed hand of fourteen tiles may declare it, else 0."""
    seat = state.seats[who]
    hand = state.hands[who]
    rules = state.rules
    least = int(rules.riichi_least_points)
    if int(state.left) < int(rules.riichi_least_tiles) or (least > 0 and int(seat.points) < least):
        return 0
    if hand_shanten(tables, hand.concealed, sets_left(seat), int(rules.players) == 3) > 0:
        return 0
    if not int(rules.karaten_is_tenpai) and not riichi_discards(state, tables, who):
        return 0
    return 1 << Action.RIICHI


@rule
def riichi_discards(state: State, tables: ShantenTables, who: int) -> int:
    """Return the kinds whose discard leaves a closed hand tenpai in the sense of the rules."""
    seat = state.seats[who]
    hand = state.hands[who]
    sanma = int(state.rules.players) == 3
    kinds = tenpai_discards(hand, tables, sets_left(seat), sanma)
    if not int(state.rules.karaten_is_tenpai):
        for kind in range(34):
            if kinds >> kind & 1:
                give(hand, kind)
                if not waits_mask(tables, hand.concealed, sets_left(seat), sanma) & ~kinds_held_whole(seat, hand):
                    kinds &= ~(1 << kind)
                take(hand, kind)
    return kinds


@rule
def kinds_held_whole(seat: Seat, hand: Hand) -> int:
    """Return the kinds of which a seat holds all four tiles, melds included."""
    kinds = 0
    for kind in range(34):
        tiles = int(hand.counts[kind])
        for slot in range(int(seat.calls)):
            tiles += tiles_in_meld(int(seat.melds[slot].form), int(seat.melds[slot].kind), kind)
        if tiles == 4:
            kinds |= 1 << kind
    return kinds


@rule
def discard_options(state: State, tables: ShantenTables) -> None:
    """Write the legal discards after a call or a declaration of riichi."""
    who = int(state.turn)
    hand = state.hands[who]
    if int(state.phase) == Phase.CALLED_DISCARD:
        simple = tile_bits(hand, int(hand.concealed.held[1]) & ~int(state.forbidden), -1)
    else:
        drawn = int(state.drawn)
        kinds = riichi_discards(state, tables, who)
        simple = tile_bits(hand, kinds, drawn)
        if kinds >> kind_of_tile(drawn) & 1:
            simple |= 1 << Action.TSUMOGIRI
    state.legal[0] = simple
    state.legal[1] = 0
    state.legal[2] = 0


# ---------------------------------------------------------------------------------------------------------
# Another seat's tile


@leaf
def furiten(seat: Seat, hand: Hand) -> bool:
    """Return whether the seat may not win by ron: a wait in its own river, or a winning tile passed."""
    return int(hand.missed) != 0 or int(hand.waits) & int(seat.river_mask) != 0


@rule
def ron_option(state: State, who: int) -> int:
    """Return the bit of ron on the offered tile, else 0."""
    tile = int(state.tile)
    seat = state.seats[who]
    hand = state.hands[who]
    if not int(hand.waits) >> kind_of_tile(tile) & 1 or furiten(seat, hand):
        return 0
    if int(state.claimed) == Offer.ANKAN and not robs_closed_kan(state, hand):
        return 0
    if int(seat.accepted) or value_of_win(state, who, tile, False):
        return 1 << Action.RON
    return 0


@rule
def winning_kinds(state: State, who: Int64) -> Int64:
    """Return the kinds by whose discard a seat could win now, as bits.

    Overwrites ``state.value``.
    """
    seat, hand = state.seats[int(who)], state.hands[int(who)]
    if furiten(seat, hand):
        return 0
    claimed = int(state.claimed)
    state.claimed = Offer.DISCARD
    kinds = 0
    for kind in range(KINDS):
        if int(hand.waits) >> kind & 1 and (int(seat.accepted) or value_of_win(state, int(who), kind, False)):
            kinds |= 1 << kind
    state.claimed = claimed
    return kinds


@leaf
def robs_closed_kan(state: State, hand: Hand) -> bool:
    """Return whether a tenpai hand may rob a closed kan: only thirteen orphans, if the rules allow it.

    Any other hand with twelve kinds of terminals and honours is not tenpai.
    """
    return int(state.rules.orphans_rob_closed_kan) == 1 and bit_count(orphan_kinds(hand)) >= 12


@leaf
def pon_options(state: State, hand: Hand, kind: int) -> int:
    """Return pon, without and with red fives, and open kan.

    Kuikae never rules out a pon: at least two tiles remain, and at most one of them is of the called kind.
    """
    held = int(hand.counts[kind])
    reds = reds_of(hand, kind)
    bits = 0
    if held - reds >= 2:
        bits |= 1 << Action.PON
    if reds >= 1 and held - reds >= 1:
        bits |= 1 << Action.PON + 1
    if reds >= 2:
        bits |= 1 << Action.PON + 2
    if held >= 3 and int(state.kans) < _MOST_KANS:
        bits |= 1 << Action.DAIMINKAN
    return bits


@leaf
def run_option(state: State, seat: Seat, hand: Hand, kind: int, position: int) -> int:
    """Return chii with the called tile lowest (0), in the middle (1) or highest (2), without and with the red five."""
    lowest = kind - position
    lower = lowest + 1 if position == 0 else lowest
    higher = lowest + 1 if position == 2 else lowest + 2
    held = int(hand.concealed.held[1])
    if not (held >> lower & 1 and held >> higher & 1):
        return 0
    forbidden = forbidden_after_chii(int(state.rules.kuikae), kind, position)
    tiles = 0
    for other in range(max(kind - 3, 0), kind + 4):
        if forbidden >> other & 1:
            tiles += int(hand.counts[other])
    if tiles >= 11 - 3 * int(seat.calls):  # one of the tiles left after the call must be discarded
        return 0
    five = lower if FIVES >> lower & 1 else higher
    if not FIVES >> five & 1:
        return 1 << Action.CHII + position
    reds = reds_of(hand, five)
    bits = 0
    if reds:
        bits |= 1 << Action.CHII_RED + position
    if int(hand.counts[five]) > reds:
        bits |= 1 << Action.CHII + position
    return bits


@leaf
def forbidden_after_chii(kuikae: int, kind: int, position: int) -> int:
    """Return the kinds barred after a chii (kuikae): the called one, and the other end of its run."""
    kinds = 0
    if kuikae >= Kuikae.SAME_TILE:
        kinds |= 1 << kind
    if kuikae >= Kuikae.SAME_RUN:
        if position == 0 and kind % 9 <= 5:
            kinds |= 1 << kind + 3
        if position == 2 and kind % 9 >= 3:
            kinds |= 1 << kind - 3
    return kinds


@leaf
def chii_options(state: State, seat: Seat, hand: Hand, kind: int) -> int:
    """Return all chii of a tile discarded by the previous seat."""
    bits = 0
    rank = kind % 9
    if kind < EAST:
        if rank <= 6:
            bits |= run_option(state, seat, hand, kind, 0)
        if 1 <= rank <= 7:
            bits |= run_option(state, seat, hand, kind, 1)
        if rank >= 2:
            bits |= run_option(state, seat, hand, kind, 2)
    return bits


@rule
def claim_options(state: State, who: int, only_ron: bool) -> int:
    """Return the actions of a seat on a tile discarded, set aside or laid down; 0 if it has nothing to decide."""
    kind = kind_of_tile(int(state.tile))
    seat = state.seats[who]
    hand = state.hands[who]
    bits = ron_option(state, who) if int(hand.waits) else 0
    if int(state.claimed) == Offer.DISCARD and not only_ron and not int(seat.riichi) and int(state.left) > 0:
        if int(hand.concealed.held[2]) >> kind & 1:
            bits |= pon_options(state, hand, kind)
        if int(state.rules.chii) and (int(state.turn) + 1) % int(state.rules.players) == who:
            bits |= chii_options(state, seat, hand, kind)
    return bits | 1 << Action.PASS if bits else 0
