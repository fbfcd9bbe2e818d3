"""The table as a whole: invariants of random play, and determinism."""

import hashlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from janshi.compiling import PLAIN
from janshi.riichi.actions import ACTIONS, Action, action_text
from janshi.riichi.rules import TENHOU, TENHOU_SANMA
from janshi.riichi.state import Event, Phase
from janshi.table import Table, Tables
from janshi.tiles import kind_of
from tests.rules.tables import open_tiles

RULES = (TENHOU_SANMA, TENHOU)
#: Plain Python is some thousand times slower: it plays less.
LESS = 40 if PLAIN else 1


def digest(tables: Tables) -> str:
    return hashlib.sha256(tables.states.tobytes()).hexdigest()


def tiles_of(tables: Tables) -> np.ndarray:
    """Return the count of every kind at each table: hands, melds, rivers without called tiles, kitas, wall."""
    states = tables.states
    counts = states["hands"]["counts"].sum(axis=1).astype(int)
    for number, state in enumerate(states):
        counts[number] += open_tiles(state)
        taken = {number ^ 1 for number in range(int(state["replaced"]))}
        for slot in set(range(min(int(state["next"]) + 1, int(state["wall_size"])))) - taken:
            counts[number, kind_of(int(state["wall"][slot]))] += 1
    return counts


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
def test_tiles_and_points_are_conserved(rules):
    tables = Tables(rules, 20, 5)
    full = np.full(34, 4)
    if rules.players == 3:
        full[1:8] = 0
    total = rules.players * rules.start
    for _ in range(60):
        tables.play_random(7)
        assert (tiles_of(tables) == full).all()
        held = tables.states["seats"]["points"][:, : rules.players].sum(axis=1) + 1000 * tables.states["deposits"]
        assert (held == total).all()
        assert (tables.states["phase"] < Phase.HAND_OVER).all()


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
def test_the_batch_and_the_threads_do_not_matter(rules):
    many = Tables(rules, 1000 // LESS, 0)
    threaded = Tables(rules, 1000 // LESS, 0, threads=2)
    many.play_random(300 // LESS)
    threaded.play_random(300 // LESS)
    assert digest(many) == digest(threaded)
    for number in (0, 17, 999 // LESS):
        single = Tables(rules, 1, number)
        single.play_random(300 // LESS)
        assert single.states[0].tobytes() == many.states[number].tobytes()


@settings(max_examples=max(5, 50 // LESS), deadline=None)
@given(st.sampled_from(RULES), st.integers(-(2**63), 2**63 - 1), st.lists(st.integers(0, 10**6), max_size=300))
def test_a_table_by_hand(rules, seed, choices):
    table = Table(rules, seed)
    for choice in choices:
        if table.over:
            break
        if table.hand_over:
            assert table.result is not None
            table.next_hand()
        legal = table.legal
        assert len(legal) > 1, "nobody is asked who has nothing to decide"
        assert all(action_text(action) for action in legal)
        table.act(legal[choice % len(legal)])


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
def test_nothing_is_called_on_the_last_discard_and_no_kan_made_on_the_last_tile(rules):
    tables = Tables(rules, 400 // LESS, 4)
    checked = 0
    for _ in range(300 // LESS):
        tables.play_random(3)
        states = tables.states
        legal = tables.legal()
        last = states["left"] == 0
        claims = last & (states["phase"] == Phase.CLAIM)
        checked += int(last.sum())
        assert not legal[claims][:, Action.CHII : Action.KITA].any()
        assert not legal[last][:, Action.KITA].any()
        assert not legal[last][:, Action.ANKAN :].any()
    assert checked or LESS > 1


def test_ended_hands_are_reported_although_the_tables_continue():
    tables = Tables("tenhou-sanma-east", 60 // LESS, 2)
    random = np.random.default_rng(4)
    points = np.full((len(tables), 3), 35_000)
    ends = 0
    for _ in range(400 // LESS):
        legal = tables.legal()
        tables.step((legal * random.random(legal.shape)).argmax(axis=1))
        over, games = tables.hand_ended, tables.game_ended
        assert (tables.changes[~over] == 0).all()
        # At the end of a game the first has also taken the deposits that were left.
        within = over & ~games
        points += tables.changes
        assert (points[within] == tables.last_scores[within]).all()
        assert (tables.last_scores[games].sum(axis=1) == 105_000).all()
        points[games] = 35_000
        ends += int(over.sum())
    assert ends or LESS > 1


def test_many_tables_take_walls_from_outside():
    given = Tables("tenhou-sanma", 3, [7, 8, 9])
    walls = given.states["wall"][:, :108].copy()
    tables = Tables("tenhou-sanma", 5, 1, auto_reset=False)
    tables.reset([0, 2, 4], [1, 2, 3], walls)
    assert (tables.states["hands"]["counts"][[0, 2, 4]] == given.states["hands"]["counts"]).all()
    assert not tables.states["walls_given"].any()
    assert Table("tenhou-sanma", 5, wall=walls[0]).state.hands.tobytes() == given.states["hands"][0].tobytes()


# ---------------------------------------------------------------------------------------------------------
# What a seat may see


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
def test_a_view_does_not_depend_on_hidden_information(rules):
    """Shuffling all hidden information of a seat does not change its view, byte by byte."""
    random = np.random.default_rng(7)
    tables = Tables(rules, 100 // LESS, 2)
    players = rules.players
    for _ in range(10):
        tables.play_random(9)
        actors = tables.actors
        before = tables.views()
        changed = tables.states.copy()
        states = tables.states
        for state, actor in zip(states, actors, strict=True):
            for seat in range(players):
                if seat != actor:
                    hand = state["hands"][seat]
                    for name in hand.dtype.names:
                        hand[name] = random.integers(0, 100, hand[name].shape)
            state["wall"][:] = random.permutation(state["wall"])
            state["seed"] = random.integers(1 << 60)
            state["answers"][:] = random.integers(0, 100, 4)
            state["log"][:] = 0
            for name in ("clock", "games", "hand_number", "to_ask"):
                state[name] += 1
            if state["turn"] != actor:
                state["drawn"] = random.integers(0, 34)
        after = tables.views()
        assert before.tobytes() == after.tobytes()
        states[:] = changed


def passed_by_log(state) -> list[int]:
    """Return the kinds that passed each seat's riichi, from the log."""
    log = state["log"].reshape(-1, 4)[: int(state["logged"])].tolist()
    offered = [number for number, (event, *_) in enumerate(log) if event in (Event.DISCARD, Event.KITA, Event.KAKAN)]
    if int(state["phase"]) == Phase.CLAIM:
        offered = offered[:-1]  # nobody knows yet whether it passes
    masks = [0, 0, 0, 0]
    for number, (event, seat, _, _) in enumerate(log):
        if event == Event.RIICHI:
            for later in offered:
                _, who, tile, _ = log[later]
                if later > number and who != seat:
                    masks[seat] |= 1 << kind_of(tile)
    return masks


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
def test_tiles_passed_by_a_riichi_agree_with_the_log(rules):
    tables = Tables(rules, 100 // LESS or 1, 5)
    dice = np.random.default_rng(2)
    passed = 0
    for _ in range(150 // LESS):
        legal = tables.legal()
        likes = dice.random(legal.shape) + (np.arange(ACTIONS) == Action.RIICHI)
        likes[:, [Action.RON, Action.TSUMO]] -= 2
        tables.step(np.where(legal, likes, -9).argmax(axis=1))
        states = np.asarray(tables.states)
        for state in states[states["seats"]["riichi"].any(axis=1) & (states["phase"] <= Phase.CLAIM)]:
            masks = passed_by_log(state)
            assert state["seats"]["passed"].tolist() == masks
            passed += any(masks)
    assert PLAIN or passed > 100
