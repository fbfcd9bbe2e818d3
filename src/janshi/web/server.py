"""The web application: its routes and their handlers."""

from __future__ import annotations

import asyncio
import json
import mimetypes
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from email.utils import formatdate
from functools import lru_cache, partial
from pathlib import Path
from typing import Final, cast

from janshi.agents.protocol import AgentError
from janshi.core.errors import RuleError
from janshi.core.game import GameError
from janshi.games import game_of
from janshi.installing import naming_extra
from janshi.records import formats_of, recorder_of, write_games
from janshi.review import ReviewError
from janshi.review.model import PlayedOn, Review
from janshi.web.connection import Connection, in_words
from janshi.web.game_table import NoTableError, NotNowError, ServedTable
from janshi.web.guard import Guard
from janshi.web.links import BusyError
from janshi.web.messages import (
    DrillAnswer,
    Drills,
    FoundGames,
    NewDrills,
    NewPlayouts,
    NewReview,
    NewTable,
    NewTableFrom,
    Number,
    OwnHistory,
    OwnTables,
    ReviewMade,
    Site,
    TableMade,
)
from janshi.web.report import STATIC, ReportError, report_html
from janshi.web.reviews import GoneError
from janshi.web.table_manager import FullError, NoHistoryError, Setup, TableManager

with naming_extra(__name__):
    from fastapi import FastAPI, Request, Response, WebSocket
    from fastapi.exceptions import RequestValidationError
    from fastapi.responses import HTMLResponse, JSONResponse
    from pydantic import TypeAdapter
    from starlette.exceptions import HTTPException
    from starlette.requests import HTTPConnection

