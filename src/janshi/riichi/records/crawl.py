"""Crawling Tenhou: from yearly archives and lists to links, and from links to records in shards.

`crawl` fetches every published record that its `CrawlConfig` asks for into a folder, as slowly as it says, and keeps a
journal there (`janshi.riichi.records.crawl_journal`): it may be killed at any moment, and the next one goes on
without asking
for anything twice. Shards are archives (``records-00001.zip`` …) that `janshi.riichi.records.read_games` reads as
they are.

Needs urllib3 (``pip install 'janshi[cli]'``).
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final, Generic, TypeVar

from janshi.records.formats import Damaged, RecordError
from janshi.records.sources import read_bytes
from janshi.riichi.records.crawl_config import (
    CrawlConfig,
    CrawlError,
    Politeness,
    RecordFilter,
    local_archives,
    parse_years,
    this_year,
)
from janshi.riichi.records.crawl_journal import Entry, Journal
from janshi.riichi.records.crawl_lists import (
    LARGEST_LIST,
    Failure,
    Links,
    Listed,
    Wrong,
    archive_of,
    choose_lists,
    day_of,
    flags_of_name,
    read_archive,
    read_index,
    read_list,
)
from janshi.riichi.records.crawl_site import Later, Site, Stopped, Unanswered
from janshi.riichi.records.model import SANMA

__all__ = [
    "CrawlConfig",
    "CrawlError",
    "CrawlProgress",
    "CrawlResult",
    "Politeness",
    "RecordFilter",
    "Year",
    "check_record",
    "crawl",
    "parse_years",
    "this_year",
]

T = TypeVar("T")

#: Files in a row that the site does not answer for before the crawl ends.
PATIENCE: Final = 5
#: Files in a row that fail in any way before the crawl ends: then it is the site that has changed, or is closed.
HOPELESS: Final = 25
_LARGEST_RECORD: Final = 1 << 24
_LARGEST_ARCHIVE: Final = 1 << 33
#: Seconds that answers on their way get when a crawl ends.
_GRACE: Final = 2.0


@dataclass(frozen=True, slots=True)
class CrawlProgress:
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
class CrawlResult:
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
    stopped: str = ""  # why the crawl ended before its time; "interrupted" where somebody asked for it
    dry_run: bool = False

    @property
    def fine(self) -> bool:
        """Whether all that was wanted is there (after a dry run: whether all lists could be read)."""
        return not (self.failed or self.failed_lists or self.stopped)

    @property
    def left(self) -> int:
        """How many of the records wanted are not there, without those that failed for good."""
        return sum(year.left for year in self.years)


def check_record(data: bytes, name: str, form: str) -> None:
    """Raise `Wrong` where bytes are not the whole record of the one game that ``name`` says."""
    try:
        games = list(read_bytes(data, name))
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
    config: CrawlConfig,
    *,
    stop: threading.Event | None = None,
    progress: Callable[[CrawlProgress], None] | None = None,
) -> CrawlResult:
    """Fetch the records wanted of some years into a folder.

    A dry run reads lists alone. ``stop`` ends the crawl early from another thread or a signal handler; what was fetched
    is stored. ``progress`` is called after each list and record.

    Raises `CrawlError` for what makes no sense, and `OSError` where the folder cannot be written.
    """
    start = time.monotonic()
    stop = stop or threading.Event()
    mask, flags = config.wanted.bits()
    years = config.check()
    result = CrawlResult(dry_run=config.dry_run)
    site = Site(config.politeness, stop)
    with Journal(config.out, config.format) as journal:
        run = _Run(config, site, journal, result, stop, progress or (lambda _: None))

        def entries() -> list[Entry]:
            return journal.entries(years, mask, flags, config.limit, spread=config.spread)

        try:
            run.read_lists(years, local_archives(config.archives))
            chosen = entries()
            if not config.dry_run:
                again = {"found", "unanswered", "failed"} if config.retry_failed else {"found", "unanswered"}
                run.fetch([entry.name for entry in chosen if entry.state in again])
        finally:
            if not config.dry_run:
                journal.store(config.shard)
            site.close()
        if stop.is_set() and not result.stopped:
            result.stopped = "interrupted"
        _sum_up(result, entries())
        result.failed_lists += [Damaged(name, reason) for name, reason in journal.damaged_lists()]
        result.shards = journal.shards()
    result.requests = site.pace.requests
    result.seconds = time.monotonic() - start
    return result


def _sum_up(result: CrawlResult, entries: list[Entry]) -> None:
    years: dict[int, Year] = {}
    for entry in entries:
        year = years.setdefault(entry.year, Year(entry.year))
        year.wanted += 1
        year.stored += entry.state in ("stored", "fetched")
        year.failed += entry.state == "failed"
        year.left += entry.state in ("found", "unanswered")
        if entry.state in ("failed", "unanswered"):
            result.failed.append(Damaged(entry.name, entry.reason))
    result.years = [years[year] for year in sorted(years)]


class _Run:
    """One run of a crawl: asks in threads, journals in one."""

    def __init__(
        self,
        config: CrawlConfig,
        site: Site,
        journal: Journal,
        result: CrawlResult,
        stop: threading.Event,
        progress: Callable[[CrawlProgress], None],
    ) -> None:
        self.config = config
        self.site = site
        self.journal = journal
        self.result = result
        self.stop = stop
        self.progress = progress
        self.silent = 0  # files in a row that the site did not answer for
        self.useless = 0  # files in a row that failed in any way

    def ask(self, what: str, names: Sequence[str], work: Callable[[str], T]) -> Iterator[tuple[str, T | Failure]]:
        """Do ``work`` for every name; end early where the site no longer answers."""
        failed = 0
        workers = _Workers(names, work, self.config.politeness.jobs, self.stop)
        self.progress(CrawlProgress(what, 0, len(names), 0))
        for number, (name, answer) in enumerate(workers.results(), start=1):
            if isinstance(answer, Later):
                self.end(f"{answer}: run the same command again after that")
                continue
            self.silent = self.silent + 1 if isinstance(answer, Unanswered) else 0
            self.useless = self.useless + 1 if isinstance(answer, Failure) else 0
            failed += isinstance(answer, Failure)
            yield name, answer
            self.progress(CrawlProgress(what, number, len(names), failed))
            if self.silent >= PATIENCE:
                self.end(f"no answer {self.silent} times in a row ({answer}): run the same command again another time")
            elif self.useless >= HOPELESS:
                self.end(
                    f"{self.useless} failures in a row ({answer}): look what the site answers now; "
                    "--retry-failed asks for them again"
                )

    def end(self, reason: str) -> None:
        """End the run: what is on its way still counts."""
        self.result.stopped = self.result.stopped or reason
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
                self.result.failed_lists.append(Damaged(archive, str(links)))
            else:
                self._add(archive, 0, links)
        rest = {year for year in missing if year == this_year()} | set(absent)
        if rest and not self.stop.is_set():
            listed = self._index(rest)
            self._pages([page for page in listed if not journal.has_list(page.name, page.size)])
            # Of a year whose archive is not there (yet) the lists of its days do as well, if there are all.
            for year, reason in absent.items():
                days = len({day_of(page.name) for page in listed if day_of(page.name).startswith(str(year))})
                if days < 365:
                    instead = f"; only {days} of its days are listed singly" if days else ""
                    self.result.failed_lists.append(Damaged(archive_of(year), reason + instead))

    def _add(self, name: str, size: int, links: Links) -> None:
        self.journal.add_list(name, size, links.names, links.damaged)
        self.result.lists += 1

    def _add_local(self, year: int, path: Path) -> None:
        try:
            with path.open("rb") as file:
                self._add(archive_of(year), 0, read_archive(file))
        except Wrong as error:
            raise CrawlError(f"{path}: {error}") from None

    def _archive(self, name: str) -> Links:
        return self.site.get(f"/sc/raw/{name}", read_archive, _LARGEST_ARCHIVE)

    def _index(self, years: set[int]) -> list[Listed]:
        listed: list[Listed] = []
        for name, lists in self.ask("lists", ["list.cgi?old", "list.cgi"], self._index_page):
            if isinstance(lists, Failure):
                self.result.failed_lists.append(Damaged(name, str(lists)))
            else:
                listed += lists
        return choose_lists(listed, years)

    def _index_page(self, name: str) -> list[Listed]:
        return self.site.get(
            f"/sc/raw/{name}", lambda file: read_index(file.read().decode("utf-8", "replace")), LARGEST_LIST
        )

    def _pages(self, listed: list[Listed]) -> None:
        sizes = {page.name: page.size for page in listed}
        for name, links in self.ask("lists", list(sizes), self._page):
            if isinstance(links, Failure):
                self.result.failed_lists.append(Damaged(name, str(links)))
            else:
                self._add(name, sizes[name], Links(links))

    def _page(self, name: str) -> set[str]:
        return self.site.get(f"/sc/raw/{name}", lambda file: read_list(file.read()), LARGEST_LIST)

    # -----------------------------------------------------------------------------------------------------

    def fetch(self, names: Sequence[str]) -> None:
        """Fetch records into the journal, and store them whenever a shard is full."""
        form, shard = self.config.format, self.config.shard

        def work(name: str) -> bytes:
            def check(file: IO[bytes]) -> bytes:
                data = file.read()
                check_record(data, name, form)
                return data

            if form == "json":
                return self.site.get(f"/5/mjlog2json.cgi?{name}", check, _LARGEST_RECORD, referer=f"/6/?log={name}")
            return self.site.get(f"/0/log/?{name}", check, _LARGEST_RECORD)

        waiting = self.journal.waiting()
        for name, data in self.ask("records", names, work):
            if isinstance(data, Failure):
                state = "unanswered" if isinstance(data, Unanswered) else "failed"
                self.journal.add_failure(name, state, str(data))
                continue
            self.journal.add_record(name, data)
            self.result.fetched += 1
            self.result.bytes += len(data)
            waiting += 1
            if waiting >= shard:
                self.journal.store(shard)
                waiting = 0


class _Workers(Generic[T]):
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
        self._threads = [threading.Thread(target=self._work_through, daemon=True) for _ in range(min(jobs, len(names)))]

    def _work_through(self) -> None:
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
            except BaseException as error:  # for who waits for the results
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
            name, answer = self._done.get(timeout=seconds)
        except queue.Empty:
            return
        self._left -= 1
        if isinstance(answer, BaseException) and not isinstance(answer, Failure):
            raise answer
        yield name, answer
        self._free.release()
