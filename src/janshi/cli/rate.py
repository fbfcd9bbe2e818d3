"""``janshi rate``: ratings of many players from games that are chosen where they decide most."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer
from rich.console import Console
from rich.markup import escape

from janshi.cli.bots import BotOptions, end_if_given_up, print_faults, seat_players
from janshi.cli.failing import fail, interrupted
from janshi.cli.options import CLUSTER, argument, option, rules_named
from janshi.cli.printing import make_table
from janshi.cli.progress import counting_bar
from janshi.registries import suggestion

if TYPE_CHECKING:
    from janshi.agents import Agent

_POOL: Final = "File of the pool, .sqlite."


@dataclass(frozen=True)
class RateOptions:
    """Options of ``janshi rate``."""

    action: str | None = argument("add, run, show or page; without one they are listed.", default=None)
    rest: list[str] | None = argument("What it takes (--help: its options).", default=None)


@dataclass(frozen=True)
class AddOptions:
    """Options of ``janshi rate add``."""

    pool: Path = argument(_POOL)
    players: list[str] = argument("As for janshi arena: names, folders, .onnx, file.py:Class, [NAME=]mjai:COMMAND.")
    rules: str | None = option("Rules of a new pool (default: tenhou-sanma).", default=None)
    seed: int = option("Of a new pool: decides all walls.", default=0, min=0)


@dataclass(frozen=True)
class RunOptions:
    """Options of ``janshi rate run``."""

    pool: Path = argument(_POOL)
    games: int | None = option("Games to play (default: until Ctrl-C).", default=None, min=1)
    minutes: float | None = option("Minutes to play.", default=None, min=0, max=1e6)
    cluster: str | None = option(CLUSTER, default=None)
    bots: BotOptions = field(default_factory=BotOptions)
    quiet: bool = option("Show no progress.", "--quiet", default=False)


@dataclass(frozen=True)
class RateShowOptions:
    """Options of ``janshi rate show``."""

    pool: Path = argument(_POOL)
    anchor: str | None = option("PLAYER or PLAYER=RATING (default: random, else the first; at 0).", default=None)
    as_json: bool = option("Print JSON instead.", "--json", default=False)


@dataclass(frozen=True)
class PageOptions:
    """Options of ``janshi rate page``."""

    pool: Path = argument(_POOL)
    out: Path = option("Folder of the page.")
    anchor: str | None = option("As for show.", default=None)


def rate_players(options: RateOptions) -> None:
    """Rate many players, versions and bots by whole games in a pool.

    janshi rate add POOL.sqlite PLAYER… adds players, run plays the games
    that tell most, show prints the ladder, page writes it as HTML.
    """
    if options.action is None or options.action not in ACTIONS:
        there = f"name one of: {', '.join(ACTIONS)}"
        if options.action is None:
            fail("rate", there)
        fail("rate", f"unknown action {options.action!r}; {there}{suggestion(options.action, ACTIONS)}")
    from janshi.cli import as_click

    name = options.action
    as_click(f"rate {name}", ACTIONS[name]).main(options.rest or ["--help"], prog_name=f"janshi rate {name}")


def add_players(options: AddOptions) -> None:
    """Add players to a pool; one whose file has changed becomes a new version."""
    from janshi.ratings import Pool, PoolError

    is_new = not options.pool.exists()
    if is_new:
        name = options.rules or "tenhou-sanma"
        rules = rules_named(name)
    else:
        with Pool(options.pool) as pool:
            name = pool.rules
        if options.rules not in (None, name):
            raise PoolError(f"{options.pool} is a pool of {name}, not of {options.rules}")
        rules = rules_named(name)
    with seated(options.players, rules, BotOptions()) as players:
        digests = {player: digest for player, (digest, _) in players.items()}
    with Pool.create(options.pool, name, options.seed) if is_new else Pool(options.pool) as pool:
        new = pool.add(digests)
    for player in digests:
        typer.echo(f"{player}: {'added' if player in new else 'was there'}")


@contextmanager
def seated(
    names: list[str], rules: Any, bots: BotOptions
) -> Iterator[dict[str, tuple[str, list[Agent]]]]:
    """Make players: for each name its digest, and agents for all seats; bots are ended with the context."""
    from janshi.agents import check_agent
    from janshi.ratings import digest_of

    with seat_players([name for name in names for _ in range(rules.players)], bots) as agents:
        made = {}
        for number, name in enumerate(names):
            own = agents[number * rules.players : (number + 1) * rules.players]
            check_agent(own[0], rules)
            made[name] = digest_of(name, own[0], rules), own
        yield made


def run_pool(options: RunOptions) -> None:
    """Play games for a pool: each time the seating that tells most about the ratings.

    Several may run at once. After Ctrl-C or a kill, the same command resumes.
    """
    from janshi.arena.parts import refuse_bots
    from janshi.cluster import workers
    from janshi.ratings import Pool, Runner

    over = 0
    begun = time.monotonic()
    with interrupted("interrupted; run the same command to resume"), Pool(options.pool) as pool:
        rules = rules_named(pool.rules)
        names = [version.player for version in pool.versions() if version.is_current]
        with seated(names, rules, options.bots) as players, counting_bar(options.quiet) as bar:
            pool.add({name: digest for name, (digest, _) in players.items()})
            agents = {version.number: players[version.player][1] for version in pool.versions() if version.is_current}
            task = bar.add_task("playing", total=options.games)

            def wanted(playing: int) -> bool:
                more = options.games is None or over + playing < options.games
                return more and (options.minutes is None or time.monotonic() - begun < 60 * options.minutes)

            def done(games: int) -> None:
                nonlocal over
                over += games
                speed = over / (time.monotonic() - begun)
                bar.update(task, completed=over, description=f"games, {speed:.2g} a second")

            runner = Runner(pool, rules, agents)
            if options.cluster is None:
                runner.run(wanted, done)
            else:
                refuse_bots(seats[0] for seats in agents.values())
                playing = {version.number: version.player for version in pool.versions() if version.is_current}
                with workers(options.cluster) as team:
                    runner.run_on(team, playing, wanted, done)
    typer.echo(f"{over:,} games played in {time.monotonic() - begun:.0f} seconds")
    print_faults(Console(), runner.faults)
    end_if_given_up("rate run", runner.faults, "the last match is void and does not count")


def show_ladder(options: RateShowOptions) -> None:
    """Print the ladder: ratings with 95 % intervals; 400 points above are ten games of eleven."""
    from janshi.ratings import Pool, standings

    with Pool(options.pool) as pool:
        found = standings(pool, rules_named(pool.rules).players, *_anchor(options.anchor))
    if options.as_json:
        typer.echo(json.dumps(found.as_json(), indent=1))
        return
    title = f"{found.rules}, seed {found.seed}: {found.games:,} games on {found.walls:,} walls"
    caption = f"{found.anchor}; 95 % intervals; above next: probability to be the stronger one"
    table = make_table("player", "rating", "±", "games", "above next", title=title, caption=caption)
    for row in found.rows:
        reach = row.rating.high - row.rating.value
        above = "" if row.above_next is None else f"{100 * row.above_next:.1f} %"
        table.add_row(escape(row.player), f"{row.rating.value:.0f}", f"{reach:.0f}", f"{row.games:,}", above)
    Console().print(table)


def write_ladder(options: PageOptions) -> None:
    """Write the ladder as HTML: ratings, pairs, style, and games to replay."""
    from janshi.arena.figures import check_matplotlib
    from janshi.files import check_folder
    from janshi.ratings import Pool, standings
    from janshi.ratings.page import write_page

    with Pool(options.pool) as pool:
        check_matplotlib()
        check_folder(options.out)
        rules = rules_named(pool.rules)
        found = standings(pool, rules.players, *_anchor(options.anchor))
        names = [version.player for version in found.order if version.is_current]
        with seated(names, rules, BotOptions()) as players:
            # A file that has changed is no version of this pool: its games cannot be played again.
            agents = {
                version.number: players[version.player][1]
                for version in found.order
                if version.is_current and version.digest == players[version.player][0]
            }
            typer.echo(write_page(found, pool, rules, agents, options.out))


def _anchor(text: str | None) -> tuple[str, float]:
    """The name and the rating of an anchor: the figure is behind the last equals sign."""
    from janshi.ratings import PoolError

    name, equals, figure = (text or "").rpartition("=")
    if not equals:
        return figure, 0.0
    try:
        return name, float(figure)
    except ValueError:
        raise PoolError(f"--anchor {text}: {figure!r} is no number") from None


#: The actions of ``janshi rate``.
ACTIONS: Final[dict[str, Callable[[Any], None]]] = {
    "add": add_players,
    "run": run_pool,
    "show": show_ladder,
    "page": write_ladder,
}
