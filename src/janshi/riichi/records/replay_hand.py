"""Replaying one recorded hand through the engine, compiled.

The hand is dealt from its wall (the seed's where the record carries one, otherwise one laid out so that the same tiles
come). At each decision that the engine asks for, the record's action is taken; each event that the engine logs is
compared with the record's. `replay_hands` says where the two part first (`ReplayStatus`, `ReplayResult`).
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, Final

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import ByteRows, Int8, Int16Rows, Int32, Record, Workspace, batched, leaf, rule
from janshi.core.shanten_tables import ShantenTables
from janshi.riichi.actions import Action
from janshi.riichi.play.ending import follow
from janshi.riichi.play.steps import HandStart, act, begin_given_hand, count_legal, is_legal
from janshi.riichi.play.wall import dora_slot, wall_size
from janshi.riichi.rules.record import RulesRecord
from janshi.riichi.state import Ending, Event, Offer, Phase, State

#: Most decisions of a hand that are kept.
MOST_DECISIONS: Final = 512
#: Most ura indicators of a hand.
MOST_URA: Final = 5
#: In `WallSpace.ids`: no tile lies there.
_EMPTY: Final = 255


class ReplayStatus(IntEnum):
    """Outcome of the replay of a hand."""

    MATCHED = 0
    TILE_TWICE = 1  # a tile lies in two places
    WRONG_DEAL = 2  # the record's wall deals other tiles
    WRONG_EVENT = 3  # something else happens than the record says
    ILLEGAL_ACTION = 4  # the record's action is not legal
    HAND_GOES_ON = 5  # the record's hand is over, the engine's is not
    HAND_OVER = 6  # the engine's hand is over, the record's is not
    NOTHING_TO_DECIDE = 7  # the engine asks a seat that has one legal action
    WRONG_SEAT = 8  # the engine asks another seat than the one that acts


class Facts(Record):
    """Facts of a recorded hand beside its deal and its events."""

    start: HandStart  # round, dealer, honba, deposits and points; its wall is written by the replay
    wall: Annotated[NDArray[np.uint8], 136]  # ids in the order of the wall, where ``wall_known``
    ura: Annotated[NDArray[np.uint8], MOST_URA]  # ids of the ura indicators
    ura_count: Int8
    wall_known: Int8
    indicator: Annotated[int, np.uint8]  # id of the first dora indicator
    ended: Int8  # `Ending`
    winners: Int8  # bits of the seats that have won
    shown: Int8  # bits of the seats whose hands are shown at a draw, −1 where the record does not say


class LoggedEvent(Record):
    """An event as a row of `State.log`."""

    event: Int32  # `Event`; −1 for none
    seat: Int32
    tile: Int32
    detail: Int32


class ReplayResult(Record):
    """Extent to which the engine and a record agree, and the versions of both where they differ."""

    actions: Annotated[NDArray[np.uint8], MOST_DECISIONS]  # decisions taken, in the order in which the table asked
    decisions: Int32  # number of decisions
    events: Int32  # events that the engine and the record have alike
    identity: Int32  # id of the tile that cannot lie where it must
    asked: Int32  # seat that the engine asks
    seat: Int32  # seat that acts in the record, −1 where it acts no more
    action: Int32  # its action, −1 for none
    logged: LoggedEvent  # the engine's event
    recorded: LoggedEvent  # the record's event


class WallSpace(Workspace):
    """Room for laying out a wall."""

    ids: Annotated[NDArray[np.uint8], 136]  # ids by wall slot
    used: Annotated[NDArray[np.uint8], 136]  # by id: whether it lies in the wall
    owners: Annotated[NDArray[np.uint8], 136]  # by id: 1 + the seat that it is dealt to, 0 for none


# ---------------------------------------------------------------------------------------------------------
# The wall


@leaf
def tile_of_physical(rules: RulesRecord, identity: int) -> int:
    """Return the tile (0–36) of an id: the first five of a suit is red if the rules have red fives."""
    kind = identity // 4
    if identity % 4 == 0 and kind < 27 and kind % 9 == 4 and int(rules.red_fives[kind // 9]):
        return 34 + kind // 9
    return kind


@rule
def put_tile(space: WallSpace, slot: int, identity: int) -> bool:
    """Lay an id into a slot of the wall; False if there is no such slot or id, or one of them is taken."""
    if slot < 0 or slot >= 136 or identity < 0 or identity >= 136:
        return False
    if int(space.ids[slot]) != _EMPTY or int(space.used[identity]):
        return False
    space.ids[slot] = identity
    space.used[identity] = 1
    return True


@rule
def lay_deal(deal: ByteRows, dealer: int, space: WallSpace) -> int:
    """Lay the tiles that are dealt into the wall; return −1, or an id that cannot be where it must."""
    players = len(deal)
    slot = wall_size(players) - 1
    for turn in range(4):
        for step in range(players):
            seat = (dealer + step) % players
            for number in range(4 if turn < 3 else 1):
                identity = int(deal[seat, 4 * turn + number])
                if not put_tile(space, slot, identity):
                    return identity
                slot -= 1
    return -1


@rule
def lay_events(events: Int16Rows, players: int, space: WallSpace) -> int:
    """Lay the tiles that are drawn and turned over into the wall; return −1, or an id that cannot be where it must."""
    slot = wall_size(players) - 1 - 13 * players
    shown = 1
    replaced = 0
    replacement = False
    for row in range(len(events)):
        event = int(events[row, 0])
        tile = int(events[row, 2])
        if event == Event.DRAW:
            if not put_tile(space, replaced ^ 1 if replacement else slot, tile):
                return tile
            if replacement:
                replaced += 1
            else:
                slot -= 1
            replacement = False
        elif event == Event.DORA:
            if not put_tile(space, dora_slot(players, shown), tile):
                return tile
            shown += 1
        elif Event.DAIMINKAN <= event <= Event.KITA:
            replacement = True
    return -1


@rule
def fill_wall(players: int, space: WallSpace) -> None:
    """Lay the ids that never turn up into the slots that are left."""
    identity = 0
    for slot in range(wall_size(players)):
        if int(space.ids[slot]) == _EMPTY:
            while int(space.used[identity]) or (players == 3 and 4 <= identity < 32):
                identity += 1
            space.ids[slot] = identity
            space.used[identity] = 1


@rule
def lay_wall(events: Int16Rows, deal: ByteRows, facts: Facts, space: WallSpace) -> int:
    """Lay out a wall (ids) from which the hand comes as recorded; return −1, or an id that cannot be where it must."""
    players = len(deal)
    for slot in range(136):
        space.ids[slot] = _EMPTY
        space.used[slot] = 0
    identity = lay_deal(deal, int(facts.start.dealer), space)
    if identity >= 0:
        return identity
    if not put_tile(space, dora_slot(players, 0), int(facts.indicator)):
        return int(facts.indicator)
    identity = lay_events(events, players, space)
    if identity >= 0:
        return identity
    for number in range(int(facts.ura_count)):
        if not put_tile(space, dora_slot(players, number) - 1, int(facts.ura[number])):
            return int(facts.ura[number])
    fill_wall(players, space)
    return -1


@rule
def wrong_deal(deal: ByteRows, dealer: int, space: WallSpace) -> int:
    """Return −1 where the wall deals the seats their tiles, else the id that it deals to somebody else."""
    players = len(deal)
    for identity in range(136):
        space.owners[identity] = 0
    for seat in range(players):
        for number in range(13):
            if int(deal[seat, number]) >= 136:
                return int(deal[seat, number])
            space.owners[int(deal[seat, number])] = seat + 1
    slot = wall_size(players) - 1
    for turn in range(4):
        for step in range(players):
            seat = (dealer + step) % players
            for _ in range(4 if turn < 3 else 1):
                if int(space.owners[int(space.ids[slot])]) != seat + 1:
                    return int(space.ids[slot])
                slot -= 1
    return -1


@rule
def prepare_wall(rules: RulesRecord, events: Int16Rows, deal: ByteRows, facts: Facts, space: WallSpace) -> int:
    """Write the wall that the hand is dealt from into ``facts.start``; return −1, or an id that cannot be there."""
    size = wall_size(len(deal))
    if int(facts.wall_known):
        for slot in range(size):
            space.ids[slot] = int(facts.wall[slot])
        identity = wrong_deal(deal, int(facts.start.dealer), space)
    else:
        identity = lay_wall(events, deal, facts, space)
    if identity < 0:
        for slot in range(size):
            facts.start.wall[slot] = tile_of_physical(rules, int(space.ids[slot]))
    return identity


# ---------------------------------------------------------------------------------------------------------
# Events and actions


@rule
def read_event(rules: RulesRecord, events: Int16Rows, row: int, event: LoggedEvent) -> None:
    """Write one event of a record as the engine logs it."""
    form = int(events[row, 0])
    identity = int(events[row, 2])
    kind = identity // 4
    event.event = form
    event.seat = int(events[row, 1])
    event.tile = tile_of_physical(rules, identity) if identity >= 0 else -1
    event.detail = 0
    if form == Event.DISCARD:
        event.detail = 1 if int(events[row, 4]) == 1 else 0
    elif form in (Event.CHII, Event.PON):
        reds = 0
        below = 0
        for column in range(4, 6):
            own = int(events[row, column])
            reds += 1 if tile_of_physical(rules, own) >= 34 else 0
            below += 1 if own // 4 < kind else 0
        event.detail = Action.PON + reds if form == Event.PON else (Action.CHII_RED if reds else Action.CHII) + below
    elif form == Event.DAIMINKAN:
        event.detail = Action.DAIMINKAN
    elif form == Event.ANKAN:
        event.tile = kind
        event.detail = Action.ANKAN + kind
    elif form == Event.KAKAN:
        event.detail = Action.KAKAN + kind


@rule
def compare_log(state: State, events: Int16Rows, result: ReplayResult) -> bool:
    """Return whether the engine's new events match the record's; ``result`` counts the events."""
    logged = result.logged
    recorded = result.recorded
    while int(result.events) < int(state.logged):
        number = int(result.events)
        logged.event = int(state.log[4 * number])
        logged.seat = int(state.log[4 * number + 1])
        logged.tile = int(state.log[4 * number + 2])
        logged.detail = int(state.log[4 * number + 3])
        if number >= len(events):
            recorded.event = -1
            return False
        read_event(state.rules, events, number, recorded)
        if (
            int(logged.event) != int(recorded.event)
            or int(logged.seat) != int(recorded.seat)
            or int(logged.tile) != int(recorded.tile)
            or int(logged.detail) != int(recorded.detail)
        ):
            return False
        result.events += 1
    return True


@rule
def last_action(state: State, facts: Facts, result: ReplayResult) -> None:
    """Write what the record's player does where the hand has no further event: it wins, aborts, shows or passes."""
    actor = int(state.actor)
    winner = int(facts.winners) >> actor & 1 == 1
    ended = int(facts.ended)
    result.seat = actor
    result.action = -1
    if int(state.phase) == Phase.CLAIM and int(state.claimed) == Offer.DRAW:
        result.action = Action.KYUUSHU_KYUUHAI if int(facts.shown) >> actor & 1 else Action.PASS
    elif int(state.phase) == Phase.CLAIM:
        # In a triple ron everybody who can has won; otherwise the record names the winners.
        triple = ended == Ending.TRIPLE_RON and int(state.legal[0]) >> Action.RON & 1 == 1
        result.action = Action.RON if triple or (ended == Ending.RON and winner) else Action.PASS
    elif ended == Ending.TSUMO:
        result.action = Action.TSUMO
        if not winner:
            result.seat = -1
    elif ended == Ending.KYUUSHU_KYUUHAI:
        result.action = Action.KYUUSHU_KYUUHAI


