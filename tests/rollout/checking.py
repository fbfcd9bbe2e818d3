"""Check of sampled tables against a seat's information, without the engine or the sampler.

The hand is dealt from the table's wall, and each event of the log that the seat has seen is checked against the hands
that follow. Tiles are 0 to 36 (34 to 36: red fives), hands are counts of them.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

DRAW, DISCARD, CHII, PON, DAIMINKAN, ANKAN, KAKAN, KITA, RIICHI, ACCEPTED, DORA = range(11)
NORTH = 30
#: What `check` returns: 0, or the number of a contradiction.
CONTRADICTIONS = (
    "nothing",
    "another tile drawn",
    "not the tile just drawn",
    "a tile that was not in the hand",
    "another tile than the drawn one discarded in riichi",
    "riichi without tenpai",
    "a win by the drawn tile let pass",
    "a call in riichi",
    "a kan of another tile than the drawn one in riichi",
    "a kan of other tiles than are held",
    "a meld of tiles that are not held",
    "a kan in riichi that changes the waits",
    "another indicator",
    "a win by another's tile let pass",
    "another number of tiles drawn",
    "the table's hands are others",
    "another own hand",
)


@numba.njit
def kind_of(tile: int) -> int:
    return tile if tile < 34 else 4 + 9 * (tile - 34)


@numba.njit
def all_sets(counts: NDArray[np.int64]) -> bool:
    """Whether all tiles are triplets and runs: of each kind, what its triplets leave begins runs."""
    left = counts.copy()
    for kind in range(34):
        runs = left[kind] % 3
        if runs:
            if kind >= 27 or kind % 9 > 6 or left[kind + 1] < runs or left[kind + 2] < runs:
                return False
            left[kind + 1] -= runs
            left[kind + 2] -= runs
    return True


@numba.njit
def complete(counts: NDArray[np.int64]) -> bool:
    """Whether 3n + 2 concealed tiles are sets and a pair, seven pairs or thirteen orphans."""
    for kind in range(34):
        if counts[kind] >= 2:
            counts[kind] -= 2
            found = all_sets(counts)
            counts[kind] += 2
            if found:
                return True
    if counts.sum() < 14:
        return False
    pairs = kinds = orphans = 0
    for kind in range(34):
        pairs += counts[kind] == 2
        if kind >= 27 or kind % 9 in (0, 8):
            kinds += counts[kind] > 0
            orphans += counts[kind]
    return pairs == 7 or (kinds == 13 and orphans == 14)


@numba.njit
def waits(tiles: NDArray[np.int64]) -> int:
    """Kinds, as bits, that complete a hand of 3n + 1 tiles (counts of 37) which does not hold all four itself."""
    counts = tiles[:34].copy()
    for tile in range(34, 37):
        counts[kind_of(tile)] += tiles[tile]
    found = 0
    for kind in range(34):
        if counts[kind] < 4:
            counts[kind] += 1
            if complete(counts):
                found |= 1 << kind
            counts[kind] -= 1
    return found


def waits_of(tiles: list[int]) -> set[int]:
    """Kinds that complete a hand of 3n + 1 tiles, of which it does not hold all four itself."""
    mask = waits(np.bincount(tiles, minlength=37))
    return {kind for kind in range(34) if mask >> kind & 1}


@numba.njit
def take_meld(event: int, tile: int, detail: int, hand: NDArray[np.int64]) -> int:
    """Take the tiles of a meld out of a hand; return 0 or a contradiction."""
    kind = kind_of(tile)
    red = 34 + kind // 9 if kind < 27 and kind % 9 == 4 else -1
    if event in (DAIMINKAN, ANKAN):
        held = hand[kind] + (hand[red] if red >= 0 else 0)
        hand[kind] = 0
        if red >= 0:
            hand[red] = 0
        return 0 if held == (3 if event == DAIMINKAN else 4) else 9
    if event == CHII:
        low = kind - (detail - 39) % 3
        for each in (low, low + 1, low + 2):
            if each != kind:
                hand[34 + each // 9 if detail >= 42 and each % 9 == 4 else each] -= 1
    elif event == PON:
        reds = detail - 45
        hand[kind] -= 2 - reds
        if red >= 0:
            hand[red] -= reds
    else:
        hand[NORTH if event == KITA else tile] -= 1
    return 10 if (hand < 0).any() else 0


@numba.njit
def play(
    wall: NDArray[np.int64], log: NDArray[np.int64], looker: int, players: int, dealer: int, hands: NDArray[np.int64]
) -> tuple[int, int, int]:
    """Deal and play the log into ``hands`` (4, 37; zeros); return a contradiction, next slot and tiles replaced."""
    slot, first_slot = (135, 5) if players == 4 else (107, 9)
    for turn in range(4):
        for step in range(players):
            for _ in range(4 if turn < 3 else 1):
                hands[(dealer + step) % players, wall[slot]] += 1
                slot -= 1
    drawn = np.full(4, -1)
    shown, replaced, replaces, declared = 1, 0, 0, -1
    riichi, rivers = np.zeros(4, np.int64), np.zeros(4, np.int64)
    for number in range(len(log)):
        event, seat, tile, detail = log[number]
        if event == DRAW:
            got = wall[replaced ^ 1 if replaces else slot]
            if tile not in (-1, got):
                return 1, slot, replaced
            replaced, slot, replaces = replaced + replaces, slot - (1 - replaces), 0
            hands[seat, got] += 1
            drawn[seat] = got
        elif event == DISCARD:
            if detail and drawn[seat] != tile:
                return 2, slot, replaced
            if not detail and hands[seat, tile] <= (drawn[seat] == tile):
                return 3, slot, replaced
            if riichi[seat] and not detail:
                return 4, slot, replaced
            hands[seat, tile] -= 1
            drawn[seat] = -1
            rivers[seat] |= 1 << kind_of(tile)
            if declared == seat:
                riichi[seat], declared = waits(hands[seat]), -1
                if not riichi[seat]:
                    return 5, slot, replaced
            elif seat != looker and riichi[seat] >> kind_of(tile) & 1:
                return 6, slot, replaced
        elif event in (CHII, PON, DAIMINKAN, ANKAN, KAKAN, KITA):
            if riichi[seat] and event not in (ANKAN, KITA):
                return 7, slot, replaced
            if riichi[seat] and kind_of(drawn[seat]) != kind_of(tile):
                return 8, slot, replaced
            wrong = take_meld(event, tile, detail, hands[seat])
            if wrong:
                return wrong, slot, replaced
            replaces = 1 if event in (DAIMINKAN, ANKAN, KAKAN, KITA) else 0
            if riichi[seat] and event == ANKAN and waits(hands[seat]) != riichi[seat]:
                return 11, slot, replaced
            drawn[seat] = -1
        elif event == RIICHI:
            declared = seat
        elif event == DORA:
            if wall[first_slot + 2 * shown] != tile:
                return 12, slot, replaced
            shown += 1
        if event in (DISCARD, KITA, KAKAN) and number + 1 < len(log):
            for other in range(players):
                passed = riichi[other] >> kind_of(tile) & 1 and not riichi[other] & rivers[other]
                if passed and other not in (seat, looker):
                    return 13, slot, replaced
    return 0, slot, replaced


def check(states: Any, log: NDArray[np.int64], looker: int, tiles: NDArray[Any], own_hand: NDArray[Any]) -> None:
    """Raise `AssertionError` if a sampled table contradicts a log (rows of event, seat, tile, detail).

    ``tiles`` are those of the game, ``own_hand`` (37) the counts of the looker's.
    """
    players = int(states["rules"]["players"][0])
    walls = states["wall"][:, : len(tiles)].astype(np.int64)
    assert (np.sort(walls, axis=1) == np.sort(tiles)).all(), "other tiles than the game has"
    assert (walls[:, 5 if players == 4 else 9] == states["indicators"][:, 0]).all(), CONTRADICTIONS[12]
    for state, wall in zip(states, walls, strict=True):
        hands = np.zeros((4, 37), np.int64)
        wrong, slot, replaced = play(wall, log, looker, players, int(state["dealer"]), hands)
        assert not wrong, CONTRADICTIONS[wrong]
        assert (slot, replaced) == (int(state["next"]), int(state["replaced"])), CONTRADICTIONS[14]
        assert (hands[looker] == own_hand).all(), CONTRADICTIONS[16]
        counts = hands[:, :34].copy()
        counts[:, [4, 13, 22]] += hands[:, 34:]
        assert (counts == state["hands"]["counts"]).all(), CONTRADICTIONS[15]
        assert (hands[:, 34:] == state["hands"]["reds"]).all(), CONTRADICTIONS[15]
