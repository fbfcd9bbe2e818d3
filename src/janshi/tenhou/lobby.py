"""Accounts and types of game of the local server."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from janshi.riichi.records.model import HUMAN, SANMA, rules_of_flags
from janshi.riichi.rules import Rules
from janshi.tenhou.protocol import Element, ProtocolError, encoded, message

#: Types of game in the order of the counts of ``LN``; 0 for unused positions.
TYPES: Final = (
    1, 3, 0, 7, 9, 11, 0, 15, 65, 0, 0, 0, 73, 0, 0, 0, 129, 131, 0, 135, 137, 139, 0, 143, 193, 0, 0, 0, 201, 0, 0,
    0, 33, 35, 0, 39, 41, 43, 0, 47, 97, 0, 0, 0, 105, 0, 0, 0, 161, 163, 0, 167, 169, 171, 0, 175, 225, 0, 0, 0, 233,
    0, 0, 0, 17, 25, 145, 153, 49, 57, 177, 185, 81, 89, 209, 217, 113, 121, 241, 249, 1025, 1033, 513, 521, 1537,
    1545, 1553, 1561, 1153, 1161, 641, 649, 1665, 1673, 1681, 1689, 1057, 1065, 545, 553, 1569, 1577, 1585, 1593,
    1185, 1193, 673, 681, 1697, 1705, 1713, 1721, 2065,
)
_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_PARLOUR: Final = 0x0F00
_FAST: Final = 0x40
_LOBBIES: Final = 10_000
_JOIN: Final = re.compile("([0-9]{1,8}),([0-9]{1,8})(?:,[^,]{0,3})?\\Z")


def run_lengths(counts: list[int]) -> str:
    """Return counts as in ``LN`` in XML: each run as its count in base 52, then its length.

    >>> run_lengths([63, 63, 0, 5])
    'BL2A1F1'
    """
    parts: list[str] = []
    for count, times in groupby(counts):
        digits = ""
        while count or not digits:
            count, digit = divmod(count, 52)
            digits = _LETTERS[digit] + digits
        parts.append(f"{digits}{len(list(times))}")
    return "".join(parts)


@dataclass(frozen=True, slots=True)
class GameType:
    """A lobby and a type of game, as in ``JOIN``."""

    lobby: str
    flags: int

    @property
    def rules(self) -> Rules:
        """Rules of the type."""
        return rules_of_flags(self.flags)

    @property
    def players(self) -> int:
        """Number of players."""
        return 3 if self.flags & SANMA else 4

    @property
    def against_people(self) -> bool:
        """True if the other players are clients; False for the server's agents."""
        return bool(self.flags & HUMAN)

    @property
    def fast(self) -> bool:
        """True for shorter time limits."""
        return bool(self.flags & _FAST)


def game_type(text: str) -> GameType:
    """Parse ``"lobby,type"`` or ``"lobby,type,r"``. Raises `ProtocolError` for unsupported types.

    >>> game_type("0,9").players, game_type("0,25,r").rules.name
    (4, 'tenhou-sanma')
    """
    match = _JOIN.match(text)
    if match is None:
        raise ProtocolError(f"JOIN needs lobby and type, as in 0,9; not {text[:40]!r}")
    flags = int(match[2])
    if flags & _PARLOUR:
        raise ProtocolError(f"type {flags} has parlour rules or hidden discards, which this server does not support")
    if flags | HUMAN not in TYPES:
        raise ProtocolError(f"unknown type {flags}")
    return GameType(lobby_number(match[1]), flags)


def lobby_number(text: str) -> str:
    """Return the number of a lobby, without leading zeros. Raises `ProtocolError` for any other text.

    >>> lobby_number("0012")
    '12'
    """
    if re.fullmatch("[0-9]{1,8}", text) is None or int(text) >= _LOBBIES:
        raise ProtocolError(f"unknown lobby {text[:10]!r}")
    return str(int(text))


@dataclass(slots=True)
class Account:
    """A registered player."""

    name: str
    sex: str = "M"
    figures: dict[int, list[int]] = field(default_factory=dict)
    """By number of players: first to fourth places, games below 0, hands, wins, deal-ins, hands with calls, riichis."""

    def count(self, players: int, added: Element) -> None:
        """Add the figures of a game from its ``PROF``."""
        sums = self.figures.setdefault(players, [0] * 10)
        for index, number in enumerate(added.text("add").split(",")[1:]):
            sums[index] += int(number)

    def greeting(self) -> Element:
        """Return the server's answer to a login."""
        values: dict[str, object] = {"uname": encoded(self.name), "auth": "20180101-00000000"}
        for players, sums in self.figures.items():
            values[f"PF{players}"] = ",".join(map(str, (0, 0, "1500.00", 0, *sums)))
        return message("HELO", **values, ratingscale="PF3=1.000000&PF4=1.000000")
