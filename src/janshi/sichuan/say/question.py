"""A seat's knowledge of its own hand, and the question of a decision with what its options lead to."""

from __future__ import annotations

from typing import Final

from janshi.compiling import batched, leaf, rule
from janshi.core.shanten_tables import ShantenTables
from janshi.say.names import ACTION_NAMES
from janshi.say.records import DISCARDS, DecisionOptions, OptionRow, OwnHand
from janshi.sichuan.actions import ACTIONS, Action
from janshi.sichuan.hands.score import ukeire_of_record
from janshi.sichuan.hands.ukeire import AS_IT_IS
from janshi.sichuan.say.values import SichuanSayWorkspace, holds_14, read_seat, read_win, write_waiting, write_worth
from janshi.sichuan.state import KINDS, Phase, View

_DISCARD: Final = ACTION_NAMES.index("discard")
_GIVE: Final = ACTION_NAMES.index("give")
_LAY: Final = ACTION_NAMES.index("lay")
_VOID: Final = ACTION_NAMES.index("void_m")
_PON: Final = ACTION_NAMES.index("pon")
_DAIMINKAN: Final = ACTION_NAMES.index("daiminkan")
_ANKAN: Final = ACTION_NAMES.index("ankan")
_KAKAN: Final = ACTION_NAMES.index("kakan")
_WIN: Final = ACTION_NAMES.index("win")
_PASS: Final = ACTION_NAMES.index("pass")


@rule
def write_own(view: View, tables: ShantenTables, work: SichuanSayWorkspace, out: OwnHand) -> None:
    """Write shanten and waits of a seat's hand without a tile just drawn; of a winner shanten −1, and no waits."""
    out.known = 1
    out.shanten = -1 if int(view.seats[int(view.seat)].won) else 0
    out.waiting.waits_count = 0
    out.waiting.worth_count = 0
    out.waiting.furiten = 0
    if int(out.shanten) < 0 or int(view.hand.void) < 0:
        return
    read_seat(view, tables, work)
    if holds_14(work.hand):
        out.known = 0 if int(view.drawn) < 0 else 1
        if int(out.known) == 0:
            return
        work.hand.counts[int(view.drawn)] -= 1
        ukeire_of_record(tables, work.hand, work.tools, work.ukeire)
    out.shanten = int(work.ukeire.shanten[AS_IT_IS])
    if int(out.shanten) == 0:
        write_waiting(view, tables, work, int(work.ukeire.accepted[AS_IT_IS]), out.waiting)


# ---------------------------------------------------------------------------------------------------------
# Options


@leaf
def is_legal(view: View, action: int) -> bool:
    """Return whether an action is legal."""
    return int(view.legal) >> action & 1 == 1


@leaf
def is_discard(view: View, action: int) -> bool:
    """Return whether an action is a discard in play."""
    phase = int(view.phase)
    return action < Action.VOID and phase != Phase.EXCHANGE and phase != Phase.VOID


@leaf
def write_own_kong(view: View, kind: int, out: OptionRow) -> None:
    """Write a concealed or added kong."""
    out.tile = kind
    if int(view.seats[int(view.seat)].pungs) >> kind & 1:
        out.name = _KAKAN
        return
    out.name = _ANKAN
    for number in range(4):
        out.tiles[number] = kind


@rule
def write_option(view: View, action: int, out: OptionRow) -> None:
    """Write a legal action with its tiles."""
    phase = int(view.phase)
    out.action = action
    out.tile = -1
    out.tsumogiri = 0
    for number in range(4):
        out.tiles[number] = -1
    if action < Action.VOID:
        out.tile = action
        out.name = _GIVE if phase == Phase.EXCHANGE else _LAY if phase == Phase.VOID else _DISCARD
    elif action < Action.PUNG:
        out.name = _VOID + action - Action.VOID
    elif action == Action.PASS:
        out.name = _PASS
    elif action == Action.WIN:
        out.name = _WIN
        out.tile = int(view.drawn) if phase == Phase.TURN else int(view.tile)
    elif action >= Action.OWN_KONG:
        write_own_kong(view, action - Action.OWN_KONG, out)
    else:
        out.name = _PON if action == Action.PUNG else _DAIMINKAN
        out.tile = int(view.tile)
        for number in range(2 if action == Action.PUNG else 3):
            out.tiles[number] = int(view.tile)


@rule
def write_options(view: View, out: DecisionOptions) -> None:
    """Write all legal actions in their order: two for a discard if another tile of the kind just drawn is held."""
    out.options_count = 0
    for action in range(ACTIONS):
        if is_legal(view, action):
            drawn = is_discard(view, action) and action == int(view.drawn)
            if not drawn or int(view.hand.counts[action]) > 1:
                write_option(view, action, out.options[int(out.options_count)])
                out.options_count += 1
            if drawn:
                write_option(view, action, out.options[int(out.options_count)])
                out.options[int(out.options_count)].tsumogiri = 1
                out.options_count += 1


@rule
def write_discards(view: View, tables: ShantenTables, work: SichuanSayWorkspace, out: DecisionOptions) -> None:
    """Write the discards that leave the hand tenpai."""
    out.discards_count = 0
    for kind in range(KINDS):
        if is_legal(view, kind) and is_discard(view, kind) and int(work.ukeire.shanten[kind]) == 0:
            row = out.discards[min(int(out.discards_count), DISCARDS - 1)]
            row.tile = kind
            work.hand.counts[kind] -= 1
            write_waiting(view, tables, work, int(work.ukeire.accepted[kind]), row.waiting)
            work.hand.counts[kind] += 1
            out.discards_count = min(int(out.discards_count) + 1, DISCARDS)


@rule
def write_question(view: View, tables: ShantenTables, work: SichuanSayWorkspace, out: DecisionOptions) -> None:
    """Write the options of a decision with what each leads to; every complete hand wins, so calls lead to no less."""
    write_options(view, out)
    read_seat(view, tables, work)
    write_discards(view, tables, work, out)
    out.calls_count = 0
    out.win_count = 0
    if is_legal(view, Action.WIN):
        read_win(view, work.trial)
        if write_worth(view.rules, tables, work, out.win[0]):
            out.win_count = 1


own_hands = batched(write_own, brief=True)
questions = batched(write_question, brief=True)
