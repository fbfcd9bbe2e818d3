"""Which line each answer of a bot belongs to.

A bot reads line after line. Some bots answer every line, most only when they can act, and those decide by their own
reckoning whether they can: they also answer a draw after riichi, whose discard is forced, or a discard that they may
not claim. Their answers carry no number. `BotAnswers` therefore keeps the lines that were sent and finds the owner of
each answer by two facts: answers come in the order of the lines, and an answer names its tile and seat (`Chance`).

An answer that fits the pending decision alone belongs to it. One that fits an earlier line alone is dropped. One that
fits both is held: if another answer follows, it belonged to the earlier line, since a bot's answer to the decision is
its last; if none follows within the time limit, it was the answer to the decision. The kinds of lines that a bot always
or never answers are remembered, so that few answers are held.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.mjai.events import KITA_NAMES, MjaiError, tile_named
from janshi.mjai.moves import PASSES, read_action
from janshi.mjai.table import KnownTable
from janshi.tiles import NORTH, kind_of

_CALLS: Final = ("chi", "pon", "daiminkan")
#: Events after which the seat that they name is to discard.
_OWN_TURN: Final = ("tsumo", "reach", "chi", "pon")
#: Events whose tile others may claim.
_CLAIMED: Final = ("dahai", "kakan", "ankan", *KITA_NAMES)
_EVERY_KIND: Final = frozenset(range(34))


@dataclass(frozen=True, slots=True)
class Chance:
    """What a bot may do by its own reckoning about an event that it is not asked about."""

    target: int
    """Seat of the tile."""
    tile: int
    """Kind of the tile drawn, discarded or set aside (0–33); −1 for none."""
    discards: frozenset[int] = frozenset()
    """Kinds that the bot may discard; empty for a tile of another seat."""
    calls: bool = False
    wins: bool = False

    def fits(self, answer: dict[str, Any]) -> bool:
        """Return whether an answer can be about this event."""
        kind = answer.get("type")
        if kind in PASSES:
            return not self.discards and (self.calls or self.wins)
        try:
            if kind in ("dahai", "kakan"):
                return kind_of(tile_named(answer.get("pai"))) in self.discards
            if kind == "ankan":
                own = answer.get("consumed")
                return isinstance(own, list) and bool(own) and kind_of(tile_named(own[0])) in self.discards
            if kind in KITA_NAMES:
                return NORTH in self.discards
            named = answer.get("pai")
            same = answer.get("target") in (None, self.target)
            same &= named is None or kind_of(tile_named(named)) == self.tile
        except MjaiError:
            return False
        return same and ((kind == "hora" and self.wins) or (kind in _CALLS and self.calls))


def chance(table: KnownTable, event: dict[str, Any]) -> Chance | None:
    """Return what the seat of a table may do about an event that it has followed; None for nothing.

    A chance is wider than the rules: a pair is enough for a pon, the shape of a win is enough for a win. If the table
    cannot be followed, every tile of others may be claimed.
    """
    kind, actor = event["type"], int(event.get("actor", -1))
    own = actor == table.seat
    if kind not in (_OWN_TURN if own else _CLAIMED):
        return None
    named = event["consumed"][0] if kind == "ankan" else event.get("pai")
    tile = -1 if named is None else kind_of(tile_named(named))
    if not table.playing:
        return Chance(actor, tile, _EVERY_KIND if own else frozenset(), calls=not own, wins=True)
    counts, waits, is_bound, is_last = table.own_hand()
    wins = tile >= 0 and bool(waits >> tile & 1)
    if own:
        drawn_alone = is_bound and kind == "tsumo"
        return Chance(actor, tile, frozenset({tile} if drawn_alone else np.flatnonzero(counts).tolist()), wins=wins)
    may_call = kind == "dahai" and not is_bound and not is_last
    follows = bool(table.rules.chii) and (actor + 1) % table.rules.players == table.seat
    calls = may_call and (bool(counts[tile] >= 2) or (follows and _forms_a_run(counts, tile)))
    return Chance(actor, tile, calls=calls, wins=wins) if calls or wins else None


def _forms_a_run(counts: NDArray[np.int8], tile: int) -> bool:
    """Return whether a hand holds two tiles that form a run with a tile, by kinds (34)."""
    if tile >= 27:
        return False
    pairs = ((tile - 2, tile - 1), (tile - 1, tile + 1), (tile + 1, tile + 2))
    return any(low // 9 == high // 9 == tile // 9 and counts[low] and counts[high] for low, high in pairs)


class Owner(Enum):
    """Which line an answer belongs to."""

    DECISION = "decision"
    """The pending decision."""
    EARLIER = "earlier"
    """A line before it, or none is pending."""
    OPEN = "open"
    """The decision or an earlier line: see the module."""
    NONE = "none"
    """No line."""


@dataclass(slots=True)
class SentLine:
    """A line that was sent to a bot."""

    number: int
    """Number among the lines of the game, from 1."""
    kind: str
    """Kind of the line, by which a bot may answer it always or never."""
    chance: Chance | None = None
    asked: tuple[Any, NDArray[np.bool_]] | None = None
    """View and legal actions (122, bool) of the decision that the line asks for; None for no decision."""

    def action(self, answer: dict[str, Any]) -> int | None:
        """Return the legal action of an answer to the line's decision, or None."""
        if self.asked is None:
            return None
        try:
            return read_action(answer, *self.asked)
        except MjaiError:
            return None


