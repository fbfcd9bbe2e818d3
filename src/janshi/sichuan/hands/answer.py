"""The facet ``"hand"`` of Sichuan mahjong, used by ``janshi hand``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from janshi.core.answers import AnswerTable, HandAnswer, HandTool, discards_data, discards_sheet
from janshi.sichuan.hands.score import FanValue, fan, is_complete, ukeire, waits
from janshi.sichuan.rules import Rules
from janshi.tiles import tile_text

#: Circumstances of a win by option.
_CIRCUMSTANCES: Final = {
    "rinshan": "after_kong",
    "robbing": "robbing",
    "chankan": "robbing",
    "kong_discard": "kong_discard",
    "last": "last_tile",
    "first": "earth",
}


def answer(
    tiles: str,
    rules: Rules,
    *,
    meld: Sequence[str] = (),
    kan: Sequence[str] = (),
    void: str | None = None,
    win: str | None = None,
    tsumo: bool = False,
    **circumstances: bool,
) -> HandAnswer:
    """Return shanten, ukeire, waits and their values, or the value of a complete hand.

    ``circumstances``: of the win, keys of `_CIRCUMSTANCES`. Raises `HandError`.
    """
    melds: dict[str, Any] = {
        "pungs": [text for text in meld if len(text) != 5],
        "kongs": [text for text in meld if len(text) == 5],
        "concealed_kongs": kan,
        "void": void,
    }
    if is_complete(tiles, **melds):
        said = list(dict.fromkeys(_CIRCUMSTANCES[name] for name, given in circumstances.items() if given))
        return _worth(fan(tiles, win, **melds, self_drawn=tsumo, circumstances=said, rules=rules))
    rows = ukeire(tiles, **melds)
    values = waits(tiles, **melds, rules=rules) if rows[0].discard is None else {}
    away = rows[0].shanten
    sheets = [discards_sheet(f"{away}-shanten" if away else "tenpai", rows)]
    if values:
        sheets.append(AnswerTable("", ("wait", "fan", "points", "for"), [_wait(*each) for each in values.items()]))
    worth = {tile_text(kind): {"fan": value.fan, "points": value.points} for kind, value in values.items()}
    return HandAnswer({"shanten": away, "discards": discards_data(rows), "waits": worth}, sheets)


def _wait(kind: int, value: FanValue) -> tuple[str, ...]:
    return tile_text(kind), str(value.fan), str(value.points), ", ".join(name for name, _ in value.fans)


def _worth(worth: FanValue) -> HandAnswer:
    data = {"shanten": -1, "fans": worth.fans, "fan": worth.fan, "points": worth.points, "each": worth.each}
    sheet = AnswerTable(
        f"{worth.fan} fan: {worth.points} points", ("fan", ""), [(name, str(number)) for name, number in worth.fans]
    )
    line = f"the discarder pays {worth.points}; on a self-draw every player still in pays {worth.each}"
    return HandAnswer(data, [sheet], line)


TOOL: Final = HandTool(frozenset({"meld", "kan", "void", "win", "tsumo", *_CIRCUMSTANCES}), answer)
