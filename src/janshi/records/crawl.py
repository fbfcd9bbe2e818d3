"""Crawling Tenhou: from yearly archives and lists to links, and from links to records in shards.

`crawl` fetches every published record that `Wanted` describes into a folder, as slowly as `Manners` says, and keeps a
journal there (`janshi.records.crawl_journal`): it may be killed at any moment, and the next one goes on without asking
for anything twice. Shards are archives (``records-00001.zip`` …) that `janshi.records.read_games` reads as they are.

Needs urllib3 (``pip install 'janshi[cli]'``).
"""

from __future__ import annotations

import datetime
import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final, Generic, TypeVar

from janshi.records.crawl_journal import ENDINGS, Entry, Journal
from janshi.records.crawl_lists import (
    LARGEST_LIST,
    Links,
    Listed,
    ListError,
    archive_of,
    choose_lists,
    day_of,
    flags_of_name,
    read_archive,
    read_index,
    read_list,
    year_of_archive,
)
from janshi.records.crawl_site import CrawlError, Failure, Later, Manners, Site, Stopped, Unanswered, Wrong
from janshi.records.model import (
    EAST_SOUTH,
    FAST,
    NO_OPEN_TANYAO,
    NO_RED,
    SANMA,
    SPECIAL_ROOM,
    UPPER_ROOM,
    RecordError,
)
from janshi.records.sources import Damaged, read_bytes

__all__ = ["CrawlError", "Crawled", "Manners", "Stand", "Wanted", "Year", "check_record", "crawl", "parse_years"]

T = TypeVar("T")

#: Tenhou's rooms.
ROOMS: Final = {
    "general": 0,
    "upper": UPPER_ROOM,
    "special": SPECIAL_ROOM,
    "phoenix": UPPER_ROOM | SPECIAL_ROOM,
}
#: The first year of which there are lists.
FIRST_YEAR: Final = 2006
#: Files in a row that the site does not answer for before the crawl ends.
PATIENCE: Final = 5
#: Files in a row that fail in any way before the crawl ends: then it is the site that has changed, or is closed.
HOPELESS: Final = 25
#: Records in a shard.
SHARD: Final = 1000
_LARGEST_RECORD: Final = 1 << 24
_LARGEST_ARCHIVE: Final = 1 << 33
#: Seconds that answers on their way get when a crawl ends.
_GRACE: Final = 2.0


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which records: None takes all.

    >>> Wanted(players=3, length="south", red_fives=True).bits()
    (186, 184)
    """

    players: int | None = None  # 3 or 4
    room: str | None = "phoenix"  # see `ROOMS`
    length: str | None = None  # "east" or "south" (East and South)
    red_fives: bool | None = None
    open_tanyao: bool | None = None
    fast: bool | None = None

    def bits(self) -> tuple[int, int]:
        """Return a mask, and what Tenhou's type of a game is under it. Raises `CrawlError`."""
        if self.players not in (None, 3, 4):
            raise CrawlError(f"{self.players} players: 3 or 4")
        if self.room is not None and self.room not in ROOMS:
            raise CrawlError(f"no room {self.room!r}: there are {', '.join(ROOMS)}")
        if self.length not in (None, "east", "south"):
            raise CrawlError(f"no length {self.length!r}: there are east and south")
        rules = (
            (SANMA, None if self.players is None else self.players == 3),
            (EAST_SOUTH, None if self.length is None else self.length == "south"),
            (NO_RED, None if self.red_fives is None else not self.red_fives),
            (NO_OPEN_TANYAO, None if self.open_tanyao is None else not self.open_tanyao),
            (FAST, self.fast),
        )
        mask = sum(bit for bit, wanted in rules if wanted is not None)
        flags = sum(bit for bit, wanted in rules if wanted)
        if self.room is not None:
            mask |= ROOMS["phoenix"]
            flags |= ROOMS[self.room]
        return mask, flags


@dataclass(frozen=True, slots=True)
class Stand:
    """How far a crawl is."""

    what: str  # "lists" or "records"
    done: int  # of those to be asked for in this run
    total: int
    failed: int


@dataclass(slots=True)
class Year:
    """What a crawl has of one year."""

    year: int
    wanted: int = 0
    stored: int = 0
    failed: int = 0
    left: int = 0  # not asked for yet, or to be asked for again


