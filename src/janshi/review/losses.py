"""The cost of decisions: playouts of the choice taken and of the reviewer's.

A reviewer that imitates people disagrees with many choices that cost nothing. Playouts (`janshi.rollout.playouts`) play
both options on from the decision, with sampled hidden tiles and the same luck for both, and value the end of the hand
by the placement model, or by its points in games without one. A choice counts as worse only if the sign of the
difference is certain.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final, cast

import numpy as np

from janshi.agents import AgentError, agent
from janshi.cluster import Workers
from janshi.compiling import zeros
from janshi.review.advising import stakes_of
from janshi.review.model import Decision, Loss, Losses, Mistakes, Review, Stakes
from janshi.review.reasons import Pair, apart, ends_of, reasons_of
from janshi.review.reviewing import MOMENTS, review_of
from janshi.rollout.playouts import PlayoutPlan, Playouts, playouts_in_turn
from janshi.say.ends import LossNumbers, measure_loss
from janshi.say.names import ActionName, MistakeKind, ReasonKind
from janshi.say.words import in_words
from janshi.table import DecisionBatch
from janshi.worth.outcomes import OutcomeModel

#: Maximum number of decisions of a game that are played out.
MEASURED: Final = 20
#: Samples of a decision at most.
SAMPLES: Final = 1024
#: Hands that are played for the losses of a game: a number, not a time, so that they do not depend on the machine.
HANDS: Final = 2048
#: Error probability of the test of a decision: small, as most choices that differ from the reviewer's cost nothing.
_LEVEL: Final = 0.01
#: Actions that win or end the hand, those that call, meld or decline, and those before play.
_WINS: Final = {"tsumo", "ron", "win", "kyuushu_kyuuhai"}
_CALLS: Final = {"chi", "pon", "daiminkan", "ankan", "kakan", "kita", "pass"}
_BEFORE_PLAY: Final = {"give", "lay", "void_m", "void_p", "void_s"}


def measure_losses(
    review: Review,
    game: Any,
    workers: Workers,
    *,
    hands: int = HANDS,
    samples: int = SAMPLES,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Review:
    """Return a review with the measured losses of decisions in which the player and the reviewer differ.

    The same seed gives the same losses for any number of processes.

    Args:
        review: of the game, by `janshi.review.review_game`.
        game: the record.
        workers: executor of the playouts (`janshi.cluster.workers`).
        hands: maximum number of hands that are played, of all decisions together.
        samples: maximum number of samples of each option.
        seed: seed of the playouts.
        progress: called with the number of hands played so far, and that number with the hands that may follow.

    Ctrl-C ends the playouts early, with the losses measured so far. A review of a game without playouts is returned as
    it is, also if the agent that plays on cannot be loaded.
    """
    facet = review_of(game.rules)
    player = facet.playout_agents.get(review.players)
    if facet.positions is None or player is None or not _loads(player):
        return review
    batches = facet.positions(game, review.seat)
    # A cost above 0: the choices differ not only in the order of safe discards.
    differing = by_expected_gain([each for each in review.decisions if each.cost > 0], batches)[:MEASURED]
    positions = [(batches[each.number], (each.done, each.advice.best)) for each in differing]
    played: dict[int, Playouts] = {}
    plan = PlayoutPlan(scale=facet.scale, level=_LEVEL)
    results = playouts_in_turn(
        positions, _goes_on, players=player, hands=hands, samples=samples, seed=seed, processes=workers, plan=plan
    )
    with suppress(KeyboardInterrupt):
        for index, result in results:
            played[index] = result
            if progress is not None:
                progress(*_hands(list(played.values()), len(positions), samples, hands))
    found = {}
    for index, result in sorted(played.items()):
        decision = differing[index]
        stakes = stakes_of(batches[decision.number]) if result.decided else Stakes()
        found[decision.number] = loss_of(decision, result, stakes)
    return with_losses(review, found, facet.people(game.rules))


def _loads(player: str) -> bool:
    """Return whether an agent can be loaded: networks need onnxruntime."""
    try:
        agent(player)
    except AgentError:
        return False
    return True


def by_expected_gain(decisions: Sequence[Decision], batches: Sequence[DecisionBatch]) -> list[Decision]:
    """Return decisions by the points that the reviewer's choice gains by the outcome model, most first.

    In games without one, they are in the order of their costs.
    """
    if not decisions:
        return []
    if "outcomes" not in batches[0].game.facets:
        return sorted(decisions, key=lambda each: (-each.cost, each.number))
    asked = DecisionBatch.joined([batches[each.number] for each in decisions])
    change = OutcomeModel(asked.rules).outcomes(asked).change
    gains = [float(row[each.advice.best] - row[each.done]) for row, each in zip(change, decisions, strict=True)]
    order = sorted(range(len(decisions)), key=lambda index: (-gains[index], decisions[index].number))
    return [decisions[index] for index in order]


def _hands(played: list[Playouts], decisions: int, samples: int, most: int) -> tuple[int, int]:
    """Return the number of hands played, and that number with those that may follow."""
    done = sum(each.hands for each in played)
    unfinished = [each.samples for each in played if _goes_on(each)] + [0] * (decisions - len(played))
    return done, min(most, done + 2 * sum(samples - number for number in unfinished))


def _goes_on(result: Playouts) -> bool:
    """Return whether the choice looks worse, by a standard error at least, and is not decided."""
    return bool(_numbers(result)["goes_on"])


def _numbers(result: Playouts) -> Any:
    """Return the `LossNumbers` record of two options."""
    losses = zeros(LossNumbers, 1)
    measure_loss(cast("Any", result.figures), int(result.decided), losses)
    return np.asarray(losses)[0]


def loss_of(decision: Decision, result: Playouts, stakes: Stakes) -> Loss:
    """Return the loss of a decision by playouts of the choice taken and of the reviewer's."""
    done, best = result.options
    numbers = _numbers(result)
    worse = bool(numbers["worse"])
    reasons = reasons_of(Pair(done, best, worse), decision, stakes) if result.decided else []
    names = {decision.option(decision.done).name, decision.option(decision.advice.best).name}
    return Loss(
        **in_words(numbers, LossNumbers, {}, {}),
        reasons=reasons,
        kind=mistake_of(names, reasons[0].kind, apart(done.deal_in, best.deal_in)) if worse and reasons else None,
        ends=[ends_of(done), ends_of(best)],
    )


