"""Parsing and writing of Tenhou's messages in both dialects.

A message is a tag with attributes. Over a plain socket it is XML text that ends with a NUL byte, over a WebSocket one
JSON object a frame. The tags are the same.

>>> draw = parse_xml('<T45 t="32"/>')[0]
>>> draw.letter, draw.tile, draw.number("t")
('T', 45, 32)
>>> write_json(draw, from_client=False), write_xml(Element("D", {"p": "45"}))
('{"tag":"T45","t":"32"}', '<D p="45" />')
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, IntEnum, IntFlag
from typing import Any, Final
from urllib.parse import unquote

from janshi.tiles import IDS

#: Maximum length of a message.
LONGEST: Final = 1 << 14
_MOST_ATTRIBUTES: Final = 48
_TAG: Final = re.compile(r"<\s*+([A-Za-z][\w-]*+)((?:\s++[A-Za-z_]\w*+\s*+=\s*+\"[^\"<>]*+\")*+)\s*+/?>")
_ATTRIBUTE: Final = re.compile(r"([A-Za-z_]\w*+)\s*+=\s*+\"([^\"]*+)\"")
_NAME: Final = re.compile(r"[A-Za-z][\w-]*\Z", re.ASCII)
_TILE_TAG: Final = re.compile(r"([TUVWDEFGdefg])(\d{1,3})?\Z")
_NUMBER: Final = re.compile(r"-?\d{1,9}\Z")
_WHITE: Final = " \t\r\n"

#: Letters of draws and discards by seat, counted from the receiver. Lower case: tsumogiri.
DRAWS: Final = "TUVW"
DISCARDS: Final = "DEFG"
DRAWN_DISCARDS: Final = "Defg"
#: Discarding seat by letter, counted from the receiver.
DISCARD_SEATS: Final = {letter: seat for letters in (DISCARDS, DRAWN_DISCARDS) for seat, letter in enumerate(letters)}
#: Tags that a client sends as XML even over a WebSocket.
_XML_ALWAYS: Final = frozenset(("Z", "PXR", "BYE", "ECHO"))
#: Attributes of a client's messages that are numbers in JSON.
_CLIENT_NUMBERS: Final = frozenset(("p", "type", "hai", "hai0", "hai1", "id"))


class ProtocolError(ValueError):
    """An invalid or unexpected message, described in one line."""


class Dialect(Enum):
    """Encoding of messages."""

    XML = "xml"
    JSON = "json"


class ActionFlag(IntFlag):
    """Bits of ``t`` on a draw, a discard or a call: possible actions of the receiver."""

    PON = 1
    KAN = 2
    CHII = 4
    RON = 8
    TSUMO = 16
    RIICHI = 32
    KYUUSHU_KYUUHAI = 64
    KITA = 128


class ReplyType(IntEnum):
    """``type`` of a client's ``N``; without it the client passes."""

    PON = 1
    DAIMINKAN = 2
    CHII = 3
    ANKAN = 4
    KAKAN = 5
    RON = 6
    TSUMO = 7
    KYUUSHU_KYUUHAI = 9
    KITA = 10


@dataclass(frozen=True, slots=True)
class Element:
    """A message: a tag, and its attributes as text."""

    tag: str
    values: Mapping[str, str] = field(default_factory=dict)

    @property
    def letter(self) -> str:
        """The letter of a draw or discard, empty for other messages (and a client's ``D``, which has no tile)."""
        match = _TILE_TAG.match(self.tag)
        return match[1] if match is not None and (match[2] or match[1] in "UVW") else ""

    @property
    def tile(self) -> int:
        """The tile id of a draw or discard, −1 if hidden. Raises `ProtocolError` for an invalid id."""
        match = _TILE_TAG.match(self.tag)
        if match is None or match[2] is None:
            return -1
        return _tile(self.tag, int(match[2]))

    @property
    def has_tile(self) -> bool:
        """True if a draw or discard shows a valid tile."""
        match = _TILE_TAG.match(self.tag)
        return match is not None and match[2] is not None and int(match[2]) < IDS

    def text(self, name: str) -> str:
        """Return an attribute. Raises `ProtocolError` if it is missing."""
        if name not in self.values:
            raise ProtocolError(f"<{self.tag}> lacks {name}")
        return self.values[name]

    def words(self, name: str) -> str:
        """Return a percent-encoded attribute, decoded as UTF-8; empty if it is missing."""
        return unquote(self.values.get(name, ""), errors="replace")

    def number(self, name: str, default: int | None = None) -> int:
        """Return an integer attribute. Raises `ProtocolError` if it is missing or invalid."""
        if default is not None and name not in self.values:
            return default
        return _number(self.tag, name, self.text(name))

    def numbers(self, name: str) -> list[int]:
        """Return an attribute that is a list of integers; empty if it is missing. Raises `ProtocolError`."""
        text = self.values.get(name, "")
        return [_number(self.tag, name, part) for part in text.split(",")] if text else []

    def tile_at(self, name: str) -> int:
        """Return an attribute that is a tile id. Raises `ProtocolError` if it is missing or invalid."""
        return _tile(self.tag, self.number(name))

    def tiles(self, name: str, first: int = 0) -> list[int]:
        """Return an attribute that is a list of tile ids from index ``first`` on. Raises `ProtocolError`."""
        return [_tile(self.tag, number) for number in self.numbers(name)[first:]]


