"""An agent and a command of an installed package: see pyproject.toml beside this file."""

from dataclasses import dataclass

import numpy as np

from janshi.agents import agent
from janshi.cli.options import option
from janshi.riichi.actions import Action
from janshi.table import Tables


class Declarer:
    """Plays like `efficient` and declares riichi whenever possible."""

    name = "declarer"
    players = frozenset({3, 4})

    def __init__(self):
        self.efficient = agent("efficient")

    def act(self, batch):
        """Return one action for each decision."""
        return np.where(batch.legal[:, Action.RIICHI], Action.RIICHI, self.efficient.act(batch)).astype(np.int16)


@dataclass(frozen=True)
class CountOptions:
    """Options of ``janshi declarations``."""

    tables: int = option("Number of tables.", default=100, min=1)
    seed: int = option("Random seed of the walls.", default=0)


def count_declarations(options: CountOptions) -> None:
    """Count the first decisions of sanma hands in which riichi is possible."""
    legal = Tables("tenhou-sanma-hand", options.tables, options.seed).legal()
    print(f"riichi is possible at {legal[:, Action.RIICHI].sum()} of {options.tables} tables")
