"""Links to records, as people paste them from a site or its viewer.

Each site is an entry of the registry `LINKS`: a function that recognises its links. A record is fetched only on request
(`Link.fetch`), and from the record's own site alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from janshi import built_in
from janshi.records.formats import RecordError
from janshi.registries import Registry
from janshi.text import printable

#: Most letters around a link that is looked for; a link may itself contain a whole record.
_LONGEST: Final = 1 << 20
_ADDRESS: Final = re.compile(r"https?:/{1,2}([\w.-]+)", re.IGNORECASE)


class LinkError(RecordError):
    """Raised for a link whose record cannot be had; the message says what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link to a record."""

    name: str
    """The record's name at its site."""
    advice: str
    """What to do where the record is not fetched, in one or two sentences."""
    seat: int | None = None
    """The seat that the link shows."""
    data: bytes | None = None
    """The record, where the link contains it."""
    fetch: Callable[[], bytes] | None = None
    """Returns the record after one request to its site; None if the site gives records to nobody without an account.

    Raises `LinkError`.
    """

    def record(self, *, fetch: bool = True) -> bytes:
        """Return the record; ``fetch``: whether a request may be sent. Raises `LinkError`."""
        if self.data is not None:
            return self.data
        if self.fetch is None or not fetch:
            raise LinkError(self.advice)
        return self.fetch()


#: Functions ``(text)`` that return the link in a text, or None, by site.
LINKS: Final[Registry[Callable[[str], Link | None]]] = Registry("janshi.links", "site", built_in.LINKS, RecordError)


def find_link(text: str) -> Link | None:
    """Return the link in a pasted text or argument; None if it is no link.

    >>> find_link("game.mjlog") is None, find_link("https://tenhou.net/0/?log=2019010100gm-00b9-0000-0123abcd&tw=2").seat
    (True, 2)
    """
    text = text.strip()
    if not text or len(text) > _LONGEST or text[0] in "<{[":
        return None
    for find in LINKS.values():
        link = find(text)
        if link is not None:
            return link
    address = _ADDRESS.match(text)
    if address is None:
        return None
    host = printable(address[1][:80])
    return Link(name=host, advice=f"no records of {host} are known. Save the record as a file, and open that file.")
