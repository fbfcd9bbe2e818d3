"""A custom encoder: own tiles, the offered tile, and dora indicators, as columns over the 34 kinds."""

from janshi.compiling import Int64s, rule
from janshi.core.kinds import kind_of_tile
from janshi.encoders import Encoder, register
from janshi.riichi.state import View


@rule
def write_dora(view: View, columns: Int64s) -> None:
    """Write three masks of kinds."""
    columns[0] = int(view.hand.concealed.held[1])
    columns[1] = 1 << kind_of_tile(int(view.tile)) if int(view.tile) >= 0 else 0
    columns[2] = 0
    for number in range(int(view.shown)):
        columns[2] |= 1 << kind_of_tile(int(view.indicators[number]))


DORA = register(Encoder(name="dora", write=write_dora, columns=("own tiles", "tile on offer", "dora indicators")))
