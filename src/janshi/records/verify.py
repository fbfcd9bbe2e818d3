"""Replaying whole collections: every record of files, folders and archives, on as many processes as wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from janshi.cluster import in_order, workers
from janshi.records.formats import Damaged
from janshi.records.recorder import Mismatch, RecordedGame, Replayed, recorder_of
from janshi.records.sources import Source, read_source, sources

_CHUNK = 64


@dataclass(slots=True)
class Tally:
    """Results of one archive or folder."""

    games: int = 0
    hands: int = 0
    decisions: int = 0
    walls: int = 0  # hands whose real wall was known and drawn from
    mismatches: list[Mismatch] = field(default_factory=list)
    damaged: list[Damaged] = field(default_factory=list)

    @property
    def fine(self) -> bool:
        """True if everything could be read and matched."""
        return not self.mismatches and not self.damaged

    def add(self, other: Tally | Replayed) -> None:
        """Count what another tally holds as well, or one game that was replayed."""
        self.games += other.games if isinstance(other, Tally) else 1
        self.hands += other.hands
        self.decisions += other.decisions
        self.walls += other.walls
        self.mismatches += other.mismatches
        self.damaged += other.damaged if isinstance(other, Tally) else []


def verify(
    paths: Iterable[str | Path],
    *,
    jobs: int = 1,
    cluster: str | None = None,
    progress: Callable[[dict[str, Tally]], None] | None = None,
) -> dict[str, Tally]:
    """Replay every record; return what was found, by archive or folder, in the order of the records.

    ``progress`` is called now and then with what has been found so far. Damaged records are listed and passed
    over; nothing is raised for what a record holds. The result is the same for any number of ``jobs`` (processes), and
    on a ``cluster``: see `janshi.cluster.workers`, whose errors are raised.
    """
    tallies: dict[str, Tally] = {}
    with workers(cluster, jobs) as team:
        for archive, tally in in_order(team.each(_replay_chunk, _listed(paths, tallies))):
            tallies.setdefault(archive, Tally()).add(tally)
            if progress is not None:
                progress(tallies)
    return tallies


def _replay_chunk(chunk: tuple[str, list[Source]]) -> tuple[str, Tally]:
    """Replay the records of one archive; return its name as well."""
    archive, listed = chunk
    return archive, replay_sources(listed)


def _listed(paths: Iterable[str | Path], tallies: dict[str, Tally]) -> Iterator[tuple[str, list[Source]]]:
    """Sources of one archive each, so many at a time; what cannot be opened goes into ``tallies`` at once."""
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


#: What replays the records of a game in this process, by the recorder's format.
_REPLAYERS: Final[dict[str, Callable[[Any], Replayed]]] = {}


def replay(game: RecordedGame) -> Replayed:
    """Play a recorded game again through its game's engine and return every disagreement."""
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
                tally.damaged.append(game)
            else:
                tally.add(replay(game))
    return tally
