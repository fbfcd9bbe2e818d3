"""The efficient agent: nearest to ready first, then most tiles that bring it nearer.

* Discards leave the fewest shanten, then the most tiles accepted of those it cannot see (ukeire; near to ready, those
  accepted after the next draw as well), then the least valued tile. With calls only tiles that serve its yaku count.
* Seven pairs and thirteen orphans count from six pairs and eleven kinds on: a hand that is nearer to them by a tile is
  won more often as four sets and a pair.
* It calls where that brings it nearer and the hand keeps a yaku: a set of dragons or of its winds (that also where it
  brings it no nearer), or, late and where that makes it ready, all simples. It never aborts a hand of nine terminals.
* It declares riichi when it is ready (early in the hand not on a poor wait), sets Norths aside, makes kans that cost it
  nothing, and wins whenever it can.
* Against riichi a hand far from ready gives up: the safest tile, by the declarer's own river, suji and visible tiles.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Batch, Int16s, Record, entry, leaf, rule, zeros
from janshi.engine import actions
from janshi.engine.hand import FIVES, kind_of_tile
from janshi.engine.score import dora_of
from janshi.engine.shanten import NOT_HELD, ORPHANS_MASK, Ukeire, bit_count, hand_shanten, ukeire_of_discards
from janshi.engine.state import CALLED_DISCARD, CHII, CLAIM, View
from janshi.engine.tables import WEIGHTS, Lookup, lookup
from janshi.observe.decisions import discard_kinds
from janshi.observe.janshi import count_visible
from janshi.observe.plans import LEAST_ORPHANS, LEAST_PAIRS, yakuhai_of
from janshi.tiles import NORTH

_FAR: Final = 99
#: Calls for all simples alone make a hand ready, with no more tiles to draw than this: earlier ones won less (measured
#: against random players, sanma: 69 % of hands with them, 72 % without).
_LATE: Final = 20
#: With fewer tiles left to draw than this, riichi is declared on any wait.
_RIICHI_ANYWAY: Final = 27
#: The most shanten at which the agent looks one draw further; playouts (`janshi.learn.playouts`) do without.
_LOOKS_AHEAD: Final = 3
_RUNS: Final = (actions.CHII, actions.CHII_RED)
#: A tile's danger counts so much more than its worth.
_DANGER: Final = 64
# What a decision comes from
_BY_RULE: Final = 0
_BY_GAIN: Final = 1
_BY_SAFETY: Final = 2


class Thoughts(Record):
    """Room to think in: the hand as it would be, and what its discards lead to."""

    ukeire: Ukeire
    second: Ukeire
    """What the discards after the next draw lead to."""
    counts: Annotated[NDArray[np.int8], 34]
    suits: Annotated[NDArray[np.int64], 4]
    once: Annotated[int, np.int64]
    twice: Annotated[int, np.int64]
    best: Annotated[int, np.int64]
    """Discard found best, its shanten and the tiles it accepts."""
    shanten: Annotated[int, np.int64]
    left: Annotated[int, np.int64]
    looks_ahead: Annotated[int, np.int64]
    """In: the most shanten at which to look one draw further."""
    weighed: Annotated[int, np.int64]
    """What the decision came from: `_BY_RULE`, `_BY_GAIN` or `_BY_SAFETY`."""
    forms: Annotated[int, np.int64]
    """Kinds that count for seven pairs and thirteen orphans: all of them or none."""
    shantens: Annotated[NDArray[np.int64], 34]
    """Of each discard weighed last: what it leaves (`_FAR`: not among them), tiles, danger and worth (the last two
    as one number, the least being the safest)."""
    lefts: Annotated[NDArray[np.int64], 34]
    worths: Annotated[NDArray[np.int64], 34]
    risks: Annotated[NDArray[np.int64], 34]
    throws: Annotated[NDArray[np.int16], 34]
    """The action that discards each kind."""


@leaf
def triplet_kinds(view: View) -> int:
    """Kinds of the seat's own triplets and kans laid down."""
    seat = view.seats[int(view.seat)]
    mask = 0
    for one in range(int(seat.calls)):
        if int(seat.melds[one].form) != CHII:
            mask |= 1 << int(seat.melds[one].kind)
    return mask


