"""Hand-built tables of Sichuan mahjong."""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import Any

import numpy as np

from janshi.sichuan.actions import Action
from janshi.sichuan.rules import SICHUAN, Rules
from janshi.sichuan.state import DiscardFlag, Event, Fan, MeldForm, Phase, Ready
from janshi.table import Table
from janshi.tiles import parse_tiles, tile_text
from tests.claims import Row, Words, rules_in

PUNG, KONG, WIN, PASS = Action.PUNG, Action.EXPOSED_KONG, Action.WIN, Action.PASS
PAYMENTS = {event for event in Event if event >= Event.WIN_PAY}


def tile(text: str) -> int:
    return int(parse_tiles(text)[0])


def wall(hands: list[str], voids: str, draws: str = "", last: str = "") -> np.ndarray:
    """Return a wall with these hands, then these draws; ``last``: its end.

    Hands that are too short are filled with tiles of the seat's void suit, so that it can neither call nor win: kinds
    that no other hand holds come first.
    """
    dealt = [list(parse_tiles(text)) for text in hands]
    front, back = list(parse_tiles(draws)), list(parse_tiles(last))
    given = [kind for hand in dealt for kind in hand]
    left = Counter(dict.fromkeys(range(27), 4))
    left.subtract(Counter([*given, *front, *back]))
    for seat, hand in enumerate(dealt):
        low = 9 * "mps".index(voids[seat])
        fill = [kind for kind in left.elements() if low <= kind < low + 9]
        fill.sort(key=lambda kind: (kind in given, kind))
        missing = fill[: (14 if seat == 0 else 13) - len(hand)]
        left.subtract(Counter(missing))
        hand += missing
    assert [len(hand) for hand in dealt] == [14, 13, 13, 13]
    assert min(left.values()) >= 0, "more than four of a kind"
    tiles = [*dealt[0][1:], *dealt[1], *dealt[2], *dealt[3], dealt[0][0]]
    return np.array([*tiles, *front, *left.elements(), *back], np.int8)


def table(
    dealt: list[str], voids: str, draws: str = "", last: str = "", rules: Rules = SICHUAN, **changes: Any
) -> Table:
    """Return a table with these hands (the dealer's first tile is the one dealt last) and these void suits."""
    made = Table(dataclasses.replace(rules, **changes), wall=wall(dealt, voids, draws, last))
    for seat, suit in enumerate(voids):
        assert made.actor == seat
        made.act(Action.VOID + "mps".index(suit))
    return made


def discard(made: Table, text: str) -> None:
    """Discard a tile."""
    assert PASS not in made.legal, f"seat {made.actor} is asked about a tile"
    made.act(tile(text))


def may(made: Table) -> set[int]:
    """Return the actor's legal actions except discards and the pass."""
    return {action for action in made.legal if action >= Action.PUNG and action != PASS}


def payments(made: Table, event: Event | None = None) -> list[tuple[int, int, int]]:
    """Return payments so far (of one kind): from, to, points; check that all payments sum to the points."""
    rows = made.record["log"].reshape(-1, 4)[: int(made.record["logged"])].tolist()
    balance = made.record["before"].tolist()
    paid = [row for row in rows if row[0] in PAYMENTS]
    for _, payer, receiver, points in paid:
        balance[payer] -= points
        balance[receiver] += points
    assert made.scores == balance
    return [(payer, receiver, points) for what, payer, receiver, points in paid if event in (None, what)]


def play_out(made: Table) -> Table:
    """Play to the end of the hand without wins and calls, with discards of drawn tiles if legal."""
    while not made.hand_over:
        step(made)
    return made


def step(made: Table) -> None:
    """Pass, discard the drawn tile, or else the first legal tile."""
    drawn, legal = int(made.state.drawn), made.legal
    made.act(PASS if PASS in legal else drawn if drawn in legal else legal[0])


def until(made: Table, seat: int) -> Table:
    """Play like `play_out` until a seat has a decision in its own turn or about a tile."""
    while made.actor != seat and not made.hand_over:
        step(made)
    return made


def tiles_of(states: np.ndarray) -> np.ndarray:
    """Return the tiles of each kind in hands (with tiles face down), melds, rivers and the wall (n, 27)."""
    kinds = np.arange(27)
    seats, hands = states["seats"], states["hands"]
    total = (hands["counts"].astype(np.int64) + seats["discarded"]).sum(axis=1)
    total += (3 * (seats["pungs"][..., None] >> kinds & 1) + 4 * (seats["kongs"][..., None] >> kinds & 1)).sum(axis=1)
    total += (hands["laid"][..., None] == kinds).sum(axis=1)
    exchanging = (states["phase"] == Phase.EXCHANGE)[:, None, None, None]
    total += (exchanging & (hands["given"][..., None] == kinds)).sum(axis=(1, 2))
    slots = np.arange(states["wall"].shape[1]) - states["next"][:, None]
    left = (slots >= 0) & (slots < states["left"][:, None])
    return total + (left[..., None] & (states["wall"][..., None] == kinds)).sum(axis=1)


