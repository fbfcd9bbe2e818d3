"""The events of a table of Riichi, from its state and log."""

from __future__ import annotations

from typing import Final

from janshi.compiling import Workspace, batched, copy_record, leaf, rule
from janshi.core.kinds import kind_of_tile
from janshi.core.shanten_tables import ShantenTables
from janshi.riichi.actions import Action
from janshi.riichi.hands.fu import write_fu
from janshi.riichi.hands.scoring import evaluate
from janshi.riichi.hands.yaku import YAKU, YAKUMAN
from janshi.riichi.play.steps import HandStart, write_view
from janshi.riichi.play.wall import dora_slot
from janshi.riichi.rules.yaku import EXTRA_HAN, YakuId, mask_of
from janshi.riichi.say.following import SeatKnowledge, TableEvent, begin_known_hand, follow
from janshi.riichi.say.options import reds_of
from janshi.riichi.say.own import write_own
from janshi.riichi.say.values import SayRiichi, is_closed, write_fans
from janshi.riichi.state import Ending, Event, FuParts, FuSource, Hand, Phase, Reading, State, Value, View, Winning
from janshi.say.events import (
    END_GAME,
    END_HAND,
    EVENTS,
    HIDDEN_TILE,
    START_HAND,
    HandRow,
    News,
    StoryProgress,
    Told,
    add,
    has_room,
)
from janshi.say.records import WorthRow
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


class TellRiichi(StoryProgress):
    """How far the events of a table have been told, and what they tell one seat."""

    followed: State
    known: SeatKnowledge


class TellWorkspace(Workspace):
    """Workspace: a winning hand, its value and the sources of its fu; an event and what a seat sees after it."""

    say: SayRiichi
    seen: View
    event: TableEvent
    start: HandStart

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
def tell_start(state: State, news: News) -> None:
    """Add the beginning of a hand."""
    told = news.events[add(news, START_HAND)]
    players = int(state.rules.players)
    deposits = int(state.deposits)
    for seat in range(players):
        own = state.seats[seat]
        deposits -= int(own.accepted)
        told.scores[seat] = int(own.points) + _STICK * int(own.accepted)
        write_deal(state, seat, told.tehais[seat])
    told.scores_count = players
    told.tehais_count = players
    told.bakaze = int(state.kyoku) // 4
    told.kyoku = int(state.kyoku) % 4 + 1
    told.honba = int(state.honba)
    told.kyotaku = deposits
    told.oya = int(state.dealer)
    told.dora_marker = int(state.indicators[0])


# ---------------------------------------------------------------------------------------------------------
# Events of the log


@leaf
def lay(told: Told, first: int, kind: int, count: int, reds: int) -> None:
    """Write tiles of one kind that are laid down from place ``first`` on, the red ones first."""
    for number in range(count):
        told.consumed[first + number] = 34 + kind // 9 if number < reds else kind


@rule
def write_laid(state: State, event: int, tile: int, action: int, told: Told) -> None:
    """Write the tiles that a call lays down from the hand; of an added kan the three tiles of the pon."""
    kind = kind_of_tile(tile)
    red = 1 if tile >= 34 else 0
    for place in range(4):
        told.consumed[place] = -1
    if event == Event.ANKAN:
        lay(told, 0, kind, 4, reds_of(state.rules, kind))
    elif event == Event.PON:
        lay(told, 0, kind, 2, action - Action.PON)
    elif event == Event.CHII:
        low = kind - (action - Action.CHII) % 3
        place = 0
        for own in range(low, low + 3):
            if own != kind:
                lay(told, place, own, 1, 1 if action >= Action.CHII_RED and own % 9 == 4 else 0)
                place += 1
    else:
        lay(told, 0, kind, 3, reds_of(state.rules, kind) - red)


