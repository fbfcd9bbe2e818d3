"""Playouts: what they deal anew and what they leave, and options that lead to different ends."""

import numpy as np
import pytest

from janshi.engine import actions
from janshi.engine.state import TURN
from janshi.learn.options import Options, joined, options_of, targets
from janshi.learn.playouts import Playouts
from janshi.observe import observe_wide
from janshi.observe.decisions import DISCARD, PON, RIICHI
from janshi.rules import TENHOU_SANMA, preset
from janshi.table import Tables, views_of
from tests.rules.tables import make_table, offer, pass_all

RULES = preset("tenhou-sanma-hand")
ONLY = np.zeros(1, np.int64)


def dealt_again(tables: Tables, place: int, seed: int):
    """The table as its actor might as well see it."""
    playouts = Playouts(RULES)
    nothing = np.full((1, 1), -1, np.int16)
    playouts.worth(tables.states, np.array([place]), nothing, 1, seed)
    return playouts.work[:1]


@pytest.fixture(scope="module")
def tables():
    found = Tables(RULES, 30, 7, auto_reset=False)
    found.play_random(40)
    return found


def going(tables: Tables) -> list[int]:
    return np.flatnonzero(tables.actors >= 0).tolist()


def test_what_a_seat_sees_stays_as_it_is(tables):
    places = going(tables)
    assert len(places) > 5
    for place in places:
        seat = tables.states["actor"][place : place + 1].astype(np.int8)
        before = observe_wide(views_of(tables.states, np.array([place]), seat))
        after = observe_wide(views_of(dealt_again(tables, place, 3), ONLY, seat))
        assert (before == after).all()


def test_the_tiles_dealt_anew_are_the_hidden_ones(tables):
    moved = 0
    for place in going(tables):
        old, new = tables.states[place], dealt_again(tables, place, 3)[0]
        me, last = int(old["actor"]), int(old["next"])
        shown = [9 + 2 * number for number in range(int(old["shown"]))]
        assert (old["wall"][shown] == new["wall"][shown]).all()

        def hidden(state, me=me, last=last):
            hands = sum(state["hands"][seat]["counts"].astype(int) for seat in range(3) if seat != me)
            wall = state["wall"][: last + 1].astype(int)
            return hands + np.bincount(np.where(wall < 34, wall, 4 + 9 * (wall - 34)), minlength=34)

        assert (hidden(old) == hidden(new)).all()
        for seat in range(3):
            assert old["hands"][seat]["counts"].sum() == new["hands"][seat]["counts"].sum()
            assert old["hands"][seat]["reds"].sum() >= 0
        moved += (old["wall"][: last + 1] != new["wall"][: last + 1]).any()
    assert moved > 5


def test_a_seat_in_riichi_keeps_its_hand():
    table = make_table(RULES, ["123456p789s55z79p", "19m19p19s1234567z"], "1z2z")
    table.act(actions.RIICHI)
    pass_all(table)
    assert table._states[0]["seats"]["accepted"][0] == 1
    again = Playouts(RULES)
    again.worth(table._states, ONLY, np.full((1, 1), -1, np.int16), 1, 5)
    assert (again.work[0]["hands"][0]["counts"] == table._states[0]["hands"][0]["counts"]).all()


def test_a_win_is_worth_a_first_place():
    table = make_table(RULES, ["123456p789s55z79p"], "8p")
    options = np.array([[actions.TSUMO, -1]], np.int16)
    assert Playouts(RULES).worth(table._states, ONLY, options, 20, 1)[0].tolist() == [1, 0]


def test_breaking_a_ready_hand_is_worth_less():
    table = make_table(RULES, ["123456p789s55z67p"], "1z")
    options = np.array([[27, 9]], np.int16)  # the east wind that was drawn, or the 1p of a run
    wait, broken = Playouts(RULES).worth(table._states, ONLY, options, 200, 1)[0]
    assert wait > broken


def test_playouts_leave_the_tables_alone_and_repeat(tables):
    places = np.array(going(tables))
    options = np.array([np.flatnonzero(tables.legal(np.array([place]))[0])[:2] for place in places], np.int16)
    kept = tables.states.copy()
    first = Playouts(RULES).worth(tables.states, places, options, 10, 1)
    assert (tables.states == kept).all()
    assert (Playouts(RULES).worth(tables.states, places, options, 10, 1) == first).all()
    assert (Playouts(RULES).worth(tables.states, places, options, 10, 2) != first).any()


