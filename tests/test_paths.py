"""Every path of the interface may be text; mypy checks the functions against their annotations."""

import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from janshi.files import save_text, working_in
from janshi.plugins import import_file
from janshi.review import read_game
from janshi.sample import SAMPLE

PAGES = sorted((Path(__file__).parents[1] / "docs" / "api").glob("*.md"))
#: Documented modules, and those that save and load in the examples.
MODULES = sorted(
    {
        *(name for page in PAGES for name in re.findall(r"^::: (\S+)", page.read_text("utf-8"), re.MULTILINE)),
        *("janshi.agents.onnx", "janshi.files", "janshi.learn.export", "janshi.learn.players", "janshi.learn.quantize"),
        *("janshi.learn.scalars", "janshi.review", "janshi.web.report", "janshi.web.storage"),
    }
)


def functions(module: str) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Return public functions and methods of a module, or the function of that name."""
    named = pkgutil.resolve_name(module)
    for name, value in vars(named).items() if inspect.ismodule(named) else [(module, named)]:
        if name.startswith("_") or not getattr(value, "__module__", "").startswith("janshi"):
            continue
        if inspect.isclass(value):
            methods = [each for each in vars(value).items() if each[0] == "__init__" or not each[0].startswith("_")]
            yield from ((f"{name}.{part}", each) for part, each in methods if inspect.isfunction(each))
        elif inspect.isfunction(value):
            yield name, value


@pytest.mark.parametrize("module", MODULES)
def test_a_path_may_be_text(module: str) -> None:
    for extra in ("torch", "fastapi", "gymnasium", "onnx"):
        pytest.importorskip(extra)
    for name, function in functions(module):
        for parameter in inspect.signature(function).parameters.values():
            taken = str(parameter.annotation)
            assert not re.search(r"\bPath\b", taken) or re.search(r"\bstr\b|Callable", taken), f"{name}: {parameter}"


def test_files_and_folders_are_read_and_written_by_text(tmp_path: Path) -> None:
    folder = str(tmp_path / "new")
    with working_in(folder):
        save_text("NAME = 1\n", f"{folder}/named_by_text.py")
    assert import_file(f"{folder}/named_by_text.py").NAME == 1
    assert read_game(str(SAMPLE)).players == 3
