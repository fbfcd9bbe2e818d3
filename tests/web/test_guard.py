"""Requests that the guard in front of the server accepts or refuses."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from tests.claims import cases_of

pytest.importorskip("fastapi")

from janshi.web.guard import Guard

WEBSOCKET = {"type": "websocket", "path": "/ws"}


async def app(scope: Any, receive: Any, send: Any) -> None:
    """A server behind the guard that answers every request."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": scope["type"].encode()})


def sent(
    headers: dict[str, str] | None = None, token: str | None = None, local: bool = True, **scope: Any
) -> list[dict[str, Any]]:
    """Return the answer to a request, by default ``GET /`` to this machine."""
    messages: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        messages.append(message)

    async def receive() -> dict[str, Any]:
        return {"type": "websocket.connect"}

    named = {"host": "127.0.0.1:8000", **(headers or {})}
    asked = {"type": "http", "method": "GET", "path": "/", "query_string": b"", **scope}
    asked["headers"] = [(name.encode(), value.encode("latin-1")) for name, value in named.items()]
    asyncio.run(Guard(app, token, local)(asked, receive, send))  # type: ignore[arg-type]
    return messages


def status(**request: Any) -> int:
    return int(sent(**request)[0]["status"])


@pytest.mark.parametrize(*cases_of("messages", "a local server answers only under names of this machine"))
def test_a_local_server_answers_only_under_names_of_this_machine(host: str, local: bool, expected: int) -> None:
    assert status(headers={"host": host}, local=local) == expected


@pytest.mark.parametrize(*cases_of("messages", "only pages of this address may send requests"))
def test_only_pages_of_this_address_may_send_requests(origin: str, expected: int) -> None:
    assert status(headers={"origin": origin}) == expected


@pytest.mark.parametrize(*cases_of("messages", "the interface requires the token"))
def test_the_interface_requires_the_token_in_the_address_or_as_a_bearer(
    path: str, query: str, authorization: str, expected: int
) -> None:
    headers = {"authorization": authorization} if authorization else {}
    assert status(headers=headers, token="secret", path=path, query_string=query.encode()) == expected
    assert status(headers=headers, token=None, path=path, query_string=query.encode()) == 200


@pytest.mark.parametrize(*cases_of("messages", "a body has a known and allowed length"))
def test_a_body_must_have_a_known_and_allowed_length(method: str, headers: dict[str, str], expected: int) -> None:
    assert status(method=method, headers=headers) == expected


def test_a_record_to_review_may_be_longer_than_other_requests() -> None:
    for length, expected in ((4 << 20, 200), ((4 << 20) + 1, 413), ("9" * 5000, 413)):
        assert status(method="POST", path="/api/reviews", headers={"content-length": str(length)}) == expected


def test_an_answer_forbids_framing_and_a_refusal_ends_the_connection() -> None:
    names = {name.decode() for name, _ in sent()[0]["headers"]}
    assert {"content-security-policy", "x-content-type-options"} <= names
    refusal, body = sent(headers={"host": "example.org"})
    assert (b"connection", b"Close") in refusal["headers"] or (b"connection", b"close") in refusal["headers"]
    assert "the host must be 127.0.0.1" in json.loads(body["body"])["reason"]


def test_a_refused_socket_receives_the_reason_and_whether_its_token_is_the_cause() -> None:
    for request, cause in (({"token": "secret"}, "token"), ({"headers": {"host": "example.org"}}, None)):
        accepted, told, closed = sent(**request, **WEBSOCKET)
        assert accepted["type"] == "websocket.accept"
        message = json.loads(told["text"])
        assert (message["type"], message["fatal"], message["cause"]) == ("refused", True, cause)
        assert (closed["type"], closed["code"]) == ("websocket.close", 1008)
    assert sent(**WEBSOCKET)[1]["body"] == b"websocket"


def test_start_and_end_of_the_server_pass_the_guard() -> None:
    assert sent(headers={"host": "example.org"}, type="lifespan")[1]["body"] == b"lifespan"
