"""Atomic writes, locks against concurrent writes to one place, and plain data without what JSON lacks."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from math import isfinite
from pathlib import Path
from typing import Any

#: Beginning and end of the names of files that are being written.
_PREFIX, _SUFFIX = ".janshi-", ".part"
_swept: set[Path] = set()


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """Yield the path of a new file beside ``path``, which replaces it if the block ends without an error.

    The file has the permissions of a new file. The files that killed processes have left in the folder are removed.
    Raises `OSError` if it cannot be written.
    """
    path = Path(path)
    _sweep(path.parent)
    with _new_part(path.parent) as part:
        try:
            yield part
            mask = os.umask(0)
            os.umask(mask)
            part.chmod(0o666 & ~mask)
            part.replace(path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise


@contextmanager
def _new_part(folder: Path) -> Iterator[Path]:
    """Create a file to be written, locked until the end so that no other process sweeps it away."""
    while True:
        handle, name = tempfile.mkstemp(prefix=_PREFIX, suffix=_SUFFIX, dir=folder)
        try:
            # Between its creation and its lock another process may have removed it.
            if not _lock(handle, wait=True) or Path(name).exists():
                yield Path(name)
                return
        finally:
            os.close(handle)


def _lock(handle: int, *, wait: bool) -> bool:
    """Lock an open file until it is closed; return False if another process has locked it, or locks are missing.

    ``wait``: wait for the other process instead.
    """
    if sys.platform == "win32":
        return False
    import fcntl

    try:
        fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _sweep(folder: Path) -> None:
    """Remove the files of dead processes from a folder, once in each process: their locks have ended with them."""
    folder = folder.absolute()
    if folder in _swept:
        return
    _swept.add(folder)
    for part in folder.glob(f"{_PREFIX}*{_SUFFIX}"):
        with suppress(OSError):
            handle = os.open(part, os.O_RDWR)
            try:
                if _lock(handle, wait=False):
                    part.unlink()
            finally:
                os.close(handle)


def check_folder(path: str | Path) -> None:
    """Raise `OSError` if a folder cannot be created because of a file in its path; call it before long work."""
    path = Path(path)
    there = next((folder for folder in (path, *path.parents) if folder.exists()), None)
    if there is not None and not there.is_dir():
        raise NotADirectoryError(f"{there} is a file: name a folder")


def save_text(text: str, path: str | Path) -> None:
    """Write a text as UTF-8 in one step: see `replacing`."""
    with replacing(path) as part:
        part.write_text(text, encoding="utf-8")


class LockedError(OSError):
    """Raised if another program writes to the place."""


@contextmanager
def locked(path: str | Path) -> Iterator[None]:
    """Lock a folder or file against other writers that use this function; the lock ends with the process.

    The lock is a hidden file in the folder or beside the file, removed at the end. Raises `LockedError` if another
    program holds it, and `OSError` if the file cannot be created.
    """
    path = Path(path)
    from filelock import FileLock, Timeout

    file = path / ".janshi.lock" if path.is_dir() else path.with_name(f".{path.name}.lock")
    lock = FileLock(file, blocking=False)
    try:
        lock.acquire()
    except Timeout:
        raise LockedError(f"another program writes to {path}: let it finish first") from None
    try:
        yield
    finally:
        if os.name == "posix":  # elsewhere an open file cannot be removed
            file.unlink(missing_ok=True)
        lock.release()


@contextmanager
def working_in(folder: str | Path) -> Iterator[None]:
    """Create a folder if necessary and lock it for one run; enter this context before long work.

    Raises `LockedError` if another run works in the folder, and `OSError` if it cannot be created or written to. A
    created folder that is empty at the end is removed.
    """
    folder = Path(folder)
    check_folder(folder)
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with locked(folder):
            yield
    finally:
        if is_new:
            with suppress(OSError):
                folder.rmdir()


def finite(value: Any) -> Any:
    """Return plain data with None for non-finite numbers, which JSON lacks."""
    if isinstance(value, dict):
        return {name: finite(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    return None if isinstance(value, float) and not isfinite(value) else value
