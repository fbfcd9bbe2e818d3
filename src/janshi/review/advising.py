"""A decision as plain data: its options, what they lead to, and an agent's advice.

>>> from janshi.agents import agent
>>> from janshi.table import Table
>>> advice = advise(Table("tenhou-sanma", seed=7).decision(), agent("efficient"))
>>> advice.shanten, advice.candidates[0].tile, advice.candidates[0].left, advice.best == advice.preferences[0].action
(3, 'C', 21, True)
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import Agent, preferences_of
from janshi.compiling import Batch, zeros
from janshi.games import game_of
from janshi.review.model import Accepted, Advice, After, Candidate, FanCount, Need, Option, VoidSuit, Worth
from janshi.review.reviewing import preferred, reviewer_of
from janshi.say import say_of
from janshi.say.records import (
    AcceptedRow,
    AdviceNumbers,
    AfterRow,
    CandidateRow,
    DecisionOptions,
    DecisionStakes,
    FanRow,
    NeedRow,
    OptionRow,
    OwnHand,
    VoidRow,
    WorthRow,
)
from janshi.say.words import in_words
from janshi.table import DecisionBatch

MODELS: Final = {
    AcceptedRow: Accepted,
    AfterRow: After,
    CandidateRow: Candidate,
    FanRow: FanCount,
    NeedRow: Need,
    OptionRow: Option,
    VoidRow: VoidSuit,
    WorthRow: Worth,
}


def own_of(rules: Any, view: Batch[Any]) -> dict[str, Any] | None:
    """Return a seat's knowledge of its hand: ``shanten``, ``waits``, ``furiten`` and ``worth``.

    ``view``: the seat's view, an array (1,) of the game's `View` records. None while the seat is to discard without
    having drawn: nothing new is known then.
    """
    say = say_of(game_of(rules))
    hands = zeros(OwnHand, 1)
    say.own(view, hands)
    (hand,) = np.asarray(hands)
    if not hand["known"]:
        return None
    own = in_words(hand, OwnHand, say.names, MODELS)
    del own["known"]
    return own


def question_of(batch: DecisionBatch) -> dict[str, Any]:
    """Return the first decision of a batch: its ``options``, and the ``discards``, ``win`` and ``calls`` among them."""
    say = say_of(batch.game)
    return in_words(np.asarray(_question(batch))[0], DecisionOptions, say.names, MODELS)


def _question(batch: DecisionBatch) -> Batch[DecisionOptions]:
    questions = zeros(DecisionOptions, 1)
    say_of(batch.game).question(batch.part([0]).views, questions)
    return questions


def facts_of(batch: DecisionBatch) -> tuple[Batch[DecisionOptions], Batch[AdviceNumbers], Batch[DecisionStakes]]:
    """Return the options of the first decision of a batch, the numbers of an advice, and its stakes."""
    say = say_of(batch.game)
    question, advice, stakes = _question(batch), zeros(AdviceNumbers, 1), zeros(DecisionStakes, 1)
    views = batch.part([0]).views
    say.advice(views, advice)
    if say.stakes is not None:
        say.stakes(views, question, stakes)
    return question, advice, stakes


def options_of(batch: DecisionBatch) -> list[Option]:
    """Return the legal actions of the first decision of a batch as options, in their order.

    >>> from janshi.table import Table
    >>> options_of(Table("tenhou-sanma-hand", seed=7).decision())[-1]
    Option(action=37, name='discard', tile='W', tiles=[], tsumogiri=True)
    >>> [option.name for option in options_of(Table("sichuan", seed=7).decision())]
    ['void_m', 'void_p', 'void_s']
    """
    options: list[Option] = question_of(batch)["options"]
    return options


def advise(batch: DecisionBatch, agent: Agent) -> Advice:
    """Return an agent's advice on one decision, the first of a batch. See `advise_all`."""
    return advise_all(batch.part([0]), agent)[0]


def advise_all(batch: DecisionBatch, agent: Agent) -> list[Advice]:
    """Return an agent's advice on each decision of a batch, with at least two legal actions each.

    Raises `janshi.agents.AgentError` for an agent that cannot review.
    """
    reviewer = reviewer_of(agent)
    if len(batch) == 0:
        return []
    shares = preferences_of(reviewer, batch)
    declared = batch.game.by_rule(batch.rules, batch.views)
    if declared is not None:
        rows = np.flatnonzero(declared >= 0)
        shares[rows] = 0
        shares[rows, declared[rows]] = 1
    say = say_of(batch.game)
    numbers = zeros(AdviceNumbers, len(batch))
    say.advice(batch.views, numbers)
    return [
        _advice(agent.name, share, in_words(row, AdviceNumbers, say.names, MODELS))
        for row, share in zip(np.asarray(numbers), shares, strict=True)
    ]


def _advice(by: str, shares: NDArray[np.float32], numbers: dict[str, Any]) -> Advice:
    return Advice(by=by, best=int(shares.argmax()), preferences=preferred(shares), **numbers)
