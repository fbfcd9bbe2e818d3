"""Crawling Tenhou: from yearly archives and lists to links, and from links to records in shards.

`crawl` fetches every published record that its `CrawlConfig` selects into a folder, at the rate that it sets, and keeps
a journal there (`janshi.riichi.records.crawl.journal`): it may be killed at any moment, and the next crawl continues
without asking for anything twice. Shards are archives (``records-00001.zip`` …) that
`janshi.riichi.records.read_games` reads as they are.

Needs urllib3 (``pip install -e '.[play]'``).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import IO, Final, TypeVar

from janshi.records.formats import Damaged, RecordError
from janshi.records.sources import read_bytes
from janshi.riichi.records.crawl.config import (
    CrawlConfig,
    CrawlError,
    local_archives,
    this_year,
)
from janshi.riichi.records.crawl.journal import CrawlJournal, JournalEntry
from janshi.riichi.records.crawl.lists import (
    LARGEST_LIST,
    Failure,
    Wrong,
    archive_of,
    choose_lists,
    flags_of_name,
    read_archive,
    read_index,
    read_list,
)
from janshi.riichi.records.crawl.site import CrawledSite, Later, Stopped, Unanswered
from janshi.riichi.records.model import SANMA

T = TypeVar("T")

#: Unanswered requests in a row that end the crawl.
PATIENCE: Final = 5
#: Failures of any kind in a row that end the crawl: the site has changed, or is closed.
HOPELESS: Final = 25
_LARGEST_RECORD: Final = 1 << 24
_LARGEST_ARCHIVE: Final = 1 << 33
#: Seconds that a stopped crawl waits for an answer that is on its way.
_GRACE: Final = 2.0


@dataclass(frozen=True, slots=True)
class CrawlProgress:
    """Progress of a crawl."""

    what: str  # "lists" or "records"
    done: int  # of those to be fetched in this run
    total: int
    failed: int


@dataclass(slots=True)
class Year:
    """Counts of the records of one year."""

    year: int
    wanted: int = 0
    stored: int = 0
    failed: int = 0
    left: int = 0  # to be fetched yet, or again


@dataclass(slots=True)
class CrawlResult:
    """Result of a crawl, with the state of its folder."""

    years: list[Year] = field(default_factory=list)
    lists: int = 0  # read in this run
    fetched: int = 0  # records fetched in this run
    bytes: int = 0  # of these records
    requests: int = 0  # sent in this run, with retries
    shards: int = 0  # in the folder
    seconds: float = 0.0
    failed: list[Damaged] = field(default_factory=list)  # also in earlier runs
    failed_lists: list[Damaged] = field(default_factory=list)
    lost: list[Damaged] = field(default_factory=list)  # damaged shards, whose records are fetched again
    stopped: str = ""  # reason of an early end; "interrupted" after a stop
    dry_run: bool = False

    @property
    def fine(self) -> bool:
        """True if nothing failed and the crawl was not interrupted."""
        return not (self.failed or self.failed_lists or self.stopped)

    @property
    def left(self) -> int:
        """Number of records that are still to be fetched, without those that failed for good."""
        return sum(year.left for year in self.years)


def check_record(data: bytes, name: str) -> None:
    """Raise `Wrong` if bytes are not the whole mjlog of the one game called ``name``."""
    try:
        games = list(read_bytes(data, name))
    except RecordError as error:
        raise Wrong(str(RecordError(error.reason, "", error.hand, error.event))) from None
    game = games[0] if len(games) == 1 else None
    if isinstance(game, Damaged):
        raise Wrong(game.reason)
    if game is None:
        raise Wrong(f"{len(games)} games in one record")
    if game.format != "mjlog":
        raise Wrong(f"asked for mjlog, got {game.format}")
    if game.cut:
        raise Wrong(str(game.cut[0]))
    if b"</mjloggm>" not in data:
        raise Wrong("the record is incomplete: no </mjloggm> at its end")
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
    """Fetch the selected records of some years into a folder.

    A dry run reads only lists. ``stop`` ends the crawl early from another thread or a signal handler; fetched records
    are stored. ``progress`` is called after each list and record.

    Raises `CrawlError` for what makes no sense, and if the folder cannot be written.
    """
    start = time.monotonic()
    stop = stop or threading.Event()
    mask, flags = config.wanted.bits()
    years = config.check()
    result = CrawlResult(dry_run=config.dry_run)
    site = CrawledSite(config.politeness, stop)
    with CrawlJournal(Path(config.out)) as journal:
        run = _Run(config, site, journal, result, stop, progress or (lambda _: None))

        def entries() -> list[JournalEntry]:
            return journal.entries(years, mask, flags, config.limit, spread=config.spread)

        result.lost = journal.find_lost()
        try:
            run.read_lists(years)
            again = {"found", "unanswered"} | ({"failed"} if config.retry_failed else set())
            if not config.dry_run:
                run.fetch([entry.name for entry in entries() if entry.state in again])
        finally:
            site.close()
            if not config.dry_run:
                journal.store(config.shard)
        if stop.is_set() and not result.stopped:
            result.stopped = "interrupted"
        _sum_up(result, entries())
        result.failed_lists += [Damaged(name, reason) for name, reason in journal.damaged_lists()]
        result.shards = journal.shards()
    result.requests = site.pace.requests
    result.seconds = time.monotonic() - start
    return result


def _sum_up(result: CrawlResult, entries: list[JournalEntry]) -> None:
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


@dataclass
class _Run:
    """One run of a crawl: requests in threads, the journal in one."""

    config: CrawlConfig
    site: CrawledSite
    journal: CrawlJournal
    result: CrawlResult
    stop: threading.Event
    progress: Callable[[CrawlProgress], None]
    silent: int = 0  # unanswered requests in a row
    useless: int = 0  # failures of any kind in a row

    def ask(self, what: str, names: Sequence[str], work: Callable[[str], T]) -> Iterator[tuple[str, T | Failure]]:
        """Do ``work`` for every name; end early where the site no longer answers."""
        failed = 0
        self.progress(CrawlProgress(what, 0, len(names), 0))
        answers = _on_threads(names, work, self.config.politeness.jobs, self.stop)
        for number, (name, answer) in enumerate(answers, start=1):
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
        """End the run; answers that are on their way still count."""
        self.result.stopped = self.result.stopped or reason
        self.stop.set()

    def read_lists(self, years: Sequence[int]) -> None:
        """Bring the journal's links up to date: from archives on disk, yearly archives, and the pages of today."""
        journal = self.journal
        missing = {year for year in years if not journal.has_list(archive_of(year))}
        for year, path in local_archives(self.config.archives).items():
            if year in missing:
                try:
                    with path.open("rb") as file:
                        self.add(archive_of(year), 0, *read_archive(file))
                except Wrong as error:
                    raise CrawlError(f"{path}: {error}") from None
                missing.remove(year)
        past = {archive_of(year): year for year in sorted(missing) if year < this_year()}
        failures: dict[str, Failure] = {}
        for archive, (links, damaged) in self.lists(list(past), read_archive, _LARGEST_ARCHIVE, failures):
            self.add(archive, 0, links, damaged)
        absent = {past[archive]: archive for archive, failure in failures.items() if isinstance(failure, Wrong)}
        rest = {year for year in missing if year == this_year()} | set(absent)
        if rest and not self.stop.is_set():
            listed: dict[str, int] = {}
            for _, index in self.lists(["list.cgi?old", "list.cgi"], read_index, LARGEST_LIST, failures):
                listed |= index
            by_day = choose_lists(listed, rest)
            pages = {name: size for day in by_day.values() for name, size in day.items()}
            unread = sorted(name for name, size in pages.items() if not journal.has_list(name, size))
            for page, links in self.lists(unread, read_list, LARGEST_LIST, failures):
                self.add(page, pages[page], links)
            # Where a year's archive is missing, the lists of all its days do as well.
            for year, archive in absent.items():
                days = sum(day.startswith(str(year)) for day in by_day)
                instead = f"; only {days} of its days are listed singly" if days else ""
                failure = failures.pop(archive)
                if days < 365:
                    failures[archive] = Wrong(f"{failure}{instead}")
        self.result.failed_lists += [Damaged(name, str(failure)) for name, failure in failures.items()]

    def add(self, name: str, size: int, links: set[str], damaged: dict[str, str] | None = None) -> None:
        """Note the links of a list that was read."""
        self.journal.add_list(name, size, links, damaged)
        self.result.lists += 1

    def lists(
        self, names: Sequence[str], read: Callable[[IO[bytes]], T], largest: int, failures: dict[str, Failure]
    ) -> Iterator[tuple[str, T]]:
        """Fetch lists and yield what ``read`` makes of each; ``failures`` receives the others."""
        for name, answer in self.ask("lists", names, lambda name: self.site.get(f"/sc/raw/{name}", read, largest)):
            if isinstance(answer, Failure):
                failures[name] = answer
            else:
                yield name, answer

    def fetch(self, names: Sequence[str]) -> None:
        """Fetch records into the journal, and store them whenever a shard is full."""
        shard = self.config.shard

        def work(name: str) -> bytes:
            def check(file: IO[bytes]) -> bytes:
                data = file.read()
                check_record(data, name)
                return data

            return self.site.get(f"/0/log/?{name}", check, _LARGEST_RECORD)

        waiting = len(self.journal.waiting())
        for name, data in self.ask("records", names, work):
            if isinstance(data, Failure):
                self.journal.add_failure(name, "unanswered" if isinstance(data, Unanswered) else "failed", str(data))
                continue
            self.journal.add_record(name, data)
            self.result.fetched += 1
            self.result.bytes += len(data)
            waiting += 1
            if waiting >= shard:
                self.journal.store(shard)
                waiting = 0


def _on_threads(
    names: Sequence[str], work: Callable[[str], T], jobs: int, stop: threading.Event
) -> Iterator[tuple[str, T | Failure]]:
    """Yield each name with its answer or failure, as it comes; after a stop only those on their way.

    A name is begun only when all but ``jobs`` - 1 of those before it are taken: the work on no more than ``jobs`` names
    is lost when the process dies.
    """
    todo = iter(names)
    running: dict[Future[T], str] = {}
    pool = ThreadPoolExecutor(jobs)
    try:
        while True:
            is_over = stop.is_set()
            if not is_over:
                running |= {pool.submit(work, name): name for name in islice(todo, jobs - len(running))}
            done = wait(running, _GRACE, FIRST_COMPLETED).done
            if not running or (is_over and not done):
                return
            for future in done:
                name = running.pop(future)
                error = future.exception()
                if isinstance(error, Failure):
                    yield name, error
                elif not isinstance(error, Stopped):
                    yield name, future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
