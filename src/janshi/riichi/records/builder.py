"""Building hands from formats that name tiles, not ids (tenhou.net/6 JSON, mjai, Mahjong Soul's).

`HandBuilder` passes plain rows to `janshi.riichi.records.building` and puts its faults into words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from janshi.records.formats import RecordError
from janshi.riichi.records.building import RowFault, Turned, add_rows, conclude, show_ura
from janshi.riichi.records.extras import add_walls
from janshi.riichi.records.holding import Holding
from janshi.riichi.records.model import (
    GUESSED_LENGTH,
    Drawn,
    Limit,
    RecordedHand,
    RecordedWin,
    RiichiGame,
    check_game,
    check_hand,
    limit_of_basic,
    row_of,
)
from janshi.riichi.rules import Length, Rules
from janshi.riichi.state import Ending, Event

#: Value of a riichi stick.
STICK: Final = 1000


class Start(NamedTuple):
    """State of a game at the beginning of a hand, without its tiles; see `janshi.riichi.records.model.RecordedHand`."""

    round: int
    dealer: int
    honba: int
    deposits: int
    scores: Sequence[int]


class HandBuilder(Holding):
    """Builds one hand from tiles (0–36). Every method raises `RecordError` for an impossible event."""

    def __init__(self, reds: Sequence[int], deal: Sequence[Sequence[int]], dora: int, start: Start) -> None:
        self.players = len(deal)
        self.start = start
        for seat, hand in enumerate(deal):
            if len(hand) != 13:
                raise self._error(RowFault.SHORT_DEAL, seat=seat, number=len(hand))
        super().__init__(deal, dora, reds, exact=False)
        self.outcome: list[RecordedWin] | Drawn = []

    def add_rows(self, rows: Sequence[Sequence[int]] | NDArray[np.int16]) -> None:
        """Add rows of `janshi.riichi.records.building`."""
        if len(rows) and add_rows(self._built, np.array(rows, np.int16)) < len(rows):
            raise self._fault()

    def add(
        self, event: int, seat: int, tile: int = -1, from_who: int = -1, own: Sequence[int] = (), detail: int = 0
    ) -> None:
        """Add an event; ``own`` are the tiles laid down, ``detail`` is the `DrawnTile` or `Turned` of the row."""
        columns = own if own or event not in (Event.DISCARD, Event.DORA) else (int(detail),)
        self.add_rows([row_of(event, seat, tile, from_who, *columns)])

    def draw(self, seat: int, tile: int) -> None:
        """Add a draw from the wall or of a replacement tile."""
        self.add(Event.DRAW, seat, tile)

    def discard(self, seat: int, tile: int, drawn: int) -> None:
        """Add a discard; ``drawn`` is a `DrawnTile`."""
        self.add(Event.DISCARD, seat, tile, detail=drawn)

    def riichi(self, seat: int) -> None:
        """Add a declaration of riichi."""
        self.add(Event.RIICHI, seat)

    def indicator(self, tile: int, turned: Turned = Turned.HERE) -> None:
        """Add a dora indicator."""
        self.add(Event.DORA, -1, tile, detail=turned)

    # -------------------------------------------------------------------------------------------------------
    # What is played so far

    @property
    def declared(self) -> int:
        """Seat whose riichi is not yet accepted; −1 for none."""
        return int(self._built["declared"].item())

    @property
    def riichis(self) -> list[int]:
        """Seats whose riichi stands, in order."""
        accepted: list[int] = self._built["riichi"][0, : self._built["accepted"].item()].tolist()
        return accepted

    @property
    def indicators(self) -> int:
        """Number of dora indicators turned over."""
        return int(self._built["indicators"].item())

    @property
    def drawn_tile(self) -> int:
        """The tile drawn last (0–36), while its owner may discard it; −1 for none."""
        return -1 if self.drawn < 0 else self.face(self.drawn)

    def face(self, identity: int) -> int:
        """Return the tile (0–36) of an id in play."""
        return int(self._built["tiles"][0, identity])

    def held(self, seat: int) -> list[int]:
        """Return the concealed tiles (0–36) of a seat."""
        tiles: list[int] = self._built["tiles"][0, self.ids(seat)].tolist()
        return tiles

    # -------------------------------------------------------------------------------------------------------
    # The end

    @property
    def deposits(self) -> int:
        """Riichi sticks on the table."""
        return self.start.deposits + len(self.riichis)

    @property
    def _wins(self) -> list[RecordedWin]:
        return self.outcome if isinstance(self.outcome, list) else []

    def scores(self) -> tuple[int, ...]:
        """Return the current points of every seat, after riichi sticks and wins."""
        if self._wins:
            last = self._wins[-1]
            return tuple(points + delta for points, delta in zip(last.scores, last.deltas, strict=True))
        return tuple(points - STICK * self.riichis.count(seat) for seat, points in enumerate(self.start.scores))

    def ura(self, tiles: Sequence[int]) -> None:
        """Set the ura indicators for winners in riichi; only the first call counts."""
        if show_ura(self._built, np.array(tiles, np.int16)):
            raise self._fault()

    def win(self, who: int, from_who: int, **fields: Any) -> RecordedWin:
        """Add a winner, with the tile last drawn or offered.

        ``fields``: the other fields of `RecordedWin` as far as they do not follow from what was played and who has won.
        """
        for seat in (who, from_who):
            if not 0 <= seat < self.players:
                raise self._error(RowFault.NO_SEAT, seat=seat, number=self.players)
        if isinstance(self.outcome, Drawn):
            raise RecordError("a win after a draw of the hand")
        self._built["over"] = 1
        wins = self.outcome
        ura = tuple(self._built["ura"][0, : self._built["uras"].item()].tolist())
        follows = {
            **self.winning(who, from_who),
            "pao": None,
            "ura": ura if who in self.riichis else (),
            "fu": -1,
            "scores": self.scores(),
            "honba": self.start.honba,
            "deposits": 0 if wins else self.deposits,
        }
        win = RecordedWin(who=who, from_who=from_who, **{**follows, **fields})
        wins.append(win)
        return win

    def value(self, rules: Rules, who: int, from_who: int, deltas: Sequence[int]) -> int:
        """Return the value of the next winner's hand from the payments, without honba and riichi sticks."""
        if self._wins:
            return deltas[who]
        each = rules.honba_each * (self.players - 1) if who == from_who else rules.honba_ron
        return deltas[who] - STICK * self.deposits - each * self.start.honba

    def rons(
        self, rules: Rules, claims: Sequence[tuple[int, int]], total: Sequence[int] | None, liable: int | None
    ) -> list[tuple[int, ...]]:
        """Return the change of every seat's points by each of several rons, in the order of the payments.

        ``claims`` are winners with the values of their hands, ``total`` is the recorded sum of the changes. What the
        values do not explain is part of the win with the number ``liable`` (by default the last): a seat with pao pays.
        """
        changes = []
        for number, (who, points) in enumerate(claims):
            honba = self.start.honba if number == 0 or rules.honba_for_each else 0
            change = [0] * self.players
            change[self.offerer] -= points + rules.honba_ron * honba
            change[who] += points + rules.honba_ron * honba + (STICK * self.deposits if number == 0 else 0)
            changes.append(change)
        if total is not None:
            owed = changes[len(claims) - 1 if liable is None else liable]
            for seat in range(self.players):
                owed[seat] += total[seat] - sum(change[seat] for change in changes)
        return [tuple(change) for change in changes]

    def limit(self, points: int, who: int, from_who: int) -> Limit:
        """Return the limit of a value in points that only a limit reaches.

        A self-draw is worth less with three players, where nobody pays the absent seat's share.
        """
        shares = 6 if who == self.start.dealer else 4
        if who == from_who and self.players == 3:
            shares = 4 if who == self.start.dealer else 3
        return limit_of_basic(points // shares)

    def inferred_reason(self, deltas: Sequence[int]) -> Ending:
        """Return the reason of a drawn hand as far as it follows from the events and payments."""
        return self._conclude(-1, deltas)

    def _conclude(self, reason: int, deltas: Sequence[int]) -> Ending:
        conclude(self._built, np.array([*deltas, 0, 0, 0, 0], np.int32), reason)
        return Ending(self._built["reason"].item())

    def end_drawn(
        self, reason: Ending | None, deltas: tuple[int, ...], shown: tuple[int, ...] | None = None
    ) -> None:
        """End the hand without a winner; a missing ``reason`` and the seats ``shown`` are inferred."""
        if self.outcome:
            raise RecordError("a draw after the end of the hand")
        found = self._conclude(-1 if reason is None else int(reason), deltas)
        self._built["over"] = 1
        bits = self._built["shown"].item()
        if shown is None and bits >= 0:
            shown = tuple(seat for seat in range(self.players) if bits >> seat & 1)
        self.outcome = Drawn(found, deltas, self.scores(), shown, self.start.honba, self.deposits)

    def _hand(self) -> RecordedHand:
        """Return the hand so far."""
        return RecordedHand(
            round=self.start.round,
            honba=self.start.honba,
            deposits=self.start.deposits,
            dealer=self.start.dealer,
            scores=list(self.start.scores),
            deal=self._built["deal"][0, : 13 * self.players].reshape(-1, 13).copy(),
            dora=self._built["indicator"].item(),
            dice=None,
            events=self.rows.copy(),
            outcome=self.outcome,
            exact=False,
        )

    def finish(self) -> RecordedHand:
        """Return the finished hand."""
        if not self.outcome:
            raise RecordError("the hand has no end (a win or a draw)")
        hand = self._hand()
        check_hand(hand, self.players)
        return hand


def guess_length(hands: Sequence[RecordedHand], players: int, *, over: bool = False) -> Length:
    """Return the length of a game of unknown rules; ``over``: it is known to end with the last hand.

    East only if it ends in the East round without tobi, or in the South round before its last hand, which a game of
    East and South cannot.
    """
    last = hands[-1].round
    if min(hands[-1].points_after()) < 0:
        return Length.EAST_SOUTH
    ends_in_east = last < 4 and (last == players - 1 or len(hands) > players)
    return Length.EAST if ends_in_east or (over and 4 <= last < 3 + players) else Length.EAST_SOUTH


def finish_game(game: RiichiGame, *, rules_named: bool) -> RiichiGame:
    """Return a completely read game after checks, with its walls and, if no rules are named, its length.

    Raises `RecordError` if it has no hand, or results that no game can have.
    """
    game.check_hands()
    if not rules_named:
        length = guess_length(game.hands, game.players, over=game.final_scores is not None and not game.cut)
        game.note(GUESSED_LENGTH + ("East" if length == Length.EAST else "East and South"))
        if length == Length.EAST and game.rules.length != length:
            game.rules = replace(game.rules, length=length, name=f"{game.rules.name}-east")
    add_walls(game)
    return check_game(game)
