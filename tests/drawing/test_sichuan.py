"""Pictures of Sichuan tables contain exactly the visible information of a seat."""

from __future__ import annotations

import re
from collections import Counter
from xml.etree import ElementTree

import numpy as np
import pytest

from janshi.sichuan.actions import Action
from janshi.sichuan.agents.heuristic import HeuristicAgent
from janshi.sichuan.drawing import open_sichuan_svg, open_sichuan_text, sichuan_svg, sichuan_text
from janshi.sichuan.state import MeldForm
from janshi.table import Table
from janshi.tiles import tile_text
from tests.sichuan.tables import discard, play_out, tile, until, wall
from tests.sichuan.tables import table as laid


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


# ---------------------------------------------------------------------------------------------------------
# Text


def lines(made: Table, seat: int) -> list[str]:
    return sichuan_text(made.view(seat)).splitlines()


def test_a_table_as_text_with_melds_rivers_and_void_suits() -> None:
    made = laid(["9m2222s55678p1139s", "5p444s", "999s333m", "7p"], "mpps", last="9p4s")
    made.act(Action.OWN_KONG + tile("2s"))
    discard(made, "5p")
    assert lines(made, 0)[0] == "53 tiles left, seat 0 deals, a tile may be claimed, 5p of seat 1"
    assert lines(made, 0)[-2:] == [
        "> seat 0     6, characters void  55678p11349s  [2222s concealed]",
        "    river 9m",
    ]
    made.act(Action.PUNG)
    made.act(tile("9s"))
    assert lines(made, 1) == [
        "53 tiles left, seat 0 deals, a tile may be claimed, 9s of seat 0",
        "  seat 2    -2, dots void  13 tiles",
        "    river –",
        "  seat 3    -2, bamboo void  13 tiles",
        "    river –",
        "  seat 0     6, characters void  7 tiles  [2222s concealed]  [555p from 1]",
        "    river 9m 9s",
        "  seat 1    -2, dots void  1m111122223p444s",
        "    river 5p^",
    ]
    made.act(Action.EXPOSED_KONG)
    assert "> seat 2     0, dots void  11 tiles  [9999s from 0]" in lines(made, 0)
    assert "> seat 2     0, dots void  333m3334444p + 9p  [9999s from 0]" in open_sichuan_text(made).splitlines()


def test_an_added_kong_names_the_discarder_of_its_pung() -> None:
    made = laid(["3s", "", "33s114679p25789p", ""], "spms", draws="8s7s4m3s")
    discard(made, "3s")
    made.act(Action.PUNG)
    discard(made, "1p")
    until(made, 2).act(Action.OWN_KONG + tile("3s"))
    assert lines(made, 2)[-2].endswith("[3333s from 0]")


def test_the_tile_just_drawn_stands_apart() -> None:
    made = laid(["99m2222s55678p113s", "", "", ""], "mpps")
    assert lines(made, 0)[-2].endswith("9m55678p1122223s + 9m")
    assert lines(made, 1)[-4].endswith("characters void  14 tiles")


def test_a_tile_face_down_is_shown_to_its_seat_alone() -> None:
    made = Table("sichuan-novikov", wall=wall(["1469m258p1368s147p", "", "", ""], "mpsp"))
    assert lines(made, 0)[0] == "55 tiles left, seat 0 deals, suits are voided"
    made.act(tile("1m"))
    assert "characters void  469m" in lines(made, 0)[-2]
    assert lines(made, 0)[-2].endswith("(face down 1m)")
    assert not any("face down" in line or "characters" in line for line in lines(made, 1))


def test_wins_are_listed_with_points_and_fans() -> None:
    made = laid(["3s7s", "123456789m1299s", "123456789p1299s", ""], "spmm", draws="8s")
    discard(made, "3s")
    made.act(Action.WIN)
    made.act(Action.WIN)
    won = [line for line in open_sichuan_text(made).splitlines() if "has won" in line]
    assert won == [
        f"  seat {seat}     1, {suit} void  123456789{tiles}1299s  has won on 3s from 0, 1 points: no fan"
        for seat, suit, tiles in ((1, "dots", "m"), (2, "characters", "p"))
    ]
    assert lines(made, 0)[-1] == "    river 3s*"
    made = laid(["", "123456789m1299s", "", ""], "spmm", draws="3s")
    made.act(made.legal[-1])
    made.act(Action.WIN)
    assert "    51, dots void  123456789m12399s  has won on 3s self-drawn, 16 points: earth" in open_sichuan_text(made)
    assert lines(play_out(made), 2)[0] == "0 tiles left, seat 0 deals, hand over: the wall is empty"


def test_a_hand_of_three_wins_says_so() -> None:
    made = laid(["3s", "123456789m1299s", "123456789p1299s", ""], "spms")
    made.record["winners"] = 1
    made.record["seats"]["won"][3] = 1
    discard(made, "3s")
    made.act(Action.WIN)
    made.act(Action.WIN)
    assert lines(made, 0)[0].endswith("hand over: three have won")
