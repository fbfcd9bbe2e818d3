"""Results of a player, by wind, against random players."""

from __future__ import annotations

from typing import Any

import numpy as np

from janshi.agents import Agent, RandomAgent
from janshi.arena import places, play_match


def evaluate(player: Agent, rules: Any, hands: int, seed: int) -> dict[str, Any]:
    """Return the results of a player by wind: figures 4.2 to 4.5 of the dissertation of `meowjong`.

    ``win``, ``loss``, ``draw`` (rates of first places, last places, draws), ``points`` (mean change) for East, South,
    West …, each over ``hands`` hands. Raises `KeyboardInterrupt` if interrupted.
    """
    match = play_match([player, *[RandomAgent()] * (rules.players - 1)], rules, hands, seed)
    if match.interrupted:
        raise KeyboardInterrupt
    seats = match.hands.rotation.astype(np.int64) % rules.players
    winds = (seats - match.hands.dealer) % rules.players
    every = np.arange(len(seats))
    placed = places(match.hands)[every, seats]
    points = match.hands.change[every, seats]
    results: dict[str, Any] = {"win": [], "loss": [], "draw": [], "points": []}
    for wind in range(rules.players):
        which = winds == wind
        results["win"].append(float((placed[which] == 1).mean()))
        results["loss"].append(float((placed[which] == rules.players).mean()))
        results["draw"].append(float((placed[which] == 0).mean()))
        results["points"].append(float(points[which].mean()))
    return {**results, "hands": hands}
