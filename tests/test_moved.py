"""Modules under their names of version 0.1 are imported as the current ones, with a warning."""

import importlib
import subprocess
import sys

import pytest

from janshi.moved import MOVED

PACKAGES_THAT_STAYED = {"janshi.records", "janshi.review"}


@pytest.mark.parametrize("old", sorted(set(MOVED) - PACKAGES_THAT_STAYED))
def test_an_old_module_is_the_new_one(old: str):
    if MOVED[old].startswith("janshi.riichi.dataset"):
        pytest.importorskip("pyarrow")
    sys.modules.pop(old, None)
    with pytest.warns(DeprecationWarning, match=rf"{old} is called {MOVED[old]} now"):
        module = importlib.import_module(old)
    assert module is importlib.import_module(MOVED[old])


def test_attributes_of_old_packages_are_found():
    code = (
        "from janshi.records import read_mjlog; from janshi.records.mjlog import read_mjlog as same; "
        "from janshi.review import advise; from janshi.hands import score; "
        "from janshi.hands.score import score as other; "
        "from janshi.agents import EfficientAgent; from janshi.drawing import table_svg, sichuan_text; "
        "print(read_mjlog is same, score is other, EfficientAgent.__module__)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True True janshi.riichi.agents.efficient"
