"""A game of a few dozen lines, to prove that `Game` is a boundary: nothing of it is Riichi.

Seven tiles of one suit, four of each. Everybody holds three, draws a fourth and discards one, in turn. Four tiles are
complete as two pairs, two of four counting; who completes them may win: 1 point from each who still plays, 2 for four
of a kind. A winner is out of play and the hand goes on, as in Sichuan, until one is left or the wall is empty. A game
is so many hands; whose seat comes next begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import Agent
from janshi.compiling import Bools, Int8, Int8s, Int16, Int64s, Record, Rows, TableRecord, batched, copy_record, rule
from janshi.core.game import Game, Outcomes
from janshi.core.random import Stream, below, philox, random_word
from janshi.encoders import Encoder, Layout
from janshi.encoders import register as register_encoder
from janshi.games import register
from janshi.table import DecisionBatch

KINDS: Final = 7
TILES: Final = 28
WIN: Final = 7
ACTIONS: Final = 8

PLAYING: Final = 0
HAND_OVER: Final = 1
GAME_OVER: Final = 2


@dataclass(frozen=True, slots=True)
class TinyRules:
    """What may vary."""

    name: str = "tiny"
    players: int = 3
    start: int = 10
    hands: int = 2


class RulesRecord(Record):
    """`TinyRules` for the compiled rules."""

    players: Annotated[int, np.int8]
    start: Annotated[int, np.int32]
    hands: Annotated[int, np.int32]


class Seat(Record):
    """What everybody knows of a seat."""

    points: Annotated[int, np.int32]
    worth: Annotated[int, np.int8]
    """Of its win in this hand; 0: it still plays."""
    river: Annotated[NDArray[np.int8], KINDS]
    """Discards of each kind."""


class Hand(Record):
    """Tiles of each kind."""

    counts: Annotated[NDArray[np.int8], KINDS]


class Public(Record):
    """What everybody knows."""

    rules: RulesRecord
    seats: Annotated[Rows[Seat], 4]
    actor: Annotated[int, np.int8]
    phase: Annotated[int, np.int8]
    dealer: Annotated[int, np.int8]
    left: Annotated[int, np.int8]
    """Tiles left in the wall."""


class View(Public):
    """What one seat knows."""

    seat: Annotated[int, np.int8]
    hand: Hand


class State(Public, TableRecord):
    """One table."""

    hands: Annotated[Rows[Hand], 4]
    wall: Annotated[NDArray[np.int8], TILES]
    seed: Annotated[int, np.int64]
    clock: Annotated[int, np.int64]
    games: Annotated[int, np.int64]
    hand_number: Annotated[int, np.int64]
    walls_given: Annotated[int, np.int8]
    before: Annotated[NDArray[np.int32], 4]
    """Points at the deal."""


class Result(Record):
    """What a step brings."""

    ended: Annotated[int, np.int8]
    change: Annotated[NDArray[np.int32], 4]
    points: Annotated[NDArray[np.int32], 4]


# ---------------------------------------------------------------------------------------------------------
# The rules, for one table


@rule
def worth_of(hand: Hand) -> int:
    """What four tiles are worth, 0 where they are not complete."""
    pairs = 0
    for kind in range(KINDS):
        pairs += int(hand.counts[kind]) // 2
        if int(hand.counts[kind]) == 4:
            return 2
    return 1 if pairs == 2 else 0


@rule
def may(state: State, action: int) -> bool:
    """Whether the actor may do that."""
    if int(state.phase) != PLAYING or action < 0 or action >= ACTIONS:
        return False
    hand = state.hands[int(state.actor)]
    return worth_of(hand) > 0 if action == WIN else int(hand.counts[action]) > 0


@rule
def draw(state: State, seat: int) -> None:
    """Give a seat a tile."""
    state.left -= 1
    state.hands[seat].counts[int(state.wall[int(state.left)])] += 1


@rule
def next_turn(state: State, seat: int) -> None:
    """Let the next seat that still plays draw, or end the hand."""
    playing = 0
    for other in range(int(state.rules.players)):
        playing += 1 if int(state.seats[other].worth) == 0 else 0
    if playing < 2 or int(state.left) == 0:
        state.phase = HAND_OVER if int(state.hand_number) + 1 < int(state.rules.hands) else GAME_OVER
        state.actor = -1
        return
    seat = (seat + 1) % int(state.rules.players)
    while int(state.seats[seat].worth):
        seat = (seat + 1) % int(state.rules.players)
    state.actor = seat
    draw(state, seat)


@rule
def deal(state: State) -> None:
    """Deal a hand from the wall that lies there, or from the seed's."""
    if not int(state.walls_given):
        for tile in range(TILES):
            state.wall[tile] = tile // 4
        for last in range(TILES - 1, 0, -1):
            word, _b, _c, _d = philox(int(state.seed), Stream.WALLS, int(state.hand_number), last)
            other = below(word, last + 1)
            tile = int(state.wall[last])
            state.wall[last] = int(state.wall[other])
            state.wall[other] = tile
    state.left = TILES
    state.phase = PLAYING
    state.dealer = int(state.hand_number) % int(state.rules.players)
    for seat in range(int(state.rules.players)):
        state.seats[seat].worth = 0
        state.before[seat] = int(state.seats[seat].points)
        for kind in range(KINDS):
            state.seats[seat].river[kind] = 0
            state.hands[seat].counts[kind] = 0
        for _ in range(3):
            draw(state, seat)
    state.actor = int(state.dealer)
    draw(state, int(state.dealer))


