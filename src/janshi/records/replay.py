"""Replaying records through the engine, with every check that a record allows.

Each hand is dealt from its wall (the seed's where the record carries one, otherwise one laid out so that the same
tiles come), and at each decision that the engine asks for the record's action is taken. Checked are:

* every action is legal at its moment, and nobody is asked who has nothing to decide;
* everything that happens (draws, discards, calls, riichi, indicators) is what the record says, in its order;
* how the hand ends: winners, feeder, liability, yaku, han, fu, limit, points, honba, deposits and every seat's change;
* what follows: round, dealer, honba, deposits, points of the next hand; the end of the game and its final points.

A `Script` is what remains of a hand once this has been done: its wall, its start and its decisions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Batch, ByteRows, Bytes, Int16Rows, Int64s, entry, leaf, rule
from janshi.engine import actions
from janshi.engine.ending import follow
from janshi.engine.play import act, begin_hand, begin_hands, count_legal, is_legal
from janshi.engine.rulebook import Rulebook, write_rules
from janshi.engine.state import (
    ACCEPTED_EVENT,
    ANKAN_EVENT,
    CHII_EVENT,
    CLAIM,
    DAIMINKAN_EVENT,
    DISCARD_EVENT,
    DORA_EVENT,
    DRAW_EVENT,
    HAND_OVER,
    KAKAN_EVENT,
    KITA_EVENT,
    NINE_TERMINALS,
    PON_EVENT,
    RIICHI_EVENT,
    RON,
    TRIPLE_RON,
    TSUMO,
    State,
)
from janshi.engine.tables import Lookup, lookup
from janshi.engine.wall import dora_place
from janshi.records.model import Drawn, Event, Game, Hand, Reason, Win
from janshi.records.recording import limit_of_basic
from janshi.records.walls import check_ura
from janshi.rules import Rules
from janshi.table import action_text, new_states
from janshi.tiles import TILES, tile_text
from janshi.yaku import DORA, RED_FIVES, URA_DORA, YAKUMAN

# What `replay_hand` found
_MATCHED: Final = 0
_TWICE: Final = 1  # a tile lies in two places
_DEAL: Final = 2  # the wall deals other tiles
_EVENT: Final = 3  # something else happens than the record says
_ILLEGAL: Final = 4  # the record's action is not legal
_WAITS: Final = 5  # the record's hand is over, the engine's is not
_OVER: Final = 6  # the engine's hand is over, the record's is not
_IDLE: Final = 7  # the engine asks a seat that has nothing to decide
_SEAT: Final = 8  # the engine asks another seat than the one that acts

#: Most decisions of a hand that are kept.
_MOST: Final = 512
_RESULT: Final = 112
_WIN: Final = 19


@leaf
def tile_of_physical(rules: Rulebook, identity: int) -> int:
    """Tile (0–36) that an id is under the rules: the first five of a suit is red where there are red fives."""
    kind = identity // 4
    if identity % 4 == 0 and kind < 27 and kind % 9 == 4 and int(rules.red_fives[kind // 9]):
        return 34 + kind // 9
    return kind


@rule
def put(wall: Bytes, used: Bytes, place: int, identity: int) -> bool:
    """Lay an id at a place of the wall; False where the place or the id is taken by something else."""
    if place < 0 or place >= 136 or identity < 0 or identity >= 136:
        return False
    if int(wall[place]) == identity and used[identity]:
        return True
    if int(wall[place]) != 255 or used[identity]:
        return False
    wall[place] = identity
    used[identity] = 1
    return True


@rule
def lay_wall(events: Int16Rows, deal: ByteRows, facts: Int64s, wall: Bytes, used: Bytes) -> int:
    """Lay out a wall (ids) from which the hand comes as recorded; return −1, or an id that cannot be where it must."""
    players = len(deal)
    size = 136 if players == 4 else 108
    for place in range(136):
        wall[place] = 255
        used[place] = 0
    place = size - 1
    dealer = int(facts[0])
    for turn in range(4):
        for step in range(players):
            seat = (dealer + step) % players
            for copy in range(4 if turn < 3 else 1):
                if not put(wall, used, place, int(deal[seat, 4 * turn + copy])):
                    return int(deal[seat, 4 * turn + copy])
                place -= 1
    if not put(wall, used, dora_place(players, 0), int(facts[1])):
        return int(facts[1])
    shown = 1
    replaced = 0
    replacement = False
    for row in range(len(events)):
        event = int(events[row, 0])
        tile = int(events[row, 2])
        if event == DRAW_EVENT:
            at = replaced ^ 1 if replacement else place
            if not put(wall, used, at, tile):
                return tile
            if replacement:
                replaced += 1
            else:
                place -= 1
            replacement = False
        elif event == DORA_EVENT:
            if not put(wall, used, dora_place(players, shown), tile):
                return tile
            shown += 1
        elif DAIMINKAN_EVENT <= event <= KITA_EVENT:
            replacement = True
    for number in range(int(facts[2])):
        if not put(wall, used, dora_place(players, number) - 1, int(facts[8 + number])):
            return int(facts[8 + number])
    spare = 0
    for at in range(size):
        if int(wall[at]) == 255:
            while used[spare] or (players == 3 and 4 <= spare < 32):
                spare += 1
            wall[at] = spare
            used[spare] = 1
    return -1


@rule
def wrong_deal(deal: ByteRows, dealer: int, wall: Bytes, used: Bytes) -> int:
    """Return −1 where the wall deals the seats their tiles, else the id that it deals to somebody else."""
    players = len(deal)
    for one in range(136):
        used[one] = 0
    for seat in range(players):
        for one in range(13):
            if int(deal[seat, one]) >= 136:
                return int(deal[seat, one])
            used[int(deal[seat, one])] = seat + 1
    place = (136 if players == 4 else 108) - 1
    for turn in range(4):
        for step in range(players):
            seat = (dealer + step) % players
            for _ in range(4 if turn < 3 else 1):
                if int(used[int(wall[place])]) != seat + 1:
                    return int(wall[place])
                place -= 1
    return -1


@rule
def recorded(rules: Rulebook, events: Int16Rows, row: int) -> tuple[int, int, int, int]:
    """One event of a record as the engine logs it: event, seat, tile, detail."""
    event = int(events[row, 0])
    seat = int(events[row, 1])
    identity = int(events[row, 2])
    tile = tile_of_physical(rules, identity) if identity >= 0 else -1
    kind = identity // 4
    detail = 0
    if event == DISCARD_EVENT:
        detail = 1 if int(events[row, 4]) == 1 else 0
    elif event in (CHII_EVENT, PON_EVENT):
        reds = 0
        below = 0
        for column in range(4, 6):
            own = int(events[row, column])
            reds += 1 if tile_of_physical(rules, own) >= 34 else 0
            below += 1 if own // 4 < kind else 0
        detail = actions.PON + reds if event == PON_EVENT else (actions.CHII_RED if reds else actions.CHII) + below
    elif event == DAIMINKAN_EVENT:
        detail = actions.DAIMINKAN
    elif event == ANKAN_EVENT:
        tile = kind
        detail = actions.ANKAN + kind
    elif event == KAKAN_EVENT:
        detail = actions.KAKAN + kind
    return event, seat, tile, detail


@rule
def recorded_action(state: State, events: Int16Rows, row: int, ended: int, winners: int) -> tuple[int, int]:
    """What the record's player does where the engine asks: its seat (−1: passed over) and the action (−1: none)."""
    actor = int(state.actor)
    claims = int(state.phase) == CLAIM
    while row < len(events) and (
        int(events[row, 0]) == DORA_EVENT or (claims and int(events[row, 0]) == ACCEPTED_EVENT)
    ):
        row += 1
    if row >= len(events):
        if claims:
            # In a triple ron everybody who can has won; otherwise the record names the winners.
            could = ended == TRIPLE_RON and int(state.legal[0]) >> actions.RON & 1
            return actor, actions.RON if could or (ended == RON and winners >> actor & 1) else actions.PASS
        if ended == TSUMO:
            return actor if winners >> actor & 1 else -1, actions.TSUMO
        if ended == NINE_TERMINALS:
            return actor, actions.NINE_TERMINALS
        return actor, -1
    event, seat, tile, detail = recorded(state.rules, events, row)
    if claims:
        called = CHII_EVENT <= event <= DAIMINKAN_EVENT and seat == actor
        return actor, detail if called else actions.PASS
    if event == DISCARD_EVENT:
        return seat, actions.TSUMOGIRI if detail else tile
    if event == RIICHI_EVENT:
        return seat, actions.RIICHI
    if event == KITA_EVENT:
        return seat, actions.KITA
    if event in (ANKAN_EVENT, KAKAN_EVENT):
        return seat, detail
    return seat, -1


