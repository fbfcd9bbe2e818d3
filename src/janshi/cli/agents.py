"""``janshi agents``: the players, their games, and their measured strength."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console
from rich.table import Table

from janshi.cli.options import option

if TYPE_CHECKING:
    from janshi.players.strength import Rating, Strength


@dataclass(frozen=True)
class AgentsOptions:
    """Options of ``janshi agents``."""

    as_json: bool = option("Print JSON.", "--json", default=False)


def show_agents(options: AgentsOptions) -> None:
    """List the shipped players with their games, numbers of players and measured strength."""
    from janshi.agents import agent_names
    from janshi.players.strength import read_ratings, read_strengths

    strengths, ratings = read_strengths(), read_ratings()
    listed = [_described(name, strengths, ratings) for name in agent_names()]
    if options.as_json:
        typer.echo(json.dumps(listed, indent=1, ensure_ascii=False))
    else:
        _print(listed)


def _described(name: str, strengths: list[Strength], ratings: list[Rating]) -> dict[str, Any]:
    """An agent as plain data; what one that cannot be loaded here lacks stands in ``needs``."""
    from janshi.agents import AgentError, agent, description_of, games_of
    from janshi.players import describe

    measured = [asdict(strength) for strength in strengths if strength.agent == name]
    row: dict[str, Any] = {"name": name, "what": describe(name), "games": [], "players": [], "needs": None}
    row |= {"strength": measured, "ratings": [asdict(rating) for rating in ratings if rating.agent == name]}
    try:
        made = agent(name)
    except AgentError as error:
        return row | {"needs": str(error)}
    return row | {"what": description_of(made), "games": sorted(games_of(made)), "players": sorted(made.players)}


def _print(listed: list[dict[str, Any]]) -> None:
    """Print the table, and below it how strength was measured and who else can be named."""
    from janshi.agents import agent_forms

    console = Console()
    table = Table("agent", "what it does", "game", "players", "rating", "points a hand", title="Agents")
    for row in listed:
        strength = "\n".join(_strength(each) for each in row["strength"])
        players = " or ".join(map(str, row["players"]))
        rating = "\n".join(_rating(each) for each in row["ratings"])
        what = row["needs"] or row["what"]
        table.add_row(row["name"], what, "\n".join(row["games"]), players, rating or "–", strength or "–")
    console.print(table)
    commands = {each["command"]: None for row in listed for each in row["strength"]}
    pools = {each["command"]: None for row in listed for each in row["ratings"]}
    if pools:
        console.print(
            "Rating: by whole games, random = 0, with its 95 % interval; 400 points: ten games of eleven; by"
        )
        for pool in pools:
            console.print(f"  {pool}", highlight=False, soft_wrap=True)
    if commands:
        console.print("Points a hand: mean change against the others named, with half of its 95 % interval; by")
        for command in commands:
            console.print(f"  {command}", highlight=False, soft_wrap=True)
    console.print(f"Named as well: {', '.join(agent_forms())}.", highlight=False, markup=False)


def _rating(rated: dict[str, Any]) -> str:
    """One rating in the table; that of the anchor has no interval."""
    interval = f" ({rated['low']:,.0f} to {rated['high']:,.0f})" if rated["low"] < rated["high"] else ""
    return f"{rated['rating']:,.0f}{interval}, {rated['rules']}"


def _strength(measured: dict[str, Any]) -> str:
    """One figure in the table: against whom, and how many points."""
    digits = 0 if measured["reach"] >= 10 else 2  # points of Riichi, or of games whose hands are worth a few
    points = f"{measured['points']:+,.{digits}f} ± {measured['reach']:,.{digits}f}"
    return f"{points} against {measured['against']}, {measured['rules']}"
