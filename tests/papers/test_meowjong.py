"""Counts of the `meowjong` papers: starts, splits by example, tied kernels, baselines."""

import numpy as np
import pytest

pytest.importorskip("torch")

from janshi.encoders import encoder
from janshi.learn.metrics import measured_choice, measured_yes_no
from janshi.papers.meowjong.networks import KERNELS, MeowjongConfig
from janshi.papers.meowjong.orphans import ENDS, STARTS, orphans_by_start
from janshi.papers.meowjong.paper import SCALES
from janshi.papers.meowjong.search import SearchResult, tied_kernels
from janshi.papers.meowjong.tasks import OneDecision
from janshi.riichi.actions import Action
from janshi.riichi.dataset import decisions, read_hands
from janshi.riichi.rules import TENHOU_SANMA
from janshi.statistics import Estimate
from janshi.tiles import ORPHANS
from tests.learn.made import hands_of, make_games
from tests.rules.tables import make_table


@pytest.fixture(scope="module")
def hands(tmp_path_factory):
    return read_hands([make_games(tmp_path_factory.mktemp("games") / "made", "tenhou-sanma-hand", 20)], 3)


def test_the_papers_take_fifty_thousand_hands_and_five_thousand():
    full = SCALES["full"]
    assert (full.hands, full.test_hands, full.walls) == (50_000, 5_000, 5_000)
    assert (full.filters, full.dense, full.dropout, full.cosine) == ((64, 64, 64, 32), 256, 0.5, False)
    assert SCALES["medium"].filters == full.filters
    assert full.samples is None
    assert full.discounts
    assert full.learning_rates


# ---------------------------------------------------------------------------------------------------------
# Table 3.7


def test_a_start_of_thirteen_orphans_is_counted_with_its_result():
    """The dealer begins with thirteen kinds of terminals and honours, draws another one and wins."""
    table = make_table(TENHOU_SANMA, ["19m19p19s1234567z"], "1m")
    hands = hands_of(table, [Action.TSUMO])
    counted = {(row["tiles"], row["kinds"]): row for row in orphans_by_start(hands)}
    assert list(counted) == list(STARTS)
    assert counted[13, 13] == {"tiles": 13, "kinds": 13, "hands": 1} | dict.fromkeys(ENDS, 0) | {"won": 1}
    assert sum(row["hands"] for row in counted.values()) == 1


def test_starts_are_those_of_the_first_thirteen_tiles(hands):
    """Compared with a count of the deal: the first view of each seat, without the tile just drawn."""
    wanted = dict.fromkeys(STARTS, 0)
    batch = decisions(hands, encoder=encoder("meowjong"))
    seen = set()
    aborted = set(batch.hand[batch.action == Action.KYUUSHU_KYUUHAI].tolist())
    for row in range(len(batch)):
        key = int(batch.hand[row]), int(batch.seat[row])
        if key in seen:
            continue
        seen.add(key)
        columns = encoder("meowjong").inputs(batch.packed[row : row + 1])[0]
        held = columns[1:5][:, list(ORPHANS)]
        start = int(held.sum()), int(held.any(axis=0).sum())
        if start in wanted and key[0] not in aborted:
            wanted[start] += 1
    counted = {(row["tiles"], row["kinds"]): row["hands"] for row in orphans_by_start(hands)}
    assert counted == wanted


# ---------------------------------------------------------------------------------------------------------
# Splits by example


def test_examples_are_held_out_of_every_hand_and_only_on_one_side(hands):
    network = MeowjongConfig("discard")
    batch = decisions(hands, encoder=encoder("meowjong"))
    every, split = OneDecision(network).examples(batch), OneDecision(network, held_examples=0.25)
    learned, held = split.examples(batch), split.held(batch)
    assert len(learned) + len(held) == len(every) == len(OneDecision(network).held(batch))
    assert 0.15 < len(held) / len(every) < 0.35
    sides = [{row.tobytes() for row in part.packed} for part in (learned, held)]
    assert not sides[0] & sides[1]
    # The same situation is on the same side for any set of hands.
    again = split.held(decisions(hands, np.arange(10), encoder=encoder("meowjong")))
    assert {row.tobytes() for row in again.packed} <= sides[1]


# ---------------------------------------------------------------------------------------------------------
# Kernels, baselines, the unmasked choice


def result(rows: int, columns: int, accuracy: float, loss: float = 0.5) -> SearchResult:
    return SearchResult("kan", rows, columns, Estimate(accuracy, 0.0, 1.0, 1000), loss, 100, 1.0)


def test_at_most_two_kernels_within_a_tenth_of_a_percent_are_tied():
    found = [result(2, 2, 0.9), result(2, 3, 0.95, 0.4), result(2, 4, 0.9495), result(3, 3, 0.9493), result(5, 5, 0.7)]
    assert tied_kernels(found) == {"kan": [[2, 3], [2, 4]]}
    assert tied_kernels(found, most=3) == {"kan": [[2, 3], [2, 4], [3, 3]]}
    assert tied_kernels([result(2, 2, 0.9), result(2, 3, 0.95)]) == {"kan": [[2, 3]]}
    assert set(KERNELS) >= set(tied_kernels(found))


def test_the_first_choice_counts_among_all_and_among_the_possible():
    logits = np.array([[3.0, 2, 1], [3, 2, 1], [1, 2, 3], [1, 3, 2]], np.float32)
    legal = np.array([[False, True, True], [True, True, True], [True, True, True], [True, True, True]])
    measured = measured_choice(logits, np.array([1, 0, 2, 0]), legal)
    assert measured.top[0].value == 0.75  # the first row's best possible kind is 1
    assert measured.unmasked.value == 0.5
    assert measured.illegal.value == 0.25
    assert measured.majority.value == 0.5  # two of four are kind 0


def test_a_network_that_answers_the_majority_is_not_above_it():
    labels = np.array([0] * 70 + [1] * 30)
    always = measured_yes_no(np.tile(np.array([[1.0, 0.0]], np.float32), (100, 1)), labels)
    assert always.majority.value == always.top[0].value == 0.7
    assert always.above_majority == 0.0
    right = np.stack([labels == 0, labels == 1], axis=1).astype(np.float32)
    assert measured_yes_no(right, labels).above_majority == pytest.approx(30 * np.log10(0.5))
