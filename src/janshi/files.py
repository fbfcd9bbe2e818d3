"""Atomic writes, and locks that keep two programs from writing to one place."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """Give the path of a new file beside ``path``, which takes its place when the block ends without an error.

    The file gets the permissions that any new file would have. Raises `OSError` where it cannot be written.
    """
    path = Path(path)
    handle, name = tempfile.mkstemp(prefix=".", suffix=".part", dir=path.parent)
    os.close(handle)
    part = Path(name)
    try:
        yield part
        mask = os.umask(0)
        os.umask(mask)
        part.chmod(0o666 & ~mask)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def check_folder(path: str | Path) -> None:
    """Raise `OSError` where a folder cannot be, because a file is there or above; to be asked before hours of work."""
    path = Path(path)
    there = next((folder for folder in (path, *path.parents) if folder.exists()), None)
    if there is not None and not there.is_dir():
        raise NotADirectoryError(f"{there} is a file: name a folder")


def save_text(text: str, path: str | Path) -> None:
    """Write a text as UTF-8, in one step: see `replacing`."""
    with replacing(path) as part:
        part.write_text(text, encoding="utf-8")


class LockedError(OSError):
    """Another program writes there."""


@contextmanager
def locked(path: str | Path) -> Iterator[None]:
    """Keep other programs that ask out of a folder or file that is written to; the lock ends with the process.

    The lock is a hidden file in the folder or beside the file, which is removed at the end. Raises `LockedError` where
    another program has it, and `OSError` where no file can be made there.
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
    """Keep a folder for one run: it is made where it is not there, and locked. To be entered before hours of work.

    Raises `LockedError` where another run works in it, and `OSError` where it cannot be made or written to. A folder
    that was made and is still empty at the end is taken away again.
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
