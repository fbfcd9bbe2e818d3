"""Wrong input of a user: one line with the fault, and exit code 2."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from janshi.cli import app
from janshi.files import locked, working_in
from janshi.sample import SAMPLE
from tests.claims import cases_of
from tests.commands import janshi

pytest.importorskip("torch")
pytest.importorskip("matplotlib")


@pytest.mark.parametrize(*cases_of("messages", "wrong input of commands"))
def test_it_is_one_line(command: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.txt").write_text("this is no record")
    words = command.format(sample=SAMPLE).split()
    result = janshi(*words, code=2)
    last = result.stderr.splitlines()[-1]
    assert last.startswith(f"janshi {words[0]}")
    assert says in last
    assert "Traceback" not in result.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["text.txt"], "nothing is left behind"


@pytest.mark.parametrize(*cases_of("messages", "two runs in one folder are refused"))
def test_two_runs_in_one_folder_are_refused(command: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    with locked(out):
        result = CliRunner().invoke(app, [*command.format(sample=SAMPLE).split(), "--out", str(out)])
    assert result.exit_code == 2
    name = command.split()[0]
    assert result.stderr.strip() == f"janshi {name}: another program writes to {out}: let it finish first"
    assert list(out.iterdir()) == []


def test_an_unused_new_folder_is_removed(tmp_path: Path) -> None:
    janshi("train", tmp_path / "nowhere.zip", "--out", tmp_path / "a" / "out", code=2)
    assert not (tmp_path / "a" / "out").exists()
    (tmp_path / "there").mkdir()
    with working_in(tmp_path / "there"):
        pass
    assert list((tmp_path / "there").iterdir()) == []


@pytest.mark.skipif(not Path("/proc/version").exists(), reason="needs a folder that nobody can write to")
@pytest.mark.parametrize("command", ["dataset {sample}", "train {sample}", "convert {sample}"])
def test_a_folder_that_cannot_be_written_to_is_named_before_the_work(command: str) -> None:
    result = janshi(*command.format(sample=SAMPLE).split(), "--out", "/proc/self/out", code=2)
    assert "/proc/self/out" in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
