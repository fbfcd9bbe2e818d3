"""The events of a table of Sichuan mahjong, from its state and log."""

from __future__ import annotations

from typing import Final

from janshi.compiling import batched, copy_record, leaf, rule
from janshi.core.shanten_tables import ShantenTables
from janshi.say.events import (
    DISCARD,
    DRAW,
    END_GAME,
    END_HAND,
    EVENTS,
    START_HAND,
    EventFields,
    HandRow,
    NewEvents,
    StoryProgress,
    add,
    has_room,
)
from janshi.say.words import ABSENT
from janshi.sichuan.hands.worth import fan_of
from janshi.sichuan.play.wall import DEALT
from janshi.sichuan.say.question import write_own
from janshi.sichuan.say.values import SichuanSayWorkspace
from janshi.sichuan.state import KINDS, TILES, Ending, Event, Fan, Phase, Ready, State, View

#: Names of payments, then of ends of hands; numbers in records are places in it.
REASONS: Final = {
    Event.WIN_PAY: "win",
    Event.KONG_PAY: "kong",
    Event.KONG_DISCARD_REFUND: "kong_discard_refund",
    Event.READY_PAY: "ready",
    Event.PIG_PAY: "pig",
    Event.KONG_REFUND: "kong_refund",
    Event.KONG_TRANSFER: "kong_transfer",
}
REASON_NAMES: Final = (*REASONS.values(), *(ending.name.lower() for ending in Ending if ending >= 0))
_PAY_FROM: Final = int(min(REASONS))
_ENDED_FROM: Final = len(REASONS)
_PON: Final = EVENTS.index("pon")
_DAIMINKAN: Final = EVENTS.index("daiminkan")
_ANKAN: Final = EVENTS.index("ankan")
_KAKAN: Final = EVENTS.index("kakan")
_ASIDE: Final = EVENTS.index("lay_aside")
_EXCHANGE: Final = EVENTS.index("exchange")
_VOID: Final = EVENTS.index("void")
_VOID_SHOWN: Final = EVENTS.index("void_shown")
_WIN: Final = EVENTS.index("win")
_PAY: Final = EVENTS.index("pay")
_SETTLEMENT: Final = EVENTS.index("settlement")


class SichuanProgress(StoryProgress):
    """How far the events of a table have been written, and what a seat knows from them."""

    followed: View


@leaf
def take(view: View, kind: int, count: int) -> None:
    """Add tiles to the followed seat's hand, or take them out."""
    view.hand.counts[kind] += count


@rule
def follow_start(state: State, progress: SichuanProgress, added: NewEvents) -> None:
    """Begin the hand as the seat that is entry sees it."""
    view = progress.followed
    copy_record(state.rules, view.rules)  # type: ignore[arg-type]  # `RulesRecord` is typed as `Rules`
    view.seat = int(progress.own) - 1
    view.phase = Phase.TURN
    view.drawn = -1
    view.hand.void = -1
    view.hand.laid = -1
    for seat in range(4):
        public = view.seats[seat]
        public.won = 0
        public.pungs = 0
        public.kongs = 0
        for kind in range(KINDS):
            public.discarded[kind] = 0
    for kind in range(KINDS):
        view.hand.counts[kind] = 0
    deal = added.events[int(added.events_count) - 1].tehais[int(view.seat)]
    for place in range(14):
        if int(deal.tiles[place]) >= 0:
            take(view, int(deal.tiles[place]), 1)


@rule
def follow_call(view: View, event: int, who: int, kind: int, discarder: int) -> None:
    """Follow a pung or kong."""
    seat = view.seats[who]
    laid = 2
    if event == Event.PUNG:
        seat.pungs = int(seat.pungs) | 1 << kind
    else:
        laid = 3 if event == Event.EXPOSED_KONG else 4 if event == Event.CONCEALED_KONG else 1
        seat.pungs = int(seat.pungs) & ~(1 << kind)
        seat.kongs = int(seat.kongs) | 1 << kind
    if event == Event.PUNG or event == Event.EXPOSED_KONG:
        view.seats[discarder].discarded[kind] -= 1
    if who == int(view.seat):
        take(view, kind, -laid)
        view.drawn = -1


