"""Commands from dataclasses."""

import inspect
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

import pytest
import typer
from typer.testing import CliRunner

from janshi.agents import agent
from janshi.cli import COMMANDS, SHIPPED, app, as_click, synonyms
from janshi.cli.options import argument, command, option, rules_for
from tests.claims import cases_of
from tests.commands import janshi

RUN = CliRunner(env={"COLUMNS": "140"})


@dataclass(frozen=True)
class Config:
    batch: int = field(default=256, metadata={"help": "Situations a step."})
    names: tuple[str, ...] = ("a",)
    rate: float | None = field(default=None, metadata={"help": "Step size."})


@dataclass(frozen=True)
class Options:
    paths: list[Path] = argument("Files.")
    out: Path = option("Folder.")
    to: str = option("Format.", "--format", default="mjlog")
    more: list[str] = option("Repeatable.", default=[])
    config: Config = field(default_factory=Config)


def test_fields_become_options_also_those_of_a_configuration() -> None:
    seen: list[Options] = []
    one = typer.Typer()

    def work(options: Options) -> None:
        """Do it."""
        seen.append(options)

    def made(*words: str) -> Options:
        result = RUN.invoke(one, list(words))
        assert result.exit_code == 0, result.output
        return seen[-1]

    one.command()(command(work))
    options = made("a", "b", "--out", "o", "--format", "mjai", "--more", "x", "--more", "y")
    assert options.paths == [Path("a"), Path("b")]
    assert (options.to, options.more) == ("mjai", ["x", "y"])
    assert options.config == Config()
    assert made("a", "--out", "o", "--batch", "64").config == Config(batch=64)
    text = " ".join(RUN.invoke(one, ["--help"]).output.replace("│", " ").split())
    assert "Situations a step. [default: 256]" in text
    assert "names" not in text


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str) -> None:
    result = janshi(name, "--help")
    assert "--help" in result.output


def test_the_list_of_commands_imports_none_of_them() -> None:
    """The first lines of their docstrings are read from the sources."""
    result = RUN.invoke(app, ["--help"])
    for name, work in COMMANDS.items():
        assert name in result.output
        assert (work.__doc__ or "").split()[0] in result.output


def test_the_list_of_commands_is_in_groups() -> None:
    lines = RUN.invoke(app, ["--help"]).output
    groups = ("─ Play ─", "─ Hands and records ─", "─ Players and matches ─", "─ Learning ─", "─ Research ─")
    places = [lines.index(group) for group in groups]
    assert places == sorted(places)
    assert places[1] < lines.index("show-observation") < places[2]


def test_words_of_other_programs_name_commands_and_options_that_exist() -> None:
    """A synonym is no name itself: that one would never be suggested."""
    assert set(synonyms._COMMANDS) <= set(SHIPPED)
    assert not [word for words in synonyms._COMMANDS.values() for word in words.split() if word in SHIPPED]
    parameters = [each for name in SHIPPED for each in as_click(name, COMMANDS[name]).params]
    assert set(synonyms._OPTIONS) <= {name for parameter in parameters for name in parameter.opts}


@pytest.mark.parametrize(*cases_of("messages", "an unknown command or option is reported with the one that is meant"))
def test_an_unknown_command_or_option_is_reported_with_the_one_that_is_meant(words: str, meant: str) -> None:
    result = janshi(*words.split(), code=2)
    assert meant in result.stderr


@pytest.mark.parametrize(
    ("names", "seats", "rules"),
    [
        (["random"] * 3, 3, "tenhou-sanma"),
        (["random"] * 4, 4, "tenhou"),
        (["heuristic", *["random"] * 3], 4, "sichuan"),
        (["sl4", "sl4-int8"], None, "tenhou"),
        (["sichuan", "random"], None, "sichuan"),
        (["random"] * 2, 2, "tenhou-sanma"),  # which is refused with the option's name
    ],
)
def test_the_named_players_choose_the_rules(names: list[str], seats: int | None, rules: str) -> None:
    agents = [agent(name) for name in names]
    assert rules_for(None, agents, seats).name == rules
    assert rules_for("ema", agents, seats).name == "ema"


def numeric_options(*kinds: type) -> list[tuple[str, str, Any]]:
    """Return the options of every command of these types: command, name, what typer knows of it."""
    options = []
    for name, work in COMMANDS.items():
        for parameter in inspect.signature(command(work)).parameters.values():
            hint, described = get_args(parameter.annotation)
            if {hint, *get_args(hint)} & set(kinds):
                options.append((name, parameter.name, described))
    return options


def test_every_numeric_option_has_a_lower_bound() -> None:
    options = numeric_options(int, float)
    assert len(options) > 60
    assert [(name, option) for name, option, described in options if described.min is None] == []


def test_no_option_is_infinite_or_no_number() -> None:
    options = numeric_options(float)
    assert len(options) > 20
    for _, _, described in options:
        assert described.callback(0.5) == 0.5
        for value in (float("inf"), float("nan")):
            with pytest.raises(typer.BadParameter, match="is not a finite number"):
                described.callback(value)


@pytest.mark.parametrize("words", ["selfplay sl --out o --explore=nan", "playouts 19m --seconds=inf"])
def test_a_number_that_is_not_finite_ends_a_command_in_words(words: str) -> None:
    result = janshi(*words.split(), code=2)
    assert f"Invalid value for '{words.split()[-1].split('=')[0]}'" in result.stderr
    assert "Traceback" not in result.stderr
