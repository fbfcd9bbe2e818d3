"""Whole games reviewed: where every decision stands, what is counted, and what cannot be reviewed."""

import dataclasses
from itertools import islice

import pytest

from janshi.agents import Agent, AgentError
from janshi.arena import play_match
from janshi.records import read_games, viewer_address, write_mjai_text, write_mjlog, write_tenhou6_text
from janshi.records.convert import write_games
from janshi.records.model import Game
from janshi.records.sources import read_bytes
from janshi.registry import agent, best_reviewer
from janshi.review import ReviewError, report_of, review_game
from janshi.review.game import cost_of, folds
from janshi.review.model import Candidate, Decision, Preference
from janshi.review.words import hand_words, option_of, option_words, turn_of, why_words
from janshi.riichi.actions import Action
from janshi.riichi.rules import preset
from janshi.rollout.positions import nth_game
from janshi.sample import SAMPLE
from janshi.tiles import from_mjai, kind_of
from tests.records.made_games import ARCHIVES

EFFICIENT = agent("efficient")


def made(rules: str, *players: Agent) -> Game:
    """A game of a match in which the seats are as given."""
    games: list[Game] = []
    play_match(players, preset(rules), 1, seed=2, on_game=lambda game, *_: games.append(game))
    return next(game for game in games if game.source.endswith("-0"))


@pytest.fixture(scope="module")
def three():
    """A game in which seat 1 plays at random."""
    return made("tenhou-sanma", EFFICIENT, agent("random"), EFFICIENT)


@pytest.fixture(scope="module")
def four():
    return made("tenhou", EFFICIENT, agent("random"), EFFICIENT, EFFICIENT)


@pytest.fixture(params=["three", "four"])
def game(request):
    return request.getfixturevalue(request.param)


def test_who_does_what_the_reviewer_does_has_a_rating_of_100(game):
    review = review_game(game, 2, EFFICIENT)
    assert review.report.rating == 100
    assert review.report.total.agreed == review.report.total.decisions > 20
    assert review.report.moments == []


@pytest.mark.parametrize("name", ["mjlog", "tenhou6", "mjai"])
def test_a_single_hand_is_reviewed_from_every_format(name, tmp_path):
    played = made("tenhou-sanma-hand", EFFICIENT, agent("random"), EFFICIENT)
    several = {"tenhou6": write_tenhou6_text, "mjai": write_mjai_text}
    file = tmp_path / f"hand.{'mjlog' if name == 'mjlog' else 'json'}"
    file.write_text(write_mjlog(played) if name == "mjlog" else several[name]([played]))
    (again,) = read_games([file])
    review = review_game(again, 1, EFFICIENT)
    assert len(review.decisions) == len(review_game(played, 1, EFFICIENT).decisions) > 5
    assert review.notes == []
    assert review.source == file.name


def test_random_play_has_a_low_rating(game):
    review = review_game(game, 1, EFFICIENT).report
    assert review.rating < 60
    assert review.total.agreed < review.total.decisions / 2
    assert len(review.moments) == 10


def test_every_decision_stands_at_its_event(game):
    for seat in range(game.players):
        review = review_game(game, seat, EFFICIENT)
        assert [one.number for one in review.decisions] == list(range(len(review.decisions)))
        for one in review.decisions:
            check_event(review, one)


def check_event(review, one: Decision):
    """What was done follows in the events, unless another's claim came first."""
    before = review.events[: one.event]
    assert sum(event["type"] == "start_kyoku" for event in before) == one.hand + 1
    assert before[-1]["type"] not in ("start_game", "end_kyoku", "hora", "ryukyoku")
    after = [
        event for event in review.events[one.event : one.event + 4] if event["type"] not in ("dora", "reach_accepted")
    ]
    option = option_of(one, one.done)
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


def test_all_decisions_of_a_seat_are_there(game):
    review = review_game(game, 1, EFFICIENT)
    own = [event for event in review.events if event.get("actor") == 1 and event["type"] == "dahai"]
    discards = [one for one in review.decisions if option_of(one, one.done).name == "discard"]
    assert 0 < len(discards) <= len(own), "after riichi most discards are none"
    assert {one.hand for one in review.decisions} <= set(range(len(game.hands)))


