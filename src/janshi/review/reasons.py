"""Reasons for one of two choices, from the playouts of both, and what the reasons come from.

Figures count where their 95 % intervals differ, and causes where they speak for the better choice. Nothing else is
claimed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

import numpy as np

from janshi.review.model import Cause, DealtInTo, Decision, Ends, Reason, Stakes, WonOn, WonWith
from janshi.rollout.ends import SourceOfWins
from janshi.rollout.playouts import OptionResult
from janshi.say.names import ActionName, CauseKind, ReasonKind, Safety
from janshi.statistics import Estimate, rate

#: Share of the most important reason below which another one is left out.
_MINOR: Final = 0.25
#: Yaku named at most.
_MOST_YAKU: Final = 2
_WINS: Final[set[ActionName]] = {"tsumo", "ron", "win"}
#: Discards from the safest on: a pair of honours can wait for ``scarce`` ones.
_SAFEST: Final[tuple[Safety, ...]] = ("safe", "no_chance", "suji", "scarce", "one_chance", "open")


@dataclass(frozen=True, slots=True)
class Pair:
    """The results of a choice and of the reviewer's."""

    done: OptionResult
    best: OptionResult
    worse: bool
    """True if the reviewer's choice is the better one."""

    @property
    def sign(self) -> int:
        """1 if a higher figure of the reviewer's choice speaks for the better one, else −1."""
        return 1 if self.worse else -1

    def parts(self) -> dict[ReasonKind, float]:
        """Return the points of the hand that differences of figures are worth to the reviewer's choice.

        A difference of chances counts with the mean of what they bring, and a difference of what they bring with the
        mean of the chances.
        """
        done, best = self.done, self.best
        draw, others = (done.ends.draw, best.ends.draw), (done.ends.others, best.ends.others)
        paid, lost = (done.ends.draw_points, best.ends.draw_points), (done.ends.others_points, best.ends.others_points)
        return {
            "win": apart(done.win, best.win) * between(done.value, best.value),
            "value": apart(done.value, best.value) * between(done.win, best.win),
            "deal_in": -apart(done.deal_in, best.deal_in) * between(done.price, best.price),
            "price": -apart(done.price, best.price) * between(done.deal_in, best.deal_in),
            "draw": apart(*paid) * between(*draw),
            "others": apart(*others) * between(*lost),
        }


def reasons_of(pair: Pair, decision: Decision, stakes: Stakes) -> list[Reason]:
    """Return at most two figures that explain why one of two choices is better, with their causes.

    If no figure differs, the difference in points or place itself is the reason. A win that fixes the final place comes
    first.
    """
    gains = {kind: pair.sign * points for kind, points in pair.parts().items() if pair.sign * points > 0}
    most = max(gains.values(), default=0.0)
    ranked = sorted(gains, key=lambda kind: -gains[kind])
    chosen: list[ReasonKind] = [kind for kind in ranked if gains[kind] >= _MINOR * most][:2]
    if not chosen:
        by_points = pair.best.placement is None or pair.sign * apart(pair.done.points, pair.best.points) > 0
        chosen = ["points" if by_points else "place"]
    fixed = _fixes(pair, decision)
    if fixed and "place" not in chosen:
        chosen = ["place", *chosen[:1]]
    return [
        Reason(kind, _figure(pair.done, kind), _figure(pair.best, kind), list(_causes(kind, pair, decision, stakes)))
        for kind in chosen
    ]


def apart(done: Estimate, best: Estimate) -> float:
    """Return the difference of two figures, 0 if chance may explain it or one is missing."""
    difference = best.value - done.value
    chance = math.hypot(done.high - done.low, best.high - best.low) / 2
    return difference if abs(difference) > chance else 0.0


def between(done: Estimate, best: Estimate) -> float:
    """Return the mean of two figures, without one that is missing; 0 without both."""
    known = [each.value for each in (done, best) if not math.isnan(each.value)]
    return sum(known) / len(known) if known else 0.0


