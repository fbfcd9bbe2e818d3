"""``janshi arena``: agents against each other on shared walls."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer
from rich.console import Console
from rich.table import Table

from janshi.cli.bots import BotOptions, end_if_given_up, print_faults, seat_players
from janshi.cli.failing import INTERRUPTED, fail
from janshi.cli.options import CLUSTER, KITA, MATCH_RULES, RECORD_FORMATS, argument, option, rules_for
from janshi.cli.printing import make_table
from janshi.cli.progress import counting_bar

if TYPE_CHECKING:
    from janshi.arena import Estimate, Match, Row, Style, WallResults


#: Least seconds between two updates of the figure in the progress bar.
_SHOW_SECONDS: Final = 1.0


@dataclass(frozen=True)
class ArenaOptions:
    """Options of ``janshi arena``."""

    players: list[str] = argument(
        "Players, one per seat (see janshi agents): random and efficient (sanma, four players, Sichuan), sl, sl-int8, "
        "sl-2026-11-22, sl-2026-11 (sanma), sl4, sl4-int8, sl4-2026-11-22 (four), heuristic, sichuan (Sichuan); a "
        "folder, .onnx, path/file.py:ClassName, [NAME=]mjai:COMMAND."
    )
    rules: str | None = option(MATCH_RULES, default=None)
    hands: int | None = option("Hands per seat (default: 1000).", default=None, min=1)
    games: int | None = option("Whole games per seat, instead of hands.", default=None, min=1)
    seed: int = option("Random seed of the walls.", default=0, min=0)
    threads: int = option("Number of threads.", default=1, min=1, max=256)
    cluster: str | None = option(CLUSTER, default=None)
    luck: bool = option("Take the estimated luck out of mean places (whole games).", "--luck", default=False)
    out: Path | None = option("Keep the results of walls in this folder; the same command resumes.", default=None)
    records: Path | None = option("Write the records of all games to this folder.", default=None)
    to: str = option(f"Record format: {', '.join(RECORD_FORMATS)}.", "--format", default="mjlog")
    kita: str | None = option(KITA, default=None)
    bots: BotOptions = field(default_factory=BotOptions)
    seats: bool = option("Also print results by seat.", "--seats", default=False)
    as_json: bool = option("Print JSON.", "--json", default=False)

    @property
    def walls(self) -> int:
        """Hands or games in each seat."""
        return self.games or self.hands or 1000


def play_arena(options: ArenaOptions) -> None:
    """Play a match on shared walls in every rotation of the seats; print 95 % intervals."""
    from janshi.arena import as_json

    match = _play(options)
    if match.walls == 0:
        fail("arena", "interrupted before the first wall was over: there is nothing to show", INTERRUPTED)
    if options.as_json:
        typer.echo(json.dumps(as_json(match), indent=1))
    else:
        print_match(match, options.games is not None, seats=options.seats)
    if match.interrupted:
        fail("arena", f"interrupted; {match.walls} of {options.walls} walls count", INTERRUPTED)
    end_if_given_up("arena", match.faults)


def _play(options: ArenaOptions) -> Match:
    """Play the match that is asked for."""
    from janshi.agents import AgentError
    from janshi.agents.protocol import Listener
    from janshi.arena import MatchConfig, check_match, play_match, single_hand
    from janshi.arena.parts import LineUp, MatchPart, play_parts
    from janshi.arena.saved import SavedParts
    from janshi.cluster import workers
    from janshi.files import working_in
    from janshi.records import GameWriter
    from janshi.records.formats import writable
    from janshi.worth.scales import PLACE, scale

    if options.games is not None and options.hands is not None:
        raise AgentError("--hands and --games exclude each other")
    if options.luck and options.games is None:
        raise AgentError("--luck is taken out of whole games: give their number with --games")
    writable(options.to, kita=options.kita)
    with ExitStack() as stack:
        seated = stack.enter_context(seat_players(options.players, options.bots))
        rules = rules_for(options.rules, seated, len(seated))
        if options.games is None:
            rules = single_hand(rules)
        check_match(seated, rules, options.walls)
        bots = [player for player in seated if isinstance(player, Listener)]
        here = seated if options.cluster is None else None
        in_parts = bool(bots) or options.cluster is not None or options.out is not None
        line_up = LineUp.of(options.players, rules, here) if in_parts else None
        if options.out is not None:
            stack.enter_context(working_in(options.out))
        team = stack.enter_context(workers(options.cluster))
        writer = stack.enter_context(GameWriter(options.records, options.to, kita=options.kita))
        bar = stack.enter_context(counting_bar(options.as_json))
        task = bar.add_task("playing", total=options.walls * rules.players)
        luck = scale(PLACE) if options.luck else None

        def show(match: Match) -> None:
            standing.add(match)
            bar.update(task, description=standing.text())

        standing = _Standing(options.games is not None)
        watching: dict[str, Any] = {
            "progress": lambda over: bar.update(task, completed=over),
            "on_walls": None if options.as_json else show,
            "on_game": writer.write if options.records is not None else None,
        }
        if line_up is not None:
            part = MatchPart(
                line_up, options.seed, recorded=options.records is not None, luck=luck, threads=options.threads
            )
            saved = None if options.out is None else SavedParts(options.out, part.described())
            if options.records is not None:
                watching["is_recorded"] = partial(writer.has, rules=rules)
            return play_parts(team, options.walls, part, saved=saved, **watching)
        config = MatchConfig(threads=options.threads, luck=luck, walls_seconds=_SHOW_SECONDS)
        return play_match(seated, rules, options.walls, options.seed, config=config, **watching)


def print_match(match: Match, games: bool, *, seats: bool = False) -> None:
    """Print what a match says as tables; ``seats``: with the rows of every seat."""
    from janshi.arena import is_single_hand, notes, style
    from janshi.arena.style import ALL, PLACES

    console = Console()
    names = PLACES[: match.rules.players]
    title = f"{match.rules.name}, seed {match.seed}: {match.walls:,} walls in every seat"
    columns = ("player", "seat", "hands", *names, "draw", "points")
    outcome = make_table(*columns, left=2, title=title, caption="rates in %, with 95 %")
    found = style(match)
    decimals = 0 if match.rules.start >= 1000 else 2
    for row in found.seats if seats else found.all:
        total = row.group == ALL
        places = [rate_text(rate, total) for rate in (*row.places, row.draw)]
        if total:
            outcome.add_section()
        player = row.player if total else ""
        outcome.add_row(player, row.group, f"{row.hands:,}", *places, _mean(row.points, total, decimals))
    console.print(outcome)
    print_style(found, console, decimals, seats=seats)
    if games and not is_single_hand(match.rules):
        console.print(_games(match, names, decimals))
    for note in notes(match):
        console.print(note, highlight=False)
    print_faults(console, match.faults)


def print_style(found: Style, console: Console, decimals: int, *, seats: bool = False) -> None:
    """Print what players do; ``decimals``: of points; ``seats``: with the rows of every seat."""
    caption = "rates in % of all hands, with 95 %"
    console.print(_style_table("seat", found.seats if seats else found.all, decimals, caption=caption))
    if found.all[0].deal_ins:
        caption = "in % of all hands, by the own hand and whether another seat was in riichi"
        deal_ins = make_table("player", *found.all[0].deal_ins, title="Deal-ins", caption=caption)
        for row in found.all:
            deal_ins.add_row(row.player, *(rate_text(rate, True) for rate in row.deal_ins.values()))
        console.print(deal_ins)
    if found.rounds:
        console.print(_style_table("round", found.rounds, decimals, title="By round"))
        title = "The last hand by the place before it"
        console.print(_style_table("place", found.last_hands, decimals, title=title))


def _style_table(group: str, lines: Sequence[Row], decimals: int, **settings: Any) -> Table:
    """Rows of style, those of a player together, under its name."""
    from janshi.arena.style import ALL

    habits = ["call" if name == "called" else name for name in lines[0].habits]
    by_seat = group == "seat"
    varied = "tsumo" if by_seat else "hands"
    table = make_table("player", group, varied, "win", "deal-in", *habits, "value", left=2, **settings)
    last = ""
    for row in lines:
        # Groups below the row of all hands have no intervals: they would hide it.
        wide = not by_seat or row.group == ALL
        if row.player != last:
            table.add_section()
        rates = [rate_text(rate, wide) for rate in (row.win, row.deal_in, *row.habits.values())]
        other = rate_text(row.tsumo, wide) if by_seat else f"{row.hands:,}"
        player = row.player if row.player != last else ""
        table.add_row(player, row.group, other, *rates, _mean(row.value, wide, decimals))
        last = row.player
    return table


class _Standing:
    """The first player's mean place so far, or points a hand, for the progress bar."""

    def __init__(self, games: bool) -> None:
        self._games = games
        self._parts: list[WallResults] = []

    def add(self, match: Match) -> None:
        """Take in more walls."""
        self._parts.append(match.results)

    def text(self) -> str:
        """Return the figure with its 95 % interval."""
        from janshi.arena import WallResults
        from janshi.statistics import mean

        if not self._parts:
            return "playing"
        self._parts = [WallResults.joined(self._parts)]
        found = self._parts[0]
        if self._games:
            return f"{found.players[0]}: place {_place(mean(found.places[:, 0], found.wall))}"
        gained = mean(found.points[:, 0], found.wall)
        interval = f" ± {gained.high - gained.value:,.2f}" if isfinite(gained.high) else ""
        return f"{found.players[0]}: points {gained.value:,.2f}{interval}"


