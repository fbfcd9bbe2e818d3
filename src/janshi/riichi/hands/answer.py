"""Riichi's facet ``"hand"``, used by ``janshi hand``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from janshi.core.answers import AnswerTable, HandAnswer, HandTool, discards_data, discards_sheet
from janshi.riichi.hands import Score, score, shanten, ukeire
from janshi.riichi.rules import Rules

_PAYERS: Final = {"discarder": "the discarder pays", "dealer": "the dealer pays", "others": "every other player pays"}


def answer(
    tiles: str,
    rules: Rules,
    *,
    meld: Sequence[str] = (),
    kan: Sequence[str] = (),
    calls: int = 0,
    kita: int = 0,
    dora: str = "",
    ura: str = "",
    **circumstances: Any,
) -> HandAnswer:
    """Return shanten and ukeire of a hand, or yaku, han, fu and payments of a complete one.

    ``circumstances``: of the win, as in `janshi.riichi.hands.score`. Raises `HandError`.

    >>> from janshi.riichi.rules import preset
    >>> answer("123m456p789s1122z", preset("tenhou")).sheets[0].rows
    [('–', '0', '12z', '4')]
    """
    named = len(meld) + len(kan)
    called = named or calls
    away = shanten(tiles, called, rules.players)
    if away < 0 and called == named:
        circumstances |= {"kitas": kita, "dora": dora, "ura": ura}
        return _worth(score(tiles, melds=meld, closed_kans=kan, rules=rules, **circumstances))
    visible = "".join([*meld, *kan, "4z" * kita, dora, ura])
    rows = ukeire(tiles, visible, calls=called, players=rules.players)
    title = {-1: "complete", 0: "tenpai"}.get(away, f"{away}-shanten")
    return HandAnswer({"shanten": away, "discards": discards_data(rows)}, [discards_sheet(title, rows)])


def _worth(worth: Score) -> HandAnswer:
    data: dict[str, Any] = {"shanten": -1, "yaku": [[yaku.name, han] for yaku, han in worth.yaku]}
    data |= {name: getattr(worth, name) for name in ("han", "fu", "yakuman", "limit", "basic", "points", "payments")}
    data["fu_parts"] = [list(part) for part in worth.fu_parts]
    title = f"{worth.yakuman} yakuman" if worth.yakuman else f"{worth.han} han {worth.fu} fu"
    if worth.limit and not worth.yakuman:
        title += f", {worth.limit}"
    rows = [(yaku.name, yaku.english, "yakuman" if yaku.closed == 13 else str(han)) for yaku, han in worth.yaku]
    line = "; ".join(f"{_PAYERS[payer]} {points:,}" for payer, points in worth.payments.items())
    if worth.fu_parts:
        line += f"\n{_fu_line(worth)}"
    return HandAnswer(data, [AnswerTable(f"{title}: {worth.points:,} points", ("yaku", "", "han"), rows)], line)


def _fu_line(worth: Score) -> str:
    """Return the sources of the fu: ``40 fu: base 20, closed ron 10, pair (E) 2``."""
    tiles = [f" ({part.tile})" if part.tile else "" for part in worth.fu_parts]
    named = zip(worth.fu_parts, tiles, strict=True)
    parts = [f"{part.source.replace('_', ' ')}{tile} {part.fu}" for part, tile in named]
    return f"{worth.fu} fu: {', '.join(parts)}"


_SAID: Final = "meld kan calls players win tsumo riichi double_riichi ippatsu rinshan chankan last first"
TOOL: Final = HandTool(frozenset(f"{_SAID} seat round_wind dora ura kita honba".split()), answer)
