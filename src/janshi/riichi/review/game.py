"""Review of a whole game: every decision of one seat compared with an agent's choice.

Costs and the rating are defined in `janshi.review.reviewing`.

* Discards of the same tile, drawn or from the hand, are the same choice; a red five differs from a plain one.
* A hand that is not tenpai and discards a tile safe against every riichi **folds**. The shares of all such discards are
  added, because their order seldom matters.
* **Phases** are the rows of the river: the first six discards, the next six, the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import Agent
from janshi.core.places import final_ranks
from janshi.records.formats import RecordError
from janshi.records.positions import PlayedHand, Position
from janshi.records.recorder import Mismatch
from janshi.review.advising import advise_all, options_of
from janshi.review.model import Advice, Decision, Phase
from janshi.review.reviewing import ReviewError, cost_of
from janshi.riichi.actions import Action
from janshi.riichi.analysis.danger import row_of
from janshi.riichi.drawing.snapshot import round_text
from janshi.riichi.positions import hands_of_game
from janshi.riichi.records.mjai import write_mjai
from janshi.riichi.records.model import RiichiGame
from janshi.riichi.rules import Length
from janshi.table import DecisionBatch, Tables
from janshi.worth.placement import PlacementModel

#: Decisions of a batch.
_BATCH: Final = 256


def decisions_of(
    game: RiichiGame, seat: int, agent: Agent, progress: Callable[[int, int], None] | None = None
) -> tuple[list[dict[str, Any]], list[Decision], list[str]]:
    """Return the events of a game, a seat's decisions with an agent's advice, and notes on hands left out.

    Hands that cannot be replayed are left out. ``progress`` is called with the number of decisions done and of all.
    Raises `ReviewError` for a contradictory record.
    """
    try:
        events = list(write_mjai(game, extras=False))
        hands, mismatches = hands_of_game(game)
    except RecordError as error:
        raise ReviewError(str(error)) from None
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
    return events, decisions, _notes(game, mismatches)


def positions_of(game: RiichiGame, seat: int) -> list[DecisionBatch]:
    """Return the decisions of a seat, in the order of `decisions_of`."""
    hands, _ = hands_of_game(game)
    return [position.batch for hand in hands for position in hand.of_seat(seat)]


def places_of(game: RiichiGame) -> list[list[float]]:
    """Return the expected final place of each seat at the beginning of each hand, then its place at the end.

    The places of a game without final scores end with its last hand. A game of single hands has none.
    """
    rules, hands = game.rules, game.hands
    if rules.length == Length.SINGLE_HAND or not hands:
        return []
    tables = Tables(rules, len(hands))
    states: NDArray[Any] = np.asarray(tables.states)
    states["seats"]["points"][:, : rules.players] = [hand.scores for hand in hands]
    for name, values in (("kyoku", "round"), ("honba", "honba"), ("deposits", "deposits"), ("dealer", "dealer")):
        states[name] = [getattr(hand, values) for hand in hands]
    numbers = np.arange(1, rules.players + 1, dtype=np.float32)
    places = PlacementModel(rules).expected(tables.states, numbers).tolist()
    if game.final_scores is not None:
        places.append(final_ranks(np.array([game.final_scores]))[0].tolist())
    return [[round(place, 3) for place in row] for row in places]


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
        options=options_of(position.batch),
        done=position.done,
        advice=advice,
        agrees=agrees,
        cost=0.0 if agrees else cost_of(advice, same),
        phase=phases[row_of(view)],
    )


def folds(advice: Advice, done: int) -> tuple[int, ...]:
    """Return all discards that fold (see the module) if an action is one of them, else none."""
    actions = safe_discards(advice)
    return actions if done in actions else ()


def safe_discards(advice: Advice) -> tuple[int, ...]:
    """Return the discards safe against every riichi; none for a tenpai hand or without riichi."""
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


def _notes(game: RiichiGame, mismatches: Iterable[Mismatch]) -> list[str]:
    """Return one line for each hand that was left out, with its first mismatch or why it cannot be read."""
    first: dict[int, Mismatch] = {}
    for mismatch in mismatches:
        if not mismatch.sequel:
            first.setdefault(mismatch.hand, mismatch)
    notes = {hand.number: f"hand {hand.number} is not reviewed, it cannot be read: {hand.reason}" for hand in game.cut}
    rounds = {game.number_of(index): round_text(hand.round) for index, hand in enumerate(game.hands)}
    for number, mismatch in first.items():
        notes[number] = (
            f"hand {number} ({rounds[number]}) is not reviewed, it cannot be replayed: "
            f"{mismatch.what}: by the rules {mismatch.engine}, in the record {mismatch.record}"
        )
    return [note for _, note in sorted(notes.items())]
