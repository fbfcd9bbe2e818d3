"""The table as one seat knows it, put together from the mjai events that it is told.

The engine's own steps are taken, one an event, on a `State` in which nothing is hidden because nothing hidden is in
it: the others' hands are empty but for the moment in which they lay a tile down, and the wall holds a tile from when it
is drawn or turned over. So what the seat may do and what it sees (`KnownTable.view`) are the engine's, byte for byte.

What events cannot tell, and why it does not matter:

* the seed, the number of the hand and of the decisions taken: no `View` holds them. Agents that draw lots are given
  other numbers than they would be at the table itself;
* what stands in the slots of melds that a seat has not made: left over from earlier hands, and of no meaning. After a
  `start_game` they are the engine's; for who joins in the middle of a game they are not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Batch, Int64s, entry
from janshi.engine import actions
from janshi.engine.hand import give, take, update_waits
from janshi.engine.legal import discard_options, turn_options
from janshi.engine.moves import (
    DRAW,
    REPLACE,
    RESOLVE,
    SETTLE,
    WAIT,
    added_kan,
    ask_next,
    closed_kan,
    declare_riichi,
    discard,
    first_draw,
    kita,
    next_draw,
    replacement,
    resolve,
)
from janshi.engine.play import clear_table, write_legal
from janshi.engine.state import (
    ACCEPTED_EVENT,
    ANKAN_EVENT,
    CHII_EVENT,
    DAIMINKAN_EVENT,
    DISCARD_EVENT,
    DORA_EVENT,
    DRAW_EVENT,
    KAKAN_EVENT,
    KITA_EVENT,
    PON_EVENT,
    RIICHI_EVENT,
    TURN,
    State,
    View,
)
from janshi.engine.tables import Lookup, lookup
from janshi.engine.wall import dora_place, open_wall, turn_indicator
from janshi.rules import TENHOU, TENHOU_SANMA, RuleError, Rules, preset
from janshi.table import new_states, views_of
from janshi.tiles import EAST, NORTH, TileError, from_mjai, kind_of, parse_tiles, tile_text

#: The step before the dealer's first draw (the others are `janshi.engine.moves`').
_FIRST: Final = 8
#: A hidden hand is never near to ready, so that its waits are never looked for.
_FAR: Final = 100
_HIDDEN: Final = "?"
_COPIES: Final = 4
_MELDS: Final = 4


class MjaiError(ValueError):
    """An event or answer that cannot be: says in one line what is wrong with it."""


# ---------------------------------------------------------------------------------------------------------
# Compiled: one event, one step


@entry
def begin_known(
    states: Batch[State], lookups: Batch[Lookup], seat: int, dealt: Int64s, indicator: int, todo: Int64s
) -> None:
    """Begin a hand of which one seat's tiles and the first indicator are known."""
    state = states[0]
    clear_table(state)
    for who in range(int(state.rules.players)):
        state.hands[who].shanten = _FAR
    for place in range(len(dealt)):
        take(state.hands[seat], int(dealt[place]))
    state.wall[dora_place(int(state.rules.players), 0)] = indicator
    open_wall(state)
    own = state.hands[seat]
    own.shanten = 1
    update_waits(own, lookups[0], 4, int(state.rules.players) == 3)
    state.turn = int(state.dealer)
    state.actor = -1
    state.phase = TURN
    for word in range(3):
        state.legal[word] = 0
    todo[0] = _FIRST


