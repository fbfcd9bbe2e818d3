"""A record in a notebook: one piece of HTML that steps through its positions, all hands open.

It needs nothing beside itself. Each position is a list of numbers into one list of the elements that make up the
pictures, since from one position to the next few of them change; a few lines of script put them together. Where a
notebook runs no scripts, the first position is seen.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import escape
from importlib.resources import files
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Batch, row
from janshi.drawing.seen import Seen, seen_open
from janshi.drawing.table import body_of, document, heading
from janshi.engine.play import step_tables
from janshi.engine.state import State
from janshi.engine.tables import lookup
from janshi.records.model import Drawn, Game, Hand
from janshi.records.replay import Replayed, Replayer, Script
from janshi.rules import Rules
from janshi.table import action_text

_WINDS: Final = ("East", "South", "West", "North")
_TILE: Final = re.compile(r'"#tile-(\w+)"')


def steps_html(game: Game, *, hand: int | None = None, seat: int = 0, numerals: bool = False) -> str:
    """Return HTML that steps through a game, or through one of its hands (from 1), ``seat`` below.

    A hand that contradicts the rules is left out, and the page says so. Raises `ValueError` where there is no such
    hand or seat.
    """
    if hand is not None and not 1 <= hand <= len(game.hands):
        raise ValueError(f"{game.source} has hands 1 to {len(game.hands)}, there is no hand {hand}")
    if not 0 <= seat < game.players:
        raise ValueError(f"there is no seat {seat} in a game of {game.players}")
    done = Replayer().replay(game, scripts=True)
    wanted = [one for one in done.scripts if hand is None or one.number == hand - 1]
    notes = _left_out(done, hand)
    if not wanted:
        return f"<p>{escape('; '.join(notes) or f'{game.source} has no hands')}</p>"
    return _page(game, wanted, seat, numerals, notes)


def _left_out(done: Replayed, hand: int | None) -> list[str]:
    return [f"left out: {one}" for one in done.mismatches if hand is None or one.hand == hand]


class _Elements:
    """The elements that pictures are made of, each kept once."""

    def __init__(self) -> None:
        self.all: dict[str, int] = {}

    def of(self, body: str) -> list[int]:
        return [self.all.setdefault(one, len(self.all)) for one in re.findall(r"<[^>]+>", body)]


def _page(game: Game, scripts: list[Script], seat: int, numerals: bool, notes: list[str]) -> str:
    elements = _Elements()
    hands: list[dict[str, Any]] = []
    first: tuple[str, Seen] | None = None
    for script in scripts:
        frames: list[list[int]] = []
        captions: list[str] = []
        for seen, said in _positions(game.rules, script, game.hands[script.number], seat):
            body = body_of(seen, numerals=numerals)
            first = first or (body, seen)
            frames.append(elements.of(body))
            captions.append(f"{heading(seen)} · {said}")
        name = f"{_WINDS[script.kyoku // 4 % 4]} {script.kyoku % 4 + 1}, {script.honba} honba"
        hands.append({"name": name, "frames": _changes(frames), "captions": captions})
    assert first is not None  # a hand has a position at least: its end
    tiles = {found[1] for one in elements.all if (found := _TILE.search(one))}
    data = json.dumps({"elements": list(elements.all), "hands": hands}, separators=(",", ":")).replace("</", "<\\/")
    page = files("janshi.drawing").joinpath("steps.html").read_text(encoding="utf-8")
    parts = {
        "TITLE": escape(game.source),
        "NOTES": "".join(f"<p>{escape(note)}</p>" for note in notes),
        "TABLE": document(heading(first[1]), first[0], numerals=numerals, tiles=tiles),
        "DATA": data,
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], page)


def _changes(frames: list[list[int]]) -> list[list[Any]]:
    """Return each frame as how many elements it shares with the one before at the beginning and at the end, and the
    elements between.
    """
    found: list[list[Any]] = []
    last: list[int] = []
    for frame in frames:
        shorter = min(len(last), len(frame))
        start = next((at for at in range(shorter) if last[at] != frame[at]), shorter)
        rest = shorter - start
        end = next((at for at in range(rest) if last[-1 - at] != frame[-1 - at]), rest)
        found.append([start, end, frame[start : len(frame) - end]])
        last = frame
    return found


def _positions(rules: Rules, script: Script, hand: Hand, below: int) -> Iterator[tuple[Seen, str]]:
    """Yield each position of a hand and what led to it, its end the last."""
    states: Batch[State] = script.begin(rules)
    table = cast("NDArray[Any]", states)
    ended, change, points = np.zeros(1, np.int8), np.zeros((1, 4), np.int32), np.zeros((1, 4), np.int32)
    said = "the deal"
    for action in script.actions.tolist():
        yield seen_open(row(states), below), said
        said = f"seat {int(table['actor'][0])}: {action_text(action)}"
        step_tables(states, lookup(), np.array([action], np.int16), 0, 1, False, ended, change, points)
    yield seen_open(row(states), below), f"{said}; {_outcome(hand)}"


def _outcome(hand: Hand) -> str:
    """Say how a hand ended."""
    if isinstance(hand.outcome, Drawn):
        return hand.outcome.reason.name.lower().replace("_", " ")
    wins = []
    for win in hand.outcome:
        how = "by self-draw" if win.who == win.from_who else f"from seat {win.from_who}"
        wins.append(f"seat {win.who} wins {win.points:,} points {how}")
    return "; ".join(wins)
