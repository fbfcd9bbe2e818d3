"""Reviews on the server, of uploaded records and of games played at its tables."""

from __future__ import annotations

import asyncio
import logging
import secrets
from base64 import b64encode
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from numpy.typing import NDArray

from janshi.agents.protocol import AgentError
from janshi.games import game_of
from janshi.records import write_games
from janshi.records.links import LinkError, find_link
from janshi.review import ReviewError, check_game, review_of
from janshi.review.model import Decision, PlayedOn, Review
from janshi.web.links import BusyError, LinkReader
from janshi.web.messages import NewPlayouts, NewReview, NewTableFrom, ReviewMade
from janshi.web.review_process import HANDS, ReviewProcess
from janshi.web.roster import Roster
from janshi.web.storage import KeptReview, Storage, StorageError

_Result = TypeVar("_Result")
_LOG: Final = logging.getLogger("janshi.web")

#: Maximum number of games in memory; the least recently used one is dropped first.
_KEPT: Final = 64
#: Maximum number of waiting requests.
_WAITING: Final = 8
#: Niceness of the process that measures losses: what a page waits for has priority.
_MEASURING_NICE: Final = 15


class GoneError(Exception):
    """The game is not stored, or no longer."""


@dataclass(slots=True)
class _Kept:
    game: Any
    seat: int
    by: str | None
    reviews: dict[tuple[int, str], Review] = field(default_factory=dict)
    measured: dict[tuple[int, str], Review] = field(default_factory=dict)
    """Reviews with measured losses."""
    measuring: dict[tuple[int, str], asyncio.Task[None]] = field(default_factory=dict)
    """Measurements in progress."""


