"""The whole state of a Sichuan table as numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from janshi.sichuan.full_state import NUMBERS, full_states
from janshi.table import Tables

INDEX = {name: number for number, name in enumerate(NUMBERS)}


def test_hands_start_at_the_given_seat_and_the_wall_contains_the_remaining_tiles() -> None:
    tables = Tables("sichuan", 32, np.arange(32))
    tables.play_random(40)
    states: Any = tables.states
    which = np.array([3, 30, 7, 12])
    seats = np.array([0, 1, 2, 3], np.int8)
    numbers = full_states(states, seats, which)
    for row, (table, seat) in enumerate(zip(which, seats, strict=True)):
        state = states[table]
        for step in range(4):
            counts = state["hands"]["counts"][(seat + step) % 4]
            hand = [numbers[row, INDEX[f"seat {step} concealed kind {kind}"]] for kind in range(27)]
            np.testing.assert_array_equal(hand, counts)
        left = state["wall"][state["next"] : state["next"] + state["left"]]
        wall = [numbers[row, INDEX[f"left in the wall kind {kind}"]] for kind in range(27)]
        np.testing.assert_array_equal(wall, np.bincount(left, minlength=27))
        for step in range(4):
            waits = int(state["hands"]["waits"][(seat + step) % 4])
            expected = sum(int(waits >> int(tile)) & 1 for tile in left)
            assert numbers[row, INDEX[f"seat {step} waits left in the wall"]] == expected
