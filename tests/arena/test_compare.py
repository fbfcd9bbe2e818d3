"""Comparisons over whole games: against plain matches, in parts, with others, sequential, interrupted."""

import json

import numpy as np
import pytest

from janshi.agents import AgentError, RandomAgent
from janshi.arena import CompareConfig, MatchConfig, compare, play_match
from janshi.arena.compare import CompareProgress
from janshi.arena.luck import luck_model
from janshi.arena.saved import SavedError, SavedParts
from janshi.cluster import workers
from janshi.riichi.agents import EfficientAgent
from janshi.riichi.rules import preset
from janshi.statistics import LEAST
from janshi.worth.scales import PlacementScale

EAST = preset("tenhou-sanma-east")
WALLS = 10


@pytest.fixture(scope="module")
def efficient():
    return EfficientAgent()


@pytest.fixture(scope="module")
def random():
    return RandomAgent()


@pytest.fixture(scope="module")
def found(efficient, random):
    return compare(efficient, random, EAST, WALLS, seed=4, others=RandomAgent("other"))


def test_line_ups_are_played_in_every_rotation_by_the_given_rules(found, efficient, random):
    assert [(row.player, row.against) for row in found.standings] == [
        ("efficient", "random"),
        ("efficient", "other"),
        ("random", "other"),
    ]
    assert [row.games for row in found.standings] == [3 * WALLS] * 3
    match = play_match([efficient, random, random], EAST, WALLS, seed=4)
    assert (found.results[0].points == match.results.points).all()
    assert (found.rules, found.walls, found.seats) == ("tenhou-sanma-east", WALLS, 3)
    assert found.standings[0].place.value == found.results[0].places[:, 0].mean()
    assert found.standings[0].points.value == found.results[0].points[:, 0].mean()


def test_differences_are_paired_by_wall(found):
    direct, first, second = found.results
    values = [
        direct.by_wall(direct.places[:, 0] - 2.0),
        first.by_wall(first.places[:, 0]) - second.by_wall(second.places[:, 0]),
    ]
    for row, by_wall in zip(found.differences, values, strict=True):
        assert row.place.value == pytest.approx(by_wall.mean())
        assert row.place.count == WALLS
        assert row.gain.value == pytest.approx(-row.place.value)
        half = 2.2622 * by_wall.std(ddof=1) / WALLS**0.5
        assert row.place.high - row.place.value == pytest.approx(half, rel=1e-3)
        assert row.answer == "better"
    assert found.answer == "better"


def test_a_player_against_itself_has_the_mean_of_the_table_on_every_wall(random):
    match = play_match([random] * 3, EAST, 4, seed=4)
    assert match.results.by_wall(match.results.places[:, 0]).tolist() == [2.0] * 4


def test_a_twin_makes_no_difference(random):
    found = compare(random, RandomAgent("twin"), EAST, 6, others=RandomAgent("other"))
    for row in found.differences:
        assert (row.place.value, row.place.low, row.place.high) == (0, 0, 0)
    assert found.answer == "open"


def test_parts_and_threads_do_not_matter(found, efficient, random):
    config = CompareConfig(tables=15, threads=2)
    again = compare(efficient, random, EAST, WALLS, 4, RandomAgent("other"), config=config)
    assert json.dumps(again.as_json()) == json.dumps(found.as_json())
    first, second = (compare(efficient, random, EAST, 1, seed).as_json()["differences"] for seed in (4, 5))
    assert first != second


def test_it_ends_with_the_decision_and_later_walls_do_not_count(efficient, random):
    told: list[CompareProgress] = []
    config = CompareConfig(until=0.05)
    found = compare(efficient, random, EAST, 5000, seed=4, config=config, progress=told.append)
    assert found.answer == "better"
    assert found.walls < 100
    assert told[-1].walls >= found.walls == len(found.results[0].walls)
    assert found.differences[0].gain.low > 0
    again = compare(efficient, random, EAST, 5000, seed=4, config=CompareConfig(until=0.05, tables=30))
    assert json.dumps(again.as_json()) == json.dumps(found.as_json())


def test_equal_players_are_equal_within_the_margin(random):
    found = compare(random, RandomAgent("twin"), EAST, 500, config=CompareConfig(until=0.01))
    assert (found.answer, found.walls) == ("equal", LEAST)


def test_the_scale_decides(random, efficient):
    """A scale that rewards only the last place reverses the answer."""
    backwards = PlacementScale("backwards", "", {3: (1.0, 2.0, 3.0)})
    found = compare(efficient, random, EAST, WALLS, seed=4, config=CompareConfig(scale=backwards))
    assert (found.answer, found.scale) == ("worse", "backwards")
    assert found.standings[0].worth.value == found.standings[0].place.value
    assert found.differences[0].worth.value == found.differences[0].gain.value < 0


