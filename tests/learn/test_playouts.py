"""Playouts: what they shuffle and what they leave, and options that lead to different ends."""

import numpy as np
import pytest
import torch

from janshi.compiling import batched, zeros
from janshi.encoders import encoder
from janshi.learn.losses import misfit
from janshi.learn.playouts import Playouts, shuffle_unseen
from janshi.papers.meowjong.configs import ResidualConfig
from janshi.papers.meowjong.decisions import Decision
from janshi.papers.meowjong.networks import OUTPUTS, WINNERS, ResidualNetwork
from janshi.papers.meowjong.options import Options, joined, options_of, turned
from janshi.papers.meowjong.policy import FiveDecisionPolicy
from janshi.riichi.actions import ACTIONS, Action
from janshi.riichi.play import write_views
from janshi.riichi.rules import TENHOU_SANMA, preset
from janshi.riichi.state import Phase, View
from janshi.table import Tables
from tests.rules.tables import make_table, offer

RULES = preset("tenhou-sanma-hand")
ONLY = np.zeros(1, np.int64)


JANSHI = encoder("janshi")
shuffle_tables = batched(shuffle_unseen)


def shuffled(tables: Tables, place: int, seed: int):
    """The table as its actor might as well see it."""
    states = tables.states[place : place + 1].copy()
    shuffle_tables(states, np.array([seed]))
    return states


def observed(states, place: int, seat):
    views = zeros(View, 1)
    write_views(states, seat, views, which=np.array([place]))
    return JANSHI.encode_views(views)


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
        before = observed(tables.states, place, seat)
        after = observed(shuffled(tables, place, 3), 0, seat)
        assert (before == after).all()


def test_the_wall_is_shuffled_and_hands_stay(tables):
    moved = 0
    for place in going(tables):
        old, new = tables.states[place], shuffled(tables, place, 3)[0]
        last = int(old["next"])
        shown = [9 + 2 * number for number in range(int(old["shown"]))]
        assert (old["wall"][shown] == new["wall"][shown]).all()
        assert (old["wall"][last + 1 :] == new["wall"][last + 1 :]).all(), "drawn already"
        assert (np.sort(old["wall"][: last + 1]) == np.sort(new["wall"][: last + 1])).all()
        assert (old["hands"] == new["hands"]).all()
        moved += (old["wall"][: last + 1] != new["wall"][: last + 1]).any()
    assert moved > 5


def test_a_win_is_worth_a_first_place():
    table = make_table(RULES, ["123456p789s55z79p"], "8p")
    options = np.array([[Action.TSUMO, -1]], np.int16)
    assert Playouts(20).shares(table._tables.states, ONLY, options, 1)[0].tolist() == [1, 0]


def test_breaking_a_ready_hand_is_worth_less():
    table = make_table(RULES, ["123456p789s55z67p"], "1z")
    options = np.array([[27, 9]], np.int16)  # the east wind that was drawn, or the 1p of a run
    wait, broken = Playouts(200).shares(table._tables.states, ONLY, options, 1)[0]
    assert wait > broken


def test_playouts_leave_the_tables_alone_and_repeat(tables):
    places = np.array(going(tables))
    options = np.array([np.flatnonzero(tables.legal(np.array([place]))[0])[:2] for place in places], np.int16)
    kept = tables.states.copy()
    first = Playouts(10).shares(tables.states, places, options, 1)
    assert (tables.states == kept).all()
    for threads in (1, 3):
        again = Playouts(10, threads=threads).shares(tables.states, places, options, 1)
        assert (again == first).all(), "on any number of threads"
    assert (Playouts(10).shares(tables.states, places, options, 2) != first).any()
    assert (Playouts(10, efficient=True).shares(tables.states, places, options, 1) != first).any()


def test_options_are_legal_and_their_shares_add_up():
    tables = Tables(RULES, 40, 3, auto_reset=False)
    tables.play_random(25)
    places = np.flatnonzero(tables.actors >= 0)
    views, legal = np.asarray(tables.views(places)), tables.legal(places)
    legal[:, [Action.TSUMO, Action.RON, Action.KYUUSHU_KYUUHAI]] = False
    some = legal.any(axis=1)
    views, legal = views[some], legal[some]
    outputs = np.random.default_rng(1).normal(size=(len(views), OUTPUTS)).astype(np.float32)
    liked = outputs[:, WINNERS : WINNERS + 34]
    done, taken, kinds = options_of(views, legal, liked, np.zeros(len(views), np.int64))
    there = done >= 0
    assert there.any(axis=1).all()
    assert legal[np.nonzero(there)[0], done[there]].all()
    row, place = np.nonzero(there)
    shares = np.zeros(done.shape)
    policy = FiveDecisionPolicy(ResidualNetwork(ResidualConfig(channels=8, blocks=1)), {"players": 3})
    log, _ = policy.log_probability(torch.from_numpy(outputs[row]), {"taken": taken[row, place], "legal": kinds[row]})
    shares[row, place] = np.exp(log.numpy())
    assert (shares.sum(axis=1) <= 1 + 1e-5).all()
    passes = (done == Action.PASS).any(axis=1)
    assert shares[passes].sum(axis=1) == pytest.approx(1, abs=1e-4)
    discards = taken[..., Decision.DISCARD]
    rows = np.nonzero(discards >= 0)
    assert (kinds[rows[0]] >> discards[rows].astype(np.int64) & 1).all()


