"""Statistics of a match: rates and means of every player, by seat and in total, with 95 % intervals."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from janshi.agents.protocol import void_reasons
from janshi.arena.matches import Match, is_single_hand
from janshi.arena.style import Row, Style, style_of
from janshi.core.places import final_ranks
from janshi.files import finite
from janshi.statistics import LEAST_GROUPS, Estimate, mean, rate, within


@dataclass(frozen=True, slots=True)
class GameRow:
    """One player over whole games."""

    player: str
    games: int
    places: tuple[Estimate, ...]
    rank: Estimate
    points: Estimate
    """Final points."""
    net: Estimate | None
    """Mean place without the estimated luck; None if luck was not estimated."""


def notes(match: Match) -> list[str]:
    """Return notes on the figures of a match, one line each."""
    few = f"{match.walls} walls: means have an interval from {LEAST_GROUPS} on"
    return [few] if match.walls < LEAST_GROUPS else []


def rows(match: Match) -> list[Row]:
    """Return the table of a match: every player in all seats and in each."""
    return list(style(match).seats)


def style(match: Match) -> Style:
    """Return the style of every player: by seat and, in whole games, by round and in the last hand."""
    who = {name: [number] for number, name in enumerate(match.names)}
    return style_of(match.hands, match.rules.start, who, games=not is_single_hand(match.rules))


def game_rows(match: Match) -> list[GameRow]:
    """Return the results of the games for every player; equal points rank in the order of the seats.

    Matches of single hands have no such rows; their places are in the rows of hands.
    """
    if is_single_hand(match.rules):
        return []
    players = match.rules.players
    placed = final_ranks(match.final)
    games = np.arange(len(match.final))
    table = []
    for player, name in enumerate(match.names):
        seats = (match.game_rotation.astype(np.int64) + player) % players
        rank = placed[games, seats]
        table.append(
            GameRow(
                player=name,
                games=len(games),
                places=tuple(rate(rank == number) for number in range(1, players + 1)),
                rank=within(mean(rank, match.game_wall), 1, players),
                points=mean(match.final[games, seats], match.game_wall),
                # Higher luck is better, lower places are better.
                net=None if match.luck is None else mean(rank + match.luck[games, seats], match.game_wall),
            )
        )
    return table


def as_json(match: Match) -> dict[str, Any]:
    """Return all figures as plain numbers for ``json.dumps``; missing ones are None."""
    found = style(match).as_json()
    content = {
        "players": list(match.names),
        "rules": match.rules.name,
        "seed": match.seed,
        "walls": match.walls,
        "interrupted": match.interrupted,
        "luck": match.luck_model,
        "notes": notes(match),
        "hands": found["seats"],
        "rounds": found["rounds"],
        "last_hands": found["last_hands"],
        "games": [asdict(row) for row in game_rows(match)],
        "void": void_reasons(match.faults),
        "faults": {name: faults.as_json() for name, faults in match.faults.items()},
    }
    cleaned: dict[str, Any] = finite(content)
    return cleaned
