"""The runner of papers: stages run once, by one choice of options."""

import dataclasses

import pytest

pytest.importorskip("torch")

from typer.testing import CliRunner

from janshi.agents import AgentError
from janshi.cli import app
from janshi.papers.meowjong.paper import SCALES
from janshi.papers.page import Report
from janshi.papers.registry import PAPERS
from janshi.papers.runner import (
    Options,
    Paper,
    ReproduceError,
    Run,
    Stage,
    StageEvent,
    digest_of,
    run_stages,
)
from tests.commands import janshi
from tests.plugged import PLUGINS, nothing_registered


def paper_of(log: list[str]) -> Paper:
    """Return a paper of three stages; the third reads a file of the second."""

    def first(run: Run):
        log.append("first")
        return {"value": 1.5, "none": float("nan")}

    def second(run: Run):
        log.append("second")
        (run.folder / "weights").write_text("x")
        return {}

    def third(run: Run):
        log.append("third")
        (run.folders["second"] / "weights").read_text()
        return {"twice": 2 * run.results["first"]["value"]}

    stages = (
        Stage("first", "First", first),
        Stage("second", "Second", second, ("weights",), "third"),
        Stage("third", "Third", third),
    )
    return Paper("three", "Three", stages, {}, Report("three", {}))


def test_stages_are_done_once_and_weights_are_deleted(tmp_path):
    log: list[str] = []
    options = Options(SCALES["tiny"])
    events: list[StageEvent] = []
    results = run_stages(paper_of(log), options, tmp_path, "records", events.append)
    assert log == ["first", "second", "third"]
    assert results["first"]["none"] is None
    assert results["third"]["twice"] == 3.0
    assert not (tmp_path / "02-second" / "weights").exists()
    again = run_stages(paper_of(log), options, tmp_path, "records", events.append)
    assert log == ["first", "second", "third"]
    assert again == results
    assert [event.state for event in events if event.state != "running"] == ["done"] * 3 + ["skipped"] * 3


def test_a_part_without_an_interval_is_kept(tmp_path):
    options = Options(SCALES["tiny"])
    work = {"value": 0.5, "low": float("nan")}
    stages = (Stage("first", "First", lambda run: run.once("part", lambda: work)),)
    results = run_stages(Paper("one", "One", stages, {}, Report("one", {})), options, tmp_path, "", lambda event: None)
    assert {name: results["first"][name] for name in work} == {"value": 0.5, "low": None}


def test_a_stage_whose_weights_are_gone_runs_again_for_an_unfinished_one(tmp_path):
    log: list[str] = []
    options = Options(SCALES["tiny"])
    run_stages(paper_of(log), options, tmp_path, "records", lambda event: None)
    (tmp_path / "03-third" / "result.json").unlink()
    log.clear()
    run_stages(paper_of(log), options, tmp_path, "records", lambda event: None)
    assert log == ["second", "third"]


def test_a_folder_belongs_to_one_size_of_a_scale(tmp_path):
    scale = SCALES["tiny"]
    run_stages(paper_of([]), Options(scale), tmp_path, "records", lambda event: None)
    other = Options(dataclasses.replace(scale, walls=scale.walls + 1))
    with pytest.raises(ReproduceError, match="another choice of settings: name another folder"):
        run_stages(paper_of([]), other, tmp_path, "records", lambda event: None)


@pytest.mark.parametrize("content", ["[]", "3", "{"])
def test_a_file_of_options_of_another_shape_is_named(tmp_path, content):
    run_stages(paper_of([]), Options(SCALES["tiny"]), tmp_path, "records", lambda event: None)
    (tmp_path / "reproduce.json").write_text(content)
    with pytest.raises(ReproduceError, match=r"reproduce\.json cannot be read: name another folder"):
        run_stages(paper_of([]), Options(SCALES["tiny"]), tmp_path, "records", lambda event: None)


def test_a_result_of_another_shape_does_not_count(tmp_path):
    run_stages(paper_of([]), Options(SCALES["tiny"]), tmp_path, "records", lambda event: None)
    (tmp_path / "03-third" / "result.json").write_text("[]")
    log: list[str] = []
    run_stages(paper_of(log), Options(SCALES["tiny"]), tmp_path, "records", lambda event: None)
    assert "third" in log


def test_half_a_result_does_not_count(tmp_path):
    log: list[str] = []
    options = Options(SCALES["tiny"], keep=True)
    run_stages(paper_of(log), options, tmp_path, "records", lambda event: None)
    assert (tmp_path / "02-second" / "weights").exists()
    result = tmp_path / "01-first" / "result.json"
    result.write_text(result.read_text()[:20])
    log.clear()
    run_stages(paper_of(log), options, tmp_path, "records", lambda event: None)
    assert log == ["first"]


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ZeroDivisionError("division by zero"), "stage 'First' failed: division by zero (details in "),
        (ValueError("shapes differ\nof arrays"), "stage 'First' failed: shapes differ (details in "),
        (KeyError(), "stage 'First' failed: KeyError (details in "),
        (AgentError("no agent 'nobody'"), "no agent 'nobody'"),
        (OSError("no space left"), "no space left"),
    ],
)
def test_a_failing_stage_is_a_one_line_error(error, words, tmp_path, monkeypatch):
    def fail(run: Run):
        raise error

    paper = Paper("one", "One", (Stage("first", "First", fail),), SCALES, Report("one", {}), needs_records=False)
    monkeypatch.setitem(PAPERS._values, "one", paper)
    result = janshi("reproduce", "one", "--out", tmp_path, "--scale", "tiny", code=2)
    last = result.stderr.strip().splitlines()[-1]
    assert last.startswith(f"janshi reproduce: {words}")
    details = tmp_path / "01-first" / "error.txt"
    assert details.exists() == ("details" in words)
    assert not details.exists() or "in fail" in details.read_text()


def test_digests_depend_on_content_and_names_not_on_places(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "one").write_text("1")
    assert digest_of([tmp_path / "a"]) == digest_of([tmp_path / "b"])
    (tmp_path / "b" / "one").write_text("2")
    assert digest_of([tmp_path / "a"]) != digest_of([tmp_path / "b"])
    with pytest.raises(ReproduceError, match="no such file"):
        digest_of([tmp_path / "c"])


def test_a_plugin_brings_a_paper_of_its_own(tmp_path):
    """A file outside the package: reproduced, reported and listed on the command line."""
    plugin = ["--plugin", str(PLUGINS / "dice.py"), "reproduce"]
    with nothing_registered(PLUGINS):
        done = janshi(*plugin, "dice", "--out", tmp_path, "--scale", "tiny")
        listed = CliRunner().invoke(app, plugin).stdout.splitlines()
    assert listed[-3:-1] == ["dice:", "  --scale tiny: a second; 1 MB of disk meanwhile"]
    assert "paper 3.50" in done.stdout
    page = (tmp_path / "report.html").read_text()
    for words in ("Dice reproduced: scale “tiny”", "Mean of a throw", "<svg", "Throwing"):
        assert words in page
    result = janshi("reproduce", "dice", code=2)
    assert "no paper 'dice': there are gao, long" in result.stderr