def test_what_is_wanted_is_an_option():
    table = make_table(TENHOU_SANMA, ["19m19p19s1234567z"], "2p")
    view, legal = table._tables.views([0], [0]), np.zeros((1, ACTIONS), np.bool_)
    legal[0, list(table.legal)] = True
    legal[0, [Action.KITA, Action.KYUUSHU_KYUUHAI]] = False
    likely = np.zeros((1, 34), np.float32)
    likely[0, 27:34] = 5  # honours
    few = options_of(view, legal, likely, np.zeros(1, np.int64))[0]
    more = options_of(view, legal, likely, np.array([1 << 0]))[0]
    assert 0 not in few
    assert 0 in more, "1m"


def test_declining_comes_before_discarding():
    table = make_table(TENHOU_SANMA, ["123456p789s55z79p"], "1z")
    view, legal = table._tables.views([0], [0]), np.zeros((1, ACTIONS), np.bool_)
    legal[0, list(table.legal)] = True
    done, taken, _ = options_of(view, legal, np.zeros((1, 34), np.float32), np.zeros(1, np.int64))
    riichi = done[0].tolist().index(Action.RIICHI)
    assert taken[0, riichi].tolist() == [-1, -1, -1, -1, 1]
    discards = (done[0] >= 0) & (taken[0, :, Decision.DISCARD] >= 0)
    assert (taken[0, discards, Decision.RIICHI] == 0).all()


def test_a_pon_and_a_pass():
    table = make_table(TENHOU_SANMA, ["", "55z123456p79s19m1z"], "5z")
    offer(table, 0, "5z")
    assert table.state.phase != Phase.TURN
    view, legal = table._tables.views([0], [1]), np.zeros((1, ACTIONS), np.bool_)
    legal[0, list(table.legal)] = True
    done, taken, _ = options_of(view, legal, np.zeros((1, 34), np.float32), np.zeros(1, np.int64))
    assert done[0, :2].tolist() == [Action.PON, Action.PASS]
    assert taken[0, :2, Decision.PON].tolist() == [1, 0]


def test_shares_that_say_what_options_are_worth_fit():
    there = torch.tensor([[True, True, False]])
    worth = torch.tensor([[0.5, 0.6, 0.9]])
    even = torch.log(torch.tensor([[0.5, 0.5, 1.0]]))
    right = torch.log(torch.softmax(worth[:, :2] / 0.05, dim=1))
    right = torch.cat((right, torch.zeros(1, 1)), dim=1)
    assert float(misfit(right, worth, there, 0.05)) == pytest.approx(0, abs=1e-9)
    assert float(misfit(even, worth, there, 0.05)) == pytest.approx(0.0025), "both 0.05 from their mean"
    assert float(misfit(even, worth - 0.3, there, 0.05)) == pytest.approx(0.0025), "of the mean nothing is asked"


def test_how_bad_something_bad_is_counts_little():
    there = torch.ones(1, 3, dtype=torch.bool)
    worth = torch.tensor([[0.6, 0.5, 0.0]])
    right = worth / 0.02
    among_good, among_bad = right.clone(), right.clone()
    among_good[0, 1] += 2
    among_bad[0, 2] += 2
    assert float(misfit(among_good, worth, there, 0.02)) > 3 * float(misfit(among_bad, worth, there, 0.02))


def test_decisions_turn_with_the_suits():
    tables = Tables(RULES, 40, 3, auto_reset=False)
    tables.play_random(25)
    views = np.asarray(tables.views(np.flatnonzero(tables.actors >= 0)))
    legal = tables.legal(np.flatnonzero(tables.actors >= 0))
    legal[:, [Action.TSUMO, Action.RON, Action.KYUUSHU_KYUUHAI]] = False
    views, legal = views[legal.any(axis=1)], legal[legal.any(axis=1)]
    done, taken, kinds = options_of(
        views, legal, np.zeros((len(views), 34), np.float32), np.zeros(len(views), np.int64)
    )
    options = Options(JANSHI.encode_views(views), kinds, done, taken, np.zeros(done.shape, np.float32))
    same = turned(options, np.zeros(len(options), np.uint8))
    assert (same.taken == taken).all()
    assert (same.packed == options.packed).all()
    there = turned(options, np.ones(len(options), np.uint8))
    assert (there.taken[..., Decision.DISCARD] != taken[..., Decision.DISCARD]).any()
    rows = np.nonzero(there.taken[..., Decision.DISCARD] >= 0)
    assert (there.legal[rows[0]] >> there.taken[(*rows, Decision.DISCARD)].astype(np.int64) & 1).all()
    back = turned(there, np.ones(len(options), np.uint8))
    assert (back.taken == taken).all()
    assert (back.legal == kinds).all()


def test_no_option_left_out_asks_for_nothing():
    log = torch.tensor([[-1e9, 0.0, 0.0]], requires_grad=True)
    misfit(log, torch.zeros(1, 3), torch.tensor([[False, True, True]]), 0.02).backward()
    assert log.grad is not None
    assert log.grad.tolist() == [[0, 0, 0]]


def test_options_are_joined_in_order():
    empty = np.zeros((1, 3, 5), np.int8)
    one, two = (Options(ONLY[None], ONLY, np.array([[at, 2, -1]], np.int16), empty, empty[..., 0]) for at in (7, 8))
    assert joined([one, two]).actions[:, 0].tolist() == [7, 8]
