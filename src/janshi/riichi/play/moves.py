"""Moves: draws, discards, calls, kans, and claims.

Each function performs one step and returns the next `Step` to the loop in `janshi.core.turns`.
"""

from __future__ import annotations

from typing import Any, Final

from janshi.compiling import leaf, rule, specialised
from janshi.core import turns
from janshi.core.bits import bit_count
from janshi.core.kinds import DRAGONS, FIVES, ORPHANS_MASK, WINDS, kind_of_tile
from janshi.core.shanten_tables import ShantenTables
from janshi.core.turns import Step
from janshi.riichi.actions import Action
from janshi.riichi.hands.concealed import give, take, update_waits
from janshi.riichi.melds import called_triplets
from janshi.riichi.play.legal import claim_options, forbidden_after_chii, is_first_turn, reds_of, sets_left
from janshi.riichi.play.wall import draw_replacement, draw_tile, turn_indicator
from janshi.riichi.rules import KanDora, Kuikae
from janshi.riichi.state import RIVER, DiscardFlag, Ending, Event, Hand, MeldForm, Offer, Phase, Seat, State, log_event
from janshi.tiles import NORTH

# ---------------------------------------------------------------------------------------------------------
# Draws


@rule
def next_draw(state: State) -> int:
    """Let the next seat draw a tile; without tiles end the hand."""
    if int(state.left) == 0:
        state.ended = exhausted(state)
        return Step.SETTLE
    turn = (int(state.turn) + 1) % int(state.rules.players)
    if turn == int(state.dealer):
        state.turns += 1
    return take_drawn(state, turn, draw_tile(state), False)


@rule
def first_draw(state: State) -> int:
    """Let the dealer draw the fourteenth tile."""
    return take_drawn(state, int(state.dealer), draw_tile(state), False)


@rule
def replacement(state: State) -> int:
    """Let the seat that made a kan or set a North aside draw a replacement tile."""
    return take_drawn(state, int(state.turn), draw_replacement(state), True)


@leaf
def take_drawn(state: State, seat: int, tile: int, rinshan: bool) -> int:
    """Give a drawn tile to a seat and start its turn."""
    log_event(state, Event.DRAW, seat, tile, 0)
    take(state.hands[seat], tile)
    state.turn = seat
    state.actor = seat
    state.drawn = tile
    state.tile = -1
    state.rinshan = 1 if rinshan else 0
    state.phase = Phase.TURN
    return Step.OFFER


@leaf
def exhausted(state: State) -> int:
    """Return the exhaustive draw: nagashi mangan if the discards of a seat make one."""
    if int(state.rules.nagashi_mangan):
        for seat in range(int(state.rules.players)):
            if int(state.seats[seat].nagashi):
                return Ending.NAGASHI_MANGAN
    return Ending.EXHAUSTIVE


# ---------------------------------------------------------------------------------------------------------
# The own turn


@rule
def discard(state: State, tables: ShantenTables, action: int) -> int:
    """Discard a tile from the hand, or the one just drawn."""
    who = int(state.turn)
    seat = state.seats[who]
    hand = state.hands[who]
    drawn = int(state.drawn)
    tile = drawn if action == Action.TSUMOGIRI else action
    kind = kind_of_tile(tile)
    flag = DiscardFlag.TSUMOGIRI if action == Action.TSUMOGIRI else 0
    if int(state.phase) == Phase.RIICHI_DISCARD:
        flag |= DiscardFlag.DECLARES_RIICHI
    give(hand, tile)
    if action != Action.TSUMOGIRI:
        update_waits(hand, tables, sets_left(seat), int(state.rules.players) == 3)
    slot = min(int(seat.discards), RIVER - 1)
    seat.river[slot] = tile
    seat.marks[slot] = flag
    seat.discards = slot + 1
    seat.river_mask = int(seat.river_mask) | 1 << kind
    seat.ippatsu = 0
    if not ORPHANS_MASK >> kind & 1:
        seat.nagashi = 0
    if int(hand.missed) == 1:
        hand.missed = 0
    turn_pending(state)
    log_event(state, Event.DISCARD, who, tile, 1 if action == Action.TSUMOGIRI else 0)
    state.drawn = -1
    state.forbidden = 0
    return offer_tile(state, tile, Offer.DISCARD)


@leaf
def turn_pending(state: State) -> None:
    """Turn over the pending indicator of a kan."""
    if int(state.pending):
        turn_indicator(state)
        state.pending = 0