@dataclass(slots=True)
class Crawled:
    """What a crawl did, and what its folder holds of the records wanted."""

    years: list[Year] = field(default_factory=list)
    lists: int = 0  # read in this run
    fetched: int = 0  # records fetched in this run
    bytes: int = 0  # of these records
    requests: int = 0  # sent in this run, with retries
    shards: int = 0  # in the folder
    seconds: float = 0.0
    failed: list[Damaged] = field(default_factory=list)  # records wanted that could not be had, also in earlier runs
    failed_lists: list[Damaged] = field(default_factory=list)
    stopped: str = ""  # why the crawl ended before its time; "interrupted" where it was told to
    dry_run: bool = False

    @property
    def fine(self) -> bool:
        """Whether all that was wanted is there (after a dry run: whether all lists could be read)."""
        return not (self.failed or self.failed_lists or self.stopped)

    @property
    def left(self) -> int:
        """How many of the records wanted are not there, without those that failed for good."""
        return sum(year.left for year in self.years)


def parse_years(texts: Iterable[str]) -> list[int]:
    """Read years and ranges of years. Raises `CrawlError`.

    >>> parse_years(["2019-2021", "2009"])
    [2009, 2019, 2020, 2021]
    """
    years: set[int] = set()
    for text in texts:
        first, _, last = text.partition("-")
        if not (first.strip().isdecimal() and (last or first).strip().isdecimal()):
            raise CrawlError(f"{text!r} is no year: 2019, or 2019-2021")
        low, high = int(first), int(last or first)
        if not FIRST_YEAR <= low <= high <= this_year():
            raise CrawlError(f"years {text!r}: {FIRST_YEAR} to {this_year()}, the earlier one first")
        years.update(range(low, high + 1))
    return sorted(years)


def this_year() -> int:
    """Return the year that it is in Japan."""
    return datetime.datetime.now(datetime.timezone(datetime.timedelta(hours=9))).year


def check_record(data: bytes, name: str, form: str) -> None:
    """Raise `Wrong` where bytes are not the whole record of the one game that ``name`` says."""
    try:
        games = list(read_bytes(data, name, with_walls=False))
    except RecordError as error:
        raise Wrong(str(RecordError(error.reason, "", error.hand, error.event))) from None
    game = games[0] if len(games) == 1 else None
    if isinstance(game, Damaged):
        raise Wrong(game.reason)
    if game is None:
        raise Wrong(f"{len(games)} games in one record")
    if game.format != {"mjlog": "mjlog", "json": "tenhou6"}[form]:
        raise Wrong(f"asked for {form}, got {game.format}")
    if game.ref not in ("", name):
        raise Wrong(f"it is another game: {game.ref}")
    players = 3 if flags_of_name(name) & SANMA else 4
    if game.players != players:
        raise Wrong(f"a game of {game.players}, listed as one of {players}")
    if not game.hands:
        raise Wrong("it has no hands")


def crawl(
    out: str | Path,
    years: Iterable[int] = (),
    wanted: Wanted | None = None,
    manners: Manners | None = None,
    *,
    form: str = "mjlog",
    limit: int | None = None,
    spread: bool = False,
    archives: Sequence[str | Path] = (),
    dry_run: bool = False,
    retry_failed: bool = False,
    shard: int = SHARD,
    stop: threading.Event | None = None,
    progress: Callable[[Stand], None] | None = None,
) -> Crawled:
    """Fetch the records wanted of some years into the folder ``out``.

    ``archives`` are yearly archives already on disk (``scraw2019.zip``); they are not asked for, and their years are
    wanted too. ``limit`` takes so many records in all, the earliest first, or with ``spread`` spread over all
    years. ``form`` is "mjlog" or "json" (tenhou.net/6). A dry run reads lists alone. Records that failed in an earlier
    run are asked for again where the site had not answered, and with ``retry_failed`` all of them. ``stop`` ends
    the crawl early from another thread or a signal handler; what was fetched is stored.

    Raises `CrawlError` for what makes no sense, and `OSError` where the folder cannot be written.
    """
    start = time.monotonic()
    stop = stop or threading.Event()
    mask, flags = (wanted or Wanted()).bits()
    local = _local_archives(archives)
    span = sorted({*years, *local})
    if not span:
        raise CrawlError("no years: --years 2019, for example")
    if form not in ENDINGS:
        raise CrawlError(f"no format {form!r}: there are {', '.join(ENDINGS)}")
    if shard < 1 or (limit is not None and limit < 1):
        raise CrawlError("at least one record")
    done = Crawled(dry_run=dry_run)
    site = Site(manners or Manners(), stop)
    with Journal(Path(out), form) as journal:
        run = _Run(site, journal, done, stop, manners or Manners(), progress or (lambda _: None))
        try:
            run.read_lists(span, local)
            chosen = journal.entries(span, mask, flags, limit, spread=spread)
            again = {"found", "unanswered", "failed"} if retry_failed else {"found", "unanswered"}
            if not dry_run:
                run.fetch([one.name for one in chosen if one.state in again], form, shard)
        finally:
            if not dry_run:
                journal.store(shard)
            site.close()
        if stop.is_set() and not done.stopped:
            done.stopped = "interrupted"
        _sum_up(done, journal.entries(span, mask, flags, limit, spread=spread))
        done.failed_lists += [Damaged(name, reason) for name, reason in journal.damaged_lists()]
        done.shards = journal.shards()
    done.requests = site.pace.requests
    done.seconds = time.monotonic() - start
    return done


