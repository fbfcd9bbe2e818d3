"""Style of players: deal-ins by state, folds, rounds and last hands."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from janshi.agents import RandomAgent
from janshi.arena import Hands, compare, play_match, style, style_of
from janshi.cli import app
from janshi.games import rules_of
from janshi.riichi.agents import EfficientAgent
from janshi.riichi.records.mjai import write_mjai
from janshi.riichi.rules import preset


def hands_of(rows: list[dict]) -> Hands:
    """Return hands of three players on one wall; by default seat 0 deals in to seat 1."""
    count = len(rows)
    none = np.zeros((count, 3), np.bool_)
    habits = {name: np.array([row.get(name, [0, 0, 0]) for row in rows], np.bool_) for name in ("riichi", "called")}
    return Hands(
        wall=np.zeros(count, np.int64),
        rotation=np.zeros(count, np.int8),
        number=np.array([row["number"] for row in rows], np.int16),
        dealer=np.array([row["dealer"] for row in rows], np.int8),
        ended=np.zeros(count, np.int8),
        drawn=np.zeros(count, np.bool_),
        change=np.array([row.get("change", [-1000, 1000, 0]) for row in rows], np.int32),
        won=none | np.array([False, True, False]),
        self_drawn=none,
        dealt_in=none | np.array([True, False, False]),
        value=np.full((count, 3), 1000, np.int32),
        habits=habits,
    )


def test_deal_ins_are_counted_by_the_own_hand_and_the_riichi_of_others():
    hands = hands_of(
        [
            {"number": 0, "dealer": 0, "riichi": [1, 0, 0]},
            {"number": 1, "dealer": 1, "riichi": [1, 1, 0]},
            {"number": 2, "dealer": 2, "called": [1, 0, 0], "riichi": [0, 0, 1]},
            {"number": 3, "dealer": 0},
        ]
    )
    row = style_of(hands, 35_000, {"a": [0]}, games=True).all[0]
    assert row.deal_in.value == 1
    assert {name: rate.value for name, rate in row.deal_ins.items() if rate.value} == {
        "riichi otherwise": 0.25,
        "riichi against riichi": 0.25,
        "open against riichi": 0.25,
        "closed otherwise": 0.25,
    }


def test_rounds_follow_the_deal_and_last_hands_the_points_before_them():
    game = [
        {"number": 0, "dealer": 0, "change": [-3000, 3000, 0]},
        {"number": 1, "dealer": 0, "change": [9000, -9000, 0]},
        {"number": 2, "dealer": 1},
        {"number": 3, "dealer": 2},
        {"number": 4, "dealer": 0},
    ]
    found = style_of(hands_of(game + game[:2]), 35_000, {"a": [0], "b": [1]}, games=True)
    assert [(row.player, row.group, row.hands) for row in found.rounds] == [
        ("a", "East", 6),
        ("a", "South", 1),
        ("b", "East", 6),
        ("b", "South", 1),
    ]
    # Before the last hand, a leads and b is third in the first game, and vice versa in the second.
    assert [(row.player, row.group, row.hands) for row in found.last_hands] == [
        ("a", "1st", 1),
        ("a", "2nd", 0),
        ("a", "3rd", 1),
        ("b", "1st", 1),
        ("b", "2nd", 0),
        ("b", "3rd", 1),
    ]


@pytest.mark.parametrize("rules", ["tenhou-sanma-east", "tenhou-east"])
def test_folds_are_those_of_the_records(rules):
    """A fold: the last discard is safe against every riichi, and the hand is neither won nor tenpai at the end."""
    games = []
    players = preset(rules).players
    match = play_match([EfficientAgent()] * players, preset(rules), 4, seed=2, on_game=games.append)
    hands = match.hands
    logs = [log for game in sorted(games, key=lambda game: game.source) for log in hands_in(game)]
    assert len(logs) == len(hands)
    safe = np.array([last_safe(log, players) for log in logs])
    fold = hands.habits["fold"]
    assert fold.any()
    assert not (fold & ~safe).any()
    assert not (fold & hands.won).any()
    assert not (fold & hands.riichi).any()
    # Seats with a safe discard that did not fold have won or are tenpai: in riichi, or paid as tenpai at a draw.
    ends_in_draw = hands.drawn & (hands.change > 0).any(axis=1)
    noten = ends_in_draw[:, None] & (hands.change < 0) & ~hands.riichi
    assert (fold | ~safe)[noten].all()


def hands_in(game) -> list[list[dict]]:
    logs: list[list[dict]] = []
    for event in write_mjai(game):
        if event["type"] == "start_kyoku":
            logs.append([])
        if logs:
            logs[-1].append(event)
    return logs


def last_safe(log: list[dict], players: int) -> list[bool]:
    """Return from the events whether no seat in riichi could win on each seat's last discard against a riichi."""
    river: list[set] = [set() for _ in range(players)]
    passed: dict[int, set] = {}
    safe = [False] * players
    for event in log:
        tile = event.get("pai", "").rstrip("r")
        if event["type"] == "reach":
            passed[event["actor"]] = set()
        elif event["type"] in ("dahai", "kakan", "kita", "nukidora"):
            tile = tile or "N"
            actor = event["actor"]
            threats = [seat for seat in passed if seat != actor]
            if threats and event["type"] == "dahai":
                safe[actor] = all(tile in river[seat] | passed[seat] for seat in threats)
            for seat in threats:
                passed[seat].add(tile)
            if event["type"] == "dahai":
                river[actor].add(tile)
    return safe


def test_a_game_without_riichi_has_no_deal_ins_by_state():
    match = play_match([RandomAgent()] * 4, rules_of("sichuan"), 6, seed=1)
    found = style(match)
    assert all(row.deal_ins == {} for row in found.seats)
    assert found.rounds == found.last_hands == ()


def test_compare_has_the_style_of_both_players():
    found = compare(EfficientAgent(), RandomAgent(), preset("tenhou-sanma-east"), 6)
    first, second = found.style.all
    assert (first.player, second.player) == ("efficient", "random")
    assert second.hands == 2 * first.hands
    assert first.win.value > second.win.value
    json.dumps(found.as_json())
    met = compare(EfficientAgent(), RandomAgent(), preset("tenhou-sanma-east"), 6, others=EfficientAgent())
    assert [row.player for row in met.style.all][1:] == ["efficient (A) vs efficient (X)", "random vs efficient (X)"]


def test_arena_prints_the_style():
    command = ["arena", "efficient", "random", "random", "--rules", "tenhou-sanma-east", "--games", "6"]
    printed = CliRunner(env={"COLUMNS": "140"}).invoke(app, command).stdout
    for words in ("fold", "open against", "By round", "The last hand by the place before it"):
        assert words in printed
    assert "nan" not in printed
    told = json.loads(CliRunner().invoke(app, [*command, "--json"]).stdout)
    assert {row["round"] for row in told["rounds"]} >= {"East"}
    assert sum(row["hands"] for row in told["last_hands"] if row["player"] == "efficient") == 18
    assert {row["place"] for row in told["last_hands"]} == {"1st", "2nd", "3rd"}
    assert {"fold", "call", "riichi", "deal_ins"} <= told["hands"][0].keys()
