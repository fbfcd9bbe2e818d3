"""What a match says: rates and means of every player, by seat and in all, with 95 % intervals."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.arena.matches import Match, is_single_hand, places
from janshi.arena.observers import Hands
from janshi.arena.places import final_ranks
from janshi.statistics import LEAST_GROUPS, Estimate, mean, rate, within

WINDS: Final = ("East", "South", "West", "North")


@dataclass(frozen=True, slots=True)
class Row:
    """One player in one seat (by its wind at the hand's start), or in all."""

    player: str
    seat: str
    hands: int
    places: tuple[Estimate, ...]
    """Rate of first, second, third (and fourth) places of hands with a winner."""
    draw: Estimate
    win: Estimate
    tsumo: Estimate
    deal_in: Estimate
    habits: dict[str, Estimate]
    """Rates of the further things that the game counts: in Riichi ``"riichi"`` and ``"called"``."""
    points: Estimate
    """Change of points a hand."""
    value: Estimate
    """Worth of a won hand."""

    @property
    def riichi(self) -> Estimate:
        """Rate of hands with riichi; raises `KeyError` in a game without."""
        return self.habits["riichi"]

    @property
    def call(self) -> Estimate:
        """Rate of hands with a call; raises `KeyError` in a game without."""
        return self.habits["called"]


@dataclass(frozen=True, slots=True)
class GameRow:
    """One player over whole games."""

    player: str
    games: int
    places: tuple[Estimate, ...]
    rank: Estimate
    points: Estimate
    """Points at the end."""
    net: Estimate | None
    """Mean place with the estimated luck taken out, where it was estimated in places."""


def notes(match: Match) -> list[str]:
    """Return what must be known to read the figures of a match, a line each; nothing where there is nothing."""
    few = f"{match.walls} walls: means have an interval from {LEAST_GROUPS} on"
    return [few] if match.walls < LEAST_GROUPS else []


def rows(match: Match) -> list[Row]:
    """Return the table of a match: every player in all seats and in each."""
    hands = match.hands
    players = match.rules.players
    placed = places(hands)
    table = []
    for player, name in enumerate(match.names):
        seats = (hands.rotation.astype(np.int64) + player) % players
        winds = (seats - hands.dealer) % players
        for wind in (None, *range(players)):
            which = np.arange(len(seats)) if wind is None else np.flatnonzero(winds == wind)
            seat = "all" if wind is None else WINDS[wind]
            table.append(_row(name, seat, hands.part(which), placed[which], seats[which]))
    return table


def _row(player: str, seat: str, hands: Hands, placed: NDArray[np.int8], seats: NDArray[np.int64]) -> Row:
    """One player's row over hands (n), their places (n, players) and the player's seats in them (n)."""
    own = np.arange(len(hands)), seats
    place = placed[own]
    won = hands.won[own]
    return Row(
        player=player,
        seat=seat,
        hands=len(hands),
        places=tuple(rate(place == number) for number in range(1, placed.shape[1] + 1)),
        draw=rate(place == 0),
        win=rate(won),
        tsumo=rate(hands.self_drawn[own]),
        deal_in=rate(hands.dealt_in[own]),
        habits={name: rate(column[own]) for name, column in hands.habits.items()},
        points=mean(hands.change[own], hands.wall),
        value=mean(hands.value[own][won], hands.wall[won]),
    )


def game_rows(match: Match) -> list[GameRow]:
    """Return how the games ended for every player; equal points rank in the order of the seats.

    Single hands are no games: they have no rows, and their places stand with the hands.
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
                # Luck counts more as better, places count less.
                net=None if match.luck is None else mean(rank + match.luck[games, seats], match.game_wall),
            )
        )
    return table


def as_json(match: Match) -> dict[str, Any]:
    """Return everything as plain numbers for ``json.dumps``; what there is no figure for is None."""
    content = {
        "players": list(match.names),
        "rules": match.rules.name,
        "seed": match.seed,
        "walls": match.walls,
        "interrupted": match.interrupted,
        "luck": match.luck_model,
        "notes": notes(match),
        "hands": [_row_json(row) for row in rows(match)],
        "games": [asdict(row) for row in game_rows(match)],
        "faults": {name: asdict(faults) for name, faults in match.faults.items()},
    }
    cleaned: dict[str, Any] = finite(content)
    return cleaned


#: Habits whose rate has another name in JSON.
_RATES: Final = {"called": "call"}


def _row_json(row: Row) -> dict[str, Any]:
    """A row as plain data, the habits among the other rates."""
    plain = asdict(row)
    habits = plain.pop("habits")
    return plain | {_RATES.get(name, name): estimate for name, estimate in habits.items()}


def finite(value: Any) -> Any:
    """Return plain data with None for what is no finite number: JSON has none of those."""
    if isinstance(value, dict):
        return {name: finite(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    return None if isinstance(value, float) and not isfinite(value) else value
