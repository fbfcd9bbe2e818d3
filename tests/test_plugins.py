"""Plug-in files: examples outside the package, each command in a separate process."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from janshi.agents import agent
from janshi.cli import app
from janshi.cli.options import rules_named
from janshi.compiling.rules import announce
from janshi.plugins import ENVIRONMENT, add_plugins
from janshi.records import read_games, write_games
from janshi.sample import SAMPLE
from janshi.table import Tables

PLUGINS = Path(__file__).parents[1] / "examples" / "plugins"
TINY = Path(__file__).parent / "games" / "tiny.py"


def janshi(*words: object, folder: Path, code: int = 0, said: str = "", **environment: str) -> str:
    """Run a command in a separate process; return its output, or the lines of standard error if it fails."""
    command = [sys.executable, "-m", "janshi", *map(str, words)]
    settings = {**os.environ, "JANSHI_PLAIN": "1", **environment}
    done = subprocess.run(command, cwd=folder, env=settings, capture_output=True, text=True, input=said, timeout=300)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout if code == 0 else done.stderr


def plugin(*names: str) -> list[str]:
    return [word for name in names for word in ("--plugin", str(PLUGINS / f"{name}.py"))]


OWN = plugin("dora", "shallow")


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with two games and the player ``own``, trained on them by a command."""
    pytest.importorskip("torch")
    folder = tmp_path_factory.mktemp("own")
    (folder / "games").mkdir()
    for number, game in enumerate(islice(read_games([SAMPLE]), 2)):
        (folder / "games" / f"{number}.mjlog").write_text(write_games([game], "mjlog")[0], "utf-8")
    train = ("train", "games", "--network", "shallow", "--encoder", "dora", "--out", "own", "--epochs", "0.01")
    janshi(*OWN, *train, folder=folder)
    return folder


def test_a_custom_encoder_and_network_train_and_play(own: Path) -> None:
    player = json.loads((own / "own" / "player.json").read_text())
    assert (player["network"], player["encoder"]) == ("shallow", "dora")
    assert player["origins"] == {"encoder": "dora.py", "network": "shallow.py"}
    words = ("arena", "own/player.onnx", "random", "random", "--hands", "1", "--json")
    assert json.loads(janshi(*OWN, *words, folder=own))["players"][0] == "player"


@pytest.mark.parametrize(
    ("player", "lacks", "file"),
    [("own", "no network 'shallow'", "shallow.py"), ("own/player.onnx", "no encoder 'dora'", "dora.py")],
)
def test_without_its_plugins_a_player_names_them(own: Path, player: str, lacks: str, file: str) -> None:
    said = CliRunner().invoke(app, ["arena", str(own / player), "random", "random"]).stderr
    assert f"{lacks}: the file was made with the plug-in {file}; pass --plugin {file}" in said


@pytest.mark.long
def test_a_custom_player_is_exported_reviews_and_answers_mjai(own: Path) -> None:
    match = json.loads(janshi(*OWN, "arena", "own", "random", "random", "--hands", "1", "--json", folder=own))
    assert match["players"][0] == "own"
    janshi(*OWN, "export", "own", "--out", "own.onnx", folder=own)
    review = janshi(*OWN, "review", "games/0.mjlog", "--by", "own.onnx", "--seconds", "0", "--json", folder=own)
    assert json.loads(review)["by"] == "own"
    start = json.dumps({"type": "start_game", "id": 0, "names": ["a", "b", "c"]})
    answer = janshi(*OWN, "mjai", "--agent", "own.onnx", folder=own, said=f"{start}\n")
    assert answer.startswith('{"type":"none"}')


def test_a_custom_game_is_played_by_random_and_refused_by_other_agents(tmp_path: Path) -> None:
    words = ("arena", "random", "random", "random", "--rules", "tiny", "--hands", "2", "--json")
    match = json.loads(janshi("--plugin", TINY, *words, folder=tmp_path, PYTHONPATH=_path()))
    assert match["rules"] == "tiny-hand"
    said = janshi(
        "--plugin",
        TINY,
        *[word.replace("random", "efficient") for word in words],
        folder=tmp_path,
        code=2,
        PYTHONPATH=_path(),
    )
    assert "player 'efficient' plays riichi or sichuan, not tiny" in said


