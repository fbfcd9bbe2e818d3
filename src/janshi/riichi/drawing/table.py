"""A table as one picture: SVG, pixels, and text for a terminal.

`table_svg` draws the view of one seat, that seat below; `open_table_svg` draws all hands open. `janshi.drawing.picture`
describes the layout; the riichi discard lies sideways, and a table of three has no seat above. A bar beside a seat's
points marks the seat to decide.

>>> from janshi.table import Table
>>> table = Table("tenhou-sanma", seed=1)
>>> table_svg(table.view(0)).count('href="#tile-back"')  # 26 tiles of the others, 4 indicators
30
>>> print(table_text(table.view(0)).splitlines()[0])
East 1, 54 tiles left, dora indicator 1s
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from janshi.drawing.letters import lettering, number
from janshi.drawing.picture import (
    AMBER,
    HIDDEN,
    LIGHT,
    MIDDLE,
    PANEL,
    asked_bar,
    document,
    empty_panel,
    hand_text,
    meld_text,
    river_text,
    side,
    tile_at,
)
from janshi.drawing.tiles import wind_paths
from janshi.riichi.drawing.snapshot import (
    WIND_NAMES,
    SeatSnapshot,
    TableSnapshot,
    round_text,
    snapshot_of_table,
    snapshot_of_view,
)
from janshi.riichi.state import State
from janshi.table import Table
from janshi.tiles import tile_text

_DIM: Final = "#9fc4b6"
_RIICHI: Final = "#d4242e"


def table_svg(view: Any, *, numerals: bool = False) -> str:
    """Return the view of a seat (a `janshi.riichi.state.View`, or an array of one) as an SVG document.

    ``numerals``: digits and letters on the tiles and for the winds.
    """
    return _document(snapshot_of_view(view), numerals)


def open_table_svg(table: Table | State, *, seat: int = 0, numerals: bool = False) -> str:
    """Return a table (or its `janshi.riichi.state.State`) with all hands open as an SVG document, ``seat`` below.

    Raises `ValueError` for an unknown seat.
    """
    return _document(snapshot_of_table(table, seat), numerals)


def _document(table: TableSnapshot, numerals: bool) -> str:
    return document(heading(table), body_of(table, numerals=numerals), numerals=numerals)


def body_of(table: TableSnapshot, *, numerals: bool = False) -> str:
    """Return the contents of a table as elements without text; tiles are used, not defined."""
    return _panel(table, numerals) + _dora(table) + "".join(side(seat, _strip(seat, numerals)) for seat in table.seats)


def _strip(seat: SeatSnapshot, numerals: bool) -> str:
    """Return a seat's wind, points and riichi stick on its edge of the middle panel."""
    y = MIDDLE + PANEL
    colour = AMBER if seat.wind == 0 else LIGHT
    drawn = _wind(seat.wind, MIDDLE - 70, y - 37, 23, colour, numerals)
    drawn += lettering(f"{seat.points:,}", MIDDLE + 17, y - 33.5, 17, LIGHT, centred=True)
    if seat.riichi:
        drawn += _stick(MIDDLE - 50, y + 0.5, 100, 8, _RIICHI, 1)
    if seat.asked:
        drawn += asked_bar(y - 9.5)
    return drawn


@cache
def _wind(wind: int, x: float, y: float, size: float, colour: str, numerals: bool) -> str:
    if numerals:
        return lettering("ESWN"[wind], x + size / 2, y + size * 0.12, size * 0.8, colour, centred=True)
    place = f"translate({number(x)} {number(y)})scale({size / 100:g})"
    return f'<path fill="{colour}" d="{wind_paths()[wind]}" transform="{place}"/>'


def _stick(x: float, y: float, wide: float, high: float, colour: str, dots: int) -> str:
    middle, step = x + wide / 2, 0.62 * high
    marks = "".join(
        f'<circle cx="{number(middle + (dot - (dots - 1) / 2) * step)}" cy="{number(y + high / 2)}" '
        f'r="{number(0.3 * high if dots == 1 else 0.2 * high)}" fill="{colour}"/>'
        for dot in range(dots)
    )
    return (
        f'<rect x="{number(x)}" y="{number(y)}" width="{number(wide)}" height="{number(high)}" '
        f'rx="{number(high / 2.6)}" fill="{LIGHT}"/>{marks}'
    )


def _panel(table: TableSnapshot, numerals: bool) -> str:
    """Return the middle of the table: the round, tiles left, honba and deposits."""
    drawn = empty_panel()
    drawn += _wind(table.kyoku // 4 % 4, MIDDLE - 37, MIDDLE - 50, 40, LIGHT, numerals)
    drawn += lettering(str(table.kyoku % 4 + 1), MIDDLE + 13, MIDDLE - 46, 34, LIGHT)
    left, y = MIDDLE - 54, MIDDLE + 36
    drawn += f'<rect x="{MIDDLE - 25:g}" y="{MIDDLE + 7:g}" width="11" height="15" rx="2" fill="#5a80bd"/>'
    drawn += lettering(str(table.left), MIDDLE - 6, MIDDLE + 8, 13, LIGHT)
    for x, count, colour, dots in ((left, table.deposits, _RIICHI, 1), (left + 62, table.honba, "#1c1f26", 4)):
        drawn += _stick(x, y + 1.5, 28, 7, colour, dots)
        drawn += lettering(str(count), x + 33, y, 10, LIGHT if count else _DIM)
    return drawn


def _dora(table: TableSnapshot) -> str:
    """Return the dora indicators; hidden ones show their backs."""
    tiles = (*table.indicators, *(HIDDEN,) * (5 - len(table.indicators)))
    drawn = "".join(tile_at(tile, 92 + 31 * index, 92, 31) for index, tile in enumerate(tiles))
    return f'<g data-part="dora">{drawn}</g>'


# ---------------------------------------------------------------------------------------------------------
# Text


def table_text(view: Any) -> str:
    """Return the view of a seat as lines for a terminal, the seat itself last; tiles as ``123p0s77z``.

    In a river ``'`` marks tsumogiri, ``!`` the riichi discard, ``^`` a called tile; ``>`` marks the seat to decide.
    """
    table = snapshot_of_view(view)
    lines = [heading(table)]
    for seat in (*table.seats[1:], table.seats[0]):
        riichi = ", riichi" if seat.riichi else ""
        sources = ["closed" if discarder == seat.seat else f"from {discarder}" for discarder in seat.discarders]
        melds = [*map(meld_text, seat.melds, sources), *([f"[kita {len(seat.aside)}]"] if seat.aside else [])]
        lines.append(
            f"{'>' if seat.asked else ' '} {WIND_NAMES[seat.wind]:5} seat {seat.seat}  {seat.points:>7,}{riichi}  "
            + "  ".join(part for part in (hand_text(seat), *melds) if part)
        )
        lines.append(f"    river {river_text(seat.river)}")
    return "\n".join(lines)


def heading(table: TableSnapshot) -> str:
    """Return in one line the round, sticks, tiles left and dora indicators."""
    parts = [round_text(table.kyoku)]
    if table.honba:
        parts.append(f"{table.honba} honba")
    if table.deposits:
        parts.append(f"{table.deposits} riichi stick{'s' if table.deposits > 1 else ''}")
    parts.append(f"{table.left} tiles left")
    many = "s" if len(table.indicators) > 1 else ""
    parts.append(f"dora indicator{many} {' '.join(tile_text(tile) for tile in table.indicators)}")
    return ", ".join(parts) + (", hand over" if table.over else "")
