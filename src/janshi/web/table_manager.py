"""The tables of a server: opening, finding, resuming and closing."""

from __future__ import annotations

import asyncio
import logging
import secrets
import sqlite3
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter, ValidationError

import janshi
from janshi.agents.protocol import Agent, AgentError
from janshi.core.errors import RuleError
from janshi.core.rules import REGISTERED
from janshi.games import game_of, rules_of
from janshi.review import ReviewError
from janshi.review.model import Loss
from janshi.table import Tables
from janshi.web.agent_queue import AgentQueue
from janshi.web.game_table import NoTableError, NotNowError, ServedTable, TableSetup
from janshi.web.history import Drill, FinishedGame, History
from janshi.web.messages import (
    DrillAnswer,
    Drills,
    DrillShown,
    FoundGame,
    FoundGames,
    NewDrills,
    NewReview,
    NewTable,
    NewTableFrom,
    OwnHistory,
    OwnTables,
    ReviewMade,
    RulesOffered,
    Site,
    TableMade,
)
from janshi.web.pages import page_of, pages, played_rules, rules_at
from janshi.web.reviews import Reviews
from janshi.web.roster import Roster
from janshi.web.storage import (
    Choice,
    Journal,
    KeptTable,
    Resumed,
    Storage,
    StorageError,
    digest,
    packed_record,
    unpacked_record,
)

_Result = TypeVar("_Result")
_LOG: Final = logging.getLogger("janshi.web")
_NO_TABLE: Final = "this table no longer exists"
_WRONG_KEY: Final = "this table belongs to another browser, which has its key"
#: Seconds between two sweeps.
_SWEEP_EVERY: Final = 60.0
#: Seconds for which a finished table is kept, so that its record can be saved.
_KEPT_WHEN_OVER: Final = 1800.0


@dataclass(slots=True)
class Setup:
    """Settings of a server.

    ``begin`` is the table that the browser opens at once, with walls of ``seed`` (if any), which never leaves the
    server. ``review`` is a game to review instead. ``most`` is the maximum number of tables. A table is closed after
    ``idle`` seconds without a browser. ``pace`` scales the pauses. ``storage`` keeps games and reviews beyond that, and
    ``history`` the player's finished games.
    """

    roster: Roster = field(default_factory=Roster)
    begin: NewTable | None = None
    seed: int | None = None
    review: Any = None
    pace: float = 1.0
    most: int = 256
    idle: float = 6 * 3600.0
    hints: bool = True
    storage: Storage | None = None
    history: History | None = None

    def check(self) -> None:
        """Raise `GameError`, `RuleError` or `AgentError` if the table ``begin`` cannot be opened."""
        if self.begin is not None:
            rules = rules_at(self.begin.rules, self.begin.length)
            seat = _seat(self.begin, rules)
            for name in _agents(self.begin, rules, seat, self.roster).values():
                self.roster.check(name, rules)


class NoHistoryError(Exception):
    """The server keeps no history, or not this game."""


class FullError(NotNowError):
    """The maximum number of tables is reached."""


