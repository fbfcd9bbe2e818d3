"""Tenhou's client protocol: a client for our agents, and a local server that speaks as Tenhou does."""
