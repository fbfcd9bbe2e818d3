"""Measured losses: playouts of different choices, signs, reasons, words, and the summary."""

import dataclasses
from typing import get_args

import numpy as np
import pytest

from janshi.agents import AgentError, agent
from janshi.cluster import workers
from janshi.review import read_game, review_game
from janshi.review.losses import measure_losses, with_losses
from janshi.review.model import Loss, Mistakes, Reason, Review
from janshi.review.words import loss_words
from janshi.riichi.actions import Action
from janshi.riichi.positions import hands_of_game
from janshi.riichi.review.people import people_of
from janshi.riichi.review.words import moment_words
from janshi.riichi.rules import preset
from janshi.rollout.playouts import PlayoutPlan, Playouts, playouts_in_turn
from janshi.sample import SAMPLE
from janshi.say.losses import mistake_of
from janshi.say.names import ACTION_NAMES, MISTAKES, REASONS, ActionName, MistakeKind, ReasonKind

EFFICIENT = agent("efficient")


@pytest.fixture(scope="module")
def review() -> Review:
    return review_game(read_game(SAMPLE, 1), 0, EFFICIENT)


def loss(
    places: float, certain: bool = True, reasons: tuple[Reason, ...] = (), kind: MistakeKind | None = None
) -> Loss:
    return Loss(places, places - 0.02, places + 0.02, certain, 128, list(reasons), kind)


@pytest.fixture(scope="module")
def by_sl() -> Review:
    pytest.importorskip("onnxruntime")
    whole = review_game(read_game(SAMPLE, 1), 0, agent("sl"))
    # Without later decisions, in which two other seats are in riichi: their hands take long to sample.
    return dataclasses.replace(whole, decisions=whole.decisions[:40])


def test_losses_are_measured_where_choices_differ(review: Review, by_sl: Review) -> None:
    game = read_game(SAMPLE, 1)
    with workers() as here:
        first = measure_losses(by_sl, game, here, samples=8, seed=3)
    measured = [each for each in first.decisions if each.loss is not None]
    assert 0 < len(measured) <= 20
    for each in measured:
        assert each.cost > 0
        assert each.loss is not None
        assert each.loss.low <= each.loss.lost <= each.loss.high
    assert first.report.losses is not None
    assert first.report.losses.measured == len(measured)
    with workers() as here:
        assert measure_losses(review, game, here).report.losses is not None, "nothing differs"


def test_losses_are_the_same_with_any_number_of_processes(by_sl: Review) -> None:
    measured = []
    for processes in (1, 2):
        with workers(processes=processes) as team:
            measured.append(measure_losses(by_sl, read_game(SAMPLE, 1), team, hands=500, seed=4))
    assert measured[0] == measured[1]


def test_a_review_plays_its_number_of_hands_and_measures_every_difference_first(by_sl: Review) -> None:
    counts: list[tuple[int, int]] = []
    with workers() as here:
        losses = [
            each.loss
            for each in measure_losses(
                by_sl, read_game(SAMPLE, 1), here, hands=500, seed=4, progress=lambda *now: counts.append(now)
            ).decisions
            if each.cost > 0
        ]
    assert len(losses) * 64 < 500
    samples = [loss.samples for loss in losses if loss is not None]
    assert len(samples) == len(losses), "the first batch of some was left out"
    assert min(samples) == 32
    played = 2 * sum(samples)
    assert 64 * len(losses) < played <= 500
    assert counts[0] == (64, 500)
    assert counts[-1] in {(played, 500), (played, played)}, "all hands, or every difference is decided"
    assert [done for done, _ in counts] == sorted(done for done, _ in counts)


def test_the_hands_that_are_left_are_those_of_unfinished_decisions(by_sl: Review) -> None:
    counts: list[tuple[int, int]] = []
    with workers() as here:
        measure_losses(by_sl, read_game(SAMPLE, 1), here, samples=32, progress=lambda *now: counts.append(now))
    differing = sum(each.cost > 0 for each in by_sl.decisions)
    assert counts == [(64 * number, counts[number - 1][1]) for number in range(1, differing + 1)]
    assert counts[-1] == (64 * differing, 64 * differing)


def test_a_game_without_playouts_is_left_as_it_is(review: Review) -> None:
    game = read_game(SAMPLE, 1)
    with workers() as here:
        other = dataclasses.replace(review, players=5)
        assert measure_losses(other, game, here) is other


