"""The legal actions of a seat, as buttons and tiles."""

from __future__ import annotations

from typing import Final

from janshi.compiling import Batch, entry, leaf, rule
from janshi.core.kinds import kind_of_tile
from janshi.riichi.actions import ACTIONS, Action
from janshi.riichi.rules.record import RulesRecord
from janshi.riichi.state import Offer, Phase, View
from janshi.say.names import ACTION_NAMES
from janshi.say.records import OPTIONS, DecisionOptions, OptionRow
from janshi.tiles import NORTH

_DISCARD: Final = ACTION_NAMES.index("discard")
_RIICHI: Final = ACTION_NAMES.index("riichi")
_CHII: Final = ACTION_NAMES.index("chi")
_PON: Final = ACTION_NAMES.index("pon")
_DAIMINKAN: Final = ACTION_NAMES.index("daiminkan")
_ANKAN: Final = ACTION_NAMES.index("ankan")
_KAKAN: Final = ACTION_NAMES.index("kakan")
_KITA: Final = ACTION_NAMES.index("kita")
_TSUMO: Final = ACTION_NAMES.index("tsumo")
_RON: Final = ACTION_NAMES.index("ron")
_KYUUSHU_KYUUHAI: Final = ACTION_NAMES.index("kyuushu_kyuuhai")
_PASS: Final = ACTION_NAMES.index("pass")
_TENPAI: Final = ACTION_NAMES.index("tenpai")
_NOTEN: Final = ACTION_NAMES.index("noten")


@leaf
def is_legal(view: View, action: int) -> bool:
    """Return whether an action is legal."""
    if action < Action.ANKAN:
        return int(view.legal[0]) >> action & 1 == 1
    if action < Action.KAKAN:
        return int(view.legal[1]) >> action - Action.ANKAN & 1 == 1
    return int(view.legal[2]) >> action - Action.KAKAN & 1 == 1


@leaf
def is_meld(action: int) -> bool:
    """Return whether an action is a call or a kan."""
    return Action.CHII <= action <= Action.DAIMINKAN or action >= Action.ANKAN


@leaf
def reds_of(rules: RulesRecord, kind: int) -> int:
    """Return the number of red tiles of a kind."""
    return int(rules.red_fives[kind // 9]) if kind < 27 and kind % 9 == 4 else 0


@leaf
def lay(out: OptionRow, first: int, kind: int, count: int, reds: int) -> None:
    """Write tiles of one kind from place ``first`` on, the red ones first."""
    for number in range(count):
        out.tiles[first + number] = 34 + kind // 9 if number < reds else kind


@leaf
def lay_run(out: OptionRow, kind: int, action: int) -> None:
    """Write the two tiles that a chii of a kind takes from the hand."""
    low = kind - (action - Action.CHII) % 3
    place = 0
    for own in range(low, low + 3):
        if own != kind:
            lay(out, place, own, 1, 1 if action >= Action.CHII_RED and own % 9 == 4 else 0)
            place += 1


@leaf
def lay_set(reds: int, tile: int, action: int, out: OptionRow) -> None:
    """Write the tiles that a call of a tile or a kan lays down from the hand; of an added kan those of the pon.

    ``reds`` is the number of red tiles of its kind in the game.
    """
    kind = kind_of_tile(tile)
    for number in range(4):
        out.tiles[number] = -1
    if action < Action.PON:
        lay_run(out, kind, action)
    elif action < Action.DAIMINKAN:
        lay(out, 0, kind, 2, action - Action.PON)
    elif Action.ANKAN <= action < Action.KAKAN:
        lay(out, 0, kind, 4, reds)
    else:
        lay(out, 0, kind, 3, reds - (1 if tile >= 34 else 0))


@entry(brief=True)
def lay_down(reds: int, tile: int, action: int, out: Batch[OptionRow]) -> None:
    """Write the tiles of a call or kan: see `lay_set`."""
    lay_set(reds, tile, action, out[0])


@leaf
def write_laid(rules: RulesRecord, tile: int, action: int, out: OptionRow) -> None:
    """Write the tiles that a call of a tile or a kan lays down by the rules of a game: see `lay_set`."""
    lay_set(reds_of(rules, kind_of_tile(tile)), tile, action, out)


@leaf
def write_call(view: View, action: int, out: OptionRow) -> None:
    """Write a call of the tile that may be claimed."""
    out.tile = int(view.tile)
    out.name = _CHII if action < Action.PON else _PON if action < Action.DAIMINKAN else _DAIMINKAN
    write_laid(view.rules, int(view.tile), action, out)


@leaf
def write_kan(view: View, action: int, out: OptionRow) -> None:
    """Write a closed or added kan; an added kan takes the red five if it is in the hand."""
    if action < Action.KAKAN:
        kind = action - Action.ANKAN
        out.name = _ANKAN
        out.tile = kind
        write_laid(view.rules, kind, action, out)
        return
    kind = action - Action.KAKAN
    red = kind < 27 and kind % 9 == 4 and int(view.hand.reds[kind // 9]) > 0
    out.name = _KAKAN
    out.tile = 34 + kind // 9 if red else kind


@leaf
def write_declaration(view: View, action: int, out: OptionRow) -> None:
    """Write an action that is neither a discard nor a call or kan."""
    if int(view.claimed) == Offer.DRAW and int(view.phase) == Phase.CLAIM:
        out.name = _TENPAI if action == Action.KYUUSHU_KYUUHAI else _NOTEN
    elif action == Action.RIICHI:
        out.name = _RIICHI
    elif action == Action.KITA:
        out.name = _KITA
        out.tile = NORTH
    elif action == Action.TSUMO:
        out.name = _TSUMO
        out.tile = int(view.drawn)
    elif action == Action.RON:
        out.name = _RON
        out.tile = int(view.tile)
    else:
        out.name = _KYUUSHU_KYUUHAI if action == Action.KYUUSHU_KYUUHAI else _PASS


@rule
def write_option(view: View, action: int, out: OptionRow) -> None:
    """Write a legal action with its tiles."""
    out.action = action
    out.tile = -1
    out.tsumogiri = 1 if action == Action.TSUMOGIRI else 0
    for number in range(4):
        out.tiles[number] = -1
    if action <= Action.TSUMOGIRI:
        out.name = _DISCARD
        out.tile = int(view.drawn) if action == Action.TSUMOGIRI else action
    elif action >= Action.ANKAN:
        write_kan(view, action, out)
    elif is_meld(action):
        write_call(view, action, out)
    else:
        write_declaration(view, action, out)


@rule
def write_options(view: View, out: DecisionOptions) -> None:
    """Write all legal actions in their order."""
    out.options_count = 0
    for action in range(ACTIONS):
        if is_legal(view, action) and int(out.options_count) < OPTIONS:
            write_option(view, action, out.options[int(out.options_count)])
            out.options_count += 1
