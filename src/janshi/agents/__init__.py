"""The agent protocol, agents of any game, and agents by name.

>>> agent("random").name
'random'
"""

from janshi.agents.names import AGENTS, SOURCES, agent, agent_names, best_reviewer, description_of, register
from janshi.agents.protocol import (
    Agent,
    AgentError,
    Listener,
    Reporter,
    Reviewer,
    check_agent,
    check_players,
    check_seats,
    games_of,
)
from janshi.agents.random import RandomAgent

__all__ = [
    "AGENTS",
    "SOURCES",
    "Agent",
    "AgentError",
    "Listener",
    "RandomAgent",
    "Reporter",
    "Reviewer",
    "agent",
    "agent_names",
    "best_reviewer",
    "check_agent",
    "check_players",
    "check_seats",
    "description_of",
    "games_of",
    "register",
]
