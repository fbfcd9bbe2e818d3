"""Tables of Sichuan mahjong as SVG and as text.

Each seat's edge of the middle (`janshi.drawing.picture`) shows its points, the crossed-out ace of its void suit, and
after a win the number of the win in a disc and the tile. Winning tiles are framed in their rivers; hands of winners lie
face down.

>>> from janshi.table import Table
>>> table = Table("sichuan", seed=7)
>>> print(sichuan_text(table.view(1)).splitlines()[0])
55 tiles left, seat 0 deals, suits are voided
>>> sichuan_svg(table.view(1)).count('href="#tile-back"')
40
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.drawing.facet import Drawing
from janshi.drawing.letters import lettering
from janshi.drawing.picture import (
    AMBER,
    HIDDEN,
    LIGHT,
    MIDDLE,
    PANEL,
    MeldTile,
    RiverTile,
    SeatPicture,
    asked_bar,
    check_seat,
    document,
    empty_panel,
    laid,
    meld_text,
    one_record,
    river_text,
    side,
    tile_at,
)
from janshi.sichuan.state import DiscardFlag, Ending, Fan, MeldForm, Offer, Phase
from janshi.table import Table
from janshi.tiles import format_tiles, tile_text

_SUITS: Final = ("characters", "dots", "bamboo")
_PHASES: Final = {
    Phase.EXCHANGE: "tiles are exchanged",
    Phase.VOID: "suits are voided",
    Phase.CLAIM: "a tile may be claimed",
}
_ENDINGS: Final = {Ending.WALL_EMPTY: "the wall is empty", Ending.THREE_WINS: "three have won"}

Hands = dict[int, Any]


def sichuan_svg(view: Any, *, numerals: bool = False) -> str:
    """Return the view of a seat (a `janshi.sichuan.state.View`, or an array of one) as an SVG document.

    ``numerals``: digits and letters on the tiles.
    """
    record = one_record(view)
    return _document(record, int(record["seat"]), {int(record["seat"]): record["hand"]}, numerals)


def open_sichuan_svg(table: Any, *, seat: int = 0, numerals: bool = False) -> str:
    """Return a table (or its `janshi.sichuan.state.State`) with all hands open as an SVG document, ``seat`` below.

    Raises `ValueError` for an unknown seat.
    """
    check_seat(seat, 4)
    record = one_record(table.record if isinstance(table, Table) else table)
    return _document(record, seat, dict(enumerate(record["hands"])), numerals)


# ---------------------------------------------------------------------------------------------------------
# Contents


def _seat(public: Any, who: int, place: int, hand: Any) -> SeatPicture:
    """Return a seat as drawings take it; ``hand``: None if its tiles are hidden."""
    seat, phase = public["seats"][who], int(public["phase"])
    own_turn = int(public["turn"]) == who and not int(seat["won"])
    # The dealer holds fourteen tiles before play.
    dealt = phase < Phase.TURN and int(public["dealer"]) == who
    full = dealt or (own_turn and phase in (Phase.TURN, Phase.CALLED_DISCARD))
    shown, drawn = _tiles(public, seat, hand, full=full, apart=phase == Phase.TURN)
    return SeatPicture(
        seat=who,
        side=place,
        hand=shown,
        drawn=drawn,
        melds=tuple(_meld(meld, who) for meld in seat["melds"][: int(seat["calls"])]),
        river=_river(seat, own_turn and phase == Phase.CLAIM and int(public["claimed"]) == Offer.DISCARD),
    )


def _tiles(public: Any, seat: Any, hand: Any, *, full: bool, apart: bool) -> tuple[tuple[int, ...], int | None]:
    """Return the concealed tiles, and the drawn one if it lies ``apart``; ``full``: the seat has a tile to discard."""
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


def _river(seat: Any, offered: bool) -> tuple[RiverTile, ...]:
    """Return a seat's discards; the one that may be claimed and those won on are framed."""
    count = int(seat["discards"])
    river = []
    for index, (tile, mark) in enumerate(zip(seat["river"][:count].tolist(), seat["marks"].tolist(), strict=False)):
        called, won = bool(mark & DiscardFlag.CALLED), bool(mark & DiscardFlag.WON_ON)
        framed = won or bool(mark & DiscardFlag.ROBBED) or (offered and index == count - 1)
        river.append(RiverTile(tile, called=called, offered=framed, marks="^" if called else "*" * won))
    return tuple(river)


def _meld(meld: Any, who: int) -> tuple[MeldTile, ...]:
    """Return a meld's tiles from left to right."""
    form, kind = int(meld["form"]), int(meld["kind"])
    if form == MeldForm.CONCEALED_KONG:
        return (MeldTile(HIDDEN), MeldTile(kind), MeldTile(kind), MeldTile(HIDDEN))
    held = [kind] * (3 if form == MeldForm.EXPOSED_KONG else 2)
    added = kind if form == MeldForm.ADDED_KONG else None
    return laid(held, kind, (int(meld["discarder"]) - who) % 4, 4, added)


def _void(seat: Any, hand: Any) -> int:
    """Return the suit that a seat has voided, −1 if none is visible."""
    void = int(seat["void"])
    return int(hand["void"]) if void < 0 and hand is not None else void


