"""The papers' tests against enumeration, exact fractions and the printed tables."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from janshi.arena.significance import multinomial_test, paired, sign_test
from janshi.statistics import mean
from tests.claims import cases_of

#: log10 of the papers' O(ε), an upper bound of the values printed so.
EPSILON = math.log10(1.67e-311)
#: Conference paper, table VIII: three baseline agents.
BASELINE = (0.0002, 0.0002, 0.0002, 0.9994)
#: Table IX: first, second, third, draw of SL, SL-scaled and RL, each in the East, South, West and in total.
TABLE_IX = [
    (1100, 3, 4, 3893), (1134, 3, 1, 3862), (1036, 8, 2, 3954), (3270, 14, 7, 11709),
    (1070, 2, 7, 3921), (1136, 4, 0, 3860), (1001, 10, 3, 3986), (3207, 16, 10, 11767),
    (3642, 1, 162, 1144), (3560, 4, 171, 1214), (3544, 3, 141, 1261), (10746, 8, 474, 3619),
]  # fmt: skip
#: Table X: three SL agents, by wind and in total.
TABLE_X = [
    (0.1870, 0.1190, 0.2484, 0.4456), (0.1974, 0.2432, 0.1138, 0.4456),
    (0.1700, 0.1922, 0.1922, 0.4456), (0.1848, 0.1848, 0.1848, 0.4456),
]  # fmt: skip
#: Table XI: RL against two SL, and SL against two RL.
TABLE_XI_BETTER = [(2869, 387, 695, 1042), (2891, 816, 246, 1040), (2780, 908, 262, 1043), (8540, 2111, 1203, 3125)]
TABLE_XI_WORSE = [(288, 354, 4073, 281), (305, 1903, 2466, 322), (245, 1883, 2582, 286), (838, 4140, 9121, 889)]


def at_least_as_good(other: tuple[int, ...], counts: tuple[int, ...]) -> bool:
    """Return whether an outcome is at least as good, by formula 10 of the conference paper."""
    better = other[0] > counts[0] and other[2] < counts[2]
    return better or (other[0] == counts[0] and other[2] == counts[2] and other[3] >= counts[3])


def every_outcome(n: int):
    for first in range(n + 1):
        for second in range(n + 1 - first):
            for third in range(n + 1 - first - second):
                yield first, second, third, n - first - second - third


def brute_force(counts: tuple[int, ...], weights: tuple[int, ...]) -> Fraction:
    """Return the sum over every outcome, in fractions."""
    n, whole = sum(counts), sum(weights)
    total = 0
    for other in every_outcome(n):
        if at_least_as_good(other, counts):
            ways = math.factorial(n)
            for number, weight in zip(other, weights, strict=True):
                ways = ways // math.factorial(number) * weight**number
            total += ways
    return Fraction(total, whole**n)


@given(st.lists(st.integers(0, 4), min_size=4, max_size=4), st.lists(st.integers(0, 9), min_size=4, max_size=4))
def test_equals_the_sum_over_every_outcome(counts, weights):
    whole = sum(weights)
    if whole == 0:
        return
    exact = brute_force(tuple(counts), tuple(weights))
    found = multinomial_test(counts, [one / whole for one in weights])
    assert found.p == pytest.approx(float(exact), rel=1e-11, abs=0)
    if exact:
        assert found.log10 == pytest.approx(math.log10(exact), abs=1e-11)
    else:
        assert found.log10 == -math.inf


def test_every_outcome_of_six_hands():
    weights = (3, 2, 4, 1)
    for counts in every_outcome(6):
        exact = float(brute_force(counts, weights))
        assert multinomial_test(counts, (0.3, 0.2, 0.4, 0.1)).p == pytest.approx(exact, rel=1e-11)


def test_the_logarithm_is_exact_below_the_smallest_float():
    # All n hands first, none third: no outcome is better, and its own probability is p1 to the n.
    found = multinomial_test((5000, 0, 0, 0), (0.125, 0.375, 0.25, 0.25))
    assert found.p == 0
    assert found.log10 == pytest.approx(5000 * math.log10(0.125), rel=1e-12)


def test_agrees_with_exact_fractions_far_out():
    counts, weights = (90, 20, 6, 84), (20, 25, 15, 40)
    n, (p1, p2, p3, drawn) = sum(counts), (Fraction(one, 100) for one in weights)
    exact = Fraction(0)
    for third in range(counts[2]):
        for first in range(counts[0] + 1, n - third + 1):
            ways = math.comb(n, third) * math.comb(n - third, first)
            exact += ways * p3**third * p1**first * (p2 + drawn) ** (n - third - first)
    rest = n - counts[0] - counts[2]
    ways = math.comb(n, counts[0]) * math.comb(n - counts[0], counts[2]) * p1 ** counts[0] * p3 ** counts[2]
    exact += sum(ways * math.comb(rest, j) * p2**j * drawn ** (rest - j) for j in range(counts[1] + 1))
    assert float(exact) < 1e-20
    assert multinomial_test(counts, [one / 100 for one in weights]).p == pytest.approx(float(exact), rel=1e-11)


@pytest.mark.parametrize(
    ("counts", "probabilities"), [*((row, BASELINE) for row in TABLE_IX), *zip(TABLE_XI_BETTER, TABLE_X, strict=True)]
)
def test_printed_rows_below_the_smallest_value(counts, probabilities):
    assert multinomial_test(counts, probabilities).log10 < EPSILON


@pytest.mark.parametrize(("counts", "probabilities"), [*zip(TABLE_XI_WORSE, TABLE_X, strict=True)])
def test_printed_rows_of_worse_players(counts, probabilities):
    assert 1 - 1e-9 < multinomial_test(counts, probabilities).p <= 1


def test_no_hands_are_no_evidence():
    assert multinomial_test((0, 0, 0, 0), BASELINE).p == 1
    assert sign_test(0, 0, 0).p == 1


@pytest.mark.parametrize(
    ("counts", "probabilities", "said"),
    [
        ((1, 2, 3), BASELINE, "four counts"),
        ((1, 2, 3, -4), BASELINE, "below zero"),
        ((1, 2, 3, 4), (0.5, 0.5), "four probabilities"),
        ((1, 2, 3, 4), (0.5, 0.5, 0.5, -0.5), "none below zero"),
        ((1, 2, 3, 4), (0.5, 0.25, 0.25, 0.25), "sum to 1, these to 1.25"),
        ((1, 2, 3, 4), (math.nan, 0.5, 0.25, 0.25), "four probabilities"),
    ],
)
def test_invalid_tests_are_refused(counts, probabilities, said):
    with pytest.raises(ValueError, match=said):
        multinomial_test(counts, probabilities)


@pytest.mark.parametrize(*cases_of("messages", "table 4 6"))
def test_table_4_6(plus, minus, null, n, k, p):
    found = sign_test(plus, minus, null)
    assert (found.n, found.k, round(found.p, 4)) == (n, k, p)
    assert found.p == pytest.approx(stats.binom.cdf(k, n, 0.5), rel=1e-9)
    assert found.log10 == pytest.approx(math.log10(found.p))


def test_a_sign_test_with_tiny_p_values_and_invalid_counts():
    assert sign_test(5000, 0, 0).log10 == pytest.approx(-5000 * math.log10(2))
    with pytest.raises(ValueError, match="below zero"):
        sign_test(1, -1, 0)


def test_paired_differences_share_the_luck_of_their_walls():
    rng = np.random.default_rng(3)
    walls = np.repeat(np.arange(200), 3)
    luck = rng.normal(0, 100, 200)[walls]
    a, b = luck + rng.normal(1, 1, 600), luck + rng.normal(0, 1, 600)
    found = paired(a, b, walls)
    assert found.low < 1 < found.high
    assert found.count == 200
    assert found.high - found.low < (mean(a, walls).high - mean(a, walls).low) / 20
    assert paired(b, a, walls).value == -found.value
    with pytest.raises(ValueError, match="equal lengths: 600, 600 and 3"):
        paired(a, b, walls[:3])


def test_rates_printed_with_four_digits_need_not_sum_to_one():
    exact = multinomial_test((3, 1, 2, 4), (0.25, 0.25, 0.25, 0.25))
    rounded = multinomial_test((3, 1, 2, 4), (0.2502, 0.2502, 0.2502, 0.2502))
    assert rounded.p == pytest.approx(exact.p, rel=1e-12), "what they are off is divided out"
    for off in (0.0015, -0.0015):
        with pytest.raises(ValueError, match="sum to 1"):
            multinomial_test((3, 1, 2, 4), (0.25 + off, 0.25, 0.25, 0.25))
