"""Hands played again from their walls, with every decision that the table asked for.

Every action of a hand answers one decision, so that a decision's row is known before the hand is played: threads write
into one array side by side. What the seat sees is written as a view (and log), which an encoder then encodes; the views
of a few hands at a time stay in the processor's cache between the two.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Batch, Bytes, Record, entry, leaf, rule
from janshi.core.shanten_tables import ShantenTables
from janshi.riichi.actions import Action
from janshi.riichi.legal import furiten
from janshi.riichi.play import HandStart, act, begin_given_hand, write_events, write_others, write_view
from janshi.riichi.results import hand_result, hand_value
from janshi.riichi.state import Ending, Events, OtherHands, Phase, State, Value, View
from janshi.riichi.yaku import DORA, RED_FIVES, URA_DORA

#: What `replay_hands` returns where every hand could be played.
ALL_PLAYED = -1


class DecisionRecord(Record):
    """One decision of a hand: action, legal actions, and the facts that tell the kinds of decisions apart."""

    legal: Annotated[NDArray[np.int64], 3]
    """Legal actions as in `janshi.riichi.actions`: actions 0–53, kinds of closed kans, kinds of added kans."""
    hand: Annotated[int, np.int32]
    """Number of the hand among those that are encoded."""
    number: Annotated[int, np.int16]
    """Number of the decision in its hand, from 0."""
    action: Annotated[int, np.int16]
    """What was done."""
    seat: Annotated[int, np.int8]
    """Who did it."""
    phase: Annotated[int, np.int8]
    """What the table waited for: `janshi.riichi.state.Phase`."""
    drawn: Annotated[int, np.int8]
    """Tile just drawn by the seat, −1 for none."""
    tile: Annotated[int, np.int8]
    """Another's tile that the seat could claim, −1 for none."""
    riichi: Annotated[int, np.int8]
    """1 after the seat's riichi has been accepted."""
    observed: Annotated[int, np.int8]
    """0 where the answer to a claim was not seen, because somebody with a better claim took the tile."""
    won: Annotated[int, np.int8]
    """1 where the seat has won the hand."""
    change: Annotated[int, np.int32]
    """By how much the hand changes the seat's points, its riichi stick included."""
    danger: Annotated[int, np.int64]
    """Waits of the other seats that are not furiten, as bits (34 kinds); a yaku is not asked for."""
    yaku: Annotated[int, np.int64]
    """Where it has: what its hand scored, one bit for each of Tenhou's numbers (`janshi.riichi.yaku`), dora (52),
    ura-dora and red fives among them; a yakuman alone, as it is paid. Else 0."""
    result: Annotated[int, np.int8]
    """How the hand ended for the seat: a `janshi.riichi.results.HandResult`."""
    value: Annotated[int, np.int32]
    """Points of the hands that it won or dealt in to, without honba and deposits; else 0."""
    deals_in: Annotated[int, np.int8]
    """1 where another seat won by the tile of this very action."""


class HandSpan(Record):
    """Position of a hand's decisions."""

    rules: Annotated[int, np.int32]
    """Number of its rule set."""
    hand: Annotated[int, np.int32]
    """Number that its decisions carry."""
    first: Annotated[int, np.int64]
    """Its actions: from here …"""
    last: Annotated[int, np.int64]
    """… to before here."""
    row: Annotated[int, np.int64]
    """Row of its first decision."""


@rule
def waits_of_others(state: State, who: int) -> int:
    """Waits of the other seats than ``who`` that are not furiten, as bits (34 kinds)."""
    kinds = 0
    for seat in range(int(state.rules.players)):
        if seat != who and not furiten(state.seats[seat], state.hands[seat]):
            kinds |= int(state.hands[seat].waits)
    return kinds


@rule
def write_decision(state: State, action: int, record: DecisionRecord) -> None:
    """Write what the table asks its actor, and the answer."""
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
    record.observed = 1
    record.won = 0
    record.change = 0
    record.danger = waits_of_others(state, seat)
    record.yaku = 0
    record.deals_in = 0


@rule
def mark_unseen(records: Batch[DecisionRecord], first: int, last: int, won: bool) -> None:
    """Mark the answers about one tile (rows from ``first`` to before ``last``) that nobody saw.

    Where somebody has ``won`` with the tile, what the others wanted of it was not seen. Where somebody took it for a
    pon or kan, a pass of one who could have said chii says nothing.
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
    """What a winning hand scores as bits at Tenhou's numbers, dora, ura-dora and red fives among them."""
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
    """Do a hand's actions and write its decisions; whether all were legal."""
    row = int(span.row)
    claim = row  # first answer about the tile that is asked about
    asked_at = -1
    for step in range(int(span.first), int(span.last)):
        action = int(actions[step])
        claims = int(state.phase) == Phase.CLAIM
        if not claims or int(state.logged) != asked_at:
            claim = row
        asked_at = int(state.logged)
        write_decision(state, action, records[row])
        records[row].hand = int(span.hand)
        records[row].number = row - int(span.row)
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
    return True


@rule
def mark_results(state: State, records: Batch[DecisionRecord], first: int, last: int) -> None:
    """Write what a hand that is over brought the seats of its decisions (rows from ``first`` to before ``last``)."""
    by_ron = int(state.ended) == Ending.RON
    given = -1
    for row in range(first, last):
        seat = int(records[row].seat)
        records[row].change = int(state.change[seat]) - (1000 if int(state.seats[seat].accepted) else 0)
        records[row].result = hand_result(state, seat)
        records[row].value = hand_value(state, seat)
        if by_ron and int(records[row].phase) != Phase.CLAIM and seat == int(state.wins[0].discarder):
            given = row
    if given >= 0:
        records[given].deals_in = 1


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
    """Play hands again and write their decisions; return `ALL_PLAYED`, or the number of a hand that cannot be played.

    ``states`` holds a record to work with for each rule set. Where ``views`` (``events``) has no rows, none is written.
    """
    for number in range(len(spans)):
        state = states[int(spans[number].rules)]
        begin_given_hand(state, tables[0], starts[number])
        if not replay_hand(state, tables[0], spans[number], actions, records, views, events):
            return number
    return ALL_PLAYED


@entry
def replay_others(
    states: Batch[State],
    tables: Batch[ShantenTables],
    starts: Batch[HandStart],
    spans: Batch[HandSpan],
    actions: Bytes,
    others: Batch[OtherHands],
) -> None:
    """Play hands again that `replay_hands` has played, and write what the other seats hold at every decision."""
    for number in range(len(spans)):
        span = spans[number]
        state = states[int(span.rules)]
        begin_given_hand(state, tables[0], starts[number])
        for step in range(int(span.last) - int(span.first)):
            write_others(state, int(state.actor), others[int(span.row) + step])
            act(state, tables[0], int(actions[int(span.first) + step]))
