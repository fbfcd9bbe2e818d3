"""Formats of game records, with their detection, reading and writing.

A format is a `RecordFormat` in the registry `FORMATS`, under its name. A plug-in adds one by an entry point of the
group ``janshi.records`` or by ``FORMATS.register(name, format)``.

>>> FORMATS["mjai"].game, FORMATS["mjai"].suffixes[0]
('riichi', '.jsonl')
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final

from janshi import built_in
from janshi.games import game_of
from janshi.registries import Registry

#: Maximum characters of a reason, which may quote a record.
_LONGEST_REASON: Final = 300
#: Bytes at the beginning of a record by which formats are recognised.
_START: Final = 4000


@dataclass(frozen=True, slots=True)
class CutHand:
    """A hand of a record that cannot be read, while its game can; numbers are counted from 1."""

    number: int
    reason: str
    event: int | None = None

    def __str__(self) -> str:
        event = f", event {self.event}" if self.event is not None else ""
        return f"hand {self.number}{event}: {self.reason}"


class RecordError(ValueError):
    """Raised for a record that cannot be read or written; the one-line message names the fault and its place.

    ``hand`` and ``event`` are counted from 1; None if the place is unknown. ``cut`` holds the hands of a game of which
    no hand can be read.
    """

    def __init__(
        self,
        reason: str,
        source: str = "",
        hand: int | None = None,
        event: int | None = None,
        cut: tuple[CutHand, ...] = (),
    ) -> None:
        super().__init__(reason, source, hand, event, cut)
        self.reason = reason if len(reason) <= _LONGEST_REASON else reason[: _LONGEST_REASON - 1] + "…"
        self.source = source
        self.hand = hand
        self.event = event
        self.cut = cut

    def __str__(self) -> str:
        parts = [self.source] if self.source else []
        if self.hand is not None:
            parts.append(f"hand {self.hand}")
        if self.event is not None:
            parts.append(f"event {self.event}")
        return f"{', '.join(parts)}: {self.reason}" if parts else self.reason

    def at(self, source: str = "", hand: int | None = None, event: int | None = None) -> RecordError:
        """Return the error with its missing parts filled in."""
        return type(self)(
            self.reason,
            self.source or source,
            self.hand if self.hand is not None else hand,
            self.event if self.event is not None else event,
            self.cut,
        )


class UnsupportedError(RecordError):
    """Raised for a game of which not a single hand can be read: of rules of its own, or one player's view."""


@dataclass(slots=True)
class Remarks:
    """What is said of readable games beside their play.

    >>> remarks = Remarks(ignored={"unknown yaku": 1})
    >>> remarks.add(Remarks(ignored={"unknown yaku": 2}, notes={"length guessed: East": 1}))
    >>> remarks.lines()
    ['ignored: unknown yaku (3)', 'noted: length guessed: East (1)']
    """

    cut: list[str] = field(default_factory=list)
    """Hands that cannot be read, each with its source and the reason in one line."""
    ignored: dict[str, int] = field(default_factory=dict)
    """Parts that play does not need and that were passed over: what, and how often."""
    notes: dict[str, int] = field(default_factory=dict)
    """What records do not say and was assumed: what, and how often."""

    def add(self, other: Remarks) -> None:
        """Add the remarks on other games."""
        self.cut += other.cut
        for mine, theirs in ((self.ignored, other.ignored), (self.notes, other.notes)):
            for what, times in theirs.items():
                mine[what] = mine.get(what, 0) + times

    def lines(self) -> list[str]:
        """Return what was ignored and what was noted as a line each, as far as there is any."""
        return [
            f"{label}: {'; '.join(f'{what} ({times:,})' for what, times in sorted(counts.items()))}"
            for label, counts in (("ignored", self.ignored), ("noted", self.notes))
            if counts
        ]


@dataclass(frozen=True, slots=True)
class Damaged:
    """A record that could not be read, and the reason in one line."""

    source: str
    reason: str
    cut: tuple[CutHand, ...] = ()
    """Its hands, if it is a game of which no hand can be read."""

    def __str__(self) -> str:
        return f"{self.source}: {self.reason}"

    @classmethod
    def of(cls, error: RecordError, name: str) -> Damaged:
        """Return the damaged record of an error and a name."""
        return cls(error.source or name, str(RecordError(error.reason, "", error.hand, error.event)), error.cut)