class TableManager:
    """All tables of a server, for one event loop."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.tables: dict[str, ServedTable] = {}
        self.agents = AgentQueue()
        self.reviews = Reviews(setup.roster, setup.storage)
        self._keeper = None if setup.history is None else self._keep
        self._practised: dict[str, str] = {}
        """Reviews of the records of drills, by the record's digest."""
        self._unreadable: set[int] = set()
        """Drills that cannot be shown."""
        self._history_thread = ThreadPoolExecutor(1, "history")
        self._coming_back: dict[str, asyncio.Task[ServedTable]] = {}
        self._review = None if setup.review is None else self.reviews.keep(setup.review).review
        self._seed = setup.seed
        self._rules = _offered()

    def site(self) -> Site:
        """Return the available rule sets and players, and what to open first."""
        players = list(self.setup.roster.players.values())
        begin = self.setup.begin
        return Site(
            version=janshi.__version__,
            rules=self._rules,
            players=players,
            begin=begin,
            review=self._review,
            history=self.setup.history is not None,
        )

    async def own_history(self) -> OwnHistory:
        """Return the player's finished games. Raises `NoHistoryError` if none are kept."""
        history = self.history
        games = await self.ask_history(history.games)  # first: a game that is added meanwhile has figures, too
        figures = await self.ask_history(history.figures, self.setup.roster.ratings())
        played = {(each.game, each.players) for each in figures}
        people = [each for page in pages().values() for each in page.people if (each.game, each.players) in played]
        return OwnHistory(games=games, figures=figures, people=people)

    @property
    def history(self) -> History:
        """The player's finished games. Raises `NoHistoryError` if none are kept."""
        if self.setup.history is None:
            raise NoHistoryError("this server keeps no history of games")
        return self.setup.history

    async def ask_history(self, question: Callable[..., _Result], *arguments: Any) -> _Result:
        """Call a method of the history in its thread: while the database is locked, only the history waits."""
        return await asyncio.get_running_loop().run_in_executor(self._history_thread, question, *arguments)

    async def review_past(self, game: str) -> ReviewMade:
        """Open a finished game for review. Raises `NoHistoryError` for an unknown game, otherwise as `Reviews.read`."""
        kept = await self.ask_history(self.history.record, game)
        if kept is None:
            raise NoHistoryError("this game is not in the history")
        record, seat = kept
        return await self.reviews.read(NewReview(record=record, seat=seat))

    async def add_drills(self, review: str, wanted: NewDrills) -> Drills:
        """Add the moments of a review to the drills; return their numbers. Raises as `Reviews.moments` does."""
        history = self.history
        record, moments = await self.reviews.moments(review, wanted.seat, wanted.by)
        await self.ask_history(history.add_drills, record, moments, wanted.seat, time.time())
        due, total = await self.ask_history(history.drills, time.time(), self._unreadable)
        return Drills(due=due, total=total, next=None)

    async def drills(self) -> Drills:
        """Return the next drill, with its game opened as a review. Raises `NoHistoryError` or as `Reviews.read`.

        Drills whose records cannot be read are left out and logged.
        """
        now = time.time()
        while (drill := await self.ask_history(self.history.next_drill, now, self._unreadable)) is not None:
            try:
                shown = await self._shown(drill)
                break
            except (ReviewError, ValidationError) as error:
                _LOG.warning("janshi play: drill %d is left out: %s", drill.id, error)
                self._unreadable.add(drill.id)
        due, total = await self.ask_history(self.history.drills, now, self._unreadable)
        return Drills(due=due, total=total, next=None if drill is None else shown)

    async def _shown(self, drill: Drill) -> DrillShown:
        """Open the game of a drill as a review. Raises as `Reviews.read`, and `ValidationError` for a damaged loss."""
        review = self._practised.get(digest(drill.record), "")
        if review not in self.reviews:
            review = (await self.reviews.read(NewReview(record=drill.record, seat=drill.seat))).review
            self._practised[digest(drill.record)] = review
        loss = TypeAdapter(Loss).validate_json(drill.loss)
        return DrillShown(
            id=drill.id, review=review, seat=drill.seat, decision=drill.decision, best=drill.best, loss=loss
        )

    async def answer_drill(self, drill: int, answer: DrillAnswer) -> Drills:
        """Note the answer to a drill; return the next one."""
        await self.ask_history(self.history.answer_drill, drill, answer.correct, time.time())
        return await self.drills()

    async def _keep(self, game: FinishedGame) -> None:
        """Add a finished game to the history; log errors."""
        try:
            await self.ask_history(self.history.add, game)
        except sqlite3.Error as error:
            _LOG.warning("janshi play: cannot keep this game in the history: %s", error)

    def adviser(self, rules: Any) -> Agent:
        """Return the agent that gives hints for a rule set."""
        return self.setup.roster.seat(self.setup.roster.best(rules), rules)

    async def open(self, wanted: NewTable) -> TableMade:
        """Open a table, and start its game.

        Raises `RuleError` or `AgentError` for invalid rules or agents, `FullError` if too many tables are open.
        """
        rules = rules_at(wanted.rules, wanted.length)
        seat = _seat(wanted, rules)
        agents = _agents(wanted, rules, seat, self.setup.roster)
        return await self._open(rules, wanted.length, seat, agents, wanted.name, self._seed_for(wanted))

    async def open_from(self, review: str, wanted: NewTableFrom) -> TableMade:
        """Open a table at a decision of a game that is reviewed, with sampled hidden tiles.

        The default agent has the other seats. The game is not kept in the history, as the player has not played all of
        it. Raises as `Reviews.play_on` and `open` do.
        """
        seed = secrets.randbits(63)
        recorded, record = await self.reviews.sampled_table(review, wanted, seed)
        rules, length = played_rules(recorded)
        others = [seat for seat in range(rules.players) if seat != wanted.seat]
        agents = dict.fromkeys(others, self.setup.roster.best(rules))
        return await self._open(rules, length, wanted.seat, agents, wanted.name, seed, record)

    async def _open(
        self,
        rules: Any,
        length: str,
        seat: int | None,
        agents: dict[int, str],
        player: str,
        seed: int,
        record: NDArray[Any] | None = None,
    ) -> TableMade:
        roster = self.setup.roster
        for name in dict.fromkeys(agents.values()):
            roster.check(name, rules)
        labels = {who: roster.players[name].label for who, name in agents.items()}
        names = [labels.get(who) or player.strip() or "You" for who in range(rules.players)]
        name, key = secrets.token_urlsafe(9), secrets.token_urlsafe(18)
        about = KeptTable(
            rules=rules.name,
            length=length,
            names=names,
            agents=agents,
            seat=seat,
            seed=seed,
            key=digest(key),
            record=None if record is None else packed_record(record),
        )
        setup = await self._setup_of(about)
        self._make_space()
        await self._begin(name, setup, about, self._journal_of(name, about), [])
        return TableMade(table=name, key=key, seat=seat)

    def _journal_of(self, name: str, about: KeptTable) -> Journal | None:
        """Return the journal of a new game, None if it is not stored."""
        if self.setup.storage is None:
            return None
        try:
            return self.setup.storage.begin(name, about)
        except OSError as error:
            _LOG.warning("janshi play: cannot save this game: %s", error.strerror or error)
            return None

    def _seed_for(self, wanted: NewTable) -> int:
        """Return the seed of a table's walls, a random one unless given."""
        if wanted.seed is not None:
            return wanted.seed
        begin = self.setup.begin
        if self._seed is not None and begin is not None and wanted == begin.model_copy(update={"name": wanted.name}):
            seed, self._seed = self._seed, None
            return seed
        return secrets.randbits(63)

    def _make_space(self) -> None:
        """If the limit is reached, close the finished table left longest ago, or raise `FullError`."""
        if len(self.tables) < self.setup.most:
            return
        over = [table for table in self.tables.values() if table.over and not table.attended]
        if not over:
            raise FullError(f"{len(self.tables)} tables are open already: finish one first")
        self._clear(min(over, key=lambda table: table.left_at))

    async def find(self, name: str, key: str) -> ServedTable:
        """Return a table, resumed from storage if needed. Tables with a player require the key.

        Raises `NoTableError` for an unknown table or a wrong key, `FullError` if too many are open.
        """
        table = self.tables.get(name)
        if table is None and name not in self._coming_back:
            kept = self._kept(name)
            if kept is None:
                raise NoTableError(_NO_TABLE, "no_table")
            if kept[0].seat is not None and not secrets.compare_digest(kept[0].key, digest(key)):
                raise NoTableError(_WRONG_KEY, "wrong_key")
            self._make_space()
            self._coming_back[name] = task = asyncio.create_task(self._come_back(name))
            task.add_done_callback(lambda _: self._coming_back.pop(name))
        if table is None:
            table = await asyncio.shield(self._coming_back[name])
        if table.setup.seat is not None and not table.opens(key):
            raise NoTableError(_WRONG_KEY, "wrong_key")
        return table

    def _kept(self, name: str) -> tuple[KeptTable, bool, float] | None:
        """Return a stored game: see `janshi.web.storage.Storage.find`. Raises `NoTableError` for a damaged file."""
        try:
            return None if self.setup.storage is None else self.setup.storage.find(name)
        except StorageError as error:
            raise NoTableError(str(error), "failed") from None

    async def _come_back(self, name: str) -> ServedTable:
        """Resume a stored game."""
        resumed: Resumed | None = None
        try:
            assert self.setup.storage is not None
            resumed = self.setup.storage.resume(name)
            if resumed is None:
                raise NoTableError(_NO_TABLE, "no_table")
            return await self._set_up_again(name, resumed)
        except BaseException as error:
            if resumed is not None:
                resumed.journal.close()
            if isinstance(error, (StorageError, AgentError, RuleError)):
                raise NoTableError(f"this game cannot be resumed: {error}", "failed") from None
            raise

    async def _set_up_again(self, name: str, resumed: Resumed) -> ServedTable:
        setup = await self._setup_of(resumed.table)
        seats = set(range(setup.rules.players)) - {setup.seat}
        if len(setup.names) != setup.rules.players or set(setup.agents) != seats:
            raise StorageError("the seats in its file do not match its rules")
        return await self._begin(name, setup, resumed.table, resumed.journal, resumed.choices)

    async def _setup_of(self, kept: KeptTable) -> TableSetup:
        """Return the rules, agents and initial record of a table, which are loaded."""
        rules, roster = rules_at(kept.rules, kept.length), self.setup.roster
        made = {name: await asyncio.to_thread(roster.seat, name, rules) for name in dict.fromkeys(kept.agents.values())}
        agents = {who: made[name] for who, name in kept.agents.items()}
        layout = np.asarray(Tables(rules, 1).states).dtype
        record = None if kept.record is None else unpacked_record(kept.record, layout)
        return TableSetup(rules, kept.length, kept.names, agents, kept.seat, kept.seed, self.setup.pace, record)

    async def _begin(
        self, name: str, setup: TableSetup, about: KeptTable, journal: Journal | None, choices: Sequence[Choice]
    ) -> ServedTable:
        """Start a table after the given choices. A game that did not begin at this table is not kept."""
        keep = self._keeper if setup.record is None else None
        table = ServedTable(setup, self.agents, name, about, journal, keep)
        if setup.record is not None or choices:
            try:
                await table.replay(choices)
            except BaseException:
                table.close()
                raise
        self.tables[name] = table
        table.start()
        return table

    def games(self, wanted: OwnTables) -> FoundGames:
        """Return the status of those tables that still exist and whose key is right."""
        return FoundGames(games=[game for own in wanted.tables if (game := self._game(own.table, own.key)) is not None])

    def _game(self, name: str, key: str) -> FoundGame | None:
        table = self.tables.get(name)
        try:
            kept = self._kept(name) if table is None else (table.about, table.over, table.moved_at)
        except NoTableError:
            return None
        if kept is None or not secrets.compare_digest(kept[0].key, digest(key)):
            return None
        about, over, moved = kept
        ago = max(0.0, time.time() - moved)
        asked = about.model_dump(include={"rules", "length", "names", "seat"})
        return FoundGame(table=name, over=over, moved=ago, **asked)

    def sweep(self) -> None:
        """Close abandoned tables."""
        now = time.monotonic()
        for table in list(self.tables.values()):
            patience = min(_KEPT_WHEN_OVER, self.setup.idle) if table.over or table.failure else self.setup.idle
            if not table.attended and now - table.left_at > patience:
                self._clear(table)
        if self.setup.storage is not None:
            self.setup.storage.sweep()

    async def keep_clear(self) -> None:
        """Call `sweep` periodically, until cancelled."""
        while True:
            await asyncio.sleep(_SWEEP_EVERY)
            self.sweep()

    def _clear(self, table: ServedTable) -> None:
        table.close()
        del self.tables[table.name]

    def close(self) -> None:
        """Stop all tables."""
        for table in list(self.tables.values()):
            self._clear(table)
        self._history_thread.shutdown(wait=False, cancel_futures=True)
        self.agents.close()
        self.reviews.close()


