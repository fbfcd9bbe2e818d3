"""Reviews of whole games of Sichuan mahjong: decisions, events, and costs in points."""

from __future__ import annotations

import dataclasses

import pytest

from janshi.agents import agent
from janshi.cluster import workers
from janshi.review import ReviewError, read_game, review_game
from janshi.review.losses import measure_losses
from janshi.review.what_if import sampled_table, what_if
from janshi.review.words import why_words
from janshi.sichuan.records.jsonl import SichuanGame, SichuanRecording, write_sichuan
from janshi.sichuan.review.game import moment_words
from janshi.table import Table


def game_of(rules: str, seed: int, players: tuple[str, ...] = ("heuristic", "efficient") * 2) -> SichuanGame:
    """Return the record of a game of some players."""
    table = Table(rules, seed)
    recording = SichuanRecording(table.rules, ["a", "b", "c", "d"], source="game.jsonl")
    seats = [agent(name) for name in players]
    while True:
        while not table.hand_over:
            table.act(int(seats[table.actor].act(table.decision())[0]))
        recording.add_hand(table.record)
        if table.over:
            return recording.game()
        table.next_hand()


@pytest.fixture(scope="module")
def game() -> SichuanGame:
    return game_of("sichuan-exchange", 5)


def test_every_decision_of_the_seat_is_reviewed_at_its_event(game: SichuanGame) -> None:
    review = review_game(game, 2, agent("sichuan"))
    assert review.unit == "points"
    assert review.plays_on
    assert review.notes == []
    assert [event["type"] for event in review.events[:2]] == ["start_game", "start_kyoku"]
    assert review.events[-1]["type"] == "end_game"
    for decision in review.decisions:
        done = decision.option(decision.done)
        following = review.events[decision.event]
        if done.name == "discard":
            assert (following["type"], following["actor"], following["pai"]) == ("dahai", 2, done.tile)
        elif done.name in ("pon", "daiminkan", "ankan", "kakan"):
            assert (following["type"], following["actor"]) == (done.name, 2)
        elif done.name == "win":
            assert following["type"] == "win"
        assert decision.advice.best in [option.action for option in decision.options]


def test_costs_are_points_and_certain_losses_are_moments(game: SichuanGame) -> None:
    review = review_game(game, 0, agent("sichuan"))
    with workers(processes=1) as team:
        measured = measure_losses(review, game, team, samples=256)
        again = measure_losses(review, game, team, samples=256)
    assert measured == again
    losses = [each.loss for each in measured.decisions if each.loss is not None]
    assert losses
    for loss in losses:
        assert loss.low <= loss.lost <= loss.high
    assert measured.report.losses is not None
    assert measured.report.losses.worse == len(measured.report.moments)
    for number in measured.report.moments:
        words = moment_words(measured, measured.decisions[number])
        assert words[0].startswith("hand 1, turn ")
        assert "points worse" in words[0]


@pytest.mark.parametrize("rules", ["sichuan", "sichuan-novikov"])
def test_void_suits_have_figures_as_reasons(rules: str) -> None:
    review = review_game(game_of(rules, 5), 0, agent("sichuan"))
    first = review.decisions[0]
    for option in first.options:
        suit = option.name[-1] if option.tile is None else option.tile[-1]
        (void,) = [void for void in first.advice.voids if void.suit == suit]
        words = why_words(first, option.action)
        assert words.startswith(f"{void.tiles} tile")
        assert words.endswith("tenpai" if void.shanten == 0 else f", {void.shanten}-shanten")


def test_decisions_before_play_are_played_on(game: SichuanGame) -> None:
    review = review_game(game, 0, agent("sichuan"))
    for name in ("give", "void_m"):
        decision = next(each for each in review.decisions if each.options[0].name == name)
        actions = [option.action for option in decision.options][:2]
        *_, last = what_if(game, 0, decision.number, actions, samples=64)
        assert [option.action for option in last.options] == actions
        assert sampled_table(game, 0, decision.number)["actor"].tolist() == [0]


def test_other_choices_before_play_have_losses(game: SichuanGame) -> None:
    review = review_game(game, 0, agent("sichuan"))
    first = review.decisions[0]
    other = dataclasses.replace(first, done=first.options[-1].action, agrees=False, cost=1.0)
    with workers() as team:
        measured = measure_losses(dataclasses.replace(review, decisions=[other]), game, team, samples=32)
    assert measured.decisions[0].loss is not None


def test_a_decision_is_played_on_with_each_option(game: SichuanGame) -> None:
    review = review_game(game, 1, agent("sichuan"))
    decision = next(each for each in review.decisions if {option.name for option in each.options} == {"discard"})
    actions = sorted({option.action for option in decision.options})[:2]
    *_, last = what_if(game, 1, decision.number, actions, samples=64)
    assert [option.action for option in last.options] == actions
    assert all(option.place is None for option in last.options)
    assert min(option.behind.value for option in last.options) == 0


def test_a_record_is_read_reviewed_and_its_end_noted_if_it_contradicts_the_rules(game: SichuanGame, tmp_path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text(write_sichuan(game))
    assert review_game(read_game(path), 3, agent("sichuan")).decisions
    with pytest.raises(ReviewError, match="holds 1 game, there is no game 2"):
        read_game(path, 2)
    hand = game.hands[0]
    broken = dataclasses.replace(hand, end=(1, 2, 3, 4))
    review = review_game(dataclasses.replace(game, hands=[broken]), 0, agent("sichuan"))
    assert review.notes == [
        f"the game is not reviewed from hand 1 on, it cannot be replayed: points: by the rules {hand.end}, "
        "in the record (1, 2, 3, 4)"
    ]
    with pytest.raises(ReviewError, match="in the record none"):
        review_game(dataclasses.replace(game, hands=[]), 0, agent("sichuan"))


@pytest.mark.long
def test_listed_choices_are_worse_for_other_players_too() -> None:
    from janshi.rollout.playouts import PlayoutPlan, playouts
    from janshi.sichuan.review.game import positions_of

    worse = total = 0
    with workers(processes=2) as team:
        for seed in range(40):
            game = game_of("sichuan-exchange", 100 + seed)
            review = measure_losses(review_game(game, seed % 4, agent("sichuan")), game, team)
            batches = positions_of(game, seed % 4)
            for number in review.report.moments:
                decision = review.decisions[number]
                options = [decision.done, decision.advice.best]
                plan = PlayoutPlan(level=0)
                result = playouts(batches[number], options, players="efficient", samples=2000, plan=plan)
                done, best = result.options
                worse += done.points.value < best.points.value
                total += 1
    print(f"{worse} of {total} listed choices are worse by efficient")
    assert total >= 30
    assert worse >= 0.9 * total
