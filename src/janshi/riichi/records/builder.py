"""Building hands from formats that name tiles, not ids (tenhou.net/6 JSON, mjai).

`HandBuilder` gives every tile that turns up an id of its own, follows what each seat holds, and refuses
what cannot be: a fifth tile of a kind, a discard of a tile not held, a call of a tile not discarded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from janshi.records.formats import RecordError
from janshi.riichi.records.model import COLUMNS, Drawn, Hand, Limit, Meld, Win, check_hand, meld_row
from janshi.riichi.rules import Length
from janshi.riichi.state import Ending, Event
from janshi.tiles import KINDS, NORTH, kind_of, tile_text

#: Draws, replacements included, after which a hand has run out.
FULL_DRAWS: Final = {3: 55, 4: 70}

#: Value of a riichi stick.
STICK: Final = 1000


def _free_ids(players: int, reds: Sequence[int]) -> list[list[int]]:
    """The ids that each tile (0–36) can be, the lowest last."""
    free: list[list[int]] = [[] for _ in range(KINDS + 3)]
    for kind in range(KINDS):
        ids = list(range(4 * kind + 3, 4 * kind - 1, -1))
        if players == 3 and 1 <= kind <= 7:
            continue
        if kind in (4, 13, 22) and reds[kind // 9]:
            if reds[kind // 9] > 1:
                raise RecordError(f"{reds[kind // 9]} red fives of a suit: ids have room for one")
            free[KINDS + kind // 9] = [ids.pop()]
        free[kind] = ids
    return free


class HandBuilder:
    """Collects one hand from tiles (0–36); every method raises `RecordError` on what cannot be."""

    def __init__(self, players: int, reds: Sequence[int], deal: Sequence[Sequence[int]], dora: int) -> None:
        self.players = players
        self._free = _free_ids(players, reds)
        self.tiles: dict[int, int] = {}  # id -> tile, of every id in play
        self.rows: list[tuple[int, ...]] = []
        self.indicators = [self._new(dora)]
        self.deal = [[self._new(tile) for tile in hand] for hand in deal]
        for seat, hand in enumerate(self.deal):
            if len(hand) != 13:
                raise RecordError(f"seat {seat} is dealt {len(hand)} tiles, not 13")
        self.held = [list(hand) for hand in self.deal]
        self.melds: list[list[Meld]] = [[] for _ in range(players)]
        self._full = [13] * players  # tiles in hand between turns
        self.drawn = -1  # id drawn last, while its owner may still discard it
        self.offered = -1  # id that others may claim: discarded, added, or set aside last
        self.offerer = -1
        self.riichis: list[int] = []  # seats whose riichi stands, in order
        self.draws = 0

    def _new(self, tile: int) -> int:
        free = self._free[tile]
        if not free:
            raise RecordError(f"more {tile_text(tile)} turn up than there are")
        identity = free.pop()
        self.tiles[identity] = tile
        return identity

    def _seat(self, seat: int) -> int:
        if not 0 <= seat < self.players:
            raise RecordError(f"seat {seat} in a game of {self.players}")
        return seat

    def _row(self, event: Event, seat: int, tile: int = -1, from_who: int = -1, *own: int) -> None:
        self.rows.append((int(event), seat, tile, from_who, *own, *(-1,) * (4 - len(own))))

    def _give(self, seat: int, tile: int, spare: int = -1) -> int:
        """Take a tile out of a seat's hand; not the id ``spare`` where there is another."""
        fitting = [held for held in self.held[seat] if self.tiles[held] == tile]
        if not fitting:
            raise RecordError(f"seat {seat} uses {tile_text(tile)}, which it does not hold")
        identity = next((held for held in fitting if held != spare), fitting[0])
        self.held[seat].remove(identity)
        return identity

    def add(
        self, event: int, seat: int, tile: int, from_who: int = -1, own: Sequence[int] = (), tsumogiri: bool = False
    ) -> None:
        """Enter an event of any sort; ``own``: the tiles that a call or closed kan lays down."""
        if event == Event.DRAW:
            self.draw(seat, tile)
        elif event == Event.DISCARD:
            self.discard(seat, tile, tsumogiri)
        elif event == Event.DORA:
            self.indicator(tile)
        elif event == Event.RIICHI:
            self.riichi(seat)
        elif event == Event.ACCEPTED:
            self.accept(seat)
        elif event == Event.KITA:
            self.kita(seat)
        elif event == Event.KAKAN:
            self.added_kan(seat, tile)
        elif event == Event.ANKAN:
            self.closed_kan(seat, own)
        else:
            self.call(Event(event), seat, from_who, tile, own)

    def draw(self, seat: int, tile: int) -> None:
        """A tile is drawn, from the wall or as a replacement."""
        if len(self.held[self._seat(seat)]) != self._full[seat]:
            raise RecordError(f"seat {seat} draws with {len(self.held[seat])} tiles in hand, not {self._full[seat]}")
        self.drawn = self._new(tile)
        self.held[seat].append(self.drawn)
        self._row(Event.DRAW, seat, self.drawn)
        self.draws += 1
        self.offered = self.offerer = -1

    def discard(self, seat: int, tile: int, tsumogiri: bool) -> None:
        """A tile is discarded; ``tsumogiri``: the one just drawn."""
        if len(self.held[self._seat(seat)]) != self._full[seat] + 1:
            raise RecordError(f"seat {seat} discards without having drawn or called")
        if tsumogiri:
            if self.drawn not in self.held[seat] or self.tiles[self.drawn] != tile:
                raise RecordError(f"seat {seat} discards {tile_text(tile)} as just drawn, which it has not drawn")
            identity = self.drawn
            self.held[seat].remove(identity)
        else:
            identity = self._give(seat, tile, self.drawn)
        self._row(Event.DISCARD, seat, identity, -1, int(identity == self.drawn))
        self.drawn, self.offered, self.offerer = -1, identity, seat

    def call(self, event: Event, seat: int, from_who: int, tile: int, own: Sequence[int]) -> None:
        """A chii, pon or open kan: ``tile`` is claimed, ``own`` are laid down."""
        self._seat(seat)
        if self.offerer != from_who or seat == from_who or self.tiles.get(self.offered) != tile:
            raise RecordError(f"seat {seat} calls {tile_text(tile)}, which seat {from_who} has not just discarded")
        _check_set(event, tile, own)
        ids = [self._give(seat, laid) for laid in own]
        self._full[seat] -= 3
        meld = Meld(event, tuple(sorted((*ids, self.offered))), self.offered, (from_who - seat) % 4)
        self.melds[seat].append(meld)
        self.rows.append(meld_row(meld, seat))
        self.offered = self.offerer = self.drawn = -1

    def closed_kan(self, seat: int, own: Sequence[int]) -> None:
        """Four tiles of a kind are laid down."""
        self._seat(seat)
        _check_set(Event.ANKAN, own[0], own[1:])
        ids = sorted(self._give(seat, laid) for laid in own)
        self._full[seat] -= 3
        meld = Meld(Event.ANKAN, tuple(ids), ids[0])
        self.melds[seat].append(meld)
        self.rows.append(meld_row(meld, seat))
        self.offered, self.offerer = self._just_drawn(ids), seat

    def added_kan(self, seat: int, tile: int) -> None:
        """A tile is added to a pon."""
        melds = self.melds[self._seat(seat)]
        pon = next((m for m in melds if m.event == Event.PON and m.tiles[0] // 4 == kind_of(tile)), None)
        if pon is None:
            raise RecordError(f"seat {seat} adds {tile_text(tile)} to a pon that it does not have")
        identity = self._give(seat, tile)
        meld = Meld(Event.KAKAN, tuple(sorted((*pon.tiles, identity))), pon.called, pon.discarder, identity)
        melds[melds.index(pon)] = meld
        self.rows.append(meld_row(meld, seat))
        self.offered, self.offerer = identity, seat

    def kita(self, seat: int) -> None:
        """A North is set aside; of several the one just drawn stays last in hand."""
        identity = self._give(self._seat(seat), NORTH)
        self.melds[seat].append(Meld(Event.KITA, (identity,)))
        self._row(Event.KITA, seat, identity, -1, identity)
        self.offered, self.offerer = identity, seat

    def _just_drawn(self, ids: Sequence[int]) -> int:
        return self.drawn if self.drawn in ids else ids[0]

    def riichi(self, seat: int) -> None:
        """Riichi is declared."""
        self._row(Event.RIICHI, self._seat(seat))

    def accept(self, seat: int) -> None:
        """The riichi just declared stands."""
        self._row(Event.ACCEPTED, self._seat(seat))
        self.riichis.append(seat)

    def indicator(self, tile: int, *, before_discard: bool = False) -> None:
        """One more dora indicator is turned over; ``before_discard``: already before the latest discard."""
        identity = self._new(tile)
        self.indicators.append(identity)
        after = []
        while before_discard and self.rows and self.rows[-1][0] in (Event.DISCARD, Event.RIICHI, Event.ACCEPTED):
            after.append(self.rows.pop())
        self._row(Event.DORA, -1, identity)
        self.rows += reversed(after)

    # -------------------------------------------------------------------------------------------------------
    # The end

    def scores(self, before: Sequence[int]) -> tuple[int, ...]:
        """Points of every seat when the hand ends: riichi sticks are paid."""
        return tuple(points - STICK * self.riichis.count(seat) for seat, points in enumerate(before))

    def ura(self, tiles: Sequence[int]) -> tuple[int, ...]:
        """Ids for the indicators under the dora."""
        return tuple(self._new(tile) for tile in tiles)

    def win(self, who: int, from_who: int, pao: int | None, **fields: object) -> Win:
        """One winner, of the tile just drawn or offered; ``fields``: the other fields of `Win`."""
        self._seat(who)
        self._seat(from_who)
        held = list(self.held[who])
        if who == from_who:
            if self.drawn not in held:
                raise RecordError(f"seat {who} wins by self-draw without having drawn")
            tile = self.drawn
        else:
            if self.offerer != from_who:
                raise RecordError(f"seat {who} wins on a tile of seat {from_who}, which has offered none")
            tile = self.offered
            held.append(tile)
        return Win(
            who=who,
            from_who=from_who,
            pao=pao,
            tile=tile,
            hand=tuple(sorted(held)),
            melds=tuple(reversed(self.melds[who])),
            dora=tuple(self.indicators),
            **fields,  # type: ignore[arg-type]
        )

    def finish(
        self, *, round_: int, honba: int, deposits: int, dealer: int, scores: list[int], outcome: list[Win] | Drawn
    ) -> Hand:
        """The whole hand."""
        hand = Hand(
            round=round_,
            honba=honba,
            deposits=deposits,
            dealer=dealer,
            scores=scores,
            deal=np.array(self.deal, np.uint8).reshape(self.players, 13),
            dora=self.indicators[0],
            dice=None,
            events=np.array(self.rows, np.int16).reshape(-1, COLUMNS),
            outcome=outcome,
            exact=False,
        )
        check_hand(hand, self.players)
        return hand

    def reason(self, deltas: Sequence[int]) -> Ending:
        """Why a hand was drawn, where the record does not say: read off what was played."""
        kans = sum(row[0] in (Event.DAIMINKAN, Event.ANKAN, Event.KAKAN) for row in self.rows)
        if self.draws >= FULL_DRAWS[self.players]:
            # Payments for readiness never bring anybody more than 3,000.
            return Ending.NAGASHI_MANGAN if max(deltas, default=0) > 3000 else Ending.EXHAUSTIVE
        if self.rows and self.rows[-1][0] == Event.DRAW:
            return Ending.KYUUSHU_KYUUHAI
        if len(self.riichis) == self.players:
            return Ending.FOUR_RIICHI
        if kans == 4:
            return Ending.FOUR_KANS
        if sum(row[0] == Event.DISCARD for row in self.rows) == self.players:
            return Ending.FOUR_WINDS
        return Ending.TRIPLE_RON

    def shown(self, reason: Ending, deltas: Sequence[int]) -> tuple[int, ...] | None:
        """Seats whose hands are shown after a drawn hand, as far as it follows from the rest."""
        everybody = range(self.players)
        if reason == Ending.EXHAUSTIVE:
            return tuple(seat for seat in everybody if deltas[seat] > 0) if any(deltas) else None
        if reason == Ending.KYUUSHU_KYUUHAI:
            return (self.rows[-1][1],) if self.rows else None
        if reason == Ending.FOUR_RIICHI:
            return tuple(everybody)
        if reason == Ending.TRIPLE_RON:
            return tuple(seat for seat in everybody if seat != self.offerer)
        return None if reason == Ending.NAGASHI_MANGAN else ()


def _check_set(event: Event, tile: int, own: Sequence[int]) -> None:
    kinds = sorted(kind_of(each) for each in (tile, *own))
    if event == Event.CHII:
        fits = len(kinds) == 3 and kinds[2] < 27 and kinds[0] // 9 == kinds[2] // 9
        fits = fits and kinds[1] == kinds[0] + 1 and kinds[2] == kinds[0] + 2
    else:
        fits = len(kinds) == (3 if event == Event.PON else 4) and len(set(kinds)) == 1
    if not fits:
        shown = " ".join(tile_text(each) for each in (tile, *own))
        raise RecordError(f"{shown} is no {event.name.lower()}")


def points_of(deltas: Sequence[int], who: int, honba: int, deposits: int, honba_ron: int) -> int:
    """Value of a winning hand, from what the winner was paid."""
    return deltas[who] - STICK * deposits - honba_ron * honba


def limit_of(points: int, dealer: bool, self_draw: bool, players: int) -> Limit:
    """The limit that a value in points stands for; for values that only a limit reaches.

    A self-draw is worth less with three players, where nobody pays the absent seat's share.
    """
    shares = 6 if dealer else 4
    if self_draw and players == 3:
        shares = 4 if dealer else 3
    for limit, base in ((Limit.YAKUMAN, 8000), (Limit.SANBAIMAN, 6000), (Limit.BAIMAN, 4000), (Limit.HANEMAN, 3000)):
        if points >= base * shares:
            return limit
    return Limit.MANGAN if points >= 2000 * shares else Limit.NONE


def guess_length(hands: Sequence[Hand], players: int) -> Length:
    """Length of a game whose record does not tell its rules: East-only where it ends in the East round unbusted."""
    last = hands[-1]
    changes = last.outcome if isinstance(last.outcome, list) else [last.outcome]
    points = list(changes[0].scores)
    for change in changes:
        points = [before + delta for before, delta in zip(points, change.deltas, strict=True)]
    ends_in_east = last.round < 4 and (last.round == players - 1 or len(hands) > players)
    return Length.EAST if ends_in_east and min(points) >= 0 else Length.EAST_SOUTH
