"""Writer of kobalab's records from games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from janshi.riichi.hands.yaku import YAKU
from janshi.riichi.records.holding import at_end
from janshi.riichi.records.model import Drawn, RecordedHand, RecordedMeld, RecordedWin, RiichiGame, meld_of
from janshi.riichi.records.paipu import _REASONS
from janshi.riichi.state import Ending, Event
from janshi.tiles import sort_key, tile_of_id, tile_text

_MARKS = {1: "+", 2: "=", 3: "-"}
_NAMES = {reason: name for name, reason in reversed(_REASONS.items())}


def write_paipu(game: RiichiGame, qijia: int = 0) -> dict[str, Any]:
    """Return a game as kobalab's record; ``qijia`` is the seat at the table of the first dealer."""

    def at_table(values: Sequence[Any]) -> list[Any]:
        return [values[(seat - qijia) % 4] for seat in range(4)]

    record = {"title": "a game\nof a test", "player": at_table([f"{name}\n(someone)" for name in game.names])}
    record |= {"qijia": qijia, "log": [list(_Writer(game, hand).events()) for hand in game.hands]}
    if game.final_scores is not None and game.final_points is not None:
        order = sorted(range(4), key=lambda seat: (-game.final_scores[seat], seat))
        record["defen"] = at_table(game.final_scores)
        record["rank"] = at_table([order.index(seat) + 1 for seat in range(4)])
        record["point"] = at_table([f"{points:.1f}" for points in game.final_points])
    return record


class _Writer:
    """Writes one hand."""

    def __init__(self, game: RiichiGame, hand: RecordedHand) -> None:
        self.hand, self.reds = hand, game.rules.red_fives

    def seat(self, seat: int) -> int:
        """Return a seat counted from the dealer."""
        return (seat - self.hand.dealer) % 4

    def ordered(self, values: Sequence[Any]) -> list[Any]:
        return [values[(self.hand.dealer + turn) % 4] for turn in range(4)]

    def tile(self, identity: int) -> str:
        text = tile_text(tile_of_id(identity, self.reds))
        return text[1] + text[0]

    def tiles(self, ids: Sequence[int]) -> str:
        """Return the text of a hand: each suit once, in order."""
        texts = [self.tile(each) for each in sorted(ids, key=lambda each: sort_key(tile_of_id(each, self.reds)))]
        return "".join(suit + "".join(text[1] for text in each) for suit, each in groupby(texts, lambda text: text[0]))

    def meld(self, meld: RecordedMeld) -> str:
        """Return the text of a set; the called tile has the mark of the seat that it comes from."""
        kind = meld.event
        suit = self.tile(meld.tiles[0])[0]

        def numbers(ids: Sequence[int]) -> str:
            return "".join(self.tile(each)[1] for each in sorted(ids))

        if kind == Event.ANKAN:
            return suit + numbers(meld.tiles)
        mark = _MARKS[meld.discarder]
        if kind == Event.CHII:
            return suit + "".join(self.tile(each)[1] + (mark if each == meld.called else "") for each in meld.tiles)
        own = [each for each in meld.tiles if each not in (meld.called, meld.added)]
        text = suit + numbers(own) + self.tile(meld.called)[1] + mark
        return text + (self.tile(meld.added)[1] if kind == Event.KAKAN else "")

    def events(self) -> Iterator[dict[str, Any]]:
        """Yield the events: an indicator follows the draw or discard before which it is turned over."""
        hand = self.hand
        wind, number = divmod(hand.round, 4)
        start = {"zhuangfeng": wind, "jushu": number, "changbang": hand.honba, "lizhibang": hand.deposits}
        start |= {"defen": self.ordered(hand.scores), "baopai": self.tile(hand.dora)}
        yield {"qipai": {**start, "shoupai": self.ordered([self.tiles(row) for row in hand.deal.tolist()])}}
        waiting: list[dict[str, Any]] = []
        melds: list[list[RecordedMeld]] = [[] for _ in hand.scores]
        replacement = riichi = False
        for row in hand.events.tolist():
            event, seat, tile, _, *own = row
            meld = meld_of(row, melds[seat])
            if event == Event.DORA:
                waiting.append({"kaigang": {"baopai": self.tile(tile)}})
            elif event == Event.RIICHI:
                riichi = True
            elif event == Event.DRAW:
                yield {"gangzimo" if replacement else "zimo": {"l": self.seat(seat), "p": self.tile(tile)}}
                replacement = False
                yield from waiting
                waiting = []
            elif event == Event.DISCARD:
                text = self.tile(tile) + ("_" if own[0] else "") + ("*" if riichi else "")
                riichi = False
                yield {"dapai": {"l": self.seat(seat), "p": text}}
                yield from waiting
                waiting = []
            elif meld is not None:
                name = "gang" if event in (Event.ANKAN, Event.KAKAN) else "fulou"
                yield {name: {"l": self.seat(seat), "m": self.meld(meld)}}
                replacement = event in (Event.ANKAN, Event.KAKAN, Event.DAIMINKAN)
        yield from waiting
        yield from self.end()

    def end(self) -> Iterator[dict[str, Any]]:
        outcome, holding = self.hand.outcome, at_end(self.hand)
        if isinstance(outcome, Drawn):
            shown = outcome.shown or ()
            hands = [self.tiles(holding.ids(seat)) if seat in shown else "" for seat in range(4)]
            data = {"shoupai": self.ordered(hands), "fenpei": self.ordered(outcome.deltas)}
            yield {"pingju": {"name": _NAMES[Ending(outcome.reason)], **data}}
            return
        for win in outcome:
            yield {"hule": self.win(win)}

    def win(self, win: RecordedWin) -> dict[str, Any]:
        rest = [each for each in win.hand if each != win.tile]
        sets = [self.meld(meld) for meld in reversed(win.melds)]
        riichi = any(YAKU[number].name.endswith("riichi") for number, _ in win.yaku) or bool(win.ura)
        hand = self.tiles(rest) + self.tile(win.tile) + ("*" if riichi else "")
        data: dict[str, Any] = {"l": self.seat(win.who), "shoupai": ",".join([hand, *sets])}
        data["baojia"] = None if win.who == win.from_who else self.seat(win.from_who)
        data["fubaopai"] = [self.tile(each) for each in win.ura] if riichi else None
        data["hupai"] = [{"name": YAKU[number].japanese, "fanshu": han} for number, han in win.yaku]
        for number in win.yakuman:
            data["hupai"].append({"name": YAKU[number].japanese, "fanshu": "**" if YAKU[number].double else "*"})
        if win.pao is not None:
            data["hupai"][0]["baojia"] = self.seat(win.pao)
        if win.yakuman:
            data["damanguan"] = len(win.yakuman)
        else:
            data |= {"fu": win.fu, "fanshu": win.han}
        return {**data, "defen": win.points, "fenpei": self.ordered(win.deltas)}

