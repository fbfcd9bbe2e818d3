"""Missing extras are reported in one line with the command to install them."""

from __future__ import annotations

import ast
import contextlib
import re
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from janshi import cli, installing
from janshi.cli import app, program
from janshi.installing import extra_of, install_line, lacking

ROOT = Path(__file__).parents[1]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]


def distributions(extra: str) -> list[str]:
    """Return the requirements of an extra, also those of the extras in it, as the build tool lists them."""
    contained = [re.fullmatch(r"janshi\[(.+)\]", requirement) for requirement in EXTRAS[extra]]
    inner = [name for found in contained if found for part in found[1].split(",") for name in distributions(part)]
    return [*inner, *(requirement for requirement in EXTRAS[extra] if not requirement.startswith("janshi["))]


@pytest.fixture(autouse=True)
def from_an_index(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Pretend that this version was installed from an index."""
    required = [f'{requirement}; extra == "{extra}"' for extra in EXTRAS for requirement in distributions(extra)]
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
        *(("scipy", "play"), ("onnxruntime", "play"), ("matplotlib", "report"), ("torch.nn", "learn")),
        *(("PIL.Image", "render"), ("resvg_py", "render"), ("gymnasium", "gym"), ("lightning_fabric", "learn")),
        *(("uvicorn", "web"), ("nothing_known", None)),
    ],
)
def test_every_external_module_has_an_extra(module: str, extra: str | None):
    assert extra_of(module) == extra


#: Runs commands, or imports modules, without the packages of extras, in a process of its own because of the imports.
WITHOUT_EXTRAS = """
import sys
from importlib import import_module
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {lacks}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Missing())
"""
COMMANDS = """
from typer.testing import CliRunner
from janshi.cli import app
from janshi.sample import SAMPLE
for command in sys.argv[1:]:
    result = CliRunner().invoke(app, [str(SAMPLE) if word == "SAMPLE" else word for word in command.split()])
    print(result.exit_code, repr(result.stderr))
"""
#: All import names of the packages in extras but pydantic, which newer versions of typer need too.
LACKS = [
    *("scipy", "urllib3", "platformdirs", "onnxruntime", "matplotlib", "jinja2", "torch", "safetensors"),
    *("pyarrow", "lightning_fabric", "onnx", "onnxscript", "tensorboard", "fastapi", "starlette", "uvicorn"),
    *("websockets", "resvg_py", "PIL", "gymnasium", "pettingzoo", "ray"),
]


def run_without(lacks: list[str], code: str, *words: str) -> subprocess.CompletedProcess[str]:
    text = WITHOUT_EXTRAS.format(lacks=set(lacks)) + code
    return subprocess.run([sys.executable, "-c", text, *words], capture_output=True, text=True, check=False)


def test_hands_and_records_need_no_extra(tmp_path: Path):
    convert = f"convert SAMPLE --to mjai --out {tmp_path}"
    commands = ["hand 123m456p789s1122z", "replay SAMPLE", convert, "show-observation SAMPLE", "compile --help"]
    done = run_without(LACKS, COMMANDS, *commands)
    assert [line[0] for line in done.stdout.splitlines()] == ["0"] * len(commands), done.stdout + done.stderr


def test_other_commands_name_their_extra_in_one_line(tmp_path: Path):
    """The first missing package of `demo` is in a smaller extra, which would not be enough."""
    commands = {
        "arena random random random": "play",
        "review SAMPLE": "play",
        "play": "web",
        "demo": "learn",
        f"crawl --years 2024 --out {tmp_path / 'kept'}": "play",
    }
    done = run_without(LACKS, COMMANDS, *commands)
    lines = done.stdout.splitlines()
    assert len(lines) == len(commands), done.stderr
    for (command, extra), line in zip(commands.items(), lines, strict=True):
        assert re.fullmatch(rf"2 'janshi {command.split()[0]}: needs \w+: [^\\]*\[{extra}\]\"\\n'", line), line


def test_the_engine_and_hands_load_numpy_and_numba_alone():
    code = """