@rule
def follow_start(state: State, tables: ShantenTables, telling: TellRiichi, work: TellWorkspace, news: News) -> None:
    """Begin the hand as the seat that is told sees it."""
    seat, start, known = int(telling.own) - 1, work.start, telling.known
    copy_record(state.rules, telling.followed.rules)  # type: ignore[arg-type]  # typed as what it is a record of
    telling.followed.rules.kan_dora = 0  # type: ignore[assignment, misc]  # its events turn over the indicators
    start.kyoku = int(state.kyoku)
    start.honba = int(state.honba)
    start.dealer = int(state.dealer)
    deal = news.events[int(news.events_count) - 1]
    start.deposits = int(deal.kyotaku)
    for each in range(int(state.rules.players)):
        start.points[each] = int(deal.scores[each])
    for number in range(13):
        known.tiles[number] = int(deal.tehais[seat].tiles[number])
    known.indicator = int(state.indicators[0])
    known.seat = seat
    begin_known_hand(telling.followed, tables, start, known)


@rule
def follow_row(
    state: State, tables: ShantenTables, row: int, telling: TellRiichi, work: TellWorkspace, told: Told
) -> None:
    """Follow an event as the seat that is told sees it."""
    event = work.event
    event.event = int(state.log[4 * row])
    event.seat = int(state.log[4 * row + 1])
    event.tile = int(state.log[4 * row + 2])
    event.detail = int(state.log[4 * row + 3])
    event.laid_count = 0
    if int(event.event) == Event.DRAW and int(event.seat) != int(telling.own) - 1:
        event.tile = -1
    alone = int(event.event) == Event.DISCARD or int(event.event) == Event.KAKAN or int(event.event) == Event.KITA
    for place in range(4):
        tile = int(told.consumed[place])
        if alone:
            tile = int(event.tile) if place == 0 else -1
        if tile >= 0:
            event.laid[int(event.laid_count)] = tile
            event.laid_count += 1
    follow(telling.followed, tables, telling.known, event)


@rule
def tell_own(tables: ShantenTables, telling: TellRiichi, work: TellWorkspace, news: News) -> None:
    """Write what the seat knows of its hand after the last event."""
    write_view(telling.followed, int(telling.own) - 1, work.seen)
    write_own(work.seen, tables, work.say, news.own[int(news.events_count) - 1])


@rule
def tell_row(state: State, row: int, telling: TellRiichi, news: News) -> None:
    """Add an event of the log."""
    event, seat = int(state.log[4 * row]), int(state.log[4 * row + 1])
    tile, detail = int(state.log[4 * row + 2]), int(state.log[4 * row + 3])
    told = news.events[add(news, _EVENTS[event])]
    if event == Event.DORA:
        told.dora_marker = tile
        return
    claimed = event == Event.CHII or event == Event.PON or event == Event.DAIMINKAN
    told.actor = seat
    if claimed:
        told.target = int(telling.discarder)
    if event != Event.ANKAN and event != Event.RIICHI and event != Event.ACCEPTED:
        told.pai = tile
    if event == Event.DISCARD:
        told.tsumogiri = 1 if detail else 0
        telling.discarder = seat
    elif claimed or event == Event.ANKAN or event == Event.KAKAN:
        write_laid(state, event, tile, detail, told)


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


@leaf
def limit_of(basic: int) -> int:
    """Return the limit of basic points: 0 none, 1 mangan … 5 yakuman."""
    limit = 1 if basic >= 2000 else 0
    limit += 1 if basic >= 3000 else 0
    limit += 1 if basic >= 4000 else 0
    limit += 1 if basic >= 6000 else 0
    return limit + (1 if basic >= 8000 else 0)


