"""The five decisions of the `meowjong` papers, in the order of labels, of networks and of what they answer.

>>> DECISIONS[KITA]
'kita'
"""

from __future__ import annotations

from typing import Final

#: Names of the five decisions; `DISCARD` to `RIICHI` are their places.
DECISIONS: Final = ("discard", "pon", "kan", "kita", "riichi")
DISCARD: Final = 0
PON: Final = 1
KAN: Final = 2
KITA: Final = 3
RIICHI: Final = 4
