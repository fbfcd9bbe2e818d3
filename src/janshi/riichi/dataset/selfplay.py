"""Self-play games as datasets, without records in between."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.agents.exploring import ExploringAgent
from janshi.agents.protocol import Agent, AgentError, Reviewer
from janshi.arena.matches import wall_seeds
from janshi.arena.parts import LineUp
from janshi.cluster import Here, Workers
from janshi.learn.datasets import DatasetError
from janshi.riichi.dataset.hands import HANDS_FILE, HandSet, load_hands
from janshi.rollout.driver import Driver, Observer, Seating
from janshi.table import DecisionBatch, Tables

#: Games played and written together.
_TOGETHER: Final = 500
#: Folder of a store for hands played before an interruption.
_PARTS: Final = "parts"


class HandsCollector(Observer):
    """Collects walls, starts and actions of all hands at some tables (``auto_reset=False``)."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._hand = np.full(len(tables), -1, np.int64)
        self._walls: list[NDArray[np.int8]] = []
        self._starts: list[NDArray[np.int32]] = []
        self._of: list[tuple[NDArray[np.int64], NDArray[np.int16]]] = []
        self._actions: list[tuple[NDArray[np.int64], NDArray[np.uint8]]] = []
        self._count = 0

    def started(self, tables: NDArray[np.int64]) -> None:
        """Collect walls and starts of dealt hands."""
        states = cast("NDArray[Any]", self._tables.states)
        self._hand[tables] = self._count + np.arange(len(tables))
        self._count += len(tables)
        self._walls.append(states["wall"][tables])
        starts = [states[name][tables].astype(np.int32) for name in ("kyoku", "honba", "deposits", "dealer")]
        self._starts.append(np.column_stack([*starts, states["seats"]["points"][tables]]))
        self._of.append((tables, states["hand_number"][tables].astype(np.int16)))

    def decided(self, batch: DecisionBatch, actions: NDArray[np.int16]) -> None:
        """Collect the actions of decisions."""
        self._actions.append((self._hand[batch.tables], actions.astype(np.uint8)))

    def hands(self, names: Sequence[str]) -> HandSet:
        """Return the hands collected so far, game by game; ``names``: of the tables' games (n)."""
        hand = np.concatenate([numbers for numbers, _ in self._actions])
        taken = np.concatenate([actions for _, actions in self._actions])[np.argsort(hand, kind="stable")]
        bounds = np.concatenate([[0], np.cumsum(np.bincount(hand, minlength=self._count))]).astype(np.int64)
        games = np.concatenate([tables for tables, _ in self._of])
        numbers = np.concatenate([each for _, each in self._of])
        noted = HandSet(
            rules=(self._tables.rules,),
            rule=np.zeros(self._count, np.int16),
            walls=np.concatenate(self._walls),
            starts=np.concatenate(self._starts),
            taken=taken,
            bounds=bounds,
            games=games.astype(np.int32),
            numbers=numbers,
            names=tuple(names),
        )
        return noted.part(np.lexsort((numbers, games)))


def play_games(agents: Sequence[Agent], rules: Any, games: NDArray[np.int64], seed: int = 0) -> HandSet:
    """Let agents play whole games and return their hands, determined by agents, rules, games and seed.

    Args:
        agents: as many as the rules seat; agent i sits at seat (i + game) mod players.
        rules: of whole games.
        games: numbers of the games (n), each with other walls.
        seed: of the walls.

    Raises `janshi.agents.AgentError` for agents that do not play by these rules.

    >>> from janshi.agents import RandomAgent
    >>> from janshi.riichi.rules import preset
    >>> hands = play_games([RandomAgent()] * 3, preset("tenhou-sanma"), np.arange(2))
    >>> len(np.unique(hands.games)), hands.players
    (2, 3)
    """
    tables = Tables(rules, len(games), wall_seeds(seed, games), auto_reset=False)
    collector = HandsCollector(tables)
    Driver(tables, Seating.rotated(agents, games % rules.players), [collector]).run()
    return collector.hands([f"selfplay-{rules.name}-{seed}:{game}" for game in games.tolist()])


@dataclass(frozen=True, slots=True)
class GamesPart:
    """Games ``first`` … ``last - 1`` of a player in every seat: a job of `janshi.cluster`."""

    line_up: LineUp
    seed: int
    explore: float
    first: int
    last: int

    @property
    def name(self) -> str:
        """Name of the part's folder, which depends on its games and on the files of the player."""
        line_up = self.line_up
        content = f"{line_up.agents} {line_up.versions} {line_up.rules} {self.seed} {self.explore}"
        return f"{hashlib.sha256(content.encode()).hexdigest()[:16]}-{self.first}-{self.last}"


def play_part(part: GamesPart) -> HandSet:
    """Play the games of a part. Raises `ClusterError` if the player's files differ on this machine."""
    player = part.line_up.make()[0]
    if part.explore:
        player = ExploringAgent(cast("Reviewer", player), part.explore)
    rules = part.line_up.rules
    return play_games([player] * rules.players, rules, np.arange(part.first, part.last), part.seed)


def play_store(
    player: str,
    rules: Any,
    games: int,
    seed: int = 0,
    *,
    folder: str | Path,
    explore: float = 0.0,
    team: Workers | None = None,
    progress: Callable[[int], None] | None = None,
) -> HandSet:
    """Let a player play whole games in every seat, and write their hands into a folder (`HandSet.save`).

    Games are written in parts; an interrupted call resumes with the parts that are missing. The result does not depend
    on ``team``.

    Args:
        player: as `janshi.agents.agent` takes it.
        rules: of whole games.
        games: number of games.
        seed: of walls and draws.
        folder: for the hands.
        explore: share of the decisions that are drawn from the player's flattened preferences.
        team: plays the parts (`janshi.cluster.workers`); None: this process.
        progress: called with the number of finished games.

    Raises `DatasetError` if the folder holds hands, `janshi.agents.AgentError` for a player that does not play by these
    rules, is a bot, or has no preferences to draw from.
    """
    folder = Path(folder)
    if (folder / HANDS_FILE).exists():
        raise DatasetError(f"{folder} holds hands already: name another folder, or delete it")
    line_up = LineUp.of([player] * rules.players, rules)
    if explore and not isinstance(line_up.make()[0], Reviewer):
        raise AgentError(f"--explore draws by a player's preferences, which {player!r} does not give")
    parts = [
        GamesPart(line_up, seed, explore, first, min(first + _TOGETHER, games)) for first in range(0, games, _TOGETHER)
    ]
    folders = [folder / _PARTS / part.name for part in parts]
    missing = [number for number, there in enumerate(folders) if not there.exists()]
    over = sum(parts[number].last - parts[number].first for number in {*range(len(parts))}.difference(missing))
    for number, hands in (team or Here()).each(play_part, [parts[each] for each in missing]):
        part = missing[number]
        _write_part(hands, folders[part])
        over += parts[part].last - parts[part].first
        if progress is not None:
            progress(over)
    hands = HandSet.joined([load_hands(each) for each in folders])
    hands.save(folder)
    shutil.rmtree(folder / _PARTS)
    return hands


def _write_part(hands: HandSet, folder: Path) -> None:
    new = folder.with_suffix(".new")
    shutil.rmtree(new, ignore_errors=True)
    hands.save(new)
    new.rename(folder)
