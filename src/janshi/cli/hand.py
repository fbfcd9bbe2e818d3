"""``janshi hand``: what a hand lacks, waits for and accepts; a complete one's yaku, han, fu and payments."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import typer
from rich.console import Console
from rich.table import Table

from janshi.cli.failing import fail, failing
from janshi.cli.options import argument, option
from janshi.hands import HandError, Score, score, shanten, ukeire
from janshi.riichi.rules import RuleError, Rules, preset
from janshi.tiles import format_tiles, tile_text

if TYPE_CHECKING:
    from janshi.hands.sichuan import FanValue, SichuanDiscard

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
    void: str | None = option("Sichuan: the void suit, m, p or s.", default=None)
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
    robbing: bool = option("Sichuan: on a tile added to a pung.", "--robbing", default=False, **_WIN)
    kong_discard: bool = option("Sichuan: on a kong's discard.", "--kong-discard", default=False, **_WIN)
    as_json: bool = option("Print JSON instead.", "--json", default=False)

    @property
    def played(self) -> Rules:
        """The rules, by their name or by the number of players."""
        return preset(self.rules or ("tenhou-sanma" if self.players == 3 else "tenhou"))


def show_hand(options: HandOptions) -> None:
    """Show a hand's shanten and ukeire (per discard what it accepts, tiles left), or what a complete one is worth."""
    if options.rules is not None and options.rules.startswith("sichuan"):
        show_sichuan_hand(options)
        return
    for name in ("void", "robbing", "kong_discard"):
        if getattr(options, name):
            fail("hand", f"--{name.replace('_', '-')} is for Sichuan (--rules sichuan)")
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
        discards = _discards_json(rows)
        typer.echo(json.dumps({"shanten": away, "discards": discards}))
        return
    names = {-1: "complete", 0: "tenpai"}
    table = Table("discard", "shanten after", "accepts", "tiles left", title=names.get(away, f"{away}-shanten"))
    for row in rows:
        discard = "–" if row.discard is None else tile_text(row.discard)
        table.add_row(discard, str(row.shanten), format_tiles(row.accepted), str(row.left))
    Console().print(table)


def _discards_json(rows: Sequence[Any]) -> list[dict[str, Any]]:
    """What each discard leaves, for JSON."""
    return [
        {
            "discard": None if row.discard is None else tile_text(row.discard),
            "shanten": row.shanten,
            "accepted": [tile_text(kind) for kind in row.accepted],
            "left": row.left,
        }
        for row in rows
    ]


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


# ---------------------------------------------------------------------------------------------------------
# Sichuan


def show_sichuan_hand(options: HandOptions) -> None:
    """Show shanten and ukeire under the void suit, waits and their values, or what a complete hand is worth."""
    from janshi.hands import sichuan
    from janshi.sichuan.rules import preset as sichuan_preset

    kongs = [*options.kan, *(text for text in options.meld if len(text) == 5)]
    pungs = [text for text in options.meld if len(text) != 5]
    tiles, void = options.tiles, options.void
    with failing("hand", HandError, RuleError):
        rules = sichuan_preset(options.rules or "sichuan")
        _refuse_riichi(options)
        if sichuan.is_complete(tiles, pungs=pungs, kongs=kongs, void=void):
            worth = sichuan.fan(
                tiles,
                options.win,
                pungs=pungs,
                kongs=kongs,
                void=void,
                self_drawn=options.tsumo,
                circumstances=_sichuan_circumstances(options),
                rules=rules,
            )
            _show_fan(worth, options.as_json)
            return
        rows = sichuan.ukeire(tiles, pungs=pungs, kongs=kongs, void=void)
        waiting = rows[0].discard is None
        waits = sichuan.waits(tiles, pungs=pungs, kongs=kongs, void=void, rules=rules) if waiting else {}
    _show_sichuan_rows(rows, waits, options.as_json)


def _refuse_riichi(options: HandOptions) -> None:
    """End the command for what Sichuan does not have."""
    usual = HandOptions(options.tiles)
    for name in ("calls", "players", "riichi", "double_riichi", "ippatsu", "seat", "round_wind", "dora", "ura", "kita"):
        if getattr(options, name) != getattr(usual, name):
            fail("hand", f"--{name.replace('_', '-')} is not for Sichuan")


def _sichuan_circumstances(options: HandOptions) -> list[str]:
    chosen = []
    for name, given in (
        ("after_kong", options.rinshan),
        ("robbing", options.robbing or options.chankan),
        ("kong_discard", options.kong_discard),
        ("last_tile", options.last),
        ("earth", options.first),
    ):
        if given:
            chosen.append(name)
    return chosen


def _show_fan(worth: FanValue, as_json: bool) -> None:
    if as_json:
        answer = {"shanten": -1, "fans": worth.fans, "fan": worth.fan, "points": worth.points, "each": worth.each}
        typer.echo(json.dumps(answer))
        return
    table = Table("fan", "", title=f"{worth.fan} fan: {worth.points} points")
    for name, fan in worth.fans:
        table.add_row(name, str(fan))
    Console().print(table)
    typer.echo(f"the discarder pays {worth.points}; on a self-draw every player still in pays {worth.each}")


def _show_sichuan_rows(rows: list[SichuanDiscard], waits: dict[int, FanValue], as_json: bool) -> None:
    away = rows[0].shanten
    if as_json:
        discards = _discards_json(rows)
        worth = {tile_text(kind): {"fan": value.fan, "points": value.points} for kind, value in waits.items()}
        typer.echo(json.dumps({"shanten": away, "discards": discards, "waits": worth}))
        return
    table = Table("discard", "shanten after", "accepts", "tiles left", title=f"{away}-shanten" if away else "tenpai")
    for row in rows:
        discard = "–" if row.discard is None else tile_text(row.discard)
        table.add_row(discard, str(row.shanten), format_tiles(row.accepted), str(row.left))
    Console().print(table)
    if waits:
        values = Table("wait", "fan", "points", "for")
        for kind, value in waits.items():
            names = ", ".join(name for name, _ in value.fans)
            values.add_row(tile_text(kind), str(value.fan), str(value.points), names)
        Console().print(values)
