"""The crawler against a local site: generated games under realistic links, and every bad answer."""

import json
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.claims import cases_of

pytest.importorskip("urllib3")

import fake_site
from fake_site import Site, archive, list_page, serving
from tests.cases import mostly_long
from typer.testing import CliRunner

from janshi.agents import RandomAgent
from janshi.arena import play_match
from janshi.cli import app
from janshi.riichi.records import Damaged, RiichiGame, read_games, read_mjlog, write_mjlog, write_tenhou6_text
from janshi.riichi.records.crawl import (
    CrawlConfig,
    CrawlError,
    CrawlProgress,
    CrawlResult,
    Politeness,
    RecordFilter,
    crawl,
    this_year,
)
from janshi.riichi.records.crawl.journal import CrawlJournal
from janshi.riichi.rules import preset

RUN = CliRunner()

#: Types of games: three players, four, East and South, fast, without red fives or open tanyao; and other rooms.
KINDS = (0xB9, 0xA9, 0xB9, 0xF1, 0xE1, 0xBB, 0xAD, 0xB9)
OTHER_ROOMS = (0x99, 0x39, 0x19)


def record_name(number: int, flags: int, year: int = 2019) -> str:
    start = f"{year}{number % 12 + 1:02}{number % 28 + 1:02}{number % 24:02}"
    return f"{start}gm-{flags:04x}-0000-{number * 40503 % 65536:08x}"


@pytest.fixture(scope="module")
def played() -> dict[int, list[RiichiGame]]:
    """Return games of three and of four players."""
    games: dict[int, list[RiichiGame]] = {3: [], 4: []}
    for rules, walls in (("tenhou-sanma-east", 2), ("tenhou-east", 1)):
        by = preset(rules)
        play_match([RandomAgent()] * by.players, by, walls, seed=5, on_game=games[by.players].append)
    return games


def make_site(played: dict[int, list[RiichiGame]], names: list[str]) -> Site:
    site = Site({})
    for number, name in enumerate(names):
        flags = int(name.split("-")[1], 16)
        games = played[3 if flags & 16 else 4]
        game = games[number % len(games)]
        game.ref = name
        site.records[name] = write_mjlog(game).encode()
    return site


NAMES = [record_name(number, KINDS[number % len(KINDS)]) for number in range(24)]
SANMA_SOUTH = sorted(name for name in NAMES if "gm-00b9" in name)


@pytest.fixture
def site(played: dict[int, list[RiichiGame]]) -> Iterator[Site]:
    """Return a site with the archive of one year."""
    made = make_site(played, NAMES + [record_name(number, flags) for number, flags in enumerate(OTHER_ROOMS, 100)])
    made.files["scraw2019.zip"] = archive(list(made.records))
    with serving(made):
        yield made


def quickly(site: Site, **changes: object) -> Politeness:
    return Politeness(**({"site": site.url, "rate": 1000.0, "jobs": 4, "timeout": 5.0, "backoff": 0.01} | changes))


def crawled(
    out: str | Path,
    politeness: Politeness,
    years: Sequence[int] = (2019,),
    *,
    stop: threading.Event | None = None,
    progress: Callable[[CrawlProgress], None] | None = None,
    **more: Any,
) -> CrawlResult:
    config = CrawlConfig(out, [str(year) for year in years], politeness=politeness, **more)
    return crawl(config, stop=stop, progress=progress)


def stored(folder: Path) -> dict[str, bytes]:
    """Return all records in the shards of a folder by name; fail for duplicates."""
    records: dict[str, bytes] = {}
    for path in sorted(folder.glob("records-*.zip")):
        with zipfile.ZipFile(path) as shard:
            for member in shard.namelist():
                assert member not in records
                records[member] = shard.read(member)
    return {member.rsplit(".", 1)[0]: data for member, data in records.items()}


def expected(site: Site, names: list[str]) -> dict[str, bytes]:
    return {name: site.records[name] for name in names}


