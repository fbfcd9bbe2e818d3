"""The table from the view of one client, derived from the server's messages.

Tenhou numbers seats from the receiver; here they are numbered as in records (seat 0 deals first). The engine executes
the events (`janshi.mjai.table.KnownTable`) and determines the legal actions; `TenhouTable.hint` returns them as
Tenhou's bits. The physical tiles of the own hand are stored in addition.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from janshi.mjai.events import HandEvent, MjaiError, set_event
from janshi.mjai.table import KnownTable
from janshi.records.formats import RecordError
from janshi.records.story import HIDDEN
from janshi.riichi.actions import ACTIONS, Action
from janshi.riichi.records.mjai import start_hand_event
from janshi.riichi.records.mjlog import decode_meld
from janshi.riichi.records.model import meld_row, rules_of_flags
from janshi.riichi.rules import RuleError, Rules
from janshi.riichi.state import Event
from janshi.table import DecisionBatch
from janshi.tenhou.choices import TileChoice, choose_tiles
from janshi.tenhou.protocol import DISCARD_SEATS, DRAWN_DISCARDS, DRAWS, ActionFlag, Element, ProtocolError
from janshi.tenhou.resume import CourseOfPlay, courses
from janshi.tenhou.telling import Telling
from janshi.tiles import kind_of, tile_of_id, to_mjai

RING: Final = 4
#: Maximum number of courses of play tried after a reconnection.
_MOST_COURSES: Final = 100
#: Maximum number of draws, discards, calls, riichi and indicators of a hand: some 200 are possible.
_MOST_EVENTS: Final = 1000
_HINTS: Final = (
    (Action.PON, Action.DAIMINKAN, ActionFlag.PON),
    (Action.DAIMINKAN, Action.KITA, ActionFlag.KAN),
    (Action.CHII, Action.PON, ActionFlag.CHII),
    (Action.RON, Action.RON + 1, ActionFlag.RON),
    (Action.TSUMO, Action.TSUMO + 1, ActionFlag.TSUMO),
    (Action.RIICHI, Action.RIICHI + 1, ActionFlag.RIICHI),
    (Action.KYUUSHU_KYUUHAI, Action.KYUUSHU_KYUUHAI + 1, ActionFlag.KYUUSHU_KYUUHAI),
    (Action.KITA, Action.KITA + 1, ActionFlag.KITA),
)


def hint_of(legal: NDArray[np.bool_]) -> ActionFlag:
    """Return the value of ``t`` for legal actions (122, bool): pon includes open kan; other kans are absent.

    >>> legal = np.zeros(122, np.bool_)
    >>> legal[[Action.PON, Action.DAIMINKAN, Action.PASS]] = True
    >>> int(hint_of(legal))
    3
    """
    hint = ActionFlag(0)
    for first, end, bit in _HINTS:
        if legal[first:end].any():
            hint |= bit
    return hint | ActionFlag.PON if hint & ActionFlag.KAN else hint


def hint_actions(hint: ActionFlag) -> NDArray[np.bool_]:
    """Return the mask of actions (122, bool) for the bits of ``t``.

    >>> np.flatnonzero(hint_actions(ActionFlag.RON)).tolist()
    [51]
    """
    actions = np.zeros(ACTIONS, np.bool_)
    for first, end, bit in _HINTS:
        if hint & bit:
            actions[first:end] = True
    return actions


def _deal_of(sent: Element) -> tuple[int, ...]:
    """Return the key of the hand in an ``INIT`` or ``REINIT``."""
    seed = sent.numbers("seed")
    return (*seed[:2], sent.number("oya"), *seed[5:6])


def _seed_and_points(sent: Element) -> tuple[list[int], list[int]]:
    """Return the lists of an ``INIT`` or ``REINIT``: round, honba, deposits, dice, indicator; points in hundreds."""
    seed, points = sent.numbers("seed"), sent.numbers("ten")
    if len(seed) < 6 or not 0 <= seed[0] < 16:
        raise ProtocolError(f"<{sent.tag}> with seed {sent.values.get('seed', '')[:40]!r}")
    if len(points) < RING:
        raise ProtocolError(f"<{sent.tag}> with {len(points)} scores for four seats")
    return seed, points


class TenhouTable:
    """State of one client, updated by `hear` with every message of the server.

    ``hand`` contains the ids of the own concealed tiles; ``drawn`` is the id of the drawn tile, −1 for none. After a
    `ProtocolError` the table is unknown until the next deal. ``telling`` receives the events for an agent that listens.
    """

    def __init__(self, rules: Rules | None = None, telling: Telling | None = None) -> None:
        self.known = KnownTable(rules)
        self._given = rules
        self._telling = telling
        self.hand: list[int] = []
        self.drawn = -1
        self.called = -1
        """The id of the last discard or kita, which others may claim."""
        self.turned = 0
        """The receiver's seat, counted from the first dealer's."""
        self.furiten = False
        """The furiten mark shown by the server."""
        self._seen: set[int] = set()
        self._returned = False
        """True if the client reconnected during this hand."""
        self._resumed_from: Element | None = None
        self._courses: Iterator[CourseOfPlay] = iter(())
        self._draws_next = True
        self._deal: tuple[int, ...] = ()
        """Key of the current hand: round, honba, dealer's seat, first dora indicator."""
        self._dealt: frozenset[int] = frozenset()
        self._events: list[Element] = []
        """Messages since the deal."""

    @property
    def rules(self) -> Rules:
        """Rules of the game."""
        return self.known.rules

    @property
    def asked(self) -> bool:
        """True if the own seat has a decision, including a forced discard."""
        return self.known.asked

    def hint(self) -> ActionFlag:
        """Return the value of ``t`` after the last message, computed by the engine; 0 for none."""
        return hint_of(self.known.legal()[0])

    def decision(self) -> DecisionBatch:
        """Return the pending decision for an agent."""
        return self.known.decision()

    def choice(self, action: int) -> TileChoice:
        """Return an action of the own seat with its tiles. Raises `ProtocolError` if one is missing."""
        return choose_tiles(action, self.hand, self.drawn, self.called, self.rules)

    # -------------------------------------------------------------------------------------------------------
    # Messages

    def hear(self, sent: Element) -> None:
        """Process one message; messages that do not concern the table are ignored. Raises `ProtocolError`."""
        try:
            if self._resumed_from is not None and (sent.letter or sent.tag in ("N", "REACH")):
                self._hear_first(sent)
            else:
                self._hear(sent)
        except (MjaiError, ProtocolError, RecordError, RuleError) as error:
            self.known.playing = False
            if isinstance(error, ProtocolError):
                raise
            raise ProtocolError(f"<{sent.tag}>: {error}") from None

    def _hear_first(self, sent: Element) -> None:
        """Process the first message after a reconnection; try another course of play if it does not fit.

        The last draw is not repeated, so a discard may come first.
        """
        while True:
            try:
                discards = sent.tag == "REACH" or (sent.letter in DISCARD_SEATS and sent.letter not in DRAWS)
                if discards and self._draws_next:
                    relative = sent.number("who") if sent.tag == "REACH" else DISCARD_SEATS[sent.letter]
                    self._hear(Element(DRAWS[relative]))
                self._hear(sent)
            except (MjaiError, ProtocolError):
                self._take_course()
                continue
            self._resumed_from = None
            return

    def _hear(self, sent: Element) -> None:
        tag = sent.tag
        if self._telling is not None:
            self._telling.hear(sent)
        if tag == "GO":
            self.known = KnownTable(self._given or rules_of_flags(sent.number("type")))
            self._resumed_from = None
        elif tag == "INIT":
            self._start_hand(sent, sent.tiles("hai"))
            self._returned = False
        elif tag == "REINIT":
            self._resume(sent)
        elif tag in ("AGARI", "RYUUKYOKU"):
            if self._telling is not None:
                self._telling.end_hand(sent, self.turned, self.rules.players)
            self.known.playing = False
            self.drawn = self.called = -1
        elif self.known.playing:
            if sent.letter or sent.tag in ("N", "REACH", "DORA"):
                if len(self._events) == _MOST_EVENTS:
                    raise ProtocolError(f"<{sent.tag}> after {_MOST_EVENTS} events of one hand")
                self._events.append(sent)
            self._go_on(sent)

    def _go_on(self, sent: Element) -> None:
        """Process an event of a hand."""
        tag = sent.tag
        if tag == "N":
            self._meld(sent)
        elif tag == "REACH":
            event = Event.RIICHI if sent.number("step") == 1 else Event.ACCEPTED
            self._follow(HandEvent(event, self.seat(sent.number("who")), -1, 0))
        elif tag == "DORA":
            indicator = sent.tile_at("hai")
            self._use(indicator, own=False)
            self._follow(HandEvent(Event.DORA, -1, self._tile(indicator), 0))
        elif tag == "FURITEN":
            self._mark(furiten=sent.number("show") == 1)
        elif tag == "T":
            raise ProtocolError("the own draw is hidden")
        elif sent.letter in DRAWS and sent.letter:
            self._draw(DRAWS.index(sent.letter), sent.tile)
        elif sent.letter:
            self._discard(sent)

    def _follow(self, played: HandEvent) -> None:
        """Apply an event of a hand, and tell it."""
        self.known.follow(played)
        if self._telling is not None:
            self._telling.follow(played, self.rules)

    def seat(self, relative: int) -> int:
        """Return a seat as numbered in records, from one numbered from the receiver. Raises `ProtocolError`."""
        seat = (relative + self.turned) % RING
        if not 0 <= relative < RING or seat >= self.rules.players:
            raise ProtocolError(f"seat {relative} does not play")
        return seat

    def _tile(self, identity: int) -> int:
        return tile_of_id(identity, any(self.rules.red_fives))

    def _use(self, identity: int, *, own: bool) -> None:
        """Mark a tile as seen, and remove it from the own hand (``own``). Raises `ProtocolError` if impossible."""
        if own:
            if identity not in self.hand:
                raise ProtocolError(f"tile {identity} leaves the own hand, but is not in it")
            self.hand.remove(identity)
        elif identity in self._seen:
            raise ProtocolError(f"tile {identity} appears twice")
        self._seen.add(identity)

    def _start_hand(self, sent: Element, own: Sequence[int]) -> None:
        """Begin a hand with 13 own tiles."""
        seed, points = _seed_and_points(sent)
        self.turned = (seed[0] % RING - sent.number("oya")) % RING
        players = self.rules.players
        if self.turned >= players:
            raise ProtocolError(f"<{sent.tag}> gives the receiver an empty seat")
        scores = [100 * points[(seat - self.turned) % RING] for seat in range(players)]
        dealer, indicator = self.seat(sent.number("oya")), self._tile(sent.tiles("seed", 5)[0])
        hands = [[HIDDEN] * 13 for _ in range(players)]
        hands[self.turned] = [to_mjai(self._tile(identity)) for identity in own]
        event = start_hand_event(seed[0], dealer, seed[1], seed[2], scores, indicator, [])
        self.known.hear({"type": "start_game", "id": self.turned})
        dealt = {**event, "tehais": hands}
        self.known.hear(dealt)
        if self._telling is not None:
            self._telling.start_hand(dealt, self.turned, self.rules, again=sent.tag == "REINIT")
        self.hand = list(own)
        self._deal, self._dealt, self._events = _deal_of(sent), frozenset(own), []
        self._seen = {*own, seed[5]}
        self.drawn = self.called = -1
        self.furiten = False

    def _resume(self, sent: Element) -> None:
        """Resume a hand: replay a course of play that leads to the shown table.

        If several courses lead there, later messages exclude the wrong ones (`hear`).
        """
        turned = (_seed_and_points(sent)[0][0] % RING - sent.number("oya")) % RING
        seats = [seat for seat in range(RING) if (seat + turned) % RING < self.rules.players]
        heard = (self._dealt, tuple(self._events)) if self._deal == _deal_of(sent) else (None, ())
        self._courses = islice(courses(sent, seats, *heard), _MOST_COURSES)
        self._resumed_from = sent
        self._returned, self.furiten = True, False
        self._take_course()

    def _mark(self, *, furiten: bool) -> None:
        """Set the furiten mark; after a reconnection it is the only trace of a passed win."""
        self.furiten = furiten
        if furiten and self._returned:
            self.known.let_pass()

    def _take_course(self) -> None:
        """Replay the next course of play that the rules allow. Raises `ProtocolError` if none is left."""
        furiten = self.furiten
        for course in self._courses:
            try:
                self._play_course(course)
            except (MjaiError, ProtocolError):
                continue
            self._mark(furiten=furiten)
            return
        raise ProtocolError("<REINIT> shows an impossible table")

    def _play_course(self, course: CourseOfPlay) -> None:
        """Restart the hand and apply a course of play."""
        sent = self._resumed_from
        assert sent is not None, "courses are those of a return"
        seed, points = _seed_and_points(sent)
        riichis = [event.number("who") for event in course.events if event.tag == "REACH" and event.number("step") == 1]
        for relative in riichis:
            points[relative] += 10
        # The message may or may not include the riichi sticks of this hand.
        if 100 * sum(points) + 1000 * seed[2] > self.rules.start * self.rules.players:
            seed[2] -= len(riichis)
        before = {"seed": ",".join(map(str, seed[:6])), "ten": ",".join(map(str, points))}
        self._draws_next = course.draws
        self._start_hand(Element("REINIT", {**sent.values, **before}), course.dealt)
        for event in course.events:
            self._hear(event)

    # -------------------------------------------------------------------------------------------------------
    # Events

    def _draw(self, relative: int, identity: int) -> None:
        own = relative == 0
        if own:
            self._use(identity, own=False)
            self.hand.append(identity)
        tile = self._tile(identity) if own else -1
        self._follow(HandEvent(Event.DRAW, self.seat(relative), tile, 0))
        self.drawn, self.called = (identity if own else -1), -1

    def _discard(self, sent: Element) -> None:
        relative, identity = DISCARD_SEATS[sent.letter], sent.tile
        own = relative == 0
        tsumogiri = identity == self.drawn if own else sent.letter in DRAWN_DISCARDS
        self._use(identity, own=own)
        tile = self._tile(identity)
        self._follow(HandEvent(Event.DISCARD, self.seat(relative), tile, int(tsumogiri), (tile,)))
        self.drawn, self.called = -1, identity

    def _meld(self, sent: Element) -> None:
        relative = sent.number("who")
        meld = decode_meld(sent.number("m"))
        form, seat, identity, _, *own = meld_row(meld, self.seat(relative))
        laid = [each for each in own if each >= 0]
        for each in laid:
            self._use(each, own=relative == 0)
        tile = self._tile(identity)
        self._follow(
            set_event(Event(form), seat, kind_of(tile) if form == Event.ANKAN else tile, list(map(self._tile, laid)))
        )
        self.drawn, self.called = -1, laid[0] if len(laid) == 1 else -1
