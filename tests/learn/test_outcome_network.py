"""The network of outcomes: its table of dangerous tiles, and its training decisions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from janshi.compiling import zeros
from janshi.core.shanten import Ukeire
from janshi.encoders import encoder
from janshi.riichi.actions import ACTIONS, Action
from janshi.riichi.agents import EfficientAgent
from janshi.riichi.analysis.danger import NO_RIICHI, dangers, risk_of
from janshi.riichi.analysis.visible import visible_tiles
from janshi.riichi.dataset import decisions
from janshi.riichi.dataset.outcomes import OutcomeTask, against_riichi
from janshi.riichi.dataset.selfplay import play_games
from janshi.riichi.networks import DangerTable, OutcomeConfig, OutcomeNetwork
from janshi.riichi.outcomes import PARTS
from janshi.riichi.rules import preset
from janshi.rollout.driver import Driver, Observer, Seating
from janshi.table import DecisionBatch, Tables

TABLE = encoder("table")


class Faced(Observer):
    """Stores the decisions against a riichi in own turns."""

    def __init__(self) -> None:
        self.batches: list[DecisionBatch] = []

    def decided(self, batch: DecisionBatch, actions: Any) -> None:
        views: Any = batch.views
        riichi = views["seats"]["riichi"] > 0
        riichi[np.arange(len(batch)), batch.seats] = False
        rows = np.flatnonzero(riichi.any(axis=1) & batch.legal[:, Action.TSUMOGIRI])
        if len(rows):
            self.batches.append(batch.part(rows))


def faced(rules: str) -> list[DecisionBatch]:
    tables = Tables(rules, 8, np.arange(8), auto_reset=False)
    observer = Faced()
    Driver(tables, Seating.same([EfficientAgent()] * tables.rules.players, 8), [observer], next_hands=False).run()
    return observer.batches


def bits(batch: DecisionBatch) -> torch.Tensor:
    """Return observations as bytes (n, columns, 34)."""
    return torch.from_numpy((TABLE.encode(batch)[:, :, None] >> np.arange(34) & 1).astype(np.uint8))


@pytest.mark.parametrize("rules", ["tenhou-sanma", "tenhou"])
def test_the_table_of_the_network_is_that_of_reviews(rules: str):
    compared = 0
    for batch in faced(rules):
        ukeire = zeros(Ukeire, len(batch))
        visible_tiles(batch.views, ukeire)
        classes, views = dangers(batch.views, ukeire), np.asarray(batch.views)
        chance, threat = DangerTable(TABLE)(bits(batch))
        assert (threat[:, 0].numpy() == (classes[:, :, 0] != NO_RIICHI).any(axis=1)).all()
        for row, view in enumerate(views):
            river = np.digitize(int(view["turns"]), (7, 13))  # turns of the table, not the own discards
            for kind in np.flatnonzero(batch.legal[row, :34]).tolist():
                risk = risk_of(classes[row, :, kind], batch.rules.players, int(river))
                assert float(chance[row, kind]) == pytest.approx(risk, abs=1e-6)
                compared += 1
    assert compared > 100


def test_the_table_counts_against_a_riichi_for_the_discards_of_its_kinds():
    torch.manual_seed(0)
    network = OutcomeNetwork(OutcomeConfig(channels=8, blocks=1, hidden=8)).eval()
    batch = faced("tenhou")[0]
    first = list(PARTS).index("deals in") + list(PARTS.values())[1] - 1
    answers = []
    for weight in (0.0, 1.0):
        network.against_riichi.data = torch.tensor([0.0, weight, -9 * weight, 0.0])
        with torch.no_grad():
            answers.append(network(bits(batch)).reshape(len(batch), -1, ACTIONS)[:, first])
    without, logits = answers
    chance, _ = DangerTable(TABLE)(bits(batch))
    expected = torch.where(chance > 0, torch.logit(chance, eps=1e-4), torch.tensor(-9.0))
    torch.testing.assert_close(logits[:, :34], expected)
    torch.testing.assert_close(logits[:, 34:37], expected[:, [4, 13, 22]])
    drawn = bits(batch)[:, 0].argmax(dim=1, keepdim=True)
    torch.testing.assert_close(logits[:, Action.TSUMOGIRI, None], expected.gather(1, drawn))
    torch.testing.assert_close(logits[:, Action.TSUMOGIRI + 1 :], without[:, Action.TSUMOGIRI + 1 :])


def test_all_decisions_against_a_riichi_are_learned_from():
    hands = play_games([EfficientAgent()] * 3, preset("tenhou-sanma"), np.arange(4)).with_places()
    batch = decisions(hands, encoder=TABLE)
    seen = np.zeros(len(batch), np.bool_)
    assert batch.packed is not None
    for seat in ("next", "opposite", "previous"):
        seen |= batch.packed[:, TABLE.columns.index(f"{seat} riichi")] != 0
    assert (against_riichi(batch) == seen).all()
    learned = len(OutcomeTask(decisions=0.01).examples(batch))
    assert 0.9 * np.count_nonzero(seen & batch.observed) < learned < 0.5 * len(batch)
