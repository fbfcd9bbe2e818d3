"""Facts of mjlog for which other formats have no field, in a field ``janshi`` of those formats.

Around the game: Tenhou's type of game, lobby, name of the record, ranks, rates, sexes, seed of the walls, rule text of
a lobby. Of a hand: the ids of all tiles, the dice, seats that show a hand, and fu beside a limit. So a record is
unchanged by a conversion from mjlog to another format and back. Other readers ignore the field.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from janshi.records.formats import RecordError
from janshi.riichi.records.holding import at_end
from janshi.riichi.records.lobby import apply_lobby
from janshi.riichi.records.model import Drawn, RecordedHand, RiichiGame, rules_of_flags
from janshi.riichi.records.walls import walls
from janshi.riichi.state import Event
from janshi.tiles import IDS, tile_of_id

#: Name of the field.
FIELD: Final = "janshi"

#: Carried fields of `RiichiGame`, with their types.
_FIELDS: Final[dict[str, tuple[type, bool]]] = {
    "flags": (int, False),
    "lobby": (str, False),
    "ref": (str, False),
    "dan": (int, True),
    "rates": (float, True),
    "sex": (str, True),
    "seed": (str, False),
    "custom": (str, False),
}


def game_extras(game: RiichiGame, without: Collection[str] = ()) -> dict[str, Any]:
    """Return the known facts around a game, except the fields ``without``, which the format has."""
    values = {name: getattr(game, name) for name in _FIELDS if name not in without}
    return {name: value for name, value in values.items() if value not in (None, "")}


def add_game_extras(game: RiichiGame, extras: Any) -> None:
    """Add the result of `game_extras` to a game; what is none is ignored."""
    if extras is None:
        return
    if not isinstance(extras, dict):
        game.ignore(f"the field {FIELD}, which is no object")
        return
    for name, (kind, is_list) in _FIELDS.items():
        value = extras.get(name)
        if value is None:
            continue
        values = value if isinstance(value, list) else [value]
        fits = (kind, int) if kind is float else kind
        if is_list != isinstance(value, list) or not all(
            isinstance(each, fits) and not isinstance(each, bool) for each in values
        ):
            game.ignore(f"{name} of a wrong type in the field {FIELD}")
        elif name == "flags" and not _is_type(value, game.players):
            game.ignore(f"unknown type of game in the field {FIELD}")
        else:
            setattr(game, name, [kind(each) for each in values] if is_list else value)
    apply_lobby(game)


def _is_type(flags: int, players: int) -> bool:
    """Return whether a number is one of Tenhou's types of games of so many players."""
    try:
        return 0 <= flags < 1 << 16 and rules_of_flags(flags).players == players
    except RecordError:
        return False


def hand_extras(hand: RecordedHand, *, outcome: bool = False) -> dict[str, Any]:
    """Return the known facts of a hand; with ``outcome`` also the seats that show a hand, and the fu beside a limit."""
    extras: dict[str, Any] = {}
    if hand.exact:
        extras["ids"] = list(_ids_of(hand))
    if hand.dice is not None:
        extras["dice"] = list(hand.dice)
    if not outcome:
        return extras
    if isinstance(hand.outcome, Drawn) and hand.outcome.shown is not None:
        extras["shown"] = list(hand.outcome.shown)
    if any(win.fu >= 0 and win.limit for win in hand.wins):
        extras["fu"] = [win.fu for win in hand.wins]
    return extras


def add_hand_extras(game: RiichiGame, hand: RecordedHand, extras: Any) -> RecordedHand:
    """Return a hand of a game with the result of `hand_extras`, which is ignored where it does not fit the hand."""
    try:
        return hand if extras is None else _with_extras(hand, extras, game.rules.red_fives)
    except RecordError as error:
        game.ignore(error.reason)
        return hand


