"""The examples run as documented."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from janshi.agents import agent
from janshi.arena import play_match
from janshi.mjai.agent import Limits, MjaiAgent
from janshi.riichi.rules import preset

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("rules", ["tenhou-sanma-east", "tenhou-hand"])
def test_the_bot_of_thirty_lines_plays_without_a_fault(rules: str) -> None:
    file = ROOT / "examples" / "bot.py"
    assert len([line for line in file.read_text().splitlines() if line.strip()]) <= 30
    by = preset(rules)
    with MjaiAgent(f"mjai:{sys.executable} {file}") as bot:
        match = play_match([bot, *[agent("efficient")] * (by.players - 1)], by, 1)
    (faults,) = match.faults.values()
    assert (faults.counts, faults.defaults) == ({}, 0)


def test_the_match_prints_rates_and_no_fault() -> None:
    command = [sys.executable, ROOT / "examples" / "mjai_match.py", "2"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["bot.py", "efficient", "random", "bot.py:"]
    assert done.stdout.rstrip().endswith("faults: none")


@pytest.mark.parametrize("form", ["mjai:", "mjai-lines:"])
def test_the_smallest_bot_of_the_documents_plays(form: str, tmp_path: Path) -> None:
    text = (ROOT / "docs" / "bot-makers.md").read_text()
    (shown,) = re.findall(r"(^    import json, sys\n(?:^    .*\n|^\n)*)", text, re.MULTILINE)
    file = tmp_path / "bot.py"
    file.write_text("\n".join(line[4:] for line in shown.splitlines()))
    with MjaiAgent(f"{form}{sys.executable} {file}", Limits(60, 5)) as bot:
        match = play_match([bot, *[agent("random")] * 2], preset("tenhou-sanma-east"), 1, seed=1)
    (faults,) = match.faults.values()
    assert (faults.counts, faults.unasked, faults.defaults) == ({}, 0, 0), faults.examples
    assert faults.decisions > 50


def test_the_bot_of_the_documents_plays(tmp_path: Path) -> None:
    """A player of the package as ``bot.py`` of another server, with its seat as argument."""
    text = (ROOT / "docs" / "mjai-servers.md").read_text()
    (shown,) = re.findall(r"((?:^    .*\n|^\n)*^    player = MjaiPlayer.*\n(?:^    .*\n)*)", text, re.MULTILINE)
    file = tmp_path / "bot.py"
    file.write_text("\n".join(line[4:] for line in shown.splitlines()))
    rules, one = preset("tenhou-sanma-hand"), agent("efficient")
    # The first decision loads compiled code, which may exceed the default limit of a bot on a busy machine.
    with MjaiAgent(f"mjai:{sys.executable} {file} {{seat}}", Limits(60, 60)) as bot:
        through = play_match([bot, one, one], rules, 1, seed=1)
    faults = next(iter(through.faults.values()))
    assert faults.counts == {}, faults.examples
    assert (through.hands.change == play_match([one] * 3, rules, 1, seed=1).hands.change).all()
