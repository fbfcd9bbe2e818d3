"""What a seat works out from the events is what the engine knows of its hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("fastapi")

from janshi.engine.state import TURN
from janshi.hands import ukeire_arrays
from janshi.tiles import kind_of
from janshi.web.rooms import Room
from tests.web.test_hidden import game


def check(room: Room) -> None:
    """Compare with the engine where the table waits for the player: there it is no further than what is shown."""
    if room.ask is None or room.screen.knowledge is None or room.screen.own is None:
        return
    mine, own = room.screen.knowledge, room.screen.own
    view: Any = np.asarray(room._table.views([0], [room.seating.seat]))[0]
    hand, seat = view["hand"], view["seats"][room.seating.seat]
    assert mine.hand.tolist() == hand["counts"].tolist()
    waits = [kind for kind in range(34) if int(hand["waits"]) >> kind & 1]
    assert [one.tile for one in own.waits] == [one.tile for one in mine._accepted(waits, mine.hand)]
    if waits:
        furiten = int(hand["missed"]) != 0 or int(hand["waits"]) & int(seat["river_mask"]) != 0
        assert (own.shanten, own.furiten) == (0, furiten)
    if int(view["phase"]) == TURN:
        check_discards(room, view)


def check_discards(room: Room, view: Any) -> None:
    """What each discard would leave."""
    assert room.ask is not None
    assert room.screen.knowledge is not None
    visible = room.screen.knowledge.visible
    calls = int(view["seats"][room.seating.seat]["calls"])
    table = ukeire_arrays(view["hand"]["counts"][None], visible, calls=calls, players=room.seating.rules.players)
    found = {one.tile: sum(wait.left for wait in one.waits) for one in room.ask.discards}
    for option in room.ask.options:
        if option.name == "discard":
            action = int(view["drawn"]) if option.tsumogiri else option.action
            slot = kind_of(action)
            ready = int(table.shanten[0, slot]) == 0
            assert (option.tile in found) == ready
            assert not ready or found[str(option.tile)] == int(table.left[0, slot])


@pytest.mark.parametrize("number", range(8))
def test_waits_and_furiten_are_the_engines(number: int) -> None:
    game(20_000 + number, "east", watch=check)
