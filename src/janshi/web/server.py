"""The server of the table in the browser: HTTP, WebSockets, and what runs behind them."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

from fastapi import FastAPI, Request, Response, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse
from pydantic import TypeAdapter, ValidationError
from starlette.exceptions import HTTPException
from starlette.websockets import WebSocketDisconnect

import janshi
from janshi.agents.protocol import AgentError
from janshi.rules import PRESETS, RuleError, Rules, preset
from janshi.web.deciders import Deciders
from janshi.web.messages import (
    Act,
    FromBrowser,
    Hint,
    Join,
    NewTable,
    Next,
    Refused,
    SetPace,
    Site,
    TableMade,
)
from janshi.web.rooms import NotNowError, Room, Seating
from janshi.web.roster import Roster

STATIC: Final = Path(__file__).parent / "static"
_FROM_BROWSER: Final[TypeAdapter[Any]] = TypeAdapter(FromBrowser)
_NO_PAGE: Final = """<!doctype html><meta charset="utf-8"><title>Janshi</title>
<p>The page of the table is not built. In a checkout of the sources: <code>cd web &amp;&amp; npm ci &amp;&amp; npm run
build</code>. Packages have it inside.</p>"""


@dataclass
class Setup:
    """What the command line asks of the server."""

    roster: Roster = field(default_factory=Roster)
    begin: NewTable | None = None
    review: str | None = None
    pace: float = 1.0


class Desk:
    """Opens tables and keeps them."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.rooms: dict[str, Room] = {}
        self.deciders = Deciders()
        self.viewers: dict[str, Viewer] = {}

    def site(self) -> Site:
        """Return what there is."""
        return Site(
            version=janshi.__version__,
            rules=list(PRESETS),
            players=list(self.setup.roster.players.values()),
            begin=self.setup.begin,
            review=self.setup.review,
        )

    async def open(self, wanted: NewTable) -> TableMade:
        """Open a table and let it play. Raises `AgentError`, `RuleError` in words."""
        rules = rules_for(wanted.rules, wanted.length)
        players = rules.players
        seat = None if wanted.watch else wanted.seat
        if seat is None and not wanted.watch:
            seat = secrets.randbelow(players)
        if seat is not None and seat >= players:
            raise RuleError(f"rules {rules.name!r} have seats 0 to {players - 1}, not {seat}")
        named = wanted.agents or [self.setup.roster.best(players)]
        others = [one % players for one in range(0 if seat is None else seat + 1, players + (seat or 0))]
        names = [wanted.name or "you"] * players
        agents = {}
        for place, who in enumerate(others):
            chosen = named[place % len(named)]
            agents[who] = await asyncio.to_thread(self.setup.roster.seat, chosen, players)
            names[who] = agents[who].name
        seed = secrets.randbits(63) if wanted.seed is None else wanted.seed
        room = Room(Seating(rules, wanted.length, names, agents, seat, seed, self.setup.pace), self.deciders)
        self.rooms[room.name] = room
        room.start()
        return TableMade(table=room.name, key=room.key, seat=seat)

    def room(self, table: str, key: str) -> Room:
        """Return a table to one who has its key, or one that is open to watchers. Raises `NotNowError`."""
        room = self.rooms.get(table)
        if room is None:
            raise NotNowError("there is no such table (any more)")
        if room.seating.seat is not None and not secrets.compare_digest(room.key.encode(), key.encode()):
            raise NotNowError("this key is not the one of the table")
        return room

    def close(self) -> None:
        """Stop all tables."""
        for room in self.rooms.values():
            room.close()
        self.deciders.close()


def rules_for(name: str, length: str) -> Rules:
    """Return the rules of a preset at a length.

    >>> rules_for("tenhou-sanma", "hand").name, rules_for("tenhou", "south").name
    ('tenhou-sanma-hand', 'tenhou')
    """
    preset(name)
    base = name
    for ending in ("-hand", "-east", "-south"):
        base = base.replace(ending, "")
    return preset(base if length == "south" else f"{base}-{length}")


