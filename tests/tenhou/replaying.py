"""Replay of a real session at our table: walls that deal the shown tiles, and the others' actions.

Hidden tiles are filled in so that the others' actions are possible: players in riichi are tenpai, players
who are noten at the end are noten. The client whose messages are compared does not see them.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from janshi.riichi.hands.shanten import shanten
from janshi.riichi.play.wall import dora_slot
from janshi.riichi.records.mjlog import decode_meld
from janshi.riichi.records.model import SANMA, RecordedMeld, rules_of_flags
from janshi.riichi.records.walls import deal_slots
from janshi.riichi.state import Event
from janshi.tenhou.host import HostTable, Pending, PhysicalWall
from janshi.tenhou.protocol import DISCARDS, DRAWN_DISCARDS, DRAWS, Element, ProtocolError, message
from tests.tenhou.sessions import Session

RING = 4
#: Messages once in a session, or about connections, not about the table.
OUTSIDE = {"HELO", "LN", "REJOIN", "RANKING", "GO", "UN", "TAIKYOKU", "BYE", "SAIKAI", "CHAT"}


class HostOf2018(HostTable):
    """A table with results in whole thousands, as Tenhou had in 2018: halves away from zero, the rest to the first."""

    def results(self) -> list[float]:
        results = super().results()
        first = results.index(max(results))
        for seat, points in enumerate(self._table.scores):
            whole = (abs(points) + 500) // 1000 * (1 if points > 0 else -1)
            results[seat] = float(round(results[seat] - points / 1000 + whole))
        results[first] -= sum(results)
        return results


@dataclass(slots=True)
class Wanted:
    """A tile that a seat must receive in the deal or before a number of its draws."""

    tile: int
    before: int


@dataclass(slots=True)
class Seat:
    draws: list[int] = field(default_factory=list)
    """Tiles drawn, −1 where they are hidden."""
    replaced: list[bool] = field(default_factory=list)
    needs: list[Wanted] = field(default_factory=list)
    laid: list[RecordedMeld] = field(default_factory=list)
    riichi_draws: int = -1
    kans_in_riichi: list[RecordedMeld] = field(default_factory=list)
    replaces: bool = False
    shown: bool = False


def seat_of(relative: int, turned: int) -> int:
    return (relative + turned) % RING


class SessionEndsError(Exception):
    """Raised if the session ends during a decision."""


class Deal:
    """One hand of a session, from its deal to its end, with its wall."""

    def __init__(self, sent: Sequence[Element], players: int) -> None:
        self.sent = list(sent)
        self.players = players
        init = sent[0]
        self.seed = init.numbers("seed")
        self.turned = (self.seed[0] % RING - init.number("oya")) % RING
        self.dealer = self.seed[0] % RING
        self.own_deal = init.numbers("hai")
        self.seats = [Seat() for _ in range(players)]
        self.indicators = [self.seed[5]]
        self.ura: list[int] = []
        self.draw_order: list[tuple[int, int, bool]] = []
        for each in sent[1:]:
            self._take(each)

    def _take(self, sent: Element) -> None:
        if sent.tag == "N":
            self._meld(seat_of(sent.number("who"), self.turned), decode_meld(sent.number("m")))
        elif sent.tag == "DORA":
            self.indicators.append(sent.number("hai"))
        elif sent.tag == "REACH" and sent.number("step") == 1:
            seat = self.seats[seat_of(sent.number("who"), self.turned)]
            seat.riichi_draws = len(seat.draws)
        elif sent.tag == "AGARI":
            self.ura = sent.numbers("doraHaiUra") or self.ura
            who = seat_of(sent.number("who"), self.turned)
            tiles = sent.numbers("hai")
            machi = sent.number("machi")
            tiles.remove(machi)
            if sent.number("who") == sent.number("fromWho"):
                self.seats[who].draws[-1] = machi
            self._show(who, tiles)
        elif sent.tag == "RYUUKYOKU":
            for step in range(RING):
                if f"hai{step}" in sent.values:
                    self._show(seat_of(step, self.turned), sent.numbers(f"hai{step}"))
        elif sent.letter:
            self._tile(sent)

    def _tile(self, sent: Element) -> None:
        letter = sent.letter
        if letter in DRAWS:
            number = seat_of(DRAWS.index(letter), self.turned)
            seat = self.seats[number]
            seat.draws.append(sent.tile)
            seat.replaced.append(seat.replaces)
            self.draw_order.append((number, len(seat.draws) - 1, seat.replaces))
            seat.replaces = False
            return
        relative = DISCARDS.index(letter) if letter in DISCARDS else DRAWN_DISCARDS.index(letter)
        seat = self.seats[seat_of(relative, self.turned)]
        if relative == 0:
            return
        if letter in DRAWN_DISCARDS:
            seat.draws[-1] = sent.tile
        else:
            after_call = bool(seat.laid) and seat.laid[-1].event in (Event.CHII, Event.PON) and self._just_called(sent)
            seat.needs.append(Wanted(sent.tile, len(seat.draws) if after_call else len(seat.draws) - 1))

    def _just_called(self, sent: Element) -> bool:
        number = next(index for index, each in enumerate(self.sent) if each is sent)
        before = [each for each in self.sent[:number] if each.letter or each.tag == "N"]
        return before[-1].tag == "N"

    def _meld(self, who: int, meld: RecordedMeld) -> None:
        seat = self.seats[who]
        if meld.event == Event.KAKAN:
            laid: tuple[int, ...] = (meld.added,)
        elif meld.event in (Event.ANKAN, Event.KITA):
            laid = meld.tiles
        else:
            laid = tuple(tile for tile in meld.tiles if tile != meld.called)
        seat.laid.append(meld)
        if meld.event == Event.ANKAN and seat.riichi_draws >= 0 and seat.draws[-1] < 0:
            seat.draws[-1] = laid[-1]  # after riichi the fourth tile is the one just drawn
            seat.kans_in_riichi.append(meld)
        seat.needs += [Wanted(tile, len(seat.draws)) for tile in laid]
        seat.replaces = meld.event in (Event.KAKAN, Event.ANKAN, Event.KITA, Event.DAIMINKAN)

    def _show(self, who: int, tiles: Sequence[int]) -> None:
        seat = self.seats[who]
        if not seat.shown:
            seat.shown = True
            seat.needs += [Wanted(tile, len(seat.draws)) for tile in tiles]

    # -------------------------------------------------------------------------------------------------------

    def wall(self, seed: int) -> PhysicalWall:
        """Return a wall that deals the shown tiles and allows the others' actions."""
        dice = (self.seed[3], self.seed[4])
        for attempt in range(200):
            chooser = random.Random(f"{seed}-{attempt}")
            wall = self._try(chooser)
            if wall is not None:
                return PhysicalWall(wall, dice)
        raise AssertionError("no wall deals this hand")

    def _try(self, chooser: random.Random) -> list[int] | None:
        size = 136 if self.players == 4 else 108
        ids = [tile for tile in range(136) if self.players == 4 or not 4 <= tile < 32]
        deals = [[-1] * 13 for _ in self.seats]
        draws = [list(seat.draws) for seat in self.seats]
        own = self.turned
        deals[own] = list(self.own_deal)
        for number, seat in enumerate(self.seats):
            if number != own:
                self._place(seat, deals[number], draws[number])
        dead = {dora_slot(self.players, index): tile for index, tile in enumerate(self.indicators)}
        dead |= {dora_slot(self.players, index) - 1: tile for index, tile in enumerate(self.ura)}
        used = {tile for tiles in (*deals, *draws, dead.values()) for tile in tiles if tile >= 0}
        free = [tile for tile in ids if tile not in used]
        chooser.shuffle(free)
        for number, seat in enumerate(self.seats):
            if number != own and not self._fill(seat, deals[number], draws[number], free, chooser):
                return None
        wall = [-1] * size
        for slots, tiles in zip(deal_slots(self.players, self.dealer).tolist(), deals, strict=True):
            for slot, tile in zip(slots, tiles, strict=True):
                wall[slot] = tile
        live, replaced = size - 1 - 13 * self.players, 0
        for number, index, replacement in self.draw_order:
            slot = replaced ^ 1 if replacement else live
            wall[slot] = draws[number][index]
            replaced, live = (replaced + 1, live) if replacement else (replaced, live - 1)
        for slot, tile in dead.items():
            wall[slot] = tile
        return [tile if tile >= 0 else free.pop() for tile in wall]

    def _place(self, seat: Seat, deal: list[int], draws: list[int]) -> None:
        """Place the required tiles of a seat."""
        known = {tile for tile in draws if tile >= 0}
        for need in sorted(seat.needs, key=lambda need: need.before):
            if need.tile in known or need.tile in deal:
                continue
            if -1 in deal:
                deal[deal.index(-1)] = need.tile
                continue
            at = next((index for index in range(need.before) if draws[index] < 0), -1)
            assert at >= 0, "a tile comes from nowhere"
            draws[at] = need.tile

    def _fill(
        self, seat: Seat, deal: list[int], draws: list[int], free: list[int], chooser: random.Random
    ) -> bool:
        """Fill in the hidden tiles of a seat."""
        gaps = deal.count(-1) + draws.count(-1)
        if seat.riichi_draws >= 0 and not seat.shown:
            kept = tenpai_hand(free, gaps, [meld.tiles[0] // 4 for meld in seat.kans_in_riichi], chooser)
            if kept is None:
                return False
        else:
            kept = free[:gaps]
            if self._ends_noten(seat) and is_tenpai([*kept], seat):
                return False
        for tile in kept:
            free.remove(tile)
        chooser.shuffle(kept)
        for tiles in (deal, draws):
            for index, tile in enumerate(tiles):
                if tile < 0:
                    tiles[index] = kept.pop()
        return True

    def _ends_noten(self, seat: Seat) -> bool:
        return self.sent[-1].tag == "RYUUKYOKU" and "type" not in self.sent[-1].values and not seat.shown


def counts_of(tiles: Sequence[int]) -> list[int]:
    kinds = Counter(tile // 4 for tile in tiles)
    return [kinds[kind] for kind in range(34)]


def is_tenpai(tiles: list[int], seat: Seat) -> bool:
    if len(tiles) % 3 != 1:
        return False
    calls = (13 - len(tiles)) // 3
    return int(shanten(counts_of(tiles), calls=calls)) <= 0


def tenpai_hand(free: list[int], size: int, kans: list[int], chooser: random.Random) -> list[int] | None:
    """Choose free tiles of a tenpai hand: triplets, runs and a single wait, without kinds close to a kan."""
    free = [tile for tile in free if all(abs(tile // 4 - kind) > 2 for kind in kans)]
    for _attempt in range(200):
        left = list(free)
        chooser.shuffle(left)
        hand: list[int] = []
        while len(hand) < size - 1:
            tile = left[0]
            kind = tile // 4
            same = [other for other in left if other // 4 == kind]
            run = [tile]
            if kind < 27 and kind % 9 < 7:
                run += [next((o for o in left if o // 4 == kind + step), -1) for step in (1, 2)]
            if len(run) == 3 and -1 not in run:
                chosen = run
            elif len(same) >= 3:
                chosen = same[:3]
            else:
                left.append(left.pop(0))
                if chooser.random() < 0.02:
                    break
                continue
            hand += chosen
            left = [other for other in left if other not in chosen]
        if len(hand) == size - 1:
            hand.append(left[0])
            if counts_of(hand)[left[0] // 4] <= 3:
                return hand
    return None


# ---------------------------------------------------------------------------------------------------------
# Driving


def deals_of(session: Session) -> tuple[int, list[Deal]]:
    """Return the type of the game and its hands from the first deal on."""
    flags, players = 0, 4
    hands: list[list[Element]] = []
    for sent in session.received:
        if sent.tag == "GO":
            flags = sent.number("type")
            players = 3 if flags & SANMA else 4
        elif sent.tag == "REINIT":
            return flags, []
        elif sent.tag == "INIT":
            hands.append([sent])
        elif sent.tag == "HELO" and hands:
            break
        elif hands and sent.tag not in OUTSIDE and hands[-1][-1].tag != "RYUUKYOKU":
            if hands[-1][-1].tag == "AGARI" and sent.tag not in ("AGARI", "PROF"):
                continue
            hands[-1].append(sent)
    return flags, [Deal(hand, players) for hand in hands]


class Replay:
    """One session at our table; ``differences`` counts different messages."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.compared: Counter[str] = Counter()
        self.differences: list[tuple[str, Element | None, Element | None]] = []
        self.flags, self.deals = deals_of(session)

    def run(self) -> None:
        if not self.deals:
            return
        first = self.deals[0]
        rules = rules_of_flags(self.flags)
        walls = [deal.wall(number) for number, deal in enumerate(self.deals)]
        host = HostOf2018(rules, 0, ["a", "b", "c", "d"][: rules.players], walls.__getitem__)
        own = first.turned
        expected = [sent for deal in self.deals for sent in deal.sent]
        mine = iter(answers_of(self.session))
        at = 0
        for _ in range(20_000):
            for receiver, sent in host.take_outbox():
                if receiver != own or sent.tag in OUTSIDE:
                    continue
                wanted = expected[at] if at < len(expected) else None
                at += 1
                self._compare(sent, wanted)
                if len(self.differences) > 3:
                    return
            if at >= len(expected):
                return
            try:
                self._answer(host, own, expected[at:], mine)
            except SessionEndsError:
                return
            except ProtocolError:
                if not self.differences:
                    raise
                return
        raise AssertionError("the table does not get on")

    def _compare(self, sent: Element, wanted: Element | None) -> None:
        if sent.tag == "PROF":  # the server adds lobby and type
            sent = message("PROF", lobby=0, type=self.flags, **sent.values)
        self.compared[sent.tag if not sent.letter else sent.letter] += 1
        if wanted is None or plain(sent) != plain(wanted):
            self.differences.append((self.session.name, sent, wanted))

    def _answer(self, host: HostTable, own: int, coming: Sequence[Element], mine: Iterator[Element]) -> None:
        seat = own if own in host.waits else next(iter(host.waits))
        wait = host.waits[seat]
        if wait.need is Pending.READY:
            host.default(seat)
        elif seat == own:
            answer = next(mine, None)
            if answer is None:
                raise SessionEndsError
            host.receive(seat, answer)
        else:
            turned = own
            host.receive(seat, self._scripted(seat, turned, wait.need, coming, host))

    def _scripted(self, seat: int, turned: int, need: Pending, coming: Sequence[Element], host: HostTable) -> Element:
        """Return a seat's action, from the client's next message."""
        relative = (seat - turned) % RING
        for sent in coming:
            accepted = sent.tag == "REACH" and sent.number("step") == 2
            if accepted or sent.tag in ("FURITEN", "DORA", "BYE", "UN", "PROF"):
                continue
            if need is Pending.CLAIM:
                return self._claim(relative, sent, coming)
            if sent.tag == "REACH":
                return message("REACH")
            if sent.tag == "AGARI":
                return message("N", type=7)
            if sent.tag == "RYUUKYOKU":
                return message("N", type=9)
            if sent.tag == "N":
                meld = decode_meld(sent.number("m"))
                if meld.event == Event.KITA:
                    return message("N", type=10)
                kakan = meld.event == Event.KAKAN
                return message("N", type=5 if kakan else 4, hai=meld.added if kakan else meld.called)
            return message("D", p=sent.tile)
        raise SessionEndsError

    def _claim(self, relative: int, sent: Element, coming: Sequence[Element]) -> Element:
        if sent.tag == "AGARI":
            winners = [each.number("who") for each in coming[:4] if each.tag == "AGARI"]
            return message("N", type=6) if relative in winners else message("N")
        if sent.tag != "N" or sent.number("who") != relative:
            return message("N")
        meld = decode_meld(sent.number("m"))
        own = [tile for tile in meld.tiles if tile != meld.called]
        if meld.event == Event.DAIMINKAN:
            return message("N", type=2)
        if meld.event not in (Event.CHII, Event.PON):
            return message("N")
        return message("N", type=3 if meld.event == Event.CHII else 1, hai0=own[0], hai1=own[1])


def answers_of(session: Session) -> list[Element]:
    """Return the client's answers; it sometimes answers again right after a ron, which is too late."""
    sent = [each for from_client, each in session.lines if from_client and each.tag in ("D", "N", "REACH")]
    return [
        each
        for before, each in zip([message("D"), *sent], sent, strict=False)
        if not (each.tag == "N" and before == message("N", type=6))
    ]


def plain(sent: Element) -> tuple[str, dict[str, str]]:
    """Return a message without the chips of a parlour table, which this table lacks."""
    values = dict(sent.values)
    values.pop("chip", None)
    if "sc" in values:
        values["sc"] = ",".join(values["sc"].split(",")[:8])
    return sent.tag, values
