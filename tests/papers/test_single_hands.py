"""Comparisons against plain matches and simple counting, in parts."""

import json

import pytest

from janshi.agents import AgentError, RandomAgent
from janshi.arena import places, play_match, rows
from janshi.arena.significance import multinomial_test, sign_test
from janshi.papers.single_hands import as_in_papers, compare_hands, score_figures
from janshi.riichi.agents import EfficientAgent
from janshi.riichi.rules import preset

SANMA = preset("tenhou-sanma-hand")
FOUR = preset("tenhou-hand")
SEATS = ["East", "South", "West", "Total"]
WALLS = 60


@pytest.fixture(scope="module")
def efficient():
    return EfficientAgent()


@pytest.fixture(scope="module")
def random():
    return RandomAgent()


@pytest.fixture(scope="module")
def found(efficient, random):
    return compare_hands(efficient, random, SANMA, WALLS, seed=4, others=RandomAgent("other"))


def by_name(found):
    return {(block.player, block.against): block for block in found.blocks}


def test_blocks_are_those_of_the_papers(found):
    assert list(by_name(found)) == [
        ("random", "random"),
        ("efficient", "random"),
        ("random", "efficient"),
        ("other", "other"),
        ("efficient", "other"),
        ("random", "other"),
    ]
    for block in found.blocks:
        assert [row.seat for row in block.rows] == SEATS
        assert [row.hands for row in block.rows] == [WALLS] * 3 + [3 * WALLS]
        for row in block.rows:
            assert sum(row.counts) == row.hands
            assert row.places[0].value == row.counts[0] / row.hands
            assert row.draw.value == row.counts[3] / row.hands


def test_blocks_agree_with_matches(found, efficient, random):
    match = play_match([efficient, random, random], SANMA, WALLS, seed=4)
    plain = {row.group: row for row in rows(match) if row.player == "efficient"}
    for row in by_name(found)["efficient", "random"].rows:
        told = plain["all" if row.seat == "Total" else row.seat]
        assert (row.places, row.draw, row.points) == (told.places, told.draw, told.points)


def test_one_rotation_of_equal_players_is_all_of_them(found, random):
    match = play_match([random] * 3, SANMA, WALLS, seed=4)
    plain = {row.group: row for row in rows(match) if row.player == "random 2"}
    for row in by_name(found)["random", "random"].rows:
        told = plain["all" if row.seat == "Total" else row.seat]
        assert [one.value for one in row.places] == [one.value for one in told.places]
        assert row.points.value == pytest.approx(told.points.value)
        assert row.points.high == pytest.approx(told.points.high)


def test_place_tests_take_counts_and_rates_from_the_right_blocks(found):
    named = by_name(found)
    order = [(test.player, test.against, test.baseline) for test in found.tests[::4]]
    assert order == [
        ("efficient", "random", "random"),
        ("random", "efficient", "random"),
        ("efficient", "other", "other"),
        ("random", "other", "other"),
    ]
    for number, test in enumerate(found.tests):
        place = number % 4
        assert test.seat == SEATS[place]
        assert test.counts == named[test.player, test.against].rows[place].counts
        base = named[test.baseline, test.baseline].rows[place]
        assert test.probabilities == pytest.approx([count / base.hands for count in base.counts])
        assert test.tail == multinomial_test(test.counts, test.probabilities)
    assert found.tests[3].tail.log10 < -50
    assert found.tests[7].tail.p > 0.05


def test_sign_tests_count_pairs_of_the_same_wall_and_seat(found, efficient, random):
    other = RandomAgent("other")
    order = {1: 3, 0: 2, 2: 1, 3: 0}
    sides = []
    for player in (efficient, random):
        hands = play_match([player, other, other], SANMA, WALLS, seed=4).hands
        placed = places(hands)
        sides.append(
            {
                (int(wall), int(turn - dealer) % 3): order[int(place[turn])]
                for wall, turn, dealer, place in zip(hands.wall, hands.rotation, hands.dealer, placed, strict=True)
            }
        )
    rows_of = [row for row in found.signs if row.against == "other"]
    assert [row.seat for row in rows_of] == SEATS
    for wind, row in enumerate(rows_of):
        pairs = [(sides[0][key], sides[1][key]) for key in sides[0] if wind in (key[1], 3)]
        plus, minus = sum(a > b for a, b in pairs), sum(a < b for a, b in pairs)
        assert row.test == sign_test(plus, minus, len(pairs) - plus - minus)
    assert [row.against for row in found.signs[::4]] == ["random", "other"]


def test_differences_are_those_of_the_blocks(found):
    named = by_name(found)
    for number, row in enumerate(found.differences):
        one, other = named["efficient", row.against].rows[number % 4], named["random", row.against].rows[number % 4]
        assert row.points.value == pytest.approx(one.points.value - other.points.value)
        assert row.first.value == pytest.approx(one.places[0].value - other.places[0].value)
        assert row.points.count == WALLS
        assert 0 < row.first.low < row.first.value < row.first.high


def test_a_twin_makes_no_difference(random):
    found = compare_hands(random, RandomAgent("twin"), SANMA, 20)
    for row in found.differences:
        assert (row.points.value, row.points.low, row.points.high) == (0, 0, 0)
        assert row.first.value == 0
    for row in found.signs:
        assert (row.test.plus, row.test.minus) == (0, 0)
        assert row.test.p > 0.5
    for test in found.tests:
        assert test.counts == tuple(round(one * sum(test.counts)) for one in test.probabilities)


