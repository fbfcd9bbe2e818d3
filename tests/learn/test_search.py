"""The kernel-size search: every candidate once, the same whenever it was interrupted, and its tables."""

import dataclasses
import json
from functools import partial

import numpy as np
import pytest
from typer.testing import CliRunner

from janshi.arena.figures import svg
from janshi.cli import app
from janshi.learn.checkpoints import CheckpointError
from janshi.papers.meowjong.decisions import DECISIONS
from janshi.papers.meowjong.networks import KERNELS
from janshi.papers.meowjong.search import (
    SEARCH_FILE,
    SIZES,
    SearchConfig,
    SearchResult,
    best_kernels,
    candidate,
    kernel_search,
    search_figures,
    search_table,
)
from janshi.papers.meowjong.tasks import paper_config
from janshi.riichi.dataset import DatasetError
from janshi.statistics import Estimate

#: Four candidates of a network with one to three filters.
TINY = SearchConfig(
    decisions=("pon", "riichi"), epochs=1.0, width=0.05, measure_most=50, seed=2, sizes=((2, 3), (5, 4))
)


def timeless(results: list[SearchResult]) -> list[SearchResult]:
    return [dataclasses.replace(one, seconds=0.0) for one in results]


@pytest.fixture(scope="module")
def whole(hands, tmp_path_factory):
    place = tmp_path_factory.mktemp("search")
    return kernel_search(TINY, hands, place), place


def test_the_papers_search_is_the_default():
    config = SearchConfig()
    assert (config.decisions, config.epochs, config.width) == (DECISIONS, 20.0, 1.0)
    assert len(set(config.sizes)) == 16
    assert set(KERNELS.values()) <= set(config.sizes)
    for decision in DECISIONS:
        one = candidate(config, decision, *KERNELS[decision])
        paper = paper_config(decision)
        assert (one.batch, one.learning_rate, one.cosine) == (paper.batch, paper.learning_rate, paper.cosine)
        assert dataclasses.replace(one.task.network, kernel=None) == paper.task.network
        assert one.epochs == 20.0
    assert candidate(SearchConfig(width=1e-3), "kan", 2, 2).task.network.filters == (1, 1, 1, 1)


def test_every_candidate_is_measured_on_the_same_situations(whole):
    results, place = whole
    tried = [(one.decision, one.rows, one.columns) for one in results]
    assert tried == [(name, *size) for name in TINY.decisions for size in TINY.sizes]
    for name in TINY.decisions:
        mine = [one for one in results if one.decision == name]
        assert len({one.accuracy.count for one in mine}) == 1
        assert len({one.samples for one in mine}) == 1
    for one in results:
        assert 0 <= one.accuracy.low <= one.accuracy.value <= one.accuracy.high <= 1
        assert one.loss > 0
        assert one.samples > 0
    assert [one.name for one in place.iterdir()] == [SEARCH_FILE], "no weights are left behind"


@pytest.mark.parametrize("after", ["a candidate", pytest.param("some hands of one", marks=pytest.mark.long)])
def test_an_interrupted_search_ends_with_the_same_results(after, whole, hands, tmp_path, monkeypatch):
    monkeypatch.setattr("janshi.learn.trainer.SAVE_EVERY", -1.0)

    def stop(result, done, total):
        if after == "a candidate" and done == 2:
            raise KeyboardInterrupt

    def stop_within(name, stand):
        if after != "a candidate" and name == "riichi 2 × 3":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        kernel_search(TINY, hands, tmp_path, stop, training=stop_within)
    told = []
    results = kernel_search(TINY, hands, tmp_path, lambda *one: told.append(one[1:]))
    assert timeless(results) == timeless(whole[0])
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert [one.name for one in tmp_path.iterdir()] == [SEARCH_FILE]


def test_a_finished_search_is_only_read(whole, hands, monkeypatch):
    results, place = whole
    monkeypatch.setattr("janshi.papers.meowjong.search.Trainer", None)
    assert kernel_search(TINY, hands, place) == results


@pytest.mark.long
def test_weights_of_a_deleted_search_are_removed(whole, hands, tmp_path):
    left = tmp_path / "candidate-pon-2x3"
    left.mkdir()
    (left / "training.json").write_text('{"config": "another", "hands": 1}')
    assert timeless(kernel_search(TINY, hands, tmp_path)) == timeless(whole[0])


