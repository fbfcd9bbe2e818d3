"""Reviews of whole games: places of decisions, statistics, and errors."""

import dataclasses
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from janshi.agents import Agent, AgentError, agent, best_reviewer
from janshi.arena import MatchConfig, play_match
from janshi.records.formats import write_games
from janshi.review import ReviewError, read_game, review_game
from janshi.review.model import Candidate, Decision, Preference
from janshi.review.reviewing import cost_of, report_of
from janshi.review.words import option_words, turn_of, why_words
from janshi.riichi.actions import Action
from janshi.riichi.positions import nth_game
from janshi.riichi.records import read_games, viewer_address
from janshi.riichi.records.model import RiichiGame
from janshi.riichi.review.game import folds, places_of
from janshi.riichi.review.luck import luck_of
from janshi.riichi.review.words import hand_words, moment_words
from janshi.riichi.rules import preset
from janshi.sample import SAMPLE
from janshi.tiles import from_mjai, kind_of, tile_text
from janshi.worth.scales import scale
from tests.cases import mostly_long
from tests.games.tiny import TinyRules
from tests.records.made_games import ARCHIVES

EFFICIENT = agent("efficient")


def made(rules: str, *players: Agent) -> RiichiGame:
    """Return a game of a match with given seats."""
    games: list[RiichiGame] = []
    play_match(players, preset(rules), 1, seed=2, on_game=lambda game, *_: games.append(game))
    return next(game for game in games if game.source.endswith("-0"))


@pytest.fixture(scope="module")
def three():
    """Return a game in which seat 1 plays at random."""
    return made("tenhou-sanma", EFFICIENT, agent("random"), EFFICIENT)


@pytest.fixture(scope="module")
def four():
    return made("tenhou", EFFICIENT, agent("random"), EFFICIENT, EFFICIENT)


@pytest.fixture(params=["three", "four"])
def game(request):
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="module")
def reviews(three, four):
    """Return the reviews of every seat of both games."""
    return [(game, [review_game(game, seat, EFFICIENT) for seat in range(game.players)]) for game in (three, four)]


def test_the_reviewers_own_play_is_rated_100_and_random_play_low(reviews):
    for _, (_, at_random, same, *_) in reviews:
        assert (same.report.rating, same.report.moments) == (100, [])
        assert same.report.total.agreed == same.report.total.decisions > 20
        assert at_random.report.rating < 60
        assert at_random.report.total.agreed < at_random.report.total.decisions / 2
        assert len(at_random.report.moments) == 10


def test_every_decision_has_its_event_and_phase(reviews):
    for game, of_game in reviews:
        for review in of_game:
            assert [one.number for one in review.decisions] == list(range(len(review.decisions)))
            for one in review.decisions:
                check_event(review, one)
                turn = turn_of(review, one)
                assert one.phase == ("opening" if turn <= 6 else "middle" if turn <= 12 else "end")
            own = [event for event in review.events if event.get("actor") == review.seat and event["type"] == "dahai"]
            discards = [one for one in review.decisions if one.option(one.done).name == "discard"]
            assert 0 < len(discards) <= len(own), "after riichi most discards are none"
            assert {one.hand for one in review.decisions} <= set(range(len(game.hands)))


def check_event(review, one: Decision):
    """Check that the action follows in the events, unless another claim had priority."""
    before = review.events[: one.event]
    assert sum(event["type"] == "start_kyoku" for event in before) == one.hand + 1
    assert before[-1]["type"] not in ("start_game", "end_kyoku", "hora", "ryukyoku")
    after = [
        event for event in review.events[one.event : one.event + 4] if event["type"] not in ("dora", "reach_accepted")
    ]
    option = one.option(one.done)
    if one.done in (Action.PASS, Action.RON):
        return
    if any(each.name == "pass" for each in one.options):
        if after[0]["type"] == option.name:
            assert (after[0]["actor"], after[0]["pai"]) == (review.seat, option.tile)
            assert sorted(after[0]["consumed"]) == sorted(option.tiles)
        return
    names = {"discard": "dahai", "riichi": "reach", "kita": "nukidora", "tsumo": "hora", "kyuushu_kyuuhai": "ryukyoku"}
    assert after[0]["type"] == names.get(option.name, option.name)
    if option.name != "kyuushu_kyuuhai":
        assert after[0]["actor"] == review.seat
    if option.name == "discard":
        assert (after[0]["pai"], after[0]["tsumogiri"]) == (option.tile, option.tsumogiri)


