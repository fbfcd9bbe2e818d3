"""Records of Riichi City (麻雀一番街), as its site sends them (``record/getRoomData``): JSON with events as JSON texts.

``handRecord`` holds the hands, each with its players and ``handEventRecord``: the events, whose field ``data`` is
itself a JSON text. Players are named by their accounts (``userId``), hands by the position of the dealer. Tiles are
numbers: 1–9 pin, 17–25 sou, 33–41 man, 49 to 145 by sixteens the winds and dragons, 256 more for red fives. The wall
is in the record (``paiShan``), in Mahjong Soul's order.

The format is not documented; this module follows public programs that read it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from janshi.records.formats import Place, RecordError, RecordFormat, json_values, read_each, reading, text_of
from janshi.riichi.hands.scoring import basic_points
from janshi.riichi.hands.yaku import YAKUMAN
from janshi.riichi.records.builder import HandBuilder, Start, finish_game
from janshi.riichi.records.building import DrawnTile, Turned
from janshi.riichi.records.model import UNFINISHED, UNKNOWN_YAKU, WRONG_WALL, Limit, RiichiGame, limit_of_basic
from janshi.riichi.records.riichi_city_rules import rules_of_room, with_results, with_time_of_kan_dora
from janshi.riichi.records.walls import wall_of_tiles
from janshi.riichi.rules.yaku import DORA, YakuId
from janshi.riichi.state import Ending, Event
from janshi.tiles import EAST, KINDS, NORTH, kind_of

if TYPE_CHECKING:
    from janshi.riichi.rules.record import RulesRecord

#: First numbers of the suits, with the first of our tiles in each.
_SUITS: Final = ((1, 9), (17, 18), (33, 0))
#: Riichi City's number of each tile, by ours (0–36).
TILE_NUMBERS: Final = {
    **{first + rank: start + rank for start, first in _SUITS for rank in range(9)},
    **{EAST + rank: 49 + 16 * rank for rank in range(7)},
    **{KINDS + suit: 256 + start + 4 for suit, start in enumerate((33, 1, 17))},
}
_TILES: Final = {number: tile for tile, number in TILE_NUMBERS.items()}

#: Numbers of the yaku (``fang_type``).
_YAKU: Final = dict(
    enumerate(
        (
            *(YakuId.RIICHI, YakuId.MENZEN_TSUMO, YakuId.IPPATSU, YakuId.RINSHAN_KAIHOU, YakuId.HAITEI, YakuId.HOUTEI),
            *(YakuId.CHANKAN, YakuId.CHUN, YakuId.HATSU, YakuId.HAKU),
            *(YakuId.ROUND_WIND_EAST, YakuId.SEAT_WIND_EAST),  # one number for all winds
            *(YakuId.IIPEIKOU, YakuId.PINFU, YakuId.TANYAO, YakuId.DOUBLE_RIICHI, YakuId.TOITOI, YakuId.CHIITOITSU),
            *(YakuId.SANANKOU, YakuId.SANKANTSU, YakuId.HONROUTOU, YakuId.CHANTA, YakuId.ITTSUU),
            *(YakuId.SANSHOKU_DOUJUN, YakuId.SHOUSANGEN, YakuId.SANSHOKU_DOUKOU, YakuId.JUNCHAN, YakuId.HONITSU),
            *(YakuId.RYANPEIKOU, YakuId.CHINITSU, None, YakuId.TENHOU, YakuId.CHIIHOU, YakuId.RENHOU),
            *(YakuId.KOKUSHI_MUSOU, YakuId.KOKUSHI_MUSOU_13_SIDED, YakuId.CHUUREN_POUTOU),
            *(YakuId.JUNSEI_CHUUREN_POUTOU, YakuId.SUUANKOU, YakuId.SUUANKOU_TANKI, YakuId.SUUKANTSU),
            *(YakuId.CHINROUTOU, YakuId.TSUUIISOU, YakuId.DAISUUSHII, YakuId.SHOUSUUSHII, YakuId.DAISANGEN),
            *(YakuId.RYUUIISOU, None, None, YakuId.RED_FIVES, YakuId.DORA, YakuId.URA_DORA),
        )
    )
)
ROUND_WIND: Final = 10
SEAT_WIND: Final = 11
NAGASHI_MANGAN: Final = 30
KITA: Final = 55
#: Riichi City's number of each yaku, by ours.
FANGS: Final = {int(yaku): number for number, yaku in _YAKU.items() if yaku is not None}
_YAKUMAN_LABELS: Final = frozenset(FANGS[number] for number in YAKUMAN)

#: ``eventType``. Others (clocks, offers, tenpai, pauses) tell nothing that is played.
DEALT, DRAWN, ACTED, ENDED, GAME_OVER, TURNED_OVER = 1, 2, 4, 5, 6, 7
#: ``action`` of an `ACTED` event: chii of the lowest, middle and highest tile, and the others.
CHIIS: Final = (2, 3, 4)
PON, OPEN_KAN, RON, CLOSED_KAN, ADDED_KAN, TSUMO, DISCARD, ABORT, NORTH_ASIDE = 5, 6, 7, 8, 9, 10, 11, 12, 13
#: ``end_type`` of an `ENDED` event.
RON_END, TSUMO_END, EXHAUSTED, STOPPED = 0, 1, 7, 8
ABORTS: Final = {
    2: Ending.FOUR_WINDS,
    3: Ending.FOUR_KANS,
    4: Ending.FOUR_RIICHI,
    5: Ending.TRIPLE_RON,
    6: Ending.KYUUSHU_KYUUHAI,
}
#: ``quan_feng``: the wind of the round, as a tile.
WINDS: Final = (49, 65, 81, 97)


def is_riichi_city(data: bytes, start: str) -> bool:
    """Return whether bytes are a record of Riichi City; ``start``: their beginning as text.

    >>> is_riichi_city(b'{"data": {"handRecord": []}}', "{"), is_riichi_city(b'{"log": []}', "{")
    (True, False)
    """
    return start.startswith(("{", "[")) and (b'"handRecord"' in data or b'"handEventRecord"' in data)


def parse_riichi_city(text: str, source: str = "") -> list[dict[str, Any]]:
    """Return the games in a text: one, a list of them, or one a line, with or without the site's envelope.

    Raises `RecordError` if it contains none.
    """
    values = json_values(text, source)
    games = [game for value in values for game in (value if isinstance(value, list) else [value])]
    found = []
    for game in games:
        inner = game.get("data", game) if isinstance(game, dict) else None
        if isinstance(game, dict) and game.get("code") and not isinstance(inner, dict):
            raise RecordError(f"an error of Riichi City in place of a record: {str(game.get('message'))[:80]}", source)
        if not isinstance(inner, dict) or not isinstance(inner.get("handRecord"), list):
            raise RecordError("not a record of Riichi City: a game is an object with the list handRecord", source)
        found.append(inner)
    return found


def read_riichi_city(record: dict[str, Any], source: str = "") -> RiichiGame:
    """Read one game; a hand that cannot be read is cut (`RiichiGame.cut`).

    Raises `RecordError` if no hand can be read, and for rules that are not supported.
    """
    with reading(source) as place:
        reader = _Reader(record, source)
        for number, hand in enumerate(record["handRecord"], start=1):
            reader.read(number, hand)
        place.what = "the record"
        return reader.finish()


def _tile(number: Any) -> int:
    if type(number) is not int or number not in _TILES:
        raise RecordError(f"invalid tile {str(number)[:20]!r}")
    return _TILES[number]


def _tiles(numbers: Any) -> list[int]:
    return [_tile(number) for number in numbers or ()]


def _content(event: dict[str, Any]) -> dict[str, Any]:
    """Return the content of an event: an object, or one as a JSON text."""
    data = event.get("data")
    if isinstance(data, str):
        try:
            data = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise RecordError(f"the text of the event is not valid JSON ({error})") from None
    if not isinstance(data, dict):
        raise RecordError("the event contains no object")
    return data


class _Reader:
    """Reader of one game."""

    def __init__(self, record: dict[str, Any], source: str) -> None:
        self.record = record
        players = record.get("playerCount")
        if players not in (3, 4):
            raise RecordError(f"a game of {str(players)[:20]} players; Riichi is played by 3 or 4")
        self.players: int = players
        hands = record["handRecord"]
        if not hands:
            raise RecordError("the record contains no hand")
        rules, custom = rules_of_room(record, players)
        self.positions = self.accounts(hands[0])
        self.first = -1  # position of the first dealer
        self.game = RiichiGame(
            source=source,
            format="riichi-city",
            players=players,
            rules=rules,
            names=[],
            hands=[],
            ref=str(record.get("keyValue") or ""),
            custom=custom,
        )
        if custom:
            self.game.note(f"not checked: {custom}")
        self.hand: HandBuilder | None = None
        self.deals: dict[int, list[int]] = {}  # by position
        self.hand_over = self.over = False

    def accounts(self, hand: dict[str, Any]) -> dict[int, int]:
        """Return the positions of the players, by account."""
        positions = {int(player["userId"]): int(player["position"]) for player in hand["players"]}
        if sorted(positions.values()) != list(range(self.players)):
            raise RecordError(f"the positions of the players are not 0 to {self.players - 1}, each once")
        return positions

    def seat(self, account: Any) -> int:
        """Return our seat of an account."""
        if account not in self.positions:
            raise RecordError(f"the account {str(account)[:20]} is none of the players")
        return (self.positions[account] - self.first) % self.players

    def read(self, number: int, record: dict[str, Any]) -> None:
        """Read one hand (from 1); one that cannot be read is cut."""
        try:
            with reading("") as place:
                place.what = "the hand"
                self.read_hand(record, place)
        except RecordError as error:
            self.game.cut_hand(number, error)

    def read_hand(self, record: dict[str, Any], place: Place) -> None:
        self.hand, self.deals, self.hand_over = None, {}, False
        if self.over:
            raise RecordError("a hand follows the end of the game")
        for number, event in enumerate(record["handEventRecord"], start=1):
            place.event = number
            place.what = f"the event of type {event['eventType']}"
            take = _EVENTS.get(event["eventType"])
            if take is not None:
                take(self, event.get("userId"), _content(event))
        place.what, place.event = "the hand", None
        if self.hand is None:
            raise RecordError("a hand without a deal")
        if self.hand.outcome or not self.over:
            hand = self.hand.finish()
            if record.get("paiShan"):
                try:
                    hand.wall = wall_of_tiles(_tiles(record["paiShan"]), hand, self.game.rules.red_fives)
                except RecordError:
                    self.game.ignore(WRONG_WALL)
            self.game.hands.append(hand)

    def deal(self, account: Any, data: dict[str, Any]) -> None:
        """Take one seat's deal; the last of them begins the hand."""
        if account not in self.positions:
            raise RecordError(f"the account {str(account)[:20]} is none of the players")
        self.deals[self.positions[account]] = _tiles(data["hand_cards"])
        if len(self.deals) < self.players:
            return
        if self.hand is not None:
            raise RecordError("a second deal in one hand")
        if data["quan_feng"] not in WINDS or not 1 <= data["chang_ci"] <= self.players:
            raise RecordError(f"invalid round: quan_feng {data['quan_feng']}, chang_ci {data['chang_ci']}")
        dealer = data["chang_ci"] - 1
        if self.first < 0:
            self.first = (int(data["dealer_pos"]) - dealer) % self.players
        if (self.first + dealer) % self.players != data["dealer_pos"]:
            raise RecordError(f"position {data['dealer_pos']} deals in hand {data['chang_ci']} of the round")
        points = {self.seat(each["user_id"]): int(each["hand_points"]) for each in data["user_info_list"]}
        deal = [self.deals[(self.first + seat) % self.players] for seat in range(self.players)]
        fourteenth = deal[dealer].pop() if len(deal[dealer]) == 14 else None
        start = Start(
            round=4 * WINDS.index(data["quan_feng"]) + dealer,
            dealer=dealer,
            honba=int(data["ben_chang_num"]),
            deposits=int(data["li_zhi_bang_num"]),
            scores=[points[seat] for seat in range(self.players)],
        )
        self.hand = HandBuilder(self.game.rules.red_fives, deal, _tile(data["bao_pai_card"]), start)
        if fourteenth is not None:
            self.hand.draw(dealer, fourteenth)

    @property
    def played(self) -> HandBuilder:
        """The hand in play. Raises `RecordError` before the deals."""
        if self.hand is None:
            raise RecordError("it comes before every seat has its deal")
        return self.hand

    # -------------------------------------------------------------------------------------------------------
    # Play

    def draw(self, account: Any, data: dict[str, Any]) -> None:
        """Take a turn: with no tile it is the dealer's first, or follows a call."""
        if data.get("in_card"):
            self.played.draw(self.seat(account), _tile(data["in_card"]))

    def act(self, account: Any, data: dict[str, Any]) -> None:
        hand, action = self.played, data["action"]
        if action in (RON, TSUMO, ABORT):
            return  # the end of the hand follows, with its payments
        seat = self.seat(data.get("user_id", account))
        if action == DISCARD:
            self.discard(hand, seat, data)
            return
        tile = _tile(data["card"])
        if action in (*CHIIS, PON, OPEN_KAN):
            event = Event.CHII if action in CHIIS else Event.PON if action == PON else Event.DAIMINKAN
            own = _tiles(data.get("group_cards")) or [
                each for each in hand.held(seat) if kind_of(each) == kind_of(tile)
            ]
            hand.add(event, seat, tile, hand.offerer, own)
        elif action == CLOSED_KAN:
            hand.add(Event.ANKAN, seat, tile)
        elif action == ADDED_KAN:
            hand.add(Event.KAKAN, seat, tile)
        elif action == NORTH_ASIDE:
            hand.add(Event.KITA, seat, NORTH)
        else:
            raise RecordError(f"unknown action {str(action)[:20]}")

    def discard(self, hand: HandBuilder, seat: int, data: dict[str, Any]) -> None:
        tile = _tile(data["card"])
        if data.get("is_li_zhi"):
            hand.riichi(seat)
        # The drawn tile stands last; places count from 1. A riichi's later discards name no place.
        places = data.get("move_cards_pos")
        from_hand = places and places[0] != len(hand.held(seat))
        hand.discard(seat, tile, DrawnTile.NO if from_hand else DrawnTile.IF_EQUAL)

    def turn_over(self, account: Any, data: dict[str, Any]) -> None:
        """Turn over dora indicators; the event lists all of them, or the new one."""
        tiles = _tiles(data["cards"])
        known = self.played.indicators
        for tile in tiles[known:] or tiles[-1:]:
            self.played.indicator(tile, Turned.AFTER_KAN)

    # -------------------------------------------------------------------------------------------------------
    # The end

    def end(self, account: Any, data: dict[str, Any]) -> None:
        hand, kind = self.played, data["end_type"]
        total = {self.seat(each["user_id"]): int(each["point_profit"]) for each in data["user_profit"]}
        deltas = tuple(total.get(seat, 0) for seat in range(self.players))
        if kind in (RON_END, TSUMO_END):
            self.win(hand, data, deltas)
        elif kind == EXHAUSTED:
            tenpai = data.get("win_info") or ()
            is_nagashi = any(NAGASHI_MANGAN in _labels(each) for each in tenpai)
            reason = Ending.NAGASHI_MANGAN if is_nagashi else Ending.EXHAUSTIVE
            shown = tuple(sorted(self.seat(each["user_id"]) for each in tenpai))
            hand.end_drawn(reason, deltas, shown if reason == Ending.EXHAUSTIVE else None)
        elif kind in ABORTS:
            hand.end_drawn(ABORTS[kind], deltas)
        elif kind == STOPPED:
            self.over = True  # the players have broken the game off
        else:
            raise RecordError(f"the hand ends in an unknown way (end_type {str(kind)[:20]})")

    def win(self, hand: HandBuilder, data: dict[str, Any], total: Sequence[int]) -> None:
        wins = data["win_info"]
        if not wins or (data["end_type"] == TSUMO_END and len(wins) > 1):
            raise RecordError(f"{len(wins)} winners")
        offerer = hand.offerer
        wins = sorted(wins, key=lambda win: (self.seat(win["user_id"]) - offerer) % self.players)
        hand.ura(max((_tiles(win.get("li_bao_card")) for win in wins), key=len))
        pao = next((self.seat(each["user_id"]) for each in data["user_profit"] if each.get("is_bao_pai")), None)
        yakuman = [number for number, win in enumerate(wins) if _labels(win) & _YAKUMAN_LABELS]
        liable = yakuman[-1] if pao is not None and yakuman else None
        changes = [tuple(total)]
        if len(wins) > 1:
            claims = [(self.seat(win["user_id"]), int(win["all_point"])) for win in wins]
            changes = hand.rons(self.game.rules, claims, total, liable)
        for number, (win, deltas) in enumerate(zip(wins, changes, strict=True)):
            who = self.seat(win["user_id"])
            from_who = who if data["end_type"] == TSUMO_END else offerer
            self.one_win(hand, win, (who, from_who, pao if number == liable else None), deltas)

    def one_win(
        self, hand: HandBuilder, win: dict[str, Any], seats: tuple[int, int, int | None], deltas: tuple[int, ...]
    ) -> None:
        """Add one winner; ``seats`` are the winner, the discarder and the one with pao."""
        who, from_who, pao = seats
        yaku, yakuman = self.yaku(win, who, hand.start)
        han, fu, points = int(win["all_fang_num"]), int(win.get("all_fu") or -1), int(win["all_point"])
        limit = Limit.YAKUMAN
        if not yakuman:
            # A leaf reads the rules' fields, which have the same names in the record of the engine.
            basic = basic_points(cast("RulesRecord", self.game.rules), han, fu)
            limit = limit_of_basic(basic) if fu >= 0 else hand.limit(points, who, from_who)
        hand.win(
            who,
            from_who,
            pao=None if pao == from_who != who else pao,
            han=0 if yakuman else han,
            fu=-1 if yakuman else fu,
            points=points,
            limit=limit,
            yaku=yaku,
            yakuman=yakuman,
            deltas=deltas,
        )

    def yaku(
        self, win: dict[str, Any], who: int, start: Start
    ) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
        """Return the yaku of a win with their han, and its yakuman; none if a number is unknown."""
        counted: dict[int, int] = {}
        yakuman = []
        for label in win.get("fang_info") or ():
            number, han = label["fang_type"], int(label["fang_num"])
            yaku = DORA if number == KITA else _YAKU.get(number)
            if yaku is None:
                self.game.ignore(UNKNOWN_YAKU)
                return (), ()
            if number == ROUND_WIND:
                yaku += start.round // 4
            elif number == SEAT_WIND:
                yaku += (who - start.dealer) % 4
            if yaku in YAKUMAN:
                yakuman.append(int(yaku))
            else:
                counted[int(yaku)] = counted.get(int(yaku), 0) + han
        return (() if yakuman else tuple(counted.items())), tuple(yakuman)

    def end_game(self, account: Any, data: dict[str, Any]) -> None:
        self.over = True
        by_seat = {self.seat(each["user_id"]): each for each in data["user_data"]}
        if sorted(by_seat) == list(range(self.players)):
            self.game.final_scores = [int(by_seat[seat]["point_num"]) for seat in range(self.players)]
            self.game.final_points = [int(by_seat[seat].get("score") or 0) / 10 for seat in range(self.players)]

    def finish(self) -> RiichiGame:
        players = sorted(self.record["handRecord"][0]["players"], key=lambda player: self.seat(player["userId"]))
        self.game.names = [str(player.get("nickname") or "") for player in players]
        if not self.over:
            self.game.note(UNFINISHED)
        self.game.rules = with_results(with_time_of_kan_dora(self.game), self.game)
        return finish_game(self.game, rules_named=True)


def _labels(win: dict[str, Any]) -> set[Any]:
    """Return the numbers of a win's yaku."""
    return {label["fang_type"] for label in win.get("fang_info") or ()}


_EVENTS: Final[dict[int, Callable[[_Reader, Any, dict[str, Any]], None]]] = {
    DEALT: _Reader.deal,
    DRAWN: _Reader.draw,
    ACTED: _Reader.act,
    ENDED: _Reader.end,
    GAME_OVER: _Reader.end_game,
    TURNED_OVER: _Reader.turn_over,
}

FORMAT: Final = RecordFormat(
    name="riichi-city",
    game="riichi",
    suffixes=(".json",),
    detect=is_riichi_city,
    read=lambda data, name: read_each(parse_riichi_city(text_of(data, name), name), read_riichi_city, name),
)