@rule
def write_result(state: State, result: Int64s) -> None:
    """Write how the hand ended and what follows into numbers that Python compares."""
    result[8] = int(state.ended)
    result[9] = int(state.winners)
    result[10] = int(state.over)
    for seat in range(4):
        result[12 + seat] = int(state.change[seat])
        result[16 + seat] = int(state.seats[seat].points)
        result[20 + seat] = 1 if int(state.hands[seat].waits) else 0
    for one in range(int(state.winners)):
        win = state.wins[one]
        value = win.value
        at = 32 + _WIN * one
        result[at] = int(win.seat)
        result[at + 1] = int(win.feeder)
        result[at + 2] = int(win.liable)
        result[at + 3] = int(win.tile)
        result[at + 4] = int(win.points)
        result[at + 5] = int(win.honba)
        result[at + 6] = int(win.deposits)
        result[at + 7] = int(value.yaku)
        result[at + 8] = int(value.han)
        result[at + 9] = int(value.fu)
        result[at + 10] = int(value.yakuman)
        result[at + 11] = int(value.dora)
        result[at + 12] = int(value.ura)
        result[at + 13] = int(value.red)
        result[at + 18] = int(value.basic)
        for seat in range(4):
            result[at + 14 + seat] = int(win.change[seat])
    # Where the record's game goes on although the engine's is over, what would follow is still of interest.
    follow(state)
    result[24] = int(state.kyoku)
    result[25] = int(state.dealer)
    result[26] = int(state.honba)
    result[27] = int(state.deposits)