@rule
def begin_game(state: State) -> None:
    """Start a game."""
    state.hand_number = 0
    for seat in range(int(state.rules.players)):
        state.seats[seat].points = int(state.rules.start)
    deal(state)


@rule
def next_hand(state: State) -> None:
    """Go on to the next hand where one is over and the game is not."""
    if int(state.phase) == HAND_OVER:
        state.hand_number += 1
        deal(state)


@rule
def go_on(state: State) -> None:
    """Go on after a hand or a game."""
    if int(state.phase) == GAME_OVER:
        state.games += 1
        state.seed = random_word(int(state.seed), Stream.GAMES, int(state.games), 0)
        begin_game(state)
    else:
        next_hand(state)


@rule
def act(state: State, action: int) -> None:
    """Let the actor do a legal action."""
    seat = int(state.actor)
    state.clock += 1
    if action == WIN:
        worth = worth_of(state.hands[seat])
        for other in range(int(state.rules.players)):
            if other != seat and int(state.seats[other].worth) == 0:
                state.seats[other].points -= worth
                state.seats[seat].points += worth
        state.seats[seat].worth = worth
    else:
        state.hands[seat].counts[action] -= 1
        state.seats[seat].river[action] += 1
    next_turn(state, seat)


# What `Game` asks for


@rule
def step(state: State, action: Int16, goes_on: bool, result: Result) -> None:
    """Let the actor of a table act; ``goes_on``: begin the next hand or game where one has ended."""
    result.ended = 0
    for seat in range(4):
        result.change[seat] = 0
    if int(state.phase) == PLAYING:
        act(state, action)
        if int(state.phase) != PLAYING:
            result.ended = int(state.phase)
            for seat in range(4):
                result.points[seat] = int(state.seats[seat].points)
                result.change[seat] = int(state.seats[seat].points) - int(state.before[seat])
            if goes_on:
                go_on(state)


@rule
def refuses(state: State, action: Int16) -> int:
    """1 where a table waits for an action and this one is not legal, else 0."""
    return 1 if int(state.phase) == PLAYING and not may(state, action) else 0


@rule
def write_legal(state: State, mask: Bools) -> None:
    """Write what the actor may do."""
    for action in range(ACTIONS):
        mask[action] = may(state, action)


@rule
def write_view(state: State, seat: Int8, view: View) -> None:
    """Write what a seat knows."""
    copy_record(state, view)
    copy_record(state.hands[seat], view.hand)
    view.seat = seat


@rule
def write_decision(state: State, view: View, legal: Bools, random: Int64s) -> None:
    """Write what an agent is given."""
    write_view(state, int(state.actor), view)
    write_legal(state, legal)
    random[0] = random_word(int(state.seed), Stream.DECISIONS, int(state.clock), int(state.actor))


@rule
def play_random(state: State, decisions: int) -> int:
    """Take so many random decisions; return the hands ended."""
    hands = 0
    for _ in range(decisions):
        word, _b, _c, _d = philox(int(state.seed), Stream.PLAY, int(state.clock), 0)
        action = below(word, ACTIONS)
        while not may(state, action):
            action = (action + 1) % ACTIONS
        act(state, action)
        if int(state.phase) != PLAYING:
            hands += 1
            go_on(state)
    return hands


