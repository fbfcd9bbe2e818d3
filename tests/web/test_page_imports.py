"""Imports in the page's sources point downwards, without circles."""

from __future__ import annotations

import re
from graphlib import TopologicalSorter
from pathlib import Path

SOURCES = Path(__file__).parents[2] / "web" / "src"
#: Rooms from top to bottom: folders, and modules beside them.
ROOMS = (
    *("main", "app", "Failed", "route", "games", "lobby", "lesson", "history", "play", "review"),
    *("riichi", "sichuan", "net", "table", "i18n"),
)
#: Modules below all rooms.
LEAVES = {"settings", "messages", "stored"}
FROM = re.compile(r'^(?:import|export)\b[^;]*?"(\.[^"]+)"', re.MULTILINE)


def modules() -> dict[str, list[str]]:
    """Return every module of the page with its imports."""
    paths = [path for path in SOURCES.rglob("*.ts*") if ".test." not in path.name]
    names = {path.with_suffix("").relative_to(SOURCES).as_posix() for path in paths}
    found = {}
    for path in paths:
        written = [path.parent / name for name in FROM.findall(path.read_text())]
        wanted = [name.resolve().relative_to(SOURCES).as_posix() for name in written]
        imported = [name if name in names else f"{name}/index" for name in wanted]
        found[path.with_suffix("").relative_to(SOURCES).as_posix()] = [name for name in imported if name in names]
    return found


def test_imports_of_the_page_point_downwards() -> None:
    upward = []
    for module, imported in modules().items():
        mine = module.split("/")[0]
        for name in imported:
            theirs = name.split("/")[0]
            if theirs not in LEAVES and theirs != mine and (mine in LEAVES or ROOMS.index(theirs) < ROOMS.index(mine)):
                upward.append(f"{module} -> {name}")
    assert upward == []
    assert len(modules()) > 50


def test_there_are_no_circular_imports_in_the_page() -> None:
    TopologicalSorter(modules()).prepare()


def test_games_do_not_import_each_other() -> None:
    pairs = {(module.split("/")[0], name.split("/")[0]) for module, imported in modules().items() for name in imported}
    assert not pairs & {("riichi", "sichuan"), ("sichuan", "riichi")}
