"""Pictures of tables contain exactly the visible information of a seat."""

import random
import re
from collections import Counter
from itertools import combinations
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from janshi.drawing.picture import SIZE, table_pixels
from janshi.riichi.actions import Action
from janshi.riichi.agents import EfficientAgent
from janshi.riichi.drawing.snapshot import snapshot_of_table, snapshot_of_view
from janshi.riichi.drawing.table import open_table_svg, table_svg, table_text
from janshi.riichi.state import Ending, MeldForm, Phase
from janshi.table import Table, Tables
from janshi.tiles import format_tiles, kind_of, tile_text

SVG = "{http://www.w3.org/2000/svg}"
RULES = ("tenhou-sanma", "tenhou", "mahjong-soul-sanma", "mahjong-soul")
#: Actions preferred in random play, so that pictures contain them.
CALLS = (
    Action.KYUUSHU_KYUUHAI,
    Action.RIICHI,
    Action.KITA,
    Action.DAIMINKAN,
    *range(Action.CHII, Action.DAIMINKAN),
)


def play(table, dice, eager):
    """Take one decision, or begin the next hand; ``eager``: preference for calls."""
    if table.over:
        return False
    if table.hand_over:
        table.next_hand()
        return True
    legal = table.legal
    calls = [one for one in legal if one in CALLS or one >= Action.ANKAN]
    table.act(dice.choice(calls if calls and dice.random() < eager else legal))
    return True


def played(rules, seed, decisions, eager=0.5):
    table, dice = Table(rules, seed), random.Random(seed)
    for _ in range(decisions):
        play(table, dice, eager)
    return table


def play_well(table):
    """Take one decision of the efficient agent, or begin the next hand."""
    if table.over or table.hand_over:
        return play(table, random.Random(), 0)
    table.act(int(EfficientAgent().act(table.decision())[0]))
    return True


def until(rules, wanted, eager=0.5, well=False, seeds=range(100)):
    """Play until a condition holds, at random or with the efficient agent."""
    for seed in seeds:
        table, dice = Table(rules, seed), random.Random(seed)
        for _ in range(400):
            if wanted(table):
                return table
            if not (play_well(table) if well else play(table, dice, eager)):
                break
    raise AssertionError("play never came there")


def faces(svg):
    """Count the tiles of a picture by their faces."""
    return Counter(
        one.get("href").removeprefix("#tile-")
        for one in ElementTree.fromstring(svg).iter(f"{SVG}use")
        if "width" in one.attrib
    )


def hand_tiles(hand):
    """Return the tiles of a `Hand` by name."""
    found = Counter({tile_text(kind): int(count) for kind, count in enumerate(hand["counts"]) if count})
    for suit, reds in enumerate(hand["reds"]):
        for _ in range(int(reds)):
            found[tile_text(34 + suit)] += 1
            found[tile_text(4 + 9 * suit)] -= 1
    return +found


