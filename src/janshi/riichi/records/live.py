"""A running game as mjai events: all of them, or as one seat may see them.

>>> from janshi.table import Table
>>> table = Table("tenhou-sanma-hand", seed=7)
>>> story = Story(table.record, table.rules, ["a", "b", "c"])
>>> [event["type"] for event in story.update()]
['start_game', 'start_kyoku', 'tsumo']
>>> table.act(table.legal[0])
>>> seen_by(story.update()[-1], 0)
{'type': 'tsumo', 'actor': 1, 'pai': '?'}

Everything that leaves a table for a player goes through `seen_by`: browsers, bots, other programs' environments. Agents
that read the log of a hand in the engine's own numbers take it from `janshi.table.Tables.events`, which hides the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from janshi.records.story import HIDDEN, GameStory
from janshi.riichi.records.builder import STICK
from janshi.riichi.records.extras import FIELD
from janshi.riichi.records.mjai import (
    KITA_NAMES,
    end_game_event,
    hand_end_events,
    hand_event,
    start_game_event,
    start_hand_event,
)
from janshi.riichi.records.recording import GameRecording, dealt, laid_down, logged_events
from janshi.riichi.rules import Rules, final_points
from janshi.riichi.state import Event, Phase

#: Public events. A hand's end shows the hands that the rules lay open, and no others.
_OPEN: Final = {
    *("dahai", "chi", "pon", "daiminkan", "ankan", "kakan", *KITA_NAMES, "reach", "reach_accepted", "dora"),
    *("hora", "ryukyoku", "end_kyoku", "end_game"),
}


def seen_by(event: dict[str, Any], seat: int) -> dict[str, Any]:
    """Return an event of a game as one seat may know it: others' tiles are ``"?"``.

    `start_game` carries the seat's number (``id``). Raises `ValueError` for an event that is not known here: what it
    would show is not known either.
    """
    kind = event["type"]
    if kind in _OPEN:
        return event
    if kind == "tsumo":
        return event if event["actor"] == seat else {**event, "pai": HIDDEN}
    if kind == "start_kyoku":
        hands = [hand if owner == seat else [HIDDEN] * len(hand) for owner, hand in enumerate(event["tehais"])]
        return {**_without_extras(event), "tehais": hands}
    if kind == "start_game":
        own = {name: value for name, value in event.get(FIELD, {}).items() if name == "rules"}
        return {**_without_extras(event), **({FIELD: own} if own else {}), "id": seat}
    raise ValueError(f"an event {kind!r} is not known, so neither is what a seat may see of it")


def _without_extras(event: dict[str, Any]) -> dict[str, Any]:
    """Return an event without the field that holds the ids of all tiles, or the seed of the walls."""
    return {name: value for name, value in event.items() if name != FIELD}


class Story(GameStory):
    """Events of a table of Riichi from its beginning, in mjai's form; see `GameStory` for the arguments."""

    def __init__(self, state: Any, rules: Rules, names: Sequence[str]) -> None:
        self._game = GameRecording(rules, names)
        super().__init__(state, rules, names, int(Phase.HAND_OVER), self._game)
        self._discarder = -1

    def _start_game(self) -> dict[str, Any]:
        return start_game_event(self.names, self.rules)

    def _begin_hand(self) -> None:
        state = self._state
        accepted = state["seats"]["accepted"].tolist()[: self.rules.players]
        self._discarder = -1
        scores = [points + STICK * sticks for points, sticks in zip(self._points(), accepted, strict=True)]
        deposits = int(state["deposits"]) - sum(accepted)
        self._game.begin_hand(scores, deposits)
        deal = [sorted(hand, key=_in_order) for hand in dealt(state, self.rules)]
        indicator = int(state["indicators"][0])
        kyoku, dealer, honba = (int(state[name]) for name in ("kyoku", "dealer", "honba"))
        self.events.append(start_hand_event(kyoku, dealer, honba, deposits, scores, indicator, deal))

    def _add_logged(self) -> None:
        for event, seat, tile, detail in logged_events(self._state, self._logged):
            laid = laid_down(self.rules, event, tile, detail)
            tsumogiri = event == Event.DISCARD and bool(detail)
            self.events.append(hand_event(event, seat, tile, self._discarder, laid, tsumogiri))
            self._discarder = seat if event == Event.DISCARD else self._discarder

    def _end_hand(self) -> None:
        self._game.add_hand(self._state)
        self.events.extend(hand_end_events(self.rules, self.hands[-1]))
        if int(self._state["phase"]) == Phase.GAME_OVER:
            scores = self._points()
            self.events.append(end_game_event(scores, final_points(self.rules, scores)))


def _in_order(tile: int) -> float:
    """Return the key that sorts a hand: red fives before the plain ones."""
    return tile if tile < 34 else 4 + 9 * (tile - 34) - 0.5
