"""Replay of whole hands: walls, calls, ends, and damage in each kind of event."""

import copy
import dataclasses
from collections import Counter
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from tests.laid_games import SINGLE, calls_game, fives_game, game_of, riichi_game, sanma_game, story_of
from tests.rules.tables import all_tiles, do, make_table, offer, pass_all, throw

from janshi.records.recorder import Mismatch
from janshi.riichi.actions import Action
from janshi.riichi.records import Drawn, Game, Hand
from janshi.riichi.records.model import Event
from janshi.riichi.records.replay import Replayer, Script
from janshi.riichi.records.walls import deal_slots, shown_slots
from janshi.riichi.rules import Length, preset
from janshi.riichi.state import Ending
from janshi.table import Tables
from janshi.tiles import tile_of_id

JUNK = "258m147p369s1234z"
#: Seats 1, 2 and 3 wait for 5s with a triplet of dragons each.
WAITING = [JUNK, "46s234m567p11m555z", "46s234p567m22m666z", "46s345m678p33m777z"]


@pytest.fixture(scope="module")
def calls() -> Game:
    return calls_game()


@pytest.fixture(scope="module")
def ron() -> Game:
    return riichi_game()


@pytest.fixture(scope="module")
def sanma() -> Game:
    return sanma_game()


Games = tuple[Game, ...]


@pytest.fixture(scope="module")
def games(calls: Game, ron: Game, sanma: Game) -> Games:
    return calls, ron, sanma, fives_game()


def replayed(game: Game) -> list[Mismatch]:
    return Replayer().replay(game).mismatches


def scripts_of(game: Game) -> list[Script]:
    done = Replayer().replay(game, scripts=True)
    assert not done.mismatches
    assert [script.number for script in done.scripts] == list(range(len(game.hands)))
    return done.scripts


def changed(game: Game, change: Callable[[Hand], None]) -> list[str]:
    """Return the mismatches after a change of the first hand."""
    other = copy.deepcopy(game)
    change(other.hands[0])
    return [str(mismatch).split(": ", 1)[1] for mismatch in replayed(other)]


def of_win(number: int, **fields: object) -> Callable[[Hand], None]:
    """Return a function that changes fields of a hand's win."""

    def change(hand: Hand) -> None:
        assert not isinstance(hand.outcome, Drawn)
        for name, value in fields.items():
            setattr(hand.outcome[number], name, value)

    return change


def test_the_hand_of_calls_contains_every_call(calls):
    events = calls.hands[0].events
    assert Counter(events[:, 0].tolist()) >= Counter(
        [Event.ANKAN, Event.CHII, Event.CHII, Event.CHII, Event.PON, Event.DAIMINKAN, Event.KAKAN, *[Event.DORA] * 2]
    )
    assert not isinstance(calls.hands[0].outcome, Drawn)


# ---------------------------------------------------------------------------------------------------------
# Walls


def with_wall(game: Game, hand: Hand) -> Hand:
    """Return a hand with the ids of its whole wall, as in records with a seed."""
    wall = [-1] * (136 if game.players == 4 else 108)
    for slot, identity in shown_slots(hand):
        wall[slot] = identity
    free = [identity for identity in range(136) if game.players == 4 or not 4 <= identity < 32]
    free = [identity for identity in free if identity not in wall]
    return dataclasses.replace(hand, wall=np.array([free.pop() if tile < 0 else tile for tile in wall], np.uint8))


def walled(game: Game) -> Game:
    return dataclasses.replace(game, hands=[with_wall(game, hand) for hand in game.hands])


def test_the_reconstructed_wall_deals_the_hand(games):
    for game in games:
        for hand, script in zip(game.hands, scripts_of(game), strict=True):
            for slot, identity in shown_slots(hand):
                assert script.wall[slot] == tile_of_id(identity, game.rules.red_fives), slot
            assert Counter(script.wall.tolist()) == +all_tiles(game.rules)


def test_an_id_of_0_that_never_turns_up_lies_in_the_reconstructed_wall(sanma):
    game = copy.deepcopy(sanma)
    (hand,) = game.hands
    assert 3 not in {identity for _, identity in shown_slots(hand)}
    own = hand.events[hand.events[:, 0] != Event.DISCARD, 4:]
    assert not (own == 0).any()
    for ids in (hand.deal, hand.events[:, 2]):
        ids[ids == 0] = 3
    assert 0 not in {identity for _, identity in shown_slots(hand)}
    (script,) = scripts_of(game)
    assert Counter(script.wall.tolist()) == +all_tiles(game.rules)


