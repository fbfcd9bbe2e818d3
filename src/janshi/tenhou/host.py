"""One table of the local server: the engine with physical tiles, and the messages to every player.

This module is independent of the network. `receive` handles a player's message, `act` an agent's action, and `default`
a timeout; `take_outbox` returns the messages to send. The engine executes forced discards automatically; here they are
delayed until the player sends them, as at Tenhou.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import count
from typing import Final

import numpy as np
from numpy.typing import NDArray

from janshi.riichi.actions import ACTIONS, Action
from janshi.riichi.game import RIICHI
from janshi.riichi.play.wall import dora_slot
from janshi.riichi.records.holding import Holding
from janshi.riichi.records.mjlog import ORPHANS
from janshi.riichi.records.model import Drawn, RecordedHand, RecordedWin, RiichiGame
from janshi.riichi.records.recording import logged_events, record_hand
from janshi.riichi.records.walls import deal_slots
from janshi.riichi.rules import Rules, final_points
from janshi.riichi.state import Ending, Event, Phase
from janshi.table import DecisionBatch, Table
from janshi.tenhou.choices import TileChoice, choose_tiles, read_choice
from janshi.tenhou.known import hint_of
from janshi.tenhou.protocol import ActionFlag, Element, ProtocolError, message
from janshi.tenhou.writing import Viewer, listed
from janshi.tiles import kind_of, tile_of_id

_NO_TILES: Final = np.zeros((0, 8), np.int16)
_CLAIMED: Final = (Event.DISCARD, Event.KITA, Event.KAKAN, Event.ANKAN)
_CALLS: Final = (Event.CHII, Event.PON, Event.DAIMINKAN)


class Pending(Enum):
    """Kind of a pending answer."""

    TURN = "turn"
    CLAIM = "claim"
    READY = "ready"


@dataclass(frozen=True, slots=True)
class Wait:
    """A pending answer of a seat."""

    need: Pending
    legal: NDArray[np.bool_]
    """Legal actions (122, bool); none if the seat must report that it is ready."""
    forced: bool = False
    """True if the engine has already executed the only legal action."""
    claim: Table | None = None
    """The table in the state in which this seat may claim a tile."""


@dataclass(frozen=True, slots=True)
class PhysicalWall:
    """The wall of a hand: 136 ids (108 for three) in Tenhou's order, and the dice."""

    wall: list[int]
    dice: tuple[int, int]


class _HandPlay:
    """The state of the current hand."""

    def __init__(self, hand: RecordedHand, wall: list[int]) -> None:
        players = len(hand.scores)
        self.hand = hand
        self.wall = wall
        self.draws = iter(wall[: -13 * players][::-1])
        self.replacements = (wall[taken ^ 1] for taken in count())
        self.replaces = False
        self.holding = Holding(hand.deal, hand.dora)
        self.points = list(hand.scores)
        self.rivers = [0] * players
        """Mask of the kinds that each seat has discarded."""
        self.furiten = [False] * players
        """Furiten marks shown to each seat."""
        self.missed = [0] * players
        """1: furiten until the next discard; 2: furiten for the rest of the hand."""
        self.logged = 0
        """Number of events of the engine's log that have been sent."""
        self.position = 0
        """Number of events before the last draw, discard or set."""


