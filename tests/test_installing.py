"""What an installation lacks is said in one line, with the line to type."""

from __future__ import annotations

import contextlib
import re
import runpy
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from janshi import __version__, cli, installing
from janshi.cli import app
from janshi.installing import extra_of, install_line, lacking

ROOT = Path(__file__).parents[1]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]


@pytest.fixture(autouse=True)
def from_an_index(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if this version had been installed from an index."""
    required = [f'{requirement}; extra == "{extra}"' for extra, names in EXTRAS.items() for requirement in names]
    monkeypatch.setattr(installing.metadata, "requires", lambda name: required)
    monkeypatch.setattr(installing, "_origin", lambda: "")
    monkeypatch.setattr(installing, "_pip", lambda: "pip")
    installing._extras.cache_clear()
    yield
    installing._extras.cache_clear()


def test_the_line_names_module_and_extra():
    assert lacking("matplotlib.backends", "report") == 'needs matplotlib: pip install "janshi[report]"'


def test_a_clone_is_installed_as_it_was(monkeypatch: pytest.MonkeyPatch):
    url = Path.cwd().as_uri()
    monkeypatch.setattr(installing, "_origin", lambda: f'{{"url": "{url}", "dir_info": {{"editable": true}}}}')
    assert install_line("web") == 'pip install -e ".[web]"'
    monkeypatch.setattr(installing, "_origin", lambda: f'{{"url": "{url}", "dir_info": {{}}}}')
    assert install_line("web") == 'pip install ".[web]"'


@pytest.mark.parametrize(
    ("module", "extra"),
    [
        *(("typer", "cli"), ("onnxruntime", "play"), ("matplotlib", "report"), ("torch.nn", "learn")),
        *(("PIL.Image", "render"), ("resvg_py", "render"), ("gymnasium", "gym"), ("lightning_fabric", "learn")),
        *(("uvicorn", "web"), ("nothing_known", None)),
    ],
)
def test_every_module_is_known_by_its_extra(module: str, extra: str | None):
    assert extra_of(module) == extra


VERSION = f"janshi {__version__}\n"


@pytest.mark.parametrize(("arguments", "out"), [(["--version"], VERSION), ([], ""), (["hand", "1m"], "")])
def test_without_any_extra_the_command_answers(
    arguments: list[str], out: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    for name in [name for name in sys.modules if name.startswith("janshi.cli")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "typer", None)
    monkeypatch.setattr(sys, "argv", ["janshi", *arguments])
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("janshi", run_name="__main__")
    said = capsys.readouterr()
    if out:
        assert (said.out, ended.value.code) == (out, None)
    else:
        assert said.err == 'janshi: the command line needs typer: pip install "janshi[cli]"\n'
        assert ended.value.code == 2


def test_a_command_that_lacks_a_module_says_so_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    def lack() -> None:
        raise ModuleNotFoundError("No module named 'torch'", name="torch")

    monkeypatch.setattr(cli, "app", lack)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2
    assert capsys.readouterr().err == 'janshi: this needs torch: pip install "janshi[learn]"\n'


def test_a_module_that_no_extra_brings_is_a_fault_of_ours(monkeypatch: pytest.MonkeyPatch):
    def lack() -> None:
        raise ModuleNotFoundError("No module named 'janshi.nothing'", name="janshi.nothing")

    monkeypatch.setattr(cli, "app", lack)
    with pytest.raises(ModuleNotFoundError):
        cli.main()


@pytest.fixture
def handler() -> Iterator[None]:
    """Leaves the handler of Ctrl-C as it was."""
    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def compile_until_interrupted() -> None:
    """Numba's code calls back into Python, where Ctrl-C is lost; what follows is an error of its own."""
    with contextlib.suppress(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    raise RuntimeError("no compiled object yet")


@pytest.mark.usefixtures("handler")
def test_an_interruption_while_something_is_compiled_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(cli, "app", compile_until_interrupted)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert (ended.value.code, capsys.readouterr().err) == (130, "janshi: interrupted\n")


@pytest.mark.usefixtures("handler")
def test_an_error_without_an_interruption_is_raised(monkeypatch: pytest.MonkeyPatch):
    def fail() -> None:
        raise RuntimeError("no compiled object yet")

    monkeypatch.setattr(cli, "app", fail)
    with pytest.raises(RuntimeError):
        cli.main()


#: Runs commands where torch and pyarrow are not installed, in a process of its own: it imports everything anew.
WITHOUT_TORCH = """
import sys
from typer.testing import CliRunner
from janshi.cli import app
sys.modules["torch"] = sys.modules["pyarrow"] = None
for command in sys.argv[1:]:
    result = CliRunner().invoke(app, [command] + ([] if command == "demo" else ["x", "--out", "y"]))
    print(result.exit_code, repr(result.stderr))
"""


def test_a_command_names_itself():
    names = ["dataset", "train", "reinforce", "demo"]
    done = subprocess.run([sys.executable, "-c", WITHOUT_TORCH, *names], capture_output=True, text=True)
    lines = done.stdout.splitlines()
    assert len(lines) == len(names), done.stderr
    for name, line in zip(names, lines, strict=True):
        assert re.fullmatch(rf"2 'janshi {name}: needs (torch|pyarrow): [^\\]*\[learn\]\"\\n'", line), line


def test_players_that_cannot_be_loaded_are_listed_with_what_they_need(monkeypatch: pytest.MonkeyPatch):
    from janshi.agents import onnx

    onnx._network.cache_clear()
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    result = CliRunner().invoke(app, ["agents", "--json"])
    onnx._network.cache_clear()
    assert result.exit_code == 0, result.output
    assert "player 'sl' needs onnxruntime: pip install \\\"janshi[play]\\\"" in result.stdout
