"""Conversion of the engine's actions to mjai events, and of answers to actions.

Legal actions are announced as by mjai servers: ``possible_actions`` lists all but discards and passing, which are
implied; ``cannot_dahai`` lists the tiles in hand that may not be discarded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.mjai.events import FIVES, KITA_NAMES, MjaiError, chii_action, number_in, tile_named, tiles_in, tiles_of
from janshi.riichi.actions import Action, action_text
from janshi.riichi.records.mjai import hand_event
from janshi.riichi.records.recording import laid_down
from janshi.riichi.rules import Rules
from janshi.riichi.state import Event
from janshi.tiles import NORTH, kind_of, to_mjai

NONE: Final = {"type": "none"}
#: Sets by the first of their actions.
_SETS: Final = (
    (Action.CHII, Event.CHII),
    (Action.PON, Event.PON),
    (Action.DAIMINKAN, Event.DAIMINKAN),
    (Action.ANKAN, Event.ANKAN),
    (Action.KAKAN, Event.KAKAN),
)


def set_made(action: int) -> Event:
    """Return the event of the set that a call or kan (39–48, 54–121) forms.

    >>> set_made(Action.PON + 1).name
    'PON'
    """
    return max(pair for pair in _SETS if pair[0] <= action)[1]


def action_event(view: Any, rules: Rules, action: int) -> dict[str, Any]:
    """Return an action of the seat with a `View` (one record) as an mjai event.

    >>> from janshi.table import Tables
    >>> tables = Tables("tenhou-sanma", 1, seeds=7)
    >>> action_event(tables.views()[0], tables.rules, 37)
    {'type': 'dahai', 'actor': 0, 'pai': 'W', 'tsumogiri': True}
    """
    seat, discarder, tile, drawn = (int(view[name]) for name in ("seat", "turn", "tile", "drawn"))
    if action == Action.PASS:
        return dict(NONE)
    if action <= Action.TSUMOGIRI:
        tsumogiri = action == Action.TSUMOGIRI
        return hand_event(Event.DISCARD, seat, drawn if tsumogiri else action, tsumogiri=tsumogiri)
    if action == Action.RIICHI:
        return hand_event(Event.RIICHI, seat)
    if action == Action.KITA:
        return hand_event(Event.KITA, seat, NORTH)
    if action == Action.TSUMO:
        return {"type": "hora", "actor": seat, "target": seat, "pai": to_mjai(drawn)}
    if action == Action.RON:
        return {"type": "hora", "actor": seat, "target": discarder, "pai": to_mjai(tile)}
    if action == Action.KYUUSHU_KYUUHAI:
        return {"type": "ryukyoku", "actor": seat, "reason": "kyushukyuhai"}
    event = set_made(action)
    if event == Event.ANKAN:
        tile = action - Action.ANKAN
    elif event == Event.KAKAN:
        kind = action - Action.KAKAN
        red = kind in FIVES and int(view["hand"]["reds"][kind // 9]) > 0
        tile = 34 + kind // 9 if red else kind
    return hand_event(event, seat, tile, discarder, laid_down(rules, event, tile, action))


def possible_actions(view: Any, rules: Rules, legal: NDArray[np.bool_]) -> list[dict[str, Any]]:
    """Return the seat's legal actions except discarding and passing (``legal``: (122,) of bool)."""
    actions = np.flatnonzero(legal[Action.RIICHI :]) + Action.RIICHI
    return [action_event(view, rules, int(action)) for action in actions if action != Action.PASS]


def cannot_discard(view: Any, legal: NDArray[np.bool_]) -> list[str]:
    """Return the tiles in hand that may not be discarded (mjai's names); empty if no discard is due."""
    if not legal[: Action.TSUMOGIRI + 1].any():
        return []
    allowed = {*np.flatnonzero(legal[: Action.TSUMOGIRI]).tolist()}
    if legal[Action.TSUMOGIRI]:
        allowed.add(int(view["drawn"]))
    return [to_mjai(tile) for tile in dict.fromkeys(tiles_of(view["hand"])) if tile not in allowed]


# ---------------------------------------------------------------------------------------------------------
# Reading answers


