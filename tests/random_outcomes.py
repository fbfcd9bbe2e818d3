"""Random ends of hands after two options, and playouts that end so."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from janshi.compiling import zeros
from janshi.review.model import Decision
from janshi.rollout.playouts import PlayoutPlan, Playouts, figures_of
from janshi.say.ends import HandEnd

COUNT = 150
_WINS = {"tsumo", "ron", "win"}


def _hands(random: Generator, players: int, seat: int, sources: int) -> NDArray[Any]:
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
    hands = np.asarray(zeros(HandEnd, COUNT))
    hands["won"] = won
    hands["self_drawn"] = won & (random.random(COUNT) < 0.4)
    hands["value"] = value
    hands["drawn"] = drawn
    hands["tenpai"] = drawn & (random.random(COUNT) < random.random())
    hands["tile"] = np.where(won, random.choice([0, 8, 9, 20, 26], COUNT), -1)
    hands["han"][:, :sources] = han * random.integers(1, 3, (COUNT, sources)) * won[:, None]
    hands["dealt_to"] = (dealt_to & (end == 1)[:, None]) @ (1 << np.arange(players))
    hands["points"] = np.where(won, value + 300, np.where(end == 1, -100.0 * random.integers(10, 90, COUNT), paid))
    return hands


def random_ends(decision: Decision, players: int, seat: int, sources: int, placed: bool) -> NDArray[Any]:
    """Return the ends of hands (n, 2) after the choice taken and the reviewer's, which are better or worse."""
    random = np.random.default_rng(decision.number)
    better = random.permutation([0.0, 0.8])
    found = []
    for number, action in enumerate((decision.done, decision.advice.best)):
        hands = _hands(random, players, seat, sources)
        if placed:
            wins = decision.option(action).name in _WINS
            hands["worth"] = -np.full(COUNT, 2.0) if wins else better[number] - 2 - random.random(COUNT)
        else:
            hands["points"] += 10_000 * better[number]
            hands["worth"] = hands["points"]
        found.append(hands)
    return np.stack(found, axis=1)


def playouts_of(rules: Any, decision: Decision, seat: int, hands: NDArray[Any], placed: bool) -> Playouts:
    """Return the results of playouts that end so, as if they were decided."""
    options = (decision.done, decision.advice.best)
    figures = figures_of(rules, options, hands, PlayoutPlan(scale="place" if placed else None))
    return Playouts(
        seat, COUNT, proposals=COUNT, effective={}, seconds=0.0, hands=hands.size, **{**figures, "decided": True}
    )
