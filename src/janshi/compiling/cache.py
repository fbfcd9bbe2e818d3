"""The folder of compiled code, and the keys of its contents."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

_HERE: Final = Path(__file__).parent
_PACKAGE: Final = _HERE.parent
#: Folder of the compiled code in a wheel: see ``tools/compile_wheel.py``. It is not there in a clone.
SHIPPED: Final = _PACKAGE / "compiled"
#: File there with the names of the processor's features that the code needs.
FEATURES: Final = "features.txt"
#: Modules of `janshi.compiling` that affect compiled code; a change of the others needs no new compilation.
_BASE: Final = tuple(_HERE / f"{name}.py" for name in ("batches", "deferred", "pipeline", "records", "rules"))
#: Name in a function's globals of the file of its template (`janshi.compiling.specialised`).
TEMPLATE_FILE: Final = "__template_file__"
#: Number of versions of a module whose code is kept, the most recently used ones.
_VERSIONS: Final = 3
_ABANDONED_SECONDS: Final = 3600
#: Time at which this process began to import the package, and a name for code of its own.
_STARTED: Final = time.time()
_OWN: Final = secrets.token_hex(8)
_IMPORTS: Final = re.compile(
    r"^\s*(?:from janshi((?:\.\w+)*) import ([^\n(]+|\([^)]*\))|import janshi((?:\.\w+)*)"
    r"|from (\w+) import|import (\w+))",
    re.MULTILINE,
)


def hash_of(*texts: str) -> str:
    """Return a hash of texts, for names of folders."""
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]


def _module_file(dotted: str) -> Path | None:
    """Return the source of ``janshi`` + ``dotted`` (".riichi.play"), None if there is no such module."""
    path = _PACKAGE.joinpath(*dotted.strip(".").split(".")) if dotted else _PACKAGE
    for file in (path.with_suffix(".py"), path / "__init__.py"):
        if file.is_file():
            return file
    return None


def _imported_files(path: Path, text: str) -> Iterator[Path]:
    """Yield the package's sources that a module imports; for modules outside the package also those beside it."""
    for match in _IMPORTS.finditer(text):
        if match[4] or match[5]:
            beside = path.parent / f"{match[4] or match[5]}.py"
            if _PACKAGE not in path.parents and beside.is_file():
                yield beside
            continue
        base = match[1] if match[1] is not None else match[3]
        names = re.findall(r"\w+", match[2]) if match[2] else []
        for dotted in [base, *(f"{base}.{name}" for name in names)]:
            file = _module_file(dotted)
            if file is not None and file != _PACKAGE / "__init__.py" and _HERE not in file.parents:
                yield file


@cache
def _source(path: Path) -> tuple[str, tuple[Path, ...]]:
    text = path.read_bytes()
    return hashlib.sha256(text).hexdigest(), tuple(dict.fromkeys(_imported_files(path, text.decode())))


@cache
def sources_key(*paths: Path) -> str:
    """Return a hash of the sources of modules and of all their direct and indirect imports from the package.

    Numba's own cache does not notice a change in a function of another module. Code that a change cannot reach stays
    compiled. A source that has changed since this process began may differ from what it has imported: the hash is then
    of this process alone, so that no other process takes its code for that of the new source.
    """
    seen = set(_BASE)
    waiting = list(paths)
    while waiting:
        file = waiting.pop()
        if file not in seen:
            seen.add(file)
            waiting += _source(file)[1]
    parts = [f"{version('numba')} {sys.version_info[:2]}"]
    # A time in the future is that of another clock.
    if any(_STARTED < file.stat().st_mtime <= time.time() for file in seen):
        parts.append(_OWN)
    return hash_of(*parts, *(f"{file.name} {_source(file)[0]}" for file in sorted(seen)))


def cache_folder() -> Path:
    """Return the folder of compiled code and shanten tables.

    The environment variable ``JANSHI_CACHE`` overrides it. A temporary folder is used if it cannot be written to.
    """
    home = os.environ.get("JANSHI_CACHE")
    if home:
        base = Path(home)
    elif os.environ.get("XDG_CACHE_HOME"):
        base = Path(os.environ["XDG_CACHE_HOME"]) / "janshi"
    elif os.environ.get("LOCALAPPDATA"):
        base = Path(os.environ["LOCALAPPDATA"]) / "janshi"
    else:
        base = Path.home() / ".cache" / "janshi"
    try:
        base.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=base):
            return base
    except OSError:
        return Path(tempfile.mkdtemp(prefix="janshi-"))


@lru_cache(maxsize=1)
def _code_folder() -> Path:
    return cache_folder() / "code"


@cache
def _folder_of_module(file: Path, template: Path) -> Path | None:
    if not file.is_file():
        return None
    inside = _PACKAGE in file.parents
    path = file.relative_to(_PACKAGE) if inside else Path(hash_of(str(file.parent)), file.name)
    folder = _code_folder() / f"{'.'.join(path.with_suffix('').parts)}-{sources_key(file, template)}"
    with suppress(OSError):  # mark it as the most recently used: see `clean`
        os.utime(folder)
    return folder


def folder_of_code(function: Callable[..., Any]) -> Path | None:
    """Return the folder of compiled code of a function's module; None if the function has no file."""
    file = function.__code__.co_filename
    return _folder_of_module(Path(file), Path(function.__globals__.get(TEMPLATE_FILE, file)))


def is_cached(function: Callable[..., Any]) -> bool:
    """Return whether the cache has code of a function's module, in its present form."""
    folder = folder_of_code(function)
    return folder is not None and any(folder.glob("*.nbi"))  # Numba makes the folder before it compiles


def folder_of_library(name: str) -> Path:
    """Return the folder of a library that several entries share: in the wheel, otherwise in the cache."""
    shipped = SHIPPED / name
    return shipped if shipped.is_dir() else _code_folder() / name


def clean(folder: Path) -> None:
    """Remove the code of older versions of a folder's module, and temporary files of killed processes."""
    module = folder.name.rpartition("-")[0]
    with suppress(OSError):
        versions = [path for path in folder.parent.iterdir() if path.name.rpartition("-")[0] == module]
        for path in sorted(versions, key=lambda path: path.stat().st_mtime)[:-_VERSIONS]:
            shutil.rmtree(path, ignore_errors=True)
        for path in folder.rglob("*.tmp.*"):
            if path.stat().st_mtime < time.time() - _ABANDONED_SECONDS:
                path.unlink()
