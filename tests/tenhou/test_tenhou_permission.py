"""The client connects to other machines only with permission, and gives the reason."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

import janshi.tenhou
from janshi.cli import app
from janshi.tenhou.client import AddressError, check_address
from janshi.tenhou.protocol import Dialect


@pytest.mark.parametrize("url", ["tcp://127.0.0.1:1", "ws://localhost:1/", "ws://[::1]:2", "tcp://127.9.9.9:3"])
def test_this_machine_needs_no_permission(url: str) -> None:
    assert check_address(url, False) in Dialect


@pytest.mark.parametrize(
    "url", ["tcp://192.0.2.1:10080", "wss://example.org/", "ws://127.0.0.1.example.org:1", "tcp://0.0.0.0:1",
    "ws://2130706433.example/"]
)
def test_another_machine_needs_permission_and_the_reason_is_given(url: str) -> None:
    with pytest.raises(AddressError, match="prior permission"):
        check_address(url, False)
    assert check_address(url, True) in Dialect


@pytest.mark.parametrize("url", ["", "127.0.0.1:1", "http://127.0.0.1", "tcp://", "tcp://127.0.0.1:99999"])
def test_invalid_addresses_are_named(url: str) -> None:
    with pytest.raises(AddressError, match="address"):
        check_address(url, True)


def test_no_real_host_is_named_and_no_login_challenge_answered() -> None:
    for path in Path(janshi.tenhou.__path__[0]).glob("*.py"):
        text = path.read_text().replace("127.0.0.1", "")
        assert re.findall(r"tenhou\.net|mjv\.jp|\d+\.\d+\.\d+\.\d+", text) == [], path
    assert '"AUTH"' not in (Path(janshi.tenhou.__path__[0]) / "client.py").read_text()


def test_a_client_without_a_queue_says_at_once_what_it_waits_for(monkeypatch: pytest.MonkeyPatch) -> None:
    async def nothing(_: object) -> list[object]:
        return []

    monkeypatch.setattr("janshi.tenhou.client.TenhouClient.play", nothing)
    words = ["tenhou", "--agent", "random", "--url", "tcp://192.0.2.1:10080", "--with-permission", "--name", "mine"]
    waiting = CliRunner().invoke(app, words)
    assert waiting.exit_code == 0
    assert "waits at 192.0.2.1 for a game that the server starts for 'mine'" in waiting.stderr
    assert "--join" in waiting.stderr
    assert CliRunner().invoke(app, [*words, "--join", "0,9"]).stderr == ""
