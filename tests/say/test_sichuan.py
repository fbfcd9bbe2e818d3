"""What a table of Sichuan mahjong says to a seat: its hand and its options as the engine values them, and advice."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from janshi.compiling import row, zeros
from janshi.review.advising import own_of, question_of
from janshi.sichuan.actions import Action
from janshi.sichuan.agents import EfficientAgent
from janshi.sichuan.analysis import TileCounts, count_tiles
from janshi.sichuan.hands.score import new_hands, value_waits
from janshi.sichuan.state import Fan, Phase
from janshi.table import Table
from janshi.tiles import to_mjai
from tests.cases import mostly_long
from tests.sichuan.tables import PASS, PUNG, WIN, discard, table, tile, until


def worth(made: Table) -> Any:
    """The worth of the win that the actor may take."""
    return question_of(made.decision())["win"]


def own(made: Table, seat: int) -> Any:
    """What a seat knows of its hand."""
    return own_of(made.rules, made._tables.views([0], [seat]))


def left(waiting: Any) -> dict[str, int]:
    """The tiles left of each wait."""
    return {wait.tile: wait.left for wait in waiting["waits"]}


def points(waiting: Any) -> dict[str, int]:
    """The points of each wait."""
    return {worth.tile: worth.points for worth in waiting["worth"]}


# ---------------------------------------------------------------------------------------------------------
# The engine's values


def check(made: Table, hand: Any, waiting: Any, visible: Any) -> None:
    """Compare waits with those of a hand of 13 tiles."""
    values = value_waits(hand, made.rules)[0]
    kinds = np.flatnonzero(values).tolist()
    assert points(waiting) == {to_mjai(kind): values[kind] for kind in kinds}
    assert left(waiting) == {to_mjai(kind): 4 - visible[kind] for kind in kinds}


def compare(made: Table, seat: int) -> bool:
    """Compare what is said of a seat's hand; return whether it waits."""
    views = made._tables.views([0], [seat])
    view, hand, counts, known = row(views), new_hands(1), row(zeros(TileCounts, 1)), own(made, seat)
    count_tiles(view, counts)
    for name in ("pungs", "kongs"):
        hand[name] = view.seats[seat][name]
    hand["void"], hand["counts"] = view.hand.void, view.hand.counts
    if view.hand.laid >= 0:
        hand["counts"][0, view.hand.laid] += 1
    if made.actor == seat and view.phase == Phase.TURN:
        discards = {}
        for kind in (kind for kind in range(27) if kind in made.legal):
            after = hand.copy()
            after["counts"][0, kind] -= 1
            if (value_waits(after, made.rules) > 0).any():
                discards[to_mjai(kind)] = after
        asked = question_of(made.decision())["discards"]
        assert [one["tile"] for one in asked] == list(discards)
        for one in asked:
            check(made, discards[one["tile"]], one, counts.visible)
    if made.actor == seat and view.phase == Phase.TURN and view.drawn < 0:
        assert known is None
        return False
    if view.drawn >= 0:
        hand["counts"][0, view.drawn] -= 1
    check(made, hand, known, counts.visible)
    return bool(known["waits"])


@pytest.mark.parametrize(
    ("rules", "hands"),
    mostly_long(
        [(rules, count) for count in (5, 300) for rules in ("sichuan", "sichuan-exchange", "sichuan-novikov")],
        lambda rules, hands: hands == 5,
    ),
)
def test_waits_and_wins_have_the_values_of_the_engine(rules: str, hands: int) -> None:
    player, waited, wins = EfficientAgent(), 0, 0
    for seed in range(hands):
        made, offered = Table(rules, seed=seed), {}
        while not made.hand_over:
            if int(made.state.phase) in (Phase.TURN, Phase.CLAIM):
                others = [seat for seat in range(4) if not made.state.seats[seat].won and seat != made.actor]
                waited += sum(compare(made, seat) for seat in (made.actor, others[seed % len(others)]))
            if WIN in made.legal:
                offered[made.actor] = worth(made)
            made.act(WIN if WIN in made.legal else int(player.act(made.decision())[0]))
        for win in made.record["wins"][: int(made.record["winners"])]:
            value, said = win["value"], offered[int(win["seat"])]
            assert (said.tile, said.points, said.fan) == (to_mjai(int(win["tile"])), value["points"], value["fan"])
            assert {fan.name for fan in said.fans} == {fan.name.lower() for fan in Fan if value["times"][fan]}
            wins += 1
    assert waited > hands
    assert wins > hands


# ---------------------------------------------------------------------------------------------------------
# The own hand


def test_waits_are_counted_after_every_discard_with_their_worth() -> None:
    made = table(["3s", "123456789m1299s", "", ""], "spmm")
    assert (left(own(made, 1)), points(own(made, 1))) == ({"3s": 4}, {"3s": 1})
    discard(made, "3s")
    assert (left(own(made, 1)), own(made, 1)["shanten"]) == ({"3s": 3}, 0)
    assert own(made, 3)["shanten"] > 0 == len(own(made, 3)["waits"])


def test_who_has_won_waits_no_more_and_a_robbed_tile_is_visible() -> None:
    made = table(["3s", "123456789m1299s", "33s1469p25789p14p", ""], "spms", draws="8s7s4m3s")
    for action in (tile("3s"), PASS, PUNG, tile("1p")):
        made.act(action)
    until(made, 2)
    made.record["hands"]["passed"][1] = 0
    made.act(Action.OWN_KONG + tile("3s"))
    assert left(own(made, 1)) == {"3s": 0}
    made.act(WIN)
    assert own(made, 1) == {"shanten": -1, "waits": [], "furiten": False, "worth": []}
