"""The agent protocol, agents of any game, and agents by name.

>>> agent("random").name
'random'
"""

from janshi.agents.names import (
    agent,
    agent_forms,
    agent_names,
    best_reviewer,
    description_of,
    file_of,
    register,
)
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
from janshi.agents.registry import AGENTS, Loader

__all__ = [
    "AGENTS",
    "Agent",
    "AgentError",
    "Listener",
    "Loader",
    "RandomAgent",
    "Reporter",
    "Reviewer",
    "agent",
    "agent_forms",
    "agent_names",
    "best_reviewer",
    "check_agent",
    "check_players",
    "check_seats",
    "description_of",
    "file_of",
    "games_of",
    "register",
]
