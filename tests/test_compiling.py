"""Compilation: keys of the cache, records, batches, errors."""

import os
import time
from collections.abc import Callable
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
from janshi.compiling.rules import ENTRIES
from tests.processes import run_cold

compiled_only = pytest.mark.skipif(PLAIN, reason="nothing is compiled")


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


def test_the_key_of_a_module_elsewhere_knows_the_modules_beside_it(package, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "agent.py").write_text("import helper\nfrom janshi.low import one\n")
    (elsewhere / "helper.py").write_text("four = 4\n")
    before = key_of(elsewhere / "agent.py")
    (elsewhere / "helper.py").write_text("four = 5\n")
    assert key_of(elsewhere / "agent.py") != before


_SMALL = """
import numpy as np
from janshi.compiling import Int64, batched, entry, prepare, rule, rules

@rule
def double(number: Int64) -> int:
    return 2 * number

@entry
def single(number: int) -> int:
    return double(number) + 1

doubled = batched(double)
"""


@compiled_only
def test_helpers_compile_into_the_cache(tmp_path):
    """`tests.test_cold_compiling` has more programs with an empty cache."""
    (tmp_path / "small.py").write_text(_SMALL)
    use = "print(doubled(np.arange(3)), single(5), rules.compile_seconds)"
    assert run_cold(f"from small import *\nprepare([single, doubled])\n{use}", tmp_path) == "6 11 {}"
    names = {path.name.partition("-")[0] for path in (tmp_path / "cache").rglob("*.nbc")}
    assert {"small.double_batch", "small.single"} <= names
    assert run_cold(f"from small import *\n{use}", tmp_path) == "6 11 {}"


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


#: Invalid value, index in `_arguments`, and error.
_WRONG: dict[str, tuple[int, Callable[[Any], Any], type[Exception], str]] = {
    "short": (1, lambda old: old[:2], ValueError, "amount has 2 rows, not 3"),
    "long": (3, lambda old: np.zeros((4, 4), np.bool_), ValueError, "mask has 4 rows, not 3"),
    "narrow": (3, lambda old: np.zeros((3, 2), np.bool_), ValueError, "mask has rows of 2, not 4"),
    "wide": (3, lambda old: np.zeros((3, 9), np.bool_), ValueError, "mask has rows of 9, not 4"),
    "dtype": (1, lambda old: old.astype(np.int64), TypeError, "amount: must be an array of int16, not of int64"),
    "other size": (1, lambda old: old.view(np.uint16), TypeError, "amount: must be an array of int16"),
    "float": (1, lambda old: old.astype(np.float16), TypeError, "amount: must be an array of int16"),
    "list": (1, lambda old: old.tolist(), TypeError, "amount: must be a NumPy array, not list"),
    "none": (1, lambda old: None, TypeError, "amount: must be a NumPy array, not NoneType"),
    "number": (1, lambda old: 3, TypeError, "amount: must be a NumPy array, not int"),
    "dimensions": (3, lambda old: old[0], TypeError, "mask: must be an array of 2 dimensions, not of 1"),
    "not contiguous": (3, lambda old: np.zeros((4, 3), np.bool_).T, TypeError, "mask: must be contiguous"),
    "every other": (1, lambda old: np.zeros(6, np.int16)[::2], TypeError, "amount: must be contiguous"),
    "read-only": (3, lambda old: _read_only(old), TypeError, "mask: must be contiguous, aligned and writeable"),
    "array for a number": (2, lambda old: np.zeros(3), TypeError, "factor: must be a single int, not ndarray"),
    "words for a number": (2, lambda old: "ten", TypeError, "factor: must be a single int, not str"),
    "other records": (0, lambda old: zeros(_Public, 3), TypeError, "table: must be an array of _Full, not of oth"),
    "no records": (0, lambda old: np.zeros(3), TypeError, "table: must be an array of _Full, not of float64"),
    "one record": (0, lambda old: old[0], TypeError, "table: must be a NumPy array, not void"),
}


def _read_only(array: Any) -> Any:
    array.setflags(write=False)
    return array


@pytest.mark.parametrize("wrong", _WRONG)
@pytest.mark.parametrize("threads", [1, 2])
def test_unsuitable_arguments_are_refused(wrong, threads):
    number, change, error, words = _WRONG[wrong]
    arguments = list(_arguments())
    tables = arguments[0]
    arguments[number] = change(arguments[number])
    with pytest.raises(error, match=words):
        _added(*arguments, threads=threads)
    with pytest.raises(error, match=words):
        _added.bind(*arguments)()
    assert tables.tobytes() == zeros(_Full, 3).tobytes()


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

    made = batched(nothing)
    with pytest.raises(TypeError, match="no parameter has one row per call"):
        made(3)
    del ENTRIES[made.name]  # helpers compile all entries of a module


# ---------------------------------------------------------------------------------------------------------
# Parallel compilation
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
