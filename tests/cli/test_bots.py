"""Bots in commands: the same limits everywhere, results that resume, and results with a bot that was given up."""

from __future__ import annotations

import errno
import json
import shlex
import sys
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from janshi.cli import app
from janshi.cli.arena import ArenaOptions
from janshi.cli.bots import BotOptions
from janshi.cli.compare import CompareOptions
from janshi.cli.options import _parameters
from janshi.cli.rate import RunOptions
from janshi.ratings import Pool
from janshi.records.convert import _Folder
from tests.mjai.conftest import command

HAND = "tenhou-sanma-hand"
#: Answers every decision after the seconds of its first argument.
SLOW = """
import json, sys, time
for line in sys.stdin:
    events = json.loads(line)
    last = events[-1]
    if "possible_actions" in last:
        time.sleep(float(sys.argv[1]))
    drawn = last["type"] == "tsumo" and last["pai"] != "?"
    print(json.dumps({"type": "dahai", "pai": last["pai"]} if drawn else {"type": "none"}), flush=True)
"""


def slow(seconds: float) -> str:
    return f"slow=mjai:{shlex.join([sys.executable, '-c', SLOW, str(seconds)])}"


def run(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.mark.parametrize("options", [ArenaOptions, CompareOptions, RunOptions])
def test_arena_compare_and_rate_take_the_same_limits_of_bots(options: type) -> None:
    limits = {parameter.name: parameter.annotation.__metadata__[0].help for parameter in _parameters(BotOptions)}
    assert {"start_limit", "answer_limit", "fault_limit", "bot_tables"} <= limits.keys()
    taken = {parameter.name: parameter.annotation.__metadata__[0].help for parameter in _parameters(options)}
    assert limits.items() <= taken.items()


IMPATIENT = ("--answer-limit", 0.01, "--fault-limit", 2)
VOID = "slow was given up after 3 silent"


def test_a_comparison_with_a_bot_that_was_given_up_is_void(tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = ["compare", slow(0.03), "random", "--rules", HAND, "--walls", 1, "--out", out]
    void = run(*words, *IMPATIENT)
    assert void.exit_code == 1
    assert void.stdout.startswith("Void, no verdict on slow and random: " + VOID)
    assert "mean time" in void.stdout
    assert VOID in void.stderr
    told = run(*words, *IMPATIENT, "--json")
    assert told.exit_code == 1
    found = json.loads(told.stdout)
    assert found["void"][0].startswith(VOID)
    assert (found["answer"], found["faults"]["slow"]["replaced"]) == ("open", True)
    assert found["faults"]["slow"]["longest_seconds"] >= 0.01
    assert json.loads((out / "compare.json").read_text())["void"] == found["void"]
    # Its walls are not saved: with more patience the same command plays them.
    good = run("compare", slow(0), *words[2:], "--json")
    assert good.exit_code == 2  # another bot has another folder
    good = run(*words, "--answer-limit", 20, "--json")
    assert good.exit_code == 0, good.stderr
    found = json.loads(good.stdout)
    assert (found["void"], found["walls"], found["faults"]["slow"]["counts"]) == ([], 1, {})
    assert found["faults"]["slow"]["mean_seconds"] >= 0.02  # the bot may begin before its time is taken
    # … and shows them again without playing, with the bot's times.
    assert json.loads(run(*words, "--json").stdout) == found


def test_an_arena_with_bots_resumes(tmp_path: Path) -> None:
    words = ["arena", f"mjai:{command('simple.py')}", "efficient", "random", "--json", "--seed", 3]
    whole = json.loads(run(*words, "--hands", 3).stdout)
    assert run(*words, "--hands", 2, "--out", tmp_path / "out").exit_code == 0
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "out" / "walls").iterdir()}
    resumed = json.loads(run(*words, "--hands", 3, "--out", tmp_path / "out").stdout)
    (faults,), (of_all,) = resumed.pop("faults").values(), whole.pop("faults").values()
    assert resumed == whole
    assert faults["decisions"] == of_all["decisions"] == faults["answers"]
    assert len(before) == 2
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_an_arena_ends_and_saves_nothing_when_a_bot_is_given_up(tmp_path: Path) -> None:
    void = run("arena", slow(0.03), "random", "random", "--hands", 50, "--out", tmp_path, "--json", *IMPATIENT)
    assert void.exit_code == 1
    found = json.loads(void.stdout)
    assert found["walls"] < 50
    assert found["void"][0].startswith(VOID)
    assert list((tmp_path / "walls").iterdir()) == []


def test_a_pool_takes_no_game_of_a_bot_that_was_given_up(tmp_path: Path) -> None:
    pool = tmp_path / "pool.sqlite"
    assert run("rate", "add", pool, slow(0.03), "random", "--rules", HAND).exit_code == 0
    void = run("rate", "run", pool, "--games", 3, "--quiet", *IMPATIENT)
    assert void.exit_code == 1
    assert "janshi rate run: the last match is void and does not count: slow was given up" in void.stderr
    with Pool(pool) as kept:
        assert len(kept.games(3)[0].orders) == 0
    assert run("rate", "run", pool, "--games", 3, "--quiet", "--answer-limit", 20).exit_code == 0
    assert json.loads(run("rate", "show", pool, "--json").stdout)["games"] == 3


def test_a_full_disk_costs_no_record_of_a_match_that_resumes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    records = tmp_path / "records"
    words = ["arena", "random", "random", "random", "--hands", 4, "--out", tmp_path / "out", "--records", records]

    def full(place: object, name: str, text: str) -> None:
        if len(list(records.glob("*.mjlog"))) == 5:
            raise OSError(errno.ENOSPC, "No space left on device")
        save(place, name, text)

    save = _Folder.save
    with monkeypatch.context() as disk:
        disk.setattr(_Folder, "save", full)
        ended = run(*words)
    assert (ended.exit_code, len(list(records.glob("*.mjlog")))) == (2, 5)
    assert "No space left" in ended.stderr
    assert run(*words).exit_code == 0
    assert len(list(records.glob("*.mjlog"))) == 12


def test_records_that_are_missing_are_written_when_a_match_resumes(tmp_path: Path) -> None:
    records = tmp_path / "records"
    words = ["arena", "random", "random", "random", "--hands", 4, "--out", tmp_path / "out", "--records"]
    assert run(*words, records).exit_code == 0
    written = {path.name: path.read_bytes() for path in records.iterdir()}
    assert len(written) == 12
    for name in list(written)[::3]:
        (records / name).unlink()
    assert run(*words, records).exit_code == 0
    assert {path.name: path.read_bytes() for path in records.iterdir()} == written
    assert run(*words, tmp_path / "all.zip").exit_code == 0
    assert (tmp_path / "all.zip").stat().st_size > 1000
