"""Setting of torch's number of threads to that of idle processors.

Threads of torch wait for each other in busy loops. If another program occupies one of the processors, two threads are
ten times slower than one.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Final

from janshi.installing import naming_extra

with naming_extra(__name__):
    import torch

_STAT: Final = Path("/proc/stat")
_WATCHED_SECONDS: Final = 0.5


def use_free_processors() -> int:
    """Let torch use as many threads as there are idle processors, at least one; return their number.

    ``OMP_NUM_THREADS`` takes precedence.
    """
    if "OMP_NUM_THREADS" not in os.environ:
        torch.set_num_threads(free_processors())
    return torch.get_num_threads()


def free_processors() -> int:
    """Return the number of idle processors of this process, at least 1, from half a second of observation."""
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if _STAT.is_file():
        before = _idle_seconds(_STAT.read_text())
        time.sleep(_WATCHED_SECONDS)
        idle = (_idle_seconds(_STAT.read_text()) - before) / _WATCHED_SECONDS
    else:
        idle = processors - (os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0)
    return max(1, min(processors, round(idle)))


def _idle_seconds(stat: str) -> float:
    """Return the idle seconds of all processors together, from Linux's ``/proc/stat``."""
    fields = stat.partition("\n")[0].split()
    return (int(fields[4]) + int(fields[5])) / os.sysconf("SC_CLK_TCK")
