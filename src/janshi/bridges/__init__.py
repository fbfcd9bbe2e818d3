"""Environments for reinforcement learning: Gymnasium and PettingZoo."""
