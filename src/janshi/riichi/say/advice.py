"""The numbers of an advice on one decision, from what its seat sees.

* Shanten, ukeire and visible tiles left after each discard; at tenpai also waits and furiten. For calls, kans and kitas
  the same, after the best discard if one follows.
* Safety of each discard against every seat in riichi: tiles that cannot deal in (its river, and tiles passed since),
  suji, no chance and one chance, honours without a possible pair; and the share of such tiles that were waited for in
  records (`janshi.riichi.analysis.danger`).
"""

from __future__ import annotations

from typing import Final

from janshi.compiling import batched, copy_record, leaf, rule
from janshi.core.kinds import kind_of_tile
from janshi.core.shanten import AS_IT_IS, Ukeire, ukeire_as_it_is, ukeire_of_discards
from janshi.core.shanten_tables import ShantenTables
from janshi.riichi.actions import ACTIONS, Action
from janshi.riichi.analysis.danger import CLASSES, HONOURS, ROWS, SAFE, danger_class, rates, threatens
from janshi.riichi.analysis.visible import count_visible
from janshi.riichi.hands.concealed import give, give_all
from janshi.riichi.say.options import is_legal, is_meld
from janshi.riichi.say.own import TO_THE_END, is_furiten, tiles_in
from janshi.riichi.say.question import barred_after
from janshi.riichi.say.values import RiichiSayWorkspace
from janshi.riichi.state import Phase, View
from janshi.say.candidates import sort_candidates
from janshi.say.names import SAFETY
from janshi.say.records import CALLS, DISCARDS, Accepts, AdviceNumbers, AfterRow, CandidateRow
from janshi.tiles import NORTH

_SAFE: Final = SAFETY.index("safe")
_SUJI: Final = SAFETY.index("suji")
_SCARCE: Final = SAFETY.index("scarce")
_OPEN: Final = SAFETY.index("open")
#: Safety by the number of two-sided waits that the hidden tiles allow.
_CHANCES: Final = (SAFETY.index("no_chance"), SAFETY.index("one_chance"), _OPEN)
#: Shares of the tiles that were waited for: players, classes and rows of the river in one line.
_RATES: Final = tuple(rates().ravel().tolist())


@leaf
def write_accepts(ukeire: Ukeire, slot: int, out: Accepts) -> None:
    """Write the accepted kinds of a slot with the tiles left of each."""
    out.accepts_count = 0
    out.left = 0
    for kind in range(34):
        if int(ukeire.accepted[slot]) >> kind & 1:
            left = 4 - int(ukeire.visible[kind])
            row = out.accepts[int(out.accepts_count)]
            row.tile = kind
            row.left = left
            out.left += left
            out.accepts_count += 1


# ---------------------------------------------------------------------------------------------------------
# Danger


@leaf
def class_against(view: View, ukeire: Ukeire, seat: int, kind: int) -> int:
    """Return the class of a discard against a seat in riichi: see `janshi.riichi.analysis.danger.danger_class`."""
    cannot = int(view.seats[seat].river_mask) | int(view.seats[seat].passed)
    return danger_class(cannot, int(view.rules.players) == 3, kind, 4 - int(ukeire.visible[kind]))


@leaf
def two_sided_waits(view: View, ukeire: Ukeire, seat: int, kind: int) -> int:
    """Return the number of two-sided waits of a seat on a kind, of one side, that the hidden tiles allow at most.

    Each needs both kinds next to it on that side; a side whose other end the seat cannot win on (suji) does not count.
    """
    cannot = int(view.seats[seat].river_mask) | int(view.seats[seat].passed)
    most = 0
    for side in range(-1, 2, 2):
        if 0 <= kind % 9 + 3 * side < 9 and not cannot >> kind + 3 * side & 1:
            first, second = int(ukeire.visible[kind + side]), int(ukeire.visible[kind + 2 * side])
            most = max(most, 4 - max(first, second))
    return most


@leaf
def safety_against(view: View, ukeire: Ukeire, seat: int, kind: int) -> int:
    """Return the safety of a discard against a seat: a place in `SAFETY`."""
    number = class_against(view, ukeire, seat, kind)
    if number == SAFE:
        return _SAFE
    if number >= HONOURS:
        return _SCARCE if (number - HONOURS) % 4 <= 1 else _OPEN
    if number % 3 == 0:
        return _SUJI
    return _CHANCES[min(two_sided_waits(view, ukeire, seat, kind), 2)]


