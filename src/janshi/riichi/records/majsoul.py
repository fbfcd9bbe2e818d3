"""Records of Mahjong Soul: JSON as its site, userscripts and converters give it, and the bytes of its protocol.

A game is a list of messages (``RecordNewRound``, ``RecordDiscardTile``, …), in the record of the site or
bare. Tiles are ``1m`` to ``7z`` with ``0m``, ``0p`` and ``0s`` for red fives, seats count from the first dealer of the
game; fields that hold 0, false or nothing may be absent. A hand's wall (``paishan``) is in most records.

The format is not documented; this module follows public programs that read it.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from janshi.records.formats import (
    RecordError,
    RecordFormat,
    UnsupportedError,
    json_values,
    read_each,
    reading,
    text_of,
)
from janshi.riichi.hands.scoring import basic_points
from janshi.riichi.hands.yaku import YAKU, YAKUMAN
from janshi.riichi.records.builder import STICK, HandBuilder, Start, finish_game
from janshi.riichi.records.building import DrawnTile, Turned
from janshi.riichi.records.majsoul_rules import EVENT_RECORDS, RANKED, event_of_start, rules_of_head
from janshi.riichi.records.majsoul_wire import is_wire, parse_wire
from janshi.riichi.records.model import WRONG_WALL, Drawn, Limit, RiichiGame, limit_of_basic
from janshi.riichi.records.walls import wall_of_tiles
from janshi.riichi.rules import Rules, preset
from janshi.riichi.rules.yaku import DORA, YakuId
from janshi.riichi.state import Ending, Event
from janshi.tiles import NORTH, TileError, format_tiles, parse_tiles

if TYPE_CHECKING:
    from janshi.riichi.rules.record import RulesRecord

#: Mahjong Soul's numbers of the yaku (``fans``) by ours.
FANS: Final = {int(number): YAKU[number].soul for number in YakuId if YAKU[number].soul}
SEAT_WIND_FAN: Final = 10
ROUND_WIND_FAN: Final = 11
KITA_FAN: Final = 34
_YAKU: Final = {fan: int(number) for number, fan in FANS.items()} | {KITA_FAN: DORA}

#: ``RecordLiuJu.type``.
ABORTS: Final = {
    1: Ending.KYUUSHU_KYUUHAI,
    2: Ending.FOUR_WINDS,
    3: Ending.FOUR_KANS,
    4: Ending.FOUR_RIICHI,
    5: Ending.TRIPLE_RON,
}

#: ``RecordChiPengGang.type``.
CALLS: Final = (Event.CHII, Event.PON, Event.DAIMINKAN)
#: ``RecordAnGangAddGang.type``.
ADDED_KAN: Final = 2
CLOSED_KAN: Final = 3


# ---------------------------------------------------------------------------------------------------------
# Finding the messages


@dataclass(frozen=True, slots=True)
class Messages:
    """One record: its head, and its messages by their names without ``.lq.Record``."""

    head: dict[str, Any]
    messages: list[tuple[str, dict[str, Any]]]


#: Marks of a record in JSON: the message that starts a hand, or packed messages (in base64).
_MARK: Final = re.compile(
    rb'"(?:(?:\.?lq\.)?(?:(?:Record|Action)?NewRound|GameDetailRecords)"|ChUubHEuR2FtZURldGFpbFJlY29yZHMS)'
)


def is_majsoul(data: bytes, start: str) -> bool:
    """Return whether bytes are a record of Mahjong Soul, as JSON or protocol; ``start``: their beginning as text.

    >>> is_majsoul(b'[{"name": ".lq.RecordNewRound", "data": {}}]', "["), is_majsoul(b'{"log": []}', "{")
    (True, False)
    """
    return is_wire(data) or (start.startswith(("{", "[")) and _MARK.search(data) is not None)


def parse_majsoul(text: str, source: str = "") -> list[Messages]:
    """Return the records in a JSON text: one, or several in a list or a line each.

    Raises `RecordError` if there is none.
    """
    values = json_values(text, source)
    try:
        records = [record for value in values for record in _records_in(value)]
    except RecordError as error:
        raise error.at(source) from None
    if not records:
        raise RecordError("the record contains no game", source)
    return records


def _records_in(value: Any) -> Iterator[Messages]:
    if isinstance(value, list) and value and all(isinstance(each, dict) and _body(each) is not None for each in value):
        for each in value:
            yield from _records_in(each)
    else:
        head = value.get("head") or value.get("header") if isinstance(value, dict) else None
        yield Messages(head if isinstance(head, dict) else {}, list(_messages(value, _DEEPEST)))


#: Fields that a record's messages lie in, the first that is there.
_BODIES: Final = ("data", "record", "records", "actions", "rounds")
#: Greatest depth of messages: a record, its packed messages, lists, hands.
_DEEPEST: Final = 8


def _body(record: dict[str, Any]) -> Any:
    """Return the part of a record that holds the messages; None for a message."""
    if "name" in record and _short_name(record["name"]) != "GameDetailRecords":
        return None
    return next((record[name] for name in _BODIES if record.get(name)), None)


def _short_name(name: Any) -> str:
    return str(name).removeprefix(".").removeprefix("lq.").removeprefix("Record")


def _messages(value: Any, depth: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the messages in JSON of any of the known shapes."""
    if depth < 0:
        raise RecordError("messages are nested too deeply")
    if isinstance(value, list):
        for each in value:
            yield from _messages(each, depth - 1)
    elif isinstance(value, str):
        try:
            packed = base64.b64decode(value, validate=True)
        except (binascii.Error, ValueError):
            raise RecordError("the messages are neither JSON nor base64") from None
        yield from ((_short_name(name), data) for name, data in parse_wire(packed)[1])
    elif not isinstance(value, dict):
        raise RecordError(f"{str(value)[:40]!r} in place of messages")
    elif isinstance(value.get("name"), str) and _body(value) is None:
        data = value.get("data")
        if data is not None and not isinstance(data, dict):
            raise RecordError(f"{value['name'][:40]} contains no object")
        yield _short_name(value["name"]), data or {}
    elif value.get("result"):
        yield from _messages(value["result"], depth - 1)
    elif _body(value) is not None:
        yield from _messages(_body(value), depth - 1)
    elif not {"type", "passed", "user_input", "user_event", "game_event"} & value.keys():
        raise RecordError("not a record of Mahjong Soul: it contains no messages")


