"""Compilation: code, cache, errors."""

import os
import shutil
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pytest
from numpy.typing import NDArray

from janshi.compiling import (
    PLAIN,
    Bools,
    Int8,
    Int16,
    Int64,
    Record,
    Shared,
    TableRecord,
    Workspace,
    batched,
    copy_record,
    dtype_of,
    rule,
    sources_key,
    specialised,
    zeros,
)
from janshi.compiling import cache as cache_module
from tests.cases import mostly_long
from tests.processes import run_program

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
    compiled = [each.dispatcher.overloads for each in RULES.values() if "dispatcher" in vars(each)]
    libraries = [overload.library for overloads in compiled for overload in overloads.values()]
    return [getattr(library, "_made", None) for library in libraries]
"""


def run(program: str, folder: Path, forked: bool = True, **environment: str) -> str:
    """Run a program in a folder with the cache beside it; return its output."""
    (folder / "here").mkdir(exist_ok=True)
    (folder / "program.py").write_text(program)
    settings = {**os.environ, "JANSHI_CACHE": str(folder / "cache"), **environment}
    return run_program(folder / "program.py", folder / "here", settings, forked)


# ---------------------------------------------------------------------------------------------------------
# The cache


@compiled_only
@pytest.mark.long
def test_threads_that_load_at_once_write_into_the_cache_alone(tmp_path):
    assert run(_THREADS, tmp_path) == "[1, 2]"
    assert list((tmp_path / "here").iterdir()) == []
    written = list(tmp_path.rglob("*.nbi"))
    assert len(written) == 2
    assert all(path.is_relative_to(tmp_path / "cache") for path in written)


@compiled_only
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


@pytest.mark.later
@compiled_only
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


@compiled_only
@pytest.mark.long
def test_functions_without_a_file_are_compiled_but_not_cached(tmp_path):
    program = f"exec(compile({_TREE!r}, '<cell 1>', 'exec'))\nprint(highest(20))"
    assert run(program, tmp_path) == "63"
    assert not list((tmp_path / "cache").rglob("*.nb*"))


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Return a package of four modules; the top one imports two, and one of these a third."""
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


def test_code_of_a_source_that_changed_since_the_start_is_not_shared(package, monkeypatch):
    now = time.time()
    monkeypatch.setattr(cache_module, "_STARTED", now - 60)
    for file in package.rglob("*.py"):
        os.utime(file, (now - 90, now - 90))
    shared = key_of(package / "top.py")
    monkeypatch.setattr(cache_module, "_OWN", "another process")
    assert key_of(package / "top.py") == shared
    os.utime(package / "part" / "lowest.py", (now - 30, now - 30))
    keys = [shared, key_of(package / "top.py")]
    monkeypatch.setattr(cache_module, "_OWN", "a third process")
    assert len({*keys, key_of(package / "top.py")}) == 3
    assert key_of(package / "low.py") == key_of(package / "low.py")


def test_the_key_does_not_depend_on_modules_that_are_not_imported(package):
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
# Machine code only for entries


@pytest.mark.later
@compiled_only
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