@entry
def replay_hand(
    states: Batch[State],
    lookups: Batch[Lookup],
    events: Int16Rows,
    deal: ByteRows,
    facts: Int64s,
    wall: Bytes,
    used: Bytes,
    taken: Bytes,
    result: Int64s,
) -> int:
    """Replay one hand; return what was found, with places and numbers in ``result``.

    ``facts``: dealer, first indicator, number of ura indicators, how it ended, bits of the winners, whether ``wall``
    holds the real one, kyoku, honba; from 8 the ura indicators, 13 deposits, 14 to 17 the points. ``taken`` receives
    the decisions, ``result[0]`` their number; on a mismatch ``result[1]`` is the event's number, 2 to 5 what the engine
    has and 28 to 31 what the record has.
    """
    state = states[0]
    result[0] = 0
    result[1] = 0
    if int(facts[5]):
        wrong = wrong_deal(deal, int(facts[0]), wall, used)
        if wrong >= 0:
            result[2] = wrong
            return _DEAL
    else:
        wrong = lay_wall(events, deal, facts, wall, used)
        if wrong >= 0:
            result[2] = wrong
            return _TWICE
    for place in range(136 if len(deal) == 4 else 108):
        state.wall[place] = tile_of_physical(state.rules, int(wall[place]))
    state.walls_given = 1
    state.dealer = int(facts[0])
    state.kyoku = int(facts[6])
    state.honba = int(facts[7])
    state.deposits = int(facts[13])
    for seat in range(4):
        state.seats[seat].points = int(facts[14 + seat])
    begin_hand(state, lookups[0])
    checked = 0
    while True:
        while checked < int(state.logged):
            result[1] = checked
            for column in range(4):
                result[2 + column] = int(state.log[4 * checked + column])
            if checked >= len(events):
                result[28] = -1
                return _EVENT
            event, seat, tile, detail = recorded(state.rules, events, checked)
            if (
                event != int(result[2])
                or seat != int(result[3])
                or tile != int(result[4])
                or detail != int(result[5])
            ):
                result[28] = event
                result[29] = seat
                result[30] = tile
                result[31] = detail
                return _EVENT
            checked += 1
        result[1] = checked
        if int(state.phase) >= HAND_OVER:
            break
        result[2] = int(state.actor)
        if count_legal(state) < 2:
            return _IDLE
        seat, action = recorded_action(state, events, checked, int(facts[3]), int(facts[4]))
        result[3] = action
        result[4] = seat
        if action < 0:
            return _WAITS
        if seat != int(state.actor):
            return _SEAT
        if not is_legal(state, action):
            return _ILLEGAL
        number = int(result[0])
        if number < len(taken):
            taken[number] = action
            result[0] = number + 1
        act(state, lookups[0], action)
    if checked < len(events):
        result[2] = int(state.ended)
        return _OVER
    write_result(state, result)
    return _MATCHED