_NOTHING: Final = "not found"
_REVIEW: Final = TypeAdapter(Review)
#: HTTP status of exceptions whose text is the answer.
_STATUS: Final[dict[type[Exception], int]] = {
    **dict.fromkeys((AgentError, RuleError, GameError, ReviewError), 400),
    **dict.fromkeys((NoTableError, GoneError, NoHistoryError), 404),
    NotNowError: 409,
    **dict.fromkeys((FullError, BusyError, ReportError, sqlite3.Error), 503),
}
_STATUS_HEADER: Final = "Janshi-Status"
_NO_PAGE: Final = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Janshi</title>
<p>The page has not been built. Packages contain it; in a checkout of the sources, run
<code>cd web &amp;&amp; npm ci &amp;&amp; npm run build</code>.</p></html>"""


def create_app(
    setup: Setup, *, token: str | None = None, local: bool = True, prepare: Sequence[Callable[[], None]] = ()
) -> FastAPI:
    """Return the application with its own tables.

    ``token`` and ``local``: see `janshi.web.guard.Guard`. ``prepare`` contains slow steps (compilation), which run in a
    thread; tables can be opened after the first step.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.manager = manager = TableManager(setup)
        app.state.ready = _prepared(prepare)
        sweeping = asyncio.create_task(manager.keep_clear())
        yield
        sweeping.cancel()
        manager.close()

    app = FastAPI(title="Janshi", lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    app.add_api_route("/api/site", _site, methods=["GET"])
    app.add_api_route("/api/tables", _open, methods=["POST"])
    app.add_api_route("/api/games", _games, methods=["POST"])
    app.add_api_route("/api/tables/{table}/record", _record, methods=["GET"])
    app.add_api_route("/api/tables/{table}/review", _review_table, methods=["POST"])
    app.add_api_route("/api/history", _history, methods=["GET"])
    app.add_api_route("/api/history/games.json", _export, methods=["GET"])
    app.add_api_route("/api/history/erase", _erase, methods=["POST"])
    app.add_api_route("/api/history/{game}/review", _review_past, methods=["POST"])
    app.add_api_route("/api/drills", _drills, methods=["GET"])
    app.add_api_route("/api/drills/{drill}", _answer_drill, methods=["POST"])
    app.add_api_route("/api/reviews", _read_record, methods=["POST"])
    app.add_api_route("/api/reviews/{review}", _review, methods=["GET"])
    app.add_api_route("/api/reviews/{review}/losses", _losses, methods=["GET"])
    app.add_api_route("/api/reviews/{review}/drills", _add_drills, methods=["POST"])
    app.add_api_route("/api/reviews/{review}/playouts", _play_on, methods=["POST"])
    app.add_api_route("/api/reviews/{review}/tables", _open_from, methods=["POST"])
    app.add_api_route("/api/reviews/{review}/report.html", _report, methods=["GET"])
    app.add_api_websocket_route("/ws", _connect)
    app.add_api_route("/api/{path:path}", _nothing, methods=["GET", "POST"])
    app.add_api_route("/", _page, methods=["GET"])
    app.add_api_route("/{path:path}", _file, methods=["GET"])
    app.add_exception_handler(RequestValidationError, _not_understood)
    app.add_exception_handler(HTTPException, _refused)
    for kind, status in _STATUS.items():
        app.add_exception_handler(kind, partial(_answered, status))
    app.add_middleware(Guard, token=token, local=local)
    return app


def _prepared(steps: Sequence[Callable[[], None]]) -> asyncio.Future[None]:
    """Run the steps in a thread; return a future with the result of the first one."""
    loop = asyncio.get_running_loop()
    first: asyncio.Future[None] = loop.create_future()

    def do() -> None:
        try:
            for step in steps[:1]:
                step()
        except Exception as error:
            _call_on(loop, partial(first.set_exception, error))
            return
        _call_on(loop, partial(first.set_result, None))
        for step in steps[1:]:
            step()

    # The loop would wait for its own threads at the end, and compilation can take a minute.
    threading.Thread(target=do, name="preparing", daemon=True).start()
    return first


def _call_on(loop: asyncio.AbstractEventLoop, function: Callable[[], None]) -> None:
    with suppress(RuntimeError):  # the loop may have been closed meanwhile
        loop.call_soon_threadsafe(function)


def _manager(connection: HTTPConnection) -> TableManager:
    return cast("TableManager", connection.app.state.manager)


async def _site(request: Request) -> Site:
    return _manager(request).site()


async def _prepared_manager(request: Request) -> TableManager:
    """Return the manager when tables can be opened."""
    try:
        await asyncio.shield(request.app.state.ready)
    except Exception as error:  # of the first step
        raise HTTPException(503, f"no table can be opened: {error}") from None
    return _manager(request)


async def _open(request: Request, wanted: NewTable) -> TableMade:
    return await (await _prepared_manager(request)).open(wanted)


async def _open_from(request: Request, review: str, wanted: NewTableFrom) -> TableMade:
    return await (await _prepared_manager(request)).open_from(review, wanted)


async def _games(request: Request, wanted: OwnTables) -> FoundGames:
    return _manager(request).games(wanted)


async def _find(connection: HTTPConnection, table: str, key: str) -> ServedTable:
    """Return a table. Resuming a stored one waits for the first step of the preparation."""
    manager = _manager(connection)
    if table not in manager.tables:
        try:
            await asyncio.shield(connection.app.state.ready)
        except Exception as error:  # of the first step
            raise NoTableError(f"no table can be opened: {error}", "failed") from None
    return await manager.find(table, key)


async def _record(request: Request, table: str, key: str = "", format: str = "") -> Response:
    played = await _find(request, table, key)
    formats = formats_of(game_of(played.setup.rules).name)
    wanted = format or recorder_of(played.setup.rules).format
    if wanted not in formats:
        raise HTTPException(400, f"no format {wanted!r}: there are {', '.join(formats)}")
    record = played.record()
    (text,) = write_games([record], wanted)
    headers = {"Content-Disposition": f'attachment; filename="{record.source}{formats[wanted].suffixes[0]}"'}
    return Response(text, media_type="application/octet-stream", headers=headers)


async def _history(request: Request) -> OwnHistory:
    return await _manager(request).own_history()


async def _export(request: Request) -> Response:
    manager = _manager(request)
    games = await manager.ask_history(manager.history.export)
    headers = {"Content-Disposition": 'attachment; filename="janshi-history.json"'}
    return Response(json.dumps(games, ensure_ascii=False), media_type="application/json", headers=headers)


async def _erase(request: Request) -> OwnHistory:
    manager = _manager(request)
    await manager.ask_history(manager.history.erase)
    return await _history(request)


async def _review_past(request: Request, game: str) -> ReviewMade:
    return await _manager(request).review_past(game)


async def _drills(request: Request) -> Drills:
    return await _manager(request).drills()


async def _answer_drill(request: Request, drill: Number, answer: DrillAnswer) -> Drills:
    return await _manager(request).answer_drill(drill, answer)


async def _add_drills(request: Request, review: str, wanted: NewDrills) -> Drills:
    return await _manager(request).add_drills(review, wanted)


async def _read_record(request: Request, wanted: NewReview) -> ReviewMade:
    return await _manager(request).reviews.read(wanted)


async def _review_table(request: Request, table: str, key: str = "") -> ReviewMade:
    played = await _find(request, table, key)
    return await _manager(request).reviews.keep_played(played.record(), played.setup.seat or 0)


async def _review(request: Request, review: str, seat: Number | None = None, by: str | None = None) -> Response:
    result = await _manager(request).reviews.review(review, seat, by)
    return Response(await asyncio.to_thread(_REVIEW.dump_json, result), media_type="application/json")


async def _losses(request: Request, review: str, seat: Number | None = None, by: str | None = None) -> Response:
    result = await _manager(request).reviews.measured(review, seat, by)
    return Response(await asyncio.to_thread(_REVIEW.dump_json, result), media_type="application/json")


async def _play_on(request: Request, review: str, wanted: NewPlayouts) -> PlayedOn:
    return await _manager(request).reviews.play_on(review, wanted)


async def _report(request: Request, review: str, seat: Number | None = None, by: str | None = None) -> Response:
    result = await _manager(request).reviews.review(review, seat, by)
    page = await asyncio.to_thread(report_html, result, STATIC)
    headers = {"Content-Disposition": 'attachment; filename="review.html"'}
    return HTMLResponse(page, headers=headers)


async def _connect(socket: WebSocket) -> None:
    manager = _manager(socket)
    adviser = manager.adviser if manager.setup.hints else None
    await Connection(socket, partial(_find, socket), adviser).serve()


async def _page() -> Response:
    page = STATIC / "index.html"
    if not page.is_file():
        return HTMLResponse(_NO_PAGE, 503)
    return _file_response(page, {"Cache-Control": "no-cache"})


async def _file(path: str) -> Response:
    try:
        wanted = (STATIC / path).resolve()
        if wanted.is_relative_to(STATIC.resolve()) and wanted.is_file():
            return _file_response(wanted, {})
    except (OSError, ValueError):  # an invalid path
        pass
    raise HTTPException(404, _NOTHING)


def _file_response(path: Path, headers: dict[str, str]) -> Response:
    """Return a file of the page from memory, as `FileResponse` would block the few threads of the loop.

    Raises `OSError` if it cannot be read.
    """
    changed = path.stat().st_mtime
    kind, _ = mimetypes.guess_type(path.name)
    dated = {"Last-Modified": formatdate(changed, usegmt=True), **headers}
    return Response(_content(path, changed), media_type=kind or "application/octet-stream", headers=dated)


@lru_cache(maxsize=64)
def _content(path: Path, changed: float) -> bytes:
    """Return the content of a file; ``changed``, its modification time, is part of the cache's key."""
    return path.read_bytes()


async def _nothing(path: str) -> Response:
    raise HTTPException(404, _NOTHING)


async def _not_understood(request: Request, error: Exception) -> JSONResponse:
    return _refusal(request, in_words(cast("RequestValidationError", error).errors()), 400)


async def _answered(status: int, request: Request, error: Exception) -> JSONResponse:
    return _refusal(request, str(error), status)


async def _refused(request: Request, error: Exception) -> JSONResponse:
    refused = cast("HTTPException", error)
    return _refusal(request, refused.detail, refused.status_code)


def _refusal(request: Request, reason: str, status: int) -> JSONResponse:
    """Return the answer to a refused request.

    Browsers log every status from 400 on as an error in their console. If the request has the header `_STATUS_HEADER`,
    the answer has status 200, and that header contains the actual status.
    """
    if _STATUS_HEADER in request.headers:
        return JSONResponse({"reason": reason}, headers={_STATUS_HEADER: str(status)})
    return JSONResponse({"reason": reason}, status)
