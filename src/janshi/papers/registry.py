"""Every paper that can be reproduced, by its name: a line each.

Their scales are known without torch and without players; the rest is imported when it is asked for.

>>> [scale.name for scale in PAPERS["gao"].scales()]
['tiny', 'small', 'medium', 'full']
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from janshi.papers.gao.scales import SCALES as GAO_SCALES
from janshi.papers.long.scales import SCALES as LONG_SCALES
from janshi.papers.meowjong.scales import SCALES as MEOWJONG_SCALES
from janshi.papers.sichuan.scales import SCALES as SICHUAN_SCALES

if TYPE_CHECKING:
    from janshi.papers.runner import Paper


@dataclass(frozen=True, slots=True)
class PaperEntry:
    """A paper in the table."""

    scales: Callable[[], Sequence[Any]]
    load: Callable[[], Paper]


def _gao() -> Paper:
    from janshi.papers.gao.stages import PAPER

    return PAPER


def _meowjong() -> Paper:
    from janshi.papers.meowjong.stages import PAPER

    return PAPER


def _long() -> Paper:
    from janshi.papers.long.stages import PAPER

    return PAPER


def _sichuan() -> Paper:
    from janshi.papers.sichuan.stages import PAPER

    return PAPER


#: In the order that the command line shows.
PAPERS: Final[dict[str, PaperEntry]] = {
    "gao": PaperEntry(lambda: tuple(GAO_SCALES.values()), _gao),
    "long": PaperEntry(lambda: tuple(LONG_SCALES.values()), _long),
    "meowjong": PaperEntry(lambda: tuple(MEOWJONG_SCALES.values()), _meowjong),
    "sichuan": PaperEntry(lambda: tuple(SICHUAN_SCALES.values()), _sichuan),
}


def paper(name: str) -> Paper:
    """Return a paper by its name; imports what it is made of. Raises `janshi.papers.runner.ReproduceError`."""
    from janshi.papers.runner import ReproduceError

    if name not in PAPERS:
        raise ReproduceError(f"no paper {name!r}: there are {', '.join(PAPERS)}")
    return PAPERS[name].load()
