"""The events of a table of Riichi, from its state and log."""

from __future__ import annotations

from typing import Final

from janshi.compiling import Workspace, batched, copy_record, leaf, rule
from janshi.core.kinds import kind_of_tile
from janshi.core.shanten_tables import ShantenTables
from janshi.riichi.hands.fu import write_fu
from janshi.riichi.hands.scoring import evaluate
from janshi.riichi.hands.worth import is_closed, limit_of, write_fans
from janshi.riichi.hands.yaku import YAKU, YAKUMAN
from janshi.riichi.play.steps import HandStart, write_view
from janshi.riichi.play.wall import dora_slot
from janshi.riichi.rules.yaku import EXTRA_HAN, YakuId, mask_of
from janshi.riichi.say.following import SeatKnowledge, TableEvent, begin_known_hand, follow
from janshi.riichi.say.options import write_laid
from janshi.riichi.say.own import write_own
from janshi.riichi.say.values import RiichiSayWorkspace
from janshi.riichi.state import Ending, Event, FuParts, FuSource, Hand, Phase, Reading, State, Value, View, Winning
from janshi.say.events import (
    END_GAME,
    END_HAND,
    EVENTS,
    HIDDEN_TILE,
    START_HAND,
    EventFields,
    HandRow,
    NewEvents,
    StoryProgress,
    add,
    has_room,
)
from janshi.say.records import OptionRow, WorthRow
from janshi.tiles import EAST

#: Names of winds, of ends of hands without a winner and of sources of fu; numbers in records are places in them.
WINDS: Final = "ESWN"
REASONS: Final = {
    Ending.EXHAUSTIVE: "fanpai",
    Ending.KYUUSHU_KYUUHAI: "kyushukyuhai",
    Ending.FOUR_WINDS: "sufonrenta",
    Ending.FOUR_RIICHI: "suchareach",
    Ending.FOUR_KANS: "sukaikan",
    Ending.TRIPLE_RON: "sanchaho",
    Ending.NAGASHI_MANGAN: "nagashimangan",
}
FU_NAMES: Final = tuple(source.name.lower() for source in FuSource)
#: Event of the log by its number.
_EVENTS: Final = tuple(
    EVENTS.index(name)
    for _, name in sorted(
        {
            Event.DRAW: "tsumo",
            Event.DISCARD: "dahai",
            Event.CHII: "chi",
            Event.PON: "pon",
            Event.DAIMINKAN: "daiminkan",
            Event.ANKAN: "ankan",
            Event.KAKAN: "kakan",
            Event.KITA: "nukidora",
            Event.RIICHI: "reach",
            Event.ACCEPTED: "reach_accepted",
            Event.DORA: "dora",
        }.items()
    )
)
_WIN: Final = EVENTS.index("hora")
_DRAWN: Final = EVENTS.index("ryukyoku")
_STICK: Final = 1000
_YAKUMAN: Final = mask_of(YAKUMAN)
_YAKUMAN_HAN: Final = 13
_YAKU: Final = len(YAKU)
_EXTRA: Final = min(EXTRA_HAN)


class RiichiProgress(StoryProgress):
    """How far the events of a table have been written, and what a seat knows from them."""

    followed: State
    known: SeatKnowledge


class EventWorkspace(Workspace):
    """Workspace: a winning hand, its value and the sources of its fu; an event and what a seat sees after it."""

    say: RiichiSayWorkspace
    seen: View
    event: TableEvent
    start: HandStart
    option: OptionRow

    winning: Winning
    trial: Winning
    reading: Reading
    value: Value
    parts: FuParts
    worth: WorthRow


# ---------------------------------------------------------------------------------------------------------
# Hands