def _local_archives(archives: Sequence[str | Path]) -> dict[int, Path]:
    found = {}
    for path in map(Path, archives):
        year = year_of_archive(path.name)
        if year is None:
            raise CrawlError(f"{path} is not named like a yearly archive: scraw2019.zip")
        if not path.is_file():
            raise CrawlError(f"{path}: no such file")
        found[year] = path
    return found


def _sum_up(done: Crawled, entries: list[Entry]) -> None:
    years: dict[int, Year] = {}
    for entry in entries:
        year = years.setdefault(entry.year, Year(entry.year))
        year.wanted += 1
        year.stored += entry.state in ("stored", "fetched")
        year.failed += entry.state == "failed"
        year.left += entry.state in ("found", "unanswered")
        if entry.state in ("failed", "unanswered"):
            done.failed.append(Damaged(entry.name, entry.reason))
    done.years = [years[year] for year in sorted(years)]


class _Run:
    """One run of a crawl: asks in threads, journals in one."""

    def __init__(
        self,
        site: Site,
        journal: Journal,
        done: Crawled,
        stop: threading.Event,
        manners: Manners,
        progress: Callable[[Stand], None],
    ) -> None:
        self.site = site
        self.journal = journal
        self.done = done
        self.stop = stop
        self.jobs = manners.jobs
        self.progress = progress
        self.silent = 0  # files in a row that the site did not answer for
        self.useless = 0  # files in a row that failed in any way

    def ask(self, what: str, names: Sequence[str], work: Callable[[str], T]) -> Iterator[tuple[str, T | Failure]]:
        """Do ``work`` for every name; end early where the site no longer answers."""
        failed = 0
        crew = _Crew(names, work, self.jobs, self.stop)
        self.progress(Stand(what, 0, len(names), 0))
        for number, (name, found) in enumerate(crew.results(), start=1):
            if isinstance(found, Later):
                self.end(f"{found}: run the same command again after that")
                continue
            self.silent = self.silent + 1 if isinstance(found, Unanswered) else 0
            self.useless = self.useless + 1 if isinstance(found, Failure) else 0
            failed += isinstance(found, Failure)
            yield name, found
            self.progress(Stand(what, number, len(names), failed))
            if self.silent >= PATIENCE:
                self.end(f"no answer {self.silent} times in a row ({found}): run the same command again another time")
            elif self.useless >= HOPELESS:
                self.end(
                    f"{self.useless} failures in a row ({found}): look what the site answers now; "
                    "--retry-failed asks for them again"
                )

    def end(self, reason: str) -> None:
        """End the run: what is on its way still counts."""
        self.done.stopped = self.done.stopped or reason
        self.stop.set()

    # -----------------------------------------------------------------------------------------------------

    def read_lists(self, years: Sequence[int], local: dict[int, Path]) -> None:
        """Bring the journal's links up to date: from archives on disk, yearly archives, and the pages of today."""
        journal = self.journal
        for year, path in local.items():
            if not journal.has_list(archive_of(year)):
                self._add_local(year, path)
        missing = [year for year in years if year not in local and not journal.has_list(archive_of(year))]
        past = {archive_of(year): year for year in missing if year < this_year()}
        absent: dict[int, str] = {}
        for archive, links in self.ask("lists", list(past), self._archive):
            if isinstance(links, Wrong):
                absent[past[archive]] = str(links)
            elif isinstance(links, Failure):
                self.done.failed_lists.append(Damaged(archive, str(links)))
            else:
                self._add(archive, 0, links)
        rest = {year for year in missing if year == this_year()} | set(absent)
        if rest and not self.stop.is_set():
            listed = self._index(rest)
            self._pages([one for one in listed if not journal.has_list(one.name, one.size)])
            # Of a year whose archive is not there (yet) the lists of its days do as well, if there are all.
            for year, reason in absent.items():
                days = len({day_of(one.name) for one in listed if day_of(one.name).startswith(str(year))})
                if days < 365:
                    instead = f"; only {days} of its days are listed singly" if days else ""
                    self.done.failed_lists.append(Damaged(archive_of(year), reason + instead))

    def _add(self, name: str, size: int, links: Links) -> None:
        self.journal.add_list(name, size, links.names, links.damaged)
        self.done.lists += 1

    def _add_local(self, year: int, path: Path) -> None:
        try:
            with path.open("rb") as file:
                self._add(archive_of(year), 0, read_archive(file))
        except ListError as error:
            raise CrawlError(f"{path}: {error}") from None

    def _archive(self, name: str) -> Links:
        def check(file: IO[bytes]) -> Links:
            try:
                return read_archive(file)
            except ListError as error:
                raise Wrong(str(error)) from None

        return self.site.get(f"/sc/raw/{name}", check, _LARGEST_ARCHIVE)

    def _index(self, years: set[int]) -> list[Listed]:
        listed: list[Listed] = []
        for name, found in self.ask("lists", ["list.cgi?old", "list.cgi"], self._index_page):
            if isinstance(found, Failure):
                self.done.failed_lists.append(Damaged(name, str(found)))
            else:
                listed += found
        return choose_lists(listed, years)

    def _index_page(self, name: str) -> list[Listed]:
        def check(file: IO[bytes]) -> list[Listed]:
            try:
                return read_index(file.read().decode("utf-8", "replace"))
            except ListError as error:
                raise Wrong(str(error)) from None

        return self.site.get(f"/sc/raw/{name}", check, LARGEST_LIST)

    def _pages(self, listed: list[Listed]) -> None:
        sizes = {one.name: one.size for one in listed}
        for name, found in self.ask("lists", list(sizes), self._page):
            if isinstance(found, Failure):
                self.done.failed_lists.append(Damaged(name, str(found)))
            else:
                self._add(name, sizes[name], Links(found))

    def _page(self, name: str) -> set[str]:
        def check(file: IO[bytes]) -> set[str]:
            try:
                return read_list(file.read())
            except ListError as error:
                raise Wrong(str(error)) from None

        return self.site.get(f"/sc/raw/{name}", check, LARGEST_LIST)

    # -----------------------------------------------------------------------------------------------------

    def fetch(self, names: Sequence[str], form: str, shard: int) -> None:
        """Fetch records into the journal, and store them whenever a shard is full."""

        def work(name: str) -> bytes:
            def check(file: IO[bytes]) -> bytes:
                data = file.read()
                check_record(data, name, form)
                return data

            if form == "json":
                return self.site.get(f"/5/mjlog2json.cgi?{name}", check, _LARGEST_RECORD, referer=f"/6/?log={name}")
            return self.site.get(f"/0/log/?{name}", check, _LARGEST_RECORD)

        waiting = self.journal.waiting()
        for name, found in self.ask("records", names, work):
            if isinstance(found, Failure):
                state = "unanswered" if isinstance(found, Unanswered) else "failed"
                self.journal.add_failure(name, state, str(found))
                continue
            self.journal.add_record(name, found)
            self.done.fetched += 1
            self.done.bytes += len(found)
            waiting += 1
            if waiting >= shard:
                self.journal.store(shard)
                waiting = 0