def test_what_is_counted(game):
    review = review_game(game, 1, EFFICIENT)
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


def test_phases_go_by_rows_of_the_river(game):
    review = review_game(game, 0, EFFICIENT)
    for one in review.decisions:
        turn = turn_of(review, one)
        assert one.phase == ("opening" if turn <= 6 else "middle" if turn <= 12 else "end")


def test_the_same_tile_drawn_or_held_is_the_same_choice():
    same = []
    for number in range(1, 7):
        game = nth_game(SAMPLE, number)
        for seat in range(3):
            for one in review_game(game, seat, EFFICIENT).decisions:
                done, best = option_of(one, one.done), option_of(one, one.advice.best)
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


def test_folding_costs_what_the_reviewer_would_rather_do():
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
def test_every_format_gives_the_same_review(game, form):
    text = viewer_address(game) if form == "link" else write_games([game], form)[0]
    (again,) = read_bytes(text.encode(), "made")
    one, other = review_game(game, 1, EFFICIENT), review_game(again, 1, EFFICIENT)
    assert [each.done for each in one.decisions] == [each.done for each in other.decisions]
    assert [each.event for each in one.decisions] == [each.event for each in other.decisions]
    assert one.report == other.report


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


def test_a_hand_in_which_a_tile_lies_in_two_places_is_named(three):
    events = three.hands[0].events.copy()
    events[0, 2] = int(three.hands[0].deal[1, 0])
    broken = dataclasses.replace(three, hands=[dataclasses.replace(three.hands[0], events=events)])
    review = review_game(broken, 0, EFFICIENT)
    assert "hand 1 (East 1) is not reviewed" in review.notes[0]
    assert (review.decisions, review.report.total.decisions, review.report.rating) == ([], 0, 100)


def test_players_without_a_name_get_one(three):
    review = review_game(dataclasses.replace(three, names=["only one"]), 2, EFFICIENT)
    assert review.names == ["only one", "P1", "P2"]


def test_seats_and_reviewers_that_there_are_not(three):
    with pytest.raises(ReviewError, match="there is no seat 3: 3 players sit at 0 to 2"):
        review_game(three, 3, EFFICIENT)
    with pytest.raises(AgentError, match="'random' cannot review"):
        review_game(three, 0, agent("random"))


def test_a_player_of_sanma_does_not_review_four(four):
    pytest.importorskip("onnxruntime")
    with pytest.raises(AgentError, match="'sl' is for three players"):
        review_game(four, 0, agent("sl"))


def test_progress_ends_with_all_decisions(three):
    calls = []
    review = review_game(three, 0, EFFICIENT, progress=lambda done, total: calls.append((done, total)))
    assert calls[-1] == (len(review.decisions), len(review.decisions))


def test_words_of_a_moment(game):
    review = review_game(game, 1, EFFICIENT)
    for one in review.decisions:
        assert hand_words(review, one.hand).split()[0] in ("East", "South", "West")
        for option in one.options:
            assert option_words(option)
            words = why_words(one, option.action)
            if option.name in ("discard", "chi", "pon", "daiminkan", "kita"):
                assert "tenpai" in words or "-shanten" in words
    discards = [one for one in review.decisions if one.advice.candidates]
    first = discards[0].advice.candidates[0]
    words = why_words(discards[0], first.actions[0])
    assert f"{first.left} tile" in words
    assert kind_of(from_mjai(first.tile)) < 34


@pytest.mark.parametrize("archive", ARCHIVES)
def test_real_records(records, archive):
    game = next(game for game in read_games([records / f"{archive}.zip"]) if isinstance(game, Game))
    by = best_reviewer(game.players)
    if by == "sl":
        pytest.importorskip("onnxruntime")
    for seat in range(game.players):
        review = review_game(game, seat, agent(by))
        assert len(review.decisions) > 10
        assert 30 < review.report.rating <= 100
        for one in review.decisions:
            check_event(review, one)


@pytest.mark.long
@pytest.mark.parametrize("archive", ARCHIVES)
def test_many_real_records(records, archive):
    games = (game for game in read_games([records / f"{archive}.zip"]) if isinstance(game, Game))
    for game in islice(games, 20):
        for seat in range(game.players):
            review = review_game(game, seat, EFFICIENT)
            for one in review.decisions:
                check_event(review, one)