def test_statistics_of_a_review(reviews):
    for _, (_, review, *_) in reviews:
        check_counts(review)
        for one in review.decisions:
            assert hand_words(review, one.hand).split()[0] in ("East", "South", "West")
            for option in one.options:
                assert option_words(option)
                words = why_words(one, option.action)
                if option.name in ("discard", "chi", "pon", "daiminkan", "kita"):
                    assert "tenpai" in words or "-shanten" in words
        discards = [one for one in review.decisions if one.advice.candidates]
        first = discards[0].advice.candidates[0]
        assert f"{first.left} tile" in why_words(discards[0], first.actions[0])
        line, *reasons = moment_words(review, review.decisions[review.report.moments[0]])
        assert "efficient would do" in line
        assert reasons


def test_riichi_names_the_discards_that_leave_the_hand_tenpai(reviews):
    declared = 0
    for review in (review for _, each in reviews for review in each):
        for decision in review.decisions:
            if decision.option(decision.advice.best).name == "riichi":
                discards = [each.tile for each in decision.advice.candidates if each.shanten == 0]
                names = " or ".join(tile_text(kind_of(from_mjai(discard))) for discard in discards)
                assert f"would do riichi with {names} (" in moment_words(review, decision)[0]
                declared += 1
    assert declared


def check_counts(review):
    report, decisions = review.report, review.decisions
    assert report.total.decisions == len(decisions)
    for parts in (report.phases, report.names):
        assert sum(part.decisions for part in parts.values()) == len(decisions)
        assert sum(part.agreed for part in parts.values()) == report.total.agreed
    costs = [decisions[number].cost for number in report.moments]
    assert costs == sorted(costs, reverse=True)
    rest = [one.cost for one in decisions if one.number not in report.moments]
    assert not rest or max(rest) <= costs[-1]
    for one in decisions:
        assert 0 <= one.cost <= 1
        assert one.agrees <= (one.cost == 0)
        assert (one.done == one.advice.best) <= one.agrees
        assert {each.action for each in one.advice.preferences} <= {each.action for each in one.options}


def test_drawn_and_held_tiles_are_the_same_choice():
    same = []
    for number in range(1, 4):
        game = nth_game(SAMPLE, number)
        for seat in range(3):
            for one in review_game(game, seat, EFFICIENT).decisions:
                done, best = one.option(one.done), one.option(one.advice.best)
                if done.name == best.name == "discard":
                    assert one.agrees == (done.tile == best.tile)
                    same += [one] if one.done != one.advice.best and one.agrees else []
    assert all(one.cost == 0 for one in same)


def candidate(tile: str, action: int, shanten: int, **safety: str) -> Candidate:
    against = {seat.removeprefix("seat"): what for seat, what in safety.items()}
    return Candidate(tile, [action], shanten, [], 0, False, against)


def test_discards_that_fold_are_one_choice():
    advice = review_game(nth_game(SAMPLE, 1), 0, EFFICIENT).decisions[0].advice
    safe, other = candidate("1z", 27, 2, seat1="safe"), candidate("2z", 28, 1, seat1="safe")
    suji = candidate("1p", 9, 1, seat1="suji")
    half = candidate("3z", 29, 1, seat1="safe", seat2="open")
    facing = dataclasses.replace(advice, candidates=[other, suji, half, safe])
    assert set(folds(facing, 27)) == set(folds(facing, 28)) == {27, 28}
    assert folds(facing, 9) == folds(facing, 29) == (), "they fold to nobody, or to one of two"
    tenpai = dataclasses.replace(facing, candidates=[dataclasses.replace(suji, shanten=0), safe, other])
    assert folds(tenpai, 27) == ()
    calm = dataclasses.replace(facing, candidates=[candidate("1z", 27, 2)])
    assert folds(calm, 27) == (), "nobody is in riichi"
    assert folds(dataclasses.replace(facing, candidates=[]), 53) == ()


