"""Decisions to learn from: hands that have been replayed, encoded again whenever they are needed.

A hand is kept as its wall, its start and its decisions (a few hundred bytes); its observations are made by playing it
again, at some microseconds each, so that nothing large is ever stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.engine import actions
from janshi.engine.play import begin_hands, step_tables
from janshi.engine.tables import lookup
from janshi.observe.meowjong import COLUMNS, observe
from janshi.records.replay import Replayer, Script
from janshi.records.sources import Damaged, Source, read_source, sources
from janshi.rules import Rules
from janshi.table import new_states, views_of

_START: Final = 8


class DatasetError(ValueError):
    """Records from which nothing can be learned."""


@dataclass(slots=True)
class Decisions:
    """Observations and what was done.

    ``columns`` (n, 366; int64 masks), ``labels`` (n, int8: kinds), ``legal`` (n, int64: masks of kinds).
    """

    columns: NDArray[np.int64]
    labels: NDArray[np.int8]
    legal: NDArray[np.int64]


@dataclass(slots=True)
class HandSet:
    """Hands of games by one rule set.

    ``walls`` (n, 136; int8), ``starts`` (n, 8; int32: kyoku, honba, deposits, dealer, points of the seats), ``taken``
    (uint8) with the decisions of hand i from ``bounds[i]`` to ``bounds[i + 1]``, ``games`` (n): the number of its game.
    """

    rules: Rules
    walls: NDArray[np.int8]
    starts: NDArray[np.int32]
    taken: NDArray[np.uint8]
    bounds: NDArray[np.int64]
    games: NDArray[np.int32]
    skipped: int = 0
    """Games left out: damaged, contradicting the rules, or of other rules."""

    def __len__(self) -> int:
        return len(self.walls)

    def part(self, which: NDArray[np.int64]) -> HandSet:
        """Return some of the hands, in that order."""
        pieces = [self.taken[self.bounds[one] : self.bounds[one + 1]] for one in which]
        bounds = np.concatenate([[0], np.cumsum([len(piece) for piece in pieces])]).astype(np.int64)
        taken = np.concatenate(pieces) if pieces else np.zeros(0, np.uint8)
        return HandSet(self.rules, self.walls[which], self.starts[which], taken, bounds, self.games[which])

    def split(self, share: float, seed: int) -> tuple[HandSet, HandSet]:
        """Return the hands of most games, and those of a share of them: no game is on both sides."""
        games = np.unique(self.games)
        shuffled = np.random.default_rng(seed).permutation(games)
        held = np.isin(self.games, shuffled[: max(1, round(share * len(games)))])
        return self.part(np.flatnonzero(~held)), self.part(np.flatnonzero(held))


def read_hands(
    paths: Iterable[str | Path], players: int, *, progress: Callable[[int], None] | None = None
) -> HandSet:
    """Read records and keep every hand that replays without a contradiction.

    Games of other numbers of players, and damaged ones, are counted and left out. ``progress`` is called with the
    games read. Raises `DatasetError` where no hand remains.
    """
    replayer = Replayer()
    scripts: list[Script] = []
    games: list[int] = []
    rules: Rules | None = None
    read = skipped = 0
    for source in sources(paths):
        for game in _games(source):
            read += 1
            if isinstance(game, Damaged) or game.players != players:
                skipped += 1
                continue
            done = replayer.replay(game, scripts=True)
            rules = rules or game.rules
            scripts += done.scripts
            games += [read] * len(done.scripts)
            if progress is not None:
                progress(read)
    if rules is None or not scripts:
        raise DatasetError(f"no hand of {players} players in {', '.join(map(str, paths))}")
    return _pack(scripts, games, rules, skipped)


def _games(source: Source | Damaged) -> Iterable[Any]:
    return (source,) if isinstance(source, Damaged) else read_source(source)


def _pack(scripts: Sequence[Script], games: Sequence[int], rules: Rules, skipped: int) -> HandSet:
    walls = np.zeros((len(scripts), 136), np.int8)
    starts = np.zeros((len(scripts), _START), np.int32)
    for place, script in enumerate(scripts):
        walls[place, : len(script.wall)] = script.wall
        starts[place, :4] = script.kyoku, script.honba, script.deposits, script.dealer
        starts[place, 4 : 4 + len(script.scores)] = script.scores
    bounds = np.concatenate([[0], np.cumsum([len(script.actions) for script in scripts])]).astype(np.int64)
    taken = np.concatenate([script.actions for script in scripts])
    # Length and end of the game do not matter within a hand: one rule set stands for all.
    return HandSet(rules, walls, starts, taken, bounds, np.array(games, np.int32), skipped)


# ---------------------------------------------------------------------------------------------------------
# Encoding


def kinds_of_discards(legal: NDArray[np.int64], drawn: NDArray[np.int8]) -> NDArray[np.int64]:
    """Return the kinds (masks, n) that may be discarded, from the first words of legal actions and the tiles drawn.

    >>> kinds_of_discards(np.array([1 << 35 | 1 << 37]), np.array([2], np.int8)).tolist() == [1 << 13 | 1 << 2]
    True
    """
    kinds = legal & ((1 << 34) - 1)
    for suit in range(3):
        kinds |= (legal >> 34 + suit & 1) << 4 + 9 * suit
    drawn_kinds = kinds_of(drawn).astype(np.int64)
    return kinds | np.where((legal >> actions.TSUMOGIRI & 1) > 0, np.int64(1) << np.maximum(drawn_kinds, 0), 0)


def kinds_of(tiles: NDArray[Any]) -> NDArray[np.int8]:
    """Return the kinds of tiles (0–36), red fives as fives."""
    wide = tiles.astype(np.int64)
    return np.where(wide < 34, wide, 4 + 9 * (wide - 34)).astype(np.int8)


def discards_of(hands: HandSet) -> Decisions:
    """Return every discard decision of some hands; none after riichi.

    All hands are played side by side, one decision after the other, and the decisions come in that order.
    """
    count = len(hands)
    states = new_states(hands.rules, count)
    table = cast("NDArray[Any]", states)
    table["wall"], table["walls_given"] = hands.walls, 1
    for place, name in enumerate(("kyoku", "honba", "deposits", "dealer")):
        table[name] = hands.starts[:, place]
    table["seats"]["points"] = hands.starts[:, 4:]
    begin_hands(states, lookup(), np.arange(count))
    lengths = np.diff(hands.bounds)
    ended = np.zeros(count, np.int8)
    change, points = np.zeros((count, 4), np.int32), np.zeros((count, 4), np.int32)
    found: list[Decisions] = []
    for step in range(int(lengths.max(initial=0))):
        which = np.flatnonzero(lengths > step)
        chosen = np.full(count, -1, np.int16)
        chosen[which] = hands.taken[hands.bounds[which] + step]
        actor = table["actor"][which]
        taken = chosen[which]
        free = table["seats"]["accepted"][which, actor] == 0
        some = which[(taken <= actions.TSUMOGIRI) & free]
        drawn = table["drawn"][some]
        tiles = np.where(chosen[some] == actions.TSUMOGIRI, drawn, chosen[some])
        columns = observe(views_of(states, some, table["actor"][some]))
        found.append(Decisions(columns, kinds_of(tiles), kinds_of_discards(table["legal"][some, 0], drawn)))
        # Hands that are over wait for nobody and are passed over.
        wrong = step_tables(states, lookup(), chosen, 0, count, False, ended, change, points)
        if wrong >= 0:
            raise DatasetError(f"hand {wrong} cannot be played by rules {hands.rules.name!r}")
    return Decisions(
        np.concatenate([one.columns for one in found] or [np.zeros((0, COLUMNS), np.int64)]),
        np.concatenate([one.labels for one in found] or [np.zeros(0, np.int8)]),
        np.concatenate([one.legal for one in found] or [np.zeros(0, np.int64)]),
    )
