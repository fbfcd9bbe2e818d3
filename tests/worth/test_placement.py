"""The placement model: probabilities of final orders."""

import numpy as np
import pytest

from janshi.agents import RandomAgent
from janshi.riichi.rules import preset
from janshi.rollout.driver import Driver, Seating
from janshi.table import Tables
from janshi.worth.placement import PlacementError, PlacementModel
from janshi.worth.scales import ScaleError, scale, scales
from tests.claims import cases_of


def begun(rules: str, points: list[int], kyoku: int, dealer: int) -> tuple[Tables, np.ndarray]:
    """Return a table at the beginning of a hand with these points."""
    tables = Tables(preset(rules), 1, auto_reset=False)
    states = tables.states.copy()
    states["seats"]["points"][0, : len(points)] = points
    states["kyoku"], states["dealer"] = kyoku, dealer
    return tables, states


@pytest.mark.parametrize("name", ["tenhou", "tenhou-sanma", "tenhou-east"])
def test_places_of_a_seat_and_seats_of_a_place_sum_to_one(name):
    tables = Tables(preset(name), 3)
    places = PlacementModel(tables.rules).places(tables.states)
    np.testing.assert_allclose(places.sum(axis=1), 1, atol=1e-5)
    np.testing.assert_allclose(places.sum(axis=2), 1, atol=1e-5)


@pytest.mark.parametrize(
    ("name", "points"), [("tenhou", [60_000, 20_000, 15_000, 5_000]), ("tenhou-sanma", [70_000, 25_000, 10_000])]
)
def test_a_large_lead_in_the_last_hand_gives_the_first_place_almost_certainly(name, points):
    players = len(points)
    tables, states = begun(name, points, 4 + players - 1, players - 1)
    places = PlacementModel(tables.rules).places(states)[0]
    assert places[0, 0] > 0.95
    assert places[-1, -1] > 0.6


def test_seats_are_those_of_the_table_for_any_dealer():
    # The same points relative to the dealer, with another dealer.
    points = [40_000, 30_000, 20_000, 10_000]
    tables, first = begun("tenhou", points, 4, 0)
    _, second = begun("tenhou", [points[-1], *points[:-1]], 5, 1)
    model = PlacementModel(tables.rules)
    # Another round has other probabilities, but the order of the seats stays with the points.
    assert model.places(first)[0, :, 0].argmax() == 0
    assert model.places(second)[0, :, 0].argmax() == 1


def test_places_of_finished_games_are_exact():
    tables = Tables(preset("tenhou-sanma"), 4, auto_reset=False)
    Driver(tables, Seating.same([RandomAgent()] * 3, 4)).run()
    places = PlacementModel(tables.rules).places(tables.states)
    assert set(np.unique(places)) == {0.0, 1.0}
    best = tables.scores.argmax(axis=1)
    assert (places[np.arange(4), best, 0] == 1).all()


def test_a_finished_hand_is_refused():
    tables = Tables(preset("tenhou-sanma"), 1, auto_reset=False)
    Driver(tables, Seating.same([RandomAgent()] * 3, 1), next_hands=False).run()
    with pytest.raises(PlacementError, match="begin the next hand"):
        PlacementModel(tables.rules).places(tables.states)


def test_a_game_without_a_model_and_a_file_without_weights_are_named(tmp_path):
    from janshi.games import rules_of

    with pytest.raises(PlacementError, match=r"sichuan.*no placement model"):
        PlacementModel(rules_of("sichuan"))
    (tmp_path / "no.npz").write_bytes(b"nothing")
    with pytest.raises(PlacementError, match=r"no\.npz holds no weights"):
        PlacementModel(preset("tenhou"), tmp_path / "no.npz")


def test_expected_points_are_those_of_the_places():
    tables = Tables(preset("tenhou"), 2)
    model = PlacementModel(tables.rules)
    expected = model.expected(tables.states, scale("place").points(4))
    np.testing.assert_allclose(expected.sum(axis=1), -10, atol=1e-4)


def test_scales_fall_from_place_to_place():
    for each in scales().values():
        for players in each.by_players:
            assert (np.diff(each.points(players)) < 0).all()


@pytest.mark.parametrize(*cases_of("messages", "rooms have scales by level"))
def test_rooms_have_scales_by_level(name: str, players: int, points: list[float]):
    assert scale(name).points(players).tolist() == points


def test_unknown_scales_have_a_suggestion_and_missing_players_an_error():
    with pytest.raises(ScaleError, match=r"no scale 'm-leage'.*m-league"):
        scale("m-leage")
    with pytest.raises(ScaleError, match="no points for 3 players"):
        scale("ema").points(3)
