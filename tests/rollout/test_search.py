"""The player that plays close decisions on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from janshi.agents import agent
from janshi.agents.protocol import AgentError
from janshi.riichi.actions import Action
from janshi.rollout.driver import Driver, Seating
from janshi.rollout.search import SearchAgent
from janshi.table import DecisionBatch, Tables

pytest.importorskip("onnxruntime")


class Hesitant:
    """Prefers to pass where it may win, by 60 to 40 %."""

    name = "hesitant"
    players = frozenset({3, 4})

    def __init__(self) -> None:
        self._player: Any = agent("efficient")

    def preferences(self, batch: DecisionBatch) -> NDArray[np.float32]:
        shares: NDArray[np.float32] = self._player.preferences(batch)
        wins = np.flatnonzero(batch.legal[:, Action.RON])
        shares[wins] = 0
        shares[wins, Action.RON], shares[wins, Action.PASS] = 0.4, 0.6
        return shares

    def act(self, batch: DecisionBatch) -> NDArray[np.int16]:
        return self.preferences(batch).argmax(axis=1).astype(np.int16)


def decisions(rules: str, seed: int) -> list[DecisionBatch]:
    """Return all decisions of eight hands of `Hesitant`."""
    tables, player, found = Tables(rules, 8, np.arange(8) + seed, auto_reset=False), Hesitant(), []
    driver = Driver(tables, Seating.same([player] * tables.rules.players, 8), next_hands=False)
    while questions := driver.questions():
        for question in questions:
            found += [question.batch.part(np.array([row])).with_events() for row in range(len(question.batch))]
            driver.answer(question.batch, player.act(question.batch))
        driver.step()
    return found


def test_it_finds_wins_that_its_player_passes() -> None:
    offered = [batch for batch in decisions("tenhou-sanma-hand", 7) if batch.legal[0, Action.RON]][:3]
    found = [int(SearchAgent(Hesitant()).act(batch)[0]) for batch in offered]
    assert len(found) == 3
    assert set(found) == {Action.RON}


def test_it_leaves_discards_and_clear_decisions_to_its_player() -> None:
    player = Hesitant()
    search = SearchAgent(player)
    for batch in decisions("tenhou-hand", 3):
        second = np.sort(player.preferences(batch)[0])[-2]
        if second < 0.05 or not batch.legal[0, batch.game.discards :].any():
            assert search.act(batch).tolist() == player.act(batch).tolist()


def test_the_same_decision_has_the_same_action() -> None:
    batch = next(batch for batch in decisions("tenhou-hand", 3) if batch.legal[0, Action.PON : Action.PASS].any())
    made = {int(agent("search:sl4-int8").act(batch)[0]) for _ in range(3)}
    assert len(made) == 1


def test_a_player_without_probabilities_cannot_search() -> None:
    with pytest.raises(AgentError, match="'random' cannot search: it gives no probabilities"):
        agent("search:random")
