"""Sichuan tables: conservation, hidden information, and determinism."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from janshi.core.rules import rules_from_record
from janshi.sichuan.rules import PRESETS, SICHUAN, Rules
from janshi.sichuan.state import EVENTS, RIVER, Event, Phase
from janshi.table import ActionError, Table, Tables

RULES = list(PRESETS)


@pytest.mark.parametrize("name", RULES)
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**40))
def test_tiles_and_points_are_conserved_at_every_decision(name: str, seed: int) -> None:
    made = Table(name, seed=seed)
    random = np.random.default_rng(seed)
    while not made.hand_over:
        assert (tiles_of(np.asarray(made._tables.states)) == 4).all()
        assert sum(made.scores) == 0
        legal = made.legal
        assert len(legal) >= 2  # who has no choice is not asked
        # Calls, kongs and wins more often than not, so that they happen.
        calls = [action for action in legal if action >= 30 and action != 33]
        made.act(int(random.choice(calls if calls and random.random() < 0.8 else legal)))
    assert sum(made.scores) == 0
    state = made.state
    for seat in range(4):
        shape = state.hands[seat].concealed
        counts = state.hands[seat].counts
        for least in range(1, 5):
            assert int(shape.held[least]) == sum(1 << kind for kind in range(27) if counts[kind] >= least)


def test_every_payment_moves_points_from_one_seat_to_another() -> None:
    tables = Tables("sichuan-novikov", 64, seeds=3, auto_reset=False)
    random = np.random.default_rng(1)
    while not tables.hand_over.all():
        rows = np.flatnonzero(~tables.hand_over)
        noise = random.random((len(rows), 61)) + np.isin(np.arange(61), (30, 31, 32))
        tables.step_some(rows, (tables.legal(rows) * noise).argmax(axis=1))
    for state in np.asarray(tables.states):
        log = state["log"].reshape(-1, 4)[: state["logged"]]
        points = np.zeros(4, np.int64)
        for _, payer, receiver, amount in log[log[:, 0] >= Event.WIN_PAY]:
            assert payer != receiver
            assert amount > 0
            points[payer] -= amount
            points[receiver] += amount
        assert points.tolist() == state["seats"]["points"].tolist()
        assert int(state["logged"]) < EVENTS
        assert int(state["seats"]["discards"].max()) < RIVER


@pytest.mark.parametrize("name", RULES)
def test_nothing_hidden_is_in_a_view_or_a_log(name: str) -> None:
    # Whatever a seat cannot know is shuffled: its view and its log stay the same.
    random = np.random.default_rng(7)
    for seed in range(12):
        made = Table(name, seed=seed)
        for _ in range(int(random.integers(0, 70))):
            if made.hand_over:
                break
            made.act(int(random.choice(made.legal)))
        if made.hand_over:
            continue
        for seat in range(4):
            other = made.copy()
            hide(other.record, seat, random)
            views = [np.asarray(table._tables.views([0], [seat])) for table in (made, other)]
            assert values(views[0]) == values(views[1])
            assert made.events(seat).tolist() == other.events(seat).tolist()


def values(records: np.ndarray) -> list[object]:
    """Return all values of records, without the bytes between their fields."""
    if records.dtype.names is None:
        return list(records.ravel().tolist())
    return [number for name in records.dtype.names for number in values(records[name])]


def hide(state: np.void, seat: int, random: np.random.Generator) -> None:
    """Change all information hidden from a seat."""
    state["wall"][:] = random.permutation(state["wall"])
    log = state["log"].reshape(-1, 4)
    for row in log[: state["logged"]]:
        drawn = row[0] in (Event.DRAW, Event.REPLACE) and row[1] != seat
        given_away = row[0] == Event.GIVE and seat not in (row[1], row[3])
        void = row[0] == Event.VOID and row[1] != seat and state["seats"]["void"][row[1]] < 0
        if drawn or given_away or void:
            row[2] = random.integers(0, 3 if void else 27)
        if void:
            row[3] = random.integers(0, 27)
    for other in range(4):
        if other != seat:
            hand = state["hands"][other]
            hand["counts"] = random.integers(0, 5, 27)
            hand["concealed"]["held"] = random.integers(0, 1 << 27, 5)
            hand["waits"] = random.integers(0, 1 << 27)
            for name in ("given", "received"):
                hand[name] = random.integers(0, 27, 3)
            for name in ("void", "laid", "passed", "shanten"):
                hand[name] = random.integers(0, 3)
            state["answers"][other] = random.integers(0, 33)
            state["passable"][other] = random.integers(0, 33)
    if state["turn"] != seat:
        state["drawn"] = random.integers(0, 27)
    state["seed"] = random.integers(0, 1 << 40)


def play(name: str, count: int, threads: int, steps: int) -> np.ndarray:
    """Return points after random decisions by table."""
    tables = Tables(name, count, seeds=11, threads=threads)
    tables.play_random(steps)
    return np.concatenate([tables.scores, np.asarray(tables.states)["log"][:, :200]], axis=1)


def tiles_of(states: np.ndarray) -> np.ndarray:
    """Return the tiles of each kind in hands (with tiles face down), melds, rivers and the wall (n, 27)."""
    kinds = np.arange(27)
    seats, hands = states["seats"], states["hands"]
    total = (hands["counts"].astype(np.int64) + seats["discarded"]).sum(axis=1)
    total += (3 * (seats["pungs"][..., None] >> kinds & 1) + 4 * (seats["kongs"][..., None] >> kinds & 1)).sum(axis=1)
    total += (hands["laid"][..., None] == kinds).sum(axis=1)
    exchanging = (states["phase"] == Phase.EXCHANGE)[:, None, None, None]
    total += (exchanging & (hands["given"][..., None] == kinds)).sum(axis=(1, 2))
    slots = np.arange(states["wall"].shape[1]) - states["next"][:, None]
    left = (slots >= 0) & (slots < states["left"][:, None])
    return total + (left[..., None] & (states["wall"][..., None] == kinds)).sum(axis=1)


@pytest.mark.long
@pytest.mark.parametrize("name", ["sichuan", "sichuan-novikov"])
def test_ten_million_random_actions_lose_no_tile_and_no_point(name: str) -> None:
    tables = Tables(name, 2000, seeds=19)
    for _ in range(5000 // 25):
        tables.play_random(25)
        states = np.asarray(tables.states)
        assert (tiles_of(states) == 4).all()
        assert (states["logged"] < EVENTS).all()
        assert (states["seats"]["points"].sum(axis=1) == 4 * tables.rules.start).all()


@pytest.mark.parametrize("name", RULES)
def test_the_same_seed_plays_the_same_game_in_any_batch_and_on_any_threads(name: str) -> None:
    every = play(name, 24, 1, 300)
    assert np.array_equal(every, play(name, 24, 3, 300))
    assert np.array_equal(every[:5], play(name, 5, 1, 300))
    stepped = Tables(name, 24, seeds=11)
    for _ in range(3):
        stepped.play_random(100)
    assert np.array_equal(every[:, :4], stepped.scores)


def test_rules_come_back_from_the_record() -> None:
    for rules in PRESETS.values():
        assert rules_from_record(Rules, Table(rules).state.rules, rules.name) == rules
    assert SICHUAN.name == "sichuan"


def test_illegal_actions_are_refused() -> None:
    made = Table("sichuan", seed=4)
    for action, reason in ((0, "may not discard 1m"), (-1, "-1"), (61, "61")):
        with pytest.raises(ActionError, match=reason):
            made.act(action)
