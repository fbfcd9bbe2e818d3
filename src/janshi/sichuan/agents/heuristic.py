"""The heuristic agent of the Sichuan paper (section 3.1): a score for each tile, and three parameters.

The agent voids the suit of least total, discards the tile of least score, and makes every possible pung and kong.
Points that the paper leaves open: totals are over tiles, not kinds; ties of totals void the suit of fewer tiles, then
characters, dots, bamboo; ties of scores discard the lowest kind; kongs precede pungs, and the kong of the highest score
the others; it always wins. In the exchange, which the paper lacks, it gives the least tiles of the suit of least total
with three tiles.
"""

from __future__ import annotations

from typing import Annotated, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import AgentError, check_agent
from janshi.agents.registry import Loader
from janshi.compiling import Int16, Workspace, batched, leaf, rule
from janshi.sichuan.actions import Action
from janshi.sichuan.analysis import TileCounts, count_tiles
from janshi.sichuan.hands.concealed import ALL, suit_mask
from janshi.sichuan.state import KINDS, Phase, View
from janshi.table import DecisionBatch

#: The paper's parameters (section 3.1.2) of pungs, runs and the future.
PARAMETERS: Final = (7.5, 2.5, 1.0)


class TileScores(Workspace):
    """Scores of the kinds."""

    tiles: TileCounts  # H(t) and V(t): tiles held and visible
    score: Annotated[NDArray[np.float64], KINDS]  # S(t)
    total: Annotated[NDArray[np.float64], 3]  # of the tiles held of each suit


@leaf
def pung_score(held: int, visible: int) -> float:
    """Return S_p over I_p: how likely a pair or triplet becomes, or is, a pung."""
    if held < 2:
        return 0.0
    return held / 3 * max((5 - visible) / 3, 1.0 if held >= 3 else 0.0)


@leaf
def part_of_run(scores: TileScores, kind: int) -> float:
    """Return max(I, 1 − V / 4): 1 for a kind held, else the share of it that may still come."""
    return 1.0 if int(scores.tiles.held[kind]) else 1 - int(scores.tiles.visible[kind]) / 4


@rule
def run_score(scores: TileScores, kind: int) -> float:
    """Return S_s over I_s: the runs with a kind of which at least two of the three kinds are held."""
    total = 0.0
    for low in range(kind - 2, kind + 1):
        if low >= 0 and low // 9 == kind // 9 and low % 9 <= 6:
            held = 0
            for part in range(low, low + 3):
                held += 1 if int(scores.tiles.held[part]) else 0
            if held >= 2:
                likely = part_of_run(scores, low) * part_of_run(scores, low + 1) * part_of_run(scores, low + 2)
                total += held / 3 * likely
    return total


