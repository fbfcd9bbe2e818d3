"""Coming back into a hand: from what ``REINIT`` shows, messages that lead there.

``REINIT`` shows rivers, sets and the own hand, but not in what order they came to be. A course of play is searched that
ends there: seats in turn, a discard that was called away where the caller's set says so. It begins with what was heard
before the connection broke, where there is such a course. Of the rest it is not known which tiles were drawn and
discarded at once; outside riichi that does not matter to what may be done next.
"""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, takewhile
from typing import Final

from janshi.riichi.records.mjlog import decode_meld, encode_meld
from janshi.riichi.records.model import Meld
from janshi.riichi.state import Event
from janshi.tenhou.protocol import DISCARD_SEATS, DISCARDS, DRAWN_DISCARDS, DRAWS, Message, ProtocolError, message

_RING: Final = 4
_RIICHI_MARK: Final = 255
#: Courses tried at most: rivers and sets that no course of play leads to must not hold anybody up.
_MOST_STEPS: Final = 20_000


@dataclass(frozen=True, slots=True)
class Heard:
    """What was heard of a hand before the connection broke."""

    dealt: frozenset[int]
    """The own tiles as dealt."""
    events: tuple[Message, ...]
    """Draws, discards, sets and dora indicators in their order; other messages do not matter."""


@dataclass(slots=True)
class _Shown:
    """What lies before one seat."""

    river: list[int]
    riichi_at: int
    """Discards in the river before the one that declared riichi, which may have been called away; −1 for none."""
    melds: list[Meld]
    """The oldest first; a kan that was added to a pon stands as the pon here."""
    added: list[Meld]
    """Those kans."""


def _nothing() -> list[int]:
    return [0] * _RING


@dataclass(slots=True)
class _Course:
    """How far a course of play has come; what is counted is counted seat by seat."""

    turn: int
    discarded: list[int] = field(default_factory=_nothing)
    laid: list[int] = field(default_factory=_nothing)
    added: list[int] = field(default_factory=_nothing)
    declared: list[int] = field(default_factory=_nothing)
    """Declarations of riichi."""
    draws: bool = True
    """Whether the seat draws before it discards; not after a call."""
    events: list[Message] = field(default_factory=list)
    keys: list[tuple[object, ...]] = field(default_factory=list)
    """Of the events that have one: see `_key`."""

    def after(self, *events: Message, **changes: int | None) -> _Course:
        """Return the course with events behind it.

        ``turn`` and ``draws`` are set; of the counts, the named seat's goes up by one (None: nobody's).
        """
        course = _Course(self.turn, [*self.discarded], [*self.laid], [*self.added], [*self.declared], self.draws)
        course.events = [*self.events, *events]
        course.keys = [*self.keys, *(key for event in events if (key := _key(event)))]
        for name, value in changes.items():
            if name in ("turn", "draws"):
                setattr(course, name, value)
            elif value is not None:
                getattr(course, name)[value] += 1
        return course


@dataclass(frozen=True, slots=True)
class Resumed:
    """A course of play that leads to what is shown: the own tiles as dealt, and what has happened since."""

    dealt: list[int]
    events: list[Message]
    points: list[int]
    """Before the hand, in hundreds, from the receiver on."""
    draws: bool
    """Whether the next seat draws before it discards; not after a call."""


def courses(sent: Message, seats: list[int], heard: Heard | None = None) -> Iterator[Resumed]:
    """Yield the courses of play that lead to what ``REINIT`` shows, the likeliest first.

    ``seats``: the seats that play, counted from the receiver, in their order. Courses that begin with what was
    ``heard`` come before all others. Raises `ProtocolError` where the message is damaged.
    """
    shown = [_shown(sent, seat) for seat in range(_RING)]
    dealer = sent.number("oya")
    if dealer not in seats:
        raise ProtocolError("<REINIT> with a dealer who does not play")
    riichis = [seat for seat in seats if shown[seat].riichi_at >= 0]
    points = sent.numbers("ten")
    if len(points) != _RING:
        raise ProtocolError(f"<REINIT> with {len(points)} scores")
    for seat in riichis:
        points[seat] += 10
    searches: list[tuple[frozenset[int] | None, list[Message]]] = [(None, [])]
    if heard is not None:
        searches.insert(0, (heard.dealt, [event for event in heard.events if _key(event) or event.tag == "DORA"]))
    for dealt, known in searches:
        keys = [key for event in known if (key := _key(event))]
        for course in _Search(shown, seats, sent, keys).go(_Course(dealer)):
            resumed = _resumed(course, sent.tiles("hai"), points, dealt, known)
            if resumed is not None:
                yield resumed


