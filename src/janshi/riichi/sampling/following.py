"""Following the log of a hand at a table whose hidden tiles were sampled, compiled."""

from __future__ import annotations

from enum import IntEnum

from janshi.compiling import Int8, Int16, batched, rule
from janshi.core.shanten_tables import ShantenTables
from janshi.riichi.actions import Action
from janshi.riichi.play.steps import act, is_legal
from janshi.riichi.state import Event, Events, Phase, State


class Followed(IntEnum):
    """Results of `follow`."""

    TO_ITS_END = 0
    ASKS_ANOTHER = 1  # another seat decides, from the row on where the table was to stop
    LETS_A_WIN_PASS = 2  # a seat in riichi would not have won
    CONTRADICTED = 3  # the log cannot come from these tiles


@rule
def logged_action(state: State, log: Events) -> Int16:
    """Return the log's next action where the table asks; −1 where the log ends.

    A seat that is asked about a tile and does not call it passes.
    """
    claims = int(state.phase) == Phase.CLAIM
    place, end = 4 * int(state.logged), 4 * int(log.count)
    while place < end and (
        int(log.rows[place]) == Event.DORA or (claims and int(log.rows[place]) == Event.ACCEPTED)
    ):
        place += 4
    if place >= end:
        return -1
    event, detail = int(log.rows[place]), int(log.rows[place + 3])
    if claims:
        if Event.CHII <= event <= Event.DAIMINKAN and int(log.rows[place + 1]) == int(state.actor):
            return detail
        return Action.PASS
    if event == Event.DISCARD:
        if detail:
            return Action.TSUMOGIRI
        return int(log.rows[place + 2])
    if event == Event.RIICHI:
        return Action.RIICHI
    if event == Event.KITA:
        return Action.KITA
    return detail


@rule
def agrees(state: State, log: Events) -> bool:
    """Return whether the table's log matches the given one; tiles that are −1 match any."""
    if int(state.logged) != int(log.count):
        return False
    for place in range(4 * int(log.count)):
        unknown = place % 4 == 2 and int(log.rows[place]) < 0
        if not unknown and int(state.log[place]) != int(log.rows[place]):
            return False
    return True


@rule
def follow(state: State, tables: ShantenTables, log: Events, seat: int, until: int) -> Int8:
    """Play on as the log says, to its end or to another seat's decision than ``seat``'s from row ``until`` on.

    Returns a `Followed`.
    """
    while int(state.phase) < Phase.HAND_OVER:
        action = int(logged_action(state, log))
        if action < 0:
            if agrees(state, log):
                return Followed.TO_ITS_END
            return Followed.CONTRADICTED
        if not is_legal(state, action):
            return Followed.CONTRADICTED
        actor = int(state.actor)
        if actor != seat:
            wins = int(state.legal[0]) >> Action.TSUMO & 3
            if wins and int(state.seats[actor].accepted):
                return Followed.LETS_A_WIN_PASS
            if int(state.logged) >= until:
                return Followed.ASKS_ANOTHER
        act(state, tables, action)
    return Followed.CONTRADICTED


follow_logs = batched(follow)
logged_actions = batched(logged_action, brief=True)
