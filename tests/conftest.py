"""Distribution of the tests to processes, and the folder of real records."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

# A background run in a script ignores SIGINT, and its children would inherit this.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
# One thread of torch in each process: threads that wait for busy cores make training ten times slower.
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OMP_NUM_THREADS", "1")

#: The slowest files, the slowest first: started last, one would keep a process busy while the others are idle.
SLOWEST = (
    *("tests/web/test_browser.py", "tests/test_cold_compiling.py", "tests/web/test_review_page.py"),
    *("tests/learn/test_learn.py", "tests/mjai/test_mjai_agent.py", "tests/mjai/test_quiet_bots.py"),
    *("tests/web/test_smoke.py", "tests/learn/test_training.py", "tests/bridges/test_gym.py"),
    *("tests/review/test_game.py", "tests/learn/test_export.py", "tests/web/test_serving.py"),
    *("tests/test_plugins.py", "tests/papers/test_reproduce.py", "tests/cluster/test_cluster.py"),
    *("tests/tenhou/test_tenhou_host.py", "tests/records/test_crawl.py", "tests/say/test_riichi.py"),
)


def pytest_configure(config: pytest.Config) -> None:
    """Distribute files in the order of `pytest_collection_modifyitems`, not by their number of tests."""
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False


@pytest.hookimpl(optionalhook=True)  # without xdist nobody calls it
def pytest_xdist_auto_num_workers() -> int | None:
    """Return one process more than there are cores: browser tests wait most of their time."""
    return None if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ else (os.cpu_count() or 1) + 1


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Exclude the millions of objects of modules and tests from garbage collection."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the slowest files first."""
    order = {name: place for place, name in enumerate(SLOWEST)}
    items.sort(key=lambda item: order.get(item.nodeid.partition("::")[0], len(order)))


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile all code once; test processes with an empty cache would each compile the same functions."""
    option = session.config.option
    starts_processes = getattr(option, "numprocesses", None) and "PYTEST_XDIST_WORKER" not in os.environ
    if starts_processes and not option.collectonly:
        subprocess.run([sys.executable, "-m", "janshi", "compile"], check=False)


@pytest.fixture(scope="session")
def records() -> Path:
    """The folder of real records."""
    folder = Path(os.environ.get("JANSHI_RECORDS", Path(__file__).parents[2] / "shared" / "records"))
    if not folder.is_dir():
        pytest.skip("no records")
    return folder


@pytest.fixture(scope="session")
def field() -> Path:
    """The folder of records as people have them, of other programs and sites."""
    folder = Path(os.environ.get("JANSHI_FIELD", Path(__file__).parents[2] / "shared" / "field"))
    if not folder.is_dir():
        pytest.skip("no records of other programs")
    return folder


@pytest.fixture(scope="session")
def real_games(records: Path) -> Callable[[str, int | None], Iterator[Any]]:
    """Return a function: so many games of an archive, evenly spread, or all."""
    from janshi.records.sources import Source, read_source, sources
    from janshi.riichi.records import RiichiGame

    def games(archive: str, most: int | None) -> Iterator[Any]:
        listed = list(sources([records / f"{archive}.zip"]))
        for source in listed if most is None else listed[:: max(1, len(listed) // most)]:
            assert isinstance(source, Source)
            for game in read_source(source):
                assert isinstance(game, RiichiGame)
                yield game

    return games


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """Chromium, started; ``JANSHI_CHROMIUM`` names it."""
    playwright = pytest.importorskip("playwright.sync_api")
    path = os.environ.get("JANSHI_CHROMIUM", "/usr/bin/chromium")
    if not Path(path).exists():
        pytest.skip(f"there is no browser at {path} (JANSHI_CHROMIUM)")
    quiet = (
        *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
        *("--disable-component-update", "--disable-sync"),
    )
    playwright.expect.set_options(timeout=20_000)
    with playwright.sync_playwright() as browsers:
        started = browsers.chromium.launch(executable_path=path, args=list(quiet))
        yield started
        started.close()
