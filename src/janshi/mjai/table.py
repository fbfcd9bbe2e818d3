"""The table from the view of one seat, reconstructed from mjai events.

Each event is one of the engine's own steps (`janshi.riichi.say.following`) on a state without hidden tiles. The legal
actions and the view of a decision (`KnownTable.decision`) therefore equal the engine's, byte for byte.

Events lack the following, and no decision depends on it:

* the seed, and the numbers of the hand and of decisions, which no `View` contains. Agents that play at random receive
  other random words than at the original table;
* the content of unused slots of melds, left over from earlier hands and without meaning. After a `start_game` it equals
  the engine's; for a seat that joins during a game it does not.
"""

from __future__ import annotations

from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import Agent
from janshi.compiling import Batch, Batched, zeros
from janshi.mjai.events import (
    HAND_EVENTS,
    HandEvent,
    MjaiError,
    number_in,
    read_hand_event,
    tile_named,
    tiles_in,
    tiles_of,
)
from janshi.records.story import HIDDEN
from janshi.riichi.actions import ACTIONS, SIMPLE_ACTIONS, Action
from janshi.riichi.game import RIICHI
from janshi.riichi.play.steps import HandStart
from janshi.riichi.records.mjai_rules import rules_named
from janshi.riichi.rules import TENHOU, TENHOU_SANMA, Rules
from janshi.riichi.say.following import SeatKnowledge, TableEvent, begin_known_hands, follow_events
from janshi.riichi.state import Event, Events, State, View
from janshi.table import DecisionBatch, new_states
from janshi.tiles import format_tiles, kind_of, tile_text

_COPIES: Final = 4
_MELDS: Final = 4


