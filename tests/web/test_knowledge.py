"""Information derived from a seat's events equals the engine's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("fastapi")

from janshi.riichi.hands import ukeire_arrays
from janshi.riichi.state import Phase
from janshi.tiles import kind_of, to_mjai
from janshi.web.game_table import GameTable
from tests.web.test_hidden import RIICHI, game


def check(table: GameTable) -> None:
    """Compare with the engine when the table waits for the player, in the same state as the shown one."""
    if table.ask is None or table.screen.knowledge is None or table.screen.own is None:
        return
    mine, own = table.screen.knowledge, table.screen.own
    view: Any = np.asarray(table.tables.views([0], [table.setup.seat]))[0]
    hand, seat = view["hand"], view["seats"][table.setup.seat]
    assert mine.hand.tolist() == hand["counts"].tolist()
    waits = [kind for kind in range(34) if int(hand["waits"]) >> kind & 1]
    assert [accepted.tile for accepted in own.waits] == [to_mjai(kind) for kind in waits]
    if waits:
        furiten = int(hand["missed"]) != 0 or int(hand["waits"]) & int(seat["river_mask"]) != 0
        assert (own.shanten, own.furiten) == (0, furiten)
    if int(view["phase"]) == Phase.TURN:
        check_discards(table, view)


def check_discards(table: GameTable, view: Any) -> None:
    """Compare the hand after each discard."""
    assert table.ask is not None
    assert table.screen.knowledge is not None
    visible = table.screen.knowledge.visible
    calls = int(view["seats"][table.setup.seat]["calls"])
    after = ukeire_arrays(view["hand"]["counts"][None], visible, calls=calls, players=table.setup.rules.players)
    left = {discard.tile: sum(wait.left for wait in discard.waits) for discard in table.ask.discards}
    for option in table.ask.options:
        if option.name == "discard":
            action = int(view["drawn"]) if option.tsumogiri else option.action
            slot = kind_of(action)
            tenpai = int(after.shanten[0, slot]) == 0
            assert (option.tile in left) == tenpai
            assert not tenpai or left[str(option.tile)] == int(after.left[0, slot])


@pytest.mark.parametrize("number", range(8))
def test_waits_and_furiten_are_the_engines(number: int) -> None:
    game(RIICHI, 20_000 + number, "east", watch=check)
