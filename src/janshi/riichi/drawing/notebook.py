"""A recorded game as self-contained HTML that steps through its positions, all hands open.

A position is a list of indices into the elements of all pictures, assembled by a script. Without scripts the first
position is visible.
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

from janshi.compiling import Batch, row, zeros
from janshi.core.game import StepResult
from janshi.drawing.picture import document
from janshi.riichi.actions import action_text
from janshi.riichi.drawing.snapshot import TableSnapshot, round_text, snapshot_of_table
from janshi.riichi.drawing.table import body_of, heading
from janshi.riichi.game import RIICHI
from janshi.riichi.records.model import Drawn, RecordedHand, RiichiGame
from janshi.riichi.records.replay import ReplayedGame, Replayer, Script
from janshi.riichi.rules import Rules
from janshi.riichi.state import State

_TILE: Final = re.compile(r'"#tile-(\w+)"')


def steps_html(game: RiichiGame, *, hand: int | None = None, seat: int = 0, numerals: bool = False) -> str:
    """Return HTML that steps through a game, or through one of its hands (from 1), ``seat`` below.

    Hands that contradict the rules are left out with a note. Raises `ValueError` for a missing hand or seat.
    """
    if hand is not None and not 1 <= hand <= len(game.hands):
        raise ValueError(f"{game.source} has hands 1 to {len(game.hands)}, there is no hand {hand}")
    if not 0 <= seat < game.players:
        raise ValueError(f"there is no seat {seat} in a game of {game.players}")
    replayed = Replayer().replay(game, scripts=True)
    scripts = [script for script in replayed.scripts if hand is None or script.number == hand - 1]
    notes = _left_out(replayed, None if hand is None else game.number_of(hand - 1))
    if not scripts:
        return f"<p>{escape('; '.join(notes) or f'{game.source} has no hands')}</p>"
    return _page(game, scripts, seat, numerals, notes)


def _left_out(replayed: ReplayedGame, hand: int | None) -> list[str]:
    """Return the mismatches of a hand by its number in the record, or of all."""
    return [f"left out: {mismatch}" for mismatch in replayed.mismatches if hand is None or mismatch.hand == hand]


class _Elements:
    """Distinct elements of all pictures."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def of(self, body: str) -> list[int]:
        """Return a picture as the indices of its elements."""
        return [self.numbers.setdefault(element, len(self.numbers)) for element in re.findall(r"<[^>]+>", body)]


def _page(game: RiichiGame, scripts: list[Script], seat: int, numerals: bool, notes: list[str]) -> str:
    elements = _Elements()
    hands: list[dict[str, Any]] = []
    first: tuple[str, str] | None = None
    for script in scripts:
        frames: list[list[int]] = []
        captions: list[str] = []
        for snapshot, caption in _positions(game.rules, script, game.hands[script.number], seat):
            body, title = body_of(snapshot, numerals=numerals), heading(snapshot)
            first = first or (title, body)
            frames.append(elements.of(body))
            captions.append(f"{title} · {caption}")
        name = f"{round_text(script.kyoku)}, {script.honba} honba"
        hands.append({"name": name, "frames": _changes(frames), "captions": captions})
    assert first is not None  # every hand has at least one position, its end
    tiles = {match[1] for element in elements.numbers if (match := _TILE.search(element))}
    data = json.dumps({"elements": list(elements.numbers), "hands": hands}, separators=(",", ":")).replace("</", "<\\/")
    page = files("janshi.riichi.drawing").joinpath("steps.html").read_text(encoding="utf-8")
    parts = {
        "TITLE": escape(game.source),
        "NOTES": "".join(f"<p>{escape(note)}</p>" for note in notes),
        "TABLE": document(*first, numerals=numerals, tiles=tiles),
        "DATA": data,
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], page)


def _changes(frames: list[list[int]]) -> list[list[Any]]:
    """Return each frame as the numbers of leading and trailing elements shared with the previous one, and the rest."""
    changes: list[list[Any]] = []
    last: list[int] = []
    for frame in frames:
        shorter = min(len(last), len(frame))
        start = next((index for index in range(shorter) if last[index] != frame[index]), shorter)
        rest = shorter - start
        end = next((index for index in range(rest) if last[-1 - index] != frame[-1 - index]), rest)
        changes.append([start, end, frame[start : len(frame) - end]])
        last = frame
    return changes


def _positions(rules: Rules, script: Script, hand: RecordedHand, below: int) -> Iterator[tuple[TableSnapshot, str]]:
    """Yield each position of a hand with the preceding action, up to its end."""
    states: Batch[State] = script.begin(rules)
    table = cast("NDArray[Any]", states)
    results = zeros(StepResult, 1)
    caption = "the deal"
    for action in script.actions.tolist():
        yield snapshot_of_table(row(states), below), caption
        caption = f"seat {int(table['actor'][0])}: {action_text(action)}"
        RIICHI.step(states, np.array([action], np.int16), False, results)
    yield snapshot_of_table(row(states), below), f"{caption}; {_outcome(hand)}"


def _outcome(hand: RecordedHand) -> str:
    """Return the outcome of a hand in words."""
    if isinstance(hand.outcome, Drawn):
        return hand.outcome.reason.name.lower().replace("_", " ")
    wins = []
    for win in hand.outcome:
        how = "by self-draw" if win.who == win.from_who else f"from seat {win.from_who}"
        wins.append(f"seat {win.who} wins {win.points:,} points {how}")
    return "; ".join(wins)
