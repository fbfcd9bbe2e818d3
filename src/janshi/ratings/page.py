"""The ladder of a pool as HTML: ratings, pairs, style, and games to replay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import numpy as np

import janshi
from janshi.agents import Agent, AgentError, Listener, agent, best_reviewer
from janshi.arena.figures import interval_plot, svg
from janshi.arena.matches import MatchConfig, game_source, play_match
from janshi.files import save_text
from janshi.games import game_of
from janshi.papers.sheets import Cell, Sheet, number_text, percent_text, sheet
from janshi.ratings.playing import wall_results
from janshi.ratings.pool import Pool
from janshi.ratings.standings import Standings
from janshi.records.formats import FORMATS, write_games
from janshi.records.recorder import recorder_of
from janshi.review import ReviewError, review_game
from janshi.web.report import ReportError, report_html

PAGE: Final = "index.html"
_TEMPLATE: Final = "ladder.html.j2"
#: Number of players in the table of pairs, from the top of the ladder.
_PAIRED: Final = 12
#: Number of games to replay.
_REPLAYED: Final = 5


@dataclass(frozen=True, slots=True)
class Replay:
    """A game on the page: its players and points, and its files relative to the page's folder."""

    players: str
    result: str
    record: str
    page: str
    """Path of its review; empty if the game has no reviews."""