def run_cli(site: Site, out: Path, *more: str, quick: bool = True) -> tuple[int, str, str]:
    rate = ["--rate", "1000", "--timeout", "5"] if quick else []
    result = RUN.invoke(app, ["crawl", "--site", site.url, "--years", "2019", "--out", str(out), *rate, *more])
    assert "Traceback" not in result.output
    return result.exit_code, result.stdout, result.stderr


# ---------------------------------------------------------------------------------------------------------
# Downloads


def test_a_crawl_fetches_every_phoenix_record_once(site: Site, tmp_path: Path) -> None:
    done = crawled(str(tmp_path), quickly(site), shard=10)
    assert done.fine
    assert stored(tmp_path) == expected(site, NAMES)
    assert (done.fetched, done.shards, done.left, done.lists) == (24, 3, 0, 1)
    assert [(year.year, year.wanted, year.stored) for year in done.years] == [(2019, 24, 24)]
    asked = dict.fromkeys(NAMES, 1) | {"scraw2019.zip": 1}
    assert site.asked == asked
    assert site.connections <= 5, "connections are kept open"
    games = list(read_games([tmp_path]))
    assert len(games) == 24
    assert not any(isinstance(game, Damaged) for game in games)
    again = crawled(tmp_path, quickly(site))
    assert again.fine
    assert (again.fetched, again.requests, again.years[0].stored) == (0, 0, 24)
    assert site.asked == asked


@pytest.mark.parametrize(
    ("wanted", "fits"),
    [
        (RecordFilter(players=3), lambda flags: flags & 16),
        (RecordFilter(players=4, length="east"), lambda flags: not flags & 16 and not flags & 8),
        (RecordFilter(length="south", red_fives=True, open_tanyao=True), lambda flags: flags & 14 == 8),
        (RecordFilter(red_fives=False), lambda flags: flags & 2),
        (RecordFilter(open_tanyao=False), lambda flags: flags & 4),
        (RecordFilter(fast=True), lambda flags: flags & 64),
        (RecordFilter(fast=False, players=3), lambda flags: flags & 16 and not flags & 64),
        (RecordFilter(room="upper"), lambda flags: flags == 0x99),
        (RecordFilter(room="special"), lambda flags: flags == 0x39),
        (RecordFilter(room="general"), lambda flags: flags == 0x19),
    ],
)
def test_filters(site: Site, tmp_path: Path, wanted: RecordFilter, fits: object) -> None:
    crawled(tmp_path, quickly(site), wanted=wanted)
    phoenix = wanted.room == "phoenix"
    names = [name for name in (NAMES if phoenix else site.records) if fits(int(name.split("-")[1], 16))]
    assert 0 < len(names) < len(NAMES)
    assert stored(tmp_path) == expected(site, names)


def test_a_wider_filter_later_fetches_the_rest(site: Site, tmp_path: Path) -> None:
    crawled(tmp_path, quickly(site), wanted=RecordFilter(players=3, length="south", red_fives=True), shard=4)
    assert sorted(stored(tmp_path)) == SANMA_SOUTH
    done = crawled(tmp_path, quickly(site), shard=4)
    assert done.fetched == 24 - len(SANMA_SOUTH)
    assert stored(tmp_path) == expected(site, NAMES)
    assert site.asked["scraw2019.zip"] == 1
    assert set(site.of_records().values()) == {1}
    sizes = [len(zipfile.ZipFile(path).namelist()) for path in sorted(tmp_path.glob("records-*.zip"))]
    assert sizes == [4] * 6, "the last shard is filled up"


def test_a_removed_shard_is_not_created_again(site: Site, tmp_path: Path) -> None:
    crawled(tmp_path, quickly(site), limit=5, shard=10)
    (tmp_path / "records-00001.zip").unlink()
    crawled(tmp_path, quickly(site), shard=10)
    assert len(stored(tmp_path)) == 19
    assert sorted(path.name for path in tmp_path.glob("*.zip")) == ["records-00002.zip", "records-00003.zip"]
    assert set(site.of_records().values()) == {1}


