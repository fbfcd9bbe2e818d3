"""Plug-in files: examples outside the package."""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from janshi import cli
from janshi.agents import agent
from janshi.cli import app, main
from janshi.cli.options import rules_named
from janshi.compiling.rules import announce
from janshi.plugins import ENVIRONMENT, add_plugins
from janshi.records import read_games, write_games
from janshi.sample import SAMPLE
from janshi.table import Tables
from tests.claims import cases_of
from tests.plugged import PLUGINS, nothing_registered


@pytest.fixture(autouse=True)
def _nothing_registered(tmp_path: Path) -> Iterator[None]:
    with nothing_registered(PLUGINS, tmp_path):
        yield


def janshi(*words: object, code: int = 0, said: str = "") -> str:
    """Run a command; return its output, or the lines of standard error if it fails."""
    done = CliRunner().invoke(app, [*map(str, words)], input=said)
    assert done.exit_code == code, done.output
    return done.stdout if code == 0 else done.stderr


def plugin(*names: str) -> list[str]:
    return [word for name in names for word in ("--plugin", str(PLUGINS / f"{name}.py"))]


OWN = plugin("dora", "shallow")


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with two games and the player ``own``, trained on them by a command."""
    pytest.importorskip("janshi.learn.networks", exc_type=ModuleNotFoundError)
    folder = tmp_path_factory.mktemp("own")
    (folder / "games").mkdir()
    for number, game in enumerate(islice(read_games([SAMPLE]), 2)):
        (folder / "games" / f"{number}.mjlog").write_text(write_games([game], "mjlog")[0], "utf-8")
    train = ("train", folder / "games", "--network", "shallow", "--encoder", "dora", "--out", folder / "own")
    with nothing_registered(PLUGINS):
        janshi(*OWN, *train, "--epochs", "0.01")
    return folder


def test_a_custom_encoder_and_network_train_and_play(own: Path) -> None:
    player = json.loads((own / "own" / "player.json").read_text())
    assert (player["network"], player["encoder"]) == ("shallow", "dora")
    assert player["origins"] == {"encoder": "dora.py", "network": "shallow.py"}
    match = janshi(*OWN, "arena", own / "own" / "player.onnx", "random", "random", "--hands", "1", "--json")
    assert json.loads(match)["players"][0] == "player"


@pytest.mark.parametrize(
    ("player", "lacks", "file"),
    [("own", "no network 'shallow'", "shallow.py"), ("own/player.onnx", "no encoder 'dora'", "dora.py")],
)
def test_without_its_plugins_a_player_names_them(own: Path, player: str, lacks: str, file: str) -> None:
    said = janshi("arena", own / player, "random", "random", code=2)
    assert f"{lacks}: the file was made with the plug-in {file}; pass --plugin {file}" in said


@pytest.mark.long
def test_a_custom_player_is_exported_reviews_and_answers_mjai(own: Path) -> None:
    match = json.loads(janshi(*OWN, "arena", own / "own", "random", "random", "--hands", "1", "--json"))
    assert match["players"][0] == "own"
    janshi("export", own / "own", "--out", own / "own.onnx")
    record = own / "games" / "0.mjlog"
    review = janshi("review", record, "--seat", "0", "--by", own / "own.onnx", "--hands", "0", "--json")
    assert json.loads(review)["by"] == "own"
    start = json.dumps({"type": "start_game", "id": 0, "names": ["a", "b", "c"]})
    answer = janshi("mjai", "--agent", own / "own.onnx", said=f"{start}\n")
    assert answer.startswith('{"type":"none"}')


def test_custom_agents_rules_and_commands() -> None:
    three = ("arena", "tsumogiri", "random", "random", "--hands", "1", "--json", "--rules")
    club = f"{PLUGINS / 'club.py'}:CLUB"
    of_file = json.loads(janshi(*plugin("tsumogiri"), *three, club))
    assert of_file["rules"] == "club-hand"
    assert json.loads(janshi(*plugin("club"), *three, "club")) == of_file
    assert janshi(*plugin("shuffle"), "shuffle", "--tiles", "3").strip()
    assert "Print distinct kinds" in janshi("--help")


def test_an_installed_package_adds_agents_and_commands(tmp_path: Path) -> None:
    project = tomllib.loads((PLUGINS / "package" / "pyproject.toml").read_text())["project"]
    metadata = tmp_path / f"janshi_declarer-{project['version']}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Name: {project['name']}\nVersion: {project['version']}\n")
    points = [
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in named.items())
        for group, named in project["entry-points"].items()
    ]
    (metadata / "entry_points.txt").write_text("".join(points))
    sys.path[:0] = [str(tmp_path), str(PLUGINS / "package")]
    match = janshi("arena", "declarer", "random", "random", "--hands", "1", "--json")
    assert json.loads(match)["hands"][0]["player"] == "declarer"
    assert "of 3 tables" in janshi("declarations", "--tables", "3")


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        (("arena", "random", "random", "random", "--hands", "1", "--json"), "club-hand"),
        (("compare", "random", "efficient", "--walls", "2", "--json"), "club"),
        (("show-observation",), "random game 0 (club)"),
        (("hand", "123p456p789s1122z2z", "--riichi", "--json"), '"shanten": -1'),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else None,
)
def test_rules_of_a_file_are_accepted_like_presets(words: tuple[str, ...], printed: str) -> None:
    club = f"{PLUGINS / 'club.py'}:CLUB"
    assert printed in CliRunner().invoke(app, [*words, "--rules", club]).stdout
    for wrong, said in (("NONE", "has no rules 'NONE'"), ("dataclasses", "is no rule set of riichi, sichuan")):
        result = CliRunner().invoke(app, [*words, "--rules", club.replace("CLUB", wrong)])
        assert result.exit_code == 2
        assert said in result.stderr


@pytest.mark.long
def test_a_record_of_registered_rules_is_reviewed_by_them(tmp_path: Path) -> None:
    club = f"{PLUGINS / 'club.py'}:CLUB"
    words = ("arena", "efficient", "random", "random", "--hands", "1", "--records", tmp_path, "--format", "mjai")
    CliRunner().invoke(app, [*map(str, words), "--rules", club])
    record = next(tmp_path.rglob("*.jsonl"))
    result = CliRunner().invoke(app, ["review", str(record), "--seat", "0", "--by", "efficient", "--json"])
    assert json.loads(result.stdout)["rules"] == "club-hand"


def test_custom_rules_compile_nothing() -> None:
    compiled: list[str] = []

    def play(rules: Any) -> None:
        tables = Tables(rules, 100, 1)
        for _ in range(5):
            tables.step(agent("random").act(tables.decisions()))

    play("tenhou-sanma")
    announce(compiled.append)
    try:
        play(rules_named(f"{PLUGINS / 'club.py'}:CLUB"))
    finally:
        announce(None)
    assert compiled == []


def test_a_configuration_file_and_the_environment_name_plugins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cli, "_listen_to_interruptions", lambda: lambda: False)

    def run(word: str, environment: str = "") -> tuple[int | str | None, str]:
        monkeypatch.setattr(sys, "argv", ["janshi", word])
        with nothing_registered(PLUGINS):
            monkeypatch.setenv(ENVIRONMENT, environment)
            with pytest.raises(SystemExit) as ended:
                main()
        return ended.value.code, capsys.readouterr().err

    Path("janshi.toml").write_text(f'plugins = ["{(PLUGINS / "shuffle.py").as_posix()}"]')
    assert run("shuffle") == (0, "")
    Path("janshi.toml").write_text("rules = 3")
    code, error = run("agents")
    assert (code, "holds one line, plugins" in error) == (2, True)
    Path("janshi.toml").unlink()
    assert run("shuffle", str(PLUGINS / "shuffle.py")) == (0, "")
    assert run("shuffle")[0] == 2


def test_child_processes_load_the_plugins() -> None:
    add_plugins([PLUGINS / "tsumogiri.py"])
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(name_of, "tsumogiri").result() == "tsumogiri"


def name_of(agent_name: str) -> str:
    return agent(agent_name).name


@pytest.mark.parametrize(*cases_of("messages", "errors of a plugin are one line"))
def test_errors_of_a_plugin_are_one_line(tmp_path: Path, text: str | None, words: str) -> None:
    if text is not None:
        (tmp_path / "broken.py").write_text(text)
    said = janshi("--plugin", tmp_path / "broken.py", "agents", code=2)
    assert said.startswith("janshi: ")
    assert words in said
    assert said.count("\n") == 1


def test_an_agent_imports_modules_beside_it(tmp_path: Path) -> None:
    (tmp_path / "lies_beside.py").write_text("NAME = 'beside'\n")
    text = (PLUGINS / "tsumogiri.py").read_text().replace('name = "tsumogiri"', "name = lies_beside.NAME")
    (tmp_path / "seated.py").write_text(text.replace("import numpy", "import lies_beside\nimport numpy", 1))
    seated = f"{tmp_path / 'seated.py'}:Tsumogiri"
    match = janshi("arena", seated, "random", "random", "--hands", "1", "--json")
    assert json.loads(match)["players"][0] == "beside"