@leaf
def meld_kinds(view: View) -> int:
    """All kinds in the seat's own melds."""
    seat = view.seats[int(view.seat)]
    mask = 0
    for one in range(int(seat.calls)):
        mask |= (0b111 if int(seat.melds[one].form) == CHII else 1) << int(seat.melds[one].kind)
    return mask


@rule
def imagine(view: View, mind: Thoughts, without_orphans: bool) -> None:
    """Copy the hand into the thoughts; for all simples, terminals and honours count as nothing."""
    for suit in range(4):
        mind.suits[suit] = 0
    once = 0
    twice = 0
    for kind in range(34):
        count = int(view.hand.counts[kind])
        mind.counts[kind] = count
        if without_orphans and ORPHANS_MASK >> kind & 1:
            count = 0
        if count:
            once |= 1 << kind
            twice |= 1 << kind if count > 1 else 0
            mind.suits[kind // 9] += count * WEIGHTS[kind]
    mind.once = once
    mind.twice = twice
    near = bit_count(once & ORPHANS_MASK) >= LEAST_ORPHANS or bit_count(twice) >= LEAST_PAIRS
    mind.forms = (1 << 34) - 1 if near else 0


@rule
def remove(mind: Thoughts, kind: int, many: int) -> None:
    """Take tiles that are laid down out of the imagined hand."""
    for _ in range(many):
        count = int(mind.counts[kind])
        mind.counts[kind] = count - 1
        bit = 1 << kind
        if int(mind.once) & bit:
            mind.suits[kind // 9] -= WEIGHTS[kind]
        if count == 1:
            mind.once = int(mind.once) & ~bit
        if count == 2:
            mind.twice = int(mind.twice) & ~bit


@leaf
def shanten_now(mind: Thoughts, lookup: Lookup, sets: int, sanma: bool) -> int:
    """Shanten of the imagined hand."""
    return hand_shanten(
        lookup,
        int(mind.suits[0]),
        int(mind.suits[1]),
        int(mind.suits[2]),
        int(mind.suits[3]),
        int(mind.once) & int(mind.forms),
        int(mind.twice) & int(mind.forms),
        sets,
        sanma,
    )


@leaf
def look_at_discards(mind: Thoughts, lookup: Lookup, sets: int, sanma: bool, out: Ukeire) -> None:
    """Fill in what every discard of the imagined hand leads to."""
    ukeire_of_discards(
        lookup,
        int(mind.suits[0]),
        int(mind.suits[1]),
        int(mind.suits[2]),
        int(mind.suits[3]),
        int(mind.once) & int(mind.forms),
        int(mind.twice) & int(mind.forms),
        sets,
        sanma,
        out,
    )


@rule
def worth(view: View, kind: int) -> int:
    """How much one would like to keep a tile, all else being equal."""
    sanma = int(view.rules.players) == 3
    value = 0
    if kind >= 27:
        value = 3 if yakuhai_of(view) >> kind & 1 else 1
    else:
        place = kind % 9
        value = 2 + min(place, 8 - place) * 2
    for one in range(int(view.shown)):
        tile = int(view.indicators[one])
        if dora_of(kind_of_tile(tile), sanma) == kind:
            value += 12
    return value


@rule
def best_discard(view: View, mind: Thoughts, lookup: Lookup, sets: int, kinds: int, simples: bool) -> int:
    """Find the best discard among ``kinds``; its shanten and tiles accepted stay in the thoughts.

    With ``simples`` terminals and honours are thrown first, and none counts as accepted.
    """
    sanma = int(view.rules.players) == 3
    look_at_discards(mind, lookup, sets, sanma, mind.ukeire)
    least = _FAR
    for kind in range(34):
        if kinds >> kind & 1 and int(mind.counts[kind]):
            least = min(least, int(mind.ukeire.shanten[kind]))
    river = int(view.seats[int(view.seat)].river_mask)
    best = -1
    best_shanten = _FAR
    best_left = -1
    best_worth = 0
    for kind in range(34):
        mind.shantens[kind] = _FAR
        if not kinds >> kind & 1 or int(mind.counts[kind]) == 0:
            continue
        shanten = int(mind.ukeire.shanten[kind])
        accepted = int(mind.ukeire.accepted[kind])
        if shanten == NOT_HELD:
            # An orphan that counts as nothing: throwing it leaves the hand as it is thought.
            shanten = int(mind.ukeire.shanten[34])
            accepted = 0
        left = 0
        if simples:
            accepted &= ~ORPHANS_MASK
            for one in range(34):
                left += (accepted >> one & 1) * (4 - int(mind.ukeire.visible[one]))
            if ORPHANS_MASK >> kind & 1:
                left = 1000
        elif shanten == least and 1 <= shanten <= int(mind.looks_ahead):
            left = ahead(mind, lookup, sets, sanma, kind)
        else:
            left = int(mind.ukeire.left[kind])
            if shanten == 0 and accepted & (river | 1 << kind):
                left = (left + 1) // 2  # furiten: only a self-draw wins
        value = worth(view, kind)
        mind.shantens[kind] = shanten
        mind.lefts[kind] = left
        mind.worths[kind] = value
        better = shanten < best_shanten
        if shanten == best_shanten:
            better = left > best_left or (left == best_left and value < best_worth)
        if better:
            best, best_shanten, best_left, best_worth = kind, shanten, left, value
    mind.best = best
    mind.shanten = best_shanten
    mind.left = int(mind.ukeire.left[best])
    return best


@rule
def add(mind: Thoughts, kind: int, many: int) -> None:
    """Put a tile into the imagined hand, or (−1) take it out; kinds that count as nothing are not for this."""
    count = int(mind.counts[kind]) + many
    mind.counts[kind] = count
    mind.suits[kind // 9] += many * WEIGHTS[kind]
    bit = 1 << kind
    mind.once = int(mind.once) | bit if count >= 1 else int(mind.once) & ~bit
    mind.twice = int(mind.twice) | bit if count >= 2 else int(mind.twice) & ~bit


@rule
def ahead(mind: Thoughts, lookup: Lookup, sets: int, sanma: bool, discard: int) -> int:
    """Look one draw further: over the tiles that a discard makes the hand accept, what it would accept then."""
    total = 0
    after = int(mind.ukeire.shanten[discard]) - 1
    accepted = int(mind.ukeire.accepted[discard])
    add(mind, discard, -1)
    for kind in range(34):
        mind.second.visible[kind] = int(mind.ukeire.visible[kind])
    for kind in range(34):
        left = 4 - int(mind.ukeire.visible[kind])
        if not accepted >> kind & 1 or left <= 0:
            continue
        add(mind, kind, 1)
        mind.second.visible[kind] += 1
        look_at_discards(mind, lookup, sets, sanma, mind.second)
        most = 0
        for other in range(34):
            if int(mind.second.shanten[other]) == after:
                most = max(most, int(mind.second.left[other]))
        total += left * most
        mind.second.visible[kind] -= 1
        add(mind, kind, -1)
    add(mind, discard, 1)
    return total


# ---------------------------------------------------------------------------------------------------------
# Defence


@rule
def danger(view: View, mind: Thoughts, kind: int) -> int:
    """How dangerous a discard is against those in riichi: 0 for tiles in all their rivers."""
    total = 0
    for who in range(int(view.rules.players)):
        seat = view.seats[who]
        if who == int(view.seat) or not int(seat.riichi):
            continue
        river = int(seat.river_mask)
        if river >> kind & 1:
            continue
        seen = int(mind.ukeire.visible[kind])
        if kind >= 27 or (int(view.rules.players) == 3 and kind < 9):
            total += 1 if seen >= 4 else (2 if seen == 3 else (4 if seen == 2 else 7))
            continue
        place = kind % 9
        low = river >> kind - 3 & 1 if place >= 3 else 1
        high = river >> kind + 3 & 1 if place <= 5 else 1
        if low and high:
            total += 3 if place in (0, 8) else 5
        else:
            total += 8 + 2 * min(place, 8 - place) - (3 if low or high else 0) * (1 if 3 <= place <= 5 else 0)
    return total


@leaf
def threatened(view: View) -> bool:
    """Whether another seat is in riichi."""
    found = False
    for who in range(int(view.rules.players)):
        found = found or (who != int(view.seat) and int(view.seats[who].riichi) > 0)
    return found


@rule
def safest(view: View, mind: Thoughts, kinds: int) -> int:
    """The kind whose discard is safest."""
    best = -1
    least = 1 << 20
    for kind in range(34):
        if kinds >> kind & 1 and int(view.hand.counts[kind]):
            risk = _DANGER * danger(view, mind, kind) + worth(view, kind)
            mind.risks[kind] = risk
            if risk < least:
                best, least = kind, risk
    return best


# ---------------------------------------------------------------------------------------------------------
# Decisions


@leaf
def discard_action(view: View, kind: int) -> int:
    """The action that discards a kind: the plain five before the red one, and the tile just drawn where it is that."""
    simple = int(view.legal[0])
    if simple >> kind & 1:
        return kind
    drawn = int(view.drawn)
    if drawn == kind and simple >> actions.TSUMOGIRI & 1:
        return actions.TSUMOGIRI
    if FIVES >> kind & 1 and simple >> 34 + kind // 9 & 1:
        return 34 + kind // 9
    return actions.TSUMOGIRI


@leaf
def has_yakuhai(view: View) -> bool:
    """Whether the hand holds a triplet that is a yaku, laid down or not."""
    return (triplet_kinds(view) | int(view.hand.held[3])) & yakuhai_of(view) != 0


@leaf
def wants_simples(view: View) -> bool:
    """Whether an open hand lives on all simples alone: no set and no pair of yakuhai, and only simples laid down."""
    seat = view.seats[int(view.seat)]
    pairs = int(view.hand.held[2]) & yakuhai_of(view)
    free = has_yakuhai(view) or pairs != 0
    return int(seat.opened) > 0 and not free and meld_kinds(view) & ORPHANS_MASK == 0


@rule
def discard(view: View, mind: Thoughts, lookup: Lookup) -> int:
    """The tile to discard."""
    seat = view.seats[int(view.seat)]
    sets = 4 - int(seat.calls)
    simples = wants_simples(view)
    kinds = discard_kinds(int(view.legal[0]), int(view.drawn))
    imagine(view, mind, simples)
    best = best_discard(view, mind, lookup, sets, kinds, simples)
    mind.weighed = _BY_GAIN
    if threatened(view) and not int(seat.riichi) and int(mind.shanten) >= 2:
        best = safest(view, mind, kinds)
        mind.weighed = _BY_SAFETY
    for kind in range(34):
        mind.throws[kind] = discard_action(view, kind) if kinds >> kind & 1 else -1
    return discard_action(view, best)


@rule
def kan_kind(view: View, mind: Thoughts, lookup: Lookup) -> int:
    """A kan that leaves the hand as near to ready as it is: its action, or −1."""
    closed, added = int(view.legal[1]), int(view.legal[2])
    seat = view.seats[int(view.seat)]
    if int(seat.riichi):
        return actions.ANKAN + bit_count((closed & -closed) - 1) if closed else -1
    if threatened(view):
        return -1
    sanma = int(view.rules.players) == 3
    sets = 4 - int(seat.calls)
    imagine(view, mind, False)
    now = shanten_now(mind, lookup, sets, sanma)
    for kind in range(34):
        if closed >> kind & 1:
            imagine(view, mind, False)
            remove(mind, kind, 4)
            if shanten_now(mind, lookup, sets - 1, sanma) <= now:
                return actions.ANKAN + kind
        if added >> kind & 1:
            imagine(view, mind, False)
            remove(mind, kind, 1)
            if shanten_now(mind, lookup, sets, sanma) <= now:
                return actions.KAKAN + kind
    return -1


@rule
def at_once(view: View, mind: Thoughts, lookup: Lookup) -> int:
    """What comes before a discard is thought of: a win, a kita, a kan that costs nothing; −1 for none."""
    simple = int(view.legal[0])
    seat = view.seats[int(view.seat)]
    if simple >> actions.TSUMO & 1:
        return actions.TSUMO
    orphans = bit_count(int(view.hand.held[1]) & ORPHANS_MASK)
    if simple >> actions.KITA & 1 and (orphans < 11 or int(view.hand.counts[NORTH]) > 1 or int(seat.riichi)):
        return actions.KITA
    if int(view.legal[1]) | int(view.legal[2]):
        return kan_kind(view, mind, lookup)
    return -1


@rule
def own_turn(view: View, mind: Thoughts, lookup: Lookup) -> int:
    """What to do with fourteen tiles."""
    simple = int(view.legal[0])
    seat = view.seats[int(view.seat)]
    first = at_once(view, mind, lookup)
    if first >= 0:
        return first
    if simple >> actions.RIICHI & 1:
        imagine(view, mind, False)
        best_discard(view, mind, lookup, 4 - int(seat.calls), discard_kinds(int(view.legal[0]), int(view.drawn)), False)
        # With three tiles to win on or fewer, early, a better wait is worth looking for.
        enough = int(mind.left) > 3 or (int(mind.left) > 0 and int(view.left) < _RIICHI_ANYWAY)
        if int(mind.shanten) == 0 and enough:
            return actions.RIICHI
    return discard(view, mind, lookup)


@rule
def call_gain(view: View, mind: Thoughts, lookup: Lookup, action: int, simples: bool) -> int:
    """Shanten after a call and the best discard then."""
    tile = int(view.tile)
    kind = kind_of_tile(tile)
    imagine(view, mind, simples)
    if action >= actions.PON:
        remove(mind, kind, 2)
    else:
        low = kind - (action - actions.CHII) % 3
        for one in range(low, low + 3):
            if one != kind:
                remove(mind, one, 1)
    sets = 3 - int(view.seats[int(view.seat)].calls)
    forbidden = 1 << kind if int(view.rules.kuikae) else 0
    best_discard(view, mind, lookup, sets, (1 << 34) - 1 & ~forbidden, simples)
    return int(mind.shanten)


@rule
def claim(view: View, mind: Thoughts, lookup: Lookup) -> int:
    """What to do about another's tile."""
    simple = int(view.legal[0])
    if simple >> actions.RON & 1:
        return actions.RON
    tile = int(view.tile)
    kind = kind_of_tile(tile)
    seat = view.seats[int(view.seat)]
    sanma = int(view.rules.players) == 3
    sets = 4 - int(seat.calls)
    good = yakuhai_of(view)
    sure = has_yakuhai(view) or good >> kind & 1 == 1
    pairs = int(view.hand.held[2]) & good & ~(1 << kind)
    inside = (1 << kind | meld_kinds(view)) & ORPHANS_MASK == 0
    simples = not sure and inside and int(view.rules.open_tanyao) == 1
    if not sure and not simples and not (pairs and int(seat.opened)):
        return actions.PASS
    imagine(view, mind, wants_simples(view))
    now = shanten_now(mind, lookup, sets, sanma)
    if threatened(view) and now > 1:
        return actions.PASS
    best = actions.PASS
    best_shanten = now
    best_left = -1
    for action in range(actions.CHII, actions.DAIMINKAN):
        if not simple >> action & 1:
            continue
        shanten = call_gain(view, mind, lookup, action, simples and not pairs)
        left = int(mind.left)
        if simples and (shanten > 0 or int(view.left) > _LATE):
            continue
        # A triplet that is a yaku frees the hand to call whatever else it needs: worth a call that brings nothing.
        as_good = shanten == best_shanten and (left > best_left if best != actions.PASS else good >> kind & 1 == 1)
        if shanten < best_shanten or as_good:
            best, best_shanten, best_left = action, shanten, left
    return best


@rule
def efficient_action(view: View, mind: Thoughts, lookup: Lookup) -> int:
    """What the efficient agent does."""
    count_visible(view, mind.ukeire)
    mind.weighed = _BY_RULE
    phase = int(view.phase)
    if phase == CLAIM:
        return claim(view, mind, lookup)
    if phase == CALLED_DISCARD or int(view.legal[0]) >> actions.PASS & 1:
        return discard(view, mind, lookup)
    return own_turn(view, mind, lookup)


@entry
def efficient_actions(views: Batch[View], lookups: Batch[Lookup], minds: Batch[Thoughts], chosen: Int16s) -> None:
    """Write what the efficient agent does in each view; one room to think in does for all, or each has its own."""
    for number in range(len(views)):
        chosen[number] = efficient_action(views[number], minds[number % len(minds)], lookups[0])


class EfficientAgent:
    """See the module."""

    def __init__(self, name: str = "efficient") -> None:
        self.name = name

    def act(self, views: Batch[View], legal: NDArray[np.bool_], keys: NDArray[np.int64]) -> NDArray[np.int16]:
        """Return one action for each view: see `janshi.agents.protocol.Agent`."""
        chosen = np.zeros(len(legal), np.int16)
        efficient_actions(views, lookup(), _minds(1), chosen)
        return chosen

    def preferences(self, views: Batch[View], legal: NDArray[np.bool_]) -> NDArray[np.float32]:
        """Return how much it would like each action (n, 122): see `janshi.agents.protocol.Reviewer`.

        What a rule decides (wins, calls, kans, kitas, riichi) has the whole share. Discards are weighed: each step away
        from ready makes one 20 times less liked; among those equally near the share goes with the tiles that bring the
        hand on (to a tenth of the best's at least). Where the hand gives up, every 4 points of danger halve it.
        """
        shares = np.zeros(legal.shape, np.float32)
        rows = np.arange(len(legal))
        chosen = np.zeros(len(legal), np.int16)
        minds = _minds(len(legal))
        if len(legal):
            efficient_actions(views, lookup(), minds, chosen)
        thoughts = cast("NDArray[Any]", minds)
        weighed = thoughts["weighed"]
        shares[rows, chosen] = 1
        for how, weights in ((_BY_GAIN, _gains), (_BY_SAFETY, _safeties)):
            for row in np.flatnonzero(weighed == how).tolist():
                mind = thoughts[row]
                kinds = np.flatnonzero(mind["shantens"] < _FAR)
                liked = weights(mind, kinds)
                shares[row] = 0
                shares[row, mind["throws"][kinds]] = liked / liked.sum()
        return shares


def _minds(count: int) -> Batch[Thoughts]:
    minds = zeros(Thoughts, count)
    cast("NDArray[Any]", minds)["looks_ahead"] = _LOOKS_AHEAD
    return minds


def _gains(mind: np.void, kinds: NDArray[np.int64]) -> NDArray[np.float64]:
    """Weights of discards by what they leave, in the agent's order: no two are equal."""
    shanten, left, worth_ = (mind[name][kinds] for name in ("shantens", "lefts", "worths"))
    liked = np.zeros(len(kinds))
    for level in np.unique(shanten):
        some = shanten == level
        most = max(int(left[some].max()), 1)
        liked[some] = 0.05 ** float(level - shanten.min()) * np.maximum(left[some] / most, 0.1)
    return _in_order(liked, np.lexsort((kinds, worth_, -left, shanten)))


def _safeties(mind: np.void, kinds: NDArray[np.int64]) -> NDArray[np.float64]:
    """Weights of discards by how safe they are, in the agent's order: no two are equal."""
    risk = mind["risks"][kinds]
    danger_ = risk // _DANGER
    return _in_order(0.5 ** ((danger_ - danger_.min()) / 4), np.lexsort((kinds, risk)))


def _in_order(liked: NDArray[np.float64], order: NDArray[np.int64]) -> NDArray[np.float64]:
    """Make each weight a little less than the one before it in an order."""
    liked[order] *= 0.99 ** np.arange(len(order))
    return liked