# ---------------------------------------------------------------------------------------------------------
# Games


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Where the engine and a record disagree. Hands and events are counted from 1."""

    source: str
    hand: int
    event: int | None
    what: str
    engine: str
    record: str
    sequel: bool = False
    """Whether it is about what follows on a hand that itself matched: the next one, or the end of the game."""

    def __str__(self) -> str:
        at = f", event {self.event}" if self.event is not None else ""
        return f"{self.source}, hand {self.hand}{at}: {self.what}: engine {self.engine}, record {self.record}"


@dataclass(frozen=True, slots=True, eq=False)
class Script:
    """A hand that has been replayed: all that the engine needs to play it again."""

    number: int  # of the hand in its game, from 0
    kyoku: int
    honba: int
    deposits: int
    dealer: int
    scores: tuple[int, ...]
    wall: NDArray[np.int8]  # (136,) or (108,): tiles 0–36
    actions: NDArray[np.uint8]  # (n,): decisions in the order in which the table asks

    def begin(self, rules: Rules) -> Batch[State]:
        """Return a table (1,) by these rules at the hand's first decision."""
        states = new_states(rules, 1)
        table = cast("NDArray[Any]", states)[0]
        table["wall"][: len(self.wall)], table["walls_given"] = self.wall, 1
        for name in ("kyoku", "honba", "deposits", "dealer"):
            table[name] = getattr(self, name)
        table["seats"]["points"][: len(self.scores)] = self.scores
        begin_hands(states, lookup(), np.zeros(1, np.int64))
        return states


@dataclass(slots=True)
class Replayed:
    """One game after its replay."""

    source: str
    hands: int = 0
    decisions: int = 0
    mismatches: list[Mismatch] = field(default_factory=list)
    scripts: list[Script] = field(default_factory=list)  # of the hands that matched, where asked for


_NAMES: Final = {int(event): event.name.lower() for event in Event}


class Replayer:
    """Replays games one after the other (one per thread)."""

    def __init__(self) -> None:
        self._rules: Rules | None = None
        self._states: Batch[State] | None = None
        self._facts = np.zeros(24, np.int64)
        self._wall = np.zeros(136, np.uint8)
        self._used = np.zeros(136, np.uint8)
        self._taken = np.zeros(_MOST, np.uint8)
        self._result = np.zeros(_RESULT, np.int64)

    def replay(self, game: Game, *, scripts: bool = False) -> Replayed:
        """Replay a game and return every disagreement; with ``scripts`` also the hands that matched.

        A hand matches whatever follows on it: a game may be a part of one, or have ended by rules that its format
        cannot tell (a single hand, as mjlog).
        """
        if game.rules != self._rules or self._states is None:
            if self._states is None or self._rules is None:
                self._states = new_states(game.rules, 1)
            write_rules(game.rules, cast("NDArray[Any]", self._states)[0]["rules"])
            self._rules = game.rules
        done = Replayed(game.source)
        for number, hand in enumerate(game.hands):
            done.hands += 1
            found = list(self._hand(game, number, hand))
            done.decisions += int(self._result[0])
            done.mismatches += found
            if scripts and all(one.sequel for one in found):
                done.scripts.append(self._script(number, hand))
        return done

    def _script(self, number: int, hand: Hand) -> Script:
        states = cast("NDArray[Any]", self._states)
        return Script(
            number,
            hand.round,
            hand.honba,
            hand.deposits,
            hand.dealer,
            tuple(hand.scores),
            states["wall"][0, : 136 if len(hand.deal) == 4 else 108].copy(),
            self._taken[: int(self._result[0])].copy(),
        )

    def _hand(self, game: Game, number: int, hand: Hand) -> Iterator[Mismatch]:
        facts = self._facts
        outcome = hand.outcome
        ura: tuple[int, ...] = ()
        winners = 0
        ended = _end_of(outcome)
        if not isinstance(outcome, Drawn):
            for win in outcome:
                winners |= 1 << win.who
                ura = win.ura if len(win.ura) > len(ura) else ura
        facts[0], facts[1], facts[2], facts[3], facts[4] = hand.dealer, hand.dora, len(ura[:5]), ended, winners
        facts[5], facts[6], facts[7], facts[13] = hand.wall is not None, hand.round, hand.honba, hand.deposits
        facts[8 : 8 + len(ura[:5])] = ura[:5]
        facts[14 : 14 + game.players] = hand.scores
        if hand.wall is not None:
            self._wall[: len(hand.wall)] = hand.wall
        assert self._states is not None
        code = replay_hand(
            self._states,
            lookup(),
            hand.events,
            hand.deal,
            facts,
            self._wall,
            self._used,
            self._taken,
            self._result,
        )
        result = self._result.tolist()

        def mismatch(
            what: str, engine: object, record: object, event: int | None = None, *, sequel: bool = False
        ) -> Mismatch:
            return Mismatch(game.source, number + 1, event, what, str(engine), str(record), sequel)

        if code != _MATCHED:
            yield mismatch(*_told(code, result, ended), event=result[1] + 1 if code >= _EVENT else None)
            return
        for what, engine, record in _differences(game, number, hand, result):
            yield mismatch(what, engine, record)
        for what, engine, record in _sequel(game, number, result):
            yield mismatch(what, engine, record, sequel=True)