def read_action(answer: dict[str, Any], view: Any, legal: NDArray[np.bool_]) -> int:
    """Return the legal action of an answer. Raises `MjaiError` if there is none.

    Missing fields are filled in if possible: ``tsumogiri``, ``consumed`` (preferably without red fives), ``target``,
    ``actor``. A five is the red one if the seat holds no other.
    """
    kind = answer.get("type")
    if answer.get("actor") is not None and number_in(answer, "actor", 4) != int(view["seat"]):
        raise MjaiError(f"{kind!r} by seat {answer['actor']}, but seat {int(view['seat'])} must decide")
    if kind in _OF_A_TILE:
        _check_tile(answer, view, legal)
    for action in _meant(str(kind), answer, view):
        if 0 <= action < len(legal) and legal[action]:
            return int(action)
    possible = ", ".join(action_text(int(action)) for action in np.flatnonzero(legal))
    text = " ".join(str(value) for value in answer.values())
    shown = text if len(text) <= 80 else text[:77] + "..."
    raise MjaiError(f"{shown!r} is not possible; possible: {possible}")


#: Types of answers that do nothing.
PASSES: Final = ("none", "pass", "skip")
#: Possible actions of an answer without tiles, by its type, in order of preference.
_PLAIN: Final[dict[str, Sequence[int]]] = {
    **dict.fromkeys(PASSES, (Action.PASS,)),
    **dict.fromkeys(KITA_NAMES, (Action.KITA,)),
    "reach": (Action.RIICHI,),
    "hora": (Action.TSUMO, Action.RON),
    "ryukyoku": (Action.KYUUSHU_KYUUHAI,),
    "daiminkan": (Action.DAIMINKAN,),
    "chi": range(Action.CHII, Action.PON),
    "pon": range(Action.PON, Action.DAIMINKAN),
}


def is_about(answer: dict[str, Any], view: Any, legal: NDArray[np.bool_]) -> bool:
    """Return whether an answer, legal or not, is about the event of a decision.

    A discard is not about another seat's tile, and nothing but a pass or a claim of the same tile is.
    """
    kind = answer.get("type")
    try:
        if kind in _OF_A_TILE:
            _check_tile(answer, view, legal)
    except MjaiError:
        return False
    return (kind in PASSES or kind in _OF_A_TILE) if legal[Action.PASS] else kind not in (*PASSES, *_CLAIMS)


def why_not(answer: dict[str, Any], view: Any, legal: NDArray[np.bool_]) -> str:
    """Return why an answer is not a legal action, in one line; empty for a legal one."""
    try:
        read_action(answer, view, legal)
    except MjaiError as error:
        return str(error)
    return ""


#: Types of answers that claim a tile, which they may name.
_CLAIMS: Final = ("chi", "pon", "daiminkan")
_OF_A_TILE: Final = ("hora", *_CLAIMS)


def _check_tile(answer: dict[str, Any], view: Any, legal: NDArray[np.bool_]) -> None:
    """Raise `MjaiError` if an answer names another tile than the one drawn or to be claimed, or another seat's."""
    claims = bool(legal[Action.PASS])
    target, tile = (int(view["turn"]), int(view["tile"])) if claims else (int(view["seat"]), int(view["drawn"]))
    if answer.get("target") is not None and number_in(answer, "target", 4) != target:
        raise MjaiError(f"{answer['type']!r} with target {answer['target']}, but the tile is of seat {target}")
    named = answer.get("pai")
    if named is not None and kind_of(tile_named(named)) != kind_of(tile):
        raise MjaiError(f"{answer['type']!r} of {named}, but the tile is {to_mjai(tile)}")


