"""What happens at the table: draws, discards, calls, kans, and who gets a tile that several want.

Each function does one step and returns the next one (`DRAW`, `ASK` …) to the loop in `janshi.engine.play`.
"""

from __future__ import annotations

from typing import Final

from janshi.compiling import leaf, rule
from janshi.engine import actions
from janshi.engine.hand import FIVES, give, take, update_waits
from janshi.engine.legal import claim_options, forbidden_after_chii, sets_left
from janshi.engine.shanten import ORPHANS_MASK, bit_count
from janshi.engine.state import (
    ACCEPTED_EVENT,
    ANKAN,
    ANKAN_EVENT,
    CALLED,
    CALLED_DISCARD,
    CHII,
    CHII_EVENT,
    CLAIM,
    DAIMINKAN,
    DAIMINKAN_EVENT,
    DECLARES_RIICHI,
    DISCARD_EVENT,
    DRAW_EVENT,
    EXHAUSTIVE,
    FOUR_KANS,
    FOUR_RIICHI,
    FOUR_WINDS,
    KAKAN,
    KAKAN_EVENT,
    KITA_EVENT,
    NAGASHI_MANGAN,
    NOT_ENDED,
    ON_ANKAN,
    ON_DISCARD,
    ON_KAKAN,
    ON_KITA,
    PON,
    PON_EVENT,
    RIICHI_DISCARD,
    RIICHI_EVENT,
    RIVER,
    RON,
    TRIPLE_RON,
    TSUMOGIRI,
    TURN,
    State,
    note,
)
from janshi.engine.tables import Lookup
from janshi.engine.wall import draw_replacement, draw_tile, turn_indicator
from janshi.rules import KanDora
from janshi.tiles import NORTH

# The steps of the loop
WAIT: Final = 0  # for a decision
DRAW: Final = 1  # the next seat draws
REPLACE: Final = 2  # the seat draws a replacement tile
OFFER: Final = 3  # the seat decides about its fourteen tiles
OFFER_DISCARD: Final = 4  # the seat must discard after a call or riichi
ASK: Final = 5  # the next seat is asked about a tile
RESOLVE: Final = 6  # all have answered
SETTLE: Final = 7  # the hand is over

_AT_ONCE: Final = int(KanDora.AT_ONCE)
_BEFORE_DISCARD: Final = int(KanDora.BEFORE_DISCARD)
_WINDS: Final = 0b1111 << 27
_DRAGONS: Final = 0b111 << 31


# ---------------------------------------------------------------------------------------------------------
# Draws


@rule
def next_draw(state: State) -> int:
    """The seat after the one whose turn it was draws; without tiles the hand is over."""
    if int(state.left) == 0:
        state.ended = exhausted(state)
        return SETTLE
    turn = (int(state.turn) + 1) % int(state.rules.players)
    if turn == int(state.dealer):
        state.turns += 1
    return drawn_by(state, turn, draw_tile(state), False)


@rule
def first_draw(state: State) -> int:
    """The dealer draws the fourteenth tile."""
    return drawn_by(state, int(state.dealer), draw_tile(state), False)


@rule
def replacement(state: State) -> int:
    """The seat that has made a kan or set a North aside draws a replacement tile."""
    return drawn_by(state, int(state.turn), draw_replacement(state), True)


@leaf
def drawn_by(state: State, seat: int, tile: int, rinshan: bool) -> int:
    """Give a drawn tile to a seat, whose turn it is now."""
    note(state, DRAW_EVENT, seat, tile, 0)
    take(state.hands[seat], tile)
    state.turn = seat
    state.actor = seat
    state.drawn = tile
    state.tile = -1
    state.rinshan = 1 if rinshan else 0
    state.phase = TURN
    return OFFER


@leaf
def exhausted(state: State) -> int:
    """Which exhaustive draw it is: nagashi mangan where some seat's discards make one."""
    if int(state.rules.nagashi_mangan):
        for seat in range(int(state.rules.players)):
            if int(state.seats[seat].nagashi):
                return NAGASHI_MANGAN
    return EXHAUSTIVE


# ---------------------------------------------------------------------------------------------------------
# Own turn