@leaf
def seats_of(state: State) -> int:
    """Return the number of players."""
    return int(state.rules.players)


_TURNS: Final[dict[str, Any]] = {"State": State, "seats_of": seats_of, "CLAIM": Phase.CLAIM}
offer_tile = leaf(specialised(turns.offer_tile, __name__, **_TURNS))


@leaf
def declare_riichi(state: State) -> int:
    """Declare riichi; the stick is laid down if nobody wins on the following discard."""
    seat = state.seats[int(state.turn)]
    seat.riichi = 2 if is_first_turn(state, seat) else 1
    log_event(state, Event.RIICHI, int(state.turn), -1, 0)
    seat.riichi_turn = state.turns
    state.declared = int(state.turn)
    state.phase = Phase.RIICHI_DISCARD
    return Step.OFFER_DISCARD


@rule
def kita(state: State, tables: ShantenTables) -> int:
    """Set a North aside; the others may win on it."""
    who = int(state.turn)
    seat = state.seats[who]
    hand = state.hands[who]
    log_event(state, Event.KITA, who, NORTH, 0)
    give(hand, NORTH)
    seat.kitas += 1
    if int(state.drawn) != NORTH:
        update_waits(hand, tables, sets_left(seat), int(state.rules.players) == 3)
    return offer_tile(state, NORTH, Offer.KITA)


@rule
def closed_kan(state: State, tables: ShantenTables, kind: int) -> int:
    """Lay down a closed kan; thirteen orphans may rob it if the rules allow it."""
    who = int(state.turn)
    seat = state.seats[who]
    hand = state.hands[who]
    reds = reds_of(hand, kind)
    give_copies(hand, kind, 4, reds)
    log_event(state, Event.ANKAN, who, kind, Action.ANKAN + kind)
    lay_meld(state, who, MeldForm.ANKAN, kind, -1, who, reds)
    state.kans += 1
    update_waits(hand, tables, sets_left(seat), int(state.rules.players) == 3)
    return offer_tile(state, kind, Offer.ANKAN)


@rule
def added_kan(state: State, tables: ShantenTables, kind: int) -> int:
    """Add the fourth tile to a pon; the others may rob it."""
    who = int(state.turn)
    seat = state.seats[who]
    hand = state.hands[who]
    red = reds_of(hand, kind) > 0
    tile = 34 + kind // 9 if red else kind
    for slot in range(int(seat.calls)):
        meld = seat.melds[slot]
        if int(meld.form) == MeldForm.PON and int(meld.kind) == kind:
            meld.form = MeldForm.KAKAN
            meld.reds += 1 if red else 0
    log_event(state, Event.KAKAN, who, tile, Action.KAKAN + kind)
    give(hand, tile)
    state.kans += 1
    update_waits(hand, tables, sets_left(seat), int(state.rules.players) == 3)
    return offer_tile(state, tile, Offer.KAKAN)


