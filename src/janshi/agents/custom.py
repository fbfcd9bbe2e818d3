"""Agents of one's own, named as ``path/to/file.py:ClassName``."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from janshi.agents.protocol import Agent, AgentError


def is_custom(name: str) -> bool:
    """Whether a name is that of a class in a Python file.

    >>> is_custom("mine/agent.py:Mine"), is_custom("efficient"), is_custom("agent.py")
    (True, False, True)
    """
    path, _, _ = name.rpartition(":")
    return not name.startswith("mjai") and (name.endswith(".py") or path.endswith(".py"))


def load_custom(name: str) -> Agent:
    """Return an agent of a class in a file, made without arguments: ``path/to/file.py:ClassName``.

    The class needs ``act(batch)`` and ``players`` (see `janshi.agents.protocol.Agent`); where it has no ``name`` it is
    called by its class's. Raises `AgentError` in one line for whatever keeps it from playing.
    """
    path, colon, class_name = name.rpartition(":")
    if not colon or not path.endswith(".py"):
        raise AgentError(f"{name}: name the class as well, {name}:ClassName")
    module = _load_module(Path(path))
    made = getattr(module, class_name, None)
    if not isinstance(made, type):
        classes = [key for key, value in vars(module).items() if isinstance(value, type) and hasattr(value, "act")]
        there = ", ".join(classes) or "none with a method `act`"
        raise AgentError(f"{path} has no class {class_name!r}; there is {there}")
    try:
        agent: Any = made()
    except Exception as error:
        raise AgentError(f"{name} cannot be made without arguments: {_line(error)}") from None
    return _checked(agent, name, class_name)


def _checked(agent: Any, name: str, class_name: str) -> Agent:
    if not callable(getattr(agent, "act", None)):
        raise AgentError(f"{name} has no method act(batch): see janshi.agents.protocol.Agent")
    if not hasattr(agent, "name"):
        agent.name = class_name
    if not isinstance(agent.name, str) or not agent.name:
        raise AgentError(f"{name}: `name` is a text, not {agent.name!r}")
    players = getattr(agent, "players", None)
    if not isinstance(players, Iterable) or isinstance(players, str):
        raise AgentError(f"{name} does not say with how many it plays: give it players = frozenset({{3, 4}})")
    numbers = frozenset(players)
    if not numbers or not all(isinstance(number, int) and not isinstance(number, bool) for number in numbers):
        raise AgentError(f"{name}: `players` are whole numbers such as frozenset({{3, 4}}), not {players!r}")
    agent.players = numbers
    return cast("Agent", agent)


def _load_module(path: Path) -> ModuleType:
    """Import a file by its path. Raises `AgentError` where that fails."""
    if not path.is_file():
        raise AgentError(f"{path}: no such file")
    module_name = f"janshi_agent_{path.stem}_{abs(hash(path.resolve())):x}"
    if module_name in sys.modules:
        return sys.modules[module_name]
    spec = importlib.util.spec_from_file_location(module_name, path)
    if spec is None or spec.loader is None:
        raise AgentError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[module_name]
        raise AgentError(f"{path} cannot be imported: {_line(error)}") from None
    return module


def _line(error: Exception) -> str:
    """The first line of an error, with its kind, and where it happened in a file that cannot be parsed."""
    text = (str(error).splitlines() or [""])[0]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
