"""mjai: one JSON object a line, the protocol that bots speak, used as a record of whole games.

Read for three and four players, as servers, converters and bots write it. Unknown fields and events are passed over,
and what play decides need not be there (`_Reader`). Names of yaku are labels: they are ignored if one of a win is
unknown or their han do not add up to the hand's.

Written in the words of the protocol. What it has no field for is in the object ``janshi`` of an event: in `start_game`
the name of the preset (``rules``), in `end_game` the results (``points``), in `hora` Tenhou's numbers of the yaku
(``yaku``, ``yakuman``), ``limit`` and ``fu_parts``, and everywhere `janshi.riichi.records.extras`. Older records have
these fields in the event itself, which is read too.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

from janshi.records.formats import (
    Place,
    RecordError,
    RecordFormat,
    UnsupportedError,
    lines_of,
    read_each,
    reading,
    text_of,
)
from janshi.riichi.hands.score import FuPart
from janshi.riichi.hands.yaku import YAKU, YAKUMAN
from janshi.riichi.records.builder import STICK, HandBuilder, Start, finish_game
from janshi.riichi.records.building import DrawnTile
from janshi.riichi.records.extras import FIELD, add_game_extras, add_hand_extras, game_extras, hand_extras
from janshi.riichi.records.fu import fu_parts_of
from janshi.riichi.records.holding import at_end
from janshi.riichi.records.mjai_rules import KYOKU_FIRST, length_named, rules_named
from janshi.riichi.records.model import UNKNOWN_YAKU, Drawn, Limit, RecordedHand, RecordedWin, RiichiGame
from janshi.riichi.records.yaku_names import yaku_named
from janshi.riichi.rules import TENHOU_OF, Length, RuleError, Rules, preset
from janshi.riichi.state import Ending, Event
from janshi.tiles import from_mjai, tile_of_id, to_mjai

_WINDS: Final = "ESWN"

_REASONS: Final = {
    "fanpai": Ending.EXHAUSTIVE,
    "kyushukyuhai": Ending.KYUUSHU_KYUUHAI,
    "sufonrenta": Ending.FOUR_WINDS,
    "suchareach": Ending.FOUR_RIICHI,
    "sukaikan": Ending.FOUR_KANS,
    "sanchaho": Ending.TRIPLE_RON,
    "nagashimangan": Ending.NAGASHI_MANGAN,
}
_REASON_NAMES: Final = {reason: name for name, reason in _REASONS.items()}
#: Other spellings of the reasons.
_ALIASES: Final = {
    "exhaustive_draw": Ending.EXHAUSTIVE,
    "howanpai": Ending.EXHAUSTIVE,
    "kyuushu_kyuuhai": Ending.KYUUSHU_KYUUHAI,
    "kyushu_kyuhai": Ending.KYUUSHU_KYUUHAI,
    "suufon_renda": Ending.FOUR_WINDS,
    "suukansansen": Ending.FOUR_KANS,
    "suukaikan": Ending.FOUR_KANS,
    "suucha_riichi": Ending.FOUR_RIICHI,
    "sanchahou": Ending.TRIPLE_RON,
    "nagashi_mangan": Ending.NAGASHI_MANGAN,
    # as tenhou.net/6 and jansou call them
    "exhaustive": Ending.EXHAUSTIVE,
    "yao9": Ending.KYUUSHU_KYUUHAI,
    "kaze4": Ending.FOUR_WINDS,
    "reach4": Ending.FOUR_RIICHI,
    "kan4": Ending.FOUR_KANS,
    "ron3": Ending.TRIPLE_RON,
    "nm": Ending.NAGASHI_MANGAN,
}
#: Names of the event of a North set aside; the first is written if no other is asked for.
KITA_NAMES: Final = ("nukidora", "kita")


# ---------------------------------------------------------------------------------------------------------
# Reading


def parse_mjai(text: str, source: str = "") -> list[list[dict[str, Any]]]:
    """Return the events of every game in a text of JSON lines. Raises `RecordError` for invalid text."""
    games: list[list[dict[str, Any]]] = []
    for number, line in enumerate(lines_of(text.removeprefix("\ufeff")), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise RecordError(f"line {number} is not valid JSON, or incomplete ({error})", source) from None
        for event in value if isinstance(value, list) else [value]:
            if not isinstance(event, dict) or not isinstance(event.get("type"), str):
                raise RecordError(f"line {number} is not an event of mjai: it has no type", source)
            if event["type"] == "start_game" or not games:
                games.append([])
            games[-1].append(event)
    if not games:
        raise RecordError("the record contains no game", source)
    return games


def read_mjai(events: Sequence[dict[str, Any]], source: str = "") -> RiichiGame:
    """Read one game from its events; a hand that cannot be read is cut (`RiichiGame.cut`).

    Raises `RecordError` if no hand can be read, or if the game is of no known rules.
    """
    with reading(source) as place:
        reader = _Reader(events, source, place)
        for part in _parts(events):
            reader.read(part)
        place.what, place.event = "the record", None
        return reader.finish()


def _parts(events: Sequence[dict[str, Any]]) -> list[list[tuple[int, dict[str, Any]]]]:
    """Return the numbered events before the first hand, and those of each hand, from its start to the next one's."""
    parts: list[list[tuple[int, dict[str, Any]]]] = [[]]
    for number, event in enumerate(events, start=1):
        if event["type"] == "start_kyoku":
            parts.append([])
        parts[-1].append((number, event))
    return parts


