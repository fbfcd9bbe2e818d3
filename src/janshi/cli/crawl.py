"""``janshi crawl``: records from Tenhou, slowly and only once."""

from __future__ import annotations

import dataclasses
import json
import signal
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

if TYPE_CHECKING:
    from janshi.records.crawl import Crawled, Stand

RULES = "Rules"
MANNERS = "Manners"


def crawl_records(
    out: Annotated[Path, typer.Option(help="Folder for the records and the journal; a crawl begun there goes on.")],
    years: Annotated[list[str] | None, typer.Option(help="2019, or 2019-2021. Repeatable.")] = None,
    archive: Annotated[
        list[Path] | None, typer.Option(help="A yearly archive that you have (scraw2019.zip). Repeatable.")
    ] = None,
    to: Annotated[
        str, typer.Option("--format", help="mjlog (exact), or json (tenhou.net/6; the site may not serve it any more).")
    ] = "mjlog",
    limit: Annotated[int | None, typer.Option(min=1, help="So many records in all, the earliest first.")] = None,
    spread: Annotated[bool, typer.Option("--spread", help="With --limit: spread over all years instead.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Fetch lists alone; say what there is.")] = False,
    retry_failed: Annotated[bool, typer.Option("--retry-failed", help="Ask for failed records again.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead.")] = False,
    players: Annotated[
        int | None, typer.Option(min=3, max=4, help="Three (sanma) or four; default both.", rich_help_panel=RULES)
    ] = None,
    room: Annotated[
        str,
        typer.Option(
            help="phoenix, special, upper, general or any; links are published for phoenix alone.",
            rich_help_panel=RULES,
        ),
    ] = "phoenix",
    length: Annotated[str | None, typer.Option(help="east or south; default both.", rich_help_panel=RULES)] = None,
    red: Annotated[bool | None, typer.Option("--red/--no-red", help="Red fives.", rich_help_panel=RULES)] = None,
    open_tanyao: Annotated[
        bool | None, typer.Option("--open-tanyao/--no-open-tanyao", help="Open tanyao.", rich_help_panel=RULES)
    ] = None,
    fast: Annotated[bool | None, typer.Option("--fast/--no-fast", help="Fast games.", rich_help_panel=RULES)] = None,
    rate: Annotated[
        float, typer.Option(help="Requests a second, all threads together.", rich_help_panel=MANNERS)
    ] = 1.0,
    jobs: Annotated[int, typer.Option(min=1, max=64, help="Requests at a time.", rich_help_panel=MANNERS)] = 2,
    retries: Annotated[
        int, typer.Option(min=0, max=20, help="Further tries, with growing pauses.", rich_help_panel=MANNERS)
    ] = 4,
    timeout: Annotated[
        float, typer.Option(help="Seconds without an answer before a try counts as failed.", rich_help_panel=MANNERS)
    ] = 30.0,
    contact: Annotated[
        str, typer.Option(help="Your address or page, sent along for the site.", rich_help_panel=MANNERS)
    ] = "",
    user_agent: Annotated[
        str, typer.Option(help="Instead of janshi/VERSION (mahjong research; CONTACT).", rich_help_panel=MANNERS)
    ] = "",
    site: Annotated[str, typer.Option(help="Where to ask.", rich_help_panel=MANNERS)] = "https://tenhou.net",
    shard: Annotated[int, typer.Option(min=1, max=20_000, help="Records in one archive.")] = 1000,
) -> None:
    """Fetch game records from Tenhou's published lists; kill it at any time, the same command goes on.

    Tenhou publishes lists of its games at https://tenhou.net/sc/raw/, and in
    those of the phoenix room links to the records; they are taken to be there
    for study. The site is run for its players. Ask slowly: one request a
    second, the default, is meant. Fetch every archive and record once: the
    journal sees to that. Say who you are (--contact), and do not pass on
    records with players' names. What the site allows can change, and this
    program cannot know it: read its current terms before you crawl, and stop
    where they or its operator say no.

    Exit code 0: all there. 1: something failed. 2: bad input. 130: interrupted.
    """
    try:
        from janshi.records.crawl import CrawlError, Manners, Wanted, crawl, parse_years
    except ModuleNotFoundError as error:
        typer.echo(f"janshi crawl: needs {error.name}: pip install 'janshi[cli]'", err=True)
        raise typer.Exit(2) from None
    stop = threading.Event()
    try:
        wanted = Wanted(players, None if room == "any" else room, length, red, open_tanyao, fast)
        manners = Manners(site, rate, jobs, retries, timeout, contact, user_agent)
        with _interruptions(stop), _Bar(rate, as_json) as bar:
            done = crawl(
                out,
                parse_years(years or []),
                wanted,
                manners,
                form=to,
                limit=limit,
                spread=spread,
                archives=archive or [],
                dry_run=dry_run,
                retry_failed=retry_failed,
                shard=shard,
                stop=stop,
                progress=bar.tell,
            )
    except KeyboardInterrupt:
        typer.echo("janshi crawl: interrupted twice; the same command goes on", err=True)
        raise typer.Exit(130) from None
    except (CrawlError, OSError, sqlite3.Error) as error:
        typer.echo(f"janshi crawl: {error}", err=True)
        raise typer.Exit(2) from None
    if as_json:
        typer.echo(json.dumps(as_told(done), indent=1))
    else:
        print_crawled(done, out, rate)
    if done.stopped:
        what = "interrupted; the same command goes on" if done.stopped == "interrupted" else done.stopped
        typer.echo(f"janshi crawl: {what}", err=True)
    if not done.fine:
        raise typer.Exit(130 if done.stopped == "interrupted" else 1)


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
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._bar = Progress(*columns, console=Console(stderr=True), transient=True, disable=quiet)
        self._rate = rate
        self._begun = 0.0
        self._task = self._bar.add_task("starting", total=None)

    def __enter__(self) -> _Bar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar.live.is_started:
            self._bar.stop()

    def tell(self, stand: Stand) -> None:
        if stand.done == 0:
            self._bar.start()
            self._begun = time.monotonic()
            self._bar.reset(self._task, total=stand.total)
            if stand.what == "records" and stand.total and not self._bar.disable:
                time_needed = _duration(stand.total / self._rate)
                self._bar.console.print(f"{stand.total:,} records to fetch: {time_needed} or more")
        rate = stand.done / max(time.monotonic() - self._begun, 1e-9)
        speed = f", {rate:.2g} a second" if stand.done else ""
        failed = f", {stand.failed:,} failed" if stand.failed else ""
        self._bar.update(self._task, completed=stand.done, description=f"{stand.what}{speed}{failed}")


