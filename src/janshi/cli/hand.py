"""``janshi hand``: what a hand lacks, waits for and accepts; a complete one's yaku, han, fu and payments."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rich.console import Console
from rich.table import Table

from janshi.cli.failing import fail
from janshi.cli.options import argument, option, rules_named

if TYPE_CHECKING:
    from janshi.core.answers import AnswerTable

_WIN: Final[dict[str, Any]] = {"rich_help_panel": "Winning hand"}

@dataclass(frozen=True)
class HandOptions:
    """Options of ``janshi hand``."""

    tiles: str = argument('The concealed tiles, for example "123m406p789s1122z"; 0 is a red five.')
    meld: list[str] = option("Called set, for example 555p, 123s or 7777z. Repeatable.", default=[])
    kan: list[str] = option("Closed kan, for example 1111z. Repeatable.", default=[])
    void: str | None = option("Sichuan: void suit, m, p or s.", default=None)
    calls: int = option("Number of called sets, if their tiles are irrelevant.", default=0, min=0, max=4)
    players: int = option("Number of players: 3 (sanma) or 4.", default=4, min=3, max=4)
    rules: str | None = option("Rule set.", default=None, **_WIN)
    win: str | None = option("Winning tile (default: the last).", default=None, **_WIN)
    tsumo: bool = option("Kind of win.", "--tsumo/--ron", default=False, **_WIN)
    riichi: bool = option("Riichi.", "--riichi", default=False, **_WIN)
    double_riichi: bool = option("Double riichi.", "--double-riichi", default=False, **_WIN)
    ippatsu: bool = option("Ippatsu.", "--ippatsu", default=False, **_WIN)
    rinshan: bool = option("Rinshan.", "--rinshan", default=False, **_WIN)
    chankan: bool = option("Chankan.", "--chankan", default=False, **_WIN)
    last: bool = option("Haitei or houtei.", "--last", default=False, **_WIN)
    first: bool = option("Tenhou or chiihou.", "--first", default=False, **_WIN)
    seat: str = option("Seat wind: E (dealer), S, W or N.", default="E", **_WIN)
    round_wind: str = option("Round wind.", "--round", default="E", **_WIN)
    dora: str = option("Dora indicators.", default="", **_WIN)
    ura: str = option("Ura-dora indicators.", default="", **_WIN)
    kita: int = option("Number of Norths set aside.", default=0, min=0, max=4, **_WIN)
    honba: int = option("Number of honba.", default=0, min=0, max=99, **_WIN)
    robbing: bool = option("Sichuan: win on a tile added to a pung.", "--robbing", default=False, **_WIN)
    kong_discard: bool = option("Sichuan: win on the discard after a kong.", "--kong-discard", default=False, **_WIN)
    as_json: bool = option("Print JSON.", "--json", default=False)


def show_hand(options: HandOptions) -> None:
    """Show shanten and ukeire of a hand, or the value of a complete hand."""
    from janshi.games import game_of

    rules = rules_named(options.rules or ("tenhou-sanma" if options.players == 3 else "tenhou"))
    game = game_of(rules)
    tool = game.facet("hand")
    given = _given(options)
    for name in given:
        if name not in tool.options:
            fail("hand", f"--{name.replace('_', '-')} is not for {game.name}, which --rules names")
    given.pop("players", None)
    answer = tool.answer(options.tiles, rules, **given)
    if options.as_json:
        print(json.dumps(answer.data))
        return
    for sheet in answer.sheets:
        _print(sheet)
    if answer.line:
        print(answer.line)


def _given(options: HandOptions) -> dict[str, Any]:
    """The options about the hand that are not at their defaults."""
    usual = HandOptions(options.tiles)
    names = [field.name for field in dataclasses.fields(options) if field.name not in ("tiles", "rules", "as_json")]
    return {name: getattr(options, name) for name in names if getattr(options, name) != getattr(usual, name)}


def _print(sheet: AnswerTable) -> None:
    table = Table(*sheet.columns, title=sheet.title or None)
    for row in sheet.rows:
        table.add_row(*row)
    Console().print(table)