def _figure(option: OptionResult, kind: ReasonKind) -> float:
    if kind == "place":
        assert option.placement is not None, "the plan names a scale"
        return round(-option.placement.value, 4)
    if kind in ("draw", "others"):
        ends = option.ends
        return round(ends.draw_points.value) if kind == "draw" else round(ends.others.value, 4)
    estimate: Estimate = getattr(option, kind)
    return round(estimate.value, 4) if kind in ("win", "deal_in") else round(estimate.value)


# ---------------------------------------------------------------------------------------------------------
# Causes


def _causes(kind: ReasonKind, pair: Pair, decision: Decision, stakes: Stakes) -> Iterator[Cause]:
    """Yield what a reason comes from."""
    if kind == "win":
        yield from _speed(pair, decision, stakes)
    elif kind == "value":
        yield from _yaku(pair)
        yield from _needs(stakes)
    elif kind == "deal_in":
        yield from _dealt_to(pair, decision)
    elif kind == "draw":
        yield from _figures("tenpai", pair, pair.done.ends.tenpai, pair.best.ends.tenpai)
    elif kind in ("points", "place"):
        yield from _placement(pair, decision, stakes)


def _figures(kind: CauseKind, pair: Pair, done: Estimate, best: Estimate) -> Iterator[Cause]:
    """Yield a figure of both options if the better choice's is higher by more than chance."""
    if pair.sign * apart(done, best) > 0:
        yield Cause(kind, round(done.value, 4), round(best.value, 4))


def _speed(pair: Pair, decision: Decision, stakes: Stakes) -> Iterator[Cause]:
    """Yield by what the hand after the better choice is faster, most important first."""
    actions = (pair.done.action, pair.best.action)
    worse, better = actions if pair.worse else actions[::-1]
    if worse in stakes.yakuless and better not in stakes.yakuless:
        yield Cause("yakuless")
    done, best = (_hand_after(decision, action) for action in actions)
    if done is None or best is None:
        return
    slower, faster = (done, best) if pair.worse else (best, done)
    if slower.furiten and not faster.furiten:
        yield Cause("furiten")
    if faster.shanten < slower.shanten:
        yield Cause("shanten", done.shanten, best.shanten)
    elif faster.shanten == slower.shanten and faster.left > slower.left > 0:
        yield Cause("ukeire" if faster.shanten else "wait", done.left, best.left)


@dataclass(frozen=True, slots=True)
class _HandAfter:
    shanten: int
    left: int
    """Tiles that lower the shanten or complete the hand."""
    furiten: bool


def _hand_after(decision: Decision, action: int) -> _HandAfter | None:
    """Return the hand after an action; None if unknown.

    A declaration without a tile, as of riichi, is followed by the discard that keeps the widest wait.
    """
    advice, option = decision.advice, decision.option(action)
    declares = option.tile is None and option.name not in {"pass", *_WINS}
    for candidate in advice.candidates:
        if action in candidate.actions or (declares and candidate.shanten == 0):
            return _HandAfter(candidate.shanten, candidate.left, candidate.furiten)
    for after in advice.after:
        if after.action == action:
            return _HandAfter(after.shanten, after.left, False)
    return _HandAfter(advice.shanten, 0, False) if option.name == "pass" else None


def _yaku(pair: Pair) -> Iterator[Cause]:
    """Yield the yaku and dora that make the better choice's wins worth more, or their han."""
    done, best = pair.done.ends.sources, pair.best.ends.sources
    gains: dict[str, float] = {}
    for name in done.keys() | best.keys():
        own, other = _source(done, name, pair.done), _source(best, name, pair.best)
        if apart(own.share, other.share):
            gains[name] = pair.sign * apart(own.han, other.han)
    named = sorted((name for name in gains if gains[name] > 0), key=lambda name: (-gains[name], name))
    for name in named[:_MOST_YAKU]:
        own, other = _source(done, name, pair.done), _source(best, name, pair.best)
        figures = (own.han, other.han) if "dora" in name else (own.share, other.share)
        yield Cause("yaku", round(figures[0].value, 4), round(figures[1].value, 4), name)
    if not named:
        yield from _figures("han", pair, pair.done.ends.han, pair.best.ends.han)


