"""Rules of Tenhou's tournament lobbies: the type of the game, and the texts ``rule`` and ``csrule``.

``rule`` has the type in hexadecimal digits as its third part. ``csrule`` begins with two words of bits and goes on with
amounts; a part that is empty or 0 has Tenhou's ordinary value. Bits and amounts are those that the program
InjusticeJudge lists (``example_arml_game.json``). Where it contradicts two other public programs (the extension of a
game, riichi sticks left at the end), a bit that is not set is taken as Tenhou's ordinary rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from janshi.riichi.records.model import RiichiGame, rules_of_flags
from janshi.riichi.rules import KanDora, Rules

#: Bits of the first word, with the field of `Rules` and its value where the bit is set; later ones take precedence.
_FIRST: Final[dict[int, dict[str, Any]]] = {
    0x00000001: {"nagashi_mangan": False},
    0x00000002: {"rounded_mangan": True},
    0x00000004: {"tobi": False},
    0x00000008: {"kan_dora": KanDora.AT_ONCE},
    0x00000020: {"kan_dora": KanDora.NONE, "closed_kan_dora_at_once": False},
    0x00000040: {"ura_dora": False, "kan_ura": False},
    0x00000080: {"kan_ura": False},
    0x00000100: {"four_winds": False},
    0x00000200: {"four_kans": False},
    0x00000400: {"four_riichi": False},
    0x00000800: {"kyuushu_kyuuhai": False},
    0x00001000: {"triple_ron_aborts": False},
    0x00002000: {"multiple_ron": 1},
    0x00004000: {"dealer_stops_leading": False},
    0x00008000: {"dealer_stops_tenpai": False},
    0x00020000: {"dealer_repeats_tenpai": False},
    0x00080000: {"ippatsu": False},
    0x00200000: {"extension": False},
    0x01000000: {"renhou": True},
    0x02000000: {"riichi_least_tiles": 1},
    0x04000000: {"riichi_kan_keeps_sets": True},
    0x08000000: {"karaten_is_tenpai": False},
}
#: Bits of the first word for three players alone.
_SANMA: Final[dict[int, dict[str, Any]]] = {0x00400000: {"kita": False}, 0x00800000: {"tsumo_loss": False}}
_SECOND: Final[dict[int, dict[str, Any]]] = {
    0x00000001: {"double_wind_fu": 2},
    0x00000002: {"ties_share_uma": True},
    0x00000004: {"first_takes_deposits": False},
    0x00000008: {"pao_kans": True},
    0x00000010: {"counted_yakuman": False},
}
#: Beginning of a note (`RiichiGame.notes`) on a rule that the engine does not support.
UNSUPPORTED: Final = "rule of the lobby that is not supported: "
#: Bits of the first word that the engine does not support, in words.
_UNSUPPORTED_BITS: Final = {
    0x00000010: "no dora",
    0x00010000: "no repeated deal after a win",
    0x00100000: "two round winds at a time",
}
#: Parts of ``csrule``: points at the start, to win, those over which results count, and to end a game at once.
_START, _TARGET, _RESULTS_FROM, _CEILING = 4, 5, 6, 7
#: … value of a riichi stick and of a honba; what noten seats pay to one, two and three that are tenpai.
_STICK, _HONBA, _NOTEN = 10, 11, (16, 17, 18)
#: Most parts that are kept, and most letters of a part: Tenhou's have 45 and 12.
_MOST_PARTS, _LONGEST_PART = 60, 20
#: … uma of the second to the last, by the number of seats with less than the points at the start, from none to all.
_UMA: Final = 21


def apply_lobby(game: RiichiGame) -> None:
    """Give a game the rules of its lobby (`RiichiGame.flags` and ``custom``); unsupported ones are noted."""
    csrule = parts_of(game.custom).get("csrule", [])
    if game.flags is None or not any(csrule):
        return
    base = rules_of_flags(game.flags, f"{game.ref} {game.source}")
    changes: dict[str, Any] = {}
    first, second = _word(csrule, 0), _word(csrule, 1)
    for bits, known in ((first, _FIRST), (first, _SANMA if base.players == 3 else {}), (second, _SECOND)):
        for bit, values in known.items():
            changes |= values if bits & bit else {}
    unsupported = [words for bit, words in _UNSUPPORTED_BITS.items() if first & bit]
    changes |= dict(_amounts(csrule, base))
    unsupported += _unsupported_amounts(csrule, base.players)
    rules = replace(base, **changes)
    game.rules = base if rules == base else replace(rules, name=f"{base.name}-lobby")
    for words in unsupported:
        game.note(UNSUPPORTED + words)


def parts_of(custom: str) -> dict[str, list[str]]:
    """Return the parts of ``rule`` and ``csrule`` in the text of a lobby's rules (`RiichiGame.custom`).

    >>> parts_of("rule=,,0009;csrule=00000002,,")
    {'rule': ['', '', '0009'], 'csrule': ['00000002', '', '']}
    """
    return {name: value.split(",") for name, value in re.findall(r"(?:^|;)(rule|csrule)=([^;]*)", custom)}


def custom_of(rule: Any, csrule: Any) -> str:
    """Return the text of a lobby's rules from its two parts: lists, or texts with commas; other values are left out.

    >>> custom_of(["", "", "0009"], "00000002,,")
    'rule=,,0009;csrule=00000002,,'
    """
    parts = {
        name: [str(part)[:_LONGEST_PART] for part in (value if isinstance(value, list) else value.split(","))]
        for name, value in (("rule", rule), ("csrule", csrule))
        if isinstance(value, str | list)
    }
    texts = {name: ",".join(value[:_MOST_PARTS]).replace(";", "") for name, value in parts.items()}
    return ";".join(f"{name}={text}" for name, text in texts.items() if text.strip(","))


def type_of(rule: Sequence[str]) -> int | None:
    """Return the type of a game from the parts of ``rule``; None if they do not hold it.

    >>> type_of(["", "", "000b"]), type_of(["", "", "000B", "0"]), type_of(["x"])
    (11, 11, None)
    """
    text = str(rule[2]) if len(rule) > 2 else ""
    return int(text, 16) if re.fullmatch("(?:0x)?[0-9a-fA-F]{1,4}", text) else None


def _word(csrule: Sequence[str], place: int) -> int:
    text = csrule[place] if place < len(csrule) else ""
    return int(text, 16) if re.fullmatch("[0-9a-fA-F]{1,8}", text) else 0


def _number(csrule: Sequence[str], place: int) -> int:
    """Return an amount; 0 if it is empty or none."""
    text = csrule[place].strip() if place < len(csrule) else ""
    return int(text) if re.fullmatch("-?[0-9]{1,6}", text) else 0


def _amounts(csrule: Sequence[str], base: Rules) -> Iterator[tuple[str, Any]]:
    """Yield the fields of `Rules` that are amounts, as far as a lobby changes them."""
    players = base.players
    start, results_from = _number(csrule, _START) or base.start, _number(csrule, _RESULTS_FROM)
    if all(points % 100 == 0 and points >= 0 for points in (start, results_from, _number(csrule, _TARGET))):
        yield "start", start
        yield "target", _number(csrule, _TARGET) or base.target
        yield "results_from", results_from
        yield "oka", max(0, players * ((results_from or base.target) - start))
    honba = _number(csrule, _HONBA)
    if honba > 0 and honba % 100 == 0:
        yield "honba_each", honba
        yield "honba_ron", honba * (players - 1)
    noten = _number(csrule, _NOTEN[0]) * (players - 1)
    if noten > 0 and noten % (600 if players == 4 else 200) == 0:
        yield "noten_payment", noten
    if any(csrule[_UMA : _UMA + 15]):
        yield from _uma(csrule, players)


def _uma(csrule: Sequence[str], players: int) -> Iterator[tuple[str, Any]]:
    def row(below: int) -> tuple[int, ...]:
        others = [1000 * _number(csrule, _UMA + 3 * below + place) for place in range(players - 1)]
        return (-sum(others), *others)

    if players == 3:
        yield "uma", row(1)
        return
    yield "uma", row(2)
    for name, below in (("uma_one_above", 3), ("uma_three_above", 1)):
        if row(below) != row(2):
            yield name, row(below)


def _unsupported_amounts(csrule: Sequence[str], players: int) -> Iterator[str]:
    if _number(csrule, _CEILING) > 0:
        yield f"the game ends at {_number(csrule, _CEILING)} points"
    if _number(csrule, _STICK) not in (0, 1000):
        yield f"a riichi stick of {_number(csrule, _STICK)} points"
    paid = tuple(_number(csrule, place) for place in _NOTEN[: players - 1])
    shared = tuple(paid[0] * (players - 1) // noten for noten in range(players - 1, 0, -1))
    if any(paid) and paid != shared:
        yield f"payments of {', '.join(map(str, paid))} points by noten seats"
