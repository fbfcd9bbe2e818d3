"""Replay of whole hands: walls, calls, ends, and damage in each kind of event."""

import copy
import dataclasses
from collections import Counter
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from tests.laid_games import laid_game, sanma_game
from tests.rules.tables import all_tiles

from janshi.records.recorder import Mismatch
from janshi.riichi.actions import Action
from janshi.riichi.records import Drawn, RecordedHand, RiichiGame
from janshi.riichi.records.model import Event
from janshi.riichi.records.replay import Replayer, Script
from janshi.riichi.records.walls import deal_slots, shown_slots
from janshi.riichi.state import Ending
from janshi.table import Tables
from janshi.tiles import tile_of_id


@pytest.fixture(scope="module")
def calls() -> RiichiGame:
    return laid_game("calls")


@pytest.fixture(scope="module")
def ron() -> RiichiGame:
    return laid_game("riichi")


@pytest.fixture(scope="module")
def sanma() -> RiichiGame:
    return sanma_game()


Games = tuple[RiichiGame, ...]


@pytest.fixture(scope="module")
def games(calls: RiichiGame, ron: RiichiGame, sanma: RiichiGame) -> Games:
    return calls, ron, sanma, laid_game("fives")


def replayed(game: RiichiGame) -> list[Mismatch]:
    return Replayer().replay(game).mismatches


def scripts_of(game: RiichiGame) -> list[Script]:
    done = Replayer().replay(game, scripts=True)
    assert not done.mismatches
    assert [script.number for script in done.scripts] == list(range(len(game.hands)))
    return done.scripts


def changed(game: RiichiGame, change: Callable[[RecordedHand], None]) -> list[str]:
    """Return the mismatches after a change of the first hand."""
    other = copy.deepcopy(game)
    change(other.hands[0])
    return [str(mismatch).split(": ", 1)[1] for mismatch in replayed(other)]


def of_win(number: int, **fields: object) -> Callable[[RecordedHand], None]:
    """Return a function that changes fields of a hand's win."""

    def change(hand: RecordedHand) -> None:
        assert not isinstance(hand.outcome, Drawn)
        for name, value in fields.items():
            setattr(hand.outcome[number], name, value)

    return change


# ---------------------------------------------------------------------------------------------------------
# Walls


def with_wall(game: RiichiGame, hand: RecordedHand) -> RecordedHand:
    """Return a hand with the ids of its whole wall, as in records with a seed."""
    wall = [-1] * (136 if game.players == 4 else 108)
    for slot, identity in shown_slots(hand):
        wall[slot] = identity
    free = [identity for identity in range(136) if game.players == 4 or not 4 <= identity < 32]
    free = [identity for identity in free if identity not in wall]
    return dataclasses.replace(hand, wall=np.array([free.pop() if tile < 0 else tile for tile in wall], np.uint8))


def walled(game: RiichiGame) -> RiichiGame:
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


def swap(hand: RecordedHand, slot: int, other: int) -> None:
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

    def change(hand: RecordedHand) -> None:
        assert hand.wall is not None
        swap(hand, int(slots[3, 12]), 60)
        hand.dora = int(hand.wall[slots[3, 12]])

    other = copy.deepcopy(game)
    change(other.hands[0])
    assert changed(game, change) == [
        f"deal: engine tile id {other.hands[0].dora} from the seed's wall, record another"
    ]


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

    def of(name: str, value: object) -> Callable[[RecordedHand], None]:
        return lambda hand: setattr(hand, name, value)

    def deal(hand: RecordedHand) -> None:
        hand.deal[3, 12] = first

    def draw(tile: int) -> Callable[[RecordedHand], None]:
        def change(hand: RecordedHand) -> None:
            hand.events[np.flatnonzero(hand.events[:, 0] == Event.DRAW)[-1], 2] = tile

        return change

    def indicator(hand: RecordedHand) -> None:
        hand.events[np.flatnonzero(hand.events[:, 0] == Event.DORA)[-1], 2] = first

    for change in (deal, of("dora", first), draw(first), indicator):
        assert changed(calls, change) == [text.format(first)]
    for tile in (136, 1000):
        assert changed(calls, draw(tile)) == [text.format(tile)]
    own = int(ron.hands[0].deal[1, 0])

    assert changed(ron, of_win(0, ura=(own,))) == [text.format(own)]


def test_a_record_with_too_many_draws_is_detected(calls):
    def draws(hand: RecordedHand) -> None:
        row = [int(Event.DRAW), 0, -1, -1, -1, -1, -1, -1]
        used = {identity for _, identity in shown_slots(hand)}
        free = [identity for identity in range(136) if identity not in used]
        rows = [[*row[:2], tile, *row[3:]] for tile in (free * 2)[:100]]
        hand.events = np.concatenate([hand.events, np.array(rows, np.int16)])

    def indicators(hand: RecordedHand) -> None:
        used = {identity for _, identity in shown_slots(hand)}
        free = [identity for identity in range(136) if identity not in used]
        rows = [[int(Event.DORA), -1, tile, -1, -1, -1, -1, -1] for tile in (free * 2)[:80]]
        hand.events = np.concatenate([hand.events, np.array(rows, np.int16)])

    for change in (draws, indicators):
        (line,) = changed(calls, change)
        assert line.startswith("tiles: engine each of them once")