# ---------------------------------------------------------------------------------------------------------
# Reading


def read_majsoul(record: Messages, source: str = "") -> RiichiGame:
    """Read one game; a hand that cannot be read is cut (`RiichiGame.cut`).

    Raises `RecordError` if no hand can be read, and for an event mode.
    """
    with reading(source) as place:
        reader = _Reader(record, source)
        parts = _parts(record.messages)
        for number, part in enumerate(parts):
            following = parts[number + 1][0][1] if number + 1 < len(parts) else None
            reader.read(part, following)
        place.what = "the record"
        return reader.finish()


def _parts(messages: Sequence[tuple[str, dict[str, Any]]]) -> list[list[tuple[str, dict[str, Any]]]]:
    """Return the messages before the first hand, and those of each hand, from its start to the next one's."""
    parts: list[list[tuple[str, dict[str, Any]]]] = [[]]
    for name, data in messages:
        if name == "NewRound":
            parts.append([])
        parts[-1].append((name, data))
    return parts


def read_majsoul_games(data: bytes, source: str = "") -> Iterator[Any]:
    """Yield the games in a record, as JSON or as the protocol's bytes, and `Damaged` for damaged ones."""
    if is_wire(data):
        return iter((read_majsoul_bytes(data, source),))
    return read_each(parse_majsoul(text_of(data, source), source), read_majsoul, source)


def read_majsoul_text(text: str, source: str = "") -> Iterator[RiichiGame]:
    """Read all games in a JSON text. Raises `RecordError` at the first damaged one."""
    for record in parse_majsoul(text, source):
        yield read_majsoul(record, source)


def read_majsoul_bytes(data: bytes, source: str = "") -> RiichiGame:
    """Read one game from the bytes of the protocol: a response, ``ResGameRecord`` or ``GameDetailRecords``.

    Raises `RecordError` as `read_majsoul` does.
    """
    try:
        head, messages = parse_wire(data)
    except RecordError as error:
        raise error.at(source) from None
    named = [(_short_name(name), content) for name, content in messages]
    return read_majsoul(Messages(head, named), source)


def _tile(text: Any) -> int:
    """Return the tile (0–36) of a text."""
    tiles = parse_tiles(text) if isinstance(text, str) and len(text) == 2 else []
    if len(tiles) != 1:
        raise RecordError(f"invalid tile {str(text)[:20]!r}")
    return tiles[0]


def _tiles(texts: Any) -> list[int]:
    return [_tile(text) for text in texts or ()]


