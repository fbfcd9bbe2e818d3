"""Options of `janshi.riichi.records.crawl.crawler.crawl`, with their defaults and help texts."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from janshi import __version__
from janshi.riichi.records.crawl.lists import year_of_archive
from janshi.riichi.records.model import EAST_SOUTH, FAST, NO_OPEN_TANYAO, NO_RED, SANMA, SPECIAL_ROOM, UPPER_ROOM

#: Tenhou's rooms.
ROOMS: Final = {
    "general": 0,
    "upper": UPPER_ROOM,
    "special": SPECIAL_ROOM,
    "phoenix": UPPER_ROOM | SPECIAL_ROOM,
}
#: Records of all rooms.
ANY_ROOM: Final = "any"
#: The first year of which there are lists.
FIRST_YEAR: Final = 2006
#: Least and largest values of the fields of `Politeness`.
_RANGES: Final = {"rate": (1e-4, 1000), "jobs": (1, 64), "retries": (0, 20), "timeout": (1e-3, 3600)}


class CrawlError(ValueError):
    """An impossible configuration or folder of a crawl; the message is one line."""


def _described(text: str, *names: str, **settings: Any) -> dict[str, Any]:
    """Return the metadata of a field that is an option of the command line.

    ``names``: of the option where they differ from the field's; ``settings``: for typer (``min``, ``rich_help_panel``).
    """
    return {"help": text, "names": names, "typer": settings}


def _option(default: Any, text: str, *names: str, **settings: Any) -> Any:
    """Return a field with a default that is an option of the command line."""
    return field(default=default, metadata=_described(text, *names, **settings))


_polite = partial(_option, rich_help_panel="Politeness")
_rule = partial(_option, rich_help_panel="Rules")


@dataclass(frozen=True, slots=True)
class Politeness:
    """Limits of the requests to a site.

    >>> Politeness(contact="me@example.org").agent.startswith("janshi/")
    True
    """

    rate: float = _polite(1.0, "Requests a second, over all threads.", min=1e-6, max=1000)
    # More than one only helps where an answer takes longer than the pause between two.
    jobs: int = _polite(2, "Simultaneous requests.", min=1, max=64)
    retries: int = _polite(4, "Retries, with growing pauses.", min=0, max=20)
    timeout: float = _polite(30.0, "Time limit in seconds for an answer.", min=0.001, max=86_400)
    contact: str = _polite("", "Your address or page, sent in the user agent.")
    user_agent: str = _polite("", "User agent (default: janshi/VERSION (mahjong research; CONTACT)).")
    site: str = _polite("https://tenhou.net", "Address of the site.")
    backoff: float = 1.0  # seconds before the first retry; doubled for each further one

    @property
    def agent(self) -> str:
        """The user agent that requests carry."""
        if self.user_agent:
            return self.user_agent
        return f"janshi/{__version__} (mahjong research{'; ' + self.contact if self.contact else ''})"

    def check(self) -> None:
        """Raise `CrawlError` for a value out of its range, and where the site is no address."""
        try:
            parts = urlsplit(self.site)
            sound = parts.scheme in ("http", "https") and parts.hostname and not (parts.query or parts.fragment)
            sound = bool(sound) and (parts.port is None or parts.port > 0)
        except ValueError:
            sound = False
        if not sound:
            raise CrawlError(f"invalid address of a site {self.site!r}: write https://tenhou.net, for example")
        for name, (low, high) in _RANGES.items():
            value = getattr(self, name)
            if not low <= value <= high:
                raise CrawlError(f"{name} {value:g} is out of range: {low:g} to {high:g}")
        if not self.agent.isascii() or not self.agent.isprintable():
            raise CrawlError("the user agent and the contact must be one line of ASCII characters")


@dataclass(frozen=True, slots=True)
class RecordFilter:
    """Which records are fetched; None takes all.

    >>> RecordFilter(players=3, length="south", red_fives=True).bits()
    (186, 184)
    """

    players: int | None = _rule(None, "Number of players: 3 (sanma) or 4 (default: both).", min=3, max=4)
    room: str = _rule("phoenix", "Room: phoenix, special, upper, general or any; links are published for phoenix only.")
    length: str | None = _rule(None, "Length: east or south (default: both).")
    red_fives: bool | None = _rule(None, "Red fives.", "--red/--no-red")
    open_tanyao: bool | None = _rule(None, "Open tanyao.", "--open-tanyao/--no-open-tanyao")
    fast: bool | None = _rule(None, "Fast games.", "--fast/--no-fast")

    def bits(self) -> tuple[int, int]:
        """Return a mask, and what Tenhou's type of a game is under it. Raises `CrawlError`."""
        if self.players not in (None, 3, 4):
            raise CrawlError(f"{self.players} players: 3 or 4")
        if self.room != ANY_ROOM and self.room not in ROOMS:
            raise CrawlError(f"no room {self.room!r}: there are {', '.join(ROOMS)}, or {ANY_ROOM}")
        if self.length not in (None, "east", "south"):
            raise CrawlError(f"no length {self.length!r}: there are east and south")
        rules = (
            (SANMA, None if self.players is None else self.players == 3),
            (EAST_SOUTH, None if self.length is None else self.length == "south"),
            (NO_RED, None if self.red_fives is None else not self.red_fives),
            (NO_OPEN_TANYAO, None if self.open_tanyao is None else not self.open_tanyao),
            (FAST, self.fast),
        )
        mask = sum(bit for bit, wanted in rules if wanted is not None)
        flags = sum(bit for bit, wanted in rules if wanted)
        if self.room != ANY_ROOM:
            mask |= ROOMS["phoenix"]
            flags |= ROOMS[self.room]
        return mask, flags


