"""The script that puts small faults into the rules: what it changes, and that it changes what is loaded."""

import sys
import types
from pathlib import Path

import pytest
from tools.mutate import MODULES, ROOT, SLOW, Fault, equivalents, faults_of, put_in

SOURCE = '''
from janshi.arena.significance import Tail

LIMIT: int = 3

def f(a, b):
    """No fault in this text."""
    total = 0
    for step in range(a):
        if step > LIMIT and not b:
            continue
        total += step
    note(total)
    return total if b else -1

def note(total):
    NOTED.append(total)

NOTED = []

FIRST = Tail(p=LIMIT + 1, log10=0)
'''


@pytest.fixture
def loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    path = tmp_path / "janshi_faulty.py"
    path.write_text(SOURCE)
    module = types.ModuleType("janshi_faulty")
    module.__file__ = str(path)
    exec(compile(SOURCE, str(path), "exec"), vars(module))
    monkeypatch.setitem(sys.modules, "janshi_faulty", module)
    return module


def fault(after: str) -> Fault:
    (found,) = [one for one in faults_of("x.py", SOURCE) if one.after == after]
    return found


def test_each_kind_of_change_is_there():
    for after in (
        "LIMIT: int = (4)",
        "total = (1)",
        "if (step >= LIMIT) and not b:",
        "if (step > LIMIT or not b):",
        "if step > LIMIT and (b):",
        "break",
        "pass",
        "total -= step",
        "return (-1 if b else total)",
        "return total if b else (1)",
    ):
        assert [one for one in faults_of("x.py", SOURCE) if one.after == after], after


def test_a_fault_changes_the_text_in_one_place():
    for one in faults_of("x.py", SOURCE):
        broken = SOURCE[: one.start] + one.text + SOURCE[one.end :]
        assert broken != SOURCE
        compile(broken, "x.py", "exec")
        assert "No fault in this text." in broken


@pytest.mark.parametrize(
    ("after", "result"), [("total = (1)", 11), ("if (step >= LIMIT) and not b:", 10), ("total -= step", -10)]
)
def test_a_fault_in_a_function_is_put_into_the_one_that_is_loaded(loaded, after, result):
    function = loaded.f
    assert function(5, True) == 10
    put_in(fault(after), Path(loaded.__file__))
    assert function(5, True) == result
    assert loaded.f is function


def test_a_fault_in_a_template_is_put_into_what_is_made_of_it(loaded, monkeypatch):
    elsewhere = types.ModuleType("janshi_elsewhere")
    elsewhere.made = types.FunctionType(loaded.f.__code__, {**vars(loaded), "LIMIT": 9}, "made")
    monkeypatch.setitem(sys.modules, "janshi_elsewhere", elsewhere)
    assert elsewhere.made(5, False) == -1
    put_in(fault("total = (1)"), Path(loaded.__file__))
    assert elsewhere.made(5, True) == loaded.f(5, True) == 11


def test_a_fault_in_a_constant_is_put_in(loaded):
    assert loaded.f(9, False) == -1
    put_in(fault("LIMIT: int = (4)"), Path(loaded.__file__))
    assert loaded.LIMIT == 4


def test_a_fault_in_a_record_is_put_into_the_one_that_others_hold(loaded):
    first = loaded.FIRST
    put_in(fault("FIRST = Tail(p=(LIMIT - 1), log10=0)"), Path(loaded.__file__))
    assert loaded.FIRST is first
    assert (first.p, first.log10) == (2, 0)


def test_modules_and_their_tests_are_there():
    assert all((ROOT / test.split("::")[0]).exists() for test in SLOW)
    for files, tests in MODULES.values():
        assert all((ROOT / "src" / "janshi" / file).is_file() for file in files)
        assert all((ROOT / test).exists() for test in tests)


def test_each_fault_called_equivalent_is_one_and_says_why():
    there = {
        one.name
        for files, _ in MODULES.values()
        for file in files
        for one in faults_of(file, (ROOT / "src" / "janshi" / file).read_text())
    }
    for name, reason in equivalents().items():
        assert name in there, f"no fault {name}"
        assert len(reason) > 10
