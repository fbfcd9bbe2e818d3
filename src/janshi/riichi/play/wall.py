"""The wall in Tenhou's order: deals and draws come from the end, the dead wall is the beginning.

Replacement tiles come from slots 1, 0, 3, 2, 5, 4 …; the dora indicators are at 5, 7, 9 … with four players and at 9,
11, 13 … with three, each ura indicator one slot before its dora. The wall depends only on the game's seed and the
number of the hand (`janshi.core.play`).
"""

from __future__ import annotations

from janshi.compiling import leaf, rule
from janshi.riichi.hands.concealed import take
from janshi.riichi.state import Event, State, log_event


@rule
def lay_wall(state: State) -> int:
    """Write all tiles of the game in order; return their number."""
    size = 0
    sanma = int(state.rules.players) == 3
    for kind in range(34):
        if sanma and 1 <= kind <= 7:
            continue
        reds = int(state.rules.red_fives[kind // 9]) if kind < 27 and kind % 9 == 4 else 0
        for copy in range(4):
            state.wall[size] = 34 + kind // 9 if copy < reds else kind
            size += 1
    return size


@leaf
def wall_size(players: int) -> int:
    """Return the number of tiles of a wall: three players have no 2 to 8 man."""
    return 136 if players == 4 else 108


@leaf
def dora_slot(players: int, number: int) -> int:
    """Return the slot of a dora indicator, the first being number 0; its ura indicator lies one slot before."""
    return (5 if players == 4 else 9) + 2 * number


@leaf
def turn_indicator(state: State) -> None:
    """Turn over one more dora indicator."""
    shown = int(state.shown)
    if shown < 5:
        state.indicators[shown] = int(state.wall[dora_slot(int(state.rules.players), shown)])
        state.shown = shown + 1
        if shown:
            log_event(state, Event.DORA, -1, int(state.indicators[shown]), 0)


@leaf
def open_wall(state: State) -> None:
    """Prepare the wall for draws after the deal, and turn the first indicator."""
    players = int(state.rules.players)
    size = wall_size(players)
    state.wall_size = size
    state.next = size - 1 - 13 * players
    state.left = size - 13 * players - 14
    state.replaced = 0
    state.shown = 0
    turn_indicator(state)


@rule
def deal(state: State) -> None:
    """Deal thirteen tiles to each seat: four at a time three times round from the dealer, then one each."""
    players = int(state.rules.players)
    slot = wall_size(players) - 1
    for turn in range(4):
        for step in range(players):
            seat = (int(state.dealer) + step) % players
            for _ in range(4 if turn < 3 else 1):
                take(state.hands[seat], int(state.wall[slot]))
                slot -= 1
    open_wall(state)


def deal_slots(players: int, dealer: int) -> list[list[int]]:
    """Return the places in the wall that each seat is dealt from, in order: see `deal`."""
    slots: list[list[int]] = [[] for _ in range(players)]
    slot = wall_size(players) - 1
    for turn in range(4):
        for step in range(players):
            for _ in range(4 if turn < 3 else 1):
                slots[(dealer + step) % players].append(slot)
                slot -= 1
    return slots


@leaf
def draw_tile(state: State) -> int:
    """Take the next tile of the wall."""
    tile = int(state.wall[int(state.next)])
    state.next -= 1
    state.left -= 1
    return tile


@leaf
def draw_replacement(state: State) -> int:
    """Take the next replacement tile; the last tile of the wall joins the dead wall of fourteen."""
    tile = int(state.wall[int(state.replaced) ^ 1])
    state.replaced += 1
    state.left -= 1
    return tile