def _integers(values: Any, count: int, what: str) -> list[int]:
    """Return a list of integers, one a seat; an absent fourth seat may have one, too."""
    if not isinstance(values, list) or len(values) < count or not all(type(value) is int for value in values):
        raise RecordError(f"{what} must be {count} numbers")
    return values[:count]


class _Reader:
    """Reader of one game, whose messages go to `take`."""

    def __init__(self, record: Messages, source: str) -> None:
        self.head = record.head
        start = next((data for name, data in record.messages if name == "NewRound"), None)
        for name, _ in record.messages:
            if name in EVENT_RECORDS:
                raise RecordError(f"event mode of Mahjong Soul ({EVENT_RECORDS[name]}) is not supported")
            if name.startswith("Action"):
                raise RecordError("this is one player's view of a game (Action…), not a record of it (Record…)")
        if start is None:
            raise RecordError("the record contains no hand (RecordNewRound)")
        mode = event_of_start(start)
        if mode is not None:
            raise RecordError(f"event mode of Mahjong Soul ({mode}) is not supported")
        self.players = _players(start)
        self.game = RiichiGame(
            source=source,
            format="majsoul",
            players=self.players,
            rules=_rules(record, self.players),
            names=_names(record.head, self.players),
            hands=[],
            ref=str(record.head.get("uuid") or ""),
        )
        self.number = 0  # of the current hand, from 1
        self.hand: HandBuilder | None = None
        self.start: dict[str, Any] = {}
        self.dealt = False  # nothing has been discarded yet: the dealer's 14 tiles came at once

    def read(self, part: Sequence[tuple[str, dict[str, Any]]], following: dict[str, Any] | None) -> None:
        """Read the messages of a hand, or those before the first; ``following`` starts the next hand."""
        try:
            with reading("") as place:
                for number, (name, data) in enumerate(part):
                    place.event = number or None
                    place.what = f"message {number} of the hand" if number else "the start of the hand"
                    self.take(name, data)
                place.what, place.event = "the end of the hand", None
                self.end_hand(following)
        except RecordError as error:
            if not self.number or isinstance(error, UnsupportedError):
                raise
            self.hand = None
            self.game.cut_hand(self.number, error)

    def take(self, name: str, data: dict[str, Any]) -> None:
        if name == "NewRound":
            self.new_round(data)
            return
        if name not in _MESSAGES:
            self.game.ignore("unknown message")
            return
        if self.hand is None:
            raise RecordError(f"{name} before the first hand starts")
        if self.hand.outcome:
            raise RecordError(f"{name} after the end of the hand")
        _MESSAGES[name](self, self.hand, data)

    def new_round(self, data: dict[str, Any]) -> None:
        self.number += 1
        scores = _integers(data.get("scores"), self.players, "the points at the start of the hand")
        self.start = data
        dealer = int(data.get("ju") or 0)
        if not 0 <= dealer < self.players:
            raise RecordError(f"dealer {dealer} in a game of {self.players}")
        deal = [_tiles(data.get(f"tiles{seat}")) for seat in range(self.players)]
        indicators = _tiles(data.get("doras") or data.get("dora_indicators"))
        indicators = indicators or _tiles([data.get("dora") or data.get("dora_marker")])
        if len(indicators) > 1:
            raise UnsupportedError("event mode of Mahjong Soul (several dora indicators at the start) is not supported")
        fourteenth = deal[dealer].pop() if len(deal[dealer]) == 14 else None
        round_, honba = 4 * int(data.get("chang") or 0) + dealer, int(data.get("ben") or data.get("honba") or 0)
        start = Start(round_, dealer, honba, int(data.get("liqibang") or 0), scores)
        self.hand = HandBuilder(self.game.rules.red_fives, deal, indicators[0], start)
        self.dealt = fourteenth is not None
        if fourteenth is not None:
            self.hand.draw(dealer, fourteenth)

    def end_hand(self, following: dict[str, Any] | None) -> None:
        """Finish the hand; ``following`` starts the next one, if there is one."""
        if self.hand is None:
            return
        outcome = self.hand.outcome
        if isinstance(outcome, Drawn) and not outcome.deltas:
            if following is None:
                raise RecordError("the payments of the drawn hand are missing")
            scores = _integers(following.get("scores"), self.players, "the points at the start of the next hand")
            outcome.deltas = tuple(after - before for after, before in zip(scores, outcome.scores, strict=True))
        hand = self.hand.finish()
        if self.start.get("paishan"):
            text = str(self.start["paishan"])
            try:
                tiles = [_tile(text[at : at + 2]) for at in range(0, len(text), 2)]
                hand.wall = wall_of_tiles(tiles, hand, self.game.rules.red_fives)
            except (RecordError, TileError):
                self.game.ignore(WRONG_WALL)
        self.game.hands.append(hand)
        self.hand = None

    # -------------------------------------------------------------------------------------------------------
    # Events

    def seat(self, data: dict[str, Any]) -> int:
        seat = int(data.get("seat") or 0)
        if not 0 <= seat < self.players:
            raise RecordError(f"seat {seat} in a game of {self.players}")
        return seat

    def check_riichi(self, hand: HandBuilder, data: dict[str, Any]) -> None:
        """Raise `RecordError` if the riichi that a message accepts is not declared."""
        accepted = data.get("liqi")
        if accepted and int(accepted.get("seat") or 0) != hand.declared:
            raise RecordError(f"riichi of seat {accepted.get('seat', 0)} is accepted without a declaration")

    def reveal(self, hand: HandBuilder, data: dict[str, Any]) -> None:
        """Turn over new dora indicators; the record lists all of them each time."""
        for tile in _tiles(data.get("doras"))[hand.indicators :]:
            # An open kan's is turned over before the discard that follows, whatever message names it first.
            hand.indicator(tile, Turned.BEFORE_DISCARD)

    def deal(self, hand: HandBuilder, data: dict[str, Any]) -> None:
        self.check_riichi(hand, data)
        self.reveal(hand, data)
        hand.draw(self.seat(data), _tile(data["tile"]))

    def discard(self, hand: HandBuilder, data: dict[str, Any]) -> None:
        seat, tile = self.seat(data), _tile(data["tile"])
        self.reveal(hand, data)
        if data.get("is_liqi") or data.get("is_wliqi"):
            hand.riichi(seat)
        drawn = DrawnTile.NO
        if data.get("moqie"):
            drawn = DrawnTile.IF_EQUAL if self.dealt else DrawnTile.YES
        self.dealt = False
        hand.discard(seat, tile, drawn)

    def call(self, hand: HandBuilder, data: dict[str, Any]) -> None:
        self.check_riichi(hand, data)
        seat, tiles, seats = self.seat(data), _tiles(data["tiles"]), data["froms"]
        number = int(data.get("type") or 0)
        if not 0 <= number < len(CALLS) or len(seats) != len(tiles):
            raise RecordError(f"invalid call: type {number} of {len(tiles)} tiles from {len(seats)} seats")
        called = [index for index, from_who in enumerate(seats) if from_who != seat]
        if len(called) != 1:
            raise RecordError(f"{len(called)} tiles of a call come from another seat")
        tile = tiles.pop(called[0])
        hand.add(CALLS[number], seat, tile, int(seats[called[0]]), tiles)

    def own_kan(self, hand: HandBuilder, data: dict[str, Any]) -> None:
        seat, named = self.seat(data), data["tiles"]
        tile = _tile(named[0] if isinstance(named, list) else named)
        self.dealt = False
        if data.get("type") == CLOSED_KAN:
            hand.add(Event.ANKAN, seat, tile)
        elif data.get("type") == ADDED_KAN:
            hand.add(Event.KAKAN, seat, tile)
        else:
            raise RecordError(f"invalid kan: type {data.get('type')!r}")
        self.reveal(hand, data)

    def kita(self, hand: HandBuilder, data: dict[str, Any]) -> None:
        self.dealt = False
        hand.add(Event.KITA, self.seat(data), NORTH)
        self.reveal(hand, data)

    def dora(self, hand: HandBuilder, data: dict[str, Any]) -> None:
        hand.indicator(_tile(data["dora_marker"]))

    # -------------------------------------------------------------------------------------------------------
    # The end

    def win(self, hand: HandBuilder, data: dict[str, Any]) -> None:
        hules = data["hules"]
        if not hules:
            raise RecordError("a win without a winner")
        if any(hule.get("zimo") for hule in hules) and len(hules) > 1:
            raise RecordError("a self-draw with several winners")
        offerer = hand.offerer
        self.reveal(hand, max(hules, key=lambda hule: len(hule.get("doras") or ())))
        hules = sorted(hules, key=lambda hule: (self.seat(hule) - offerer) % 4)
        changes = self.changes(hand, hules, data)
        hand.ura(max((_tiles(hule.get("li_doras") or hule.get("ura_dora_indicators")) for hule in hules), key=len))
        before: dict[str, Any] = {}
        if data.get("old_scores"):
            scores = _integers(data["old_scores"], self.players, "the points before the end of the hand")
            before = {"scores": tuple(scores)}
        for hule, deltas in zip(hules, changes, strict=True):
            self.one_win(hand, hule, data, {"deltas": deltas, **before})
            before = {}

    def one_win(self, hand: HandBuilder, hule: dict[str, Any], data: dict[str, Any], paid: dict[str, Any]) -> None:
        """Add one winner; ``paid`` contains the points as fields of `Win`."""
        who = self.seat(hule)
        from_who = who if hule.get("zimo") else hand.offerer
        yaku, yakuman = _yaku(hule.get("fans") or (), who, self.start, self.players)
        fu = int(hule.get("fu") or -1)
        points = int(hule.get("point_rong") or 0)
        if who == from_who:
            points = hand.value(self.game.rules, who, who, paid["deltas"])
        han = sum(count for _, count in yaku)
        limit = Limit.YAKUMAN
        if not yakuman:
            # A leaf reads the rules' fields, which have the same names in the record of the engine.
            basic = basic_points(cast("RulesRecord", self.game.rules), han, fu)
            limit = limit_of_basic(basic) if fu >= 0 else hand.limit(points, who, from_who)
        pao = _pao(hule, data)
        win = hand.win(
            who,
            from_who,
            pao=None if pao == from_who != who else pao,
            han=han,
            fu=fu,
            points=points,
            limit=limit,
            yaku=yaku,
            yakuman=yakuman,
            **paid,
        )
        if "hu_tile" in hule and hand.face(win.tile) != _tile(hule["hu_tile"]):
            shown = format_tiles([hand.face(win.tile)])
            raise RecordError(f"seat {who} wins with {hule['hu_tile']!r}, but {shown} is the last tile")

    def changes(
        self, hand: HandBuilder, hules: Sequence[dict[str, Any]], data: dict[str, Any]
    ) -> list[tuple[int, ...]]:
        """Return the changes of points by each win, split from the record's sum by the rules."""
        total = None
        if data.get("delta_scores"):
            total = _integers(data["delta_scores"], self.players, "the payments")
        if len(hules) == 1 and total is not None:
            return [tuple(total)]
        if any(hule.get("zimo") for hule in hules):
            return [self.self_draw_payments(hand, hules[0])]
        liable = next((number for number, hule in enumerate(hules) if _pao(hule, data) is not None), None)
        claims = [(self.seat(hule), int(hule.get("point_rong") or 0)) for hule in hules]
        return hand.rons(self.game.rules, claims, total, liable)

    def self_draw_payments(self, hand: HandBuilder, hule: dict[str, Any]) -> tuple[int, ...]:
        """Return the changes of points by a self-draw."""
        who, rules = self.seat(hule), self.game.rules
        change = [0] * self.players
        for seat in range(self.players):
            dealer = seat == hand.start.dealer
            share = int(hule.get("point_zimo_qin" if dealer else "point_zimo_xian") or 0)
            if seat != who:
                change[seat] -= share + rules.honba_each * hand.start.honba
        change[who] = STICK * hand.deposits - sum(change)
        return tuple(change)

    def exhausted(self, hand: HandBuilder, data: dict[str, Any]) -> None:
        self.check_riichi(hand, data)
        parts = [part for part in data.get("scores") or () if isinstance(part, dict)]
        paid = [
            _integers(part["delta_scores"], self.players, "the payments") for part in parts if part.get("delta_scores")
        ]
        nagashi = bool(data.get("liujumanguan"))
        seats = data.get("players")
        shown = None
        if isinstance(seats, list) and len(seats) >= self.players:
            shown = tuple(seat for seat in range(self.players) if seats[seat].get("tingpai"))
        # All or none tenpai: nobody pays. Otherwise it is inferred from what follows.
        deltas = tuple(sum(amounts) for amounts in zip(*paid, strict=True)) if paid else (0,) * self.players
        if not paid and (nagashi or shown is None or 0 < len(shown) < self.players):
            deltas = ()
        hand.end_drawn(Ending.NAGASHI_MANGAN if nagashi else Ending.EXHAUSTIVE, deltas, shown)

    def aborted(self, hand: HandBuilder, data: dict[str, Any]) -> None:
        number = data.get("type")
        if number not in ABORTS:
            raise RecordError(f"a drawn hand with an unknown reason ({number!r})")
        reason = ABORTS[number]
        if reason != Ending.TRIPLE_RON:
            self.check_riichi(hand, data)
        hand.end_drawn(reason, (0,) * self.players)

    def finish(self) -> RiichiGame:
        _add_results(self.game, self.head)
        named = bool(((self.head.get("config") or {}).get("mode") or {}).get("mode"))
        return finish_game(self.game, rules_named=named)


