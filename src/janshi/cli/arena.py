"""``janshi arena``: agents against each other on shared walls."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from janshi.rules import RuleError, preset

if TYPE_CHECKING:
    from janshi.agents import Agent
    from janshi.arena import Estimate, Match
    from janshi.bridges.mjai_agent import Limits


def play_arena(
    players: Annotated[list[str], typer.Argument(help="random, efficient, planner, sl, rl, a folder, mjai:COMMAND.")],
    rules: Annotated[str, typer.Option(help="Rules to play by.")] = "tenhou-sanma",
    hands: Annotated[int | None, typer.Option(min=1, help="Hands in each seat (default 1000).")] = None,
    games: Annotated[int | None, typer.Option(min=1, help="Whole games in each seat instead.")] = None,
    seed: Annotated[int, typer.Option(help="Decides all walls.")] = 0,
    threads: Annotated[int, typer.Option(min=1, max=256, help="Threads for the tables.")] = 1,
    records: Annotated[Path | None, typer.Option(help="Folder to write the records of all games to.")] = None,
    to: Annotated[str, typer.Option("--format", help="Format of the records: mjlog, tenhou6 or mjai.")] = "mjlog",
    start_limit: Annotated[float, typer.Option(min=0.1, help="Seconds that a bot (mjai:…) may take to start.")] = 60.0,
    answer_limit: Annotated[float, typer.Option(min=0.001, help="Seconds that a bot may take for a decision.")] = 5.0,
    fault_limit: Annotated[int, typer.Option(min=0, help="Faults after which a bot is given up.")] = 10,
    bot_tables: Annotated[int, typer.Option(min=1, max=256, help="Tables side by side in a match with bots.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead.")] = False,
) -> None:
    """Let agents play each other: the same walls in every rotation of the seats, results with 95 % intervals."""
    from janshi.agents import AgentError
    from janshi.arena import as_json as told
    from janshi.arena import check_match, play_match, single_hand
    from janshi.bridges.mjai_agent import Limits
    from janshi.records import FORMATS, RecordError
    from janshi.records.convert import GameWriter

    try:
        by = preset(rules)
        if games is None:
            by = single_hand(by)
        elif hands is not None:
            raise AgentError("--hands and --games exclude each other")
        if to not in FORMATS:
            raise RecordError(f"no format {to!r}: there are {', '.join(FORMATS)}")
        walls = games or hands or 1000
        limits = Limits(start_limit, answer_limit, fault_limit, bot_tables)
        with ExitStack() as stack:
            seated = stack.enter_context(seat_players(players, limits))
            check_match(seated, by, walls)
            writer = stack.enter_context(GameWriter(records, to))
            bar = stack.enter_context(match_bar(as_json))
            task = bar.add_task("compiling, then playing", total=walls * by.players)
            match = play_match(
                seated,
                by,
                walls,
                seed,
                threads=threads,
                progress=lambda over: bar.update(task, completed=over, description="playing"),
                on_game=writer.write if records is not None else None,
            )
    except (AgentError, RuleError, RecordError, OSError) as error:
        typer.echo(f"janshi arena: {error}", err=True)
        raise typer.Exit(2) from None
    if as_json:
        typer.echo(json.dumps(told(match), indent=1))
    else:
        print_match(match, games is not None)
    if match.interrupted:
        typer.echo(f"janshi arena: interrupted; {match.walls} of {walls} walls count", err=True)
        raise typer.Exit(130)


@contextmanager
def seat_players(names: list[str], limits: Limits) -> Iterator[list[Agent]]:
    """Make the agents of these names, one of each but of bots one a seat; bots are ended with the context.

    Ended from outside (SIGTERM) it ends them as well.
    """
    import signal

    from janshi.agents import agent
    from janshi.bridges.mjai_agent import MjaiAgent

    def end(*_: object) -> None:
        raise SystemExit(143)

    with ExitStack() as stack:
        made: dict[str, Agent] = {}
        seated = []
        for name in names:
            one = made.get(name) or agent(name)
            if isinstance(one, MjaiAgent):
                one.limits = limits
                stack.enter_context(one)
                stack.callback(signal.signal, signal.SIGTERM, signal.signal(signal.SIGTERM, end))
            else:
                made[name] = one
            seated.append(one)
        yield seated


def match_bar(quiet: bool) -> Progress:
    """Return a progress bar that counts hands or games, on standard error."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True, disable=quiet)


def print_match(match: Match, games: bool) -> None:
    """Print what a match says as tables."""
    from janshi.arena import game_rows, rows

    console = Console()
    names = ("1st", "2nd", "3rd", "4th")[: match.rules.players]
    title = f"{match.rules.name}, seed {match.seed}: {match.walls:,} walls in every seat"
    found = rows(match)
    outcome = Table("player", "seat", "hands", *names, "draw", "points", title=title, caption="rates in %, with 95 %")
    style = Table("player", "seat", "win", "tsumo", "deal-in", "riichi", "call", "value")
    for row in found:
        whole = row.seat == "all"
        player = row.player if whole else ""
        places = [_rate(one, whole) for one in (*row.places, row.draw)]
        habits = [_rate(one, whole) for one in (row.win, row.tsumo, row.deal_in, row.riichi, row.call)]
        if whole:
            outcome.add_section()
            style.add_section()
        outcome.add_row(player, row.seat, f"{row.hands:,}", *places, _mean(row.points, whole))
        style.add_row(player, row.seat, *habits, _mean(row.value, whole))
    for table in (outcome, style):
        for column in table.columns[2:]:
            column.justify = "right"
        console.print(table)
    if games:
        ends = Table("player", "games", *names, "mean place", "mean points", title="Games")
        for ended in game_rows(match):
            cells = [_rate(one, True) for one in ended.places]
            rank = f"{ended.rank.value:.3f} ± {ended.rank.high - ended.rank.value:.3f}"
            ends.add_row(ended.player, f"{ended.games:,}", *cells, rank, _mean(ended.points, True))
        console.print(ends)
    if match.faults:
        console.print(_faults(match))


def _faults(match: Match) -> Table:
    """What bots did wrong, and the first of it in words."""
    table = Table("bot", "decisions", "faults", "decided for it", "examples", title="Bots")
    for name, found in match.faults.items():
        examples = "\n".join(found.examples)
        table.add_row(name, f"{found.decisions:,}", str(found), f"{found.defaults:,}", escape(examples))
    return table


def _rate(one: Estimate, with_interval: bool) -> str:
    text = f"{100 * one.value:.2f}"
    return f"{text}\n±{50 * (one.high - one.low):.2f}" if with_interval and one.count else text


def _mean(one: Estimate, with_interval: bool) -> str:
    if one.count == 0:
        return "–"
    text = f"{one.value:,.0f}"
    return f"{text}\n±{one.high - one.value:,.0f}" if with_interval and one.count > 1 else text