@leaf
def write_hand(hand: Hand, without: int, hidden: bool, row: HandRow) -> None:
    """Write concealed tiles in order, red fives before the plain ones, less one tile (−1: all)."""
    place = 0
    left_out = False
    for kind in range(34):
        reds = int(hand.reds[kind // 9]) if kind < 27 and kind % 9 == 4 else 0
        for number in range(int(hand.counts[kind])):
            tile = 34 + kind // 9 if number < reds else kind
            if tile == without and not left_out:
                left_out = True
            else:
                row.tiles[place] = HIDDEN_TILE if hidden else tile
                place += 1
    for rest in range(place, 14):
        row.tiles[rest] = -1


@leaf
def order_of(tile: int) -> int:
    """Return the place of a tile in a sorted hand, red fives before the plain ones."""
    return 2 * kind_of_tile(tile) + (0 if tile >= 34 else 1)


@rule
def write_deal(state: State, seat: int, row: HandRow) -> None:
    """Write the 13 tiles that a seat was dealt, in order: three times four, then one."""
    players = int(state.rules.players)
    turn = (seat - int(state.dealer)) % players
    slot = int(state.wall_size) - 1
    for rest in range(14):
        row.tiles[rest] = -1
    for number in range(13):
        # All seats before it in this round of the deal, and whole rounds before.
        size = 4 if number < 12 else 1
        passed = 4 * players * (number // 4) + size * turn + number % 4
        tile = int(state.wall[slot - passed])
        place = number
        while place > 0 and order_of(int(row.tiles[place - 1])) > order_of(tile):
            row.tiles[place] = int(row.tiles[place - 1])
            place -= 1
        row.tiles[place] = tile


@rule
def add_start(state: State, added: NewEvents) -> None:
    """Add the beginning of a hand."""
    entry = added.events[add(added, START_HAND)]
    players = int(state.rules.players)
    deposits = int(state.deposits)
    for seat in range(players):
        own = state.seats[seat]
        deposits -= int(own.accepted)
        entry.scores[seat] = int(own.points) + _STICK * int(own.accepted)
        write_deal(state, seat, entry.tehais[seat])
    entry.scores_count = players
    entry.tehais_count = players
    entry.bakaze = int(state.kyoku) // 4
    entry.kyoku = int(state.kyoku) % 4 + 1
    entry.honba = int(state.honba)
    entry.kyotaku = deposits
    entry.oya = int(state.dealer)
    entry.dora_marker = int(state.indicators[0])


# ---------------------------------------------------------------------------------------------------------
# Events of the log


@rule
def follow_start(
    state: State, tables: ShantenTables, progress: RiichiProgress, work: EventWorkspace, added: NewEvents
) -> None:
    """Begin the hand as the seat that is entry sees it."""
    seat, start, known = int(progress.own) - 1, work.start, progress.known
    copy_record(state.rules, progress.followed.rules)  # type: ignore[arg-type]  # `RulesRecord` is typed as `Rules`
    progress.followed.rules.kan_dora = 0  # type: ignore[assignment, misc]  # its events turn over the indicators
    start.kyoku = int(state.kyoku)
    start.honba = int(state.honba)
    start.dealer = int(state.dealer)
    deal = added.events[int(added.events_count) - 1]
    start.deposits = int(deal.kyotaku)
    for each in range(int(state.rules.players)):
        start.points[each] = int(deal.scores[each])
    for number in range(13):
        known.tiles[number] = int(deal.tehais[seat].tiles[number])
    known.indicator = int(state.indicators[0])
    known.seat = seat
    begin_known_hand(progress.followed, tables, start, known)


@rule
def follow_row(
    state: State, tables: ShantenTables, row: int, progress: RiichiProgress, work: EventWorkspace, entry: EventFields
) -> None:
    """Follow an event as the seat that is entry sees it."""
    event = work.event
    event.event = int(state.log[4 * row])
    event.seat = int(state.log[4 * row + 1])
    event.tile = int(state.log[4 * row + 2])
    event.detail = int(state.log[4 * row + 3])
    event.laid_count = 0
    if int(event.event) == Event.DRAW and int(event.seat) != int(progress.own) - 1:
        event.tile = -1
    alone = int(event.event) == Event.DISCARD or int(event.event) == Event.KAKAN or int(event.event) == Event.KITA
    for place in range(4):
        tile = int(entry.consumed[place])
        if alone:
            tile = int(event.tile) if place == 0 else -1
        if tile >= 0:
            event.laid[int(event.laid_count)] = tile
            event.laid_count += 1
    follow(progress.followed, tables, progress.known, event)


@rule
def add_own(tables: ShantenTables, progress: RiichiProgress, work: EventWorkspace, added: NewEvents) -> None:
    """Write what the seat knows of its hand after the last event."""
    write_view(progress.followed, int(progress.own) - 1, work.seen)
    write_own(work.seen, tables, work.say, added.own[int(added.events_count) - 1])


@rule
def add_row(state: State, row: int, progress: RiichiProgress, work: EventWorkspace, added: NewEvents) -> None:
    """Add an event of the log."""
    event, seat = int(state.log[4 * row]), int(state.log[4 * row + 1])
    tile, detail = int(state.log[4 * row + 2]), int(state.log[4 * row + 3])
    entry = added.events[add(added, _EVENTS[event])]
    if event == Event.DORA:
        entry.dora_marker = tile
        return
    claimed = event == Event.CHII or event == Event.PON or event == Event.DAIMINKAN
    entry.actor = seat
    if claimed:
        entry.target = int(progress.discarder)
    if event != Event.ANKAN and event != Event.RIICHI and event != Event.ACCEPTED:
        entry.pai = tile
    if event == Event.DISCARD:
        entry.tsumogiri = 1 if detail else 0
        progress.discarder = seat
    elif claimed or event == Event.ANKAN or event == Event.KAKAN:
        write_laid(state.rules, tile, detail, work.option)
        for place in range(4):
            entry.consumed[place] = int(work.option.tiles[place])


# ---------------------------------------------------------------------------------------------------------
# The end


@leaf
def ura_shown(state: State) -> int:
    """Return the number of ura indicators that a winner in riichi may count."""
    if int(state.rules.ura_dora) == 0:
        return 0
    return int(state.shown) if int(state.rules.kan_ura) else 1


@leaf
def ura_indicator(state: State, number: int) -> int:
    """Return an ura indicator."""
    return int(state.wall[dora_slot(int(state.rules.players), number) - 1])


@rule
def read_won(state: State, number: int, hand: Winning) -> None:
    """Write the hand of a winner with its circumstances."""
    win = state.wins[number]
    who, tile = int(win.seat), int(win.tile)
    seat = state.seats[who]
    players = int(state.rules.players)
    yaku = int(win.value.yaku)
    tsumo = int(win.discarder) == who
    reds = 0 if tsumo or tile < 34 else 1
    for suit in range(3):
        reds += int(state.hands[who].reds[suit])
    for kind in range(34):
        hand.counts[kind] = int(state.hands[who].counts[kind])
    hand.counts[kind_of_tile(tile)] += 0 if tsumo else 1
    for meld in range(4):
        made = meld < int(seat.calls)
        hand.forms[meld] = int(seat.melds[meld].form) if made else 0
        hand.kinds[meld] = int(seat.melds[meld].kind) if made else 0
        reds += int(seat.melds[meld].reds) if made else 0
    for index in range(5):
        counted = int(seat.riichi) and index < ura_shown(state)
        hand.dora[index] = kind_of_tile(int(state.indicators[index])) if index < int(state.shown) else -1
        hand.ura[index] = kind_of_tile(ura_indicator(state, index)) if counted else -1
    hand.calls = int(seat.calls)
    hand.kind = kind_of_tile(tile)
    hand.seat_wind = EAST + (who - int(state.dealer)) % players
    hand.round_wind = EAST + int(state.kyoku) // 4
    hand.reds = reds
    hand.kitas = int(seat.kitas)
    hand.tsumo = 1 if tsumo else 0
    hand.riichi = int(seat.riichi)
    hand.ippatsu = yaku >> YakuId.IPPATSU & 1
    hand.rinshan = yaku >> YakuId.RINSHAN_KAIHOU & 1
    hand.chankan = yaku >> YakuId.CHANKAN & 1
    hand.last = yaku >> YakuId.HAITEI & 1 | yaku >> YakuId.HOUTEI & 1
    hand.first = 0


@rule
def write_sources(state: State, number: int, work: EventWorkspace, entry: EventFields) -> None:
    """Write the yaku of a win by name and by number, and the sources of its fu."""
    value, worth = state.wins[number].value, work.worth
    own = entry.janshi[0]
    entry.janshi_count = 1
    own.limit = limit_of(int(value.basic))
    own.points_count = -1
    own.yaku_count = 0
    own.yakuman_count = -1
    own.fu_parts_count = -1
    write_fans(value, is_closed(work.winning), worth)
    entry.yaku_count = int(worth.fans_count)
    for place in range(int(worth.fans_count)):
        fan = worth.fans[place]
        entry.yaku[place].name = int(fan.name)
        entry.yaku[place].han = int(fan.fan)
        if int(value.yaku) & _YAKUMAN:
            own.yakuman_count = max(int(own.yakuman_count), 0) + 1
            own.yakuman[int(own.yakuman_count) - 1] = int(fan.name)
        else:
            own.yaku[place].number = int(fan.name)
            own.yaku[place].han = int(fan.fan)
            own.yaku_count = place + 1
    entry.fan = int(worth.fan) if int(value.yaku) & _YAKUMAN else int(value.han)
    entry.han = int(entry.fan)
    if int(value.yaku) & _YAKUMAN == 0:
        copy_record(work.winning, work.trial)
        evaluate(state.rules, work.trial, work.reading, work.value)
        write_fu(state.rules, work.trial, work.reading, work.value, work.parts)
        if int(work.value.fu) == int(value.fu) and int(work.parts.count):
            own.fu_parts_count = int(work.parts.count)
            for place in range(int(work.parts.count)):
                own.fu_parts[place].source = int(work.parts.sources[place])
                own.fu_parts[place].fu = int(work.parts.fu[place])
                own.fu_parts[place].tile = int(work.parts.kinds[place])


@rule
def add_win(state: State, number: int, work: EventWorkspace, added: NewEvents) -> None:
    """Add a win."""
    entry = added.events[add(added, _WIN)]
    win = state.wins[number]
    who, players = int(win.seat), int(state.rules.players)
    tsumo = int(win.discarder) == who
    entry.actor = who
    entry.target = int(win.discarder)
    entry.pai = int(win.tile)
    write_hand(state.hands[who], int(win.tile) if tsumo else -1, False, entry.hands[0])
    for place in range(14):
        entry.hora_tehais[place] = int(entry.hands[0].tiles[place])
    entry.deltas_count = players
    for seat in range(players):
        entry.deltas[seat] = int(win.change[seat])
    shown = False
    for each in range(int(state.winners)):
        shown = shown or int(state.seats[int(state.wins[each].seat)].riichi) > 0
    for index in range(5):
        entry.ura_markers[index] = ura_indicator(state, index) if shown and index < ura_shown(state) else -1
    entry.fu = int(win.value.fu)
    entry.hora_points = int(win.points)
    if int(win.pao) >= 0:
        entry.pao = int(win.pao)
    read_won(state, number, work.winning)
    write_sources(state, number, work, entry)


@leaf
def shows(state: State, discarder: int, seat: int) -> bool:
    """Return whether a seat shows its hand after a draw."""
    ended = int(state.ended)
    if ended == Ending.EXHAUSTIVE:
        return int(state.hands[seat].waits) != 0
    if ended == Ending.KYUUSHU_KYUUHAI:
        return seat == int(state.log[4 * int(state.logged) - 3])
    return ended == Ending.FOUR_RIICHI or (ended == Ending.TRIPLE_RON and seat != discarder)


@rule
def add_drawn(state: State, progress: RiichiProgress, added: NewEvents) -> None:
    """Add the end of a hand without a winner."""
    entry = added.events[add(added, _DRAWN)]
    players = int(state.rules.players)
    entry.reason = int(state.ended)
    entry.deltas_count = players
    known = int(state.ended) != Ending.NAGASHI_MANGAN  # otherwise the rules do not define who shows its hand
    for seat in range(players):
        entry.deltas[seat] = int(state.change[seat])
        if known:
            entry.tenpais[seat] = 1 if shows(state, int(progress.discarder), seat) else 0
            write_hand(state.hands[seat], -1, int(entry.tenpais[seat]) == 0, entry.tehais[seat])
    if known:
        entry.tenpais_count = players
        entry.tehais_count = players


# ---------------------------------------------------------------------------------------------------------
# The end of the game


@leaf
def rank_of(state: State, seat: int) -> int:
    """Return the place of a seat from 0, equal points in the order of the seats."""
    own = int(state.seats[seat].points)
    rank = 0
    for other in range(int(state.rules.players)):
        points = int(state.seats[other].points)
        rank += 1 if points > own or (points == own and other < seat) else 0
    return rank


@leaf
def uma_of(state: State, base: int, rank: int) -> int:
    """Return the uma of a rank, which may depend on how many seats finish with at least ``base`` points."""
    rules = state.rules
    players = int(rules.players)
    above = 0
    one = three = 0
    for seat in range(players):
        above += 1 if int(state.seats[seat].points) >= base else 0
        one |= int(rules.uma_one_above[seat])
        three |= int(rules.uma_three_above[seat])
    if above == 1 and one:
        return int(rules.uma_one_above[rank])
    if above == 3 and three:
        return int(rules.uma_three_above[rank])
    return int(rules.uma[rank])


@leaf
def bonus_of(state: State, base: int, rank: int) -> int:
    """Return uma and oka of a rank."""
    return uma_of(state, base, rank) + (int(state.rules.oka) if rank == 0 else 0)


@rule
def result_of(state: State, seat: int) -> int:
    """Return the result of a game in points: those over the target, uma by rank, and oka for the first.

    Equal points share their bonuses by `janshi.riichi.rules.Rules.ties_share_uma`, in whole hundreds.
    """
    rules = state.rules
    base = int(rules.results_from) if int(rules.results_from) else int(rules.target)
    own, rank = int(state.seats[seat].points), rank_of(state, seat)
    bonus = bonus_of(state, base, rank)
    if int(rules.ties_share_uma):
        total = count = 0
        first = rank
        for other in range(int(rules.players)):
            if int(state.seats[other].points) == own:
                total += bonus_of(state, base, rank_of(state, other))
                first = min(first, rank_of(state, other))
                count += 1
        hundreds = total // 100
        bonus = 100 * (hundreds // count + (1 if rank - first < hundreds % count else 0))
    return own - base + bonus


@rule
def add_end(state: State, progress: RiichiProgress, work: EventWorkspace, added: NewEvents) -> None:
    """Add the end of a hand, and of the game if it is over."""
    ended = int(state.ended)
    if ended == Ending.TSUMO or ended == Ending.RON:
        for number in range(int(state.winners)):
            add_win(state, number, work, added)
    else:
        add_drawn(state, progress, added)
    add(added, END_HAND)
    if int(state.phase) == Phase.GAME_OVER:
        entry = added.events[add(added, END_GAME)]
        own = entry.janshi[0]
        players = int(state.rules.players)
        entry.scores_count = players
        entry.janshi_count = 1
        own.yaku_count = -1
        own.yakuman_count = -1
        own.fu_parts_count = -1
        own.limit = -128
        own.points_count = players
        for seat in range(players):
            entry.scores[seat] = int(state.seats[seat].points)
            own.points[seat] = result_of(state, seat)


@rule
def add_new_events(
    state: State, tables: ShantenTables, progress: RiichiProgress, work: EventWorkspace, added: NewEvents
) -> None:
    """Add the events since the last call, with what a seat knows after each."""
    added.events_count = 0
    added.own_count = 0
    own = int(progress.own) > 0
    if int(state.hand_number) + 1 != int(progress.hand):
        progress.hand = int(state.hand_number) + 1
        progress.logged = 0
        progress.ended = 0
        progress.discarder = -1
        add_start(state, added)
        if own:
            follow_start(state, tables, progress, work, added)
            add_own(tables, progress, work, added)
    while int(progress.logged) < int(state.logged) and has_room(added):
        row = int(progress.logged)
        add_row(state, row, progress, work, added)
        if own:
            follow_row(state, tables, row, progress, work, added.events[int(added.events_count) - 1])
            add_own(tables, progress, work, added)
        progress.logged = row + 1
    complete = int(progress.logged) == int(state.logged)
    if complete and int(state.phase) >= Phase.HAND_OVER and int(progress.ended) == 0 and has_room(added):
        progress.ended = 1
        add_end(state, progress, work, added)


new_events = batched(add_new_events, brief=True)