@dataclass(frozen=True, slots=True)
class CrawlConfig:
    """Options of a crawl.

    >>> CrawlConfig(Path("records"), ["2019-2020"], wanted=RecordFilter(players=3)).check()
    [2019, 2020]
    """

    out: Path = field(metadata=_described("Folder for records and journal; an unfinished crawl in it is resumed."))
    years: list[str] = field(default_factory=list, metadata=_described("Years: 2019, or 2019-2021. Repeatable."))
    archives: list[Path] = field(
        default_factory=list,
        metadata=_described("Local yearly archive (scraw2019.zip). Repeatable.", "--archive"),
    )
    """Their records are not requested, and their years are fetched too."""
    limit: int | None = _option(None, "Maximum number of records, earliest first.", min=1)
    spread: bool = _option(False, "With --limit: spread the records over all years.", "--spread")
    dry_run: bool = _option(False, "Download lists only, and print the number of records.", "--dry-run")
    retry_failed: bool = _option(False, "Retry failed records.", "--retry-failed")
    """If false, records that failed earlier are requested only if the site had given no answer."""
    shard: int = _option(1000, "Records per archive.", min=1, max=20_000)
    wanted: RecordFilter = field(default_factory=RecordFilter)
    politeness: Politeness = field(default_factory=Politeness)

    def check(self) -> list[int]:
        """Return the requested years. Raises `CrawlError` for invalid options."""
        years = sorted({*parse_years(self.years), *local_archives(self.archives)})
        if not years:
            raise CrawlError("no years: --years 2019, for example")
        if self.shard < 1 or (self.limit is not None and self.limit < 1):
            raise CrawlError("at least one record")
        return years


def parse_years(texts: Iterable[str]) -> list[int]:
    """Read years and ranges of years. Raises `CrawlError`.

    >>> parse_years(["2019-2021", "2009"])
    [2009, 2019, 2020, 2021]
    """
    years: set[int] = set()
    for text in texts:
        first, _, last = text.partition("-")
        if not (first.strip().isdecimal() and (last or first).strip().isdecimal()):
            raise CrawlError(f"invalid years {text!r}: write 2019, or 2019-2021")
        low, high = int(first), int(last or first)
        if not FIRST_YEAR <= low <= high <= this_year():
            raise CrawlError(f"years {text!r}: {FIRST_YEAR} to {this_year()}, the earlier one first")
        years.update(range(low, high + 1))
    return sorted(years)


def this_year() -> int:
    """Return the year that it is in Japan."""
    return datetime.datetime.now(datetime.timezone(datetime.timedelta(hours=9))).year


def local_archives(archives: Sequence[str | Path]) -> dict[int, Path]:
    """Return yearly archives on disk by their year. Raises `CrawlError` for another name, or a missing file."""
    paths = {}
    for path in map(Path, archives):
        year = year_of_archive(path.name)
        if year is None:
            raise CrawlError(f"{path} does not have the name of a yearly archive, such as scraw2019.zip")
        if not path.is_file():
            raise CrawlError(f"{path}: no such file")
        paths[year] = path
    return paths
