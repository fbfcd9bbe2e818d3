"""A custom command: ``janshi --plugin examples/plugins/shuffle.py shuffle --tiles 5``."""

from dataclasses import dataclass

import numpy as np

from janshi.cli import COMMANDS
from janshi.cli.options import option
from janshi.tiles import format_tiles


@dataclass(frozen=True)
class ShuffleOptions:
    """Options of ``janshi shuffle``."""

    tiles: int = option("How many tiles.", default=13, min=1, max=34)
    seed: int = option("Random seed of the order.", default=0)


def shuffle(options: ShuffleOptions) -> None:
    """Print distinct kinds of tiles in random order."""
    print(format_tiles(sorted(np.random.default_rng(options.seed).permutation(34)[: options.tiles].tolist())))


COMMANDS.register("shuffle", shuffle)
