"""Matches of agents on shared walls, and what they say."""
