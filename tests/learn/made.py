"""Games of agents as training data, so few that a training takes seconds."""

from pathlib import Path

import numpy as np

from janshi.agents import Agent
from janshi.arena import play_match
from janshi.records.convert import GameWriter
from janshi.riichi.actions import Action
from janshi.riichi.agents import EfficientAgent
from janshi.riichi.dataset import HandSet
from janshi.riichi.rules import TENHOU, TENHOU_SANMA, preset
from janshi.tiles import ORPHANS, kinds_of


class Caller:
    """Calls simples whenever possible and otherwise plays like the efficient agent, to win by all simples."""

    name = "caller"
    players = frozenset({3, 4})

    def act(self, batch):
        chosen = EfficientAgent().act(batch)
        kinds = kinds_of(np.asarray(batch.views)["tile"])
        calls = batch.legal[:, Action.CHII : Action.DAIMINKAN]
        rows = calls.any(axis=1) & ~np.isin(kinds, ORPHANS) & ~batch.legal[:, Action.RON]
        chosen[rows] = Action.CHII + calls[rows].argmax(axis=1)
        return chosen


def make_games(folder: Path, rules: str = "tenhou-sanma-east", games: int = 4, agent: Agent | None = None) -> Path:
    with GameWriter(folder, "mjlog") as writer:
        rule_set = preset(rules)
        play_match([agent or EfficientAgent()] * rule_set.players, rule_set, games, seed=1, on_game=writer.write)
    return folder


def hands_of(table, actions: list[int]) -> HandSet:
    """Return one hand from a constructed table before its first decision."""
    rules = TENHOU_SANMA if table.rules.players == 3 else TENHOU
    state = table.state
    walls = np.zeros((1, 136), np.int8)
    walls[0] = state.wall
    starts = np.array([[0, 0, 0, 0, *[rules.start] * rules.players, *[0] * (4 - rules.players)]], np.int32)
    taken = np.array(actions, np.uint8)
    bounds = np.array([0, len(taken)])
    zero = np.zeros(1, np.int32)
    first = zero.astype(np.int16)
    return HandSet((rules,), first, walls, starts, taken, bounds, zero, first, ("made",))
