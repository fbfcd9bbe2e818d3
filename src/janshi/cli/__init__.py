"""The command line: one thin module per command, imported when its command is asked for."""

from __future__ import annotations

import ast
import signal
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import Annotated, Any, Final, NoReturn

import typer
from typer.core import TyperGroup

from janshi import __version__
from janshi.cli.options import command
from janshi.installing import extra_of, lacking
from janshi.plugins import PluginError, add_plugins, configured_plugins, load_plugins
from janshi.registries import Registry, suggestion

#: Every command: the module of this package and the function in it. A command is a new file and a line here.
_SHIPPED: Final = {
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
    "reinforce": ("reinforce", "reinforce_player"),
    "agents": ("agents", "show_agents"),
    "arena": ("arena", "play_arena"),
    "compare": ("compare", "compare_players"),
    "mjai": ("mjai", "play_mjai"),
    "tenhou": ("tenhou", "play_tenhou"),
    "tenhou-server": ("tenhou_server", "serve_tenhou"),
    "reproduce": ("reproduce", "reproduce_paper"),
    "paper": ("paper", "run_paper"),
}

#: Commands of the version before, and what they are now.
_MOVED: Final = {"search": "paper meowjong search"}

#: Every command by its name: a function of one dataclass of options (`janshi.cli.options`). Those of other packages are
#: added by entry points ``janshi.commands`` or by ``COMMANDS.register``.
COMMANDS: Final[Registry[Callable[[Any], None]]] = Registry(
    "janshi.commands", "command", {name: f"janshi.cli.{module}:{work}" for name, (module, work) in _SHIPPED.items()}
)

#: Click's settings of a command: what follows the name of a paper belongs to that paper's command.
_SETTINGS: Final[dict[str, dict[str, Any]]] = {
    "paper": {"ignore_unknown_options": True, "allow_interspersed_args": False}
}

#: Exit codes: bad input, and Ctrl-C.
_BAD_INPUT: Final = 2
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
            return args[0], as_click(args[0], COMMANDS[args[0]]), args[1:]
        if args and args[0] in _MOVED:
            _end(f"{args[0]} is now: janshi {_MOVED[args[0]]}")
        if args and (meant := suggestion(args[0], COMMANDS)):
            ctx.fail(f"No such command {args[0]!r}{meant}")
        return super().resolve_command(ctx, args)


def as_click(name: str, work: Callable[[Any], None]) -> Any:
    """Return a function of one dataclass of options as a click command."""
    single = typer.Typer(add_completion=False)
    single.command(name, context_settings=_SETTINGS.get(name))(command(work))
    return typer.main.get_command(single)


def _listed(name: str) -> Any:
    def nothing() -> None:
        pass

    nothing.__doc__ = _shipped_docstring(*_SHIPPED[name]) if name in _SHIPPED else COMMANDS[name].__doc__
    single = typer.Typer(add_completion=False)
    single.command(name)(nothing)
    return typer.main.get_command(single)


def _shipped_docstring(module: str, function: str) -> str | None:
    spec = find_spec(f"janshi.cli.{module}")
    assert spec is not None
    assert spec.origin is not None
    tree = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    return ast.get_docstring(functions[function])


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
        _end(str(error))


@app.callback()
def _commands(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_show_version, is_eager=True)
    ] = False,
    plugin: Annotated[
        list[Path] | None,
        typer.Option(
            "--plugin",
            help="Python file that makes games, encoders, networks, agents or commands known. Repeatable.",
            callback=_use_plugins,
            is_eager=True,
        ),
    ] = None,
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


def _end(words: str, code: int = _BAD_INPUT) -> NoReturn:
    print(f"janshi: {words}", file=sys.stderr)
    sys.exit(code)


def main() -> None:
    """Run the command line; an interruption ends it with exit code 130, a module that an extra brings with 2."""
    interrupted = _listen_to_interruptions()
    try:
        add_plugins(configured_plugins())
        load_plugins()
        app()
    except PluginError as error:
        _end(str(error))
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
    except RuntimeError:
        if not interrupted():
            raise
        _end("interrupted", _INTERRUPTED)
    except ModuleNotFoundError as error:
        extra = extra_of(error.name or "")
        if extra is None:
            raise
        _end(f"this {lacking(error.name or extra, extra)}")
