"""Data of the mutation script: modules, tests and equivalent faults."""

from tools.mutate import MODULES, ROOT, SLOW, equivalents, faults_of


def test_modules_and_their_tests_exist():
    assert all((ROOT / test.split("::")[0]).exists() for test in SLOW)
    for files, tests in MODULES.values():
        assert all((ROOT / "src" / "janshi" / file).is_file() for file in files)
        assert all((ROOT / test).exists() for test in tests)


def test_each_equivalent_fault_exists_and_has_a_reason():
    files = [ROOT / "src" / "janshi" / file for files, _ in MODULES.values() for file in files]
    there = {
        fault.name
        for path in files
        for fault in faults_of(path.relative_to(ROOT / "src" / "janshi").as_posix(), path.read_text())
    }
    for name, reason in equivalents().items():
        assert name in there, f"no fault {name}"
        assert len(reason) > 10