class _Queue:
    """A process that answers one request at a time; the others wait."""

    def __init__(self, name: str, process: ReviewProcess) -> None:
        self._thread = ThreadPoolExecutor(1, name)
        self.process = process
        self._waiting = 0

    async def ask(self, question: Callable[..., _Result], *arguments: Any) -> _Result:
        """Ask the process in turn, by one of its methods. Raises `BusyError` if too many wait."""
        if self._waiting >= _WAITING:
            raise BusyError(f"{self._waiting} reviews are waiting already: try again later")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, question, *arguments)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Stop answering."""
        self._thread.shutdown(wait=False, cancel_futures=True)
        self.process.close()


class Reviews:
    """Games and their reviews, made one at a time in a separate process; losses are measured in a second one."""

    def __init__(self, roster: Roster, storage: Storage | None = None) -> None:
        self._roster = roster
        self._storage = storage
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._links = LinkReader()
        self._reviewing = _Queue("reviews", ReviewProcess())
        self._measuring = _Queue("losses", ReviewProcess(nice=_MEASURING_NICE))

    def close(self) -> None:
        """Stop reviewing."""
        self._links.close()
        self._reviewing.close()
        self._measuring.close()

    def __contains__(self, name: str) -> bool:
        """Return whether a game is in memory."""
        return name in self._kept

    async def read(self, wanted: NewReview) -> ReviewMade:
        """Read a record, or that of a link, and store its game.

        Raises `ReviewError` for an unknown game or seat, `AgentError` for an unknown reviewer, and `BusyError` if too
        many requests wait.
        """
        wanted, shown = await self._opened(wanted)
        game = await self._reviewing.ask(self._reviewing.process.read, wanted.record, wanted.base64, wanted.game)
        seat = wanted.seat if shown is None or shown >= game.rules.players else shown
        made = self.keep(game, seat, wanted.by)
        await self._store(made.review, KeptReview(**{**wanted.model_dump(), "seat": seat}))
        return made

    async def _opened(self, wanted: NewReview) -> tuple[NewReview, int | None]:
        """Return a request with the record of its link in place of the link, and the seat that the link shows."""
        link = None if wanted.base64 else find_link(wanted.record)
        if link is None:
            return wanted, None
        try:
            data = await self._links.record(link)
        except LinkError as error:
            raise ReviewError(str(error)) from None
        try:
            return wanted.model_copy(update={"record": data.decode()}), link.seat
        except UnicodeDecodeError:
            return wanted.model_copy(update={"record": b64encode(data).decode(), "base64": True}), link.seat

    async def keep_played(self, game: Any, seat: int) -> ReviewMade:
        """Store a game that was played on this server. Raises as `read` does."""
        made = self.keep(game, seat)
        text = _record_of(game)
        await self._store(made.review, KeptReview(record=text, base64=False, game=1, seat=seat, by=None))
        return made

    async def _store(self, name: str, review: KeptReview) -> None:
        """Write a review's record to disk, if there is a storage; log errors."""
        if self._storage is not None:
            try:
                await asyncio.to_thread(self._storage.keep_review, name, review)
            except OSError as error:
                _LOG.warning("janshi play: cannot save this review: %s", error.strerror or error)

    def keep(self, game: Any, seat: int = 0, by: str | None = None) -> ReviewMade:
        """Store a game; ``seat`` and ``by`` are the defaults of its review. Raises as `read` does."""
        if len(game.hands) > HANDS:
            raise ReviewError(f"the game has {len(game.hands)} hands: the limit is {HANDS}")
        self._check(game, seat, by)
        name = secrets.token_urlsafe(9)
        self._add(name, _Kept(game, seat, by))
        return ReviewMade(review=name, game=game_of(game.rules).name, seats=list(game.names), seat=seat)

    async def _read_again(self, name: str) -> _Kept:
        """Return a game stored on disk. Raises as `review` does."""
        try:
            stored = None if self._storage is None else await asyncio.to_thread(self._storage.review, name)
        except StorageError as error:
            raise GoneError(str(error)) from None
        if stored is None:
            raise GoneError("this review is no longer stored: upload the record again")
        game = await self._reviewing.ask(self._reviewing.process.read, stored.record, stored.base64, stored.game)
        self._check(game, stored.seat, stored.by)
        return self._add(name, _Kept(game, stored.seat, stored.by))

    def _add(self, name: str, kept: _Kept) -> _Kept:
        """Store a game in memory, and drop the least recently used ones."""
        self._kept[name] = kept
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return kept

    def _check(self, game: Any, seat: int, by: str | None) -> str:
        """Return the reviewer's name. Raises `ReviewError` for an invalid seat, `AgentError` for the reviewer."""
        check_game(game, seat)
        name = self._roster.best(game.rules) if by is None else by
        self._roster.check(name, game.rules)
        if not self._roster.players[name].reviews:
            raise AgentError(f"{name!r} cannot review: it gives no probabilities of actions")
        return name

    async def review(self, name: str, seat: int | None, by: str | None) -> Review:
        """Return the review of a seat's decisions in a stored game.

        Raises `GoneError` if the game is not stored, otherwise as `read` does.
        """
        kept, who, reviewer = await self._find(name, seat, by)
        if (who, reviewer) in kept.measured:
            return kept.measured[who, reviewer]
        if (who, reviewer) not in kept.reviews:
            named = self._roster.argument(reviewer)
            review = await self._reviewing.ask(self._reviewing.process.review, kept.game, who, named)
            kept.reviews[who, reviewer] = review
        return kept.reviews[who, reviewer]

    async def measured(self, name: str, seat: int | None, by: str | None) -> Review:
        """Return the review with measured losses. Raises as `review` does."""
        review = await self.review(name, seat, by)
        if not review.plays_on:
            return review
        kept, who, reviewer = await self._find(name, seat, by)
        key = who, reviewer
        if key not in kept.measured:
            if key not in kept.measuring:
                kept.measuring[key] = asyncio.create_task(self._measure(kept, key, review))
            # A page that is closed does not stop the work: the next one finds the result.
            await asyncio.shield(kept.measuring[key])
        return kept.measured[key]

    async def _measure(self, kept: _Kept, key: tuple[int, str], review: Review) -> None:
        try:
            kept.measured[key] = await self._measuring.ask(self._measuring.process.measure, kept.game, review)
        finally:
            del kept.measuring[key]

    async def moments(self, name: str, seat: int, by: str | None) -> tuple[str, list[Decision]]:
        """Return the record and the certainly worse decisions of a review whose losses have been measured.

        Raises `ReviewError` before that, otherwise as `review` does.
        """
        kept, who, reviewer = await self._find(name, seat, by)
        review = kept.measured.get((who, reviewer))
        if review is None or review.report.losses is None:
            raise ReviewError("the losses of this review have not been measured")
        return _record_of(kept.game), [review.decisions[number] for number in review.report.moments]

    async def play_on(self, name: str, wanted: NewPlayouts) -> PlayedOn:
        """Return the results of a decision's options after one more batch of playouts.

        Raises `GoneError` if the game is not stored, `ReviewError` for an invalid decision or option and `BusyError`
        if too many requests wait.
        """
        kept, _, _ = await self._find(name, None, None)
        question = kept.game, wanted.seat, wanted.decision, tuple(wanted.options)
        return await self._reviewing.ask(self._reviewing.process.play_on, *question)

    async def sampled_table(self, name: str, wanted: NewTableFrom, seed: int) -> tuple[Any, NDArray[Any]]:
        """Return the rules of a stored game, and the record of a table at one of its decisions. Raises as `play_on`."""
        kept, _, _ = await self._find(name, None, None)
        question = kept.game, wanted.seat, wanted.decision, seed
        return kept.game.rules, await self._reviewing.ask(self._reviewing.process.sampled_table, *question)

    async def _find(self, name: str, seat: int | None, by: str | None) -> tuple[_Kept, int, str]:
        """Return a stored game, the seat to review, and the reviewer."""
        kept = self._kept.get(name) or await self._read_again(name)
        if name in self._kept:
            self._kept.move_to_end(name)
        who = kept.seat if seat is None else seat
        return kept, who, self._check(kept.game, who, by or kept.by)


def _record_of(game: Any) -> str:
    """Return the record of a game as text, in the format of its reviews."""
    (text,) = write_games([game], review_of(game.rules).format)
    return text
