"""What encoders of Riichi write of constructed tables: the claims of ``tests/vectors/riichi-encoders.json``."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from janshi.compiling import dtype_of
from janshi.encoders import encoder
from janshi.riichi.game import RIICHI
from janshi.riichi.records import Event
from janshi.riichi.records.mjlog import decode_meld
from janshi.riichi.state import Events
from janshi.table import Table
from janshi.tiles import format_tiles
from tests.claims import Row, claims
from tests.encoders.long_reference import LONG_CALL, code_of
from tests.rules.tables import RIICHI_WORDS

ALL = (1 << 34) - 1


def columns(name: str, table: Table, seat: str) -> dict[str, str]:
    """Return what an encoder writes for a seat: the kinds of each column, or ``all``."""
    masks = encoder(name).encode_views(np.asarray(table.view(int(seat))).reshape(1))[0].tolist()
    kinds = ["all" if mask == ALL else format_tiles(kind for kind in range(34) if mask >> kind & 1) for mask in masks]
    return dict(zip(encoder(name).columns, kinds, strict=True))


def unseen(table: Table, what: str) -> int:
    """Return how many tiles of a kind a seat has not seen, by the encoder."""
    seat, kind = what.split()
    packed = encoder("table").encode_views(np.asarray(table.view(int(seat))).reshape(1))[0]
    counts = [packed[encoder("table").columns.index(f"{count} or more unseen")] for count in (1, 2, 3, 4)]
    return sum(int(mask) >> int(kind) & 1 for mask in counts)


def code(table: Table, what: str) -> str:
    """Return a meld in words as the `long` paper codes it: for a seat, another relative to it, and a slot."""
    seat, other, slot = map(int, what.split())
    events = np.zeros(1, dtype_of(Events))
    RIICHI.event_logs(np.asarray(table.record).reshape(1), np.array([seat], np.int8), events)
    numbers = LONG_CALL.encode_views(np.asarray(table.view(seat)).reshape(1), events)[0].tolist()
    found = code_of(numbers, other, slot)
    if not found:
        return ""
    meld = decode_meld(found)
    added = f" added {meld.added}" if meld.event == Event.KAKAN else ""
    tiles = " ".join(map(str, meld.tiles))
    return f"{Event(meld.event).name} {tiles} called {meld.called} from {meld.discarder}{added}"


WORDS = dataclasses.replace(
    RIICHI_WORDS,
    facts={
        "columns": lambda table, seat: columns("table", table, seat),
        "janshi": lambda table, seat: columns("janshi", table, seat),
        "unseen": unseen,
        "code": code,
    },
)


@pytest.mark.parametrize("row", claims("riichi-encoders"))
def test_columns(row: Row) -> None:
    WORDS.check({"rules": "tenhou", **row})
