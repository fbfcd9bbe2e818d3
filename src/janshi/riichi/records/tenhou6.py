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
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import quote, unquote

from janshi.records.formats import RecordError, RecordFormat, json_values, lines_of, read_each, reading, text_of
from janshi.riichi.records.builder import HandBuilder, Start, finish_game
from janshi.riichi.records.extras import FIELD, add_game_extras, add_hand_extras, game_extras, hand_extras
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
    Drawn,
    Game,
    Hand,
    Limit,
    Win,
    flags_of,
    rules_of_flags,
)
from janshi.riichi.rules import MAHJONG_SOUL, MAHJONG_SOUL_SANMA, PRESETS, KanDora, RuleError, Rules, preset
from janshi.riichi.state import Ending, Event
from janshi.riichi.yaku import DORA, YAKU
from janshi.tiles import from_tenhou, tile_of_id, to_tenhou

_LIMITS: Final = ("", "満貫", "跳満", "倍満", "三倍満", "役満")

_REASONS: Final = {
    "流局": Ending.EXHAUSTIVE,
    "全員聴牌": Ending.EXHAUSTIVE,
    "全員不聴": Ending.EXHAUSTIVE,
    "流し満貫": Ending.NAGASHI_MANGAN,
    "九種九牌": Ending.KYUUSHU_KYUUHAI,
    "四風連打": Ending.FOUR_WINDS,
    "四家立直": Ending.FOUR_RIICHI,
    "四槓散了": Ending.FOUR_KANS,
    "三家和了": Ending.TRIPLE_RON,
}
_REASON_NAMES: Final = {reason: name for name, reason in _REASONS.items() if name not in ("全員聴牌", "全員不聴")}

_DAN: Final = (
    *("新人", "９級", "８級", "７級", "６級", "５級", "４級", "３級", "２級", "１級"),
    *("初段", "二段", "三段", "四段", "五段", "六段", "七段", "八段", "九段", "十段", "天鳳位"),
)

_ROOMS: Final = {"般": 0, "上": UPPER_ROOM, "特": SPECIAL_ROOM, "鳳": UPPER_ROOM | SPECIAL_ROOM}
#: Rooms of Mahjong Soul in converted records (ranked, of friends, tournaments), and its names of records.
_SOUL: Final = re.compile("の間|友人戦|大会戦|^mahjong-soul")
UUID: Final = re.compile("[0-9]{6}-[0-9a-z]{8}-[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{12}")
_LOG_ADDRESS: Final = re.compile(r"[?&]log=(\d{10}gm-[0-9a-f]{4}-[0-9]{4,8}-x?[0-9a-f]{8,12})(?![0-9a-z])")
_DISP: Final = re.compile("(三?)([般上特鳳])([東南])(喰?)(赤?)(速?)")
#: Parlour tables: their names, the rooms that these are, and the chips.
_PARLOURS: Final = {"若": 0, "銀": UPPER_ROOM, "琥": SPECIAL_ROOM, "孔": UPPER_ROOM | SPECIAL_ROOM}
_CHIPS: Final = {"0": PARLOUR, "2": PARLOUR_CHIPS, "5": PARLOUR | PARLOUR_CHIPS}
_PARLOUR_DISP: Final = re.compile("([三四])([若銀琥孔])(東速|南)祝([025])")


def _plain_name(name: str) -> str:
    return re.sub(r"[\s:：・]", "", name).replace("么", "幺").replace("発", "發")