def _offered() -> list[RulesOffered]:
    """Return the available rule sets: the user's own, then the games' presets."""
    known = REGISTERED | {name: rules_of(name) for page in pages().values() for name in page.presets}
    return [
        RulesOffered(name=name, game=game_of(rules).name, players=rules.players, lengths=list(page_of(rules).lengths))
        for name, rules in known.items()
    ]


def _seat(wanted: NewTable, rules: Any) -> int | None:
    if wanted.watch:
        return None
    if wanted.seat is None:
        return secrets.randbelow(rules.players)
    if wanted.seat >= rules.players:
        raise RuleError(f"rules {rules.name!r} have seats 0 to {rules.players - 1}, not {wanted.seat}")
    return wanted.seat


def _agents(wanted: NewTable, rules: Any, seat: int | None, roster: Roster) -> dict[int, str]:
    """Return names of agents by seat, from the one after the player's on, or from 0; fewer are repeated."""
    players = rules.players
    first = 0 if seat is None else seat + 1
    free = [(first + step) % players for step in range(players if seat is None else players - 1)]
    named = wanted.agents or [roster.best(rules)]
    if len(named) > len(free):
        raise AgentError(f"{len(named)} agents for {len(free)} seats")
    return {who: named[number % len(named)] for number, who in enumerate(free)}
