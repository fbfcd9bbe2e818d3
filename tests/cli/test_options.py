"""Commands from dataclasses."""

from dataclasses import dataclass, field
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from janshi.cli import COMMANDS, app
from janshi.cli.options import argument, command, option

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
    result = RUN.invoke(app, [name, "--help"])
    assert result.exit_code == 0, result.output
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


@pytest.mark.parametrize(("name", "meant"), [("nothing", ""), ("aren", ". Did you mean arena?")])
def test_an_unknown_command_is_reported_with_the_closest_one(name: str, meant: str) -> None:
    result = RUN.invoke(app, [name])
    assert result.exit_code == 2
    assert f"No such command {name!r}{meant}" in result.stderr


def test_help_names_the_writable_formats():
    from janshi.cli.options import RECORD_FORMATS
    from janshi.records import FORMATS

    assert tuple(name for name, each in FORMATS.items() if each.write is not None) == RECORD_FORMATS
