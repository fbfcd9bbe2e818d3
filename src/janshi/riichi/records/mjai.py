"""mjai: one JSON object a line, the protocol that bots speak, used as a record of whole games.

Read for three and four players, as servers, converters and bots write it: ``kita`` and ``nukidora`` alike, fields
and events that are not known here are passed over, ``ryukyoku`` without a reason gets it from the hand.
Written with what the protocol lacks in fields of our own: ``rules`` (a preset's name), ``yaku`` and ``yakuman``
(Tenhou's numbers), ``fu_parts``, ``limit``, ``pao``, ``points``, and ``janshi`` (`janshi.riichi.records.extras`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

from janshi.records.formats import Place, RecordError, RecordFormat, lines_of, read_each, reading, text_of
from janshi.riichi.hands.score import FuPart
from janshi.riichi.records.builder import HandBuilder, Start, finish_game
from janshi.riichi.records.extras import FIELD, add_game_extras, add_hand_extras, game_extras, hand_extras
from janshi.riichi.records.fu import fu_parts_of
from janshi.riichi.records.model import Drawn, Game, Hand, Limit, Win, at_end
from janshi.riichi.rules import TENHOU_OF, RuleError, Rules, preset
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
}


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


def read_mjai(events: Sequence[dict[str, Any]], source: str = "") -> Game:
    """Read one game from its events. Raises `RecordError` for a damaged or inconsistent one."""
    with reading(source) as place:
        reader = _Reader(events, source, place)
        for number, event in enumerate(events, start=1):
            place.what, place.event = event["type"], number
            reader.take(event)
        return reader.finish()


def read_mjai_text(text: str, source: str = "") -> Iterator[Game]:
    """Read all games in a text. Raises `RecordError` at the first damaged one."""
    for events in parse_mjai(text, source):
        yield read_mjai(events, source)


class _Reader:
    """Reader of one game, whose events go to `take`."""

    def __init__(self, events: Sequence[dict[str, Any]], source: str, place: Place) -> None:
        self.place = place
        self.players = _players(events)
        rules, self.rules_named = _rules(events, self.players)
        self.game = Game(source=source, format="mjai", players=self.players, rules=rules, names=[], hands=[])
        extras = None
        for event in events:
            if event["type"] == "start_game":
                extras = event.get(FIELD)
                if isinstance(event.get("names"), list):
                    self.game.names = [str(name) for name in event["names"]]
        add_game_extras(self.game, extras)
        self.hand: HandBuilder | None = None
        self.extras: Any = None  # of the hand

    def take(self, event: dict[str, Any]) -> None:
        kind = event["type"]
        if kind == "start_kyoku":
            self.start_hand(event)
        elif kind == "end_game":
            self.end_hand()
            if isinstance(event.get("scores"), list):
                self.game.final_scores = [int(amount) for amount in event["scores"][: self.players]]
            if isinstance(event.get("points"), list):
                self.game.final_points = [float(amount) for amount in event["points"][: self.players]]
        elif kind == "end_kyoku":
            self.end_hand()
        elif kind in ("hora", "ryukyoku", "dora", "reach", "reach_accepted") or kind in _MOVES:
            if self.hand is None:
                raise RecordError(f"{kind} before the hand starts or after its end")
            self.play(self.hand, kind, event)

    def start_hand(self, event: dict[str, Any]) -> None:
        self.end_hand()
        hands = self.game.hands
        self.place.hand = len(hands) + 1
        deal = []
        for seat in range(self.players):
            names = event["tehais"][seat]
            if "?" in names:
                raise RecordError(f"the deal of seat {seat} is hidden: this is one player's view, not a record")
            deal.append([from_mjai(name) for name in names])
        round_ = 4 * _WINDS.index(event["bakaze"]) + int(event["kyoku"]) - 1
        # Missing points follow from the game so far.
        scores = hands[-1].points_after() if hands else [self.game.rules.start] * self.players
        if isinstance(event.get("scores"), list):
            scores = [int(points) for points in event["scores"][: self.players]]
        start = Start(round_, int(event["oya"]), int(event["honba"]), int(event["kyotaku"]), scores)
        self.hand = HandBuilder(self.game.rules.red_fives, deal, from_mjai(event["dora_marker"]), start)
        self.extras = event.get(FIELD)

    def end_hand(self) -> None:
        if self.hand is not None:
            hand = add_hand_extras(self.hand.finish(), self.extras, self.game.rules.red_fives)
            self.game.hands.append(hand)
        self.hand = None

    def play(self, hand: HandBuilder, kind: str, event: dict[str, Any]) -> None:
        is_triple = kind == "ryukyoku" and _reason(event) == Ending.TRIPLE_RON
        if kind not in ("reach", "dahai", "dora", "hora") and not is_triple:
            hand.accept()  # also where a record leaves reach_accepted out
        if kind == "reach":
            hand.riichi(int(event["actor"]))
        elif kind == "dora":
            hand.indicator(from_mjai(event["dora_marker"]))
        elif kind == "hora":
            self.win(hand, event)
        elif kind == "ryukyoku":
            self.drawn(hand, event)
        elif kind in _MOVES:
            _move(hand, kind, event)

    def win(self, hand: HandBuilder, event: dict[str, Any]) -> None:
        who, from_who = int(event["actor"]), int(event["target"])
        deltas = self.deltas(event, hand)
        hand.ura([from_mjai(name) for name in event.get("ura_markers", event.get("uradora_markers")) or []])
        yaku = tuple((int(number), int(han)) for number, han in event.get("yaku") or ())
        points, limit, pao = event.get("hora_points"), event.get("limit"), event.get("pao")
        points = hand.value(self.game.rules, who, from_who, deltas) if points is None else int(points)
        hand.win(
            who,
            from_who,
            pao=None if pao is None else int(pao),
            han=sum(han for _, han in yaku) if "yaku" in event else int(event.get("fan") or 0),
            fu=int(event["fu"]) if event.get("fu") is not None else -1,
            points=points,
            limit=hand.limit(points, who, from_who) if limit is None else Limit(limit),
            yaku=yaku,
            yakuman=tuple(int(number) for number in event.get("yakuman") or ()),
            deltas=deltas,
        )

    def drawn(self, hand: HandBuilder, event: dict[str, Any]) -> None:
        silent = "deltas" not in event and "scores" not in event
        deltas = (0,) * self.players if silent else self.deltas(event, hand)
        reason = _reason(event)
        if reason is None:
            reason = hand.reason(deltas)
        shown = hand.shown(reason, deltas)
        tenpai = event.get("tenpais")
        if isinstance(tenpai, list):
            shown = tuple(seat for seat in range(self.players) if tenpai[seat])
        hand.end_drawn(reason, deltas, shown)

    def deltas(self, event: dict[str, Any], hand: HandBuilder) -> tuple[int, ...]:
        deltas = event.get("deltas")
        if isinstance(deltas, list):
            return tuple(int(delta) for delta in deltas[: self.players])
        after = event["scores"][: self.players]
        return tuple(int(now) - before for now, before in zip(after, hand.scores(), strict=True))

    def finish(self) -> Game:
        self.end_hand()
        return finish_game(self.game, rules_named=self.rules_named)


_MOVES: Final = {
    **{"tsumo": Event.DRAW, "dahai": Event.DISCARD, "chi": Event.CHII, "pon": Event.PON, "daiminkan": Event.DAIMINKAN},
    **{"ankan": Event.ANKAN, "kakan": Event.KAKAN, "kita": Event.KITA, "nukidora": Event.KITA},
}


def _move(hand: HandBuilder, kind: str, event: dict[str, Any]) -> None:
    move = _MOVES[kind]
    if event.get("pai") == "?":
        raise RecordError("a drawn tile is hidden: this is one player's view, not a record")
    tile = -1 if move in (Event.ANKAN, Event.KITA) else from_mjai(event["pai"])
    called = move in (Event.CHII, Event.PON, Event.DAIMINKAN)
    own = [from_mjai(name) for name in event["consumed"]] if called or move == Event.ANKAN else []
    from_who = int(event["target"]) if called else -1
    hand.add(move, int(event["actor"]), tile, from_who, own, move == Event.DISCARD and bool(event["tsumogiri"]))


def _reason(event: dict[str, Any]) -> Ending | None:
    name = str(event.get("reason") or "").lower()
    return _REASONS.get(name, _ALIASES.get(name))


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


def _rules(events: Sequence[dict[str, Any]], players: int) -> tuple[Rules, bool]:
    """Return the rules, and whether the record names them; otherwise Tenhou's, with red fives as seen."""
    rules = TENHOU_OF[players]
    for event in events:
        if event["type"] == "start_game" and isinstance(event.get("rules"), str):
            try:
                named = preset(event["rules"])
            except RuleError:
                break
            if named.players == players:
                return named, True
    seen = json.dumps(events)
    if not any(f'"5{suit}r"' in seen for suit in "mps"):
        rules = preset(f"{rules.name}-nored")
    return rules, False