def _source(sources: Mapping[str, SourceOfWins], name: str, option: OptionResult) -> SourceOfWins:
    """Return a source of an option's wins, also one that no win had."""
    nothing = rate(np.zeros(option.value.count, np.bool_))
    return sources.get(name, SourceOfWins(nothing, nothing))


def _dealt_to(pair: Pair, decision: Decision) -> Iterator[Cause]:
    """Yield to whom the worse choice deals in more often, and the safety of the two discards against that seat."""
    figures = {
        seat: (_rate_to(pair.done, seat), _rate_to(pair.best, seat))
        for seat in sorted(pair.done.ends.dealt_to.keys() | pair.best.ends.dealt_to.keys())
    }
    more = {seat: -pair.sign * apart(*both) for seat, both in figures.items()}
    seat = max(more, key=lambda each: more[each], default=-1)
    if more.get(seat, 0.0) <= 0:
        return
    done, best = figures[seat]
    yield Cause("seat", round(done.value, 4), round(best.value, 4), seat=seat)
    safety = [_safety(decision, option.action, seat) for option in (pair.done, pair.best)]
    known = [each for each in safety if each is not None]
    if len(known) == 2 and pair.sign * (_SAFEST.index(known[0]) - _SAFEST.index(known[1])) > 0:
        yield Cause("safety", seat=seat, safety=known)


def _rate_to(option: OptionResult, seat: int) -> Estimate:
    """Return an option's rate of deal-ins to a seat."""
    found = option.ends.dealt_to.get(seat)
    return rate(np.zeros(option.deal_in.count, np.bool_)) if found is None else found.rate


def _safety(decision: Decision, action: int, seat: int) -> Safety | None:
    """Return the safety of a discard against a seat; None for other actions and seats not in riichi."""
    for candidate in decision.advice.candidates:
        if action in candidate.actions:
            return candidate.safety.get(str(seat))
    return None


def _fixes(pair: Pair, decision: Decision) -> list[int | None]:
    """Return the final places that the choice taken and the reviewer's fix by a win; none if neither does."""
    places: list[int | None] = []
    for option in (pair.done, pair.best):
        place = option.placement
        wins = decision.option(option.action).name in _WINS
        sure = wins and place is not None and place.low == place.high and place.value == round(place.value)
        places.append(-round(place.value) if place is not None and sure else None)
    return places if any(places) else []


def _placement(pair: Pair, decision: Decision, stakes: Stakes) -> Iterator[Cause]:
    """Yield the places that a win fixes, and in the last hand what the next better place needs."""
    fixed = _fixes(pair, decision)
    if fixed:
        yield Cause("fixes", fixed[0], fixed[1])
    yield from _needs(stakes, min((place for place in fixed if place is not None), default=None))


def _needs(stakes: Stakes, held: int | None = None) -> Iterator[Cause]:
    """Yield what the place better than the present one, or than one held, needs."""
    better = (need for need in stakes.needs if held is None or need.place < held)
    yield from (Cause("needs", need=need) for need in islice(better, 1))


# ---------------------------------------------------------------------------------------------------------
# Both options in figures

_ROWS: Final[dict[str, Callable[..., Any]]] = {"yaku": WonWith, "tiles": WonOn, "to": DealtInTo}


def ends_of(option: OptionResult) -> Ends:
    """Return how the hand ends after an option as plain data."""
    words = option.ends.words
    rows = {name: [model(**row) for row in words[name]] for name, model in _ROWS.items()}
    return Ends(**{**words, **rows})