@rule
def discard(state: State, lookup: Lookup, action: int) -> int:
    """Discard a tile from the hand, or the one just drawn."""
    who = int(state.turn)
    seat = state.seats[who]
    hand = state.hands[who]
    drawn = int(state.drawn)
    tile = drawn if action == actions.TSUMOGIRI else action
    kind = tile if tile < 34 else 4 + 9 * (tile - 34)
    flag = TSUMOGIRI if action == actions.TSUMOGIRI else 0
    if int(state.phase) == RIICHI_DISCARD:
        flag |= DECLARES_RIICHI
    give(hand, tile)
    if action != actions.TSUMOGIRI:
        update_waits(hand, lookup, sets_left(seat), int(state.rules.players) == 3)
    place = min(int(seat.discards), RIVER - 1)
    seat.river[place] = tile
    seat.marks[place] = flag
    seat.discards = place + 1
    seat.river_mask = int(seat.river_mask) | 1 << kind
    seat.ippatsu = 0
    if not ORPHANS_MASK >> kind & 1:
        seat.nagashi = 0
    if int(hand.missed) == 1:
        hand.missed = 0
    while int(state.pending) > 0:
        turn_indicator(state)
        state.pending -= 1
    note(state, DISCARD_EVENT, who, tile, 1 if action == actions.TSUMOGIRI else 0)
    state.drawn = -1
    state.forbidden = 0
    return offer_tile(state, tile, ON_DISCARD)


@leaf
def offer_tile(state: State, tile: int, claimed: int) -> int:
    """Let the other seats be asked about a tile."""
    state.tile = tile
    state.claimed = claimed
    state.phase = CLAIM
    for seat in range(4):
        state.answers[seat] = -1
    state.to_ask = (1 << int(state.rules.players)) - 1 & ~(1 << int(state.turn))
    return ASK


@leaf
def declare_riichi(state: State) -> int:
    """Declare riichi: the discard is to come, the stick is laid down when nobody wins on it."""
    seat = state.seats[int(state.turn)]
    first = int(seat.discards) == 0 and not int(state.interrupted)
    seat.riichi = 2 if first else 1
    note(state, RIICHI_EVENT, int(state.turn), -1, 0)
    seat.riichi_turn = min(int(state.turns), 127)
    state.declared = int(state.turn)
    state.phase = RIICHI_DISCARD
    return OFFER_DISCARD


@rule
def kita(state: State, lookup: Lookup) -> int:
    """Set a North aside; the others may win on it."""
    who = int(state.turn)
    seat = state.seats[who]
    hand = state.hands[who]
    note(state, KITA_EVENT, who, NORTH, 0)
    give(hand, NORTH)
    seat.kitas += 1
    if int(state.drawn) != NORTH:
        update_waits(hand, lookup, sets_left(seat), int(state.rules.players) == 3)
    return offer_tile(state, NORTH, ON_KITA)


