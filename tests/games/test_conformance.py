"""What every game does at its tables: one test a claim, for all games and their presets.

`HIDDEN` and `TILES` say what a game keeps secret and where its tiles are.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from janshi.compiling import PLAIN
from janshi.core.rules import rules_from_record
from janshi.games import GAMES, game_of, rules_of
from janshi.records import Damaged, read_bytes, recorder_of, write_games
from janshi.records.positions import PositionError
from janshi.records.verify import replay
from janshi.riichi.positions import hand_of_game as riichi_hand
from janshi.sichuan.positions import hand_of_game as sichuan_hand
from janshi.table import ActionError, Table, Tables
from tests.games import tiny  # noqa: F401  (registers its game)
from tests.rules import tables as riichi
from tests.sichuan import tables as sichuan

RULES = ("tenhou-sanma", "tenhou", "sichuan", "sichuan-exchange", "sichuan-novikov", "sichuan-club", "tiny")
RECORDED = RULES[:-1]
#: Plain Python is some thousand times slower: it plays less.
LESS = 40 if PLAIN else 1
TILES: dict[str, Callable[[Any], NDArray[np.int64]]] = {"riichi": riichi.tiles_of, "sichuan": sichuan.tiles_of}
HIDDEN: dict[str, Callable[[Any, int, np.random.Generator], None]] = {"riichi": riichi.hide, "sichuan": sichuan.hide}
for_all = pytest.mark.parametrize("name", RULES)


def eager(batch: Any, dice: np.random.Generator) -> NDArray[np.int64]:
    """Return actions of which calls, wins and the like are more likely than discards."""
    rare = np.arange(batch.legal.shape[1]) >= (38 if batch.legal.shape[1] > 100 else 30)
    return (batch.legal * (dice.random(batch.legal.shape) + rare)).argmax(axis=1)


@for_all
@pytest.mark.parametrize(("count", "steps"), [(24, 400), pytest.param(200, 4000, marks=pytest.mark.long)])
def test_tiles_and_points_are_conserved(name: str, count: int, steps: int) -> None:
    tables, dice = Tables(name, max(count // LESS, 1), 5), np.random.default_rng(3)
    tiles_of, rules = TILES.get(game_of(tables.rules).name), tables.rules
    wall = np.bincount([tile if tile < 34 else 4 + 9 * (tile - 34) for tile in tables.game.wall(rules).tolist()])
    for step in range(steps // LESS):
        states: Any = np.asarray(tables.states)
        if tiles_of and step % 7 == 0:
            assert (tiles_of(states)[:, : len(wall)] == wall).all()
        sticks = 1000 * states["deposits"] if "deposits" in states.dtype.names else 0
        assert (tables.scores.sum(axis=1) + sticks == rules.players * rules.start).all()
        tables.step(eager(tables.decisions(), dice))


@for_all
def test_the_batch_the_threads_and_the_number_of_calls_do_not_matter(name: str) -> None:
    count, steps = 400 // LESS, 300 // LESS
    many, threaded, stepped = Tables(name, count, 0), Tables(name, count, 0, threads=3), Tables(name, count, 0)
    many.play_random(steps)
    threaded.play_random(steps)
    for _ in range(3):
        stepped.play_random(steps // 3)
    assert np.asarray(many.states).tobytes() == np.asarray(threaded.states).tobytes()
    if steps % 3 == 0:
        assert np.asarray(many.states).tobytes() == np.asarray(stepped.states).tobytes()
    for number in (0, 5, count - 1):
        single = Tables(name, 1, number)
        single.play_random(steps)
        assert single.states[0].tobytes() == many.states[number].tobytes()


@for_all
@settings(max_examples=max(3, 12 // LESS), deadline=None)
@given(seed=st.integers(-(2**63), 2**63 - 1), choices=st.lists(st.integers(0, 10**6), max_size=300))
def test_whoever_is_asked_has_a_choice_of_legal_actions_with_words(name: str, seed: int, choices: list[int]) -> None:
    table = Table(name, seed)
    for choice in choices:
        if table.over:
            break
        if table.hand_over:
            assert table.result is not None
            table.next_hand()
        legal = table.legal
        assert len(legal) > (0 if name == "tiny" else 1)
        assert all(map(table.action_text, legal))
        table.act(legal[choice % len(legal)])


@for_all
def test_illegal_actions_are_refused_and_change_nothing(name: str) -> None:
    table = Table(name, 4)
    before = table.record.copy()
    wrong = next(action for action in range(table.game.actions) if action not in table.legal)
    for action, reason in ((wrong, "may not"), (-1, "-1"), (table.game.actions, str(table.game.actions))):
        with pytest.raises(ActionError, match=reason):
            table.act(action)
    assert table.record == before


@pytest.mark.parametrize("name", RECORDED)
def test_a_view_and_a_log_do_not_depend_on_what_is_hidden(name: str) -> None:
    """Shuffling all hidden information of a seat does not change its view and its log."""
    dice, hide = np.random.default_rng(7), HIDDEN[game_of(rules_of(name)).name]
    for seed in range(max(12 // LESS, 2)):
        table = Table(name, seed)
        for _ in range(int(dice.integers(0, 90))):
            if not table.hand_over:
                table.act(int(dice.choice(table.legal)))
        for seat in range(table.rules.players if not table.hand_over else 0):
            other = table.copy()
            hide(other.record, seat, dice)
            views = [np.asarray(each._tables.views([0], [seat])) for each in (table, other)]
            assert values(views[0]) == values(views[1])
            assert table.events(seat).tolist() == other.events(seat).tolist()


def values(records: NDArray[Any]) -> list[object]:
    """Return all values of records, without the bytes between their fields."""
    if records.dtype.names is None:
        return list(records.ravel().tolist())
    return [number for name in records.dtype.names for number in values(records[name])]


def test_rules_come_back_from_the_record_and_the_wall_has_every_tile() -> None:
    for game in GAMES.values():
        for rules in game.presets.values():
            table = Table(rules)
            assert rules_from_record(type(rules), table.state.rules, rules.name) == rules
            assert np.sort(table.record["wall"][: len(game.wall(rules))]).tolist() == game.wall(rules).tolist()


@for_all
def test_walls_can_be_given(name: str) -> None:
    table = Table(name, 7)
    wall = table.record["wall"][: len(table.game.wall(table.rules))]
    assert Table(name, 1, wall=wall).state.hands.tobytes() == table.state.hands.tobytes()
    with pytest.raises(ValueError, match="tiles once each"):
        Table(name, wall=wall[:-1])


# ---------------------------------------------------------------------------------------------------------
# Records


@pytest.mark.parametrize("name", [*RECORDED[:2], "tenhou-sanma-east", *RECORDED[2:]])
def test_a_recorder_records_narrates_hides_and_replays_a_game(name: str) -> None:
    table, dice = Table(name, 3), np.random.default_rng(1)
    recorder, names = recorder_of(table.rules), ["a", "b", "c", "d"][: table.rules.players]
    recording = recorder.recording(table.rules, names, "here")
    story = recorder.story(table.record, table.rules, names)
    story.update()
    while not table.over:
        table.act(int(dice.choice(table.legal)))
        story.update()
        if table.hand_over:
            recording.add_hand(table.record)
            if not table.over:
                table.next_hand()
                story.update()
    game = recording.game()
    assert game == story.game("here")
    assert replay(game).mismatches == []
    read = [*read_bytes(write_games([game], recorder.format)[0].encode())]
    assert not any(isinstance(each, Damaged) for each in read)
    assert [recorder.fingerprint(each) for each in read] == [recorder.fingerprint(game)]
    deal = recorder.seen_by(next(event for event in story.events if event["type"] == "start_kyoku"), 1)
    assert [set(hand) == {"?"} for hand in deal["tehais"]] == [seat != 1 for seat in range(len(names))]
    assert recorder.fingerprint(dataclasses.replace(game, names=names[::-1])) != recorder.fingerprint(game)
    check_positions(game, riichi_hand if table.game.name == "riichi" else sichuan_hand)


def check_positions(game: Any, hand_of_game: Callable[[Any, int], Any]) -> None:
    """Check that the decisions of each recorded hand are found by their numbers."""
    for number in range(1, len(game.hands) + 1):
        hand = hand_of_game(game, number)
        assert [position.decision for position in hand.positions] == list(range(1, len(hand.positions) + 1))
        for position in hand.positions:
            assert hand.position(position.decision, position.seat).batch is position.batch
            assert position.done in position.possible
            assert position.events == int(np.asarray(position.batch.events)["count"][0])
    with pytest.raises(PositionError, match=f"there is no hand {len(game.hands) + 1}"):
        hand_of_game(game, len(game.hands) + 1)