_NAMES: Final = tuple(yaku.japanese for yaku in YAKU)
_YAKU_NUMBERS: Final = {_plain_name(name): number for number, name in enumerate(_NAMES)} | {
    "ダブル立直": 21,
    "自摸": 0,
    "国士無双十三面": 48,
    "国士無双十三面待ち": 48,
    # Tenhou counts kitas among the dora; others print them apart.
    "抜きドラ": DORA,
}
#: Maximum length of the text of a yaku for the pattern below.
_LONGEST_YAKU: Final = 40
_YAKU_TEXT: Final = re.compile(r"(.+?)\(?(?:(\d+)[飜翻番]|([^()]*役満))\)?")
_VALUE: Final = re.compile(r"(?:(\d+)符(\d+)[飜翻番])?(\D*?)(\d+)(?:-(\d+))?点(∀?)")
_CALL: Final = re.compile(r"((?:\d\d)*)([cpmkaf])((?:\d\d)+)")
#: Whom a call is from, by the index of its letter (in tiles): counted from the caller in the four-seat ring.
_DISCARDERS: Final = {0: 3, 1: 2, 2: 1, 3: 1}


# ---------------------------------------------------------------------------------------------------------
# Reading


def parse_tenhou6(text: str, source: str = "") -> list[dict[str, Any]]:
    """Return the game objects in a text: one object, a list of them, a JSON line each, or viewer addresses.

    Raises `RecordError` if it is none of these.
    """
    text = text.strip().removeprefix("\ufeff")
    if text[:1] in ("{", "["):
        values = json_values(text, source)
    else:
        values = [_of_address(line, source) for line in lines_of(text) if line.strip()]
    games = [game for value in values for game in (value if isinstance(value, list) else [value])]
    for game in games:
        if not isinstance(game, dict) or not isinstance(game.get("log"), list):
            raise RecordError("not a record of tenhou.net/6: it has no list named log", source)
    if not games:
        raise RecordError("the record contains no game", source)
    return games


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


def read_tenhou6(record: dict[str, Any], source: str = "") -> Game:
    """Read one game object. Raises `RecordError` for a damaged or inconsistent one."""
    with reading(source) as place:
        game = _start(record, source)
        known = _hand_extras(game, record)
        for number, log in enumerate(record["log"], start=1):
            _read_hand(game, number, log, known[number - 1] if known else None)
        place.what = "the record"
        return _finish(game, record)


def _read_hand(game: Game, number: int, log: Any, extras: Any) -> None:
    """Add a hand (from 1) to a game; one that cannot be read is cut."""
    try:
        with reading("") as place:
            place.what = "the hand"
            game.hands.append(add_hand_extras(game, _Log(log, game).read(), extras))
    except RecordError as error:
        game.cut_hand(number, error)


def _start(record: dict[str, Any], source: str) -> Game:
    rule = record.get("rule") or {}
    disp = str(rule.get("disp", ""))
    logs = record["log"]
    three = all(not log[13] and not log[14] for log in logs) and (not logs or len(logs[0][1]) < 4 or not logs[0][1][3])
    players = 3 if three else 4
    name = f"{record.get('ref', '')} {source}"
    flags, rules = rules_of_disp(disp, players, name)
    game = Game(
        source=source,
        format="tenhou6",
        players=players,
        rules=rules,
        names=[str(name) for name in record.get("name") or ()],
        hands=[],
        flags=flags,
        lobby=str(record.get("lobby", "")),
        ref=str(record.get("ref", "")),
    )
    dan = record.get("dan")
    if isinstance(dan, list) and all(grade in _DAN for grade in dan[:players]) and len(dan) >= players:
        game.dan = [_DAN.index(grade) for grade in dan[:players]]
    if isinstance(record.get("rate"), list):
        game.rates = [float(rate) for rate in record["rate"][:players]]
    if isinstance(record.get("sx"), list):
        game.sex = [str(sex) for sex in record["sx"][:players]]
    add_game_extras(game, record.get(FIELD))
    if game.flags is not None and game.flags != flags:
        game.rules = rules_of_flags(game.flags, name)  # the viewer's name of a table does not tell all types apart
    reds = _reds(rule, logs, players, game.rules)
    if reds != game.rules.red_fives:
        game.rules = replace(game.rules, red_fives=reds) if any(reds) else preset(f"{game.rules.name}-nored")
    return game