class HostTable:
    """A table of three or four players at the local server.

    Args:
        rules: the rules of the game.
        seed: seed of walls and dice.
        names: names by seat; seat 0 deals first.
        wall_of: function that returns the wall of a hand (index from 0), instead of the seed.
    """

    def __init__(
        self,
        rules: Rules,
        seed: int,
        names: Sequence[str],
        wall_of: Callable[[int], PhysicalWall] | None = None,
    ) -> None:
        self.rules = rules
        self.names = list(names)
        self.waits: dict[int, Wait] = {}
        self.over = False
        self.hands: list[RecordedHand] = []
        self.viewers = [Viewer(seat, rules.players) for seat in range(rules.players)]
        self._seed = seed
        self._wall_of = wall_of
        self._outbox: list[tuple[int, Element]] = []
        self._reds = any(rules.red_fives)
        self._wall = wall_of(0) if wall_of is not None else None
        self._table = Table(rules, seed, None if self._wall is None else self._tiles(self._wall.wall))
        self._play: _HandPlay | None = None
        self._chosen: TileChoice | None = None
        self._answers: dict[int, TileChoice] = {}
        self._begun = False
        self._ask_ready()

    # -------------------------------------------------------------------------------------------------------
    # Input

    def receive(self, seat: int, sent: Element) -> None:
        """Handle a player's message. Raises `ProtocolError` for an invalid one, without any change."""
        wait = self.waits.get(seat)
        if wait is None:
            raise ProtocolError(f"<{sent.tag}> from seat {seat}, which has nothing to answer")
        if sent.tag == "NEXTREADY":
            if wait.need is not Pending.READY:
                raise ProtocolError("<NEXTREADY> in the middle of a hand")
            self._ready(seat)
            return
        if wait.need is Pending.READY or self._play is None:
            raise ProtocolError(f"<{sent.tag}> between two hands")
        choice = read_choice(sent, self.held(seat), *self._last_tiles(), self._reds)
        if choice.action < Action.TSUMOGIRI and int(self._table.record["phase"]) == Phase.CALLED_DISCARD:
            self._allow_kuikae(wait, choice.action)
        self._take(seat, wait, choice)

    def _allow_kuikae(self, wait: Wait, tile: int) -> None:
        """Allow a discard that violates kuikae: Tenhou's server accepts it and leaves the rule to the client."""
        if not wait.forced and not wait.legal[tile]:
            self._table.record["legal"][0] |= np.int64(1 << tile)
            wait.legal[tile] = True

    def act(self, seat: int, action: int) -> None:
        """Execute an agent's action; the table chooses among equal tiles. Raises `ProtocolError`."""
        wait = self.waits.get(seat)
        if wait is None or self._play is None or wait.need is Pending.READY:
            raise ProtocolError(f"seat {seat} has nothing to answer")
        self._take(seat, wait, choose_tiles(action, self.held(seat), *self._last_tiles(), self.rules))

    def default(self, seat: int) -> None:
        """Act for a seat after a timeout: pass, discard the drawn tile, or report ready."""
        wait = self.waits[seat]
        if wait.need is Pending.READY:
            self._ready(seat)
        else:
            self.act(seat, RIICHI.passive(wait.legal))

    def decision(self, seat: int) -> DecisionBatch:
        """Return a seat's decision for an agent. Raises `ProtocolError` if it has none or is forced."""
        wait = self.waits.get(seat)
        if wait is None or wait.need is Pending.READY or wait.forced:
            raise ProtocolError(f"seat {seat} has nothing to decide")
        table = self._table if wait.claim is None else wait.claim
        return table.decision().with_events()

    def take_outbox(self) -> list[tuple[int, Element]]:
        """Return the messages to send, with their receivers, and clear them."""
        outbox, self._outbox = self._outbox, []
        return outbox

    def drop_outbox(self, seat: int) -> None:
        """Discard the messages to a seat."""
        self._outbox = [(receiver, sent) for receiver, sent in self._outbox if receiver != seat]

    # -------------------------------------------------------------------------------------------------------
    # Reconnection

    def returning(self, seat: int) -> list[Element]:
        """Return the messages to a reconnected player after its ``GOK``: the state of the current hand."""
        play = self._play
        if play is None or all(wait.need is Pending.READY for wait in self.waits.values()):
            return []
        viewer = self.viewers[seat]
        # A riichi declared with the last discard is repeated before it.
        rows = play.holding.rows.tolist()
        declared = play.position > 0 and rows[play.position - 1][0] == Event.RIICHI
        first = play.position - declared
        holding, points = Holding(play.hand.deal, play.hand.dora), list(play.hand.scores)
        for event, who, *_ in rows[:first]:
            points[who] -= 1000 * (event == Event.ACCEPTED)
        holding.take(rows[:first])
        sent = [viewer.reinit(play.hand, holding, points)]
        if play.furiten[seat]:
            sent.append(message("FURITEN", show=1))
        for number, row in enumerate(rows[first:], start=first):
            hint = self._hint(seat) if number == play.position else ActionFlag(0)
            points[row[1]] -= 1000 * (row[0] == Event.ACCEPTED)
            sent.append(viewer.event(row, holding.take_one(row), points, hint))
        return sent

    def resume_header(self, seat: int) -> list[Element]:
        """Return ``SAIKAI`` during a hand."""
        play = self._play
        return [] if play is None or self.over else [self.viewers[seat].saikai(play.hand, play.points)]

    def _hint(self, seat: int) -> ActionFlag:
        wait = self.waits.get(seat)
        return ActionFlag(0) if wait is None or wait.need is Pending.READY or wait.forced else hint_of(wait.legal)

    # -------------------------------------------------------------------------------------------------------
    # Between hands

    def _ask_ready(self) -> None:
        nothing = np.zeros(ACTIONS, np.bool_)
        self.waits = {seat: Wait(Pending.READY, nothing) for seat in range(self.rules.players)}

    def _ready(self, seat: int) -> None:
        del self.waits[seat]
        if not self.waits and not self.over:
            self._begin_hand()

    def _begin_hand(self) -> None:
        if self._begun:
            self._wall = None if self._wall_of is None else self._wall_of(len(self.hands))
            self._table.next_hand(None if self._wall is None else self._tiles(self._wall.wall))
        self._begun = True
        record, players = self._table.record, self.rules.players
        physical = self._wall or self._lay_ids()
        wall = physical.wall
        slots = deal_slots(players, int(record["dealer"]))
        deal = np.array(wall)[slots]
        hand = RecordedHand(
            round=int(record["kyoku"]),
            honba=int(record["honba"]),
            deposits=int(record["deposits"]),
            dealer=int(record["dealer"]),
            scores=self._table.scores,
            deal=deal.astype(np.uint8),
            dora=wall[dora_slot(players, 0)],
            dice=physical.dice,
            events=_NO_TILES,
            outcome=[],
        )
        self._play = _HandPlay(hand, wall)
        self._chosen = None
        for seat, viewer in enumerate(self.viewers):
            self._outbox.append((seat, viewer.init(hand, deal[seat].tolist())))
        self._go_on()

    def _tiles(self, ids: Sequence[int]) -> NDArray[np.int8]:
        return np.array([tile_of_id(identity, self._reds) for identity in ids], np.int8)

    def _lay_ids(self) -> PhysicalWall:
        """Assign ids to the tiles of the engine's wall, and throw the dice."""
        random = np.random.Generator(np.random.Philox([self._seed & (1 << 63) - 1, len(self.hands)]))
        size = 136 if self.rules.players == 4 else 108
        free: dict[int, list[int]] = {}
        for identity in random.permutation(136).tolist():
            free.setdefault(tile_of_id(identity, self._reds), []).append(identity)
        dice = random.integers(0, 6, 2).tolist()
        tiles = self._table.record["wall"][:size].tolist()
        return PhysicalWall([free[tile].pop() for tile in tiles], (dice[0], dice[1]))

    # -------------------------------------------------------------------------------------------------------
    # Answers

    def held(self, seat: int) -> list[int]:
        """Return the ids of a seat's concealed tiles. Raises `ProtocolError` before the first hand."""
        return self._hand_play().holding.ids(seat)

    def _last_tiles(self) -> tuple[int, int]:
        """Return the ids of the tile drawn last and of the tile that may be claimed; −1 for none."""
        holding = self._hand_play().holding
        return holding.drawn, holding.offered

    def _hand_play(self) -> _HandPlay:
        if self._play is None:
            raise ProtocolError("no hand has begun")
        return self._play

    def _take(self, seat: int, wait: Wait, choice: TileChoice) -> None:
        if not wait.legal[choice.action]:
            raise ProtocolError(f"seat {seat} may not do that: {self._table.action_text(choice.action)}")
        if wait.need is Pending.CLAIM:
            self._answers[seat] = choice
            del self.waits[seat]
            self._settle_claims()
            return
        self.waits = {}
        self._chosen = choice
        if not wait.forced:
            self._table.act(choice.action)
        self._go_on()

    def _settle_claims(self) -> None:
        """Continue after the answers of all seats.

        Tenhou also waits for seats that cannot get the tile any more: in every recorded session their answer comes
        before the winning claim. Thus no answer can be mistaken for one to a later question.
        """
        if self.waits:
            return
        answers = self._answers
        passed_ron = [seat for seat, choice in answers.items() if choice.action != Action.RON]
        caller = max(answers, key=lambda seat: _rank(answers[seat].action))
        self._chosen = answers[caller] if answers[caller].tiles else None
        logged = self._table.record["logged"]
        while answers:
            self._table.act(answers.pop(self._table.actor).action)
        if int(self._table.record["logged"]) > int(logged):
            self._mark_passed(passed_ron)
        self._go_on()

    def _mark_passed(self, seats: Sequence[int]) -> None:
        """Show furiten to the seats that passed on a tile that they wait for."""
        play = self._hand_play()
        kind = kind_of(tile_of_id(play.holding.offered, self._reds))
        for seat in seats:
            if self._waits_for(seat) >> kind & 1:
                self._miss(seat)

    # -------------------------------------------------------------------------------------------------------
    # Events

    def _go_on(self) -> None:
        """Send the engine's events up to the next pending answer."""
        play = self._hand_play()
        while pending := logged_events(self._table.record, play.logged):
            event, seat, tile, detail = pending[0]
            if event == Event.DISCARD and self._chosen is None:
                # The engine has made the only possible discard: wait for the player's message.
                legal = np.zeros(ACTIONS, np.bool_)
                legal[Action.TSUMOGIRI if detail else tile] = True
                self.waits = {seat: Wait(Pending.TURN, legal, forced=True)}
                return
            play.logged += 1
            self._tell(event, seat, tile, detail, last=len(pending) == 1)
        if self._table.hand_over:
            self._end_hand()
        elif int(self._table.record["phase"]) != Phase.CLAIM:
            self.waits = {self._table.actor: Wait(Pending.TURN, self._legal(self._table))}

    def _legal(self, table: Table) -> NDArray[np.bool_]:
        legal = np.zeros(ACTIONS, np.bool_)
        legal[table.legal] = True
        return legal

    def _tell(self, event: int, seat: int, tile: int, detail: int, *, last: bool) -> None:
        """Send one event of the engine's log to every seat."""
        play = self._hand_play()
        row = self._row(event, seat, tile, detail)
        hints = dict.fromkeys(range(self.rules.players), ActionFlag(0))
        if last and event == Event.DRAW and self._table.actor == seat:
            hints[seat] = hint_of(self._legal(self._table))
        if last:
            hints |= self._ask_claims()
        if event in (Event.DRAW, Event.DISCARD, Event.KITA, Event.KAKAN, Event.ANKAN, *_CALLS):
            play.position = len(play.holding.rows)
        self._note(row, hints)
        meld = play.holding.take_one(row)
        for receiver, viewer in enumerate(self.viewers):
            self._outbox.append((receiver, viewer.event(row, meld, play.points, hints[receiver])))

    def _ask_claims(self) -> dict[int, ActionFlag]:
        """Ask all seats that may claim a tile at the same time; return their hints."""
        table = self._table
        logged = int(table.record["logged"])
        while table.actor >= 0 and int(table.record["phase"]) == Phase.CLAIM:
            if int(table.record["logged"]) != logged or table.actor in self.waits:
                break
            self.waits[table.actor] = Wait(Pending.CLAIM, self._legal(table), claim=table)
            table = table.copy()
            table.act(Action.PASS)
        return {seat: hint_of(wait.legal) for seat, wait in self.waits.items()}

    def _row(self, event: int, seat: int, tile: int, detail: int) -> list[int]:
        """Return an event of the engine's log with physical tiles: a row of `RecordedHand.events`."""
        play = self._hand_play()
        own: tuple[int, ...] = ()
        identity, discarder = -1, -1
        if event == Event.DRAW:
            identity = next(play.replacements if play.replaces else play.draws)
            play.replaces = False
        elif event == Event.DORA:
            identity = play.wall[dora_slot(self.rules.players, len(play.holding.shown))]
        elif event == Event.DISCARD:
            identity, own = self._chosen_tiles()[0], (detail,)
        elif event in (Event.KITA, Event.KAKAN, Event.ANKAN):
            identity = self._chosen_tiles()[0]
            own = tuple(range(identity // 4 * 4, identity // 4 * 4 + 4)) if event == Event.ANKAN else (identity,)
        elif event in _CALLS:
            identity, discarder, own = play.holding.offered, play.holding.offerer, self._chosen_tiles()
        play.replaces = play.replaces or event in (Event.KITA, Event.KAKAN, Event.ANKAN, Event.DAIMINKAN)
        if event not in (Event.DORA, Event.ACCEPTED, Event.DRAW):
            self._chosen = None
        return [int(event), seat, identity, discarder, *own, *(-1,) * (4 - len(own))]

    def _chosen_tiles(self) -> tuple[int, ...]:
        assert self._chosen is not None, "an event with a tile follows a choice"
        return self._chosen.tiles

    def _note(self, row: Sequence[int], hints: dict[int, ActionFlag]) -> None:
        """Update the hand for an event, and send changed furiten marks before it."""
        play = self._hand_play()
        event, seat, tile = row[:3]
        if event == Event.ACCEPTED:
            play.points[seat] -= 1000
        elif event in _CLAIMED:
            if event == Event.DISCARD:
                play.rivers[seat] |= 1 << tile // 4
                play.missed[seat] = 0 if play.missed[seat] == 1 else play.missed[seat]
                self._mark(seat)
            for other in range(self.rules.players):
                passes = other != seat and event != Event.ANKAN and not hints[other] & ActionFlag.RON
                if passes and self._waits_for(other) >> (tile // 4) & 1:
                    self._miss(other)

    def _waits_for(self, seat: int) -> int:
        """Return the mask of the kinds that a seat waits for."""
        return int(self._table.record["hands"]["waits"][seat])

    def _miss(self, seat: int) -> None:
        play = self._hand_play()
        play.missed[seat] = 2 if self._table.record["seats"]["riichi"][seat] else max(play.missed[seat], 1)
        self._mark(seat)

    def _mark(self, seat: int) -> None:
        """Send a seat its furiten mark if it has changed."""
        play = self._hand_play()
        waits = self._waits_for(seat)
        marked = bool(waits) and (play.missed[seat] > 0 or waits & play.rivers[seat] != 0)
        if marked != play.furiten[seat]:
            play.furiten[seat] = marked
            self._outbox.append((seat, message("FURITEN", show=int(marked))))

    # -------------------------------------------------------------------------------------------------------
    # The end of a hand

    def _end_hand(self) -> None:
        play = self._hand_play()
        recorded = record_hand(self._table.record, self.rules, play.hand.scores, play.hand.deposits)
        outcome = recorded.outcome
        if isinstance(outcome, Drawn) and outcome.reason == Ending.NAGASHI_MANGAN:
            outcome.shown = tuple(seat for seat in range(self.rules.players) if self._waits_for(seat))
        wins = [] if isinstance(outcome, Drawn) else [self._win(win) for win in outcome]
        play.hand.events = play.holding.rows.copy()
        play.hand.outcome = outcome if isinstance(outcome, Drawn) else wins
        self.hands.append(play.hand)
        self.over = self._table.over
        for seat, viewer in enumerate(self.viewers):
            if isinstance(outcome, Drawn):
                ends = [viewer.drawn(outcome, play.holding)]
            else:
                ends = [viewer.win(win) for win in wins]
            if self.over:
                ends[-1:] = [self._profile(seat), viewer.last(ends[-1], self._table.scores, self.results())]
            self._outbox += [(seat, end) for end in ends]
        play.points = self._table.scores
        self._ask_ready()

    def _win(self, win: RecordedWin) -> RecordedWin:
        """Return a win of the engine with the physical tiles of this table."""
        play = self._hand_play()
        players = self.rules.players
        ura = tuple(play.wall[dora_slot(players, number) - 1] for number in range(len(win.ura)))
        fu = 0 if any(number in ORPHANS for number in win.yakuman) else win.fu
        return replace(win, **play.holding.winning(win.who, win.from_who), ura=ura, fu=fu)

    def results(self) -> list[float]:
        """Return all results with uma and oka, in thousands."""
        return final_points(self.rules, self._table.scores)

    def _profile(self, seat: int) -> Element:
        """Return the message with the game's additions to a player's statistics."""
        scores, result = self._table.scores, self.results()
        rank = sum(other > result[seat] for other in result)
        places = [int(rank == place) for place in range(4)]
        wins = [hand.outcome for hand in self.hands if not isinstance(hand.outcome, Drawn)]
        won = sum(win.who == seat for each in wins for win in each)
        # A double ron is one deal-in.
        dealt_in = sum(any(win.from_who == seat != win.who for win in each) for each in wins)
        own = [hand.events[hand.events[:, 1] == seat, 0] for hand in self.hands]
        called = sum(bool(np.isin(events, (*_CALLS, Event.KAKAN)).any()) for events in own)
        riichis = sum(int((events == Event.RIICHI).sum()) for events in own)
        counts = (*places, int(scores[seat] < 0), len(self.hands), won, dealt_in, called, riichis)
        return message("PROF", add=f"{result[seat]:.1f},{listed(counts)}")

    def game(self, source: str, flags: int, lobby: str) -> RiichiGame:
        """Return the record of the finished hands, including hidden tiles."""
        over = self.over
        scores = self._table.scores
        return RiichiGame(
            source=source,
            format="mjlog",
            players=self.rules.players,
            rules=self.rules,
            names=list(self.names),
            hands=list(self.hands),
            flags=flags,
            lobby=lobby,
            final_scores=scores if over else None,
            final_points=self.results() if over else None,
        )


def _rank(action: int) -> int:
    """Return the priority of a claim: ron, then pon and open kan, then chii."""
    if action == Action.RON:
        return 3
    return 2 if Action.PON <= action <= Action.DAIMINKAN else 1 if Action.CHII <= action < Action.PON else 0
