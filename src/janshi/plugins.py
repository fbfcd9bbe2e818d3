"""Plug-ins: Python files that register games, encoders, networks, agents, papers and commands.

A plug-in calls `janshi.games.register`, `janshi.encoders.register`, `janshi.agents.register` and so on. The environment
variable ``JANSHI_PLUGINS`` lists plug-in files (absolute paths, separated as in ``PATH``) and is inherited by child
processes. Every `janshi.registries.Registry` imports them before it looks up a name that does not ship. ``janshi
--plugin FILE`` and the line ``plugins = ["FILE"]`` in a ``janshi.toml`` add files to it.

A file is imported under its own name with its folder first on ``sys.path``, like a script. It can therefore import
modules beside it, and child processes find its classes.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
import tomllib
import traceback
from collections.abc import Iterable
from pathlib import Path
from threading import RLock
from types import ModuleType
from typing import Final

#: Environment variable with the plug-in files.
ENVIRONMENT: Final = "JANSHI_PLUGINS"
#: Configuration file of the working folder, and of the user's configuration folder.
CONFIG_FILE: Final = "janshi.toml"

_lock: Final = RLock()
_imported: Final[dict[Path, ModuleType | None]] = {}


class PluginError(ValueError):
    """Raised for a plug-in file or a configuration file that cannot be used."""


def import_file(path: str | Path) -> ModuleType:
    """Import a Python file once, with its folder on the path, and return its module.

    Raises `PluginError`, whose one-line message names the line of the file, if the import fails.
    """
    path = Path(path)
    file = path.absolute()
    with _lock:
        module = _imported.get(file) or _module_of(file)
        if module is None:
            module = _import(path, file)
        _imported[file] = module
    return module


def _module_of(file: Path) -> ModuleType | None:
    """Return the module of a file that was imported by its name, as in a child process."""
    module = sys.modules.get(file.stem)
    return module if module is not None and getattr(module, "__file__", None) == str(file) else None


def _import(path: Path, file: Path) -> ModuleType:
    if not file.is_file():
        raise PluginError(f"{path}: no such file")
    name = _free_name(file)
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise PluginError(f"{path} is no Python file")
    if str(file.parent) not in sys.path:
        sys.path.insert(0, str(file.parent))
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise PluginError(f"{path} cannot be imported: {in_a_line(error)}{_line_in(file, error)}") from None
    return module


def _free_name(file: Path) -> str:
    """Return the name to import a file under: its own or, if taken by another module, one derived from its path."""
    known = sys.modules.get(file.stem)
    found = None if known is not None else importlib.util.find_spec(file.stem)
    origin = getattr(known, "__file__", "") if known is not None else found.origin if found else str(file)
    if origin == str(file):
        return file.stem
    return f"{file.stem}_{hashlib.sha256(str(file).encode()).hexdigest()[:12]}"


def _line_in(file: Path, error: Exception) -> str:
    """Return an error's place in a file as ``" (mine.py, line 3)"``; empty if the message contains it."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(file)]
    return f" ({file.name}, line {lines[-1]})" if lines else ""


def in_a_line(error: Exception) -> str:
    """Return an error's class and the first line of its message.

    >>> in_a_line(ValueError("no such thing"))
    'ValueError: no such thing'
    """
    text = (str(error).splitlines() or [""])[0]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def load_plugins() -> None:
    """Import the plug-in files in ``JANSHI_PLUGINS``, each once. Raises `PluginError`."""
    named = os.environ.get(ENVIRONMENT)
    for text in named.split(os.pathsep) if named else ():
        file = Path(text).absolute()
        with _lock:
            if text and file not in _imported:
                _imported[file] = None  # its registrations use the registries, which call this function
                try:
                    import_file(file)
                except PluginError:
                    del _imported[file]
                    raise


def add_plugins(paths: Iterable[str | Path]) -> None:
    """Add plug-in files to ``JANSHI_PLUGINS``, for this process and its children.

    Raises `PluginError` for a missing file.
    """
    named = [text for text in os.environ.get(ENVIRONMENT, "").split(os.pathsep) if text]
    for path in map(Path, paths):
        if not path.is_file():
            raise PluginError(f"{path}: there is no such plug-in file")
        named.append(str(path.absolute()))
    if named:
        os.environ[ENVIRONMENT] = os.pathsep.join(dict.fromkeys(named))


def configured_plugins() -> list[Path]:
    """Return the plug-in files in the user's ``janshi.toml``, followed by those in the working folder's.

    Raises `PluginError` for an invalid configuration file.
    """
    import typer

    return [
        path
        for folder in (Path(typer.get_app_dir("janshi", roaming=False)), Path.cwd())
        for path in _read_config(folder / CONFIG_FILE)
    ]


def _read_config(file: Path) -> list[Path]:
    if not file.is_file():
        return []
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise PluginError(f"{file}: {in_a_line(error)}") from None
    unknown = [name for name in content if name != "plugins"]
    plugins = content.get("plugins", [])
    if unknown or not isinstance(plugins, list) or not all(isinstance(text, str) for text in plugins):
        raise PluginError(f'{file}: it holds one line, plugins = ["FILE", …]{", no " + unknown[0] if unknown else ""}')
    return [file.parent / text for text in plugins]
