"""The legal actions of a seat, as buttons and tiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from janshi.review.model import ActionName, Option
from janshi.riichi.actions import Action
from janshi.riichi.records.recording import laid_down
from janshi.riichi.rules import Rules
from janshi.riichi.state import Event, Offer, Phase
from janshi.tiles import NORTH, to_mjai

_SINGLE: Final[dict[int, ActionName]] = {
    Action.RIICHI: "riichi",
    Action.KITA: "kita",
    Action.TSUMO: "tsumo",
    Action.RON: "ron",
    Action.KYUUSHU_KYUUHAI: "kyuushu_kyuuhai",
    Action.PASS: "pass",
}
#: At an exhaustive draw.
_AT_A_DRAW: Final[dict[int, ActionName]] = {Action.KYUUSHU_KYUUHAI: "tenpai", Action.PASS: "noten"}


def options_of(view: Any, rules: Rules, legal: Sequence[int]) -> list[Option]:
    """Return the legal actions (0–121) as options, in their order.

    ``view`` is the `janshi.riichi.state.View` of the seat to decide.

    >>> from janshi.table import Table
    >>> table = Table("tenhou-sanma-hand", seed=7)
    >>> options_of(table.view(0), table.rules, table.legal)[-1]
    Option(action=37, name='discard', tile='W', tiles=[], tsumogiri=True)
    """
    return [_option(view, rules, action) for action in legal]


def _option(view: Any, rules: Rules, action: int) -> Option:
    tile, drawn = int(view["tile"]), int(view["drawn"])
    if action < Action.TSUMOGIRI:
        return Option(action, "discard", to_mjai(action))
    if action == Action.TSUMOGIRI:
        return Option(action, "discard", to_mjai(drawn), tsumogiri=True)
    if int(view["claimed"]) == Offer.DRAW and int(view["phase"]) == Phase.CLAIM:
        return Option(action, _AT_A_DRAW[action], None)
    if action in _SINGLE:
        shown = {int(Action.KITA): NORTH, int(Action.TSUMO): drawn, int(Action.RON): tile}.get(action, -1)
        return Option(action, _SINGLE[action], None if shown < 0 else to_mjai(shown))
    if action >= Action.KAKAN:
        return Option(action, "kakan", to_mjai(_added(view, action - Action.KAKAN)))
    if action >= Action.ANKAN:
        kind = action - Action.ANKAN
        return Option(action, "ankan", to_mjai(kind), _names(laid_down(rules, Event.ANKAN, kind, action)))
    name: ActionName = "chi" if action < Action.PON else "pon" if action < Action.DAIMINKAN else "daiminkan"
    event = {"chi": Event.CHII, "pon": Event.PON, "daiminkan": Event.DAIMINKAN}[name]
    return Option(action, name, to_mjai(tile), _names(laid_down(rules, event, tile, action)))


def _added(view: Any, kind: int) -> int:
    """Return the tile of an added kan: the red five if it is in the hand."""
    red = kind < 27 and kind % 9 == 4 and int(view["hand"]["reds"][kind // 9]) > 0
    return 34 + kind // 9 if red else kind


def _names(tiles: Sequence[int]) -> list[str]:
    return [to_mjai(tile) for tile in tiles]
