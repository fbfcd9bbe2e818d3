"""Play of Sichuan mahjong: the wall, legal actions, moves, settlement, and steps from one decision to the next."""
