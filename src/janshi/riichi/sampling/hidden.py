"""Sampling the tiles that a seat has not seen.

First the unseen tiles are laid evenly: every way that fits all that was seen is as likely as the other. In riichi a
seat is tenpai and does not wait for a tile that it has let pass since; `TenpaiHands` draws such hands evenly, and as
many of each class of waits are kept as people have. Of several seats in riichi each in turn is drawn again beside the
others' (Gibbs sampling, `_SWEEPS` times), as they must not hold the same tiles. The other seats' hands are then walked
until they are as close to winning as people's (`janshi.riichi.sampling.walking`).

With weights (`janshi.rollout.sampling.Belief`) hands are sampled so for each seat, with the order in which their tiles
were drawn, and weighted by a player's probability of the seat's last actions, relative to hands of the same class. A
player's actions depend on its own tiles and on public information, so that the weights of the seats multiply: hands of
all seats are drawn by their weights until they hold no tile twice (sampling importance resampling, seat by seat).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import zeros
from janshi.core.rows import join_rows, take_rows
from janshi.riichi.actions import Action
from janshi.riichi.hands import waits
from janshi.riichi.play import HandStart, begin_given_hands
from janshi.riichi.positions import dealt_hand
from janshi.riichi.sampling.following import Followed, follow_logs, logged_actions
from janshi.riichi.sampling.progress import WAITS, hand_classes, riichi_shares, wait_classes
from janshi.riichi.sampling.seen import Known, Seen
from janshi.riichi.sampling.tenpai import CHOICES, TenpaiHands
from janshi.riichi.sampling.walking import PeopleHands
from janshi.riichi.state import Ending, Event
from janshi.rollout.sampling import Belief, Sample, Sampling, SamplingError
from janshi.table import DecisionBatch, Tables
from janshi.tiles import KINDS, TILES, kinds_of

#: How often the hand of each of several seats in riichi is drawn again.
_SWEEPS: Final = 3
#: Tables on which the weights of walks are found.
_CHAINS: Final = 256
#: Tenpai hands by which the classes of waits of even hands are counted.
_POOL: Final = 4096
#: Share of a class among even hands below which it is rare.
_RARE: Final = 0.02
#: Rounds of proposals after which nothing fits.
_ROUNDS: Final = 200
#: Rows that are drawn at least if several seats are in riichi.
_LEAST: Final = 256
#: Rounds of proposals after which the rows that are left are given up, if enough others are found.
_FEW_ROUNDS: Final = 8
#: Combinations of hands that are tried at once.
_TRIES: Final = 1 << 15
#: Part of a player's decisions that weights take for slips, any legal action as likely as the other.
_SLIPS: Final = 0.05
#: Events that seats decide, and those of them that call a discard.
_ACTIONS: Final = (
    Event.DISCARD,
    Event.CHII,
    Event.PON,
    Event.DAIMINKAN,
    Event.ANKAN,
    Event.KAKAN,
    Event.KITA,
    Event.RIICHI,
)
_CALLS: Final = (Event.CHII, Event.PON, Event.DAIMINKAN)


@dataclass(slots=True)
class _Hands:
    """Sampled tiles of the other seats, as labels: below ``len(unseen)`` one of the unseen tiles, then a tile."""

    contents: list[NDArray[np.int16]]
    """The content of each other seat's slots (n, slots)."""
    rest: NDArray[np.int16]
    """The tiles that nobody holds, in random order (n, left)."""

    def part(self, rows: NDArray[Any]) -> _Hands:
        """Return some rows."""
        return _Hands([contents[rows] for contents in self.contents], self.rest[rows])