def _hand_extras(game: Game, record: dict[str, Any]) -> list[Any]:
    """Return the record's additional values of each hand; empty if there are none."""
    extras = record.get(FIELD)
    known = extras.get("hands", []) if isinstance(extras, dict) else []
    if not isinstance(known, list) or (known and len(known) != len(record["log"])):
        game.ignore(f"the field {FIELD} of another number of hands than the record")
        return []
    return known


def rules_of_disp(disp: str, players: int, name: str = "") -> tuple[int | None, Rules]:
    """Return Tenhou's type of game and the rules named by ``rule.disp``; ``name`` is the record's.

    The type is None where the text names none: the rules are then a preset of that name, or Tenhou's.
    """
    match = _DISP.fullmatch(disp)
    if match:
        three, room, length, open_tanyao, red, fast = match.groups()
        flags = HUMAN | _ROOMS[room]
        flags |= SANMA if three else 0
        flags |= EAST_SOUTH if length == "南" else 0
        flags |= 0 if open_tanyao else NO_OPEN_TANYAO
        flags |= 0 if red else NO_RED
        flags |= FAST if fast else 0
        if bool(three) == (players == 3):
            return flags, rules_of_flags(flags, name)
    match = _PARLOUR_DISP.fullmatch(disp)
    if match and (match[1] == "三") == (players == 3):
        flags = HUMAN | _PARLOURS[match[2]] | _CHIPS[match[4]]
        flags |= (SANMA if players == 3 else 0) | (EAST_SOUTH if match[3] == "南" else 0)
        return flags, rules_of_flags(flags, name)
    try:
        rules = preset(disp)
        if rules.players == players:
            return None, rules
    except RuleError:
        pass
    if _SOUL.search(disp) or UUID.match(name):  # a room of Mahjong Soul, in a converted record
        return None, MAHJONG_SOUL_SANMA if players == 3 else MAHJONG_SOUL
    return None, rules_of_flags(EAST_SOUTH | (SANMA if players == 3 else 0), name)


def _reds(rule: dict[str, Any], logs: list[Any], players: int, rules: Rules) -> tuple[int, int, int]:
    """Return the red fives of man, pin and sou: as named, else as seen."""
    if any(name in rule for name in ("aka51", "aka52", "aka53")):
        reds = [int(rule.get(name) or 0) for name in ("aka51", "aka52", "aka53")]
    elif "aka" in rule:
        reds = [min(int(rule["aka"]), 1)] * 3
    else:
        reds = list(rules.red_fives) if re.search(r"\b5[123]\b|[a-z](?:\d\d)*5[123]", json.dumps(logs)) else [0, 0, 0]
    return (0 if players == 3 else reds[0], reds[1], reds[2])


def _finish(game: Game, record: dict[str, Any]) -> Game:
    final = record.get("sc")
    if isinstance(final, list) and len(final) >= 2 * game.players:
        count = 2 * game.players
        game.final_scores = [int(points) for points in final[0:count:2]]
        game.final_points = [float(result) for result in final[1:count:2]]
    if game.flags is not None or game.rules.name not in PRESETS or "rule" not in record:
        return finish_game(game, rules_named=True)
    if "東" not in str(record["rule"].get("disp", "")):
        return finish_game(game, rules_named=False)
    game.rules = preset(f"{game.rules.name}-east")
    return finish_game(game, rules_named=True)


@dataclass(slots=True)
class _Step:
    """One entry of a seat's takes with the entry of its discards beside it."""

    call: Event | None  # how the tile was taken: None for a draw
    tile: int
    own: list[int]  # tiles (0–36) laid down for a call
    discarder: int  # counted from the caller
    action: Event | None  # what was done then: None if the hand ended, or a replacement follows an open kan
    out: int  # tile discarded, added, or set aside
    laid: list[int]  # of a closed kan
    tsumogiri: bool
    riichi: bool

    @property
    def goes_on(self) -> bool:
        """True if the same seat draws next."""
        return self.call == Event.DAIMINKAN or self.action in (Event.ANKAN, Event.KAKAN, Event.KITA)


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


