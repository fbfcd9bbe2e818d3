"""Agents for Sichuan mahjong that need no training: random, the paper's heuristic, efficient."""

from janshi.agents.sichuan.heuristic import HeuristicAgent

__all__ = ["HeuristicAgent"]
