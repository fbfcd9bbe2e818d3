"""The command line: one thin module per command, imported when its command is run."""

from __future__ import annotations

import ast
import signal
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import Any, Final, NamedTuple, NoReturn

from janshi.installing import extra_of, lacking
from janshi.plugins import PluginError, add_plugins, configured_plugins, load_plugins
from janshi.registries import Registry


class Shipped(NamedTuple):
    """A command that ships."""

    address: str
    """``module:function`` in this package."""
    group: str
    """Its heading in ``janshi --help``."""
    extra: str
    """The extra of the package that it needs; empty if none."""


#: Commands by their headings. A command is a new file and a line here.
_GROUPS: Final = {
    "Play": {
        "play": ("play:play_table", "web"),
        "mjai": ("mjai:play_mjai", "play"),
        "tenhou": ("tenhou:play_tenhou", "web"),
        "tenhou-server": ("tenhou_server:serve_tenhou", "web"),
    },
    "Hands and records": {
        "hand": ("hand:show_hand", ""),
        "review": ("review:review_record", "play"),
        "playouts": ("playouts:show_playouts", "play"),
        "replay": ("replay:replay_records", ""),
        "convert": ("convert:convert_records", ""),
        "crawl": ("crawl:crawl_records", "play"),
        "show-observation": ("show_observation:show_position", ""),
    },
    "Players and matches": {
        "agents": ("agents:show_agents", "play"),
        "arena": ("arena:play_arena", "play"),
        "compare": ("compare:compare_players", "play"),
        "rate": ("rate:rate_players", "play"),
    },
    "Learning": {
        "demo": ("demo:show_demo", "learn"),
        "dataset": ("dataset:make_dataset", "learn"),
        "selfplay": ("selfplay:play_selfplay", "learn"),
        "train": ("train:train_network", "learn"),
        "learn": ("learn:learn_player", "learn"),
        "export": ("export:export_player", "learn"),
    },
    "Research": {"reproduce": ("reproduce:reproduce_paper", "learn")},
    "Installation": {"compile": ("compile:compile_package", "")},
}
#: Heading of the commands that plug-ins and other packages bring.
PLUGIN_GROUP: Final = "Plug-ins"
SHIPPED: Final = {
    name: Shipped(address, group, extra)
    for group, commands in _GROUPS.items()
    for name, (address, extra) in commands.items()
}

#: Every command by its name: a function of one dataclass of options (`janshi.cli.options`). Those of other packages are
#: added by entry points ``janshi.commands`` or by ``COMMANDS.register``.
COMMANDS: Final[Registry[Callable[[Any], None]]] = Registry(
    "janshi.commands", "command", {name: f"janshi.cli.{shipped.address}" for name, shipped in SHIPPED.items()}
)

#: Exit codes: bad input, and Ctrl-C.
_BAD_INPUT: Final = 2
_INTERRUPTED: Final = 130


def __getattr__(name: str) -> Any:
    """Return the application and `as_click` of `janshi.cli.program`, which imports this module."""
    if name in ("app", "as_click"):
        from janshi.cli import program

        return getattr(program, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def shipped_docstring(address: str) -> str:
    """Return the docstring of a command that ships, without importing it."""
    module, _, function = address.partition(":")
    spec = find_spec(f"janshi.cli.{module}")
    assert spec is not None
    assert spec.origin is not None
    tree = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    return ast.get_docstring(functions[function]) or ""


def _listen_to_interruptions() -> Callable[[], bool]:
    """Return a function that tells whether Ctrl-C was pressed.

    Pressed while LLVM compiles, Python's exception is lost in a callback, and what follows is an error of Numba.
    """
    came: list[int] = []

    def interrupt(number: int, frame: FrameType | None) -> None:
        came.append(number)
        signal.default_int_handler(number, frame)

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupt)
    return lambda: bool(came)


def end(words: str, code: int = _BAD_INPUT) -> NoReturn:
    """End the command line with one line on standard error."""
    print(f"janshi: {words}", file=sys.stderr)
    sys.exit(code)


def main() -> None:
    """Run the command line; exit with 130 after an interruption, with 2 for a missing module of an extra."""
    interrupted = _listen_to_interruptions()
    try:
        from janshi.cli import program

        add_plugins(configured_plugins())
        load_plugins()
        program.app()
    except PluginError as error:
        end(str(error))
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
    except RuntimeError:
        if not interrupted():
            raise
        end("interrupted", _INTERRUPTED)
    except ModuleNotFoundError as error:
        extra = extra_of(error.name or "")
        if extra is None:
            raise
        end(f"this {lacking(error.name or extra, extra)}")
