"""Writing files so that nobody ever meets half of one, and no two programs write one place at once."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give the path of a new file beside ``path``, which takes its place when the block ends without an error.

    The file gets the permissions that any new file would have. Raises `OSError` where it cannot be written.
    """
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


def check_folder(path: Path) -> None:
    """Raise `OSError` where a folder cannot be, because a file is there or above; to be asked before hours of work."""
    there = next((folder for folder in (path, *path.parents) if folder.exists()), None)
    if there is not None and not there.is_dir():
        raise NotADirectoryError(f"{there} is a file: name a folder")


def save_text(text: str, path: Path) -> None:
    """Write a text as UTF-8, in one step: see `replacing`."""
    with replacing(path) as part:
        part.write_text(text, encoding="utf-8")


class LockedError(OSError):
    """Another program writes there."""


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keep other programs that ask out of a folder or file that is written to; the lock ends with the process.

    The lock is a hidden file beside or in it, which is taken away again. Raises `LockedError` where another program
    has it, and `OSError` where no file can be made there.
    """
    file = path / ".janshi.lock" if path.is_dir() else path.with_name(f".{path.name}.lock")
    handle = _opened(file)
    if handle is None:
        raise LockedError(f"another program writes to {path}: let it finish first")
    try:
        yield
    finally:
        if os.name == "posix":  # elsewhere an open file cannot be taken away
            file.unlink(missing_ok=True)
            os.close(handle)
        else:
            os.close(handle)
            with suppress(OSError):
                file.unlink(missing_ok=True)


@contextmanager
def working_in(folder: Path) -> Iterator[None]:
    """Keep a folder for one run: it is made where it is not there, and locked. To be entered before hours of work.

    Raises `LockedError` where another run works in it, and `OSError` where it cannot be made or written to. A folder
    that was made and is still empty at the end is taken away again.
    """
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


def _opened(file: Path) -> int | None:
    """Open a file and lock it; return its handle, or None where another program has the lock."""
    while True:
        handle = os.open(file, os.O_RDWR | os.O_CREAT, 0o666)
        if not _lock(handle):
            os.close(handle)
            return None
        # Who had it before may have taken the file away between the two lines above: then the lock holds nothing.
        with suppress(FileNotFoundError):
            if os.path.samestat(file.stat(), os.fstat(handle)):
                return handle
        os.close(handle)


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> bool:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _lock(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            return True  # a file system without locks: better than not to work there
        return True
