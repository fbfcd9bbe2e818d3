"""Walls from seeds, against the records with these seeds."""

from __future__ import annotations

import pytest

from janshi.riichi.play.wall import dora_slot
from janshi.riichi.records import RecordError, read_mjlog, walls
from janshi.riichi.records.replay import Replayer
from janshi.riichi.records.walls import deal_slots

PREFIX = "mt19937ar-sha512-n288-base64,"


@pytest.mark.parametrize("archive", ["sanma-2020", "sanma-2022", "four-2021"])
def test_walls_hold_deals_draws_replacements_and_indicators(archive: str, sample) -> None:
    hands = replaced = ura = 0
    replayer = Replayer()
    for name, data in sample(archive, 40):
        game = read_mjlog(data.decode(), name)
        if not game.seed.startswith(PREFIX):
            continue
        replayed = replayer.replay(game)
        assert (replayed.mismatches, replayed.walls) == ([], len(game.hands)), name
        for hand in game.hands:
            assert hand.wall is not None
            assert sorted(hand.wall.tolist()) == [n for n in range(136) if game.players == 4 or not 4 <= n < 32]
            hands += 1
            replaced += int((hand.events[:, 0] >= 4).sum())
            ura += isinstance(hand.outcome, list) and any(win.ura for win in hand.outcome)
    assert hands > 200
    assert replaced > 30
    assert ura > 30


def test_seeds_of_other_kinds_give_no_wall() -> None:
    assert walls("", 4, 3) is None
    assert walls("mt19937ar,EE810552,E25BD96D", 4, 3) is None


@pytest.mark.parametrize(
    ("text", "says"), [("!!!!", "damaged"), ("AAAA", "damaged"), ("AAAAAAAA" * 4, "6 words, not 624")]
)
def test_damaged_seeds_are_refused(text: str, says: str) -> None:
    with pytest.raises(RecordError, match=says):
        walls(PREFIX + text, 4, 1)


def test_positions_in_the_wall() -> None:
    assert [dora_slot(4, number) for number in range(5)] == [5, 7, 9, 11, 13]
    assert [dora_slot(3, number) for number in range(5)] == [9, 11, 13, 15, 17]
    for players, count in ((3, 108), (4, 136)):
        slots = deal_slots(players, 1)
        assert sorted(slots.ravel().tolist()) == list(range(count - 13 * players, count))
        assert slots[1, :4].tolist() == [count - 1, count - 2, count - 3, count - 4]
        assert slots[0, 12] == count - 13 * players
