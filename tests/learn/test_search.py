"""The kernel-size search: equal training of candidates, ranking by accuracy, loss and size."""

import dataclasses

from janshi.arena.figures import svg
from janshi.papers.meowjong.networks import KERNELS
from janshi.papers.meowjong.search import (
    SIZES,
    SearchConfig,
    SearchResult,
    best_kernels,
    candidate,
    search_figures,
    search_table,
    try_kernel,
)
from janshi.papers.meowjong.tasks import paper_config
from janshi.statistics import Estimate


def test_the_papers_search_is_the_default():
    config = SearchConfig()
    assert (config.epochs, config.width) == (20.0, 1.0)
    assert len(set(SIZES)) == 16
    assert set(KERNELS.values()) <= set(SIZES)
    for decision, kernel in KERNELS.items():
        one = candidate(config, decision, *kernel)
        paper = paper_config(decision)
        assert (one.batch, one.learning_rate, one.cosine) == (paper.batch, paper.learning_rate, paper.cosine)
        assert dataclasses.replace(one.task.network, kernel=None) == paper.task.network
        assert one.epochs == 20.0
    assert candidate(SearchConfig(width=1e-3), "kan", 2, 2).task.network.filters == (1, 1, 1, 1)


def test_candidates_are_measured_on_the_same_situations_and_leave_no_weights(hands, tmp_path):
    config = SearchConfig(epochs=1.0, width=0.05, measure_most=50, seed=2)
    sets = hands.split(0.1, 2)
    found = [try_kernel(config, "pon", kernel, sets, tmp_path / "candidate") for kernel in ((2, 3), (5, 4))]
    assert [(one["rows"], one["columns"]) for one in found] == [(2, 3), (5, 4)]
    assert len({one["accuracy"]["count"] for one in found}) == 1
    assert len({one["samples"] for one in found}) == 1
    for one in map(SearchResult.of, found):
        assert 0 <= one.accuracy.low <= one.accuracy.value <= one.accuracy.high <= 1
        assert one.loss > 0
    assert list(tmp_path.iterdir()) == []


def results_of(values: dict[tuple[int, int], float]) -> list[SearchResult]:
    return [
        SearchResult("kita", rows, columns, Estimate(value, value - 0.01, value + 0.01, 2000), 1 - value, 9, 1.0)
        for (rows, columns), value in values.items()
    ]


def test_tables_and_figures():
    results = results_of({size: 0.5 + 0.01 * number for number, size in enumerate(SIZES)})
    table = search_table(results)["kita"]
    assert [len(line) for line in table] == [4] * 4
    assert table[0][1] == 0.51, "two rows, three columns"
    assert best_kernels(results) == {"kita": (5, 5)}
    text = svg(search_figures(results)["kita"])
    assert ">65.00<" in text
    assert "2,000 situations held out" in text
    few = search_figures(results[:3])["kita"]
    assert svg(few).count(">–<") == 13, "what was not tried stays empty"


def test_ties_go_to_the_smaller_loss_and_kernel():
    equal = results_of({(2, 4): 0.6, (3, 2): 0.6, (4, 4): 0.6})
    assert best_kernels(equal) == {"kita": (3, 2)}
    better = [*equal, dataclasses.replace(equal[0], rows=5, loss=0.1)]
    assert best_kernels(better) == {"kita": (5, 4)}
