"""The script that trains networks of several sizes on several shares of the records: its commands, table and figure."""

from __future__ import annotations

import json

import pytest
from tools.study_records import DECISIONS, cell, command, figure, read, table

from janshi.cli.train import TrainOptions


@pytest.fixture
def measured(tmp_path):
    """Two cells that are done, and one without an end."""
    for share, value in ((0.25, 0.61), (1.0, 0.66)):
        out = cell(tmp_path, (32, 3), share)
        out.mkdir()
        top = {"value": value, "low": value - 0.01, "high": value + 0.01, "count": 1234}
        report = {"test": {name: {"top": [top], "loss": 1.5 - value} for name in DECISIONS}}
        (out / "measured.json").write_text(json.dumps(report), encoding="utf-8")
    cell(tmp_path, (32, 3), 0.5).mkdir()
    return read(tmp_path)


def test_every_cell_sees_as_many_decisions(tmp_path):
    line = command(tmp_path / "out", (64, 4), 0.125, "test.zip", ["a.zip", "b.zip"])
    given = dict(zip(line[4::2], line[5::2], strict=False))
    assert line[:4] == ["janshi", "train", "a.zip", "b.zip"]
    assert float(given["--share"]) * float(given["--epochs"]) == 1
    fields = TrainOptions.__dataclass_fields__
    assert {"channels", "blocks", "test", "out"} <= set(fields)
    assert "share" in fields["changes"].default_factory.__dataclass_fields__


def test_the_table_and_the_figure_hold_what_is_done(measured):
    assert set(measured) == {((32, 3), 0.25), ((32, 3), 1.0)}
    rows = table(measured).splitlines()
    assert rows[2].startswith("| 32 × 3 | 0.25 | 61.0 % (60.0 to 62.0) |")
    assert rows[3].endswith("| 0.840 |")
    assert "discard 1,234" in rows[-1]
    drawn = figure(measured)
    assert "share of the records" in drawn
    assert "discards that agree" in drawn