def mistake_of(names: set[ActionName], reason: ReasonKind, risk: float) -> MistakeKind:
    """Return the kind of a mistake.

    Args:
        names: names of the choice and of the better one.
        reason: the most important figure in which the latter is better.
        risk: its deal-in rate minus that of the choice, 0 if chance may explain the difference.

    >>> mistake_of({"discard"}, "deal_in", -0.1), mistake_of({"discard"}, "win", 0.05)
    ('pushed', 'folded')
    """
    if names & _WINS:
        return "win"
    if names & _CALLS:
        return "call"
    if names & _BEFORE_PLAY:
        return "before_play"
    if names != {"discard"}:
        return "declaration"
    if reason in ("deal_in", "price"):
        return "pushed"
    if risk > 0:
        return "folded"
    if reason == "win":
        return "shape"
    return "value" if reason == "value" else "placement"


def with_losses(
    review: Review, losses: dict[int, Loss], people: dict[MistakeKind, float] | None = None
) -> Review:
    """Return a review with losses by the number of their decision; moments are the certainly worse choices.

    ``people``: see `Losses.people`.
    """
    decisions = [dataclasses.replace(each, loss=losses.get(each.number)) for each in review.decisions]
    certain = {number: loss for number, loss in losses.items() if loss.certain}
    worse = {number: loss.lost for number, loss in certain.items() if loss.lost > 0}
    report = dataclasses.replace(
        review.report,
        moments=sorted(worse, key=lambda number: (-worse[number], number))[:MOMENTS],
        losses=Losses(
            measured=len(losses),
            worse=len(worse),
            better=len(certain) - len(worse),
            lost=round(sum(worse.values()), 3),
            kinds=_by_kind([loss for loss in certain.values() if loss.kind is not None]),
            people=people,
        ),
    )
    return dataclasses.replace(review, decisions=decisions, report=report)


def _by_kind(losses: list[Loss]) -> list[Mistakes]:
    kinds = dict.fromkeys(loss.kind for loss in losses if loss.kind is not None)
    lost = {kind: [loss.lost for loss in losses if loss.kind == kind] for kind in kinds}
    found = [Mistakes(kind, len(some), round(sum(some), 3)) for kind, some in lost.items()]
    return sorted(found, key=lambda each: -each.lost)
