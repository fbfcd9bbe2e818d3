"""Play of Riichi: the wall, legal actions, moves, endings, and steps from one decision to the next."""