def _steps(takes: list[Any], discards: list[Any]) -> list[_Step]:
    if len(discards) > len(takes):
        raise RecordError(f"{len(discards)} discards after {len(takes)} tiles taken")
    steps = []
    for index, take in enumerate(takes):
        if isinstance(take, str) and not take.isdigit():
            letter, discarder, tile, own = _split(take)
            if letter not in _CALLS:
                raise RecordError(f"invalid entry {take!r} among the takes")
            step = _Step(_CALLS[letter], tile, own, discarder, None, -1, [], False, False)
        else:
            step = _Step(None, from_tenhou(int(take)), [], 0, None, -1, [], False, False)
        if index < len(discards):
            _act(step, discards[index])
        steps.append(step)
    return steps


def _act(step: _Step, entry: Any) -> None:
    if step.call == Event.DAIMINKAN:
        if entry != 0:
            raise RecordError(f"{entry!r} is discarded after an open kan before the replacement draw")
        return
    if isinstance(entry, str) and entry[:1] == "r":
        step.riichi = True
        entry = int(entry[1:])
    elif isinstance(entry, str) and not entry.isdigit():
        letter, _, tile, others = _split(entry)
        if letter not in _KANS:
            raise RecordError(f"invalid entry {entry!r} among the discards")
        step.action, step.out = _KANS[letter], tile
        step.laid = [*others, tile]
        return
    entry = int(entry)
    step.action = Event.DISCARD
    step.tsumogiri = entry == 60
    if step.tsumogiri and step.call is not None:
        raise RecordError("tsumogiri after a call")
    step.out = step.tile if step.tsumogiri else from_tenhou(entry)


def _whole(value: Any, what: str) -> int:
    """Return a value that must be a number without a fraction."""
    if type(value) is not int:
        raise RecordError(f"{value!r} is not a number {what}")
    return value


