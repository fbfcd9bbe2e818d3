"""``janshi crawl``: records from Tenhou, slowly and only once."""

from __future__ import annotations

import dataclasses
import json
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer
from rich.console import Console

from janshi.cli.failing import INTERRUPTED, interrupted
from janshi.cli.options import option
from janshi.cli.printing import make_table
from janshi.cli.progress import counting_bar
from janshi.riichi.records.crawl import CrawlConfig, CrawlProgress, CrawlResult, crawl

#: Failed records that are printed.
SHOWN = 20


@dataclass(frozen=True)
class CrawlOptions:
    """Options of ``janshi crawl``."""

    config: CrawlConfig
    as_json: bool = option("Print JSON.", "--json", default=False)


def crawl_records(options: CrawlOptions) -> None:
    """Download game records from Tenhou's published lists; resumable.

    Tenhou publishes lists of its games at https://tenhou.net/sc/raw/. The
    lists of the phoenix room link to the records, which are believed to be
    published for study. The site is run for its players: keep the default of
    one request a second, identify yourself with --contact, and do not publish
    records, which contain players' names. The journal prevents repeated
    downloads. The site's terms can change: read them before a crawl, and stop
    if they or the operator forbid it.

    Exit code 0: complete. 1: some records failed. 2: wrong input. 130: interrupted.
    """
    stop = threading.Event()
    config = options.config
    rate = config.politeness.rate
    with (
        interrupted("interrupted twice; run the same command to resume"),
        _interruptions(stop),
        _Bar(rate, options.as_json) as bar,
    ):
        result = crawl(config, stop=stop, progress=bar.show)
    if options.as_json:
        typer.echo(json.dumps(as_json(result), indent=1))
    else:
        print_crawled(result, config.out, rate)
    if result.stopped:
        what = "interrupted; run the same command to resume" if result.stopped == "interrupted" else result.stopped
        typer.echo(f"janshi crawl: {what}", err=True)
    if not result.fine:
        raise typer.Exit(INTERRUPTED if result.stopped == "interrupted" else 1)


@contextmanager
def _interruptions(stop: threading.Event) -> Iterator[None]:
    """Let Ctrl-C (or an ordinary ``kill``) end the crawl in good order, and a second one at once."""

    def ask(number: int, _: Any) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _Bar:
    """Progress on standard error: how many, how fast, how long yet."""

    def __init__(self, rate: float, quiet: bool) -> None:
        self._bar = counting_bar(quiet)
        self._rate = rate
        self._begun = 0.0
        self._task = self._bar.add_task("starting", total=None)

    def __enter__(self) -> _Bar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar.live.is_started:
            self._bar.stop()

    def show(self, state: CrawlProgress) -> None:
        """Show how far the crawl is."""
        if state.done == 0:
            self._bar.start()
            self._begun = time.monotonic()
            self._bar.reset(self._task, total=state.total)
            if state.what == "records" and state.total and not self._bar.disable:
                time_needed = _duration(state.total / self._rate)
                self._bar.console.print(f"{state.total:,} records to fetch: {time_needed} or more")
        rate = state.done / max(time.monotonic() - self._begun, 1e-9)
        speed = f", {rate:.2g} a second" if state.done else ""
        failed = f", {state.failed:,} failed" if state.failed else ""
        self._bar.update(self._task, completed=state.done, description=f"{state.what}{speed}{failed}")


def _duration(seconds: float) -> str:
    """Return a time in words.

    >>> _duration(50), _duration(5400), _duration(200000)
    ('50 seconds', '90 minutes', '56 hours')
    """
    for length, unit in ((3600, "hours"), (60, "minutes")):
        if seconds >= 2 * length or (unit == "minutes" and seconds >= 120):
            return f"{seconds / length:,.0f} {unit}"
    return f"{seconds:,.0f} seconds"


def as_json(result: CrawlResult) -> dict[str, Any]:
    """Return the results of a crawl as plain data, for JSON."""
    return dataclasses.asdict(result) | {"left": result.left, "fine": result.fine}


def print_crawled(result: CrawlResult, out: Path, rate: float) -> None:
    """Print the results of a crawl, one row a year, and failures on standard error."""
    table = make_table("year", "wanted", "stored", "failed", "left")
    for year in result.years:
        table.add_row(str(year.year), *(f"{count:,}" for count in (year.wanted, year.stored, year.failed, year.left)))
    for damaged in result.lost:
        typer.echo(f"lost: {damaged}", err=True)
    for damaged in result.failed_lists:
        typer.echo(f"list: {damaged}", err=True)
    for damaged in result.failed[:SHOWN]:
        typer.echo(f"failed: {damaged}", err=True)
    if len(result.failed) > SHOWN:
        typer.echo(f"{len(result.failed) - SHOWN:,} more failed (all with --json)", err=True)
    Console().print(table if result.years else "no matching record is listed")
    if result.dry_run:
        typer.echo(f"dry run: {result.left:,} records would be fetched, in {_duration(result.left / rate)} or more")
        return
    typer.echo(
        f"{result.fetched:,} records ({result.bytes / 1e6:,.1f} MB) fetched with {result.requests:,} requests "
        f"in {_duration(result.seconds)}; {result.shards:,} archives in {out}"
    )
