"""Bridges: other people's interfaces to the tables (Gymnasium, PettingZoo, mjai)."""
