"""Resuming a hand: search for messages that lead to the table shown by ``REINIT``.

``REINIT`` shows rivers, sets and the own hand, but not their order. The search finds courses of play that end at this
table: seats in turn order, with calls as in the callers' sets. If possible, a course begins with the messages received
before the connection was lost. Tsumogiri of later discards is not shown; outside riichi no decision depends on it.
"""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, takewhile
from typing import Final

from janshi.riichi.records.mjlog import decode_meld, encode_meld
from janshi.riichi.records.model import RecordedMeld
from janshi.riichi.state import Event
from janshi.tenhou.protocol import DISCARD_SEATS, DISCARDS, DRAWN_DISCARDS, DRAWS, Element, ProtocolError, message

_RING: Final = 4
_RIICHI_MARK: Final = 255
#: Maximum number of search steps, as an impossible table has no course of play.
_MOST_STEPS: Final = 20_000
#: Sets of the own hand, after which the seat draws again.
_CLOSED: Final = (Event.ANKAN, Event.KITA)


class _Shown:
    """The visible tiles of one seat.

    ``riichi_at`` is the index in the river of the discard that declared riichi, even if it was called; −1 for none.
    ``melds`` are in order, an added kan as its pon; ``added`` contains the added kans.
    """

    def __init__(self, sent: Element, seat: int) -> None:
        river = sent.numbers(f"kawa{seat}")
        self.riichi_at = river.index(_RIICHI_MARK) if _RIICHI_MARK in river else -1
        self.river = [tile for tile in river if tile != _RIICHI_MARK]
        if any(not 0 <= tile < 136 for tile in self.river):
            raise ProtocolError(f"<REINIT> with river {river}: tiles are 0 to 135")
        melds = [decode_meld(code) for code in reversed(sent.numbers(f"m{seat}"))]
        self.added = [meld for meld in melds if meld.event == Event.KAKAN]
        self.melds = [_pon_of(meld) if meld.event == Event.KAKAN else meld for meld in melds]


def _pon_of(kan: RecordedMeld) -> RecordedMeld:
    """Return the pon of an added kan."""
    return RecordedMeld(Event.PON, tuple(tile for tile in kan.tiles if tile != kan.added), kan.called, kan.discarder)


def _nothing() -> list[int]:
    return [0] * _RING


@dataclass(slots=True)
class _Course:
    """Progress of a course of play, with counts by seat."""

    turn: int
    discarded: list[int] = field(default_factory=_nothing)
    laid: list[int] = field(default_factory=_nothing)
    added: list[int] = field(default_factory=_nothing)
    declared: list[int] = field(default_factory=_nothing)
    """Declarations of riichi."""
    draws: bool = True
    """True if the seat draws before its discard, which it does not after a call."""
    events: list[Element] = field(default_factory=list)
    keys: list[tuple[object, ...]] = field(default_factory=list)
    """Keys of the events that have one: see `_key`."""

    def after(self, events: Sequence[Element], **changes: int | None) -> _Course:
        """Return the course with more events.

        ``turn`` and ``draws`` are set; other names are counts, of which the given seat's increases by one (None: none).
        """
        course = _Course(self.turn, [*self.discarded], [*self.laid], [*self.added], [*self.declared], self.draws)
        course.events = [*self.events, *events]
        course.keys = [*self.keys, *_keys(events)]
        for name, value in changes.items():
            if name in ("turn", "draws"):
                setattr(course, name, value)
            elif value is not None:
                getattr(course, name)[value] += 1
        return course


@dataclass(frozen=True, slots=True)
class CourseOfPlay:
    """A course of play that leads to the shown table: the own dealt tiles, and all later events."""

    dealt: list[int]
    events: list[Element]
    draws: bool
    """True if the next seat draws before its discard, which it does not after a call."""


