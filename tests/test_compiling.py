"""Compiling: what is made, where it is kept, and what is refused."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Annotated

import numpy as np
import pytest
from numpy.typing import NDArray

from janshi.compiling import PLAIN, Record, TableRecord, batched, copy_record, dtype_of, rule, sources_key, zeros
from janshi.compiling import cache as cache_module

compiled_only = pytest.mark.skipif(PLAIN, reason="nothing is compiled")

_THREADS = """
import time
from concurrent.futures import ThreadPoolExecutor
from janshi.compiling import Int64s, entry, rules
import numpy as np

made = rules._dispatcher

def slowly(function, **options):
    # The second is still at it when the first is done.
    time.sleep(0.2 if function.__name__ == "first" else 0.6)
    return made(function, **options)

rules._dispatcher = slowly

@entry
def first(values: Int64s) -> None:
    values[0] = 1

@entry
def second(values: Int64s) -> None:
    values[0] = 2

def call(function):
    values = np.zeros(1, np.int64)
    function(values)
    return int(values[0])

with ThreadPoolExecutor(2) as pool:
    print(list(pool.map(call, (first, second))))
"""

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
    libraries = [list(each.overloads.values())[0].library for each in RULES.values() if each.overloads]
    return [getattr(library, "_made", None) for library in libraries]
"""


