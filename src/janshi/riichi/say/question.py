"""The question of a decision: its options, and what they lead to."""

from __future__ import annotations

from janshi.compiling import batched, copy_record, leaf, rule
from janshi.core.kinds import kind_of_tile
from janshi.core.shanten import AS_IT_IS, ukeire_as_it_is, ukeire_of_discards
from janshi.core.shanten_tables import ShantenTables
from janshi.riichi.actions import Action
from janshi.riichi.analysis.visible import count_visible
from janshi.riichi.hands.concealed import give
from janshi.riichi.play.legal import forbidden_after_chii
from janshi.riichi.say.options import is_legal, is_meld, write_options
from janshi.riichi.say.own import TO_THE_END, is_furiten
from janshi.riichi.say.values import RiichiSayWorkspace, read_win, read_winning, write_waiting, write_worth
from janshi.riichi.state import MeldForm, View, Winning
from janshi.say.records import CALLS, DISCARDS, CallRow, DecisionOptions, OptionRow, Waiting


@leaf
def take_out(work: RiichiSayWorkspace, tile: int) -> None:
    """Take a tile out of the hand that is valued."""
    work.winning.counts[kind_of_tile(tile)] -= 1
    work.winning.reds -= 1 if tile >= 34 else 0


@rule
def write_after(view: View, work: RiichiSayWorkspace, slot: int, tile: int, out: Waiting) -> None:
    """Write the waits of the hand after the discard of a tile (−1: none); its ukeire stands in ``slot``."""
    mask = int(work.ukeire.accepted[slot])
    discards = 0
    if tile >= 0:
        discards = 1 << kind_of_tile(tile)
        take_out(work, tile)
    write_waiting(view, work, mask, is_furiten(view, mask, TO_THE_END, discards), out)
    if tile >= 0:
        work.winning.counts[kind_of_tile(tile)] += 1
        work.winning.reds += 1 if tile >= 34 else 0


@rule
def write_discards(view: View, tables: ShantenTables, work: RiichiSayWorkspace, out: DecisionOptions) -> None:
    """Write the discards among the options that leave the hand tenpai, each tile once."""
    out.discards_count = 0
    simple = int(view.legal[0])
    drawn = int(view.drawn) if simple >> Action.TSUMOGIRI & 1 else -1
    if simple & (1 << Action.TSUMOGIRI + 1) - 1 == 0:
        return
    read_winning(view, work.winning)
    copy_record(view.hand, work.held)
    sets = 4 - int(work.winning.calls)
    ukeire_of_discards(tables, work.held.concealed, sets, int(view.rules.players) == 3, work.ukeire)
    for number in range(38):
        tile = number if number < 37 else drawn
        among = simple >> number & 1 == 1 if number < 37 else drawn >= 0 and simple >> drawn & 1 == 0
        if among and int(work.ukeire.shanten[kind_of_tile(tile)]) == 0 and int(out.discards_count) < DISCARDS:
            row = out.discards[int(out.discards_count)]
            row.tile = tile
            write_after(view, work, kind_of_tile(tile), tile, row.waiting)
            out.discards_count += 1


# ---------------------------------------------------------------------------------------------------------
# Calls and kans


@leaf
def add_meld(hand: Winning, form: int, kind: int, red: bool) -> None:
    """Add a call or kan to the hand that is valued; ``red``: whether the called tile is red."""
    if form == MeldForm.KAKAN:
        for meld in range(int(hand.calls)):
            if int(hand.forms[meld]) == MeldForm.PON and int(hand.kinds[meld]) == kind:
                hand.forms[meld] = form
        return
    hand.forms[int(hand.calls)] = form
    hand.kinds[int(hand.calls)] = kind
    hand.calls += 1
    hand.reds += 1 if red else 0


@leaf
def barred_after(view: View, action: int) -> int:
    """Return the kinds that may not be discarded after a chii or pon (kuikae), as a mask."""
    # Nothing but the called tile is barred after a pon, as after a chii in the middle.
    position = (action - Action.CHII) % 3 if action < Action.PON else 1
    return forbidden_after_chii(int(view.rules.kuikae), kind_of_tile(int(view.tile)), position)


@leaf
def meld_form(action: int) -> int:
    """Return the form of the meld that an action makes."""
    if action >= Action.KAKAN:
        return MeldForm.KAKAN
    if action >= Action.ANKAN:
        return MeldForm.ANKAN
    if action == Action.DAIMINKAN:
        return MeldForm.DAIMINKAN
    return MeldForm.PON if action >= Action.PON else MeldForm.CHII


