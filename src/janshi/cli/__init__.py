"""The command line: one thin module per command, imported when its command is asked for."""

from __future__ import annotations

import ast
import importlib
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup

from janshi import __version__
from janshi.cli.options import command
from janshi.installing import extra_of, lacking

#: Every command: the module of this package and the function in it. A command is a new file and a line here.
COMMANDS: Final = {
    "compile": ("compile", "compile_package"),
    "demo": ("demo", "show_demo"),
    "play": ("play", "play_table"),
    "hand": ("hand", "show_hand"),
    "convert": ("convert", "convert_records"),
    "crawl": ("crawl", "crawl_records"),
    "replay": ("replay", "replay_records"),
    "review": ("review", "review_record"),
    "show-observation": ("show_observation", "show_position"),
    "dataset": ("dataset", "make_dataset"),
    "train": ("train", "train_network"),
    "export": ("export", "export_player"),
    "search": ("search", "search_kernels"),
    "reinforce": ("reinforce", "reinforce_player"),
    "agents": ("agents", "show_agents"),
    "arena": ("arena", "play_arena"),
    "compare": ("compare", "compare_players"),
    "mjai": ("mjai", "play_mjai"),
    "tenhou": ("tenhou", "play_tenhou"),
    "tenhou-server": ("tenhou_server", "serve_tenhou"),
    "reproduce": ("reproduce", "reproduce_paper"),
}


#: Exit code after Ctrl-C.
_INTERRUPTED: Final = 130


class _Commands(TyperGroup):
    """Commands that are imported when they are run; for the list of all, their docstrings are read from the source."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return all names, in the table's order."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command as it stands in the list: its docstring alone."""
        return _listed(cmd_name) if cmd_name in COMMANDS else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that is to be run, which is imported now."""
        if args and args[0] in COMMANDS:
            return args[0], _loaded(args[0]), args[1:]
        return super().resolve_command(ctx, args)


def _loaded(name: str) -> Any:
    module, function = COMMANDS[name]
    work = getattr(importlib.import_module(f"janshi.cli.{module}"), function)
    single = typer.Typer(add_completion=False)
    single.command(name)(command(work))
    return typer.main.get_command(single)


def _listed(name: str) -> Any:
    module, function = COMMANDS[name]
    tree = ast.parse((Path(__file__).parent / f"{module}.py").read_text(encoding="utf-8"))
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}

    def nothing() -> None:
        pass

    nothing.__doc__ = ast.get_docstring(functions[function])
    single = typer.Typer(add_completion=False)
    single.command(name)(nothing)
    return typer.main.get_command(single)


app = typer.Typer(
    help="Janshi: mahjong hands, records and players.", no_args_is_help=True, cls=_Commands
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"janshi {__version__}")
        raise typer.Exit


@app.callback()
def _commands(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Keep every command named, however few there are."""


def _listen_to_interruptions() -> Callable[[], bool]:
    """Return what says whether Ctrl-C was pressed.

    Pressed while LLVM compiles, Python's exception is lost in a callback, and what follows is an error of Numba.
    """
    came: list[int] = []

    def interrupt(number: int, frame: FrameType | None) -> None:
        came.append(number)
        signal.default_int_handler(number, frame)

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupt)
    return lambda: bool(came)


def main() -> None:
    """Run the command line; an interruption ends it with exit code 130, a module that an extra brings with 2."""
    interrupted = _listen_to_interruptions()
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
    except RuntimeError:
        if not interrupted():
            raise
        print("janshi: interrupted", file=sys.stderr)
        sys.exit(_INTERRUPTED)
    except ModuleNotFoundError as error:
        extra = extra_of(error.name or "")
        if extra is None:
            raise
        print(f"janshi: this {lacking(error.name or extra, extra)}", file=sys.stderr)
        sys.exit(2)
