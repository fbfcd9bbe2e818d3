"""The command line as Typer has it: every command, and the options before them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from typer.core import TyperCommand, TyperGroup

from janshi import __version__
from janshi.cli import COMMANDS, PLUGIN_GROUP, SHIPPED, end, shipped_docstring
from janshi.cli.failing import failing
from janshi.cli.options import command
from janshi.cli.synonyms import meant_command, meant_option
from janshi.plugins import PluginError, add_plugins, load_plugins

#: Click's settings of commands with subcommands.
_SETTINGS: Final = {"rate": {"ignore_unknown_options": True, "allow_interspersed_args": False}}


def _suggesting_options(parse_args: Callable[[Any, Any, list[str]], list[str]]) -> Callable[..., list[str]]:
    """Return a command's method that parses its words, and suggests an option for an unknown one."""

    def parse(self: Any, ctx: Any, args: list[str]) -> list[str]:
        try:
            return parse_args(self, ctx, args)
        except Exception as error:
            # The class of this error is not public in every version of typer.
            unknown: Any = error
            if hasattr(unknown, "option_name") and hasattr(unknown, "possibilities"):
                options = [name for parameter in self.get_params(ctx) for name in parameter.opts if name[:1] == "-"]
                unknown.message = f"No such option: {unknown.option_name}{meant_option(unknown.option_name, options)}"
                unknown.possibilities = ()
            raise

    return parse


class _Command(TyperCommand):
    parse_args = _suggesting_options(TyperCommand.parse_args)


class _Commands(TyperGroup):
    """Commands that are imported when they are run; for the list of all, their docstrings are read from the source."""

    parse_args = _suggesting_options(TyperGroup.parse_args)

    def list_commands(self, ctx: Any) -> list[str]:
        """Return all names, in the table's order."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command for the list of commands, with its docstring alone."""
        return _listed(cmd_name) if cmd_name in COMMANDS else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that is to be run, which is imported now."""
        if args and args[0] in COMMANDS:
            with failing(args[0]):
                work = COMMANDS[args[0]]
            return args[0], as_click(args[0], work), args[1:]
        if args:
            ctx.fail(f"No such command {args[0]!r}{meant_command(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)


def as_click(name: str, work: Callable[[Any], None]) -> Any:
    """Return a function of one dataclass of options as a click command, which ends in one line for wrong input."""
    single = typer.Typer(add_completion=False)
    single.command(name, cls=_Command, context_settings=_SETTINGS.get(name))(failing(name)(command(work)))
    return typer.main.get_command(single)


def _listed(name: str) -> Any:
    def nothing() -> None:
        pass

    shipped = SHIPPED.get(name)
    nothing.__doc__ = COMMANDS[name].__doc__ if shipped is None else shipped_docstring(shipped.address)
    single = typer.Typer(add_completion=False)
    single.command(name, rich_help_panel=PLUGIN_GROUP if shipped is None else shipped.group)(nothing)
    return typer.main.get_command(single)


app = typer.Typer(
    help="Janshi: mahjong hands, records and players.", no_args_is_help=True, cls=_Commands
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"janshi {__version__}")
        raise typer.Exit


def _use_plugins(files: list[Path] | None) -> None:
    try:
        add_plugins(files or ())
        load_plugins()
    except PluginError as error:
        end(str(error))


@app.callback()
def _commands(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_show_version, is_eager=True)
    ] = False,
    plugin: Annotated[
        list[Path] | None,
        typer.Option(
            "--plugin",
            help="Python file that registers games, encoders, networks, agents or commands. Repeatable.",
            callback=_use_plugins,
            is_eager=True,
        ),
    ] = None,
) -> None:
    """Take the options before the command."""
