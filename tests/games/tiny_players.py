"""An encoder and an agent of the game in `tests.games.tiny`."""

import numpy as np
from numpy.typing import NDArray

from janshi.agents import Agent
from janshi.compiling import Int8s, rule
from janshi.encoders import Encoder, Layout, register
from janshi.table import DecisionBatch
from tests.games.tiny import KINDS, WIN, View


@rule
def write_numbers(view: View, out: Int8s) -> None:
    """Write the own tiles and the remaining players."""
    for kind in range(KINDS):
        out[kind] = view.hand.counts[kind]
    for seat in range(int(view.rules.players)):
        out[KINDS + seat] = 1 - int(view.seats[seat].won)


TINY_ENCODER = register(
    Encoder(
        name="tiny",
        write=write_numbers,
        columns=(*(f"own {kind + 1}" for kind in range(KINDS)), *(f"seat {seat} plays" for seat in range(4))),
        layout=Layout.NUMBERS,
        game="tiny",
        players=frozenset({2, 3, 4}),
        symmetric=False,
    )
)


class TinyAgent(Agent):
    """Wins if possible; ``keeps_pairs``: discards a single tile, else any tile at random."""

    players = frozenset({2, 3, 4})
    games = frozenset({"tiny"})

    def __init__(self, name: str = "tiny", keeps_pairs: bool = False) -> None:
        self.name = name
        self.keeps_pairs = keeps_pairs

    def act(self, batch: DecisionBatch) -> NDArray[np.int16]:
        """Return one action for each decision."""
        single = batch.legal[:, :KINDS] & (np.asarray(batch.views)["hand"]["counts"] == 1)
        wanted = np.where(self.keeps_pairs & single.any(axis=1)[:, None], single, batch.legal[:, :KINDS])
        chosen = [np.flatnonzero(row)[word % row.sum()] for row, word in zip(wanted, batch.random, strict=True)]
        return np.where(batch.legal[:, WIN], WIN, chosen).astype(np.int16)
