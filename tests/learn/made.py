"""Games of our own to learn from, so few that it takes seconds."""

from pathlib import Path

import numpy as np

from janshi.agents import Agent, EfficientAgent
from janshi.arena import play_match
from janshi.records.convert import GameWriter
from janshi.riichi.actions import Action
from janshi.riichi.rules import preset
from janshi.tiles import ORPHANS, kinds_of


class Caller:
    """Calls every simple tile that it can, and otherwise does what the efficient agent does: wins by all simples."""

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
