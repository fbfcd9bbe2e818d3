"""What every seat holds in a recorded hand, followed by the compiled rule `janshi.riichi.records.building`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from janshi.compiling import zeros
from janshi.records.formats import RecordError
from janshi.riichi.records.building import Building, RowFault, Turned, add_rows, begin_building
from janshi.riichi.records.model import COLUMNS, RecordedHand, RecordedMeld, meld_of
from janshi.riichi.state import Event
from janshi.tiles import tile_text


class Holding:
    """Tiles of every seat after each event of a hand.

    Args:
        deal: tiles of each seat (players, 13).
        dora: the first dora indicator.
        reds: number of red fives of each suit.
        exact: whether tiles and events are ids (0–135); otherwise they are tiles (0–36), which get ids.

    Raises `RecordError`, as all methods do, for what cannot be.
    """

    def __init__(self, deal: ArrayLike, dora: int, reds: Sequence[int] = (0, 0, 0), *, exact: bool = True) -> None:
        tiles = np.array(deal, np.int16)
        # An array of one record: NumPy reads a field of an array far quicker than one of a single record.
        built: Any = zeros(Building, 1)
        built["players"] = len(tiles)
        built["reds"] = reds
        built["exact"] = exact
        self._built = built
        if begin_building(built, tiles, dora):
            raise self._fault()

    def _error(self, fault: RowFault, **values: Any) -> RecordError:
        return RecordError(fault.text.format(**values))

    def _fault(self) -> RecordError:
        """Return the error of the fault in the record."""
        values = {name: self._built[f"fault_{name}"].item() for name in ("seat", "tile", "event", "number", "other")}
        names = {"tile": tile_text(max(values["tile"], 0)), "event": Event(values["event"]).name.lower()}
        return self._error(RowFault(self._built["fault"].item()), **(values | names))

    def take(self, events: ArrayLike) -> None:
        """Follow rows of `RecordedHand.events`; an error names the number of its event in them, from 1."""
        rows = np.array(events, np.int16).reshape(-1, COLUMNS)
        rows[rows[:, 0] == Event.DORA, 4] = Turned.HERE
        number = add_rows(self._built, rows)
        if number < len(rows):
            raise self._fault().at(event=number + 1)

    def take_one(self, row: Sequence[int]) -> RecordedMeld | None:
        """Follow one row; return the set that it makes, if any."""
        melds = self.melds(row[1]) if Event.CHII <= row[0] <= Event.KITA else []
        self.take([row])
        return meld_of(row, melds)

    @property
    def rows(self) -> NDArray[np.int16]:
        """Rows of `janshi.riichi.records.model.RecordedHand.events` so far."""
        count = self._built["count"].item()
        events: NDArray[np.int16] = self._built["rows"][0, : COLUMNS * count].reshape(-1, COLUMNS)
        return events

    @property
    def drawn(self) -> int:
        """Id of the tile drawn last, while its owner may discard it; −1 for none."""
        return int(self._built["drawn"].item())

    @property
    def offered(self) -> int:
        """Id of the tile that others may claim; −1 for none."""
        return int(self._built["offered"].item())

    @property
    def offerer(self) -> int:
        """Seat whose tile others may claim; −1 for none."""
        return int(self._built["offerer"].item())

    @property
    def shown(self) -> list[int]:
        """Ids of the dora indicators turned over."""
        rows = self.rows
        later: list[int] = rows[rows[:, 0] == Event.DORA, 2].tolist()
        return [int(self._built["indicator"].item()), *later]

    def ids(self, seat: int) -> list[int]:
        """Return the ids of a seat's concealed tiles, ascending."""
        holder = self._built["seats"][0, seat]
        ids: list[int] = holder["ids"][: holder["count"]].tolist()
        return ids

    def has_drawn(self, seat: int) -> bool:
        """Return whether a seat holds the tile drawn last."""
        return self.drawn in self.ids(seat)

    def melds(self, seat: int) -> list[RecordedMeld]:
        """Return a seat's sets, the oldest first; a kan added to a pon takes the pon's place."""
        melds: list[RecordedMeld] = []
        for row in self.rows[self.rows[:, 1] == seat].tolist():
            meld_of(row, melds)
        return melds

    def winning(self, who: int, from_who: int) -> dict[str, Any]:
        """Return the fields of `RecordedWin` that follow from what the winner holds: tile, hand, melds and dora."""
        if who == from_who and not self.has_drawn(who):
            raise RecordError(f"seat {who} wins by self-draw without a draw")
        if who != from_who and self.offerer != from_who:
            raise RecordError(f"seat {who} wins on a tile of seat {from_who}, which has offered none")
        tile = self.drawn if who == from_who else self.offered
        return {
            "tile": tile,
            "hand": tuple(sorted({*self.ids(who), tile})),
            "melds": tuple(reversed(self.melds(who))),
            "dora": tuple(self.shown),
        }


def at_end(hand: RecordedHand) -> Holding:
    """Return the tiles of every seat after the last event of a hand."""
    holding = Holding(hand.deal, hand.dora)
    holding.take(hand.events)
    return holding
