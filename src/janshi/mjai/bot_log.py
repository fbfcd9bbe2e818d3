"""What passed between Janshi and a bot in one game, as a text file.

Each line begins with the seconds since the first one and a mark: ``>`` and a number for a line sent, ``<`` for a line
of the bot, ``!`` for its stderr, ``#`` for a note: which line an answer belongs to, the action taken, or a fault.
"""

from __future__ import annotations

import re
import time
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Final

#: Characters of stderr kept in a game.
_MOST_ERRORS: Final = 1 << 20
#: Characters of a game's name in the name of its file.
_LONGEST_NAME: Final = 120


class BotLog:
    """The log of one game of a bot.

    Args:
        folder: its folder, created if necessary.
        game: name of the game; the file's name is made from it and the seat, and numbered if there is one.
        seat: seat of the bot.

    Raises `OSError` if the file cannot be written.
    """

    def __init__(self, folder: str | Path, game: str, seat: int) -> None:
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        name = f"{re.sub(r'[^-.A-Za-z0-9_]', '_', game)[-_LONGEST_NAME:]}-seat{seat}"
        for number in count(1):  # several matches, or several runs, may have games of one name
            self.path = folder / (f"{name}.txt" if number == 1 else f"{name}-{number}.txt")
            with suppress(FileExistsError):
                self._file = self.path.open("x", encoding="utf-8", errors="replace")
                break
        self._begun = time.monotonic()
        self._sent = 0
        self._errors = 0

    def write(self, mark: str, text: str) -> None:
        """Write a text under a mark: see `janshi.mjai.link.Watcher`."""
        if mark == "!":
            if self._errors > _MOST_ERRORS:
                return
            self._errors += len(text)
            text = text if self._errors <= _MOST_ERRORS else "(no more of stderr is kept)"
        if mark == ">":
            self._sent += 1
            mark = f"> {self._sent}"
        seconds = f"{time.monotonic() - self._begun:9.3f}"
        self._file.writelines(f"{seconds} {mark} {line}\n" for line in text.splitlines())
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()