class HiddenTiles:
    """The tiles hidden from the seat that decides: see `janshi.rollout.sampling.Hidden`.

    ``evenly``: leave the hands of seats not in riichi as far from tenpai as even samples are.
    """

    def __init__(self, batch: DecisionBatch, *, evenly: bool = False) -> None:
        self.seen = Seen.of(batch)
        seen = self.seen
        self._kinds = kinds_of(seen.unseen)
        left = np.bincount(self._kinds, minlength=KINDS).astype(np.int8)
        self._left = left
        self._labels = np.concatenate([seen.unseen, np.arange(TILES, dtype=np.int8)])
        #: Number of each unseen tile among those of its kind.
        self._ranks = np.arange(len(self._kinds)) - np.searchsorted(self._kinds, self._kinds)
        players = seen.rules.players
        self._tenpai = {
            number: TenpaiHands(left, other.concealed, players)
            for number, other in enumerate(seen.others)
            if other.riichi
        }
        taken = {slot for other in seen.others for slot in other.slots}
        wall = np.flatnonzero(seen.wall[: len(self._all_slots())] < 0)
        self._rest = np.array([slot for slot in wall.tolist() if slot not in taken])
        #: Numbers of the other seats in the order in which labels hold their hands: those in riichi first.
        self._order = sorted(range(len(seen.others)), key=lambda number: number not in self._tenpai)
        self._people: PeopleHands | None = None
        self._evenly = evenly
        #: Shares of the even hands of each class of waits, and of all, that are kept, by number of a seat in riichi.
        self._kept: dict[int, tuple[NDArray[np.float64], float]] = {}

    def _all_slots(self) -> range:
        return range(136 if self.seen.rules.players == 4 else 108)

    def sample(self, count: int, random: np.random.Generator, belief: Belief | None = None) -> Sample:
        """Return tables: see `janshi.rollout.sampling.Hidden.sample`."""
        wanted = count if belief is None else count * belief.proposals
        if self._people is None and not self._evenly:
            self._people = self._people_hands()
        hands, states = self._proposals(wanted, random)
        if belief is None:
            return Sample(states, count, {other.seat: float(count) for other in self.seen.others})
        weights = self._weights(hands, states, belief)
        chosen = self._recombined(hands, weights, count, random)
        effective = {
            other.seat: float(np.square(weight.sum()) / np.square(weight).sum())
            for other, weight in zip(self.seen.others, weights, strict=True)
        }
        tables = self._tables(chosen, random)
        if (self._follow(tables, len(self.seen.log)) != Followed.TO_ITS_END).any():
            raise RuntimeError("hands that were put together do not fit what was seen")
        return Sample(np.asarray(tables.states), wanted, effective)

    # -----------------------------------------------------------------------------------------------------
    # Hands that fit

    def _people_hands(self) -> PeopleHands:
        """Return the walker of the hands of the seats not in riichi, from one table of even hands."""
        random = np.random.default_rng(0)
        _, states = self._proposals(1, random)
        ends = np.cumsum([0, *(self.seen.others[number].concealed for number in self._order)]).tolist()
        spans = {
            self.seen.others[number].seat: (ends[place], ends[place + 1])
            for place, number in enumerate(self._order)
            if number not in self._tenpai
        }
        return PeopleHands(states, self.seen.unseen, spans, self._even_labels(_CHAINS, random))

    def _proposals(self, count: int, random: np.random.Generator) -> tuple[_Hands, NDArray[Any]]:
        """Sample ``count`` hands that fit the tiles seen, and their tables at the decision."""
        parts: list[_Hands] = []
        states: list[NDArray[Any]] = []
        missing = count
        for _ in range(_ROUNDS):
            labels = self._even_labels(missing, random)
            if self._people is not None:
                labels = self._people.walked(labels, random)
            hands = self._laid(labels, random)
            tables = self._tables(hands, random)
            fits = np.flatnonzero(self._follow(tables, len(self.seen.log)) == Followed.TO_ITS_END)
            parts.append(hands.part(fits))
            states.append(take_rows(tables.states, fits))
            missing -= len(fits)
            if not missing:
                contents = [np.concatenate(each) for each in zip(*(part.contents for part in parts), strict=True)]
                return _Hands(contents, np.concatenate([part.rest for part in parts])), join_rows(states)
        raise SamplingError(f"no tiles of the others were found that fit what seat {self.seen.seat} has seen")

    def _even_labels(self, count: int, random: np.random.Generator) -> NDArray[np.int16]:
        """Sample the owners of the unseen tiles evenly (count, unseen): the hands in their order, then the rest.

        Hands of seats in riichi may still not fit a kan made since.
        """
        others = self.seen.others
        owner = self._riichi_owners(count, random)
        # Labels by kind, those of one kind in random order; then each seat's in riichi first, the others shuffled.
        labels = np.argsort(self._kinds + random.random((count, len(self._kinds))), axis=1).astype(np.int16)
        keys = random.random(owner.shape)
        keys += np.where(owner >= 0, owner - len(others), 0)
        return np.take_along_axis(labels, np.argsort(keys, axis=1), axis=1)

    def _laid(self, labels: NDArray[np.int16], random: np.random.Generator) -> _Hands:
        """Lay labels (n, unseen) into the seats' slots."""
        others = self.seen.others
        contents: list[NDArray[np.int16]] = [np.zeros((0, 0), np.int16)] * len(others)
        first = 0
        for number in self._order:
            last = first + others[number].concealed
            contents[number] = self._in_slots(others[number], labels[:, first:last], random)
            first = last
        return _Hands(contents, labels[:, first:])

    def _in_slots(self, other: Known, concealed: NDArray[np.int16], random: np.random.Generator) -> NDArray[np.int16]:
        """Lay the tiles that a seat conceals (n, tiles) and those that left its hand into its slots, each way alike.

        A tile that left lay among the first slots up to some number; as these numbers only grow, each is as free to
        choose a slot whatever those before it chose.
        """
        count, unseen = len(concealed), len(self.seen.unseen)
        known = np.array(other.tiles, np.int16)
        contents = np.broadcast_to(np.where(known < 0, -1, known + unseen), (count, len(known))).astype(np.int16)
        rows = np.arange(count)
        for tile, slots in sorted(other.left, key=lambda pair: pair[1]):
            keys = np.where(contents[:, :slots] < 0, random.random((count, slots)), -1.0)
            contents[rows, keys.argmax(axis=1)] = unseen + tile
        contents[contents < 0] = concealed.reshape(-1)
        return contents

    # -----------------------------------------------------------------------------------------------------
    # Seats in riichi

    def _riichi_owners(self, count: int, random: np.random.Generator) -> NDArray[np.int64]:
        """Sample hands of the seats in riichi; return for every unseen tile the number of its owner, or −1 (n, u)."""
        if count < _LEAST and len(self._tenpai) > 1:
            # A hand may leave none for the next seat; of many rows some fit.
            return self._riichi_owners(_LEAST, random)[:count]
        owner = np.full((count, len(self._kinds)), -1)
        hands = {number: np.zeros((count, KINDS), np.int8) for number in self._tenpai}
        for sweep in range(1 + (_SWEEPS if len(hands) > 1 else 0)):
            for number in hands:
                # First beside the seats drawn before alone, then beside all others.
                beside = [hands[other] for other in hands if other != number and (sweep or other < number)]
                taken = sum(beside, np.zeros((count, KINDS), np.int8))
                drawn, missing = self._drawn_beside(number, taken, random, least=0 if sweep else count // 2)
                if sweep:
                    # The hand from before fits too. How often it stays depends on the others' hands alone.
                    drawn[missing] = hands[number][missing]
                hands[number] = drawn
                if not sweep and len(missing):
                    self._replace_rows(hands, missing, random)
        begin = np.zeros((count, KINDS), np.int8)
        for number, counts in hands.items():
            end = begin + counts
            ranks = self._ranks[None]
            mine = (ranks >= begin[:, self._kinds]) & (ranks < end[:, self._kinds])
            owner[mine] = number
            begin = end
        return owner

    def _replace_rows(
        self, hands: dict[int, NDArray[np.int8]], missing: NDArray[np.int64], random: np.random.Generator
    ) -> None:
        """Replace rows in which a hand leaves none for the next seat by other rows."""
        there = np.setdiff1d(np.arange(len(next(iter(hands.values())))), missing)
        if not len(there):
            seats = ", ".join(str(self.seen.others[number].seat) for number in hands)
            raise SamplingError(f"no tenpai hands of the seats in riichi ({seats}) fit what was seen")
        rows = random.choice(there, len(missing))
        for counts in hands.values():
            counts[missing] = counts[rows]

    def _drawn_beside(
        self, number: int, taken: NDArray[np.int8], random: np.random.Generator, least: int
    ) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
        """Draw a seat's hand in riichi for each row from the tiles left beside those taken (n, 34).

        Return the hands, and the rows in which none was found. Fewer than ``least`` are found only if hardly any fit.
        """
        found = np.zeros_like(taken)
        missing = np.arange(len(taken))
        free = self._left - taken
        for tried in range(_ROUNDS):
            if not len(missing) or (tried >= _FEW_ROUNDS and len(missing) <= len(taken) - least):
                break
            drawn = self._like_people(number, 4 * len(missing) + 64, random)
            # Several draws for each row that is left; the first one that fits counts.
            rows = np.resize(missing, len(drawn))
            ways = CHOICES[free[rows], drawn] / CHOICES[self._left, drawn]
            fits = np.flatnonzero(random.random(len(drawn)) < ways.prod(axis=1))
            rows, first = np.unique(rows[fits], return_index=True)
            found[rows] = drawn[fits[first]]
            missing = np.setdiff1d(missing, rows, assume_unique=True)
        return found, missing

    def _like_people(self, number: int, count: int, random: np.random.Generator) -> NDArray[np.int8]:
        """Draw about ``count`` hands of a seat in riichi (n, 34), with the shares of waits of people's hands."""
        if self._evenly:
            return self._fitting(number, count, random)[0]
        if number not in self._kept:
            classes = self._fitting(number, _POOL, random)[1]
            met = np.bincount(classes, minlength=WAITS + 1) + 1.0
            met /= met.sum()
            kept = riichi_shares(self.seen.rules.players) / met
            # Hands of a rare class are all kept, as waiting for enough of them would take too long.
            kept = np.minimum(1, kept / kept[met >= _RARE].max())
            self._kept[number] = kept, float(kept @ met)
        kept, share = self._kept[number]
        counts, classes = self._fitting(number, round(count / share), random)
        drawn: NDArray[np.int8] = counts[random.random(len(counts)) < kept[classes]]
        return drawn

    def _fitting(
        self, number: int, count: int, random: np.random.Generator
    ) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
        """Draw about ``count`` tenpai hands of a seat in riichi; return those that have let no win pass since.

        Hands (n, 34), and the classes of their waits, `WAITS` for furiten (n).
        """
        other = self.seen.others[number]
        rules, seat = self.seen.rules, self.seen.view["seats"][0, other.seat]
        counts = self._tenpai[number].draw(count, random)
        mask = waits(counts, int(seat["calls"]), rules.players) @ (1 << np.arange(KINDS, dtype=np.int64))
        if not rules.karaten_is_tenpai:
            kans = [int(meld["kind"]) for meld in seat["melds"][: int(seat["calls"])]]
            held = (counts == 4) @ (1 << np.arange(KINDS, dtype=np.int64)) | sum(1 << kind for kind in kans)
            counts, mask = counts[(mask & ~held) != 0], mask[(mask & ~held) != 0]
        furiten = (mask & other.before) != 0
        fits = (mask != 0) & ((mask & other.after) == 0) & (furiten | ((mask & int(seat["passed"])) == 0))
        classes = np.where(furiten, WAITS, np.asarray(wait_classes(mask)))
        return counts[fits], classes[fits]

    # -----------------------------------------------------------------------------------------------------
    # Tables

    def _tables(self, hands: _Hands, random: np.random.Generator) -> Tables:
        """Return tables dealt from walls that hold sampled hands, at the hand's first decision."""
        seen = self.seen
        count = len(hands.rest)
        starts = cast("NDArray[Any]", zeros(HandStart, count))
        walls = starts["wall"]
        walls[:] = seen.wall
        for other, contents in zip(seen.others, hands.contents, strict=True):
            walls[:, other.slots] = self._labels[contents]
        walls[:, self._rest] = self._labels[hands.rest]
        seats = seen.view["seats"][0]
        starts["points"] = seats["points"] + 1000 * seats["accepted"].astype(np.int32)
        starts["deposits"] = seen.view["deposits"][0] - seats["accepted"].sum()
        for name in ("kyoku", "honba", "dealer"):
            starts[name] = seen.view[name][0]
        tables = Tables(seen.rules, count, auto_reset=False)
        begin_given_hands(tables.states, starts)
        np.asarray(tables.states)["seed"] = random.integers(1 << 62, size=count)
        return tables

    def _follow(self, tables: Tables, until: int, which: NDArray[np.int64] | None = None) -> NDArray[np.int8]:
        """Let tables follow the log, to another seat's decision from row ``until`` on or to its end: see `follow`."""
        log = self._logs(len(tables) if which is None else len(which))
        followed: NDArray[np.int8] = follow_logs(tables.states, log, self.seen.seat, until, which=which)
        return followed

    def _logs(self, count: int) -> NDArray[np.int8]:
        return np.tile(self.seen.log, (count, 1))

    # -----------------------------------------------------------------------------------------------------
    # By weights

    def _weights(self, hands: _Hands, sampled: NDArray[Any], belief: Belief) -> list[NDArray[np.float64]]:
        """Return the weight of each other seat's sampled hands (n): the likelihood of the seat's actions.

        ``sampled``: the tables of these hands at the decision.
        """
        tables = self._tables(hands, np.random.default_rng(0))
        log = self.seen.log.reshape(-1, 4)
        first = _first_rows(log, self.seen.rules.players, belief.decisions)
        weights = np.zeros((self.seen.rules.players, len(tables)))
        until = int(min(first[other.seat] for other in self.seen.others))
        which = np.flatnonzero(self._follow(tables, until) == Followed.ASKS_ANOTHER)
        while len(which):
            actions = np.asarray(logged_actions(tables.states, self._logs(len(which)), which=which))
            states = np.asarray(tables.states)
            batch = tables.decisions(which)
            rows = np.asarray(states["logged"][which])
            # A seat that passes where another one calls may have called too.
            counts = (rows >= first[batch.seats]) & ~((actions == Action.PASS) & _calls_next(log)[rows])
            weighed = np.flatnonzero(counts)
            if len(weighed):
                part = batch.part(weighed)
                shares = belief.player.preferences(part)[np.arange(len(weighed)), actions[weighed]]
                evenly = 1 / part.legal.sum(axis=1)
                weights[part.seats, part.tables] += np.log((1 - _SLIPS) * shares + _SLIPS * evenly)
            tables.step_some(which, actions)
            which = which[self._follow(tables, until, which) == Followed.ASKS_ANOTHER]
        own = weights[[other.seat for other in self.seen.others]]
        own = np.exp(own - own.max(axis=1, keepdims=True))
        if self._people is not None:
            for number, other in enumerate(self.seen.others):
                own[number] /= self._mean_of_class(own[number], sampled, other)
        return list(own)

    def _mean_of_class(self, weights: NDArray[np.float64], states: NDArray[Any], other: Known) -> NDArray[np.float64]:
        """Return for each hand of a seat (n) the mean weight of the hands of its class.

        Weights over it leave the shares of the classes as they are: they are people's already.
        """
        if other.riichi:
            return np.ones(len(weights))
        classes = np.asarray(hand_classes(states, np.full(len(states), other.seat, np.int64)))
        sums, there = np.bincount(classes, weights), np.bincount(classes)
        means: NDArray[np.float64] = (sums / np.maximum(there, 1))[classes]
        return means

    def _recombined(
        self, hands: _Hands, weights: list[NDArray[np.float64]], count: int, random: np.random.Generator
    ) -> _Hands:
        """Draw ``count`` sets of the seats' hands by their weights, each until it holds no tile twice."""
        masks = [self._masks(contents) for contents in hands.contents]
        chosen: list[NDArray[np.int64]] = []
        found = 0
        for _ in range(_ROUNDS):
            picks: list[NDArray[np.int64]] = []
            taken = np.zeros((_TRIES, 2), np.uint64)
            for mask, weight in zip(masks, weights, strict=True):
                drawn = random.choice(len(weight), len(taken), p=weight / weight.sum())
                fits = np.flatnonzero(~(taken & mask[drawn]).any(axis=1))
                picks = [pick[fits] for pick in picks] + [drawn[fits]]
                taken = taken[fits] | mask[drawn[fits]]
            chosen.append(np.stack(picks))
            found += len(taken)
            if found >= count:
                break
        rows = np.concatenate(chosen, axis=1)[:, :count]
        if found < count:
            # Weights that few hands share: draw hands that were sampled together by the product of their weights.
            product = np.prod(weights, axis=0)
            joint = random.choice(len(product), count - found, p=product / product.sum())
            rows = np.concatenate([rows, np.broadcast_to(joint, (len(rows), len(joint)))], axis=1)
        contents = [each[row] for each, row in zip(hands.contents, rows, strict=True)]
        used = np.zeros((count, len(self._labels)), np.bool_)
        for each in contents:
            np.put_along_axis(used, each.astype(np.int64), True, axis=1)
        unseen = len(self.seen.unseen)
        keys = random.random((count, unseen)) + used[:, :unseen]
        rest = np.argsort(keys, axis=1)[:, : len(self._rest)].astype(np.int16)
        return _Hands(contents, rest)

    def _masks(self, contents: NDArray[np.int16]) -> NDArray[np.uint64]:
        """The unseen tiles that hands hold (n, slots), as 128 bits (n, 2)."""
        labels = contents.astype(np.uint64)
        bits = np.where(contents < len(self.seen.unseen), np.uint64(1) << labels % 64, np.uint64(0))
        halves = [np.bitwise_or.reduce(np.where(labels // 64 == half, bits, 0), axis=1) for half in (0, 1)]
        return np.stack(halves, axis=1).astype(np.uint64)


def _first_rows(log: NDArray[np.int8], players: int, decisions: int) -> NDArray[np.int64]:
    """For each seat the row of a log before which all but its last ``decisions`` actions lie (players)."""
    first = np.zeros(players, np.int64)
    for seat in range(players):
        rows = np.flatnonzero((log[:, 1] == seat) & np.isin(log[:, 0], _ACTIONS))
        if len(rows) >= decisions:
            first[seat] = rows[-decisions] if decisions else len(log)
    return first


def _calls_next(log: NDArray[np.int8]) -> NDArray[np.bool_]:
    """For each row of a log and its end (n + 1), whether a call of a discard follows."""
    calls = np.zeros(len(log) + 1, np.bool_)
    for row in range(len(log) - 1, -1, -1):
        event = log[row, 0]
        calls[row] = calls[row + 1] if event in (Event.ACCEPTED, Event.DORA) else event in _CALLS
    return calls


def _sampled_table(batch: DecisionBatch, random: np.random.Generator) -> NDArray[Any]:
    """Return one sampled table (1), which has followed the log."""
    return HiddenTiles(batch).sample(1, random).states


def _tenpai_at_draw(states: NDArray[Any]) -> NDArray[np.bool_]:
    """Return whether each seat was tenpai in hands that ended in an exhaustive draw (n, players)."""
    players = int(states["rules"]["players"][0]) if len(states) else 0
    exhausted: NDArray[np.bool_] = np.isin(states["ended"], (Ending.EXHAUSTIVE, Ending.NAGASHI_MANGAN))[:, None]
    tenpai: NDArray[np.bool_] = exhausted & (states["hands"]["waits"][:, :players] != 0)
    return tenpai


#: Riichi's facet ``"sampling"``.
SAMPLING: Final = Sampling(
    hidden=HiddenTiles, table=_sampled_table, tenpai_at_draw=_tenpai_at_draw, dealt=dealt_hand
)