def run(program: str, folder: Path, **environment: str) -> str:
    """Run a program in a folder, with the cache beside it; return what it prints."""
    (folder / "here").mkdir(exist_ok=True)
    (folder / "program.py").write_text(program)
    done = subprocess.run(
        [sys.executable, str(folder / "program.py")],
        cwd=folder / "here",
        env={**os.environ, "JANSHI_CACHE": str(folder / "cache"), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


# ---------------------------------------------------------------------------------------------------------
# The cache


@compiled_only
def test_threads_that_load_at_once_write_into_the_cache_alone(tmp_path):
    assert run(_THREADS, tmp_path) == "[1, 2]"
    assert list((tmp_path / "here").iterdir()) == []
    written = list(tmp_path.rglob("*.nbi"))
    assert len(written) == 2
    assert all(path.is_relative_to(tmp_path / "cache") for path in written)


@compiled_only
def test_two_processes_at_once_and_a_third_that_loads(tmp_path):
    (tmp_path / "program.py").write_text(_TREE + "print(highest(20), made())")
    command = [sys.executable, str(tmp_path / "program.py")]
    environment = {**os.environ, "JANSHI_CACHE": str(tmp_path / "cache")}
    both = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert [process.communicate()[0].split()[0] for process in both] == ["63", "63"]
    third = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert third.stdout.split() == ["63", "[]"]
    assert third.stderr == ""
    assert not list((tmp_path / "cache").rglob("*.tmp.*"))


@compiled_only
@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_a_damaged_file_is_written_anew(tmp_path, ending):
    program = _TREE + "print(highest(20))"
    assert run(program, tmp_path) == "63"
    (file,) = (tmp_path / "cache").rglob(f"*.{ending}")
    whole = file.read_bytes()
    for damaged in (b"", whole[: len(whole) // 2], b"\x00" * 100):
        file.write_bytes(damaged)
        assert run(program, tmp_path) == "63"
        assert len(file.read_bytes()) == len(whole)


@compiled_only
def test_functions_without_a_file_are_compiled_and_not_kept(tmp_path):
    program = f"exec(compile({_TREE!r}, '<cell 1>', 'exec'))\nprint(highest(20))"
    assert run(program, tmp_path) == "63"
    assert not list((tmp_path / "cache").rglob("*.nb*"))


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package of four modules, of which the top imports two and one of them a third."""
    modules = {
        "top.py": "from janshi.low import (\n    one,\n    two,\n)\nfrom janshi.part import middle\n",
        "low.py": "one, two = 1, 2\n",
        "part/__init__.py": "",
        "part/middle.py": "import janshi.part.lowest\n",
        "part/lowest.py": "three = 3\n",
        "other.py": "import janshi.low\n",
    }
    for name, text in modules.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(cache_module, "_PACKAGE", tmp_path)
    return tmp_path


def key_of(path: Path) -> str:
    sources_key.cache_clear()
    cache_module._source.cache_clear()
    return sources_key(path)


def test_the_key_is_that_of_the_module_and_of_all_that_it_imports(package):
    for name in ("top.py", "low.py", "part/middle.py", "part/lowest.py"):
        before, other = key_of(package / "top.py"), key_of(package / "other.py")
        (package / name).write_text((package / name).read_text() + "# edited\n")
        assert key_of(package / "top.py") != before, name
        assert (key_of(package / "other.py") != other) == (name == "low.py"), name


def test_the_key_does_not_change_with_what_is_not_imported(package):
    before = key_of(package / "top.py")
    (package / "other.py").write_text("edited = True\n")
    (package / "new.py").write_text("import janshi.top\n")
    os.utime(package / "top.py", (1, 1))
    assert key_of(package / "top.py") == before


def test_the_key_of_a_module_elsewhere_knows_the_modules_beside_it(package, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "agent.py").write_text("import helper\nfrom janshi.low import one\n")
    (elsewhere / "helper.py").write_text("four = 4\n")
    before = key_of(elsewhere / "agent.py")
    (elsewhere / "helper.py").write_text("four = 5\n")
    assert key_of(elsewhere / "agent.py") != before


# ---------------------------------------------------------------------------------------------------------
# Machine code for entries alone


@compiled_only
def test_only_what_python_calls_becomes_machine_code(tmp_path):
    assert run(_TREE + "print(highest(20), made())", tmp_path) == "63 [False, False]"


@compiled_only
@pytest.mark.parametrize(
    "break_numba",
    [
        "from numba.core import codegen; del codegen.JITCodeLibrary",
        "from janshi.compiling import deferred; deferred.DeferredLibrary._make = lambda self: None",
        "from janshi.compiling import deferred; deferred.DeferredLibrary.finalize = None",
        "from janshi.compiling import deferred; del deferred._environment.lookup_environment",
    ],
)
def test_a_numba_that_is_different_inside_compiles_in_its_own_way(tmp_path, break_numba):
    assert run(f"{break_numba}\n{_TREE}\nprint(highest(20), set(made()) <= {{None}})", tmp_path) == "63 True"


@compiled_only
def test_numbas_own_functions_may_call_rules(tmp_path):
    program = """
    from numba import njit
    assert highest(20) == 63

    @njit
    def of_my_own(number):
        return middle(number) + 1

    print(of_my_own(20))
    """
    assert run(_TREE + textwrap.dedent(program), tmp_path) == "43"


# ---------------------------------------------------------------------------------------------------------
# Records


class _Inner(Record):
    values: Annotated[NDArray[np.int16], 3]


class _Full(TableRecord):
    first: Annotated[int, np.int64]
    inner: _Inner
    secret: Annotated[int, np.int32]
    last: Annotated[int, np.int32]


class _Public(Record):
    first: Annotated[int, np.int64]
    inner: _Inner
    other: Annotated[int, np.int16]
    last: Annotated[int, np.int32]


@rule
def _show(table: _Full, public: _Public) -> None:
    copy_record(table, public)


@rule
def _copy(source: _Full, target: _Full) -> None:
    copy_record(source, target)


def test_copy_record_copies_what_two_records_begin_with():
    table, public, other = zeros(_Full, 1), zeros(_Public, 1), zeros(_Full, 1)
    table["first"], table["inner"]["values"], table["secret"], table["last"] = 5, [1, 2, 3], 7, 9
    batched(_show)(table, public)
    assert public["first"] == 5
    assert public["inner"]["values"].tolist() == [[1, 2, 3]]
    assert (public["other"], public["last"]) == (0, 0)
    batched(_copy)(table, other)
    assert other.tobytes() == table.tobytes()


def test_a_record_refuses_names_that_numpys_records_have():
    class Wrong(Record):
        shape: Annotated[int, np.int8]

    with pytest.raises(TypeError, match=r"Wrong\.shape"):
        dtype_of(Wrong)