def test_limit_takes_the_first_or_spreads(site: Site, tmp_path: Path) -> None:
    for _ in range(2):
        crawled(tmp_path / "first", quickly(site), limit=7)
        assert sorted(stored(tmp_path / "first")) == sorted(NAMES)[:7]
    crawled(tmp_path / "spread", quickly(site), limit=7, spread=True)
    assert sorted(stored(tmp_path / "spread")) == sorted(sorted(NAMES, key=lambda name: name[-8:])[:7])


def test_lists_of_the_current_year(played: dict[int, list[RiichiGame]], tmp_path: Path) -> None:
    year = this_year()
    names = [record_name(number, 0xB9, year) for number in range(6)]
    site = make_site(played, names)
    days = [f"{year}0101", f"{year}0102", f"{year}0103"]
    site.files[f"dat/{year}/scc{days[0]}.html.gz"] = fake_site.gzip.compress(list_page(names[:3]))
    site.files[f"dat/{year}/scc{days[1]}.html"] = list_page(names[3:4])
    site.files[f"dat/scc{days[2]}00.html.gz"] = fake_site.gzip.compress(list_page(names[4:5]))
    lines = [f"{{file:'{year}/scc{days[0]}.html.gz',size:1}}", f"{{file:'dat/{year}/scc{days[1]}.html',size:1}}"]
    site.files["list.cgi?old"] = ("list([\r\n" + ",\r\n".join(lines) + "\r\n]);\r\n").encode()
    hours = [f"{{file:'scc{days[1]}00.html.gz',size:1}}", f"{{file:'scc{days[2]}00.html.gz',size:1}}"]
    hours += ["{file:'sca.log.gz',size:1}", "{file:'../scc20200101.html.gz',size:1}"]
    site.files["list.cgi"] = ("list([\r\n" + ",\r\n".join(hours) + "\r\n]);\r\n").encode()
    with serving(site):
        done = crawled(tmp_path, quickly(site), [year])
        assert done.fine, done
        assert stored(tmp_path) == expected(site, names[:5])
        assert f"dat/scc{days[1]}00.html.gz" not in site.asked, "the list of its day says it all"
        # The list of the last hour grows.
        site.files[f"dat/scc{days[2]}00.html.gz"] = list_page(names[4:6])
        site.files["list.cgi"] = site.files["list.cgi"].replace(b"300.html.gz',size:1", b"300.html.gz',size:2")
        done = crawled(tmp_path, quickly(site), [year])
        assert (done.fetched, done.lists) == (1, 1)
    assert stored(tmp_path) == expected(site, names)
    assert set(site.of_records().values()) == {1}


def test_a_local_archive_is_not_requested(site: Site, tmp_path: Path) -> None:
    own = tmp_path / "scraw2019.zip"
    own.write_bytes(archive(NAMES, gz=False))
    done = crawled(tmp_path / "out", quickly(site), [], archives=[own])
    assert done.fine
    assert stored(tmp_path / "out") == expected(site, NAMES)
    assert set(site.asked) == set(NAMES)


def test_a_missing_archive(site: Site, tmp_path: Path) -> None:
    site.files["list.cgi"] = b"list([\r\n{file:'2018/scc20181231.html.gz',size:1}\r\n]);\r\n"
    site.moods["list.cgi?old"] = [fake_site.garbage] * 3
    done = crawled(tmp_path, quickly(site, retries=2), [2018, 2019])
    assert not done.fine
    reasons = {failure.source: failure.reason for failure in done.failed_lists}
    assert reasons["scraw2018.zip"] == "404 Not Found; only 1 of its days are listed singly"
    assert reasons["dat/2018/scc20181231.html.gz"] == "404 Not Found"
    assert reasons["list.cgi?old"] == "the page is no index of lists"
    assert stored(tmp_path) == expected(site, NAMES), "the other year is there all the same"


def test_a_broken_archive_is_requested_again(site: Site, tmp_path: Path) -> None:
    site.moods["scraw2019.zip"] = [fake_site.cut, fake_site.garbage, fake_site.cut_unseen]
    done = crawled(tmp_path, quickly(site), limit=1)
    assert done.fine
    assert site.asked["scraw2019.zip"] == 4