@pytest.mark.later
@compiled_only
def test_only_entries_become_machine_code_and_numba_functions_can_call_rules(tmp_path):
    program = """
    from numba import njit
    assert highest(20) == 63
    assert made() == [False, False]

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


def test_copy_record_copies_the_common_first_fields():
    table, public, other = zeros(_Full, 1), zeros(_Public, 1), zeros(_Full, 1)
    table["first"], table["inner"]["values"], table["secret"], table["last"] = 5, [1, 2, 3], 7, 9
    batched(_show)(table, public)
    assert public["first"] == 5
    assert public["inner"]["values"].tolist() == [[1, 2, 3]]
    assert (public["other"], public["last"]) == (0, 0)
    batched(_copy)(table, other)
    assert other.tobytes() == table.tobytes()


class Apple(Record):
    weight: Annotated[int, np.int32]


class Pear(Record):
    juice: Annotated[float, np.float64]
    weight: Annotated[int, np.int32]


@rule
def doubled(number: int) -> int:
    return 2 * number


@rule
def tripled(number: int) -> int:
    return 3 * number


def weigh(fruit: "Fruit", more: Int8) -> Int64:  # type: ignore[name-defined]  # noqa: F821
    return changed(int(fruit.weight) + more)  # type: ignore[name-defined]  # noqa: F821


def test_a_template_is_compiled_for_each_record_with_its_rules():
    for record, change, expected in ((Apple, doubled, [4, 6]), (Pear, tripled, [6, 9])):
        made = specialised(weigh, __name__, Fruit=record, changed=change)
        fruits = zeros(record, 2)
        fruits["weight"] = 1
        assert batched(rule(made))(fruits, np.array([1, 2], np.int8)).tolist() == expected
        assert (made.__module__, made.__doc__) == (__name__, weigh.__doc__)


def test_the_cache_key_of_a_template_includes_its_source(package, tmp_path):
    template = tmp_path / "template.py"
    template.write_text("a = 1")
    other = sources_key(package / "low.py", template)
    assert other not in (sources_key(package / "low.py"), sources_key(template))


def test_a_record_refuses_names_of_numpys_records():
    class Wrong(Record):
        shape: Annotated[int, np.int8]

    with pytest.raises(TypeError, match=r"Wrong\.shape"):
        dtype_of(Wrong)


# ---------------------------------------------------------------------------------------------------------
# Batches


@rule
def _add(table: _Full, amount: Int16, factor: int, mask: Annotated[Bools, 4]) -> int:
    table.first += amount * factor
    for number in range(4):
        mask[number] = amount > number
    return amount


@rule
def _double(number: Int64) -> Int16:
    return 2 * number


@rule
def _move(source: _Full, target: _Full) -> None:
    target.first = source.first


_added, _doubled, _moved = batched(_add), batched(_double), batched(_move)


def _arguments(count: int = 3) -> tuple[Any, ...]:
    return zeros(_Full, count), np.arange(count, dtype=np.int16), 10, np.zeros((count, 4), np.bool_)


def test_a_batch_calls_the_function_for_every_row():
    tables, amounts, factor, masks = _arguments()
    assert _added(tables, amounts, factor, masks) == 3
    assert tables["first"].tolist() == [0, 10, 20]
    assert masks.sum(axis=1).tolist() == [0, 1, 2]
    assert _added(tables, amounts[1:2], factor, masks[:1], which=np.array([2])) == 1
    assert tables["first"].tolist() == [0, 10, 30]
    assert _doubled(np.arange(4)).tolist() == [0, 2, 4, 6]
    assert _doubled(np.arange(4)).dtype == np.int16


def test_an_empty_batch_is_not_an_error():
    assert _added(*_arguments(0)) == 0
    assert _added(*(part[:0] if isinstance(part, np.ndarray) else part for part in _arguments())) == 0
    assert _doubled(np.arange(0)).tolist() == []
    empty = np.zeros(0, np.int64)
    tables, amounts, factor, masks = _arguments()
    assert _added(tables, amounts[:0], factor, masks[:0], which=empty) == 0


@pytest.mark.parametrize("threads", [2, 3, 64])
def test_threads_change_nothing(threads):
    tables, amounts, factor, masks = _arguments(50)
    others = tuple(part.copy() if isinstance(part, np.ndarray) else part for part in (tables, amounts, factor, masks))
    assert _added(*others, threads=threads) == _added(tables, amounts, factor, masks)
    assert others[0]["first"].tolist() == tables["first"].tolist()
    assert _doubled(np.arange(50), threads=threads).tolist() == list(range(0, 100, 2))


@pytest.mark.later
@compiled_only
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_has_threads_of_its_own(tmp_path):
    program = """
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
    """
    assert run(textwrap.dedent(program), tmp_path) == "0"


#: Invalid value, index in `_arguments`, and error.
_WRONG: dict[str, tuple[int, Callable[[Any], Any], type[Exception], str]] = {
    "short": (1, lambda old: old[:2], ValueError, "amount has 2 rows, not 3"),
    "long": (3, lambda old: np.zeros((4, 4), np.bool_), ValueError, "mask has 4 rows, not 3"),
    "narrow": (3, lambda old: np.zeros((3, 2), np.bool_), ValueError, "mask has rows of 2, not 4"),
    "wide": (3, lambda old: np.zeros((3, 9), np.bool_), ValueError, "mask has rows of 9, not 4"),
    "other dtype": (
        1,
        lambda old: old.astype(np.int64),
        TypeError,
        "amount: must be an array of int16, not of int64",
    ),
    "other size": (1, lambda old: old.view(np.uint16), TypeError, "amount: must be an array of int16"),
    "float": (1, lambda old: old.astype(np.float16), TypeError, "amount: must be an array of int16"),
    "list": (1, lambda old: old.tolist(), TypeError, "amount: must be a NumPy array, not list"),
    "none": (1, lambda old: None, TypeError, "amount: must be a NumPy array, not NoneType"),
    "number": (1, lambda old: 3, TypeError, "amount: must be a NumPy array, not int"),
    "dimensions": (3, lambda old: old[0], TypeError, "mask: must be an array of 2 dimensions, not of 1"),
    "not contiguous": (3, lambda old: np.zeros((4, 3), np.bool_).T, TypeError, "mask: must be contiguous"),
    "every other": (1, lambda old: np.zeros(6, np.int16)[::2], TypeError, "amount: must be contiguous"),
    "array for a number": (2, lambda old: np.zeros(3), TypeError, "factor: must be a single int, not ndarray"),
    "words for a number": (2, lambda old: "ten", TypeError, "factor: must be a single int, not str"),
    "other records": (
        0,
        lambda old: zeros(_Public, 3),
        TypeError,
        "table: must be an array of _Full, not of other rec",
    ),
    "no records": (0, lambda old: np.zeros(3), TypeError, "table: must be an array of _Full, not of float64"),
    "one record": (0, lambda old: old[0], TypeError, "table: must be a NumPy array, not void"),
}


@pytest.mark.parametrize("wrong", _WRONG)
@pytest.mark.parametrize("threads", [1, 2])
def test_unsuitable_arguments_are_refused(wrong, threads):
    number, change, error, words = _WRONG[wrong]
    arguments = list(_arguments())
    tables = arguments[0]
    arguments[number] = change(arguments[number])
    with pytest.raises(error, match=words):
        _added(*arguments, threads=threads)
    if error is TypeError:
        with pytest.raises(error, match=words):
            _added.bind(*arguments)
    else:
        with pytest.raises(error, match=words):
            _added.bind(*arguments)()
    assert tables.tobytes() == zeros(_Full, 3).tobytes()


def test_read_only_arrays_are_refused():
    tables, amounts, factor, masks = _arguments()
    masks.setflags(write=False)
    for call in (_added, _added.bind):
        with pytest.raises(TypeError, match="mask: must be contiguous, aligned and writeable"):
            call(tables, amounts, factor, masks)


@pytest.mark.parametrize("which", [[0, 1, 3], [0, -1, 1], [1 << 40, 0, 0], [-(1 << 63), 0, 0]])
@pytest.mark.parametrize("threads", [1, 3])
def test_missing_tables_are_refused(which, threads):
    tables, amounts, factor, masks = _arguments()
    numbers = np.array(which)
    for call in (
        lambda: _added(tables, amounts, factor, masks, which=numbers, threads=threads),
        _added.bind(tables, amounts, factor, masks, which=numbers),
    ):
        with pytest.raises(IndexError, match="no table"):
            call()
    assert tables.tobytes() == zeros(_Full, 3).tobytes()


def test_two_arrays_of_tables_may_differ_in_length():
    source, target = zeros(_Full, 5), zeros(_Full, 3)
    source["first"] = range(5)
    _moved(source, target, which=np.arange(3))
    assert target["first"].tolist() == [0, 1, 2]
    for arguments in ((source, target), (target, source)):
        with pytest.raises(IndexError, match="no table 3: there are 3, numbered from 0"):
            _moved(*arguments, which=np.arange(4))


@pytest.mark.parametrize("which", [[0, 1], np.array([0.0, 1.0]), np.array([True, False]), np.array([[0, 1]]), 0])
def test_invalid_indices_of_tables_are_refused(which):
    tables, amounts, factor, masks = _arguments()
    with pytest.raises(TypeError, match="which: "):
        _added(tables, amounts[:2], factor, masks[:2], which=which)
    with pytest.raises(TypeError, match="which: "):
        _added.bind(tables, amounts[:2], factor, masks[:2], which=which)


def test_the_expected_number_of_arguments_is_reported():
    tables, amounts, factor, masks = _arguments()
    for arguments in ((), (tables,), (tables, amounts, factor, masks, masks)):
        with pytest.raises(TypeError, match=r"takes 4 arguments \(table, amount, factor, mask\), not"):
            _added(*arguments)
        with pytest.raises(TypeError, match=r"takes 4 arguments \(table, amount, factor, mask\), not"):
            _added.bind(*arguments)
    with pytest.raises(TypeError, match="only functions of tables accept"):
        _doubled(np.arange(3), which=np.arange(3))


def test_a_bound_call_uses_the_current_content_of_arrays():
    tables, amounts, factor, masks = _arguments()
    which = np.array([2, 1, 0])
    add = _added.bind(tables, amounts, factor, masks, which=which)
    assert (add(), add()) == (3, 3)
    assert tables["first"].tolist() == [40, 20, 0]
    amounts[:] = 1
    which[:] = 0
    assert add() == 3
    assert tables["first"].tolist() == [70, 20, 0]
    which[1] = 7
    with pytest.raises(IndexError, match="no table 7"):
        add()
    assert tables["first"].tolist() == [70, 20, 0]
    numbers = np.arange(3)
    double = _doubled.bind(numbers)
    assert double().tolist() == [0, 2, 4]
    numbers += 1
    assert double().tolist() == [2, 4, 6]


class _Sums(Workspace):
    total: Annotated[int, np.int64]


class _Powers(Shared):
    values: Annotated[NDArray[np.int64], 8]

    @classmethod
    def shared(cls) -> Any:
        made = zeros(_Powers, 1)
        made["values"] = 2 ** np.arange(8)
        return made


@rule
def _power(workspace: _Sums, exponent: Int8, powers: _Powers) -> Int64:
    workspace.total = powers.values[exponent]
    return workspace.total


def test_shared_records_and_workspaces_are_supplied():
    powers = batched(_power)
    exponents = np.arange(8, dtype=np.int8)
    assert powers(exponents).tolist() == (2 ** np.arange(8)).tolist()
    assert powers(exponents, threads=4).tolist() == (2 ** np.arange(8)).tolist()
    assert powers.bind(exponents)().tolist() == (2 ** np.arange(8)).tolist()


def test_a_function_without_rows_cannot_be_batched():
    @rule
    def nothing(number: int) -> int:
        return number

    with pytest.raises(TypeError, match="no parameter has one row per call"):
        batched(nothing)(3)


# ---------------------------------------------------------------------------------------------------------
# Parallel compilation

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
_CHECK = f"""
import big, numpy as np
done = []
big.prepare([big.single, big.rows], progress=lambda made, count: done.append((made, count)))
print(big.single(5) == sum(5 * factor % 7 for factor in range({_LINES})), big.rows(np.arange(3)) > 3, done)
"""
_MADE = "True True [(1, 2), (2, 2)]"  # the rule, and the library of both functions


@compiled_only
def test_helpers_compile_into_the_cache(tmp_path):
    (tmp_path / "big.py").write_text(_BIG)
    assert run(_CHECK + "print(sorted(big.rules.compile_seconds))", tmp_path).splitlines() == [_MADE, "[]"]
    names = sorted(path.name.partition("-")[0] for path in (tmp_path / "cache").rglob("*.nbc"))
    assert names == ["big.big", "big.row_batch", "big.single"]
    again = "import numpy as np, big\nprint(big.rows(np.arange(3)) > 3, big.rules.compile_seconds)"
    assert run(again, tmp_path) == "True {}"


@pytest.mark.later
@compiled_only
@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="needs two cores")
@pytest.mark.parametrize(("least", "here"), [(1, []), (10**9, ["big", "row", "row_batch"])])
def test_helpers_compile_a_first_call_that_needs_much(tmp_path, least, here):
    (tmp_path / "big.py").write_text(_BIG)
    program = f"""
    import big, numpy as np
    from janshi.compiling import preparing
    preparing._SHARED_BYTES = {least}
    print(big.rows(np.arange(3)) > 3, sorted(big.rules.compile_seconds), big.single.is_loaded)
    """
    assert run(textwrap.dedent(program), tmp_path) == f"True {here} {least == 1}"


@compiled_only
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


@pytest.mark.later
@compiled_only
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


@compiled_only
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


@compiled_only
@pytest.mark.long
def test_a_rules_bitcode_is_reused_for_other_entries(tmp_path):
    (tmp_path / "big.py").write_text(_BIG)
    assert run("import big\nprint(big.single(5) > 0)", tmp_path) == "True"
    other = "import big, numpy as np\nprint(big.rows(np.arange(3)) > 3, sorted(big.rules.compile_seconds))"
    assert run(other, tmp_path) == "True ['row', 'row_batch']"


@pytest.mark.later
@compiled_only
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


@pytest.mark.later
@compiled_only
def test_compilation_errors_are_those_without_helpers(tmp_path):
    (tmp_path / "big.py").write_text(_BIG.replace("return total", "return total + [0]"))
    program = """
    import big
    from numba.core.errors import TypingError
    try:
        big.prepare([big.single])
    except TypingError:
        print("not compiled")
    """
    assert run(textwrap.dedent(program), tmp_path) == "not compiled"


@pytest.mark.later
@compiled_only
def test_functions_that_helpers_cannot_find_are_compiled_here(tmp_path):
    (tmp_path / "big.py").write_text(_BIG)
    program = """
    from big import big, prepare, rule, batched, Int64
    import numpy as np

    @rule
    def twice(number: Int64) -> int:
        return 2 * big(number)

    doubled = batched(twice)
    prepare([doubled])
    print(doubled(np.arange(3)) > 3)
    """
    assert run(textwrap.dedent(program), tmp_path) == "True"


_COUNTING = """
import numpy as np
from janshi.compiling import Int64, Int64s, batched, prepare, rule