def _resumed(
    course: _Course, hand: list[int], points: list[int], dealt: frozenset[int] | None, known: list[Message]
) -> Resumed | None:
    """Return a course with the messages that were heard of it and a tile in each own draw: the one that leaves next.

    ``dealt``: the own tiles as dealt, None where that was not heard. None where the course does not lead to the own
    hand.
    """
    drawn = _has_drawn(course, hand)
    events = _as_heard([*course.events, *([message(DRAWS[0])] if drawn else [])], known)
    # Which of the tiles was drawn last is not shown.
    step = -1 if dealt is None else 1
    gone, left = [_own_tiles(event)[::step] for event in events], sorted(hand) if dealt else hand[::-1]
    every = [*hand, *chain(*gone)]
    draws = [event.tile for event in events if event.letter == DRAWS[0]]
    unheard = set(every) - (dealt or frozenset()) - set(draws)
    filled: list[Message] = []
    for index, event in enumerate(events):
        if event.tag != DRAWS[0]:
            filled.append(event)
            continue
        own = next((tile for tile in chain(*gone[index:], left) if tile in unheard), -1)
        unheard.discard(own)
        draws.append(own)
        filled.append(message(f"{DRAWS[0]}{own}"))
    begun = set(every) - set(draws)
    if len(begun) != 13 or len(every) != 13 + len(draws) or (dealt is not None and begun != dealt):
        return None
    return Resumed(sorted(begun), filled, points, course.draws and not drawn)


def _is_to_discard(hand: list[int]) -> bool:
    """Whether the own hand (tiles) is shown with the tile too many that it discards next."""
    return len(hand) % 3 == 2


def _has_drawn(course: _Course, hand: list[int]) -> bool:
    """Whether the own hand (tiles) holds a tile drawn after a course: the own discard is what happened last."""
    return _is_to_discard(hand) and course.draws