def test_a_broken_list_does_not_hide_the_others(site: Site, tmp_path: Path) -> None:
    file = fake_site.io.BytesIO(archive(NAMES))
    with zipfile.ZipFile(file, "a") as out:
        out.writestr("2019/scc20191231.html.gz", b"\x1f\x8bbroken")
    site.files["scraw2019.zip"] = file.getvalue()
    done = crawled(tmp_path, quickly(site))
    assert [failure.source for failure in done.failed_lists] == ["scraw2019.zip:2019/scc20191231.html.gz"]
    assert stored(tmp_path) == expected(site, NAMES)


# ---------------------------------------------------------------------------------------------------------
# Bad answers


def test_temporary_errors_are_retried(site: Site, tmp_path: Path) -> None:
    trouble = [fake_site.busy, fake_site.cut, fake_site.cut_unseen, fake_site.garbage, fake_site.slow, fake_site.packed]
    for name, mood in zip(NAMES, trouble, strict=False):
        site.moods[name] = [mood] if mood is fake_site.packed else [mood, fake_site.busy, mood]
    done = crawled(tmp_path, quickly(site))
    assert done.fine, done.failed
    assert stored(tmp_path) == expected(site, NAMES)
    assert done.requests == sum(site.asked.values())


def test_failed_records_are_named_and_do_not_stop_the_crawl(site: Site, tmp_path: Path) -> None:
    nameless = site.records[NAMES[0]].replace(NAMES[0].encode(), b"")
    as_json = write_tenhou6_text([read_mjlog(site.records[NAMES[5]].decode())]).encode()
    bad = {
        NAMES[0]: (fake_site.missing, "404 Not Found"),
        NAMES[1]: (fake_site.garbage, ""),
        NAMES[2]: (fake_site.cut_unseen, ""),
        NAMES[3]: (fake_site.empty, "empty"),
        NAMES[4]: (lambda handler, _: handler.answer(nameless), "a game of 3, listed as one of 4"),
        NAMES[5]: (lambda handler, _: handler.answer(as_json), "asked for mjlog, got tenhou6"),
    }
    for name, (mood, _) in bad.items():
        site.moods[name] = [mood] * 20
    done = crawled(tmp_path, quickly(site, retries=1))
    assert not done.fine
    assert done.stopped == ""
    reasons = {failure.source: failure.reason for failure in done.failed}
    assert set(reasons) == set(bad)
    for name, (_, reason) in bad.items():
        assert reasons[name] == reason if reason else reasons[name]
    assert stored(tmp_path) == expected(site, NAMES[6:])
    assert site.asked[NAMES[0]] == 1, "what is not there is not asked for twice"
    assert site.asked[NAMES[1]] == 2
    # It stays failed until it is requested again.
    before = site.asked.copy()
    assert len(crawled(tmp_path, quickly(site)).failed) == len(bad)
    assert site.asked == before
    site.moods.clear()
    assert crawled(tmp_path, quickly(site), retry_failed=True).fine
    assert stored(tmp_path) == expected(site, NAMES)


def test_another_game_under_the_name_is_refused(site: Site, tmp_path: Path) -> None:
    first, second = SANMA_SOUTH[:2]
    site.records[first] = site.records[second]
    done = crawled(tmp_path, quickly(site, retries=0), wanted=RecordFilter(players=3), limit=24)
    assert [str(failure) for failure in done.failed] == [f"{first}: it is another game: {second}"]


def test_a_site_that_hangs_or_drips(site: Site, tmp_path: Path) -> None:
    def drip(handler: fake_site.Handler, body: bytes) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        for index in range(40):
            handler.wfile.write(body[index : index + 1])
            handler.wfile.flush()
            time.sleep(0.05)

    site.moods[NAMES[0]] = [fake_site.hang]
    site.moods[NAMES[1]] = [drip]
    site.moods[NAMES[2]] = [fake_site.hang] * 2
    done = crawled(tmp_path, quickly(site, timeout=0.1, retries=1))
    assert [str(failure) for failure in done.failed] == [f"{NAMES[2]}: no answer within 0.1 s"]
    assert len(stored(tmp_path)) == 23
    # The site may have been down: the next crawl repeats the request.
    assert crawled(tmp_path, quickly(site)).fine
    assert stored(tmp_path) == expected(site, NAMES)