@rule
def write_sources(state: State, number: int, work: TellWorkspace, told: Told) -> None:
    """Write the yaku of a win by name and by number, and the sources of its fu."""
    value, worth = state.wins[number].value, work.worth
    own = told.janshi[0]
    told.janshi_count = 1
    own.limit = limit_of(int(value.basic))
    own.points_count = -1
    own.yaku_count = 0
    own.yakuman_count = -1
    own.fu_parts_count = -1
    write_fans(value, is_closed(work.winning), worth)
    told.yaku_count = int(worth.fans_count)
    for place in range(int(worth.fans_count)):
        fan = worth.fans[place]
        told.yaku[place].name = int(fan.name)
        told.yaku[place].han = int(fan.fan)
        if int(value.yaku) & _YAKUMAN:
            own.yakuman_count = max(int(own.yakuman_count), 0) + 1
            own.yakuman[int(own.yakuman_count) - 1] = int(fan.name)
        else:
            own.yaku[place].number = int(fan.name)
            own.yaku[place].han = int(fan.fan)
            own.yaku_count = place + 1
    told.fan = int(worth.fan) if int(value.yaku) & _YAKUMAN else int(value.han)
    told.han = int(told.fan)
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
def tell_win(state: State, number: int, work: TellWorkspace, news: News) -> None:
    """Add a win."""
    told = news.events[add(news, _WIN)]
    win = state.wins[number]
    who, players = int(win.seat), int(state.rules.players)
    tsumo = int(win.discarder) == who
    told.actor = who
    told.target = int(win.discarder)
    told.pai = int(win.tile)
    write_hand(state.hands[who], int(win.tile) if tsumo else -1, False, told.hands[0])
    for place in range(14):
        told.hora_tehais[place] = int(told.hands[0].tiles[place])
    told.deltas_count = players
    for seat in range(players):
        told.deltas[seat] = int(win.change[seat])
    shown = False
    for each in range(int(state.winners)):
        shown = shown or int(state.seats[int(state.wins[each].seat)].riichi) > 0
    for index in range(5):
        told.ura_markers[index] = ura_indicator(state, index) if shown and index < ura_shown(state) else -1
    told.fu = int(win.value.fu)
    told.hora_points = int(win.points)
    if int(win.pao) >= 0:
        told.pao = int(win.pao)
    read_won(state, number, work.winning)
    write_sources(state, number, work, told)


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
def tell_drawn(state: State, telling: TellRiichi, news: News) -> None:
    """Add the end of a hand without a winner."""
    told = news.events[add(news, _DRAWN)]
    players = int(state.rules.players)
    told.reason = int(state.ended)
    told.deltas_count = players
    said = int(state.ended) != Ending.NAGASHI_MANGAN  # the rules do not say who shows its hand
    for seat in range(players):
        told.deltas[seat] = int(state.change[seat])
        if said:
            told.tenpais[seat] = 1 if shows(state, int(telling.discarder), seat) else 0
            write_hand(state.hands[seat], -1, int(told.tenpais[seat]) == 0, told.tehais[seat])
    if said:
        told.tenpais_count = players
        told.tehais_count = players


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
def tell_end(state: State, telling: TellRiichi, work: TellWorkspace, news: News) -> None:
    """Add the end of a hand, and of the game if it is over."""
    ended = int(state.ended)
    if ended == Ending.TSUMO or ended == Ending.RON:
        for number in range(int(state.winners)):
            tell_win(state, number, work, news)
    else:
        tell_drawn(state, telling, news)
    add(news, END_HAND)
    if int(state.phase) == Phase.GAME_OVER:
        told = news.events[add(news, END_GAME)]
        own = told.janshi[0]
        players = int(state.rules.players)
        told.scores_count = players
        told.janshi_count = 1
        own.yaku_count = -1
        own.yakuman_count = -1
        own.fu_parts_count = -1
        own.limit = -128
        own.points_count = players
        for seat in range(players):
            told.scores[seat] = int(state.seats[seat].points)
            own.points[seat] = result_of(state, seat)


@rule
def tell(state: State, tables: ShantenTables, telling: TellRiichi, work: TellWorkspace, news: News) -> None:
    """Add the events since the last call, with what a seat knows after each."""
    news.events_count = 0
    news.own_count = 0
    own = int(telling.own) > 0
    if int(state.hand_number) + 1 != int(telling.hand):
        telling.hand = int(state.hand_number) + 1
        telling.logged = 0
        telling.ended = 0
        telling.discarder = -1
        tell_start(state, news)
        if own:
            follow_start(state, tables, telling, work, news)
            tell_own(tables, telling, work, news)
    while int(telling.logged) < int(state.logged) and has_room(news):
        row = int(telling.logged)
        tell_row(state, row, telling, news)
        if own:
            follow_row(state, tables, row, telling, work, news.events[int(news.events_count) - 1])
            tell_own(tables, telling, work, news)
        telling.logged = row + 1
    told_all = int(telling.logged) == int(state.logged)
    if told_all and int(state.phase) >= Phase.HAND_OVER and int(telling.ended) == 0 and has_room(news):
        telling.ended = 1
        tell_end(state, telling, work, news)


told = batched(tell, brief=True)