def courses(
    sent: Element, seats: list[int], dealt: frozenset[int] | None = None, heard: Sequence[Element] = ()
) -> Iterator[CourseOfPlay]:
    """Yield the courses of play that lead to the table shown by ``REINIT``, the likeliest first.

    ``seats`` contains the active seats in order, counted from the receiver. Courses that begin with the known deal
    (``dealt``, the own tiles) and the messages already ``heard`` in this hand come first. Raises `ProtocolError` for an
    invalid message.
    """
    shown = [_Shown(sent, seat) for seat in range(_RING)]
    dealer = sent.number("oya")
    if dealer not in seats:
        raise ProtocolError("<REINIT> with an empty dealer's seat")
    known = [event for event in heard if _key(event) or event.tag == "DORA"]
    for begun, events in [(None, [])] if dealt is None else [(dealt, known), (None, [])]:
        for course in _Search(shown, seats, sent, _keys(events)).go(_Course(dealer)):
            resumed = _resumed(course, sent.tiles("hai"), begun, events)
            if resumed is not None:
                yield resumed


def _resumed(
    course: _Course, hand: list[int], dealt: frozenset[int] | None, known: list[Element]
) -> CourseOfPlay | None:
    """Return a course with the messages already heard, and a tile for each own draw: the one that leaves next.

    ``dealt`` contains the own dealt tiles, None if unknown. Returns None if the course does not lead to the own hand.
    """
    # With a complete hand, the own seat has just drawn.
    drawn = len(hand) % 3 == 2 and course.draws
    events = _as_heard([*course.events, *([message(DRAWS[0])] if drawn else [])], known)
    # The last drawn tile is not shown.
    step = -1 if dealt is None else 1
    gone, left = [_own_tiles(event)[::step] for event in events], sorted(hand) if dealt else hand[::-1]
    every = [*hand, *chain(*gone)]
    draws = [event.tile for event in events if event.letter == DRAWS[0]]
    unheard = set(every) - (dealt or frozenset()) - set(draws)
    filled: list[Element] = []
    for index, event in enumerate(events):
        if event.tag == DRAWS[0]:
            own = next((tile for tile in chain(*gone[index:], left) if tile in unheard), -1)
            unheard.discard(own)
            draws.append(own)
            event = message(f"{DRAWS[0]}{own}")
        filled.append(event)
    begun = set(every) - set(draws)
    if len(begun) != 13 or len(every) != 13 + len(draws) or (dealt is not None and begun != dealt):
        return None
    return CourseOfPlay(sorted(begun), filled, course.draws and not drawn)


def _key(event: Element) -> tuple[object, ...]:
    """Return the key for comparing draws, discards, sets and riichi; empty for other messages.

    Keys omit the tiles of others' draws and tsumogiri, which ``REINIT`` does not show.
    """
    if event.tag == "N":
        meld = decode_meld(event.number("m"))
        return event.number("who"), meld.event, frozenset(meld.tiles)
    if event.tag == "REACH":
        return ("REACH", event.number("who")) if event.number("step") == 1 else ()
    letter = event.tag if event.tag == DRAWS[0] else event.letter
    if not letter:
        return ()
    return (DRAWS.index(letter),) if letter in DRAWS else (DISCARD_SEATS[letter], event.tile)


def _keys(events: Sequence[Element]) -> list[tuple[object, ...]]:
    return [key for event in events if (key := _key(event))]


def _as_heard(course: list[Element], known: list[Element]) -> list[Element]:
    """Return a course with the messages already heard in place of its own.

    They show own draws, tsumogiri, and the time of new dora indicators.
    """
    turned = sum(event.tag == "DORA" for event in known)
    unheard: list[Element] = []  # indicators turned after the heard messages
    rest = deque(known)
    events: list[Element] = []
    for event in course:
        if event.tag == "DORA":
            if turned:
                turned -= 1
            else:
                unheard.append(event)
            continue
        while rest and rest[0].tag == "DORA":
            events.append(rest.popleft())
        if not rest:
            events += unheard
            unheard = []
        events.append(rest.popleft() if rest and _key(event) else event)
    return [*events, *takewhile(lambda event: event.tag == "DORA", rest), *unheard]


