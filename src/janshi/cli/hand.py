"""``janshi hand``: what a hand lacks, waits for and accepts; a complete one's yaku, han, fu and payments."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final

import typer
from rich.console import Console
from rich.table import Table

from janshi.cli.failing import failing
from janshi.cli.options import argument, option
from janshi.hands import HandError, Score, score, shanten, ukeire
from janshi.riichi.rules import RuleError, Rules, preset
from janshi.tiles import format_tiles, tile_text

_WIN: Final[dict[str, Any]] = {"rich_help_panel": "Winning hand"}
#: Fields of the options that say how a hand was won, as `janshi.hands.score` takes them.
_CIRCUMSTANCES: Final = (
    "tsumo",
    "riichi",
    "double_riichi",
    "ippatsu",
    "rinshan",
    "chankan",
    "last",
    "first",
    "seat",
    "round_wind",
    "dora",
    "ura",
    "honba",
)


@dataclass(frozen=True)
class HandOptions:
    """Options of ``janshi hand``."""

    tiles: str = argument('The concealed tiles, as in "123m406p789s1122z"; 0 is a red five.')
    meld: list[str] = option("A called set: 555p, 123s, 7777z. Repeatable.", default=[])
    kan: list[str] = option("A closed kan: 1111z. Repeatable.", default=[])
    calls: int = option("Sets called, where it does not matter which.", default=0, min=0, max=4)
    players: int = option("Three (sanma) or four.", default=4, min=3, max=4)
    rules: str | None = option("Rules to score by.", default=None, **_WIN)
    win: str | None = option("Winning tile (default: the last).", default=None, **_WIN)
    tsumo: bool = option("How it is won.", "--tsumo/--ron", default=False, **_WIN)
    riichi: bool = option("With riichi.", "--riichi", default=False, **_WIN)
    double_riichi: bool = option("With double riichi.", "--double-riichi", default=False, **_WIN)
    ippatsu: bool = option("With ippatsu.", "--ippatsu", default=False, **_WIN)
    rinshan: bool = option("With rinshan.", "--rinshan", default=False, **_WIN)
    chankan: bool = option("With chankan.", "--chankan", default=False, **_WIN)
    last: bool = option("Haitei or houtei.", "--last", default=False, **_WIN)
    first: bool = option("Tenhou or chiihou.", "--first", default=False, **_WIN)
    seat: str = option("Own wind: E (dealer), S, W, N.", default="E", **_WIN)
    round_wind: str = option("Round wind.", "--round", default="E", **_WIN)
    dora: str = option("Indicators turned over.", default="", **_WIN)
    ura: str = option("Indicators under them.", default="", **_WIN)
    kita: int = option("Norths set aside.", default=0, min=0, max=4, **_WIN)
    honba: int = option("Counters.", default=0, min=0, max=99, **_WIN)
    as_json: bool = option("Print JSON instead.", "--json", default=False)

    @property
    def played(self) -> Rules:
        """The rules, by their name or by the number of players."""
        return preset(self.rules or ("tenhou-sanma" if self.players == 3 else "tenhou"))


def show_hand(options: HandOptions) -> None:
    """Show a hand's shanten and ukeire (per discard what it accepts, tiles left), or what a complete one is worth."""
    named = len(options.meld) + len(options.kan)
    called = named or options.calls
    with failing("hand", HandError, RuleError):
        rules = options.played
        away = shanten(options.tiles, called, rules.players)
        if away < 0 and called == named:
            circumstances = {name: getattr(options, name) for name in _CIRCUMSTANCES}
            worth = score(
                options.tiles,
                options.win,
                melds=options.meld,
                closed_kans=options.kan,
                kitas=options.kita,
                rules=rules,
                **circumstances,
            )
            _show_score(worth, options.as_json)
            return
        rows = ukeire(options.tiles, calls=called, players=rules.players)
    if options.as_json:
        discards = [
            {
                "discard": None if row.discard is None else tile_text(row.discard),
                "shanten": row.shanten,
                "accepted": [tile_text(kind) for kind in row.accepted],
                "left": row.left,
            }
            for row in rows
        ]
        typer.echo(json.dumps({"shanten": away, "discards": discards}))
        return
    names = {-1: "complete", 0: "tenpai"}
    table = Table("discard", "shanten after", "accepts", "tiles left", title=names.get(away, f"{away}-shanten"))
    for row in rows:
        discard = "–" if row.discard is None else tile_text(row.discard)
        table.add_row(discard, str(row.shanten), format_tiles(row.accepted), str(row.left))
    Console().print(table)


def _show_score(worth: Score, as_json: bool) -> None:
    if as_json:
        answer: dict[str, Any] = {"shanten": -1, "yaku": [[yaku.name, han] for yaku, han in worth.yaku]}
        for name in ("han", "fu", "yakuman", "limit", "basic", "points", "payments"):
            answer[name] = getattr(worth, name)
        typer.echo(json.dumps(answer))
        return
    title = f"{worth.yakuman} yakuman" if worth.yakuman else f"{worth.han} han {worth.fu} fu"
    if worth.limit and not worth.yakuman:
        title += f", {worth.limit}"
    table = Table("yaku", "", "han", title=f"{title}: {worth.points:,} points")
    for yaku, han in worth.yaku:
        table.add_row(yaku.name, yaku.english, "yakuman" if yaku.closed == 13 else str(han))
    Console().print(table)
    each = {"discarder": "the discarder pays", "dealer": "the dealer pays", "others": "every other player pays"}
    typer.echo("; ".join(f"{each[payer]} {points:,}" for payer, points in worth.payments.items()))