import numba
before = set(sys.modules)
from janshi.riichi.hands import score
from janshi.table import Tables
score("123m456p789s1122z2z", seat="S")
tables = Tables("tenhou", 2)
tables.step(tables.legal().argmax(axis=1))
loaded = [name for name in set(sys.modules) - before if not name.startswith("__")]
print({name.partition(".")[0] for name in loaded} - set(sys.stdlib_module_names))
"""
    done = run_without([*LACKS, "typer", "rich", "click", "pydantic"], code)
    assert ast.literal_eval(done.stdout) <= {"janshi", "numpy", "numba", "llvmlite"}, done.stderr


#: Imports every module and prints the messages of those that lack a package.
MODULES = """
import importlib
from pathlib import Path
import janshi
root = Path(janshi.__file__).parents[1]
for file in sorted((root / "janshi").rglob("*.py")):
    module = ".".join(file.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
    try:
        importlib.import_module(module)
    except ModuleNotFoundError as error:
        print(f"{module}: {error}")
"""


def test_every_module_without_its_extra_names_the_command_to_install_it():
    done = run_without(LACKS, MODULES)
    said = dict(line.split(": ", 1) for line in done.stdout.splitlines())
    assert re.fullmatch(r'janshi\.bridges\.rendering needs gymnasium: .*\[gym\]"', said["janshi.bridges.gym"])
    assert re.fullmatch(r'janshi\.statistics needs scipy: .*\[play\]"', said["janshi.arena"])
    assert re.fullmatch(r'janshi\.learn\.networks needs torch: .*\[learn\]"', said["janshi.papers.gao.networks"])
    unnamed = [line for line in done.stdout.splitlines() if not re.search(r': janshi\.[\w.]+ needs \w+: .*\]"$', line)]
    assert unnamed == [], done.stderr


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

    monkeypatch.setattr(program, "app", lack)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2
    assert capsys.readouterr().err == 'janshi: this needs torch: pip install "janshi[learn]"\n'


def test_a_missing_module_without_an_extra_is_raised(monkeypatch: pytest.MonkeyPatch):
    def lack() -> None:
        raise ModuleNotFoundError("No module named 'janshi.nothing'", name="janshi.nothing")

    monkeypatch.setattr(program, "app", lack)
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
    monkeypatch.setattr(program, "app", compile_until_interrupted)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert (ended.value.code, capsys.readouterr().err) == (130, "janshi: interrupted\n")


@pytest.mark.usefixtures("handler")
def test_an_error_without_an_interruption_is_raised(monkeypatch: pytest.MonkeyPatch):
    def fail() -> None:
        raise RuntimeError("no compiled object yet")

    monkeypatch.setattr(program, "app", fail)
    with pytest.raises(RuntimeError):
        cli.main()


def test_a_command_names_itself():
    names = ["dataset", "train", "learn", "demo"]
    words = [name if name == "demo" else f"{name} x --out y" for name in names]
    lines = run_without(["torch", "pyarrow"], COMMANDS, *words).stdout.splitlines()
    assert len(lines) == len(names)
    for name, line in zip(names, lines, strict=True):
        assert re.fullmatch(rf"2 'janshi {name}: needs (torch|pyarrow): [^\\]*\[learn\]\"\\n'", line), line


def test_agents_are_named_without_torch():
    lines = run_without(["torch", "pyarrow"], COMMANDS, "agents", "arena nobody random random").stdout.splitlines()
    assert lines[0].startswith("0 ")
    assert "no agent 'nobody'" in lines[1]


def test_players_that_cannot_be_loaded_are_listed_with_their_requirements(monkeypatch: pytest.MonkeyPatch):
    from janshi.agents import onnx

    onnx._network.cache_clear()
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    result = CliRunner().invoke(app, ["agents", "--json"])
    onnx._network.cache_clear()
    assert result.exit_code == 0, result.output
    assert "player 'sl' needs onnxruntime: pip install \\\"janshi[play]\\\"" in result.stdout
