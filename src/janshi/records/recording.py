"""Records of games that the engine has played: a hand is read off its table once it is over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from janshi.engine import actions
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
    RON,
    TSUMO,
)
from janshi.records.builder import HandBuilder
from janshi.records.model import Drawn, Event, Hand, Limit, Reason, Win
from janshi.rules import Rules
from janshi.tiles import kind_of
from janshi.yaku import DORA, RED_FIVES, URA_DORA, YAKU, YAKUMAN

_LIMITS = ((8000, Limit.YAKUMAN), (6000, Limit.SANBAIMAN), (4000, Limit.BAIMAN), (3000, Limit.HANEMAN))


def limit_of_basic(basic: int) -> Limit:
    """Return the limit that basic points stand for.

    >>> limit_of_basic(1920).name, limit_of_basic(2000).name
    ('NONE', 'MANGAN')
    """
    for least, limit in _LIMITS:
        if basic >= least:
            return limit
    return Limit.MANGAN if basic >= 2000 else Limit.NONE


def record_hand(state: Any, rules: Rules, scores: Sequence[int], deposits: int) -> Hand:
    """Return the record of a hand that is over.

    ``state`` is one `janshi.engine.state.State` of an array, ``scores`` and ``deposits`` are what they were before it.
    """
    players = rules.players
    wall = state["wall"].tolist()
    dealer = int(state["dealer"])
    deal = dealt(state, rules)
    first = 5 if players == 4 else 9
    builder = HandBuilder(players, rules.red_fives, deal, wall[first])
    log = state["log"].reshape(-1, 4)[: int(state["logged"])].tolist()
    feeder = -1
    for event, seat, tile, detail in log:
        _play(builder, rules, event, seat, tile, detail, feeder)
        feeder = seat if event == DISCARD_EVENT else feeder
    ended = int(state["ended"])
    before = builder.scores(scores)
    sticks = deposits + len(builder.riichis)
    honba = int(state["honba"])
    outcome: list[Win] | Drawn
    if ended in (TSUMO, RON):
        shown = int(state["shown"])
        ura = builder.ura([wall[first + 2 * number - 1] for number in range(shown if rules.kan_ura else 1)])
        outcome = []
        for number in range(int(state["winners"])):
            win = _win(builder, state, state["wins"][number], ura if rules.ura_dora else (), before, honba)
            outcome.append(win)
            before = tuple(points + change for points, change in zip(before, win.deltas, strict=True))
    else:
        change = tuple(int(one) for one in state["change"][:players])
        reason = Reason(ended)
        ready = tuple(seat for seat in range(players) if int(state["hands"][seat]["waits"]))
        seats = ready if reason == Reason.EXHAUSTIVE else builder.shown(reason, change)
        outcome = Drawn(reason, change, before, seats, honba, sticks)
    return builder.finish(
        round_=int(state["kyoku"]),
        honba=honba,
        deposits=deposits,
        dealer=dealer,
        scores=list(scores),
        outcome=outcome,
    )


def dealt(state: Any, rules: Rules) -> list[list[int]]:
    """Return the 13 tiles (0–36) that every seat was dealt in the hand that is played, in the order of the deal.

    The dealer's fourteenth tile is its first draw.
    """
    wall = state["wall"].tolist()
    place = int(state["wall_size"]) - 1
    deal: list[list[int]] = [[] for _ in range(rules.players)]
    for many in (4, 4, 4, 1):
        for step in range(rules.players):
            for _ in range(many):
                deal[(int(state["dealer"]) + step) % rules.players].append(wall[place])
                place -= 1
    return deal


def laid_down(rules: Rules, event: int, tile: int, action: int) -> list[int]:
    """Return the tiles (0–36) that a call of the engine's log lays down from the hand; empty for other events.

    ``tile`` is the called one (of a closed kan: its kind), ``action`` the action that was done. An added kan lays down
    one tile, ``tile``; here stand the three others, those of the pon.
    """
    kind = kind_of(tile) if tile >= 0 else -1
    reds = rules.red_fives[kind // 9] if 0 <= kind < 27 and kind % 9 == 4 else 0
    if event == ANKAN_EVENT:
        return _of(kind, 4, reds)
    if event in (DAIMINKAN_EVENT, KAKAN_EVENT):
        return _of(kind, 3, reds - (tile >= 34))
    if event == PON_EVENT:
        return _of(kind, 2, action - actions.PON)
    if event != CHII_EVENT:
        return []
    low = kind - (action - actions.CHII) % 3
    red = action >= actions.CHII_RED
    return [34 + one // 9 if red and one % 9 == 4 else one for one in range(low, low + 3) if one != kind]


def _play(builder: HandBuilder, rules: Rules, event: int, seat: int, tile: int, detail: int, feeder: int) -> None:
    """Enter one event of the engine's log."""
    own = laid_down(rules, event, tile, detail)
    if event == DRAW_EVENT:
        builder.draw(seat, tile)
    elif event == DISCARD_EVENT:
        builder.discard(seat, tile, bool(detail))
    elif event == DORA_EVENT:
        builder.indicator(tile)
    elif event == RIICHI_EVENT:
        builder.riichi(seat)
    elif event == ACCEPTED_EVENT:
        builder.accept(seat)
    elif event == KITA_EVENT:
        builder.kita(seat)
    elif event == KAKAN_EVENT:
        builder.added_kan(seat, tile)
    elif event == ANKAN_EVENT:
        builder.closed_kan(seat, own)
    else:
        builder.call(Event(event), seat, feeder, tile, own)


def _of(kind: int, many: int, reds: int) -> list[int]:
    """Tiles of one kind, so many of them red."""
    return [34 + kind // 9] * reds + [kind] * (many - reds)


def _win(
    builder: HandBuilder, state: Any, win: Any, ura: tuple[int, ...], before: tuple[int, ...], honba: int
) -> Win:
    """One winner, as records tell it."""
    who, value = int(win["seat"]), win["value"]
    closed = all(
        int(state["seats"][who]["melds"][one]["form"]) == 4 for one in range(int(state["seats"][who]["calls"]))
    )
    yaku: list[tuple[int, int]] = []
    yakuman = tuple(one for one in YAKUMAN if int(value["yaku"]) >> one & 1)
    if not yakuman:
        for number in range(52):
            if int(value["yaku"]) >> number & 1:
                yaku.append((number, YAKU[number].closed if closed else YAKU[number].open))
        extra = ((DORA, value["dora"]), (URA_DORA, value["ura"]), (RED_FIVES, value["red"]))
        yaku += [(number, int(han)) for number, han in extra if han]
    return builder.win(
        who,
        int(win["feeder"]),
        None if int(win["liable"]) < 0 else int(win["liable"]),
        ura=ura if who in builder.riichis else (),
        han=int(value["han"]),
        fu=int(value["fu"]),
        points=int(win["points"]),
        limit=limit_of_basic(int(value["basic"])),
        yaku=tuple(yaku),
        yakuman=yakuman,
        deltas=tuple(int(one) for one in win["change"][: builder.players]),
        scores=before,
        honba=honba,
        deposits=int(win["deposits"]),
    )