def hide(state: np.void, seat: int, random: np.random.Generator) -> None:
    """Change all information hidden from a seat."""
    state["wall"][:] = random.permutation(state["wall"])
    log = state["log"].reshape(-1, 4)
    for row in log[: state["logged"]]:
        drawn = row[0] in (Event.DRAW, Event.REPLACE) and row[1] != seat
        given_away = row[0] == Event.GIVE and seat not in (row[1], row[3])
        void = row[0] == Event.VOID and row[1] != seat and state["seats"]["void"][row[1]] < 0
        if drawn or given_away or void:
            row[2] = random.integers(0, 3 if void else 27)
        if void:
            row[3] = random.integers(0, 27)
    for other in range(4):
        if other != seat:
            hand = state["hands"][other]
            hand["counts"] = random.integers(0, 5, 27)
            hand["concealed"]["held"] = random.integers(0, 1 << 27, 5)
            hand["waits"] = random.integers(0, 1 << 27)
            for name in ("given", "received"):
                hand[name] = random.integers(0, 27, 3)
            for name in ("void", "laid", "passed", "shanten"):
                hand[name] = random.integers(0, 3)
            state["answers"][other] = random.integers(0, 33)
            state["passable"][other] = random.integers(0, 33)
    if state["turn"] != seat:
        state["drawn"] = random.integers(0, 27)
    state["seed"] = random.integers(0, 1 << 40)


# ---------------------------------------------------------------------------------------------------------
# Rows of ``tests/vectors/sichuan-tables.json``

_WORDS: dict[int, str] = {Action.PUNG: "pung", Action.EXPOSED_KONG: "kong", Action.WIN: "win", Action.PASS: "pass"}


def action_word(action: int, made: Table) -> str:
    """Return the word of an action: ``5m``, ``void-p``, ``kong-3s`` (an own one)."""
    if action >= Action.OWN_KONG:
        return f"kong-{tile_text(action - Action.OWN_KONG)}"
    return _WORDS.get(action) or (tile_text(action) if action < Action.VOID else f"void-{'mps'[action - Action.VOID]}")


def laid(row: Row) -> Table:
    """Return the table of a row, with the void suits named but for a wall that is only dealt."""
    rules, hands = rules_in(row.get("rules", "sichuan")), row["deals"].replace("any", "-").split()
    tiles = ["" if text == "-" else text for text in hands], row["voids"], row.get("draws", ""), row.get("last", "")
    return Table(rules, wall=wall(*tiles)) if row.get("wall") == "dealt" else table(*tiles, rules=rules)


def _paid(*kinds: Event) -> Any:
    """Return a fact: the payments of some kinds, ``payer>receiver:points``, sorted."""
    return lambda made: " ".join(
        f"{payer}>{receiver}:{points}" for kind in kinds for payer, receiver, points in sorted(payments(made, kind))
    )


def _log(made: Table) -> list[str]:
    rows = made.record["log"].reshape(-1, 4)[: int(made.record["logged"])].tolist()
    return [
        f"{Event(event).name} {seat} {'-' if what == -1 else tile_text(what)} {more}"
        for event, seat, what, more in rows
    ]


def _fans(made: Table) -> str:
    return ", ".join(fan.name.lower().replace("_", " ") for fan in Fan if int(made.state.wins[0].value.times[fan]))


def _play_while(goes_on: Any) -> Any:
    """Return a move: steps while something holds of the table and the text of the move."""

    def move(made: Table, text: str) -> None:
        while not made.hand_over and goes_on(made, text):
            step(made)

    return move


SICHUAN_WORDS = Words(
    table=laid,
    action=action_word,
    claim=Phase.CLAIM,
    moves={
        "end": _play_while(lambda made, text: True),
        "until": _play_while(lambda made, text: made.actor != int(text)),
        "lay": lambda made, suit: made.act(next(action for action in made.legal if action // 9 == "mps".index(suit))),
        "exchange": _play_while(lambda made, text: int(made.state.phase) == Phase.EXCHANGE),
    },
    facts={
        "calls": lambda made: " ".join(action_word(action, made) for action in sorted(may(made))),
        "suits": lambda made: "".join(sorted({action_word(action, made)[-1] for action in made.legal})),
        "fans": _fans,
        "paid": _paid(None),
        **{kind.name.lower(): _paid(kind) for kind in PAYMENTS},
        **{f"tiles_{seat}": lambda made, seat=seat: int(made.state.hands[seat].counts.sum()) for seat in range(4)},
        "log_kongs": lambda made: [row for row in _log(made) if "KONG " in row],
        "log_draws": lambda made: "".join(sorted({row.split()[1] for row in _log(made) if row.startswith("DRAW")})),
    },
    enums={"form": MeldForm, "phase": Phase, "marks": DiscardFlag, "ready": Ready},
    tiles=frozenset({"tile", "drawn", "kind", "river", "laid"}),
    masks=frozenset({"waits", "pungs", "kongs"}),
)
