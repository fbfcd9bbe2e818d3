"""Events of a game in mjai's form for an agent that listens, from the messages of Tenhou's server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from janshi.mjai.events import HandEvent
from janshi.records.story import HIDDEN
from janshi.riichi.records.mjai import hand_event, start_game_event
from janshi.riichi.records.recording import laid_down
from janshi.riichi.rules import Rules
from janshi.riichi.state import Event
from janshi.tenhou.protocol import Element, ProtocolError

_RING: Final = 4


class Telling:
    """Events that an agent has not heard yet.

    A game begins with the first deal after its ``GO``. After a reconnection the current hand is told again from its
    deal, as `janshi.tenhou.known` restores it.
    """

    def __init__(self) -> None:
        self._events: list[dict[str, Any]] = []
        self._token = ""
        self._names: dict[int, str] = {}
        self._begins = False
        self._open = False  # a hand has been dealt and not ended
        self._discarder = -1

    def take(self) -> list[dict[str, Any]]:
        """Return the events since the last call."""
        events, self._events = self._events, []
        return events

    def hear(self, sent: Element) -> None:
        """Note what a message says about the game outside its hands."""
        if sent.tag == "GO":
            token = sent.values.get("gpid", "")
            self._begins = not token or token != self._token
            self._token = token
        elif sent.tag == "UN":
            self._names |= {step: sent.words(f"n{step}") for step in range(_RING) if f"n{step}" in sent.values}

    def start_hand(self, event: dict[str, Any], seat: int, rules: Rules, *, again: bool) -> None:
        """Tell a deal, and before the first one the beginning of the game; ``again``: the hand is restored."""
        if again:
            kinds = [each["type"] for each in self._events]
            if "start_kyoku" in kinds:
                del self._events[len(kinds) - 1 - kinds[::-1].index("start_kyoku") :]
        elif self._open:
            self._events.append({"type": "end_kyoku"})
        if self._begins:
            names = [self._names.get((each - seat) % _RING, "") for each in range(rules.players)]
            self._events.append({**start_game_event(names, rules), "id": seat})
            self._begins = False
        self._events.append(event)
        self._open, self._discarder = True, -1

    def follow(self, played: HandEvent, rules: Rules) -> None:
        """Tell an event of a hand."""
        if played.event == Event.DRAW and played.tile < 0:
            self._events.append({"type": "tsumo", "actor": played.seat, "pai": HIDDEN})
            return
        laid = laid_down(rules, played.event, played.tile, played.detail)
        tsumogiri = played.event == Event.DISCARD and bool(played.detail)
        self._events.append(hand_event(played.event, played.seat, played.tile, self._discarder, laid, tsumogiri))
        self._discarder = played.seat if played.event == Event.DISCARD else self._discarder

    def end_hand(self, sent: Element, seat: int, players: int) -> None:
        """Tell the result of a hand, as far as its message can be read, and the end of the game."""
        event: dict[str, Any] = {"type": "ryukyoku"}
        try:
            if sent.tag == "AGARI":
                winner, payer = ((sent.number(name) + seat) % _RING for name in ("who", "fromWho"))
                event = {"type": "hora", "actor": winner, "target": payer}
            event["deltas"] = _by_seat(sent.numbers("sc")[1::2], seat, players)
        except ProtocolError:
            event.setdefault("deltas", [0] * players)
        self._events.append(event)
        if "owari" in sent.values:
            self._events += [{"type": "end_kyoku"}, {"type": "end_game"}]
            self._open = False


def _by_seat(changes: Sequence[int], seat: int, players: int) -> list[int]:
    """Return changes in hundreds by step from the own seat as points by seat."""
    if len(changes) < _RING:
        return [0] * players
    return [100 * changes[(each - seat) % _RING] for each in range(players)]
