"""The JSON of tenhou.net/6, Tenhou's viewer and editor of records.

A game is an object whose ``log`` holds one list per hand: ``[[round, honba, sticks], scores, dora, ura, then deal,
takes and discards of each seat, result]``. Takes and discards stand per seat; how they interleave must be found: a
call says by the place of its letter whom it is from, and where several discards fit, the one is right with
which every list is used up.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final
from urllib.parse import quote, unquote

import numpy as np

from janshi.compiling import zeros
from janshi.records.formats import RecordError, RecordFormat, json_values, lines_of, read_each, reading, text_of
from janshi.riichi.hands.yaku import YAKU
from janshi.riichi.records.builder import HandBuilder, Start, finish_game
from janshi.riichi.records.building import DrawnTile
from janshi.riichi.records.extras import FIELD, add_game_extras, add_hand_extras, game_extras, hand_extras
from janshi.riichi.records.lobby import apply_lobby
from janshi.riichi.records.model import (
    COLUMNS,
    WRONG_RESULT,
    Drawn,
    Limit,
    RecordedHand,
    RecordedWin,
    RiichiGame,
    flags_of,
    row_of,
    rules_of_flags,
)
from janshi.riichi.records.ordering import FAULTS, PATIENCE, Ordering, order_rows
from janshi.riichi.records.tenhou6_result import (
    ALL_TENPAI,
    LIMITS,
    NOBODY_TENPAI,
    REASON_NAMES,
    ending_named,
    labels_of,
    value_of,
)
from janshi.riichi.records.tenhou6_rules import (
    disp_of_flags,
    red_fives_of,
    rules_of_record,
    shows_reds,
    without_reds,
)
from janshi.riichi.rules import KanDora, Rules
from janshi.riichi.state import Ending, Event
from janshi.tiles import from_tenhou, tile_of_id, to_tenhou

_DAN: Final = (
    *("新人", "９級", "８級", "７級", "６級", "５級", "４級", "３級", "２級", "１級"),
    *("初段", "二段", "三段", "四段", "五段", "六段", "七段", "八段", "九段", "十段", "天鳳位"),
)

_LOG_ADDRESS: Final = re.compile(r"[?&]log=(\d{10}gm-[0-9a-f]{4}-[0-9]{4,8}-x?[0-9a-f]{8,12})(?![0-9a-z])")
_NAMES: Final = tuple(yaku.japanese for yaku in YAKU)
_CALL: Final = re.compile(r"((?:\d\d)*)([cpmkaf])((?:\d\d)+)")
#: Whom a call is from, by the index of its letter (in tiles): counted from the caller in the four-seat ring.
_DISCARDERS: Final = {0: 3, 1: 2, 2: 1, 3: 1}


# ---------------------------------------------------------------------------------------------------------
# Reading


def parse_tenhou6(text: str, source: str = "") -> list[dict[str, Any]]:
    """Return the game objects in a text: one object, a list of them, a JSON line each, or viewer addresses.

    Objects that hold the hands of one game are joined to it. Raises `RecordError` if it is none of these.
    """
    text = text.strip().removeprefix("\ufeff").lstrip()
    if text[:3].upper() in ("%7B", "%5B"):
        text = unquote(text)
    if text[:1] in ("{", "[") and not text.startswith("[InternetShortcut]"):
        values = json_values(text, source)
    elif "json=" in text:
        values = [_of_address(line, source) for line in lines_of(text) if "json=" in line]
    else:
        values = [_of_address(line, source) for line in lines_of(text) if line.strip()]
    games = [game for value in values for game in (value if isinstance(value, list) else [value])]
    for game in games:
        if not isinstance(game, dict) or not isinstance(game.get("log"), list):
            raise RecordError("not a record of tenhou.net/6: it has no list named log", source)
    if not games:
        raise RecordError("the record contains no game", source)
    return _joined(games)


def _joined(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return games with the hands of objects that continue them: of the same players, and of a later deal."""
    games: list[dict[str, Any]] = []
    for record in records:
        before = games[-1] if games else None
        if before is not None and _continues(before, record):
            games[-1] = {**before, **record, "log": [*before["log"], *record["log"]]}
        else:
            games.append(record)
    return games


