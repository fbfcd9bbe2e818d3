"""The random agent of the `meowjong` papers, their baseline.

It always wins, and discards a uniformly random tile. Every other choice is a fair coin; several are tossed in the order
kita, kyuushu kyuuhai, kan, riichi, or pon, kan, chii. Several forms of an action are equally likely.
"""

from __future__ import annotations

from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import THREE_OR_FOUR
from janshi.compiling import Int16, Int64, batched, leaf, rule
from janshi.core.bits import bits_set, lowest_bit, nth_bit
from janshi.core.random import Stream, below, philox
from janshi.riichi.actions import Action
from janshi.riichi.state import Hand, View
from janshi.table import DecisionBatch

_CHIIS: Final = 0b111111 << Action.CHII
_PONS: Final = 0b111 << Action.PON
_DISCARDS: Final = (1 << Action.TSUMOGIRI + 1) - 1


@leaf
def drawn_from(bits: int, word: int) -> int:
    """Return one of the bits set, all equally likely."""
    return nth_bit(bits, below(word, bits_set(bits)))


@leaf
def copies_in_hand(hand: Hand, drawn: int, tile: int) -> int:
    """Return the number of a tile (red fives count separately) in the hand beside the one just drawn."""
    just_drawn = 1 if drawn == tile else 0
    if tile >= 34:
        return int(hand.reds[tile - 34]) - just_drawn
    reds = int(hand.reds[tile // 9]) if tile < 27 and tile % 9 == 4 else 0
    return int(hand.counts[tile]) - just_drawn - reds


@rule
def random_tile(hand: Hand, drawn: int, simple: int, word: int) -> int:
    """Return a discard: every tile of the hand that may be discarded is equally likely."""
    total = 0
    for selecting in range(2):  # first counts the tiles, then finds the one drawn
        index = below(word, total) if selecting else 0
        total = 0
        left = simple & _DISCARDS
        while left:
            action = lowest_bit(left)
            left &= left - 1
            total += copies_in_hand(hand, drawn, action) if action < Action.TSUMOGIRI else 1
            if selecting and index < total:
                return action
    return Action.TSUMOGIRI


@rule
def random_choice(hand: Hand, drawn: int, simple: int, closed: int, added: int, word: int) -> int:
    """Return the random agent's action from a hand, the tile just drawn (−1: none) and the words of legal actions.

    ``word``: a random word of 63 bits.
    """
    coins, draw, tile, _ = philox(word, Stream.RANDOM_AGENT, 0, 0)
    for winning in (Action.TSUMO, Action.RON):
        if simple >> winning & 1:
            return winning
    if simple >> Action.KITA & 1 and coins & 1:
        return Action.KITA
    if simple >> Action.KYUUSHU_KYUUHAI & 1 and coins & 2:
        return Action.KYUUSHU_KYUUHAI
    if simple & _PONS and coins & 4:
        return drawn_from(simple & _PONS, draw)
    if coins & 8:
        if closed | added:
            kan = drawn_from(closed | added, draw)
            return (Action.ANKAN if closed >> kan & 1 else Action.KAKAN) + kan
        if simple >> Action.DAIMINKAN & 1:
            return Action.DAIMINKAN
    if simple >> Action.RIICHI & 1 and coins & 16:
        return Action.RIICHI
    if simple & _CHIIS and coins & 32:
        return drawn_from(simple & _CHIIS, draw)
    if simple >> Action.PASS & 1:
        return Action.PASS
    return random_tile(hand, drawn, simple, tile)


@rule
def random_action(view: View, random: Int64) -> Int16:
    """Return the random agent's action in a view with a random word."""
    simple, closed, added = int(view.legal[0]), int(view.legal[1]), int(view.legal[2])
    return random_choice(view.hand, int(view.drawn), simple, closed, added, random)


random_actions = batched(random_action, brief=True)


class RandomChoice:
    """The choice of `janshi.agents.RandomAgent` in Riichi: see the module."""

    players = THREE_OR_FOUR
    games = frozenset({"riichi"})
    name = "random"

    def __init__(self) -> None:
        random_actions.is_expected = True

    def act(self, batch: DecisionBatch) -> NDArray[np.int16]:
        """Return one action for each decision: see `janshi.agents.protocol.Agent`."""
        return cast("NDArray[np.int16]", random_actions(batch.views, batch.random))
