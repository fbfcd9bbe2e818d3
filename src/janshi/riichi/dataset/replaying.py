"""Replay of hands from their walls, with every decision.

Every action belongs to one decision, so that the rows of a hand are known before it is played, and threads can write
into one array. Views (and logs) of a few hands at a time stay in the processor's cache until they are encoded.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Batch, Bytes, Int8, Int16, Int32, Int64, Record, entry, leaf, rule
from janshi.core.shanten_tables import ShantenTables
from janshi.riichi.actions import Action
from janshi.riichi.endings import hand_value, seat_ending
from janshi.riichi.play.legal import winning_kinds
from janshi.riichi.play.steps import HandStart, act, begin_given_hand, write_events, write_view
from janshi.riichi.rules.yaku import DORA, RED_FIVES, URA_DORA
from janshi.riichi.state import Ending, Events, Offer, Phase, State, Value, View

#: Result of `replay_hands` if every hand could be played.
ALL_PLAYED = -1


class DecisionRecord(Record):
    """One decision of a hand: action, legal actions, and facts for labels."""

    legal: Annotated[NDArray[np.int64], 3]
    """Legal actions as in `janshi.riichi.actions`: actions 0–53, kinds of closed kans, kinds of added kans."""
    hand: Int32  # number of the hand among those that are encoded
    number: Int16  # number of the decision in its hand, from 0
    action: Int16  # action taken
    seat: Int8  # seat to decide
    phase: Int8  # phase of the table: `janshi.riichi.state.Phase`
    drawn: Int8  # tile just drawn by the seat, −1 for none
    tile: Int8  # another seat's tile offered to the seat, −1 for none
    riichi: Int8  # 1 after the seat's riichi has been accepted
    observed: Int8  # 0 if a better claim of another seat hides the answer, or agents take the decision by rule
    won: Int8  # 1 if the seat won the hand
    change: Int32  # change of the seat's points in the hand, its riichi stick included
    yaku: Int64
    """Bits of the yaku of a winner's hand (`janshi.riichi.rules.yaku`), with dora, ura-dora and red fives, or of its
    yakuman alone; else 0."""
    result: Int8  # result of the hand for the seat: a `janshi.riichi.endings.SeatEnding`
    value: Int32  # points of the hands that it won or dealt into, without honba and deposits; else 0
    deals_in: Int8  # 1 if another seat won on the tile of this action
    dangerous: Int64  # on the own turn the kinds by whose discard another seat could win, as bits; else 0


class HandSpan(Record):
    """Rules, actions and rows of a hand's decisions."""

    rules: Int32  # number of its rule set
    hand: Int32  # number of the hand in its decisions
    first: Int64  # its first action
    last: Int64  # end of its actions
    row: Int64  # row of its first decision


@rule
def write_decision(state: State, action: int, record: DecisionRecord) -> None:
    """Write the decision of the table's actor and the action taken."""
    seat = int(state.actor)
    claims = int(state.phase) == Phase.CLAIM
    for word in range(3):
        record.legal[word] = int(state.legal[word])
    record.action = action
    record.seat = seat
    record.phase = int(state.phase)
    record.drawn = -1 if claims else int(state.drawn)
    record.tile = int(state.tile) if claims else -1
    record.riichi = 1 if int(state.seats[seat].accepted) else 0
    record.observed = 0 if claims and int(state.claimed) == Offer.DRAW else 1
    record.won = 0
    record.change = 0
    record.yaku = 0
    record.deals_in = 0
    record.dangerous = 0
    if not claims:
        for other in range(int(state.rules.players)):
            if other != seat and int(state.hands[other].waits):
                record.dangerous = int(record.dangerous) | winning_kinds(state, other)


@rule
def mark_unseen(records: Batch[DecisionRecord], first: int, last: int, won: bool) -> None:
    """Mark the unobserved answers about one tile (rows from ``first`` to before ``last``).

    After a win on the tile (``won``) the other answers are unknown. After a pon or kan a pass by a seat with a possible
    chii is.
    """
    taken = False
    for row in range(first, last):
        taken = taken or Action.PON <= int(records[row].action) <= Action.DAIMINKAN
    chii = (1 << Action.PON) - (1 << Action.CHII)
    for row in range(first, last):
        action = int(records[row].action)
        could_chii = int(records[row].legal[0]) & chii != 0
        if (won and action != Action.RON) or (not won and taken and action == Action.PASS and could_chii):
            records[row].observed = 0