def _continues(before: dict[str, Any], record: dict[str, Any]) -> bool:
    if any(before.get(name) != record.get(name) for name in ("name", "rule", "csrule", "lobby", "ref")):
        return False
    if not before.get("name") or "sc" in before or FIELD in before or FIELD in record:
        return False
    last, first = (_deal(logs) for logs in (before["log"][-1:], record["log"][:1]))
    return last is not None and first is not None and first > last


def _deal(logs: list[Any]) -> tuple[int, int] | None:
    """Return round and honba of a hand in a list of one, None if it has none."""
    try:
        ((round_, honba, *_), *_) = logs[0]
        return (round_, honba) if type(round_) is type(honba) is int else None
    except (TypeError, ValueError, IndexError):
        return None


def _of_address(line: str, source: str) -> Any:
    _, mark, fragment = line.partition("json=")
    named = _LOG_ADDRESS.search(line)
    if not mark and named is not None:
        where = f"https://tenhou.net/0/log/?{named[1]}"
        raise RecordError(f"the link contains no record: save the page {where} , and use that file", source)
    if not mark and "?log=" in line:
        raise RecordError("the address does not contain the record (only …#json=… does)", source)
    if not mark:
        raise RecordError("neither JSON nor an address of Tenhou's viewer (…#json=…)", source)
    try:
        return json.JSONDecoder().raw_decode(unquote(fragment.strip()).lstrip())[0]
    except (ValueError, RecursionError) as error:
        raise RecordError(f"the address contains no complete JSON ({error})", source) from None


def read_tenhou6(record: dict[str, Any], source: str = "", rules: Rules | None = None) -> RiichiGame:
    """Read one game object, by its own rules or given ones; a hand that cannot be read is cut (`RiichiGame.cut`).

    Raises `RecordError` if no hand can be read, or for a type of game whose rules are not known here.
    """
    with reading(source) as place:
        game = _start(record, source, rules)
        known = _hand_extras(game, record)
        for number, log in enumerate(record["log"], start=1):
            _read_hand(game, number, log, known[number - 1] if known else None)
        place.what = "the record"
        named = rules is not None or game.flags is not None or rules_of_record(record, game.players, source).length
        return _finish(game, record, length_named=named)


def _read_hand(game: RiichiGame, number: int, log: Any, extras: Any) -> None:
    """Add a hand (from 1) to a game; one that cannot be read is cut."""
    try:
        with reading("") as place:
            place.what = "the hand"
            game.hands.append(add_hand_extras(game, _Log(log, game).read(), extras))
    except RecordError as error:
        game.cut_hand(number, error)


def _start(record: dict[str, Any], source: str, rules: Rules | None) -> RiichiGame:
    """Return the game without its hands; ``rules`` are given, or those that the record names."""
    hands = [log for log in record["log"] if isinstance(log, list) and len(log) in (14, 17)]
    players = 3 if hands and all(map(_is_of_three, hands)) else 4
    named = rules_of_record(record, players, source)
    if rules is not None and rules.players != players:
        raise RecordError(f"a game of {players} players, and rules of {rules.players}")
    names = record.get("name")
    game = RiichiGame(
        source=source,
        format="tenhou6",
        players=players,
        rules=rules or named.rules,
        names=[str(name) for name in names] if isinstance(names, list) else [],
        hands=[],
        flags=named.flags,
        lobby="" if record.get("lobby") is None else str(record["lobby"]),
        ref=str(record.get("ref") or ""),
        custom=named.custom,
    )
    _add_players(game, record)
    apply_lobby(game)
    add_game_extras(game, record.get(FIELD))
    if game.flags is not None and game.flags != named.flags and not game.custom:
        # the viewer's name of a table does not tell all types apart
        game.rules = rules_of_flags(game.flags, f"{game.ref} {source}")
    if rules is not None:
        game.rules, game.flags, game.custom = rules, None, ""
    reds = _reds(game, record, given=rules is not None)
    if reds != game.rules.red_fives:
        name = game.rules.name if any(reds) else f"{game.rules.name}-nored"
        game.rules = replace(game.rules, red_fives=reds, name=name)
    return game