def _meant(kind: str, answer: dict[str, Any], view: Any) -> Sequence[int]:
    """Return the possible actions of an answer in order of preference."""
    own = answer.get("consumed")
    if kind == "chi" and own is not None:
        return (chii_action(int(view["tile"]), tiles_in(answer, "consumed", 2)),)
    if kind == "pon" and own is not None:
        return (Action.PON + sum(tile >= 34 for tile in tiles_in(answer, "consumed", 2)),)
    if kind in _PLAIN:
        return _PLAIN[kind]
    if kind == "dahai":
        return _discards(answer, int(view["drawn"]))
    if kind in ("ankan", "kakan"):
        base = Action.ANKAN if kind == "ankan" else Action.KAKAN
        named = answer.get("pai") or (own[0] if isinstance(own, list) and own else None)
        return (base + kind_of(tile_named(named)),)
    raise MjaiError(f"{kind!r} is not an answer")


def _discards(answer: dict[str, Any], drawn: int) -> list[int]:
    """Return the possible discards of an answer: of the named tile, then of the five of the other colour."""
    tile = tile_named(answer.get("pai"))
    other = kind_of(tile) if tile >= 34 else (34 + tile // 9 if tile in FIVES else tile)
    actions: list[int] = []
    for option in (tile, other):
        tsumogiri = [int(Action.TSUMOGIRI)] if option == drawn else []
        actions += [*tsumogiri, option] if answer.get("tsumogiri", True) else [option, *tsumogiri]
    return actions


# ---------------------------------------------------------------------------------------------------------
# Restrictions by a server


def restrict(legal: NDArray[np.bool_], view: Any, rules: Rules, event: dict[str, Any]) -> NDArray[np.bool_]:
    """Return the legal actions (122, bool) that a server's event allows.

    ``possible_actions`` and ``cannot_dahai`` apply if present. Passing stays possible, and so does discarding if no
    discard is listed. If no action is left, the server's rules differ (see `servers_own`).
    """
    left = legal.copy()
    offers = _offered(event)
    if offers is not None:
        discards = any(offer["type"] == "dahai" for offer in offers)
        for action in np.flatnonzero(legal).tolist():
            if action != Action.PASS and (discards or action > Action.TSUMOGIRI):
                ours = action_event(view, rules, action)
                left[action] = any(_same(ours, offer) for offer in offers)
    barred = _barred(event)
    left[barred] = False
    if int(view["drawn"]) in barred:
        left[Action.TSUMOGIRI] = False
    return left


def servers_own(view: Any, event: dict[str, Any]) -> dict[str, Any]:
    """Return an answer from a server's possible actions if no legal action is among them, preferably a discard."""
    offers = _offered(event)
    if offers:
        wanted = (offer for kind in ("dahai", "none") for offer in offers if offer["type"] == kind)
        return next(wanted, offers[0])
    barred = _barred(event)
    held = [tile for tile in tiles_of(view["hand"]) if tile not in barred]
    drawn = int(view["drawn"])
    tile = held[-1] if held and drawn not in held else drawn
    return hand_event(Event.DISCARD, int(view["seat"]), tile, tsumogiri=tile == drawn)


def _offered(event: dict[str, Any]) -> list[dict[str, Any]] | None:
    listed = event.get("possible_actions")
    if not isinstance(listed, list):
        return None
    return [offer for offer in listed if isinstance(offer, dict) and isinstance(offer.get("type"), str)]


def _barred(event: dict[str, Any]) -> list[int]:
    listed = event.get("cannot_dahai")
    return [tile for tile in map(_named, listed) if tile >= 0] if isinstance(listed, list) else []


def _named(name: object) -> int:
    """Return the tile of a name, −1 for any other value."""
    try:
        return tile_named(name)
    except MjaiError:
        return -1


def _same(ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """Return whether a server's entry matches an event; missing fields are not compared."""
    kinds = (ours["type"], theirs["type"])
    if kinds[0] != kinds[1] and not set(kinds) <= set(KITA_NAMES):
        return False
    own = theirs.get("consumed")
    if ours["type"] in ("chi", "pon", "daiminkan", "ankan") and isinstance(own, list):
        return sorted(map(tile_named, ours["consumed"])) == sorted(map(_named, own))
    if ours["type"] in ("dahai", "kakan") and theirs.get("pai") is not None:
        same = tile_named(ours["pai"]) == _named(theirs["pai"])
        return same and (ours["type"] == "kakan" or theirs.get("tsumogiri", ours["tsumogiri"]) == ours["tsumogiri"])
    return True
