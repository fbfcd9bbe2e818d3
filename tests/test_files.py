"""Atomic writes: what a killed process leaves is removed, what another one writes is not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from janshi.files import replacing, save_text

#: Writes the beginning of a file, says so, and waits for the end of its input.
WRITER = """
import sys
from janshi.files import replacing
with replacing(sys.argv[1]) as part:
    part.write_text("half")
    print("written", flush=True)
    sys.stdin.read()
"""


def writer(path: Path) -> subprocess.Popen[str]:
    words = [sys.executable, "-c", WRITER, str(path)]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "written\n"
    return process


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such locks")
def test_what_a_killed_process_has_left_is_removed_and_what_another_writes_is_kept(tmp_path: Path) -> None:
    (tmp_path / ".mine.part").write_text("a user's file")
    with writer(tmp_path / "writing") as writing:
        with writer(tmp_path / "killed") as killed:
            killed.kill()
        assert len(list(tmp_path.glob(".janshi-*.part"))) == 2
        save_text("all", tmp_path / "next")
        assert len(list(tmp_path.glob(".janshi-*.part"))) == 1
        writing.communicate()
    assert sorted(path.name for path in tmp_path.iterdir()) == [".mine.part", "next", "writing"]
    assert (tmp_path / "writing").read_text() == "half"


def test_a_failed_write_leaves_nothing_and_keeps_the_file(tmp_path: Path) -> None:
    save_text("before", tmp_path / "file")
    with pytest.raises(FileNotFoundError), replacing(tmp_path / "file") as part:
        part.write_text((tmp_path / "nothing").read_text())
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "before"
