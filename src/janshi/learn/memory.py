"""Reuse of the memory that training frees.

Every step allocates and frees the same arrays, hundreds of megabytes for wide networks. By default glibc returns them
to the system at once, and the system clears every page of the next ones. This takes half of a step's time.
"""

from __future__ import annotations

import ctypes
import sys
from typing import Final

#: glibc's parameters (malloc.h) and their values: the heap is never trimmed, it grows by at least 64 MiB, and no array
#: is allocated outside it.
_SETTINGS: Final = ((-1, -1), (-2, 64 << 20), (-4, 0))


def keep_freed_memory() -> bool:
    """Keep freed memory in this process, which stays at its largest size; return whether glibc accepted the settings.

    Without glibc nothing changes.
    """
    if sys.platform != "linux":
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):  # another C library, such as musl
        return False
    answers = [mallopt(parameter, value) for parameter, value in _SETTINGS]
    return all(answer == 1 for answer in answers)
