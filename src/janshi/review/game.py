"""A whole game reviewed: every decision of one seat beside what an agent would have done.

* Two discards of the same tile, drawn or from the hand, are the same choice; a red five is another tile than a plain
  one.
* What a decision **costs** is the share of the reviewer's first choice less that of what was done: little where the
  reviewer prefers several actions about as much, up to 1 where it prefers one alone.
* A hand that is not tenpai and discards what is safe against every riichi **folds**. The shares of all such discards
  count together as what was done: which of the safe tiles goes first is seldom what a hand is decided by.
* **Rating**: 100 × Σ share of what was done / Σ share of the first choice, over all decisions of the game. It falls
  with every cost; 100 is a game of nothing but first choices, 0 one in which nothing was done that the reviewer would
  ever do.
* **Phases** go by the rows of the river: the first six discards, the next six, the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import PurePath
from typing import Any, Final, cast

from numpy.typing import NDArray

from janshi.agents.protocol import Agent, check_players
from janshi.analysis.danger import row_of
from janshi.drawing.snapshot import round_text
from janshi.records.mjai import write_mjai
from janshi.records.model import Game
from janshi.records.replay import Mismatch
from janshi.review.advice import advise_all, reviewer_of
from janshi.review.model import ActionName, Advice, Agreement, Decision, Phase, Report, Review
from janshi.review.options import options_of
from janshi.riichi.actions import Action
from janshi.rollout.positions import PlayedHand, Position, hands_of_game
from janshi.table import DecisionBatch

#: Moments worth a look, at most.
MOMENTS: Final = 10
#: Decisions asked together.
_BATCH: Final = 256


class ReviewError(ValueError):
    """A game or seat that cannot be reviewed: says in one line why."""


def review_game(game: Game, seat: int, agent: Agent, *, progress: Callable[[int, int], None] | None = None) -> Review:
    """Return an agent's review of every decision of a seat (0: the first dealer), and of the whole game.

    Hands that cannot be replayed are left out and named in `Review.notes`. ``progress`` is called with how many of how
    many decisions are done.

    Raises `ReviewError` where there is no such seat, `janshi.agents.AgentError` for an agent that cannot review such
    games, and `janshi.records.RecordError` for a record that contradicts itself.
    """
    if not 0 <= seat < game.players:
        raise ReviewError(f"there is no seat {seat}: {game.players} players sit at 0 to {game.players - 1}")
    reviewer_of(agent)
    check_players(agent, game.players)
    events = list(write_mjai(game, extras=False))
    hands, mismatches = hands_of_game(game)
    own = [(hand, position) for hand in hands for position in hand.of_seat(seat)]
    advice: list[Advice] = []
    for batch in decision_batches([position for _, position in own]):
        advice += advise_all(batch, agent)
        if progress is not None:
            progress(len(advice), len(own))
    starts = [index for index, event in enumerate(events) if event["type"] == "start_kyoku"]
    decisions = [
        _decision(number, starts[hand.number - 1], hand, position, advice[number])
        for number, (hand, position) in enumerate(own)
    ]
    return Review(
        source=PurePath(game.source).name,  # a page is passed on: the folders it came from are nobody's business
        rules=game.rules.name,
        players=game.players,
        names=[*game.names, *(f"P{number}" for number in range(len(game.names), game.players))],
        seat=seat,
        by=agent.name,
        events=events,
        decisions=decisions,
        report=report_of(decisions),
        notes=_notes(game, mismatches),
    )


def decision_batches(positions: Sequence[Position]) -> Iterator[DecisionBatch]:
    """Yield the decisions of positions by one rule set, in their order, many at a time."""
    for first in range(0, len(positions), _BATCH):
        yield DecisionBatch.joined([position.batch for position in positions[first : first + _BATCH]])


def _decision(number: int, start: int, hand: PlayedHand, position: Position, advice: Advice) -> Decision:
    view = cast("NDArray[Any]", position.view)[0]
    same = {*_equal_actions(view, position.done), *folds(advice, position.done)}
    agrees = position.done in _equal_actions(view, advice.best)
    phases: tuple[Phase, ...] = ("opening", "middle", "end")
    return Decision(
        number=number,
        hand=hand.number - 1,
        event=start + 1 + position.events,
        options=options_of(view, hand.rules, position.possible),
        done=position.done,
        advice=advice,
        agrees=agrees,
        cost=0.0 if agrees else cost_of(advice, same),
        phase=phases[row_of(view)],
    )


def cost_of(advice: Advice, same: Iterable[int]) -> float:
    """Return the share of the first choice less that of actions which are the same choice, 0 at least."""
    shares = {preference.action: preference.share for preference in advice.preferences}
    return round(max(0.0, shares[advice.best] - sum(shares.get(action, 0.0) for action in same)), 4)


def folds(advice: Advice, done: int) -> tuple[int, ...]:
    """Return all discards that fold as an action does: see the module. None where the action does not fold."""
    actions = safe_discards(advice)
    return actions if done in actions else ()


def safe_discards(advice: Advice) -> tuple[int, ...]:
    """Return the discards of a hand that is not tenpai which are safe against every riichi; none where nobody is."""
    if min((candidate.shanten for candidate in advice.candidates), default=0) <= 0:
        return ()
    safe = [
        candidate.actions
        for candidate in advice.candidates
        if candidate.safety and set(candidate.safety.values()) == {"safe"}
    ]
    return tuple(action for group in safe for action in group)


def _equal_actions(view: Any, action: int) -> tuple[int, ...]:
    """Return an action and those of the same effect: a tile just drawn and the same tile from the hand."""
    drawn = int(view["drawn"])
    if action == Action.TSUMOGIRI:
        return action, drawn
    return (action, Action.TSUMOGIRI) if action == drawn else (action,)


# ---------------------------------------------------------------------------------------------------------
# The whole game


def report_of(decisions: Sequence[Decision]) -> Report:
    """Return the summary of a game from its decisions."""
    phases: dict[Phase, list[Decision]] = {"opening": [], "middle": [], "end": []}
    names: dict[ActionName, list[Decision]] = {}
    best = 0.0
    for decision in decisions:
        phases[decision.phase].append(decision)
        names.setdefault(best_name(decision), []).append(decision)
        best += first_share(decision)
    costly = [decision for decision in decisions if decision.cost > 0]
    costly.sort(key=lambda decision: (-decision.cost, decision.number))
    return Report(
        total=_agreement(decisions),
        phases={phase: _agreement(group) for phase, group in phases.items()},
        names={name: _agreement(group) for name, group in names.items()},
        moments=[decision.number for decision in costly[:MOMENTS]],
        rating=round(100 * (1 - sum(decision.cost for decision in decisions) / best), 1) if best else 100.0,
    )


def best_name(decision: Decision) -> ActionName:
    """Return what kind of action the reviewer would take."""
    return next(option.name for option in decision.options if option.action == decision.advice.best)


def first_share(decision: Decision) -> float:
    """Return the share of the reviewer's first choice."""
    advice = decision.advice
    return next(preference.share for preference in advice.preferences if preference.action == advice.best)


def _agreement(decisions: Sequence[Decision]) -> Agreement:
    count = len(decisions)
    cost = sum(decision.cost for decision in decisions) / count if count else 0.0
    return Agreement(count, sum(decision.agrees for decision in decisions), round(cost, 4))


def _notes(game: Game, mismatches: Iterable[Mismatch]) -> list[str]:
    """Return one line for each hand that was left out: which, and the first thing that is wrong with it."""
    first: dict[int, Mismatch] = {}
    for mismatch in mismatches:
        if not mismatch.sequel:
            first.setdefault(mismatch.hand, mismatch)
    return [
        f"hand {number} ({round_text(game.hands[number - 1].round)}) is not reviewed, it cannot be replayed: "
        f"{mismatch.what}: by the rules {mismatch.engine}, in the record {mismatch.record}"
        for number, mismatch in sorted(first.items())
    ]
