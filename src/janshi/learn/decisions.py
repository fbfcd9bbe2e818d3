"""What the players of a hand decided, with what they saw: the five decisions of the `meowjong` papers.

Each hand is played again from its wall, and at each moment where its player had one of the five decisions the
observation is written, as masks. Source: dissertation, section 3.2.3; what the papers leave open is settled so:

* every situation counts where the action was possible, also where the player did something else instead;
* a player who wins or aborts the hand has decided none of the five;
* where somebody won with the tile, what the others would have done with it was not seen and does not count;
* no discard counts after riichi; the one that declares it does.
"""

from __future__ import annotations

from typing import Final

from janshi.compiling import Batch, ByteRows, Bytes, Int8Rows, Int16s, Int32Rows, Int64Rows, Int64s, entry, rule
from janshi.engine import actions
from janshi.engine.hand import kind_of_tile
from janshi.engine.play import act, begin_hand, write_view
from janshi.engine.shanten import Ukeire, bit_count
from janshi.engine.state import CLAIM, HAND_OVER, RON, TRIPLE_RON, TURN, State, View
from janshi.engine.tables import Lookup
from janshi.observe.decisions import DISCARD, KAN, KITA, PON, RIICHI, discard_kinds
from janshi.observe.janshi import encode_more
from janshi.observe.meowjong import COLUMNS, encode

_PONS: Final = 0b111 << actions.PON
_FAILED: Final = -1


@rule
def write_labels(state: State, action: int, labels: Int8Rows, row: int) -> bool:
    """Write what an action says about each of the five decisions (−1: there was none); whether there was any."""
    for one in range(5):
        labels[row, one] = -1
    if action in (actions.TSUMO, actions.RON, actions.NINE_TERMINALS):
        return False
    simple = int(state.legal[0])
    if int(state.phase) == CLAIM:
        if simple & _PONS:
            labels[row, PON] = 1 if actions.PON <= action < actions.DAIMINKAN else 0
        if simple >> actions.DAIMINKAN & 1:
            labels[row, KAN] = 1 if action == actions.DAIMINKAN else 0
    else:
        if int(state.phase) == TURN:
            if simple >> actions.KITA & 1:
                labels[row, KITA] = 1 if action == actions.KITA else 0
            if int(state.legal[1]) | int(state.legal[2]):
                labels[row, KAN] = 1 if action >= actions.ANKAN else 0
            if simple >> actions.RIICHI & 1:
                labels[row, RIICHI] = 1 if action == actions.RIICHI else 0
        if action <= actions.TSUMOGIRI and not int(state.seats[int(state.actor)].accepted):
            labels[row, DISCARD] = kind_of_tile(int(state.drawn) if action == actions.TSUMOGIRI else action)
    some = False
    for one in range(5):
        some = some or int(labels[row, one]) >= 0
    return some


@entry
def encode_hands(
    states: Batch[State],
    state_bytes: ByteRows,
    views: Batch[View],
    view_bytes: ByteRows,
    lookups: Batch[Lookup],
    rule: Int16s,
    walls: Int8Rows,
    starts: Int32Rows,
    taken: Bytes,
    bounds: Int64s,
    hands: Int64s,
    columns: Int64Rows,
    labels: Int8Rows,
    legal: Int64s,
    places: Int32Rows,
    room: Batch[Ukeire],
) -> int:
    """Play hands again and write their decisions; return how many, or −1 where a hand cannot be played.

    ``states`` holds a record to work with for each rule set, of which ``rule`` tells every hand's, ``views`` one for
    all; ``…_bytes`` are their bytes, of which as many are shared as ``view_bytes`` has columns. ``places``: number
    among ``hands``, decision of the hand, seat, whether that seat won the hand. Where ``columns`` has no rows only
    labels and places are written; where it has more than 366, our observation. ``room`` is one record to work with.
    """
    view = views[0]
    shared = view_bytes.shape[1]
    seen = len(columns) > 0
    rows = 0
    for number in range(len(hands)):
        hand = int(hands[number])
        by = int(rule[hand])
        state = states[by]
        for place in range(walls.shape[1]):
            state.wall[place] = int(walls[hand, place])
        state.walls_given = 1
        state.kyoku = int(starts[hand, 0])
        state.honba = int(starts[hand, 1])
        state.deposits = int(starts[hand, 2])
        state.dealer = int(starts[hand, 3])
        for seat in range(4):
            state.seats[seat].points = int(starts[hand, 4 + seat])
        begin_hand(state, lookups[0])
        asked_at = -1
        first_row = rows
        hand_row = rows
        for step in range(int(bounds[hand]), int(bounds[hand + 1])):
            action = int(taken[step])
            claims = int(state.phase) == CLAIM
            if not claims or int(state.logged) != asked_at:
                first_row = rows
            asked_at = int(state.logged)
            if write_labels(state, action, labels, rows):
                drawn = -1 if claims else int(state.drawn)
                legal[rows] = discard_kinds(int(state.legal[0]), drawn)
                places[rows, 0] = number
                places[rows, 1] = step - int(bounds[hand])
                places[rows, 2] = int(state.actor)
                if seen:
                    for byte in range(shared):
                        view_bytes[0, byte] = state_bytes[by, byte]
                    write_view(state, int(state.actor), view)
                    encode(view, columns, rows)
                    if columns.shape[1] > COLUMNS:
                        encode_more(view, lookups[0], room[0], columns, rows)
                rows += 1
            before = int(state.clock)
            act(state, lookups[0], action)
            if int(state.clock) == before:
                return _FAILED
            if claims and int(state.phase) >= HAND_OVER and int(state.ended) in (RON, TRIPLE_RON):
                rows = first_row
        winners = 0
        for one in range(int(state.winners)):
            winners |= 1 << int(state.wins[one].seat)
        for row in range(hand_row, rows):
            places[row, 3] = winners >> int(places[row, 2]) & 1
    return rows


@entry
def count_ones(columns: Int64Rows) -> int:
    """Number of ones in observations given as masks."""
    count = 0
    for row in range(len(columns)):
        for column in range(columns.shape[1]):
            count += bit_count(int(columns[row, column]))
    return count
