"""Tenhou's lists of played games: yearly archives and pages, from which only the links to records are taken.

A list has one line a game, and a link where the record is published::

    00:03 | 18 | 三鳳南喰赤－ | <a href="http://tenhou.net/0/?log=2019010100gm-00b9-0000-0123abcd">牌譜</a> | …<br>

A record's name holds everything that a filter reads: the hour of its start and, after ``gm-``, the type of the game as
hexadecimal flags (`janshi.riichi.records.model.rules_of_flags`), which the third column spells out. Players' names are
not kept. Yearly archives (``scraw2019.zip``) hold the lists of all days; the lists of the current year are named by
``list.cgi`` (the last days, hour by hour) and ``list.cgi?old`` (whole days).
"""

from __future__ import annotations

import gzip
import re
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import IO, Final

#: The largest list that is read, in bytes, once unpacked: a day has some 300 kB.
LARGEST_LIST: Final = 1 << 26

_LINK: Final = re.compile(rb"[?&]log=(\d{10}gm-[0-9a-f]{4}-[0-9]{4,8}-x?[0-9a-f]{8,12})(?![0-9a-z])")
_FILE: Final = re.compile(r"""file\s*:\s*['"]([\w./-]+)['"]\s*,\s*size\s*:\s*(\d+)""")
#: A list of the phoenix room: its day, year, and hour where it is of an hour alone.
_PHOENIX: Final = re.compile(r"(?:.*/)?scc((20\d\d)\d{4})(\d\d)?\.html(?:\.gz)?")
_ARCHIVE: Final = re.compile(r"scraw(20\d\d)\.zip")
_BROKEN: Final = (zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError, RuntimeError, ValueError)


class Failure(Exception):  # noqa: N818 - the outcome of one file
    """A file that could not be fetched; the message is one line."""


class Wrong(Failure):
    """A file that is of no use; asking for it again would hardly help."""


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
    """Return the year of an archive by its name; None for any other name.

    >>> year_of_archive("scraw2019.zip"), year_of_archive("games.zip")
    (2019, None)
    """
    match = _ARCHIVE.fullmatch(name)
    return None if match is None else int(match[1])


def read_list(file: IO[bytes]) -> set[str]:
    """Return the names of the records that one list links to; the list may be packed with gzip.

    Raises `Wrong` if it cannot be unpacked.

    >>> import io
    >>> read_list(io.BytesIO(b'<a href="http://tenhou.net/0/?log=2019010100gm-00b9-0000-0123abcd">'))
    {'2019010100gm-00b9-0000-0123abcd'}
    """
    start = file.read(2)
    try:
        if start == b"\x1f\x8b":
            file.seek(0)
            with gzip.open(file) as stream:
                data = stream.read(LARGEST_LIST + 1)
        else:
            data = start + file.read(LARGEST_LIST)
    except (zlib.error, OSError, EOFError) as error:
        raise Wrong(f"the list cannot be unpacked ({error})") from None
    if len(data) > LARGEST_LIST:
        raise Wrong(f"the list has over {LARGEST_LIST >> 20} MiB")
    return {name.decode("ascii") for name in _LINK.findall(data)}


def read_archive(file: IO[bytes]) -> tuple[set[str], dict[str, str]]:
    """Return the names of the records that the phoenix-room lists of a yearly archive link to.

    The second value names the lists that cannot be read, with reasons: they do not hide the others.
    Raises `Wrong` if the archive cannot be opened or holds no such list.
    """
    names: set[str] = set()
    damaged: dict[str, str] = {}
    try:
        with zipfile.ZipFile(file) as archive:
            members = [info for info in archive.infolist() if _PHOENIX.fullmatch(info.filename)]
            for info in members:
                try:
                    with archive.open(info) as stream:
                        names |= read_list(stream)
                except (*_BROKEN, Wrong) as error:
                    damaged[info.filename] = str(error) or type(error).__name__
    except _BROKEN as error:
        raise Wrong(f"the archive cannot be read ({error})") from None
    if not members:
        raise Wrong("the archive holds no lists of the phoenix room (scc….html.gz)")
    return names, damaged


def read_index(file: IO[bytes]) -> dict[str, int]:
    """Return the phoenix-room lists that a ``list.cgi`` page names: paths below ``/sc/raw/`` with sizes in bytes.

    Raises `Wrong` if the file is no such page.

    >>> import io
    >>> read_index(io.BytesIO(b"list([{file:'2026/scc20260101.html.gz',size:12},{file:'sca.log.gz',size:9}]);"))
    {'dat/2026/scc20260101.html.gz': 12}
    """
    text = file.read().decode("utf-8", "replace")
    if not text.lstrip().startswith("list("):
        raise Wrong("the page is no index of lists")
    return {
        name if name.startswith("dat/") else f"dat/{name}": int(size)
        for name, size in _FILE.findall(text)
        if _PHOENIX.fullmatch(name) and ".." not in PurePosixPath(name).parts and not name.startswith("/")
    }


def choose_lists(listed: Mapping[str, int], years: set[int]) -> dict[str, dict[str, int]]:
    """Return the lists of some years with their sizes, by day: the list of a whole day replaces those of its hours.

    >>> choose_lists({"dat/scc2026010100.html.gz": 1, "dat/2026/scc20260101.html.gz": 9}, {2026})
    {'20260101': {'dat/2026/scc20260101.html.gz': 9}}
    """
    hours: dict[str, dict[str, int]] = {}
    days: dict[str, dict[str, int]] = {}
    for name, size in sorted(listed.items()):
        match = _PHOENIX.fullmatch(name)
        if match is not None and int(match[2]) in years:
            (hours if match[3] else days).setdefault(match[1], {})[name] = size
    return hours | days
