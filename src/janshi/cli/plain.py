"""The command line of an installation without extras: its version, the list of commands, and ``janshi hand``."""

from __future__ import annotations

import argparse
import dataclasses
from typing import Any, get_type_hints

from janshi import __version__
from janshi.cli import SHIPPED, end, shipped_docstring
from janshi.cli.options import HELP, NAMES, TYPER, is_argument
from janshi.installing import install_line, lacking


def run(words: list[str]) -> None:
    """Run a command that the standard library suffices for; end any other one with the line that installs it."""
    name, *rest = words or ["--help"]
    if name == "--version":
        print(f"janshi {__version__}")
    elif name in ("--help", "-h"):
        print(_listing())
    elif name == "hand":
        from janshi.cli.failing import failing
        from janshi.cli.hand import HandOptions, show_hand

        with failing(name):
            show_hand(_parsed("janshi hand", HandOptions, show_hand.__doc__, rest))
    elif name in SHIPPED:
        end(f"{name} {lacking('typer', SHIPPED[name].extra)}")
    else:
        end(f"no command {name!r}: there are {', '.join(SHIPPED)}")


def _listing() -> str:
    """The commands by their headings, with the first line of each one's docstring."""
    lines = ["usage: janshi [--version] [--help] COMMAND …"]
    group = ""
    for name, shipped in SHIPPED.items():
        if shipped.group != group:
            group = shipped.group
            lines += ["", f"{group}:"]
        lines.append(f"  {name:<18}{shipped_docstring(shipped.address).partition(chr(10))[0]}")
    return "\n".join([*lines, "", f"All but hand need more packages: {install_line('cli')}"])


def _parsed(program: str, options: type, description: str | None, words: list[str]) -> Any:
    """Read a dataclass of options (`janshi.cli.options`) from the command line."""
    parser = argparse.ArgumentParser(program, description=description)
    hints = get_type_hints(options)
    for field in dataclasses.fields(options):
        _add(parser, field, hints[field.name])
    given = vars(parser.parse_args(words))
    for field in dataclasses.fields(options):
        bounds, value = field.metadata[TYPER], given.get(field.name)
        if isinstance(value, int) and not bounds.get("min", value) <= value <= bounds.get("max", value):
            parser.error(f"--{field.name}: {value} is not from {bounds.get('min')} to {bounds.get('max')}")
    return options(**given)


def _add(parser: argparse.ArgumentParser, field: dataclasses.Field[Any], hint: Any) -> None:
    """Add the argument or option of a field, which is left out of the result where it is not given."""
    text = field.metadata[HELP].replace("%", "%%")
    if is_argument(field):
        parser.add_argument(field.name, help=text)
        return
    names = field.metadata[NAMES] or (f"--{field.name.replace('_', '-')}",)
    settings: dict[str, Any] = {"dest": field.name, "help": text, "default": argparse.SUPPRESS}
    if hint is bool:
        yes, _, no = names[0].partition("/")
        parser.add_argument(yes, action="store_true", **settings)
        if no:
            parser.add_argument(no, action="store_false", **settings)
    elif hint == list[str]:
        parser.add_argument(*names, action="append", **settings)
    else:
        parser.add_argument(*names, type=int if hint is int else str, **settings)
