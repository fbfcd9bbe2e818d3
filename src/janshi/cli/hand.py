"""``janshi hand``: what a hand lacks, waits for and accepts; a complete one's yaku, han, fu and payments."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from janshi.hands import HandError, Score, score, shanten, ukeire
from janshi.rules import RuleError, preset
from janshi.tiles import format_tiles, tile_text

_WINNING = "Winning hand"


def show_hand(
    tiles: Annotated[str, typer.Argument(help='The concealed tiles, as in "123m406p789s1122z"; 0 is a red five.')],
    meld: Annotated[list[str] | None, typer.Option(help="A called set: 555p, 123s, 7777z. Repeatable.")] = None,
    kan: Annotated[list[str] | None, typer.Option(help="A closed kan: 1111z. Repeatable.")] = None,
    calls: Annotated[int, typer.Option(help="Sets called, where it does not matter which.", min=0, max=4)] = 0,
    players: Annotated[int, typer.Option(help="Three (sanma) or four.", min=3, max=4)] = 4,
    rules: Annotated[str | None, typer.Option(help="Rules to score by.", rich_help_panel=_WINNING)] = None,
    win: Annotated[str | None, typer.Option(help="Winning tile (default: the last).", rich_help_panel=_WINNING)] = None,
    tsumo: Annotated[bool, typer.Option("--tsumo/--ron", rich_help_panel=_WINNING)] = False,
    riichi: Annotated[bool, typer.Option("--riichi", rich_help_panel=_WINNING)] = False,
    double_riichi: Annotated[bool, typer.Option("--double-riichi", rich_help_panel=_WINNING)] = False,
    ippatsu: Annotated[bool, typer.Option("--ippatsu", rich_help_panel=_WINNING)] = False,
    rinshan: Annotated[bool, typer.Option("--rinshan", rich_help_panel=_WINNING)] = False,
    chankan: Annotated[bool, typer.Option("--chankan", rich_help_panel=_WINNING)] = False,
    last: Annotated[bool, typer.Option("--last", help="Haitei or houtei.", rich_help_panel=_WINNING)] = False,
    first: Annotated[bool, typer.Option("--first", help="Tenhou or chiihou.", rich_help_panel=_WINNING)] = False,
    seat: Annotated[str, typer.Option(help="Own wind: E (dealer), S, W, N.", rich_help_panel=_WINNING)] = "E",
    round_wind: Annotated[str, typer.Option("--round", help="Round wind.", rich_help_panel=_WINNING)] = "E",
    dora: Annotated[str, typer.Option(help="Indicators turned over.", rich_help_panel=_WINNING)] = "",
    ura: Annotated[str, typer.Option(help="Indicators under them.", rich_help_panel=_WINNING)] = "",
    kita: Annotated[int, typer.Option(help="Norths set aside.", min=0, max=4, rich_help_panel=_WINNING)] = 0,
    honba: Annotated[int, typer.Option(help="Counters.", min=0, max=99, rich_help_panel=_WINNING)] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead.")] = False,
) -> None:
    """Show a hand's shanten and ukeire (per discard what it accepts, tiles left), or what a complete one is worth."""
    melds, kans = meld or [], kan or []
    called = len(melds) + len(kans) or calls
    try:
        by = preset(rules or ("tenhou-sanma" if players == 3 else "tenhou"))
        away = shanten(tiles, called, by.players)
        if away < 0 and called == len(melds) + len(kans):
            worth = score(
                tiles,
                win,
                melds=melds,
                closed_kans=kans,
                tsumo=tsumo,
                riichi=riichi,
                double_riichi=double_riichi,
                ippatsu=ippatsu,
                rinshan=rinshan,
                chankan=chankan,
                last=last,
                first=first,
                seat=seat,
                round_wind=round_wind,
                dora=dora,
                ura=ura,
                kitas=kita,
                honba=honba,
                rules=by,
            )
            _show_score(worth, as_json)
            return
        rows = ukeire(tiles, calls=called, players=by.players)
    except (HandError, RuleError) as error:
        typer.echo(f"janshi hand: {error}", err=True)
        raise typer.Exit(2) from None
    if as_json:
        answer = {
            "shanten": away,
            "discards": [
                {
                    "discard": None if one.discard is None else tile_text(one.discard),
                    "shanten": one.shanten,
                    "accepted": [tile_text(kind) for kind in one.accepted],
                    "left": one.left,
                }
                for one in rows
            ],
        }
        typer.echo(json.dumps(answer))
        return
    names = {-1: "complete", 0: "ready (tenpai)"}
    table = Table("discard", "shanten after", "accepts", "tiles left", title=names.get(away, f"{away} from ready"))
    for one in rows:
        discard = "–" if one.discard is None else tile_text(one.discard)
        table.add_row(discard, str(one.shanten), format_tiles(one.accepted), str(one.left))
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
    console = Console()
    console.print(table)
    each = {"feeder": "the feeder pays", "dealer": "the dealer pays", "others": "every other player pays"}
    typer.echo("; ".join(f"{each[who]} {points:,}" for who, points in worth.payments.items()))
