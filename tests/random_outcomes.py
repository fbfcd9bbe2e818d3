"""Random ends of hands after two options, as playouts of Python and as outcomes of the page without a server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from janshi.review.model import Decision
from janshi.rollout.ends import PlayedHands, hand_ends, mean_of
from janshi.rollout.playouts import OptionResult, Playouts
from janshi.statistics import rate

COUNT = 150
_WINS = {"tsumo", "ron", "win"}


@dataclass(frozen=True, slots=True)
class _Ends:
    hands: PlayedHands
    worth: NDArray[np.float64]
    """Minus the place, or points without places."""


def _hands(random: Generator, players: int, seat: int, sources: int) -> PlayedHands:
    """Return random hands of a seat, whose chances and values are random too."""
    end = random.choice(4, COUNT, p=random.dirichlet(np.ones(4)))  # a win, a deal-in, a draw, a win of others
    won, drawn = end == 0, end == 2
    value = np.where(won, 100.0 * random.integers(10, random.integers(20, 120), COUNT), 0)
    dealt_to = np.zeros((COUNT, players), np.bool_)
    others = [each for each in range(players) if each != seat]
    dealt_to[np.arange(COUNT), random.choice(others, COUNT, p=random.dirichlet(np.ones(len(others))))] = True
    dealt_to[:, others[0]] |= random.random(COUNT) < 0.1
    han = random.random((COUNT, sources)) < random.random(sources) * (random.random(sources) < 0.1)
    paid = 100.0 * random.integers(random.integers(-60, 10), 15, COUNT)
    return PlayedHands(
        won=won,
        self_drawn=won & (random.random(COUNT) < 0.4),
        value=value,
        drawn=drawn,
        tenpai=drawn & (random.random(COUNT) < random.random()),
        tile=np.where(won, random.choice([0, 8, 9, 20, 26], COUNT), -1).astype(np.int8),
        han=(han * random.integers(1, 3, (COUNT, sources)) * won[:, None]).astype(np.int8),
        dealt_to=dealt_to & (end == 1)[:, None],
        points=np.where(won, value + 300, np.where(end == 1, -100.0 * random.integers(10, 90, COUNT), paid)),
    )


def random_ends(decision: Decision, players: int, seat: int, sources: tuple[str, ...], placed: bool) -> list[_Ends]:
    """Return the ends of hands after the choice taken and after the reviewer's, which are better or worse."""
    random = np.random.default_rng(decision.number)
    better = random.permutation([0.0, 0.8])
    found = []
    for number, action in enumerate((decision.done, decision.advice.best)):
        hands = _hands(random, players, seat, len(sources))
        worth = hands.points + 10_000 * better[number]
        if placed:
            wins = decision.option(action).name in _WINS
            worth = -np.full(COUNT, 2.0) if wins else better[number] - 2 - random.random(COUNT)
        found.append(_Ends(hands, worth))
    if not placed:
        for one in found:
            one.hands.points[:] = one.worth
    return found


def playouts_of(decision: Decision, seat: int, ends: list[_Ends], sources: tuple[str, ...], placed: bool) -> Playouts:
    """Return the results of playouts that end so."""
    worths = np.stack([each.worth for each in ends])
    best = worths[worths.mean(axis=1).argmax()]
    options = [
        OptionResult(
            action=action,
            text="",
            win=rate(each.hands.won),
            tsumo=rate(each.hands.won & each.hands.self_drawn),
            ron=rate(each.hands.won & ~each.hands.self_drawn),
            value=mean_of(each.hands.value[each.hands.won]),
            deal_in=rate(each.hands.dealt_in),
            price=mean_of(-each.hands.points[each.hands.dealt_in]),
            points=mean_of(each.hands.points),
            placement=mean_of(each.worth) if placed else None,
            difference=mean_of(each.worth - best),
            ends=hand_ends(each.hands, sources),
        )
        for action, each in zip((decision.done, decision.advice.best), ends, strict=True)
    ]
    return Playouts(seat, COUNT, tuple(options), True, COUNT, {}, 0.0, 2 * COUNT)


def outcomes_of(ends: list[_Ends], sources: tuple[str, ...], placed: bool) -> list[list[dict[str, Any]]]:
    """Return the same as ``Outcome`` of the page (``web/offline/ends.ts``)."""
    return [
        [
            {
                "won": bool(hands.won[row]),
                "value": float(hands.value[row]),
                "drawn": bool(hands.drawn[row]),
                "tenpai": bool(hands.tenpai[row]),
                "tile": int(hands.tile[row]),
                "han": {sources[each]: int(hands.han[row, each]) for each in np.flatnonzero(hands.han[row])},
                "dealtTo": np.flatnonzero(hands.dealt_to[row]).tolist(),
                "points": float(hands.points[row]),
                "place": float(-each.worth[row]) if placed else None,
            }
            for row in range(COUNT)
        ]
        for each in ends
        for hands in [each.hands]
    ]