def test_retry_after_holds_for_all_threads(site: Site, tmp_path: Path) -> None:
    site.moods[sorted(NAMES)[4]] = [fake_site.too_many]
    done = crawled(tmp_path, quickly(site, rate=100.0))
    assert done.fine
    gaps = [later - earlier for earlier, later in zip(site.times, site.times[1:], strict=False)]
    assert max(gaps) > 0.9, "nobody asks anything for a second"
    assert done.requests == 26


def test_a_site_can_stop_a_crawl(site: Site, tmp_path: Path) -> None:
    site.moods[sorted(NAMES)[10]] = [fake_site.too_many_for_today]
    done = crawled(tmp_path, quickly(site, jobs=1))
    assert "asks to be left alone" in done.stopped
    assert (done.years[0].stored, done.left, done.failed) == (10, 14, [])
    assert sum(site.of_records().values()) == 11
    assert crawled(tmp_path, quickly(site)).fine


@pytest.mark.parametrize(
    ("mood", "retries", "words", "most"),
    [
        (fake_site.busy, 1, "no answer 5 times in a row", 12),
        (fake_site.forbidden, 1, "no answer 5 times in a row", 12),
        (fake_site.garbage, 0, "6 failures in a row", 8),
    ],
)
def test_a_site_that_is_down_is_not_hammered(
    site: Site,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    mood: fake_site.Mood,
    retries: int,
    words: str,
    most: int,
) -> None:
    monkeypatch.setattr("janshi.riichi.records.crawl.crawler.HOPELESS", 6)
    site.mood = mood
    done = crawled(tmp_path, quickly(site, retries=retries, jobs=1))
    assert done.stopped.startswith(words)
    assert sum(site.of_records().values()) <= most
    site.mood = None
    assert crawled(tmp_path, quickly(site), retry_failed=True).fine
    assert stored(tmp_path) == expected(site, NAMES)


def test_no_site_at_all(tmp_path: Path) -> None:
    politeness = Politeness(site="http://127.0.0.1:9", rate=1000.0, retries=1, backoff=0.01)
    done = crawled(tmp_path, politeness)
    assert [failure.source for failure in done.failed_lists] == ["scraw2019.zip"]
    assert "no connection" in done.failed_lists[0].reason


# ---------------------------------------------------------------------------------------------------------
# Interruptions


def spawn(site: Site, out: Path, *more: str, before: str = "") -> "subprocess.Popen[str]":
    code = f"{before}\nfrom janshi.cli import main\nmain()"
    command = [sys.executable, "-c", code, "crawl", "--site", site.url, "--years", "2019", "--out", str(out)]
    command += ["--rate", "100", "--jobs", "3", "--shard", "5", "--json", *more]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for(site: Site, records: int, process: "subprocess.Popen[str]") -> None:
    end = time.monotonic() + 30
    while sum(site.of_records().values()) < records:
        assert time.monotonic() < end, "the crawl does not get on"
        assert process.poll() is None, process.communicate()
        time.sleep(0.005)


def unfinished(out: Path) -> set[str]:
    """Return the records that the journal of a killed crawl lacks."""
    with closing(sqlite3.connect(out / "crawl.sqlite")) as journal:
        rows = journal.execute("SELECT name FROM records WHERE state = 'found'").fetchall()
    return {name for (name,) in rows}