class Viewer:
    """One connection to one table."""

    def __init__(self, desk: Desk, socket: WebSocket) -> None:
        self.desk = desk
        self.socket = socket
        self.waker = asyncio.Event()
        self.ended: str | None = None

    async def serve(self) -> None:
        """Speak with the browser until either side ends it."""
        await self.socket.accept()
        try:
            room = await self._join()
            if room is not None:
                await self._follow(room)
        except WebSocketDisconnect:
            pass

    async def _join(self) -> Room | None:
        said = await self._read()
        if not isinstance(said, Join):
            await self._refuse("the first message is join", fatal=True)
            return None
        try:
            room = self.desk.room(said.table, said.key)
        except NotNowError as no:
            await self._refuse(str(no), fatal=True)
            return None
        if room.seating.seat is not None:
            older = self.desk.viewers.pop(room.name, None)
            if older is not None:
                older.ended = "this seat has been opened in another window"
                older.waker.set()
            self.desk.viewers[room.name] = self
        await self._send(room.welcome(said.had).model_dump_json())
        return room

    async def _follow(self, room: Room) -> None:
        room.wakers.add(self.waker)
        telling = asyncio.create_task(self._tell(room))
        listening = asyncio.create_task(self._listen(room))
        try:
            await asyncio.wait([telling, listening], return_when=asyncio.FIRST_COMPLETED)
        finally:
            room.wakers.discard(self.waker)
            if self.desk.viewers.get(room.name) is self:
                del self.desk.viewers[room.name]
            for task in (telling, listening):
                task.cancel()
                with suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                    await task

    async def _tell(self, room: Room) -> None:
        told = len(room.said)
        while True:
            while told < len(room.said):
                await self._send(room.said[told])
                told += 1
            reason = self.ended or room.failure
            if reason is not None:
                await self._refuse(reason, fatal=True)
                return
            await self.waker.wait()
            self.waker.clear()

    async def _listen(self, room: Room) -> None:
        while True:
            said = await self._read()
            if said is None:
                continue
            try:
                await self._do(room, said)
            except NotNowError as no:
                await self._refuse(str(no))

    async def _do(self, room: Room, said: Any) -> None:
        if isinstance(said, Act):
            room.act(said.number, said.action)
        elif isinstance(said, Next):
            room.next_hand()
        elif isinstance(said, SetPace):
            room.set_pace(said.paused, said.seconds, said.step)
        elif isinstance(said, Hint):
            raise NotNowError("there are no hints here")
        else:
            raise NotNowError("this connection has joined its table already")

    async def _read(self) -> Any:
        text = await self.socket.receive_text()
        try:
            return _FROM_BROWSER.validate_json(text, strict=True)
        except ValidationError as error:
            await self._refuse(f"a message that is not understood: {in_words(error.errors())}")
            return None

    async def _send(self, message: str) -> None:
        await self.socket.send_text(message)

    async def _refuse(self, reason: str, fatal: bool = False) -> None:
        await self._send(Refused(type="refused", reason=reason, fatal=fatal).model_dump_json())
        if fatal:
            await self.socket.close(1008)


def in_words(errors: Any) -> str:
    """Say what is wrong with a message: the first thing that is."""
    first = errors[0]
    where = ".".join(str(one) for one in first["loc"])
    return f"{where}: {first['msg']}" if where else str(first["msg"])


def create_app(setup: Setup) -> FastAPI:
    """Return the application; tables live as long as it does."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.desk = Desk(setup)
        yield
        app.state.desk.close()

    app = FastAPI(title="Janshi", lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    app.add_api_route("/api/site", _site, methods=["GET"])
    app.add_api_route("/api/tables", _open, methods=["POST"])
    app.add_api_route("/api/tables/{table}/record", _record, methods=["GET"])
    app.add_api_websocket_route("/ws", _socket)
    app.add_api_route("/", _page, methods=["GET"])
    app.add_api_route("/{path:path}", _file, methods=["GET"])
    app.add_exception_handler(RequestValidationError, _not_understood)
    app.add_exception_handler(HTTPException, _refused)
    return app


def _desk(request: Request | WebSocket) -> Desk:
    return cast("Desk", request.app.state.desk)


async def _site(request: Request) -> Site:
    return _desk(request).site()


async def _open(request: Request, wanted: NewTable) -> TableMade:
    try:
        return await _desk(request).open(wanted)
    except (AgentError, RuleError) as error:
        raise HTTPException(400, str(error)) from None


async def _record(request: Request, table: str, key: str = "", format: str = "mjlog") -> Response:
    from janshi.records import FORMATS, write_games

    try:
        game = _desk(request).room(table, key).game()
    except NotNowError as no:
        raise HTTPException(409, str(no)) from None
    if format not in FORMATS:
        raise HTTPException(400, f"no format {format!r}: there are {', '.join(FORMATS)}")
    (text,) = write_games([game], format)
    name = f"{game.source}{FORMATS[format]}"
    return Response(text, media_type="text/plain", headers={"Content-Disposition": f'attachment; filename="{name}"'})


async def _socket(socket: WebSocket) -> None:
    await Viewer(_desk(socket), socket).serve()


async def _page() -> Response:
    page = STATIC / "index.html"
    return FileResponse(page) if page.is_file() else HTMLResponse(_NO_PAGE, 503)


async def _file(path: str) -> Response:
    wanted = (STATIC / path).resolve()
    if not wanted.is_relative_to(STATIC.resolve()) or not wanted.is_file():
        raise HTTPException(404, "there is nothing here")
    return FileResponse(wanted)


async def _not_understood(request: Request, error: Exception) -> JSONResponse:
    return JSONResponse({"reason": in_words(cast("RequestValidationError", error).errors())}, 400)


async def _refused(request: Request, error: Exception) -> JSONResponse:
    refused = cast("HTTPException", error)
    return JSONResponse({"reason": refused.detail}, refused.status_code)
