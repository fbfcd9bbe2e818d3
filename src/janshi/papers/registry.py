"""Every paper that can be reproduced, by its name.

Their scales are known without torch; the rest is imported when it is asked for. A paper is added by a line in
`janshi.built_in`, an entry point of the group ``janshi.papers``, or `PAPERS.register`.

>>> list(PAPERS["gao"].scales)
['tiny', 'small', 'medium', 'full']
"""

from __future__ import annotations

from typing import Final

from janshi import built_in
from janshi.papers.runner import Paper, ReproduceError
from janshi.registries import Registry

#: In the order that the command line shows. Raises `ReproduceError` for a name that is not there.
PAPERS: Final[Registry[Paper]] = Registry("janshi.papers", "paper", built_in.PAPERS, ReproduceError)
