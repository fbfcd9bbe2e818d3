"""Records of Riichi City: generated games, and real records."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import Any

import pytest
from made_games import play
from riichi_city_records import write_riichi_city
from tests.cases import few_or_many

from janshi.riichi.records import RecordError, RiichiGame, difference, read_bytes
from janshi.riichi.records.live import Story
from janshi.riichi.records.model import Drawn, Ending
from janshi.riichi.records.replay import Replayer
from janshi.riichi.rules import RIICHI_CITY, KanDora, Length

Record = dict[str, Any]


@lru_cache(maxsize=8)
def played(rules: str = "riichi-city", seed: int = 1, player: str = "mixed") -> tuple[Story, RiichiGame]:
    """Return a game of the engine, with its story."""
    story = play(rules, seed, player)
    return story, story.game("made here")


def record(rules: str = "riichi-city", seed: int = 1, first: int = 0) -> Record:
    """Return a fresh record of a game."""
    story, game = played(rules, seed)
    return copy.deepcopy(write_riichi_city(game, first, story.walls))


def read(value: Any) -> list[Any]:
    """Return what the bytes of a record contain, as a command reads them."""
    return list(read_bytes(json.dumps(value).encode(), "a.json"))


def change(value: Record, hand: int, event: int, **changes: Any) -> None:
    """Change the content of an event of a hand (both from 1)."""
    entry = value["data"]["handRecord"][hand - 1]["handEventRecord"][event - 1]
    entry["data"] = json.dumps(json.loads(entry["data"]) | changes)


GAMES = (("riichi-city", "mixed"), ("riichi-city-sanma", "mixed"), ("riichi-city-east", "random"))


@few_or_many("seeds", range(1), range(1, 11))
def test_a_record_is_the_game_it_was_written_from(seeds: range) -> None:
    for seed, (rules, player) in product(seeds, GAMES):
        story, game = played(rules, seed, player)
        (back,) = read(write_riichi_city(game, seed % game.players, story.walls))
        assert difference(game, back) is None
        assert (back.names, back.rules, back.format) == (game.names, game.rules, "riichi-city")
        replayed = Replayer().replay(back)
        assert (replayed.mismatches, replayed.walls) == ([], len(game.hands))


def test_the_envelope_may_be_absent_and_events_may_be_objects() -> None:
    value = record()["data"]
    for hand in value["handRecord"]:
        for event in hand["handEventRecord"]:
            event["data"] = json.loads(event["data"])
    (game,) = read(value)
    assert difference(played()[1], game) is None
    assert [len(each.hands) for each in read([record(), value])] == [len(game.hands)] * 2


def test_a_cut_game_is_no_mismatch() -> None:
    value = record()
    value["data"]["handRecord"] = value["data"]["handRecord"][:2]
    (game,) = read(value)
    assert (len(game.hands), game.final_scores) == (2, None)
    assert game.notes == {"the record ends before the game does": 1}
    assert Replayer().replay(game).mismatches == []


def test_a_hand_that_players_break_off_ends_the_game() -> None:
    value = record()
    hands = value["data"]["handRecord"] = value["data"]["handRecord"][:2]
    del hands[1]["handEventRecord"][9:]
    end = {"end_type": 8, "win_info": [], "user_profit": []}
    hands[1]["handEventRecord"].append({"eventType": 5, "userId": 0, "data": json.dumps(end)})
    (game,) = read(value)
    assert len(game.hands) == 1
    assert Replayer().replay(game).mismatches == []


def test_an_unknown_yaku_does_not_make_the_record_unreadable() -> None:
    value = record(seed=2)
    wins = 0
    for hand in value["data"]["handRecord"]:
        for event in hand["handEventRecord"]:
            data = json.loads(event["data"])
            for win in (data.get("win_info") or ()) if event["eventType"] == 5 else ():
                if win.get("fang_info"):
                    win["fang_info"][0]["fang_type"] = 52
                    wins += 1
            event["data"] = json.dumps(data)
    (game,) = read(value)
    assert game.ignored == {"unknown yaku": wins}
    assert Replayer().replay(game).mismatches == []


def test_the_time_of_kan_dora_is_that_of_the_record() -> None:
    rules = replace(RIICHI_CITY, name="riichi-city-room", kan_dora=KanDora.AT_ONCE)
    for seed in range(20):
        story = play(rules, seed, "random", hands=2)
        game = story.game("made here")
        (back,) = read(write_riichi_city(game, 0, story.walls))
        if back.rules.kan_dora == KanDora.AT_ONCE:
            assert back.rules == rules
            assert Replayer().replay(back).mismatches == []
            return
    raise AssertionError("no open kan in twenty games")


def test_uma_and_oka_are_those_of_the_results() -> None:
    value = record()
    _, game = played()
    order = sorted(range(4), key=lambda seat: (-game.final_scores[seat], seat))
    events = value["data"]["handRecord"][-1]["handEventRecord"]
    ends = json.loads(events[-1]["data"])
    for each in ends["user_data"]:
        place = order.index(each["user_id"] - 900)
        each["score"] = (each["point_num"] - 30_000 + (35_000, 5_000, -5_000, -15_000)[place]) // 100
    events[-1]["data"] = json.dumps(ends)
    (back,) = read(value)
    assert (back.rules.uma, back.rules.oka) == ((15_000, 5_000, -5_000, -15_000), 20_000)
    assert back.rules.length == Length.EAST_SOUTH


def test_nagashi_mangan_is_no_win() -> None:
    for seed in range(60):
        story, game = play("riichi-city-hand", seed, "random"), None
        game = story.game("made here")
        outcome = game.hands[0].outcome
        if isinstance(outcome, Drawn) and outcome.reason == Ending.EXHAUSTIVE:
            break
    value = write_riichi_city(game)
    events = value["data"]["handRecord"][0]["handEventRecord"]
    place = next(at for at, event in enumerate(events, start=1) if event["eventType"] == 5)
    profits = [{"user_id": 900 + seat, "point_profit": paid} for seat, paid in enumerate((12_000, -4000, -4000, -4000))]
    wins = [{"user_id": 900, "fang_info": [{"fang_type": 30, "fang_num": 5}], "all_point": 12_000}]
    change(value, 1, place, win_info=wins, user_profit=profits)
    (back,) = read(value)
    assert (back.hands[0].outcome.reason, back.hands[0].outcome.deltas[0]) == (Ending.NAGASHI_MANGAN, 12_000)


def test_an_answer_of_the_site_without_a_record_is_named() -> None:
    with pytest.raises(RecordError, match="an error of Riichi City in place of a record: no \"handRecord\" there"):
        read({"code": 155, "data": None, "message": 'no "handRecord" there', "handRecord": 0})
    with pytest.raises(RecordError, match="not a record of Riichi City"):
        read({"data": {"handRecord": 3}})
