"""The registries of agents: by name or form of a name, and by what a file's networks answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from janshi import built_in
from janshi.agents.protocol import Agent, AgentError
from janshi.registries import Registry


@dataclass(frozen=True, slots=True)
class Loader:
    """A test of names, and the function that loads an agent of such a name."""

    takes: Callable[[str], bool]
    load: Callable[[str], Agent]


#: Constructors of agents by name, and loaders by the form of the names that they take, which are tried in this order.
#: Other packages add theirs by the entry points ``janshi.agents`` or `register`.
AGENTS: Final[Registry[Callable[[], Agent] | Loader]] = Registry(
    "janshi.agents", "agent", built_in.AGENTS, AgentError
)
#: Players of networks, ``(networks, name)``, by what the networks answer. ``networks``: by the decision that each
#: answers; one network that answers all decisions has the empty name.
ANSWERS: Final[Registry[Callable[[Mapping[str, Any], str], Agent]]] = Registry(
    "janshi.answers", "kind of answers", built_in.ANSWERS, AgentError
)
