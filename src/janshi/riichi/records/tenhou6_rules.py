"""Rules of a record of tenhou.net/6: its type at Tenhou, the table's name, a lobby's rules, red fives and length.

``rule`` is an object with the table's name (``disp``) and the numbers of red fives (``aka``, or ``aka51`` to
``aka53``), or, of a tournament lobby, a list or text: see `janshi.riichi.records.lobby`. Converters of other sites
write their own names of tables, such as ``玉の間南喰赤`` or ``Jade Room South``.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from janshi.records.formats import RecordError
from janshi.riichi.records.lobby import custom_of, parts_of, type_of
from janshi.riichi.records.model import (
    EAST_SOUTH,
    FAST,
    HUMAN,
    NO_OPEN_TANYAO,
    NO_RED,
    PARLOUR,
    PARLOUR_CHIPS,
    SANMA,
    SPECIAL_ROOM,
    UPPER_ROOM,
    rules_of_flags,
)
from janshi.riichi.rules import MAHJONG_SOUL, MAHJONG_SOUL_SANMA, Length, RuleError, Rules, preset

_ROOMS: Final = {"般": 0, "上": UPPER_ROOM, "特": SPECIAL_ROOM, "鳳": UPPER_ROOM | SPECIAL_ROOM}
#: Rooms of Mahjong Soul in converted records (ranked, of friends, tournaments), and its names of records.
_SOUL: Final = re.compile(
    "[銅铜銀银金玉]の?間|王座|[铜银金玉]之?间|友人[戦场]|大会[戦场]|^mahjong-soul|雀魂|"
    "(?:bronze|silver|gold|jade|throne) room|mahjong ?soul|friendly|tournament",
    re.IGNORECASE,
)
UUID: Final = re.compile("[0-9]{6}-[0-9a-z]{8}-[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{12}")
#: Tenhou's name of a record, with the type of the game.
_REF: Final = re.compile(r"\d{10}gm-([0-9a-f]{4})-\d{4,8}-")
_DISP: Final = re.compile("([三四]?)([般上特鳳])([東南])(喰?)(赤?)(速?)")
#: Parlour tables: their names, the rooms that these are, and the chips.
_PARLOURS: Final = {"若": 0, "銀": UPPER_ROOM, "琥": SPECIAL_ROOM, "孔": UPPER_ROOM | SPECIAL_ROOM}
_CHIPS: Final = {"0": PARLOUR, "2": PARLOUR_CHIPS, "5": PARLOUR | PARLOUR_CHIPS}
_PARLOUR_DISP: Final = re.compile("([三四])([若銀琥孔])(東速|南)祝([025])")
#: Names of lengths; the first that occurs in the name of a table decides.
_LENGTHS: Final = (
    (Length.EAST_SOUTH, re.compile("東南|东南|南|半荘|半庄|south|hanchan|tonnansen", re.IGNORECASE)),
    (Length.EAST, re.compile("東|东|east|tonpuu|tonpu", re.IGNORECASE)),
    (Length.SINGLE_HAND, re.compile("一局|single hand|one hand", re.IGNORECASE)),
)
_ENDINGS: Final = {Length.SINGLE_HAND: "-hand", Length.EAST: "-east", Length.EAST_SOUTH: ""}
_RED: Final = re.compile(r"\b5[123]\b|[a-z](?:\d\d)*5[123]")


@dataclass(frozen=True, slots=True)
class NamedRules:
    """Rules as far as a record names them."""

    flags: int | None  # Tenhou's type of game
    rules: Rules
    length: bool  # whether the record says the length
    custom: str = ""  # the rules of a lobby: see `janshi.riichi.records.model.RiichiGame.custom`


def rules_of_record(record: dict[str, Any], players: int, source: str) -> NamedRules:
    """Return the rules that a record names by ``rule``, ``csrule`` or Tenhou's name of it.

    Raises `RecordError` for a type of game whose rules are not known here.
    """
    rule, name = record.get("rule"), f"{record.get('ref') or ''} {source}"
    custom = custom_of(rule if isinstance(rule, list) or "," in str(rule) else "", record.get("csrule"))
    flags = type_of(parts_of(custom).get("rule", []))
    if flags is None and isinstance(rule, str):
        flags = type_of(["", "", rule.strip()])
    if flags is not None and bool(flags & SANMA) == (players == 3):
        return NamedRules(flags, rules_of_flags(flags, name), True, custom)
    disp = rule.get("disp", "") if isinstance(rule, dict) else rule if isinstance(rule, str) else ""
    flags, rules = rules_of_disp(str(disp), players, name)
    length = length_of(str(disp))
    if flags is not None or length is None:
        return NamedRules(flags, rules, flags is not None or rules.name == disp, custom)
    if length != rules.length:
        rules = replace(rules, length=length, name=rules.name + _ENDINGS[length])
    return NamedRules(None, rules, True, custom)


def rules_of_disp(disp: str, players: int, name: str = "") -> tuple[int | None, Rules]:
    """Return Tenhou's type of game and the rules named by ``rule.disp``; ``name`` is the record's.

    The type is None where neither text names one: the rules are then a preset of that name, Mahjong Soul's or Tenhou's.
    """
    flags = _flags_of_disp(unicodedata.normalize("NFKC", disp).replace(" ", ""), players)
    if flags is not None:
        return flags, rules_of_flags(flags, name)
    try:
        rules = preset(disp)
        if rules.players == players:
            return None, rules
    except RuleError:
        pass
    if _SOUL.search(disp) or UUID.match(name):  # a room of Mahjong Soul, in a converted record
        return None, MAHJONG_SOUL_SANMA if players == 3 else MAHJONG_SOUL
    ref = _REF.search(name)
    flags = int(ref[1], 16) if ref else None
    if flags is not None and bool(flags & SANMA) == (players == 3):
        try:
            return flags, rules_of_flags(flags, name)
        except RecordError:
            pass
    return None, rules_of_flags(EAST_SOUTH | (SANMA if players == 3 else 0), name)


def _flags_of_disp(disp: str, players: int) -> int | None:
    match = _DISP.search(disp)
    if match and (match[1] == "三") == (players == 3):
        _, room, length, open_tanyao, red, fast = match.groups()
        flags = HUMAN | _ROOMS[room] | (SANMA if players == 3 else 0)
        flags |= EAST_SOUTH if length == "南" else 0
        flags |= 0 if open_tanyao else NO_OPEN_TANYAO
        flags |= 0 if red else NO_RED
        return flags | (FAST if fast else 0)
    match = _PARLOUR_DISP.fullmatch(disp)
    if match and (match[1] == "三") == (players == 3):
        flags = HUMAN | _PARLOURS[match[2]] | _CHIPS[match[4]]
        return flags | (SANMA if players == 3 else 0) | (EAST_SOUTH if match[3] == "南" else 0)
    return None


def disp_of_flags(flags: int) -> str:
    """Return Tenhou's name of a table of a type."""
    if flags & (PARLOUR | PARLOUR_CHIPS):
        chips = next(letter for letter, bits in _CHIPS.items() if bits == flags & (PARLOUR | PARLOUR_CHIPS))
        parlour = next(name for name, bits in _PARLOURS.items() if bits == flags & (UPPER_ROOM | SPECIAL_ROOM))
        length = "南" if flags & EAST_SOUTH else "東速"
        return f"{'三' if flags & SANMA else '四'}{parlour}{length}祝{chips}"
    rooms = {bits: name for name, bits in _ROOMS.items()}
    text = "三" if flags & SANMA else ""
    text += rooms[flags & (UPPER_ROOM | SPECIAL_ROOM)]
    text += "南" if flags & EAST_SOUTH else "東"
    text += "" if flags & NO_OPEN_TANYAO else "喰"
    text += "" if flags & NO_RED else "赤"
    return text + ("速" if flags & FAST else "")


