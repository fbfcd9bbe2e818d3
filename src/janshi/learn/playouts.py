"""What the options of a decision are worth, found by playing them out.

From a decision the hand is played to its end again and again, each time with the wall shuffled anew, the same for
every option, so that most of the luck falls out of their comparison. Its seat goes on as the planner does (with four
players as the efficient agent), without looking ahead; the others play at random or as efficient agents.

The others keep the hands that they have. Nobody who decides in a playout sees them, and a network that learns from many
decisions is told nothing of them: it learns the mean over the hands that others hold where it sees what it sees, so
that what their discards tell is in it.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.agents.efficient import efficient_action
from janshi.agents.planner import Intent, planner_action
from janshi.agents.random import random_choice
from janshi.compiling import Batch, ByteRows, Int16Rows, Int32Rows, Int64s, entry, rule, zeros
from janshi.engine.play import act, write_view
from janshi.engine.state import HAND_OVER, RON, TSUMO, State, View
from janshi.engine.tables import Lookup, lookup
from janshi.engine.wall import KEYS, below, dora_place, philox
from janshi.rules import Rules
from janshi.table import SHARED, bytes_of, new_states

#: Stream of random numbers that shuffles walls.
_STREAM: Final = 17


@rule
def shuffle_unseen(state: State, seed: int) -> None:
    """Shuffle the tiles that nobody has seen: what is left of the wall, and the dead wall but for its open tiles."""
    players = int(state.rules.players)
    last = int(state.next)
    known = 0  # places of the dead wall whose tiles have been seen or drawn
    for number in range(int(state.replaced)):
        known |= 1 << (number ^ 1)
    for number in range(int(state.shown)):
        known |= 1 << dora_place(players, number)
    place = last
    block = 0
    while place > 0:
        for word in philox(seed, _STREAM, block, 0):
            while 0 < place < 62 and known >> place & 1:
                place -= 1
            other = below(word, place + 1)
            if place > 0 and not (other < 62 and known >> other & 1):
                tile = int(state.wall[place])
                state.wall[place] = int(state.wall[other])
                state.wall[other] = tile
                place -= 1
        block += 1


@rule
def is_first(state: State, seat: int) -> bool:
    """Whether somebody has won the hand and nobody has more points than the seat, all having begun with as many."""
    if int(state.ended) != TSUMO and int(state.ended) != RON:
        return False
    most = 0
    for who in range(int(state.rules.players)):
        most = max(most, int(state.seats[who].points))
    return int(state.seats[seat].points) == most


@entry
def play_out(
    states: Batch[State],
    state_bytes: ByteRows,
    work: Batch[State],
    work_bytes: ByteRows,
    views: Batch[View],
    view_bytes: ByteRows,
    intents: Batch[Intent],
    lookups: Batch[Lookup],
    which: Int64s,
    options: Int16Rows,
    efficient: bool,
    repeats: int,
    seed: int,
    place: int,
    firsts: Int32Rows,
) -> None:
    """Count for each option (−1: none) how many of its playouts its seat ended as first.

    Random numbers are those of the rows from ``place`` on.

    ``work`` holds two records to work with and ``views`` one, ``…_bytes`` are their bytes, of the view as many as are
    shared; ``efficient``: the others play as efficient agents, else at random.
    """
    shared = view_bytes.shape[1]
    for row in range(len(which)):
        table = int(which[row])
        me = int(states[table].actor)
        for repeat in range(repeats):
            high, low, _, _ = philox(seed, _STREAM, place + row, repeat)
            key = (high & 0x7FFFFFFF) << 32 | low
            for byte in range(state_bytes.shape[1]):
                work_bytes[0, byte] = state_bytes[table, byte]
            shuffle_unseen(work[0], key)
            work[0].seed = key
            for one in range(options.shape[1]):
                action = int(options[row, one])
                if action < 0:
                    continue
                for byte in range(state_bytes.shape[1]):
                    work_bytes[1, byte] = work_bytes[0, byte]
                state = work[1]
                act(state, lookups[0], action)
                while int(state.phase) < HAND_OVER:
                    actor = int(state.actor)
                    for byte in range(shared):
                        view_bytes[0, byte] = work_bytes[1, byte]
                    write_view(state, actor, views[0])
                    if actor == me and int(state.rules.players) == 3:
                        action = planner_action(views[0], intents[0], lookups[0], False)
                    elif efficient or actor == me:
                        action = efficient_action(views[0], intents[0].mind, lookups[0])
                    else:
                        high, low, _, _ = philox(key, KEYS, int(state.clock), actor)
                        simple, closed, added = int(state.legal[0]), int(state.legal[1]), int(state.legal[2])
                        mine = int(views[0].drawn)
                        number = (high & 0x7FFFFFFF) << 32 | low
                        action = random_choice(state.hands[actor], mine, simple, closed, added, number)
                    act(state, lookups[0], action)
                firsts[row, one] += 1 if is_first(state, me) else 0


class _Room:
    """What one thread works with."""

    def __init__(self, rules: Rules) -> None:
        self.work = new_states(rules, 2)
        self.views = zeros(View, 1)
        self.intents = zeros(Intent, 1)


class Playouts:
    """Plays hands of one rule set to their ends; keeps the room that it takes.

    ``threads``: as many as there are processors by default; the results are the same with any number.
    """

    def __init__(self, rules: Rules, threads: int | None = None) -> None:
        self.rooms = [_Room(rules) for _ in range(threads or os.cpu_count() or 1)]

    def worth(
        self,
        states: Batch[State],
        which: NDArray[np.int64],
        options: NDArray[np.int16],
        repeats: int,
        seed: int,
        *,
        efficient: bool = False,
    ) -> NDArray[np.float32]:
        """Return the share of playouts (n, k) in which the actor of each table is first after each option.

        ``which`` (n): tables that wait for a decision in a single hand; ``options`` (n, k): legal actions, −1 for none
        (worth 0). ``repeats``: playouts an option; ``efficient``: the others play so, else at random.
        """
        which, options = np.ascontiguousarray(which, np.int64), np.ascontiguousarray(options, np.int16)
        firsts = np.zeros(options.shape, np.int32)
        cuts = np.linspace(0, len(which), len(self.rooms) + 1).astype(int).tolist()

        def play(room: _Room, first: int, last: int) -> None:
            play_out(
                states,
                bytes_of(states),
                room.work,
                bytes_of(room.work),
                room.views,
                bytes_of(room.views)[:, :SHARED],
                room.intents,
                lookup(),
                which[first:last],
                options[first:last],
                efficient,
                repeats,
                seed,
                first,
                firsts[first:last],
            )

        with ThreadPoolExecutor(len(self.rooms)) as pool:
            list(pool.map(play, self.rooms, cuts[:-1], cuts[1:]))
        return cast("NDArray[Any]", firsts / np.float32(repeats)).astype(np.float32)
