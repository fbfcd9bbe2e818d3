"""What the Sichuan paper reports, to stand beside our figures.

Source: X. Wang, Double DQN-based AI for Sichuan Mahjong, term report. It prints whole numbers and no intervals.
"""

from __future__ import annotations

from typing import Any, Final

#: Parameters of the heuristic: of pungs, runs and the future.
Parameters = tuple[float, float, float]

#: Table 2: parameters P1 and P2, two seats each, and the average score of P1.
TOURNAMENT: Final[tuple[tuple[Parameters, Parameters, float], ...]] = (
    ((1, 1, 1), (2, 1, 1), -9.0),
    ((2, 1, 1), (3, 1, 1), -7.0),
    ((3, 1, 1), (4, 1, 1), -4.0),
    ((4, 1, 1), (5, 1, 1), 3.0),
    ((4, 1, 1), (4, 2, 1), -8.0),
    ((4, 2, 1), (5, 2, 1), -4.0),
    ((5, 2, 1), (6, 2, 1), -3.0),
    ((6, 2, 1), (7, 2, 1), -1.0),
    ((7, 2, 1), (8, 2, 1), 0.0),
    ((7, 2, 1), (7, 3, 1), 0.0),
    ((7, 2, 1), (7.5, 2.5, 1), -1.0),
)
#: Games of each pair, and of each of tables 5 to 7.
GAMES: Final = 10_000
#: Tables 5, 6, 7: average score of each kind of agent. "1, 1, 1" is the heuristic with these parameters.
SCORES: Final[dict[str, dict[str, float]]] = {
    "5": {"DDQN": 5.0, "random": -5.0},
    "6": {"DDQN": -12.0, "heuristic": 12.0},
    "7": {"DDQN": -7.0, "heuristic": 22.0, "heuristic 1, 1, 1": -5.0, "random": -10.0},
}
#: Who sits at the tables of each: agents by seat of rotation 0.
SEATS: Final[dict[str, tuple[str, ...]]] = {
    "5": ("DDQN", "random", "DDQN", "random"),
    "6": ("DDQN", "heuristic", "DDQN", "heuristic"),
    "7": ("DDQN", "heuristic", "heuristic 1, 1, 1", "random"),
}
#: Games of the training.
TRAINED: Final = 100_000
#: Parameters of the network.
PARAMETERS: Final = 91_875

#: Where the paper contradicts itself, is silent, or cannot be right.
DOUBTS: Final = (
    "It prints no scoring at all. Fans, payments and the cap are our reading of the game (preset sichuan, base 1, at "
    "most 16 points a win): signs and orders can be compared, magnitudes cannot. A mean of +22 a game for one player "
    "of four is hardly within reach with these points: its stakes must have been others.",
    "Games of training: 100,000 in sections 3 and 4.2, 10,000 in the printed loop and at the end of section 4.2. Here "
    "100,000 at the larger scales; the learning curve has a point at 10,000.",
    "The printed target takes a′ = arg max θ(s), the best action before the step. A double DQN needs the best one in "
    "the state after it: here arg max θ(s′), among legal actions.",
    "ε stands in the inner loop: it falls at every decision and reaches its end after 4,600 of them, within some 300 "
    "of 100,000 games.",
    "It names neither optimiser nor learning rate. Here: Adam with 3·10⁻⁵, which lets values be means over many hands; "
    "with 10⁻³ the player does not get ahead of a random one. Nor does it say which weights play the matches: here "
    "those of the highest point of the learning curve, which is measured on other walls.",
    "It does not say what the 35 actions are. Here: 27 discards, three void suits, pung, exposed kong, own kong, win, "
    "pass.",
    "Table 1 says nothing of winning: the heuristic wins whenever it can. Its suit to void is that of the least sum "
    "over tiles.",
    "Tables 2 and 5 to 7 are whole numbers without any spread. Ours have 95 % intervals over walls.",
)


def as_json() -> dict[str, Any]:
    """Return all of it as plain data.

    >>> as_json()["scores"]["5"]
    {'DDQN': 5.0, 'random': -5.0}
    """
    return {
        "tournament": [[list(first), list(second), score] for first, second, score in TOURNAMENT],
        "games": GAMES,
        "scores": SCORES,
        "trained": TRAINED,
        "parameters": PARAMETERS,
        "doubts": list(DOUBTS),
    }