def test_folding_costs_the_reviewers_preference():
    advice = review_game(nth_game(SAMPLE, 1), 0, EFFICIENT).decisions[0].advice
    safe = [candidate("1z", 27, 2, seat1="safe"), candidate("2z", 28, 1, seat1="safe")]
    shares = [Preference(9, 0.5), Preference(27, 0.4), Preference(28, 0.1)]
    pushes = dataclasses.replace(advice, best=9, preferences=shares, candidates=[*safe, candidate("1p", 9, 1)])
    assert cost_of(pushes, folds(pushes, 28)) == 0, "as likely as not"
    assert cost_of(pushes, {28}) == 0.4
    surer = [Preference(9, 0.7), Preference(27, 0.2), Preference(28, 0.1)]
    pushes = dataclasses.replace(pushes, preferences=surer)
    assert cost_of(pushes, folds(pushes, 28)) == 0.4
    calm = [Preference(27, 0.9), Preference(28, 0.1)]
    assert cost_of(dataclasses.replace(pushes, best=27, preferences=calm), folds(pushes, 28)) == 0


def test_the_rating_falls_with_every_cost(game):
    decisions = list(review_game(game, 0, EFFICIENT).decisions)
    place = next(at for at, one in enumerate(decisions) if one.agrees)
    best = decisions[place].advice.preferences[0].share
    ratings = []
    for cost in (0.0, best / 2, best):
        decisions[place] = dataclasses.replace(decisions[place], cost=cost, agrees=cost == 0)
        ratings.append(report_of(decisions).rating)
    assert ratings == sorted(ratings, reverse=True)
    worst = [dataclasses.replace(one, cost=one.advice.preferences[0].share, agrees=False) for one in decisions]
    assert report_of(worst).rating == 0
    assert report_of([]).rating == 100


@pytest.mark.parametrize("form", ["mjlog", "tenhou6", "mjai", "link"])
def test_every_format_gives_the_same_review_of_games_and_of_single_hands(reviews, form, tmp_path):
    hand = made("tenhou-sanma-hand", EFFICIENT, agent("random"), EFFICIENT)
    played = [(game, of_game[1]) for game, of_game in reviews]
    if form != "link":  # which has no single hands
        played.append((hand, review_game(hand, 1, EFFICIENT)))
    for game, one in played:
        file = tmp_path / f"game.{'mjlog' if form == 'mjlog' else 'json'}"
        file.write_text(viewer_address(game) if form == "link" else write_games([game], form)[0])
        other = review_game(read_game(file), 1, EFFICIENT)
        assert [each.done for each in one.decisions] == [each.done for each in other.decisions]
        assert [each.event for each in one.decisions] == [each.event for each in other.decisions]
        assert one.report == other.report
        assert (other.source, other.notes) == (file.name, [])


def test_hands_that_cannot_be_replayed_are_named_and_left_out(three):
    broken = dataclasses.replace(three, hands=list(three.hands))
    at = next(at for at, hand in enumerate(broken.hands) if isinstance(hand.outcome, list) and at)
    hand = broken.hands[at]
    win = dataclasses.replace(hand.outcome[0], points=hand.outcome[0].points + 100)
    broken.hands[at] = dataclasses.replace(hand, outcome=[win])
    review = review_game(broken, 0, EFFICIENT)
    assert len(review.notes) == 1
    assert review.notes[0].startswith(f"hand {at + 1} (")
    assert "points: by the rules" in review.notes[0]
    assert at not in {one.hand for one in review.decisions}
    whole = review_game(three, 0, EFFICIENT)
    assert [one.event for one in review.decisions] == [one.event for one in whole.decisions if one.hand != at]


def test_a_hand_with_a_duplicate_tile_is_named(three):
    events = three.hands[0].events.copy()
    events[0, 2] = int(three.hands[0].deal[1, 0])
    broken = dataclasses.replace(three, hands=[dataclasses.replace(three.hands[0], events=events)])
    review = review_game(broken, 0, EFFICIENT)
    assert "hand 1 (East 1) is not reviewed" in review.notes[0]
    assert (review.decisions, review.report.total.decisions, review.report.rating) == ([], 0, 100)


