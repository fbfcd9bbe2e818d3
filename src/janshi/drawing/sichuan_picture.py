"""A Sichuan table as one picture: the drawing of `janshi.drawing.table` with void suits and wins.

On each seat's edge of the middle stand its points, the ace of its void suit with a line through it, and for who has won
the number of the win in a disc and the tile. Tiles that won lie framed in their rivers; those of players who are out
lie face down.

>>> from janshi.table import Table
>>> sichuan_svg(Table("sichuan", seed=1).view(1)).count('href="#tile-back"')
40
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.drawing.letters import lettering
from janshi.drawing.sichuan import heading
from janshi.drawing.snapshot import HIDDEN, Discard, MeldTile, SeatSnapshot
from janshi.drawing.table import AMBER, LIGHT, PANEL, SIZE, document, empty_panel, side, tile_at
from janshi.sichuan.state import DiscardFlag, MeldForm, Offer, Phase
from janshi.table import Table

_MIDDLE: Final = SIZE / 2


def sichuan_svg(view: Any, *, numerals: bool = False) -> str:
    """Return what a seat may see (a `janshi.sichuan.state.View`, or an array of one) as an SVG document.

    ``numerals`` puts digits and letters on the tiles.
    """
    record = np.asarray(view).reshape(())
    return _document(record, int(record["seat"]), {int(record["seat"]): record["hand"]}, numerals)


def open_sichuan_svg(table: Any, *, seat: int = 0, numerals: bool = False) -> str:
    """Return a table (or its `janshi.sichuan.state.State`) with all hands open as an SVG document, ``seat`` below.

    Raises `ValueError` where there is no such seat.
    """
    if not 0 <= seat < 4:
        raise ValueError(f"there is no seat {seat} at a table of 4")
    record = np.asarray(table.record if isinstance(table, Table) else table).reshape(())
    return _document(record, seat, dict(enumerate(record["hands"])), numerals)


def _document(public: Any, below: int, hands: dict[int, Any], numerals: bool) -> str:
    """The picture; ``hands``: of the seats whose tiles are shown."""
    body = empty_panel() + lettering(str(int(public["left"])), _MIDDLE, _MIDDLE - 12, 24, LIGHT, centred=True)
    for step in range(4):
        seat = (below + step) % 4
        body += side(_snapshot(public, seat, step, hands.get(seat)), _strip(public, seat, hands.get(seat)))
    return document(heading(public), body, numerals=numerals)


def _snapshot(public: Any, who: int, place: int, hand: Any) -> SeatSnapshot:
    """A seat as the drawing takes it; ``hand``: None where its tiles are hidden."""
    seat, phase = public["seats"][who], int(public["phase"])
    own_turn = int(public["turn"]) == who and not int(seat["won"])
    # Before play the dealer holds fourteen tiles already.
    dealt = phase < Phase.TURN and int(public["dealer"]) == who
    full = dealt or (own_turn and phase in (Phase.TURN, Phase.CALLED_DISCARD))
    shown, drawn = _tiles(public, seat, hand, full=full, apart=phase == Phase.TURN)
    return SeatSnapshot(
        seat=who,
        side=place,
        wind=0,
        points=int(seat["points"]),
        riichi=False,
        asked=int(public["actor"]) == who,
        hand=shown,
        drawn=drawn,
        melds=tuple(_meld(meld, who) for meld in seat["melds"][: int(seat["calls"])]),
        discarders=(),
        kitas=0,
        river=_river(seat, own_turn and phase == Phase.CLAIM and int(public["claimed"]) == Offer.DISCARD),
    )


def _tiles(public: Any, seat: Any, hand: Any, *, full: bool, apart: bool) -> tuple[tuple[int, ...], int | None]:
    """Concealed tiles, and the one just drawn where it lies ``apart``; ``full``: the seat has a tile to discard."""
    if hand is None:
        held = (HIDDEN,) * (13 - 3 * int(seat["calls"]))
        return (held, HIDDEN) if full and apart else (held + (HIDDEN,) * full, None)
    counts = np.array(hand["counts"], np.int64)
    drawn = int(public["drawn"]) if full and apart else -1
    if drawn >= 0 and counts[drawn]:
        counts[drawn] -= 1
    else:
        drawn = -1
    tiles = np.repeat(np.arange(len(counts)), counts).tolist()
    return (*tiles, *([HIDDEN] if int(hand["laid"]) >= 0 else [])), drawn if drawn >= 0 else None


def _river(seat: Any, offered: bool) -> tuple[Discard, ...]:
    """A seat's discards; framed are the one that may be claimed and those that somebody has won on."""
    count = int(seat["discards"])
    return tuple(
        Discard(
            tile=int(tile),
            from_draw=False,
            riichi=False,
            called=bool(mark & DiscardFlag.CALLED),
            offered=bool(mark & (DiscardFlag.WON_ON | DiscardFlag.ROBBED)) or (offered and index == count - 1),
        )
        for index, (tile, mark) in enumerate(zip(seat["river"][:count], seat["marks"], strict=False))
    )


def _meld(meld: Any, who: int) -> tuple[MeldTile, ...]:
    """A meld's tiles from left to right, the called one sideways on the side of the seat that it came from."""
    form, kind = int(meld["form"]), int(meld["kind"])
    if form == MeldForm.CONCEALED_KONG:
        return (MeldTile(HIDDEN), MeldTile(kind), MeldTile(kind), MeldTile(HIDDEN))
    ahead = (int(meld["discarder"]) - who) % 4
    held = [MeldTile(kind)] * (3 if form == MeldForm.EXPOSED_KONG else 2)
    added = [MeldTile(kind, True, True)] if form == MeldForm.ADDED_KONG else []
    index = len(held) if ahead == 1 else 0 if ahead == 3 else 1
    return (*held[:index], MeldTile(kind, True), *added, *held[index:])


def _strip(public: Any, who: int, hand: Any) -> str:
    """Points, void suit and win of a seat on its edge of the middle."""
    seat, y = public["seats"][who], _MIDDLE + PANEL
    drawn = lettering(str(int(seat["points"])), _MIDDLE, y - 33.5, 17, LIGHT, centred=True)
    void = int(seat["void"])
    if void < 0 and hand is not None:
        void = int(hand["void"])
    if void >= 0:
        left = _MIDDLE - 68
        drawn += f'<g data-part="void">{tile_at(9 * void, left, y - 40, 20)}'
        drawn += f'<path d="M{left - 3:g} {y - 11:g}L{left + 23:g} {y - 42:g}" stroke="#d4242e" stroke-width="4"/></g>'
    for place, win in enumerate(public["wins"][: int(public["winners"])]):
        if int(win["seat"]) == who:
            drawn += f'<g data-part="win"><circle cx="{_MIDDLE + 33:g}" cy="{y - 26:g}" r="11" fill="{AMBER}"/>'
            drawn += f"{tile_at(int(win['tile']), _MIDDLE + 48, y - 40, 20)}</g>"
            drawn += lettering(str(place + 1), _MIDDLE + 33, y - 31.5, 11, "#12302a", centred=True)
    if int(public["actor"]) == who:
        drawn += f'<rect x="{_MIDDLE - 70:g}" y="{y - 4.5:g}" width="140" height="4.5" rx="2.2" fill="{AMBER}"/>'
    return drawn
