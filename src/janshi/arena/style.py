"""Statistics of the players' style in a match: by seat, round, and place before the last hand; deal-ins by state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.arena.matches import places
from janshi.arena.observers import Hands
from janshi.core.places import final_ranks
from janshi.statistics import Estimate, mean, rate

WINDS: Final = ("East", "South", "West", "North")
PLACES: Final = ("1st", "2nd", "3rd", "4th")
#: Group of all hands.
ALL: Final = "all"
#: Name of the habit of riichi.
_DECLARED: Final = "riichi"
#: States of the seat that deals in.
_STATES: Final = (_DECLARED, "open", "closed")
#: Habits whose rate has another name in JSON.
_RATES: Final = {"called": "call"}
#: Name in JSON of `Row.group`, by table.
_GROUPS: Final = {"seats": "seat", "rounds": "round", "last_hands": "place"}


@dataclass(frozen=True, slots=True)
class Row:
    """One player in a group of hands."""

    player: str
    group: str
    """The hands of a seat (its wind at the hand's start), of a round, those with a place before the last hand, or
    all."""
    hands: int
    places: tuple[Estimate, ...]
    """Rate of first, second, third (and fourth) places of hands with a winner."""
    draw: Estimate
    win: Estimate
    tsumo: Estimate
    deal_in: Estimate
    deal_ins: dict[str, Estimate]
    """Rates of deal-ins by the own hand (``"riichi"``, ``"open"``, ``"closed"``), with ``" against riichi"`` if another
    seat was in riichi, else ``" otherwise"``. They refer to all hands and add up to ``deal_in``. Empty in a game
    without riichi."""
    habits: dict[str, Estimate]
    """Rates of the game's own counts: in Riichi ``"riichi"``, ``"called"`` and ``"fold"``."""
    points: Estimate
    """Change of points a hand."""
    value: Estimate
    """Value of a won hand."""

    @property
    def riichi(self) -> Estimate:
        """Rate of hands with riichi; raises `KeyError` in a game without."""
        return self.habits[_DECLARED]

    @property
    def call(self) -> Estimate:
        """Rate of hands with a call; raises `KeyError` in a game without."""
        return self.habits["called"]

    def as_json(self, name: str) -> dict[str, Any]:
        """Return the row as plain data, with the habits among the other rates; ``name``: key of the group."""
        plain = asdict(self)
        habits, group = plain.pop("habits"), plain.pop("group")
        return {name: group} | plain | {_RATES.get(habit, habit): estimate for habit, estimate in habits.items()}


@dataclass(frozen=True, slots=True)
class Style:
    """Tables of style, with one row for each player and group of hands."""

    seats: tuple[Row, ...]
    """All hands, and by seat."""
    rounds: tuple[Row, ...]
    """By round: ``"East"``, ``"South"`` …; only for whole games."""
    last_hands: tuple[Row, ...]
    """The last hand of each game by the place before it; only for whole games."""

    @property
    def all(self) -> tuple[Row, ...]:
        """The rows of all hands, one a player."""
        return tuple(row for row in self.seats if row.group == ALL)

    @staticmethod
    def joined(styles: Iterable[Style]) -> Style:
        """Return the rows of several matches as one."""
        several = list(styles)
        columns = ([row for style in several for row in getattr(style, name)] for name in Style.__slots__)
        return Style(*map(tuple, columns))

    def as_json(self) -> dict[str, Any]:
        """Return the rows as plain data, by name."""
        return {table: [row.as_json(name) for row in getattr(self, table)] for table, name in _GROUPS.items()}


def style_of(hands: Hands, start: int, who: Mapping[str, Sequence[int]], *, games: bool) -> Style:
    """Return the style of players in hands, in the order of their games.

    Args:
        hands: hands of a match (n).
        start: points at the beginning of a game.
        who: indices of each player in the order of rotation 0, by name.
        games: True if whole games were played; otherwise there are neither rounds nor last hands.
    """
    players = hands.change.shape[1]
    placed = places(hands)
    starts, dealt = starts_and_rounds(hands, start)
    winds = np.minimum(dealt // players, len(WINDS) - 1)
    is_last = np.append(hands.number[1:] == 0, True)[: len(hands)]
    before = final_ranks(starts)
    found: dict[str, list[Row]] = {"seats": [], "rounds": [], "last_hands": []}
    for name, numbers in who.items():
        rows = np.tile(np.arange(len(hands)), len(numbers))
        seats = (hands.rotation[rows].astype(np.int64) + np.repeat(numbers, len(hands))) % players
        group = {"seats": (seats - hands.dealer[rows]) % players}
        if games:
            group["rounds"] = winds[rows]
            group["last_hands"] = np.where(is_last[rows], before[rows, seats] - 1, -1)
        found["seats"].append(_row(name, ALL, hands.part(rows), placed[rows], seats))
        for kind, values in group.items():
            names = PLACES if kind == "last_hands" else WINDS
            for value in range(players) if kind != "rounds" else np.unique(values).tolist():
                chosen = np.flatnonzero(values == value)
                part = hands.part(rows[chosen])
                found[kind].append(_row(name, names[value], part, placed[rows[chosen]], seats[chosen]))
    return Style(*(tuple(found[kind]) for kind in ("seats", "rounds", "last_hands")))


def starts_and_rounds(hands: Hands, start: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the points at the start of every hand (n, players), and the number of earlier changes of dealer (n).

    Args:
        hands: hands of whole games in order.
        start: points at the beginning of a game.
    """
    first = hands.number == 0
    total = np.cumsum(hands.change, axis=0) - hands.change
    game = np.cumsum(first) - 1
    starts = start + total - total[first][game]
    moved = np.diff(hands.dealer, prepend=hands.dealer[:1]) != 0
    dealt = np.cumsum(moved & ~first)
    return starts, dealt - dealt[first][game]


def _row(player: str, group: str, hands: Hands, placed: NDArray[np.int8], seats: NDArray[np.int64]) -> Row:
    """Return a player's row over hands (n), with their places (n, players) and the player's seats (n)."""
    own = np.arange(len(hands)), seats
    place = placed[own]
    won = hands.won[own]
    return Row(
        player=player,
        group=group,
        hands=len(hands),
        places=tuple(rate(place == number) for number in range(1, placed.shape[1] + 1)),
        draw=rate(place == 0),
        win=rate(won),
        tsumo=rate(hands.self_drawn[own]),
        deal_in=rate(hands.dealt_in[own]),
        deal_ins=_deal_ins(hands, seats),
        habits={name: rate(column[own]) for name, column in hands.habits.items()},
        points=mean(hands.change[own], hands.wall),
        value=mean(hands.value[own][won], hands.wall[won]),
    )


def _deal_ins(hands: Hands, seats: NDArray[np.int64]) -> dict[str, Estimate]:
    """Return the rates of deal-ins of some seats (n) by their state and the others' riichi."""
    if _DECLARED not in hands.habits:
        return {}
    own = np.arange(len(hands)), seats
    state = np.where(hands.riichi[own], 0, np.where(hands.called[own], 1, 2))
    threatened = hands.riichi.sum(axis=1) > hands.riichi[own]
    dealt_in = hands.dealt_in[own]
    return {
        name + words: rate(dealt_in & (state == number) & (threatened == is_threatened))
        for number, name in enumerate(_STATES)
        for words, is_threatened in ((" against riichi", True), (" otherwise", False))
    }