class _Crew(Generic[T]):
    """Threads that work through names. They are daemons: none of them keeps a process from ending.

    A name is begun only when all but ``jobs`` - 1 of those before it are dealt with by who takes the results: the work
    on no more than ``jobs`` names is lost when the process dies.
    """

    def __init__(self, names: Sequence[str], work: Callable[[str], T], jobs: int, stop: threading.Event) -> None:
        self._work = work
        self._stop = stop
        self._left = len(names)
        self._free = threading.Semaphore(jobs)
        self._todo: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[tuple[str, T | BaseException]] = queue.SimpleQueue()
        for name in names:
            self._todo.put(name)
        self._threads = [threading.Thread(target=self._toil, daemon=True) for _ in range(min(jobs, len(names)))]

    def _toil(self) -> None:
        while not self._stop.is_set():
            if not self._free.acquire(timeout=0.1):
                continue
            try:
                name = self._todo.get_nowait()
            except queue.Empty:
                return
            try:
                self._done.put((name, self._work(name)))
            except Stopped:
                return
            except BaseException as error:  # told to who waits for the results
                self._done.put((name, error))

    def results(self) -> Iterator[tuple[str, T | Failure]]:
        """Yield each name with what came of it, as it comes; after a stop only what was on its way."""
        for thread in self._threads:
            thread.start()
        try:
            while self._left and not self._stop.is_set():
                yield from self._next(0.1)
            end = time.monotonic() + _GRACE
            while self._left and any(thread.is_alive() for thread in self._threads) and time.monotonic() < end:
                yield from self._next(0.02)
            while not self._done.empty():
                yield from self._next(0.0)
        finally:
            while not self._todo.empty():
                self._todo.get()

    def _next(self, seconds: float) -> Iterator[tuple[str, T | Failure]]:
        try:
            name, found = self._done.get(timeout=seconds)
        except queue.Empty:
            return
        self._left -= 1
        if isinstance(found, BaseException) and not isinstance(found, Failure):
            raise found
        yield name, found
        self._free.release()
