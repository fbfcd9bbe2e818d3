"""What a crawl fetches, and how: the options of `janshi.riichi.records.crawl.crawl`, their defaults and their help."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from janshi import __version__
from janshi.riichi.records.crawl_lists import year_of_archive
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
#: Endings of the records, by the format they are asked for in.
ENDINGS: Final = {"mjlog": ".mjlog", "json": ".json"}


class CrawlError(ValueError):
    """What was asked of the crawler makes no sense, or cannot be done here: why, in one line."""


def described(text: str, *names: str, panel: str = "", **settings: Any) -> dict[str, Any]:
    """Return the metadata of a field that is an option of the command line.

    Its help, its names where it is not called as the field, the panel of the help that it stands in, and further
    settings (``min``, ``max``).
    """
    return {"help": text, "names": names, "typer": settings | ({"rich_help_panel": panel} if panel else {})}


_POLITENESS: Final = "Politeness"


@dataclass(frozen=True, slots=True)
class Politeness:
    """How a site is asked.

    >>> Politeness(contact="me@example.org").agent.startswith("janshi/")
    True
    """

    rate: float = field(
        default=1.0, metadata=described("Requests a second, all threads together.", panel=_POLITENESS)
    )
    # More than one only helps where an answer takes longer than the pause between two.
    jobs: int = field(default=2, metadata=described("Requests at a time.", panel=_POLITENESS, min=1, max=64))
    retries: int = field(
        default=4, metadata=described("Further tries, with growing pauses.", panel=_POLITENESS, min=0, max=20)
    )
    timeout: float = field(
        default=30.0,
        metadata=described("Seconds without an answer before a try counts as failed.", panel=_POLITENESS),
    )
    contact: str = field(
        default="", metadata=described("Your address or page, sent along for the site.", panel=_POLITENESS)
    )
    user_agent: str = field(
        default="", metadata=described("Instead of janshi/VERSION (mahjong research; CONTACT).", panel=_POLITENESS)
    )
    site: str = field(default="https://tenhou.net", metadata=described("Where to ask.", panel=_POLITENESS))
    backoff: float = 1.0
    """Seconds before the first retry; doubled for each further one."""

    @property
    def agent(self) -> str:
        """The user agent that requests carry."""
        if self.user_agent:
            return self.user_agent
        return f"janshi/{__version__} (mahjong research{'; ' + self.contact if self.contact else ''})"

    def check(self) -> None:
        """Raise `CrawlError` for what cannot be."""
        try:
            parts = urlsplit(self.site)
            sound = parts.scheme in ("http", "https") and parts.hostname and not (parts.query or parts.fragment)
            sound = bool(sound) and (parts.port is None or parts.port > 0)
        except ValueError:
            sound = False
        if not sound:
            raise CrawlError(f"{self.site!r} is no address of a site: https://tenhou.net, for example")
        if not 0 < self.rate <= 1000:
            raise CrawlError(f"a rate of {self.rate:g} requests a second: more than 0, at most 1000")
        if not 1 <= self.jobs <= 64:
            raise CrawlError(f"{self.jobs} threads: 1 to 64")
        if not 0 <= self.retries <= 20:
            raise CrawlError(f"{self.retries} retries: 0 to 20")
        if not 0 < self.timeout <= 3600:
            raise CrawlError(f"a time-out of {self.timeout:g} seconds: more than 0, at most 3600")
        if not self.agent.isascii() or not self.agent.isprintable():
            raise CrawlError("the user agent and the contact are one line of plain ASCII letters")


_RULES: Final = "Rules"


@dataclass(frozen=True, slots=True)
class RecordFilter:
    """Which records: None takes all.

    >>> RecordFilter(players=3, length="south", red_fives=True).bits()
    (186, 184)
    """

    players: int | None = field(
        default=None, metadata=described("Three (sanma) or four; default both.", panel=_RULES, min=3, max=4)
    )
    room: str = field(
        default="phoenix",
        metadata=described(
            "phoenix, special, upper, general or any; links are published for phoenix alone.", panel=_RULES
        ),
    )
    length: str | None = field(default=None, metadata=described("east or south; default both.", panel=_RULES))
    red_fives: bool | None = field(default=None, metadata=described("Red fives.", "--red/--no-red", panel=_RULES))
    open_tanyao: bool | None = field(
        default=None, metadata=described("Open tanyao.", "--open-tanyao/--no-open-tanyao", panel=_RULES)
    )
    fast: bool | None = field(default=None, metadata=described("Fast games.", "--fast/--no-fast", panel=_RULES))

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
    """What a crawl fetches, and how.

    >>> CrawlConfig(Path("records"), ["2019-2020"], wanted=RecordFilter(players=3)).check()
    [2019, 2020]
    """

    out: Path = field(
        metadata=described("Folder for the records and the journal; a crawl begun there goes on.")
    )
    years: list[str] = field(default_factory=list, metadata=described("2019, or 2019-2021. Repeatable."))
    archives: list[Path] = field(
        default_factory=list,
        metadata=described("A yearly archive that you have (scraw2019.zip). Repeatable.", "--archive"),
    )
    """They are not asked for, and their years are wanted too."""
    format: str = field(
        default="mjlog",
        metadata=described("mjlog (exact), or json (tenhou.net/6; the site may not serve it any more)."),
    )
    limit: int | None = field(
        default=None, metadata=described("So many records in all, the earliest first.", min=1)
    )
    spread: bool = field(
        default=False, metadata=described("With --limit: spread over all years instead.", "--spread")
    )
    dry_run: bool = field(default=False, metadata=described("Fetch lists alone; say what there is.", "--dry-run"))
    retry_failed: bool = field(
        default=False, metadata=described("Ask for failed records again.", "--retry-failed")
    )
    """Without it, of the records that failed earlier only those are asked for that the site had not answered for."""
    shard: int = field(default=1000, metadata=described("Records in one archive.", min=1, max=20_000))
    wanted: RecordFilter = field(default_factory=RecordFilter)
    politeness: Politeness = field(default_factory=Politeness)

    def check(self) -> list[int]:
        """Return the years wanted. Raises `CrawlError` for what makes no sense."""
        years = sorted({*parse_years(self.years), *local_archives(self.archives)})
        if not years:
            raise CrawlError("no years: --years 2019, for example")
        if self.format not in ENDINGS:
            raise CrawlError(f"no format {self.format!r}: there are {', '.join(ENDINGS)}")
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
            raise CrawlError(f"{text!r} is no year: 2019, or 2019-2021")
        low, high = int(first), int(last or first)
        if not FIRST_YEAR <= low <= high <= this_year():
            raise CrawlError(f"years {text!r}: {FIRST_YEAR} to {this_year()}, the earlier one first")
        years.update(range(low, high + 1))
    return sorted(years)


def this_year() -> int:
    """Return the year that it is in Japan."""
    return datetime.datetime.now(datetime.timezone(datetime.timedelta(hours=9))).year


def local_archives(archives: Sequence[Path]) -> dict[int, Path]:
    """Return yearly archives on disk by their year. Raises `CrawlError` where one is none, or not there."""
    paths = {}
    for path in archives:
        year = year_of_archive(path.name)
        if year is None:
            raise CrawlError(f"{path} is not named like a yearly archive: scraw2019.zip")
        if not path.is_file():
            raise CrawlError(f"{path}: no such file")
        paths[year] = path
    return paths