# ---------------------------------------------------------------------------------------------------------
# The game


def preset(name: str) -> TinyRules:
    """Return the rules of that name."""
    if name not in PRESETS:
        raise ValueError(f"no rules named {name!r}; there are {', '.join(PRESETS)}")
    return PRESETS[name]


PRESETS: Final = {
    rules.name: rules for rules in (TinyRules(), TinyRules("tiny-hand", hands=1), TinyRules("tiny-duel", players=2))
}


def write_rules(rules: TinyRules, record: Any) -> None:
    """Write rules into records."""
    for name in ("players", "start", "hands"):
        record[name] = getattr(rules, name)


def outcomes(states: NDArray[Any]) -> Outcomes:
    """Return how hands ended."""
    players = int(states["rules"]["players"][0]) if len(states) else 0
    worth = states["seats"]["worth"][:, :players]
    drawn = ~(worth > 0).any(axis=1)
    return Outcomes(
        dealer=states["dealer"].copy(),
        ended=drawn.astype(np.int8),
        drawn=drawn,
        won=worth > 0,
        dealt_in=np.zeros(worth.shape, np.bool_),
        value=worth.astype(np.int32),
        self_drawn=worth > 0,
    )


def final_points(rules: TinyRules, points: Sequence[int]) -> list[float]:
    """Return what a game has brought."""
    return [float(number - rules.start) for number in points]


TINY: Final = register(
    Game(
        name="tiny",
        rules=TinyRules,
        preset=preset,
        presets=tuple(PRESETS),
        state=State,
        view=View,
        result=Result,
        actions=ACTIONS,
        action_text=lambda action: "win" if action == WIN else f"discard {action + 1}",
        hand_over=HAND_OVER,
        game_over=GAME_OVER,
        ending_text=lambda ended: "draw" if ended else "won",
        passive=lambda legal: int(legal.argmax()),
        write_rules=write_rules,
        wall=lambda rules: np.repeat(np.arange(KINDS, dtype=np.int8), 4),
        outcomes=outcomes,
        final_points=final_points,
        single_hand=lambda rules: replace(rules, name=f"{rules.name.removesuffix('-hand')}-hand", hands=1),
        begin_games=batched(begin_game),
        next_hands=batched(next_hand),
        step=batched(step),
        refused=batched(refuses),
        legal=batched(write_legal),
        views=batched(write_view),
        decisions=batched(write_decision),
        play_randomly=batched(play_random),
    )
)


@rule
def write_numbers(view: View, out: Int8s) -> None:
    """Write own tiles, who still plays, and all discards."""
    for kind in range(KINDS):
        out[kind] = view.hand.counts[kind]
        for seat in range(int(view.rules.players)):
            out[KINDS + 4 + kind] += view.seats[seat].river[kind]
    for seat in range(int(view.rules.players)):
        out[KINDS + seat] = 1 if int(view.seats[seat].worth) == 0 else 0


ENCODER: Final = register_encoder(
    Encoder(
        name="tiny",
        write=write_numbers,
        columns=(
            *(f"own {kind + 1}" for kind in range(KINDS)),
            *(f"seat {seat} plays" for seat in range(4)),
            *(f"discarded {kind + 1}" for kind in range(KINDS)),
        ),
        layout=Layout.NUMBERS,
        game="tiny",
        players=frozenset({2, 3, 4}),
        symmetric=False,
    )
)


class TinyAgent(Agent):
    """Wins where it can; ``keeps_pairs``: discards what it holds once, else anything at random."""

    players = frozenset({2, 3, 4})
    games = frozenset({"tiny"})

    def __init__(self, name: str = "tiny", keeps_pairs: bool = False) -> None:
        self.name = name
        self.keeps_pairs = keeps_pairs

    def act(self, batch: DecisionBatch) -> NDArray[np.int16]:
        """Return one action for each decision."""
        counts = np.asarray(batch.views)["hand"]["counts"]
        wanted = batch.legal[:, :KINDS] & (counts == 1) if self.keeps_pairs else batch.legal[:, :KINDS]
        wanted = np.where(wanted.any(axis=1)[:, None], wanted, batch.legal[:, :KINDS])
        chosen = [np.flatnonzero(row)[word % row.sum()] for row, word in zip(wanted, batch.random, strict=True)]
        return np.where(batch.legal[:, WIN], WIN, chosen).astype(np.int16)