# ---------------------------------------------------------------------------------------------------------
# Events


def kinds_of_events(game: RiichiGame) -> dict[tuple[int, ...], int]:
    """Return the first row of each kind of event of a game's first hand, with calls by their tiles."""
    rows: dict[tuple[int, ...], int] = {}
    for row, (event, _, tile, _, *own) in enumerate(game.hands[0].events.tolist()):
        form = own[:1] if event == Event.DISCARD else [one // 4 - tile // 4 for one in own if one >= 0]
        rows.setdefault((event, *form), row)
    return rows


def damaged(game: RiichiGame, row: int, column: int, value: int) -> Mismatch:
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
    game = laid_game("red pons")
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


@pytest.mark.parametrize("chosen", [(1,), (2,), (3,), (1, 2), (1, 3), (2, 3)])
def test_only_recorded_winners_win(chosen):
    answers = [Action.RON if seat in chosen else Action.PASS for seat in (1, 2, 3)]
    game = laid_game("waiting", answers=" ".join(f"{seat}:{answers[seat - 1].name.lower()}" for seat in (1, 2, 3)))
    assert [win.who for win in game.hands[0].outcome] == [*chosen]
    assert replayed(game) == []
    (script,) = scripts_of(game)
    assert script.actions[1:].tolist() == answers


def test_three_winners_win_or_abort_the_hand():
    rons = "1:ron 2:ron 3:ron"
    game = laid_game("waiting", "tenhou length=SINGLE_HAND triple_ron_aborts=false", answers=rons)
    assert len(game.hands[0].outcome) == 3
    assert replayed(game) == []
    game = laid_game("waiting", answers=rons)
    assert game.hands[0].outcome.reason == Ending.TRIPLE_RON
    assert replayed(game) == []
    assert scripts_of(game)[0].actions[1:].tolist() == [Action.RON] * 3


@pytest.mark.parametrize("answer", ["pass", "pon"])
def test_possible_callers_of_the_winning_tile_pass(answer):
    game = laid_game("callers", answers=f"1:ron 3:{answer}")
    assert [win.who for win in game.hands[0].outcome] == [1]
    assert replayed(game) == [], "a ron comes before a pon"


def test_nine_terminals_are_the_action_that_aborts_the_hand():
    assert scripts_of(laid_game("nine terminals"))[0].actions.tolist() == [Action.KYUUSHU_KYUUHAI]


def test_a_record_that_ends_before_or_after_the_engine_is_detected(ron, calls):
    def cut(count: int) -> Callable[[RecordedHand], None]:
        return lambda hand: setattr(hand, "events", hand.events[:count])

    # The last two events are seat 2's draw and its discard, on which seat 1 wins.
    events = ron.hands[0].events
    assert events[-2:, 0].tolist() == [Event.DRAW, Event.DISCARD]
    assert changed(ron, cut(-1)) == ["end: engine seat 2 has to decide, record the hand is over (ron)"]
    (line,) = changed(ron, cut(-2))
    assert line.startswith("event: engine draw by seat 2 of ")
    assert line.endswith(", record the hand is over")

    def longer(hand: RecordedHand) -> None:
        hand.events = np.concatenate([hand.events, hand.events[:1] * 0 - 1])

    for game in (ron, calls):
        (line,) = changed(game, longer)
        assert "record" in line


# ---------------------------------------------------------------------------------------------------------
# Several winners, what follows


@pytest.fixture(scope="module")
def two_winners() -> RiichiGame:
    return laid_game("two winners")


def test_the_fu_of_each_of_several_winners_are_those_of_the_rules(two_winners):
    first, second = two_winners.hands[0].outcome
    assert (first.who, second.who, first.ura, len(second.ura)) == (1, 2, (), 1)
    assert Replayer().fu(two_winners, 0) == (first.fu, second.fu)
    for number in (0, 1):
        wrong = with_change(two_winners, of_win(number, who=3))
        assert Replayer().fu(dataclasses.replace(two_winners, hands=[wrong]), 0) == ()


def with_change(game: RiichiGame, change: Callable[[RecordedHand], None]) -> RecordedHand:
    hand = copy.deepcopy(game.hands[0])
    change(hand)
    return hand


def test_a_winner_without_ura_does_not_hide_those_of_the_next(two_winners):
    # The ura indicators are those shown by any winner.
    for game in (two_winners, walled(two_winners)):
        (script,) = scripts_of(game)
        assert script.wall[4] == tile_of_id(two_winners.hands[0].outcome[1].ura[0], game.rules.red_fives)


def test_a_replayer_changes_rules(calls, sanma, ron):
    replayer = Replayer()
    chips = laid_game("parlour self draw")
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