class _Search:
    """Depth-first search for courses of play."""

    def __init__(
        self, shown: list[_Shown], seats: list[int], sent: Element, heard: list[tuple[object, ...]]
    ) -> None:
        self.shown = shown
        self.seats = seats
        self.indicators = sent.tiles("seed", 6)
        self.own_turn = len(sent.tiles("hai")) % 3 == 2
        self.heard = heard
        self.steps = 0

    def go(self, course: _Course) -> Iterator[_Course]:
        """Yield the complete courses that extend this one and agree with the heard messages."""
        self.steps += 1
        if self.steps > _MOST_STEPS or any(map(operator.ne, course.keys, self.heard)):
            return
        if self._complete(course):
            yield course
        for after in self._one_later(course):
            yield from self.go(after)

    def _complete(self, course: _Course) -> bool:
        return (course.turn == 0 or not self.own_turn) and all(
            course.discarded[seat] == len(self.shown[seat].river)
            and course.laid[seat] == len(self.shown[seat].melds)
            and course.added[seat] == len(self.shown[seat].added)
            and course.declared[seat] == (self.shown[seat].riichi_at >= 0)
            for seat in self.seats
        )

    def _one_later(self, course: _Course) -> Iterator[_Course]:
        """Yield the courses with one more set or discard."""
        seat, draws = course.turn, course.draws
        shown = self.shown[seat]
        drawn = [message(DRAWS[seat])] if draws else []
        own = shown.melds[course.laid[seat] :][:1]
        if draws and own and own[0].event in _CLOSED:
            yield course.after([*drawn, *self._set(course, seat, own[0])], laid=seat)
        added = shown.added[course.added[seat] :][:1]
        if draws and added and _pon_of(added[0]) in shown.melds[: course.laid[seat]]:
            yield course.after([*drawn, *self._set(course, seat, added[0])], added=seat)
        # A called discard is in the caller's set.
        for caller in self.seats:
            for meld in self.shown[caller].melds[course.laid[caller] :][:1]:
                if caller == seat or meld.event in _CLOSED or (caller + meld.discarder) % _RING != seat:
                    continue
                after = {"laid": caller, "turn": caller, "draws": meld.event == Event.DAIMINKAN}
                for declared, events in self._ways(course, seat, meld.called):
                    made = [*drawn, *events, *self._set(course, caller, meld)]
                    yield course.after(made, declared=declared, **after)
        if course.discarded[seat] < len(shown.river):
            turn = self.seats[(self.seats.index(seat) + 1) % len(self.seats)]
            after = {"discarded": seat, "turn": turn, "draws": True}
            for declared, events in self._ways(course, seat, shown.river[course.discarded[seat]]):
                yield course.after([*drawn, *events], declared=declared, **after)

    def _ways(self, course: _Course, seat: int, tile: int) -> list[tuple[int | None, list[Element]]]:
        """Return the possible messages of a discard: without riichi, then with it; and the declaring seat."""
        discard = message(f"{DISCARDS[seat]}{tile}")
        ways: list[tuple[int | None, list[Element]]] = [(None, [discard])]
        if not course.declared[seat] and course.discarded[seat] == self.shown[seat].riichi_at:
            ways.append((seat, [message("REACH", who=seat, step=1), discard, message("REACH", who=seat, step=2)]))
        return ways

    def _set(self, course: _Course, seat: int, meld: RecordedMeld) -> list[Element]:
        """Return the messages of a set, after a kan with a new indicator if more of them are shown."""
        made = [message("N", who=seat, m=encode_meld(meld))]
        turned = sum(event.tag == "DORA" for event in course.events)
        if meld.event in (Event.DAIMINKAN, Event.ANKAN, Event.KAKAN) and turned < len(self.indicators):
            made.append(message("DORA", hai=self.indicators[turned]))
        return made


def _own_tiles(event: Element) -> list[int]:
    """Return the tiles that leave the own hand."""
    if event.letter in (DISCARDS[0], DRAWN_DISCARDS[0]):
        return [event.tile]
    if event.tag != "N" or event.number("who"):
        return []
    meld = decode_meld(event.number("m"))
    if meld.event == Event.KAKAN:
        return [meld.added]
    return [tile for tile in meld.tiles if meld.event in _CLOSED or tile != meld.called]
