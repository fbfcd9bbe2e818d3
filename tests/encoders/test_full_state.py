"""The whole state of a table as numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from janshi.riichi.agents import EfficientAgent
from janshi.riichi.encoders.full_state import NUMBERS, SOON, full_states
from janshi.table import Tables
from janshi.tiles import kind_of

INDEX = {name: number for number, name in enumerate(NUMBERS)}


def played(rules: str, decisions: int) -> Tables:
    """Return tables during hands."""
    tables = Tables(rules, 64, np.arange(64))
    tables.play_random(decisions)
    return tables


def of_seat(numbers: NDArray[np.int8], step: int, what: str) -> NDArray[Any]:
    """Return the numbers of one group of a seat by kind (n, 34)."""
    return numbers[:, [INDEX[f"seat {step} {what} kind {kind}"] for kind in range(34)]]


@pytest.mark.parametrize("rules", ["tenhou-sanma", "tenhou"])
def test_every_hand_is_written_from_the_seat_that_is_given(rules: str) -> None:
    tables = played(rules, 40)
    players = tables.rules.players
    states: Any = tables.states
    for seat in range(players):
        numbers = full_states(states, np.full(64, seat, np.int8))
        for step in range(players):
            counts = states["hands"]["counts"][:, (seat + step) % players]
            np.testing.assert_array_equal(of_seat(numbers, step, "concealed"), counts)
    if players == 3:
        assert not of_seat(numbers, 3, "concealed").any()


@pytest.mark.parametrize("rules", ["tenhou-sanma", "tenhou"])
def test_the_wall_is_written_by_the_drawing_seats(rules: str) -> None:
    tables = played(rules, 25)
    players = tables.rules.players
    states: Any = tables.states
    numbers = full_states(states, tables.actors)
    for row, state in enumerate(states):
        draws = np.zeros((2, players, 34), np.int64)
        for number in range(int(state["left"])):
            step = (int(state["turn"]) + 1 + number - int(state["actor"])) % players
            tile = int(state["wall"][state["next"] - number])
            draws[int(number // players >= SOON), step, kind_of(tile)] += 1
        for step in range(players):
            np.testing.assert_array_equal(of_seat(numbers, step, "draws soon")[row], draws[0, step])
            np.testing.assert_array_equal(of_seat(numbers, step, "draws later")[row], draws[1, step])


def test_a_tenpai_seats_next_winning_draw_is_written() -> None:
    tables = Tables("tenhou-sanma", 64, np.arange(64))
    agent = EfficientAgent()
    for _ in range(40):
        tables.step(agent.act(tables.decisions()))
    states: Any = tables.states
    numbers = full_states(states, tables.actors)
    tenpai = 0
    for row, state in enumerate(states):
        for step in range(3):
            seat = (int(state["actor"]) + step) % 3
            waits = int(state["hands"]["waits"][seat])
            draws = [
                number
                for number in range(int(state["left"]))
                if (waits >> kind_of(int(state["wall"][state["next"] - number]))) & 1
            ]
            own = [n // 3 for n in draws if (int(state["turn"]) + 1 + n) % 3 == seat]
            assert numbers[row, INDEX[f"seat {step} waits left in the wall"]] == len(draws)
            assert numbers[row, INDEX[f"seat {step} others' draws that it waits for"]] == len(draws) - len(own)
            for within in (1, 2, 3, 5, 8, 20):
                number = numbers[row, INDEX[f"seat {step} draws a winning tile within {within}"]]
                assert number == (bool(own) and own[0] < within)
            tenpai += waits != 0
    assert tenpai


def test_selected_tables_are_written_and_none_is_changed() -> None:
    tables = played("tenhou", 30)
    before = np.asarray(tables.states).tobytes()
    every = full_states(tables.states, tables.actors)
    some = np.array([5, 2, 40])
    np.testing.assert_array_equal(full_states(tables.states, tables.actors[some], some), every[some])
    assert np.asarray(tables.states).tobytes() == before
