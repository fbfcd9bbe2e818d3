"""Records of games that the engine has played: a hand is read off its table once it is over."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from janshi.compiling import zeros
from janshi.riichi.hands.yaku import YAKU, YAKUMAN
from janshi.riichi.play.wall import dora_slot
from janshi.riichi.records.builder import HandBuilder, Start
from janshi.riichi.records.model import RecordedHand, RiichiGame, limit_of_basic, row_of
from janshi.riichi.records.walls import deal_slots
from janshi.riichi.rules import Rules, final_points
from janshi.riichi.rules.yaku import DORA, RED_FIVES, URA_DORA, yaku_in
from janshi.riichi.say.options import lay_down
from janshi.riichi.state import Ending, Event, Phase
from janshi.say.records import OptionRow
from janshi.tiles import kind_of


class GameRecording:
    """Records a game that begins at a table, hand by hand: see `janshi.records.recorder.Recording`."""

    def __init__(self, rules: Rules, names: Sequence[str], source: str = "", lobby: str = "") -> None:
        self._rules, self._names = rules, list(names)
        self.source, self.lobby = source, lobby
        self.hands: list[RecordedHand] = []
        self._over = True  # the game before
        self.begin_hand([rules.start] * rules.players, 0)

    def begin_hand(self, scores: list[int], deposits: int) -> None:
        """Note points and riichi sticks before a hand, where they are not what the hand before has left."""
        self._scores, self._deposits = scores, deposits

    def add_hand(self, state: Any) -> None:
        """Record the hand that is over at the table."""
        if self._over:
            self.hands = []
        self.hands.append(record_hand(state, self._rules, self._scores, self._deposits))
        self._over = int(state["phase"]) == Phase.GAME_OVER
        self._final = state["seats"]["points"].tolist()[: self._rules.players]
        start = [self._rules.start] * self._rules.players, 0
        self.begin_hand(*(start if self._over else (self._final, int(state["deposits"]))))

    def game(self) -> RiichiGame:
        """Return the record of the hands so far."""
        scores = self._final if self._over and self.hands else None
        return RiichiGame(
            source=self.source,
            format="janshi",
            players=self._rules.players,
            rules=self._rules,
            names=self._names,
            hands=list(self.hands),
            lobby=self.lobby,
            final_scores=scores,
            final_points=None if scores is None else final_points(self._rules, scores),
        )


def record_hand(state: Any, rules: Rules, scores: Sequence[int], deposits: int) -> RecordedHand:
    """Return the record of a hand that is over.

    ``state`` is one `janshi.riichi.state.State` of an array, ``scores`` and ``deposits`` are what they were before it.
    """
    wall = state["wall"].tolist()
    start = Start(int(state["kyoku"]), int(state["dealer"]), int(state["honba"]), deposits, scores)
    builder = HandBuilder(rules.red_fives, dealt(state, rules), wall[dora_slot(rules.players, 0)], start)
    discarder, rows = -1, []
    for event, seat, tile, detail in logged_events(state):
        own = [detail] if event == Event.DISCARD else laid_down(rules, event, tile, detail)
        rows.append(row_of(event, seat, tile, discarder, *own))
        discarder = seat if event == Event.DISCARD else discarder
    builder.add_rows(rows)
    ended = Ending(int(state["ended"]))
    if ended in (Ending.TSUMO, Ending.RON):
        turned = int(state["shown"]) if rules.kan_ura else 1
        ura = [wall[dora_slot(rules.players, number) - 1] for number in range(turned)]
        builder.ura(ura if rules.ura_dora else ())
        for number in range(int(state["winners"])):
            _add_win(builder, state, state["wins"][number])
        return builder.finish()
    change = tuple(state["change"].tolist()[: rules.players])
    shown = None
    if ended == Ending.EXHAUSTIVE:
        shown = tuple(seat for seat in range(rules.players) if state["hands"]["waits"][seat])
    builder.end_drawn(ended, change, shown)
    return builder.finish()


def _add_win(builder: HandBuilder, state: Any, win: Any) -> None:
    """Add one of the engine's winners to the record of a hand."""
    who, value = int(win["seat"]), win["value"]
    closed = int(state["seats"][who]["opened"]) == 0
    yaku_bits = int(value["yaku"])
    yaku: list[tuple[int, int]] = []
    yakuman = tuple(number for number in YAKUMAN if yaku_bits >> number & 1)
    if not yakuman:
        yaku = [(int(one), YAKU[one].closed if closed else YAKU[one].open) for one in yaku_in(yaku_bits)]
        extra = ((DORA, value["dora"]), (URA_DORA, value["ura"]), (RED_FIVES, value["red"]))
        yaku += [(number, int(han)) for number, han in extra if han]
    builder.win(
        who,
        int(win["discarder"]),
        pao=None if int(win["pao"]) < 0 else int(win["pao"]),
        han=int(value["han"]),
        fu=int(value["fu"]),
        points=int(win["points"]),
        limit=limit_of_basic(int(value["basic"])),
        yaku=tuple(yaku),
        yakuman=yakuman,
        deltas=tuple(win["change"].tolist()[: builder.players]),
        deposits=int(win["deposits"]),
    )


def logged_events(state: Any, first: int = 0) -> list[list[int]]:
    """Return the events of the engine's log from the given number on: event, seat, tile, detail."""
    rows: list[list[int]] = state["log"].reshape(-1, 4)[first : int(state["logged"])].tolist()
    return rows


def dealt(state: Any, rules: Rules) -> list[list[int]]:
    """Return the 13 tiles (0–36) that every seat was dealt in the hand that is played, in the order of the deal.

    The dealer's fourteenth tile is its first draw.
    """
    slots = deal_slots(rules.players, int(state["dealer"]))
    deal: list[list[int]] = state["wall"][slots].tolist()
    return deal


def laid_down(rules: Rules, event: int, tile: int, action: int) -> list[int]:
    """Return the tiles (0–36) that a call of the engine's log lays down from the hand; empty for other events.

    ``tile`` is the called one (of a closed kan: its kind), ``action`` the action that was done. An added kan lays down
    one tile, ``tile``; here stand the three others, those of the pon.
    """
    if not Event.CHII <= event <= Event.KAKAN:
        return []
    kind = kind_of(tile)
    reds = rules.red_fives[kind // 9] if kind < 27 and kind % 9 == 4 else 0
    return list(_laid(reds, tile, action))


@cache
def _laid(reds: int, tile: int, action: int) -> tuple[int, ...]:
    found = zeros(OptionRow, 1)
    lay_down(reds, tile, action, found)
    return tuple(laid for laid in np.asarray(found)["tiles"][0].tolist() if laid >= 0)
