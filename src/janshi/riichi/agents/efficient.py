"""The efficient agent: least shanten first, then most accepted tiles.

* It discards for the least shanten, then the most unseen tiles that lower it (ukeire; near tenpai also those accepted
  after the next draw), then the least value of the tile. After calls only tiles that serve its yaku count.
* Seven pairs and thirteen orphans count from six pairs and eleven kinds on; before that four sets and a pair win more
  often.
* It calls if that lowers the shanten and keeps a yaku: yakuhai (also without lowering the shanten), or tanyao late in
  the hand if the call makes it tenpai. It never declares kyuushu kyuuhai.
* It declares riichi when tenpai (early in the hand not on a poor wait), sets Norths aside, makes kans that do not raise
  the shanten, and always wins.
* Against riichi a hand far from tenpai folds: it discards the safest tile by river, suji and visible tiles.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.agents.policy import smoothed
from janshi.agents.protocol import THREE_OR_FOUR, check_agent
from janshi.compiling import Int8, Int16, Int64, Record, Workspace, batched, copy_record, leaf, rule, zeros
from janshi.core.bits import bit_count, lowest_bit
from janshi.core.kinds import ALL_KINDS, DRAGONS, ORPHANS_MASK, kind_of_tile
from janshi.core.shanten import AS_IT_IS, NOT_HELD, Ukeire, hand_shanten, ukeire_of_discards
from janshi.core.shanten_tables import WEIGHTS, ShantenTables
from janshi.core.shape import Shape, clear_shape
from janshi.riichi.actions import Action
from janshi.riichi.analysis.danger import SAFE, danger_class, threatens
from janshi.riichi.analysis.discards import discard_action, discard_kinds
from janshi.riichi.analysis.visible import count_visible
from janshi.riichi.hands.scoring import dora_of
from janshi.riichi.melds import called_triplets, kinds_of_meld
from janshi.riichi.state import Phase, View
from janshi.table import DecisionBatch
from janshi.tiles import NORTH

_FAR: Final = 99
#: Fewest kinds of orphans and fewest pairs with which thirteen orphans and seven pairs count (against random players,
#: sanma: first in 75.3 % of 24,000 hands; 73.2 with both always counted, 74.7 without pairs).
_LEAST_ORPHANS: Final = 11
_LEAST_PAIRS: Final = 6
#: Most tiles left to draw for calls with tanyao as the only yaku, which must make the hand tenpai (against random
#: players, sanma: 69 % of hands won with earlier calls, 72 % without).
_LATE: Final = 20
#: With fewer tiles left to draw, riichi is declared on any wait.
_RIICHI_ANYWAY: Final = 27
#: With more accepted tiles, riichi is declared at any time.
_POOR_WAIT: Final = 3
#: Highest shanten at which the agent looks one draw ahead.
LOOKS_AHEAD: Final = 3
#: Value that puts orphans before all other discards of a hand for tanyao.
_ORPHAN_FIRST: Final = 1000
#: Weight of a point of danger relative to the value of keeping a tile.
_DANGER: Final = 64
#: Danger of a discard by its class (`janshi.riichi.analysis.danger.danger_class`): number tiles by rank and open sides,
#: honours and terminals of sanma by unseen tiles.
_POINTS: Final = (3, 8, 8, 5, 10, 10, 5, 12, 12, 5, 11, 14, 5, 13, 16, 1, 2, 4, 7, 1, 2, 4, 7)
# Bases of decisions
_BY_RULE: Final = 0
_BY_UKEIRE: Final = 1
_BY_SAFETY: Final = 2


class Evaluation(Record):
    """Evaluation of the discards by kind; `basis` determines which fields count."""

    shanten: Annotated[NDArray[np.int8], 34]  # after each discard; `_FAR` for kinds not evaluated
    tiles: Annotated[NDArray[np.int32], 34]  # weighted number of tiles accepted after the discard
    keep: Annotated[NDArray[np.int16], 34]  # value of keeping a tile of the kind
    risk: Annotated[NDArray[np.int32], 34]
    """Danger and value of keeping as one number: the least is discarded by a hand that folds."""
    action: Annotated[NDArray[np.int16], 34]  # action that discards each kind, −1 for none
    basis: Int8  # `_BY_RULE`, `_BY_UKEIRE` or `_BY_SAFETY`


class EfficientWorkspace(Workspace):
    """Workspace: a hand and its ukeire."""

    evaluation: Evaluation
    ukeire: Ukeire
    after_draw: Ukeire  # ukeire after the next draw
    counts: Annotated[NDArray[np.int8], 34]
    concealed: Shape
    """Tiles of ``counted`` kinds; its masks are empty unless seven pairs and thirteen orphans count."""
    counted: Int64  # kinds that serve the hand
    forms: Int64  # whether seven pairs and thirteen orphans count
    shanten: Int64  # of the best discard: the shanten that it leaves, and the tiles accepted then
    tiles: Int64


# ---------------------------------------------------------------------------------------------------------
# The hand


@leaf
def yakuhai_of(view: View) -> int:
    """Return the kinds of which a triplet is a yaku for this seat."""
    seat_wind = 27 + (int(view.seat) - int(view.dealer)) % int(view.rules.players)
    return DRAGONS | 1 << seat_wind | 1 << 27 + int(view.kyoku) // 4


@leaf
def meld_kinds(view: View) -> int:
    """Return all kinds in the seat's melds."""
    seat = view.seats[int(view.seat)]
    mask = 0
    for index in range(int(seat.calls)):
        mask |= kinds_of_meld(int(seat.melds[index].form), int(seat.melds[index].kind))
    return mask


