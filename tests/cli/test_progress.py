"""Progress of long commands without a terminal."""

from __future__ import annotations

import pytest

from janshi.cli import progress


@pytest.mark.parametrize("quiet", [False, True])
def test_a_log_gets_a_line_from_time_to_time(quiet, monkeypatch, capfd):
    with progress.timed_bar(quiet, transient=True) as bar:
        task = bar.add_task("learning", total=3)
        bar.update(task, completed=1)
        assert capfd.readouterr().err == ""
        monkeypatch.setattr(progress, "_LOG_EVERY", 0)
        bar.update(task, completed=2, description="learning: 2 of 3 hands")
    assert ("learning: 2 of 3 hands" in capfd.readouterr().err) is not quiet