def test_players_without_a_name_get_one_and_progress_ends_with_all_decisions(three):
    calls = []
    nameless = dataclasses.replace(three, names=["only one"])
    review = review_game(nameless, 2, EFFICIENT, progress=lambda done, total: calls.append((done, total)))
    assert review.names == ["only one", "P1", "P2"]
    assert calls[-1] == (len(review.decisions), len(review.decisions))


def test_records_that_cannot_be_reviewed_are_a_one_line_error(three, four, tmp_path):
    with pytest.raises(ReviewError, match="there is no seat 3: 3 players sit at 0 to 2"):
        review_game(three, 3, EFFICIENT)
    with pytest.raises(AgentError, match="'random' cannot review"):
        review_game(three, 0, agent("random"))
    with pytest.raises(ReviewError, match="games of tiny cannot be reviewed"):
        review_game(dataclasses.replace(four, rules=TinyRules()), 0, EFFICIENT)
    (tmp_path / "no.json").write_text("{}")
    with pytest.raises(ReviewError, match=r"no\.json"):
        read_game(tmp_path / "no.json")
    pytest.importorskip("onnxruntime")
    with pytest.raises(AgentError, match="'sl' is for three players"):
        review_game(four, 0, agent("sl"))


@pytest.mark.parametrize("archive", mostly_long(ARCHIVES, lambda archive: archive in ("sanma-2022", "four-2020")))
def test_real_records(records, archive):
    game = next(game for game in read_games([records / f"{archive}.zip"]) if isinstance(game, RiichiGame))
    by = best_reviewer(game.players)
    if by == "sl":
        pytest.importorskip("onnxruntime")
    for seat in (0, game.players - 1):
        review = review_game(game, seat, agent(by))
        assert len(review.decisions) > 10
        assert 30 < review.report.rating <= 100
        for one in review.decisions:
            check_event(review, one)


@pytest.mark.long
@pytest.mark.parametrize("archive", ARCHIVES)
def test_many_real_records(records, archive):
    games = (game for game in read_games([records / f"{archive}.zip"]) if isinstance(game, RiichiGame))
    for game in islice(games, 20):
        for seat in range(game.players):
            review = review_game(game, seat, EFFICIENT)
            for one in review.decisions:
                check_event(review, one)


def test_expected_places_add_up_and_end_with_the_final_places() -> None:
    game = read_game(SAMPLE, 1)
    places = review_game(game, 0, EFFICIENT).places
    assert len(places) == len(game.hands) + 1
    for row in places:
        assert sum(row) == pytest.approx(6, abs=0.01)
    assert places[-2][2] == max(places[-2]) > 2.5, "far behind in the last hand"
    assert places[-1] == [1, 2, 3]
    game.final_scores = None
    assert places_of(game) == places[:-1]


def test_single_hands_have_no_expected_places_and_no_luck() -> None:
    game = read_game(SAMPLE, 1)
    game.rules = preset("tenhou-sanma-hand")
    assert places_of(game) == luck_of(game) == []


def test_the_luck_of_all_seats_adds_up_to_nothing_and_explains_places(records: Path) -> None:
    read = (game for game in read_games([records / "sanma-2026.zip"]) if isinstance(game, RiichiGame))
    games = list(islice(read, 20))
    luck, change = [], []
    for game in games:
        by_hand, places = np.array(luck_of(game)), places_of(game)
        assert by_hand.shape == (len(game.hands), game.players)
        assert np.abs(by_hand.sum(axis=1)).max() < 0.01
        luck.append(by_hand.sum(axis=0))
        change.append(np.array(places[0]) - places[-1])
    # Seats that finish high had good luck: the correlation of 60 seats is 0.78.
    assert np.corrcoef(np.ravel(luck), np.ravel(change))[0, 1] > 0.6


def test_the_luck_of_a_recorded_game_is_that_estimated_while_it_was_played() -> None:
    games: list[RiichiGame] = []
    config = MatchConfig(rotations=1, luck=scale("place"))
    rules = preset("tenhou-sanma-east")
    match = play_match([EFFICIENT] * 3, rules, 1, seed=5, config=config, on_game=lambda game, *_: games.append(game))
    assert match.luck is not None
    assert np.sum(luck_of(games[0]), axis=0) == pytest.approx(match.luck[0], abs=0.01)
