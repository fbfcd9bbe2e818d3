"""Jobs as bytes, and their execution on other machines.

A worker needs the same version of the package as the command, and the same plug-in files at the same paths. Its working
directory is that of the command, if the machine has it, so that relative paths are valid.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from janshi import __version__
from janshi.plugins import ENVIRONMENT, PluginError, load_plugins


class ClusterError(ValueError):
    """Raised for an unusable cluster, or a worker that cannot run a job."""


@dataclass(frozen=True, slots=True)
class Setting:
    """The environment that workers share with the command."""

    version: str
    """Version of the package."""
    folder: str
    """Working directory of the command."""
    path: tuple[str, ...]
    """Module search path of the command."""
    plugins: tuple[tuple[str, str], ...]
    """Paths of the plug-in files, each with a digest of its content."""


def setting() -> Setting:
    """Return the setting of this process."""
    named = [text for text in os.environ.get(ENVIRONMENT, "").split(os.pathsep) if text]
    return Setting(__version__, os.getcwd(), tuple(sys.path), tuple((text, _digest(text)) for text in named))


def packed(common: Setting, work: Callable[[Any], Any], job: Any) -> bytes:
    """Return a job as bytes for `answer`; objects of plug-ins are unpickled after the setting."""
    return pickle.dumps((common, pickle.dumps((work, job))))


def answer(job: bytes) -> bytes:
    """Run a job and return its result or exception as bytes for `result_of`."""
    common, inner = pickle.loads(job)
    try:
        _settle(common)
        work, argument = pickle.loads(inner)
        answered = pickle.dumps((work(argument), None))
    except Exception as error:
        answered = pickle.dumps((None, _sendable(error)))
    return answered


def result_of(answered: bytes) -> Any:
    """Return the result in the bytes of an answer, or raise the job's exception."""
    result, error = pickle.loads(answered)
    if error is not None:
        raise error
    return result


@lru_cache(maxsize=1)
def _settle(common: Setting) -> None:
    """Apply a command's setting to this process. Raises `ClusterError` if this machine lacks something."""
    here = socket.gethostname()
    if common.version != __version__:
        raise ClusterError(f"worker {here} has Janshi {__version__}, the command {common.version}: install the same")
    for path, digest in common.plugins:
        if not Path(path).is_file():
            raise ClusterError(f"worker {here} has no plug-in file {path}: copy it there")
        if _digest(path) != digest:
            raise ClusterError(f"worker {here} has another plug-in file {path}: copy the command's there")
    if Path(common.folder).is_dir():
        os.chdir(common.folder)
    sys.path += [entry for entry in common.path if entry not in sys.path]
    os.environ[ENVIRONMENT] = os.pathsep.join(path for path, _ in common.plugins)
    try:
        load_plugins()
    except PluginError as error:
        raise ClusterError(f"worker {here}: {error}") from None


def _digest(path: str) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest() if Path(path).is_file() else ""


def _sendable(error: Exception) -> Exception:
    """Return an error that can be unpickled elsewhere: itself, or its message."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return ClusterError(f"worker {socket.gethostname()}: {type(error).__name__}: {error}")
    return error
