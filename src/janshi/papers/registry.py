"""Every paper that can be reproduced, by its name.

Scales need no torch; stages and reports are imported on first use. A paper is added by a line in
`janshi.built_in`, an entry point of the group ``janshi.papers``, or `PAPERS.register`.

>>> list(PAPERS["gao"].scales)
['tiny', 'small', 'medium', 'full']
"""

from __future__ import annotations

from typing import Final

from janshi import built_in
from janshi.papers.runner import Paper, ReproduceError
from janshi.registries import Registry

#: In the order of the command line. Raises `ReproduceError` for an unknown name.
PAPERS: Final[Registry[Paper]] = Registry("janshi.papers", "paper", built_in.PAPERS, ReproduceError)