def _duration(seconds: float) -> str:
    """Say a time in words.

    >>> _duration(50), _duration(5400), _duration(200000)
    ('50 seconds', '90 minutes', '56 hours')
    """
    for length, unit in ((3600, "hours"), (60, "minutes")):
        if seconds >= 2 * length or (unit == "minutes" and seconds >= 120):
            return f"{seconds / length:,.0f} {unit}"
    return f"{seconds:,.0f} seconds"


def as_told(done: Crawled) -> dict[str, Any]:
    """Return what a crawl did as plain data, for JSON."""
    return dataclasses.asdict(done) | {"left": done.left, "fine": done.fine}


def print_crawled(done: Crawled, out: Path, rate: float) -> None:
    """Print what a crawl did: one row a year; what failed on standard error."""
    table = Table("year", "wanted", "stored", "failed", "left")
    for column in table.columns[1:]:
        column.justify = "right"
    for year in done.years:
        table.add_row(str(year.year), *(f"{one:,}" for one in (year.wanted, year.stored, year.failed, year.left)))
    for one in done.failed_lists:
        typer.echo(f"list: {one}", err=True)
    for one in done.failed[:SHOWN]:
        typer.echo(f"failed: {one}", err=True)
    if len(done.failed) > SHOWN:
        typer.echo(f"{len(done.failed) - SHOWN:,} more failed (all with --json)", err=True)
    Console().print(table if done.years else "no record is listed that was asked for")
    if done.dry_run:
        typer.echo(f"dry run: {done.left:,} records would be fetched, in {_duration(done.left / rate)} or more")
        return
    typer.echo(
        f"{done.fetched:,} records ({done.bytes / 1e6:,.1f} MB) fetched with {done.requests:,} requests "
        f"in {_duration(done.seconds)}; {done.shards:,} archives in {out}"
    )


#: Failed records that are printed.
SHOWN = 20
