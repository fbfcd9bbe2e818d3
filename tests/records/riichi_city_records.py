"""Writer of Riichi City's records from games."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from janshi.riichi.records import riichi_city as city
from janshi.riichi.records.holding import Holding
from janshi.riichi.records.model import Drawn, RecordedHand, RecordedWin, RiichiGame
from janshi.riichi.records.riichi_city_rules import LENGTHS
from janshi.riichi.records.walls import wall_slots
from janshi.riichi.rules.yaku import DORA, YakuId
from janshi.riichi.state import Ending, Event
from janshi.tiles import tile_of_id

_ACTIONS = {
    **{Event.PON: city.PON, Event.DAIMINKAN: city.OPEN_KAN, Event.ANKAN: city.CLOSED_KAN, Event.KAKAN: city.ADDED_KAN},
    Event.KITA: city.NORTH_ASIDE,
}
_REPLACED = (Event.DAIMINKAN, Event.ANKAN, Event.KAKAN, Event.KITA)
_ABORTS = {reason: number for number, reason in city.ABORTS.items()}


def write_riichi_city(
    game: RiichiGame, first: int = 0, walls: Sequence[Sequence[int]] | None = None
) -> dict[str, Any]:
    """Return a game as Riichi City's record; ``first`` is the position of the first dealer.

    ``walls`` are the walls (tiles) of the hands, in the engine's order.
    """
    hands = []
    for number, hand in enumerate(game.hands):
        writer = _Writer(game, hand, first)
        events = list(writer.events())
        if number == len(game.hands) - 1 and game.final_scores is not None and game.final_points is not None:
            ends = enumerate(zip(game.final_scores, game.final_points, strict=True))
            data = [
                {"user_id": 900 + seat, "point_num": points, "score": round(10 * result)}
                for seat, (points, result) in ends
            ]
            events.append((city.GAME_OVER, 0, {"user_data": data[::-1]}))
        record = writer.head(events)
        if walls is not None:
            replacements = sum(row[0] in _REPLACED for row in hand.events.tolist())
            slots = wall_slots(game.players, replacements)
            record["paiShan"] = [city.TILE_NUMBERS[walls[number][slot]] for slot in slots]
        hands.append(record)
    length = next(number for number, each in LENGTHS.items() if each == game.rules.length)
    data = {"playerCount": game.players, "initPoints": game.rules.start, "round": length, "handRecord": hands}
    return {"code": 0, "data": {**data, "keyValue": game.ref, "northOperateType": 0}, "message": "ok"}


class _Writer:
    """Writes one hand."""

    def __init__(self, game: RiichiGame, hand: RecordedHand, first: int) -> None:
        self.game, self.hand, self.first = game, hand, first
        self.players, self.reds = game.players, game.rules.red_fives

    def tile(self, identity: int) -> int:
        return city.TILE_NUMBERS[tile_of_id(identity, self.reds)]

    def tiles(self, ids: Sequence[int]) -> list[int]:
        return [self.tile(each) for each in ids]

    def head(self, events: Sequence[tuple[int, int, dict[str, Any]]]) -> dict[str, Any]:
        players = [
            {"userId": 900 + seat, "position": (self.first + seat) % self.players, "nickname": self.game.names[seat]}
            for seat in range(self.players)
        ]
        record = [
            {"eventType": kind, "userId": user, "eventPos": at, "data": json.dumps(data)}
            for at, (kind, user, data) in enumerate(events)
        ]
        wind, number = divmod(self.hand.round, 4)
        head = {"quanFeng": city.WINDS[wind], "changCi": number + 1, "benChangNum": self.hand.honba}
        return {**head, "players": players[::-1], "handEventRecord": record}

    def events(self) -> Iterator[tuple[int, int, dict[str, Any]]]:
        """Yield the events; an indicator follows the draw or discard before which it is turned over."""
        rows = self.hand.events.tolist()
        yield from self.deals(rows[0][2])
        holding = Holding(self.hand.deal, self.hand.dora)
        holding.take(rows[:1])
        waiting = riichi = False
        for row in rows[1:]:
            event, seat, tile, _, *own = row
            held = len(holding.ids(seat)) if seat >= 0 else 0
            holding.take([row])
            if event == Event.DORA:
                waiting = True
                continue
            if event == Event.RIICHI:
                riichi = True
            elif event == Event.DRAW:
                yield city.DRAWN, 900 + seat, {"in_card": self.tile(tile)}
            elif event == Event.DISCARD:
                places = [held if own[0] else 1, 1]
                data = {"action": city.DISCARD, "card": self.tile(tile), "move_cards_pos": places, "is_li_zhi": riichi}
                riichi = False
                yield city.ACTED, 900 + seat, {"user_id": 900 + seat, **data}
                yield 3, 900 + (seat + 1) % self.players, {"out_card": self.tile(tile), "action_list": [5]}
            elif event != Event.ACCEPTED:
                yield city.ACTED, 900 + seat, self.call(row)
                if event in (Event.CHII, Event.PON):
                    yield city.DRAWN, 900 + seat, {"in_card": 0}
            if waiting and event in (Event.DRAW, Event.DISCARD):
                yield city.TURNED_OVER, 0, {"cards": self.tiles(holding.shown)}
                waiting = False
        if waiting:
            yield city.TURNED_OVER, 0, {"cards": self.tiles(holding.shown)}
        yield from self.end()

    def deals(self, fourteenth: int) -> Iterator[tuple[int, int, dict[str, Any]]]:
        hand = self.hand
        wind, number = divmod(hand.round, 4)
        info = [{"user_id": 900 + seat, "hand_points": points} for seat, points in enumerate(hand.scores)]
        for seat in range(self.players):
            tiles = [*hand.deal[seat].tolist(), *([fourteenth] if seat == hand.dealer else [])]
            data = {"hand_cards": self.tiles(tiles), "dealer_pos": (self.first + hand.dealer) % self.players}
            data |= {"bao_pai_card": self.tile(hand.dora), "quan_feng": city.WINDS[wind], "chang_ci": number + 1}
            data |= {"ben_chang_num": hand.honba, "li_zhi_bang_num": hand.deposits, "user_info_list": info}
            yield city.DEALT, 900 + seat, data
        yield city.DRAWN, 900 + hand.dealer, {"in_card": 0, "is_first_xun_in": True}

    def call(self, row: list[int]) -> dict[str, Any]:
        event, seat, tile, _, *columns = row
        own = [each for each in columns if each >= 0]
        action = city.CHIIS[sorted([tile, *own]).index(tile)] if event == Event.CHII else _ACTIONS[Event(event)]
        group = self.tiles(own) if event in (Event.CHII, Event.PON, Event.DAIMINKAN) else None
        return {"user_id": 900 + seat, "action": action, "card": self.tile(tile), "group_cards": group}

    def end(self) -> Iterator[tuple[int, int, dict[str, Any]]]:
        outcome = self.hand.outcome
        if isinstance(outcome, Drawn):
            exhausted = outcome.reason in (Ending.EXHAUSTIVE, Ending.NAGASHI_MANGAN)
            fangs = [{"fang_type": city.NAGASHI_MANGAN, "fang_num": 5}]
            wins = [
                {"user_id": 900 + seat, "fang_info": None, "all_point": 0}
                for seat in (outcome.shown or ())
                if outcome.reason == Ending.EXHAUSTIVE
            ]
            if outcome.reason == Ending.NAGASHI_MANGAN:
                wins = [{"user_id": 900 + max(range(self.players), key=outcome.deltas.__getitem__), "fang_info": fangs}]
            kind = city.EXHAUSTED if exhausted else _ABORTS[outcome.reason]
            yield city.ENDED, 0, {"end_type": kind, "win_info": wins, "user_profit": self.profits(outcome.deltas, None)}
            return
        deltas = [sum(win.deltas[seat] for win in outcome) for seat in range(self.players)]
        kind = city.TSUMO_END if outcome[0].who == outcome[0].from_who else city.RON_END
        for win in outcome:
            yield city.ACTED, 900 + win.who, {"action": city.TSUMO if kind else city.RON, "card": self.tile(win.tile)}
        pao = next((win.pao for win in outcome if win.pao is not None), None)
        wins = [self.win(win) for win in reversed(outcome)]
        yield city.ENDED, 0, {"end_type": kind, "win_info": wins, "user_profit": self.profits(deltas, pao)}

    def profits(self, deltas: Sequence[int], pao: int | None) -> list[dict[str, Any]]:
        amounts = [{"user_id": 900 + seat, "point_profit": delta} for seat, delta in enumerate(deltas)]
        return [{**each, "is_bao_pai": seat == pao} for seat, each in enumerate(amounts)]

    def win(self, win: RecordedWin) -> dict[str, Any]:
        fangs = []
        kitas = sum(meld.event == Event.KITA for meld in win.melds)
        for number, han in [*win.yaku, *((number, 13) for number in win.yakuman)]:
            if number == DORA and kitas:
                fangs.append({"fang_type": city.KITA, "fang_num": kitas})
                han -= kitas
            general = number
            if YakuId.SEAT_WIND_EAST <= number <= YakuId.SEAT_WIND_NORTH:
                general = YakuId.SEAT_WIND_EAST
            elif YakuId.ROUND_WIND_EAST <= number <= YakuId.ROUND_WIND_NORTH:
                general = YakuId.ROUND_WIND_EAST
            if han:
                fangs.append({"fang_type": city.FANGS[general], "fang_num": han})
        data = {"user_id": 900 + win.who, "fang_info": fangs, "li_bao_card": self.tiles(win.ura) or None}
        return {**data, "all_fang_num": win.han or 13, "all_fu": max(win.fu, 0), "all_point": win.points}
