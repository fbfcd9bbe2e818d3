"""Classes of danger, and their use by the efficient agent."""

import numpy as np
import pytest
from research.count_waits import class_words

from janshi.compiling import Int8, Int16s, Int64, batched, rule, zeros
from janshi.core.shanten import Ukeire
from janshi.riichi.agents import efficient
from janshi.riichi.agents.efficient import danger_points
from janshi.riichi.analysis.danger import CLASSES, ENDS, HONOURS, NO_RIICHI, SAFE, danger_class, dangers
from janshi.riichi.analysis.visible import count_visible
from janshi.riichi.rules import TENHOU, TENHOU_SANMA
from janshi.riichi.state import View
from janshi.table import Tables


@rule
def class_of(cannot: Int64, sanma: bool, kind: Int64, unseen: Int64) -> Int8:
    return danger_class(cannot, sanma, kind, unseen)


@rule
def write_points(view: View, ukeire: Ukeire, points: Int16s) -> None:
    """Write the danger of every kind for the efficient agent."""
    count_visible(view, ukeire)
    for kind in range(34):
        points[kind] = danger_points(view, ukeire, kind)


classes_of = batched(class_of)
write_all_points = batched(write_points)


def points_by_hand(river, sanma, kind, seen):
    """Return the efficient agent's danger of a tile against one river, without classes."""
    if river >> kind & 1:
        return 0
    if kind >= 27 or (sanma and kind < 9):
        return 1 if seen >= 4 else (2 if seen == 3 else (4 if seen == 2 else 7))
    rank = kind % 9
    low = river >> kind - 3 & 1 if rank >= 3 else 1
    high = river >> kind + 3 & 1 if rank <= 5 else 1
    if low and high:
        return 3 if rank in (0, 8) else 5
    return 8 + 2 * min(rank, 8 - rank) - (3 if low or high else 0) * (1 if 3 <= rank <= 5 else 0)


@pytest.mark.parametrize("sanma", [False, True])
def test_points_of_classes_are_the_danger_of_tiles(sanma):
    rng = np.random.default_rng(1)
    rivers = rng.integers(1 << 34, size=3000) & rng.integers(1 << 34, size=3000)
    for kind in range(34):
        for unseen in range(4):
            count = len(rivers)
            classes = classes_of(rivers, sanma, np.full(count, kind), np.full(count, unseen))
            points = np.where(classes == SAFE, 0, np.array(efficient._POINTS)[classes])
            expected = [points_by_hand(river, sanma, kind, 4 - unseen) for river in rivers.tolist()]
            assert points.tolist() == expected


def test_every_class_occurs_and_no_other():
    met = set()
    rng = np.random.default_rng(2)
    for sanma in (False, True):
        rivers = rng.integers(1 << 34, size=4000) & rng.integers(1 << 34, size=4000)
        kinds, unseen = rng.integers(34, size=4000), rng.integers(5, size=4000)
        met |= set(classes_of(rivers, sanma, kinds, unseen).tolist())
    possible = {3 * rank + sides for rank in range(5) for sides in range(3) if sides < 2 or rank >= 3}
    assert met == possible | {SAFE} | set(range(HONOURS, CLASSES))
    assert ENDS + 3 == CLASSES - 1


def test_every_class_has_a_name():
    assert len({class_words(number) for number in range(CLASSES)}) == CLASSES


@pytest.mark.parametrize("rules", [TENHOU_SANMA, TENHOU], ids=lambda rules: rules.name)
def test_dangers_concern_only_seats_in_riichi(rules):
    tables = Tables(rules, 150, 1)
    seen = zeros(Ukeire, 150)
    points = np.zeros((150, 34), np.int16)
    compared = 0
    rng = np.random.default_rng(3)
    for _ in range(6):
        tables.play_random(17)
        riichi_before = np.asarray(tables.states)["seats"]["riichi"].copy()
        np.asarray(tables.states)["seats"]["riichi"] = rng.integers(0, 3, (150, 4)) * (np.arange(4) < rules.players)
        views = tables.views()
        np.asarray(tables.states)["seats"]["riichi"] = riichi_before
        write_all_points(views, seen, points)
        classes = dangers(views, seen)
        records, visible = np.asarray(views), np.asarray(seen)["visible"]
        for row, view in enumerate(records):
            total = np.zeros(34, int)
            for seat in range(4):
                riichi = seat < rules.players and seat != view["seat"] and view["seats"][seat]["riichi"]
                assert (classes[row, seat] == NO_RIICHI).all() != bool(riichi)
                if riichi:
                    river, passed = int(view["seats"][seat]["river_mask"]), int(view["seats"][seat]["passed"])
                    safe = [kind for kind in range(34) if (river | passed) >> kind & 1]
                    assert np.flatnonzero(classes[row, seat] == SAFE).tolist() == safe
                    sanma = rules.players == 3
                    total += [points_by_hand(river, sanma, kind, int(visible[row, kind])) for kind in range(34)]
                    compared += 1
            assert points[row].tolist() == total.tolist()
    assert compared > 100
