"""Wrong input of a user: one line with the fault, and exit code 2."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from janshi.cli import app
from janshi.files import locked, working_in
from janshi.sample import SAMPLE
from tests.commands import janshi

pytest.importorskip("torch")
pytest.importorskip("matplotlib")

WRONG = {
    "train {sample} --out text.txt": "text.txt is a file: name a folder",
    "train text.txt --out out": "no hand of 3 players in text.txt (text.txt: neither JSON",
    "train nowhere.zip --out out": "(nowhere.zip: no such file or folder); --players chooses the number",
    "train {sample} --out out --precision foo": "no precision 'foo': there are auto, bf16-mixed and 32-true",
    "train {sample} --out out --precision bf16-mixd": "Did you mean bf16-mixed?",
    "play --no-browser --rules nothing": "no rules named 'nothing'",
    "play --no-browser --rules club.py:CLUB": "club.py: no such file",
    "play --no-browser --seat 3": "have seats 0 to 2, not 3",
    "play --no-browser nobody": "no agent 'nobody'",
    "play --no-browser --rules tenhou sl": "does not play games of 4 players",
    "play --no-browser sl sl sl": "3 agents for 2 seats",
    "play --no-browser --host 192.0.2.1": "192.0.2.1: ",
    f"play --no-browser --seed {1 << 63}": "seed",
    "play --no-browser --state text.txt": "games and reviews cannot be kept in ",
    "play --length sout --no-browser": "there are east, hand, south. Did you mean south?",
    "play --rules tenhou --watch efficient efficient efficent": "Did you mean efficient?",
    "play --rules tenhou --watch sl": "choose from sl4, sl4-2026-11-22, efficient, random, or other --rules",
    "train {sample} --out out --precision 64-true": "no precision '64-true'",
    "train {sample} --out out --start nowhere": "no player 'nowhere' to start from: sichuan, sl, sl4",
    "train nowhere.zip --out out --start sl --channels 32": "the start is a network of another shape: SuitConfig(",
    "train {sample} --out out --network none": "no network 'none': there are suits, policy",
    "train {sample} --out out --network dense": "sichuan is not learned from records",
    "train {sample} --out out --encoder none": "no encoder 'none'",
    "train {sample} --out out --shape width=3": "network 'suits' has no 'width': it has encoder, channels",
    "train {sample} --out out --shape hidden=wide": "--shape hidden=wide: hidden is a int",
    "train {sample} --out out --shape hidden=0": "hidden 0: a number is 1 or more",
    "train {sample} --out out --network meowjong": "network 'meowjong' does not answer every action",
    "train {sample} --out out --network meowjong --shape filters=0": "filters is a tuple[int, int, int, int]",
    "train {sample} --out out --network meowjong --shape filters=8,0,4,4": "filters (8, 0, 4, 4): a number",
    "train {sample} --out out --network meowjong --shape kernel=10,1": "kernel (10, 1): four of them do not fit",
    "train {sample} --out out --network meowjong --shape dropout=2": "dropout 2.0: a number is 0 or more",
    "export nowhere --out player.onnx": "nowhere holds no network that can be loaded",
    "dataset text.txt --out out": "(text.txt: neither JSON",
    "dataset {sample} --out text.txt": "text.txt is a file: name a folder",
    "learn nobody --out out": "no player 'nobody' to start from",
    "arena sl sl sl sl --rules tenhou": "does not play with four: choose rules for three with --rules",
    "arena random random": "seat 3 players, 2 are named: choose others with --rules",
    "arena random random random --rules mahjong-soul": "seat 4 players, 3 are named: --rules mahjong-soul-sanma seat 3",
    "arena sichuan random random random --rules tenhou": "not riichi: choose rules of sichuan with --rules",
    "arena nobody random random": "no agent 'nobody'",
    "arena random random random --rules none": "no rules named 'none'",
    "arena random random random random --rules tehnou": "Did you mean tenhou?",
    "compare random random --rules tenhou-sanma-hnad": "Did you mean tenhou-sanma-hand?",
    "rate run nowhere.sqlite": "nowhere.sqlite: no such pool",
    "rate show text.txt": "text.txt is no pool",
    "rate add pool.sqlite nobody": "no agent 'nobody'",
    "rate add pool.sqlite sl4": "'sl4' is for four players",
    "rate ad pool.sqlite": "unknown action 'ad'; name one of: add, run, show, page. Did you mean add?",
    "arena random random random --hands 1 --games 1": "exclude each other",
    "arena random random random --format x": "no format 'x'",
    "arena random random random --cluster nowhere": "name a cluster as local or HOST:PORT",
    "playouts 19m": "14 tiles",
    "playouts 11111m": "no tiles of a hand",
    "playouts nowhere.xml": "nowhere.xml",
    "playouts 111999m123p789p55z --scale place-ment": "no scale",
    "playouts 111999m123p789p55z --rules tenhou-sanmaa": "tenhou-sanma",
    "playouts {sample} --decision 9999": "there is no 9999",
    "playouts {sample} --hand 99": "there is no hand 99",
    "playouts 55z123m --rules sichuan": "no tiles of a hand",
    "playouts 1123m4578p123559s --rules sichuan --scale place": "no placement",
    "mjai --agent nobody": "no agent 'nobody'",
    "mjai --rules none": "no rules named",
    "mjai --rules tenhou --agent sl": "does not play with four",
    "mjai --kita north": "--kita is nukidora or kita",
    "mjai --agent efficient --tcp localhost:1": "refused",
    "mjai --agent efficient --tcp :7": "has no host",
    "tenhou --agent random --url tcp://192.0.2.1:10080": "--with-permission",
    "tenhou --agent random --join 0,553": "parlour",
    "compare nobody random": "no agent 'nobody'",
    "compare random random --rules nobodys": "no rules named",
    "convert {sample} --to nothing --out out": "no format 'nothing'",
    "hand 11111m": "holds 1m 5 times",
    "hand 123m456p789s1122z2z --rules nobodys": "no rules named 'nobodys'; there are tenhou",
    "review nowhere.mjlog": "no such file",
    "review {sample} --by efficient --game 999": "there is no game 999",
    "review {sample} --by efficient --seat 3": "there is no seat 3",
    "review {sample} --out no/such/folder/report.html": "there is no folder no/such/folder",
    "review {sample} --by nobody": "no agent 'nobody'",
    "review {sample} --by random": "'random' cannot review",
    "compare random efficient --others sl --rules tenhou": "'sl' is for three players",
    "compare random efficient --out text.txt": "text.txt is a file: name a folder",
    "demo nowhere --out out": "nowhere: no such file or folder",
    "demo text.txt --out text.txt": "text.txt is a file: name a folder",
    "reproduce meowjong --out text.txt --records {sample}": "text.txt is a file: name a folder",
    "show-observation text.txt": "neither JSON",
}


@pytest.mark.parametrize("command", WRONG)
def test_it_is_one_line(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.txt").write_text("this is no record")
    words = command.format(sample=SAMPLE).split()
    result = janshi(*words, code=2)
    last = result.stderr.splitlines()[-1]
    assert last.startswith(f"janshi {words[0]}")
    assert WRONG[command] in last
    assert "Traceback" not in result.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["text.txt"], "nothing is left behind"


@pytest.mark.parametrize(
    "command",
    [
        "dataset {sample}",
        "train {sample}",
            "reproduce meowjong --records {sample}",
        "convert {sample} --to mjai",
        "compare random efficient --walls 1",
        "demo {sample}",
    ],
)
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
