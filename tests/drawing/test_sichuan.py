"""Pictures of Sichuan tables contain exactly the visible information of a seat."""

from __future__ import annotations

import re
from collections import Counter
from xml.etree import ElementTree

import numpy as np
import pytest

from janshi.sichuan.agents.heuristic import HeuristicAgent
from janshi.sichuan.drawing import open_sichuan_svg, sichuan_svg
from janshi.sichuan.state import MeldForm
from janshi.table import Table
from janshi.tiles import tile_text


def played(seed: int, decisions: int, rules: str = "sichuan") -> Table:
    table, player = Table(rules, seed=seed), HeuristicAgent()
    for _ in range(decisions):
        if not table.over:
            table.act(int(player.act(table.decision())[0]))
    return table


def tiles_of(svg: str) -> Counter[str]:
    """Return the tiles on the table, without void suits and winning tiles beside the points."""
    ElementTree.fromstring(svg)
    body = svg.rpartition("</symbol>")[2]
    shown = re.sub(r'<g data-part="(?:void|win)">.*?</g>', "", body)
    return Counter(re.findall(r'href="#tile-(\w+)"', shown))


@pytest.mark.parametrize("seed", range(6))
def test_with_open_hands_every_dealt_or_drawn_tile_is_shown_once(seed: int) -> None:
    table = played(seed, 60)
    state = table.record
    tiles = tiles_of(open_sichuan_svg(table))
    wanted: Counter[str] = Counter()
    for seat in range(4):
        public = state["seats"][seat]
        for kind, count in enumerate(state["hands"][seat]["counts"].tolist()):
            wanted[tile_text(kind)] += count
        for kind in public["river"][: int(public["discards"])].tolist():
            wanted[tile_text(kind)] += 1
        for meld in public["melds"][: int(public["calls"])]:
            form = int(meld["form"])
            wanted["back"] += 2 if form == MeldForm.CONCEALED_KONG else 0
            faces = {MeldForm.PUNG: 3, MeldForm.CONCEALED_KONG: 2}.get(MeldForm(form), 4)
            wanted[tile_text(int(meld["kind"]))] += faces
    assert tiles == +wanted


def test_a_seats_picture_does_not_depend_on_hidden_information() -> None:
    for rules in ("sichuan", "sichuan-novikov", "sichuan-exchange"):
        table = played(3, 40, rules)
        before = sichuan_svg(table.view(2))
        random = np.random.default_rng(1)
        for seat in (0, 1, 3):
            table.record["hands"][seat]["counts"] = random.permutation(table.record["hands"][seat]["counts"])
        table.record["wall"] = random.permutation(table.record["wall"])
        assert sichuan_svg(table.view(2)) == before
        assert tiles_of(before)["back"] >= 3


def test_winners_and_void_suits_are_in_the_middle() -> None:
    table = played(11, 200)
    svg = sichuan_svg(table.view(1))
    assert table.over
    assert svg.count('data-part="win"') == int(table.record["winners"]) == 3
    assert svg.count('data-part="void"') == 4


def test_before_suits_are_void_only_the_own_hand_is_shown() -> None:
    table = Table("sichuan", seed=1)
    tiles = tiles_of(sichuan_svg(table.view(3)))
    assert tiles["back"] == 14 + 13 + 13
    assert sum(tiles.values()) == 53


def test_an_unknown_seat_is_refused() -> None:
    with pytest.raises(ValueError, match="no seat 4"):
        open_sichuan_svg(Table("sichuan"), seat=4)