@leaf
def risk_of_kind(view: View, ukeire: Ukeire, kind: int) -> float:
    """Return the probability of dealing in by a discard; waits of several seats are taken as independent."""
    row = min(int(view.seats[int(view.seat)].discards) // 6, ROWS - 1)
    passes = 1.0
    for seat in range(4):
        if threatens(view, seat):
            number = class_against(view, ukeire, seat, kind)
            if number >= 0:
                passes *= 1.0 - _RATES[((int(view.rules.players) - 3) * CLASSES + number) * ROWS + row]
    return 1.0 - passes


# ---------------------------------------------------------------------------------------------------------
# Discards


@leaf
def add_action(view: View, action: int, kind: int, out: CandidateRow) -> None:
    """Add an action to those that discard a kind, if it is legal and does."""
    tile = int(view.drawn) if action == Action.TSUMOGIRI else action
    if is_legal(view, action) and kind_of_tile(tile) == kind:
        out.actions[int(out.actions_count)] = action
        out.actions_count += 1


@rule
def write_candidate(view: View, ukeire: Ukeire, kind: int, out: CandidateRow) -> bool:
    """Write the discard of a kind; return whether it is possible."""
    out.actions_count = 0
    add_action(view, kind, kind, out)
    for red in range(34, 38):
        add_action(view, red, kind, out)
    if int(out.actions_count) == 0:
        return False
    mask = int(ukeire.accepted[kind])
    out.tile = kind
    out.shanten = int(ukeire.shanten[kind])
    out.worth_count = 0
    out.furiten = 1 if int(out.shanten) == 0 and is_furiten(view, mask, TO_THE_END, 1 << kind) else 0
    write_accepts(ukeire, kind, out.ukeire)
    for seat in range(4):
        out.safety[seat] = safety_against(view, ukeire, seat, kind) if threatens(view, seat) else -1
    return True


@rule
def write_candidates(view: View, ukeire: Ukeire, out: AdviceNumbers) -> None:
    """Write the possible discards with their risks, the best first."""
    out.candidates_count = 0
    out.risk_count = -1
    threatened = False
    for seat in range(4):
        threatened = threatened or threatens(view, seat)
    for kind in range(34):
        last = int(out.candidates_count)
        if last < DISCARDS and write_candidate(view, ukeire, kind, out.candidates[last]):
            row = out.candidates[last]
            out.candidates_count += 1
            if threatened:
                add_risks(view, ukeire, row, out)
    sort_candidates(out)


@leaf
def add_risks(view: View, ukeire: Ukeire, row: CandidateRow, out: AdviceNumbers) -> None:
    """Add the risk of each action that discards a kind."""
    out.risk_count = max(int(out.risk_count), 0)
    for number in range(int(row.actions_count)):
        risk = out.risk[int(out.risk_count)]
        risk.action = int(row.actions[number])
        risk.risk = risk_of_kind(view, ukeire, int(row.tile))
        out.risk_count += 1


# ---------------------------------------------------------------------------------------------------------
# Calls, kans, kitas


@leaf
def lay_kinds(view: View, work: RiichiSayWorkspace, action: int) -> None:
    """Take the tiles that an action lays down out of the hand ``work.held``, whatever their colour."""
    called = kind_of_tile(int(view.tile))
    if action >= Action.KAKAN:
        give(work.held, action - Action.KAKAN)
    elif action >= Action.ANKAN:
        give_all(work.held, action - Action.ANKAN, 4)
    elif action == Action.KITA:
        give(work.held, NORTH)
    elif action >= Action.PON:
        give_all(work.held, called, 3 if action == Action.DAIMINKAN else 2)
    else:
        low = called - (action - Action.CHII) % 3
        for kind in range(low, low + 3):
            if kind != called:
                give(work.held, kind)


@rule
def write_after_call(view: View, tables: ShantenTables, work: RiichiSayWorkspace, action: int, out: AfterRow) -> None:
    """Write the hand after a call, kan or kita, and after the best discard if one follows."""
    copy_record(view.hand, work.held)
    lay_kinds(view, work, action)
    added = 0 if action == Action.KITA or action >= Action.KAKAN else 1
    sets = 4 - int(view.seats[int(view.seat)].calls) - added
    sanma = int(view.rules.players) == 3
    ukeire = work.ukeire
    slot = AS_IT_IS
    if tiles_in(work.held) % 3 == 2:
        ukeire_of_discards(tables, work.held.concealed, sets, sanma, ukeire)
        barred = barred_after(view, action)
        for kind in range(34):
            if int(work.held.counts[kind]) and not barred >> kind & 1:
                fewer = int(ukeire.shanten[kind]) - int(ukeire.shanten[slot])
                if slot == AS_IT_IS or fewer < 0 or (fewer == 0 and int(ukeire.left[kind]) > int(ukeire.left[slot])):
                    slot = kind
    else:
        ukeire_as_it_is(tables, work.held.concealed, sets, sanma, ukeire)
    out.action = action
    out.discard = slot if slot != AS_IT_IS else -1
    out.shanten = int(ukeire.shanten[slot])
    write_accepts(ukeire, slot, out.ukeire)


@rule
def write_advice(view: View, tables: ShantenTables, work: RiichiSayWorkspace, out: AdviceNumbers) -> None:
    """Write shanten, discards and calls of a decision."""
    ukeire = work.ukeire
    count_visible(view, ukeire)
    sets = 4 - int(view.seats[int(view.seat)].calls)
    sanma = int(view.rules.players) == 3
    copy_record(view.hand, work.held)
    if int(view.phase) == Phase.CLAIM:
        ukeire_as_it_is(tables, work.held.concealed, sets, sanma, ukeire)
    else:
        ukeire_of_discards(tables, work.held.concealed, sets, sanma, ukeire)
    out.shanten = int(ukeire.shanten[AS_IT_IS])
    out.voids_count = 0
    write_candidates(view, ukeire, out)
    out.after_count = 0
    for action in range(ACTIONS):
        if is_legal(view, action) and (is_meld(action) or action == Action.KITA) and int(out.after_count) < CALLS:
            write_after_call(view, tables, work, action, out.after[int(out.after_count)])
            out.after_count += 1


advice_numbers = batched(write_advice, brief=True)