def test_another_search_is_refused(whole, hands, tmp_path):
    _, place = whole
    with pytest.raises(CheckpointError, match="other options or records"):
        kernel_search(dataclasses.replace(TINY, seed=3), hands, place)
    with pytest.raises(CheckpointError, match="other options or records"):
        kernel_search(TINY, hands.part(np.arange(len(hands) - 1)), place)
    (tmp_path / SEARCH_FILE).write_text('{"results": [{')
    with pytest.raises(CheckpointError, match="no search that can be read"):
        kernel_search(TINY, hands, tmp_path)
    said = json.loads((place / SEARCH_FILE).read_text())
    said["results"] = said["results"][1:]
    (tmp_path / SEARCH_FILE).write_text(json.dumps(said))
    with pytest.raises(CheckpointError, match="damaged"):
        kernel_search(TINY, hands, tmp_path)


@pytest.mark.parametrize(
    "wrong",
    [
        {"decisions": ("chii",)},
        {"sizes": ((1, 2),)},
        {"sizes": ()},
        {"epochs": 0.0},
        {"width": -1.0},
        {"hands": 1},
        {"measure_most": 0},
    ],
)
def test_what_cannot_be_searched_is_said(wrong):
    with pytest.raises(ValueError, match=r"no decision|no kernel size|at least|above 0"):
        SearchConfig(**wrong)


def test_too_few_hands_are_said(hands, tmp_path):
    with pytest.raises(DatasetError, match="no situation with a kan in the"):
        kernel_search(dataclasses.replace(TINY, decisions=("kan",), hands=2), hands, tmp_path)


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


def test_of_equals_the_smaller_loss_and_kernel_win():
    equal = results_of({(2, 4): 0.6, (3, 2): 0.6, (4, 4): 0.6})
    assert best_kernels(equal) == {"kita": (3, 2)}
    better = [*equal, dataclasses.replace(equal[0], rows=5, loss=0.1)]
    assert best_kernels(better) == {"kita": (5, 4)}


@pytest.mark.long
def test_the_command_tries_all_sixteen_kernels(folder, tmp_path):
    command = ["paper", "meowjong", "search", str(folder), "--out", str(tmp_path)]
    command += ["--decision", "pon", "--width", "0.02", "--epochs", "0.2", "--hands", "40", "--seed", "1", "--json"]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    assert len(json.loads(result.stdout[result.stdout.index("{") :])["results"]) == 16


def test_the_command(folder, tmp_path, monkeypatch):
    few = partial(SearchConfig, sizes=((2, 3), (5, 4)))
    monkeypatch.setattr("janshi.papers.meowjong.search.SearchConfig", few)
    command = ["paper", "meowjong", "search", str(folder), "--out", str(tmp_path)]
    command += ["--decision", "pon", "--width", "0.02", "--epochs", "0.2", "--hands", "40", "--seed", "1"]
    result = CliRunner().invoke(app, [*command, "--json"])
    assert result.exit_code == 0, result.output
    said = json.loads(result.stdout[result.stdout.index("{") :])
    assert len(said["results"]) == 2
    assert said["accuracy"]["pon"][said["best"]["pon"][0] - 2][said["best"]["pon"][1] - 2] == max(
        value for line in said["accuracy"]["pon"] for value in line if value is not None
    )
    assert (tmp_path / "search-pon.svg").exists()
    shown = CliRunner().invoke(app, command)
    assert "papers 5 × 4" in shown.stdout
    other = CliRunner().invoke(app, [*command, "--epochs", "0.3"])
    assert other.exit_code == 2
    assert other.stderr.strip().splitlines()[-1].startswith("janshi paper meowjong search: ")
    assert "other options" in other.stderr
    wrong = CliRunner().invoke(app, [*command, "--decision", "chii"])
    assert wrong.exit_code == 2
    assert "no decision 'chii'" in wrong.stderr

    def interrupted(*_args, **_named):
        raise KeyboardInterrupt

    monkeypatch.setattr("janshi.papers.meowjong.search.kernel_search", interrupted)
    stopped = CliRunner().invoke(app, command)
    assert stopped.exit_code == 130
    assert "goes on" in stopped.stderr
