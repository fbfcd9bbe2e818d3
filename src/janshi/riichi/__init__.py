"""Riichi mahjong for three and four players: rules, state, legal actions, moves, scoring, endings."""
