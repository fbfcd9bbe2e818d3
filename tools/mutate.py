"""Insert small faults into the rules, one at a time, and check whether a test detects each.

    python tools/mutate.py MODULE… --out RESULTS.jsonl [--sample N] [--seed S] [--survivors] [--show]

``MODULE`` is a name in `MODULES`, which defines its source files and tests (``--help`` lists all); default: every
module. The tests run once to record the lines that each reaches. Then every fault (or ``--sample N`` of each module,
drawn by ``--seed``) is inserted, without records and without data of other programs, and the tests that reach its line
run until one fails: first those that detected faults of the same function, then the fastest. Modules with compiled
functions are tested in plain Python mode; a run of only other modules uses compiled code, which is faster. Results are
appended to the file as they come. Results for the same source are reused, so that an interrupted run can be resumed.
``--survivors`` repeats the survivors after tests were added; ``--show`` lists survivors and runs nothing.

``mutate_equivalent.toml`` names faults without an observable effect, each with its reason; they do not count. The table
contains the numbers of all faults, of those run, killed and equivalent, and the share of killed ones among those that
are not equivalent. The script needs ``os.fork``: Linux and macOS.

mutmut and cosmic-ray are not used: they start pytest for every fault, which takes ten times as long as the tests of one
line, and do not support functions compiled elsewhere.
"""

from __future__ import annotations

import argparse
import ast
import collections
import contextlib
import copy
import gc
import hashlib
import json
import os
import random
import re
import resource
import signal
import sys
import threading
import time
import tomllib
import types
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import Phase, settings

ROOT: Final = Path(__file__).parents[1]
EQUIVALENT: Final = Path(__file__).with_name("mutate_equivalent.toml")
#: Additional seconds of processor time that tests may take with a fault; a fault that exceeds them counts as detected.
LIMIT: Final = 60
#: Seconds in which a process with a fault must use some processor time; otherwise it hangs, and the fault counts as
#: detected.
IDLE: Final = 60
#: Excluded tests, which in plain mode take minutes for every fault that they reach.
SLOW: Final = (
    "tests/encoders/test_reference.py::test_generated_games_equal_the_reference",
    "tests/encoders/test_sichuan.py::test_every_number_is_nonzero_in_some_game",
    "tests/sichuan/test_hands.py::test_accepted_kinds_are_those_whose_draw_lowers_the_shanten",
    "tests/sichuan/test_hands.py::test_waits_are_the_kinds_that_complete_the_hand",
    "tests/sichuan/test_agents.py::test_better_agents_win_more_points",
    "tests/sichuan/test_agents.py::test_the_heuristic_makes_every_pung_and_kong_and_takes_every_win",
    "tests/sichuan/test_agents.py::test_agents_play_legal_actions_in_any_batch",
    "tests/web/test_sichuan_table.py::test_a_game_is_saved_and_its_record_can_be_replayed",
    "tests/web/test_sichuan_table.py::test_a_hint_gives_its_reasons",
    "tests/web/test_sichuan_table.py::test_the_site_offers_sichuan_and_its_players",
    "tests/sichuan/test_table.py::test_every_payment_moves_points_from_one_seat_to_another",
)

#: Pattern of compiled functions in a file.
COMPILED: Final = re.compile(r"^@(?:rule|leaf|part|entry)\b|\bbatched\(", re.MULTILINE)

