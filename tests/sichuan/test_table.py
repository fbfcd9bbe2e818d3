"""Sichuan tables in random play: payments, and the shapes of hands."""

from __future__ import annotations

import numpy as np

from janshi.sichuan.state import EVENTS, RIVER, Event
from janshi.table import Table, Tables


def test_shapes_hold_the_kinds_held_so_often() -> None:
    dice = np.random.default_rng(2)
    for seed in range(12):
        made = Table("sichuan-novikov", seed)
        while not made.hand_over:
            made.act(int(dice.choice(made.legal)))
        for hand in made.state.hands:
            for least in range(1, 5):
                kinds = [kind for kind in range(27) if hand.counts[kind] >= least]
                assert int(hand.concealed.held[least]) == sum(1 << kind for kind in kinds)


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