def test_the_wall_of_the_record_is_used_if_present(games):
    for game in map(walled, games):
        for hand, script in zip(game.hands, scripts_of(game), strict=True):
            assert hand.wall is not None
            assert script.wall.tolist() == [tile_of_id(tile, game.rules.red_fives) for tile in hand.wall.tolist()]


def test_a_script_replays_the_hand(games):
    for game in games:
        for hand, script in zip(game.hands, scripts_of(game), strict=True):
            assert (script.kyoku, script.honba, script.deposits) == (hand.round, hand.honba, hand.deposits)
            assert (script.dealer, script.scores) == (hand.dealer, tuple(hand.scores))
            tables = Tables(game.rules, 1, auto_reset=False)
            np.asarray(tables.states)[:] = np.asarray(script.begin(game.rules))
            for action in script.actions.tolist():
                assert not tables.hand_over[0]
                tables.step([action])
            assert tables.hand_over[0]
            assert not isinstance(hand.outcome, Drawn)
            after = np.array(hand.outcome[0].scores) + np.sum([win.deltas for win in hand.outcome], axis=0)
            assert tables.scores[0].tolist()[: game.players] == after.tolist()


def swap(hand: Hand, slot: int, other: int) -> None:
    assert hand.wall is not None
    hand.wall[[slot, other]] = hand.wall[[other, slot]]


def test_a_wall_with_another_deal_is_detected(games):
    for game in map(walled, games):
        slots = deal_slots(game.players, game.hands[0].dealer)
        first, last = int(slots[0, 0]), int(slots[0, 12])
        # A tile of each round of the deal that goes to the next seat, and one that stays in the wall.
        for number in (0, 4, 12):
            for seat in range(game.players):
                own, other = int(slots[seat, number]), int(slots[(seat + 1) % game.players, number])
                (line,) = changed(game, partial(swap, slot=own, other=other))
                assert line.startswith("deal: engine tile id ")
        assert "record another" in changed(game, partial(swap, slot=60, other=first))[0]
        # The order of a seat's dealt tiles does not matter.
        assert changed(game, partial(swap, slot=first, other=last)) == []


def test_a_wrongly_dealt_tile_is_named(calls):
    game = walled(calls)
    slots = deal_slots(4, 0)

    def change(hand: Hand) -> None:
        assert hand.wall is not None
        swap(hand, int(slots[3, 12]), 60)
        hand.dora = int(hand.wall[slots[3, 12]])

    other = copy.deepcopy(game)
    change(other.hands[0])
    assert changed(game, change) == [
        f"deal: engine tile id {other.hands[0].dora} from the seed's wall, record another"
    ]


def test_no_id_above_135_is_dealt(games):
    for game in map(walled, games):

        def change(hand: Hand) -> None:
            hand.deal[1, 12] = 136

        assert changed(game, change) == ["deal: engine tile id 136 from the seed's wall, record another"]


