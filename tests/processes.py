"""Programs in processes of their own, forked from one that has imported NumPy and Numba; and the end of processes."""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

#: Forks a process for each line of its input, and answers with the exit code. The first function loads Numba's types.
_PARENT = """
import json, os, runpy, sys
import numba
numba.njit("int64(int64)")(lambda number: number + 1)

for line in sys.stdin:
    program, folder, environment, output, errors = json.loads(line)
    if child := os.fork():
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
        continue
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    os.dup2(os.open(output, os.O_WRONLY | os.O_CREAT), 1)
    os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT), 2)
    sys.argv = [program]
    sys.path[:0] = [os.path.dirname(program), *environment.get("PYTHONPATH", "").split(os.pathsep)]
    runpy.run_path(program, run_name="__main__")
    break
"""


@cache
def _parent() -> subprocess.Popen[str]:
    """Start the process that forks; it ends with this one."""
    command = [sys.executable, "-c", _PARENT]
    started = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    atexit.register(started.communicate)
    return started


def _run_forked(program: Path, folder: Path, environment: dict[str, str]) -> tuple[int, str, str]:
    parent = _parent()
    assert parent.stdin is not None
    assert parent.stdout is not None
    with tempfile.TemporaryDirectory() as place:
        outputs = Path(place) / "output", Path(place) / "errors"
        print(json.dumps([str(program), str(folder), environment, *map(str, outputs)]), file=parent.stdin, flush=True)
        code = int(parent.stdout.readline())
        return code, *(file.read_text() for file in outputs)


def run_program(program: Path, folder: Path, environment: dict[str, str], forked: bool = True) -> str:
    """Run a Python program in a folder; return its output. Raises `AssertionError` with its errors if it fails.

    A forked process has Numba imported; a new one imports it again, in 0.5 seconds or more.
    """
    if forked and hasattr(os, "fork"):
        code, output, errors = _run_forked(program, folder, environment)
    else:
        command = [sys.executable, str(program)]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        code, output, errors = done.returncode, done.stdout, done.stderr
    assert code == 0, errors
    return output.strip()


def run_cold(program: str, folder: Path, forked: bool = True, **environment: str) -> str:
    """Run the text of a program in a folder, with the cache of compiled code beside it; return its output."""
    (folder / "here").mkdir(exist_ok=True)
    (folder / "program.py").write_text(program)
    settings = {**os.environ, "JANSHI_CACHE": str(folder / "cache"), **environment}
    return run_program(folder / "program.py", folder / "here", settings, forked)


def gone(pid: int, within: float = 60.0) -> bool:
    """Return whether a process ends within so many seconds (a zombie of another parent has ended)."""
    until = time.monotonic() + within
    while time.monotonic() < until:
        try:
            os.kill(pid, 0)
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except ProcessLookupError:
            return True
        except FileNotFoundError:
            if Path("/proc/self/stat").exists():  # it has ended since
                return True
        time.sleep(0.05)
    return False
