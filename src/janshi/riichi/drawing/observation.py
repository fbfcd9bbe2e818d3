"""Observations of the `meowjong` papers, decoded from their 366 columns into text.

`read_columns` uses only the columns, so that it shows the input of a network. Order and meaning of the columns:
`janshi.riichi.encoders.meowjong` (dissertation, table 3.2). Columns are counted from 0.

>>> from janshi.riichi.positions import random_hand
>>> position = random_hand("tenhou-sanma", seed=3, number=1).position(1)
>>> observation = read_columns(masks_of(position))
>>> observation.wind, observation.scores
('1z', (35000, 35000, 35000, 0))
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.records.positions import PlayedHand, Position
from janshi.riichi.actions import Action, action_text
from janshi.riichi.drawing.snapshot import WIND_NAMES, round_text
from janshi.riichi.encoders.meowjong import (
    COLUMNS,
    DEPOSITS,
    DORA,
    GROUPS,
    HAND,
    HONBA,
    KITAS,
    MEOWJONG,
    OTHER,
    OTHERS,
    OWN_KITAS,
    OWN_RIVER,
    OWN_SETS,
    REDS,
    RIICHI,
    RIVER,
    ROUND,
    SCORES,
    SET,
    TARGET,
    WIND,
    column_names,
)
from janshi.riichi.positions import decision_kinds, hand_of_game, nth_game, random_hand
from janshi.tiles import format_tiles, tile_text

_ALL: Final = (1 << 34) - 1
_TURN: Final = 5
_SCORE: Final = 11
_NOTHING: Final = "–"

@dataclass(frozen=True, slots=True)
class MeldReading:
    """A called set or a kan: its tiles as text, red fives as fives, and the turn number of the call."""

    tiles: str
    turn: int


@dataclass(frozen=True, slots=True)
class OpenReading:
    """Melds, kitas and discards of a player."""

    sets: tuple[MeldReading, ...]
    kitas: int
    discards: tuple[str, ...]  # in order


@dataclass(frozen=True, slots=True)
class ObservationReading:
    """Contents of an observation. Tiles are text, red fives as fives; amounts are points."""

    target: str  # empty without a target
    tiles: str  # concealed, without the target
    red_fives: str  # in hand: "0p0s"
    own: OpenReading
    dora_indicators: tuple[str, ...]
    riichi: tuple[int | None, ...]  # of the three others, next player first: turn number, or None for no riichi
    scores: tuple[int, ...]  # own first; 0 for an absent seat and for negative points
    round: int  # 0–3 East, 4–7 South, 8–11 West
    honba: int
    deposits: int
    wind: str
    others: tuple[OpenReading, ...]  # next player first


def masks_of(position: Position) -> NDArray[np.int64]:
    """Return the observation of a position as masks: (366,), int64, bit k for kind k."""
    return cast("NDArray[np.int64]", MEOWJONG.encode_views(position.view)[0])


def read_columns(columns: NDArray[np.int64] | Sequence[int]) -> ObservationReading:
    """Return the contents of one observation (366 masks).

    Raises `ValueError` for another number of masks.
    """
    masks = [int(mask) for mask in columns]
    if len(masks) != COLUMNS:
        raise ValueError(f"an observation has {COLUMNS} columns, not {len(masks)}")
    riichi = [RIICHI + 6 * ahead for ahead in range(3)]
    others = [OTHERS + OTHER * ahead for ahead in range(3)]
    return ObservationReading(
        target=_tiles(masks[TARGET : TARGET + 1]),
        tiles=_tiles(masks[HAND : HAND + 4]),
        red_fives=format_tiles(34 + kind // 9 for kind in _kinds(masks[REDS])),
        own=_open_tiles(masks, OWN_SETS, OWN_KITAS, OWN_RIVER),
        dora_indicators=_row(masks[DORA : DORA + 5]),
        riichi=tuple(_number(masks, column + 1, _TURN) if masks[column] else None for column in riichi),
        scores=tuple(100 * _number(masks, SCORES + _SCORE * step, _SCORE) for step in range(4)),
        round=_number(masks, ROUND, 4),
        honba=_number(masks, HONBA, 4),
        deposits=_number(masks, DEPOSITS, 4),
        wind=_tiles(masks[WIND : WIND + 1]),
        others=tuple(_open_tiles(masks, column, column + KITAS, column + RIVER) for column in others),
    )


def _kinds(mask: int) -> list[int]:
    return [kind for kind in range(34) if mask >> kind & 1]


def _tiles(masks: Sequence[int]) -> str:
    return format_tiles(kind for mask in masks for kind in _kinds(mask))


def _row(masks: Sequence[int]) -> tuple[str, ...]:
    return tuple(_tiles([mask]) for mask in masks if mask)


def _number(masks: Sequence[int], first: int, bits: int) -> int:
    return sum((masks[first + bit] == _ALL) << bits - 1 - bit for bit in range(bits))


def _open_tiles(masks: Sequence[int], sets: int, kitas: int, river: int) -> OpenReading:
    columns = [sets + SET * number for number in range(4) if masks[sets + SET * number]]
    return OpenReading(
        tuple(MeldReading(_tiles(masks[first : first + 4]), _number(masks, first + 4, _TURN)) for first in columns),
        sum(mask != 0 for mask in masks[kitas : kitas + 4]),
        _row(masks[river : river + 30]),
    )


# ---------------------------------------------------------------------------------------------------------
# Text


def options_text(possible: Sequence[int]) -> str:
    """Return actions in words, the discards together.

    >>> options_text([0, 35, 37, 38])
    'discard 1m0p or the tile drawn; riichi'
    """
    tiles = format_tiles(action for action in possible if action < Action.TSUMOGIRI)
    drawn = "the tile drawn" if Action.TSUMOGIRI in possible else ""
    discards = " or ".join(text for text in (tiles, drawn) if text)
    rest = [action_text(action) for action in possible if action > Action.TSUMOGIRI]
    return "; ".join([f"discard {discards}", *rest] if discards else rest)


def describe(hand: PlayedHand, position: Position) -> str:
    """Return a decision and the contents of its columns, group by group.

    >>> from janshi.riichi.positions import random_hand
    >>> hand = random_hand("tenhou-sanma", seed=3, number=1)
    >>> print(describe(hand, hand.position(1)).splitlines()[1])
    decision 1 of 61: seat 0 (East), East 1
    """
    reading = read_columns(masks_of(position))
    lines = [*_head(hand, position, reading), "", "columns  what"]
    contents = _group_texts(reading, hand.rules.players)
    wide = max(len(name) for name, _, _ in GROUPS)
    for (name, first, count), words in zip(GROUPS, contents, strict=True):
        lines.append(f"{_span(first, count):<7}  {name:<{wide}}  {words}")
    return "\n".join(lines)


def describe_raw(hand: PlayedHand, position: Position) -> str:
    """Return every non-empty column with number, name and tiles."""
    masks = masks_of(position).tolist()
    names = column_names()
    wide = max(len(name) for name in names)
    lines = [*_head(hand, position, read_columns(masks)), ""]
    for number, mask in enumerate(masks):
        if mask:
            lines.append(f"{number:>3}  {names[number]:<{wide}}  {'all rows' if mask == _ALL else _tiles([mask])}")
    return "\n".join(lines)


def describe_list(positions: Sequence[Position]) -> str:
    """Return one line for each decision: number, seat, possible kinds, action taken."""
    lines = ["decision  seat  possible                 done"]
    for position in positions:
        kinds = ", ".join(decision_kinds(position)) or _NOTHING
        lines.append(f"{position.decision:>8}  {position.seat:>4}  {kinds:<23}  {done_text(position)}")
    return "\n".join(lines)


def done_text(position: Position) -> str:
    """Return the action taken in words; a discard of the tile just drawn names it."""
    if position.done != Action.TSUMOGIRI:
        return action_text(position.done)
    drawn = int(cast("NDArray[Any]", position.view)["drawn"][0])
    return f"discard {tile_text(drawn)}, just drawn"


def as_json(hand: PlayedHand, position: Position) -> dict[str, Any]:
    """Return a position for JSON; ``masks`` are the 366 columns, bit k of each for kind k."""
    masks = masks_of(position).tolist()
    return {
        **_hand_json(hand),
        **decision_json(position),
        "says": dataclasses.asdict(read_columns(masks)),
        "shape": [34, COLUMNS],
        "names": column_names(),
        "masks": masks,
    }


def list_json(hand: PlayedHand, positions: Sequence[Position]) -> dict[str, Any]:
    """Return the decisions of a hand for JSON."""
    return {**_hand_json(hand), "decisions": [decision_json(position) for position in positions]}


def decision_json(position: Position) -> dict[str, Any]:
    """Return a decision for JSON, actions by number and in words."""
    return {
        "decision": position.decision,
        "seat": position.seat,
        "kinds": list(decision_kinds(position)),
        "possible": {str(action): action_text(action) for action in position.possible},
        "done": position.done,
        "events": position.events,
    }


def _hand_json(hand: PlayedHand) -> dict[str, Any]:
    return {"source": hand.source, "rules": hand.rules.name, "players": hand.rules.players, "hand": hand.number}


def _head(hand: PlayedHand, position: Position, reading: ObservationReading) -> list[str]:
    where = f"seat {position.seat} ({_wind(reading)}), {round_text(reading.round)}"
    return [
        f"{hand.source}, hand {hand.number}",
        f"decision {position.decision} of {len(hand.positions)}: {where}",
        f"possible: {', '.join(decision_kinds(position)) or _NOTHING} ({options_text(position.possible)})",
        f"done: {done_text(position)}",
    ]


def _wind(reading: ObservationReading) -> str:
    return WIND_NAMES[int(reading.wind[0]) - 1]


def _span(first: int, count: int) -> str:
    return str(first) if count == 1 else f"{first}–{first + count - 1}"


def _group_texts(reading: ObservationReading, players: int) -> Iterator[str]:
    """Yield the contents of each of `GROUPS`, in their order."""
    names = ("own", *(f"player {ahead} ahead" for ahead in range(1, players)))
    yield reading.target or _NOTHING
    yield reading.tiles
    yield reading.red_fives or _NOTHING
    yield from _open_texts(reading.own)
    yield " ".join(reading.dora_indicators)
    declared = [(name, turn) for name, turn in zip(names[1:], reading.riichi, strict=False) if turn is not None]
    yield ", ".join(f"{name}: turn {turn}" for name, turn in declared) or _NOTHING
    yield ", ".join(f"{name} {points:,}" for name, points in zip(names, reading.scores, strict=False))
    yield f"{reading.round} ({round_text(reading.round)})"
    yield str(reading.honba)
    yield str(reading.deposits)
    yield f"{reading.wind} ({_wind(reading)})"
    for ahead, player in enumerate(reading.others, start=1):
        yield from _open_texts(player) if ahead < players else ("nobody sits there",) * 3


def _open_texts(player: OpenReading) -> Iterator[str]:
    yield ", ".join(f"{meld.tiles} (turn {meld.turn})" for meld in player.sets) or _NOTHING
    yield str(player.kitas)
    yield " ".join(player.discards) or _NOTHING


def _hand_of_record(record: Path, game: int, hand: int) -> PlayedHand:
    return hand_of_game(nth_game(record, game), hand)


#: The facet ``"observation"``, for ``janshi show-observation``.
OBSERVATION: Final = SimpleNamespace(
    describe=describe,
    describe_list=describe_list,
    describe_raw=describe_raw,
    as_json=as_json,
    list_json=list_json,
    of_record=_hand_of_record,
    at_random=random_hand,
)
