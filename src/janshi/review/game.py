"""A whole game reviewed: every decision of one seat beside what a player would have done.

* Two discards of the same tile, drawn or from the hand, are the same choice; a red five is another tile than a plain
  one.
* What a decision **costs** is the share of the reviewer's first choice less that of what was done: little where the
  reviewer itself is of two minds, up to 1 where it is sure.
* **Rating**: 100 × Σ share of what was done / Σ share of the first choice, over all decisions of the game. It falls
  with every cost; 100 is a game of nothing but first choices, 0 one in which nothing was done that the reviewer would
  ever do.
* **Phases** go by the rows of the river: the first six discards, the next six, the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import PurePath
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import Agent, check_players
from janshi.compiling import Batch
from janshi.engine import actions
from janshi.engine.state import View
from janshi.observe.positions import PlayedHand, Position, hands_of_game
from janshi.observe.show import round_text
from janshi.records.mjai import write_mjai
from janshi.records.model import Game
from janshi.records.replay import Mismatch
from janshi.review.advice import advise_all, reviewer_of
from janshi.review.model import Advice, Agreement, Decision, Name, Phase, Report, Review
from janshi.review.options import options_of
from janshi.review.risk import row_of

#: Moments worth a look, at most.
MOMENTS: Final = 10
#: Decisions asked about together.
_TOGETHER: Final = 256


class ReviewError(ValueError):
    """A game or seat that cannot be reviewed: says in one line why."""


def best_reviewer(players: int) -> str:
    """Return the name of the reviewer that ships with the package for games of so many players.

    >>> best_reviewer(4)
    'efficient'
    """
    return "sl" if players == 3 else "efficient"


def review_game(game: Game, seat: int, agent: Agent, *, progress: Callable[[int, int], None] | None = None) -> Review:
    """Return what an agent says of every decision of a seat (0: the first dealer), and of the whole game.

    Hands that cannot be replayed are left out and named in `Review.notes`. ``progress`` is called with how many of how
    many decisions are done.

    Raises `ReviewError` where there is no such seat, `janshi.agents.AgentError` for an agent that cannot review such
    games, and `janshi.records.RecordError` for a record that contradicts itself.
    """
    if not 0 <= seat < game.players:
        raise ReviewError(f"there is no seat {seat}: {game.players} players sit at 0 to {game.players - 1}")
    reviewer_of(agent)
    check_players(agent, game.players)
    events = list(write_mjai(game))
    hands, mismatches = hands_of_game(game)
    asked = [(hand, position) for hand in hands for position in hand.of_seat(seat)]
    advice: list[Advice] = []
    for first in range(0, len(asked), _TOGETHER):
        some = [position for _, position in asked[first : first + _TOGETHER]]
        advice += advise_all(_views(some), _legal(some), agent)
        if progress is not None:
            progress(len(advice), len(asked))
    starts = [place for place, event in enumerate(events) if event["type"] == "start_kyoku"]
    decisions = [
        _decision(number, starts[hand.number - 1], hand, position, said)
        for number, ((hand, position), said) in enumerate(zip(asked, advice, strict=True))
    ]
    return Review(
        source=PurePath(game.source).name,  # a page is passed on: the folders it came from are nobody's business
        rules=game.rules.name,
        players=game.players,
        names=[*game.names, *(f"P{one}" for one in range(len(game.names), game.players))],
        seat=seat,
        by=agent.name,
        events=events,
        decisions=decisions,
        report=report_of(decisions),
        notes=_notes(game, mismatches),
    )


def _views(positions: Sequence[Position]) -> Batch[View]:
    return cast("Batch[View]", np.concatenate([cast("NDArray[Any]", one.view) for one in positions]))


def _legal(positions: Sequence[Position]) -> NDArray[np.bool_]:
    mask = np.zeros((len(positions), actions.ACTIONS), np.bool_)
    for row, one in enumerate(positions):
        mask[row, list(one.possible)] = True
    return mask


def _decision(number: int, start: int, hand: PlayedHand, position: Position, advice: Advice) -> Decision:
    view = cast("NDArray[Any]", position.view)[0]
    same = _same(view, advice.best)
    shares = {one.action: one.share for one in advice.preferences}
    done = sum(shares.get(one, 0.0) for one in _same(view, position.done))
    agrees = position.done in same
    phases: tuple[Phase, ...] = ("opening", "middle", "end")
    return Decision(
        number=number,
        hand=hand.number - 1,
        event=start + 1 + position.events,
        options=options_of(view, hand.rules, position.possible),
        done=position.done,
        advice=advice,
        agrees=agrees,
        cost=0.0 if agrees else round(max(0.0, shares[advice.best] - done), 4),
        phase=phases[row_of(view)],
    )


def _same(view: Any, action: int) -> tuple[int, ...]:
    """Actions that come to the same as one: a tile just drawn and the same tile from the hand."""
    drawn = int(view["drawn"])
    if action == actions.TSUMOGIRI:
        return action, drawn
    return (action, actions.TSUMOGIRI) if action == drawn else (action,)


# ---------------------------------------------------------------------------------------------------------
# The whole game


def report_of(decisions: Sequence[Decision]) -> Report:
    """Return what is said of a game, from its decisions."""
    phases: dict[Phase, list[Decision]] = {"opening": [], "middle": [], "end": []}
    names: dict[Name, list[Decision]] = {}
    best = 0.0
    for one in decisions:
        phases[one.phase].append(one)
        names.setdefault(best_name(one), []).append(one)
        best += first_share(one)
    dearest = sorted((one for one in decisions if one.cost > 0), key=lambda one: (-one.cost, one.number))
    return Report(
        total=_agreement(decisions),
        phases={phase: _agreement(some) for phase, some in phases.items()},
        names={name: _agreement(some) for name, some in names.items()},
        moments=[one.number for one in dearest[:MOMENTS]],
        rating=round(100 * (1 - sum(one.cost for one in decisions) / best), 1) if best else 100.0,
    )


def best_name(decision: Decision) -> Name:
    """Return what kind of action the reviewer would take."""
    return next(one.name for one in decision.options if one.action == decision.advice.best)


def first_share(decision: Decision) -> float:
    """Return the share of the reviewer's first choice."""
    return next(one.share for one in decision.advice.preferences if one.action == decision.advice.best)


def _agreement(decisions: Sequence[Decision]) -> Agreement:
    count = len(decisions)
    cost = sum(one.cost for one in decisions) / count if count else 0.0
    return Agreement(count, sum(one.agrees for one in decisions), round(cost, 4))


def _notes(game: Game, mismatches: Iterable[Mismatch]) -> list[str]:
    """One line for each hand that was left out: which, and the first thing that is wrong with it."""
    wrong: dict[int, Mismatch] = {}
    for one in mismatches:
        if not one.sequel:
            wrong.setdefault(one.hand, one)
    return [
        f"hand {number} ({round_text(game.hands[number - 1].round)}) is not reviewed, it cannot be replayed: "
        f"{one.what}: by the rules {one.engine}, in the record {one.record}"
        for number, one in sorted(wrong.items())
    ]
