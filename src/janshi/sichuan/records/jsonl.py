"""Records of Sichuan games: a small format of JSON lines, and replay that checks every move and payment.

A game is one line with rules and players, then one line a hand::

    {"format": "janshi-sichuan", "version": 1, "rules": {"name": "sichuan"}, "names": ["a", "b", "c", "d"]}
    {"dealer": 0, "points": [0, 0, 0, 0], "wall": "1m4p…", "events": [["void", 0, "m", null], …], "end": [3, -1, -2, 0]}

``rules`` holds the name and every field that differs from the defaults of `janshi.sichuan.rules.Rules`. Events are
those of `janshi.sichuan.state.Event` in lower case with their three numbers; tiles and suits are text. A file may hold
several games. See docs/sichuan-records.md.

>>> game = play_random_game("sichuan", seed=1)
>>> read_sichuan(write_sichuan(game)) == [game], replay_sichuan(game).mismatches
(True, [])
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import row, zeros
from janshi.core.errors import RuleError
from janshi.core.shanten_tables import ShantenTables
from janshi.records.formats import RecordError, RecordFormat, Remarks, lines_of, text_of
from janshi.records.recorder import Mismatch, Replayed
from janshi.sichuan.actions import action_text
from janshi.sichuan.play.steps import begin_hand
from janshi.sichuan.records.replay import HandReplay, replay_hands
from janshi.sichuan.rules import Rules
from janshi.sichuan.state import KINDS, TILES, Event, Phase
from janshi.table import Table
from janshi.tiles import TileError, parse_tiles, tile_text

FORMAT: Final = "janshi-sichuan"
VERSION: Final = 1
_SUITS: Final = "mps"
_NAMES: Final = {event: event.name.lower().replace("_", " ") for event in Event}
_EVENTS: Final = {name: event for event, name in _NAMES.items()}

#: One event: an `Event` and its three numbers.
Row = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class SichuanHandRecord:
    """One hand of a record."""

    dealer: int
    points: tuple[int, ...]  # points of the seats at the deal
    wall: tuple[int, ...]  # kinds in the order of `janshi.sichuan.state.State.wall`
    events: tuple[Row, ...]
    end: tuple[int, ...]  # points after the hand


@dataclass(slots=True)
class SichuanGame:
    """One game of a record."""

    rules: Rules
    names: list[str]
    hands: list[SichuanHandRecord] = field(default_factory=list)
    hands_before: int = 0  # hands of the game before the first one recorded
    source: str = field(default="", compare=False)  # where it was read, for messages

    @property
    def remarks(self) -> Remarks:
        """What is said of the game beside its play: nothing."""
        return Remarks()


# ---------------------------------------------------------------------------------------------------------
# Recording and writing


def rows_of(state: Any) -> tuple[Row, ...]:
    """Return the events of the hand at a table (a `janshi.sichuan.state.State`)."""
    rows = state["log"].reshape(-1, 4)[: int(state["logged"])].tolist()
    return tuple((event, first, second, third) for event, first, second, third in rows)


class SichuanRecording:
    """Records a game that begins at a table, hand by hand: see `janshi.records.recorder.Recording`."""

    def __init__(self, rules: Rules, names: Sequence[str], source: str = "", lobby: str = "") -> None:
        self._rules, self._names = rules, list(names)
        self.source, self.lobby = source, lobby
        self.hands: list[SichuanHandRecord] = []
        self._begun = 0  # hands of the game up to the last one recorded
        self._over = False

    def begin_hand(self, scores: list[int], deposits: int) -> None:
        """Do nothing: a table keeps the points before its hand."""

    def add_hand(self, state: Any) -> None:
        """Record the hand that is over at the table."""
        hand = SichuanHandRecord(
            dealer=int(state["dealer"]),
            points=tuple(state["before"].tolist()),
            wall=tuple(state["wall"].tolist()),
            events=rows_of(state),
            end=tuple(state["seats"]["points"].tolist()),
        )
        self.hands = [*([] if self._over else self.hands), hand]
        self._begun = int(state["hand_number"]) + 1
        self._over = int(state["phase"]) == Phase.GAME_OVER

    def game(self) -> SichuanGame:
        """Return the record of the hands so far."""
        before = self._begun - len(self.hands)
        return SichuanGame(self._rules, self._names, list(self.hands), before, self.source)


def play_random_game(rules: str | Rules, seed: int) -> SichuanGame:
    """Return the record of a game of random legal actions, for examples and tests."""
    table = Table(rules, seed)
    random = np.random.default_rng(seed)
    recording = SichuanRecording(table.rules, ["a", "b", "c", "d"])
    while True:
        while not table.hand_over:
            table.act(int(random.choice(table.legal)))
        recording.add_hand(table.record)
        if table.over:
            return recording.game()
        table.next_hand()


def _rules_json(rules: Rules) -> dict[str, Any]:
    usual = dataclasses.asdict(Rules(name=rules.name))
    changed = {name: value for name, value in dataclasses.asdict(rules).items() if value != usual[name]}
    texts = {name: value.name.lower() if isinstance(value, IntEnum) else value for name, value in changed.items()}
    return {"name": rules.name, **texts}


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
    header = {"format": FORMAT, "version": VERSION, "rules": _rules_json(game.rules), "names": game.names}
    lines = [header | {"hands_before": game.hands_before} if game.hands_before else header]
    for hand in game.hands:
        texts = {"wall": "".join(map(tile_text, hand.wall)), "events": list(map(_event_json, hand.events))}
        lines.append({**dataclasses.asdict(hand), **texts})
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


# ---------------------------------------------------------------------------------------------------------
# Reading


def is_sichuan(start: str) -> bool:
    """Return whether a text, or its beginning, is a record of this format.

    >>> is_sichuan('{"format": "janshi-sichuan", "version": 1}')
    True
    """
    first = start.lstrip().partition("\n")[0]
    return first.startswith("{") and '"format"' in first and f'"{FORMAT}"' in first


def read_sichuan(text: str, name: str = "") -> list[SichuanGame]:
    """Return the games of a record. Raises `RecordError` with the hand and event of the fault."""
    games: list[SichuanGame] = []
    for number, line in enumerate(lines_of(text), start=1):
        if not line.strip():
            continue
        source, hand = name, None
        try:
            value = _read_line(line, number)
            if "format" in value:
                source = name if not games else f"{name}#{len(games) + 1}"
                games.append(_read_header(value, source))
            elif not games:
                raise RecordError(f"line {number}: a record must begin with a line with format and rules")
            else:
                source, hand = games[-1].source, len(games[-1].hands) + 1
                games[-1].hands.append(_read_hand(value))
        except RecordError as error:
            raise error.at(source, hand) from None
    if not games:
        raise RecordError("empty", name)
    return games


def _read_line(line: str, number: int) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        raise RecordError(f"line {number} is not valid JSON") from None
    if not isinstance(value, dict):
        raise RecordError(f"line {number} is not an object")
    return value


def _read_header(value: dict[str, Any], source: str) -> SichuanGame:
    if value["format"] != FORMAT or value.get("version") != VERSION:
        raise RecordError(f"{value['format']!r} version {value.get('version')!r}: {FORMAT} {VERSION} is read")
    names = value.get("names")
    if not isinstance(names, list) or len(names) != 4 or not all(isinstance(name, str) for name in names):
        raise RecordError("names must be four strings")
    rules, before = _read_rules(value.get("rules")), value.get("hands_before", 0)
    if not _is_number(before) or not 0 <= before < rules.hands:
        raise RecordError("hands_before is a number of hands, less than those of a game")
    return SichuanGame(rules, names, hands_before=before, source=source)


def _read_rules(value: Any) -> Rules:
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        raise RecordError("rules must be an object with a name")
    defaults: dict[str, Any] = {each.name: each.default for each in dataclasses.fields(Rules)}
    if unknown := sorted(set(value) - set(defaults)):
        raise RecordError(f"rules: no field {unknown[0]!r}")
    values = dict(value)
    for name in values:
        if isinstance(defaults[name], IntEnum):
            choices = {choice.name.lower(): choice for choice in type(defaults[name])}
            if values[name] not in list(choices):
                raise RecordError(f"rules: {name} must be one of {', '.join(choices)}")
            values[name] = choices[values[name]]
    try:
        return Rules(**values)
    except RuleError as error:
        raise RecordError(str(error)) from None


def _is_number(value: Any) -> bool:
    return type(value) is int and abs(value) < 1 << 31


def _are_points(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 4 and all(map(_is_number, value))


#: Checks of the fields of a hand, with their requirements in words.
_FIELDS: Final[dict[str, tuple[Callable[[Any], bool], str]]] = {
    "points": (_are_points, "are four whole numbers"),
    "end": (_are_points, "are four whole numbers"),
    "dealer": (lambda value: _is_number(value) and 0 <= value <= 3, "is a seat, 0 to 3"),
    "wall": (lambda value: isinstance(value, str) and len(value) == 2 * TILES, f"is a text of {TILES} tiles"),
    "events": (lambda value: isinstance(value, list), "are a list"),
}


def _read_hand(value: dict[str, Any]) -> SichuanHandRecord:
    for name, (fits, words) in _FIELDS.items():
        if not fits(value.get(name)):
            raise RecordError(f"{name} {words}")
    tiles = [_read_tile(value["wall"][place : place + 2]) for place in range(0, 2 * TILES, 2)]
    if sorted(tiles) != sorted(list(range(KINDS)) * 4):
        raise RecordError("the wall must contain each tile four times")
    rows = []
    for number, event in enumerate(value["events"], start=1):
        try:
            rows.append(_read_event(event))
        except RecordError as error:
            raise error.at(event=number) from None
    return SichuanHandRecord(value["dealer"], tuple(value["points"]), tuple(tiles), tuple(rows), tuple(value["end"]))


def _read_tile(value: Any) -> int:
    try:
        tiles = parse_tiles(value) if isinstance(value, str) else []
    except TileError:
        tiles = []
    if len(tiles) != 1 or tiles[0] >= KINDS:
        raise RecordError(f"{value!r} is not a tile")
    return int(tiles[0])


def _read_event(value: Any) -> Row:
    fits = isinstance(value, list) and len(value) == 4 and isinstance(value[0], str)
    if not fits or value[0] not in _EVENTS or not _is_number(value[1]):
        raise RecordError("an event must be a name and three values, the first of them a seat")
    event = _EVENTS[value[0]]
    second, third = value[2], value[3]
    if event == Event.VOID:
        if second not in list(_SUITS):
            raise RecordError(f"{second!r} is not a suit")
        return int(event), value[1], _SUITS.index(second), -1 if third is None else _read_tile(third)
    if not _is_number(third):
        raise RecordError("the last value of an event must be an integer")
    if event < Event.WIN_PAY:
        return int(event), value[1], _read_tile(second), third
    if not _is_number(second):
        raise RecordError("a payment must have two seats")
    return int(event), value[1], second, third


# ---------------------------------------------------------------------------------------------------------
# Replay


def table_of_hand(
    rules: Rules, before: int, dealer: int, points: Sequence[int], wall: Sequence[int], seed: int = 0
) -> Table:
    """Return a table at the first decision of a hand.

    ``before``: hands of the game before this one; without any, dealer and points are those of the rules. ``seed``
    determines the walls of the hands to come.
    """
    table = Table(rules, seed, wall=list(wall))
    if before:
        record = table.record
        record["hand_number"], record["dealer"], record["seats"]["points"] = before, dealer, points
        begin_hand(table.state, row(ShantenTables.shared()))
    return table


def replay_sichuan(game: SichuanGame) -> Replayed:
    """Replay a game, every hand from its wall; return the differences between engine and record.

    Dealers, points and every event (draws, moves, wins, payments) are compared, up to the first difference.
    """
    return replay_watched(game, lambda table, action: None)


def replay_watched(game: SichuanGame, watch: Callable[[Table, int], None]) -> Replayed:
    """Replay a game as `replay_sichuan` does; ``watch`` is called before each action, and with −1 after each hand."""
    done = Replayed(game.source)
    done.mismatches += _disagreements(game, done, watch)
    return done


def _disagreements(game: SichuanGame, done: Replayed, watch: Callable[[Table, int], None]) -> Iterator[Mismatch]:
    """Yield the first difference, if any."""
    if not game.hands:
        yield Mismatch(game.source, 1, None, "hands", "at least one", "none")
        return
    first = game.hands[0]
    table = table_of_hand(game.rules, game.hands_before, first.dealer, first.points, first.wall)
    for number, hand in enumerate(game.hands, start=1):
        if number > 1 and table.over:
            yield Mismatch(game.source, number, None, "end of the game", "over", "goes on", sequel=True)
            return
        if number > 1:
            table.next_hand(list(hand.wall))
        if (wrong := _replay_hand(table, hand, done, watch)) is not None:
            event, what, engine, record = wrong
            yield Mismatch(game.source, number, event, what, engine, record)
            return
        done.hands += 1
        done.walls += 1
    if not table.over:
        yield Mismatch(game.source, len(game.hands), None, "end of the game", "goes on", "over", sequel=True)


def _replay_hand(
    table: Table, hand: SichuanHandRecord, done: Replayed, watch: Callable[[Table, int], None]
) -> tuple[int | None, str, str, str] | None:
    """Play one hand; return the first difference: event, subject, the engine's version, the record's."""
    record = table.record
    record["rules"]["exchange"] = table.rules.exchange
    dealer, points = int(record["dealer"]), tuple(table.scores)
    if dealer != hand.dealer:
        return None, "dealer", str(dealer), str(hand.dealer)
    if points != hand.points:
        return None, "points", str(points), str(hand.points)
    played, replay = np.array([record]), cast("NDArray[Any]", zeros(HandReplay, 1))
    replay_hands(played, np.array([hand.events], np.int32).reshape(1, -1, 4), replay)
    record["rules"]["exchange"] = played["rules"]["exchange"][0]
    for action in replay["actions"][0, : int(replay["decisions"][0])].tolist():
        watch(table, action)
        table.act(action)
        done.decisions += 1
    watch(table, -1)
    place, ours = int(replay["alike"][0]), rows_of(record)
    text = _event_text(hand.events, place)
    if place < len(ours) or (table.hand_over and place < len(hand.events)):
        return place + 1, "event", _event_text(ours, place), text
    if not table.hand_over:
        able = ", ".join(action_text(legal) for legal in table.legal)
        return place + 1, f"seat {table.actor} decides", able, text
    points = tuple(table.scores)
    return None if points == hand.end else (None, "points", str(points), str(hand.end))


def _event_text(events: Sequence[Row], place: int) -> str:
    return json.dumps(_event_json(events[place])) if place < len(events) else "the end of the hand"


SICHUAN_FORMAT: Final = RecordFormat(
    name=FORMAT,
    game="sichuan",
    suffixes=(".jsonl",),
    detect=lambda data, start: is_sichuan(start),
    read=lambda data, name: iter(read_sichuan(text_of(data, name), name)),
    write=lambda games: ["".join(map(write_sichuan, games))],
)
