"""The random agent of the `meowjong` papers, against which theirs are measured.

It wins whenever it can and discards any of its tiles, each as likely as the others; every other choice is a
fair coin. Where several are possible, they are thrown for in the order kita, nine terminals, kan, riichi, or pon,
kan, chii; of several ways to do the same one is drawn.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Batch, Int16s, Int64s, entry, leaf, rule
from janshi.engine import actions
from janshi.engine.play import bits_set, nth_bit
from janshi.engine.state import Hand, View
from janshi.engine.wall import below, philox

_STREAM = 16
_CALLS = 0b111111 << actions.CHII
_PONS = 0b111 << actions.PON
_TILES = (1 << actions.TSUMOGIRI + 1) - 1


@leaf
def drawn_from(bits: int, word: int) -> int:
    """One of the bits set, each as likely as the others."""
    return nth_bit(bits, below(word, bits_set(bits)))


@rule
def random_tile(hand: Hand, drawn: int, simple: int, word: int) -> int:
    """A discard: each tile of the hand as likely as the others, among those that may be discarded."""
    total = 0
    for turn in range(2):
        place = below(word, total) if turn else 0
        total = 0
        left = simple & _TILES
        while left:
            action = bits_set((left & -left) - 1)
            left &= left - 1
            many = 1
            if action < actions.TSUMOGIRI:
                if action >= 34:
                    many = int(hand.reds[action - 34]) - (1 if drawn == action else 0)
                else:
                    many = int(hand.counts[action]) - (1 if drawn == action else 0)
                    if action < 27 and action % 9 == 4:
                        many -= int(hand.reds[action // 9])
            total += many
            if turn and place < total:
                return action
    return actions.TSUMOGIRI


@rule
def random_choice(hand: Hand, drawn: int, simple: int, closed: int, added: int, key: int) -> int:
    """What the random agent does with a hand, the tile just drawn (−1: none), and the three words of what is legal."""
    coins, which, tile, _ = philox(key, _STREAM, 0, 0)
    for winning in (actions.TSUMO, actions.RON):
        if simple >> winning & 1:
            return winning
    if simple >> actions.KITA & 1 and coins & 1:
        return actions.KITA
    if simple >> actions.NINE_TERMINALS & 1 and coins & 2:
        return actions.NINE_TERMINALS
    if simple & _PONS and coins & 4:
        return drawn_from(simple & _PONS, which)
    if coins & 8:
        if closed | added:
            kan = drawn_from(closed | added, which)
            return (actions.ANKAN if closed >> kan & 1 else actions.KAKAN) + kan
        if simple >> actions.DAIMINKAN & 1:
            return actions.DAIMINKAN
    if simple >> actions.RIICHI & 1 and coins & 16:
        return actions.RIICHI
    if simple & _CALLS and coins & 32:
        return drawn_from(simple & _CALLS, which)
    if simple >> actions.PASS & 1:
        return actions.PASS
    return random_tile(hand, drawn, simple, tile)


@entry
def random_actions(views: Batch[View], keys: Int64s, chosen: Int16s) -> None:
    """Write what the random agent does in each view."""
    for number in range(len(views)):
        view = views[number]
        simple, closed, added = int(view.legal[0]), int(view.legal[1]), int(view.legal[2])
        chosen[number] = random_choice(view.hand, int(view.drawn), simple, closed, added, int(keys[number]))


class RandomAgent:
    """See the module."""

    def __init__(self, name: str = "random") -> None:
        self.name = name

    def act(self, views: Batch[View], legal: NDArray[np.bool_], keys: NDArray[np.int64]) -> NDArray[np.int16]:
        """Return one action for each view: see `janshi.agents.protocol.Agent`."""
        chosen = np.zeros(len(legal), np.int16)
        random_actions(views, keys, chosen)
        return chosen
