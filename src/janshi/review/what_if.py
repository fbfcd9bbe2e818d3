"""What if: a decision of a recorded game played on with each of some options many times, or at a table.

>>> from janshi.review import read_game
>>> from janshi.sample import SAMPLE
>>> first = next(what_if(read_game(SAMPLE, 1), 0, 3, [9, 10]))
>>> first.samples, [option.action for option in first.options], first.finished
(32, [9, 10], False)
>>> sampled_table(read_game(SAMPLE, 1), 0, 3).shape
(1,)
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.agents import AgentError
from janshi.cluster import Workers
from janshi.review.model import PlayedOn, PlayedOption
from janshi.review.reasons import ends_of
from janshi.review.reviewing import ReviewError, check_game, review_of
from janshi.rollout.playouts import OptionResult, PlayoutPlan, each_playouts
from janshi.rollout.sampling import Sampling, SamplingError
from janshi.statistics import Estimate
from janshi.table import DecisionBatch

#: Samples of each option at most: the 95 % interval of a probability is at most 2.2 points wide on each side.
SAMPLES: Final = 2048


def what_if(
    game: Any,
    seat: int,
    number: int,
    options: Sequence[int],
    *,
    samples: int = SAMPLES,
    seed: int = 0,
    processes: int | Workers = 1,
) -> Iterator[PlayedOn]:
    """Yield the results of some options of a decision after every batch of playouts.

    Args:
        game: the record.
        seat: seat of the decision.
        number: index of the decision among those of the seat, as `janshi.review.model.Decision.number`.
        options: different legal actions.
        samples: number of samples of each option.
        seed: seed of the playouts.
        processes: number of parallel processes, or workers (`janshi.cluster.workers`).

    Raises `ReviewError` for a game without playouts, an unknown decision or invalid options, and if no sample of the
    hidden tiles fits the decision; `janshi.agents.AgentError` if the agent that plays on cannot be loaded.
    """
    batch, facet = _decision(game, seat, number), review_of(game.rules)
    player = facet.playout_agents[game.rules.players]
    plan = PlayoutPlan(scale=facet.scale, level=0)  # without an early end
    try:
        for result in each_playouts(
            batch, options, players=player, samples=samples, seed=seed, processes=processes, plan=plan
        ):
            yield PlayedOn(result.samples, result.samples >= samples, [_option(option) for option in result.options])
    except AgentError:
        raise
    except ValueError as error:
        raise ReviewError(str(error)) from None


def sampled_table(game: Any, seat: int, number: int, seed: int = 0) -> NDArray[Any]:
    """Return the record of a table (1; `janshi.table.Tables.states`) at a decision, with sampled hidden tiles.

    The seat has seen the events of the hand so far. The table may first wait for another seat's answer to the same
    tile. See `what_if` for the arguments and errors.
    """
    batch = _decision(game, seat, number)
    sampling: Sampling = batch.game.facet("sampling")
    try:
        return sampling.table(batch, np.random.default_rng(seed))
    except SamplingError as error:
        raise ReviewError(str(error)) from None


def _decision(game: Any, seat: int, number: int) -> DecisionBatch:
    """Return a seat's decision as given to an agent. Raises `ReviewError` as `what_if` does."""
    check_game(game, seat)
    positions = review_of(game.rules).positions
    if positions is None:
        raise ReviewError("decisions of this game cannot be played on")
    batches = positions(game, seat)
    if not 0 <= number < len(batches):
        raise ReviewError(f"there is no decision {number}: seat {seat} has {len(batches)}")
    return batches[number]


def _option(option: OptionResult) -> PlayedOption:
    return PlayedOption(
        action=option.action,
        # The points of a place are its negative number.
        place=None if option.placement is None else _negated(option.placement),
        win=option.win,
        value=None if math.isnan(option.value.value) else option.value,
        deal_in=option.deal_in,
        points=option.points,
        behind=_negated(option.difference),
        ends=ends_of(option),
    )


def _negated(estimate: Estimate) -> Estimate:
    # "+ 0.0" turns −0.0 into 0.0.
    return Estimate(-estimate.value + 0.0, -estimate.high + 0.0, -estimate.low + 0.0, estimate.count)
