"""A game while it is played, as mjai events: the whole of it, and what one seat may know.

>>> from janshi.table import Table
>>> table = Table("tenhou-sanma-hand", seed=7)
>>> story = Story(table.record, table.rules, ["a", "b", "c"])
>>> [event["type"] for event in story.update()]
['start_game', 'start_kyoku', 'tsumo']
>>> table.act(table.legal[0])
>>> seen_by(story.update()[-1], 0)
{'type': 'tsumo', 'actor': 1, 'pai': '?'}

Everything that leaves a table for a player goes through `seen_by`: browsers, bots, other programs' environments.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from janshi.engine.state import DISCARD_EVENT, GAME_OVER, HAND_OVER
from janshi.records.mjai import say_end, say_event, say_game_end, say_game_start, say_start
from janshi.records.model import Game, Hand
from janshi.records.recording import dealt, laid_down, record_hand
from janshi.rules import Rules, final_points

_STICK: Final = 1000
HIDDEN: Final = "?"
#: Events that everybody sees whole. A hand's end shows the hands that the rules lay open, and no others.
_OPEN: Final = {
    *("dahai", "chi", "pon", "daiminkan", "ankan", "kakan", "nukidora", "reach", "reach_accepted", "dora"),
    *("hora", "ryukyoku", "end_kyoku", "end_game"),
}


def seen_by(event: dict[str, Any], seat: int) -> dict[str, Any]:
    """Return an event of a whole game as one seat may know it: others' tiles are ``"?"``.

    `start_game` tells the seat its number (``id``). Raises `ValueError` for an event that is not known here: what it
    would show is not known either.
    """
    kind = event["type"]
    if kind in _OPEN:
        return event
    if kind == "tsumo":
        return event if event["actor"] == seat else {**event, "pai": HIDDEN}
    if kind == "start_kyoku":
        hands = [hand if who == seat else [HIDDEN] * len(hand) for who, hand in enumerate(event["tehais"])]
        return {**event, "tehais": hands}
    if kind == "start_game":
        return {**event, "id": seat}
    raise ValueError(f"an event {kind!r} is not known, so neither is what a seat may see of it")


class Story:
    """Tells what happens at one table, from its beginning.

    Args:
        state: the table's record (`janshi.table.Table.record`, or one of `janshi.table.Tables.states`), which does
            not go on to the next hand by itself.
        rules: what is played.
        names: who sits at seats 0, 1, 2 …

    `update` is called after anything has happened, at least once in each hand before and once after its end.
    """

    def __init__(self, state: Any, rules: Rules, names: Sequence[str]) -> None:
        self.rules = rules
        self.names = list(names)
        self.events: list[dict[str, Any]] = []
        """All events so far."""
        self.hands: list[Hand] = []
        """Records of the hands that are over."""
        self._state = state
        self._hand = -1
        self._told = 0
        self._ended = False
        self._scores: list[int] = []
        self._deposits = 0
        self._feeder = -1

    def update(self) -> list[dict[str, Any]]:
        """Return the events since the last call, and add them to `events`."""
        state = self._state
        before = len(self.events)
        if not self.events:
            self.events.append(say_game_start(self.names, self.rules))
        if int(state["hand_number"]) != self._hand:
            self._begin()
        self._tell()
        if int(state["phase"]) >= HAND_OVER and not self._ended:
            self._end()
        return self.events[before:]

    def game(self, source: str, lobby: str = "") -> Game:
        """Return the record of the hands that are over."""
        ended = bool(self.events) and self.events[-1]["type"] == "end_game"
        scores = self._points() if ended else None
        return Game(
            source=source,
            format="janshi",
            players=self.rules.players,
            rules=self.rules,
            names=self.names,
            hands=list(self.hands),
            lobby=lobby,
            final_scores=scores,
            final_points=None if scores is None else final_points(self.rules, scores),
        )

    def _points(self) -> list[int]:
        seats = self._state["seats"]
        return [int(seats[seat]["points"]) for seat in range(self.rules.players)]

    def _begin(self) -> None:
        state = self._state
        accepted = [int(state["seats"][seat]["accepted"]) for seat in range(self.rules.players)]
        self._hand = int(state["hand_number"])
        self._told, self._ended, self._feeder = 0, False, -1
        self._scores = [points + _STICK * one for points, one in zip(self._points(), accepted, strict=True)]
        self._deposits = int(state["deposits"]) - sum(accepted)
        deal = [sorted(hand, key=_in_order) for hand in dealt(state, self.rules)]
        indicator = int(state["indicators"][0])
        round_, dealer, honba = (int(state[name]) for name in ("kyoku", "dealer", "honba"))
        self.events.append(say_start(round_, dealer, honba, self._deposits, self._scores, indicator, deal))

    def _tell(self) -> None:
        state = self._state
        log = state["log"].reshape(-1, 4)[self._told : int(state["logged"])].tolist()
        for event, seat, tile, detail in log:
            laid = laid_down(self.rules, event, tile, detail)
            tsumogiri = event == DISCARD_EVENT and bool(detail)
            self.events.append(say_event(event, seat, tile, self._feeder, laid, tsumogiri))
            self._feeder = seat if event == DISCARD_EVENT else self._feeder
        self._told = int(state["logged"])

    def _end(self) -> None:
        hand = record_hand(self._state, self.rules, self._scores, self._deposits)
        self.hands.append(hand)
        self.events.extend(say_end(self.rules, hand))
        self._ended = True
        if int(self._state["phase"]) == GAME_OVER:
            scores = self._points()
            self.events.append(say_game_end(scores, final_points(self.rules, scores)))


def _in_order(tile: int) -> float:
    """Where a tile stands in a sorted hand: red fives before the plain ones."""
    return tile if tile < 34 else 4 + 9 * (tile - 34) - 0.5
