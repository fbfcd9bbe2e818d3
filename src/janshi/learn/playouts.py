"""What the options of a decision are worth, found by playing them out.

From a decision the hand is played to its end again and again, each time with the wall shuffled anew, the same for
every option, so that most of the luck falls out of their comparison. Its seat goes on as the planner does (with four
players as the efficient agent), without looking ahead; the others play at random or as efficient agents.

The others keep the hands that they have. Nobody who decides in a playout sees them, and a network that learns from many
decisions does not either: it learns the mean over the hands that others hold where it sees what it sees, so that what
their discards tell is in it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Annotated, Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.agents.efficient import efficient_action
from janshi.agents.planner import PlannerWorkspace, planner_action
from janshi.agents.random import random_choice
from janshi.analysis.plans import PlanWeights
from janshi.compiling import Batch, Int64, Record, Workspace, batched, copy_record, dtype_of, rule
from janshi.core.random import Stream, below, philox, random_word
from janshi.core.shanten_tables import ShantenTables
from janshi.riichi.play import act, decision_word, write_view
from janshi.riichi.state import Ending, Phase, State, View
from janshi.riichi.wall import dora_slot

#: Most options of a decision that are played out.
MOST_OPTIONS: Final = 12


class PlayoutJob(Record):
    """The options of one decision, and how many of their playouts ended well."""

    options: Annotated[NDArray[np.int16], MOST_OPTIONS]
    """Legal actions, −1 for none."""
    firsts: Annotated[NDArray[np.int32], MOST_OPTIONS]
    """Playouts of each that its seat ended as first."""
    number: Annotated[int, np.int64]
    """Of the decision: together with the seed it decides all random numbers."""


class PlayoutWorkspace(Workspace):
    """What playouts work with."""

    shuffled: State
    """The table as it might be, by what the seat sees."""
    played: State
    seen: View
    planner: PlannerWorkspace


@rule
def shuffle_unseen(state: State, seed: Int64) -> None:
    """Shuffle the tiles that nobody has seen: what is left of the wall, and the dead wall but for its open tiles."""
    players = int(state.rules.players)
    known = 0  # slots of the dead wall whose tiles have been seen or drawn
    for number in range(int(state.replaced)):
        known |= 1 << (number ^ 1)
    for number in range(int(state.shown)):
        known |= 1 << dora_slot(players, number)
    slot = int(state.next)
    block = 0
    while slot > 0:
        for word in philox(seed, Stream.PLAYOUTS, block, 0):
            while 0 < slot < 62 and known >> slot & 1:
                slot -= 1
            other = below(word, slot + 1)
            if slot > 0 and not (other < 62 and known >> other & 1):
                tile = int(state.wall[slot])
                state.wall[slot] = int(state.wall[other])
                state.wall[other] = tile
                slot -= 1
        block += 1


@rule
def is_first(state: State, seat: int) -> bool:
    """Whether somebody has won the hand and nobody has more points than the seat, all having begun with as many."""
    if int(state.ended) != Ending.TSUMO and int(state.ended) != Ending.RON:
        return False
    most = 0
    for other in range(int(state.rules.players)):
        most = max(most, int(state.seats[other].points))
    return int(state.seats[seat].points) == most


@rule
def playout_action(
    state: State, tables: ShantenTables, weights: PlanWeights, workspace: PlayoutWorkspace, me: int, efficient: bool
) -> int:
    """What the actor of a playout does; ``me``: the seat whose options are played out."""
    actor = int(state.actor)
    view, planner = workspace.seen, workspace.planner
    write_view(state, actor, view)
    if actor == me and int(state.rules.players) == 3:
        return planner_action(view, tables, weights, planner, False)
    if efficient or actor == me:
        return efficient_action(view, tables, planner.efficient, 0)
    simple, closed, added = int(state.legal[0]), int(state.legal[1]), int(state.legal[2])
    return random_choice(view.hand, int(view.drawn), simple, closed, added, decision_word(state))


@rule
def play_option(
    tables: ShantenTables, weights: PlanWeights, workspace: PlayoutWorkspace, action: int, me: int, efficient: bool
) -> bool:
    """Play the shuffled table to the hand's end after an action; whether its seat is first."""
    state = workspace.played
    copy_record(workspace.shuffled, state)
    while True:
        act(state, tables, action)
        if int(state.phase) >= Phase.HAND_OVER:
            return is_first(state, me)
        action = playout_action(state, tables, weights, workspace, me, efficient)


@rule
def play_out(
    state: State,
    tables: ShantenTables,
    weights: PlanWeights,
    workspace: PlayoutWorkspace,
    job: PlayoutJob,
    seed: int,
    repeats: int,
    efficient: bool,
) -> None:
    """Play out the options of the decision that a table waits for; ``efficient``: others play so, else at random."""
    me = int(state.actor)
    for option in range(MOST_OPTIONS):
        job.firsts[option] = 0
    for repeat in range(repeats):
        key = random_word(seed, Stream.PLAYOUTS, int(job.number), repeat)
        copy_record(state, workspace.shuffled)
        shuffle_unseen(workspace.shuffled, key)
        workspace.shuffled.seed = key
        for option in range(MOST_OPTIONS):
            action = int(job.options[option])
            if action >= 0 and play_option(tables, weights, workspace, action, me, efficient):
                job.firsts[option] += 1


_play_out = batched(play_out)


@dataclass(frozen=True, slots=True)
class Playouts:
    """Plays hands to their ends, ``repeats`` times an option.

    ``efficient``: the others play as efficient agents, else at random; ``threads``: as many as there are processors by
    default; the results are the same with any number.
    """

    repeats: int
    efficient: bool = False
    threads: int | None = None

    def shares(
        self, states: Batch[State], which: NDArray[np.int64], options: NDArray[np.int16], seed: int
    ) -> NDArray[np.float32]:
        """Return the share of playouts (n, k) in which the actor of each table is first after each option.

        ``which`` (n): tables that wait for a decision in a single hand; ``options`` (n, k ≤ `MOST_OPTIONS`): legal
        actions, −1 for none (worth 0). The tables stay as they are.
        """
        jobs = np.zeros(len(which), dtype_of(PlayoutJob))
        jobs["options"] = -1
        jobs["options"][:, : options.shape[1]] = options
        jobs["number"] = np.arange(len(which))
        threads = self.threads or os.cpu_count() or 1
        setting = int(seed), int(self.repeats), bool(self.efficient)
        numbers = np.ascontiguousarray(which, np.int64)
        _play_out(states, cast("Any", jobs), *setting, which=numbers, threads=threads)
        firsts = jobs["firsts"][:, : options.shape[1]]
        return (firsts / np.float32(self.repeats)).astype(np.float32)
