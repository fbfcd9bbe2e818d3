"""Random winning hands with possible circumstances, for tests against other calculators."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

from janshi.riichi.hands import new_winnings
from janshi.riichi.state import MeldForm
from janshi.tiles import ORPHANS

RED_IDS = (16, 52, 88)


@dataclass
class Made:
    """One winning hand in ids."""

    players: int
    concealed: list[int]  # the winning tile included
    win: int
    melds: list[tuple[int, list[int]]] = field(default_factory=list)  # form, ids
    dora: list[int] = field(default_factory=list)
    ura: list[int] = field(default_factory=list)
    seat: int = 0
    round: int = 0
    tsumo: bool = False
    riichi: int = 0
    ippatsu: bool = False
    rinshan: bool = False
    chankan: bool = False
    last: bool = False
    first: bool = False
    kitas: int = 0


def make(random: Random, players: int) -> Made:
    """Return a hand of sets and a pair (often of few kinds, for rare yaku), of seven pairs, or of orphans."""
    while True:
        hand = _try(random, players)
        if hand is not None:
            return hand


def _kinds(random: Random, players: int) -> list[int]:
    kinds = [kind for kind in range(34) if players == 4 or not 1 <= kind <= 7]
    style = random.random()
    if style < 0.15:
        suit = random.randrange(1, 3)
        return [kind for kind in kinds if kind // 9 == suit or (style < 0.08 and kind >= 27)]
    if style < 0.22:
        return [kind for kind in kinds if kind in ORPHANS]
    if style < 0.26:
        return [kind for kind in kinds if kind >= 27]
    return kinds


def _try(random: Random, players: int) -> Made | None:
    kinds = _kinds(random, players)
    left = {kind: [4 * kind + copy for copy in random.sample(range(4), 4)] for kind in range(34)}

    def take(wanted: list[int]) -> list[int] | None:
        if any(len(left[kind]) < wanted.count(kind) for kind in wanted):
            return None
        return [left[kind].pop() for kind in wanted]

    melds: list[tuple[int, list[int]]] = []
    concealed: list[int] = []
    form = random.random()
    if form < 0.06 and len(kinds) >= 7:
        for kind in random.sample(kinds, 7):
            concealed += take([kind, kind]) or []
    elif form < 0.09:
        twice = random.choice(ORPHANS)
        concealed = take([*ORPHANS, twice]) or []
    else:
        for _ in range(4):
            low = random.choice(kinds)
            run = low < 27 and low % 9 < 7 and not (players == 3 and low < 9) and random.random() < 0.6
            called = random.random() < 0.3
            if run and not (called and players == 3):
                tiles = take([low, low + 1, low + 2])
                kind_of_set = MeldForm.CHII
            else:
                kan = random.random() < 0.15
                tiles = take([low] * (4 if kan else 3))
                kind_of_set = (MeldForm.ANKAN if random.random() < 0.5 else MeldForm.DAIMINKAN) if kan else MeldForm.PON
                called = called or kan
            if tiles is None:
                return None
            if called:
                melds.append((kind_of_set, tiles))
            else:
                concealed += tiles
        pair = take([random.choice(kinds)] * 2)
        if pair is None:
            return None
        concealed += pair
    if not concealed:
        return None
    hand = Made(players, concealed, random.choice(concealed), melds)
    hand.seat, hand.round = random.randrange(players), random.randrange(2)
    hand.tsumo = random.random() < 0.5
    closed = all(meld == MeldForm.ANKAN for meld, _ in melds)
    kans = any(meld in (MeldForm.ANKAN, MeldForm.DAIMINKAN) for meld, _ in melds)
    if closed and random.random() < 0.5:
        hand.riichi = 2 if random.random() < 0.1 and not melds else 1
        hand.ippatsu = random.random() < 0.2 and not kans
    chance = random.random()
    if hand.tsumo and kans and chance < 0.2:
        hand.rinshan = True
    elif chance < 0.06:
        hand.last = not hand.ippatsu and hand.riichi < 2
    elif not hand.tsumo and chance < 0.1:
        # What is robbed is the fourth tile of a pon: none of the others can be here.
        kind = hand.win // 4
        tiles = [*concealed, *(tile for _, ids in melds for tile in ids)]
        hand.chankan = sum(tile // 4 == kind for tile in tiles) == 1
    elif hand.tsumo and not melds and not hand.riichi and chance < 0.12:
        hand.first = True
    spare = [tile for tiles in left.values() for tile in tiles if players == 4 or not 4 <= tile < 32]
    if hand.chankan:
        spare = [tile for tile in spare if tile // 4 != hand.win // 4]
    random.shuffle(spare)
    if players == 3:
        norths = [tile for tile in spare if tile // 4 == 30]
        hand.kitas = random.choice((0, 0, 0, 1, 2, 3, 4)[: 3 + len(norths)])
        spare = [tile for tile in spare if tile not in norths[: hand.kitas]]
        if hand.kitas and (hand.first or (hand.riichi == 2 and hand.ippatsu)):
            return None
    shown = 1 + sum(meld in (MeldForm.ANKAN, MeldForm.DAIMINKAN) for meld, _ in melds)
    hand.dora = spare[:shown]
    hand.ura = spare[shown : 2 * shown] if hand.riichi else []
    return hand


def to_winnings(hands: list[Made]) -> Any:
    """Return the hands as an array of `janshi.riichi.state.Winning`."""
    array: Any = new_winnings(len(hands))
    for winning, hand in zip(array, hands, strict=True):
        winning["counts"] = np.bincount([tile // 4 for tile in hand.concealed], minlength=34)
        for slot, (form, tiles) in enumerate(hand.melds):
            winning["forms"][slot], winning["kinds"][slot] = form, min(tiles) // 4
        winning["calls"] = len(hand.melds)
        winning["dora"][: len(hand.dora)] = [tile // 4 for tile in hand.dora]
        winning["ura"][: len(hand.ura)] = [tile // 4 for tile in hand.ura]
        winning["kind"] = hand.win // 4
        winning["seat_wind"], winning["round_wind"] = 27 + hand.seat, 27 + hand.round
        tiles = [*hand.concealed, *(tile for _, ids in hand.melds for tile in ids)]
        winning["reds"] = sum(tile in RED_IDS for tile in tiles)
        for name in ("tsumo", "riichi", "ippatsu", "rinshan", "chankan", "last", "first", "kitas"):
            winning[name] = getattr(hand, name)
    return array
