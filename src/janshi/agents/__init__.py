"""Who decides: the agent protocol and the agents that need no training. All by name: `janshi.registry`."""

from janshi.agents.efficient import EfficientAgent
from janshi.agents.planner import PlannerAgent
from janshi.agents.protocol import Agent, AgentError, Listener, Reviewer, check_agent, check_players, check_seats
from janshi.agents.random import RandomAgent

__all__ = [
    "Agent",
    "AgentError",
    "EfficientAgent",
    "Listener",
    "PlannerAgent",
    "RandomAgent",
    "Reviewer",
    "check_agent",
    "check_players",
    "check_seats",
]