class BotAnswers:
    """The lines sent to a bot, and the owners of its answers: see the module.

    ``habits``: kinds of lines without a decision that the bot always (True) or never (False) answers; shared by the
    processes of a bot and extended here.
    """

    def __init__(self, habits: dict[str, bool]) -> None:
        self.habits = habits
        self._lines: deque[SentLine] = deque()
        self._passed: list[SentLine] = []  # lines before the decision that can get no further answer
        self._dropped = 0  # answers since the last decision that belonged to other lines
        self._held: tuple[int, SentLine] | None = None
        self._open: SentLine | None = None

    @property
    def open(self) -> SentLine | None:
        """The line of the pending decision, or None."""
        return self._open

    @property
    def held(self) -> SentLine | None:
        """The earlier line that may own the answer that is held, or None."""
        return None if self._held is None else self._held[1]

    @property
    def is_alone(self) -> bool:
        """True if no line but that of the pending decision may get an answer."""
        return len(self._lines) == 1 and self._open is not None

    def sent(self, line: SentLine) -> None:
        """Note a line; one with a decision is the pending decision from now on."""
        self._held = None
        self._lines.append(line)
        self._open = None if line.asked is None else line

    def take(self, answer: dict[str, Any]) -> tuple[Owner, SentLine | None, int | None]:
        """Return the owner of an answer, its line if it is known, and the action if it is that of the decision."""
        if self._held is not None:
            self._pass_to(self._held[1])
        action = None if self._open is None else self._open.action(answer)
        owners = self._earlier(answer)
        if not owners and action is None and answer.get("type") in PASSES and self._forget():
            owners = self._earlier(answer)
        if not owners:
            return (Owner.NONE, None, None) if action is None else (Owner.DECISION, self._settle(), action)
        if action is not None and self._may_be_skipped(owners[0], answer):
            self._held = action, owners[0]
            return Owner.OPEN, None, None
        self._pass_to(owners[0])
        return Owner.EARLIER, owners[0], None

    def expire(self) -> int | None:
        """Return the action of a held answer at the end of the time limit; None if the decision has no answer."""
        if self._held is None:
            return None
        action = self._held[0]
        self._settle()
        return action

    def give_up(self, answered: bool = False) -> None:
        """Wait for the decision no longer.

        Its answer may still come and is dropped then; ``answered``: an illegal answer has come, which was the
        decision's if no other line can own it.
        """
        if answered and len(self._lines) == 1:
            self._lines.clear()
        self._held = self._open = None
        self._forget()

    def _earlier(self, answer: dict[str, Any]) -> list[SentLine]:
        """Return the lines without a pending decision that an answer may belong to."""
        return [line for line in self._lines if line is not self._open and self._fits(line, answer)]

    def _fits(self, line: SentLine, answer: dict[str, Any]) -> bool:
        """Return whether an answer may belong to a line that is not the pending decision."""
        if line.asked is not None:
            return line.action(answer) is not None
        if line.chance is not None and line.chance.fits(answer):
            return True
        return answer.get("type") in PASSES and self.habits.get(line.kind, True)

    def _may_be_skipped(self, line: SentLine, answer: dict[str, Any]) -> bool:
        """Return whether the bot may have left a line without an answer."""
        return not (answer.get("type") in PASSES and self.habits.get(line.kind, False))

    def _pass_to(self, line: SentLine) -> None:
        """Drop an answer that belongs to a line: it and those before it get no further answer."""
        self._held = None
        self._dropped += 1
        while True:
            self._passed.append(self._lines.popleft())
            if self._passed[-1] is line:
                return

    def _settle(self) -> SentLine:
        """Close the pending decision: its answer has come, so that no line before it gets one."""
        decision = self._lines.pop()
        self._learn([*self._passed, *self._lines])
        self._lines.clear()
        self._passed.clear()
        self._dropped = 0
        self._held = self._open = None
        return decision

    def _learn(self, lines: list[SentLine]) -> None:
        """Learn from the lines between two answered decisions which kinds the bot always or never answers.

        Only two cases are certain: nothing but the known kinds was answered, or every line was.
        """
        always = sum(self.habits.get(line.kind, False) for line in lines)
        new = {line.kind for line in lines if line.asked is None and line.chance is None} - self.habits.keys()
        if self._dropped == always:
            self.habits.update(dict.fromkeys(new, False))
        elif self._dropped == len(lines):
            self.habits.update(dict.fromkeys(new, True))

    def _forget(self) -> bool:
        """Forget the bot's habits, of which one was wrong; return whether there were any."""
        known = bool(self.habits)
        self.habits.clear()
        return known
