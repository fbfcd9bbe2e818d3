"""The npm package: built from the sources, tested in Node and Chromium, and equal to the compiled Python."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.skipif(
    shutil.which("npm") is None or find_spec("ziglang") is None, reason="needs npm and the extra wasm"
)


def run(*command: str, where: Path) -> str:
    """Run a command; return its output."""
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(command, cwd=where, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package's folder, built."""
    folder = tmp_path_factory.mktemp("repository")
    for name in ("npm", "tools"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("node_modules", "dist", "build"))
    try:
        run("npm", "ci", "--silent", "--no-audit", "--no-fund", where=folder / "npm")
    except AssertionError as error:
        pytest.skip(f"npm cannot install TypeScript: {error}")
    run("npm", "run", "--silent", "build", where=folder / "npm")
    return folder / "npm"


def test_its_own_tests_pass(package: Path) -> None:
    run("npm", "test", "--silent", where=package)


def fingerprints(package: Path, what: str, count: int, folder: Path) -> tuple[str, str]:
    """Return the lines of hashes from Python and from Node."""
    tool = [sys.executable, str(ROOT / "tools" / "fingerprint.py"), what]
    if what == "games":
        options, argument = ["--count", str(count)], str(count)
    else:
        options = ["--count", str(count), "--decisions", str(count), "--write", str(folder)]
        argument = str(folder)
    return run(*tool, *options, where=ROOT), run("node", "test/fingerprint.mjs", what, argument, where=package)


@pytest.mark.parametrize(("what", "count"), [("games", 100), ("scores", 2000), ("inputs", 1000)])
def test_it_does_what_python_does(package: Path, what: str, count: int, tmp_path: Path) -> None:
    ours, theirs = fingerprints(package, what, count, tmp_path)
    assert ours == theirs
    assert ours


@pytest.mark.long
@pytest.mark.parametrize(("what", "count"), [("games", 20_000), ("scores", 20_000), ("inputs", 10_000)])
def test_it_does_what_python_does_in_many_games(package: Path, what: str, count: int, tmp_path: Path) -> None:
    ours, theirs = fingerprints(package, what, count, tmp_path)
    assert ours == theirs


def test_the_packed_file_is_small_and_complete(package: Path) -> None:
    (told,) = json.loads(run("npm", "pack", "--json", "--silent", where=package))
    packed = package / told["filename"]
    assert packed.stat().st_size < 300_000
    with tarfile.open(packed) as files:
        names = {Path(name).name for name in files.getnames()}
    assert {"index.js", "index.d.ts", "janshi.wasm", "shanten.bin.gz", "README.md"} <= names


def test_the_version_is_that_of_the_python_package() -> None:
    from janshi import __version__

    assert json.loads((ROOT / "npm" / "package.json").read_text())["version"] == __version__


@pytest.fixture
def address(package: Path) -> Iterator[str]:
    """The address of a server of the package's folder."""
    handler = type("Quiet", (SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(package)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


SCRIPT = """async (address) => {
  const { load } = await import(`${address}/dist/index.js`);
  const janshi = await load();
  const table = janshi.table("tenhou-sanma-hand", { seed: 7 });
  while (!table.over) table.act(table.legal[0]);
  return [table.result.reason, table.scores, janshi.shanten("123m456p789s1155z")];
}"""


def test_it_works_in_a_browser(package: Path, address: str) -> None:
    playwright = pytest.importorskip("playwright.sync_api")
    chromium = os.environ.get("JANSHI_CHROMIUM") or shutil.which("chromium")
    if chromium is None:
        pytest.skip("no Chromium")
    with playwright.sync_playwright() as browsers:
        browser = browsers.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(f"{address}/package.json")
        reason, scores, away = page.evaluate(SCRIPT, address)
        browser.close()
    assert (reason, sum(scores), away) == ("exhaustive draw", 105_000, 0)
