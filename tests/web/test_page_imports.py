"""Imports in the sources of the page and of the npm package point downwards, without circles."""

from __future__ import annotations

import re
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "web" / "src"
#: Rooms from top to bottom: folders, and modules beside them.
ROOMS = (
    *("main", "app", "Failed", "route", "games", "lobby", "lesson", "history", "play", "review"),
    *("riichi", "sichuan", "plain", "net", "table", "i18n"),
)
#: Modules below all rooms.
LEAVES = {"settings", "messages", "stored"}
FROM = re.compile(r'^(?:import|export)\b[^;]*?"(\.[^"]+)"', re.MULTILINE)


def modules(sources: Path = SOURCES) -> dict[str, list[str]]:
    """Return every module of a folder of TypeScript with its imports from there."""
    paths = [path for path in sources.rglob("*.ts*") if not {"node_modules", "dist"} & {*path.parts}]
    names = {path.with_suffix("") for path in paths if path.suffix in (".ts", ".tsx") and ".test." not in path.name}
    found = {}
    for path in paths:
        if path.with_suffix("") in names:
            wanted = [(path.parent / re.sub(r"\.m?js$", "", name)).resolve() for name in FROM.findall(path.read_text())]
            imported = [name if name in names else name / "index" for name in wanted]
            own = path.with_suffix("").relative_to(sources).as_posix()
            found[own] = [name.relative_to(sources).as_posix() for name in imported if name in names]
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


@pytest.mark.parametrize(("folder", "least"), [("web/src", 50), ("web/offline", 10), ("npm/src", 5)])
def test_there_are_no_circular_imports(folder: str, least: int) -> None:
    graph = modules(ROOT / folder)
    assert sum(map(bool, graph.values())) > least
    TopologicalSorter(graph).prepare()


def test_games_do_not_import_each_other() -> None:
    pairs = {(module.split("/")[0], name.split("/")[0]) for module, imported in modules().items() for name in imported}
    assert not pairs & {("riichi", "sichuan"), ("sichuan", "riichi")}
