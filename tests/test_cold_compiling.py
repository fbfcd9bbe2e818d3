"""Programs with an empty cache: what is compiled, by whom, and what is kept."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
from itertools import product
from pathlib import Path

import pytest

from janshi.compiling import PLAIN
from janshi.compiling import cache as cache_module
from tests.cases import mostly_long
from tests.processes import run_cold as run

pytestmark = [pytest.mark.later, pytest.mark.skipif(PLAIN, reason="nothing is compiled")]

_TREE = """
from janshi.compiling import Int64s, entry, rule
from janshi.compiling.rules import RULES

@rule
def lowest(number: int) -> int:
    return number + 1

@rule
def middle(number: int) -> int:
    return 2 * lowest(number) if number > 0 else lowest(0)

@entry
def highest(number: int) -> int:
    return middle(number) + lowest(number)

def made():
    compiled = [each.dispatcher.overloads for each in RULES.values() if "dispatcher" in vars(each)]
    libraries = [overload.library for overloads in compiled for overload in overloads.values()]
    return [getattr(library, "_made", None) for library in libraries]
"""


#: Size from which a rule's bitcode is kept.
_LINES = 120
_SUM = "\n".join(f"    total += number * {factor} % 7" for factor in range(_LINES))
_BIG = f"""
import os, sys, threading, time, signal
import numpy as np
from janshi.compiling import Int64, batched, entry, prepare, rule, rules

@rule
def big(number: int) -> int:
    total = 0
{_SUM}
    return total

@rule
def row(number: Int64) -> int:
    return big(number) + 1

@entry
def single(number: int) -> int:
    return big(number)

rows = batched(row)
IN_HELPER = sys.argv[0] == "-c"
"""
_TWICE = f"""
{_BIG}
@rule
def bigger(number: int) -> int:
    total = big(number)
{_SUM}
    return total

@entry
def kept(number: int) -> int:
    return bigger(number)

@entry
def asked(number: int) -> int:
    return bigger(number) - big(number)
"""
_CHECK = f"""
import big, numpy as np
done = []
big.prepare([big.single, big.rows], progress=lambda made, count: done.append((made, count)))
print(big.single(5) == sum(5 * factor % 7 for factor in range({_LINES})), big.rows(np.arange(3)) > 3, done)
"""

_COUNTING = """
import numpy as np
from janshi.compiling import Int64, Int64s, batched, prepare, rule

@rule
def count(kind: Int64, counts: Int64s) -> None:
    counts[kind] += 1

count_anew = batched(count, clears="counts")
count_on = batched(count)
"""

_BRIEF = """
import numpy as np
from janshi.compiling import Int8, Int64, Record, TableRecord, batched, compile_seconds, copy_record, dtype_of, entry
from janshi.compiling import leaf, part, prepare, rule, rules

class Open(Record):
    number: Int8

class Board(Open, TableRecord):
    hidden: Int8

@leaf
def doubled(number: int) -> int:
    return 2 * number

@part
def add(board: Board, number: int) -> None:
    board.number += doubled(number)

@rule
def move(board: Board, number: Int64, shown: Open) -> int:
    add(board, number)
    copy_record(board, shown)
    return int(board.number)

@entry(brief=True)
def twice(number: int) -> int:
    return doubled(number)

moves = batched(move, brief=True)

def play(count):
    boards, shown = np.zeros(count, dtype_of(Board)), np.zeros(count, dtype_of(Open))
    for _ in range(3):
        total = moves(boards, np.arange(count), shown)
    return total, boards["number"].tolist(), shown["number"].tolist(), twice(21)