def test_a_review_stays_as_it_is_without_the_player_of_playouts(
    review: Review, monkeypatch: pytest.MonkeyPatch
) -> None:
    def agent(name: str) -> None:
        raise AgentError(f"player {name!r} needs onnxruntime")

    monkeypatch.setattr("janshi.review.losses.agent", agent)
    with workers() as here:
        assert measure_losses(review, read_game(SAMPLE, 1), here) is review


def test_an_interruption_keeps_the_losses_so_far(by_sl: Review) -> None:
    def interrupt(done: int, total: int) -> None:
        if done == 32:
            raise KeyboardInterrupt

    with workers() as here:
        losses = measure_losses(by_sl, read_game(SAMPLE, 1), here, samples=8, progress=interrupt).report.losses
    assert losses is not None
    assert losses.measured == 2


def test_passing_a_win_by_self_draw_is_decided_at_once() -> None:
    hands, _ = hands_of_game(read_game(SAMPLE, 1))
    possible = [position for hand in hands for position in hand.positions if position.batch.legal[0, Action.TSUMO]]
    # Hands of two seats in riichi take long to sample.
    found = next(position for position in possible if (np.asarray(position.view)[0]["seats"]["riichi"] > 0).sum() < 2)
    asked: list[Playouts] = []

    def goes_on(result: Playouts) -> bool:
        asked.append(result)
        return not result.decided

    plan = PlayoutPlan(scale="place", level=0.01)
    options = (int(Action.TSUMOGIRI), int(Action.TSUMO))
    with workers() as here:
        position = [(found.batch, options)]
        results = list(
            playouts_in_turn(position, goes_on, players="efficient", hands=2048, processes=here, plan=plan)
        )
    assert [index for index, _ in results] == [0] * len(results)
    assert [result for _, result in results] == asked
    assert results[-1][1].decided
    assert results[-1][1].best.action == Action.TSUMO
    assert results[-1][1].samples < 1024


def test_moments_are_certainly_worse_choices_by_their_loss(review: Review) -> None:
    losses = {
        3: loss(0.05, kind="shape"),
        4: loss(0.2, kind="declaration"),
        5: loss(0.5, certain=False),
        6: loss(-0.1),
        7: loss(0.05, kind="shape"),
    }
    report = with_losses(review, losses).report
    assert report.moments == [4, 3, 7]
    assert report.losses is not None
    assert dataclasses.astuple(report.losses)[:4] == (5, 3, 1, 0.3)
    assert report.losses.kinds == [Mistakes("declaration", 1, 0.2), Mistakes("shape", 2, 0.1)]
    assert report.losses.people is None
    assert with_losses(review, losses).decisions[5].loss == losses[5]
    assert with_losses(review, {}).report.moments == []


def test_only_games_of_east_and_south_have_strong_peoples_losses() -> None:
    for players, name in ((3, "tenhou-sanma"), (4, "tenhou")):
        people = people_of(preset(name))
        assert people is not None
        assert set(people) <= set(get_args(MistakeKind))
        assert 0 < sum(people.values()) < 1, players
        assert people_of(preset(f"{name}-east")) is None


@pytest.mark.parametrize(
    ("names", "reason", "risk", "kind"),
    [
        ({"pass", "ron"}, "points", 0.0, "win"),
        ({"riichi", "discard"}, "value", 0.0, "declaration"),
        ({"pass", "pon"}, "win", 0.0, "call"),
        ({"kita", "discard"}, "win", 0.0, "call"),
        ({"give"}, "win", 0.0, "before_play"),
        ({"lay", "void_s"}, "deal_in", -0.1, "before_play"),
        ({"discard"}, "price", -0.1, "pushed"),
        ({"discard"}, "value", 0.1, "folded"),
        ({"discard"}, "win", 0.0, "shape"),
        ({"discard"}, "value", 0.0, "value"),
        ({"discard"}, "place", -0.1, "placement"),
    ],
)
def test_kinds_of_mistakes(names: set[ActionName], reason: ReasonKind, risk: float, kind: MistakeKind) -> None:
    done, best = (ACTION_NAMES.index(name) for name in (min(names), max(names)))
    assert MISTAKES[mistake_of(done, best, REASONS.index(reason), risk)] == kind


def test_moments_name_the_loss_and_its_reasons(review: Review) -> None:
    assert loss_words(loss(-0.1), "places") == "0.10 places better (−0.12 to −0.08)"
    measured = with_losses(review, {2: loss(0.1, reasons=(Reason("win", 0.2, 0.4), Reason("deal_in", 0.2, 0.1)))})
    first, why, *_ = moment_words(measured, measured.decisions[2])
    assert first.endswith("; 0.10 places worse (0.08 to 0.12)")
    assert why == "wins 20 % instead of 40 %, deals in 20 % instead of 10 %"