@leaf
def give_copies(hand: Hand, kind: int, count: int, reds: int) -> None:
    """Remove ``count`` tiles of a kind from the hand, ``reds`` of them red fives."""
    for copy in range(count):
        give(hand, 34 + kind // 9 if copy < reds else kind)


@leaf
def lay_meld(state: State, who: int, form: int, kind: int, tile: int, discarder: int, reds: int) -> None:
    """Add a meld to a seat."""
    seat = state.seats[who]
    meld = seat.melds[int(seat.calls)]
    meld.form = form
    meld.kind = kind
    meld.tile = tile
    meld.discarder = discarder
    meld.reds = reds
    meld.turn = state.turns
    meld.after = int(seat.discards)
    seat.calls += 1
    if form != MeldForm.ANKAN:
        seat.opened += 1


@rule
def interrupt(state: State) -> None:
    """Cancel ippatsu and first-turn yaku of all seats after a call or kita."""
    state.interrupted = 1
    for seat in range(4):
        state.seats[seat].ippatsu = 0


@rule
def complete_kan(state: State, form: int) -> int:
    """Complete a kan, or a kita (``form`` 0), that nobody has robbed: turn indicators, then replace."""
    interrupt(state)
    state.kan_discarder = -1
    if form == MeldForm.DAIMINKAN:
        seat = state.seats[int(state.turn)]
        state.kan_discarder = seat.melds[int(seat.calls) - 1].discarder
    turn_pending(state)
    when = int(state.rules.kan_dora)
    if form and when != KanDora.NONE:
        if when == KanDora.AT_ONCE or (form == MeldForm.ANKAN and int(state.rules.closed_kan_dora_at_once)):
            turn_indicator(state)
        else:
            state.pending = 1
    return Step.REPLACE


# ---------------------------------------------------------------------------------------------------------
# Another seat's tile


@leaf
def coming_abort(state: State) -> int:
    """Return the abortive draw that follows unless somebody wins on this discard, or `Ending.NOT_ENDED`."""
    rules = state.rules
    players = int(rules.players)
    if int(rules.four_winds) and not int(state.interrupted) and players == 4:
        common = WINDS
        for seat in range(4):
            common &= int(state.seats[seat].river_mask)
            if int(state.seats[seat].discards) != 1:
                common = 0
        if common:
            return Ending.FOUR_WINDS
    if int(rules.four_riichi) and players == 4:
        declared = 0
        for seat in range(4):
            declared += 1 if int(state.seats[seat].riichi) else 0
        if declared == 4:
            return Ending.FOUR_RIICHI
    if int(rules.four_kans) and int(state.kans) == 4:
        most = 0
        for seat in range(players):
            most = max(most, count_kans(state.seats[seat]))
        if most < 4:
            return Ending.FOUR_KANS
    return Ending.NOT_ENDED


@leaf
def count_kans(seat: Seat) -> int:
    """Return the number of a seat's kans."""
    kans = 0
    for slot in range(int(seat.calls)):
        kans += 1 if int(seat.melds[slot].form) >= MeldForm.DAIMINKAN else 0
    return kans


@leaf
def only_wins(state: State) -> bool:
    """Return whether an abortive draw follows, so that the tile may be claimed only to win."""
    return int(state.claimed) == Offer.DISCARD and coming_abort(state) != Ending.NOT_ENDED


@leaf
def write_options(state: State, options: int) -> None:
    """Write the options of the seat asked about a tile."""
    state.legal[0] = options
    state.legal[1] = 0
    state.legal[2] = 0


_ASKING: Final[dict[str, Any]] = {
    **_TURNS,
    "only_wins": only_wins,
    "claim_options": claim_options,
    "write_options": write_options,
    "WIN": Action.RON,
    "FIRST_CALL": Action.CHII,
    "LAST_CALL": Action.DAIMINKAN,
    "FIRST_BEFORE": Action.PON,
}
ask_next = rule(specialised(turns.ask_in_turn, __name__, **_ASKING))
best_claim = leaf(specialised(turns.best_claim, __name__, **_ASKING))


@leaf
def answer(state: State, action: int) -> int:
    """Store a seat's answer about the tile, or whether it shows its hand at a draw."""
    state.answers[int(state.actor)] = action
    return Step.SETTLE if int(state.claimed) == Offer.DRAW else Step.ASK


@rule
def mark_missed(state: State) -> None:
    """Mark every seat that waits for the tile and passed it as furiten: after riichi to the end of the hand.

    The tiles of a closed kan count as passed only for seats that could have robbed it. The tiles that a seat in riichi
    has passed are public.
    """
    kind = kind_of_tile(int(state.tile))
    # Without a stick on the table no seat is in riichi.
    sticks = int(state.deposits) > 0 and int(state.claimed) != Offer.ANKAN
    for who in range(int(state.rules.players)):
        hand = state.hands[who]
        robs = int(state.claimed) != Offer.ANKAN or int(state.answers[who]) == Action.PASS
        if who != int(state.turn) and int(hand.waits) >> kind & 1 and robs:
            hand.missed = 2 if int(state.seats[who].accepted) else max(int(hand.missed), 1)
        if sticks and who != int(state.turn) and int(state.seats[who].accepted):
            state.seats[who].passed = int(state.seats[who].passed) | 1 << kind


@rule
def resolve(state: State, tables: ShantenTables) -> int:
    """Resolve the claims: ron, then pon and kan, then chii, otherwise continue."""
    rons, caller = best_claim(state)
    if rons:
        aborts = rons == 3 and int(state.rules.triple_ron_aborts)
        state.ended = Ending.TRIPLE_RON if aborts else Ending.RON
        return Step.SETTLE
    claimed = int(state.claimed)
    mark_missed(state)
    if claimed == Offer.KITA:
        return complete_kan(state, 0)
    if claimed == Offer.ANKAN:
        return complete_kan(state, MeldForm.ANKAN)
    if claimed == Offer.KAKAN:
        return complete_kan(state, MeldForm.KAKAN)
    accept_riichi(state)
    abort = coming_abort(state)
    if abort != Ending.NOT_ENDED:
        state.ended = abort
        return Step.SETTLE
    if caller >= 0:
        return call(state, tables, caller, int(state.answers[caller]))
    return Step.DRAW


@rule
def accept_riichi(state: State) -> None:
    """Accept a riichi on whose discard nobody has won: its stick is on the table."""
    who = int(state.declared)
    if who >= 0:
        seat = state.seats[who]
        log_event(state, Event.ACCEPTED, who, -1, 0)
        seat.accepted = 1
        seat.ippatsu = 1 if int(state.rules.ippatsu) else 0
        seat.points -= 1000
        state.deposits += 1
        state.declared = -1


@rule
def call(state: State, tables: ShantenTables, who: int, action: int) -> int:
    """Call the discard: chii, pon or open kan."""
    discarder = int(state.turn)
    tile = int(state.tile)
    take_turn(state, who)
    if action < Action.PON:
        log_event(state, Event.CHII, who, tile, action)
        lay_chii(state, who, discarder, tile, action)
    else:
        event = Event.PON if action < Action.DAIMINKAN else Event.DAIMINKAN
        log_event(state, event, who, tile, action)
        lay_triplet(state, who, discarder, tile, action)
    if action == Action.DAIMINKAN:
        seat = state.seats[who]
        state.kans += 1
        update_waits(state.hands[who], tables, sets_left(seat), int(state.rules.players) == 3)
        return complete_kan(state, MeldForm.DAIMINKAN)
    state.phase = Phase.CALLED_DISCARD
    return Step.OFFER_DISCARD


@leaf
def take_turn(state: State, who: int) -> None:
    """Give the turn to the caller of the discard, and mark the discard as called."""
    players = int(state.rules.players)
    turn = int(state.turn)
    discarder = state.seats[turn]
    last = int(discarder.discards) - 1
    discarder.marks[last] = int(discarder.marks[last]) | DiscardFlag.CALLED
    discarder.nagashi = 0
    interrupt(state)
    # The turn passes the dealer if the caller sits behind him.
    if (who - turn) % players >= (int(state.dealer) - turn - 1) % players + 1:
        state.turns += 1
    state.turn = who
    state.actor = who
    state.tile = -1
    state.drawn = -1
    state.rinshan = 0


@leaf
def lay_chii(state: State, who: int, discarder: int, tile: int, action: int) -> None:
    """Lay down a called run."""
    hand = state.hands[who]
    kind = kind_of_tile(tile)
    position = (action - Action.CHII) % 3
    lowest = kind - position
    red = action >= Action.CHII_RED
    for own in range(lowest, lowest + 3):
        if own != kind:
            give(hand, 34 + own // 9 if red and FIVES >> own & 1 else own)
    reds = (1 if red else 0) + (1 if tile >= 34 else 0)
    lay_meld(state, who, MeldForm.CHII, lowest, tile, discarder, reds)
    state.forbidden = forbidden_after_chii(int(state.rules.kuikae), kind, position)


@leaf
def lay_triplet(state: State, who: int, discarder: int, tile: int, action: int) -> None:
    """Lay down a pon or an open kan."""
    hand = state.hands[who]
    kind = kind_of_tile(tile)
    kan = action == Action.DAIMINKAN
    own_reds = reds_of(hand, kind) if kan else action - Action.PON
    give_copies(hand, kind, 3 if kan else 2, own_reds)
    reds = own_reds + (1 if tile >= 34 else 0)
    lay_meld(state, who, MeldForm.DAIMINKAN if kan else MeldForm.PON, kind, tile, discarder, reds)
    note_pao(state, who, discarder, kind)
    if not kan:
        state.forbidden = 1 << kind if int(state.rules.kuikae) != Kuikae.ALLOWED else 0


@rule
def note_pao(state: State, who: int, discarder: int, kind: int) -> None:
    """Mark the liable seat (pao): the discarder of the set that completes three dragons, four winds or four kans."""
    seat = state.seats[who]
    rules = state.rules
    sets = called_triplets(seat)
    if int(rules.pao_dragons) and DRAGONS >> kind & 1 and bit_count(sets & DRAGONS) == 3:
        seat.pao_dragons = discarder
    if int(rules.pao_winds) and WINDS >> kind & 1 and bit_count(sets & WINDS) == 4:
        seat.pao_winds = discarder
    if int(rules.pao_kans) and count_kans(seat) == 4:
        seat.pao_kans = discarder
