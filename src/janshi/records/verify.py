"""Replay of collections: every record of files, folders and archives, optionally in several processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from janshi.cluster import in_order, workers
from janshi.records.formats import Damaged, Remarks
from janshi.records.recorder import Mismatch, RecordedGame, Replayed, recorder_of
from janshi.records.sources import Source, read_source, sources

_CHUNK = 64


@dataclass(slots=True)
class Tally:
    """Results of one archive or folder."""

    games: int = 0
    hands: int = 0
    decisions: int = 0
    walls: int = 0  # hands replayed with their real wall
    mismatches: list[Mismatch] = field(default_factory=list)
    damaged: list[Damaged] = field(default_factory=list)
    remarks: Remarks = field(default_factory=Remarks)

    @property
    def fine(self) -> bool:
        """True if every hand could be read and matched."""
        return not (self.mismatches or self.remarks.cut or self.damaged)

    def add(self, other: Tally | Replayed) -> None:
        """Add another tally, or a replayed game."""
        self.games += other.games if isinstance(other, Tally) else 1
        self.hands += other.hands
        self.decisions += other.decisions
        self.walls += other.walls
        self.mismatches += other.mismatches
        self.damaged += other.damaged if isinstance(other, Tally) else []
        self.remarks.add(other.remarks)

    def add_damaged(self, damaged: Damaged) -> None:
        """Add a record that cannot be read; a game of which all hands are cut counts as a game with cut hands."""
        if damaged.cut:
            self.games += 1
            self.remarks.cut += [f"{damaged.source}, {hand}" for hand in damaged.cut]
        else:
            self.damaged.append(damaged)


def verify(
    paths: Iterable[str | Path],
    *,
    jobs: int = 1,
    cluster: str | None = None,
    progress: Callable[[dict[str, Tally]], None] | None = None,
) -> dict[str, Tally]:
    """Replay every record; return the results by archive or folder, in the order of the records.

    ``progress`` is called at intervals with the results so far. Damaged records are listed and skipped; the content of
    a record never raises an error. The result is the same for any number of ``jobs`` (processes), and on a ``cluster``:
    see `janshi.cluster.workers`, whose errors are raised.
    """
    tallies: dict[str, Tally] = {}
    with workers(cluster, jobs) as team:
        for archive, tally in in_order(team.each(_replay_chunk, _listed(paths, tallies))):
            tallies.setdefault(archive, Tally()).add(tally)
            if progress is not None:
                progress(tallies)
    return tallies


def _replay_chunk(chunk: tuple[str, list[Source]]) -> tuple[str, Tally]:
    """Replay the records of one archive; return its name and the results."""
    archive, listed = chunk
    return archive, replay_sources(listed)


def _listed(paths: Iterable[str | Path], tallies: dict[str, Tally]) -> Iterator[tuple[str, list[Source]]]:
    """Yield chunks of sources of one archive each; unreadable ones are added to ``tallies``."""
    archive, chunk = "", list[Source]()
    for source in sources(paths):
        if isinstance(source, Damaged):
            tallies.setdefault(source.source, Tally()).damaged.append(source)
            continue
        if chunk and (source.archive != archive or len(chunk) == _CHUNK):
            yield archive, chunk
            chunk = []
        archive = source.archive
        chunk.append(source)
    if chunk:
        yield archive, chunk


#: Replay functions of games in this process, by the recorder's format.
_REPLAYERS: Final[dict[str, Callable[[Any], Replayed]]] = {}


def replay(game: RecordedGame) -> Replayed:
    """Replay a recorded game through its engine and return every mismatch."""
    recorder = recorder_of(game.rules)
    if recorder.format not in _REPLAYERS:
        _REPLAYERS[recorder.format] = recorder.replayer()
    return _REPLAYERS[recorder.format](game)


def replay_sources(chunk: list[Source]) -> Tally:
    """Replay the games of several sources."""
    tally = Tally()
    for source in chunk:
        for game in read_source(source):
            if isinstance(game, Damaged):
                tally.add_damaged(game)
            else:
                tally.add(replay(game))
    return tally
