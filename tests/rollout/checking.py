"""Check of sampled tables against a seat's information, without the engine or the sampler.

The hand is dealt from the table's wall in plain Python, and each event of the log that the seat has seen is checked
against the hands that follow.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

FIVES = {34: 4, 35: 13, 36: 22}
DRAW, DISCARD, CHII, PON, DAIMINKAN, ANKAN, KAKAN, KITA, RIICHI, ACCEPTED, DORA = range(11)


def kind_of(tile: int) -> int:
    return FIVES.get(tile, tile)


@cache
def splits(counts: tuple[int, ...], runs: bool) -> frozenset[tuple[int, int]]:
    """Return all (sets, pairs) into which the tiles of a suit can be divided."""
    first = next((place for place, count in enumerate(counts) if count), None)
    if first is None:
        return frozenset({(0, 0)})
    found = set()

    def without(*places: int) -> tuple[int, ...] | None:
        left = list(counts)
        for place in places:
            if place >= len(left) or not left[place]:
                return None
            left[place] -= 1
        return tuple(left)

    groups = [((first,) * 3, 1, 0), ((first,) * 2, 0, 1)]
    if runs:
        groups.append(((first, first + 1, first + 2), 1, 0))
    for places, sets, pairs in groups:
        rest = without(*places)
        if rest is not None:
            found |= {(sets + more, pairs + also) for more, also in splits(rest, runs) if pairs + also <= 1}
    return frozenset(found)


def complete(counts: list[int]) -> bool:
    """Return whether 3n + 2 concealed tiles are sets and a pair, seven pairs or thirteen orphans."""
    totals = {(0, 0)}
    for suit in range(4):
        parts = splits(tuple(counts[9 * suit : 9 * suit + 9]), suit < 3)
        totals = {(a + c, b + d) for a, b in totals for c, d in parts if b + d <= 1}
    if any(pair == 1 for _, pair in totals):
        return True
    if sum(counts) < 14:
        return False
    if sum(count == 2 for count in counts) == 7:
        return True
    orphans = [0, 8, 9, 17, 18, *range(26, 34)]
    return all(counts[kind] for kind in orphans) and sum(counts[kind] for kind in orphans) == 14


def waits_of(tiles: list[int]) -> set[int]:
    """Return the kinds that complete a hand of 3n + 1 tiles, without those of which it holds all four."""
    counts = [0] * 34
    for tile in tiles:
        counts[kind_of(tile)] += 1
    found = set()
    for kind in range(34):
        if counts[kind] < 4:
            counts[kind] += 1
            if complete(counts):
                found.add(kind)
            counts[kind] -= 1
    return found


def meld_tiles(event: int, tile: int, detail: int, hand: Counter[int]) -> list[int]:
    """Return the tiles that leave a hand for a meld."""
    kind = kind_of(tile)
    red = next((each for each, five in FIVES.items() if five == kind), None)
    if event == CHII:
        low = kind - (detail - 39) % 3
        own = [each for each in (low, low + 1, low + 2) if each != kind]
        reds = {five: each for each, five in FIVES.items()}
        return [reds[each] if detail >= 42 and each in reds else each for each in own]
    if event == PON:
        return ([red] * (detail - 45) if red is not None else []) + [kind] * (2 - (detail - 45))  # type: ignore[list-item]
    if event in (DAIMINKAN, ANKAN):
        held = [each for each in hand.elements() if kind_of(each) == kind]
        assert len(held) == (3 if event == DAIMINKAN else 4), "a kan of other tiles than are held"
        return held
    return [30] if event == KITA else [tile]


def check(state: Any, log: list[list[int]], looker: int, all_tiles: Counter[int], own_hand: Counter[int]) -> None:
    """Raise `AssertionError` if a sampled table contradicts a log (rows of event, seat, tile, detail)."""
    players = int(state["rules"]["players"])
    size = 136 if players == 4 else 108
    wall = state["wall"][:size].tolist()
    assert Counter(wall) == all_tiles, "other tiles than the game has"
    hands: list[Counter[int]] = [Counter() for _ in range(players)]
    slot = size - 1
    dealer = int(state["dealer"])
    for turn in range(4):
        for step in range(players):
            for _ in range(4 if turn < 3 else 1):
                hands[(dealer + step) % players][wall[slot]] += 1
                slot -= 1
    drawn = [-1] * players
    shown, replaced, replaces = 1, 0, False
    riichi: dict[int, set[int]] = {}
    rivers: list[set[int]] = [set() for _ in range(players)]
    declared = -1
    first_slot = 5 if players == 4 else 9
    for number, (event, seat, tile, detail) in enumerate(log):
        if event == DRAW:
            place = replaced ^ 1 if replaces else slot
            got = wall[place]
            assert tile in (-1, got), "another tile drawn"
            replaced, slot, replaces = replaced + replaces, slot - (not replaces), False
            hands[seat][got] += 1
            drawn[seat] = got
        elif event == DISCARD:
            if detail:
                assert drawn[seat] == tile, "not the tile just drawn"
            else:
                assert hands[seat][tile] > (drawn[seat] == tile), "a tile that was not in the hand"
            if seat in riichi:
                assert detail, "another tile than the drawn one discarded in riichi"
            hands[seat][tile] -= 1
            drawn[seat] = -1
            rivers[seat].add(kind_of(tile))
            if declared == seat:
                riichi[seat] = waits_of(list(hands[seat].elements()))
                assert riichi[seat], "riichi without tenpai"
                declared = -1
            elif seat in riichi and seat != looker:
                assert kind_of(tile) not in riichi[seat], "a win by the drawn tile let pass"
        elif event in (CHII, PON, DAIMINKAN, ANKAN, KAKAN, KITA):
            if seat in riichi:
                assert event in (ANKAN, KITA), "a call in riichi"
                assert kind_of(drawn[seat]) == kind_of(tile), "a kan of another tile than the drawn one in riichi"
            for each in meld_tiles(event, tile, detail, hands[seat]):
                assert hands[seat][each] > 0, "a meld of tiles that are not held"
                hands[seat][each] -= 1
            replaces = event in (DAIMINKAN, ANKAN, KAKAN, KITA)
            if seat in riichi and event == ANKAN:
                assert waits_of(list(hands[seat].elements())) == riichi[seat], "a kan in riichi that changes the waits"
            drawn[seat] = -1
        elif event == RIICHI:
            declared = seat
        elif event == DORA:
            assert wall[first_slot + 2 * shown] == tile, "another indicator"
            shown += 1
        if event in (DISCARD, KITA, KAKAN) and number + 1 < len(log):
            for other, kinds in riichi.items():
                if other not in (seat, looker) and kind_of(tile) in kinds:
                    assert kinds & rivers[other], "a win by another's tile let pass"
    assert wall[first_slot] == int(state["indicators"][0])
    assert slot == int(state["next"])
    assert replaced == int(state["replaced"])
    for seat in range(players):
        held = [0] * 34
        for tile in hands[seat].elements():
            held[kind_of(tile)] += 1
        assert held == state["hands"]["counts"][seat].tolist(), "the table's hands are others"
        assert [hands[seat][tile] for tile in FIVES] == state["hands"]["reds"][seat].tolist(), "other red fives"
    assert +hands[looker] == own_hand, "another own hand"