@rule
def score_tiles(view: View, scores: TileScores, pung: float, run: float, future: float) -> None:
    """Write S(t) = S_p + S_s + S_f of every kind, and the totals of the suits."""
    count_tiles(view, scores.tiles)
    for suit in range(3):
        scores.total[suit] = 0.0
    for kind in range(KINDS):
        held, visible = int(scores.tiles.held[kind]), int(scores.tiles.visible[kind])
        score = pung * pung_score(held, visible) + run * run_score(scores, kind) + future * (1 - visible / 4)
        scores.score[kind] = score
        scores.total[kind // 9] += held * score


@rule
def least_suit(scores: TileScores, suits: int) -> int:
    """Return the suit of least total in a mask (3 bits); ties: fewer tiles, then the first."""
    best = -1
    fewest = 0
    for suit in range(3):
        if suits >> suit & 1:
            tiles = 0
            for kind in range(9 * suit, 9 * suit + 9):
                tiles += int(scores.tiles.held[kind])
            total = float(scores.total[suit])
            if best < 0 or total < scores.total[best] or (total == scores.total[best] and tiles < fewest):
                best = suit
                fewest = tiles
    return best


@rule
def least_kind(scores: TileScores, kinds: int) -> int:
    """Return the kind of least score in a mask; of equal ones the lowest."""
    best = -1
    for kind in range(KINDS):
        if kinds >> kind & 1 and (best < 0 or scores.score[kind] < scores.score[best]):
            best = kind
    return best


@rule
def best_kind(scores: TileScores, kinds: int) -> int:
    """Return the kind of highest score in a mask; of equal ones the lowest."""
    best = -1
    for kind in range(KINDS):
        if kinds >> kind & 1 and (best < 0 or scores.score[kind] > scores.score[best]):
            best = kind
    return best


@leaf
def suits_of(kinds: int) -> int:
    """Return the suits (3 bits) of the kinds in a mask."""
    return (1 if kinds & suit_mask(0) else 0) | (2 if kinds & suit_mask(1) else 0) | (4 if kinds & suit_mask(2) else 0)


@rule
def void_or_give(view: View, scores: TileScores) -> int:
    """Void the suit of least total, or give away the least tile of it."""
    legal = int(view.legal)
    if int(view.phase) == Phase.EXCHANGE:
        return least_kind(scores, legal & suit_mask(least_suit(scores, suits_of(legal & ALL))))
    suit = least_suit(scores, 0b111)
    kinds = legal & suit_mask(suit)
    return least_kind(scores, kinds) if kinds else Action.VOID + suit


@rule
def heuristic_action(view: View, scores: TileScores, pung: float, run: float, future: float) -> Int16:
    """Return the action of the heuristic agent in a view."""
    legal = int(view.legal)
    if legal >> Action.WIN & 1:
        return Action.WIN
    if legal >> Action.EXPOSED_KONG & 1:
        return Action.EXPOSED_KONG
    if legal >> Action.PUNG & 1:
        return Action.PUNG
    score_tiles(view, scores, pung, run, future)
    if int(view.phase) == Phase.EXCHANGE or int(view.phase) == Phase.VOID:
        return void_or_give(view, scores)
    kongs = legal >> Action.OWN_KONG
    if kongs:
        return Action.OWN_KONG + best_kind(scores, kongs)
    return least_kind(scores, legal & ALL)


_heuristic_actions = batched(heuristic_action, brief=True)

#: Compiled functions of the agent, for `janshi.compiling.prepare`.
ENTRIES: Final = (_heuristic_actions,)


class HeuristicAgent:
    """See the module.

    ``parameters`` are the paper's I_p, I_s and I_f. Raises `AgentError` unless they are three finite numbers.
    """

    players = frozenset({4})
    games = frozenset({"sichuan"})
    description = "rule-based: a published heuristic that scores sets and pairs"

    def __init__(self, name: str = "heuristic", parameters: tuple[float, float, float] = PARAMETERS) -> None:
        if len(parameters) != 3 or not all(np.isfinite(parameters)):
            raise AgentError(f"the heuristic agent takes three numbers (pung, run, future), not {parameters}")
        self.name = name
        self.parameters = tuple(float(number) for number in parameters)

    def act(self, batch: DecisionBatch) -> NDArray[np.int16]:
        """Return one action for each decision: see `janshi.agents.protocol.Agent`."""
        check_agent(self, batch.rules)
        return cast("NDArray[np.int16]", _heuristic_actions(batch.views, *self.parameters))


def named_heuristic(name: str) -> HeuristicAgent:
    """Return the agent of a name such as ``"heuristic:1,1,1"``; raises `AgentError` for other than three numbers.

    >>> named_heuristic("heuristic:7,2,1").parameters
    (7.0, 2.0, 1.0)
    """
    try:
        first, second, third = (float(text) for text in name.partition(":")[2].split(","))
    except ValueError:
        raise AgentError(f"{name!r}: heuristic:PUNG,RUN,FUTURE takes three numbers (heuristic:7,2,1)") from None
    return HeuristicAgent(name, (first, second, third))


#: See `janshi.agents.registry.AGENTS`.
LOADER: Final = Loader(lambda name: name.startswith("heuristic:"), named_heuristic)
