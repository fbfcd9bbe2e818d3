"""``janshi compile``: all compiled code at once, in several processes."""

from __future__ import annotations

import importlib
import json
import os
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer

import janshi
from janshi.cli.options import option
from janshi.cli.progress import counting_bar

if TYPE_CHECKING:
    from janshi.compiling import Prepared

#: How a module makes a function that Python calls.
_ENTRY: Final = re.compile(r"^(?:\w+(?:: Final)? = (?:batched|Game)\(|@entry\b)", re.MULTILINE)
_MOST_PROCESSES: Final = 64


@dataclass(frozen=True)
class CompileOptions:
    """Options of ``janshi compile``."""

    processes: int = option("Number of processes; 0: one per core.", default=0, min=0, max=_MOST_PROCESSES)
    as_json: bool = option("Print JSON.", "--json", default=False)


def compile_package(options: CompileOptions) -> None:
    """Compile everything at once, after an installation or an update.

    Otherwise each command compiles functions on first use and runs slowly meanwhile.
    """
    from janshi.compiling import cache_folder, prepare
    from janshi.compiling.rules import announce

    processes = options.processes or min(os.cpu_count() or 1, _MOST_PROCESSES)
    announce(lambda name: None)
    start = time.perf_counter()
    with counting_bar(options.as_json) as bar:
        task = bar.add_task("compiling", total=None)
        entries = every_entry()
        prepare(entries, processes, lambda done, count: bar.update(task, completed=done, total=count))
    seconds = time.perf_counter() - start
    if options.as_json:
        typer.echo(json.dumps({"functions": len(entries), "seconds": round(seconds, 1), "folder": str(cache_folder())}))
    else:
        typer.echo(f"{len(entries)} functions are compiled, after {seconds:.1f} s; they are kept in {cache_folder()}")


def every_entry() -> list[Prepared]:
    """Return all compiled functions of the package that Python calls, but those whose extras are not installed."""
    from janshi.compiling.rules import ENTRIES

    for module in compiled_modules():
        with suppress(ModuleNotFoundError):
            importlib.import_module(module)
    encoders = importlib.import_module("janshi.encoders").ENCODERS
    for name in encoders:
        encoders[name].entries  # noqa: B018  # compiled on first access
    return [entry for entry in ENTRIES.values() if entry.__module__.startswith("janshi.")]


def compiled_modules() -> Iterator[str]:
    """Yield the names of the package's modules in which a function is compiled that Python calls.

    >>> "janshi.riichi.game" in compiled_modules(), "janshi.files" in compiled_modules()
    (True, False)
    """
    package = Path(janshi.__file__).parent
    for path in sorted(package.rglob("*.py")):
        if _ENTRY.search(path.read_text(encoding="utf-8")):
            yield ".".join(("janshi", *path.relative_to(package).with_suffix("").parts))