def test_options_are_legal_and_their_shares_add_up():
    tables = Tables(RULES, 40, 3, auto_reset=False)
    tables.play_random(25)
    places = np.flatnonzero(tables.actors >= 0)
    views, legal = np.asarray(tables.views(places)), tables.legal(places)
    legal[:, [actions.TSUMO, actions.RON, actions.NINE_TERMINALS]] = False
    some = legal.any(axis=1)
    views, legal = views[some], legal[some]
    logits = np.random.default_rng(1).normal(size=(len(views), 38)).astype(np.float32)
    done, taken, log, kinds = options_of(views, legal, logits, np.zeros(len(views), np.int64))
    there = done >= 0
    assert there.any(axis=1).all()
    assert legal[np.nonzero(there)[0], done[there]].all()
    assert (np.exp(np.where(there, log, -np.inf)).sum(axis=1) <= 1 + 1e-5).all()
    passes = (done == actions.PASS).any(axis=1)
    assert np.exp(np.where(there, log, -np.inf))[passes].sum(axis=1) == pytest.approx(1, abs=1e-4)
    discards = taken[..., DISCARD]
    rows = np.nonzero(discards >= 0)
    assert (kinds[rows[0]] >> discards[rows].astype(np.int64) & 1).all()


def test_what_is_wanted_is_an_option():
    table = make_table(TENHOU_SANMA, ["19m19p19s1234567z"], "2p")
    view, legal = np.asarray(table.view(0)).reshape(1), np.zeros((1, actions.ACTIONS), np.bool_)
    legal[0, list(table.legal)] = True
    legal[0, [actions.KITA, actions.NINE_TERMINALS]] = False
    likely = np.zeros((1, 38), np.float32)
    likely[0, 27:34] = 5  # honours
    few = options_of(view, legal, likely, np.zeros(1, np.int64))[0]
    more = options_of(view, legal, likely, np.array([1 << 0]))[0]
    assert 0 not in few
    assert 0 in more, "1m"


def test_declining_comes_before_discarding():
    table = make_table(TENHOU_SANMA, ["123456p789s55z79p"], "1z")
    view, legal = np.asarray(table.view(0)).reshape(1), np.zeros((1, actions.ACTIONS), np.bool_)
    legal[0, list(table.legal)] = True
    done, taken, _, _ = options_of(view, legal, np.zeros((1, 38), np.float32), np.zeros(1, np.int64))
    riichi = done[0].tolist().index(actions.RIICHI)
    assert taken[0, riichi].tolist() == [-1, -1, -1, -1, 1]
    discards = (done[0] >= 0) & (taken[0, :, DISCARD] >= 0)
    assert (taken[0, discards, RIICHI] == 0).all()


def test_a_pon_and_a_pass():
    table = make_table(TENHOU_SANMA, ["", "55z123456p79s19m1z"], "5z")
    offer(table, 0, "5z")
    assert int(table._states[0]["phase"]) != TURN
    view, legal = np.asarray(table.view(1)).reshape(1), np.zeros((1, actions.ACTIONS), np.bool_)
    legal[0, list(table.legal)] = True
    done, taken, log, _ = options_of(view, legal, np.zeros((1, 38), np.float32), np.zeros(1, np.int64))
    assert done[0, :2].tolist() == [actions.PON, actions.PASS]
    assert taken[0, :2, PON].tolist() == [1, 0]
    assert np.exp(log[0, :2]) == pytest.approx([0.5, 0.5])


def test_targets_prefer_what_is_worth_more_and_remember():
    shares = np.log(np.array([[0.9, 0.1, 1.0]], np.float32))
    worth = np.array([[0.5, 0.5, 0.9]], np.float32)
    empty = np.zeros((1, 3, 5), np.int8)
    options = Options(ONLY[None], ONLY, np.array([[1, 2, -1]], np.int16), empty, shares, worth)
    level = targets(options, 0.05, 1.0)[0]
    assert level == pytest.approx([0.9, 0.1, 0], abs=1e-6), "equal worth: as before; what is no option: nothing"
    options.worth = np.array([[0.5, 0.6, 0.9]], np.float32)
    assert targets(options, 0.05, 0.0)[0, 1] == pytest.approx(1 / (1 + np.exp(-2)), abs=1e-5)
    assert len(joined([options, options])) == 2
