"""Agents for Sichuan mahjong that need no training: the paper's heuristic, and efficient."""

from collections.abc import Callable
from typing import Final

from janshi.agents.protocol import Agent
from janshi.sichuan.agents.efficient import EfficientAgent
from janshi.sichuan.agents.heuristic import HeuristicAgent

__all__ = ["AGENTS", "REVIEWERS", "EfficientAgent", "HeuristicAgent"]

#: The game's own agents by name: its facet ``"agents"``.
AGENTS: Final[dict[str, Callable[[], Agent]]] = {"efficient": EfficientAgent, "heuristic": HeuristicAgent}
#: Players that ship and review best, by the number of players: its facet ``"reviewers"``.
REVIEWERS: Final = {4: "sichuan"}