#: Paths of sources and of their tests by module.
MODULES: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "scoring": (
        tuple(f"riichi/hands/{name}.py" for name in ("scoring", "yaku", "payments", "worth")),
        ("tests/rules", "tests/riichi/test_payments.py"),
    ),
    "legality": (("riichi/play/legal.py",), ("tests/rules",)),
    "moves": (("riichi/play/moves.py",), ("tests/rules",)),
    "turns": (("core/turns.py",), ("tests/rules",)),
    "endings": (("riichi/play/ending.py",), ("tests/rules",)),
    "replay": (
        ("riichi/records/replay.py", "riichi/records/replay_hand.py"),
        ("tests/records/test_replay_checks.py", "tests/records/test_replay_hands.py"),
    ),
    "significance": (("arena/significance.py",), ("tests/arena/test_significance.py",)),
    "encoders": (
        ("riichi/encoders/janshi.py", "riichi/encoders/meowjong.py", "papers/gao/encoder.py", "papers/long/encoder.py"),
        tuple(f"tests/encoders/test_{name}.py" for name in ("laid_hands", "long", "reference")),
    ),
    "sichuan-moves": (
        ("sichuan/play/moves.py", "sichuan/play/steps.py", "sichuan/play/settlement.py", "sichuan/play/wall.py"),
        tuple(f"tests/sichuan/test_{name}.py" for name in ("claims", "rules", "table", "story")),
    ),
    "sichuan-legality": (
        ("sichuan/play/legal.py", "sichuan/hands/concealed.py", "sichuan/hands/scoring.py", "sichuan/rules/model.py"),
        tuple(f"tests/sichuan/test_{name}.py" for name in ("claims", "rules", "hands")),
    ),
    "sichuan-hands": (
        ("sichuan/hands/score.py", "sichuan/hands/worth.py", "sichuan/hands/ukeire.py", "sichuan/hands/answer.py"),
        ("tests/sichuan/test_hands.py",),
    ),
    "sichuan-records": (
        ("sichuan/records/jsonl.py", "sichuan/records/replay.py"),
        ("tests/sichuan/test_records.py",),
    ),
    "sichuan-players": (
        tuple(f"sichuan/{name}.py" for name in ("agents/efficient", "agents/heuristic", "analysis", "encoder")),
        ("tests/sichuan/test_agents.py", "tests/encoders/test_sichuan.py"),
    ),
    "sichuan-reviews": (
        ("sichuan/say/question.py", "sichuan/say/advice.py", "sichuan/say/events.py", "sichuan/drawing.py"),
        (
            *("tests/drawing/test_sichuan.py", "tests/say/test_sichuan.py"),
            *("tests/sichuan/test_review.py", "tests/sichuan/test_story.py"),
        ),
    ),
    "tenhou-host": (("tenhou/host.py",), ("tests/tenhou/test_tenhou_host.py",)),
    "web-guard": (("web/guard.py",), ("tests/web/test_guard.py",)),
}

# ---------------------------------------------------------------------------------------------------------
# Faults


@dataclass(frozen=True, slots=True)
class Fault:
    """A small change of a source file."""

    file: str
    function: str
    """Qualified name; empty at module level."""
    line: int
    last: int
    """Last line that tests must reach: of the statement, or of its head."""
    before: str
    after: str
    """The statement, or its head, before and after."""
    start: int
    end: int
    text: str
    """Range of replaced characters in the file, and their replacement."""

    @property
    def name(self) -> str:
        """The fault's name in `EQUIVALENT`."""
        return f"{self.file}::{self.function}: {self.before} -> {self.after}"


_COMPARED: Final[dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
_COUNTED: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
}


