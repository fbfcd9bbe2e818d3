"""Extensions of Griffe: code blocks for examples in docstrings, and docstrings from comments of fields."""

from __future__ import annotations

import re
from typing import Any, Final

from griffe import Attribute, Docstring, Extension, Object

#: An example: from its first prompt to the next empty line.
_EXAMPLE: Final = re.compile(r"^( *)>>> .*\n?(?:^ *\S.*\n?)*", re.MULTILINE)

#: A field of a class with a comment on its line.
_COMMENTED: Final = re.compile(r"\w+: [^#]*  # (.+)$")


class Examples(Extension):
    """Puts a fence around every example."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Change the docstring of an object."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)


class Comments(Extension):
    """Uses the comment on a field's line as its docstring if it has none."""

    def on_attribute(self, *, attr: Attribute, **_: Any) -> None:
        """Add the docstring of an attribute."""
        if attr.docstring is None and (comment := _COMMENTED.match(attr.source)):
            attr.docstring = Docstring(comment[1][0].upper() + comment[1][1:] + ".", parent=attr)


def fenced(text: str) -> str:
    r"""Return a docstring with examples in fences.

    >>> fenced("Add.\n\n>>> 1 + 1\n2\n\nEnd.")
    'Add.\n\n```pycon\n>>> 1 + 1\n2\n```\n\nEnd.'
    """
    return _EXAMPLE.sub(lambda example: f"{example[1]}```pycon\n{example[0].rstrip()}\n{example[1]}```\n", text)