_MESSAGES: Final = {
    "DealTile": _Reader.deal,
    "DiscardTile": _Reader.discard,
    "ChiPengGang": _Reader.call,
    "AnGangAddGang": _Reader.own_kan,
    "BaBei": _Reader.kita,
    "Hule": _Reader.win,
    "NoTile": _Reader.exhausted,
    "LiuJu": _Reader.aborted,
    "dora": _Reader.dora,
}


# ---------------------------------------------------------------------------------------------------------
# What surrounds a game


def _players(start: dict[str, Any]) -> int:
    dealt = sum(bool(start.get(f"tiles{seat}")) for seat in range(4))
    if dealt not in (3, 4):
        raise RecordError(f"{dealt} hands are dealt, not 3 or 4")
    return dealt


def _names(head: dict[str, Any], players: int) -> list[str]:
    """Return nicknames by seat; a seat without an account is a computer player."""
    names = [f"P{seat}" for seat in range(players)]
    for account in head.get("accounts") or ():
        seat = int(account.get("seat") or 0)
        if 0 <= seat < players and account.get("nickname"):
            names[seat] = str(account["nickname"])
    return names


def _rules(record: Messages, players: int) -> Rules:
    """Return the rules of the head of a record.

    Outside ranked rooms there are no red fives where the record shows none and does not say how many there are.
    """
    rules = rules_of_head(record.head, players)
    config = record.head.get("config") or {}
    if config.get("category") == RANKED or "dora_count" in ((config.get("mode") or {}).get("detail_rule") or {}):
        return rules
    shown = [data for name, data in record.messages if name in ("NewRound", "DealTile")]
    return rules if re.search("0[mps]", json.dumps(shown)) else preset(f"{rules.name}-nored")