@rule
def closed_kan(state: State, lookup: Lookup, kind: int) -> int:
    """Lay down a closed kan; thirteen orphans may rob it where the rules say so."""
    who = int(state.turn)
    seat = state.seats[who]
    hand = state.hands[who]
    reds = int(hand.reds[kind // 9]) if FIVES >> kind & 1 else 0
    for copy in range(4):
        give(hand, 34 + kind // 9 if copy < reds else kind)
    note(state, ANKAN_EVENT, who, kind, actions.ANKAN + kind)
    lay(state, who, ANKAN, kind, -1, who, reds)
    state.kans += 1
    update_waits(hand, lookup, sets_left(seat), int(state.rules.players) == 3)
    return offer_tile(state, kind, ON_ANKAN)


@rule
def added_kan(state: State, lookup: Lookup, kind: int) -> int:
    """Add the fourth tile to a pon; the others may rob it."""
    who = int(state.turn)
    seat = state.seats[who]
    hand = state.hands[who]
    red = FIVES >> kind & 1 and int(hand.reds[kind // 9]) > 0
    tile = 34 + kind // 9 if red else kind
    for one in range(int(seat.calls)):
        meld = seat.melds[one]
        if int(meld.form) == PON and int(meld.kind) == kind:
            meld.form = KAKAN
            meld.reds += 1 if red else 0
    note(state, KAKAN_EVENT, who, tile, actions.KAKAN + kind)
    give(hand, tile)
    state.kans += 1
    update_waits(hand, lookup, sets_left(seat), int(state.rules.players) == 3)
    return offer_tile(state, tile, ON_KAKAN)


@leaf
def lay(state: State, who: int, form: int, kind: int, tile: int, feeder: int, reds: int) -> None:
    """Lay a set down before a seat."""
    seat = state.seats[who]
    meld = seat.melds[int(seat.calls)]
    meld.form = form
    meld.kind = kind
    meld.tile = tile
    meld.feeder = feeder
    meld.reds = reds
    meld.turn = min(int(state.turns), 127)
    meld.after = int(seat.discards)
    seat.calls += 1
    if form != ANKAN:
        seat.opened += 1


@rule
def interrupt(state: State) -> None:
    """Something was called or set aside: no ippatsu and no first-turn yaku any more, for nobody."""
    state.interrupted = 1
    for seat in range(4):
        state.seats[seat].ippatsu = 0


@rule
def kan_stands(state: State, form: int) -> int:
    """A kan or kita that nobody has robbed: its indicator, and those still pending; then the replacement tile."""
    interrupt(state)
    while int(state.pending) > 0:
        turn_indicator(state)
        state.pending -= 1
    when = int(state.rules.kan_dora)
    if form == ANKAN and when and int(state.rules.closed_kan_dora_at_once):
        when = _AT_ONCE
    if form and when == _AT_ONCE:
        turn_indicator(state)
    if form and when == _BEFORE_DISCARD:
        state.pending = 1
    return REPLACE


# ---------------------------------------------------------------------------------------------------------
# Another's tile


@leaf
def coming_abort(state: State) -> int:
    """The abortive draw that follows unless somebody wins on this discard, or `NOT_ENDED`."""
    rules = state.rules
    players = int(rules.players)
    if int(rules.four_winds) and not int(state.interrupted) and players == 4:
        same = _WINDS
        for seat in range(4):
            same &= int(state.seats[seat].river_mask)
            if int(state.seats[seat].discards) != 1:
                same = 0
        if same:
            return FOUR_WINDS
    if int(rules.four_riichi) and players == 4:
        declared = 0
        for seat in range(4):
            declared += 1 if int(state.seats[seat].riichi) else 0
        if declared == 4:
            return FOUR_RIICHI
    if int(rules.four_kans) and int(state.kans) == 4:
        most = 0
        for seat in range(players):
            made = 0
            for one in range(int(state.seats[seat].calls)):
                made += 1 if int(state.seats[seat].melds[one].form) >= DAIMINKAN else 0
            most = max(most, made)
        if most < 4:
            return FOUR_KANS
    return NOT_ENDED


@rule
def ask_next(state: State, lookup: Lookup) -> int:
    """Ask the next seat in turn that has something to decide about the tile; when all have answered, go on."""
    players = int(state.rules.players)
    turn = int(state.turn)
    to_ask = int(state.to_ask)
    only_ron = int(state.claimed) == ON_DISCARD and coming_abort(state) != NOT_ENDED
    for step in range(1, players):
        who = (turn + step) % players
        if to_ask >> who & 1:
            to_ask &= ~(1 << who)
            options = claim_options(state, lookup, who, only_ron)
            if options:
                state.to_ask = to_ask
                state.actor = who
                state.legal[0] = options
                state.legal[1] = 0
                state.legal[2] = 0
                return WAIT
    state.to_ask = 0
    return RESOLVE


@leaf
def answer(state: State, action: int) -> int:
    """Keep a seat's answer about the tile."""
    state.answers[int(state.actor)] = action
    return ASK


@rule
def miss(state: State) -> None:
    """Every seat that waits for the tile and has let it pass is furiten now: for good after riichi.

    The tiles of a closed kan pass only by those who could have robbed it. What has passed a riichi is noted for all to
    see.
    """
    tile = int(state.tile)
    kind = tile if tile < 34 else 4 + 9 * (tile - 34)
    # Without a stick on the table nobody is in riichi.
    sticks = int(state.deposits) > 0 and int(state.claimed) != ON_ANKAN
    for who in range(int(state.rules.players)):
        hand = state.hands[who]
        robs = int(state.claimed) != ON_ANKAN or int(state.answers[who]) == actions.PASS
        if who != int(state.turn) and int(hand.waits) >> kind & 1 and robs:
            hand.missed = 2 if int(state.seats[who].accepted) else max(int(hand.missed), 1)
        if sticks and who != int(state.turn) and int(state.seats[who].accepted):
            state.seats[who].passed = int(state.seats[who].passed) | 1 << kind


@rule
def resolve(state: State, lookup: Lookup) -> int:
    """Give the tile to who has the best claim (ron, then pon and kan, then chii), or go on."""
    players = int(state.rules.players)
    turn = int(state.turn)
    rons = 0
    caller = -1
    for step in range(1, players):
        who = (turn + step) % players
        said = int(state.answers[who])
        if said == actions.RON:
            rons += 1
        elif said >= actions.CHII and said <= actions.DAIMINKAN and (caller < 0 or said >= actions.PON):
            caller = who
    if rons:
        aborts = rons == 3 and int(state.rules.triple_ron_aborts)
        state.ended = TRIPLE_RON if aborts else RON
        return SETTLE
    claimed = int(state.claimed)
    miss(state)
    if claimed == ON_KITA:
        return kan_stands(state, 0)
    if claimed == ON_ANKAN:
        return kan_stands(state, ANKAN)
    if claimed == ON_KAKAN:
        return kan_stands(state, KAKAN)
    accept_riichi(state)
    abort = coming_abort(state)
    if abort != NOT_ENDED:
        state.ended = abort
        return SETTLE
    if caller >= 0:
        return call(state, lookup, caller, int(state.answers[caller]))
    return DRAW


@rule
def accept_riichi(state: State) -> None:
    """Nobody has won on the riichi discard: the stick is on the table."""
    who = int(state.declared)
    if who >= 0:
        seat = state.seats[who]
        note(state, ACCEPTED_EVENT, who, -1, 0)
        seat.accepted = 1
        seat.ippatsu = 1 if int(state.rules.ippatsu) else 0
        seat.points -= 1000
        state.deposits += 1
        state.declared = -1


@rule
def call(state: State, lookup: Lookup, who: int, action: int) -> int:
    """Call the discard: chii, pon or open kan."""
    feeder = int(state.turn)
    tile = int(state.tile)
    kind = tile if tile < 34 else 4 + 9 * (tile - 34)
    red = 1 if tile >= 34 else 0
    seat = state.seats[who]
    hand = state.hands[who]
    given = state.seats[feeder]
    last = int(given.discards) - 1
    given.marks[last] = int(given.marks[last]) | CALLED
    given.nagashi = 0
    interrupt(state)
    # The turn passes over the dealer where the caller sits behind him.
    players = int(state.rules.players)
    if (who - feeder) % players >= (int(state.dealer) - feeder - 1) % players + 1:
        state.turns += 1
    state.turn = who
    state.actor = who
    state.tile = -1
    state.drawn = -1
    state.rinshan = 0
    kuikae = int(state.rules.kuikae)
    event = CHII_EVENT if action < actions.PON else (PON_EVENT if action < actions.DAIMINKAN else DAIMINKAN_EVENT)
    note(state, event, who, tile, action)
    if action == actions.DAIMINKAN:
        reds = int(hand.reds[kind // 9]) if FIVES >> kind & 1 else 0
        for copy in range(3):
            give(hand, 34 + kind // 9 if copy < reds else kind)
        lay(state, who, DAIMINKAN, kind, tile, feeder, reds + red)
        state.kans += 1
        blame(state, who, feeder, kind)
        update_waits(hand, lookup, sets_left(seat), int(state.rules.players) == 3)
        return kan_stands(state, DAIMINKAN)
    if action >= actions.PON:
        reds = action - actions.PON
        for copy in range(2):
            give(hand, 34 + kind // 9 if copy < reds else kind)
        lay(state, who, PON, kind, tile, feeder, reds + red)
        blame(state, who, feeder, kind)
        state.forbidden = 1 << kind if kuikae else 0
    else:
        place = (action - actions.CHII) % 3
        low = kind - place
        reds = 1 if action >= actions.CHII_RED else 0
        for one in range(low, low + 3):
            if one != kind:
                give(hand, 34 + one // 9 if reds and FIVES >> one & 1 else one)
        lay(state, who, CHII, low, tile, feeder, reds + red)
        state.forbidden = forbidden_after_chii(kuikae, kind, place)
    state.phase = CALLED_DISCARD
    return OFFER_DISCARD


@rule
def blame(state: State, who: int, feeder: int, kind: int) -> None:
    """Note who is liable (pao): the feeder of the set that completes three dragons, four winds or four kans."""
    seat = state.seats[who]
    rules = state.rules
    sets = 0
    kans = 0
    for one in range(int(seat.calls)):
        meld = seat.melds[one]
        if int(meld.form) != CHII:
            sets |= 1 << int(meld.kind)
        kans += 1 if int(meld.form) >= DAIMINKAN else 0
    if int(rules.liable_dragons) and _DRAGONS >> kind & 1 and bit_count(sets & _DRAGONS) == 3:
        seat.liable_dragons = feeder
    if int(rules.liable_winds) and _WINDS >> kind & 1 and bit_count(sets & _WINDS) == 4:
        seat.liable_winds = feeder
    if int(rules.liable_quads) and kans == 4:
        seat.liable_quads = feeder
