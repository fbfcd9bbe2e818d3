"""Structure of the package: imports and addresses point downwards, and functions keep their limits."""

from __future__ import annotations

import ast
import re
import tomllib
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "janshi"
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["janshi"]
#: Rooms from top to bottom.
LAYERS: list[str] = SETTINGS["rooms"]["layers"]
#: Rooms of every game from top to bottom.
ROOMS_OF_GAMES: list[str] = SETTINGS["rooms"]["games"]
GAMES = ("riichi", "sichuan")
LIMITS = SETTINGS["limits"]
#: Functions beyond the limits, each with its reason.
EXCEPTIONS: dict[str, str] = LIMITS["exceptions"]
#: Modules of data and a few names, which may be imported anywhere.
DATA = {"players", "sample"}


@cache
def modules() -> dict[str, Path]:
    """Return every module of the package by its dotted name."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def nodes(path: Path) -> list[ast.AST]:
    """Return all nodes of a file's syntax tree."""
    return list(ast.walk(ast.parse(path.read_text())))


@cache
def imports(path: Path) -> list[tuple[str, int, bool]]:
    """Return the package's modules that a file imports, with the line, and whether only for type checking."""
    known = modules()
    typing_only = {
        id(inner)
        for node in nodes(path)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    found = []
    for node in nodes(path):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "janshi":
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [name if name in known else str(node.module) for name in names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names if alias.name.split(".")[0] == "janshi"]
        found += [(name, node.lineno, id(node) in typing_only) for name in names]
    return found


def room(module: str) -> str:
    """Return the room of a module: the longest listed prefix of its name."""
    inside = module.removeprefix("janshi").removeprefix(".")
    rooms = [layer for layer in LAYERS if f"{inside}.".startswith(f"{layer}.")]
    return max(rooms, key=len, default=inside.split(".")[0])


def heights(module: str) -> dict[str, int]:
    """Return the height of a module's room in the package and, with its game's name, in its game; empty for data."""
    found = {"": -LAYERS.index(room(module))} if room(module) in LAYERS else {}
    _, game, *inside = [*module.split("."), ""]
    if game in GAMES:
        names = ["", *(".".join(inside[:count]) for count in range(1, len(inside)))]
        found[game] = -ROOMS_OF_GAMES.index([name for name in names if name in ROOMS_OF_GAMES][-1])
    return found


def is_above(name: str, module: str) -> bool:
    """Return whether a module is in a room above another module's."""
    mine, theirs = heights(module), heights(name)
    return any(theirs[order] > mine[order] for order in mine.keys() & theirs.keys())


def upward_imports() -> list[str]:
    """Return imports of a room above the importer's, as ``module -> module``."""
    found = {(module, name) for module, path in modules().items() for name, _, _ in imports(path)}
    return sorted(f"{module} -> {name}" for module, name in found if is_above(name, module))


def addresses(path: Path) -> list[tuple[str, int]]:
    """Return the package's modules that strings of a file name (``module``, ``module:attribute``), with the line."""
    texts = [node for node in nodes(path) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    named = [(re.fullmatch(r"(janshi(?:\.\w+)+)(?::[\w.]+)?", node.value), node.lineno) for node in texts]
    return [(match[1], line) for match, line in named if match and match[1] in modules()]


def test_every_room_is_in_the_list():
    rooms = {room(name) for name in modules()} - DATA - {"", "__main__"}
    assert rooms <= set(LAYERS)


def test_imports_point_downwards():
    assert upward_imports() == []


def test_only_the_table_of_built_in_objects_names_what_is_above_it():
    named = [(module, *named) for module, path in modules().items() for named in addresses(path)]
    upward = [f"{module}:{line} -> {name}" for module, name, line in named if is_above(name, module)]
    assert [where for where in upward if not where.startswith("janshi.built_in:")] == []
    assert len(upward) > 50  # those of the table


def test_games_do_not_import_the_registry_of_games():
    known = modules()
    waiting = [f"janshi.{game}.game" for game in GAMES]
    assert {*waiting} <= {name for name, _ in addresses(known["janshi.built_in"])}
    reached: set[str] = set()
    while waiting:
        module = waiting.pop()
        if module != "janshi" and module not in reached:
            reached.add(module)
            waiting += [name for name, _, typing_only in imports(known[module]) if not typing_only]
            waiting.append(module.rpartition(".")[0])
    assert "janshi.games" not in reached


def test_there_are_no_circular_imports():
    known = modules()
    graph = {}
    for module, path in known.items():
        graph[module] = {name for name, _, typing_only in imports(path) if name != module and not typing_only}
        # A package's own module may collect the package's names.
        if path.name == "__init__.py":
            continue
        graph[module] -= {name for name in graph[module] if module.startswith(f"{name}.")}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


#: Places that may name games: their packages, the built-in table, and rooms that belong to Riichi.
NAMED_IN = {"riichi", "sichuan", "built_in", "papers", "tenhou", "mjai"}
#: Modules that still name a game or import its package, with their numbers of lines, which must not grow.
NAMING: dict[str, int] = {
    "janshi.arena.observers": 1,  # a habit: the declaration
    "janshi.arena.style": 1,  # the same
    "janshi.cli.crawl": 1,  # records of Tenhou
    "janshi.review.words": 1,  # the action
    "janshi.say.names": 1,  # the action
}


def names_of_games() -> dict[str, list[int]]:
    """Return lines outside the games' packages that name a game or import its package."""
    known = modules()
    found: dict[str, list[int]] = {}
    for module, path in known.items():
        if module.removeprefix("janshi.").split(".")[0] in NAMED_IN:
            continue
        lines = [line for name, line, _ in imports(path) if name.split(".")[1:2] in (["riichi"], ["sichuan"])]
        for node in nodes(path):
            if isinstance(node, ast.Constant) and node.value in {"riichi", "sichuan"}:
                lines.append(node.lineno)
        if lines:
            found[module] = sorted(set(lines))
    return found


def test_no_game_is_named_outside_its_package():
    found = names_of_games()
    more = {name: lines for name, lines in found.items() if len(lines) > NAMING.get(name, 0)}
    assert not more, "\n".join(f"{name}:{line} names a game" for name, lines in more.items() for line in lines)


# ---------------------------------------------------------------------------------------------------------
# Names

#: Names of classes that every game has, each for the same thing.
OF_EVERY_GAME = {
    *("Rules", "State", "Public", "View", "Seat", "Hand", "Meld", "MeldForm", "Action", "DiscardFlag", "Event"),
    *("Events", "Phase", "Offer", "Ending", "Win", "Winning", "Value", "Ukeire", "Sign", "Walk", "EfficientAgent"),
}


def test_no_two_public_classes_have_one_name():
    found: dict[str, list[str]] = {}
    for module, path in modules().items():
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found.setdefault(node.name, []).append(module)
    assert {name: places for name, places in found.items() if len(places) > 1 and name not in OF_EVERY_GAME} == {}


# ---------------------------------------------------------------------------------------------------------
# Limits


@cache
def functions() -> list[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    return [
        (f"{path.relative_to(ROOT / 'src').as_posix()}::{node.name}", node)
        for path in modules().values()
        for node in nodes(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    names = [one.arg for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    return len([name for name in names if name not in ("self", "cls")])


def test_functions_are_short():
    lines = {name: int(node.end_lineno or 0) - node.lineno + 1 for name, node in functions()}
    long = {name: count for name, count in lines.items() if count > LIMITS["lines"]}
    assert {name: count for name, count in long.items() if name not in EXCEPTIONS} == {}


def test_functions_take_few_parameters():
    counts = {name: parameters(node) for name, node in functions()}
    many = {name: count for name, count in counts.items() if count > LIMITS["parameters"]}
    assert {name: count for name, count in many.items() if name not in EXCEPTIONS} == {}


def test_exceptions_are_needed_and_have_a_reason():
    there = dict(functions())
    for name, reason in EXCEPTIONS.items():
        assert reason
        node = there[name]
        length = int(node.end_lineno or 0) - node.lineno + 1
        assert length > LIMITS["lines"] or parameters(node) > LIMITS["parameters"], f"{name} needs no exception"
