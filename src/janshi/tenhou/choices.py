"""Actions with their physical tiles, and their form as messages of a client."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from janshi.mjai.events import MjaiError, set_event
from janshi.mjai.moves import set_made
from janshi.riichi.actions import Action
from janshi.riichi.records.recording import laid_down
from janshi.riichi.rules import Rules
from janshi.riichi.state import Event
from janshi.tenhou.protocol import Element, ProtocolError, ReplyType, message
from janshi.tiles import NORTH, TileError, tile_of_id


@dataclass(frozen=True, slots=True)
class TileChoice:
    """An action and the ids of its tiles in the hand (for a closed kan, the id in the message)."""

    action: int
    tiles: tuple[int, ...]


#: Answers without tiles, by action.
_PLAIN: Final = {
    Action.RON: ReplyType.RON,
    Action.TSUMO: ReplyType.TSUMO,
    Action.KYUUSHU_KYUUHAI: ReplyType.KYUUSHU_KYUUHAI,
    Action.KITA: ReplyType.KITA,
    Action.DAIMINKAN: ReplyType.DAIMINKAN,
}
#: Answers with tiles, by the resulting set.
_SETS: Final = {
    Event.CHII: ReplyType.CHII,
    Event.PON: ReplyType.PON,
    Event.ANKAN: ReplyType.ANKAN,
    Event.KAKAN: ReplyType.KAKAN,
}


def choose_tiles(action: int, hand: Collection[int], drawn: int, called: int, rules: Rules) -> TileChoice:
    """Return an action with its tiles: the lowest ids of equal tiles, and the drawn tile only for a tsumogiri.

    ``hand`` contains the ids of the concealed tiles, including the drawn one; ``drawn`` and ``called`` are −1 for none.
    Raises `ProtocolError` if the hand lacks a tile.
    """
    reds = any(rules.red_fives)
    wanted: list[int] = []
    left = sorted(hand)
    if action == Action.TSUMOGIRI:
        return TileChoice(action, (drawn,))
    if action < Action.TSUMOGIRI:
        wanted, left = [action], [identity for identity in left if identity != drawn]
    elif action == Action.KITA:
        wanted = [NORTH]
    elif Action.ANKAN <= action < Action.KAKAN:
        return TileChoice(action, (4 * (action - Action.ANKAN),))
    elif action >= Action.KAKAN:
        wanted = [tile_of_id(held, reds) for held in left if held // 4 == action - Action.KAKAN][:1] or [-1]
    elif Action.CHII <= action <= Action.DAIMINKAN:
        wanted = laid_down(rules, set_made(action), tile_of_id(called, reds), action)
    picked = []
    for tile in wanted:
        identity = next((held for held in left if tile_of_id(held, reds) == tile), -1)
        if identity < 0:
            raise ProtocolError("the action needs a tile that is not in the hand")
        left.remove(identity)
        picked.append(identity)
    return TileChoice(action, tuple(picked))


def write_choice(choice: TileChoice) -> Element:
    """Return an action as a message of a client."""
    action, tiles = choice.action, choice.tiles
    if action <= Action.TSUMOGIRI:
        return message("D", p=tiles[0])
    if action == Action.RIICHI:
        return message("REACH")
    if action == Action.PASS:
        return message("N")
    if action in _PLAIN:
        return message("N", type=int(_PLAIN[Action(action)]))
    names = ["hai"] if len(tiles) == 1 else ["hai0", "hai1"]
    return message("N", type=int(_SETS[set_made(action)]), **dict(zip(names, tiles, strict=True)))


def read_choice(sent: Element, hand: Collection[int], drawn: int, called: int, reds: bool) -> TileChoice:
    """Return the action of a client's message. Raises `ProtocolError` for an invalid message or tile."""
    if sent.tag == "REACH":
        return TileChoice(int(Action.RIICHI), ())
    if sent.tag == "D":
        tile = _held(sent, "p", hand)
        return TileChoice(int(Action.TSUMOGIRI) if tile == drawn else tile_of_id(tile, reds), (tile,))
    if sent.tag != "N":
        raise ProtocolError(f"<{sent.tag}> during a decision")
    if "type" not in sent.values:
        return TileChoice(int(Action.PASS), ())
    number = sent.number("type")
    for action, answer in _PLAIN.items():
        if answer == number:
            kind = {Action.KITA: NORTH, Action.DAIMINKAN: called // 4}.get(action, -1)
            tiles = sorted(held for held in hand if held // 4 == kind)
            return TileChoice(int(action), tuple(tiles[: 1 if action == Action.KITA else 3]))
    form = next((form for form, answer in _SETS.items() if answer == number), None)
    if form is None:
        raise ProtocolError(f"<N> of unknown type {number}")
    if form in (Event.ANKAN, Event.KAKAN):
        tile = _held(sent, "hai", hand)
        return TileChoice((Action.ANKAN if form == Event.ANKAN else Action.KAKAN) + tile // 4, (tile,))
    ids = (_held(sent, "hai0", hand), _held(sent, "hai1", hand))
    if ids[0] == ids[1]:
        raise ProtocolError("<N> uses the same tile twice")
    try:
        own = [tile_of_id(identity, reds) for identity in ids]
        return TileChoice(set_event(form, 0, tile_of_id(called, reds), own).detail, ids)
    except (MjaiError, TileError) as error:
        raise ProtocolError(f"<N> is no valid call: {error}") from None


def _held(sent: Element, name: str, hand: Collection[int]) -> int:
    tile = sent.tile_at(name)
    if tile not in hand:
        raise ProtocolError(f"<{sent.tag}> uses tile {tile}, which is not in the hand")
    return tile