@entry
def follow_event(
    states: Batch[State],
    lookups: Batch[Lookup],
    me: int,
    event: int,
    seat: int,
    tile: int,
    detail: int,
    shown: Int64s,
    todo: Int64s,
) -> bool:
    """Let one event happen (numbers as in ``State.log``); return whether it can follow what was before.

    ``tile`` is −1 for a hidden draw; ``shown`` holds the tiles that turn up from a hidden hand; ``todo`` the step that
    comes next, kept from event to event.
    """
    state = states[0]
    look = lookups[0]
    players = int(state.rules.players)
    step = int(todo[0])
    if event == DORA_EVENT:
        number = int(state.shown)
        if number < 5:
            state.wall[dora_place(players, number)] = tile
            turn_indicator(state)
        return number < 5
    if event == ACCEPTED_EVENT:
        return True  # that it was accepted follows from what comes next
    if step == RESOLVE and int(state.actor) == me:
        state.answers[me] = actions.PASS
    for word in range(3):
        state.legal[word] = 0
    state.actor = -1
    hand = state.hands[seat]
    if event == DRAW_EVENT:
        if step == RESOLVE:
            step = resolve(state, look)
            if step == SETTLE:  # our rules would end the hand here, theirs do not
                step = DRAW
        who = (int(state.turn) + 1) % players if step == DRAW else int(state.turn)
        if step not in (DRAW, REPLACE, _FIRST) or who != seat or int(state.left) == 0:
            return False
        place = int(state.replaced) ^ 1 if step == REPLACE else int(state.next)
        known = tile if seat == me else NORTH
        state.wall[place] = known
        if step == REPLACE:
            replacement(state)
        elif step == DRAW:
            next_draw(state)
        else:
            first_draw(state)
        if seat == me:
            turn_options(state, look)
        else:
            give(hand, known)
            state.drawn = -1
        todo[0] = WAIT
        return True
    if seat != me:
        for place in range(len(shown)):
            take(hand, int(shown[place]))
    if CHII_EVENT <= event <= DAIMINKAN_EVENT:
        if step != RESOLVE or seat == int(state.turn) or int(state.tile) != tile:
            return False
        state.answers[seat] = detail
        step = resolve(state, look)
        if step == SETTLE:
            return False
        todo[0] = REPLACE if step == REPLACE else WAIT
        state.actor = seat
        if seat == me and step != REPLACE:
            discard_options(state, look)
        return True
    if step != WAIT or seat != int(state.turn):
        return False
    if event == RIICHI_EVENT:
        declare_riichi(state)
        state.actor = seat
        if seat == me:
            discard_options(state, look)
        return True
    if event == DISCARD_EVENT:
        if detail and seat != me:
            state.drawn = tile
        discard(state, look, actions.TSUMOGIRI if detail else tile)
    elif event == KITA_EVENT:
        kita(state, look)
    elif event == ANKAN_EVENT:
        closed_kan(state, look, tile)
    else:
        added_kan(state, look, detail - actions.KAKAN)
    if ask_next(state, look) != WAIT:
        state.actor = -1
    todo[0] = RESOLVE
    return True


# ---------------------------------------------------------------------------------------------------------
# Events as they are told


def tile_named(name: object) -> int:
    """Return the tile (0–36) of a name: mjai's (``5pr``, ``E``), or as text has it (``0p``, ``1z``).

    Raises `MjaiError` where it names none.

    >>> tile_named("5sr") == tile_named("0s") == 36
    True
    """
    if isinstance(name, str):
        try:
            return from_mjai(name)
        except TileError:
            pass
        try:
            (tile,) = parse_tiles(name)
            return tile
        except ValueError:
            pass
    raise MjaiError(f"{name!r} names no tile")


def number_in(event: dict[str, Any], name: str, below: int) -> int:
    """Return a field that holds a whole number from 0 to ``below`` − 1. Raises `MjaiError` where it does not."""
    value = event.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < below:
        raise MjaiError(f"{event.get('type')!r} with {name} {value!r}, where 0 to {below - 1} can be")
    return value


def tiles_in(event: dict[str, Any], name: str, many: int) -> list[int]:
    """Return a field that lists so many tiles. Raises `MjaiError` where it does not."""
    value = event.get(name)
    if not isinstance(value, list) or len(value) != many:
        raise MjaiError(f"{event.get('type')!r} with {name} {value!r}, where {many} tiles should be")
    return [tile_named(one) for one in value]


_SIMPLE: Final = {"reach": RIICHI_EVENT, "reach_accepted": ACCEPTED_EVENT, "dora": DORA_EVENT}
_CALLS: Final = {"chi": (CHII_EVENT, 2), "pon": (PON_EVENT, 2), "daiminkan": (DAIMINKAN_EVENT, 3)}
_KITA: Final = ("nukidora", "kita")
#: Events of a hand; all others are passed over.
_PLAYED: Final = frozenset(("tsumo", "dahai", "ankan", "kakan", *_KITA, *_CALLS, *_SIMPLE))
_ENDS: Final = ("hora", "ryukyoku")