def test_luck_is_subtracted_only_from_the_deciding_measure(found, efficient, random):
    less = compare(efficient, random, EAST, WALLS, seed=4, config=CompareConfig(luck=True))
    before, after = found.results[0], less.results[0]
    assert (before.points == after.points).all()
    assert (less.luck, found.luck) == (luck_model(EAST), None)
    assert (less.differences[0].place, less.differences[0].points) == (
        found.differences[0].place,
        found.differences[0].points,
    )
    luck = after.by_wall(after.luck[:, 0] - after.luck.mean(axis=1))
    assert less.differences[0].gain.value == pytest.approx(found.differences[0].gain.value - luck.mean())
    assert found.differences[0].narrower is None
    assert less.differences[0].narrower is not None


def test_an_interrupted_comparison_resumes(found, efficient, random, tmp_path):
    def stop(progress: CompareProgress) -> None:
        if progress.walls >= 5:
            raise KeyboardInterrupt

    def played(**options):
        config = CompareConfig(tables=15, saved=SavedParts(tmp_path, {"seed": 4}))
        return compare(efficient, random, EAST, WALLS, 4, RandomAgent("other"), config=config, **options)

    assert played(progress=stop).walls == 5
    seen = []
    assert json.dumps(played(progress=seen.append).as_json()) == json.dumps(found.as_json())
    assert seen[0].walls == 10
    assert not played(progress=stop).interrupted
    with pytest.raises(SavedError, match="seed 4, not 5"):
        SavedParts(tmp_path, {"seed": 5})


def test_workers_play_the_same(found, efficient, random):
    with workers() as team:
        config = CompareConfig(team=team, names=("efficient", "random", "random"))
        again = compare(efficient, random, EAST, WALLS, 4, RandomAgent("other"), config=config)
    assert (again.results[1].points == found.results[1].points).all()


@pytest.mark.parametrize(
    ("rules", "walls", "seats", "games"), [("tenhou-sanma-hand", 200, 3, 600), ("tenhou-east", 6, 4, 24)]
)
def test_single_hands_and_four_players_are_compared(efficient, random, rules, walls, seats, games):
    found = compare(efficient, random, preset(rules), walls, seed=4)
    assert (found.seats, len(found.standings[0].rates), found.standings[0].games) == (seats, seats, games)
    assert found.answer == "better" or walls == 6


def test_an_interruption_leaves_all_line_ups_even(efficient, random):
    def stop(progress: CompareProgress) -> None:
        if progress.walls > 15:
            raise KeyboardInterrupt

    config = CompareConfig(tables=30)
    found = compare(efficient, random, EAST, 50, 4, RandomAgent("other"), config=config, progress=stop)
    assert (found.interrupted, found.walls) == (True, 20)
    assert {row.games for row in found.standings} == {60}


def test_an_interruption_before_any_result_is_raised(random):
    class Stopped(RandomAgent):
        def act(self, batch):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compare(Stopped(), random, EAST, 10)


def test_opponents_equal_to_the_second_player_add_no_line_up(efficient, random):
    found = compare(efficient, random, EAST, 3, others=random)
    assert (len(found.standings), found.others) == (1, None)


def test_players_of_one_name_are_distinguished(random):
    assert compare(random, RandomAgent(), EAST, 2).players == ("random (A)", "random (B)")


def test_a_player_that_does_not_support_the_rules_is_named_before_play(random):
    trained = RandomAgent()
    trained.players = frozenset({3})
    for pair, others in (((random, trained), None), ((random, RandomAgent("other")), trained)):
        with pytest.raises(AgentError, match="does not play with four"):
            compare(*pair, preset("tenhou-east"), 5, others=others)
    with pytest.raises(AgentError, match="one at least"):
        compare(random, RandomAgent(), EAST, 0)
    for wrong in ({"until": 0.0}, {"until": 0.5}, {"margin": 0.0}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            CompareConfig(**wrong)


def test_json_has_no_number_that_json_lacks(random):
    few = compare(random, EfficientAgent(), EAST, 1, config=CompareConfig(until=0.1))
    said = json.loads(json.dumps(few.as_json(), allow_nan=False))
    assert (said["walls"], said["answer"], said["until"]) == (1, "open", 0.1)
    assert said["differences"][0]["gain"]["low"] is None


def test_results_by_player_follow_the_rotation(random):
    match = play_match([EfficientAgent(), random, random], EAST, 3, config=MatchConfig(first=2))
    results = match.results
    for row in range(len(results)):
        for player in range(3):
            assert results.points[row, player] == match.final[row, (player + results.rotation[row]) % 3]
    assert results.walls.tolist() == [2, 3, 4]
    assert (np.sort(results.places, axis=1) == [1, 2, 3]).all()
    assert results.part(results.wall == 3).walls.tolist() == [3]
