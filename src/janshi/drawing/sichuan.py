"""Tables of Sichuan mahjong as text for a terminal.

>>> from janshi.table import Table
>>> print(sichuan_text(Table("sichuan", seed=7).view(1)).splitlines()[0])
55 tiles left, seat 0 deals, suits are voided
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from janshi.sichuan.state import DiscardFlag, Ending, Fan, MeldForm, Phase
from janshi.table import Table
from janshi.tiles import format_tiles, tile_text

_SUITS: Final = ("characters", "dots", "bamboo")
_PHASES: Final = {
    Phase.EXCHANGE: "tiles are exchanged",
    Phase.VOID: "suits are voided",
    Phase.CLAIM: "a tile may be claimed",
}
_ENDINGS: Final = {Ending.WALL_EMPTY: "the wall is empty", Ending.THREE_WINS: "three have won"}


def sichuan_text(view: Any) -> str:
    """Return what a seat may see (a `janshi.sichuan.state.View`) as lines, the seat itself last.

    In a river ``^`` marks a called tile, ``*`` one that somebody has won on; ``>`` stands before the seat that the
    table waits for.
    """
    seat = int(view["seat"])
    hands = {seat: (view["hand"], int(view["drawn"]))}
    return _text(view, hands, [(seat + step) % 4 for step in (1, 2, 3, 0)])


def open_sichuan_text(table: Table) -> str:
    """Return a table with all hands open as lines, as `sichuan_text` does.

    >>> len(open_sichuan_text(Table("sichuan", seed=7)).splitlines())
    9
    """
    state = table.record
    turn = int(state["turn"]) if state["phase"] == Phase.TURN else -1
    hands = {seat: (state["hands"][seat], int(state["drawn"]) if seat == turn else -1) for seat in range(4)}
    return _text(state, hands, range(4))


def _text(public: Any, hands: dict[int, tuple[Any, int]], order: Sequence[int]) -> str:
    """All lines; ``hands``: of the seats whose tiles are shown, with the tile just drawn."""
    lines = [heading(public)]
    for seat in order:
        asked = ">" if int(public["actor"]) == seat else " "
        parts = [_hand_text(public, seat, hands), *_melds_text(public["seats"][seat]), _won_text(public, seat)]
        words = "  ".join(part for part in parts if part)
        void = _void_text(public["seats"][seat], hands.get(seat))
        lines.append(f"{asked} seat {seat}  {int(public['seats'][seat]['points']):>4}{void}  {words}".rstrip())
        lines.append(f"    river {_river_text(public['seats'][seat])}")
    return "\n".join(lines)


def heading(public: Any) -> str:
    """Return in one line what all share: tiles left, the dealer, what is asked."""
    parts = [f"{int(public['left'])} tiles left", f"seat {int(public['dealer'])} deals"]
    phase = int(public["phase"])
    if phase in _PHASES:
        parts.append(_PHASES[Phase(phase)])
    if int(public["tile"]) >= 0 and phase == Phase.CLAIM:
        parts.append(f"{tile_text(int(public['tile']))} of seat {int(public['turn'])}")
    if phase >= Phase.HAND_OVER:
        parts.append(f"hand over: {_ENDINGS[Ending(int(public['ended']))]}")
    return ", ".join(parts)


def _void_text(seat: Any, shown: tuple[Any, int] | None) -> str:
    void = int(seat["void"])
    if void < 0 and shown is not None:
        void = int(shown[0]["void"])
    return f", {_SUITS[void]} void" if void >= 0 else ""


def _hand_text(public: Any, seat: int, hands: dict[int, tuple[Any, int]]) -> str:
    if seat not in hands:
        turn = int(public["turn"]) == seat and int(public["phase"]) in (Phase.TURN, Phase.CALLED_DISCARD)
        drawn = 1 if turn else 0
        return f"{13 - 3 * int(public['seats'][seat]['calls']) + drawn} tiles"
    hand, drawn = hands[seat]
    counts = np.array(hand["counts"], np.int64)
    if drawn >= 0:
        counts[drawn] -= 1
    text = format_tiles(np.repeat(np.arange(len(counts)), counts).tolist())
    text += f" + {tile_text(drawn)}" if drawn >= 0 else ""
    return text + (f" (face down {tile_text(int(hand['laid']))})" if int(hand["laid"]) >= 0 else "")


def _melds_text(seat: Any) -> list[str]:
    texts = []
    for meld in seat["melds"][: int(seat["calls"])]:
        form = MeldForm(int(meld["form"]))
        tiles = format_tiles([int(meld["kind"])] * (3 if form == MeldForm.PUNG else 4))
        source = "concealed" if form == MeldForm.CONCEALED_KONG else f"from {int(meld['discarder'])}"
        texts.append(f"[{tiles} {source}]")
    return texts


def _won_text(public: Any, seat: int) -> str:
    for win in public["wins"][: int(public["winners"])]:
        if int(win["seat"]) == seat:
            value = win["value"]
            fans = [fan.name.lower().replace("_", " ") for fan in Fan if int(value["times"][fan])]
            by = "self-drawn" if int(win["discarder"]) < 0 else f"from {int(win['discarder'])}"
            words = f"{int(value['points'])} points: {', '.join(fans) or 'no fan'}"
            return f"has won on {tile_text(int(win['tile']))} {by}, {words}"
    return ""


def _river_text(seat: Any) -> str:
    texts = []
    for tile, mark in zip(seat["river"][: int(seat["discards"])], seat["marks"], strict=False):
        marks = "^" if mark & DiscardFlag.CALLED else "*" if mark & DiscardFlag.WON_ON else ""
        texts.append(tile_text(int(tile)) + marks)
    return " ".join(texts) or "–"