def chii_action(called: int, own: Sequence[int]) -> int:
    """Return the action that calls a tile with two of one's own (tiles 0–36)."""
    below = sum(kind_of(one) < kind_of(called) for one in own)
    return (actions.CHII_RED if max(own) >= 34 else actions.CHII) + below


def row_of(event: dict[str, Any], players: int) -> tuple[int, int, int, int, list[int]]:
    """Return what an event of a hand is as the engine logs it (event, seat, tile, detail), and the tiles that it shows.

    Those are what leaves the seat's hand. Raises `MjaiError` where the event is damaged.
    """
    kind = event["type"]
    if kind == "dora":
        return DORA_EVENT, -1, tile_named(event.get("dora_marker")), 0, []
    seat = number_in(event, "actor", players)
    if kind in _SIMPLE:
        return _SIMPLE[kind], seat, -1, 0, []
    if kind in _KITA:
        return KITA_EVENT, seat, NORTH, 0, [NORTH]
    if kind == "ankan":
        own = tiles_in(event, "consumed", 4)
        if len({kind_of(one) for one in own}) > 1:
            raise MjaiError(f"{_shown(own)} is no set of a kind")
        return ANKAN_EVENT, seat, kind_of(own[0]), actions.ANKAN + kind_of(own[0]), own
    if kind == "tsumo":
        hidden = event.get("pai", _HIDDEN) == _HIDDEN
        return DRAW_EVENT, seat, -1 if hidden else tile_named(event["pai"]), 0, []
    tile = tile_named(event.get("pai"))
    if kind == "dahai":
        return DISCARD_EVENT, seat, tile, 1 if event.get("tsumogiri") else 0, [tile]
    if kind == "kakan":
        return KAKAN_EVENT, seat, tile, actions.KAKAN + kind_of(tile), [tile]
    call, many = _CALLS[kind]
    own = tiles_in(event, "consumed", many)
    kinds = sorted(kind_of(one) for one in (tile, *own))
    if call == CHII_EVENT:
        low = kinds[0]
        if kinds != [low, low + 1, low + 2] or low // 9 != kinds[2] // 9 or low >= EAST:
            raise MjaiError(f"{_shown([tile, *own])} is no run")
        return call, seat, tile, chii_action(tile, own), own
    if len(set(kinds)) > 1:
        raise MjaiError(f"{_shown([tile, *own])} is no set of a kind")
    reds = sum(one >= 34 for one in own)
    return call, seat, tile, actions.PON + reds if call == PON_EVENT else actions.DAIMINKAN, own


def _shown(tiles: Sequence[int]) -> str:
    return " ".join(tile_text(one) for one in tiles)


