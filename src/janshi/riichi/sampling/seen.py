"""The tiles that a seat has seen in a hand, compiled: their places in the wall, and known tiles of the others' hands.

They are read from the seat's view and its log alone, so that nothing hidden can come in. Each seat's tiles are those of
its *slots*: places in the wall that it was dealt from (13) and drew from, in order. Of every other seat it is known
which tile lay in a slot (drawn and discarded at once), or which tile has left the hand later on and so must have lain
in one of its first slots; the other slots hold the tiles that the seat still conceals.
"""

from __future__ import annotations

from typing import Annotated, Final

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Int8, Int16, Int64, Record, Rows, copy_record, leaf, rule
from janshi.core.kinds import FIVES, kind_of_tile
from janshi.riichi.actions import Action
from janshi.riichi.play.steps import HandStart
from janshi.riichi.play.wall import dora_slot, lay_wall, wall_size
from janshi.riichi.state import Event, Events, State, View
from janshi.tiles import NORTH, TILES

#: Tiles that a seat is dealt and draws at most.
SLOTS: Final = 84


class KnownTiles(Record):
    """The known tiles of one seat."""

    slots: Annotated[NDArray[np.int16], SLOTS]  # places in the wall of the tiles dealt and drawn, in order
    tiles: Annotated[NDArray[np.int8], SLOTS]  # the tile in each; −1: not known
    gone: Annotated[NDArray[np.int8], SLOTS]
    """Tiles that have left the hand; of the seat that looks all of them."""
    among: Annotated[NDArray[np.int8], SLOTS]  # for each of these the number of the first slots among which it lay
    before: Int64  # kinds discarded up to the riichi discard, as a mask
    after: Int64  # kinds discarded after it
    count: Int8  # slots
    leaving: Int8  # tiles in ``gone``
    concealed: Int8  # tiles that the seat conceals
    drawn: Int8  # whether the last slot's tile was just drawn
    riichi: Int8
    own: Int8  # whether it is the seat that looks


class Seen(Record):
    """The tiles seen by the seat that decides."""

    events: Events  # the log of the hand; the tiles that others drew are −1
    start: HandStart
    """The hand's start; tiles of the wall are −1 where they are not known or lie in the slots of other seats."""
    known: Annotated[Rows[KnownTiles], 4]
    unseen: Annotated[NDArray[np.int8], 136]  # the tiles that were not seen, by kind, red fives after plain ones
    left: Annotated[NDArray[np.int8], 34]  # the number of them of each kind
    places: Annotated[NDArray[np.int16], 136]  # slots of unseen tiles that belong to nobody
    count: Int16  # unseen tiles
    places_count: Int16
    seat: Int8


@leaf
def note_draw(known: KnownTiles, slot: int, tile: int) -> None:
    """Note a tile dealt or drawn."""
    known.slots[int(known.count)] = slot
    known.tiles[int(known.count)] = tile
    known.count = int(known.count) + 1
    known.drawn = 1


@leaf
def note_leaving(known: KnownTiles, tile: int, kept: bool) -> None:
    """Note that a tile leaves the hand; ``kept``: that it is not the one just drawn."""
    known.gone[int(known.leaving)] = tile
    known.among[int(known.leaving)] = int(known.count) - int(kept and int(known.drawn) == 1)
    known.leaving = int(known.leaving) + 1


@leaf
def note_discard(known: KnownTiles, tile: int, tsumogiri: bool) -> None:
    """Note a discard."""
    if tsumogiri and not int(known.own):
        known.tiles[int(known.count) - 1] = tile
    else:
        note_leaving(known, tile, not tsumogiri)
    known.drawn = 0
    # The riichi discard itself counts among those before.
    if int(known.riichi):
        known.after = int(known.after) | 1 << kind_of_tile(tile)
    else:
        known.before = int(known.before) | 1 << kind_of_tile(tile)


@leaf
def red_or_plain(kind: int, red: bool) -> int:
    """Return the red five of a five's kind, or the kind."""
    return 34 + kind // 9 if red and FIVES >> kind & 1 else kind


@rule
def note_meld(known: KnownTiles, event: int, tile: int, detail: int, reds: int) -> None:
    """Note the tiles that a seat lays down or sets aside; ``reds``: red fives of the kind in the game."""
    kind = kind_of_tile(tile)
    kept = int(known.riichi) == 1 and not int(known.own)
    left_out = tile if event == Event.DAIMINKAN else -1
    if kept:
        # Only the tile just drawn lets a seat in riichi do so. Which of four equal tiles it was makes no difference
        # to anybody: a plain one here, never the red five.
        left_out = kind
        known.tiles[int(known.count) - 1] = kind
    if event == Event.CHII:
        lowest = kind - (detail - Action.CHII) % 3
        for other in range(lowest, lowest + 3):
            if other != kind:
                note_leaving(known, red_or_plain(other, detail >= Action.CHII_RED), False)
    elif event == Event.PON:
        for number in range(2):
            note_leaving(known, red_or_plain(kind, number < detail - Action.PON), False)
    elif event == Event.DAIMINKAN or event == Event.ANKAN:
        for number in range(4):
            each = red_or_plain(kind, number < reds)
            if each == left_out:
                left_out = -1
            else:
                note_leaving(known, each, kept)
    elif tile != left_out:
        note_leaving(known, NORTH if event == Event.KITA else tile, kept)
    if event == Event.CHII or event == Event.PON or event == Event.DAIMINKAN:
        known.drawn = 0


@rule
def read_deal(seen: Seen, players: int, dealer: int) -> None:
    """Note the slots of the deal: see `janshi.riichi.play.wall.deal`."""
    slot = wall_size(players) - 1
    for turn in range(4):
        for step in range(players):
            for _ in range(4 if turn < 3 else 1):
                note_draw(seen.known[(dealer + step) % players], slot, -1)
                slot -= 1
    for seat in range(players):
        seen.known[seat].drawn = 0


