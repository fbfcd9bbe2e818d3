"""Values of waits and offered wins in Riichi, as `janshi.review.model.Worth`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Batch, row
from janshi.review.model import FanCount, Worth
from janshi.riichi.hands.payments import tsumo_payment
from janshi.riichi.hands.score import evaluated, score_of
from janshi.riichi.rules import Rules
from janshi.riichi.state import Winning
from janshi.tiles import EAST, to_mjai


def worth_of_waits(hand: NDArray[Any], kinds: Sequence[int], rules: Rules) -> list[Worth]:
    """Return the values of wins by ron on some kinds, without honba and yaku of chance.

    ``hand``: one record `janshi.riichi.state.Winning` as an array (1), without the winning tile. A wait without a yaku
    has no points. Kinds of which no tile can be left are left out.

    >>> from janshi.riichi.hands import new_winnings
    >>> from janshi.riichi.rules import preset
    >>> hand = np.asarray(new_winnings(1))
    >>> hand["counts"][0] = [0, 1, 1] + 9 * [0] + [1, 1, 1] + 3 * [0] + [3, 3] + 13 * [0] + [2]    # 23m456p111222s77z
    >>> [(worth.tile, worth.points, worth.each) for worth in worth_of_waits(hand, [0, 3], preset("tenhou"))]
    [('1m', 0, 700), ('4m', 0, 700)]
    """
    possible = [kind for kind in kinds if hand["counts"][0, kind] < 4]
    hands = np.repeat(hand, 2 * len(possible))
    numbers = np.arange(len(hands))
    hands["kind"] = np.repeat(possible, 2)
    hands["counts"][numbers, hands["kind"]] += 1
    hands["tsumo"] = numbers % 2
    values, wins, faults = evaluated(hands, rules)
    worths = []
    for ron in np.flatnonzero((faults == 0) & (numbers % 2 == 0)).tolist():
        each = each_of(values[ron + 1], hands[ron + 1], rules) if wins[ron + 1] else 0
        if wins[ron]:
            worths.append(worth_of(values[ron], winning_row(hands, ron), rules, each))
        else:
            worths.append(Worth(to_mjai(int(hands[ron]["kind"])), 0, 0, each, []))
    return worths


def winning_row(hands: NDArray[Any], number: int = 0) -> Winning:
    """Return one of some `Winning` records with attributes, which change the array."""
    return row(cast("Batch[Winning]", hands), number)


def worth_of(value: Any, hand: Winning, rules: Rules, each: int) -> Worth:
    """Return a `janshi.riichi.state.Value` of a hand with yaku as plain data, without honba."""
    score = score_of(value, hand, rules)
    fans = [FanCount(yaku.name, han) for yaku, han in score.yaku]
    return Worth(to_mjai(int(hand.kind)), sum(fan.fan for fan in fans), score.points, each, fans)


def each_of(value: Any, hand: Any, rules: Rules) -> int:
    """Return the payment of each non-dealer for a self-draw."""
    deals = int(hand["seat_wind"]) == EAST
    return int(tsumo_payment(int(value["basic"]), deals, False, rules.players, rules.tsumo_loss))
