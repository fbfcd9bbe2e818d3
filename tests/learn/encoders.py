"""An encoder that reads the log of the hand, for tests."""

from janshi.compiling import Int16s, rule
from janshi.encoders import Encoder, Layout
from janshi.riichi.state import Events, View

#: Numbers of the encoder: the count of events, and the last eight.
NUMBERS = 33


@rule
def write_last_events(view: View, events: Events, numbers: Int16s) -> None:
    count = int(events.count)
    numbers[0] = count
    for place in range(32):
        row = 4 * count - 32 + place
        numbers[1 + place] = int(events.rows[row]) if row >= 0 else -2


EVENTS = Encoder(
    name="last-events",
    write=write_last_events,
    columns=tuple(f"number {number}" for number in range(NUMBERS)),
    layout=Layout.NUMBERS,
)