# ---------------------------------------------------------------------------------------------------------
# Writing

_EVENT_NAMES: Final = {
    **{event: name for name, event in _MOVES.items()},
    **{Event.RIICHI: "reach", Event.ACCEPTED: "reach_accepted", Event.DORA: "dora"},
}


def write_mjai(game: Game, *, extras: bool = True) -> Iterator[dict[str, Any]]:
    """Yield the events of a game. Raises `RecordError` for an inconsistent hand.

    ``extras``: with all that the protocol has no field for (`janshi.riichi.records.extras`).
    """
    start = start_game_event(game.names, game.rules)
    around = game_extras(game) if extras else {}
    yield {**start, FIELD: around} if around else start
    for number, hand in enumerate(game.hands, start=1):
        try:
            yield from _write_hand(game, hand, extras)
        except RecordError as error:
            raise error.at(game.source, number) from None
    yield end_game_event(game.final_scores, game.final_points)


def start_game_event(names: Sequence[str], rules: Rules) -> dict[str, Any]:
    """Return the event that begins a game; rules are named where they are a preset."""
    start = {"type": "start_game", "names": list(names)}
    return {**start, "rules": rules.name} if _is_preset(rules) else start


def end_game_event(scores: Sequence[int] | None, points: Sequence[float] | None) -> dict[str, Any]:
    """Return the event that ends a game: points, and the result in thousands, as far as they are known."""
    end: dict[str, Any] = {"type": "end_game"}
    if scores is not None:
        end["scores"] = list(scores)
    if points is not None:
        end["points"] = list(points)
    return end


