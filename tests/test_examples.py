"""The examples and the notebook run as documented, at the smallest size."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

from janshi.agents.custom import load_custom
from janshi.riichi.rules import TENHOU_SANMA
from janshi.sample import SAMPLE
from janshi.table import Tables

EXAMPLES = Path(__file__).parents[1] / "examples"


def run(name: str, *arguments: str) -> None:
    """Run an example as a program."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [name, *arguments])
        runpy.run_path(str(EXAMPLES / name), run_name="__main__")


def test_a_custom_network_is_trained_and_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    pytest.importorskip("torch")
    from janshi.riichi.records import read_games, write_games

    text = (EXAMPLES / "train_own.py").read_text()
    assert len([line for line in text.splitlines() if line.strip()]) <= 60
    (tmp_path / "one.mjlog").write_text(write_games([next(read_games([SAMPLE]))], "mjlog")[0], "utf-8")
    monkeypatch.chdir(tmp_path)
    run("train_own.py", "1", "1", "one.mjlog")
    epoch, points = capsys.readouterr().out.splitlines()
    assert epoch.startswith("epoch 1: ")
    assert points.endswith("points a hand against random players, 3 hands")
    trained = load_custom(f"{EXAMPLES / 'train_own.py'}:Own")
    batch = Tables(TENHOU_SANMA, 4).decisions()
    actions = trained.act(batch)
    assert batch.legal[range(4), actions].all()


def test_custom_rules_are_played(capsys: pytest.CaptureFixture[str]):
    run("own_rules.py", "3")
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["tenhou", "club"]
    assert all("of 12 hands" in line for line in lines)


NOTEBOOK = EXAMPLES / "first_hour.ipynb"


@pytest.fixture
def shortest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reduce the notebook's training and play to a minimum."""
    monkeypatch.setenv("JANSHI_NOTEBOOK_EPOCHS", "0.02")
    monkeypatch.setenv("JANSHI_NOTEBOOK_HANDS", "2")


@pytest.mark.long
@pytest.mark.usefixtures("shortest")
def test_every_cell_of_the_notebook_runs_and_shows_what_it_plays(tmp_path: Path):
    pytest.importorskip("torch")
    pytest.importorskip("ipykernel")
    nbclient = pytest.importorskip("nbclient", reason="nbclient runs the notebook")
    nbformat = pytest.importorskip("nbformat")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "outputs are not kept in the repository"
    nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [set(output.get("data", {})) for cell in notebook.cells for output in cell.get("outputs", [])]
    assert sum("image/svg+xml" in kinds for kinds in shown) == 1
    assert sum("text/html" in kinds for kinds in shown) == 4
