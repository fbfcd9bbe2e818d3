"""Agents by name, by the name of this module in version 0.1: see `janshi.agents`."""

from janshi.agents.names import AGENTS, SOURCES, agent, agent_names, best_reviewer, register

__all__ = ["AGENTS", "SOURCES", "agent", "agent_names", "best_reviewer", "register"]