def _is_of_three(log: list[Any]) -> bool:
    """Return whether a hand has no fourth seat: its parts are empty, or not there."""
    return len(log) == 14 or (not log[13] and not log[14])


def _reds(game: RiichiGame, record: dict[str, Any], *, given: bool) -> tuple[int, int, int]:
    """Return the red fives: by Tenhou's type or ``given`` rules without any, else as `red_fives_of` finds them."""
    rule, reds = record.get("rule"), game.rules.red_fives
    by_type = game.flags is not None and not isinstance(rule, dict)
    return reds if by_type or (given and not any(reds)) else red_fives_of(rule, record["log"], game.players, game.rules)


def _add_players(game: RiichiGame, record: dict[str, Any]) -> None:
    """Add ranks, rates and sexes, as far as they are what Tenhou writes."""
    players = game.players
    dan, rates, sex = (record.get(name) for name in ("dan", "rate", "sx"))
    if isinstance(dan, list) and len(dan) >= players:
        if all(grade in _DAN for grade in dan[:players]):
            game.dan = [_DAN.index(grade) for grade in dan[:players]]
        else:
            game.ignore("ranks that are none of Tenhou's")
    if isinstance(rates, list):
        try:
            game.rates = [float(rate) for rate in rates[:players]]
        except (TypeError, ValueError, OverflowError):
            game.ignore("rates that are no numbers")
    if isinstance(sex, list):
        game.sex = [str(each) for each in sex[:players]]


def _hand_extras(game: RiichiGame, record: dict[str, Any]) -> list[Any]:
    """Return the record's additional values of each hand; empty if there are none."""
    extras = record.get(FIELD)
    known = extras.get("hands", []) if isinstance(extras, dict) else []
    if not isinstance(known, list) or (known and len(known) != len(record["log"])):
        game.ignore(f"the field {FIELD} of another number of hands than the record")
        return []
    return known


def _finish(game: RiichiGame, record: dict[str, Any], *, length_named: bool) -> RiichiGame:
    final = record.get("sc")
    if isinstance(final, list) and len(final) >= 2 * game.players:
        count = 2 * game.players
        try:
            scores = [int(amount) for amount in final[0:count:2]]
            points = [float(result) for result in final[1:count:2]]
        except (TypeError, ValueError, OverflowError):
            game.ignore(WRONG_RESULT)
        else:
            game.final_scores, game.final_points = scores, points
    return finish_game(game, rules_named=length_named)


_CALLS: Final = {"c": Event.CHII, "p": Event.PON, "m": Event.DAIMINKAN}
_KANS: Final = {"k": Event.KAKAN, "a": Event.ANKAN, "f": Event.KITA}


def _split(text: str) -> tuple[str, int, int, list[int]]:
    """Return the letter of a call, the discarder, the tile after the letter, and the others."""
    match = _CALL.fullmatch(text)
    if match is None:
        raise RecordError(f"invalid call {text!r}")
    before, letter, after = match.groups()
    digits = before + after
    tiles = [from_tenhou(int(digits[at : at + 2])) for at in range(0, len(digits), 2)]
    index = len(before) // 2
    tile = tiles.pop(index)
    return letter, _DISCARDERS.get(index, 0), tile, tiles