@rule
def count(kind: Int64, counts: Int64s) -> None:
    counts[kind] += 1

count_anew = batched(count, clears="counts")
count_on = batched(count)
"""


@pytest.mark.later
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


@pytest.mark.later
def test_plain_mode_and_repetitions_prepare_nothing(tmp_path):
    (tmp_path / "big.py").write_text(_BIG)
    program = """
    import big, numpy as np
    from janshi.compiling import preparing
    big.single(1), big.rows(np.arange(2))
    preparing._Helper = None
    big.prepare([big.single, big.rows])
    print("nothing to do")
    """
    assert run(textwrap.dedent(program), tmp_path) == "nothing to do"
    assert run(textwrap.dedent(program), tmp_path, JANSHI_PLAIN="1") == "nothing to do"


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


@pytest.mark.later
@compiled_only
def test_a_few_rows_run_before_compilation(tmp_path):
    (tmp_path / "brief.py").write_text(_BRIEF)
    program = """
    from brief import *
    print(play(3), dict(compile_seconds))
    print(play(9)[1], "move" in compile_seconds)
    print(play(3))
    """
    plain, compiled, again = run(textwrap.dedent(program), tmp_path).splitlines()
    assert plain == "(18, [0, 6, 12], [0, 6, 12], 42) {}"
    assert compiled == "[0, 6, 12, 18, 24, 30, 36, 42, 48] True"
    assert again == "(18, [0, 6, 12], [0, 6, 12], 42)"


@pytest.mark.later
@compiled_only
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


@pytest.mark.later
@compiled_only
def test_functions_are_compiled_after_enough_calls(tmp_path):
    (tmp_path / "brief.py").write_text(_BRIEF)
    program = """
    from brief import *
    rules._PLAIN_SECONDS = rules._IMPORT_SECONDS = 0
    print(play(3), sorted(compile_seconds))
    """
    names = "['doubled', 'move', 'move_batch', 'twice']"
    assert run(textwrap.dedent(program), tmp_path) == f"(18, [0, 6, 12], [0, 6, 12], 42) {names}"


@pytest.mark.later
@compiled_only
def test_other_work_continues_while_helpers_compile(tmp_path):
    (tmp_path / "brief.py").write_text(_BRIEF)
    program = """
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
    """
    results = "(18, [0, 6, 12], [0, 6, 12], 42)"
    assert run(textwrap.dedent(program), tmp_path).splitlines() == [f"{results} False", f"{results} True {{}}"]


@pytest.mark.later
@compiled_only
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


def test_code_of_old_versions_is_removed(tmp_path):
    code = tmp_path / "code"
    now = time.time()
    for age, name in enumerate(
        ("riichi.play-a", "riichi.play-b", "riichi.play-c", "riichi.play-d", "play-e")
    ):
        (code / name / "play_0").mkdir(parents=True)
        (code / name / "play_0" / "file.nbc").touch()
        os.utime(code / name, (now - age, now - age))
    (tmp_path / "tables.npz").touch()
    (code / "riichi.play-a" / "play_0" / "old.tmp.77").touch()
    os.utime(code / "riichi.play-a" / "play_0" / "old.tmp.77", (1, 1))
    (code / "riichi.play-a" / "play_0" / "new.tmp.78").touch()
    cache_module.clean(code / "riichi.play-a")
    assert sorted(path.name for path in code.iterdir()) == ["play-e", "riichi.play-a", "riichi.play-b", "riichi.play-c"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["code", "tables.npz"]
    left = sorted(path.name for path in (code / "riichi.play-a" / "play_0").iterdir())
    assert left == ["file.nbc", "new.tmp.78"]


_ONE = 1
_TWO = 2


@rule
def compares(number: Int64) -> Int8:
    """Return 1 for 2, after a comparison of two constants, which Numba decides when it compiles."""
    if _ONE == _TWO:
        return 2
    return 1 if number + 0 == _TWO else 0


@compiled_only
def test_a_comparison_of_constants_does_not_decide_later_ones(monkeypatch):
    from janshi.compiling import deferred

    monkeypatch.setattr(deferred, "_signatures", {})
    assert batched(compares)(np.array([1, 2, 3])).tolist() == [0, 1, 0]
