"""Legal discards with their actions, and visible tiles."""

import numpy as np
import pytest

from janshi.compiling import Int16s, Int64, batched, rule, zeros
from janshi.core.shanten import Ukeire
from janshi.riichi.actions import Action
from janshi.riichi.analysis.discards import discard_action, discard_actions, discard_kinds
from janshi.riichi.analysis.visible import count_visible, kinds_in_play
from janshi.riichi.rules import TENHOU, TENHOU_SANMA
from janshi.riichi.state import View
from janshi.table import Tables
from janshi.tiles import kind_of
from tests.rules.tables import make_table, seen_outside

BOTH = pytest.mark.parametrize("rules", [TENHOU_SANMA, TENHOU], ids=lambda rules: rules.name)


@rule
def write_discards(view: View, actions: Int16s) -> Int64:
    """Write the action of every legal discard by kind (−1 for the others) and the mask of the kinds."""
    simple, drawn = int(view.legal[0]), int(view.drawn)
    kinds = discard_kinds(simple, drawn)
    for kind in range(34):
        actions[kind] = discard_action(simple, drawn, kind) if kinds >> kind & 1 else -1
    return kinds


@rule
def write_visible(view: View, ukeire: Ukeire) -> Int64:
    """Write the visible tiles; return the kinds in play."""
    count_visible(view, ukeire)
    return kinds_in_play(view)


compiled_discards = batched(write_discards)
compiled_visible = batched(write_visible)


def discards_by_kind(legal, drawn):
    """Return all actions that discard each kind."""
    ways = {}
    for action in np.flatnonzero(legal[: Action.TSUMOGIRI + 1]).tolist():
        ways.setdefault(kind_of(drawn if action == Action.TSUMOGIRI else action), []).append(action)
    return ways


def played(rules, rounds=12, count=150):
    tables = Tables(rules, count, 7)
    for _ in range(rounds):
        tables.play_random(9)
        yield tables, tables.decisions()


@BOTH
def test_every_legal_discard_is_of_a_kind_and_every_kind_has_a_legal_action(rules):
    met = set()
    for _, batch in played(rules):
        views = np.asarray(batch.views)
        actions = np.zeros((len(batch), 34), np.int16)
        masks = compiled_discards(batch.views, actions)
        by_array = discard_actions(views, batch.legal)
        for row in range(len(batch)):
            ways = discards_by_kind(batch.legal[row], int(views["drawn"][row]))
            assert sorted(ways) == [kind for kind in range(34) if int(masks[row]) >> kind & 1]
            every = sorted(action for actions_of_kind in ways.values() for action in actions_of_kind)
            assert every == np.flatnonzero(batch.legal[row, : Action.TSUMOGIRI + 1]).tolist()
            for kind in range(34):
                chosen = {int(actions[row, kind]), int(by_array[row, kind])}
                assert chosen <= set(ways.get(kind, [-1]))
                met.add(len(ways.get(kind, [])))
                # A red five is discarded only without a plain one.
                red = [action for action in chosen if tile_of(action, views[row]) >= 34]
                assert not red or all(tile_of(action, views[row]) >= 34 for action in ways[kind])
    assert {0, 1, 2} <= met


def tile_of(action, view):
    return int(view["drawn"]) if action == Action.TSUMOGIRI else action


def test_of_two_plain_tiles_the_compiled_form_keeps_the_one_just_drawn_and_the_array_form_discards_it():
    table = make_table(TENHOU, ["123m456p789s1155z2z"], "1z")
    batch = table.decision()
    actions = np.zeros((1, 34), np.int16)
    compiled_discards(batch.views, actions)
    assert actions[0, 27] == 27
    assert discard_actions(np.asarray(batch.views), batch.legal)[0, 27] == Action.TSUMOGIRI


@BOTH
def test_own_and_open_tiles_are_visible(rules):
    for tables, batch in played(rules, 4):
        seen = zeros(Ukeire, len(batch))
        kinds = compiled_visible(batch.views, seen)
        assert set(kinds.tolist()) == {(1 << 34) - 1 & ~(0b1111111 << 1 if rules.players == 3 else 0)}
        for state, seat, visible in zip(
            np.asarray(tables.states), batch.seats, np.asarray(seen)["visible"], strict=True
        ):
            assert visible.tolist() == visible_by_hand(state, int(seat)).tolist()
            assert (visible <= 4).all()


def visible_by_hand(state, seat):
    """Return the open tiles and the own hand; check that they and the hidden tiles add up."""
    players, size = int(state["rules"]["players"]), int(state["wall_size"])
    hidden = state["hands"]["counts"][[other for other in range(players) if other != seat]].sum(axis=0)
    total = seen_outside(state) + state["hands"][seat]["counts"]
    counts = np.bincount([kind_of(int(tile)) for tile in state["wall"][:size]], minlength=34)
    assert (total + hidden <= counts).all(), "the rest lies in the wall"
    return total