def _key(event: Message) -> tuple[object, ...]:
    """What a draw, a discard, a set or a declaration of riichi is compared by; empty for other messages.

    What others draw is hidden, and whether a tile was discarded as drawn is not shown.
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


def _as_heard(course: list[Message], known: list[Message]) -> list[Message]:
    """Return a course with the messages that were heard of it.

    They show own draws, tiles discarded as drawn, and when a dora indicator was turned.
    """
    turned = sum(event.tag == "DORA" for event in known)
    unheard: list[Message] = []  # indicators that were turned after all that was heard
    rest = deque(known)
    events: list[Message] = []
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


def _shown(sent: Message, seat: int) -> _Shown:
    river: list[int] = []
    riichi_at = -1
    for tile in sent.numbers(f"kawa{seat}"):
        if tile == _RIICHI_MARK:
            riichi_at = len(river)
        elif 0 <= tile < 136:
            river.append(tile)
        else:
            raise ProtocolError(f"<REINIT> with tile {tile} in a river")
    melds = [decode_meld(code) for code in reversed(sent.numbers(f"m{seat}"))]
    added = [meld for meld in melds if meld.event == Event.KAKAN]
    pons = [_pon_of(meld) if meld.event == Event.KAKAN else meld for meld in melds]
    return _Shown(river, riichi_at, pons, added)


def _pon_of(kan: Meld) -> Meld:
    """The pon to which a tile was added."""
    return Meld(Event.PON, tuple(tile for tile in kan.tiles if tile != kan.added), kan.called, kan.discarder)


class _Search:
    """Looks for courses of play, depth first."""

    def __init__(
        self, shown: list[_Shown], seats: list[int], sent: Message, heard: list[tuple[object, ...]]
    ) -> None:
        self.shown = shown
        self.seats = seats
        self.indicators = sent.tiles_from("seed", 6)
        self.own_turn = _is_to_discard(sent.tiles("hai"))
        self.heard = heard
        self.steps = 0

    def go(self, course: _Course) -> Iterator[_Course]:
        """Yield the complete courses that begin as this one does, and as was heard."""
        self.steps += 1
        if self.steps > _MOST_STEPS or any(map(operator.ne, course.keys, self.heard)):
            return
        if self._complete(course):
            yield course
        shown, seat = self.shown[course.turn], course.turn
        if course.draws:
            yield from self._own_sets(course, seat, shown)
        drawn = [message(DRAWS[seat])] if course.draws else []
        yield from self._called_away(course, seat, drawn)
        if course.discarded[seat] < len(shown.river):
            discard = message(f"{DISCARDS[seat]}{shown.river[course.discarded[seat]]}")
            for declared, events in self._ways(course, seat, discard):
                after = {"declared": declared, "discarded": seat, "turn": self._next(seat), "draws": True}
                yield from self.go(course.after(*drawn, *events, **after))

    def _complete(self, course: _Course) -> bool:
        return (course.turn == 0 or not self.own_turn) and all(
            course.discarded[seat] == len(self.shown[seat].river)
            and course.laid[seat] == len(self.shown[seat].melds)
            and course.added[seat] == len(self.shown[seat].added)
            and course.declared[seat] == (self.shown[seat].riichi_at >= 0)
            for seat in self.seats
        )

    def _next(self, seat: int) -> int:
        return self.seats[(self.seats.index(seat) + 1) % len(self.seats)]

    def _ways(self, course: _Course, seat: int, discard: Message) -> list[tuple[int | None, list[Message]]]:
        """Who declares riichi with a discard, and the messages of it; where both may be, nobody comes first."""
        ways: list[tuple[int | None, list[Message]]] = [(None, [discard])]
        if not course.declared[seat] and course.discarded[seat] == self.shown[seat].riichi_at:
            ways.append((seat, [message("REACH", who=seat, step=1), discard, message("REACH", who=seat, step=2)]))
        return ways

    def _own_sets(self, course: _Course, seat: int, shown: _Shown) -> Iterator[_Course]:
        """Closed and added kans, and kitas: the seat draws again."""
        number = course.laid[seat]
        if number < len(shown.melds) and shown.melds[number].event in (Event.ANKAN, Event.KITA):
            yield from self.go(course.after(*self._kan(course, seat, shown.melds[number]), laid=seat))
        if course.added[seat] < len(shown.added):
            kan = shown.added[course.added[seat]]
            if _pon_of(kan) in shown.melds[:number]:
                yield from self.go(course.after(*self._kan(course, seat, kan), added=seat))

    def _kan(self, course: _Course, seat: int, meld: Meld) -> list[Message]:
        return [message(DRAWS[seat]), message("N", who=seat, m=encode_meld(meld)), *self._indicator(course, meld)]

    def _indicator(self, course: _Course, meld: Meld) -> list[Message]:
        turned = sum(event.tag == "DORA" for event in course.events)
        if meld.event == Event.KITA or turned >= len(self.indicators):
            return []
        return [message("DORA", hai=self.indicators[turned])]

    def _called_away(self, course: _Course, seat: int, drawn: list[Message]) -> Iterator[_Course]:
        """Discards of this seat that another has called: they lie in its sets."""
        for caller in self.seats:
            number = course.laid[caller]
            if caller == seat or number >= len(self.shown[caller].melds):
                continue
            meld = self.shown[caller].melds[number]
            if meld.event in (Event.ANKAN, Event.KITA) or (caller + meld.discarder) % _RING != seat:
                continue
            call = message("N", who=caller, m=encode_meld(meld))
            kan = meld.event == Event.DAIMINKAN
            more = self._indicator(course, meld) if kan else []
            discard = message(f"{DISCARDS[seat]}{meld.called}")
            for declared, events in self._ways(course, seat, discard):
                after = {"declared": declared, "laid": caller, "turn": caller, "draws": kan}
                yield from self.go(course.after(*drawn, *events, call, *more, **after))


def _own_tiles(event: Message) -> list[int]:
    """The tiles that leave the own concealed hand."""
    if event.letter in (DISCARDS[0], DRAWN_DISCARDS[0]):
        return [event.tile]
    if event.tag != "N" or event.number("who"):
        return []
    meld = decode_meld(event.number("m"))
    if meld.event == Event.KAKAN:
        return [meld.added]
    closed = meld.event in (Event.ANKAN, Event.KITA)
    return [tile for tile in meld.tiles if closed or tile != meld.called]
