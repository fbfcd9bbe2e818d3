"""Access control: every request is checked before its body is read.

* A local server accepts only its own host names, which prevents DNS rebinding.
* A request with an ``Origin`` header must come from this server's page.
* A server that other machines can reach requires a token for all requests but the page's files.
* The length of a request is limited by its path.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qs, urlsplit

from janshi.installing import naming_extra
from janshi.web.messages import Cause, Refused

with naming_extra(__name__):
    from starlette.datastructures import Headers, MutableHeaders
    from starlette.responses import JSONResponse
    from starlette.types import ASGIApp, Message, Receive, Scope, Send
    from starlette.websockets import WebSocket

#: Host names of this machine.
LOCAL: Final = {"127.0.0.1", "localhost", "::1"}
#: Maximum size of a request's body in bytes, by path, and for all others.
_LONGEST: Final = {"/api/reviews": 4 << 20}
_LONG: Final = 16 << 10
_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'self' 'unsafe-inline' data: blob:; connect-src 'self'; object-src 'none'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}


@dataclass(frozen=True, slots=True)
class RefusalError(Exception):
    """The reason for refusing a request."""

    status: int
    reason: str


class Guard:
    """ASGI middleware: see the module.

    ``token`` is required for requests to ``/api`` and for WebSockets (None: no token). ``local`` is True if the server
    listens on this machine only.
    """

    def __init__(self, app: ASGIApp, token: str | None, local: bool) -> None:
        self.app = app
        self.token = token
        self.local = local

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request, or refuse it."""
        if scope["type"] == "lifespan":
            return await self.app(scope, receive, send)
        try:
            self._check(scope)
        except RefusalError as no:
            refuse = _refuse_socket if scope["type"] == "websocket" else _refuse_request
            return await refuse(no, scope, receive, send)
        return await self.app(scope, receive, send if scope["type"] == "websocket" else _with_headers(send))

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if self.local and _name(host) not in LOCAL:
            raise RefusalError(403, f"the host must be 127.0.0.1 or localhost, not {host[:100]!r}")
        origin = headers.get("origin")
        if origin is not None and _netloc(origin) != host.lower():
            raise RefusalError(403, f"requests from other sites are refused: {origin[:100]!r}")
        if scope["type"] == "websocket" or scope["path"].startswith("/api/"):
            self._check_token(scope, headers)
        if scope["type"] == "http":
            _check_body(scope["method"], scope["path"], headers)

    def _check_token(self, scope: Scope, headers: Headers) -> None:
        if self.token is None:
            return
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        kind, _, value = headers.get("authorization", "").partition(" ")
        given = value.strip() if kind.lower() == "bearer" else given
        if not secrets.compare_digest(given.encode(), self.token.encode()):
            raise RefusalError(
                401, "the token is missing or wrong: open the full address that was printed at the start"
            )


def _name(host: str) -> str:
    """Return the host name in a Host header, without the port."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _netloc(origin: str) -> str:
    """Return host and port of an Origin header; empty for an invalid address."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def _check_body(method: str, path: str, headers: Headers) -> None:
    """Raise `RefusalError` for a body of unknown or excessive length."""
    given = headers.get("content-length")
    if "transfer-encoding" in headers or (given is None and method not in ("GET", "HEAD")):
        # A transfer encoding overrides the length.
        raise RefusalError(411, "the request must have a Content-Length header")
    most = 0 if method in ("GET", "HEAD") else _LONGEST.get(path, _LONG)
    digits = (given or "0").lstrip("0")
    if not (digits.isascii() and (digits.isdigit() or not digits)):
        raise RefusalError(411, "the request must have a Content-Length header")
    if len(digits) > 12 or int(digits or "0") > most:
        raise RefusalError(413, f"a request of {digits[:12]} bytes exceeds the limit of {most}")


async def _refuse_request(no: RefusalError, scope: Scope, receive: Receive, send: Send) -> None:
    await JSONResponse({"reason": no.reason}, no.status, {"Connection": "close"})(scope, receive, send)


async def _refuse_socket(no: RefusalError, scope: Scope, receive: Receive, send: Send) -> None:
    socket = WebSocket(scope, receive, send)
    cause: Cause | None = "token" if no.status == 401 else None
    await socket.accept()
    await socket.send_text(Refused(type="refused", reason=no.reason, fatal=True, cause=cause).model_dump_json())
    await socket.close(1008)


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(_HEADERS)
        await send(message)

    return sending
