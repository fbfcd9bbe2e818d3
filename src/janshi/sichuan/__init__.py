"""Sichuan mahjong, "battle to the bloody end": rules, state, legal actions, moves, fan, settlement."""