def write_page(
    found: Standings, pool: Pool, rules: Any, agents: Mapping[int, Sequence[Agent]], folder: str | Path
) -> Path:
    """Write ``index.html`` and, below ``games/``, the games to replay; return the page's path.

    Args:
        found: the ladder.
        pool: the pool of the ladder.
        rules: rules of the pool.
        agents: agents of each version that can play, as in `janshi.ratings.Runner`.
        folder: output folder, created if necessary.
    """
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    environment = Environment(
        loader=FunctionLoader(_template),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    ratings = {row.player: row.rating for row in found.rows}
    page = environment.get_template(_TEMPLATE).render(
        found=found,
        version=janshi.__version__,
        number=number_text,
        figure=svg(interval_plot(ratings, f"Ratings, {found.anchor}", "rating, with 95 % intervals")),
        sheets=[ladder_sheet(found), pairs_sheet(found), style_sheet(found, pool)],
        replays=replays(found, pool, rules, agents, folder / "games"),
    )
    save_text(page, folder / PAGE)
    return folder / PAGE


def _template(name: str) -> str:
    package = __package__ if name == _TEMPLATE else "janshi.papers"
    return (files(package) / name).read_text(encoding="utf-8")


# ---------------------------------------------------------------------------------------------------------
# Tables


def ladder_sheet(found: Standings) -> Sheet:
    """Return the table of ratings."""
    rows = []
    for row in found.rows:
        rating = row.rating
        interval = "" if rating.low == rating.high else f"{rating.low:,.0f} to {rating.high:,.0f}"
        above = None if row.above_next is None else f"{100 * row.above_next:.1f}"
        rows.append(
            (row.player, row.digest[:7], Cell(f"{rating.value:,.0f}", interval), row.games, rating.count, above)
        )
    columns = "player | version | rating | games | walls | above next, %"
    note = (
        "Above next: probability to be stronger than the player below. Version: beginning of the SHA-256 of its files."
    )
    return sheet("Ladder", columns, rows, note, words=2)


def pairs_sheet(found: Standings) -> Sheet:
    """Return the table of pairs: expected and actual share of games in which one player ends before another."""
    before = np.zeros((len(found.places), len(found.places)), np.int64)
    orders = found.played.orders
    for better in range(orders.shape[1]):
        for worse in range(better + 1, orders.shape[1]):
            np.add.at(before, (orders[:, better], orders[:, worse]), 1)
    shown = found.places[:_PAIRED]
    names = [row.player for row in found.rows[:_PAIRED]]
    rows: list[list[Any]] = []
    for name, own in zip(names, shown, strict=True):
        cells: list[Any] = [name]
        for other in shown:
            met = int(before[own, other] + before[other, own])
            seen = f"{percent_text(before[own, other] / met, 1)} of {met:,}" if met else "not met"
            cells.append(None if own == other else Cell(percent_text(found.ladder.expected(own, other), 1), seen))
        rows.append(cells)
    note = (
        "Share of games, in %, in which the player of the row ends before that of the column: expected by the ratings; "
    )
    note += "below it as counted, of how many meetings."
    return sheet("Pairs", " | ".join(["player", *(name.replace("|", "/") for name in names)]), rows, note)


def style_sheet(found: Standings, pool: Pool) -> Sheet:
    """Return the table of the players' style: rates by hand, and the mean value of their wins."""
    styles = pool.styles()
    counted = ("hands", "wins", "tsumo", "deal-ins", "value")
    habits = list(dict.fromkeys(name for counts in styles.values() for name in counts if name not in counted))
    rows = []
    for row, version in zip(found.rows, found.order, strict=True):
        counts = styles[version.number]
        hands, wins = counts["hands"], counts["wins"]
        rates = [percent_text(counts[name] / hands) for name in ("wins", "tsumo", "deal-ins", *habits)]
        value = f"{counts['value'] / wins:,.{0 if counts['value'] > 100 * wins else 2}f}" if wins else None
        rows.append((row.player, hands, *rates, value))
    columns = " | ".join(["player", "hands", "wins, %", "tsumo, %", "deal-ins, %", *(f"{name}, %" for name in habits)])
    note = "Of all hands. Each player has had opponents of its own, which its figures depend on."
    return sheet("Style", f"{columns} | mean value", rows, note)


# ---------------------------------------------------------------------------------------------------------
# Games to replay


def replays(
    found: Standings, pool: Pool, rules: Any, agents: Mapping[int, Sequence[Agent]], folder: Path
) -> list[Replay]:
    """Replay some games and write their records and reviews.

    The games are the last walls of the seatings with the highest mean rating whose versions can play. Games of bots,
    and games with another result than in the pool, are left out.
    """
    rating = dict(
        zip((version.number for version in found.order), (row.rating.value for row in found.rows), strict=True)
    )
    labels = {version.number: version.label for version in found.order}
    able = {number for number, seats in agents.items() if not isinstance(seats[0], Listener)}
    seatings = {seating: wall for seating, wall in pool.last_walls().items() if able.issuperset(seating)}
    best_first = sorted(seatings, key=lambda seating: -sum(rating[number] for number in seating))
    # One of each set of players: seatings may differ only in the order of the players.
    chosen = {tuple(sorted(seating)): seating for seating in reversed(best_first)}
    made = []
    for seating in list(reversed(chosen.values()))[:_REPLAYED]:
        wall = seatings[seating]
        seated = [agents[number][chair] for chair, number in enumerate(seating)]
        records: list[Any] = []
        match = play_match(seated, rules, 1, pool.seed, config=MatchConfig(first=wall), on_game=records.append)
        points = wall_results(match)[0].points
        if [list(each) for each in points] != pool.points(wall):
            continue
        source = game_source(rules, pool.seed, wall, 0)
        record = next(each for each in records if each.source == source)
        folder.mkdir(parents=True, exist_ok=True)
        seat = int(np.argmax([rating[number] for number in seating]))
        names = [labels[number] for number in seating]
        made.append(_written(record, seat, folder, f"wall-{wall}", _results(names, points[0])))
    return made


def _results(names: Sequence[str], points: Sequence[float]) -> tuple[str, str]:
    """Return the players of a game by seat, and their points, as text."""
    return ", ".join(names), ", ".join(f"{each:,.0f}".replace("-", "−") for each in points)


def _written(record: Any, seat: int, folder: Path, name: str, shown: tuple[str, str]) -> Replay:
    """Write a game's record and, if the game supports reviews, its review from a seat."""
    form = FORMATS[recorder_of(record.rules).format]
    file = folder / f"{name}{form.suffixes[0]}"
    save_text(write_games([record], form.name)[0], file)
    page = folder / f"{name}.html"
    try:
        reviewer = agent(best_reviewer(record.rules.players, game_of(record.rules).name))
        save_text(report_html(review_game(record, seat, reviewer)), page)
    except (AgentError, ReviewError, ReportError):
        return Replay(*shown, f"games/{file.name}", "")
    return Replay(*shown, f"games/{file.name}", f"games/{page.name}")


__all__ = ["Replay", "ladder_sheet", "pairs_sheet", "replays", "style_sheet", "write_page"]