def changed(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the changes of a node: one comparison, operator, constant or condition at a time."""
    if isinstance(node, ast.Compare):
        for number, operator in enumerate(node.ops):
            for other in _COMPARED[type(operator)]:
                operators = [*node.ops]
                operators[number] = other()
                yield ast.Compare(node.left, operators, node.comparators)
    elif isinstance(node, ast.BinOp) and type(node.op) in _COUNTED:
        yield ast.BinOp(node.left, _COUNTED[type(node.op)](), node.right)
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.And() if isinstance(node.op, ast.Or) else ast.Or(), node.values)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub | ast.Invert):
        yield node.operand
    elif isinstance(node, ast.IfExp):
        yield ast.IfExp(node.test, node.orelse, node.body)
    elif isinstance(node, ast.Constant):
        if isinstance(node.value, bool):
            yield ast.Constant(not node.value)
        elif isinstance(node.value, int):
            yield ast.Constant(node.value + 1)
        elif isinstance(node.value, float):
            yield ast.Constant(node.value * 2 + 1)


def changed_statement(node: ast.stmt) -> Iterator[ast.stmt]:
    """Yield the changes of a whole statement."""
    if isinstance(node, ast.AugAssign):
        yield ast.Pass()
        if type(node.op) in _COUNTED:
            yield ast.AugAssign(node.target, _COUNTED[type(node.op)](), node.value)
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield ast.Pass()
    elif isinstance(node, ast.Continue):
        yield ast.Break()
    elif isinstance(node, ast.Break):
        yield ast.Continue()
    elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute | ast.Subscript):
        yield ast.Pass()


_DEFINITIONS: Final = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class _Finder:
    """Walks a source file and collects its faults."""

    def __init__(self, file: str, source: str) -> None:
        self.file = file
        self.source = source
        lines = source.splitlines(keepends=True)
        self._starts = [0]
        for line in lines:
            self._starts.append(self._starts[-1] + len(line))
        self._lines = lines
        self.faults: list[Fault] = []

    def _at(self, line: int, column: int) -> int:
        """Return the number of characters before a position; columns count bytes."""
        return self._starts[line - 1] + len(self._lines[line - 1].encode()[:column].decode())

    def _add(self, function: str, statement: ast.stmt, node: ast.AST, other: ast.AST) -> None:
        place: Any = node
        start = self._at(place.lineno, place.col_offset)
        end = self._at(place.end_lineno, place.end_col_offset)
        text = ast.unparse(ast.fix_missing_locations(copy.deepcopy(other)))
        if not isinstance(other, ast.stmt):
            text = f"({text})"
        body = getattr(statement, "body", None)
        last = body[0].lineno - 1 if body else statement.end_lineno
        last = max(int(last or 0), statement.lineno)
        first, stop = self._at(statement.lineno, statement.col_offset), self._starts[last]
        head = self.source[first:stop]
        after = self.source[first:start] + text + self.source[end:stop]
        lines = statement.lineno, last
        self.faults.append(
            Fault(self.file, function, *lines, " ".join(head.split()), " ".join(after.split()), start, end, text)
        )

    def _expressions(self, function: str, statement: ast.stmt) -> Iterator[ast.AST]:
        """Yield expressions of a statement itself, without nested statements and annotations."""
        for name, value in ast.iter_fields(statement):
            if name in ("annotation", "returns", "decorator_list", "args", "type_params"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.expr):
                    yield from (node for node in ast.walk(child) if not isinstance(node, ast.expr_context))

    def walk(self, function: str, body: list[ast.stmt]) -> None:
        """Collect the faults of statements and of nested ones."""
        for statement in body:
            if isinstance(statement, ast.Import | ast.ImportFrom | ast.Assert | ast.Raise):
                continue
            if isinstance(statement, _DEFINITIONS):
                name = f"{function}.{statement.name}" if function else statement.name
                methods = [part for part in statement.body if isinstance(part, _DEFINITIONS)]
                # Fields of an existing class cannot be changed.
                self.walk(name, methods if isinstance(statement, ast.ClassDef) else statement.body)
                continue
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                continue  # a docstring
            for other in changed_statement(statement):
                self._add(function, statement, statement, other)
            for node in self._expressions(function, statement):
                for other in changed(node):
                    self._add(function, statement, node, other)
            for field in ("body", "orelse", "finalbody"):
                self.walk(function, getattr(statement, field, []))


def faults_of(file: str, source: str) -> list[Fault]:
    r"""Return every fault of a source file, in the order of its text.

    >>> [fault.after for fault in faults_of("x.py", "def f(a):\n    return a > 0\n")]
    ['return (a >= 0)', 'return (a <= 0)', 'return a > (1)']
    """
    finder = _Finder(file, source)
    finder.walk("", ast.parse(source).body)
    return finder.faults


# ---------------------------------------------------------------------------------------------------------
# Running


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant
            yield from _codes(constant)


def _functions(path: Path) -> Iterator[types.FunctionType]:
    """Yield functions and methods of a file, and those created by other modules from its templates."""
    modules = [module for name, module in list(sys.modules.items()) if name.startswith("janshi")]
    for value in [value for module in modules for value in vars(module).values()]:
        for part in vars(value).values() if isinstance(value, type) else (value,):
            inner = part.fget if isinstance(part, property) else getattr(part, "__func__", part)
            inner = getattr(inner, "py_func", inner)  # of an entry
            if isinstance(inner, types.FunctionType) and inner.__code__.co_filename == str(path):
                yield inner


def put_in(fault: Fault, path: Path) -> None:
    """Insert a fault into the loaded module of a file."""
    source = path.read_text()
    broken = source[: fault.start] + fault.text + source[fault.end :]
    code = compile(broken, str(path), "exec")
    if not fault.function:
        modules = list(sys.modules.values())
        _put_in_constants(next(module for module in modules if getattr(module, "__file__", None) == str(path)), code)
        return
    bodies = {(body.co_qualname, body.co_firstlineno): body for body in _codes(code)}
    for function in _functions(path):
        body = bodies.get((function.__code__.co_qualname, function.__code__.co_firstlineno))
        if body is not None and body.co_freevars == function.__code__.co_freevars:
            function.__code__ = body


#: Types of constants that a fault can change.
_PLAIN: Final = (int, float, tuple, frozenset, dict, str)


def _put_in_constants(module: types.ModuleType, code: types.CodeType) -> None:
    """Set the changed values of a module, there and in modules that imported them.

    For a record such as an encoder, which other objects hold too, the fields are set.
    """
    space = {"__name__": module.__name__, "__file__": module.__file__, "__package__": module.__package__}
    exec(code, space)
    for name, value in space.items():
        old = vars(module).get(name)
        if name.startswith("__") or isinstance(value, type) or type(value) is not type(old):
            continue
        if is_dataclass(value):
            for part in fields(value):
                new = getattr(value, part.name)
                if isinstance(new, _PLAIN) and new != getattr(old, part.name):
                    object.__setattr__(old, part.name, new)
        elif isinstance(value, _PLAIN) and value != old:
            for other in list(sys.modules.values()):
                if vars(other).get(name) is old and getattr(other, "__name__", "").startswith(("janshi", "tests")):
                    setattr(other, name, value)


class Baseline:
    """The lines that every test reaches, and its time; stored in a file for tests with unchanged text."""

    def __init__(self, path: Path, sources: dict[str, str]) -> None:
        self._path = path
        self._digest = _digest("".join(sources.values()))
        kept = json.loads(path.read_text()) if path.exists() else {}
        self._tests: dict[str, Any] = kept["tests"] if kept.get("digest") == self._digest else {}

    def knows(self, item: pytest.Item) -> bool:
        """Return whether the test has run in its current form."""
        return self._tests.get(item.nodeid, {}).get("digest") == _digest(item.path.read_text())

    def keep(self, item: pytest.Item, seconds: float, failed: bool, reached: set[tuple[str, int]]) -> None:
        """Store the lines that a test has reached."""
        lines: dict[str, list[int]] = {}
        for file, line in sorted(reached):
            lines.setdefault(file, []).append(line)
        entry = {"digest": _digest(item.path.read_text()), "seconds": seconds, "failed": failed, "lines": lines}
        self._tests[item.nodeid] = entry

    def save(self) -> None:
        """Write the file."""
        self._path.write_text(json.dumps({"digest": self._digest, "tests": self._tests}))

    def seconds(self, item: pytest.Item) -> float:
        """Return the time of a test with recorded lines."""
        return float(self._tests[item.nodeid]["seconds"])

    def failed(self, item: pytest.Item) -> bool:
        """Return whether a test fails without a fault."""
        return bool(self._tests[item.nodeid]["failed"])

    def reaches(self, item: pytest.Item, fault: Fault) -> bool:
        """Return whether a test runs a line of a fault; constants may be read without one."""
        lines = self._tests[item.nodeid]["lines"].get(fault.file, [])
        return not fault.function or any(fault.line <= line <= fault.last for line in lines)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class Judge:
    """A pytest plugin: runs the collected tests with a record of lines, then again for each fault."""

    def __init__(self, paths: dict[str, Path], faults: list[Fault], results: Results, baseline: Baseline) -> None:
        self._paths = paths
        self._faults = faults
        self._results = results
        self._baseline = baseline
        self._files = {str(path): file for file, path in paths.items()}
        self._failed = False
        #: Lines that the current test has reached, in any thread.
        self._reached: set[tuple[str, int]] = set()
        #: Number of faults of a function that a test was the first to detect.
        self._noticed: collections.Counter[tuple[str, str]] = collections.Counter()
        self.broken: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record a failure."""
        if report.failed:
            self._failed = True

    def _trace_lines(self, frame: types.FrameType, event: str, arg: object) -> Any:
        if event == "line":
            self._reached.add((self._files[frame.f_code.co_filename], frame.f_lineno))
        return self._trace_lines

    def _trace_calls(self, frame: types.FrameType, event: str, arg: object) -> Any:
        return self._trace_lines if frame.f_code.co_filename in self._files else None

    def _run_unbroken(self, items: list[pytest.Item]) -> None:
        """Run the tests that have not run in their current form, without a fault."""
        new = [item for item in items if not self._baseline.knows(item)]
        threading.settrace(self._trace_calls)  # servers of the tests run in threads
        for number, item in enumerate(new):
            self._reached = set()
            self._failed = False
            following = new[number + 1] if number + 1 < len(new) else None
            began = time.process_time()
            sys.settrace(self._trace_calls)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            sys.settrace(None)
            self._baseline.keep(item, time.process_time() - began, self._failed, self._reached)
        threading.settrace(None)  # type: ignore[arg-type]
        self._baseline.save()

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests, and the faults with their tests."""
        if session.testsfailed:
            return True
        self._run_unbroken(session.items)
        self.broken = [item.nodeid for item in session.items if self._baseline.failed(item)]
        items = [item for item in session.items if item.nodeid not in self.broken]
        items.sort(key=self._baseline.seconds)
        gc.collect()
        gc.freeze()
        for number, fault in enumerate(self._faults):
            began = time.perf_counter()
            outcome = self._judge(fault, items)
            self._results.add(fault, outcome)
            seconds = time.perf_counter() - began
            print(f"{number + 1}/{len(self._faults)} {outcome} {seconds:.1f} s {fault.name[:90]}", file=sys.stderr)
        return True

    def _judge(self, fault: Fault, items: list[pytest.Item]) -> str:
        reaching = [item for item in items if self._baseline.reaches(item, fault)]
        if not reaching:
            return "unreached"
        reaching.sort(key=lambda item: -self._noticed[fault.function, item.nodeid])
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            self._die_of(fault, reaching, writing)
        os.close(writing)
        with os.fdopen(reading) as file:
            number = file.read()
        _, status = os.waitpid(child, 0)
        if number:
            self._noticed[fault.function, reaching[int(number)].nodeid] += 1
        return "survived" if os.waitstatus_to_exitcode(status) == 0 else "killed"

    def _die_of(self, fault: Fault, items: list[pytest.Item], writing: int) -> None:
        """In the child: insert the fault, run the tests, write the first failure and exit with 1."""
        limit = LIMIT + int(sum(map(self._baseline.seconds, items)))
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        _end_when_idle()
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        try:
            put_in(fault, self._paths[fault.file])
        except BaseException:
            os._exit(1)  # the module cannot be loaded
        try:
            self._failed = False
            for number, item in enumerate(items):
                following = items[number + 1] if number + 1 < len(items) else None
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                if self._failed:
                    os.write(writing, str(number).encode())
                    os._exit(1)
        except BaseException:
            os._exit(1)
        os._exit(0)


def _end_when_idle() -> None:
    """End this process with 1 when it has used no processor time for `IDLE` seconds."""
    used = time.process_time()

    def look(*_: object) -> None:
        nonlocal used
        before, used = used, time.process_time()
        if used - before < 0.1:
            os._exit(1)

    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, IDLE, IDLE)


# ---------------------------------------------------------------------------------------------------------
# Results


class Results:
    """Outcomes of faults, in a file of lines."""

    def __init__(self, path: Path, digests: dict[str, str]) -> None:
        self._path = path
        self._digests = digests
        self.outcomes: dict[tuple[str, int, int, str], str] = {}
        for line in path.read_text().splitlines() if path.exists() else []:
            entry = json.loads(line)
            if digests.get(entry["file"]) == entry["digest"]:
                self.outcomes[entry["file"], entry["start"], entry["end"], entry["text"]] = entry["outcome"]

    def of(self, fault: Fault) -> str | None:
        """Return the outcome of a fault; None if it has not been run."""
        return self.outcomes.get((fault.file, fault.start, fault.end, fault.text))

    def add(self, fault: Fault, outcome: str) -> None:
        """Store the outcome of a fault."""
        self.outcomes[fault.file, fault.start, fault.end, fault.text] = outcome
        key = {"file": fault.file, "start": fault.start, "end": fault.end, "text": fault.text}
        entry = {**key, "digest": self._digests[fault.file], "outcome": outcome, "name": fault.name}
        with self._path.open("a") as file:
            file.write(json.dumps(entry) + "\n")


def equivalents() -> dict[str, str]:
    """Return equivalent faults by name, with their reasons."""
    entries: dict[str, str] = tomllib.loads(EQUIVALENT.read_text()) if EQUIVALENT.exists() else {}
    return entries


def report(name: str, total: int, faults: list[Fault], results: Results) -> tuple[str, list[str]]:
    """Return a row of the table, and the undetected faults."""
    named = equivalents()
    outcomes = {fault: results.of(fault) for fault in faults}
    run = [fault for fault in faults if outcomes[fault]]
    killed = [fault for fault in run if outcomes[fault] == "killed"]
    equivalent = [fault for fault in run if outcomes[fault] != "killed" and fault.name in named]
    left = [fault for fault in run if outcomes[fault] != "killed" and fault.name not in named]
    counted = len(killed) + len(left)
    share = f"{100 * len(killed) / counted:.1f} %" if counted else "-"
    row = f"| {name} | {total} | {len(run)} | {len(killed)} | {len(equivalent)} | {len(left)} | {share} |"
    return row, [f"{outcomes[fault]} {fault.file}:{fault.line} {fault.name}" for fault in left]


def judge(names: list[str], options: argparse.Namespace) -> list[tuple[str, list[str]]]:
    """Insert the faults of modules; return the row and the survivors of each."""
    files = [file for name in names for file in MODULES[name][0]]
    paths = {file: ROOT / "src" / "janshi" / file for file in files}
    sources = {file: path.read_text() for file, path in paths.items()}
    results = Results(options.out, {file: _digest(source) for file, source in sources.items()})
    everything: dict[str, list[Fault]] = {}
    chosen: dict[str, list[Fault]] = {}
    for name in names:
        everything[name] = [fault for file in MODULES[name][0] for fault in faults_of(file, sources[file])]
        chosen[name] = everything[name]
        if options.sample is not None and options.sample < len(everything[name]):
            chosen[name] = random.Random(options.seed).sample(everything[name], options.sample)
    named = equivalents()
    again = ("survived", "unreached") if options.survivors else (None,)
    wanted = [
        fault for name in names for fault in chosen[name] if results.of(fault) in again and fault.name not in named
    ]
    if wanted and not options.show:
        tests = list(dict.fromkeys(test for name in names for test in MODULES[name][1]))
        plugin = Judge(paths, wanted, results, Baseline(options.out.with_suffix(".lines.json"), sources))
        arguments = ["-q", "-s", "--tb=no", "--assert=plain", "-o", "addopts=", "-m", "not long and not later"]
        arguments += [part for name in ("cacheprovider", "doctest") for part in ("-p", f"no:{name}")]
        arguments += [part for test in SLOW for part in ("--deselect", test)]
        with open(os.devnull, "w") as quiet, contextlib.redirect_stdout(quiet):
            pytest.main([*arguments, *(str(ROOT / test) for test in tests)], plugins=[plugin])
        if plugin.broken:
            print(f"these tests fail without a fault: {', '.join(plugin.broken)}", file=sys.stderr)
    return [report(name, len(everything[name]), chosen[name], results) for name in names]


def main() -> None:
    """Test the modules of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0] if __doc__ else None,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="modules, their files below src/janshi and the tests that judge them:\n"
        + "\n".join(f"  {name}: {', '.join(files)} by {', '.join(tests)}" for name, (files, tests) in MODULES.items()),
    )
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="modules of the list below; all by default")
    parser.add_argument("--out", type=Path, required=True, help="file of the results")
    parser.add_argument("--sample", type=int, help="so many faults of each module")
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    parser.add_argument("--survivors", action="store_true", help="run again what survived")
    parser.add_argument("--show", action="store_true", help="run nothing")
    options = parser.parse_args()
    for name in options.modules:
        if name not in MODULES:
            parser.error(f"no module {name!r}: there are {', '.join(MODULES)}")
    # The same examples for every fault; the first failure suffices.
    settings.register_profile(
        "mutate", derandomize=True, database=None, deadline=None, phases=(Phase.explicit, Phase.generate)
    )
    settings.load_profile("mutate")
    print("| module | faults | run | killed | equivalent | survived | killed of those that count |")
    print("|---|---|---|---|---|---|---|")
    rows = judge(options.modules or list(MODULES), options)
    print(*(row for row, _ in rows), "", *(line for _, left in rows for line in left), sep="\n")


def has_compiled_functions(names: list[str]) -> bool:
    """Return whether a file of these modules contains compiled functions or, in `core`, templates."""
    files = [file for name in names for file in MODULES[name][0]]
    return any(
        file.startswith("core/") or COMPILED.search((ROOT / "src" / "janshi" / file).read_text()) for file in files
    )


if __name__ == "__main__":
    mode = "1" if has_compiled_functions([name for name in sys.argv if name in MODULES] or [*MODULES]) else "0"
    if os.environ.get("JANSHI_PLAIN") != mode:
        environment = {**os.environ, "JANSHI_PLAIN": mode, "JANSHI_RECORDS": os.devnull, "OMP_NUM_THREADS": "1"}
        environment["JANSHI_SICHUAN"] = os.devnull
        os.execve(sys.executable, [sys.executable, *sys.argv], environment)
    sys.path.insert(0, str(ROOT))
    main()
