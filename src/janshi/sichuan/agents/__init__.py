"""Rule-based agents for Sichuan mahjong."""

from collections.abc import Callable
from typing import Final

from janshi.agents.protocol import Agent
from janshi.sichuan.agents.efficient import EfficientAgent
from janshi.sichuan.agents.heuristic import HeuristicAgent

__all__ = ["AGENTS", "REVIEWERS", "EfficientAgent", "HeuristicAgent"]

#: The game's own agents by name: its facet ``"agents"``.
AGENTS: Final[dict[str, Callable[[], Agent]]] = {"efficient": EfficientAgent, "heuristic": HeuristicAgent}
#: Default reviewers by the number of players: its facet ``"reviewers"``.
REVIEWERS: Final = {4: "sichuan"}
