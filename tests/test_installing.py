"""Missing extras are reported in one line with the command to install them."""

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
    """Pretend that this version was installed from an index."""
    required = [f'{requirement}; extra == "{extra}"' for extra, names in EXTRAS.items() for requirement in names]
    monkeypatch.setattr(installing.metadata, "requires", lambda name: required)
    monkeypatch.setattr(installing, "_origin", lambda: "")
    monkeypatch.setattr(installing, "_pip", lambda: "pip")
    installing._extras.cache_clear()
    yield
    installing._extras.cache_clear()


def test_the_message_names_module_and_extra():
    assert lacking("matplotlib.backends", "report") == 'needs matplotlib: pip install "janshi[report]"'


def test_a_clone_is_installed_from_its_folder(monkeypatch: pytest.MonkeyPatch):
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
def test_every_external_module_has_an_extra(module: str, extra: str | None):
    assert extra_of(module) == extra


VERSION = f"janshi {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--version"], 0, VERSION),
        ([], 0, "Hands and records:"),
        (["--help"], 0, 'Commands need more packages: pip install "janshi[cli]"'),
        (["hand", "123m456p789s1122z"], 2, 'janshi: hand needs typer: pip install "janshi[cli]"\n'),
        (["play"], 2, 'janshi: play needs typer: pip install "janshi[web]"\n'),
        (["train"], 2, 'janshi: train needs typer: pip install "janshi[learn]"\n'),
        (["nothing"], 2, "janshi: no command 'nothing': there are play, "),
    ],
)
def test_without_any_extra_the_command_answers(
    arguments: list[str],
    code: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    for name in [name for name in sys.modules if name.partition(".")[0] in ("typer", "rich", "click")]:
        monkeypatch.delitem(sys.modules, name)
    for name in ("typer", "rich"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, "janshi.cli.program", raising=False)
    monkeypatch.delattr(cli, "program", raising=False)
    monkeypatch.setattr(sys, "argv", ["janshi", *arguments])
    try:
        runpy.run_module("janshi", run_name="__main__")
        ended: object = 0
    except SystemExit as end:
        ended = end.code
    written = capsys.readouterr()
    assert ended == code, written
    assert said in (written.err if code else written.out)
    assert "Traceback" not in written.err


@pytest.mark.parametrize(
    ("module", "lacks", "extra"),
    [
        ("janshi.web.server", "fastapi", "web"),
        ("janshi.web.messages", "pydantic", "web"),
        ("janshi.arena", "scipy", "cli"),
        ("janshi.bridges.gym", "gymnasium", "gym"),
        ("janshi.learn.trainer", "torch", "learn"),
        ("janshi.riichi.dataset", "pyarrow", "learn"),
    ],
)
def test_a_module_without_its_extra_names_the_command_to_install_it(module: str, lacks: str, extra: str):
    code = f"import sys; sys.modules[{lacks!r}] = None; import {module}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    last = done.stderr.splitlines()[-1]
    assert last.startswith(f"ModuleNotFoundError: {module} needs {lacks}: ")
    assert last.endswith(f'[{extra}]"')


def test_a_distribution_belongs_to_the_smallest_extra_with_it(monkeypatch: pytest.MonkeyPatch):
    """For any order in the metadata, which build tools sort."""
    required = ["fastapi>=1; extra == 'test'", "pytest; extra == 'test'", "fastapi>=1; extra == 'web'"]
    monkeypatch.setattr(installing.metadata, "requires", lambda name: required)
    installing._extras.cache_clear()
    assert (extra_of("fastapi"), extra_of("pydantic"), extra_of("pytest")) == ("web", "web", "test")


def test_a_missing_module_is_a_one_line_error_of_commands(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    def lack() -> None:
        raise ModuleNotFoundError("No module named 'torch'", name="torch")

    monkeypatch.setattr(cli, "app", lack)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2
    assert capsys.readouterr().err == 'janshi: this needs torch: pip install "janshi[learn]"\n'


def test_a_missing_module_without_an_extra_is_raised(monkeypatch: pytest.MonkeyPatch):
    def lack() -> None:
        raise ModuleNotFoundError("No module named 'janshi.nothing'", name="janshi.nothing")

    monkeypatch.setattr(cli, "app", lack)
    with pytest.raises(ModuleNotFoundError):
        cli.main()


@pytest.fixture
def handler() -> Iterator[None]:
    """Restore the handler of Ctrl-C."""
    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def compile_until_interrupted() -> None:
    """Simulate Numba's callback into Python, in which Ctrl-C is lost and another error follows."""
    with contextlib.suppress(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    raise RuntimeError("no compiled object yet")


@pytest.mark.usefixtures("handler")
def test_an_interruption_during_compilation_is_one_line(
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


#: Runs commands without torch and pyarrow, in a separate process because of the imports.
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
    names = ["dataset", "train", "learn", "demo"]
    done = subprocess.run([sys.executable, "-c", WITHOUT_TORCH, *names], capture_output=True, text=True)
    lines = done.stdout.splitlines()
    assert len(lines) == len(names), done.stderr
    for name, line in zip(names, lines, strict=True):
        assert re.fullmatch(rf"2 'janshi {name}: needs (torch|pyarrow): [^\\]*\[learn\]\"\\n'", line), line


def test_players_that_cannot_be_loaded_are_listed_with_their_requirements(monkeypatch: pytest.MonkeyPatch):
    from janshi.agents import onnx

    onnx._network.cache_clear()
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    result = CliRunner().invoke(app, ["agents", "--json"])
    onnx._network.cache_clear()
    assert result.exit_code == 0, result.output
    assert "player 'sl' needs onnxruntime: pip install \\\"janshi[play]\\\"" in result.stdout
