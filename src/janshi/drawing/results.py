"""Results of matches and many tables as HTML, for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from math import isfinite
from typing import Final

from janshi.arena import Comparison, Estimate, Match, rows
from janshi.arena.style import PLACES
from janshi.drawing.facet import drawing_of
from janshi.table import Tables

#: Maximum number of pictures of many tables, and their width in pixels.
_PICTURES: Final = 4
_WIDTH: Final = 360


def tables_html(tables: Tables) -> str:
    """Return a description of tables, with pictures of the first ones if the game has pictures."""
    over = int(tables.hand_over.sum())
    caption = f"{len(tables):,} tables of {tables.rules.name}, {over:,} of them at the end of a hand"
    drawing = drawing_of(tables.game)
    shown = min(_PICTURES, len(tables)) if drawing.pictures else 0
    pictures = "".join(
        f'<div style="width:{_WIDTH}px">table {number}{drawing.open_svg(tables.states[number])}</div>'
        for number in range(shown)
    )
    return f'<p>{escape(caption)}</p><div style="display:flex;flex-wrap:wrap;gap:8px">{pictures}</div>'


def match_html(match: Match) -> str:
    """Return a match as a table: rates and means of every player over all seats, with 95 % intervals."""
    lines = [row for row in rows(match) if row.group == "all"]
    head = ("player", "hands", *PLACES[: match.rules.players], "draw", "win", "deal-in", "points a hand")
    body = [
        (
            row.player,
            f"{row.hands:,}",
            *map(_rate, (*row.places, row.draw, row.win, row.deal_in)),
            _mean(row.points),
        )
        for row in lines
    ]
    return _table(f"{match.rules.name}, seed {match.seed}: {match.walls:,} walls in every seat", head, body)


def comparison_html(comparison: Comparison) -> str:
    """Return a comparison as a table: every line-up, and below it the paired differences, with 95 % intervals."""
    head = ("player", "against", "games", *PLACES[: comparison.seats], "mean place", "mean points")
    body = [
        (row.player, row.against, f"{row.games:,}", *map(_rate, row.rates), _place(row.place), _mean(row.points))
        for row in comparison.standings
    ]
    title = f"{comparison.rules}, seed {comparison.seed}: {comparison.walls:,} walls in every seat"
    first, second = comparison.players
    differences = [(row.against, _place(row.place, "+"), _mean(row.points)) for row in comparison.differences]
    columns = ("against", "mean place", "mean points")
    paired = _table(f"{first} minus {second}, on the same walls", columns, differences)
    return _table(title, head, body) + paired


def _place(mean: Estimate, sign: str = "") -> str:
    text = f"{mean.value:{sign}.3f}"
    return f"{text} ± {(mean.high - mean.low) / 2:.3f}" if isfinite(mean.high) else text


def _rate(rate: Estimate) -> str:
    return f"{100 * rate.value:.1f} % ± {50 * (rate.high - rate.low):.1f}" if rate.count else "–"


def _mean(mean: Estimate) -> str:
    if not isfinite(mean.high):
        return f"{mean.value:+,.0f}" if mean.count else "–"
    return f"{mean.value:+,.0f} ± {mean.high - mean.value:,.0f}"


def _table(title: str, head: Sequence[str], body: Iterable[Sequence[str]]) -> str:
    def row(cells: Sequence[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    lines = "".join(row(cells, "td") for cells in body)
    return f"<table><caption>{escape(title)}</caption>{row(head, 'th')}{lines}</table>"
