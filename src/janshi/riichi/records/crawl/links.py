"""Links to records of Tenhou, Mahjong Soul and Riichi City; Tenhou's records can be fetched.

A fetched record is kept in the cache: a second look at it asks nobody.
"""

from __future__ import annotations

import re
import threading
from contextlib import suppress
from functools import partial
from typing import IO, Final

from janshi.compiling import cache_folder
from janshi.files import replacing
from janshi.records.links import Link, LinkError

#: The site whose records are fetched.
SITE: Final = "https://tenhou.net"
#: Seconds for a connection and for each part of an answer; ten times as long for the whole of it.
TIMEOUT: Final = 6.0
_LARGEST: Final = 4 << 20
#: Letters in which a link begins: the patterns take a time that grows with the square of it.
_LONGEST: Final = 2000
_NAME: Final = r"\d{10}gm-[0-9a-f]{4}-[0-9]{4,8}-x?[0-9a-f]{8,12}(?![0-9a-z])"
#: A link to Tenhou's viewer or to a record, or a record's name alone.
_TENHOU: Final = re.compile(rf"tenhou\.net/\S*?(?:log=|log/\?)({_NAME})|^({_NAME})(?:&tw=[0-3])?$")
_EMBEDDED: Final = re.compile(r"tenhou\.net/6/\S*#json=", re.IGNORECASE)
_SEAT: Final = re.compile(r"[?&#]tw=([0-3])(?!\d)")
_SOUL_NAME: Final = r"[0-9]{6}-[0-9a-z]{8}-[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{12}"
_SOUL: Final = re.compile(
    rf"(?:maj-soul|mahjongsoul)[\w.-]*/\S*|paipu=({_SOUL_NAME})|^({_SOUL_NAME})(?:_a\d+)?(?:_\d)?$", re.IGNORECASE
)
_CITY: Final = re.compile(r"(?:riichi-?city|mahjong-jp)[\w.-]*/\S*|^[0-9a-v]{20}(?:@\S{1,40})?$", re.IGNORECASE)


def find_tenhou(text: str) -> Link | None:
    """Return the link of a text to a record of Tenhou, in any of its viewers, or None."""
    seat = _SEAT.search(text)
    at = None if seat is None else int(seat[1])
    if _EMBEDDED.search(text[:_LONGEST]):
        return Link(name="tenhou.net/6", advice="", seat=at, data=text.encode("utf-8", "replace"))
    found = _TENHOU.search(text[:_LONGEST])
    if found is None:
        return None
    name = found[1] or found[2]
    advice = f"the record is not fetched. Save {SITE}/0/log/?{name} as a file, and open that file."
    return Link(name=name, advice=advice, seat=at, fetch=partial(fetch_tenhou, name))


def find_mahjong_soul(text: str) -> Link | None:
    """Return the link of a text to a record of Mahjong Soul, or None."""
    if _SOUL.search(text[:_LONGEST]) is None:
        return None
    advice = (
        "Mahjong Soul shows records to its users alone. "
        "Open the record there, save it as JSON with a userscript or a converter, and open that file."
    )
    return Link(name="Mahjong Soul", advice=advice)


def find_riichi_city(text: str) -> Link | None:
    """Return the link of a text to a record of Riichi City, or its name there, or None."""
    if _CITY.search(text[:_LONGEST]) is None:
        return None
    advice = (
        "Riichi City shows records to its users alone. "
        "Save the site's answer for the record (JSON with handRecord) with a tool for its records, and open that file."
    )
    return Link(name="Riichi City", advice=advice)


def fetch_tenhou(name: str) -> bytes:
    """Return a record of Tenhou from the cache, or with one request to the site. Raises `LinkError`."""
    from janshi.riichi.records.crawl.config import CrawlError, Politeness
    from janshi.riichi.records.crawl.crawler import check_record
    from janshi.riichi.records.crawl.lists import Failure
    from janshi.riichi.records.crawl.site import CrawledSite

    file = cache_folder() / "records" / f"{name}.mjlog"
    with suppress(OSError, Failure):
        data = file.read_bytes()
        check_record(data, name)
        return data

    def check(stream: IO[bytes]) -> bytes:
        data = stream.read()
        check_record(data, name)
        return data

    site = CrawledSite(Politeness(site=SITE, retries=0, timeout=TIMEOUT, jobs=1), threading.Event())
    try:
        data = site.get(f"/0/log/?{name}", check, _LARGEST)
    except (Failure, CrawlError) as error:
        raise LinkError(
            f"{SITE}/0/log/?{name} cannot be fetched ({error}). Save that page as a file, and open the file."
        ) from None
    finally:
        site.close()
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        with replacing(file) as part:
            part.write_bytes(data)
    return data