def _end_of(outcome: list[Win] | Drawn) -> int:
    """How a record's hand ended, in the engine's numbers."""
    if isinstance(outcome, Drawn):
        return int(outcome.reason)
    return TSUMO if outcome[0].who == outcome[0].from_who else RON


def _told(code: int, result: list[int], ended: int) -> tuple[str, str, str]:
    """What went wrong while a hand was played, the engine's version and the record's."""
    if code == _TWICE:
        return "tiles", "each of them once", f"tile id {result[2]} in two places, or in none that it can have"
    if code == _DEAL:
        return "deal", f"tile id {result[2]} from the seed's wall", "another"
    if code == _EVENT:
        return "event", _event_text(result[2:6]), "the hand is over" if result[28] < 0 else _event_text(result[28:32])
    if code == _IDLE:
        return "decision", f"asks seat {result[2]}, which has nothing to decide", "-"
    if code == _OVER:
        return "end", f"the hand is over ({_end_text(result[2])})", "the hand goes on"
    if code == _WAITS:
        return "end", f"seat {result[2]} has to decide", f"the hand is over ({_end_text(ended)})"
    if code == _SEAT:
        return "decision", f"seat {result[2]} has to decide", f"seat {result[4]}: {_action(result[3])}"
    return "action", "not legal", f"seat {result[2]}: {_action(result[3])}"


def _event_text(event: list[int]) -> str:
    name, seat, tile, detail = _NAMES.get(event[0], f"unknown event {event[0]}"), *event[1:4]
    words = [name]
    if seat >= 0:
        words.append(f"by seat {seat}")
    if 0 <= tile < TILES:
        words.append(f"of {tile_text(tile)}")
    if detail:
        words.append("(tsumogiri)" if event[0] == DISCARD_EVENT else f"({_action(detail)})")
    return " ".join(words)


def _action(action: int) -> str:
    """What an action does; a damaged record may name one that there is not."""
    return action_text(action) if 0 <= action < actions.ACTIONS else f"action {action}"


def _end_text(ended: int) -> str:
    if ended >= TSUMO:
        return "tsumo" if ended == TSUMO else "ron"
    return Reason(ended).name.lower().replace("_", " ")