def _is_preset(rules: Rules) -> bool:
    try:
        return preset(rules.name) == rules
    except RuleError:
        return False


def write_mjai_text(games: Sequence[Game]) -> str:
    """Return games as JSON lines."""
    lines = [
        json.dumps(event, ensure_ascii=False, separators=(",", ":")) for game in games for event in write_mjai(game)
    ]
    return "\n".join(lines) + "\n"


def _write_hand(game: Game, hand: Hand, extras: bool) -> Iterator[dict[str, Any]]:
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


def hand_end_events(rules: Rules, hand: Hand) -> Iterator[dict[str, Any]]:
    """Yield how a hand ended: `hora` for each winner or `ryukyoku`, then `end_kyoku`."""

    def shown(identity: int) -> str:
        return to_mjai(tile_of_id(identity, rules.red_fives))

    if isinstance(hand.outcome, Drawn):
        drawn: dict[str, Any] = {"type": "ryukyoku", "reason": _REASON_NAMES[hand.outcome.reason]}
        if hand.outcome.shown is not None:
            drawn["tenpais"] = [seat in hand.outcome.shown for seat in range(rules.players)]
            holding = at_end(hand)
            drawn["tehais"] = [
                [shown(identity) for identity in sorted(tiles)] if seat in hand.outcome.shown else ["?"] * len(tiles)
                for seat, tiles in enumerate(holding.tiles)
            ]
        yield {**drawn, "deltas": list(hand.outcome.deltas)}
    else:
        ura = max((win.ura for win in hand.outcome), key=len, default=())
        for win in hand.outcome:
            rest = [shown(identity) for identity in win.hand if identity != win.tile]
            parts = fu_parts_of(rules, hand, win)
            yield _write_win(win, parts, [shown(identity) for identity in ura], shown(win.tile), rest)
    yield {"type": "end_kyoku"}


def _write_win(win: Win, parts: Sequence[FuPart], ura: list[str], tile: str, rest: list[str]) -> dict[str, Any]:
    fields: dict[str, Any] = {"type": "hora", "actor": win.who, "target": win.from_who, "pai": tile}
    fields |= {"hora_tehais": rest, "deltas": list(win.deltas), "ura_markers": ura, "fan": win.han}
    if win.fu >= 0:
        fields["fu"] = win.fu
    if parts:
        fields["fu_parts"] = [list(part) for part in parts]
    fields |= {"hora_points": win.points, "limit": int(win.limit)}
    fields["yaku"] = [list(pair) for pair in win.yaku]
    if win.yakuman:
        fields["yakuman"] = list(win.yakuman)
    if win.pao is not None:
        fields["pao"] = win.pao
    return fields


def _detect(data: bytes, start: str) -> bool:
    line = start.partition("\n")[0]
    return line.startswith(("{", "[")) and '"type"' in line and '"log"' not in line


FORMAT: Final = RecordFormat(
    name="mjai",
    game="riichi",
    suffixes=(".jsonl", ".ndjson", ".mjson", ".mjai"),
    detect=_detect,
    read=lambda data, name: read_each(parse_mjai(text_of(data, name), name), read_mjai, name),
    write=lambda games: [write_mjai_text(games)],
)
