"""Writing files so that nobody ever meets half of one."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
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
