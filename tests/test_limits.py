"""Functions keep the project's limits of length and parameters, or give a reason."""

from __future__ import annotations

import ast
import tomllib
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
LIMITS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["janshi"]["limits"]
EXCEPTIONS: dict[str, str] = LIMITS["exceptions"]


@cache
def functions() -> list[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    return [
        (f"{path.relative_to(ROOT / 'src').as_posix()}::{node.name}", node)
        for path in sorted((ROOT / "src" / "janshi").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
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