def _rows_of(seat: int, takes: list[Any], discards: list[Any]) -> Iterator[tuple[int, ...]]:
    """Yield the rows of a seat as `janshi.riichi.records.ordering.order_rows` takes them."""
    if len(discards) > len(takes):
        raise RecordError(f"{len(discards)} discards after {len(takes)} tiles taken")
    for index, take in enumerate(takes):
        call = Event.DRAW
        if isinstance(take, str) and not take.isdigit():
            letter, discarder, tile, own = _split(take)
            if letter not in _CALLS:
                raise RecordError(f"invalid entry {take!r} among the takes")
            call = _CALLS[letter]
            yield row_of(call, seat, tile, (seat + discarder) % 4, *own[:4])
        else:
            yield row_of(call, seat, from_tenhou(int(take)))
        if index >= len(discards):
            continue
        if call != Event.DAIMINKAN:
            yield _act(seat, discards[index])
        elif discards[index] != 0:
            raise RecordError(f"{discards[index]!r} is discarded after an open kan before the replacement draw")


def _act(seat: int, entry: Any) -> tuple[int, ...]:
    """Return the row of an entry among the discards; of a discard, column 5 is 1 where riichi is declared."""
    riichi = isinstance(entry, str) and entry[:1] == "r"
    if isinstance(entry, str) and not riichi and not entry.isdigit():
        letter, _, tile, others = _split(entry)
        if letter not in _KANS:
            raise RecordError(f"invalid entry {entry!r} among the discards")
        return row_of(_KANS[letter], seat, tile, -1, *([*others[:3], tile] if letter == "a" else []))
    number = int(entry[1:] if riichi else entry)
    drawn = number == 60
    tile = -1 if drawn else from_tenhou(number)
    return row_of(Event.DISCARD, seat, tile, -1, int(DrawnTile.YES if drawn else DrawnTile.NO), int(riichi))


def _whole(value: Any, what: str) -> int:
    """Return a value that must be a number without a fraction."""
    if type(value) is not int:
        raise RecordError(f"{value!r} is not a number {what}")
    return value


