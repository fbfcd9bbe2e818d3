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
from typing import Any, Final

import numpy as np

from janshi.agents import AgentError, agent
from janshi.cluster import Workers
from janshi.compiling import zeros
from janshi.review.advising import facts_of
from janshi.review.model import Decision, Loss, Losses, Mistakes, Review
from janshi.review.reasons import REASON_MODELS, ends_of
from janshi.review.reviewing import review_of
from janshi.rollout.playouts import PlayoutPlan, Playouts, playouts_in_turn
from janshi.say import say_of
from janshi.say.losses import (
    DifferenceRow,
    LossesNumbers,
    LossNumbers,
    MeasuredRow,
    MistakesRow,
    goes_on,
    loss_numbers,
    order_by_gain,
    summarise,
)
from janshi.say.names import MISTAKES, MistakeKind
from janshi.say.reasons import TwoOptions
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
        found[decision.number] = loss_of(decision, result, batches[decision.number])
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
    rows, order = zeros(DifferenceRow, len(decisions)), np.zeros(len(decisions), np.int32)
    filled = np.asarray(rows)
    filled["number"] = [each.number for each in decisions]
    if "outcomes" in batches[0].game.facets:
        asked = DecisionBatch.joined([batches[each.number] for each in decisions])
        change = OutcomeModel(asked.rules).outcomes(asked).change
        every = np.arange(len(decisions))
        filled["done"] = change[every, [each.done for each in decisions]]
        filled["best"] = change[every, [each.advice.best for each in decisions]]
    else:
        filled["best"] = [each.cost for each in decisions]
    order_by_gain(rows, order)
    return [decisions[index] for index in order.tolist()]


def _hands(played: list[Playouts], decisions: int, samples: int, most: int) -> tuple[int, int]:
    """Return the number of hands played, and that number with those that may follow."""
    done = sum(each.hands for each in played)
    unfinished = [each.samples for each in played if _goes_on(each)] + [0] * (decisions - len(played))
    return done, min(most, done + 2 * sum(samples - number for number in unfinished))


def _goes_on(result: Playouts) -> bool:
    """Return whether the choice looks worse, by a standard error at least, and is not decided."""
    options: Any = result.figures
    return goes_on(options, int(result.decided)) == 1


def loss_of(decision: Decision, result: Playouts, batch: DecisionBatch) -> Loss:
    """Return the loss of a decision, given as to an agent, by playouts of the choice taken and of the reviewer's."""
    say = say_of(batch.game)
    pair, found = zeros(TwoOptions, 1), zeros(LossNumbers, 1)
    filled = np.asarray(pair)
    filled["figures"] = result.figures
    filled["actions"] = decision.done, decision.advice.best
    filled["dora"] = say.dora.start, say.dora.stop
    filled["placed"] = result.options[0].placement is not None
    filled["decided"] = result.decided
    for name, facts in zip(("question", "advice", "stakes"), facts_of(batch), strict=True):
        filled[name] = facts
    loss_numbers(pair, found)
    words = in_words(np.asarray(found)[0], LossNumbers, say.names, REASON_MODELS)
    return Loss(**words, ends=[ends_of(option) for option in result.options])


def with_losses(
    review: Review, losses: dict[int, Loss], people: dict[MistakeKind, float] | None = None
) -> Review:
    """Return a review with losses by the number of their decision; moments are the certainly worse choices.

    ``people``: see `Losses.people`.
    """
    rows, found = zeros(MeasuredRow, len(losses)), zeros(LossesNumbers, 1)
    filled = np.asarray(rows)
    filled["number"] = [*losses]
    for name in ("lost", "certain"):
        filled[name] = [getattr(loss, name) for loss in losses.values()]
    filled["kind"] = [-1 if loss.kind is None else MISTAKES.index(loss.kind) for loss in losses.values()]
    summarise(rows, found)
    words = in_words(np.asarray(found)[0], LossesNumbers, {"mistake": MISTAKES}, {MistakesRow: Mistakes})
    moments = words.pop("moments")
    decisions = [dataclasses.replace(each, loss=losses.get(each.number)) for each in review.decisions]
    report = dataclasses.replace(review.report, moments=moments, losses=Losses(**words, people=people))
    return dataclasses.replace(review, decisions=decisions, report=report)