def _add_results(game: RiichiGame, head: dict[str, Any]) -> None:
    """Add points and results at the end, where the head has them for every seat."""
    players = (head.get("result") or {}).get("players") or ()
    by_seat = {int(player.get("seat") or 0): player for player in players}
    if sorted(by_seat) == list(range(game.players)):
        ordered = [by_seat[seat] for seat in range(game.players)]
        game.final_scores = [int(player.get("part_point_1") or 0) for player in ordered]
        game.final_points = [int(player.get("total_point") or 0) / 1000 for player in ordered]


def _pao(hule: dict[str, Any], data: dict[str, Any]) -> int | None:
    """Return the seat that pays for a yakuman (pao): from its list, or from a number counted from 1."""
    seats = hule.get("baopai_seats")
    if seats:
        return int(seats[0])
    number = int(hule.get("baopai") or data.get("baopai") or 0)
    return number - 1 if number and hule.get("yiman") else None


def _yaku(
    fans: Sequence[dict[str, Any]], who: int, start: dict[str, Any], players: int
) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
    """Return the yaku of a win with their han, and its yakuman, by Tenhou's numbers."""
    counted: dict[int, int] = {}
    yakuman = []
    for fan in fans:
        number, han = int(fan.get("id") or 0), int(fan.get("val") or 0)
        if number == SEAT_WIND_FAN:
            yaku = YakuId.SEAT_WIND_EAST + (who - int(start.get("ju") or 0)) % players
        elif number == ROUND_WIND_FAN:
            yaku = YakuId.ROUND_WIND_EAST + int(start.get("chang") or 0)
        elif number in _YAKU:
            yaku = _YAKU[number]
        else:
            raise UnsupportedError(f"yaku {number} of Mahjong Soul is not supported (local, or of an event)")
        if yaku in YAKUMAN:
            yakuman.append(int(yaku))
        else:  # ura dora stand there with 0 han too, as in Tenhou's records
            counted[int(yaku)] = counted.get(int(yaku), 0) + han
    return (() if yakuman else tuple(counted.items())), tuple(yakuman)


FORMAT: Final = RecordFormat(
    name="majsoul",
    game="riichi",
    suffixes=(".json", ".bin", ".pb"),
    detect=is_majsoul,
    read=read_majsoul_games,
)
