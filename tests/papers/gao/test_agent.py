"""Rules of the player of the thesis."""

import numpy as np
import pytest

from tests.claims import cases_of

pytest.importorskip("torch")

from janshi.papers.gao.agent import GaoAgent, is_isolated
from janshi.riichi.actions import Action
from janshi.riichi.rules import TENHOU
from janshi.tiles import kind_of, parse_tiles
from tests.papers.test_players import Fixed, kind
from tests.rules.tables import make_table, offer


def done(table, networks: Fixed) -> int:
    return int(GaoAgent(networks).act(table.decision())[0])


def test_no_kan_is_added():
    table = make_table(TENHOU, ["", "555z19m12345p789s"], "5z")
    offer(table, 0, "5z")
    table.act(Action.PON)
    table.act(kind("1m"))
    while table.actor != 1:
        table.act(Action.PASS if Action.PASS in table.legal else Action.TSUMOGIRI)
    assert Action.KAKAN + kind("5z") in table.legal
    assert done(table, Fixed("9m")) == kind("9m")


@pytest.mark.parametrize(*cases_of("messages", "a closed kan of an isolated tile"))
def test_a_closed_kan_of_an_isolated_tile(hand, tile, made):
    counts = np.bincount([kind_of(one) for one in parse_tiles(hand)], minlength=34)
    if tile:
        assert is_isolated(counts, kind(tile)) is made


def test_the_discard_of_a_riichi_keeps_tenpai():
    table = make_table(TENHOU, ["234m567p345s1179s"], "6s")
    table.act(Action.RIICHI)
    assert done(table, Fixed("2m6s9s")) == Action.TSUMOGIRI
    assert done(table, Fixed("2m9s6s")) == kind("9s")
