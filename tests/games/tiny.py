"""A minimal game, without anything of Riichi.

Everybody holds three of seven times four tiles, draws one and discards one, in turn. Who has two pairs may win a point
from each who still plays; winners are out, and the hand goes on until one is left or the wall is empty.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Record, Rows, rule
from janshi.core.game import Game, GameTable, NothingShared, Outcomes
from janshi.core.rules import rules_record
from janshi.games import register

KINDS, TILES, WIN, PLAYING, HAND_OVER, GAME_OVER = 7, 28, 7, 0, 1, 2

@dataclass(frozen=True, slots=True)
class TinyRules:
    name: str = "tiny"
    players: int = 3
    start: int = 10
    hands: int = 2

RulesRecord = rules_record(TinyRules)

class Hand(Record):
    counts: Annotated[NDArray[np.int8], KINDS]

class Seat(Record):
    points: Annotated[int, np.int32]
    won: Annotated[int, np.int8]

class Public(Record):
    rules: RulesRecord
    seats: Annotated[Rows[Seat], 4]
    actor: Annotated[int, np.int8]
    phase: Annotated[int, np.int8]
    left: Annotated[int, np.int8]

class View(Public):
    seat: Annotated[int, np.int8]
    hand: Hand

class State(GameTable, Public):
    hands: Annotated[Rows[Hand], 4]
    wall: Annotated[NDArray[np.int8], TILES]
    before: Annotated[NDArray[np.int32], 4]

@rule
def draw(state: State, seat: int) -> None:
    state.left -= 1
    state.actor = seat
    state.hands[seat].counts[int(state.wall[int(state.left)])] += 1

@rule
def lay_wall(state: State) -> int:
    for tile in range(TILES):
        state.wall[tile] = tile // 4
    return TILES

@rule
def begin_hand(state: State, lookup: NothingShared) -> None:
    state.left, state.phase = TILES, PLAYING
    for seat in range(int(state.rules.players)):
        state.seats[seat].won = 0
        state.before[seat] = int(state.seats[seat].points)
        for kind in range(KINDS):
            state.hands[seat].counts[kind] = 0
        for _ in range(3):
            draw(state, seat)
    draw(state, int(state.hand_number) % int(state.rules.players))

@rule
def is_legal(state: State, action: int) -> bool:
    if int(state.phase) != PLAYING or not 0 <= action <= WIN:
        return False
    counts = state.hands[int(state.actor)].counts
    pairs = 0
    for kind in range(KINDS):
        pairs += int(counts[kind]) // 2
    return pairs == 2 if action == WIN else int(counts[action]) > 0

@rule
def act(state: State, lookup: NothingShared, action: int) -> None:
    seat, players, after, playing = int(state.actor), int(state.rules.players), 0, 0
    state.clock += 1
    if action == WIN:
        state.seats[seat].won = 1
    else:
        state.hands[seat].counts[action] -= 1
    for step in range(players - 1, -1, -1):
        other = (seat + step) % players
        if not int(state.seats[other].won):
            playing += 1
            after = other if step else after
            state.seats[other].points -= 1 if action == WIN else 0
            state.seats[seat].points += 1 if action == WIN else 0
    if playing > 1 and int(state.left):
        draw(state, after)
    else:
        state.phase = HAND_OVER if int(state.hand_number) + 1 < int(state.rules.hands) else GAME_OVER
        state.actor = -1

def outcomes(states: NDArray[Any]) -> Outcomes:
    won = states["seats"]["won"][:, : int(states["rules"]["players"].max(initial=0))] > 0
    drawn, dealer = ~won.any(axis=1), (states["hand_number"] % states["rules"]["players"]).astype(np.int8)
    return Outcomes(dealer, drawn.astype(np.int8), drawn, won, won & False, won.astype(np.int32), won)

TINY = register(Game(
    name="tiny", module=__name__, rules=TinyRules, endings={"-hand": {"hands": 1}},
    presets={"tiny": TinyRules(), "tiny-duel": TinyRules("tiny-duel", players=2)},
    view=View, lay_wall=lay_wall, begin_hand=begin_hand, act=act, is_legal=is_legal, outcomes=outcomes,
    actions=WIN + 1, action_text=lambda action: "win" if action == WIN else f"discard {action + 1}",
    hand_over=HAND_OVER, ending_text=lambda ended: "draw" if ended else "won",
))  # fmt: skip