@pytest.mark.parametrize("records", mostly_long([2, 13], lambda records: records == 13))
def test_a_killed_crawl_resumes(site: Site, tmp_path: Path, records: int) -> None:
    site.delay = 0.03
    process = spawn(site, tmp_path)
    wait_for(site, records, process)
    process.kill()
    process.communicate()
    time.sleep(0.1)  # requests under way arrive
    asked = set(site.of_records())
    lost = asked & unfinished(tmp_path)
    assert len(lost) <= 3, "those that were on their way"
    site.delay = 0.0
    done = crawled(tmp_path, quickly(site), shard=5)
    assert done.fine
    assert stored(tmp_path) == expected(site, NAMES)
    assert {name for name, count in site.of_records().items() if count > 1} <= lost
    assert site.asked["scraw2019.zip"] == 1


@pytest.mark.parametrize(
    ("when", "step"),
    mostly_long(
        [("before", "write_shard"), ("after", "write_shard"), ("after", "note_shard")],
        lambda when, step: (when, step) == ("after", "write_shard"),
    ),
)
def test_a_crawl_killed_while_storing_loses_nothing(site: Site, tmp_path: Path, step: str, when: str) -> None:
    order = ("die(); real(*more)", "real(*more); die()")[when == "after"]
    before = f"""
import os, signal
from janshi.riichi.records.crawl.journal import CrawlJournal
calls, real = [], CrawlJournal.{step}
def step(*more):
    calls.append(1)
    def die():
        if len(calls) == 2:
            os.kill(os.getpid(), signal.SIGKILL)
    {order}
CrawlJournal.{step} = step
"""
    process = spawn(site, tmp_path, before=before)
    process.communicate(timeout=30)
    assert process.returncode == -signal.SIGKILL
    lost = unfinished(tmp_path) & set(site.of_records())
    assert crawled(tmp_path, quickly(site), shard=5).fine
    assert stored(tmp_path) == expected(site, NAMES)
    assert {name for name, count in site.of_records().items() if count > 1} <= lost
    assert len(lost) <= 3


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.long)])
def test_an_interrupted_crawl_stores_its_records(site: Site, tmp_path: Path, number: signal.Signals) -> None:
    site.delay = 0.03
    process = spawn(site, tmp_path)
    wait_for(site, 8, process)
    process.send_signal(number)
    output, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert errors == "janshi crawl: interrupted; run the same command to resume\n"
    there = stored(tmp_path)
    assert there == expected(site, list(there))
    assert len(there) == json.loads(output)["fetched"] >= 5
    assert set(site.of_records()) == set(there), "what was on its way was waited for"
    site.delay = 0.0
    assert crawled(tmp_path, quickly(site), shard=5).fine
    assert stored(tmp_path) == expected(site, NAMES)
    assert set(site.of_records().values()) == {1}


def test_a_waiting_crawl_ends_at_once_on_interruption(site: Site, tmp_path: Path) -> None:
    site.mood = fake_site.busy
    stop = threading.Event()
    threading.Timer(0.5, stop.set).start()
    done = crawled(tmp_path, quickly(site, backoff=3600.0), stop=stop)  # continued waiting would take an hour
    assert done.stopped == "interrupted"
    assert (done.failed, done.left) == ([], 24)


def test_two_crawls_to_one_folder(site: Site, tmp_path: Path) -> None:
    with CrawlJournal(tmp_path), pytest.raises(CrawlError, match="another crawl uses"):
        crawled(tmp_path, quickly(site))
    assert not site.asked
    assert crawled(tmp_path, quickly(site), limit=1).fine


# ---------------------------------------------------------------------------------------------------------
# Politeness


def test_all_threads_share_one_rate(site: Site, tmp_path: Path) -> None:
    crawled(tmp_path, quickly(site, rate=25.0, jobs=8), limit=20)
    # Single requests may be late, so only the total is checked: twenty-one requests, twenty pauses.
    assert site.times[-1] - site.times[0] > 0.9 * 20 / 25


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_to_another_host_is_not_followed(site: Site, tmp_path: Path, status: int) -> None:
    with serving(Site(dict.fromkeys(NAMES, b"elsewhere"))) as other:
        site.moods[NAMES[0]] = [fake_site.redirects(f"{other.url}/0/log/?{NAMES[0]}", status)]
        done = crawled(tmp_path, quickly(site))
        assert not other.asked
    (failed,) = done.failed
    assert failed.source == NAMES[0]
    assert "redirects to another one" in failed.reason