def length_of(disp: str) -> Length | None:
    """Return the length that the name of a table says, None if it says none.

    >>> length_of("Jade Room East").name, length_of("玉の間南喰赤").name, length_of("League")
    ('EAST', 'EAST_SOUTH', None)
    """
    return next((length for length, words in _LENGTHS if words.search(disp)), None)


def red_fives_of(rule: Any, logs: Sequence[Any], players: int, rules: Rules) -> tuple[int, int, int]:
    """Return the red fives of man, pin and sou: as ``rule`` numbers them, else the rules' if any is seen."""
    numbers = [rule.get(f"aka{suit}") for suit in (51, 52, 53)] if isinstance(rule, dict) else []
    reds = [number if type(number) is int else 0 for number in numbers]
    if isinstance(rule, dict) and not any(number is not None for number in numbers) and type(rule.get("aka")) is int:
        reds = [min(rule["aka"], 1)] * 3
    elif not any(number is not None for number in numbers):
        reds = list(rules.red_fives) if shows_reds(logs) else [0, 0, 0]
    return (0 if players == 3 else reds[0], reds[1], reds[2])


def shows_reds(logs: Sequence[Any]) -> bool:
    """Return whether a red five occurs among the tiles of hands."""
    tiles = [log[2:-1] for log in logs if isinstance(log, list)]
    return _RED.search(json.dumps(tiles)) is not None


def without_reds(log: Any) -> Any:
    """Return a hand with plain fives in place of red ones.

    >>> without_reds([51, ["c155213", "r53"], "51符"])
    [15, ['c152513', 'r35'], '51符']
    """
    if isinstance(log, list):
        return [without_reds(each) for each in log]
    if type(log) is int and 51 <= log <= 53:
        return 10 * (log - 50) + 5
    if isinstance(log, str) and re.fullmatch("(?:[cpmkafr]|[0-9]{2})+", log):
        return re.sub("[0-9]{2}", lambda tile: str(without_reds(int(tile[0]))), log)
    return log
