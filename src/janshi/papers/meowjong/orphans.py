"""Results of hands that begin with many terminals and honours: table 3.7 of the dissertation, on given records.

By this table the agent tries for thirteen orphans from eleven kinds on. The dissertation took its figures from
statistics of four-player games; ours count every start of every seat, whatever its player's aim, and of sanma,
where such starts are far more common.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.learn.configs import CHUNK
from janshi.riichi.actions import Action
from janshi.riichi.dataset import Decisions, HandSet, decisions
from janshi.riichi.encoders.meowjong import HAND, MEOWJONG
from janshi.riichi.state import Phase
from janshi.tiles import ORPHANS

#: Terminals and honours in the first thirteen tiles, and kinds of them: the lines of table 3.7.
STARTS: Final = ((13, 13), (13, 12), (12, 12), (12, 11), (11, 11), (11, 10))
#: Endings of a hand for a seat; the rest is another's win by another's tile.
ENDS: Final = ("drawn", "won", "dealt in", "another's tsumo")


def orphans_by_start(hands: HandSet) -> list[dict[str, Any]]:
    """Return for each of `STARTS` the number of its seats and of the endings of their hands, in counts of `ENDS`.

    Hands that were aborted by kyuushu kyuuhai do not count, nor seats that were asked nothing in the whole hand.
    """
    totals = np.zeros((len(STARTS), 1 + len(ENDS)), np.int64)
    for first in range(0, len(hands), CHUNK):
        which = np.arange(first, min(first + CHUNK, len(hands)))
        totals += _counts(decisions(hands, which, encoder=MEOWJONG))
    return [
        {"tiles": tiles, "kinds": kinds, "hands": int(row[0])}
        | {name: int(count) for name, count in zip(ENDS, row[1:], strict=True)}
        for (tiles, kinds), row in zip(STARTS, totals, strict=True)
    ]


def _counts(batch: Decisions) -> NDArray[np.int64]:
    """Rows: starts; columns: seats that began so, then each of `ENDS`."""
    counts = np.zeros((len(STARTS), 1 + len(ENDS)), np.int64)
    aborted = set(batch.hand[batch.action == Action.KYUUSHU_KYUUHAI].tolist())
    wins, turns = np.isin(batch.action, (Action.TSUMO, Action.RON)), batch.phase != Phase.CLAIM
    # The last seat that was not asked about another's tile: the winner by tsumo, or the owner of the tile.
    last_turn = dict(zip(batch.hand[turns].tolist(), batch.seat[turns].tolist(), strict=True))
    ended = dict(zip(batch.hand[wins].tolist(), batch.action[wins].tolist(), strict=True))
    keys = batch.hand.astype(np.int64) * 4 + batch.seat
    _, firsts = np.unique(keys, return_index=True)
    tiles, kinds = _terminals_and_honours(np.asarray(batch.packed)[firsts])
    for row, start in zip(firsts.tolist(), zip(tiles.tolist(), kinds.tolist(), strict=True), strict=True):
        hand, seat = int(batch.hand[row]), int(batch.seat[row])
        if start not in STARTS or hand in aborted:
            continue
        counts[STARTS.index(start), 0] += 1
        end = _end(ended.get(hand), bool(batch.won[row]), last_turn.get(hand) == seat)
        if end is not None:
            counts[STARTS.index(start), 1 + ENDS.index(end)] += 1
    return counts


def _end(action: int | None, won: bool, last: bool) -> str | None:
    """Return the result of a hand for a seat from the win that ended it; ``last``: the seat had the last turn."""
    if action is None:
        return "drawn"
    if won:
        return "won"
    if action == Action.TSUMO:
        return "another's tsumo"
    return "dealt in" if last else None


def _terminals_and_honours(packed: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the numbers of terminals and honours among the thirteen tiles, and of their kinds (n each)."""
    held = (packed[:, HAND : HAND + 4, None] >> np.array(ORPHANS, np.int64) & 1).sum(axis=1)
    return held.sum(axis=1), (held > 0).sum(axis=1)