def message(tag: str, **values: object) -> Element:
    """Return a message; attributes that are None are omitted.

    >>> message("JOIN", t="0,9"), message("N", hai=None)
    (Element(tag='JOIN', values={'t': '0,9'}), Element(tag='N', values={}))
    """
    return Element(tag, {name: str(value) for name, value in values.items() if value is not None})


def encoded(text: str) -> str:
    """Return percent-encoded UTF-8 text, including letters, as Tenhou writes names.

    >>> encoded("A ⓝ")
    '%41%20%E2%93%9D'
    """
    return "".join(f"%{byte:02X}" for byte in text.encode("utf-8", "replace"))


def _number(tag: str, name: str, text: str) -> int:
    if _NUMBER.match(text) is None:
        raise ProtocolError(f"<{tag}> with {name} {text[:40]!r}, which must be an integer")
    return int(text)


def _tile(tag: str, identity: int) -> int:
    if not 0 <= identity < IDS:
        raise ProtocolError(f"<{tag}> with tile {identity}: ids are 0 to 135")
    return identity


# ---------------------------------------------------------------------------------------------------------
# XML


def parse_xml(text: str) -> list[Element]:
    """Return the messages in a text, in order. Raises `ProtocolError` for anything else in it."""
    if len(text) > LONGEST:
        raise ProtocolError(f"a message of {len(text)} characters exceeds the limit of {LONGEST}")
    messages: list[Element] = []
    at = 0
    while True:
        while at < len(text) and text[at] in _WHITE:
            at += 1
        if at == len(text):
            return messages
        match = _TAG.match(text, at)
        if match is None:
            raise ProtocolError(f"invalid message: {text[at : at + 60]!r}")
        # Attributes such as ``ratingscale`` may occur twice: the last one counts.
        values = dict(_ATTRIBUTE.findall(match[2]))
        if len(values) > _MOST_ATTRIBUTES:
            raise ProtocolError(f"<{match[1]}> with {len(values)} attributes")
        messages.append(Element(match[1], values))
        at = match.end()


def write_xml(sent: Element) -> str:
    """Return a message as XML text, without the NUL byte."""
    values = "".join(f' {name}="{_safe(value)}"' for name, value in sent.values.items())
    return f"<{sent.tag}{values} />" if values else f"<{sent.tag}/>"


def _safe(value: str) -> str:
    """Return a value without control characters and those that would end it; Tenhou's own never contain them."""
    return re.sub('[<>"\x00-\x1f\x7f-\x9f]', "", value)


# ---------------------------------------------------------------------------------------------------------
# JSON


def parse_json(text: str) -> list[Element]:
    """Return the message of one frame, or the messages of one in XML.

    Raises `ProtocolError` if the frame is neither.

    >>> parse_json('{"tag":"D","p":115}'), parse_json("<Z/>")[0].tag
    ([Element(tag='D', values={'p': '115'})], 'Z')
    """
    if len(text) > LONGEST:
        raise ProtocolError(f"a message of {len(text)} characters exceeds the limit of {LONGEST}")
    if text.lstrip(_WHITE).startswith("<"):
        return parse_xml(text)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise ProtocolError(f"invalid JSON: {text[:60]!r}") from None
    if not isinstance(value, dict) or not isinstance(value.get("tag"), str) or not _NAME.match(value["tag"]):
        raise ProtocolError(f"invalid message without a tag: {text[:60]!r}")
    if len(value) > _MOST_ATTRIBUTES:
        raise ProtocolError(f"<{value['tag'][:20]}> with {len(value) - 1} attributes")
    tag = value.pop("tag")
    return [Element(tag, {name: _plain(tag, name, entry) for name, entry in value.items()})]


def _plain(tag: str, name: str, entry: Any) -> str:
    if isinstance(entry, bool) or not isinstance(entry, str | int | float):
        raise ProtocolError(f"<{tag[:20]}> with {name[:20]} of the wrong type")
    if isinstance(entry, int) and abs(entry) > 1 << 60:
        raise ProtocolError(f"<{tag[:20]}> with {name[:20]} out of range")
    return str(entry)


def write_json(sent: Element, *, from_client: bool) -> str:
    """Return a message as the text of one frame. A server's values are strings, a client's numbers are numbers."""
    if from_client and sent.tag in _XML_ALWAYS:
        return write_xml(sent)
    values: dict[str, object] = {"tag": sent.tag}
    for name, value in sent.values.items():
        is_number = from_client and name in _CLIENT_NUMBERS and _NUMBER.match(value) is not None
        values[name] = int(value) if is_number else value
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))
