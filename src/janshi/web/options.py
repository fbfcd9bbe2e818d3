"""What a seat may do, as buttons and tiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from janshi.engine import actions
from janshi.engine.state import ANKAN_EVENT, CHII_EVENT, DAIMINKAN_EVENT, PON_EVENT
from janshi.records.recording import laid_down
from janshi.review.model import Name, Option
from janshi.rules import Rules
from janshi.tiles import NORTH, to_mjai

_SINGLE: Final[dict[int, Name]] = {
    actions.RIICHI: "riichi",
    actions.KITA: "kita",
    actions.TSUMO: "tsumo",
    actions.RON: "ron",
    actions.NINE_TERMINALS: "nine_terminals",
    actions.PASS: "pass",
}


def options_of(view: Any, rules: Rules, legal: Sequence[int]) -> list[Option]:
    """Return what each legal action (0–121) would do, in their order.

    ``view`` is the `janshi.engine.state.View` of the seat that is asked.

    >>> from janshi.table import Table
    >>> table = Table("tenhou-sanma-hand", seed=7)
    >>> options_of(table.view(0), table.rules, table.legal)[-1]
    Option(action=37, name='discard', tile='9p', tiles=[], tsumogiri=True)
    """
    return [_option(view, rules, action) for action in legal]


def _option(view: Any, rules: Rules, action: int) -> Option:
    tile, drawn = int(view["tile"]), int(view["drawn"])
    if action < actions.TSUMOGIRI:
        return Option(action, "discard", to_mjai(action))
    if action == actions.TSUMOGIRI:
        return Option(action, "discard", to_mjai(drawn), tsumogiri=True)
    if action in _SINGLE:
        shown = {actions.KITA: NORTH, actions.TSUMO: drawn, actions.RON: tile}.get(action, -1)
        return Option(action, _SINGLE[action], None if shown < 0 else to_mjai(shown))
    if action >= actions.KAKAN:
        return Option(action, "kakan", to_mjai(_added(view, action - actions.KAKAN)))
    if action >= actions.ANKAN:
        kind = action - actions.ANKAN
        return Option(action, "ankan", to_mjai(kind), _names(laid_down(rules, ANKAN_EVENT, kind, action)))
    name: Name = "chi" if action < actions.PON else "pon" if action < actions.DAIMINKAN else "daiminkan"
    event = {"chi": CHII_EVENT, "pon": PON_EVENT, "daiminkan": DAIMINKAN_EVENT}[name]
    return Option(action, name, to_mjai(tile), _names(laid_down(rules, event, tile, action)))


def _added(view: Any, kind: int) -> int:
    """The tile that an added kan of a kind adds: its red five, where that is in the hand."""
    red = kind < 27 and kind % 9 == 4 and int(view["hand"]["reds"][kind // 9]) > 0
    return 34 + kind // 9 if red else kind


def _names(tiles: Sequence[int]) -> list[str]:
    return [to_mjai(tile) for tile in tiles]
