"""Claims about a game as rows of ``tests/vectors``: a hand that is played, and what follows.

A row has the name of its claim, what `Words.table` needs to lay a table, the moves (``play``) and what it expects.
``play`` is a text of moves ``seat:action`` between spaces, or a list of such texts and of what is expected at that
moment. Who is asked about a tile first, passes. Other moves: ``pass`` (all pass), ``first`` and ``last`` (actions),
``next`` (hand), and the game's own. ``set`` changes fields of the table's record. ``why`` explains.

``cases`` repeats a row: its first text names columns, the others have a value for each ``{column}`` of the row, where
``-`` is nothing and a comma a space; a case may be a list of values, too. What a row can expect:

* ``actor``, ``legal`` (every legal action), ``may`` and ``not`` (some that are legal or not; ``1:ron`` for seat 1),
* ``over`` (the game), ``hand_over``, ``scores``; ``reason``, ``change``, ``winners``, ``discarder`` of the result,
* the facts of a `Words`, such as ``yaku``, or ``choice efficient``; of an object those that it names,
* fields of the table's record: ``left``, ``seats.1.calls``, ``seats.*.riichi`` (of every seat). Tiles and members of
  enumerations are texts.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum, IntEnum, IntFlag
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from janshi.games import rules_of
from janshi.table import Table
from janshi.tiles import format_tiles, parse_tiles, tile_text

VECTORS = Path(__file__).parent / "vectors"
Row = dict[str, Any]


@lru_cache
def rows(name: str) -> list[Row]:
    """Return the rows of a file."""
    found: list[Row] = json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))
    return found


def claims(name: str) -> list[Any]:
    """Return the rows of a file as parameters of a test, one for each case, with their claims as ids."""
    return [
        pytest.param(filled(row, case), id=" ".join([row["claim"], *map(str, case.values())]))
        for row in rows(name)
        for case in _cases(row)
    ]


def cases_of(name: str, claim: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Return the columns and the cases of a row, for `pytest.mark.parametrize`."""
    (row,) = (row for row in rows(name) if row["claim"] == claim)
    return row["cases"][0].split(), [tuple(case.values()) for case in _cases(row)]


def _cases(row: Row) -> Iterable[dict[str, Any]]:
    columns, *cases = row.get("cases", ["", ""])
    for case in cases:
        values = [_value(text) for text in case.split()] if isinstance(case, str) else case
        yield dict(zip(columns.split(), values, strict=True))


def _value(text: str) -> Any:
    if text.startswith("[") or text.lstrip("-").isdigit() or text in ("true", "false"):
        return json.loads(text)
    return "" if text == "-" else text.replace(",", " ")


def filled(value: Any, case: Mapping[str, Any]) -> Any:
    """Return a value with those of a case for its columns."""
    if isinstance(value, dict):
        return {filled(key, case): filled(each, case) for key, each in value.items() if key not in ("cases", "why")}
    if isinstance(value, list):
        return [filled(each, case) for each in value]
    if isinstance(value, str):
        for column, each in case.items():
            if value == f"{{{column}}}":
                return each
            value = value.replace(f"{{{column}}}", each if isinstance(each, str) else json.dumps(each))
    return value


def rules_in(text: str) -> Any:
    """Return rules by their name and changes: ``tenhou tobi=false length=EAST``."""
    name, *changes = text.split()
    rules = rules_of(name)
    for change in changes:
        changed, _, value = change.partition("=")
        usual = getattr(rules, changed)
        new = type(usual)[value] if isinstance(usual, Enum) else json.loads(value)
        rules = dataclasses.replace(rules, **{changed: tuple(new) if isinstance(new, list) else new})
    return rules


