"""Records of Sichuan games: a small format of JSON lines, and replay that checks every move and payment.

A game is one line that says what is played and by whom, then one line a hand::

    {"format": "janshi-sichuan", "version": 1, "rules": {"name": "sichuan"}, "names": ["a", "b", "c", "d"]}
    {"dealer": 0, "points": [0, 0, 0, 0], "wall": "1m4p…", "events": [["void", 0, "m", null], …], "end": [3, -1, -2, 0]}

``rules`` holds the name and every field that differs from `janshi.sichuan.rules.Rules`. Events are those of
`janshi.sichuan.state.Event`, in lower case, each with its three numbers; tiles and suits are text. Several games may
follow each other. See docs/sichuan.md.

>>> game = play_random_game("sichuan", seed=1)
>>> read_sichuan(write_sichuan(game)) == [game], replay_sichuan(game).mismatches
(True, [])
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Final

import numpy as np

from janshi.core.errors import RuleError
from janshi.records.formats import RecordError, RecordFormat, text_of
from janshi.records.recorder import Mismatch, Replayed
from janshi.sichuan.actions import Action, action_text
from janshi.sichuan.rules import AfterWins, Exchange, GoldenWait, PassedWin, Rules
from janshi.sichuan.state import TILES, Event, Phase
from janshi.table import Table
from janshi.tiles import TileError, parse_tiles, tile_text

FORMAT: Final = "janshi-sichuan"
VERSION: Final = 1
_SUITS: Final = "mps"
_NAMES: Final = {event: event.name.lower().replace("_", " ") for event in Event}
_EVENTS: Final = {name: event for event, name in _NAMES.items()}
_ENUMS: Final[dict[str, type[IntEnum]]] = {
    "exchange": Exchange,
    "golden_wait_form": GoldenWait,
    "passed_win": PassedWin,
    "after_wins": AfterWins,
}
_OWN: Final = {Event.DISCARD: 0, Event.CONCEALED_KONG: int(Action.OWN_KONG), Event.ADDED_KONG: int(Action.OWN_KONG)}
_CALLS: Final = {Event.PUNG: int(Action.PUNG), Event.EXPOSED_KONG: int(Action.EXPOSED_KONG)}

#: One event: an `Event` and its three numbers.
Row = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class SichuanHand:
    """One hand of a record."""

    dealer: int
    points: tuple[int, ...]
    """Points of the seats at the deal."""
    wall: tuple[int, ...]
    """Kinds in the order of `janshi.sichuan.state.State.wall`."""
    events: tuple[Row, ...]
    end: tuple[int, ...]
    """Points after the hand."""


@dataclass(slots=True)
class SichuanGame:
    """One game of a record."""

    rules: Rules
    names: list[str]
    hands: list[SichuanHand] = field(default_factory=list)
    source: str = field(default="", compare=False)
    """Where it was read, for messages."""


# ---------------------------------------------------------------------------------------------------------
# Recording and writing


def record_sichuan_hand(state: Any) -> SichuanHand:
    """Return the hand that is over at a table, from its record (`janshi.sichuan.state.State`)."""
    rows = state["log"].reshape(-1, 4)[: int(state["logged"])].tolist()
    return SichuanHand(
        dealer=int(state["dealer"]),
        points=tuple(state["before"].tolist()),
        wall=tuple(state["wall"].tolist()),
        events=tuple((event, first, second, third) for event, first, second, third in rows),
        end=tuple(state["seats"]["points"].tolist()),
    )


class SichuanRecording:
    """Records a game that begins at a table, hand by hand: see `janshi.records.recorder.Recording`."""

    def __init__(self, rules: Rules, names: Sequence[str], source: str = "", lobby: str = "") -> None:
        self._rules, self._names = rules, list(names)
        self.source, self.lobby = source, lobby
        self.hands: list[SichuanHand] = []
        self._over = False

    def add_hand(self, state: Any) -> None:
        """Record the hand that is over at the table."""
        self.hands = [*([] if self._over else self.hands), record_sichuan_hand(state)]
        self._over = int(state["phase"]) == Phase.GAME_OVER

    def game(self) -> SichuanGame:
        """Return the record of the hands so far."""
        return SichuanGame(self._rules, self._names, list(self.hands), self.source)


def play_random_game(rules: str, seed: int) -> SichuanGame:
    """Return the record of a game in which every action is the legal one of a random number: for examples and tests."""
    table = Table(rules, seed)
    random = np.random.default_rng(seed)
    game = SichuanGame(table.rules, ["a", "b", "c", "d"])
    while True:
        while not table.hand_over:
            table.act(int(random.choice(table.legal)))
        game.hands.append(record_sichuan_hand(table.record))
        if table.over:
            return game
        table.next_hand()


def _rules_json(rules: Rules) -> dict[str, Any]:
    usual = Rules(name=rules.name)
    values: dict[str, Any] = {"name": rules.name}
    for each in dataclasses.fields(rules):
        value = getattr(rules, each.name)
        if value != getattr(usual, each.name):
            values[each.name] = value.name.lower() if isinstance(value, IntEnum) else value
    return values


def _event_json(row: Row) -> list[Any]:
    event, first, second, third = row
    name = _NAMES[Event(event)]
    if event >= Event.WIN_PAY:
        return [name, first, second, third]
    if event == Event.VOID:
        return [name, first, _SUITS[second], tile_text(third) if third >= 0 else None]
    return [name, first, tile_text(second), third]


def write_sichuan(game: SichuanGame) -> str:
    """Return a game as lines of JSON."""
    lines = [{"format": FORMAT, "version": VERSION, "rules": _rules_json(game.rules), "names": game.names}]
    for hand in game.hands:
        lines.append(
            {
                "dealer": hand.dealer,
                "points": list(hand.points),
                "wall": "".join(tile_text(tile) for tile in hand.wall),
                "events": [_event_json(row) for row in hand.events],
                "end": list(hand.end),
            }
        )
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


# ---------------------------------------------------------------------------------------------------------
# Reading


def is_sichuan(start: str) -> bool:
    """Whether a text, or its beginning, is a record of this format.

    >>> is_sichuan('{"format": "janshi-sichuan", "version": 1}')
    True
    """
    lines = start.lstrip().splitlines()
    return bool(lines) and lines[0].startswith("{") and f'"{FORMAT}"' in lines[0] and '"format"' in lines[0]


def read_sichuan(text: str, name: str = "") -> list[SichuanGame]:
    """Return the games of a record. Raises `RecordError` in one line for what is none, with the hand where it is."""
    games: list[SichuanGame] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            raise RecordError(f"line {number} is no JSON", name) from None
        if not isinstance(value, dict):
            raise RecordError(f"line {number} is no object", name)
        if "format" in value:
            games.append(_read_header(value, name if not games else f"{name}#{len(games) + 1}"))
        elif not games:
            raise RecordError(f"line {number}: a record begins with a line that holds format and rules", name)
        else:
            game = games[-1]
            game.hands.append(_read_hand(value, game.source, len(game.hands) + 1))
    if not games:
        raise RecordError("empty", name)
    return games


def _read_header(value: dict[str, Any], source: str) -> SichuanGame:
    if value["format"] != FORMAT or value.get("version") != VERSION:
        raise RecordError(f"{value['format']!r} version {value.get('version')!r}: {FORMAT} {VERSION} is read", source)
    names = value.get("names")
    if not isinstance(names, list) or len(names) != 4 or not all(isinstance(name, str) for name in names):
        raise RecordError("names are four texts", source)
    return SichuanGame(_read_rules(value.get("rules"), source), names, source=source)


def _read_rules(value: Any, source: str) -> Rules:
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        raise RecordError("rules are an object with a name", source)
    known = {each.name for each in dataclasses.fields(Rules)}
    if unknown := sorted(set(value) - known):
        raise RecordError(f"rules: no field {unknown[0]!r}", source)
    values = dict(value)
    for name, kind in _ENUMS.items():
        if name in values:
            if not isinstance(values[name], str) or values[name].upper() not in kind.__members__:
                raise RecordError(f"rules: {name} is none of {', '.join(kind.__members__).lower()}", source)
            values[name] = kind[values[name].upper()]
    try:
        return Rules(**values)
    except RuleError as error:
        raise RecordError(str(error), source) from None


def _read_hand(value: dict[str, Any], source: str, number: int) -> SichuanHand:
    points, end = value.get("points"), value.get("end")
    for what, numbers in (("points", points), ("end", end)):
        if not isinstance(numbers, list) or len(numbers) != 4 or not all(_is_number(each) for each in numbers):
            raise RecordError(f"{what} are four whole numbers", source, number)
    dealer, wall, events = value.get("dealer"), value.get("wall"), value.get("events")
    if not _is_number(dealer) or not 0 <= int(dealer or 0) <= 3:
        raise RecordError("dealer is a seat, 0 to 3", source, number)
    if not isinstance(wall, str) or len(wall) != 2 * TILES:
        raise RecordError(f"wall is a text of {TILES} tiles", source, number)
    if not isinstance(events, list):
        raise RecordError("events are a list", source, number)
    tiles = [_read_tile(wall[place : place + 2], source, number, None) for place in range(0, 2 * TILES, 2)]
    if sorted(tiles) != sorted(list(range(27)) * 4):
        raise RecordError("the wall does not hold each tile four times", source, number)
    rows = [_read_event(event, source, number, place) for place, event in enumerate(events, start=1)]
    return SichuanHand(int(dealer or 0), tuple(points or ()), tuple(tiles), tuple(rows), tuple(end or ()))


def _is_number(value: Any) -> bool:
    return type(value) is int and abs(value) < 1 << 31


def _read_tile(value: Any, source: str, hand: int, event: int | None) -> int:
    try:
        tiles = parse_tiles(value) if isinstance(value, str) else []
    except TileError:
        tiles = []
    if len(tiles) != 1 or tiles[0] >= 27:
        raise RecordError(f"{value!r} is no tile", source, hand, event)
    return int(tiles[0])


def _read_event(value: Any, source: str, hand: int, place: int) -> Row:
    if not isinstance(value, list) or len(value) != 4 or value[0] not in _EVENTS or not _is_number(value[1]):
        raise RecordError("an event is a name and three values, the first of them a seat", source, hand, place)
    event = _EVENTS[value[0]]
    second, third = value[2], value[3]
    if event == Event.VOID:
        if second not in ("m", "p", "s"):
            raise RecordError(f"{second!r} is no suit", source, hand, place)
        laid = -1 if third is None else _read_tile(third, source, hand, place)
        return int(event), value[1], _SUITS.index(second), laid
    if not _is_number(third):
        raise RecordError("the last value of an event is a whole number", source, hand, place)
    if event < Event.WIN_PAY:
        return int(event), value[1], _read_tile(second, source, hand, place), third
    if not _is_number(second):
        raise RecordError("a payment goes from a seat to a seat", source, hand, place)
    return int(event), value[1], second, third


# ---------------------------------------------------------------------------------------------------------
# Replay


def replay_sichuan(game: SichuanGame) -> Replayed:
    """Play a game through the engine, every hand from its wall; say where engine and record disagree.

    Compared are dealers, points, and every event: draws, moves, wins and payments. After the first disagreement the
    rest of the game is left out.
    """
    done = Replayed(game.source)
    if not game.hands:
        done.mismatches.append(Mismatch(game.source, 1, None, "hands", "at least one", "none"))
        return done
    table = Table(game.rules, wall=list(game.hands[0].wall))
    for number, hand in enumerate(game.hands, start=1):
        if number > 1:
            if table.over:
                done.mismatches.append(Mismatch(game.source, number, None, "end of the game", "over", "goes on"))
                return done
            table.next_hand(list(hand.wall))
        mismatch = _replay_hand(table, hand, Mismatch(game.source, number, None, "", "", ""), done)
        if mismatch is not None:
            done.mismatches.append(mismatch)
            return done
        done.hands += 1
        done.walls += 1
    if not table.over:
        done.mismatches.append(Mismatch(game.source, len(game.hands), None, "end of the game", "goes on", "over"))
    return done


def _replay_hand(table: Table, hand: SichuanHand, where: Mismatch, done: Replayed) -> Mismatch | None:
    """Play one hand; return the first disagreement."""
    if table.rules.exchange == Exchange.DICE:
        table.record["rules"]["exchange"] = _thrown(hand)
    for what, ours, theirs in (
        ("dealer", int(table.record["dealer"]), hand.dealer),
        ("points", tuple(table.scores), hand.points),
    ):
        if ours != theirs:
            return dataclasses.replace(where, what=what, engine=str(ours), record=str(theirs))
    while not table.hand_over:
        if (wrong := _compare(table, hand, where)) is not None:
            return wrong
        action = _next_action(table, hand.events)
        place = len(_log(table)) + 1
        if action is None or action not in table.legal:
            able = ", ".join(action_text(legal) for legal in table.legal)
            row = _event_text(hand.events, place - 1)
            return dataclasses.replace(where, event=place, what=f"seat {table.actor} decides", engine=able, record=row)
        table.act(action)
        done.decisions += 1
    if (wrong := _compare(table, hand, where)) is not None:
        return wrong
    ours, theirs = len(_log(table)), len(hand.events)
    if ours != theirs:
        engine = _event_text(_log(table), theirs)
        return dataclasses.replace(
            where, event=min(ours, theirs) + 1, what="event", engine=engine, record=_event_text(hand.events, ours)
        )
    if tuple(table.scores) != hand.end:
        return dataclasses.replace(where, what="points", engine=str(tuple(table.scores)), record=str(hand.end))
    return None


def _thrown(hand: SichuanHand) -> int:
    """What the dice of the exchange have thrown, by the tiles given."""
    seats_on = [(third - first) % 4 for event, first, _, third in hand.events if event == Event.GIVE]
    return seats_on[0] if seats_on and seats_on[0] else int(Exchange.NEXT)


def _log(table: Table) -> list[Row]:
    rows = table.record["log"].reshape(-1, 4)[: int(table.record["logged"])].tolist()
    return [(event, first, second, third) for event, first, second, third in rows]


def _event_text(events: Sequence[Row], place: int) -> str:
    return json.dumps(_event_json(events[place])) if 0 <= place < len(events) else "the end of the hand"


def _compare(table: Table, hand: SichuanHand, where: Mismatch) -> Mismatch | None:
    """The first event in which the engine differs from the record so far."""
    log = _log(table)
    if log == list(hand.events[: len(log)]):
        return None
    place = next(
        (number for number, (ours, theirs) in enumerate(zip(log, hand.events, strict=False)) if ours != theirs),
        min(len(log), len(hand.events)),
    )
    engine, record = _event_text(log, place), _event_text(hand.events, place)
    return dataclasses.replace(where, event=place + 1, what="event", engine=engine, record=record)


def _next_action(table: Table, events: Sequence[Row]) -> int | None:
    """What the record lets the actor do; None where it has nothing that could be."""
    state = table.state
    coming = events[int(state.logged) :]
    actor, phase = table.actor, int(state.phase)
    if phase == Phase.EXCHANGE:
        given = int((np.asarray(state.hands[actor].given) >= 0).sum())
        rows = [tile for event, seat, tile, _ in coming if event == Event.GIVE and seat == actor]
        return rows[given] if given < len(rows) else None
    if phase == Phase.CLAIM:
        return _answer(coming, actor, int(state.turn))
    if not coming or coming[0][1] != actor:
        return None
    event, _, second, third = coming[0]
    if phase == Phase.VOID:
        return (third if third >= 0 else Action.VOID + second) if event == Event.VOID else None
    if event == Event.WIN:
        return int(Action.WIN)
    return _OWN[Event(event)] + second if event in _OWN else None


def _answer(coming: Sequence[Row], actor: int, turn: int) -> int:
    """What a seat has answered about a tile of another's: its win or call, else a pass."""
    winners = []
    for event, seat, _, discarder in coming:
        if event == Event.WIN and discarder == turn:
            winners.append(seat)
        elif event != Event.WIN_PAY:
            break
    if actor in winners:
        return int(Action.WIN)
    if not winners and coming and coming[0][0] in _CALLS and coming[0][1] == actor:
        return _CALLS[Event(coming[0][0])]
    return int(Action.PASS)


SICHUAN_FORMAT: Final = RecordFormat(
    name=FORMAT,
    game="sichuan",
    suffixes=(".jsonl",),
    detect=lambda data, start: is_sichuan(start),
    read=lambda data, name: iter(read_sichuan(text_of(data, name), name)),
    write=lambda games: ["".join(map(write_sichuan, games))],
)