def read_mjai_text(text: str, source: str = "") -> Iterator[RiichiGame]:
    """Read all games in a text. Raises `RecordError` at the first damaged one."""
    for events in parse_mjai(text, source):
        yield read_mjai(events, source)


#: Yaku with their han, yakuman, and han of a win.
_Value = tuple[tuple[tuple[int, int], ...], tuple[int, ...], int]


class _Reader:
    """Reader of one game, whose events go to `take`.

    Payments that a `hora` or `ryukyoku` does not contain follow from later scores; the wind of the first hand is East;
    a discard that does not say whether it is the drawn tile is, if it equals it.
    """

    def __init__(self, events: Sequence[dict[str, Any]], source: str, place: Place) -> None:
        self.place = place
        self.players = _players(events)
        starts = [event for event in events if event["type"] == "start_game"]
        rules, self.rules_named = _rules(starts, events, self.players)
        self.game = RiichiGame(source=source, format="mjai", players=self.players, rules=rules, names=[], hands=[])
        extras = None
        for event in starts:
            extras = event.get(FIELD)
            if isinstance(event.get("names"), list):
                self.game.names = [str(name) for name in event["names"]]
        add_game_extras(self.game, extras)
        self.number = 0  # of the current hand, from 1
        self.hand: HandBuilder | None = None
        self.extras: Any = None  # of the hand
        self.starts = [event for event in events if event["type"] == "start_kyoku"]
        self.ends = [event for event in events if event["type"] == "end_game"]
        self.winners = _winners(events)  # of each hand

    def amounts(self, event: dict[str, Any], name: str) -> list[int] | None:
        """Return a field that has a number for each seat; None if it is absent or empty."""
        values = event.get(name)
        return [int(value) for value in values[: self.players]] if isinstance(values, list) and values else None

    def read(self, part: Sequence[tuple[int, dict[str, Any]]]) -> None:
        """Read the events of a hand, or those before the first."""
        try:
            with reading("") as self.place:
                for number, event in part:
                    self.place.what, self.place.event = event["type"], number
                    self.take(event)
                self.end_hand()
        except RecordError as error:
            if not self.number or isinstance(error, UnsupportedError):
                raise
            self.hand = None
            self.game.cut_hand(self.number, error)

    def take(self, event: dict[str, Any]) -> None:
        kind = event["type"]
        if kind == "start_kyoku":
            self.start_hand(event)
        elif kind == "end_game":
            self.end_hand()
            self.game.final_scores = self.amounts(event, "scores")
            points = _own(event, "points")
            if isinstance(points, list):
                self.game.final_points = [float(amount) for amount in points[: self.players]]
        elif kind == "end_kyoku":
            self.end_hand()
        elif kind in ("hora", "ryukyoku", "dora", "reach", "reach_accepted") or kind in _MOVES:
            if self.hand is None:
                raise RecordError(f"{kind} before the hand starts or after its end")
            self.play(self.hand, kind, event)

    def start_hand(self, event: dict[str, Any]) -> None:
        hands = self.game.hands
        self.number += 1
        deal = []
        for seat in range(self.players):
            names = event["tehais"][seat]
            if "?" in names:
                reason = f"the deal of seat {seat} is hidden: this is one player's view, not a record"
                raise UnsupportedError(reason)
            deal.append([from_mjai(name) for name in names])
        wind = "E" if self.number == 1 and event.get("bakaze") is None else event["bakaze"]
        round_ = 4 * _WINDS.index(wind) + int(event["kyoku"]) - 1
        # Missing points follow from the game so far.
        before = hands[-1].points_after() if hands else [self.game.rules.start] * self.players
        recorded = self.amounts(event, "scores")
        if recorded is None and self.game.cut:
            raise RecordError("the points are missing, and do not follow from the hands before, of which one is cut")
        scores = recorded or before
        start = Start(round_, int(event["oya"]), int(event["honba"]), int(event["kyotaku"]), scores)
        self.hand = HandBuilder(self.game.rules.red_fives, deal, from_mjai(event["dora_marker"]), start)
        self.extras = event.get(FIELD)

    def end_hand(self) -> None:
        if self.hand is not None:
            self.game.hands.append(add_hand_extras(self.game, self.hand.finish(), self.extras))
        self.hand = None

    def play(self, hand: HandBuilder, kind: str, event: dict[str, Any]) -> None:
        if kind == "reach":
            hand.riichi(int(event["actor"]))
        elif kind == "dora":
            hand.indicator(from_mjai(event["dora_marker"]))
        elif kind == "hora":
            self.win(hand, event)
        elif kind == "ryukyoku":
            self.drawn(hand, event)
        elif kind in _MOVES:
            self.move(hand, kind, event)

    def move(self, hand: HandBuilder, kind: str, event: dict[str, Any]) -> None:
        move = _MOVES[kind]
        if event.get("pai") == "?":
            raise RecordError("a drawn tile is hidden")
        tile = -1 if move in (Event.ANKAN, Event.KITA) else from_mjai(event["pai"])
        called = move in (Event.CHII, Event.PON, Event.DAIMINKAN)
        own = [from_mjai(name) for name in event["consumed"]] if called or move == Event.ANKAN else []
        from_who = int(event["target"]) if called else -1
        # The drawn tile is known: what the record says of it decides only between equal tiles.
        said = event.get("tsumogiri")
        if said and hand.drawn_tile != tile:
            self.game.ignore("tsumogiri of another tile than the drawn one")
        drawn = DrawnTile.IF_EQUAL if said is None or said else DrawnTile.NO
        hand.add(move, int(event["actor"]), tile, from_who, own, drawn)

    def win(self, hand: HandBuilder, event: dict[str, Any]) -> None:
        who, from_who = int(event["actor"]), int(event["target"])
        ura = _ura(event)
        if ura:
            hand.ura(ura)
        deltas = self.deltas(event, hand) or self.won(hand, who, from_who)
        yaku, yakuman, han = self.value(event, (who - hand.start.dealer) % self.players, hand.start.round // 4)
        points, fu = self.label(event, "hora_points"), self.label(event, "fu")
        limit = self.label(event, "limit", len(Limit))
        if points is None:
            points = hand.value(self.game.rules, who, from_who, deltas)
        hand.win(
            who,
            from_who,
            pao=self.label(event, "pao", self.players),
            han=han,
            fu=-1 if fu is None else fu,
            points=points,
            limit=hand.limit(points, who, from_who) if limit is None else Limit(limit),
            yaku=yaku,
            yakuman=yakuman,
            deltas=deltas,
        )

    def label(self, event: dict[str, Any], name: str, below: int = 1 << 31) -> int | None:
        """Return a number from 0 to ``below`` − 1 that play does not need; None, and counted, for anything else."""
        value = _own(event, name)
        if value is None or (isinstance(value, int) and 0 <= value < below):
            return value
        self.game.ignore(f"{name} of a wrong type")
        return None

    def value(self, event: dict[str, Any], seat_wind: int, round_wind: int) -> _Value:
        """Return the yaku with their han, the yakuman and the han of a win; nothing for what it does not say."""
        stated = next((event[name] for name in ("fan", "han") if isinstance(event.get(name), int)), 0)
        listed = _own(event, "yaku")
        listed = event.get("yakus") if listed is None else listed
        if not isinstance(listed, list):
            return (), (), stated
        if all(isinstance(each, list) and len(each) == 2 and isinstance(each[0], int) for each in listed):
            yaku = tuple((number, int(han)) for number, han in listed)
            yakuman = tuple(int(number) for number in _own(event, "yakuman") or ())
            return yaku, yakuman, sum(han for _, han in yaku) if yaku or yakuman else stated
        named = [_named(each, seat_wind, round_wind) for each in listed]
        pairs = tuple(pair for pair in named if pair is not None)
        yakuman = tuple(number for number, _ in pairs if number in YAKUMAN)
        total = sum(han for _, han in pairs)
        if len(pairs) < len(named):
            self.game.ignore(UNKNOWN_YAKU)
        elif yakuman:
            return (), yakuman, 0
        elif total == (stated or total):
            return pairs, (), total
        else:
            self.game.ignore("yaku whose han do not add up")
        return (), (), stated

    @property
    def is_last(self) -> bool:
        """True in the last hand of the record."""
        return self.number == len(self.starts)

    def later(self) -> list[int] | None:
        """Return the points before the next hand; None if the record does not say."""
        return None if self.is_last else self.amounts(self.starts[self.number], "scores")

    def won(self, hand: HandBuilder, who: int, from_who: int) -> tuple[int, ...]:
        """Return the payments of a win from later scores."""
        later = self.later() or (self.amounts(self.ends[-1], "scores") if self.is_last and self.ends else None)
        if later is None:
            raise RecordError("neither the win nor later scores say what is paid")
        paid = _differences(later, hand.scores())
        if self.winners[self.number - 1] == 1:
            return paid
        # The discarder pays what each of several winners gains, but for riichi sticks, which go to the first.
        sticks = 0 if hand.outcome else STICK * hand.deposits
        return tuple({who: paid[who], from_who: sticks - paid[who]}.get(seat, 0) for seat in range(self.players))

    def drawn(self, hand: HandBuilder, event: dict[str, Any]) -> None:
        reason = _reason(event)
        tenpai = _tenpai(event, reason, self.players)
        deltas = self.deltas(event, hand)
        if deltas is None and reason in (None, Ending.EXHAUSTIVE, Ending.NAGASHI_MANGAN):
            later = self.later()
            deltas = self.noten_payments(tenpai or ()) if later is None else _differences(later, hand.scores())
        hand.end_drawn(reason, deltas or (0,) * self.players, tenpai)

    def noten_payments(self, tenpai: Sequence[int]) -> tuple[int, ...]:
        """Return the payments to the seats that are tenpai at an exhaustive draw."""
        count, total = len(tenpai), self.game.rules.noten_payment
        if count in (0, self.players):
            return (0,) * self.players
        gain, loss = total // count, total // (self.players - count)
        return tuple(gain if seat in tenpai else -loss for seat in range(self.players))

    def deltas(self, event: dict[str, Any], hand: HandBuilder) -> tuple[int, ...] | None:
        """Return the payments that an event contains, as such or as points after it."""
        deltas, after = self.amounts(event, "deltas"), self.amounts(event, "scores")
        if deltas is None and after is not None:
            return _differences(after, hand.scores())
        return None if deltas is None else tuple(deltas)

    def finish(self) -> RiichiGame:
        return finish_game(self.game, rules_named=self.rules_named)


_MOVES: Final = {
    **{"tsumo": Event.DRAW, "dahai": Event.DISCARD, "chi": Event.CHII, "pon": Event.PON, "daiminkan": Event.DAIMINKAN},
    **{"ankan": Event.ANKAN, "kakan": Event.KAKAN, "kita": Event.KITA, "nukidora": Event.KITA},
}


def _differences(after: Sequence[int], before: Sequence[int]) -> tuple[int, ...]:
    return tuple(int(now) - earlier for now, earlier in zip(after, before, strict=True))


def _reason(event: dict[str, Any]) -> Ending | None:
    name = str(event.get("reason") or "").lower()
    return _REASONS.get(name, _ALIASES.get(name))


def _tenpai(event: dict[str, Any], reason: Ending | None, players: int) -> tuple[int, ...] | None:
    """Return the seats that a draw names as tenpai or as showing their hands; None if it names none.

    ``tenpais`` has a truth for each seat, ``tehais`` of jansou null for those that are noten.
    """
    tenpai, hands = event.get("tenpais"), event.get("tehais")
    if isinstance(tenpai, list):
        return tuple(seat for seat in range(players) if tenpai[seat])
    if reason == Ending.EXHAUSTIVE and isinstance(hands, list) and None in hands:
        return tuple(seat for seat in range(players) if hands[seat] is not None)
    return None


def _winners(events: Sequence[dict[str, Any]]) -> list[int]:
    """Return the number of winners of each hand."""
    winners: list[int] = []
    for event in events:
        if event["type"] == "start_kyoku":
            winners.append(0)
        elif event["type"] == "hora" and winners:
            winners[-1] += 1
    return winners


# -- Values of wins


def _own(event: dict[str, Any], name: str) -> Any:
    """Return a field of ours, from the object ``janshi`` or, in older records, from the event itself."""
    own = event.get(FIELD)
    return own[name] if isinstance(own, dict) and name in own else event.get(name)


def _ura(event: dict[str, Any]) -> list[int]:
    """Return the ura indicators of a win (0–36): a list of tiles, or one tile, under any of its names."""
    fields = ("ura_markers", "uradora_markers", "uradora_marker")
    names: str | list[str] = next((event[name] for name in fields if event.get(name)), [])
    return [from_mjai(name) for name in ([names] if isinstance(names, str) else names)]


def _named(entry: Any, seat_wind: int, round_wind: int) -> tuple[int, int] | None:
    """Return number and han of a yaku given by name, as ``[name, han]`` or an object; None if it is not known."""
    if isinstance(entry, dict):
        entry = [entry.get("name", entry.get("yaku")), entry.get("han", entry.get("fan"))]
    if not isinstance(entry, list) or len(entry) != 2:
        return None
    name, han = entry
    number = yaku_named(name, seat_wind, round_wind) if isinstance(name, str) else None
    return None if number is None or not isinstance(han, int) else (int(number), han)


def _players(events: Sequence[dict[str, Any]]) -> int:
    """Return 3 if the fourth seat is absent from the first deal, else 4."""
    start = next((event for event in events if event["type"] == "start_kyoku"), None)
    if start is None or not isinstance(start.get("tehais"), list):
        raise RecordError("the record contains no hand (start_kyoku with tehais)")
    tehais = start["tehais"]
    if len(tehais) not in (3, 4):
        raise RecordError(f"{len(tehais)} hands are dealt, not 3 or 4")
    fourth = tehais[3] if len(tehais) == 4 else []
    absent = all(name == "?" for name in fourth)
    if absent and len(tehais) == 4:
        # In one player's view of a game of four all other hands are hidden, which is refused later.
        scores = start.get("scores") or [0, 0, 0, 0]
        absent = len(scores) == 3 or not scores[3]
    return 3 if absent else 4


def _rules(
    starts: Sequence[dict[str, Any]], events: Sequence[dict[str, Any]], players: int
) -> tuple[Rules, bool]:
    """Return the rules, and whether the record says them; otherwise Tenhou's, with red fives as seen."""
    start = starts[0] if starts else {}
    named = rules_named(start)
    if named is not None and named.players == players:
        return named, True
    seen = json.dumps(events)
    reds = any(f'"5{suit}r"' in seen for suit in "mps")
    length = length_named(start)
    endings = ("" if reds else "-nored", "-east" if length == Length.EAST else "")
    return preset(TENHOU_OF[players].name + "".join(endings)), length is not None


# ---------------------------------------------------------------------------------------------------------
# Writing

_EVENT_NAMES: Final = {
    **{event: name for name, event in _MOVES.items()},
    **{Event.RIICHI: "reach", Event.ACCEPTED: "reach_accepted", Event.DORA: "dora"},
}


def write_mjai(game: RiichiGame, *, extras: bool = True, kita: str = KITA_NAMES[0]) -> Iterator[dict[str, Any]]:
    """Yield the events of a game. Raises `RecordError` for an inconsistent hand.

    ``extras``: with what other formats know of the game and its tiles (`janshi.riichi.records.extras`). ``kita``: the
    event of a North set aside, one of `KITA_NAMES`.
    """
    start = start_game_event(game.names, game.rules)
    around = {**start.get(FIELD, {}), **(game_extras(game) if extras else {})}
    yield {**start, FIELD: around} if around else start
    for number, hand in enumerate(game.hands, start=1):
        try:
            for event in _write_hand(game, hand, extras):
                yield {**event, "type": kita} if event["type"] in KITA_NAMES else event
        except RecordError as error:
            raise error.at(game.source, number) from None
    yield end_game_event(game.final_scores, game.final_points)


def start_game_event(names: Sequence[str], rules: Rules) -> dict[str, Any]:
    """Return the event that begins a game; rules are named where they are a preset."""
    start: dict[str, Any] = {"type": "start_game", "names": list(names)}
    start |= {"kyoku_first": KYOKU_FIRST.get(rules.length, 0), "aka_flag": any(rules.red_fives)}
    return {**start, FIELD: {"rules": rules.name}} if _is_preset(rules) else start


def end_game_event(scores: Sequence[int] | None, points: Sequence[float] | None) -> dict[str, Any]:
    """Return the event that ends a game: points, and the result in thousands, as far as they are known."""
    end: dict[str, Any] = {"type": "end_game"}
    if scores is not None:
        end["scores"] = list(scores)
    if points is not None:
        end[FIELD] = {"points": list(points)}
    return end


def _is_preset(rules: Rules) -> bool:
    try:
        return preset(rules.name) == rules
    except RuleError:
        return False


def write_mjai_text(games: Sequence[RiichiGame], *, kita: str = KITA_NAMES[0]) -> str:
    """Return games as JSON lines; ``kita``: the event of a North set aside, one of `KITA_NAMES`."""
    events = (event for game in games for event in write_mjai(game, kita=kita))
    return "".join(json.dumps(event, ensure_ascii=False, separators=(",", ":")) + "\n" for event in events)


def _write_hand(game: RiichiGame, hand: RecordedHand, extras: bool) -> Iterator[dict[str, Any]]:
    tile_of = partial(tile_of_id, reds=game.rules.red_fives)
    deal = [[tile_of(identity) for identity in sorted(row)] for row in hand.deal.tolist()]
    start = start_hand_event(hand.round, hand.dealer, hand.honba, hand.deposits, hand.scores, tile_of(hand.dora), deal)
    known = hand_extras(hand) if extras else {}
    yield {**start, FIELD: known} if known else start
    for event, seat, tile, discarder, *own in hand.events.tolist():
        if event == Event.KAKAN:
            laid = [identity for identity in range(tile // 4 * 4, tile // 4 * 4 + 4) if identity != tile]
        else:
            laid = [identity for identity in own if identity >= 0]
        tsumogiri = event == Event.DISCARD and own[0] == 1
        consumed = [] if event == Event.DISCARD else [tile_of(identity) for identity in laid]
        yield hand_event(event, seat, -1 if tile < 0 else tile_of(tile), discarder, consumed, tsumogiri)
    yield from hand_end_events(game.rules, hand)


def start_hand_event(
    round_: int, dealer: int, honba: int, deposits: int, scores: Sequence[int], dora: int, deal: Sequence[Sequence[int]]
) -> dict[str, Any]:
    """Return the event that begins a hand; tiles are 0–36."""
    return {
        "type": "start_kyoku",
        "bakaze": _WINDS[round_ // 4],
        "kyoku": round_ % 4 + 1,
        "honba": honba,
        "kyotaku": deposits,
        "oya": dealer,
        "scores": list(scores),
        "dora_marker": to_mjai(dora),
        "tehais": [[to_mjai(tile) for tile in hand] for hand in deal],
    }


def hand_event(
    event: int, seat: int, tile: int = -1, discarder: int = -1, consumed: Sequence[int] = (), tsumogiri: bool = False
) -> dict[str, Any]:
    """Return an event of a hand (`Event`) in mjai's form; tiles are 0–36.

    ``consumed``: what the caller lays down (of an added kan: the three tiles of the pon).

    >>> hand_event(Event.PON, 2, 31, 0, [31, 31])
    {'type': 'pon', 'actor': 2, 'target': 0, 'pai': 'P', 'consumed': ['P', 'P']}
    """
    if event == Event.DORA:
        return {"type": "dora", "dora_marker": to_mjai(tile)}
    fields: dict[str, Any] = {"type": _EVENT_NAMES[Event(event)], "actor": seat}
    if event in (Event.CHII, Event.PON, Event.DAIMINKAN):
        fields["target"] = discarder
    if event not in (Event.ANKAN, Event.RIICHI, Event.ACCEPTED):
        fields["pai"] = to_mjai(tile)
    if event == Event.DISCARD:
        fields["tsumogiri"] = tsumogiri
    elif event in (Event.CHII, Event.PON, Event.DAIMINKAN, Event.ANKAN, Event.KAKAN):
        fields["consumed"] = [to_mjai(own) for own in consumed]
    return fields


def hand_end_events(rules: Rules, hand: RecordedHand) -> Iterator[dict[str, Any]]:
    """Yield how a hand ended: `hora` for each winner or `ryukyoku`, then `end_kyoku`."""

    def shown(identity: int) -> str:
        return to_mjai(tile_of_id(identity, rules.red_fives))

    if isinstance(hand.outcome, Drawn):
        drawn: dict[str, Any] = {"type": "ryukyoku", "reason": _REASON_NAMES[hand.outcome.reason]}
        if hand.outcome.shown is not None:
            drawn["tenpais"] = [seat in hand.outcome.shown for seat in range(rules.players)]
            holding = at_end(hand)
            drawn["tehais"] = [
                [shown(identity) if seat in hand.outcome.shown else "?" for identity in holding.ids(seat)]
                for seat in range(rules.players)
            ]
        yield {**drawn, "deltas": list(hand.outcome.deltas)}
    else:
        ura = max((win.ura for win in hand.outcome), key=len, default=())
        for win in hand.outcome:
            rest = [shown(identity) for identity in win.hand if identity != win.tile]
            parts = fu_parts_of(rules, hand, win)
            yield _write_win(win, parts, [shown(identity) for identity in ura], shown(win.tile), rest)
    yield {"type": "end_kyoku"}


def _write_win(win: RecordedWin, parts: Sequence[FuPart], ura: list[str], tile: str, rest: list[str]) -> dict[str, Any]:
    fields: dict[str, Any] = {"type": "hora", "actor": win.who, "target": win.from_who, "pai": tile}
    named = [*win.yaku, *((number, YAKU[number].closed) for number in win.yakuman)]
    han = sum(han for _, han in named) if win.yakuman else win.han
    fields |= {"hora_tehais": rest, "deltas": list(win.deltas), "ura_markers": ura, "fan": han, "han": han}
    if win.fu >= 0:
        fields["fu"] = win.fu
    fields |= {"hora_points": win.points, "yaku": [[YAKU[number].name, han] for number, han in named]}
    if win.pao is not None:
        fields["pao"] = win.pao
    own: dict[str, Any] = {"yaku": [list(pair) for pair in win.yaku], "limit": int(win.limit)}
    if win.yakuman:
        own["yakuman"] = list(win.yakuman)
    if parts:
        own["fu_parts"] = [list(part) for part in parts]
    return {**fields, FIELD: own}


def _detect(data: bytes, start: str) -> bool:
    line = start.partition("\n")[0]
    return line.startswith(("{", "[")) and '"type"' in line and '"log"' not in line


FORMAT: Final = RecordFormat(
    name="mjai",
    game="riichi",
    suffixes=(".jsonl", ".ndjson", ".mjson", ".mjai"),
    detect=_detect,
    read=lambda data, name: read_each(parse_mjai(text_of(data, name), name), read_mjai, name),
    write=lambda games, **settings: [write_mjai_text(games, **settings)],
    settings={"kita": KITA_NAMES},
)
