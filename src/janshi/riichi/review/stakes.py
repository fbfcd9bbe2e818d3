"""What a decision is about beside the tiles: tenpai hands without a yaku, and wins that the last hand needs.

>>> from janshi.riichi.rules import preset
>>> rules = preset("tenhou")
>>> after_win(rules, [31_000, 29_000, 22_000, 18_000], _Win(seat=2, dealer=3, payer=1, basic=2_000))
[31000, 21000, 30000, 18000]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from janshi.core.places import final_ranks
from janshi.review.advising import question_of
from janshi.review.model import Candidate, Need
from janshi.review.reviewing import Stakes
from janshi.riichi.hands.payments import ron_payment, tsumo_payment
from janshi.riichi.rules import Length, Rules
from janshi.table import DecisionBatch
from janshi.tiles import from_mjai, kind_of

#: Basic points of mangan, haneman, baiman, sanbaiman and yakuman.
_LIMITS: Final = (2_000, 3_000, 4_000, 6_000, 8_000)
#: Fu of hands won by ron; chiitoitsu has 25, and pinfu by tsumo 20.
_FU: Final = range(30, 120, 10)


def basics(tsumo: bool) -> list[int]:
    """Return the basic points of all hands up to a yakuman, ascending.

    >>> [ron_payment(basic, False) for basic in basics(tsumo=False)][:6]
    [1000, 1300, 1600, 2000, 2300, 2600]
    """
    fu = [(han, fu) for fu in _FU for han in (1, 2, 3, 4)] + [(han, 25) for han in (2, 3, 4)]
    if tsumo:
        fu += [(han, 20) for han in (2, 3, 4)]
    found = {each * 2 ** (han + 2) for han, each in fu}
    return sorted({basic for basic in found if basic < _LIMITS[0]} | set(_LIMITS))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Win:
    seat: int
    dealer: int
    payer: int | None
    """None: a tsumo."""
    basic: int

    def payments(self, rules: Rules) -> list[int]:
        """Return what each seat pays for the hand, without honba."""
        paid = [0] * rules.players
        for seat in range(rules.players):
            if self.payer is None and seat != self.seat:
                dealt = self.seat == self.dealer, seat == self.dealer
                paid[seat] = int(tsumo_payment(self.basic, *dealt, rules.players, rules.tsumo_loss))
            elif seat == self.payer:
                paid[seat] = int(ron_payment(self.basic, self.seat == self.dealer))
        return paid


def after_win(rules: Rules, points: Sequence[int], win: _Win, honba: int = 0, deposits: int = 0) -> list[int]:
    """Return the points after a win; ``deposits``: riichi sticks on the table."""
    each = rules.honba_each if win.payer is None else rules.honba_ron
    paid = [number + each * honba if number else 0 for number in win.payments(rules)]
    left = [own - number for own, number in zip(points, paid, strict=True)]
    left[win.seat] += sum(paid) + 1000 * deposits
    return left


def stakes_of(batch: DecisionBatch, candidates: Sequence[Candidate]) -> Stakes:
    """Return what a decision is about: see `janshi.review.reviewing.Stakes`."""
    view = np.asarray(batch.views)[0]
    return Stakes(needs=_needs(batch.rules, view), yakuless=_yakuless(batch, candidates))


# ---------------------------------------------------------------------------------------------------------
# The last hand


def _needs(rules: Rules, view: Any) -> list[Need]:
    """Return what a win needs for each better place than the present one, the nearest first.

    There are none before the last hand of the last wind, and for a dealer who goes on after a win.
    """
    seat, dealer = int(view["seat"]), int(view["dealer"])
    winds = {Length.EAST: 1, Length.EAST_SOUTH: 2}.get(rules.length)
    if winds is None or int(view["kyoku"]) < 4 * (winds - 1) + rules.players - 1:
        return []
    if seat == dealer and not rules.dealer_stops_leading:
        return []
    points = view["seats"]["points"][: rules.players].tolist()
    present = final_ranks(np.array([points]))[0].tolist()
    others = [each for each in range(rules.players) if each != seat]

    def least(place: int, payers: Sequence[int | None]) -> int | None:
        """Return the value of the cheapest hand that holds a place, whoever of the payers pays."""
        for basic in basics(tsumo=payers == [None]):
            wins = [_Win(seat=seat, dealer=dealer, payer=payer, basic=basic) for payer in payers]
            after = [after_win(rules, points, win, int(view["honba"]), int(view["deposits"])) for win in wins]
            if all(_ends(rules, view, each) and final_ranks(np.array([each]))[0][seat] <= place for each in after):
                return max(sum(win.payments(rules)) for win in wins)
        return None

    return [
        Need(place, least(place, others), least(place, [present.index(place)]), least(place, [None]))
        for place in range(present[seat] - 1, 0, -1)
    ]


def _ends(rules: Rules, view: Any, points: Sequence[int]) -> bool:
    """Return whether the game ends after a win of the view's seat in the last hand, by the points after it."""
    if rules.tobi and min(points) < 0:
        return True
    reached = max(points) >= rules.target
    if int(view["seat"]) == int(view["dealer"]):
        return reached and points.index(max(points)) == int(view["dealer"])
    return reached or not rules.extension


# ---------------------------------------------------------------------------------------------------------
# Yaku


def _yakuless(batch: DecisionBatch, candidates: Sequence[Candidate]) -> set[int]:
    """Return the discards that leave a tenpai hand which cannot win by ron on any wait for want of a yaku."""
    tenpai = question_of(batch)["discards"]
    kinds = {kind_of(from_mjai(each["tile"])) for each in tenpai if not any(worth.points for worth in each["worth"])}
    return {action for each in candidates if kind_of(from_mjai(each.tile)) in kinds for action in each.actions}
