"""Compile all functions of the package for a wheel: on x86-64 for processors since 2009 (x86-64-v2).

    python tools/compile_wheel.py FOLDER

``FOLDER`` (``src/janshi/compiled`` for a wheel) receives the machine code of every function that Python calls, as
`janshi.compiling` loads it. The code is valid for this version of Python and Numba; others compile for themselves.
`hatch_build.py` runs this for ``JANSHI_COMPILE=1 python -m build --wheel``.
"""

from __future__ import annotations

import importlib
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
#: Processor and features that the code needs, by machine; others: every processor of the kind.
PROCESSORS = dict.fromkeys(("x86_64", "AMD64"), ("x86-64-v2", ("cx16", "popcnt", "sse3", "ssse3", "sse4.1", "sse4.2")))


def main() -> None:
    """Compile into an empty cache, and copy what wheels need."""
    if len(sys.argv) != 2:
        sys.exit("compile_wheel: name the folder for the code")
    target = Path(sys.argv[1])
    sys.path.insert(0, str(ROOT / "src"))
    processor, features = PROCESSORS.get(platform.machine(), ("generic", ()))
    with tempfile.TemporaryDirectory() as cache:
        os.environ.update(JANSHI_CACHE=cache, PYTHONPATH=str(ROOT / "src"), NUMBA_CPU_NAME=processor)
        os.environ["NUMBA_CPU_FEATURES"] = ",".join(f"+{feature}" for feature in features)
        from janshi.cli.compile import CompileOptions, compile_package, compiled_modules, every_entry
        from janshi.compiling.cache import FEATURES

        for module in compiled_modules():
            importlib.import_module(module)  # fails here if a dependency of a function is missing
        compile_package(CompileOptions())
        shutil.rmtree(target, ignore_errors=True)
        copy_code([entry.entry.loaded() for entry in every_entry()], target)
        (target / FEATURES).write_text("\n".join(features))
    size = sum(file.stat().st_size for file in target.rglob("*") if file.is_file())
    print(f"{size:,} bytes")


def copy_code(functions: Sequence[Any], target: Path) -> None:
    """Copy the code of functions, and of their libraries, from the cache."""
    from janshi.compiling import cache_folder

    for function in functions:
        cached = function._cache
        folder = target / cached._cache_file._source_stamp
        folder.mkdir(parents=True, exist_ok=True)
        (name,) = cached._cache_file._load_index().values()
        shutil.copyfile(Path(cached.cache_path) / name, folder / f"{cached._impl.filename_base}.nbc")
    for library in (cache_folder() / "code").glob("*.library-*"):
        shutil.copytree(library, target / library.name)


if __name__ == "__main__":
    main()
