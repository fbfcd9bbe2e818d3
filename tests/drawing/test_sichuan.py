"""Pictures of Sichuan tables contain exactly the visible information of a seat."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from xml.etree import ElementTree

import numpy as np
import pytest

from janshi.drawing.picture import MIDDLE, PANEL
from janshi.sichuan.agents.heuristic import HeuristicAgent
from janshi.sichuan.drawing import open_sichuan_svg, sichuan_svg, sichuan_text
from janshi.sichuan.rules import PRESETS
from janshi.sichuan.state import MeldForm, Phase
from janshi.table import Table
from janshi.tiles import tile_text
from tests.claims import Row, claims
from tests.sichuan.tables import SICHUAN_WORDS, tile
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


def lines(made: Table, seat: str) -> list[str]:
    return sichuan_text(made.view(int(seat))).splitlines()


def like(text: str, wanted: str) -> bool:
    """Return whether a text has the parts between ``…``, in order and with nothing else around them."""
    return re.fullmatch(".*".join(map(re.escape, wanted.split("…"))), text, re.DOTALL) is not None


class Like(str):
    """A text that equals one with ``…`` for any part."""

    def __eq__(self, other: object) -> bool:
        return like(str(self), "\n".join(other) if isinstance(other, list) else str(other))

    __hash__ = str.__hash__


DRAWINGS = dataclasses.replace(
    SICHUAN_WORDS,
    facts={
        "text": lambda made, seat: Like("\n".join(lines(made, seat))),
        "ends": lambda made, seat: Like(lines(made, seat)[-2]),
        "river": lambda made, seat: lines(made, seat)[-1],
        "says": lambda made, what: what[2:] in "\n".join(lines(made, what[0])),
        "frames": lambda made: [frames(made, seat) for seat in range(4)],
    },
)


@pytest.mark.parametrize("row", claims("sichuan-drawings"))
def test_texts(row: Row) -> None:
    """``text``: the lines for a seat; ``ends``: the line of the seat itself, before its river."""
    DRAWINGS.check(row)


def test_a_tile_face_down_is_not_in_the_picture() -> None:
    row = {"rules": "sichuan-novikov", "wall": "dealt", "deals": "1469m258p1368s147p any any any", "voids": "mpsp"}
    made = SICHUAN_WORDS.table(row)
    SICHUAN_WORDS.play(made, "0:1m")
    tiles = tiles_of(sichuan_svg(made.view(0)))
    assert (sum(tiles.values()), tiles["1m"]) == (53, 0)


def test_every_moment_of_a_game_can_be_drawn() -> None:
    for name in PRESETS:
        made = Table(name, seed=3)
        random = np.random.default_rng(3)
        while not made.hand_over:
            for seat in range(4):
                lines = sichuan_text(made.view(seat)).splitlines()
                assert len(lines) == 9
                shown = [line[0] for line in lines[1::2]]
                hidden = int(made.state.phase) == Phase.CLAIM and made.actor != seat
                assert shown.count(">") == (0 if hidden else 1)
            made.act(int(random.choice(made.legal)))
        assert "hand over" in sichuan_text(made.view(0)).splitlines()[0]


# ---------------------------------------------------------------------------------------------------------
# Layout


def parts(svg: str, seat: int) -> str:
    """What is drawn of a seat."""
    return svg.partition(f'<g data-seat="{seat}"')[2].partition("<g data-seat=")[0]


def numbers(pattern: str, text: str) -> list[float]:
    found = re.search(pattern, text)
    assert found is not None, pattern
    return [float(value) for value in found.groups()]


def test_the_void_suit_and_the_win_stand_evenly_beside_the_points() -> None:
    made = laid(["3s7s", "123456789m1299s", "123456789p1299s", ""], "spmm", draws="8s")
    SICHUAN_WORDS.play(made, "0:3s 1:win 2:win")
    seat = parts(sichuan_svg(made.view(0)), 1)
    tile_of = r'<use href="#tile-{}" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"'
    x, y, width, height = numbers(tile_of.format("1p"), seat)
    won_x, *won = numbers(tile_of.format("3s"), seat)
    assert won == [y, width, height]
    assert MIDDLE - x == won_x + width - MIDDLE, "as far from the middle"
    assert MIDDLE + PANEL - 45 < y < y + height < MIDDLE + PANEL - 10, "within the edge"
    centre = y + height / 2
    left, low, right, high = numbers(r'd="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)" stroke="#d4242e"', seat)
    assert (x - left, right - x - width) == (3, 3), "crossed out beyond both sides"
    assert abs((low + high) / 2 - centre) < 0.3
    assert low - high > height
    disc_x, disc_y, radius = numbers(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"', seat)
    assert abs(disc_y - centre) < 1
    assert 0 < won_x - disc_x - radius < 5, "the disc beside the tile"
    letters = re.findall(r"translate\(([\d.]+) ([\d.]+)\)scale\(([\d.]+)\)", seat)
    points_x, points_y, size = map(float, letters[0])
    assert MIDDLE - 8 < points_x < MIDDLE
    assert abs(points_y + 6 * size - centre) < 2
    place_x, place_y, size = map(float, letters[1])
    assert abs(place_x - disc_x) < 3, "its number inside"
    assert abs(place_y + 6 * size - disc_y) < 0.1


def test_the_seat_that_decides_is_marked() -> None:
    made = laid(["99m2222s55678p113s", "", "", ""], "mpps")
    svg = sichuan_svg(made.view(0))
    marked = [seat for seat in range(4) if 'width="140" height="4.5"' in parts(svg, seat)]
    assert marked == [0]
    (y,) = numbers(r'y="([\d.]+)" width="140" height="4.5"', parts(svg, 0))
    assert y + 4.5 == MIDDLE + PANEL


def frames(made: Table, seat: int) -> int:
    """Framed tiles in a seat's river."""
    return parts(sichuan_svg(made.view(0)), seat).count('fill="none" stroke="#f6b73c" stroke-width="3"')


@pytest.mark.parametrize(
    ("who", "discarder", "turned"), [(0, 1, 2), (0, 2, 1), (0, 3, 0), (1, 2, 2), (1, 3, 1), (1, 0, 0)]
)
def test_the_called_tile_lies_on_the_side_of_its_seat(who: int, discarder: int, turned: int) -> None:
    made = Table("sichuan", seed=1)
    seat, meld = made.record["seats"][who], made.record["seats"][who]["melds"][0]
    seat["calls"], meld["form"], meld["kind"], meld["discarder"] = 1, MeldForm.PUNG, tile("5p"), discarder
    made.record["hands"][who]["counts"][tile("5p")] = 0
    shown = re.findall(r'<use href="#tile-5p"([^>]*)>', parts(sichuan_svg(made.view(who)), who))
    assert ["rotate" in place for place in shown] == [place == turned for place in range(3)]