def _games(match: Match, places: tuple[str, ...], decimals: int) -> Table:
    """Print the results of the games."""
    from janshi.arena import game_rows

    luck = [] if match.luck is None else ["without luck"]
    table = Table("player", "games", *places, "mean place", *luck, "mean points", title="Games")
    for row in game_rows(match):
        cells = [rate_text(rate, True) for rate in row.places]
        cells += [_place(rank) for rank in (row.rank, row.net) if rank is not None]
        table.add_row(row.player, f"{row.games:,}", *cells, _mean(row.points, True, decimals))
    return table


def _place(rank: Estimate) -> str:
    text = f"{rank.value:.3f}"
    return f"{text} ({rank.low:.3f} to {rank.high:.3f})" if isfinite(rank.low) else text


def rate_text(rate: Estimate, with_interval: bool) -> str:
    """Return a rate in per cent, below it half of its interval; a dash for a rate of nothing."""
    if not rate.count:
        return "–"
    text = f"{100 * rate.value:.2f}"
    return f"{text}\n±{50 * (rate.high - rate.low):.2f}" if with_interval else text


def _mean(mean: Estimate, with_interval: bool, decimals: int) -> str:
    if mean.count == 0:
        return "–"
    text = f"{mean.value:,.{decimals}f}"
    return f"{text}\n±{mean.high - mean.value:,.{decimals}f}" if with_interval and isfinite(mean.high) else text