@leaf
def lay_down(view: View, option: OptionRow, work: RiichiSayWorkspace) -> None:
    """Read the hand of a view, and lay down the meld of an option."""
    action = int(option.action)
    read_winning(view, work.winning)
    copy_record(view.hand, work.held)
    kind = kind_of_tile(int(option.tile))
    if action >= Action.KAKAN:
        give(work.held, int(option.tile))
        work.winning.counts[kind] -= 1
    for number in range(4):
        tile = int(option.tiles[number])
        if tile >= 0:
            give(work.held, tile)
            work.winning.counts[kind_of_tile(tile)] -= 1
            kind = min(kind, kind_of_tile(tile))
    claims = action < Action.ANKAN
    add_meld(work.winning, meld_form(action), kind, claims and int(option.tile) >= 34)


@leaf
def is_better(call: CallRow, best: CallRow) -> bool:
    """Return whether a discard after a call is better: tiles that win by a yaku, no furiten, all tiles."""
    chances, best_chances = tiles_to_win(call.waiting), tiles_to_win(best.waiting)
    if chances != best_chances:
        return chances > best_chances
    furiten, best_furiten = int(call.waiting.furiten), int(best.waiting.furiten)
    if furiten != best_furiten:
        return furiten < best_furiten
    return tiles_to_wait(call.waiting) > tiles_to_wait(best.waiting)


@leaf
def tiles_to_wait(waiting: Waiting) -> int:
    """Return the number of tiles left of all waits."""
    total = 0
    for number in range(int(waiting.waits_count)):
        total += int(waiting.waits[number].left)
    return total


@leaf
def tiles_to_win(waiting: Waiting) -> int:
    """Return the number of tiles left of the waits that have a yaku."""
    total = 0
    for number in range(int(waiting.waits_count)):
        for place in range(int(waiting.worth_count)):
            worth = waiting.worth[place]
            if int(worth.tile) == int(waiting.waits[number].tile) and int(worth.points):
                total += int(waiting.waits[number].left)
    return total


@rule
def write_call_after(
    view: View, tables: ShantenTables, work: RiichiSayWorkspace, option: OptionRow, out: CallRow
) -> bool:
    """Write the waits after a call or kan, and after the best discard if one follows; return whether it is tenpai."""
    lay_down(view, option, work)
    action = int(option.action)
    sets = 4 - int(work.winning.calls)
    sanma = int(view.rules.players) == 3
    out.action = action
    out.discard = -1
    if action == Action.DAIMINKAN or action >= Action.ANKAN:
        ukeire_as_it_is(tables, work.held.concealed, sets, sanma, work.ukeire)
        if int(work.ukeire.shanten[AS_IT_IS]) != 0:
            return False
        write_after(view, work, AS_IT_IS, -1, out.waiting)
        return True
    ukeire_of_discards(tables, work.held.concealed, sets, sanma, work.ukeire)
    barred = barred_after(view, action)
    found = False
    for kind in range(34):
        if int(work.ukeire.shanten[kind]) == 0 and not barred >> kind & 1:
            plain = int(work.held.counts[kind])
            if kind < 27 and kind % 9 == 4:
                plain -= int(work.held.reds[kind // 9])
            tile = kind if plain else 34 + kind // 9  # a plain five goes before a red one
            work.call.action = action
            work.call.discard = tile
            write_after(view, work, kind, tile, work.call.waiting)
            if not found or is_better(work.call, out):
                copy_record(work.call, out)
            found = True
    return found


@rule
def write_calls(view: View, tables: ShantenTables, work: RiichiSayWorkspace, out: DecisionOptions) -> None:
    """Write the calls and kans among the options that leave the hand tenpai."""
    out.calls_count = 0
    for number in range(int(out.options_count)):
        option = out.options[number]
        place = min(int(out.calls_count), CALLS - 1)
        if is_meld(int(option.action)) and write_call_after(view, tables, work, option, out.calls[place]):
            out.calls_count = place + 1


@rule
def write_win(view: View, work: RiichiSayWorkspace, out: DecisionOptions) -> None:
    """Write the value of an offered win."""
    out.win_count = 0
    tsumo, ron = is_legal(view, Action.TSUMO), is_legal(view, Action.RON)
    if tsumo or ron:
        read_win(view, tsumo, work.trial)
        if write_worth(view.rules, work, out.win[0]):
            out.win_count = 1


@rule
def write_question(view: View, tables: ShantenTables, work: RiichiSayWorkspace, out: DecisionOptions) -> None:
    """Write the options of a decision with what each leads to."""
    write_options(view, out)
    count_visible(view, work.ukeire)
    write_win(view, work, out)
    write_discards(view, tables, work, out)
    write_calls(view, tables, work, out)


questions = batched(write_question, brief=True)
