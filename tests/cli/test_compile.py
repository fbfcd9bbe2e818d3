"""``janshi compile``."""

import json

import pytest
from typer.testing import CliRunner

import janshi
from janshi.cli import app
from janshi.cli import compile as compile_command
from janshi.encoders import ENCODERS
from janshi.riichi.game import RIICHI

RUNNER = CliRunner()


@pytest.fixture
def prepared(monkeypatch: pytest.MonkeyPatch) -> list[tuple[set[str], int]]:
    """Collect what the command would compile, and the number of processes: compiling takes minutes."""
    calls: list[tuple[set[str], int]] = []

    def prepare(entries, processes, progress):
        calls.append(({entry.name for entry in entries}, processes))
        progress(1, 2)

    monkeypatch.setattr("janshi.compiling.prepare", prepare)
    return calls


def test_everything_that_python_calls_is_compiled(prepared):
    result = RUNNER.invoke(app, ["compile", "--processes", "3", "--json"])
    assert result.exit_code == 0, result.output
    ((names, processes),) = prepared
    assert processes == 3
    assert json.loads(result.stdout)["functions"] == len(names)
    assert RIICHI.step.name in names
    assert "janshi.riichi.hands.score:_evaluate_all" in names
    for encoder in ENCODERS.values():
        assert {entry.name for entry in encoder.entries if entry.__module__.startswith("janshi.")} <= names
    assert not any(name.startswith("tests") for name in names)


def test_modules_with_compiled_code_are_found(tmp_path, monkeypatch):
    monkeypatch.setattr(janshi, "__file__", str(tmp_path / "__init__.py"))
    for name, text in {"a": "steps = batched(step)\n", "b": "@entry(brief=True)\n", "c": "# batched(step)\n"}.items():
        (tmp_path / f"{name}.py").write_text(text)
    assert list(compile_command.compiled_modules()) == ["janshi.a", "janshi.b"]


def test_the_time_is_printed_and_zero_processes_are_refused(prepared):
    assert RUNNER.invoke(app, ["compile", "--processes", "-1"]).exit_code == 2
    assert not prepared
    assert "functions are compiled, after" in RUNNER.invoke(app, ["compile"]).stdout
    assert prepared[0][1] >= 1
