"""Replay of collections: every record of files, folders and archives, optionally in several processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
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
    fits: dict[str, int] = field(default_factory=dict)
    """Rules by which games without a mismatch would be played that have one: number of games by name."""

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
        for name, games in other.fits.items() if isinstance(other, Tally) else ():
            self.fits[name] = self.fits.get(name, 0) + games

    def add_fits(self, names: Iterable[str]) -> None:
        """Count a game for the rules that fit it."""
        for name in names:
            self.fits[name] = self.fits.get(name, 0) + 1

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
    rules: Any = None,
    progress: Callable[[dict[str, Tally]], None] | None = None,
) -> dict[str, Tally]:
    """Replay every record; return the results by archive or folder, in the order of the records.

    ``rules`` take the place of the records'. ``progress`` is called at intervals with the results so far. Damaged
    records are listed and skipped; the content of a record never raises an error. The result is the same for any number
    of ``jobs`` (processes), and on a ``cluster``: see `janshi.cluster.workers`, whose errors are raised.
    """
    tallies: dict[str, Tally] = {}
    with workers(cluster, jobs) as team:
        for archive, tally in in_order(team.each(_replay_chunk, _listed(paths, tallies, rules))):
            tallies.setdefault(archive, Tally()).add(tally)
            if progress is not None:
                progress(tallies)
    return tallies


def _replay_chunk(chunk: tuple[str, list[Source], Any]) -> tuple[str, Tally]:
    """Replay the records of one archive; return its name and the results."""
    archive, listed, rules = chunk
    return archive, replay_sources(listed, rules)


def _listed(
    paths: Iterable[str | Path], tallies: dict[str, Tally], rules: Any
) -> Iterator[tuple[str, list[Source], Any]]:
    """Yield chunks of sources of one archive each; unreadable ones are added to ``tallies``."""
    archive, chunk = "", list[Source]()
    for source in sources(paths):
        if isinstance(source, Damaged):
            tallies.setdefault(source.source, Tally()).damaged.append(source)
            continue
        if chunk and (source.archive != archive or len(chunk) == _CHUNK):
            yield archive, chunk, rules
            chunk = []
        archive = source.archive
        chunk.append(source)
    if chunk:
        yield archive, chunk, rules


#: Replay functions of games in this process, by the recorder's format.
_REPLAYERS: Final[dict[str, Callable[[Any], Replayed]]] = {}


def replay(game: RecordedGame) -> Replayed:
    """Replay a recorded game through its engine and return every mismatch."""
    recorder = recorder_of(game.rules)
    if recorder.format not in _REPLAYERS:
        _REPLAYERS[recorder.format] = recorder.replayer()
    return _REPLAYERS[recorder.format](game)


def replay_sources(chunk: list[Source], rules: Any = None) -> Tally:
    """Replay the games of several sources, by their own rules or given ones."""
    tally = Tally()
    tried = 0
    for source in chunk:
        for number, game in enumerate(read_source(source, rules=rules)):
            if isinstance(game, Damaged):
                tally.add_damaged(game)
                continue
            replayed = replay(game)
            tally.add(replayed)
            if replayed.mismatches and rules is None and tried < _MOST_TRIED and number < _MOST_TRIED:
                tried += 1
                tally.add_fits(_fits(source, number, game))
    return tally


#: Most games with mismatches of a chunk for which other rules are tried.
_MOST_TRIED: Final = 8


def _fits(source: Source, number: int, game: RecordedGame) -> list[str]:
    """Return the names of the rules by which a game (from 0) of a source has no mismatch.

    Rules whose name is no preset's (it contains a space) are tried only if no preset fits.
    """
    names: list[str] = []
    for rules in recorder_of(game.rules).alternatives(game):
        if names and " " in rules.name:
            break
        again = next(islice(read_source(source, rules=rules), number, None), None)
        if again is None or isinstance(again, Damaged) or len(again.remarks.cut) > len(game.remarks.cut):
            continue
        if not replay(again).mismatches:
            names.append(rules.name)
    return names