@leaf
def scored_yaku(value: Value) -> int:
    """Return the yaku of a winning hand as bits, with dora, ura-dora and red fives."""
    yaku = int(value.yaku)
    if int(value.yakuman) == 0:
        yaku |= 1 << DORA if int(value.dora) else 0
        yaku |= 1 << URA_DORA if int(value.ura) else 0
        yaku |= 1 << RED_FIVES if int(value.red) else 0
    return yaku


@rule
def replay_hand(
    state: State,
    tables: ShantenTables,
    span: HandSpan,
    actions: Bytes,
    records: Batch[DecisionRecord],
    views: Batch[View],
    events: Batch[Events],
) -> bool:
    """Execute a hand's actions and write its decisions; return whether all were legal."""
    row = int(span.row)
    claim = row  # first answer about the offered tile
    asked_at = -1
    given, discards = -1, 0  # last decision of an own turn, and its seat's discards after it
    for step in range(int(span.first), int(span.last)):
        action = int(actions[step])
        claims = int(state.phase) == Phase.CLAIM
        if not claims or int(state.logged) != asked_at:
            claim = row
        asked_at = int(state.logged)
        write_decision(state, action, records[row])
        records[row].hand = int(span.hand)
        records[row].number = row - int(span.row)
        if not claims:
            given = row
            discards = int(state.seats[int(state.actor)].discards) + (1 if action <= Action.TSUMOGIRI else 0)
        if len(views):
            write_view(state, int(state.actor), views[row])
        if len(events):
            write_events(state, int(state.actor), events[row])
        row += 1
        clock = int(state.clock)
        act(state, tables, action)
        if int(state.clock) == clock:
            return False
        if claims and (int(state.phase) != Phase.CLAIM or int(state.logged) != asked_at):
            over = int(state.phase) >= Phase.HAND_OVER
            won = int(state.ended) == Ending.RON or int(state.ended) == Ending.TRIPLE_RON
            mark_unseen(records, claim, row, over and won)
    for number in range(int(state.winners)):
        winner = int(state.wins[number].seat)
        yaku = scored_yaku(state.wins[number].value)
        for before in range(int(span.row), row):
            if int(records[before].seat) == winner:
                records[before].won = 1
                records[before].yaku = yaku
    mark_results(state, records, int(span.row), row)
    if given >= 0 and int(state.ended) == Ending.RON and int(records[given].seat) == int(state.wins[0].discarder):
        # Further discards of a seat in riichi were no decisions.
        records[given].deals_in = 1 if int(state.seats[int(records[given].seat)].discards) == discards else 0
    return True


@rule
def mark_results(state: State, records: Batch[DecisionRecord], first: int, last: int) -> None:
    """Write the results of a finished hand into its decisions (rows from ``first`` to before ``last``)."""
    for row in range(first, last):
        seat = int(records[row].seat)
        records[row].change = int(state.change[seat]) - (1000 if int(state.seats[seat].accepted) else 0)
        records[row].result = seat_ending(state, seat)
        records[row].value = hand_value(state, seat)


@entry
def replay_hands(
    states: Batch[State],
    tables: Batch[ShantenTables],
    starts: Batch[HandStart],
    spans: Batch[HandSpan],
    actions: Bytes,
    records: Batch[DecisionRecord],
    views: Batch[View],
    events: Batch[Events],
) -> int:
    """Replay hands and write their decisions; return `ALL_PLAYED`, or the number of a hand that cannot be played.

    ``states`` holds a working record for each rule set. Without rows of ``views`` (``events``), none is written.
    """
    for number in range(len(spans)):
        state = states[int(spans[number].rules)]
        begin_given_hand(state, tables[0], starts[number])
        if not replay_hand(state, tables[0], spans[number], actions, records, views, events):
            return number
    return ALL_PLAYED

