"""The command line as Typer has it: every command, and the options before them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup

from janshi import __version__
from janshi.cli import COMMANDS, PLUGIN_GROUP, SHIPPED, end, shipped_docstring
from janshi.cli.failing import failing
from janshi.cli.options import command
from janshi.plugins import PluginError, add_plugins, load_plugins
from janshi.registries import suggestion

#: Click's settings of commands with subcommands.
_SETTINGS: Final = {"rate": {"ignore_unknown_options": True, "allow_interspersed_args": False}}


class _Commands(TyperGroup):
    """Commands that are imported when they are run; for the list of all, their docstrings are read from the source."""

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
        if args and (meant := suggestion(args[0], COMMANDS)):
            ctx.fail(f"No such command {args[0]!r}{meant}")
        return super().resolve_command(ctx, args)


def as_click(name: str, work: Callable[[Any], None]) -> Any:
    """Return a function of one dataclass of options as a click command, which ends in one line for wrong input."""
    single = typer.Typer(add_completion=False)
    single.command(name, context_settings=_SETTINGS.get(name))(failing(name)(command(work)))
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