def test_opponents_that_are_one_of_the_players_are_played_once(efficient, random):
    found = compare_hands(efficient, random, SANMA, 6, others=random)
    assert len(found.blocks) == 3
    assert len(found.tests) == 8
    assert len(found.signs) == len(found.differences) == 4
    found = compare_hands(efficient, random, SANMA, 6, others=efficient)
    assert list(by_name(found))[3:] == [("efficient", "efficient")]
    assert [test.baseline for test in found.tests[::4]] == ["random", "random", "efficient"]


def test_json_has_no_number_that_json_lacks(found):
    json.dumps(found.as_json(), allow_nan=False)
    few = compare_hands(EfficientAgent(), RandomAgent(), SANMA, 1)
    said = json.dumps(few.as_json(), allow_nan=False)
    assert json.loads(said)["walls"] == 1


def test_four_players(efficient, random):
    found = compare_hands(efficient, random, FOUR, 12, seed=1)
    assert [row.seat for row in found.blocks[0].rows] == ["East", "South", "West", "North", "Total"]
    for test in found.tests:
        block = by_name(found)[test.player, test.against]
        first, second, third, last, drawn = next(row.counts for row in block.rows if row.seat == test.seat)
        assert test.counts == (first, second + third, last, drawn)


def test_whole_games_and_no_walls_are_refused(random):
    with pytest.raises(AgentError, match="single hands"):
        compare_hands(random, random, preset("tenhou-sanma-east"), 5)
    with pytest.raises(AgentError, match="one at least"):
        compare_hands(random, random, SANMA, 0)


def test_score_figures_show_every_block_once(found):
    figures = score_figures(found)
    labels = {name: [text.get_text() for text in one.axes[0].get_yticklabels()] for name, one in figures.items()}
    assert labels["scores"][3:6] == [f"efficient vs 2 random, {seat}" for seat in SEATS[:3]]
    assert len(labels["scores"]) == 9
    assert labels["scores-others"][-1] == "random vs 2 other, West"


def test_two_that_do_not_meet_each_other() -> None:
    """The played hands are the same as if they did."""
    rules = preset("tenhou-sanma-hand")
    one, two, other = EfficientAgent(), RandomAgent(), RandomAgent()
    whole = compare_hands(one, two, rules, 6, 3, other)
    apart = compare_hands(one, two, rules, 6, 3, other, each_other=False)
    named = {(block.player, block.against): block for block in whole.blocks}
    assert [(block.player, block.against) for block in apart.blocks] == [
        ("random (X)", "random (X)"),
        ("efficient", "random (X)"),
        ("random (B)", "random (X)"),
    ]
    assert all(named[block.player, block.against] == block for block in apart.blocks)
    assert {row.against for row in (*apart.tests, *apart.signs, *apart.differences)} == {"random (X)"}
    with pytest.raises(AgentError, match="others to meet"):
        compare_hands(one, two, rules, 6, each_other=False)


# ---------------------------------------------------------------------------------------------------------
# Counting of the papers


def test_no_place_is_shared_in_the_papers_counts(found):
    counted = as_in_papers(found)
    for block, shared in zip(counted.blocks, found.blocks, strict=True):
        for row, before in zip(block.rows, shared.rows, strict=True):
            assert sum(row.counts) == row.hands == before.hands
            assert row.counts[0] == before.counts[0]  # one winner: the first place is never shared
            assert row.counts[3] == before.counts[3]
            assert row.counts[2] >= before.counts[2]
    mirror = counted.blocks[0].rows[-1]
    assert mirror.counts[0] == mirror.counts[1] == mirror.counts[2] > 0


def test_equal_points_rank_in_the_order_of_the_seats_from_the_dealer(found):
    for block in found.outcomes:
        for points, placed in zip(block.points.tolist(), block.by_seat.tolist(), strict=True):
            if block.player != block.against or not any(placed):
                continue
            order = sorted(range(3), key=lambda wind: (-points[wind], wind))
            assert [placed[wind] for wind in order] == [1, 2, 3]


class Stumbling(EfficientAgent):
    """Chooses an impossible action at every seventh table, and then continues."""

    def __init__(self):
        super().__init__()
        self.name = "stumbling"
        self.impossible_at: set[int] = set()

    def act(self, batch):
        self.impossible_at.update(batch.tables[batch.tables % 7 == 0].tolist())
        return super().act(batch)


def test_walls_with_an_impossible_choice_are_dropped_from_every_seat(random):
    walls = 20
    found = compare_hands(Stumbling(), random, SANMA, walls, seed=4)
    block = {(block.player, block.against): block for block in found.outcomes}["stumbling", "random"]
    # Tables are ordered by wall, with three rotations each.
    assert block.impossible.tolist() == [any((3 * wall + turn) % 7 == 0 for turn in range(3)) for wall in range(walls)]
    counted = {(block.player, block.against): block for block in as_in_papers(found).blocks}
    kept = walls - int(block.impossible.sum())
    assert [row.hands for row in counted["stumbling", "random"].rows] == [kept] * 3 + [3 * kept]
    assert counted["random", "random"].rows[-1].hands == 3 * walls
    signs = as_in_papers(found).signs[-1].test
    both = block.impossible | {(b.player, b.against): b for b in found.outcomes}["random", "random"].impossible
    assert signs.plus + signs.minus + signs.null == 3 * (walls - int(both.sum()))
    assert found.blocks[1].rows[-1].hands == 3 * walls, "the other reading counts every hand"
