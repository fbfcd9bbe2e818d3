"""Records (``paipu``) of kobalab's programs: Majiang (電脳麻将) and its converters of Tenhou's records.

A game is an object whose ``log`` holds a list of events per hand, each an object with the event's name as its only
key: ``{"dapai": {"l": 0, "p": "m9_"}}``. ``l`` is a seat counted from the dealer of the hand, points and payments are
in that order too; names and results are in the order of the table, where ``qijia`` deals first. Tiles are ``m1`` to
``z7`` with ``m0``, ``p0`` and ``s0`` for red fives; sets mark the called tile by the seat it comes from.

The format: types/data.d.ts of github.com/kobalab/majiang-core.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, cast

from janshi.records.formats import Place, RecordError, RecordFormat, json_values, read_each, reading, text_of
from janshi.riichi.hands.scoring import basic_points
from janshi.riichi.hands.yaku import YAKUMAN
from janshi.riichi.records.builder import HandBuilder, Start, finish_game
from janshi.riichi.records.building import DrawnTile, Turned
from janshi.riichi.records.model import UNKNOWN_YAKU, Limit, RiichiGame, limit_of_basic
from janshi.riichi.records.paipu_rules import rules_of_paipu
from janshi.riichi.records.yaku_names import yaku_named
from janshi.riichi.rules import Length
from janshi.riichi.state import Ending, Event
from janshi.tiles import kind_of, parse_tiles

if TYPE_CHECKING:
    from janshi.riichi.rules.record import RulesRecord

#: Seats whose tile is called, counted from the caller.
_FROM: Final = {"+": 1, "=": 2, "-": 3}
_TILE: Final = re.compile("[mps][0-9]|z[1-7]")
_HAND: Final = re.compile("(?:[mps][0-9]+|z[1-7]+)+")
#: The last tile of a hand, which the drawn one is, with its suit.
_LAST_TILE: Final = re.compile("([mpsz])[0-9]*([0-9])$")
_SET: Final = re.compile(r"([mpsz])((?:[0-9][+=-]?)+)")

#: What stands before the names of honours that are yaku.
_PREFIX: Final = re.compile("^[役翻]牌 ?(?=.)")

#: Reasons of drawn hands: Majiang's names, and Tenhou's in converted records.
_REASONS: Final = {
    "荒牌平局": Ending.EXHAUSTIVE,
    "流局": Ending.EXHAUSTIVE,
    "流し満貫": Ending.NAGASHI_MANGAN,
    "九種九牌": Ending.KYUUSHU_KYUUHAI,
    "四風連打": Ending.FOUR_WINDS,
    "四家立直": Ending.FOUR_RIICHI,
    "四開槓": Ending.FOUR_KANS,
    "四槓散了": Ending.FOUR_KANS,
    "三家和": Ending.TRIPLE_RON,
    "三家和了": Ending.TRIPLE_RON,
}


def is_paipu(data: bytes, start: str) -> bool:
    """Return whether bytes are kobalab's record; ``start``: their beginning as text.

    >>> is_paipu(b'{"title": "", "log": [[{"qipai": {}}]]}', "{"), is_paipu(b'{"log": [[[0,0,0]]]}', "{")
    (True, False)
    """
    return start.startswith(("{", "[")) and b'"qipai"' in data


def parse_paipu(text: str, source: str = "") -> list[dict[str, Any]]:
    """Return the game objects in a text: one, a list of them, or one a line. Raises `RecordError` for anything else."""
    games = [game for value in json_values(text, source) for game in (value if isinstance(value, list) else [value])]
    for game in games:
        if not isinstance(game, dict) or not isinstance(game.get("log"), list):
            raise RecordError("not a paipu: a game is an object with the list log", source)
    return games


def read_paipu(record: dict[str, Any], source: str = "") -> RiichiGame:
    """Read one game; a hand that cannot be read is cut (`RiichiGame.cut`). Raises `RecordError` if none can be read."""
    with reading(source) as place:
        reader = _Reader(record, source)
        for number, log in enumerate(record["log"], start=1):
            reader.read(number, log)
        place.what = "the record"
        return reader.finish()


def _tile(text: Any) -> int:
    """Return the tile (0–36) of a text."""
    if not isinstance(text, str) or not _TILE.fullmatch(text):
        raise RecordError(f"invalid tile {str(text)[:20]!r}")
    return parse_tiles(text[1] + text[0])[0]


def _deal(text: Any) -> list[int]:
    """Return the tiles of a hand without sets."""
    if text == "" or (isinstance(text, str) and "_" in text):
        raise RecordError("this is one player's view of a game: it does not contain the others' tiles")
    if not isinstance(text, str) or not _HAND.fullmatch(text):
        raise RecordError(f"invalid hand {str(text)[:40]!r}")
    return [_tile(suit[0] + number) for suit in re.findall("[mpsz][0-9]+", text) for number in suit[1:]]


def _set(text: Any) -> tuple[list[int], int | None, int]:
    """Return the tiles of a set, the index of the called one, and the seat it comes from (counted from the caller)."""
    match = _SET.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise RecordError(f"invalid set {str(text)[:20]!r}")
    suit, rest = match.groups()
    numbers = re.findall("[0-9][+=-]?", rest)
    marked = [index for index, number in enumerate(numbers) if len(number) > 1]
    if len(marked) > 1:
        raise RecordError(f"invalid set {text!r}: two called tiles")
    tiles = [_tile(suit + number[0]) for number in numbers]
    if not marked:
        return tiles, None, 0
    return tiles, marked[0], _FROM[numbers[marked[0]][1]]


class _Reader:
    """Reader of one game."""

    def __init__(self, record: dict[str, Any], source: str) -> None:
        self.record = record
        self.first = int(record.get("qijia") or 0)
        if not 0 <= self.first < 4:
            raise RecordError(f"qijia is {self.first}, not a seat from 0 to 3")
        title = str(record.get("title") or "")
        self.rules = rules_of_paipu(record, title)
        self.game = RiichiGame(
            source=source,
            format="paipu",
            players=4,
            rules=self.rules.rules,
            names=[str(name).split("\n", 1)[0] for name in self.from_first(record.get("player") or [""] * 4)],
            hands=[],
            ref=title.split("\n", 1)[1][:100] if "\n" in title else "",
            custom=self.rules.custom,
        )
        if self.rules.custom:
            self.game.note(f"not checked: {self.rules.custom}")
        self.dealer = 0

    def from_first(self, values: Sequence[Any]) -> list[Any]:
        """Return values in the order of the table in that of our seats, which begin with the first dealer."""
        if len(values) != 4:
            raise RecordError(f"{len(values)} values for four players")
        return [*values[self.first :], *values[: self.first]]

    def seat(self, data: dict[str, Any]) -> int:
        """Return our seat of an event."""
        return self.ours(data["l"])

    def ours(self, seat: Any) -> int:
        """Return our seat of one that is counted from the dealer of the hand."""
        if type(seat) is not int or not 0 <= seat < 4:
            raise RecordError(f"{str(seat)[:20]!r} is not a seat from 0 to 3")
        return (self.dealer + seat) % 4

    def by_seat(self, values: Any, what: str) -> list[int]:
        """Return numbers in the order from the dealer in that of our seats."""
        if not isinstance(values, list) or len(values) != 4:
            raise RecordError(f"{what} must be four numbers")
        return [int(values[(seat - self.dealer) % 4]) for seat in range(4)]

    def read(self, number: int, log: Any) -> None:
        """Read one hand (from 1); one that cannot be read is cut."""
        try:
            with reading("") as place:
                place.what = "the hand"
                self.hand(log, place)
        except RecordError as error:
            self.game.cut_hand(number, error)

    def hand(self, log: Any, place: Place) -> None:
        if not isinstance(log, list) or not log:
            raise RecordError("a hand must be a list of events")
        hand: HandBuilder | None = None
        for number, entry in enumerate(log):
            place.event = number or None
            name, data = _event(entry)
            place.what = f"the event {name}"
            if name == "qipai":
                if hand is not None:
                    raise RecordError("a second deal in one hand")
                hand = self.start(data)
            elif hand is None:
                raise RecordError(f"{name} before the deal (qipai)")
            else:
                _EVENTS[name](self, hand, data)
        place.what, place.event = "the hand", None
        if hand is None:
            raise RecordError("a hand without a deal (qipai)")
        self.game.hands.append(hand.finish())

    def start(self, data: dict[str, Any]) -> HandBuilder:
        wind, number = int(data["zhuangfeng"]), int(data["jushu"])
        if not (0 <= wind < 4 and 0 <= number < 4):
            raise RecordError(f"invalid round: zhuangfeng {wind}, jushu {number}")
        self.dealer = number
        scores = self.by_seat(data["defen"], "the points at the start (defen)")
        hands = data["shoupai"]
        if not isinstance(hands, list) or len(hands) != 4:
            raise RecordError("the deal (shoupai) must be four hands")
        deal = [_deal(hands[(seat - self.dealer) % 4]) for seat in range(4)]
        start = Start(4 * wind + number, number, int(data["changbang"]), int(data["lizhibang"]), scores)
        return HandBuilder(self.game.rules.red_fives, deal, _tile(data["baopai"]), start)

    # -------------------------------------------------------------------------------------------------------
    # Play

    def draw(self, hand: HandBuilder, data: dict[str, Any]) -> None:
        hand.draw(self.seat(data), _tile(data["p"]))

    def discard(self, hand: HandBuilder, data: dict[str, Any]) -> None:
        text = str(data["p"])
        seat, tile = self.seat(data), _tile(text[:2])
        if not re.fullmatch(r"_?\*?[+=-]?", text[2:]):
            raise RecordError(f"invalid discard {text[:20]!r}")
        if "*" in text:
            hand.riichi(seat)
        hand.discard(seat, tile, DrawnTile.YES if "_" in text else DrawnTile.NO)

    def call(self, hand: HandBuilder, data: dict[str, Any]) -> None:
        seat = self.seat(data)
        tiles, called, discarder = _set(data["m"])
        if called is None:
            raise RecordError(f"the call {data['m']} does not say whose tile it takes")
        tile = tiles.pop(called)
        same = len({kind_of(each) for each in (tile, *tiles)}) == 1
        event = Event.DAIMINKAN if len(tiles) == 3 else Event.PON if same else Event.CHII
        hand.add(event, seat, tile, (seat + discarder) % 4, tiles)

    def kan(self, hand: HandBuilder, data: dict[str, Any]) -> None:
        seat = self.seat(data)
        tiles, called, _ = _set(data["m"])
        if len(tiles) != 4:
            raise RecordError(f"invalid kan {data['m']!r}")
        if called is None:
            hand.add(Event.ANKAN, seat, tiles[0], own=tiles)
        else:
            hand.add(Event.KAKAN, seat, tiles[-1])

    def dora(self, hand: HandBuilder, data: dict[str, Any]) -> None:
        hand.indicator(_tile(data["baopai"]), Turned.AFTER_KAN)

    # -------------------------------------------------------------------------------------------------------
    # The end

    def win(self, hand: HandBuilder, data: dict[str, Any]) -> None:
        who = self.seat(data)
        deltas = tuple(self.by_seat(data["fenpei"], "the payments (fenpei)"))
        from_who = self.discarder(hand, who, data, deltas)
        hand.ura([_tile(text) for text in data.get("fubaopai") or ()])
        labels = data.get("hupai") or ()
        yaku, yakuman = self.yaku(labels, who, hand.start)
        fu = int(data.get("fu") or -1)
        han = int(data.get("fanshu") or 0)
        # Some records name the value of a ron also for a self-draw: what is paid is certain.
        points = hand.value(self.game.rules, who, from_who, deltas)
        limit = Limit.YAKUMAN
        if not data.get("damanguan"):
            # A leaf reads the rules' fields, which have the same names in the record of the engine.
            basic = basic_points(cast("RulesRecord", self.game.rules), han, fu)
            limit = limit_of_basic(basic) if fu >= 0 else hand.limit(points, who, from_who)
        pao = self.pao(labels, who)
        hand.win(
            who,
            from_who,
            pao=None if pao == from_who != who else pao,
            han=han,
            fu=fu,
            points=points,
            limit=limit,
            yaku=yaku,
            yakuman=yakuman,
            deltas=deltas,
        )

    def yaku(
        self, labels: Sequence[dict[str, Any]], who: int, start: Start
    ) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
        """Return the yaku of a win with their han, and its yakuman; nothing if a label has an unknown name."""
        counted: dict[int, int] = {}
        yakuman = []
        for label in labels:
            name = _PREFIX.sub("", str(label["name"]))
            number = yaku_named(name, (who - start.dealer) % 4, start.round // 4)
            if number is None:
                self.game.ignore(UNKNOWN_YAKU)
                return (), ()
            if number in YAKUMAN:
                yakuman.append(int(number))
            else:
                counted[int(number)] = counted.get(int(number), 0) + int(label["fanshu"])
        return (() if yakuman else tuple(counted.items())), tuple(yakuman)

    def discarder(self, hand: HandBuilder, who: int, data: dict[str, Any], deltas: Sequence[int]) -> int:
        """Return the seat whose tile a winner takes, or the winner after a draw, which some records leave out."""
        if data.get("baojia") is not None:
            return self.ours(data["baojia"])
        if hand.has_drawn(who):
            return who
        if [seat for seat in range(4) if deltas[seat] < 0] == [hand.offerer]:
            return hand.offerer
        hand.draw(who, _tile(_LAST_TILE.sub(r"\1\2", str(data["shoupai"]).split(",", 1)[0].rstrip("*"))[-2:]))
        return who

    def pao(self, labels: Sequence[dict[str, Any]], who: int) -> int | None:
        """Return the seat that is liable for a yakuman: a seat from the dealer, or a mark as in sets."""
        for label in labels:
            liable = label.get("baojia")
            if liable is not None:
                return (who + _FROM[liable]) % 4 if liable in _FROM else self.ours(liable)
        return None

    def drawn(self, hand: HandBuilder, data: dict[str, Any]) -> None:
        name = data.get("name")
        if name not in _REASONS:
            raise RecordError(f"a drawn hand with an unknown reason ({str(name)[:40]!r})")
        reason = _REASONS[name]
        deltas = tuple(self.by_seat(data.get("fenpei") or [0] * 4, "the payments (fenpei)"))
        hands = data.get("shoupai")
        shown = None
        if isinstance(hands, list) and len(hands) == 4:
            shown = tuple(seat for seat in range(4) if hands[(seat - self.dealer) % 4])
        hand.end_drawn(reason, deltas, shown)

    def finish(self) -> RiichiGame:
        game, record = self.game, self.record
        points, results = record.get("defen"), record.get("point")
        ended = isinstance(results, list) and len(results) == 4 and any(float(result) for result in results)
        if ended and isinstance(points, list):
            game.final_scores = [int(score) for score in self.from_first(points)]
            game.final_points = [float(result) for result in self.from_first(cast("list[Any]", results))]
            if not self.rules.length_named and len(game.hands) == 1 and min(game.final_scores) >= 0:
                game.rules = replace(game.rules, length=Length.SINGLE_HAND, name=f"{game.rules.name}-hand")
        named = self.rules.length_named or game.rules.length == Length.SINGLE_HAND
        return finish_game(game, rules_named=named)


def _event(entry: Any) -> tuple[str, dict[str, Any]]:
    """Return the name of an event and its data."""
    if not isinstance(entry, dict) or len(entry) != 1:
        raise RecordError("an event must be an object with one key, its name")
    name, data = next(iter(entry.items()))
    if not isinstance(data, dict):
        raise RecordError(f"the event {name[:20]} contains no object")
    if name != "qipai" and name not in _EVENTS:
        raise RecordError(f"unknown event {name[:20]!r}")
    return name, data


_EVENTS: Final[dict[str, Callable[[_Reader, HandBuilder, dict[str, Any]], None]]] = {
    "zimo": _Reader.draw,
    "gangzimo": _Reader.draw,
    "dapai": _Reader.discard,
    "fulou": _Reader.call,
    "gang": _Reader.kan,
    "kaigang": _Reader.dora,
    "hule": _Reader.win,
    "pingju": _Reader.drawn,
}

FORMAT: Final = RecordFormat(
    name="paipu",
    game="riichi",
    suffixes=(".json",),
    detect=is_paipu,
    read=lambda data, name: read_each(parse_paipu(text_of(data, name), name), read_paipu, name),
)
