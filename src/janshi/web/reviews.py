"""Games that are reviewed on the server: uploaded as records, or just played at one of its tables."""

from __future__ import annotations

import asyncio
import base64
import binascii
import secrets
import tempfile
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from janshi.agents.protocol import AgentError
from janshi.records.model import Game
from janshi.review import ReviewError, review_game
from janshi.review.model import Review
from janshi.rollout.positions import PositionError, nth_game
from janshi.web.messages import NewReview, ReviewMade
from janshi.web.roster import Roster

#: Games kept; the one that was not looked at for longest goes first.
_KEPT: Final = 64
#: Reviews that are waited for, at most.
_WAITING: Final = 8
#: Hands of a game, at most: none is longer, but a record can say anything.
_HANDS: Final = 64


class BusyError(Exception):
    """More reviews are waited for than the server accepts."""


class GoneError(Exception):
    """A game that is not kept (any more)."""


@dataclass(slots=True)
class _Kept:
    game: Game
    seat: int
    by: str | None
    reviews: dict[tuple[int, str], Review] = field(default_factory=dict)


class Reviews:
    """Keeps games and their reviews; reviews one at a time, on a thread of its own."""

    def __init__(self, roster: Roster) -> None:
        self._roster = roster
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._thread = ThreadPoolExecutor(1, "reviews")
        self._waiting = 0

    def close(self) -> None:
        """Stop reviewing."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def read(self, wanted: NewReview) -> ReviewMade:
        """Read a record and keep its game.

        Raises `ReviewError` where there is no such game or seat, `AgentError` for a reviewer that is not here.
        """
        game = await asyncio.to_thread(_read, wanted)
        return self.keep(game, wanted.seat, wanted.by)

    def keep(self, game: Game, seat: int = 0, by: str | None = None) -> ReviewMade:
        """Keep a game; ``seat`` and ``by`` are reviewed where nothing else is asked for. Raises as `read` does."""
        if len(game.hands) > _HANDS:
            raise ReviewError(f"the game has {len(game.hands)} hands: {_HANDS} are the most")
        self._check(game, seat, by)
        name = secrets.token_urlsafe(9)
        self._kept[name] = _Kept(game, seat, by)
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return ReviewMade(review=name, seats=list(game.names))

    def _check(self, game: Game, seat: int, by: str | None) -> str:
        """Return the reviewer's name. Raises `ReviewError` or `AgentError` where seat or reviewer cannot be."""
        if not 0 <= seat < game.players:
            raise ReviewError(f"there is no seat {seat}: {game.players} players sit at 0 to {game.players - 1}")
        name = self._roster.best(game.players) if by is None else by
        self._roster.check(name, game.players)
        if not self._roster.players[name].reviews:
            raise AgentError(f"{name!r} cannot review: it does not say how much it likes what it does not do")
        return name

    async def review(self, name: str, seat: int | None, by: str | None) -> Review:
        """Return the review of a seat's decisions in a game that is kept.

        Raises `GoneError` where it is not, `BusyError` where too much is waited for, else as `read` does.
        """
        kept = self._kept.get(name)
        if kept is None:
            raise GoneError("there is no such review any more: upload the record again")
        self._kept.move_to_end(name)
        who = kept.seat if seat is None else seat
        reviewer = self._check(kept.game, who, by or kept.by)
        if (who, reviewer) not in kept.reviews:
            if self._waiting >= _WAITING:
                raise BusyError(f"{self._waiting} reviews are waited for already: try again in a while")
            self._waiting += 1
            try:
                loop = asyncio.get_running_loop()
                kept.reviews[who, reviewer] = await loop.run_in_executor(self._thread, self._do, kept, who, reviewer)
            finally:
                self._waiting -= 1
        return kept.reviews[who, reviewer]

    def _do(self, kept: _Kept, seat: int, reviewer: str) -> Review:
        return review_game(kept.game, seat, self._roster.seat(reviewer, kept.game.players))


def _read(wanted: NewReview) -> Game:
    """Read a record as a file would be: text in any format, an archive, a viewer's link."""
    try:
        data = base64.b64decode(wanted.record, validate=True) if wanted.base64 else wanted.record.encode()
    except (binascii.Error, ValueError) as error:
        raise ReviewError(f"the record is no base64: {error}") from None
    with tempfile.TemporaryDirectory(prefix="janshi-") as folder:
        file = Path(folder) / "record"
        file.write_bytes(data)
        try:
            game = nth_game(file, wanted.game)
        except PositionError as error:
            raise ReviewError(str(error).replace(str(file), "the record")) from None
        return replace(game, source=game.source.replace(str(file), "record"))
