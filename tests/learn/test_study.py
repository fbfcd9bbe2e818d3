"""The scripts that compare trainings: their commands, tasks, tables and figures."""

from __future__ import annotations

import json

import numpy as np
import pytest
import torch
from tools import study_width
from tools.study_imitation import ORACLE, RatedTask, TaughtTask, best_half
from tools.study_records import DECISIONS, cell, command, figure, read, table

from janshi.cli.train import TrainOptions
from janshi.encoders import encoder, expand
from janshi.learn.checkpoints import TrainingState, save_training
from janshi.learn.networks import make_network
from janshi.papers.meowjong.labels import labelled
from janshi.riichi.actions import ACTIONS
from janshi.riichi.dataset import decisions
from janshi.riichi.dataset.tasks import PolicyTask
from janshi.riichi.encoders.table import KIND_COLUMNS
from janshi.riichi.networks import SuitConfig
from tests.learn.encoders import OTHERS


@pytest.fixture
def measured(tmp_path):
    """Two cells that are done, and one without an end."""
    for share, value in ((0.5, 0.61), (1.0, 0.66)):
        out = cell(tmp_path, (32, 3), share)
        out.mkdir()
        top = {"value": value, "low": value - 0.01, "high": value + 0.01, "count": 1234}
        report = {"test": {name: {"top": [top], "loss": 1.5 - value} for name in DECISIONS}}
        (out / "measured.json").write_text(json.dumps(report), encoding="utf-8")
    cell(tmp_path, (32, 3), 0.25).mkdir()
    return read(tmp_path)


def test_every_cell_sees_as_many_decisions(tmp_path):
    line = command(tmp_path / "out", (64, 4), 0.125, "test.zip", ["a.zip", "b.zip"])
    given = dict(zip(line[4::2], line[5::2], strict=False))
    assert line[:4] == ["janshi", "train", "a.zip", "b.zip"]
    assert float(given["--share"]) * float(given["--epochs"]) == 1
    fields = TrainOptions.__dataclass_fields__
    assert {"channels", "blocks", "test", "out"} <= set(fields)
    assert not {name.strip("-") for name in given} & {"decision", "danger"}
    assert "share" in fields["changes"].default_factory.__dataclass_fields__


def test_the_table_and_the_figure_hold_what_is_done(measured):
    assert set(measured) == {((32, 3), 0.5), ((32, 3), 1.0)}
    rows = table(measured).splitlines()
    assert rows[2].startswith("| 32 × 3 | 0.5 | 61.0 % (60.0 to 62.0) |")
    assert rows[3].endswith("| 0.840 |")
    assert "discard 1,234" in rows[-1]
    drawn = figure(measured)
    assert "share of the records" in drawn
    assert "discards that agree" in drawn


# ---------------------------------------------------------------------------------------------------------
# The printed width of a paper's networks


def test_a_network_sees_as_many_situations_as_asked_for(hands):
    config = study_width.training("riichi", "narrow", 3 * len(labelled(decisions(hands), "riichi").labels), hands)
    assert config.epochs == pytest.approx(3)
    assert (config.task.network.filters, config.task.network.dropout) == ((8, 4, 4, 4), 0.5)
    assert (config.cosine, config.learning_rate, config.average) == (False, 3e-4, 0.98)


def test_curves_become_tables_and_figures(tmp_path):
    points = [{"samples": 100, "development": {"discard": 0.125}}, {"samples": 150}]
    state = TrainingState({}, {}, 1, 90.0, [*points, {"samples": 200, "development": {"discard": 0.25}}], {})
    for width in ("printed", "narrow"):
        save_training(tmp_path / f"discard-{width}", state, {}, {}, None)
    measured = {"top": [{"value": 0.25, "low": 0.2, "high": 0.3, "count": 1234}], "loss": 2.5}
    (tmp_path / "discard-narrow" / "tested.json").write_text(json.dumps(measured), encoding="utf-8")
    text = study_width.tables(tmp_path)
    assert "| situations | 100 | 200 |" in text
    assert "| agreement, % | 12.5 | 25.0 |" in text
    assert "25.0 % [20.0, 30.0] of 1,234, loss 2.500" in text
    assert "narrow: 8, 4, 4, 4 filters of 2 × 2" in study_width.figure(tmp_path, "discard")


# ---------------------------------------------------------------------------------------------------------
# Ways of imitating


def test_the_teacher_is_shown_the_table_and_what_others_hold(hands):
    batch = decisions(hands, np.arange(3), encoder=encoder("table"), lazy=True)
    shown, held = batch.encoded(ORACLE), batch.encoded(OTHERS).reshape(-1, 3, 34)
    kinds = len(KIND_COLUMNS)
    assert (np.delete(shown, np.s_[kinds : kinds + 12], axis=1) == batch.packed).all()
    counts = expand(shown[:, kinds : kinds + 12]).reshape(-1, 3, 4, 34).sum(axis=2)
    assert (counts == held).all()


def test_a_hundred_points_of_rating_count_e_times():
    weights = RatedTask().weights({"rating": torch.tensor([2000.0, 2100.0, 2000.0])})
    assert weights[1] / weights[0] == pytest.approx(np.e, rel=1e-4)
    assert float(weights.mean()) == pytest.approx(1)


def test_a_teacher_that_is_sure_of_what_was_done_changes_only_the_shares(hands, tmp_path, monkeypatch):
    batch = decisions(hands, np.arange(2), encoder=encoder("table"), lazy=True)
    task = TaughtTask(SuitConfig(channels=8, blocks=1), value_weight=0.0, place_weight=0.0, teacher=str(tmp_path))
    sure = np.zeros((len(batch), ACTIONS), np.float32)
    sure[np.arange(len(batch)), batch.action] = 100.0
    monkeypatch.setattr("tools.study_imitation.teacher_in", lambda folder: None)
    monkeypatch.setattr("tools.study_imitation.many_answers", lambda *_: sure[batch.observed])
    examples = task.examples(batch)
    targets = examples.tensors(torch.device("cpu"))
    network = make_network(task.network)
    outputs = network(torch.from_numpy(expand(examples.packed)).float())
    plain = PolicyTask.loss(task, network, outputs, targets)
    taught = task.loss(network, outputs, targets)
    assert taught.loss.item() == pytest.approx(plain.loss.item(), rel=1e-3)


def test_the_best_half_has_the_highest_ratings(hands):
    names = {hands.names[game] for game in set(hands.games.tolist())}
    ratings = {name: [2000.0 + number] * 3 for number, name in enumerate(sorted(names))}
    best = best_half(hands.with_ratings(ratings))
    kept = {hands.names[game] for game in set(best.games.tolist())}
    assert kept == set(sorted(names)[len(names) // 2 :])
