"""Text of strangers (names, records, servers, bots), before it is shown."""

from __future__ import annotations


def printable(text: str) -> str:
    """Return a text with U+FFFD for control characters and lone surrogates, which could steer a terminal.

    >>> printable(f"a{chr(0xD800)}b{chr(27)}[2J")
    'a�b�[2J'
    """
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)
