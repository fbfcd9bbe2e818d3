"""Matches: the same for any batch and threads, walls shared, figures right."""

import json

import numpy as np
import pytest
from scipy import stats

from janshi.agents import AgentError, agent
from janshi.arena import as_json, game_rows, places, play_match, rows
from janshi.arena.matches import Hands
from janshi.arena.results import mean, rate
from janshi.engine.state import EXHAUSTIVE, RON, TSUMO
from janshi.rules import preset

SANMA = preset("tenhou-sanma-hand")


def players(*names: str):
    made = {name: agent(name) for name in names}
    return [made[name] for name in names]


@pytest.fixture(scope="module")
def match():
    return play_match(players("efficient", "random", "random"), SANMA, 60, seed=4)


def test_batch_and_threads_do_not_matter(match):
    said = json.dumps(as_json(match))
    for tables, threads in ((3, 1), (50, 2)):
        other = play_match(players("efficient", "random", "random"), SANMA, 60, seed=4, tables=tables, threads=threads)
        assert json.dumps(as_json(other)) == said


def test_seats_rotate_on_shared_walls(match):
    hands = match.hands
    assert len(hands.wall) == 180
    assert [(int(w), int(r)) for w, r in zip(hands.wall, hands.rotation, strict=True)] == [
        (wall, rotation) for wall in range(60) for rotation in range(3)
    ]
    # The same player in every seat on the same wall: all rotations are one hand.
    one = agent("efficient")
    equal = play_match([one, one, one], SANMA, 20, seed=4).hands
    change = equal.change.reshape(20, 3, 3)
    assert (change == change[:, :1]).all()


def test_points_are_kept_and_places_follow_from_them(match):
    hands = match.hands
    placed = places(hands)
    won = np.isin(hands.ended, (TSUMO, RON))
    assert (placed[~won] == 0).all()
    assert (placed[won].min(axis=1) == 1).all()
    assert (hands.change[won].argmax(axis=1) == hands.won[won].argmax(axis=1)).mean() > 0.99
    assert (hands.change.sum(axis=1) % 1000 == 0).all()


def test_equal_changes_share_the_better_place():
    empty = np.zeros(2, np.int64)
    flags = np.zeros((2, 3), bool)
    change = np.array([[12_000, -6_000, -6_000], [1_000, -2_000, 1_000]])
    ended = np.array([TSUMO, EXHAUSTIVE])
    hands = Hands(empty, empty, empty, empty, ended, change, flags, flags, flags, flags, change)
    assert places(hands).tolist() == [[1, 2, 2], [0, 0, 0]]


def test_rows_count_every_hand_once(match):
    table = rows(match)
    assert [row.player for row in table[::4]] == ["efficient", "random 1", "random 2"]
    for first in range(0, 12, 4):
        whole, seats = table[first], table[first + 1 : first + 4]
        assert whole.hands == sum(row.hands for row in seats) == 180
        total = sum(one.value for one in whole.places) + whole.draw.value
        assert total == pytest.approx(1)
        assert whole.win.low < whole.win.value < whole.win.high or whole.win.value == 0
    assert table[0].win.value > 0.5 > 0.1 > table[4].win.value


def test_intervals():
    found = rate(np.array([True] * 50 + [False] * 50))
    assert (found.value, round(found.low, 4), round(found.high, 4)) == (0.5, 0.4038, 0.5962)
    for hits, number in ((0, 7), (3, 1000), (1000, 1000)):
        told = stats.binomtest(hits, number).proportion_ci(0.95, method="wilson")
        found = rate(np.arange(number) < hits)
        assert (found.low, found.high) == (pytest.approx(told.low), pytest.approx(told.high))
    # Three rotations of a wall that say the same are one observation, not three.
    walls = np.repeat(np.arange(30), 3)
    values = np.repeat(np.random.default_rng(0).normal(size=30), 3)
    wide, narrow = mean(values, walls), mean(values, np.arange(90))
    assert wide.high - wide.low > 1.6 * (narrow.high - narrow.low)


def test_whole_games():
    match = play_match(players("efficient", "random", "random"), preset("tenhou-sanma-east"), 2, seed=1)
    assert match.final.shape == (6, 3)
    table = game_rows(match)
    assert sum(row.points.value for row in table) == pytest.approx(105_000)
    assert sum(row.rank.value for row in table) == pytest.approx(6)


def test_an_interruption_keeps_whole_walls():
    calls = []

    def stop(over: int) -> None:
        calls.append(over)
        if over > 6:
            raise KeyboardInterrupt

    match = play_match(players("random", "random", "random"), SANMA, 10, tables=6, progress=stop)
    assert match.interrupted
    assert match.walls == 2
    assert len(match.hands.wall) == 6


def test_the_number_of_players_must_fit():
    with pytest.raises(AgentError, match="seat 3 players, 2 are named"):
        play_match(players("random", "random"), SANMA, 1)


def test_an_interval_holds_its_rate_for_every_count():
    for number in range(1, 60):
        for hits in range(number + 1):
            found = rate(np.arange(number) < hits)
            assert 0 <= found.low <= found.value <= found.high <= 1
