"""The numbers of an advice on one decision, from what its seat sees.

Shanten and ukeire under the void suit after each discard and call, the value of each wait, the effect of each void
suit, and the opponents who cannot win on a tile because they have voided its suit.
"""

from __future__ import annotations

from typing import Final

from janshi.compiling import batched, copy_record, leaf, rule
from janshi.core.shanten_tables import ShantenTables
from janshi.say.candidates import sort_candidates
from janshi.say.names import SAFETY
from janshi.say.records import CALLS, DISCARDS, Accepts, AdviceNumbers, AfterRow, CandidateRow
from janshi.sichuan.actions import ACTIONS, Action
from janshi.sichuan.hands.score import ukeire_of_record
from janshi.sichuan.hands.ukeire import AS_IT_IS, NOT_HELD, Ukeire
from janshi.sichuan.say.question import is_legal
from janshi.sichuan.say.values import SichuanSayWorkspace, read_seat, write_waiting
from janshi.sichuan.state import KINDS, Phase, View

_SAFE: Final = SAFETY.index("safe")


@leaf
def write_accepts(ukeire: Ukeire, slot: int, out: Accepts) -> None:
    """Write the accepted kinds of a slot with the tiles left of each."""
    out.accepts_count = 0
    out.left = int(ukeire.left[slot])
    for kind in range(KINDS):
        if int(ukeire.accepted[slot]) >> kind & 1:
            row = out.accepts[int(out.accepts_count)]
            row.tile = kind
            row.left = 4 - int(ukeire.visible[kind])
            out.accepts_count += 1


@leaf
def cannot_win(view: View, who: int, kind: int) -> bool:
    """Return whether another seat still in has voided the suit of a tile."""
    seat = view.seats[who]
    return who != int(view.seat) and int(seat.won) == 0 and int(seat.void) == kind // 9


@rule
def write_candidate(view: View, tables: ShantenTables, work: SichuanSayWorkspace, kind: int, out: CandidateRow) -> None:
    """Write the discard of a kind."""
    ukeire = work.ukeire
    # A tile that lies face down is of the void suit and is not held.
    slot = kind if int(ukeire.shanten[kind]) != NOT_HELD else AS_IT_IS
    out.tile = kind
    out.actions_count = 1
    out.actions[0] = kind
    out.shanten = int(ukeire.shanten[slot])
    out.furiten = 0
    out.worth_count = 0
    write_accepts(ukeire, slot, out.ukeire)
    for who in range(4):
        out.safety[who] = _SAFE if cannot_win(view, who, kind) else -1
    if int(out.shanten) == 0:
        work.hand.counts[kind] -= 1
        write_waiting(view, tables, work, int(ukeire.accepted[slot]), work.waiting)
        work.hand.counts[kind] += 1
        out.worth_count = int(work.waiting.worth_count)
        for place in range(int(out.worth_count)):
            copy_record(work.waiting.worth[place], out.worth[place])


@rule
def write_after(view: View, tables: ShantenTables, work: SichuanSayWorkspace, action: int, out: AfterRow) -> None:
    """Write the hand after a pung or kong; after a pung, with the best discard."""
    hand, ukeire = work.trial, work.ukeire
    copy_record(work.hand, hand)
    kind = int(view.tile) if action < Action.OWN_KONG else action - Action.OWN_KONG
    if action == Action.PUNG:
        hand.counts[kind] -= 2
        hand.pungs |= 1 << kind
    else:
        hand.counts[kind] = 0
        hand.pungs &= ~(1 << kind)
        hand.kongs |= 1 << kind
    ukeire_of_record(tables, hand, work.tools, ukeire)
    slot = AS_IT_IS
    for place in range(KINDS):
        shanten = int(ukeire.shanten[place])
        if shanten != NOT_HELD:
            fewer = shanten - int(ukeire.shanten[slot])
            if slot == AS_IT_IS or fewer < 0 or (fewer == 0 and int(ukeire.left[place]) > int(ukeire.left[slot])):
                slot = place
    out.action = action
    out.discard = slot if slot != AS_IT_IS else -1
    out.shanten = int(ukeire.shanten[slot])
    write_accepts(ukeire, slot, out.ukeire)


@rule
def write_voids(view: View, tables: ShantenTables, work: SichuanSayWorkspace, out: AdviceNumbers) -> None:
    """Write the hand after each choice of a void suit."""
    out.voids_count = 3
    for suit in range(3):
        work.hand.void = suit
        ukeire_of_record(tables, work.hand, work.tools, work.ukeire)
        row = out.voids[suit]
        row.suit = suit
        row.shanten = int(work.ukeire.shanten[AS_IT_IS])
        row.tiles = 0
        for kind in range(9 * suit, 9 * suit + 9):
            row.tiles += int(work.hand.counts[kind])


@rule
def write_candidates(view: View, tables: ShantenTables, work: SichuanSayWorkspace, out: AdviceNumbers) -> None:
    """Write the possible discards, the best first."""
    for kind in range(KINDS):
        last = int(out.candidates_count)
        if is_legal(view, kind) and last < DISCARDS:
            write_candidate(view, tables, work, kind, out.candidates[last])
            out.candidates_count += 1
    sort_candidates(out)


@rule
def write_advice(view: View, tables: ShantenTables, work: SichuanSayWorkspace, out: AdviceNumbers) -> None:
    """Write shanten, discards, calls and void suits of a decision."""
    read_seat(view, tables, work)
    phase = int(view.phase)
    out.shanten = int(work.ukeire.shanten[AS_IT_IS])
    out.candidates_count = 0
    out.after_count = 0
    out.risk_count = -1
    out.voids_count = 0
    if phase == Phase.EXCHANGE or phase == Phase.VOID:
        write_voids(view, tables, work, out)
        return
    if phase != Phase.CLAIM:
        write_candidates(view, tables, work, out)
    for action in range(Action.PUNG, ACTIONS):
        kong = action >= Action.OWN_KONG or action <= Action.EXPOSED_KONG
        if is_legal(view, action) and kong and int(out.after_count) < CALLS:
            write_after(view, tables, work, action, out.after[int(out.after_count)])
            out.after_count += 1


advice_numbers = batched(write_advice, brief=True)
