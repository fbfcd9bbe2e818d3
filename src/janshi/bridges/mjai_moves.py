"""Actions of the engine as mjai says them, and what others say read as actions.

What a seat may do is told as mjai servers do: ``possible_actions`` lists everything but discards and passing (which are
always understood), ``cannot_dahai`` the tiles in hand that may not be discarded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.bridges.mjai_table import MjaiError, chii_action, number_in, tile_named, tiles_in
from janshi.engine import actions
from janshi.engine.state import (
    ANKAN_EVENT,
    CHII_EVENT,
    DAIMINKAN_EVENT,
    DISCARD_EVENT,
    KAKAN_EVENT,
    KITA_EVENT,
    PON_EVENT,
    RIICHI_EVENT,
)
from janshi.records.mjai import say_event
from janshi.records.recording import laid_down
from janshi.rules import Rules
from janshi.table import action_text
from janshi.tiles import NORTH, kind_of, to_mjai

NONE: Final = {"type": "none"}
#: Both names of a North set aside; ours is the first.
KITA_NAMES: Final = ("nukidora", "kita")
_CALLS: Final = range(actions.CHII, actions.DAIMINKAN + 1)


def is_discard(action: int) -> bool:
    """Whether an action discards a tile."""
    return action <= actions.TSUMOGIRI


def say_action(view: Any, rules: Rules, action: int) -> dict[str, Any]:
    """Return an action of the seat whose `View` (one record) this is, as mjai says it.

    >>> import numpy as np
    >>> from janshi.table import Tables
    >>> tables = Tables("tenhou-sanma", 1, seeds=7)
    >>> say_action(tables.views()[0], tables.rules, 37)
    {'type': 'dahai', 'actor': 0, 'pai': 'W', 'tsumogiri': True}
    """
    seat, feeder = int(view["seat"]), int(view["turn"])
    tile, drawn = int(view["tile"]), int(view["drawn"])
    if action == actions.PASS:
        return dict(NONE)
    if action == actions.TSUMOGIRI:
        return say_event(DISCARD_EVENT, seat, drawn, -1, (), True)
    if is_discard(action):
        return say_event(DISCARD_EVENT, seat, action, -1, (), False)
    if action == actions.RIICHI:
        return say_event(RIICHI_EVENT, seat, -1, -1, (), False)
    if action == actions.KITA:
        return say_event(KITA_EVENT, seat, NORTH, -1, (), False)
    if action == actions.TSUMO:
        return {"type": "hora", "actor": seat, "target": seat, "pai": to_mjai(drawn)}
    if action == actions.RON:
        return {"type": "hora", "actor": seat, "target": feeder, "pai": to_mjai(tile)}
    if action == actions.NINE_TERMINALS:
        return {"type": "ryukyoku", "actor": seat, "reason": "kyushukyuhai"}
    event = CHII_EVENT if action < actions.PON else PON_EVENT
    if action == actions.DAIMINKAN:
        event = DAIMINKAN_EVENT
    elif action >= actions.KAKAN:
        event, kind = KAKAN_EVENT, action - actions.KAKAN
        red = kind in (4, 13, 22) and int(view["hand"]["reds"][kind // 9]) > 0
        tile = 34 + kind // 9 if red else kind
    elif action >= actions.ANKAN:
        event, tile = ANKAN_EVENT, action - actions.ANKAN
    return say_event(event, seat, tile, feeder, laid_down(rules, event, tile, action), False)


def possible_actions(view: Any, rules: Rules, legal: NDArray[np.bool_]) -> list[dict[str, Any]]:
    """Return what the seat may do beside discarding and passing (``legal``: (122,) of bool)."""
    some = np.flatnonzero(legal[actions.RIICHI :]) + actions.RIICHI
    return [say_action(view, rules, int(one)) for one in some if one != actions.PASS]


def cannot_discard(view: Any, legal: NDArray[np.bool_]) -> list[str]:
    """Return the tiles in hand that may not be discarded now (mjai's names), where one must be."""
    if not legal[: actions.TSUMOGIRI + 1].any():
        return []
    drawn = int(view["drawn"])
    return [to_mjai(one) for one in _held(view) if not legal[one] and not (one == drawn and legal[actions.TSUMOGIRI])]


# ---------------------------------------------------------------------------------------------------------
# Reading what is said


def read_action(said: dict[str, Any], view: Any, legal: NDArray[np.bool_]) -> int:
    """Return the legal action that an answer means. Raises `MjaiError` where it means none.

    What is left out is filled in as far as it goes: ``tsumogiri``, ``consumed`` (without red fives where there is a
    choice), ``target``, ``actor``; a five is the red one where no other is held.
    """
    kind = said.get("type")
    if said.get("actor") is not None and number_in(said, "actor", 4) != int(view["seat"]):
        raise MjaiError(f"{kind!r} by seat {said['actor']}, and seat {int(view['seat'])} is asked")
    meant = _meant(str(kind), said, view, legal)
    for action in meant:
        if 0 <= action < len(legal) and legal[action]:
            return action
    possible = ", ".join(action_text(int(one)) for one in np.flatnonzero(legal))
    raise MjaiError(f"{_short(said)} is not possible; possible: {possible}")


def _short(said: dict[str, Any]) -> str:
    text = " ".join(str(value) for value in said.values())
    return repr(text if len(text) <= 80 else text[:77] + "...")


def _meant(kind: str, said: dict[str, Any], view: Any, legal: NDArray[np.bool_]) -> Sequence[int]:
    """Actions that an answer may mean, the likeliest first."""
    if kind in ("none", "pass", "skip"):
        return (actions.PASS,)
    if kind == "dahai":
        return _discards(said, int(view["drawn"]))
    if kind == "reach":
        return (actions.RIICHI,)
    if kind == "hora":
        return actions.TSUMO, actions.RON
    if kind == "ryukyoku":
        return (actions.NINE_TERMINALS,)
    if kind in KITA_NAMES:
        return (actions.KITA,)
    if kind == "daiminkan":
        return (actions.DAIMINKAN,)
    own = said.get("consumed")
    if kind == "chi":
        if own is not None:
            return (chii_action(int(view["tile"]), tiles_in(said, "consumed", 2)),)
        return [one for one in range(actions.CHII, actions.PON) if legal[one]][:1]
    if kind == "pon":
        if own is not None:
            return (actions.PON + sum(one >= 34 for one in tiles_in(said, "consumed", 2)),)
        return range(actions.PON, actions.DAIMINKAN)
    if kind in ("ankan", "kakan"):
        base = actions.ANKAN if kind == "ankan" else actions.KAKAN
        named = said.get("pai") or (own[0] if isinstance(own, list) and own else None)
        return (base + kind_of(tile_named(named)),)
    raise MjaiError(f"{kind!r} is no answer")


def _discards(said: dict[str, Any], drawn: int) -> list[int]:
    tile = tile_named(said.get("pai"))
    other = kind_of(tile) if tile >= 34 else (34 + tile // 9 if tile in (4, 13, 22) else tile)
    found: list[int] = []
    for one in (tile, other):
        mine = [actions.TSUMOGIRI] if one == drawn else []
        found += [*mine, one] if said.get("tsumogiri", True) else [one, *mine]
    return found


def restrict(legal: NDArray[np.bool_], view: Any, rules: Rules, event: dict[str, Any]) -> NDArray[np.bool_]:
    """Return the actions (122, bool) that are left where a server says with an event what is possible.

    ``possible_actions`` and ``cannot_dahai`` bind where they are there; passing stays possible, and so does discarding
    where no discard is listed. Nothing may be left: then the server's rules are not ours (see `servers_own`).
    """
    left = legal.copy()
    entries = _offered(event)
    if entries is not None:
        discards = any(one["type"] == "dahai" for one in entries)
        for action in np.flatnonzero(legal).tolist():
            if action != actions.PASS and (discards or not is_discard(action)):
                said = say_action(view, rules, action)
                left[action] = any(_same(said, one) for one in entries)
    drawn = int(view["drawn"])
    for tile in _barred(event):
        left[tile] = False
        if tile == drawn:
            left[actions.TSUMOGIRI] = False
    return left


def servers_own(view: Any, event: dict[str, Any]) -> dict[str, Any]:
    """Return an answer that a server says is possible, where none of ours is: a discard if there is one."""
    barred = _barred(event)
    offered = _offered(event)
    if offered:
        return next((one for kind in ("dahai", "none") for one in offered if one["type"] == kind), offered[0])
    held = [tile for tile in _held(view) if tile not in barred]
    drawn = int(view["drawn"])
    tile = held[-1] if held and drawn not in held else drawn
    return say_event(DISCARD_EVENT, int(view["seat"]), tile, -1, (), tile == drawn)


def _offered(event: dict[str, Any]) -> list[dict[str, Any]] | None:
    listed = event.get("possible_actions")
    if not isinstance(listed, list):
        return None
    return [one for one in listed if isinstance(one, dict) and isinstance(one.get("type"), str)]


def _barred(event: dict[str, Any]) -> list[int]:
    listed = event.get("cannot_dahai")
    return [_named(name) for name in listed if _named(name) >= 0] if isinstance(listed, list) else []


def _named(name: object) -> int:
    """The tile of a name; -1 where it is none."""
    try:
        return tile_named(name)
    except MjaiError:
        return -1


def _held(view: Any) -> list[int]:
    """Tiles (0–36) in hand, one of each."""
    counts, reds = view["hand"]["counts"], view["hand"]["reds"].tolist()
    held = [34 + suit for suit in range(3) if reds[suit]]
    for kind in np.flatnonzero(counts).tolist():
        if kind not in (4, 13, 22) or int(counts[kind]) > reds[kind // 9]:
            held.append(kind)
    return held


def _same(ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """Whether a server's entry means what we would say; what it leaves out is not compared."""
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


def default_action(legal: NDArray[np.bool_]) -> int:
    """Return what is done for a seat that does not answer: pass, discard the drawn tile, or the first discard."""
    for action in (actions.PASS, actions.TSUMOGIRI):
        if legal[action]:
            return action
    return int(np.flatnonzero(legal)[0])