@rule
def follow_win(state: State, view: View, who: int, kind: int, discarder: int) -> None:
    """Follow a win; a robbed kong becomes a pung again, and its tile is visible."""
    view.seats[who].won = 1
    if discarder >= 0 and int(view.seats[discarder].kongs) >> kind & 1:
        robbed = False
        for number in range(int(state.winners)):
            robbed = robbed or (int(state.wins[number].seat) == who and int(state.wins[number].robbed) == 1)
        if robbed:
            seat = view.seats[discarder]
            seat.kongs = int(seat.kongs) & ~(1 << kind)
            seat.pungs = int(seat.pungs) | 1 << kind
            seat.discarded[kind] += 1


@rule
def follow_row(state: State, row: int, view: View) -> None:
    """Follow an event as the seat that is entry sees it."""
    event, who = int(state.log[4 * row]), int(state.log[4 * row + 1])
    tile, detail = int(state.log[4 * row + 2]), int(state.log[4 * row + 3])
    own = who == int(view.seat)
    if event == Event.GIVE:
        take(view, tile, (1 if detail == int(view.seat) else 0) - (1 if own else 0))
    elif event == Event.VOID and own:
        view.hand.void = tile
    elif (event == Event.DRAW or event == Event.REPLACE) and own:
        take(view, tile, 1)
        view.drawn = tile
    elif event == Event.DISCARD:
        view.seats[who].discarded[tile] += 1
        if own:
            take(view, tile, -1)
            view.drawn = -1
    elif Event.PUNG <= event <= Event.ADDED_KONG:
        follow_call(view, event, who, tile, detail)
    elif event == Event.WIN:
        follow_win(state, view, who, tile, detail)


@rule
def add_own(
    tables: ShantenTables, first: int, progress: SichuanProgress, work: SichuanSayWorkspace, added: NewEvents
) -> None:
    """Write what the seat knows of its hand after the events from place ``first`` on."""
    if int(progress.own):
        for place in range(first, int(added.events_count)):
            write_own(progress.followed, tables, work, added.own[place])


@leaf
def put(row: HandRow, tiles: int, tile: int) -> None:
    """Add a tile to a hand of some tiles that is kept in order."""
    place = tiles
    while place > 0 and int(row.tiles[place - 1]) > tile:
        row.tiles[place] = int(row.tiles[place - 1])
        place -= 1
    row.tiles[place] = tile


@rule
def add_start(state: State, added: NewEvents) -> None:
    """Add the beginning of a hand."""
    entry = added.events[add(added, START_HAND)]
    entry.number = int(state.hand_number)
    entry.oya = int(state.dealer)
    entry.left = TILES - 4 * DEALT - 1
    entry.scores_count = 4
    entry.tehais_count = 4
    for seat in range(4):
        entry.scores[seat] = int(state.before[seat])
        row = entry.tehais[seat]
        row.tiles[DEALT] = -1
        first = DEALT * ((seat - int(state.dealer)) % 4)
        for number in range(DEALT):
            put(row, number, int(state.wall[first + number]))
        if seat == int(state.dealer):
            put(row, DEALT, int(state.wall[4 * DEALT]))


@leaf
def add_aside(state: State, progress: SichuanProgress, added: NewEvents) -> None:
    """Add the tiles newly selected for the exchange, in the order of the seats."""
    for step in range(4):
        who = (int(state.dealer) + step) % 4
        given = 0
        for place in range(3):
            if int(state.hands[who].given[place]) >= 0:
                given += 1
                if given > int(progress.aside[who]):
                    entry = added.events[add(added, _ASIDE)]
                    entry.actor = who
                    entry.pai = int(state.hands[who].given[place])
        progress.aside[who] = given


