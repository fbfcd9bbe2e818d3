"""Constructed tables, and functions to play at them."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from janshi.riichi.actions import Action, action_text
from janshi.riichi.hands.yaku import YAKU
from janshi.riichi.rules import TENHOU, Length, Rules, preset
from janshi.riichi.rules.yaku import YakuId
from janshi.riichi.state import DiscardFlag, Event, MeldForm, Offer, Phase
from janshi.table import Table
from janshi.tiles import NORTH, ORPHANS, format_tiles, kind_of, parse_tiles, tile_text
from tests.claims import Row, Words, rules_in

JUNK = "258m147p369s1234z"  # no calls and no wins
TENPAI = "234m567p345s11z99s"  # closed, waits for East and 9s
HAND = dataclasses.replace(TENHOU, length=Length.SINGLE_HAND)


def tile(text: str) -> int:
    return parse_tiles(text)[0]


def all_tiles(rules: Rules) -> Counter[int]:
    tiles: Counter[int] = Counter()
    for kind in range(34):
        if rules.players == 3 and 1 <= kind <= 7:
            continue
        reds = rules.red_fives[kind // 9] if kind in (4, 13, 22) else 0
        tiles[kind] += 4 - reds
        if reds:
            tiles[34 + kind // 9] += reds
    return tiles


def make_table(
    rules: Rules | str,
    deals: Sequence[str],
    draws: str = "",
    *,
    dora: str = "",
    ura: str = "",
    replacements: str = "",
    last: str = "",
) -> Table:
    """Return a table with given hands, draws, indicators, replacement tiles and last tile of the wall.

    The rest is filled with the remaining tiles, honours last, so that no hand arises by chance.
    """
    rule_set = preset(rules) if isinstance(rules, str) else rules
    players = rule_set.players
    size = 136 if players == 4 else 108
    wall = [-1] * size
    slot = size - 1
    hands = [parse_tiles(text) for text in deals] + [[] for _ in range(players - len(deals))]
    taken = [0] * players
    for turn in range(4):
        for seat in range(players):
            for _ in range(4 if turn < 3 else 1):
                if taken[seat] < len(hands[seat]):
                    wall[slot] = hands[seat][taken[seat]]
                taken[seat] += 1
                slot -= 1
    for tile in parse_tiles(draws):
        wall[slot] = tile
        slot -= 1
    first = 5 if players == 4 else 9
    for number, tile in enumerate(parse_tiles(dora)):
        wall[first + 2 * number] = tile
    for number, tile in enumerate(parse_tiles(ura)):
        wall[first + 2 * number - 1] = tile
    for number, tile in enumerate(parse_tiles(replacements)):
        wall[number ^ 1] = tile
    if last:
        wall[14] = parse_tiles(last)[0]
    left = all_tiles(rule_set)
    left.subtract(tile for tile in wall if tile >= 0)
    assert min(left.values()) >= 0, f"too many {format_tiles(t for t in left if left[t] < 0)}"
    spare = sorted(left.elements(), key=lambda tile: (kind_of(tile) * 7) % 34)
    for slot in range(size):
        if wall[slot] < 0:
            wall[slot] = spare.pop()
    return Table(rule_set, wall=wall)


def open_tiles(state: Any) -> NDArray[np.int64]:
    """Return the tiles of each kind in rivers, melds and kitas of a table or view, each tile once."""
    counts = np.zeros(34, np.int64)
    for seat in state["seats"][: int(state["rules"]["players"])]:
        counts[30] += seat["kitas"]
        for tile, marks in zip(seat["river"][: seat["discards"]], seat["marks"], strict=False):
            counts[kind_of(int(tile))] += not marks & DiscardFlag.CALLED
        for meld in seat["melds"][: seat["calls"]]:
            low, form = int(meld["kind"]), int(meld["form"])
            tiles = [low, low + 1, low + 2] if form == MeldForm.CHII else [low] * (3 if form == MeldForm.PON else 4)
            np.add.at(counts, tiles, 1)
    return counts


def tiles_of(states: Any) -> NDArray[np.int64]:
    """Return the count of every kind at each table: hands, melds, rivers without called tiles, kitas, wall."""
    counts: NDArray[np.int64] = states["hands"]["counts"].sum(axis=1).astype(np.int64)
    for number, state in enumerate(states):
        counts[number] += open_tiles(state)
        taken = {number ^ 1 for number in range(int(state["replaced"]))}
        for slot in set(range(min(int(state["next"]) + 1, int(state["wall_size"])))) - taken:
            counts[number, kind_of(int(state["wall"][slot]))] += 1
    return counts


def hide(state: Any, seat: int, random: np.random.Generator) -> None:
    """Change all information hidden from a seat."""
    for other in range(4):
        if other != seat:
            for name in state["hands"].dtype.names:
                hand = state["hands"][other]
                hand[name] = random.integers(0, 100, hand[name].shape)
    state["wall"][:] = random.permutation(state["wall"])
    state["seed"] = random.integers(1 << 60)
    if state["phase"] == Phase.CLAIM and state["actor"] != seat:
        state["actor"] = (seat + 1) % 3  # nobody knows who is asked about a tile
    state["answers"][:] = random.integers(0, 100, 4)
    for name in ("clock", "games", "hand_number", "to_ask"):
        state[name] += 1
    for row in state["log"].reshape(-1, 4)[: int(state["logged"])]:
        if row[0] == Event.DRAW and row[1] != seat:
            row[2] = random.integers(0, 34)
    if state["turn"] != seat:
        state["drawn"] = random.integers(0, 34)


def seen_outside(state: Any) -> NDArray[np.int64]:
    """Return the open tiles of each kind: those of `open_tiles`, and the indicators."""
    counts = open_tiles(state)
    np.add.at(counts, [kind_of(tile) for tile in state["indicators"].tolist()[: int(state["shown"])]], 1)
    return counts


def hand_of(table: Table, seat: int) -> str:
    return format_tiles(kind for kind in range(34) for _ in range(int(table.state.hands[seat].counts[kind])))


def may(table: Table, *wanted: int) -> bool:
    """Return whether all of these actions are legal."""
    return set(wanted) <= set(table.legal)


def do(table: Table, seat: int, action: int) -> None:
    """Let the deciding seat act."""
    assert table.actor == seat, f"seat {table.actor} is asked, not {seat}"
    table.act(action)


def throw(table: Table, seat: int, text: str) -> None:
    """Let a seat discard a tile, preferably the one just drawn; the others pass."""
    offer(table, seat, text)
    pass_all(table)


def offer(table: Table, seat: int, text: str) -> None:
    """Let a seat discard a tile, before any answers."""
    assert table.actor == seat, f"seat {table.actor} is asked, not {seat}"
    tile = parse_tiles(text)[0]
    if int(table.state.drawn) == tile and may(table, Action.TSUMOGIRI):
        table.act(Action.TSUMOGIRI)
    else:
        table.act(tile)


def call(table: Table, discarder: int, tile: str, caller: int, action: int) -> None:
    """Call `offer` for a tile that another seat claims."""
    offer(table, discarder, tile)
    do(table, caller, action)


def riichi(table: Table, seat: int, discard: str = "") -> None:
    """Declare riichi, with a discard if there is a choice, and let all others pass."""
    do(table, seat, Action.RIICHI)
    if discard and table.actor == seat:
        offer(table, seat, discard)
    pass_all(table)


def pass_all(table: Table) -> None:
    """Let all seats pass on a tile."""
    while not table.hand_over and int(table.state.phase) == Phase.CLAIM:
        table.act(Action.PASS)


def drift(table: Table, until: int = 0) -> None:
    """Discard all drawn tiles and pass, until at most that many tiles are left or the hand is over."""
    while not table.hand_over and int(table.state.left) > until:
        if int(table.state.phase) == Phase.CLAIM:
            table.act(Action.PASS)
        elif may(table, Action.TSUMOGIRI):
            table.act(Action.TSUMOGIRI)
        else:
            table.act(table.legal[0])


def texts(table: Table) -> list[str]:
    return [action_text(action) for action in table.legal]


# ---------------------------------------------------------------------------------------------------------
# Rows of ``tests/vectors/riichi-tables.json``

#: Hands by a word.
HANDS = {"junk": JUNK, "tenpai": TENPAI, "any": ""}
_WORDS: dict[int, str] = {
    Action.TSUMOGIRI: "drawn", Action.RIICHI: "riichi", Action.DAIMINKAN: "kan", Action.KITA: "kita",
    Action.TSUMO: "tsumo", Action.RON: "ron", Action.KYUUSHU_KYUUHAI: "kyuushu", Action.PASS: "pass",
    Action.PON: "pon", Action.PON + 1: "pon-red", Action.PON + 2: "pon-2-red",
}  # fmt: skip


def action_word(action: int, table: Table) -> str:
    """Return the word of an action: ``5m``, ``chii-low-red``, ``ankan-1z``."""
    if action in _WORDS:
        shows = int(table.state.claimed) == Offer.DRAW and int(table.state.phase) == Phase.CLAIM
        return {"kyuushu": "tenpai", "pass": "noten"}[_WORDS[action]] if shows else _WORDS[action]
    if action < Action.TSUMOGIRI:
        return tile_text(action)
    if action < Action.PON:
        return f"chii-{('low', 'middle', 'high')[action % 3]}{'-red' if action >= Action.CHII_RED else ''}"
    return f"{'ankan' if action < Action.KAKAN else 'kakan'}-{tile_text((action - Action.ANKAN) % 34)}"


def laid(row: Row) -> Table:
    """Return the table of a row."""
    rules = rules_in(row.get("rules", "tenhou-hand"))
    deals = [HANDS.get(text, text) for text in row.get("deals", "").split()]
    if row.get("wall") == "nagashi":
        return nagashi_table(rules, *deals)
    named = {name: row.get(name, "") for name in ("dora", "ura", "replacements", "last")}
    return make_table(rules, deals, row.get("draws", ""), **named)


def nagashi_table(rules: Rules, dealer: str = "") -> Table:
    """Return a table at which seat 1 draws only terminals and honours, the others simples; all discard drawn tiles."""
    lowest = 0 if rules.players == 4 else 9
    orphans = [kind for kind in ORPHANS if kind != NORTH for _ in range(4)]
    simples = [kind for kind in range(lowest, 27) if kind not in ORPHANS for _ in range(3 if kind % 9 == 4 else 4)]
    for kind in parse_tiles(dealer):
        simples.remove(kind)
    count = 70 if rules.players == 4 else 55
    draws = [orphans.pop() if turn % rules.players == 1 else simples.pop() for turn in range(count)]
    return make_table(rules, [dealer], "".join(map(tile_text, draws)))


def play_wall(table: Table) -> None:
    """Discard drawn tiles until the wall is empty and everybody has passed, or somebody may show a hand."""
    drift(table)
    while not table.hand_over and int(table.state.claimed) != Offer.DRAW:
        table.act(Action.PASS if may(table, Action.PASS) else Action.TSUMOGIRI)


def end_claims(table: Table) -> None:
    """Let everybody win who can, and the others pass, until the hand is over."""
    while not table.hand_over:
        table.act(Action.RON if may(table, Action.RON) else Action.PASS)


def discard_until(table: Table, seat: int) -> None:
    """Discard drawn tiles and pass until a seat has drawn."""
    while table.actor != seat or not may(table, Action.TSUMOGIRI):
        table.act(Action.TSUMOGIRI if may(table, Action.TSUMOGIRI) else Action.PASS)


def _log(table: Table) -> list[str]:
    """Return event, seat, tile and detail of each row of the log but the dora."""
    rows = table.state.log.reshape(-1, 4)[: int(table.state.logged)].tolist()
    return [
        f"{Event(event).name} {seat} {'-' if tile == -1 else tile_text(tile)} {detail}"
        for event, seat, tile, detail in rows
        if event != Event.DORA
    ]


def _some(wanted: Callable[[str], bool]) -> Callable[[Table], str]:
    return lambda table: " ".join(word for word in RIICHI_WORDS.legal(table) if wanted(word))


RIICHI_WORDS = Words(
    table=laid,
    action=action_word,
    claim=Phase.CLAIM,
    moves={
        "drift": lambda table, left: drift(table, int(left or -1)),
        "draw": lambda table, _: play_wall(table),
        "riichi": lambda table, text: riichi(table, int(text[0]), text[2:]),
        "rons": lambda table, _: end_claims(table),
        "turn": lambda table, seat: discard_until(table, int(seat)),
    },
    facts={
        "yaku": lambda table: ", ".join(
            YAKU[yaku].name for yaku in YakuId if int(table.state.wins[0].value.yaku) >> yaku & 1
        ),
        "kans": _some(lambda word: "kan" in word),
        "chii": _some(lambda word: "chii" in word),
        "fives": _some(lambda word: word in ("5m", "0m")),
        "suits": _some(lambda word: word[-1] in "mps" and len(word) == 2),
        "log": _log,
        "log_end": lambda table: _log(table)[-2:],
        **{f"hand_{seat}": lambda table, seat=seat: hand_of(table, seat) for seat in range(4)},
    },
    enums={"form": MeldForm, "phase": Phase, "marks": DiscardFlag},
    tiles=frozenset({"tile", "drawn", "kind", "river"}),
    masks=frozenset({"waits", "passed", "forbidden"}),
)
