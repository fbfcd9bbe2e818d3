"""Records of Sichuan games: written, read and replayed with every payment checked."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from janshi.agents import RandomAgent
from janshi.arena import play_match
from janshi.records.convert import GameWriter
from janshi.records.formats import RecordError
from janshi.records.verify import verify
from janshi.sichuan.records.jsonl import (
    SichuanGame,
    SichuanHandRecord,
    SichuanRecording,
    is_sichuan,
    play_random_game,
    read_sichuan,
    replay_sichuan,
    write_sichuan,
)
from janshi.sichuan.rules import PRESETS, SICHUAN_NOVIKOV, Exchange
from janshi.sichuan.state import Event
from janshi.table import Table
from tests.sichuan.tables import PASS, WIN, step, table, tile, until, wall

RULES = list(PRESETS)


@pytest.mark.parametrize("name", RULES)
def test_a_game_comes_back_and_replays(name: str) -> None:
    for seed in range(6):
        game = play_random_game(name, seed)
        text = write_sichuan(game)
        assert is_sichuan(text)
        assert read_sichuan(text) == [game]
        done = replay_sichuan(game)
        assert (done.hands, done.mismatches) == (1, [])
        assert done.decisions > 10


def test_every_field_of_the_rules_comes_back() -> None:
    rules = dataclasses.replace(
        SICHUAN_NOVIKOV, name="mine", exchange=Exchange.ACROSS, cap=None, pig_fan=5, heaven_is_cap=False
    )
    game = SichuanGame(rules, ["a", "b", "c", "d"])
    assert read_sichuan(write_sichuan(game))[0].rules == rules


def paid_game() -> SichuanGame:
    """Return a game with payments."""
    for seed in range(50):
        game = play_random_game("sichuan-novikov", seed)
        if any(row[0] >= Event.WIN_PAY for row in game.hands[0].events):
            return game
    raise AssertionError("nobody pays")


Row = tuple[int, int, int, int]


def changed(game: SichuanGame, place: int, row: Row) -> SichuanGame:
    hand = game.hands[0]
    events = (*hand.events[:place], row, *hand.events[place + 1 :])
    return dataclasses.replace(game, hands=[dataclasses.replace(hand, events=events)])


def nine_further(row: Row) -> Row:
    event, seat, tile, detail = row
    return event, seat, (tile + 9) % 27, detail


@pytest.mark.parametrize(
    ("rules", "where", "other", "what"),
    [
        ("sichuan-novikov", Event.WIN_PAY, lambda row: (*row[:3], row[3] + 1), "event"),
        ("sichuan-novikov", Event.DRAW, nine_further, "event"),
        ("sichuan-novikov", Event.DISCARD, nine_further, None),
        ("sichuan", Event.VOID, lambda row: (int(Event.DISCARD), row[1], 5, 0), "decides"),
        ("sichuan", Event.DISCARD, lambda row: (int(Event.VOID), row[1], 1, -1), "decides"),
        ("sichuan-exchange", Event.GIVE, lambda row: (*row[:3], row[1]), "event"),  # to the giver
    ],
)
def test_an_event_that_was_changed_is_found(rules: str, where: Event, other: Callable[[Row], Row], what: str) -> None:
    for seed in range(50):
        game = play_random_game(rules, seed)
        events = game.hands[0].events
        place = next((place for place, row in enumerate(events) if row[0] == where), None)
        if place is not None:
            break
    (mismatch,) = replay_sichuan(changed(game, place, other(events[place]))).mismatches
    assert (mismatch.hand, mismatch.event) == (1, place + 1)
    seat = events[place][1]
    assert what is None or mismatch.what == (f"seat {seat} decides" if what == "decides" else what)


def with_hand(game: SichuanGame, **changes: object) -> SichuanGame:
    return dataclasses.replace(game, hands=[dataclasses.replace(game.hands[0], **changes)])


def test_points_and_events_that_are_missing_are_found() -> None:
    game = paid_game()
    hand = game.hands[0]
    assert "points" in replay_sichuan(with_hand(game, end=(9, 9, 9, 9))).mismatches[0].what
    assert "points" in replay_sichuan(with_hand(game, points=(1, 0, 0, 0))).mismatches[0].what
    assert "dealer" in replay_sichuan(with_hand(game, dealer=1)).mismatches[0].what
    assert replay_sichuan(with_hand(game, events=hand.events[:-1])).mismatches
    assert replay_sichuan(with_hand(game, events=(*hand.events, hand.events[0]))).mismatches
    assert replay_sichuan(with_hand(game, events=())).mismatches
    assert replay_sichuan(dataclasses.replace(game, hands=[])).mismatches
    twice = dataclasses.replace(game, hands=[hand, hand])
    assert "end of the game" in replay_sichuan(twice).mismatches[0].what
    longer = dataclasses.replace(game, rules=dataclasses.replace(game.rules, hands=2))
    assert "end of the game" in replay_sichuan(longer).mismatches[0].what


@pytest.mark.parametrize("name", RULES)
def test_an_unfinished_hand_is_named_with_the_seat_that_decides(name: str) -> None:
    game = play_random_game(name, 3)
    events = game.hands[0].events
    for place in (index for index, row in enumerate(events) if row[0] == Event.VOID):
        (mismatch,) = replay_sichuan(with_hand(game, events=events[:place])).mismatches
        assert (mismatch.event, mismatch.what) == (place + 1, f"seat {events[place][1]} decides")
        assert mismatch.record == "the end of the hand"


def test_the_lowest_tile_can_be_laid_face_down() -> None:
    rules = dataclasses.replace(SICHUAN_NOVIKOV, exchange=Exchange.OFF)
    made = Table(rules, wall=wall(["1m", "", "", ""], "mpsp"))
    recording = SichuanRecording(made.rules, ["a", "b", "c", "d"])
    made.act(tile("1m"))
    assert int(made.state.hands[0].laid) == tile("1m")
    while not made.hand_over:
        step(made)
    recording.add_hand(made.record)
    assert replay_sichuan(recording.game()).mismatches == []


def recorded(made: Table, recording: SichuanRecording) -> SichuanGame:
    """Play a game to its end and return its record."""
    while True:
        while not made.hand_over:
            step(made)
        recording.add_hand(made.record)
        if made.over:
            return recording.game()
        made.next_hand()


def test_a_win_that_was_passed_before_is_replayed() -> None:
    made = table(["33s", "123456789m1299s", "", ""], "spms")
    recording = SichuanRecording(made.rules, ["a", "b", "c", "d"])
    for answer in (PASS, WIN):
        until(made, 0)
        made.act(tile("3s"))
        assert made.actor == 1
        made.act(answer)
    while not made.hand_over:
        step(made)
    recording.add_hand(made.record)
    assert replay_sichuan(recording.game()).mismatches == []


@pytest.mark.parametrize("exchange", [Exchange.OFF, Exchange.DICE])
def test_games_of_several_hands_replay_and_the_next_game_begins_anew(exchange: Exchange) -> None:
    rules = dataclasses.replace(PRESETS["sichuan"], hands=3, exchange=exchange)
    recording = SichuanRecording(rules, ["a", "b", "c", "d"])
    first, second = (recorded(Table(rules, seed), recording) for seed in (1, 2))
    assert (len(first.hands), len(second.hands)) == (3, 3)
    assert first.hands[0] != second.hands[0]
    for game in (first, second):
        assert read_sichuan(write_sichuan(game)) == [game]
        done = replay_sichuan(game)
        assert (done.hands, done.walls, done.mismatches) == (3, 3, [])


@pytest.mark.parametrize("dealer", range(4))
def test_every_seat_can_be_the_dealer(dealer: int) -> None:
    game = with_hand(play_random_game("sichuan", 1), dealer=dealer)
    assert read_sichuan(write_sichuan(game)) == [game]


def test_a_game_without_hands_lacks_its_first() -> None:
    (mismatch,) = replay_sichuan(SichuanGame(PRESETS["sichuan"], ["a", "b", "c", "d"])).mismatches
    assert (mismatch.hand, mismatch.event, mismatch.what) == (1, None, "hands")


@pytest.mark.parametrize(
    ("line", "words"),
    [("", "empty"), ("[]", "not an object"), ("{", "not valid JSON"), ('{"dealer": 0}', "must begin with a line")],
)
def test_a_damaged_header_is_named_in_one_line(line: str, words: str) -> None:
    with pytest.raises(RecordError, match=words):
        read_sichuan(line)


def test_matches_write_records_that_replay(tmp_path: Path) -> None:
    with GameWriter(tmp_path, "mjlog") as writer:
        play_match([RandomAgent()] * 4, PRESETS["sichuan"], walls=2, on_game=writer.write)
    files = sorted(tmp_path.iterdir())
    assert len(files) == 8
    tally = verify([tmp_path])[str(tmp_path)]
    assert (tally.games, tally.hands, tally.mismatches, tally.damaged) == (8, 8, [], [])


def test_the_command_replays_and_reports_differences(tmp_path: Path) -> None:
    from janshi.cli import app

    path = tmp_path / "game.jsonl"
    path.write_text(write_sichuan(paid_game()))
    assert CliRunner().invoke(app, ["replay", str(path)]).exit_code == 0
    game = paid_game()
    path.write_text(write_sichuan(with_hand(game, end=(9, 9, 9, 9))))
    assert CliRunner().invoke(app, ["replay", str(path)]).exit_code == 1
    path.write_text('{"format": "janshi-sichuan", "version": 7}')
    result = CliRunner().invoke(app, ["replay", str(path)])
    assert result.exit_code == 1
    assert "damaged" in result.output


def test_several_games_in_a_file_are_distinguished() -> None:
    text = "".join(write_sichuan(play_random_game("sichuan", seed)) for seed in (1, 2))
    games = read_sichuan(text, "file")
    assert [game.source for game in games] == ["file", "file#2"]
    assert all(isinstance(game.hands[0], SichuanHandRecord) for game in games)


def test_empty_lines_between_games_are_skipped() -> None:
    games = [play_random_game("sichuan", seed) for seed in (1, 2)]
    text = "\n".join(map(write_sichuan, games))
    assert [len(game.hands) for game in read_sichuan(text)] == [len(game.hands) for game in games]


def test_a_random_game_has_all_its_hands() -> None:
    game = play_random_game(dataclasses.replace(PRESETS["sichuan"], hands=3), 1)
    assert len({tuple(hand.wall) for hand in game.hands}) == 3


def test_a_record_may_begin_with_a_later_hand() -> None:
    game = play_random_game(dataclasses.replace(PRESETS["sichuan"], hands=3), seed=4)
    rest = dataclasses.replace(game, hands=game.hands[1:], hands_before=1)
    assert read_sichuan(write_sichuan(rest)) == [rest]
    assert replay_sichuan(rest).mismatches == []
    (wrong,) = replay_sichuan(dataclasses.replace(rest, hands_before=0)).mismatches
    assert wrong.what in ("dealer", "points", "end of the game")
    for before in (3, -1, "1"):
        text = write_sichuan(rest).replace('"hands_before": 1', f'"hands_before": {before!r}'.replace("'", '"'))
        with pytest.raises(RecordError, match="hands_before"):
            read_sichuan(text)