class _Log:
    """Reader of one hand."""

    def __init__(self, log: list[Any], game: RiichiGame) -> None:
        players = game.players
        self.players, self.rules, self.game = players, game.rules, game
        if not isinstance(log, list) or len(log) not in (17, 8 + 3 * players - 3):
            entries = f"{len(log)} entries" if isinstance(log, list) else "no entries"
            raise RecordError(f"the hand has {entries}, not 17")
        if not any(game.rules.red_fives) and shows_reds([log]):
            log = without_reds(log)
            game.ignore("red fives in a hand of a game without")
        counts, scores, dora, ura = log[:4]
        round_, honba, deposits = (_whole(number, "of a round, honba or stick") for number in counts)
        self.dealer = round_ % 4
        if not 0 <= round_ < 16 or self.dealer >= players:
            raise RecordError(f"round {round_} has no dealer among {players} players")
        start = Start(round_, self.dealer, honba, deposits, [int(points) for points in scores[:players]])
        if not dora:
            raise RecordError("no dora indicator")
        self.dora = [from_tenhou(int(number)) for number in dora]
        self.ura = [from_tenhou(int(number)) for number in ura]
        deal = [[from_tenhou(int(number)) for number in log[4 + 3 * seat]] for seat in range(players)]
        self.hand = HandBuilder(self.rules.red_fives, deal, self.dora[0], start)
        parts = [_rows_of(seat, log[5 + 3 * seat], log[6 + 3 * seat]) for seat in range(players)]
        self.rows = np.array([row for part in parts for row in part], np.int16).reshape(-1, COLUMNS)
        self.result = log[-1]
        if not isinstance(self.result, list) or not self.result:
            raise RecordError("the hand has no result")
        ending = ending_named(self.result[0])
        if ending is None:
            raise RecordError(f"unknown result {str(self.result[0])[:40]!r}: the hand counts as cut")
        self.ending = ending
        self.wins = list(zip(self.result[1::2], self.result[2::2], strict=False)) if ending == Ending.RON else []
        if ending == Ending.RON and (not self.wins or len(self.result) % 2 == 0):
            raise RecordError("winners and payments are not in pairs")

    def read(self) -> RecordedHand:
        hand = self.hand
        ordering: Any = zeros(Ordering, 1)
        ordering["players"], ordering["dealer"] = self.players, self.dealer
        ordering["at_once"] = self.rules.kan_dora == KanDora.AT_ONCE
        ordering["ending"] = int(self.ending)
        ordering["winner"], ordering["discarder"] = self.wins[0][1][:2] if self.wins else (-1, -1)
        ordered = np.zeros((3 * len(self.rows) + 10, COLUMNS), np.int16)
        count = order_rows(ordering, self.rows, np.array(self.dora, np.int16), PATIENCE, ordered)
        if count < 0:
            raise RecordError(FAULTS[-1 - count])
        try:
            hand.add_rows(ordered[:count])
        except RecordError as error:
            raise error.at(event=len(hand.rows) + 1) from None
        shown = ordering["shown"].item()
        if shown != len(self.dora):
            raise RecordError(f"{len(self.dora)} dora indicators in the list, {shown} turned over")
        self.end(hand)
        return hand.finish()

    def end(self, hand: HandBuilder) -> None:
        if self.ending != Ending.RON:
            self.end_drawn(hand)
            return
        hand.ura(self.ura)
        for payments, detail in self.wins:
            deltas = tuple(int(amount) for amount in payments[: self.players])
            who, from_who, *others = (_whole(seat, "of a seat") for seat in detail[:3])
            labels = labels_of(detail[4:], (who - self.dealer) % self.players, hand.start.round // 4)
            for _ in range(labels.unknown):
                self.game.ignore("unknown name of a yaku")
            value = value_of(detail[3], self.players, who == from_who) if len(detail) > 3 else None
            if value is None:
                points = hand.value(self.rules, who, from_who, deltas)
                value = -1, points, hand.limit(points, who, from_who)
                if len(detail) > 3 and detail[3]:
                    self.game.ignore("value of a win that is no number of points")
            hand.win(
                who,
                from_who,
                pao=others[0] if others and others[0] != who else None,
                han=labels.han,
                fu=value[0],
                points=value[1],
                limit=value[2],
                yaku=labels.yaku,
                yakuman=labels.yakuman,
                deltas=deltas,
            )

    def end_drawn(self, hand: HandBuilder) -> None:
        """End a hand without a winner; an early end without its reason gets the one that the hand shows."""
        amounts = self.result[1] if len(self.result) > 1 and isinstance(self.result[1], list) else []
        deltas = tuple(int(amount) for amount in amounts[: self.players]) or (0,) * self.players
        reason = self.ending
        if reason == Ending.EXHAUSTIVE and not any(deltas):
            early = hand.inferred_reason(deltas)
            reason = early if early in _EARLY else reason
        shown = None
        if reason == Ending.EXHAUSTIVE and self.result[0] in (ALL_TENPAI, NOBODY_TENPAI):
            shown = tuple(range(self.players)) if self.result[0] == ALL_TENPAI else ()
        hand.end_drawn(reason, deltas, shown)


#: Reasons of a draw that a hand itself shows.
_EARLY: Final = (Ending.KYUUSHU_KYUUHAI, Ending.FOUR_RIICHI, Ending.FOUR_KANS)


# ---------------------------------------------------------------------------------------------------------
# Writing


def write_tenhou6(game: RiichiGame, *, extras: bool = True) -> dict[str, Any]:
    """Return a game as an object of tenhou.net/6. Raises `RecordError` for an inconsistent hand.

    ``extras``: with all that the format has no field for (`janshi.riichi.records.extras`).
    """
    flags = flags_of(game)
    reds = game.rules.red_fives
    # The viewer has one name for fast and ordinary parlour tables of East only.
    named = game.rules.name.startswith("tenhou") and "-start30" not in game.rules.name
    tenhou = game.flags is not None or named
    record: dict[str, Any] = {"title": ["", ""], "name": _padded(game.names, ""), "ver": 2.3, "ref": game.ref}
    record["rule"] = {
        "disp": disp_of_flags(flags) if tenhou else game.rules.name,
        "aka53": reds[2],
        "aka52": reds[1],
        "aka51": reds[0],
    }
    record["lobby"] = int(game.lobby) if re.fullmatch("[0-9]{1,9}", game.lobby) else game.lobby
    if game.dan is not None and all(0 <= grade < len(_DAN) for grade in game.dan):
        record["dan"] = _padded([_DAN[grade] for grade in game.dan], _DAN[0])
    if game.rates is not None:
        record["rate"] = _padded(game.rates, 0.0)
    if game.sex is not None:
        record["sx"] = _padded(game.sex, "C")
    # A name of Tenhou's cannot say that a game is one hand: with a result it would claim to have ended there.
    if game.final_scores is not None and game.final_points is not None and not (tenhou and game.is_single_hand):
        pairs = list(zip(game.final_scores, game.final_points, strict=True))
        record["sc"] = [value for pair in _padded(pairs, (0, 0.0)) for value in pair]
    record["log"] = []
    for number, hand in enumerate(game.hands, start=1):
        try:
            record["log"].append(_write_hand(game, hand))
        except RecordError as error:
            raise error.at(game.source, number) from None
    if extras:
        known = game_extras(game, without=_OWN)
        of_hands = [hand_extras(hand, outcome=True) for hand in game.hands]
        if any(of_hands):
            known["hands"] = of_hands
        if known:
            record[FIELD] = known
    return record


def write_tenhou6_text(games: Sequence[RiichiGame]) -> str:
    """Return games as JSON text: an object for one, a list of objects for several."""
    records = [write_tenhou6(game) for game in games]
    return _text(records[0] if len(records) == 1 else records)


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def viewer_address(game: RiichiGame) -> str:
    """Return the address that shows a game in Tenhou's viewer."""
    return "https://tenhou.net/6/#json=" + quote(_text(write_tenhou6(game, extras=False)))


def _padded(values: Sequence[Any], absent: Any) -> list[Any]:
    return [*values, *[absent] * (4 - len(values))]


#: Fields of `RiichiGame` that the format has itself.
_OWN: Final = ("ref", "lobby", "dan", "rates", "sex")


def _write_hand(game: RiichiGame, hand: RecordedHand) -> list[Any]:
    reds = game.rules.red_fives

    def shown(identity: int) -> int:
        return to_tenhou(tile_of_id(identity, reds))

    takes: list[list[int | str]] = [[] for _ in range(4)]
    discards: list[list[int | str]] = [[] for _ in range(4)]
    indicators = [shown(hand.dora)]
    riichi = False
    calls: dict[tuple[int, int], tuple[int, int, list[int]]] = {}  # pons by seat and kind, for kans added to them
    for event, seat, tile, from_who, *own in hand.events.tolist():
        ids = [identity for identity in own if identity >= 0]
        if event == Event.DRAW:
            takes[seat].append(shown(tile))
        elif event == Event.DISCARD:
            number = 60 if own[0] == 1 else shown(tile)
            discards[seat].append(f"r{number}" if riichi else number)
            riichi = False
        elif event == Event.DORA:
            indicators.append(shown(tile))
        elif event == Event.RIICHI:
            riichi = True
        elif event in (Event.CHII, Event.PON, Event.DAIMINKAN):
            discarder = (from_who - seat) % 4
            laid = sorted((shown(identity) for identity in ids), key=_in_hand)
            calls[seat, tile // 4] = (shown(tile), discarder, laid)
            takes[seat].append(_call_text("cpm"[event - Event.CHII], discarder, [shown(tile)], laid))
            if event == Event.DAIMINKAN:
                discards[seat].append(0)
        elif event == Event.KAKAN:
            if (seat, tile // 4) not in calls:
                raise RecordError(f"seat {seat} adds tile {tile} to a missing pon")
            called, discarder, laid = calls[seat, tile // 4]
            discards[seat].append(_call_text("k", discarder, [shown(tile), called], laid))
        elif event == Event.ANKAN:
            laid = sorted((shown(identity) for identity in ids), key=_in_hand)
            discards[seat].append("".join(map(str, laid[:3])) + f"a{laid[3]}")
        elif event == Event.KITA:
            discards[seat].append(f"f{shown(tile)}")
    ura: list[int] = []
    if isinstance(hand.outcome, list):
        ura = max(([shown(identity) for identity in win.ura] for win in hand.outcome), key=len, default=[])
    log: list[Any] = [[hand.round, hand.honba, hand.deposits], _padded(hand.scores, 0), indicators, ura]
    for seat in range(4):
        deal = [shown(identity) for identity in hand.deal[seat].tolist()] if seat < game.players else []
        log += [sorted(deal, key=_in_hand), takes[seat], discards[seat]]
    log.append(_write_result(game, hand))
    return log


def _in_hand(number: int) -> float:
    """Return the key that sorts Tenhou's numbers as its records do: a red five after the plain ones."""
    return 10 * (number - 50) + 5.5 if number > 50 else number


def _call_text(letter: str, discarder: int, marked: Sequence[int], own: Sequence[int]) -> str:
    """Return the text of a call: the position of the letter and called tile shows the discarder's seat."""
    before = {3: 0, 2: 1, 1: len(own)}[discarder]
    texts = [str(number) for number in own]
    return "".join(texts[:before]) + letter + "".join(map(str, marked)) + "".join(texts[before:])


def _write_result(game: RiichiGame, hand: RecordedHand) -> list[Any]:
    outcome = hand.outcome
    if isinstance(outcome, Drawn):
        deltas = _padded(outcome.deltas, 0)
        if outcome.reason == Ending.EXHAUSTIVE and not any(deltas) and outcome.shown is not None:
            return [ALL_TENPAI if outcome.shown else NOBODY_TENPAI]
        name = REASON_NAMES[outcome.reason]
        paid = outcome.reason in (Ending.EXHAUSTIVE, Ending.NAGASHI_MANGAN)
        return [name, deltas] if paid else [name]
    result: list[Any] = ["和了"]
    for win in outcome:
        yaku = [f"{_NAMES[number]}({han}飜)" for number, han in win.yaku]
        yaku += [f"{_NAMES[number]}(役満)" for number in win.yakuman]
        pao = win.who if win.pao is None else win.pao
        value = _value_text(win, hand.dealer, game.players)
        result += [_padded(win.deltas, 0), [win.who, win.from_who, pao, value, *yaku]]
    return result


def _value_text(win: RecordedWin, dealer: int, players: int) -> str:
    start = LIMITS[win.limit]
    if win.limit == Limit.NONE and win.fu >= 0 and win.han:
        start = f"{win.fu}符{win.han}飜"
    if win.who != win.from_who:
        return f"{start}{win.points}点"
    if win.who == dealer:
        return f"{start}{win.points // (players - 1)}点∀"
    # The dealer pays twice the share of the others, or 100 less where both were rounded up.
    share = (win.points + 100) // (100 * (4 if players == 4 else 3)) * 100
    return f"{start}{share}-{win.points - (players - 2) * share}点"


def read_tenhou6_text(text: str, source: str = "") -> Iterator[RiichiGame]:
    """Read all games in a text (see `parse_tenhou6`). Raises `RecordError` at the first damaged one."""
    for record in parse_tenhou6(text, source):
        yield read_tenhou6(record, source)


#: Accepts every record that no other format recognizes; its reader reports the fault.
FORMAT: Final = RecordFormat(
    name="tenhou6",
    game="riichi",
    suffixes=(".json",),
    detect=lambda data, start: True,
    read=lambda data, name: read_each(parse_tenhou6(text_of(data, name), name), read_tenhou6, name),
    read_by=lambda data, name, rules: read_each(
        parse_tenhou6(text_of(data, name), name), partial(read_tenhou6, rules=rules), name
    ),
    write=lambda games: [write_tenhou6_text(games)],
)
