"""An extension of Griffe: examples in docstrings become blocks of code on the site."""

from __future__ import annotations

import re
from typing import Any, Final

from griffe import Extension, Object

#: An example: from its first prompt to the next empty line.
_EXAMPLE: Final = re.compile(r"^( *)>>> .*\n?(?:^ *\S.*\n?)*", re.MULTILINE)


class Examples(Extension):
    """Puts a fence around every example."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Change the docstring of what was read."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    r"""Return a docstring whose examples stand in fences.

    >>> fenced("Add.\n\n>>> 1 + 1\n2\n\nEnd.")
    'Add.\n\n```pycon\n>>> 1 + 1\n2\n```\n\nEnd.'
    """
    return _EXAMPLE.sub(lambda example: f"{example[1]}```pycon\n{example[0].rstrip()}\n{example[1]}```\n", text)
