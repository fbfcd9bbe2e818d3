"""Ratings from simulated games: order of players, and coverage of intervals, also with shared luck."""

import numpy as np
import pytest

from janshi.ratings import Chooser, fit
from janshi.ratings.model import SCALE, Ladder, fisher, information_of, maximise, prior_precision, rating_of_places

STRENGTH = np.array([-2.0, 0.0, 0.5, 0.7, 1.0])


def simulated(random, walls: int, *, shared: float = 0.0, strength=STRENGTH, seats: int = 3):
    """Return orders of Plackett and Luce's model; a seat's noise is that of the wall with probability ``shared``."""
    orders = []
    for _ in range(walls):
        sitting = random.choice(len(strength), seats, replace=False)
        luck = random.gumbel(size=seats)
        for rotation in range(seats):
            seat = (np.arange(seats) + rotation) % seats
            noise = np.where(random.random(seats) < shared, luck[seat], random.gumbel(size=seats))
            orders.append(sitting[np.argsort(-(strength[sitting] + noise))])
    return np.array(orders), np.repeat(np.arange(walls), seats)


def covered(ladder: Ladder) -> list[bool]:
    """Return for every pair whether the interval of the difference contains the true one."""
    found = []
    for player in range(len(STRENGTH)):
        for other in range(player):
            difference = ladder.difference(player, other)
            true = SCALE * (STRENGTH[player] - STRENGTH[other])
            found.append(difference.low <= true <= difference.high)
    return found


def test_the_order_of_players_is_recovered():
    ladder = fit(*simulated(np.random.default_rng(1), 1500), 5)
    assert ladder.strength.argsort().tolist() == STRENGTH.argsort().tolist()
    assert ladder.games.sum() == 1500 * 9
    assert ladder.walls.sum() == 1500 * 3


@pytest.mark.parametrize("shared", [0.0, 0.7])
def test_intervals_cover_also_where_games_of_a_wall_are_alike(shared: float):
    random = np.random.default_rng(2)
    share = np.mean([covered(fit(*simulated(random, 60, shared=shared), 5)) for _ in range(60)])
    assert 0.91 < share < 0.98


def test_a_player_that_always_wins_has_a_finite_rating():
    ladder = fit(np.array([[0, 1, 2], [0, 2, 1]]), np.array([0, 0]), 3)
    assert 0 < ladder.difference(0, 1).value < 1000
    assert ladder.difference(0, 1).low < ladder.difference(0, 1).value


def test_a_player_without_games_has_the_uncertainty_of_the_prior():
    ladder = fit(np.array([[0, 1]] * 9 + [[1, 0]] * 9), np.arange(18), 3)
    assert ladder.games.tolist() == [18, 18, 0]
    assert ladder.covariance[2, 2] == pytest.approx(1 / prior_precision(1)[0, 0])


def test_the_maximum_is_one():
    orders, _ = simulated(np.random.default_rng(3), 50)
    counts = np.ones(len(orders))
    from_zero = maximise(orders, counts, 5)
    assert maximise(orders, counts, 5, np.array([9.0, -9, 9, -9, 9])) == pytest.approx(from_zero)


def test_the_information_of_a_game_is_the_mean_over_its_orders():
    strength = np.array([0.3, -0.4, 1.0])
    noise = np.random.default_rng(4).gumbel(size=(40_000, 3))
    orders = np.argsort(-(strength + noise), axis=1)
    told = fisher(orders, np.full(len(orders), 1 / len(orders)), strength)
    assert told == pytest.approx(information_of(strength[None])[0], abs=0.01)


def test_a_player_in_two_seats_informs_about_the_others():
    ladder = fit(np.array([[0, 1, 1]] * 3 + [[1, 0, 1]] * 2), np.arange(5), 2)
    assert ladder.difference(0, 1).value > 0
    assert ladder.games.tolist() == [5, 5]


def test_the_most_informative_games_are_chosen():
    orders, _ = simulated(np.random.default_rng(5), 200)
    chooser = Chooser(3)
    chooser.add(orders)
    assert 0 not in chooser.choose(range(5), [], 0)  # far below the others
    assert 5 in chooser.choose(range(6), [], 0)  # has not played
    first = chooser.choose(range(6), [], 0)
    assert chooser.choose(range(6), [first] * 40, 0) != first  # in progress


def test_chosen_games_order_a_ladder_sooner_than_random_ones():
    random = np.random.default_rng(6)
    strength = np.linspace(-6, 1, 8)
    chooser = Chooser(3)
    orders = np.zeros((0, 3), np.int64)
    for _ in range(60):
        sitting = np.array(chooser.choose(range(8), [], 0))
        noise = random.gumbel(size=(3, 3))
        new = sitting[np.argsort(-(strength[sitting] + noise), axis=1)]
        chooser.add(new)
        orders = np.concatenate([orders, new])
    by_lot, walls = simulated(random, 60, strength=strength)

    def uncertainty(ladder: Ladder) -> float:
        return float(
            np.mean(
                [
                    ladder.difference(player + 1, player).high - ladder.difference(player + 1, player).low
                    for player in range(7)
                ]
            )
        )

    assert uncertainty(fit(orders, walls, 8)) < uncertainty(fit(by_lot, walls, 8))


def test_a_rating_by_places_agrees_with_the_pools_model_and_narrows_with_games():
    rng = np.random.default_rng(5)
    ratings = np.array([700.0, 500.0, 400.0, 300.0])
    # The order of independent Gumbel variables around θ is Plackett and Luce's.
    orders = (-(ratings / SCALE + rng.gumbel(size=(4000, 4)))).argsort(axis=1)
    games = [(int(np.flatnonzero(order == 0)[0]) + 1, ratings[1:].tolist()) for order in orders]
    few, many = rating_of_places(games[:40]), rating_of_places(games)
    assert few.low < 700 < few.high
    assert many.low < 700 < many.high
    assert many.high - many.low < 0.2 * (few.high - few.low)
