"""The wall: shuffled from a seed, dealt, drawn from.

Tiles lie as at Tenhou: the deal and the draws come from the end of the list, the dead wall is its beginning.
Replacement tiles are taken from places 1, 0, 3, 2, 5, 4 …; the dora indicators lie at 5, 7, 9 … with four players and
at 9, 11, 13 … with three, each ura indicator one place before its dora.

Random numbers are Philox 4×32 with ten rounds (Salmon and others, "Parallel random numbers: as easy as 1, 2, 3", 2011),
a counter-based hash: the wall depends on the game's seed and the number of the hand alone, and the same integers come
out compiled and in plain Python.
"""

from __future__ import annotations

from typing import Final

from janshi.compiling import leaf, rule
from janshi.engine.hand import take
from janshi.engine.state import DORA_EVENT, State, note

_WORD: Final = 0xFFFFFFFF
#: Streams of random numbers: walls, random play, seeds of further games, what agents draw from.
WALLS: Final = 0
PLAY: Final = 1
SEEDS: Final = 2
KEYS: Final = 3


@leaf
def philox(seed: int, stream: int, block: int, count: int) -> tuple[int, int, int, int]:
    """Return four random 32-bit numbers for a seed (64 bits) and a counter of three parts (32 bits each)."""
    c0 = count & _WORD
    c1 = block & _WORD
    c2 = stream & _WORD
    c3 = block >> 32 & _WORD
    k0 = seed & _WORD
    k1 = seed >> 32 & _WORD
    for _ in range(10):
        # The products have 64 bits: compiled they wrap into the sign, which masking after the shift undoes.
        p0 = 0xD2511F53 * c0
        p1 = 0xCD9E8D57 * c2
        c0, c2 = (p1 >> 32 & _WORD) ^ c1 ^ k0, (p0 >> 32 & _WORD) ^ c3 ^ k1
        c1, c3 = p1 & _WORD, p0 & _WORD
        k0 = k0 + 0x9E3779B9 & _WORD
        k1 = k1 + 0xBB67AE85 & _WORD
    return c0, c1, c2, c3


@leaf
def below(word: int, limit: int) -> int:
    """Map a random 32-bit number to 0 … limit − 1."""
    return word * limit >> 32


@rule
def sort_wall(state: State) -> int:
    """Lay out all tiles of the game in order; return how many there are."""
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


@rule
def shuffle_wall(state: State) -> None:
    """Shuffle the wall of the table's seed and hand number (Fisher and Yates)."""
    size = sort_wall(state)
    seed, number = int(state.seed), int(state.hand_number)
    place = size - 1
    block = 0
    while place > 0:
        words = philox(seed, WALLS, number, block)
        for word in words:
            if place > 0:
                other = below(word, place + 1)
                tile = int(state.wall[place])
                state.wall[place] = int(state.wall[other])
                state.wall[other] = tile
                place -= 1
        block += 1


@leaf
def dora_place(players: int, number: int) -> int:
    """Place of a dora indicator, the first being number 0; its ura indicator lies one place before."""
    return (5 if players == 4 else 9) + 2 * number


@leaf
def turn_indicator(state: State) -> None:
    """Turn over one more dora indicator."""
    shown = int(state.shown)
    if shown < 5:
        state.indicators[shown] = int(state.wall[dora_place(int(state.rules.players), shown)])
        state.shown = shown + 1
        if shown:
            note(state, DORA_EVENT, -1, int(state.indicators[shown]), 0)


@leaf
def open_wall(state: State) -> None:
    """Make the wall ready to be drawn from once thirteen tiles are dealt to each seat; turn the first indicator."""
    players = int(state.rules.players)
    size = 136 if players == 4 else 108
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
    size = 136 if players == 4 else 108
    place = size - 1
    for turn in range(4):
        for step in range(players):
            seat = (int(state.dealer) + step) % players
            for _ in range(4 if turn < 3 else 1):
                take(state.hands[seat], int(state.wall[place]))
                place -= 1
    open_wall(state)


@leaf
def draw_tile(state: State) -> int:
    """Take the next tile of the wall."""
    tile = int(state.wall[int(state.next)])
    state.next -= 1
    state.left -= 1
    return tile


@leaf
def draw_replacement(state: State) -> int:
    """Take the next replacement tile; the wall gives its last tile to the dead wall, which keeps fourteen."""
    tile = int(state.wall[int(state.replaced) ^ 1])
    state.replaced += 1
    state.left -= 1
    return tile