def _path() -> str:
    return os.pathsep.join(filter(None, (str(TINY.parents[2]), os.environ.get("PYTHONPATH", ""))))


def test_custom_agents_rules_and_commands(tmp_path: Path) -> None:
    three = ("arena", "tsumogiri", "random", "random", "--hands", "1", "--json")
    named = janshi(*plugin("tsumogiri", "club"), *three, "--rules", "club", folder=tmp_path)
    club = f"{PLUGINS / 'club.py'}:CLUB"
    of_file = janshi(*plugin("tsumogiri"), *three, "--rules", club, folder=tmp_path)
    assert json.loads(named) == json.loads(of_file)
    assert json.loads(named)["rules"] == "club-hand"
    assert janshi(*plugin("shuffle"), "shuffle", "--tiles", "3", folder=tmp_path).strip()
    assert "Print distinct kinds" in janshi(*plugin("shuffle"), "--help", folder=tmp_path)


def test_an_installed_package_adds_agents_and_commands(tmp_path: Path) -> None:
    pytest.importorskip("setuptools")
    source, place = tmp_path / "source", tmp_path / "installed"
    shutil.copytree(PLUGINS / "package", source)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--target", place, source], check=True)
    path = os.pathsep.join(filter(None, (str(place), os.environ.get("PYTHONPATH", ""))))
    match = ("arena", "declarer", "random", "random", "--hands", "1", "--json")
    assert json.loads(janshi(*match, folder=tmp_path, PYTHONPATH=path))["hands"][0]["player"] == "declarer"
    assert "of 3 tables" in janshi("declarations", "--tables", "3", folder=tmp_path, PYTHONPATH=path)


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


def test_a_configuration_file_and_the_environment_name_plugins(tmp_path: Path) -> None:
    (tmp_path / "janshi.toml").write_text(f'plugins = ["{(PLUGINS / "shuffle.py").as_posix()}"]')
    assert janshi("shuffle", folder=tmp_path)
    (tmp_path / "janshi.toml").write_text("rules = 3")
    assert "holds one line, plugins" in janshi("agents", folder=tmp_path, code=2)
    (tmp_path / "janshi.toml").unlink()
    assert janshi("shuffle", folder=tmp_path, **{ENVIRONMENT: str(PLUGINS / "shuffle.py")})


def test_child_processes_load_the_plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENVIRONMENT, "")
    add_plugins([PLUGINS / "tsumogiri.py"])
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(name_of, "tsumogiri").result() == "tsumogiri"


def name_of(agent_name: str) -> str:
    return agent(agent_name).name


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("import nothing_there\n", "ModuleNotFoundError: No module named 'nothing_there' (broken.py, line 1)"),
        ("\n1 / 0\n", "ZeroDivisionError: division by zero (broken.py, line 2)"),
        ("def (\n", "SyntaxError: invalid syntax (broken.py, line 1)"),
        (None, "there is no such plug-in file"),
    ],
)
def test_errors_of_a_plugin_are_one_line(tmp_path: Path, text: str | None, words: str) -> None:
    if text is not None:
        (tmp_path / "broken.py").write_text(text)
    said = janshi("--plugin", "broken.py", "agents", folder=tmp_path, code=2)
    assert said.startswith("janshi: ")
    assert words in said
    assert said.count("\n") == 1


def test_an_agent_imports_modules_beside_it(tmp_path: Path) -> None:
    (tmp_path / "lies_beside.py").write_text("NAME = 'beside'\n")
    text = (PLUGINS / "tsumogiri.py").read_text().replace('name = "tsumogiri"', "name = lies_beside.NAME")
    (tmp_path / "seated.py").write_text(text.replace("import numpy", "import lies_beside\nimport numpy", 1))
    seated = f"{tmp_path / 'seated.py'}:Tsumogiri"
    match = janshi("arena", seated, "random", "random", "--hands", "1", "--json", folder=PLUGINS)
    assert json.loads(match)["players"][0] == "beside"
