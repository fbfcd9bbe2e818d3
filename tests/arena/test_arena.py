"""Matches: independence of batch and threads, shared walls, figures."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from typer.testing import CliRunner

from janshi.agents import Agent, RandomAgent
from janshi.arena import Hands, HandsRecorder, MatchConfig, as_json, final_ranks, game_rows, places, play_match, rows
from janshi.arena.parts import LineUp, MatchPart, play_parts
from janshi.arena.saved import SavedParts
from janshi.cli import app
from janshi.cluster import workers
from janshi.riichi.agents import EfficientAgent
from janshi.riichi.records.model import RiichiGame
from janshi.riichi.records.replay import Replayer
from janshi.riichi.rules import preset
from janshi.riichi.state import Ending
from janshi.rollout.driver import Driver, Seating
from janshi.statistics import LEAST_GROUPS, mean, rate
from janshi.table import Tables
from janshi.worth.scales import scale
from tests.commands import janshi

SANMA = preset("tenhou-sanma-hand")
AGENTS = {"efficient": EfficientAgent(), "random": RandomAgent()}


def players(*names: str):
    return [AGENTS[name] for name in names]


@pytest.fixture(scope="module")
def match():
    return play_match(players("efficient", "random", "random"), SANMA, 60, seed=4)


def test_batch_and_threads_do_not_matter(match):
    content = json.dumps(as_json(match))
    for tables, threads in ((3, 1), (50, 2)):
        config = MatchConfig(tables=tables, threads=threads)
        other = play_match(players("efficient", "random", "random"), SANMA, 60, seed=4, config=config)
        assert json.dumps(as_json(other)) == content


def test_seats_rotate_on_shared_walls(match):
    hands = match.hands
    assert len(hands.wall) == 180
    assert [(int(w), int(r)) for w, r in zip(hands.wall, hands.rotation, strict=True)] == [
        (wall, rotation) for wall in range(60) for rotation in range(3)
    ]
    # The same player in every seat on the same wall: all rotations are one hand.
    equal = play_match(players("efficient", "efficient", "efficient"), SANMA, 20, seed=4).hands
    change = equal.change.reshape(20, 3, 3)
    assert (change == change[:, :1]).all()


def test_points_are_kept_and_places_follow_from_them(match):
    hands = match.hands
    placed = places(hands)
    won = np.isin(hands.ended, (Ending.TSUMO, Ending.RON))
    assert (won == ~hands.drawn).all()
    assert (won == hands.won.any(axis=1)).all()
    assert (hands.self_drawn == hands.won & (hands.ended == Ending.TSUMO)[:, None]).all()
    assert (placed[~won] == 0).all()
    assert (placed[won].min(axis=1) == 1).all()
    assert (hands.change[won].argmax(axis=1) == hands.won[won].argmax(axis=1)).mean() > 0.99
    assert (hands.change.sum(axis=1) % 1000 == 0).all()


def test_equal_changes_share_the_better_place():
    zeros, flags = np.zeros(2, np.int64), np.zeros((2, 3), bool)
    change = np.array([[12_000, -6_000, -6_000], [1_000, -2_000, 1_000]])
    ended = np.array([Ending.TSUMO, Ending.EXHAUSTIVE])
    drawn = np.array([False, True])
    hands = Hands(zeros, zeros, zeros, zeros, ended, drawn, change, flags, flags, flags, change)
    assert places(hands).tolist() == [[1, 2, 2], [0, 0, 0]]


def test_rows_count_every_hand_once(match):
    table = rows(match)
    assert [row.player for row in table[::4]] == ["efficient", "random 1", "random 2"]
    for first in range(0, 12, 4):
        every, seats = table[first], table[first + 1 : first + 4]
        assert every.hands == sum(row.hands for row in seats) == 180
        total = sum(place.value for place in every.places) + every.draw.value
        assert total == pytest.approx(1)
        assert every.win.low < every.win.value < every.win.high or every.win.value == 0
        assert list(every.habits) == ["riichi", "called", "fold"]
        assert (every.riichi, every.call) == (every.habits["riichi"], every.habits["called"])
    assert table[0].win.value > 0.5 > 0.1 > table[4].win.value


def test_intervals():
    half = rate(np.array([True] * 50 + [False] * 50))
    assert (half.value, round(half.low, 4), round(half.high, 4)) == (0.5, 0.4038, 0.5962)
    for hits, number in ((0, 7), (3, 1000), (1000, 1000)):
        interval = stats.binomtest(hits, number).proportion_ci(0.95, method="wilson")
        estimate = rate(np.arange(number) < hits)
        assert (estimate.low, estimate.high) == (pytest.approx(interval.low), pytest.approx(interval.high))
    # Three equal rotations of a wall are one observation, not three.
    walls = np.repeat(np.arange(30), 3)
    values = np.repeat(np.random.default_rng(0).normal(size=30), 3)
    wide, narrow = mean(values, walls), mean(values, np.arange(90))
    assert wide.high - wide.low > 1.6 * (narrow.high - narrow.low)


def test_whole_games():
    match = play_match(players("efficient", "random", "random"), preset("tenhou-sanma-east"), 2, seed=1)
    assert match.final.shape == (6, 3)
    table = game_rows(match)
    assert sum(row.points.value for row in table) == pytest.approx(105_000)
    assert sum(row.rank.value for row in table) == pytest.approx(6)


def test_an_interruption_keeps_whole_walls():
    calls = []

    def stop(over: int) -> None:
        calls.append(over)
        if over > 6:
            raise KeyboardInterrupt

    match = play_match(players("random", "random", "random"), SANMA, 10, config=MatchConfig(tables=6), progress=stop)
    assert match.interrupted
    assert match.walls == 2
    assert len(match.hands.wall) == 6


def test_one_rotation_from_a_later_wall():
    agents = players("efficient", "random", "random")
    full = play_match(agents, SANMA, 6, seed=2).hands
    part = play_match(agents, SANMA, 2, seed=2, config=MatchConfig(first=4, rotations=1)).hands
    rows_of = (full.wall >= 4) & (full.rotation == 0)
    assert (part.change == full.change[rows_of]).all()
    for wrong in ({"first": -1}, {"rotations": 0}, {"tables": 0}, {"threads": 0}):
        with pytest.raises(ValueError, match="at least"):
            MatchConfig(**wrong)


def test_every_game_is_recorded_and_replays():
    games: list[RiichiGame] = []
    rules = preset("tenhou-sanma-east")
    match = play_match(players("efficient", "random", "random"), rules, 2, seed=1, on_game=games.append)
    assert sorted(game.source for game in games) == [
        f"tenhou-sanma-east-1-{wall}-{rotation}" for wall in range(2) for rotation in range(3)
    ]
    by_source = {game.source: game for game in games}
    assert by_source["tenhou-sanma-east-1-0-1"].names == ["random 2", "efficient", "random 1"]
    for row, (wall, rotation) in enumerate(zip(match.game_wall, match.game_rotation, strict=True)):
        game = by_source[f"tenhou-sanma-east-1-{wall}-{rotation}"]
        assert game.final_scores == match.final[row].tolist()
        assert len(game.hands) == ((match.hands.wall == wall) & (match.hands.rotation == rotation)).sum()
        assert not Replayer().replay(game).mismatches


def test_results_can_be_recorded_from_any_rollout():
    tables = Tables(SANMA, 5, 3, auto_reset=False)
    recorder = HandsRecorder(tables, np.arange(5), np.zeros(5, np.int8))
    Driver(tables, Seating.same(players("random", "random", "random"), 5), [recorder]).run()
    hands = recorder.hands()
    assert sorted(hands.wall) == [0, 1, 2, 3, 4]
    order = np.argsort(hands.wall)
    assert (hands.change[order] == tables.scores - SANMA.start).all()


def test_equal_points_rank_in_the_order_of_the_seats_at_the_end_of_a_game():
    assert final_ranks(np.array([[5, 9, 5, 9]])).tolist() == [[3, 1, 4, 2]]


@pytest.mark.parametrize("walls", [1, 2, LEAST_GROUPS - 1, LEAST_GROUPS])
def test_few_walls_have_no_intervals_and_a_note(walls: int) -> None:
    match = play_match([RandomAgent() for _ in range(4)], preset("tenhou-east"), walls, seed=3)
    content = as_json(match)
    few = walls < LEAST_GROUPS
    assert content["notes"] == ([f"{walls} walls: means have an interval from {LEAST_GROUPS} on"] if few else [])
    for row in content["games"]:
        for name in ("rank", "points"):
            assert ((row[name]["low"], row[name]["high"]) == (None, None)) is few
        assert 1 <= row["rank"]["value"] <= 4
        if not few:
            assert 1 <= row["rank"]["low"] <= row["rank"]["value"] <= row["rank"]["high"] <= 4
    json.dumps(content, allow_nan=False)


def test_single_hands_are_not_games() -> None:
    match = play_match([RandomAgent() for _ in range(3)], preset("tenhou-sanma-hand"), 6, seed=3)
    assert game_rows(match) == []
    assert as_json(match)["games"] == []
    assert len(as_json(match)["hands"]) == 12


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_an_interruption_before_the_first_wall_is_over_prints_no_figures(
    more: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(agent: RandomAgent, batch: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(RandomAgent, "act", interrupt)
    result = CliRunner().invoke(app, ["arena", "random", "random", "random", "--hands", "2", *more])
    assert (result.exit_code, result.stdout) == (130, "")
    assert result.stderr.endswith("interrupted before the first wall was over: there is nothing to show\n")


def test_mean_places_without_luck_have_the_mean_of_the_table() -> None:
    agents: list[Agent] = [EfficientAgent(), RandomAgent(), RandomAgent()]
    config = MatchConfig(luck=scale("place"))
    match = play_match(agents, preset("tenhou-sanma-east"), 4, config=config)
    found = game_rows(match)
    assert all(row.net is not None for row in found)
    assert sum(row.net.value for row in found if row.net is not None) == pytest.approx(6, abs=0.01)
    assert as_json(match)["luck"] == match.luck_model is not None


def test_a_killed_match_resumes(tmp_path: Path) -> None:
    rules = preset("tenhou-sanma-hand")
    part = MatchPart(LineUp.of(["efficient", "random", "random"], rules), seed=2)
    with workers() as team:
        whole = play_parts(team, 9, part)
        saved = SavedParts(tmp_path, part.described())
        play_parts(team, 4, part, saved=saved)
        counted: list[int] = []
        again = play_parts(team, 9, part, saved=SavedParts(tmp_path, part.described()), progress=counted.append)
    assert counted[0] > 12
    assert json.dumps(as_json(again)) == json.dumps(as_json(whole))


@pytest.mark.parametrize(("form", "is_cut"), [("mjlog", True), ("tenhou6", True), ("mjai", False)])
def test_the_records_of_single_hands_replay(form: str, is_cut: bool, tmp_path: Path) -> None:
    words = ["arena", "efficient", "random", "random", "--hands", "3", "--format", form, "--records", str(tmp_path)]
    janshi(*words)
    replayed = janshi("replay", tmp_path)
    assert ("the record ends before the game does (9)" in " ".join(replayed.output.split())) == is_cut
    counted = json.loads(CliRunner().invoke(app, ["replay", str(tmp_path), "--json"]).stdout)
    assert "goes on" not in json.dumps(counted)
