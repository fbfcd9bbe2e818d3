"""Writer of Mahjong Soul's records (JSON of version 210715) from games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from janshi.records.formats import RecordError
from janshi.riichi.records.holding import at_end
from janshi.riichi.records.majsoul import (
    ABORTS,
    ADDED_KAN,
    CALLS,
    CLOSED_KAN,
    FANS,
    KITA_FAN,
)
from janshi.riichi.records.majsoul_rules import _LENGTHS, _SWITCHES, _TRUTHS, RANKED
from janshi.riichi.records.model import Drawn, RecordedHand, RecordedMeld, RecordedWin, RiichiGame
from janshi.riichi.records.walls import wall_slots
from janshi.riichi.rules import MAHJONG_SOUL, MAHJONG_SOUL_SANMA, Rules
from janshi.riichi.rules.yaku import DORA, YakuId
from janshi.riichi.state import Ending, Event
from janshi.tiles import sort_key, tile_of_id, tile_text

#: The written version of the site's records.
_VERSION: Final = 210715
_ABORTS: Final = {reason: number for number, reason in ABORTS.items()}
#: ``HuleInfo.ming``: names of sets.
_SETS: Final = {
    Event.CHII: "shunzi",
    Event.PON: "kezi",
    Event.ANKAN: "angang",
    Event.DAIMINKAN: "minggang",
    Event.KAKAN: "minggang",
}
_DOUBLE: Final = frozenset(
    (
        YakuId.SUUANKOU_TANKI,
        YakuId.JUNSEI_CHUUREN_POUTOU,
        YakuId.KOKUSHI_MUSOU_13_SIDED,
        YakuId.DAISUUSHII,
    )
)


def write_majsoul(game: RiichiGame) -> dict[str, Any]:
    """Return a game as a record of Mahjong Soul. Raises `RecordError` if a hand contradicts itself."""
    messages = [message for hand in game.hands for message in _Writer(game, hand).messages()]
    results = [{"name": f".lq.Record{name}", "data": data} for name, data in messages]
    actions = [{"passed": 0, "type": 1, "result": result} for result in results]
    accounts = [{"seat": seat, "nickname": name} for seat, name in enumerate(game.names)]
    head: dict[str, Any] = {"uuid": game.ref, "config": config_of(game.rules), "accounts": accounts}
    if game.final_scores is not None and game.final_points is not None:
        ends = enumerate(zip(game.final_scores, game.final_points, strict=True))
        players = [
            {"seat": seat, "total_point": round(1000 * result), "part_point_1": points}
            for seat, (points, result) in ends
        ]
        head["result"] = {"players": players}
    details = {"version": _VERSION, "actions": actions}
    return {"head": head, "data": {"name": ".lq.GameDetailRecords", "data": details}}


class _Writer:
    """Writes one hand."""

    def __init__(self, game: RiichiGame, hand: RecordedHand) -> None:
        self.hand, self.rules, self.players = hand, game.rules, game.players
        self.shown = [self.name(hand.dora)]
        self.announced = 1  # dora indicators that a message contains
        self.scores = list(hand.scores)
        self.deposits = hand.deposits
        self.accepted: dict[str, int] | None = None  # an accepted riichi that no message contains yet
        self.declared = False
        self.undisturbed = True  # nothing called yet
        self.discarded: set[int] = set()
        self.left = 69 if game.players == 4 else 54

    def name(self, identity: int) -> str:
        return tile_text(tile_of_id(identity, self.rules.red_fives))

    def names(self, ids: Sequence[int]) -> list[str]:
        """Return names of tiles in the order of a hand."""
        tiles = [tile_of_id(each, self.rules.red_fives) for each in ids]
        return [tile_text(tile) for tile in sorted(tiles, key=sort_key)]

    def messages(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the hand's messages with their names."""
        rows = self.hand.events.tolist()
        if not rows or rows[0][:2] != [Event.DRAW, self.hand.dealer]:
            raise RecordError("the hand does not begin with the dealer's draw")
        yield "NewRound", self.start(rows[0][2])
        last: dict[str, Any] = {}
        for row in rows[1:]:
            if row[0] == Event.DORA:
                self.shown.append(self.name(row[2]))
                continue
            message = self.message(row)
            if message is not None:
                last = message[1]
                yield message
        if self.announced < len(self.shown):
            last["doras"] = list(self.shown)  # robbed: no draw follows that would contain them
        yield from self.end()

    def start(self, first: int) -> dict[str, Any]:
        hand = self.hand
        data: dict[str, Any] = {"chang": hand.round // 4, "ju": hand.dealer, "ben": hand.honba}
        data |= {"scores": list(hand.scores), "liqibang": hand.deposits, "doras": list(self.shown)}
        for seat in range(4):
            tiles = self.names(hand.deal[seat].tolist()) if seat < self.players else []
            data[f"tiles{seat}"] = [*tiles, self.name(first)] if seat == hand.dealer else tiles
        data["left_tile_count"] = self.left
        if hand.wall is not None:
            replacements = sum(row[0] in _REPLACED for row in hand.events.tolist())
            slots = wall_slots(self.players, replacements)
            data["paishan"] = "".join(self.name(int(hand.wall[slot])) for slot in slots)
        return data

    def message(self, row: list[int]) -> tuple[str, dict[str, Any]] | None:
        """Return the message of an event; None if another message contains it."""
        event, seat, tile, from_who, *own = row
        if event == Event.RIICHI:
            self.declared = True
            return None
        if event == Event.ACCEPTED:
            self.scores[seat] -= 1000
            self.deposits += 1
            self.accepted = {"seat": seat, "score": self.scores[seat], "liqibang": self.deposits}
            return None
        if event == Event.DRAW:
            self.left -= 1
            data = {"seat": seat, "tile": self.name(tile), "left_tile_count": self.left}
            return "DealTile", {**data, **self.liqi(), **self.doras()}
        if event == Event.DISCARD:
            return "DiscardTile", {**self.discard(seat, tile, own[0] == 1), **self.doras()}
        self.undisturbed = False
        if event in CALLS:
            ids = [identity for identity in own if identity >= 0]
            data = {"seat": seat, "type": CALLS.index(Event(event)), "tiles": [*self.names(ids), self.name(tile)]}
            return "ChiPengGang", {**data, "froms": [*[seat] * len(ids), from_who], **self.liqi()}
        if event == Event.KITA:
            return "BaBei", {"seat": seat, "moqie": False}
        kind = CLOSED_KAN if event == Event.ANKAN else ADDED_KAN
        # The name of a closed kan is a plain tile; it contains the red five if there is one.
        named = tile_text(tile // 4) if event == Event.ANKAN else self.name(tile)
        return "AnGangAddGang", {"seat": seat, "type": kind, "tiles": named}

    def discard(self, seat: int, tile: int, tsumogiri: bool) -> dict[str, Any]:
        double = self.declared and self.undisturbed and seat not in self.discarded
        data = {"seat": seat, "tile": self.name(tile), "is_liqi": self.declared, "moqie": tsumogiri}
        self.declared = False
        self.discarded.add(seat)
        return {**data, "is_wliqi": double}

    def liqi(self) -> dict[str, Any]:
        accepted, self.accepted = self.accepted, None
        return {"liqi": accepted} if accepted is not None else {}

    def doras(self) -> dict[str, Any]:
        new = len(self.shown) > self.announced
        self.announced = len(self.shown)
        return {"doras": list(self.shown)} if new else {}

    # -------------------------------------------------------------------------------------------------------
    # The end

    def end(self) -> Iterator[tuple[str, dict[str, Any]]]:
        outcome = self.hand.outcome
        if isinstance(outcome, list):
            deltas = [sum(win.deltas[seat] for win in outcome) for seat in range(self.players)]
            before = list(outcome[0].scores)
            after = [points + delta for points, delta in zip(before, deltas, strict=True)]
            data = {"hules": [self.win(win) for win in outcome], "old_scores": before}
            yield "Hule", {**data, "delta_scores": deltas, "scores": after}
        elif outcome.reason in _ABORTS:
            yield "LiuJu", {"type": _ABORTS[outcome.reason], **self.liqi()}
        else:
            yield "NoTile", self.exhausted(outcome)

    def exhausted(self, drawn: Drawn) -> dict[str, Any]:
        data: dict[str, Any] = {"liujumanguan": drawn.reason == Ending.NAGASHI_MANGAN}
        if drawn.shown is not None:
            holding = at_end(self.hand)
            tenpai = set(drawn.shown)
            data["players"] = [
                {"tingpai": True, "hand": self.names(holding.ids(seat))} if seat in tenpai else {"tingpai": False}
                for seat in range(self.players)
            ]
        return {**data, "scores": [{"old_scores": list(drawn.scores), "delta_scores": list(drawn.deltas)}]}

    def win(self, win: RecordedWin) -> dict[str, Any]:
        self_draw, dealer = win.who == win.from_who, win.who == self.hand.dealer
        rest = [identity for identity in win.hand if identity != win.tile]
        sets = [meld for meld in reversed(win.melds) if meld.event != Event.KITA]
        data: dict[str, Any] = {"hand": self.names(rest), "ming": [self.set_text(meld) for meld in sets]}
        data |= {"hu_tile": self.name(win.tile), "seat": win.who, "zimo": self_draw, "qinjia": dealer}
        riichi = any(number in (YakuId.RIICHI, YakuId.DOUBLE_RIICHI) for number, _ in win.yaku)
        data |= {"liqi": riichi or bool(win.ura), "doras": [self.name(tile) for tile in win.dora]}
        if win.ura:
            data["li_doras"] = [self.name(tile) for tile in win.ura]
        fans = list(self.fans(win))
        count = sum(fan["val"] for fan in fans)
        data |= {"yiman": bool(win.yakuman), "count": count, "fans": fans}
        if win.fu > 0:
            data["fu"] = win.fu
        if not self_draw:
            data["point_rong"] = win.points
        elif dealer:
            data["point_zimo_xian"] = win.points // (self.players - 1)
        else:
            # The dealer pays twice the share of the others, or 100 less where both were rounded up.
            share = (win.points + 100) // (100 * (4 if self.players == 4 else 3)) * 100
            data |= {"point_zimo_xian": share, "point_zimo_qin": win.points - (self.players - 2) * share}
        if win.pao is not None:
            data["baopai_seats"] = [win.pao]
        return data

    def set_text(self, meld: RecordedMeld) -> str:
        return f"{_SETS[meld.event]}({','.join(self.names(meld.tiles))})"

    def fans(self, win: RecordedWin) -> Iterator[dict[str, int]]:
        """Yield the yaku of a win; kitas, part of the dora in other formats, are separate."""
        for yakuman in win.yakuman:
            double = self.rules.double_yakuman and yakuman in _DOUBLE
            yield {"id": FANS[yakuman], "val": 2 if double else 1}
        kitas = sum(meld.event == Event.KITA for meld in win.melds)
        for number, han in win.yaku:
            if number == DORA:
                if han > kitas:
                    yield {"id": FANS[DORA], "val": han - kitas}
                if kitas and han >= kitas:
                    yield {"id": KITA_FAN, "val": kitas}
            elif number in FANS:
                yield {"id": FANS[number], "val": han}
            else:
                raise RecordError(f"yaku {number} has no number at Mahjong Soul")


#: Events followed by a replacement tile.
_REPLACED: Final = (Event.DAIMINKAN, Event.ANKAN, Event.KAKAN, Event.KITA)


def config_of(rules: Rules) -> dict[str, Any]:
    """Return ``head.config`` of a game: ranked for the preset, else a friends' room with the differences."""
    plain = MAHJONG_SOUL_SANMA if rules.players == 3 else MAHJONG_SOUL
    number = next(digit for digit, length in _LENGTHS.items() if length == rules.length and digit != 3)
    mode: dict[str, Any] = {"mode": number + (10 if rules.players == 3 else 0)}
    if replace(rules, name=plain.name, length=plain.length) == plain:
        return {"category": RANKED, "mode": mode}
    detail: dict[str, Any] = {name: getattr(rules, field) for name, field in _TRUTHS.items()}
    detail |= {name: getattr(rules, field) == value for name, (field, value) in _SWITCHES.items()}
    detail |= {
        "dora_count": sum(rules.red_fives),
        "init_point": rules.start,
        "fandian": rules.target,
        "jingsuanyuandian": rules.results_from or rules.target,
        "changbang_value": rules.honba_each * (rules.players - 1),
        "noting_fafu_1": rules.noten_payment // (rules.players - 1),
    }
    detail["have_zimosun" if rules.players == 3 else "shiduan"] = (
        rules.tsumo_loss if rules.players == 3 else int(rules.open_tanyao)
    )
    detail |= {f"shunweima_{place}": points for place, points in enumerate(rules.uma[1:], start=2)}
    return {"category": 1, "mode": {**mode, "detail_rule": detail}}