def _differences(game: Game, number: int, hand: Hand, result: list[int]) -> Iterator[tuple[str, object, object]]:
    """Yield what differs between the engine's end of a hand and the record's: what, engine's, record's."""
    players = game.players
    outcome = hand.outcome
    ended = _end_of(outcome)
    if result[8] != ended:
        yield "end", _end_text(result[8]), _end_text(ended)
        return
    if isinstance(outcome, Drawn):
        if tuple(result[12 : 12 + players]) != outcome.deltas:
            yield "payments", tuple(result[12 : 12 + players]), outcome.deltas
        ready = tuple(seat for seat in range(players) if result[20 + seat])
        if outcome.reason == Reason.EXHAUSTIVE and outcome.shown is not None and ready != tuple(sorted(outcome.shown)):
            yield "seats that are ready", ready, outcome.shown
    else:
        if result[9] != len(outcome):
            yield "winners", result[9], len(outcome)
            return
        first, paid = outcome[0], result[32 + 5 : 32 + 7]
        if paid != [first.honba, first.deposits]:
            yield f"seat {first.who}: honba and deposits", paid, [first.honba, first.deposits]
        for place, win in enumerate(outcome):
            at = 32 + _WIN * place
            yield from _win_differences(game, win, result[at : at + _WIN])
        if hand.wall is not None:
            wrong = check_ura(outcome, hand.wall.tolist(), players)
            if wrong is not None:
                yield "ura indicators", wrong, "others"


def _win_differences(game: Game, win: Win, found: list[int]) -> Iterator[tuple[str, object, object]]:
    """Yield what differs between the engine's win and the record's."""
    seat = f"seat {win.who}: "
    if (found[0], found[1]) != (win.who, win.from_who):
        yield "winner and feeder", tuple(found[:2]), (win.who, win.from_who)
        return
    if win.pao is not None and found[2] != win.pao:
        yield f"{seat}liable", found[2], win.pao
    if game.format == "mjlog" and win.pao is None and found[2] >= 0:
        yield f"{seat}liable", found[2], "nobody"
    yakuman = tuple(one for one in YAKUMAN if found[7] >> one & 1)
    if win.yakuman:
        if yakuman != tuple(sorted(win.yakuman)):
            yield f"{seat}yakuman", yakuman, tuple(sorted(win.yakuman))
    elif win.yaku:
        counted = {one for one in range(52) if found[7] >> one & 1}
        said = {one for one, _ in win.yaku if one < DORA}
        if counted != said:
            yield f"{seat}yaku", sorted(counted), sorted(said)
        for what, one, mine in _extra(found):
            theirs = sum(han for yaku, han in win.yaku if yaku == one)
            if mine != theirs:
                yield f"{seat}{what}", mine, theirs
        if found[8] != win.han:
            yield f"{seat}han", found[8], win.han
        if win.fu >= 0 and found[9] != win.fu:
            yield f"{seat}fu", found[9], win.fu
    if found[4] != win.points:
        yield f"{seat}points", found[4], win.points
    if limit_of_basic(found[18]) != win.limit:
        yield f"{seat}limit", limit_of_basic(found[18]).name.lower(), win.limit.name.lower()
    if tuple(found[14 : 14 + game.players]) != win.deltas:
        yield f"{seat}payments", tuple(found[14 : 14 + game.players]), win.deltas


def _extra(found: list[int]) -> tuple[tuple[str, int, int], ...]:
    return ("dora", DORA, found[11]), ("ura-dora", URA_DORA, found[12]), ("red fives", RED_FIVES, found[13])


def _sequel(game: Game, number: int, result: list[int]) -> Iterator[tuple[str, object, object]]:
    """Yield what differs between the next hand, or the end of the game, and the record's."""
    if game.custom:
        return  # a lobby with rules of its own, which the record does not tell in full
    points = result[16 : 16 + game.players]
    last = number + 1 == len(game.hands)
    if last and game.final_scores is None:
        return  # a part of a game: the record does not say that it ended here
    if bool(result[10]) != last:
        yield "game", "over" if result[10] else "goes on", "over" if last else "goes on"
    if not last:
        follows = game.hands[number + 1]
        told = (follows.round, follows.dealer, follows.honba, follows.deposits)
        if not result[10] and tuple(result[24:28]) != told:
            yield "next round, dealer, honba, deposits", tuple(result[24:28]), told
        if not result[10] and points != follows.scores:
            yield "points before the next hand", points, follows.scores
    elif result[10] and points != game.final_scores:
        yield "final points", points, game.final_scores