@dataclass(frozen=True, kw_only=True)
class RecordFormat:
    """A format of records."""

    name: str
    game: str
    """Name of the game."""
    suffixes: tuple[str, ...]
    """Suffixes of its files; the first is that of written files."""
    detect: Callable[[bytes, str], bool]
    """``(data, start)``: True if bytes are a record of this format; ``start`` is their beginning as text."""
    read: Callable[[bytes, str], Iterator[Any]]
    """``(data, name)``: yields the games, and `Damaged` for unreadable ones.

    Raises `RecordError` if no game can be read.
    """
    read_by: Callable[[bytes, str, Any], Iterator[Any]] | None = None
    """``(data, name, rules)``: as ``read``, by other rules than the record's; None if rules do not decide how a record
    is read.
    """
    write: Callable[..., list[str]] | None = None
    """``(games, **settings)``: returns games as texts, one for each file; None if the format is read-only.

    Raises `RecordError` for a game that contradicts itself.
    """
    settings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Settings of the writer and their values, the default first."""


#: Every format by its name. Later ones are tried first.
FORMATS: Final[Registry[RecordFormat]] = Registry("janshi.records", "format", built_in.RECORDS, RecordError)


def formats_of(game: str) -> dict[str, RecordFormat]:
    """Return the writable formats of a game's records by name.

    >>> list(formats_of("riichi")), list(formats_of("sichuan"))
    (['tenhou6', 'mjai', 'mjlog'], ['janshi-sichuan'])
    """
    return {name: each for name, each in FORMATS.items() if each.game == game and each.write is not None}


def writable(name: str, **settings: str | None) -> RecordFormat:
    """Return the format of a name that writes with some settings (`RecordFormat.settings`); None is the default.

    Raises `RecordError` for an unknown or read-only format, and for a setting or value that it does not have.

    >>> writable("mjai", kita="kita").name
    'mjai'
    """
    found = FORMATS[name]
    if found.write is None:
        others = ", ".join(other for other, each in FORMATS.items() if each.write is not None)
        raise RecordError(f"records in the format {name!r} can only be read; formats to write are {others}")
    given = {setting: value for setting, value in settings.items() if value is not None}
    for setting, value in given.items():
        if setting not in found.settings:
            having = ", ".join(other for other, each in FORMATS.items() if setting in each.settings)
            raise RecordError(f"records in the format {name!r} have no setting {setting!r}; {having} has it")
        if value not in found.settings[setting]:
            raise RecordError(f"{setting} is {' or '.join(found.settings[setting])}, not {value!r}")
    return replace(found, write=partial(found.write, **given)) if given else found


def format_of(data: bytes) -> RecordFormat:
    """Return the format of a record by its content. Raises `RecordError` if it is unknown.

    >>> format_of(b'{"type":"start_game","names":["a","b","c"]}').name
    'mjai'
    """
    start = data[:_START].decode("utf-8-sig", "replace").lstrip()
    for each in reversed(tuple(FORMATS.values())):
        if each.detect(data, start):
            return each
    raise RecordError(f"no record of {', '.join(FORMATS)}")


def text_of(data: bytes, name: str = "") -> str:
    """Return the bytes of a record as text. Raises `RecordError` if they are empty or not text."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RecordError(f"not text: byte {error.start + 1} is not UTF-8 (binary, or damaged)", name) from None
    if not text[:_START].strip():
        raise RecordError("empty", name)
    return text


def lines_of(text: str) -> Iterator[str]:
    r"""Return the lines of a text, which end with ``\n``, ``\r`` or both.

    Unlike `str.splitlines`, line separators of Unicode (U+0085, U+2028, U+2029) end no line: JSON may contain them.

    >>> list(lines_of("a\u2028b\r\nc"))
    ['a\u2028b\n', 'c']
    """
    return io.StringIO(text, newline=None)


def without_surrogates(text: str) -> str:
    """Return a text with U+FFFD for lone surrogates, which no file can hold."""
    return text if text.isascii() else re.sub("[\ud800-\udfff]", "\ufffd", text)


def json_values(text: str, source: str = "") -> list[Any]:
    r"""Return the JSON values of a text: one, or one in each line. Raises `RecordError` if it is neither.

    >>> json_values('[1]'), json_values('{}\n[2]')
    ([[1]], [{}, [2]])
    """
    try:
        return [json.loads(text)]
    except RecursionError:
        raise RecordError("not valid JSON (nested too deeply)", source) from None
    except ValueError as error:
        try:
            return [json.loads(line) for line in lines_of(text) if line.strip()]
        except (ValueError, RecursionError):
            raise RecordError(f"not valid JSON, or incomplete ({error})", source) from None


@dataclass
class Place:
    """Position of a reader: the hand and the event, counted from 1, and the current item."""

    what: str = "the record"
    hand: int | None = None
    event: int | None = None


@contextmanager
def reading(source: str) -> Iterator[Place]:
    """Convert exceptions from damaged values to `RecordError` with the source and the place.

    >>> with reading("a.json") as place:
    ...     place.what, place.hand = "tsumo", 2
    ...     {}["pai"]
    Traceback (most recent call last):
        ...
    janshi.records.formats.RecordError: a.json, hand 2: tsumo lacks 'pai'
    """
    place = Place()
    try:
        yield place
    except RecordError as error:
        raise error.at(source, place.hand, place.event) from None
    except (TypeError, ValueError, KeyError, IndexError, AttributeError, OverflowError) as error:
        reason = f"lacks {error}" if isinstance(error, KeyError) else f"is damaged ({error})"
        raise RecordError(f"{place.what} {reason}", source, place.hand, place.event) from None


def read_each(records: Sequence[Any], read: Callable[[Any, str], Any], name: str) -> Iterator[Any]:
    """Read the games of a record of several; each is named by its number, damaged ones are `Damaged`."""
    for number, record in enumerate(records, start=1):
        game_name = f"{name}#{number}" if len(records) > 1 else name
        try:
            yield read(record, game_name)
        except RecordError as error:
            yield Damaged.of(error, game_name)


def write_games(games: Iterable[Any], to: str | RecordFormat, **settings: str | None) -> list[str]:
    """Return games as texts of a format: a single one, or one for each game if a file holds one game.

    ``to`` is a name, with the settings of `writable`, or its result. Raises `RecordError` for an unknown format or
    setting, a game that the format does not support, or one that contradicts itself.
    """
    chosen = writable(to, **settings) if isinstance(to, str) else to
    listed = list(games)
    for game in listed:
        played = game_of(game.rules).name
        if played != chosen.game:
            raise RecordError(f"{chosen.name} is a format of {chosen.game}, not of {played}", game.source)
    return chosen.write(listed) if listed and chosen.write is not None else []