def test_redirects_within_the_site_are_requests_at_its_rate(site: Site, tmp_path: Path) -> None:
    for name in NAMES:
        site.moods[name] = [fake_site.redirects(f"/0/log/?{name}")] * 2
    done = crawled(tmp_path, quickly(site, rate=100.0, jobs=16), archives=())
    assert (done.fine, done.requests) == (True, 3 * len(NAMES) + 1)
    assert max(site.times) - min(site.times) > 0.9 * (done.requests - 1) / 100, "requests in less than their time"


def test_a_site_that_redirects_in_a_circle_is_left(site: Site, tmp_path: Path) -> None:
    site.moods[NAMES[0]] = [fake_site.redirects(f"/0/log/?{NAMES[0]}")] * 50
    (failed,) = crawled(tmp_path, quickly(site)).failed
    assert failed.reason == "more than 5 redirects"


# ---------------------------------------------------------------------------------------------------------
# The folder


@pytest.mark.parametrize("damage", ["half", "empty", "text"])
def test_records_of_a_damaged_shard_are_named_and_fetched_again(site: Site, tmp_path: Path, damage: str) -> None:
    crawled(tmp_path, quickly(site), shard=10)
    shard = tmp_path / "records-00001.zip"
    data = shard.read_bytes()
    shard.write_bytes({"half": data[: len(data) // 2], "empty": b"", "text": b"no archive"}[damage])
    before = site.of_records()
    code, _, errors = run_cli(site, tmp_path, "--shard", "10")
    assert code == 0
    assert "lost: records-00001.zip: damaged" in errors
    assert "10 of its records are fetched again" in errors
    assert stored(tmp_path) == expected(site, NAMES)
    assert (site.of_records() - before).total() == 10
    assert (tmp_path / "records-00001.zip.damaged").exists()
    assert run_cli(site, tmp_path, "--shard", "10")[2] == ""


def test_a_record_that_a_shard_lacks_is_fetched_again(site: Site, tmp_path: Path) -> None:
    crawled(tmp_path, quickly(site))
    shard = tmp_path / "records-00001.zip"
    with zipfile.ZipFile(shard) as archive_:
        members = {name: archive_.read(name) for name in archive_.namelist()[1:]}
    with zipfile.ZipFile(shard, "w") as archive_:
        for name, data in members.items():
            archive_.writestr(name, data)
    assert "1 of its records" in run_cli(site, tmp_path)[2]
    assert stored(tmp_path) == expected(site, NAMES)


def test_a_full_disk_is_called_so(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = CrawlJournal._open

    def small(journal: CrawlJournal) -> None:
        opened(journal)
        journal._db.execute("PRAGMA max_page_count = 12")

    monkeypatch.setattr(CrawlJournal, "_open", small)
    code, _, errors = run_cli(site, tmp_path)
    assert code == 2
    assert f"{tmp_path}: the disk is full: make room, and run the same command again" in errors
    monkeypatch.undo()
    assert run_cli(site, tmp_path)[0] == 0
    assert stored(tmp_path) == expected(site, NAMES)


@pytest.mark.parametrize("where", ["begin", "shard", "temporary"])
def test_a_place_that_cannot_be_written_is_named(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    if where == "begin":
        monkeypatch.setattr(CrawlJournal, "_open", full)
    elif where == "shard":
        monkeypatch.setattr(zipfile.ZipFile, "writestr", full)
    else:
        monkeypatch.setattr(tempfile.SpooledTemporaryFile, "write", full)
    code, _, errors = run_cli(site, tmp_path)
    assert code == 2
    assert "damaged" not in errors
    assert ("temporary folder" if where == "temporary" else f"{tmp_path}: the disk is full") in errors


def test_the_user_agent_names_the_client(site: Site, tmp_path: Path) -> None:
    crawled(tmp_path / "a", quickly(site, contact="me@example.org"), limit=1)
    (agent_,) = site.agents
    assert agent_.startswith("janshi/")
    assert "me@example.org" in agent_
    site.agents.clear()
    crawled(tmp_path / "b", quickly(site, user_agent="mine/1"), limit=1)
    assert site.agents == {"mine/1"}


def test_progress_counts_up(site: Site, tmp_path: Path) -> None:
    seen: list[CrawlProgress] = []
    site.moods[NAMES[0]] = [fake_site.missing]
    crawled(tmp_path, quickly(site), progress=seen.append)
    records = [state for state in seen if state.what == "records"]
    assert [state.done for state in records] == list(range(25))
    assert (records[-1].total, records[-1].failed) == (24, 1)


# ---------------------------------------------------------------------------------------------------------
# The command


def test_the_command_prints_a_summary(site: Site, tmp_path: Path) -> None:
    code, output, _ = run_cli(site, tmp_path, "--players", "3", "--json")
    assert code == 0
    answer = json.loads(output)
    assert answer["fine"]
    assert answer["fetched"] == answer["years"][0]["stored"] == len(stored(tmp_path)) > 0
    code, output, _ = run_cli(site, tmp_path, "--players", "3")
    assert code == 0
    assert "2019" in output
    assert "0 records" in output
    site.moods[NAMES[1]] = [fake_site.missing]
    code, _, errors = run_cli(site, tmp_path, "--room", "any")
    assert code == 1
    assert f"failed: {NAMES[1]}: 404 Not Found" in errors
    assert run_cli(site, tmp_path, "--room", "any", "--retry-failed")[0] == 0


def test_a_dry_run_fetches_only_lists(site: Site, tmp_path: Path) -> None:
    code, output, _ = run_cli(site, tmp_path, "--dry-run", "--players", "4", "--rate", "2")
    assert code == 0
    count = sum(not int(name.split("-")[1], 16) & 16 for name in NAMES)
    assert f"dry run: {count} records would be fetched, in {count / 2:.0f} seconds or more" in output
    assert set(site.asked) == {"scraw2019.zip"}
    assert not list(tmp_path.glob("*.zip"))
    assert run_cli(site, tmp_path, "--players", "4")[0] == 0
    assert site.asked["scraw2019.zip"] == 1


@pytest.mark.parametrize(*cases_of("messages", "wrong input"))
def test_bad_input_is_one_line(site: Site, tmp_path: Path, more: list[str], message: str) -> None:
    code, _, errors = run_cli(site, tmp_path / "out", *more)
    assert code == 2
    assert errors.startswith("janshi crawl: ")
    assert message in errors
    assert errors.count("\n") == 1
    assert not site.asked


@pytest.mark.parametrize("name", ["rate", "timeout"])
def test_a_number_out_of_range_is_refused(site: Site, tmp_path: Path, name: str) -> None:
    code, _, errors = run_cli(site, tmp_path / "out", f"--{name}", "0")
    assert (code, f"--{name}" in errors) == (2, True)
    assert not site.asked
    with pytest.raises(CrawlError, match=f"{name} 0 is out of range"):
        Politeness(**{name: 0.0}).check()


def test_years_and_a_folder_are_needed(site: Site, tmp_path: Path) -> None:
    without = RUN.invoke(app, ["crawl", "--out", str(tmp_path)])
    assert without.exit_code == 2
    assert "no years" in without.stderr
    (tmp_path / "file").write_text("x")
    assert run_cli(site, tmp_path / "file")[0] == 2
    (tmp_path / "crawl.sqlite").write_bytes(b"no database at all" * 100)
    code, _, errors = run_cli(site, tmp_path)
    assert code == 2
    assert "not a journal of a crawl" in errors


def test_help_mentions_the_sites_terms() -> None:
    text = " ".join(RUN.invoke(app, ["crawl", "--help"], env={"COLUMNS": "200"}).stdout.split())
    for words in ("https://tenhou.net/sc/raw/", "one request a second", "terms can change", "do not publish"):
        assert words in text
