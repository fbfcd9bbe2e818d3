"""Real client sessions: sent and received messages, one ``Send:`` or ``Get:`` in each line."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from janshi.tenhou.protocol import Element, parse_xml


@dataclass(frozen=True, slots=True)
class Session:
    name: str
    lines: list[tuple[bool, Element]]
    """Whether the client sent it, and the message."""

    @property
    def received(self) -> list[Element]:
        return [sent for from_client, sent in self.lines if not from_client]


def read_sessions(folder: Path, every: int = 1, first: int = 0, end: int | None = None) -> Iterator[Session]:
    """Return some or all sessions in the order of their names."""
    with zipfile.ZipFile(folder / "tenhou-sessions.zip") as archive:
        for name in sorted(archive.namelist())[first:end:every]:
            lines = []
            for line in archive.read(name).decode().splitlines():
                direction, _, text = line.partition(": ")
                lines += [(direction == "Send", sent) for sent in parse_xml(text)]
            yield Session(name, lines)