class _Log:
    """Reader of one hand."""

    #: Steps tried before the search for an order is given up; a hand has about 70.
    patience = 50_000

    def __init__(self, log: list[Any], game: Game) -> None:
        players = game.players
        self.players, self.rules = players, game.rules
        if len(log) != 17:
            raise RecordError(f"the hand has {len(log)} entries, not 17")
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
        self.steps = [_steps(log[5 + 3 * seat], log[6 + 3 * seat]) for seat in range(players)]
        self.result = log[16]
        if not self.result or not isinstance(self.result[0], str):
            raise RecordError("the hand has no result")

    def read(self) -> Hand:
        hand = self.hand
        order = self.order()
        pending, shown = 0, 1

        def reveal(count: int) -> None:
            nonlocal shown
            for tile in self.dora[shown : shown + count]:
                hand.indicator(tile)
            shown += count

        try:
            for position, (seat, index) in enumerate(order):
                step = self.steps[seat][index]
                if step.call is None:
                    hand.draw(seat, step.tile)
                else:
                    hand.lay(step.call, seat, step.tile, (seat + step.discarder) % 4, step.own)
                if step.goes_on:
                    # Indicators of earlier open kans are turned over now, a closed kan's own at once.
                    kan = step.action or step.call
                    if step.action is not None:
                        hand.add(step.action, seat, step.out, own=step.laid)
                    pending += step.action == Event.ANKAN
                    waits = kan in (Event.DAIMINKAN, Event.KAKAN) and self.rules.kan_dora != KanDora.AT_ONCE
                    pending += int(kan in (Event.DAIMINKAN, Event.KAKAN) and not waits)
                    if position == len(order) - 1:
                        # Robbed: Tenhou turns nothing over before the claims are settled.
                        pending = min(pending, len(self.dora) - shown)
                    reveal(pending)
                    pending = int(waits)
                elif step.action == Event.DISCARD:
                    reveal(pending)
                    pending = 0
                    if step.riichi:
                        hand.riichi(seat)
                    hand.discard(seat, step.out, step.tsumogiri)
                    if step.riichi and not (position == len(order) - 1 and self.won_on_discard()):
                        hand.accept()
        except RecordError as error:
            raise error.at(event=len(hand.rows) + 1) from None
        if shown != len(self.dora):
            raise RecordError(f"{len(self.dora)} dora indicators in the list, {shown} turned over")
        self.end(hand)
        return hand.finish()

    def won_on_discard(self) -> bool:
        if self.result[0] == "和了":
            return bool(self.result[2][0] != self.result[2][1])
        return _REASONS.get(self.result[0]) == Ending.TRIPLE_RON

    def order(self) -> list[tuple[int, int]]:
        """Find the order of all steps, as (seat, number of its step)."""
        nexts = [0] * self.players
        order: list[tuple[int, int]] = []
        # Branches left: length of the order before each, and the seats still to try.
        choices: list[tuple[int, list[int]]] = []
        options = [self.dealer] if self.steps[self.dealer] else []
        if not options and not any(self.steps):
            return []
        for _ in range(self.patience):
            if not options and self.is_end(order, nexts):
                return order
            while not options:
                if not choices:
                    raise RecordError("no order of draws, calls and discards is consistent")
                length, options = choices.pop()
                for seat, index in reversed(order[length:]):
                    nexts[seat] = index
                del order[length:]
            seat = options[0]
            if options[1:]:
                choices.append((len(order), options[1:]))
            order.append((seat, nexts[seat]))
            nexts[seat] += 1
            options = self.options(seat, nexts)
        raise RecordError("no consistent order of draws, calls and discards was found in reasonable time")

    def options(self, seat: int, nexts: Sequence[int]) -> list[int]:
        """Return the seats that may act after a seat's latest step, the likeliest first."""
        step = self.steps[seat][nexts[seat] - 1]

        def upcoming(other: int) -> _Step | None:
            return self.steps[other][nexts[other]] if nexts[other] < len(self.steps[other]) else None

        if step.goes_on or step.action is None:
            after = upcoming(seat)
            return [seat] if step.goes_on and after is not None and after.call is None else []
        callers = []
        for other in range(self.players):
            after = upcoming(other)
            if other == seat or after is None or after.call is None:
                continue
            if after.tile == step.out and (other + after.discarder) % 4 == seat:
                callers.append((after.call == Event.CHII, other))
        seats = [other for _, other in sorted(callers)]
        turn = (seat + 1) % self.players
        after = upcoming(turn)
        if after is not None and after.call is None:
            seats.append(turn)
        return seats

    def is_end(self, order: Sequence[tuple[int, int]], nexts: Sequence[int]) -> bool:
        """Return whether every list is used up and the last step fits the result."""
        if any(done != len(steps) for done, steps in zip(nexts, self.steps, strict=True)):
            return False
        seat, index = order[-1]
        action = self.steps[seat][index].action
        if self.result[0] == "和了":
            who, from_who = self.result[2][:2]
            return bool(seat == from_who and (action is None) == (who == from_who))
        # Kyuushu kyuuhai are declared on a draw; everything else ends with a discard or a kan.
        return (action is None) == (_REASONS.get(self.result[0]) == Ending.KYUUSHU_KYUUHAI)

    def end(self, hand: HandBuilder) -> None:
        result, players = self.result, self.players
        if result[0] != "和了":
            if result[0] not in _REASONS:
                raise RecordError(f"unknown result {result[0]!r}")
            reason = _REASONS[result[0]]
            deltas = tuple(int(amount) for amount in result[1][:players]) if len(result) > 1 else (0,) * players
            shown = hand.shown(reason, deltas)
            if result[0] in ("全員聴牌", "全員不聴"):
                shown = tuple(range(players)) if result[0] == "全員聴牌" else ()
            hand.end_drawn(reason, deltas, shown)
            return
        if len(result) < 3 or len(result) % 2 == 0:
            raise RecordError("winners and payments are not in pairs")
        hand.ura(self.ura)
        for deltas_, detail in zip(result[1::2], result[2::2], strict=True):
            who, from_who, pao = (_whole(seat, "of a seat") for seat in detail[:3])
            yaku, yakuman = _yaku(detail[4:])
            fu, points, limit = _value(detail[3], players, who == from_who)
            hand.win(
                who,
                from_who,
                pao=pao if pao != who else None,
                han=sum(han for _, han in yaku),
                fu=fu,
                points=points,
                limit=limit,
                yaku=yaku,
                yakuman=yakuman,
                deltas=tuple(int(amount) for amount in deltas_[:players]),
            )


