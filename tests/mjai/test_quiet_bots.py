"""Bots that print a line only when they can act: each answer is played for the decision that the bot answered."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from janshi.agents import agent
from janshi.arena import play_match
from janshi.mjai.agent import Limits, MjaiAgent
from janshi.mjai.table import KnownTable
from janshi.riichi.rules import preset
from tests.cases import mostly_long
from tests.mjai.conftest import command

_TAKEN = re.compile(r"# taken: .*answer to line (\d+)")


class Account(NamedTuple):
    """What Janshi's log tells about a game of a bot."""

    sent: list[list[dict[str, Any]]]
    """The events of each line."""
    taken: dict[int, dict[str, Any]]
    """Answers that were played, by the number of the line with their decision."""


def account(file: Path) -> Account:
    """Read a log of Janshi."""
    told = Account([], {})
    answer: dict[str, Any] = {}
    for row in file.read_text().splitlines():
        mark, _, text = row[10:].partition(" ")
        if mark == ">":
            line = json.loads(text.partition(" ")[2])
            told.sent.append(line if isinstance(line, list) else [line])
        elif mark == "<":
            answer = json.loads(text)
        elif found := _TAKEN.match(row[10:]):
            told.taken[int(found[1])] = answer
    return told


def bots_games(folder: Path) -> Iterator[list[dict[str, Any]]]:
    """Yield the bot's own account of each game: its answer to every line."""
    for file in sorted(folder.glob("*.jsonl")):
        rows: list[dict[str, Any]] = []
        for row in map(json.loads, file.read_text().splitlines()):
            if row["line"] == 1 and rows:
                yield rows
                rows = []
            rows.append(row)
        yield rows


def played(told: Account, line: int, seat: int) -> dict[str, Any]:
    """Return what the seat did first after a line."""
    later = (event for events in told.sent[line:] for event in events)
    return next(event for event in later if event.get("actor") == seat)


def check_answers(folder: Path, games: int) -> int:
    """Check that each answer to a decision was played for it, and no other; return the number of other answers."""
    accounts = [account(file) for file in sorted(folder.glob("*.txt"), key=lambda file: file.stat().st_ctime_ns)]
    own = list(bots_games(folder))
    assert len(accounts) == len(own) == games
    others = 0
    for told, rows in zip(accounts, own, strict=True):
        assert told.taken == {row["line"]: row["answer"] for row in rows if row["asked"]}
        others += sum(row["answer"] is not None and not row["asked"] for row in rows)
        for line, answer in told.taken.items():
            if answer["type"] in ("dahai", "reach"):  # a claim may give way to another seat's
                done = played(told, line, answer["actor"])
                assert {name: done[name] for name in answer} == answer
    return others


def test_the_time_to_follow_a_table_is_not_the_bots(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    hear = KnownTable.hear
    slept = False

    def compile_first(table: KnownTable, event: dict[str, Any]) -> None:
        nonlocal slept
        if not slept and event["type"] == "start_kyoku":
            time.sleep(2.5)
            slept = True
        hear(table, event)

    monkeypatch.setattr(KnownTable, "hear", compile_first)
    with MjaiAgent(f"mjai-lines:{command('quiet.py', tmp_path)}", Limits(2.0, 2.0)) as player:
        match = play_match([player, *[agent("random")] * 2], preset("tenhou-sanma-hand"), 1)
    (faults,) = match.faults.values()
    assert slept
    assert (faults.counts, faults.longest_seconds < 2.0) == ({}, True)


@pytest.mark.parametrize(
    ("bot", "form", "rules", "walls", "late"),
    mostly_long(
        [
            ("quiet.py", "mjai-lines:", "tenhou-sanma-east", 1, 100),
            ("quiet.py", "mjai:", "tenhou-east", 1, 100),
            ("quiet.mjs", "mjai-lines:", "tenhou-east", 1, 100),
            *product(("quiet.py", "quiet.mjs"), ("mjai:", "mjai-lines:"), ("tenhou-sanma",), (17,), (400,)),
            *product(("quiet.py", "quiet.mjs"), ("mjai:", "mjai-lines:"), ("tenhou",), (13,), (400,)),
        ],
        lambda bot, form, rules, walls, late: walls == 1,
    ),
)
def test_answers_are_played_for_their_own_decisions(
    bot: str, form: str, rules: str, walls: int, late: int, tmp_path: Path
) -> None:
    if bot.endswith(".mjs") and shutil.which("node") is None:
        pytest.skip("no node")
    players = preset(rules).players
    others = [agent("efficient" if walls == 1 else ("sl" if players == 3 else "sl4"))] * (players - 1)
    with MjaiAgent(form + command(bot, tmp_path, late), Limits(60, 5)) as player:
        player.log = tmp_path
        match = play_match([player, *others], preset(rules), walls, seed=9)
    (faults,) = match.faults.values()
    assert (faults.counts, faults.defaults) == ({}, 0), faults.examples
    unasked = check_answers(tmp_path, players * walls)
    assert (faults.unasked > 0) is (form == "mjai-lines:")
    assert faults.unasked <= unasked  # the last ones of a game are not read
