"""Custom agents, named as ``path/to/file.py:ClassName``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, cast

from janshi.agents.protocol import Agent, AgentError
from janshi.agents.registry import Loader
from janshi.plugins import PluginError, import_file, in_a_line


def is_custom(name: str) -> bool:
    """Return whether a name is that of a class in a Python file.

    >>> is_custom("mine/agent.py:Mine"), is_custom("efficient"), is_custom("agent.py")
    (True, False, True)
    """
    path, _, _ = name.rpartition(":")
    return not name.startswith("mjai") and (name.endswith(".py") or path.endswith(".py"))


def load_custom(name: str) -> Agent:
    """Return an agent of a class in a file, ``path/to/file.py:ClassName``, created without arguments.

    The class needs ``act(batch)`` and ``players`` (see `janshi.agents.protocol.Agent`). Its ``name`` defaults to that
    of the class. Raises `AgentError` with a one-line message if the agent cannot be loaded.
    """
    path, colon, class_name = name.rpartition(":")
    if not colon or not path.endswith(".py"):
        raise AgentError(f"{name}: name the class as well, {name}:ClassName")
    try:
        module = import_file(Path(path))
    except PluginError as error:
        raise AgentError(str(error)) from None
    made = getattr(module, class_name, None)
    if not isinstance(made, type):
        classes = [key for key, value in vars(module).items() if isinstance(value, type) and hasattr(value, "act")]
        there = ", ".join(classes) or "none with a method `act`"
        raise AgentError(f"{path} has no class {class_name!r}; there is {there}")
    try:
        agent: Any = made()
    except Exception as error:
        raise AgentError(f"{name} cannot be made without arguments: {in_a_line(error)}") from None
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


LOADER: Final = Loader(is_custom, load_custom)
