"""Memory that training frees stays with the program.

Every step makes and frees the same arrays, of wide networks hundreds of megabytes. glibc returns such ones to the
system at once, which clears every page of the next ones: half of a step's time.
"""

from __future__ import annotations

import ctypes
import sys
from typing import Final

#: glibc's parameters (malloc.h) and what they are set to: nothing at the heap's end is given back, it grows by 64 MiB
#: or more, and no array is kept outside it.
_SETTINGS: Final = ((-1, -1), (-2, 64 << 20), (-4, 0))


def keep_freed_memory() -> bool:
    """Have freed arrays stay with this process, at the price of its largest size; return whether that could be said.

    Elsewhere than on Linux with glibc nothing changes.
    """
    if sys.platform != "linux":
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):  # another C library, musl for one, has none
        return False
    answers = [mallopt(parameter, value) for parameter, value in _SETTINGS]
    return all(answer == 1 for answer in answers)