@rule
def read_log(seen: Seen, view: View) -> None:
    """Note the known tiles of every seat, without those of the deal."""
    players = int(view.rules.players)
    slot, replaced, replaces, declaring = wall_size(players) - 1 - 13 * players, 0, False, -1
    for number in range(int(seen.events.count)):
        event, who = int(seen.events.rows[4 * number]), int(seen.events.rows[4 * number + 1])
        tile, detail = int(seen.events.rows[4 * number + 2]), int(seen.events.rows[4 * number + 3])
        if event == Event.DRAW:
            drawn_from = replaced ^ 1 if replaces else slot
            note_draw(seen.known[who], drawn_from, tile if who == int(seen.seat) else -1)
            if replaces:
                replaced += 1
            else:
                slot -= 1
            replaces = False
        elif event == Event.DISCARD:
            note_discard(seen.known[who], tile, detail != 0)
            if who == declaring:
                seen.known[who].riichi = 1
                declaring = -1
        elif event == Event.RIICHI:
            declaring = who
        elif event != Event.ACCEPTED and event != Event.DORA:
            kind = kind_of_tile(tile)
            note_meld(seen.known[who], event, tile, detail, int(view.rules.red_fives[kind // 9]) if kind < 27 else 0)
            replaces = event >= Event.DAIMINKAN


@rule
def place_own_deal(own: KnownTiles, view: View) -> None:
    """Lay the tiles that the looking seat was dealt into its slots, in any order: what it holds and has let go."""
    place = 0
    for tile in range(TILES):
        kind = kind_of_tile(tile)
        if tile >= 34:
            number = int(view.hand.reds[tile - 34])
        else:
            number = int(view.hand.counts[kind]) - (int(view.hand.reds[kind // 9]) if FIVES >> kind & 1 else 0)
        for each in range(int(own.leaving)):
            number += int(int(own.gone[each]) == tile)
        for each in range(13, int(own.count)):
            number -= int(int(own.tiles[each]) == tile)
        for _ in range(number):
            own.tiles[place] = tile
            place += 1


@rule
def number_unseen(state: State, seen: Seen, tile: int) -> int:
    """Return how many of a tile were not seen; the table's wall holds all tiles of the game."""
    number = 0
    for slot in range(wall_size(int(state.rules.players))):
        number += int(int(state.wall[slot]) == tile) - int(int(seen.start.wall[slot]) == tile)
    for seat in range(int(state.rules.players)):
        known = seen.known[seat]
        if not int(known.own):
            for each in range(int(known.count)):
                number -= int(int(known.tiles[each]) == tile)
            for each in range(int(known.leaving)):
                number -= int(int(known.gone[each]) == tile)
    return number


@rule
def list_unseen(state: State, seen: Seen) -> None:
    """List the tiles that were not seen; the table's wall is overwritten."""
    lay_wall(state)
    for kind in range(34):
        first = int(seen.count)
        for red in range(1 + (FIVES >> kind & 1)):
            tile = red_or_plain(kind, red == 1)
            for _ in range(number_unseen(state, seen, tile)):
                seen.unseen[int(seen.count)] = tile
                seen.count = int(seen.count) + 1
        seen.left[kind] = int(seen.count) - first


@rule
def list_places(seen: Seen, players: int) -> None:
    """List the slots whose tiles nobody has and nobody has seen."""
    for slot in range(wall_size(players)):
        free = int(seen.start.wall[slot]) < 0
        for seat in range(players):
            for each in range(int(seen.known[seat].count)):
                free = free and int(seen.known[seat].slots[each]) != slot
        if free:
            seen.places[int(seen.places_count)] = slot
            seen.places_count = int(seen.places_count) + 1


@rule
def read_start(seen: Seen, view: View) -> None:
    """Read the start of the hand, and the tiles of the wall that lie open or that the seat was dealt and drew."""
    for slot in range(136):
        seen.start.wall[slot] = -1
    own = seen.known[int(seen.seat)]
    for each in range(int(own.count)):
        seen.start.wall[int(own.slots[each])] = int(own.tiles[each])
    for number in range(int(view.shown)):
        seen.start.wall[dora_slot(int(view.rules.players), number)] = int(view.indicators[number])
    sticks = 0
    for seat in range(4):
        paid = int(view.seats[seat].accepted)
        sticks += paid
        seen.start.points[seat] = int(view.seats[seat].points) + 1000 * paid
    seen.start.deposits = int(view.deposits) - sticks
    seen.start.kyoku = int(view.kyoku)
    seen.start.honba = int(view.honba)
    seen.start.dealer = int(view.dealer)


@rule
def read_seen(view: View, events: Events, state: State, seen: Seen) -> None:
    """Read what a seat that decides has seen.

    Args:
        view: of the seat.
        events: the log of the hand as visible to the seat.
        state: a table by the same rules, whose wall is overwritten.
        seen: written; all zeros before.
    """
    copy_record(events, seen.events)
    players = int(view.rules.players)
    seen.seat = int(view.seat)
    own = seen.known[int(seen.seat)]
    own.own = 1
    read_deal(seen, players, int(view.dealer))
    read_log(seen, view)
    place_own_deal(own, view)
    read_start(seen, view)
    list_unseen(state, seen)
    list_places(seen, players)
    for seat in range(players):
        known = seen.known[seat]
        known.concealed = -int(known.leaving)
        for each in range(int(known.count)):
            known.concealed = int(known.concealed) + int(int(known.own) == 1 or int(known.tiles[each]) < 0)