@rule
def recorded_action(state: State, events: Int16Rows, facts: Facts, result: ReplayResult) -> None:
    """Write what the record's player does where the engine asks: ``result.seat`` and ``result.action``."""
    claims = int(state.phase) == Phase.CLAIM
    row = int(result.events)
    while row < len(events) and (
        int(events[row, 0]) == Event.DORA or (claims and int(events[row, 0]) == Event.ACCEPTED)
    ):
        row += 1
    if row >= len(events):
        last_action(state, facts, result)
        return
    read_event(state.rules, events, row, result.recorded)
    event = int(result.recorded.event)
    detail = int(result.recorded.detail)
    result.seat = int(result.recorded.seat)
    result.action = -1
    if claims:
        result.action = Action.PASS
        if Event.CHII <= event <= Event.DAIMINKAN and int(result.seat) == int(state.actor):
            result.action = detail
        result.seat = int(state.actor)
    elif event == Event.DISCARD:
        result.action = int(result.recorded.tile)
        if detail:
            result.action = Action.TSUMOGIRI
    elif event == Event.RIICHI:
        result.action = Action.RIICHI
    elif event == Event.KITA:
        result.action = Action.KITA
    elif event in (Event.ANKAN, Event.KAKAN):
        result.action = detail


@rule
def replay_hand(
    state: State,
    tables: ShantenTables,
    space: WallSpace,
    events: Int16Rows,
    deal: ByteRows,
    facts: Facts,
    result: ReplayResult,
) -> Int8:
    """Replay one hand; return its `ReplayStatus`.

    ``events`` are `janshi.riichi.records.RecordedHand.events`, ``deal`` (players, 13) the ids dealt. Where the hand has
    matched, the
    state holds how it ended, and round, dealer, honba and deposits of the hand that follows; also where the engine's
    game is over, as the record's may go on all the same.
    """
    result.decisions = 0
    result.events = 0
    result.identity = prepare_wall(state.rules, events, deal, facts, space)
    if int(result.identity) >= 0:
        return ReplayStatus.WRONG_DEAL if int(facts.wall_known) else ReplayStatus.TILE_TWICE
    begin_given_hand(state, tables, facts.start)
    while True:
        if not compare_log(state, events, result):
            return ReplayStatus.WRONG_EVENT
        if int(state.phase) >= Phase.HAND_OVER:
            break
        result.asked = int(state.actor)
        if count_legal(state) < 2:
            return ReplayStatus.NOTHING_TO_DECIDE
        recorded_action(state, events, facts, result)
        action = int(result.action)
        if action < 0:
            return ReplayStatus.HAND_GOES_ON
        if int(result.seat) != int(state.actor):
            return ReplayStatus.WRONG_SEAT
        if not is_legal(state, action):
            return ReplayStatus.ILLEGAL_ACTION
        number = int(result.decisions)
        if number < MOST_DECISIONS:
            result.actions[number] = action
            result.decisions = number + 1
        act(state, tables, action)
    if int(result.events) < len(events):
        return ReplayStatus.HAND_OVER
    follow(state)
    return ReplayStatus.MATCHED


replay_hands = batched(replay_hand)