class KnownTable:
    """Knowledge of one seat, from the events of its game.

    Args:
        rules: rule set; None: the rules that `start_game` names, else Tenhou's for the number of dealt hands.

    If `asked` is true after a call of `hear`, `decision` returns the seat's decision for an agent.
    """

    def __init__(self, rules: Rules | None = None) -> None:
        self.given = rules
        self.rules: Rules = TENHOU if rules is None else rules
        self.seat = -1
        """Own seat; −1 before it is known from `start_game` or the first deal."""
        self.playing = False
        """True during a hand without contradictions so far."""
        self._named: Rules | None = None
        self._names: list[Any] = []
        self._states: Batch[State] | None = None
        self._known = zeros(SeatKnowledge, 1)
        self._event = zeros(TableEvent, 1)
        self._scores: list[int] = []

    @property
    def _state(self) -> NDArray[Any]:
        return cast("NDArray[Any]", cast("NDArray[Any]", self._states)[0])

    @property
    def _seats(self) -> NDArray[np.int8]:
        return np.array([self.seat], np.int8)

    def hear(self, event: dict[str, Any]) -> None:
        """Follow one event. Raises `MjaiError` for an event that is damaged or contradicts earlier ones.

        After an error the rest of the hand is ignored, until the next `start_kyoku`.
        """
        kind = event.get("type")
        try:
            if kind == "start_game":
                self._start_game(event)
            elif kind == "start_kyoku":
                self._start_hand(event)
            elif kind in HAND_EVENTS and self.playing:
                self.follow(read_hand_event(event, self.rules.players))
            elif kind in ("hora", "ryukyoku"):
                self._pay(event)
            self.playing = self.playing and kind not in ("hora", "ryukyoku", "end_kyoku", "end_game")
        except MjaiError:
            self.playing = False
            raise
        except (TypeError, ValueError, OverflowError) as error:
            self.playing = False
            raise MjaiError(f"{kind!r} is damaged ({error})") from None

    # -------------------------------------------------------------------------------------------------------
    # Decisions

    @property
    def asked(self) -> bool:
        """True if this seat has a decision, including a forced discard."""
        return self.playing and int(self._state["actor"]) == self.seat and bool(self._state["legal"].any())

    @property
    def rinshan(self) -> bool:
        """True if the tile just drawn by the seat to move is a replacement tile, which no view shows."""
        return bool(self._state["rinshan"])

    def own_hand(self) -> tuple[NDArray[np.int8], int, bool, bool]:
        """Return the own concealed tiles by kind (34, int8), and the kinds that complete the hand as bits.

        Further whether the seat is in riichi, and whether the wall is empty.
        """
        hand, seat = self._state["hands"][self.seat], self._state["seats"][self.seat]
        return hand["counts"], int(hand["waits"]), bool(seat["riichi"]), int(self._state["left"]) == 0

    def legal(self) -> NDArray[np.bool_]:
        """Return this seat's legal actions (1, 122; bool); none without a decision."""
        mask = np.zeros((1, ACTIONS), np.bool_)
        if self.asked:
            RIICHI.legal(self._states, mask)
        return mask

    def view(self) -> Batch[View]:
        """Return this seat's view (1,), as `janshi.table.Tables.views` does."""
        views = zeros(View, 1)
        RIICHI.views(self._states, self._seats, views)
        # The state's own rules have no kan-dora: indicators are turned over by events.
        cast("NDArray[Any]", views)["rules"]["kan_dora"] = int(self.rules.kan_dora)
        return views

    def events(self) -> Batch[Events]:
        """Return this seat's log of the hand (1,), as `janshi.table.Tables.events` does."""
        logs = zeros(Events, 1)
        cast("Batched", RIICHI.event_logs)(self._states, self._seats, logs)
        return logs

    def decision(self) -> DecisionBatch:
        """Return the pending decision of this seat for agents; its random word is 0."""
        return DecisionBatch(self.rules, self.view(), self.legal(), seats=self._seats, events=self.events())

    def let_pass(self) -> None:
        """Make the own seat furiten after a passed winning tile, which no event shows."""
        state, seat = self._state, self.seat
        state["hands"]["missed"][seat] = 2 if state["seats"]["accepted"][seat] else 1

    # -------------------------------------------------------------------------------------------------------
    # Events of a game

    def _start_game(self, event: dict[str, Any]) -> None:
        self.playing = False
        self._states, self._scores = None, []
        self._names = event["names"] if isinstance(event.get("names"), list) else []
        self.seat = number_in(event, "id", 4) if event.get("id") is not None else -1
        self._named = rules_named(event)

    def _start_hand(self, event: dict[str, Any]) -> None:
        self.playing = False
        hands = event.get("tehais")
        if not isinstance(hands, list) or len(hands) not in (3, 4):
            raise MjaiError("'start_kyoku' without tehais of 3 or 4 players")
        self._choose_rules(event, hands)
        self._find_seat(hands)
        dealt = tiles_in({"type": "start_kyoku", "tehais": hands[self.seat]}, "tehais", 13)
        indicator = tile_named(event.get("dora_marker"))
        for tile in (*dealt, indicator):
            self._check_tile(tile)
        kinds = [kind_of(tile) for tile in dealt]
        if max(map(kinds.count, kinds)) > _COPIES:
            raise MjaiError(f"the own deal {format_tiles(dealt)} has more than four tiles of a kind")
        known = cast("NDArray[Any]", self._known)[0]
        known["tiles"], known["indicator"], known["seat"] = dealt, indicator, self.seat
        begin_known_hands(self._states, self._start_of(event), self._known)
        self.playing = True

    def _choose_rules(self, event: dict[str, Any], hands: list[Any]) -> None:
        players = 3 if self._absent_fourth(event, hands) else 4
        chosen = self.given or self._named or (TENHOU_SANMA if players == 3 else TENHOU)
        if chosen.players > len(hands) or (players == 4 and chosen.players == 3 and len(hands) == 4 and self.seat == 3):
            named = f"rules {chosen.name!r} are for {chosen.players} players, not {players}"
            raise MjaiError(f"{named}: choose others with --rules")
        if self._states is None or chosen != self.rules:
            self._states = new_states(chosen, 1)
            self._state["rules"]["kan_dora"] = 0
        self.rules = chosen

    def _absent_fourth(self, event: dict[str, Any], hands: list[Any]) -> bool:
        """Return whether the game has three players: the fourth seat has no hand, no points or no name."""
        if len(hands) == 3 or not hands[3]:
            return True
        scores = event.get("scores")
        if isinstance(scores, list) and (len(scores) == 3 or (len(scores) == 4 and not scores[3] and sum(scores))):
            first = event.get("bakaze") == "E" and event.get("kyoku") == 1 and not event.get("honba")
            return len(scores) == 3 or first or self.rules.players == 3
        return len(self._names) == 3 or (len(self._names) == 4 and self._names[3] in ("", None))

    def _find_seat(self, hands: list[Any]) -> None:
        """Find the own seat by its visible hand, if no event has named it."""
        if self.seat < 0:
            shown = [seat for seat, hand in enumerate(hands) if HIDDEN not in hand]
            if len(shown) != 1:
                raise MjaiError("'start_kyoku' does not show the own seat, nor did 'start_game' (id)")
            self.seat = shown[0]
        if self.seat >= self.rules.players:
            raise MjaiError(f"the own seat is {self.seat} at a table of {self.rules.players}")

    def _start_of(self, event: dict[str, Any]) -> Batch[HandStart]:
        """Return round, dealer, sticks and points of a deal (1,)."""
        players = self.rules.players
        wind = event.get("bakaze")
        if not isinstance(wind, str) or wind not in "ESWN" or len(wind) != 1:
            raise MjaiError(f"'start_kyoku' with bakaze {wind!r}, which must be E, S, W or N")
        scores = event.get("scores")
        if isinstance(scores, list) and len(scores) >= players:
            self._scores = [int(points) for points in scores[:players]]
        starts = zeros(HandStart, 1)
        start = cast("NDArray[Any]", starts)[0]
        start["dealer"] = number_in({"oya": event.get("kyoku", 0) - 1, **event}, "oya", players)
        start["kyoku"] = 4 * "ESWN".index(wind) + number_in(event, "kyoku", 5) - 1
        start["honba"] = number_in({"honba": 0, **event}, "honba", 1000)
        start["deposits"] = number_in({"kyotaku": 0, **event}, "kyotaku", 1000)
        start["points"] = self.rules.start
        start["points"][:players] = self._scores or self.rules.start
        return starts

    def _pay(self, event: dict[str, Any]) -> None:
        """Update the points if the next deal does not contain them."""
        after, change = event.get("scores"), event.get("deltas")
        players = self.rules.players
        if isinstance(after, list) and len(after) >= players:
            self._scores = [int(points) for points in after[:players]]
        elif isinstance(change, list) and len(change) >= players and self._states is not None:
            points = self._state["seats"]["points"][:players].tolist()
            self._scores = [before + int(paid) for before, paid in zip(points, change, strict=False)]
            self._state["seats"]["points"][:players] = self._scores

    # -------------------------------------------------------------------------------------------------------
    # Events of a hand

    def follow(self, played: HandEvent) -> None:
        """Follow an event of the current hand. Raises `MjaiError` if it contradicts earlier ones."""
        for tile in (played.tile, *played.laid):
            self._check_tile(tile)
        melds = int(self._state["seats"][played.seat]["calls"])
        if melds == _MELDS and (Event.CHII <= played.event <= Event.ANKAN):
            raise MjaiError(f"a fifth set of seat {played.seat}")
        if played.seat == self.seat:
            played = self._check_own(played)
        record = cast("NDArray[Any]", self._event)[0]
        for name in ("event", "seat", "tile", "detail"):
            record[name] = getattr(played, name)
        record["laid"][: len(played.laid)] = played.laid
        record["laid_count"] = len(played.laid)
        if not follow_events(self._states, self._known, self._event)[0]:
            form = played.event.name.lower()
            raise MjaiError(f"{form} of seat {played.seat} cannot follow what was before")

    def _check_tile(self, tile: int) -> None:
        """Raise `MjaiError` for a tile that the three-player game lacks."""
        if self.rules.players == 3 and 1 <= kind_of(tile) <= 7:
            raise MjaiError(f"{tile_text(tile)} does not exist in a game of three")

    def _check_own(self, played: HandEvent) -> HandEvent:
        """Check that the own hand holds the tiles that it lays down; return the event with the correct tsumogiri."""
        hand = self._state["hands"][self.seat]
        if played.event == Event.DRAW and played.tile < 0:
            raise MjaiError("the own draw is hidden")
        if played.event == Event.DRAW and int(hand["counts"][kind_of(played.tile)]) >= _COPIES:
            raise MjaiError(f"the own draw is a fifth {tile_text(played.tile)}")
        tiles = tiles_of(hand)
        for tile in played.laid:
            if tiles.count(tile) < played.laid.count(tile):
                raise MjaiError(f"the call needs {tile_text(tile)}, which is not in the own hand")
        if played.event == Event.DISCARD and played.detail and int(self._state["drawn"]) != played.tile:
            return played._replace(detail=0)
        return played


def choose(agent: Agent, batch: DecisionBatch, legal: NDArray[np.bool_], random: np.random.Generator) -> int:
    """Return an agent's action in its one decision, restricted to some actions.

    ``legal``: the allowed actions (122, bool), at least one; a single one is returned without asking the agent.
    ``random`` provides the random word of the decision.
    """
    batch.legal[0] = legal
    view: Any = np.asarray(batch.views)[0]
    for word, (first, end) in enumerate(((0, SIMPLE_ACTIONS), (Action.ANKAN, Action.KAKAN), (Action.KAKAN, ACTIONS))):
        view["legal"][word] = sum(1 << bit for bit in np.flatnonzero(legal[first:end]).tolist())
    actions = np.flatnonzero(legal)
    if len(actions) == 1:
        return int(actions[0])
    batch.random[0] = random.integers(0, 1 << 63, 1, np.int64)[0]
    return int(agent.act(batch)[0])
