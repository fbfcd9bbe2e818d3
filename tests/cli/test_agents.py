"""``janshi agents``, and the output of the arena and the demo."""

from __future__ import annotations

import json
import re
import shlex

import pytest
from typer.testing import CliRunner

from janshi.agents import agent_names
from janshi.cli import COMMANDS, app, as_click
from janshi.cli.rate import ACTIONS
from janshi.players import strength
from janshi.players.strength import Rating, Strength
from tests.commands import janshi

RUNNER = CliRunner()


def test_agents_list_their_games():
    result = janshi("agents", "--json")
    listed = {row["name"]: row for row in json.loads(result.stdout)}
    assert list(listed) == list(agent_names())
    assert (listed["efficient"]["games"], listed["efficient"]["players"]) == (["riichi", "sichuan"], [3, 4])
    assert (listed["heuristic"]["games"], listed["heuristic"]["players"]) == (["sichuan"], [4])
    assert all(row["what"] for row in listed.values())
    for name in ("random", "efficient", "heuristic"):
        assert listed[name]["needs"] is None


ARENA = "janshi arena efficient random random --rules tenhou-sanma --hands 7"
SHOW = "janshi rate show pool.sqlite"


def test_the_table_of_agents_shows_strengths_and_ratings_with_their_commands(monkeypatch: pytest.MonkeyPatch):
    measured = Strength("efficient", "random", "tenhou-sanma", 21, 5432.1, 987.6, 0.5, ARENA)
    monkeypatch.setattr(strength, "read_strengths", lambda: [measured])
    rated = Rating("efficient", "tenhou-sanma", 1481.0, 1350.0, 1613.0, 90, SHOW)
    monkeypatch.setattr(strength, "read_ratings", lambda: [rated])
    result = RUNNER.invoke(app, ["agents"], env={"COLUMNS": "200"})
    assert result.exit_code == 0, result.output
    for words in ("+5,432 ± 988 against random", "1,481 (1,350 to 1,613), tenhou-sanma", f"  {ARENA}\n", f"  {SHOW}\n"):
        assert words in result.stdout


def test_every_measured_strength_has_a_valid_command():
    for row in strength.read_strengths():
        name, arena, *words = shlex.split(row.command)
        assert (name, arena, words[0]) == ("janshi", "arena", row.agent)
        options = as_click("arena", COMMANDS["arena"]).make_context("arena", words).params
        assert options["players"][1:] == [row.against] * (len(options["players"]) - 1)
        assert options["rules"] == row.rules
        assert row.hands == options["hands"] * len(options["players"])


def test_every_rating_has_the_commands_of_its_games():
    for rating in strength.read_ratings():
        add, run, show = (shlex.split(line) for line in rating.command.split(" && "))
        assert all(words[:2] == ["janshi", "rate"] for words in (add, run, show))
        options = as_click("add", ACTIONS["add"]).make_context("add", add[3:]).params
        assert rating.agent in options["players"]
        assert options["rules"] == rating.rules
        assert as_click("run", ACTIONS["run"]).make_context("run", run[3:]).params["games"] >= rating.games
        assert rating.low <= rating.rating <= rating.high


def test_the_arena_prints_seats_on_request():
    command = ["arena", "random", "random", "random", "--hands", "2"]
    short, long = RUNNER.invoke(app, command).stdout, RUNNER.invoke(app, [*command, "--seats"]).stdout
    assert "East" not in short
    assert long.count("East") == 2 * 3
    assert len(short.splitlines()) < len(long.splitlines())


def test_the_arena_names_players_with_their_games():
    text = " ".join(RUNNER.invoke(app, ["arena", "--help"], env={"COLUMNS": "200"}).stdout.split())
    for name in agent_names():
        assert re.search(rf"\b{name}\b", text), name
    assert "janshi agents" in text