@dataclass(frozen=True)
class Words:
    """How the rows of a game are read."""

    table: Callable[[Row], Table]
    """Lay the table of a row."""
    action: Callable[[int, Table], str]
    """Return the word of an action."""
    claim: int
    """The phase in which seats are asked about a tile."""
    moves: Mapping[str, Callable[[Table, str], object]] = field(default_factory=dict)
    """Moves of the game's own, by the word before ``:``; they get the table and the text behind."""
    facts: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    """What rows may expect besides fields, by the first word; a fact gets the table and the other words."""
    enums: Mapping[str, type[IntEnum | IntFlag]] = field(default_factory=dict)
    """Enumerations of fields, by the name of the field."""
    tiles: frozenset[str] = frozenset()
    """Fields that are a tile."""
    masks: frozenset[str] = frozenset()
    """Fields that are a set of kinds."""

    def check(self, row: Row) -> Table:
        """Play a row, check what it expects, and return the table."""
        table = self.table(row)
        self.change(table, row.get("set", {}))
        play = row.get("play", "")
        for step in [play] if isinstance(play, str) else play:
            if isinstance(step, str):
                self.play(table, step)
            else:
                self.change(table, step.get("set", {}))
                self._expect(table, step)
        self._expect(table, row)
        return table

    def play(self, table: Table, moves: str) -> None:
        """Make moves at a table."""
        for move in moves.split():
            who, _, what = move.partition(":")
            if who == "pass":
                while self._asked(table):
                    table.act(self.legal(table)["pass"])
            elif who == "next":
                table.next_hand()
            elif who in ("first", "last"):
                table.act(table.legal[0 if who == "first" else -1])
            elif who in self.moves:
                self.moves[who](table, what)
            else:
                self._act(table, int(who), what)

    def legal(self, table: Table) -> dict[str, int]:
        """Return the legal actions by their words."""
        return {self.action(action, table): action for action in table.legal}

    def _asked(self, table: Table) -> bool:
        return not table.hand_over and int(table.state.phase) == self.claim

    def _act(self, table: Table, seat: int, what: str) -> None:
        """Let a seat act after those that are asked before it; a discard is the tile just drawn if it can be."""
        while True:
            legal = self.legal(table)
            if "drawn" in legal and tile_text(int(table.state.drawn)) == what:
                legal[what] = legal["drawn"]
            if table.actor == seat and what in legal:
                table.act(legal[what])
                return
            assert self._asked(table), f"{seat}:{what} is not legal, but {table.actor}:{' '.join(legal)}"
            table.act(legal["pass"])

    def _expect(self, table: Table, row: Row) -> None:
        for name, value in row.items():
            if name not in ("claim", "rules", "play", "set") and (row.get("claim") is None or name not in _LAID):
                assert self._fact(table, name, value) == value, name

    def _fact(self, table: Table, name: str, expected: Any) -> Any:
        fact, _, of = name.partition(" ")
        if fact in self.facts:
            value = self.facts[fact](table, *([of] if of else []))
            return {each: value[each] for each in expected} if isinstance(expected, dict) else value
        if name in ("actor", "over", "hand_over", "scores"):
            return getattr(table, name)
        if name in ("reason", "change", "winners", "discarder"):
            value = getattr(table.result, name)
            return list(value) if isinstance(value, tuple) else value
        legal = self.legal(table)
        if name == "legal":
            return " ".join(legal)
        if name in ("may", "not"):
            words = expected.split()
            known = [word for word in words if word.rpartition(":")[0] in ("", str(table.actor))]
            offered = [word for word in known if word.rpartition(":")[2] in legal]
            return " ".join(offered if name == "may" else [word for word in words if word not in offered])
        if "*" in name:
            return [self._field(table, name.replace("*", str(seat)), each) for seat, each in enumerate(expected)]
        return self._field(table, name, expected)

    def _field(self, table: Table, path: str, expected: Any) -> Any:
        """Return a field of the record by its path, a text where the row has one."""
        value: Any = table.state
        for part in path.removeprefix("state.").split("."):
            value = value[int(part)] if part.isdigit() else getattr(value, part)
        if getattr(value, "shape", ()):
            return value.tolist()
        number, name = int(value), next(part for part in reversed(path.split(".")) if not part.isdigit())
        if not isinstance(expected, str):
            return number
        if name in self.masks:
            return format_tiles(kind for kind in range(34) if number >> kind & 1)
        if name == "marks":
            return "|".join(flag.name for flag in self.enums[name] if flag & number)
        if name in self.enums:
            return self.enums[name](number).name
        assert name in self.tiles, f"{name} is no tile"
        return "" if number == -1 else tile_text(number)

    def change(self, table: Table, values: Row) -> None:
        """Change fields of a table's record."""
        for path, value in values.items():
            *way, last = ["seats", path] if path == "points" else path.split(".")
            place: Any = table.record
            for part in way:
                place = place[int(part)] if part.isdigit() else place[part]
            if isinstance(value, list):
                place[last][: len(value)] = value
            else:
                number = parse_tiles(value)[0] if isinstance(value, str) else value
                place[int(last) if last.isdigit() else last] = number


#: What a row says about its table.
_LAID = frozenset({"deals", "draws", "dora", "ura", "replacements", "last", "wall", "voids"})