# ---------------------------------------------------------------------------------------------------------
# SVG


def _document(public: Any, below: int, hands: Hands, numerals: bool) -> str:
    """Return the picture; ``hands``: of the seats whose tiles are shown."""
    body = empty_panel() + lettering(str(int(public["left"])), MIDDLE, MIDDLE - 12, 24, LIGHT, centred=True)
    for step in range(4):
        seat = (below + step) % 4
        body += side(_seat(public, seat, step, hands.get(seat)), _strip(public, seat, hands.get(seat)))
    return document(_heading(public), body, numerals=numerals)


def _strip(public: Any, who: int, hand: Any) -> str:
    """Return the points, void suit and win of a seat on its edge of the middle."""
    seat, y = public["seats"][who], MIDDLE + PANEL
    drawn = lettering(str(int(seat["points"])), MIDDLE, y - 33.5, 17, LIGHT, centred=True)
    void = _void(seat, hand)
    if void >= 0:
        left = MIDDLE - 68
        drawn += f'<g data-part="void">{tile_at(9 * void, left, y - 40, 20)}'
        drawn += f'<path d="M{left - 3:g} {y - 11:g}L{left + 23:g} {y - 42:g}" stroke="#d4242e" stroke-width="4"/></g>'
    for place, win in enumerate(public["wins"][: int(public["winners"])]):
        if int(win["seat"]) == who:
            drawn += f'<g data-part="win"><circle cx="{MIDDLE + 33:g}" cy="{y - 26:g}" r="11" fill="{AMBER}"/>'
            drawn += f"{tile_at(int(win['tile']), MIDDLE + 48, y - 40, 20)}</g>"
            drawn += lettering(str(place + 1), MIDDLE + 33, y - 31.5, 11, "#12302a", centred=True)
    return drawn + (asked_bar(y - 4.5) if int(public["actor"]) == who else "")


# ---------------------------------------------------------------------------------------------------------
# Text


def sichuan_text(view: Any) -> str:
    """Return the view of a seat (a `janshi.sichuan.state.View`) as lines, the seat itself last.

    In a river ``^`` marks a called tile, ``*`` a winning one; ``>`` marks the seat to decide.
    """
    public = one_record(view)
    own = int(public["seat"])
    lines = [_heading(public)]
    for who in ((own + step) % 4 for step in (1, 2, 3, 4)):
        seat, hand = public["seats"][who], public["hand"] if who == own else None
        shown = _seat(public, who, 0, hand)
        asked = ">" if int(public["actor"]) == who else " "
        void = _void(seat, hand)
        melds = [
            meld_text(tiles, "concealed" if tiles[0].tile == HIDDEN else f"from {int(meld['discarder'])}")
            for tiles, meld in zip(shown.melds, seat["melds"], strict=False)
        ]
        words = "  ".join(part for part in (_hand_text(shown, hand), *melds, _won_text(public, who)) if part)
        suit = f", {_SUITS[void]} void" if void >= 0 else ""
        lines.append(f"{asked} seat {who}  {int(seat['points']):>4}{suit}  {words}".rstrip())
        lines.append(f"    river {river_text(shown.river)}")
    return "\n".join(lines)


def _heading(public: Any) -> str:
    """Return in one line the tiles left, the dealer and the decision."""
    parts = [f"{int(public['left'])} tiles left", f"seat {int(public['dealer'])} deals"]
    phase = int(public["phase"])
    if phase in _PHASES:
        parts.append(_PHASES[Phase(phase)])
    if phase == Phase.CLAIM:
        parts.append(f"{tile_text(int(public['tile']))} of seat {int(public['turn'])}")
    if phase >= Phase.HAND_OVER:
        parts.append(f"hand over: {_ENDINGS[Ending(int(public['ended']))]}")
    return ", ".join(parts)


def _hand_text(seat: SeatPicture, hand: Any) -> str:
    if hand is None:
        return f"{len(seat.hand) + (seat.drawn is not None)} tiles"
    text = format_tiles(tile for tile in seat.hand if tile != HIDDEN)
    text += f" + {tile_text(seat.drawn)}" if seat.drawn is not None else ""
    return text + (f" (face down {tile_text(int(hand['laid']))})" if int(hand["laid"]) >= 0 else "")


def _won_text(public: Any, seat: int) -> str:
    for win in public["wins"][: int(public["winners"])]:
        if int(win["seat"]) == seat:
            value = win["value"]
            fans = [fan.name.lower().replace("_", " ") for fan in Fan if int(value["times"][fan])]
            by = "self-drawn" if int(win["discarder"]) < 0 else f"from {int(win['discarder'])}"
            words = f"{int(value['points'])} points: {', '.join(fans) or 'no fan'}"
            return f"has won on {tile_text(int(win['tile']))} {by}, {words}"
    return ""


#: Sichuan's facet ``"drawing"``.
DRAWING: Final = Drawing(
    text=lambda view, legal=(): sichuan_text(view),
    svg=sichuan_svg,
    open_svg=open_sichuan_svg,
)
