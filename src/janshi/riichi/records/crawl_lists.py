"""Tenhou's lists of played games: yearly archives and pages, from which only the links to records are taken.

A list has one line a game, and a link where the record is published::

    00:03 | 18 | 三鳳南喰赤－ | <a href="http://tenhou.net/0/?log=2019010100gm-00b9-0000-0123abcd">牌譜</a> | …<br>

The name of a record holds all that is filtered by: the hour of its start, and after ``gm-`` the type of the game as
hexadecimal flags (`janshi.riichi.records.model.rules_of_flags`), which say what the third column says. Names of
players are
not kept. Yearly archives (``scraw2019.zip``) hold the lists of all days; the lists of the current year are named by
``list.cgi`` (the last days, hour by hour) and ``list.cgi?old`` (whole days).
"""

from __future__ import annotations

import gzip
import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import IO, Final, NamedTuple

#: The largest list that is read, in bytes, once unpacked: a day has some 300 kB.
LARGEST_LIST: Final = 1 << 26

_LINK: Final = re.compile(rb"[?&]log=(\d{10}gm-[0-9a-f]{4}-[0-9]{4,8}-x?[0-9a-f]{8,12})(?![0-9a-z])")
_FILE: Final = re.compile(r"""file\s*:\s*['"]([\w./-]+)['"]\s*,\s*size\s*:\s*(\d+)""")
_PHOENIX: Final = re.compile(r"scc((20\d\d)\d{4})(\d\d)?\.html(\.gz)?")
_ARCHIVE: Final = re.compile(r"scraw(20\d\d)\.zip")


class Failure(Exception):  # noqa: N818 - what one file came to
    """A file that could not be had: why, in one line."""


class Wrong(Failure):
    """A file that is of no use; asking for it again would hardly help."""


class Listed(NamedTuple):
    """A list that the site names."""

    name: str  # path below ``/sc/raw/``
    size: int  # bytes; a list that has grown is read again


@dataclass(slots=True)
class Links:
    """What lists say."""

    names: set[str] = field(default_factory=set)  # of records
    damaged: dict[str, str] = field(default_factory=dict)  # lists in an archive that cannot be read, and why


def year_of(name: str) -> int:
    """Return the year in the name of a record.

    >>> year_of("2019010100gm-00b9-0000-0123abcd")
    2019
    """
    return int(name[:4])


def flags_of_name(name: str) -> int:
    """Return Tenhou's type of the game, from a record's name.

    >>> flags_of_name("2019010100gm-00b9-0000-0123abcd")
    185
    """
    return int(name.split("-")[1], 16)


def archive_of(year: int) -> str:
    """Return the name of the archive of a year's lists, as the site has it.

    >>> archive_of(2019)
    'scraw2019.zip'
    """
    return f"scraw{year}.zip"


def year_of_archive(name: str) -> int | None:
    """Return the year of an archive by its name, or None where it is not named like one.

    >>> year_of_archive("scraw2019.zip"), year_of_archive("games.zip")
    (2019, None)
    """
    match = _ARCHIVE.fullmatch(name)
    return None if match is None else int(match[1])


def read_list(data: bytes) -> set[str]:
    """Return the names of the records that one list links to; the list may be packed with gzip.

    Raises `Wrong` where it cannot be unpacked.

    >>> read_list('00:03 | 18 | <a href="http://tenhou.net/0/?log=2019010100gm-00b9-0000-0123abcd">'.encode())
    {'2019010100gm-00b9-0000-0123abcd'}
    """
    if data[:2] == b"\x1f\x8b":
        try:
            with gzip.open(io.BytesIO(data)) as stream:
                data = stream.read(LARGEST_LIST + 1)
        except (zlib.error, OSError, EOFError) as error:
            raise Wrong(f"the list cannot be unpacked ({error})") from None
    if len(data) > LARGEST_LIST:
        raise Wrong(f"the list has over {LARGEST_LIST >> 20} MiB")
    return {name.decode("ascii") for name in _LINK.findall(data)}


def read_archive(file: IO[bytes]) -> Links:
    """Return what the phoenix-room lists in a yearly archive link to.

    A list that cannot be read does not hide the others. Raises `Wrong` where the archive cannot be opened or
    holds no such list.
    """
    links = Links()
    members = 0
    try:
        with zipfile.ZipFile(file) as archive:
            for info in archive.infolist():
                if _PHOENIX.fullmatch(PurePosixPath(info.filename).name) is None:
                    continue
                members += 1
                try:
                    with archive.open(info) as stream:
                        links.names |= read_list(stream.read(LARGEST_LIST + 1))
                except (*_BROKEN, Wrong) as error:
                    links.damaged[info.filename] = str(error) or type(error).__name__
    except _BROKEN as error:
        raise Wrong(f"the archive cannot be read ({error})") from None
    if not members:
        raise Wrong("the archive holds no lists of the phoenix room (scc….html.gz)")
    return links


_BROKEN: Final = (zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError, RuntimeError, ValueError)


def read_index(text: str) -> list[Listed]:
    """Return the phoenix-room lists that a ``list.cgi`` page names. Raises `Wrong` where it is no such page.

    >>> read_index("list([{file:'2026/scc20260101.html.gz',size:123},{file:'2026/sca20260101.log.gz',size:9}]);")
    [Listed(name='dat/2026/scc20260101.html.gz', size=123)]
    """
    if not text.lstrip().startswith("list("):
        raise Wrong("the page is no index of lists")
    return list(_listed(text))


def _listed(text: str) -> Iterator[Listed]:
    for name, size in _FILE.findall(text):
        path = PurePosixPath(name)
        if _PHOENIX.fullmatch(path.name) is not None and ".." not in path.parts and not path.is_absolute():
            yield Listed(name if name.startswith("dat/") else f"dat/{name}", int(size))


def day_of(name: str) -> str:
    """Return the day of a list by its name.

    >>> day_of("dat/2026/scc20260101.html.gz")
    '20260101'
    """
    part = _PHOENIX.fullmatch(PurePosixPath(name).name)
    return "" if part is None else part[1]


def choose_lists(listed: list[Listed], years: set[int]) -> list[Listed]:
    """Return the lists of some years, each day once: the list of the whole day rather than those of its hours.

    >>> hour, day = Listed("dat/scc2026010100.html.gz", 1), Listed("dat/2026/scc20260101.html.gz", 9)
    >>> choose_lists([hour, day], {2026})
    [Listed(name='dat/2026/scc20260101.html.gz', size=9)]
    """
    parts = {page.name: _PHOENIX.fullmatch(PurePosixPath(page.name).name) for page in listed}
    days = {part[1] for part in parts.values() if part is not None and part[3] is None}
    chosen = {}
    for page in listed:
        part = parts[page.name]
        if part is not None and int(part[2]) in years and (part[3] is None or part[1] not in days):
            chosen[page.name] = page
    return [chosen[name] for name in sorted(chosen)]
