"""Who decides: the agent protocol and the agents that need no training."""

from janshi.agents.efficient import EfficientAgent
from janshi.agents.protocol import Agent, AgentError, Reviewer, agent, check_players, check_seats
from janshi.agents.random import RandomAgent

__all__ = ["Agent", "AgentError", "EfficientAgent", "RandomAgent", "Reviewer", "agent", "check_players", "check_seats"]
