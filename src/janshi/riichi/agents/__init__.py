"""Rule-based agents for Riichi."""

from collections.abc import Callable
from typing import Final

from janshi.agents.protocol import Agent
from janshi.riichi.agents.efficient import EfficientAgent
from janshi.riichi.agents.random import RandomChoice

__all__ = ["AGENTS", "REVIEWERS", "EfficientAgent"]

#: The game's own agents by name: its facet ``"agents"``.
AGENTS: Final[dict[str, Callable[[], Agent]]] = {"random": RandomChoice, "efficient": EfficientAgent}
#: Default reviewers by the number of players: its facet ``"reviewers"``.
REVIEWERS: Final = {3: "sl", 4: "sl4"}