def test_draws_and_indicators_are_those_of_the_wall(calls):
    game = walled(calls)
    wall = game.hands[0].wall
    assert wall is not None

    def found(slot: int) -> str:
        # No draw reaches this part of the wall.
        other = next(number for number in range(20, 60) if wall[number] // 4 != wall[slot] // 4)
        (line,) = changed(game, lambda hand: swap(hand, slot, other))
        return line

    live = 136 - 1 - 52
    for slot, what in ((live, "draw by seat 0"), (live - 1, "draw by seat 2"), (live - 2, "draw by seat 1")):
        assert found(slot).startswith(f"event: engine {what}"), slot
    for slot, what in ((1, "draw by seat 0"), (0, "draw by seat 0"), (3, "draw by seat 1")):
        assert found(slot).startswith(f"event: engine {what}"), slot
    for slot in (7, 9):
        assert found(slot).startswith("event: engine dora of"), slot


def test_ura_indicators_are_those_of_the_wall(ron):
    game = walled(ron)
    wall = game.hands[0].wall
    assert wall is not None
    assert not isinstance(game.hands[0].outcome, Drawn)
    held = Counter(tile // 4 for tile in game.hands[0].outcome[0].hand)
    # Another indicator with the same number of dora for the winner.
    other = next(slot for slot in range(14, 78) if wall[slot] % 36 < 32 and held[wall[slot] // 4 + 1] == 1)
    lines = changed(game, lambda hand: swap(hand, 4, other))
    said = f"the wall's ura indicator 1 is {wall[other]}, not {wall[4]}"
    assert lines == [f"ura indicators: engine {said}, record others"]


def test_a_tile_in_an_impossible_place_is_named(calls, ron):
    text = "tiles: engine each of them once, record tile id {} in two places, or in none that it can have"
    first = int(calls.hands[0].deal[1, 0])

    def of(name: str, value: object) -> Callable[[Hand], None]:
        return lambda hand: setattr(hand, name, value)

    def deal(hand: Hand) -> None:
        hand.deal[3, 12] = first

    def draw(tile: int) -> Callable[[Hand], None]:
        def change(hand: Hand) -> None:
            hand.events[np.flatnonzero(hand.events[:, 0] == Event.DRAW)[-1], 2] = tile

        return change

    def indicator(hand: Hand) -> None:
        hand.events[np.flatnonzero(hand.events[:, 0] == Event.DORA)[-1], 2] = first

    for change in (deal, of("dora", first), draw(first), indicator):
        assert changed(calls, change) == [text.format(first)]
    for tile in (136, 1000):
        assert changed(calls, draw(tile)) == [text.format(tile)]
    (line,) = changed(calls, draw(-1))
    assert line.startswith("event: engine draw by seat 1 of ")
    assert line.endswith(", record draw by seat 1")
    own = int(ron.hands[0].deal[1, 0])

    assert changed(ron, of_win(0, ura=(own,))) == [text.format(own)]


def test_a_record_with_too_many_draws_is_detected(calls):
    def draws(hand: Hand) -> None:
        row = [int(Event.DRAW), 0, -1, -1, -1, -1, -1, -1]
        used = {identity for _, identity in shown_slots(hand)}
        free = [identity for identity in range(136) if identity not in used]
        rows = [[*row[:2], tile, *row[3:]] for tile in (free * 2)[:100]]
        hand.events = np.concatenate([hand.events, np.array(rows, np.int16)])

    def indicators(hand: Hand) -> None:
        used = {identity for _, identity in shown_slots(hand)}
        free = [identity for identity in range(136) if identity not in used]
        rows = [[int(Event.DORA), -1, tile, -1, -1, -1, -1, -1] for tile in (free * 2)[:80]]
        hand.events = np.concatenate([hand.events, np.array(rows, np.int16)])

    for change in (draws, indicators):
        (line,) = changed(calls, change)
        assert line.startswith("tiles: engine each of them once")


# ---------------------------------------------------------------------------------------------------------
# Events


def kinds_of_events(game: Game) -> dict[tuple[int, ...], int]:
    """Return the first row of each kind of event of a game's first hand, with calls by their tiles."""
    rows: dict[tuple[int, ...], int] = {}
    for row, (event, _, tile, _, *own) in enumerate(game.hands[0].events.tolist()):
        form = own[:1] if event == Event.DISCARD else [one // 4 - tile // 4 for one in own if one >= 0]
        rows.setdefault((event, *form), row)
    return rows


def damaged(game: Game, row: int, column: int, value: int) -> Mismatch:
    other = copy.deepcopy(game)
    other.hands[0].events[row, column] = value
    found = replayed(other)[0]
    assert found.hand == 1
    assert found.event is not None, str(found)
    return found


@pytest.mark.parametrize("column", [0, 1, 2])
def test_each_kind_of_event_is_compared(games, column):
    """Event, seat and tile: a difference is found at its event or at the one before."""
    for game in map(walled, games):
        for (event, *form), row in kinds_of_events(game).items():
            if column == 2 and (event in (Event.RIICHI, Event.ACCEPTED) or (event == Event.DISCARD and form == [0])):
                continue  # without a tile; another tile from the hand is possible
            value = int(game.hands[0].events[row, column])
            if column == 0:
                value = int(Event.DISCARD if event == Event.DRAW else Event.DRAW)
            else:
                value = (value + 1) % game.players if column == 1 else (value + 12) % 136
            assert damaged(game, row, column, value).event <= row + 1, (event, row)


def test_a_call_in_the_own_turn_is_no_decision(calls):
    row = int(np.flatnonzero(calls.hands[0].events[:, 0] == Event.DISCARD)[0])
    for event in (Event.CHII, Event.PON, Event.DAIMINKAN):
        found = str(damaged(calls, row, 0, int(event)))
        assert found.startswith("made, hand 1, event 5: end: engine seat 0 has to decide")


def test_the_tiles_of_a_chii_are_compared(calls):
    for row in np.flatnonzero(calls.hands[0].events[:, 0] == Event.CHII).tolist():
        called, own = int(calls.hands[0].events[row, 2]), calls.hands[0].events[row, 4:6].tolist()
        for column, tile in zip((4, 5), own, strict=True):
            # A tile below the called one instead of one above, and vice versa.
            assert damaged(calls, row, column, tile + (12 if tile < called else -12)).event == row + 1


def test_tsumogiri_is_compared(calls):
    for row in np.flatnonzero(calls.hands[0].events[:, 0] == Event.DISCARD).tolist():
        # An indicator revealed before the discard counts as the discard's event.
        assert damaged(calls, row, 4, 1 - int(calls.hands[0].events[row, 4])).event in (row, row + 1)


def test_events_are_named_with_their_tiles_and_details(calls):
    events = calls.hands[0].events
    held = next(row for row in np.flatnonzero(events[:, 0] == Event.DISCARD) if not events[row, 4])
    found = damaged(calls, held, 4, 1)
    assert [found.engine, found.record] == [
        "discard by seat 0 of 6z (tsumogiri)",
        "discard by seat 0 of 5p (tsumogiri)",
    ]
    pon = int(np.flatnonzero(events[:, 0] == Event.PON)[0])
    found = damaged(calls, pon, 1, (int(events[pon, 1]) + 1) % 4)
    assert [found.engine, found.record] == ["draw by seat 0 of 3z", "pon by seat 2 of 5s (pon with 1 red five)"]


def test_red_fives_are_distinguished():
    rules = dataclasses.replace(SINGLE, triple_ron_aborts=False)
    # Seat 1 calls each suit's five with the red one and another tile.
    deals = ["5m5p5s147m147p147s1z", "05m05p05s123s4447z"]
    table = make_table(rules, deals, "2z6z6z7z6z6z")
    story = story_of(table)
    for number, suit in enumerate("mps"):
        offer(table, 0, f"5{suit}")
        assert {Action.PON + 1} <= set(table.legal)
        do(table, 1, Action.PON + 1)
        throw(table, 1, ("1s", "2s", "3s")[number])
        while table.actor != 0 or Action.TSUMOGIRI not in table.legal:
            table.act(Action.TSUMOGIRI if Action.TSUMOGIRI in table.legal else Action.PASS)
    while not table.hand_over:
        table.act(Action.TSUMOGIRI if Action.TSUMOGIRI in table.legal else Action.PASS)
    game = game_of(story)
    assert replayed(game) == []
    for row in np.flatnonzero(game.hands[0].events[:, 0] == Event.PON):
        other = copy.deepcopy(game)
        events = other.hands[0].events
        for column in (4, 5):
            if events[row, column] % 4 == 0:
                events[row, column] += 3 if events[row, 9 - column] % 4 != 3 else 2
        (found,) = replayed(other)
        assert found.event is not None
        assert found.event <= row + 1
        assert "pon" in found.record


# ---------------------------------------------------------------------------------------------------------
# Decisions at the end of a hand


def at_the_end(rules, deals: list[str], draws: str, actions: list[tuple[int, int]], discard: str = "5s") -> Game:
    """Return a hand that ends with these actions after seat 0's discard."""
    table = make_table(rules, deals, draws)
    story = story_of(table)
    offer(table, 0, discard)
    for seat, action in actions:
        do(table, seat, action)
    return game_of(story)


def test_only_recorded_winners_win():
    ron, passes = Action.RON, Action.PASS
    for chosen in ((1,), (2,), (3,), (1, 2), (1, 3), (2, 3)):
        game = at_the_end(SINGLE, WAITING, "5s", [(seat, ron if seat in chosen else passes) for seat in (1, 2, 3)])
        assert [win.who for win in game.hands[0].outcome] == [*chosen]
        assert replayed(game) == []
        (script,) = scripts_of(game)
        assert script.actions[1:].tolist() == [ron if seat in chosen else passes for seat in (1, 2, 3)]
    all_win = dataclasses.replace(SINGLE, triple_ron_aborts=False)
    three = at_the_end(all_win, WAITING, "5s", [(1, ron), (2, ron), (3, ron)])
    assert len(three.hands[0].outcome) == 3
    assert replayed(three) == []


def test_three_winners_abort_the_hand():
    game = at_the_end(SINGLE, WAITING, "5s", [(seat, Action.RON) for seat in (1, 2, 3)])
    assert game.hands[0].outcome.reason == Ending.TRIPLE_RON
    assert replayed(game) == []
    assert scripts_of(game)[0].actions[1:].tolist() == [Action.RON] * 3


def test_possible_callers_of_the_winning_tile_pass():
    deals = [*WAITING[:2], JUNK, "55s147m147p12367z"]
    game = at_the_end(SINGLE, deals, "5s", [(1, Action.RON), (3, Action.PASS)])
    assert [win.who for win in game.hands[0].outcome] == [1]
    assert replayed(game) == []
    game = at_the_end(SINGLE, deals, "5s", [(1, Action.RON), (3, Action.PON)])
    assert replayed(game) == [], "a ron comes before a pon"


def test_nine_terminals_abort_the_hand():
    table = make_table(SINGLE, ["19m19p19s1234z258p"], "5z")
    story = story_of(table)
    do(table, 0, Action.KYUUSHU_KYUUHAI)
    game = game_of(story)
    assert replayed(game) == []
    assert scripts_of(game)[0].actions.tolist() == [Action.KYUUSHU_KYUUHAI]

    def exhausted(hand: Hand) -> None:
        assert isinstance(hand.outcome, Drawn)
        hand.outcome.reason = Ending.EXHAUSTIVE

    assert changed(game, exhausted) == ["end: engine seat 0 has to decide, record the hand is over (exhaustive)"]


def test_a_self_draw_belongs_to_the_drawing_seat():
    table = make_table(SINGLE, ["", "555z234m567p345s1p"], "6z1p")
    story = story_of(table)
    throw(table, 0, "6z")
    do(table, 1, Action.TSUMO)
    game = game_of(story)
    assert replayed(game) == []

    def other(hand: Hand) -> None:
        assert not isinstance(hand.outcome, Drawn)
        hand.outcome[0].who = hand.outcome[0].from_who = 2

    assert changed(game, other) == ["decision: engine seat 1 has to decide, record seat -1: tsumo"]


def test_a_record_that_ends_before_or_after_the_engine_is_detected(ron, calls):
    def cut(count: int) -> Callable[[Hand], None]:
        return lambda hand: setattr(hand, "events", hand.events[:count])

    # The last two events are seat 2's draw and its discard, on which seat 1 wins.
    events = ron.hands[0].events
    assert events[-2:, 0].tolist() == [Event.DRAW, Event.DISCARD]
    assert changed(ron, cut(-1)) == ["end: engine seat 2 has to decide, record the hand is over (ron)"]
    (line,) = changed(ron, cut(-2))
    assert line.startswith("event: engine draw by seat 2 of ")
    assert line.endswith(", record the hand is over")

    def longer(hand: Hand) -> None:
        hand.events = np.concatenate([hand.events, hand.events[:1] * 0 - 1])

    for game in (ron, calls):
        (line,) = changed(game, longer)
        assert "record" in line


def test_a_seat_out_of_turn_is_named(ron):
    def other(hand: Hand) -> None:
        row = int(np.flatnonzero(hand.events[:, 0] == Event.DISCARD)[-1])
        hand.events[row, 1] = 3

    assert changed(ron, other) == ["decision: engine seat 2 has to decide, record seat 3: discard the drawn tile"]


def test_events_are_described_completely(ron, calls):
    def texts(game: Game, row: int, **columns: int) -> str:
        def change(hand: Hand) -> None:
            for column, value in columns.items():
                hand.events[row, int(column[1:])] = value

        (line,) = changed(game, change)
        return line

    events = calls.hands[0].events
    last = int(np.flatnonzero(events[:, 0] == Event.DRAW)[-1])
    assert texts(calls, last, c1=2) == "event: engine draw by seat 1 of 7z, record draw by seat 2 of 7z"
    unknown = texts(calls, last, c0=77)
    assert unknown.startswith("event: engine draw by seat 1 of ")
    assert unknown.endswith(", record unknown event 77 by seat 1 of 7z")
    dora = int(np.flatnonzero(events[:, 0] == Event.DORA)[0])
    assert texts(calls, dora, c1=0) == "event: engine dora of 3s, record dora by seat 0 of 3s"
    kan = int(np.flatnonzero(events[:, 0] == Event.KAKAN)[0])
    assert texts(calls, kan, c2=500) == "action: engine not legal, record seat 1: action 213"
    first = int(np.flatnonzero(ron.hands[0].events[:, 0] == Event.DISCARD)[0])
    assert texts(ron, first, c0=int(Event.KITA)) == "action: engine not legal, record seat 0: kita"


# ---------------------------------------------------------------------------------------------------------
# Several winners, chips, what follows


@pytest.fixture(scope="module")
def two_winners() -> Game:
    """Return a hand in which seats 1 and 2 win on seat 0's 5s, seat 2 in riichi with an ura-dora."""
    deals = ["258m147p369s123z5s", WAITING[1], "46s234p567m22m345p"]
    table = make_table(SINGLE, deals, "7z7z4z1z2z5s", ura="1m", dora="1s")
    table.state.honba, table.state.deposits = 1, 1
    story = story_of(table)
    throw(table, 0, "7z")
    throw(table, 1, "7z")
    do(table, 2, Action.RIICHI)
    if table.actor == 2:
        offer(table, 2, "4z")
    pass_all(table)
    throw(table, 3, "1z")
    offer(table, 0, "5s")
    do(table, 1, Action.RON)
    do(table, 2, Action.RON)
    return game_of(story)


def test_each_of_several_winners_is_compared(two_winners):
    first, second = two_winners.hands[0].outcome
    assert (first.who, second.who, first.ura, len(second.ura)) == (1, 2, (), 1)
    assert replayed(two_winners) == []
    assert Replayer().fu(two_winners, 0) == (first.fu, second.fu)

    for number, win in enumerate((first, second)):
        (line,) = changed(two_winners, of_win(number, points=win.points + 100))
        assert line == f"seat {win.who}: points: engine {win.points}, record {win.points + 100}"
        (line,) = changed(two_winners, of_win(number, deltas=(0, 0, 0, 0)))
        assert line.startswith(f"seat {win.who}: payments")
    # Honba and deposits go to the first winner.
    assert changed(two_winners, of_win(1, honba=7, deposits=7)) == []
    assert changed(two_winners, of_win(0, honba=7)) == ["seat 1: honba and deposits: engine [1, 2], record [7, 2]"]
    for number in (0, 1):
        wrong = with_change(two_winners, of_win(number, who=3))
        assert Replayer().fu(dataclasses.replace(two_winners, hands=[wrong]), 0) == ()


def with_change(game: Game, change: Callable[[Hand], None]) -> Hand:
    hand = copy.deepcopy(game.hands[0])
    change(hand)
    return hand


def test_a_winner_without_ura_does_not_hide_those_of_the_next(two_winners):
    # The ura indicators are those shown by any winner.
    for game in (two_winners, walled(two_winners)):
        (script,) = scripts_of(game)
        assert script.wall[4] == tile_of_id(two_winners.hands[0].outcome[1].ura[0], game.rules.red_fives)


def test_more_indicators_than_there_can_be_are_no_error(ron):
    def ura(hand: Hand) -> None:
        used = {identity for _, identity in shown_slots(hand)}
        free = [identity for identity in range(136) if identity not in used]
        hand.outcome[0].ura = (*hand.outcome[0].ura, *free[:6])

    assert changed(ron, ura) == []


def test_a_recorded_fu_of_0_is_compared(ron):
    (found,) = changed(ron, of_win(0, fu=0))
    assert found.startswith("seat 1: fu: engine ")
    assert found.endswith("record 0")


def test_a_difference_at_the_end_names_its_hand(ron):
    other = copy.deepcopy(ron)
    other.hands[0].outcome[0].han += 1
    assert {mismatch.hand for mismatch in replayed(other)} == {1}


@pytest.fixture(scope="module")
def chips() -> Game:
    """Return a win of seat 1 with ippatsu, a red five and an ura-dora: three chips from each, or from one."""
    rules = dataclasses.replace(preset("tenhou-parlour-chips2"), length=Length.SINGLE_HAND)
    game = riichi_game(rules)
    win = game.hands[0].outcome[0]
    game.hands[0].chips, win.chip_deltas, game.final_chips = (0, 5, 1, 2), (0, 3, -3, 0), (0, 8, -2, 2)
    win.chips = ((2, 1), (54, 1), (53, 1))
    return game


def test_chips_are_compared(chips):
    assert chips.rules.chip_value == 2000
    assert replayed(chips) == []

    for wrong in (((54, 1), (53, 1)), ((2, 1), (53, 1)), ((2, 1), (54, 1)), ((2, 2), (54, 1), (53, 1))):
        assert changed(chips, of_win(0, chips=wrong)) == [
            f"seat 1: chips: engine {{2: 1, 54: 1, 53: 1}}, record {dict(wrong)}"
        ]
    paid = "seat 1: chips paid: engine (0, 3, -3, 0), record (0, 2, -2, 0)"
    after = "final chips: engine (0, 7, -1, 2), record (0, 8, -2, 2)"
    assert changed(chips, of_win(0, chip_deltas=(0, 2, -2, 0))) == [paid, after]
    # Without payments in the record, only the end of the hand is compared.
    final = "final chips: engine (0, 5, 1, 2), record (0, 8, -2, 2)"
    assert changed(chips, of_win(0, chip_deltas=(), chips=())) == [final]
    # The chips for a yakuman are unknown; without chips in the rules they are not compared.
    assert not any("chips:" in line or "paid" in line for line in changed(chips, of_win(0, yakuman=(39,), chips=())))
    plain = dataclasses.replace(chips, rules=SINGLE)
    assert changed(plain, of_win(0, chips=())) == []


def test_chips_at_the_end_are_the_sum_of_earlier_and_paid_ones(chips):
    for wrong in ((0, 8, -2, 3), (1, 8, -2, 2)):
        (found,) = replayed(dataclasses.replace(chips, final_chips=wrong))
        assert str(found).endswith(f"final chips: engine (0, 8, -2, 2), record {wrong}")
    assert replayed(dataclasses.replace(chips, final_chips=())) == []
    other = copy.deepcopy(chips)
    other.hands[0].chips = ()
    other.hands[0].outcome[0].chip_deltas = ()
    assert replayed(other) == [], "without the chips before the hand there is nothing to compare"


def test_chips_of_a_self_draw_are_paid_by_all():
    rules = dataclasses.replace(preset("tenhou-parlour-chips2"), length=Length.SINGLE_HAND)
    table = make_table(rules, ["", "555z034m567p345s1p"], "6z7z4z4z6z1p")
    story = story_of(table)
    for seat, tile in enumerate(("6z", "7z", "4z", "4z", "6z")):
        throw(table, seat % 4, tile)
    do(table, 1, Action.TSUMO)
    game = game_of(story)
    win = game.hands[0].outcome[0]
    game.hands[0].chips, win.chips, win.chip_deltas = (0, 0, 0, 0), ((54, 1),), (-1, 3, -1, -1)
    assert replayed(game) == []
    win.chip_deltas = (0, 1, -1, 0)
    (found,) = replayed(game)
    assert (found.what, found.engine) == ("seat 1: chips paid", "(-1, 3, -1, -1)")


def test_a_replayer_changes_rules(calls, sanma, ron, chips):
    replayer = Replayer()
    for game in (calls, sanma, ron, sanma, chips, calls):
        done = replayer.replay(game, scripts=True)
        assert done.mismatches == []
        assert (done.source, done.hands) == (game.source, len(game.hands))
        assert done.decisions == sum(len(script.actions) for script in done.scripts) > 0
        assert replayer.replay(game).scripts == []


def test_a_matching_hand_has_a_script_despite_later_mismatches(two_winners):
    wrong = dataclasses.replace(two_winners, final_scores=[1, 2, 3, 4])
    done = Replayer().replay(wrong, scripts=True)
    assert [mismatch.sequel for mismatch in done.mismatches] == [True]
    assert len(done.scripts) == 1
    hand = with_change(two_winners, of_win(0, points=1))
    done = Replayer().replay(dataclasses.replace(two_winners, hands=[hand]), scripts=True)
    assert [mismatch.sequel for mismatch in done.mismatches] == [False]
    assert done.scripts == []