def _yaku(texts: Sequence[str]) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
    counted: dict[int, int] = {}
    yakuman = []
    for text in texts:
        match = _YAKU_TEXT.fullmatch(text) if len(text) <= _LONGEST_YAKU else None
        number = _YAKU_NUMBERS.get(_plain_name(match[1])) if match else None
        if match is None or number is None:
            raise RecordError(f"unknown yaku {text[:_LONGEST_YAKU]!r}")
        if match[2] is None:
            yakuman.append(number)
        else:
            counted[number] = counted.get(number, 0) + int(match[2])
    return tuple(counted.items()), tuple(yakuman)


def _value(text: str, players: int, self_draw: bool) -> tuple[int, int, Limit]:
    """Return fu, points of all payers together, and limit, from a text like ``40符3飜5200点``."""
    match = _VALUE.fullmatch(text)
    if match is None:
        raise RecordError(f"invalid value of a hand {text!r}")
    fu, _, name, points, dealer_points, all_pay = match.groups()
    value = int(points)
    if all_pay:
        value *= players - 1
    elif self_draw and dealer_points:
        value = (players - 2) * value + int(dealer_points)
    limit = Limit(_LIMITS.index(name)) if name in _LIMITS else Limit.YAKUMAN if "役満" in name else Limit.NONE
    return int(fu) if fu else -1, value, limit


# ---------------------------------------------------------------------------------------------------------
# Writing


def write_tenhou6(game: Game, *, extras: bool = True) -> dict[str, Any]:
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
        "disp": _disp(flags) if tenhou else game.rules.name,
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
    if game.final_scores is not None and game.final_points is not None:
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


def write_tenhou6_text(games: Sequence[Game]) -> str:
    """Return games as JSON text: an object for one, a list of objects for several."""
    records = [write_tenhou6(game) for game in games]
    return _text(records[0] if len(records) == 1 else records)


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def viewer_address(game: Game) -> str:
    """Return the address that shows a game in Tenhou's viewer."""
    return "https://tenhou.net/6/#json=" + quote(_text(write_tenhou6(game, extras=False)))


def _padded(values: Sequence[Any], absent: Any) -> list[Any]:
    return [*values, *[absent] * (4 - len(values))]


def _disp(flags: int) -> str:
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


#: Fields of `Game` that the format has itself.
_OWN: Final = ("ref", "lobby", "dan", "rates", "sex")


def _write_hand(game: Game, hand: Hand) -> list[Any]:
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


def _write_result(game: Game, hand: Hand) -> list[Any]:
    outcome = hand.outcome
    if isinstance(outcome, Drawn):
        deltas = _padded(outcome.deltas, 0)
        if outcome.reason == Ending.EXHAUSTIVE and not any(deltas) and outcome.shown is not None:
            return ["全員聴牌" if outcome.shown else "全員不聴"]
        name = _REASON_NAMES[outcome.reason]
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


def _value_text(win: Win, dealer: int, players: int) -> str:
    start = _LIMITS[win.limit]
    if win.limit == Limit.NONE and win.fu >= 0 and win.han:
        start = f"{win.fu}符{win.han}飜"
    if win.who != win.from_who:
        return f"{start}{win.points}点"
    if win.who == dealer:
        return f"{start}{win.points // (players - 1)}点∀"
    # The dealer pays twice the share of the others, or 100 less where both were rounded up.
    share = (win.points + 100) // (100 * (4 if players == 4 else 3)) * 100
    return f"{start}{share}-{win.points - (players - 2) * share}点"


def read_tenhou6_text(text: str, source: str = "") -> Iterator[Game]:
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
    write=lambda games: [write_tenhou6_text(games)],
)
