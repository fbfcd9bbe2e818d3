"""The front desk: opens tables, finds them again, and clears those away that nobody comes back to."""

from __future__ import annotations

import asyncio
import secrets
import time
from dataclasses import dataclass, field
from typing import Final

import janshi
from janshi.agents.protocol import Agent, AgentError
from janshi.records.model import Game
from janshi.rules import PRESETS, RuleError, Rules, preset
from janshi.web.deciders import Deciders
from janshi.web.messages import Length, NewTable, Site, TableMade
from janshi.web.reviews import Reviews
from janshi.web.rooms import NotNowError, Room, Seating
from janshi.web.roster import Roster

_LENGTHS: Final = ("-hand", "-east", "-south")
#: Seconds between two looks for tables to clear away.
_ROUND: Final = 60.0
#: Seconds that a table which is over is kept for whoever wants its record.
_OVER: Final = 1800.0


@dataclass(slots=True)
class Setup:
    """What the server is to be.

    ``begin`` is the table that a browser opens at once, with ``seed`` (if any) for its walls: that never leaves the
    server. ``review`` is a game to review instead. ``most`` tables at once; ``idle`` seconds without a
    browser until a table is cleared away; ``pace`` scales the pauses.
    """

    roster: Roster = field(default_factory=Roster)
    begin: NewTable | None = None
    seed: int | None = None
    review: Game | None = None
    pace: float = 1.0
    most: int = 256
    idle: float = 6 * 3600.0
    hints: bool = True

    def check(self) -> None:
        """Raise `RuleError` or `AgentError` where the table to begin with cannot be opened."""
        if self.begin is not None:
            rules = rules_for(self.begin.rules, self.begin.length)
            seat = _seat(self.begin, rules)
            for name in _agents(self.begin, rules, seat, self.roster).values():
                self.roster.check(name, rules.players)


class FullError(Exception):
    """There are as many tables as there may be."""


class Desk:
    """All tables of a server; made and used on one event loop."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.rooms: dict[str, Room] = {}
        self.deciders = Deciders()
        self.reviews = Reviews(setup.roster)
        self._review = None if setup.review is None else self.reviews.keep(setup.review).review
        self._seed = setup.seed

    def site(self) -> Site:
        """Return what there is."""
        players = list(self.setup.roster.players.values())
        begin = self.setup.begin
        return Site(version=janshi.__version__, rules=list(PRESETS), players=players, begin=begin, review=self._review)

    def adviser(self, players: int) -> Agent:
        """Return who is asked for hints at a table of so many."""
        return self.setup.roster.seat(self.setup.roster.best(players), players)

    async def open(self, wanted: NewTable) -> TableMade:
        """Open a table, which begins to play.

        Raises `RuleError` or `AgentError` where there is no such table, `FullError` where there is no place for it.
        """
        rules = rules_for(wanted.rules, wanted.length)
        seat = _seat(wanted, rules)
        chosen = _agents(wanted, rules, seat, self.setup.roster)
        roster, players = self.setup.roster, rules.players
        made = {name: await asyncio.to_thread(roster.seat, name, players) for name in dict.fromkeys(chosen.values())}
        agents = {who: made[name] for who, name in chosen.items()}
        self._make_place()
        names = [agents[who].name if who in agents else wanted.name.strip() or "you" for who in range(rules.players)]
        seating = Seating(rules, wanted.length, names, agents, seat, self._seed_for(wanted), self.setup.pace)
        room = Room(seating, self.deciders)
        self.rooms[room.name] = room
        return TableMade(table=room.name, key=room.key, seat=seat)

    def _seed_for(self, wanted: NewTable) -> int:
        """The seed of a table's walls: nobody knows it unless somebody has named it."""
        if wanted.seed is not None:
            return wanted.seed
        if self._seed is not None and wanted == self.setup.begin:
            seed, self._seed = self._seed, None
            return seed
        return secrets.randbits(63)

    def _make_place(self) -> None:
        """Clear away the table that is over and was left longest, where there is no place; raise `FullError`."""
        if len(self.rooms) < self.setup.most:
            return
        over = [room for room in self.rooms.values() if room.over and not room.attended]
        if not over:
            raise FullError(f"there are {len(self.rooms)} tables already: finish one first")
        self._clear(min(over, key=lambda room: room.left_at))

    def find(self, name: str, key: str) -> Room:
        """Return the table to one who has its key, or who watches agents. Raises `NotNowError` otherwise."""
        room = self.rooms.get(name)
        if room is None:
            raise NotNowError("there is no such table any more: it was cleared away, or the server began anew")
        if room.seating.seat is not None and not room.opens(key):
            raise NotNowError("this is not the key of that table")
        return room

    def sweep(self) -> None:
        """Clear away the tables that nobody comes back to."""
        now = time.monotonic()
        for room in list(self.rooms.values()):
            patience = min(_OVER, self.setup.idle) if room.over or room.failure else self.setup.idle
            if not room.attended and now - room.left_at > patience:
                self._clear(room)

    async def keep_clear(self) -> None:
        """Sweep from time to time, until cancelled."""
        while True:
            await asyncio.sleep(_ROUND)
            self.sweep()

    def _clear(self, room: Room) -> None:
        room.close()
        del self.rooms[room.name]

    def close(self) -> None:
        """Stop all tables."""
        for room in list(self.rooms.values()):
            self._clear(room)
        self.deciders.close()
        self.reviews.close()


def rules_for(name: str, length: Length) -> Rules:
    """Return the rules of a preset at a length, whatever length its name tells.

    >>> rules_for("tenhou-sanma", "hand").name, rules_for("tenhou-nored-east", "south").name
    ('tenhou-sanma-hand', 'tenhou-nored')
    """
    preset(name)
    base = name
    for ending in _LENGTHS:
        base = base.replace(ending, "")
    return preset(base if length == "south" else f"{base}-{length}")


def _seat(wanted: NewTable, rules: Rules) -> int | None:
    if wanted.watch:
        return None
    if wanted.seat is None:
        return secrets.randbelow(rules.players)
    if wanted.seat >= rules.players:
        raise RuleError(f"rules {rules.name!r} have seats 0 to {rules.players - 1}, not {wanted.seat}")
    return wanted.seat


def _agents(wanted: NewTable, rules: Rules, seat: int | None, roster: Roster) -> dict[int, str]:
    """Names of agents by seat: from the one after the player's on, or from 0; fewer than seats are repeated."""
    players = rules.players
    first = 0 if seat is None else seat + 1
    empty = [(first + step) % players for step in range(players if seat is None else players - 1)]
    named = wanted.agents or [roster.best(players)]
    if len(named) > len(empty):
        raise AgentError(f"{len(named)} agents for {len(empty)} seats")
    return {who: named[place % len(named)] for place, who in enumerate(empty)}