def open_tiles(state):
    """Count the open tiles, and the backs of hidden tiles outside the hands."""
    found = Counter(tile_text(int(one)) for one in state["indicators"][: int(state["shown"])])
    found["back"] += 5 - int(state["shown"])
    for seat in state["seats"][: int(state["rules"]["players"])]:
        found.update(tile_text(int(one)) for one in seat["river"][: int(seat["discards"])])
        found["4z"] += int(seat["kitas"])
        for meld in seat["melds"][: int(seat["calls"])]:
            kind, reds, form = int(meld["kind"]), int(meld["reds"]), int(meld["form"])
            if form == MeldForm.CHII:
                five = next((one for one in range(kind, kind + 3) if one % 9 == 4), None)
                found.update(tile_text(34 + one // 9 if one == five and reds else one) for one in range(kind, kind + 3))
            elif form == MeldForm.ANKAN:
                found["back"] += 2
                found.update([tile_text(34 + kind // 9 if reds else kind), tile_text(kind)])
            else:
                count = 3 if form == MeldForm.PON else 4
                found[tile_text(kind)] += count - reds
                if reds:
                    found[tile_text(34 + kind // 9)] += reds
    return +found


def check_faces(table):
    """Compare every picture of a table with its state, counted without drawing code."""
    state = np.asarray(table.state)
    players = table.rules.players
    hands = [hand_tiles(hand) for hand in state["hands"][:players]]
    for seat in range(players):
        expected = open_tiles(state) + hands[seat]
        expected["back"] += sum(hand.total() for other, hand in enumerate(hands) if other != seat)
        assert faces(table_svg(table.view(seat))) == +expected
    assert faces(open_table_svg(table)) == open_tiles(state) + sum(hands, Counter())


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(RULES), st.integers(0, 10**6), st.integers(0, 400), st.sampled_from([0.1, 0.5, 0.9]))
def test_a_picture_shows_exactly_the_seats_view(rules, seed, decisions, eager):
    check_faces(played(rules, seed, decisions, eager))


@pytest.mark.parametrize("rules", ["tenhou-sanma", "tenhou"])
@pytest.mark.parametrize("phase", list(Phase))
def test_every_phase_can_be_drawn(rules, phase):
    name = f"{rules}-hand" if phase == Phase.GAME_OVER else rules
    well = phase == Phase.RIICHI_DISCARD and rules == "tenhou"
    check_faces(until(name, lambda table: int(table.state.phase) == phase, well=well))


@pytest.mark.parametrize(
    ("ended", "well"),
    [(Ending.EXHAUSTIVE, False), (Ending.KYUUSHU_KYUUHAI, False), (Ending.TSUMO, True), (Ending.RON, True)],
)
def test_every_end_of_a_hand_can_be_drawn(ended, well):
    eager = 0.0 if ended == Ending.EXHAUSTIVE else 0.5
    check_faces(until("tenhou", lambda one: one.hand_over and int(one.state.ended) == ended, eager, well))


def boxes(svg):
    """Return the positions of a picture's tiles: (left, top, right, bottom) each."""
    root = ElementTree.fromstring(svg)
    found = []
    for group in root.iter(f"{SVG}g"):
        if not {"data-seat", "data-part"} & set(group.attrib):
            continue
        turn = re.match(r"rotate\((-?\d+)", group.get("transform", "rotate(0"))
        angle = int(turn[1]) % 360 // 90
        for one in group.findall(f"{SVG}use"):
            wide, high = float(one.get("width")), float(one.get("height"))
            if "transform" in one.attrib:
                x, y = map(float, re.match(r"translate\((\S+) (\S+)\)rotate\(-90\)", one.get("transform")).groups())
                corners = [(x, y - wide), (x + high, y)]
            else:
                x, y = float(one.get("x")), float(one.get("y"))
                corners = [(x, y), (x + wide, y + high)]
            for _ in range(angle):
                corners = [(SIZE - y, x) for x, y in corners]
            (a, b), (c, d) = corners
            found.append((min(a, c), min(b, d), max(a, c), max(b, d)))
    return found


def check_places(svg):
    found = boxes(svg)
    assert len(found) == faces(svg).total()
    assert all(min(box) > 5 and max(box) < SIZE - 5 for box in found)
    for one, other in combinations(found, 2):
        wide = min(one[2], other[2]) - max(one[0], other[0])
        high = min(one[3], other[3]) - max(one[1], other[1])
        assert min(wide, high) < 0.2, f"{one} lies on {other}"


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(RULES), st.integers(0, 10**6), st.integers(0, 400), st.sampled_from([0.1, 0.9, 1.0]))
def test_tiles_do_not_overlap(rules, seed, decisions, eager):
    table = played(rules, seed, decisions, eager)
    check_places(open_table_svg(table, seat=seed % table.rules.players))


def test_there_is_room_for_the_fullest_table():
    table = Table("tenhou-sanma", 1)
    state = table.state
    for seat in range(3):
        one = state.seats[seat]
        one.discards, one.kitas, one.calls = 27, 4, 4
        for place in range(27):
            one.river[place] = place % 27
        for number in range(4):
            meld = one.melds[number]
            meld.form, meld.kind, meld.tile, meld.discarder = 3, 9 + number, 9 + number, (seat + 1) % 3
        state.hands[seat].counts[:] = 0
        state.hands[seat].counts[31] = 2 if seat == int(state.turn) else 1
    state.drawn = 31
    svg = open_table_svg(table)
    check_places(svg)
    narrowest = min(min(right - left, low - top) for left, top, right, low in boxes(svg))
    assert narrowest > 20


def test_the_riichi_discard_lies_sideways_and_its_stick_is_on_the_table():
    table = until("tenhou-sanma", lambda one: any(int(seat.accepted) for seat in one.state.seats), well=True)
    seen = snapshot_of_table(table)
    seat = next(one for one in seen.seats if one.riichi)
    assert [one.turned for one in seat.river].count(True) >= 1
    assert "rotate(-90)" in open_table_svg(table)
    assert ", riichi" in table_text(table.view(0))


def test_after_a_called_riichi_discard_the_next_one_lies_sideways():
    table = Table("tenhou", 1)
    seat = table.state.seats[0]
    seat.discards = 4
    for place, (tile, marks) in enumerate([(0, 0), (1, 2 | 4), (2, 1), (3, 0)]):
        seat.river[place], seat.marks[place] = tile, marks
    assert [one.turned for one in snapshot_of_table(table).seats[0].river] == [False, True, True, False]


def test_the_offered_tile_is_marked():
    table = until("tenhou", lambda one: int(one.state.phase) == Phase.CLAIM and int(one.state.claimed) == 0)
    marked = [one.tile for seat in snapshot_of_view(table.view(table.actor)).seats for one in seat.river if one.offered]
    assert marked == [int(table.state.tile)]


@pytest.mark.parametrize(
    ("form", "ahead", "turned", "stacked"),
    [*((MeldForm.PON, ahead, [3 - ahead], []) for ahead in (1, 2, 3)), (MeldForm.KAKAN, 3, [0, 1], [1])],
)
def test_the_called_tile_lies_on_the_side_of_its_seat_and_an_added_one_on_it(form, ahead, turned, stacked):
    table = Table("tenhou", 1)
    seat, meld = table.state.seats[2], table.state.seats[2].melds[0]
    seat.calls = 1
    meld.form, meld.kind, meld.tile, meld.discarder, meld.reds = form, 13, 35, (2 + ahead) % 4, 1
    laid = snapshot_of_table(table).seats[2].melds[0]
    assert [place for place, one in enumerate(laid) if one.turned] == turned
    assert [place for place, one in enumerate(laid) if one.stacked] == stacked
    assert laid[turned[0]].tile == 35


def test_three_sit_below_right_and_left_and_the_drawn_tile_is_set_apart():
    table = Table("tenhou-sanma", 3)
    assert [(seat.seat, seat.side) for seat in snapshot_of_table(table, 2).seats] == [(2, 0), (0, 1), (1, 3)]
    seat = snapshot_of_view(table.view(0)).seats[0]
    assert (seat.drawn, len(seat.hand)) == (int(table.state.drawn), 13)


def test_a_view_from_a_batch_is_drawn_and_several_at_once_are_refused():
    tables, table = Tables("tenhou", 1, seeds=7), Table("tenhou", 7)
    assert table_svg(tables.views()) == table_svg(tables.views()[0]) == table_svg(table.view(0))
    with pytest.raises(TypeError, match="a table is drawn from one View"):
        table_svg(Tables("tenhou", 2).views())


def test_numerals_are_optional():
    table = Table("tenhou", 1)
    assert "tile-index" in table_svg(table.view(0), numerals=True)
    assert "tile-index" not in table_svg(table.view(0))


def test_pixels_have_the_requested_shape_and_invalid_svg_is_refused():
    pytest.importorskip("resvg_py", reason="pixels need resvg-py")
    picture = table_pixels(table_svg(Table("tenhou", 1).view(0)), width=320)
    assert (picture.shape, picture.dtype) == ((320, 320, 3), np.uint8)
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 100
    with pytest.raises(ValueError, match="is no SVG: "):
        table_pixels("no picture")


def test_without_their_library_pixels_name_the_extra(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "resvg_py", None)
    with pytest.raises(RuntimeError, match=r"a table as pixels needs resvg_py: .*pip install .*\[render\]"):
        table_pixels("<svg/>")


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(RULES), st.integers(0, 10**6), st.integers(0, 300))
def test_the_text_names_the_own_tiles_and_every_river(rules, seed, decisions):
    table = played(rules, seed, decisions)
    seat = seed % table.rules.players
    view = table.view(seat)
    lines = table_text(view).splitlines()
    assert len(lines) == 1 + 2 * table.rules.players
    assert max(map(len, lines)) <= 110, "it does not fit a terminal"
    tiles = [one.tile for seat in snapshot_of_view(view).seats for one in seat.river]
    rivers = "".join(re.findall(r"river (.*)", "\n".join(lines)))
    assert len(re.findall(r"\d[mpsz]", rivers)) == len(tiles)
    own = snapshot_of_view(view).seats[0]
    assert format_tiles(own.hand) in lines[-2]
    assert all(kind_of(one) < 34 for one in own.hand)