@rule
def read_hand(view: View, workspace: EfficientWorkspace, tanyao: bool) -> None:
    """Write the hand's tiles into the workspace, for tanyao without terminals and honours."""
    counted = ALL_KINDS & ~ORPHANS_MASK if tanyao else ALL_KINDS
    held = view.hand.concealed.held
    shape = workspace.concealed
    clear_shape(shape)
    for kind in range(34):
        count = int(view.hand.counts[kind])
        workspace.counts[kind] = count
        if counted >> kind & 1:
            shape.suits[kind // 9] += count * WEIGHTS[kind]
    once, twice = int(held[1]) & counted, int(held[2]) & counted
    near = bit_count(once & ORPHANS_MASK) >= _LEAST_ORPHANS or bit_count(twice) >= _LEAST_PAIRS
    workspace.counted = counted
    workspace.forms = 1 if near else 0
    shape.held[1] = once if near else 0
    shape.held[2] = twice if near else 0


@rule
def add_tile(workspace: EfficientWorkspace, kind: int, change: int) -> None:
    """Add a tile to the workspace's hand (``change`` 1), or remove it (−1)."""
    count = int(workspace.counts[kind]) + change
    workspace.counts[kind] = count
    bit = 1 << kind
    shape = workspace.concealed
    if int(workspace.counted) & bit:
        shape.suits[kind // 9] += change * WEIGHTS[kind]
        if int(workspace.forms):
            shape.held[1] = int(shape.held[1]) | bit if count >= 1 else int(shape.held[1]) & ~bit
            shape.held[2] = int(shape.held[2]) | bit if count >= 2 else int(shape.held[2]) & ~bit


@leaf
def remove_tiles(workspace: EfficientWorkspace, kind: int, number: int) -> None:
    """Remove melded tiles from the workspace's hand."""
    for _ in range(number):
        add_tile(workspace, kind, -1)


@leaf
def faces_riichi(view: View) -> bool:
    """Return whether another seat is in riichi."""
    result = False
    for seat in range(int(view.rules.players)):
        result = result or threatens(view, seat)
    return result


@leaf
def has_yakuhai(view: View) -> bool:
    """Return whether the hand holds a triplet of yakuhai, melded or not."""
    triplets = called_triplets(view.seats[int(view.seat)]) | int(view.hand.concealed.held[3])
    return triplets & yakuhai_of(view) != 0


@leaf
def needs_tanyao(view: View) -> bool:
    """Return whether the only yaku of an open hand is tanyao: no triplet or pair of yakuhai, only simples melded."""
    pairs = int(view.hand.concealed.held[2]) & yakuhai_of(view)
    other_yaku = has_yakuhai(view) or pairs != 0
    return int(view.seats[int(view.seat)].opened) > 0 and not other_yaku and meld_kinds(view) & ORPHANS_MASK == 0


# ---------------------------------------------------------------------------------------------------------
# Discards


@rule
def keep_value(view: View, kind: int) -> int:
    """Return the value of keeping a tile, all else being equal."""
    sanma = int(view.rules.players) == 3
    value = 2 + 2 * min(kind % 9, 8 - kind % 9)
    if kind >= 27:
        value = 3 if yakuhai_of(view) >> kind & 1 else 1
    for index in range(int(view.shown)):
        if dora_of(kind_of_tile(int(view.indicators[index])), sanma) == kind:
            value += 12
    return value


@rule
def tiles_ahead(workspace: EfficientWorkspace, tables: ShantenTables, sets: int, sanma: bool, discard: int) -> int:
    """Return the tiles accepted after a discard, each times the tiles accepted after that draw."""
    total = 0
    shanten = int(workspace.ukeire.shanten[discard]) - 1
    accepted = int(workspace.ukeire.accepted[discard])
    add_tile(workspace, discard, -1)
    for kind in range(34):
        workspace.after_draw.visible[kind] = int(workspace.ukeire.visible[kind])
    for kind in range(34):
        left = 4 - int(workspace.ukeire.visible[kind])
        if not accepted >> kind & 1 or left <= 0:
            continue
        add_tile(workspace, kind, 1)
        workspace.after_draw.visible[kind] += 1
        ukeire_of_discards(tables, workspace.concealed, sets, sanma, workspace.after_draw)
        most = 0
        for other in range(34):
            if int(workspace.after_draw.shanten[other]) == shanten:
                most = max(most, int(workspace.after_draw.left[other]))
        total += left * most
        workspace.after_draw.visible[kind] -= 1
        add_tile(workspace, kind, -1)
    add_tile(workspace, discard, 1)
    return total


@leaf
def tiles_for_tanyao(ukeire: Ukeire, kind: int) -> int:
    """Return the simples accepted after a discard; orphans are discarded first."""
    if ORPHANS_MASK >> kind & 1:
        return _ORPHAN_FIRST
    accepted = int(ukeire.accepted[kind]) & ~ORPHANS_MASK
    tiles = 0
    for other in range(34):
        tiles += (accepted >> other & 1) * (4 - int(ukeire.visible[other]))
    return tiles


@leaf
def tiles_after(view: View, ukeire: Ukeire, kind: int) -> int:
    """Return the tiles accepted after a discard; half of them for a furiten tenpai hand."""
    tiles = int(ukeire.left[kind])
    river = int(view.seats[int(view.seat)].river_mask)
    if int(ukeire.shanten[kind]) == 0 and int(ukeire.accepted[kind]) & (river | 1 << kind):
        tiles = (tiles + 1) // 2
    return tiles


@rule
def best_discard(
    view: View,
    tables: ShantenTables,
    workspace: EfficientWorkspace,
    sets: int,
    kinds: int,
    tanyao: bool,
    looks_ahead: int,
) -> int:
    """Return the best discard among ``kinds``; the evaluation holds all of them.

    For tanyao terminals and honours are discarded first, and none counts as accepted.
    """
    sanma = int(view.rules.players) == 3
    ukeire, evaluation = workspace.ukeire, workspace.evaluation
    ukeire_of_discards(tables, workspace.concealed, sets, sanma, ukeire)
    least = _FAR
    for kind in range(34):
        if kinds >> kind & 1 and int(workspace.counts[kind]):
            least = min(least, int(ukeire.shanten[kind]))
    best = -1
    best_shanten, best_tiles, best_keep = _FAR, -1, 0
    for kind in range(34):
        evaluation.shanten[kind] = _FAR
        if not kinds >> kind & 1 or int(workspace.counts[kind]) == 0:
            continue
        shanten = int(ukeire.shanten[kind])
        if shanten == NOT_HELD:
            # The orphan does not count, so its discard changes nothing.
            shanten = int(ukeire.shanten[AS_IT_IS])
        if tanyao:
            tiles = tiles_for_tanyao(ukeire, kind)
        elif shanten == least and 1 <= shanten <= looks_ahead:
            tiles = tiles_ahead(workspace, tables, sets, sanma, kind)
        else:
            tiles = tiles_after(view, ukeire, kind)
        keep = keep_value(view, kind)
        evaluation.shanten[kind] = shanten
        evaluation.tiles[kind] = tiles
        evaluation.keep[kind] = keep
        better = shanten < best_shanten
        if shanten == best_shanten:
            better = tiles > best_tiles or (tiles == best_tiles and keep < best_keep)
        if better:
            best, best_shanten, best_tiles, best_keep = kind, shanten, tiles, keep
    workspace.shanten = best_shanten
    workspace.tiles = int(ukeire.left[best])
    return best


@rule
def danger_points(view: View, ukeire: Ukeire, kind: int) -> int:
    """Return the danger of a discard against all seats in riichi: 0 for tiles in all their rivers."""
    sanma = int(view.rules.players) == 3
    points = 0
    for seat in range(int(view.rules.players)):
        if threatens(view, seat):
            river = int(view.seats[seat].river_mask)
            number = danger_class(river, sanma, kind, 4 - int(ukeire.visible[kind]))
            points += _POINTS[number] if number != SAFE else 0
    return points


@rule
def safest_discard(view: View, workspace: EfficientWorkspace, kinds: int) -> int:
    """Return the kind of the safest discard; the visible tiles must be counted."""
    best = -1
    least = 1 << 20
    for kind in range(34):
        if kinds >> kind & 1 and int(view.hand.counts[kind]):
            risk = _DANGER * danger_points(view, workspace.ukeire, kind) + keep_value(view, kind)
            workspace.evaluation.risk[kind] = risk
            if risk < least:
                best, least = kind, risk
    return best


@rule
def choose_discard(view: View, tables: ShantenTables, workspace: EfficientWorkspace, looks_ahead: int) -> int:
    """Return the action of the best discard."""
    seat = view.seats[int(view.seat)]
    simple, drawn = int(view.legal[0]), int(view.drawn)
    tanyao = needs_tanyao(view)
    kinds = discard_kinds(simple, drawn)
    evaluation = workspace.evaluation
    read_hand(view, workspace, tanyao)
    best = best_discard(view, tables, workspace, 4 - int(seat.calls), kinds, tanyao, looks_ahead)
    evaluation.basis = _BY_UKEIRE
    if faces_riichi(view) and not int(seat.riichi) and int(workspace.shanten) >= 2:
        best = safest_discard(view, workspace, kinds)
        evaluation.basis = _BY_SAFETY
    for kind in range(34):
        evaluation.action[kind] = discard_action(simple, drawn, kind) if kinds >> kind & 1 else -1
    return discard_action(simple, drawn, best)


# ---------------------------------------------------------------------------------------------------------
# Wins, kans, kitas, riichi


@rule
def kan_action(view: View, tables: ShantenTables, workspace: EfficientWorkspace) -> int:
    """Return the action of a kan that does not raise the shanten, or −1."""
    closed, added = int(view.legal[1]), int(view.legal[2])
    seat = view.seats[int(view.seat)]
    if int(seat.riichi):
        return Action.ANKAN + lowest_bit(closed) if closed else -1
    if faces_riichi(view):
        return -1
    sanma = int(view.rules.players) == 3
    sets = 4 - int(seat.calls)
    read_hand(view, workspace, False)
    shanten = hand_shanten(tables, workspace.concealed, sets, sanma)
    for kind in range(34):
        if closed >> kind & 1:
            read_hand(view, workspace, False)
            remove_tiles(workspace, kind, 4)
            if hand_shanten(tables, workspace.concealed, sets - 1, sanma) <= shanten:
                return Action.ANKAN + kind
        if added >> kind & 1:
            read_hand(view, workspace, False)
            remove_tiles(workspace, kind, 1)
            if hand_shanten(tables, workspace.concealed, sets, sanma) <= shanten:
                return Action.KAKAN + kind
    return -1


@rule
def action_before_discard(view: View, tables: ShantenTables, workspace: EfficientWorkspace) -> int:
    """Return a win, a kita or a kan that does not raise the shanten; −1 for none."""
    simple = int(view.legal[0])
    if simple >> Action.TSUMO & 1:
        return Action.TSUMO
    orphans = bit_count(int(view.hand.concealed.held[1]) & ORPHANS_MASK)
    for_orphans = orphans >= _LEAST_ORPHANS and int(view.hand.counts[NORTH]) == 1
    if simple >> Action.KITA & 1 and (not for_orphans or int(view.seats[int(view.seat)].riichi)):
        return Action.KITA
    if int(view.legal[1]) | int(view.legal[2]):
        return kan_action(view, tables, workspace)
    return -1


@rule
def choose_turn(view: View, tables: ShantenTables, workspace: EfficientWorkspace, looks_ahead: int) -> int:
    """Return the action with fourteen tiles."""
    simple = int(view.legal[0])
    seat = view.seats[int(view.seat)]
    first = action_before_discard(view, tables, workspace)
    if first >= 0:
        return first
    if simple >> Action.RIICHI & 1:
        read_hand(view, workspace, False)
        kinds = discard_kinds(simple, int(view.drawn))
        best_discard(view, tables, workspace, 4 - int(seat.calls), kinds, False, looks_ahead)
        tiles = int(workspace.tiles)
        enough = tiles > _POOR_WAIT or (tiles > 0 and int(view.left) < _RIICHI_ANYWAY)
        if int(workspace.shanten) == 0 and enough:
            return Action.RIICHI
    return choose_discard(view, tables, workspace, looks_ahead)


# ---------------------------------------------------------------------------------------------------------
# Calls


@rule
def shanten_after_call(
    view: View, tables: ShantenTables, workspace: EfficientWorkspace, action: int, tanyao: bool, looks_ahead: int
) -> int:
    """Return the shanten after a chii or pon and the best discard."""
    kind = kind_of_tile(int(view.tile))
    read_hand(view, workspace, tanyao)
    if action >= Action.PON:
        remove_tiles(workspace, kind, 2)
    else:
        low = kind - (action - Action.CHII) % 3
        for other in range(low, low + 3):
            if other != kind:
                remove_tiles(workspace, other, 1)
    sets = 3 - int(view.seats[int(view.seat)].calls)
    forbidden = 1 << kind if int(view.rules.kuikae) else 0
    best_discard(view, tables, workspace, sets, ALL_KINDS & ~forbidden, tanyao, looks_ahead)
    return int(workspace.shanten)


@rule
def choose_claim(view: View, tables: ShantenTables, workspace: EfficientWorkspace, looks_ahead: int) -> int:
    """Return the action about another's tile."""
    simple = int(view.legal[0])
    if simple >> Action.RON & 1:
        return Action.RON
    kind = kind_of_tile(int(view.tile))
    seat = view.seats[int(view.seat)]
    yakuhai = yakuhai_of(view)
    has_yaku = has_yakuhai(view) or yakuhai >> kind & 1 == 1
    pairs = int(view.hand.concealed.held[2]) & yakuhai & ~(1 << kind)
    only_simples = (1 << kind | meld_kinds(view)) & ORPHANS_MASK == 0
    tanyao = not has_yaku and only_simples and int(view.rules.open_tanyao) == 1
    if not has_yaku and not tanyao and not (pairs and int(seat.opened)):
        return Action.PASS
    read_hand(view, workspace, needs_tanyao(view))
    shanten_now = hand_shanten(tables, workspace.concealed, 4 - int(seat.calls), int(view.rules.players) == 3)
    if faces_riichi(view) and shanten_now > 1:
        return Action.PASS
    best: int = Action.PASS
    best_shanten, best_tiles = shanten_now, -1
    for action in range(Action.CHII, Action.DAIMINKAN):
        if not simple >> action & 1:
            continue
        shanten = shanten_after_call(view, tables, workspace, action, tanyao and not pairs, looks_ahead)
        tiles = int(workspace.tiles)
        if tanyao and (shanten > 0 or int(view.left) > _LATE):
            continue
        # A triplet of yakuhai allows all other calls, which justifies a call that does not lower the shanten.
        as_good = shanten == best_shanten and (tiles > best_tiles if best != Action.PASS else yakuhai >> kind & 1 == 1)
        if shanten < best_shanten or as_good:
            best, best_shanten, best_tiles = action, shanten, tiles
    return best


@rule
def efficient_action(view: View, tables: ShantenTables, workspace: EfficientWorkspace, looks_ahead: int) -> int:
    """Return the agent's action; the workspace's evaluation holds the reasons. ``looks_ahead``: see `LOOKS_AHEAD`."""
    count_visible(view, workspace.ukeire)
    workspace.evaluation.basis = _BY_RULE
    phase = int(view.phase)
    if phase == Phase.CLAIM:
        return choose_claim(view, tables, workspace, looks_ahead)
    if phase == Phase.CALLED_DISCARD or int(view.legal[0]) >> Action.PASS & 1:
        return choose_discard(view, tables, workspace, looks_ahead)
    return choose_turn(view, tables, workspace, looks_ahead)


@rule
def evaluate_view(
    view: View, tables: ShantenTables, workspace: EfficientWorkspace, looks_ahead: int, evaluation: Evaluation
) -> Int16:
    """Return the agent's action and write its evaluation of the discards."""
    action = efficient_action(view, tables, workspace, looks_ahead)
    copy_record(workspace.evaluation, evaluation)
    return action


_evaluate_views = batched(evaluate_view, brief=True)

#: Compiled functions of the agent, for `janshi.compiling.prepare`.
ENTRIES: Final = (_evaluate_views,)


class EfficientAgent:
    """See the module. ``looks_ahead``: see `LOOKS_AHEAD`."""

    players = THREE_OR_FOUR
    description = "rule-based: minimises shanten; folds to a riichi when far from tenpai"

    def __init__(self, name: str = "efficient", *, looks_ahead: int = LOOKS_AHEAD) -> None:
        self.name = name
        self.looks_ahead = looks_ahead
        _evaluate_views.is_expected = True

    def act(self, batch: DecisionBatch) -> NDArray[np.int16]:
        """Return one action for each decision: see `janshi.agents.protocol.Agent`."""
        return self._evaluate(batch)[0]

    def preferences(self, batch: DecisionBatch) -> NDArray[np.float32]:
        """Return the share of each action (n, 122): see `janshi.agents.protocol.Reviewer`.

        Decisions by rule (wins, calls, kans, kitas, riichi) get the whole share. For discards, each step of shanten
        divides the share by 20; at equal shanten it is proportional to the accepted tiles (at least a tenth of the
        best). If the hand folds, every 4 points of danger halve it. A fifth of the total is divided equally among all
        legal actions (`janshi.agents.policy.smoothed`).
        """
        actions, evaluations = self._evaluate(batch)
        shares = np.zeros(batch.legal.shape, np.float32)
        shares[np.arange(len(batch)), actions] = 1
        for basis, weigh in ((_BY_UKEIRE, _ukeire_weights), (_BY_SAFETY, _safety_weights)):
            for row in np.flatnonzero(evaluations["basis"] == basis).tolist():
                evaluation = evaluations[row]
                kinds = np.flatnonzero(evaluation["shanten"] < _FAR)
                weights = weigh(evaluation, kinds)
                shares[row] = 0
                shares[row, evaluation["action"][kinds]] = weights / weights.sum()
        return smoothed(shares, batch.legal)

    def _evaluate(self, batch: DecisionBatch) -> tuple[NDArray[np.int16], NDArray[Any]]:
        """Return the actions (n) and the evaluations (n)."""
        check_agent(self, batch.rules)
        evaluations = zeros(Evaluation, len(batch))
        actions = _evaluate_views(batch.views, self.looks_ahead, evaluations)
        return cast("NDArray[np.int16]", actions), cast("NDArray[Any]", evaluations)


def _ukeire_weights(evaluation: np.void, kinds: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return weights of discards by shanten and accepted tiles, in the agent's order: no two are equal."""
    shanten, keep = (evaluation[name][kinds].astype(np.int64) for name in ("shanten", "keep"))
    tiles = evaluation["tiles"][kinds].astype(np.int64)
    weights = np.zeros(len(kinds))
    for level in np.unique(shanten):
        rows = shanten == level
        most = max(int(tiles[rows].max()), 1)
        weights[rows] = 0.05 ** float(level - shanten.min()) * np.maximum(tiles[rows] / most, 0.1)
    return _in_order(weights, np.lexsort((kinds, keep, -tiles, shanten)))


def _safety_weights(evaluation: np.void, kinds: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return weights of discards by safety, in the agent's order: no two are equal."""
    risk = evaluation["risk"][kinds].astype(np.int64)
    points = risk // _DANGER
    return _in_order(0.5 ** ((points - points.min()) / 4), np.lexsort((kinds, risk)))


def _in_order(weights: NDArray[np.float64], order: NDArray[np.int64]) -> NDArray[np.float64]:
    """Make each weight a little less than the one before it in an order."""
    weights[order] *= 0.99 ** np.arange(len(order))
    return weights