class KnownTable:
    """What one seat knows, from what it is told.

    Args:
        rules: what is played; None: what `start_game` names, else Tenhou's for as many as are seated.

    After each `hear` ask `asked`; where it is true, `view` and `legal` are what an agent decides from.
    """

    def __init__(self, rules: Rules | None = None) -> None:
        self.given = rules
        self.rules: Rules = TENHOU if rules is None else rules
        self.seat = -1
        """Own seat; −1 before `start_game` (or the first deal) has told it."""
        self.playing = False
        """Whether a hand is played and has been followed without a contradiction."""
        self._named: Rules | None = None
        self._names: list[Any] = []
        self._states: Batch[State] | None = None
        self._only = np.zeros(1, np.int64)
        self._todo = np.zeros(1, np.int64)
        self._scores: list[int] = []

    @property
    def _state(self) -> NDArray[Any]:
        return cast("NDArray[Any]", cast("NDArray[Any]", self._states)[0])

    def hear(self, event: dict[str, Any]) -> None:
        """Take one event in. Raises `MjaiError` where it is damaged or cannot follow what was before.

        The hand is then not followed any further; the next `start_kyoku` begins anew.
        """
        kind = event.get("type")
        try:
            if kind == "start_game":
                self._start_game(event)
            elif kind == "start_kyoku":
                self._start_hand(event)
            elif kind in _ENDS:
                self._pay(event)
                self.playing = False
            elif kind in ("end_kyoku", "end_game"):
                self.playing = False
            elif kind in _PLAYED and self.playing:
                self._play(event)
        except MjaiError:
            self.playing = False
            raise
        except (TypeError, ValueError, OverflowError) as error:
            self.playing = False
            raise MjaiError(f"{kind!r} is damaged ({error})") from None

    # -------------------------------------------------------------------------------------------------------
    # What the seat may do

    @property
    def asked(self) -> bool:
        """Whether this seat has something to decide now, a forced discard included."""
        return self.playing and int(self._state["actor"]) == self.seat and bool(self._state["legal"].any())

    def legal(self) -> NDArray[np.bool_]:
        """Return what this seat may do (1, 122; bool); nothing where it is not asked."""
        mask = np.zeros((1, actions.ACTIONS), np.bool_)
        if self.asked:
            write_legal(cast("Batch[State]", self._states), self._only, mask)
        return mask

    def view(self) -> Batch[View]:
        """Return what this seat sees: one `View`, as `janshi.table.Table.view` would give it."""
        views = views_of(cast("Batch[State]", self._states), self._only, np.array([self.seat], np.int8))
        # The table's own rulebook has no kan-dora: indicators are turned over when an event says so.
        cast("NDArray[Any]", views)["rules"]["kan_dora"] = int(self.rules.kan_dora)
        return views

    # -------------------------------------------------------------------------------------------------------
    # Events

    def _start_game(self, event: dict[str, Any]) -> None:
        self.playing = False
        self._states, self._named, self._scores = None, None, []
        self._names = event["names"] if isinstance(event.get("names"), list) else []
        self.seat = number_in(event, "id", 4) if event.get("id") is not None else -1
        if isinstance(event.get("rules"), str):
            try:
                self._named = preset(event["rules"])
            except RuleError:
                self._named = None  # rules of somebody else's, by a name of theirs

    def _start_hand(self, event: dict[str, Any]) -> None:
        self.playing = False
        hands = event.get("tehais")
        if not isinstance(hands, list) or len(hands) not in (3, 4):
            raise MjaiError("'start_kyoku' without tehais of 3 or 4 players")
        self._choose_rules(event, hands)
        players = self.rules.players
        if self.seat < 0:
            known = [who for who, hand in enumerate(hands) if _HIDDEN not in hand]
            if len(known) != 1:
                raise MjaiError("'start_kyoku' does not show which seat is ours, nor did 'start_game' (id)")
            self.seat = known[0]
        if self.seat >= players:
            raise MjaiError(f"our seat is {self.seat} at a table of {players}")
        dealt = tiles_in({"type": "start_kyoku", "tehais": hands[self.seat]}, "tehais", 13)
        indicator = tile_named(event.get("dora_marker"))
        for tile in (*dealt, indicator):
            self._check_tile(tile)
        kinds = [kind_of(tile) for tile in dealt]
        if max(map(kinds.count, kinds)) > _COPIES:
            raise MjaiError(f"we are dealt {_shown(dealt)}: five of a kind")
        dealer = number_in(event, "oya", players) if "oya" in event else number_in(event, "kyoku", players + 1) - 1
        wind = event.get("bakaze")
        if not isinstance(wind, str) or wind not in "ESWN" or len(wind) != 1:
            raise MjaiError(f"'start_kyoku' with bakaze {wind!r}, where E, S, W or N can be")
        state = self._state
        state["kyoku"] = 4 * "ESWN".index(wind) + number_in(event, "kyoku", 5) - 1
        state["dealer"] = dealer
        state["honba"] = number_in(event, "honba", 1000) if "honba" in event else 0
        state["deposits"] = number_in(event, "kyotaku", 1000) if "kyotaku" in event else 0
        told = event.get("scores")
        if isinstance(told, list) and len(told) >= players:
            self._scores = [int(one) for one in told[:players]]
        state["seats"]["points"] = self.rules.start
        state["seats"]["points"][:players] = self._scores or self.rules.start
        states = cast("Batch[State]", self._states)
        begin_known(states, lookup(), self.seat, np.array(dealt), indicator, self._todo)
        self.playing = True

    def _choose_rules(self, event: dict[str, Any], hands: list[Any]) -> None:
        players = 3 if self._absent_fourth(event, hands) else 4
        chosen = self.given or self._named or (TENHOU_SANMA if players == 3 else TENHOU)
        if chosen.players > len(hands) or (players == 4 and chosen.players == 3 and len(hands) == 4 and self.seat == 3):
            raise MjaiError(f"rules {chosen.name!r} are for {chosen.players} players, {players} are dealt to")
        if self._states is None or chosen != self.rules:
            self._states = new_states(chosen, 1)
            self._state["rules"]["kan_dora"] = 0
        self.rules = chosen

    def _absent_fourth(self, event: dict[str, Any], hands: list[Any]) -> bool:
        if len(hands) == 3 or not hands[3]:
            return True
        scores = event.get("scores")
        if isinstance(scores, list) and (len(scores) == 3 or (len(scores) == 4 and not scores[3] and sum(scores))):
            first = event.get("bakaze") == "E" and event.get("kyoku") == 1 and not event.get("honba")
            return len(scores) == 3 or first or self.rules.players == 3
        return len(self._names) == 3 or (len(self._names) == 4 and self._names[3] in ("", None))

    def _pay(self, event: dict[str, Any]) -> None:
        """Follow the points where the next deal does not tell them."""
        after, change = event.get("scores"), event.get("deltas")
        players = self.rules.players
        if isinstance(after, list) and len(after) >= players:
            self._scores = [int(one) for one in after[:players]]
        elif isinstance(change, list) and len(change) >= players and self._states is not None:
            points = self._state["seats"]["points"][:players].tolist()
            self._scores = [one + int(more) for one, more in zip(points, change, strict=False)]
            self._state["seats"]["points"][:players] = self._scores

    def _play(self, event: dict[str, Any]) -> None:
        kind, seat, tile, detail, own = row_of(event, self.rules.players)
        for one in (tile, *own):
            self._check_tile(one)
        melds = int(self._state["seats"][seat]["calls"])
        if melds == _MELDS and (CHII_EVENT <= kind <= ANKAN_EVENT):
            raise MjaiError(f"a fifth set of seat {seat}")
        if seat == self.seat:
            detail = self._check_own(kind, tile, detail, own)
        done = follow_event(
            cast("Batch[State]", self._states),
            lookup(),
            self.seat,
            kind,
            seat,
            tile,
            detail,
            np.array(own, np.int64),
            self._todo,
        )
        if not done:
            raise MjaiError(f"{str(event)[:160]} cannot follow what was told before")

    def _check_tile(self, tile: int) -> None:
        """Raise `MjaiError` where a game of three is told of a tile that it lacks."""
        if self.rules.players == 3 and 1 <= kind_of(tile) <= 7:
            raise MjaiError(f"{tile_text(tile)} turns up in a game of three")

    def _check_own(self, kind: int, tile: int, detail: int, own: list[int]) -> int:
        """Check that the own hand holds what it lays down; return the event's detail."""
        hand = self._state["hands"][self.seat]
        if kind == DRAW_EVENT and tile < 0:
            raise MjaiError("our own draw is hidden")
        if kind == DRAW_EVENT and int(hand["counts"][kind_of(tile)]) >= _COPIES:
            raise MjaiError(f"we draw a fifth {tile_text(tile)}")
        for one in set(own):
            number = kind_of(one)
            reds = int(hand["reds"][number // 9]) if number in (4, 13, 22) else 0
            held = reds if one >= 34 else int(hand["counts"][number]) - reds
            if held < own.count(one):
                raise MjaiError(f"we are told to lay down {tile_text(one)}, which we do not hold")
        if kind == DISCARD_EVENT and detail and int(self._state["drawn"]) != tile:
            return 0
        return detail