@leaf
def show_void(progress: SichuanProgress, who: int, added: NewEvents) -> None:
    """Add the event in which a voided suit becomes public."""
    entry = added.events[add(added, _VOID_SHOWN)]
    entry.actor = who
    entry.suit = int(progress.suits[who])
    progress.shown[who] = 1


@rule
def add_void(state: State, row: int, progress: SichuanProgress, added: NewEvents) -> None:
    """Add a voided suit, shown when all have voided or, face down, with the discard."""
    who, suit = int(state.log[4 * row + 1]), int(state.log[4 * row + 2])
    entry = added.events[add(added, _VOID)]
    entry.actor = who
    entry.suit = suit
    entry.pai = int(state.log[4 * row + 3])
    progress.suits[who] = suit
    known = int(state.rules.void_face_down) == 0
    for seat in range(4):
        known = known and int(progress.suits[seat]) >= 0
    if known:
        for seat in range(4):
            show_void(progress, seat, added)


@rule
def add_win(state: State, who: int, tile: int, discarder: int, added: NewEvents) -> None:
    """Add a win."""
    entry = added.events[add(added, _WIN)]
    place = 0
    for number in range(int(state.winners)):
        place = number if int(state.wins[number].seat) == who else place
    win = state.wins[place]
    entry.actor = who
    entry.target = who if discarder < 0 else discarder
    entry.pai = tile
    entry.place = place + 1
    entry.fan = int(win.value.fan)
    entry.points = int(win.value.points)
    entry.robbed = int(win.robbed)
    entry.fans_count = 0
    for fan in range(Fan.SELF_DRAW + 1):
        times = int(win.value.times[fan])
        if times:
            row = entry.fans[int(entry.fans_count)]
            row.name = fan
            row.han = times * fan_of(state.rules, fan)
            entry.fans_count += 1


@leaf
def write_calls(entry: EventFields, tile: int, count: int) -> None:
    """Write equal tiles that are laid down from the hand."""
    for place in range(4):
        entry.consumed[place] = tile if place < count else -1


@rule
def add_move(event: int, who: int, tile: int, detail: int, added: NewEvents) -> None:
    """Add a draw, a discard or a call."""
    name = DISCARD
    if event == Event.DRAW or event == Event.REPLACE:
        name = DRAW
    elif event == Event.PUNG:
        name = _PON
    elif event == Event.EXPOSED_KONG:
        name = _DAIMINKAN
    elif event == Event.CONCEALED_KONG:
        name = _ANKAN
    elif event == Event.ADDED_KONG:
        name = _KAKAN
    entry = added.events[add(added, name)]
    entry.actor = who
    if name != _ANKAN:
        entry.pai = tile
    if name == DRAW:
        entry.left = detail
    elif name == DISCARD:
        entry.tsumogiri = 0
        entry.laid = 1 if detail else 0
    else:
        write_calls(entry, tile, 2 if name == _PON else 4 if name == _ANKAN else 3)
        entry.target = detail if name < _ANKAN else ABSENT  # the discarder of a pung or an exposed kong


@rule
def add_settlement(state: State, progress: SichuanProgress, added: NewEvents) -> None:
    """Add the settlement of a hand once: all hands, ready players, flower pigs."""
    if int(progress.settled):
        return
    progress.settled = 1
    entry = added.events[add(added, _SETTLEMENT)]
    entry.reason = _ENDED_FROM + int(state.ended)
    entry.hands_count = 4
    entry.ready_count = 4
    entry.pigs_count = 4
    for seat in range(4):
        entry.ready[seat] = 1 if int(state.seats[seat].ready) == Ready.READY else 0
        entry.pigs[seat] = 1 if int(state.seats[seat].pig) else 0
        row = entry.hands[seat]
        tiles = 0
        for kind in range(KINDS):
            for _ in range(int(state.hands[seat].counts[kind])):
                row.tiles[tiles] = kind
                tiles += 1
        if int(state.hands[seat].laid) >= 0:
            put(row, tiles, int(state.hands[seat].laid))
            tiles += 1
        for place in range(tiles, 14):
            row.tiles[place] = -1


