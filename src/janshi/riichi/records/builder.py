"""Building hands from formats that name tiles, not ids (tenhou.net/6 JSON, mjai, Mahjong Soul's).

`HandBuilder` gives every tile that turns up an id of its own, follows what each seat holds, and refuses
what cannot be: a fifth tile of a kind, a discard of a tile not held, a call of a tile not discarded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np

from janshi.records.formats import RecordError
from janshi.riichi.records.extras import add_walls
from janshi.riichi.records.model import (
    COLUMNS,
    GUESSED_LENGTH,
    Drawn,
    Holding,
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
from janshi.tiles import KINDS, NORTH, kind_of, tile_text

#: Draws, replacements included, after which a hand has run out.
FULL_DRAWS: Final = {3: 55, 4: 70}

#: Events that a replacement tile follows.
_REPLACED: Final = (Event.DAIMINKAN, Event.ANKAN, Event.KAKAN, Event.KITA)

#: Value of a riichi stick.
STICK: Final = 1000


class Start(NamedTuple):
    """State of a game at the beginning of a hand, without its tiles; see `janshi.riichi.records.model.RecordedHand`."""

    round: int
    dealer: int
    honba: int
    deposits: int
    scores: Sequence[int]


def _free_ids(players: int, reds: Sequence[int]) -> list[list[int]]:
    """Return the ids that each tile (0–36) can have, the lowest last."""
    free: list[list[int]] = [[] for _ in range(KINDS + 3)]
    for kind in range(KINDS):
        ids = list(range(4 * kind + 3, 4 * kind - 1, -1))
        if players == 3 and 1 <= kind <= 7:
            continue
        if kind in (4, 13, 22) and reds[kind // 9]:
            if reds[kind // 9] > 1:
                raise RecordError(f"{reds[kind // 9]} red fives of a suit: ids allow only one")
            free[KINDS + kind // 9] = [ids.pop()]
        free[kind] = ids
    return free


class HandBuilder:
    """Builds one hand from tiles (0–36). Every method raises `RecordError` for an impossible event."""

    def __init__(self, reds: Sequence[int], deal: Sequence[Sequence[int]], dora: int, start: Start) -> None:
        self.players = len(deal)
        self.start = start
        self._free = _free_ids(self.players, reds)
        self.tiles: dict[int, int] = {}  # id -> tile, of every id in play
        self.rows: list[tuple[int, ...]] = []
        indicator = self._new(dora)
        ids = [[self._new(tile) for tile in hand] for hand in deal]
        for seat, hand in enumerate(ids):
            if len(hand) != 13:
                raise RecordError(f"seat {seat} is dealt {len(hand)} tiles, not 13")
        self._hand = RecordedHand(
            round=start.round,
            honba=start.honba,
            deposits=start.deposits,
            dealer=start.dealer,
            scores=list(start.scores),
            deal=np.array(ids, np.uint8),
            dora=indicator,
            dice=None,
            events=np.zeros((0, COLUMNS), np.int16),
            outcome=[],
            exact=False,
        )
        self.holding = Holding(self._hand)
        self.declared = -1  # seat whose riichi is not yet accepted
        self.riichis: list[int] = []  # seats whose riichi stands, in order
        self._ura: tuple[int, ...] | None = None

    def _new(self, tile: int) -> int:
        free = self._free[tile]
        if not free:
            raise RecordError(f"too many tiles {tile_text(tile)}")
        identity = free.pop()
        self.tiles[identity] = tile
        return identity

    def _seat(self, seat: int) -> int:
        if not 0 <= seat < self.players:
            raise RecordError(f"seat {seat} in a game of {self.players}")
        return seat

    def _row(self, event: Event, seat: int, tile: int = -1, from_who: int = -1, *own: int) -> None:
        if self.outcome:
            raise RecordError("events follow the end of the hand")
        row = row_of(event, seat, tile, from_who, *own)
        self.holding.take(row)
        self.rows.append(row)

    def _held(self, seat: int, tiles: Sequence[int], spare: int = -1) -> list[int]:
        """Return the ids of tiles in a seat's hand; not the id ``spare`` where there is another."""
        held = sorted(self.holding.tiles[seat], key=lambda identity: (identity == spare, identity))
        ids = []
        for tile in tiles:
            fitting = next((identity for identity in held if self.tiles[identity] == tile), None)
            if fitting is None:
                raise RecordError(f"seat {seat} uses {tile_text(tile)}, which is not in its hand")
            held.remove(fitting)
            ids.append(fitting)
        return ids

    def has_drawn(self, seat: int, tile: int) -> bool:
        """Return whether a seat may discard this tile as the one just drawn."""
        drawn = self.holding.drawn
        return drawn in self.holding.tiles[seat] and self.tiles[drawn] == tile

    def _between_turns(self, seat: int) -> int:
        """Return the number of concealed tiles of a seat between its turns."""
        return 13 - 3 * sum(meld.event != Event.KITA for meld in self.holding.melds[self._seat(seat)])

    def add(
        self, event: int, seat: int, tile: int, from_who: int = -1, own: Sequence[int] = (), tsumogiri: bool = False
    ) -> None:
        """Add an event; ``own`` contains the tiles from the hand of a call or closed kan."""
        if event == Event.DRAW:
            self.draw(seat, tile)
        elif event == Event.DISCARD:
            self.discard(seat, tile, tsumogiri)
        elif event == Event.DORA:
            self.indicator(tile)
        elif event == Event.RIICHI:
            self.riichi(seat)
        elif event == Event.ACCEPTED:
            self.accept()
        else:
            self.lay(Event(event), seat, tile, from_who, own)

    def draw(self, seat: int, tile: int) -> None:
        """Add a draw from the wall or of a replacement tile."""
        full, held = self._between_turns(seat), len(self.holding.tiles[seat])
        if held != full:
            raise RecordError(f"seat {seat} draws with {held} concealed tiles, not {full}")
        self._row(Event.DRAW, seat, self._new(tile))

    def discard(self, seat: int, tile: int, tsumogiri: bool) -> None:
        """Add a discard; ``tsumogiri``: of the drawn tile."""
        if len(self.holding.tiles[self._seat(seat)]) != self._between_turns(seat) + 1:
            raise RecordError(f"seat {seat} discards without a draw or call")
        drawn = self.holding.drawn
        if not tsumogiri:
            (identity,) = self._held(seat, [tile], drawn)
        elif self.has_drawn(seat, tile):
            identity = drawn
        else:
            raise RecordError(f"seat {seat} discards {tile_text(tile)} by tsumogiri, but has not drawn it")
        self._row(Event.DISCARD, seat, identity, -1, int(identity == drawn))

    def lay(self, event: Event, seat: int, tile: int, from_who: int = -1, own: Sequence[int] = ()) -> None:
        """Add a call, a kan or a kita.

        ``tile`` is claimed from ``from_who`` or added to a pon, ``own`` are laid down from the hand.
        """
        self._seat(seat)
        claimed = event in (Event.CHII, Event.PON, Event.DAIMINKAN)
        offered, offerer = self.holding.offered, self.holding.offerer
        if claimed and (offerer != from_who or seat == from_who or self.tiles.get(offered) != tile):
            raise RecordError(f"seat {seat} calls {tile_text(tile)}, which is not the last discard of seat {from_who}")
        if event == Event.KITA:
            own = [NORTH]
        elif event != Event.KAKAN:
            _check_set(event, [tile, *own] if claimed else own)
        else:
            own = [tile]
            pons = [meld.tiles[0] // 4 for meld in self.holding.melds[seat] if meld.event == Event.PON]
            if kind_of(tile) not in pons:
                raise RecordError(f"seat {seat} adds {tile_text(tile)} to a missing pon")
        ids = sorted(self._held(seat, own))
        self._row(event, seat, offered if claimed else ids[0], from_who if claimed else -1, *ids)

    def riichi(self, seat: int) -> None:
        """Add a declaration of riichi."""
        self._row(Event.RIICHI, self._seat(seat))
        self.declared = seat

    def accept(self) -> None:
        """Accept the last declaration of riichi, if any."""
        if self.declared >= 0:
            self._row(Event.ACCEPTED, self.declared)
            self.riichis.append(self.declared)
        self.declared = -1

    def indicator(self, tile: int, *, before_discard: bool = False) -> None:
        """Add a dora indicator; ``before_discard``: before the latest discard."""
        self._row(Event.DORA, -1, self._new(tile))
        at = len(self.rows) - 1
        while before_discard and at and self.rows[at - 1][0] in (Event.DISCARD, Event.RIICHI, Event.ACCEPTED):
            at -= 1
        self.rows.insert(at, self.rows.pop())

    def kan_indicator(self, tile: int) -> None:
        """Add a dora indicator that the record names after what follows the kan: its replacement draw, or a discard.

        Turned over at once, it stands before the draw, otherwise before the discard.
        """
        events = [row[0] for row in self.rows[-2:]]
        self.indicator(tile, before_discard=True)
        if events[1:] == [Event.DRAW] and events[0] in (*_REPLACED, Event.DORA):
            self.rows[-2:] = self.rows[:-3:-1]

    # -------------------------------------------------------------------------------------------------------
    # The end

    @property
    def outcome(self) -> list[RecordedWin] | Drawn:
        """The outcome of the hand; an empty list during the hand."""
        return self._hand.outcome

    @property
    def deposits(self) -> int:
        """Riichi sticks on the table."""
        return self.start.deposits + len(self.riichis)

    def scores(self) -> tuple[int, ...]:
        """Return the current points of every seat, after riichi sticks and wins."""
        if self._hand.wins:
            return tuple(self._hand.points_after())
        return tuple(points - STICK * self.riichis.count(seat) for seat, points in enumerate(self.start.scores))

    def ura(self, tiles: Sequence[int]) -> None:
        """Set the ura indicators for winners in riichi; only the first call counts."""
        if self._ura is None:
            self._ura = tuple(self._new(tile) for tile in tiles)

    def win(self, who: int, from_who: int, **fields: Any) -> RecordedWin:
        """Add a winner, with the tile last drawn or offered.

        ``fields``: the other fields of `RecordedWin` as far as they do not follow from what was played and who has won.
        """
        self._seat(who)
        self._seat(from_who)
        wins = self._hand.wins
        if isinstance(self.outcome, Drawn):
            raise RecordError("a win after a draw of the hand")
        follows = {
            **self.holding.winning(who, from_who),
            "pao": None,
            "ura": (self._ura or ()) if who in self.riichis else (),
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
        if self._hand.wins:
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
            change[self.holding.offerer] -= points + rules.honba_ron * honba
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

    def end_drawn(self, reason: Ending, deltas: tuple[int, ...], shown: tuple[int, ...] | None) -> None:
        """End the hand without a winner."""
        if self.outcome:
            raise RecordError("a draw after the end of the hand")
        self._hand.outcome = Drawn(reason, deltas, self.scores(), shown, self.start.honba, self.deposits)

    def finish(self) -> RecordedHand:
        """Return the finished hand."""
        if not self.outcome:
            raise RecordError("the hand has no end (a win or a draw)")
        self._hand.events = np.array(self.rows, np.int16).reshape(-1, COLUMNS)
        check_hand(self._hand, self.players)
        return self._hand

    def reason(self, deltas: Sequence[int]) -> Ending:
        """Return the reason of a drawn hand, inferred from the events."""
        events = [row[0] for row in self.rows]
        if events.count(Event.DRAW) >= FULL_DRAWS[self.players]:
            # Payments for readiness never bring anybody more than 3,000.
            return Ending.NAGASHI_MANGAN if max(deltas, default=0) > 3000 else Ending.EXHAUSTIVE
        if events[-1:] == [Event.DRAW]:
            return Ending.KYUUSHU_KYUUHAI
        if len(self.riichis) == self.players:
            return Ending.FOUR_RIICHI
        if sum(event in (Event.DAIMINKAN, Event.ANKAN, Event.KAKAN) for event in events) == 4:
            return Ending.FOUR_KANS
        return Ending.FOUR_WINDS if events.count(Event.DISCARD) == self.players else Ending.TRIPLE_RON

    def shown(self, reason: Ending, deltas: Sequence[int]) -> tuple[int, ...] | None:
        """Return the seats that reveal their hands after a drawn hand, None if unknown."""
        everybody = range(self.players)
        if reason == Ending.EXHAUSTIVE:
            return tuple(seat for seat in everybody if deltas[seat] > 0) if any(deltas) else None
        if reason == Ending.KYUUSHU_KYUUHAI:
            return (self.rows[-1][1],) if self.rows else None
        if reason == Ending.FOUR_RIICHI:
            return tuple(everybody)
        if reason == Ending.TRIPLE_RON:
            return tuple(seat for seat in everybody if seat != self.holding.offerer)
        return None if reason == Ending.NAGASHI_MANGAN else ()


def _check_set(event: Event, tiles: Sequence[int]) -> None:
    kinds = sorted(map(kind_of, tiles))
    if event == Event.CHII:
        fits = kinds == [*range(kinds[0], kinds[0] + 3)] and kinds[2] < 27 and kinds[0] // 9 == kinds[2] // 9
    else:
        fits = len(kinds) == (3 if event == Event.PON else 4) and len(set(kinds)) == 1
    if not fits:
        raise RecordError(f"{' '.join(map(tile_text, tiles))} is not a {event.name.lower()}")


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
