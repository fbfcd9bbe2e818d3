"""Functions derived from the rules of a game: `derived`.

A game defines for one table the begin of a hand, the effect of actions, their legality and the views of seats
(`janshi.core.game.Game`). The templates of this module derive the rest: successive hands and games, steps with their
results, masks, decisions and random play, compiled for the game's own records (`janshi.compiling.specialised`). The
values of their placeholders are fields of the game's `Game`, collected by `names_of`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Final, TypeAlias, get_type_hints

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import (
    Batch,
    Batched,
    Bools,
    Int8,
    Int16,
    Int64,
    Int64s,
    Record,
    Shared,
    TableRecord,
    batched,
    copy_record,
    rule,
    specialised,
    zeros,
)
from janshi.core.random import Stream, below, following_seed, philox, random_word

_Rule: TypeAlias = Callable[..., Any]


class StepResult(Record):
    """The result of a step at one table of up to four players."""

    ended: Int8  # 1 if the step ended a hand, 2 if it ended the game
    change: Annotated[NDArray[np.int32], 4]
    """Change of every seat's points in the hand that ended."""
    points: Annotated[NDArray[np.int32], 4]  # every seat's points at the end of that hand


class GameTable(TableRecord):
    """Common fields of the states of all games; they precede the record of the public state."""

    seed: Int64  # seed of the game's walls
    hand_number: Int64  # hands begun in this game, less one
    games: Int64  # games begun at this table, less one
    clock: Int64  # decisions taken since the table was made: the counter of random play
    walls_given: Int8  # 1 if walls are supplied from outside: the next hand waits for one


class NothingShared(Shared):
    """The empty record of lookup tables, for games without any."""

    nothing: Int8

    @classmethod
    def shared(cls) -> Batch[NothingShared]:
        """Return the record as an array of length 1."""
        return zeros(NothingShared, 1)


# ---------------------------------------------------------------------------------------------------------
# Placeholders: the templates below are compiled with the game's own rules in their place

State: TypeAlias = Any
View: TypeAlias = Any
Lookup: TypeAlias = Any
ACTIONS: Final = 0
HAND_OVER: Final = 0


def _given(*arguments: Any) -> Any:
    """Placeholder of a rule of the game."""
    raise NotImplementedError


lay_wall = begin_hand = act = is_legal = write_view = _given
count_legal = nth_legal = write_legal = change_of = _given
shuffle_wall = deal = begin_game = next_hand = go_on = decision_word = _given


# ---------------------------------------------------------------------------------------------------------
# Defaults of optional rules


def _count_legal(state: State) -> int:
    """Return the number of legal actions."""
    count = 0
    for action in range(ACTIONS):
        count += 1 if is_legal(state, action) else 0
    return count


def _nth_legal(state: State, number: int) -> int:
    """Return the legal action with the given index, from 0; −1 if there are fewer."""
    for action in range(ACTIONS):
        if is_legal(state, action):
            if number == 0:
                return action
            number -= 1
    return -1


def _write_legal(state: State, mask: Bools) -> None:
    """Write the legal actions of the table's actor."""
    for action in range(ACTIONS):
        mask[action] = is_legal(state, action)


def _change_of(state: State, seat: int) -> int:
    """Return the change of a seat's points in the hand."""
    return int(state.seats[seat].points) - int(state.before[seat])


def _write_view(state: State, seat: Int8, view: View) -> None:
    """Write the public state, the seat and its hand."""
    copy_record(state, view)
    copy_record(state.hands[seat], view.hand)
    view.seat = seat


# ---------------------------------------------------------------------------------------------------------
# Derived rules


def _shuffle_wall(state: State) -> None:
    """Shuffle the wall by the table's seed and hand number (Fisher and Yates)."""
    slot = lay_wall(state) - 1
    # Read once: the compiler does not know that writing to the wall leaves them unchanged.
    seed, number = int(state.seed), int(state.hand_number)
    block = 0
    while slot > 0:
        words = philox(seed, Stream.WALLS, number, block)
        for word in words:
            if slot > 0:
                other = below(word, slot + 1)
                tile = int(state.wall[slot])
                state.wall[slot] = int(state.wall[other])
                state.wall[other] = tile
                slot -= 1
        block += 1


def _deal(state: State, lookup: Lookup) -> None:
    """Begin a hand from the given wall, or from that of the seed."""
    if not int(state.walls_given):
        shuffle_wall(state)
    begin_hand(state, lookup)


def _begin_game(state: State, lookup: Lookup) -> None:
    """Start a game."""
    state.hand_number = 0
    for seat in range(4):
        state.seats[seat].points = int(state.rules.start)
    deal(state, lookup)