@rule
def add_group(state: State, row: int, progress: SichuanProgress, added: NewEvents) -> int:
    """Add the payments or gifts from a row of the log on that form one event; return the row after them."""
    event, giver = int(state.log[4 * row]), int(state.log[4 * row + 1])
    pays = event >= _PAY_FROM
    if event == Event.READY_PAY or event == Event.PIG_PAY or event == Event.KONG_REFUND:
        add_settlement(state, progress, added)
    entry = added.events[add(added, _PAY if pays else _EXCHANGE)]
    count = 0
    if pays:
        entry.reason = event - _PAY_FROM
    else:
        entry.actor = giver
        entry.target = int(state.log[4 * row + 3])
        for place in range(4):
            entry.tiles[place] = -1
    last = row
    while last < int(state.logged) and int(state.log[4 * last]) == event:
        if not pays and int(state.log[4 * last + 1]) != giver:
            break
        if pays:
            payment = entry.payments[count]
            payment.payer = int(state.log[4 * last + 1])
            payment.receiver = int(state.log[4 * last + 2])
            payment.points = int(state.log[4 * last + 3])
        else:
            entry.tiles[count] = int(state.log[4 * last + 2])
        count += 1
        last += 1
    if pays:
        entry.payments_count = count
    return last


@rule
def add_rows(
    state: State, tables: ShantenTables, progress: SichuanProgress, work: SichuanSayWorkspace, added: NewEvents
) -> None:
    """Add the events of the log that have not been entry."""
    row = int(progress.logged)
    while row < int(state.logged) and has_room(added):
        first, place = row, int(added.events_count)
        event, who = int(state.log[4 * row]), int(state.log[4 * row + 1])
        tile, detail = int(state.log[4 * row + 2]), int(state.log[4 * row + 3])
        if event >= _PAY_FROM or event == Event.GIVE:
            row = add_group(state, row, progress, added)
        else:
            if event == Event.VOID:
                add_void(state, row, progress, added)
            elif event == Event.WIN:
                add_win(state, who, tile, detail, added)
            else:
                add_move(event, who, tile, detail, added)
                if event == Event.DISCARD and int(progress.shown[who]) == 0:
                    show_void(progress, who, added)
            row += 1
        for followed in range(first, row if int(progress.own) else first):
            follow_row(state, followed, progress.followed)
        add_own(tables, place, progress, work, added)
    progress.logged = row


@rule
def add_new_events(
    state: State, tables: ShantenTables, progress: SichuanProgress, work: SichuanSayWorkspace, added: NewEvents
) -> None:
    """Add the events since the last call, with what a seat knows after each."""
    added.events_count = 0
    added.own_count = 0
    if int(state.hand_number) + 1 != int(progress.hand):
        progress.hand = int(state.hand_number) + 1
        progress.logged = 0
        progress.ended = 0
        progress.settled = 0
        for seat in range(4):
            progress.aside[seat] = 0
            progress.suits[seat] = -1
            progress.shown[seat] = 0
        add_start(state, added)
        if int(progress.own):
            follow_start(state, progress, added)
        add_own(tables, 0, progress, work, added)
    add_aside(state, progress, added)
    add_rows(state, tables, progress, work, added)
    complete = int(progress.logged) == int(state.logged)
    if complete and int(state.phase) >= Phase.HAND_OVER and int(progress.ended) == 0 and has_room(added):
        progress.ended = 1
        add_settlement(state, progress, added)
        add(added, END_HAND)
        if int(state.phase) == Phase.GAME_OVER:
            entry = added.events[add(added, END_GAME)]
            entry.scores_count = 4
            entry.points__count = 4
            for seat in range(4):
                entry.scores[seat] = int(state.seats[seat].points)
                entry.points_[seat] = int(state.seats[seat].points) - int(state.rules.start)


new_events = batched(add_new_events, brief=True)
