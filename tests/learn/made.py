"""Games of our own to learn from, so few that it takes seconds."""

from pathlib import Path

import numpy as np

from janshi.agents import Agent, agent
from janshi.arena import play_match
from janshi.engine import actions
from janshi.records.convert import GameWriter
from janshi.rules import preset
from janshi.tiles import ORPHANS, kinds_of


class Caller:
    """Calls every simple tile that it can, and otherwise does what the efficient agent does: wins by all simples."""

    name = "caller"

    def act(self, views, legal, keys):
        chosen = agent("efficient").act(views, legal, keys)
        kinds = kinds_of(views["tile"])
        calls = legal[:, actions.CHII : actions.DAIMINKAN]
        some = calls.any(axis=1) & ~np.isin(kinds, ORPHANS) & ~legal[:, actions.RON]
        chosen[some] = actions.CHII + calls[some].argmax(axis=1)
        return chosen


def make_games(place: Path, rules: str = "tenhou-sanma-east", games: int = 4, one: Agent | None = None) -> Path:
    one = one or agent("efficient")
    with GameWriter(place, "mjlog") as writer:
        by = preset(rules)
        play_match([one] * by.players, by, games, seed=1, on_game=writer.write)
    return place