"""
_PLAYED = "(18, [0, 6, 12], [0, 6, 12], 42)"


#: Claims: the modules beside a program, a program, and what it prints.
PROGRAMS: dict[str, tuple[dict[str, str], str, str]] = {
    "only entries become machine code, and Numba's functions can call rules": (
        {"tree": _TREE},
        """
    from tree import *
    from numba import njit
    assert highest(20) == 63
    assert made() == [False, False]

    @njit
    def of_my_own(number):
        return middle(number) + 1

    print(of_my_own(20))
    """,
        "43",
    ),
    "a forked child has threads of its own": (
        {},
        """
    import os, signal
    import numpy as np
    from janshi.compiling import Int64, batched, rule

    @rule
    def double(number: Int64) -> int:
        return 2 * number

    doubled = batched(double)
    numbers = np.arange(5_000_000)
    for _ in range(3):
        total = doubled(numbers, threads=2)
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        os._exit(0 if doubled(numbers, threads=2) == total else 1)
    print(os.waitpid(child, 0)[1])
    """,
        "0",
    ),
    "helpers compile a first call that needs much": (
        {"big": _BIG},
        """
    import big, numpy as np
    from janshi.compiling import preparing
    preparing._SHARED_BYTES = 1
    print(big.rows(np.arange(3)) > 3, sorted(big.rules.compile_seconds), big.single.is_loaded)
    """,
        "True [] True",
    ),
    "a first call that needs little compiles itself": (
        {"big": _BIG},
        """
    import big, numpy as np
    from janshi.compiling import preparing
    preparing._SHARED_BYTES = 10**9
    print(big.rows(np.arange(3)) > 3, sorted(big.rules.compile_seconds), big.single.is_loaded)
    """,
        "True ['big', 'row', 'row_batch'] False",
    ),
    "compilation errors are those without helpers": (
        {"big": _BIG.replace("return total", "return total + [0]")},
        """
    import big
    from numba.core.errors import TypingError
    try:
        big.prepare([big.single])
    except TypingError:
        print("not compiled")
    """,
        "not compiled",
    ),
    "functions that helpers cannot find are compiled here": (
        {"big": _BIG},
        """
    from big import big, prepare, rule, batched, Int64
    import numpy as np

    @rule
    def twice(number: Int64) -> int:
        return 2 * big(number)

    doubled = batched(twice)
    prepare([doubled])
    print(doubled(np.arange(3)) > 3)
    """,
        "True",
    ),
    "a module that is imported again finds its rules in the cache": (
        {"twice": _TWICE},
        """
    import importlib, os
    import twice
    if os.fork() == 0:
        twice.kept(5)
        os._exit(0)
    os.wait()
    importlib.reload(twice)
    print(twice.asked(5) == twice.big(5))
    """,
        "True",
    ),
    "what is compiled is prepared by nobody": (
        {"big": _BIG},
        """
    import big, numpy as np
    from janshi.compiling import preparing
    big.single(1), big.rows(np.arange(2))
    preparing._Helper = None
    big.prepare([big.single, big.rows])
    print("nothing to do")
    """,
        "nothing to do",
    ),
    "a few rows run before compilation": (
        {"brief": _BRIEF},
        """
    from brief import *
    print(play(3), dict(compile_seconds))
    print(play(9)[1], "move" in compile_seconds)
    print(play(3))
    """,
        f"{_PLAYED} {{}}\n[0, 6, 12, 18, 24, 30, 36, 42, 48] True\n{_PLAYED}",
    ),
    "functions are compiled after enough calls": (
        {"brief": _BRIEF},
        """
    from brief import *
    rules._PLAIN_SECONDS = rules._IMPORT_SECONDS = 0
    print(play(3), sorted(compile_seconds))
    """,
        f"{_PLAYED} ['doubled', 'move', 'move_batch', 'twice']",
    ),
    "other work continues while helpers compile": (
        {"brief": _BRIEF},
        """
    import threading, time
    from brief import *
    rules._PLAIN_SECONDS, rules._LOOK_SECONDS = 0, 0.01
    preparing = threading.Thread(target=prepare, args=([moves, twice],))
    preparing.start()
    while not moves.entry.in_preparation:
        time.sleep(0.001)
    print(play(3), moves.entry.is_loaded)
    preparing.join()
    print(play(3), moves.entry.is_loaded, dict(compile_seconds))
    """,
        f"{_PLAYED} False\n{_PLAYED} True {{}}",
    ),
}


@pytest.mark.skipif((os.cpu_count() or 1) < 2 or not hasattr(os, "fork"), reason="needs two cores and forks")
@pytest.mark.parametrize("claim", PROGRAMS)
def test_a_program_with_an_empty_cache(tmp_path: Path, claim: str) -> None:
    modules, program, expected = PROGRAMS[claim]
    for name, text in modules.items():
        (tmp_path / f"{name}.py").write_text(text)
    assert run(textwrap.dedent(program), tmp_path) == expected


@pytest.mark.long
def test_two_processes_at_once_and_a_third_that_loads(tmp_path):
    (tmp_path / "program.py").write_text(_TREE + "print(highest(20), made())")
    command = [sys.executable, str(tmp_path / "program.py")]
    environment = {**os.environ, "JANSHI_CACHE": str(tmp_path / "cache")}
    both = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert [process.communicate()[0].split()[0] for process in both] == ["63", "63"]
    third = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert third.stdout.split() == ["63", "[]"]
    assert "compiling" not in third.stderr
    assert not list((tmp_path / "cache").rglob("*.tmp.*"))


@pytest.mark.parametrize(
    ("ending", "share"), mostly_long(product(("nbi", "nbc"), (0, 0.5)), lambda *case: case == ("nbi", 0.5))
)
def test_a_damaged_file_is_replaced(tmp_path, ending, share):
    program = _TREE + "print(highest(20))"
    assert run(program, tmp_path) == "63"
    (file,) = (tmp_path / "cache").rglob(f"*.{ending}")
    whole = file.read_bytes()
    file.write_bytes(whole[: int(share * len(whole))])
    assert run(program, tmp_path) == "63"
    assert len(file.read_bytes()) == len(whole)


@pytest.mark.long
def test_functions_without_a_file_are_compiled_but_not_cached(tmp_path: Path) -> None:
    program = f"exec(compile({_TREE!r}, '<cell 1>', 'exec'))\nprint(highest(20))"
    assert run(program, tmp_path) == "63"
    assert not list((tmp_path / "cache").rglob("*.nb*"))


@pytest.mark.parametrize(
    "break_numba",
    [
        "from numba.core import codegen; del codegen.JITCodeLibrary",
        *(
            pytest.param(f"from janshi.compiling import deferred; {statement}", marks=pytest.mark.long)
            for statement in (
                "deferred.DeferredLibrary._make = lambda self: None",
                "deferred.DeferredLibrary.finalize = None",
                "del deferred._environment.lookup_environment",
            )
        ),
    ],
)
def test_an_unknown_version_of_numba_compiles_by_its_own_means(tmp_path, break_numba):
    assert run(f"{break_numba}\n{_TREE}\nprint(highest(20), set(made()) <= {{None}})", tmp_path) == "63 True"


@pytest.mark.long
@pytest.mark.parametrize(
    "change",
    [
        lambda content: content[:1000],
        # As if another process had written it, whose names of compiled functions have other numbers.
        lambda content: content.replace(b"6single", b"6sINGLe"),
    ],
    ids=["damaged", "without the entry"],
)
def test_an_unusable_library_is_replaced(tmp_path, change):
    (tmp_path / "big.py").write_text(_BIG)
    run(_CHECK, tmp_path)
    (library,) = (tmp_path / "cache").rglob("object.pickle")
    content = library.read_bytes()
    library.write_bytes(change(content))
    assert library.read_bytes() != content
    again = "import big\nprint(big.single(5) > 0, sorted(big.rules.compile_seconds))"
    assert run(again, tmp_path) == "True ['single']"
    assert run(again, tmp_path) == "True []"


def test_installations_with_equal_sources_share_their_code(tmp_path):
    use = """
    from janshi.compiling.preparing import are_kept
    from janshi.core.random import following_seeds

    print(are_kept([following_seeds]))
    following_seeds.entry.loaded()
    """
    source, large = Path(cache_module.__file__).parents[1], shutil.ignore_patterns("static", "players", "sample")
    for name, kept in (("first", "False"), ("second", "True")):
        shutil.copytree(source, tmp_path / name / "janshi", ignore=large)
        assert run(textwrap.dedent(use), tmp_path, PYTHONPATH=str(tmp_path / name)) == kept


@pytest.mark.long
def test_code_in_a_wheel_is_loaded_unless_the_processor_lacks_something(tmp_path):
    (tmp_path / "big.py").write_text(_BIG)
    ship = f"""
    import big, sys
    from pathlib import Path

    sys.path.insert(0, {str(Path(__file__).parents[1])!r})
    from tools.compile_wheel import copy_code

    big.prepare([big.single, big.rows])
    copy_code([big.single.loaded(), big.rows.entry.loaded()], Path("../shipped"))
    """
    use = """
    from pathlib import Path
    from janshi.compiling import cache, rules
    cache.SHIPPED = rules.SHIPPED = Path("../shipped")
    import big, numpy as np
    print(big.single(5) > 0, big.rows(np.arange(3)) > 3, sorted(rules.compile_seconds))
    """
    run(textwrap.dedent(ship), tmp_path)
    for features, compiled in (("", []), ("no-such-feature", ["big", "row", "row_batch", "single"])):
        shutil.rmtree(tmp_path / "cache")
        (tmp_path / "shipped" / "features.txt").write_text(features)
        assert run(textwrap.dedent(use), tmp_path) == f"True True {compiled}"


@pytest.mark.parametrize(
    "trouble",
    [
        "if IN_HELPER: os._exit(3)",
        *(
            pytest.param(f"if IN_HELPER: {trouble}", marks=pytest.mark.long)
            for trouble in (
                "time.sleep(1000)",
                "rules.compile_rule = None",
                "threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGTERM)).start()",
                "rules.deferring = lambda: os._exit(9)",
                "print('ready', 'done', sep=chr(10), flush=True)",
            )
        ),
    ],
)
def test_failing_helpers_cost_only_time(tmp_path, trouble):
    (tmp_path / "big.py").write_text(f"{_BIG}\n{trouble}\n")
    patience = "from janshi.compiling import preparing\npreparing._PATIENCE = 3\n"
    assert run(patience + _CHECK, tmp_path).startswith("True True")
    again = "import numpy as np, big\nprint(big.rows(np.arange(3)) > 3, big.single(5) > 0, big.rules.compile_seconds)"
    assert run(again, tmp_path) == "True True {}"


@pytest.mark.parametrize("plain", ["", "1"])
def test_rows_are_cleared_before_the_call(tmp_path, plain):
    (tmp_path / "counting.py").write_text(_COUNTING)
    program = """
    import numpy as np
    from counting import count_anew, count_on, prepare
    prepare([count_anew, count_on])
    kinds, counts = np.array([0, 2]), np.full((2, 3), 7)
    count_on(kinds, counts)
    print(counts.tolist())
    count_anew(kinds, counts)
    print(counts.tolist())
    count_anew.bind(kinds, counts)()
    print(counts.tolist())
    """
    lines = run(textwrap.dedent(program), tmp_path, JANSHI_PLAIN=plain).splitlines()
    assert lines == ["[[8, 7, 7], [7, 7, 8]]", "[[1, 0, 0], [0, 0, 1]]", "[[1, 0, 0], [0, 0, 1]]"]


def test_a_few_rows_wait_neither_for_the_compiler_nor_for_numba(tmp_path):
    (tmp_path / "brief.py").write_text(_BRIEF)
    program = """
    import sys
    from brief import *
    {first}
    print(play(3), "numba" in sys.modules)
    rules._IMPORT_SECONDS = 0
    print(play(3), "numba" in sys.modules)
    """
    results = "(18, [0, 6, 12], [0, 6, 12], 42)"
    for first in ("play(9)", ""):
        expected = [f"{results} {bool(first)}", f"{results} True"]
        assert run(textwrap.dedent(program.format(first=first)), tmp_path, forked=False).splitlines() == expected


def test_a_table_is_played_before_compilation(tmp_path):
    program = """
    from janshi.compiling import compile_seconds
    from janshi.table import Table
    table = Table("tenhou-sanma", seed=5)
    while table.actor >= 0:
        table.act(table.legal[-1])
    print(table.state.hands[0].counts.tolist(), int(table.state.left), dict(compile_seconds))
    """
    played = run(textwrap.dedent(program), tmp_path)
    assert played.endswith(" {}")
    assert played == run(textwrap.dedent(program), tmp_path, JANSHI_PLAIN="1")