def _next_hand(state: State, lookup: Lookup) -> None:
    """Begin the next hand if a hand is over and the game is not."""
    if int(state.phase) == HAND_OVER:
        state.hand_number += 1
        deal(state, lookup)


def _go_on(state: State, lookup: Lookup) -> None:
    """Begin the next hand, or the next game if the game is over."""
    if int(state.phase) > HAND_OVER:
        state.games += 1
        state.seed = following_seed(int(state.seed), int(state.games))
        begin_game(state, lookup)
    else:
        next_hand(state, lookup)


def _step(state: State, lookup: Lookup, action: Int16, goes_on: bool, result: StepResult) -> None:
    """Execute a legal action of the actor; with ``goes_on``, begin the next hand or game if one has ended.

    A table without an actor is unchanged.
    """
    result.ended = 0
    for seat in range(4):
        result.change[seat] = 0
    if int(state.phase) < HAND_OVER:
        act(state, lookup, int(action))
        if int(state.phase) >= HAND_OVER:
            result.ended = int(state.phase) - HAND_OVER + 1
            for seat in range(4):
                result.change[seat] = change_of(state, seat)
                result.points[seat] = int(state.seats[seat].points)
            if goes_on:
                go_on(state, lookup)


def _refused(state: State, action: Int16) -> int:
    """Return 1 if a decision is open and the action is not legal, else 0."""
    # The phase lies elsewhere in memory: it is read for illegal actions only.
    return 1 if not is_legal(state, int(action)) and int(state.phase) < HAND_OVER else 0


def _decision_word(state: State) -> int:
    """Return the random word (63 bits) of the open decision."""
    return random_word(int(state.seed), Stream.DECISIONS, int(state.clock), int(state.actor))


def _decision(state: State, view: View, legal: Bools, random: Int64s) -> None:
    """Write the view, the legal actions and the random word of the open decision."""
    write_view(state, int(state.actor), view)
    write_legal(state, legal)
    random[0] = decision_word(state)


def _play_random(state: State, lookup: Lookup, decisions: int) -> int:
    """Take random decisions, uniform over legal actions; return the number of hands ended."""
    hands = 0
    for _ in range(decisions):
        word, _b, _c, _d = philox(int(state.seed), Stream.PLAY, int(state.clock), 0)
        act(state, lookup, nth_legal(state, below(word, count_legal(state))))
        if int(state.phase) >= HAND_OVER:
            hands += 1
            go_on(state, lookup)
    return hands


_UNLESS_GIVEN: Final[dict[str, _Rule]] = {
    "count_legal": _count_legal,
    "nth_legal": _nth_legal,
    "write_legal": _write_legal,
    "change_of": _change_of,
    "write_view": _write_view,
}
_RULES: Final[dict[str, _Rule]] = {
    "shuffle_wall": _shuffle_wall,
    "deal": _deal,
    "begin_game": _begin_game,
    "next_hand": _next_hand,
    "go_on": _go_on,
    "decision_word": _decision_word,
}
_OWN_BY_ROW: Final = {
    "lay_walls": "lay_wall",
    "begin_games": "begin_game",
    "next_hands": "next_hand",
    "legal": "write_legal",
    "views": "write_view",
    "event_logs": "write_events",
}
_BY_ROW: Final[dict[str, _Rule]] = {
    "step": _step,
    "refused": _refused,
    "decisions": _decision,
    "play_randomly": _play_random,
}


def names_of(rules: dict[str, _Rule], view: type[Record], actions: int, hand_over: int) -> dict[str, Any]:
    """Return the globals of templates for a game: its own rules and, by their annotations, its records."""
    act = rules["act"]
    state, lookup, *_ = get_type_hints(getattr(act, "py_func", act), include_extras=True).values()
    return {**rules, "State": state, "Lookup": lookup, "View": view, "ACTIONS": actions, "HAND_OVER": hand_over}


def derived(names: dict[str, Any], module: str) -> dict[str, Batched]:
    """Return the functions derived from a game's rules, by name; add the derived rules to ``names``."""
    for name, template in _UNLESS_GIVEN.items():
        if name not in names:
            names[name] = rule(specialised(template, module, **names))
    for name, template in _RULES.items():
        names[name] = rule(specialised(template, module, **names))
    made = {name: rule(specialised(template, module, **names)) for name, template in _BY_ROW.items()}
    for name, own in _OWN_BY_ROW.items():
        if own in names:
            made[name] = names[own]
    return {name: batched(each, brief=name != "play_randomly") for name, each in made.items()}
