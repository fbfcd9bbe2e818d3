"""Actions of the engine with the physical tiles that they use, and as a client's messages."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from janshi.mjai.events import MjaiError, chii_action
from janshi.riichi.actions import Action
from janshi.riichi.records.recording import laid_down
from janshi.riichi.rules import Rules
from janshi.riichi.state import Event
from janshi.tenhou.protocol import Answer, Message, ProtocolError, message
from janshi.tiles import NORTH, kind_of, tile_of_id


@dataclass(frozen=True, slots=True)
class Choice:
    """An action, and the ids that it takes from the hand (of a closed kan: the one that names it)."""

    action: int
    tiles: tuple[int, ...]


_PLAIN: Final = {
    Answer.RON: Action.RON,
    Answer.TSUMO: Action.TSUMO,
    Answer.KYUUSHU_KYUUHAI: Action.KYUUSHU_KYUUHAI,
}
#: Answers that name no tiles, by their action; a pass has no type.
_NO_TILES: Final = {action: int(answer) for answer, action in _PLAIN.items()} | {
    Action.PASS: None,
    Action.KITA: int(Answer.KITA),
    Action.DAIMINKAN: int(Answer.DAIMINKAN),
}


def choose_tiles(action: int, hand: Collection[int], drawn: int, called: int, rules: Rules) -> Choice:
    """Return an action with tiles for it: of equal ones the lowest, and the drawn tile only where it is meant.

    ``hand``: ids of the concealed tiles, the drawn one among them; ``drawn``, ``called``: −1 for none. Raises
    `ProtocolError` where the hand lacks a tile.
    """
    reds = any(rules.red_fives)
    if action == Action.TSUMOGIRI:
        return Choice(action, (drawn,))
    if action < Action.TSUMOGIRI:
        return Choice(action, tuple(_pick(hand, [action], reds, drawn)))
    if action == Action.KITA:
        return Choice(action, tuple(_pick(hand, [NORTH], reds)))
    if action >= Action.KAKAN:
        return Choice(action, (_of_kind(hand, action - Action.KAKAN),))
    if action >= Action.ANKAN:
        return Choice(action, (4 * (action - Action.ANKAN),))
    if Action.CHII <= action <= Action.DAIMINKAN:
        event = Event.CHII if action < Action.PON else Event.PON if action < Action.DAIMINKAN else Event.DAIMINKAN
        wanted = laid_down(rules, event, tile_of_id(called, reds), action)
        return Choice(action, tuple(_pick(hand, wanted, reds)))
    return Choice(action, ())


def _pick(hand: Collection[int], tiles: list[int], reds: bool, not_this: int = -1) -> list[int]:
    """Pick an id of the hand for each tile (0–36)."""
    left = sorted(identity for identity in hand if identity != not_this)
    picked = []
    for tile in tiles:
        identity = next((held for held in left if tile_of_id(held, reds) == tile), -1)
        if identity < 0:
            raise ProtocolError("a tile is to be played that the hand does not hold")
        left.remove(identity)
        picked.append(identity)
    return picked


def _of_kind(hand: Collection[int], kind: int) -> int:
    identity = next((held for held in sorted(hand) if held // 4 == kind), -1)
    if identity < 0:
        raise ProtocolError("a kan is to be made of a tile that the hand does not hold")
    return identity


def write_choice(choice: Choice, riichi_tile: int = -1) -> Message:
    """Return an action as a client sends it."""
    action, tiles = choice.action, choice.tiles
    if action <= Action.TSUMOGIRI:
        return message("D", p=tiles[0])
    if action == Action.RIICHI:
        return message("REACH", hai=riichi_tile if riichi_tile >= 0 else None)
    if action >= Action.ANKAN:
        return message("N", type=int(Answer.KAKAN if action >= Action.KAKAN else Answer.ANKAN), hai=tiles[0])
    if action < Action.DAIMINKAN and action >= Action.CHII:
        kind = Answer.CHII if action < Action.PON else Answer.PON
        return message("N", type=int(kind), hai0=tiles[0], hai1=tiles[1])
    return message("N", type=_NO_TILES[Action(action)])


def read_choice(sent: Message, hand: Collection[int], drawn: int, called: int, reds: bool) -> Choice:
    """Return what a client's message means. Raises `ProtocolError` where it means nothing or uses foreign tiles."""
    if sent.tag == "REACH":
        return Choice(int(Action.RIICHI), ())
    if sent.tag == "D":
        tile = _held(sent, "p", hand)
        return Choice(int(Action.TSUMOGIRI) if tile == drawn else tile_of_id(tile, reds), (tile,))
    if sent.tag != "N":
        raise ProtocolError(f"<{sent.tag}> while a decision is waited for")
    if "type" not in sent.values:
        return Choice(int(Action.PASS), ())
    number = sent.number("type")
    if number not in Answer.__members__.values():
        raise ProtocolError(f"<N> of type {number}, which there is not")
    kind = Answer(number)
    if kind in _PLAIN:
        return Choice(int(_PLAIN[kind]), ())
    if kind == Answer.KITA:
        norths = sorted(held for held in hand if held // 4 == NORTH)
        return Choice(int(Action.KITA), tuple(norths[:1]))
    if kind in (Answer.ANKAN, Answer.KAKAN):
        tile = _held(sent, "hai", hand)
        return Choice((Action.ANKAN if kind == Answer.ANKAN else Action.KAKAN) + tile // 4, (tile,))
    if called < 0:
        raise ProtocolError("<N> calls a tile where none was discarded")
    if kind == Answer.DAIMINKAN:
        return Choice(int(Action.DAIMINKAN), tuple(sorted(held for held in hand if held // 4 == called // 4)))
    return _read_call(sent, kind, hand, called, reds)


def _read_call(sent: Message, kind: Answer, hand: Collection[int], called: int, reds: bool) -> Choice:
    ids = (_held(sent, "hai0", hand), _held(sent, "hai1", hand))
    tiles = [tile_of_id(identity, reds) for identity in ids]
    kinds = sorted(map(kind_of, (*tiles, tile_of_id(called, reds))))
    if ids[0] == ids[1]:
        raise ProtocolError("<N> lays the same tile down twice")
    if kind == Answer.PON:
        if kinds[0] != kinds[2]:
            raise ProtocolError("<N> calls pon with other tiles")
        return Choice(Action.PON + sum(tile >= 34 for tile in tiles), ids)
    if kinds[1:] != [kinds[0] + 1, kinds[0] + 2] or kinds[0] // 9 != kinds[2] // 9 or kinds[2] > 26:
        raise ProtocolError("<N> calls chii with tiles that are no run")
    try:
        return Choice(chii_action(tile_of_id(called, reds), tiles), ids)
    except MjaiError as error:
        raise ProtocolError(str(error)) from None


def _held(sent: Message, name: str, hand: Collection[int]) -> int:
    tile = sent.tile_at(name)
    if tile not in hand:
        raise ProtocolError(f"<{sent.tag}> uses tile {tile}, which the hand does not hold")
    return tile
