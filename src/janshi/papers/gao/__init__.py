"""The `gao` thesis: planes for convolutions and a GRU, networks for discard, pon, chii and riichi, and their player."""