def _with_extras(hand: RecordedHand, extras: Any, reds: tuple[int, int, int]) -> RecordedHand:
    """Return a hand with the result of `hand_extras`. Raises `RecordError` if it does not fit the hand."""
    if not isinstance(extras, dict):
        raise RecordError(f"the field {FIELD} must be an object")
    if "dice" in extras:
        dice = _integers(extras["dice"], 6)
        if len(dice) != 2:
            raise RecordError(f"the field {FIELD} holds {len(dice)} dice")
        hand = replace(hand, dice=(dice[0], dice[1]))
    if "shown" in extras and isinstance(hand.outcome, Drawn):
        hand = replace(hand, outcome=replace(hand.outcome, shown=tuple(_integers(extras["shown"], len(hand.deal)))))
    if "fu" in extras and hand.wins:
        fu = _integers(extras["fu"], 1000, -1)
        if len(fu) != len(hand.wins):
            raise RecordError(f"the field {FIELD} holds {len(fu)} fu for {len(hand.wins)} winners")
        hand = replace(hand, outcome=[replace(win, fu=each) for win, each in zip(hand.wins, fu, strict=True)])
    return _with_ids(hand, _integers(extras["ids"], IDS), reds) if "ids" in extras else hand


def add_walls(game: RiichiGame) -> None:
    """Rebuild `RecordedHand.wall` of every hand if the record has a seed and the ids of its tiles."""
    known = walls(game.seed, game.players, len(game.hands) + len(game.cut)) if game.seed else None
    if known is not None and all(hand.exact for hand in game.hands):
        for index, hand in enumerate(game.hands):
            hand.wall = known[game.number_of(index) - 1]


def _integers(values: Any, end: int, first: int = 0) -> list[int]:
    if not isinstance(values, list) or not all(type(value) is int and first <= value < end for value in values):
        raise RecordError(f"the field {FIELD} holds what is no list of numbers from {first} to {end - 1}")
    return values


# ---------------------------------------------------------------------------------------------------------
# Ids of tiles: those dealt, seat by seat, the first indicator, those of every event in turn, the ura indicators


def _own(row: list[int]) -> list[int]:
    """Return the ids that an event lays down from a hand; the last four columns of a discard hold none."""
    return [] if row[0] == Event.DISCARD else [identity for identity in row[4:] if identity >= 0]


def _ids_of(hand: RecordedHand) -> Iterator[int]:
    yield from hand.deal.ravel().tolist()
    yield hand.dora
    for row in hand.events.tolist():
        if row[2] >= 0:
            yield row[2]
            yield from _own(row)
    for win in hand.wins:
        yield from win.ura


def _with_ids(hand: RecordedHand, ids: list[int], reds: tuple[int, int, int]) -> RecordedHand:
    """Return a hand whose tiles have these ids in place of those that the reader chose."""
    if len(ids) != sum(1 for _ in _ids_of(hand)):
        raise RecordError(f"the field {FIELD} contains {len(ids)} ids of tiles, not as many as the hand")
    coming = iter(ids)

    def take(chosen: Sequence[int], *, by_kind: bool = False) -> list[int]:
        taken = [next(coming) for _ in chosen]
        faces = [
            sorted(identity // 4 if by_kind else tile_of_id(identity, reds) for identity in each)
            for each in (chosen, taken)
        ]
        if faces[0] != faces[1]:
            raise RecordError(f"the field {FIELD} has ids of other tiles than {taken}")
        return taken

    deal = [take(row) for row in hand.deal.tolist()]
    (dora,) = take([hand.dora])
    rows = hand.events.tolist()
    for row in rows:
        if row[2] >= 0:
            # A closed kan may be named by any of its tiles.
            (row[2],) = take([row[2]], by_kind=row[0] == Event.ANKAN)
            own = take(_own(row))
            row[4 : 4 + len(own)] = own
    events = np.array(rows, np.int16).reshape(hand.events.shape)
    changed = replace(hand, deal=np.array(deal, np.uint8), dora=dora, events=events, exact=True)
    drawn = [row[2] for row in rows if row[0] in (Event.DRAW, Event.DORA)]
    turned_up = [*changed.deal.ravel().tolist(), dora, *drawn]
    if len(set(turned_up)) != len(turned_up):
        raise RecordError(f"the field {FIELD} has the same id for two tiles")
    holding = at_end(changed)
    if hand.wins:
        changed.outcome = [
            replace(win, ura=tuple(take(win.ura)), **holding.winning(win.who, win.from_who)) for win in hand.wins
        ]
    return changed
